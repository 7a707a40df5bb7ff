#pragma once
// What a PhysicsWorld owns. Shared by the sources that implement it: bodies and stepping, hinges, queries.

#include "engine/physics/detail/dynamics_world.h"
#include "engine/physics/detail/tree_broadphase.h"
#include "engine/physics/physics_world.h"

#include <memory>
#include <vector>

namespace sbx::physics {

struct PhysicsWorld::Impl {
    // Frames are about the bodies' origins, so that a new shape with another centre of mass keeps the hinge
    // in place.
    struct Hinge {
        HingeHandle handle;
        HingeDesc desc;
        btTransform frameA;
        btTransform frameB;
        std::unique_ptr<btHingeConstraint> constraint;
    };
    struct Target {
        BodyHandle body;
        Pose pose;
    };

    explicit Impl(const WorldDesc& desc);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] detail::Body* find(BodyHandle handle) const;
    // Alive and dynamic.
    [[nodiscard]] detail::Body* findDynamic(BodyHandle handle) const;
    [[nodiscard]] Hinge* find(HingeHandle handle) const;

    [[nodiscard]] Result<void> check(const BodyDesc& desc, const detail::Shape& shape) const;
    // Everything but pose, velocities and the place in the world.
    void describe(detail::Body& body, const BodyDesc& desc, std::shared_ptr<const detail::Shape> shape);
    void teleport(detail::Body& body, const btTransform& transform);

    void applyTargets();
    void chooseIterations();
    void collectMoved();
    [[nodiscard]] bool contain(detail::Body& body);

    void placeHinge(Hinge& hinge);
    void wakeHinge(Hinge& hinge);
    void wakeHingesOf(const detail::Body& body);
    void removeHinge(Hinge& hinge);
    void removeHingesOf(detail::Body& body);
    void applySprings(float dt);
    void applyHand(float dt);

    struct Hand {
        BodyHandle body; // null: it holds nothing
        btVector3 point{0.0F, 0.0F, 0.0F}; // in the frame of the centre of mass
        Vec3 place{0.0F};
        float strength = 0.0F; // m/s²
    };
    Hand hand;

    // Declared in the order of need: later ones refer to earlier ones.
    btDefaultCollisionConfiguration configuration;
    detail::ManifoldDispatcher dispatcher;
    detail::TreeBroadphase* tree = nullptr; // the broad phase, if it is ours: set as it is made
    detail::PairCache pairs;
    std::unique_ptr<btBroadphaseInterface> broadphase;
    btSequentialImpulseConstraintSolver solver;
    detail::ContactTracker contacts;
    btRigidBody ground; // what hinges to the world hang on; Bullet's own is shared by all worlds of a process
    detail::ShapeCache shapes;
    std::vector<std::unique_ptr<detail::Body>> bodies; // by handle index; null: free
    std::vector<std::uint32_t> generations;
    std::vector<std::uint32_t> freeBodies;
    std::vector<std::unique_ptr<Hinge>> hinges;
    std::vector<std::uint32_t> hingeGenerations;
    std::vector<std::uint32_t> freeHinges;
    detail::DynamicsWorld world;

    Vec3 gravity{0.0F};
    std::uint64_t nextSerial = 1;
    std::uint64_t steps = 0;
    std::size_t alive = 0;
    std::vector<Target> targets;
    std::vector<BodyHandle> teleported; // since the last step
    std::vector<detail::Body*> movedBodies;
    std::vector<BodyHandle> moved;
    std::vector<BodyHandle> escaped;
};

} // namespace sbx::physics
