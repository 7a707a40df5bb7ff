// Which records become rows: learning from them, judging them in slices, and the groups they form.

#include "engine/message/record_filter.h"
#include "engine/message/record_payload.h"
#include "widgets/trace/trace_model.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace sbx::ui {

namespace {

constexpr std::uint64_t RowsPerClockRead = 128;
constexpr std::string_view MakesEntities =
    "Spawned"; // the type of message that spawners send for each entity they made

} // namespace

// ---------------------------------------------------------------------------------------------------- groups

TraceModel::GroupKey TraceModel::keyOf(const RecordView& record) {
    return {record.sender(),
            record.receiver(),
            record.type(),
            record.world(),
            TraceContext::outcome(record),
            TraceContext::consumer(record)};
}

void TraceModel::addToGroups(std::deque<std::uint64_t>& groups, GroupKey& last, const RecordView& record,
                             std::uint64_t at, bool first) {
    const GroupKey key = keyOf(record);
    if ((first && groups.empty()) || !(key == last))
        groups.push_back(at);
    last = key;
}

// A group whose first rows went begins with the first that is left.
void TraceModel::dropGroups(std::deque<std::uint64_t>& groups, const std::deque<std::uint64_t>& rows) {
    if (groups.empty())
        return;
    if (rows.empty()) {
        groups.clear();
        return;
    }
    groups.erase(groups.begin(), std::lower_bound(groups.begin(), groups.end(), rows.front()));
    if (groups.empty() || groups.front() != rows.front())
        groups.push_front(rows.front());
}

// ---------------------------------------------------------------------------------------------------- what goes

// What the store let go leaves the rows too.
void TraceModel::dropOld() {
    const std::uint64_t first = m_store.first();
    m_learned = std::max(m_learned, first);
    m_older = std::max(m_older, first);
    m_scanned = std::max(m_scanned, first);
    m_pausedEnd = std::max(m_pausedEnd, first);
    m_ignored->follow(m_store);
    if (m_building) {
        auto& rows = m_building->found.rows;
        rows.erase(rows.begin(), std::lower_bound(rows.begin(), rows.end(), first));
        dropGroups(m_building->found.groups, rows);
        m_building->begin = std::max(m_building->begin, first);
        m_building->end = std::max(m_building->end, first);
    }
    const auto kept = std::lower_bound(m_rows.begin(), m_rows.end(), first);
    if (kept != m_rows.begin()) {
        beginRemoveRows({}, 0, static_cast<int>(kept - m_rows.begin()) - 1);
        m_rows.erase(m_rows.begin(), kept);
        dropGroups(m_groups, m_rows);
        endRemoveRows();
    }
}

std::uint64_t TraceModel::limit() const { return m_paused ? m_pausedEnd : m_store.end(); }

// ---------------------------------------------------------------------------------------------------- slices

// Calls take for rows [from, to) until the slice's time is up or the disk is to be waited for; true if it came to the end.
template <typename Take> bool TraceModel::scan(std::uint64_t& from, std::uint64_t to, const Take& take) {
    if (from >= to)
        return true;
    const auto mustWait = [&] {
        if (m_store.isReady(from))
            return false;
        m_store.requestAfter(from);
        m_waitsForNew = true;
        return true;
    };
    if (mustWait())
        return false;
    TraceStore::Cursor cursor(m_store, from);
    for (;;) {
        take(cursor.record(), from);
        ++from;
        if (from >= to)
            return true;
        if ((from % RowsPerClockRead == 0 && m_now() >= m_deadlineNs) || mustWait())
            return false;
        cursor.next();
    }
}

bool TraceModel::matches(const RecordView& record, RecordFilterRow& row) const {
    if (!isShown(record.type()) || (m_markedOnly && !m_marks->isMarked(record.sequence())))
        return false;
    if (m_filter.matchesAll())
        return true;
    row.set(record);
    return m_filter.matches(row);
}

bool TraceModel::lets(const RecordView& record) const {
    RecordFilterRow row(m_context);
    return matches(record, row);
}

// Puts those of rows [begin, end) that match before what was found so far.
void TraceModel::judgeSpan(std::uint64_t begin, std::uint64_t end, bool grouped, Found& found) const {
    std::vector<std::uint64_t> rows;
    std::deque<std::uint64_t> groups;
    GroupKey first;
    GroupKey last;
    if (!needsRecords(grouped)) {
        const bool all = !m_markedOnly && !hidesTypes();
        for (std::uint64_t at = begin; at < end; ++at)
            if (all
                || (isShown(m_store.typeOf(at))
                    && (!m_markedOnly || m_marks->isMarked(m_store.sequenceOf(at)))))
                rows.push_back(at);
    } else {
        RecordFilterRow row(m_context);
        TraceStore::Cursor cursor(m_store, begin);
        for (std::uint64_t at = begin; at < end; ++at) {
            const RecordView record = cursor.record();
            if (matches(record, row)) {
                rows.push_back(at);
                if (grouped)
                    addToGroups(groups, last, record, at);
                if (grouped && rows.size() == 1)
                    first = last;
            }
            if (at + 1 < end)
                cursor.next();
        }
    }
    if (rows.empty())
        return;
    if (grouped) {
        if (found.rows.empty())
            found.lastKey = last;
        else if (last == found.firstKey)
            found.groups.pop_front(); // it goes on before
        found.firstKey = first;
        found.groups.insert(found.groups.begin(), groups.begin(), groups.end());
    }
    found.rows.insert(found.rows.begin(), rows.begin(), rows.end());
}

bool TraceModel::judgeDown(std::uint64_t& begin, std::uint64_t to, bool grouped, Found& found) {
    const bool reads = needsRecords(grouped);
    while (begin > to) {
        std::uint64_t span = begin - std::min(begin - to, RowsPerClockRead);
        if (reads && begin > m_store.memoryFirst()) {
            span = std::max(span, m_store.memoryFirst());
        } else if (reads) {
            m_store.requestBefore(begin - 1);
            if (!m_store.isReady(begin - 1)) {
                m_waitsForOlder = true;
                return false;
            }
            span = std::max(span, m_store.chunkBegin(begin - 1));
        }
        judgeSpan(span, begin, grouped, found);
        begin = span;
        if (m_now() >= m_deadlineNs)
            break;
    }
    return begin <= to;
}

void TraceModel::learnMore(bool& done) {
    const double rate = m_context.source().ticksPerSecond();
    std::vector<TraceStorm> storms;
    done = scan(m_learned, m_store.end(), [&](const RecordView& record, std::uint64_t) {
        m_context.learn(record);
        const MessageTypeId type = record.type();
        if (type >= m_captured.size())
            m_captured.resize(type + std::size_t(1), 0);
        if (m_captured[type]++ == 0 && messageType(type).name == MakesEntities) {
            m_storms.setMakes(type);
            m_makes = type;
            m_made = TraceContext::fieldNamed(messageType(type), "made");
        }
        if (type == m_makes && m_made != nullptr && m_made->type == FieldType::Entity) {
            EntityId made;
            std::memcpy(&made, record::member(record, *m_made), sizeof made);
            m_births.add({made, record.world()}, record.tick());
        }
        m_storms.add(record, rate, storms);
        if (shownAs(TraceContext::outcome(record)) == RecordOutcome::Unhandled)
            ++m_faults;
    });
    if (done)
        m_storms.finish(storms);
    for (const TraceStorm& storm : storms)
        tellStorm(storm);
}

// Goes on with the rows of a new filter; true once they stand. Rows are judged only once their names are known, so that the answer does
// not depend on when it was asked.
bool TraceModel::build() {
    Building& building = *m_building;
    if (!std::exchange(building.begun, true)) {
        building.begin = building.end = std::min(limit(), m_learned);
        building.since = m_now();
    }
    const bool all = judgeDown(building.begin, m_store.first(), m_collapsing, building.found);
    const bool memory = needsRecords(m_collapsing) && building.begin <= m_store.memoryFirst();
    const bool firstRows =
        !building.found.rows.empty() && m_now() - building.since >= qint64(FirstRowsMs) * 1000000;
    if (!all && !memory && !firstRows)
        return false;
    finishBuilding();
    return true;
}

TraceModel::Work TraceModel::slice() {
    m_store.trim();
    const qint64 begin = m_now();
    const bool behind = m_store.end() - m_learned > CatchUpRecords;
    m_deadlineNs = begin + qint64(behind ? CatchUpMs : SliceMs) * 1000000;
    m_waitsForNew = m_waitsForOlder = false;
    const int rowsBefore = rowCount();
    const std::uint64_t learnedBefore = m_learned;
    const std::uint64_t scannedBefore = m_scanned;
    const std::uint64_t olderBefore = m_older;
    bool done = false;
    learnMore(done);
    const bool wasBuilding = m_building.has_value();
    if (m_building && !build())
        done = false;
    if (!m_building && m_now() < m_deadlineNs) {
        RecordFilterRow row(m_context);
        std::vector<std::uint64_t> fresh;
        std::deque<std::uint64_t> groups;
        done = scan(m_scanned, std::min(limit(), m_learned),
                    [&](const RecordView& record, std::uint64_t at) {
                        if (!matches(record, row))
                            return;
                        fresh.push_back(at);
                        if (!m_grouped)
                            return;
                        addToGroups(groups, m_lastKey, record, at, m_groups.empty());
                        if (m_rows.empty() && fresh.size() == 1)
                            m_firstKey = m_lastKey;
                    })
               && done;
        if (!fresh.empty()) {
            beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
            m_rows.insert(m_rows.end(), fresh.begin(), fresh.end());
            m_groups.insert(m_groups.end(), groups.begin(), groups.end());
            endInsertRows();
        }
    } else if (!m_building) {
        done = done && m_scanned >= limit();
    }
    if (isSearchingOlder() && m_now() < m_deadlineNs) {
        Found found;
        judgeDown(m_older, m_store.first(), m_grouped, found);
        insertOlder(found);
    }
    done = done && !isSearchingOlder();
    if (wasBuilding || rowsBefore != rowCount() || learnedBefore != m_learned || scannedBefore != m_scanned
        || olderBefore != m_older)
        emit countsChanged();
    if (done)
        return Work::Done;
    return (m_waitsForNew || m_waitsForOlder) && m_now() < m_deadlineNs ? Work::Waits : Work::Left;
}

void TraceModel::insertOlder(Found& found) {
    if (found.rows.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(found.rows.size()) - 1);
    if (m_grouped) {
        if (m_rows.empty())
            m_lastKey = found.lastKey;
        else if (found.lastKey == m_firstKey)
            m_groups.pop_front();
        m_firstKey = found.firstKey;
        m_groups.insert(m_groups.begin(), found.groups.begin(), found.groups.end());
    }
    m_rows.insert(m_rows.begin(), found.rows.begin(), found.rows.end());
    endInsertRows();
}

// ---------------------------------------------------------------------------------------------------- a new filter

void TraceModel::setCollapsing(bool collapse) {
    if (std::exchange(m_collapsing, collapse) != collapse)
        rescan();
}

void TraceModel::rescan() {
    m_building.emplace();
    // Few records are filtered before the call returns.
    work();
}

void TraceModel::finishBuilding() {
    beginResetModel();
    m_rows = std::move(m_building->found.rows);
    m_groups = std::move(m_building->found.groups);
    m_firstKey = m_building->found.firstKey;
    m_lastKey = m_building->found.lastKey;
    m_grouped = m_collapsing;
    m_older = m_building->begin;
    m_scanned = m_building->end;
    m_stopped = false;
    m_building.reset();
    endResetModel();
    emit filtered();
}

double TraceModel::progress() const {
    if (!m_building && !isSearchingOlder())
        return 1.0;
    const std::uint64_t begin = m_building ? m_building->begin : m_older;
    const std::uint64_t end = m_building ? m_building->end : m_scanned;
    const std::uint64_t all = end - m_store.first();
    return all == 0 ? 1.0 : static_cast<double>(end - begin) / static_cast<double>(all);
}

void TraceModel::stopOlder() {
    if (!isSearchingOlder())
        return;
    m_stopped = true;
    emit countsChanged();
}

void TraceModel::resumeOlder() {
    if (!std::exchange(m_stopped, false))
        return;
    emit countsChanged();
    work();
}

} // namespace sbx::ui
