#pragma once
// The scene of the broad-phase rows: unit boxes round moving spheres at constant density, four overlaps each on average, that
// bounce off the walls of a cube. And the rows' peers: a uniform grid, and Bullet's trees.

#include "engine/spatial/aabb_tree.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <cmath>
#include <memory>
#include <vector>

namespace sbx::bench {

using Pairs = std::vector<spatial::Pair>;

struct Spheres {
    Spheres(std::size_t count, float step) {
        // Centres within one side of each other overlap: a cube of eight volumes holds four others.
        side = std::cbrt(static_cast<float>(count) * 2.0F);
        std::uint64_t state = 0x9E3779B97F4A7C15ULL;
        const auto next = [&state] {
            state ^= state << 13U;
            state ^= state >> 7U;
            state ^= state << 17U;
            return static_cast<float>(state >> 40U) * (1.0F / 16777216.0F);
        };
        center.resize(count);
        motion.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            center[i] = side * Vec3(next(), next(), next());
            Vec3 way(0.0F);
            while (glm::dot(way, way) < 0.01F || glm::dot(way, way) > 1.0F) {
                way = 2.0F * Vec3(next(), next(), next()) - 1.0F;
            }
            motion[i] = glm::normalize(way) * step;
        }
    }
    void advance() {
        for (std::size_t i = 0; i < center.size(); ++i) {
            center[i] += motion[i];
            for (int axis = 0; axis < 3; ++axis) {
                if (center[i][axis] < 0.0F || center[i][axis] > side) {
                    motion[i][axis] = -motion[i][axis];
                    center[i][axis] += 2.0F * motion[i][axis];
                }
            }
        }
    }
    [[nodiscard]] spatial::Box box(std::size_t i) const { return spatial::around(center[i], Vec3(0.5F)); }
    [[nodiscard]] std::size_t count() const { return center.size(); }

    std::vector<Vec3> center;
    std::vector<Vec3> motion;
    float side = 0.0F;
};

class TreeContender {
public:
    explicit TreeContender(const Spheres& spheres) {
        std::vector<spatial::AabbTree::Entry> entries;
        for (std::size_t i = 0; i < spheres.count(); ++i) {
            entries.push_back({spheres.box(i), i, {}});
        }
        m_ids = *m_tree.insertAll(entries);
    }
    std::size_t frame(const Spheres& spheres) {
        for (std::size_t i = 0; i < m_ids.size(); ++i) {
            if (!m_tree.move(m_ids[i], spheres.box(i))) {
                return 0;
            }
        }
        m_tree.update();
        return m_tree.updatePairs().size();
    }
    [[nodiscard]] const spatial::AabbTree& tree() const { return m_tree; }

private:
    spatial::AabbTree m_tree;
    std::vector<spatial::ProxyId> m_ids;
};

class BruteForce {
public:
    explicit BruteForce(const Spheres& spheres) : m_boxes(spheres.count()) {}
    void place(const Spheres& spheres) {
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            m_boxes[i] = spheres.box(i);
        }
    }
    std::size_t frame(const Spheres& spheres) {
        place(spheres);
        m_pairs.clear();
        for (std::uint32_t i = 0; i < m_boxes.size(); ++i) {
            for (std::uint32_t k = i + 1; k < m_boxes.size(); ++k) {
                if (overlap(m_boxes[i], m_boxes[k])) {
                    m_pairs.push_back({i, k});
                }
            }
        }
        return m_pairs.size();
    }
    [[nodiscard]] const std::vector<spatial::Box>& boxes() const { return m_boxes; }

private:
    std::vector<spatial::Box> m_boxes;
    Pairs m_pairs;
};

// For boxes of one size, in a world whose size is known: what no tree is expected to reach. Counting sort into cells of a side.
class UniformGrid {
public:
    explicit UniformGrid(const Spheres& spheres)
        : m_cells(static_cast<int>(spheres.side) + 1),
          m_starts(static_cast<std::size_t>(m_cells) * static_cast<std::size_t>(m_cells)
                   * static_cast<std::size_t>(m_cells) + 1),
          m_cellOf(spheres.count()),
          m_sorted(spheres.count()) {}
    std::size_t frame(const Spheres& spheres) {
        std::fill(m_starts.begin(), m_starts.end(), 0U);
        const std::size_t count = spheres.count();
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3& c = spheres.center[i];
            const auto cell = static_cast<std::uint32_t>(
                (clamp(c.x) * m_cells + clamp(c.y)) * m_cells + clamp(c.z));
            m_cellOf[i] = cell;
            ++m_starts[cell + 1];
        }
        for (std::size_t i = 1; i < m_starts.size(); ++i) {
            m_starts[i] += m_starts[i - 1];
        }
        m_next.assign(m_starts.begin(), m_starts.end() - 1);
        for (std::uint32_t i = 0; i < count; ++i) {
            m_sorted[m_next[m_cellOf[i]]++] = {spheres.box(i), i};
        }
        m_pairs.clear();
        for (int x = 0; x < m_cells; ++x) {
            for (int y = 0; y < m_cells; ++y) {
                for (int z = 0; z < m_cells; ++z) {
                    const auto cell = static_cast<std::size_t>((x * m_cells + y) * m_cells + z);
                    // The cells ahead of this one: along z they are neighbours in memory.
                    run(cell, x, y, z, z + 1, true);
                    run(cell, x, y + 1, z - 1, z + 1, false);
                    for (int dy = -1; dy <= 1; ++dy) {
                        run(cell, x + 1, y + dy, z - 1, z + 1, false);
                    }
                }
            }
        }
        return m_pairs.size();
    }
    // visit(box): boxes of the cells in which the centre of what overlaps may lie.
    template <typename Visit> void near(const spatial::Box& asked, Visit visit) const {
        const Vec3 low = asked.min - Reach;
        const Vec3 high = asked.max + Reach;
        for (int x = clamp(low.x); x <= clamp(high.x); ++x) {
            for (int y = clamp(low.y); y <= clamp(high.y); ++y) {
                column(x, y, clamp(low.z), clamp(high.z), visit);
            }
        }
    }
    // visit(box) returns how far the ray is still of interest: boxes of the cells along it, slice by slice.
    template <typename Visit> void along(const spatial::Segment& ray, Visit visit) const {
        float limit = 1.0F;
        const bool back = ray.motion.x < 0.0F;
        for (int i = 0; i < m_cells; ++i) {
            const int x = back ? m_cells - 1 - i : i;
            Span inX{0.0F, limit};
            inX.cut(ray, 0, x);
            if (inX.from > limit) {
                return;
            }
            if (inX.from > inX.to) {
                continue;
            }
            const auto [lowY, highY] = inX.range(ray, 1);
            for (int y = clamp(lowY); y <= clamp(highY); ++y) {
                Span inY = inX;
                inY.cut(ray, 1, y);
                if (inY.from <= inY.to) {
                    const auto [lowZ, highZ] = inY.range(ray, 2);
                    column(x, y, clamp(lowZ), clamp(highZ), [&](const spatial::Box& box) { limit = visit(box); });
                }
            }
        }
    }

private:
    static constexpr float Reach = 0.5F; // of a box about its centre
    // The part of a ray in which it may meet a box whose centre lies in a cell.
    struct Span {
        float from;
        float to;
        void cut(const spatial::Segment& ray, int axis, int cell) {
            // The outermost cells hold what lies a rounding outside as well.
            const float low = static_cast<float>(cell) - Reach - 0.01F - ray.from[axis];
            const float high = static_cast<float>(cell + 1) + Reach + 0.01F - ray.from[axis];
            const float inverse = 1.0F / ray.motion[axis];
            from = std::max(from, std::min(low * inverse, high * inverse));
            to = std::min(to, std::max(low * inverse, high * inverse));
        }
        [[nodiscard]] std::pair<float, float> range(const spatial::Segment& ray, int axis) const {
            const float a = ray.from[axis] + from * ray.motion[axis];
            const float b = ray.from[axis] + to * ray.motion[axis];
            return {std::min(a, b) - Reach, std::max(a, b) + Reach};
        }
    };
    template <typename Visit> void column(int x, int y, int from, int to, Visit visit) const {
        const auto row = static_cast<std::size_t>((x * m_cells + y) * m_cells);
        const std::uint32_t last = m_starts[row + static_cast<std::size_t>(to) + 1];
        for (std::uint32_t i = m_starts[row + static_cast<std::size_t>(from)]; i < last; ++i) {
            visit(m_sorted[i].box);
        }
    }
    struct Sorted {
        spatial::Box box;
        std::uint32_t id = 0;
    };
    [[nodiscard]] int clamp(float at) const { return std::min(std::max(static_cast<int>(at), 0), m_cells - 1); }
    void run(std::size_t cell, int x, int y, int from, int to, bool own) {
        if (x >= m_cells || y < 0 || y >= m_cells) {
            return;
        }
        const auto row = static_cast<std::size_t>((x * m_cells + y) * m_cells);
        const std::uint32_t first = m_starts[row + static_cast<std::size_t>(std::max(from, 0))];
        const std::uint32_t last = m_starts[row + static_cast<std::size_t>(std::min(to, m_cells - 1)) + 1];
        for (std::uint32_t i = m_starts[cell]; i < m_starts[cell + 1]; ++i) {
            for (std::uint32_t k = own ? i + 1 : first; k < last; ++k) {
                if (overlap(m_sorted[i].box, m_sorted[k].box)) {
                    m_pairs.push_back({m_sorted[i].id, m_sorted[k].id});
                }
            }
        }
    }

    int m_cells;
    std::vector<std::uint32_t> m_starts;
    std::vector<std::uint32_t> m_next;
    std::vector<std::uint32_t> m_cellOf;
    std::vector<Sorted> m_sorted;
    Pairs m_pairs;
};

inline btVector3 bullet(const Vec3& v) { return {v.x, v.y, v.z}; }

// Bullet's tree used directly: boxes with a margin of 0.1, one traversal of the tree against itself, the boxes themselves
// compared where fat ones overlap.
class BulletTree {
public:
    explicit BulletTree(const Spheres& spheres) : m_boxes(spheres.count()) {
        for (std::size_t i = 0; i < spheres.count(); ++i) {
            m_boxes[i] = spheres.box(i);
            btDbvtVolume volume = volumeOf(m_boxes[i]);
            volume.Expand(btVector3(Margin, Margin, Margin));
            m_leaves.push_back(tree.insert(volume, nullptr));
            m_leaves.back()->dataAsInt = static_cast<int>(i);
        }
        tree.optimizeTopDown();
    }
    std::size_t frame(const Spheres& spheres) {
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            m_boxes[i] = spheres.box(i);
            btDbvtVolume volume = volumeOf(m_boxes[i]);
            tree.update(m_leaves[i], volume, Margin);
        }
        Collect collect(m_boxes, m_pairs);
        m_pairs.clear();
        tree.collideTTpersistentStack(tree.m_root, tree.m_root, collect);
        return m_pairs.size();
    }
    static btDbvtVolume volumeOf(const spatial::Box& box) {
        return btDbvtVolume::FromMM(bullet(box.min), bullet(box.max));
    }

    btDbvt tree;

private:
    static constexpr float Margin = 0.1F;
    struct Collect : btDbvt::ICollide {
        Collect(const std::vector<spatial::Box>& b, Pairs& p) : boxes(b), pairs(p) {}
        void Process(const btDbvtNode* one, const btDbvtNode* other) override {
            const auto a = static_cast<std::uint32_t>(one->dataAsInt);
            const auto b = static_cast<std::uint32_t>(other->dataAsInt);
            if (overlap(boxes[a], boxes[b])) {
                pairs.push_back({a, b});
            }
        }
        const std::vector<spatial::Box>& boxes;
        Pairs& pairs;
    };
    std::vector<spatial::Box> m_boxes;
    std::vector<btDbvtNode*> m_leaves;
    Pairs m_pairs;
};

// Bullet's broad phase as a world uses it, with its cache of pairs.
class BulletBroadphase {
public:
    explicit BulletBroadphase(const Spheres& spheres) {
        for (std::size_t i = 0; i < spheres.count(); ++i) {
            const spatial::Box box = spheres.box(i);
            m_proxies.push_back(
                m_broadphase.createProxy(bullet(box.min), bullet(box.max), 0, nullptr, 1, 1, nullptr));
        }
        m_broadphase.optimize();
    }
    std::size_t frame(const Spheres& spheres) {
        for (std::size_t i = 0; i < m_proxies.size(); ++i) {
            const spatial::Box box = spheres.box(i);
            m_broadphase.setAabb(m_proxies[i], bullet(box.min), bullet(box.max), nullptr);
        }
        m_broadphase.calculateOverlappingPairs(nullptr);
        const btBroadphasePairArray& cached = m_broadphase.getOverlappingPairCache()->getOverlappingPairArray();
        m_pairs.clear();
        for (int i = 0; i < cached.size(); ++i) {
            const btBroadphaseProxy& a = *cached[i].m_pProxy0;
            const btBroadphaseProxy& b = *cached[i].m_pProxy1;
            if (TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax)) {
                m_pairs.push_back({static_cast<std::uint32_t>(a.m_uniqueId), static_cast<std::uint32_t>(b.m_uniqueId)});
            }
        }
        return m_pairs.size();
    }

    [[nodiscard]] btDbvtBroadphase& broadphase() { return m_broadphase; }

private:
    btDbvtBroadphase m_broadphase;
    std::vector<btBroadphaseProxy*> m_proxies;
    Pairs m_pairs;
};

} // namespace sbx::bench
