#include <QtTest>

#include "engine/render/picking.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::render;

class TestPicking : public QObject {
    Q_OBJECT
    MeshLibrary m_meshes;

    Instance make(std::uint64_t entity, const char* mesh, const Pose& pose) {
        Instance instance;
        instance.entity = entity;
        instance.mesh = *m_meshes.find(mesh);
        instance.pose = pose;
        return instance;
    }

private slots:
    void projectionAgreesWithTheMatrices() {
        const CameraView camera = lookAt({3, 4, 5}, {0, 1, 0});
        for (const Vec3& point : {Vec3(0, 0, 0), Vec3(1, 2, -1), Vec3(-2, 0.5F, 1)}) {
            const Vec4 clip =
                projectionMatrix(camera, 800.0F / 600.0F) * viewMatrix(camera) * Vec4(point, 1.0F);
            const auto pixel = projectToPixel(camera, 800, 600, point);
            QVERIFY(pixel);
            QVERIFY(std::abs(pixel->x - (clip.x / clip.w * 0.5F + 0.5F) * 800.0F) < 0.01F);
            QVERIFY(std::abs(pixel->y - (0.5F - clip.y / clip.w * 0.5F) * 600.0F) < 0.01F);
            const Ray ray = rayThrough(camera, 800, 600, pixel->x, pixel->y);
            QVERIFY(glm::length(glm::cross(ray.direction, glm::normalize(point - ray.origin))) < 1e-4F);
        }
        QVERIFY(!projectToPixel(camera, 800, 600, {6, 8, 10}));
    }

    void hitsASphereWhereMathematicsSays() {
        Scene scene;
        scene.instances.push_back(make(7, "sphere", {{0, 0, -10}, Quat(1, 0, 0, 0), Vec3(2.0F)}));
        const auto hit = pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}});
        QVERIFY(hit);
        QCOMPARE(hit->entity, std::uint64_t(7));
        QVERIFY(std::abs(hit->distance - 9.0F) < 0.02F);
        QVERIFY(glm::dot(hit->normal, Vec3(0, 0, 1)) > 0.98F);
        QVERIFY(!pick(scene, m_meshes, {{0, 0, 0}, {0, 0, 1}}));
        QVERIFY(!pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}}, 5.0F));
        QVERIFY(!pick(scene, m_meshes, {{1.05F, 0, 0}, {0, 0, -1}}));
    }

    void takesTheNearestOfMany() {
        Scene scene;
        for (std::uint64_t i = 1; i <= 20; ++i) {
            scene.instances.push_back(
                make(i, "box", {{0, 0, -2.0F * static_cast<float>(21 - i)}, Quat(1, 0, 0, 0), Vec3(1)}));
        }
        const auto hit = pick(scene, m_meshes, {{0.2F, 0.1F, 0}, {0, 0, -1}});
        QVERIFY(hit);
        QCOMPARE(hit->entity, std::uint64_t(20));
        QCOMPARE(hit->instance, std::size_t(19));
        QVERIFY(std::abs(hit->distance - 1.5F) < 1e-4F);
    }

    void respectsRotationAndUnequalScale() {
        Scene scene;
        // A plank 4 m long turned 90 degrees about Y: long along Z now.
        scene.instances.push_back(
            make(1, "box", {{0, 0, 0}, fromEulerDegrees({0, 90, 0}), {4.0F, 0.2F, 1.0F}}));
        const auto hit = pick(scene, m_meshes, {{0.3F, 5, 1.9F}, {0, -1, 0}});
        QVERIFY(hit);
        QVERIFY(std::abs(hit->position.y - 0.1F) < 1e-4F);
        QVERIFY(glm::dot(hit->normal, Vec3(0, 1, 0)) > 0.999F);
        QVERIFY(!pick(scene, m_meshes, {{1.9F, 5, 0.3F}, {0, -1, 0}}));
    }

    void slantedNormalsAreRight() {
        Scene scene;
        scene.instances.push_back(make(1, "wedge", {{0, 0, 0}, Quat(1, 0, 0, 0), {1.0F, 1.0F, 2.0F}}));
        const auto hit = pick(scene, m_meshes, {{0, 5, 0}, {0, -1, 0}});
        QVERIFY(hit);
        // Rises 1 over 2.
        QVERIFY(glm::dot(hit->normal, glm::normalize(Vec3(0, 2, 1))) > 0.9999F);
    }

    void mirroredAndDegenerateScales() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {{0, 0, -5}, Quat(1, 0, 0, 0), {-1.0F, 1.0F, 1.0F}}));
        const auto hit = pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}});
        QVERIFY(hit);
        QVERIFY(std::abs(hit->distance - 4.5F) < 1e-4F);
        scene.instances[0].pose.scale = Vec3(0.0F);
        QVERIFY(!pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}}));
        scene.instances[0].mesh = MeshId{12345};
        QVERIFY(!pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}}));
    }

    void insideABoxThePictureLooksThroughItAndSoDoesTheRay() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {{0, 0, 0}, Quat(1, 0, 0, 0), Vec3(3)}));
        scene.instances.push_back(make(2, "sphere", {{0, 0, -8}, Quat(1, 0, 0, 0), Vec3(1)}));
        const auto hit = pick(scene, m_meshes, {{0, 0, 0}, {0, 0, -1}});
        QVERIFY(hit);
        QCOMPARE(hit->entity, std::uint64_t(2));
    }

    void rectangleFindsCentres() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {{-2, 0, -10}, Quat(1, 0, 0, 0), Vec3(1)}));
        scene.instances.push_back(make(2, "box", {{2, 0, -10}, Quat(1, 0, 0, 0), Vec3(1)}));
        scene.instances.push_back(make(2, "sphere", {{2.1F, 0, -10}, Quat(1, 0, 0, 0), Vec3(1)}));
        scene.instances.push_back(make(0, "box", {{2, 0, -10}, Quat(1, 0, 0, 0), Vec3(1)}));
        scene.instances.push_back(make(3, "box", {{2, 0, 10}, Quat(1, 0, 0, 0), Vec3(1)}));
        const CameraView camera;
        QCOMPARE(pickRectangle(scene, m_meshes, camera, 800, 600, {790, 10}, {410, 590}),
                 (std::vector<std::uint64_t>{2}));
        QCOMPARE(pickRectangle(scene, m_meshes, camera, 800, 600, {0, 0}, {800, 600}),
                 (std::vector<std::uint64_t>{1, 2}));
    }

    void boundsCoverAllParts() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {{0, 0, 0}, fromEulerDegrees({0, 45, 0}), Vec3(1)}));
        scene.instances.push_back(make(1, "sphere", {{0, 3, 0}, Quat(1, 0, 0, 0), Vec3(1)}));
        const auto bounds = boundsOf(scene, m_meshes, 1);
        QVERIFY(bounds);
        QVERIFY(std::abs(bounds->maximum.x - std::sqrt(0.5F)) < 1e-4F);
        QVERIFY(std::abs(bounds->maximum.y - 3.5F) < 1e-3F);
        QVERIFY(std::abs(bounds->minimum.y + 0.5F) < 1e-4F);
        QVERIFY(!boundsOf(scene, m_meshes, 2));
    }
};

QTEST_GUILESS_MAIN(TestPicking)
#include "tst_picking.moc"
