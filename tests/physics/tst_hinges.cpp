#include "physics_fixture.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestHinges : public QObject {
    Q_OBJECT

private slots:
    void doorSwingsWithinLimitsAndReturns();
    void angleGrowsRightHanded();
    void motorReachesItsSpeed();
    void targetMovesTheDoor();
    void leavesALimitWithoutAJump_data();
    void leavesALimitWithoutAJump();
    void pendulumHasItsPeriod();
    void stiffSpringDoesNotBlowUp();
    void sleepingDoorWakesWhenPushed();
    void hingeBetweenTwoBodies();
    void removedBodyTakesItsHinges();
    void changedBodyKeepsItsHinge();
    void wrongDescriptionsAreRefused();
};

namespace {

// A door 1 m wide, hinged at x = 0 about Y.
struct Door {
    BodyHandle body;
    HingeHandle hinge;
};

Door addDoor(PhysicsWorld& world, float stiffness = 20.0F, float damping = 8.0F) {
    BodyDesc desc = box({1.0F, 2.0F, 0.1F}, {0.5F, 1.0F, 0.0F});
    desc.mass = 20.0F;
    Door door;
    door.body = add(world, desc);
    HingeDesc hinge;
    hinge.a = door.body;
    hinge.anchor = {0.0F, 1.0F, 0.0F};
    hinge.axis = {0.0F, 1.0F, 0.0F};
    hinge.lowerAngle = -1.5F;
    hinge.upperAngle = 1.5F;
    hinge.stiffness = stiffness;
    hinge.damping = damping;
    const Result<HingeHandle> made = world.addHinge(hinge);
    if (!made) {
        throw std::runtime_error(made.error().toString());
    }
    door.hinge = *made;
    return door;
}

} // namespace

void TestHinges::doorSwingsWithinLimitsAndReturns() {
    PhysicsWorld world;
    const Door door = addDoor(world);
    QVERIFY(near(world.hingeAngle(door.hinge), 0.0F, 1e-5F));
    world.applyImpulse(door.body, {0.0F, 0.0F, -60.0F}, {1.0F, 1.0F, 0.0F}); // a kick
    float widest = 0.0F;
    for (int i = 0; i < 60 * 14; ++i) {
        world.step(Dt);
        widest = std::max(widest, std::abs(world.hingeAngle(door.hinge)));
        // The hinge holds: the door's inner edge stays at the post.
        const Pose pose = world.pose(door.body);
        const Vec3 edge = pose.position + pose.rotation * Vec3(-0.5F, 0.0F, 0.0F);
        QVERIFY(glm::length(edge - Vec3(0.0F, 1.0F, 0.0F)) < 0.05F);
    }
    qInfo("widest %.3f rad of 1.5", static_cast<double>(widest));
    QVERIFY(widest > 1.2F);
    QVERIFY(widest < 1.75F);
    QVERIFY(near(world.hingeAngle(door.hinge), 0.0F, 0.03F));
    QVERIFY(world.sleeping(door.body));
}

void TestHinges::angleGrowsRightHanded() {
    PhysicsWorld world({Vec3(0.0F)});
    const Door door = addDoor(world, 0.0F, 0.0F);
    world.setAngularVelocity(door.body, {0.0F, 1.0F, 0.0F});
    world.setLinearVelocity(door.body, {0.0F, 0.0F, -0.5F});
    run(world, 30);
    QVERIFY(near(world.hingeAngle(door.hinge), 0.5F, 0.02F));
}

void TestHinges::motorReachesItsSpeed() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc desc = box({2.0F, 0.2F, 0.2F}, Vec3(0.0F));
    const BodyHandle rotor = add(world, desc);
    HingeDesc hinge;
    hinge.a = rotor;
    hinge.axis = {0.0F, 0.0F, 2.0F}; // any length
    hinge.motor = true;
    hinge.motorVelocity = 3.0F;
    hinge.motorMaxImpulse = 10.0F;
    const auto made = world.addHinge(hinge);
    QVERIFY(made.ok());
    run(world, 60);
    QVERIFY(near(world.angularVelocity(rotor).z, 3.0F, 0.05F));
    QVERIFY(world.setHingeMotor(*made, true, -2.0F, 10.0F));
    run(world, 60);
    QVERIFY(near(world.angularVelocity(rotor).z, -2.0F, 0.05F));
    QVERIFY(world.setHingeMotor(*made, false, 0.0F, 0.0F));
    run(world, 60);
    QVERIFY(near(world.angularVelocity(rotor).z, -2.0F, 0.1F)); // turns on freely
}

void TestHinges::targetMovesTheDoor() {
    PhysicsWorld world;
    const Door door = addDoor(world, 60.0F, 30.0F);
    run(world, 300);
    QVERIFY(world.sleeping(door.body));
    QVERIFY(world.setHingeTarget(door.hinge, 1.0F, 60.0F));
    run(world, 300);
    QVERIFY(near(world.hingeAngle(door.hinge), 1.0F, 0.03F));
    QVERIFY(world.setHingeTarget(door.hinge, 0.0F, 60.0F));
    run(world, 300);
    QVERIFY(near(world.hingeAngle(door.hinge), 0.0F, 0.03F));
}

// A flipper that lies on its stop, held there by its spring, by gravity or by nothing, is sent up: it sets out as fast as the
// spring makes it, and its edge stays at the anchor.
void TestHinges::leavesALimitWithoutAJump_data() {
    QTest::addColumn<float>("gravity");
    QTest::addColumn<float>("lower");
    QTest::addColumn<float>("rest");
    QTest::addColumn<float>("stiffness");
    for (const float stiffness : {40.0F, 900.0F}) {
        const QByteArray stiff = stiffness > 100.0F ? ", stiff" : ", soft";
        QTest::newRow(QByteArray("rest at the limit" + stiff)) << 0.0F << 0.0F << 0.0F << stiffness;
        QTest::newRow(QByteArray("rest at the limit, lying on it" + stiff)) << 9.81F << 0.0F << 0.0F << stiffness;
        QTest::newRow(QByteArray("rest beyond the limit" + stiff)) << 0.0F << 0.0F << -0.3F << stiffness;
        QTest::newRow(QByteArray("rest beyond the limit, lying on it" + stiff)) << 9.81F << -0.1F << -0.3F << stiffness;
        QTest::newRow(QByteArray("rest off the limit, held against gravity" + stiff)) << 9.81F << -0.5F << 0.0F << stiffness;
    }
}

void TestHinges::leavesALimitWithoutAJump() {
    QFETCH(float, gravity);
    QFETCH(float, lower);
    QFETCH(float, rest);
    QFETCH(float, stiffness);
    PhysicsWorld world({Vec3(0.0F, -gravity, 0.0F)});
    BodyDesc desc = box({1.2F, 0.3F, 0.2F}, {0.6F, 0.0F, 0.0F});
    desc.mass = 1.0F;
    HingeDesc hinge;
    hinge.a = add(world, desc);
    hinge.axis = {0.0F, 0.0F, 1.0F};
    hinge.lowerAngle = lower;
    hinge.upperAngle = 1.1F;
    hinge.restAngle = rest;
    hinge.stiffness = stiffness;
    hinge.damping = stiffness > 100.0F ? 20.0F : 4.0F;
    const auto made = world.addHinge(hinge);
    QVERIFY(made.ok());
    run(world, 400);
    const float from = world.hingeAngle(*made);
    constexpr float Target = 0.9F;
    QVERIFY(world.setHingeTarget(*made, Target, stiffness));
    world.step(Dt);
    // Of a bar about its end; one step of a spring solved implicitly.
    const float inertia = (1.2F * 1.2F + 0.3F * 0.3F) / 12.0F + 0.36F;
    const float step = Dt * Dt * stiffness * (Target - from) / (inertia + Dt * hinge.damping + Dt * Dt * stiffness);
    const float moved = world.hingeAngle(*made) - from;
    QVERIFY2(moved > 0.0F && moved < 1.25F * step + 0.01F,
             qPrintable(QStringLiteral("moved %1, expected %2").arg(double(moved)).arg(double(step))));
    for (int i = 0; i < 120; ++i) {
        const Pose pose = world.pose(hinge.a);
        const Vec3 edge = pose.position + pose.rotation * Vec3(-0.6F, 0.0F, 0.0F);
        QVERIFY2(glm::length(edge) < 0.06F, qPrintable(QString::number(double(glm::length(edge)))));
        world.step(Dt);
    }
}

void TestHinges::pendulumHasItsPeriod() {
    PhysicsWorld world;
    BodyDesc desc = ball(0.1F, {0.0F, -2.0F, 0.0F});
    const BodyHandle bob = add(world, desc);
    HingeDesc hinge;
    hinge.a = bob;
    hinge.axis = {0.0F, 0.0F, 1.0F};
    const auto made = world.addHinge(hinge);
    QVERIFY(made.ok());
    world.setLinearVelocity(bob, {0.4F, 0.0F, 0.0F}); // a small swing
    int crossings = 0;
    int first = 0;
    int last = 0;
    float before = world.hingeAngle(*made);
    for (int i = 1; i <= 1200; ++i) {
        world.step(Dt);
        const float angle = world.hingeAngle(*made);
        if (before < 0.0F && angle >= 0.0F) {
            ++crossings;
            first = first == 0 ? i : first;
            last = i;
        }
        before = angle;
    }
    QVERIFY(crossings > 4);
    // 2π sqrt(I / (m g l)), I = m (l² + 2/5 r²)
    const float expected = 2.0F * 3.14159265F * std::sqrt((4.0F + 0.4F * 0.01F) / (Gravity * 2.0F));
    const float period = static_cast<float>(last - first) * Dt / static_cast<float>(crossings - 1);
    QVERIFY(near(period, expected, 0.03F * expected));
}

void TestHinges::stiffSpringDoesNotBlowUp() {
    for (const float stiffness : {1e3F, 1e6F, 1e9F}) {
        PhysicsWorld world;
        const Door door = addDoor(world, stiffness, 0.0F);
        world.applyImpulse(door.body, {0.0F, 0.0F, -20.0F}, {1.0F, 1.0F, 0.0F});
        for (int i = 0; i < 600; ++i) {
            world.step(Dt);
            QVERIFY(std::abs(world.hingeAngle(door.hinge)) < 1.6F);
            QVERIFY(glm::length(world.angularVelocity(door.body)) < 10.0F);
        }
        QVERIFY(near(world.hingeAngle(door.hinge), 0.0F, 0.05F));
    }
}

void TestHinges::sleepingDoorWakesWhenPushed() {
    PhysicsWorld world;
    const Door door = addDoor(world);
    run(world, 300);
    QVERIFY(world.sleeping(door.body));
    QCOMPARE(world.activeCount(), std::size_t(0));
    BodyDesc push = ball(0.2F, {0.8F, 1.0F, 3.0F});
    push.linearVelocity = {0.0F, 0.0F, -6.0F};
    push.gravityScale = 0.0F;
    push.mass = 20.0F;
    add(world, push);
    float widest = 0.0F;
    for (int i = 0; i < 90; ++i) {
        world.step(Dt);
        widest = std::max(widest, world.hingeAngle(door.hinge));
    }
    QVERIFY(widest > 0.3F);
}

void TestHinges::hingeBetweenTwoBodies() {
    PhysicsWorld world({Vec3(0.0F)});
    const BodyHandle left = add(world, box({1.0F, 0.2F, 1.0F}, {-0.5F, 0.0F, 0.0F}));
    const BodyHandle right = add(world, box({1.0F, 0.2F, 1.0F}, {0.5F, 0.0F, 0.0F}));
    HingeDesc hinge;
    hinge.a = right;
    hinge.b = left;
    hinge.axis = {0.0F, 0.0F, 1.0F};
    hinge.lowerAngle = -0.5F;
    hinge.upperAngle = 0.5F;
    const auto made = world.addHinge(hinge);
    QVERIFY(made.ok());
    world.setAngularVelocity(right, {0.0F, 0.0F, 2.0F});
    world.setLinearVelocity(right, {0.0F, 1.0F, 0.0F});
    for (int i = 0; i < 240; ++i) {
        world.step(Dt);
        QVERIFY(std::abs(world.hingeAngle(*made)) < 0.6F);
        const Vec3 inLeft = world.pose(left).position + world.pose(left).rotation * Vec3(0.5F, 0.0F, 0.0F);
        const Vec3 inRight =
            world.pose(right).position + world.pose(right).rotation * Vec3(-0.5F, 0.0F, 0.0F);
        QVERIFY(glm::length(inLeft - inRight) < 0.03F);
    }
}

void TestHinges::removedBodyTakesItsHinges() {
    PhysicsWorld world;
    const Door door = addDoor(world);
    const Door other = addDoor(world);
    run(world, 10);
    QVERIFY(world.removeBody(door.body));
    QVERIFY(!world.alive(door.hinge));
    QVERIFY(world.alive(other.hinge));
    QVERIFY(!world.setHingeMotor(door.hinge, true, 1.0F, 1.0F));
    QVERIFY(!world.removeHinge(door.hinge));
    run(world, 10);
    QVERIFY(world.removeHinge(other.hinge));
    run(world, 60);
    QVERIFY(world.pose(other.body).position.y < 0.0F); // nothing holds it now
}

void TestHinges::changedBodyKeepsItsHinge() {
    PhysicsWorld world;
    const Door door = addDoor(world);
    run(world, 10);
    BodyDesc desc;
    desc.shape.kind = ShapeDesc::Kind::Hull; // its centre of mass is not its origin
    for (int i = 0; i < 8; ++i) {
        desc.shape.points.emplace_back((i & 1) != 0 ? 1.0F : -0.5F, (i & 2) != 0 ? 1.0F : -1.0F,
                                       (i & 4) != 0 ? 0.05F : -0.05F);
    }
    desc.mass = 40.0F;
    QVERIFY(world.changeBody(door.body, desc).ok());
    world.applyImpulse(door.body, {0.0F, 0.0F, -50.0F}, {1.0F, 1.0F, 0.0F});
    for (int i = 0; i < 300; ++i) {
        world.step(Dt);
        const Pose pose = world.pose(door.body);
        const Vec3 edge = pose.position + pose.rotation * Vec3(-0.5F, 0.0F, 0.0F);
        QVERIFY(glm::length(edge - Vec3(0.0F, 1.0F, 0.0F)) < 0.05F);
    }
}

void TestHinges::wrongDescriptionsAreRefused() {
    PhysicsWorld world;
    const BodyHandle body = add(world, box(Vec3(1.0F), Vec3(0.0F)));
    const BodyHandle wall = add(world, box(Vec3(1.0F), {5.0F, 0.0F, 0.0F}, Motion::Static));
    HingeDesc good;
    good.a = body;
    QVERIFY(world.addHinge(good).ok());
    const auto refuses = [&](auto change) {
        HingeDesc desc = good;
        change(desc);
        const auto made = world.addHinge(desc);
        return !made.ok() && !made.error().message.empty();
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(refuses([](HingeDesc& d) { d.a = {}; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.b = body; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.a = wall; }));
    QVERIFY(refuses([](HingeDesc& d) { d.b = BodyHandle(99, 3); }));
    QVERIFY(refuses([](HingeDesc& d) { d.axis = Vec3(0.0F); }));
    QVERIFY(refuses([&](HingeDesc& d) { d.axis.x = nan; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.anchor.y = nan; }));
    QVERIFY(refuses([](HingeDesc& d) { d.lowerAngle = 1.0F, d.upperAngle = -1.0F; }));
    QVERIFY(refuses([](HingeDesc& d) { d.lowerAngle = -9.0F, d.upperAngle = 9.0F; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.lowerAngle = nan, d.upperAngle = nan; }));
    QVERIFY(refuses([](HingeDesc& d) { d.stiffness = -1.0F; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.restAngle = nan; }));
    QVERIFY(refuses([&](HingeDesc& d) { d.maxTorque = nan; }));
}

QTEST_GUILESS_MAIN(TestHinges)
#include "tst_hinges.moc"
