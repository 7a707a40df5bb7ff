// A trace file in a window of its own: what was written is shown again, and what cannot be read is said.

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_file_window.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_view.h"

#include <limits>

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

// A live panel, and files beside it.
struct Bench : PanelBench {
    using PanelBench::PanelBench;
    QTemporaryDir dir;
    QString exported(const char* name = "out.jsonl") {
        const QString file = dir.filePath(QLatin1String(name));
        TraceExport writer(panel->model(), file, TraceExport::formatOf(file));
        if (!writer.start())
            return {};
        writer.finish();
        return file;
    }
    QString write(const QByteArray& bytes) {
        const QString path = dir.filePath(QStringLiteral("by hand.jsonl"));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        return path;
    }
};

void readAll(TraceFileWindow& window) {
    while (window.readSome(std::numeric_limits<int>::max())) {
    }
    window.panel().model().catchUp();
}
QByteArray died(int sequence) {
    QByteArray line = "{'sequence':" + QByteArray::number(sequence)
                      + ",'tick':1,'cause':0,'world':'local','type':'Died','sender':null,'receiver':'crate','delivery':'immediate','fields':{},'handlers':[]}\n";
    return line.replace('\'', '"');
}
template <typename T> T* part(TraceFileWindow& window, const char* name) { return window.findChild<T*>(QStringLiteral("traceFile.") + QLatin1String(name)); }

} // namespace

class TestFileWindow : public QObject {
    Q_OBJECT

    static void formsOfFiles() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"out.jsonl", "out.csv"})
            QTest::newRow(name) << QByteArray(name);
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // The list has the same rows in the same words, whichever form the file has.
    void showsWhatWasExported_data() { formsOfFiles(); }
    void showsWhatWasExported() {
        QFETCH(QByteArray, name);
        Bench bench(*m_theme);
        bench.run(200);
        const QString file = bench.exported(name);
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(file));
        QVERIFY(window != nullptr && window->isReading());
        readAll(*window);
        QVERIFY(!window->isReading());
        TraceModel& read = window->panel().model();
        TraceModel& live = bench.panel->model();
        QCOMPARE(read.rowCount(), live.rowCount());
        QVERIFY(read.rowCount() > 1500);
        for (int row = 0; row < read.rowCount(); ++row)
            QCOMPARE(read.context().line(read.record(row)), live.context().line(live.record(row)));
        QVERIFY2(part<QLabel>(*window, "faults")->text().isEmpty(), qPrintable(part<QLabel>(*window, "faults")->text()));
        QVERIFY(!part<QLabel>(*window, "faults")->isVisible());
        QVERIFY(part<QLabel>(*window, "title")->text().contains(QStringLiteral("not of the running world")));
        QVERIFY(window->windowTitle().startsWith(QLatin1String(name)));
        QVERIFY(!part<QProgressBar>(*window, "progress")->isVisible());
    }

    // Marks and comments are there again, can be changed, and are written again. Those of the session stay as they are.
    void showsWhatWasNoted_data() { formsOfFiles(); }
    void showsWhatWasNoted() {
        QFETCH(QByteArray, name);
        Bench bench(*m_theme);
        bench.run(20);
        TraceMarks& live = bench.panel->model().marks();
        live.setComment(5, QStringLiteral("why \"here\"?\nspäte \u0001"));
        live.setComment(12, QStringLiteral("<b>bold</b>"));
        live.setMarked({5, 9}, true);
        const QString file = bench.exported(name);
        const std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(file));
        QVERIFY(window != nullptr);
        readAll(*window);
        TraceMarks& read = window->panel().model().marks();
        QCOMPARE(read.comments(), live.comments());
        QCOMPARE(read.marked(), live.marked());
        QVERIFY(!part<QLabel>(*window, "faults")->isVisible());
        QVERIFY(window->panel().findChild<QToolButton*>(QStringLiteral("trace.markedOnly"))->isVisible());

        const auto bytes = [](const QString& path) {
            QFile opened(path);
            return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray("none");
        };
        const auto writeAgain = [&] {
            const QString path = bench.dir.filePath(QStringLiteral("again ") + QLatin1String(name));
            TraceExport writer(window->panel().model(), path, TraceExport::formatOf(path));
            if (writer.start())
                writer.finish();
            return bytes(path);
        };
        QCOMPARE(writeAgain(), bytes(file));
        read.setComment(5, {});
        read.clearMarked();
        QCOMPARE(writeAgain().count("comment"), 1); // in CSV the name of the column
        QCOMPARE(live.comments().size(), std::size_t(2));
        QCOMPARE(live.marked().size(), std::size_t(2));
    }

    // Notes of messages that the trace does not keep go with them.
    void notesGoWithTheirMessages() {
        Bench bench(*m_theme);
        bench.run(60);
        const std::uint64_t last = bench.yard.sequence;
        bench.panel->model().marks().setMarked({1, last}, true);
        bench.panel->model().marks().setComment(2, QStringLiteral("early"));
        const QString file = bench.exported();
        TraceLimits limits;
        limits.records = 1; // as few as there are in the newest segments
        bench.panel->model().setLimits(limits);
        const std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(file));
        QVERIFY(window != nullptr);
        while (window->readSome(0)) // and so in several segments
            window->panel().model().poll();
        window->panel().model().catchUp();
        const TraceMarks& read = window->panel().model().marks();
        QVERIFY(window->panel().model().store().dropped() > 0);
        QCOMPARE(read.marked(), std::set<std::uint64_t>{last});
        QVERIFY(read.comments().empty());
    }

    void filtersAndFollowsACause() {
        Bench bench(*m_theme);
        bench.run(100);
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.exported()));
        readAll(*window);
        const QString filter = QStringLiteral("type == Damage and outcome == consumed and fields.source ~ phantom*");
        window->panel().setFilterText(filter);
        bench.panel->setFilterText(filter);
        QVERIFY(window->panel().filterProblem().isEmpty());
        QTRY_VERIFY(!window->panel().model().isFiltering() && !bench.panel->model().isFiltering());
        const int rows = window->panel().model().rowCount();
        QVERIFY(rows > 5 && rows == bench.panel->model().rowCount());
        const std::uint64_t sequence = window->panel().model().record(0).sequence();
        QCOMPARE(window->panel().model().chainOf(sequence), bench.panel->model().chainOf(sequence));
    }

    // Neither the selection nor the list of the session sees anything of it.
    void theSessionIsNotTouched() {
        Bench bench(*m_theme);
        bench.run(20);
        const QString file = bench.exported();
        bench.panel->clear();
        bench.selection.setEntity("bat_1", QStringLiteral("test"));
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(file));
        readAll(*window);
        window->panel().goTo(window->panel().model().record(3).sequence());
        QVERIFY(!window->panel().details().toPlainText().isEmpty());
        QCOMPARE(bench.selection.primary(), std::string("bat_1"));
        QCOMPARE(bench.panel->model().rowCount(), 0);
        const std::unique_ptr<QMenu> menu(window->panel().menuFor(3));
        QVERIFY(menu->findChild<QAction*>(QStringLiteral("trace.menu.onlyType")) != nullptr);
        for (const char* live : {"trace.menu.breakType", "trace.menu.sendAgain"})
            QVERIFY(menu->findChild<QAction*>(QLatin1String(live)) == nullptr);
        for (const char* live : {"trace.pause", "trace.clear"})
            QVERIFY(window->findChild<QWidget*>(QLatin1String(live))->isHidden());
        window->panel().setPaused(true);
        QVERIFY(!window->panel().model().isPaused());
    }

    // No link is dead, and none leads where the file says: a place in code is for the person to take.
    void linksOfAFile() {
        Bench bench(*m_theme);
        QByteArray line = died(1);
        line.replace("\"fields\"", "\"site\":\"/etc/passwd:1\",\"through\":\"Update\",\"fields\"");
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.write(line)));
        readAll(*window);
        QCOMPARE(window->panel().model().rowCount(), 1);
        window->panel().goTo(1);
        TraceDetails& details = window->panel().details();
        const QString text = details.toPlainText();
        QVERIFY2(text.contains(QStringLiteral("Update, which is not in the file")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("record it")), qPrintable(text));
        const auto linkOf = [&](const char* words) {
            return details.document()->find(QLatin1String(words)).charFormat().anchorHref();
        };
        QVERIFY(!details.document()->find(QStringLiteral("crate")).isNull());
        QCOMPARE(linkOf("crate"), QString());
        // A handler of the scheme would be called if something was opened.
        QGuiApplication::clipboard()->clear();
        m_opened = 0;
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "opened");
        emit details.anchorClicked(QUrl(linkOf("passwd:1")));
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_opened, 0);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("/etc/passwd:1"));
        const auto& said = *part<QLabel>(*window, "said");
        QVERIFY(said.isVisible());
        QVERIFY2(said.text().contains(QStringLiteral("/etc/passwd:1 is in the clipboard")),
                 qPrintable(said.text()));
        emit window->panel().view().activated(window->panel().model().index(0, 0));
        QVERIFY2(said.text().contains(QStringLiteral("crate is a name in this file")),
                 qPrintable(said.text()));
        // The panel of the session keeps its links.
        bench.run(20);
        bench.panel->goTo(bench.panel->model().record(0).sequence());
        QVERIFY(bench.panel->details().toHtml().contains(QStringLiteral("entity:")));
    }

    void saysWhatCannotBeRead() {
        Bench bench(*m_theme);
        QByteArray more = died(9).replace("\"fields\":{}", "\"fields\":{\"where\":1}");
        const QString file = bench.write(died(1) + "rubbish\n" + died(1) + died(2).replace("Died", "Dyed") + died(3).replace("Died", "Dyed") + died(7) + more);
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(file));
        readAll(*window);
        QCOMPARE(window->panel().model().rowCount(), 3);
        auto* faults = part<QLabel>(*window, "faults");
        const QStringList lines = faults->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0], QStringLiteral("4 lines were left out:"));
        QVERIFY2(lines[1].startsWith(QStringLiteral("Line 2: this is no JSON")), qPrintable(lines[1]));
        QVERIFY2(lines[2].startsWith(QStringLiteral("Line 3: sequence 1 comes after 1")), qPrintable(lines[2]));
        QVERIFY2(lines[3].startsWith(QStringLiteral("Line 4: message type \"Dyed\" is not known here; did you mean Died? (2 lines)")), qPrintable(lines[3]));
        QVERIFY2(lines[4].startsWith(QStringLiteral("and 1 more")), qPrintable(lines[4]));
        QVERIFY(faults->toolTip().contains(QStringLiteral("has no field")));
    }

    void readingCanBeStopped() {
        Bench bench(*m_theme);
        QByteArray bytes;
        for (int i = 1; i <= 20'000; ++i)
            bytes += died(i);
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.write(bytes)));
        QVERIFY(window->readSome(0));
        QVERIFY(part<QLabel>(*window, "title")->text().startsWith(QStringLiteral("Reading by hand.jsonl")));
        QSignalSpy finished(window.get(), &TraceFileWindow::finished);
        part<QPushButton>(*window, "stop")->click();
        QCOMPARE(finished.count(), 1);
        QVERIFY(!window->isReading() && !window->readSome(1000));
        window->panel().model().catchUp();
        const int rows = window->panel().model().rowCount();
        QVERIFY(rows > 0 && rows < 20'000);
        QVERIFY(part<QLabel>(*window, "title")->text().contains(QStringLiteral("stopped before its end")));
    }

    // In the event loop, beside everything else.
    void readsByItself() {
        Bench bench(*m_theme);
        QByteArray bytes;
        for (int i = 1; i <= 30'000; ++i)
            bytes += died(i);
        TraceFileWindow* window = bench.panel->openTraceFile(bench.write(bytes));
        QTRY_VERIFY_WITH_TIMEOUT(!window->isReading(), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(window->panel().model().rowCount(), 30'000, 60000);
        QCOMPARE(window->panel().view().firstVisibleRow(), 0); // it begins at the beginning
        delete window;
    }

    void refusesWhatIsNoFile() {
        Bench bench(*m_theme);
        QSignalSpy problem(bench.panel.get(), &TracePanel::problem);
        QVERIFY(bench.panel->openTraceFile(bench.dir.filePath(QStringLiteral("none"))) == nullptr);
        QVERIFY(bench.panel->openTraceFile(bench.dir.path()) == nullptr);
        QCOMPARE(problem.count(), 2);
        QVERIFY(problem[1][0].toString().contains(QStringLiteral("this is a folder; expected a trace file")));
        // An empty one is one without messages.
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.write({})));
        readAll(*window);
        QCOMPARE(part<QLabel>(*window, "title")->text().section(QLatin1String(" from"), 0, 0), QStringLiteral("by hand.jsonl: 0 messages"));
    }

    // The panel's keys hold in the file's window, on its own rows, and the session's panel sees nothing of them.
    void theKeysAreThoseOfThePanel() {
        Bench bench(*m_theme);
        ActionRegistry registry(*m_theme);
        bench.panel->addActions(registry);
        bench.run(60);
        bench.panel->goTo(7);
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.exported()));
        readAll(*window);
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        TracePanel& panel = window->panel();
        TraceModel& model = panel.model();
        TraceView& view = panel.view();
        const auto key = [&view](Qt::Key pressed, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
            QTest::keyClick(&view, pressed, modifiers);
        };
        const auto current = [&] { return model.sequence(view.currentIndex().row()); };
        view.setFocus();
        panel.goTo(20);
        // Marks.
        key(Qt::Key_M);
        QVERIFY(model.marks().isMarked(20));
        panel.goTo(90);
        key(Qt::Key_M);
        key(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(current(), std::uint64_t(20));
        key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(current(), std::uint64_t(90));
        // The reference, and messages that are ignored.
        key(Qt::Key_T);
        QCOMPARE(model.marks().reference()->sequence, std::uint64_t(90));
        key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(model.isIgnored(model.rowOfSequence(90)));
        QCOMPARE(model.ignored().count(), std::uint64_t(1));
        // A conversation, there and back.
        std::uint64_t next = 0;
        const RecordView from = model.record(model.rowOfSequence(20));
        for (int row = model.rowOfSequence(20) + 1; row < model.rowCount() && next == 0; ++row)
            if (const RecordView to = model.record(row);
                (to.sender() == from.sender() && to.receiver() == from.receiver())
                || (to.sender() == from.receiver() && to.receiver() == from.sender()))
                next = to.sequence();
        QVERIFY(next > 0);
        panel.goTo(20);
        key(Qt::Key_Period);
        QTRY_COMPARE(current(), next);
        key(Qt::Key_Comma);
        QTRY_COMPARE(current(), std::uint64_t(20));
        // A comment.
        key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        auto* comment = panel.findChild<QLineEdit*>(QStringLiteral("trace.comment.text"));
        QTRY_VERIFY(comment->isVisible());
        QTest::keyClicks(comment, QStringLiteral("here"));
        QTest::keyClick(comment, Qt::Key_Return);
        QCOMPARE(model.marks().comment(20), QStringLiteral("here"));
        // The search.
        window->activateWindow();
        view.setFocus();
        QTRY_VERIFY(view.hasFocus());
        key(Qt::Key_F);
        QLineEdit& sought = panel.searchBar().lineEdit();
        QTRY_VERIFY(sought.hasFocus());
        QTest::keyClicks(&sought, QStringLiteral("Damage"));
        QTRY_VERIFY(panel.search().isDone() && panel.search().hits() > 1);
        QTest::keyClick(&sought, Qt::Key_F3);
        const std::uint64_t first = current();
        QVERIFY(panel.search().isHit(first));
        view.setFocus();
        key(Qt::Key_F3, Qt::NoModifier);
        QVERIFY(current() > first && panel.search().isHit(current()));
        key(Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(current(), first);
        // The clipboard and the filter.
        key(Qt::Key_C);
        QCOMPARE(QGuiApplication::clipboard()->text().trimmed(),
                 model.context().line(model.record(model.rowOfSequence(first))));
        key(Qt::Key_Slash);
        QTRY_VERIFY(panel.filterBar().lineEdit().hasFocus());
        // None of it was the session's.
        const TraceModel& live = bench.panel->model();
        QVERIFY(live.marks().marked().empty() && live.marks().comments().empty()
                && !live.marks().reference());
        QCOMPARE(live.ignored().count(), std::uint64_t(0));
        QVERIFY(!bench.panel->searchBar().isVisible());
        QCOMPARE(bench.selection.traceSequence(), std::uint64_t(7));
        // What only a running world can do has no action there.
        QVERIFY(panel.findChild<QToolButton*>(QStringLiteral("trace.more")) == nullptr);
    }

    // Keys that a person has changed, or changes while the window is there, are changed in it too; a window outlives the registry.
    void theKeysFollowThoseOfTheSession() {
        Bench bench(*m_theme);
        auto registry = std::make_unique<ActionRegistry>(*m_theme);
        bench.panel->addActions(*registry);
        bench.run(20);
        registry->setShortcuts(QStringLiteral("trace.mark"), {QKeySequence(Qt::Key_K)});
        std::unique_ptr<TraceFileWindow> window(bench.panel->openTraceFile(bench.exported()));
        readAll(*window);
        QVERIFY(QTest::qWaitForWindowExposed(window.get()));
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        TracePanel& panel = window->panel();
        panel.view().setFocus();
        panel.goTo(5);
        QTest::keyClick(&panel.view(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(panel.model().marks().marked().empty());
        QTest::keyClick(&panel.view(), Qt::Key_K);
        QVERIFY(panel.model().marks().isMarked(5));
        registry->resetShortcuts(QStringLiteral("trace.mark"));
        QTest::keyClick(&panel.view(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(!panel.model().marks().isMarked(5));
        registry.reset();
        QTest::keyClick(&panel.view(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(panel.model().marks().isMarked(5));
        std::unique_ptr<TraceFileWindow> another(bench.panel->openTraceFile(bench.exported()));
        QVERIFY(another != nullptr);
    }

    // The panel's menu has what the registry has by then.
    void theMenuOpensSendsAndExports() {
        Bench bench(*m_theme);
        ActionRegistry registry(*m_theme);
        bench.panel->addActions(registry);
        registry.add({.id = QStringLiteral("trace.send"), .text = QStringLiteral("Send message…")});
        auto* more = bench.panel->findChild<QToolButton*>(QStringLiteral("trace.more"));
        QVERIFY(more != nullptr && more->menu() != nullptr);
        emit more->menu()->aboutToShow();
        QStringList texts;
        for (const QAction* action : more->menu()->actions())
            texts.append(action->text());
        QCOMPARE(texts, (QStringList{QStringLiteral("Open trace…"), QStringLiteral("Export the trace…"), QStringLiteral("Send message…")}));
    }

public slots:
    void opened(const QUrl&) { ++m_opened; }

private:
    std::unique_ptr<Theme> m_theme;
    int m_opened = 0;
};

QTEST_MAIN(TestFileWindow)
#include "tst_file_window.moc"
