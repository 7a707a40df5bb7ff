#include <QtTest>

#include "engine/core/math.h"
#include "engine/core/random.h"

#include <cmath>
#include <limits>

using namespace sbx;

namespace {

Pose anyPose(Random& random, bool uniform) {
    Pose p;
    for (int k = 0; k < 3; ++k) {
        p.position[k] = random.between(-20.0F, 20.0F);
        p.scale[k] = uniform && k > 0 ? p.scale[0] : random.between(0.25F, 4.0F);
    }
    p.rotation = fromEulerDegrees(
        {random.between(-89.0F, 89.0F), random.between(-180.0F, 180.0F), random.between(-180.0F, 180.0F)});
    return p;
}

bool nearly(const Vec3& a, const Vec3& b) { return glm::length(a - b) < 1e-3F * (1.0F + glm::length(a)); }

} // namespace

class TestMath : public QObject {
    Q_OBJECT
private slots:
    // Where parents are scaled evenly, poses go one into the other as their matrices do.
    void composesAsMatricesDo() {
        Random random(3);
        for (int round = 0; round < 2000; ++round) {
            const Pose parent = anyPose(random, true);
            const Pose child = anyPose(random, round % 2 == 0);
            const Mat4 wanted = toMatrix(parent) * toMatrix(child);
            const Mat4 got = toMatrix(compose(parent, child));
            for (int column = 0; column < 4; ++column)
                QVERIFY(nearly(Vec3(got[column]), Vec3(wanted[column])));
        }
    }
    // An unevenly scaled parent scales along its own axes: the child's offset, and the child's scale number by number.
    void unevenScalesDoNotShear() {
        const Pose parent{{10.0F, 0.0F, 0.0F}, fromEulerDegrees({0.0F, 90.0F, 0.0F}), {2.0F, 1.0F, 1.0F}};
        const Pose child{{1.0F, 0.0F, 0.0F}, fromEulerDegrees({0.0F, 90.0F, 0.0F}), {1.0F, 3.0F, 1.0F}};
        const Pose world = compose(parent, child);
        // x by 2, then a quarter turn to the left: x becomes -z.
        QVERIFY(nearly(world.position, {10.0F, 0.0F, -2.0F}));
        QVERIFY(nearly(world.scale, {2.0F, 3.0F, 1.0F}));
        QVERIFY(nearly(world.rotation * Vec3(1.0F, 0.0F, 0.0F), {-1.0F, 0.0F, 0.0F}));
    }
    void relativeToUndoesCompose() {
        Random random(5);
        for (int round = 0; round < 2000; ++round) {
            const Pose parent = anyPose(random, round % 2 == 0);
            const Pose child = anyPose(random, round % 3 == 0);
            const Pose back = relativeTo(parent, compose(parent, child));
            QVERIFY(nearly(back.position, child.position) && nearly(back.scale, child.scale));
            QVERIFY(std::abs(glm::dot(back.rotation, child.rotation)) > 1.0F - 1e-5F);
        }
    }
    void aFlatParentLeavesNumbers() {
        const Pose flat{{1.0F, 2.0F, 3.0F}, Quat(1.0F, 0.0F, 0.0F, 0.0F), {0.0F, 2.0F, 1.0F}};
        const Pose world{{5.0F, 6.0F, 7.0F}, Quat(1.0F, 0.0F, 0.0F, 0.0F), Vec3(4.0F)};
        const Pose local = relativeTo(flat, world);
        QVERIFY(isFinite(local));
        QCOMPARE(local.position, Vec3(4.0F, 2.0F, 4.0F));
        QCOMPARE(local.scale, Vec3(4.0F, 2.0F, 4.0F));
        Pose no;
        no.scale.y = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(!isFinite(no));
        no = {};
        no.rotation.w = std::numeric_limits<float>::infinity();
        QVERIFY(!isFinite(no));
    }
    void anglesComeBack() {
        Random random(9);
        for (int round = 0; round < 2000; ++round) {
            const Vec3 degrees{random.between(-89.0F, 89.0F), random.between(-179.0F, 179.0F),
                               random.between(-179.0F, 179.0F)};
            QVERIFY(glm::length(toEulerDegrees(fromEulerDegrees(degrees)) - degrees) < 0.05F);
        }
        for (const float pole : {-90.0F, 90.0F}) {
            const Quat q = fromEulerDegrees({pole, 30.0F, 0.0F});
            const Quat back = fromEulerDegrees(toEulerDegrees(q));
            QVERIFY(std::abs(glm::dot(q, back)) > 1.0F - 1e-5F);
        }
    }
};

QTEST_GUILESS_MAIN(TestMath)
#include "tst_math.moc"
