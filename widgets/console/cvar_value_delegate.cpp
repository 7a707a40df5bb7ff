#include "widgets/console/cvar_value_delegate.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPersistentModelIndex>

#include "widgets/common/theme.h"
#include "widgets/console/cvar_model.h"

#include <utility>

namespace sbx::ui {

namespace {

constexpr int ArrowSize = 12;

// Where a click opens the list.
QRect arrowOf(const QRect& cell) {
    const int side = ArrowSize + measure::RelatedGap;
    return {cell.right() - side + 1, cell.top(), side, cell.height()};
}

bool isChoice(const QModelIndex& index) {
    return index.flags().testFlag(Qt::ItemIsEditable)
           && !index.data(CVarModel::ChoicesRole).toStringList().isEmpty();
}

// A list that is open as long as it is edited: backed out of, it is gone, and what it would say is left to the cell.
class OpenList : public QComboBox {
public:
    OpenList(CVarValueDelegate& delegate, QWidget* parent) : QComboBox(parent), m_delegate(delegate) {
        // Chosen is done.
        connect(this, &QComboBox::activated, this, [this] {
            m_isChosen = true;
            emit m_delegate.commitData(this);
            finish();
        });
        // It has neither place nor value yet, so the list opens afterwards.
        QMetaObject::invokeMethod(this, &QComboBox::showPopup, Qt::QueuedConnection);
    }

    [[nodiscard]] bool isChosen() const { return m_isChosen; }
    void showPopup() override {
        m_wasOpen = true;
        QComboBox::showPopup();
    }
    // The choice is announced after the list has closed.
    void hidePopup() override {
        QComboBox::hidePopup();
        if (m_wasOpen)
            QMetaObject::invokeMethod(
                this,
                [this] {
                    if (isVisible()) // not ended otherwise
                        finish();
                },
                Qt::QueuedConnection);
    }

private:
    void finish() {
        if (!std::exchange(m_isFinished, true))
            emit m_delegate.closeEditor(this);
    }

    CVarValueDelegate& m_delegate;
    bool m_wasOpen = false;
    bool m_isChosen = false;
    bool m_isFinished = false;
};

} // namespace

CVarValueDelegate::CVarValueDelegate(const Theme& theme, QAbstractItemView& view)
    : QStyledItemDelegate(&view), m_theme(theme), m_view(view) {}

void CVarValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    if (!isChoice(index))
        return QStyledItemDelegate::paint(painter, option, index);
    const QRect arrow = arrowOf(option.rect);
    QStyledItemDelegate::paint(painter, option, index);
    QRect place({}, QSize(ArrowSize, ArrowSize));
    place.moveCenter(arrow.center());
    m_theme.icon(QStringLiteral("chevron-down"), Token::Muted).paint(painter, place);
}

QWidget* CVarValueDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                         const QModelIndex& index) const {
    if (!isChoice(index)) {
        QWidget* const line = QStyledItemDelegate::createEditor(parent, option, index);
        line->setObjectName(QStringLiteral("console.cvars.value"));
        line->setAccessibleName(tr("Value"));
        return line;
    }
    // createEditor() is const, its signals are not.
    auto* choice = new OpenList(const_cast<CVarValueDelegate&>(*this), parent);
    choice->setObjectName(QStringLiteral("console.cvars.choice"));
    choice->setAccessibleName(tr("Value"));
    choice->setFont(m_theme.font(FontRole::Mono));
    choice->addItems(index.data(CVarModel::ChoicesRole).toStringList());
    return choice;
}

void CVarValueDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (auto* const choice = qobject_cast<QComboBox*>(editor)) {
        if (!choice->property("isFilled").toBool())
            choice->setCurrentText(index.data(Qt::EditRole).toString());
        choice->setProperty("isFilled", true);
        return;
    }
    const auto* const line = qobject_cast<QLineEdit*>(editor);
    if (line == nullptr || !line->isModified())
        QStyledItemDelegate::setEditorData(editor, index);
}

void CVarValueDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                     const QModelIndex& index) const {
    if (const auto* const choice = dynamic_cast<OpenList*>(editor)) {
        if (choice->isChosen()) // left without choosing: others may have set it meanwhile
            model->setData(index, choice->currentText(), Qt::EditRole);
    } else {
        QStyledItemDelegate::setModelData(editor, model, index);
    }
}

bool CVarValueDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                                    const QStyleOptionViewItem& option, const QModelIndex& index) {
    if (event->type() == QEvent::MouseButtonRelease && isChoice(index)) {
        const auto* const mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton && arrowOf(option.rect).contains(mouse->position().toPoint())) {
            // Not within the view's own handling of the click.
            QMetaObject::invokeMethod(
                &m_view,
                [this, at = QPersistentModelIndex(index)] {
                    if (at.isValid())
                        m_view.edit(at);
                },
                Qt::QueuedConnection);
            return true;
        }
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

} // namespace sbx::ui

#include "moc_cvar_value_delegate.cpp"
