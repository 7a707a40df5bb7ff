#include <QtTest>

#include "engine/render/band.h"
#include "engine/render/picking.h"
#include "engine/render/scene_index.h"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <time.h>

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

    // Straight down, 12 m high: every number is known.
    static CameraView fromAbove() {
        CameraView camera;
        camera.pose.position = {3, 7, -2};
        camera.pose.rotation = glm::angleAxis(-1.5707964F, Vec3(1, 0, 0));
        camera.orthoHeight = 12.0F;
        camera.nearPlane = -100.0F;
        camera.farPlane = 100.0F;
        return camera;
    }

    void orthographicPlacesAreThoseOfAMap() {
        const CameraView camera = fromAbove();
        // 50 pixels a metre; +X to the right, -Z up.
        for (const Vec3& point : {Vec3(3, 0, -2), Vec3(5, 1, -2), Vec3(5, -50, 1), Vec3(-2, 40, -6.5F)}) {
            const auto pixel = projectToPixel(camera, 800, 600, point);
            QVERIFY(pixel);
            QVERIFY(std::abs(pixel->x - (400.0F + 50.0F * (point.x - 3.0F))) < 0.01F);
            QVERIFY(std::abs(pixel->y - (300.0F + 50.0F * (point.z + 2.0F))) < 0.01F);
            QVERIFY(std::abs(pixel->z - (7.0F - point.y)) < 1e-3F); // above the eye too
            const Vec4 clip = projectionMatrix(camera, 800.0F / 600.0F) * viewMatrix(camera) * Vec4(point, 1.0F);
            QVERIFY(std::abs(clip.w - 1.0F) < 1e-5F);
            QVERIFY(std::abs(pixel->x - (clip.x * 0.5F + 0.5F) * 800.0F) < 0.01F);
            QVERIFY(std::abs(pixel->y - (0.5F - clip.y * 0.5F) * 600.0F) < 0.01F);
            const Ray ray = rayThrough(camera, 800, 600, pixel->x, pixel->y);
            QVERIFY(glm::length(ray.direction - Vec3(0, -1, 0)) < 1e-5F); // all parallel
            QVERIFY(std::abs(ray.origin.y - 107.0F) < 1e-3F);             // from the near plane
            QVERIFY(std::abs(ray.origin.x - point.x) < 1e-3F && std::abs(ray.origin.z - point.z) < 1e-3F);
        }
        QVERIFY(!projectToPixel(camera, 800, 600, {3, 108, -2})); // behind the near plane
        QVERIFY(std::abs(metresPerPixel(camera, 600, 1.0F) - 0.02F) < 1e-6F);
        QVERIFY(std::abs(metresPerPixel(camera, 600, 90.0F) - 0.02F) < 1e-6F);
        QCOMPARE(sightTo(camera, {100, 0, 50}), sightTo(camera, {0, 0, 0}));
    }
    // As large as from the distance that it is called equivalent to.
    void theEquivalentDistanceShowsThingsAsLarge() {
        const CameraView flat = fromAbove();
        CameraView deep = flat;
        deep.orthoHeight = 0.0F;
        deep.nearPlane = 0.1F;
        const float distance = equivalentDistance(flat);
        QVERIFY(std::abs(metresPerPixel(deep, 600, distance) - metresPerPixel(flat, 600, distance)) < 1e-6F);
    }
    void orthographicRaysPickAboveTheEyeToo() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {{5, 0, -2}, Quat(1, 0, 0, 0), Vec3(2.0F)}));
        scene.instances.push_back(make(2, "box", {{1, 30, -2}, Quat(1, 0, 0, 0), Vec3(2.0F)})); // higher than the camera
        const CameraView camera = fromAbove();
        const auto under = [&](float x, float z) {
            const Vec2 at(400.0F + 50.0F * (x - 3.0F), 300.0F + 50.0F * (z + 2.0F));
            const auto hit = pick(scene, m_meshes, rayThrough(camera, 800, 600, at.x, at.y));
            return hit ? hit->entity : 0;
        };
        QCOMPARE(under(4.02F, -2.98F), std::uint64_t(1));
        QCOMPARE(under(5.98F, -1.02F), std::uint64_t(1));
        QCOMPARE(under(3.98F, -2.0F), std::uint64_t(0));
        QCOMPARE(under(1.0F, -2.0F), std::uint64_t(2));
        QCOMPARE(under(2.02F, -2.0F), std::uint64_t(0));
    }
    void orthographicBandsAreBoxes() {
        Scene scene;
        for (int i = 0; i < 5; ++i) { // at all depths, in a row
            scene.instances.push_back(make(static_cast<std::uint64_t>(i + 1), "box",
                                           {{1.0F + 2.0F * static_cast<float>(i), -40.0F + 20.0F * static_cast<float>(i), -2.0F}, Quat(1, 0, 0, 0), Vec3(1.0F)}));
        }
        SceneIndex index;
        index.update(scene, m_meshes);
        const CameraView camera = fromAbove();
        const auto band = [&](float fromX, float fromZ, float toX, float toZ, BandRule rule) {
            const auto place = [](float x, float z) { return Vec2(400.0F + 50.0F * (x - 3.0F), 300.0F + 50.0F * (z + 2.0F)); };
            auto found = pickBand(scene, index, camera, 800, 600, place(fromX, fromZ), place(toX, toZ), rule);
            std::sort(found.begin(), found.end());
            return found;
        };
        using Ids = std::vector<std::uint64_t>;
        QCOMPARE(band(0.45F, -2.55F, 5.55F, -1.45F, BandRule::Contains), (Ids{1, 2, 3}));
        QCOMPARE(band(0.55F, -2.55F, 5.45F, -1.45F, BandRule::Contains), (Ids{2}));
        QCOMPARE(band(0.55F, -2.55F, 5.45F, -1.45F, BandRule::Touches), (Ids{1, 2, 3}));
        QCOMPARE(band(1.55F, -2.55F, 2.45F, -1.45F, BandRule::Touches), Ids{}); // between two
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

    void aBandTakesWhatItContains() {
        using Entities = std::vector<std::uint64_t>;
        Scene scene;
        const Quat upright(1, 0, 0, 0);
        scene.instances.push_back(make(1, "box", {{-2, 0, -10}, upright, Vec3(1)}));
        scene.instances.push_back(make(2, "box", {{2, 0, -10}, upright, Vec3(1)}));
        scene.instances.push_back(make(2, "sphere", {{4, 0, -10}, upright, Vec3(1)})); // a part that stands apart
        scene.instances.push_back(make(0, "box", {{2, 0, -10}, upright, Vec3(1)}));
        scene.instances.push_back(make(3, "box", {{2, 0, 10}, upright, Vec3(1)})); // behind the camera
        scene.instances.push_back(make(4, "box", {{0, -1, -30}, upright, {80, 0.1F, 59.8F}})); // a ground that reaches to the camera
        const CameraView camera;
        QCOMPARE(band(scene, camera, {0, 0}, {800, 600}, BandRule::Contains), (Entities{1, 2}));
        QCOMPARE(band(scene, camera, {800, 600}, {0, 0}, BandRule::Contains), (Entities{1, 2}));
        QCOMPARE(band(scene, camera, {-5000, -5000}, {5000, 5000}, BandRule::Contains), (Entities{1, 2})); // beyond the picture
        const Vec2 box(*projectToPixel(camera, 800, 600, {2, 0, -10}));
        const Vec2 half(60, 60);
        QCOMPARE(band(scene, camera, box - half, box + half, BandRule::Contains), Entities{}); // the sphere is outside
        QCOMPARE(band(scene, camera, box - half, box + half, BandRule::Touches), Entities{2});
        const Vec2 left(*projectToPixel(camera, 800, 600, {-2, 0, -10}));
        QCOMPARE(band(scene, camera, left - half, left + Vec2(0, 60), BandRule::Contains), Entities{}); // its centre is in, half of it not
        QCOMPARE(band(scene, camera, left - half, left + Vec2(0, 60), BandRule::Touches), Entities{1});
        QCOMPARE(band(scene, camera, left - half, left + half, BandRule::Contains), Entities{1});
    }

    void aBandTouchesTrianglesAndNothingLarger() {
        using Entities = std::vector<std::uint64_t>;
        Scene scene;
        const Quat upright(1, 0, 0, 0);
        scene.instances.push_back(make(1, "sphere", {{0, 0, -10}, upright, Vec3(2)}));
        const CameraView camera;
        const Vec2 corner(*projectToPixel(camera, 800, 600, {1, 1, -9}));
        // Inside the corner of the ball's box is nothing of the ball.
        QCOMPARE(band(scene, camera, corner - Vec2(8, 8), corner + Vec2(200, 200), BandRule::Touches), Entities{1});
        QCOMPARE(band(scene, camera, corner + Vec2(-8, -200), corner + Vec2(200, 8), BandRule::Touches), Entities{});
        // A band in the middle of a face, with no vertex in it, touches; but what is larger than the band is not meant.
        scene.instances[0] = make(1, "box", {{0, 0, -10}, upright, {0.4F, 4, 0.4F}});
        QCOMPARE(band(scene, camera, {300, 290}, {500, 310}, BandRule::Touches), Entities{});
        QCOMPARE(band(scene, camera, {250, 270}, {550, 330}, BandRule::Touches), Entities{1});
        QCOMPARE(band(scene, camera, {250, 270}, {550, 330}, BandRule::Contains), Entities{});
    }

    void everythingBehindTheCameraIsNoError() {
        Scene scene = crowd(500);
        const CameraView camera = lookAt({0, 0, 200}, {0, 0, 400});
        for (const BandRule rule : {BandRule::Contains, BandRule::Touches})
            QVERIFY(band(scene, camera, {0, 0}, {800, 600}, rule).empty());
        // From within: some are before, some behind, some around the camera.
        const CameraView within = lookAt({0, 0, 0}, {0, 0, 1});
        QCOMPARE(band(scene, within, {0, 0}, {800, 600}, BandRule::Contains), containedByVertices(scene, within, {0, 0}, {800, 600}));
        QVERIFY(band(scene, within, {0, 0}, {0, 600}, BandRule::Touches).empty());
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

    // ---- with an index: the same answers, found without looking at everything

    void anIndexChangesNoAnswer() {
        Scene scene = crowd(600);
        SceneIndex index;
        const CameraView camera = lookAt({20, 12, 30}, {0, 2, 0});
        for (int frame = 0; frame < 12; ++frame) {
            index.update(scene, m_meshes);
            QVERIFY(index.tree().validate().ok());
            int hits = 0;
            for (int y = 5; y < 600; y += 60) {
                for (int x = 5; x < 800; x += 60) {
                    const Ray ray = rayThrough(camera, 800, 600, static_cast<float>(x), static_cast<float>(y));
                    const auto slow = pick(scene, m_meshes, ray);
                    const auto fast = pick(scene, index, ray);
                    QCOMPARE(fast.has_value(), slow.has_value());
                    if (slow) {
                        ++hits;
                        QCOMPARE(fast->instance, slow->instance);
                        QCOMPARE(fast->distance, slow->distance);
                        QCOMPARE(fast->normal, slow->normal);
                        const auto along = instancesAlong(index, ray);
                        QVERIFY(std::find(along.begin(), along.end(), slow->instance) != along.end());
                        QCOMPARE(pickInstance(scene, index, slow->instance, ray)->distance, slow->distance);
                    }
                    QVERIFY(!pick(scene, index, ray, 0.5F));
                }
            }
            QVERIFY(hits > 5);
            for (const auto& [from, to] : std::vector<std::pair<Vec2, Vec2>>{
                     {{0, 0}, {800, 600}}, {{100, 100}, {300, 500}}, {{400, 300}, {400, 300}}, {{700, 500}, {20, 30}},
                     {{-100, -100}, {5, 5}}}) {
                QCOMPARE(pickBand(scene, index, camera, 800, 600, from, to, BandRule::Contains),
                         containedByVertices(scene, camera, from, to));
            }
            shuffle(scene, frame);
        }
    }
    // What the editor does in a frame with ten thousand bodies on the move.
    void tenThousandMovingBodies() {
        Scene scene = crowd(10000);
        SceneIndex index;
        const CameraView camera = lookAt({30, 20, 45}, {0, 2, 0});
        const spatial::Frustum frustum = spatial::Frustum::of(projectionMatrix(camera, 1.6F) * viewMatrix(camera));
        index.update(scene, m_meshes);
        std::vector<double> culling;
        std::vector<double> picking;
        std::vector<double> banding;
        std::vector<std::uint32_t> seen;
        int hits = 0;
        std::size_t banded = 0;
        for (int frame = 0; frame < 200; ++frame) {
            for (std::size_t i = 0; i < scene.instances.size(); ++i) {
                Vec3& position = scene.instances[i].pose.position;
                position.x += 0.03F * std::sin(0.1F * static_cast<float>(frame) + static_cast<float>(i));
                position.z += 0.03F * std::cos(0.1F * static_cast<float>(frame) + static_cast<float>(i));
            }
            culling.push_back(milliseconds([&] {
                index.update(scene, m_meshes);
                index.inFrustum(frustum, seen);
            }));
            QVERIFY(!seen.empty());
            const auto x = static_cast<float>(320 + 37 * frame % 640);
            const auto y = static_cast<float>(200 + 53 * frame % 400);
            picking.push_back(milliseconds([&] {
                hits += pick(scene, index, rayThrough(camera, 1280, 800, x, y)) ? 1 : 0;
            }));
            banding.push_back(milliseconds([&] {
                banded += pickBand(scene, index, camera, 1280, 800, {x, y}, {x + 200, y + 150}, BandRule::Touches).size();
            }));
        }
        QVERIFY(hits > 150);
        QVERIFY(banded > 1000);
        const double cull = median(culling);
        const double ray = median(picking);
        const double band = median(banding);
        qInfo("10,000 moving: index and culling %.3f ms, a pick %.4f ms, a rubber band %.4f ms (medians); %zu seen", cull,
              ray, band, seen.size());
    }

private:
    SceneIndex indexOf(const Scene& scene) {
        SceneIndex index;
        index.update(scene, m_meshes);
        return index;
    }
    std::vector<std::uint64_t> band(const Scene& scene, const CameraView& camera, Vec2 from, Vec2 to, BandRule rule) {
        return pickBand(scene, indexOf(scene), camera, 800, 600, from, to, rule);
    }
    // The same answer from every vertex of everything, without a tree.
    std::vector<std::uint64_t> containedByVertices(const Scene& scene, const CameraView& camera, Vec2 from, Vec2 to) {
        const Vec2 low = glm::min(from, to);
        const Vec2 high = glm::max(from, to);
        std::vector<std::uint64_t> order;
        std::set<std::uint64_t> outside;
        for (const Instance& instance : scene.instances) {
            const auto mesh = m_meshes.data(instance.mesh);
            if (!mesh || instance.entity == 0 || !isDrawable(instance.pose))
                continue;
            if (std::find(order.begin(), order.end(), instance.entity) == order.end())
                order.push_back(instance.entity);
            for (const MeshVertex& vertex : mesh->vertices) {
                const auto pixel = projectToPixel(camera, 800, 600,
                                                  instance.pose.position + instance.pose.rotation * (instance.pose.scale * vertex.position));
                if (low == high || !pixel || pixel->x < low.x || pixel->y < low.y || pixel->x > high.x || pixel->y > high.y) {
                    outside.insert(instance.entity);
                    break;
                }
            }
        }
        std::erase_if(order, [&](std::uint64_t entity) { return outside.contains(entity); });
        return order;
    }
    Scene crowd(std::size_t count) {
        Scene scene;
        const float side = 2.0F * std::cbrt(static_cast<float>(count));
        std::uint32_t state = 1;
        const auto next = [&state] {
            state = state * 1664525U + 1013904223U;
            return static_cast<float>(state >> 8U) / 16777216.0F;
        };
        const char* const meshes[] = {"box", "sphere", "plane", "cylinder"};
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3 at = side * (Vec3(next(), next(), next()) - 0.5F);
            const Quat turn = glm::normalize(Quat(next() + 0.1F, next(), next(), next()));
            scene.instances.push_back(make(i / 2 + 1, meshes[i % 4], {at, turn, Vec3(0.4F + next())}));
        }
        scene.instances.push_back(make(0, "box", {{0, -side, 0}, Quat(1, 0, 0, 0), {4.0F * side, 0.1F, 4.0F * side}}));
        return scene;
    }
    // Some move, some come, some go, some lose their mesh or cannot be drawn.
    void shuffle(Scene& scene, int frame) {
        const auto at = static_cast<std::size_t>(frame);
        for (std::size_t i = at % 3; i < scene.instances.size(); i += 3)
            scene.instances[i].pose.position += Vec3(0.1F, -0.2F, 0.3F);
        scene.instances[at * 7].mesh = frame % 2 == 0 ? MeshId{} : *m_meshes.find("cone");
        scene.instances[at * 11 + 1].pose.scale.y = frame % 2 == 0 ? 0.0F : 1.0F;
        scene.instances[at * 13 + 2].pose.position.x = std::numeric_limits<float>::quiet_NaN();
        if (frame % 4 == 1)
            scene.instances.resize(scene.instances.size() - 40);
        if (frame % 4 == 3)
            for (const Instance& instance : crowd(60).instances)
                scene.instances.push_back(instance);
    }
    template <typename Work> static double milliseconds(Work work) {
        // Of this thread alone: the machine may have other work.
        const auto now = [] {
            timespec time{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
            return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
        };
        const double before = now();
        work();
        return now() - before;
    }
    static double median(std::vector<double> values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
    }
};

QTEST_GUILESS_MAIN(TestPicking)
#include "tst_picking.moc"
