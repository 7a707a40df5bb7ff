// A hand that holds a body: a spring between a point of the body and a place.

#include "engine/physics/detail/limits.h"
#include "engine/physics/detail/world_impl.h"

#include <algorithm>
#include <cmath>

namespace sbx::physics {

using namespace detail;

namespace {
constexpr float Frequency = 9.0F;  // rad/s: it is there within about half a second, without overshoot
constexpr float SpinDamping = 4.0F; // 1/s: what is held turns a little, and comes to hang
} // namespace

bool PhysicsWorld::grab(BodyHandle handle, const Vec3& worldPoint, float strength) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(worldPoint) || !std::isfinite(strength) || strength <= 0.0F)
        return false;
    m_impl->hand = {handle, body->rigid->getWorldTransform().invXform(toBullet(worldPoint)), worldPoint, strength};
    return true;
}

bool PhysicsWorld::moveGrab(const Vec3& place, float strength) {
    if (m_impl->findDynamic(m_impl->hand.body) == nullptr || !isFinite(place) || !std::isfinite(strength) || strength <= 0.0F)
        return false;
    m_impl->hand.place = place;
    m_impl->hand.strength = strength;
    return true;
}

void PhysicsWorld::releaseGrab() { m_impl->hand = {}; }

std::optional<PhysicsWorld::Grabbed> PhysicsWorld::grabbed() const {
    const Body* const body = m_impl->findDynamic(m_impl->hand.body);
    if (body == nullptr)
        return std::nullopt;
    return Grabbed{m_impl->hand.body, fromBullet(body->rigid->getWorldTransform() * m_impl->hand.point), m_impl->hand.place};
}

// A spring and damper of the mass that the point shows, by which nothing blows up wherever the body is held; and what gravity takes.
void PhysicsWorld::Impl::applyHand(float dt) {
    Body* const body = findDynamic(hand.body);
    if (body == nullptr)
        return;
    world.wake(*body);
    btRigidBody& rigid = *body->rigid;
    const btVector3 at = rigid.getWorldTransform() * hand.point;
    const btVector3 arm = at - rigid.getCenterOfMassPosition();
    const btVector3 velocity = rigid.getVelocityInLocalPoint(arm);
    btVector3 wish = (toBullet(hand.place) - at) * (Frequency * Frequency) - velocity * (2.0F * Frequency);
    if (const float length = wish.length(); length > hand.strength)
        wish *= hand.strength / length;
    if (const float length = wish.length(); length > 1e-6F) {
        const float inverse = rigid.computeImpulseDenominator(at, wish / length);
        if (inverse > 0.0F)
            rigid.applyImpulse(wish * (dt / inverse), arm);
    }
    rigid.applyImpulse(-rigid.getGravity() * (dt / std::max(rigid.getInvMass(), 1e-9F)), arm); // it hangs from the hand
    rigid.setAngularVelocity(rigid.getAngularVelocity() * std::exp(-SpinDamping * dt));
    limitSpeed(rigid);
}

} // namespace sbx::physics
