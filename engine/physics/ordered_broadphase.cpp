#include "engine/physics/detail/ordered_broadphase.h"

#include <algorithm>

namespace sbx::physics::detail {

namespace {

const btCollisionObject& objectOf(const btBroadphaseProxy& proxy) {
    return *static_cast<const btCollisionObject*>(proxy.m_clientObject);
}

void unlink(btDbvtProxy& proxy, btDbvtProxy*& list) {
    if (proxy.links[0] != nullptr) {
        proxy.links[0]->links[1] = proxy.links[1];
    } else {
        list = proxy.links[1];
    }
    if (proxy.links[1] != nullptr) {
        proxy.links[1]->links[0] = proxy.links[0];
    }
}

void link(btDbvtProxy& proxy, btDbvtProxy*& list) {
    proxy.links[0] = nullptr;
    proxy.links[1] = list;
    if (list != nullptr) {
        list->links[0] = &proxy;
    }
    list = &proxy;
}

} // namespace

// ---- OrderedBroadphase

void OrderedBroadphase::setAabb(btBroadphaseProxy* proxy, const btVector3& low, const btVector3& high,
                                btDispatcher* dispatcher) {
    if (m_tight) {
        setAabbForceUpdate(proxy, low, high, dispatcher);
    } else {
        btDbvtBroadphase::setAabb(proxy, low, high, dispatcher);
    }
}

// Reinserts leaves found by counting down the tree; Bullet also swaps nodes by address on the way, which
// this leaves out.
void OrderedBroadphase::improve(btDbvt& tree, unsigned& path, int count) {
    for (int i = 0; i < count && tree.m_root != nullptr; ++i) {
        btDbvtNode* node = tree.m_root;
        unsigned bit = 0;
        while (node->isinternal()) {
            node = node->childs[(path >> bit) & 1U];
            bit = (bit + 1U) & 31U;
        }
        tree.update(node);
        ++path;
    }
}

// Proxies that did not move for some steps go to the tree of settled ones.
void OrderedBroadphase::settle() {
    m_stageCurrent = (m_stageCurrent + 1) % STAGECOUNT;
    btDbvtProxy* current = m_stageRoots[m_stageCurrent];
    if (current == nullptr) {
        return;
    }
    while (current != nullptr) {
        btDbvtProxy* const next = current->links[1];
        unlink(*current, m_stageRoots[current->stage]);
        link(*current, m_stageRoots[STAGECOUNT]);
        m_sets[0].remove(current->leaf);
        btDbvtVolume box = btDbvtVolume::FromMM(current->m_aabbMin, current->m_aabbMax);
        current->leaf = m_sets[1].insert(box, current);
        current->stage = STAGECOUNT;
        current = next;
    }
    m_fixedleft = m_sets[1].m_leaves;
    m_needcleanup = true;
}

// A part of the pairs each time, as Bullet does: pairs that drifted apart are cheap to keep for a while.
void OrderedBroadphase::removeSeparated(btDispatcher* dispatcher) {
    btBroadphasePairArray& pairs = m_paircache->getOverlappingPairArray();
    if (pairs.size() == 0 || (!m_needcleanup && !m_tight)) {
        return;
    }
    const int part = m_tight ? pairs.size() : std::max(m_newpairs, pairs.size() * m_cupdates / 100);
    int count = std::min(pairs.size(), part);
    for (int i = 0; i < count && pairs.size() > 0; ++i) {
        const btBroadphasePair& pair = pairs[(m_cid + i) % pairs.size()];
        auto* const one = static_cast<btDbvtProxy*>(pair.m_pProxy0);
        auto* const other = static_cast<btDbvtProxy*>(pair.m_pProxy1);
        if (!Intersect(one->leaf->volume, other->leaf->volume)) {
            m_paircache->removeOverlappingPair(one, other, dispatcher);
            --count;
            --i;
        }
    }
    m_cid = pairs.size() > 0 ? (m_cid + count) % pairs.size() : 0;
}

void OrderedBroadphase::calculateOverlappingPairs(btDispatcher* dispatcher) {
    constexpr int MaxImprovements = 16;
    improve(m_sets[0], m_movingPath, 1);
    if (m_fixedleft > 0) {
        const int count = std::min(1 + m_sets[1].m_leaves / 100, MaxImprovements);
        improve(m_sets[1], m_settledPath, count);
        m_fixedleft = std::max(0, m_fixedleft - count);
    }
    settle();
    removeSeparated(dispatcher);
    m_newpairs = 1;
    m_needcleanup = false;
}

// ---- ManifoldDispatcher

ManifoldDispatcher::ManifoldDispatcher(btCollisionConfiguration& configuration)
    : btCollisionDispatcher(&configuration) {
    setNearCallback(look);
}

void ManifoldDispatcher::look(btBroadphasePair& pair, btCollisionDispatcher& dispatcher,
                              const btDispatcherInfo& info) {
    const btBroadphaseProxy& a = *pair.m_pProxy0;
    const btBroadphaseProxy& b = *pair.m_pProxy1;
    // Pairs are of boxes with room to move in; no need for a manifold before the bodies themselves come near.
    if (pair.m_algorithm == nullptr
        && !TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax)) {
        return;
    }
    // Points of earlier steps help a solver. Inside a trigger they only linger behind a body that has left.
    const btCollisionObject& bodyA = objectOf(a);
    const btCollisionObject& bodyB = objectOf(b);
    if (pair.m_algorithm != nullptr && !(bodyA.hasContactResponse() && bodyB.hasContactResponse())
        && dispatcher.needsCollision(&bodyA, &bodyB)) {
        btManifoldArray manifolds;
        pair.m_algorithm->getAllContactManifolds(manifolds);
        for (int i = 0; i < manifolds.size(); ++i) {
            manifolds[i]->clearManifold();
        }
    }
    defaultNearCallback(pair, dispatcher, info);
}

void ManifoldDispatcher::withdraw(btPersistentManifold& manifold) {
    const int at = manifold.m_index1a;
    m_manifoldsPtr.swap(at, m_manifoldsPtr.size() - 1);
    m_manifoldsPtr[at]->m_index1a = at;
    m_manifoldsPtr.pop_back();
}

void ManifoldDispatcher::restore(btPersistentManifold& manifold) {
    manifold.m_index1a = m_manifoldsPtr.size();
    m_manifoldsPtr.push_back(&manifold);
}

} // namespace sbx::physics::detail
