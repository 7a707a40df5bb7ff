#include "engine/core/random.h"
#include "physics_fixture.h"

using namespace sbx;
using namespace sbx::physics;
using namespace sbx::physics::test;

class TestQueries : public QObject {
    Q_OBJECT

private slots:
    void rayHitsTheNearest();
    void rayAgainstSpheresMatchesAlgebra();
    void raySeesSleepersAndTeleports();
    void masksAndIgnored();
    void ballFindsWhatItTouches();
    void queriesChangeNothing();
    void debugLinesAreDrawn();
};

void TestQueries::rayHitsTheNearest() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc desc = box({2.0F, 2.0F, 2.0F}, {0.0F, 5.0F, 0.0F}, Motion::Static);
    desc.user = 3;
    const BodyHandle shelf = add(world, desc);
    const auto hit = world.raycast({0.3F, 16.0F, 0.2F}, {0.3F, -4.0F, 0.2F});
    QVERIFY(hit.has_value());
    QCOMPARE(hit->body, shelf);
    QCOMPARE(hit->user, std::uint64_t(3));
    QVERIFY(near(hit->fraction, 0.5F, 1e-4F));
    QVERIFY(glm::length(hit->point - Vec3(0.3F, 6.0F, 0.2F)) < 1e-3F);
    QVERIFY(glm::length(hit->normal - Vec3(0.0F, 1.0F, 0.0F)) < 1e-3F);
    QVERIFY(!world.raycast({0.0F, 20.0F, 0.0F}, {0.0F, 7.0F, 0.0F}));
    QVERIFY(!world.raycast({0.0F, 20.0F, 0.0F}, {0.0F, 20.0F, 0.0F}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(!world.raycast({0.0F, nan, 0.0F}, {0.0F, 7.0F, 0.0F}));
    QVERIFY(!world.raycast({0.0F, 20.0F, 0.0F}, {0.0F, std::numeric_limits<float>::infinity(), 0.0F}));
}

void TestQueries::rayAgainstSpheresMatchesAlgebra() {
    PhysicsWorld world({Vec3(0.0F)});
    Random random(5);
    struct Ball {
        Vec3 center;
        float radius;
    };
    std::vector<Ball> balls;
    const auto between = [&random](float low, float high) {
        return low + (high - low) * static_cast<float>(random.next() % 100000U) / 100000.0F;
    };
    for (int i = 0; i < 60; ++i) {
        balls.push_back({{between(-10, 10), between(-10, 10), between(-10, 10)}, between(0.2F, 1.5F)});
        BodyDesc desc = ball(balls.back().radius, balls.back().center);
        desc.motion = Motion::Static;
        desc.user = static_cast<std::uint64_t>(i);
        add(world, desc);
    }
    int hits = 0;
    for (int i = 0; i < 500; ++i) {
        const Vec3 from{between(-20, 20), 25.0F, between(-20, 20)};
        const Vec3 to{between(-10, 10), -15.0F, between(-10, 10)};
        const Vec3 way = to - from;
        float nearest = 2.0F;
        for (const Ball& sphere : balls) {
            const Vec3 offset = from - sphere.center;
            const float a = glm::dot(way, way);
            const float b = glm::dot(offset, way);
            const float c = glm::dot(offset, offset) - sphere.radius * sphere.radius;
            const float root = b * b - a * c;
            if (root > 0.0F) {
                const float at = (-b - std::sqrt(root)) / a;
                nearest = at >= 0.0F && at <= 1.0F ? std::min(nearest, at) : nearest;
            }
        }
        const auto hit = world.raycast(from, to);
        if (hit.has_value() != (nearest <= 1.0F)) {
            // Only a grazing ray may be seen differently.
            float closest = 1e9F;
            for (const Ball& sphere : balls) {
                const Vec3 foot = from + way * (glm::dot(sphere.center - from, way) / glm::dot(way, way));
                closest = std::min(closest, std::abs(glm::length(sphere.center - foot) - sphere.radius));
            }
            QVERIFY(closest < 0.01F);
            continue;
        }
        if (hit) {
            ++hits;
            QVERIFY(near(hit->fraction, nearest, 5e-3F));
        }
    }
    QVERIFY(hits > 50);
}

void TestQueries::raySeesSleepersAndTeleports() {
    PhysicsWorld world;
    add(world, floor());
    BodyDesc desc = box(Vec3(1.0F), {0.0F, 0.5F, 0.0F});
    desc.user = 9;
    const BodyHandle crate = add(world, desc);
    run(world, 400);
    QVERIFY(world.sleeping(crate));
    const Vec3 up{0.0F, 10.0F, 0.0F};
    QCOMPARE(world.raycast(up, {0.0F, 0.2F, 0.0F})->user, std::uint64_t(9));
    QVERIFY(world.setPose(crate, Pose{{7.0F, 0.5F, 0.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)}));
    QVERIFY(!world.raycast(up, {0.0F, 0.2F, 0.0F})); // at once, no step between
    QCOMPARE(world.raycast({7.0F, 10.0F, 0.0F}, {7.0F, 0.2F, 0.0F})->user, std::uint64_t(9));
    world.removeBody(crate);
    QVERIFY(!world.raycast({7.0F, 10.0F, 0.0F}, {7.0F, 0.2F, 0.0F}));
}

void TestQueries::masksAndIgnored() {
    PhysicsWorld world({Vec3(0.0F)});
    BodyDesc desc = box(Vec3(1.0F), Vec3(0.0F));
    std::vector<BodyHandle> row;
    for (const Motion motion : {Motion::Dynamic, Motion::Kinematic, Motion::Static}) {
        desc.motion = motion;
        desc.user = row.size();
        desc.pose.position.x = 2.0F * static_cast<float>(row.size() + 1);
        row.push_back(add(world, desc));
    }
    desc.trigger = true;
    desc.pose.position.x = 0.0F;
    row.push_back(add(world, desc));
    const Vec3 from{-5.0F, 0.0F, 0.0F};
    const Vec3 to{20.0F, 0.0F, 0.0F};
    QCOMPARE(world.raycast(from, to)->body, row[0]);
    QCOMPARE(world.raycast(from, to, query::All)->body, row[3]);
    QCOMPARE(world.raycast(from, to, query::Kinematic)->body, row[1]);
    QCOMPARE(world.raycast(from, to, query::Static)->body, row[2]);
    QCOMPARE(world.raycast(from, to, query::Solid, row[0])->body, row[1]);
    QVERIFY(!world.raycast(from, to, 0));
}

void TestQueries::ballFindsWhatItTouches() {
    PhysicsWorld world;
    BodyDesc ground = floor();
    add(world, ground);
    for (int i = 0; i < 5; ++i) {
        BodyDesc desc = box(Vec3(1.0F), {2.0F * static_cast<float>(i), 0.5F, 0.0F});
        desc.user = static_cast<std::uint64_t>(50 - i);
        add(world, desc);
    }
    run(world, 400);
    using Users = std::vector<std::uint64_t>;
    QCOMPARE(world.overlapSphere({2.0F, 3.0F, 0.0F}, 1.9F), Users{});
    QCOMPARE(world.overlapSphere({2.0F, 3.0F, 0.0F}, 2.1F), Users{49});
    QCOMPARE(world.overlapSphere({3.0F, 0.6F, 0.0F}, 0.55F), (Users{48, 49}));
    QCOMPARE(world.overlapSphere({3.0F, 0.6F, 0.0F}, 0.65F), (Users{48, 49, 1000}));
    QCOMPARE(world.overlapSphere({3.0F, 0.6F, 0.0F}, 0.65F, query::Dynamic), (Users{48, 49}));
    QCOMPARE(world.overlapSphere({3.0F, 0.6F, 0.0F}, -1.0F), Users{});
    QCOMPARE(world.overlapSphere({3.0F, 0.6F, 0.0F}, std::numeric_limits<float>::infinity()), Users{});
}

void TestQueries::queriesChangeNothing() {
    std::vector<Vec3> results[2];
    for (int variant = 0; variant < 2; ++variant) {
        PhysicsWorld world;
        add(world, floor());
        std::vector<BodyHandle> crates;
        for (int i = 0; i < 30; ++i) {
            crates.push_back(add(world, box(Vec3(1.0F), {0.3F * static_cast<float>(i % 3),
                                                         1.0F + 1.2F * static_cast<float>(i), 0.0F})));
        }
        for (int i = 0; i < 300; ++i) {
            world.step(Dt);
            if (variant == 1) {
                (void)world.raycast({0.0F, 50.0F, 0.0F}, {0.0F, -5.0F, 0.0F});
                (void)world.overlapSphere({0.0F, 1.0F, 0.0F}, 3.0F);
                std::vector<DebugLine> lines;
                world.debugLines(lines);
            }
        }
        for (const BodyHandle crate : crates) {
            results[variant].push_back(world.pose(crate).position);
        }
    }
    QVERIFY(results[0] == results[1]);
}

void TestQueries::debugLinesAreDrawn() {
    PhysicsWorld world;
    add(world, box(Vec3(1.0F), Vec3(0.0F)));
    std::vector<DebugLine> lines;
    world.debugLines(lines);
    QVERIFY(lines.size() >= 12);
    for (const DebugLine& line : lines) {
        QVERIFY(glm::length(line.from) < 2.0F && glm::length(line.to) < 2.0F);
    }
}

QTEST_GUILESS_MAIN(TestQueries)
#include "tst_queries.moc"
