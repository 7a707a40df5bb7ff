// The line that is typed into: history, completion, secrets, and the other ways to a line, keys and the palette.
#include <QAbstractItemView>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/console/panel_fixture.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/candidate_popup.h"
#include "widgets/common/theme.h"
#include "widgets/common/command_palette.h"
#include "widgets/console/console_history.h"
#include "widgets/console/key_binding_actions.h"
#include "widgets/console/palette_items.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace sbx;
using namespace sbx::ui;
using namespace sbx::ui::test;

class TestInput : public QObject {
    Q_OBJECT
private slots:
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
                               [&](const KeyBinding& binding) { ran.append(QString::fromStdString(binding.line)); });
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

    // Others that fit less well are in the list; what begins so is one alone.
    void tabOnTheOnlyOneMeantAddsASpace() {
        Fixture f;
        const auto tabbed = [&](const char* typed) {
            f.input().clear();
            f.type(typed);
            f.key(Qt::Key_Tab);
            return f.input().text();
        };
        f.type("bind"); // unbind fits too
        QVERIFY(f.input().popup().count() > 1);
        QCOMPARE(tabbed("bind"), QStringLiteral("bind "));
        QCOMPARE(tabbed("bin"), QStringLiteral("bind "));
        QCOMPARE(tabbed("render.q"), QStringLiteral("render.quality "));
        QCOMPARE(tabbed("fine"), QStringLiteral("render.quality ")); // by its explanation
        QCOMPARE(tabbed("sim.gr"), QStringLiteral("sim.gravity"));   // two begin so
    }

    // What of the typed text was found in a name, or else in its explanation, is drawn in the accent colour, and nothing else is.
    void whatMatchedIsMarked_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("before"); // in the name, or in the explanation
        QTest::addColumn<QString>("marked");
        QTest::addColumn<bool>("inName");
        QTest::newRow("beginning") << QStringLiteral("render.q") << QString() << QStringLiteral("render.q") << true;
        QTest::newRow("inside the name") << QStringLiteral("qual") << QStringLiteral("render.") << QStringLiteral("qual") << true;
        QTest::newRow("explanation") << QStringLiteral("fine") << QStringLiteral("How ") << QStringLiteral("fine") << false;
    }
    void whatMatchedIsMarked() {
        QFETCH(QString, typed);
        QFETCH(QString, before);
        QFETCH(QString, marked);
        QFETCH(bool, inName);
        Fixture f;
        f.type(typed.toUtf8().constData());
        QVERIFY(f.input().popup().isVisible());
        auto* list = f.window.findChild<QAbstractItemView*>(QStringLiteral("console.candidates"));
        QModelIndex row = list->model()->index(0, 0);
        while (row.isValid() && row.data().toString() != QStringLiteral("render.quality"))
            row = row.siblingAtRow(row.row() + 1);
        QVERIFY(row.isValid());
        const QRect rect = list->visualRect(row);
        const QImage picture = list->viewport()->grab(rect).toImage();
        const QRgb accent = f.theme.color(Token::Accent).rgb();
        int first = picture.width();
        int last = -1;
        for (int x = 0; x < picture.width(); ++x)
            for (int y = 0; y < picture.height(); ++y)
                if (picture.pixel(x, y) == accent) {
                    first = std::min(first, x);
                    last = std::max(last, x);
                }
        const QFontMetrics metrics(f.theme.font(inName ? FontRole::Mono : FontRole::Ui));
        const int names = measure::PanelPadding + measure::IconSize + measure::PanelPadding;
        QVERIFY2(last >= 0, "nothing is marked");
        QVERIFY(std::abs(last + 1 - first - metrics.horizontalAdvance(marked)) <= 3);
        const int nameEnd = names + QFontMetrics(f.theme.font(FontRole::Mono)).horizontalAdvance(QStringLiteral("render.quality"));
        if (inName)
            QVERIFY(std::abs(first - names - metrics.horizontalAdvance(before)) <= 3);
        else
            QVERIFY(first > nameEnd + metrics.horizontalAdvance(before));
    }

    void actionsOfTheWindowComeLast() {
        Fixture f;
        for (const char* name : {"sim.aaa", "quality.view"})
            f.console.commands().add(
                name, "An action.", {},
                [](CommandContext&, const CommandArguments&) -> Result<void> { return {}; });
        f.backend.setActions(
            [](const std::string& name) { return name == "sim.aaa" || name == "quality.view"; });
        const auto listed = [&](const char* typed) {
            QStringList out;
            for (const CompletionCandidate& c :
                 f.backend.complete(typed, std::string_view(typed).size()).candidates)
                out.append(QString::fromStdString(c.text));
            return out;
        };
        QCOMPARE(listed("sim.").mid(0, 3),
                 (QStringList{QStringLiteral("sim.gravity"), QStringLiteral("sim.gravityScale"),
                              QStringLiteral("sim.aaa")}));
        QCOMPARE(listed("qual"), (QStringList{QStringLiteral("quality.view"),
                                              QStringLiteral("render.quality")})); // fits better
        QVERIFY(listed("").last() == QStringLiteral("quality.view")
                || listed("").last() == QStringLiteral("sim.aaa"));
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
        f.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.input().text().isEmpty());
    }

    // A comment ends with its line, whichever way the lines come.
    void pastedCommentsHideNothing() {
        Fixture f;
        const QString lines = QStringLiteral("// set up\nsim.gravity 5 // slow\r\n\r\necho \"// done\"\n");
        const QString one = QStringLiteral("sim.gravity 5; echo \"// done\"");
        QGuiApplication::clipboard()->setText(lines);
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.input().text(), one);
        f.input().clear();
        static_cast<QLineEdit&>(f.input()).paste(); // the menu's
        QCOMPARE(f.input().text(), one);
        QCOMPARE(f.input().cursorPosition(), static_cast<int>(one.size()));
        f.input().setText(QStringLiteral("echo a; "));
        QMimeData dropped;
        dropped.setText(lines);
        QDragEnterEvent enter(QPoint(f.input().width() - 3, 5), Qt::CopyAction, &dropped, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(&f.input(), &enter);
        QDropEvent drop(QPointF(f.input().width() - 3, 5), Qt::CopyAction, &dropped, Qt::LeftButton,
                        Qt::NoModifier);
        QApplication::sendEvent(&f.input(), &drop);
        QCOMPARE(f.input().text(), QStringLiteral("echo a; ") + one);
        f.input().clear();
        if (QGuiApplication::clipboard()->supportsSelection()) {
            QGuiApplication::clipboard()->setText(lines, QClipboard::Selection);
            QTest::mouseClick(&f.input(), Qt::MiddleButton);
            QCOMPARE(f.input().text(), one);
        }
        // Between what stands there already.
        f.input().setText(QStringLiteral("echo ;echo c"));
        f.input().setCursorPosition(5);
        QGuiApplication::clipboard()->setText(QStringLiteral("a\necho b"));
        static_cast<QLineEdit&>(f.input()).paste();
        QCOMPARE(f.input().text(), QStringLiteral("echo a; echo b; echo c"));
        f.key(Qt::Key_Return);
        QVERIFY(f.waitFor("> echo a; echo b; echo c"));
        // One line stays as it is, comment and all.
        QGuiApplication::clipboard()->setText(QStringLiteral("echo a // why\n"));
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.input().text(), QStringLiteral("echo a // why"));
    }

    // Keys, menu, middle button and drop do the same: one line, in one step that is undone as one, and what may follow is offered.
    void whicheverWayLinesComeTheyAreOneStep() {
        const QString lines = QStringLiteral("sim.gravity 1 // slow\r\n\necho done\n");
        const QString one = QStringLiteral("sim.gravity 1; echo done");
        const std::map<std::string, std::function<void(Fixture&)>> ways{
            {"keys", [](Fixture& f) { f.key(Qt::Key_V, Qt::ControlModifier); }},
            {"menu",
             [](Fixture& f) {
                 QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(20, 5),
                                         f.input().mapToGlobal(QPoint(20, 5)));
                 QApplication::sendEvent(&f.input(), &event);
                 auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                 QVERIFY(menu != nullptr);
                 const QList<QAction*> actions = menu->actions();
                 const auto action = std::find_if(actions.begin(), actions.end(), [](const QAction* each) {
                     return each->text().startsWith(QStringLiteral("&Paste"));
                 });
                 QVERIFY(action != actions.end() && (*action)->isEnabled());
                 (*action)->trigger();
                 menu->close();
             }},
            {"middle button",
             [](Fixture& f) {
                 QTest::mouseClick(&f.input(), Qt::MiddleButton, {}, QPoint(f.input().width() - 3, 5));
             }},
            {"drop", [&lines](Fixture& f) {
                 QMimeData dropped;
                 dropped.setText(lines);
                 const QPoint at(f.input().width() - 3, 5);
                 QDragEnterEvent enter(at, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
                 QApplication::sendEvent(&f.input(), &enter);
                 QVERIFY(enter.isAccepted());
                 QDropEvent drop(at, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
                 QApplication::sendEvent(&f.input(), &drop);
                 QVERIFY(drop.isAccepted());
             }}};
        for (const auto& [name, way] : ways) {
            Fixture f;
            QClipboard& clipboard = *QGuiApplication::clipboard();
            clipboard.setText(lines);
            if (clipboard.supportsSelection())
                clipboard.setText(lines, QClipboard::Selection);
            else if (name == "middle button")
                continue;
            f.type("echo a; ");
            way(f);
            QVERIFY2(f.input().text() == QStringLiteral("echo a; ") + one, name.c_str());
            QCOMPARE(f.input().cursorPosition(), static_cast<int>(f.input().text().size()));
            f.key(Qt::Key_Z, Qt::ControlModifier);
            QVERIFY2(f.input().text() == QStringLiteral("echo a; "), name.c_str());
            f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY2(f.input().text() == QStringLiteral("echo a; ") + one, name.c_str());
            f.key(Qt::Key_Return);
            if (f.input().text().size() > 0) // Return took what was offered
                f.key(Qt::Key_Return);
            QVERIFY2(f.waitFor("> echo a; sim.gravity 1; echo done"), name.c_str());
            QCOMPARE(static_cast<double>(f.gravity.get()), 1.0);
        }
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
};

QTEST_MAIN(TestInput)
#include "tst_input.moc"
