// The tables of entities whose components differ from their type's: shared, kept for a while, and gone in the end.
#include <QtTest>

#include "engine/entity/special_tables.h"
#include "tests/entity/stage.h"

using namespace sbx;
using namespace sbx::test;

namespace {

struct Asked {
    SpecialTables tables;
    int built = 0;
    // Of the first handler of each component type, at these offsets.
    SpecialTable& take(const std::vector<std::pair<const ComponentType*, std::ptrdiff_t>>& parts) {
        tables.begin();
        for (const auto& [type, offset] : parts)
            tables.add(type->handlers.front(), offset, type->id);
        return tables.take([this](DispatchTable&) { ++built; });
    }
};

} // namespace

class TestTables : public QObject {
    Q_OBJECT
private slots:
    void thoseThatDifferAlikeShareOne() {
        Stage s;
        Asked a;
        const ComponentType* const quiet = s.registry.find("Quiet");
        const ComponentType* const ear = s.registry.find("A");
        SpecialTable& first = a.take({{quiet, 0}, {ear, 16}});
        QCOMPARE(&a.take({{quiet, 0}, {ear, 16}}), &first);
        QCOMPARE(a.built, 1);
        QCOMPARE(first.table.handlers(messageIdOf<Hit>()).size(), std::size_t(1));
        QCOMPARE(first.table.handlers(messageIdOf<Awake>()).front().offset, std::ptrdiff_t(16));
        QVERIFY(&a.take({{quiet, 0}, {ear, 32}}) != &first);
        QVERIFY(&a.take({{ear, 16}, {quiet, 0}}) != &first); // priorities may tie
        QVERIFY(&a.take({{quiet, 0}}) != &first);
        QVERIFY(&a.take({}) != &first);
        QVERIFY(a.take({}).table.handlers(messageIdOf<Hit>()).empty());
        QCOMPARE(a.built, 5);
        HandlerDescription urgent = quiet->handlers.front();
        urgent.priority = -1;
        a.tables.begin();
        a.tables.add(urgent, 0, quiet->id);
        a.tables.take([&](DispatchTable& table) {
            QCOMPARE(table.handlers(messageIdOf<Hit>()).front().priority, -1);
            ++a.built;
        });
        QCOMPARE(a.built, 6);
    }
    void whatNobodyUsesIsKeptForAWhile() {
        Stage s;
        Asked a;
        const ComponentType* const quiet = s.registry.find("Quiet");
        SpecialTable& kept = a.take({{quiet, 0}});
        SpecialTable& used = a.take({{quiet, 8}});
        a.tables.give(kept);
        QCOMPARE(&a.take({{quiet, 0}}), &kept);
        QCOMPARE(a.built, 2);
        a.tables.give(kept);
        std::ptrdiff_t offset = 16;
        for (; !a.tables.crowded(); offset += 8) {
            QVERIFY(a.tables.size() < 1000);
            a.tables.give(a.take({{quiet, offset}}));
        }
        QVERIFY(a.tables.size() > 100);
        QCOMPARE(used.table.handlers(messageIdOf<Hit>()).front().offset, std::ptrdiff_t(8));
        a.tables.dropIdle();
        QCOMPARE(a.tables.size(), std::size_t(1));
        QVERIFY(!a.tables.crowded());
        QCOMPARE(&a.take({{quiet, 8}}), &used);
    }
    // A dispatch goes on with the table that it began with, however many others come meanwhile and go.
    void aDispatchUnderWayKeepsItsTable() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"B", "A"}), "a");
        QVERIFY(s.world.addComponent(a, *s.registry.find("C"), nullptr).ok());
        std::vector<EntityId> others;
        for (int i = 0; i < 400; ++i)
            others.push_back(s.spawn(s.type("Other", {"Quiet"}), "o" + std::to_string(i)));
        s.notes.take();
        bool once = true;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line != "a.B Hit9" || !std::exchange(once, false))
                return;
            c.world().setEnabled(c, false);
            for (const EntityId other : others) // each has it elsewhere
                QVERIFY(c.world().addComponent(other, *s.registry.find("C"), nullptr).ok());
            for (const EntityId other : others)
                QVERIFY(c.world().removeComponent(other, "C").ok());
            s.notes.take();
        };
        QCOMPARE(s.world.send(a, Hit{9}).receivers, 1U);
        COMPARE_LINES(s.notes.take(), {"a.A Hit8", "a.C Hit7"});
        s.world.send(a, Hit{9});
        COMPARE_LINES(s.notes.take(), {"a.A Hit9", "a.C Hit8"});
    }
    // Whatever is recorded: also one that nobody used when that changed.
    void whatLayIdleIsRecorded() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"Quiet", "A"}), "a");
        QVERIFY(s.world.setEnabled(a, "A", false).ok());
        QVERIFY(s.world.setEnabled(a, "A", true).ok());
        const auto reader = s.recorder.addReader();
        s.recorder.setEnabled(true);
        QVERIFY(s.world.setEnabled(a, "A", false).ok());
        s.world.send(a, Hit{3});
        s.recorder.seal();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader->poll(segments);
        int hits = 0;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                hits += (*segment)[i].type() == messageIdOf<Hit>() ? 1 : 0;
        QCOMPARE(hits, 1);
        s.recorder.setEnabled(false);
        QVERIFY(s.world.setEnabled(a, "A", true).ok());
        QVERIFY(s.world.setEnabled(a, "A", false).ok());
        s.world.send(a, Hit{3});
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 2);
    }
};

QTEST_GUILESS_MAIN(TestTables)
#include "tst_tables.moc"
