// The editor's camera against what geometry says.

#include <QTest>

#include "widgets/viewport/camera_rig.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

constexpr int Width = 800;
constexpr int Height = 600;

bool near(const Vec3& a, const Vec3& b, float within = 1e-3F) {
    return glm::length(a - b) < within;
}

Vec2 pixelOf(const CameraRig& rig, const Vec3& point) {
    const auto pixel = render::projectToPixel(rig.view(), Width, Height, point);
    return pixel ? Vec2(pixel->x, pixel->y) : Vec2(-1e6F);
}

} // namespace

class TestCamera : public QObject {
    Q_OBJECT

private slots:
    void looksWhereItIsTold() {
        CameraRig rig;
        rig.lookAt({0, 0, 5}, {0, 0, 0});
        QVERIFY(std::abs(rig.yaw()) < 1e-5F && std::abs(rig.pitch()) < 1e-5F);
        rig.lookAt({0, 0, 0}, {-3, 0, 0}); // to the left of -Z
        QVERIFY(std::abs(rig.yaw() - glm::half_pi<float>()) < 1e-5F);
        rig.lookAt({1, 2, 3}, {4, -5, 6});
        const Vec3 ahead = rig.view().pose.rotation * Vec3(0, 0, -1);
        QVERIFY(near(ahead, glm::normalize(Vec3(3, -7, 3))));
        QVERIFY(near(rig.focusPoint(), {4, -5, 6}));
    }
    void turnsRightAndUpWithoutRolling() {
        CameraRig rig;
        rig.lookAt({0, 0, 0}, {0, 0, -1});
        rig.turn(90.0F, 0.0F);
        QVERIFY(near(rig.view().pose.rotation * Vec3(0, 0, -1), {1, 0, 0}));
        rig.turn(0.0F, 500.0F);
        QCOMPARE(rig.pitch(), CameraRig::MaximumPitch);
        const Vec3 right = rig.view().pose.rotation * Vec3(1, 0, 0);
        QVERIFY(std::abs(right.y) < 1e-5F);
    }
    void fliesAtItsSpeed() {
        CameraRig rig;
        rig.lookAt({0, 0, 0}, {0, 0, -1});
        rig.setSpeed(6.0F);
        for (int i = 0; i < 60; ++i)
            rig.fly({0, 0, 1}, 1.0F, 1.0F / 60.0F);
        const float before = rig.eye().z;
        for (int i = 0; i < 60; ++i)
            rig.fly({0, 0, 1}, 1.0F, 1.0F / 60.0F);
        QVERIFY(std::abs((before - rig.eye().z) - 6.0F) < 0.01F);
        int frames = 0;
        while (rig.fly({0, 0, 0}, 1.0F, 1.0F / 60.0F))
            QVERIFY(++frames < 60);
        // Diagonals are not faster.
        CameraRig other;
        other.lookAt({0, 0, 0}, {0, 0, -1});
        other.setSpeed(6.0F);
        for (int i = 0; i < 120; ++i)
            other.fly({1, 1, 1}, 1.0F, 1.0F / 60.0F);
        const Vec3 at = other.eye();
        other.fly({1, 1, 1}, 1.0F, 0.1F);
        QVERIFY(std::abs(glm::length(other.eye() - at) - 0.6F) < 0.01F);
    }
    void flyingForwardFollowsTheSight() {
        CameraRig rig;
        rig.lookAt({0, 0, 0}, {1, 1, -1});
        for (int i = 0; i < 30; ++i)
            rig.fly({0, 0, 1}, 1.0F, 1.0F / 60.0F);
        QVERIFY(near(glm::normalize(rig.eye()), glm::normalize(Vec3(1, 1, -1))));
    }
    void orbitKeepsThePivotInPlace() {
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        const Vec3 pivot(1.0F, 0.5F, -1.0F);
        const Vec2 before = pixelOf(rig, pivot);
        const float distance = glm::length(rig.eye() - pivot);
        rig.orbit(pivot, 37.0F, -11.0F);
        QVERIFY(glm::length(pixelOf(rig, pivot) - before) < 0.1F);
        QVERIFY(std::abs(glm::length(rig.eye() - pivot) - distance) < 1e-3F);
        // Against the stop it does not drift away either.
        rig.orbit(pivot, 0.0F, 400.0F);
        QVERIFY(glm::length(pixelOf(rig, pivot) - before) < 0.1F);
    }
    void panKeepsThePointUnderTheCursor() {
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        const Vec3 point(0.7F, 0.2F, 0.4F);
        const Vec2 before = pixelOf(rig, point);
        const float depth = glm::dot(point - rig.eye(), rig.view().pose.rotation * Vec3(0, 0, -1));
        rig.pan({50.0F, -30.0F}, depth, Height);
        QVERIFY(glm::length(pixelOf(rig, point) - (before + Vec2(50.0F, -30.0F))) < 0.1F);
    }
    void dollyKeepsThePointUnderTheCursor() {
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        const Vec3 point(-1.0F, 0.2F, 0.4F);
        const Vec2 before = pixelOf(rig, point);
        const float distance = glm::length(rig.eye() - point);
        rig.dolly(point, 2.0F);
        QVERIFY(glm::length(pixelOf(rig, point) - before) < 0.1F);
        QVERIFY(std::abs(glm::length(rig.eye() - point) - distance * 0.85F * 0.85F) < 1e-3F);
        rig.dolly(point, -2.0F);
        QVERIFY(std::abs(glm::length(rig.eye() - point) - distance) < 1e-3F);
        for (int i = 0; i < 200; ++i)
            rig.dolly(point, 1.0F);
        QVERIFY(glm::length(rig.eye() - point) > 0.25F); // never through it
    }
    void framingShowsTheWholeBox_data() {
        QTest::addColumn<float>("aspect");
        QTest::newRow("wide") << 2.0F;
        QTest::newRow("square") << 1.0F;
        QTest::newRow("tall") << 0.4F;
    }
    void framingShowsTheWholeBox() {
        QFETCH(float, aspect);
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        const float yaw = rig.yaw();
        const render::Bounds box{{10, 0, 10}, {14, 6, 12}};
        rig.frame(box, aspect);
        int frames = 0;
        while (rig.advance(1.0F / 60.0F))
            ++frames;
        QVERIFY(frames >= 5 && frames <= 12); // about 0.15 s
        QVERIFY(std::abs(rig.yaw() - yaw) < 1e-4F);
        QVERIFY(near(rig.focusPoint(), box.centre(), 0.01F));
        const int height = 500;
        const int width = static_cast<int>(500.0F * aspect);
        float highest = 0.0F;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 at((corner & 1) ? 14.0F : 10.0F, (corner & 2) ? 6.0F : 0.0F, (corner & 4) ? 12.0F : 10.0F);
            const auto pixel = render::projectToPixel(rig.view(), width, height, at);
            QVERIFY(pixel);
            QVERIFY(pixel->x >= 0 && pixel->x <= static_cast<float>(width) && pixel->y >= 0 && pixel->y <= static_cast<float>(height));
            highest = std::max(highest, std::abs(pixel->y - 250.0F) / 250.0F);
            highest = std::max(highest, std::abs(pixel->x - static_cast<float>(width) / 2) / static_cast<float>(width) * 2);
        }
        QVERIFY(highest > 0.4F); // and not from afar
    }
    // A flat floor is longer in the picture than the sphere around it is high; no corner may be cut off, and none be far from the edge.
    void fittingShowsEveryCornerAndFillsThePicture_data() { framingShowsTheWholeBox_data(); }
    void fittingShowsEveryCornerAndFillsThePicture() {
        QFETCH(float, aspect);
        for (const render::Bounds& box :
             {render::Bounds{{-20, -1, -20}, {20, 9, 20}}, render::Bounds{{3, 0, 5}, {4, 30, 6}}}) {
            CameraRig rig;
            const float yaw = 0.6F;
            const float pitch = -0.5F;
            rig.fit(box, aspect, yaw, pitch);
            while (rig.advance(1.0F / 60.0F))
                ;
            QVERIFY(std::abs(rig.yaw() - yaw) < 1e-4F);
            const int height = 500;
            const int width = static_cast<int>(500.0F * aspect);
            Vec2 farthest(0.0F); // from the middle, 1 at the edge
            for (int corner = 0; corner < 8; ++corner) {
                const Vec3 at((corner & 1) ? box.maximum.x : box.minimum.x,
                              (corner & 2) ? box.maximum.y : box.minimum.y,
                              (corner & 4) ? box.maximum.z : box.minimum.z);
                const auto pixel = render::projectToPixel(rig.view(), width, height, at);
                QVERIFY(pixel);
                farthest.x =
                    std::max(farthest.x, std::abs(pixel->x * 2.0F / static_cast<float>(width) - 1.0F));
                farthest.y =
                    std::max(farthest.y, std::abs(pixel->y * 2.0F / static_cast<float>(height) - 1.0F));
            }
            const float edge = std::max(farthest.x, farthest.y);
            QVERIFY2(edge < 0.97F && edge > 0.85F, qPrintable(QString::number(static_cast<double>(edge))));
        }
    }
    // ------------------------------------------------------------------------------------------------ orthographic

    void switchingTheProjectionKeepsWhatIsInFocus() {
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        // Points of the plane in focus.
        const Quat turn = rig.view().pose.rotation;
        const Vec3 side = rig.focusPoint() + turn * Vec3(1.5F, -0.7F, 0.0F);
        const Vec2 before = pixelOf(rig, side);
        rig.setOrthographic(true);
        QVERIFY(rig.view().orthographic());
        QVERIFY(glm::length(pixelOf(rig, side) - before) < 0.05F);
        // And depth is nothing any more.
        QVERIFY(glm::length(pixelOf(rig, side + turn * Vec3(0, 0, -30)) - before) < 0.05F);
        QVERIFY(glm::length(pixelOf(rig, side + turn * Vec3(0, 0, 30)) - before) < 0.05F); // behind the eye
        rig.setOrthographic(false);
        QVERIFY(!rig.view().orthographic());
        QVERIFY(glm::length(pixelOf(rig, side) - before) < 0.05F);
    }
    void panAndWheelAreExactInAnOrthographicPicture() {
        CameraRig rig;
        rig.lookAt({4, 3, 8}, {0, 1, 0});
        rig.setOrthographic(true);
        for (const Vec3& point : {Vec3(0.7F, 0.2F, 0.4F), Vec3(-20, 3, 5), Vec3(2, -8, 40)}) {
            const Vec2 before = pixelOf(rig, point);
            rig.pan({50.0F, -30.0F}, 123.0F, Height); // whatever the depth
            QVERIFY(glm::length(pixelOf(rig, point) - (before + Vec2(50.0F, -30.0F))) < 0.1F);
            const Vec2 panned = pixelOf(rig, point);
            const float high = rig.view().orthoHeight;
            rig.dolly(point, 3.0F);
            QVERIFY(std::abs(rig.view().orthoHeight - high * 0.85F * 0.85F * 0.85F) < 1e-3F);
            QVERIFY(glm::length(pixelOf(rig, point) - panned) < 0.2F);
            rig.dolly(point, -3.0F);
            QVERIFY(std::abs(rig.view().orthoHeight - high) < 1e-2F);
            QVERIFY(glm::length(pixelOf(rig, point) - panned) < 0.2F);
        }
        for (int i = 0; i < 400; ++i)
            rig.dolly({}, 1.0F);
        QVERIFY(rig.view().orthoHeight > 0.05F);
        for (int i = 0; i < 400; ++i)
            rig.dolly({}, -1.0F);
        QVERIFY(std::isfinite(rig.view().orthoHeight) && rig.view().orthoHeight < 6000.0F);
    }
    void axesAreOrthographicUntilTheyAreLeft() {
        const render::Bounds box{{-2, 0, -1}, {2, 1, 1}};
        for (const AxisView axis : {AxisView::Front, AxisView::Back, AxisView::Right, AxisView::Left, AxisView::Top, AxisView::Bottom}) {
            CameraRig rig;
            rig.showAxis(axis, box, 1.0F, true, false);
            QVERIFY(rig.axisView() == axis); // already on the way
            while (rig.advance(1.0F / 60.0F))
                ;
            QVERIFY(rig.axisView() == axis);
            QVERIFY(rig.orthographicByAxis());
            rig.pan({10, 10}, 1.0F, Height);
            rig.dolly({}, 1.0F);
            QVERIFY(rig.orthographicByAxis()); // still along the axis
            rig.orbit({}, 5.0F, axis == AxisView::Top ? 5.0F : -5.0F);
            QVERIFY(!rig.orthographic());
            QVERIFY(!rig.axisView());
        }
        // Chosen by hand it stays.
        CameraRig rig;
        rig.setOrthographic(true);
        rig.showAxis(AxisView::Top, box, 1.0F, true, true);
        rig.orbit({}, 5.0F, 5.0F);
        QVERIFY(rig.orthographic());
        // And without the option nothing changes.
        CameraRig other;
        other.showAxis(AxisView::Top, box, 1.0F, false, true);
        QVERIFY(!other.orthographic());
        QVERIFY(other.axisView() == AxisView::Top);
    }
    void straightDownIsStraight() {
        CameraRig rig;
        rig.showAxis(AxisView::Top, {{-2, 0, -1}, {2, 1, 1}}, 1.0F, true, true);
        const Quat turn = rig.view().pose.rotation;
        QVERIFY(near(turn * Vec3(0, 0, -1), {0, -1, 0}, 1e-5F));
        QVERIFY(near(turn * Vec3(1, 0, 0), {1, 0, 0}, 1e-5F));
        QVERIFY(near(turn * Vec3(0, 1, 0), {0, 0, -1}, 1e-5F));
    }
    void framingFitsTheHeightOfAnOrthographicPicture_data() { framingShowsTheWholeBox_data(); }
    void framingFitsTheHeightOfAnOrthographicPicture() {
        QFETCH(float, aspect);
        const render::Bounds box{{10, 0, 10}, {14, 6, 12}};
        CameraRig rig;
        rig.showAxis(AxisView::Front, box, aspect, true, false);
        float last = rig.view().orthoHeight;
        const bool grows = last < 7.0F;
        while (rig.advance(1.0F / 60.0F)) { // little by little
            QVERIFY(grows ? rig.view().orthoHeight >= last : rig.view().orthoHeight <= last);
            last = rig.view().orthoHeight;
        }
        const float needed = std::max(6.0F, 4.0F / aspect);
        QVERIFY2(std::abs(rig.view().orthoHeight - needed / 0.85F) < 0.01F, qPrintable(QString::number(double(rig.view().orthoHeight))));
        const auto middle = render::projectToPixel(rig.view(), Width, Height, box.centre());
        QVERIFY(middle && glm::length(Vec2(middle->x, middle->y) - Vec2(Width, Height) * 0.5F) < 0.1F);
    }
    void flyingInAnOrthographicPictureSlidesAndZooms() {
        CameraRig rig;
        rig.lookAt({0, 0, 10}, {0, 0, 0});
        rig.setOrthographic(true);
        rig.setSpeed(6.0F);
        const float high = rig.view().orthoHeight;
        for (int i = 0; i < 30; ++i)
            rig.fly({1, 0, 0}, 1.0F, 1.0F / 60.0F);
        QVERIFY(rig.focusPoint().x > 1.0F && std::abs(rig.focusPoint().z) < 1e-3F);
        QVERIFY(std::abs(rig.view().orthoHeight - high) < 1e-3F);
        rig.stopFlying();
        const float x = rig.focusPoint().x;
        for (int i = 0; i < 30; ++i)
            rig.fly({0, 0, 1}, 1.0F, 1.0F / 60.0F);
        QVERIFY(rig.view().orthoHeight < high * 0.95F);
        QVERIFY(std::abs(rig.focusPoint().x - x) < 1e-3F);
    }
    void aPlaceBringsTheProjectionBack() {
        CameraRig rig;
        rig.showAxis(AxisView::Right, {{-2, 0, -1}, {2, 1, 1}}, 1.0F, true, false);
        const CameraRig::Place place = rig.place(); // where it will be
        CameraRig other;
        other.set(place);
        QVERIFY(other.axisView() == AxisView::Right && other.orthographicByAxis());
        while (rig.advance(1.0F / 60.0F))
            ;
        QVERIFY(near(other.eye(), rig.eye()));
        QVERIFY(std::abs(other.focusDistance() - rig.focusDistance()) < 1e-3F);
        other.moveTo(CameraRig::Place{{1, 2, 3}, 0.5F, -0.2F, 7.0F, false, false});
        while (other.advance(1.0F / 60.0F))
            ;
        QVERIFY(!other.orthographic() && near(other.eye(), {1, 2, 3}));
    }
    void rubbishIsRefused() {
        CameraRig rig;
        const Vec3 before = rig.eye();
        rig.set({NAN, 0, 0}, 0, 0, 1);
        rig.lookAt(before, before);
        rig.setSpeed(NAN);
        rig.setFocusDistance(INFINITY);
        rig.frame({{NAN, 0, 0}, {1, 1, 1}}, 1.0F);
        QVERIFY(near(rig.eye(), before));
        QVERIFY(std::isfinite(rig.speed()) && std::isfinite(rig.focusDistance()));
        rig.changeSpeed(1000.0F);
        QCOMPARE(rig.speed(), CameraRig::MaximumSpeed);
        rig.changeSpeed(-1000.0F);
        QCOMPARE(rig.speed(), CameraRig::MinimumSpeed);
    }
};

QTEST_GUILESS_MAIN(TestCamera)
#include "tst_camera.moc"
