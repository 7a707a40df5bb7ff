// The broad phase is a matter of speed alone: with the tree and with Bullet's own the same bodies touch in the same ticks.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/physics_system.h"
#include "engine/session/session.h"
#include "tests/folders.h"

using namespace sbx;

namespace {

struct Event {
    int tick = 0;
    bool begins = false;
    std::uint64_t a = 0;
    std::uint64_t b = 0;

    friend auto operator<=>(const Event&, const Event&) = default;
};

struct Run {
    std::vector<Event> events;
    std::string digest;
};

Run courtyard(const char* broadphase, bool exact, int ticks) {
    Log log;
    Session session(log, addConsoleCommands);
    Diagnostics faults;
    session.execute("trace.enabled false");
    session.execute(std::string("physics.broadphase ") + broadphase);
    session.execute(exact ? "physics.exactPairs true" : "physics.exactPairs false");
    session.open(loadContent(sbx::test::sourcePath("resources/projects/courtyard"), "", session.catalog().schema, faults));
    session.execute("sim.seed 7");
    session.play();
    Run run;
    for (int tick = 0; tick < ticks; ++tick) {
        session.tick();
        const physics::PhysicsWorld& physics = session.world().service<PhysicsSystem>().physics();
        for (const physics::Contact& contact : physics.begins())
            run.events.push_back({tick, true, contact.userA, contact.userB});
        for (const physics::Contact& contact : physics.ends())
            run.events.push_back({tick, false, contact.userA, contact.userB});
    }
    run.digest = session.simulation().digestLine();
    return run;
}

} // namespace

class TestBroadphase : public QObject {
    Q_OBJECT

private slots:
    void theSameContactsBeginAndEnd() {
        const Run tree = courtyard("tree", true, 600);
        const Run bullet = courtyard("dbvt", true, 600);
        qInfo("%zu contacts began or ended; digests %s, %s", tree.events.size(), tree.digest.c_str(), bullet.digest.c_str());
        QVERIFY(tree.events.size() > 100);
        for (std::size_t i = 0; i < std::min(tree.events.size(), bullet.events.size()); ++i) {
            if (tree.events[i] != bullet.events[i])
                qInfo("event %zu: tick %d and %d", i, tree.events[i].tick, bullet.events[i].tick);
            QVERIFY(tree.events[i] == bullet.events[i]);
        }
        QCOMPARE(tree.events.size(), bullet.events.size());
    }
    void theSwitchWaitsForTheNextRun() {
        Log log;
        Session session(log, addConsoleCommands);
        Diagnostics faults;
        session.open(loadContent(sbx::test::sourcePath("resources/projects/courtyard"), "", session.catalog().schema, faults));
        const auto broadphase = [&session] {
            return session.world().service<PhysicsSystem>().physics().broadphase();
        };
        session.play();
        QVERIFY(session.execute("physics.broadphase dbvt").ok);
        session.tick();
        QVERIFY(broadphase() == physics::Broadphase::Tree);
        session.stop();
        session.play();
        QVERIFY(broadphase() == physics::Broadphase::Dbvt);
        QVERIFY(!session.execute("physics.broadphase grid").ok);
    }
    // With margins the order of pairs differs, so the last bits do; each alone is the same in every run.
    void eachIsTheSameInEveryRun() {
        for (const char* broadphase : {"tree", "dbvt"}) {
            const Run one = courtyard(broadphase, false, 300);
            const Run other = courtyard(broadphase, false, 300);
            QCOMPARE(one.digest, other.digest);
            QVERIFY(one.events == other.events);
        }
    }
};

QTEST_GUILESS_MAIN(TestBroadphase)
#include "tst_broadphase.moc"
