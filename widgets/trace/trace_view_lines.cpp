// Rows that are opened: where lines are, and the keys and clicks that open and walk them.

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>

namespace sbx::ui {

// --- where lines are

int TraceView::firstVisibleRow() const { return rowAt(verticalOffset()); }

int TraceView::visibleRows() const { return rowAt(verticalOffset() + viewport()->height() / RowHeight * RowHeight) - firstVisibleRow(); }

std::vector<int> TraceView::rowsInSight() const {
    std::vector<int> rows;
    const int first = verticalOffset() / RowHeight;
    const int last = std::min(first + viewport()->height() / RowHeight, m_lines.count() - 1);
    for (int line = first; line <= last; ++line)
        if (const int row = m_lines.at(line).row; rows.empty() || rows.back() != row)
            rows.push_back(row);
    return rows;
}

TraceLine TraceView::lineAt(const QPoint& point) const {
    const int y = point.y() + verticalOffset();
    return y < 0 || y / RowHeight >= m_lines.count() ? TraceLine() : m_lines.at(y / RowHeight);
}

QRect TraceView::lineRect(const TraceLine& line) const {
    return {0, m_lines.lineOf(line) * RowHeight - verticalOffset(), viewport()->width(), RowHeight};
}

int TraceView::firstColumnLeft() const {
    for (int visual = 0; visual < m_header->count(); ++visual)
        if (const int column = m_header->logicalIndex(visual); !m_header->isSectionHidden(column))
            return m_header->sectionViewportPosition(column);
    return 0;
}

int TraceView::indentOf(int row, int column) const {
    return m_header->sectionViewportPosition(column) == firstColumnLeft() ? ArrowWidth * (1 + m_lines.depthOf(row)) : 0;
}

QRect TraceView::arrowRect(const TraceLine& line) const {
    if (!m_lines.canOpen(line))
        return {};
    const int depth = line.part == TraceLine::Group ? 0 : m_lines.depthOf(line.row);
    const QRect area = lineRect(line);
    return {firstColumnLeft() + CellPadding / 2 + depth * ArrowWidth, area.top(), ArrowWidth, RowHeight};
}

// --- opening

TraceLine TraceView::currentLine() const {
    const QModelIndex current = currentIndex();
    return current.isValid() ? TraceLine{current.row(), m_part} : TraceLine();
}

void TraceView::setOpen(const TraceLine& line, bool open) {
    if (!m_lines.canOpen(line) || m_lines.isOpen(line) == open)
        return;
    setFollowing(false);
    const int before = m_lines.count();
    m_lines.setOpen(line, open);
    if (const QModelIndex current = currentIndex(); current.isValid()) {
        // What was chosen may have no line any more.
        const TraceLine shown = m_lines.shown(current.row());
        if (shown.part == TraceLine::Group || (m_part >= 0 && !m_lines.isOpen({current.row(), TraceLine::Record})))
            m_part = shown.part;
    }
    updateScrollBars();
    if (open) {
        // What was opened is shown as far as its own line stays in sight.
        const int top = m_lines.lineOf(line) * RowHeight;
        const int bottom = top + (1 + m_lines.count() - before) * RowHeight;
        if (bottom > verticalOffset() + pageHeight())
            scrollQuietly(std::min(top, bottom - pageHeight()));
    }
    viewport()->update();
    emit linesChanged();
}

void TraceView::closeAll() {
    const TraceLine top = lineAt(QPoint(0, 0));
    m_lines.closeAll();
    if (const QModelIndex current = currentIndex(); current.isValid())
        m_part = m_lines.shown(current.row()).part;
    updateScrollBars();
    if (!isFollowing() && top.row >= 0)
        scrollQuietly(rowTop(top.row));
    viewport()->update();
    emit linesChanged();
}

void TraceView::toggleCurrent() {
    TraceLine line = currentLine();
    if (line.part >= 0)
        line = m_lines.parentOf(line);
    setOpen(line, !m_lines.isOpen(line));
}

void TraceView::forgetRows(int first, int last) {
    m_removing = false;
    m_lines.forgetFirst(last - first + 1);
    if (const QModelIndex current = currentIndex(); current.isValid() && m_part < 0)
        m_part = m_lines.shown(current.row()).part;
}

// --- keys and clicks

// Also has the base class note where a range begins. Without an event it would ask which keys are held, which may be those that led here.
QItemSelectionModel::SelectionFlags TraceView::selectionCommand(const QModelIndex& index,
                                                                const QEvent* event) const {
    return event == nullptr ? QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows
                            : RowsView::selectionCommand(index, event);
}

void TraceView::goToLine(int line) {
    const int count = m_lines.count();
    if (count == 0)
        return;
    const TraceLine to = m_lines.at(std::clamp(line, 0, count - 1));
    const bool another = to.row != currentIndex().row();
    m_nextPart = to.part;
    setCurrentIndex(m_model.index(to.row, 0));
    m_nextPart.reset();
    m_part = to.part;
    if (!another)
        setFollowing(false);
    const int top = m_lines.lineOf(to) * RowHeight;
    if (top < verticalOffset())
        scrollQuietly(top);
    else if (top + RowHeight > verticalOffset() + pageHeight())
        scrollQuietly(top + RowHeight - pageHeight());
    viewport()->update();
}

// With a modifier the base class extends the selection, by whole rows: to the next one, whatever lines are between.
QModelIndex TraceView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) {
    const QModelIndex current = currentIndex();
    const int count = m_lines.count();
    const bool plain = !m_lines.anyOpen() && !m_model.isCollapsing(); // a line a row
    if (plain || !current.isValid() || count == 0 || action == MoveLeft || action == MoveRight)
        return RowsView::moveCursor(action, modifiers);
    const int page = std::max(1, viewport()->height() / RowHeight - 1);
    const bool up = action == MovePageUp || action == MoveUp || action == MovePrevious || action == MoveHome;
    const int by = action == MoveHome || action == MoveEnd ? count : action == MovePageUp || action == MovePageDown ? page : 1;
    const int step = up ? -1 : 1;
    int line = std::clamp(m_lines.lineOf(currentLine()) + by * step, 0, count - 1);
    while (m_lines.at(line).row == current.row() && line + step >= 0 && line + step < count)
        line += step;
    return m_model.index(m_lines.at(line).row, 0);
}

void TraceView::keyPressEvent(QKeyEvent* event) {
    const TraceLine line = currentLine();
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        event->ignore(); // the base class would take it for Enter alone
        return;
    }
    if (line.row < 0 || !plain) {
        RowsView::keyPressEvent(event);
        return;
    }
    const int at = m_lines.lineOf(line);
    const int page = std::max(1, viewport()->height() / RowHeight - 1);
    switch (event->key()) {
    case Qt::Key_Right:
        if (m_lines.canOpen(line) && !m_lines.isOpen(line))
            setOpen(line, true);
        else if (m_lines.isOpen(line))
            goToLine(at + 1);
        return;
    case Qt::Key_Left:
        if (m_lines.isOpen(line))
            setOpen(line, false);
        else if (const TraceLine parent = m_lines.parentOf(line); !(parent == line))
            goToLine(m_lines.lineOf(parent));
        return;
    case Qt::Key_Up:
        goToLine(at - 1);
        return;
    case Qt::Key_Down:
        goToLine(at + 1);
        return;
    case Qt::Key_PageUp:
        goToLine(at - page);
        return;
    case Qt::Key_PageDown:
        goToLine(at + page);
        return;
    case Qt::Key_Home:
        goToLine(0);
        return;
    case Qt::Key_End:
        goToLine(m_lines.count() - 1);
        return;
    default:
        RowsView::keyPressEvent(event);
    }
}

void TraceView::mousePressEvent(QMouseEvent* event) {
    const TraceLine line = lineAt(event->pos());
    if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier && line.row >= 0 && arrowRect(line).contains(event->pos())) {
        setOpen(line, !m_lines.isOpen(line));
        return;
    }
    m_nextPart = line.row < 0 ? std::nullopt : std::optional(line.part);
    RowsView::mousePressEvent(event);
    m_nextPart.reset();
    if (line.row >= 0 && currentIndex().row() == line.row)
        m_part = line.part;
    viewport()->update();
}

// The arrow has opened the row at the first click: the second is no wish to go to its receiver, nor to close it again.
void TraceView::mouseDoubleClickEvent(QMouseEvent* event) {
    const TraceLine line = lineAt(event->pos());
    if (line.row < 0 || !arrowRect(line).contains(event->pos()))
        RowsView::mouseDoubleClickEvent(event);
}

} // namespace sbx::ui
