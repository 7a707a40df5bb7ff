// Runs that grow without end: who is named, when, and where it stops.

#include <QtTest>

#include "engine/entity/growth_report.h"
#include "tests/entity/stage.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::test;

namespace {

// Answers each hit with two, a tick later.
struct Echo : Component {
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    Settings settings;
    Echo(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Echo>& b) { b.handle<&Echo::onHit>(); }
    bool onHit(const Hit&) {
        for (int i = 0; i < 2; ++i)
            world().sendInTicks(entity(), Hit{1}, 1, entity());
        return false;
    }
};

// Makes so many in each tick, one way or the other.
struct Spring : Component {
    struct Settings {
        int many = 1;
        bool bare = false;
        static void describe(FieldList<Settings>& f) {
            f.add("many", &Settings::many, "In each tick.");
            f.add("bare", &Settings::bare, "Without names.");
        }
    };
    Settings settings;
    std::size_t empty = 0; // handles it got
    Spring(const ComponentContext& c, const Settings& s) : Component(c), settings(s) {}
    static void describe(ComponentBuilder<Spring>& b) { b.handle<&Spring::onUpdate>(); }
    bool onUpdate(const Update&) {
        for (int i = 0; i < settings.many; ++i) {
            EntityId made;
            if (settings.bare) {
                made = world().create(world().findType("Drop"));
            } else {
                SpawnRequest request;
                request.type = world().findType("Drop");
                request.creator = entity();
                made = world().spawn(request);
            }
            empty += made ? 0U : 1U;
        }
        return false;
    }
};

struct Pond : Stage {
    Pond() {
        registry.registerComponent<Echo>("Echo");
        registry.registerComponent<Spring>("Spring");
        world.setTypes({type("Drop", {"Quiet"})});
    }
    EntityId spring(const std::string& name, int many, bool bare = false) {
        return spawn(typeOf("Source", {{registry.find("Spring"), settings<Spring>([&](Spring::Settings& s) {
                                        s.many = many;
                                        s.bare = bare;
                                    })}}),
                     name);
    }
    std::vector<std::string> errors() const {
        std::vector<std::string> out;
        for (const LogRecord& record : log.since(0))
            if (record.severity == LogSeverity::Error)
                out.push_back(record.text);
        return out;
    }
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

class TestBudget : public QObject {
    Q_OBJECT

private slots:
    void aSpawnerIsNamedWhileItGoesOn_data() {
        QTest::addColumn<bool>("bare");
        QTest::newRow("as their creator") << false;
        QTest::newRow("by the handler that runs") << true;
    }
    void aSpawnerIsNamedWhileItGoesOn() {
        QFETCH(bool, bare);
        Pond s;
        s.spring("leak", 7, bare);
        s.spring("drip", 1, bare);
        for (int i = 0; i < 50; ++i) // of the scene
            s.spawn(s.world.findType("Drop"), "pebble");
        s.world.setBudget({.entities = 1'600, .messages = 0});
        const std::size_t before = s.world.entityCount();
        std::vector<std::size_t> told; // how many had come, as each line was said
        for (int tick = 0; tick < 220 && !s.world.takeOverBudget(); ++tick) {
            const std::size_t lines = s.errors().size();
            s.world.tick();
            for (std::size_t i = lines; i < s.errors().size(); ++i)
                told.push_back(s.world.entityCount() - before);
        }
        // A sixteenth, an eighth, a quarter, half, all; eight come in a tick.
        const std::vector<std::size_t> expected{100, 200, 400, 800, 1'600};
        QCOMPARE(told.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(told[i] >= expected[i] && told[i] < expected[i] + 8, qPrintable(QString::number(told[i])));
        QCOMPARE(s.world.entityCount(), before + 1'600);
        for (const std::string& line : s.errors()) {
            QVERIFY2(has(line, "made by Spring of leak"), line.c_str());
            QVERIFY2(has(line, "sim.entityBudget"), line.c_str());
            QVERIFY2(!has(line, "drip"), line.c_str());
        }
        QVERIFY2(has(s.errors()[0], "100 entities have come"), s.errors()[0].c_str());
        QVERIFY2(has(s.errors()[4], "no more entities are made: 1600"), s.errors()[4].c_str());
    }

    void whatIsRefusedIsEmptyAndTheWorldGoesOn_data() {
        QTest::addColumn<bool>("bare");
        QTest::newRow("spawned") << false;
        QTest::newRow("created") << true;
    }
    void whatIsRefusedIsEmptyAndTheWorldGoesOn() {
        QFETCH(bool, bare);
        Pond s;
        const EntityId leak = s.spring("leak", 9'000, bare);
        s.world.setBudget({.entities = 10'000, .messages = 0});
        s.world.tick();
        QVERIFY(!s.world.takeOverBudget());
        s.world.tick();
        QVERIFY(s.world.takeOverBudget());
        QVERIFY(!s.world.takeOverBudget());
        // What is made without a name is asked about a few thousand at a time.
        QVERIFY(s.world.entityCount() >= 10'001);
        QVERIFY2(s.world.entityCount() <= (bare ? 14'097U : 10'001U), qPrintable(QString::number(s.world.entityCount())));
        QVERIFY(s.world.getComponent<Spring>(leak)->empty > 0);
        // Refused again: said again, for it was asked in between.
        const std::uint64_t seen = s.log.latest();
        s.world.tick();
        QVERIFY(s.world.takeOverBudget());
        QCOMPARE(s.log.latest(), seen + 1);
        // A larger one lets it go on; so does room.
        s.world.setBudget({.entities = 0, .messages = 0});
        s.world.tick();
        QVERIFY(!s.world.takeOverBudget());
    }

    void manyAtOnceAreRefusedToo() {
        Pond s;
        s.spawn(s.world.findType("Drop"), "first");
        s.world.setBudget({.entities = 100, .messages = 0});
        s.world.tick();
        std::vector<EntityId> ids(150);
        s.world.createMany(s.world.findType("Drop"), ids);
        QCOMPARE(s.world.entityCount(), std::size_t(101));
        QCOMPARE(std::count(ids.begin(), ids.end(), EntityId()), std::ptrdiff_t(50));
        QVERIFY(s.world.takeOverBudget());
    }

    void anEditedWorldHasAnyNumber() {
        Pond s;
        s.world.setBudget({.entities = 10, .messages = 0});
        for (int i = 0; i < 100; ++i)
            QVERIFY(s.spawn(s.world.findType("Drop"), "pebble"));
        QVERIFY(s.errors().empty());
        s.world.tick();
        QVERIFY(!s.world.takeOverBudget());
    }

    void messagesThatPileUpHaveASender() {
        Pond s;
        const EntityId bell = s.spawn(s.type("Bell", {"Echo"}), "bell");
        s.spawn(s.type("Rest", {"Echo"}), "rest");
        s.world.setBudget({.entities = 0, .messages = 1'000});
        s.world.send(bell, Hit{1});
        int ticks = 0;
        while (!s.world.takeOverBudget() && ticks < 100) {
            s.world.tick();
            ++ticks;
        }
        QCOMPARE(s.world.queue().size(), std::size_t(1'000));
        QVERIFY2(ticks == 9 || ticks == 10, qPrintable(QString::number(ticks))); // it doubles
        QCOMPARE(s.errors().size(), std::size_t(5));
        for (const std::string& line : s.errors()) {
            QVERIFY2(has(line, "sent by Echo of bell"), line.c_str());
            QVERIFY2(has(line, "sim.messageBudget"), line.c_str());
        }
        QVERIFY(has(s.errors()[0], "63 messages wait"));
        // And read again.
        const auto first = readGrowthReport("message", s.errors().front());
        QVERIFY(first && !first->stopped && first->of == GrowthReport::Of::Queue);
        QCOMPARE(first->grown, std::uint64_t(63));
        QCOMPARE(first->budget, std::uint64_t(1'000));
        QCOMPARE(first->component + "/" + first->entity, std::string("Echo/bell"));
        const auto last = readGrowthReport("message", s.errors().back());
        QVERIFY(last && last->stopped && last->grown == 1'000 && last->budget == 1'000);
    }

    void whatTheLogSaysIsReadAgain() {
        const auto several = readGrowthReport(
            "entities", "200 entities have come since the run began and are still there; play pauses at "
                        "1600, sim.entityBudget. 80 % of the last ones "
                        "were made by Seed or Root of several entities, among them a seed of oak");
        QVERIFY(several && several->several);
        QCOMPARE(several->component, std::string("Seed or Root"));
        QCOMPARE(several->entity, std::string("a seed of oak"));
        const auto unknown = readGrowthReport(
            "message", "63 messages wait to be delivered; play pauses at 1000, sim.messageBudget");
        QVERIFY(unknown && unknown->component.empty() && unknown->entity.empty());
        const auto loop = readGrowthReport(
            "message", "message Hit to echo dropped: 64 messages are being handled inside one another; a "
                       "handler that answers itself? (sent by Echo of echo_1)");
        QVERIFY(loop && loop->of == GrowthReport::Of::Loop && loop->stopped);
        QCOMPARE(loop->message + "/" + loop->component + "/" + loop->entity, std::string("Hit/Echo/echo_1"));
        QVERIFY(!readGrowthReport("message", "message Hit to echo was queued, and its receiver is gone"));
        QVERIFY(!readGrowthReport("entities", "x sim.entityBudget"));
    }

    // Each that comes makes another: the component is the same, the entity never is.
    void manyOfOneKindAreSeveral() {
        GrowthWatch watch;
        watch.begin(0, 16'000);
        GrowthWatch::Verdict said;
        for (std::uint64_t count = 0; !said.report; ++count)
            if (!watch.belowAttention(count))
                said = watch.add(count, [&] {
                    return count % 5 == 0 ? GrowthWatch::Adder{"Tree", "oak"}
                                          : GrowthWatch::Adder{"Seed", "seed_" + std::to_string(count)};
                });
        QCOMPARE(said.grown, std::uint64_t(1'000));
        QVERIFY(!said.refused);
        QCOMPARE(said.adder.component, std::string("Seed"));
        QVERIFY(said.several);
        QVERIFY2(said.percent >= 70 && said.percent <= 90, qPrintable(QString::number(said.percent)));
    }

    void whatFallsIsNotSpokenOfAgain() {
        GrowthWatch watch;
        watch.begin(500, 1'600);
        const auto nobody = [] { return GrowthWatch::Adder{}; };
        int spoken = 0;
        for (int round = 0; round < 5; ++round)
            for (std::uint64_t count = 500; count < 650; ++count)
                spoken += !watch.belowAttention(count) && watch.add(count, nobody).report ? 1 : 0;
        QCOMPARE(spoken, 1);
        QVERIFY(!watch.takeRefused());
        QVERIFY(watch.add(2'100, nobody).refused);
        QVERIFY(watch.takeRefused());
    }

    void withoutABudgetNothingIsSaid() {
        Pond s;
        s.spring("leak", 5'000);
        for (int i = 0; i < 10; ++i)
            s.world.tick();
        QCOMPARE(s.world.entityCount(), std::size_t(50'001));
        QVERIFY(s.errors().empty());
    }
};

QTEST_GUILESS_MAIN(TestBudget)
#include "tst_budget.moc"
