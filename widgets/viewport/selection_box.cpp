#include "widgets/viewport/selection_box.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sbx::ui {

std::vector<std::string> combined(const std::vector<std::string>& selected, const std::vector<std::string>& picked,
                                  PickMode mode) {
    std::vector<std::string> result;
    if (mode != PickMode::Replace)
        result = selected;
    std::unordered_map<std::string, std::size_t> place; // in `result`, of those in it
    place.reserve(result.size() + picked.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        place.emplace(result[i], i);
    std::vector<bool> gone(result.size(), false);
    for (const std::string& name : picked) {
        const auto at = place.find(name);
        if (at == place.end()) {
            place.emplace(name, result.size());
            result.push_back(name);
            gone.push_back(false);
        } else if (mode == PickMode::Toggle) {
            gone[at->second] = true;
            place.erase(at);
        }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
        if (!gone[i]) {
            if (kept != i)
                result[kept] = std::move(result[i]);
            ++kept;
        }
    result.resize(kept);
    return result;
}

bool SelectionBox::contains(Vec2 point) const {
    const Vec2 low = minimum();
    const Vec2 high = maximum();
    return point.x >= low.x && point.y >= low.y && point.x <= high.x && point.y <= high.y;
}

bool SelectionBox::isDrag(float threshold) const {
    return std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) > threshold;
}

} // namespace sbx::ui
