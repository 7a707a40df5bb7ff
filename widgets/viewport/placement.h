#pragma once
// Where something new goes: on the surface under the cursor, its bounds resting on it. Pure, any thread.

#include "engine/definition/definitions.h"
#include "engine/definition/scene.h"
#include "engine/render/picking.h"
#include "widgets/viewport/snapping.h"

#include <optional>

namespace sbx::ui {

// How large an entity of that type is, about its origin, from its Body and Mesh settings; nothing if they do not tell.
[[nodiscard]] std::optional<render::Bounds> typeBounds(const definition::EntityTypeDefinition& type);

// The same of one instance of it, whose overrides go before the type's settings; without its scale.
[[nodiscard]] std::optional<render::Bounds> instanceBounds(const definition::EntityTypeDefinition& type,
                                                           const definition::InstanceDefinition& instance);

// The bounds by which something without a shape is placed, about its origin: a lamp hangs 2 m above a floor, a sound and a camera are at
// 1.5 m, the height of ears and eyes; off walls and ceilings they keep a tenth of a metre. Nothing for types with other components alone.
[[nodiscard]] std::optional<render::Bounds> clearance(const definition::EntityTypeDefinition& type);
[[nodiscard]] render::Bounds soundClearance();

// Nothing bumps into it: it notices what comes in.
[[nodiscard]] bool isVolume(const definition::EntityTypeDefinition& type);

struct Surface {
    Vec3 point{0.0F};
    Vec3 normal{0.0F, 1.0F, 0.0F};
};

// What a ray meets: the nearest drawn triangle, else the ground (y = 0) within `reach` metres, else a point so far ahead, at most `reach`.
[[nodiscard]] Surface surfaceUnder(const render::Scene& scene, const render::SceneIndex& index, const render::Ray& ray,
                                   float reach = 200.0F, float otherwise = 10.0F);

// The origin of something with these bounds that rests on the surface, upright. On floors X and Z keep to the grid.
[[nodiscard]] Vec3 restOn(const Surface& surface, const std::optional<render::Bounds>& bounds, const SnapSettings& snap);

// The same place, or above it, so that the bounds do not reach below what is drawn under it: something put against a wall stands on the floor.
[[nodiscard]] Vec3 raisedAboveGround(const render::Scene& scene, const render::SceneIndex& index, const Vec3& place,
                                     const render::Bounds& bounds);

} // namespace sbx::ui
