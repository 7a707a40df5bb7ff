#pragma once
// A recorded message, and segments of them, which the simulation passes to its readers.
//
// A record is small: 32 bytes, of a message that has a sender or a cause 16 more, then the payload as it was before the first
// handler. About handlers it has the number of their list (handler_shape.h), how many were reached, and whether the last
// one consumed the message; most leave out the receiver's name (entity_names.h). Sequence and tick count from the
// segment's first; values that do not fit, or are rare, are in an extra block.

#include "engine/message/entity_names.h"
#include "engine/message/envelope.h"
#include "engine/message/handler_shape.h"
#include "engine/message/message_type.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sbx {

enum class HandlerResult : std::uint8_t { NotReached, Passed, Consumed };

struct HandlerVisit {
    NameId component = 0; // interned component name
    std::int32_t priority = 0;
    HandlerResult result = HandlerResult::NotReached;
    std::uint32_t nanoseconds = 0; // 0 unless timing is on
    bool observer = false;         // it looks on and does not act: see ComponentType::observer
};

// What happened to a message outside its handlers.
enum class RecordNote : std::uint8_t {
    None,
    Short,      // fewer receivers than its sender required
    Gone,       // it was queued, and its receiver was removed meanwhile
    NoListener, // it was sent to listeners, and there were none
    CutOff      // too many messages nested, or caused by one
};

// "short", "gone", "unheard", "cut"; "" for None.
[[nodiscard]] const char* noteName(RecordNote note);

// In memory; read it through RecordView. Written in words: the first and second differ from record to record, the third and
// fourth are, except for the name if there is one, the same for all messages of one type to one list of handlers.
struct RecordHeader {
    std::uint32_t sequence;     // from the segment's first
    std::uint32_t tickAndWorld; // low 24 bits: from the segment's first; high 8: the world
    std::uint64_t receiver;     // an entity's handle
    ShapeId shape;
    std::uint16_t outcome; // twice the handlers reached, and one if the last of them consumed the message
    std::uint16_t flags;   // record::
    NameId receiverName; // 0: see record::NameByEntity
    MessageTypeId type;
    std::uint16_t payload; // bytes

    [[nodiscard]] std::uint32_t tick() const { return tickAndWorld & 0xFF'FFFFU; }
};
static_assert(sizeof(RecordHeader) == 32);

// Follows the header, if the message has a sender or a cause.
struct RecordOrigin {
    std::uint64_t sender; // an entity's handle
    NameId senderName;
    std::uint32_t ago; // record::ago()
};
static_assert(sizeof(RecordOrigin) == 16);

namespace record {
inline constexpr unsigned DeliveryMask = 0x07; // immediate: 0
inline constexpr unsigned Delayed = 0x08;
inline constexpr unsigned Origin = 0x10;  // a RecordOrigin follows the header
inline constexpr unsigned Extra = 0x20;   // a RecordExtra follows that
inline constexpr unsigned Timed = 0x40;   // nanoseconds of each handler follow the payload
inline constexpr unsigned Stamped = 0x80; // the clock at dispatch follows the payload
inline constexpr unsigned NameByEntity = 0x100; // the receiver's name, if it is not here, is that of EntityNames
inline constexpr unsigned Injected = 0x200;     // a person sent it: Envelope::injected
inline constexpr unsigned Dropped = 0x400;      // HandlerWatch::Verdict::Drop, before the first handler that was not reached
inline constexpr std::size_t Alignment = 16;
constexpr std::size_t roundUp(std::size_t bytes, std::size_t to = Alignment) {
    return (bytes + to - 1) / to * to;
}

// How many sequences ago the cause was; 0: none. Of a message whose cause is not recorded: the highest bit, 15 bits for the nearest
// one before it that is, and the type of the cause.
inline constexpr std::uint64_t ThroughUnrecorded = 0x8000'0000U;
inline constexpr std::uint64_t AgoBits = 15;
inline constexpr std::uint64_t DoesNotFit = std::uint64_t(1) << 32U; // it is in the RecordExtra
[[nodiscard]] inline std::uint64_t ago(std::uint64_t sequence, std::uint64_t cause, MessageTypeId through) {
    const std::uint64_t distance = cause == 0 ? 0 : sequence - cause;
    if (through == NoType) [[likely]]
        return distance < ThroughUnrecorded ? distance : DoesNotFit;
    return (distance >> AgoBits) == 0 ? ThroughUnrecorded | distance << 16U | through : DoesNotFit;
}

// Before the payload of a record without extras.
constexpr std::size_t headBytes(bool origin) {
    return sizeof(RecordHeader) + (origin ? sizeof(RecordOrigin) : 0);
}
// The offset of the stamp, and the size of the record.
constexpr std::size_t stampOffset(std::size_t payload, bool origin) {
    return roundUp(headBytes(origin) + payload, sizeof(std::uint64_t));
}
constexpr std::size_t plainBytes(std::size_t payload, bool stamped, bool origin) {
    return roundUp(stampOffset(payload, origin) + (stamped ? sizeof(std::uint64_t) : 0));
}

// Two words that are written in one store, from registers: where both were just written one by one, loading them would stall.
// Memory is aligned to 16.
class Pair {
public:
    static_assert(std::endian::native == std::endian::little, "several fields are written as one word");
#if defined(__SSE2__)
    Pair(std::uint64_t low, std::uint64_t high)
        : m_words(_mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low))) {}
    void store(void* to) const { _mm_store_si128(static_cast<__m128i*>(to), m_words); }

private:
    __m128i m_words;
#else
    Pair(std::uint64_t low, std::uint64_t high) : m_low(low), m_high(high) {}
    void store(void* to) const {
        const std::uint64_t words[] = {m_low, m_high};
        std::memcpy(to, words, sizeof words);
    }

private:
    std::uint64_t m_low;
    std::uint64_t m_high;
#endif
};

// A plain move for the common sizes.
inline void copyPayload(std::byte* to, const void* from, std::size_t size) {
    switch (size) {
    case 8:
        std::memcpy(to, from, 8);
        return;
    case 16:
        std::memcpy(to, from, 16);
        return;
    case 32:
        std::memcpy(to, from, 32);
        return;
    default:
        std::memcpy(to, from, size);
    }
}
} // namespace record

struct alignas(record::Alignment) RecordExtra {
    std::uint64_t sequence;
    std::uint64_t tick;
    std::uint64_t cause;
    std::uint64_t queuedAt;
    std::uint32_t receivers; // of a note
    std::uint32_t minimum;
    RecordNote note;
    MessageTypeId through;
    NameId site;
};
static_assert(sizeof(RecordExtra) == 48);

class VisitIterator;

// The handlers of a record in priority order; those after a Consumed one are NotReached. Points into the segment and its shapes.
class VisitRange {
public:
    VisitRange() = default;
    VisitRange(const ShapeNames& names, ShapeId shape, std::size_t reached, bool consumed,
               const std::byte* times)
        : m_names(&names),
          m_handlers(names.handlers(shape)),
          m_reached(reached),
          m_consumed(consumed),
          m_times(times) {}

    [[nodiscard]] std::size_t size() const { return m_handlers.size(); }
    [[nodiscard]] bool empty() const { return m_handlers.empty(); }
    [[nodiscard]] std::size_t reached() const { return m_reached; }
    [[nodiscard]] HandlerVisit operator[](std::size_t index) const {
        HandlerVisit visit{m_names->name(m_handlers[index].component), m_handlers[index].priority,
                           HandlerResult::NotReached, 0, m_names->isObserver(m_handlers[index].component)};
        if (index < m_reached)
            visit.result =
                m_consumed && index + 1 == m_reached ? HandlerResult::Consumed : HandlerResult::Passed;
        if (m_times != nullptr)
            std::memcpy(&visit.nanoseconds, m_times + index * sizeof(std::uint32_t), sizeof(std::uint32_t));
        return visit;
    }
    [[nodiscard]] VisitIterator begin() const;
    [[nodiscard]] VisitIterator end() const;

private:
    const ShapeNames* m_names = nullptr;
    std::span<const ShapeHandler> m_handlers;
    std::size_t m_reached = 0;
    bool m_consumed = false;
    const std::byte* m_times = nullptr;
};

class VisitIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = HandlerVisit;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = HandlerVisit;

    VisitIterator() = default;
    VisitIterator(const VisitRange& range, std::size_t at) : m_range(range), m_at(at) {}
    HandlerVisit operator*() const { return m_range[m_at]; }
    VisitIterator& operator++() { return ++m_at, *this; }
    VisitIterator operator++(int) { return {m_range, m_at++}; }
    friend bool operator==(const VisitIterator& a, const VisitIterator& b) { return a.m_at == b.m_at; }

private:
    VisitRange m_range;
    std::size_t m_at = 0;
};

inline VisitIterator VisitRange::begin() const { return {*this, 0}; }
inline VisitIterator VisitRange::end() const { return {*this, size()}; }

class RecordView;
class SegmentPool;

// Records of one stretch of time, by sequence. Immutable once sealed; shared between threads. Its memory comes from a pool and
// returns to it when the last reader drops its reference.
class RecordSegment {
public:
    RecordSegment() = default;
    RecordSegment(const RecordSegment&) = delete;
    RecordSegment& operator=(const RecordSegment&) = delete;

    // The first call walks the records once, to find where each begins.
    [[nodiscard]] std::size_t size() const {
        index();
        return m_count;
    }
    [[nodiscard]] RecordView operator[](std::size_t number) const;
    // Visits each in order without building that index: for the simulation's thread, which must not wait for a reader.
    template <typename Visit> void forEach(const Visit& visit) const;
    // Memory it holds.
    [[nodiscard]] std::size_t bytes() const { return m_capacity + offsetCapacity() * sizeof(std::uint32_t); }
    // Recorder::beginRun()s before it. Sequences of another run mean nothing in this one.
    [[nodiscard]] std::uint64_t run() const { return m_run; }
    // Length of a tick of the recorder's clock, for stamps.
    [[nodiscard]] double nsPerTick() const { return m_nsPerTick; }

private:
    friend class Recorder;
    friend class RecordView;
    friend class SegmentPool;
    struct alignas(record::Alignment) Word {
        std::byte bytes[record::Alignment];
    };
    [[nodiscard]] std::byte* at(std::size_t offset) {
        return reinterpret_cast<std::byte*>(m_words.get()) + offset;
    }
    [[nodiscard]] const std::byte* at(std::size_t offset) const {
        return reinterpret_cast<const std::byte*>(m_words.get()) + offset;
    }
    // Room for records of `bytes` in all, keeping what is used.
    void reserve(std::size_t bytes);
    void shrinkTo(std::size_t bytes);
    void empty() {
        m_used = 0;
        m_indexed.store(NotIndexed, std::memory_order_relaxed);
    }
    [[nodiscard]] std::size_t offsetCapacity() const { return m_capacity / sizeof(RecordHeader); }
    void index() const {
        if (m_indexed.load(std::memory_order_acquire) != Indexed) [[unlikely]]
            buildIndex();
    }
    void buildIndex() const;

    enum : std::uint32_t { NotIndexed, Indexing, Indexed };
    mutable std::atomic<std::uint32_t> m_indexed{NotIndexed};
    mutable std::size_t m_count = 0;
    std::unique_ptr<Word[]> m_words;
    std::unique_ptr<std::uint32_t[]>
        m_offsets;          // of each record, in words, once indexed; enough for the smallest
    std::size_t m_used = 0; // bytes
    std::size_t m_capacity = 0;
    std::uint64_t m_firstSequence = 0;
    std::uint64_t m_firstTick = 0;
    std::uint64_t m_firstStamp = 0;
    std::uint64_t m_run = 0;
    double m_nsPerTick = 1.0;
    std::shared_ptr<const ShapeNames> m_shapes;
    std::shared_ptr<const EntityNamesOfWorlds> m_entityNames;
    std::shared_ptr<SegmentPool> m_home; // while the segment is in use
    RecordSegment* m_next = nullptr;     // while the segment is in the pool
    alignas(
        16) std::byte m_control[96] = {}; // shared_ptr's own block: handing a segment over allocates nothing
};

// A record inside a sealed segment; valid as long as the segment lives.
class RecordView {
public:
    RecordView() = default;
    RecordView(const RecordSegment& segment, const std::byte* at) : m_segment(&segment), m_at(at) {}

    [[nodiscard]] std::uint64_t sequence() const {
        return has(record::Extra) ? extra().sequence : m_segment->m_firstSequence + header().sequence;
    }
    [[nodiscard]] std::uint64_t tick() const {
        return has(record::Extra) ? extra().tick : m_segment->m_firstTick + header().tick();
    }
    // As in the Envelope.
    [[nodiscard]] std::uint64_t cause() const {
        if (has(record::Extra))
            return extra().cause;
        std::uint32_t ago = has(record::Origin) ? origin().ago : 0;
        if (ago >= record::ThroughUnrecorded)
            ago = (ago - static_cast<std::uint32_t>(record::ThroughUnrecorded)) >> 16U;
        return ago == 0 ? 0 : sequence() - ago;
    }
    [[nodiscard]] MessageTypeId through() const {
        if (has(record::Extra))
            return extra().through;
        const std::uint32_t ago = has(record::Origin) ? origin().ago : 0;
        return ago >= record::ThroughUnrecorded ? static_cast<MessageTypeId>(ago) : NoType;
    }
    [[nodiscard]] bool injected() const { return has(record::Injected); }
    // Envelope::site.
    [[nodiscard]] NameId site() const { return has(record::Extra) ? extra().site : 0; }
    // A breakpoint's user kept it from the handlers that were not reached.
    [[nodiscard]] bool dropped() const { return has(record::Dropped); }
    [[nodiscard]] MessageTypeId type() const { return header().type; }
    [[nodiscard]] Delivery delivery() const {
        return static_cast<Delivery>(header().flags & record::DeliveryMask);
    }
    [[nodiscard]] bool delayed() const { return has(record::Delayed); }
    // Ticks that it lay here, come by the network, until all it depends on was there; 0: it did not wait.
    [[nodiscard]] std::uint64_t late() const {
        const std::uint64_t came = delayed() && delivery() == Delivery::Network ? extra().queuedAt : tick();
        return tick() - std::min(tick(), came); // a trace file may say anything
    }
    [[nodiscard]] std::uint8_t world() const {
        return static_cast<std::uint8_t>(header().tickAndWorld >> 24U);
    }
    [[nodiscard]] EntityId sender() const {
        return has(record::Origin) ? EntityId::fromBits(origin().sender) : EntityId();
    }
    [[nodiscard]] EntityId receiver() const { return EntityId::fromBits(header().receiver); }
    // Interned entity names; 0: the engine or the console.
    [[nodiscard]] NameId senderName() const { return has(record::Origin) ? origin().senderName : 0; }
    [[nodiscard]] NameId receiverName() const {
        const NameId written = header().receiverName;
        return written != 0 || !has(record::NameByEntity) ? written : nameOfReceiver();
    }
    [[nodiscard]] Envelope envelope() const;
    // In priority order; those after a Consumed one are NotReached. Empty: no component handles this type.
    [[nodiscard]] VisitRange visits() const;
    [[nodiscard]] std::size_t reached() const { return header().outcome / 2U; }
    [[nodiscard]] bool consumed() const { return (header().outcome & 1U) != 0; }
    [[nodiscard]] RecordNote note() const { return has(record::Extra) ? extra().note : RecordNote::None; }
    // With the note Short: the number of receivers, and how many were required.
    [[nodiscard]] std::uint32_t receivers() const { return has(record::Extra) ? extra().receivers : 0; }
    [[nodiscard]] std::uint32_t minimum() const { return has(record::Extra) ? extra().minimum : 0; }
    // Nanoseconds from the segment's first stamp to this one's; -1 without.
    [[nodiscard]] double stampNs() const;

    // The message as it was sent; read it through messageType(type()).fields. Aligned to 16.
    [[nodiscard]] const void* payload() const { return m_at + payloadOffset(); }
    [[nodiscard]] std::size_t payloadSize() const { return header().payload; }

private:
    friend class Recorder;
    friend class RecordSegment;
    [[nodiscard]] const RecordHeader& header() const { return *reinterpret_cast<const RecordHeader*>(m_at); }
    [[nodiscard]] const RecordOrigin& origin() const {
        return *reinterpret_cast<const RecordOrigin*>(m_at + sizeof(RecordHeader));
    }
    [[nodiscard]] const RecordExtra& extra() const {
        return *reinterpret_cast<const RecordExtra*>(m_at + record::headBytes(has(record::Origin)));
    }
    [[nodiscard]] bool has(unsigned flag) const { return (header().flags & flag) != 0; }
    [[nodiscard]] std::size_t payloadOffset() const {
        return record::headBytes(has(record::Origin)) + (has(record::Extra) ? sizeof(RecordExtra) : 0);
    }
    [[nodiscard]] std::size_t stampOffset() const {
        return record::roundUp(payloadOffset() + header().payload, 8);
    }
    [[nodiscard]] std::size_t timesOffset() const {
        return stampOffset() + (has(record::Stamped) ? sizeof(std::uint64_t) : 0);
    }
    [[nodiscard]] NameId nameOfReceiver() const {
        const EntityNames* const names = (*m_segment->m_entityNames)[world()].get();
        return names == nullptr ? 0 : names->name(receiver());
    }
    // The size of the record.
    [[nodiscard]] std::size_t bytes() const {
        return record::roundUp(has(record::Timed) ? timesOffset() + visits().size() * sizeof(std::uint32_t)
                                                  : timesOffset());
    }

    const RecordSegment* m_segment = nullptr;
    const std::byte* m_at = nullptr;
};

inline RecordView RecordSegment::operator[](std::size_t number) const {
    index();
    return {*this, at(std::size_t(m_offsets[number]) * record::Alignment)};
}

template <typename Visit> void RecordSegment::forEach(const Visit& visit) const {
    for (std::size_t offset = 0; offset < m_used;) {
        const RecordView record(*this, at(offset));
        visit(record);
        offset += record.bytes();
    }
}

inline Envelope RecordView::envelope() const {
    Envelope e;
    e.sequence = sequence();
    e.cause = cause();
    e.tick = tick();
    e.sender = sender();
    e.receiver = receiver();
    e.type = type();
    e.delivery = delivery();
    e.world = world();
    e.delayed = delayed();
    e.injected = injected();
    e.through = through();
    e.queuedAt = has(record::Extra) ? extra().queuedAt : 0;
    e.site = site();
    return e;
}

inline VisitRange RecordView::visits() const {
    return {*m_segment->m_shapes, header().shape, reached(), consumed(),
            has(record::Timed) ? m_at + timesOffset() : nullptr};
}

} // namespace sbx
