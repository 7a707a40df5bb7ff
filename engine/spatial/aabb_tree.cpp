#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <cmath>

namespace sbx::spatial {

using namespace detail;

namespace {

// A margin pays if it holds for this many steps.
constexpr float StepsThatPay = 4.0F;
// With more than one object in so many to reinsert, a pass over all is cheaper.
constexpr std::size_t FewIsOneIn = 8;
// Single changes for which a part of the tree is built anew.
constexpr std::size_t ChangesAPart = 16;
// What building costs, in passes over a fresh tree.
constexpr double CostOfBuilding = 1.5;

float notNegative(float value) { return std::isfinite(value) && value > 0.0F ? value : 0.0F; }

} // namespace

AabbTree::AabbTree(const TreeDesc& desc) { setMargin(desc.margin, desc.prediction); }

void AabbTree::setMargin(float margin, float prediction) {
    m_margin = notNegative(margin);
    m_prediction = notNegative(prediction);
}

Error AabbTree::refuse(ProxyId id, const Box& box) const {
    if (!alive(id)) {
        return {"a proxy that was removed; expected one that is alive", {}, {}};
    }
    return check(box).error();
}

std::uint32_t AabbTree::takeSlot(const Bounds& box, std::uint64_t user, Filter filter) {
    std::uint32_t slot = 0;
    if (m_freeSlots.empty()) {
        slot = static_cast<std::uint32_t>(m_tight.size());
        m_tight.emplace_back();
        m_fat.emplace_back();
        m_motion.emplace_back();
        m_place.push_back(None);
        m_generation.push_back(0);
        m_flags.push_back(0);
        m_filter.emplace_back();
        m_user.push_back(0);
        m_changedFlag.push_back(0);
    } else {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    ++m_generation[slot]; // odd: alive
    m_tight[slot] = box;
    m_fat[slot] = box;
    m_motion[slot] = {};
    m_filter[slot] = filter;
    m_user[slot] = user;
    m_filtered = m_filtered || filter != Filter{};
    m_anyMoved = true;
    ++m_alive;
    note(slot);
    return slot;
}

Result<ProxyId> AabbTree::insert(const Box& box, std::uint64_t user, Filter filter) {
    const Bounds bounds = toBounds(box);
    if (!valid(bounds)) {
        return check(box).error();
    }
    return proxy(takeSlot(bounds, user, filter));
}

Result<std::vector<ProxyId>> AabbTree::insertAll(std::span<const Entry> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!valid(toBounds(entries[i].box))) {
            Error error = check(entries[i].box).error();
            error.message = "entry " + std::to_string(i) + ": " + error.message;
            return error;
        }
    }
    std::vector<ProxyId> ids;
    ids.reserve(entries.size());
    for (const Entry& entry : entries) {
        ids.push_back(proxy(takeSlot(toBounds(entry.box), entry.user, entry.filter)));
    }
    update();
    return ids;
}

bool AabbTree::remove(ProxyId id) {
    if (!alive(id)) {
        return false;
    }
    const std::uint32_t slot = id.index();
    if ((m_flags[slot] & InTree) != 0) {
        removeLeaf(slot);
        ++m_changes;
        ++m_partDue;
    }
    m_flags[slot] = 0;
    ++m_generation[slot];
    m_freeSlots.push_back(slot);
    m_anyMoved = true;
    markChanged(slot);
    if (--m_alive == 0) {
        m_filtered = false;
    }
    return true;
}

Result<void> AabbTree::setFilter(ProxyId id, Filter filter) {
    if (!alive(id)) {
        return refuse(id, {});
    }
    const std::uint32_t slot = id.index();
    if (m_filter[slot] != filter) {
        m_filter[slot] = filter;
        m_filtered = true;
        m_anyMoved = true;
        note(slot);
    }
    return {};
}

void AabbTree::clear() {
    for (std::uint32_t slot = 0; slot < m_generation.size(); ++slot) {
        if (isAlive(slot)) {
            ++m_generation[slot];
            m_freeSlots.push_back(slot);
        }
        m_flags[slot] = 0;
        m_changedFlag[slot] = 0;
    }
    m_alive = 0;
    m_filtered = false;
    m_nodes.clear();
    m_root = None;
    m_freeNode = None;
    m_usedNodes = 0;
    m_noted.clear();
    m_refreshed.clear();
    m_changed.clear();
    m_pairs.clear();
    m_fatPairs.clear();
    m_fatPairsKnown = false;
    m_anyMoved = true;
    m_changes = 0;
}

Bounds AabbTree::fatten(std::uint32_t slot, bool onlyIfItPays) const {
    const Lanes motion = load(m_motion[slot].v);
    const Lanes zero = all(0.0F);
    const Lanes size = max(motion, zero - motion);
    // What never moved needs no margin, nor does what leaves any box at once.
    const bool still = (bits(size <= zero) & 7U) == 7U;
    const bool pays = (bits(size * all(StepsThatPay) <= all(m_margin)) & 7U) == 7U;
    Bounds fat = m_tight[slot];
    if (still || (onlyIfItPays && !pays)) {
        return fat;
    }
    // A teleport predicts nothing about the next motion.
    const Bounds& tight = m_tight[slot];
    const Lanes extent = load(tight.max) - load(tight.min);
    const Lanes ahead = (bits(size <= extent) & 7U) == 7U ? motion * all(m_prediction) : zero;
    const Lanes margin = all(m_margin);
    const Lanes most = all(Limit);
    store(fat.min, max(load(tight.min) - margin + min(ahead, zero), zero - most));
    store(fat.max, min(load(tight.max) + margin + max(ahead, zero), most));
    return fat;
}

Box AabbTree::bounds() const { return m_root == None ? Box{} : toBox(m_nodes[m_root].bounds()); }

bool AabbTree::update() {
    if (m_noted.empty()) {
        return false;
    }
    m_refreshed.clear();
    if (m_root == None || m_noted.size() > 16 + m_alive / FewIsOneIn) {
        updateAll();
    } else {
        updateSome();
    }
    m_noted.clear();
    return true;
}

void AabbTree::updateAll() {
    std::size_t fresh = 0;
    for (const std::uint32_t slot : m_noted) {
        if ((m_flags[slot] & Noted) != 0) {
            fresh += (m_flags[slot] & InTree) == 0 ? 1U : 0U;
        }
    }
    for (std::uint32_t slot = 0; slot < m_flags.size(); ++slot) {
        if (isAlive(slot)) {
            const Bounds fat = fatten(slot, true);
            if ((m_flags[slot] & InTree) == 0 || !contains(m_fat[slot], fat)) {
                m_refreshed.push_back(slot);
            }
            m_fat[slot] = fat;
        }
    }
    m_fatPairsKnown = false;
    if (m_root == None || fresh > 16 + m_alive / FewIsOneIn) {
        rebuildAll();
        return;
    }
    for (const std::uint32_t slot : m_noted) {
        if ((m_flags[slot] & Noted) != 0 && (m_flags[slot] & InTree) == 0) {
            insertLeaf(slot);
        }
        m_flags[slot] &= static_cast<std::uint8_t>(~Noted);
    }
    m_leafArea = 0.0;
    refit(m_root);
    const double decay = m_builtArea > 0.0 ? m_leafArea / m_builtArea : 1.0;
    m_wasted += std::max(0.0, decay * std::sqrt(decay) - 1.0); // overlaps grow as volumes do
    if (m_wasted > CostOfBuilding) {
        rebuildAll();
    }
}

void AabbTree::updateSome() {
    for (const std::uint32_t slot : m_noted) {
        if ((m_flags[slot] & Noted) == 0) {
            continue;
        }
        m_flags[slot] &= static_cast<std::uint8_t>(~Noted);
        m_fat[slot] = fatten(slot, false);
        markChanged(slot);
        m_refreshed.push_back(slot);
        if ((m_flags[slot] & InTree) != 0) {
            const std::uint32_t place = m_place[slot];
            Node& leaf = m_nodes[place / Width];
            const bool fits = leaf.parent == None
                              || contains(m_nodes[leaf.parent].at(leaf.lane), m_fat[slot]);
            if (fits && (m_filter[slot].category & ~leaf.categories) == 0) {
                leaf.set(static_cast<int>(place % Width), m_fat[slot]);
                continue;
            }
            removeLeaf(slot);
        }
        insertLeaf(slot);
        ++m_changes;
        ++m_partDue;
        ++m_reinsertions;
    }
    if (m_partDue >= ChangesAPart) {
        m_partDue = 0;
        rebuildPart();
    }
}

Bounds AabbTree::refitLeaf(Node& leaf) {
    Bounds bounds;
    Lanes low[4];
    Lanes high[4];
    std::uint32_t categories = 0;
    const int count = leaf.count;
    for (int i = 0; i < Width; ++i) {
        if (i < count) {
            const std::uint32_t slot = leaf.child[i];
            const Bounds& fat = m_fat[slot];
            low[i] = load(fat.min);
            high[i] = load(fat.max);
            categories |= m_filtered ? m_filter[slot].category : Filter{}.category;
        } else {
            low[i] = all(Far);
            high[i] = all(-Far);
        }
    }
    store(bounds.min, min(min(low[0], low[1]), min(low[2], low[3])));
    store(bounds.max, max(max(high[0], high[1]), max(high[2], high[3])));
    transpose(low[0], low[1], low[2], low[3]);
    transpose(high[0], high[1], high[2], high[3]);
    store(leaf.minX, low[0]);
    store(leaf.minY, low[1]);
    store(leaf.minZ, low[2]);
    store(leaf.maxX, high[0]);
    store(leaf.maxY, high[1]);
    store(leaf.maxZ, high[2]);
    leaf.categories = categories;
    m_leafArea += static_cast<double>(area(bounds));
    return bounds;
}

Bounds AabbTree::refit(std::uint32_t index) {
    Node& node = m_nodes[index];
    if (node.level == 0) {
        return refitLeaf(node);
    }
    Bounds bounds;
    std::uint32_t categories = 0;
    for (int i = 0; i < node.count; ++i) {
        Node& child = m_nodes[node.child[i]];
        const Bounds below = node.level == 1 ? refitLeaf(child) : refit(node.child[i]);
        node.set(i, below);
        include(bounds, below);
        categories |= child.categories;
    }
    node.categories = categories;
    return bounds;
}

TreeStats AabbTree::stats() const {
    TreeStats stats;
    stats.objects = static_cast<std::uint32_t>(m_alive);
    stats.nodes = m_usedNodes;
    stats.levels = m_root == None ? 0 : m_nodes[m_root].level + 1U;
    for (const Node& node : m_nodes) {
        if (node.used && node.level == 0) {
            stats.leafArea += static_cast<double>(area(node.bounds()));
        }
    }
    stats.rebuilds = m_rebuilds;
    stats.reinsertions = m_reinsertions;
    stats.searched = m_searched;
    stats.rebuilt = m_rebuilt;
    return stats;
}

} // namespace sbx::spatial
