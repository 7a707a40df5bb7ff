#pragma once
// What stands between an ear and a sound, and what of the sound gets through.

#include "engine/core/ids.h"
#include "engine/core/math.h"

#include <optional>

namespace sbx {

class PhysicsSystem;
class World;

struct SoundObstacle {
    EntityId entity;
    Vec3 point{0.0F};     // nearest to the ear
    float gain = 0.3F;    // of what comes through
    float hertz = 800.0F; // low-pass of what comes through
};

// The first solid body on the straight way; `source` itself is none. On the session's thread.
[[nodiscard]] std::optional<SoundObstacle> obstacleBetween(World& world, PhysicsSystem& physics, const Vec3& ear, const Vec3& sound, EntityId source);

} // namespace sbx
