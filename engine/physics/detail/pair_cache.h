#pragma once
// Bullet's table of overlapping pairs, with an index of the pairs of each body. Bullet walks all pairs to find those of
// one body; taking n bodies out of a world, or waking what lies around them, then costs the square of n.
//
// Each pair is an edge that is linked into the lists of both its bodies (Body::firstPair); the pair carries the number of its edge
// in a field of Bullet's that nothing else of it reads. Pairs of a body are removed in the order in which Bullet would: what the
// solver sees stays the same, bit for bit.
//
// Owned by a PhysicsWorld, used on its thread. Works for bodies of this room alone: proxies lead to a Body.

#include "engine/physics/detail/body.h"

#include <cstdint>
#include <vector>

namespace sbx::physics::detail {

class PairCache : public btHashedOverlappingPairCache {
public:
    btBroadphasePair* addOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other) override;
    void* removeOverlappingPair(btBroadphaseProxy* one, btBroadphaseProxy* other, btDispatcher* dispatcher) override;
    void removeOverlappingPairsContainingProxy(btBroadphaseProxy* proxy, btDispatcher* dispatcher) override;
    void cleanProxyFromPairs(btBroadphaseProxy* proxy, btDispatcher* dispatcher) override;

    // visit(Body&): the other one of each pair of the body, the youngest pair first. Pairs must not change meanwhile.
    template <typename Visit> void eachNeighbour(const Body& body, const Visit& visit) {
        for (std::uint32_t edge = body.firstPair; edge != Body::NoPair;) {
            ++m_visited;
            const int side = m_edges[edge].ends[0] == &body ? 0 : 1;
            const std::uint32_t next = m_edges[edge].next[side];
            visit(*m_edges[edge].ends[1 - side]);
            edge = next;
        }
    }
    // Pairs looked at for single bodies so far.
    [[nodiscard]] std::uint64_t visited() const { return m_visited; }

private:
    struct Edge {
        Body* ends[2] = {nullptr, nullptr};
        std::uint32_t next[2] = {Body::NoPair, Body::NoPair}; // in the list of each end
        std::uint32_t last[2] = {Body::NoPair, Body::NoPair};
    };

    void link(btBroadphasePair& pair);
    void unlink(btBroadphasePair& pair);
    // Indices of the body's pairs in Bullet's array, lowest first.
    void find(const Body& body);

    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_freeEdges;
    std::vector<int> m_places; // of find()
    std::uint64_t m_visited = 0;
};

} // namespace sbx::physics::detail
