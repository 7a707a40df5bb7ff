#include <QtTest>

#include "engine/render/camera.h"
#include "engine/render/shadow_fit.h"

#include <glm/geometric.hpp>

using namespace sbx;
using namespace sbx::render;

namespace {
std::vector<Bounds> yard() {
    return {{{-1, 0, -1}, {1, 2, 1}}, {{-12, 0, -12}, {12, 3, -11.5F}}, {{5, 0, 5}, {6, 1, 6}}};
}
} // namespace

class TestShadowFit : public QObject {
    Q_OBJECT
private slots:
    void holdsEveryCaster() {
        const ShadowFit fit = fitShadow({0.7F, -0.5F, -0.4F}, yard(), lookAt({0, 5, 15}, {0, 0, 0}), 60.0F);
        QVERIFY(!fit.empty);
        for (const Bounds& bounds : yard()) {
            for (unsigned corner = 0; corner < 8; ++corner) {
                const Vec3 point((corner & 1U) ? bounds.maximum.x : bounds.minimum.x,
                                 (corner & 2U) ? bounds.maximum.y : bounds.minimum.y,
                                 (corner & 4U) ? bounds.maximum.z : bounds.minimum.z);
                const Vec3 seen(fit.matrix * Vec4(point, 1.0F));
                for (int axis = 0; axis < 3; ++axis) {
                    QVERIFY(seen[axis] >= -1e-4F && seen[axis] <= 1.0001F);
                }
            }
        }
    }

    void depthIsMetresAlongTheLight() {
        const Vec3 direction = glm::normalize(Vec3(0.3F, -1.0F, 0.2F));
        const ShadowFit fit = fitShadow(direction, yard(), lookAt({0, 5, 15}, {0, 0, 0}), 60.0F);
        const Vec3 a(fit.matrix * Vec4(0, 1, 0, 1));
        const Vec3 b(fit.matrix * Vec4(direction * 2.0F + Vec3(0, 1, 0), 1));
        QVERIFY(std::abs((b.z - a.z) * fit.depth - 2.0F) < 1e-3F);
        QVERIFY(std::abs(a.x - b.x) < 1e-4F && std::abs(a.y - b.y) < 1e-4F);
    }

    void standsStillWhileTheCameraTurnsAndWalks() {
        const ShadowFit first = fitShadow({0.7F, -0.5F, -0.4F}, yard(), lookAt({0, 5, 15}, {0, 0, 0}), 60.0F);
        for (const Vec3& eye : {Vec3(3, 2, 9), Vec3(-8, 1.7F, 4), Vec3(0, 12, -14)}) {
            const ShadowFit other = fitShadow({0.7F, -0.5F, -0.4F}, yard(), lookAt(eye, {1, 0, 2}), 60.0F);
            QVERIFY(other.matrix == first.matrix);
        }
    }

    void aRollingBallDoesNotMoveTheEdges() {
        auto casters = yard();
        casters.push_back({{0, 0, 0}, {0.5F, 0.5F, 0.5F}});
        const ShadowFit first = fitShadow({0.7F, -0.5F, -0.4F}, casters, {}, 60.0F);
        casters.back() = {{3.3F, 0, 2.1F}, {3.8F, 0.5F, 2.6F}};
        QVERIFY(fitShadow({0.7F, -0.5F, -0.4F}, casters, {}, 60.0F).matrix == first.matrix);
    }

    void floorsAndRunawaysDoNotWidenIt() {
        auto casters = yard();
        const ShadowFit tight = fitShadow({0.7F, -0.5F, -0.4F}, casters, {}, 60.0F);
        casters.push_back({{-100, -1, -100}, {100, 0, 100}}); // a floor
        casters.push_back({{0, -2000, 0}, {1, -1999, 1}});    // fell off the world
        const ShadowFit fit = fitShadow({0.7F, -0.5F, -0.4F}, casters, {}, 60.0F);
        QCOMPARE(fit.extent, tight.extent);
    }

    void hugeScenesGetAWindow() {
        std::vector<Bounds> casters;
        for (int i = -500; i <= 500; i += 10) {
            const auto x = static_cast<float>(i);
            casters.push_back({{x, 0, x}, {x + 1, 2, x + 1}});
        }
        const ShadowFit fit = fitShadow({0.7F, -0.5F, -0.4F}, casters, {}, 60.0F);
        QVERIFY(!fit.empty);
        QVERIFY(fit.extent.x <= 130.0F && fit.extent.y <= 130.0F);
    }

    // Of the floors that reach below what stands and flies, the lowest; a roof is none of them, nor what lies aside.
    void theRegionReachesDownToTheFloor() {
        const Bounds ball{{-0.5F, 3, -0.5F}, {0.5F, 4, 0.5F}};
        const Bounds floor{{-10, -1, -10}, {10, 0, 10}};
        const Bounds roof{{-10, 6, -10}, {10, 6.5F, 10}};
        const Bounds aside{{100, -9, 100}, {120, -8, 120}};
        const ShadowFit fit = fitShadow({0.7F, -0.5F, -0.4F}, {ball, floor, roof, aside}, {}, 500.0F);
        QCOMPARE(fit.region.minimum, Vec3(-0.5F, 0, -0.5F));
        QCOMPARE(fit.region.maximum, ball.maximum);
    }

    // A floor under everything casts nothing, and shadows fall on it all the same: it lies before the far plane all over the map.
    void theMapReachesDownToFloorsThatDoNotCast() {
        const Bounds ball{{-0.5F, 3, -0.5F}, {0.5F, 4, 0.5F}};
        const Bounds floor{{-6, -1, -6}, {6, 0, 6}};
        const ShadowFit fit = fitShadow({0.7F, -0.5F, -0.4F}, {ball}, {}, 60.0F, {floor});
        QCOMPARE(fit.region.minimum, Vec3(-0.5F, 0, -0.5F));
        int inside = 0;
        for (float x = -6.0F; x <= 6.0F; x += 0.1F) {
            for (float z = -6.0F; z <= 6.0F; z += 0.1F) {
                const Vec3 seen(fit.matrix * Vec4(x, 0.0F, z, 1.0F));
                if (seen.x < 0.0F || seen.x > 1.0F || seen.y < 0.0F || seen.y > 1.0F)
                    continue;
                ++inside;
                QVERIFY(seen.z > 0.0F && seen.z < 0.999F);
            }
        }
        QVERIFY(inside > 50);
        // No deeper than that for a floor that goes on for kilometres.
        const Bounds plain{{-5000, -1, -5000}, {5000, 0, 5000}};
        QVERIFY(fitShadow({0.7F, -0.5F, -0.4F}, {ball}, {}, 60.0F, {plain}).depth < 2.0F * fit.depth);
    }

    void strangeInput() {
        QVERIFY(fitShadow({0, -1, 0}, {}, {}, 60.0F).empty);
        QVERIFY(!fitShadow({0, 0, 0}, yard(), {}, 60.0F).empty);  // no direction: from above
        QVERIFY(!fitShadow({0, -1, 0}, yard(), {}, 60.0F).empty); // straight down
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const ShadowFit fit =
            fitShadow({0.1F, -1, 0}, {{{nan, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}}, {}, 60.0F);
        QVERIFY(!fit.empty && isFinite(Vec3(fit.matrix[3])));
    }
};

QTEST_GUILESS_MAIN(TestShadowFit)
#include "tst_shadow_fit.moc"
