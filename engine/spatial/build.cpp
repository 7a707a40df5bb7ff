// Building whole trees and parts of them, from the top down.

#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace sbx::spatial {

using namespace detail;

namespace {

constexpr int Bins = 16;
// From here down the heuristic finds little that halves do not, and leaves are to be full.
constexpr std::size_t Few = 64;
// Parts built anew after single changes: of so many levels (256 objects at most).
constexpr int PartLevels = 3;

std::size_t capacity(int level) { return std::size_t{1} << (2U * (static_cast<unsigned>(level) + 1U)); }

// Nodes are filled to three quarters, so that cuts may fall where they are best.
std::size_t comfortable(int level) { return level == 0 ? capacity(0) : capacity(level) / 4 * 3; }

Lanes low(const Item& item) { return load(item.min); }
Lanes high(const Item& item) { return load(item.max); }

// Floats as integers of the same order.
std::uint32_t ordered(float value) {
    const auto raw = std::bit_cast<std::uint32_t>(value);
    return (raw & 0x80000000U) != 0 ? ~raw : raw | 0x80000000U;
}

struct Centers {
    float low[4];
    float high[4];
    int axis = 0;
};

// The sum of an item's corners is used as its centre. The fourth component has no meaning.
Centers centersOf(const Item* items, std::size_t count) {
    alignas(16) float least[4];
    alignas(16) float most[4];
    Lanes a = all(Far);
    Lanes b = all(-Far);
    for (std::size_t i = 0; i < count; ++i) {
        const Lanes center = low(items[i]) + high(items[i]);
        a = min(a, center);
        b = max(b, center);
    }
    store(least, a);
    store(most, b);
    Centers centers;
    std::copy(least, least + 4, centers.low);
    std::copy(most, most + 4, centers.high);
    const float x = most[0] - least[0];
    const float y = most[1] - least[1];
    const float z = most[2] - least[2];
    centers.axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
    return centers;
}

// The first `left` items come to be those with the smallest centres along the axis.
void halve(Item* items, std::size_t count, std::size_t left, int axis) {
    std::array<std::uint64_t, Few> keys;
    std::array<Item, Few> copy;
    for (std::size_t i = 0; i < count; ++i) {
        keys[i] = (std::uint64_t{ordered(items[i].min[axis] + items[i].max[axis])} << 32U) | i;
    }
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(left),
                     keys.begin() + static_cast<std::ptrdiff_t>(count));
    std::copy(items, items + count, copy.begin());
    for (std::size_t i = 0; i < count; ++i) {
        items[i] = copy[keys[i] & 0xFFU];
    }
}

} // namespace

int AabbTree::levelFor(std::size_t objects) {
    int level = 0;
    while (comfortable(level) < objects) {
        ++level;
    }
    return level;
}

// Orders the items so that the first `return` of them make one part and the rest another, neither with more than `most`.
std::size_t AabbTree::divide(Item* items, Item* scratch, std::size_t count, std::size_t most) {
    const Centers centers = centersOf(items, count);
    const int axis = centers.axis;
    const float from = centers.low[axis];
    const float extent = centers.high[axis] - from;
    std::size_t left = (count / 2 + 2) & ~std::size_t{3};
    left = left == 0 || left == count ? count / 2 : left;
    if (count <= Few) {
        left = std::clamp(left, count > most ? count - most : 1, std::min(most, count - 1));
        if (extent > 0.0F) {
            halve(items, count, left, axis);
        }
        return left;
    }
    left = std::clamp(left, count > most ? count - most : 1, std::min(most, count - 1));
    const float scale = static_cast<float>(Bins) / extent;
    if (!(extent > 0.0F) || !(scale < 1.0e30F)) {
        return left; // all at one place
    }
    const auto binOf = [=](const Item& item) {
        return std::min(static_cast<int>((item.min[axis] + item.max[axis] - from) * scale), Bins - 1);
    };
    std::array<Bounds, Bins> boxes;
    std::array<std::uint32_t, Bins> counts{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto bin = static_cast<std::size_t>(binOf(items[i]));
        ++counts[bin];
        store(boxes[bin].min, min(load(boxes[bin].min), low(items[i])));
        store(boxes[bin].max, max(load(boxes[bin].max), high(items[i])));
    }
    std::array<float, Bins> costAfter{};
    Bounds all;
    std::size_t passed = 0;
    for (std::size_t bin = Bins - 1; bin > 0; --bin) {
        include(all, boxes[bin]);
        passed += counts[bin];
        costAfter[bin] = passed == 0 ? 0.0F : area(all) * static_cast<float>(passed);
    }
    all = Bounds{};
    passed = 0;
    int cut = -1;
    float least = Far;
    for (std::size_t bin = 0; bin + 1 < Bins; ++bin) {
        include(all, boxes[bin]);
        passed += counts[bin];
        if (passed == 0 || passed > most || count - passed > most || passed == count) {
            continue;
        }
        const float cost = area(all) * static_cast<float>(passed) + costAfter[bin + 1];
        if (cost < least) {
            least = cost;
            cut = static_cast<int>(bin) + 1;
        }
    }
    if (cut < 0) { // no bin's edge leaves both sides small enough
        std::nth_element(items, items + left, items + count, [axis](const Item& a, const Item& b) {
            const float x = a.min[axis] + a.max[axis];
            const float y = b.min[axis] + b.max[axis];
            return x < y || (x == y && a.slot < b.slot);
        });
        return left;
    }
    Item* right = scratch;
    Item* kept = items;
    for (std::size_t i = 0; i < count; ++i) {
        const Item item = items[i];
        const bool goesLeft = binOf(item) < cut;
        *kept = item;
        *right = item;
        kept += goesLeft ? 1 : 0;
        right += goesLeft ? 0 : 1;
    }
    std::copy(scratch, right, kept);
    return static_cast<std::size_t>(kept - items);
}

std::uint32_t AabbTree::build(Item* items, std::size_t count, int level, Bounds& bounds) {
    const std::uint32_t index = takeNode(level);
    bounds = Bounds{};
    if (level == 0) {
        Node& leaf = m_nodes[index];
        for (std::size_t i = 0; i < count; ++i) {
            Bounds box;
            store(box.min, low(items[i]));
            store(box.max, high(items[i]));
            leaf.set(static_cast<int>(i), box);
            leaf.child[i] = items[i].slot;
            leaf.categories |= items[i].categories;
            m_place[items[i].slot] = index * Width + static_cast<std::uint32_t>(i);
            include(bounds, box);
        }
        leaf.count = static_cast<std::uint8_t>(count);
        m_leafArea += static_cast<double>(area(bounds));
        return index;
    }
    std::array<std::size_t, Width + 1> ends{};
    std::size_t parts = 0;
    const std::size_t each = capacity(level - 1);
    Item* const scratch = m_scratch.data();
    const auto add = [&](std::size_t from, std::size_t to) {
        if (to - from > comfortable(level - 1)) {
            ends[++parts] = from + divide(items + from, scratch, to - from, each);
        }
        ends[++parts] = to;
    };
    if (count <= comfortable(level - 1)) {
        ends[++parts] = count;
    } else {
        const std::size_t middle = divide(items, scratch, count, 2 * each);
        add(0, middle);
        add(middle, count);
    }
    std::uint32_t categories = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        Bounds below;
        const std::uint32_t child = build(items + ends[i], ends[i + 1] - ends[i], level - 1, below);
        Node& node = m_nodes[index];
        node.set(static_cast<int>(i), below);
        node.child[i] = child;
        m_nodes[child].parent = index;
        m_nodes[child].lane = static_cast<std::uint8_t>(i);
        categories |= m_nodes[child].categories;
        include(bounds, below);
    }
    m_nodes[index].categories = categories;
    m_nodes[index].count = static_cast<std::uint8_t>(parts);
    return index;
}

// Objects in the order of the leaves: neighbours are close in memory to each other, and to where they will be.
void AabbTree::collect(std::uint32_t index) {
    const Node& node = m_nodes[index];
    for (int i = 0; i < node.count; ++i) {
        if (node.level > 0) {
            collect(node.child[i]);
            continue;
        }
        const std::uint32_t slot = node.child[i];
        const Bounds& fat = m_fat[slot];
        m_items.push_back({{fat.min[0], fat.min[1], fat.min[2]}, slot, {fat.max[0], fat.max[1], fat.max[2]},
                           m_filter[slot].category});
    }
}

void AabbTree::rebuild() {
    update();
    rebuildAll();
}

void AabbTree::rebuildAll() {
    m_items.clear();
    if (m_root != None) {
        collect(m_root);
    }
    for (const std::uint32_t slot : m_noted) {
        if ((m_flags[slot] & (Noted | InTree)) == Noted) {
            const Bounds& fat = m_fat[slot];
            m_items.push_back({{fat.min[0], fat.min[1], fat.min[2]}, slot,
                               {fat.max[0], fat.max[1], fat.max[2]}, m_filter[slot].category});
            m_flags[slot] |= InTree;
        }
        m_flags[slot] &= static_cast<std::uint8_t>(~Noted);
    }
    m_nodes.clear();
    m_freeNode = None;
    m_usedNodes = 0;
    m_root = None;
    m_leafArea = 0.0;
    m_rebuilt += m_items.size();
    if (!m_items.empty()) {
        m_scratch.resize(m_items.size());
        m_nodes.reserve(m_items.size() / 2 + 16);
        Bounds bounds;
        m_root = build(m_items.data(), m_items.size(), levelFor(m_items.size()), bounds);
        lowerRoot();
    }
    m_builtArea = m_leafArea;
    m_wasted = 0.0;
    m_changes = 0;
    ++m_rebuilds;
}

// After single changes: the part whose turn it is, in the order of a path counted upwards, or everything if as much has
// changed since the last time as there is.
void AabbTree::rebuildPart() {
    if (m_root == None) {
        return;
    }
    if (m_changes > 2 * m_alive + 64) {
        m_changes = 0;
        m_leafArea = 0.0;
        refit(m_root);
        if (m_leafArea > 1.3 * m_builtArea) {
            rebuildAll();
        }
        return;
    }
    std::uint32_t path = m_partPath++;
    std::uint32_t index = m_root;
    while (m_nodes[index].level >= PartLevels) {
        const Node& node = m_nodes[index];
        index = node.child[path % node.count];
        path /= node.count;
    }
    const Node before = m_nodes[index];
    if (before.level == 0) {
        return;
    }
    const double area = m_leafArea;
    m_items.clear();
    collect(index);
    m_rebuilt += m_items.size();
    m_scratch.resize(m_items.size());
    freeBelow(index);
    Bounds bounds;
    const std::uint32_t anew = build(m_items.data(), m_items.size(), before.level, bounds);
    m_leafArea = area;
    if (before.parent == None) {
        m_root = anew;
        lowerRoot();
    } else {
        m_nodes[before.parent].set(before.lane, bounds);
        m_nodes[before.parent].child[before.lane] = anew;
        m_nodes[anew].parent = before.parent;
        m_nodes[anew].lane = before.lane;
        shrinkUp(before.parent);
    }
}

} // namespace sbx::spatial
