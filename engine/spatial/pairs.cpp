// All overlapping pairs: of the tree against itself when much has changed, of what has changed against the tree otherwise.

#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <bit>

namespace sbx::spatial {

using namespace detail;

// Grows by the most one comparison of two nodes can give, so that the inner loop only writes.
struct AabbTree::PairSink {
    static constexpr std::size_t Room = Width * Width;

    explicit PairSink(std::vector<Pair>& pairs) : out(pairs) {
        out.resize(std::max(out.capacity(), std::size_t{1024}));
    }
    void reserve() {
        if (out.size() - used < Room) {
            out.resize(out.size() * 2);
        }
    }
    void add(std::uint32_t a, std::uint32_t b) { out[used++] = a < b ? Pair{a, b} : Pair{b, a}; }

    std::vector<Pair>& out;
    std::size_t used = 0;
};

namespace {

// Bit 4 * i + k: lane i of one node overlaps lane k of the other.
unsigned overlaps(const Node& one, const Node& other) {
    const Lanes minX = load(other.minX);
    const Lanes minY = load(other.minY);
    const Lanes minZ = load(other.minZ);
    const Lanes maxX = load(other.maxX);
    const Lanes maxY = load(other.maxY);
    const Lanes maxZ = load(other.maxZ);
    unsigned found = 0;
    for (unsigned i = 0; i < Width; ++i) {
        const Lanes x = (all(one.minX[i]) <= maxX) & (minX <= all(one.maxX[i]));
        const Lanes y = (all(one.minY[i]) <= maxY) & (minY <= all(one.maxY[i]));
        const Lanes z = (all(one.minZ[i]) <= maxZ) & (minZ <= all(one.maxZ[i]));
        found |= bits(x & y & z) << (Width * i);
    }
    return found;
}

// Of a node with itself: each pair of lanes once, no lane with itself.
constexpr unsigned Above = 0x08CEU;

} // namespace

void AabbTree::findInside(std::uint32_t index, PairSink& sink) const {
    const Node& node = m_nodes[index];
    unsigned found = overlaps(node, node) & Above;
    if (node.level == 0) {
        sink.reserve();
        for (; found != 0; found &= found - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(found));
            sink.add(node.child[bit / Width], node.child[bit % Width]);
        }
        return;
    }
    for (int i = 0; i < node.count; ++i) {
        findInside(node.child[i], sink);
    }
    for (; found != 0; found &= found - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(found));
        findBetween(node.child[bit / Width], node.child[bit % Width], sink);
    }
}

void AabbTree::findBetween(std::uint32_t one, std::uint32_t other, PairSink& sink) const {
    const Node& a = m_nodes[one];
    const Node& b = m_nodes[other];
    unsigned found = overlaps(a, b);
    if (a.level == 0) {
        sink.reserve();
        for (; found != 0; found &= found - 1) {
            const auto bit = static_cast<unsigned>(std::countr_zero(found));
            sink.add(a.child[bit / Width], b.child[bit % Width]);
        }
        return;
    }
    for (; found != 0; found &= found - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(found));
        findBetween(a.child[bit / Width], b.child[bit % Width], sink);
    }
}

void AabbTree::findAllPairs() {
    PairSink sink(m_fatPairs);
    if (m_root != None) {
        findInside(m_root, sink);
    }
    m_fatPairs.resize(sink.used);
    if (m_filtered) {
        std::erase_if(m_fatPairs, [this](const Pair& pair) { return !agree(pair.a, pair.b); });
    }
    for (const std::uint32_t slot : m_changed) {
        m_changedFlag[slot] = 0;
    }
    m_changed.clear();
    m_fatPairsKnown = true;
}

// Drops the pairs of what has changed and looks its new ones up.
void AabbTree::findChangedPairs() {
    if (m_changed.empty()) {
        return;
    }
    std::erase_if(m_fatPairs, [this](const Pair& pair) {
        return (m_changedFlag[pair.a] | m_changedFlag[pair.b]) != 0;
    });
    for (const std::uint32_t slot : m_changed) {
        if ((m_flags[slot] & InTree) == 0) {
            continue;
        }
        fatOverlaps(slot, [this, slot](std::uint32_t other) {
            // Of two that changed, the lower slot has it.
            if (m_changedFlag[other] == 0 || slot < other) {
                m_fatPairs.push_back(slot < other ? Pair{slot, other} : Pair{other, slot});
            }
        });
    }
    for (const std::uint32_t slot : m_changed) {
        m_changedFlag[slot] = 0;
    }
    m_changed.clear();
}

std::span<const Pair> AabbTree::updatePairs() {
    update();
    if (!m_anyMoved) {
        return m_pairs;
    }
    m_anyMoved = false;
    if (m_fatPairsKnown) {
        findChangedPairs();
    } else {
        findAllPairs();
    }
    m_pairs.resize(m_fatPairs.size());
    std::size_t used = 0;
    for (const Pair& pair : m_fatPairs) {
        m_pairs[used] = pair;
        used += overlap(m_tight[pair.a], m_tight[pair.b]) ? 1U : 0U;
    }
    m_pairs.resize(used);
    return m_pairs;
}

} // namespace sbx::spatial
