#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QLabel>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "widgets/common/action_registry.h"
#include "widgets/common/command_palette.h"
#include "widgets/common/theme.h"
#include "widgets/common/user_settings.h"

#include <memory>

using namespace sbx;
using namespace sbx::ui;

namespace {

QStringList menuTexts(const QMenu& menu) {
    QStringList texts;
    for (const QAction* action : menu.actions())
        texts.append(action->isSeparator() ? QStringLiteral("-") : action->text());
    return texts;
}

} // namespace

class TestActions : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

    static Action make(const char* id, const char* keys = "", const char* context = "") {
        Action action;
        action.id = QString::fromLatin1(id);
        action.text = QString::fromLatin1(id);
        if (*keys != '\0')
            action.shortcuts = {QKeySequence(QString::fromLatin1(keys))};
        action.context = QString::fromLatin1(context);
        return action;
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(*qApp);
    }

    void consoleMenuAndShortcutAreOneAction() {
        ActionRegistry registry(*m_theme);
        int runs = 0;
        Action action = make("play.start", "F5");
        action.menu = QStringLiteral("Play");
        action.run = [&](bool) { ++runs; };
        QAction* q = registry.add(action);
        QMainWindow window;
        registry.attach(window);
        registry.buildMenus(*window.menuBar(), {});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(registry.trigger(QStringLiteral("play.start")).ok());
        QTest::keyClick(&window, Qt::Key_F5);
        q->trigger();
        QCOMPARE(runs, 3);
        const auto* menu = window.menuBar()->findChild<QMenu*>(QStringLiteral("menu.play"));
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().first(), q);
    }

    void consoleFaultsSayWhatWouldBeRight() {
        ActionRegistry registry(*m_theme);
        Action off = make("edit.undo");
        off.enabled = [] { return false; };
        registry.add(off);
        registry.add(make("edit.redo"));
        const Result<void> unknown = registry.trigger(QStringLiteral("edit.undoo"));
        QVERIFY(!unknown.ok());
        QVERIFY(QString::fromStdString(unknown.error().message)
                    .contains(QStringLiteral("did you mean edit.undo?")));
        QVERIFY(!registry.trigger(QStringLiteral("edit.undo")).ok());
        QVERIFY(!registry.trigger(QStringLiteral("edit.redo"), QStringLiteral("on")).ok());
    }

    void checkableTakesOnAndOff() {
        ActionRegistry registry(*m_theme);
        bool grid = false;
        Action action = make("view.grid");
        action.checkable = true;
        action.checked = [&] { return grid; };
        action.run = [&](bool on) { grid = on; };
        registry.add(action);
        QVERIFY(registry.trigger(action.id, QStringLiteral("on")).ok());
        QVERIFY(grid);
        QVERIFY(registry.trigger(action.id, QStringLiteral("on")).ok());
        QVERIFY(grid);
        QVERIFY(registry.trigger(action.id).ok());
        QVERIFY(!grid);
        QVERIFY(!registry.trigger(action.id, QStringLiteral("maybe")).ok());
        grid = true; // changed elsewhere
        registry.refresh();
        QVERIFY(registry.find(action.id)->isChecked());
    }

    void menusNestAndGroup() {
        ActionRegistry registry(*m_theme);
        const auto add = [&](const char* id, const char* menu) {
            Action action = make(id);
            action.menu = QString::fromLatin1(menu);
            registry.add(action);
        };
        add("a.save", "File");
        add("a.quit", "File#9");
        add("a.copy", "Edit#1");
        add("a.undo", "Edit");
        add("a.author", "View/Layout");
        QMenuBar bar;
        registry.buildMenus(bar, {QStringLiteral("File"), QStringLiteral("Edit"), QStringLiteral("View"),
                                  QStringLiteral("Help")});
        QCOMPARE(bar.actions().size(), 4);
        QCOMPARE(menuTexts(*bar.findChild<QMenu*>(QStringLiteral("menu.file"))),
                 QStringList({QStringLiteral("a.save"), QStringLiteral("-"), QStringLiteral("a.quit")}));
        QCOMPARE(menuTexts(*bar.findChild<QMenu*>(QStringLiteral("menu.edit"))),
                 QStringList({QStringLiteral("a.undo"), QStringLiteral("-"), QStringLiteral("a.copy")}));
        QVERIFY(bar.findChild<QMenu*>(QStringLiteral("menu.view.layout")) != nullptr);
    }

    void conflicts() {
        ActionRegistry registry(*m_theme);
        registry.add(make("edit.undo", "Ctrl+Z"));
        registry.add(make("viewport.frame", "F", "viewport"));
        registry.add(make("trace.follow", "F", "trace")); // another panel: no conflict
        QVERIFY(registry.conflicts().empty());
        registry.add(make("trace.back", "Ctrl+Z", "trace")); // the window has it too
        QCOMPARE(registry.conflicts().size(), std::size_t(1));
        QCOMPARE(registry.conflicts()[0].ids,
                 QStringList({QStringLiteral("edit.undo"), QStringLiteral("trace.back")}));
        QCOMPARE(
            registry.conflictsWith(QStringLiteral("viewport.frame"), QKeySequence(QStringLiteral("Ctrl+Z"))),
            QStringList(QStringLiteral("edit.undo")));
        registry.add(make("window.chord", "Ctrl+K, C"));
        QCOMPARE(registry.conflictsWith(QString(), QKeySequence(QStringLiteral("Ctrl+K"))),
                 QStringList(QStringLiteral("window.chord")));
        registry.setShortcuts(QStringLiteral("trace.back"), {});
        QVERIFY(registry.conflicts().empty());
    }

    void shortcutsSurviveARestart() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s.ini"));
        {
            ActionRegistry registry(*m_theme);
            registry.add(make("a.one", "Ctrl+1"));
            registry.add(make("a.two", "Ctrl+2"));
            registry.setShortcuts(QStringLiteral("a.one"), {QKeySequence(QStringLiteral("Alt+1")),
                                                            QKeySequence(QStringLiteral("F9"))});
            QVERIFY(registry.find(QStringLiteral("a.one"))->toolTip().contains(QStringLiteral("Alt+1")));
            UserSettings settings(path);
            registry.saveShortcuts(settings);
        }
        ActionRegistry registry(*m_theme);
        registry.add(make("a.one", "Ctrl+1"));
        registry.add(make("a.two", "Ctrl+2"));
        UserSettings settings(path);
        registry.loadShortcuts(settings);
        QCOMPARE(
            registry.shortcuts(QStringLiteral("a.one")),
            QList<QKeySequence>({QKeySequence(QStringLiteral("Alt+1")), QKeySequence(QStringLiteral("F9"))}));
        QCOMPARE(registry.shortcuts(QStringLiteral("a.two")),
                 QList<QKeySequence>({QKeySequence(QStringLiteral("Ctrl+2"))}));
        registry.resetShortcuts(QStringLiteral("a.one"));
        QCOMPARE(registry.shortcuts(QStringLiteral("a.one")),
                 QList<QKeySequence>({QKeySequence(QStringLiteral("Ctrl+1"))}));
    }

    void aPanelsShortcutNeedsItsFocus() {
        ActionRegistry registry(*m_theme);
        int runs = 0;
        Action action = make("trace.pause", "Space", "trace");
        action.run = [&](bool) { ++runs; };
        registry.add(action);
        QWidget window;
        auto* panel = new QWidget(&window);
        panel->setFocusPolicy(Qt::StrongFocus);
        auto* other = new QWidget(&window);
        other->setFocusPolicy(Qt::StrongFocus);
        registry.attach(*panel, QStringLiteral("trace"));
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other->setFocus();
        QTest::keyClick(other, Qt::Key_Space);
        QCOMPARE(runs, 0);
        panel->setFocus();
        QTest::keyClick(panel, Qt::Key_Space);
        QCOMPARE(runs, 1);
    }

    void anActionMayRemoveItself() {
        ActionRegistry registry(*m_theme);
        Action action = make("once");
        action.run = [&](bool) { registry.remove(QStringLiteral("once")); };
        registry.add(action);
        QVERIFY(registry.trigger(QStringLiteral("once")).ok());
        QVERIFY(registry.find(QStringLiteral("once")) == nullptr);
    }

    void fuzzy_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("word starts") << "ds"
                                     << "Duplicate selection"
                                     << "Undo last";
        QTest::newRow("prefix") << "pla"
                                << "Play"
                                << "Display all";
        QTest::newRow("runs") << "grid"
                              << "Show grid"
                              << "Great radial index dialog";
        QTest::newRow("camel") << "tr"
                               << "tickRate"
                               << "entropy";
    }
    void fuzzy() {
        QFETCH(QString, query);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        QVERIFY(fuzzyScore(query, better) > fuzzyScore(query, worse));
    }
    // A word by which other tools call it finds it as well as its name, and before what merely describes it so.
    void aliasesAreFound() {
        PaletteItem body;
        body.text = QStringLiteral("Body");
        body.detail = QStringLiteral("Falls and collides.");
        body.aliases = QStringList{QStringLiteral("rigid body"), QStringLiteral("collider")};
        PaletteItem touch;
        touch.text = QStringLiteral("Touch");
        touch.detail = QStringLiteral("Hurts the collider that it meets.");
        for (const char* query : {"rigid", "Rigid Body", "coll", "collider"})
            QVERIFY2(paletteScore(QLatin1String(query), body) > 0, query);
        QVERIFY(paletteScore(QStringLiteral("collider"), body) > paletteScore(QStringLiteral("collider"), touch));
        QCOMPARE(paletteScore(QStringLiteral("hinge"), body), -1);
        QVERIFY(paletteScore(QStringLiteral("body"), body) > paletteScore(QStringLiteral("rigid"), body)); // the name itself comes first
    }
    void fuzzyPositionsAreASubsequence() {
        std::vector<int> positions;
        QVERIFY(fuzzyScore(QStringLiteral("opj"), QStringLiteral("Open project"), &positions) > 0);
        QCOMPARE(positions.size(), std::size_t(3));
        QVERIFY(std::is_sorted(positions.begin(), positions.end()));
        QCOMPARE(fuzzyScore(QStringLiteral("xyz"), QStringLiteral("Open project")), -1);
        QCOMPARE(fuzzyScore(QString(), QStringLiteral("anything")), 0);
    }

    // An action in a submenu is found by that menu's name too; what begins with the text comes first, whatever matches more of it.
    void paletteRanksBeginningsAndFindsGroups() {
        ActionRegistry registry(*m_theme);
        const auto add = [&](const char* id, const char* text, const char* menu) {
            Action action = make(id);
            action.text = QLatin1String(text);
            action.menu = QLatin1String(menu);
            registry.add(action);
        };
        add("probe.find", "Find a sound, so that und is found", "Tools");
        add("view.layoutAuthor", "Author", "View/Layout#1");
        add("view.layoutSound", "&Sound", "View/Layout#1");
        add("view.sounds", "Sounds in the picture", "View");
        add("view.themeDark", "Dark", "View/Theme");
        QMainWindow window;
        window.resize(800, 600);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        CommandPalette palette(*m_theme, registry, window);
        auto* list = palette.findChild<QListView*>(QStringLiteral("palette.list"));
        const auto found = [&](const char* text) {
            palette.popUp(QLatin1String(text));
            QStringList out;
            for (int row = 0; row < list->model()->rowCount(); ++row)
                out.append(list->model()->index(row, 0).data().toString());
            palette.hide();
            return out;
        };
        QCOMPARE(found("layout sound"), QStringList{QStringLiteral("Layout: Sound")});
        QCOMPARE(found("sound layout"), QStringList{QStringLiteral("Layout: Sound")});
        QCOMPARE(found("layout"), (QStringList{QStringLiteral("Layout: Sound"), QStringLiteral("Layout: Author")}));
        const QStringList sounds = found("sound");
        QCOMPARE(sounds.size(), 3);
        QCOMPARE(sounds.last(), QStringLiteral("Find a sound, so that und is found"));
        QCOMPARE(found("dark").value(0), QStringLiteral("Theme: Dark"));
        QCOMPARE(found("view.themeDark").value(0), QStringLiteral("Theme: Dark"));
    }

    void paletteRunsActionsAndProviders() {
        ActionRegistry registry(*m_theme);
        int saved = 0;
        Action save = make("file.save", "Ctrl+S");
        save.text = QStringLiteral("&Save");
        save.run = [&](bool) { ++saved; };
        registry.add(save);
        Action off = make("file.revert");
        off.text = QStringLiteral("Save nothing");
        off.enabled = [] { return false; };
        registry.add(off);
        QMainWindow window;
        window.resize(800, 600);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        CommandPalette palette(*m_theme, registry, window);
        QString gone;
        palette.addProvider(QLatin1Char('@'), QStringLiteral("entity"), [&] {
            std::vector<PaletteItem> items;
            for (const QString& name :
                 {QStringLiteral("ball"), QStringLiteral("crate_1"), QStringLiteral("crate_2")}) {
                PaletteItem item;
                item.text = name;
                item.run = [&gone, name] { gone = name; };
                items.push_back(item);
            }
            return items;
        });
        palette.popUp();
        QTest::keyClicks(&palette.lineEdit(), QStringLiteral("sav"));
        auto* list = palette.findChild<QListView*>(QStringLiteral("palette.list"));
        QCOMPARE(list->model()->rowCount(), 2);
        QCOMPARE(list->model()->index(0, 0).data().toString(), QStringLiteral("Save"));
        QTest::keyClick(&palette.lineEdit(), Qt::Key_Return);
        QCOMPARE(saved, 1);
        QVERIFY(!palette.isVisible());
        palette.popUp(QStringLiteral("@crate"));
        QCOMPARE(list->model()->rowCount(), 2);
        QTest::keyClick(&palette.lineEdit(), Qt::Key_Down);
        QTest::keyClick(&palette.lineEdit(), Qt::Key_Return);
        QCOMPARE(gone, QStringLiteral("crate_2"));
        palette.popUp(QStringLiteral("zzzz"));
        QTest::keyClick(&palette.lineEdit(), Qt::Key_Return); // nothing matches: stays
        QVERIFY(palette.isVisible());
        auto* none = palette.findChild<QLabel*>(QStringLiteral("palette.none"));
        QVERIFY(none != nullptr && none->isVisible() && !list->isVisible());
        QCOMPARE(none->text(), QStringLiteral("Nothing matches “zzzz”."));
        palette.lineEdit().setText(QStringLiteral("sav"));
        QVERIFY(!none->isVisible() && list->isVisible());
        QTest::keyClick(&palette.lineEdit(), Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
    }
};

QTEST_MAIN(TestActions)
#include "tst_actions.moc"
