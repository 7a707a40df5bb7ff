#include "engine/spatial/box.h"

#include <cmath>
#include <string>

namespace sbx::spatial {

Result<void> check(const Box& box) {
    constexpr const char* Axes = "xyz";
    for (int i = 0; i < 3; ++i) {
        const float low = box.min[i];
        const float high = box.max[i];
        const std::string axis(1, Axes[i]);
        if (!std::isfinite(low) || !std::isfinite(high)) {
            return Error{"a box that is not finite along " + axis + "; expected finite corners", {}, {}};
        }
        if (low > high) {
            return Error{"a box with its corners swapped along " + axis + "; expected min < max", {}, {}};
        }
        if (low == high) {
            return Error{"a box without extent along " + axis + "; expected min < max", {}, {}};
        }
        if (low < -Limit || high > Limit) {
            return Error{"a box beyond 1e18 along " + axis + "; expected coordinates within that", {}, {}};
        }
    }
    return {};
}

Box withExtent(const Box& box, float least) {
    const Vec3 missing = glm::max(Vec3(least) - (box.max - box.min), Vec3(0.0F));
    return {box.min - 0.5F * missing, box.max + 0.5F * missing};
}

float distanceSquared(const Box& box, const Vec3& point) {
    const Vec3 outside = glm::max(glm::max(box.min - point, point - box.max), Vec3(0.0F));
    return glm::dot(outside, outside);
}

Box transformed(const Box& box, const Mat4& matrix) {
    const Vec3 center = Vec3(matrix * Vec4(centerOf(box), 1.0F));
    const Vec3 half = 0.5F * (box.max - box.min);
    const Vec3 reach = glm::abs(Vec3(matrix[0])) * half.x + glm::abs(Vec3(matrix[1])) * half.y
                       + glm::abs(Vec3(matrix[2])) * half.z;
    return {center - reach, center + reach};
}

Frustum Frustum::of(const Mat4& viewProjection) {
    // G. Gribb, K. Hartmann, Fast extraction of viewing frustum planes from the world-view-projection matrix, 2001.
    const Mat4 rows = glm::transpose(viewProjection);
    return {{rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1], rows[3] - rows[1], rows[3] + rows[2],
             rows[3] - rows[2]}};
}

} // namespace sbx::spatial
