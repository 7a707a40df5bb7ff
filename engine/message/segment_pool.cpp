#include "engine/message/segment_pool.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <cstring>
#include <utility>

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

} // namespace sbx
