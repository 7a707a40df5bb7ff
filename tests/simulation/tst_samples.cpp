// The shipped samples, as people get them.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/message/trace_json.h"
#include "engine/session/session.h"
#include "tests/folders.h"

using namespace sbx;

namespace {
struct Sample {
    Log log;
    Session session{log, addConsoleCommands};
    Diagnostics faults;
    explicit Sample(const std::string& name, bool record = false) {
        const auto content = loadContent(sbx::test::sourcePath("resources/projects/" + name), "",
                                         session.catalog().schema, faults);
        session.execute(record ? "trace.enabled true" : "trace.enabled false");
        session.open(content);
    }
    Entity entity(const std::string& name) { return session.world().find(name); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            session.tick();
    }
    double state(const std::string& name, const char* component, const char* key) {
        const auto ref = entity(name).component(component);
        const Value v = ref.type->state->find(key)->read(ref.type->stateOf(ref.component));
        return std::get<double>(v);
    }
};
} // namespace

class TestSamples : public QObject {
    Q_OBJECT
private slots:
    void everySampleLoadsWithoutAFault_data() {
        QTest::addColumn<QString>("name");
        QDir projects(sbx::test::qSourcePath("resources/projects"));
        for (const QString& name : projects.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << name;
    }
    void everySampleLoadsWithoutAFault() {
        QFETCH(QString, name);
        Sample sample(name.toStdString());
        for (const Diagnostic& d : sample.faults.items)
            QFAIL(d.toString().c_str());
        QVERIFY(sample.session.world().entityCount() > 5);
        sample.session.play();
        sample.run(120);
        for (const LogRecord& record : sample.log.since(0))
            QVERIFY2(record.severity < LogSeverity::Warning, record.text.c_str());
    }
    void tenCratesStandForAMinute() {
        Sample courtyard("courtyard");
        // Out of the way of everything else that moves.
        courtyard.session.execute("destroy phantom ball_spawner player bat_1 bat_2 bat_3 bat_4 bat_5");
        courtyard.session.play();
        courtyard.session.execute("destroy phantom ball_spawner player bat_1 bat_2 bat_3 bat_4 bat_5");
        for (int i = 0; i < 10; ++i)
            courtyard.session.execute("spawn Crate tower_" + std::to_string(i + 1) + " -3 "
                                      + std::to_string(0.5 + i) + " -1");
        courtyard.run(60 * 60);
        for (int i = 0; i < 10; ++i) {
            const Entity crate = courtyard.entity("tower_" + std::to_string(i + 1));
            QVERIFY(crate);
            QVERIFY2(std::abs(crate.pose().position.y - (0.5F + static_cast<float>(i))) < 0.1F,
                     qPrintable(QStringLiteral("%1: %2").arg(i).arg(double(crate.pose().position.y))));
            QVERIFY(std::abs(crate.pose().position.x + 3.0F) < 0.25F);
        }
    }
    void theDoorSwingsAndReturns() {
        Sample courtyard("courtyard");
        courtyard.session.play();
        courtyard.run(60);
        QVERIFY(std::abs(courtyard.state("door", "Hinge", "angle")) < 3.0);
        courtyard.session.execute("send SetPose player position=[-6.0,0.9,-3.9]");
        courtyard.run(120);
        QVERIFY2(std::abs(courtyard.state("door", "Hinge", "angle")) > 45.0,
                 qPrintable(QString::number(courtyard.state("door", "Hinge", "angle"))));
        courtyard.session.execute("send SetPose player position=[0.0,0.9,9.0]");
        courtyard.run(360);
        QVERIFY2(std::abs(courtyard.state("door", "Hinge", "angle")) < 5.0,
                 qPrintable(QString::number(courtyard.state("door", "Hinge", "angle"))));
    }
    // The phantom's touches as the trace shows them: first the shield consumes and health is not reached, then it passes.
    void damageReachesHealthWhenTheShieldIsGone() {
        Sample courtyard("courtyard", true);
        auto reader = courtyard.session.recorder().addReader();
        courtyard.session.play();
        courtyard.run(60 * 40);
        courtyard.session.recorder().seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        std::map<std::string, std::vector<std::string>> outcomes;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const RecordView record = (*segment)[i];
                if (messageType(record.envelope().type).name != "Damage" || record.visits().size() != 3)
                    continue;
                const std::string who = courtyard.session.recorder().names().name(record.receiverName());
                // The first is Relay, which only tells others.
                const HandlerVisit shield = record.visits()[1];
                const HandlerVisit health = record.visits()[2];
                QCOMPARE(courtyard.session.recorder().names().name(shield.component), std::string("Shield"));
                const bool consumed = shield.result == HandlerResult::Consumed;
                QCOMPARE(health.result == HandlerResult::NotReached, consumed);
                outcomes[who].push_back(consumed ? "shield" : "health");
            }
        QVERIFY(!outcomes.empty());
        bool somebodyHurt = false;
        for (const auto& [who, list] : outcomes) {
            const auto firstHurt = std::find(list.begin(), list.end(), "health");
            somebodyHurt = somebodyHurt || firstHurt != list.end();
            // 20 points of shield at 5 a touch: four consumed, everything after reaches health.
            if (firstHurt != list.end()) {
                QCOMPARE(firstHurt - list.begin(), std::ptrdiff_t(4));
                QVERIFY(std::find(firstHurt, list.end(), "shield") == list.end());
            }
        }
        QVERIFY(somebodyHurt);
    }
    void sixHundredTicksAreTheSameTenTimes() {
        std::string first;
        for (int round = 0; round < 10; ++round) {
            Sample courtyard("courtyard", round % 2 == 1);
            courtyard.session.execute("sim.seed 7");
            courtyard.session.play();
            std::string digests;
            for (int i = 0; i < 600; ++i) {
                courtyard.session.tick();
                digests += courtyard.session.simulation().digestLine();
            }
            if (round == 0)
                first = digests;
            QCOMPARE(QString::fromStdString(digests).right(40), QString::fromStdString(first).right(40));
            QVERIFY(digests == first);
        }
    }
};

QTEST_GUILESS_MAIN(TestSamples)
#include "tst_samples.moc"
