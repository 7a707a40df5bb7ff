// What is asked about records that lie on the disk, beside a twin that has them in memory: opened rows, what a handler saw, who changed a value
// and why, and the one selection.
#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QtTest>

#include "tests/trace/older_bench.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/handler_question.h"
#include "widgets/trace/passing_messages.h"
#include "widgets/trace/record_page.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_lines.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"
#include "widgets/trace/why_not_window.h"

#include <algorithm>
#include <functional>
#include <memory>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

AskedComponent healthOf(const char* entity) {
    return {.entity = entity, .component = "Health", .handlers = {{messageIdOf<Damage>(), 0}}};
}

} // namespace

class TestOlderPages : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<OlderBench> m_bench;
    TraceModel& model() { return m_bench->older.model; }
    TraceModel& twin() { return m_bench->twin.model; }

    // None of the rows [begin, end) is in memory any more.
    void forget(std::uint64_t begin, std::uint64_t end) {
        constexpr std::uint64_t Apart = 200; // rows: beyond what is read together with them
        const TraceStore& store = model().store();
        const auto any = [&] {
            for (std::uint64_t row = begin; row < end; ++row)
                if (store.isReady(row))
                    return true;
            return false;
        };
        for (int rounds = 0; any(); ++rounds) {
            QVERIFY2(rounds < 1000, "these rows stay in the cache");
            for (std::uint64_t row = 0; row < store.memoryFirst(); ++row)
                if (row + Apart < begin || row > end + Apart)
                    static_cast<void>(store.at(row));
            store.trim();
        }
    }
    // Neither is the record, nor what it is caused by.
    void forget(std::uint64_t sequence) {
        const std::uint64_t row = *model().store().rowOf(sequence);
        forget(row - std::min<std::uint64_t>(row, 50), row + 1);
    }
    // The first record on the disk that has so many causes above it.
    std::uint64_t caused(std::size_t causes, std::uint64_t from = 0) {
        const TraceStore& all = twin().store();
        for (std::uint64_t row = from; row < model().store().memoryFirst(); ++row)
            if (twin().chainOf(all.at(row).sequence()).size() == causes + 1)
                return all.at(row).sequence();
        return 0;
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
        m_bench = std::make_unique<OlderBench>();
        m_bench->run(900);
        QVERIFY(model().store().memoryFirst() > 8000);
    }
    void cleanupTestCase() {
        m_bench.reset();
        m_theme.reset();
    }

    // However often the list is laid out anew, and under whatever filter.
    void openedRowsAreReadOnce() {
        TraceLines lines(model());
        TraceLines all(twin());
        for (int row = 3; row < 2000; row += 131)
            for (TraceLines* each : {&lines, &all})
                each->setOpen({row, TraceLine::Record}, true);
        QVERIFY(all.count() > twin().rowCount() + 10);
        forget(0, 2000);
        const TraceStore& store = model().store();
        const auto compare = [&] {
            const std::uint64_t looks = store.looks();
            for (int i = 0; i < 3; ++i)
                lines.refresh();
            QCOMPARE(store.looks(), looks);
            all.refresh();
            QCOMPARE(lines.count(), all.count());
            for (int line = 0; line < std::min(all.count(), 2500); ++line)
                QVERIFY(lines.at(line) == all.at(line));
        };
        compare();
        m_bench->setFilter("type == Damage or type == Contact");
        forget(0, 2000);
        compare();
        m_bench->setFilter("");
        forget(0, 2000);
        compare();
        // Closed again.
        for (int row = 3; row < 2000; row += 131)
            for (TraceLines* each : {&lines, &all})
                each->setOpen({row, TraceLine::Record}, false);
        QVERIFY(!lines.anyOpen());
        compare();
    }

    // What a handler saw is looked for in memory alone; the answer says from which tick on.
    void aHandlersQuestionReadsNothing() {
        const TraceStore& store = model().store();
        const TraceStore& all = twin().store();
        forget(0, 2000);
        for (const char* entity : {"crate_1", "crate_5", "bat_1", "nobody"}) {
            const std::uint64_t looks = store.looks();
            HandlerQuestion question(healthOf(entity));
            while (!question.look(store, m_bench->older.yard.recorder.names(), 100)) {}
            QVERIFY(store.looks() - looks <= store.end() - store.memoryFirst() + 10);
            QVERIFY(!store.isReady(0));
            QCOMPARE(question.since(), all.at(store.memoryFirst()).tick());
            const HandlerAnswer& answer = question.answers().at(0);
            std::uint64_t last = 0;
            std::uint64_t count = 0;
            for (std::uint64_t row = store.memoryFirst(); row < store.end(); ++row) {
                const RecordView record = all.at(row);
                if (record.type() != messageIdOf<Damage>()
                    || m_bench->twin.context.receiver(record) != entity)
                    continue;
                last = record.sequence();
                ++count;
            }
            QCOMPARE(answer.last, last);
            QCOMPARE(answer.all, count);
        }
    }
    // Rows that go to the disk before the question has come to them are left out; what comes is always seen.
    void aHandlersQuestionWhileRowsGoToTheDisk() {
        OlderBench b;
        b.run(300);
        const TraceStore& store = b.older.model.store();
        HandlerQuestion question(healthOf("crate_3"));
        for (int round = 0; round < 30; ++round) {
            static_cast<void>(question.look(store, b.older.yard.recorder.names(), 40));
            b.run(20);
        }
        while (!question.look(store, b.older.yard.recorder.names(), 40)) {}
        const TraceStore& all = b.twin.model.store();
        HandlerQuestion whole(healthOf("crate_3"));
        while (!whole.look(all, b.twin.yard.recorder.names(), 1000)) {}
        const HandlerAnswer& answer = question.answers().at(0);
        const HandlerAnswer& expected = whole.answers().at(0);
        QVERIFY(expected.last > 0);
        QCOMPARE(answer.last, expected.last);
        QCOMPARE(answer.saw, expected.saw);
        QCOMPARE(answer.lastTick, expected.lastTick);
        QVERIFY(answer.all > 0 && answer.all < expected.all);
        // Another run begins anew, wherever the rows of the last one lie.
        for (ModelBench* bench : {&b.older, &b.twin})
            bench->yard.beginRun();
        b.run(200);
        while (!question.look(store, b.older.yard.recorder.names(), 40)) {}
        QCOMPARE(question.since(), store.tickOf(store.memoryFirst()));
    }
    // The window shows the same, and its link leads to a message of which the row lies on the disk by then.
    void whyNotOverOlderRows() {
        OlderBench b;
        b.run(300);
        WhyNotWindow window(*m_theme, b.older.model);
        WhyNotSubject subject;
        subject.asked = healthOf("crate_2");
        subject.part = "Health";
        subject.type = "Crate";
        subject.codeOf = [](const std::string&) { return QStringLiteral("Signalbox itself"); };
        subject.sendersOf = [](MessageTypeId) { return std::vector<std::string>{"Touch"}; };
        window.ask(subject);
        const auto last = [&b] {
            const TraceStore& all = b.twin.model.store();
            for (std::uint64_t row = all.end(); row > 0; --row)
                if (const RecordView record = all.at(row - 1);
                    record.type() == messageIdOf<Damage>() && b.twin.context.receiver(record) == "crate_2")
                    return record.sequence();
            return std::uint64_t(0);
        };
        auto& text = *window.findChild<QTextBrowser*>(QStringLiteral("whyNot.text"));
        const auto link = [&] { return QStringLiteral("href=\"record:%1\"").arg(last()); };
        QTRY_VERIFY(text.toHtml().contains(link()));
        const QString before = link();
        b.run(400);
        QVERIFY(before != link());
        QTRY_VERIFY(text.toHtml().contains(link()));
        QVERIFY(!text.toHtml().contains(before));
    }

    // Causes that lie on the disk are read, and then they are those of the twin.
    void causesAreReadBack() {
        const std::uint64_t sequence = caused(2);
        QVERIFY(sequence > 0);
        forget(sequence);
        int depth = 0;
        const RecordPage expected(*m_theme, twin());
        const QString causes = expected.causes(sequence, depth);
        QVERIFY(expected.isComplete());
        const auto read = [&](QString& html) {
            int at = 0;
            const RecordPage page(*m_theme, model());
            html = page.causes(sequence, at);
            return page.isComplete();
        };
        QString html;
        QVERIFY(!read(html));
        QVERIFY(html.contains(QLatin1String("from the disk")));
        QTRY_VERIFY(read(html));
        QCOMPARE(html, causes);
        const auto chain = [&](QString& text) {
            const RecordPage page(*m_theme, model());
            text = page.chain(sequence);
            return page.isComplete();
        };
        QTRY_VERIFY(chain(html));
        QCOMPARE(html, expected.chain(sequence));
    }

    // In words, as other panels get it.
    void aSelectedMessageIsReadBack() {
        const std::uint64_t sequence = caused(1, 4000);
        QVERIFY(sequence > 0);
        forget(sequence);
        const std::optional<ChosenMessage> expected = chosenMessage(twin(), sequence);
        QVERIFY(expected.has_value());
        QVERIFY(!chosenMessage(model(), sequence));
        std::optional<ChosenMessage> chosen;
        QTRY_VERIFY((chosen = chosenMessage(model(), sequence)).has_value());
        QCOMPARE(chosen->sequence, expected->sequence);
        QCOMPARE(chosen->tick, expected->tick);
        QCOMPARE(chosen->sender, expected->sender);
        QCOMPARE(chosen->receiver, expected->receiver);
        QCOMPARE(chosen->type, expected->type);
        QCOMPARE(chosen->handler, expected->handler);
        QCOMPARE(chosen->fields, expected->fields);
        QCOMPARE(chosen->fate, expected->fate);
        QVERIFY(!chosenMessage(model(), model().store().sequenceOf(model().store().end() - 1) + 1000));
    }

    // Another panel selects a message: the list goes there, the details say what the twin's say, and its receiver is selected with it, also
    // under a filter that hides it, and while more comes in.
    void theSelectionReachesOlderRows() {
        QTemporaryDir folder;
        Yard yard;
        Yard other;
        Selection selection;
        Selection unused;
        TracePanel panel(*m_theme, yard.source, selection, TraceStore(smallMemory(folder)));
        TracePanel plain(*m_theme, other.source, unused, TraceStore());
        const auto run = [&](int rounds) {
            for (int i = 0; i < rounds; ++i) {
                for (int k = 0; k < 40; ++k) {
                    yard.runTick(10);
                    other.runTick(10);
                }
                panel.model().catchUp();
                plain.model().catchUp();
                settle(panel.model());
            }
        };
        run(15);
        panel.resize(1280, 500);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const TraceModel& model = panel.model();
        const auto isShown = [&](std::uint64_t sequence) {
            const QModelIndex current = panel.view().currentIndex();
            return current.isValid() && model.sequence(current.row()) == sequence
                   && panel.view().viewport()->rect().contains(panel.view().visualRect(current).center());
        };
        QSignalSpy entities(&selection, &Selection::entitiesChanged);
        int visited = 0;
        for (const char* filter : {"", "type == Died", "to == crate_1"}) {
            panel.setFilterText(QString::fromLatin1(filter));
            for (const std::uint64_t sequence :
                 {std::uint64_t(9), std::uint64_t(2500), std::uint64_t(1200)}) {
                model.store().trim();
                entities.clear();
                selection.setTrace(sequence, QStringLiteral("graph"));
                run(1);
                QTRY_VERIFY(isShown(sequence));
                QTRY_COMPARE(panel.details().sequence(), sequence);
                const RecordView record = plain.model().store().at(*plain.model().store().rowOf(sequence));
                const std::string receiver(plain.model().context().receiver(record));
                QCOMPARE(selection.traceSequence(), sequence);
                if (!receiver.empty())
                    QTRY_COMPARE(selection.entities(), std::vector<std::string>{receiver});
                plain.goTo(sequence);
                const auto says = [](TracePanel& each) { return each.details().toPlainText(); };
                QTRY_COMPARE(says(panel), says(plain));
                QVERIFY(!says(panel).isEmpty());
                ++visited;
            }
        }
        QCOMPARE(visited, 9);
    }
};

QTEST_MAIN(TestOlderPages)
#include "tst_older_pages.moc"
