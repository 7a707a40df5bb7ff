// References between entities: which there are, the way along them, and the geometry of their lines.

#include <QTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "widgets/viewport/entity_links.h"
#include "widgets/viewport/link_geometry.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <map>

using namespace sbx;
using namespace sbx::ui;

namespace {

constexpr const char* Types = R"([Door]
[Door.Body]
[Door.Hinge]
body = "wall"

[Sensor]
[Sensor.Body]
trigger = true
[Sensor.Trigger]
target = "door"

[Switch]
[[Switch.Key]]
key = "a"
target = "door"
[[Switch.Key]]
key = "b"
target = "lamp"

[Crate]
[Crate.Body]
)";

constexpr const char* SceneText = R"([scene]
name = "S"

[[entity]]
type = "Crate"
name = "wall"

[[entity]]
type = "Door"
name = "door"

[[entity]]
type = "Sensor"
name = "sensor"

[[entity]]
type = "Sensor"
name = "itself"
[entity.Trigger]
target = "itself"

[[entity]]
type = "Sensor"
name = "lost"
[entity.Trigger]
target = "nobody"

[[entity]]
type = "Sensor"
name = "quiet"
[entity.Trigger]
target = ""

[[entity]]
type = "Door"
name = "left"
[entity.Hinge]
body = "right"

[[entity]]
type = "Door"
name = "right"
[entity.Hinge]
body = "left"

[[entity]]
type = "Switch"
name = "switch"
)";

using Names = std::vector<std::string>;

struct Read {
    Log log;
    Session session{log, addConsoleCommands};
    Diagnostics faults;
    definition::Definitions types = definition::Definitions::load({{"t.toml", Types}}, session.catalog().schema, faults);
    definition::Scene scene = definition::Scene::load(SceneText, "s.toml", types, session.catalog().schema, faults);
    EntityLinks links;

    Read() {
        LinkReader reader(session.catalog().schema, types);
        std::vector<EntityLink> found;
        for (const definition::InstanceDefinition& each : scene.instances())
            reader.read(each.name, each.type, &each, found);
        links = EntityLinks(std::move(found), [this](const std::string& name) { return scene.find(name) != nullptr; });
    }
};

GizmoView viewFrom(const Vec3& eye, const Vec3& target) {
    return {render::lookAt(eye, target), 800, 600, 1.0F};
}

} // namespace

class TestLinks : public QObject {
    Q_OBJECT

private slots:
    void areThoseOfTypesAndInstances() {
        const Read read;
        QCOMPARE(read.links.from("sensor"), (std::vector<EntityLink>{{"sensor", "Trigger", "target", "door", false}}));
        QCOMPARE(read.links.from("door"), (std::vector<EntityLink>{{"door", "Hinge", "body", "wall", false}}));
        QVERIFY(read.links.from("wall").empty());
        QVERIFY(read.links.from("quiet").empty()); // the instance takes it away
        QVERIFY(read.links.from("no such entity").empty());
        // Several components of a kind, and one of them leads nowhere.
        QCOMPARE(read.links.from("switch"),
                 (std::vector<EntityLink>{{"switch", "Key", "target", "door", false}, {"switch", "Key#2", "target", "lamp", true}}));
        QCOMPARE(referrersOf(read.links.to("door"), "door"), (Names{"sensor", "switch"}));
    }
    void brokenOnesAreKnownByTheirName() {
        const Read read;
        const auto lost = read.links.from("lost");
        QCOMPARE(lost.size(), std::size_t(1));
        QVERIFY(lost.front().broken);
        QCOMPARE(lost.front().to, std::string("nobody"));
        QVERIFY(targetsOf(lost, "lost").empty());
    }
    void selfLinksLeadNowhereElse() {
        const Read read;
        QCOMPARE(read.links.from("itself").size(), std::size_t(1));
        QCOMPARE(read.links.to("itself").size(), std::size_t(1));
        QVERIFY(!read.links.from("itself").front().broken);
        QVERIFY(targetsOf(read.links.from("itself"), "itself").empty());
        QVERIFY(referrersOf(read.links.to("itself"), "itself").empty());
    }
    void theWalkGoesThereAndBackAndRoundCycles() {
        const Read read;
        const auto targets = [&](const std::string& name) { return targetsOf(read.links.from(name), name); };
        const auto referrers = [&](const std::string& name) { return referrersOf(read.links.to(name), name); };
        LinkWalk walk;
        QCOMPARE(walk.step("sensor", LinkWalk::Way::Targets, targets)->entity, std::string("door"));
        QCOMPARE(walk.step("door", LinkWalk::Way::Targets, targets)->entity, std::string("wall"));
        QVERIFY(!walk.step("wall", LinkWalk::Way::Targets, targets));
        QCOMPARE(walk.step("left", LinkWalk::Way::Targets, targets)->entity, std::string("right"));
        QCOMPARE(walk.step("right", LinkWalk::Way::Targets, targets)->entity, std::string("left"));
        QVERIFY(!walk.step("itself", LinkWalk::Way::Targets, targets));
        // The way back leads to where it began, not to the first that refers to it.
        QCOMPARE(walk.step("switch", LinkWalk::Way::Targets, targets)->entity, std::string("door"));
        const auto back = walk.step("door", LinkWalk::Way::Referrers, referrers);
        QCOMPARE(back->entity, std::string("switch"));
        QCOMPARE(back->number, std::size_t(2));
        QCOMPARE(back->count, std::size_t(2));
    }
    void aRepeatedPressTakesTheNextOfSeveral() {
        const Read read;
        const auto referrers = [&](const std::string& name) { return referrersOf(read.links.to(name), name); };
        LinkWalk walk;
        const auto press = [&](const char* now) { return walk.step(now, LinkWalk::Way::Referrers, referrers)->entity; };
        QCOMPARE(press("door"), std::string("sensor"));
        QCOMPARE(press("sensor"), std::string("switch"));
        QCOMPARE(press("switch"), std::string("sensor"));
        // What is selected by other means begins anew.
        QVERIFY(!walk.step("wall", LinkWalk::Way::Referrers, [](const std::string&) { return Names(); }));
        QCOMPARE(press("door"), std::string("sensor"));
    }
    void livingEntitiesSayWhatHoldsNow() {
        EntityList entities;
        entities.rows.push_back({EntityId::fromBits(7), "owner", "Crate", {}, {}, true, nullptr});
        entities.byName = {{"owner", 0}};
        entities.byId = {{7, 0}};
        FieldInfo name;
        name.name = "target";
        name.type = FieldType::String;
        name.role = TextRole::EntityName;
        FieldInfo id;
        id.name = "owner";
        id.type = FieldType::Entity;
        FieldInfo plain;
        plain.name = "title";
        plain.type = FieldType::String;
        Inspection living;
        living.name = "a";
        InspectedComponent component;
        component.name = "Key#2";
        component.settings = {{&name, Value(std::string("gone")), false}, {&plain, Value(std::string("owner")), false}};
        component.state = {{&id, Value(EntityId::fromBits(7)), false}};
        living.components = {component};
        QCOMPARE(linksOf(living, entities),
                 (std::vector<EntityLink>{{"a", "Key#2", "target", "gone", true}, {"a", "Key#2", "owner", "owner", false}}));
    }

    // ---------------------------------------------------------------------------------------------------- lines

    void lineBehindTheCameraIsCutOff() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const auto whole = partInFront(view, {-1, 0, 0}, {1, 0, 0});
        QVERIFY(whole && whole->begin == 0.0F && whole->end == 1.0F);
        QVERIFY(!partInFront(view, {0, 0, 12}, {0, 1, 20}));
        // From z = 0 to z = 20; the near plane is at 10 - near.
        const auto cut = partInFront(view, {1, 0, 0}, {1, 0, 20});
        QVERIFY(cut && cut->begin == 0.0F);
        QVERIFY(std::abs(cut->end - (10.0F - view.camera.nearPlane) / 20.0F) < 1e-4F);
        const auto other = partInFront(view, {1, 0, 20}, {1, 0, 0});
        QVERIFY(other && other->end == 1.0F && std::abs(other->begin - (10.0F + view.camera.nearPlane) / 20.0F) < 1e-4F);
    }
    void lineIsCutOffAtThePicturesEdge() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        const auto line = lineInPicture(view, {0, 0, 0}, {1000, 0, 0});
        QVERIFY(line);
        QVERIFY(glm::length(line->from - Vec2(400, 300)) < 0.01F);
        QVERIFY(glm::length(line->to - Vec2(800, 300)) < 0.05F);
        QVERIFY(!lineInPicture(view, {100, 0, 0}, {200, 0, 0}));
    }
    void arrowsEndAtTheBox() {
        const render::Bounds box{{-1, -1, -1}, {1, 1, 1}};
        const auto tip = entryInto(box, {5, 0, 0}, {0, 0, 0});
        QVERIFY(tip && glm::length(*tip - Vec3(1, 0, 0)) < 1e-5F);
        const auto slanted = entryInto(box, {4, 4, 0}, {0, 0, 0});
        QVERIFY(slanted && glm::length(*slanted - Vec3(1, 1, 0)) < 1e-5F);
        QVERIFY(!entryInto(box, {0.5F, 0, 0}, {0, 0, 0})); // from inside
        QVERIFY(!entryInto(box, {5, 5, 0}, {5, -5, 0}));   // passes by
    }
    void headsHaveOneSizeInThePicture() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        for (const float z : {4.0F, -40.0F}) {
            render::DebugDraw draw;
            addLink(draw, view, {0, 0, z}, {1, 0, z}, {});
            QCOMPARE(draw.lines.size(), std::size_t(3)); // two of the head, and the line
            const auto tip = render::projectToPixel(view.camera, 800, 600, draw.lines[0].from);
            const auto barb = render::projectToPixel(view.camera, 800, 600, draw.lines[0].to);
            QVERIFY(tip && barb);
            const float length = glm::length(Vec2(*tip) - Vec2(*barb));
            QVERIFY2(length > 10.0F && length < 14.0F, std::to_string(length).c_str());
        }
    }
    void dashesAreCounted() {
        const GizmoView view = viewFrom({0, 0, 10}, {0, 0, 0});
        LinkStyle dashed;
        dashed.dashed = true;
        dashed.arrow = false;
        render::DebugDraw draw;
        addLink(draw, view, {-2, 0, 0}, {2, 0, 0}, dashed);
        QVERIFY(draw.lines.size() > 10 && draw.lines.size() < 60);
        draw.lines.clear();
        addLink(draw, view, {0, 0, -3}, {4000, 0, -3}, dashed); // long, and still few
        QVERIFY(draw.lines.size() <= 161);
    }
    void labelsKeepClearOfEverything() {
        const QRect area(0, 0, 400, 300);
        const QSize size(40, 16);
        const std::vector<LinkLabel> labels{
            {{100, 100}, size, 200.0}, // has room
            {{110, 105}, size, 200.0}, // on the first one
            {{200, 200}, size, 50.0},  // the line is too short
            {{300, 50}, size, 200.0},  // on a read-out
            {{395, 150}, size, 200.0}, // over the edge
            {{200, 250}, size, 200.0},
        };
        const auto places = placeLabels(labels, area, {{280, 40, 60, 30}});
        QCOMPARE(places.size(), labels.size());
        QCOMPARE(places[0], QRect(80, 92, 40, 16));
        for (const std::size_t none : {1U, 2U, 3U, 4U})
            QVERIFY(places[none].isNull());
        QVERIFY(!places[5].isNull());
    }
};

QTEST_MAIN(TestLinks)
#include "tst_links.moc"
