#pragma once
// A spatial index: a dynamic bounding-volume tree over axis-aligned boxes.
//
// Data flow: insert(), move() and remove() note what changed; one update() brings the tree up to date; then queries may run, on
// several threads as long as no thread writes, and updatePairs() lists all overlapping pairs.
//
// An object has its box, as last given, and a fat box, which the tree sees: the box plus a margin, stretched the way the
// object moves. While the box stays in the fat one the tree does not change. An object that moves too fast for a margin to pay off has
// none. Queries answer for the boxes as given, never for the fat ones.
//
// Shape: nodes of four children, all leaves equally deep, so a million boxes at one point are 15 levels like any other million.
// Few changes are reinserted one by one where they add least surface (branch and bound; R. Goldsmith, J. Salmon, Automatic
// creation of object hierarchies, 1987; N. Beckmann et al., The R*-tree, 1990), and a small part of the tree is built anew each
// time, so that it does not decay. Many changes are a pass over all leaves, and the whole tree is built anew (binned surface-area
// heuristic; I. Wald, On fast construction of SAH-based bounding volume hierarchies, 2007) as soon as what
// the decay has cost since exceeds what building costs.
//
// Deterministic: the same calls give the same answers in the same order, on any processor.
//
// Thread: one writer, or any number of readers. The tree owns everything; handles of removed objects go stale.

#include "engine/core/ids.h"
#include "engine/spatial/box.h"
#include "engine/spatial/detail/node.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sbx::spatial {

struct ProxyTag;
using ProxyId = Handle<ProxyTag>; // index(): the object's slot, dense, taken again after removal

inline constexpr std::uint32_t Everything = 0xFFFFFFFFU;

// Two objects make a pair, and a query with `mask` sees an object, when each side's category is in the other's mask.
struct Filter {
    std::uint32_t category = 1;
    std::uint32_t mask = Everything;

    friend bool operator==(const Filter&, const Filter&) = default;
};

// Slots; a < b.
struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;

    friend auto operator<=>(const Pair&, const Pair&) = default;
};

// What a query cost.
struct QueryStats {
    std::uint32_t nodes = 0; // visited
    std::uint32_t tests = 0; // objects tested one by one
    std::uint32_t hits = 0;
};

struct Neighbour {
    float distanceSquared = 0.0F;
    std::uint32_t slot = 0;

    friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

struct TreeDesc {
    float margin = 0.1F;     // metres on each side of a fat box
    float prediction = 2.0F; // steps of its last motion a fat box is stretched by
};

struct TreeStats {
    std::uint32_t objects = 0;
    std::uint32_t nodes = 0;
    std::uint32_t levels = 0;
    double leafArea = 0.0; // half the surface of all leaves: the measure of the tree's quality
    std::uint64_t rebuilds = 0;
    std::uint64_t reinsertions = 0;
    std::uint64_t searched = 0; // nodes visited to insert single objects
    std::uint64_t rebuilt = 0;  // objects in parts of the tree (or all of it) that were rebuilt
};

class AabbTree {
public:
    explicit AabbTree(const TreeDesc& desc = {});

    struct Entry {
        Box box;
        std::uint64_t user = 0;
        Filter filter;
    };

    [[nodiscard]] Result<ProxyId> insert(const Box& box, std::uint64_t user = 0, Filter filter = {});
    // All or, on an error, none. Builds the tree in one go if it was empty.
    [[nodiscard]] Result<std::vector<ProxyId>> insertAll(std::span<const Entry> entries);
    bool remove(ProxyId id); // false: dead
    [[nodiscard]] Result<void> move(ProxyId id, const Box& box) {
        const detail::Bounds next = detail::toBounds(box);
        if (!alive(id) || !detail::valid(next)) {
            return refuse(id, box);
        }
        const std::uint32_t slot = id.index();
        if (!detail::contains(m_fat[slot], next)) {
            leave(slot, next);
        }
        m_tight[slot] = next;
        m_anyMoved = true;
        return {};
    }
    [[nodiscard]] Result<void> setFilter(ProxyId id, Filter filter);
    void clear();
    // Both take effect as objects leave their fat boxes. Values that are negative or not finite count as 0.
    void setMargin(float margin, float prediction);
    bool update(); // false: nothing to do
    void rebuild(); // update(), and the whole tree built anew: after loading a level

    [[nodiscard]] bool alive(ProxyId id) const {
        return id.index() < m_generation.size() && m_generation[id.index()] == id.generation()
               && isAlive(id.index());
    }
    [[nodiscard]] std::size_t size() const { return m_alive; }
    [[nodiscard]] ProxyId proxy(std::uint32_t slot) const { return {slot, m_generation[slot]}; }
    [[nodiscard]] std::uint64_t user(std::uint32_t slot) const { return m_user[slot]; }
    [[nodiscard]] Filter filter(std::uint32_t slot) const { return m_filter[slot]; }
    [[nodiscard]] Box box(std::uint32_t slot) const { return detail::toBox(m_tight[slot]); }
    [[nodiscard]] Box fatBox(std::uint32_t slot) const { return detail::toBox(m_fat[slot]); }

    [[nodiscard]] Box bounds() const; // of everything; of nothing: a point
    // Slots whose fat boxes the last update() that found something to do has changed: only they can have come to overlap others.
    [[nodiscard]] std::span<const std::uint32_t> refreshed() const { return m_refreshed; }
    // visit(slot): objects whose fat boxes overlap this one's and whose filters agree with its, itself not among them.
    template <typename Visit> QueryStats fatOverlaps(std::uint32_t slot, Visit&& visit) const;
    [[nodiscard]] bool fatOverlap(std::uint32_t a, std::uint32_t b) const {
        return detail::overlap(m_fat[a], m_fat[b]);
    }

    // Each overlapping pair whose filters agree, once. Valid until the next call of a non-const member.
    [[nodiscard]] std::span<const Pair> updatePairs();
    [[nodiscard]] std::span<const Pair> pairs() const { return m_pairs; } // of the last updatePairs()

    // Queries. `mask` is tested against categories. Visitors are called with a slot (and more, where documented); one
    // that returns a bool ends the query with false. The order depends on the calls made so far alone. NaN finds nothing.
    template <typename Visit> QueryStats overlapBox(const Box& box, std::uint32_t mask, Visit&& visit) const;
    template <typename Visit>
    QueryStats overlapSphere(const Vec3& center, float radius, std::uint32_t mask, Visit&& visit) const;
    // What lies inside or touches; objects near a corner outside may be found as well.
    template <typename Visit> QueryStats inFrustum(const Frustum& frustum, std::uint32_t mask, Visit&& visit) const;
    // visit(slot, t): all boxes along the segment, t where it enters (0: starts inside).
    template <typename Visit> QueryStats rayAll(const Segment& ray, std::uint32_t mask, Visit&& visit) const;
    // The nearest hit by `test(slot, t)`, which gets where the ray enters the object's box and returns where it hits the
    // object itself, or anything above 1 for a miss. Of equal hits the lowest slot.
    struct Hit {
        std::uint32_t slot = detail::None; // none
        float t = 2.0F;
        explicit operator bool() const { return slot != detail::None; }
    };
    template <typename Test>
    QueryStats rayClosest(const Segment& ray, std::uint32_t mask, Hit& hit, Test&& test) const;
    QueryStats rayClosest(const Segment& ray, std::uint32_t mask, Hit& hit) const;
    // visit(slot, t): all boxes a moving box or ball touches on its way, t where it first does.
    template <typename Visit>
    QueryStats castBox(const Box& box, const Vec3& motion, std::uint32_t mask, Visit&& visit) const;
    template <typename Visit>
    QueryStats castSphere(const Segment& way, float radius, std::uint32_t mask, Visit&& visit) const;
    // The k boxes nearest to a point (within `radius`), nearest first, equally near ones by slot.
    QueryStats nearest(const Vec3& point, std::size_t k, std::uint32_t mask, std::vector<Neighbour>& out,
                       float radius = detail::Far) const;
    // visit(box, depth, leaf): every node's children, for drawing; depth 0 is the root itself.
    template <typename Visit> void visitNodes(Visit&& visit) const;

    [[nodiscard]] TreeStats stats() const;
    // Checks every invariant of nodes, objects and pairs; the error names the broken one and its place.
    [[nodiscard]] Result<void> validate() const;

private:
    friend struct Tamper; // tests break invariants for validate() to find
    using Item = detail::Item;
    struct SweepPath; // of a ray

    // ---- objects (aabb_tree.cpp)
    [[nodiscard]] std::uint32_t takeSlot(const detail::Bounds& box, std::uint64_t user, Filter filter);
    [[nodiscard]] Error refuse(ProxyId id, const Box& box) const;
    void leave(std::uint32_t slot, const detail::Bounds& next) {
        const detail::Lanes motion = detail::load(next.min) - detail::load(m_tight[slot].min);
        detail::store(m_motion[slot].v, motion);
        note(slot);
    }
    void note(std::uint32_t slot) {
        if ((m_flags[slot] & Noted) == 0) {
            m_flags[slot] |= Noted;
            m_noted.push_back(slot);
        }
    }
    void markChanged(std::uint32_t slot) {
        if (m_fatPairsKnown && m_changedFlag[slot] == 0) {
            m_changedFlag[slot] = 1;
            m_changed.push_back(slot);
        }
    }
    [[nodiscard]] bool isAlive(std::uint32_t slot) const { return (m_generation[slot] & 1U) != 0; }
    [[nodiscard]] detail::Bounds fatten(std::uint32_t slot, bool onlyIfItPays) const;
    void updateAll();  // many changes: one pass over all leaves
    void updateSome(); // few: one by one
    detail::Bounds refit(std::uint32_t node);
    detail::Bounds refitLeaf(detail::Node& leaf);

    // ---- structure (reinsert.cpp)
    [[nodiscard]] std::uint32_t takeNode(int level);
    void freeNode(std::uint32_t node);
    void freeBelow(std::uint32_t node);
    [[nodiscard]] std::uint32_t chooseLeaf(const detail::Bounds& box);
    void put(std::uint32_t node, int lane, std::uint32_t child, const detail::Bounds& box, std::uint32_t categories);
    void insertLeaf(std::uint32_t slot);
    void removeLeaf(std::uint32_t slot);
    void addEntry(std::uint32_t node, std::uint32_t child, const detail::Bounds& box, std::uint32_t categories);
    void removeEntry(std::uint32_t node, int lane);
    void dropLane(std::uint32_t node, int lane);
    [[nodiscard]] std::uint32_t split(std::uint32_t node, std::uint32_t child, const detail::Bounds& box,
                                      std::uint32_t categories);
    [[nodiscard]] bool merge(std::uint32_t node);
    void growUp(std::uint32_t node, const detail::Bounds& box, std::uint32_t categories);
    void shrinkUp(std::uint32_t node);
    void lowerRoot();

    // ---- building (build.cpp)
    void collect(std::uint32_t node);
    void rebuildAll();
    void rebuildPart();
    [[nodiscard]] static int levelFor(std::size_t objects);
    std::uint32_t build(Item* items, std::size_t count, int level, detail::Bounds& bounds);
    [[nodiscard]] static std::size_t divide(Item* items, Item* scratch, std::size_t count, std::size_t most);

    // ---- pairs (pairs.cpp)
    struct PairSink;
    void findAllPairs();
    void findChangedPairs();
    void findInside(std::uint32_t node, PairSink& sink) const;
    void findBetween(std::uint32_t one, std::uint32_t other, PairSink& sink) const;
    [[nodiscard]] bool agree(std::uint32_t a, std::uint32_t b) const {
        return (m_filter[a].category & m_filter[b].mask) != 0 && (m_filter[b].category & m_filter[a].mask) != 0;
    }

    // ---- proof (validate.cpp)
    [[nodiscard]] Result<void> validateNodes(std::size_t& objects) const;
    [[nodiscard]] Result<void> validateLane(std::uint32_t node, int lane) const;
    [[nodiscard]] Result<void> validateObjects(std::size_t inLeaves) const;
    [[nodiscard]] Result<void> validatePairs() const;

    // ---- queries (queries.h)
    template <typename Prune, typename Accept, typename Visit>
    QueryStats traverse(std::uint32_t mask, Prune&& prune, Accept&& accept, Visit&& visit) const;
    template <typename Visit> QueryStats sweep(const SweepPath& way, std::uint32_t mask, Visit&& visit) const;
    template <typename Visit>
    QueryStats walk(const SweepPath& way, std::uint32_t mask, float& limit, Visit&& visit) const;
    // Whether a query with this mask must check the filters of single objects.
    [[nodiscard]] bool looksAtFilters(std::uint32_t mask) const {
        return m_filtered || (mask & Filter{}.category) == 0;
    }
    void expectUpdated() const {
        SBX_EXPECT(m_noted.empty(), "update() must be called between move() and a query");
    }

    enum Flag : std::uint8_t { Noted = 1, InTree = 2 };

    float m_margin = 0.0F;
    float m_prediction = 0.0F;

    // By slot.
    std::vector<detail::Bounds> m_tight;
    std::vector<detail::Bounds> m_fat;
    std::vector<detail::Vector> m_motion;       // of the move that last left the fat box
    std::vector<std::uint32_t> m_place;         // leaf and lane
    std::vector<std::uint32_t> m_generation;
    std::vector<std::uint8_t> m_flags;
    std::vector<Filter> m_filter;
    std::vector<std::uint64_t> m_user;
    std::vector<std::uint32_t> m_freeSlots;
    std::size_t m_alive = 0;
    bool m_filtered = false; // some filter is not the default one

    std::vector<detail::Node> m_nodes;
    std::uint32_t m_root = detail::None;
    std::uint32_t m_freeNode = detail::None;
    std::uint32_t m_usedNodes = 0;

    std::vector<std::uint32_t> m_noted; // slots that left their fat box, were added, or have a new filter
    std::vector<std::uint32_t> m_refreshed;
    double m_leafArea = 0.0;            // of the last pass over all leaves
    double m_builtArea = 0.0;           // after the last build
    double m_wasted = 0.0;              // what decay has cost since, in passes over a fresh tree
    std::size_t m_changes = 0;          // single insertions and removals since
    std::size_t m_partDue = 0;          // those since a part was built anew
    std::uint32_t m_partPath = 0;       // which part is built anew next
    std::uint64_t m_rebuilds = 0;
    std::uint64_t m_reinsertions = 0;
    std::uint64_t m_searched = 0;
    std::uint64_t m_rebuilt = 0;
    std::vector<Item> m_items;
    std::vector<Item> m_scratch;

    std::vector<Pair> m_pairs;
    std::vector<Pair> m_fatPairs;                // of fat boxes, if m_fatPairsKnown
    std::vector<std::uint32_t> m_changed;        // slots whose fat pairs are out of date
    std::vector<std::uint8_t> m_changedFlag;     // by slot
    bool m_fatPairsKnown = false;
    bool m_anyMoved = true;    // since the last updatePairs()
};

} // namespace sbx::spatial

#include "engine/spatial/detail/queries.h"
