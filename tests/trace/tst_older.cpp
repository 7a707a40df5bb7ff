// Records that lie in a file: whatever is asked of them, the answer is that of a twin that has them in memory.

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/trace/older_bench.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_rates.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_statistics.h"
#include "widgets/trace/trace_view.h"

#include <memory>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

constexpr const char* Filters[] = {"type == Damage",
                                   "fields.amount > 4 and to ~ crate*",
                                   "handlers.component == Health",
                                   "tick >= 100 and tick <= 140",
                                   "cause > 0 and outcome == consumed",
                                   "phantom_3",
                                   "sequence == 5",
                                   "fields.amount > 1000"};

// The same rows, and the same groups of them.
void compareRows(const TraceModel& model, const TraceModel& twin) {
    QCOMPARE(sequencesOf(model), sequencesOf(twin));
    QCOMPARE(model.groupCount(), twin.groupCount());
    for (int group = 0; group < model.groupCount(); ++group)
        QCOMPARE(model.groupStart(group), twin.groupStart(group));
}

} // namespace

class TestOlder : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<OlderBench> m_bench; // of many records, which tests only look at
    TraceModel& model() { return m_bench->older.model; }
    TraceModel& twin() { return m_bench->twin.model; }

private slots:
    void initTestCase() {
        m_bench = std::make_unique<OlderBench>();
        m_bench->run(900);
        QVERIFY(model().store().size() > 9000);
        QCOMPARE(model().store().size(), twin().store().size());
        QVERIFY(model().store().memoryFirst() > 8000);
        QCOMPARE(model().store().dropped(), std::uint64_t(0));
        QVERIFY(model().store().bytes() <= std::size_t(64) << 10U);
        QVERIFY(model().store().fileBytes() > 400000);
        QCOMPARE(model().store().trouble(), std::string());
    }

    // Without reading anything back.
    void knowsNumbersTicksAndTypes() {
        const TraceStore& store = model().store();
        const TraceStore& all = twin().store();
        const std::uint64_t looks = store.looks();
        const auto compare = [&](std::uint64_t row) {
            QCOMPARE(store.sequenceOf(row), all.at(row).sequence());
            QCOMPARE(store.tickOf(row), all.at(row).tick());
            QCOMPARE(store.typeOf(row), all.at(row).type());
            QCOMPARE(store.rowOf(store.sequenceOf(row)), std::optional(row));
        };
        for (std::uint64_t row = 0; row < store.memoryFirst(); ++row)
            compare(row);
        for (std::uint64_t tick = 0; tick < 905; ++tick)
            QCOMPARE(store.rowAtTick(tick), all.rowAtTick(tick));
        for (std::uint64_t sequence = 0; sequence < all.at(all.end() - 1).sequence() + 3; ++sequence) {
            QCOMPARE(store.rowOf(sequence), all.rowOf(sequence));
            QCOMPARE(store.rowAtOrAfter(sequence), all.rowAtOrAfter(sequence));
        }
        QCOMPARE(store.looks(), looks);
        for (std::uint64_t row = 0; row < store.memoryFirst(); ++row)
            QVERIFY(!store.isReady(row));
    }

    void eachRecordComesBack() {
        const TraceStore& store = model().store();
        // In order, backward, and here and there: more chunks than stay in memory.
        std::vector<std::uint64_t> rows;
        for (std::uint64_t row = 0; row < store.end(); ++row)
            rows.push_back(row);
        for (std::uint64_t row = store.end(); row > 0; --row)
            rows.push_back(row - 1);
        for (int i = 0; i < 20000; ++i)
            rows.push_back(m_bench->twin.yard.roll(static_cast<std::uint32_t>(store.end())));
        for (const std::uint64_t row : rows)
            QCOMPARE(m_bench->older.context.json(store.at(row)),
                     m_bench->twin.context.json(twin().store().at(row)));
        // As a walk, too.
        TraceStore::Cursor cursor(store, 0);
        TraceStore::Cursor other(twin().store(), 0);
        for (std::uint64_t row = 0; row < store.end(); ++row, cursor.next(), other.next())
            QCOMPARE(m_bench->older.context.json(cursor.record()),
                     m_bench->twin.context.json(other.record()));
        store.trim();
        std::uint64_t ready = 0;
        for (std::uint64_t row = 0; row < store.memoryFirst(); ++row)
            ready += store.isReady(row) ? 1U : 0U;
        QVERIFY(ready < store.memoryFirst()); // not all of them stay
    }

    void filters() {
        for (const bool collapse : {false, true}) {
            model().setCollapsing(collapse);
            twin().setCollapsing(collapse);
            for (const char* filter : Filters) {
                m_bench->setFilter(filter);
                compareRows(model(), twin());
                QVERIFY(!model().isSearchingOlder());
                m_bench->setFilter("");
                compareRows(model(), twin());
            }
        }
        for (TraceModel* each : {&model(), &twin()}) {
            each->setCollapsing(false);
            each->setShownTypes({messageIdOf<Contact>(), messageIdOf<Say>()});
            each->finish();
        }
        compareRows(model(), twin());
        m_bench->setFilter("fields.amount > 6");
        compareRows(model(), twin());
        for (TraceModel* each : {&model(), &twin()})
            each->setShownTypes({});
        m_bench->setFilter("");
        compareRows(model(), twin());
    }

    // What is judged without records reads nothing back.
    void allIsShownAtOnce() {
        m_bench->setFilter("type == Died");
        model().setFilter(Filter());
        model().catchUp();
        QVERIFY(!model().isSearchingOlder());
        QCOMPARE(model().rowCount(), static_cast<int>(model().store().size()));
        twin().setFilter(Filter());
        twin().finish();
    }

    void theNewestComeFirst() {
        QAbstractItemModelTester tester(&model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        OlderBench::beginFilter(m_bench->older, "type == Damage");
        // All that lies in memory has been judged, and older ones have been asked for.
        QVERIFY(!model().isFiltering());
        QVERIFY(model().isSearchingOlder());
        QVERIFY(model().progress() < 0.5);
        const int first = model().rowCount();
        QVERIFY(first > 0);
        QVERIFY(model().storeRows().front() >= model().store().memoryFirst());
        QSignalSpy inserted(&model(), &QAbstractItemModel::rowsInserted);
        QTRY_VERIFY(model().rowCount() > first); // read back by themselves
        QVERIFY(!inserted.isEmpty());
        QCOMPARE(inserted[0][1].toInt(), 0);
        model().stopOlder();
        const int stopped = model().rowCount();
        QVERIFY(!model().isSearchingOlder());
        QCoreApplication::processEvents();
        if (model().leftOut() > 0) {
            QVERIFY(model().isHidden(1)); // who wants to see it has to take the filter back
            QCOMPARE(model().rowCount(), stopped);
        }
        model().resumeOlder();
        model().finish();
        m_bench->setFilter("type == Damage");
        compareRows(model(), twin());
        // Another filter is not bothered by what was asked for before.
        OlderBench::beginFilter(m_bench->older, "type == Damage");
        m_bench->setFilter("type == Say");
        compareRows(model(), twin());
        m_bench->setFilter("");
    }

    void searches_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<quint64>("from");
        QTest::newRow("from the top") << QString() << quint64(0);
        QTest::newRow("from the middle") << QString() << quint64(4321);
        QTest::newRow("from the end, filtered") << QStringLiteral("to ~ crate*") << quint64(8900);
    }
    void searches() {
        QFETCH(QString, filter);
        QFETCH(quint64, from);
        m_bench->setFilter(filter.toUtf8().constData());
        TraceSearch search(model());
        TraceSearch other(twin());
        for (const char* text : {"fire", "crate_7", "12.3", "unicorn"}) {
            search.start(QString::fromLatin1(text), from);
            other.start(QString::fromLatin1(text), from);
            QTRY_VERIFY_WITH_TIMEOUT(search.isDone(), 30000);
            other.finish();
            QCOMPARE(search.hits(), other.hits());
            for (const std::uint64_t sequence : sequencesOf(twin()))
                QCOMPARE(search.isHit(sequence), other.isHit(sequence));
            for (const bool forward : {true, false})
                for (const std::uint64_t start :
                     {std::uint64_t(1), std::uint64_t(3000), std::uint64_t(8999)}) {
                    QSignalSpy found(&search, &TraceSearch::found);
                    QSignalSpy foundOther(&other, &TraceSearch::found);
                    search.find(forward, start);
                    other.find(forward, start);
                    QCOMPARE(QList<QList<QVariant>>(found), QList<QList<QVariant>>(foundOther));
                }
        }
        m_bench->setFilter("");
    }

    // A search that goes on while a filter still finds older rows.
    void searchesWhileAFilterGoesOn() {
        OlderBench::beginFilter(m_bench->older, "type == Damage");
        OlderBench::beginFilter(m_bench->twin, "type == Damage");
        QVERIFY(model().isSearchingOlder());
        TraceSearch search(model());
        search.start(QStringLiteral("fire"), 8990);
        search.find(false, 100);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isSearchingOlder() && search.isDone(), 30000);
        twin().finish();
        TraceSearch other(twin());
        other.start(QStringLiteral("fire"), 8990);
        other.finish();
        QVERIFY(other.hits() > 100);
        QCOMPARE(search.hits(), other.hits());
        for (const std::uint64_t sequence : sequencesOf(twin()))
            QCOMPARE(search.isHit(sequence), other.isHit(sequence));
        m_bench->setFilter("");
    }

    void rates() {
        TraceRates counts(model());
        counts.finish();
        OlderBench::beginFilter(m_bench->older,
                                "not type == Say"); // older ones come in before what is counted
        OlderBench::beginFilter(m_bench->twin, "not type == Say");
        counts.finish();
        QVERIFY(model().isSearchingOlder());
        model().finish();
        counts.finish();
        twin().finish();
        TraceRates other(twin());
        other.finish();
        for (const MessageTypeId type :
             {messageIdOf<Damage>(), messageIdOf<Contact>(), messageIdOf<Say>(), messageIdOf<Died>()}) {
            QCOMPARE(counts.count(type), other.count(type));
            for (std::uint64_t first = 0; first < 9000; first += 777)
                for (const std::uint64_t length : {1U, 50U, 5000U})
                    QCOMPARE(counts.count(type, first, first + length),
                             other.count(type, first, first + length));
        }
        m_bench->setFilter("");
    }

    void statistics() {
        TraceStatisticsModel counts(model());
        TraceStatisticsModel other(twin());
        for (const auto by : {TraceStatisticsModel::By::Type, TraceStatisticsModel::By::Handler}) {
            counts.setBy(by);
            other.setBy(by);
            counts.setActive(true);
            other.setActive(true);
            OlderBench::beginFilter(m_bench->older, "to ~ crate*");
            OlderBench::beginFilter(m_bench->twin, "to ~ crate*");
            QVERIFY(model().isSearchingOlder());
            QTRY_VERIFY(!model().isSearchingOlder());
            twin().finish();
            other.catchUp();
            const auto table = [](const TraceStatisticsModel& of) {
                QStringList lines;
                for (int row = 0; row < of.rowCount(); ++row)
                    lines.append(of.index(row, TraceStatisticsModel::Name).data().toString()
                                 + QLatin1Char(' ')
                                 + of.index(row, TraceStatisticsModel::Count).data().toString());
                lines.sort();
                return lines;
            };
            QTRY_COMPARE_WITH_TIMEOUT(table(counts), table(other), 30000);
            counts.setActive(false);
            other.setActive(false);
        }
        m_bench->setFilter("");
    }

    void exports() {
        for (const char* name : {"rows.jsonl", "rows.csv"}) {
            QByteArray written[2];
            int which = 0;
            for (TraceModel* each : {&model(), &twin()}) {
                const QString file = m_bench->folder.filePath(QLatin1String(name));
                TraceExport writer(*each, file, TraceExport::formatOf(file));
                writer.setExtraColumns({TraceModel::Delta, TraceModel::Priority, TraceModel::Size});
                QSignalSpy done(&writer, &TraceExport::finished);
                QVERIFY(writer.start().ok());
                QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 30000);
                QFile read(file);
                QVERIFY(read.open(QIODevice::ReadOnly));
                written[which++] = read.readAll();
                read.remove();
            }
            QVERIFY(written[0].size() > 500000);
            QVERIFY(written[0] == written[1]);
        }
    }

    void chainsAndEffects() {
        for (std::uint64_t sequence = 1; sequence < 9000; sequence += 97) {
            QCOMPARE(model().chainOf(sequence), twin().chainOf(sequence));
            QCOMPARE(model().effectsOf(sequence, 21).sequences, twin().effectsOf(sequence, 21).sequences);
            bool complete = false;
            while (!complete) {
                const auto chain = model().chainOf(sequence, &complete);
                if (complete)
                    QCOMPARE(chain, twin().chainOf(sequence));
                else
                    model().store().wait();
                model().poll();
            }
        }
    }

    void explains() {
        Theme theme(ThemeMode::Dark);
        TraceDetails details(theme, model());
        TraceDetails other(theme, twin());
        for (const std::uint64_t sequence : {std::uint64_t(2), std::uint64_t(3500), std::uint64_t(7000)}) {
            details.show(sequence);
            other.show(sequence);
            QTRY_COMPARE(details.toPlainText(), other.toPlainText());
        }
    }

    void marksSurvive() {
        OlderBench b;
        b.run(20);
        for (ModelBench* bench : {&b.older, &b.twin}) {
            bench->model.marks().setMarked({3, 50, 51, 120}, true);
            bench->model.marks().setComment(50, QStringLiteral("look here"));
            bench->model.marks().setReference(
                TraceMarks::Reference{51, bench->model.store().tickOf(*bench->model.store().rowOf(51))});
        }
        b.run(300);
        QVERIFY(b.older.model.store().memoryFirst() > 2000);
        QVERIFY(b.older.model.marks().marked() == b.twin.model.marks().marked());
        QCOMPARE(b.older.model.marks().comment(50), QStringLiteral("look here"));
        QVERIFY(b.older.model.marks().reference() == b.twin.model.marks().reference());
        for (ModelBench* bench : {&b.older, &b.twin}) {
            bench->model.setMarkedOnly(true);
            bench->model.finish();
        }
        compareRows(b.older.model, b.twin.model);
        QCOMPARE(b.older.model.rowCount(), 4);
        QCOMPARE(b.older.model.data(b.older.model.index(2, TraceModel::Tick), Qt::DisplayRole).toString(),
                 QStringLiteral("REF"));
    }

    // Rows come, are judged and go to the file, with filters in between.
    void whileRecordsComeIn() {
        OlderBench b;
        b.older.model.setCollapsing(true);
        b.twin.model.setCollapsing(true);
        for (int round = 0; round < 12; ++round) {
            b.run(40, 1 + round);
            b.setFilter(Filters[static_cast<std::size_t>(round) % std::size(Filters)]);
            compareRows(b.older.model, b.twin.model);
            b.run(10, 5);
            b.older.model.finish();
            compareRows(b.older.model, b.twin.model);
        }
    }

    void pausedAndCleared() {
        OlderBench b;
        b.run(200);
        for (ModelBench* bench : {&b.older, &b.twin})
            bench->model.setPaused(true);
        b.run(200);
        b.setFilter("type == Damage");
        compareRows(b.older.model, b.twin.model);
        for (ModelBench* bench : {&b.older, &b.twin})
            bench->model.setPaused(false);
        b.setFilter("type == Contact");
        compareRows(b.older.model, b.twin.model);
        const std::uint64_t end = b.older.model.store().end();
        for (ModelBench* bench : {&b.older, &b.twin})
            bench->model.clear();
        QCOMPARE(b.older.model.store().first(), end);
        QCOMPARE(b.older.model.store().fileBytes(), std::uint64_t(0));
        b.run(200);
        b.setFilter("");
        compareRows(b.older.model, b.twin.model);
        QVERIFY(b.older.model.store().memoryFirst() > end);
        for (ModelBench* bench : {&b.older, &b.twin})
            bench->yard.beginRun();
        b.run(200);
        QCOMPARE(b.older.model.store().run(), std::uint64_t(2));
        compareRows(b.older.model, b.twin.model);
        QCOMPARE(b.older.context.json(b.older.model.record(0)), b.twin.context.json(b.twin.model.record(0)));
    }

    // The list asks for what is in sight, shows what it knows meanwhile, and fills in.
    void theListFillsIn() {
        Theme theme(ThemeMode::Dark);
        theme.apply(*qApp);
        QTemporaryDir folder;
        Selection selection;
        Yard yard;
        TracePanel panel(theme, yard.source, selection, TraceStore(smallMemory(folder)));
        for (int i = 0; i < 20; ++i) {
            for (int k = 0; k < 40; ++k)
                yard.runTick(10);
            panel.model().catchUp();
            settle(panel.model());
        }
        panel.resize(1280, 500);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QScrollBar& bar = *panel.view().verticalScrollBar();
        TraceModel& model = panel.model();
        QVERIFY(!model.isReady(0));
        const std::uint64_t looks = model.store().looks();
        bar.setValue(bar.maximum() / 3);
        panel.view().viewport()->repaint();
        const int top = panel.view().firstVisibleRow();
        QVERIFY(top > 1000);
        QVERIFY(!model.isReady(top)); // painting has read nothing
        QVERIFY(model.store().looks() - looks < 2000);
        QTRY_VERIFY(model.isReady(top) && model.isReady(top + panel.view().visibleRows() - 1));
        // The list comes back to what was at its top once a filter has come to that.
        const std::uint64_t anchor = model.sequence(top);
        panel.setFilterText(QStringLiteral("type == Contact"));
        QVERIFY(model.isSearchingOlder());
        QVERIFY(model.sequence(panel.view().firstVisibleRow()) > anchor);
        QTRY_VERIFY(!model.isSearchingOlder());
        QTRY_COMPARE(panel.view().firstVisibleRow(), model.rowAtOrAfter(anchor));
        // One that was scrolled meanwhile keeps its top row in its place while older rows come in before it.
        panel.setFilterText(QStringLiteral("type == Damage"));
        QVERIFY(model.isSearchingOlder());
        bar.setValue(bar.maximum() / 2);
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("trace.status"))
                    ->text()
                    .contains(QLatin1String("on the disk")));
        const int before = model.rowCount();
        const std::uint64_t there = model.sequence(panel.view().firstVisibleRow());
        QTRY_VERIFY(!model.isSearchingOlder());
        QVERIFY(model.rowCount() > before);
        QCOMPARE(model.sequence(panel.view().firstVisibleRow()), there);
        // Esc ends the search for older rows, and only the next one takes the filter back.
        panel.setFilterText(QStringLiteral("type == Contact"));
        QVERIFY(model.isSearchingOlder());
        QLineEdit& edit = panel.filterBar().lineEdit();
        edit.setFocus();
        QTest::keyClick(&edit, Qt::Key_Escape);
        QVERIFY(!model.isSearchingOlder());
        QVERIFY(model.leftOut() > 0);
        QCOMPARE(panel.filterText(), QStringLiteral("type == Contact"));
        // Who goes to a message that was left out gets it.
        panel.goTo(7);
        const auto isShown = [&](std::uint64_t sequence) {
            const QModelIndex current = panel.view().currentIndex();
            return current.isValid() && model.sequence(current.row()) == sequence
                   && panel.view().viewport()->rect().contains(panel.view().visualRect(current).center());
        };
        QTRY_COMPARE(panel.details().sequence(), std::uint64_t(7));
        QTRY_VERIFY(isShown(7));
        // A selected row among the older ones is shown again, too.
        QTRY_VERIFY(!model.isSearchingOlder() && !model.isFiltering());
        std::uint64_t row = 700;
        while (model.store().typeOf(row) != messageIdOf<Damage>())
            ++row;
        const std::uint64_t sequence = model.store().sequenceOf(row);
        panel.goTo(sequence);
        QTRY_VERIFY(isShown(sequence));
        panel.setFilterText(QStringLiteral("type == Damage"));
        QVERIFY(model.isSearchingOlder());
        QVERIFY(!isShown(sequence));
        QTRY_VERIFY(!model.isSearchingOlder());
        QTRY_VERIFY(isShown(sequence));
        // A chain on the disk becomes the filter once it has been read.
        panel.setFilterText({});
        QTRY_VERIFY(!model.isSearchingOlder() && !model.isFiltering());
        row = 5000;
        while (model.isReady(static_cast<int>(row)) || model.store().typeOf(row) != messageIdOf<Damage>())
            ++row;
        const std::uint64_t hit = model.store().sequenceOf(row);
        const std::unique_ptr<QMenu> menu(panel.menuFor(static_cast<int>(row)));
        model.store().trim();
        menu->findChild<QAction*>(QStringLiteral("trace.menu.followChain"))->trigger();
        QTRY_VERIFY(!panel.filterText().isEmpty());
        std::vector<std::uint64_t> chain = model.chainOf(hit);
        for (std::size_t next = chain.size() - 1; next < chain.size(); ++next)
            for (const std::uint64_t effect : model.effectsOf(chain[next], 100).sequences)
                chain.push_back(effect);
        QStringList numbers;
        for (const std::uint64_t each : chain)
            numbers.append(QString::number(each));
        QCOMPARE(panel.filterText(),
                 QStringLiteral("sequence in (%1)").arg(numbers.join(QLatin1String(", "))));
    }
};

QTEST_MAIN(TestOlder)
#include "tst_older.moc"
