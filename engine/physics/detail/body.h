#pragma once
// One body of a PhysicsWorld and what is remembered about it. Bullet's object points back here.

#include "engine/physics/detail/bullet.h"
#include "engine/physics/detail/shape_cache.h"
#include "engine/physics/physics_types.h"

#include <memory>

namespace sbx::physics::detail {

struct Body {
    BodyHandle handle;
    std::uint64_t serial = 0; // creation order, never reused
    std::uint64_t user = 0;
    Motion motion = Motion::Dynamic;
    bool trigger = false;
    Vec3 scale{1.0F}; // of the pose, handed back
    float gravityScale = 1.0F;
    std::uint32_t hinges = 0;
    std::shared_ptr<const Shape> shape;
    std::unique_ptr<btRigidBody> rigid;
    btTransform reported; // what moved() last told

    // The most upward contact below, and the step it was seen in.
    std::uint64_t groundStep = 0;
    GroundContact ground;

    Body() { reported.setIdentity(); }

    [[nodiscard]] static Body& of(const btCollisionObject& object) {
        return *static_cast<Body*>(object.getUserPointer());
    }
    // The body's origin: Bullet's transform is about the centre of mass.
    [[nodiscard]] Vec3 origin(const btTransform& transform) const {
        return fromBullet(transform(toBullet(-shape->center)));
    }
    [[nodiscard]] btTransform transformFor(const Vec3& position, const Quat& rotation) const {
        btTransform transform(toBullet(rotation), toBullet(position));
        transform.setOrigin(transform(toBullet(shape->center)));
        return transform;
    }
};

} // namespace sbx::physics::detail
