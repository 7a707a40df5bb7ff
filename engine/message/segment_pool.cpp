#include "engine/message/segment_pool.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace sbx {

namespace {

constexpr std::size_t MinBytes = 1024;
// A segment may be this many times as large as what is expected of it.
constexpr std::size_t MaxSlack = 4;
constexpr std::size_t NeverCut = std::size_t(64) << 10U;

// Puts shared_ptr's control block into the segment itself. It is destroyed last: that returns the segment to the pool.
template <typename T> struct ControlAllocator {
    using value_type = T;
    RecordSegment* segment;
    std::byte* memory;
    std::size_t room;

    ControlAllocator(RecordSegment* of, std::byte* at, std::size_t bytes) : segment(of), memory(at), room(bytes) {}
    template <typename U>
    ControlAllocator(const ControlAllocator<U>& other)
        : segment(other.segment), memory(other.memory), room(other.room) {}
    T* allocate(std::size_t count) {
        SBX_EXPECT(count * sizeof(T) <= room, "shared_ptr's control block outgrew its place");
        return reinterpret_cast<T*>(memory);
    }
    void deallocate(T*, std::size_t) { SegmentPool::giveBack(segment); }
    template <typename U> friend bool operator==(const ControlAllocator& a, const ControlAllocator<U>& b) {
        return a.segment == b.segment;
    }
};

struct KeepIt {
    void operator()(const RecordSegment*) const {}
};

} // namespace

void RecordSegment::reserve(std::size_t bytes) {
    if (bytes <= m_capacity)
        return;
    const std::size_t capacity = record::roundUp(std::max({bytes, m_capacity * 2, MinBytes}));
    SBX_EXPECT(capacity / record::Alignment <= 0xFFFFFFFFU, "more than 64 GiB of records in one tick");
    auto words = std::make_unique_for_overwrite<Word[]>(capacity / sizeof(Word));
    if (m_used > 0)
        std::memcpy(words.get(), m_words.get(), m_used);
    m_words = std::move(words);
    m_offsets = std::make_unique_for_overwrite<std::uint32_t[]>(capacity / sizeof(RecordHeader));
    m_capacity = capacity;
}

void RecordSegment::buildIndex() const {
    std::uint32_t state = NotIndexed;
    if (!m_indexed.compare_exchange_strong(state, Indexing, std::memory_order_acquire)) {
        for (; state != Indexed; state = m_indexed.load(std::memory_order_acquire))
            m_indexed.wait(Indexing, std::memory_order_acquire); // another reader is at it
        return;
    }
    m_count = 0;
    for (std::size_t offset = 0; offset < m_used; offset += RecordView(*this, at(offset)).bytes())
        m_offsets[m_count++] = static_cast<std::uint32_t>(offset / record::Alignment);
    m_indexed.store(Indexed, std::memory_order_release);
    m_indexed.notify_all();
}

void RecordSegment::shrinkTo(std::size_t bytes) {
    if (m_capacity <= std::max(NeverCut, bytes * MaxSlack))
        return;
    m_words.reset();
    m_offsets.reset();
    m_capacity = 0;
}

double RecordView::stampNs() const {
    if (!has(record::Stamped))
        return -1.0;
    std::uint64_t stamp = 0;
    std::memcpy(&stamp, m_at + stampOffset(), sizeof stamp);
    return static_cast<double>(stamp - m_segment->m_firstStamp) * m_segment->m_nsPerTick;
}

SegmentPool::~SegmentPool() {
    for (RecordSegment* list : {m_idle, m_returned.load(std::memory_order_acquire)})
        while (list != nullptr)
            delete std::exchange(list, list->m_next);
}

std::unique_ptr<RecordSegment> SegmentPool::take(std::size_t expected) {
    if (m_idle == nullptr)
        m_idle = m_returned.exchange(nullptr, std::memory_order_acquire);
    if (m_idle == nullptr)
        return std::make_unique<RecordSegment>();
    std::unique_ptr<RecordSegment> segment(std::exchange(m_idle, m_idle->m_next));
    m_idleBytes.fetch_sub(segment->bytes(), std::memory_order_relaxed);
    segment->empty();
    segment->shrinkTo(expected);
    return segment;
}

std::shared_ptr<const RecordSegment> SegmentPool::share(const std::shared_ptr<SegmentPool>& pool,
                                                        std::unique_ptr<RecordSegment> segment) {
    RecordSegment* const raw = segment.release();
    raw->m_home = pool;
    return {raw, KeepIt(), ControlAllocator<RecordSegment>(raw, raw->m_control, sizeof raw->m_control)};
}

void SegmentPool::giveBack(RecordSegment* segment) {
    // Keeps the pool alive to the end of this call; this may be the last reference.
    const std::shared_ptr<SegmentPool> pool = std::move(segment->m_home);
    segment->m_shapes.reset();
    segment->m_entityNames.reset();
    if (pool->m_idleBytes.fetch_add(segment->bytes(), std::memory_order_relaxed) + segment->bytes()
        > MaxIdleBytes) {
        pool->m_idleBytes.fetch_sub(segment->bytes(), std::memory_order_relaxed);
        delete segment;
        return;
    }
    segment->m_next = pool->m_returned.load(std::memory_order_relaxed);
    while (!pool->m_returned.compare_exchange_weak(segment->m_next, segment, std::memory_order_release,
                                                   std::memory_order_relaxed))
        ;
}

// ---------------------------------------------------------------------------------------------------- segments of no pool

SegmentParts SegmentPool::parts(const RecordSegment& segment) {
    return {{segment.at(0), segment.m_used},
            segment.m_firstSequence,
            segment.m_firstTick,
            segment.m_firstStamp,
            segment.m_run,
            segment.m_nsPerTick,
            segment.m_shapes,
            segment.m_entityNames};
}

std::shared_ptr<const RecordSegment> SegmentPool::rebuilt(const SegmentParts& parts) {
    const auto segment = std::make_shared<RecordSegment>();
    const std::size_t bytes = parts.records.size();
    segment->m_words = std::make_unique_for_overwrite<RecordSegment::Word[]>(bytes / record::Alignment);
    segment->m_used = segment->m_capacity = bytes;
    std::memcpy(segment->m_words.get(), parts.records.data(), bytes);
    segment->m_firstSequence = parts.firstSequence;
    segment->m_firstTick = parts.firstTick;
    segment->m_firstStamp = parts.firstStamp;
    segment->m_run = parts.run;
    segment->m_nsPerTick = parts.nsPerTick;
    segment->m_shapes = parts.shapes;
    segment->m_entityNames = parts.entityNames;
    std::size_t count = 0;
    segment->forEach([&count](const RecordView&) { ++count; });
    segment->m_offsets = std::make_unique_for_overwrite<std::uint32_t[]>(count);
    segment->buildIndex();
    return segment;
}

std::shared_ptr<const RecordSegment> SegmentPool::blank(std::span<const LostRecord> lost) {
    const auto shapes = std::make_shared<ShapeNames>();
    shapes->learn(NoHandlers);
    std::size_t bytes = 0;
    for (const LostRecord& one : lost)
        bytes += record::roundUp(sizeof(RecordHeader) + sizeof(RecordExtra) + messageType(one.type).size);
    std::vector<RecordSegment::Word> words(bytes / record::Alignment);
    std::byte* at = words.front().bytes;
    for (const LostRecord& one : lost) {
        const std::size_t size = messageType(one.type).size;
        RecordHeader header{};
        header.flags = record::Extra;
        header.shape = NoHandlers;
        header.type = one.type;
        header.payload = static_cast<std::uint16_t>(size);
        RecordExtra extra{};
        extra.sequence = one.sequence;
        extra.tick = one.tick;
        extra.through = NoType;
        std::memcpy(at, &header, sizeof header);
        std::memcpy(at + sizeof header, &extra, sizeof extra);
        at += record::roundUp(sizeof header + sizeof extra + size);
    }
    SegmentParts parts;
    parts.records = {words.front().bytes, bytes};
    parts.shapes = shapes;
    parts.entityNames = std::make_shared<EntityNamesOfWorlds>();
    return rebuilt(parts);
}

} // namespace sbx
