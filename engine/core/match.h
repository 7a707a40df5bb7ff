#pragma once
// How well a typed text fits a name: the one ranking behind completion and search lists.

#include <cstddef>
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

// Where a word of `text` begins with the typed one, in bytes; npos: none does, or fewer than three letters are typed, which would fit
// too much. Case does not matter (ASCII). For explanations, which are searched where names do not fit.
[[nodiscard]] std::size_t beginsAWord(std::string_view typed, std::string_view text);

// The place of a name among candidates, lowest first; None: it is found by its explanation alone. Those come before names in which the
// letters are only strewn.
[[nodiscard]] constexpr int completionOrder(MatchRank rank) {
    switch (rank) {
    case MatchRank::None:
        return static_cast<int>(MatchRank::Fuzzy);
    case MatchRank::Fuzzy:
        return static_cast<int>(MatchRank::None);
    default:
        return static_cast<int>(rank);
    }
}

// The `count` names closest to a typed one that does not exist, however far: by edit distance, names that begin alike or contain
// it first. For "did you mean …?" where silence would be worse than a far guess; nearestNames() leaves those out.
// A typed text of more than 100 bytes is no typing error: none.
[[nodiscard]] std::vector<std::string> closestNames(std::string_view typed,
                                                    const std::vector<std::string>& names, std::size_t count);

} // namespace sbx
