// Finding a text in the rows, against a plain second implementation that asks every row; in slices, while rows come and go.

#include <QSignalSpy>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_search.h"

#include <algorithm>
#include <map>
#include <random>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// Words of every column, pieces of numbers, words of fields and units, and what is nowhere.
const char* const Texts[] = {"crate_1", "CRATE_2",  "phantom", "contact", "Fire",     "blunt", "N·s", "0.333", "3.3333333", "7",
                             "12.9",    "the door", "SWINGS",  "loud",    "consumed", "local", "queued", " · ", "amount 5.0", "[1.0, ",
                             "nowhere", "e+",       "broadcast", "-3.25", "true"};

struct Bench {
    Yard yard;
    TraceContext context{yard.source};
    TraceModel model;
    TraceSearch search;
    std::optional<std::uint64_t> found; // 0: nothing
    bool round = false;

    explicit Bench(TraceStore store = TraceStore()) : model(context, std::move(store)), search(model) {
        QObject::connect(&search, &TraceSearch::found, [this](quint64 sequence, bool again) {
            found = sequence;
            round = again;
        });
        QObject::connect(&search, &TraceSearch::foundNothing, [this] { found = 0; });
    }
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; ++i)
            yard.runTick(count);
        model.catchUp();
    }
    // Sequences of the rows with the text, by asking each for all that it shows and for the exact values of its fields.
    std::vector<std::uint64_t> plainHits(const QString& text, const std::vector<int>& columns) const {
        std::vector<std::uint64_t> hits;
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.isIgnored(row))
                continue;
            const RecordView record = model.record(row);
            QStringList all;
            for (const int column : columns)
                all.append(model.index(row, column).data().toString());
            for (const FieldInfo& field : *context.type(record).fields)
                all.append(context.fieldValue(record, field, true));
            if (std::any_of(all.begin(), all.end(), [&](const QString& each) { return each.toCaseFolded().contains(text.toCaseFolded()); }))
                hits.push_back(record.sequence());
        }
        return hits;
    }
    std::vector<std::uint64_t> hits() const {
        std::vector<std::uint64_t> out;
        for (int row = 0; row < model.rowCount(); ++row)
            if (search.isHit(model.record(row).sequence()))
                out.push_back(model.record(row).sequence());
        return out;
    }
    // What the search answers once it can.
    std::uint64_t ask(bool forward, std::uint64_t from, bool here) {
        found.reset();
        search.find(forward, from, here);
        if (!found)
            search.finish();
        return found.value_or(~std::uint64_t(0));
    }
};

std::vector<int> allColumns() {
    std::vector<int> columns;
    for (int i = 0; i < TraceModel::ColumnCount; ++i)
        columns.push_back(i);
    return columns;
}

} // namespace

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void findsWhatAPlainLookFinds() {
        Bench b;
        b.run(60);
        std::mt19937 random(3);
        for (const char* const each : Texts) {
            const QString text = QString::fromUtf8(each);
            const std::vector<std::uint64_t> expected = b.plainHits(text, allColumns());
            b.search.start(text, random() % b.yard.sequence);
            b.search.finish();
            QVERIFY2(b.search.isDone(), each);
            QCOMPARE(b.search.hits(), expected.size());
            QVERIFY2(b.hits() == expected, each);
            for (int i = 0; i < 20; ++i) {
                const std::uint64_t from = random() % (b.yard.sequence + 2);
                QCOMPARE(b.search.hitsUpTo(from), static_cast<std::size_t>(std::upper_bound(expected.begin(), expected.end(), from) - expected.begin()));
            }
        }
        QVERIFY(!b.plainHits(QStringLiteral("0.333"), allColumns()).empty());
    }

    // Asked before the search has come to its end, the answer is the one that it would give at its end.
    void goesToTheNextAndThePreviousRoundTheEnds() {
        Bench b;
        b.run(80);
        std::mt19937 random(5);
        // A slice looks at few rows: each look is a millisecond long.
        b.search.setClock([&b] { return static_cast<qint64>(b.model.store().looks()) * 1'000'000; });
        int waited = 0;
        std::map<QString, std::vector<std::uint64_t>> known;
        for (const char* const each : Texts)
            known[QString::fromUtf8(each)] = b.plainHits(QString::fromUtf8(each), allColumns());
        for (int round = 0; round < 400; ++round) {
            const QString text = QString::fromUtf8(Texts[random() % std::size(Texts)]);
            const std::vector<std::uint64_t>& hits = known[text];
            b.search.start(text, random() % (b.yard.sequence + 2));
            for (int i = 0; i < 3; ++i) {
                const std::uint64_t from = random() % (b.yard.sequence + 2);
                const bool here = random() % 2 == 0;
                const bool forward = random() % 2 == 0;
                std::uint64_t expected = 0;
                bool roundTheEnd = false;
                if (!hits.empty() && forward) {
                    const auto next = here ? std::lower_bound(hits.begin(), hits.end(), from) : std::upper_bound(hits.begin(), hits.end(), from);
                    roundTheEnd = next == hits.end();
                    expected = roundTheEnd ? hits.front() : *next;
                } else if (!hits.empty()) {
                    const auto next = std::lower_bound(hits.begin(), hits.end(), from);
                    roundTheEnd = next == hits.begin();
                    expected = roundTheEnd ? hits.back() : *std::prev(next);
                }
                b.found.reset();
                b.search.find(forward, from, here);
                waited += b.search.isWaiting() ? 1 : 0;
                if (!b.found)
                    b.search.finish();
                QVERIFY(b.found.has_value());
                QCOMPARE(*b.found, expected);
                if (expected != 0)
                    QCOMPARE(b.round, roundTheEnd);
            }
        }
        QVERIFY2(waited > 50, "no request ever had to wait: the slices are too long for this test");
    }

    void looksOnlyIntoShownColumnsAndAllFields() {
        Bench b;
        b.run(30);
        std::vector<int> columns = allColumns();
        columns.erase(std::find(columns.begin(), columns.end(), int(TraceModel::Outcome)));
        b.search.setColumns(columns);
        b.search.start(QStringLiteral("consumed"), 0);
        b.search.finish();
        QCOMPARE(b.search.hits(), std::size_t(0));
        b.search.setColumns(allColumns());
        b.search.finish();
        QCOMPARE(b.search.hits(), b.plainHits(QStringLiteral("consumed"), allColumns()).size());
        QVERIFY(b.search.hits() > 0);
        // Rows show 13.333, the field holds more.
        b.yard.send(Damage{40.0F / 3.0F, Kind::Blunt, {}}, 1, 2, 0, {});
        b.yard.recorder.seal();
        b.model.catchUp();
        b.search.start(QStringLiteral("13.33333"), 0);
        b.search.finish();
        QVERIFY(b.search.isHit(b.yard.sequence));
    }

    void searchesWhatComesAndForgetsWhatGoes() {
        Bench b(TraceStore(2000, std::size_t(1) << 30U));
        b.run(50, 20);
        b.search.start(QStringLiteral("crate_7"), b.yard.sequence / 2);
        std::mt19937 random(7);
        for (int i = 0; i < 40; ++i) {
            b.run(1 + static_cast<int>(random() % 5), 40);
            if (i % 5 == 4) {
                auto filter = Filter::compile(i % 10 == 4 ? "type == Damage" : "", b.context.schema());
                QVERIFY(filter.ok());
                b.model.setFilter(std::move(*filter));
                b.model.catchUp();
            }
            b.search.finish();
            const std::vector<std::uint64_t> expected = b.plainHits(QStringLiteral("crate_7"), allColumns());
            QCOMPARE(b.search.hits(), expected.size());
            QVERIFY(b.hits() == expected);
        }
        QVERIFY(b.model.store().dropped() > 0);
        b.yard.beginRun();
        b.run(5);
        b.search.finish();
        QCOMPARE(b.search.hits(), b.plainHits(QStringLiteral("crate_7"), allColumns()).size());
        b.search.stop();
        QCOMPARE(b.search.hits(), std::size_t(0));
    }

    // They are in the list and are no places; a search under way knows it at once, also of those that are heeded again.
    void ignoredRowsArePassedOver() {
        Bench b(TraceStore(1000, std::size_t(1) << 30U));
        b.run(40, 20);
        const QString text = QStringLiteral("crate_7");
        b.search.start(text, b.yard.sequence / 2);
        std::mt19937 random(13);
        std::size_t most = 0;
        for (int i = 0; i < 40; ++i) {
            const auto rows = static_cast<unsigned>(b.model.rowCount());
            const std::size_t first = random() % rows;
            b.model.ignored().set(RowRuns::of(b.model.storeRows(), first, first + 1 + random() % 200),
                                  random() % 4 != 0);
            if (i % 3 == 0)
                b.run(3, 20);
            b.search.finish();
            QVERIFY(b.search.isDone());
            const std::vector<std::uint64_t> expected = b.plainHits(text, allColumns());
            QVERIFY(b.hits() == expected);
            QCOMPARE(b.search.hits(), expected.size());
            most = std::max(most, expected.size());
            const std::uint64_t from = b.model.sequence(static_cast<int>(first));
            const auto next = std::upper_bound(expected.begin(), expected.end(), from);
            QCOMPARE(b.ask(true, from, false), expected.empty()         ? 0
                                               : next == expected.end() ? expected.front()
                                                                        : *next);
        }
        QVERIFY(most > 20 && b.model.store().dropped() > 0);
        b.model.ignored().set(RowRuns::of(b.model.storeRows(), 0, b.model.storeRows().size()), true);
        QCOMPARE(b.ask(true, 0, false), std::uint64_t(0)); // there is none, and that is said
        QCOMPARE(b.search.progress(), 1.0);
        b.model.ignored().clear();
        b.search.finish();
        QCOMPARE(b.search.hits(), b.plainHits(text, allColumns()).size());
    }

    // However many rows there are, a turn of the event loop looks at few of them.
    void isDoneInSlices() {
        Bench b;
        b.run(300, 100);
        constexpr qint64 NsPerLook = 10'000; // 800 looks are a slice
        b.search.setClock([&b] { return static_cast<qint64>(b.model.store().looks()) * NsPerLook; });
        constexpr std::uint64_t LooksPerSlice = TraceSearch::SliceMs * 1'000'000 / NsPerLook;
        constexpr std::uint64_t Slack = 16 * 12 + 400; // rows between two readings of the clock, and what the answer looks up
        std::uint64_t before = b.model.store().looks();
        std::uint64_t most = 0;
        const QMetaObject::Connection each = connect(&b.search, &TraceSearch::changed, &b.search, [&] {
            most = std::max(most, b.model.store().looks() - before);
            before = b.model.store().looks();
        });
        b.search.start(QStringLiteral("nowhere"), 1);
        QVERIFY(!b.search.isDone());
        QVERIFY(b.search.progress() > 0.0 && b.search.progress() < 1.0);
        b.search.find(true, 1);
        QTRY_VERIFY_WITH_TIMEOUT(b.search.isDone(), 30000);
        disconnect(each);
        QVERIFY(b.found.has_value());
        QCOMPARE(*b.found, std::uint64_t(0));
        QCOMPARE(b.search.progress(), 1.0);
        QVERIFY2(most <= LooksPerSlice + Slack, qPrintable(QString::number(most)));
    }
};

QTEST_MAIN(TestSearch)
#include "tst_search.moc"
