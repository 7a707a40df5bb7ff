#include "engine/core/match.h"

#include <cctype>
#include <string>

namespace sbx {

namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::string lowered(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        c = lower(c);
    return out;
}

bool startsWord(std::string_view name, std::size_t at) {
    if (at == 0)
        return true;
    const char before = name[at - 1];
    if (before == '.' || before == '_' || before == '-' || before == '/' || before == ' ')
        return true;
    return std::isupper(static_cast<unsigned char>(name[at])) != 0 && std::isupper(static_cast<unsigned char>(before)) == 0;
}

} // namespace

MatchRank matchRank(std::string_view typed, std::string_view name) {
    const std::string needle = lowered(typed);
    const std::string hay = lowered(name);
    if (needle == hay)
        return MatchRank::Exact;
    if (hay.starts_with(needle))
        return MatchRank::Prefix;
    bool contained = false;
    for (std::size_t at = hay.find(needle); at != std::string::npos; at = hay.find(needle, at + 1)) {
        if (startsWord(name, at))
            return MatchRank::WordStart;
        contained = true;
    }
    if (contained)
        return MatchRank::Substring;
    std::size_t found = 0;
    for (const char c : hay)
        if (found < needle.size() && c == needle[found])
            ++found;
    return found == needle.size() ? MatchRank::Fuzzy : MatchRank::None;
}

} // namespace sbx
