#include "engine/core/math.h"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx {

namespace {
constexpr float DegreesPerRadian = 180.0F / std::numbers::pi_v<float>;
}

Pose compose(const Pose& parent, const Pose& child) {
    return {parent.position + parent.rotation * (parent.scale * child.position),
            glm::normalize(parent.rotation * child.rotation), parent.scale * child.scale};
}

Pose relativeTo(const Pose& parent, const Pose& world) {
    const Quat inverse = glm::conjugate(parent.rotation);
    // Along an axis that is pressed flat the inverse does not exist: that axis counts as not scaled.
    Vec3 scale = parent.scale;
    for (int i = 0; i < 3; ++i)
        if (scale[i] == 0.0F)
            scale[i] = 1.0F;
    return {(inverse * (world.position - parent.position)) / scale, glm::normalize(inverse * world.rotation),
            world.scale / scale};
}

Mat4 toMatrix(const Pose& pose) {
    Mat4 m = glm::mat4_cast(pose.rotation);
    m[0] *= pose.scale.x;
    m[1] *= pose.scale.y;
    m[2] *= pose.scale.z;
    m[3] = Vec4(pose.position, 1.0F);
    return m;
}

Quat fromEulerDegrees(const Vec3& degrees) {
    const Vec3 r = degrees / DegreesPerRadian;
    const Quat y = glm::angleAxis(r.y, Vec3(0, 1, 0));
    const Quat x = glm::angleAxis(r.x, Vec3(1, 0, 0));
    const Quat z = glm::angleAxis(r.z, Vec3(0, 0, 1));
    return glm::normalize(y * x * z);
}

Vec3 toEulerDegrees(const Quat& q) {
    // Rows of the matrix of Ry * Rx * Rz: m[column][row].
    const glm::mat3 m = glm::mat3_cast(q);
    const float sinX = std::clamp(-m[2][1], -1.0F, 1.0F);
    Vec3 r;
    r.x = std::asin(sinX);
    if (std::abs(sinX) < 0.99999F) {
        r.y = std::atan2(m[2][0], m[2][2]);
        r.z = std::atan2(m[0][1], m[1][1]);
    } else {
        r.y = std::atan2(-m[0][2], m[0][0]);
        r.z = 0.0F;
    }
    return r * DegreesPerRadian;
}

bool isFinite(const Pose& p) { return isFinite(p.position) && isFinite(p.rotation) && isFinite(p.scale); }
bool isFinite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

bool isFinite(const Quat& q) {
    return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

} // namespace sbx
