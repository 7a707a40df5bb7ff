#pragma once
// What the tree must agree with: a list of boxes, every question answered by looking at each.

#include "engine/spatial/aabb_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace sbx::test {

class Reference {
public:
    struct Object {
        spatial::Box box;
        spatial::Filter filter;
    };
    std::map<std::uint32_t, Object> objects; // by slot

    [[nodiscard]] std::vector<spatial::Pair> pairs() const {
        std::vector<spatial::Pair> found;
        for (auto a = objects.begin(); a != objects.end(); ++a) {
            for (auto b = std::next(a); b != objects.end(); ++b) {
                const spatial::Filter& one = a->second.filter;
                const spatial::Filter& other = b->second.filter;
                if ((one.category & other.mask) != 0 && (other.category & one.mask) != 0
                    && touch(a->second.box, b->second.box)) {
                    found.push_back({a->first, b->first});
                }
            }
        }
        return found;
    }
    template <typename Test> [[nodiscard]] std::vector<std::uint32_t> where(std::uint32_t mask, Test test) const {
        std::vector<std::uint32_t> found;
        for (const auto& [slot, object] : objects) {
            if ((object.filter.category & mask) != 0 && test(object.box)) {
                found.push_back(slot);
            }
        }
        return found;
    }
    static bool touch(const spatial::Box& a, const spatial::Box& b) {
        for (int i = 0; i < 3; ++i) {
            if (a.max[i] < b.min[i] || b.max[i] < a.min[i]) {
                return false;
            }
        }
        return true;
    }
    // In doubles, axis by axis; above 1: misses.
    static double enters(const spatial::Box& box, const spatial::Segment& ray, const Vec3& half) {
        double from = 0.0;
        double to = 1.0;
        for (int i = 0; i < 3; ++i) {
            const double low = double(box.min[i]) - double(half[i]) - double(ray.from[i]);
            const double high = double(box.max[i]) + double(half[i]) - double(ray.from[i]);
            const double motion = double(ray.motion[i]);
            if (motion == 0.0) {
                if (low > 0.0 || high < 0.0) {
                    return 2.0;
                }
                continue;
            }
            from = std::max(from, std::min(low / motion, high / motion));
            to = std::min(to, std::max(low / motion, high / motion));
        }
        return from <= to ? from : 2.0;
    }
    // The first moment a moving ball touches, by halving: the distance of a moving point to a box falls, then rises.
    static double reaches(const spatial::Box& box, const spatial::Segment& way, double radius) {
        const auto distance = [&](double t) {
            double sum = 0.0;
            for (int i = 0; i < 3; ++i) {
                const double at = double(way.from[i]) + t * double(way.motion[i]);
                const double outside = std::max({double(box.min[i]) - at, at - double(box.max[i]), 0.0});
                sum += outside * outside;
            }
            return std::sqrt(sum);
        };
        if (distance(0.0) <= radius) {
            return 0.0;
        }
        double low = 0.0;
        double high = 1.0;
        for (int i = 0; i < 200; ++i) {
            const double a = low + (high - low) / 3.0;
            const double b = high - (high - low) / 3.0;
            (distance(a) <= distance(b) ? high : low) = distance(a) <= distance(b) ? b : a;
        }
        if (distance(high) > radius + 1e-12) {
            return 2.0;
        }
        double outside = 0.0;
        double inside = high;
        for (int i = 0; i < 100; ++i) {
            const double middle = 0.5 * (outside + inside);
            (distance(middle) <= radius ? inside : outside) = middle;
        }
        return inside;
    }
};

template <typename T> std::vector<T> sorted(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values;
}

} // namespace sbx::test
