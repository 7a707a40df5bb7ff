// Any number of readers while nobody writes: every query from several threads at once, the same answers as alone. Run under
// ThreadSanitizer by the tsan preset.

#include "engine/spatial/aabb_tree.h"

#include <QtTest>

#include <thread>

using namespace sbx;
using namespace sbx::spatial;

namespace {

std::vector<std::uint32_t> askEverything(const AabbTree& tree, int from, int to) {
    std::vector<std::uint32_t> answers;
    const auto take = [&answers](std::uint32_t slot) { answers.push_back(slot); };
    const auto takeAt = [&answers](std::uint32_t slot, float) { answers.push_back(slot); };
    std::vector<Neighbour> near;
    for (int i = from; i < to; ++i) {
        const Vec3 at(static_cast<float>(i % 17), static_cast<float>(i % 13), static_cast<float>(i % 11));
        tree.overlapBox(around(at, Vec3(2.0F)), Everything, take);
        tree.overlapSphere(at, 2.0F, Everything, take);
        tree.rayAll({at, Vec3(20.0F) - at}, Everything, takeAt);
        tree.castSphere({at, Vec3(5.0F, 0.0F, 1.0F)}, 0.5F, Everything, takeAt);
        tree.castBox(around(at, Vec3(0.4F)), Vec3(1.0F, 5.0F, 0.0F), Everything, takeAt);
        tree.fatOverlaps(static_cast<std::uint32_t>(i), take);
        tree.visitNodes([&answers](const Box&, int depth, bool) { answers.push_back(static_cast<std::uint32_t>(depth)); });
        AabbTree::Hit hit;
        tree.rayClosest({-at, 3.0F * at}, Everything, hit);
        answers.push_back(hit.slot);
        tree.nearest(at, 5, Everything, near);
        for (const Neighbour& each : near) {
            answers.push_back(each.slot);
        }
        Frustum half;
        half.planes.fill(Vec4(1.0F, 0.0F, 0.0F, -at.x));
        tree.inFrustum(half, Everything, take);
        answers.push_back(tree.stats().nodes);
        answers.push_back(tree.validate().ok() ? 1U : 0U);
    }
    return answers;
}

} // namespace

class TestThreads : public QObject {
    Q_OBJECT

private slots:
    void readersDoNotDisturbEachOther() {
        AabbTree tree;
        std::vector<ProxyId> ids;
        for (int i = 0; i < 1000; ++i) {
            const Vec3 at(static_cast<float>(i % 19), static_cast<float>(i % 23), static_cast<float>(i % 29));
            ids.push_back(*tree.insert(around(at, Vec3(0.6F))));
        }
        for (int round = 0; round < 3; ++round) {
            // The one writer, while nobody reads.
            for (std::size_t i = 0; i < ids.size(); i += 3) {
                const Box box = tree.box(ids[i].index());
                QVERIFY(tree.move(ids[i], {box.min + Vec3(0.3F), box.max + Vec3(0.3F)}).ok());
            }
            const std::size_t pairs = tree.updatePairs().size();
            QVERIFY(pairs > 0);
            constexpr int Readers = 4;
            constexpr int Each = 40;
            std::vector<std::vector<std::uint32_t>> answers(Readers);
            std::vector<std::thread> threads;
            for (int reader = 0; reader < Readers; ++reader) {
                threads.emplace_back([&tree, &answers, reader] {
                    answers[static_cast<std::size_t>(reader)] = askEverything(tree, reader * Each, (reader + 1) * Each);
                });
            }
            for (std::thread& thread : threads) {
                thread.join();
            }
            for (int reader = 0; reader < Readers; ++reader) {
                QCOMPARE(answers[static_cast<std::size_t>(reader)],
                         askEverything(tree, reader * Each, (reader + 1) * Each));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestThreads)
#include "tst_threads.moc"
