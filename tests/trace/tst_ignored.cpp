// Rows that are ignored: the set of them against a plain one, and how the model keeps it, shows it and lets it go.

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "tests/trace/model_bench.h"

#include <algorithm>
#include <random>
#include <set>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

using Rows = std::deque<std::uint64_t>;

RowRuns runsOf(const std::set<std::uint64_t>& rows) {
    const Rows list(rows.begin(), rows.end());
    return RowRuns::of(list, 0, list.size());
}

std::set<std::uint64_t> rowsOf(const RowRuns& runs) {
    std::set<std::uint64_t> out;
    for (const RowRuns::Run& run : runs.runs())
        for (std::uint64_t row = run.begin; row < run.end; ++row)
            out.insert(row);
    return out;
}

// Ascending, neither empty nor touching each other, and counted.
bool isSound(const RowRuns& runs) {
    std::uint64_t count = 0;
    std::optional<std::uint64_t> end;
    for (const RowRuns::Run& run : runs.runs()) {
        if (run.begin >= run.end || (end && run.begin <= *end))
            return false;
        end = run.end;
        count += run.end - run.begin;
    }
    return count == runs.count();
}

// The rows of the store that the list shows, from `first` on, as many as that.
RowRuns shown(const TraceModel& model, int first, int count) {
    return RowRuns::of(model.storeRows(), static_cast<std::size_t>(first),
                       static_cast<std::size_t>(first + count));
}

} // namespace

class TestIgnored : public QObject {
    Q_OBJECT
private slots:
    // Whatever is done to it, it holds what a plain set of rows holds.
    void runsAreASetOfRows() {
        std::mt19937 random(11);
        for (int round = 0; round < 60; ++round) {
            RowRuns runs;
            std::set<std::uint64_t> plain;
            const unsigned span = round % 2 == 0 ? 40 : 400; // few gaps, and many
            for (int step = 0; step < 60; ++step) {
                std::set<std::uint64_t> some;
                for (auto i = random() % 30; i > 0; --i)
                    some.insert(random() % span);
                const std::uint64_t begin = random() % span;
                const std::uint64_t end = random() % span;
                switch (random() % 6) {
                case 0:
                case 1:
                    runs.unite(runsOf(some));
                    plain.insert(some.begin(), some.end());
                    break;
                case 2:
                    runs.subtract(runsOf(some));
                    std::erase_if(plain, [&some](std::uint64_t row) { return some.count(row) != 0; });
                    break;
                case 3:
                case 4:
                    runs.add(begin, end);
                    for (std::uint64_t row = begin; row < end; ++row)
                        plain.insert(row);
                    break;
                default:
                    runs.dropBelow(begin / 4);
                    plain.erase(plain.begin(), plain.lower_bound(begin / 4));
                }
                QVERIFY(isSound(runs));
                QCOMPARE(rowsOf(runs), plain);
                QCOMPARE(runs.empty(), plain.empty());
                for (std::uint64_t row = 0; row <= span; ++row)
                    QCOMPARE(runs.has(row), plain.count(row) != 0);
                QCOMPARE(runs.hasAll(runsOf(some)),
                         std::includes(plain.begin(), plain.end(), some.begin(), some.end()));
                Rows left(some.begin(), some.end());
                runs.takeOutOf(left);
                Rows expected;
                std::set_difference(some.begin(), some.end(), plain.begin(), plain.end(),
                                    std::back_inserter(expected));
                QCOMPARE(left, expected);
            }
            runs.subtract(RowRuns(runs));
            QVERIFY(runs.empty() && runs.count() == 0);
        }
    }

    // A million neighbours are one stretch, and every other one of them half a million: that is what room and time go by.
    void aMillionRows() {
        Rows all;
        Rows others;
        for (std::uint64_t row = 0; row < 1'000'000; ++row) {
            all.push_back(row);
            if (row % 2 == 0)
                others.push_back(row);
        }
        RowRuns runs = RowRuns::of(all, 0, all.size());
        QCOMPARE(runs.runs().size(), std::size_t(1));
        QCOMPARE(runs.count(), std::uint64_t(1'000'000));
        const RowRuns gaps = RowRuns::of(others, 0, others.size());
        QCOMPARE(gaps.runs().size(), std::size_t(500'000));
        QVERIFY(runs.hasAll(gaps) && !gaps.hasAll(runs));
        runs.subtract(gaps);
        QCOMPARE(runs.count(), std::uint64_t(500'000));
        QVERIFY(runs.has(1) && !runs.has(2));
        runs.takeOutOf(all);
        QVERIFY(all == others);
        runs.unite(gaps);
        QCOMPARE(runs.runs().size(), std::size_t(1));
        // From either end, as a count of the list comes by them.
        RowRuns upward;
        RowRuns downward;
        for (std::uint64_t row = 0; row < 1'000'000; row += 2) {
            upward.add(row, row + 1);
            downward.add(999'998 - row, 999'999 - row);
        }
        QVERIFY(upward == gaps && downward == gaps);
        upward.dropBelow(999'000);
        QCOMPARE(upward.count(), std::uint64_t(500));
    }

    void rowsStayAndAreIgnoredUnderAnyFilter() {
        ModelBench b;
        const QAbstractItemModelTester tester(&b.model,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        b.run(20);
        const int rows = b.model.rowCount();
        const QString outcome = b.model.index(3, TraceModel::Outcome).data().toString();
        const QSignalSpy changes(&b.model, &QAbstractItemModel::dataChanged);
        const QSignalSpy changed(&b.model.ignored(), &TraceIgnored::changed);
        b.model.ignored().set(shown(b.model, 3, 2), true);
        QCOMPARE(changes.count(), 1);
        b.model.ignored().set(shown(b.model, 4, 1), true); // it is already
        QCOMPARE(changed.count(), 1);
        QCOMPARE(b.model.rowCount(), rows);
        QCOMPARE(b.model.index(3, TraceModel::Outcome).data().toString(), QStringLiteral("ignored"));
        QCOMPARE(b.model.index(5, TraceModel::Outcome).data().toString() == QStringLiteral("ignored"), false);
        const std::uint64_t fourth = b.model.sequence(3);
        b.setFilter("type == Damage");
        b.model.ignored().set(shown(b.model, 0, b.model.rowCount()), true);
        const int damages = b.model.rowCount();
        b.setFilter("");
        int ignored = 0;
        for (int row = 0; row < rows; ++row) {
            const bool damage = b.context.type(b.model.record(row)).name == "Damage";
            QCOMPARE(b.model.isIgnored(row), damage || row == 3 || row == 4);
            ignored += b.model.isIgnored(row) ? 1 : 0;
        }
        QVERIFY(damages > 5 && ignored >= damages);
        QCOMPARE(b.model.ignored().count(), std::uint64_t(ignored));
        b.model.ignored().set(shown(b.model, 3, 1), false);
        QCOMPARE(b.model.sequence(3), fourth);
        QCOMPARE(b.model.index(3, TraceModel::Outcome).data().toString(), outcome);
        b.run(1); // what comes later is not ignored
        QCOMPARE(b.model.ignored().count(), std::uint64_t(ignored - 1));
        b.model.ignored().clear();
        QCOMPARE(b.model.ignored().count(), std::uint64_t(0));
        const qsizetype before = changed.count();
        b.model.ignored().clear();
        QCOMPARE(changed.count(), before);
    }

    // Against a list of all sequences that were ever ignored, without those that are no longer held.
    void theyGoWithTheirRecords() {
        ModelBench b(TraceStore(500, std::size_t(1) << 30U));
        std::mt19937 random(21);
        std::set<std::uint64_t> sequences;
        for (int i = 0; i < 60; ++i) {
            b.run(2, 20);
            const std::uint64_t first = b.model.store().sequenceOf(b.model.store().first());
            std::erase_if(sequences, [first](std::uint64_t s) { return s < first; });
            const int at = static_cast<int>(random() % static_cast<unsigned>(b.model.rowCount()));
            const int count = std::min(5, b.model.rowCount() - at);
            const bool on = random() % 3 != 0;
            b.model.ignored().set(shown(b.model, at, count), on);
            for (int row = at; row < at + count; ++row)
                if (on)
                    sequences.insert(b.model.sequence(row));
                else
                    sequences.erase(b.model.sequence(row));
            std::set<std::uint64_t> held;
            for (int row = 0; row < b.model.rowCount(); ++row)
                if (b.model.isIgnored(row))
                    held.insert(b.model.sequence(row));
            QCOMPARE(held, sequences);
            QCOMPARE(b.model.ignored().count(), std::uint64_t(sequences.size()));
        }
        QVERIFY(b.model.store().dropped() > 500);
    }

    void anotherRunAndClearingLetGoOfAll() {
        ModelBench b;
        b.run(10);
        b.model.ignored().set(shown(b.model, 0, b.model.rowCount()), true);
        b.yard.beginRun();
        b.run(10);
        QCOMPARE(b.model.ignored().count(), std::uint64_t(0)); // row 0 is another message now
        QVERIFY(!b.model.isIgnored(0));
        b.model.ignored().set(shown(b.model, 0, 3), true);
        b.model.clear();
        QCOMPARE(b.model.ignored().count(), std::uint64_t(0));
        b.run(3);
        for (int row = 0; row < b.model.rowCount(); ++row)
            QVERIFY(!b.model.isIgnored(row));
    }

    // A slot of changed() may change the set again.
    void changedFromWithin() {
        ModelBench b;
        b.run(10);
        int turns = 0;
        connect(&b.model.ignored(), &TraceIgnored::changed, &b.model, [&b, &turns] {
            if (++turns == 1)
                b.model.ignored().clear();
        });
        b.model.ignored().set(shown(b.model, 0, 5), true);
        QCOMPARE(turns, 2);
        QCOMPARE(b.model.ignored().count(), std::uint64_t(0));
        QVERIFY(!b.model.isIgnored(0));
    }
};

QTEST_MAIN(TestIgnored)
#include "tst_ignored.moc"
