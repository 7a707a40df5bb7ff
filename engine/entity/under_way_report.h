#pragma once
// Which handler a thread is in (engine/message/under_way.h), as text: which component of which entity handles which message, and which
// plugin it is from. Made for signal handlers: it takes no lock, allocates nothing, and checks memory that may
// have been freed before it reads it. The caller has called backtrace() once before, which loads a library the first time.

#include <cstdint>

namespace sbx {

struct UnderWayReport {
    bool any = false; // false: no handler runs, or none that is known
    char component[96] = {};
    char message[96] = {}; // empty: the component is under construction
    char entity[128] = {}; // its name; "Crate #12" if it has none
    char plugin[512] = {}; // its library, absolute, without its ending; empty: the engine's own
    std::uint64_t outermost = 0; // sequence of the outermost message, if known; 0: unknown

    [[nodiscard]] bool sameAs(const UnderWayReport& other) const;
};

// For the calling thread. May be called in a signal handler.
[[nodiscard]] UnderWayReport describeUnderWay() noexcept;

// Copies memory of this process; false: it is not readable.
[[nodiscard]] bool readIfThere(void* to, const void* from, std::size_t bytes) noexcept;

} // namespace sbx
