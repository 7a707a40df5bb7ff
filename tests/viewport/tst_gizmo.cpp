// The gizmo: where its parts are, and what dragging them means.

#include <QTest>

#include "widgets/viewport/gizmo.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

GizmoView viewFrom(const Vec3& eye, const Vec3& target) {
    return {render::lookAt(eye, target), 800, 600, 1.0F};
}

Vec2 pixelOf(const GizmoView& view, const Vec3& point) {
    const auto pixel = render::projectToPixel(view.camera, view.width, view.height, point);
    return pixel ? Vec2(pixel->x, pixel->y) : Vec2(-1e6F);
}

bool near(const Vec3& a, const Vec3& b, float within = 2e-3F) {
    return glm::length(a - b) < within;
}

const Quat None(1, 0, 0, 0);

} // namespace

class TestGizmo : public QObject {
    Q_OBJECT

private slots:
    void isAsLargeEverywhere() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        for (const float z : {5.0F, 0.0F, -80.0F}) {
            const GizmoFrame frame = placeGizmo({0, 0, z}, None, view);
            const Vec2 arm = pixelOf(view, frame.origin + Vec3(0, frame.size, 0)) - pixelOf(view, frame.origin);
            QVERIFY(std::abs(glm::length(arm) - gizmo::ArmPixels) < 0.5F);
        }
    }
    // Without perspective it is as large at every depth, what is seen end-on cannot be held, and drags are to the pixel.
    void anOrthographicViewMeasuresAlongItsPlane() {
        GizmoView view{{}, 800, 600, 1.0F};
        view.camera.pose.position = {0, 0, 10};
        view.camera.orthoHeight = 12.0F; // 50 pixels a metre
        view.camera.nearPlane = -100.0F;
        for (const float z : {60.0F, 0.0F, -80.0F}) { // behind the camera too
            const GizmoFrame frame = placeGizmo({3, 2, z}, None, view);
            QVERIFY(std::abs(frame.size - gizmo::ArmPixels / 50.0F) < 1e-4F);
            QVERIFY(isHidden(Tool::Move, GizmoPart::Z, frame, view));
            QVERIFY(isHidden(Tool::Move, GizmoPart::PlaneX, frame, view) && isHidden(Tool::Move, GizmoPart::PlaneY, frame, view));
            QVERIFY(!isHidden(Tool::Move, GizmoPart::PlaneZ, frame, view));
            const Vec2 tip = pixelOf(view, frame.origin + Vec3(frame.size * 0.8F, 0, 0));
            QCOMPARE(hitGizmo(Tool::Move, frame, view, tip), GizmoPart::X);
            GizmoDrag drag(Tool::Move, GizmoPart::X, frame, view, tip);
            QVERIFY(near(drag.update(view, tip + Vec2(125, 40), {}).move, {2.5F, 0, 0}));
            GizmoDrag plane(Tool::Move, GizmoPart::PlaneZ, frame, view, tip);
            QVERIFY(near(plane.update(view, tip + Vec2(-50, 100), {}).move, {-1, -2, 0}));
            GizmoDrag turn(Tool::Rotate, GizmoPart::Z, frame, view, pixelOf(view, frame.origin + Vec3(frame.size, 0, 0)));
            QVERIFY(std::abs(turn.update(view, pixelOf(view, frame.origin + Vec3(0, frame.size, 0)), {}).amounts.x - 90.0F) < 0.1F);
        }
    }
    void partsAreWhereTheyAreDrawn() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        const auto at = [&](const Vec3& arm) { return pixelOf(view, frame.origin + arm * frame.size); };
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0.8F, 0, 0})), GizmoPart::X);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0, 0.8F, 0})), GizmoPart::Y);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0, 0, 0.8F})), GizmoPart::Z);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0, 0.37F, 0.37F})), GizmoPart::PlaneX);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0.37F, 0, 0.37F})), GizmoPart::PlaneY);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0.37F, 0.37F, 0})), GizmoPart::PlaneZ);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, at({0, 0, 0})), GizmoPart::Centre);
        QCOMPARE(hitGizmo(Tool::Move, frame, view, {5, 5}), GizmoPart::None);
        QCOMPARE(hitGizmo(Tool::Select, frame, view, at({0.8F, 0, 0})), GizmoPart::None);
        QCOMPARE(hitGizmo(Tool::Scale, frame, view, at({0, 0.37F, 0.37F})), GizmoPart::None);
        // Rings: on the near half, away from where two cross.
        const float r = gizmo::RingRadius;
        QCOMPARE(hitGizmo(Tool::Rotate, frame, view, at({0, r * std::cos(0.6F), r * std::sin(0.6F)})), GizmoPart::X);
        QCOMPARE(hitGizmo(Tool::Rotate, frame, view, at({r * std::cos(0.7F), 0, r * std::sin(0.7F)})), GizmoPart::Y);
        QCOMPARE(hitGizmo(Tool::Rotate, frame, view, at({r * std::cos(0.6F), r * std::sin(0.6F), 0})), GizmoPart::Z);
        const Vec3 up = view.camera.pose.rotation * Vec3(0, 1, 0);
        QCOMPARE(hitGizmo(Tool::Rotate, frame, view, at(up * gizmo::ViewRingRadius)), GizmoPart::Centre);
    }
    void anAxisSeenEndOnIsOutOfReach() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        QVERIFY(isHidden(Tool::Move, GizmoPart::Z, frame, view));
        QVERIFY(isHidden(Tool::Move, GizmoPart::PlaneX, frame, view));
        QVERIFY(!isHidden(Tool::Move, GizmoPart::X, frame, view));
        QVERIFY(!isHidden(Tool::Rotate, GizmoPart::Z, frame, view));
    }
    void movesAlongAnAxis() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0.3F, 0, 0}, None, view);
        const Vec3 grabbed = frame.origin + Vec3(frame.size * 0.6F, 0, 0);
        GizmoDrag drag(Tool::Move, GizmoPart::X, frame, view, pixelOf(view, grabbed));
        // The grabbed point follows the cursor, whatever the cursor does across the axis.
        const GizmoDelta delta = drag.update(view, pixelOf(view, grabbed + Vec3(1.7F, 0, 0)), {});
        QVERIFY(near(delta.move, {1.7F, 0, 0}));
        const Pose pose = moved(delta, frame, Pose{{5, 6, 7}, None, Vec3(2)});
        QVERIFY(near(pose.position, {6.7F, 6, 7}));
        QCOMPARE(pose.scale, Vec3(2));
    }
    void snapsToTheGridOfTheWorld() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0.3F, 0, 0}, None, view);
        const Vec3 grabbed = frame.origin + Vec3(frame.size * 0.6F, 0, 0);
        GizmoDrag drag(Tool::Move, GizmoPart::X, frame, view, pixelOf(view, grabbed));
        SnapSettings snap;
        snap.on = true;
        snap.move = 0.5F;
        const GizmoDelta delta = drag.update(view, pixelOf(view, grabbed + Vec3(1.1F, 0, 0)), snap);
        QVERIFY(near(frame.origin + delta.move, {1.5F, 0, 0}));
        // Ctrl turns it round.
        QVERIFY(!snap.inverted(true).on && snap.inverted(false).on && SnapSettings().inverted(true).on);
    }
    void snapsTheWayAlongOwnAxes() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const Quat turned = glm::angleAxis(0.5F, Vec3(0, 1, 0));
        const GizmoFrame frame = placeGizmo({0.3F, 0, 0}, turned, view);
        const Vec3 axis = turned * Vec3(1, 0, 0);
        const Vec3 grabbed = frame.origin + axis * (frame.size * 0.6F);
        GizmoDrag drag(Tool::Move, GizmoPart::X, frame, view, pixelOf(view, grabbed));
        SnapSettings snap;
        snap.on = true;
        const GizmoDelta delta = drag.update(view, pixelOf(view, grabbed + axis * 1.1F), snap);
        QVERIFY(near(delta.move, axis * 1.0F));
        QVERIFY(std::abs(delta.amounts.x - 1.0F) < 1e-3F);
    }
    void movesInAPlaneAndInThePicture() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({1, 2, 3}, None, view);
        const Vec3 grabbed = frame.origin + Vec3(0.4F, 0, 0.4F) * frame.size;
        GizmoDrag plane(Tool::Move, GizmoPart::PlaneY, frame, view, pixelOf(view, grabbed));
        QVERIFY(near(plane.update(view, pixelOf(view, grabbed + Vec3(1.5F, 0, -0.7F)), {}).move, {1.5F, 0, -0.7F}));
        const Vec3 right = view.camera.pose.rotation * Vec3(1, 0, 0);
        GizmoDrag centre(Tool::Move, GizmoPart::Centre, frame, view, pixelOf(view, frame.origin));
        QVERIFY(near(centre.update(view, pixelOf(view, frame.origin + right * 0.8F), {}).move, right * 0.8F));
    }
    void turnsAboutAnAxisAndBeyondAFullTurn() {
        const GizmoView view = viewFrom({0, 10, 0.1F}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        const auto on = [&](float degrees) {
            const float a = glm::radians(degrees);
            return pixelOf(view, Vec3(std::cos(a), 0, -std::sin(a)) * frame.size); // counterclockwise seen from +Y
        };
        GizmoDrag drag(Tool::Rotate, GizmoPart::Y, frame, view, on(0));
        float last = 0.0F;
        for (float angle = 10.0F; angle <= 450.0F; angle += 10.0F)
            last = drag.update(view, on(angle), {}).amounts.x;
        QVERIFY(std::abs(last - 450.0F) < 0.2F);
        SnapSettings snap;
        snap.on = true;
        const GizmoDelta delta = drag.update(view, on(98.0F), snap);
        QVERIFY(std::abs(delta.amounts.x - 465.0F) < 0.01F); // 458 to the next 15
        QVERIFY(near(delta.turn * Vec3(1, 0, 0), glm::angleAxis(glm::radians(465.0F), Vec3(0, 1, 0)) * Vec3(1, 0, 0)));
    }
    void turnsARingSeenFromItsSide() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        GizmoDrag drag(Tool::Rotate, GizmoPart::Y, frame, view, {400, 300});
        // The near side of a ring about Y goes to the right when it turns to the left-handed thumb's other way: +Y.
        const GizmoDelta delta = drag.update(view, {430, 300}, {});
        QVERIFY(delta.amounts.x > 5.0F);
        const Vec3 front = delta.turn * Vec3(0, 0, frame.size);
        QVERIFY(front.x > 0.0F);
        // By as much as the near side appears to move.
        const float expected = glm::degrees(30.0F / gizmo::ArmPixels);
        QVERIFY(std::abs(delta.amounts.x - expected) < expected * 0.25F);
    }
    void turnsSeveralAboutTheirMiddle() {
        const GizmoFrame frame{{1, 0, 0}, None, 1.0F};
        GizmoDelta delta;
        delta.turn = glm::angleAxis(glm::half_pi<float>(), Vec3(0, 1, 0));
        const Pose pose = moved(delta, frame, Pose{{2, 5, 0}, None, Vec3(1)});
        QVERIFY(near(pose.position, {1, 5, -1}));
        QVERIFY(near(pose.rotation * Vec3(1, 0, 0), {0, 0, -1}));
    }
    void scalesAlongOneAxisAndAll() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        const Vec3 grabbed(frame.size, 0, 0);
        GizmoDrag drag(Tool::Scale, GizmoPart::X, frame, view, pixelOf(view, grabbed));
        const GizmoDelta twice = drag.update(view, pixelOf(view, grabbed * 2.0F), {});
        QVERIFY(near(twice.scale, {2, 1, 1}, 0.02F));
        QVERIFY(near(moved(twice, frame, Pose{{0, 0, 0}, None, Vec3(3)}).scale, {6, 3, 3}, 0.05F));
        const GizmoDelta nothing = drag.update(view, pixelOf(view, grabbed * -50.0F), {});
        QVERIFY(nothing.scale.x >= 0.01F); // never to nothing or inside out
        GizmoDrag all(Tool::Scale, GizmoPart::Centre, frame, view, {400, 300});
        SnapSettings snap;
        snap.on = true;
        QVERIFY(near(all.update(view, {400 + 75, 300}, snap).scale, Vec3(1.5F)));
    }
    void aTypedNumberRules() {
        const GizmoView view = viewFrom({6, 5, 9}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        GizmoDrag move(Tool::Move, GizmoPart::Y, frame, view, {400, 300});
        QVERIFY(near(move.update(view, {10, 10}, {}, 2.25F).move, {0, 2.25F, 0}));
        GizmoDrag turn(Tool::Rotate, GizmoPart::Z, frame, view, {450, 300});
        QVERIFY(near(turn.update(view, {10, 10}, {}, 90.0F).turn * Vec3(1, 0, 0), {0, 1, 0}));
    }
    void aRayAlongTheAxisMovesNothing() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const GizmoFrame frame = placeGizmo({0, 0, 0}, None, view);
        GizmoDrag drag(Tool::Move, GizmoPart::Z, frame, view, {400, 300});
        const GizmoDelta delta = drag.update(view, {400, 300}, {});
        QVERIFY(isFinite(delta.move) && glm::length(delta.move) < 1e-3F);
    }
    void nearestPlaceOnALine() {
        const auto along = alongLine({1, 0, 0}, {0, 1, 0}, {{5, 3, 0}, {-1, 0, 0}});
        QVERIFY(along && std::abs(*along - 3.0F) < 1e-5F);
        QVERIFY(!alongLine({0, 0, 0}, {0, 1, 0}, {{1, 0, 0}, {0, 1, 0}}));
        QVERIFY(!onPlane({0, 0, 0}, {0, 1, 0}, {{0, 1, 0}, {1, 0, 0}}));
        QVERIFY(!onPlane({0, 0, 0}, {0, 1, 0}, {{0, 1, 0}, {0, 1, 0}})); // behind
    }
};

QTEST_GUILESS_MAIN(TestGizmo)
#include "tst_gizmo.moc"
