#pragma once
// Bullet's world with sleepers out of the way. Bullet visits every body and pair in every step, asleep or
// not. Here static bodies and islands that fell asleep leave Bullet's arrays ("parked"): their proxies stay
// in the broad phase, so rays and moving bodies still find them, but their pairs, with contact caches for a
// warm start, are put aside. Whatever comes to overlap a parked body wakes its island. Pairs of moving
// triggers are never put aside, for a trigger must not wake what it senses.
//
// Owned by PhysicsWorld, used on its thread.

#include "engine/physics/detail/body.h"
#include "engine/physics/detail/contact_tracker.h"
#include "engine/physics/detail/ordered_broadphase.h"
#include "engine/physics/detail/tree_broadphase.h"

#include <memory>
#include <vector>

namespace sbx::physics::detail {

class DynamicsWorld : public btDiscreteDynamicsWorld, private btOverlappingPairCallback {
public:
    // `pairs` is the table of `broadphase`; `tree` is the broad phase once more if it is ours, or null.
    DynamicsWorld(ManifoldDispatcher& dispatcher, btBroadphaseInterface& broadphase, PairCache& pairs, TreeBroadphase* tree,
                  btConstraintSolver& solver, btCollisionConfiguration& configuration, ContactTracker& contacts);
    ~DynamicsWorld() override;
    DynamicsWorld(const DynamicsWorld&) = delete;
    DynamicsWorld& operator=(const DynamicsWorld&) = delete;

    void insert(Body& body);
    void remove(Body& body);
    // Takes all bodies out at once, which is quicker than one by one; null entries are skipped.
    void clear(const std::vector<std::unique_ptr<Body>>& bodies);
    // `linked`: both its bodies list it.
    void addHinge(btTypedConstraint& hinge, bool linked);
    void removeHinge(btTypedConstraint& hinge);
    // After the transform or shape of a body changed between steps.
    void refreshAabb(Body& body);

    void advance(float dt);
    // After the contacts of a step were read: puts aside what fell asleep in it.
    void parkSleepers();
    void wake(Body& body);
    void wakeAll();
    // Wakes what overlaps the body now or did when it fell asleep.
    void wakeNeighbours(Body& body);

    // Neither static nor parked, in an order that depends on the calls alone.
    [[nodiscard]] const btAlignedObjectArray<btRigidBody*>& awake() const { return m_nonStaticRigidBodies; }

    void updateAabbs() override;
    void computeOverlappingPairs() override;

protected:
    void createPredictiveContacts(btScalar timeStep) override;

private:
    struct SleepingPair {
        btBroadphaseProxy* one = nullptr;
        btBroadphaseProxy* other = nullptr;
        btCollisionAlgorithm* algorithm = nullptr;
        bool touching = false;
        ContactRecord record;
    };
    struct Island {
        std::vector<btRigidBody*> bodies;
        std::vector<SleepingPair> pairs;
        std::uint32_t use = 0; // how many fell asleep in this slot before
    };

    // btOverlappingPairCallback: called for every pair the broad phase finds.
    btBroadphasePair* addOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other) override;
    void* removeOverlappingPair(btBroadphaseProxy*, btBroadphaseProxy*, btDispatcher*) override {
        return nullptr;
    }
    void removeOverlappingPairsContainingProxy(btBroadphaseProxy*, btDispatcher*) override {}

    void wakeFound();
    void unpark(int slot);
    bool collectSleepers();
    void blockSleepers();
    [[nodiscard]] int candidateOf(const btRigidBody& body) const;
    [[nodiscard]] int takeIslandSlot();
    void leaveArrays();
    void stashPairs();
    void updateHingeSleep();

    void stash(Body& body, int slot);
    void takeFromArrays(Body& body);

    ManifoldDispatcher& m_ordered;
    PairCache& m_pairs;
    TreeBroadphase* m_tree;
    ContactTracker& m_contacts;
    std::vector<Island> m_islands; // a slot is free while it has no bodies
    std::vector<int> m_freeIslands;
    bool m_hingesStale = false; // bodies were parked or woken since hinges last followed
    std::vector<btRigidBody*> m_found; // parked bodies that something new overlaps

    // Scratch of parkSleepers: islands by Bullet's tag, -1 none.
    std::vector<int> m_candidateOfTag;
    std::vector<char> m_blocked;
    std::vector<int> m_slotOfCandidate;
    std::vector<int> m_parking;
};

} // namespace sbx::physics::detail
