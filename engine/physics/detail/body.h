#pragma once
// One body of a PhysicsWorld and what is remembered about it. Bullet's object points back here.

#include "engine/physics/detail/bullet.h"
#include "engine/physics/detail/shape_cache.h"
#include "engine/physics/physics_types.h"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace sbx::physics::detail {

struct Body {
    BodyHandle handle;
    std::uint64_t serial = 0; // creation order, never reused
    std::uint64_t user = 0;
    Motion motion = Motion::Dynamic;
    bool trigger = false;
    Vec3 scale{1.0F}; // of the pose, handed back
    float gravityScale = 1.0F;
    std::set<std::uint32_t> hinges; // that hang on it, by handle index
    std::shared_ptr<const Shape> shape;
    std::unique_ptr<btRigidBody> rigid;
    btTransform reported; // the pose that moved() reported last
    bool reportedAwake = false; // it was awake then

    static constexpr std::uint32_t NoPair = 0xFFFFFFFFU;
    std::uint32_t firstPair = NoPair; // PairCache's
    int awakeAt = -1;                 // in Bullet's list of bodies that move; DynamicsWorld's
    // Islands that fell asleep with a pair of this body: slot and which use of it. DynamicsWorld's; some are over.
    std::vector<std::pair<int, std::uint32_t>> asleepWith;

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
