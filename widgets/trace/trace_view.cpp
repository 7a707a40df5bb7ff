#include "widgets/trace/trace_view.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>

namespace sbx::ui {

namespace {
constexpr int Row = measure::TraceRowHeight;
constexpr int CellPadding = 8;
} // namespace

TraceView::TraceView(const Theme& theme, TraceModel& model, QWidget* parent)
    : QAbstractItemView(parent),
      m_theme(theme),
      m_model(model),
      m_header(new QHeaderView(Qt::Horizontal, this)),
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
    connect(m_header, &QHeaderView::sectionResized, this,
            [this] { updateGeometries(), viewport()->update(); });
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
        selectionModel()->setCurrentIndex(index,
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
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
    m_pill->setAccessibleName(paused ? tr("%1 new messages: resume").arg(number)
                                     : tr("%1 new messages: go to the newest").arg(number));
    m_pill->setToolTip(paused ? tr("Captured while the view is paused; resumes (Space)")
                              : tr("Go to the newest message (End)"));
    m_pill->adjustSize();
    placePill();
    m_pill->show();
    m_pill->raise();
}

void TraceView::placePill() {
    const QRect room = viewport()->geometry();
    m_pill->move(room.center().x() - m_pill->width() / 2,
                 room.bottom() - m_pill->height() - measure::PanelPadding);
}

int TraceView::firstVisibleRow() const { return verticalOffset() / Row; }

int TraceView::visibleRows() const { return viewport()->height() / Row; }

// --- geometry

int TraceView::horizontalOffset() const { return horizontalScrollBar()->value(); }

int TraceView::verticalOffset() const { return verticalScrollBar()->value(); }

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
    const qint64 content =
        std::min<qint64>(qint64(m_model.rowCount()) * Row, std::numeric_limits<int>::max() / 2);
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
    selectionModel()->select(
        QItemSelection(m_model.index(first, 0), m_model.index(last, TraceModel::ColumnCount - 1)), flags);
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
            if (QFontMetrics(font()).horizontalAdvance(text)
                > m_header->sectionSize(index.column()) - 2 * CellPadding) {
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

} // namespace sbx::ui
