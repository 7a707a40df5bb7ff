#pragma once
// Where the sun's shadow map lies. Pure mathematics, no OpenGL.
//
// The map covers what casts shadows rather than what the camera sees: while the scene fits, turning and
// walking change nothing, so shadow edges stand still. Edges snap to a coarse grid, so a rolling ball does
// not make them crawl either.

#include "engine/render/mesh.h"
#include "engine/render/scene.h"

#include <vector>

namespace sbx::render {

struct ShadowFit {
    bool empty = true;            // nothing casts
    Mat4 matrix{1.0F};            // world to [0, 1]: texture coordinates and depth
    Vec3 right{1.0F, 0.0F, 0.0F}; // the map's axes in the world
    Vec3 up{0.0F, 1.0F, 0.0F};
    Vec3 forward{0.0F, 0.0F, -1.0F}; // where light travels
    Vec2 extent{1.0F};               // metres across
    float depth = 1.0F;              // metres from near to far
    Bounds region;                   // of the casters that counted, in the world, down to the floors below them
};

// `casters`: world bounds. Those further than `distance` from the place the camera looks at do not count;
// broad thin slabs (floors) cast but do not widen the map. `floors`: slabs that lie under everything and therefore cast nothing; the map
// reaches deep enough for what falls on them.
[[nodiscard]] ShadowFit fitShadow(const Vec3& sunDirection, const std::vector<Bounds>& casters,
                                  const CameraView& camera, float distance, const std::vector<Bounds>& floors = {});
// A floor: it is lit, but what it would shade lies under it.
[[nodiscard]] bool isSlab(const Bounds& bounds);

} // namespace sbx::render
