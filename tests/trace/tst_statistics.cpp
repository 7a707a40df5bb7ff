// Counts and percentiles of the trace against a second count by hand.

#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

#include "tests/trace/trace_fixture.h"
#include "widgets/common/theme.h"
#include "widgets/trace/cell_bars.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_statistics.h"
#include "widgets/trace/trace_statistics_window.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

using Model = TraceStatisticsModel;

class TestStatistics : public QObject {
    Q_OBJECT

private:
    // By name, as the table has them.
    static std::map<std::string, std::uint64_t> counts(const Model& model) {
        std::map<std::string, std::uint64_t> out;
        for (int row = 0; row < model.rowCount(); ++row)
            out[model.index(row, Model::Name).data(Model::SortRole).toString().toStdString()] =
                model.index(row, Model::Count).data(Model::SortRole).toULongLong();
        return out;
    }
    static std::map<std::string, std::uint64_t> byHand(const TraceModel& trace, Model::By by) {
        std::map<std::string, std::uint64_t> out;
        const TraceContext& context = trace.context();
        for (int row = 0; row < trace.rowCount(); ++row) {
            if (trace.isIgnored(row))
                continue;
            const RecordView record = trace.record(row);
            switch (by) {
            case Model::By::Type:
                ++out[context.type(record).name];
                break;
            case Model::By::Sender:
                ++out[std::string(context.sender(record))];
                break;
            case Model::By::Receiver:
                ++out[std::string(context.receiver(record))];
                break;
            case Model::By::Handler:
                for (const HandlerVisit visit : record.visits())
                    if (visit.result != HandlerResult::NotReached)
                        ++out[std::string(context.name(visit.component))];
                break;
            }
        }
        return out;
    }

private slots:
    // Against the sorted list itself, for times over six orders of magnitude.
    void percentiles() {
        std::mt19937 random(5);
        std::lognormal_distribution<double> times(8.0, 2.0);
        TimeHistogram histogram;
        std::vector<std::uint32_t> all;
        QCOMPARE(histogram.percentile(0.5), 0.0);
        for (int i = 0; i < 5000; ++i) {
            all.push_back(1 + static_cast<std::uint32_t>(std::min(times(random), 4e9)));
            histogram.add(all.back());
        }
        histogram.add(0); // not timed
        std::sort(all.begin(), all.end());
        QCOMPARE(histogram.count(), std::uint64_t(5000));
        QCOMPARE(histogram.maximum(), all.back());
        for (const double share : {0.01, 0.25, 0.5, 0.95, 0.99, 1.0}) {
            const double exact = all[static_cast<std::size_t>(std::ceil(share * 5000.0)) - 1];
            QVERIFY2(std::abs(histogram.percentile(share) / exact - 1.0) < 0.05, qPrintable(QString::number(share)));
        }
        TimeHistogram one;
        one.add(1);
        QCOMPARE(one.percentile(1.0), 1.0);
        one.add(0xFFFFFFFF);
        QCOMPARE(one.maximum(), 0xFFFFFFFF);
    }

    void everyMessageIsCountedOnce() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel trace(context);
        Model model(trace);
        model.setActive(true);
        for (int i = 0; i < 30; ++i) {
            yard.runTick(20);
            trace.catchUp();
            if (i % 7 == 0)
                model.catchUp(); // as they come
        }
        for (const Model::By by : {Model::By::Type, Model::By::Sender, Model::By::Receiver, Model::By::Handler}) {
            model.setBy(by);
            model.catchUp();
            QCOMPARE(counts(model), byHand(trace, by));
            QCOMPARE(model.total(), static_cast<std::uint64_t>(trace.rowCount()));
        }
        model.setBy(Model::By::Type);
        model.catchUp();
        std::map<std::string, double> bytes;
        for (int row = 0; row < trace.rowCount(); ++row)
            bytes[context.type(trace.record(row)).name] +=
                static_cast<double>(trace.record(row).payloadSize());
        std::array<double, Model::ColumnCount> longest{};
        double share = 0.0;
        double rate = 0.0;
        for (int row = 0; row < model.rowCount(); ++row) {
            share += model.index(row, Model::Share).data(Model::SortRole).toDouble();
            rate += model.index(row, Model::Rate).data(Model::SortRole).toDouble();
            const double carried = model.index(row, Model::Bytes).data(Model::SortRole).toDouble();
            QCOMPARE(carried, bytes.at(model.index(row, Model::Name).data().toString().toStdString()));
            QCOMPARE(model.index(row, Model::Bytes).data().toString(),
                     QStringLiteral("%L1").arg(static_cast<qulonglong>(carried)));
            for (const int column : {Model::Count, Model::Share, Model::Bytes, Model::Rate}) {
                double largest = 0.0;
                for (int other = 0; other < model.rowCount(); ++other)
                    largest = std::max(largest, model.index(other, column).data(Model::SortRole).toDouble());
                const double bar = model.index(row, column).data(Model::BarRole).toDouble();
                QVERIFY(std::abs(bar * largest - model.index(row, column).data(Model::SortRole).toDouble())
                        < 1e-9);
                longest[static_cast<std::size_t>(column)] =
                    std::max(longest[static_cast<std::size_t>(column)], bar);
            }
            // Nothing was timed.
            QVERIFY(!model.index(row, Model::High).data(Model::BarRole).isValid()
                    && !model.index(row, Model::Name).data(Model::BarRole).isValid());
        }
        QVERIFY(std::abs(share - 100.0) < 1e-9);
        for (const int column : {Model::Count, Model::Share, Model::Bytes, Model::Rate})
            QCOMPARE(longest[static_cast<std::size_t>(column)], 1.0);
        const std::uint64_t ticks = trace.record(trace.rowCount() - 1).envelope().tick - trace.record(0).envelope().tick + 1;
        QVERIFY(std::abs(rate - static_cast<double>(trace.rowCount()) * yard.source.ticksPerSecond() / static_cast<double>(ticks)) < 1e-6);
    }

    // What the trace lets go of stays counted, and the window says so.
    void whatTheTraceLetsGo() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel trace(context, TraceStore(200));
        Theme theme(ThemeMode::Dark);
        TraceStatisticsWindow window(theme, trace, nullptr);
        Model& model = window.model();
        model.setActive(true);
        const auto* said = window.findChild<QLabel*>(QStringLiteral("trace.statistics.totals"));
        std::uint64_t all = 0;
        for (int i = 0; i < 80; ++i) {
            const std::uint64_t before = yard.sequence;
            yard.runTick(9);
            all += yard.sequence - before;
            trace.catchUp();
            model.catchUp();
            QCOMPARE(model.total(), all);
            QCOMPARE(model.letGo(), all - static_cast<std::uint64_t>(trace.rowCount()));
            QCOMPARE(said->text().contains(QStringLiteral("has let go of %L1 of them").arg(model.letGo())),
                     model.letGo() > 0);
        }
        QVERIFY(model.letGo() > 300 && trace.rowCount() <= 200);
        QVERIFY2(said->text().startsWith(QStringLiteral("%L1 messages since tick 1 that").arg(all)),
                 qPrintable(said->text()));
        // Another count begins with what is held.
        model.setBy(Model::By::Sender);
        model.catchUp();
        QCOMPARE(model.total(), static_cast<std::uint64_t>(trace.rowCount()));
        QCOMPARE(model.letGo(), std::uint64_t(0));
        QVERIFY(!said->text().contains(QStringLiteral("let go")));
        // Smaller bounds let go without a new message.
        TraceLimits limits = trace.store().limits();
        const std::uint64_t counted = model.total();
        limits.records = 20;
        trace.setLimits(limits);
        trace.catchUp();
        QTRY_VERIFY(model.letGo() > 0);
        QCOMPARE(model.total(), counted);
        QCOMPARE(model.letGo(), counted - static_cast<std::uint64_t>(trace.rowCount()));
        trace.clear();
        QTRY_COMPARE(model.total(), std::uint64_t(0));
        QCOMPARE(model.letGo(), std::uint64_t(0));
    }

    // Rows that are ignored do not count, whichever go and come; the window says how many it passed over.
    void ignoredRowsDoNotCount() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel trace(context, TraceStore(400));
        Theme theme(ThemeMode::Dark);
        TraceStatisticsWindow window(theme, trace, nullptr);
        Model& model = window.model();
        model.setActive(true);
        const auto* said = window.findChild<QLabel*>(QStringLiteral("trace.statistics.totals"));
        const auto ignoredRows = [&trace] {
            std::uint64_t count = 0;
            for (int row = 0; row < trace.rowCount(); ++row)
                count += trace.isIgnored(row) ? 1U : 0U;
            return count;
        };
        const auto ignore = [&trace](int first, int count, bool on) {
            trace.ignored().set(RowRuns::of(trace.storeRows(), static_cast<std::size_t>(first),
                                            static_cast<std::size_t>(first + count)),
                                on);
        };
        std::mt19937 random(8);
        for (int i = 0; i < 60; ++i) {
            yard.runTick(15);
            trace.catchUp();
            const int at = static_cast<int>(random() % static_cast<unsigned>(trace.rowCount()));
            ignore(at, std::min(6, trace.rowCount() - at), i % 4 != 3);
            model.setBy(static_cast<Model::By>(i % 4));
            model.catchUp();
            QCOMPARE(counts(model), byHand(trace, model.by()));
            QCOMPARE(model.total(), static_cast<std::uint64_t>(trace.rowCount()) - ignoredRows());
            QCOMPARE(model.ignored(), ignoredRows());
            QCOMPARE(model.letGo(), std::uint64_t(0));
            QVERIFY2(said->text().contains(QStringLiteral("without %L1 that are ignored").arg(ignoredRows())),
                     qPrintable(said->text()));
        }
        QVERIFY(trace.store().dropped() > 0 && model.ignored() > 20);
        // What goes while it counts: those that were counted stay, those that were ignored are forgotten.
        std::uint64_t counted = model.total();
        for (int i = 0; i < 40; ++i) {
            const std::uint64_t before = yard.sequence;
            yard.runTick(15);
            counted += yard.sequence - before;
            trace.catchUp();
            model.catchUp();
            QCOMPARE(model.total(), counted);
            QCOMPARE(model.ignored(), ignoredRows());
            QCOMPARE(model.letGo(), counted - (static_cast<std::uint64_t>(trace.rowCount()) - ignoredRows()));
        }
        QVERIFY(model.letGo() > 300);
        // All of them: it comes to an end, counts none, and goes on with what comes.
        ignore(0, trace.rowCount(), true);
        model.catchUp();
        QCOMPARE(model.total(), std::uint64_t(0));
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(said->text(), QStringLiteral("All messages that the trace shows are ignored"));
        const std::uint64_t before = yard.sequence;
        yard.runTick(15);
        trace.catchUp();
        model.catchUp();
        QCOMPARE(model.total(), yard.sequence - before);
        QCOMPARE(model.letGo(), std::uint64_t(0));
        ignore(0, trace.rowCount(), true);
        model.catchUp();
        trace.clear();
        QTRY_COMPARE(said->text(), QStringLiteral("Nothing is shown in the trace yet"));
    }

    // As long as the number's share, of the colour that leaves the text its contrast, in both themes and where the row is selected.
    void barsBehindNumbers() {
        for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
            Theme theme(mode);
            theme.apply(*qApp);
            for (const Token ground :
                 {Token::Surface, Token::Ground, Token::Raised, Token::Selection, Token::SelectionInactive})
                QVERIFY(contrastRatio(theme.color(Token::Text), cellBarColor(theme, theme.color(ground)))
                        >= 4.5);
            QVERIFY(cellBarColor(theme, theme.color(Token::Surface)) != theme.color(Token::Surface));
            Yard yard;
            TraceContext context(yard.source);
            TraceModel trace(context);
            TraceStatisticsWindow window(theme, trace, nullptr);
            yard.runTick(200);
            trace.catchUp();
            window.show();
            window.model().catchUp();
            QTreeView& table = window.table();
            const QImage seen = table.viewport()->grab().toImage();
            QVERIFY(table.model()->rowCount() > 2);
            for (int row = 0; row < table.model()->rowCount(); ++row) {
                const QModelIndex cell = table.model()->index(row, Model::Bytes);
                const QRect at = table.visualRect(cell);
                const QColor ground = seen.pixelColor(at.left() + 1, at.top() + 1);
                int wide = 0;
                for (int x = at.left(); x <= at.right(); ++x)
                    wide += seen.pixelColor(x, at.top() + 3) != ground ? 1 : 0;
                const double share = cell.data(Model::BarRole).toDouble();
                QVERIFY2(std::abs(wide - share * (at.width() - 4)) <= 1.0,
                         qPrintable(QStringLiteral("%1 of %2").arg(wide).arg(share)));
            }
        }
    }

    // The filter decides; each row's condition leaves what it counts.
    void theFilterIsFollowed() {
        Yard yard;
        TraceContext context(yard.source);
        TraceModel trace(context);
        Model model(trace);
        model.setActive(true);
        for (int i = 0; i < 20; ++i)
            yard.runTick(20);
        trace.catchUp();
        const auto filterBy = [&](const QString& text) {
            Result<Filter> filter = Filter::compile(text.toStdString(), context.schema());
            QVERIFY2(filter.ok(), qPrintable(text));
            trace.setFilter(std::move(*filter));
            trace.catchUp();
            model.catchUp();
        };
        for (const Model::By by : {Model::By::Type, Model::By::Sender, Model::By::Receiver, Model::By::Handler}) {
            filterBy(QString());
            model.setBy(by);
            model.catchUp();
            const auto all = counts(model);
            for (int row = 0; row < model.rowCount(); row += 3) {
                const QString condition = model.conditionOf(row);
                const std::string name = model.index(row, Model::Name).data(Model::SortRole).toString().toStdString();
                if (condition.isEmpty()) {
                    QVERIFY(name.empty());
                    continue;
                }
                filterBy(condition);
                // A component that passed the message on and one that was not reached are not told apart by the condition.
                QVERIFY(by == Model::By::Handler ? model.total() >= all.at(name) : model.total() == all.at(name));
                filterBy(QString());
            }
        }
        trace.clear();
        QTRY_COMPARE(model.total(), std::uint64_t(0));
        QCOMPARE(model.rowCount(), 0);
        yard.runTick(10);
        trace.catchUp();
        model.catchUp();
        QCOMPARE(model.total(), static_cast<std::uint64_t>(trace.rowCount()));
        yard.beginRun();
        yard.runTick(15);
        trace.catchUp();
        model.catchUp();
        QCOMPARE(model.total(), static_cast<std::uint64_t>(trace.rowCount()));
    }
};

QTEST_MAIN(TestStatistics)
#include "tst_statistics.moc"
