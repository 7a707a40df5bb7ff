#include "widgets/trace/trace_lanes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/common/empty_state.h"
#include "widgets/common/foreign_text.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_timeline.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

TraceLanes::TraceLanes(const Theme& theme, const TraceModel& model, TraceTimeline& timeline,
                       const Selection& selection, QWidget* parent)
    : QAbstractScrollArea(parent),
      m_theme(theme),
      m_model(model),
      m_timeline(timeline),
      m_selection(selection),
      m_counts(new TraceLaneCounts(model, this)),
      m_empty(new EmptyState(theme, QStringLiteral("entity"),
                             tr("No message that the list shows went to an entity."), viewport())) {
    static_assert(LaneCell::Kinds == TraceTimeline::Kinds);
    setObjectName(QStringLiteral("trace.lanes"));
    setAccessibleName(tr("Lanes of entities"));
    setAccessibleDescription(tr("Up and down go from entity to entity, left and right from message to "
                                "message, Enter selects the entity"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(LaneHeight);
    m_empty->hide();
    const auto repaint = [this] { viewport()->update(); };
    connect(&theme, &Theme::changed, this, repaint);
    connect(&selection, &Selection::entitiesChanged, this, repaint);
    connect(&timeline, &TraceTimeline::overlayChanged, this, repaint);
    connect(&timeline, &TraceTimeline::spanChanged, this, &TraceLanes::lookAgain);
    connect(&model, &QAbstractItemModel::modelReset, this, &TraceLanes::lookAgain);
}

QSize TraceLanes::sizeHint() const { return {400, 6 * LaneHeight}; }

QSize TraceLanes::minimumSizeHint() const { return {100, 2 * LaneHeight}; }

int TraceLanes::nameWidth(int panelWidth) { return std::clamp(panelWidth / 6, 60, 160); }

int TraceLanes::names() const { return nameWidth(width()); }

int TraceLanes::contentHeight() const { return static_cast<int>(m_counts->lanes()) * LaneHeight; }

QString TraceLanes::summary() const {
    const auto lanes = static_cast<qulonglong>(m_counts->lanes());
    const auto entities = static_cast<qulonglong>(m_counts->entities());
    if (entities > lanes)
        return tr("%L1 of %L2 entities").arg(lanes).arg(entities);
    return lanes == 1 ? tr("1 entity") : tr("%L1 entities").arg(lanes);
}

QString TraceLanes::summaryTip() const {
    if (m_counts->entities() <= m_counts->lanes())
        return tr("A lane for each entity that got messages which the list shows, in the order in which they "
                  "were first met.");
    return tr("Lanes of the first %L1 entities that got messages which the list shows. Narrow the filter to "
              "see the others.")
        .arg(static_cast<qulonglong>(m_counts->lanes()));
}

// ---------------------------------------------------------------------------------------------------- what is in sight

void TraceLanes::lookAgain() {
    m_stale = true;
    viewport()->update();
}

void TraceLanes::prune() {
    if (m_counts->prune())
        lookAgain();
}

void TraceLanes::refresh() {
    prune();
    fitScrollBar();
    m_empty->setVisible(m_counts->lanes() == 0 && m_counts->isDone());
    lookAgain();
    if (m_counts->lanes() != m_lanesTold || m_counts->entities() != m_entitiesTold) {
        m_lanesTold = m_counts->lanes();
        m_entitiesTold = m_counts->entities();
        emit headChanged();
    }
}

void TraceLanes::fitScrollBar() {
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, contentHeight() - viewport()->height()));
    m_empty->setGeometry(viewport()->rect());
}

std::pair<std::size_t, std::size_t> TraceLanes::visible() const {
    const int top = verticalScrollBar()->value();
    const auto first = static_cast<std::size_t>(std::max(0, top / LaneHeight));
    const auto end =
        static_cast<std::size_t>(std::max(0, (top + viewport()->height() + LaneHeight - 1) / LaneHeight));
    return {std::min(first, m_counts->lanes()), std::min(end, m_counts->lanes())};
}

// Counts the cells of the lanes in sight, if anything is new since it did.
void TraceLanes::look() {
    prune();
    if (!m_stale)
        return;
    m_stale = false;
    m_rows.clear();
    m_bounds.clear();
    const auto [first, end] = visible();
    m_firstRow = first;
    if (!m_timeline.span())
        return;
    const TraceStore& store = m_model.store();
    const int columns = m_timeline.columns();
    for (int i = 0; i <= columns; ++i) {
        // Fewer ticks than columns: a message stands in the first column of its tick.
        const std::uint64_t tick = m_timeline.tickAt(i);
        m_bounds.push_back(store.rowAtTick(i > 0 && m_timeline.tickAt(i - 1) == tick ? tick + 1 : tick));
    }
    m_rows.resize(end - first);
    for (std::size_t lane = first; lane < end; ++lane) {
        Row& row = m_rows[lane - first];
        m_counts->cells(lane, m_bounds, m_timeline.kinds(), row.cells);
        const EntityInWorld& key = m_counts->entity(lane);
        const auto made = m_model.births().tickOf(key);
        row.bornKnown = made.has_value();
        row.born = made ? *made : m_counts->firstTick(lane);
        const std::optional<EntityLife> life = m_model.context().source().life(key.world, key.entity);
        row.goneKnown = life && life->goneBy;
        if (!life || life->goneBy)
            row.end = row.goneKnown ? std::max(*life->goneBy, row.born) : m_counts->lastTick(lane);
    }
}

std::optional<std::size_t> TraceLanes::laneAt(int y) const {
    const int at = y + verticalScrollBar()->value();
    const auto lane = static_cast<std::size_t>(std::max(0, at) / LaneHeight);
    return at >= 0 && lane < m_counts->lanes() ? std::optional(lane) : std::nullopt;
}

QRect TraceLanes::laneRect(std::size_t lane) const {
    return {0, static_cast<int>(lane) * LaneHeight - verticalScrollBar()->value(), viewport()->width(),
            LaneHeight};
}

int TraceLanes::xOf(std::uint64_t tick) const {
    return names() + static_cast<int>(std::floor(m_timeline.xOf(tick)));
}

QString TraceLanes::nameOf(std::size_t lane) const {
    const EntityInWorld& key = m_counts->entity(lane);
    const std::string_view known = m_model.context().name(m_counts->name(lane));
    QString name = known.empty() ? QStringLiteral("#%1").arg(key.entity.index()) : shownLine(known);
    if (m_model.context().worldsSeen() > 1)
        name += QStringLiteral(" · ") + shownLine(m_model.context().source().worldName(key.world));
    return name;
}

std::pair<std::uint64_t, std::uint64_t> TraceLanes::rowsOf(int column) const {
    const auto at = static_cast<std::size_t>(column);
    return {std::max(m_bounds[at], m_model.store().first()), m_bounds[at + 1]};
}

int TraceLanes::columnAt(std::size_t lane, int x) const {
    if (m_stale || lane < m_firstRow || lane - m_firstRow >= m_rows.size() || x < names())
        return -1;
    const auto& cells = m_rows[lane - m_firstRow].cells;
    const int at = m_timeline.columnOf(x - names());
    for (int away = 0; away <= Reach; ++away)
        for (const int column : {at - away, at + away})
            if (column >= 0 && static_cast<std::size_t>(column) < cells.size()
                && cells[static_cast<std::size_t>(column)].all > 0
                && m_counts->atOrAfter(lane, rowsOf(column).first).value_or(rowsOf(column).second)
                       < rowsOf(column).second)
                return column;
    return -1;
}

std::uint64_t TraceLanes::pickOf(std::size_t lane, int column) const {
    const auto [first, end] = rowsOf(column);
    if (const auto fault = m_counts->atOrAfter(lane, first, true); fault && *fault < end)
        return *fault;
    return *m_counts->atOrAfter(lane, first);
}

// ---------------------------------------------------------------------------------------------------- hands

std::optional<std::size_t> TraceLanes::currentLane() const {
    if (m_counts->lanes() == 0)
        return std::nullopt;
    const auto lane = m_lane ? m_counts->laneOf(*m_lane) : std::nullopt;
    return lane.value_or(0);
}

void TraceLanes::setCurrent(std::uint64_t sequence) {
    if (m_sequence == sequence)
        return;
    m_sequence = sequence;
    viewport()->update();
    const auto row = m_model.store().rowOf(sequence);
    if (!isVisible() || !row || !m_model.store().isReady(*row))
        return;
    const RecordView record = m_model.store().at(*row);
    prune();
    if (const auto lane = m_counts->laneOf({record.receiver(), record.world()}))
        setLane(*lane);
}

void TraceLanes::setLane(std::size_t lane) {
    m_lane = m_counts->entity(lane);
    const QRect rect = laneRect(lane);
    if (rect.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top());
    else if (rect.bottom() >= viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value()
                                      + std::min(rect.top(), rect.bottom() + 1 - viewport()->height()));
    viewport()->update();
}

void TraceLanes::pick(std::uint64_t storeRow) { emit messagePicked(m_model.store().sequenceOf(storeRow)); }

void TraceLanes::pickEntity(std::size_t lane) {
    if (const std::string_view name = m_model.context().name(m_counts->name(lane)); !name.empty())
        emit entityPicked(toQString(name));
}

// To the message of the current lane before or after the selected one.
void TraceLanes::step(int by) {
    prune();
    const auto lane = currentLane();
    if (!lane)
        return;
    const TraceStore& store = m_model.store();
    const std::uint64_t here = m_sequence == 0 ? store.end() : store.rowAtOrAfter(m_sequence);
    const bool stands = here < store.end() && store.sequenceOf(here) == m_sequence;
    const auto next =
        by < 0 ? m_counts->before(*lane, here) : m_counts->atOrAfter(*lane, here + (stands ? 1U : 0U));
    if (next && *next >= store.first())
        pick(*next);
}

void TraceLanes::keyPressEvent(QKeyEvent* event) {
    prune();
    const auto lane = currentLane();
    if (!lane) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_counts->lanes() - 1;
    const auto page = static_cast<std::size_t>(std::max(1, viewport()->height() / LaneHeight - 1));
    switch (event->key()) {
    case Qt::Key_Up:
        setLane(*lane - std::min<std::size_t>(*lane, 1));
        break;
    case Qt::Key_Down:
        setLane(std::min(last, *lane + 1));
        break;
    case Qt::Key_PageUp:
        setLane(*lane - std::min(*lane, page));
        break;
    case Qt::Key_PageDown:
        setLane(std::min(last, *lane + page));
        break;
    case Qt::Key_Left:
        step(-1);
        break;
    case Qt::Key_Right:
        step(1);
        break;
    case Qt::Key_Home:
        if (const auto first = m_counts->atOrAfter(*lane, 0))
            pick(*first);
        break;
    case Qt::Key_End:
        if (const auto newest = m_counts->before(*lane, m_model.store().end()))
            pick(*newest);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        pickEntity(*lane);
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TraceLanes::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = static_cast<int>(event->position().x());
    m_dragging = false;
}

void TraceLanes::mouseMoveEvent(QMouseEvent* event) {
    const int x = static_cast<int>(event->position().x());
    const auto lane = laneAt(static_cast<int>(event->position().y()));
    m_hovered = lane ? static_cast<int>(*lane) : -1;
    if (m_pressed && *m_pressed >= names() && !m_dragging && std::abs(x - *m_pressed) >= DragPixels) {
        m_dragging = true;
        m_timeline.press(*m_pressed - names());
    }
    if (m_dragging)
        m_timeline.drag(x - names());
    const bool onTime = x >= names();
    m_timeline.setPointer(onTime ? std::optional(x - names()) : std::nullopt);
    viewport()->setCursor(!onTime                           ? Qt::ArrowCursor
                          : lane && columnAt(*lane, x) >= 0 ? Qt::PointingHandCursor
                                                            : Qt::CrossCursor);
    viewport()->update();
}

void TraceLanes::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    m_pressed.reset();
    if (std::exchange(m_dragging, false)) {
        m_timeline.release();
        return;
    }
    prune();
    const int x = static_cast<int>(event->position().x());
    const auto lane = laneAt(static_cast<int>(event->position().y()));
    if (!lane)
        return;
    look();
    setLane(*lane);
    if (x < names())
        pickEntity(*lane);
    else if (const int column = columnAt(*lane, x); column >= 0)
        pick(pickOf(*lane, column));
}

void TraceLanes::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) == 0) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
    if (event->angleDelta().y() != 0)
        m_timeline.zoomAt(event->position().x() - names(), event->angleDelta().y() / 8.0);
}

void TraceLanes::resizeEvent(QResizeEvent*) {
    fitScrollBar();
    lookAgain();
    emit headChanged();
}

void TraceLanes::scrollContentsBy(int, int) { lookAgain(); }

void TraceLanes::focusInEvent(QFocusEvent*) { viewport()->update(); }
void TraceLanes::focusOutEvent(QFocusEvent*) { viewport()->update(); }

void TraceLanes::showEvent(QShowEvent*) { m_counts->setActive(true); }

// Hidden lanes cost nothing.
void TraceLanes::hideEvent(QHideEvent*) { m_counts->setActive(false); }

bool TraceLanes::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_hovered = -1;
        m_timeline.setPointer({});
        viewport()->update();
    } else if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = explained(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace sbx::ui

#include "moc_trace_lanes.cpp"
