#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_store.h"

using namespace sbx;
using namespace sbx::trace_test;
using sbx::ui::TraceStore;

namespace {
std::vector<std::shared_ptr<const RecordSegment>> segments(Yard& yard) {
    std::vector<std::shared_ptr<const RecordSegment>> out;
    yard.source.poll(out);
    return out;
}
} // namespace

class TestStore : public QObject {
    Q_OBJECT
private slots:
    void findsRowsAndSequences() {
        Yard yard;
        TraceStore store;
        for (int i = 0; i < 50; ++i) {
            yard.runTick(1 + i % 7);
            yard.sequence += static_cast<std::uint64_t>(i % 3); // types that are not recorded leave gaps
        }
        for (auto& segment : segments(yard))
            QVERIFY(store.append(segment) == TraceStore::Appended::Continued);
        QCOMPARE(store.first(), std::uint64_t(0));
        TraceStore::Cursor cursor(store, 0);
        std::uint64_t before = 0;
        for (std::uint64_t row = 0; row < store.end(); ++row) {
            const std::uint64_t sequence = store.at(row).envelope().sequence;
            QVERIFY(sequence > before);
            for (std::uint64_t gap = before + 1; gap < sequence; ++gap)
                QVERIFY(!store.rowOf(gap));
            QCOMPARE(store.rowOf(sequence), std::optional<std::uint64_t>(row));
            QCOMPARE(cursor.record().envelope().sequence, sequence);
            if (row + 1 < store.end())
                cursor.next();
            before = sequence;
        }
        QVERIFY(!store.rowOf(0));
        QVERIFY(!store.rowOf(before + 1));
        QVERIFY(!store.rowOf(~std::uint64_t(0)));
    }
    void findsTicks() {
        Yard yard;
        TraceStore store;
        for (int i = 0; i < 30; ++i) {
            yard.tick += i % 4 == 0 ? 3U : 0U; // ticks without messages
            yard.runTick(1 + i % 5);
        }
        for (auto& segment : segments(yard))
            store.append(segment);
        for (std::uint64_t tick = 0; tick < yard.tick + 3; ++tick) {
            std::uint64_t row = store.first();
            while (row < store.end() && store.at(row).envelope().tick < tick)
                ++row;
            QCOMPARE(store.rowAtTick(tick), row);
        }
        QCOMPARE(TraceStore().rowAtTick(5), std::uint64_t(0));
    }
    void letsTheOldestGo() {
        Yard yard;
        TraceStore store(100);
        for (int i = 0; i < 60; ++i)
            yard.runTick(5);
        for (auto& segment : segments(yard))
            store.append(segment);
        QVERIFY(store.size() <= 100);
        QVERIFY(store.size() > 90);
        QCOMPARE(store.dropped(), store.first());
        QCOMPARE(store.at(store.end() - 1).envelope().sequence, yard.sequence);
        QVERIFY(!store.rowOf(1));
        QCOMPARE(store.rowOf(store.at(store.first()).envelope().sequence),
                 std::optional<std::uint64_t>(store.first()));
    }
    void bytesBound() {
        Yard yard;
        TraceStore store(1000000, 20000);
        for (int i = 0; i < 100; ++i)
            yard.runTick(5);
        for (auto& segment : segments(yard))
            store.append(segment);
        QVERIFY(store.bytes() <= 20000);
        QVERIFY(store.dropped() > 0);
    }
    void aNewRunStartsAfresh() {
        Yard yard;
        TraceStore store;
        yard.runTick(5);
        yard.runTick(5);
        for (auto& segment : segments(yard))
            store.append(segment);
        const std::uint64_t end = store.end();
        yard.beginRun();
        yard.runTick(3);
        auto again = segments(yard);
        QVERIFY(store.append(again.front()) == TraceStore::Appended::NewRun);
        QCOMPARE(store.first(), end);
        QCOMPARE(store.at(store.first()).envelope().sequence, std::uint64_t(1));
        QCOMPARE(store.dropped(), std::uint64_t(0));
    }
    // Whether what was before is still held or not.
    void runsAreCounted() {
        Yard yard;
        TraceStore store;
        QCOMPARE(store.run(), std::uint64_t(0));
        const auto play = [&] {
            yard.beginRun();
            for (int i = 0; i < 3; ++i) {
                yard.runTick(5);
                for (auto& segment : segments(yard))
                    store.append(segment);
            }
            return store.run();
        };
        QCOMPARE(play(), std::uint64_t(1));
        QCOMPARE(play(), std::uint64_t(2));
        store.clear();
        QCOMPARE(store.run(), std::uint64_t(2));
        QCOMPARE(play(), std::uint64_t(3));
    }
    // The first that is recorded of it may be further on than anything before.
    void aNewRunMayBeginBeyondTheOldOnesEnd() {
        Yard yard;
        TraceStore store;
        yard.runTick(5);
        for (auto& segment : segments(yard))
            store.append(segment);
        const std::uint64_t end = store.end();
        yard.beginRun();
        yard.sequence = 1000;
        yard.tick = 50;
        yard.runTick(3);
        auto further = segments(yard);
        QCOMPARE(further.size(), std::size_t(1));
        QVERIFY(store.append(further.front()) == TraceStore::Appended::NewRun);
        QCOMPARE(store.first(), end);
        QCOMPARE(store.run(), std::uint64_t(2));
        QVERIFY(!store.rowOf(1).has_value());
    }
};

QTEST_GUILESS_MAIN(TestStore)
#include "tst_store.moc"
