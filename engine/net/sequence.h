#pragma once
// Numbers that wrap. Counters are 64 bits wide and compared by their difference, so that even their wrap is harmless; the wire
// carries the low bits.

#include <cstdint>

namespace sbx::net {

// a comes before b.
[[nodiscard]] constexpr bool before(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a - b) < 0;
}

[[nodiscard]] constexpr std::uint32_t toWire(std::uint64_t full, unsigned bits) {
    return static_cast<std::uint32_t>(full & ((std::uint64_t{1} << bits) - 1U));
}

// The one number with these low bits in [reference - 2^(bits-1), reference + 2^(bits-1)).
[[nodiscard]] constexpr std::uint64_t fromWire(std::uint32_t wire, unsigned bits, std::uint64_t reference) {
    const std::uint64_t span = std::uint64_t{1} << bits;
    const std::uint64_t lowest = reference - span / 2U;
    return lowest + ((wire - lowest) & (span - 1U));
}

} // namespace sbx::net
