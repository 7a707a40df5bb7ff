#include "engine/physics/detail/limits.h"
#include "engine/physics/detail/world_impl.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace sbx::physics {

using namespace detail;

namespace {

constexpr float Pi = std::numbers::pi_v<float>;

// Right-handed frame at the anchor with Z along the axis.
btTransform frameAt(const Vec3& anchor, const Vec3& axis) {
    const btVector3 z = toBullet(glm::normalize(axis));
    btVector3 x;
    btVector3 y;
    btPlaneSpace1(z, x, y);
    const btMatrix3x3 basis(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z());
    return btTransform(basis, toBullet(anchor));
}

// The body's frame about its origin rather than its centre of mass.
btTransform originFrame(const Body& body) {
    btTransform transform = body.rigid->getWorldTransform();
    transform.setOrigin(toBullet(body.origin(transform)));
    return transform;
}

btTransform aboutCenter(const Body& body, const btTransform& frame) {
    return btTransform(frame.getBasis(), frame.getOrigin() - toBullet(body.shape->center));
}

float wrapped(float angle) { return std::remainder(angle, 2.0F * Pi); }

// Moment of inertia about the hinge's line; infinite for what cannot turn.
float inertiaAbout(const btRigidBody& body, const btVector3& anchor, const btVector3& axis) {
    const float inverse = axis.dot(body.getInvInertiaTensorWorld() * axis);
    if (body.getInvMass() <= 0.0F || inverse <= 0.0F) {
        return 0.0F;
    }
    const btVector3 arm = body.getCenterOfMassPosition() - anchor;
    const float distance2 = arm.length2() - arm.dot(axis) * arm.dot(axis);
    return 1.0F / inverse + std::max(distance2, 0.0F) / body.getInvMass();
}

} // namespace

PhysicsWorld::Impl::Hinge* PhysicsWorld::Impl::find(HingeHandle handle) const {
    const std::uint32_t index = handle.index();
    if (!handle || index >= hinges.size() || hingeGenerations[index] != handle.generation()) {
        return nullptr;
    }
    return hinges[index].get();
}

// (Re)builds Bullet's frames from the ones about the bodies' origins.
void PhysicsWorld::Impl::placeHinge(Hinge& hinge) {
    const Body& a = *find(hinge.desc.a);
    const Body* const b = find(hinge.desc.b);
    hinge.constraint->setFrames(aboutCenter(a, hinge.frameA),
                                b != nullptr ? aboutCenter(*b, hinge.frameB) : hinge.frameB);
}

void PhysicsWorld::Impl::wakeHinge(Hinge& hinge) {
    for (const BodyHandle handle : {hinge.desc.a, hinge.desc.b}) {
        if (Body* const body = find(handle); body != nullptr && body->motion == Motion::Dynamic) {
            world.wake(*body);
        }
    }
}

void PhysicsWorld::Impl::wakeHingesOf(const Body& body) {
    for (const std::uint32_t index : body.hinges) {
        wakeHinge(*hinges[index]);
    }
}

void PhysicsWorld::Impl::removeHinge(Hinge& hinge) {
    wakeHinge(hinge);
    world.removeHinge(*hinge.constraint);
    const std::uint32_t index = hinge.handle.index();
    for (const BodyHandle handle : {hinge.desc.a, hinge.desc.b}) {
        if (Body* const body = find(handle)) {
            body->hinges.erase(index);
        }
    }
    hinges[index].reset();
    if (++hingeGenerations[index] != 0) {
        freeHinges.push_back(index);
    }
}

void PhysicsWorld::Impl::removeHingesOf(Body& body) {
    while (!body.hinges.empty()) {
        removeHinge(*hinges[*body.hinges.begin()]);
    }
}

// A spring and damper solved implicitly for the hinge's one degree of freedom, so that no stiffness makes it
// blow up.
void PhysicsWorld::Impl::applySprings(float dt) {
    for (const std::unique_ptr<Hinge>& hinge : hinges) {
        if (!hinge || (hinge->desc.stiffness <= 0.0F && hinge->desc.damping <= 0.0F)) {
            continue;
        }
        btRigidBody& a = hinge->constraint->getRigidBodyA();
        btRigidBody& b = hinge->constraint->getRigidBodyB();
        // The ground, which is always active, keeps nothing awake: forces on a sleeper would add up until it wakes.
        if (!a.isActive() && (!hinge->desc.b || !b.isActive())) {
            continue;
        }
        const float error = wrapped(hinge->constraint->getHingeAngle() - hinge->desc.restAngle);
        const btTransform frame = a.getWorldTransform() * hinge->constraint->getAFrame();
        const btVector3 axis = frame.getBasis().getColumn(2);
        const float inertiaA = inertiaAbout(a, frame.getOrigin(), axis);
        const float inertiaB = inertiaAbout(b, frame.getOrigin(), axis);
        const float inverse =
            (inertiaA > 0.0F ? 1.0F / inertiaA : 0.0F) + (inertiaB > 0.0F ? 1.0F / inertiaB : 0.0F);
        if (inverse <= 0.0F) {
            continue;
        }
        const float inertia = 1.0F / inverse;
        const float speed = (a.getAngularVelocity() - b.getAngularVelocity()).dot(axis);
        const float stiffness = hinge->desc.stiffness;
        const float damping = hinge->desc.damping;
        const float force = stiffness * error + (damping + dt * stiffness) * speed;
        const float soft = inertia + dt * damping + dt * dt * stiffness;
        const float torque =
            std::clamp(-force * inertia / soft, -hinge->desc.maxTorque, hinge->desc.maxTorque);
        a.applyTorque(axis * torque);
        b.applyTorque(axis * -torque);
        // A slow spring is not at rest before it arrives.
        if (stiffness > 0.0F && std::abs(error) > 0.02F) {
            a.setDeactivationTime(0.0F);
            b.setDeactivationTime(0.0F);
        }
    }
}

Result<HingeHandle> PhysicsWorld::addHinge(const HingeDesc& desc) {
    Impl& impl = *m_impl;
    Body* const a = impl.find(desc.a);
    Body* const b = impl.find(desc.b);
    if (a == nullptr || (desc.b && b == nullptr)) {
        return invalid("a hinge needs a body that exists");
    }
    if (a == b) {
        return invalid("a hinge needs two different bodies");
    }
    if (a->motion != Motion::Dynamic && (b == nullptr || b->motion != Motion::Dynamic)) {
        return invalid("a hinge needs a dynamic body");
    }
    const float length = glm::length(desc.axis);
    if (!isFinite(desc.anchor) || !std::isfinite(length) || length < 1e-6F) {
        return invalid("the anchor or the axis of a hinge is not finite, or the axis is zero");
    }
    const bool unlimited = std::isinf(desc.lowerAngle) && std::isinf(desc.upperAngle);
    if (!unlimited
        && !(desc.lowerAngle >= -Pi - 1e-4F && desc.upperAngle <= Pi + 1e-4F
             && desc.lowerAngle <= desc.upperAngle)) {
        return invalid("the limits of a hinge are " + std::to_string(desc.lowerAngle) + " and "
                       + std::to_string(desc.upperAngle)
                       + "; expected -180 to 180 degrees, the lower one first");
    }
    for (const float value : {desc.stiffness, desc.damping, desc.motorMaxImpulse}) {
        if (!std::isfinite(value) || value < 0.0F) {
            return invalid("stiffness, damping and motor impulse of a hinge must be finite and not negative");
        }
    }
    if (!std::isfinite(desc.restAngle) || !std::isfinite(desc.motorVelocity) || !(desc.maxTorque >= 0.0F)) {
        return invalid("rest angle, motor velocity or largest torque of a hinge is not a number it can use");
    }

    std::uint32_t index = 0;
    if (impl.freeHinges.empty()) {
        index = static_cast<std::uint32_t>(impl.hinges.size());
        impl.hinges.emplace_back();
        impl.hingeGenerations.push_back(1);
    } else {
        index = impl.freeHinges.back();
        impl.freeHinges.pop_back();
    }
    impl.hinges[index] = std::make_unique<Impl::Hinge>();
    Impl::Hinge& hinge = *impl.hinges[index];
    hinge.handle = HingeHandle(index, impl.hingeGenerations[index]);
    hinge.desc = desc;
    const btTransform frame = frameAt(desc.anchor, desc.axis);
    hinge.frameA = originFrame(*a).inverse() * frame;
    hinge.frameB = b != nullptr ? originFrame(*b).inverse() * frame : frame;
    btRigidBody& other = b != nullptr ? *b->rigid : impl.ground;
    hinge.constraint = std::make_unique<btHingeConstraint>(*a->rigid, other, hinge.frameA, hinge.frameB);
    impl.placeHinge(hinge);
    // With frame offsets, Bullet's default, the anchor does not hold in a step that begins at a limit and leaves it.
    hinge.constraint->setUseFrameOffset(false);
    if (unlimited || desc.upperAngle - desc.lowerAngle >= 2.0F * Pi - 1e-4F) {
        hinge.constraint->setLimit(1.0F, -1.0F);
    } else {
        constexpr float Softness = 0.9F;
        constexpr float Bias = 1.0F;
        constexpr float Bounce = 0.0F;
        hinge.constraint->setLimit(desc.lowerAngle, desc.upperAngle, Softness, Bias, Bounce);
    }
    hinge.constraint->enableAngularMotor(desc.motor, desc.motorVelocity, desc.motorMaxImpulse);
    // The ground body is no part of the world, so it keeps no list of what hangs on it.
    impl.world.addHinge(*hinge.constraint, b != nullptr);
    a->hinges.insert(index);
    if (b != nullptr) {
        b->hinges.insert(index);
    }
    impl.wakeHinge(hinge);
    return hinge.handle;
}

bool PhysicsWorld::removeHinge(HingeHandle handle) {
    Impl::Hinge* const hinge = m_impl->find(handle);
    if (hinge == nullptr) {
        return false;
    }
    m_impl->removeHinge(*hinge);
    return true;
}

bool PhysicsWorld::alive(HingeHandle handle) const { return m_impl->find(handle) != nullptr; }

float PhysicsWorld::hingeAngle(HingeHandle handle) const {
    Impl::Hinge* const hinge = m_impl->find(handle);
    return hinge != nullptr ? hinge->constraint->getHingeAngle() : 0.0F;
}

bool PhysicsWorld::setHingeMotor(HingeHandle handle, bool enabled, float velocity, float maxImpulse) {
    Impl::Hinge* const hinge = m_impl->find(handle);
    if (hinge == nullptr || !std::isfinite(velocity) || !std::isfinite(maxImpulse) || maxImpulse < 0.0F) {
        return false;
    }
    HingeDesc& desc = hinge->desc;
    if (desc.motor != enabled || desc.motorVelocity != velocity || desc.motorMaxImpulse != maxImpulse) {
        desc.motor = enabled;
        desc.motorVelocity = velocity;
        desc.motorMaxImpulse = maxImpulse;
        hinge->constraint->enableAngularMotor(enabled, velocity, maxImpulse);
        m_impl->wakeHinge(*hinge);
    }
    return true;
}

bool PhysicsWorld::setHingeTarget(HingeHandle handle, float angle, float stiffness) {
    Impl::Hinge* const hinge = m_impl->find(handle);
    if (hinge == nullptr || !std::isfinite(angle) || !std::isfinite(stiffness) || stiffness < 0.0F) {
        return false;
    }
    if (hinge->desc.restAngle != angle || hinge->desc.stiffness != stiffness) {
        hinge->desc.restAngle = angle;
        hinge->desc.stiffness = stiffness;
        m_impl->wakeHinge(*hinge);
    }
    return true;
}

} // namespace sbx::physics
