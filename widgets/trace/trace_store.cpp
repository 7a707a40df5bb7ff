#include "widgets/trace/trace_store.h"

#include "engine/message/record_payload.h"

#include <algorithm>

namespace sbx::ui {

TraceStore::Appended TraceStore::append(std::shared_ptr<const RecordSegment> segment) {
    const RecordSegment& records = *segment;
    if (records.size() == 0)
        return Appended::Continued;
    Appended result = Appended::Continued;
    if (m_run == 0 || records.run() != m_recorded) {
        if (m_run > 0) {
            clear();
            result = Appended::NewRun;
        }
        ++m_run;
        m_recorded = records.run();
    }
    m_bytes += records.bytes();
    const std::size_t count = records.size();
    m_segments.push_back({std::move(segment), m_end});
    m_end += count;
    // The newest segment stays whatever its size.
    while (m_segments.size() > 1 && (size() > m_maxRecords || m_bytes > m_maxBytes))
        dropFront();
    return result;
}

void TraceStore::dropFront() {
    const Held& oldest = m_segments.front();
    m_bytes -= oldest.records->bytes();
    m_first += oldest.records->size();
    m_dropped += oldest.records->size();
    m_segments.pop_front();
}

void TraceStore::clear() {
    m_segments.clear();
    m_first = m_end;
    m_bytes = 0;
    m_dropped = 0;
}

std::size_t TraceStore::segmentOf(std::uint64_t row) const {
    const auto after = std::upper_bound(m_segments.begin(), m_segments.end(), row,
                                        [](std::uint64_t r, const Held& held) { return r < held.first; });
    return static_cast<std::size_t>(after - m_segments.begin()) - 1;
}

RecordView TraceStore::at(std::uint64_t row) const {
    SBX_EXPECT(row >= m_first && row < m_end, "a row that is not held");
    const Held& held = m_segments[segmentOf(row)];
    ++m_looks;
    return (*held.records)[static_cast<std::size_t>(row - held.first)];
}

std::optional<std::uint64_t> TraceStore::rowOf(std::uint64_t sequence) const {
    if (sequence == 0 || size() == 0)
        return std::nullopt;
    const auto after =
        std::upper_bound(m_segments.begin(), m_segments.end(), sequence,
                         [](std::uint64_t s, const Held& held) { return s < (*held.records)[0].sequence(); });
    if (after == m_segments.begin())
        return std::nullopt;
    const Held& held = *std::prev(after);
    std::size_t low = 0;
    std::size_t high = held.records->size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if ((*held.records)[middle].sequence() < sequence)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == held.records->size() || (*held.records)[low].sequence() != sequence)
        return std::nullopt;
    return held.first + low;
}

std::optional<double> TraceStore::nsBetween(std::uint64_t first, std::uint64_t second) const {
    const RecordView a = at(first);
    const RecordView b = at(second);
    if (a.stampNs() < 0.0 || b.stampNs() < 0.0)
        return std::nullopt;
    // Unsigned: the difference of two lanes that send side by side may be negative.
    const auto ticks = static_cast<std::int64_t>(record::stampTicks(b) - record::stampTicks(a));
    return static_cast<double>(ticks) * m_segments[segmentOf(second)].records->nsPerTick();
}

std::uint64_t TraceStore::rowAtTick(std::uint64_t tick) const {
    // The segment before the first one that begins at the tick or later may hold its first row.
    auto held = std::lower_bound(m_segments.begin(), m_segments.end(), tick,
                                 [](const Held& h, std::uint64_t t) { return (*h.records)[0].tick() < t; });
    if (held == m_segments.begin())
        return m_first;
    const Held& before = *std::prev(held);
    std::size_t low = 0;
    std::size_t high = before.records->size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if ((*before.records)[middle].tick() < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return before.first + low;
}

TraceStore::Cursor::Cursor(const TraceStore& store, std::uint64_t row) : m_store(&store) {
    if (row >= store.m_first && row < store.m_end) {
        m_segment = store.segmentOf(row);
        m_offset = static_cast<std::size_t>(row - store.m_segments[m_segment].first);
    }
}

void TraceStore::Cursor::next() {
    if (++m_offset == m_store->m_segments[m_segment].records->size()) {
        ++m_segment;
        m_offset = 0;
    }
}

} // namespace sbx::ui
