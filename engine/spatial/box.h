#pragma once
// Axis-aligned boxes and their tests. Touching counts as overlapping, everywhere in this folder.

#include "engine/core/math.h"
#include "engine/core/result.h"

#include <array>

namespace sbx::spatial {

struct Box {
    Vec3 min{0.0F};
    Vec3 max{0.0F};

    friend bool operator==(const Box&, const Box&) = default;
};

// Coordinates beyond this are refused: the surface of a larger box would not fit a float.
inline constexpr float Limit = 1.0e18F;

// Refuses what is not finite, beyond Limit, or without extent along an axis (max <= min).
[[nodiscard]] Result<void> check(const Box& box);

[[nodiscard]] inline Box around(const Vec3& center, const Vec3& halfExtent) {
    return {center - halfExtent, center + halfExtent};
}
[[nodiscard]] inline Box merged(const Box& a, const Box& b) {
    return {glm::min(a.min, b.min), glm::max(a.max, b.max)};
}
[[nodiscard]] inline Box expanded(const Box& box, float margin) {
    return {box.min - Vec3(margin), box.max + Vec3(margin)};
}
// Flat things have an extent as well: each axis is widened about its middle to at least `least`.
[[nodiscard]] Box withExtent(const Box& box, float least);
[[nodiscard]] inline Vec3 centerOf(const Box& box) { return 0.5F * (box.min + box.max); }
[[nodiscard]] inline bool overlap(const Box& a, const Box& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
           && a.min.z <= b.max.z && b.min.z <= a.max.z;
}
[[nodiscard]] inline bool contains(const Box& outer, const Box& inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && outer.min.z <= inner.min.z
           && inner.max.x <= outer.max.x && inner.max.y <= outer.max.y && inner.max.z <= outer.max.z;
}
// 0 inside.
[[nodiscard]] float distanceSquared(const Box& box, const Vec3& point);
// The box of a box that was moved, turned and scaled.
[[nodiscard]] Box transformed(const Box& box, const Mat4& matrix);

// Points from + t * motion with t in [0, 1].
struct Segment {
    Vec3 from{0.0F};
    Vec3 motion{0.0F};
};

// Planes point inward: a point p is inside when dot(normal, p) + w >= 0 for all six.
struct Frustum {
    std::array<Vec4, 6> planes{};

    // Of a projection times a view matrix, OpenGL clip space.
    [[nodiscard]] static Frustum of(const Mat4& viewProjection);
};

} // namespace sbx::spatial
