// Segments in a file: they come back as they were, and nothing else comes back. The index beside it agrees with the records.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/message/segment_index.h"
#include "engine/message/segment_pool.h"
#include "engine/message/segment_spill.h"
#include "engine/message/trace_json.h"
#include "tests/spilled_file.h"
#include "tests/trace/trace_fixture.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

using namespace sbx;
using namespace sbx::trace_test;

namespace {

using Segments = SegmentSpill::Segments;
using What = SegmentSpill::Done::What;

Segments segmentsOf(Yard& yard, int ticks, int count) {
    for (int i = 0; i < ticks; ++i)
        yard.runTick(count);
    Segments out;
    yard.source.poll(out);
    return out;
}

std::vector<std::string> linesOf(const Segments& segments, const Yard& yard) {
    std::vector<std::string> lines;
    for (const auto& segment : segments)
        for (std::size_t i = 0; i < segment->size(); ++i)
            lines.push_back(traceLine((*segment)[i], yard.recorder, true) + " "
                            + std::to_string((*segment)[i].stampNs()));
    return lines;
}

std::vector<SegmentSpill::Done> done(SegmentSpill& spill) {
    std::vector<SegmentSpill::Done> out;
    while (out.empty()) {
        spill.wait();
        spill.collect(out);
    }
    return out;
}

} // namespace

class TestSegmentSpill : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::filesystem::path folder() const { return m_dir.path().toStdString(); }

private slots:
    void comesBackAsItWas() {
        Yard yard;
        yard.recorder.setStamps(true);
        Segments segments = segmentsOf(yard, 5, 40);
        yard.recorder.setTiming(true);
        for (auto& segment : segmentsOf(yard, 5, 40))
            segments.push_back(segment);
        auto spill = SegmentSpill::create(folder() / "made" / "here");
        QVERIFY(spill.ok());
        (*spill)->write(7, segments, 4096);
        std::vector<SegmentSpill::Done> written = done(**spill);
        QCOMPARE(written.size(), std::size_t(1));
        QVERIFY(written[0].what == What::Written);
        QCOMPARE(written[0].chunk, SegmentSpill::ChunkId(7));
        QCOMPARE(written[0].place.offset, std::uint64_t(4096));
        QCOMPARE(written[0].place.bytes, SegmentSpill::bytesOf(segments));
        const std::vector<std::string> wanted = linesOf(segments, yard);
        QVERIFY(wanted.size() > 400);
        const Result<Segments> now = (*spill)->readNow(written[0].place);
        QVERIFY(now.ok());
        QCOMPARE(linesOf(*now, yard), wanted);
        (*spill)->read(7, written[0].place, false);
        const std::vector<SegmentSpill::Done> read = done(**spill);
        QVERIFY(read[0].what == What::Read);
        QCOMPARE(linesOf(read[0].segments, yard), wanted);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            QCOMPARE(read[0].segments[i]->run(), segments[i]->run());
            QVERIFY(read[0].segments[i]->bytes() <= segments[i]->bytes());
        }
        // The file has no name.
        QVERIFY(std::filesystem::is_empty(folder() / "made" / "here"));
    }

    void theIndexAgreesWithTheRecords() {
        Yard yard;
        Segments segments;
        for (int i = 0; i < 30; ++i) {
            yard.tick += i % 4 == 0 ? 3U : 0U;
            yard.sequence += i % 5 == 0 ? 4U : 0U; // types that are not recorded leave gaps
            if (i == 20)
                yard.sequence += std::uint64_t(1) << 40U; // wider than four bytes
            if (i == 25)
                yard.tick += std::uint64_t(1) << 36U;
            for (auto& segment : segmentsOf(yard, 1, 1 + i % 7))
                segments.push_back(segment);
        }
        const SegmentIndex index(segments);
        std::vector<RecordView> records;
        for (const auto& segment : segments)
            for (std::size_t i = 0; i < segment->size(); ++i)
                records.push_back((*segment)[i]);
        QCOMPARE(index.size(), static_cast<std::uint32_t>(records.size()));
        std::uint64_t before = records.front().sequence() - 1;
        for (std::uint32_t row = 0; row < index.size(); ++row) {
            QCOMPARE(index.sequence(row), records[row].sequence());
            QCOMPARE(index.tick(row), records[row].tick());
            QCOMPARE(index.type(row), records[row].type());
            QCOMPARE(index.rowOf(records[row].sequence()), std::optional(row));
            QCOMPARE(index.rowAtOrAfter(before + 1), row);
            if (before + 1 != records[row].sequence())
                QVERIFY(!index.rowOf(before + 1));
            before = records[row].sequence();
        }
        QCOMPARE(index.rowAtOrAfter(0), std::uint32_t(0));
        QCOMPARE(index.rowAtOrAfter(before + 1), index.size());
        QVERIFY(!index.rowOf(before + 1));
        for (const RecordView& record : records)
            for (const std::uint64_t tick : {record.tick(), record.tick() + 1}) {
                std::uint32_t row = 0;
                while (row < index.size() && records[row].tick() < tick)
                    ++row;
                QCOMPARE(index.rowAtTick(tick), row);
            }
    }

    void manyTypesInOneIndex() {
        Recorder recorder;
        recorder.setEnabled(true);
        recorder.addWorld("local");
        const auto reader = recorder.addReader();
        static const FieldTable NoFields;
        std::vector<MessageTypeId> types;
        for (int i = 0; i < 700; ++i) {
            MessageType type;
            type.name = "test.Many" + std::to_string(i % 400);
            type.size = 1;
            type.fields = &NoFields;
            types.push_back(internMessageType(type).id);
            Envelope envelope;
            envelope.sequence = static_cast<std::uint64_t>(i) + 1;
            envelope.type = types.back();
            const char payload = 0;
            recorder.finish(recorder.begin(envelope, 0, 0, NoHandlers, &payload, 1), 0, false);
        }
        recorder.seal();
        Segments segments;
        reader->poll(segments);
        const SegmentIndex index(segments);
        for (std::uint32_t row = 0; row < index.size(); ++row)
            QCOMPARE(index.type(row), types[row]);
    }

    // What a disk has changed is not taken for records.
    void damageIsNoticed() {
        Yard yard;
        auto spill = SegmentSpill::create(folder());
        QVERIFY(spill.ok());
        (*spill)->write(1, segmentsOf(yard, 10, 40), 0);
        const SegmentSpill::Place place = done(**spill)[0].place;
        const int file = test::spilledFile(folder());
        QVERIFY(file >= 0);
        for (const std::uint64_t at :
             {std::uint64_t(0), std::uint64_t(70), place.bytes / 2, place.bytes - 1}) {
            char byte = 0;
            QCOMPARE(::pread(file, &byte, 1, static_cast<off_t>(at)), ssize_t(1));
            char other = static_cast<char>(byte ^ 0x10);
            QCOMPARE(::pwrite(file, &other, 1, static_cast<off_t>(at)), ssize_t(1));
            QVERIFY(!(*spill)->readNow(place).ok());
            (*spill)->read(1, place, true);
            QVERIFY(done(**spill)[0].what == What::NotRead);
            QCOMPARE(::pwrite(file, &byte, 1, static_cast<off_t>(at)), ssize_t(1));
        }
        QVERIFY((*spill)->readNow(place).ok());
        QCOMPARE(::ftruncate(file, static_cast<off_t>(place.bytes - 16)), 0);
        QVERIFY(!(*spill)->readNow(place).ok());
    }

    // What memory does not suffice for is reported, and the next one is read all the same.
    void moreThanMemoryHolds() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("The sanitizer ends the process instead of throwing.");
#endif
        Yard yard;
        auto spill = SegmentSpill::create(folder());
        QVERIFY(spill.ok());
        (*spill)->write(1, segmentsOf(yard, 4, 40), 0);
        const SegmentSpill::Place place = done(**spill)[0].place;
        SegmentSpill::Place huge = place;
        huge.bytes = std::uint64_t(1) << 60U;
        const auto now = (*spill)->readNow(huge);
        QVERIFY(!now.ok());
        QCOMPARE(now.error().message, std::string("out of memory"));
        (*spill)->read(2, huge, false);
        const auto refused = done(**spill);
        QCOMPARE(refused.size(), std::size_t(1));
        QVERIFY(refused[0].what == What::NotRead);
        QCOMPARE(refused[0].reason, std::string("out of memory"));
        (*spill)->read(1, place, false);
        QVERIFY(done(**spill)[0].what == What::Read);
    }

    void theLatestUrgentReadsAreKept() {
        Yard yard;
        auto spill = SegmentSpill::create(folder());
        QVERIFY(spill.ok());
        (*spill)->write(1, segmentsOf(yard, 4, 40), 0);
        const SegmentSpill::Place place = done(**spill)[0].place;
        constexpr std::uint64_t Reads = 500;
        for (std::uint64_t chunk = 100; chunk < 100 + Reads; ++chunk)
            (*spill)->read(chunk, place, true);
        std::vector<SegmentSpill::Done> all;
        while (all.size() < Reads) {
            (*spill)->wait();
            (*spill)->collect(all);
        }
        std::vector<bool> answered(Reads);
        for (const SegmentSpill::Done& one : all) {
            QVERIFY(one.what == What::Read || one.what == What::Dismissed);
            QVERIFY(!answered[one.chunk - 100]); // each once
            answered[one.chunk - 100] = true;
            if (one.chunk >= 100 + Reads - SegmentSpill::MaxUrgent)
                QVERIFY(one.what == What::Read);
        }
    }

    void endsWhileItIsBusy() {
        const std::filesystem::path own = folder() / "own";
        for (int i = 0; i < 20; ++i) {
            Yard yard;
            const Segments segments = segmentsOf(yard, 20, 100);
            auto spill = SegmentSpill::create(own);
            QVERIFY(spill.ok());
            std::atomic<int> woken = 0;
            (*spill)->setWake([&woken] { ++woken; });
            for (std::uint64_t chunk = 0; chunk < 10; ++chunk)
                (*spill)->write(chunk, segments, chunk * SegmentSpill::bytesOf(segments));
            if (i % 2 == 0)
                (*spill)->clear();
            if (i % 4 == 0)
                (*spill)->wait();
            spill->reset();
        }
        QVERIFY(std::filesystem::is_empty(own));
    }

    // Where a file needs a name for a moment, a process may end in that moment.
    void leftOversGo() {
        const std::filesystem::path own = folder() / "left";
        std::filesystem::create_directory(own);
        const std::string mine = "spill-" + std::to_string(::getpid()) + "-77";
        for (const std::string& name :
             {std::string("spill-2000000000-1"), mine, std::string("spilled"), std::string("spill-x")}) {
            QFile file(QString::fromStdString((own / name).string()));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        QVERIFY(SegmentSpill::create(own).ok());
        QVERIFY(!std::filesystem::exists(own / "spill-2000000000-1"));
        QVERIFY(std::filesystem::exists(own / mine)); // its process lives
        QVERIFY(std::filesystem::exists(own / "spilled"));
        QVERIFY(std::filesystem::exists(own / "spill-x"));
    }

    void noFolder() {
        QFile file(m_dir.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto spill = SegmentSpill::create(folder() / "file");
        QVERIFY(!spill.ok());
        QVERIFY(!spill.error().message.empty());
        file.remove();
    }

    void blanksStandForLostRecords() {
        const std::vector<LostRecord> lost{{5, 2, messageIdOf<Damage>()},
                                           {9, 2, messageIdOf<Died>()},
                                           {std::uint64_t(1) << 40U, 77, messageIdOf<Say>()}};
        const auto blank = SegmentPool::blank(lost);
        QCOMPARE(blank->size(), lost.size());
        for (std::size_t i = 0; i < lost.size(); ++i) {
            const RecordView record = (*blank)[i];
            QCOMPARE(record.sequence(), lost[i].sequence);
            QCOMPARE(record.tick(), lost[i].tick);
            QCOMPARE(record.type(), lost[i].type);
            QCOMPARE(record.payloadSize(), messageType(lost[i].type).size);
            QCOMPARE(record.cause(), std::uint64_t(0));
            QVERIFY(record.visits().empty());
            QCOMPARE(record.receiverName(), NameId(0));
        }
    }
};

QTEST_GUILESS_MAIN(TestSegmentSpill)
#include "tst_segment_spill.moc"
