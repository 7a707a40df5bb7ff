#include "engine/physics/detail/dynamics_world.h"

#include <algorithm>
#include <utility>

namespace sbx::physics::detail {

namespace {

// Collision groups; a pair is looked at when each one's mask has the other's group.
constexpr int StaticGroup = 1;
constexpr int KinematicGroup = 2;
constexpr int DynamicGroup = 4;
constexpr int StillTriggerGroup = 8;
constexpr int MovingTriggerGroup = 16;

struct Filter {
    int group;
    int mask;
};

Filter filterOf(const Body& body) {
    if (body.trigger) {
        return body.motion == Motion::Static
                   ? Filter{StillTriggerGroup, KinematicGroup | DynamicGroup}
                   : Filter{MovingTriggerGroup, StaticGroup | KinematicGroup | DynamicGroup};
    }
    switch (body.motion) {
    case Motion::Static:
        return {StaticGroup, DynamicGroup | MovingTriggerGroup};
    case Motion::Kinematic:
        return {KinematicGroup, DynamicGroup | StillTriggerGroup | MovingTriggerGroup};
    case Motion::Dynamic:
        break;
    }
    return {DynamicGroup,
            StaticGroup | KinematicGroup | DynamicGroup | StillTriggerGroup | MovingTriggerGroup};
}

// Bullet's user indices: 2 names the island a body is parked with, 3 counts its pairs that are put aside.
bool parked(const btCollisionObject& object) { return object.getUserIndex2() >= 0; }

bool quiet(const btCollisionObject& object) { return object.isStaticObject() || parked(object); }

bool movingTrigger(const btCollisionObject& object) {
    return !object.hasContactResponse() && !object.isStaticObject();
}

btRigidBody& bodyOf(const btBroadphaseProxy& proxy) {
    return *static_cast<btRigidBody*>(proxy.m_clientObject);
}

void countAside(btCollisionObject& object, int change) {
    object.setUserIndex3(object.getUserIndex3() + change);
}

} // namespace

DynamicsWorld::DynamicsWorld(ManifoldDispatcher& dispatcher, btBroadphaseInterface& broadphase,
                             PairCache& pairs, TreeBroadphase* tree, btConstraintSolver& solver,
                             btCollisionConfiguration& configuration, ContactTracker& contacts)
    : btDiscreteDynamicsWorld(&dispatcher, &broadphase, &solver, &configuration),
      m_ordered(dispatcher),
      m_pairs(pairs),
      m_tree(tree),
      m_contacts(contacts) {
    setForceUpdateAllAabbs(false);
    broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(this);
}

DynamicsWorld::~DynamicsWorld() = default;

void DynamicsWorld::clear(const std::vector<std::unique_ptr<Body>>& bodies) {
    wakeAll();
    btOverlappingPairCache& cache = *getPairCache();
    btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    while (pairs.size() > 0) {
        const btBroadphasePair& last = pairs[pairs.size() - 1];
        cache.removeOverlappingPair(last.m_pProxy0, last.m_pProxy1, getDispatcher());
    }
    for (const std::unique_ptr<Body>& body : bodies) {
        if (body) {
            getBroadphase()->destroyProxy(body->rigid->getBroadphaseHandle(), getDispatcher());
            body->rigid->setBroadphaseHandle(nullptr);
        }
    }
    m_collisionObjects.clear();
    m_nonStaticRigidBodies.clear();
}

void DynamicsWorld::insert(Body& body) {
    btRigidBody& rigid = *body.rigid;
    rigid.setUserIndex2(-1);
    rigid.setUserIndex3(0);
    rigid.setIslandTag(-1);
    rigid.setCompanionId(-1);
    const Filter filter = filterOf(body);
    addRigidBody(&rigid, filter.group, filter.mask);
    body.awakeAt = -1;
    if (body.motion == Motion::Static) {
        m_collisionObjects.pop_back();
        rigid.setWorldArrayIndex(-1);
    } else {
        body.awakeAt = m_nonStaticRigidBodies.size() - 1;
    }
    wakeFound(); // a body that appears among sleeping ones wakes them, also a trigger that does not move
}

void DynamicsWorld::remove(Body& body) {
    wakeNeighbours(body);
    if (parked(*body.rigid)) {
        unpark(body.rigid->getUserIndex2());
    }
    takeFromArrays(body);
    m_pairs.cleanProxyFromPairs(body.rigid->getBroadphaseHandle(), getDispatcher());
    getBroadphase()->destroyProxy(body.rigid->getBroadphaseHandle(), getDispatcher());
    body.rigid->setBroadphaseHandle(nullptr);
    body.asleepWith.clear();
}

// As Bullet's removeRigidBody, which looks for the body in both arrays: the last one takes its place.
void DynamicsWorld::takeFromArrays(Body& body) {
    if (const int at = std::exchange(body.awakeAt, -1); at >= 0) {
        btRigidBody* const last = m_nonStaticRigidBodies[m_nonStaticRigidBodies.size() - 1];
        Body::of(*last).awakeAt = last == body.rigid.get() ? -1 : at;
        m_nonStaticRigidBodies[at] = last;
        m_nonStaticRigidBodies.pop_back();
    }
    if (const int at = body.rigid->getWorldArrayIndex(); at >= 0) {
        btCollisionObject* const last = m_collisionObjects[m_collisionObjects.size() - 1];
        last->setWorldArrayIndex(at);
        m_collisionObjects[at] = last;
        m_collisionObjects.pop_back();
        body.rigid->setWorldArrayIndex(-1);
    }
}

void DynamicsWorld::addHinge(btTypedConstraint& hinge, bool linked) {
    hinge.setUserConstraintId(m_constraints.size()); // its index
    addConstraint(&hinge, linked);
}

// As Bullet's removeConstraint, which looks for it.
void DynamicsWorld::removeHinge(btTypedConstraint& hinge) {
    const int at = hinge.getUserConstraintId();
    btTypedConstraint* const last = m_constraints[m_constraints.size() - 1];
    last->setUserConstraintId(at);
    m_constraints[at] = last;
    m_constraints.pop_back();
    hinge.getRigidBodyA().removeConstraintRef(&hinge);
    hinge.getRigidBodyB().removeConstraintRef(&hinge);
}

void DynamicsWorld::refreshAabb(Body& body) {
    updateSingleAabb(body.rigid.get());
    wakeFound();
}

void DynamicsWorld::advance(float dt) {
    // stepSimulation with no sub-steps, without its motion states and profiler.
    m_fixedTimeStep = 0.0F;
    m_localTime = 0.0F;
    saveKinematicState(dt);
    applyGravity();
    internalSingleStepSimulation(dt);
    clearForces();
}

// The tree takes all motions of a step at once; pairs follow in computeOverlappingPairs.
void DynamicsWorld::updateAabbs() {
    if (m_tree != nullptr) {
        m_tree->deferPairs(true);
    }
    btDiscreteDynamicsWorld::updateAabbs();
    if (m_tree != nullptr) {
        m_tree->deferPairs(false);
    }
}

void DynamicsWorld::computeOverlappingPairs() {
    btDiscreteDynamicsWorld::computeOverlappingPairs();
    wakeFound();
    updateHingeSleep(); // no body is woken or parked between here and the solver
}

void DynamicsWorld::createPredictiveContacts(btScalar timeStep) {
    btDiscreteDynamicsWorld::createPredictiveContacts(timeStep);
    for (int i = 0; i < m_predictiveManifolds.size(); ++i) {
        for (const btCollisionObject* object :
             {m_predictiveManifolds[i]->getBody0(), m_predictiveManifolds[i]->getBody1()}) {
            if (parked(*object) && !object->isStaticOrKinematicObject()) {
                unpark(object->getUserIndex2());
            }
        }
    }
}

btBroadphasePair* DynamicsWorld::addOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other) {
    btRigidBody& a = bodyOf(*one);
    btRigidBody& b = bodyOf(*other);
    if (!movingTrigger(a) && !movingTrigger(b)) {
        for (btRigidBody* body : {&a, &b}) {
            if (parked(*body) && !body->isKinematicObject()) {
                m_found.push_back(body);
            }
        }
    }
    return nullptr;
}

// In order of creation: which broad phase found them shall not matter.
void DynamicsWorld::wakeFound() {
    while (!m_found.empty()) {
        std::vector<btRigidBody*> found;
        found.swap(m_found);
        std::sort(found.begin(), found.end(), [](const btRigidBody* a, const btRigidBody* b) {
            return a->getBroadphaseHandle()->m_uniqueId < b->getBroadphaseHandle()->m_uniqueId;
        });
        for (btRigidBody* body : found) {
            if (parked(*body)) {
                unpark(body->getUserIndex2()); // adds pairs, which may report more
            }
        }
    }
}

void DynamicsWorld::wake(Body& body) {
    if (parked(*body.rigid)) {
        unpark(body.rigid->getUserIndex2());
    }
    if (body.motion != Motion::Static) {
        body.rigid->activate(true);
    }
    wakeFound();
}

void DynamicsWorld::wakeAll() {
    for (std::size_t i = 0; i < m_islands.size(); ++i) {
        if (!m_islands[i].bodies.empty()) {
            unpark(static_cast<int>(i));
        }
    }
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        m_nonStaticRigidBodies[i]->activate(true);
    }
    wakeFound();
}

void DynamicsWorld::wakeNeighbours(Body& body) {
    if (body.rigid->getUserIndex3() > 0) {
        std::vector<std::pair<int, std::uint32_t>> islands;
        islands.swap(body.asleepWith);
        std::sort(islands.begin(), islands.end()); // whatever fell asleep first
        for (const auto& [slot, use] : islands) {
            if (m_islands[static_cast<std::size_t>(slot)].use == use) {
                unpark(slot);
            }
        }
    }
    if (!body.trigger) {
        m_pairs.eachNeighbour(body, [](const Body& other) {
            if (!other.rigid->isStaticOrKinematicObject() && !parked(*other.rigid)) {
                other.rigid->activate(true);
            }
        });
    }
    wakeFound();
}

void DynamicsWorld::unpark(int slot) {
    const Island island = std::move(m_islands[static_cast<std::size_t>(slot)]);
    m_islands[static_cast<std::size_t>(slot)] = Island{.bodies = {}, .pairs = {}, .use = island.use + 1};
    m_freeIslands.push_back(slot);
    for (btRigidBody* body : island.bodies) {
        body->setUserIndex2(-1);
        body->setWorldArrayIndex(m_collisionObjects.size());
        m_collisionObjects.push_back(body);
        Body::of(*body).awakeAt = m_nonStaticRigidBodies.size();
        m_nonStaticRigidBodies.push_back(body);
        body->activate(true);
    }
    btManifoldArray manifolds;
    for (const SleepingPair& pair : island.pairs) {
        countAside(bodyOf(*pair.one), -1);
        countAside(bodyOf(*pair.other), -1);
        if (pair.touching) {
            m_contacts.resume(pair.record);
        }
        if (pair.algorithm != nullptr) {
            manifolds.resize(0);
            pair.algorithm->getAllContactManifolds(manifolds);
            for (int i = 0; i < manifolds.size(); ++i) {
                m_ordered.restore(*manifolds[i]);
            }
        }
        btBroadphasePair* const added = getPairCache()->addOverlappingPair(pair.one, pair.other);
        if (added != nullptr && added->m_algorithm == nullptr) {
            added->m_algorithm = pair.algorithm;
        } else if (pair.algorithm != nullptr) {
            pair.algorithm->~btCollisionAlgorithm();
            getDispatcher()->freeCollisionAlgorithm(pair.algorithm);
        }
    }
    m_hingesStale = true;
}

// A parked body's hinges must not reach the solver through a body that is awake.
void DynamicsWorld::updateHingeSleep() {
    if (!std::exchange(m_hingesStale, false)) {
        return;
    }
    for (int i = 0; i < m_constraints.size(); ++i) {
        btTypedConstraint& hinge = *m_constraints[i];
        const btRigidBody& a = hinge.getRigidBodyA();
        const btRigidBody& b = hinge.getRigidBodyB();
        hinge.setEnabled(!(parked(a) && !a.isKinematicObject()) && !(parked(b) && !b.isKinematicObject()));
    }
}

// Names the islands of which a body sleeps: one candidate a tag. Blocks those with a body that is awake.
bool DynamicsWorld::collectSleepers() {
    m_candidateOfTag.clear();
    int candidates = 0;
    bool any = false;
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        const btRigidBody& body = *m_nonStaticRigidBodies[i];
        if (body.getActivationState() != ISLAND_SLEEPING) {
            continue;
        }
        any = true;
        const int tag = body.getIslandTag();
        if (body.isKinematicObject() || tag < 0) {
            continue;
        }
        if (m_candidateOfTag.empty()) {
            m_candidateOfTag.assign(static_cast<std::size_t>(m_collisionObjects.size()), -1);
        }
        int& candidate = m_candidateOfTag[static_cast<std::size_t>(tag)];
        if (candidate < 0) {
            candidate = candidates++;
        }
    }
    m_blocked.assign(static_cast<std::size_t>(candidates), 0);
    m_slotOfCandidate.assign(static_cast<std::size_t>(candidates), -1);
    return any;
}

int DynamicsWorld::candidateOf(const btRigidBody& body) const {
    const int tag = body.getIslandTag();
    if (body.isStaticOrKinematicObject() || parked(body) || tag < 0 || m_candidateOfTag.empty()) {
        return -1;
    }
    return m_candidateOfTag[static_cast<std::size_t>(tag)];
}

// An island remains active in Bullet while something awake could push it without a new pair being reported.
void DynamicsWorld::blockSleepers() {
    const auto block = [this](const btRigidBody& body, const btRigidBody& beside) {
        const int candidate = candidateOf(body);
        if (candidate >= 0 && !beside.isStaticObject() && beside.isActive() && !parked(beside)) {
            m_blocked[static_cast<std::size_t>(candidate)] = 1;
        }
    };
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        block(*m_nonStaticRigidBodies[i], *m_nonStaticRigidBodies[i]);
    }
    const btBroadphasePairArray& pairs = getPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        const btRigidBody& a = bodyOf(*pairs[i].m_pProxy0);
        const btRigidBody& b = bodyOf(*pairs[i].m_pProxy1);
        if (a.hasContactResponse() && b.hasContactResponse()) {
            block(a, b);
            block(b, a);
        }
    }
    for (int i = 0; i < m_constraints.size(); ++i) {
        const btRigidBody& a = m_constraints[i]->getRigidBodyA();
        const btRigidBody& b = m_constraints[i]->getRigidBodyB();
        block(a, b);
        block(b, a);
    }
}

int DynamicsWorld::takeIslandSlot() {
    if (m_freeIslands.empty()) {
        m_islands.emplace_back();
        return static_cast<int>(m_islands.size()) - 1;
    }
    const int slot = m_freeIslands.back();
    m_freeIslands.pop_back();
    return slot;
}

void DynamicsWorld::parkSleepers() {
    if (!collectSleepers()) {
        return;
    }
    blockSleepers();
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        btRigidBody& body = *m_nonStaticRigidBodies[i];
        if (body.getActivationState() != ISLAND_SLEEPING) {
            continue;
        }
        int slot = -1;
        if (body.isKinematicObject()) {
            slot = takeIslandSlot();
        } else {
            const int candidate = candidateOf(body);
            if (candidate < 0 || m_blocked[static_cast<std::size_t>(candidate)] != 0) {
                continue;
            }
            int& known = m_slotOfCandidate[static_cast<std::size_t>(candidate)];
            if (known < 0) {
                known = takeIslandSlot();
            }
            slot = known;
        }
        Island& island = m_islands[static_cast<std::size_t>(slot)];
        if (island.bodies.empty()) {
            m_parking.push_back(slot);
        }
        island.bodies.push_back(&body);
    }
    if (m_parking.empty()) {
        return;
    }
    for (const int slot : m_parking) {
        for (btRigidBody* body : m_islands[static_cast<std::size_t>(slot)].bodies) {
            body->setUserIndex2(slot);
            body->setIslandTag(-1);
        }
    }
    m_parking.clear();
    leaveArrays();
    stashPairs();
    m_hingesStale = true;
}

void DynamicsWorld::leaveArrays() {
    int kept = 0;
    for (int i = 0; i < m_nonStaticRigidBodies.size(); ++i) {
        Body& body = Body::of(*m_nonStaticRigidBodies[i]);
        body.awakeAt = parked(*body.rigid) ? -1 : kept;
        if (!parked(*body.rigid)) {
            m_nonStaticRigidBodies[kept++] = body.rigid.get();
        }
    }
    m_nonStaticRigidBodies.resize(kept);
    kept = 0;
    for (int i = 0; i < m_collisionObjects.size(); ++i) {
        btCollisionObject* const object = m_collisionObjects[i];
        if (parked(*object)) {
            object->setWorldArrayIndex(-1);
        } else {
            object->setWorldArrayIndex(kept);
            m_collisionObjects[kept++] = object;
        }
    }
    m_collisionObjects.resize(kept);
}

// Notes the bodies beside which the body sleeps. Outdated entries are removed before they are the larger part.
void DynamicsWorld::stash(Body& body, int slot) {
    const auto live = static_cast<std::size_t>(body.rigid->getUserIndex3());
    if (body.asleepWith.size() > 2 * live + 8) {
        std::erase_if(body.asleepWith, [this](const auto& each) {
            return m_islands[static_cast<std::size_t>(each.first)].use != each.second;
        });
    }
    body.asleepWith.emplace_back(slot, m_islands[static_cast<std::size_t>(slot)].use);
    countAside(*body.rigid, 1);
}

void DynamicsWorld::stashPairs() {
    btOverlappingPairCache& cache = *getPairCache();
    btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    std::vector<std::pair<btBroadphaseProxy*, btBroadphaseProxy*>> leaving;
    for (int i = 0; i < pairs.size(); ++i) {
        const btRigidBody& a = bodyOf(*pairs[i].m_pProxy0);
        const btRigidBody& b = bodyOf(*pairs[i].m_pProxy1);
        const bool sleeper = (parked(a) && !a.isKinematicObject()) || (parked(b) && !b.isKinematicObject());
        if (sleeper && quiet(a) && quiet(b) && !movingTrigger(a) && !movingTrigger(b)) {
            leaving.emplace_back(pairs[i].m_pProxy0, pairs[i].m_pProxy1);
        }
    }
    std::sort(leaving.begin(), leaving.end(), [](const auto& one, const auto& other) {
        return std::pair(one.first->m_uniqueId, one.second->m_uniqueId)
               < std::pair(other.first->m_uniqueId, other.second->m_uniqueId);
    });
    btManifoldArray manifolds;
    for (const auto& [one, other] : leaving) {
        btBroadphasePair& pair = *cache.findPair(one, other);
        btRigidBody& a = bodyOf(*one);
        btRigidBody& b = bodyOf(*other);
        const int slot = parked(a) && !a.isKinematicObject() ? a.getUserIndex2() : b.getUserIndex2();
        SleepingPair& aside = m_islands[static_cast<std::size_t>(slot)].pairs.emplace_back();
        aside.one = pair.m_pProxy0;
        aside.other = pair.m_pProxy1;
        aside.algorithm = pair.m_algorithm;
        aside.touching = m_contacts.suspend(Body::of(a), Body::of(b), aside.record);
        if (pair.m_algorithm != nullptr) {
            manifolds.resize(0);
            pair.m_algorithm->getAllContactManifolds(manifolds);
            for (int k = 0; k < manifolds.size(); ++k) {
                m_ordered.withdraw(*manifolds[k]);
            }
        }
        stash(Body::of(a), slot);
        stash(Body::of(b), slot);
        pair.m_algorithm = nullptr; // ours now
        cache.removeOverlappingPair(aside.one, aside.other, getDispatcher());
    }
    m_contacts.finishSuspending();
}

} // namespace sbx::physics::detail
