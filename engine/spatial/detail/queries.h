#pragma once
// Part of aabb_tree.h: the queries. Each descends the tree with a small stack of its own, so that several may run at once.

#include <array>
#include <bit>
#include <type_traits>

namespace sbx::spatial {

namespace detail {

inline constexpr std::size_t StackSize = MaxLevels * (Width - 1) + 1;

// True: go on.
template <typename Visit, typename... Args> bool callVisitor(Visit& visit, Args... args) {
    if constexpr (std::is_same_v<std::invoke_result_t<Visit&, Args...>, bool>) {
        return visit(args...);
    } else {
        visit(args...);
        return true;
    }
}

// When a moving ball first touches the box; above 1: never.
[[nodiscard]] float ballReaches(const Segment& way, float radius, const Box& box);

// Where, for each lane, the way enters and leaves the box.
struct Spans {
    Lanes enter;
    Lanes leave;
};

} // namespace detail

// A moving point or box: boxes are widened by half of what moves, then it is a point that moves. Nodes and objects are computed
// alike, so that what meets an object meets all nodes above it, whatever the rounding.
struct AabbTree::SweepPath {
    detail::Vector fromLow;  // what is subtracted from a box's lower sides: where the way begins, and the widening
    detail::Vector fromHigh; // from its upper sides
    detail::Vector inverse;
    bool back[3] = {};
    bool usable = false;

    SweepPath(const Vec3& start, const Vec3& motion, const Vec3& half) {
        usable = isFinite(start) && isFinite(motion) && isFinite(half);
        for (int i = 0; i < 3; ++i) {
            fromLow.v[i] = start[i] + half[i];
            fromHigh.v[i] = start[i] - half[i];
            back[i] = std::signbit(motion[i]);
            // A motion of nothing never leaves and never enters: times far beyond any, but not infinite, which
            // would make NaN of a box that begins right here.
            inverse.v[i] = std::abs(motion[i]) < 1.0e-37F ? (back[i] ? -1.0e37F : 1.0e37F) : 1.0F / motion[i];
        }
    }
    [[nodiscard]] detail::Spans through(const detail::Node& node) const {
        using namespace detail;
        const auto axis = [this](const float* low, const float* high, int i, Spans& spans) {
            const Lanes factor = all(inverse.v[i]);
            const Lanes near = (load(back[i] ? high : low) - all(back[i] ? fromHigh.v[i] : fromLow.v[i])) * factor;
            const Lanes far = (load(back[i] ? low : high) - all(back[i] ? fromLow.v[i] : fromHigh.v[i])) * factor;
            spans.enter = max(spans.enter, near);
            spans.leave = min(spans.leave, far);
        };
        Spans spans{all(0.0F), all(1.0F)};
        axis(node.minX, node.maxX, 0, spans);
        axis(node.minY, node.maxY, 1, spans);
        axis(node.minZ, node.maxZ, 2, spans);
        return spans;
    }
    // Above 1: misses.
    [[nodiscard]] float enters(const detail::Bounds& box) const {
        using namespace detail;
        const Lanes factor = load(inverse.v);
        const Lanes one = (load(box.min) - load(fromLow.v)) * factor;
        const Lanes other = (load(box.max) - load(fromHigh.v)) * factor;
        // The fourth components are the ends of the way: 0 and 1.
        const float enter = most(min(one, other));
        const float leave = least(max(one, other) + lanes(0.0F, 0.0F, 0.0F, 1.0F));
        return enter <= leave ? enter : 2.0F;
    }
};

// prune(node): the lanes to descend into, one bit each. accept(slot): whether the object itself qualifies.
template <typename Prune, typename Accept, typename Visit>
QueryStats AabbTree::traverse(std::uint32_t mask, Prune&& prune, Accept&& accept, Visit&& visit) const {
    QueryStats stats;
    if (m_root == detail::None) {
        return stats;
    }
    const bool filtered = looksAtFilters(mask);
    std::array<std::uint32_t, detail::StackSize> stack;
    std::size_t height = 0;
    stack[height++] = m_root;
    while (height > 0) {
        const detail::Node& node = m_nodes[stack[--height]];
        ++stats.nodes;
        if ((node.categories & mask) == 0) {
            continue;
        }
        unsigned found = prune(node) & node.lanesInUse();
        if (node.level > 0) {
            for (; found != 0; found &= found - 1) {
                stack[height++] = node.child[std::countr_zero(found)];
            }
            continue;
        }
        for (; found != 0; found &= found - 1) {
            const std::uint32_t slot = node.child[std::countr_zero(found)];
            if (filtered && (m_filter[slot].category & mask) == 0) {
                continue;
            }
            ++stats.tests;
            if (accept(slot)) {
                ++stats.hits;
                if (!detail::callVisitor(visit, slot)) {
                    return stats;
                }
            }
        }
    }
    return stats;
}

template <typename Visit> QueryStats AabbTree::fatOverlaps(std::uint32_t slot, Visit&& visit) const {
    expectUpdated();
    const detail::Bounds& fat = m_fat[slot];
    return traverse(
        m_filter[slot].mask, [&fat](const detail::Node& node) { return node.overlapping(fat); },
        [this, slot](std::uint32_t other) { return other != slot && agree(slot, other); }, visit);
}

template <typename Visit>
QueryStats AabbTree::overlapBox(const Box& box, std::uint32_t mask, Visit&& visit) const {
    expectUpdated();
    const detail::Bounds asked = detail::toBounds(box);
    if (!((detail::bits(detail::load(asked.min) <= detail::load(asked.max)) & 7U) == 7U)) {
        return {};
    }
    return traverse(
        mask, [&asked](const detail::Node& node) { return node.overlapping(asked); },
        [this, &asked](std::uint32_t slot) { return detail::overlap(m_tight[slot], asked); }, visit);
}

template <typename Visit>
QueryStats AabbTree::overlapSphere(const Vec3& center, float radius, std::uint32_t mask, Visit&& visit) const {
    using namespace detail;
    expectUpdated();
    if (!isFinite(center) || !(radius >= 0.0F)) {
        return {};
    }
    const float reach = radius * radius;
    const auto distances = [&center](const Node& node) {
        const auto axis = [](const float* low, const float* high, float at) {
            const Lanes p = all(at);
            const Lanes outside = max(max(load(low) - p, p - load(high)), all(0.0F));
            return outside * outside;
        };
        return axis(node.minX, node.maxX, center.x) + axis(node.minY, node.maxY, center.y)
               + axis(node.minZ, node.maxZ, center.z);
    };
    return traverse(
        mask, [&](const Node& node) { return bits(distances(node) <= all(reach)); },
        [&](std::uint32_t slot) { return distanceSquared(toBox(m_tight[slot]), center) <= reach; }, visit);
}

template <typename Visit>
QueryStats AabbTree::inFrustum(const Frustum& frustum, std::uint32_t mask, Visit&& visit) const {
    using namespace detail;
    expectUpdated();
    for (const Vec4& plane : frustum.planes) {
        if (!isFinite(Vec3(plane)) || std::isnan(plane.w)) {
            return {};
        }
    }
    const auto accept = [this, &frustum](std::uint32_t slot) {
        const Bounds& box = m_tight[slot];
        for (const Vec4& plane : frustum.planes) {
            const float x = (plane.x >= 0.0F ? box.max[0] : box.min[0]) * plane.x;
            const float y = (plane.y >= 0.0F ? box.max[1] : box.min[1]) * plane.y;
            const float z = (plane.z >= 0.0F ? box.max[2] : box.min[2]) * plane.z;
            if (!(x + y + z >= -plane.w)) {
                return false;
            }
        }
        return true;
    };
    QueryStats stats;
    if (m_root == None) {
        return stats;
    }
    const bool filtered = looksAtFilters(mask);
    struct Place {
        std::uint32_t node;
        bool whole; // inside with all that is below: nothing to compare any more
    };
    std::array<Place, StackSize> stack;
    std::size_t height = 0;
    stack[height++] = {m_root, false};
    while (height > 0) {
        const Place place = stack[--height];
        const Node& node = m_nodes[place.node];
        ++stats.nodes;
        if ((node.categories & mask) == 0) {
            continue;
        }
        unsigned in = node.lanesInUse();
        unsigned whole = in;
        if (!place.whole) {
            for (const Vec4& plane : frustum.planes) {
                const Lanes nx = all(plane.x);
                const Lanes ny = all(plane.y);
                const Lanes nz = all(plane.z);
                const Lanes limit = all(-plane.w);
                const bool x = plane.x >= 0.0F;
                const bool y = plane.y >= 0.0F;
                const bool z = plane.z >= 0.0F;
                // The corners that lie farthest along the plane's normal, and least far.
                const Lanes most = load(x ? node.maxX : node.minX) * nx + load(y ? node.maxY : node.minY) * ny
                                   + load(z ? node.maxZ : node.minZ) * nz;
                const Lanes least = load(x ? node.minX : node.maxX) * nx + load(y ? node.minY : node.maxY) * ny
                                    + load(z ? node.minZ : node.maxZ) * nz;
                in &= bits(limit <= most);
                whole &= bits(limit <= least);
            }
        }
        for (; in != 0; in &= in - 1) {
            const int lane = std::countr_zero(in);
            const bool inside = ((whole >> lane) & 1U) != 0;
            if (node.level > 0) {
                stack[height++] = {node.child[lane], inside};
                continue;
            }
            const std::uint32_t slot = node.child[lane];
            if (filtered && (m_filter[slot].category & mask) == 0) {
                continue;
            }
            stats.tests += inside ? 0U : 1U;
            if (inside || accept(slot)) {
                ++stats.hits;
                if (!callVisitor(visit, slot)) {
                    return stats;
                }
            }
        }
    }
    return stats;
}

// All objects along the path, in no order. visit(slot, t, stats): true to continue.
template <typename Visit>
QueryStats AabbTree::sweep(const SweepPath& way, std::uint32_t mask, Visit&& visit) const {
    using namespace detail;
    expectUpdated();
    QueryStats stats;
    if (m_root == None || !way.usable) {
        return stats;
    }
    const bool filtered = looksAtFilters(mask);
    std::array<std::uint32_t, StackSize> stack;
    std::size_t height = 0;
    stack[height++] = m_root;
    while (height > 0) {
        const Node& node = m_nodes[stack[--height]];
        ++stats.nodes;
        if ((node.categories & mask) == 0) {
            continue;
        }
        const Spans spans = way.through(node);
        unsigned found = bits(spans.enter <= spans.leave) & node.lanesInUse();
        if (node.level > 0) {
            for (; found != 0; found &= found - 1) {
                stack[height++] = node.child[std::countr_zero(found)];
            }
            continue;
        }
        for (; found != 0; found &= found - 1) {
            const std::uint32_t slot = node.child[std::countr_zero(found)];
            if (filtered && (m_filter[slot].category & mask) == 0) {
                continue;
            }
            ++stats.tests;
            const float t = way.enters(m_tight[slot]);
            if (t <= 1.0F && !visit(slot, t, stats)) {
                return stats;
            }
        }
    }
    return stats;
}

// Nearer subtrees first. visit(slot, t) returns the new limit: what is entered later than that is of no interest.
template <typename Visit>
QueryStats AabbTree::walk(const SweepPath& way, std::uint32_t mask, float& limit, Visit&& visit) const {
    using namespace detail;
    expectUpdated();
    QueryStats stats;
    if (m_root == None || !way.usable) {
        return stats;
    }
    const bool filtered = looksAtFilters(mask);
    struct Place {
        float enter;
        std::uint32_t node;
    };
    std::array<Place, StackSize> stack;
    std::size_t height = 0;
    stack[height++] = {0.0F, m_root};
    while (height > 0) {
        const Place place = stack[--height];
        if (place.enter > limit) {
            continue;
        }
        const Node& node = m_nodes[place.node];
        ++stats.nodes;
        if ((node.categories & mask) == 0) {
            continue;
        }
        const Spans spans = way.through(node);
        unsigned found = bits((spans.enter <= spans.leave) & (spans.enter <= all(limit))) & node.lanesInUse();
        if (node.level > 0) {
            alignas(16) std::array<float, Width> enter;
            store(enter.data(), spans.enter);
            const std::size_t first = height;
            for (; found != 0; found &= found - 1) {
                const auto lane = static_cast<std::size_t>(std::countr_zero(found));
                std::size_t at = height++;
                for (; at > first && stack[at - 1].enter < enter[lane]; --at) {
                    stack[at] = stack[at - 1];
                }
                stack[at] = {enter[lane], node.child[lane]};
            }
            continue;
        }
        for (; found != 0; found &= found - 1) {
            const std::uint32_t slot = node.child[std::countr_zero(found)];
            if (filtered && (m_filter[slot].category & mask) == 0) {
                continue;
            }
            ++stats.tests;
            const float t = way.enters(m_tight[slot]);
            if (t <= limit) {
                limit = visit(slot, t, stats);
            }
        }
    }
    return stats;
}

template <typename Visit>
QueryStats AabbTree::rayAll(const Segment& ray, std::uint32_t mask, Visit&& visit) const {
    return castBox({ray.from, ray.from}, ray.motion, mask, visit);
}

template <typename Visit>
QueryStats AabbTree::castBox(const Box& box, const Vec3& motion, std::uint32_t mask, Visit&& visit) const {
    const Vec3 half = 0.5F * (box.max - box.min);
    if (!(half.x >= 0.0F && half.y >= 0.0F && half.z >= 0.0F)) {
        return {};
    }
    return sweep(SweepPath(centerOf(box), motion, half), mask,
                 [&visit](std::uint32_t slot, float t, QueryStats& stats) {
                     ++stats.hits;
                     return detail::callVisitor(visit, slot, t);
                 });
}

template <typename Visit>
QueryStats AabbTree::castSphere(const Segment& way, float radius, std::uint32_t mask, Visit&& visit) const {
    if (!(radius >= 0.0F)) {
        return {};
    }
    return sweep(SweepPath(way.from, way.motion, Vec3(radius)), mask,
                 [&](std::uint32_t slot, float, QueryStats& stats) {
                     const float t = detail::ballReaches(way, radius, detail::toBox(m_tight[slot]));
                     if (t > 1.0F) {
                         return true;
                     }
                     ++stats.hits;
                     return detail::callVisitor(visit, slot, t);
                 });
}

template <typename Test>
QueryStats AabbTree::rayClosest(const Segment& ray, std::uint32_t mask, Hit& hit, Test&& test) const {
    hit = Hit{};
    float limit = 1.0F;
    return walk(SweepPath(ray.from, ray.motion, Vec3(0.0F)), mask, limit,
                [&](std::uint32_t slot, float enter, QueryStats& stats) {
                    const float t = test(slot, enter);
                    if (t >= 0.0F && t <= 1.0F && (t < hit.t || (t == hit.t && slot < hit.slot))) {
                        ++stats.hits;
                        hit.slot = slot;
                        hit.t = t;
                    }
                    return std::min(1.0F, hit.t);
                });
}

inline QueryStats AabbTree::rayClosest(const Segment& ray, std::uint32_t mask, Hit& hit) const {
    return rayClosest(ray, mask, hit, [](std::uint32_t, float t) { return t; });
}

template <typename Visit> void AabbTree::visitNodes(Visit&& visit) const {
    if (m_root == detail::None) {
        return;
    }
    struct Place {
        std::uint32_t node;
        int depth;
    };
    std::array<Place, detail::StackSize> stack;
    std::size_t height = 0;
    stack[height++] = {m_root, 0};
    visit(detail::toBox(m_nodes[m_root].bounds()), 0, m_nodes[m_root].level == 0);
    while (height > 0) {
        const Place place = stack[--height];
        const detail::Node& node = m_nodes[place.node];
        for (int i = 0; node.level > 0 && i < node.count; ++i) {
            visit(detail::toBox(node.at(i)), place.depth + 1, node.level == 1);
            stack[height++] = {node.child[i], place.depth + 1};
        }
    }
}

} // namespace sbx::spatial
