#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sbx::spatial {

using namespace detail;

namespace detail {

// The squared distance of a moving point to a box is, between the moments it passes the planes of the box's sides, a parabola:
// the first moment it falls to radius² is exact. Above 1: never.
float ballReaches(const Segment& way, float radius, const Box& box) {
    std::array<double, 8> moments = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    std::size_t count = 1;
    for (int i = 0; i < 3; ++i) {
        const double speed = static_cast<double>(way.motion[i]);
        for (const float side : {box.min[i], box.max[i]}) {
            const double t = (static_cast<double>(side) - static_cast<double>(way.from[i])) / speed;
            if (t > 0.0 && t < 1.0) { // false for NaN
                std::size_t at = count++;
                for (; moments[at - 1] > t; --at) {
                    moments[at] = moments[at - 1];
                }
                moments[at] = t;
            }
        }
    }
    moments[count] = 1.0;
    const double reach = static_cast<double>(radius) * static_cast<double>(radius);
    for (std::size_t piece = 0; piece < count; ++piece) {
        const double begin = moments[piece];
        const double end = moments[piece + 1];
        const double middle = 0.5 * (begin + end);
        double a = 0.0;
        double b = 0.0;
        double c = -reach;
        for (int i = 0; i < 3; ++i) {
            const double speed = static_cast<double>(way.motion[i]);
            const double from = static_cast<double>(way.from[i]);
            const double low = static_cast<double>(box.min[i]);
            const double high = static_cast<double>(box.max[i]);
            const double at = from + speed * middle;
            if (at >= low && at <= high) {
                continue;
            }
            const double offset = from + speed * begin - (at < low ? low : high);
            a += speed * speed;
            b += speed * offset;
            c += offset * offset;
        }
        // a t² + 2 b t + c <= 0, t counted from `begin`.
        if (c <= 0.0) {
            return static_cast<float>(begin);
        }
        const double root = b * b - a * c;
        if (a > 0.0 && b < 0.0 && root >= 0.0) {
            const double t = c / (-b + std::sqrt(root));
            if (begin + t <= end) {
                return static_cast<float>(begin + t);
            }
        }
    }
    return 2.0F;
}

} // namespace detail

QueryStats AabbTree::nearest(const Vec3& point, std::size_t k, std::uint32_t mask, std::vector<Neighbour>& out,
                             float radius) const {
    expectUpdated();
    out.clear();
    QueryStats stats;
    if (k == 0 || m_root == None || !isFinite(point) || !(radius >= 0.0F)) {
        return stats;
    }
    const bool filtered = looksAtFilters(mask);
    struct Place {
        float distance;
        std::uint32_t node;
    };
    std::array<Place, StackSize> stack;
    std::size_t height = 0;
    stack[height++] = {0.0F, m_root};
    float limit = radius * radius;
    while (height > 0) {
        const Place place = stack[--height];
        if (place.distance > limit) {
            continue;
        }
        const Node& node = m_nodes[place.node];
        ++stats.nodes;
        if ((node.categories & mask) == 0) {
            continue;
        }
        const auto axis = [](const float* low, const float* high, float at) {
            const Lanes p = all(at);
            const Lanes outside = max(max(load(low) - p, p - load(high)), all(0.0F));
            return outside * outside;
        };
        alignas(16) std::array<float, Width> distance;
        store(distance.data(), axis(node.minX, node.maxX, point.x) + axis(node.minY, node.maxY, point.y)
                                   + axis(node.minZ, node.maxZ, point.z));
        const std::size_t first = height;
        for (int i = 0; i < node.count; ++i) {
            const float d = distance[static_cast<std::size_t>(i)];
            if (d > limit) {
                continue;
            }
            if (node.level > 0) { // the nearest ends up on top
                std::size_t at = height++;
                for (; at > first && stack[at - 1].distance < d; --at) {
                    stack[at] = stack[at - 1];
                }
                stack[at] = {d, node.child[i]};
                continue;
            }
            const std::uint32_t slot = node.child[i];
            if (filtered && (m_filter[slot].category & mask) == 0) {
                continue;
            }
            ++stats.tests;
            const Neighbour found{distanceSquared(toBox(m_tight[slot]), point), slot};
            if (!(found.distanceSquared <= limit) || (out.size() == k && !(found < out.front()))) {
                continue;
            }
            if (out.size() == k) { // the farthest of the best so far is in front
                std::pop_heap(out.begin(), out.end());
                out.back() = found;
            } else {
                out.push_back(found);
            }
            std::push_heap(out.begin(), out.end());
            if (out.size() == k) {
                limit = out.front().distanceSquared;
            }
        }
    }
    std::sort_heap(out.begin(), out.end());
    stats.hits = static_cast<std::uint32_t>(out.size());
    return stats;
}

} // namespace sbx::spatial
