#include "engine/physics/detail/pair_cache.h"

#include <algorithm>

namespace sbx::physics::detail {

namespace {

Body& bodyAt(const btBroadphaseProxy& proxy) {
    return Body::of(*static_cast<const btCollisionObject*>(proxy.m_clientObject));
}

// Which of an edge's two ends the body is.
template <typename Edge> int sideOf(const Edge& edge, const Body& body) { return edge.ends[0] == &body ? 0 : 1; }

} // namespace

btBroadphasePair* PairCache::addOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other) {
    const int before = GetCount();
    btBroadphasePair* const pair = btHashedOverlappingPairCache::addOverlappingPair(one, other);
    if (pair != nullptr && GetCount() != before) {
        link(*pair);
    }
    return pair;
}

void* PairCache::removeOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other, btDispatcher* dispatcher) {
    if (btBroadphasePair* const pair = findPair(one, other)) {
        unlink(*pair);
    }
    return btHashedOverlappingPairCache::removeOverlappingPair(one, other, dispatcher);
}

void PairCache::link(btBroadphasePair& pair) {
    std::uint32_t number = 0;
    if (m_freeEdges.empty()) {
        number = static_cast<std::uint32_t>(m_edges.size());
        m_edges.emplace_back();
    } else {
        number = m_freeEdges.back();
        m_freeEdges.pop_back();
    }
    Edge& edge = m_edges[number];
    edge.ends[0] = &bodyAt(*pair.m_pProxy0);
    edge.ends[1] = &bodyAt(*pair.m_pProxy1);
    for (int side = 0; side < 2; ++side) {
        Body& body = *edge.ends[side];
        edge.last[side] = Body::NoPair;
        edge.next[side] = body.firstPair;
        if (body.firstPair != Body::NoPair) {
            Edge& next = m_edges[body.firstPair];
            next.last[sideOf(next, body)] = number;
        }
        body.firstPair = number;
    }
    pair.m_internalTmpValue = static_cast<int>(number);
}

void PairCache::unlink(btBroadphasePair& pair) {
    const auto number = static_cast<std::uint32_t>(pair.m_internalTmpValue);
    const Edge edge = m_edges[number];
    for (int side = 0; side < 2; ++side) {
        Body& body = *edge.ends[side];
        if (edge.last[side] == Body::NoPair) {
            body.firstPair = edge.next[side];
        } else {
            Edge& last = m_edges[edge.last[side]];
            last.next[sideOf(last, body)] = edge.next[side];
        }
        if (edge.next[side] != Body::NoPair) {
            Edge& next = m_edges[edge.next[side]];
            next.last[sideOf(next, body)] = edge.last[side];
        }
    }
    m_freeEdges.push_back(number);
}

void PairCache::find(const Body& body) {
    m_places.clear();
    if (body.firstPair == Body::NoPair) {
        return;
    }
    btBroadphaseProxy* const own = body.rigid->getBroadphaseHandle();
    const btBroadphasePair* const first = getOverlappingPairArrayPtr();
    eachNeighbour(body, [&](const Body& other) {
        m_places.push_back(static_cast<int>(findPair(own, other.rigid->getBroadphaseHandle()) - first));
    });
    std::sort(m_places.begin(), m_places.end());
}

void PairCache::cleanProxyFromPairs(btBroadphaseProxy* proxy, btDispatcher* dispatcher) {
    find(bodyAt(*proxy));
    for (const int place : m_places) {
        cleanOverlappingPair(getOverlappingPairArray()[place], dispatcher);
    }
}

// Bullet walks its array from the front. The last pair takes the place of a removed one, and is visited next.
void PairCache::removeOverlappingPairsContainingProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) {
    find(bodyAt(*proxy));
    const btBroadphasePairArray& pairs = getOverlappingPairArray();
    std::size_t next = 0;
    std::size_t end = m_places.size();
    while (next < end) {
        const int place = m_places[next];
        const int last = pairs.size() - 1;
        const btBroadphasePair pair = pairs[place];
        removeOverlappingPair(pair.m_pProxy0, pair.m_pProxy1, dispatcher);
        if (place != last && m_places[end - 1] == last) {
            --end; // it is at `place` now
        } else {
            ++next;
        }
    }
}

} // namespace sbx::physics::detail
