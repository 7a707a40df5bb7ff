#pragma once
// Bullet's broad phase over our own tree of boxes. Pairs are of fat boxes, as Bullet's are: found when a body leaves its fat
// box, dropped when the fat boxes part. The order depends on the calls alone.
//
// Outside a step a changed box is put in place, and its pairs are reported, at once. Within one (see deferPairs) that waits for
// calculateOverlappingPairs, so that the tree sees all motions of a step together.

#include "engine/physics/detail/bullet.h"
#include "engine/physics/detail/pair_cache.h"
#include "engine/spatial/aabb_tree.h"

#include <memory>
#include <vector>

namespace sbx::physics::detail {

class TreeBroadphase : public btBroadphaseInterface {
public:
    // `pairs` outlives it.
    TreeBroadphase(float margin, PairCache& pairs);

    void setMargin(float margin);
    void deferPairs(bool defer) { m_deferred = defer; }
    [[nodiscard]] const spatial::AabbTree& tree() const { return m_tree; }
    [[nodiscard]] spatial::Box fatBox(btBroadphaseProxy& proxy) const { return m_tree.fatBox(own(proxy).id.index()); }

    btBroadphaseProxy* createProxy(const btVector3& low, const btVector3& high, int shapeType, void* user,
                                   int group, int mask, btDispatcher* dispatcher) override;
    void destroyProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) override;
    void setAabb(btBroadphaseProxy* proxy, const btVector3& low, const btVector3& high,
                 btDispatcher* dispatcher) override;
    void getAabb(btBroadphaseProxy* proxy, btVector3& low, btVector3& high) const override;
    void rayTest(const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                 const btVector3& low, const btVector3& high) override;
    void aabbTest(const btVector3& low, const btVector3& high, btBroadphaseAabbCallback& callback) override;
    void calculateOverlappingPairs(btDispatcher* dispatcher) override;
    btOverlappingPairCache* getOverlappingPairCache() override { return &m_pairs; }
    [[nodiscard]] const btOverlappingPairCache* getOverlappingPairCache() const override { return &m_pairs; }
    void getBroadphaseAabb(btVector3& low, btVector3& high) const override;
    void printStats() override {}

private:
    struct Proxy : btBroadphaseProxy {
        spatial::ProxyId id;
    };
    [[nodiscard]] static Proxy& own(btBroadphaseProxy& proxy) { return static_cast<Proxy&>(proxy); }
    void findPairs();
    void dropSeparated(btDispatcher* dispatcher);

    spatial::AabbTree m_tree;
    PairCache& m_pairs;
    std::vector<std::unique_ptr<Proxy>> m_proxies; // by slot
    int m_lastId = 0;
    bool m_deferred = false;
    bool m_moved = false; // fat boxes changed since pairs were last dropped
};

} // namespace sbx::physics::detail
