#include "widgets/common/rows_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>

#include "widgets/common/theme.h"

#include <algorithm>

namespace sbx::ui {

RowsView::RowsView(const Theme& theme, const QString& name, const QString& rows, const QString& pauseTip,
                   const QString& newestTip, QWidget* parent)
    : QAbstractItemView(parent),
      m_theme(theme),
      m_rows(rows),
      m_pauseTip(pauseTip),
      m_newestTip(newestTip),
      m_pill(new QPushButton(this)) {
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setAutoScroll(false);
    viewport()->setMouseTracking(true);
    m_pill->setObjectName(name + QStringLiteral(".new"));
    m_pill->setAccessibleName(tr("New %1").arg(rows));
    m_pill->setCursor(Qt::PointingHandCursor);
    m_pill->setFocusPolicy(Qt::NoFocus);
    setPrimary(*m_pill);
    m_pill->hide();
    connect(m_pill, &QPushButton::clicked, this, &RowsView::pillClicked);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_adjusting)
            setFollowing(value == verticalScrollBar()->maximum());
    });
}

void RowsView::showModel(QAbstractItemModel& model) {
    setModel(&model);
    setVerticalScrollMode(ScrollPerPixel); // asks the derived view where its rows are
    connect(&model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this] { m_heightBefore = rowTop(rows()); });
    connect(&model, &QAbstractItemModel::rowsAboutToBeInserted, this, [this](const QModelIndex&, int first) {
        if (first == 0)
            m_heightBefore = rowTop(rows());
    });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex&, int first, int last) {
        // Rows went at the top: what is on screen stays where it is.
        const int value = verticalOffset();
        forgetRows(first, last);
        const int height = m_heightBefore - rowTop(rows());
        updateScrollBars();
        if (!m_following && first == 0)
            scrollQuietly(value - height);
        viewport()->update();
    });
}

void RowsView::setFollowing(bool following) {
    if (m_following == following)
        return;
    m_following = following;
    if (following)
        updateScrollBars();
    emit followingChanged(following);
}

void RowsView::setPill(std::uint64_t count, bool paused) {
    if (count == 0) {
        m_pill->hide();
        return;
    }
    const QString number = QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
    m_pill->setText(tr("%1 new ↓").arg(number));
    m_pill->setAccessibleName(paused ? tr("%1 new %2: resume").arg(number, m_rows)
                                     : tr("%1 new %2: go to the newest").arg(number, m_rows));
    m_pill->setToolTip(paused ? m_pauseTip : m_newestTip);
    m_pill->adjustSize();
    placePill();
    m_pill->show();
    m_pill->raise();
}

// At the end of the scroll bar, where it covers least of the rows: their beginnings say which they are.
void RowsView::placePill() {
    const QRect room = viewport()->geometry();
    m_pill->move(room.right() - m_pill->width() - measure::RelatedGap,
                 room.bottom() - m_pill->height() - measure::RelatedGap);
}

// --- geometry

int RowsView::horizontalOffset() const { return horizontalScrollBar()->value(); }

int RowsView::verticalOffset() const { return verticalScrollBar()->value(); }

int RowsView::pageHeight() const { return viewport()->height(); }

void RowsView::scrollQuietly(int value) {
    const QScopedValueRollback<bool> adjusting(m_adjusting, true);
    verticalScrollBar()->setValue(value);
}

void RowsView::updateScrollBars() {
    const QScopedValueRollback<bool> adjusting(m_adjusting, true);
    QScrollBar& bar = *verticalScrollBar();
    const int page = pageHeight();
    bar.setRange(0, std::max(0, rowTop(rows()) - page));
    bar.setPageStep(page);
    bar.setSingleStep(lineStep());
    if (m_following)
        bar.setValue(bar.maximum());
}

void RowsView::scrollTo(const QModelIndex& index, ScrollHint hint) {
    if (!index.isValid() || index.row() >= rows())
        return;
    const int top = rowTop(index.row());
    const int bottom = rowTop(index.row() + 1);
    const int page = pageHeight();
    QScrollBar& bar = *verticalScrollBar();
    const int value = bar.value();
    if (hint == PositionAtCenter)
        bar.setValue(snapped(top - (page - (bottom - top)) / 2));
    else if (hint == PositionAtTop || (hint == EnsureVisible && top < value))
        bar.setValue(top);
    else if (hint == PositionAtBottom || (hint == EnsureVisible && bottom > value + page))
        bar.setValue(bottom - page);
}

void RowsView::scrollContentsBy(int, int) { viewport()->update(); }

void RowsView::resizeEvent(QResizeEvent* event) {
    QAbstractItemView::resizeEvent(event);
    updateGeometries();
}

// --- selection

QModelIndex RowsView::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
    const int count = rows();
    if (count == 0 || m_gainsFocus)
        return {};
    const QModelIndex current = currentIndex();
    // With nothing chosen yet, from what is looked at.
    int row = current.isValid() ? current.row() : (m_following ? count : rowAt(verticalOffset()));
    const int page = std::max(1, viewport()->height() / lineStep() - 1);
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
    return model()->index(std::clamp(row, 0, count - 1), 0);
}

void RowsView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) {
    // From the row where the range begins to the one where it ends, which may lie above.
    const int top = std::min(rect.top(), rect.bottom());
    const int bottom = std::max(rect.top(), rect.bottom());
    const int first = rowAt(std::max(0, top + verticalOffset()));
    const int last = std::min(rows() - 1, rowAt(std::max(0, bottom + verticalOffset())));
    QItemSelection selection;
    if (first <= last)
        selection = QItemSelection(model()->index(first, 0), model()->index(last, model()->columnCount() - 1));
    selectionModel()->select(selection, flags);
}

QRegion RowsView::visualRegionForSelection(const QItemSelection& selection) const {
    QRegion region;
    for (const QItemSelectionRange& range : selection) {
        const int top = rowTop(range.top());
        region += QRect(0, top - verticalOffset(), viewport()->width(), rowTop(range.bottom() + 1) - top)
                      .intersected(viewport()->rect());
    }
    return region;
}

// --- input

void RowsView::keyPressEvent(QKeyEvent* event) {
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
    const QPersistentModelIndex before = currentIndex();
    QAbstractItemView::keyPressEvent(event);
    // A row that a key has chosen is brought into sight; one that is clicked stays under the pointer. Choosing the last one does not
    // begin to follow again.
    if (currentIndex().isValid() && currentIndex() != before) {
        const QScopedValueRollback<bool> adjusting(m_adjusting, m_adjusting || !m_following);
        scrollTo(currentIndex());
    }
}

// The base class would make a row current when the list gets the focus. A row is chosen by a key or a click alone: choosing one
// ends following.
void RowsView::focusInEvent(QFocusEvent* event) {
    const QScopedValueRollback<bool> gains(m_gainsFocus, true);
    QAbstractItemView::focusInEvent(event);
}

void RowsView::setHovered(int row) {
    if (m_hovered == row)
        return;
    m_hovered = row;
    hoverChanged();
}

void RowsView::hoverAt(int viewportY) {
    const int row = viewportY < 0 ? -1 : rowAt(viewportY + verticalOffset());
    setHovered(row < rows() ? row : -1);
}

bool RowsView::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::HoverMove:
    case QEvent::HoverEnter:
    case QEvent::MouseMove:
        hoverAt(static_cast<int>(static_cast<QSinglePointEvent*>(event)->position().y()));
        break;
    case QEvent::Leave:
    case QEvent::HoverLeave:
        setHovered(-1);
        break;
    case QEvent::ToolTip:
        showToolTip(*static_cast<QHelpEvent*>(event));
        return true;
    default:
        break;
    }
    return QAbstractItemView::viewportEvent(event);
}

} // namespace sbx::ui

#include "moc_rows_view.cpp"
