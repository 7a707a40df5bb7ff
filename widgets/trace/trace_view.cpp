#include "widgets/trace/trace_view.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/common/foreign_text.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

TraceView::TraceView(const Theme& theme, TraceModel& model, QWidget* parent)
    : RowsView(theme, QStringLiteral("trace"), tr("messages"), tr("Captured while the view is paused; resumes (Space)"),
               tr("Go to the newest message (End)"), parent),
      m_model(model),
      m_header(new QHeaderView(Qt::Horizontal, this)),
      m_lines(model) {
    setObjectName(QStringLiteral("trace.list"));
    setAccessibleName(tr("Messages"));
    setHorizontalScrollMode(ScrollPerPixel);
    showModel(model);

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

    connect(&model, &TraceModel::newRun, this, &TraceView::closeAll); // sequences begin again
    connect(&model, &TraceModel::loaded, viewport(), qOverload<>(&QWidget::update));
    connect(&model, &QAbstractItemModel::columnsInserted, viewport(), qOverload<>(&QWidget::update));
    connect(&model, &QAbstractItemModel::columnsRemoved, viewport(), qOverload<>(&QWidget::update));
    connect(&theme, &Theme::changed, this, &TraceView::refreshTheme);
    refreshTheme();
}

void TraceView::refreshTheme() {
    m_icons.clear();
    setFont(theme().font(FontRole::Mono));
    m_header->setFont(theme().font(FontRole::Ui));
    viewport()->update();
}

void TraceView::setChain(std::vector<std::uint64_t> chain) {
    std::sort(chain.begin(), chain.end());
    m_chain = std::move(chain);
    viewport()->update();
}

void TraceView::setSoughtText(const QString& text) {
    if (m_soughtText == text)
        return;
    m_soughtText = text;
    viewport()->update();
}

void TraceView::showRow(int row) {
    const QModelIndex index = m_model.index(row, 0);
    if (!index.isValid())
        return;
    setFollowing(false);
    if (const TraceLine shown = m_lines.shown(row); shown.part == TraceLine::Group && shown.row != row)
        setOpen(shown, true);
    {
        const QScopedValueRollback<bool> quiet(m_removing, true);
        setCurrentIndex(index);
    }
    const QRect rect = visualRect(index);
    if (rect.top() < 0 || rect.bottom() >= viewport()->height()) // its own line to the middle, however much is open under it
        verticalScrollBar()->setValue(snapped(rect.top() + verticalOffset() - (pageHeight() - RowHeight) / 2));
    viewport()->update();
}

// --- geometry

QRect TraceView::visualRect(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    const int x = m_header->sectionViewportPosition(index.column());
    return {x, m_lines.lineOf(index.row()) * RowHeight - verticalOffset(), m_header->sectionSize(index.column()), RowHeight};
}

QModelIndex TraceView::indexAt(const QPoint& point) const {
    const TraceLine line = lineAt(point);
    const int column = m_header->logicalIndexAt(point.x());
    return line.row < 0 ? QModelIndex() : m_model.index(line.row, std::max(column, 0));
}

// Beyond this many rows a scroll bar of ints could not address pixels.
int TraceView::rowTop(int row) const {
    return static_cast<int>(std::min<qint64>(qint64(m_lines.topOf(row)) * RowHeight, std::numeric_limits<int>::max() / 2));
}

int TraceView::rowAt(int y) const {
    const int line = y / RowHeight;
    return line >= m_lines.count() ? m_model.rowCount() : m_lines.at(std::max(line, 0)).row;
}

int TraceView::lineStep() const { return RowHeight; }

// Whole rows: the top row is never cut, what is left stays empty below the last.
int TraceView::pageHeight() const { return std::max(RowHeight, viewport()->height() / RowHeight * RowHeight); }

int TraceView::snapped(int offset) const { return offset / RowHeight * RowHeight; }

void TraceView::updateScrollBars() {
    RowsView::updateScrollBars();
    QScrollBar& across = *horizontalScrollBar();
    across.setRange(0, std::max(0, m_header->length() - viewport()->width()));
    across.setPageStep(viewport()->width());
    across.setSingleStep(RowHeight);
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
    m_lines.refresh();
    updateScrollBars();
    if (!isFollowing())
        scrollQuietly(value);
    viewport()->update();
}

void TraceView::rowsInserted(const QModelIndex&, int start, int end) {
    const int value = verticalOffset();
    m_lines.refresh();
    updateScrollBars();
    // Older rows came in at the top: what is on screen stays where it is.
    if (start == 0 && end + 1 < m_model.rowCount() && !isFollowing())
        scrollQuietly(value + rowTop(m_model.rowCount()) - heightBefore());
    if (isFollowing() || rowTop(start) <= verticalOffset() + viewport()->height())
        viewport()->update();
}

void TraceView::rowsAboutToBeRemoved(const QModelIndex&, int, int) {
    // The base class would make a neighbour current and so select an entity that the user did not pick.
    m_removing = true;
}

void TraceView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    Q_UNUSED(previous);
    if (current.isValid())
        m_part = m_nextPart.value_or(m_lines.shown(current.row()).part);
    viewport()->update();
    if (!m_removing && current.isValid())
        emit picked(current.row());
}

void TraceView::showToolTip(const QHelpEvent& help) {
    // What does not fit its cell.
    const QModelIndex index = indexAt(help.pos());
    const QString text = index.isValid() && lineAt(help.pos()).part < 0 && m_model.isReady(index.row())
                             ? index.data().toString()
                             : QString();
    const QString comment =
        index.isValid() ? m_model.marks().comment(m_model.sequence(index.row())) : QString();
    if (!comment.isEmpty())
        QToolTip::showText(help.globalPos(), tipText(comment), viewport(), QRect(0, visualRect(index).top(), viewport()->width(), RowHeight));
    else if (index.isValid() && index.column() == TraceModel::Sender && m_model.isReady(index.row())
             && m_model.record(index.row()).injected())
        QToolTip::showText(help.globalPos(),
                           tr("Sent by a person: by hand or from the console. injected == true in the filter "
                              "finds such messages."),
                           viewport(), visualRect(index));
    else if (index.isValid() && index.column() == TraceModel::Delta && !m_model.wallDelta(index.row()) && index.row() > 0)
        QToolTip::showText(help.globalPos(), tr("Not recorded. trace.stamps 1 in the console records when each message is dispatched."), viewport(),
                           visualRect(index));
    else if (index.isValid()
        && QFontMetrics(font()).horizontalAdvance(text) > m_header->sectionSize(index.column()) - 2 * CellPadding)
        QToolTip::showText(help.globalPos(), tipText(text), viewport(), visualRect(index));
    else
        QToolTip::hideText();
}

} // namespace sbx::ui

#include "moc_trace_view.cpp"
