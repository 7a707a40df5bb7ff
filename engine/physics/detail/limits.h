#pragma once
// What counts as a value the world can hold. Used by the sources of the room.

#include "engine/core/result.h"
#include "engine/physics/detail/bullet.h"
#include "engine/physics/physics_world.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sbx::physics::detail {

[[nodiscard]] inline Error invalid(std::string message) { return Error{std::move(message), {}, {}}; }

[[nodiscard]] inline bool inBounds(const Vec3& position) {
    return isFinite(position) && glm::all(glm::lessThanEqual(glm::abs(position), Vec3(PhysicsWorld::Bound)));
}

// A rotation that can be normalized.
[[nodiscard]] inline bool validRotation(const Quat& rotation) {
    const float length = glm::dot(rotation, rotation);
    return isFinite(rotation) && length > 1e-6F && std::isfinite(length);
}

[[nodiscard]] inline bool validPose(const Pose& pose) {
    return inBounds(pose.position) && validRotation(pose.rotation);
}

[[nodiscard]] inline bool finite(const btVector3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

// Each component within ±limit; what overflowed counts as the limit, what is no number as zero.
[[nodiscard]] inline btVector3 limited(const btVector3& v, float limit) {
    btVector3 out(0.0F, 0.0F, 0.0F);
    for (int k = 0; k < 3; ++k) {
        out[k] = std::isnan(v[k]) ? 0.0F : std::clamp(v[k], -limit, limit);
    }
    return out;
}

// Impulses and forces may be any finite numbers; speeds stay where a float can still add them up.
inline void limitSpeed(btRigidBody& rigid) {
    rigid.setLinearVelocity(limited(rigid.getLinearVelocity(), PhysicsWorld::Bound));
    rigid.setAngularVelocity(limited(rigid.getAngularVelocity(), PhysicsWorld::Bound));
}

// Static, without a shape: what a body starts from.
[[nodiscard]] inline btRigidBody::btRigidBodyConstructionInfo emptyBody() {
    return {0.0F, nullptr, nullptr, btVector3(0.0F, 0.0F, 0.0F)};
}

} // namespace sbx::physics::detail
