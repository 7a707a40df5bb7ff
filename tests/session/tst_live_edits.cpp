// What a person changes by hand while the world runs is listed, can be taken back, and outlives Stop until the next run.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/body.h"
#include "engine/definition/schema.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

namespace {
const char* const Types = "[Crate]\n[Crate.Body]\nmass = 2.0\n[Crate.Health]\nmaximum = 50.0\n[Crate.Mesh]\nmesh = \"box\"\n"
                          "[Twin]\n[Twin.Mesh]\nmesh = \"box\"\n[[Twin.Sound]]\n[[Twin.Sound]]\ngain = 0.2\n";
const char* const Scene = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [1.0, 2.0, 3.0]\n"
                          "[[entity]]\ntype = \"Crate\"\nname = \"b\"\n[[entity]]\ntype = \"Twin\"\nname = \"twin\"\n";

class Play {
public:
    Play() : session(m_log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = projectInMemory(session, Types, Scene, &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("%s", faults.items.empty() ? "no content" : faults.items.front().toString().c_str());
        session.open(content);
    }
    void set(const std::string& line) { QVERIFY2(session.console().execute("set " + line).ok, line.c_str()); }
    [[nodiscard]] const LiveEdits::List& list() { return *session.liveEdits().published(); }
    [[nodiscard]] float mass(const char* name) {
        return session.world().getComponent<Body>(session.world().find(name).id())->settings.mass;
    }

private:
    Log m_log;

public:
    Session session;
};
} // namespace

class TestLiveEdits : public QObject {
    Q_OBJECT

private slots:
    void whatIsSetWhileItRunsIsListed() {
        Play play;
        play.set("a Body.mass 5"); // stopped: the scene's business
        QVERIFY(play.list().empty());
        play.session.play();
        play.session.tick();
        play.set("a Body.mass 7");
        play.set("a Body.mass 9");
        play.set("b Health.maximum 20");
        play.set("b Health.current 3"); // a state: the world's own
        QCOMPARE(play.list().size(), std::size_t{2});
        const LiveEdit& mass = play.list().front();
        QCOMPARE(QString::fromStdString(mass.entity + "." + mass.component + "." + mass.field), QStringLiteral("a.Body.mass"));
        QCOMPARE(QString::fromStdString(mass.shownBefore), QStringLiteral("2.0")); // of this run: it began with what the scene says
        QCOMPARE(QString::fromStdString(mass.toml), QStringLiteral("9.0"));
        QVERIFY(mass.obstacle.empty());
    }

    void whatIsSetBackIsNoChange() {
        Play play;
        play.session.play();
        play.set("a Body.mass 7");
        play.set("a Body.mass 2");
        QVERIFY(play.list().empty());
        play.set("a Body.mass 2");
        QVERIFY(play.list().empty());
    }

    void itOutlivesStopAndEndsWithTheNextRun() {
        Play play;
        play.session.play();
        play.set("a Body.mass 7");
        play.session.stop();
        QCOMPARE(play.mass("a"), 2.0F);
        QCOMPARE(play.list().size(), std::size_t{1});
        play.session.publish();
        QCOMPARE(play.session.snapshot()->liveEdits->size(), std::size_t{1});
        play.session.play();
        QVERIFY(play.list().empty());
    }

    void oneIsTakenBack() {
        Play play;
        play.session.play();
        play.set("a Body.mass 7");
        play.set("b Body.mass 8");
        QVERIFY(play.session.liveEdits().takeBack(play.session.world(), "a", "Body", "mass"));
        QCOMPARE(play.mass("a"), 2.0F);
        QCOMPARE(play.mass("b"), 8.0F);
        QCOMPARE(play.list().size(), std::size_t{1});
        QVERIFY(!play.session.liveEdits().takeBack(play.session.world(), "a", "Body", "mass"));
        play.session.world().destroy(play.session.world().find("b").id());
        play.session.tick();
        QVERIFY(!play.session.liveEdits().takeBack(play.session.world(), "b", "Body", "mass"));
    }

    void placesAreThoseInTheParentsFrame() {
        Play play;
        play.session.play();
        const Entity a = play.session.world().find("a");
        Pose after = a.local();
        after.position.x = 5.0F;
        play.session.liveEdits().notePlace(a, a.local(), after);
        QCOMPARE(play.list().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(play.list().front().field), QStringLiteral("position"));
        QCOMPARE(QString::fromStdString(play.list().front().toml), QStringLiteral("[5.0, 2.0, 3.0]"));
        QCOMPARE(QString::fromStdString(play.list().front().shownAfter), QStringLiteral("x 5.0")); // the world moves the others
        after.position.y = 9.0F;
        play.session.liveEdits().notePlace(a, a.local(), after); // once more, from elsewhere: the first place counts
        QCOMPARE(play.list().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(play.list().front().shownBefore), QStringLiteral("x 1.0, y 2.0"));
        setLocalPlace(play.session.world(), a, "position", after.position);
        QVERIFY(play.session.liveEdits().takeBack(play.session.world(), "a", "", "position"));
        QCOMPARE(play.session.world().find("a").local().position, Vec3(1.0F, 2.0F, 3.0F));
    }

    // A body's state is the world's own, but its position and rotation are the entity's place: the newest value counts, wherever it was set.
    void aLivePlaceIsAPlace() {
        Play play;
        play.session.play();
        const Entity a = play.session.world().find("a");
        setLocalPlace(play.session.world(), a, "position", {1.0F, 3.0F, 3.0F});
        play.session.liveEdits().note(a, {}, *definition::instanceKeys().find("position"), Vec3(1.0F, 2.0F, 3.0F), Vec3(1.0F, 3.0F, 3.0F));
        play.set("a Body.position (1.0, 2.5, 3.0)");
        QCOMPARE(play.list().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(play.list().front().toml), QStringLiteral("[1.0, 2.5, 3.0]"));
        QCOMPARE(QString::fromStdString(play.list().front().shownBefore), QStringLiteral("y 2.0"));
        play.set("a Body.rotation (0.0, 30.0, 0.0)");
        QCOMPARE(play.list().size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(play.list().back().field), QStringLiteral("rotation"));
        QCOMPARE(QString::fromStdString(play.list().back().toml), QStringLiteral("[0.0, 30.0, 0.0]"));
        play.set("a Body.linearVelocity (0.0, 1.0, 0.0)"); // is no place
        QCOMPARE(play.list().size(), std::size_t{2});
        QVERIFY(play.session.liveEdits().takeBack(play.session.world(), "a", "", "rotation"));
        QVERIFY(play.session.liveEdits().takeBack(play.session.world(), "a", "", "position"));
        QCOMPARE(play.session.world().find("a").local().position, Vec3(1.0F, 2.0F, 3.0F));
    }

    void whatASceneCannotSayHasAReason() {
        Play play;
        play.session.play();
        play.set("twin Sound.gain 0.5");
        QCOMPARE(QString::fromStdString(play.list().front().obstacle),
                 QStringLiteral("it has several components of this kind, which a scene cannot tell apart"));
        play.set("twin Mesh.mesh sphere");
        QVERIFY(play.list().back().obstacle.empty());
        play.session.console().execute("spawn Crate");
        play.session.tick();
        std::string made;
        play.session.world().forEach([&](const Entity& entity) { made = entity.fromScene() ? made : entity.name(); });
        QVERIFY(!made.empty());
        play.set(made + " Body.mass 3");
        QCOMPARE(QString::fromStdString(play.list().back().obstacle), QStringLiteral("it was made while the world ran"));
    }
};

QTEST_GUILESS_MAIN(TestLiveEdits)
#include "tst_live_edits.moc"
