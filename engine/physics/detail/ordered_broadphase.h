#pragma once
// Bullet's broad phase without its dependence on addresses, and its dispatcher with manifolds that can be
// put aside.
//
// Bullet rotates its trees by comparing node addresses, so the order of pairs, and with it the solver's,
// would differ from run to run. OrderedBroadphase does the same work without looking at them.

#include "engine/physics/detail/bullet.h"
#include "engine/physics/detail/pair_cache.h"

namespace sbx::physics::detail {

class OrderedBroadphase : public btDbvtBroadphase {
public:
    // Tight: boxes without Bullet's margin, and pairs that end in the step in which they part.
    // `pairs` outlives it.
    OrderedBroadphase(bool tight, PairCache& pairs) : btDbvtBroadphase(&pairs), m_tight(tight) {}
    void setAabb(btBroadphaseProxy* proxy, const btVector3& low, const btVector3& high,
                 btDispatcher* dispatcher) override;
    void calculateOverlappingPairs(btDispatcher* dispatcher) override;

private:
    static void improve(btDbvt& tree, unsigned& path, int count);
    void settle();
    void removeSeparated(btDispatcher* dispatcher);

    bool m_tight;
    unsigned m_movingPath = 0;
    unsigned m_settledPath = 0;
};

class ManifoldDispatcher : public btCollisionDispatcher {
public:
    explicit ManifoldDispatcher(btCollisionConfiguration& configuration);
    // Takes a manifold out of the list the solver reads, and puts it back.
    void withdraw(btPersistentManifold& manifold);
    void restore(btPersistentManifold& manifold);

private:
    static void look(btBroadphasePair& pair, btCollisionDispatcher& dispatcher, const btDispatcherInfo& info);
};

} // namespace sbx::physics::detail
