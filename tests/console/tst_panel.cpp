#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QtTest>
#include <QUndoStack>
#include <QVBoxLayout>

#include "engine/session/console_targets.h"
#include "engine/session/watches.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/candidate_popup.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/theme.h"
#include "widgets/common/undo_order.h"
#include "widgets/console/console_backend.h"
#include "widgets/console/console_input.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_command.h"
#include "widgets/console/cvar_model.h"
#include "widgets/console/cvar_table.h"
#include "widgets/console/key_binding_actions.h"
#include "widgets/console/log_model.h"
#include "widgets/console/log_view.h"
#include "widgets/console/palette_items.h"
#include "widgets/console/watch_list.h"
#include "widgets/console/watch_model.h"

#include <cmath>

using namespace sbx;
using namespace sbx::ui;

namespace {

enum class Quality { Low, Medium, High };

struct Fixture {
    Log log;
    Console console{log};
    Watches watches;
    ConsoleTargets targets;
    CVar<float> gravity = console.cvars().add<float>("sim.gravity", 9.81F, "Pull on every body.",
                                                     {.unit = "m/s²", .minimum = 0, .maximum = 100});
    CVar<float> gravityScale =
        console.cvars().add<float>("sim.gravityScale", 1.0F, "Share of gravity that acts.");
    CVar<Quality> quality =
        console.cvars().add<Quality>("render.quality", Quality::Medium, "How fine the picture is.",
                                     {.choices = {"low", "medium", "high"}});
    Theme theme;
    EngineConsoleBackend backend{console, log, [this](std::string line, EngineConsoleBackend::Done done) {
                                     done(console.execute(line));
                                 }};
    QStringList sent; // by `on`
    QWidget window;
    ConsolePanel* panel;

    Fixture() {
        theme.apply(*qApp);
        targets.add({"local", "The world that runs here.", {}, {}});
        backend.setSession(watches, targets);
        // What the session does of it, as far as the panel is concerned.
        console.commands().add("watch", "Watches.",
                               {{.name = "expression", .doc = "", .type = ArgumentType::Rest}},
                               [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                                   const Result<int> number = watches.add(arguments[0]);
                                   return number ? Result<void>() : Result<void>(number.error());
                               });
        console.commands().add("unwatch", "Watches no more.",
                               {{.name = "number", .doc = "", .type = ArgumentType::Rest}},
                               [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                                   arguments[0] == "all"
                                       ? watches.clear()
                                       : static_cast<void>(watches.remove(std::stoi(arguments[0])));
                                   return {};
                               });
        console.commands().add(
            "on", "Sends.",
            {{.name = "target", .doc = ""}, {.name = "line", .doc = "", .type = ArgumentType::Rest}},
            [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                sent.append(QString::fromStdString(arguments[0] + ": " + arguments[1]));
                return {};
            });
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        panel = new ConsolePanel(theme, backend, &window);
        layout->addWidget(panel);
        window.resize(1000, 420);
        window.show();
        panel->focusInput();
        QVERIFY(QTest::qWaitForWindowActive(&window));
    }
    ConsoleInput& input() { return panel->input(); }
    LogView& view() { return panel->view(); }
    void type(const char* text) { QTest::keyClicks(&input(), QString::fromUtf8(text)); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&input(), key, modifiers);
    }
    QStringList rows() {
        QStringList out;
        for (int row = 0; row < panel->model().rowCount(); ++row)
            out.append(panel->model().at(row).text);
        return out;
    }
    bool waitFor(const char* text) {
        return QTest::qWaitFor(
            [&] { return rows().join(QLatin1Char('\n')).contains(QString::fromUtf8(text)); }, 2000);
    }
    template <typename T> T* child(const char* name) { return panel->findChild<T*>(QLatin1String(name)); }
    // Of several of that name the one that is seen.
    template <typename T> T* shown(const char* name) {
        for (T* each : panel->findChildren<T*>(QLatin1String(name)))
            if (each->isVisible())
                return each;
        return nullptr;
    }
};

bool writeFile(const QString& name, const QByteArray& text) {
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

QByteArray readFile(const QString& name) {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void linesAndRepliesAreInTheLog() {
        Fixture f;
        f.type("sim.gravity=5");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> sim.gravity=5"));
        QVERIFY(f.waitFor("sim.gravity = 5.0 m/s² (was 9.81 m/s²)"));
        QCOMPARE(f.gravity.get(), 5.0F);
        QVERIFY(f.input().text().isEmpty());
        f.type("sim.gravity 500");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("out of range; expected a number in [0, 100] m/s²"));
        QTRY_COMPARE(f.panel->model().count(LogSeverity::Error), 1ULL);
        f.type("sim.gravty");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("did you mean sim.gravity"));
        f.key(Qt::Key_Return); // an empty line is not sent
        QVERIFY(!f.rows().last().startsWith(QLatin1Char('>')));
    }

    void historyWalksWithTheKeysAndIsKept() {
        Fixture f;
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("deep/history"));
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QVERIFY(writeFile(file, "echo one\nfind x\necho two\n"));
        f.panel->keepHistory(file);
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("echo two"));
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("find x"));
        f.key(Qt::Key_Down);
        f.key(Qt::Key_Down);
        QVERIFY(f.input().text().isEmpty());
        f.type("ec");
        f.key(Qt::Key_Up);
        f.key(Qt::Key_Up);
        QCOMPARE(f.input().text(), QStringLiteral("echo one"));
        QVERIFY(!f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("one"));
        QCOMPARE(readFile(file), QByteArray("find x\necho two\necho one\n"));
        QCOMPARE(f.panel->history(), (QStringList{QStringLiteral("find x"), QStringLiteral("echo two"),
                                                  QStringLiteral("echo one")}));
    }

    void anotherWindowsLinesAreKept() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("history"));
        ConsoleHistory one;
        ConsoleHistory two;
        QVERIFY(one.load(file) && two.load(file)); // no file yet
        QVERIFY(one.add(QStringLiteral("first")) && one.save(file));
        QVERIFY(two.add(QStringLiteral("second")) && two.save(file));
        QCOMPARE(readFile(file), QByteArray("first\nsecond\n"));
        QVERIFY(!QFile::permissions(file).testFlag(QFileDevice::ReadOther));
        for (int i = 0; i < 1500; ++i)
            QVERIFY(one.add(QStringLiteral("line %1").arg(i)));
        QVERIFY(one.save(file));
        QCOMPARE(readFile(file).count('\n'), ConsoleHistory::Limit);
        QVERIFY(readFile(file).endsWith("line 1499\n"));
        QVERIFY(!one.add(QString(5000, QLatin1Char('x'))));
        QVERIFY(!one.save(QStringLiteral("/proc/nowhere/history")));
    }

    void ctrlRSearchesTheHistory() {
        Fixture f;
        f.input().history().setLines({QStringLiteral("echo one"), QStringLiteral("find Gravity"),
                                      QStringLiteral("echo two"), QStringLiteral("list cvars")});
        f.type("half a li");
        f.key(Qt::Key_R, Qt::ControlModifier);
        QVERIFY(!f.input().popup().isVisible()); // nothing holds that
        f.input().clear();
        f.key(Qt::Key_Escape); // gives back what stood there
        QCOMPARE(f.input().text(), QStringLiteral("half a li"));
        f.input().clear();
        f.key(Qt::Key_R, Qt::ControlModifier);
        f.type("ec");
        QCOMPARE(f.input().popup().count(), 2);
        QCOMPARE(f.input().popup().textAt(f.input().popup().current()), QStringLiteral("echo two"));
        f.key(Qt::Key_R, Qt::ControlModifier); // the next older one
        f.key(Qt::Key_Return);
        QCOMPARE(f.input().text(), QStringLiteral("echo one"));
        QVERIFY(f.rows().isEmpty()); // put in, not sent
        QVERIFY(!f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> echo one"));
        f.key(Qt::Key_R, Qt::ControlModifier);
        f.type("gravity"); // small letters: case does not matter
        QCOMPARE(f.input().popup().count(), 1);
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("find Gravity"));
    }

    void secretsAreNotKept() {
        Fixture f;
        const auto password = f.console.cvars().add<std::string>(
            "net.password", "", "Asked of those who join.", {.flags = CVarFlags::Protected});
        f.type("net.password hunter2");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(password.get(), std::string("hunter2"));
        QVERIFY(f.panel->history().isEmpty());
        QVERIFY(f.waitFor("> net.password ***"));
        // Written before anyone knew that it is one: it goes with the next line that is kept.
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("history"));
        QVERIFY(writeFile(file, "find x\nlate.password hunter2\n"));
        f.panel->keepHistory(file);
        f.type("later.password hunter3");
        f.key(Qt::Key_Return);
        QCOMPARE(readFile(file), QByteArray("find x\nlate.password hunter2\nlater.password hunter3\n"));
        for (const char* name : {"late.password", "later.password"})
            (void)f.console.cvars().add<std::string>(name, "", "Secret.", {.flags = CVarFlags::Protected});
        f.type("echo one");
        f.key(Qt::Key_Return);
        QCOMPARE(readFile(file), QByteArray("find x\necho one\n"));
        QCOMPARE(f.panel->history(), (QStringList{QStringLiteral("find x"), QStringLiteral("echo one")}));
    }

    void boundKeysAreShortcuts() {
        Fixture f;
        ActionRegistry actions(f.theme);
        Action save;
        save.id = QStringLiteral("file.save");
        save.text = QStringLiteral("&Save");
        save.shortcuts = {QKeySequence(QStringLiteral("Ctrl+S"))};
        actions.add(std::move(save));
        QStringList ran;
        QWidget viewport(&f.window);
        viewport.setFocusPolicy(Qt::StrongFocus);
        viewport.show();
        actions.attach(f.window);
        actions.attach(viewport, QStringLiteral("viewport"));
        KeyBindingActions keys(actions, f.console, {QStringLiteral("viewport")},
                               [&](const std::string& line) { ran.append(QString::fromStdString(line)); });
        QVERIFY(!f.console.execute("bind Ctrl+S echo no").ok); // the editor's
        QVERIFY(f.console.execute("bind f6 \"inc sim.gravity; echo done\"").ok);
        QVERIFY(f.console.execute("bind g echo g").ok);
        keys.sync();
        const QString id = QStringLiteral("bind.f6");
        QVERIFY(actions.find(id) != nullptr); // listed where shortcuts are
        QCOMPARE(actions.shortcuts(id), QList<QKeySequence>{QKeySequence(Qt::Key_F6)});
        viewport.setFocus();
        QTest::keyClick(&viewport, Qt::Key_F6);
        QTest::keyClick(&viewport, Qt::Key_G);
        QCOMPARE(ran, (QStringList{QStringLiteral("inc sim.gravity; echo done"), QStringLiteral("echo g")}));
        // Typing is not playing.
        f.panel->focusInput();
        f.type("g");
        QCOMPARE(f.input().text(), QStringLiteral("g"));
        QCOMPARE(ran.size(), 2);
        QVERIFY(f.console.execute("unbind f6").ok);
        QTRY_VERIFY(actions.find(id) == nullptr);
        // A key that came to mean something else meanwhile stays data.
        QSignalSpy refused(&keys, &KeyBindingActions::refused);
        QVERIFY(f.console.execute("bind Ctrl+K echo k").ok);
        Action later;
        later.id = QStringLiteral("view.later");
        later.text = QStringLiteral("Later");
        later.shortcuts = {QKeySequence(QStringLiteral("Ctrl+K"))};
        actions.add(std::move(later));
        keys.sync();
        QCOMPARE(refused.size(), 1);
        QVERIFY(actions.shortcuts(QStringLiteral("bind.ctrl+k")).isEmpty());
        QVERIFY(!f.console.execute("bind Ctrl+K echo k").ok);
    }

    void tabCompletesAndThePopupShowsValueAndDoc() {
        Fixture f;
        f.type("sim.gr");
        QVERIFY(f.input().popup().isVisible());
        QCOMPARE(f.input().popup().current(), -1);
        QCOMPARE(f.input().popup().textAt(0), QStringLiteral("sim.gravity"));
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravity")); // the longest common prefix
        QVERIFY(f.input().hasFocus());
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Tab); // nothing more in common: choose
        QCOMPARE(f.input().popup().current(), 0);
        f.key(Qt::Key_Down);
        QCOMPARE(f.input().popup().current(), 1);
        f.key(Qt::Key_Return); // takes it, does not send
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravityScale "));
        QVERIFY(f.rows().isEmpty());
        f.key(Qt::Key_Escape);
        QVERIFY(!f.input().popup().isVisible());
        QVERIFY(!f.input().text().isEmpty());
        f.key(Qt::Key_Escape);
        QVERIFY(f.input().text().isEmpty());
    }

    void tabCompletesValuesAndCommands() {
        Fixture f;
        f.type("tog");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("toggle "));
        f.type("qual");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("toggle render.quality "));
        f.input().clear();
        f.type("render.quality=h");
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("render.quality=high"));
        f.key(Qt::Key_Return);
        QTRY_COMPARE(f.quality.get(), Quality::High);
    }

    void returnSendsWhatStandsThereWhileThePopupShows() {
        Fixture f;
        f.type("sim.gravity");
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("Pull on every body."));
        QVERIFY(!f.input().popup().isVisible());
    }

    void completionInTheMiddleKeepsTheRest() {
        Fixture f;
        f.input().setText(QStringLiteral("echo ü; tog render.quality"));
        f.input().setCursorPosition(11); // behind "tog"
        f.key(Qt::Key_Tab);
        QCOMPARE(f.input().text(), QStringLiteral("echo ü; toggle render.quality"));
        QCOMPARE(f.input().cursorPosition(), 14);
    }

    void candidatesCanBeClicked() {
        Fixture f;
        f.type("render.quality ");
        auto* list = f.window.findChild<QAbstractItemView*>(QStringLiteral("console.candidates"));
        QVERIFY(list != nullptr && list->isVisible());
        const QModelIndex low = list->model()->index(1, 0);
        QCOMPARE(low.data().toString(), QStringLiteral("low"));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(low).center());
        QCOMPARE(f.input().text(), QStringLiteral("render.quality low"));
        QVERIFY(f.input().hasFocus());
    }

    void emptyLineLetsTabMoveOn() {
        Fixture f;
        f.key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(f.input().popup().isVisible());
        f.key(Qt::Key_Escape);
        f.key(Qt::Key_Tab);
        QVERIFY(!f.input().hasFocus());
    }

    void pastedLinesAreJoined() {
        Fixture f;
        QGuiApplication::clipboard()->setText(QStringLiteral("sim.gravity 1\r\necho done\n"));
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.input().text(), QStringLiteral("sim.gravity 1; echo done"));
    }

    void pillsFilterAndCount() {
        Fixture f;
        f.log.info("sim", "fine");
        f.log.warning("net", "odd");
        f.log.error("net", "bad");
        QVERIFY(f.waitFor("bad"));
        auto* info = f.child<QAbstractButton>("console.severity.info");
        QCOMPARE(f.child<QAbstractButton>("console.severity.error")->text(), QStringLiteral("1"));
        QTest::mouseClick(info, Qt::LeftButton);
        QCOMPARE(f.rows(), (QStringList{QStringLiteral("odd"), QStringLiteral("bad")}));
        QCOMPARE(info->text(), QStringLiteral("1"));
        auto* menu = f.child<QMenu>("console.channelMenu");
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().first()->setChecked(false); // net
        QVERIFY(f.rows().isEmpty());
        QCOMPARE(f.shown<QLabel>("emptyState.line")->text(), QStringLiteral("The filter hides all 3 lines."));
        QTest::mouseClick(f.shown<QPushButton>("emptyState.button"), Qt::LeftButton);
        QCOMPARE(f.rows().size(), 3);
    }

    void searchByTextAndExpression() {
        Fixture f;
        f.log.info("sim", "crate_1 falls");
        f.log.info("sim", "crate_22 falls");
        QVERIFY(f.waitFor("crate_22"));
        auto* filter = f.child<QLineEdit>("console.filter");
        QTest::keyClicks(filter, QStringLiteral("crate_\\d "));
        QTRY_COMPARE(f.rows().size(), 0);
        QTest::mouseClick(f.child<QToolButton>("console.expression"), Qt::LeftButton);
        QCOMPARE(f.rows(), QStringList{QStringLiteral("crate_1 falls")});
        QTest::keyClicks(filter, QStringLiteral("("));
        QTRY_VERIFY(
            f.child<QLabel>("console.problem")->text().contains(QStringLiteral("regular expression")));
        QCOMPARE(f.rows().size(), 1);
        QTest::keyClick(f.panel, Qt::Key_F, Qt::ControlModifier);
        QVERIFY(filter->hasFocus());
    }

    void scrollingUpStopsFollowing() {
        Fixture f;
        for (int i = 0; i < 300; ++i)
            f.log.info("sim", "line " + std::to_string(i));
        QVERIFY(f.waitFor("line 299"));
        QScrollBar& bar = *f.view().verticalScrollBar();
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        bar.setValue(bar.maximum() / 2);
        QVERIFY(!f.view().isFollowing());
        const int before = bar.value();
        const QModelIndex top = f.view().indexAt(QPoint(10, 2));
        for (int i = 0; i < 7; ++i)
            f.log.info("sim", "new " + std::to_string(i));
        QVERIFY(f.waitFor("new 6"));
        QCOMPARE(bar.value(), before);
        QCOMPARE(f.view().indexAt(QPoint(10, 2)), top);
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_VERIFY(pill->isVisible());
        QCOMPARE(pill->text(), QStringLiteral("7 new ↓"));
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(f.view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        QTRY_VERIFY(!pill->isVisible());
    }

    void droppingOldRowsKeepsThePlace() {
        Fixture f;
        const int capacity = static_cast<int>(LogModel::Capacity);
        for (int i = 0; i < capacity; ++i)
            f.log.info("sim", std::to_string(i) + (i % 7 == 0 ? " " + std::string(400, 'x') : std::string()));
        QVERIFY(f.waitFor(std::to_string(capacity - 1).c_str()));
        QTRY_COMPARE(f.panel->model().total(), capacity);
        f.view().verticalScrollBar()->setValue(f.view().verticalScrollBar()->maximum() / 2);
        const QString seen = f.view().indexAt(QPoint(10, 5)).data().toString();
        for (int i = 0; i < 3000; ++i)
            f.log.info("sim", "more " + std::to_string(i));
        QVERIFY(f.waitFor("more 2999"));
        QVERIFY(f.panel->model().total() < capacity + 3000);
        QCOMPARE(f.view().indexAt(QPoint(10, 5)).data().toString(), seen);
    }

    void pauseHoldsTheViewAndClearEmptiesIt() {
        Fixture f;
        f.log.info("sim", "before");
        QVERIFY(f.waitFor("before"));
        QTest::mouseClick(f.child<QToolButton>("console.pause"), Qt::LeftButton);
        QVERIFY(f.panel->isPaused());
        f.log.info("sim", "while paused");
        auto* pill = f.child<QPushButton>("console.new");
        QTRY_COMPARE(pill->text(), QStringLiteral("1 new ↓"));
        QCOMPARE(f.rows().size(), 1);
        QTest::mouseClick(pill, Qt::LeftButton);
        QVERIFY(!f.panel->isPaused());
        QCOMPARE(f.rows().size(), 2);
        QTest::keyClick(&f.input(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(f.rows().isEmpty());
        f.log.info("sim", "after");
        QVERIFY(f.waitFor("after"));
        QCOMPARE(f.rows().size(), 1);
    }

    void copyTakesTheSelectionOrAllShown() {
        Fixture f;
        f.log.info("sim", "one");
        f.log.warning("net", "two");
        f.log.info("sim", "three");
        QVERIFY(f.waitFor("three"));
        f.panel->copy();
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 2);
        f.child<QAbstractButton>("console.severity.info")->setChecked(false);
        f.panel->copy();
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("warning [net] two")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
        f.child<QAbstractButton>("console.severity.info")->setChecked(true);
        QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {},
                          f.view().visualRect(f.panel->model().index(2)).center());
        QTest::keyClick(&f.view(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("info [sim] three")));
        QCOMPARE(QGuiApplication::clipboard()->text().count(QLatin1Char('\n')), 0);
    }

    void longTextWrapsAndNothingIsTooLong() {
        Fixture f;
        f.log.info("sim", "short");
        f.log.info("sim", std::string(600, 'w') + " end");
        f.log.info("sim", "two\nlines");
        f.log.info("sim", std::string(1'000'000, 'x'));
        f.log.info("sim", "\xff\xfe not UTF-8 \xe4\xb8\xad\xe6\x96\x87");
        QVERIFY(f.waitFor("not UTF-8"));
        const auto height = [&](int row) {
            return f.view().visualRect(f.panel->model().index(row)).height();
        };
        QVERIFY(height(1) > 3 * height(0));
        QVERIFY(height(2) > height(0));
        QVERIFY(height(3) < 100 * height(0));
        const int wide = height(1);
        f.window.resize(500, 420);
        QTRY_VERIFY(height(1) > wide);
        (void)f.window.grab();
    }

    void aFullLogStaysSmooth() {
        Fixture f;
        for (int i = 0; i < static_cast<int>(LogModel::Capacity); ++i)
            f.log.info(i % 3 == 0 ? "sim" : "net",
                       "record " + std::to_string(i) + (i % 10 == 0 ? std::string(300, 'y') : std::string()));
        QTRY_COMPARE(f.panel->model().total(), static_cast<int>(LogModel::Capacity));
        QElapsedTimer timer;
        qint64 worst = 0;
        const auto measure = [&](auto&& work) {
            timer.restart();
            work();
            worst = std::max(worst, timer.elapsed());
        };
        QScrollBar& bar = *f.view().verticalScrollBar();
        for (int i = 0; i <= 20; ++i)
            measure([&] {
                bar.setValue(bar.maximum() / 20 * i);
                (void)f.view().viewport()->grab();
            });
        const qint64 scrolling = worst;
        measure([&] { (void)f.panel->model().setText(QStringLiteral("99"), false); });
        measure([&] { (void)f.panel->model().setText(QStringLiteral("9[0-9]+y"), true); });
        measure([&] { (void)f.panel->model().setText({}, false); });
        const qint64 filtering = worst;
        f.window.resize(700, 420);
        measure([&] { QCoreApplication::processEvents(); });
        qInfo(
            "20,000 rows: worst frame %lld ms while scrolling, %lld ms with filtering, %lld ms with resizing",
            scrolling, filtering, worst);
        QVERIFY(scrolling < 100);
        QVERIFY(worst < 500);
    }

    void linksAreFollowedByMouseAndMenu() {
        Fixture f;
        LinkNames names;
        names.isEntity = [](const QString& name) { return name == QLatin1String("crate_1"); };
        f.panel->setLinkNames(std::move(names));
        QSignalSpy followed(f.panel, &ConsolePanel::linkActivated);
        f.log.warning("break", "#345 Damage to crate_1 (entities.toml:12)");
        f.log.info("sim", "sim.gravity was set");
        QVERIFY(f.waitFor("sim.gravity was set"));
        int row = -1;
        for (int i = 0; i < f.panel->model().rowCount(); ++i)
            if (f.panel->model().at(i).text.startsWith(QLatin1String("#345")))
                row = i;
        QCOMPARE(f.view().linksOf(row).size(), std::size_t(3));
        // Across the row: what is clicked, in order, is what was found.
        const QRect rect = f.view().visualRect(f.panel->model().index(row));
        QStringList targets;
        for (int x = rect.left(); x < rect.right(); x += 3) {
            QTest::mouseClick(f.view().viewport(), Qt::LeftButton, {}, QPoint(x, rect.center().y()));
            while (!followed.isEmpty()) {
                const QString target = followed.takeFirst().at(0).value<LogLink>().target;
                if (targets.isEmpty() || targets.last() != target)
                    targets.append(target);
            }
        }
        QCOMPARE(targets, (QStringList{QStringLiteral("345"), QStringLiteral("crate_1"),
                                       QStringLiteral("entities.toml:12")}));
        const std::unique_ptr<QMenu> menu(f.view().menuFor(row));
        QStringList texts;
        for (QAction* action : menu->actions())
            if (!action->isSeparator())
                texts.append(action->text());
        QCOMPARE(texts, (QStringList{QStringLiteral("Show message #345"), QStringLiteral("Select crate_1"),
                                     QStringLiteral("Open entities.toml:12"), QStringLiteral("Copy")}));
        menu->actions().at(1)->trigger();
        QCOMPARE(followed.takeFirst().at(0).value<LogLink>().kind, LinkKind::Entity);
        // A command is explained.
        f.log.info("sim", "echo is a command");
        QVERIFY(f.waitFor("echo is a command"));
        const std::vector<LogLink> commands = f.view().linksOf(f.panel->model().rowCount() - 1);
        QCOMPARE(commands.size(), std::size_t(1));
        QCOMPARE(commands[0].kind, LinkKind::Command);
        const std::unique_ptr<QMenu> explain(f.view().menuFor(f.panel->model().rowCount() - 1));
        QCOMPARE(explain->actions().at(0)->text(), QStringLiteral("Explain echo"));
        explain->actions().at(0)->trigger();
        QVERIFY(f.waitFor("Prints its input and its arguments."));
        QVERIFY(followed.isEmpty());
        // A CVar is shown here.
        const std::unique_ptr<QMenu> other(f.view().menuFor(row + 1));
        other->actions().at(0)->trigger();
        QVERIFY(followed.isEmpty());
        QVERIFY(f.panel->isTableShown());
        QCOMPARE(f.panel->table()->view().currentIndex().siblingAtColumn(CVarModel::Name).data().toString(),
                 QStringLiteral("sim.gravity"));
    }

    void theTableShowsEditsAndResets() {
        Fixture f;
        QTemporaryDir dir;
        f.panel->table()->keepStars(dir.filePath(QStringLiteral("stars")));
        f.panel->setTableShown(true);
        QTableView& view = f.panel->table()->view();
        QVERIFY(view.isVisible());
        const auto names = [&] {
            QStringList out;
            for (int row = 0; row < view.model()->rowCount(); ++row)
                out.append(view.model()->index(row, CVarModel::Name).data().toString());
            return out;
        };
        const auto cell = [&](const char* name, int column) {
            return view.model()->index(static_cast<int>(names().indexOf(QLatin1String(name))), column);
        };
        QCOMPARE(names(), (QStringList{QStringLiteral("render.quality"), QStringLiteral("sim.gravity"),
                                       QStringLiteral("sim.gravityScale")}));
        // An edit goes through the console, and is refused there like a typed one.
        QVERIFY(view.model()->setData(cell("sim.gravity", CVarModel::CurrentValue), QStringLiteral("3.5")));
        QCOMPARE(f.gravity.get(), 3.5F);
        QVERIFY(f.waitFor("> sim.gravity 3.5"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(),
                     QStringLiteral("3.5 m/s²"));
        QVERIFY(cell("sim.gravity", CVarModel::SetBy).data().toString().startsWith(QLatin1String("console")));
        view.model()->setData(cell("sim.gravity", CVarModel::CurrentValue), QStringLiteral("500"));
        QVERIFY(f.waitFor("out of range"));
        QCOMPARE(f.gravity.get(), 3.5F);
        // Only what was changed; by text, in names and docs.
        auto* changed = f.child<QToolButton>("console.cvars.changed");
        changed->click();
        QCOMPARE(names(), QStringList{QStringLiteral("sim.gravity")});
        changed->click();
        auto* filter = f.child<QLineEdit>("console.cvars.filter");
        filter->setText(QStringLiteral("share of"));
        QTRY_COMPARE(names(), QStringList{QStringLiteral("sim.gravityScale")});
        filter->clear();
        QTRY_COMPARE(names().size(), 3);
        // A star lifts it to the top and is kept.
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          view.visualRect(cell("sim.gravityScale", CVarModel::Star)).center());
        QCOMPARE(names().first(), QStringLiteral("sim.gravityScale"));
        QCOMPARE(readFile(dir.filePath(QStringLiteral("stars"))), QByteArray("sim.gravityScale\n"));
        // Reset, from the menu.
        const std::unique_ptr<QMenu> menu(f.panel->table()->menuFor(cell("sim.gravity", CVarModel::Name)));
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.reset"))->trigger();
        QCOMPARE(f.gravity.get(), 9.81F);
        QTRY_COMPARE(cell("sim.gravity", CVarModel::CurrentValue).data().toString(),
                     QStringLiteral("9.81 m/s²"));
        QTRY_COMPARE(cell("sim.gravity", CVarModel::SetBy).data().toString(), QStringLiteral("default"));
    }

    // Others change CVars meanwhile: what is typed stays, and a menu means the row it was opened on.
    void editingInPlaceIsNotDisturbed() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<std::string>("net.password", "hunter2", "Secret.", {.flags = CVarFlags::Protected});
        f.panel->setTableShown(true);
        CVarTable& table = *f.panel->table();
        QTableView& view = table.view();
        table.model().refresh();
        const auto cell = [&](const char* name, int column) {
            for (int row = 0; row < view.model()->rowCount(); ++row)
                if (view.model()->index(row, CVarModel::Name).data() == QLatin1String(name))
                    return view.model()->index(row, column);
            return QModelIndex();
        };
        view.setCurrentIndex(cell("sim.gravity", CVarModel::CurrentValue));
        view.edit(view.currentIndex());
        auto* line = view.viewport()->findChild<QLineEdit*>();
        QVERIFY(line != nullptr);
        QCOMPARE(line->text(), QStringLiteral("9.81"));
        QVERIFY(cvars.set("sim.gravity", "5", CVarSource::Project).ok());
        table.model().refresh();
        QCOMPARE(line->text(), QStringLiteral("5.0")); // nobody has typed yet
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("2.5"));
        QVERIFY(cvars.set("sim.gravityScale", "0.25", CVarSource::Project).ok());
        table.model().refresh();
        QCOMPARE(line->text(), QStringLiteral("2.5"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(f.gravity.get(), 2.5F);

        f.child<QToolButton>("console.cvars.changed")->click();
        const std::unique_ptr<QMenu> menu(table.menuFor(cell("sim.gravityScale", CVarModel::Name)));
        QVERIFY(cvars.reset("sim.gravity", CVarSource::Project).ok()); // the row above goes
        table.model().refresh();
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.edit"))->trigger();
        line = view.viewport()->findChild<QLineEdit*>();
        QVERIFY(line != nullptr);
        QCOMPARE(line->text(), QStringLiteral("0.25"));
        f.child<QToolButton>("console.cvars.changed")->click();
        const std::unique_ptr<QMenu> secret(table.menuFor(cell("net.password", CVarModel::Name)));
        QVERIFY(!secret->findChild<QAction*>(QStringLiteral("console.cvars.menu.copy"))->isEnabled());
        QVERIFY(!secret->findChild<QAction*>(QStringLiteral("console.cvars.menu.edit"))->isEnabled());
    }

    void theTableSaysWhatTheServerSet() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<int>("net.players", 2, "How many.", {.flags = CVarFlags::Replicated});
        CVarModel& model = f.panel->table()->model();
        const auto setBy = [&] {
            model.refresh();
            return model.index(model.rowOf(QStringLiteral("net.players")), CVarModel::SetBy)
                .data()
                .toString();
        };
        QCOMPARE(setBy(), QStringLiteral("default"));
        cvars.setFollowing(true);
        QVERIFY(cvars.follow("net.players", Value(std::int64_t(3))).ok());
        QCOMPARE(setBy(), QStringLiteral("the server"));
        cvars.setFollowing(false);
        QCOMPARE(setBy(), QStringLiteral("default"));
    }
    void linksArePreviewedUnderTheMouse() {
        Fixture f;
        f.log.info("sim", "sim.gravity was set");
        QVERIFY(f.waitFor("sim.gravity was set"));
        const int row = f.panel->model().rowCount() - 1;
        const QRect rect = f.view().visualRect(f.panel->model().index(row));
        QString seen;
        for (int x = rect.left(); x < rect.right() && seen.isEmpty(); x += 8) {
            const QPoint at(x, rect.center().y());
            QMouseEvent move(QEvent::MouseMove, at, f.view().viewport()->mapToGlobal(at), Qt::NoButton, {},
                             {});
            QApplication::sendEvent(f.view().viewport(), &move);
            QHelpEvent help(QEvent::ToolTip, at, f.view().viewport()->mapToGlobal(at));
            QApplication::sendEvent(f.view().viewport(), &help);
            seen = QToolTip::text();
            if (!seen.isEmpty())
                QCOMPARE(f.view().viewport()->cursor().shape(), Qt::PointingHandCursor);
        }
        QCOMPARE(seen, QStringLiteral("sim.gravity = 9.81 m/s²\nPull on every body."));
        // Beside the link there is nothing to say.
        const QPoint beside(rect.right() - 4, rect.center().y());
        QHelpEvent help(QEvent::ToolTip, beside, f.view().viewport()->mapToGlobal(beside));
        QApplication::sendEvent(f.view().viewport(), &help);
        QTRY_VERIFY(QToolTip::text().isEmpty());
    }

    void watchesStandBesideTheLog() {
        Fixture f;
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("watches"));
        WatchList& list = *f.panel->watches();
        list.keepWatches(file);
        QVERIFY(!list.isVisible());
        f.type("watch sim.gravity");
        f.key(Qt::Key_Return);
        QTRY_VERIFY(list.isVisible());
        QTRY_COMPARE(list.model().rowCount(), 1);
        double value = 2.0;
        ExpressionContext context;
        context.path = [&](std::string_view) -> Result<Value> { return Value(value); };
        for (std::uint64_t tick = 0; tick < 100; ++tick, value += 0.5)
            f.watches.sample(context, 1, tick, 10.0);
        list.refresh();
        QCOMPARE(list.model().index(0, WatchModel::Text).data().toString(), QStringLiteral("sim.gravity"));
        QCOMPARE(list.model().index(0, WatchModel::CurrentValue).data().toString(), QStringLiteral("51.5"));
        QCOMPARE(list.model().at(0).samples.size(), std::size_t(100));
        QTRY_VERIFY(!list.view().viewport()->size().isEmpty()); // shown is not laid out yet
        QVERIFY(!list.view().viewport()->grab().isNull());
        // The graph has room however narrow the list is.
        for (const int width : {600, 260}) {
            list.resize(width, 200);
            QVERIFY(list.view().columnWidth(WatchModel::Graph) >= width / 4);
            QVERIFY(!list.view().viewport()->grab().isNull());
        }
        // The value under the mouse: at the right end, the newest.
        const QRect graph = list.view().visualRect(list.model().index(0, WatchModel::Graph));
        const QPoint end(graph.right() - 2, graph.center().y());
        QHelpEvent atEnd(QEvent::ToolTip, end, list.view().viewport()->mapToGlobal(end));
        QApplication::sendEvent(list.view().viewport(), &atEnd);
        QVERIFY(QToolTip::text().startsWith(QLatin1String("51.5 at tick 99 (9.90 s)")));
        // Kept, and read again by the next run.
        QTRY_COMPARE(readFile(file), QByteArray("sim.gravity\n"));
        Fixture next;
        next.panel->watches()->keepWatches(file);
        QCOMPARE(next.watches.list().size(), std::size_t(1));
        QTRY_VERIFY(next.panel->areWatchesShown());
        // The cross takes it away, the file follows.
        const QRect cross = list.view().visualRect(list.model().index(0, WatchModel::Remove));
        QTest::mouseClick(list.view().viewport(), Qt::LeftButton, {}, cross.center());
        QTRY_COMPARE(list.model().rowCount(), 0);
        QTRY_COMPARE(readFile(file), QByteArray());
    }

    void watchesGoByKeyAndMenu() {
        Fixture f;
        for (const char* text : {"a.x", "b.x", "c.x"})
            QVERIFY(f.watches.add(text));
        f.panel->setWatchesShown(true);
        WatchList& list = *f.panel->watches();
        QTRY_COMPARE(list.model().rowCount(), 3);
        list.view().selectRow(1);
        QTest::keyClick(&list.view(), Qt::Key_Delete);
        QTRY_COMPARE(list.model().rowCount(), 2);
        const std::unique_ptr<QMenu> menu(list.menuFor(1));
        menu->findChild<QAction*>(QStringLiteral("console.watches.menu.copyLine"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("watch c.x"));
        menu->findChild<QAction*>(QStringLiteral("console.watches.menu.remove"))->trigger();
        QTRY_COMPARE(list.model().rowCount(), 1);
        f.child<QToolButton>("console.watches.clear")->click();
        QTRY_COMPARE(list.model().rowCount(), 0);
        // The button begins a line to be finished.
        f.child<QToolButton>("console.watches.add")->click();
        QCOMPARE(f.input().text(), QStringLiteral("watch "));
    }

    void graphsLoseNoSpike() {
        std::vector<WatchSample> samples;
        for (std::uint64_t tick = 0; tick <= 3600; ++tick)
            samples.push_back({tick, static_cast<double>(tick) / 60.0, tick == 1234 ? 99.0 : 1.0});
        const std::vector<WatchSpan> spans = watchSpans(samples, 60.0, 100);
        QCOMPARE(spans.size(), std::size_t(100));
        int spikes = 0;
        for (const WatchSpan& span : spans) {
            QVERIFY(span.any);
            QCOMPARE(span.least, 1.0);
            spikes += span.greatest == 99.0 ? 1 : 0;
        }
        QCOMPARE(spikes, 1);
        QVERIFY(watchSpans(samples, 60.0, 0).empty());
        // What is older than the minute is at no pixel.
        for (const WatchSpan& span : watchSpans({{0, 0.0, 5.0}}, 100.0, 50))
            QVERIFY(!span.any);
    }

    void aCVarDroppedOnThePanelIsWatched() {
        Fixture f;
        f.panel->setTableShown(true);
        QTableView& table = f.panel->table()->view();
        const QModelIndex cell = table.model()->index(1, CVarModel::Name);
        QVERIFY(cell.flags().testFlag(Qt::ItemIsDragEnabled));
        const std::unique_ptr<QMimeData> data(
            table.model()->mimeData({cell, cell.siblingAtColumn(CVarModel::CurrentValue)}));
        const QString name = cell.data().toString();
        QCOMPARE(data->text(), name);
        QTRY_VERIFY(f.panel->table()->width() > 0);
        const QPoint at = f.view().mapTo(f.panel, f.view().rect().center());
        QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &enter);
        QVERIFY(enter.isAccepted());
        // Not where it was taken.
        const QPoint back = f.panel->table()->mapTo(f.panel, f.panel->table()->rect().center());
        QDragMoveEvent home(back, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &home);
        QVERIFY(!home.isAccepted());
        QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(f.panel, &drop);
        QCOMPARE(f.watches.list().size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(f.watches.list()[0].text), name);
        QVERIFY(f.panel->areWatchesShown());
        const std::unique_ptr<QMenu> menu(
            f.panel->table()->menuFor(table.model()->index(0, CVarModel::Name)));
        menu->findChild<QAction*>(QStringLiteral("console.cvars.menu.watch"))->trigger();
        QCOMPARE(f.watches.list().size(), std::size_t(2));
    }

    void aSelectorShowsWhenThereAreSeveralTargets() {
        Fixture f;
        auto* target = f.child<QComboBox>("console.target");
        QTRY_COMPARE(target->count(), 1);
        QVERIFY(!target->isVisible());
        f.targets.add({"client1", "A client.", [](const std::string&) {}, {}});
        QTRY_VERIFY(target->isVisible());
        QCOMPARE(target->count(), 3);
        QCOMPARE(target->currentText(), QStringLiteral("local"));
        f.type("echo a");
        f.key(Qt::Key_Return);
        QVERIFY(f.sent.isEmpty());
        target->setCurrentText(QStringLiteral("client1"));
        emit target->activated(1);
        f.type("echo b; @local echo c");
        f.key(Qt::Key_Return);
        QCOMPARE(f.sent, (QStringList{QStringLiteral("client1: echo b"), QStringLiteral("local: echo c")}));
        QCOMPARE(f.panel->history().last(), QStringLiteral("echo b; @local echo c"));
        // It goes: lines run here again.
        f.targets.remove("client1");
        QTRY_VERIFY(!target->isVisible());
        QCOMPARE(f.backend.target(), QStringLiteral("local"));
        f.sent.clear();
        f.type("echo d");
        f.key(Qt::Key_Return);
        QVERIFY(f.sent.isEmpty());
    }

    void thePaletteListsCommandsAndCVars() {
        Fixture f;
        QStringList ran;
        QStringList typed;
        const ConsoleLines lines{[&](const QString& line) { ran.append(line); },
                                 [&](const QString& line) { typed.append(line); }};
        const auto isAction = [](const QString& name) { return name == QLatin1String("help"); };
        ActionRegistry registry(f.theme);
        CommandPalette palette(f.theme, registry, f.window);
        palette.setCommands([&] { return commandItems(f.console.commands(), isAction, lines); });
        palette.addProvider(QLatin1Char(':'), QStringLiteral("CVar"),
                            [&] { return cvarItems(f.console.cvars(), lines); });
        for (const PaletteItem& item : commandItems(f.console.commands(), isAction, lines))
            QVERIFY(item.text != QLatin1String("help"));
        const auto choose = [&](const char* text) {
            palette.popUp(QLatin1String(text));
            QTest::keyClick(&palette.lineEdit(), Qt::Key_Return);
        };
        choose("differences");
        QCOMPARE(ran, QStringList{QStringLiteral("differences")});
        choose(">unwatch"); // demands an argument
        QCOMPARE(typed, QStringList{QStringLiteral("unwatch ")});
        choose(":gravityScale");
        QCOMPARE(typed.last(), QStringLiteral("sim.gravityScale "));
    }

    // SBX_PICTURES=folder saves what the panel looks like, for eyes.
    void pictures() {
        const QString folder = qEnvironmentVariable("SBX_PICTURES");
        if (folder.isEmpty())
            QSKIP("no folder for pictures asked for");
        QDir().mkpath(folder);
        for (const bool dark : {true, false}) {
            Fixture f;
            f.theme.setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            ExpressionContext context;
            double seconds = 0.0;
            context.path = [&](std::string_view path) -> Result<Value> {
                if (path == "player.position.y")
                    return Value(1.0 + 0.4 * std::sin(seconds)
                                 + (std::fmod(seconds, 17.0) < 0.05 ? 2.0 : 0.0));
                if (path == "crate_3.Health.current")
                    return Value(seconds < 30.0 ? 40.0 : 35.0);
                if (path == "player.position")
                    return Value(Vec3(1.25F, 0.0F, -3.5F));
                if (path == "tick")
                    return Value(static_cast<std::int64_t>(seconds * 60.0));
                return Error{std::string(path) + " is no entity; did you mean crate_3?", {}, {}};
            };
            context.count = [](std::string_view) -> Result<std::int64_t> { return 12; };
            for (const char* line :
                 {"watch player.position.y", "watch crate_3.Health.current", "watch count(type == Crate)",
                  "watch player.position", "watch tick > 1800", "watch crate_9.Health.current"}) {
                f.type(line);
                f.key(Qt::Key_Return);
            }
            for (std::uint64_t tick = 0; tick < 3000; ++tick) {
                seconds = static_cast<double>(tick) / 60.0;
                f.watches.sample(context, 1, tick, 60.0);
            }
            f.log.info("sim", "sim.gravity was set");
            f.targets.add({"client1", "A client.", [](const std::string&) {}, {}});
            const QString base = folder + (dark ? QStringLiteral("/dark_") : QStringLiteral("/light_"));
            for (const QSize size : {QSize(960, 270), QSize(1500, 360)}) {
                f.window.resize(size);
                QTest::qWait(300);
                f.window.grab().save(base + QStringLiteral("watches_%1.png").arg(size.width()));
                f.panel->setTableShown(true);
                QTest::qWait(300);
                f.window.grab().save(base + QStringLiteral("both_%1.png").arg(size.width()));
                f.panel->setTableShown(false);
            }
            f.watches.clear();
            QTest::qWait(300);
            f.window.grab().save(base + QStringLiteral("none.png"));
        }
    }

    void everyControlHasANameAndAnAccessibleName() {
        Fixture f;
        const auto buttons = f.panel->findChildren<QAbstractButton*>();
        for (const QAbstractButton* made : buttons) {
            if (made->objectName().startsWith(QStringLiteral("qt_"))
                || qobject_cast<QLineEdit*>(made->parent()) != nullptr)
                continue;
            QVERIFY2(!made->objectName().isEmpty(), qPrintable(made->text()));
            QVERIFY2(!made->accessibleName().isEmpty() || !made->text().isEmpty(),
                     qPrintable(made->objectName()));
        }
        QCOMPARE(f.input().objectName(), QStringLiteral("console.input"));
        QVERIFY(!f.input().accessibleName().isEmpty());
        QVERIFY(!f.view().accessibleName().isEmpty());
    }

    void actionsGoToTheRegistry() {
        Fixture f;
        ActionRegistry registry(f.theme);
        f.panel->addActions(registry);
        f.log.info("sim", "x");
        QVERIFY(f.waitFor("x"));
        QVERIFY(registry.trigger(QStringLiteral("console.pause")).ok());
        QVERIFY(f.panel->isPaused());
        QVERIFY(registry.trigger(QStringLiteral("console.clear")).ok());
        QVERIFY(f.rows().isEmpty());
    }

    // The last set is taken back where every edit is; the line keeps nothing that Ctrl+Z could bring back instead.
    void whatWasSetCanBeUndone() {
        Fixture f;
        QUndoStack stack;
        UndoOrder order(stack);
        CVarCommand::connectSteps(f.backend, order, [&](const CVarCommand::Steps& made, bool undo) {
            undo ? f.console.undo(*made) : f.console.redo(*made);
        });
        f.type("sim.gravity 3; toggle render.quality");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(stack.count(), 1);
        QCOMPARE(stack.undoText(), QStringLiteral("set CVars"));
        QVERIFY(!f.input().isModified());
        QVERIFY(!f.input().isUndoAvailable());
        f.type("echo nothing is set; sim.gravity");
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("nothing is set"));
        CVarModel& table = f.panel->table()->model();
        table.refresh();
        QVERIFY(
            table.setData(table.index(table.rowOf(QStringLiteral("sim.gravity")), CVarModel::CurrentValue),
                          QStringLiteral("4"), Qt::EditRole));
        QTRY_COMPARE(stack.count(), 2);
        QCOMPARE(stack.undoText(), QStringLiteral("set sim.gravity"));
        QCOMPARE(f.gravity.get(), 4.0F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 3.0F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 9.81F);
        QCOMPARE(f.quality.get(), Quality::Medium);
        QVERIFY(f.waitFor("sim.gravity = 9.81 m/s² (undone)"));
        stack.redo();
        QCOMPARE(f.gravity.get(), 3.0F);
        QCOMPARE(f.quality.get(), Quality::High);
        f.type("reset all");
        f.key(Qt::Key_Return);
        QTRY_COMPARE(stack.undoText(), QStringLiteral("reset CVars"));
        QCOMPARE(f.gravity.get(), 9.81F);
        stack.undo();
        QCOMPARE(f.gravity.get(), 3.0F);
        QCOMPARE(f.quality.get(), Quality::High);
    }
    // The session is busy; meanwhile something is edited, and a line that sets nothing is typed.
    void aSetAnsweredLateStandsWhereItWasTyped() {
        Log log;
        Console console(log);
        const CVar<int> value = console.cvars().add<int>("t.value", 1, "A number.");
        std::vector<std::pair<std::string, EngineConsoleBackend::Done>> posted;
        EngineConsoleBackend backend(console, log, [&](std::string line, EngineConsoleBackend::Done done) {
            posted.emplace_back(std::move(line), std::move(done));
        });
        QUndoStack stack;
        UndoOrder order(stack);
        CVarCommand::connectSteps(backend, order, [&](const CVarCommand::Steps& steps, bool undo) {
            undo ? console.undo(*steps) : console.redo(*steps);
        });
        QSignalSpy answered(&backend, &ConsoleBackend::answered);
        backend.submit(QStringLiteral("t.value 2"));
        order.beforePush(false);
        stack.push(new QUndoCommand(QStringLiteral("edit")));
        backend.submit(QStringLiteral("t.value"));
        backend.submit(QStringLiteral("reset t.value"));
        order.undo(); // that reset
        for (const auto& [line, done] : posted)
            done(console.execute(line));
        QTRY_COMPARE(answered.count(), 3);
        QCOMPARE(stack.count(), 3);
        QCOMPARE(stack.text(0), QStringLiteral("set t.value"));
        QCOMPARE(stack.text(1), QStringLiteral("edit"));
        QCOMPARE(stack.text(2), QStringLiteral("reset t.value"));
        QCOMPARE(stack.index(), 2);
        QCOMPARE(value.get(), 2);
        order.undo();
        order.undo();
        QCOMPARE(value.get(), 1);
        QCOMPARE(stack.index(), 0);
    }
    void answersAfterThePanelDiedAreHarmless() {
        Log log;
        Console console(log);
        EngineConsoleBackend::Done later;
        {
            EngineConsoleBackend backend(
                console, log, [&](std::string, EngineConsoleBackend::Done done) { later = std::move(done); });
            backend.submit(QStringLiteral("echo"));
        }
        later(ConsoleReply());
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
