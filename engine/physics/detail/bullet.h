#pragma once
// Bullet's headers and the conversions to and from them. Only sources of engine/physics include this.

#include "engine/core/math.h"

#include <btBulletDynamicsCommon.h>

namespace sbx::physics::detail {

static_assert(sizeof(btScalar) == sizeof(float), "engine/physics is built against Bullet in single precision");

[[nodiscard]] inline btVector3 toBullet(const Vec3& v) { return {v.x, v.y, v.z}; }
[[nodiscard]] inline btQuaternion toBullet(const Quat& q) { return {q.x, q.y, q.z, q.w}; }
[[nodiscard]] inline Vec3 fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline Quat fromBullet(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }

} // namespace sbx::physics::detail
