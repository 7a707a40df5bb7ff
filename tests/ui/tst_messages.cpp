// The one selection where it is a message, and the messages that pass, in the running editor: a row of the trace is drawn in the picture,
// opens in the definition and stands in the console; the way back leads where one was; lines pass by the trace's filter, stay while the
// world stands, and cost nothing when they are off; a run that grows without end has a notice. Needs a display.

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QSurfaceFormat>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/message_follower.h"
#include "engine/definition/lookup.h"
#include "tests/folders.h"
#include "tests/ui/editor_test.h"
#include "widgets/common/notice.h"
#include "widgets/console/console_panel.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/text_binding.h"
#include "widgets/trace/passing_messages.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"
#include "widgets/viewport/message_lines.h"
#include "widgets/viewport/viewport_panel.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly

using Ends = std::tuple<std::string, std::string, ui::MessageFate>;

} // namespace

class TestMessages : public ui_test::EditorTest {
    Q_OBJECT

private:
    ui::TracePanel& trace() { return window().trace(); }
    ui::MessageLines& lines() { return window().viewport().messages(); }
    bool isChecked(const char* id) { return m_editor->actions().find(QLatin1String(id))->isChecked(); }
    // What a console line prints.
    QString answer(const char* line) {
        struct Answer {
            std::mutex mutex;
            bool done = false;
            std::string text;
        };
        const auto got = std::make_shared<Answer>();
        m_editor->execute(line, [got](const ConsoleReply& reply) {
            const std::lock_guard lock(got->mutex);
            for (const std::string& each : reply.lines)
                got->text += (got->text.empty() ? "" : "\n") + each;
            got->done = true;
        });
        const bool came = QTest::qWaitFor(
            [&] {
                const std::lock_guard lock(got->mutex);
                return got->done;
            },
            Patience);
        return came ? QString::fromStdString(got->text) : QStringLiteral("no answer");
    }
    void click(int row) {
        ui::TraceView& list = trace().view();
        list.setFollowing(false);
        list.scrollTo(trace().model().index(row, 0));
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {},
                          list.visualRect(trace().model().index(row, ui::TraceModel::Type)).center());
    }
    // The row of a message that the shield of a crate consumed.
    int shieldedRow() {
        ui::TraceModel& model = trace().model();
        for (int row = 0; row < model.rowCount(); ++row)
            if (const auto message = ui::chosenMessage(model, model.record(row).sequence());
                message && message->handler == "Shield")
                return row;
        return -1;
    }
    definition::TextLocation caretPlace() {
        ui::TextBinding& binding = window().definition().binding();
        return definition::locate(binding.text(), binding.caret());
    }
    std::set<Ends> drawn() {
        std::set<Ends> out;
        for (const ui::MessageTrails::Line& line : lines().passing().lines)
            out.emplace(line.sender, line.receiver, line.fate);
        return out;
    }
    // What the trace's filter lets through of the tick that stands.
    std::set<Ends> ofThisTick() {
        std::set<Ends> out;
        ui::TraceModel& model = trace().model();
        const std::uint64_t tick = m_editor->feed().frame().tick;
        for (int row = 0; row < model.rowCount(); ++row)
            if (const RecordView record = model.record(row); record.tick() == tick)
                out.emplace(model.context().sender(record), model.context().receiver(record),
                            ui::fateOf(record));
        return out;
    }

private slots:
    void initTestCase() {
        open();
    }
    void cleanupTestCase() { m_editor.reset(); }

    void aRowOfTheTraceIsSelectedEverywhere() {
        for (const char* panel : {"dock.definition", "dock.console", "dock.trace"}) {
            window().dock(QLatin1String(panel))->show();
            window().dock(QLatin1String(panel))->raise();
        }
        QCOMPARE(answer("msg"),
                 QStringLiteral("error: no message is selected; expected one, in the trace or the graph"));
        trace().setFilterText(QStringLiteral("type == Damage and outcome == consumed and sender == phantom"));
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(shieldedRow() >= 0, Patience);
        trigger("play.pause");
        trigger("view.home");
        const int row = shieldedRow();
        const RecordView record = trace().model().record(row);
        const std::string receiver(trace().model().context().receiver(record));
        click(row);
        QCOMPARE(selection().traceSequence(), record.sequence());
        QCOMPARE(selection().primary(), receiver);
        // The picture: a line from the sender, with the message's name.
        QVERIFY(lines().chosen());
        QCOMPARE(lines().chosen()->sender, std::string("phantom"));
        QCOMPARE(lines().chosen()->receiver, receiver);
        QTRY_VERIFY_WITH_TIMEOUT(!lines().captions(0).empty(), Patience);
        QCOMPARE(lines().captions(0).front().text, QStringLiteral("Damage #%1").arg(record.sequence()));
        // The definition: its handler.
        QCOMPARE(window().definition().file(), QStringLiteral("entities.toml"));
        QCOMPARE(QString::fromStdString(caretPlace().component), QStringLiteral("Shield"));
        QVERIFY(!window().definition().editor().hasFocus());
        // The console: what it is, and $msg in a line.
        auto* note = window().console().findChild<QAbstractButton*>(QStringLiteral("console.message"));
        QVERIFY(note && !note->isHidden());
        QVERIFY2(note->text().startsWith(QString::fromUtf8("#%1 Damage phantom → %2")
                                             .arg(record.sequence())
                                             .arg(QString::fromStdString(receiver))),
                 qPrintable(note->text()));
        const QString number = QString::number(record.sequence());
        QCOMPARE(answer("echo $msg"), number);
        QCOMPARE(answer("echo $msg.sender $msg.type $msg.handler"), QStringLiteral("phantom Damage Shield"));
        QVERIFY(answer("msg").endsWith(number));
        QVERIFY2(answer("expect $msg.receiver.Health.current > 0").contains(QStringLiteral("PASS")),
                 "the receiver by its place in a condition");
        QVERIFY(answer("echo $msg.fields.amuont").contains(QStringLiteral("did you mean fields.amount?")));
    }

    void theWayBackLeadsWhereOneWas() {
        const std::uint64_t first = selection().traceSequence();
        const std::string receiver = selection().primary();
        selection().setEntity("ball", QStringLiteral("viewport"));
        // Neither of its ends is selected: the line is gone, the message is what it was.
        QTRY_VERIFY_WITH_TIMEOUT(lines().captions(0).empty(), Patience);
        QVERIFY(lines().chosen());
        selection().setTrace(0, QStringLiteral("graph"));
        QVERIFY(!lines().chosen());
        QVERIFY(
            window().console().findChild<QAbstractButton*>(QStringLiteral("console.message"))->isHidden());
        trigger("edit.selectBack");
        QCOMPARE(selection().traceSequence(), first);
        QCOMPARE(selection().primary(), std::string("ball"));
        trigger("edit.selectBack");
        QCOMPARE(selection().primary(), receiver);
        QTRY_VERIFY_WITH_TIMEOUT(!lines().captions(0).empty(), Patience);
        trigger("edit.selectForward");
        QCOMPARE(selection().primary(), std::string("ball"));
    }

    // The caret of a person who types stays where it is, whatever is selected elsewhere.
    void nobodysCaretIsMoved() {
        ui::DefinitionPanel& definition = window().definition();
        const std::uint64_t sequence = trace().model().record(shieldedRow()).sequence();
        selection().setTrace(0, QStringLiteral("graph"));
        window().activateWindow();
        definition.editor().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(definition.editor().hasFocus(), Patience);
        definition.binding().setCaret(3);
        selection().setTrace(sequence, QStringLiteral("graph"));
        QVERIFY(lines().chosen());
        QCOMPARE(definition.binding().caret(), std::size_t(3));
        QVERIFY(definition.editor().hasFocus());
        // Nor that of one who does not want it to follow.
        trace().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!definition.editor().hasFocus(), Patience);
        selection().setTrace(0, QStringLiteral("graph"));
        definition.setLinked(false);
        definition.binding().setCaret(3);
        selection().setTrace(sequence, QStringLiteral("graph"));
        QCOMPARE(definition.binding().caret(), std::size_t(3));
        definition.setLinked(true);
    }

    void messagesPassByTheTracesFilter() {
        ui::PassingMessages& passing = window().findChild<editor::MessageFollower*>()->passing();
        trace().setFilterText(QStringLiteral("type == ContactBegan"));
        QTRY_VERIFY_WITH_TIMEOUT(!trace().model().isFiltering(), Patience);
        trigger("play.start");
        const int rows = trace().model().rowCount();
        QTRY_VERIFY_WITH_TIMEOUT(trace().model().rowCount() > rows, Patience);
        // Off by default, and nothing is looked at.
        QVERIFY(!isChecked("view.messages"));
        QCOMPARE(passing.looks(), std::uint64_t(0));
        trigger("view.messages");
        QVERIFY(isChecked("view.messages"));
        QTRY_VERIFY_WITH_TIMEOUT(!lines().passing().lines.empty(), Patience);
        // Of the filter alone.
        std::set<Ends> allowed;
        for (int row = 0; row < trace().model().rowCount(); ++row) {
            const RecordView record = trace().model().record(row);
            allowed.emplace(trace().model().context().sender(record),
                            trace().model().context().receiver(record), ui::fateOf(record));
        }
        for (const Ends& each : drawn())
            QVERIFY2(allowed.contains(each), (std::get<0>(each) + " " + std::get<1>(each)).c_str());
        trace().setFilterText(QStringLiteral("type == NoSuchMessage"));
        QTRY_VERIFY_WITH_TIMEOUT(lines().passing().lines.empty(), Patience);
        trace().setFilterText({});
        QTRY_VERIFY_WITH_TIMEOUT(!lines().passing().lines.empty(), Patience);
    }

    void thoseOfTheTickStayWhileTheWorldStands() {
        trigger("play.pause");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Pause, Patience);
        int withMessages = 0;
        for (int step = 0; step < 120 && withMessages < 3; ++step) {
            const std::uint64_t tick = m_editor->feed().frame().tick;
            if (step % 2 == 0) // in other ticks nothing may happen
                m_editor->execute("send Heal player amount=1 --ticks=1");
            trigger("play.step");
            QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().tick == tick + 1
                                         && m_editor->feed().mode() == Mode::Pause,
                                     Patience);
            trace().model().catchUp();
            QTRY_VERIFY_WITH_TIMEOUT(
                window().viewport().view().shown().shownTick() >= static_cast<double>(tick + 1), Patience);
            const std::set<Ends> wanted = ofThisTick();
            QTRY_VERIFY_WITH_TIMEOUT(drawn() == wanted, Patience);
            withMessages += wanted.empty() ? 0 : 1;
            for (const ui::MessageTrails::Line& line : lines().passing().lines)
                QCOMPARE(line.strength, 1.0F);
        }
        QCOMPARE(withMessages, 3);
        const auto menu = std::unique_ptr<QMenu>(trace().menuFor(0));
        QVERIFY(menu->findChild<QMenu*>(QStringLiteral("trace.menu.rows"))
                    ->actions()
                    .contains(m_editor->actions().find(QStringLiteral("view.messages"))));
    }

    void theSwitchIsRemembered() {
        trigger("play.stop");
        QVERIFY(window().close());
        m_editor.reset();
        start();
        QVERIFY(isChecked("view.messages"));
        QVERIFY(window().findChild<editor::MessageFollower*>()->passing().isOn());
        trigger("view.messages");
        QVERIFY(!window().findChild<editor::MessageFollower*>()->passing().isOn());
        QVERIFY(lines().passing().lines.empty());
    }

    // A spawner without end: what it makes, how often, and the messages that have it made.
    void aRunawayIsToldOf() {
        m_editor->execute("sim.entityBudget 32");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Play, Patience);
        m_editor->execute("set ball_spawner Spawner.limit 10000");
        const auto notice = [this]() -> const ui::Notice* {
            for (const ui::Notice& each : m_editor->notices().live())
                if (each.context.startsWith(QStringLiteral("runaway"))
                    && each.text.contains(QStringLiteral("play pauses\n")))
                    return &each;
            return nullptr;
        };
        for (int i = 0; i < 40; ++i)
            m_editor->execute("send SpawnNow ball_spawner");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Pause, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(notice() != nullptr, Patience);
        const ui::Notice told = *notice();
        for (const char* part : {"Ball", "made by Spawner of ball_spawner", "There are 32", "SpawnNow"})
            QVERIFY2(told.text.contains(QLatin1String(part)), qPrintable(told.text));
        QCOMPARE(told.actionText, QStringLiteral("Show them"));
        told.action();
        QVERIFY2(trace().filterText().contains(QStringLiteral("SpawnNow")), qPrintable(trace().filterText()));
        QTRY_VERIFY_WITH_TIMEOUT(trace().model().rowCount() > 0 && selection().primary() == "ball_spawner",
                                 Patience);
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(notice() == nullptr, Patience);
    }

    // The next run has another message of that number: the notice ends with its own.
    void aStormIsToldOfUntilTheNextRun() {
        trace().setFilterText({});
        const auto notice = [this]() -> const ui::Notice* {
            for (const ui::Notice& each : m_editor->notices().live())
                if (each.context.startsWith(QStringLiteral("storm ")))
                    return &each;
            return nullptr;
        };
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Play, Patience);
        m_editor->feed().post([](Session& session) {
            for (int i = 0; i < 700; ++i)
                session.execute("send Damage crate_5 amount=0");
        });
        QTRY_VERIFY_WITH_TIMEOUT(notice() != nullptr, Patience);
        const ui::Notice told = *notice();
        QVERIFY2(told.text.contains(QStringLiteral("Damage a second")), qPrintable(told.text));
        told.action();
        QVERIFY2(trace().filterText().contains(QStringLiteral("Damage")), qPrintable(trace().filterText()));
        trace().setFilterText({});
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Edit, Patience);
        QVERIFY(notice() != nullptr); // of the run that the trace still shows
        const std::uint64_t run = trace().model().store().run();
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(trace().model().store().run() != run, Patience);
        QVERIFY(notice() == nullptr);
        QVERIFY(std::none_of(
            m_editor->notices().log().begin(), m_editor->notices().log().end(), [](const ui::Notice& each) {
                return each.context.startsWith(QStringLiteral("storm ")) && ui::NoticeList::waits(each);
            }));
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Edit, Patience);
    }
};

int main(int argc, char** argv) { return ui_test::run<TestMessages>(argc, argv); }

#include "tst_messages.moc"
