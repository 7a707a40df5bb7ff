// Traces as tables: written and read again, and as spreadsheets leave them.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/core/csv.h"
#include "engine/message/trace_csv.h"
#include "engine/message/trace_file.h"
#include "tests/message/trace_lines.h"
#include "tests/message/trace_types.h"

using namespace sbx;
using namespace sbx::trace_test;

namespace {

std::string rowOf(const std::vector<std::string>& cells, char separator = ',') {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
        out += (i == 0 ? std::string() : std::string(1, separator)) + csvCell(cells[i]);
    return out;
}

std::vector<std::string> columns() {
    std::vector<std::string> out;
    for (std::size_t key = 0; key < traceKeys().size(); ++key)
        out.emplace_back(traceColumn(key));
    return out;
}

// Every second column, from behind: a table in another order.
std::vector<std::string> shuffled(const std::vector<std::string>& cells) {
    std::vector<std::string> out;
    for (const std::size_t odd : {std::size_t(1), std::size_t(0)})
        for (std::size_t i = cells.size(); i-- > 0;)
            if (i % 2 == odd)
                out.push_back(cells[i]);
    return out;
}

} // namespace

class TestTraceCsv : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    // All of a file with these bytes.
    TraceFile readAll(const std::string& bytes, TraceReader& reader, const char* name = "t.csv") {
        QFile out(m_dir.filePath(QLatin1String(name)));
        if (!out.open(QIODevice::WriteOnly) || out.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            qFatal("the file cannot be written");
        out.close();
        Result<TraceFile> file = TraceFile::open(out.fileName().toStdString());
        while (file->read(reader, 3)) {}
        return std::move(*file);
    }
    static QString fault(const TraceFile& file, std::size_t i) {
        return file.faults().size() > i ? QString::fromStdString(file.faults()[i].error.message)
                                        : QStringLiteral("<none>");
    }

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
    // Whatever separates the cells, and in whatever order they are.
    void givesTheSameLineAgain() {
        QFETCH(QString, line);
        const std::vector<std::string> cells = traceCells(line.toStdString());
        QCOMPARE(cells.size(), columns().size());
        for (const char separator : {',', ';', '\t'}) {
            TraceReader reader;
            const std::string bytes =
                rowOf(shuffled(columns()), separator) + "\r\n" + rowOf(shuffled(cells), separator) + "\r\n";
            const TraceFile file = readAll(bytes, reader);
            QVERIFY2(file.faults().empty(), qPrintable(fault(file, 0)));
            QCOMPARE(file.records(), std::uint64_t(1));
            const std::vector<std::string> lines = linesOf(reader);
            QCOMPARE(lines.size(), std::size_t(1));
            QCOMPARE(QString::fromStdString(lines[0]), line);
            QVERIFY(reader.remarks().empty());
        }
    }

    void cellsHoldTextAsItIs() {
        const std::vector<std::string> cells =
            traceCells(noted(7, std::string(CommentInText) + R"(,"marked":true,"injected":true)"));
        const auto cell = [&](std::string_view key) {
            for (std::size_t i = 0; i < traceKeys().size(); ++i)
                if (key == traceKeys()[i].name)
                    return QString::fromStdString(cells[i]);
            return QStringLiteral("<no such key>");
        };
        QCOMPARE(cell("sequence"), QStringLiteral("7"));
        QCOMPARE(cell("sender"), QString()); // null
        QCOMPARE(cell("receiver"), QStringLiteral("crate"));
        QCOMPARE(cell("fields"), QStringLiteral("{}"));
        QCOMPARE(cell("comment"), QStringLiteral("why \"here\"\nsp\u00e4te"));
        QCOMPARE(cell("marked"), QStringLiteral("true"));
        QCOMPARE(cell("note"), QString());
    }

    // A mark, capitals, columns of one's own, an empty row, and comments of several lines.
    void readsWhatASpreadsheetSaved() {
        const std::string bytes =
            "\xEF\xBB\xBFmine; number "
            ";tick;world;type;receiver;delivery;fields;handlers;comment;marked;injected\r\n"
            "x;4;3;local;test.Bare;crate;immediate;{};[];\"one\r\n\r\ntwo; \"\"three\"\"\";TRUE;FALSE\r\n"
            "\r\n"
            "y;5;3;local;test.Bare;crate;immediate;{};[]\r\n"; // cells behind the last are empty
        TraceReader reader;
        const TraceFile file = readAll(bytes, reader, "no-ending");
        QVERIFY2(file.faults().empty(), qPrintable(fault(file, 0)));
        QCOMPARE(file.records(), std::uint64_t(2));
        QVERIFY(reader.takeNotes() == (std::vector<TraceNote>{{4, true, "one\r\n\r\ntwo; \"three\""}}));
        QVERIFY(linesOf(reader) == (std::vector<std::string>{bare(4), bare(5)}));
    }

    void refusesARowAndSaysWhy_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* cells, const char* says) {
            QTest::newRow(name) << QByteArray(cells) << says;
        };
        row("a number with a dot", "1.5,3,w,test.Bare,immediate,{},[]",
            "the column sequence has \"1.5\"; expected a whole number from 0");
        row("a number with zeros", "007,3,w,test.Bare,immediate,{},[]", "the column sequence has \"007\"");
        row("no number", ",3,w,test.Bare,immediate,{},[]", "there is no sequence");
        row("an earlier number", "1,3,w,test.Bare,immediate,{},[]",
            "sequence 1 comes after 2; expected a larger one");
        row("a huge number", "99999999999999999999999,3,w,test.Bare,immediate,{},[]",
            "sequence is a number; expected a whole number");
        row("words for fields", "9,3,w,test.Bare,immediate,amount 5,[]",
            "the column fields has \"amount 5\"; expected an object of JSON");
        row("broken fields", "9,3,w,test.Bare,immediate,\"{\"\"a\"\":\",[]",
            "the column fields has \"{\\\"a\\\":\"; expected an object of JSON");
        row("more than one value", "9,3,w,test.Bare,immediate,\"{},\"\"tick\"\":{}\",[]",
            "expected an object of JSON");
        row("no list", "9,3,w,test.Bare,immediate,{},7",
            "the column handlers has \"7\"; expected a list of JSON");
        row("no handlers", "9,3,w,test.Bare,immediate,{},", "there are no handlers");
        row("an unknown type", "9,3,w,test.Bear,immediate,{},[]", "did you mean test.Bare?");
        row("another flag", "9,3,w,test.Bare,immediate,{},[],yes",
            "the column injected has \"yes\"; expected true or false");
        row("too many cells", "9,3,w,test.Bare,immediate,{},[],true,1", "the row has 9 cells; expected 8");
        row("open quotes", "9,3,w,test.Bare,immediate,{},[],\"true", "are not closed");
    }
    // And goes on with the next; the fault has the line where its row begins.
    void refusesARowAndSaysWhy() {
        QFETCH(QByteArray, row);
        QFETCH(QString, says);
        const bool last = says == QStringLiteral("are not closed"); // the rest of the file is in these quotes
        TraceReader reader;
        const TraceFile file = readAll(
            "number,tick,world,type,delivery,fields,handlers,injected\n2,3,w,test.Bare,immediate,{},[]\n"
                + row.toStdString() + "\n20,3,w,test.Bare,immediate,{},[],false\n",
            reader);
        QCOMPARE(file.faults().size(), std::size_t(1));
        QVERIFY2(fault(file, 0).contains(says), qPrintable(fault(file, 0)));
        QCOMPARE(file.faults()[0].error.region.line, 3);
        QCOMPARE(file.records(), std::uint64_t(last ? 1 : 2));
        QCOMPARE(linesOf(reader).size(), std::size_t(last ? 1 : 2));
    }

    void namesTheColumnsThatAreMissing() {
        TraceReader reader;
        const TraceFile file =
            readAll("number,tick,seconds,type,fields,outcome\n1,2,0.1,test.Bare,{},handled\n", reader);
        QCOMPARE(fault(file, 0), QStringLiteral("the table has no column world, delivery, handlers; expected "
                                                "the columns of a trace that was exported as CSV"));
        QCOMPARE(file.faults().size(), std::size_t(1)); // nothing behind the header is read
        QCOMPARE(file.records(), std::uint64_t(0));
        QVERIFY(readAll("name,age\n", reader, "people.csv").skipped() == 1);
        QVERIFY(fault(readAll("name,age\n", reader, "people.txt"), 0)
                    .contains(QStringLiteral("this is no JSON")));
        QCOMPARE(fault(readAll(std::string(2000, ',') + "\n", reader), 0),
                 QStringLiteral("there are 2001 columns; expected at most 1024"));
        QVERIFY(readAll("", reader).faults().empty());
        QCOMPARE(readAll("\xEF\xBB\xBF", reader).skipped(), std::uint64_t(1));
    }

    // Lines of JSON are read as such whatever the file is called.
    void linesOfJsonInAFileCalledCsv() {
        TraceReader reader;
        const TraceFile file = readAll(bare(1) + "\n" + bare(2) + "\n", reader);
        QVERIFY2(file.faults().empty(), qPrintable(fault(file, 0)));
        QCOMPARE(file.records(), std::uint64_t(2));
    }

    // Quotes that never end cost a mebibyte at most, in time that grows with the file alone.
    void quotesThatStayOpen() {
        std::string bytes =
            "number,tick,world,type,delivery,fields,handlers\n1,3,w,test.Bare,immediate,{},\"[]\n";
        while (bytes.size() < TraceReader::MaxLine + TraceReader::MaxLine / 2)
            bytes += "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
        bytes += "2,3,w,test.Bare,immediate,{},[]\n";
        TraceReader reader;
        const TraceFile file = readAll(bytes, reader);
        QCOMPARE(file.faults().size(), std::size_t(1));
        QVERIFY2(fault(file, 0).contains(QStringLiteral("its quotes are not closed")),
                 qPrintable(fault(file, 0)));
        QCOMPARE(file.faults()[0].error.region.line, 2);
        QCOMPARE(file.records(), std::uint64_t(1));
    }
};

QTEST_GUILESS_MAIN(TestTraceCsv)
#include "tst_trace_csv.moc"
