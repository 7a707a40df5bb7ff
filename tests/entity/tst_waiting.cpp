// Messages that wait: delays, cancelling, who is gone when they are due; and demands that were not met.
#include <QtTest>

#include "engine/message/trace_json.h"
#include "tests/entity/loud.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sbx;
using namespace sbx::test;

class TestWaiting : public QObject {
    Q_OBJECT
private slots:
    // Handlers change the message; what is reported is what was sent, on every way and whoever listens.
    void tooFewIsReportedWithWhatWasSent() {
        for (const bool overheard : {false, true}) {
            Stage s;
            Loud loud(s);
            const EntityId a = s.spawn(s.type("T", {"A"}), "a");
            Outside outside;
            Subscription held;
            if (overheard)
                held = s.world.listeners().listen<&Outside::onHit>(outside);
            Hit hit{5};
            s.world.send(a, hit, {}, 3);
            QCOMPARE(hit.amount, 4);
            hit.amount = 5;
            s.world.sendToEntity(a, hit, {}, 3);
            QCOMPARE(hit.amount, 4);
            s.world.send(*s.world.getComponent<A>(a), Hit{5}, {}, 3);
            s.world.sendToChildren(a, Hit{5}, {}, 3);
            s.world.sendInTicks(a, Hit{5}, 1, {}, 0, 3);
            s.world.tick();
            QCOMPARE(notesOf(s, loud, RecordNote::Short),
                     (Lines{"immediate Hit5", "immediate Hit5", "component Hit5", "children Hit5",
                            "immediate Hit5"}));
            // Enough, of which the listener is one.
            s.world.sendInTicks(a, Hit{5}, 1, {}, 0, overheard ? 2 : 1);
            s.world.tick();
            QCOMPARE(notesOf(s, loud, RecordNote::Short), Lines());
        }
    }
    // An addressee that is gone does not excuse the others.
    void tooFewIsReportedBesideWhoIsGone() {
        Stage s;
        Loud loud(s);
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onHit>(outside);
        s.world.sendInTicks(a, Hit{1}, 1, {}, 0, 5);
        s.world.sendInTicks(a, Hit{2}, 1, {}, 0, 1);
        s.world.destroy(a);
        s.world.tick();
        QCOMPARE(outside.heard, (std::vector<int>{1, 2}));
        QCOMPARE(s.said(), (Lines{"message test.Hit to a was queued, and its receiver is gone",
                                  "message test.Hit reached 1 receiver, 5 demanded",
                                  "message test.Hit to a was queued, and its receiver is gone"}));
        QCOMPARE(notesOf(s, loud, RecordNote::Short), Lines{"immediate Hit1"});
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(2));
    }
    void theLongestDelayIsNever() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        for (int i = 0; i < 5; ++i)
            s.world.tick();
        constexpr std::uint64_t Never = std::numeric_limits<std::uint64_t>::max();
        s.world.sendInTicks(a, Hit{1}, Never);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(Never));
        s.world.sendInTicks(a, Hit{1}, Never - 5);
        s.world.sendInTicks(a, Hit{1}, Never - 6);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(Never - 1));
        s.world.sendLater(a, Hit{1}, 1e300);
        QCOMPARE(s.world.queue().nextDue(), std::optional<std::uint64_t>(5 + std::uint64_t(9e15)));
        for (int i = 0; i < 100; ++i)
            s.world.tick();
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 0);
        s.world.sendLater(a, Hit{1}, -5.0);
        s.world.sendInTicks(a, Hit{1}, 0);
        s.world.tick();
        QCOMPARE(s.world.getComponent<Quiet>(a)->hits, 2);
    }
    void aDelayThatIsNoNumberIsReported() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"Quiet"}), "a");
        for (const double seconds : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            QVERIFY(!s.world.sendLater(a, Hit{1}, seconds));
            QVERIFY(!s.world.sendLater(*s.world.getComponent<Quiet>(a), Hit{1}, seconds));
        }
        QCOMPARE(s.world.queue().size(), std::size_t(0));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(6));
        const Lines said = s.said();
        QCOMPARE(said.size(), std::size_t(2)); // the log counts what is said again
        QCOMPARE(
            said[0],
            std::string("message test.Hit to a was to wait for a time that is no number; it is not sent"));
        QCOMPARE(
            said[1],
            std::string("message test.Hit to a was to wait for a time that is without end; it is not sent"));
        QVERIFY(!s.world.cancel({}));
    }
    void theOtherModes() {
        Stage s;
        s.registry.registerComponent<Counter>("Counter");
        const auto t = s.type("T", {"Counter"});
        std::vector<EntityId> all;
        for (const char* name : {"a", "b", "c"})
            all.push_back(s.spawn(t, name));
        Outside outside;
        const Subscription held = s.world.listeners().listen<&Outside::onRouted>(outside);
        const auto heard = [&] {
            std::vector<int> out;
            for (const EntityId id : all)
                out.push_back(std::exchange(s.world.getComponent<Counter>(id)->heard, 0));
            return out;
        };
        for (const bool queued : {false, true}) {
            if (queued) {
                s.world.sendInTicks(all[1], ToAll{2}, 1);
                s.world.tick();
            } else {
                QCOMPARE(s.world.send(all[1], ToAll{2}).receivers, 3U);
            }
            QCOMPARE(heard(), (std::vector<int>{2, 2, 2}));
            if (queued) {
                s.world.sendInTicks(all[1], ToListeners{3}, 1);
                s.world.tick();
            } else {
                QCOMPARE(s.world.send(all[1], ToListeners{3}).receivers, 1U);
            }
            QCOMPARE(heard(), (std::vector<int>{0, 0, 0}));
            QCOMPARE(std::exchange(outside.heard, {}), std::vector<int>{3});
        }
    }
    // What waited says who sent it, in answer to what, and when.
    void whatWaitedKeepsItsEnvelope() {
        Stage s;
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b");
        const EntityId asked = s.spawn(t, "asked");
        while (s.world.tickCount() < 7)
            s.world.tick();
        Loud loud(s);
        s.notes.act = [&](Component&, const std::string& line) {
            if (line == "asked.A Hit3")
                s.world.sendInTicks(a, Hit{9}, 4, b);
        };
        s.world.send(asked, Hit{3});
        s.notes.act = nullptr;
        for (int i = 0; i < 4; ++i)
            s.world.tick();
        std::uint64_t cause = 0;
        int found = 0;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i) {
                const Envelope e = (*segment)[i].envelope();
                if (e.type != messageIdOf<Hit>())
                    continue;
                if (e.receiver == asked) {
                    cause = e.sequence;
                    continue;
                }
                ++found;
                QVERIFY(e.delayed);
                QCOMPARE(e.receiver, a);
                QCOMPARE(e.sender, b);
                QVERIFY(cause != 0);
                QCOMPARE(e.cause, cause);
                QCOMPARE(e.queuedAt, std::uint64_t(7));
                QCOMPARE(e.tick, std::uint64_t(11));
            }
        QCOMPARE(found, 1);
    }
    void queuedMessagesAreCancelledAndOutliveNobody() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"A"});
        const EntityId a = s.spawn(t, "a");
        const EntityId b = s.spawn(t, "b");
        const DelayedHandle first = s.world.sendInTicks(a, Hit{1}, 10);
        s.world.sendInTicks(a, Hit{2}, 10);
        s.world.sendLater(b, Hit{3}, 10.0 / 60.0);
        QVERIFY(s.world.cancel(first));
        QVERIFY(!s.world.cancel(first));
        s.world.destroy(b);
        s.spawn(t, "late"); // in b's slot: another entity
        for (int i = 0; i < 9; ++i)
            s.world.tick();
        s.notes.take();
        s.world.tick();
        QCOMPARE(s.notes.take().front(), std::string("a.A Hit2"));
        QCOMPARE(s.world.measurements().undelivered, std::uint64_t(1));
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 1);
        QCOMPARE(s.said().back(), std::string("message test.Hit to b was queued, and its receiver is gone"));
        QVERIFY(!s.world.cancel(first));
    }
    // What waits for one component finds it wherever it stands by then, and nobody else in its place.
    void queuedForOneComponent() {
        Stage s;
        Loud loud(s);
        s.registry.registerComponent<Bell>("Bell");
        const ComponentType& bell = *s.registry.find("Bell");
        const auto tuned = [&](int tone) { return s.settings<Bell>([=](auto& b) { b.tone = tone; }); };
        const EntityId a = s.spawn(s.typeOf("T", {{&bell, tuned(1)}, {&bell, tuned(2)}}), "a");
        const auto bells = [&] {
            std::vector<Bell*> out;
            s.world.eachComponent<Bell>(a, [&](Bell& b) { out.push_back(&b); });
            return out;
        };
        s.world.sendInTicks(*bells()[1], Hit{7}, 2, {}, 1);
        s.world.sendLater(*bells()[0], Hit{6}, 2.0 / 60.0);
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        s.world.tick();
        QCOMPARE(s.notes.take(), (Lines{"bell1 6 component 0 a", "bell2 7 component 1 a"}));
        // Its elder goes, it moves up; one that joined is found too; the one that goes is missed, not the one after it.
        QVERIFY(s.world.addComponent(a, bell, tuned(3)).ok());
        for (Bell* const b : bells())
            s.world.sendInTicks(*b, Hit{b->settings.tone}, 1, {}, 0, 1);
        QVERIFY(s.world.removeComponent(a, "Bell").ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), (Lines{"bell2 2 component 0 a", "bell3 3 component 1 a"}));
        QCOMPARE(s.said(), (Lines{"message test.Hit to a was queued, and its component is gone",
                                  "message test.Hit to a reached 0 receivers, 1 demanded"}));
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 1);
        // One added in the place of one that was added, and of one whose entity is plain again.
        s.world.sendInTicks(*bells()[1], Hit{3}, 1);
        QVERIFY(s.world.removeComponent(a, "Bell#2").ok());
        QVERIFY(s.world.addComponent(a, bell, tuned(4)).ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        const EntityId q = s.spawn(s.type("Q", {"Quiet"}), "q");
        QVERIFY(s.world.addComponent(q, bell, tuned(5)).ok());
        s.world.sendInTicks(*s.world.getComponent<Bell>(q), Hit{5}, 1);
        QVERIFY(s.world.removeComponent(q, "Bell").ok());
        QVERIFY(s.world.addComponent(q, bell, tuned(6)).ok());
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        QCOMPARE(countNotes(s, loud, RecordNote::Gone), 2);
        // With its entity; switched off it hears nothing, and that is too few.
        s.world.sendInTicks(*s.world.getComponent<Bell>(q), Hit{6}, 1);
        s.world.destroy(q);
        Bell& last = *bells().back();
        s.world.setEnabled(last, false);
        s.world.sendInTicks(last, Hit{4}, 1, {}, 0, 1);
        s.world.tick();
        QCOMPARE(s.notes.take(), Lines());
        const Lines said = s.said();
        QCOMPARE(said[said.size() - 2],
                 std::string("message test.Hit to q was queued, and its receiver is gone"));
        QCOMPARE(said.back(), std::string("message test.Hit to a reached 0 receivers, 1 demanded"));
    }
    // By name in log, trace and file, though another has its slot by then; also one that was given no name.
    void whoeverIsGoneIsNamed() {
        Stage s;
        Loud loud(s);
        const auto t = s.type("T", {"A"});
        const EntityId b = s.spawn(t, "b");
        const EntityId bare = s.world.create(t);
        const std::string bareName = s.world.nameOf(bare);
        s.world.sendInTicks(b, Hit{1}, 2);
        s.world.sendInTicks(bare, Hit{2}, 2);
        s.world.destroy(b);
        s.world.destroy(bare);
        s.spawn(t, "other");
        s.spawn(t, "another");
        s.world.tick();
        s.world.tick();
        QCOMPARE(s.said(),
                 (Lines{"message test.Hit to b was queued, and its receiver is gone",
                        "message test.Hit to " + bareName + " was queued, and its receiver is gone"}));
        Lines names;
        Lines json;
        for (const auto& segment : loud.take(s))
            for (std::size_t i = 0; i < segment->size(); ++i)
                if (const RecordView record = (*segment)[i]; record.note() == RecordNote::Gone) {
                    names.push_back(s.recorder.names().name(record.receiverName()));
                    json.push_back(traceLine(record, s.recorder, false));
                }
        QCOMPARE(names, (Lines{"b", bareName}));
        QVERIFY2(json.at(0).find("\"receiver\":\"b\"") != std::string::npos, json.at(0).c_str());
        QVERIFY2(json.at(1).find("\"receiver\":\"" + bareName + "\"") != std::string::npos,
                 json.at(1).c_str());
    }
    // What is queued while the queue is delivered comes in the next pass.
    void theQueueIsNotDeliveredIntoItself() {
        Stage s;
        const EntityId a = s.spawn(s.type("T", {"A"}), "a");
        int queued = 0;
        s.notes.act = [&](Component& c, const std::string& line) {
            if (line == "a.A Hit1" && ++queued < 5)
                c.world().sendInTicks(a, Hit{1}, 0);
        };
        s.world.sendInTicks(a, Hit{1}, 0);
        for (int i = 1; i <= 5; ++i) {
            s.world.tick();
            QCOMPARE(queued, i);
        }
    }
};

QTEST_GUILESS_MAIN(TestWaiting)
#include "tst_waiting.moc"
