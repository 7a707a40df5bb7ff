#pragma once
// Letters without case, for names and keywords of the program's own languages: ASCII alone, whatever the locale.

#include <algorithm>
#include <string>
#include <string_view>

namespace sbx {

[[nodiscard]] constexpr char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] inline std::string lowered(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lowered(c); });
    return out;
}

} // namespace sbx
