#include "widgets/viewport/selection_box.h"

#include <algorithm>
#include <cmath>

namespace sbx::ui {

std::vector<std::string> combined(const std::vector<std::string>& selected, const std::vector<std::string>& picked,
                                  PickMode mode) {
    std::vector<std::string> result;
    if (mode != PickMode::Replace)
        result = selected;
    for (const std::string& name : picked) {
        const auto at = std::find(result.begin(), result.end(), name);
        if (at == result.end())
            result.push_back(name);
        else if (mode == PickMode::Toggle)
            result.erase(at);
    }
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
