// Handlers without measure: recursion, storms, their own end, handles that nobody gave.
#include <QtTest>

#include "engine/message/trace_json.h"
#include "tests/entity/loud.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sbx;
using namespace sbx::test;

class TestLimits : public QObject {
    Q_OBJECT
private slots:
    // -------------------------------------------------------------------------------------------- hostile
    void tenThatAnswerEachOtherAreCut() {
        Stage s;
        Loud loud(s);
        const std::vector<EntityId> ring = ringOfTen(s);
        s.notes.take();
        s.world.send(ring[0], Hit{1});
        QCOMPARE(s.notes.take().size(), std::size_t(World::MaxDepth));
        QCOMPARE(s.world.undelivered(), std::uint64_t(1));
        QVERIFY(
            s.said().back().find("test.Hit to r8 dropped: 128 messages are being handled inside one another")
            == 8);
        QCOMPARE(countNotes(s, loud, RecordNote::CutOff), 1);
        s.world.tick(); // and the world goes on
    }
    void aHandlerThatDestroysItself() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A", "C"}), "a");
        s.notes.take();
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit2")
                c.world().destroy(c.entity());
        };
        QCOMPARE(s.world.send(a, Hit{2}).receivers, 1U);
        QCOMPARE(s.notes.take(),
                 (Lines{"a.A Hit2", "a.A OnDisable", "a.C OnDisable", "a.A OnDestroy", "a.C OnDestroy",
                        "a.C Hit1"})); // the dispatch that is under way goes on
        QVERIFY(!s.world.alive(a));
        QCOMPARE(s.notes.alive, 0);
        QCOMPARE(s.world.send(a, Hit{2}).receivers, 0U);
    }
    void aStormOfAMillionInOneTick() {
        Stage s;
        const auto t = s.type("T", {"Quiet", "A"});
        const EntityId a = s.spawn(t, "a");
        Loud loud(s);
        std::uint64_t sent = 0;
        std::uint64_t reached = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line != "a.A Update" || sent > 0)
                return;
            Component& quiet = *c.world().getComponent<Quiet>(a);
            for (int i = 0; i < 1'100'000; ++i) {
                ++sent;
                reached += c.world().send(quiet, Hit{1}).receivers;
            }
        };
        s.world.tick();
        QCOMPARE(sent, std::uint64_t(1'100'000));
        // What one message may set off is bounded, said once and noted; everything before got there.
        QVERIFY(reached >= World::MaxNested - 64 && reached <= World::MaxNested);
        QCOMPARE(static_cast<std::uint64_t>(s.world.getComponent<Quiet>(a)->hits), reached);
        QCOMPARE(s.world.undelivered(), sent - reached);
        std::size_t records = 0;
        int cut = 0;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i) {
                ++records;
                cut += (*segment)[i].note() == RecordNote::CutOff ? 1 : 0;
            }
        QCOMPARE(records, static_cast<std::size_t>(reached) + 1);
        QCOMPARE(cut, 1);
        s.notes.take();
        s.world.tick();
        QCOMPARE(s.notes.take().size(), std::size_t(4));
    }
    void forgedHandlesNameNobody() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        s.world.destroy(a);
        const EntityId next(a.index(), a.generation() + 1); // whom the slot would name next
        QVERIFY(!s.world.alive(next));
        QCOMPARE(s.world.send(next, Hit{1}).receivers, 0U);
        s.recorder.setEnabled(true);
        QCOMPARE(s.world.send(next, Hit{1}).receivers, 0U);
        s.world.destroy(next);
        s.world.setEnabled(next, false);
        QVERIFY(!s.world.setParent(next, {}));
        QCOMPARE(s.world.send(EntityId::fromBits(~0ULL), Hit{1}).receivers, 0U);
        QCOMPARE(s.world.send(EntityId(), Hit{1}).receivers, 0U);
    }
    // What one message may set off is counted by who hears it, not by the places that were looked at.
    void emptyPlacesAreNotCounted() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        std::size_t heard = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit1")
                for (int i = 0; i < 50'000; ++i)
                    heard += c.world().broadcast(Hit{2}).receivers;
            s.notes.lines.clear();
        };
        s.world.send(a, Hit{1});
        QCOMPARE(heard, std::size_t(50'000));
        QCOMPARE(s.world.undelivered(), std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_limits.moc"
