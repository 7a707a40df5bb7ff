// Single insertions and removals: where a box is inserted, and how full nodes are split and small ones merged.

#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <array>

namespace sbx::spatial {

using namespace detail;

namespace {

// How many nodes the search for a place looks at: what it finds by then is as good as the best, and where everything overlaps
// everything it would look at all of them.
constexpr int MaxVisits = 32;

struct Branch {
    Bounds box;
    std::uint32_t child = None;
    std::uint32_t categories = 0;
};

Lanes areas(Lanes x, Lanes y, Lanes z) { return x * y + y * z + z * x; }

// By how much each lane's half surface grows by taking the box in.
Lanes growth(const Node& node, const Bounds& box) {
    const Lanes minX = load(node.minX);
    const Lanes minY = load(node.minY);
    const Lanes minZ = load(node.minZ);
    const Lanes maxX = load(node.maxX);
    const Lanes maxY = load(node.maxY);
    const Lanes maxZ = load(node.maxZ);
    const Lanes now = areas(maxX - minX, maxY - minY, maxZ - minZ);
    const Lanes then = areas(max(maxX, all(box.max[0])) - min(minX, all(box.min[0])),
                             max(maxY, all(box.max[1])) - min(minY, all(box.min[1])),
                             max(maxZ, all(box.max[2])) - min(minZ, all(box.min[2])));
    return then - now;
}

// Orders five entries so that the first `return` of them are best kept apart from the rest.
int partition(std::array<Branch, Width + 1>& entries) {
    constexpr int Count = Width + 1;
    constexpr std::array<int, 4> Cuts = {2, 3, 1, 4}; // of equally good ones, the even
    std::array<Branch, Count> best = entries;
    int bestCut = 0;
    float least = Far;
    for (int axis = 0; axis < 3; ++axis) {
        std::array<Branch, Count> sorted = entries;
        const auto before = [axis](const Branch& a, const Branch& b) {
            return a.box.min[axis] + a.box.max[axis] < b.box.min[axis] + b.box.max[axis];
        };
        for (auto each = sorted.begin(); each != sorted.end(); ++each) // stable; std::stable_sort allocates
            std::rotate(std::upper_bound(sorted.begin(), each, *each, before), each, each + 1);
        std::array<float, Count> left{};
        std::array<float, Count> right{};
        Bounds all;
        for (int i = 0; i < Count; ++i) {
            include(all, sorted[static_cast<std::size_t>(i)].box);
            left[static_cast<std::size_t>(i)] = area(all);
        }
        all = Bounds{};
        for (int i = Count - 1; i >= 0; --i) {
            include(all, sorted[static_cast<std::size_t>(i)].box);
            right[static_cast<std::size_t>(i)] = area(all);
        }
        for (const int cut : Cuts) {
            const auto at = static_cast<std::size_t>(cut);
            const float cost =
                left[at - 1] * static_cast<float>(cut) + right[at] * static_cast<float>(Count - cut);
            if (cost < least) {
                least = cost;
                best = sorted;
                bestCut = cut;
            }
        }
    }
    entries = best;
    return bestCut == 0 ? 2 : bestCut;
}

} // namespace

std::uint32_t AabbTree::takeNode(int level) {
    std::uint32_t index = m_freeNode;
    if (index == None) {
        index = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
    } else {
        m_freeNode = m_nodes[index].parent;
    }
    m_nodes[index].clear(static_cast<std::uint8_t>(level));
    ++m_usedNodes;
    return index;
}

void AabbTree::freeNode(std::uint32_t node) {
    m_nodes[node].clear(0);
    m_nodes[node].used = false;
    m_nodes[node].parent = m_freeNode;
    m_freeNode = node;
    --m_usedNodes;
}

void AabbTree::freeBelow(std::uint32_t node) {
    if (m_nodes[node].level > 0) {
        for (int i = 0; i < m_nodes[node].count; ++i) {
            freeBelow(m_nodes[node].child[i]);
        }
    }
    freeNode(node);
}

// Depth first, the least growth first; a path that has grown the tree more than the best leaf is left.
std::uint32_t AabbTree::chooseLeaf(const Bounds& box) {
    struct Place {
        float cost;
        std::uint32_t node;
    };
    std::array<Place, MaxLevels*(Width - 1) + 1> stack;
    std::size_t height = 0;
    stack[height++] = {0.0F, m_root};
    std::uint32_t best = None;
    float least = Far;
    int visits = 0;
    while (height > 0) {
        const Place place = stack[--height];
        if (best != None && (place.cost >= least || visits >= MaxVisits)) {
            continue;
        }
        ++visits;
        const Node& node = m_nodes[place.node];
        if (node.level == 0) {
            best = place.node;
            least = place.cost;
            continue;
        }
        alignas(16) std::array<float, Width> grown;
        store(grown.data(), growth(node, box));
        const std::size_t first = height;
        for (int i = 0; i < node.count; ++i) {
            const float cost = place.cost + grown[static_cast<std::size_t>(i)];
            std::size_t at = height++;
            for (; at > first && stack[at - 1].cost < cost; --at) {
                stack[at] = stack[at - 1];
            }
            stack[at] = {cost, node.child[i]};
        }
    }
    m_searched += static_cast<std::uint64_t>(visits);
    return best;
}

void AabbTree::put(std::uint32_t index, int lane, std::uint32_t child, const Bounds& box,
                   std::uint32_t categories) {
    Node& node = m_nodes[index];
    node.set(lane, box);
    node.child[lane] = child;
    node.categories |= categories;
    if (node.level == 0) {
        m_place[child] = index * Width + static_cast<std::uint32_t>(lane);
    } else {
        m_nodes[child].parent = index;
        m_nodes[child].lane = static_cast<std::uint8_t>(lane);
    }
}

void AabbTree::insertLeaf(std::uint32_t slot) {
    m_flags[slot] |= InTree;
    if (m_root == None) {
        m_root = takeNode(0);
    }
    addEntry(chooseLeaf(m_fat[slot]), slot, m_fat[slot], m_filter[slot].category);
}

void AabbTree::addEntry(std::uint32_t index, std::uint32_t child, const Bounds& box,
                        std::uint32_t categories) {
    if (m_nodes[index].count < Width) {
        put(index, m_nodes[index].count++, child, box, categories);
        growUp(index, box, categories);
        return;
    }
    const std::uint32_t sibling = split(index, child, box, categories);
    const std::uint32_t parent = m_nodes[index].parent;
    if (parent == None) {
        const std::uint32_t root = takeNode(m_nodes[index].level + 1);
        m_nodes[root].count = 2;
        put(root, 0, index, m_nodes[index].bounds(), m_nodes[index].categories);
        put(root, 1, sibling, m_nodes[sibling].bounds(), m_nodes[sibling].categories);
        m_root = root;
        return;
    }
    m_nodes[parent].set(m_nodes[index].lane, m_nodes[index].bounds());
    const Bounds added = m_nodes[sibling].bounds();
    addEntry(parent, sibling, added, m_nodes[sibling].categories);
    // The half that stayed may reach further than before, too, by the box that was added.
    m_nodes[m_nodes[index].parent].categories |= m_nodes[index].categories;
    growUp(m_nodes[index].parent, m_nodes[index].bounds(), m_nodes[m_nodes[index].parent].categories);
}

// Moves some of five entries to a new node on the same level, which has no parent yet.
std::uint32_t AabbTree::split(std::uint32_t index, std::uint32_t child, const Bounds& box,
                              std::uint32_t categories) {
    std::array<Branch, Width + 1> entries;
    for (int i = 0; i < Width; ++i) {
        const Node& node = m_nodes[index];
        const std::uint32_t below = node.child[i];
        entries[static_cast<std::size_t>(i)] = {
            node.at(i), below, node.level == 0 ? m_filter[below].category : m_nodes[below].categories};
    }
    entries[Width] = {box, child, categories};
    const int kept = partition(entries);
    const std::uint32_t sibling = takeNode(m_nodes[index].level);
    const Node before = m_nodes[index];
    m_nodes[index].clear(before.level);
    m_nodes[index].parent = before.parent;
    m_nodes[index].lane = before.lane;
    for (int i = 0; i <= Width; ++i) {
        const Branch& entry = entries[static_cast<std::size_t>(i)];
        const std::uint32_t to = i < kept ? index : sibling;
        put(to, m_nodes[to].count++, entry.child, entry.box, entry.categories);
    }
    return sibling;
}

// Ancestors take the box in, up to the first that holds it already.
void AabbTree::growUp(std::uint32_t index, const Bounds& box, std::uint32_t categories) {
    while (m_nodes[index].parent != None) {
        const std::uint32_t parent = m_nodes[index].parent;
        const int lane = m_nodes[index].lane;
        Bounds known = m_nodes[parent].at(lane);
        const bool held = contains(known, box);
        if (held && (categories & ~m_nodes[parent].categories) == 0) {
            return;
        }
        include(known, box);
        m_nodes[parent].set(lane, known);
        m_nodes[parent].categories |= categories;
        index = parent;
    }
}

// Ancestors' boxes become exact, up to the first that was.
void AabbTree::shrinkUp(std::uint32_t index) {
    while (m_nodes[index].parent != None) {
        const std::uint32_t parent = m_nodes[index].parent;
        const int lane = m_nodes[index].lane;
        const Bounds exact = m_nodes[index].bounds();
        if (contains(exact, m_nodes[parent].at(lane))) {
            return;
        }
        m_nodes[parent].set(lane, exact);
        index = parent;
    }
}

void AabbTree::removeLeaf(std::uint32_t slot) {
    const std::uint32_t place = m_place[slot];
    m_place[slot] = None;
    m_flags[slot] &= static_cast<std::uint8_t>(~InTree);
    removeEntry(place / Width, static_cast<int>(place % Width));
    lowerRoot();
}

void AabbTree::dropLane(std::uint32_t index, int lane) {
    const int last = --m_nodes[index].count;
    if (lane != last) {
        const std::uint32_t moved = m_nodes[index].child[last];
        put(index, lane, moved, m_nodes[index].at(last), 0);
    }
    m_nodes[index].set(last, Bounds{});
    m_nodes[index].child[last] = None;
}

void AabbTree::removeEntry(std::uint32_t index, int lane) {
    dropLane(index, lane);
    const std::uint32_t parent = m_nodes[index].parent;
    if (m_nodes[index].count == 0) {
        if (parent == None) {
            m_root = None;
        } else {
            removeEntry(parent, m_nodes[index].lane);
        }
        freeNode(index);
    } else if (!merge(index)) {
        shrinkUp(index);
    }
}

// A node with one child left gives it to the sibling that grows least by it.
bool AabbTree::merge(std::uint32_t index) {
    const std::uint32_t parent = m_nodes[index].parent;
    if (m_nodes[index].count > 1 || parent == None) {
        return false;
    }
    const Bounds box = m_nodes[index].at(0);
    const std::uint32_t categories = m_nodes[index].categories;
    alignas(16) std::array<float, Width> grown;
    store(grown.data(), growth(m_nodes[parent], box));
    int best = -1;
    for (int i = 0; i < m_nodes[parent].count; ++i) {
        const bool room = i != m_nodes[index].lane && m_nodes[m_nodes[parent].child[i]].count < Width;
        if (room
            && (best < 0 || grown[static_cast<std::size_t>(i)] < grown[static_cast<std::size_t>(best)])) {
            best = i;
        }
    }
    if (best < 0) {
        return false;
    }
    const std::uint32_t sibling = m_nodes[parent].child[best];
    put(sibling, m_nodes[sibling].count++, m_nodes[index].child[0], box, categories);
    m_nodes[parent].set(best, m_nodes[sibling].bounds());
    m_nodes[index].count = 0;
    removeEntry(parent, m_nodes[index].lane);
    freeNode(index);
    return true;
}

// A root with one child is no level worth having.
void AabbTree::lowerRoot() {
    while (m_root != None && m_nodes[m_root].level > 0 && m_nodes[m_root].count == 1) {
        const std::uint32_t child = m_nodes[m_root].child[0];
        freeNode(m_root);
        m_root = child;
        m_nodes[child].parent = None;
        m_nodes[child].lane = 0;
    }
}

} // namespace sbx::spatial
