#include "widgets/trace/trace_store.h"

#include "engine/core/contracts.h"
#include "engine/message/record_payload.h"
#include "engine/message/segment_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbx::ui {

namespace {

// Of a chunk, as far as segments allow: small enough to be read within a slice, large enough that a disk reads it in one go.
constexpr std::size_t MaxChunkBytes = std::size_t(256) << 10U;
constexpr std::size_t MinChunkBytes = std::size_t(4) << 10U;
constexpr std::size_t ChunksOfMemory = 64; // a chunk is this part of it

// What a segment takes beside its records.
constexpr std::size_t SegmentBytes = sizeof(RecordSegment) + 64;

std::size_t memoryOf(const RecordSegment& segment) { return segment.bytes() + SegmentBytes; }

// Segments come with as much room again as they need, for the next tick: a copy takes a half of that, and the room goes back to the
// simulation.
std::shared_ptr<const RecordSegment> packed(std::shared_ptr<const RecordSegment> segment) {
    const SegmentParts parts = SegmentPool::parts(*segment);
    const std::size_t needed = parts.records.size() + parts.records.size() / 8;
    return segment->bytes() > needed + needed / 4 ? SegmentPool::rebuilt(parts) : segment;
}

} // namespace

// ---------------------------------------------------------------------------------------------------- what comes and goes

void TraceStore::setLimits(TraceLimits limits) {
    const bool otherFile = limits.file == 0 || limits.folder != m_limits.folder;
    const bool otherRoom = limits.file != m_limits.file;
    if (limits.memory < m_limits.memory)
        m_carried = std::max(m_carried, unwritten());
    m_limits = std::move(limits);
    if (m_older != nullptr && otherFile) {
        m_older.reset(); // another begins with what comes now
        m_first = m_memoryFirst;
    } else if (m_older != nullptr && otherRoom) {
        m_older->setLimit(m_limits.file);
        followOlder();
    }
    bound();
}

TraceStore::Appended TraceStore::append(std::shared_ptr<const RecordSegment> segment) {
    if (segment->size() == 0)
        return Appended::Continued;
    segment = packed(std::move(segment));
    const RecordSegment& records = *segment;
    Appended result = Appended::Continued;
    if (m_run == 0 || records.run() != m_recorded) {
        if (m_run > 0) {
            clear();
            result = Appended::NewRun;
        }
        ++m_run;
        m_recorded = records.run();
    }
    m_bytes += memoryOf(records);
    const std::size_t count = records.size();
    m_segments.push_back({std::move(segment), m_end});
    m_end += count;
    bound();
    return result;
}

// The newest segment stays whatever its size.
void TraceStore::bound() {
    while (m_segments.size() > 1 && m_bytes > m_limits.memory) {
        const Spilled spilled = spill();
        if (spilled == Spilled::NoRoom)
            dropFront();
        else if (spilled == Spilled::Backlog && !dropForBacklog())
            break; // later: see collect()
    }
    m_carried = std::min(m_carried, unwritten());
    while (size() > m_limits.records && m_first < m_memoryFirst) {
        m_older->dropOldest();
        followOlder();
    }
    while (m_segments.size() > 1 && size() > m_limits.records)
        dropFront();
}

// The oldest segments in memory become a chunk of the file.
TraceStore::Spilled TraceStore::spill() {
    if (m_limits.file == 0)
        return Spilled::NoRoom;
    if (m_older == nullptr) {
        m_older = std::make_unique<TraceChunks>(m_limits.folder, m_limits.file);
        m_older->setWake(m_wake);
    }
    if (m_older->writingBytes() > m_limits.waiting)
        return Spilled::Backlog;
    const std::size_t wanted = std::clamp(m_limits.memory / ChunksOfMemory, MinChunkBytes, MaxChunkBytes);
    TraceChunks::Segments chunk;
    std::size_t bytes = 0;
    std::uint64_t end = m_memoryFirst;
    for (std::size_t i = 0; i + 1 < m_segments.size() && bytes < wanted; ++i) {
        chunk.push_back(m_segments[i].records);
        bytes += memoryOf(*m_segments[i].records);
        end += m_segments[i].records->size();
    }
    const std::size_t count = chunk.size();
    if (!m_older->add(std::move(chunk), m_memoryFirst))
        return Spilled::NoRoom;
    m_segments.erase(m_segments.begin(), m_segments.begin() + static_cast<std::ptrdiff_t>(count));
    m_bytes -= bytes;
    m_memoryFirst = end;
    followOlder();
    return Spilled::Yes;
}

// More waits than may: the oldest go, of the file and then of what waits, a chunk or a segment a call. False: it may wait.
bool TraceStore::dropForBacklog() {
    const std::size_t memory = std::max(m_limits.memory, m_carried);
    if (unwritten() <= memory + std::max(m_limits.memory, 2 * m_limits.waiting))
        return false;
    m_older->tellTooSlow();
    if (m_older->isEmpty()) {
        dropFront();
    } else {
        m_older->dropOldest();
        followOlder();
    }
    return true;
}

// What is older goes with it.
void TraceStore::dropFront() {
    if (m_older)
        m_older->clear();
    const Held& oldest = m_segments.front();
    m_bytes -= memoryOf(*oldest.records);
    m_memoryFirst += oldest.records->size();
    m_first = m_memoryFirst;
    m_segments.pop_front();
}

void TraceStore::followOlder() {
    m_first = m_older == nullptr || m_older->isEmpty() ? m_memoryFirst : m_older->first();
}

void TraceStore::clear() {
    m_segments.clear();
    if (m_older)
        m_older->clear();
    m_begin = m_first = m_memoryFirst = m_end;
    m_bytes = 0;
    m_carried = 0;
}

// ---------------------------------------------------------------------------------------------------- the file

void TraceStore::setWake(std::function<void()> wake) {
    m_wake = std::move(wake);
    if (m_older)
        m_older->setWake(m_wake);
}

bool TraceStore::collect() {
    if (m_older == nullptr)
        return false;
    const std::uint64_t first = m_first;
    const bool changed = m_older->collect();
    followOlder();
    bound();
    return changed || m_first != first;
}

void TraceStore::trim() const {
    if (m_older)
        m_older->trim();
}

void TraceStore::wait() const {
    if (m_older)
        m_older->wait();
}

void TraceStore::request(std::uint64_t row) const {
    if (row < m_memoryFirst)
        m_older->request(row, true);
}

void TraceStore::requestBefore(std::uint64_t row) const {
    if (row < m_memoryFirst)
        m_older->requestBefore(row, ChunksAhead);
}

void TraceStore::requestAfter(std::uint64_t row) const {
    if (row < m_memoryFirst)
        m_older->requestAfter(row, ChunksAhead);
}

// ---------------------------------------------------------------------------------------------------- rows

std::size_t TraceStore::segmentOf(std::uint64_t row) const {
    const auto after = std::upper_bound(m_segments.begin(), m_segments.end(), row,
                                        [](std::uint64_t r, const Held& held) { return r < held.first; });
    return static_cast<std::size_t>(after - m_segments.begin()) - 1;
}

TraceChunks::Found TraceStore::find(std::uint64_t row) const {
    if (row < m_memoryFirst)
        return m_older->find(row);
    const Held& held = m_segments[segmentOf(row)];
    return {held.records.get(), static_cast<std::size_t>(row - held.first)};
}

RecordView TraceStore::at(std::uint64_t row) const {
    SBX_EXPECT(row >= m_first && row < m_end, "a row that is not held");
    const TraceChunks::Found found = find(row);
    ++m_looks;
    return (*found.segment)[found.offset];
}

std::uint64_t TraceStore::sequenceOf(std::uint64_t row) const {
    return row < m_memoryFirst ? m_older->sequenceOf(row) : at(row).sequence();
}

std::uint64_t TraceStore::tickOf(std::uint64_t row) const {
    return row < m_memoryFirst ? m_older->tickOf(row) : at(row).tick();
}

MessageTypeId TraceStore::typeOf(std::uint64_t row) const {
    return row < m_memoryFirst ? m_older->typeOf(row) : at(row).type();
}

std::optional<std::uint64_t> TraceStore::rowOf(std::uint64_t sequence) const {
    if (sequence == 0 || size() == 0)
        return std::nullopt;
    const std::uint64_t row = rowAtOrAfter(sequence);
    if (row == m_end)
        return std::nullopt;
    const TraceChunks::Found found = row < m_memoryFirst ? TraceChunks::Found() : find(row);
    const std::uint64_t there =
        found.segment == nullptr ? m_older->sequenceOf(row) : (*found.segment)[found.offset].sequence();
    return there == sequence ? std::optional(row) : std::nullopt;
}

std::uint64_t TraceStore::rowAtOrAfter(std::uint64_t sequence) const {
    const auto after =
        std::upper_bound(m_segments.begin(), m_segments.end(), sequence,
                         [](std::uint64_t s, const Held& held) { return s < (*held.records)[0].sequence(); });
    if (after == m_segments.begin())
        return m_first < m_memoryFirst ? m_older->rowAtOrAfter(sequence) : m_first;
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
    return held.first + low;
}

std::optional<double> TraceStore::nsBetween(std::uint64_t first, std::uint64_t second) const {
    const RecordView a = at(first);
    const RecordView b = at(second);
    if (a.stampNs() < 0.0 || b.stampNs() < 0.0)
        return std::nullopt;
    // Unsigned: the difference of two lanes that send side by side may be negative.
    const auto ticks = static_cast<std::int64_t>(record::stampTicks(b) - record::stampTicks(a));
    return static_cast<double>(ticks) * find(second).segment->nsPerTick();
}

std::uint64_t TraceStore::rowAtTick(std::uint64_t tick) const {
    // The segment before the first one that begins at the tick or later may hold its first row.
    auto held = std::lower_bound(m_segments.begin(), m_segments.end(), tick,
                                 [](const Held& h, std::uint64_t t) { return (*h.records)[0].tick() < t; });
    if (held == m_segments.begin())
        return m_first < m_memoryFirst ? m_older->rowAtTick(tick) : m_first;
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

TraceStore::Cursor::Cursor(const TraceStore& store, std::uint64_t row) : m_store(&store), m_row(row) {
    if (row >= store.m_first && row < store.m_end)
        m_at = store.find(row);
}

void TraceStore::Cursor::moveTo(std::uint64_t row) {
    if (reaches(row))
        m_at.offset = static_cast<std::size_t>(row - (m_row - m_at.offset));
    else
        m_at = row >= m_store->m_first && row < m_store->m_end ? m_store->find(row) : TraceChunks::Found();
    m_row = row;
}

void TraceStore::Cursor::next() {
    ++m_row;
    if (++m_at.offset == m_at.segment->size())
        m_at = m_row < m_store->m_end ? m_store->find(m_row) : TraceChunks::Found();
}

} // namespace sbx::ui
