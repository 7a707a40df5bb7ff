#include "widgets/trace/trace_chunks.h"

#include "engine/core/contracts.h"
#include "engine/message/segment_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sbx::ui {

namespace {

std::size_t memoryOfAll(const SegmentSpill::Segments& segments) {
    std::size_t bytes = 0;
    for (const auto& segment : segments)
        bytes += segment->bytes();
    return bytes;
}

} // namespace

// ---------------------------------------------------------------------------------------------------- the file

void TraceChunks::setWake(std::function<void()> wake) {
    m_wake = std::move(wake);
    if (m_spill)
        m_spill->setWake(m_wake);
}

bool TraceChunks::open() {
    if (m_spill)
        return true;
    Result<std::unique_ptr<SegmentSpill>> spill = SegmentSpill::create(m_folder);
    if (!spill) {
        m_why =
            "No file for older messages can be made in " + m_folder.string() + ": " + spill.error().message;
        m_limit = 0; // asked once
        return false;
    }
    m_spill = std::move(*spill);
    m_spill->setWake(m_wake);
    return true;
}

bool TraceChunks::isFree(std::uint64_t begin, std::uint64_t end) const {
    return std::none_of(m_chunks.begin(), m_chunks.end(), [begin, end](const Chunk& chunk) {
        const SegmentSpill::Place& held = chunk.place;
        return held.bytes > 0 && held.offset < end && begin < held.offset + held.bytes;
    });
}

// The first room between places within the limit.
std::optional<std::uint64_t> TraceChunks::gapOf(std::uint64_t bytes) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> held;
    for (const Chunk& chunk : m_chunks)
        if (chunk.place.bytes > 0)
            held.emplace_back(chunk.place.offset, chunk.place.offset + chunk.place.bytes);
    std::sort(held.begin(), held.end());
    std::uint64_t at = 0;
    for (const auto& [begin, end] : held) {
        if (at + bytes <= begin)
            break;
        at = std::max(at, end);
    }
    return at + bytes <= m_limit ? std::optional(at) : std::nullopt;
}

std::uint64_t TraceChunks::placesEnd() const {
    std::uint64_t end = 0;
    for (const Chunk& chunk : m_chunks)
        end = std::max(end, chunk.place.offset + chunk.place.bytes);
    return end;
}

std::optional<std::uint64_t> TraceChunks::allocate(SegmentSpill::ChunkId id, std::uint64_t bytes) {
    if (bytes > m_limit)
        return std::nullopt;
    // More than the limit may lie in the file, at places beyond a limit that was lowered.
    while (id >= m_firstId && fileBytes() + bytes > m_limit)
        dropThrough(0);
    while (id >= m_firstId) {
        const std::uint64_t end = m_at + bytes;
        if (end <= m_limit && isFree(m_at, end)) {
            m_at = end;
            m_fileEnd = std::max(m_fileEnd, end);
            return end - bytes;
        }
        // As a rule the oldest is the next on the way round.
        const SegmentSpill::Place oldest = m_chunks.front().place;
        const bool ahead = oldest.bytes > 0 && end <= m_limit && m_at <= oldest.offset && oldest.offset < end;
        const std::optional<std::uint64_t> gap = ahead ? std::nullopt : gapOf(bytes);
        if (gap)
            m_at = *gap;
        else
            dropThrough(0);
    }
    return std::nullopt;
}

void TraceChunks::setLimit(std::uint64_t maxBytes) {
    if (maxBytes > m_limit)
        m_at = placesEnd(); // the new room first, then round
    m_limit = maxBytes;
    m_why.clear();
    std::uint64_t held = fileBytes();
    std::size_t count = 0;
    while (count < m_chunks.size() && held > m_limit)
        held -= m_chunks[count++].place.bytes;
    if (count > 0)
        dropThrough(count - 1);
    cutFile();
}

// Gives back what lies beyond the limit, once nothing is held there.
void TraceChunks::cutFile() {
    if (m_fileEnd <= m_limit || placesEnd() > m_limit)
        return;
    m_fileEnd = m_limit;
    m_spill->cut(m_limit);
}

// Has the chunk written; without a place for it, it goes.
void TraceChunks::place(std::size_t number) {
    const SegmentSpill::ChunkId id = m_firstId + number;
    m_chunks[number].place = {};
    const std::optional<std::uint64_t> offset =
        allocate(id, SegmentSpill::bytesOf(m_chunks[number].segments));
    if (id < m_firstId)
        return; // it was the oldest itself
    number = static_cast<std::size_t>(id - m_firstId);
    if (!offset) {
        dropThrough(number);
        return;
    }
    Chunk& chunk = m_chunks[number];
    chunk.place = {*offset, SegmentSpill::bytesOf(chunk.segments), 0};
    m_spill->write(id, chunk.segments, *offset);
}

bool TraceChunks::add(Segments segments, std::uint64_t first) {
    if (m_limit == 0 || !open() || SegmentSpill::bytesOf(segments) > m_limit)
        return false;
    Chunk chunk;
    chunk.first = first;
    for (const auto& segment : segments) {
        chunk.begins.push_back(chunk.count);
        chunk.count += static_cast<std::uint32_t>(segment->size());
    }
    chunk.segments = std::move(segments);
    chunk.firstSequence = record(chunk, 0).sequence();
    chunk.firstTick = record(chunk, 0).tick();
    m_writing += memoryOfAll(chunk.segments);
    m_chunks.push_back(std::move(chunk));
    place(m_chunks.size() - 1);
    return !m_chunks.empty() && m_chunks.back().first == first;
}

void TraceChunks::take(SegmentSpill::Done& done, bool& changed) {
    using What = SegmentSpill::Done::What;
    if (done.chunk < m_firstId || done.chunk >= m_firstId + m_chunks.size()) {
        changed = true; // it has gone meanwhile: nobody needs to wait for it
        return;
    }
    const auto number = static_cast<std::size_t>(done.chunk - m_firstId);
    Chunk& chunk = m_chunks[number];
    switch (done.what) {
    case What::Written:
        if (done.place.offset != chunk.place.offset)
            return;
        chunk.written = true;
        chunk.place = done.place;
        chunk.index = std::move(done.index);
        m_indexBytes += chunk.index.bytes();
        m_writing -= memoryOfAll(chunk.segments);
        chunk.segments = {};
        chunk.begins = {};
        return;
    case What::NotWritten:
        // The file does not grow beyond that: what is older than it has room for goes.
        if (m_why.empty())
            m_why = "Older messages cannot be written to " + m_folder.string() + ": " + done.reason;
        m_limit = std::min(m_limit, done.place.offset);
        place(number);
        changed = true;
        return;
    case What::Read:
        chunk.requested = false;
        if (chunk.segments.empty())
            load(chunk, std::move(done.segments));
        changed = true;
        return;
    case What::NotRead:
        chunk.requested = false;
        if (chunk.segments.empty())
            lose(chunk, done.reason);
        changed = true;
        return;
    case What::Dismissed:
        chunk.requested = false;
        return;
    }
}

bool TraceChunks::collect() {
    if (!m_spill)
        return false;
    bool changed = false;
    m_spill->collect(m_done);
    for (SegmentSpill::Done& done : m_done)
        take(done, changed);
    m_done.clear();
    if (std::exchange(m_lostSome, false)) {
        for (std::size_t i = m_chunks.size(); i > 0; --i)
            if (m_chunks[i - 1].lost) {
                dropThrough(i - 1);
                break;
            }
        changed = true;
    }
    return changed;
}

void TraceChunks::wait() {
    if (m_spill)
        m_spill->wait();
}

// ---------------------------------------------------------------------------------------------------- what is in memory

void TraceChunks::load(Chunk& chunk, Segments segments) {
    std::vector<std::uint32_t> begins;
    std::uint32_t count = 0;
    for (const auto& segment : segments) {
        begins.push_back(count);
        count += static_cast<std::uint32_t>(segment->size());
    }
    if (count != chunk.count) {
        lose(chunk, "another number of messages");
        return;
    }
    chunk.segments = std::move(segments);
    chunk.begins = std::move(begins);
    chunk.used = ++m_clock;
    ++m_loaded;
}

// Rows stay until collect(): whoever looks at them now gets empty ones.
void TraceChunks::lose(Chunk& chunk, const std::string& reason) {
    if (m_why.empty())
        m_why = "Older messages cannot be read back from the file in " + m_folder.string() + ": " + reason;
    std::vector<LostRecord> rows;
    rows.reserve(chunk.count);
    for (std::uint32_t row = 0; row < chunk.count; ++row)
        rows.push_back({chunk.index.sequence(row), chunk.index.tick(row), chunk.index.type(row)});
    chunk.segments = {SegmentPool::blank(rows)};
    chunk.begins = {0};
    chunk.used = ++m_clock;
    chunk.lost = true;
    m_lostSome = true;
    ++m_loaded;
}

void TraceChunks::loadNow(Chunk& chunk) {
    Result<Segments> segments = m_spill->readNow(chunk.place);
    if (segments)
        load(chunk, std::move(*segments));
    else
        lose(chunk, segments.error().message);
    if (m_loaded > MaxLoaded * 4)
        releaseBeyond(MaxLoaded * 3);
}

void TraceChunks::release(Chunk& chunk) {
    chunk.segments = {};
    chunk.begins = {};
    --m_loaded;
}

void TraceChunks::releaseBeyond(std::size_t count) {
    if (m_loaded <= count)
        return;
    std::vector<Chunk*> loaded;
    for (Chunk& chunk : m_chunks)
        if (chunk.written && !chunk.segments.empty() && !chunk.lost)
            loaded.push_back(&chunk);
    const std::size_t much = std::min(loaded.size(), m_loaded - count);
    std::partial_sort(loaded.begin(), loaded.begin() + static_cast<std::ptrdiff_t>(much), loaded.end(),
                      [](const Chunk* a, const Chunk* b) { return a->used < b->used; });
    for (std::size_t i = 0; i < much; ++i)
        release(*loaded[i]);
}

// Some at a time: to find the oldest takes a look at all.
void TraceChunks::trim() {
    if (m_loaded > MaxLoaded + MaxLoaded / 4)
        releaseBeyond(MaxLoaded);
}

void TraceChunks::request(Chunk& chunk, bool urgent) {
    if (!chunk.segments.empty() || chunk.requested)
        return;
    chunk.requested = true;
    m_spill->read(m_firstId + static_cast<std::size_t>(numberOf(chunk.first)), chunk.place, urgent);
}

void TraceChunks::request(std::uint64_t row, bool urgent) { request(m_chunks[numberOf(row)], urgent); }

void TraceChunks::requestBefore(std::uint64_t row, std::size_t count) {
    const std::size_t last = numberOf(row);
    for (std::size_t i = 0; i < count && i <= last; ++i)
        request(m_chunks[last - i], false);
}

void TraceChunks::requestAfter(std::uint64_t row, std::size_t count) {
    const std::size_t begin = numberOf(row);
    for (std::size_t i = begin; i < std::min(begin + count, m_chunks.size()); ++i)
        request(m_chunks[i], false);
}

std::size_t TraceChunks::memoryBytes() const {
    std::size_t bytes = m_writing + m_indexBytes + m_chunks.size() * sizeof(Chunk);
    if (m_loaded > 0)
        for (const Chunk& chunk : m_chunks)
            if (chunk.written && !chunk.segments.empty())
                bytes += memoryOfAll(chunk.segments);
    return bytes;
}

std::uint64_t TraceChunks::fileBytes() const {
    std::uint64_t bytes = 0;
    for (const Chunk& chunk : m_chunks)
        bytes += chunk.place.bytes;
    return bytes;
}

// ---------------------------------------------------------------------------------------------------- what goes

void TraceChunks::dropThrough(std::size_t number) {
    bool waits = false;
    for (std::size_t i = 0; i <= number; ++i) {
        Chunk& chunk = m_chunks.front();
        waits = waits || !chunk.written;
        if (!chunk.written)
            m_writing -= memoryOfAll(chunk.segments);
        else if (!chunk.segments.empty())
            --m_loaded;
        if (chunk.written)
            m_indexBytes -= chunk.index.bytes();
        m_chunks.pop_front();
        ++m_firstId;
    }
    if (waits)
        m_spill->forgetWrites(m_firstId - 1);
    cutFile();
}

void TraceChunks::dropOldest() { dropThrough(0); }

void TraceChunks::tellTooSlow() {
    if (m_why.empty())
        m_why = "Older messages cannot be written to " + m_folder.string() + " as fast as they come";
}

void TraceChunks::dropBefore(std::uint64_t row) {
    while (!m_chunks.empty() && m_chunks.front().first + m_chunks.front().count <= row)
        dropThrough(0);
}

void TraceChunks::clear() {
    if (m_chunks.empty())
        return;
    dropThrough(m_chunks.size() - 1);
    m_at = 0;
    m_fileEnd = 0;
    m_spill->clear();
}

// ---------------------------------------------------------------------------------------------------- rows

std::size_t TraceChunks::numberOf(std::uint64_t row) const {
    if (m_lastFound < m_chunks.size()) {
        const Chunk& last = m_chunks[m_lastFound];
        if (row >= last.first && row - last.first < last.count)
            return m_lastFound;
    }
    const auto after = std::upper_bound(m_chunks.begin(), m_chunks.end(), row,
                                        [](std::uint64_t r, const Chunk& chunk) { return r < chunk.first; });
    m_lastFound = static_cast<std::size_t>(after - m_chunks.begin()) - 1;
    return m_lastFound;
}

TraceChunks::Found TraceChunks::within(const Chunk& chunk, std::uint32_t row) const {
    const auto after = std::upper_bound(chunk.begins.begin(), chunk.begins.end(), row);
    const auto segment = static_cast<std::size_t>(after - chunk.begins.begin()) - 1;
    return {chunk.segments[segment].get(), row - chunk.begins[segment]};
}

RecordView TraceChunks::record(const Chunk& chunk, std::uint32_t row) const {
    const Found found = within(chunk, row);
    return (*found.segment)[found.offset];
}

TraceChunks::Found TraceChunks::find(std::uint64_t row) {
    Chunk& chunk = m_chunks[numberOf(row)];
    if (chunk.segments.empty())
        loadNow(chunk);
    chunk.used = ++m_clock;
    return within(chunk, static_cast<std::uint32_t>(row - chunk.first));
}

std::uint64_t TraceChunks::sequenceOf(std::uint64_t row) const {
    const Chunk& chunk = chunkOf(row);
    const auto at = static_cast<std::uint32_t>(row - chunk.first);
    return chunk.written ? chunk.index.sequence(at) : record(chunk, at).sequence();
}

std::uint64_t TraceChunks::tickOf(std::uint64_t row) const {
    const Chunk& chunk = chunkOf(row);
    const auto at = static_cast<std::uint32_t>(row - chunk.first);
    return chunk.segments.empty() ? chunk.index.tick(at) : record(chunk, at).tick();
}

MessageTypeId TraceChunks::typeOf(std::uint64_t row) const {
    const Chunk& chunk = chunkOf(row);
    const auto at = static_cast<std::uint32_t>(row - chunk.first);
    return chunk.written ? chunk.index.type(at) : record(chunk, at).type();
}

std::uint64_t TraceChunks::rowAtOrAfter(std::uint64_t sequence) const {
    const auto after =
        std::upper_bound(m_chunks.begin(), m_chunks.end(), sequence,
                         [](std::uint64_t s, const Chunk& chunk) { return s < chunk.firstSequence; });
    if (after == m_chunks.begin())
        return first();
    const Chunk& chunk = *std::prev(after);
    if (chunk.written)
        return chunk.first + chunk.index.rowAtOrAfter(sequence);
    std::uint32_t low = 0;
    std::uint32_t high = chunk.count;
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (record(chunk, middle).sequence() < sequence)
            low = middle + 1;
        else
            high = middle;
    }
    return chunk.first + low;
}

std::uint64_t TraceChunks::rowAtTick(std::uint64_t tick) const {
    const auto at = std::lower_bound(m_chunks.begin(), m_chunks.end(), tick,
                                     [](const Chunk& chunk, std::uint64_t t) { return chunk.firstTick < t; });
    if (at == m_chunks.begin())
        return first();
    const Chunk& chunk = *std::prev(at);
    if (chunk.written)
        return chunk.first + chunk.index.rowAtTick(tick);
    std::uint32_t low = 0;
    std::uint32_t high = chunk.count;
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (record(chunk, middle).tick() < tick)
            low = middle + 1;
        else
            high = middle;
    }
    return chunk.first + low;
}

} // namespace sbx::ui
