// The lanes' counts against a plain count, with records in memory and on the disk; and what hands do on the lanes of a panel.

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/older_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_lanes.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_rates.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// Of one entity, counted row by row.
struct Plain {
    std::uint64_t count = 0;
    std::uint64_t faults = 0;
    std::uint64_t firstRow = 0;
    std::uint64_t lastRow = 0;
    std::map<std::pair<MessageTypeId, bool>, std::uint64_t> types;
};

std::map<std::uint64_t, Plain> plainCount(const TraceModel& model, std::uint64_t first, std::uint64_t end) {
    std::map<std::uint64_t, Plain> all;
    for (const std::uint64_t row : model.storeRows()) {
        const RecordView record = model.store().at(row);
        if (row < first || row >= end || !record.receiver())
            continue;
        Plain& of = all[record.receiver().bits];
        const bool fault = shownAs(TraceContext::outcome(record)) == RecordOutcome::Unhandled;
        if (of.count++ == 0)
            of.firstRow = row;
        of.lastRow = row;
        of.faults += fault ? 1U : 0U;
        ++of.types[{record.type(), fault}];
    }
    return all;
}

void compare(const TraceModel& model, const TraceLaneCounts& counts, std::mt19937& random) {
    const TraceStore& store = model.store();
    const auto whole = plainCount(model, 0, store.end());
    QCOMPARE(counts.lanes(), std::min(whole.size(), TraceLaneCounts::MaxLanes));
    QCOMPARE(counts.entities(), whole.size());
    // Some stretches, one of them empty.
    std::vector<std::uint64_t> bounds;
    for (int i = 0; i < 6; ++i)
        bounds.push_back(store.first() + random() % (store.size() + 1));
    bounds.push_back(bounds.front());
    std::sort(bounds.begin(), bounds.end());
    std::array<std::optional<MessageTypeId>, LaneCell::Kinds> kinds{};
    kinds[1] = messageIdOf<Damage>();
    kinds[4] = messageIdOf<Contact>();
    std::vector<std::map<std::uint64_t, Plain>> stretches;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
        stretches.push_back(plainCount(model, bounds[i], bounds[i + 1]));
    std::set<std::uint64_t> seen;
    std::vector<LaneCell> cells;
    for (std::size_t lane = 0; lane < counts.lanes(); ++lane) {
        const std::uint64_t entity = counts.entity(lane).entity.bits;
        QVERIFY(seen.insert(entity).second);
        QCOMPARE(counts.laneOf(counts.entity(lane)), std::optional(lane));
        const Plain& all = whole.at(entity);
        QCOMPARE(counts.count(lane), all.count);
        QVERIFY(counts.firstTick(lane) <= store.tickOf(all.firstRow)); // earlier: that record has gone
        QCOMPARE(counts.lastTick(lane), store.at(all.lastRow).tick());
        QCOMPARE(counts.atOrAfter(lane, 0), std::optional(all.firstRow));
        QCOMPARE(counts.before(lane, store.end()), std::optional(all.lastRow));
        QCOMPARE(counts.before(lane, all.firstRow), std::optional<std::uint64_t>());
        QCOMPARE(counts.atOrAfter(lane, all.lastRow + 1), std::optional<std::uint64_t>());
        QCOMPARE(counts.atOrAfter(lane, 0, true).has_value(), all.faults > 0);
        counts.cells(lane, bounds, kinds, cells);
        QCOMPARE(cells.size(), stretches.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Plain expected = stretches[i][entity];
            QCOMPARE(cells[i].all, expected.count);
            QCOMPARE(cells[i].faults, expected.faults);
            std::map<MessageTypeId, std::uint64_t> byType;
            for (const auto& [key, count] : expected.types)
                byType[key.first] += count;
            QCOMPARE(cells[i].kinds[1], byType[*kinds[1]]);
            QCOMPARE(cells[i].kinds[4], byType[*kinds[4]]);
            QCOMPARE(cells[i].kinds[0] + cells[i].kinds[2] + cells[i].kinds[3], 0U);
            const auto types = counts.types(lane, bounds[i], bounds[i + 1]);
            QCOMPARE(types.size(), expected.types.size());
            for (const auto& type : types)
                QCOMPARE(type.count, expected.types.at({type.type, type.fault}));
        }
    }
}

struct PanelBench {
    Yard yard;
    Selection selection;
    TracePanel panel;
    explicit PanelBench(const Theme& theme) : panel(theme, yard.source, selection) {
        panel.resize(1280, 420);
        panel.show();
        (void)QTest::qWaitForWindowExposed(&panel);
    }
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; ++i)
            yard.runTick(count);
        panel.model().catchUp();
    }
    QToolButton* button(const char* name) const { return panel.findChild<QToolButton*>(QLatin1String(name)); }
    TraceLanes& show() {
        button("trace.showLanes")->setChecked(true);
        return look();
    }
    TraceLanes& look() {
        verify(test::catchesUp(panel));
        panel.timeline().rates().finish();
        panel.lanes().counts().finish();
        panel.timeline().refresh();
        panel.lanes().refresh();
        panel.lanes().viewport()->repaint();
        return panel.lanes();
    }
    static void verify(bool holds) { QVERIFY(holds); }
};

} // namespace

class TestLanes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.apply(*qApp); }

    void rowsComeAndGoAtBothEnds() {
        std::mt19937 generator(5);
        const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
        LaneRows rows;
        std::deque<std::uint32_t> plain;
        std::uint32_t low = 100000;
        std::uint32_t high = 100000;
        for (int i = 0; i < 5000; ++i) {
            switch (random() % 5) {
            case 0:
                low -= 1 + random() % 3;
                rows.pushFront(low);
                plain.push_front(low);
                break;
            case 1:
                if (random() % 8 == 0) {
                    const std::uint32_t from = low + random() % 20;
                    rows.dropBefore(from);
                    while (!plain.empty() && plain.front() < from)
                        plain.pop_front();
                    low = std::max(low, from);
                    high = std::max(high, low);
                }
                break;
            default:
                high += 1 + random() % 4;
                rows.pushBack(high);
                plain.push_back(high);
            }
            QCOMPARE(rows.size(), plain.size());
            const std::uint64_t sought = low + random() % (high - low + 5);
            const auto expected = static_cast<std::size_t>(
                std::lower_bound(plain.begin(), plain.end(), sought) - plain.begin());
            QCOMPARE(rows.lowerBound(sought), expected);
            QCOMPARE(rows.lowerBound(sought, expected / 2), expected);
            if (expected < plain.size())
                QCOMPARE(rows[expected], plain[expected]);
        }
    }

    // However rows come and go: a filter, a new run, the oldest let go.
    void countsAreThoseOfAPlainCount() {
        ModelBench b(TraceStore(1500, std::size_t(1) << 30U));
        TraceLaneCounts counts(b.model);
        counts.setActive(true);
        std::mt19937 random(13);
        const char* const filters[] = {"", "type == Damage or type == Say", "to ~ crate*", "sequence < 0"};
        std::uint64_t dropped = 0;
        for (int i = 0; i < 60; ++i) {
            b.run(1 + static_cast<int>(random() % 4), 25);
            if (i % 7 == 3)
                b.setFilter(filters[random() % std::size(filters)]);
            dropped += b.model.store().dropped();
            if (i == 40) {
                b.yard.beginRun();
                b.run(10);
            }
            if (i == 50)
                b.model.clear();
            counts.finish();
            QVERIFY(counts.isDone());
            if (b.model.store().size() > 0)
                compare(b.model, counts, random);
        }
        QVERIFY(dropped > 0);
        counts.setActive(false);
        QCOMPARE(counts.entities(), std::size_t(0));
        b.run(3);
        counts.finish();
        QCOMPARE(counts.entities(), std::size_t(0));
    }

    // Messages that lie on the disk are read back meanwhile, by themselves, and older ones that a filter finds are counted as well.
    void rowsOnTheDiskAreCounted() {
        QTemporaryDir folder;
        ModelBench b{TraceStore(smallMemory(folder))};
        for (int i = 0; i < 40; ++i) {
            b.run(10, 100);
            settle(b.model);
        }
        QVERIFY(!b.model.store().isReady(b.model.store().first()));
        TraceLaneCounts counts(b.model);
        counts.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(counts.isDone(), 30000);
        std::mt19937 random(3);
        compare(b.model, counts, random);
        b.setFilter("type == Damage");
        QTRY_VERIFY_WITH_TIMEOUT(!b.model.isFiltering() && !b.model.isSearchingOlder() && counts.isDone(),
                                 30000);
        compare(b.model, counts, random);
    }

    // A slot of changed() that sets another filter.
    void aListenerMayFilter() {
        ModelBench b;
        TraceLaneCounts counts(b.model);
        int times = 0;
        connect(&counts, &TraceLaneCounts::changed, &counts, [&] {
            if (++times == 2)
                b.setFilter("to == crate_1");
        });
        b.run(50);
        counts.setActive(true);
        counts.finish();
        QVERIFY(times >= 2);
        counts.finish();
        QCOMPARE(counts.entities(), std::size_t(1));
    }

    // The order is that of the first message, and stays while others come.
    void lanesKeepTheirPlaces() {
        ModelBench b;
        TraceLaneCounts counts(b.model);
        counts.setActive(true);
        std::vector<EntityInWorld> before;
        for (int i = 0; i < 30; ++i) {
            b.run(1, 3);
            counts.finish();
            QVERIFY(counts.lanes() >= before.size());
            for (std::size_t lane = 0; lane < before.size(); ++lane)
                QCOMPARE(counts.entity(lane), before[lane]);
            before.clear();
            for (std::size_t lane = 0; lane < counts.lanes(); ++lane)
                before.push_back(counts.entity(lane));
        }
        std::uint64_t last = 0;
        for (std::size_t lane = 0; lane < counts.lanes(); ++lane) {
            const std::uint64_t first = *counts.atOrAfter(lane, 0);
            QVERIFY(lane == 0 || first > last);
            last = first;
        }
    }

    // However many rows there are, one turn of the event loop looks at a bounded number.
    void aTurnCountsSomeRows() {
        ModelBench b;
        b.run(200, 1000);
        const auto rows = static_cast<std::uint64_t>(b.model.rowCount());
        QVERIFY(rows > 2 * TraceLaneCounts::RowsPerTurn);
        TraceLaneCounts counts(b.model);
        counts.setActive(true);
        int turns = 0;
        for (; !counts.isDone(); ++turns) {
            const std::uint64_t before = b.model.store().looks();
            test::turn();
            // At most two of its timer's turns lie between two of ours.
            QVERIFY(b.model.store().looks() - before <= 2 * std::uint64_t(TraceLaneCounts::RowsPerTurn));
        }
        QVERIFY(turns >= 2);
        std::uint64_t sum = 0;
        for (std::size_t lane = 0; lane < counts.lanes(); ++lane)
            sum += counts.count(lane);
        QCOMPARE(sum, rows);
    }

    // More entities than lanes: the first ones are shown, all are counted, and as the first ones go others take their places.
    void moreEntitiesThanLanes() {
        constexpr std::uint32_t Many = TraceLaneCounts::MaxLanes + 100;
        ModelBench b(TraceStore(Many + 50, std::size_t(1) << 30U));
        TraceLaneCounts counts(b.model);
        counts.setActive(true);
        const auto send = [&](std::uint32_t from, std::uint32_t to) {
            for (std::uint32_t i = from; i < to; ++i) {
                Envelope e;
                e.sequence = ++b.yard.sequence;
                e.tick = i / 10;
                e.type = messageIdOf<Died>();
                e.receiver = Yard::entity(1000 + i);
                const Died died;
                const NameId name = b.yard.recorder.names().intern("moth_" + std::to_string(i));
                b.yard.recorder.finish(b.yard.recorder.begin(e, 0, name,
                                                             internShape(std::vector<ShapeHandler>()), &died,
                                                             sizeof died),
                                       0, false);
                if (i % 10 == 9)
                    b.yard.recorder.seal();
            }
            b.yard.recorder.seal();
            b.model.catchUp();
            counts.finish();
        };
        send(0, Many);
        QCOMPARE(counts.lanes(), TraceLaneCounts::MaxLanes);
        QCOMPARE(counts.entities(), std::size_t(Many));
        QCOMPARE(counts.entity(0).entity, Yard::entity(1000));
        QVERIFY(!counts.laneOf({Yard::entity(1000 + Many - 1), 0}));
        send(Many, Many + 200);
        QVERIFY(counts.entities() <= Many + 50 && counts.entities() > Many);
        QVERIFY(!counts.laneOf({Yard::entity(1000), 0}));
        const std::uint32_t first = counts.entity(0).entity.index();
        for (std::size_t lane = 0; lane < counts.lanes(); ++lane)
            QCOMPARE(counts.entity(lane).entity.index(), first + static_cast<std::uint32_t>(lane));
    }

    void lanesAreOffAtFirst() {
        PanelBench b(m_theme);
        b.run(20);
        QVERIFY(!b.panel.lanes().isVisible());
        QVERIFY(!b.panel.saveState().value(QStringLiteral("lanes")).toBool());
        b.show();
        QVERIFY(b.panel.lanes().isVisible());
        // What is switched on comes back; without the timeline there is no scale.
        const QVariantMap state = b.panel.saveState();
        QVERIFY(state.value(QStringLiteral("lanes")).toBool());
        b.button("trace.showTimeline")->setChecked(false);
        QVERIFY(!b.panel.lanes().isVisible());
        QVERIFY(!b.button("trace.showLanes")->isChecked());
        b.panel.restoreState(state);
        QVERIFY(b.panel.lanes().isVisible() && b.panel.timeline().isVisible());
        ActionRegistry registry(m_theme);
        b.panel.addActions(registry);
        QVERIFY(registry.trigger(QStringLiteral("trace.lanes")).ok());
        QVERIFY(!b.panel.lanes().isVisible());
    }

    // The lanes' scale is the timeline's, place by place.
    void aTickStandsBelowItself() {
        PanelBench b(m_theme);
        b.run(200);
        TraceLanes& lanes = b.show();
        TraceTimeline& strip = b.panel.timeline();
        for (const std::uint64_t tick : {1U, 50U, 137U, 200U}) {
            const QPoint above = strip.mapTo(&b.panel, QPoint(static_cast<int>(strip.xOf(tick)), 0));
            const QPoint below = lanes.viewport()->mapTo(&b.panel, QPoint(lanes.xOf(tick), 0));
            QCOMPARE(below.x(), above.x());
        }
        strip.zoomAt(300, 60);
        QVERIFY(strip.span()->last - strip.span()->first < 190);
        const std::uint64_t tick = strip.span()->first + 5;
        QCOMPARE(lanes.viewport()->mapTo(&b.panel, QPoint(lanes.xOf(tick), 0)).x(),
                 strip.mapTo(&b.panel, QPoint(static_cast<int>(strip.xOf(tick)), 0)).x());
    }

    // A click on a message selects what a click on its row does; a click on the name selects the entity.
    void aClickSelects() {
        PanelBench b(m_theme);
        b.run(60, 4);
        TraceLanes& lanes = b.show();
        const TraceModel& model = b.panel.model();
        const std::uint64_t row = *lanes.counts().atOrAfter(1, model.store().first() + 100);
        const RecordView record = model.store().at(row);
        const QPoint at(lanes.xOf(record.tick()) + 1, lanes.laneRect(1).center().y());
        const QString text = lanes.explained(at);
        QTest::mouseClick(lanes.viewport(), Qt::LeftButton, {}, at);
        const std::uint64_t chosen = b.selection.traceSequence();
        QVERIFY(chosen != 0);
        QVERIFY2(text.contains(QStringLiteral("#%1, tick %2").arg(chosen).arg(record.tick())),
                 qPrintable(text));
        const RecordView picked = model.store().at(*model.store().rowOf(chosen));
        QCOMPARE(picked.receiver(), record.receiver());
        QCOMPARE(picked.tick(), record.tick());
        QCOMPARE(b.selection.primary(), std::string(model.context().receiver(picked)));
        QCOMPARE(model.sequence(b.panel.view().currentIndex().row()), chosen);
        QVERIFY(!b.panel.view().isFollowing());
        QCOMPARE(lanes.currentLane(), std::optional<std::size_t>(1));

        QTest::mouseClick(lanes.viewport(), Qt::LeftButton, {}, QPoint(12, lanes.laneRect(2).center().y()));
        QCOMPARE(b.selection.primary(), std::string(model.context().name(lanes.counts().name(2))));
        QCOMPARE(b.selection.traceSequence(), chosen);
        QVERIFY(lanes.explained(QPoint(12, lanes.laneRect(2).center().y()))
                    .contains(QString::fromStdString(b.selection.primary())));
    }

    // Left and right go through the messages of the lane in order, up and down from lane to lane.
    void keysGoFromMessageToMessage() {
        PanelBench b(m_theme);
        b.run(30, 8);
        TraceLanes& lanes = b.show();
        lanes.setFocus();
        const TraceModel& model = b.panel.model();
        QTest::keyClick(&lanes, Qt::Key_Down);
        QTest::keyClick(&lanes, Qt::Key_Down);
        QCOMPARE(lanes.currentLane(), std::optional<std::size_t>(2));
        std::vector<std::uint64_t> own;
        for (int i = 0; i < model.rowCount(); ++i)
            if (model.record(i).receiver() == lanes.counts().entity(2).entity)
                own.push_back(model.sequence(i));
        QVERIFY(own.size() >= 3);
        QTest::keyClick(&lanes, Qt::Key_Home);
        for (const std::uint64_t sequence : own) {
            QCOMPARE(b.selection.traceSequence(), sequence);
            QTest::keyClick(&lanes, Qt::Key_Right);
        }
        QCOMPARE(b.selection.traceSequence(), own.back());
        QTest::keyClick(&lanes, Qt::Key_Left);
        QCOMPARE(b.selection.traceSequence(), own[own.size() - 2]);
        QTest::keyClick(&lanes, Qt::Key_End);
        QCOMPARE(b.selection.traceSequence(), own.back());
        QTest::keyClick(&lanes, Qt::Key_Up);
        QCOMPARE(lanes.currentLane(), std::optional<std::size_t>(1));
        QTest::keyClick(&lanes, Qt::Key_Return);
        QCOMPARE(b.selection.primary(), std::string(model.context().name(lanes.counts().name(1))));
        // To the last lane: it is in sight.
        for (int i = 0; i < 40; ++i)
            QTest::keyClick(&lanes, Qt::Key_PageDown);
        QCOMPARE(lanes.currentLane(), std::optional(lanes.counts().lanes() - 1));
        QVERIFY(lanes.viewport()->rect().contains(lanes.laneRect(lanes.counts().lanes() - 1)));
        QVERIFY(lanes.verticalScrollBar()->value() > 0);
    }

    void aDragBrushes() {
        PanelBench b(m_theme);
        b.run(200);
        TraceLanes& lanes = b.show();
        const int y = lanes.laneRect(1).center().y();
        QTest::mousePress(lanes.viewport(), Qt::LeftButton, {}, QPoint(lanes.xOf(50) + 1, y));
        QTest::mouseMove(lanes.viewport(), QPoint(lanes.xOf(80) + 1, y));
        QTest::mouseMove(lanes.viewport(), QPoint(lanes.xOf(100) + 1, y));
        QTest::mouseRelease(lanes.viewport(), Qt::LeftButton, {}, QPoint(lanes.xOf(100) + 1, y));
        QVERIFY2(b.panel.filterText().startsWith(QStringLiteral("tick >= ")),
                 qPrintable(b.panel.filterText()));
        b.panel.model().catchUp();
        b.look();
        const TraceModel& model = b.panel.model();
        QVERIFY(model.rowCount() > 0);
        QVERIFY(model.tick(0) >= 49 && model.tick(model.rowCount() - 1) <= 101);
        for (std::size_t lane = 0; lane < lanes.counts().lanes(); ++lane)
            QVERIFY(lanes.counts().firstTick(lane) >= 49 && lanes.counts().lastTick(lane) <= 101);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(0));
    }

    // A brushed span is announced in ticks and sequences. Taken back, it leaves the filter, and the other conditions stay.
    void aBrushIsToldAndTakenBack() {
        PanelBench b(m_theme);
        b.run(200);
        QSignalSpy told(&b.panel, &TracePanel::brushChanged);
        const TraceModel& model = b.panel.model();
        const auto firstOf = [&model](std::uint64_t tick) {
            std::uint64_t row = model.store().first();
            while (model.store().at(row).tick() < tick)
                ++row;
            return model.store().at(row).sequence();
        };
        const std::uint64_t first = firstOf(50);
        const std::uint64_t end = firstOf(101);
        for (const char* before : {"", "type == Say", "type == Say or type == Damage"}) {
            b.panel.setFilterText(QLatin1String(before));
            b.panel.model().catchUp();
            QVERIFY(!b.panel.brushed());
            told.clear();
            emit b.panel.timeline().brushed(50, 100);
            b.panel.model().catchUp();
            QCOMPARE(told.count(), 1);
            QVERIFY(b.panel.brushed().has_value());
            QCOMPARE(b.panel.brushed()->firstTick, std::uint64_t(50));
            QCOMPARE(b.panel.brushed()->lastTick, std::uint64_t(100));
            QCOMPARE(b.panel.brushed()->first, first);
            QCOMPARE(b.panel.brushed()->end, end);
            b.panel.clearBrush();
            QVERIFY(!b.panel.brushed());
            QCOMPARE(b.panel.filterText().remove(QLatin1Char('(')).remove(QLatin1Char(')')),
                     QLatin1String(before));
            QVERIFY2(b.panel.filterProblem().isEmpty(), qPrintable(b.panel.filterProblem()));
        }
        // A condition that makes no sense without it goes as well.
        b.panel.setFilterText(QStringLiteral("not (tick >= 50 and tick <= 100)"));
        QVERIFY(b.panel.brushed().has_value());
        b.panel.clearBrush();
        QVERIFY(!b.panel.brushed() && b.panel.filterText().isEmpty());
    }

    // One sentence where no message went to an entity; more entities than lanes are said.
    void whatIsNotThereIsSaid() {
        PanelBench b(m_theme);
        b.run(10);
        TraceLanes& lanes = b.show();
        const QString entities = lanes.summary();
        QCOMPARE(entities, QStringLiteral("%1 entities").arg(lanes.counts().lanes()));
        QCOMPARE(b.panel.findChild<QLabel*>(QStringLiteral("trace.lanes.head"))->text(), entities);
        b.panel.setFilterText(QStringLiteral("to == nobody"));
        b.panel.model().catchUp();
        b.look();
        QCOMPARE(lanes.counts().lanes(), std::size_t(0));
        const auto labels = lanes.viewport()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* l) {
            return l->isVisible() && l->text().startsWith(QStringLiteral("No message that"));
        }));
    }

    // The picture has the colour of each type, and of faults.
    void marksHaveTheColoursOfTheirTypes() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            Theme theme(mode);
            PanelBench b(theme);
            b.run(60, 12);
            TraceLanes& lanes = b.show();
            const QImage picture = lanes.viewport()->grab().toImage();
            const auto has = [&](const QColor& color) {
                for (int x = 0; x < picture.width(); ++x)
                    for (int y = 0; y < picture.height(); ++y)
                        if (picture.pixelColor(x, y).rgb() == color.rgb())
                            return true;
                return false;
            };
            QVERIFY(has(b.panel.timeline().kindColor(0)));
            QVERIFY(has(theme.color(Meaning::Unhandled)));
        }
    }

private:
    Theme m_theme{ThemeMode::Dark};
};

QTEST_MAIN(TestLanes)
#include "tst_lanes.moc"
