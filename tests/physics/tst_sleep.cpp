#include "physics_fixture.h"

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

// Islands that fall asleep leave the loops of the world; these tests see that nobody can tell.
class TestSleep : public QObject {
    Q_OBJECT

private slots:
    void fallsAsleepAndCostsNothing();
    void bulletWakesWhatItHits();
    void wholeStackWakesWithItsFoot();
    void wakingKeepsTheStackStanding();
    void noContactFlickersWhileSleepingAndWaking();
    void gravityWakesAll();
    void teleportedSupportLetsFall();
    void newNeighbourWakes();
    void kinematicThatStoodStillWakesItsLoad();
    void slowKinematicIsNotForgotten();
    void idleVelocityDoesNotWake();
    void aCorrectedBodySleepsOn();
    void correctingDoesNotKeepAwake();
    void whatCannotBeCorrectedIsLeftAlone();
};

namespace {

std::vector<BodyHandle> addStack(PhysicsWorld& world, int count) {
    std::vector<BodyHandle> stack;
    for (int i = 0; i < count; ++i) {
        stack.push_back(add(world, box(Vec3(1.0F), {0.0F, 0.5F + static_cast<float>(i), 0.0F})));
    }
    return stack;
}

} // namespace

void TestSleep::fallsAsleepAndCostsNothing() {
    PhysicsWorld world;
    add(world, floor());
    std::vector<BodyHandle> crates;
    for (int i = 0; i < 100; ++i) {
        crates.push_back(add(world, box(Vec3(1.0F), {static_cast<float>(i % 10) * 2.0F, 0.6F,
                                                     static_cast<float>(i / 10) * 2.0F})));
    }
    run(world, 400);
    QCOMPARE(world.activeCount(), std::size_t(0));
    for (const BodyHandle crate : crates) {
        QVERIFY(world.sleeping(crate));
        QCOMPARE(world.linearVelocity(crate), Vec3(0.0F));
    }
}

void TestSleep::bulletWakesWhatItHits() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle near1 = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    const BodyHandle far1 = add(world, box(Vec3(1.0F), {20.0F, 0.5F, 0.0F}));
    run(world, 400);
    BodyDesc shot = ball(0.2F, {-5.0F, 0.5F, 0.0F});
    shot.mass = 2.0F;
    shot.linearVelocity = {15.0F, 0.0F, 0.0F};
    add(world, shot);
    run(world, 60);
    QVERIFY(world.pose(near1).position.x > 0.3F);
    QVERIFY(world.sleeping(far1));
}

void TestSleep::wholeStackWakesWithItsFoot() {
    PhysicsWorld world;
    add(world, floor());
    const std::vector<BodyHandle> stack = addStack(world, 5);
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    world.removeBody(stack[0]);
    run(world, 90);
    for (std::size_t i = 1; i < stack.size(); ++i) {
        QVERIFY(near(world.pose(stack[i]).position.y, static_cast<float>(i) - 0.5F, 0.05F));
    }
}

void TestSleep::wakingKeepsTheStackStanding() {
    PhysicsWorld world;
    add(world, floor());
    const std::vector<BodyHandle> stack = addStack(world, 10);
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    std::vector<Vec3> before;
    for (const BodyHandle crate : stack) {
        before.push_back(world.pose(crate).position);
    }
    for (int round = 0; round < 20; ++round) {
        world.wake(stack[static_cast<std::size_t>(round % 10)]);
        QCOMPARE(world.activeCount(), std::size_t(10));
        run(world, 200);
        QCOMPARE(world.activeCount(), std::size_t(0));
    }
    for (std::size_t i = 0; i < stack.size(); ++i) {
        QVERIFY(glm::length(world.pose(stack[i]).position - before[i]) < 0.1F);
    }
}

void TestSleep::noContactFlickersWhileSleepingAndWaking() {
    PhysicsWorld world;
    add(world, floor());
    const std::vector<BodyHandle> stack = addStack(world, 6);
    int begins = 0;
    int ends = 0;
    const auto watch = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            world.step(Dt);
            begins += static_cast<int>(world.begins().size());
            ends += static_cast<int>(world.ends().size());
        }
    };
    watch(600);
    QCOMPARE(begins, 6);
    QCOMPARE(ends, 0);
    for (int round = 0; round < 5; ++round) {
        world.wake(stack[3]);
        watch(1);
        QCOMPARE(world.persisting().size(), std::size_t(6));
        watch(300);
        QCOMPARE(world.activeCount(), std::size_t(0));
        QVERIFY(world.persisting().empty());
    }
    QCOMPARE(begins, 6);
    QCOMPARE(ends, 0);
    for (const BodyHandle crate : stack) {
        world.removeBody(crate);
    }
    watch(1);
    QCOMPARE(ends, 6);
}

void TestSleep::gravityWakesAll() {
    PhysicsWorld world;
    add(world, floor());
    const std::vector<BodyHandle> stack = addStack(world, 3);
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    QVERIFY(world.setGravity({0.0F, 2.0F, 0.0F}));
    run(world, 60);
    QVERIFY(world.pose(stack[2]).position.y > 3.0F);
}

void TestSleep::teleportedSupportLetsFall() {
    PhysicsWorld world;
    const BodyHandle shelf = add(world, box({4.0F, 1.0F, 4.0F}, {0.0F, 9.5F, 0.0F}, Motion::Static));
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 10.5F, 0.0F}));
    run(world, 400);
    QVERIFY(world.sleeping(crate));
    QVERIFY(world.setPose(shelf, Pose{{30.0F, 9.5F, 0.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)}));
    run(world, 60);
    QVERIFY(world.pose(crate).position.y < 7.0F);
}

void TestSleep::newNeighbourWakes() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 400);
    QVERIFY(world.sleeping(crate));
    add(world, box({1.0F, 1.0F, 4.0F}, {0.8F, 0.5F, 0.0F}, Motion::Static)); // appears inside it
    run(world, 120);
    QVERIFY(world.pose(crate).position.x < -0.15F);
}

void TestSleep::kinematicThatStoodStillWakesItsLoad() {
    PhysicsWorld world;
    const BodyHandle lift = add(world, box({4.0F, 1.0F, 4.0F}, {0.0F, -0.5F, 0.0F}, Motion::Kinematic));
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    Pose pose = world.pose(lift);
    for (int i = 0; i < 60; ++i) {
        pose.position.y -= 1.0F * Dt;
        world.moveKinematic(lift, pose);
        world.step(Dt);
    }
    QVERIFY(near(world.pose(crate).position.y, -0.5F, 0.03F));
}

void TestSleep::slowKinematicIsNotForgotten() {
    PhysicsWorld world;
    const BodyHandle lift = add(world, box({4.0F, 1.0F, 4.0F}, {0.0F, -0.5F, 0.0F}, Motion::Kinematic));
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    Pose pose = world.pose(lift);
    for (int i = 0; i < 60 * 20; ++i) { // 5 cm a second, far below any sleeping threshold
        pose.position.y += 0.05F * Dt;
        world.moveKinematic(lift, pose);
        world.step(Dt);
    }
    QVERIFY(near(world.pose(lift).position.y, 0.5F, 1e-3F));
    QVERIFY(near(world.pose(crate).position.y, 1.5F, 0.03F));
}

void TestSleep::idleVelocityDoesNotWake() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 400);
    QVERIFY(world.setLinearVelocity(crate, Vec3(0.0F)));
    QVERIFY(world.setAngularVelocity(crate, Vec3(0.0F)));
    QVERIFY(world.sleeping(crate));
    QVERIFY(world.setLinearVelocity(crate, {1.0F, 0.0F, 0.0F}));
    QVERIFY(!world.sleeping(crate));
}

void TestSleep::aCorrectedBodySleepsOn() {
    PhysicsWorld world;
    add(world, floor());
    const std::vector<BodyHandle> stack = addStack(world, 3);
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    const Vec3 before = world.pose(stack[1]).position;
    Pose place = world.pose(stack[1]);
    place.position.x += 0.05F;
    QVERIFY(world.correctPose(stack[1], place));
    QVERIFY(glm::length(world.pose(stack[1]).position - place.position) < 1e-5F);
    run(world, 100);
    QCOMPARE(world.activeCount(), std::size_t(0));
    QVERIFY(glm::length(world.pose(stack[1]).position - place.position) < 1e-5F);
    // It is found where it is now, and no more where it was.
    const auto down = [&](float x) { return world.raycast({x, before.y, 5.0F}, {x, before.y, -5.0F}); };
    QVERIFY(down(0.53F).has_value());
    QVERIFY(!down(-0.48F).has_value());
    // It wakes as ever, and with it what it touches.
    world.wake(stack[1]);
    run(world, 1);
    QCOMPARE(world.activeCount(), std::size_t(3));
}

// Twice a second for as long as it takes: the body falls asleep all the same.
void TestSleep::correctingDoesNotKeepAwake() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    const Pose rest = world.pose(crate);
    for (int i = 0; i < 10; ++i) {
        run(world, 30);
        QVERIFY(world.correctPose(crate, rest));
    }
    QVERIFY(world.sleeping(crate));
    QCOMPARE(world.pose(crate).position, rest.position);
}

void TestSleep::whatCannotBeCorrectedIsLeftAlone() {
    PhysicsWorld world;
    const BodyHandle ground = add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    Pose place = world.pose(crate);
    QVERIFY(!world.correctPose(ground, place)); // static
    QVERIFY(!world.correctPose(BodyHandle(), place));
    place.position.y = std::numeric_limits<float>::infinity();
    QVERIFY(!world.correctPose(crate, place));
    QVERIFY(std::isfinite(world.pose(crate).position.y));
    world.removeBody(crate);
    QVERIFY(!world.correctPose(crate, Pose()));
}

QTEST_GUILESS_MAIN(TestSleep)
#include "tst_sleep.moc"
