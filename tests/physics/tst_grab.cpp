// A hand that holds a body: it carries, swings, pushes with no more than its strength, and lets fly.

#include "tests/physics/physics_fixture.h"

#include <glm/geometric.hpp>

#include <limits>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestGrab : public QObject {
    Q_OBJECT

private slots:
    // Without losing height by its weight, and wherever it is held: at its centre, or by a corner, from which it hangs.
    void itIsCarriedToThePlace_data() {
        QTest::addColumn<float>("corner");
        QTest::addColumn<float>("mass");
        QTest::newRow("centre") << 0.0F << 1.0F;
        QTest::newRow("corner") << 0.5F << 1.0F;
        QTest::newRow("light") << 0.5F << 0.05F;
        QTest::newRow("heavy") << 0.5F << 900.0F;
    }
    void itIsCarriedToThePlace() {
        QFETCH(float, corner);
        QFETCH(float, mass);
        PhysicsWorld world;
        BodyDesc desc = box(Vec3(1.0F), {0.0F, 5.0F, 0.0F});
        desc.mass = mass;
        const BodyHandle crate = add(world, desc);
        const Vec3 point(corner, 5.0F + corner, corner);
        QVERIFY(world.grab(crate, point, 60.0F));
        QVERIFY(world.moveGrab({3.0F, 7.0F, -2.0F}, 60.0F));
        float farthest = 0.0F; // beyond the place: it does not swing through
        for (int i = 0; i < 300; ++i) {
            world.step(Dt);
            farthest = std::max(farthest, world.grabbed()->point.x - 3.0F);
        }
        QVERIFY2(farthest < 0.5F, qPrintable(QString::number(static_cast<double>(farthest))));
        // It hangs: the centre below the hand, and still.
        run(world, 600);
        QVERIFY(glm::length(world.grabbed()->point - Vec3(3.0F, 7.0F, -2.0F)) < 0.05F);
        QVERIFY(glm::length(world.linearVelocity(crate)) < 0.05F);
        QVERIFY(near(world.pose(crate).position.x, 3.0F, 0.05F));
        QVERIFY(near(world.pose(crate).position.y, 7.0F - corner * std::sqrt(3.0F), 0.05F));
    }

    void letGoItFliesOnAndFalls() {
        PhysicsWorld world;
        const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 5.0F, 0.0F}));
        QVERIFY(world.grab(crate, {0.0F, 5.0F, 0.0F}, 100.0F));
        for (int i = 0; i < 30; ++i) {
            world.moveGrab({0.2F * static_cast<float>(i), 5.0F, 0.0F}, 100.0F); // 12 m/s
            world.step(Dt);
        }
        const Vec3 thrown = world.linearVelocity(crate);
        QVERIFY(thrown.x > 5.0F);
        world.releaseGrab();
        QVERIFY(!world.grabbed());
        run(world, 30);
        QVERIFY(near(world.linearVelocity(crate).x, thrown.x, 0.2F));
        QVERIFY(near(world.linearVelocity(crate).y, thrown.y - Gravity * 0.5F, 0.3F));
    }

    // As fast as its strength allows.
    void itPullsWithNoMoreThanItsStrength() {
        PhysicsWorld world;
        const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 5.0F, 0.0F}));
        QVERIFY(world.grab(crate, {0.0F, 5.0F, 0.0F}, 10.0F));
        world.moveGrab({1000.0F, 5.0F, 0.0F}, 10.0F);
        run(world, 60);
        QVERIFY(near(world.linearVelocity(crate).x, 10.0F, 0.2F));
        QVERIFY(near(world.linearVelocity(crate).y, 0.0F, 0.01F));
    }

    void whatSleepsIsWokenAndStaysAwake() {
        PhysicsWorld world;
        add(world, floor());
        const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
        run(world, 400);
        QVERIFY(world.sleeping(crate));
        QVERIFY(world.grab(crate, {0.0F, 1.0F, 0.0F}, 60.0F));
        run(world, 400);
        QVERIFY(!world.sleeping(crate));
        world.moveGrab({0.0F, 3.0F, 0.0F}, 60.0F);
        run(world, 120);
        QVERIFY(near(world.pose(crate).position.y, 2.5F, 0.1F));
    }

    void itEndsWithTheBodyAndHoldsNothingElse() {
        PhysicsWorld world;
        const BodyHandle ground = add(world, floor());
        const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 5.0F, 0.0F}));
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(!world.grab(ground, {0.0F, 0.0F, 0.0F}, 60.0F));
        QVERIFY(!world.grab(BodyHandle(), {0.0F, 0.0F, 0.0F}, 60.0F));
        QVERIFY(!world.grab(crate, Vec3(nan), 60.0F));
        QVERIFY(!world.grab(crate, Vec3(0.0F), 0.0F));
        QVERIFY(!world.moveGrab(Vec3(0.0F), 60.0F));
        QVERIFY(world.grab(crate, {0.0F, 5.0F, 0.0F}, 60.0F));
        QVERIFY(!world.moveGrab(Vec3(nan), 60.0F));
        QVERIFY(world.removeBody(crate));
        run(world, 2);
        QVERIFY(!world.grabbed());
        QVERIFY(!world.moveGrab(Vec3(0.0F), 60.0F));
        // Another body in its place is not held.
        const BodyHandle other = add(world, box(Vec3(1.0F), {0.0F, 5.0F, 0.0F}));
        run(world, 30);
        QVERIFY(world.linearVelocity(other).y < -4.0F);
    }
};

QTEST_GUILESS_MAIN(TestGrab)
#include "tst_grab.moc"
