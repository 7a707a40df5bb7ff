#include "physics_fixture.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestPhysicsWorld : public QObject {
    Q_OBJECT

private slots:
    void fallsAsSemiImplicitEulerSays();
    void gravityScaleAndWorldGravity();
    void tenCratesStand_data();
    void tenCratesStand();
    void rollsOn();
    void bouncesToTheSquareOfItsRestitution_data();
    void bouncesToTheSquareOfItsRestitution();
    void frictionHoldsUpToItsAngle();
    void everyShapeRestsAtItsHalfHeight_data();
    void everyShapeRestsAtItsHalfHeight();
    void kinematicCarriesAndPushes();
    void changeBodyKeepsPoseAndVelocity();
    void changeBodyGrowsWhileRunning();
    void changeBodyChangesMotion();
    void forcesImpulsesAndTorques();
    void hullTurnsAboutItsCentreOfMass();
    void uprightBodyStaysUpright();
    void continuousBodyDoesNotPassAWall();
    void groundContactTellsWhereToStand();
    void movedListsWhatFellAsleep();
    void movedListsWhatMoved();
    void handlesGoStale();
};

void TestPhysicsWorld::fallsAsSemiImplicitEulerSays() {
    PhysicsWorld world;
    const BodyHandle body = add(world, box(Vec3(1.0F), {0.0F, 10.0F, 0.0F}));
    run(world, 60);
    // Semi-implicit Euler: v first, then y, so after n steps the drop is g dt² n (n + 1) / 2.
    const double drop = 10.0 - static_cast<double>(world.pose(body).position.y);
    QVERIFY(std::abs(drop - 9.81 / 3600.0 * 60.0 * 61.0 / 2.0) < 1e-4);
    QVERIFY(std::abs(drop - 9.81 / 2.0) < 0.02 * 9.81 / 2.0);
    QVERIFY(near(world.linearVelocity(body).y, -Gravity, 1e-4F));
}

void TestPhysicsWorld::gravityScaleAndWorldGravity() {
    PhysicsWorld world;
    BodyDesc floating = box(Vec3(1.0F), {0.0F, 10.0F, 0.0F});
    floating.gravityScale = 0.0F;
    BodyDesc rising = box(Vec3(1.0F), {5.0F, 10.0F, 0.0F});
    rising.gravityScale = -0.5F;
    const BodyHandle a = add(world, floating);
    const BodyHandle b = add(world, rising);
    run(world, 60);
    QCOMPARE(world.pose(a).position.y, 10.0F);
    QVERIFY(near(world.linearVelocity(b).y, 0.5F * Gravity, 1e-4F));
    QVERIFY(world.setGravity({1.0F, 0.0F, 0.0F}));
    run(world, 60);
    QVERIFY(near(world.linearVelocity(b).x, -0.5F, 1e-4F));
    QVERIFY(near(world.linearVelocity(a).x, 0.0F, 1e-6F));
}

void TestPhysicsWorld::tenCratesStand_data() {
    QTest::addColumn<bool>("keptAwake");
    QTest::newRow("as it is") << false;
    QTest::newRow("kept awake") << true;
}

void TestPhysicsWorld::tenCratesStand() {
    QFETCH(bool, keptAwake);
    PhysicsWorld world;
    add(world, floor());
    std::vector<BodyHandle> crates;
    for (int i = 0; i < 10; ++i) {
        crates.push_back(add(world, box(Vec3(1.0F), {0.0F, 0.5F + static_cast<float>(i), 0.0F})));
    }
    float largestDrift = 0.0F;
    float largestTilt = 0.0F;
    for (int s = 0; s < 60 * 60; ++s) {
        if (keptAwake && s % 60 == 0) {
            world.wake(crates[0]);
        }
        world.step(Dt);
        for (std::size_t i = 0; i < crates.size(); ++i) {
            const Pose pose = world.pose(crates[i]);
            const Vec3 start{0.0F, 0.5F + static_cast<float>(i), 0.0F};
            largestDrift = std::max(largestDrift, glm::length(pose.position - start));
            const Vec3 up = pose.rotation * Vec3(0.0F, 1.0F, 0.0F);
            largestTilt = std::max(largestTilt, std::acos(std::min(up.y, 1.0F)));
        }
    }
    qInfo("drift at most %.4f m, tilt at most %.4f rad, awake at the end: %zu",
          static_cast<double>(largestDrift), static_cast<double>(largestTilt), world.activeCount());
    QVERIFY(largestDrift < (keptAwake ? 0.1F : 0.05F));
    QVERIFY(largestTilt < 0.02F);
    QCOMPARE(world.activeCount(), keptAwake ? std::size_t(10) : std::size_t(0));
}

void TestPhysicsWorld::bouncesToTheSquareOfItsRestitution_data() {
    QTest::addColumn<float>("restitution");
    QTest::newRow("dead") << 0.0F;
    QTest::newRow("half") << 0.5F;
    QTest::newRow("lively") << 0.8F;
}

void TestPhysicsWorld::bouncesToTheSquareOfItsRestitution() {
    QFETCH(float, restitution);
    PhysicsWorld world;
    add(world, floor());
    BodyDesc desc = ball(0.5F, {0.0F, 2.5F, 0.0F});
    desc.restitution = restitution;
    const BodyHandle body = add(world, desc);
    bool bounced = false;
    float peak = 0.0F;
    for (int i = 0; i < 120; ++i) {
        world.step(Dt);
        bounced = bounced || !world.begins().empty();
        if (bounced) {
            peak = std::max(peak, world.pose(body).position.y - 0.5F);
            if (!world.begins().empty() && peak > 0.3F) {
                break;
            }
        }
    }
    QVERIFY(bounced);
    // Drop height 2 m; the fixed step moves the moment of impact by up to v dt = 0.1 m.
    QVERIFY(near(peak, 2.0F * restitution * restitution, 0.15F));
}

void TestPhysicsWorld::frictionHoldsUpToItsAngle() {
    for (const float friction : {0.3F, 0.6F}) {
        for (const float side : {-1.0F, 1.0F}) {
            const float angle = std::atan(friction) + side * 0.05F;
            PhysicsWorld world;
            const Quat tilt = glm::angleAxis(angle, Vec3(0.0F, 0.0F, 1.0F)); // downhill is -x
            BodyDesc ramp = box({60.0F, 1.0F, 10.0F}, {0.0F, 0.0F, 0.0F}, Motion::Static);
            ramp.pose.rotation = tilt;
            ramp.friction = friction;
            add(world, ramp);
            BodyDesc crate = box({1.0F, 0.5F, 1.0F}, tilt * Vec3(0.0F, 0.75F, 0.0F));
            crate.pose.rotation = tilt;
            crate.friction = friction;
            const BodyHandle body = add(world, crate);
            run(world, 120);
            const Vec3 downhill = tilt * Vec3(-1.0F, 0.0F, 0.0F);
            const float slid = glm::dot(world.pose(body).position - crate.pose.position, downhill);
            if (side < 0.0F) {
                QVERIFY(near(slid, 0.0F, 0.03F));
            } else {
                // a = g (sin - friction cos), for two seconds
                const float a = Gravity * (std::sin(angle) - friction * std::cos(angle));
                QVERIFY(near(slid, 2.0F * a, 0.1F * 2.0F * a + 0.02F));
            }
        }
    }
}

void TestPhysicsWorld::rollsOn() {
    // A ball on the level keeps its speed; the seams of a mesh cost it a little, but do not make it hop.
    for (const bool mesh : {false, true}) {
        PhysicsWorld level;
        BodyDesc ground = floor();
        if (mesh) {
            ground.shape.kind = ShapeDesc::Kind::Mesh;
            ground.pose.position = Vec3(0.0F);
            for (std::uint32_t i = 0; i <= 20; ++i) {
                ground.shape.points.emplace_back(static_cast<float>(i) - 1.0F, 0.0F, -2.0F);
                ground.shape.points.emplace_back(static_cast<float>(i) - 1.0F, 0.0F, 2.0F);
                if (i < 20) {
                    for (const std::uint32_t k : {0U, 1U, 2U, 1U, 3U, 2U}) {
                        ground.shape.indices.push_back(2 * i + k);
                    }
                }
            }
        }
        add(level, ground);
        BodyDesc desc = ball(0.3F, {0.0F, 0.3F, 0.0F});
        desc.linearVelocity = {2.0F, 0.0F, 0.0F};
        desc.angularVelocity = {0.0F, 0.0F, -2.0F / 0.3F};
        const BodyHandle rolling = add(level, desc);
        for (int i = 0; i < 300; ++i) {
            level.step(Dt);
            QVERIFY(near(level.pose(rolling).position.y, 0.3F, 0.006F));
        }
        QVERIFY(near(level.pose(rolling).position.x, 10.0F, mesh ? 0.5F : 0.05F));
        QVERIFY(near(level.pose(rolling).position.z, 0.0F, 0.1F));
    }

    // On a ramp it gains 5/7 g sin of the slope.
    PhysicsWorld sloping;
    const float angle = 0.2F;
    BodyDesc ramp = box({100.0F, 1.0F, 4.0F}, Vec3(0.0F), Motion::Static);
    ramp.pose.rotation = glm::angleAxis(-angle, Vec3(0.0F, 0.0F, 1.0F));
    add(sloping, ramp);
    const BodyHandle descending = add(sloping, ball(0.3F, ramp.pose.rotation * Vec3(0.0F, 0.8F, 0.0F)));
    run(sloping, 120);
    const float expected = 5.0F / 7.0F * Gravity * std::sin(angle) * 2.0F;
    QVERIFY(near(glm::length(sloping.linearVelocity(descending)), expected, 0.05F * expected));
}

void TestPhysicsWorld::everyShapeRestsAtItsHalfHeight_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("onMesh");
    QTest::addColumn<float>("height");
    for (const bool mesh : {false, true}) {
        const char* ground = mesh ? "on a mesh" : "on a plane";
        QTest::addRow("box %s", ground) << static_cast<int>(ShapeDesc::Kind::Box) << mesh << 0.3F;
        QTest::addRow("sphere %s", ground) << static_cast<int>(ShapeDesc::Kind::Sphere) << mesh << 0.4F;
        QTest::addRow("capsule %s", ground) << static_cast<int>(ShapeDesc::Kind::Capsule) << mesh << 0.9F;
        QTest::addRow("cylinder %s", ground) << static_cast<int>(ShapeDesc::Kind::Cylinder) << mesh << 0.9F;
        QTest::addRow("hull %s", ground) << static_cast<int>(ShapeDesc::Kind::Hull) << mesh << 0.25F;
    }
}

void TestPhysicsWorld::everyShapeRestsAtItsHalfHeight() {
    QFETCH(int, kind);
    QFETCH(bool, onMesh);
    QFETCH(float, height);
    PhysicsWorld world;
    BodyDesc ground;
    ground.motion = Motion::Static;
    if (onMesh) {
        ground.shape.kind = ShapeDesc::Kind::Mesh;
        ground.shape.points = {{-20, 0, -20}, {20, 0, -20}, {20, 0, 20}, {-20, 0, 20}};
        ground.shape.indices = {0, 2, 1, 0, 3, 2};
    } else {
        ground.shape.kind = ShapeDesc::Kind::Plane;
    }
    add(world, ground);
    BodyDesc desc;
    desc.shape.kind = static_cast<ShapeDesc::Kind>(kind);
    desc.shape.size = {0.6F, 0.6F, 0.6F};
    desc.shape.radius = 0.4F;
    desc.shape.height = 1.8F;
    for (const float x : {-0.5F, 0.5F}) {
        for (const float y : {-0.25F, 0.25F}) {
            for (const float z : {-0.5F, 0.5F}) {
                desc.shape.points.push_back({x, y, z});
            }
        }
    }
    desc.uprightOnly = true;
    desc.rollingFriction = 0.1F;
    desc.pose.position = {0.3F, height + 0.2F, 0.1F};
    const BodyHandle body = add(world, desc);
    run(world, 240);
    QVERIFY(near(world.pose(body).position.y, height, 0.012F));
    QVERIFY(world.sleeping(body));
}

void TestPhysicsWorld::kinematicCarriesAndPushes() {
    PhysicsWorld world;
    const BodyHandle lift = add(world, box({4.0F, 1.0F, 4.0F}, {0.0F, -0.5F, 0.0F}, Motion::Kinematic));
    const BodyHandle crate = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 300); // both fall asleep
    QVERIFY(world.sleeping(crate));
    Pose pose = world.pose(lift);
    for (int i = 0; i < 120; ++i) {
        pose.position += Vec3(0.5F, 0.5F, 0.0F) * Dt;
        QVERIFY(world.moveKinematic(lift, pose));
        world.step(Dt);
        QVERIFY(near(world.linearVelocity(lift).y, 0.5F, 1e-3F));
    }
    QVERIFY(near(world.pose(lift).position.y, 0.5F, 1e-4F));
    QVERIFY(near(world.pose(crate).position.y, 1.5F, 0.03F));
    QVERIFY(near(world.pose(crate).position.x, 1.0F, 0.1F));
    world.step(Dt); // no target: it stands
    QCOMPARE(world.linearVelocity(lift), Vec3(0.0F));
    // Into the crate from the side.
    const BodyHandle ram = add(world, box(Vec3(1.0F), {-4.0F, 1.6F, 0.0F}, Motion::Kinematic));
    pose = world.pose(ram);
    for (int i = 0; i < 240; ++i) {
        pose.position.x += 1.5F * Dt;
        world.moveKinematic(ram, pose);
        world.step(Dt);
    }
    QVERIFY(world.pose(crate).position.x > 2.9F);
}

void TestPhysicsWorld::changeBodyKeepsPoseAndVelocity() {
    PhysicsWorld world;
    BodyDesc desc = box(Vec3(1.0F), {3.0F, 20.0F, -2.0F});
    desc.pose.rotation = glm::angleAxis(0.7F, glm::normalize(Vec3(1.0F, 2.0F, 3.0F)));
    desc.linearVelocity = {1.0F, 2.0F, 3.0F};
    desc.angularVelocity = {0.0F, 1.5F, 0.0F};
    desc.user = 7;
    const BodyHandle body = add(world, desc);
    run(world, 10);
    const Pose pose = world.pose(body);
    const Vec3 velocity = world.linearVelocity(body);
    const Vec3 spin = world.angularVelocity(body);
    BodyDesc heavy = desc;
    heavy.mass = 50.0F;
    heavy.shape.kind = ShapeDesc::Kind::Sphere;
    heavy.user = 8;
    heavy.pose.position = {99.0F, 99.0F, 99.0F}; // ignored
    QVERIFY(world.changeBody(body, heavy).ok());
    QCOMPARE(world.mass(body), 50.0F);
    QCOMPARE(world.user(body), std::uint64_t(8));
    QVERIFY(glm::length(world.pose(body).position - pose.position) < 1e-5F);
    QVERIFY(std::abs(glm::dot(world.pose(body).rotation, pose.rotation)) > 0.999999F);
    QCOMPARE(world.linearVelocity(body), velocity);
    QCOMPARE(world.angularVelocity(body), spin);
    // The new mass is what an impulse meets.
    world.applyImpulse(body, {100.0F, 0.0F, 0.0F});
    QVERIFY(near(world.linearVelocity(body).x, velocity.x + 2.0F, 1e-4F));
}

void TestPhysicsWorld::changeBodyGrowsWhileRunning() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc desc = box(Vec3(1.0F), {0.0F, 0.5F, 0.0F});
    const BodyHandle body = add(world, desc);
    run(world, 300);
    QVERIFY(world.sleeping(body));
    desc.shape.size = Vec3(2.0F);
    QVERIFY(world.changeBody(body, desc).ok());
    bool ended = false;
    for (int i = 0; i < 300; ++i) {
        world.step(Dt);
        ended = ended || (!world.ends().empty() && i == 0);
    }
    QVERIFY(!ended);
    QVERIFY(near(world.pose(body).position.y, 1.0F, 0.02F));
    // What is refused changes nothing.
    desc.shape.size = {1.0F, -1.0F, 1.0F};
    QVERIFY(!world.changeBody(body, desc).ok());
    run(world, 10);
    QVERIFY(near(world.pose(body).position.y, 1.0F, 0.02F));
}

void TestPhysicsWorld::changeBodyChangesMotion() {
    PhysicsWorld world;
    BodyDesc desc = box(Vec3(1.0F), {0.0F, 5.0F, 0.0F});
    const BodyHandle body = add(world, desc);
    run(world, 30);
    desc.motion = Motion::Static;
    QVERIFY(world.changeBody(body, desc).ok());
    const Vec3 held = world.pose(body).position;
    run(world, 30);
    QCOMPARE(world.pose(body).position, held);
    QCOMPARE(world.linearVelocity(body), Vec3(0.0F));
    desc.motion = Motion::Dynamic;
    QVERIFY(world.changeBody(body, desc).ok());
    run(world, 30);
    QVERIFY(world.pose(body).position.y < held.y - 1.0F);
}

void TestPhysicsWorld::forcesImpulsesAndTorques() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc desc = box(Vec3(1.0F), Vec3(0.0F));
    desc.mass = 2.0F;
    const BodyHandle body = add(world, desc);
    for (int i = 0; i < 60; ++i) {
        world.applyForce(body, {4.0F, 0.0F, 0.0F});
        world.step(Dt);
    }
    QVERIFY(near(world.linearVelocity(body).x, 2.0F, 1e-3F)); // F t / m
    run(world, 10);
    QVERIFY(near(world.linearVelocity(body).x, 2.0F, 1e-3F)); // a force acts for one step
    // A cube's inertia is m a² / 6; an impulse of 1 N·s at 0.5 m turns it with 0.5 / I.
    world.setLinearVelocity(body, Vec3(0.0F));
    world.setPose(body, Pose{});
    world.applyImpulse(body, {0.0F, 1.0F, 0.0F}, {0.5F, 0.0F, 0.0F});
    QVERIFY(near(world.linearVelocity(body).y, 0.5F, 1e-4F));
    QVERIFY(near(world.angularVelocity(body).z, 0.5F / (2.0F / 6.0F), 1e-3F));
    world.setAngularVelocity(body, Vec3(0.0F));
    for (int i = 0; i < 60; ++i) {
        world.applyTorque(body, {0.0F, 1.0F, 0.0F});
        world.step(Dt);
    }
    QVERIFY(near(world.angularVelocity(body).y, 1.0F / (2.0F / 6.0F), 1e-2F));
}

void TestPhysicsWorld::hullTurnsAboutItsCentreOfMass() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc desc;
    desc.shape.kind = ShapeDesc::Kind::Hull; // a cube in [0, 2]³: its centre of mass is (1, 1, 1)
    for (int i = 0; i < 8; ++i) {
        desc.shape.points.emplace_back((i & 1) != 0 ? 2.0F : 0.0F, (i & 2) != 0 ? 2.0F : 0.0F,
                                       (i & 4) != 0 ? 2.0F : 0.0F);
    }
    desc.mass = 3.0F;
    desc.pose.position = {10.0F, 0.0F, 0.0F};
    const BodyHandle body = add(world, desc);
    QVERIFY(glm::length(world.pose(body).position - Vec3(10.0F, 0.0F, 0.0F)) < 1e-5F);
    world.applyImpulse(body, {0.0F, 3.0F, 0.0F}, {11.0F, 0.0F, 1.0F}); // through the centre: no turn
    QVERIFY(glm::length(world.angularVelocity(body)) < 1e-4F);
    QVERIFY(near(world.linearVelocity(body).y, 1.0F, 1e-4F));
    world.setLinearVelocity(body, Vec3(0.0F));
    // m a² / 6 = 2 about each axis
    world.applyImpulse(body, {0.0F, 1.0F, 0.0F}, {12.0F, 1.0F, 1.0F});
    QVERIFY(near(world.angularVelocity(body).z, 0.5F, 1e-3F));
}

void TestPhysicsWorld::uprightBodyStaysUpright() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc desc;
    desc.shape.kind = ShapeDesc::Kind::Capsule;
    desc.shape.radius = 0.3F;
    desc.shape.height = 1.8F;
    desc.uprightOnly = true;
    desc.friction = 0.0F;
    desc.pose.position = {0.0F, 0.9F, 0.0F};
    const BodyHandle body = add(world, desc);
    for (int i = 0; i < 120; ++i) {
        world.setLinearVelocity(body, {2.0F, world.linearVelocity(body).y, 0.0F});
        world.step(Dt);
    }
    const Vec3 up = world.pose(body).rotation * Vec3(0.0F, 1.0F, 0.0F);
    QVERIFY(up.y > 0.99999F);
    QVERIFY(near(world.pose(body).position.x, 4.0F, 0.15F));
    QVERIFY(near(world.pose(body).position.y, 0.9F, 0.02F));
}

void TestPhysicsWorld::continuousBodyDoesNotPassAWall() {
    for (const bool swept : {false, true}) {
        PhysicsWorld world({Vec3(0.0F)});
        add(world, box({0.05F, 10.0F, 10.0F}, {5.0F, 0.0F, 0.0F}, Motion::Static));
        BodyDesc shot = ball(0.05F, Vec3(0.0F));
        shot.linearVelocity = {200.0F, 0.0F, 0.0F}; // 3.3 m a step
        shot.continuous = swept;
        const BodyHandle body = add(world, shot);
        run(world, 30);
        QCOMPARE(world.pose(body).position.x < 5.0F, swept);
    }
}

void TestPhysicsWorld::groundContactTellsWhereToStand() {
    PhysicsWorld world;
    const BodyHandle ground = add(world, floor());
    const BodyHandle body = add(world, ball(0.5F, {0.0F, 1.0F, 0.0F}));
    world.step(Dt);
    QVERIFY(!world.groundContact(body));
    run(world, 60);
    const auto contact = world.groundContact(body);
    QVERIFY(contact.has_value());
    QCOMPARE(contact->body, ground);
    QCOMPARE(contact->user, std::uint64_t(1000));
    QVERIFY(contact->normal.y > 0.999F);
    QVERIFY(near(contact->point.y, 0.0F, 0.02F));
    QVERIFY(!world.groundContact(ground)); // what lies on it is not below it
    run(world, 300);
    QVERIFY(world.sleeping(body));
    QVERIFY(world.groundContact(body).has_value());
    world.setLinearVelocity(body, {0.0F, 5.0F, 0.0F});
    run(world, 5);
    QVERIFY(!world.groundContact(body));
    // A wall is no ground.
    PhysicsWorld walled;
    add(walled, box({1.0F, 100.0F, 100.0F}, {1.0F, 0.0F, 0.0F}, Motion::Static));
    const BodyHandle slider = add(walled, ball(0.5F, {0.0F, 0.0F, 0.0F}));
    for (int i = 0; i < 30; ++i) {
        walled.setLinearVelocity(slider, {1.0F, walled.linearVelocity(slider).y, 0.0F});
        walled.step(Dt);
        QVERIFY(!walled.groundContact(slider));
    }
}

// Whoever keeps a body's speed learns that it has none any more.
void TestPhysicsWorld::movedListsWhatFellAsleep() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle body = add(world, box(Vec3(1.0F), {0.0F, 1.0F, 0.0F}));
    bool reported = false;
    for (int i = 0; i < 600 && !world.sleeping(body); ++i) {
        world.step(Dt);
        reported = world.moved() == std::vector<BodyHandle>{body};
    }
    QVERIFY(world.sleeping(body) && reported);
    QCOMPARE(world.linearVelocity(body), Vec3(0.0F));
    QCOMPARE(world.angularVelocity(body), Vec3(0.0F));
    world.step(Dt);
    QVERIFY(world.moved().empty());
}

void TestPhysicsWorld::movedListsWhatMoved() {
    PhysicsWorld world;
    add(world, floor());
    const BodyHandle resting = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    const BodyHandle late = add(world, box(Vec3(1.0F), {5.0F, 50.0F, 0.0F}));
    const BodyHandle later = add(world, box(Vec3(1.0F), {9.0F, 50.0F, 0.0F}));
    const BodyHandle wall = add(world, box(Vec3(1.0F), {-9.0F, 0.5F, 0.0F}, Motion::Static));
    run(world, 170);
    QVERIFY(world.sleeping(resting));
    QCOMPARE(world.moved(), (std::vector<BodyHandle>{late, later}));
    QVERIFY(world.setPose(wall, Pose{{-9.0F, 2.0F, 0.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)}));
    world.step(Dt);
    QCOMPARE(world.moved(), (std::vector<BodyHandle>{late, later, wall}));
    world.step(Dt);
    QCOMPARE(world.moved(), (std::vector<BodyHandle>{late, later}));
    run(world, 600);
    QVERIFY(world.moved().empty());
}

void TestPhysicsWorld::handlesGoStale() {
    PhysicsWorld world;
    const BodyHandle first = add(world, ball(0.5F, Vec3(0.0F)));
    QVERIFY(world.removeBody(first));
    QVERIFY(!world.removeBody(first));
    const BodyHandle second = add(world, ball(0.5F, Vec3(0.0F)));
    QVERIFY(first != second);
    QVERIFY(!world.alive(first));
    QVERIFY(world.alive(second));
    QVERIFY(!world.setPose(first, Pose{}));
    QVERIFY(!world.applyImpulse(first, Vec3(1.0F)));
    QVERIFY(!world.changeBody(first, ball(0.5F, Vec3(0.0F))).ok());
    QCOMPARE(world.pose(first), Pose{});
    QCOMPARE(world.bodyCount(), std::size_t(1));
    QVERIFY(!world.alive(BodyHandle{}));
}

QTEST_GUILESS_MAIN(TestPhysicsWorld)
#include "tst_physics_world.moc"
