#pragma once
// Selection by a rubber band: the entities whose triangles appear inside it. On the CPU, without OpenGL and without waiting for a
// frame. Pure; any thread. The tree of the index finds what is near the band, and triangles are looked at only where an instance's box lies
// across an edge of it.

#include "engine/render/camera.h"
#include "engine/render/scene.h"
#include "engine/render/scene_index.h"

#include <cstdint>
#include <vector>

namespace sbx::render {

enum class BandRule {
    Contains, // everything that is drawn of the entity appears inside the band
    Touches, // something of it appears there, and it is no larger in the picture than the band: no ground, no wall behind it
};

// Entities that the rectangle (pixels from the top left, corners in any order) takes, each once, in scene order. What lies behind the
// camera's near plane is not in the picture: an entity that reaches there is not contained. The index must be up to date. Meshes with
// more than 60,000 vertices count by their box.
[[nodiscard]] std::vector<std::uint64_t> pickBand(const Scene& scene, const SceneIndex& index,
                                                  const CameraView& camera, int width, int height, Vec2 from,
                                                  Vec2 to, BandRule rule);

} // namespace sbx::render
