#pragma once
// A world's own way into the recorder. While messages are recorded, the recorder stands in the world's dispatch tables before the
// first handler of each list (DispatchTable::Range::enter): it writes the record and jumps on to the handler. So a send costs the
// same instructions whether there is a recorder or not, and one that is recorded only those of its record.
//
//   World::send --> enter: record --jump--> handler --jump--> handler     back to the sender
//
// Simulation thread.

#include "engine/message/dispatch_table.h"

namespace sbx {

struct RecordLane {
    // Bits of the gate, beside the number of dispatches under way inside one another:
    static constexpr std::uint64_t Unsettled = std::uint64_t(1) << 63U;  // something dies, or waits to be freed
    static constexpr std::uint64_t Noted = std::uint64_t(1) << 62U;      // the world knows the outermost's sequence
    static constexpr std::uint64_t Unrecorded = std::uint64_t(1) << 61U; // the outermost has no record from a tap

    // The open segment's memory is one world's at a time: it has it, until another one writes, or its tick or the segment ends.
    std::byte* next = nullptr;  // where the next record goes, or, if it is not ready, would have gone
    std::byte* limit = nullptr; // no room beyond; null: not ready, all goes by `aside`
    std::uint64_t word = 0;     // a header's first: `when` plus the last sequence that the world has given
    std::uint64_t when = 0;
    std::uint64_t lastSequence = 0; // that can be told like this
    // The world's.
    // Of entities by index, of all that are alive while the lane is ready; 0: not known yet.
    const NameId* names = nullptr;
    std::uint32_t named = 0; // how many indices that is
    std::uint8_t world = 0;  // Recorder::addWorld()
    bool recording = false;  // the tables are tapped: every message takes a sequence
    std::uint64_t gate = 0;
    HandlerCall aside = nullptr; // records the message the long way, and calls the handlers
    // With `owner`: what is recorded is not the same any more, tables must be tapped anew.
    void (*changed)(void*) = nullptr;
    void* owner = nullptr;

    // The last one given.
    [[nodiscard]] std::uint64_t sequence() const { return word - when; }
    // Returns the first of `count` new ones.
    std::uint64_t take(std::uint64_t count) {
        const std::uint64_t first = sequence() + 1;
        word += count;
        if (sequence() >= lastSequence)
            limit = nullptr;
        return first;
    }
};

} // namespace sbx
