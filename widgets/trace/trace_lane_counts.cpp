#include "widgets/trace/trace_lane_counts.h"

#include <QElapsedTimer>

#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <limits>

namespace sbx::ui {

// ---------------------------------------------------------------------------------------------------- rows

void LaneRows::pushFront(std::uint32_t row) {
    if (m_gone > 0) { // older ones come after some went: they take their place
        m_newer.erase(m_newer.begin(), m_newer.begin() + static_cast<std::ptrdiff_t>(m_gone));
        m_gone = 0;
    }
    m_older.push_back(row);
}

void LaneRows::dropBefore(std::uint32_t row) {
    while (!m_older.empty() && m_older.back() < row)
        m_older.pop_back();
    if (!m_older.empty())
        return;
    const auto kept =
        std::lower_bound(m_newer.begin() + static_cast<std::ptrdiff_t>(m_gone), m_newer.end(), row);
    m_gone = static_cast<std::size_t>(kept - m_newer.begin());
    if (m_gone * 2 > m_newer.size()) {
        m_newer.erase(m_newer.begin(), kept);
        m_gone = 0;
    }
}

std::size_t LaneRows::lowerBound(std::uint64_t row, std::size_t from) const {
    const std::size_t count = size();
    std::size_t step = 1;
    std::size_t low = from; // all below it are smaller
    std::size_t high = from;
    while (high < count && (*this)[high] < row) {
        low = high + 1;
        high = low + step;
        step *= 2;
    }
    high = std::min(high, count);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if ((*this)[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---------------------------------------------------------------------------------------------------- counting

TraceLaneCounts::TraceLaneCounts(const TraceModel& model, QObject* parent) : QObject(parent), m_model(model) {
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_model.store().trim();
        if (!take())
            m_timer.stop();
    });
    const auto more = [this] {
        if (m_active)
            m_timer.start();
    };
    connect(&model, &QAbstractItemModel::rowsInserted, this, more);
    connect(&model, &TraceModel::loaded, this, [this, more] {
        if (m_waits)
            more();
    });
    connect(&model, &QAbstractItemModel::modelReset, this, &TraceLaneCounts::restart);
}

void TraceLaneCounts::setActive(bool active) {
    if (m_active == active)
        return;
    m_active = active;
    restart();
}

void TraceLaneCounts::clear() {
    m_lanes.clear();
    m_byEntity.clear();
    m_others.clear();
    m_base = m_begin = m_end = m_pruned = m_model.store().first();
    m_waits = false;
}

void TraceLaneCounts::restart() {
    clear();
    if (!m_active) {
        m_timer.stop();
        return;
    }
    m_timer.start();
    emit changed();
}

bool TraceLaneCounts::isDone() const {
    const auto& rows = m_model.storeRows();
    return !m_active || rows.empty() || (rows.front() >= m_begin && rows.back() < m_end);
}

void TraceLaneCounts::finish() {
    m_atOnce = true;
    while (take()) {}
    m_atOnce = false;
    m_timer.stop();
    prune();
}

void TraceLaneCounts::add(const RecordView& record, std::uint64_t stored, bool before) {
    const EntityInWorld key{record.receiver(), record.world()};
    if (!key.entity)
        return;
    auto found = m_byEntity.find(key);
    if (found == m_byEntity.end()) {
        if (m_lanes.size() >= MaxHeld) {
            if (m_others.size() < MaxOthers)
                m_others.insert(key);
            return;
        }
        found = m_byEntity.emplace(key, static_cast<std::uint32_t>(m_lanes.size())).first;
        m_lanes.push_back({key, record.receiverName(), record.tick(), record.tick(), {}});
    }
    Lane& lane = m_lanes[found->second];
    if (!before && record.receiverName() != 0)
        lane.name = record.receiverName();
    lane.firstTick = std::min(lane.firstTick, record.tick());
    lane.lastTick = std::max(lane.lastTick, record.tick());
    const MessageTypeId type = record.type();
    const bool fault = shownAs(TraceContext::outcome(record)) == RecordOutcome::Unhandled;
    auto typed = std::find_if(lane.types.begin(), lane.types.end(),
                              [&](const Typed& t) { return t.type == type && t.fault == fault; });
    if (typed == lane.types.end())
        typed = lane.types.insert(lane.types.end(), Typed{type, fault, {}});
    const auto at = static_cast<std::uint32_t>(stored - m_base);
    if (before)
        typed->rows.pushFront(at);
    else
        typed->rows.pushBack(at);
}

bool TraceLaneCounts::take() {
    QElapsedTimer clock;
    clock.start();
    int rows = 0;
    m_waits = false;
    while (rows < RowsPerTurn && !clock.hasExpired(TurnMs) && takeSome())
        rows += RowsPerLookAtClock;
    if (rows > 0)
        emit changed();
    return !isDone() && !m_waits;
}

bool TraceLaneCounts::takeSome() {
    if (!m_active)
        return false;
    const auto& rows = m_model.storeRows();
    const TraceStore& store = m_model.store();
    if (rows.empty())
        return false;
    const auto rowOf = [&rows](std::uint64_t at) {
        return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), at) - rows.begin());
    };
    if (rows.back() - m_base > std::numeric_limits<std::uint32_t>::max())
        clear();          // from a base that is nearer
    if (m_begin == m_end) // nothing is counted yet: the newest first, as far as no disk is needed
        m_begin = m_end = std::max(rows.front(), store.memoryFirst());
    m_begin = std::max(m_begin, store.first());
    m_end = std::max(m_end, store.first());

    std::optional<TraceStore::Cursor> cursor;
    // False: the row waits for the disk.
    const auto reach = [&](std::uint64_t at) {
        if (cursor && cursor->reaches(at)) {
            cursor->moveTo(at);
            return true;
        }
        if (!m_atOnce && !store.isReady(at))
            return false;
        if (cursor)
            cursor->moveTo(at);
        else
            cursor.emplace(store, at);
        return true;
    };
    constexpr auto Some = static_cast<std::size_t>(RowsPerLookAtClock);
    std::size_t counted = 0;
    bool waits = false;
    std::size_t row = rowOf(m_end);
    for (; row < rows.size() && counted < Some; ++row, ++counted) {
        if (!reach(rows[row])) {
            store.requestAfter(rows[row]);
            waits = true;
            break;
        }
        add(cursor->record(), rows[row], false);
        m_end = rows[row] + 1;
    }
    // What lies on the disk, and what was found since among older ones.
    for (std::size_t above = rowOf(m_begin); above > 0 && counted < Some; --above, ++counted) {
        const std::uint64_t at = rows[above - 1];
        if (!reach(at)) {
            store.requestBefore(at);
            waits = true;
            break;
        }
        add(cursor->record(), at, true);
        m_begin = at;
    }
    m_waits = m_waits || waits;
    return counted > 0;
}

bool TraceLaneCounts::prune() {
    const std::uint64_t first = m_model.store().first();
    if (first <= m_pruned)
        return false;
    m_pruned = first;
    const auto from = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(first - std::min(first, m_base), std::numeric_limits<std::uint32_t>::max()));
    for (Lane& lane : m_lanes) {
        for (Typed& typed : lane.types)
            typed.rows.dropBefore(from);
        lane.types.erase(std::remove_if(lane.types.begin(), lane.types.end(),
                                        [](const Typed& t) { return t.rows.size() == 0; }),
                         lane.types.end());
    }
    const auto kept =
        std::remove_if(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return lane.types.empty(); });
    if (kept == m_lanes.end())
        return false;
    m_lanes.erase(kept, m_lanes.end());
    m_byEntity.clear();
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        m_byEntity.emplace(m_lanes[i].key, static_cast<std::uint32_t>(i));
    if (!m_others.empty() && m_lanes.size() < MaxHeld / 2)
        restart(); // there is room for those that had none
    return true;
}

// ---------------------------------------------------------------------------------------------------- answers

std::uint64_t TraceLaneCounts::count(std::size_t lane) const {
    std::uint64_t sum = 0;
    for (const Typed& typed : m_lanes[lane].types)
        sum += typed.rows.size();
    return sum;
}

std::optional<std::size_t> TraceLaneCounts::laneOf(const EntityInWorld& entity) const {
    const auto found = m_byEntity.find(entity);
    return found != m_byEntity.end() && found->second < MaxLanes ? std::optional<std::size_t>(found->second)
                                                                 : std::nullopt;
}

void TraceLaneCounts::cells(std::size_t lane, std::span<const std::uint64_t> bounds,
                            const std::array<std::optional<MessageTypeId>, LaneCell::Kinds>& kinds,
                            std::vector<LaneCell>& out) const {
    out.assign(bounds.empty() ? 0 : bounds.size() - 1, {});
    if (out.empty())
        return;
    const auto place = [this](std::uint64_t row) { return row - std::min(row, m_base); };
    for (const Typed& typed : m_lanes[lane].types) {
        const auto colour = std::find(kinds.begin(), kinds.end(), std::optional(typed.type));
        const auto kind = static_cast<std::size_t>(colour - kinds.begin());
        const std::size_t size = typed.rows.size();
        std::size_t at = typed.rows.lowerBound(place(bounds.front()));
        for (std::size_t i = 0; i < out.size() && at < size; ++i) {
            const std::size_t next = typed.rows.lowerBound(place(bounds[i + 1]), at);
            const auto count = static_cast<std::uint32_t>(next - at);
            at = next;
            out[i].all += count;
            if (typed.fault)
                out[i].faults += count;
            if (kind < kinds.size())
                out[i].kinds[kind] += count;
        }
    }
}

std::vector<TraceLaneCounts::TypeCount> TraceLaneCounts::types(std::size_t lane, std::uint64_t first,
                                                               std::uint64_t end) const {
    std::vector<TypeCount> counts;
    for (const Typed& typed : m_lanes[lane].types) {
        const std::size_t from = typed.rows.lowerBound(first - std::min(first, m_base));
        const std::size_t to = typed.rows.lowerBound(end - std::min(end, m_base), from);
        if (to > from)
            counts.push_back({typed.type, typed.fault, to - from});
    }
    std::sort(counts.begin(), counts.end(), [](const TypeCount& a, const TypeCount& b) {
        return a.count != b.count ? a.count > b.count
               : a.type != b.type ? a.type < b.type
                                  : a.fault < b.fault;
    });
    return counts;
}

std::optional<std::uint64_t> TraceLaneCounts::atOrAfter(std::size_t lane, std::uint64_t row,
                                                        bool faults) const {
    std::optional<std::uint64_t> nearest;
    for (const Typed& typed : m_lanes[lane].types) {
        if (faults && !typed.fault)
            continue;
        if (const std::size_t at = typed.rows.lowerBound(row - std::min(row, m_base)); at < typed.rows.size())
            nearest = std::min(nearest.value_or(std::numeric_limits<std::uint64_t>::max()),
                               m_base + typed.rows[at]);
    }
    return nearest;
}

std::optional<std::uint64_t> TraceLaneCounts::before(std::size_t lane, std::uint64_t row) const {
    std::optional<std::uint64_t> nearest;
    for (const Typed& typed : m_lanes[lane].types)
        if (const std::size_t at = typed.rows.lowerBound(row - std::min(row, m_base)); at > 0)
            nearest = std::max(nearest.value_or(0), m_base + typed.rows[at - 1]);
    return nearest;
}

} // namespace sbx::ui

#include "moc_trace_lane_counts.cpp"
