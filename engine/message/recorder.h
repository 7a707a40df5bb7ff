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
            *gate = enabled ? *gate | GateBit : *gate & ~GateBit;
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
        const std::uint64_t place = m_at.place;
        const std::uint64_t next = place + step(record::roundUp(sizeof(RecordHeader) + size));
        const std::uint64_t since = sequence - m_at.firstSequence;
        const std::uint64_t ticks = tick - m_at.firstTick;
        const std::uint64_t ago = cause == 0 ? 0 : sequence - cause;
        if (((since | ticks | ago) >> 32U) != 0 || std::uint32_t(next) > m_at.room) [[unlikely]]
            return false;
        // In place and in six words, as RecordHeader has them: this is most of what a record costs. What is written goes
        // through bytes, which could be anything: so everything is read just before it is needed, and only once.
        m_at.place = next;
        ticket = {std::size_t(std::uint32_t(place)) * record::Alignment};
        std::byte* const at = m_at.memory + ticket.offset;
        m_at.offsets[place >> 32U] = static_cast<std::uint32_t>(place);
        put(at, 0, since | ticks << 32U);
        put(at, 1, ago | std::uint64_t(about.senderName()) << 32U);
        put(at, 2, about.receiverName() | std::uint64_t(about.shape()) << 32U);
        put(at, 3, about.sender().bits);
        put(at, 4, about.receiver().bits);
        put(at, 5, about.kind());
        copyPayload(at + sizeof(RecordHeader), payload, size);
        return true;
    }
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
    void addGate(std::uint32_t& gate) {
        m_gates.push_back(&gate);
        setEnabled(m_enabled);
    }
    void removeGate(std::uint32_t& gate) { std::erase(m_gates, &gate); }

private:
    // The open segment, as the next record needs it. No room: beginAside() does it; so before the first record, and with stamps
    // or timing.
    struct Writing {
        std::byte* memory = nullptr;
        std::uint32_t* offsets = nullptr;
        std::uint64_t place = 0; // words used, and in the upper half how many records: one load and one store for both
        std::uint32_t room = 0;        // words
        std::uint32_t stampedRoom = 0; // of records with a stamp each
        [[nodiscard]] std::size_t used() const { return std::size_t(std::uint32_t(place)) * record::Alignment; }
        [[nodiscard]] std::size_t count() const { return place >> 32U; }
        std::uint64_t firstSequence = 0;
        std::uint64_t firstTick = 0;
    };
    // What a record of so many bytes adds to Writing::place.
    static constexpr std::uint64_t step(std::size_t bytes) {
        return bytes / record::Alignment + (std::uint64_t(1) << 32U);
    }
    static void put(std::byte* record, std::size_t word, std::uint64_t value) {
#if defined(__GNUC__)
        // One word at a time: as pairs they would be loaded from an envelope just written, which stalls for ten times as long.
        using Word [[gnu::may_alias]] = std::uint64_t;
        *reinterpret_cast<volatile Word*>(record + word * sizeof value) = value;
#else
        std::memcpy(record + word * sizeof value, &value, sizeof value);
#endif
    }
    static void copyPayload(std::byte* to, const void* from, std::size_t size) {
        switch (size) { // a plain move for the common sizes
        case 0:
            return;
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
    std::size_t m_expected = 0; // bytes of a segment: as the last one
    std::vector<std::shared_ptr<RecordReader>> m_readers;
};

} // namespace sbx
