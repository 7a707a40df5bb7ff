// The file of older records on a disk that is full, breaks, or is not there.

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/failing_disk.h"
#include "tests/small_disk.h"
#include "tests/spilled_file.h"
#include "tests/trace/older_bench.h"

#include <algorithm>
#include <memory>
#include <mutex>

using namespace sbx;
using namespace sbx::test;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// As long as it is there, no write to a file ends. No test may fail meanwhile: its words may go to a file.
class Stall {
    const std::scoped_lock<std::mutex> m_lock{failingDisk().mutex};
};

// What is left is the newest, without a gap, as the twin has it.
void compareWhatIsLeft(OlderBench& b) {
    const TraceStore& store = b.older.model.store();
    const TraceStore& all = b.twin.model.store();
    QCOMPARE(store.end(), all.end());
    QCOMPARE(store.dropped(), store.first());
    for (std::uint64_t row = store.first(); row < store.end(); ++row)
        QCOMPARE(b.older.context.json(store.at(row)), b.twin.context.json(all.at(row)));
    b.older.model.finish();
    QCOMPARE(b.older.model.storeRows().front(), store.first());
    QCOMPARE(b.older.model.rowCount(), static_cast<int>(store.size()));
}

} // namespace

class TestOlderDisk : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { failingDisk().repair(); }

    // The file is written round and round.
    void theFileHasABound() {
        constexpr std::uint64_t Room = std::uint64_t(200) << 10U;
        OlderBench b(Room);
        QSignalSpy trouble(&b.older.model, &TraceModel::fileTrouble);
        for (int i = 0; i < 8; ++i) {
            b.run(100);
            QVERIFY(b.older.model.store().fileBytes() <= Room);
            compareWhatIsLeft(b);
        }
        QVERIFY(b.older.model.store().dropped() > 1000);
        QVERIFY(b.older.model.store().fileBytes() > Room * 3 / 4);
        QCOMPARE(trouble.count(), 0); // that is as it should be
        b.setFilter("fields.amount > 4");
        QVERIFY(b.older.model.rowCount() > 100);
        for (int row = 0; row < b.older.model.rowCount(); ++row)
            QVERIFY(b.twin.model.rowOfSequence(b.older.model.sequence(row)) >= 0);
    }

    void recordsHaveABound() {
        QTemporaryDir folder;
        TraceLimits limits = smallMemory(folder);
        limits.records = 3000;
        ModelBench b{TraceStore(limits)};
        for (int i = 0; i < 20; ++i) {
            b.run(50);
            settle(b.model);
            QVERIFY(b.model.store().size() <= 3000);
        }
        QVERIFY(b.model.store().size() > 2800);
        b.model.finish();
        QCOMPARE(b.model.rowCount(), static_cast<int>(b.model.store().size()));
    }

    void fullFromSomeWriteOn_data() {
        QTest::addColumn<int>("succeeding");
        QTest::newRow("the first") << 0;
        QTest::newRow("the second") << 1;
        QTest::newRow("after twenty") << 20;
        QTest::newRow("after a hundred") << 100;
    }
    void fullFromSomeWriteOn() {
        QFETCH(int, succeeding);
        OlderBench b;
        QSignalSpy trouble(&b.older.model, &TraceModel::fileTrouble);
        failingDisk().plan(Step::Write, succeeding, ENOSPC);
        b.run(600);
        QVERIFY(failingDisk().hasFailed());
        QCOMPARE(trouble.count(), 1);
        QVERIFY(trouble[0][0].toString().contains(QLatin1String("No space left")));
        QVERIFY(b.older.model.store().dropped() > 0);
        compareWhatIsLeft(b);
        b.run(600);
        QCOMPARE(trouble.count(), 1); // told once
        compareWhatIsLeft(b);
        if (succeeding >= 20)
            QVERIFY(b.older.model.store().memoryFirst()
                    > b.older.model.store().first()); // what room there was is used
    }

    void noWriteSucceeds() {
        OlderBench b;
        b.run(50);
        QSignalSpy trouble(&b.older.model, &TraceModel::fileTrouble);
        failingDisk().plan(Step::Write, 5, EIO, true);
        b.run(600);
        QCOMPARE(trouble.count(), 1);
        compareWhatIsLeft(b);
        failingDisk().repair();
        b.run(100);
        compareWhatIsLeft(b);
    }

    void halfAWrite() {
        OlderBench b;
        QSignalSpy trouble(&b.older.model, &TraceModel::fileTrouble);
        failingDisk().plan(Step::HalfWrite, 10, ENOSPC);
        b.run(600);
        QVERIFY(failingDisk().hasFailed());
        QCOMPARE(trouble.count(), 1);
        compareWhatIsLeft(b);
    }

    void smallDisk() {
        OlderBench b;
        QSignalSpy trouble(&b.older.model, &TraceModel::fileTrouble);
        {
            const SmallDisk small(100000);
            b.run(600);
        }
        QCOMPARE(trouble.count(), 1);
        QVERIFY(b.older.model.store().fileBytes() <= 100000);
        QVERIFY(b.older.model.store().fileBytes() > 50000);
        compareWhatIsLeft(b);
    }

    void noFolder() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        TraceLimits limits = smallMemory(folder);
        limits.folder /= "file";
        ModelBench b{TraceStore(limits)};
        QSignalSpy trouble(&b.model, &TraceModel::fileTrouble);
        b.run(600);
        b.run(600);
        b.model.poll();
        QCOMPARE(trouble.count(), 1);
        QVERIFY(b.model.store().dropped() > 0);
        QCOMPARE(b.model.store().memoryFirst(), b.model.store().first());
        QCOMPARE(b.model.rowCount(), static_cast<int>(b.model.store().size()));
    }

    // Somebody cuts the file while it is in use: rows that were in it show no contents, then go.
    void theFileIsCut_data() {
        QTest::addColumn<bool>("filter");
        QTest::newRow("looked at") << false;
        QTest::newRow("filtered") << true;
    }
    void theFileIsCut() {
        QFETCH(bool, filter);
        OlderBench b;
        b.run(600);
        TraceModel& model = b.older.model;
        QSignalSpy trouble(&model, &TraceModel::fileTrouble);
        const int file = spilledFile(b.folder.path().toStdString());
        QVERIFY(file >= 0);
        const std::uint64_t half = model.store().fileBytes() / 2;
        QCOMPARE(::ftruncate(file, static_cast<off_t>(half)), 0);
        if (filter) {
            b.setFilter("fields.amount > 4");
            b.setFilter("");
        } else {
            const std::uint64_t row = model.store().memoryFirst() - 1;
            const RecordView record = model.store().at(row);
            QCOMPARE(record.sequence(), b.twin.model.store().at(row).sequence());
            QCOMPARE(record.type(), b.twin.model.store().at(row).type());
            QCOMPARE(record.receiver(), EntityId());
            model.poll();
        }
        QCOMPARE(trouble.count(), 1);
        QVERIFY(model.store().dropped() > 0);
        compareWhatIsLeft(b);
        b.run(300);
        compareWhatIsLeft(b);
        QCOMPARE(trouble.count(), 1);
        QVERIFY(model.store().memoryFirst() > model.store().first());
    }

    // The disk takes nothing for a while: what comes meanwhile waits in memory, and nothing goes.
    void aDiskThatStalls() {
        OlderBench b;
        TraceModel& model = b.older.model;
        TraceLimits limits = model.store().limits();
        limits.waiting = std::size_t(64) << 10U;
        model.setLimits(limits);
        b.run(300);
        QSignalSpy trouble(&model, &TraceModel::fileTrouble);
        const std::uint64_t onDisk = model.store().fileBytes();
        std::size_t inMemory = 0;
        std::size_t writing = 0;
        {
            const Stall stall;
            while (inMemory <= limits.memory * 5 / 4 && b.older.yard.tick < 2000) {
                b.older.run(1);
                inMemory = model.store().bytes();
                writing = model.store().writingBytes();
            }
        }
        b.twin.run(static_cast<int>(b.older.yard.tick - b.twin.yard.tick));
        QVERIFY(onDisk > 50000);
        QVERIFY(inMemory > limits.memory * 5 / 4);
        QVERIFY(writing > limits.waiting);
        settle(model);
        QVERIFY(model.store().bytes() <= limits.memory);
        QCOMPARE(model.store().first(), std::uint64_t(0));
        QCOMPARE(model.store().trouble(), std::string());
        QCOMPARE(trouble.count(), 0);
        compareWhatIsLeft(b);
    }

    // A stall that is longer than memory has room for: only as many of the oldest are dropped as must be, and the user is told.
    void aDiskThatStallsForLong() {
        OlderBench b;
        TraceModel& model = b.older.model;
        TraceLimits limits = model.store().limits();
        limits.waiting = std::size_t(64) << 10U;
        model.setLimits(limits);
        b.run(100);
        QSignalSpy trouble(&model, &TraceModel::fileTrouble);
        const std::size_t bound = limits.memory + 2 * limits.waiting;
        std::size_t most = 0;
        std::size_t least = bound;
        {
            const Stall stall;
            while (b.older.yard.tick < 1500) {
                b.older.run(1);
                const std::size_t waits = model.store().bytes() + model.store().writingBytes();
                most = std::max(most, waits);
                if (model.store().dropped() > 0)
                    least = std::min(least, waits);
            }
        }
        b.twin.run(static_cast<int>(b.older.yard.tick - b.twin.yard.tick));
        QVERIFY(most <= bound);
        QVERIFY(least > bound - bound / 8);
        settle(model);
        QVERIFY(model.store().dropped() > 0);
        QVERIFY(model.store().bytes() <= limits.memory);
        QVERIFY(model.store().fileBytes() > limits.waiting); // what had waited was written
        QCOMPARE(trouble.count(), 1);
        QVERIFY(trouble[0][0].toString().contains(QLatin1String("as fast as they come")));
        compareWhatIsLeft(b);
        b.run(300);
        compareWhatIsLeft(b);
    }

    // All that memory held is more than may be on its way to the disk.
    void memoryIsLowered() {
        OlderBench b;
        TraceModel& model = b.older.model;
        TraceLimits limits = model.store().limits();
        const std::size_t small = limits.memory;
        limits.memory = std::size_t(16) << 20U;
        limits.waiting = std::size_t(32) << 10U;
        model.setLimits(limits);
        b.run(900);
        QCOMPARE(model.store().memoryFirst(), std::uint64_t(0));
        QVERIFY(model.store().bytes() > 6 * small);
        QSignalSpy trouble(&model, &TraceModel::fileTrouble);
        limits.memory = small;
        model.setLimits(limits);
        QVERIFY(model.store().memoryFirst() > 0); // at once
        {
            const Stall stall;
            b.older.run(20);
        }
        b.twin.run(20);
        QCOMPARE(model.store().first(), std::uint64_t(0));
        settle(model);
        QVERIFY(model.store().bytes() <= small);
        QCOMPARE(model.store().first(), std::uint64_t(0));
        QCOMPARE(trouble.count(), 0);
        compareWhatIsLeft(b);
    }

    void theFileMayGrow() {
        constexpr std::uint64_t Room = std::uint64_t(200) << 10U;
        OlderBench b(Room);
        b.run(950); // once round, and somewhere in the middle
        TraceModel& model = b.older.model;
        const std::uint64_t first = model.store().first();
        QVERIFY(first > 0);
        TraceLimits limits = model.store().limits();
        limits.file = 2 * Room;
        model.setLimits(limits);
        QCOMPARE(model.store().first(), first);
        b.run(200); // into the new room
        QCOMPARE(model.store().first(), first);
        compareWhatIsLeft(b);
        for (int i = 0; i < 20; ++i) {
            b.run(100);
            QVERIFY(model.store().fileBytes() <= 2 * Room);
            if (i > 3)
                QVERIFY(model.store().fileBytes() > 2 * Room * 3 / 4);
        }
        compareWhatIsLeft(b);
        QCOMPARE(model.store().trouble(), std::string());
    }

    void theFileMayShrink() {
        constexpr std::uint64_t Room = std::uint64_t(400) << 10U;
        OlderBench b(Room);
        b.run(1500);
        TraceModel& model = b.older.model;
        TraceLimits limits = model.store().limits();
        limits.file = Room / 4;
        model.setLimits(limits);
        QVERIFY(model.store().fileBytes() <= Room / 4);
        QVERIFY(model.store().fileBytes() > Room / 8); // no more went than had to
        compareWhatIsLeft(b);
        for (int i = 0; i < 10; ++i) {
            b.run(100);
            QVERIFY(model.store().fileBytes() <= Room / 4);
            QVERIFY(model.store().fileBytes() > Room / 8);
            compareWhatIsLeft(b);
        }
        const int file = spilledFile(b.folder.path().toStdString());
        struct stat status {};
        QCOMPARE(::fstat(file, &status), 0);
        QVERIFY(status.st_size <= static_cast<off_t>(Room / 4)); // given back
    }

    // After a disk has failed, a new limit is a new try.
    void aNewLimitTriesAgain() {
        OlderBench b;
        TraceModel& model = b.older.model;
        failingDisk().plan(Step::Write, 0, EIO);
        b.run(300);
        QCOMPARE(model.store().memoryFirst(), model.store().first());
        QVERIFY(!model.store().trouble().empty());
        TraceLimits limits = model.store().limits();
        limits.file /= 2;
        model.setLimits(limits);
        QCOMPARE(model.store().trouble(), std::string());
        const std::uint64_t first = model.store().first();
        b.run(300);
        QCOMPARE(model.store().first(), first);
        QVERIFY(model.store().memoryFirst() > first);
        compareWhatIsLeft(b);
    }

    void endsWhileItReads() {
        for (int i = 0; i < 30; ++i) {
            QTemporaryDir folder;
            auto b = std::make_unique<ModelBench>(TraceStore(smallMemory(folder)));
            b->run(150);
            if (i % 2 == 0)
                settle(b->model);
            auto filter = Filter::compile("fields.amount > 4", b->context.schema());
            b->model.setFilter(*filter);
            if (i % 3 == 0)
                QCoreApplication::processEvents();
            if (i % 5 == 0)
                b->model.clear();
            b.reset();
            QVERIFY(std::filesystem::is_empty(folder.path().toStdString()));
        }
    }

    void limitsChange() {
        OlderBench b;
        b.run(300);
        TraceModel& model = b.older.model;
        TraceLimits limits = model.store().limits();
        limits.file = 0;
        model.setLimits(limits);
        QCOMPARE(model.store().first(), model.store().memoryFirst());
        compareWhatIsLeft(b);
        b.run(300);
        QCOMPARE(model.store().first(), model.store().memoryFirst());
        limits = smallMemory(b.folder);
        limits.memory *= 2;
        model.setLimits(limits);
        b.run(600);
        QVERIFY(model.store().memoryFirst() > model.store().first());
        compareWhatIsLeft(b);
    }
};

QTEST_MAIN(TestOlderDisk)
#include "tst_older_disk.moc"
