#include "engine/core/match.h"

#include "engine/core/ascii_case.h"
#include "engine/core/nearest.h"

#include <algorithm>
#include <cctype>

namespace sbx {

namespace {

bool startsWord(std::string_view name, std::size_t at) {
    if (at == 0)
        return true;
    const char before = name[at - 1];
    if (before == '.' || before == '_' || before == '-' || before == '/' || before == ' ')
        return true;
    return std::isupper(static_cast<unsigned char>(name[at])) != 0
           && std::isupper(static_cast<unsigned char>(before)) == 0;
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

std::size_t beginsAWord(std::string_view typed, std::string_view text) {
    constexpr std::size_t Shortest = 3;
    if (typed.size() < Shortest)
        return std::string_view::npos;
    const std::string needle = lowered(typed);
    const std::string hay = lowered(text);
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    std::size_t at = hay.find(needle);
    while (at != std::string::npos && at > 0 && isLetter(hay[at - 1]))
        at = hay.find(needle, at + 1);
    return at;
}

std::vector<std::string> closestNames(std::string_view typed, const std::vector<std::string>& names,
                                      std::size_t count) {
    constexpr std::size_t LongestTypo = 100;
    if (typed.size() > LongestTypo)
        return {};
    std::vector<std::pair<int, std::size_t>> ranked;
    const std::string needle = lowered(typed);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string hay = lowered(names[i]);
        const auto alike =
            std::mismatch(needle.begin(), needle.end(), hay.begin(), hay.end()).first - needle.begin();
        const bool contained = needle.size() >= 3 && hay.find(needle) != std::string::npos;
        const auto bonus =
            contained ? std::max<std::ptrdiff_t>(alike, static_cast<std::ptrdiff_t>(needle.size())) : alike;
        int score = editDistance(typed, names[i]) - static_cast<int>(bonus);
        // What was typed without a dot may be what stands behind one: gravty is near sim.gravity.
        if (const std::size_t dot = hay.rfind('.'); !contained && dot != std::string::npos && needle.find('.') == std::string::npos) {
            const std::string part = hay.substr(dot + 1);
            const auto alikeThere = std::mismatch(needle.begin(), needle.end(), part.begin(), part.end()).first - needle.begin();
            score = std::min(score, editDistance(typed, std::string_view(names[i]).substr(dot + 1)) - static_cast<int>(alikeThere));
        }
        // However long the name around it is: who types clear means console.clear.
        ranked.emplace_back(contained ? std::min(score, 0) : score, i);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i)
        out.push_back(names[ranked[i].second]);
    return out;
}

} // namespace sbx
