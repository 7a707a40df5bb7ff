// Every invariant of the tree, and the proof that it holds. Nothing here is taken for granted: indices are checked before use.

#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <string>

namespace sbx::spatial {

using namespace detail;

namespace {

Error broken(const char* what, std::uint32_t index) {
    return {std::string(what) + ", at " + std::to_string(index), {}, {}};
}

bool same(const Bounds& a, const Bounds& b) { return contains(a, b) && contains(b, a); }

} // namespace

Result<void> AabbTree::validate() const {
    std::size_t inLeaves = 0;
    if (Result<void> nodes = validateNodes(inLeaves); !nodes) {
        return nodes;
    }
    if (Result<void> objects = validateObjects(inLeaves); !objects) {
        return objects;
    }
    return validatePairs();
}

// One tree, all leaves on level 0, and every other node in the free list.
Result<void> AabbTree::validateNodes(std::size_t& objects) const {
    std::size_t reached = 0;
    std::vector<std::uint8_t> seen(m_nodes.size(), 0);
    std::vector<std::uint32_t> open;
    if (m_root != None) {
        if (m_root >= m_nodes.size() || m_nodes[m_root].parent != None) {
            return broken("a root that is no root", m_root);
        }
        if (m_nodes[m_root].level >= MaxLevels) {
            return broken("a tree too high for the stacks of its queries", m_root);
        }
        open.push_back(m_root);
    }
    while (!open.empty()) {
        const std::uint32_t index = open.back();
        open.pop_back();
        const Node& node = m_nodes[index];
        if (!node.used || seen[index]++ != 0) {
            return broken("a node that is free, or the child of two", index);
        }
        ++reached;
        if (node.count < 1 || node.count > Width) {
            return broken("a node with no children, or too many", index);
        }
        if (index == m_root && node.level > 0 && node.count == 1) {
            return broken("a root with one child", index);
        }
        for (int lane = 0; lane < Width; ++lane) {
            if (Result<void> result = validateLane(index, lane); !result) {
                return result;
            }
            if (lane < node.count && node.level > 0) {
                open.push_back(node.child[lane]);
            }
        }
        objects += node.level == 0 ? node.count : 0U;
    }
    if (reached != m_usedNodes) {
        return broken("nodes that nobody reaches", static_cast<std::uint32_t>(reached));
    }
    std::size_t spare = 0;
    for (std::uint32_t node = m_freeNode; node != None; node = m_nodes[node].parent) {
        if (node >= m_nodes.size() || m_nodes[node].used || ++spare > m_nodes.size()) {
            return broken("a free list with a node in use, or a ring", node);
        }
    }
    if (spare + reached != m_nodes.size()) {
        return broken("nodes that are neither free nor in use", static_cast<std::uint32_t>(spare));
    }
    return {};
}

Result<void> AabbTree::validateLane(std::uint32_t index, int lane) const {
    const Node& node = m_nodes[index];
    const std::uint32_t child = node.child[lane];
    const Bounds box = node.at(lane);
    if (lane >= node.count) {
        const bool nothing = child == None && box.min[0] > box.max[0] && box.min[1] > box.max[1] && box.min[2] > box.max[2];
        return nothing ? Result<void>() : broken("a free lane that holds something", index);
    }
    if (node.level == 0) {
        if (child >= m_fat.size() || !isAlive(child) || (m_flags[child] & InTree) == 0
            || m_place[child] != index * Width + static_cast<std::uint32_t>(lane)) {
            return broken("a lane whose object is elsewhere, or dead", index);
        }
        if (!same(box, m_fat[child])) {
            return broken("a lane that is not its object's fat box", index);
        }
        if ((m_flags[child] & Noted) == 0 && (m_filter[child].category & ~node.categories) != 0) {
            return broken("a leaf that lacks an object's category", index);
        }
        return {};
    }
    if (child >= m_nodes.size()) {
        return broken("a child that is no node", index);
    }
    const Node& below = m_nodes[child];
    if (below.parent != index || below.lane != lane) {
        return broken("a child that has another parent", child);
    }
    if (below.level + 1 != node.level) {
        return broken("a child on the wrong level", child);
    }
    if (!contains(box, below.bounds())) {
        return broken("a child that sticks out of its node", child);
    }
    if ((below.categories & ~node.categories) != 0) {
        return broken("a node that lacks a child's category", index);
    }
    return {};
}

// Every object is in a leaf or waits for update(), its box in its fat one; every other slot is free, once.
Result<void> AabbTree::validateObjects(std::size_t inLeaves) const {
    std::vector<std::uint8_t> noted(m_flags.size(), 0);
    for (const std::uint32_t slot : m_noted) {
        if (slot >= m_flags.size()) {
            return broken("a change of no object", slot);
        }
        noted[slot] = 1;
    }
    std::size_t alive = 0;
    std::size_t inTree = 0;
    for (std::uint32_t slot = 0; slot < m_flags.size(); ++slot) {
        const std::uint8_t flags = m_flags[slot];
        inTree += (flags & InTree) != 0 ? 1U : 0U;
        if (!isAlive(slot)) {
            if (flags != 0) {
                return broken("a dead object that is somewhere", slot);
            }
            continue;
        }
        ++alive;
        if ((flags & (InTree | Noted)) == 0) {
            return broken("an object that is nowhere", slot);
        }
        if ((flags & Noted) != 0 && noted[slot] == 0) {
            return broken("an object that waits for ever", slot);
        }
        if (!valid(m_tight[slot]) || !valid(m_fat[slot])) {
            return broken("a box that should have been refused", slot);
        }
        if ((flags & Noted) == 0 && !contains(m_fat[slot], m_tight[slot])) {
            return broken("a box that sticks out of its fat one", slot);
        }
        if (!m_filtered && m_filter[slot] != Filter{}) {
            return broken("a filter nobody looks at", slot);
        }
    }
    if (alive != m_alive || inTree != inLeaves) {
        return broken("objects that were miscounted", static_cast<std::uint32_t>(inLeaves));
    }
    std::vector<std::uint8_t> free(m_flags.size(), 0);
    for (const std::uint32_t slot : m_freeSlots) {
        if (slot >= m_flags.size() || isAlive(slot) || free[slot]++ != 0) {
            return broken("a free slot that is in use, or free twice", slot);
        }
    }
    if (alive + m_freeSlots.size() != m_flags.size()) {
        return broken("slots that are neither free nor in use", static_cast<std::uint32_t>(m_freeSlots.size()));
    }
    return {};
}

// While pairs are kept from one updatePairs() to the next: what is kept is what a search would find, of all that has not changed
// since; and the answer is those whose boxes themselves overlap.
Result<void> AabbTree::validatePairs() const {
    std::vector<std::uint8_t> changed(m_flags.size(), 0);
    for (const std::uint32_t slot : m_changed) {
        if (slot >= m_flags.size() || m_changedFlag[slot] == 0 || changed[slot]++ != 0) {
            return broken("a slot is listed as changed twice, or without its mark", slot);
        }
    }
    for (std::uint32_t slot = 0; slot < m_flags.size(); ++slot) {
        if (m_changedFlag[slot] != changed[slot]) {
            return broken("a mark of no change", slot);
        }
    }
    if (!m_fatPairsKnown || !m_noted.empty()) {
        return {};
    }
    std::vector<Pair> kept;
    for (const Pair& pair : m_fatPairs) {
        if (pair.a >= pair.b || pair.b >= m_flags.size()) {
            return broken("a pair that is none", pair.a);
        }
        if (changed[pair.a] != 0 || changed[pair.b] != 0) {
            continue;
        }
        if (!isAlive(pair.a) || !isAlive(pair.b) || !fatOverlap(pair.a, pair.b) || !agree(pair.a, pair.b)) {
            return broken("a pair that should have gone", pair.a);
        }
        kept.push_back(pair);
    }
    std::sort(kept.begin(), kept.end());
    if (const auto twice = std::adjacent_find(kept.begin(), kept.end()); twice != kept.end()) {
        return broken("a pair that is there twice", twice->a);
    }
    std::size_t found = 0;
    for (std::uint32_t slot = 0; slot < m_flags.size(); ++slot) {
        if (isAlive(slot) && changed[slot] == 0) {
            fatOverlaps(slot, [&](std::uint32_t other) { found += slot < other && changed[other] == 0 ? 1U : 0U; });
        }
    }
    if (found != kept.size()) {
        return broken("pairs that are missing", static_cast<std::uint32_t>(found));
    }
    if (m_anyMoved) {
        return {};
    }
    std::erase_if(kept, [this](const Pair& pair) { return !overlap(m_tight[pair.a], m_tight[pair.b]); });
    std::vector<Pair> answer = m_pairs;
    std::sort(answer.begin(), answer.end());
    if (answer != kept) {
        return broken("pairs that are not those of the boxes", static_cast<std::uint32_t>(answer.size()));
    }
    return {};
}

} // namespace sbx::spatial
