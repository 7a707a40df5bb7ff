#include "engine/components/physics_system.h"

#include "engine/components/messages.h"
#include "engine/core/log.h"

namespace sbx {

physics::BodyHandle PhysicsSystem::bodyOf(EntityId entity) const {
    const auto it = m_bodies.find(entity);
    return it != m_bodies.end() ? it->second.body : physics::BodyHandle{};
}

void PhysicsSystem::attach(EntityId entity, physics::BodyHandle body, BodyListener& listener) {
    m_bodies[entity] = {&listener, body};
}

void PhysicsSystem::detach(EntityId entity, physics::BodyHandle body) {
    m_bodies.erase(entity);
    m_physics.removeBody(body);
}

void PhysicsSystem::step(World& world, float dt) {
    for (const EntityId carried : world.takeMovedByParent())
        if (const auto it = m_bodies.find(carried); it != m_bodies.end())
            it->second.listener->bodyMovedByParent(world.find(carried).pose());
    m_physics.step(dt);
    for (const physics::BodyHandle body : m_physics.moved()) {
        const auto it = m_bodies.find(EntityId::fromBits(m_physics.user(body)));
        if (it != m_bodies.end())
            it->second.listener->bodyMoved(m_physics.pose(body));
    }
    for (const physics::BodyHandle body : m_physics.escaped())
        world.log().warning("physics", world.nameOf(EntityId::fromBits(m_physics.user(body)))
                                           + " left the bounds of the world and was put to rest");
    deliverContacts(world);
}

void PhysicsSystem::deliverContacts(World& world) {
    // Handlers may add and remove bodies, which must not disturb the lists of this step.
    const std::vector<physics::Contact> begins = m_physics.begins();
    const std::vector<physics::Contact> ends = m_physics.ends();
    for (const physics::Contact& c : ends) {
        const EntityId a = EntityId::fromBits(c.userA);
        const EntityId b = EntityId::fromBits(c.userB);
        if (c.trigger) {
            world.send(a, Left{b}, b);
            world.send(b, Left{a}, a);
        } else {
            world.send(a, ContactEnded{b}, b);
            world.send(b, ContactEnded{a}, a);
        }
    }
    for (const physics::Contact& c : begins) {
        const EntityId a = EntityId::fromBits(c.userA);
        const EntityId b = EntityId::fromBits(c.userB);
        if (c.trigger) {
            world.send(a, Entered{b}, b);
            world.send(b, Entered{a}, a);
        } else {
            world.send(a, ContactBegan{b, c.point, c.normal, c.impulse}, b);
            world.send(b, ContactBegan{a, c.point, -c.normal, c.impulse}, a);
        }
    }
}

} // namespace sbx
