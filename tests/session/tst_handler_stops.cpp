// Breakpoints between handlers: the tick stops before a handler, a person or a script changes or drops the message.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/simulation_thread.h"
#include "tests/simulation/project_in_memory.h"

#include <future>

using namespace sbx;

namespace {

using Progress = HandlerStop::Progress;

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};

    Fixture() {
        session.open(projectInMemory(session,
                                     "[Wall]\n[Wall.Shield]\ncapacity = 4\n[Wall.Health]\nmaximum = 100\n[Crate]\n[Crate.Health]\nmaximum = 10\n"
                                     "death = \"respawn\"\n[Crate.Points]\n",
                                     "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Wall\"\nname = \"wall\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"crate\"\n"));
        session.publish();
    }
    ConsoleReply run(const std::string& line) { return session.execute(line); }
    bool holds(const std::string& condition) {
        const ConsoleReply reply = run("expect " + condition);
        return reply.ok && reply.lines.front().find("PASS") != std::string::npos;
    }
    std::vector<std::string> warnings() {
        std::vector<std::string> out;
        for (const LogRecord& record : log.since(0))
            if (record.channel == "break")
                out.push_back(record.text);
        return out;
    }
};

// A session on its thread, played, with a window that waits for stops.
struct Playing : Fixture {
    SimulationThread thread{session};
    std::uint64_t seen = 0;

    Playing() {
        session.stops().setInteractive(true);
        call([](Session& s) {
            s.play();
            s.pause();
        });
    }
    void post(std::function<void(Session&)> what) { session.post(std::move(what)); }
    void call(const std::function<void(Session&)>& what) {
        std::promise<void> done;
        session.post([&](Session& s) {
            what(s);
            done.set_value();
        });
        done.get_future().wait();
    }
    // Posts lines, then ticks once.
    void tickAfter(std::vector<std::string> lines) {
        post([lines = std::move(lines)](Session& s) {
            for (const std::string& line : lines)
                s.execute(line);
            s.tick();
            s.publish();
        });
    }
    // The next stop, which is another one than the last.
    std::shared_ptr<const HandlerStop> next() {
        std::shared_ptr<const HandlerStop> stop;
        const bool came = QTest::qWaitFor(
            [&] {
                stop = session.stops().stopped();
                return stop && stop->number > seen;
            },
            30000);
        if (!came)
            return nullptr;
        seen = stop->number;
        return stop;
    }
    float health(const char* entity) {
        float out = -1.0F;
        call([&](Session& s) {
            const Entity found = s.world().find(std::string(entity));
            found.eachComponent([&](const Entity::ComponentRef& ref) {
                if (ref.type->name == "Health")
                    out = static_cast<float>(std::get<double>(
                        ref.type->state->find("current")->read(ref.type->stateOf(ref.component))));
            });
        });
        return out;
    }
};

} // namespace

class TestHandlerStops : public QObject {
    Q_OBJECT
private slots:
    // Without a window: what the breakpoint was told to do happens, everything is reported, nothing waits.
    void ordersOfAScript() {
        Fixture f;
        f.session.play();
        QVERIFY(f.run("break.at Health type == Damage and to == wall").ok);
        QVERIFY(f.run("break.do 1 set amount 25").ok);
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        QVERIFY(f.holds("wall.Health.current == 75.0"));
        QVERIFY(f.holds("wall.Shield.left == 0.0")); // it had its turn before
        QVERIFY(f.run("break.do 1 drop").ok);
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        QVERIFY(f.holds("wall.Health.current == 75.0"));
        QVERIFY(f.run("break.do 1 ask").ok); // there is no window: it goes on
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        QVERIFY(f.holds("wall.Health.current == 65.0"));
        const std::vector<std::string> said = f.warnings();
        QVERIFY(!said.empty());
        QVERIFY2(QString::fromStdString(said[0]).contains(QStringLiteral("before Health of wall handles Damage (breakpoint 1)")), said[0].c_str());
        QCOMPARE(f.session.breakpoints().find(1)->hits, std::uint64_t(3));
        // Sent between ticks.
        QVERIFY(f.run("break.do 1 set amount 5").ok);
        QVERIFY(f.run("send Damage wall amount=10").ok);
        QVERIFY(f.holds("wall.Health.current == 60.0"));
        QCOMPARE(f.session.breakpoints().find(1)->hits, std::uint64_t(4));
    }
    void faultsAreNamed() {
        Fixture f;
        QVERIFY(!f.run("break.at Helth type == Damage").ok);
        QVERIFY(!f.run("break.at Health type = = Damage").ok);
        QVERIFY(!f.run("break.do 1 drop").ok);
        QVERIFY(f.run("break.at * type == Damage").ok);
        QVERIFY(!f.run("break.do 1 sing").ok);
        QVERIFY(f.run("break.do 1 set amout 2").ok); // the filter may match other types, too
        f.session.play();
        f.run("send Damage wall amount=10 --ticks=1");
        f.session.tick();
        QVERIFY(f.holds("wall.Health.current == 94.0"));
        const std::vector<std::string> said = f.warnings();
        QVERIFY(std::any_of(said.begin(), said.end(),
                            [](const std::string& text) { return text.find("Damage has no field amout") != std::string::npos; }));
    }
    // Who watches changes nothing.
    void anArmedBreakpointLeavesTheRunAlone() {
        std::uint64_t digests[2];
        for (const int armed : {0, 1}) {
            Fixture f;
            f.session.play();
            if (armed == 1)
                f.run("break.at * type == Damage and fields.amount > 1e6");
            f.run("send Damage wall amount=10 --ticks=2");
            f.run("send Damage crate amount=30 --ticks=3");
            for (int i = 0; i < 60; ++i)
                f.session.tick();
            digests[armed] = f.session.world().digest();
        }
        QCOMPARE(digests[0], digests[1]);
    }
    void readChangedAndSteppedByHand() {
        Playing p;
        p.tickAfter({"break.at * type == Damage", "send Damage wall amount=10 --ticks=1"});
        auto stop = p.next();
        QVERIFY(stop);
        QCOMPARE(stop->type, std::string("Damage"));
        QCOMPARE(stop->receiver, std::string("wall"));
        QCOMPARE(stop->breakpoint, 1);
        QCOMPARE(stop->handlers.size(), std::size_t(2));
        QCOMPARE(stop->handlers[0].component, std::string("Shield"));
        QVERIFY(stop->handlers[0].progress == Progress::Here && stop->handlers[1].progress == Progress::Waiting);
        QCOMPARE(stop->fields.size(), std::size_t(1));
        QCOMPARE(stop->fields[0].value, std::string("10.0"));
        QCOMPARE(stop->state.size(), std::size_t(1));
        QCOMPARE(stop->state[0].value, std::string("4.0"));
        QCOMPARE(describeStop(*stop), std::string("before Shield of wall handles Damage"));
        // What cannot be set is refused, and it stands as it stood.
        p.session.stops().answer(stop->number, StopAnswer::Step, {{"amount", "-3"}});
        stop = p.next();
        QVERIFY(stop);
        QVERIFY2(!stop->refused.empty(), stop->refused.c_str());
        QCOMPARE(stop->fields[0].value, std::string("10.0"));
        // An answer to a stop that is over does nothing.
        p.session.stops().answer(stop->number - 1, StopAnswer::Continue);
        QVERIFY(p.session.stops().stopped());
        p.session.stops().answer(stop->number, StopAnswer::Step, {{"amount", "7"}});
        stop = p.next();
        QVERIFY(stop);
        QCOMPARE(stop->breakpoint, 0);
        QVERIFY(stop->handlers[0].progress == Progress::Passed && stop->handlers[1].progress == Progress::Here);
        QCOMPARE(stop->fields[0].value, std::string("3.0")); // the shield took its part
        QCOMPARE(stop->state[0].value, std::string("100.0"));
        p.session.stops().answer(stop->number, StopAnswer::Continue, {{"amount", "50"}});
        QCOMPARE(p.health("wall"), 50.0F);
        QVERIFY(!p.session.stops().stopped());
        // Kept from the second handler.
        p.tickAfter({"unbreak all", "break.at Health type == Damage", "send Damage wall amount=10 --ticks=1"});
        stop = p.next();
        QVERIFY(stop);
        p.session.stops().answer(stop->number, StopAnswer::Drop);
        QCOMPARE(p.health("wall"), 50.0F);
    }
    // A step goes into what the handler sends, and a tick that ends leaves play paused.
    void aStepGoesIntoWhatIsSent() {
        Playing p;
        p.call([](Session& s) { s.execute("break.at Health type == Damage and to == crate"); });
        p.post([](Session& s) {
            s.execute("send Damage crate amount=30 --ticks=1");
            s.play();
        });
        const auto ended = [&] {
            const std::vector<std::string> said = p.warnings();
            return std::any_of(said.begin(), said.end(), [](const std::string& text) { return text.find("no other handler") != std::string::npos; });
        };
        std::vector<std::string> types;
        while (true) {
            QTRY_VERIFY_WITH_TIMEOUT(ended() || (p.session.stops().stopped() && p.session.stops().stopped()->number > p.seen), 30000);
            if (ended())
                break;
            const auto stop = p.next();
            types.push_back(stop->type + " " + stop->handlers[0].component);
            p.session.stops().answer(stop->number, StopAnswer::Step);
        }
        QTRY_COMPARE_WITH_TIMEOUT(p.session.snapshot()->mode, Mode::Pause, 30000);
        QVERIFY(types.size() > 1);
        QCOMPARE(types.front(), std::string("Damage Health"));
        QVERIFY(!p.session.stops().stopped());
        QCOMPARE(p.health("crate"), 10.0F);
    }
    // What is sent by hand between ticks stops too, whether play goes on or not.
    void whatIsSentByHand() {
        Playing p;
        p.call([](Session& s) { s.execute("break.at Health type == Damage"); });
        p.post([](Session& s) { s.execute("send Damage wall amount=10"); });
        std::shared_ptr<const HandlerStop> stop = p.next();
        QVERIFY(stop);
        QCOMPARE(describeStop(*stop), std::string("before Health of wall handles Damage"));
        p.session.stops().answer(stop->number, StopAnswer::Continue, {{"amount", "30"}});
        QCOMPARE(p.health("wall"), 70.0F);
        p.post([](Session& s) { s.execute("send Damage wall amount=10"); });
        stop = p.next();
        QVERIFY(stop);
        p.session.stops().answer(stop->number, StopAnswer::Drop);
        QCOMPARE(p.health("wall"), 70.0F);
        // Steps go into what its handlers send, and no further.
        p.post([](Session& s) { s.execute("send Damage crate amount=30"); });
        std::size_t steps = 0;
        const auto ended = [&] {
            const std::vector<std::string> said = p.warnings();
            return std::any_of(said.begin(), said.end(), [](const std::string& text) {
                return text.find("no other handler of what was sent by hand") != std::string::npos;
            });
        };
        for (; !ended(); ++steps) {
            QTRY_VERIFY_WITH_TIMEOUT(
                ended() || (p.session.stops().stopped() && p.session.stops().stopped()->number > p.seen),
                30000);
            if (ended())
                break;
            stop = p.next();
            p.session.stops().answer(stop->number, StopAnswer::Step);
        }
        QVERIFY(steps > 1);
        p.call([](Session& s) { s.execute("unbreak all"); });
        p.call([](Session& s) { s.execute("send Damage wall amount=10"); });
        QCOMPARE(p.health("wall"), 60.0F);
    }
    // Without an answer: a tick that stands goes on after release(), and when the session ends.
    void letGo() {
        Playing p;
        p.tickAfter({"break.at * type == Damage", "send Damage wall amount=10 --ticks=1", "send Damage crate amount=3 --ticks=1"});
        QVERIFY(p.next());
        p.session.stops().release();
        QCOMPARE(p.health("crate"), 7.0F); // the second one did not stop
        p.tickAfter({"send Damage wall amount=10 --ticks=1"});
        QVERIFY(p.next()); // the next tick does
        p.post([](Session& s) { s.stop(); });
        // Between ticks there is nothing to let go: the next run stops as ever.
        p.session.stops().release();
        p.call([](Session&) {});
        p.session.stops().release();
        p.post([](Session& s) { s.play(); });
        p.tickAfter({"send Damage wall amount=10 --ticks=1"});
        QVERIFY(p.next());
    }
};

QTEST_GUILESS_MAIN(TestHandlerStops)
#include "tst_handler_stops.moc"
