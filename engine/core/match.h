#pragma once
// How well a typed text fits a name: the one ranking behind completion and search lists.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// Best first. Purely fuzzy ranking puts surprising names on top; these steps keep the order people expect.
enum class MatchRank : std::uint8_t { Exact, Prefix, WordStart, Substring, Fuzzy, None };

// Case does not matter (ASCII). Words start after . _ - / space and at capitals ("rate" fits sim.tickRate at a word start);
// fuzzy: the letters occur in order. An empty text is a prefix of everything.
[[nodiscard]] MatchRank matchRank(std::string_view typed, std::string_view name);

// The `count` names closest to a typed one that does not exist, however far: by edit distance, names that begin alike or contain
// it first. For "did you mean …?" where silence would be worse than a far guess; nearestNames() leaves those out.
// A typed text of more than 100 bytes is no typing error: none.
[[nodiscard]] std::vector<std::string> closestNames(std::string_view typed,
                                                    const std::vector<std::string>& names, std::size_t count);

} // namespace sbx
