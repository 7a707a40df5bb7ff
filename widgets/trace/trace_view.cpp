#include "widgets/trace/trace_view.h"

#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int Row = measure::TraceRowHeight;
constexpr int CellPadding = 8;
constexpr int IconSide = 14;
} // namespace

TraceView::TraceView(const Theme& theme, TraceModel& model, QWidget* parent)
    : QAbstractItemView(parent), m_theme(theme), m_model(model), m_header(new QHeaderView(Qt::Horizontal, this)),
      m_pill(new QPushButton(this)) {
    setObjectName(QStringLiteral("trace.list"));
    setAccessibleName(tr("Messages"));
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setAutoScroll(false);
    viewport()->setMouseTracking(true);
    setModel(&model);

    m_header->setObjectName(QStringLiteral("trace.header"));
    m_header->setAccessibleName(tr("Columns"));
    m_header->setModel(&model);
    m_header->setSectionsMovable(true);
    m_header->setHighlightSections(false);
    m_header->setMinimumSectionSize(32);
    m_header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_header, &QHeaderView::sectionResized, this, [this] { updateGeometries(), viewport()->update(); });
    connect(m_header, &QHeaderView::sectionMoved, this, [this] { viewport()->update(); });
    connect(m_header, &QHeaderView::sectionCountChanged, this, [this] { updateGeometries(); });
    connect(m_header, &QHeaderView::geometriesChanged, this, [this] { updateGeometries(); });

    m_pill->setObjectName(QStringLiteral("trace.new"));
    m_pill->setCursor(Qt::PointingHandCursor);
    m_pill->setFocusPolicy(Qt::NoFocus);
    setPrimary(*m_pill);
    m_pill->hide();

    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_adjusting)
            setFollowing(value == verticalScrollBar()->maximum());
    });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex&, int first, int last) {
        // Rows went at the top: what is on screen stays where it is.
        const QScopedValueRollback<bool> adjusting(m_adjusting, true);
        const int value = verticalScrollBar()->value();
        updateScrollBars();
        if (!m_following && first == 0)
            verticalScrollBar()->setValue(value - (last + 1) * Row);
        m_removing = false;
        viewport()->update();
    });
    connect(&theme, &Theme::changed, this, &TraceView::refreshTheme);
    refreshTheme();
}

void TraceView::refreshTheme() {
    m_icons.clear();
    setFont(m_theme.font(FontRole::Mono));
    m_header->setFont(m_theme.font(FontRole::Ui));
    viewport()->update();
}

void TraceView::setFollowing(bool following) {
    if (m_following == following)
        return;
    m_following = following;
    if (following)
        updateScrollBars();
    emit followingChanged(following);
}

void TraceView::setChain(std::vector<std::uint64_t> chain) {
    std::sort(chain.begin(), chain.end());
    m_chain = std::move(chain);
    viewport()->update();
}

void TraceView::showRow(int row) {
    const QModelIndex index = m_model.index(row, 0);
    if (!index.isValid())
        return;
    setFollowing(false);
    {
        const QScopedValueRollback<bool> quiet(m_removing, true);
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    const QRect rect = visualRect(index);
    if (rect.top() < 0 || rect.bottom() >= viewport()->height())
        scrollTo(index, PositionAtCenter);
    viewport()->update();
}

void TraceView::setPill(std::uint64_t count, bool paused) {
    if (count == 0) {
        m_pill->hide();
        return;
    }
    const QString number = QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
    m_pill->setText(tr("%1 new ↓").arg(number));
    m_pill->setAccessibleName(paused ? tr("%1 new messages: resume").arg(number) : tr("%1 new messages: go to the newest").arg(number));
    m_pill->setToolTip(paused ? tr("Captured while the view is paused; resumes (Space)") : tr("Go to the newest message (End)"));
    m_pill->adjustSize();
    placePill();
    m_pill->show();
    m_pill->raise();
}

void TraceView::placePill() {
    const QRect room = viewport()->geometry();
    m_pill->move(room.center().x() - m_pill->width() / 2, room.bottom() - m_pill->height() - measure::PanelPadding);
}

int TraceView::firstVisibleRow() const {
    return verticalOffset() / Row;
}

int TraceView::visibleRows() const {
    return viewport()->height() / Row;
}

// --- geometry

int TraceView::horizontalOffset() const {
    return horizontalScrollBar()->value();
}

int TraceView::verticalOffset() const {
    return verticalScrollBar()->value();
}

QRect TraceView::visualRect(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    const int x = m_header->sectionViewportPosition(index.column());
    return {x, index.row() * Row - verticalOffset(), m_header->sectionSize(index.column()), Row};
}

QModelIndex TraceView::indexAt(const QPoint& point) const {
    const int row = (point.y() + verticalOffset()) / Row;
    const int column = m_header->logicalIndexAt(point.x());
    return point.y() + verticalOffset() < 0 ? QModelIndex() : m_model.index(row, std::max(column, 0));
}

void TraceView::scrollTo(const QModelIndex& index, ScrollHint hint) {
    if (!index.isValid())
        return;
    const int top = index.row() * Row;
    const int height = viewport()->height();
    QScrollBar& bar = *verticalScrollBar();
    const int value = bar.value();
    const bool above = top < value;
    const bool below = top + Row > value + height;
    if (hint == PositionAtCenter)
        bar.setValue(top - (height - Row) / 2 / Row * Row);
    else if (hint == PositionAtTop || (hint == EnsureVisible && above))
        bar.setValue(top);
    else if (hint == PositionAtBottom || (hint == EnsureVisible && below))
        bar.setValue(top + Row - std::max(Row, height / Row * Row));
}

void TraceView::updateScrollBars() {
    const QScopedValueRollback<bool> adjusting(m_adjusting, true);
    QScrollBar& bar = *verticalScrollBar();
    const int height = viewport()->height();
    // Beyond this many rows a scroll bar of ints could not address pixels.
    const qint64 content = std::min<qint64>(qint64(m_model.rowCount()) * Row, std::numeric_limits<int>::max() / 2);
    // Whole rows: the top row is never cut, what is left stays empty below the last.
    const int page = std::max(Row, height / Row * Row);
    bar.setRange(0, std::max(0, static_cast<int>(content) - page));
    bar.setPageStep(page);
    bar.setSingleStep(Row);
    if (m_following)
        bar.setValue(bar.maximum());
    QScrollBar& across = *horizontalScrollBar();
    across.setRange(0, std::max(0, m_header->length() - viewport()->width()));
    across.setPageStep(viewport()->width());
    across.setSingleStep(Row);
}

void TraceView::updateGeometries() {
    const int height = std::max(m_header->minimumHeight(), m_header->sizeHint().height());
    if (viewportMargins().top() != height)
        setViewportMargins(0, height, 0, 0);
    const QRect room = viewport()->geometry();
    m_header->setGeometry(room.left(), room.top() - height, room.width(), height);
    QAbstractItemView::updateGeometries();
    updateScrollBars();
    m_header->setOffset(horizontalOffset());
    placePill();
}

void TraceView::resizeEvent(QResizeEvent* event) {
    QAbstractItemView::resizeEvent(event);
    updateGeometries();
}

void TraceView::scrollContentsBy(int dx, int) {
    if (dx != 0)
        m_header->setOffset(horizontalOffset());
    viewport()->update();
}

// --- the model

void TraceView::reset() {
    const QScopedValueRollback<bool> quiet(m_removing, true);
    const int value = verticalOffset();
    QAbstractItemView::reset();
    updateScrollBars();
    if (!m_following) {
        const QScopedValueRollback<bool> adjusting(m_adjusting, true);
        verticalScrollBar()->setValue(value);
    }
    viewport()->update();
}

void TraceView::rowsInserted(const QModelIndex&, int start, int) {
    const int bottom = (verticalOffset() + viewport()->height()) / Row;
    updateScrollBars();
    if (m_following || start <= bottom)
        viewport()->update();
}

void TraceView::rowsAboutToBeRemoved(const QModelIndex&, int, int) {
    // The base class would make a neighbour current and so select an entity nobody picked.
    m_removing = true;
}

void TraceView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    Q_UNUSED(previous);
    viewport()->update();
    if (!m_removing && current.isValid())
        emit picked(current.row());
}

QModelIndex TraceView::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
    const int count = m_model.rowCount();
    if (count == 0)
        return {};
    const QModelIndex current = currentIndex();
    int row = current.isValid() ? current.row() : (m_following ? count : firstVisibleRow());
    const int page = std::max(1, visibleRows() - 1);
    switch (action) {
    case MoveUp:
    case MovePrevious:
        row -= 1;
        break;
    case MoveDown:
    case MoveNext:
        row += current.isValid() ? 1 : 0;
        break;
    case MovePageUp:
        row -= page;
        break;
    case MovePageDown:
        row += page;
        break;
    case MoveHome:
        row = 0;
        break;
    case MoveEnd:
        row = count - 1;
        break;
    case MoveLeft:
    case MoveRight:
        break;
    }
    return m_model.index(std::clamp(row, 0, count - 1), 0);
}

void TraceView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) {
    const int count = m_model.rowCount();
    const int first = std::max(0, (rect.top() + verticalOffset()) / Row);
    const int last = std::min(count - 1, (rect.bottom() + verticalOffset()) / Row);
    if (first > last) {
        selectionModel()->select(QItemSelection(), flags);
        return;
    }
    selectionModel()->select(QItemSelection(m_model.index(first, 0), m_model.index(last, TraceModel::ColumnCount - 1)), flags);
}

QRegion TraceView::visualRegionForSelection(const QItemSelection& selection) const {
    QRegion region;
    for (const QItemSelectionRange& range : selection)
        region += QRect(0, range.top() * Row - verticalOffset(), viewport()->width(), range.height() * Row)
                      .intersected(viewport()->rect());
    return region;
}

// --- input

void TraceView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        emit pauseRequested();
        return;
    }
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested();
        return;
    }
    if (event->key() == Qt::Key_End && event->modifiers() == Qt::ControlModifier) {
        setFollowing(true);
        return;
    }
    QAbstractItemView::keyPressEvent(event);
}

bool TraceView::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::HoverMove:
    case QEvent::HoverEnter:
    case QEvent::MouseMove: {
        const auto* at = static_cast<QSinglePointEvent*>(event);
        const int row = (static_cast<int>(at->position().y()) + verticalOffset()) / Row;
        if (row != m_hovered) {
            m_hovered = row;
            viewport()->update();
        }
        break;
    }
    case QEvent::Leave:
    case QEvent::HoverLeave:
        m_hovered = -1;
        viewport()->update();
        break;
    case QEvent::ToolTip: {
        // What does not fit its cell.
        const auto* help = static_cast<QHelpEvent*>(event);
        const QModelIndex index = indexAt(help->pos());
        if (index.isValid()) {
            const QString text = index.data().toString();
            if (QFontMetrics(font()).horizontalAdvance(text) > m_header->sectionSize(index.column()) - 2 * CellPadding) {
                QToolTip::showText(help->globalPos(), text, viewport(), visualRect(index));
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    default:
        break;
    }
    return QAbstractItemView::viewportEvent(event);
}

// --- painting

const QPixmap& TraceView::outcomeIcon(int outcome) {
    static const char* const Names[] = {"passed", "consumed", "unhandled"};
    static const Meaning Meanings[] = {Meaning::Passed, Meaning::Consumed, Meaning::Unhandled};
    const qreal ratio = devicePixelRatioF();
    const int key = outcome * 1000 + static_cast<int>(ratio * 100);
    auto found = m_icons.find(key);
    if (found == m_icons.end()) {
        const QIcon icon = m_theme.icon(QString::fromLatin1(Names[outcome]), m_theme.color(Meanings[outcome]));
        found = m_icons.insert(key, icon.pixmap(QSize(IconSide, IconSide), ratio));
    }
    return *found;
}

void TraceView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), m_theme.color(Token::Surface));
    const int count = m_model.rowCount();
    const int offset = verticalOffset();
    const int first = std::max(0, (event->rect().top() + offset) / Row);
    const int last = std::min(count - 1, (event->rect().bottom() + offset) / Row);
    for (int row = first; row <= last; ++row)
        paintRow(painter, row, QRect(0, row * Row - offset, viewport()->width(), Row));
}

void TraceView::paintRow(QPainter& painter, int row, const QRect& area) {
    const bool selected = selectionModel()->isRowSelected(row);
    if (selected)
        painter.fillRect(area, m_theme.color(hasFocus() ? Token::Selection : Token::SelectionInactive));
    else if (row == m_hovered)
        painter.fillRect(area, mix(m_theme.color(Token::Surface), m_theme.color(Token::Raised), 0.7));
    const RecordView record = m_model.record(row);
    const Envelope& e = record.envelope();
    // A hairline where a tick ends.
    if (row > 0 && m_model.record(row - 1).envelope().tick != e.tick)
        painter.fillRect(QRect(area.left(), area.top(), area.width(), 1),
                         mix(m_theme.color(Token::Surface), m_theme.color(Token::Line), 0.6));
    const bool causes = std::binary_search(m_chain.begin(), m_chain.end(), e.sequence);
    const bool caused = !causes && !m_chain.empty() && e.cause == m_chain.back();
    if (causes)
        painter.fillRect(QRect(area.left(), area.top(), 3, Row), m_theme.color(Token::Accent));
    else if (caused)
        painter.fillRect(QRect(area.left(), area.top() + Row / 2 - 2, 3, 4), m_theme.color(Token::Accent));
    for (int visual = 0; visual < m_header->count(); ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (m_header->isSectionHidden(column))
            continue;
        const QRect cell(m_header->sectionViewportPosition(column), area.top(), m_header->sectionSize(column), Row);
        if (cell.right() >= 0 && cell.left() < viewport()->width())
            paintCell(painter, row, column, cell.adjusted(CellPadding, 0, -CellPadding, 0));
    }
    if (hasFocus() && row == currentIndex().row() && !selected) {
        painter.setPen(m_theme.color(Token::Accent));
        painter.drawRect(area.adjusted(0, 0, -1, -1));
    }
}

void TraceView::drawText(QPainter& painter, const QRect& cell, const QString& text, const QColor& color, bool right) {
    if (cell.width() <= 0)
        return;
    painter.setPen(color);
    const QFontMetrics metrics(painter.font());
    const QString shown = metrics.horizontalAdvance(text) > cell.width() ? metrics.elidedText(text, Qt::ElideRight, cell.width()) : text;
    painter.drawText(cell, Qt::AlignVCenter | Qt::TextSingleLine | (right ? Qt::AlignRight : Qt::AlignLeft), shown);
}

void TraceView::paintCell(QPainter& painter, int row, int column, const QRect& cell) {
    const RecordView record = m_model.record(row);
    const TraceContext& context = m_model.context();
    const QColor text = m_theme.color(Token::Text);
    const QColor muted = m_theme.color(Token::Muted);
    switch (static_cast<TraceModel::Column>(column)) {
    case TraceModel::Number:
        drawText(painter, cell, QString::number(record.envelope().sequence), muted, true);
        break;
    case TraceModel::Tick: {
        // Said once a tick; the top row of the view always says it.
        const std::uint64_t tick = record.envelope().tick;
        if (row == 0 || row <= firstVisibleRow() || m_model.record(row - 1).envelope().tick != tick)
            drawText(painter, cell, QString::number(tick), text, true);
        break;
    }
    case TraceModel::World:
        drawText(painter, cell, toQString(context.world(record)), muted);
        break;
    case TraceModel::Type:
        drawText(painter, cell, QString::fromStdString(context.type(record).name), text);
        break;
    case TraceModel::Sender:
    case TraceModel::Receiver: {
        const std::string_view name = column == TraceModel::Sender ? context.sender(record) : context.receiver(record);
        drawText(painter, cell, name.empty() ? QStringLiteral("—") : toQString(name), name.empty() ? muted : text);
        break;
    }
    case TraceModel::Fields:
        paintFields(painter, row, cell);
        break;
    case TraceModel::Delivery:
        drawText(painter, cell, toQString(TraceContext::delivery(record)), muted);
        break;
    case TraceModel::Outcome: {
        const TraceOutcome outcome = TraceContext::outcome(record);
        const QPixmap& icon = outcomeIcon(static_cast<int>(outcome));
        painter.drawPixmap(QPoint(cell.left(), cell.top() + (Row - IconSide) / 2), icon);
        const Meaning meaning = outcome == TraceOutcome::Consumed    ? Meaning::Consumed
                                : outcome == TraceOutcome::Unhandled ? Meaning::Unhandled
                                                                     : Meaning::Passed;
        const QColor ground = selectionModel()->isRowSelected(row)
                                  ? m_theme.color(hasFocus() ? Token::Selection : Token::SelectionInactive)
                                  : m_theme.color(Token::Surface);
        drawText(painter, cell.adjusted(IconSide + 6, 0, 0, 0), context.outcomeText(record),
                 m_theme.readable(m_theme.color(meaning), ground));
        break;
    }
    case TraceModel::ColumnCount:
        break;
    }
}

// Names and units muted, values bright; what does not fit ends in an ellipsis.
void TraceView::paintFields(QPainter& painter, int row, QRect cell) {
    const QFontMetrics metrics(painter.font());
    const QColor text = m_theme.color(Token::Text);
    const QColor muted = m_theme.color(Token::Muted);
    struct Piece {
        QString words;
        QColor color;
    };
    std::vector<Piece> pieces;
    for (const FieldText& field : m_model.context().fields(m_model.record(row), 16)) {
        if (!pieces.empty())
            pieces.push_back({QStringLiteral(" · "), muted});
        pieces.push_back({field.name + QLatin1Char(' '), muted});
        pieces.push_back({field.value, text});
        if (!field.unit.isEmpty())
            pieces.push_back({QLatin1Char(' ') + field.unit, muted});
    }
    const QString ellipsis = QStringLiteral("…");
    const int reserve = metrics.horizontalAdvance(ellipsis);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const int width = metrics.horizontalAdvance(pieces[i].words);
        const bool last = i + 1 == pieces.size();
        if (width > cell.width() - (last ? 0 : reserve)) {
            // Either the rest fits exactly, or this piece is where the cut goes.
            int rest = 0;
            for (std::size_t k = i; k < pieces.size(); ++k)
                rest += metrics.horizontalAdvance(pieces[k].words);
            if (rest > cell.width()) {
                drawText(painter, cell, metrics.elidedText(pieces[i].words + ellipsis, Qt::ElideRight, cell.width()), pieces[i].color);
                return;
            }
        }
        drawText(painter, cell, pieces[i].words, pieces[i].color);
        cell.setLeft(cell.left() + width);
    }
}

} // namespace sbx::ui
