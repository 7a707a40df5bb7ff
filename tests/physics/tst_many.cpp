// Bodies leave a world of many at the cost at which they leave one of few: pairs that are looked at are counted.

#include "physics_fixture.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

namespace {

// Crates on a floor, too far apart to touch: each has one pair, the floor has them all.
std::vector<BodyHandle> spread(PhysicsWorld& world, int count) {
    add(world, box({4'000.0F, 2.0F, 4'000.0F}, {0.0F, -1.0F, 0.0F}, Motion::Static));
    std::vector<BodyHandle> crates;
    const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
    for (int i = 0; i < count; ++i) {
        const Vec3 place(static_cast<float>(3 * (i % side)), 0.5F, static_cast<float>(3 * (i / side)));
        crates.push_back(add(world, box(Vec3(1.0F), place)));
    }
    return crates;
}

std::uint64_t visitedToRemove(Broadphase broadphase, int count, int steps) {
    WorldDesc desc;
    desc.broadphase = broadphase;
    PhysicsWorld world(desc);
    std::vector<BodyHandle> crates = spread(world, count);
    run(world, steps);
    std::shuffle(crates.begin(), crates.end(), std::mt19937(9));
    const std::uint64_t before = world.pairsVisited();
    for (const BodyHandle crate : crates) {
        world.removeBody(crate);
    }
    return world.bodyCount() == 1 ? world.pairsVisited() - before : ~std::uint64_t(0);
}

} // namespace

class TestMany : public QObject {
    Q_OBJECT

private slots:
    void leavingLooksAtOwnPairsAlone_data() {
        QTest::addColumn<int>("broadphase");
        QTest::addColumn<int>("steps");
        QTest::newRow("awake, tree") << static_cast<int>(Broadphase::Tree) << 2;
        QTest::newRow("awake, dbvt") << static_cast<int>(Broadphase::Dbvt) << 2;
        QTest::newRow("asleep, tree") << static_cast<int>(Broadphase::Tree) << 180;
    }
    void leavingLooksAtOwnPairsAlone() {
        QFETCH(int, broadphase);
        QFETCH(int, steps);
        const auto kind = static_cast<Broadphase>(broadphase);
        const std::uint64_t few = visitedToRemove(kind, 300, steps);
        const std::uint64_t many = visitedToRemove(kind, 3'000, steps);
        QVERIFY(few >= 300); // they do rest on the floor
        QVERIFY2(many <= 13 * few, qPrintable(QString("%1 for ten times %2").arg(many).arg(few)));
        QVERIFY2(many <= 3'000 * 8, qPrintable(QString::number(many)));
    }

    // What rests on others wakes when they go, and falls; what stands beside sleeps on.
    void onlyNeighboursWake() {
        PhysicsWorld world;
        std::vector<BodyHandle> crates = spread(world, 400);
        std::vector<BodyHandle> tops;
        for (const BodyHandle crate : crates) {
            tops.push_back(add(world, box(Vec3(0.9F), world.pose(crate).position + Vec3(0.0F, 0.96F, 0.0F))));
        }
        for (int i = 0; i < 600 && world.activeCount() > 0; ++i) {
            world.step(Dt);
        }
        QCOMPARE(world.activeCount(), std::size_t(0));
        QVERIFY(world.removeBody(crates[217]));
        QCOMPARE(world.activeCount(), std::size_t(1));
        QVERIFY(!world.sleeping(tops[217]));
        run(world, 120);
        QVERIFY(world.pose(tops[217]).position.y < 0.6F);
        QVERIFY(world.pose(tops[216]).position.y > 1.3F);
    }

    // A body that sleeps, is woken and sleeps again among the same others, many times: who lies beside it stays known.
    void neighboursAreKnownAfterManyNaps() {
        PhysicsWorld world;
        const BodyHandle floor = add(world, box({50.0F, 2.0F, 50.0F}, {0.0F, -1.0F, 0.0F}, Motion::Static));
        std::vector<BodyHandle> crates;
        for (int i = 0; i < 12; ++i) {
            crates.push_back(add(world, box(Vec3(1.0F), {static_cast<float>(3 * i) - 18.0F, 0.5F, 0.0F})));
        }
        for (int nap = 0; nap < 40; ++nap) {
            for (int i = 0; i < 600 && world.activeCount() > 0; ++i) {
                world.step(Dt);
            }
            QCOMPARE(world.activeCount(), std::size_t(0));
            QVERIFY(world.wake(crates[static_cast<std::size_t>(nap) % crates.size()]));
            QCOMPARE(world.activeCount(), std::size_t(1));
        }
        for (int i = 0; i < 600 && world.activeCount() > 0; ++i) {
            world.step(Dt);
        }
        QVERIFY(world.removeBody(floor));
        QCOMPARE(world.activeCount(), crates.size());
        run(world, 60);
        for (const BodyHandle crate : crates) {
            QVERIFY(world.pose(crate).position.y < -1.0F);
        }
    }

    // Hinges, too, leave one by one, with and without their bodies.
    void hingesLeaveInAnyOrder() {
        PhysicsWorld world;
        std::vector<BodyHandle> doors;
        std::vector<HingeHandle> hinges;
        for (int i = 0; i < 60; ++i) {
            doors.push_back(add(world, box({1.0F, 2.0F, 0.1F}, {static_cast<float>(3 * i), 5.0F, 0.0F})));
            HingeDesc desc;
            desc.a = doors.back();
            desc.anchor = {static_cast<float>(3 * i) - 0.5F, 5.0F, 0.0F};
            desc.axis = {0.0F, 1.0F, 0.0F};
            const Result<HingeHandle> hinge = world.addHinge(desc);
            QVERIFY(hinge.ok());
            hinges.push_back(*hinge);
        }
        std::vector<std::size_t> order(doors.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::shuffle(order.begin(), order.end(), std::mt19937(2));
        std::vector<char> held(doors.size(), 1);
        std::vector<char> there(doors.size(), 1);
        for (std::size_t k = 0; k < 40; ++k) {
            const std::size_t i = order[k];
            held[i] = 0;
            if (k % 2 == 0) {
                QVERIFY(world.removeHinge(hinges[i]));
            } else {
                QVERIFY(world.removeBody(doors[i]));
                there[i] = 0;
            }
            run(world, 1);
        }
        run(world, 120);
        for (std::size_t i = 0; i < doors.size(); ++i) {
            QCOMPARE(world.alive(hinges[i]), held[i] != 0);
            if (there[i] != 0) {
                QCOMPARE(world.pose(doors[i]).position.y > 4.9F, held[i] != 0);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMany)
#include "tst_many.moc"
