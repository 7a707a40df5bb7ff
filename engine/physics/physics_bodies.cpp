#include "engine/physics/detail/limits.h"
#include "engine/physics/detail/world_impl.h"

#include <cmath>
#include <string>

namespace sbx::physics {

using namespace detail;

namespace {

constexpr float SleepLinear = 0.2F;   // m/s; Bullet's 0.8 freezes doors and slow balls in sight
constexpr float SleepAngular = 0.25F; // rad/s
constexpr float LargestMass = 1e9F;
constexpr float SmallestMass = 1e-6F;
constexpr float LargestAcceleration = 1e7F; // m/s², of one call

bool within(float value, float low, float high) {
    return std::isfinite(value) && value >= low && value <= high;
}

btVector3 limitedForce(const btRigidBody& rigid, const Vec3& force) {
    return limited(toBullet(force), LargestAcceleration * rigid.getMass());
}

btVector3 armTo(const btRigidBody& rigid, const Vec3& worldPoint) {
    return limited(toBullet(worldPoint) - rigid.getCenterOfMassPosition(), PhysicsWorld::Bound);
}

} // namespace

Result<void> PhysicsWorld::Impl::check(const BodyDesc& desc, const detail::Shape& shape) const {
    const bool dynamic = desc.motion == Motion::Dynamic;
    if (dynamic && !within(desc.mass, SmallestMass, LargestMass)) {
        return invalid("the mass is " + std::to_string(desc.mass)
                       + "; expected a positive number, up to 1e9 kg");
    }
    if (shape.desc.kind == ShapeDesc::Kind::Mesh && dynamic) {
        return invalid("a mesh cannot be dynamic; expected a static or kinematic body, or a hull");
    }
    if (shape.desc.kind == ShapeDesc::Kind::Plane && desc.motion != Motion::Static) {
        return invalid("a plane can only be static");
    }
    struct Range {
        const char* name;
        float value;
        float high;
    };
    for (const Range& range :
         {Range{"friction", desc.friction, 1000.0F}, Range{"restitution", desc.restitution, 1.0F},
          Range{"rolling friction", desc.rollingFriction, 1000.0F},
          Range{"linear damping", desc.linearDamping, 1.0F},
          Range{"angular damping", desc.angularDamping, 1.0F}}) {
        if (!within(range.value, 0.0F, range.high)) {
            return invalid(std::string("the ") + range.name + " is " + std::to_string(range.value)
                           + "; expected a number from 0 to " + std::to_string(static_cast<int>(range.high)));
        }
    }
    if (!std::isfinite(desc.gravityScale) || !isFinite(desc.angularFactor)) {
        return invalid("the gravity scale or the angular factor is not finite");
    }
    return {};
}

void PhysicsWorld::Impl::describe(Body& body, const BodyDesc& desc,
                                  std::shared_ptr<const detail::Shape> shape) {
    body.user = desc.user;
    body.motion = desc.motion;
    body.trigger = desc.trigger;
    body.scale = desc.pose.scale;
    body.gravityScale = desc.gravityScale;
    body.shape = std::move(shape);

    btRigidBody& rigid = *body.rigid;
    const bool dynamic = desc.motion == Motion::Dynamic;
    // Shared shapes are never written through a body.
    rigid.setCollisionShape(body.shape->collision.get());
    const float mass = dynamic ? desc.mass : 0.0F;
    rigid.setMassProps(mass, body.shape->unitInertia * mass);
    int flags = rigid.getCollisionFlags()
                & ~(btCollisionObject::CF_STATIC_OBJECT | btCollisionObject::CF_KINEMATIC_OBJECT
                    | btCollisionObject::CF_NO_CONTACT_RESPONSE | btCollisionObject::CF_HAS_FRICTION_ANCHOR
                    | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    flags |= desc.motion == Motion::Static      ? btCollisionObject::CF_STATIC_OBJECT
             : desc.motion == Motion::Kinematic ? btCollisionObject::CF_KINEMATIC_OBJECT
                                                : 0;
    flags |= desc.trigger ? btCollisionObject::CF_NO_CONTACT_RESPONSE : 0;
    // Holds a contact point where it first gripped, within the friction cone: without it a stack creeps
    // centimetres a second and falls in half a minute. Round shapes go without, for it would brake their
    // rolling.
    const ShapeDesc::Kind kind = body.shape->desc.kind;
    if (dynamic && (kind == ShapeDesc::Kind::Box || kind == ShapeDesc::Kind::Hull)) {
        flags |= btCollisionObject::CF_HAS_FRICTION_ANCHOR;
    }
    if (body.shape->edges) {
        flags |= btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK;
    }
    rigid.setCollisionFlags(flags);
    rigid.setFlags(rigid.getFlags() | BT_DISABLE_WORLD_GRAVITY);
    rigid.setGravity(toBullet(gravity * desc.gravityScale));
    rigid.setFriction(desc.friction);
    rigid.setRestitution(desc.restitution);
    rigid.setRollingFriction(desc.rollingFriction);
    rigid.setSpinningFriction(desc.rollingFriction);
    rigid.setDamping(desc.linearDamping, desc.angularDamping);
    rigid.setSleepingThresholds(SleepLinear, SleepAngular);
    const Vec3 factor = desc.uprightOnly ? Vec3(0.0F, desc.angularFactor.y, 0.0F) : desc.angularFactor;
    rigid.setAngularFactor(toBullet(factor));
    const bool swept = desc.continuous && dynamic && !desc.trigger;
    rigid.setCcdMotionThreshold(swept ? body.shape->innerRadius : 0.0F);
    rigid.setCcdSweptSphereRadius(swept ? 0.5F * body.shape->innerRadius : 0.0F);
    rigid.updateInertiaTensor();
}

void PhysicsWorld::Impl::teleport(Body& body, const btTransform& transform) {
    btRigidBody& rigid = *body.rigid;
    world.wakeNeighbours(body);
    world.wake(body);
    rigid.setWorldTransform(transform);
    rigid.setInterpolationWorldTransform(transform);
    rigid.updateInertiaTensor();
    world.refreshAabb(body);
    teleported.push_back(body.handle);
    wakeHingesOf(body);
}

Result<BodyHandle> PhysicsWorld::addBody(const BodyDesc& desc) {
    Impl& impl = *m_impl;
    if (!validPose(desc.pose)) {
        return invalid(
            "the pose is not finite or out of bounds; expected a position within 100000 m and a rotation");
    }
    if (!inBounds(desc.linearVelocity) || !inBounds(desc.angularVelocity)) {
        return invalid("a velocity is not finite or above 100000");
    }
    Result<std::shared_ptr<const detail::Shape>> shape = impl.shapes.get(desc.shape);
    if (!shape) {
        return shape.error();
    }
    if (Result<void> checked = impl.check(desc, **shape); !checked) {
        return checked.error();
    }

    std::uint32_t index = 0;
    if (impl.freeBodies.empty()) {
        index = static_cast<std::uint32_t>(impl.bodies.size());
        impl.bodies.emplace_back();
        impl.generations.push_back(1);
    } else {
        index = impl.freeBodies.back();
        impl.freeBodies.pop_back();
    }
    impl.bodies[index] = std::make_unique<Body>();
    Body& body = *impl.bodies[index];
    body.handle = BodyHandle(index, impl.generations[index]);
    body.serial = impl.nextSerial++;
    body.rigid = std::make_unique<btRigidBody>(emptyBody());
    body.rigid->setUserPointer(&body);
    impl.describe(body, desc, std::move(*shape));

    const btTransform transform = body.transformFor(desc.pose.position, glm::normalize(desc.pose.rotation));
    body.rigid->setWorldTransform(transform);
    body.rigid->setInterpolationWorldTransform(transform);
    body.rigid->updateInertiaTensor();
    if (desc.motion == Motion::Dynamic) {
        body.rigid->setLinearVelocity(toBullet(desc.linearVelocity));
        body.rigid->setAngularVelocity(toBullet(desc.angularVelocity));
    }
    body.reported = transform;
    impl.world.insert(body);
    ++impl.alive;
    return body.handle;
}

bool PhysicsWorld::removeBody(BodyHandle handle) {
    Impl& impl = *m_impl;
    Body* const body = impl.find(handle);
    if (body == nullptr) {
        return false;
    }
    impl.removeHingesOf(*body);
    impl.world.remove(*body);
    const std::uint32_t index = handle.index();
    impl.bodies[index].reset();
    // A slot whose generations are used up is never given out again.
    if (++impl.generations[index] != 0) {
        impl.freeBodies.push_back(index);
    }
    --impl.alive;
    return true;
}

Result<void> PhysicsWorld::changeBody(BodyHandle handle, const BodyDesc& desc) {
    Impl& impl = *m_impl;
    Body* const body = impl.find(handle);
    if (body == nullptr) {
        return invalid("the body does not exist any more");
    }
    Result<std::shared_ptr<const detail::Shape>> shape = impl.shapes.get(desc.shape);
    if (!shape) {
        return shape.error();
    }
    if (Result<void> checked = impl.check(desc, **shape); !checked) {
        return checked.error();
    }
    const Pose before = pose(handle);
    const bool again = *shape != body->shape || desc.motion != body->motion || desc.trigger != body->trigger;
    impl.world.wakeNeighbours(*body);
    impl.world.wake(*body);
    if (again) {
        impl.world.remove(
            *body); // its contacts are found again in the next step, before their absence is reported
    }
    impl.describe(*body, desc, std::move(*shape));
    btRigidBody& rigid = *body->rigid;
    if (desc.motion != Motion::Dynamic) {
        rigid.setLinearVelocity(btVector3(0.0F, 0.0F, 0.0F));
        rigid.setAngularVelocity(btVector3(0.0F, 0.0F, 0.0F));
    }
    if (again) {
        const btTransform transform = body->transformFor(before.position, before.rotation);
        rigid.setWorldTransform(transform);
        rigid.setInterpolationWorldTransform(transform);
        rigid.updateInertiaTensor();
        body->reported = transform;
        rigid.forceActivationState(ACTIVE_TAG);
        rigid.setDeactivationTime(0.0F);
        impl.world.insert(*body);
    }
    for (const std::uint32_t index : body->hinges) {
        impl.placeHinge(*impl.hinges[index]);
        impl.wakeHinge(*impl.hinges[index]);
    }
    return {};
}

bool PhysicsWorld::alive(BodyHandle handle) const { return m_impl->find(handle) != nullptr; }
std::size_t PhysicsWorld::bodyCount() const { return m_impl->alive; }
std::size_t PhysicsWorld::activeCount() const {
    return static_cast<std::size_t>(m_impl->world.awake().size());
}

Pose PhysicsWorld::pose(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    if (body == nullptr) {
        return {};
    }
    const btTransform& transform = body->rigid->getWorldTransform();
    return {body->origin(transform), fromBullet(transform.getRotation()), body->scale};
}

bool PhysicsWorld::setPose(BodyHandle handle, const Pose& pose) {
    Body* const body = m_impl->find(handle);
    if (body == nullptr || !validPose(pose)) {
        return false;
    }
    body->scale = pose.scale;
    m_impl->teleport(*body, body->transformFor(pose.position, glm::normalize(pose.rotation)));
    return true;
}

bool PhysicsWorld::correctPose(BodyHandle handle, const Pose& pose) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !validPose(pose)) {
        return false;
    }
    const btTransform transform = body->transformFor(pose.position, glm::normalize(pose.rotation));
    btRigidBody& rigid = *body->rigid;
    rigid.setWorldTransform(transform);
    rigid.setInterpolationWorldTransform(transform);
    rigid.updateInertiaTensor();
    for (const auto set : {&btRigidBody::setLinearVelocity, &btRigidBody::setAngularVelocity}) {
        (rigid.*set)(btVector3(0, 0, 0));
    }
    m_impl->world.refreshAabb(*body);
    return true;
}

bool PhysicsWorld::moveKinematic(BodyHandle handle, const Pose& pose) {
    const Body* const body = m_impl->find(handle);
    if (body == nullptr || body->motion != Motion::Kinematic || !validPose(pose)) {
        return false;
    }
    m_impl->targets.push_back({handle, pose});
    return true;
}

Vec3 PhysicsWorld::linearVelocity(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    return body != nullptr ? fromBullet(body->rigid->getLinearVelocity()) : Vec3(0.0F);
}

Vec3 PhysicsWorld::angularVelocity(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    return body != nullptr ? fromBullet(body->rigid->getAngularVelocity()) : Vec3(0.0F);
}

bool PhysicsWorld::setLinearVelocity(BodyHandle handle, const Vec3& velocity) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !inBounds(velocity)) {
        return false;
    }
    if (velocity != fromBullet(body->rigid->getLinearVelocity())) {
        m_impl->world.wake(*body);
        body->rigid->setLinearVelocity(toBullet(velocity));
    }
    return true;
}

bool PhysicsWorld::setAngularVelocity(BodyHandle handle, const Vec3& velocity) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !inBounds(velocity)) {
        return false;
    }
    if (velocity != fromBullet(body->rigid->getAngularVelocity())) {
        m_impl->world.wake(*body);
        body->rigid->setAngularVelocity(toBullet(velocity));
    }
    return true;
}

bool PhysicsWorld::applyImpulse(BodyHandle handle, const Vec3& impulse, const Vec3& worldPoint) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(impulse) || !isFinite(worldPoint)) {
        return false;
    }
    m_impl->world.wake(*body);
    body->rigid->applyImpulse(toBullet(impulse), armTo(*body->rigid, worldPoint));
    limitSpeed(*body->rigid);
    return true;
}

bool PhysicsWorld::applyImpulse(BodyHandle handle, const Vec3& impulse) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(impulse)) {
        return false;
    }
    m_impl->world.wake(*body);
    body->rigid->applyCentralImpulse(toBullet(impulse));
    limitSpeed(*body->rigid);
    return true;
}

bool PhysicsWorld::applyForce(BodyHandle handle, const Vec3& force) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(force)) {
        return false;
    }
    m_impl->world.wake(*body);
    body->rigid->applyCentralForce(limitedForce(*body->rigid, force));
    return true;
}

bool PhysicsWorld::applyForce(BodyHandle handle, const Vec3& force, const Vec3& worldPoint) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(force) || !isFinite(worldPoint)) {
        return false;
    }
    m_impl->world.wake(*body);
    body->rigid->applyForce(limitedForce(*body->rigid, force), armTo(*body->rigid, worldPoint));
    return true;
}

bool PhysicsWorld::applyTorque(BodyHandle handle, const Vec3& torque) {
    Body* const body = m_impl->findDynamic(handle);
    if (body == nullptr || !isFinite(torque)) {
        return false;
    }
    m_impl->world.wake(*body);
    // No arm to go by: a metre is meant. The speed is limited after the step anyway.
    body->rigid->applyTorque(limitedForce(*body->rigid, torque));
    return true;
}

bool PhysicsWorld::wake(BodyHandle handle) {
    Body* const body = m_impl->find(handle);
    if (body == nullptr) {
        return false;
    }
    m_impl->world.wake(*body);
    return true;
}

bool PhysicsWorld::sleeping(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    return body == nullptr || body->motion == Motion::Static || !body->rigid->isActive();
}

float PhysicsWorld::mass(BodyHandle handle) const {
    const Body* const body = m_impl->findDynamic(handle);
    return body != nullptr ? body->rigid->getMass() : 0.0F;
}

Motion PhysicsWorld::motion(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    return body != nullptr ? body->motion : Motion::Static;
}

std::uint64_t PhysicsWorld::user(BodyHandle handle) const {
    const Body* const body = m_impl->find(handle);
    return body != nullptr ? body->user : 0;
}

} // namespace sbx::physics
