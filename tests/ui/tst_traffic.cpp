// Message traffic on the real window beside the player: the same numbers, lines and digest, whatever is watched; and a tick that stands
// between handlers. Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/handler_stop_window.h"
#include "app/editor/main_window.h"
#include "engine/core/log.h"
#include "engine/session/breakpoints.h"
#include "tests/copy_folder.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/notice.h"
#include "widgets/common/selection.h"
#include "widgets/common/session_feed.h"
#include "widgets/console/console_panel.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/gl_target.h"
#include "widgets/viewport/viewport_panel.h"

#include <atomic>
#include <memory>
#include <vector>

using namespace sbx;

namespace {
constexpr int Patience = 60000; // ms; a loaded machine draws slowly
constexpr std::uint64_t Ticks = 120;
} // namespace

class TestUiTraffic : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::TraceModel& model() { return window().trace().model(); }
    editor::HandlerStopWindow& stopWindow() { return *window().findChild<editor::HandlerStopWindow*>(); }
    template <typename T> T* find(const QString& name) { return window().findChild<T*>(name); }
    void trigger(const char* id) {
        QAction* action = m_editor->actions().find(QLatin1String(id));
        QVERIFY(action != nullptr);
        action->trigger();
    }
    void execute(const std::string& line) {
        auto done = std::make_shared<std::atomic<bool>>(false);
        m_editor->execute(line, [done](const ConsoleReply&) { *done = true; });
        QTRY_VERIFY_WITH_TIMEOUT(*done, Patience);
    }
    std::uint64_t tick() { return m_editor->feed().frame().tick; }
    void picture(const QString& name) {
        const QDir folder(sbx::test::qBuildPath("screenshots"));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        QVERIFY(stopWindow().grab().save(folder.filePath(name)));
    }
    // The amount of the damage, in the window of the stop.
    QLineEdit* amount() {
        auto* const editor = find<ui::FieldEditor>(QStringLiteral("handlerStop.field.amount"));
        return editor == nullptr ? nullptr : editor->findChild<QLineEdit*>(QStringLiteral("input"));
    }
    void typeAmount(const QString& text) {
        amount()->setFocus();
        amount()->selectAll();
        QTest::keyClicks(amount(), text);
    }
    // Messages of the trace as the player writes them, up to that tick.
    QStringList lines(std::uint64_t until) {
        model().catchUp();
        QStringList out;
        for (int row = 0; row < model().rowCount(); ++row)
            if (const RecordView record = model().record(row); record.tick() <= until)
                out += QString::fromStdString(model().context().json(record));
        return out;
    }
    std::uint64_t digest() {
        std::atomic<std::uint64_t> out{0};
        std::atomic<bool> done{false};
        m_editor->feed().post([&](Session& s) {
            out = s.world().digest();
            done = true;
        });
        [&] { QTRY_VERIFY_WITH_TIMEOUT(done, Patience); }();
        return out;
    }

private slots:
    void initTestCase() {
        const QString folder = m_dir.filePath(QStringLiteral("courtyard"));
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), folder);
        editor::Options options;
        options.project = folder.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().shown().idOf("phantom") != 0, Patience);
    }
    void cleanupTestCase() { m_editor.reset(); }
    void cleanup() {
        if (m_editor == nullptr)
            return;
        // Ended first: a tick may stand, and lines wait for its end.
        trigger("play.stop");
        execute("unbreak all");
        // A picture that was made after that: an older one may be of the time before the run.
        const auto before = m_editor->feed().sharedFrame();
        m_editor->feed().post([](Session&) {});
        QTRY_VERIFY_WITH_TIMEOUT(
            m_editor->feed().sharedFrame() != before && m_editor->feed().mode() == Mode::Edit, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!stopWindow().isVisible(), Patience);
    }

    // Stepped and played, with panels opened and closed, entities selected, values watched, a breakpoint armed: the trace is that of
    // the player, number by number.
    void theSameAsInThePlayer() {
        const QString trace = m_dir.filePath(QStringLiteral("t.jsonl"));
        const QString digests = m_dir.filePath(QStringLiteral("digests"));
        QProcess player;
        player.start(sbx::test::qBuildPath("bin/signalbox-player"),
                     {m_dir.filePath(QStringLiteral("courtyard")), QStringLiteral("--headless"),
                      QStringLiteral("--ticks"), QString::number(Ticks), QStringLiteral("--trace"), trace,
                      QStringLiteral("--digest"), digests});
        QVERIFY(player.waitForFinished(Patience));
        QVERIFY2(player.exitCode() == 0, player.readAllStandardError().constData());
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList expected = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(expected.size() > 50);
        QFile hashes(digests);
        QVERIFY(hashes.open(QIODevice::ReadOnly));
        const QByteArray last = hashes.readAll().trimmed().split('\n').last();

        execute("break.at * type == Damage and fields.amount > 1e6");
        execute("watch phantom.position.x");
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t before = tick();
            trigger("play.step");
            QTRY_VERIFY_WITH_TIMEOUT(tick() > before, Patience);
            m_editor->selection().setEntity(i % 2 == 0 ? "phantom" : "shielded_crate_1",
                                            QStringLiteral("test"));
        }
        trigger("play.start");
        for (const char* panel : {"dock.graph", "dock.probe", "dock.console", "dock.trace"}) {
            const std::uint64_t before = tick();
            find<QWidget>(QLatin1String(panel))->show();
            find<QWidget>(QLatin1String(panel))->raise();
            QTRY_VERIFY_WITH_TIMEOUT(tick() >= std::min(before + 10, Ticks - 20), Patience);
        }
        trigger("play.pause");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Pause, Patience);
        while (tick() < Ticks) {
            const std::uint64_t before = tick();
            trigger("play.step");
            QTRY_VERIFY_WITH_TIMEOUT(tick() > before, Patience);
        }
        const QStringList got = lines(Ticks);
        if (tick() == Ticks) { // play may have gone further on a quick machine
            QCOMPARE(QByteArray::number(qulonglong(Ticks)) + " local "
                         + QByteArray::number(qulonglong(digest()), 16).rightJustified(16, '0'),
                     last);
        }
        for (qsizetype i = 0; i < std::min(got.size(), expected.size()); ++i)
            QCOMPARE(got[i], expected[i]);
        QCOMPARE(got.size(), expected.size());
    }

    // The first hit of the phantom, read, refused, changed, stepped and dropped.
    void aTickStandsBetweenHandlers() {
        execute("break.at * type == Damage and to == shielded_crate_1");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        const auto title = [&] { return find<QLabel>(QStringLiteral("handlerStop.title"))->text(); };
        QVERIFY2(title().contains(QStringLiteral("<b>Relay</b>"))
                     && title().contains(QStringLiteral("<b>Damage</b>")),
                 qPrintable(title()));
        QVERIFY(
            find<QLabel>(QStringLiteral("handlerStop.origin"))->text().contains(QStringLiteral("phantom")));
        picture(QStringLiteral("handler_stop_dark.png"));
        QVERIFY(amount()->isVisible());
        trigger("view.themeLight");
        QTRY_VERIFY_WITH_TIMEOUT(amount()->isVisible(), Patience);
        QApplication::processEvents();
        picture(QStringLiteral("handler_stop_light.png"));
        QCOMPARE(amount()->text().toDouble(), 5.0);
        typeAmount(QStringLiteral("a lot"));
        trigger("view.themeDark"); // another theme takes nothing away that was typed
        QCOMPARE(amount()->text(), QStringLiteral("a lot"));
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.step")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>(QStringLiteral("handlerStop.fault"))->text().isEmpty(),
                                 Patience);
        QVERIFY(title().contains(QStringLiteral("<b>Relay</b>")));
        QCOMPARE(amount()->text(), QStringLiteral("a lot"));
        typeAmount(QStringLiteral("7"));
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.step")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(title().contains(QStringLiteral("<b>Shield</b>")), Patience);
        QCOMPARE(amount()->text().toDouble(), 7.0);
        trigger("play.step"); // as the button
        QTRY_VERIFY_WITH_TIMEOUT(!title().contains(QStringLiteral("<b>Shield</b>")), Patience);
        auto* const remove = find<QPushButton>(QStringLiteral("handlerStop.remove"));
        QVERIFY(!remove->isVisible()); // a step came here, no breakpoint
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.continue")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(remove->isVisible(), Patience); // the next hit
        QTest::mouseClick(remove, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!stopWindow().isVisible(), Patience);
    }

    // The window of a stop neither takes the keyboard nor covers the line that is being typed; keys of the main window answer it with what
    // was changed in it.
    void whatIsBeingTypedStays() {
        execute("break.at * type == Damage and to == shielded_crate_1");
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        window().dock(QStringLiteral("dock.console"))->show();
        window().dock(QStringLiteral("dock.console"))->raise();
        window().console().focusInput();
        auto* const line = find<QLineEdit>(QStringLiteral("console.input"));
        QTRY_VERIFY_WITH_TIMEOUT(line->hasFocus(), Patience);
        QTest::keyClicks(line, QStringLiteral("half of"));
        stopWindow().move(line->mapToGlobal(QPoint())); // where the last one was left
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        QVERIFY(QTest::qWaitForWindowExposed(&stopWindow()));
        QVERIFY(!stopWindow().isActiveWindow() && window().isActiveWindow());
        QVERIFY(QApplication::focusWidget() == line);
        QVERIFY(!stopWindow().geometry().intersects(QRect(line->mapToGlobal(QPoint()), line->size())));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral(" a line"));
        QCOMPARE(line->text(), QStringLiteral("half of a line"));
        const std::uint64_t first = m_editor->feed().session().stops().stopped()->number;
        typeAmount(QStringLiteral("0.5"));
        trigger("play.step"); // F10
        const auto now = [&] { return m_editor->feed().session().stops().stopped(); };
        const auto* const title = find<QLabel>(QStringLiteral("handlerStop.title"));
        QTRY_VERIFY_WITH_TIMEOUT(title->text().contains(QStringLiteral("<b>Shield</b>")), Patience);
        QCOMPARE(now()->number, first + 1);
        QCOMPARE(now()->fields.front().value, std::string("0.5"));
        QCOMPARE(line->text(), QStringLiteral("half of a line"));
        line->clear();
    }

    // It is plain that the tick stands, and what is asked for meanwhile is said to wait.
    void whatWaitsIsSaid() {
        const auto mode = [&] { return find<QLabel>(QStringLiteral("status.mode"))->text(); };
        const auto hint = [&] { return find<QLabel>(QStringLiteral("status.hint"))->text(); };
        const auto logged = [&](const std::string& text) {
            for (const LogRecord& record : m_editor->log().since(0))
                if (record.text.find(text) != std::string::npos)
                    return true;
            return false;
        };
        execute("break.at Shield type == Damage and to == shielded_crate_1");
        QCOMPARE(mode(), QStringLiteral("Edit"));
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        QCOMPARE(mode(), QStringLiteral("Stopped before Shield handles Damage"));
        auto* const line = find<QLineEdit>(QStringLiteral("console.input"));
        line->setText(QStringLiteral("echo here at last"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(logged("waits until the tick goes on: echo here at last"));
        QVERIFY(!logged("> echo here at last"));
        QVERIFY2(hint().startsWith(QStringLiteral("Waits until the tick goes on")), qPrintable(hint()));
        trigger("play.pause");
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.continue")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(logged("> echo here at last"), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Pause, Patience);
        QTRY_COMPARE_WITH_TIMEOUT(mode(), QStringLiteral("Paused"), Patience);
    }

    // Sent again as it was changed in the form, in the next tick, where the breakpoint finds it; the one that stands is left as it is.
    void sentAgainInTheNextTick() {
        execute("break.at Shield type == Damage and to == shielded_crate_1");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        const std::uint64_t tickOfFirst = m_editor->feed().session().stops().stopped()->tick;
        typeAmount(QStringLiteral("0.25"));
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.again")), Qt::LeftButton);
        typeAmount(QStringLiteral("5.0"));
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.continue")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().session().stops().stopped() != nullptr
                                     && stopWindow().isVisible() && amount() != nullptr
                                     && amount()->text().toDouble() == 0.25,
                                 Patience);
        const auto again = m_editor->feed().session().stops().stopped();
        QCOMPARE(again->tick, tickOfFirst + 1);
        QCOMPARE(again->sender, std::string()); // by hand
    }

    // Dropped: the trace says so, and the world goes on without it. Then play is ended in the middle of a tick.
    void droppedAndEndedInTheMiddle() {
        execute("break.at Shield type == Damage and to == shielded_crate_1");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        QTest::mouseClick(find<QPushButton>(QStringLiteral("handlerStop.drop")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                model().catchUp();
                for (int row = 0; row < model().rowCount(); ++row)
                    if (model().record(row).dropped())
                        return true;
                return false;
            }(),
            Patience);
        // The next hit, once the window shows it: that stays for a moment after the one before.
        const auto* const title = find<QLabel>(QStringLiteral("handlerStop.title"));
        const QString first = QStringLiteral("Tick 1 ");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().session().stops().stopped() != nullptr
                                     && !title->text().startsWith(first) && stopWindow().isVisible(),
                                 Patience);
        trigger("play.stop");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Edit, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!stopWindow().isVisible(), Patience);
    }

    // The notice of a breakpoint takes back that one, whatever was set since; one that could not be set is said not to be.
    void aBreakpointIsTakenBack() {
        const auto numbers = [this] {
            auto out = std::make_shared<std::vector<int>>();
            auto done = std::make_shared<std::atomic<bool>>(false);
            m_editor->feed().post([out, done](Session& session) {
                for (const Breakpoint& each : session.breakpoints().list())
                    out->push_back(each.number);
                *done = true;
            });
            [&] { QTRY_VERIFY_WITH_TIMEOUT(*done, Patience); }();
            return *out;
        };
        const auto notice = [this](const char* words) -> const ui::Notice* {
            for (const ui::Notice& each : m_editor->notices().live())
                if (each.text.contains(QString::fromUtf8(words)))
                    return &each;
            return nullptr;
        };
        for (const bool before : {false, true}) {
            if (before)
                emit window().trace().stopRequested(QStringLiteral("Shield"),
                                                    QStringLiteral("sender == \"a\u202Eb\""));
            else
                emit window().trace().breakRequested(QStringLiteral("sender == \"a\u202Eb\""));
            // Text that turns the reading order is shown by its number.
            QTRY_VERIFY_WITH_TIMEOUT(notice("u202e") != nullptr && notice("\u202E") == nullptr, Patience);
            const ui::Notice set = *notice("u202e");
            const std::vector<int> first = numbers();
            QCOMPARE(first.size(), std::size_t(1));
            execute("break type == Push");
            QCOMPARE(numbers().size(), std::size_t(2));
            set.action();
            QTRY_COMPARE_WITH_TIMEOUT(numbers().size(), std::size_t(1), Patience);
            QVERIFY(numbers().front() != first.front());
            set.action(); // once more, it takes nothing else
            execute("echo");
            QCOMPARE(numbers().size(), std::size_t(1));
            execute("unbreak all");
            m_editor->notices().dismissContext(QStringLiteral("break"));
        }
        emit window().trace().breakRequested(QStringLiteral("type =="));
        QTRY_VERIFY_WITH_TIMEOUT(notice("No breakpoint was set") != nullptr, Patience);
        QVERIFY(notice("Play pauses") == nullptr && notice("The tick stops") == nullptr);
        QVERIFY(numbers().empty());
        m_editor->notices().dismissContext(QStringLiteral("break"));
    }

    // From the row of a message: stop before whoever handles the next one like it.
    void setFromTheMenuOfARow() {
        trigger("play.start");
        int hit = -1;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                model().catchUp();
                for (int row = 0; row < model().rowCount() && hit < 0; ++row)
                    if (messageType(model().record(row).type()).name == "Damage")
                        hit = row;
                return hit >= 0;
            }(),
            Patience);
        const std::unique_ptr<QMenu> menu(window().trace().menuFor(hit));
        auto* const stop = menu->findChild<QAction*>(QStringLiteral("trace.stop.Shield"));
        QVERIFY(stop != nullptr);
        stop->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        QVERIFY(find<QLabel>(QStringLiteral("handlerStop.title"))
                    ->text()
                    .contains(QStringLiteral("<b>Shield</b>")));
        stopWindow().close();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_editor->feed().session().stops().stopped() == nullptr || stopWindow().isVisible(), Patience);
    }

    // The last one: the program ends in the middle of a tick as at any other time.
    void closedInTheMiddle() {
        execute("break.at Shield type == Damage and to == shielded_crate_1");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(stopWindow().isVisible(), Patience);
        QVERIFY(!m_editor->document().isDirty()); // it would ask
        QVERIFY(window().close());
        QVERIFY(!window().isVisible());
        m_editor.reset(); // ends the program if the session does not come to its end
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestUiTraffic test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_traffic.moc"
