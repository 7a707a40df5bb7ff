// Where new things go, where the scene's text says things stand, and what a drag writes into it.

#include <QTest>

#include "engine/definition/batch_edit.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/scene_edits.h"
#include "widgets/viewport/scene_places.h"
#include "widgets/viewport/selection_box.h"

#include <glm/geometric.hpp>

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

bool near(const Vec3& a, const Vec3& b, float within = 1e-3F) {
    return glm::length(a - b) < within;
}

const char* Scene = R"(# The yard
[scene]
name = "Yard"

[[entity]]
type = "Crate"
name = "crate"      # the first
position = [1.0, 0.5, -2.0]

[[entity]]
type = "Crate"
name = "child"
parent = "crate"
position = [0.0, 1.0, 0.0]
rotation = [0.0, 90.0, 0.0]

[[entity]]
type = "Lamp"
position = [4, 2, 0]
scale = [2.0, 2.0, 2.0]
[entity.Light]
range = 3.0

[[entity]]
type = "Crate"
name = "grandchild"
parent = "child"
position = [0.0, 0.0, 2.0]
)";

std::string applied(std::string_view text, const Result<definition::TextEdits>& edits) {
    if (!edits)
        return "failed: " + edits.error().toString();
    const auto after = definition::applyEdits(text, *edits);
    return after ? *after : "failed: " + after.error().toString();
}

} // namespace

class TestPlacing : public QObject {
    Q_OBJECT

private slots:
    void snapping() {
        QCOMPARE(snapTo(1.24F, 0.5F), 1.0F);
        QCOMPARE(snapTo(-1.3F, 0.5F), -1.5F);
        QCOMPARE(snapTo(1.24F, 0.0F), 1.24F);
        QCOMPARE(snapTo(1.24F, -1.0F), 1.24F);
        QVERIFY(std::isinf(snapTo(INFINITY, 0.5F)));
        SnapSettings snap;
        QCOMPARE(snapToGround({1.2F, 3.3F, 0.3F}, snap), Vec3(1.2F, 3.3F, 0.3F));
        snap.on = true;
        QCOMPARE(snapToGround({1.2F, 3.3F, 0.3F}, snap), Vec3(1.0F, 3.3F, 0.5F));
    }
    void restsOnFloorsWallsAndRamps() {
        const render::Bounds box{{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
        QVERIFY(near(restOn({{3, 2, 1}, {0, 1, 0}}, box, {}), {3, 2.5F, 1}));
        QVERIFY(near(restOn({{3, 2, 1}, {1, 0, 0}}, box, {}), {3.5F, 2, 1}));
        QVERIFY(near(restOn({{3, 2, 1}, {0, -1, 0}}, box, {}), {3, 1.5F, 1})); // under a ceiling
        // On a slope no corner goes below it, and one touches.
        const Vec3 normal = glm::normalize(Vec3(0.6F, 0.8F, 0));
        const Vec3 at = restOn({{0, 0, 0}, normal}, box, {});
        float lowest = 1e9F;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 c((corner & 1) ? 0.5F : -0.5F, (corner & 2) ? 0.5F : -0.5F, (corner & 4) ? 0.5F : -0.5F);
            lowest = std::min(lowest, glm::dot(at + c, normal));
        }
        QVERIFY(std::abs(lowest) < 1e-4F);
        // Bounds that are not about the origin; none at all; snapped.
        QVERIFY(near(restOn({{0, 0, 0}, {0, 1, 0}}, render::Bounds{{-1, 0, -1}, {1, 2, 1}}, {}), {0, 0, 0}));
        QVERIFY(near(restOn({{1, 2, 3}, {0, 1, 0}}, std::nullopt, {}), {1, 2, 3}));
        SnapSettings snap;
        snap.on = true;
        QVERIFY(near(restOn({{1.2F, 2, 3.3F}, {0, 1, 0}}, box, snap), {1, 2.5F, 3.5F}));
    }
    // Lamps, sounds and cameras have no shape, and are of no use in the floor.
    void shapelessTypesKeepClear() {
        const auto of = [](const char* component) {
            definition::EntityTypeDefinition type;
            definition::ComponentDefinition part;
            part.name = component;
            type.components.push_back(part);
            return clearance(type);
        };
        const Surface floor{{3, 1, 2}, {0, 1, 0}};
        QVERIFY(near(restOn(floor, of("Light"), {}), {3, 3, 2}));
        QVERIFY(near(restOn(floor, of("Sound"), {}), {3, 2.5F, 2}));
        QVERIFY(near(restOn(floor, soundClearance(), {}), {3, 2.5F, 2}));
        QVERIFY(near(restOn(floor, of("Camera"), {}), {3, 2.5F, 2}));
        QVERIFY(near(restOn({{0, 2, 0}, {1, 0, 0}}, of("Light"), {}), {0.1F, 2, 0}));   // on a wall
        QVERIFY(near(restOn({{0, 3, 0}, {0, -1, 0}}, of("Light"), {}), {0, 2.9F, 0})); // under a ceiling
        QVERIFY(!of("Spawner"));
    }
    void findsTheSurface() {
        render::MeshLibrary meshes;
        render::Scene scene;
        render::Instance instance;
        instance.entity = 7;
        instance.mesh = *meshes.find("box");
        instance.pose.position = {0, 1, 0};
        instance.pose.scale = {2, 2, 2};
        scene.instances.push_back(instance);
        render::SceneIndex index;
        index.update(scene, meshes);
        const Surface top = surfaceUnder(scene, index, {{0.3F, 10, 0.2F}, {0, -1, 0}});
        QVERIFY(near(top.point, {0.3F, 2, 0.2F}) && near(top.normal, {0, 1, 0}));
        const Surface ground = surfaceUnder(scene, index, {{5, 10, 0}, {0, -1, 0}});
        QVERIFY(near(ground.point, {5, 0, 0}));
        const Surface sky = surfaceUnder(scene, index, {{5, 1, 0}, {0, 0.6F, -0.8F}});
        QVERIFY(near(sky.point, {5, 7, -8}));
        // What would reach into it from above is lifted onto it; what hangs over it, or is beside it, stays.
        const render::Bounds box{{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
        QVERIFY(near(raisedAboveGround(scene, index, {0.3F, 1.7F, 0.2F}, box), {0.3F, 2.5F, 0.2F}));
        QVERIFY(near(raisedAboveGround(scene, index, {0.3F, 2.5F, 0.2F}, box), {0.3F, 2.5F, 0.2F}));
        QVERIFY(near(raisedAboveGround(scene, index, {0.3F, 4.0F, 0.2F}, box), {0.3F, 4.0F, 0.2F}));
        QVERIFY(near(raisedAboveGround(scene, index, {5.0F, 1.7F, 0.2F}, box), {5.0F, 1.7F, 0.2F}));
    }
    void combinesSelections() {
        const std::vector<std::string> some{"a", "b"};
        QCOMPARE(combined(some, {"c", "b"}, PickMode::Replace), (std::vector<std::string>{"c", "b"}));
        QCOMPARE(combined(some, {"c", "b"}, PickMode::Add), (std::vector<std::string>{"a", "b", "c"}));
        QCOMPARE(combined(some, {"c", "b"}, PickMode::Toggle), (std::vector<std::string>{"a", "c"}));
        QCOMPARE(combined(some, {}, PickMode::Replace), std::vector<std::string>());
        SelectionBox box{{10, 40}, {30, 20}};
        QCOMPARE(box.minimum(), Vec2(10, 20));
        QCOMPARE(box.maximum(), Vec2(30, 40));
        QVERIFY(box.contains({15, 25}) && !box.contains({5, 25}));
        QVERIFY(box.isDrag(4) && !SelectionBox({{10, 10}, {12, 13}}).isDrag(4));
    }
    void readsPlacesWithParents() {
        const ScenePlaces places = ScenePlaces::read(Scene);
        QCOMPARE(places.all().size(), std::size_t{4});
        QCOMPARE(places.find("crate")->world.position, Vec3(1.0F, 0.5F, -2.0F));
        QVERIFY(near(places.find("child")->world.position, {1, 1.5F, -2}));
        // 90 degrees about Y turn +Z to +X.
        QVERIFY(near(places.find("grandchild")->world.position, {3, 1.5F, -2}));
        QVERIFY(near(places.find("lamp")->world.scale, {2, 2, 2})); // derived name, whole numbers
        QVERIFY(near(places.parentPose(*places.find("grandchild")).position, {1, 1.5F, -2}));
        QCOMPARE(places.topmost({"child", "grandchild", "lamp", "gone"}), (std::vector<std::string>{"child", "lamp"}));
        QVERIFY(places.hangsFrom("grandchild", {"crate"}));
        QVERIFY(!places.hangsFrom("crate", {"crate", "child"}));
    }
    void hostileTexts() {
        (void)ScenePlaces::read("");
        (void)ScenePlaces::read("[[entity]]\nposition = [1, \"x\", nan]\nscale = 4\nname = 3\n[[entity");
        const ScenePlaces cycle = ScenePlaces::read("[[entity]]\ntype='A'\nname='a'\nparent='b'\n"
                                                    "[[entity]]\ntype='A'\nname='b'\nparent='a'\n");
        QCOMPARE(cycle.all().size(), std::size_t{2});
        QVERIFY(isFinite(cycle.find("a")->world.position));
        (void)cycle.hangsFrom("a", {"zzz"});
        const ScenePlaces own = ScenePlaces::read("[[entity]]\ntype='A'\nname='a'\nparent='a'\n");
        (void)own.topmost({"a"});
    }
    void writesOnlyWhatChanged() {
        const ScenePlaces places = ScenePlaces::read(Scene);
        const Pose before = places.find("crate")->local;
        Pose after = before;
        after.position += Vec3(0.123456F, 0, 0);
        const std::string text = applied(Scene, poseEdits(Scene, {{"crate", before, after}}));
        std::string expected = Scene;
        expected.replace(expected.find("[1.0, 0.5, -2.0]"), 16, "[1.1235, 0.5, -2.0]");
        QCOMPARE(text, expected);
        QVERIFY(poseEdits(Scene, {{"crate", before, before}})->empty());
        Pose tiny = before;
        tiny.position.x += 1e-6F;
        QVERIFY(poseEdits(Scene, {{"crate", before, tiny}})->empty());
    }
    void writesSeveralInstancesAndNewKeys() {
        const ScenePlaces places = ScenePlaces::read(Scene);
        Pose crate = places.find("crate")->local;
        crate.rotation = fromEulerDegrees({0, 45, 0});
        crate.scale = Vec3(1.5F);
        Pose lamp = places.find("lamp")->local;
        lamp.position.y = 3.0F;
        const std::string text = applied(Scene, poseEdits(Scene, {{"crate", places.find("crate")->local, crate},
                                                                {"lamp", places.find("lamp")->local, lamp}}));
        const ScenePlaces now = ScenePlaces::read(text);
        QCOMPARE(now.all().size(), std::size_t{4});
        QVERIFY(near(toEulerDegrees(now.find("crate")->local.rotation), {0, 45, 0}));
        QVERIFY(near(now.find("crate")->local.scale, Vec3(1.5F)));
        QVERIFY(near(now.find("lamp")->local.position, {4, 3, 0}));
        QVERIFY(text.find("# the first") != std::string::npos);
        QVERIFY(text.find("range = 3.0") != std::string::npos);
    }
    void badPosesAndNamesAreRefused() {
        Pose bad;
        bad.position.x = NAN;
        QVERIFY(!poseEdits(Scene, {{"crate", {}, bad}}).ok());
        Pose good;
        good.position.x = 9;
        QVERIFY(!poseEdits(Scene, {{"nobody", {}, good}}).ok());
        QVERIFY(!definition::duplicateInstances(Scene, {"nobody"}, Vec3(0.0F)).ok());
    }
    void roundsAsPeopleWrite() {
        QCOMPARE(vectorText(roundedMetres({0.1F + 0.2F, -0.00001F, 1e7F})), std::string("[0.3, 0.0, 1e+07]"));
        QCOMPARE(vectorText(roundedDegrees({44.99996F, 0.12345F, -90.0F})), std::string("[45.0, 0.123, -90.0]"));
    }
    void duplicatesGetNamesOfTheirOwn() {
        const auto copies = definition::duplicateInstances(Scene, {"crate", "lamp"}, Vec3(0.0F));
        QVERIFY(copies.ok());
        QCOMPARE(copies->names, (std::vector<std::string>{"crate_2", "lamp_2"}));
        const ScenePlaces now = ScenePlaces::read(applied(Scene, copies->edits));
        QCOMPARE(now.all().size(), std::size_t{8}); // with what hangs from the crate
        QCOMPARE(now.find("crate_2")->world.position, Vec3(1.0F, 0.5F, -2.0F));
        QVERIFY(near(now.find("grandchild_2")->world.position, now.find("grandchild")->world.position));
    }
};

QTEST_GUILESS_MAIN(TestPlacing)
#include "tst_placing.moc"
