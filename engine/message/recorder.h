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
        m_at.room = 0;
    }
    [[nodiscard]] bool timing() const { return m_timing; }
    // Time of each dispatch: the clock is read once a record.
    void setStamps(bool stamps) { m_stamps = stamps; }
    [[nodiscard]] bool stamps() const { return m_stamps; }
    // Overrides the type's default.
    void setRecorded(MessageTypeId type, bool recorded);
    [[nodiscard]] bool isRecorded(MessageTypeId type) const {
        const std::uint8_t known = type < m_recorded.size() ? m_recorded[type] : std::uint8_t(0);
        return known == 0 ? lookRecordedUp(type) : known == 2;
    }

    // The one branch a dispatch pays.
    [[nodiscard]] bool wants(MessageTypeId type) const { return m_enabled && isRecorded(type); }

    // A record under way; good until the next seal(). Records nest: a handler's own sends come after, with higher sequences.
    struct Ticket {
        std::size_t offset = 0;
    };
    // Starts a record: copies the payload as it is before the first handler.
    Ticket begin(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape, const void* payload,
                 std::size_t size) {
        // What is written goes through bytes, which could be anything: all that is read is read first.
        const Writing open = m_at;
        const std::size_t stamps = m_stamps ? sizeof(std::uint64_t) : 0;
        const std::uint64_t sequence = envelope.sequence - open.firstSequence;
        const std::uint64_t tick = envelope.tick - open.firstTick;
        const std::uint64_t cause = envelope.cause == 0 ? 0 : envelope.sequence - envelope.cause;
        const std::size_t stampAt = record::roundUp(sizeof(RecordHeader) + size, sizeof(std::uint64_t));
        const std::uint64_t next = open.place + step(record::roundUp(stampAt + stamps));
        if (((sequence | tick | cause) >> 32U) != 0 || envelope.delayed || std::uint32_t(next) > open.room) [[unlikely]]
            return write(envelope, sender, receiver, shape, payload, size, nullptr);
        m_at.place = next;
        open.offsets[open.count()] = static_cast<std::uint32_t>(open.place);
        // In place and in six words, as RecordHeader has them: this is most of what a record costs.
        std::byte* const at = open.memory + open.used();
        put(at, 0, sequence | tick << 32U);
        put(at, 1, cause | std::uint64_t(sender) << 32U);
        put(at, 2, receiver | std::uint64_t(shape) << 32U);
        put(at, 3, envelope.sender.bits);
        put(at, 4, envelope.receiver.bits);
        put(at, 5,
            envelope.type | std::uint64_t(size) << 16U | std::uint64_t(envelope.world) << 48U
                | (std::uint64_t(envelope.delivery) | (stamps != 0 ? record::Stamped : 0U)) << 56U);
        copyPayload(at + sizeof(RecordHeader), payload, size);
        if (stamps != 0) {
            const std::uint64_t stamp = clockTicks();
            std::memcpy(at + stampAt, &stamp, sizeof stamp);
        }
        return {open.used()};
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
    // The open segment, as the next record needs it. No room: write() does it; so before the first record, and with timing.
    struct Writing {
        std::byte* memory = nullptr;
        std::uint32_t* offsets = nullptr;
        std::uint64_t place = 0; // words used, and in the upper half how many records: one load and one store for both
        std::uint32_t room = 0;  // words
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
        asm("" : "+r"(value));
#endif
        std::memcpy(record + word * sizeof value, &value, sizeof value);
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
    // Every case: the first of a segment, delayed, timed, annotated, far from the first.
    Ticket write(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape, const void* payload,
                 std::size_t size, const RecordExtra* note);

    NameTable m_names;
    std::vector<NameId> m_worlds;
    bool m_enabled = false;
    std::vector<std::uint32_t*> m_gates;
    bool m_timing = false;
    bool m_stamps = false;
    mutable std::vector<std::uint8_t> m_recorded; // by type id: 0 unknown yet, 1 no, 2 yes
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
