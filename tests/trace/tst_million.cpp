// A million records: how much the window ever does at a time while records come in, a filter is changed and the list is scrolled.

#include <QLineEdit>
#include <QScopeGuard>
#include <QScrollBar>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_view.h"

#include <atomic>
#include <semaphore>
#include <thread>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

constexpr std::uint64_t Million = 1000000;
// A record that is looked at takes so long by the clock of this test: the same on every machine, whatever else that does.
constexpr qint64 NsPerLook = 1000;
// Between two turns of the event loop: the slices of both timers and one that a new filter begins, the strip of all ticks, and the rows
// in sight several times over. Whoever goes through all records looks at seven times as many.
constexpr std::uint64_t LooksPerTurn = 140000;

// The most records that are looked at between two turns of the event loop: a timer that should fire at once, always.
class Watchdog : public QObject {
public:
    explicit Watchdog(const TraceStore& store) : m_store(store) {
        m_timer.setInterval(0);
        connect(&m_timer, &QTimer::timeout, this, &Watchdog::look);
        m_timer.start();
    }
    void start() {
        m_last = m_store.looks();
        m_most = m_turns = 0;
    }
    void look() {
        const std::uint64_t now = m_store.looks();
        m_most = std::max(m_most, now - m_last);
        m_last = now;
        ++m_turns;
    }
    std::uint64_t most() const { return m_most; }
    std::uint64_t turns() const { return m_turns; }

private:
    const TraceStore& m_store;
    QTimer m_timer;
    std::uint64_t m_last = 0;
    std::uint64_t m_most = 0;
    std::uint64_t m_turns = 0;
};

} // namespace

class TestMillion : public QObject {
    Q_OBJECT
private slots:
    void neverStalls() {
        Theme theme(ThemeMode::Dark);
        theme.apply(*qApp);
        Selection selection;
        Yard yard;
        TracePanel panel(theme, yard.source, selection, TraceStore(Million, std::size_t(1) << 30U));
        TraceModel& model = panel.model();
        model.setClock([&model] { return static_cast<qint64>(model.store().looks()) * NsPerLook; });
        panel.resize(1280, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));

        // The simulation's thread: a burst to fill the store, then a tick of 330 whenever the timer fires.
        std::atomic<bool> filled = false;
        std::atomic<bool> stop = false;
        std::counting_semaphore<> ticks(0);
        std::thread simulation([&] {
            while (!stop && yard.sequence < Million + 20000)
                yard.runTick(100);
            filled = true;
            for (ticks.acquire(); !stop; ticks.acquire())
                yard.runTick(330);
        });
        const auto end = qScopeGuard([&] {
            stop = true;
            ticks.release();
            simulation.join();
        });
        QTimer beat;
        connect(&beat, &QTimer::timeout, &beat, [&ticks] { ticks.release(); });
        beat.start(16);

        Watchdog watchdog(model.store());
        watchdog.start();
        QTRY_VERIFY_WITH_TIMEOUT(filled && model.rowCount() > 990000, 60000);
        const std::uint64_t appending = watchdog.most();
        QVERIFY(watchdog.turns() >= 2 * Million / LooksPerTurn);

        watchdog.start();
        panel.setFilterText(
            QStringLiteral("fields.amount > 4 and to ~ crate* and not handlers.component == Health"));
        QVERIFY(model.isFiltering());
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && !model.isSearchingOlder(), 30000);
        const int matched = model.rowCount();
        QVERIFY2(matched > 10000 && matched < 500000, qPrintable(QString::number(matched)));
        QVERIFY(watchdog.turns() >= Million / LooksPerTurn);
        panel.setFilterText(QStringLiteral("phantom_9"));
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && !model.isSearchingOlder(), 30000);
        panel.setFilterText({});
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && !model.isSearchingOlder(), 30000);
        const std::uint64_t filtering = watchdog.most();

        // Nowhere: every row is looked at, and those that come in meanwhile.
        panel.search().setClock([&model] { return static_cast<qint64>(model.store().looks()) * NsPerLook; });
        watchdog.start();
        panel.searchBar().start();
        panel.searchBar().lineEdit().setText(QStringLiteral("unicorn"));
        QVERIFY(!panel.search().isDone());
        QTRY_VERIFY_WITH_TIMEOUT(panel.search().progress() > 0.999, 60000);
        QCOMPARE(panel.search().hits(), std::size_t(0));
        panel.searchBar().stop();
        const std::uint64_t searching = watchdog.most();
        QVERIFY(watchdog.turns() >= Million / LooksPerTurn);

        watchdog.start();
        QScrollBar& bar = *panel.view().verticalScrollBar();
        const std::uint64_t before = yard.source.missed();
        std::uint64_t scrolling = 0;
        for (int frame = 0; frame < 200; ++frame) {
            watchdog.start();
            bar.setValue(static_cast<int>((frame * 7919LL) % 2000 * (bar.maximum() / 2000)));
            panel.view().viewport()->repaint();
            QCoreApplication::processEvents();
            watchdog.look();
            scrolling = std::max(scrolling, watchdog.most());
        }
        // The same with rows that are opened, at both ends and between, and with repeats collapsed and opened.
        TraceView& view = panel.view();
        std::uint64_t opened = 0;
        for (const bool collapse : {false, true}) {
            watchdog.start();
            model.setCollapsing(collapse);
            QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && !model.isSearchingOlder(), 30000);
            opened = std::max(opened, watchdog.most());
            for (int i = 0; i < 200; ++i) {
                const TraceLine line =
                    view.lines().at(static_cast<int>((i * 7919LL) % 200 * (view.lines().count() / 200)));
                watchdog.start();
                view.setOpen(line, true);
                bar.setValue(view.lines().lineOf(line) * bar.singleStep());
                view.viewport()->repaint();
                QCoreApplication::processEvents();
                watchdog.look();
                opened = std::max(opened, watchdog.most());
            }
            QVERIFY(view.lines().count() > model.groupCount() + 100);
        }
        QCOMPARE(yard.source.missed(), before);
        qInfo("records looked at in a turn of the event loop, at most: appending %llu, filtering %llu, "
              "searching %llu, scrolling %llu, with rows open %llu; %zu MiB held",
              static_cast<unsigned long long>(appending), static_cast<unsigned long long>(filtering),
              static_cast<unsigned long long>(searching), static_cast<unsigned long long>(scrolling),
              static_cast<unsigned long long>(opened), model.store().bytes() >> 20U);
        QVERIFY2(appending <= LooksPerTurn, "appending held up the window");
        QVERIFY2(filtering <= LooksPerTurn, "filtering held up the window");
        QVERIFY2(searching <= LooksPerTurn, "searching held up the window");
        QVERIFY2(scrolling <= LooksPerTurn, "scrolling held up the window");
        QVERIFY2(opened <= LooksPerTurn, "opened rows held up the window");
    }
};

QTEST_MAIN(TestMillion)
#include "tst_million.moc"
