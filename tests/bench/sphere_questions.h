#pragma once
// Boxes and rays asked of the tree and of its peers, at rest after the spheres have moved for a while. All compare the boxes
// themselves, and report how many they found.

#include "tests/bench/spheres.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sbx::bench {

// What a ray meets: all of it, or the nearest.
struct RayCount {
    explicit RayCount(const spatial::Segment& ray) : from(ray.from), inverse(1.0F / ray.motion) {}
    Vec3 from;
    Vec3 inverse;
    float nearest = 2.0F;
    std::size_t hits = 0;

    void look(const spatial::Box& box) {
        float enter = 0.0F;
        float leave = 1.0F;
        for (int i = 0; i < 3; ++i) {
            const float a = (box.min[i] - from[i]) * inverse[i];
            const float b = (box.max[i] - from[i]) * inverse[i];
            enter = std::max(enter, std::min(a, b));
            leave = std::min(leave, std::max(a, b));
        }
        if (enter <= leave) {
            ++hits;
            nearest = std::min(nearest, enter);
        }
    }
};

class TreeQuestions {
public:
    TreeQuestions(const Spheres&, TreeContender& contender) : m_tree(contender.tree()) {}
    std::size_t box(const spatial::Box& asked) {
        return m_tree.overlapBox(asked, spatial::Everything, [](std::uint32_t) {}).hits;
    }
    std::size_t rayAll(const spatial::Segment& ray) {
        return m_tree.rayAll(ray, spatial::Everything, [](std::uint32_t, float) {}).hits;
    }
    std::size_t rayClosest(const spatial::Segment& ray) {
        spatial::AabbTree::Hit hit;
        m_tree.rayClosest(ray, spatial::Everything, hit);
        return hit ? 1U : 0U;
    }

private:
    const spatial::AabbTree& m_tree;
};

class BruteQuestions {
public:
    BruteQuestions(const Spheres& spheres, BruteForce& contender) : m_boxes(contender.boxes()) {
        contender.place(spheres);
    }
    std::size_t box(const spatial::Box& asked) {
        std::size_t hits = 0;
        for (const spatial::Box& each : m_boxes) {
            hits += overlap(each, asked) ? 1U : 0U;
        }
        return hits;
    }
    std::size_t rayAll(const spatial::Segment& ray) { return count(ray).hits; }
    std::size_t rayClosest(const spatial::Segment& ray) { return count(ray).nearest <= 1.0F ? 1U : 0U; }

private:
    RayCount count(const spatial::Segment& ray) const {
        RayCount count(ray);
        for (const spatial::Box& each : m_boxes) {
            count.look(each);
        }
        return count;
    }
    const std::vector<spatial::Box>& m_boxes;
};

class GridQuestions {
public:
    GridQuestions(const Spheres&, UniformGrid& contender) : m_grid(contender) {}
    std::size_t box(const spatial::Box& asked) {
        std::size_t hits = 0;
        m_grid.near(asked, [&](const spatial::Box& each) { hits += overlap(each, asked) ? 1U : 0U; });
        return hits;
    }
    std::size_t rayAll(const spatial::Segment& ray) {
        RayCount count(ray);
        m_grid.along(ray, [&](const spatial::Box& each) {
            count.look(each);
            return 1.0F;
        });
        return count.hits;
    }
    std::size_t rayClosest(const spatial::Segment& ray) {
        RayCount count(ray);
        m_grid.along(ray, [&](const spatial::Box& each) {
            count.look(each);
            return std::min(count.nearest, 1.0F);
        });
        return count.nearest <= 1.0F ? 1U : 0U;
    }

private:
    const UniformGrid& m_grid;
};

// A ray as Bullet's traversals want it.
struct BulletRay {
    explicit BulletRay(const spatial::Segment& ray)
        : from(bullet(ray.from)), to(bullet(ray.from + ray.motion)), length(glm::length(ray.motion)) {
        const btVector3 way = bullet(ray.motion / length);
        inverse = btVector3(1.0F / way.x(), 1.0F / way.y(), 1.0F / way.z());
        for (int i = 0; i < 3; ++i) {
            signs[i] = inverse[i] < 0.0F ? 1U : 0U;
        }
    }
    btVector3 from;
    btVector3 to;
    btVector3 inverse;
    unsigned signs[3];
    float length;
};

class BulletTreeQuestions {
public:
    BulletTreeQuestions(const Spheres& spheres, BulletTree& contender) : m_spheres(spheres), m_tree(contender.tree) {}
    std::size_t box(const spatial::Box& asked) {
        struct Count : btDbvt::ICollide {
            Count(const Spheres& s, const spatial::Box& b) : spheres(s), box(b) {}
            void Process(const btDbvtNode* leaf) override {
                hits += overlap(spheres.box(static_cast<std::size_t>(leaf->dataAsInt)), box) ? 1U : 0U;
            }
            const Spheres& spheres;
            spatial::Box box;
            std::size_t hits = 0;
        } count(m_spheres, asked);
        m_tree.collideTV(m_tree.m_root, BulletTree::volumeOf(asked), count);
        return count.hits;
    }
    std::size_t rayAll(const spatial::Segment& ray) { return count(ray).hits; }
    std::size_t rayClosest(const spatial::Segment& ray) { return count(ray).nearest <= 1.0F ? 1U : 0U; }

private:
    RayCount count(const spatial::Segment& ray) {
        struct Count : btDbvt::ICollide {
            Count(const Spheres& s, const spatial::Segment& r) : spheres(s), count(r) {}
            void Process(const btDbvtNode* leaf) override {
                count.look(spheres.box(static_cast<std::size_t>(leaf->dataAsInt)));
            }
            const Spheres& spheres;
            RayCount count;
        } counting(m_spheres, ray);
        BulletRay its(ray);
        m_tree.rayTestInternal(m_tree.m_root, its.from, its.to, its.inverse, its.signs, its.length, btVector3(0, 0, 0),
                               btVector3(0, 0, 0), m_stack, counting);
        return counting.count;
    }
    const Spheres& m_spheres;
    btDbvt& m_tree;
    btAlignedObjectArray<const btDbvtNode*> m_stack;
};

class BulletBroadphaseQuestions {
public:
    BulletBroadphaseQuestions(const Spheres&, BulletBroadphase& contender) : m_broadphase(contender.broadphase()) {}
    std::size_t box(const spatial::Box& asked) {
        struct Count : btBroadphaseAabbCallback {
            explicit Count(const spatial::Box& b) : box(b) {}
            bool process(const btBroadphaseProxy* proxy) override {
                hits += overlap(boxOf(*proxy), box) ? 1U : 0U;
                return true;
            }
            spatial::Box box;
            std::size_t hits = 0;
        } count(asked);
        m_broadphase.aabbTest(bullet(asked.min), bullet(asked.max), count);
        return count.hits;
    }
    std::size_t rayAll(const spatial::Segment& ray) { return count(ray).hits; }
    std::size_t rayClosest(const spatial::Segment& ray) { return count(ray).nearest <= 1.0F ? 1U : 0U; }

private:
    static spatial::Box boxOf(const btBroadphaseProxy& proxy) {
        return {{proxy.m_aabbMin.x(), proxy.m_aabbMin.y(), proxy.m_aabbMin.z()},
                {proxy.m_aabbMax.x(), proxy.m_aabbMax.y(), proxy.m_aabbMax.z()}};
    }
    RayCount count(const spatial::Segment& ray) {
        struct Count : btBroadphaseRayCallback {
            explicit Count(const spatial::Segment& r) : count(r) {}
            bool process(const btBroadphaseProxy* proxy) override {
                count.look(boxOf(*proxy));
                return true;
            }
            RayCount count;
        } counting(ray);
        const BulletRay its(ray);
        counting.m_rayDirectionInverse = its.inverse;
        std::copy(its.signs, its.signs + 3, counting.m_signs);
        counting.m_lambda_max = its.length;
        m_broadphase.rayTest(its.from, its.to, counting);
        return counting.count;
    }
    btDbvtBroadphase& m_broadphase;
};

} // namespace sbx::bench
