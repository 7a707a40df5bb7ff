// The next message between the same two entities, against a plain walk over the rows.

#include <QSignalSpy>

#include "tests/trace/older_bench.h"
#include "widgets/trace/trace_conversation.h"

#include <set>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// 0: there is none.
std::uint64_t expected(const TraceModel& model, std::uint64_t from, bool forward) {
    const RecordView of = model.store().at(*model.store().rowOf(from));
    std::uint64_t last = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const RecordView each = model.record(row);
        const std::set pair{each.sender().bits, each.receiver().bits};
        if (each.world() != of.world() || pair != std::set{of.sender().bits, of.receiver().bits})
            continue;
        if (each.sequence() < from)
            last = each.sequence();
        else if (each.sequence() > from && forward)
            return each.sequence();
    }
    return forward ? 0 : last;
}

struct Asked {
    TraceConversation conversation;
    QSignalSpy found{&conversation, &TraceConversation::found};
    QSignalSpy ended{&conversation, &TraceConversation::ended};
    explicit Asked(const TraceModel& model) : conversation(model) {}
    std::uint64_t answer(std::uint64_t from, bool forward) {
        found.clear();
        ended.clear();
        conversation.find(from, forward);
        while (conversation.isLooking() && found.wait(5000)) {}
        return found.count() == 1 && ended.isEmpty() ? found.front().front().toULongLong() : 0;
    }
};

} // namespace

class TestConversation : public QObject {
    Q_OBJECT

private slots:
    // Forward and backward from every message: also where the engine is the sender, where sender and receiver are the same, and under a filter.
    void agreesWithAPlainWalk() {
        ModelBench b;
        b.run(30, 20);
        b.yard.world = b.yard.recorder.addWorld("server");
        b.run(10, 20);
        Asked asked(b.model);
        for (const char* filter : {"", "type != Contact"}) {
            b.setFilter(filter);
            int answers = 0;
            for (int row = 0; row < b.model.rowCount(); ++row)
                for (const bool forward : {true, false}) {
                    const std::uint64_t from = b.model.sequence(row);
                    const std::uint64_t answer = asked.answer(from, forward);
                    QCOMPARE(answer, expected(b.model, from, forward));
                    QVERIFY(!asked.conversation.isLooking());
                    QCOMPARE(asked.ended.count(), answer == 0 ? 1 : 0);
                    answers += answer != 0 ? 1 : 0;
                }
            QVERIFY(answers > 20);
        }
    }

    // From a message that the filter hides, too.
    void fromOneThatIsHidden() {
        ModelBench b;
        const std::uint64_t hidden = b.yard.send(Died{}, 1, 2, 0, {});
        const std::uint64_t shown = b.yard.send(Damage{}, 2, 1, 0, {});
        b.yard.recorder.seal();
        b.model.catchUp();
        b.setFilter("type == Damage");
        Asked asked(b.model);
        QCOMPARE(asked.answer(hidden, true), shown);
        QCOMPARE(asked.answer(shown, false), std::uint64_t(0));
        QCOMPARE(asked.answer(12345, true), std::uint64_t(0)); // never there
        QCOMPARE(asked.ended.count(), 1);
    }

    // What lies on the disk is read back, and the window goes on meanwhile.
    void readsTheDisk() {
        OlderBench b;
        const auto greet = [&b](int from, int to) {
            for (ModelBench* bench : {&b.older, &b.twin})
                bench->yard.send(Died{}, from, to, 0, {});
        };
        greet(30, 31);
        b.run(400);
        greet(31, 30);
        b.run(10);
        TraceModel& model = b.older.model;
        QVERIFY(!model.isReady(0));
        const std::uint64_t late = expected(b.twin.model, 1, true);
        QVERIFY(late > 3000);
        Asked asked(model);
        QCOMPARE(asked.answer(late, false), std::uint64_t(1));
        QCOMPARE(asked.answer(1, true), late);
    }

    // Another run has other messages under these numbers; and it can be told to stop.
    void stopsWithTheRun() {
        OlderBench b;
        b.run(400);
        b.older.yard.send(Died{}, 30, 31, 0, {}); // of which there is no other
        b.older.yard.recorder.seal();
        b.older.model.catchUp();
        const std::uint64_t last = b.older.yard.sequence;
        Asked asked(b.older.model);
        for (const bool byRun : {false, true}) {
            asked.conversation.find(last, false);
            QVERIFY(asked.conversation.isLooking()); // waits for the disk
            if (byRun) {
                b.older.yard.beginRun();
                b.older.run(1);
            } else {
                asked.conversation.stop();
            }
            QVERIFY(!asked.conversation.isLooking());
        }
        QCOMPARE(asked.found.count() + asked.ended.count(), 0);
    }

    // A slot of found() may look for the next one.
    void asksOnFromWithin() {
        ModelBench b;
        for (int i = 0; i < 5; ++i)
            b.yard.send(Died{}, i % 2, 1 - i % 2, 0, {});
        b.yard.recorder.seal();
        b.model.catchUp();
        TraceConversation conversation(b.model);
        QList<quint64> answers;
        connect(&conversation, &TraceConversation::found, this, [&](quint64 sequence) {
            answers.append(sequence);
            conversation.find(sequence, true);
        });
        QSignalSpy ended(&conversation, &TraceConversation::ended);
        conversation.find(1, true);
        QCOMPARE(answers, (QList<quint64>{2, 3, 4, 5}));
        QCOMPARE(ended.count(), 1);
        QVERIFY(!conversation.isLooking());
    }
};

QTEST_MAIN(TestConversation)
#include "tst_conversation.moc"
