#include "widgets/common/line_diff.h"

#include <algorithm>
#include <cstdint>

namespace sbx::ui {

namespace {

constexpr std::size_t LargestTable = 4'000'000; // cells

using Kind = DiffLine::Kind;

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
    }
    return lines;
}

// Every line of both, alike or not.
std::vector<DiffLine> allOf(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    std::size_t head = 0;
    while (head < a.size() && head < b.size() && a[head] == b[head])
        ++head;
    std::size_t tail = 0;
    while (tail < a.size() - head && tail < b.size() - head
           && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
        ++tail;
    const std::size_t rows = a.size() - head - tail;
    const std::size_t columns = b.size() - head - tail;
    std::vector<DiffLine> out;
    const auto put = [&out](Kind kind, std::string_view line) { out.push_back({kind, std::string(line)}); };
    for (std::size_t i = 0; i < head; ++i)
        put(Kind::Same, a[i]);
    std::size_t i = 0;
    std::size_t j = 0;
    if (rows > 0 && columns > 0 && (rows + 1) * (columns + 1) <= LargestTable) {
        // length[i][j]: of the longest common subsequence of what is left from i and j on.
        std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
        const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
            return length[row * (columns + 1) + column];
        };
        for (std::size_t row = rows; row-- > 0;)
            for (std::size_t column = columns; column-- > 0;)
                at(row, column) = a[head + row] == b[head + column]
                                      ? at(row + 1, column + 1) + 1
                                      : std::max(at(row + 1, column), at(row, column + 1));
        while (i < rows && j < columns)
            if (a[head + i] == b[head + j]) {
                put(Kind::Same, a[head + i]);
                ++i, ++j;
            } else if (at(i + 1, j) >= at(i, j + 1)) {
                put(Kind::Removed, a[head + i++]);
            } else {
                put(Kind::Added, b[head + j++]);
            }
    }
    while (i < rows)
        put(Kind::Removed, a[head + i++]);
    while (j < columns)
        put(Kind::Added, b[head + j++]);
    for (std::size_t k = a.size() - tail; k < a.size(); ++k)
        put(Kind::Same, a[k]);
    return out;
}

} // namespace

std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after, std::size_t context) {
    const std::vector<DiffLine> all = allOf(linesOf(before), linesOf(after));
    std::vector<bool> shown(all.size(), false);
    bool differs = false;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].kind != Kind::Same) {
            differs = true;
            const std::size_t begin = i > context ? i - context : 0;
            for (std::size_t k = begin; k < std::min(all.size(), i + context + 1); ++k)
                shown[k] = true;
        }
    std::vector<DiffLine> out;
    if (!differs)
        return out;
    for (std::size_t i = 0; i < all.size();) {
        if (shown[i]) {
            out.push_back(all[i++]);
            continue;
        }
        const std::size_t begin = i;
        while (i < all.size() && !shown[i])
            ++i;
        out.push_back({Kind::Skipped, std::to_string(i - begin)});
    }
    return out;
}

} // namespace sbx::ui
