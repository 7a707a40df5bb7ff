#include "engine/physics/detail/tree_broadphase.h"

namespace sbx::physics::detail {

namespace {

constexpr float StepsAhead = 2.0F;

spatial::Box boxOf(const btVector3& low, const btVector3& high) {
    return {{low.x(), low.y(), low.z()}, {high.x(), high.y(), high.z()}};
}

spatial::Filter filterOf(int group, int mask) {
    return {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(mask)};
}

} // namespace

TreeBroadphase::TreeBroadphase(float margin, PairCache& pairs)
    : m_tree({.margin = margin, .prediction = StepsAhead}), m_pairs(pairs) {}

void TreeBroadphase::setMargin(float margin) { m_tree.setMargin(margin, StepsAhead); }

btBroadphaseProxy* TreeBroadphase::createProxy(const btVector3& low, const btVector3& high, int, void* user,
                                               int group, int mask, btDispatcher*) {
    // The world lets in nothing but bounded poses and shapes; Bullet has widened the box of a flat one.
    const spatial::Box box = spatial::withExtent(boxOf(low, high), 1.0e-6F);
    const Result<spatial::ProxyId> id = m_tree.insert(box, 0, filterOf(group, mask));
    SBX_EXPECT(id.ok(), "the tree rejects the box of a body");
    auto proxy = std::make_unique<Proxy>();
    proxy->m_clientObject = user;
    proxy->m_collisionFilterGroup = group;
    proxy->m_collisionFilterMask = mask;
    proxy->m_aabbMin = low;
    proxy->m_aabbMax = high;
    proxy->m_uniqueId = ++m_lastId;
    proxy->id = *id;
    const std::uint32_t slot = id->index();
    if (slot >= m_proxies.size()) {
        m_proxies.resize(slot + std::size_t{1});
    }
    m_proxies[slot] = std::move(proxy);
    findPairs();
    return m_proxies[slot].get();
}

void TreeBroadphase::destroyProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) {
    m_pairs.removeOverlappingPairsContainingProxy(proxy, dispatcher);
    const spatial::ProxyId id = own(*proxy).id;
    m_tree.remove(id);
    m_proxies[id.index()].reset();
}

void TreeBroadphase::setAabb(btBroadphaseProxy* proxy, const btVector3& low, const btVector3& high, btDispatcher*) {
    // A body whose state has overflowed keeps its last box, and is put to rest after the step.
    if (!m_tree.move(own(*proxy).id, boxOf(low, high))) {
        return;
    }
    proxy->m_aabbMin = low;
    proxy->m_aabbMax = high;
    if (!m_deferred) {
        findPairs();
    }
}

void TreeBroadphase::getAabb(btBroadphaseProxy* proxy, btVector3& low, btVector3& high) const {
    low = proxy->m_aabbMin;
    high = proxy->m_aabbMax;
}

// A pair that is found twice is added once: the cache checks for it.
void TreeBroadphase::findPairs() {
    if (!m_tree.update()) {
        return;
    }
    m_moved = true;
    for (const std::uint32_t slot : m_tree.refreshed()) {
        btBroadphaseProxy* const one = m_proxies[slot].get();
        m_tree.fatOverlaps(slot, [this, one](std::uint32_t other) {
            m_pairs.addOverlappingPair(one, m_proxies[other].get());
        });
    }
}

void TreeBroadphase::dropSeparated(btDispatcher* dispatcher) {
    if (!m_moved) {
        return;
    }
    m_moved = false;
    const btBroadphasePairArray& pairs = m_pairs.getOverlappingPairArray();
    for (int i = 0; i < pairs.size();) {
        btBroadphaseProxy* const one = pairs[i].m_pProxy0;
        btBroadphaseProxy* const other = pairs[i].m_pProxy1;
        if (m_tree.fatOverlap(own(*one).id.index(), own(*other).id.index())) {
            ++i;
        } else {
            m_pairs.removeOverlappingPair(one, other, dispatcher); // the last one takes its place
        }
    }
}

void TreeBroadphase::calculateOverlappingPairs(btDispatcher* dispatcher) {
    findPairs();
    dropSeparated(dispatcher);
}

void TreeBroadphase::rayTest(const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                             const btVector3& low, const btVector3& high) {
    const btVector3 way = to - from;
    const Vec3 motion(way.x(), way.y(), way.z());
    const Vec3 start(from.x(), from.y(), from.z());
    const spatial::Box shape{start + Vec3(low.x(), low.y(), low.z()), start + Vec3(high.x(), high.y(), high.z())};
    m_tree.castBox(shape, motion, spatial::Everything, [&](std::uint32_t slot, float) {
        callback.process(m_proxies[slot].get());
    });
}

void TreeBroadphase::aabbTest(const btVector3& low, const btVector3& high, btBroadphaseAabbCallback& callback) {
    m_tree.overlapBox(boxOf(low, high), spatial::Everything, [&](std::uint32_t slot) {
        callback.process(m_proxies[slot].get());
    });
}

void TreeBroadphase::getBroadphaseAabb(btVector3& low, btVector3& high) const {
    const spatial::Box all = m_tree.bounds();
    low.setValue(all.min.x, all.min.y, all.min.z);
    high.setValue(all.max.x, all.max.y, all.max.z);
}

} // namespace sbx::physics::detail
