#include <QtTest>

#include "engine/render/scene.h"
#include "tests/counted_allocations.h"

#include <glm/geometric.hpp>

#include <limits>

using namespace sbx;
using namespace sbx::render;

namespace {
Instance at(std::uint64_t entity, const Vec3& position, std::uint32_t part = 0) {
    Instance instance;
    instance.entity = entity;
    instance.part = part;
    instance.mesh = MeshId{1};
    instance.pose.position = position;
    return instance;
}
Scene sceneOf(std::vector<Instance> instances) {
    Scene scene;
    scene.instances = std::move(instances);
    return scene;
}
} // namespace

class TestScene : public QObject {
    Q_OBJECT
private slots:
    void blendsPositionsLinearly() {
        const Scene out = interpolate(sceneOf({at(1, {0, 0, 0})}), sceneOf({at(1, {1, 2, 0})}), 0.25F);
        QCOMPARE(out.instances[0].pose.position, Vec3(0.25F, 0.5F, 0.0F));
    }

    void endsAreExact() {
        const Scene before = sceneOf({at(1, {0, 0, 0})});
        const Scene after = sceneOf({at(1, {1, 2, 1})});
        QVERIFY(interpolate(before, after, 1.0F) == after);
        QVERIFY(interpolate(before, after, 7.0F) == after);
        QCOMPARE(interpolate(before, after, -1.0F).instances[0].pose.position, Vec3(0.0F));
    }

    void matchesByEntityAndPartWhateverTheOrder() {
        const Scene before =
            sceneOf({at(1, {0, 0, 0}), at(2, {2, 0, 0}), at(2, {0, 2, 0}, 1), at(3, {0, 0, 2})});
        // 1 died, 9 was born, the rest changed places.
        const Scene after =
            sceneOf({at(3, {0, 0, 1}), at(9, {5, 5, 5}), at(2, {0, 1, 0}, 1), at(2, {1, 0, 0})});
        const Scene out = interpolate(before, after, 0.5F);
        QCOMPARE(out.instances.size(), std::size_t(4));
        QCOMPARE(out.instances[0].pose.position, Vec3(0, 0, 1.5F));
        QCOMPARE(out.instances[1].pose.position, Vec3(5, 5, 5));
        QCOMPARE(out.instances[2].pose.position, Vec3(0, 1.5F, 0));
        QCOMPARE(out.instances[3].pose.position, Vec3(1.5F, 0, 0));
    }

    void jumpsAreNotSmeared() {
        const float far = TeleportDistance * 1.1F;
        const Scene out = interpolate(sceneOf({at(1, {0, 0, 0})}), sceneOf({at(1, {far, 0, 0})}), 0.5F);
        QCOMPARE(out.instances[0].pose.position.x, far);
        const float near = TeleportDistance * 0.9F;
        const Scene smooth = interpolate(sceneOf({at(1, {0, 0, 0})}), sceneOf({at(1, {near, 0, 0})}), 0.5F);
        QCOMPARE(smooth.instances[0].pose.position.x, near * 0.5F);
    }

    void nothingFiniteBecomesInfinite() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const Scene out = interpolate(sceneOf({at(1, {nan, 0, 0})}), sceneOf({at(1, {1, 0, 0})}), 0.5F);
        QCOMPARE(out.instances[0].pose.position, Vec3(1, 0, 0));
    }

    void rotationTakesTheShortWay_data() {
        QTest::addColumn<float>("degrees");
        QTest::addColumn<bool>("negated");
        for (const float degrees : {0.5F, 10.0F, 90.0F, 179.0F}) {
            QTest::addRow("%g", static_cast<double>(degrees)) << degrees << false;
            QTest::addRow("%g negated", static_cast<double>(degrees)) << degrees << true;
        }
    }
    void rotationTakesTheShortWay() {
        QFETCH(float, degrees);
        QFETCH(bool, negated);
        Pose from;
        Pose to;
        to.rotation = fromEulerDegrees({0.0F, degrees, 0.0F});
        if (negated) {
            to.rotation = -to.rotation;
        }
        const Pose middle = interpolate(from, to, 0.5F);
        const Quat expected = fromEulerDegrees({0.0F, degrees * 0.5F, 0.0F});
        QVERIFY(std::abs(std::abs(glm::dot(middle.rotation, expected)) - 1.0F) < 1e-5F);
        QVERIFY(std::abs(glm::length(middle.rotation) - 1.0F) < 1e-5F);
    }

    void lightsAndCameraFollow() {
        Scene before;
        before.lights.push_back({4, 0, {0, 0, 0}, {1, 1, 1}, 2.0F, 5.0F});
        before.camera = CameraView{};
        Scene after = before;
        after.lights[0].position = {1, 0, 0};
        after.lights[0].intensity = 4.0F;
        after.camera->pose.position = {0, 1, 0};
        const Scene out = interpolate(before, after, 0.5F);
        QCOMPARE(out.lights[0].position, Vec3(0.5F, 0, 0));
        QCOMPARE(out.lights[0].intensity, 3.0F);
        QCOMPARE(out.camera->pose.position, Vec3(0, 0.5F, 0));
        after.camera.reset();
        QVERIFY(!interpolate(before, after, 0.5F).camera);
    }

    void aNewMeshIsNotMorphedFromTheOld() {
        Scene before = sceneOf({at(1, {0, 0, 0})});
        Scene after = sceneOf({at(1, {1, 0, 0})});
        after.instances[0].mesh = MeshId{2};
        QCOMPARE(interpolate(before, after, 0.5F).instances[0].pose.position, Vec3(1, 0, 0));
    }

    void tenThousandAreCheap() {
        Scene before;
        for (std::uint64_t i = 1; i <= 10000; ++i) {
            before.instances.push_back(at(i, {static_cast<float>(i), 0, 0}));
        }
        Scene after = before;
        for (Instance& instance : after.instances) {
            instance.pose.position.y = 1.0F;
        }
        Scene out;
        interpolate(before, after, 0.5F, out); // takes the memory that the result needs
        const std::size_t allocations = Allocations;
        interpolate(before, after, 0.5F, out);
        QVERIFY2(Allocations == allocations, "interpolation of matching lists must not build tables");
        QCOMPARE(out.instances[9999].pose.position.y, 0.5F);
    }

    void materialNamesMatchTheEnumeration() {
        QCOMPARE(materialNames().size(), static_cast<std::size_t>(Material::Grass) + 1);
        QCOMPARE(materialNames()[static_cast<std::size_t>(Material::Brass)], std::string("brass"));
        QCOMPARE(materialNames()[static_cast<std::size_t>(Material::Glow)], std::string("glow"));
    }
};

QTEST_GUILESS_MAIN(TestScene)
#include "tst_scene.moc"
