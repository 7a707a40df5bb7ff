// What is drawn of an entity whose place the network corrects: it does not jump, it arrives, and children move along.

#include <QtTest>

#include "engine/components/pose_smoothing.h"
#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <cmath>
#include <limits>

using namespace sbx;

namespace {

constexpr float Dt = 1.0F / 60.0F;

struct Place {
    Log log;
    Recorder recorder;
    World world{WorldDesc{}, recorder, log};
    PoseSmoothing smoothing;

    EntityId spawn(const Pose& pose, EntityId parent = {}) {
        SpawnRequest request;
        request.type = m_type;
        request.pose = pose;
        request.parent = parent;
        return world.spawn(request);
    }
    // As a state from the network does it.
    void correct(EntityId id, const Pose& after) {
        const Pose before = world.find(id).pose();
        world.setPose(id, after);
        smoothing.correct(id, before, after);
    }
    [[nodiscard]] Pose shown(EntityId id) const { return smoothing.shown(world, world.find(id)); }

private:
    std::shared_ptr<const EntityType> m_type = std::make_shared<EntityType>(
        EntityTypeInfo{"Thing", {}, {}, Vec4(1.0F)}, std::vector<ComponentSpec>{});
};

Pose at(const Vec3& position, float yaw = 0.0F) {
    Pose pose;
    pose.position = position;
    pose.rotation = fromEulerDegrees({0.0F, yaw, 0.0F});
    return pose;
}

float degreesBetween(const Quat& a, const Quat& b) {
    return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(a, b)))));
}

} // namespace

class TestPoseSmoothing : public QObject {
    Q_OBJECT

private slots:
    void withoutCorrectionsThePoseIsDrawnAsItIs() {
        Place p;
        const EntityId id = p.spawn(at({1.0F, 2.0F, 3.0F}, 30.0F));
        QCOMPARE(p.shown(id).position, Vec3(1.0F, 2.0F, 3.0F));
        p.smoothing.correct(id, p.world.find(id).pose(), p.world.find(id).pose());
        p.smoothing.advance(Dt);
        QCOMPARE(p.shown(id).position, Vec3(1.0F, 2.0F, 3.0F));
    }

    void aCorrectionIsNotSeenAtOnceAndDecays() {
        Place p;
        p.smoothing.setTime(0.1F);
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({1.0F, 0.0F, 0.0F}, 40.0F));
        QVERIFY(glm::length(p.shown(id).position) < 1e-5F);
        QVERIFY(degreesBetween(p.shown(id).rotation, fromEulerDegrees({0.0F, 0.0F, 0.0F})) < 0.1F);
        for (int tick = 1; tick <= 30; ++tick) {
            p.smoothing.advance(Dt);
            const float left = std::exp(-static_cast<float>(tick) * Dt / 0.1F);
            QVERIFY(std::abs(p.shown(id).position.x - (1.0F - left)) < 1e-3F);
            QVERIFY(std::abs(degreesBetween(p.shown(id).rotation, fromEulerDegrees({0.0F, 40.0F, 0.0F}))
                             - 40.0F * left)
                    < 0.2F);
        }
        for (int tick = 0; tick < 120; ++tick)
            p.smoothing.advance(Dt);
        QCOMPARE(p.shown(id).position, Vec3(1.0F, 0.0F, 0.0F)); // exactly: the difference is forgotten
        QCOMPARE(p.shown(id).rotation, p.world.find(id).pose().rotation);
    }

    // While it moves by itself, what is drawn moves with it, at the distance that is left.
    void whatIsDrawnFollowsTheMotion() {
        Place p;
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({0.5F, 0.0F, 0.0F}));
        const Vec3 before = p.shown(id).position;
        p.world.setPose(id, at({0.5F, 0.0F, 2.0F}));
        QVERIFY(glm::length(p.shown(id).position - before - Vec3(0.0F, 0.0F, 2.0F)) < 1e-5F);
    }

    void correctionsAddUp() {
        Place p;
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({1.0F, 0.0F, 0.0F}, 170.0F));
        p.smoothing.advance(Dt);
        const Pose shown = p.shown(id);
        p.correct(id, at({-1.0F, 1.0F, 0.0F}, -170.0F));
        QVERIFY(glm::length(p.shown(id).position - shown.position) < 1e-5F);
        QVERIFY(degreesBetween(p.shown(id).rotation, shown.rotation) < 0.1F);
    }

    void farAwayItIsSeenAtOnce() {
        Place p;
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({PoseSmoothing::SnapDistance + 0.1F, 0.0F, 0.0F}));
        QCOMPARE(p.shown(id).position, p.world.find(id).pose().position);
    }

    void offByTheSetting() {
        Place p;
        p.smoothing.setTime(0.0F);
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({1.0F, 0.0F, 0.0F}));
        QCOMPARE(p.shown(id).position, Vec3(1.0F, 0.0F, 0.0F));
        // Switched off while a difference is left: it is gone with the next tick.
        p.smoothing.setTime(0.5F);
        p.correct(id, at({2.0F, 0.0F, 0.0F}));
        QVERIFY(p.shown(id).position.x < 1.5F);
        p.smoothing.setTime(0.0F);
        p.smoothing.advance(Dt);
        QCOMPARE(p.shown(id).position, Vec3(2.0F, 0.0F, 0.0F));
    }

    void childrenMoveAlong() {
        Place p;
        const EntityId parent = p.spawn(at({0.0F, 0.0F, 0.0F}));
        const EntityId child = p.spawn(at({0.0F, 0.0F, 2.0F}), parent);
        QCOMPARE(p.world.find(child).pose().position, Vec3(0.0F, 0.0F, 2.0F));
        p.correct(parent, at({1.0F, 0.0F, 0.0F}, 90.0F));
        // Drawn where it was, since its parent is.
        QVERIFY(glm::length(p.world.find(child).pose().position - Vec3(0.0F, 0.0F, 2.0F)) > 1.0F);
        QVERIFY(glm::length(p.shown(child).position - Vec3(0.0F, 0.0F, 2.0F)) < 1e-4F);
        QVERIFY(degreesBetween(p.shown(child).rotation, fromEulerDegrees({0.0F, 0.0F, 0.0F})) < 0.1F);
    }

    // The slot of an entity that was removed belongs to another one.
    void anEntityInTheSameSlotHasNoneOfIt() {
        Place p;
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        p.correct(id, at({1.0F, 0.0F, 0.0F}));
        p.world.destroy(id);
        const EntityId next = p.spawn(at({5.0F, 0.0F, 0.0F}));
        QCOMPARE(next.index(), id.index());
        QCOMPARE(p.shown(next).position, Vec3(5.0F, 0.0F, 0.0F));
        p.correct(next, at({6.0F, 0.0F, 0.0F}));
        QVERIFY(std::abs(p.shown(next).position.x - 5.0F) < 1e-5F);
        for (int tick = 0; tick < 200; ++tick)
            p.smoothing.advance(Dt);
        QCOMPARE(p.shown(next).position, Vec3(6.0F, 0.0F, 0.0F));
    }

    void numbersThatAreNoneLeaveThePictureWhole() {
        Place p;
        const EntityId id = p.spawn(at({0.0F, 0.0F, 0.0F}));
        Pose broken = at({std::numeric_limits<float>::quiet_NaN(), 0.0F, 0.0F});
        p.smoothing.correct(id, broken, p.world.find(id).pose());
        broken.position = Vec3(0.0F);
        broken.rotation = Quat(0.0F, 0.0F, 0.0F, 0.0F);
        p.smoothing.correct(id, broken, p.world.find(id).pose());
        QCOMPARE(p.shown(id).position, Vec3(0.0F));
        QVERIFY(std::isfinite(p.shown(id).rotation.w));
    }
};

QTEST_GUILESS_MAIN(TestPoseSmoothing)
#include "tst_pose_smoothing.moc"
