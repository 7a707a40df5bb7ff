#include "engine/physics/physics_world.h"

#include "engine/physics/detail/limits.h"
#include "engine/physics/detail/pair_rules.h"
#include "engine/physics/detail/world_impl.h"

#include <algorithm>
#include <cmath>

namespace sbx::physics {

using namespace detail;

namespace {

// Solver tuning, measured with the ten-crate stack and the thousand falling crates of tests/physics and
// tests/bench.
constexpr int MaxIterations = 16;   // with Bullet's 10 a tall stack with a heavy top falls over
constexpr int MinIterations = 10;   // a heap that large needs the time more than the precision
constexpr int LargePile = 600;      // contact manifolds from which on iterations go down, until twice as many
constexpr unsigned long Seed = 1;

std::unique_ptr<btBroadphaseInterface> makeBroadphase(const WorldDesc& desc, PairCache& pairs, TreeBroadphase*& tree) {
    if (desc.broadphase == Broadphase::Dbvt) {
        return std::make_unique<OrderedBroadphase>(desc.exactPairs, pairs);
    }
    auto ours = std::make_unique<TreeBroadphase>(desc.exactPairs ? 0.0F : desc.margin, pairs);
    tree = ours.get();
    return ours;
}

} // namespace

PhysicsWorld::Impl::Impl(const WorldDesc& desc)
    : dispatcher(configuration),
      broadphase(makeBroadphase(desc, pairs, tree)),
      ground(emptyBody()),
      world(dispatcher, *broadphase, pairs, tree, solver, configuration, contacts),
      gravity(isFinite(desc.gravity) ? desc.gravity : WorldDesc{}.gravity) {
    setPairRules();
    solver.setRandSeed(Seed);
    btContactSolverInfo& info = world.getSolverInfo();
    info.m_solverMode = SOLVER_SIMD | SOLVER_USE_WARMSTARTING;
    info.m_splitImpulse = 1;
    world.setGravity(toBullet(gravity));
    world.getDispatchInfo().m_deterministicOverlappingPairs = desc.exactPairs;
}

PhysicsWorld::Impl::~Impl() {
    for (const std::unique_ptr<Hinge>& hinge : hinges) {
        if (hinge) {
            world.removeHinge(*hinge->constraint);
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

// Depends on the state alone, so it is as deterministic as the rest.
void PhysicsWorld::Impl::chooseIterations() {
    const int excess = std::clamp(dispatcher.getNumManifolds() - LargePile, 0, LargePile);
    world.getSolverInfo().m_numIterations =
        MaxIterations - (MaxIterations - MinIterations) * excess / LargePile;
}

void PhysicsWorld::Impl::applyTargets() {
    for (const Target& target : targets) {
        Body* const body = find(target.body);
        if (body == nullptr || body->motion != Motion::Kinematic) {
            continue;
        }
        btRigidBody& rigid = *body->rigid;
        body->scale = target.pose.scale;
        const btTransform transform =
            body->transformFor(target.pose.position, glm::normalize(target.pose.rotation));
        if (!rigid.isActive()) {
            if (transform == rigid.getWorldTransform()) {
                continue; // the target is its present pose: no reason to wake
            }
            // Bullet wakes what a moving body touches, but not what fell asleep on one that stood still.
            world.wakeNeighbours(*body);
        }
        world.wake(*body);
        wakeHingesOf(*body);
        rigid.setWorldTransform(transform);
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
        const bool awake = body.rigid->isActive();
        if (!(now == body.reported) || (body.reportedAwake && !awake)) {
            body.reported = now;
            body.reportedAwake = awake;
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

Broadphase PhysicsWorld::broadphase() const {
    return m_impl->tree != nullptr ? Broadphase::Tree : Broadphase::Dbvt;
}

std::uint64_t PhysicsWorld::pairsVisited() const { return m_impl->pairs.visited(); }

void PhysicsWorld::setMargin(float margin) {
    if (m_impl->tree != nullptr) {
        m_impl->tree->setMargin(margin);
    }
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
    impl.applyHand(dt);
    impl.chooseIterations();
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
    // The ground of a sleeping body is not determined again until it wakes.
    if (body->groundStep != m_impl->steps && body->rigid->isActive()) {
        return std::nullopt;
    }
    return body->ground;
}

} // namespace sbx::physics
