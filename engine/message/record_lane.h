#pragma once
// A world's fast path into the recorder. While messages are recorded, the recorder is hooked into the world's dispatch tables before
// the first handler of each list (DispatchTable::Range::enter): it writes the record and continues with that handler. So a send costs the
// same instructions whether there is a recorder or not, and one that is recorded only those of its record.
//
//   World::send --> enter: record, handler --jump--> handler     back to the sender
//
// Simulation thread.

#include "engine/message/record.h"
#include "engine/message/record_clock.h"

namespace sbx {

struct HandlerEntry;
// Calls the handler of an entry. Returns the entry whose handler consumed the message; null: none. Component and message are the first
// parameters because the handler itself takes them there.
using HandlerCall = const HandlerEntry* (*)(std::byte* component, void* message, const void* about,
                                            const HandlerEntry* entry);

struct RecordLane {
    // Beyond the limit there is still room for a record of a payload up to Known bytes.
    static constexpr std::size_t Known = 64;
    static constexpr std::size_t Slack = record::plainBytes(Known, true, false);
    // Bits of the gate, beside the number of nested dispatches in progress:
    static constexpr std::uint64_t WorkPending = std::uint64_t(1)
                                                 << 63U; // entities or components wait to be removed
    static constexpr std::uint64_t SequenceKnown = std::uint64_t(1)
                                                   << 62U; // the outermost message's sequence is known
    static constexpr std::uint64_t Unrecorded =
        std::uint64_t(1) << 61U; // the outermost message has no record written by a hook
    static constexpr std::uint64_t InRun = std::uint64_t(1)
                                           << 60U; // the outermost message is one of a run of entities
    static constexpr std::uint64_t Unseen = std::uint64_t(1)
                                            << 59U; // see MessageRouter::Unseen
    static constexpr std::uint64_t Injected = std::uint64_t(1)
                                            << 58U; // see MessageRouter::Injected
    static constexpr std::uint64_t Watched = std::uint64_t(1)
                                             << 57U; // see MessageRouter::setHandlerWatch()

    // One world at a time writes to the open segment's memory: until another one writes, or its tick or the segment ends.
    std::byte* next = nullptr; // where the next record is written, if the lane is ready
    // Slack bytes before the memory ends: from here on a record may not fit; null: not ready, records take `slowPath`. While it is
    // ready, the recorder has the names of all entities that are alive.
    std::byte* limit = nullptr;
    std::uint64_t word = 0; // a header's first: `when` plus the last sequence, the number of the world's last record
    std::uint64_t when = 0;
    std::uint64_t lastSequence = 0; // the last that `word` can represent
    std::uint64_t unrecorded = 0;   // how many messages have been dispatched without a record
    MessageTypeId unrecordedType = NoType; // of the last outermost one
    // Set by the world.
    std::uint32_t named = 0; // entities with an index below this have an entry in its table of name ids
    std::uint8_t world = 0;  // Recorder::addWorld()
    bool recording = false;  // the tables are hooked: every message is counted
    std::uint64_t gate = 0;
    EntityId receiver; // of the message being handled, for describeUnderWay(); none: one of a run
    HandlerCall slowPath = nullptr; // records the message the slow way, and calls the handlers
    // Called with `owner` when the set of recorded message types has changed: the tables must be hooked again.
    void (*changed)(void*) = nullptr;
    void* owner = nullptr;

    // The last one given.
    [[nodiscard]] std::uint64_t sequence() const { return word - when; }
    // How many messages have been dispatched, with and without a record.
    [[nodiscard]] std::uint64_t dispatched() const { return sequence() + unrecorded; }
    // Returns the first of `count` new sequences.
    std::uint64_t take(std::uint64_t count) {
        const std::uint64_t first = sequence() + 1;
        word += count;
        if (sequence() >= lastSequence)
            limit = nullptr;
        return first;
    }
};

// Lies in a table before the first entry of each list: the constant part of the records of messages to that list.
struct RecordHook {
    RecordLane* lane = nullptr; // while messages of the type go through the recorder
    // Writes the record, then calls the handlers as the first entry's `onward`.
    HandlerCall recorded = nullptr;
    std::uint64_t words[2] = {}; // of the header: its third and fourth, without a name

    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(words[1] >> 48U);
    } // of the message, in bytes
    [[nodiscard]] MessageTypeId type() const { return static_cast<MessageTypeId>(words[1] >> 32U); }
    [[nodiscard]] static const RecordHook& of(const HandlerEntry* first) {
        return reinterpret_cast<const RecordHook*>(first)[-1];
    }
    // What is passed as `about` through a hook: the receiver, in the pointer itself, so that nothing is loaded.
    [[nodiscard]] static const void* about(EntityId receiver) {
        static_assert(sizeof receiver.bits == sizeof(std::uintptr_t));
        return reinterpret_cast<const void*>(receiver.bits);
    }
    [[nodiscard]] static EntityId receiverOf(const void* about) {
        return EntityId::fromBits(reinterpret_cast<std::uintptr_t>(about));
    }
    static constexpr std::size_t AnySize = ~std::size_t(0);
    // The record of a message to an entity that was sent outside handlers. Its cost is its loads
    // and stores, so the name is left out: the recorder got it before. False: nothing was written, the caller takes
    // `slowPath`.
    template <std::size_t Size, bool Stamped>
    [[gnu::always_inline]] bool write(const void* about, const void* message) const {
        RecordLane& to = *lane;
        std::byte* const at = to.next;
        const std::size_t bytes = Size != AnySize ? Size : size();
        if (at >= to.limit) [[unlikely]]
            return false;
        if constexpr (Size > RecordLane::Known)
            if (at + record::plainBytes(bytes, Stamped, false) > to.limit) [[unlikely]]
                return false;
        const EntityId receiver = receiverOf(about);
        std::memcpy(at + offsetof(RecordHeader, shape), words, sizeof words);
        std::memcpy(at + offsetof(RecordHeader, receiver), &receiver.bits, sizeof receiver.bits);
        const std::uint64_t word = ++to.word;
        std::memcpy(at, &word, sizeof word);
        std::memcpy(at + record::headBytes(false), message, bytes);
        if constexpr (Stamped) {
            const std::uint64_t stamp = clockTicks();
            std::memcpy(at + record::stampOffset(bytes, false), &stamp, sizeof stamp);
        }
        to.next = at + record::plainBytes(bytes, Stamped, false);
        return true;
    }
};

} // namespace sbx
