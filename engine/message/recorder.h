#pragma once
// The recorder: records every dispatched message once, in the same form.
//
//   world --hook, or begin/finish--> Recorder --seal() once a tick--> immutable RecordSegment --> RecordReader (one other thread)
//
// The simulation thread appends to an open segment; sealing freezes it and hands a shared pointer to every reader through a
// lock-free queue, so that readers and the simulation share no lock. Segments come from a pool and return to it: with readers
// that keep up, a tick allocates nothing. A tick is recorded whole, however many messages it has; a reader that lags behind its
// limit misses whole segments and gets the number of their records.

#include "engine/message/dispatch_table.h"
#include "engine/message/record.h"
#include "engine/message/record_clock.h"
#include "engine/message/record_lane.h"
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
    Recorder();
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] NameTable& names() { return m_names; }
    [[nodiscard]] const NameTable& names() const { return m_names; }
    // Adds a world and returns its index; its name can be read from any thread that has the index. A world with the
    // name of an earlier one gets the same index, with entity names of its own; no dispatch may be in progress then.
    std::uint8_t addWorld(std::string_view name);
    [[nodiscard]] const std::string& worldName(std::uint8_t world) const {
        return m_names.name(m_worlds[world]);
    }

    // Off by default. All setters: simulation thread, between ticks.
    void setEnabled(bool enabled);
    [[nodiscard]] bool enabled() const { return m_enabled; }
    // Time in each handler: the clock is read before the first and after each.
    void setTiming(bool timing);
    [[nodiscard]] bool timing() const { return m_timing; }
    // Time of each dispatch: the clock is read once a record.
    void setStamps(bool stamps);
    [[nodiscard]] bool stamps() const { return m_stamps; }
    // Overrides the type's default.
    void setRecorded(MessageTypeId type, bool recorded);
    [[nodiscard]] bool isRecorded(MessageTypeId type) const {
        const std::uint8_t known = m_recorded[type];
        return known == 2 || (known == 0 && lookUpRecorded(type));
    }
    // For a dispatch that does not use a hooked table.
    [[nodiscard]] bool wants(MessageTypeId type) const { return m_enabled && isRecorded(type); }

    // A record that was begun; valid until the next seal(). Records nest: a handler's own sends come after, with higher sequences.
    struct Ticket {
        std::size_t offset = 0;
    };
    // Starts a record: copies the payload as it is before the first handler. `lane`: that of the world which writes, if it has one.
    [[gnu::always_inline]] Ticket begin(const Envelope& envelope, NameId sender, NameId receiver,
                                        ShapeId shape, const void* payload, std::size_t size,
                                        const RecordLane* lane = nullptr) {
        endOtherReadiness(lane);
        const std::uint64_t sequence = envelope.sequence - m_firstSequence;
        const std::uint64_t tick = envelope.tick - m_firstTick;
        const std::uint64_t cause = record::ago(envelope.sequence, envelope.cause, envelope.through);
        const bool origin = (cause | envelope.sender.bits | sender) != 0;
        const std::size_t bytes = record::plainBytes(size, m_stamps, origin);
        std::byte* const at = *m_cursor;
        if (((sequence | cause) >> 32U | tick >> 24U) != 0 || envelope.delayed || envelope.injected
            || envelope.site != 0 || m_timing || static_cast<std::size_t>(m_end - at) < bytes) [[unlikely]]
            return write(envelope, sender, receiver, shape, payload, size, nullptr);
        *m_cursor = at + bytes;
        const std::uint64_t flags = static_cast<unsigned>(envelope.delivery)
                                    | (m_stamps ? record::Stamped : 0U) | (origin ? record::Origin : 0U);
        record::Pair(sequence | tick << 32U | std::uint64_t(envelope.world) << 56U, envelope.receiver.bits)
            .store(at);
        record::Pair(shape | flags << 48U,
                     receiver | std::uint64_t(envelope.type) << 32U | std::uint64_t(size) << 48U)
            .store(at + 16);
        if (origin)
            record::Pair(envelope.sender.bits, sender | cause << 32U).store(at + sizeof(RecordHeader));
        record::copyPayload(at + record::headBytes(origin), payload, size);
        if (m_stamps)
            stamp(at + record::stampOffset(size, origin));
        return {static_cast<std::size_t>(at - m_memory)};
    }
    // Whether append() may follow: the lane is ready, no stamps are taken, there is room.
    [[nodiscard]] bool canAppend(const RecordLane& lane, std::size_t size) const {
        return !m_stamps && lane.limit != nullptr
               && lane.next + record::plainBytes(size, false, true) <= lane.limit;
    }
    // The record of a message from within a handler to an entity through a hooked list. The lane has taken its sequence; `ago`:
    // record::ago(), which fits; all handlers are reached and none consumes it, unless finish() says otherwise.
    [[gnu::always_inline]] Ticket append(RecordLane& lane, const RecordHook& hook, std::uint64_t ago,
                                         EntityId sender, NameId senderName, EntityId receiver,
                                         NameId receiverName, const void* payload) {
        std::byte* const at = lane.next;
        const std::size_t size = hook.size();
        lane.next = at + record::plainBytes(size, false, true);
        record::Pair(lane.word, receiver.bits).store(at);
        record::Pair(hook.words[0] | std::uint64_t(record::Origin) << 48U, hook.words[1] | receiverName)
            .store(at + 16);
        record::Pair(sender.bits, senderName | ago << 32U).store(at + sizeof(RecordHeader));
        record::copyPayload(at + record::headBytes(true), payload, size);
        return {static_cast<std::size_t>(at - m_memory)};
    }
    // How many handlers were reached, and whether the last of them consumed the message.
    void finish(Ticket ticket, std::size_t reached, bool consumed) {
        reinterpret_cast<RecordHeader*>(m_memory + ticket.offset)->outcome =
            static_cast<std::uint16_t>(reached * 2 + (consumed ? 1U : 0U));
    }
    // A person kept it from the handlers that follow.
    void markDropped(Ticket ticket) {
        auto& header = *reinterpret_cast<RecordHeader*>(m_memory + ticket.offset);
        header.flags = static_cast<std::uint16_t>(header.flags | record::Dropped);
    }
    // Completes the record of a message that a hook recorded and a handler consumed: it ended at `end`, see endOf().
    void finishHooked(std::size_t end, const HandlerEntry& consumed) {
        const RecordHook& hook = RecordHook::of(&consumed - consumed.index);
        finish({end - record::plainBytes(hook.size(), m_stamps, false)}, std::size_t(consumed.index) + 1,
               true);
    }
    // The offset in the open segment at which the lane's last record ended. Valid until its world writes another.
    [[nodiscard]] std::size_t endOf(const RecordLane& lane) const {
        return static_cast<std::size_t>(lane.next - m_memory);
    }
    // With timing() on: time spent in a handler, as the difference of two clockTicks().
    void time(Ticket ticket, std::size_t handler, std::uint64_t ticks);
    // A record of what happened to a message outside its handlers: counts belong to RecordNote::Short.
    void note(RecordNote note, const Envelope& envelope, NameId sender, NameId receiver, const void* payload,
              std::size_t size, std::uint32_t receivers = 0, std::uint32_t minimum = 0,
              const RecordLane* lane = nullptr);

    // Freezes what was recorded and hands it to the readers. No dispatch may be in progress.
    void seal();

    // Seals; from now on records belong to a new run, whose sequences begin again.
    void beginRun();

    // Interned name of a component type, for visits; once for each, before the first message to it.
    void setComponentName(ComponentTypeId component, std::string_view name, bool observer = false);

    // A reader for one other thread, which sees all segments sealed from now on. Simulation thread, or before it starts. The
    // recorder keeps at most `limitBytes` waiting for it; beyond that segments are dropped and counted as missed.
    [[nodiscard]] std::shared_ptr<RecordReader> addReader(std::size_t limitBytes = std::size_t(512) << 20U);

    // Sets the name of an entity of the lane's world, for the records that hooks write. Entities that use one index after the other must
    // be named in that order. `changed` of the lane means that all must be named again.
    void setEntityName(const RecordLane& lane, EntityId entity, NameId name);

    // From now on `changed` of the lane is called when the set of recorded messages changes; also once at once.
    void addLane(RecordLane& lane);
    void removeLane(RecordLane& lane);
    // Hooks the recorder into the table's lists of plain handlers if messages are recorded; otherwise removes it.
    void hook(RecordLane& lane, DispatchTable& table) const;
    // Makes the lane ready after a record was written the slow way: computes what the next records of this world and tick have in common.
    // All entities must be named, and no other existing world may have the same name. The lane is ready until the tick ends or an
    // entity is created, when the world sets lane.limit to null. A world whose tick is out of the segment's range is never ready.
    void prepare(RecordLane& lane, std::uint64_t tick);

private:
    bool lookUpRecorded(MessageTypeId type) const;
    void makeRoom(std::size_t bytes);
    static void stamp(std::byte* at) {
        const std::uint64_t now = clockTicks();
        std::memcpy(at, &now, sizeof now);
    }
    void change();
    [[nodiscard]] bool sharesItsName(const RecordLane& lane) const;
    void forgetNames(std::uint8_t world);
    void endReadiness();
    // Called before a record of that lane's world (null: of no lane) is written the slow way.
    void endOtherReadiness(const RecordLane* lane) {
        if (m_ready != lane)
            endReadiness();
    }
    // Every case: the first of a segment, delayed, timed, annotated, far from the first.
    Ticket write(const Envelope& envelope, NameId sender, NameId receiver, ShapeId shape, const void* payload,
                 std::size_t size, const RecordExtra* note);

    NameTable m_names;
    std::vector<NameId> m_worlds;
    bool m_enabled = false;
    bool m_timing = false;
    bool m_stamps = false;
    // By type id: 0 unknown yet, 1 no, 2 yes. Of all possible ids, so that a look-up needs no range check.
    std::unique_ptr<std::uint8_t[]> m_recorded = std::make_unique<std::uint8_t[]>(std::size_t(NoType) + 1);
    std::vector<NameId> m_componentNames;
    std::shared_ptr<ShapeNames> m_shapes;
    std::shared_ptr<EntityNamesOfWorlds> m_entityNames;
    RecordClock m_clock;
    std::shared_ptr<SegmentPool> m_pool;
    std::unique_ptr<RecordSegment> m_open;
    // Of the open segment: its memory, where the next record goes, the end of the memory. All null before the first record.
    std::byte* m_memory = nullptr;
    std::byte* m_next = nullptr;
    std::byte* m_end = nullptr;
    std::byte** m_cursor = &m_next; // the cursor in use: m_next, or that of the ready lane
    std::uint64_t m_firstSequence = 0;
    std::uint64_t m_firstTick = 0;
    std::uint64_t m_run = 0;
    std::vector<RecordLane*> m_lanes;
    RecordLane* m_ready = nullptr;
    std::size_t m_expected = 0; // bytes of a segment: as the last one
    std::vector<std::shared_ptr<RecordReader>> m_readers;
};

} // namespace sbx
