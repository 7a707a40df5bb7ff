#include "engine/core/random.h"
#include "physics_fixture.h"

#include <functional>
#include <limits>

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestHostileInput : public QObject {
    Q_OBJECT

private slots:
    void wrongBodiesAreRefused_data();
    void wrongBodiesAreRefused();
    void notFiniteArgumentsChangeNothing();
    void runawayBodiesAreContained();
    void overlappingHeapDoesNotExplode();
    void extremeMassesStayFinite();
    void randomCallsNeverCrash();
};

namespace {

constexpr float Nan = std::numeric_limits<float>::quiet_NaN();
constexpr float Infinite = std::numeric_limits<float>::infinity();
using Change = std::function<void(BodyDesc&)>;

void cube(BodyDesc& desc) {
    desc.shape.kind = ShapeDesc::Kind::Hull;
    for (int i = 0; i < 8; ++i) {
        desc.shape.points.emplace_back(i & 1, (i & 2) / 2, (i & 4) / 4);
    }
}

void triangle(BodyDesc& desc) {
    desc.shape.kind = ShapeDesc::Kind::Mesh;
    desc.motion = Motion::Static;
    desc.shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    desc.shape.indices = {0, 1, 2};
}

} // namespace

Q_DECLARE_METATYPE(Change)

void TestHostileInput::wrongBodiesAreRefused_data() {
    QTest::addColumn<Change>("change");
    const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
    row("position not a number", [](BodyDesc& d) { d.pose.position.y = Nan; });
    row("position infinite", [](BodyDesc& d) { d.pose.position.y = Infinite; });
    row("position out of bounds", [](BodyDesc& d) { d.pose.position.y = 2e5F; });
    row("rotation zero", [](BodyDesc& d) { d.pose.rotation = Quat(0, 0, 0, 0); });
    row("rotation not a number", [](BodyDesc& d) { d.pose.rotation.x = Nan; });
    row("rotation infinite", [](BodyDesc& d) { d.pose.rotation.x = Infinite; });
    row("velocity", [](BodyDesc& d) { d.linearVelocity.z = Nan; });
    row("spin", [](BodyDesc& d) { d.angularVelocity.z = Infinite; });
    row("mass zero", [](BodyDesc& d) { d.mass = 0.0F; });
    row("mass negative", [](BodyDesc& d) { d.mass = -1.0F; });
    row("mass not a number", [](BodyDesc& d) { d.mass = Nan; });
    row("mass infinite", [](BodyDesc& d) { d.mass = Infinite; });
    row("size zero", [](BodyDesc& d) { d.shape.size.x = 0.0F; });
    row("size negative", [](BodyDesc& d) { d.shape.size.y = -1.0F; });
    row("size not a number", [](BodyDesc& d) { d.shape.size.y = Nan; });
    row("size of a grain", [](BodyDesc& d) { d.shape.size.y = 1e-20F; });
    row("size of a planet", [](BodyDesc& d) { d.shape.size.y = 1e12F; });
    row("scale zero", [](BodyDesc& d) { d.shape.scale.x = 0.0F; });
    row("scale negative", [](BodyDesc& d) { d.shape.scale.x = -1.0F; });
    row("radius zero", [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Sphere, d.shape.radius = 0.0F; });
    row("radius not a number",
        [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Capsule, d.shape.radius = Nan; });
    row("capsule too short",
        [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Capsule, d.shape.height = 0.5F; });
    row("cylinder without height",
        [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Cylinder, d.shape.height = 0.0F; });
    row("falling plane", [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Plane; });
    row("unknown kind", [](BodyDesc& d) { d.shape.kind = static_cast<ShapeDesc::Kind>(77); });
    row("friction", [](BodyDesc& d) { d.friction = -0.1F; });
    row("restitution", [](BodyDesc& d) { d.restitution = 1.5F; });
    row("damping", [](BodyDesc& d) { d.linearDamping = Nan; });
    row("gravity scale", [](BodyDesc& d) { d.gravityScale = Infinite; });
    row("angular factor", [](BodyDesc& d) { d.angularFactor.x = Nan; });
    row("hull without points", [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Hull; });
    row("hull of three points", [](BodyDesc& d) { cube(d), d.shape.points.resize(3); });
    row("hull in a plane", [](BodyDesc& d) { cube(d), d.shape.points.resize(4); });
    row("hull in a tilted plane", [](BodyDesc& d) {
        d.shape.kind = ShapeDesc::Kind::Hull;
        d.shape.points = {{0, 0, 0}, {1, 1, 0}, {0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    });
    row("hull in a line", [](BodyDesc& d) {
        d.shape.kind = ShapeDesc::Kind::Hull;
        d.shape.points = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    });
    row("hull of one point many times", [](BodyDesc& d) {
        d.shape.kind = ShapeDesc::Kind::Hull;
        d.shape.points.assign(50, Vec3(1.0F));
    });
    row("hull not a number", [](BodyDesc& d) { cube(d), d.shape.points[3].z = Nan; });
    row("dynamic mesh", [](BodyDesc& d) { triangle(d), d.motion = Motion::Dynamic; });
    row("empty mesh", [](BodyDesc& d) { d.shape.kind = ShapeDesc::Kind::Mesh, d.motion = Motion::Static; });
    row("mesh without triangles", [](BodyDesc& d) { triangle(d), d.shape.indices.clear(); });
    row("mesh with half a triangle", [](BodyDesc& d) { triangle(d), d.shape.indices.pop_back(); });
    row("mesh index too large", [](BodyDesc& d) { triangle(d), d.shape.indices[1] = 3; });
    row("mesh index enormous", [](BodyDesc& d) { triangle(d), d.shape.indices[1] = 0xFFFFFFFFU; });
    row("mesh without area", [](BodyDesc& d) { triangle(d), d.shape.indices = {0, 1, 1}; });
    row("mesh not a number", [](BodyDesc& d) { triangle(d), d.shape.points[0].x = Nan; });
}

void TestHostileInput::wrongBodiesAreRefused() {
    QFETCH(Change, change);
    PhysicsWorld world;
    const BodyDesc good = box(Vec3(1.0F), {0.0F, 3.0F, 0.0F});
    BodyDesc bad = good;
    change(bad);
    const auto made = world.addBody(bad);
    QVERIFY(!made.ok());
    QVERIFY(!made.error().message.empty());
    QCOMPARE(world.bodyCount(), std::size_t(0));
    // The same as a change of a living body, where pose and velocities do not count.
    const BodyHandle body = add(world, good);
    BodyDesc changed = bad;
    changed.pose = good.pose;
    changed.linearVelocity = changed.angularVelocity = Vec3(0.0F);
    const bool onlyPlacement =
        bad.pose != good.pose || !isFinite(bad.linearVelocity) || !isFinite(bad.angularVelocity);
    QCOMPARE(world.changeBody(body, changed).ok(), onlyPlacement);
    run(world, 5);
    QVERIFY(isFinite(world.pose(body).position));
}

void TestHostileInput::notFiniteArgumentsChangeNothing() {
    PhysicsWorld world;
    const BodyHandle body = add(world, box(Vec3(1.0F), {0.0F, 3.0F, 0.0F}));
    const BodyHandle lift = add(world, box(Vec3(1.0F), {9.0F, 3.0F, 0.0F}, Motion::Kinematic));
    const Pose before = world.pose(body);
    Pose bad;
    bad.position.x = Nan;
    const Vec3 wrong{0.0F, Nan, 0.0F};
    QVERIFY(!world.setPose(body, bad));
    QVERIFY(!world.moveKinematic(lift, bad));
    QVERIFY(!world.moveKinematic(body, Pose{})); // not kinematic
    QVERIFY(!world.setLinearVelocity(body, wrong));
    QVERIFY(!world.setLinearVelocity(lift, Vec3(1.0F))); // not dynamic
    QVERIFY(!world.setAngularVelocity(body, wrong));
    QVERIFY(!world.applyImpulse(body, wrong));
    QVERIFY(!world.applyImpulse(body, Vec3(1.0F), wrong));
    QVERIFY(!world.applyForce(body, wrong));
    QVERIFY(!world.applyForce(body, Vec3(1.0F), wrong));
    QVERIFY(!world.applyTorque(body, wrong));
    QVERIFY(!world.setGravity(wrong));
    QCOMPARE(world.pose(body), before);
    QCOMPARE(world.linearVelocity(body), Vec3(0.0F));
}

void TestHostileInput::runawayBodiesAreContained() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc grain = ball(0.5F, {0.0F, 5.0F, 0.0F});
    grain.mass = 1e-6F;
    const BodyHandle runaway = add(world, grain);
    const BodyHandle bystander = add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}));
    run(world, 5);
    world.applyImpulse(runaway, {0.0F, -3e38F, 0.0F});
    bool left = false;
    for (int i = 0; i < 120 && !left; ++i) {
        world.step(Dt);
        left = world.escaped() == std::vector<BodyHandle>{runaway};
    }
    QVERIFY(left);
    world.applyForce(bystander, {1e38F, 1e38F, 0.0F}, {1e38F, 0.0F, -1e38F});
    world.applyTorque(bystander, {3e38F, 0.0F, 0.0F});
    run(world, 1);
    QVERIFY(isFinite(world.linearVelocity(bystander)));
    world.setPose(bystander, Pose{{0.0F, 0.5F, 0.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)});
    world.setLinearVelocity(bystander, Vec3(0.0F));
    world.setAngularVelocity(bystander, Vec3(0.0F));
    run(world, 120);
    QVERIFY(isFinite(world.pose(runaway).position));
    QVERIFY(near(world.pose(bystander).position.y, 0.5F, 0.05F));
    // Out of bounds by falling.
    const BodyHandle low = add(world, ball(0.5F, {500.0F, -99999.0F, 0.0F}));
    left = false;
    for (int i = 0; i < 60 && !left; ++i) {
        world.step(Dt);
        left = world.escaped() == std::vector<BodyHandle>{low};
    }
    QVERIFY(left);
    QVERIFY(world.pose(low).position.y >= -PhysicsWorld::Bound);
    run(world, 10);
    QVERIFY(world.escaped().empty());
}

void TestHostileInput::overlappingHeapDoesNotExplode() {
    PhysicsWorld world;
    add(world, floor());
    std::vector<BodyHandle> crates;
    for (int i = 0; i < 40; ++i) {
        crates.push_back(add(world, box(Vec3(1.0F), {0.0F, 0.5F, 0.0F}))); // all in one place
    }
    for (int i = 0; i < 300; ++i) {
        world.step(Dt);
        for (const BodyHandle crate : crates) {
            QVERIFY(isFinite(world.pose(crate).position));
        }
    }
    for (const BodyHandle crate : crates) {
        QVERIFY(glm::length(world.pose(crate).position) < 60.0F);
    }
}

void TestHostileInput::extremeMassesStayFinite() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc feather = box(Vec3(1.0F), {0.0F, 0.5F, 0.0F});
    feather.mass = 1e-6F;
    BodyDesc mountain = box(Vec3(1.0F), {0.0F, 2.0F, 0.0F});
    mountain.mass = 1e9F;
    const BodyHandle a = add(world, feather);
    const BodyHandle b = add(world, mountain);
    run(world, 600);
    QVERIFY(isFinite(world.pose(a).position));
    QVERIFY(isFinite(world.pose(b).position));
}

void TestHostileInput::randomCallsNeverCrash() {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Random random(seed);
        PhysicsWorld world;
        std::vector<BodyHandle> bodies{add(world, floor())};
        std::vector<HingeHandle> hinges;
        const auto any = [&] { return bodies[random.next() % bodies.size()]; };
        const auto between = [&random](float low, float high) {
            return low + (high - low) * static_cast<float>(random.next() % 1000U) / 1000.0F;
        };
        const auto somewhere = [&] { return Vec3(between(-4, 4), between(0, 6), between(-4, 4)); };
        for (int i = 0; i < 1500; ++i) {
            Pose pose;
            pose.position = somewhere();
            switch (random.next() % 14) {
            case 0:
            case 1:
            case 2: {
                BodyDesc desc = random.next() % 2 == 0 ? box(Vec3(between(0.2F, 1.5F)), somewhere())
                                                       : ball(between(0.1F, 0.7F), somewhere());
                desc.motion = random.next() % 4 == 0   ? Motion::Kinematic
                              : random.next() % 5 == 0 ? Motion::Static
                                                       : Motion::Dynamic;
                desc.trigger = random.next() % 5 == 0;
                desc.continuous = random.next() % 5 == 0;
                desc.linearVelocity = somewhere() * 5.0F;
                bodies.push_back(add(world, desc));
                break;
            }
            case 3:
                world.removeBody(any());
                break;
            case 4:
                world.setPose(any(), pose);
                break;
            case 5:
            case 6:
                world.moveKinematic(any(), pose);
                break;
            case 7:
                world.applyImpulse(any(), somewhere(), somewhere());
                break;
            case 8: {
                BodyDesc desc = box(Vec3(between(0.2F, 1.5F)), somewhere());
                desc.motion = static_cast<Motion>(random.next() % 3);
                desc.trigger = random.next() % 4 == 0;
                (void)world.changeBody(any(), desc);
                break;
            }
            case 9: {
                HingeDesc desc;
                desc.a = any();
                desc.b = random.next() % 2 == 0 ? any() : BodyHandle{};
                desc.anchor = somewhere();
                desc.stiffness = between(0, 100);
                if (const auto made = world.addHinge(desc)) {
                    hinges.push_back(*made);
                }
                break;
            }
            case 10:
                if (!hinges.empty()) {
                    world.removeHinge(hinges[random.next() % hinges.size()]);
                }
                break;
            case 11:
                world.wake(any());
                break;
            case 12:
                (void)world.overlapSphere(somewhere(), 1.0F);
                (void)world.raycast(somewhere(), somewhere());
                break;
            default: // long enough that much of it falls asleep now and then
                run(world, random.next() % 10 == 0 ? 200 : 2);
                break;
            }
            if (bodies.size() > 60) {
                world.removeBody(bodies[1]);
                bodies.erase(bodies.begin() + 1);
            }
        }
        for (const BodyHandle body : bodies) {
            QVERIFY(isFinite(world.pose(body).position));
        }
    }
}

QTEST_GUILESS_MAIN(TestHostileInput)
#include "tst_hostile_input.moc"
