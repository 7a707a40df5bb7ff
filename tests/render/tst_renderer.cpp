#include <QtTest>

#include "engine/render/egl_context.h"
#include "engine/render/renderer.h"

#include <epoxy/gl.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sbx;
using namespace sbx::render;

namespace {

double brightness(const std::array<std::uint8_t, 4>& p) {
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

// The tone curve and encoding as published, in double precision.
double expectedDisplay(double light) {
    const double x = light * 0.5;
    const double c = std::clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    return 255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055);
}

bool isAccent(const std::array<std::uint8_t, 4>& p) {
    return std::abs(p[0] - 255) < 24 && p[1] < 40 && std::abs(p[2] - 255) < 24;
}

int countAccent(const Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            count += isAccent(image.at(x, y)) ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class TestRenderer : public QObject {
    Q_OBJECT
    std::unique_ptr<EglContext> m_context;
    MeshLibrary m_meshes;
    std::unique_ptr<Renderer> m_renderer;

    Instance make(std::uint64_t entity, const char* mesh, const Vec3& position,
                  const Vec3& scale = Vec3(1.0F)) {
        Instance instance;
        instance.entity = entity;
        instance.mesh = *m_meshes.find(mesh);
        instance.pose.position = position;
        instance.pose.scale = scale;
        return instance;
    }
    // No sun, no sky light, no fog: only what glows is seen.
    static Scene darkScene() {
        Scene scene;
        scene.sun.intensity = 0.0F;
        scene.environment.ambient = 0.0F;
        scene.environment.fogDensity = 0.0F;
        return scene;
    }
    static View viewOf(const CameraView& camera, int width = 320, int height = 240) {
        View view;
        view.camera = camera;
        view.width = width;
        view.height = height;
        view.accent = {1.0F, 0.0F, 1.0F, 1.0F};
        return view;
    }
    static Settings plain() {
        Settings settings = softwareSettings();
        settings.halos = false;
        settings.smoothEdges = false;
        return settings;
    }
    Image draw(const Scene& scene, const View& view, const Settings& settings = plain()) {
        auto image = m_renderer->renderToImage(scene, view, settings);
        if (!image) {
            qFatal("%s", image.error().message.c_str());
        }
        return std::move(*image);
    }
    static std::array<std::uint8_t, 4> pixelAt(const Image& image, const View& view, const Vec3& point) {
        const auto pixel = projectToPixel(view.camera, view.width, view.height, point);
        return image.at(static_cast<int>(pixel->x), static_cast<int>(pixel->y));
    }
    // A metre of crate on a floor, the sun at 45 degrees from -X.
    Scene crateOnFloor() {
        Scene scene;
        scene.sun = {{1.0F, -1.0F, 0.0F}, {1, 1, 1}, 3.0F};
        scene.environment.fogDensity = 0.0F;
        scene.instances.push_back(make(1, "box", {0, -0.5F, 0}, {30, 1, 30}));
        scene.instances.push_back(make(2, "box", {0, 0.5F, 0}));
        return scene;
    }

private slots:
    void initTestCase() {
        auto context = EglContext::create();
        if (!context) {
            QSKIP(("no OpenGL without a window here: " + context.error().message).c_str());
        }
        m_context = std::move(*context);
        qInfo("%s", m_context->description().c_str());
        m_renderer = std::make_unique<Renderer>(m_meshes);
        const auto ready = m_renderer->initialise();
        QVERIFY2(ready.ok(), ready.ok() ? "" : ready.error().message.c_str());
    }
    void cleanup() {
        if (m_context) {
            QCOMPARE(glGetError(), GLenum(GL_NO_ERROR));
        }
    }
    void cleanupTestCase() {
        m_renderer.reset();
        m_context.reset();
    }

    // A picture that need not wait for its shaders makes at least one of them, and after as many it is the same as one that waits.
    void earlyPicturesBecomeTheWholeOne() {
        Scene scene = crateOnFloor();
        constexpr int Materials = 9;
        for (int i = 0; i < Materials; ++i) {
            Instance box =
                make(static_cast<std::uint64_t>(10 + i), "box", {static_cast<float>(i) - 4.0F, 1.0F, -2.0F});
            box.material = static_cast<Material>(i);
            scene.instances.push_back(box);
        }
        CameraView camera;
        camera.pose.position = {0.0F, 2.0F, 6.0F};
        View view = viewOf(camera);
        const Image whole = draw(scene, view);
        QVERIFY(!m_renderer->statistics().unfinished);
        Renderer other(m_meshes);
        QVERIFY(other.initialise().ok());
        view.compileMs = 0.0;
        int pictures = 0;
        do {
            const auto early = other.renderToImage(scene, view, plain());
            QVERIFY(early.ok());
            ++pictures;
            if (!other.statistics().unfinished)
                QVERIFY(early->rgba == whole.rgba);
        } while (other.statistics().unfinished && pictures <= Materials);
        QCOMPARE(pictures, Materials); // each of them made one
    }

    void whatIsPickedIsWhatIsSeen() {
        Scene scene = darkScene();
        for (std::uint64_t i = 0; i < 12; ++i) {
            Instance ball = make(
                100 + i, i % 2 == 0 ? "sphere" : "box",
                {-4.0F + 2.2F * static_cast<float>(i % 4), -2.0F + 2.0F * static_cast<float>(i / 4), -9.0F},
                Vec3(0.9F));
            // The colour says who it is.
            ball.color = {0, 0, 0, 1};
            ball.emissive = Vec3(0.02F * static_cast<float>(i + 1));
            scene.instances.push_back(ball);
        }
        const View view = viewOf({}, 400, 300);
        const Image image = draw(scene, view);
        for (const Instance& instance : scene.instances) {
            const auto pixel = projectToPixel(view.camera, view.width, view.height, instance.pose.position);
            const auto hit = m_renderer->pick(scene, view, pixel->x, pixel->y);
            QVERIFY(hit);
            QCOMPARE(hit->entity, instance.entity);
            const double seen = image.at(static_cast<int>(pixel->x), static_cast<int>(pixel->y))[0];
            QVERIFY(std::abs(seen - expectedDisplay(static_cast<double>(instance.emissive.x))) < 2.5);
        }
        QVERIFY(!m_renderer->pick(scene, view, 2, 2));
    }

    void pickingAndPictureAgreeOnEdges() {
        Scene scene = darkScene();
        Instance box = make(5, "box", {0.3F, 0.1F, -6}, {1.4F, 1.0F, 0.7F});
        box.pose.rotation = fromEulerDegrees({20, 35, 10});
        box.color = {0, 0, 0, 1};
        box.emissive = Vec3(4.0F);
        scene.instances.push_back(box);
        const View view = viewOf({}, 320, 240);
        const Image image = draw(scene, view);
        int differing = 0;
        for (int y = 0; y < 240; y += 3) {
            for (int x = 0; x < 320; x += 3) {
                const bool seen = image.at(x, y)[1] > 200;
                const bool hit =
                    m_renderer->pick(scene, view, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F)
                        .has_value();
                differing += seen != hit ? 1 : 0;
            }
        }
        // The drawn box has its edges broken; the ray's has not.
        QVERIFY2(differing < 30, qPrintable(QString::number(differing)));
    }

    void displayValuesFollowTheToneCurve() {
        const View view = viewOf({}, 64, 64);
        double last = -1.0;
        for (const float light : {0.0F, 0.02F, 0.1F, 0.3F, 1.0F, 3.0F, 10.0F, 1000.0F}) {
            Scene scene = darkScene();
            Instance box = make(1, "box", {0, 0, -2}, Vec3(2));
            box.color = {0, 0, 0, 1};
            box.emissive = Vec3(light);
            scene.instances.push_back(box);
            const auto p = draw(scene, view).at(32, 32);
            const double expected = expectedDisplay(static_cast<double>(light));
            QVERIFY2(std::abs(p[0] - expected) <= 2.0,
                     qPrintable(QStringLiteral("%1: %2 not %3").arg(light).arg(p[0]).arg(expected)));
            QCOMPARE(p[0], p[1]);
            QCOMPARE(p[1], p[2]);
            QCOMPARE(int(p[3]), 255);
            QVERIFY(p[0] >= last);
            last = p[0];
        }
    }

    void exposureScalesLight() {
        Scene scene = darkScene();
        Instance box = make(1, "box", {0, 0, -2}, Vec3(2));
        box.color = {0, 0, 0, 1};
        box.emissive = Vec3(0.2F);
        scene.instances.push_back(box);
        Settings settings = plain();
        settings.exposure = 2.0F;
        QVERIFY(std::abs(draw(scene, viewOf({}, 64, 64), settings).at(32, 32)[0] - expectedDisplay(0.4))
                <= 2.0);
        scene.environment.exposure = 0.5F;
        QVERIFY(std::abs(draw(scene, viewOf({}, 64, 64), settings).at(32, 32)[0] - expectedDisplay(0.2))
                <= 2.0);
    }

    void shadowsFallWhereTheSunSays_data() {
        QTest::addColumn<bool>("soft");
        QTest::addColumn<int>("size");
        QTest::newRow("soft 1024") << true << 1024;
        QTest::newRow("soft 512") << true << 512;
        QTest::newRow("soft 2048") << true << 2048;
        QTest::newRow("sharp 1024") << false << 1024;
    }
    void shadowsFallWhereTheSunSays() {
        QFETCH(bool, soft);
        QFETCH(int, size);
        const Scene scene = crateOnFloor();
        const View view = viewOf(lookAt({3, 6, 3}, {0.6F, 0, 0}, 0.7F), 480, 360);
        Settings settings = plain();
        settings.softShadows = soft;
        settings.shadowSize = size;
        settings.ambientOcclusion = false;
        const Image image = draw(scene, view, settings);
        const auto at = [&](float x, float z) { return brightness(pixelAt(image, view, {x, 0, z})); };
        const double lit = at(2.4F, 0);
        const double dark = at(1.0F, 0);
        QVERIFY2(lit > dark * 1.5, qPrintable(QStringLiteral("lit %1, dark %2").arg(lit).arg(dark)));
        QVERIFY(std::abs(at(-1.2F, 0) - lit) < 6);
        QVERIFY(std::abs(at(1.0F, 0.9F) - lit) < 6);
        // No light leaks in along the foot of the crate.
        QVERIFY(std::abs(at(0.54F, 0) - dark) < 12);
        // The edge of the top falls at 1.5 m; half way between lit and dark within the filter's reach.
        double edge = 0.0;
        for (float x = 1.1F; x < 2.0F; x += 0.01F) {
            if (at(x, 0) < 0.5 * (lit + dark)) {
                edge = static_cast<double>(x);
            }
        }
        QVERIFY2(std::abs(edge - 1.5) < 0.09, qPrintable(QString::number(edge)));
        settings.shadows = false;
        const Image without = draw(scene, view, settings);
        QVERIFY(std::abs(brightness(pixelAt(without, view, {1.0F, 0, 0})) - lit) < 6);
    }

    void litFacesCarryNoAcne() {
        Scene scene;
        scene.sun = {{0.74F, -0.42F, -0.49F}, {1, 1, 1}, 3.0F};
        scene.environment.fogDensity = 0.0F;
        scene.instances.push_back(make(1, "box", {0, -0.5F, 0}, {30, 1, 30}));
        scene.instances.push_back(make(2, "box", {0, 1.5F, -4}, {12, 3, 0.4F}));
        Settings settings = plain();
        settings.ambientOcclusion = false;
        const View view = viewOf(lookAt({0, 2, 6}, {0, 1.4F, -4}, 0.5F), 320, 240);
        const Image with = draw(scene, view, settings);
        settings.shadows = false;
        const Image without = draw(scene, view, settings);
        for (float x = -2.0F; x <= 2.0F; x += 0.05F) {
            for (float y = 0.4F; y <= 2.6F; y += 0.1F) {
                QVERIFY(std::abs(brightness(pixelAt(with, view, {x, y, -3.8F}))
                                 - brightness(pixelAt(without, view, {x, y, -3.8F})))
                        < 3);
            }
        }
    }

    void sheltersAreDarker() {
        Scene scene = crateOnFloor();
        scene.sun.intensity = 0.0F;
        scene.instances.push_back(make(3, "box", {0, 1.5F, -4}, {10, 3, 0.4F}));
        const View view = viewOf(lookAt({0, 6, 5}, {0, 0, 0}, 0.9F), 320, 240);
        Settings settings = plain();
        const Image image = draw(scene, view, settings);
        const double near = brightness(pixelAt(image, view, {2, 0, -3.6F}));
        const double open = brightness(pixelAt(image, view, {2, 0, 1.5F}));
        QVERIFY2(near < open * 0.88,
                 qPrintable(QStringLiteral("%1 beside the wall, %2 in the open").arg(near).arg(open)));
        settings.ambientOcclusion = false;
        const Image without = draw(scene, view, settings);
        QVERIFY(std::abs(brightness(pixelAt(without, view, {2, 0, -3.6F})) - open) < 4);
    }

    // What is in the air darkens the ground below it and no more: where the region that is looked at ends there is no edge on the ground.
    void whatFloatsLeavesNoFrameOnTheGround() {
        Scene scene = crateOnFloor();
        scene.sun.intensity = 0.0F;
        scene.instances.back().pose.position = {0, 3, 0};
        scene.instances.push_back(make(3, "sphere", {2.5F, 4, 0}));
        for (const bool casts : {true, false}) { // a floor that casts no shadow stands in no region
            scene.instances.front().castsShadow = casts;
            const View view = viewOf(lookAt({0, 14, 0.1F}, {0, 0, 0}, 0.6F), 400, 300);
            const Image image = draw(scene, view);
            const double open = brightness(pixelAt(image, view, {-3.6F, 0, -2.6F}));
            for (float x = -3.5F; x <= -1.8F; x += 0.05F) {
                const double here = brightness(pixelAt(image, view, {x, 0, 1.9F}));
                QVERIFY2(std::abs(here - open) < 5, qPrintable(QStringLiteral("%1 at %2, %3 in the open").arg(here).arg(x).arg(open)));
            }
        }
    }

    // The sun lights a floor under what floats all alike but for the shadows: no patch of half shade where the map lies.
    void whatFloatsLeavesNoPatchOnTheFloor() {
        Scene scene = crateOnFloor();
        scene.instances.back().pose.position = {0, 4, 0};
        Settings settings = plain();
        settings.ambientOcclusion = false;
        const View view = viewOf(lookAt({4, 12, 0.1F}, {4, 0, 0}, 0.6F), 400, 300);
        const Image with = draw(scene, view, settings);
        settings.shadows = false;
        const Image without = draw(scene, view, settings);
        QVERIFY(brightness(pixelAt(with, view, {4, 0, 0})) < 0.8 * brightness(pixelAt(without, view, {4, 0, 0}))); // at 45 degrees
        for (float x = 2.0F; x <= 6.0F; x += 0.05F) {
            for (const float z : {-0.62F, 0.62F}) {
                const Vec3 beside(x, 0, z);
                QVERIFY2(std::abs(brightness(pixelAt(with, view, beside)) - brightness(pixelAt(without, view, beside))) < 3,
                         qPrintable(QStringLiteral("at %1, %2").arg(x).arg(z)));
            }
        }
    }

    void pointLightsReachAsFarAsTheySay() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "plane", {0, 0, 0}, Vec3(40)));
        scene.lights.push_back({9, 0, {0, 1, 0}, {1, 0.2F, 0.2F}, 4.0F, 5.0F});
        const View view = viewOf(lookAt({0, 12, 0.1F}, {0, 0, 0}, 0.9F), 200, 200);
        const Image image = draw(scene, view);
        const auto near = pixelAt(image, view, {0, 0, 0});
        QVERIFY(near[0] > 150 && near[0] > near[1] + 40);
        QVERIFY(brightness(pixelAt(image, view, {2, 0, 0})) < brightness(near));
        QCOMPARE(int(pixelAt(image, view, {5.2F, 0, 0})[0]), 0);
    }

    void moreLightsThanFitTakesTheNearest() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "plane", {0, 0, 0}, Vec3(40)));
        for (int i = 0; i < 40; ++i) {
            scene.lights.push_back({static_cast<std::uint64_t>(i + 1),
                                    0,
                                    {0, 1, -200.0F - static_cast<float>(i)},
                                    {1, 1, 1},
                                    4.0F,
                                    5.0F});
        }
        scene.lights.push_back({99, 0, {0, 1, 0}, {1, 1, 1}, 4.0F, 5.0F});
        const View view = viewOf(lookAt({0, 12, 0.1F}, {0, 0, 0}, 0.9F), 200, 200);
        QVERIFY(brightness(draw(scene, view).at(100, 100)) > 100);
    }

    void lampsThatLightNothingInThePictureTakeNoPlace() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "plane", {0, 0, 0}, Vec3(80)));
        // Nearer than the one in the picture, but behind the camera and beside it.
        for (int i = 0; i < 6; ++i) {
            const auto id = static_cast<std::uint64_t>(i + 1);
            scene.lights.push_back({id, 0, {0, 1, 12.0F + static_cast<float>(i)}, {1, 1, 1}, 4.0F, 2.0F});
            scene.lights.push_back({id + 10, 0, {9.0F + static_cast<float>(i), 1, 5}, {1, 1, 1}, 4.0F, 2.0F});
        }
        scene.lights.push_back({99, 0, {0, 1, -10}, {1, 1, 1}, 4.0F, 5.0F});
        const View view = viewOf(lookAt({0, 3, 9}, {0, 0, -10}, 0.6F), 200, 200);
        QVERIFY(brightness(pixelAt(draw(scene, view), view, {0, 0, -10})) > 60);
        QCOMPARE(m_renderer->statistics().lamps, 1);
        QCOMPARE(m_renderer->statistics().darkLamps, 0);
        // And where there are too many, it is said how many stay dark.
        for (int i = 0; i < 10; ++i)
            scene.lights.push_back({static_cast<std::uint64_t>(i + 200), 0, {0, 1, -12.0F}, {1, 1, 1}, 0.1F, 5.0F});
        static_cast<void>(draw(scene, view));
        QCOMPARE(m_renderer->statistics().lamps, 8);
        QCOMPARE(m_renderer->statistics().darkLamps, 3);
    }

    void skyIsBlueAboveAndGlowsTowardsTheSun() {
        Scene scene;
        scene.environment.clouds = 0.0F;
        const Image up = draw(scene, viewOf(lookAt({0, 2, 0}, {0, 12, -3}), 64, 64));
        QVERIFY(up.at(32, 32)[2] > up.at(32, 32)[0] + 30);
        const Image towards =
            draw(scene, viewOf(lookAt({0, 2, 0}, Vec3(0, 2, 0) - scene.sun.direction * 10.0F), 64, 64));
        const Image away =
            draw(scene,
                 viewOf(lookAt({0, 2, 0}, Vec3(0, 2, 0) + scene.sun.direction * Vec3(10, -10, 10)), 64, 64));
        QVERIFY(brightness(towards.at(32, 32)) > brightness(away.at(32, 32)) + 40);
    }

    void fogTakesWhatIsFar() {
        Scene scene = darkScene();
        scene.environment.fogDensity = 0.02F;
        Instance near = make(1, "box", {-1, 0, -3});
        near.color = {0, 0, 0, 1};
        Instance far = make(2, "box", {300, 0, -900}, Vec3(300));
        far.color = {0, 0, 0, 1};
        scene.instances = {near, far};
        View view = viewOf({}, 320, 240);
        view.camera.farPlane = 3000.0F;
        const Image image = draw(scene, view);
        QVERIFY(brightness(pixelAt(image, view, {-1, 0, -2.5F})) < 20);
        QVERIFY(brightness(pixelAt(image, view, {300, 0, -750})) > 90);
    }

    void outlineIsTwoPixelsOfAccentOverEverything() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "box", {0, 0, -5}));
        Instance wall = make(2, "box", {0, 0, -3}, {4, 4, 0.1F});
        View view = viewOf({}, 320, 240);
        QCOMPARE(countAccent(draw(scene, view)), 0);
        view.selected = {1};
        const Image image = draw(scene, view);
        const int open = countAccent(image);
        QVERIFY2(open > 100, qPrintable(QString::number(open)));
        // Across the right edge of the box's silhouette.
        int across = 0;
        for (int x = 160; x < 320; ++x) {
            across += isAccent(image.at(x, 120)) ? 1 : 0;
        }
        QVERIFY2(across >= 1 && across <= 3, qPrintable(QString::number(across)));
        scene.instances.push_back(wall);
        QVERIFY(std::abs(countAccent(draw(scene, view)) - open) < open / 10);
        view.pixelRatio = 2.0F;
        QVERIFY(countAccent(draw(scene, view)) > open * 3 / 2);
        // Nobody there, behind the camera, part of nothing.
        view.selected = {77, 0};
        QCOMPARE(countAccent(draw(scene, view)), 0);
        scene.instances[0].pose.position.z = 5.0F;
        view.selected = {1};
        QCOMPARE(countAccent(draw(scene, view)), 0);
        // Around the camera: covers the picture, outlines nothing in it.
        scene.instances[0].pose.position.z = 0.0F;
        scene.instances[0].pose.scale = Vec3(6.0F);
        draw(scene, view);
    }

    void eachSelectedThingHasItsOwnOutline() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "box", {-0.5F, 0, -5}));
        scene.instances.push_back(make(2, "box", {0.5F, 0, -5})); // side by side, without a gap
        View view = viewOf({}, 320, 240);
        view.primary = Vec4(1.0F, 1.0F, 0.0F, 1.0F);
        view.selected = {1, 2};
        const auto inTheMiddle = [](const Image& image, const auto& matches) {
            int count = 0;
            for (int x = 155; x <= 164; ++x) {
                count += matches(image.at(x, 120)) ? 1 : 0;
            }
            return count;
        };
        const auto accent = [&](const auto& pixel) { return isAccent(pixel); };
        const int between = inTheMiddle(draw(scene, view), accent);
        QVERIFY2(between >= 1 && between <= 3, qPrintable(QString::number(between)));
        view.outlineGroups = {7, 7}; // one thing of two parts
        QCOMPARE(inTheMiddle(draw(scene, view), accent), 0);
        view.outlineGroups = {7, 7 + 61}; // that differ in the second digit alone
        QVERIFY(inTheMiddle(draw(scene, view), accent) > 0);
        const int all = countAccent(draw(scene, view));
        view.primaryGroup = 7;
        const int others = countAccent(draw(scene, view));
        QVERIFY2(others > all / 4 && others < all * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(others).arg(all)));
    }

    void signsStandForWhatHasNoShape() {
        Scene scene = darkScene();
        View view = viewOf({}, 320, 240);
        auto sheet = std::make_shared<IconSheet>();
        sheet->width = sheet->height = 4;
        sheet->coverage.assign(16, 255);
        view.icons = sheet;
        Sign sign{{0, 0, -5}, 24.0F, Vec4(1.0F, 0.0F, 1.0F, 1.0F), Vec4(0, 0, 1, 1), false};
        view.signs = {sign};
        const int shown = countAccent(draw(scene, view));
        QVERIFY2(shown > 150 && shown < 24 * 24, qPrintable(QString::number(shown)));
        sign.position.z = -50.0F;
        view.signs = {sign};
        QVERIFY(std::abs(countAccent(draw(scene, view)) - shown) < 20); // as large from afar
        view.pixelRatio = 2.0F;
        QVERIFY(countAccent(draw(scene, view)) > 3 * shown);
        view.pixelRatio = 1.0F;
        scene.instances.push_back(make(2, "box", {0, 0, -3}, {4, 4, 0.1F}));
        QCOMPARE(countAccent(draw(scene, view)), 0); // hidden: fainter
        scene.instances.clear();
        sign.position.z = 5.0F;
        view.signs = {sign};
        QCOMPARE(countAccent(draw(scene, view)), 0); // behind the camera
        // A sheet that is not as large as it says is not read.
        sign.position.z = -5.0F;
        view.signs = {sign};
        auto wrong = std::make_shared<IconSheet>(*sheet);
        wrong->width = 4000;
        view.icons = wrong;
        QCOMPARE(countAccent(draw(scene, view)), 0);
    }

    void multisamplingSmoothsEdges() {
        Scene scene = darkScene();
        Instance box = make(1, "box", {0, 0, -4}, Vec3(1.6F));
        box.pose.rotation = fromEulerDegrees({0, 0, 17});
        box.color = {0, 0, 0, 1};
        box.emissive = Vec3(20.0F);
        scene.environment.zenith = scene.environment.horizon = scene.environment.ground = Vec3(0.0F);
        scene.environment.clouds = 0.0F;
        scene.instances.push_back(box);
        const auto between = [&](int samples, bool smooth = false) {
            Settings settings = plain();
            settings.msaaSamples = samples;
            settings.smoothEdges = smooth;
            const Image image = draw(scene, viewOf({}, 200, 200), settings);
            int count = 0;
            for (int y = 0; y < 200; ++y) {
                for (int x = 0; x < 200; ++x) {
                    const int p = image.at(x, y)[0];
                    count += p > 25 && p < 230 ? 1 : 0;
                }
            }
            return count;
        };
        QCOMPARE(between(0), 0);
        QCOMPARE(between(1), 0);
        QVERIFY(between(0, true) > 100);
        GLint most = 0;
        glGetIntegerv(GL_MAX_SAMPLES, &most);
        if (most >= 4) {
            QVERIFY(between(4) > 100);
            QVERIFY(between(64) > 100); // no more than the driver has
        }
    }

    void renderScaleKeepsTheOutlineSharp() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "box", {0, 0, -5}));
        View view = viewOf({}, 320, 240);
        view.selected = {1};
        Settings settings = plain();
        const int full = countAccent(draw(scene, view, settings));
        settings.renderScale = 0.5F;
        const Image half = draw(scene, view, settings);
        QCOMPARE(half.width, 320);
        QVERIFY(std::abs(countAccent(half) - full) < full / 10);
        settings.renderScale = -3.0F;
        draw(scene, view, settings);
        settings.renderScale = std::numeric_limits<float>::infinity();
        draw(scene, view, settings);
    }

    void sizesComeAndGo() {
        const Scene scene = crateOnFloor();
        for (const auto& [width, height] : {std::pair(64, 64), std::pair(640, 30), std::pair(1, 1),
                                            std::pair(33, 500), std::pair(64, 64)}) {
            const Image image = draw(scene, viewOf(lookAt({0, 3, 6}, {0, 0, 0}), width, height));
            QCOMPARE(image.rgba.size(), std::size_t(4) * static_cast<std::size_t>(width * height));
        }
        View none = viewOf({}, 0, 100);
        m_renderer->render(scene, none, plain());
        QVERIFY(!m_renderer->renderToImage(scene, none, plain()).ok());
        none.width = 100000;
        QVERIFY(!m_renderer->renderToImage(scene, none, plain()).ok());
    }

    void emptySceneHasASky() {
        const Image image = draw(Scene{}, viewOf({}, 64, 64));
        QVERIFY(brightness(image.at(32, 5)) > 40);
        QCOMPARE(m_renderer->statistics().instances, 0);
    }

    void tenThousandInstancesAreFewDraws() {
        Scene scene;
        for (std::uint64_t i = 0; i < 10000; ++i) {
            scene.instances.push_back(
                make(i + 1, i % 2 == 0 ? "box" : "sphere",
                     {static_cast<float>(i % 100) - 50.0F, 0.5F, -static_cast<float>(i / 100)}, Vec3(0.5F)));
        }
        const View view = viewOf(lookAt({0, 12, 20}, {0, 0, -30}), 320, 240);
        QElapsedTimer timer;
        timer.start();
        draw(scene, view);
        qInfo("10,000 instances: %lld ms for a first frame of 320 x 240",
              static_cast<long long>(timer.elapsed()));
        const Statistics drawn = m_renderer->statistics();
        QVERIFY(drawn.instances > 3000);
        QVERIFY2(drawn.draws < 20, qPrintable(QString::number(drawn.draws)));
    }

    void whatIsOutOfSightIsNotDrawn() {
        Scene scene;
        scene.instances.push_back(make(1, "box", {0, 0, -5}));
        scene.instances.push_back(make(2, "box", {0, 0, 5}));
        scene.instances.push_back(make(3, "box", {100, 0, -5}));
        draw(scene, viewOf({}, 64, 64));
        QCOMPARE(m_renderer->statistics().instances, 1);
    }

    void nobodySeesTheirOwnBodyButItsShadow() {
        Scene scene = crateOnFloor();
        View view = viewOf(lookAt({0, 6, 3}, {0.5F, 0, 0}, 0.7F), 160, 120);
        draw(scene, view);
        const Statistics before = m_renderer->statistics();
        view.camera.entity = 2;
        draw(scene, view);
        QCOMPARE(m_renderer->statistics().instances, before.instances - 1);
        QCOMPARE(m_renderer->statistics().shadowInstances, before.shadowInstances);
    }

    void strangeInstancesAreLeftOut() {
        Scene scene = crateOnFloor();
        const View view = viewOf(lookAt({0, 6, 3}, {0.5F, 0, 0}, 0.7F), 160, 120);
        const Image good = draw(scene, view);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        scene.instances.push_back(make(8, "box", {nan, 0, 0}));
        scene.instances.push_back(make(9, "box", {0, 0, 0}, {0, 1, 1}));
        scene.instances.push_back(make(10, "box", {0, 1, 0}));
        scene.instances.back().mesh = MeshId{4242};
        scene.instances.push_back(make(11, "box", {0, std::numeric_limits<float>::infinity(), 0}));
        scene.lights.push_back({1, 0, {nan, 0, 0}, {1, 1, 1}, 4.0F, 5.0F});
        View same = view;
        same.debug.addLine({nan, 0, 0}, {1, 1, 1}, Vec4(1));
        same.selected = {8, 9, 10, 11};
        QVERIFY(draw(scene, same).rgba == good.rgba);
    }

    void blendedThingsLetTheRestThrough() {
        Scene scene = darkScene();
        Instance back = make(1, "box", {0, 0, -6}, Vec3(3));
        back.color = {0, 0, 0, 1};
        back.emissive = {3, 0, 0};
        Instance glass = make(2, "box", {0, 0, -3}, {1, 1, 0.1F});
        glass.color = {0, 0, 0, 0.4F};
        glass.emissive = {0, 0, 3};
        scene.instances = {glass, back};
        const auto p = draw(scene, viewOf({}, 100, 100)).at(50, 50);
        QVERIFY(p[0] > 80 && p[2] > 60);
        QCOMPARE(int(p[3]), 255);
        // It casts no shadow either.
        scene.sun.intensity = 2.0F;
        draw(scene, viewOf({}, 100, 100));
        QCOMPARE(m_renderer->statistics().shadowInstances, 1);
    }

    void linesAreHiddenOrNotAsAsked_data() {
        QTest::addColumn<int>("depth");
        QTest::addColumn<bool>("seenBehind");
        QTest::newRow("tested") << static_cast<int>(LineDepth::Tested) << false;
        QTest::newRow("on top") << static_cast<int>(LineDepth::OnTop) << true;
    }
    void linesAreHiddenOrNotAsAsked() {
        QFETCH(int, depth);
        QFETCH(bool, seenBehind);
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "box", {0, 0, -4}));
        View view = viewOf({}, 200, 200);
        view.debug.addLine({-3, 0.02F, -6}, {3, 0.02F, -6}, {1, 0, 1, 1}, static_cast<LineDepth>(depth));
        for (const float scale : {1.0F, 0.5F}) {
            Settings settings = plain();
            settings.renderScale = scale;
            const Image image = draw(scene, view, settings);
            const auto seen = [&](int x) {
                return isAccent(image.at(x, 99)) || isAccent(image.at(x, 98)) || isAccent(image.at(x, 100));
            };
            QVERIFY(seen(20));
            QCOMPARE(seen(100), seenBehind);
        }
    }

    void linesThroughTheNearPlane() {
        View view = viewOf({}, 200, 200);
        view.debug.addLine({0.001F, -0.3F, 5}, {0.001F, -0.3F, -50}, {1, 0, 1, 1});
        view.debug.addLine({0, 0, 5}, {0, 0, 6}, {1, 0, 1, 1}); // all behind
        const Image image = draw(darkScene(), view);
        int lower = 0;
        int upper = 0;
        for (int y = 0; y < 200; ++y) {
            (y > 104 ? lower : upper) += isAccent(image.at(100, y)) || isAccent(image.at(99, y)) ? 1 : 0;
        }
        QVERIFY(lower > 60);
        QVERIFY(upper < 10);
    }

    void overlayLiesOverTheScene() {
        Scene scene = darkScene();
        scene.instances.push_back(make(1, "box", {0, 0, -2}));
        View view = viewOf({}, 200, 200);
        view.overlay.addArrow({0, 0, -5}, {0, 1.5F, -5}, 0.05F, {1, 0, 1, 1});
        view.overlay.addRing({0, 0, -5}, {0, 0, 1}, 1.2F, 0.1F, {1, 0, 1, 1});
        view.overlay.addLine({-1, -1, -5}, {1, -1, -5}, {1, 0, 1, 1}, 3.0F);
        const Image image = draw(scene, view);
        int magenta = 0;
        for (int y = 0; y < 200; ++y) {
            for (int x = 0; x < 200; ++x) {
                const auto p = image.at(x, y);
                magenta += p[0] > 120 && p[1] < 40 && p[2] > 120 ? 1 : 0;
            }
        }
        QVERIFY2(magenta > 300, qPrintable(QString::number(magenta)));
    }

    // Seen from above, a box covers its base times the scale, pixel for pixel, at every height and at the picture's edge.
    void anOrthographicBoxCoversItsArea() {
        Scene scene = darkScene();
        for (const Vec3& at : {Vec3(0, 0, 0), Vec3(-5, 20, 3), Vec3(4, -30, -3)}) {
            Instance box = make(1, "box", at, {3.0F, 1.0F, 2.0F});
            box.emissive = Vec3(40.0F);
            scene.instances.push_back(box);
        }
        View view = viewOf({}, 400, 300);
        view.camera.pose.position = {0, 5, 0};
        view.camera.pose.rotation = glm::angleAxis(-1.5707964F, Vec3(1, 0, 0));
        view.camera.orthoHeight = 12.0F; // 25 pixels a metre
        view.camera.nearPlane = -100.0F;
        view.camera.farPlane = 100.0F;
        const Image image = draw(scene, view);
        int lit = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                lit += brightness(image.at(x, y)) > 200.0 ? 1 : 0;
            }
        }
        const int area = 3 * (3 * 25) * (2 * 25);
        QVERIFY2(lit <= area && lit >= area - 12, qPrintable(QString::number(lit))); // the bevel may take a pixel of each corner
        // No sky around them, but the plain colour.
        const auto corner = image.at(1, 1);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(std::abs(static_cast<float>(corner[static_cast<std::size_t>(i)]) - view.background[i] * 255.0F) < 1.5F);
        }
        // What is picked is what is seen.
        QVERIFY(m_renderer->pick(scene, view, 200.0F, 150.0F));
        QVERIFY(!m_renderer->pick(scene, view, 240.0F, 150.0F));
    }
    // Shadows, outline, lines, signs and overlay find their places in it as well.
    void anOrthographicPictureIsDrawnWhole() {
        Scene scene = crateOnFloor();
        View view = viewOf({}, 400, 400);
        view.camera.pose.position = {0, 5, 0};
        view.camera.pose.rotation = glm::angleAxis(-1.5707964F, Vec3(1, 0, 0));
        view.camera.orthoHeight = 8.0F; // 50 pixels a metre
        view.camera.nearPlane = -100.0F;
        view.camera.farPlane = 100.0F;
        const Image plainly = draw(scene, view);
        // The sun comes from -X at 45 degrees: a metre of shade at +X.
        const double shade = brightness(pixelAt(plainly, view, {1.0F, 0.0F, 0.0F}));
        const double light = brightness(pixelAt(plainly, view, {-1.0F, 0.0F, 0.0F}));
        QVERIFY2(shade < 0.6 * light, qPrintable(QStringLiteral("%1 of %2").arg(shade).arg(light)));
        view.selected = {2};
        QVERIFY(countAccent(draw(scene, view)) > 150);
        view.selected.clear();
        view.debug.addLine({-3, 0.0F, 2.01F}, {3, 0.0F, 2.01F}, {1, 0, 1, 1}); // on the floor: not lost in it
        QVERIFY(countAccent(draw(scene, view)) > 250);
        view.debug.lines.clear();
        view.overlay.addQuad({-3, -50, 2}, {-2, -50, 2}, {-2, -50, 3}, {-3, -50, 3}, {1, 0, 1, 1});
        const int quad = countAccent(draw(scene, view));
        QVERIFY2(quad > 2300 && quad < 2700, qPrintable(QString::number(quad)));
    }
    // Several views of one scene in turn: what the later ones take over from the first changes nothing in them.
    void viewsOfOneSceneShareItsShadows() {
        const Scene scene = crateOnFloor();
        View deep = viewOf(lookAt({3, 3, 4}, {0, 0, 0}), 200, 150);
        View flat = viewOf({}, 150, 200);
        flat.camera.pose.position = {0, 5, 0};
        flat.camera.pose.rotation = glm::angleAxis(-1.5707964F, Vec3(1, 0, 0));
        flat.camera.orthoHeight = 8.0F;
        flat.camera.nearPlane = -100.0F;
        const Image flatAlone = draw(scene, flat);
        const Image deepAlone = draw(scene, deep);
        flat.slot = 1;
        flat.sceneKept = true;
        const Image flatAfter = draw(scene, flat);
        deep.sceneKept = true;
        const Image deepAfter = draw(scene, deep);
        QVERIFY(flatAfter.rgba == flatAlone.rgba);
        QVERIFY(deepAfter.rgba == deepAlone.rgba);
        // Said of another scene it would show; the next that does not say so has its own.
        Scene other = scene;
        other.instances[1].pose.position.x = 2.0F;
        deep.sceneKept = false;
        QVERIFY(draw(other, deep).rgba != deepAlone.rgba);
        QVERIFY(draw(scene, deep).rgba == deepAlone.rgba);
    }
    // The grid of a view from the side lies behind everything, a metre and five apart.
    void theGridOfASideViewLiesBehind() {
        Scene scene = darkScene();
        View view = viewOf({}, 400, 400);
        view.camera.orthoHeight = 8.0F;
        view.camera.nearPlane = -100.0F;
        view.camera.farPlane = 100.0F;
        Settings settings = plain();
        const Image without = draw(scene, view, settings);
        settings.grid = true;
        const Image with = draw(scene, view, settings);
        const auto differs = [&](int x, int y) { return std::abs(brightness(with.at(x, y)) - brightness(without.at(x, y))) > 3.0; };
        QVERIFY(differs(250, 225) || differs(249, 225)); // x = 1
        QVERIFY(!differs(225, 225));
        scene.instances.push_back(make(1, "box", {1, 0.5F, -50}, Vec3(0.8F)));
        const Image covered = draw(scene, view, settings);
        QVERIFY(brightness(covered.at(250, 175)) < 3.0 && brightness(covered.at(249, 175)) < 3.0);
    }
    void gridLiesOnTheGround() {
        Settings settings = plain();
        const View view = viewOf(lookAt({3, 4, 3}, {0, 0, 0}), 320, 240);
        const Scene scene;
        const Image without = draw(scene, view, settings);
        settings.grid = true;
        const Image with = draw(scene, view, settings);
        // The x axis is red, the z axis blue.
        const auto x = pixelAt(with, view, {1.5F, 0, 0});
        const auto z = pixelAt(with, view, {0, 0, 1.5F});
        QVERIFY(x[0] > x[2] && z[2] > z[0]);
        QVERIFY(with.rgba != without.rgba);
    }

    void foreignStateDoesNotMatter() {
        const Scene scene = crateOnFloor();
        View view = viewOf(lookAt({0, 6, 3}, {0.5F, 0, 0}, 0.7F), 160, 120);
        view.selected = {2};
        view.debug.addBox({}, Vec3(2), Vec4(1));
        view.overlay.addArrow({0, 0, 0}, {0, 2, 0}, 0.05F, Vec4(1));
        const Image good = draw(scene, view);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ZERO, GL_ZERO);
        glBlendEquation(GL_FUNC_REVERSE_SUBTRACT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 3, 3);
        glEnable(GL_CULL_FACE);
        glCullFace(GL_FRONT_AND_BACK);
        glFrontFace(GL_CW);
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_NEVER, 0, 0);
        glDepthFunc(GL_NEVER);
        glDepthMask(GL_FALSE);
        glDepthRange(0.4, 0.6);
        glClearDepth(0.0);
        glClearColor(1, 1, 1, 1);
        glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
        glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        glEnable(GL_FRAMEBUFFER_SRGB);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(50, 50);
        glEnable(GL_RASTERIZER_DISCARD);
        glViewport(5, 5, 1, 1);
        glActiveTexture(GL_TEXTURE5);
        glPixelStorei(GL_PACK_ROW_LENGTH, 7);
        GLuint sampler = 0;
        glGenSamplers(1, &sampler);
        for (GLuint unit = 0; unit < 5; ++unit) {
            glBindSampler(unit, sampler);
        }
        QVERIFY(draw(scene, view).rgba == good.rgba);
        glDeleteSamplers(1, &sampler);
        GLint array = -1;
        GLint program = -1;
        GLint buffer = -1;
        glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
        glGetIntegerv(GL_CURRENT_PROGRAM, &program);
        glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
        QCOMPARE(array, 0);
        QCOMPARE(program, 0);
        QCOMPARE(buffer, 0);
        QVERIFY(!glIsEnabled(GL_BLEND) && !glIsEnabled(GL_DEPTH_TEST) && !glIsEnabled(GL_SCISSOR_TEST));
    }

    void framesAreRepeatable() {
        const Scene scene = crateOnFloor();
        const View view = viewOf(lookAt({2, 3, 5}, {0, 0, 0}), 200, 150);
        QVERIFY(draw(scene, view).rgba == draw(scene, view).rgba);
    }

    void aReplacedMeshIsTakenUp() {
        const MeshId id = m_meshes.add("shape", makeBox());
        Scene scene = darkScene();
        Instance shape = make(1, "box", {0, 0, -3}, Vec3(1.2F));
        shape.mesh = id;
        shape.color = {0, 0, 0, 1};
        shape.emissive = Vec3(5);
        scene.instances.push_back(shape);
        const View view = viewOf({}, 100, 100);
        const auto bright = [&] {
            const Image image = draw(scene, view);
            int count = 0;
            for (int y = 0; y < 100; ++y) {
                for (int x = 0; x < 100; ++x) {
                    count += image.at(x, y)[1] > 240 ? 1 : 0;
                }
            }
            return count;
        };
        const int box = bright();
        m_meshes.add("shape", makeSphere());
        QVERIFY(bright() < box * 9 / 10);
    }

    void everyMaterialIsDrawn() {
        for (std::size_t i = 0; i < materialNames().size(); ++i) {
            for (const bool lit : {false, true}) {
                Scene scene = crateOnFloor();
                for (Instance& instance : scene.instances) {
                    instance.material = static_cast<Material>(i);
                }
                if (lit) {
                    scene.lights.push_back({1, 0, {0, 2, 0}, {1, 1, 1}, 1.0F, 9.0F});
                }
                const View view = viewOf(lookAt({0, 3, 4}, {0, 0, 0}), 80, 60);
                const double seen = brightness(pixelAt(draw(scene, view), view, {-1, 0, 0.5F}));
                QVERIFY2(seen > 30 && seen < 254, materialNames()[i].c_str());
            }
        }
    }

    void mirroredThingsKeepTheirOutside() {
        Scene scene;
        scene.instances.push_back(make(1, "wedge", {0, 0, -3}, {1, 1, 1}));
        const View view = viewOf(lookAt({0, 1, 0}, {0, 0, -3}), 100, 100);
        const auto straight = draw(scene, view).at(50, 50);
        scene.instances[0].pose.scale.x = -1.0F;
        const auto mirrored = draw(scene, view).at(50, 50);
        QVERIFY(std::abs(brightness(straight) - brightness(mirrored)) < 6);
    }

    void picturesAreWrittenAsPng() {
        QTemporaryDir folder;
        const Image image = draw(crateOnFloor(), viewOf({}, 40, 30));
        const std::string path = folder.filePath(QStringLiteral("a.png")).toStdString();
        QVERIFY(writePng(image, path).ok());
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("\x89PNG"));
        QVERIFY(!QFile::exists(QString::fromStdString(path + ".part")));
        QVERIFY(!writePng(image, folder.filePath(QStringLiteral("no/such/folder.png")).toStdString()).ok());
        QVERIFY(!writePng(image, folder.path().toStdString()).ok());
        QVERIFY(!writePng(Image{}, path).ok());
    }

    void aSecondContextHasItsOwnRenderer() {
        auto other = EglContext::create();
        QVERIFY(other.ok());
        {
            Renderer renderer(m_meshes);
            QVERIFY(renderer.initialise().ok());
            QVERIFY(renderer.renderToImage(crateOnFloor(), viewOf({}, 40, 30), plain()).ok());
        }
        other->reset();
        QVERIFY(m_context->makeCurrent().ok());
        draw(crateOnFloor(), viewOf({}, 40, 30));
    }

    void withoutAContextThereIsAnError() {
        m_context->doneCurrent();
        QVERIFY(eglIsGone());
        QVERIFY(m_context->makeCurrent().ok());
    }

private:
    bool eglIsGone() { return !glGetString(GL_VERSION); }
};

QTEST_GUILESS_MAIN(TestRenderer)
#include "tst_renderer.moc"
