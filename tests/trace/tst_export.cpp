// The trace written to files: what the list shows, as JSON lines and as CSV that any reader takes apart again.

#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_model.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// After RFC 4180, by hand.
QList<QStringList> parseCsv(const QString& text) {
    QList<QStringList> rows;
    QStringList cells;
    QString cell;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c == QLatin1Char('"') && i + 1 < text.size() && text[i + 1] == c)
                cell += text[++i];
            else if (c == QLatin1Char('"'))
                quoted = false;
            else
                cell += c;
        } else if (c == QLatin1Char('"')) {
            quoted = true;
        } else if (c == QLatin1Char(',')) {
            cells.append(std::exchange(cell, {}));
        } else if (c == QLatin1Char('\r') && i + 1 < text.size() && text[i + 1] == QLatin1Char('\n')) {
            cells.append(std::exchange(cell, {}));
            rows.append(std::exchange(cells, {}));
            ++i;
        } else {
            cell += c;
        }
    }
    return rows;
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    Yard m_yard;
    TraceContext m_context{m_yard.source};
    TraceModel m_model{m_context};

    QByteArray written(const char* name) {
        QFile file(m_dir.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }

private slots:
    void initTestCase() {
        for (int i = 0; i < 40; ++i)
            m_yard.runTick(25);
        m_yard.send(Say{Text("one, \"two\"\nthree"), true, 3}, 1, 2, 0, {});
        m_yard.recorder.seal();
        m_model.catchUp();
        QVERIFY(m_model.rowCount() > 900);
    }

    void formatsByEnding() {
        QCOMPARE(TraceExport::formatOf(QStringLiteral("a.csv")), TraceExport::Format::Csv);
        QCOMPARE(TraceExport::formatOf(QStringLiteral("a.CSV")), TraceExport::Format::Csv);
        QCOMPARE(TraceExport::formatOf(QStringLiteral("a.jsonl")), TraceExport::Format::JsonLines);
        QCOMPARE(TraceExport::formatOf(QStringLiteral("a")), TraceExport::Format::JsonLines);
    }

    // A line a message, each what the player would write.
    void jsonLines() {
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("all.jsonl")), TraceExport::Format::JsonLines);
        QSignalSpy done(&writer, &TraceExport::finished);
        QVERIFY(writer.start().ok());
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 20000); // by its own slices
        QCOMPARE(done.front().front().value<std::size_t>(), static_cast<std::size_t>(m_model.rowCount()));
        const QList<QByteArray> lines = written("all.jsonl").split('\n');
        QCOMPARE(lines.size(), m_model.rowCount() + 1);
        QVERIFY(lines.back().isEmpty());
        for (int row = 0; row < m_model.rowCount(); ++row) {
            QCOMPARE(lines[row].toStdString(), m_model.context().json(m_model.record(row)));
            QVERIFY(QJsonDocument::fromJson(lines[row]).isObject());
        }
    }

    void csvOfWhatIsShown() {
        const Result<Filter> filter = Filter::compile("type == Say", m_context.schema());
        QVERIFY(filter.ok());
        m_model.setFilter(*filter);
        m_model.catchUp();
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("say.csv")), TraceExport::Format::Csv);
        QVERIFY(writer.start().ok());
        writer.finish();
        const QList<QStringList> rows = parseCsv(QString::fromUtf8(written("say.csv")));
        QCOMPARE(rows.size(), m_model.rowCount() + 1);
        QCOMPARE(rows.front(),
                 (QStringList{"number",   "tick",      "seconds",  "world",    "type",       "sender",
                              "receiver", "fields",    "delivery", "outcome",  "injected",   "comment",
                              "cause",    "through",   "dropped",  "site",     "queuedAt",   "atNs",
                              "note",     "receivers", "minimum",  "handlers", "notReached", "marked"}));
        for (int i = 1; i < rows.size(); ++i) {
            QCOMPARE(rows[i].size(), rows.front().size());
            const RecordView record = m_model.record(i - 1);
            QCOMPARE(rows[i][0].toULongLong(), record.sequence());
            QCOMPARE(rows[i][4], QStringLiteral("Say"));
            const QJsonObject line =
                QJsonDocument::fromJson(QByteArray::fromStdString(m_context.json(record))).object();
            QCOMPARE(QJsonDocument::fromJson(rows[i][7].toUtf8()).object(),
                     line.value(QLatin1String("fields")).toObject());
            QCOMPARE(rows[i][9], m_context.outcomeLine(record));
        }
        QVERIFY(rows.back()[7].contains(QStringLiteral("one, \\\"two\\\"")));
        m_model.setFilter(Filter());
        m_model.catchUp();
    }

    // Whoever reads the line finds the comment in it, and all else as before.
    void commentsAreWritten() {
        const QString comment = QStringLiteral("why \"here\",\nat tick 3? späte");
        const std::uint64_t sequence = m_model.record(7).sequence();
        m_model.marks().setComment(sequence, comment);
        for (const auto format : {TraceExport::Format::JsonLines, TraceExport::Format::Csv}) {
            TraceExport writer(m_model, m_dir.filePath(QStringLiteral("comments")), format);
            QVERIFY(writer.start().ok());
            writer.finish();
            const QByteArray text = written("comments");
            if (format == TraceExport::Format::Csv) {
                const QList<QStringList> rows = parseCsv(QString::fromUtf8(text));
                for (int i = 1; i < rows.size(); ++i)
                    QCOMPARE(rows[i][11], rows[i][0].toULongLong() == sequence ? comment : QString());
                continue;
            }
            const QList<QByteArray> lines = text.split('\n');
            for (int row = 0; row < m_model.rowCount(); ++row) {
                QJsonObject line = QJsonDocument::fromJson(lines[row]).object();
                QVERIFY(!line.isEmpty());
                const QJsonValue written = line.take(QStringLiteral("comment"));
                QCOMPARE(written.toString(), m_model.record(row).sequence() == sequence ? comment : QString());
                QCOMPARE(line, QJsonDocument::fromJson(QByteArray::fromStdString(m_model.context().json(m_model.record(row)))).object());
            }
        }
        m_model.marks().setComment(sequence, {});
    }

    // A table says which messages a person sent.
    void injectedOnesAreToldApart() {
        m_yard.injected = true;
        const std::uint64_t byHand = m_yard.send(Died{}, -1, 2, 0, {});
        m_yard.injected = false;
        m_yard.recorder.seal();
        m_model.catchUp();
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("injected.csv")), TraceExport::Format::Csv);
        QVERIFY(writer.start().ok());
        writer.finish();
        const QList<QStringList> rows = parseCsv(QString::fromUtf8(written("injected.csv")));
        const qsizetype column = rows.front().indexOf(QStringLiteral("injected"));
        QVERIFY(column > 0 && rows.size() == m_model.rowCount() + 1);
        for (int i = 1; i < rows.size(); ++i)
            QCOMPARE(rows[i][column],
                     rows[i][0].toULongLong() == byHand ? QStringLiteral("true") : QStringLiteral("false"));
    }

    void marksAreWritten() {
        const std::uint64_t sequence = m_model.record(3).sequence();
        m_model.marks().setMarked({sequence}, true);
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("marks")), TraceExport::Format::JsonLines);
        QVERIFY(writer.start().ok());
        writer.finish();
        const QList<QByteArray> lines = written("marks").split('\n');
        for (int row = 0; row < m_model.rowCount(); ++row) {
            const QJsonValue marked =
                QJsonDocument::fromJson(lines[row]).object().value(QStringLiteral("marked"));
            QCOMPARE(marked, m_model.record(row).sequence() == sequence ? QJsonValue(true)
                                                                        : QJsonValue(QJsonValue::Undefined));
        }
        m_model.marks().clearMarked();
    }

    // Those that are ignored when it begins are left out, in both forms, and it knows how many they are.
    void ignoredOnesAreLeftOut() {
        std::deque<std::uint64_t> rows;
        for (int row = 0; row < m_model.rowCount(); row += 3)
            rows.push_back(m_model.storeRows()[static_cast<std::size_t>(row)]);
        m_model.ignored().set(RowRuns::of(rows, 0, rows.size()), true);
        QList<QByteArray> expected;
        QStringList numbers;
        for (int row = 0; row < m_model.rowCount(); ++row)
            if (row % 3 != 0) {
                expected.append(QByteArray::fromStdString(m_model.context().json(m_model.record(row))));
                numbers.append(QString::number(m_model.sequence(row)));
            }
        for (const TraceExport::Format format : {TraceExport::Format::JsonLines, TraceExport::Format::Csv}) {
            TraceExport writer(m_model, m_dir.filePath(QStringLiteral("heeded")), format);
            QSignalSpy done(&writer, &TraceExport::finished);
            QVERIFY(writer.start().ok());
            QCOMPARE(writer.ignored(), rows.size());
            m_model.ignored().clear(); // too late: what is written was fixed at the beginning
            writer.finish();
            m_model.ignored().set(RowRuns::of(rows, 0, rows.size()), true);
            QCOMPARE(done.front().front().value<std::size_t>(), static_cast<std::size_t>(expected.size()));
            QCOMPARE(done.front().back().value<std::size_t>(), std::size_t(0));
            if (format == TraceExport::Format::JsonLines) {
                QCOMPARE(written("heeded").trimmed().split('\n'), expected);
                continue;
            }
            QStringList first;
            for (const QStringList& cells : parseCsv(QString::fromUtf8(written("heeded"))).mid(1))
                first.append(cells.front());
            QCOMPARE(first, numbers);
        }
        m_model.ignored().clear();
    }

    void aCancelledOneLeavesNothing() {
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("never.jsonl")), TraceExport::Format::JsonLines);
        QSignalSpy done(&writer, &TraceExport::finished);
        QVERIFY(writer.start().ok());
        writer.cancel();
        writer.finish();
        QCOMPARE(done.count(), 0);
        QCOMPARE(QDir(m_dir.path()).entryList({QStringLiteral("*never*")}, QDir::AllEntries | QDir::Hidden), QStringList());
        TraceExport nowhere(m_model, m_dir.filePath(QStringLiteral("no/such/folder.jsonl")), TraceExport::Format::JsonLines);
        QVERIFY(!nowhere.start().ok());
    }

    // What another run, or the bound on memory, took away meanwhile is counted, and the rest is there.
    void whatWasLetGoIsCounted() {
        TraceExport writer(m_model, m_dir.filePath(QStringLiteral("gone.jsonl")), TraceExport::Format::JsonLines);
        QSignalSpy done(&writer, &TraceExport::finished);
        const int rows = m_model.rowCount();
        QVERIFY(writer.start().ok());
        m_model.clear();
        writer.finish();
        QCOMPARE(done.count(), 1);
        QCOMPARE(done.front().front().value<std::size_t>(), std::size_t(0));
        QCOMPARE(done.front().back().value<std::size_t>(), static_cast<std::size_t>(rows));
        QCOMPARE(written("gone.jsonl"), QByteArray());
    }
};

QTEST_MAIN(TestExport)
#include "tst_export.moc"
