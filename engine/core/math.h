#pragma once
// Vectors, quaternions and poses. Right-handed, Y up, -Z forward; metres, radians in code, degrees in files.

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace sbx {

using Vec2 = glm::vec2;
using Vec3 = glm::vec3;
using Vec4 = glm::vec4;
using Quat = glm::quat; // constructor order w, x, y, z
using Mat4 = glm::mat4; // column major

// Where something is: a point is scaled, then rotated, then moved. Rotation is unit length.
struct Pose {
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
    Vec3 scale{1.0F};

    friend bool operator==(const Pose&, const Pose&) = default;
};

// Child given in the parent's frame, as seen from the world. Non-uniform parent scale does not shear: it scales the child's
// offset along the parent's axes and the child's own scale component by component.
[[nodiscard]] Pose compose(const Pose& parent, const Pose& child);
// The local pose L with compose(parent, L) == world, but along axes of which the parent's scale is 0: there it is as if that were 1.
[[nodiscard]] Pose relativeTo(const Pose& parent, const Pose& world);
[[nodiscard]] Mat4 toMatrix(const Pose& pose);
// Degrees, intrinsic Y, then X, then Z: the scene file's `rotation`.
[[nodiscard]] Quat fromEulerDegrees(const Vec3& degrees);
// Inverse of fromEulerDegrees; x in [-90, 90], y and z in (-180, 180]. At the poles z is 0.
[[nodiscard]] Vec3 toEulerDegrees(const Quat& rotation);
[[nodiscard]] bool isFinite(const Pose& pose);
[[nodiscard]] bool isFinite(const Vec3& v);
[[nodiscard]] bool isFinite(const Quat& q);

} // namespace sbx
