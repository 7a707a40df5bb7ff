#include <QtTest>

#include "engine/physics/physics_world.h"

using namespace sbx;
using namespace sbx::physics;

class TestPhysicsWorld : public QObject {
    Q_OBJECT

private slots:
    void fallsAsSemiImplicitEulerSays();
};

void TestPhysicsWorld::fallsAsSemiImplicitEulerSays() {
    PhysicsWorld world;
    BodyDesc desc;
    desc.pose.position = {0.0F, 10.0F, 0.0F};
    const auto ball = world.addBody(desc);
    QVERIFY(ball.ok());
    for (int i = 0; i < 60; ++i) {
        world.step(1.0F / 60.0F);
    }
    // Semi-implicit Euler: v first, then y, so after n steps the drop is g dt² n (n + 1) / 2.
    const double drop = 10.0 - static_cast<double>(world.pose(*ball).position.y);
    QVERIFY(std::abs(drop - 9.81 / 3600.0 * 60.0 * 61.0 / 2.0) < 1e-4);
    QVERIFY(std::abs(drop - 9.81 / 2.0) < 0.02 * 9.81 / 2.0);
}

QTEST_GUILESS_MAIN(TestPhysicsWorld)
#include "tst_physics_world.moc"
