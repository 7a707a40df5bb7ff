#pragma once
// Differences between two texts, line by line, for display: a longest common subsequence of lines (Hunt and McIlroy, An
// Algorithm for Differential File Comparison, 1976). Any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

struct DiffLine {
    enum class Kind { Same, Removed, Added, Skipped }; // Skipped: `line` says how many lines are alike
    Kind kind = Kind::Same;
    std::string line; // without its end
    bool operator==(const DiffLine&) const = default;
};

// From `before` to `after`, with `context` lines that are alike around what is not. Empty: the same lines. Where more than some
// thousand lines differ, they are all removed and all added.
[[nodiscard]] std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after,
                                             std::size_t context = 2);

} // namespace sbx::ui
