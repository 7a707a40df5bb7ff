#pragma once
// Takes from this process all that reading a file does not need, before it has seen a byte of the file: descriptors, memory without
// bound, processor time without bound, other processes, and every call of the system but a few (seccomp(2)).

#include <cstdint>
#include <string>

namespace sbx::importing {

struct Limits {
    std::uint64_t memory = 0;        // bytes of address space
    std::uint64_t processorTime = 0; // seconds
};

// Descriptors above `last` are closed. Why it failed; empty: it did not, and there is no way back. A build with a sanitizer, which needs
// address space and calls of its own, sets the limits of time and files alone.
[[nodiscard]] std::string confine(const Limits& limits, int last);
// From now on so many seconds more of processor time.
void extendTime(std::uint64_t seconds);

} // namespace sbx::importing
