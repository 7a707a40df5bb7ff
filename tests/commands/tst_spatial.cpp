// Who is near, what a ray hits, who can be heard: by message, by console, and by the API for the rooms to come.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/surroundings.h"
#include "engine/session/session.h"

#include <filesystem>
#include <fstream>

using namespace sbx;

namespace {

constexpr const char* Definitions = R"(
[Crate.Body]
shape = "box"
motion = "static"
[Ball.Body]
shape = "sphere"
radius = 0.5
[Sensor.Body]
shape = "box"
size = [2.0, 2.0, 2.0]
motion = "static"
trigger = true
[Lamp.Light]
)";
constexpr const char* SceneText = R"(
[scene]
name = "Places"
[[entity]]
type = "Crate"
name = "origin"
[[entity]]
type = "Crate"
name = "east"
position = [5.0, 0.0, 0.0]
[[entity]]
type = "Ball"
name = "ball"
position = [0.0, 0.0, -4.0]
[[entity]]
type = "Sensor"
name = "sensor"
position = [0.0, 0.0, 6.0]
[[entity]]
type = "Lamp"
name = "lamp"
position = [0.0, 3.0, 0.0]
)";

struct Fixture {
    QTemporaryDir folder;
    Log log;
    Session session{log, addConsoleCommands};

    Fixture() {
        const std::filesystem::path root = folder.path().toStdString();
        std::ofstream(root / "project.toml")
            << "[project]\nname = \"Places\"\nscene = \"a.scene.toml\"\ndefinitions = [\"entities.toml\"]\n[cvars]\n\"sim.gravity\" = 0.0\n";
        std::ofstream(root / "entities.toml") << Definitions;
        std::ofstream(root / "a.scene.toml") << SceneText;
        Diagnostics faults;
        session.open(loadContent(root.string(), "", session.catalog().schema, faults));
        for (const Diagnostic& fault : faults.items)
            qWarning("%s", fault.toString().c_str());
    }
    EntityId id(const char* name) { return session.world().find(std::string_view(name)).id(); }
    std::string name(EntityId entity) { return session.world().nameOf(entity); }
    QStringList lines(const std::string& command) {
        QStringList all;
        for (const std::string& line : session.execute(command).lines)
            all << QString::fromStdString(line);
        return all;
    }
    std::string names(const std::vector<Surroundings::Found>& found) {
        std::string all;
        for (const Surroundings::Found& each : found)
            all += (all.empty() ? "" : " ") + name(each.entity);
        return all;
    }
    Surroundings& surroundings() { return session.world().service<Surroundings>(); }
};

} // namespace

class TestSpatial : public QObject {
    Q_OBJECT

private slots:
    void nearCompletesItsFilter() {
        Fixture f;
        const auto offers = [&](const std::string& line, const std::string& text) {
            const std::vector<CompletionCandidate> found =
                f.session.console().complete(line, line.size()).candidates;
            return std::any_of(found.begin(), found.end(),
                               [&](const CompletionCandidate& each) { return each.text == text; });
        };
        f.session.publish();
        QVERIFY(offers("near or", "origin"));
        QVERIFY(offers("near origin 5 Li", "Light.color.r "));
        QVERIFY(offers("near 0 0 0 5 type == ", "Crate "));
        QVERIFY(!offers("near origin ", "name "));
        QVERIFY(!offers("near 0 0 0 ", "name "));
    }
    void nearTellsThemInOrder() {
        Fixture f;
        QCOMPARE(f.lines("near origin 4.6"), (QStringList{"lamp  Lamp  2.99 m", "ball  Ball  3.50 m", "east  Crate  4.50 m"}));
        QCOMPARE(f.lines("near 5 0 0 1"), (QStringList{"east  Crate  0.00 m"}));
        QCOMPARE(f.lines("near origin 20 type == \"Crate\""), (QStringList{"east  Crate  4.50 m"}));
        QCOMPARE(f.lines("near origin 20 \"type == Crate\""), (QStringList{"east  Crate  4.50 m"}));
        QCOMPARE(f.lines("near 0 0 0\t20  has:Light and position.y > 200 cm"),
                 (QStringList{"lamp  Lamp  2.99 m"}));
        QCOMPARE(f.lines("near 0 0 0 20 Body.radius == 0.5 and type == Ball"),
                 (QStringList{"ball  Ball  3.50 m"}));
        QCOMPARE(f.lines("near origin 20 type == \"Crate\" or name == lamp"),
                 (QStringList{"lamp  Lamp  2.99 m", "east  Crate  4.50 m"}));
        QCOMPARE(f.lines("near 100 0 0 2.5"), (QStringList{"nothing within 2.50 m"}));
        // Edits between ticks are seen.
        f.session.execute("send SetPose east position=[1.2,0,0]");
        QCOMPARE(f.lines("near origin 1"), (QStringList{"east  Crate  0.70 m"}));
        f.session.execute("destroy east");
        QCOMPARE(f.lines("near origin 1"), (QStringList{"nothing within 1.00 m"}));
    }
    void wrongQuestionsAreExplained_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("name") << "near balll 3" << "did you mean ball?";
        QTest::newRow("no radius") << "near origin" << "";
        QTest::newRow("word for radius") << "near origin far" << "expected a radius above 0";
        QTest::newRow("negative") << "near origin -1" << "expected a radius above 0";
        QTest::newRow("two numbers") << "near 1 2" << "a place needs three numbers";
        QTest::newRow("filter") << "near origin 5 type =="
                                << "(column 8: ==)";
        QTest::newRow("field") << "near origin 5 typ == Ball"
                               << "(column 3: typ == Ball)";
        QTest::newRow("field, place, quoted") << "near 0 0 0 5 \"typ == Ball\""
                                              << "(column 8: typ == Ball\")";
        QTest::newRow("quoted radius") << "near origin \"5\" typ == Ball"
                                       << "(column 5: typ == Ball)";
        QTest::newRow("direction") << "raycast origin 1 0" << "a direction needs three numbers";
        QTest::newRow("no direction") << "raycast origin 0 0 0" << "a direction of no length";
        QTest::newRow("length") << "raycast origin 1 0 0 -3" << "only how far";
        QTest::newRow("infinite") << "raycast origin inf 0 0" << "";
    }
    void wrongQuestionsAreExplained() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        Fixture f;
        const ConsoleReply reply = f.session.execute(line.toStdString());
        QVERIFY(!reply.ok);
        const QString all = QString::fromStdString(reply.lines.empty() ? "" : reply.lines.back());
        QVERIFY2(all.contains(says), qPrintable(all));
    }
    void raycastTellsWhatAndWhere() {
        Fixture f;
        QCOMPARE(f.lines("raycast origin 1 0 0"), (QStringList{"hits east at (4.50, 0.00, 0.00), 4.50 m; normal (-1.00, 0.00, 0.00)"}));
        QCOMPARE(f.lines("raycast 0 0 -10 0 0 2"), (QStringList{"hits ball at (0.00, 0.00, -4.50), 5.50 m; normal (0.00, 0.00, -1.00)"}));
        QCOMPARE(f.lines("raycast origin 1 0 0 4"), (QStringList{"hits nothing within 4.00 m"}));
        QCOMPARE(f.lines("raycast origin 0 0 1"), (QStringList{"hits nothing within 100.00 m"})); // triggers are no obstacle
    }
    void bodiesAnswerByMessage() {
        Fixture f;
        World& world = f.session.world();
        Near near;
        near.radius = 4.6F;
        QCOMPARE(world.send(f.id("origin"), near).receivers, 1U);
        QCOMPARE(near.count, 3);
        QCOMPARE(f.name(near.found), std::string("lamp"));
        near.rank = 2;
        world.send(f.id("origin"), near);
        QCOMPARE(f.name(near.found), std::string("east"));
        QCOMPARE(near.distance, 4.5F);
        near.rank = 3;
        world.send(f.id("origin"), near);
        QVERIFY(!near.found);
        QCOMPARE(near.count, 3);

        Raycast ray;
        ray.direction = {2, 0, 0};
        world.send(f.id("origin"), ray);
        QVERIFY(ray.hit);
        QCOMPARE(f.name(ray.found), std::string("east"));
        QVERIFY(std::abs(ray.distance - 4.5F) < 1e-3F);
        ray.offset = {0, 2, 0};
        world.send(f.id("origin"), ray);
        QVERIFY(!ray.hit && !ray.found);
        ray.direction = Vec3(0.0F);
        world.send(f.id("origin"), ray);
        QVERIFY(!ray.hit);
        QCOMPARE(f.lines("send Near origin radius=5"), (QStringList{"Near: 1 receiver, consumed"}));
    }
    void reachesAreFoundByThoseTheyReach() {
        Fixture f;
        Surroundings& around = f.surroundings();
        around.setReach(f.id("ball"), Surroundings::Sense::Hearing, 10.0F);
        around.setReach(f.id("lamp"), Surroundings::Sense::Hearing, 2.0F);
        around.setReach(f.id("east"), Surroundings::Sense::Interest, 100.0F);
        QCOMPARE(f.names(around.reaching({0, 1.5F, 0}, Surroundings::Sense::Hearing)), std::string("lamp ball"));
        QCOMPARE(f.names(around.reaching({0, 0, 5}, Surroundings::Sense::Hearing)), std::string("ball"));
        QCOMPARE(f.names(around.reaching({0, 0, 7}, Surroundings::Sense::Hearing)), std::string()); // inside the box, not the ball
        QCOMPARE(f.names(around.reaching({7, 0, 3}, Surroundings::Sense::Hearing)), std::string("ball"));
        QCOMPARE(f.names(around.reaching({90, 0, 0}, Surroundings::Sense::Interest)), std::string("east"));
        around.setReach(f.id("ball"), Surroundings::Sense::Hearing, 1.0F);
        QCOMPARE(f.names(around.reaching({0, 1.5F, 0}, Surroundings::Sense::Hearing)), std::string("lamp"));
        around.setReach(f.id("lamp"), Surroundings::Sense::Hearing, 0.0F);
        f.session.execute("destroy east");
        QCOMPARE(f.names(around.reaching({0, 1.5F, 0}, Surroundings::Sense::Hearing)), std::string());
        QCOMPARE(f.names(around.reaching({90, 0, 0}, Surroundings::Sense::Interest)), std::string());
    }
    void nearestAreAsManyAsAsked() {
        Fixture f;
        QCOMPARE(f.names(f.surroundings().nearest({0, 0, 0}, 3)), std::string("origin lamp ball"));
        QCOMPARE(f.surroundings().nearest({0, 0, 0}, 100).size(), 5U);
        QVERIFY(f.surroundings().near({0, 0, 0}, -1.0F).empty());
    }
    void whatIsDrawnIsWhatWasAskedFor() {
        Fixture f;
        f.session.publish();
        QVERIFY(!f.session.snapshot()->physics);
        f.session.execute("debug.shapes true");
        f.session.execute("debug.tree true");
        f.session.publish();
        const auto view = f.session.snapshot()->physics;
        QVERIFY(view);
        QVERIFY(view->contacts.empty());
        std::size_t bodies = 0;
        for (const physics::DebugBox& box : view->tree)
            bodies += box.body ? 1U : 0U;
        QCOMPARE(bodies, 4U);
        QVERIFY(view->tree.size() > bodies);
        const auto drawn = [&view](physics::BodyState state) {
            return std::any_of(view->shapes.begin(), view->shapes.end(), [state](const auto& line) { return line.state == state; });
        };
        QVERIFY(drawn(physics::BodyState::Static));
        QVERIFY(drawn(physics::BodyState::Awake));
        QVERIFY(drawn(physics::BodyState::Trigger));
        QVERIFY(!drawn(physics::BodyState::Asleep));
        // Bullet's own trees can be looked at as well.
        f.session.execute("physics.broadphase dbvt");
        f.session.play();
        f.session.publish();
        QVERIFY(f.session.snapshot()->physics->tree.size() >= 4);
    }
};

QTEST_GUILESS_MAIN(TestSpatial)
#include "tst_spatial.moc"
