#pragma once
// Collision shapes from descriptions. Equal descriptions share one shape while a body uses it; the cache
// itself keeps nothing alive. Owned by one PhysicsWorld, used on its thread.

#include "engine/core/result.h"
#include "engine/physics/detail/bullet.h"
#include "engine/physics/physics_types.h"

#include <BulletCollision/CollisionShapes/btTriangleInfoMap.h>

#include <memory>
#include <unordered_map>

namespace sbx::physics::detail {

// Immutable. Declaration order matters: the shape refers to the mesh, so it goes first.
struct Shape {
    ShapeDesc desc; // normalized: fields its kind does not use are defaults
    std::vector<btVector3> corners;
    std::vector<int> triangles;
    std::unique_ptr<btTriangleIndexVertexArray> mesh;
    std::unique_ptr<btTriangleInfoMap> edges; // where triangles meet, so that nothing trips over a seam
    std::unique_ptr<btCollisionShape> collision;
    Vec3 center{0.0F};        // centre of mass from the body's origin; Bullet's shapes are about it
    btVector3 unitInertia;    // local inertia of 1 kg
    float innerRadius = 0.0F; // of a ball that fits inside; 0 for planes and meshes
};

class ShapeCache {
public:
    [[nodiscard]] Result<std::shared_ptr<const Shape>> get(const ShapeDesc& desc);

private:
    // By hash; never iterated, so its order has no influence.
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const Shape>> m_shapes;
};

} // namespace sbx::physics::detail
