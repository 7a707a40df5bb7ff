#pragma once
// The nodes of the tree: four children whose boxes are stored by coordinate, so that one comparison tests all four.

#include "engine/spatial/box.h"
#include "engine/spatial/detail/lanes.h"

#include <cstdint>
#include <limits>

namespace sbx::spatial::detail {

inline constexpr std::uint32_t None = 0xFFFFFFFFU;
inline constexpr int Width = 4;
inline constexpr int MaxLevels = 20; // 4^20 objects
inline constexpr float Far = std::numeric_limits<float>::infinity();

// One box in two registers; the fourth component of each is free.
struct alignas(32) Bounds {
    float min[4] = {Far, Far, Far, 0.0F};
    float max[4] = {-Far, -Far, -Far, 0.0F};
};

struct alignas(16) Vector {
    float v[4] = {};
};

// An object from which a tree is built.
struct alignas(32) Item {
    float min[3];
    std::uint32_t slot;
    float max[3];
    std::uint32_t categories;
};

inline Bounds toBounds(const Box& box) {
    return {{box.min.x, box.min.y, box.min.z, 0.0F}, {box.max.x, box.max.y, box.max.z, 0.0F}};
}
inline Box toBox(const Bounds& b) {
    return {{b.min[0], b.min[1], b.min[2]}, {b.max[0], b.max[1], b.max[2]}};
}
inline bool contains(const Bounds& outer, const Bounds& inner) {
    return (bits((load(outer.min) <= load(inner.min)) & (load(inner.max) <= load(outer.max))) & 7U) == 7U;
}
// Finite, within Limit, with an extent along each axis. NaN compares false.
inline bool valid(const Bounds& b) {
    const Lanes low = load(b.min);
    const Lanes high = load(b.max);
    return (bits((low < high) & (all(-Limit) <= low) & (high <= all(Limit))) & 7U) == 7U;
}
inline bool overlap(const Bounds& a, const Bounds& b) {
    return (bits((load(a.min) <= load(b.max)) & (load(b.min) <= load(a.max))) & 7U) == 7U;
}
inline void include(Bounds& into, const Bounds& b) {
    store(into.min, min(load(into.min), load(b.min)));
    store(into.max, max(load(into.max), load(b.max)));
}
// Half the surface.
inline float area(const Bounds& b) {
    const float x = b.max[0] - b.min[0];
    const float y = b.max[1] - b.min[1];
    const float z = b.max[2] - b.min[2];
    return x * y + y * z + z * x;
}

// Lanes 0 to count - 1 are in use, the others hold a box that nothing overlaps. All leaves are on level 0 and all paths equally
// long; the children of a leaf are slots of objects, those of other nodes are nodes one level below.
struct alignas(64) Node {
    float minX[Width];
    float minY[Width];
    float minZ[Width];
    float maxX[Width];
    float maxY[Width];
    float maxZ[Width];
    std::uint32_t child[Width];
    std::uint32_t parent;     // free nodes: the next free one
    std::uint32_t categories; // of all objects below, at least
    std::uint8_t count;
    std::uint8_t level;
    std::uint8_t lane; // where the parent keeps this node
    bool used;

    void clear(std::uint8_t onLevel) {
        for (float* low : {minX, minY, minZ}) {
            store(low, all(Far));
        }
        for (float* high : {maxX, maxY, maxZ}) {
            store(high, all(-Far));
        }
        std::fill(child, child + Width, None);
        parent = None;
        categories = 0;
        count = 0;
        level = onLevel;
        lane = 0;
        used = true;
    }
    void set(int i, const Bounds& b) {
        minX[i] = b.min[0];
        minY[i] = b.min[1];
        minZ[i] = b.min[2];
        maxX[i] = b.max[0];
        maxY[i] = b.max[1];
        maxZ[i] = b.max[2];
    }
    [[nodiscard]] Bounds at(int i) const {
        return {{minX[i], minY[i], minZ[i], 0.0F}, {maxX[i], maxY[i], maxZ[i], 0.0F}};
    }
    [[nodiscard]] Bounds bounds() const {
        return {{least(load(minX)), least(load(minY)), least(load(minZ)), 0.0F},
                {most(load(maxX)), most(load(maxY)), most(load(maxZ)), 0.0F}};
    }
    [[nodiscard]] unsigned lanesInUse() const { return (1U << count) - 1U; }
    // One bit for every lane that overlaps the box.
    [[nodiscard]] unsigned overlapping(const Bounds& b) const {
        const Lanes x = (load(minX) <= all(b.max[0])) & (all(b.min[0]) <= load(maxX));
        const Lanes y = (load(minY) <= all(b.max[1])) & (all(b.min[1]) <= load(maxY));
        const Lanes z = (load(minZ) <= all(b.max[2])) & (all(b.min[2]) <= load(maxZ));
        return bits(x & y & z);
    }
};
static_assert(sizeof(Node) == 128, "two cache lines");

} // namespace sbx::spatial::detail
