// What belongs to the editor's window as a whole: what it says while a project loads, its menus, the keys for the selection, and what it
// keeps for the next start, also when a signal ends it. Wants a display.

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QScreen>
#include <QSettings>
#include <QSurfaceFormat>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/scene_memory.h"
#include "tests/copy_folder.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/console/console_input.h"
#include "widgets/console/console_panel.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"

#include <csignal>
#include <future>

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    editor::MainWindow& window() { return m_editor->window(); }
    ui::Selection& selection() { return m_editor->selection(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    QTreeView& tree() { return window().outliner().view(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void start(const QString& opened) {
        editor::Options options;
        options.project = opened.toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    void focus(QWidget& widget) {
        window().activateWindow();
        widget.setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(widget.hasFocus(), Patience);
    }
    QLabel* line(const char* page) {
        auto* found = window().findChild<QWidget*>(QLatin1String(page));
        return found == nullptr ? nullptr : found->findChild<QLabel*>(QStringLiteral("emptyState.line"));
    }
    static QStringList texts(const QMenu& menu) {
        QStringList out;
        for (const QAction* action : menu.actions())
            if (!action->isSeparator())
                out.append(QString(action->text()).remove(QLatin1Char('&')));
        return out;
    }

private slots:
    void initTestCase() {
        for (const char* name : {"courtyard", "pinball"})
            sbx::test::copyFolder(sbx::test::qSourcePath((std::string("resources/projects/") + name).c_str()), project(name));
    }
    void init() { start(project("courtyard")); }
    void cleanup() {
        if (m_editor)
            m_editor->document().undoStack().setIndex(0);
        m_editor.reset();
    }

    // Between the click and the first picture the window says what it waits for, not that there is nothing.
    void itSaysThatAProjectLoads() {
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 50, Patience);
        std::promise<void> held;
        m_editor->feed().post([wait = held.get_future().share()](Session&) { wait.wait(); }); // as a large project would
        QVERIFY(window().openProject(project("pinball")));
        test::turn();
        QVERIFY2(line("viewport.loading")->text().startsWith(QStringLiteral("Loading Pinball: building a world of ")),
                 qPrintable(line("viewport.loading")->text()));
        QVERIFY(line("viewport.loading")->isVisible());
        QVERIFY(!window().viewport().view().isVisible());
        QCOMPARE(line("outliner.empty")->text(), QStringLiteral("Loading Pinball…"));
        QVERIFY(line("outliner.empty")->isVisible());
        held.set_value();
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().isVisible(), Patience);
        QVERIFY(!line("outliner.empty")->isVisible());
        QVERIFY(frame().entities->find("ball") != nullptr || frame().entities->rows.size() > 10);
        QVERIFY(line("outliner.empty")->text().startsWith(QStringLiteral("The world is empty.")));
        // A project that cannot be opened ends it too.
        QVERIFY(!window().openProject(m_dir.filePath(QStringLiteral("nowhere"))));
        QVERIFY(window().viewport().view().isVisible());
    }

    // The messages of the project before are not those of this one, whether it played or not.
    void theTraceForgetsTheProjectBefore() {
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 50, Patience);
        ui::TraceModel& model = window().trace().model();
        for (const bool stopped : {true, false}) {
            trigger("play.start");
            QTRY_VERIFY_WITH_TIMEOUT(model.rowCount() > 0, Patience);
            if (stopped) {
                trigger("play.stop");
                QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
                QVERIFY(model.rowCount() > 0);
            }
            QVERIFY(window().openProject(project(stopped ? "pinball" : "courtyard")));
            QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().isVisible(), Patience);
            QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
            model.catchUp();
            QCOMPARE(model.rowCount(), 0);
        }
    }

    void theEditMenuShowsWhatThereIs() {
        const auto* edit = window().menuBar()->findChild<QMenu*>(QStringLiteral("menu.edit"));
        QVERIFY(edit != nullptr);
        const QStringList shown = texts(*edit);
        const QStringList wanted{QStringLiteral("Undo"),       QStringLiteral("Redo"),           QStringLiteral("Cut"),
                                 QStringLiteral("Copy"),       QStringLiteral("Paste"),          QStringLiteral("Duplicate"),
                                 QStringLiteral("Delete"),     QStringLiteral("Rename"),         QStringLiteral("Select all"),
                                 QStringLiteral("Select by type"), QStringLiteral("Invert selection")};
        QStringList inOrder;
        for (const QString& text : shown)
            if (wanted.contains(text))
                inOrder.append(text);
        QVERIFY2(inOrder == wanted, qPrintable(shown.join(QStringLiteral(", "))));
        for (const ui::ShortcutConflict& conflict : m_editor->actions().conflicts())
            QFAIL(qPrintable(conflict.keys.toString() + QStringLiteral(": ") + conflict.ids.join(QStringLiteral(", "))));
    }

    void keysSelect() {
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 50, Patience);
        const std::size_t all = frame().entities->rows.size();
        focus(window().viewport().view());
        QTest::keyClick(&window().viewport().view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(selection().entities().size(), all);
        QTest::keyClick(&window().viewport().view(), Qt::Key_I, Qt::ControlModifier);
        QVERIFY(selection().empty());
        selection().setEntity("crate_5", QStringLiteral("test"));
        trigger("edit.selectByType");
        const std::string type = frame().entities->find("crate_5")->type;
        QVERIFY(selection().entities().size() > 1 && selection().entities().size() < all);
        for (const std::string& name : selection().entities())
            QCOMPARE(frame().entities->find(name)->type, type);
        QCOMPARE(selection().primary(), std::string("crate_5"));
        // In a filtered outliner all means what is shown there.
        window().outliner().setFilterText(QStringLiteral("type == Bat"));
        QTRY_VERIFY_WITH_TIMEOUT(window().outliner().model().matchCount() > 0
                                     && window().outliner().model().matchCount() < static_cast<int>(all),
                                 Patience);
        focus(tree());
        QTest::keyClick(&tree(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(static_cast<int>(selection().entities().size()), window().outliner().model().matchCount());
        // Wherever the focus is; without a filter it is all again.
        const std::vector<std::string> shown = selection().entities();
        selection().clear(QStringLiteral("test"));
        focus(window().viewport().view());
        QTest::keyClick(&window().viewport().view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(selection().entities(), shown);
        window().outliner().setFilterText({});
        QTRY_VERIFY_WITH_TIMEOUT(!window().outliner().matchingNames(), Patience);
        QTest::keyClick(&window().viewport().view(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(selection().entities().size(), all);
        selection().setEntities(shown, QStringLiteral("test"));
        // In a field the keys are the text's, from the keyboard and from the menu.
        const std::vector<std::string> before = selection().entities();
        auto* input = window().console().findChild<QLineEdit*>(QStringLiteral("console.input"));
        trigger("view.panel.console");
        if (input == nullptr)
            input = window().console().input().findChild<QLineEdit*>();
        QVERIFY(input != nullptr);
        focus(*input);
        input->setText(QStringLiteral("echo words"));
        for (const bool fromMenu : {false, true}) {
            input->deselect();
            QGuiApplication::clipboard()->setText(QStringLiteral("something else"));
            if (fromMenu) {
                trigger("edit.selectAll");
                trigger("edit.copy");
            } else {
                QTest::keyClick(input, Qt::Key_A, Qt::ControlModifier);
                QTest::keyClick(input, Qt::Key_C, Qt::ControlModifier);
            }
            QCOMPARE(input->selectedText(), QStringLiteral("echo words"));
            QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("echo words"));
        }
        QCOMPARE(selection().entities(), before);
    }

    // The name is typed in the outliner; what refers to the entity follows, as one step.
    // Of one scene as of two, once the settings were written and read again.
    void camerasComeBackFromTheFile() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("settings.ini"));
        const QVariantMap near{{QStringLiteral("yaw"), 0.5}, {QStringLiteral("pitch"), -0.25}};
        const QVariantMap far{{QStringLiteral("yaw"), 2.0}, {QStringLiteral("pitch"), 0.125}};
        for (const QString& scene : {QStringLiteral("/p/a.scene.toml"), QStringLiteral("/p/b.scene.toml")}) {
            ui::UserSettings settings(file);
            editor::SceneMemory::cameras(settings).keep(scene, scene.endsWith(QLatin1String("a.scene.toml")) ? near : far);
            QVERIFY(settings.save().ok());
            ui::UserSettings again(file);
            QVERIFY(!editor::SceneMemory::cameras(again).find(scene).isEmpty());
            QVERIFY(!editor::SceneMemory::cameras(again).find(QStringLiteral("/p/a.scene.toml")).isEmpty());
        }
        ui::UserSettings settings(file);
        QCOMPARE(editor::SceneMemory::cameras(settings).find(QStringLiteral("/p/a.scene.toml")), near);
        QCOMPARE(editor::SceneMemory::cameras(settings).find(QStringLiteral("/p/b.scene.toml")), far);
        QVERIFY(editor::SceneMemory::cameras(settings).find(QStringLiteral("/p/c.scene.toml")).isEmpty());
    }

    void f2Renames() {
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->find("crate_5") != nullptr, Patience);
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        const std::string before = document.text(scene);
        selection().setEntity("crate_5", QStringLiteral("test"));
        focus(window().viewport().view());
        const int row = window().outliner().model().indexOf("crate_5").row();
        QTest::keyClick(&window().viewport().view(), Qt::Key_F2);
        QLineEdit* typed = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((typed = tree().viewport()->findChild<QLineEdit*>()) != nullptr && typed->hasFocus(), Patience);
        QCOMPARE(typed->text(), QStringLiteral("crate_5"));
        typed->selectAll();
        QTest::keyClicks(typed, QStringLiteral("oak"));
        QTest::keyClick(typed, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(document.text(scene).find("name = \"oak\"") != std::string::npos, Patience);
        QCOMPARE(selection().primary(), std::string("oak"));
        QTRY_VERIFY_WITH_TIMEOUT(window().outliner().model().indexOf("oak").isValid(), Patience);
        QCOMPARE(window().outliner().model().indexOf("oak").row(), row); // where it stood
        // A name that is taken is refused, and said.
        QTest::keyClick(&tree(), Qt::Key_F2);
        QTRY_VERIFY_WITH_TIMEOUT((typed = tree().viewport()->findChild<QLineEdit*>()) != nullptr && typed->hasFocus(), Patience);
        typed->selectAll();
        QTest::keyClicks(typed, QStringLiteral("crate_6"));
        QTest::keyClick(typed, Qt::Key_Return);
        // The line stays with what was typed, the reason, and a free name; Esc keeps the old one.
        const auto* reason = window().findChild<QLabel*>(QStringLiteral("nameGuard.reason"));
        QTRY_VERIFY_WITH_TIMEOUT((reason = window().findChild<QLabel*>(QStringLiteral("nameGuard.reason"))) != nullptr && reason->isVisible(),
                                 Patience);
        QVERIFY2(reason->text().contains(QStringLiteral("crate_6")), qPrintable(reason->text()));
        QCOMPARE(typed->text(), QStringLiteral("crate_6"));
        QTest::keyClick(typed, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!reason->isVisible(), Patience);
        trigger("edit.undo");
        QVERIFY(document.text(scene) == before);
        QTRY_VERIFY_WITH_TIMEOUT(window().outliner().model().indexOf("crate_5").isValid(), Patience);
        QCOMPARE(window().outliner().model().indexOf("crate_5").row(), row);
    }

    // Text travels from window to window: copied here, pasted in another project's scene.
    void entitiesArePastedInAnotherProject() {
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->find("crate_5") != nullptr, Patience);
        selection().setEntities({"crate_5", "crate_6"}, QStringLiteral("test"));
        focus(window().viewport().view());
        trigger("edit.copy");
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(window().openProject(project("pinball")));
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().isVisible(), Patience);
        focus(window().viewport().view());
        trigger("edit.paste"); // Pinball has no crates
        QVERIFY2(m_editor->notices().live().last().text.contains(QStringLiteral("line 2: ")),
                 qPrintable(m_editor->notices().live().last().text));
        QVERIFY(!m_editor->document().isDirty());
        QCOMPARE(QGuiApplication::clipboard()->text(), text);
    }

    void theListOfRecentProjectsIsClearedIfThereIsOne() {
        auto* recent = window().findChild<QMenu*>(QStringLiteral("menu.recent"));
        QVERIFY(recent != nullptr);
        const auto clear = [recent] {
            emit recent->aboutToShow();
            return recent->findChild<QAction*>(QStringLiteral("menu.recent.clear"));
        };
        QVERIFY(clear()->isEnabled());
        clear()->trigger();
        QVERIFY(!clear()->isEnabled());
    }

    void theWindowHasItsIcon() {
        QVERIFY(!window().windowIcon().isNull());
        const QImage icon = window().windowIcon().pixmap(64, 64).toImage();
        QVERIFY(icon.pixelColor(icon.width() * 22 / 64, icon.height() * 42 / 64).blue() > 150); // the box
        QCOMPARE(icon.pixelColor(0, 0).alpha(), 0);                                              // beside the corner
    }

    void theCameraOfAProjectComesBack() {
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().isVisible(), Patience);
        const auto lookedAt = [this] { return !window().viewport().saveCamera().isEmpty(); };
        QTRY_VERIFY_WITH_TIMEOUT(lookedAt(), Patience);
        const auto eye = [this] { return window().viewport().view().rig().eye(); };
        const Vec3 here(3.0F, 4.0F, 5.0F);
        window().viewport().view().rig().lookAt(here, {0, 0, 0});
        // Another project is seen from its own place, and the first again from where it was left.
        QVERIFY(window().openProject(project("pinball")));
        QTRY_VERIFY_WITH_TIMEOUT(lookedAt(), Patience);
        QVERIFY(eye() != here);
        const Vec3 there = eye();
        QVERIFY(window().openProject(project("courtyard")));
        QCOMPARE(eye(), here);
        // So it is at the next start.
        window().close();
        m_editor.reset();
        start(project("courtyard"));
        QTRY_VERIFY_WITH_TIMEOUT(window().viewport().view().isVisible(), Patience);
        QCOMPARE(eye(), here);
        QVERIFY(window().openProject(project("pinball")));
        QCOMPARE(eye(), there);
        // Nothing of it is in the projects.
        QCOMPARE(QDir(project("courtyard")).entryList(QDir::Files | QDir::Hidden),
                 QDir(sbx::test::qSourcePath("resources/projects/courtyard")).entryList(QDir::Files | QDir::Hidden));
    }

    // --size holds over a window that was maximised, or stood partly off the screen, when it was closed.
    void theSizeAskedForHoldsOverWhatWasRemembered() {
        window().showMaximized();
        QTRY_VERIFY_WITH_TIMEOUT(window().isMaximized() && window().width() > 1280, Patience);
        window().rememberWindow();
        m_editor.reset();
        start(project("courtyard"));
        QVERIFY(!window().isMaximized());
        QTRY_COMPARE_WITH_TIMEOUT(window().size(), QSize(1280, 720), Patience);
        const QRect room = window().screen()->availableGeometry();
        window().move(room.right() - 300, room.bottom() - 200);
        QTRY_VERIFY_WITH_TIMEOUT(!room.contains(window().frameGeometry()), Patience);
        window().rememberWindow();
        m_editor.reset();
        start(project("courtyard"));
        QTRY_COMPARE_WITH_TIMEOUT(window().size(), QSize(1280, 720), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(room.contains(window().frameGeometry()), Patience);
    }

    // Asked to end by a signal, the program keeps what closing its window keeps.
    void panelsAreKeptAfterSigterm() {
        m_editor.reset();
        QTemporaryDir user;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* folder : {"config", "state", "cache", "data"})
            environment.insert(QStringLiteral("XDG_%1_HOME").arg(QString::fromLatin1(folder).toUpper()),
                               user.filePath(QString::fromLatin1(folder)));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        const QString script = user.filePath(QStringLiteral("hide.cfg"));
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("view.layoutTraffic\necho the layout is chosen\n");
        file.close();
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(sbx::test::qBuildPath("bin/signalbox"), {project("courtyard"), QStringLiteral("--exec"), script});
        const QString log = user.filePath(QStringLiteral("state/signalbox/signalbox.log"));
        const auto ran = [&log] {
            QFile text(log);
            return text.open(QIODevice::ReadOnly) && text.readAll().contains("the layout is chosen");
        };
        QTRY_VERIFY_WITH_TIMEOUT(ran(), 6 * Patience);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
        QVERIFY(process.waitForFinished(6 * Patience));
        QCOMPARE(process.exitCode(), 128 + SIGTERM);
        const QSettings settings(user.filePath(QStringLiteral("config/signalbox/settings.ini")), QSettings::IniFormat);
        QVERIFY(settings.contains(QStringLiteral("window/geometry")));
        QVERIFY(settings.contains(QStringLiteral("window/state")));
        QVERIFY(settings.contains(QStringLiteral("viewport")));
        QVERIFY(settings.contains(QStringLiteral("trace")));
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    TestWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_window.moc"
