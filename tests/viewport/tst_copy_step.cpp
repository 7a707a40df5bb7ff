// Duplicating again: what was done to copies is done to the next ones.

#include <QtTest>

#include "widgets/viewport/copy_step.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

Pose at(Vec3 position, float yaw = 0.0F, Vec3 scale = Vec3(1.0F)) {
    return {position, fromEulerDegrees({0, yaw, 0}), scale};
}

bool same(const Pose& a, const Pose& b) {
    return glm::length(a.position - b.position) < 1e-3F
           && std::abs(glm::dot(a.rotation, b.rotation)) > 0.99999F && glm::length(a.scale - b.scale) < 1e-4F;
}

} // namespace

class TestCopyStep : public QObject {
    Q_OBJECT

private slots:
    void aRow() {
        std::vector<CopyStep> steps{{at({1, 0, 0}), at({1.5F, 0, 2}), {}},
                                    {at({4, 1, 0}), at({4.5F, 1, 2}), {}}};
        continueSteps(steps);
        QVERIFY(same(steps[0].next, at({2, 0, 4})));
        QVERIFY(same(steps[1].next, at({5, 1, 4})));
        QVERIFY(!steps[0].turned() && !steps[0].scaled());
    }
    // One by itself goes on straight, and turns on as it goes.
    void movedAndTurned() {
        std::vector<CopyStep> steps{{at({0, 0, 0}, 10), at({1, 0, 0}, 40), {}}};
        continueSteps(steps);
        QVERIFY(same(steps[0].next, at({2, 0, 0}, 70)));
        QVERIFY(steps[0].turned());
    }
    // Several that were turned by a tool about their middle go on around it: a ring.
    void aRing() {
        const Quat turn = fromEulerDegrees({0, 30, 0});
        std::vector<CopyStep> steps;
        for (const Vec3& place : {Vec3(2, 0, 0), Vec3(-2, 0, 0), Vec3(0, 0, 3)})
            steps.push_back({at(place), {}, {}});
        const Vec3 middle(0, 0, 1);
        for (CopyStep& step : steps)
            step.copy = {middle + turn * (step.original.position - middle), turn, Vec3(1.0F)};
        continueSteps(steps);
        for (const CopyStep& step : steps)
            QVERIFY(same(step.next, {middle + turn * (turn * (step.original.position - middle)), turn * turn,
                                     Vec3(1.0F)}));
    }
    // A typed rotation turns each where it stands: nothing goes around anything.
    void turnedInPlace() {
        std::vector<CopyStep> steps{{at({2, 0, 0}), at({2, 0, 0}, 45), {}},
                                    {at({-2, 0, 0}), at({-2, 0, 0}, 45), {}}};
        continueSteps(steps);
        QVERIFY(same(steps[0].next, at({2, 0, 0}, 90)));
        QVERIFY(same(steps[1].next, at({-2, 0, 0}, 90)));
    }
    void drawnApartAndGrown() {
        std::vector<CopyStep> steps{{at({1, 0, 0}), at({2, 0, 0}, 0, Vec3(2.0F)), {}},
                                    {at({-1, 0, 0}), at({-2, 0, 0}, 0, Vec3(2.0F)), {}}};
        continueSteps(steps);
        QVERIFY(same(steps[0].next, at({4, 0, 0}, 0, Vec3(4.0F))));
        QVERIFY(same(steps[1].next, at({-4, 0, 0}, 0, Vec3(4.0F))));
        QVERIFY(steps[0].scaled());
    }
    // Each was moved its own way: each goes on that way.
    void eachItsOwnWay() {
        std::vector<CopyStep> steps{{at({0, 0, 0}), at({1, 0, 0}), {}},
                                    {at({5, 0, 0}), at({5, 2, 0}, 20), {}}};
        continueSteps(steps);
        QVERIFY(same(steps[0].next, at({2, 0, 0})));
        QVERIFY(same(steps[1].next, at({5, 4, 0}, 40)));
    }
    void nothingThatIsNoNumber() {
        std::vector<CopyStep> none;
        continueSteps(none);
        std::vector<CopyStep> flat{{at({0, 0, 0}, 0, {0, 1, 1}), at({1, 0, 0}, 0, {0, 1, 1}), {}}};
        continueSteps(flat);
        QVERIFY(isFinite(flat[0].next.scale) && isFinite(flat[0].next.position));
    }
};

QTEST_GUILESS_MAIN(TestCopyStep)
#include "tst_copy_step.moc"
