// The messages that pass, by the trace's filter, beside a plain walk over all records; and what is said of a selected one.
#include <QSignalSpy>
#include <QtTest>

#include "tests/trace/model_bench.h"
#include "widgets/trace/passing_messages.h"

#include <map>
#include <tuple>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::trace_test;

namespace {

using Ends = std::tuple<std::string, std::string, MessageFate>;

struct Watch {
    ModelBench bench;
    PassingMessages passing{bench.model};
    std::map<Ends, std::uint64_t> seen; // newest tick
    int restarts = 0;

    Watch() {
        QObject::connect(&passing, &PassingMessages::passed,
                         [this](const std::vector<PassingMessage>& messages) {
                             for (const PassingMessage& each : messages)
                                 seen[{each.sender, each.receiver, each.fate}] = each.tick;
                         });
        QObject::connect(&passing, &PassingMessages::restarted, [this] {
            seen.clear();
            ++restarts;
        });
    }
    std::map<Ends, std::uint64_t> wanted(std::uint64_t fromTick) const {
        std::map<Ends, std::uint64_t> out;
        const TraceModel& model = bench.model;
        for (int row = 0; row < model.rowCount(); ++row) {
            const RecordView record = model.record(row);
            if (record.tick() >= fromTick)
                out[{std::string(model.context().sender(record)),
                     std::string(model.context().receiver(record)), fateOf(record)}] = record.tick();
        }
        return out;
    }
};

} // namespace

class TestPassing : public QObject {
    Q_OBJECT
private slots:
    void costsNothingWhileItIsOff() {
        Watch w;
        w.bench.run(50);
        const std::uint64_t looks = w.bench.model.store().looks();
        QCOMPARE(w.passing.looks(), std::uint64_t(0));
        w.passing.setOn(true);
        QVERIFY(w.passing.looks() > 0);
        w.passing.setOn(false);
        const std::uint64_t before = w.passing.looks();
        w.seen.clear();
        w.bench.run(50);
        QCOMPARE(w.passing.looks(), before);
        QVERIFY(w.seen.empty());
        QVERIFY(w.bench.model.store().looks() > looks); // the model's own
    }

    void whatComesPassesByTheFilter() {
        Watch w;
        w.bench.run(2);
        w.passing.setOn(true);
        w.bench.setFilter("type == Damage and outcome == consumed");
        w.bench.run(200);
        QVERIFY(!w.seen.empty());
        QVERIFY(w.seen == w.wanted(0));
        for (const auto& [ends, tick] : w.seen)
            QCOMPARE(std::get<2>(ends), MessageFate::Consumed);
    }

    // A list that is paused holds nothing up.
    void aPausedListDoesNotHoldIt() {
        Watch w;
        w.bench.run(2);
        w.passing.setOn(true);
        w.bench.model.setPaused(true);
        const int rows = w.bench.model.rowCount();
        w.seen.clear();
        w.bench.run(5);
        QCOMPARE(w.bench.model.rowCount(), rows);
        QVERIFY(!w.seen.empty());
    }

    // Another filter shows what passed within the last half second as if it had been there all the time.
    void anotherFilterLooksBackHalfASecond() {
        Watch w;
        w.bench.run(300);
        w.passing.setOn(true);
        const std::uint64_t from = w.bench.yard.tick - 30;
        QVERIFY(w.seen == w.wanted(from));
        const int restarts = w.restarts;
        w.bench.setFilter("type == Say");
        QVERIFY(w.restarts > restarts);
        QVERIFY(!w.seen.empty());
        QVERIFY(w.seen == w.wanted(from));
        w.bench.model.setShown(messageIdOf<Say>(), false);
        w.bench.model.catchUp();
        QVERIFY(w.seen.empty());
    }

    void anotherRunForgetsThoseBefore() {
        Watch w;
        w.passing.setOn(true);
        w.bench.run(20);
        QVERIFY(!w.seen.empty());
        const int restarts = w.restarts;
        w.bench.yard.beginRun();
        w.bench.run(1, 4);
        QCOMPARE(w.restarts, restarts + 1);
        QVERIFY(w.seen == w.wanted(0));
        for (const auto& [ends, tick] : w.seen)
            QCOMPARE(tick, std::uint64_t(1));
    }

    // So many at once that not all are looked at: the newest are.
    void ofAFloodTheNewest() {
        Watch w;
        w.bench.run(1);
        w.passing.setOn(true);
        const std::uint64_t before = w.passing.looks();
        w.bench.run(1, static_cast<int>(PassingMessages::MaxRecords) * 2);
        QVERIFY(w.passing.looks() - before <= PassingMessages::MaxRecords);
        QVERIFY(!w.seen.empty());
    }

    void aSelectedMessageInWords() {
        ModelBench bench;
        const auto sequence = bench.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0,
                                              {{Yard::Watch, -9, HandlerResult::Passed},
                                               {Yard::Shield, -5, HandlerResult::Passed},
                                               {Yard::Shield, -5, HandlerResult::Consumed},
                                               {Yard::Health, 0, HandlerResult::NotReached}});
        const auto unseen = bench.yard.send(Died{}, -1, 4, 0, {{Yard::Watch, 0, HandlerResult::Passed}});
        bench.yard.recorder.seal();
        QVERIFY(!chosenMessage(bench.model, sequence)); // not fetched
        bench.model.catchUp();
        const auto message = chosenMessage(bench.model, sequence);
        QVERIFY(message);
        QCOMPARE(message->type, std::string("Damage"));
        QCOMPARE(message->sender, bench.yard.entityName(32));
        QCOMPARE(message->receiver, bench.yard.entityName(3));
        QCOMPARE(message->handler, std::string("Shield#2"));
        QCOMPARE(message->fate, MessageFate::Consumed);
        QVERIFY(message->fields.find("amount 5.0") != std::string::npos);
        const auto other = chosenMessage(bench.model, unseen);
        QVERIFY(other && other->handler.empty() && other->sender.empty());
        QCOMPARE(other->fate, MessageFate::Unhandled);
        QVERIFY(!chosenMessage(bench.model, unseen + 1));
    }
};

QTEST_MAIN(TestPassing)
#include "tst_passing.moc"
