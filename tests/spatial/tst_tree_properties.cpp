// Random sequences of changes and questions: the tree and a plain list agree after every step, and every invariant holds.

#include "tests/spatial/reference.h"

#include <QtTest>

#include <rapidcheck.h>

using namespace sbx;
using namespace sbx::spatial;
using namespace sbx::test;

namespace {

// Corners on a grid of halves, so that boxes touch exactly, contain each other and coincide.
Vec3 onGrid(int reach) {
    const auto at = [reach] { return 0.5F * static_cast<float>(*rc::gen::inRange(-reach, reach + 1)); };
    const float x = at();
    const float y = at();
    return {x, y, at()};
}

Box anyBox(int reach) {
    switch (*rc::gen::inRange(0, 24)) {
    case 0: // spans the world
        return around(Vec3(0.0F), Vec3(1.0e6F));
    case 1: // a beam
        return around(onGrid(reach), Vec3(40.0F, 0.25F, 0.25F));
    case 2: // far out
        return around(Vec3(1.0e5F) + onGrid(reach), Vec3(0.5F));
    case 3: // tiny
        return around(onGrid(reach), Vec3(1.0e-3F));
    default:
        return around(onGrid(reach), Vec3(0.5F) * static_cast<float>(*rc::gen::inRange(1, 4)));
    }
}

Filter anyFilter() {
    return *rc::gen::inRange(0, 3) != 0
               ? Filter{}
               : Filter{1U << static_cast<unsigned>(*rc::gen::inRange(0, 3)),
                        static_cast<std::uint32_t>(*rc::gen::inRange(1, 8))};
}

void checkHolds(const Result<void>& result) {
    if (!result) {
        RC_FAIL(result.error().message);
    }
}

class Both {
public:
    explicit Both(int reach) : m_reach(reach) {}

    void insert() {
        const Box box = anyBox(m_reach);
        const Filter filter = anyFilter();
        const Result<ProxyId> id = tree.insert(box, 7, filter);
        RC_ASSERT(id.ok());
        m_ids.push_back(*id);
        list.objects[id->index()] = {box, filter};
    }
    // From one drawn number: hundreds are drawn dearly one by one.
    void insertMany(int count, std::uint32_t seed) {
        const auto next = [&seed](std::uint32_t below) {
            seed = seed * 1664525U + 1013904223U;
            return static_cast<float>((seed >> 8U) % below);
        };
        for (int i = 0; i < count; ++i) {
            const auto reach = static_cast<std::uint32_t>(2 * m_reach);
            const float x = next(reach);
            const float y = next(reach);
            const Box box = around(0.5F * (Vec3(x, y, next(reach)) - static_cast<float>(m_reach)), Vec3(0.25F * (1.0F + next(5))));
            const Result<ProxyId> id = tree.insert(box);
            RC_ASSERT(id.ok());
            m_ids.push_back(*id);
            list.objects[id->index()] = {box, {}};
        }
    }
    void remove() { removeAt(m_ids.empty() ? 0 : any()); }
    void removeAt(std::size_t at) {
        if (m_ids.empty()) {
            return;
        }
        const ProxyId id = m_ids[at];
        RC_ASSERT(tree.remove(id));
        RC_ASSERT(!tree.remove(id));
        RC_ASSERT(!tree.alive(id));
        list.objects.erase(id.index());
        m_ids.erase(m_ids.begin() + static_cast<std::ptrdiff_t>(at));
    }
    void nudge(float by) {
        if (m_ids.empty()) {
            return;
        }
        const ProxyId id = m_ids[any()];
        Box& box = list.objects[id.index()].box;
        const Vec3 way = by * onGrid(2);
        box = {box.min + way, box.max + way};
        RC_ASSERT(tree.move(id, box).ok());
    }
    void teleport() {
        if (m_ids.empty()) {
            return;
        }
        const ProxyId id = m_ids[any()];
        list.objects[id.index()].box = anyBox(m_reach);
        RC_ASSERT(tree.move(id, list.objects[id.index()].box).ok());
    }
    void refilter() {
        if (m_ids.empty()) {
            return;
        }
        const ProxyId id = m_ids[any()];
        list.objects[id.index()].filter = anyFilter();
        RC_ASSERT(tree.setFilter(id, list.objects[id.index()].filter).ok());
    }
    void nudgeAll(float by) {
        for (const ProxyId id : m_ids) {
            Box& box = list.objects[id.index()].box;
            const Vec3 way = by * onGrid(2);
            box = {box.min + way, box.max + way};
            RC_ASSERT(tree.move(id, box).ok());
        }
    }
    void step() {
        switch (*rc::gen::inRange(0, 20)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
            return insert();
        case 5:
        case 6:
        case 7:
            return remove();
        case 8:
        case 9:
        case 10:
        case 11:
            return nudge(0.02F);
        case 12:
        case 13:
            return nudge(0.5F);
        case 14:
            return teleport();
        case 15:
            return refilter();
        case 16:
            return nudgeAll(0.02F);
        case 17:
            return nudgeAll(0.3F);
        case 18:
            return tree.setMargin(0.1F * static_cast<float>(*rc::gen::inRange(0, 4)), 2.0F);
        default:
            return tree.rebuild();
        }
    }
    void compare() {
        checkHolds(tree.validate());
        tree.update();
        checkHolds(tree.validate());
        RC_ASSERT(tree.size() == list.objects.size());
    }
    void comparePairs() {
        const std::span<const Pair> found = tree.updatePairs();
        RC_ASSERT(sorted(std::vector<Pair>(found.begin(), found.end())) == list.pairs());
        checkHolds(tree.validate());
    }
    void compareQueries() const {
        const auto mask = static_cast<std::uint32_t>(*rc::gen::inRange(1, 16));
        std::vector<std::uint32_t> found;
        const auto take = [&found](std::uint32_t slot) { found.push_back(slot); };

        const Box box = anyBox(m_reach);
        const QueryStats stats = tree.overlapBox(box, mask, take);
        const auto expected = list.where(mask, [&](const Box& b) { return Reference::touch(b, box); });
        RC_ASSERT(sorted(found) == expected);
        RC_ASSERT(stats.hits == expected.size());
        RC_ASSERT(stats.nodes <= tree.stats().nodes);

        found.clear();
        const Vec3 center = onGrid(m_reach);
        const float radius = 0.5F * static_cast<float>(*rc::gen::inRange(0, 7));
        tree.overlapSphere(center, radius, mask, take);
        RC_ASSERT(sorted(found) == list.where(mask, [&](const Box& b) {
            return distanceSquared(b, center) <= radius * radius;
        }));

        compareNearest(mask);
        compareRays(mask);
        compareFrustum(mask);
    }

    AabbTree tree;
    Reference list;

private:
    std::size_t any() const { return *rc::gen::inRange<std::size_t>(0, m_ids.size()); }

    void compareNearest(std::uint32_t mask) const {
        const Vec3 point = onGrid(m_reach);
        std::vector<Neighbour> all;
        for (const auto& [slot, object] : list.objects) {
            if ((object.filter.category & mask) != 0) {
                all.push_back({distanceSquared(object.box, point), slot});
            }
        }
        std::sort(all.begin(), all.end());
        const auto k = *rc::gen::inRange<std::size_t>(0, 12);
        std::vector<Neighbour> found;
        tree.nearest(point, k, mask, found);
        std::vector<Neighbour> expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(k, all.size())));
        RC_ASSERT(found == expected);
        tree.nearest(point, k, mask, found, 2.0F);
        std::erase_if(expected, [](const Neighbour& n) { return n.distanceSquared > 4.0F; });
        RC_ASSERT(found == expected);
    }

    // Exact hits agree; those that graze within rounding may go either way.
    template <typename Expected>
    void compareWay(const std::map<std::uint32_t, float>& found, std::uint32_t mask, Expected expected) const {
        for (const auto& [slot, object] : list.objects) {
            if ((object.filter.category & mask) == 0) {
                RC_ASSERT(!found.contains(slot));
                continue;
            }
            const double sure = expected(object.box, 1.0e-3);
            const double exact = expected(object.box, 0.0);
            const double maybe = expected(object.box, -1.0e-3);
            const auto hit = found.find(slot);
            if (maybe <= 1.0) {
                RC_ASSERT(hit != found.end());
            }
            if (sure > 1.0) {
                RC_ASSERT(hit == found.end());
            }
            if (hit != found.end() && exact <= 1.0 && maybe <= 1.0) {
                RC_ASSERT(std::abs(double(hit->second) - exact) < 2.0e-3);
            }
        }
    }

    void compareRays(std::uint32_t mask) const {
        // Off the grid, so that grazing is the exception, but often along an axis.
        const Segment ray{onGrid(m_reach) + Vec3(0.13F, 0.17F, 0.19F), 4.0F * onGrid(m_reach)};
        std::map<std::uint32_t, float> found;
        const auto take = [&found](std::uint32_t slot, float t) { RC_ASSERT(found.emplace(slot, t).second); };
        tree.rayAll(ray, mask, take);
        compareWay(found, mask, [&](const Box& box, double slack) {
            return Reference::enters(box, ray, Vec3(static_cast<float>(slack)));
        });
        AabbTree::Hit hit;
        tree.rayClosest(ray, mask, hit);
        RC_ASSERT(static_cast<bool>(hit) == !found.empty());
        for (const auto& [slot, t] : found) {
            RC_ASSERT(hit.t < t || (hit.t == t && hit.slot <= slot));
        }

        found.clear();
        const Box shape = around(ray.from, Vec3(0.4F, 0.7F, 1.1F));
        tree.castBox(shape, ray.motion, mask, take);
        compareWay(found, mask, [&](const Box& box, double slack) {
            return Reference::enters(box, ray, Vec3(0.4F, 0.7F, 1.1F) + Vec3(static_cast<float>(slack)));
        });

        found.clear();
        tree.castSphere(ray, 0.8F, mask, take);
        compareWay(found, mask, [&](const Box& box, double slack) {
            return Reference::reaches(box, ray, double(0.8F) + slack);
        });
    }

    // A box is outside if one plane has all eight corners behind it.
    void compareFrustum(std::uint32_t mask) const {
        Frustum frustum;
        for (Vec4& plane : frustum.planes) {
            const Vec3 normal = onGrid(4);
            plane = {normal, 0.5F * static_cast<float>(*rc::gen::inRange(-4, 24))};
        }
        std::vector<std::uint32_t> found;
        tree.inFrustum(frustum, mask, [&found](std::uint32_t slot) { found.push_back(slot); });
        RC_ASSERT(sorted(found) == list.where(mask, [&](const Box& box) {
            return std::all_of(frustum.planes.begin(), frustum.planes.end(), [&](const Vec4& plane) {
                bool inside = false;
                for (int corner = 0; corner < 8; ++corner) {
                    const Vec3 p((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                                 (corner & 4) != 0 ? box.max.z : box.min.z);
                    inside = inside || plane.x * p.x + plane.y * p.y + plane.z * p.z >= -plane.w;
                }
                return inside;
            });
        }));
    }

    int m_reach;
    std::vector<ProxyId> m_ids;
};

} // namespace

class TestTreeProperties : public QObject {
    Q_OBJECT

private slots:
    void fewObjectsStepByStep() {
        QVERIFY(rc::check("a crowded corner, compared after every step", [] {
            Both both(6);
            const int steps = *rc::gen::inRange(1, 60);
            for (int i = 0; i < steps; ++i) {
                both.step();
                both.compare();
                both.comparePairs();
                both.compareQueries();
            }
        }));
    }
    void severalChangesAtOnce() {
        QVERIFY(rc::check("many changes between two updates, pairs not asked for every time", [] {
            Both both(16);
            const int rounds = *rc::gen::inRange(1, 12);
            for (int i = 0; i < rounds; ++i) {
                const int changes = *rc::gen::inRange(0, 40);
                for (int k = 0; k < changes; ++k) {
                    both.step();
                }
                both.compare();
                if (*rc::gen::inRange(0, 3) != 0) {
                    both.comparePairs();
                }
                both.compareQueries();
            }
        }));
    }
    // Deep enough for parts to be built anew, nodes of all levels to split and merge, and the root to rise and fall.
    void aTreeOfManyLevels() {
        QVERIFY(rc::check("hundreds of objects", [] {
            Both both(40);
            const int count = *rc::gen::inRange(200, 500);
            const auto seed = *rc::gen::arbitrary<std::uint32_t>();
            for (int left = count; left > 0; left -= 40) {
                both.insertMany(std::min(left, 40), seed + static_cast<std::uint32_t>(left)); // few enough to go one by one
                both.compare();
            }
            for (int i = 0; i < 40; ++i) {
                both.step();
                both.compare();
                if (i % 10 == 0) { // dear by brute force
                    both.compareQueries();
                }
            }
            both.comparePairs();
            for (int i = 0; i < count; ++i) {
                both.removeAt((seed / 7U + static_cast<std::size_t>(i) * 31U) % std::max<std::size_t>(both.tree.size(), 1));
                if (i % 61 == 0) {
                    both.compare();
                    both.comparePairs();
                }
            }
            both.compareQueries();
        }));
    }
};

QTEST_GUILESS_MAIN(TestTreeProperties)
#include "tst_tree_properties.moc"
