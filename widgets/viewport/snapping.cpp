#include "widgets/viewport/snapping.h"

#include <cmath>

namespace sbx::ui {

float snapTo(float value, float step) {
    if (!(step > 0.0F) || !std::isfinite(value))
        return value;
    const float snapped = std::round(value / step) * step;
    return std::isfinite(snapped) ? snapped : value;
}

Vec3 snapToGround(const Vec3& point, const SnapSettings& snap) {
    if (!snap.on)
        return point;
    return {snapTo(point.x, snap.move), point.y, snapTo(point.z, snap.move)};
}

} // namespace sbx::ui
