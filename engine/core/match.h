#pragma once
// How well a typed text fits a name: the one ranking behind completion and search lists.

#include <cstdint>
#include <string_view>

namespace sbx {

// Best first. Purely fuzzy ranking puts surprising names on top; these steps keep the order people expect.
enum class MatchRank : std::uint8_t { Exact, Prefix, WordStart, Substring, Fuzzy, None };

// Case does not matter (ASCII). Words start after . _ - / space and at capitals ("rate" fits sim.tickRate at a word start);
// fuzzy: the letters occur in order. An empty text is a prefix of everything.
[[nodiscard]] MatchRank matchRank(std::string_view typed, std::string_view name);

} // namespace sbx
