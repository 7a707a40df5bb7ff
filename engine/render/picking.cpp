#include "engine/render/picking.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sbx::render {
namespace {

// One look-up per mesh and query instead of one per instance: the library is locked for each.
class MeshCache {
public:
    explicit MeshCache(const MeshLibrary& meshes) : m_meshes(meshes) {}

    const MeshData* get(MeshId id) {
        if (!id) {
            return nullptr;
        }
        if (id.value >= m_data.size()) {
            m_data.resize(id.value + std::size_t{1});
        }
        auto& data = m_data[id.value];
        if (!data) {
            data = m_meshes.data(id);
        }
        return data.get();
    }

private:
    const MeshLibrary& m_meshes;
    std::vector<std::shared_ptr<const MeshData>> m_data;
};

bool hitsBox(const Vec3& origin, const Vec3& direction, const Bounds& box, float limit) {
    float enter = 0.0F;
    float leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(direction[axis]) < 1e-20F) {
            if (origin[axis] < box.minimum[axis] || origin[axis] > box.maximum[axis]) {
                return false;
            }
            continue;
        }
        const float inverse = 1.0F / direction[axis];
        const float a = (box.minimum[axis] - origin[axis]) * inverse;
        const float b = (box.maximum[axis] - origin[axis]) * inverse;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
}

// Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection" (1997), both sides.
std::optional<float> hitTriangle(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& ab,
                                 const Vec3& ac) {
    const Vec3 p = glm::cross(direction, ac);
    const float determinant = glm::dot(ab, p);
    if (std::abs(determinant) < 1e-20F) {
        return std::nullopt;
    }
    const float inverse = 1.0F / determinant;
    const Vec3 s = origin - a;
    const float u = glm::dot(s, p) * inverse;
    if (u < 0.0F || u > 1.0F) {
        return std::nullopt;
    }
    const Vec3 q = glm::cross(s, ab);
    const float v = glm::dot(direction, q) * inverse;
    if (v < 0.0F || u + v > 1.0F) {
        return std::nullopt;
    }
    const float distance = glm::dot(ac, q) * inverse;
    return distance > 0.0F ? std::optional(distance) : std::nullopt;
}

// Nearer than `nearest`: takes the hit, and its distance for the next.
void hitInstance(const Scene& scene, std::size_t index, const MeshData& mesh, const Ray& ray, float& nearest,
                 std::optional<PickHit>& best) {
    const Instance& instance = scene.instances[index];
    const Vec3& scale = instance.pose.scale;
    if (scale.x == 0.0F || scale.y == 0.0F || scale.z == 0.0F) {
        return;
    }
    // In the mesh's frame; the direction keeps its length there, so distances stay metres.
    const Quat inverse = glm::conjugate(instance.pose.rotation);
    const Vec3 origin = inverse * (ray.origin - instance.pose.position) / scale;
    const Vec3 direction = inverse * ray.direction / scale;
    if (!hitsBox(origin, direction, mesh.bounds, nearest)) {
        return;
    }
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        const Vec3& a = mesh.vertices[mesh.indices[t]].position;
        const Vec3 ab = mesh.vertices[mesh.indices[t + 1]].position - a;
        const Vec3 ac = mesh.vertices[mesh.indices[t + 2]].position - a;
        const Vec3 outward = glm::cross(ab, ac);
        // What is culled in the picture is not there for the ray either. In the mesh's own frame
        // mirroring makes no difference.
        if (!mesh.twoSided && glm::dot(outward, direction) >= 0.0F) {
            continue;
        }
        const std::optional<float> distance = hitTriangle(origin, direction, a, ab, ac);
        // Of surfaces that coincide, the one drawn first.
        if (distance && (*distance < nearest || (best && *distance == nearest && index < best->instance))) {
            nearest = *distance;
            Vec3 normal = glm::normalize(instance.pose.rotation * (outward / scale));
            if (glm::dot(normal, ray.direction) > 0.0F) {
                normal = -normal;
            }
            best = PickHit{instance.entity, instance.part, index, ray.origin + ray.direction * nearest,
                           normal,          nearest};
        }
    }
}

// As long as it must be to leave the scene, and no longer: rounding grows with the length.
spatial::Segment within(const SceneIndex& index, const Ray& ray, float maximumDistance) {
    const spatial::Box all = index.tree().bounds();
    const float across = glm::distance(centerOf(all), ray.origin) + 0.5F * glm::distance(all.min, all.max) + 1.0F;
    return {ray.origin, ray.direction * std::min(maximumDistance, across)};
}

} // namespace

std::optional<PickHit> pick(const Scene& scene, const MeshLibrary& meshes, const Ray& ray,
                            float maximumDistance) {
    MeshCache cache(meshes);
    std::optional<PickHit> best;
    float nearest = maximumDistance;
    for (std::size_t i = 0; i < scene.instances.size(); ++i) {
        if (const MeshData* mesh = cache.get(scene.instances[i].mesh)) {
            hitInstance(scene, i, *mesh, ray, nearest, best);
        }
    }
    return best;
}

std::optional<PickHit> pick(const Scene& scene, const SceneIndex& index, const Ray& ray, float maximumDistance,
                            spatial::QueryStats* cost) {
    std::optional<PickHit> best;
    float nearest = maximumDistance;
    const spatial::Segment segment = within(index, ray, maximumDistance);
    const float length = glm::length(segment.motion);
    spatial::AabbTree::Hit hit;
    const spatial::QueryStats took = index.tree().rayClosest(segment, spatial::Everything, hit, [&](std::uint32_t slot, float) {
        const auto instance = static_cast<std::size_t>(index.tree().user(slot));
        hitInstance(scene, instance, *index.placed()[instance].mesh, ray, nearest, best);
        return best ? nearest / length : 2.0F;
    });
    if (cost != nullptr) {
        *cost = took;
    }
    return best;
}

std::vector<std::uint32_t> instancesAlong(const SceneIndex& index, const Ray& ray) {
    std::vector<std::uint32_t> found;
    const spatial::Segment segment = within(index, ray, std::numeric_limits<float>::max());
    index.tree().rayAll(segment, spatial::Everything, [&](std::uint32_t slot, float) {
        found.push_back(static_cast<std::uint32_t>(index.tree().user(slot)));
    });
    std::sort(found.begin(), found.end());
    return found;
}

std::optional<PickHit> pickInstance(const Scene& scene, const SceneIndex& index, std::size_t instance, const Ray& ray) {
    std::optional<PickHit> best;
    float nearest = std::numeric_limits<float>::max();
    if (const MeshData* mesh = index.placed()[instance].mesh) {
        hitInstance(scene, instance, *mesh, ray, nearest, best);
    }
    return best;
}

bool isDrawable(const Pose& pose) {
    return isFinite(pose.position) && isFinite(pose.scale) && isFinite(pose.rotation) && pose.scale.x != 0.0F
           && pose.scale.y != 0.0F && pose.scale.z != 0.0F;
}

Bounds worldBounds(const Pose& pose, const Bounds& local) {
    const Vec3 centre = pose.position + pose.rotation * (pose.scale * local.centre());
    const Vec3 half = glm::abs(pose.scale * local.size() * 0.5F);
    const glm::mat3 rotation = glm::mat3_cast(pose.rotation);
    const Vec3 extent =
        glm::abs(rotation[0]) * half.x + glm::abs(rotation[1]) * half.y + glm::abs(rotation[2]) * half.z;
    return {centre - extent, centre + extent};
}

std::optional<Bounds> boundsOf(const Scene& scene, const MeshLibrary& meshes, std::uint64_t entity) {
    MeshCache cache(meshes);
    std::optional<Bounds> all;
    for (const Instance& instance : scene.instances) {
        const MeshData* mesh = instance.entity == entity ? cache.get(instance.mesh) : nullptr;
        if (!mesh) {
            continue;
        }
        const Bounds bounds = worldBounds(instance.pose, mesh->bounds);
        all = all ? Bounds{glm::min(all->minimum, bounds.minimum), glm::max(all->maximum, bounds.maximum)}
                  : bounds;
    }
    return all;
}

} // namespace sbx::render
