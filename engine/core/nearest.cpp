#include "engine/core/nearest.h"

#include "engine/core/ascii_case.h"

#include <algorithm>

namespace sbx {

int editDistance(std::string_view a, std::string_view b) {
    // Doubled costs, so that a change of case alone counts one half.
    const std::size_t n = b.size();
    std::vector<int> before(n + 1);
    std::vector<int> previous(n + 1);
    std::vector<int> current(n + 1);
    for (std::size_t j = 0; j <= n; ++j)
        previous[j] = static_cast<int>(2 * j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = static_cast<int>(2 * i);
        for (std::size_t j = 1; j <= n; ++j) {
            const int change = a[i - 1] == b[j - 1] ? 0 : (lowered(a[i - 1]) == lowered(b[j - 1]) ? 1 : 2);
            current[j] = std::min({previous[j] + 2, current[j - 1] + 2, previous[j - 1] + change});
            if (i > 1 && j > 1 && lowered(a[i - 1]) == lowered(b[j - 2]) && lowered(a[i - 2]) == lowered(b[j - 1]))
                current[j] = std::min(current[j], before[j - 2] + 2);
        }
        std::swap(before, previous);
        std::swap(previous, current);
    }
    return previous[n] / 2;
}

std::vector<std::string> nearestNames(std::string_view typed, const std::vector<std::string>& candidates,
                                      std::size_t count) {
    struct Ranked {
        int distance;
        std::size_t order;
    };
    const std::string needle = lowered(typed);
    const int limit = std::max(2, static_cast<int>(typed.size()) / 2);
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string hay = lowered(candidates[i]);
        const bool contained =
            needle.size() >= 3 && hay.size() >= 3
            && (hay.find(needle) != std::string::npos || needle.find(hay) != std::string::npos);
        int distance = editDistance(typed, candidates[i]);
        if (distance > limit && !contained)
            continue;
        if (contained)
            distance = std::min(distance, limit);
        ranked.push_back({distance, i});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Ranked& x, const Ranked& y) { return x.distance < y.distance; });
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::min(count, ranked.size()); ++i)
        out.push_back(candidates[ranked[i].order]);
    return out;
}

std::string nearestName(std::string_view typed, const std::vector<std::string>& candidates) {
    const auto names = nearestNames(typed, candidates, 1);
    return names.empty() ? std::string() : names.front();
}

} // namespace sbx
