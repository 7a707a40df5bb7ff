#pragma once
// Which entity is under a pixel: rays against the triangles that are drawn. On the CPU, so it needs no
// OpenGL, waits for no frame, works on any thread, and gives position and normal exactly.

#include "engine/render/camera.h"
#include "engine/render/mesh.h"
#include "engine/render/scene.h"
#include "engine/render/scene_index.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace sbx::render {

struct PickHit {
    std::uint64_t entity = 0;
    std::uint32_t part = 0;
    std::size_t instance = 0; // index in the scene
    Vec3 position{0.0F};
    Vec3 normal{0.0F, 1.0F, 0.0F}; // of the triangle, towards the ray's origin
    float distance = 0.0F;
};

// The nearest hit. Instances of no entity stop the ray and count as a hit with entity 0.
[[nodiscard]] std::optional<PickHit> pick(const Scene& scene, const MeshLibrary& meshes, const Ray& ray,
                                          float maximumDistance = std::numeric_limits<float>::max());

// The same for a scene whose index is up to date: tests only what is near the ray. `cost`: how many nodes and objects of the tree were visited.
[[nodiscard]] std::optional<PickHit> pick(const Scene& scene, const SceneIndex& index, const Ray& ray,
                                          float maximumDistance = std::numeric_limits<float>::max(),
                                          spatial::QueryStats* cost = nullptr);
// Indices of the instances whose box the ray meets, in scene order.
[[nodiscard]] std::vector<std::uint32_t> instancesAlong(const SceneIndex& index, const Ray& ray);
// The nearest hit on one instance, by the triangles alone.
[[nodiscard]] std::optional<PickHit> pickInstance(const Scene& scene, const SceneIndex& index, std::size_t instance,
                                                  const Ray& ray);

// World bounds of an entity's instances, or nothing if it has none: to frame it, to place a gizmo.
[[nodiscard]] std::optional<Bounds> boundsOf(const Scene& scene, const MeshLibrary& meshes,
                                             std::uint64_t entity);
// Finite, and not scaled to nothing.
[[nodiscard]] bool isDrawable(const Pose& pose);
// World bounds of one instance's box.
[[nodiscard]] Bounds worldBounds(const Pose& pose, const Bounds& local);

} // namespace sbx::render
