#include "physics_fixture.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestContacts : public QObject {
    Q_OBJECT

private slots:
    void landingBeginsOnceAndRestPersists();
    void impulseAtRestIsWeightTimesStep();
    void impulseOfACollisionIsTheChangeOfMomentum();
    void orderIsByCreation();
    void removedBodyEnds();
    void removedSleeperEnds();
    void triggerSensesWhatPasses_data();
    void triggerSensesWhatPasses();
    void triggerPushesNothing();
    void movingTriggerLetsSleepersSleep();
    void stillTriggerSensesSleepersAround();
    void triggersDoNotSenseEachOther();
    void removedTriggerEnds();
};

namespace {

int count(const std::vector<Contact>& contacts, BodyHandle body) {
    return static_cast<int>(std::count_if(contacts.begin(), contacts.end(), [body](const Contact& contact) {
        return contact.a == body || contact.b == body;
    }));
}

} // namespace

void TestContacts::landingBeginsOnceAndRestPersists() {
    PhysicsWorld world;
    BodyDesc ground = floor();
    const BodyHandle stone = add(world, ground);
    BodyDesc desc = box(Vec3(1.0F), {3.0F, 1.0F, -2.0F});
    desc.user = 42;
    const BodyHandle crate = add(world, desc);
    int begins = 0;
    int ends = 0;
    int persists = 0;
    for (int i = 0; i < 600; ++i) {
        world.step(Dt);
        begins += static_cast<int>(world.begins().size());
        ends += static_cast<int>(world.ends().size());
        persists += static_cast<int>(world.persisting().size());
        for (const Contact& contact : world.begins()) {
            QCOMPARE(contact.a, stone);
            QCOMPARE(contact.b, crate);
            QCOMPARE(contact.userA, std::uint64_t(1000));
            QCOMPARE(contact.userB, std::uint64_t(42));
            QVERIFY(contact.normal.y < -0.999F); // from b, the crate, to a, the floor
            QVERIFY(std::abs(contact.point.y) < 0.05F);
            QVERIFY(near(contact.point.x, 3.0F, 0.1F));
            QVERIFY(near(contact.point.z, -2.0F, 0.1F));
            QVERIFY(contact.impulse > 1.0F);
            QVERIFY(!contact.trigger);
        }
    }
    QCOMPARE(begins, 1);
    QCOMPARE(ends, 0);
    QVERIFY(persists > 60);
    QVERIFY(world.persisting().empty()); // asleep
    QVERIFY(world.sleeping(crate));
    world.setLinearVelocity(crate, {0.0F, 5.0F, 0.0F});
    for (int i = 0; i < 10; ++i) {
        world.step(Dt);
        begins += static_cast<int>(world.begins().size());
        ends += static_cast<int>(world.ends().size());
    }
    QCOMPARE(begins, 1);
    QCOMPARE(ends, 1);
}

void TestContacts::impulseAtRestIsWeightTimesStep() {
    for (const float mass : {0.1F, 5.0F, 2000.0F}) {
        PhysicsWorld world;
        add(world, floor());
        BodyDesc desc = box(Vec3(1.0F), {0.0F, 0.5F, 0.0F});
        desc.mass = mass;
        add(world, desc);
        run(world, 60);
        QCOMPARE(world.persisting().size(), std::size_t(1));
        QVERIFY(near(world.persisting()[0].impulse, mass * Gravity * Dt, 0.02F * mass * Gravity * Dt));
        QVERIFY(near(world.persisting()[0].depth, 0.0F, 0.01F));
    }
}

void TestContacts::impulseOfACollisionIsTheChangeOfMomentum() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc left = ball(0.5F, {-2.0F, 0.0F, 0.0F});
    left.mass = 2.0F;
    left.restitution = 1.0F;
    left.friction = 0.0F;
    left.linearVelocity = {3.0F, 0.0F, 0.0F};
    BodyDesc right = ball(0.5F, {0.0F, 0.0F, 0.0F});
    right.mass = 1.0F;
    right.friction = 0.0F;
    const BodyHandle a = add(world, left);
    const BodyHandle b = add(world, right);
    float impulse = 0.0F;
    for (int i = 0; i < 60; ++i) {
        world.step(Dt);
        for (const auto* list : {&world.begins(), &world.persisting()}) {
            for (const Contact& contact : *list) {
                impulse += contact.impulse;
                QVERIFY(contact.normal.x < -0.99F); // b, on the right, pushes a to the left
            }
        }
    }
    // Elastic: v1' = (m1 - m2) / (m1 + m2) v = 1, v2' = 2 m1 / (m1 + m2) v = 4
    QVERIFY(near(world.linearVelocity(a).x, 1.0F, 0.02F));
    QVERIFY(near(world.linearVelocity(b).x, 4.0F, 0.02F));
    QVERIFY(near(impulse, 4.0F, 0.05F));
}

void TestContacts::orderIsByCreation() {
    PhysicsWorld world;
    add(world, floor());
    std::vector<BodyHandle> crates;
    const BodyHandle gone = add(world, ball(0.1F, {50.0F, 50.0F, 50.0F}));
    for (int i = 0; i < 6; ++i) {
        crates.push_back(add(world, box(Vec3(1.0F), {static_cast<float>(5 - i) * 1.01F, 0.5F, 0.0F})));
    }
    world.removeBody(gone);
    crates.push_back(
        add(world, box(Vec3(1.0F), {6.06F, 0.5F, 0.0F}))); // reuses the slot of `gone`, is still last
    run(world, 2);
    std::vector<BodyHandle> seen;
    for (const Contact& contact : world.persisting()) {
        if (contact.userA == 1000) {
            seen.push_back(contact.b);
        }
    }
    QCOMPARE(seen, crates);
}

void TestContacts::removedBodyEnds() {
    PhysicsWorld world;
    const BodyHandle ground = add(world, floor());
    BodyDesc desc = box(Vec3(1.0F), {0.0F, 0.5F, 0.0F});
    desc.user = 5;
    const BodyHandle below = add(world, desc);
    desc.pose.position.y = 1.5F;
    desc.user = 6;
    const BodyHandle above = add(world, desc);
    run(world, 10);
    QVERIFY(world.removeBody(below));
    world.step(Dt);
    QCOMPARE(world.ends().size(), std::size_t(2));
    QCOMPARE(world.ends()[0].a, ground);
    QCOMPARE(world.ends()[0].b, below);
    QCOMPARE(world.ends()[0].userB, std::uint64_t(5));
    QCOMPARE(world.ends()[1].a, below);
    QCOMPARE(world.ends()[1].b, above);
    world.step(Dt);
    QVERIFY(world.ends().empty());
    run(world, 60);
    QVERIFY(near(world.pose(above).position.y, 0.5F, 0.02F));
}

void TestContacts::removedSleeperEnds() {
    PhysicsWorld world;
    const BodyHandle ground = add(world, floor());
    std::vector<BodyHandle> crates;
    for (int i = 0; i < 3; ++i) {
        crates.push_back(add(world, box(Vec3(1.0F), {0.0F, 0.5F + static_cast<float>(i), 0.0F})));
    }
    run(world, 600);
    QCOMPARE(world.activeCount(), std::size_t(0));
    // The floor goes: all that slept on it falls.
    QVERIFY(world.removeBody(ground));
    world.step(Dt);
    QCOMPARE(count(world.ends(), ground), 1);
    QVERIFY(world.begins().empty());
    QCOMPARE(world.activeCount(), std::size_t(3));
    run(world, 60);
    QVERIFY(world.pose(crates[2]).position.y < 0.0F);
}

void TestContacts::triggerSensesWhatPasses_data() {
    QTest::addColumn<int>("triggerMotion");
    QTest::addColumn<int>("otherMotion");
    QTest::addColumn<bool>("senses");
    QTest::newRow("still trigger, dynamic body") << int(Motion::Static) << int(Motion::Dynamic) << true;
    QTest::newRow("still trigger, kinematic body") << int(Motion::Static) << int(Motion::Kinematic) << true;
    QTest::newRow("moving trigger, static body") << int(Motion::Kinematic) << int(Motion::Static) << true;
    QTest::newRow("moving trigger, resting kinematic")
        << int(Motion::Kinematic) << int(Motion::Kinematic) << true;
    QTest::newRow("moving trigger, dynamic body") << int(Motion::Kinematic) << int(Motion::Dynamic) << true;
    QTest::newRow("falling trigger, static body") << int(Motion::Dynamic) << int(Motion::Static) << true;
}

void TestContacts::triggerSensesWhatPasses() {
    QFETCH(int, triggerMotion);
    QFETCH(int, otherMotion);
    QFETCH(bool, senses);
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc sensor = box(Vec3(2.0F), {0.0F, 0.0F, 0.0F}, static_cast<Motion>(triggerMotion));
    sensor.trigger = true;
    BodyDesc body = box(Vec3(1.0F), {0.0F, 0.0F, 0.0F}, static_cast<Motion>(otherMotion));
    const bool sensorMoves = static_cast<Motion>(triggerMotion) != Motion::Static;
    BodyDesc& mover = sensorMoves ? sensor : body;
    mover.pose.position.x = -6.0F;
    if (mover.motion == Motion::Dynamic) {
        mover.linearVelocity.x = 4.0F;
    }
    const BodyHandle s = add(world, sensor);
    const BodyHandle b = add(world, body);
    const BodyHandle m = sensorMoves ? s : b;
    int begins = 0;
    int ends = 0;
    float beganAt = 0.0F;
    float endedAt = 0.0F;
    for (int i = 0; i < 300; ++i) {
        if (mover.motion == Motion::Kinematic) {
            Pose pose = world.pose(m);
            pose.position.x += 4.0F * Dt;
            world.moveKinematic(m, pose);
        }
        world.step(Dt);
        for (const Contact& contact : world.begins()) {
            QVERIFY(contact.trigger);
            QCOMPARE(contact.impulse, 0.0F);
            beganAt = world.pose(m).position.x;
            ++begins;
        }
        if (!world.ends().empty()) {
            endedAt = world.pose(m).position.x;
            ++ends;
        }
    }
    QCOMPARE(begins, senses ? 1 : 0);
    QCOMPARE(ends, senses ? 1 : 0);
    // Half edges 1 and 0.5 touch at 1.5. Contacts are looked for where a dynamic body is when the step
    // begins.
    if (senses) {
        QVERIFY(near(beganAt, -1.5F, 2.0F * 4.0F * Dt + 0.01F));
        QVERIFY(near(endedAt, 1.5F, 2.0F * 4.0F * Dt + 0.01F));
    }
}

void TestContacts::triggerPushesNothing() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc sensor = box(Vec3(2.0F), {0.0F, 0.0F, 0.0F}, Motion::Static);
    sensor.trigger = true;
    add(world, sensor);
    BodyDesc shot = ball(0.2F, {-4.0F, 0.0F, 0.0F});
    shot.linearVelocity = {4.0F, 0.0F, 0.0F};
    const BodyHandle body = add(world, shot);
    run(world, 120);
    QVERIFY(near(world.pose(body).position.x, 4.0F, 1e-3F));
    QCOMPARE(world.linearVelocity(body), Vec3(4.0F, 0.0F, 0.0F));
}

void TestContacts::movingTriggerLetsSleepersSleep() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 300);
    QVERIFY(world.sleeping(crate));
    BodyDesc ghost = ball(0.5F, {-5.0F, 0.5F, 0.0F});
    ghost.motion = Motion::Kinematic;
    ghost.trigger = true;
    const BodyHandle phantom = add(world, ghost);
    int begins = 0;
    int ends = 0;
    for (int i = 0; i < 300; ++i) {
        Pose pose = world.pose(phantom);
        pose.position.x += 2.0F * Dt;
        world.moveKinematic(phantom, pose);
        world.step(Dt);
        begins += count(world.begins(), crate);
        ends += count(world.ends(), crate);
        QVERIFY(world.sleeping(crate));
    }
    QCOMPARE(begins, 1);
    QCOMPARE(ends, 1);
}

void TestContacts::stillTriggerSensesSleepersAround() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 300);
    QVERIFY(world.sleeping(crate));
    BodyDesc zone = box(Vec3(4.0F), {0.0F, 0.0F, 0.0F}, Motion::Static);
    zone.trigger = true;
    const BodyHandle sensor = add(world, zone);
    int begins = 0;
    int ends = 0;
    for (int i = 0; i < 400; ++i) {
        world.step(Dt);
        begins += count(world.begins(), sensor);
        ends += count(world.ends(), sensor);
    }
    QCOMPARE(begins, 1);
    QCOMPARE(ends, 0);
    QVERIFY(world.sleeping(crate)); // asleep again, inside
    QVERIFY(world.setPose(sensor, Pose{{50.0F, 0.0F, 0.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)}));
    for (int i = 0; i < 10; ++i) {
        world.step(Dt);
        ends += count(world.ends(), sensor);
    }
    QCOMPARE(ends, 1);
}

void TestContacts::triggersDoNotSenseEachOther() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc zone = box(Vec3(4.0F), Vec3(0.0F), Motion::Kinematic);
    zone.trigger = true;
    add(world, zone);
    add(world, zone);
    run(world, 3);
    QVERIFY(world.begins().empty());
    QVERIFY(world.persisting().empty());
}

void TestContacts::removedTriggerEnds() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc zone = box(Vec3(4.0F), Vec3(0.0F), Motion::Static);
    zone.trigger = true;
    const BodyHandle sensor = add(world, zone);
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 400);
    QVERIFY(world.sleeping(crate));
    QVERIFY(world.removeBody(sensor));
    world.step(Dt);
    QCOMPARE(count(world.ends(), sensor), 1);
    QCOMPARE(count(world.ends(), crate), 1);
}

QTEST_GUILESS_MAIN(TestContacts)
#include "tst_contacts.moc"
