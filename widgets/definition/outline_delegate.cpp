#include "widgets/definition/outline_delegate.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QTimer>

#include "engine/definition/toml_document.h"
#include "widgets/common/theme.h"
#include "widgets/definition/outline_model.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {
constexpr int FlashMs = 900;
} // namespace

OutlineDelegate::OutlineDelegate(const Theme& theme,
                                 std::function<const FieldInfo*(const QModelIndex&)> fieldOf,
                                 std::function<FieldSources()> sources, QObject* parent)
    : QStyledItemDelegate(parent),
      m_theme(theme),
      m_fieldOf(std::move(fieldOf)),
      m_sources(std::move(sources)) {
    m_flashEnd.setSingleShot(true);
    m_flashEnd.setInterval(FlashMs);
    connect(&m_flashEnd, &QTimer::timeout, this, [this] {
        m_flashed = QPersistentModelIndex();
        emit repaintWanted();
    });
    connect(this, &QAbstractItemDelegate::closeEditor, this, &OutlineDelegate::closed);
    // An editor of several fields is left when none of them has the focus.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (m_editor == nullptr || now == nullptr || now == m_editor || m_editor->isAncestorOf(now))
            return;
        if (const NameGuard* guard = NameGuard::of(m_editor); guard != nullptr && guard->isRefused())
            return; // the name stays to be mended
        for (const QWidget* at = now; at != nullptr; at = at->parentWidget())
            if (at == m_editor || at->windowType() == Qt::Popup || at->windowType() == Qt::Dialog)
                return; // a list or a chooser of the editor's own
        finish(m_editor, true);
    });
}

QWidget* OutlineDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                       const QModelIndex& index) const {
    const FieldInfo* field = index.column() == OutlineModel::ValueColumn ? m_fieldOf(index) : nullptr;
    QWidget* made = nullptr;
    if (field != nullptr) {
        auto* editor = FieldEditor::create(*field, m_theme, m_sources(), parent);
        editor->setAutoFillBackground(true);
        m_entered.reset();
        auto* self = const_cast<OutlineDelegate*>(this); // Qt has createEditor() const
        connect(editor, &FieldEditor::edited, this,
                [self, field, editor, row = QPersistentModelIndex(index)](const Value& value, bool committed) {
                    if (!committed)
                        return;
                    self->m_entered = Entered{row, QString::fromStdString(field->formatToml(value))};
                    // A list or a box has one value, which is chosen now; of several numbers others may follow.
                    if (field->type == FieldType::Bool || field->type == FieldType::Enum)
                        QTimer::singleShot(0, self, [self, editor = QPointer<QWidget>(editor)] {
                            if (editor != nullptr && editor == self->m_editor)
                                self->finish(editor, true);
                        });
                });
        made = editor;
    } else {
        auto* line = new QLineEdit(parent);
        line->setObjectName(index.column() == OutlineModel::ValueColumn
                                ? QStringLiteral("definition.tree.value")
                                : QStringLiteral("definition.tree.name"));
        line->setAccessibleName(index.siblingAtColumn(OutlineModel::NameColumn).data().toString());
        if (index.column() == OutlineModel::ValueColumn) {
            line->setFont(m_theme.font(FontRole::Mono));
        } else {
            auto* guard = new NameGuard(m_theme, *line, [this, row = QPersistentModelIndex(index)](const QString& name) {
                const bool same = !row.isValid() || name.isEmpty() || name == row.data(Qt::EditRole).toString();
                return same || !m_nameCheck ? std::nullopt : m_nameCheck(row, name);
            });
            auto* self = const_cast<OutlineDelegate*>(this); // Qt has createEditor() const
            connect(guard, &NameGuard::offeredTaken, this, [self, line] { self->finish(line, true); });
        }
        made = line;
    }
    m_editor = made;
    watch(made);
    return made;
}

// Enter and Esc in any field of the editor end it.
void OutlineDelegate::watch(QWidget* editor) const {
    auto* self = const_cast<OutlineDelegate*>(this); // Qt has createEditor() const
    for (QWidget* child : editor->findChildren<QWidget*>())
        child->installEventFilter(self);
}

bool OutlineDelegate::eventFilter(QObject* watched, QEvent* event) {
    if (NameGuard* guard = NameGuard::of(watched); guard != nullptr && guard->holds(*event))
        return event->type() != QEvent::FocusOut; // the line itself shows that it has lost the focus
    const auto* child = qobject_cast<QWidget*>(watched);
    const auto ends = [event] {
        const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event)->key() : 0;
        return key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape;
    };
    // What a field of the editor has seen already comes to the editor as well: it ends once.
    if (m_editor != nullptr && child == m_editor && qobject_cast<const FieldEditor*>(child) != nullptr
        && ends())
        return true;
    if (m_editor == nullptr || child == nullptr || child == m_editor || !m_editor->isAncestorOf(child))
        return QStyledItemDelegate::eventFilter(watched, event);
    if (ends()) {
        const bool keep = static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape;
        // The field itself takes the key first.
        const QPointer<QWidget> view = m_editor->parentWidget()->parentWidget();
        QTimer::singleShot(0, this, [this, editor = QPointer<QWidget>(m_editor), view, keep] {
            const auto* field = qobject_cast<FieldEditor*>(editor);
            const bool open = editor != nullptr && editor == m_editor;
            if (open && field != nullptr && keep && !field->problem().isEmpty())
                return; // to be mended
            if (open)
                finish(editor, keep);
            // A number's field gives the keyboard back to what had it before; from here the keys go on in the tree.
            if (view != nullptr && m_editor == nullptr)
                view->setFocus(Qt::OtherFocusReason);
        });
    }
    return false;
}

void OutlineDelegate::flash(const QModelIndex& index) {
    m_flashed = index.siblingAtColumn(0);
    m_flashEnd.start();
    emit repaintWanted();
}

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (!m_flashed.isValid() || index.siblingAtColumn(0) != m_flashed)
        return;
    painter->save();
    painter->setPen(QPen(m_theme.color(Token::Accent), 2));
    const QRect row = option.rect;
    painter->drawLine(row.left(), row.top() + 1, row.right(), row.top() + 1);
    painter->drawLine(row.left(), row.bottom(), row.right(), row.bottom());
    painter->restore();
}

void OutlineDelegate::closed() {
    m_editor = nullptr;
    // When the view has put the editor away.
    if (std::optional<Entered> entered = std::exchange(m_entered, std::nullopt))
        QTimer::singleShot(0, this, [this, entered = std::move(*entered)] {
            if (entered.row.isValid())
                emit valueEntered(entered.row, entered.toml);
        });
}

void OutlineDelegate::finish(QWidget* editor, bool keep) {
    m_editor = nullptr;
    if (!keep)
        m_entered.reset();
    if (keep)
        emit commitData(editor);
    emit closeEditor(editor, QAbstractItemDelegate::NoHint);
}

void OutlineDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        if (!line->isModified())
            line->setText(text);
        return;
    }
    auto* field = qobject_cast<FieldEditor*>(editor);
    if (field == nullptr || field->isEditing())
        return;
    const Result<SourceValue> source = definition::parseTomlValue(text.toStdString());
    Diagnostics sink;
    Value value;
    if (source && field->field().fromSource(*source, value, sink, {}))
        field->setValue(value);
    else
        field->setProblem(
            QString::fromStdString(source ? sink.items.empty() ? std::string() : sink.items.front().message()
                                          : source.error().message));
    const bool written = index.data(OutlineModel::WrittenRole).toBool();
    field->setOrigin(written ? FieldOrigin::Inherited : FieldOrigin::Default);
}

void OutlineDelegate::setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const {
    // Field editors have emitted their value already.
    const auto* line = qobject_cast<QLineEdit*>(editor);
    if (line == nullptr || !line->isModified() || line->text() == index.data(Qt::EditRole).toString())
        return;
    if (index.column() == OutlineModel::ValueColumn)
        emit valueEntered(index, line->text());
    else
        emit nameEntered(index, line->text().trimmed());
}

void OutlineDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex& index) const {
    QRect place = option.rect;
    if (index.column() == OutlineModel::NameColumn)
        place.setLeft(place.left() + measure::IconSize + measure::RelatedGap);
    const int wanted = std::max(editor->sizeHint().height(), place.height());
    place.setTop(place.center().y() - std::min(wanted, measure::ControlHeight) / 2);
    place.setHeight(wanted);
    // What needs more room than its column gets it from the name's, the row's own or not.
    const QWidget* view = editor->parentWidget();
    const int least = std::min(editor->minimumSizeHint().width(), view->width());
    if (place.width() < least)
        place.setLeft(std::max(0, place.right() + 1 - least));
    if (place.bottom() > view->height())
        place.moveBottom(view->height());
    editor->setGeometry(place);
}

} // namespace sbx::ui

#include "moc_outline_delegate.cpp"
