#include "engine/core/columns.h"

#include <algorithm>
#include <string_view>

namespace sbx {

namespace {

constexpr std::size_t Widest = 40;

// Characters, not bytes, so that columns line up behind units such as m/s².
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

std::vector<std::string> inColumns(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::min(Widest, std::max(widths[i], widthOf(row[i])));
    }
    std::vector<std::string> lines;
    lines.reserve(rows.size());
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            const std::size_t width = widthOf(row[i]);
            line += std::string(widths[i] > width ? widths[i] - width : 0, ' ') + "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace sbx
