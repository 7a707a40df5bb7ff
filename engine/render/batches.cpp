#include "engine/render/batches.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace sbx::render {
namespace {

bool isMirrored(const Instance& instance) {
    const Vec3& s = instance.pose.scale;
    return s.x * s.y * s.z < 0.0F;
}

float seedOf(const Instance& instance) {
    const std::uint64_t h =
        (instance.entity + 0x9E3779B97F4A7C15ULL * (instance.part + 1U)) * 0xD6E8FEB86659FD93ULL;
    return static_cast<float>(h >> 40U) / 16777216.0F;
}

// Two digits that a mask of eight bits a channel keeps apart; the sign of the second says that the group is the primary one.
constexpr std::uint32_t MarkDigits = 61;
float markDigit(std::uint32_t digit) {
    return static_cast<float>(8U + 4U * (digit % MarkDigits)) / 255.0F;
}

InstanceData pack(const Instance& instance, const BatchItem& item) {
    const Quat& q = instance.pose.rotation;
    return {instance.pose.position,
            instance.roughness,
            Vec4(q.x, q.y, q.z, q.w),
            instance.pose.scale,
            instance.metallic,
            instance.color,
            Vec4(instance.emissive, 0.0F),
            seedOf(instance),
            instance.highlighted ? 1.0F : 0.0F,
            {markDigit(item.group), markDigit(item.group / MarkDigits) * (item.primary ? -1.0F : 1.0F)}};
}

} // namespace

void BatchList::clear() {
    data.clear();
    batches.clear();
}

void BatchList::add(const std::vector<Instance>& instances, std::vector<BatchItem>& items,
                    Grouping grouping) {
    const auto batchOf = [&](const BatchItem& item) {
        const Instance& instance = instances[item.instance];
        Batch batch;
        batch.mesh = instance.mesh;
        batch.mirrored = isMirrored(instance);
        batch.coarse = item.coarse;
        if (grouping != Grouping::ByMesh) {
            batch.material = instance.material;
            batch.lit = item.lit;
            batch.last = item.last;
        }
        return batch;
    };
    const auto key = [](const Batch& batch) {
        return std::tuple(batch.last, batch.mesh, batch.material, batch.lit, batch.coarse, batch.mirrored);
    };
    if (grouping != Grouping::InOrder) {
        std::sort(items.begin(), items.end(), [&](const BatchItem& a, const BatchItem& b) {
            const auto left = key(batchOf(a));
            const auto right = key(batchOf(b));
            if (left != right) {
                return left < right;
            }
            return a.distance != b.distance ? a.distance < b.distance : a.instance < b.instance;
        });
    }
    const std::size_t firstBatch = batches.size();
    for (const BatchItem& item : items) {
        Batch batch = batchOf(item);
        if (batches.size() == firstBatch || key(batches.back()) != key(batch)) {
            batch.first = static_cast<std::uint32_t>(data.size());
            batches.push_back(batch);
        }
        data.push_back(pack(instances[item.instance], item));
        ++batches.back().count;
    }
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
    return std::all_of(planes.begin(), planes.end(),
                       [&](const Vec4& plane) { return glm::dot(Vec3(plane), centre) + plane.w >= -radius; });
}

} // namespace sbx::render
