// Lines of a trace back to records, and whole files of them.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/message/record_text.h"
#include "engine/message/trace_file.h"
#include "tests/message/trace_lines.h"
#include "tests/message/trace_types.h"

using namespace sbx;
using namespace sbx::trace_test;

class TestTraceReader : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        messageIdOf<Everything>();
        messageIdOf<Bare>();
    }

    void givesTheSameLineAgain_data() {
        QTest::addColumn<QString>("line");
        for (const auto& [name, line] : sameLines())
            QTest::newRow(name) << QString::fromStdString(line);
    }
    void givesTheSameLineAgain() {
        QFETCH(QString, line);
        TraceReader reader;
        const Result<void> read = reader.read(line.toStdString());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
        const std::vector<std::string> lines = linesOf(reader);
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(lines[0]), line);
        QVERIFY(reader.remarks().empty());
    }

    void refusesALineAndSaysWhy_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        for (const auto& [name, line, says] : wrongLines())
            QTest::newRow(name) << QString::fromStdString(line) << QString::fromLatin1(says);
    }
    void refusesALineAndSaysWhy() {
        QFETCH(QString, line);
        QFETCH(QString, says);
        TraceReader reader;
        QVERIFY(reader.read(bare(4)).ok());
        const Result<void> read = reader.read(line.toStdString());
        QVERIFY(!read.ok());
        QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
        QVERIFY(reader.read(bare(20)).ok()); // and goes on
        QCOMPARE(linesOf(reader).size(), std::size_t{2});
    }

    void remarksOnWhatItLeavesOut() {
        TraceReader reader;
        QVERIFY(reader.read(lineWithMore(1)).ok());
        QVERIFY(reader.read(lineWithMore(2)).ok());
        const std::map<std::string, std::uint64_t> expected{{"test.Bare has no field \"age\" here", 2}, {"the key \"colour\" is not known here", 2}};
        QCOMPARE(reader.remarks(), expected);
    }

    // Marks and comments are handed out once, with the number of their message; a line that is refused has none.
    void handsOutNotes() {
        TraceReader reader;
        QVERIFY(reader.read(noted(1, CommentInText)).ok());
        QVERIFY(reader.read(noted(2, NoNotes)).ok());
        QVERIFY(reader.read(noted(3, MarkAndComment)).ok());
        QVERIFY(!reader.read(noted(3, MarkAndComment)).ok());
        const std::vector<TraceNote> expected{{1, false, "why \"here\"\nsp\xC3\xA4te"}, {3, true, "again"}};
        QVERIFY(reader.takeNotes() == expected);
        QVERIFY(reader.takeNotes().empty());
        QVERIFY(reader.remarks().empty());
        QCOMPARE(linesOf(reader).size(), std::size_t{3});
    }

    // A file cannot make the program keep more than so much; its messages are there nevertheless.
    void notesHaveABound() {
        TraceReader reader;
        const std::string full = "\"comment\":\"" + std::string(TraceReader::MaxLine / 2, 'x') + '"';
        const int most = static_cast<int>(2 * TraceReader::MaxNoteBytes / TraceReader::MaxLine);
        for (int i = 1; i <= most + 3; ++i)
            QVERIFY(reader.read(noted(i, full)).ok());
        QVERIFY(reader.read(noted(most + 4, Mark)).ok());
        const std::vector<TraceNote> kept = reader.takeNotes();
        QCOMPARE(kept.size(), static_cast<std::size_t>(most) + 1);
        QVERIFY(kept.back().marked);
        const std::map<std::string, std::uint64_t> expected{
            {"there are more marks and comments than are kept", 3}};
        QCOMPARE(reader.remarks(), expected);
        QCOMPARE(linesOf(reader).size(), static_cast<std::size_t>(most) + 4);
    }

    // What the file leaves out comes from the program.
    void asksForPriorityAndObservers() {
        TraceReader reader([](std::string_view component, MessageTypeId type) -> std::optional<TraceReader::KnownHandler> {
            if (type != messageIdOf<Bare>())
                return std::nullopt;
            return component == "Relay" ? std::optional(TraceReader::KnownHandler{0, true})
                   : component == "Late" ? std::optional(TraceReader::KnownHandler{99, false})
                                         : std::nullopt;
        });
        QVERIFY(reader.read(bare(1, ObservedAndLate)).ok());
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader.poll(segments);
        const RecordView record = (*segments.at(0))[0];
        QVERIFY(record.visits()[0].observer);
        QCOMPARE(record.visits()[1].priority, 99);
        QCOMPARE(static_cast<int>(RecordFilterSchema::outcome(record)), static_cast<int>(RecordOutcome::Unhandled));
    }

    void textOfARecord() {
        TraceReader reader;
        QVERIFY(reader.read(DamagedCrate).ok());
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        reader.poll(segments);
        const RecordFilterSchema schema(
            reader.recorder().names(), [&](std::uint8_t world) -> std::string_view { return reader.recorder().worldName(world); }, 60.0);
        const std::string text = recordText(schema, (*segments.at(0))[0], [&](EntityId id) { return reader.entityName(id); });
        const QStringList cells = QString::fromStdString(text).split(QLatin1Char('\t'));
        QCOMPARE(cells.size(), 9);
        QCOMPARE(cells.mid(0, 6), (QStringList{"812", "120", "local", "test.Everything", "-", "crate"}));
        QVERIFY2(cells[6].startsWith(QStringLiteral("loud=true count=2 amount=0.1 hp exact=1.0 point=[1.0, 2.0, 3.0]")), qPrintable(cells[6]));
        QVERIFY2(cells[6].endsWith(QStringLiteral("kind=fire target=bat")), qPrintable(cells[6]));
        QCOMPARE(cells.mid(7), (QStringList{"immediate", "consumed by Shield"}));
    }

    void readsAFileInParts() {
        QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("t.jsonl"));
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly));
        for (int i = 1; i <= 3000; ++i)
            out.write((bare(i) + (i % 2 == 0 ? "\r\n" : "\n")).c_str());
        out.write("\nnonsense\n");
        out.write((std::string(3 * TraceReader::MaxLine, 'x') + "\n").c_str());
        for (int i = 0; i < 5; ++i)
            out.write("{\"sequence\":9000,\"tick\":1,\"type\":\"test.Nowhere\"}\n");
        out.write(bare(3001).c_str()); // the last line has no end
        out.close();
        Result<TraceFile> file = TraceFile::open(path.toStdString());
        QVERIFY(file.ok());
        TraceReader reader;
        double progress = 0.0;
        int parts = 0;
        while (file->read(reader, 100)) {
            QVERIFY(file->progress() >= progress && file->progress() <= 1.0);
            progress = file->progress();
            ++parts;
        }
        QVERIFY(parts >= 30);
        QCOMPARE(file->progress(), 1.0);
        QCOMPARE(file->records(), std::uint64_t{3001});
        QCOMPARE(file->skipped(), std::uint64_t{7});
        QCOMPARE(file->faults().size(), std::size_t{3});
        QCOMPARE(file->faults()[0].error.region.line, 3002);
        QCOMPARE(QString::fromStdString(file->faults()[0].error.toString()).section(QLatin1String(": error"), 0, 0), path + QStringLiteral(":3002:2"));
        QCOMPARE(file->faults()[1].error.region.line, 3003);
        QCOMPARE(file->faults()[2].error.region.line, 3004);
        QCOMPARE(file->faults()[2].lines, std::uint64_t{5});
        QCOMPARE(linesOf(reader).size(), std::size_t{3001});
    }

    void refusesWhatIsNoFile() {
        QTemporaryDir dir;
        const auto folder = TraceFile::open(dir.path().toStdString());
        QVERIFY(!folder.ok());
        QVERIFY(folder.error().message.find("this is a folder") == 0);
        const auto none = TraceFile::open(dir.filePath(QStringLiteral("none")).toStdString());
        QVERIFY(!none.ok());
        QVERIFY(none.error().message.find("expected a trace file") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestTraceReader)
#include "tst_trace_reader.moc"
