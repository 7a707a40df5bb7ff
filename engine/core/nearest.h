#pragma once
// "Did you mean …?": the valid names nearest to what was typed.

#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// Optimal string alignment distance (Damerau 1964, Levenshtein 1966), ASCII case counted as half a step rounded down.
[[nodiscard]] int editDistance(std::string_view a, std::string_view b);

// At most `count` candidates, nearest first, ties in candidate order; those further than half the length of the typed name
// (at least 2) are left out, but a candidate that contains the typed name or is contained in it stays.
[[nodiscard]] std::vector<std::string> nearestNames(std::string_view typed,
                                                    const std::vector<std::string>& candidates,
                                                    std::size_t count);

// The single nearest, or an empty string.
[[nodiscard]] std::string nearestName(std::string_view typed, const std::vector<std::string>& candidates);

} // namespace sbx
