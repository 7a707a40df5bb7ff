#include "widgets/common/filter_completer.h"

#include <QAbstractListModel>
#include <QApplication>
#include <QFrame>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QTextCharFormat>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr int VisibleItems = 9;
constexpr qsizetype HistoryLimit = 50;

std::size_t byteOf(const QString& text, int position) {
    return static_cast<std::size_t>(QStringView(text).left(position).toUtf8().size());
}

int positionOf(const QString& text, std::size_t byte) {
    return static_cast<int>(QString::fromUtf8(text.toUtf8().left(static_cast<qsizetype>(byte))).size());
}

} // namespace

class FilterCompletionModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void set(const std::vector<FilterCompletionItem>& items) {
        beginResetModel();
        m_items = items;
        endResetModel();
    }
    [[nodiscard]] const FilterCompletionItem& item(int row) const {
        return m_items[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_items.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!index.isValid())
            return {};
        if (role == Qt::DisplayRole)
            return QString::fromStdString(item(index.row()).label);
        if (role == Qt::AccessibleDescriptionRole || role == Qt::UserRole)
            return QString::fromStdString(item(index.row()).doc);
        return {};
    }

private:
    std::vector<FilterCompletionItem> m_items;
};

namespace {

// Label, then what it means in muted text.
class CompletionDelegate : public QStyledItemDelegate {
public:
    CompletionDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const QRect row = option.rect;
        if (option.state & QStyle::State_Selected)
            painter->fillRect(row, m_theme.color(Token::Selection));
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(row, m_theme.color(Token::Raised));
        const QRect inside = row.adjusted(measure::PanelPadding, 0, -measure::PanelPadding, 0);
        const QFont mono = m_theme.font(FontRole::Mono);
        const QString label = index.data().toString();
        painter->setFont(mono);
        painter->setPen(m_theme.color(Token::Text));
        painter->drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, label);
        const int begin = std::max(QFontMetrics(mono).horizontalAdvance(label) + measure::GroupGap, 150);
        const QRect rest = inside.adjusted(begin, 0, 0, 0);
        const QFont ui = m_theme.font(FontRole::Ui);
        painter->setFont(ui);
        painter->setPen(m_theme.color(Token::Muted));
        painter->drawText(
            rest, Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetrics(ui).elidedText(index.data(Qt::UserRole).toString(), Qt::ElideRight, rest.width()));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {200, measure::RowHeight};
    }

private:
    const Theme& m_theme;
};

} // namespace

FilterCompleter::FilterCompleter(const Theme& theme, QLineEdit& edit, Schema schema,
                                 FilterValueProvider values, QObject* parent)
    : QObject(parent),
      m_theme(theme),
      m_edit(edit),
      m_schema(std::move(schema)),
      m_values(std::move(values)),
      m_popup(new QFrame(&edit, Qt::ToolTip)),
      m_list(new QListView(m_popup)),
      m_model(new FilterCompletionModel(this)) {
    m_popup->setObjectName(edit.objectName() + QStringLiteral(".completion"));
    m_popup->setAttribute(Qt::WA_ShowWithoutActivating);
    m_popup->setFocusPolicy(Qt::NoFocus);
    m_popup->setFrameShape(QFrame::StyledPanel);
    m_list->setObjectName(m_popup->objectName() + QStringLiteral(".list"));
    m_list->setAccessibleName(tr("Completions"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CompletionDelegate(theme, m_list));
    auto* column = new QVBoxLayout(m_popup);
    column->setContentsMargins(1, 1, 1, 1);
    column->addWidget(m_list);
    m_popup->hide();
    m_edit.installEventFilter(this);
    connect(&m_edit, &QLineEdit::textEdited, this, [this] {
        m_recalled = -1;
        clearFault();
        suggest(false);
    });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { accept(index.row()); });
}

FilterCompleter::~FilterCompleter() = default;

bool FilterCompleter::isOpen() const { return m_popup->isVisible(); }

void FilterCompleter::open() { suggest(true); }

void FilterCompleter::close() { m_popup->hide(); }

void FilterCompleter::suggest(bool asked) {
    const QString text = m_edit.text();
    const QByteArray bytes = text.toUtf8();
    const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    m_completion =
        completeFilter(view, byteOf(text, m_edit.cursorPosition()), m_schema(), m_values, m_canHave);
    auto& items = m_completion.items;
    const std::string_view replaced = view.substr(m_completion.replaceFrom, m_completion.replaceLength);
    const auto isDone = [&](const FilterCompletionItem& item) {
        return item.insert == replaced || item.insert == std::string(replaced) + " ";
    };
    if (!asked) {
        // Nothing to add to what stands there, or nothing begun: silence.
        using Kind = FilterCompletionItem::Kind;
        const bool begun = m_completion.replaceLength > 0;
        const bool wanted = !items.empty()
                            && (begun || items.front().kind == Kind::Literal
                                || (items.front().kind == Kind::Operator && items.front().label != ","));
        if (!wanted || (items.size() == 1 && isDone(items.front())))
            items.clear();
    }
    m_model->set(items);
    if (items.empty()) {
        close();
        return;
    }
    m_list->scrollToTop();
    place();
    m_popup->show();
}

int FilterCompleter::faultHeight() const {
    if (m_faultLine == nullptr)
        return 0;
    if (Filter::compile(m_edit.text().toStdString(), m_schema()))
        return 0;
    constexpr int Gap = 2; // above the line
    const int width = m_faultLine->parentWidget()->width() - 2 * measure::PanelPadding;
    const int said = m_faultLine->isHidden() ? 0 : m_faultLine->heightForWidth(width);
    return Gap + std::max(m_faultLine->fontMetrics().height(), said);
}

void FilterCompleter::place() {
    const int rows = std::min(m_model->rowCount(), VisibleItems);
    const int height = rows * measure::RowHeight + 2;
    const int width = std::clamp(m_edit.width(), 280, 520);
    const int from = positionOf(m_edit.text(), m_completion.replaceFrom);
    const QFontMetrics metrics(m_edit.font());
    const int indent = metrics.horizontalAdvance(m_edit.text().left(from));
    const QRect cursor = m_edit.inputMethodQuery(Qt::ImCursorRectangle).toRect();
    const int typed = metrics.horizontalAdvance(m_edit.text().mid(from, m_edit.cursorPosition() - from));
    const int x = std::clamp(cursor.left() - typed - measure::PanelPadding, 0,
                             std::max(0, std::min(indent + 40, m_edit.width() - 80)));
    const QPoint below = m_edit.mapToGlobal(QPoint(x, m_edit.height() + 2 + faultHeight()));
    QRect area(below, QSize(width, height));
    // A panel at the bottom of the screen opens it upward.
    if (const QScreen* screen = m_edit.screen()) {
        const QRect room = screen->availableGeometry();
        if (area.bottom() > room.bottom())
            area.moveBottom(m_edit.mapToGlobal(QPoint(0, -2)).y());
        if (area.right() > room.right())
            area.moveRight(room.right());
    }
    m_popup->setGeometry(area);
}

void FilterCompleter::accept(int row) {
    if (row < 0 || row >= m_model->rowCount())
        return;
    const QString insert = QString::fromStdString(m_model->item(row).insert);
    const QString text = m_edit.text();
    const int from = positionOf(text, m_completion.replaceFrom);
    int length = positionOf(text, m_completion.replaceFrom + m_completion.replaceLength) - from;
    // A space that is there already is not doubled.
    if (insert.endsWith(QLatin1Char(' ')) && from + length < text.size()
        && text.at(from + length) == QLatin1Char(' '))
        ++length;
    close();
    m_edit.setSelection(from, length);
    m_edit.insert(insert);
    suggest(false);
}

bool FilterCompleter::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_edit) {
        switch (event->type()) {
        case QEvent::FocusOut:
        case QEvent::Hide:
            close();
            break;
        case QEvent::ShortcutOverride:
            if (isOpen() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
                event->accept();
                return true;
            }
            break;
        case QEvent::KeyPress:
            if (key(*static_cast<QKeyEvent*>(event)))
                return true;
            break;
        default:
            break;
        }
    }
    return QObject::eventFilter(watched, event);
}

bool FilterCompleter::key(QKeyEvent& event) {
    const int current = m_list->currentIndex().row();
    const auto select = [this](int row) {
        const int count = m_model->rowCount();
        m_list->setCurrentIndex(m_model->index((row + count) % count));
    };
    if (event.key() == Qt::Key_Space && event.modifiers() == Qt::ControlModifier) {
        open();
        return true;
    }
    if (!isOpen()) {
        if (event.modifiers() != Qt::NoModifier && event.modifiers() != Qt::KeypadModifier)
            return false;
        if (event.key() == Qt::Key_Up)
            return recall(1);
        if (event.key() == Qt::Key_Down) {
            if (m_recalled >= 0)
                return recall(-1);
            open();
            return true;
        }
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Down:
        select(current + 1);
        return true;
    case Qt::Key_Up:
        select(current < 0 ? -1 : current - 1);
        return true;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        select(std::clamp(current + (event.key() == Qt::Key_PageDown ? 1 : -1) * (VisibleItems - 1), 0,
                          m_model->rowCount() - 1));
        return true;
    case Qt::Key_Tab:
        accept(std::max(current, 0));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (current >= 0) {
            accept(current);
            return true;
        }
        close();
        return false;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
}

bool FilterCompleter::recall(int step) {
    const int to = m_recalled + step;
    if (to < -1 || to >= static_cast<int>(m_history.size()))
        return true;
    if (m_recalled < 0)
        m_typed = m_edit.text();
    m_recalled = to;
    m_edit.setText(to < 0 ? m_typed : m_history.at(m_history.size() - 1 - to));
    return true;
}

void FilterCompleter::remember(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty() || m_recalled >= 0)
        return;
    m_history.removeAll(trimmed);
    m_history.append(trimmed);
    while (m_history.size() > HistoryLimit)
        m_history.removeFirst();
}

void FilterCompleter::markFault(const Error& error) {
    if (error.region.line == 0) {
        clearFault();
        return;
    }
    const QString text = m_edit.text();
    const int from = positionOf(text, static_cast<std::size_t>(std::max(error.region.column - 1, 0)));
    const int to = positionOf(text, static_cast<std::size_t>(std::max(error.region.endColumn - 1, 0)));
    format(from, std::max(to - from, 1));
    if (isOpen())
        place(); // the fault may be said in more lines
}

void FilterCompleter::clearFault() { format(0, 0); }

// A line edit shows formats only for text under composition, and positions count from the cursor.
void FilterCompleter::format(int start, int length) {
    QList<QInputMethodEvent::Attribute> attributes;
    if (length > 0) {
        QTextCharFormat wave;
        wave.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wave.setUnderlineColor(m_theme.color(Token::Error));
        attributes.append({QInputMethodEvent::TextFormat, start - m_edit.cursorPosition(), length, wave});
    }
    QInputMethodEvent event(QString(), attributes);
    QCoreApplication::sendEvent(&m_edit, &event);
}

} // namespace sbx::ui

#include "moc_filter_completer.cpp"
