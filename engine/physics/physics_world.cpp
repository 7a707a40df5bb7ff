#include "engine/physics/physics_world.h"

#include "engine/physics/detail/world_impl.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>

namespace sbx::physics {

using detail::Body;
using detail::fromBullet;
using detail::toBullet;

namespace {

// Solver tuning, measured with the ten-crate stack and the thousand falling crates of tests/physics and
// tests/bench.
constexpr int SolverIterations = 16;  // with Bullet's 10 a stack with a heavy top falls over
constexpr float SleepLinear = 0.2F;   // m/s; Bullet's 0.8 freezes doors and slow balls in sight
constexpr float SleepAngular = 0.25F; // rad/s
constexpr float LargestMass = 1e9F;
constexpr float SmallestMass = 1e-6F;
constexpr float LargestAcceleration = 1e7F; // m/s², of one call
constexpr unsigned long Seed = 1;

btScalar pairFriction(const btCollisionObject* a, const btCollisionObject* b) {
    return std::sqrt(a->getFriction() * b->getFriction());
}

btScalar pairRestitution(const btCollisionObject* a, const btCollisionObject* b) {
    return std::max(a->getRestitution(), b->getRestitution());
}

// A contact on an edge between two triangles gets the normal of the surface, not of the edge. If the edge is not reached yet
// it does not count: a ball that rolls over the level would stumble over every seam ahead of it.
bool smoothSeams(btManifoldPoint& point, const btCollisionObjectWrapper* one, int partOne, int indexOne,
                 const btCollisionObjectWrapper* other, int partOther, int indexOther) {
    constexpr float FarAway = 1.0F; // metres
    const btVector3 before = point.m_normalWorldOnB;
    if (one->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE) {
        btAdjustInternalEdgeContacts(point, one, other, partOne, indexOne);
    } else if (other->getCollisionShape()->getShapeType() == TRIANGLE_SHAPE_PROXYTYPE) {
        btAdjustInternalEdgeContacts(point, other, one, partOther, indexOther);
    }
    if (point.getDistance() > 0.0F && before.dot(point.m_normalWorldOnB) < 0.9999F) {
        // Bullet measures again right after this and drops points that far off.
        point.m_positionWorldOnB = point.m_positionWorldOnA - point.m_normalWorldOnB * FarAway;
        point.m_localPointB = other->getWorldTransform().invXform(point.m_positionWorldOnB);
        point.setDistance(FarAway);
    }
    return true;
}

// Bullet multiplies both, so that a rubber ball on a stone floor with restitution 0 would never bounce. Its
// rules are process-wide function pointers; every world sets the same ones, once.
void setPairRules() {
    static std::once_flag once;
    std::call_once(once, [] {
        gCalculateCombinedFrictionCallback = pairFriction;
        gCalculateCombinedRestitutionCallback = pairRestitution;
        gContactAddedCallback = smoothSeams; // called for bodies that ask for it: meshes
    });
}

Error invalid(std::string message) { return Error{std::move(message), {}, {}}; }

bool inBounds(const Vec3& position) {
    return isFinite(position) && glm::all(glm::lessThanEqual(glm::abs(position), Vec3(PhysicsWorld::Bound)));
}

// A rotation that can be normalized.
bool validRotation(const Quat& rotation) {
    const float length = glm::dot(rotation, rotation);
    return isFinite(rotation) && length > 1e-6F && std::isfinite(length);
}

bool validPose(const Pose& pose) { return inBounds(pose.position) && validRotation(pose.rotation); }

bool within(float value, float low, float high) {
    return std::isfinite(value) && value >= low && value <= high;
}

btRigidBody::btRigidBodyConstructionInfo emptyBody() {
    return {0.0F, nullptr, nullptr, btVector3(0.0F, 0.0F, 0.0F)};
}

// Each component within ±limit; what overflowed counts as the limit, what is no number as zero.
btVector3 limited(const btVector3& v, float limit) {
    btVector3 out(0.0F, 0.0F, 0.0F);
    for (int k = 0; k < 3; ++k) {
        out[k] = std::isnan(v[k]) ? 0.0F : std::clamp(v[k], -limit, limit);
    }
    return out;
}

// Impulses and forces may be any finite numbers; speeds stay where a float can still add them up.
void limitSpeed(btRigidBody& rigid) {
    rigid.setLinearVelocity(limited(rigid.getLinearVelocity(), PhysicsWorld::Bound));
    rigid.setAngularVelocity(limited(rigid.getAngularVelocity(), PhysicsWorld::Bound));
}

btVector3 limitedForce(const btRigidBody& rigid, const Vec3& force) {
    return limited(toBullet(force), LargestAcceleration * rigid.getMass());
}

btVector3 armTo(const btRigidBody& rigid, const Vec3& worldPoint) {
    return limited(toBullet(worldPoint) - rigid.getCenterOfMassPosition(), PhysicsWorld::Bound);
}

bool finite(const btVector3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

} // namespace

PhysicsWorld::Impl::Impl(const WorldDesc& desc)
    : dispatcher(configuration),
      ground(emptyBody()),
      world(dispatcher, broadphase, solver, configuration, contacts),
      gravity(isFinite(desc.gravity) ? desc.gravity : WorldDesc{}.gravity) {
    setPairRules();
    solver.setRandSeed(Seed);
    btContactSolverInfo& info = world.getSolverInfo();
    info.m_numIterations = SolverIterations;
    info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING;
    info.m_splitImpulse = 1;
    world.setGravity(toBullet(gravity));
}

PhysicsWorld::Impl::~Impl() {
    for (const std::unique_ptr<Hinge>& hinge : hinges) {
        if (hinge) {
            world.removeConstraint(hinge->constraint.get());
        }
    }
    world.clear(bodies);
}

Body* PhysicsWorld::Impl::find(BodyHandle handle) const {
    const std::uint32_t index = handle.index();
    if (!handle || index >= bodies.size() || generations[index] != handle.generation()) {
        return nullptr;
    }
    return bodies[index].get();
}

Body* PhysicsWorld::Impl::findDynamic(BodyHandle handle) const {
    Body* const body = find(handle);
    return body != nullptr && body->motion == Motion::Dynamic ? body : nullptr;
}

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
    // Holds a contact point where it first gripped, within the friction cone: without it a stack creeps centimetres a second
    // and falls in half a minute. Round shapes go without, for it would brake their rolling.
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
    if (body.hinges > 0) {
        for (const std::unique_ptr<Hinge>& hinge : hinges) {
            if (hinge && (hinge->desc.a == body.handle || hinge->desc.b == body.handle)) {
                wakeHinge(*hinge);
            }
        }
    }
}

void PhysicsWorld::Impl::applyTargets() {
    for (const Target& target : targets) {
        Body* const body = find(target.body);
        if (body == nullptr || body->motion != Motion::Kinematic) {
            continue;
        }
        // Bullet wakes what a moving body touches, but not what fell asleep on one that stood still.
        if (!body->rigid->isActive()) {
            world.wakeNeighbours(*body);
        }
        world.wake(*body);
        for (const std::unique_ptr<Hinge>& hinge : hinges) {
            if (hinge && body->hinges > 0 && (hinge->desc.a == target.body || hinge->desc.b == target.body)) {
                wakeHinge(*hinge);
            }
        }
        body->rigid->setWorldTransform(
            body->transformFor(target.pose.position, glm::normalize(target.pose.rotation)));
        body->scale = target.pose.scale;
    }
    targets.clear();
}

// False: the body was out of bounds and is now at rest where it last was in them.
bool PhysicsWorld::Impl::contain(Body& body) {
    btRigidBody& rigid = *body.rigid;
    const btTransform& now = rigid.getWorldTransform();
    const btMatrix3x3& basis = now.getBasis();
    if (inBounds(fromBullet(now.getOrigin())) && finite(basis[0]) && finite(basis[1]) && finite(basis[2])
        && finite(rigid.getLinearVelocity()) && finite(rigid.getAngularVelocity())) {
        if (body.motion == Motion::Dynamic) {
            limitSpeed(rigid);
        }
        return true;
    }
    const btVector3 zero(0.0F, 0.0F, 0.0F);
    rigid.setWorldTransform(body.reported);
    rigid.setInterpolationWorldTransform(body.reported);
    rigid.setLinearVelocity(zero);
    rigid.setAngularVelocity(zero);
    rigid.setInterpolationLinearVelocity(zero);
    rigid.setInterpolationAngularVelocity(zero);
    rigid.updateInertiaTensor();
    rigid.setActivationState(ISLAND_SLEEPING);
    return false;
}

void PhysicsWorld::Impl::collectMoved() {
    movedBodies.clear();
    moved.clear();
    escaped.clear();
    const auto look = [this](Body& body) {
        if (!contain(body)) {
            escaped.push_back(body.handle);
            return;
        }
        const btTransform& now = body.rigid->getWorldTransform();
        if (!(now == body.reported)) {
            body.reported = now;
            movedBodies.push_back(&body);
        }
    };
    const btAlignedObjectArray<btRigidBody*>& awake = world.awake();
    for (int i = 0; i < awake.size(); ++i) {
        look(Body::of(*awake[i]));
    }
    for (const BodyHandle handle : teleported) {
        if (Body* const body = find(handle)) {
            look(*body);
        }
    }
    teleported.clear();
    std::sort(movedBodies.begin(), movedBodies.end(),
              [](const Body* a, const Body* b) { return a->serial < b->serial; });
    moved.reserve(movedBodies.size());
    for (const Body* body : movedBodies) {
        moved.push_back(body->handle);
    }
    std::sort(escaped.begin(), escaped.end(),
              [this](BodyHandle a, BodyHandle b) { return find(a)->serial < find(b)->serial; });
}

PhysicsWorld::PhysicsWorld(const WorldDesc& desc) : m_impl(std::make_unique<Impl>(desc)) {}
PhysicsWorld::~PhysicsWorld() = default;

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
            *body); // its contacts come back in the next step, before anyone could see them gone
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
    if (body->hinges > 0) {
        for (const std::unique_ptr<Impl::Hinge>& hinge : impl.hinges) {
            if (hinge && (hinge->desc.a == handle || hinge->desc.b == handle)) {
                impl.placeHinge(*hinge);
                impl.wakeHinge(*hinge);
            }
        }
    }
    return {};
}

bool PhysicsWorld::alive(BodyHandle body) const { return m_impl->find(body) != nullptr; }
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

bool PhysicsWorld::setGravity(const Vec3& gravity) {
    if (!inBounds(gravity)) {
        return false;
    }
    m_impl->gravity = gravity;
    for (const std::unique_ptr<Body>& body : m_impl->bodies) {
        if (body) {
            body->rigid->setGravity(toBullet(gravity * body->gravityScale));
        }
    }
    m_impl->world.wakeAll();
    return true;
}

Vec3 PhysicsWorld::gravity() const { return m_impl->gravity; }

void PhysicsWorld::step(float dt) {
    SBX_EXPECT(std::isfinite(dt) && dt > 0.0F && dt <= 1.0F, "a step takes more than 0 and at most 1 s");
    Impl& impl = *m_impl;
    ++impl.steps;
    impl.applyTargets();
    impl.applySprings(dt);
    impl.world.advance(dt);
    impl.collectMoved();
    impl.contacts.update(impl.dispatcher, impl.steps);
    impl.world.parkSleepers();
}

const std::vector<BodyHandle>& PhysicsWorld::moved() const { return m_impl->moved; }
const std::vector<BodyHandle>& PhysicsWorld::escaped() const { return m_impl->escaped; }
const std::vector<Contact>& PhysicsWorld::begins() const { return m_impl->contacts.begins(); }
const std::vector<Contact>& PhysicsWorld::persisting() const { return m_impl->contacts.persisting(); }
const std::vector<Contact>& PhysicsWorld::ends() const { return m_impl->contacts.ends(); }

std::optional<GroundContact> PhysicsWorld::groundContact(BodyHandle handle, float minimumUp) const {
    const Body* const body = m_impl->find(handle);
    if (body == nullptr || body->groundStep == 0 || body->ground.normal.y < minimumUp) {
        return std::nullopt;
    }
    // What a sleeper stands on is not looked at again until it wakes.
    if (body->groundStep != m_impl->steps && body->rigid->isActive()) {
        return std::nullopt;
    }
    return body->ground;
}

} // namespace sbx::physics
