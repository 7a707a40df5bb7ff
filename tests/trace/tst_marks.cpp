// Marks, comments and the time reference: kept through filters, let go with their records.

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/model_bench.h"

#include <random>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

struct Bench : ModelBench {
    using ModelBench::ModelBench;
    std::vector<std::uint64_t> shown() const {
        std::vector<std::uint64_t> out;
        for (int row = 0; row < model.rowCount(); ++row)
            out.push_back(model.record(row).sequence());
        return out;
    }
};

} // namespace

class TestMarks : public QObject {
    Q_OBJECT
private slots:
    void markedRowsSurviveFilters() {
        Bench b;
        b.run(20);
        TraceMarks& marks = b.model.marks();
        marks.setMarked({3, 50, 51}, true);
        marks.setComment(50, QStringLiteral("  look here "));
        QCOMPARE(marks.comment(50), QStringLiteral("look here"));
        b.setFilter("type == Damage");
        b.setFilter("");
        QVERIFY(marks.isMarked(3) && marks.isMarked(50) && marks.isMarked(51) && !marks.isMarked(52));
        QCOMPARE(marks.comment(50), QStringLiteral("look here"));
        marks.setMarked({50}, false);
        QVERIFY(!marks.isMarked(50));
        QCOMPARE(marks.comment(50), QStringLiteral("look here"));
        marks.setComment(50, QStringLiteral("  "));
        QVERIFY(marks.comments().empty());
    }

    // As a list of all that was ever noted, without what the store no longer holds, would have it.
    void notesGoWithTheirRecords() {
        Bench b(TraceStore(500, std::size_t(1) << 30U));
        std::mt19937 random(9);
        std::set<std::uint64_t> marked;
        std::map<std::uint64_t, QString> comments;
        const auto drop = [&] {
            const std::uint64_t first = b.model.store().at(b.model.store().first()).sequence();
            std::erase_if(marked, [first](std::uint64_t s) { return s < first; });
            std::erase_if(comments, [first](const auto& each) { return each.first < first; });
        };
        for (int i = 0; i < 60; ++i) {
            b.run(2, 20);
            drop();
            for (int k = 0; k < 5; ++k) {
                const RecordView record = b.model.record(static_cast<int>(random() % static_cast<unsigned>(b.model.rowCount())));
                marked.insert(record.sequence());
                b.model.marks().setMarked({record.sequence()}, true);
                comments[record.sequence()] = QString::number(random());
                b.model.marks().setComment(record.sequence(), comments[record.sequence()]);
            }
            QCOMPARE(b.model.marks().marked(), marked);
            QCOMPARE(b.model.marks().comments(), comments);
        }
        QVERIFY(b.model.store().dropped() > 500);
    }

    void anotherRunAndClearingLetGoOfAll() {
        Bench b;
        b.run(10);
        const auto note = [&b] {
            b.model.marks().setMarked({2}, true);
            b.model.marks().setComment(3, QStringLiteral("c"));
            b.model.marks().setReference(TraceMarks::Reference{2, 1});
        };
        const auto isEmpty = [&b] { return b.model.marks().marked().empty() && b.model.marks().comments().empty() && !b.model.marks().reference(); };
        note();
        b.yard.beginRun();
        b.run(10);
        QVERIFY(isEmpty()); // sequence 2 is another message now
        note();
        b.model.clear();
        QVERIFY(isEmpty());
    }

    void onlyMarkedRowsCanBeShown() {
        Bench b;
        const QAbstractItemModelTester tester(&b.model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        b.run(20);
        b.model.marks().setMarked({4, 9, 77}, true);
        b.model.setMarkedOnly(true);
        b.model.catchUp();
        QCOMPARE(b.shown(), (std::vector<std::uint64_t>{4, 9, 77}));
        b.model.marks().setMarked({9}, false);
        test::turn();
        b.model.catchUp();
        QCOMPARE(b.shown(), (std::vector<std::uint64_t>{4, 77}));
        b.setFilter("sequence > 10");
        QCOMPARE(b.shown(), std::vector<std::uint64_t>{77});
        b.setFilter("");
        // Nothing marked any more: the list is not left empty.
        b.model.marks().clearMarked();
        test::turn();
        b.model.catchUp();
        QVERIFY(!b.model.isMarkedOnly());
        QCOMPARE(b.model.rowCount(), static_cast<int>(b.model.store().size()));
    }

    void timesAreCountedFromTheReference() {
        Bench b;
        b.run(20);
        const int middle = b.model.rowAtTick(10);
        const std::uint64_t sequence = b.model.record(middle).sequence();
        const QSignalSpy changes(&b.model, &QAbstractItemModel::dataChanged);
        b.model.marks().setReference(TraceMarks::Reference{sequence, 10});
        QCOMPARE(changes.count(), 1);
        const auto tick = [&b](int row) { return b.model.index(row, TraceModel::Tick).data().toString(); };
        for (int row = 0; row < b.model.rowCount(); ++row) {
            const auto difference = static_cast<std::int64_t>(b.model.record(row).tick()) - 10;
            QCOMPARE(tick(row), row == middle      ? QStringLiteral("REF")
                                : difference >= 0 ? QStringLiteral("+%1").arg(difference)
                                                  : QString::number(difference));
        }
        b.model.marks().setReference(std::nullopt);
        QCOMPARE(tick(middle), QStringLiteral("10"));
    }

    // The zero does not move because old rows go.
    void theReferenceOutlivesItsRecord() {
        Bench b(TraceStore(300, std::size_t(1) << 30U));
        b.run(5);
        b.model.marks().setReference(TraceMarks::Reference{b.model.record(0).sequence(), 1});
        b.run(100, 20);
        QVERIFY(b.model.record(0).tick() > 1);
        QCOMPARE(b.model.index(0, TraceModel::Tick).data().toString(), QStringLiteral("+%1").arg(b.model.record(0).tick() - 1));
    }
};

QTEST_MAIN(TestMarks)
#include "tst_marks.moc"
