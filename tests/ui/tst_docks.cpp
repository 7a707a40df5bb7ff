// Arrangements of the panels that a user has dragged: they come back in a maximised window, also where panels are tabs inside a split, and
// however often they are restored. Wants a display with a window manager.

#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QScreen>
#include <QSurfaceFormat>
#include <QTabBar>
#include <QTreeView>
#include <QtTest>

#include "app/editor/dock_layout.h"
#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/viewport/gl_target.h"

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly

// Whether WINDOW fills the screen, but for its frame and what the desktop keeps.
bool fillsTheScreen(const QWidget& window) {
    return window.isMaximized() && window.width() > window.screen()->availableSize().width() - 40;
}

const char* const Panels[] = {"outliner", "entities", "assets", "inspector", "definition", "trace"};

} // namespace

class TestDocks : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    editor::MainWindow& window() { return m_editor->window(); }
    QDockWidget* dock(const char* name) {
        return window().dock(QStringLiteral("dock.") + QLatin1String(name));
    }

    void start(const char* opened) {
        editor::Options options;
        options.project = project(opened).toStdString();
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    void maximise() {
        window().showMaximized();
        QTRY_VERIFY_WITH_TIMEOUT(fillsTheScreen(window()), Patience);
    }
    // Tabs inside the split of the left side, and other widths than the defaults.
    void dragPanels() {
        window().tabifyDockWidget(dock("entities"), dock("assets"));
        window().resizeDocks({dock("outliner"), dock("inspector")}, {420, 600}, Qt::Horizontal);
        window().resizeDocks({dock("trace")}, {360}, Qt::Vertical);
        window().resizeDocks({dock("outliner"), dock("entities")}, {30, 70}, Qt::Vertical);
        QTRY_COMPARE_WITH_TIMEOUT(dock("outliner")->width(), 420, Patience);
        QVERIFY(window().tabifiedDockWidgets(dock("entities")).contains(dock("assets")));
    }
    QList<QRect> places() {
        QList<QRect> out;
        for (const char* name : Panels)
            if (!dock(name)->visibleRegion().isEmpty())
                out.append(dock(name)->geometry());
        return out;
    }

private slots:
    void initTestCase() {
        for (const char* name : {"courtyard", "pinball"})
            sbx::test::copyFolder(sbx::test::qSourcePath((std::string("resources/projects/") + name).c_str()),
                                  project(name));
    }
    void cleanup() { m_editor.reset(); }

    void draggedPanelsComeBackMaximised() {
        start("courtyard");
        maximise();
        dragPanels();
        test::turn();
        const QList<QRect> before = places();
        QCOMPARE(before.size(), 5); // the assets are behind the entities, or in front of them
        QVERIFY(window().close());
        m_editor.reset();
        // Twice: the window's arrangement is restored, then the project's, which was changed in between.
        for (int run = 0; run < 2; ++run) {
            start("courtyard");
            QTRY_VERIFY_WITH_TIMEOUT(fillsTheScreen(window()), Patience);
            QTRY_COMPARE_WITH_TIMEOUT(places(), before, Patience);
            QVERIFY(window().tabifiedDockWidgets(dock("entities")).contains(dock("assets")));
            // Other sizes, and another project with an arrangement of its own.
            window().showNormal();
            QTRY_VERIFY_WITH_TIMEOUT(!window().isMaximized() && !fillsTheScreen(window()), Patience);
            maximise();
            QVERIFY(window().openProject(project("pinball")));
            window().tabifyDockWidget(dock("outliner"), dock("inspector"));
            QVERIFY(window().openProject(project("courtyard")));
            QVERIFY(!window().tabifiedDockWidgets(dock("outliner")).contains(dock("inspector")));
            QVERIFY(window().openProject(project("pinball")));
            QVERIFY(window().tabifiedDockWidgets(dock("outliner")).contains(dock("inspector")));
            QVERIFY(window().openProject(project("courtyard")));
            QTRY_COMPARE_WITH_TIMEOUT(places(), before, Patience);
            QVERIFY(window().close());
            m_editor.reset();
        }
    }

    // An arrangement that was kept in a small window is shared out in a large one, where the last panel took all there was.
    void aLargerWindowIsSharedOut() {
        QMainWindow small;
        const auto fill = [](QMainWindow& in) {
            auto* middle = new QWidget;
            in.setCentralWidget(middle);
            QList<QDockWidget*> docks;
            for (const char* name : {"upper", "lower"}) {
                auto* dock = new QDockWidget(QLatin1String(name), &in);
                dock->setObjectName(QLatin1String(name));
                dock->setWidget(new QTreeView);
                in.addDockWidget(Qt::LeftDockWidgetArea, dock);
                docks.append(dock);
            }
            return docks;
        };
        const QList<QDockWidget*> kept = fill(small);
        small.resize(900, 500);
        small.show();
        QVERIFY(QTest::qWaitForWindowExposed(&small));
        small.resizeDocks({kept[0], kept[1]}, {300, 200}, Qt::Vertical);
        QCoreApplication::processEvents();
        const QByteArray state = small.saveState();
        const auto share = [](const QList<QDockWidget*>& docks) {
            return 100 * docks[0]->height() / (docks[0]->height() + docks[1]->height());
        };
        const int wanted = share(kept);
        QVERIFY2(wanted > 50 && wanted < 70, qPrintable(QString::number(wanted)));
        // Shown in a larger window, and restored before it is shown.
        for (const bool first : {true, false}) {
            QMainWindow large;
            const QList<QDockWidget*> docks = fill(large);
            large.resize(first ? QSize(1500, 950) : small.size());
            if (first) {
                large.show();
                QVERIFY(QTest::qWaitForWindowExposed(&large));
            }
            QVERIFY(editor::restoreLayout(large, state, 0, small.size()));
            if (!first) {
                large.resize(1500, 950);
                large.show();
                QVERIFY(QTest::qWaitForWindowExposed(&large));
            }
            QTRY_VERIFY_WITH_TIMEOUT(std::abs(share(docks) - wanted) <= 3, Patience);
            QVERIFY(docks[0]->height() + docks[1]->height() > 850);
        }
    }

    // In a window of any size the outliner has the larger part of its side.
    void theOutlinerHasMostOfItsSide() {
        start("courtyard");
        for (const QSize size : {QSize(1280, 720), QSize(1700, 900)}) {
            window().showNormal();
            window().resize(size);
            QTRY_COMPARE_WITH_TIMEOUT(window().width(), size.width(), Patience); // the height has a least
            QVERIFY(m_editor->actions().trigger(QStringLiteral("view.layoutAuthor")).ok());
            const auto share = [this] {
                return 100 * dock("outliner")->height()
                       / (dock("outliner")->height() + dock("entities")->height());
            };
            test::turn();
            QVERIFY2(share() >= 53 && share() <= 75,
                     qPrintable(QStringLiteral("%1 %2").arg(share()).arg(size.width())));
        }
    }

    // A panel behind a tab has no title bar as well; floated from its tab, it has one, and back among the others none.
    void tabsAreTheTitles() {
        start("courtyard");
        QTRY_VERIFY_WITH_TIMEOUT(dock("trace")->titleBarWidget() != nullptr, Patience);
        QCOMPARE(dock("trace")->titleBarWidget()->height(), 0);
        QVERIFY(dock("outliner")->titleBarWidget() == nullptr);
        const auto barOf = [&](const char* name) {
            for (QTabBar* bar : window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
                for (int i = 0; i < bar->count(); ++i)
                    if (bar->tabText(i) == dock(name)->windowTitle() && !bar->visibleRegion().isEmpty())
                        return std::pair(bar, i);
            return std::pair<QTabBar*, int>(nullptr, 0);
        };
        QTRY_VERIFY_WITH_TIMEOUT(barOf("trace").first != nullptr, Patience);
        auto [bar, tab] = barOf("trace");
        QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        QTRY_VERIFY_WITH_TIMEOUT(dock("trace")->isFloating() && dock("trace")->titleBarWidget() == nullptr, Patience);
        dock("trace")->setFloating(false);
        QTRY_VERIFY_WITH_TIMEOUT(dock("trace")->titleBarWidget() != nullptr, Patience);

        auto [history, at] = barOf("history");
        QVERIFY(history != nullptr);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, history->tabRect(at).center(), history->mapToGlobal(history->tabRect(at).center()));
        QApplication::sendEvent(history, &asked);
        auto* close = window().findChild<QAction*>(QStringLiteral("dock.tabs.menu.close"));
        QVERIFY(close != nullptr);
        close->trigger();
        QVERIFY(dock("history")->isHidden());
        // The last one of a group is no tab any more.
        for (QDockWidget* other : window().tabifiedDockWidgets(dock("entities")))
            other->hide();
        QTRY_VERIFY_WITH_TIMEOUT(dock("entities")->titleBarWidget() == nullptr, Patience);
    }

    // What is restored last holds, whatever was restored before the window had its size.
    void twoStatesBeforeItIsShown() {
        QByteArray split;
        QByteArray flat;
        const auto fill = [](QMainWindow& main) {
            main.setCentralWidget(new QWidget);
            for (const char* name : {"a", "b", "c", "d"}) {
                auto* each = new QDockWidget(QLatin1String(name), &main);
                each->setObjectName(QLatin1String(name));
                main.addDockWidget(Qt::LeftDockWidgetArea, each);
            }
            main.setDockNestingEnabled(true);
        };
        const auto find = [](const QMainWindow& main, const char* name) {
            return main.findChild<QDockWidget*>(QLatin1String(name));
        };
        {
            QMainWindow main;
            fill(main);
            main.showMaximized();
            QTRY_VERIFY_WITH_TIMEOUT(fillsTheScreen(main), Patience);
            flat = main.saveState();
            main.splitDockWidget(find(main, "a"), find(main, "b"), Qt::Vertical);
            main.splitDockWidget(find(main, "b"), find(main, "d"), Qt::Horizontal);
            main.tabifyDockWidget(find(main, "b"), find(main, "c"));
            QVERIFY(main.tabifiedDockWidgets(find(main, "b")).contains(find(main, "c")));
            main.resizeDocks({find(main, "a")}, {700}, Qt::Horizontal);
            QTRY_COMPARE_WITH_TIMEOUT(find(main, "a")->width(), 700, Patience);
            split = main.saveState();
        }
        QMainWindow main;
        fill(main);
        main.resize(600, 400);
        main.setWindowState(Qt::WindowMaximized);
        for (const QByteArray& state : {split, flat, split})
            QVERIFY(editor::restoreLayout(main, state, 0));
        main.show();
        QTRY_VERIFY_WITH_TIMEOUT(fillsTheScreen(main), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(find(main, "a")->width(), 700, Patience); // though it did not fit at first
        QVERIFY(main.tabifiedDockWidgets(find(main, "b")).contains(find(main, "c")));
        // From the first press on it is the user's.
        QTest::mousePress(&main, Qt::LeftButton);
        QTest::mouseRelease(&main, Qt::LeftButton);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        main.resizeDocks({find(main, "a")}, {300}, Qt::Horizontal);
        main.showNormal();
        QTRY_VERIFY_WITH_TIMEOUT(main.width() < 1000, Patience);
        main.showMaximized();
        QTRY_VERIFY_WITH_TIMEOUT(fillsTheScreen(main), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(find(main, "a")->width() < 500, Patience);
        QVERIFY(!editor::restoreLayout(main, flat, 7)); // another version
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestDocks test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_docks.moc"
