#pragma once
// What a click or a rubber band makes of the selection, and the band's own geometry. Plain values, no widget.

#include "engine/core/math.h"

#include <string>
#include <vector>

namespace sbx::ui {

enum class PickMode { Replace, Add, Toggle };

// The selection after picking `picked` (in that order).
[[nodiscard]] std::vector<std::string> combined(const std::vector<std::string>& selected, const std::vector<std::string>& picked,
                                                PickMode mode);

// From where the button went down to where the cursor is, in any direction.
struct SelectionBox {
    Vec2 from{0.0F};
    Vec2 to{0.0F};

    [[nodiscard]] Vec2 minimum() const { return {from.x < to.x ? from.x : to.x, from.y < to.y ? from.y : to.y}; }
    [[nodiscard]] Vec2 maximum() const { return {from.x < to.x ? to.x : from.x, from.y < to.y ? to.y : from.y}; }
    [[nodiscard]] bool contains(Vec2 point) const;
    // Longer than a shaky click.
    [[nodiscard]] bool isDrag(float threshold) const;
};

} // namespace sbx::ui
