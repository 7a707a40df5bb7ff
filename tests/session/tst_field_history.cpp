// Who changed a value: of the entities that are watched, by which handler and message, or outside handlers.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>

using namespace sbx;

namespace {

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};

    Fixture() {
        session.open(
            projectInMemory(session,
                            "[Wall]\n[Wall.Shield]\ncapacity = 4\n[Wall.Health]\nmaximum = 100\n"
                            "[Ball]\n[Ball.Body]\nmass = 1\n[Comet]\n[Comet.Orbit]\nradius = "
                            "2\n[Comet.Body]\nmotion = \"kinematic\"\n[Guard]\n[Guard.Body]\nmass = "
                            "1\n[Guard.Shield]\nrecharge = 1\n[Moon]\n[Moon.Orbit]\nradius = 2\n"
                            "[Gate]\n[Gate.Body]\nmotion = \"static\"\ntrigger = true\n[Gate.Trigger]\n"
                            "enter = \"Push\"\nleave = \"\"\n"
                            "[Door]\n[Door.Body]\nmass = 10\n[Door.Hinge]\nanchor = [-0.5, 0.0, 0.0]\n",
                            "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Wall\"\nname = \"wall\"\n"
                            "[[entity]]\ntype = \"Ball\"\nname = \"ball\"\nposition = [0.0, 50.0, 0.0]\n"
                            "[[entity]]\ntype = \"Comet\"\nname = \"comet\"\nposition = [0.0, 90.0, 0.0]\n"
                            "[[entity]]\ntype = \"Guard\"\nname = \"guard\"\nposition = [5.0, 50.0, 0.0]\n"
                            "[[entity]]\ntype = \"Moon\"\nname = \"moon\"\nposition = [9.0, 0.0, 0.0]\n"
                            "[[entity]]\ntype = \"Gate\"\nname = \"gate\"\nposition = [5.0, 47.0, 0.0]\n"
                            "[[entity]]\ntype = \"Door\"\nname = \"door\"\nposition = [0.0, -50.0, 0.0]\n"));
    }
    void run(const std::string& line) { QVERIFY2(session.execute(line).ok, line.c_str()); }
    ValueChanges of(const char* entity, const char* component, const char* field) {
        return session.fieldHistory().of(session.world(), entity, component, field);
    }
};

} // namespace

class TestFieldHistory : public QObject {
    Q_OBJECT
private slots:
    void byHandlersOfMessages() {
        Fixture f;
        f.session.inspect({"wall"});
        f.session.play();
        f.session.tick();
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        f.run("send Damage wall amount=20 --ticks=1");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QVERIFY(health.watched);
        QCOMPARE(health.since, std::uint64_t(0));
        QCOMPARE(health.all, std::uint64_t(2));
        QCOMPARE(health.last.size(), std::size_t(2));
        const ValueChange& newest = health.last[0];
        QCOMPARE(newest.before, std::string("94.0"));
        QCOMPARE(newest.after, std::string("74.0"));
        QCOMPARE(newest.component, std::string("Health"));
        QCOMPARE(newest.message, std::string("Damage"));
        QCOMPARE(newest.tick, std::uint64_t(3));
        QVERIFY(newest.recorded && newest.sequence > 0);
        QCOMPARE(health.last[1].before, std::string("100.0"));
        QCOMPARE(health.last[1].tick, std::uint64_t(2));
        const ValueChanges shield = f.of("wall", "Shield", "left");
        QCOMPARE(shield.all, std::uint64_t(1)); // it was spent at once
        QCOMPARE(shield.last[0].component, std::string("Shield"));
        QCOMPARE(shield.last[0].sequence, health.last[1].sequence); // the same message
    }
    // Between ticks: a change by a message that was sent by hand names the handler; a change by the command `set` names none.
    void bySendingByHand() {
        Fixture f;
        f.session.inspect({"wall"});
        f.session.play();
        f.session.tick();
        f.run("send Damage wall amount=10");
        f.run("set wall Health.current 33");
        f.run("send Damage wall amount=20");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QCOMPARE(health.last.size(), std::size_t(3));
        for (const std::size_t i : {std::size_t(0), std::size_t(2)}) {
            QCOMPARE(health.last[i].component, std::string("Health"));
            QCOMPARE(health.last[i].message, std::string("Damage"));
            QVERIFY(health.last[i].recorded && !health.last[i].outside);
        }
        QVERIFY(health.last[1].betweenTicks);
        QCOMPARE(health.last[1].after, std::string("33.0"));
        QCOMPARE(health.last[0].after, std::string("13.0"));
    }
    void outsideHandlers() {
        Fixture f;
        f.session.inspect({"ball", "wall"});
        f.session.play();
        for (int i = 0; i < 30; ++i)
            f.session.tick();
        // It falls: one entry for all of it.
        const ValueChanges place = f.of("ball", FieldHistory::Place, "position");
        QVERIFY(place.all >= 29);
        QCOMPARE(place.last.size(), std::size_t(1));
        QVERIFY(place.last[0].message.empty());
        QCOMPARE(place.last[0].tick, std::uint64_t(30));
        QVERIFY(place.last[0].before.find("50.0") != std::string::npos);
        // A person.
        f.run("set wall Health.current 33");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QCOMPARE(health.all, std::uint64_t(1));
        QVERIFY(health.last[0].message.empty());
        QCOMPARE(health.last[0].after, std::string("33.0"));
    }
    // What the physics step or a person did is not put down to the next handler that runs.
    void beforeTheNextHandler() {
        Fixture f;
        f.session.inspect({"guard", "wall"});
        f.session.play();
        for (int i = 0; i < 20; ++i)
            f.session.tick();
        const ValueChanges place = f.of("guard", FieldHistory::Place, "position");
        QVERIFY(place.all >= 19);
        for (const ValueChange& change : place.last)
            QVERIFY2(change.message.empty(), (change.component + " " + change.message).c_str());
        f.session.pause();
        f.run("set wall Health.current 33");
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QCOMPARE(health.last.size(), std::size_t(2));
        QVERIFY(health.last[1].message.empty() && health.last[1].betweenTicks);
        QCOMPARE(health.last[1].after, std::string("33.0"));
        QCOMPARE(health.last[0].before, std::string("33.0"));
        QCOMPARE(health.last[0].component, std::string("Health"));
    }
    // What the physics step moved is not put down to a handler that runs right after it and sends a message to what moved.
    void beforeAHandlerOfAnother() {
        Fixture f;
        f.session.inspect({"guard"});
        f.session.play();
        std::vector<ValueChange> moves;
        for (int i = 0; i < 120 && (moves.empty() || moves[0].message.empty()); ++i) {
            f.session
                .tick(); // it falls through the gate, whose trigger sends it a Push at the end of a physics step
            moves = f.of("guard", FieldHistory::Place, "position").last;
        }
        const std::uint64_t now = f.session.world().tickCount();
        for (const auto& [component, field] :
             {std::pair(FieldHistory::Place, "position"), std::pair("Body", "position")}) {
            moves = f.of("guard", component, field).last;
            QCOMPARE(moves.size(), std::size_t(2));
            QVERIFY2(moves[0].outside && moves[1].outside, moves[0].component.c_str());
            QVERIFY(moves[1].message.empty());
            QCOMPARE(moves[1].tick, now - 1); // up to the tick of the push, and in it
            QCOMPARE(moves[0].message, std::string("Push"));
            QCOMPARE(moves[0].sender,
                     std::string("guard")); // a trigger without a target has what entered send it to itself
            QCOMPARE(moves[0].askedAt, now - 1);
        }
    }
    // A hinge that is activated takes hold of its body: what swings names the request, from its tick on.
    void movedByAHinge() {
        Fixture f;
        f.session.inspect({"door"});
        f.session.play();
        f.session.tick();
        const auto swing = [&f](const char* message) {
            f.run(std::string("send ") + message + " door --ticks=1");
            f.session.tick();
            const std::uint64_t asked = f.session.world().tickCount();
            for (int i = 0; i < 10; ++i)
                f.session.tick();
            for (const auto& [component, field] :
                 {std::pair(FieldHistory::Place, "rotation"), std::pair("Body", "position")}) {
                const ValueChanges turned = f.of("door", component, field);
                QVERIFY(!turned.last.empty());
                QVERIFY(turned.last[0].outside);
                QCOMPARE(turned.last[0].component, std::string("Hinge"));
                QCOMPARE(turned.last[0].message, std::string(message));
                QCOMPARE(turned.last[0].askedAt, asked);
                QCOMPARE(turned.last[0].firstTick, asked);
                QCOMPARE(turned.last[0].tick, f.session.world().tickCount());
            }
        };
        swing("Activate");
        const std::string turned = f.of("door", FieldHistory::Place, "rotation").last[0].after;
        QVERIFY2(turned.starts_with("[0.0, ") && turned.ends_with(", 0.0] deg"), turned.c_str());
        swing("Deactivate");
        // A question asks for nothing, also where its answer is what it had before.
        f.run("send GetPose door --ticks=1");
        f.session.tick();
        QCOMPARE(f.of("door", FieldHistory::Place, "rotation").last[0].message, std::string("Deactivate"));
        QVERIFY(f.of("door", "Hinge", "on").last[0].message == "Deactivate");
        // A person names no request, and what follows is no longer what was asked for.
        f.run("set door Hinge.on true");
        f.session.tick();
        const ValueChange set = f.of("door", "Hinge", "on").last[0];
        QVERIFY(set.betweenTicks && set.message.empty());
        const ValueChange after = f.of("door", FieldHistory::Place, "rotation").last[0];
        QVERIFY(after.outside && !after.betweenTicks && after.message.empty());
    }
    // What is deselected costs nothing more and keeps its changes; selected again, it goes on from what it is then.
    void watchedAgain() {
        Fixture f;
        f.session.inspect({"wall"});
        f.session.play();
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        f.session.inspect({});
        QVERIFY(!f.session.fieldHistory().armed());
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        QCOMPARE(f.of("wall", "Health", "current").all, std::uint64_t(1));
        f.session.inspect({"wall"});
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QCOMPARE(health.since, std::uint64_t(2));
        QCOMPARE(health.all, std::uint64_t(1)); // since then
        QCOMPARE(health.last.size(), std::size_t(2));
        QCOMPARE(health.last[0].before, std::string("84.0"));
    }
    // A handler that moves its own entity, in a message that is not recorded.
    void movedByItsOwnHandler() {
        Fixture f;
        f.session.inspect({"moon"});
        f.session.play();
        for (int i = 0; i < 10; ++i)
            f.session.tick();
        const ValueChanges place = f.of("moon", FieldHistory::Place, "position");
        QVERIFY(place.last.size() > 5);
        QCOMPARE(place.last[0].component, std::string("Orbit"));
        QVERIFY(!place.last[0].message.empty());
        QVERIFY(!place.last[0].recorded);
    }
    // What the physics step moved names the request that the body had handled before.
    void movedByThePhysicsStep() {
        Fixture f;
        f.session.inspect({"comet", "ball"});
        f.session.play();
        f.session.tick();
        f.session.tick();
        for (const auto& [component, field] :
             {std::pair(FieldHistory::Place, "position"), std::pair("Body", "position")}) {
            const ValueChanges place = f.of("comet", component, field);
            QVERIFY(!place.last.empty());
            QVERIFY(place.last[0].outside);
            QCOMPARE(place.last[0].component, std::string("Body"));
            QCOMPARE(place.last[0].message, std::string("MoveTo"));
            QCOMPARE(place.last[0].sender, std::string("comet"));
        }
        // A fall follows no request. After a push, changes name the push, from its tick on.
        QVERIFY(f.of("ball", FieldHistory::Place, "position").last[0].message.empty());
        f.run("send Push ball impulse=3,0,0 --ticks=1");
        f.session.tick();
        const std::uint64_t pushed = f.session.world().tickCount();
        for (int i = 0; i < 5; ++i)
            f.session.tick();
        const ValueChanges place = f.of("ball", FieldHistory::Place, "position");
        QCOMPARE(place.last.size(), std::size_t(2));
        const ValueChange& newest = place.last[0];
        QVERIFY(newest.outside);
        QCOMPARE(newest.component, std::string("Body"));
        QCOMPARE(newest.message, std::string("Push"));
        QCOMPARE(newest.firstTick, pushed);
        QCOMPARE(newest.askedAt, pushed);
        QCOMPARE(newest.tick, f.session.world().tickCount());
        QVERIFY(newest.recorded && newest.sequence != 0);
        QVERIFY(place.last[1].message.empty());
        // A question asks for nothing.
        f.run("send GetVelocity ball --ticks=1");
        f.session.tick();
        QCOMPARE(f.of("ball", FieldHistory::Place, "position").last[0].message, std::string("Push"));
    }
    void onlyWhatIsWatched() {
        Fixture f;
        f.session.inspect({"ball"});
        f.session.play();
        f.session.tick();
        QVERIFY(!f.of("wall", "Health", "current").watched);
        QVERIFY(!f.of("nobody", "Health", "current").watched);
        QVERIFY(!f.of("ball", "Health", "current").watched);
        f.run("trace.changes true");
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        const ValueChanges health = f.of("wall", "Health", "current");
        QVERIFY(health.watched);
        QCOMPARE(health.all, std::uint64_t(1));
        QCOMPARE(health.since, std::uint64_t(1));
        // A new run knows nothing of the last one.
        f.session.stop();
        f.session.play();
        f.session.tick();
        QCOMPARE(f.of("wall", "Health", "current").all, std::uint64_t(0));
    }
    // The last Kept, counted all the same; an entity that is gone is no trouble.
    void boundedAndGone() {
        Fixture f;
        f.session.inspect({"wall"});
        f.session.play();
        for (std::size_t i = 0; i < FieldHistory::Kept + 20; ++i) {
            f.run("send Damage wall amount=0.5 --ticks=1");
            f.session.tick();
        }
        const ValueChanges health = f.of("wall", "Health", "current");
        QCOMPARE(health.last.size(), FieldHistory::Kept);
        QVERIFY(health.all > FieldHistory::Kept);
        f.run("send Damage wall amount=1000 --ticks=1");
        f.session.tick();
        f.session.tick();
        QVERIFY(!f.of("wall", "Health", "current").watched);
    }
    // Who watches changes nothing.
    void theRunIsTheSame() {
        std::uint64_t digests[2];
        for (const int watched : {0, 1}) {
            Fixture f;
            if (watched == 1)
                f.run("trace.changes true");
            f.session.play();
            f.run("send Damage wall amount=10 --ticks=3");
            for (int i = 0; i < 60; ++i)
                f.session.tick();
            digests[watched] = f.session.world().digest();
        }
        QCOMPARE(digests[0], digests[1]);
    }
};

QTEST_GUILESS_MAIN(TestFieldHistory)
#include "tst_field_history.moc"
