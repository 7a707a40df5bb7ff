#pragma once
// Which handler a thread is in (engine/message/under_way.h), in words: which component of which entity handles which message, and which
// plugin it is from. Made for handlers of signals: it takes no lock and no memory, and what may be gone it reads only once it knows that
// it is there. The caller has called backtrace() once before, which loads a library the first time.

#include <cstdint>

namespace sbx {

struct UnderWayReport {
    bool any = false; // else nothing is under way, or nothing that is known
    char component[96] = {};
    char message[96] = {}; // empty: the component is being made
    char entity[128] = {}; // its name; "Crate #12" if it has none
    char plugin[512] = {}; // its library, absolute, without its ending; empty: the engine's own
    std::uint64_t outermost = 0; // sequence of the message that set it off, where the world knows it

    [[nodiscard]] bool sameAs(const UnderWayReport& other) const;
};

// Of the calling thread. May be called within a signal's handler.
[[nodiscard]] UnderWayReport describeUnderWay() noexcept;

// Copies bytes of this process as far as they are there; false: they are not.
[[nodiscard]] bool readIfThere(void* to, const void* from, std::size_t bytes) noexcept;

} // namespace sbx
