#pragma once
// Rigid bodies, contacts, hinges and queries: Bullet behind a small API.
//
// Data flow: bodies go in as descriptions; step() advances all of them by one fixed step; afterwards
// moved(), begins(), persisting(), ends() and escaped() list what happened, until the next step. Calls
// between steps take effect at once for queries and at the next step for contacts.
//
// Deterministic: the same calls in the same order give bit-identical results, in any run of the same build
// on one machine; nothing depends on addresses. A world that was rebuilt half-way is another order of calls:
// Bullet's caches are not restored.
//
// Sleeping: an island of bodies that came to rest leaves every per-step loop, together with its contact
// pairs, until something moves against it. Sleeping pairs neither end nor persist: begins() once, ends()
// when they part.
//
// Failure: addBody and changeBody explain what is wrong; the other calls return false (or nothing) for a
// dead handle or a value that is not finite, and then change nothing.
//
// Thread: one thread at a time. The world owns everything; handles of removed bodies go stale and are safe
// to keep.

#include "engine/core/result.h"
#include "engine/physics/physics_types.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sbx::physics {

class PhysicsWorld {
public:
    // A coordinate beyond this is out of bounds: a float's step is already 8 mm there. See escaped().
    static constexpr float Bound = 100000.0F;

    explicit PhysicsWorld(const WorldDesc& desc = {});
    ~PhysicsWorld();
    PhysicsWorld(const PhysicsWorld&) = delete;
    PhysicsWorld& operator=(const PhysicsWorld&) = delete;

    [[nodiscard]] Result<BodyHandle> addBody(const BodyDesc& desc);
    // Its hinges go with it; its contacts appear in ends() of the next step; what rested on it wakes.
    bool removeBody(BodyHandle handle);
    // Takes everything from `desc` but velocities and pose (only its scale): those stay. Handle, creation
    // order, hinges and contacts stay too. On error nothing changed.
    [[nodiscard]] Result<void> changeBody(BodyHandle handle, const BodyDesc& desc);
    [[nodiscard]] bool alive(BodyHandle handle) const;
    [[nodiscard]] std::size_t bodyCount() const;
    // Bodies the next step will visit: neither static nor asleep.
    [[nodiscard]] std::size_t activeCount() const;

    [[nodiscard]] Pose pose(BodyHandle handle) const;  // of a dead body: the default pose
    bool setPose(BodyHandle handle, const Pose& pose); // teleport: velocities stay
    // Shifts a body that rests by less than the tree's margin, to where another simulation of it rests: neither it nor what touches it
    // is woken, its time until it falls asleep goes on, and its velocities become zero. Scale stays. A larger shift may wake what it
    // comes near.
    bool correctPose(BodyHandle handle, const Pose& pose);
    // Where a kinematic body shall be after the next step; it gets the velocity that takes it there, so it
    // pushes and carries.
    bool moveKinematic(BodyHandle handle, const Pose& pose);
    [[nodiscard]] Vec3 linearVelocity(BodyHandle handle) const; // of the centre of mass
    [[nodiscard]] Vec3 angularVelocity(BodyHandle handle) const;
    // Dynamic bodies only. A value equal to the current one does not wake the body.
    bool setLinearVelocity(BodyHandle handle, const Vec3& velocity);
    bool setAngularVelocity(BodyHandle handle, const Vec3& velocity);
    bool applyImpulse(BodyHandle handle, const Vec3& impulse, const Vec3& worldPoint);
    bool applyImpulse(BodyHandle handle, const Vec3& impulse); // at the centre of mass
    bool applyForce(BodyHandle handle, const Vec3& force);     // over the next step, at the centre of mass
    bool applyForce(BodyHandle handle, const Vec3& force, const Vec3& worldPoint);
    bool applyTorque(BodyHandle handle, const Vec3& torque);
    // A hand: draws a point of a dynamic body towards a place, at first where it is, with at most so much acceleration (m/s², above 0) beside
    // carrying its weight. Held by a spring, it swings, pushes what is in the way, and flies on when it is let go. One at a time; it ends
    // with the body. False: nothing to hold, or no number.
    bool grab(BodyHandle handle, const Vec3& worldPoint, float strength);
    bool moveGrab(const Vec3& place, float strength);
    void releaseGrab();
    struct Grabbed {
        BodyHandle body;
        Vec3 point{0.0F}; // of the body, now
        Vec3 place{0.0F}; // where it is drawn to
    };
    [[nodiscard]] std::optional<Grabbed> grabbed() const;
    bool wake(BodyHandle handle);
    [[nodiscard]] bool sleeping(BodyHandle handle) const; // true for static bodies, and for dead ones
    [[nodiscard]] float mass(BodyHandle handle) const;    // 0: not dynamic
    [[nodiscard]] Motion motion(BodyHandle handle) const;
    [[nodiscard]] std::uint64_t user(BodyHandle handle) const;

    bool setGravity(const Vec3& gravity); // wakes all
    [[nodiscard]] Broadphase broadphase() const;
    void setMargin(float margin);         // of the tree's fat boxes, as they change; see WorldDesc
    [[nodiscard]] Vec3 gravity() const;

    // Pairs of boxes looked at so far because a single body left, was put elsewhere, or woke what lies beside it.
    [[nodiscard]] std::uint64_t pairsVisited() const;

    // Exactly one step of dt seconds, in (0, 1].
    void step(float dt);

    // All of these are about the last step. Bodies in order of creation, contacts by creation of a, then b.
    [[nodiscard]] const std::vector<BodyHandle>& moved() const; // pose differs from the one last reported, or it fell asleep
    [[nodiscard]] const std::vector<Contact>& begins() const;
    [[nodiscard]] const std::vector<Contact>& persisting() const; // pairs with an awake body only
    [[nodiscard]] const std::vector<Contact>& ends() const;       // handles may be dead, users as they were
    // Bodies that left the bounds (or whose state overflowed): put to rest at their last good pose.
    [[nodiscard]] const std::vector<BodyHandle>& escaped() const;

    // The steepest-upward contact below a body, if its normal's y is at least minimumUp (default: slopes up
    // to 50 degrees).
    [[nodiscard]] std::optional<GroundContact> groundContact(BodyHandle handle,
                                                             float minimumUp = 0.642F) const;

    [[nodiscard]] Result<HingeHandle> addHinge(const HingeDesc& desc);
    bool removeHinge(HingeHandle handle);
    [[nodiscard]] bool alive(HingeHandle handle) const;
    [[nodiscard]] float hingeAngle(HingeHandle handle) const; // radians in (-π, π]
    bool setHingeMotor(HingeHandle handle, bool enabled, float velocity, float maxImpulse);
    // The spring: rest angle and stiffness in N·m/rad (0 switches it off; damping stays as described).
    bool setHingeTarget(HingeHandle handle, float angle, float stiffness);

    // Low and high corner of the body's box; of a dead body nothing.
    [[nodiscard]] std::optional<std::pair<Vec3, Vec3>> bounds(BodyHandle handle) const;
    // Nearest hit, from outside: bodies that contain `from` are not hit.
    [[nodiscard]] std::optional<RayHit> raycast(const Vec3& from, const Vec3& to,
                                                std::uint32_t mask = query::Solid,
                                                BodyHandle ignore = {}) const;
    // Users of the bodies that touch the ball, sorted, each once.
    [[nodiscard]] std::vector<std::uint64_t> overlapSphere(const Vec3& center, float radius,
                                                           std::uint32_t mask = query::All) const;

    // Edges of the shapes. Planes are drawn as far as Bullet does.
    void debugLines(std::vector<DebugLine>& out) const;
    // The broad phase's tree (Bullet's has two, for what moves and what does not), and the boxes of bodies in it.
    void debugBoxes(std::vector<DebugBox>& out) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sbx::physics
