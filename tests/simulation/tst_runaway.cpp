// A project that grows without end, played: it is told of while it goes on, and play pauses before memory is gone.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/entity/growth_report.h"
#include "project_in_memory.h"

using namespace sbx;

namespace {

const std::string Definitions = R"([Shot]
[Shot.Mesh]
mesh = "box"
[Gun]
[Gun.Spawner]
type = "Shot"
every = 0.016
limit = 10000
)";
const std::string Scene = "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Gun\"\nname = \"gun\"\n";

struct Told {
    std::uint64_t tick = 0;
    std::string text;
};

struct Run {
    Log log;
    Session session{log, addConsoleCommands};
    std::vector<Told> told;

    explicit Run(const std::string& budget) {
        session.execute(budget);
        session.open(projectInMemory(session, Definitions, Scene));
        session.play();
    }
    void ticks(int most) {
        for (int i = 0; i < most && session.running(); ++i) {
            const std::uint64_t seen = log.latest();
            session.tick();
            session.publish();
            for (const LogRecord& record : log.since(seen))
                if (record.severity == LogSeverity::Error)
                    told.push_back({session.world().tickCount(), record.text});
        }
    }
};

} // namespace

class TestRunaway : public QObject {
    Q_OBJECT

private slots:
    void playPausesAtTheBudget() {
        Run run("sim.entityBudget 320");
        run.ticks(1'000);
        QCOMPARE(run.session.mode(), Mode::Pause);
        QVERIFY(run.session.overBudget());
        QVERIFY(run.session.snapshot()->overBudget);
        QCOMPARE(run.session.world().entityCount(), std::size_t(321));
        QCOMPARE(run.told.size(), std::size_t(5));
        QVERIFY(run.told[0].tick < 30); // 300 ticks before it stops
        QVERIFY(run.told[4].tick > 310);
        for (const Told& told : run.told)
            QVERIFY2(told.text.find("Spawner of gun") != std::string::npos, told.text.c_str());
    }

    // What the log says can be read again.
    void aReportIsReadFromTheLog() {
        Run run("sim.entityBudget 320");
        run.ticks(1'000);
        std::vector<GrowthReport> reports;
        for (const LogRecord& record : run.log.since(0))
            if (const auto report = readGrowthReport(record.channel, record.text))
                reports.push_back(*report);
        QCOMPARE(reports.size(), std::size_t(5));
        for (std::size_t i = 0; i < reports.size(); ++i) {
            GrowthReport expected;
            expected.of = GrowthReport::Of::Entities;
            expected.stopped = i == 4;
            expected.grown = std::uint64_t(20) << i;
            expected.budget = 320;
            expected.component = "Spawner";
            expected.entity = "gun";
            QVERIFY(reports[i] == expected);
        }
        for (const char* other :
             {"", "no more entities are made", "12 entities have come", "sim.entityBudget"})
            QVERIFY(!readGrowthReport("entities", other));
        QVERIFY(!readGrowthReport("console", run.told[0].text));
    }

    void aLargerBudgetLetsItGoOn() {
        Run run("sim.entityBudget 32");
        run.ticks(1'000);
        QCOMPARE(run.session.mode(), Mode::Pause);
        run.session.execute("sim.entityBudget 64");
        run.session.play();
        run.ticks(10);
        QCOMPARE(run.session.mode(), Mode::Play);
        QVERIFY(!run.session.overBudget());
        run.ticks(1'000);
        QCOMPARE(run.session.world().entityCount(), std::size_t(65));
    }

    void stopAndPlayBeginAnew() {
        Run run("sim.entityBudget 32");
        run.ticks(1'000);
        run.session.stop();
        run.session.play();
        run.ticks(20);
        QCOMPARE(run.session.mode(), Mode::Play);
        QVERIFY(!run.session.overBudget());
    }

    void zeroIsAnyNumber() {
        Run run("sim.entityBudget 0");
        run.ticks(1'000);
        QCOMPARE(run.session.mode(), Mode::Play);
        QVERIFY(run.told.empty());
        QVERIFY(run.session.world().entityCount() > 900);
    }
};

QTEST_GUILESS_MAIN(TestRunaway)
#include "tst_runaway.moc"
