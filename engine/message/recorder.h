#pragma once
// The recorder: every dispatched message, the same way, once.
//
//   world --begin/finish--> Recorder --seal() once a tick--> immutable RecordSegment --> RecordReader (one other thread)
//
// The simulation thread appends to an open segment; sealing freezes it and hands a shared pointer to every reader through a
// lock-free queue, so that readers and the simulation share no lock. Segments come from a pool and return to it: with readers
// that keep up, a tick allocates nothing. A tick is recorded whole, however many messages it has; a reader that lags behind its
// limit misses whole segments and is told how many records.

#include "engine/message/record.h"
#include "engine/message/record_clock.h"
#include "engine/message/record_reader.h"

#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sbx {

class SegmentPool;

class Recorder {
public:
    static_assert(std::endian::native == std::endian::little, "begin() packs a header's fields into words");

    Recorder();
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] NameTable& names() { return m_names; }
    [[nodiscard]] const NameTable& names() const { return m_names; }
    // Adds a world and returns its index; its name can be read from any thread that was handed the index.
    std::uint8_t addWorld(std::string_view name);
    [[nodiscard]] const std::string& worldName(std::uint8_t world) const {
        return m_names.name(m_worlds[world]);
    }

    // Off by default. All setters: simulation thread, between ticks.
    void setEnabled(bool enabled) {
        m_enabled = enabled;
        for (std::uint32_t* const gate : m_gates)
            *gate = enabled ? *gate | GateBit : *gate & ~(GateBit | ReadyBit);
    }
    [[nodiscard]] bool enabled() const { return m_enabled; }
    // Time in each handler: the clock is read before the first and after each.
    void setTiming(bool timing) {
        m_timing = timing;
        m_at.room = m_at.stampedRoom = 0;
    }
    [[nodiscard]] bool timing() const { return m_timing; }
    // Time of each dispatch: the clock is read once a record.
    void setStamps(bool stamps) {
        m_stamps = stamps;
        m_at.room = m_at.stampedRoom = 0;
    }
    [[nodiscard]] bool stamps() const { return m_stamps; }
    // Overrides the type's default.
    void setRecorded(MessageTypeId type, bool recorded);
    [[nodiscard]] bool isRecorded(MessageTypeId type) const {
        const std::uint8_t known = m_recorded[type];
        return known == 2 || (known == 0 && lookRecordedUp(type));
    }
    // False: isRecorded() knows better.
    [[nodiscard]] bool isKnownAsRecorded(std::uint32_t type) const { return m_recorded[type] == 2; }

    // The one branch a dispatch pays.
    [[nodiscard]] bool wants(MessageTypeId type) const { return m_enabled && isRecorded(type); }

    // A record under way; good until the next seal(). Records nest: a handler's own sends come after, with higher sequences.
    struct Ticket {
        std::size_t offset = 0;
    };
    // What a record says of a message beside when it was and what it carries.
    struct Plain {
        EntityId from;
        EntityId to;
        NameId fromName;
        NameId toName;
        ShapeId handlers;
        std::uint64_t what; // kindOf()

        [[nodiscard]] EntityId sender() const { return from; }
        [[nodiscard]] EntityId receiver() const { return to; }
        [[nodiscard]] NameId senderName() const { return fromName; }
        [[nodiscard]] NameId receiverName() const { return toName; }
        [[nodiscard]] ShapeId shape() const { return handlers; }
        [[nodiscard]] std::uint64_t kind() const { return what; }
    };
    // All its `handlers` are reached and none consumes it, unless finish() says otherwise.
    static constexpr std::uint64_t kindOf(MessageTypeId type, std::size_t size, Delivery delivery, std::uint8_t world,
                                          std::size_t handlers = 0) {
        return type | std::uint64_t(size) << 16U | std::uint64_t(handlers) << 33U | std::uint64_t(world) << 48U
               | std::uint64_t(delivery) << 56U;
    }
    // Starts a record: copies the payload as it is before the first handler.
    [[gnu::always_inline]] Ticket begin(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape,
                                        const void* payload, std::size_t size) {
        Ticket ticket;
        if (envelope.delayed
            || !beginPlain(ticket, envelope.sequence, envelope.cause, envelope.tick, payload, size,
                           Plain{envelope.sender, envelope.receiver, sender, receiver, shape,
                                 kindOf(envelope.type, size, envelope.delivery, envelope.world)})) [[unlikely]]
            return beginAside(envelope, sender, receiver, shape, payload, size);
        return ticket;
    }
    // The same without an envelope, of a message that was not delayed: `about` is a Plain, or is asked for the same once there
    // is room. False: nothing was done, and begin() it must be.
    template <typename About>
    [[nodiscard, gnu::always_inline]] bool beginPlain(Ticket& ticket, std::uint64_t sequence, std::uint64_t cause,
                                                      std::uint64_t tick, const void* payload, std::size_t size,
                                                      const About& about) {
        const std::uint32_t words = wordsOf(record::roundUp(sizeof(RecordHeader) + size));
        const std::uint64_t since = sequence - m_at.firstSequence;
        const std::uint64_t ticks = tick - m_at.firstTick;
        const std::uint64_t ago = cause == 0 ? 0 : sequence - cause;
        if (((since | ticks | ago) >> 32U) != 0 || m_at.used() + words > m_at.room) [[unlikely]]
            return false;
        ticket = fill(words, since, ticks << 32U, ago, payload, size, about);
        return true;
    }
    // The same in two steps, of an immediate message in the world and the tick that the recorder is ready for (see prepare()).
    template <std::size_t Size> [[nodiscard]] bool hasRoom(std::uint64_t sequence) const {
        return m_at.used() + wordsOf(record::roundUp(sizeof(RecordHeader) + Size)) <= m_at.room
               && sequence <= m_at.lastSequence;
    }
    // `ago`: below 2^32. about.kind() says type and size and how many handlers.
    template <std::size_t Size, typename About>
    [[gnu::always_inline]] Ticket append(std::uint64_t sequence, std::uint64_t ago, const void* payload, const About& about) {
        constexpr std::uint32_t Words = wordsOf(record::roundUp(sizeof(RecordHeader) + Size));
        return fill(Words, sequence, late(m_at.when), ago, payload, Size, about);
    }
    // Asked after begin() of `sequence`: what the next append() to this segment needs to know of world and tick is worked out
    // once. Ready for it is the world whose gate (below) has the ReadyBit, one at a time, until its tick ends, for which it takes
    // the bit away itself, or the segment. A world further back than the segment reaches is never ready.
    void prepare(std::uint32_t& gate, std::uint64_t sequence, std::uint64_t tick, std::uint8_t world) {
        const std::uint64_t ticks = tick - m_at.firstTick;
        if (m_at.room == 0 || (ticks >> 32U) != 0 || sequence < m_at.firstSequence)
            return;
        endReadiness();
        m_ready = &gate;
        gate |= ReadyBit;
        m_at.when = (ticks << 32U) - m_at.firstSequence; // plus a sequence it is a header's first word
        m_at.lastSequence = m_at.firstSequence + 0xFFFF'FFFFU;
        m_at.kind = kindOf(0, 0, Delivery::Immediate, world);
    }
    // The world's part of a record's kind, for append().
    [[nodiscard]] std::uint64_t readyKind() const { return late(m_at.kind); }
    // How many handlers were reached, and whether the last of them consumed the message.
    void finish(Ticket ticket, std::size_t reached, bool consumed) {
        reinterpret_cast<RecordHeader*>(m_at.memory + ticket.offset)->outcome =
            static_cast<std::uint16_t>(reached * 2 + (consumed ? 1U : 0U));
    }
    // With timing() on: time spent in a handler, as the difference of two clockTicks().
    void time(Ticket ticket, std::size_t handler, std::uint64_t ticks);
    // A record of what befell a message beyond its handlers: counts belong to RecordNote::Short.
    void note(RecordNote note, const Envelope& envelope, NameId sender, NameId receiver, const void* payload,
              std::size_t size, std::uint32_t receivers = 0, std::uint32_t minimum = 0);

    // Freezes what was recorded and hands it to the readers. No dispatch may be under way.
    void seal();

    // Interned name of a component type, for visits; once for each, before the first message to it.
    void setComponentName(ComponentTypeId component, std::string_view name);

    // A reader for one other thread, which sees all segments sealed from now on. Simulation thread, or before it starts. The
    // recorder keeps at most `limitBytes` waiting for it; beyond that segments are not handed over but counted as missed.
    [[nodiscard]] std::shared_ptr<RecordReader> addReader(std::size_t limitBytes = std::size_t(512) << 20U);

    // A word whose top bit says from now on whether recording is on: whoever looks at the word for reasons of its own anyway
    // learns that for nothing.
    static constexpr std::uint32_t GateBit = 0x8000'0000U;
    static constexpr std::uint32_t ReadyBit = 0x1000'0000U; // see prepare(); only beside the other
    void addGate(std::uint32_t& gate) {
        m_gates.push_back(&gate);
        setEnabled(m_enabled);
    }
    void removeGate(std::uint32_t& gate) {
        std::erase(m_gates, &gate);
        if (m_ready == &gate)
            m_ready = nullptr;
    }

private:
    // The open segment, as the next record needs it. No room: beginAside() does it; so before the first record, and with stamps
    // or timing.
    struct Writing {
        std::byte* memory = nullptr;
        std::uint32_t* offsets = nullptr;
        std::uint32_t* nextOffset = nullptr; // into offsets: of the record to come, which says how many words are used
        std::uint32_t room = 0;              // words
        std::uint32_t stampedRoom = 0;       // of records with a stamp each
        [[nodiscard]] std::uint32_t used() const { return *nextOffset; }
        [[nodiscard]] std::size_t bytes() const { return std::size_t(used()) * record::Alignment; }
        [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(nextOffset - offsets); }
        std::uint64_t firstSequence = 0;
        std::uint64_t firstTick = 0;
        // See prepare().
        std::uint64_t when = 0;
        std::uint64_t lastSequence = 0;
        std::uint64_t kind = 0;
    };
    // In place, as RecordHeader has it: this is most of what a record costs. `when` and the sequence add up to the first word.
    // What is written goes through bytes, which could be anything: so everything is read just before it is needed, and once.
    template <typename About>
    [[gnu::always_inline]] Ticket fill(std::uint32_t words, std::uint64_t sequence, std::uint64_t when, std::uint64_t ago,
                                       const void* payload, std::size_t size, const About& about) {
        std::uint32_t* const offset = late(m_at.nextOffset);
        const std::uint32_t place = *offset;
        offset[1] = place + words;
        m_at.nextOffset = offset + 1;
        const Ticket ticket{std::size_t(place) * record::Alignment};
        std::byte* const at = late(m_at.memory) + ticket.offset;
        put(at, 1, about.receiverName() | std::uint64_t(about.shape()) << 32U, about.sender().bits);
        put(at, 2, about.receiver().bits, about.kind());
        copyPayload(at + sizeof(RecordHeader), payload, size);
        put(at, 0, sequence + when, ago | std::uint64_t(about.senderName()) << 32U);
        return ticket;
    }
    // Read here and not before: what is read early waits in a register, and there are not enough.
    template <typename T> static T late(const T& value) { return *static_cast<const volatile T*>(&value); }
    void endReadiness() {
        if (m_ready != nullptr)
            *m_ready &= ~ReadyBit;
        m_ready = nullptr;
    }
    static constexpr std::uint32_t wordsOf(std::size_t bytes) { return static_cast<std::uint32_t>(bytes / record::Alignment); }
    // Two words in one store: a record is a line of memory, and stores are what it costs.
    static void put(std::byte* record, std::size_t pair, std::uint64_t low, std::uint64_t high) {
        const std::uint64_t words[] = {low, high};
        std::byte* const at = record + pair * sizeof words;
#if defined(__SSE2__)
        // From registers: where both were just written one by one, loading the pair would stall.
        _mm_store_si128(reinterpret_cast<__m128i*>(at),
                        _mm_set_epi64x(static_cast<long long>(words[1]), static_cast<long long>(words[0])));
#else
        std::memcpy(at, words, sizeof words);
#endif
    }
    static void copyPayload(std::byte* to, const void* from, std::size_t size) {
        switch (size) { // a plain move for the common sizes, over the record's whole last sixteen bytes
        case 0:
            return;
        case 8: {
            std::uint64_t word;
            std::memcpy(&word, from, sizeof word);
            put(to, 0, word, 0);
            return;
        }
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
    bool lookRecordedUp(MessageTypeId type) const;
    void makeRoom(std::size_t bytes);
    // Stamped, or what write() is for.
    Ticket beginAside(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape, const void* payload,
                      std::size_t size);
    // Every case: the first of a segment, delayed, timed, annotated, far from the first.
    Ticket write(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape, const void* payload,
                 std::size_t size, const RecordExtra* note);

    NameTable m_names;
    std::vector<NameId> m_worlds;
    bool m_enabled = false;
    std::vector<std::uint32_t*> m_gates;
    std::uint32_t* m_ready = nullptr; // the gate that may have the ReadyBit
    bool m_timing = false;
    bool m_stamps = false;
    // By type id: 0 unknown yet, 1 no, 2 yes. Of all ids there can be, so that nothing is asked but the answer.
    std::unique_ptr<std::uint8_t[]> m_recorded = std::make_unique<std::uint8_t[]>(std::size_t(NoType) + 1);
    std::vector<NameId> m_componentNames;
    std::shared_ptr<ShapeNames> m_shapes;
    RecordClock m_clock;
    std::shared_ptr<SegmentPool> m_pool;
    std::unique_ptr<RecordSegment> m_open;
    Writing m_at;
    std::uint32_t m_noOffset = 0; // of the first record, before there is a segment
    std::size_t m_expected = 0; // bytes of a segment: as the last one
    std::vector<std::shared_ptr<RecordReader>> m_readers;
};

} // namespace sbx
