// Message breakpoints: a message that matches stops play at the end of its tick.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/breakpoints.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>

using namespace sbx;

namespace {

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};
    std::vector<BreakHit> hits;

    Fixture() {
        session.open(projectInMemory(session, "[Crate]\n[Crate.Health]\nmaximum = 40\n[Stone]\n[Stone.Mesh]\nmesh = \"cone\"\n",
                                     "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\n"
                                     "[[entity]]\ntype = \"Crate\"\nname = \"b\"\n"
                                     "[[entity]]\ntype = \"Stone\"\nname = \"stone\"\n"));
        session.handlers().breakHit = [this](const BreakHit& hit) { hits.push_back(hit); };
        session.publish();
    }
    std::string run(std::string_view line) {
        std::string out;
        for (const std::string& text : session.execute(line).lines)
            out += (out.empty() ? "" : "\n") + text;
        return out;
    }
    // As the clock does: at most so many ticks, while it plays.
    int ticks(int most) {
        int done = 0;
        for (; done < most && session.running(); ++done) {
            session.tick();
            session.publish();
        }
        return done;
    }
    std::size_t logged(std::string_view part) {
        std::size_t n = 0;
        for (const LogRecord& record : log.since(0))
            n += record.text.find(part) != std::string::npos ? 1U : 0U;
        return n;
    }
};

} // namespace

class TestBreakpoints : public QObject {
    Q_OBJECT
private slots:
    // Seconds in a breakpoint are those of the run, whatever rate the world had when it was set.
    void secondsFollowTheTickRate() {
        Fixture f;
        f.run("break type == Damage and tick > 2s");
        f.run("sim.tickRate 30");
        f.session.play();
        QCOMPARE(f.session.tickRate(), 30.0);
        const auto damageAt = [&f](int tick) {
            while (f.session.running() && static_cast<int>(f.session.world().tickCount()) < tick)
                f.ticks(1);
            f.run("send Damage b amount=1");
            f.ticks(1);
        };
        damageAt(50);
        QVERIFY(f.hits.empty());
        damageAt(65);
        QCOMPARE(f.hits.size(), std::size_t(1));
        QVERIFY2(f.hits[0].tick > 60 && f.hits[0].tick < 70, qPrintable(QString::number(f.hits[0].tick)));
    }

    void playPausesAtTheEndOfTheTick() {
        Fixture f;
        QCOMPARE(f.run("break type == Damage and to == b and fields.amount > 5"),
                 std::string("breakpoint 1: type == Damage and to == b and fields.amount > 5"));
        f.session.play();
        QCOMPARE(f.ticks(3), 3);
        f.run("send Damage b amount=3; send Damage a amount=20; send Damage b amount=7 --after=0.03");
        QCOMPARE(f.ticks(50), 2);
        QCOMPARE(f.session.mode(), Mode::Pause);
        QCOMPARE(f.session.snapshot()->mode, Mode::Pause);
        QCOMPARE(f.hits.size(), std::size_t(1));
        const BreakHit& hit = f.hits[0];
        QCOMPARE(hit.breakpoint, 1);
        QCOMPARE(hit.run, f.session.simulation().run());
        QVERIFY(hit.text.starts_with("Damage to b"));
        QCOMPARE(hit.others, std::uint64_t(0));
        // The whole tick was done: the receiver has it.
        QCOMPARE(f.run("expect b.Health.current == 30"), std::string("PASS b.Health.current == 30"));
        QCOMPARE(f.logged("paused after tick " + std::to_string(hit.tick)), std::size_t(1));
        // It goes on from there, and does not stop again at what it has seen.
        f.session.play();
        QCOMPARE(f.ticks(10), 10);
        QCOMPARE(f.hits.size(), std::size_t(1));
    }
    void theRecordIsTheOneTheTraceHas() {
        Fixture f;
        const std::shared_ptr<RecordReader> reader = f.session.recorder().addReader();
        f.run("break type == Heal");
        f.session.play();
        f.ticks(2);
        f.run("send Heal a amount=1; send Heal b amount=1");
        f.ticks(5);
        QCOMPARE(f.hits.size(), std::size_t(1));
        QCOMPARE(f.hits[0].others, std::uint64_t(1));
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::vector<std::string> found;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (const RecordView record = (*segment)[i]; record.sequence() == f.hits[0].sequence)
                    found.push_back(messageType(record.type()).name + " " + f.session.recorder().names().name(record.receiverName()));
        QCOMPARE(found, std::vector<std::string>{"Heal a"});
    }
    void stepsTellToo() {
        Fixture f;
        f.run("break type == Damage");
        f.session.step();
        f.run("send Damage a amount=1");
        f.session.step();
        QCOMPARE(f.hits.size(), std::size_t(1));
        QCOMPARE(f.session.mode(), Mode::Pause);
    }
    void severalAreCountedListedAndTakenAway() {
        Fixture f;
        QCOMPARE(f.run("break"), std::string("none"));
        f.run("break type == Damage");
        f.run("break to == a");
        f.run("break type == Heal and to == b");
        f.session.play();
        f.ticks(2);
        f.hits.clear();
        f.run("send Damage a amount=1; send Damage b amount=1");
        f.session.play();
        f.ticks(5);
        QCOMPARE(f.hits.size(), std::size_t(1));
        QCOMPARE(f.hits[0].breakpoint, 1);
        const std::string all = f.run("list breakpoints");
        QVERIFY2(all.starts_with("1  type == Damage  2 hits\n2  to == a  "), all.c_str());
        QVERIFY2(all.ends_with("3  type == Heal and to == b  0 hits"), all.c_str());
        QCOMPARE(f.run("list breakpoints heal"), std::string("3  type == Heal and to == b  0 hits"));
        QCOMPARE(f.run("unbreak 2 last"), std::string());
        QVERIFY(f.run("break").starts_with("1  type == Damage"));
        QCOMPARE(f.run("break").find('\n'), std::string::npos);
        QVERIFY(f.run("unbreak 2").find("there is no breakpoint 2") != std::string::npos);
        f.run("unbreak all");
        f.session.play();
        f.run("send Damage a amount=1");
        QCOMPARE(f.ticks(4), 4);
        // Numbers are not used again.
        QVERIFY(f.run("break to == b").starts_with("breakpoint 4:"));
    }
    void mistakesAreSaid_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("part");
        QTest::newRow("field") << "break tpye == Damage" << "type";
        QTest::newRow("unfinished") << "break type ==" << "expected";
        QTest::newRow("closed set") << "break outcome == eaten" << "consumed";
        QTest::newRow("unit") << "break tick > 2kg" << "tick is in tick";
        QTest::newRow("number") << "unbreak x" << "there is no breakpoint x";
    }
    void mistakesAreSaid() {
        QFETCH(const QString, line);
        QFETCH(const QString, part);
        Fixture f;
        const std::string said = f.run(line.toStdString());
        QVERIFY2(said.find("error: ") != std::string::npos && said.find(part.toStdString()) != std::string::npos, said.c_str());
        QVERIFY(f.session.breakpoints().list().empty());
    }
    void whatIsNotRecordedIsSaid() {
        Fixture f;
        f.run("trace.enabled false");
        const std::string said = f.run("break type == Damage");
        QVERIFY2(said.find("nothing is recorded") != std::string::npos, said.c_str());
        f.session.play();
        f.run("send Damage a amount=1");
        QCOMPARE(f.ticks(3), 3);
        f.run("trace.enabled true");
        f.run("send Damage a amount=1");
        QCOMPARE(f.ticks(3), 1);
    }
    void theyOutliveStopAndSequencesStartOver() {
        Fixture f;
        f.run("break type == Damage");
        for (int i = 0; i < 2; ++i) {
            f.session.play();
            f.ticks(2);
            f.run("send Damage a amount=1");
            QCOMPARE(f.ticks(4), 1);
            QCOMPARE(f.hits.size(), std::size_t(i + 1));
            QCOMPARE(f.hits.back().run, f.session.simulation().run());
            f.session.stop();
        }
        QCOMPARE(f.hits[0].sequence, f.hits[1].sequence);
        // The scene as edited runs nothing: what is sent there stops nothing.
        f.run("send Damage a amount=1");
        f.session.publish();
        QCOMPARE(f.hits.size(), std::size_t(2));
    }
    void entitiesInPayloadsHaveNames() {
        Fixture f;
        f.run("break type == Entered and fields.other == stone");
        f.session.play();
        f.ticks(2);
        f.run("send Entered a other=b; send Entered b other=stone");
        f.ticks(5);
        QCOMPARE(f.hits.size(), std::size_t(1));
        QVERIFY2(f.hits[0].text.starts_with("Entered to b"), f.hits[0].text.c_str());
    }
    void filtersComplete() {
        Fixture f;
        const auto offers = [&](std::string_view line, std::string_view wanted) {
            const auto all = f.session.console().complete(line, line.size()).candidates;
            return std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.text.starts_with(wanted); });
        };
        QVERIFY(offers("break ty", "type"));
        QVERIFY(offers("break type == Dam", "Damage"));
        QVERIFY(offers("break type == Damage and to == s", "stone"));
        QVERIFY(offers("break outcome == un", "unhandled"));
        QVERIFY(offers("list bre", "breakpoints"));
        QVERIFY(offers("unbreak a", "all"));
    }
};

QTEST_GUILESS_MAIN(TestBreakpoints)
#include "tst_breakpoints.moc"
