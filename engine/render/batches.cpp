#include "engine/render/batches.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace sbx::render {
namespace {

bool isMirrored(const Instance& instance) {
    const Vec3& s = instance.pose.scale;
    return s.x * s.y * s.z < 0.0F;
}

float seedOf(const Instance& instance) {
    const std::uint64_t h = (instance.entity + 0x9E3779B97F4A7C15ULL * (instance.part + 1U)) * 0xD6E8FEB86659FD93ULL;
    return static_cast<float>(h >> 40U) / 16777216.0F;
}

InstanceData pack(const Instance& instance) {
    const Quat& q = instance.pose.rotation;
    return {instance.pose.position,
            instance.roughness,
            Vec4(q.x, q.y, q.z, q.w),
            instance.pose.scale,
            instance.metallic,
            instance.color,
            instance.emissive,
            static_cast<float>(instance.material),
            seedOf(instance),
            instance.highlighted ? 1.0F : 0.0F,
            {0.0F, 0.0F}};
}

} // namespace

void BatchList::clear() {
    data.clear();
    batches.clear();
}

void BatchList::append(const std::vector<Instance>& instances, const std::vector<BatchItem>& items) {
    const std::size_t firstBatch = batches.size();
    for (const BatchItem& item : items) {
        const Instance& instance = instances[item.instance];
        const bool mirrored = isMirrored(instance);
        const bool fresh = batches.size() == firstBatch || batches.back().mesh != instance.mesh ||
                           batches.back().mirrored != mirrored || batches.back().coarse != item.coarse;
        if (fresh) {
            batches.push_back({instance.mesh, mirrored, item.coarse, static_cast<std::uint32_t>(data.size()), 0});
        }
        data.push_back(pack(instance));
        ++batches.back().count;
    }
}

void BatchList::add(const std::vector<Instance>& instances, std::vector<BatchItem>& items, bool keepOrder) {
    if (keepOrder) {
        append(instances, items);
        return;
    }
    std::sort(items.begin(), items.end(), [&](const BatchItem& a, const BatchItem& b) {
        const Instance& left = instances[a.instance];
        const Instance& right = instances[b.instance];
        if (left.mesh != right.mesh) {
            return left.mesh < right.mesh;
        }
        if (a.coarse != b.coarse) {
            return b.coarse;
        }
        if (const bool m = isMirrored(left); m != isMirrored(right)) {
            return !m;
        }
        return a.distance != b.distance ? a.distance < b.distance : a.instance < b.instance;
    });
    append(instances, items);
}

Frustum::Frustum(const Mat4& viewProjection) {
    const Vec4 w = glm::row(viewProjection, 3);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec4 r = glm::row(viewProjection, axis);
        planes[static_cast<std::size_t>(axis) * 2] = w + r;
        planes[static_cast<std::size_t>(axis) * 2 + 1] = w - r;
    }
    for (Vec4& plane : planes) {
        const float length = glm::length(Vec3(plane));
        plane = length > 0.0F ? plane / length : Vec4(0.0F, 0.0F, 0.0F, 1.0F);
    }
}

bool Frustum::touchesSphere(const Vec3& centre, float radius) const {
    return std::all_of(planes.begin(), planes.end(), [&](const Vec4& plane) {
        return glm::dot(Vec3(plane), centre) + plane.w >= -radius;
    });
}

} // namespace sbx::render
