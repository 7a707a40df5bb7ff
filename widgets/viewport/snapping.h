#pragma once
// Rounding to steps: what a drag or a drop keeps to while snapping is on.

#include "engine/core/math.h"

namespace sbx::ui {

struct SnapSettings {
    bool on = false;
    float move = 0.5F;    // metres
    float rotate = 15.0F; // degrees
    float scale = 0.1F;   // of a factor

    // Ctrl turns it round for as long as it is held.
    [[nodiscard]] SnapSettings inverted(bool invert) const {
        SnapSettings other = *this;
        other.on = on != invert;
        return other;
    }
};

// The nearest multiple of `step`; the value itself for a step that is not positive.
[[nodiscard]] float snapTo(float value, float step);
// X and Z to the grid; Y stays.
[[nodiscard]] Vec3 snapToGround(const Vec3& point, const SnapSettings& snap);

} // namespace sbx::ui
