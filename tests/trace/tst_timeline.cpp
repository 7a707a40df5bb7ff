// The timeline's counts by type against a plain count over the rows, its scale, its colours and what it says of a place.

#include <QtTest>

#include "tests/trace/model_bench.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_rates.h"
#include "widgets/trace/trace_scale.h"
#include "widgets/trace/trace_timeline.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

struct Bench : ModelBench {
    using ModelBench::ModelBench;
    std::map<MessageTypeId, std::size_t> plain(std::uint64_t first, std::uint64_t end) const {
        std::map<MessageTypeId, std::size_t> counts;
        for (int row = 0; row < model.rowCount(); ++row)
            if (const RecordView record = model.record(row); record.sequence() >= first && record.sequence() < end)
                ++counts[record.type()];
        return counts;
    }
};

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_theme.apply(*qApp); }

    void countsAreThoseOfAPlainCount() {
        Bench b(TraceStore(1500, std::size_t(1) << 30U));
        TraceRates rates(b.model);
        std::mt19937 random(13);
        int dropped = 0;
        const char* const filters[] = {"", "type == Damage or type == Say", "to ~ crate*", "sequence < 0"};
        for (int i = 0; i < 60; ++i) {
            b.run(1 + static_cast<int>(random() % 4), 25);
            if (i % 7 == 3)
                b.setFilter(filters[random() % std::size(filters)]);
            dropped += b.model.store().dropped() > 0 ? 1 : 0; // of this run
            if (i == 40) {
                b.yard.beginRun();
                b.run(10);
            }
            rates.finish();
            QVERIFY(rates.isDone());
            const std::uint64_t first = random() % (b.yard.sequence + 1);
            const std::uint64_t end = first + random() % 500;
            const auto expected = b.plain(first, end);
            const auto all = b.plain(0, ~std::uint64_t(0));
            for (const MessageType* type : b.context.types()) {
                const auto found = expected.find(type->id);
                QCOMPARE(rates.count(type->id, first, end), found == expected.end() ? std::size_t(0) : found->second);
            }
            // The most frequent: none outside has more than one inside.
            const std::vector<MessageTypeId> frequent = rates.frequent(2);
            QCOMPARE(frequent.size(), std::min<std::size_t>(2, all.size()));
            for (const auto& [type, count] : all)
                if (std::find(frequent.begin(), frequent.end(), type) == frequent.end())
                    QVERIFY(count <= all.at(frequent.back()));
        }
        QVERIFY(dropped > 0);
    }

    // However the strip is zoomed: round numbers in order, apart, inside, each at its own place.
    void scalesAreRoundAndApart() {
        std::mt19937 random(17);
        for (int i = 0; i < 3000; ++i) {
            const std::uint64_t first = random() % 200000;
            const std::uint64_t last = first + (i % 3 == 0 ? random() % 40 : random() % 100000);
            const double rate = i % 5 == 0 ? 0.0 : std::array{60.0, 30.0, 100.0, 144.0}[random() % 4];
            const std::uint64_t zero = i % 4 == 0 ? random() % 200000 : 0;
            const double pixels = 200.0 + static_cast<double>(random() % 2000);
            const double apart = 90.0;
            const std::vector<ScaleLabel> labels = scaleLabels(first, last, rate, zero, zero != 0, pixels, apart);
            const double perTick = pixels / static_cast<double>(last - first + 1);
            std::set<QString> texts;
            for (std::size_t k = 0; k < labels.size(); ++k) {
                QVERIFY(labels[k].tick >= static_cast<double>(first) - 1e-6 && labels[k].tick <= static_cast<double>(last) + 1.0);
                if (k > 0)
                    QVERIFY((labels[k].tick - labels[k - 1].tick) * perTick >= std::min(apart, perTick) - 1e-6);
                QString number = labels[k].text;
                QCOMPARE(number.endsWith(QStringLiteral(" s")), rate > 0.0);
                if (rate > 0.0)
                    number.chop(2);
                bool ok = false;
                const double value = number.toDouble(&ok);
                QVERIFY2(ok, qPrintable(number));
                // What the text says is where it stands.
                QVERIFY2(std::abs(static_cast<double>(zero) + value * (rate > 0.0 ? rate : 1.0) - labels[k].tick) < 1e-6 * std::max(1.0, labels[k].tick), qPrintable(number));
                QVERIFY2(texts.insert(number).second, qPrintable(number)); // none twice
            }
            // Where there is room for a few there are some.
            if (static_cast<double>(last - first + 1) > 40.0 && pixels > 1000.0)
                QVERIFY(labels.size() >= 3);
        }
    }

    void typesKeepTheirColours() {
        Bench b;
        TraceTimeline strip(m_theme, b.model);
        strip.resize(600, strip.sizeHint().height());
        const auto colours = [&] {
            strip.rates().finish();
            strip.refresh();
            std::map<MessageTypeId, int> kinds;
            for (int kind = 0; kind < TraceTimeline::Kinds; ++kind)
                if (const auto type = strip.kinds()[static_cast<std::size_t>(kind)])
                    kinds[*type] = kind;
            return kinds;
        };
        b.run(30);
        const auto before = colours();
        QVERIFY(before.size() >= 3);
        b.setFilter("type == Say or type == Damage");
        for (const auto& [type, kind] : colours())
            QCOMPARE(kind, before.at(type));
        std::set<QString> seen;
        for (int kind = 0; kind < TraceTimeline::Kinds; ++kind)
            QVERIFY(seen.insert(strip.kindColor(kind).name()).second);
    }

    void aPlaceIsExplainedInNumbers() {
        Bench b;
        TraceTimeline strip(m_theme, b.model);
        strip.resize(600, strip.sizeHint().height());
        b.run(100);
        b.setFilter("type == Say or type == Damage");
        strip.rates().finish();
        strip.refresh();
        const int x = strip.width() / 2;
        // 200 columns for 100 ticks.
        const std::uint64_t tick = 1 + static_cast<std::uint64_t>(x / 3) * 100 / 200;
        std::size_t all = 0;
        for (std::uint64_t row = b.model.store().first(); row < b.model.store().end(); ++row)
            all += b.model.store().at(row).tick() == tick ? 1U : 0U;
        std::map<MessageTypeId, int> shown;
        int total = 0;
        for (int row = 0; row < b.model.rowCount(); ++row)
            if (b.model.record(row).tick() == tick) {
                ++shown[b.model.record(row).type()];
                ++total;
            }
        QVERIFY(total > 0);
        const QString text = strip.explained(x);
        QVERIFY2(text.contains(QStringLiteral("Tick %1, %2 s: %3 of %4 messages shown").arg(tick).arg(static_cast<double>(tick) / 60.0, 0, 'f', 2).arg(total).arg(all)),
                 qPrintable(text));
        for (const auto& [type, count] : shown)
            QVERIFY2(text.contains(QStringLiteral(" %1 %2").arg(count).arg(QString::fromStdString(messageType(type).name))), qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("others")));
        QVERIFY(!text.contains(QStringLiteral("Contact")));
    }

    // The picture has the colour of each shown type, and none of them when nothing is shown.
    void barsHaveTheColoursOfTheirTypes() {
        Bench b;
        TraceTimeline strip(m_theme, b.model);
        strip.resize(600, strip.sizeHint().height());
        b.run(50, 40);
        const auto has = [&](const QColor& color) {
            strip.rates().finish();
            strip.refresh();
            const QImage picture = strip.grab().toImage();
            for (int x = 0; x < picture.width(); ++x)
                for (int y = picture.height() / 3; y < picture.height(); ++y) // below the legend
                    if (picture.pixelColor(x, y).rgb() == color.rgb())
                        return true;
            return false;
        };
        QVERIFY(has(strip.kindColor(0)));
        for (int kind = 0; kind < TraceTimeline::Kinds; ++kind)
            QCOMPARE(has(strip.kindColor(kind)), strip.kinds()[static_cast<std::size_t>(kind)].has_value());
        b.setFilter("sequence < 0");
        for (int kind = 0; kind < TraceTimeline::Kinds; ++kind)
            QVERIFY(!has(strip.kindColor(kind)));
    }

private:
    Theme m_theme{ThemeMode::Dark};
};

QTEST_MAIN(TestTimeline)
#include "tst_timeline.moc"
