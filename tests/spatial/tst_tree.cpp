// What random sequences do not reach: refused input, crowds at one point, giants, teleports, order, and what it costs.

#include "tests/spatial/reference.h"

#include <QElapsedTimer>
#include <QtTest>

#include <limits>

using namespace sbx;
using namespace sbx::spatial;
using namespace sbx::test;

namespace {

constexpr float Nan = std::numeric_limits<float>::quiet_NaN();
constexpr float Infinite = std::numeric_limits<float>::infinity();

// The same numbers on every machine.
class Numbers {
public:
    float next() {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<float>(m_state >> 40U) * (1.0F / 16777216.0F);
    }
    Vec3 point(float side) {
        const float x = next();
        const float y = next();
        return side * Vec3(x, y, next());
    }

private:
    std::uint64_t m_state = 42;
};

void verify(const AabbTree& tree) {
    const Result<void> result = tree.validate();
    QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
}

std::vector<std::uint32_t> inBox(const AabbTree& tree, const Box& box) {
    std::vector<std::uint32_t> found;
    tree.overlapBox(box, Everything, [&found](std::uint32_t slot) { found.push_back(slot); });
    return found;
}

} // namespace

class TestTree : public QObject {
    Q_OBJECT

private slots:
    void raggedBoxesAreRefused() {
        AabbTree tree;
        const Box good{{0, 0, 0}, {1, 1, 1}};
        const std::vector<Box> ragged = {
            {{1, 1, 1}, {1, 1, 1}},        {{0, 0, 0}, {1, 0, 1}},           {{0, 0, 0}, {-1, 1, 1}},
            {{Nan, 0, 0}, {1, 1, 1}},      {{0, 0, 0}, {1, 1, Nan}},         {{0, 0, 0}, {1, Infinite, 1}},
            {{0, -Infinite, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1.0e19F}},    {Vec3(Nan), Vec3(Nan)},
            {Vec3(-Infinite), Vec3(Infinite)}};
        const ProxyId id = *tree.insert(good, 5);
        for (const Box& box : ragged) {
            const Result<ProxyId> inserted = tree.insert(box);
            QVERIFY(!inserted.ok());
            QVERIFY(inserted.error().message.find("expected") != std::string::npos);
            QVERIFY(!tree.move(id, box).ok());
            const std::vector<AabbTree::Entry> entries = {{good, 1, {}}, {box, 2, {}}};
            const Result<std::vector<ProxyId>> all = tree.insertAll(entries);
            QVERIFY(!all.ok());
            QVERIFY(all.error().message.find("entry 1") == 0);
        }
        QCOMPARE(tree.size(), 1U);
        QCOMPARE(tree.box(id.index()), good);
        tree.update();
        verify(tree);
    }
    void questionsThatMakeNoSenseFindNothing() {
        AabbTree tree;
        QVERIFY(tree.insert({{0, 0, 0}, {1, 1, 1}}).ok());
        tree.update();
        int hits = 0;
        const auto count = [&hits](std::uint32_t) { ++hits; };
        const auto countAt = [&hits](std::uint32_t, float) { ++hits; };
        tree.overlapBox({Vec3(Nan), Vec3(1)}, Everything, count);
        tree.overlapBox({Vec3(1), Vec3(0)}, Everything, count);
        tree.overlapSphere(Vec3(Nan), 1, Everything, count);
        tree.overlapSphere(Vec3(0), Nan, Everything, count);
        tree.overlapSphere(Vec3(0), -1, Everything, count);
        tree.rayAll({Vec3(Nan), Vec3(1)}, Everything, countAt);
        tree.rayAll({Vec3(0), Vec3(Infinite)}, Everything, countAt);
        tree.castBox({Vec3(1), Vec3(0)}, Vec3(1), Everything, countAt);
        tree.castSphere({Vec3(0), Vec3(1)}, Nan, Everything, countAt);
        tree.inFrustum({{Vec4(Nan)}}, Everything, count);
        QCOMPARE(hits, 0);
        std::vector<Neighbour> near;
        tree.nearest(Vec3(Nan), 3, Everything, near);
        QVERIFY(near.empty());
        tree.nearest(Vec3(0), 0, Everything, near);
        QVERIFY(near.empty());
        // Infinitely far is a place to look to.
        tree.overlapBox({Vec3(-Infinite), Vec3(Infinite)}, Everything, count);
        tree.overlapSphere(Vec3(0), Infinite, Everything, count);
        QCOMPARE(hits, 2);
    }
    void anEmptyTreeAnswers() {
        AabbTree tree;
        tree.update();
        QVERIFY(tree.updatePairs().empty());
        QVERIFY(inBox(tree, {Vec3(-1), Vec3(1)}).empty());
        AabbTree::Hit hit;
        QCOMPARE(tree.rayClosest({Vec3(0), Vec3(1)}, Everything, hit).nodes, 0U);
        QVERIFY(!hit);
        verify(tree);
        const ProxyId id = *tree.insert({Vec3(0), Vec3(1)});
        QVERIFY(tree.remove(id)); // before any update
        tree.update();
        QVERIFY(tree.updatePairs().empty());
        verify(tree);
    }
    void deadHandlesAreRefused() {
        AabbTree tree;
        const ProxyId first = *tree.insert({Vec3(0), Vec3(1)}, 1);
        tree.update();
        QVERIFY(tree.remove(first));
        const ProxyId second = *tree.insert({Vec3(5), Vec3(6)}, 2);
        QCOMPARE(second.index(), first.index());
        QVERIFY(second != first);
        QVERIFY(!tree.alive(first));
        QVERIFY(!tree.alive({}));
        QVERIFY(!tree.remove(first));
        QVERIFY(!tree.move(first, {Vec3(0), Vec3(1)}).ok());
        QVERIFY(!tree.setFilter(first, {}).ok());
        QCOMPARE(tree.user(second.index()), 2U);
        tree.clear();
        QVERIFY(!tree.alive(second));
        QCOMPARE(tree.size(), 0U);
        verify(tree);
    }
    void askingBeforeUpdatingIsAnError() {
        struct Violation {};
        const ContractHandler before = setContractHandler([](const ContractViolation&) { throw Violation{}; });
        AabbTree tree;
        static_cast<void>(tree.insert({Vec3(0), Vec3(1)}));
        QVERIFY_EXCEPTION_THROWN(inBox(tree, {Vec3(0), Vec3(1)}), Violation);
        setContractHandler(before);
        tree.update();
        QCOMPARE(inBox(tree, {Vec3(0), Vec3(1)}).size(), 1U);
    }
    void aVisitorMayStop() {
        AabbTree tree;
        for (int i = 0; i < 100; ++i) {
            QVERIFY(tree.insert({Vec3(0), Vec3(1)}).ok());
        }
        tree.update();
        int seen = 0;
        const QueryStats stats = tree.overlapBox({Vec3(0), Vec3(1)}, Everything, [&seen](std::uint32_t) { return ++seen < 3; });
        QCOMPARE(seen, 3);
        QCOMPARE(stats.hits, 3U);
        seen = 0;
        tree.rayAll({Vec3(-1), Vec3(4)}, Everything, [&seen](std::uint32_t, float) { return ++seen < 2; });
        QCOMPARE(seen, 2);
    }
    void closestAsksTheObjectItself() {
        AabbTree tree;
        QVERIFY(tree.insert({{1, -1, -1}, {2, 1, 1}}).ok());
        QVERIFY(tree.insert({{3, -1, -1}, {4, 1, 1}}).ok());
        QVERIFY(tree.insert({{5, -1, -1}, {6, 1, 1}}).ok());
        tree.update();
        AabbTree::Hit hit;
        // The first box's shape is missed; the second's lies deep inside it.
        tree.rayClosest({Vec3(0), Vec3(10, 0, 0)}, Everything, hit, [](std::uint32_t slot, float enter) {
            return slot == 0 ? 2.0F : enter + 0.05F;
        });
        QCOMPARE(hit.slot, 1U);
        QCOMPARE(hit.t, 0.35F);
    }

    // ---- crowds
    void aMillionBoxesAtOnePoint() {
        constexpr int Count = 1000000;
        const Box box = around(Vec3(3, 4, 5), Vec3(0.5F));
        QElapsedTimer timer;
        timer.start();
        AabbTree built;
        QVERIFY(built.insertAll(std::vector<AabbTree::Entry>(Count, {box, 0, {}})).ok());
        qInfo("built in %lld ms", timer.restart());
        verify(built);
        QVERIFY(built.stats().levels <= 12);
        AabbTree grown;
        std::vector<ProxyId> ids;
        for (int i = 0; i < Count; ++i) {
            ids.push_back(*grown.insert(box));
            if (i % 64 == 63 && i < 200000) {
                grown.update(); // few enough at a time to go in one by one
            }
        }
        grown.update();
        qInfo("grown in %lld ms, %u levels", timer.restart(), grown.stats().levels);
        verify(grown);
        QVERIFY(grown.stats().levels <= 20);
        for (const AabbTree* tree : {&built, &grown}) {
            const QueryStats miss = tree->overlapBox(around(Vec3(0), Vec3(1)), Everything, [](std::uint32_t) {});
            QCOMPARE(miss.nodes, 1U);
            int seen = 0;
            const QueryStats some = tree->overlapBox(box, Everything, [&seen](std::uint32_t) { return ++seen < 10; });
            QVERIFY(some.nodes < 40);
            AabbTree::Hit hit;
            tree->rayClosest({Vec3(3, 4, 0), Vec3(0, 0, 10)}, Everything, hit);
            QCOMPARE(hit.slot, 0U);
            QCOMPARE(hit.t, 0.45F);
        }
        for (int i = 0; i < Count; i += 10) {
            QVERIFY(grown.remove(ids[static_cast<std::size_t>(i)]));
        }
        verify(grown);
        qInfo("asked, and every tenth removed, in %lld ms", timer.restart());
    }
    // One by one, all at one point: the search for a place must not look at all that are as good.
    void crowdsDoNotSlowInsertionDown() {
        const Box box = around(Vec3(0), Vec3(0.5F));
        const auto grow = [&box](int count) {
            AabbTree tree;
            for (int i = 0; i < count; ++i) {
                static_cast<void>(tree.insert(box));
                tree.update();
            }
            const TreeStats stats = tree.stats();
            const double each = static_cast<double>(count);
            return std::pair(static_cast<double>(stats.searched) / each, static_cast<double>(stats.rebuilt) / each);
        };
        const auto [searchedOfFew, rebuiltOfFew] = grow(4000);
        const auto [searchedOfMany, rebuiltOfMany] = grow(64000); // 16 times as many
        qInfo("an insertion looks at %.1f nodes among 4,000, %.1f among 64,000, and puts %.1f and %.1f objects in order",
              searchedOfFew, searchedOfMany, rebuiltOfFew, rebuiltOfMany);
        QVERIFY(searchedOfMany < 2.0 * searchedOfFew);
        QVERIFY(rebuiltOfMany < 2.0 * rebuiltOfFew);
    }
    void aGiantAmongMany() {
        AabbTree tree;
        Reference list;
        Numbers numbers;
        for (int i = 0; i < 500; ++i) {
            const Box box = around(numbers.point(50.0F), Vec3(0.5F));
            list.objects[tree.insert(box)->index()] = {box, {}};
        }
        const Box world{Vec3(-Limit), Vec3(Limit)};
        list.objects[tree.insert(world)->index()] = {world, {}};
        const std::span<const Pair> pairs = tree.updatePairs();
        QCOMPARE(sorted(std::vector<Pair>(pairs.begin(), pairs.end())), list.pairs());
        verify(tree);
        // It makes no question about a corner expensive.
        const QueryStats stats = tree.overlapBox(around(Vec3(25), Vec3(1)), Everything, [](std::uint32_t) {});
        QVERIFY(stats.nodes < 40);
        AabbTree::Hit hit;
        tree.rayClosest({Vec3(-100), Vec3(200)}, Everything, hit);
        QCOMPARE(hit.slot, 500U); // starts inside
        QCOMPARE(hit.t, 0.0F);
    }
    void everythingTeleportsEveryTick() {
        AabbTree tree;
        Reference list;
        Numbers numbers;
        std::vector<ProxyId> ids;
        for (int i = 0; i < 400; ++i) {
            const Box box = around(numbers.point(20.0F), Vec3(0.5F));
            ids.push_back(*tree.insert(box));
            list.objects[ids.back().index()] = {box, {}};
        }
        for (int tick = 0; tick < 50; ++tick) {
            for (const ProxyId id : ids) {
                const Box box = around(numbers.point(tick % 2 == 0 ? 20.0F : 2000.0F), Vec3(0.5F));
                QVERIFY(tree.move(id, box).ok());
                list.objects[id.index()].box = box;
            }
            const std::span<const Pair> pairs = tree.updatePairs();
            QCOMPARE(sorted(std::vector<Pair>(pairs.begin(), pairs.end())), list.pairs());
            verify(tree);
        }
        // A part of them, so few that they go one by one.
        for (int tick = 0; tick < 200; ++tick) {
            for (std::size_t i = 0; i < 8; ++i) {
                const ProxyId id = ids[(static_cast<std::size_t>(tick) * 8 + i) % ids.size()];
                const Box box = around(numbers.point(20.0F), Vec3(0.5F));
                QVERIFY(tree.move(id, box).ok());
                list.objects[id.index()].box = box;
            }
            const std::span<const Pair> pairs = tree.updatePairs();
            QCOMPARE(sorted(std::vector<Pair>(pairs.begin(), pairs.end())), list.pairs());
            verify(tree);
        }
    }

    // ---- what is promised about order and quality
    void theSameCallsGiveTheSameOrder() {
        const auto run = [] {
            AabbTree tree;
            Numbers numbers;
            std::vector<ProxyId> ids;
            std::vector<std::uint32_t> heard;
            for (int i = 0; i < 600; ++i) {
                ids.push_back(*tree.insert(around(numbers.point(12.0F), Vec3(0.5F))));
            }
            for (int tick = 0; tick < 40; ++tick) {
                for (std::size_t i = 0; i < ids.size(); i += tick % 3 == 0 ? 1U : 29U) {
                    const Box box = tree.box(ids[i].index());
                    const Vec3 way = numbers.point(0.2F);
                    static_cast<void>(tree.move(ids[i], {box.min + way, box.max + way}));
                }
                for (const Pair& pair : tree.updatePairs()) {
                    heard.push_back(pair.a);
                    heard.push_back(pair.b);
                }
                for (const std::uint32_t slot : inBox(tree, around(Vec3(6), Vec3(3)))) {
                    heard.push_back(slot);
                }
            }
            return heard;
        };
        QCOMPARE(run(), run());
    }
    // While objects wander one by one the tree stays about as good as a fresh one.
    void qualityDoesNotDecay() {
        constexpr float Side = 40.0F;
        AabbTree tree;
        Numbers numbers;
        std::vector<ProxyId> ids;
        std::vector<Vec3> at;
        for (int i = 0; i < 4000; ++i) {
            at.push_back(numbers.point(Side));
            ids.push_back(*tree.insert(around(at.back(), Vec3(0.5F))));
        }
        tree.update();
        const std::uint64_t built = tree.stats().rebuilds;
        for (int tick = 0; tick < 2000; ++tick) {
            for (std::size_t i = 0; i < 20; ++i) {
                const std::size_t which = (static_cast<std::size_t>(tick) * 20 + i * 191) % ids.size();
                at[which] = glm::clamp(at[which] + numbers.point(6.0F) - Vec3(3.0F), Vec3(0.0F), Vec3(Side));
                QVERIFY(tree.move(ids[which], around(at[which], Vec3(0.5F))).ok());
            }
            tree.update();
        }
        verify(tree);
        const double decayed = tree.stats().leafArea;
        const auto visited = [&] {
            std::uint32_t nodes = 0;
            for (int i = 0; i < 200; ++i) {
                nodes += tree.overlapBox(around(numbers.point(Side), Vec3(1.5F)), Everything, [](std::uint32_t) {}).nodes;
            }
            return nodes;
        };
        const std::uint32_t before = visited();
        const std::uint64_t rebuilds = tree.stats().rebuilds;
        tree.rebuild();
        const std::uint32_t after = visited();
        qInfo("leaf area %.0f after 40,000 changes, %.0f fresh; nodes a query %.1f, %.1f fresh; %llu whole rebuilds",
              decayed, tree.stats().leafArea, before / 200.0, after / 200.0,
              static_cast<unsigned long long>(rebuilds - built));
        QVERIFY(before < 1.5 * after);
    }
    // The same while everything wanders in every tick, slowly and fast, for thousands of ticks.
    void qualityDoesNotDecayInACrowd_data() {
        QTest::addColumn<float>("step");
        QTest::newRow("slow") << 0.015F;
        QTest::newRow("fast") << 0.15F;
    }
    void qualityDoesNotDecayInACrowd() {
        QFETCH(float, step);
        constexpr float Side = 20.0F;
        constexpr std::size_t Count = 1000;
        constexpr int Ticks = 3000;
        AabbTree tree;
        Numbers numbers;
        std::vector<ProxyId> ids;
        std::vector<Vec3> at;
        std::vector<Vec3> way;
        for (std::size_t i = 0; i < Count; ++i) {
            at.push_back(numbers.point(Side));
            way.push_back(step * (numbers.point(2.0F) - Vec3(1.0F)));
            ids.push_back(*tree.insert(around(at.back(), Vec3(0.5F))));
        }
        tree.update();
        const auto visited = [&numbers](const AabbTree& asked) {
            std::uint32_t nodes = 0;
            for (int i = 0; i < 50; ++i) {
                nodes += asked.overlapBox(around(numbers.point(Side), Vec3(1.5F)), Everything, [](std::uint32_t) {}).nodes;
            }
            return nodes / 50.0;
        };
        double worst = 0.0;
        double first = 0.0;
        double last = 0.0;
        const std::uint64_t built = tree.stats().rebuilds;
        for (int tick = 1; tick <= Ticks; ++tick) {
            for (std::size_t i = 0; i < Count; ++i) {
                at[i] += way[i];
                for (int axis = 0; axis < 3; ++axis) {
                    if (at[i][axis] < 0.0F || at[i][axis] > Side) {
                        way[i][axis] = -way[i][axis];
                    }
                }
                QVERIFY(tree.move(ids[i], around(at[i], Vec3(0.5F))).ok());
            }
            tree.update();
            if (tick % 100 == 0) {
                const double cost = visited(tree);
                worst = std::max(worst, cost);
                first += tick <= 1000 ? cost / 10.0 : 0.0;
                last += tick > Ticks - 1000 ? cost / 10.0 : 0.0;
            }
        }
        verify(tree);
        const std::uint64_t rebuilds = tree.stats().rebuilds - built;
        tree.rebuild();
        const double fresh = visited(tree);
        qInfo("nodes a query: %.1f in the first thousand ticks, %.1f in the last, %.1f at worst, %.1f fresh; built anew every %.1f ticks",
              first, last, worst, fresh, Ticks / static_cast<double>(std::max<std::uint64_t>(rebuilds, 1)));
        QVERIFY(last < 1.2 * first);
        QVERIFY(worst < 2.0 * fresh);
    }
    void aMarginSparesTheTree() {
        const auto changes = [](float margin) {
            AabbTree tree({.margin = margin, .prediction = 2.0F});
            Numbers numbers;
            std::vector<ProxyId> ids;
            std::vector<Vec3> at;
            for (int i = 0; i < 1000; ++i) {
                at.push_back(numbers.point(40.0F));
                ids.push_back(*tree.insert(around(at.back(), Vec3(0.5F))));
            }
            tree.update();
            for (int tick = 0; tick < 100; ++tick) {
                for (std::size_t i = 0; i < 50; ++i) {
                    at[i] += Vec3(0.01F, 0.0F, 0.005F);
                    static_cast<void>(tree.move(ids[i], around(at[i], Vec3(0.5F))));
                }
                tree.update();
            }
            return tree.stats().reinsertions;
        };
        const std::uint64_t with = changes(0.2F);
        const std::uint64_t without = changes(0.0F);
        qInfo("reinsertions with a margin %llu, without %llu", static_cast<unsigned long long>(with),
              static_cast<unsigned long long>(without));
        QVERIFY(with * 3 < without);
    }
    void queriesReportWhatTheyCost() {
        AabbTree tree;
        Numbers numbers;
        for (int i = 0; i < 10000; ++i) {
            static_cast<void>(tree.insert(around(numbers.point(60.0F), Vec3(0.5F))));
        }
        tree.update();
        const QueryStats small = tree.overlapBox(around(Vec3(30), Vec3(0.5F)), Everything, [](std::uint32_t) {});
        QVERIFY(small.nodes > 1 && small.nodes < 60);
        QVERIFY(small.tests >= small.hits);
        const QueryStats everything = tree.overlapBox({Vec3(-1), Vec3(100)}, Everything, [](std::uint32_t) {});
        QCOMPARE(everything.nodes, tree.stats().nodes);
        QCOMPARE(everything.hits, 10000U);
        // A category nobody has is not looked for below the root.
        QCOMPARE(tree.overlapBox({Vec3(-1), Vec3(100)}, 4U, [](std::uint32_t) {}).nodes, 1U);
    }
    void nodesCanBeDrawn() {
        AabbTree tree;
        Numbers numbers;
        for (int i = 0; i < 300; ++i) {
            static_cast<void>(tree.insert(around(numbers.point(20.0F), Vec3(0.5F))));
        }
        tree.update();
        std::uint32_t nodes = 0;
        std::uint32_t leaves = 0;
        int deepest = 0;
        Box root;
        tree.visitNodes([&](const Box& box, int depth, bool leaf) {
            if (depth == 0) {
                root = box;
            }
            QVERIFY(contains(root, box));
            deepest = std::max(deepest, depth);
            ++nodes;
            leaves += leaf ? 1 : 0;
        });
        QCOMPARE(nodes, tree.stats().nodes);
        QCOMPARE(static_cast<std::uint32_t>(deepest) + 1, tree.stats().levels);
        QVERIFY(leaves >= 75);
    }
};

QTEST_GUILESS_MAIN(TestTree)
#include "tst_tree.moc"
