#pragma once
// The physics of one world: steps Bullet between FixedUpdate and Update, updates the poses of bodies, and turns contacts
// into messages (ContactBegan, ContactEnded, Entered, Left), sent to both sides in a fixed order.

#include "engine/entity/world.h"
#include "engine/physics/physics_world.h"

#include <unordered_map>

namespace sbx {

class PhysicsSystem;

// Notifies a body of its motion, without a message in each step. Implemented by Body.
class BodyListener {
public:
    virtual void bodyMoved(const Pose& pose) = 0;
    // A parent moved the entity; the physics body has to follow.
    virtual void bodyMovedByParent(const Pose& pose) = 0;

protected:
    ~BodyListener() = default;
};

class PhysicsSystem : public System {
public:
    explicit PhysicsSystem(const physics::WorldDesc& desc) : m_physics(desc) {}
    explicit PhysicsSystem(const Vec3& gravity) : m_physics(physics::WorldDesc{.gravity = gravity}) {}

    [[nodiscard]] physics::PhysicsWorld& physics() { return m_physics; }
    [[nodiscard]] const physics::PhysicsWorld& physics() const { return m_physics; }
    // Null: the entity has none.
    [[nodiscard]] physics::BodyHandle bodyOf(EntityId entity) const;
    void attach(EntityId entity, physics::BodyHandle body, BodyListener& listener);
    void detach(EntityId entity, physics::BodyHandle body);
    void step(World& world, float dt) override;

private:
    void deliverContacts(World& world);

    physics::PhysicsWorld m_physics;
    struct Attached {
        BodyListener* listener = nullptr;
        physics::BodyHandle body;
    };
    std::unordered_map<EntityId, Attached> m_bodies;
};

} // namespace sbx
