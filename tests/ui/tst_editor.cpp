// Drives the real editor in a real window: open, play, pick, edit the text, see the world change, filter the trace, set a CVar,
// save, reopen. Wants a display (Xvfb with a window manager will do). Leaves pictures in the build folder's screenshots/.

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QStatusTipEvent>
#include <QSurfaceFormat>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/notice.h"
#include "widgets/console/console_input.h"
#include "widgets/console/console_panel.h"
#include "widgets/console/cvar_table.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/problems_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/probe/probe_panel.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <atomic>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestEditor : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    [[nodiscard]] QString project() const { return m_dir.filePath(QStringLiteral("courtyard")); }
    editor::MainWindow& window() { return m_editor->window(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    const Inspection* inspected(const std::string& name) {
        for (const Inspection& i : frame().inspected)
            if (i.name == name)
                return &i;
        return nullptr;
    }
    double mass(const std::string& name) {
        const Inspection* i = inspected(name);
        if (i == nullptr)
            return -1.0;
        for (const InspectedField& field : i->components[0].settings)
            if (field.info->name == "mass")
                return std::get<double>(field.value);
        return -1.0;
    }
    void start(bool safeMode = false) {
        editor::Options options;
        options.project = project().toStdString();
        options.safeMode = safeMode;
        options.cvars = {{"audio.volume", "0.5"}};
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(frame().entities->rows.size() > 50, Patience);
    }
    // A line has been executed that was posted after all that was before, and the window has what was published then.
    void answered() {
        const auto serial = std::make_shared<std::atomic<std::uint64_t>>(0);
        m_editor->execute("echo", [this, serial](const ConsoleReply&) { *serial = m_editor->feed().session().snapshot()->serial + 1; });
        QTRY_VERIFY_WITH_TIMEOUT(*serial != 0 && frame().serial >= *serial, Patience);
    }
    // Frames of the viewport have been shown.
    void shows(int count) {
        ui::ViewportView& view = window().viewport().view();
        const QSignalSpy frames(&view, &ui::ViewportView::frameShown);
        for (int i = 0; i < count; ++i) {
            view.wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > i, Patience);
        }
    }
    void picture(const QString& name) {
        QVERIFY(test::catchesUp(window()));
        if (window().viewport().view().isVisible())
            shows(2);
        const QString folder = sbx::test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        QVERIFY(window().saveScreenshot(folder + QLatin1Char('/') + name));
    }
    // The column (from 1) behind `text` in the first line of entities.toml that holds it.
    QPair<int, int> placeAfter(const QByteArray& text) {
        const QByteArray bytes = QByteArray::fromStdString(m_editor->document().text("entities.toml"));
        const qsizetype at = bytes.indexOf(text);
        const QByteArray before = bytes.left(at);
        return {static_cast<int>(before.count('\n')) + 1,
                static_cast<int>(at - before.lastIndexOf('\n') - 1 + text.size()) + 1};
    }

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), project());
        start();
    }
    void cleanupTestCase() {
        if (m_editor)
            m_editor->document().undoStack().setIndex(0);
        m_editor.reset();
    }

    void everythingIsThereAndNamed() {
        for (const char* name : {"dock.outliner", "dock.entities", "dock.inspector", "dock.definition",
                                 "dock.trace", "dock.console", "dock.probe", "dock.problems", "dock.history"})
            QVERIFY2(window().dock(QLatin1String(name)) != nullptr, name);
        QCOMPARE(window().outliner().model().entityCount(), static_cast<int>(frame().entities->rows.size()));
        QVERIFY(m_editor->project().isCurrent());
        for (const ui::ShortcutConflict& conflict : m_editor->actions().conflicts())
            QFAIL(qPrintable(conflict.keys.toString() + QStringLiteral(": ")
                             + conflict.ids.join(QStringLiteral(", "))));
        QVERIFY2(window().viewport().view().failure().isEmpty(),
                 qPrintable(window().viewport().view().failure()));
        picture(QStringLiteral("edit_dark_1280.png"));
    }

    // While nothing plays a sound can be tried out all the same; the status bar says whether it is heard.
    void soundsAreTriedOutInEdit() {
        auto* label = window().findChild<QLabel*>(QStringLiteral("status.sound"));
        QVERIFY(label != nullptr && !label->isVisible());
        m_editor->execute("send PlaySound phantom");
        QTRY_VERIFY_WITH_TIMEOUT(label->isVisible(), Patience);
        if (m_editor->sound().status().state == audio::OutputState::Running) {
            QVERIFY2(label->text().startsWith(QStringLiteral("sound ")), qPrintable(label->text()));
        } else {
            QCOMPARE(label->text(), QStringLiteral("no sound device"));
            QVERIFY2(label->toolTip().contains(QStringLiteral("measuring only")), qPrintable(label->toolTip()));
        }
        const auto sounds = [&] {
            const audio::OutputRing& heard = m_editor->sound().heard();
            std::vector<float> last(4800 * 2);
            return heard.read(heard.written() - 4800, last)
                   && std::any_of(last.begin(), last.end(), [](float sample) { return std::abs(sample) > 1e-4F; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(sounds(), Patience);
        QCOMPARE(frame().mode, Mode::Edit);
        QCOMPARE(frame().tick, std::uint64_t{0});
        m_editor->execute("send StopSound phantom");
        QTRY_VERIFY_WITH_TIMEOUT(!sounds(), Patience);
    }

    // The status bar says how sound is rendered, whoever asked for it and whether the probe is seen or not; B goes to and fro there.
    void theStatusBarSaysHowSoundIsRendered() {
        auto* label = window().findChild<QLabel*>(QStringLiteral("status.soundMode"));
        QVERIFY(label != nullptr);
        m_editor->execute("send PlaySound phantom"); // from then on something renders
        QTRY_VERIFY_WITH_TIMEOUT(label->isVisible(), Patience);
        QCOMPARE(label->text(), QStringLiteral("binaural"));
        QVERIFY(!window().probe().isSeen());
        for (const char* mode : {"mono", "pan", "plain", "sphere", "hrtf"}) {
            m_editor->execute(std::string("audio.mode ") + mode);
            QTRY_COMPARE_WITH_TIMEOUT(label->text(), QLatin1String(mode) == QLatin1String("hrtf") ? QStringLiteral("binaural") : QLatin1String(mode),
                                      Patience);
        }
        trigger("view.layoutSound");
        QTRY_VERIFY_WITH_TIMEOUT(window().probe().isSeen() && window().probe().view()->ready, Patience);
        auto* place = window().findChild<QWidget*>(QStringLiteral("probe.place"));
        QVERIFY(place != nullptr);
        window().activateWindow();
        place->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(place->hasFocus(), Patience);
        for (const char* mode : {"pan", "binaural", "pan", "binaural"}) {
            QTest::keyClick(place, Qt::Key_B);
            QTRY_COMPARE_WITH_TIMEOUT(label->text(), QLatin1String(mode), Patience);
            QTRY_COMPARE_WITH_TIMEOUT(window().probe().mode(), QLatin1String(mode) == QLatin1String("pan") ? audio::Mode::Pan : audio::Mode::Hrtf,
                                      Patience);
        }
        picture(QStringLiteral("sound_dark_1280.png"));
        m_editor->execute("send StopSound phantom");
        trigger("view.layoutAuthor");
    }

    void playPauseStepStop() {
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(frame().mode == Mode::Play && frame().tick >= 30, Patience);
        QTRY_COMPARE(window().findChild<QLabel*>(QStringLiteral("status.mode"))->text(),
                     QStringLiteral("Play"));
        trigger("play.pause");
        QTRY_COMPARE(frame().mode, Mode::Pause);
        const std::uint64_t held = frame().tick;
        for (int i = 0; i < 10; ++i) { // ten more publications
            answered();
            QCOMPARE(frame().tick, held);
        }
        trigger("play.step");
        QTRY_COMPARE(frame().tick, held + 1);
        trigger("play.stop");
        QTRY_COMPARE(frame().mode, Mode::Edit);
        QTRY_COMPARE(frame().tick, std::uint64_t(0));
    }

    void aClickPicksWhatIsUnderIt() {
        m_editor->selection().setEntity("heavy_crate_lone", QStringLiteral("test"));
        window().viewport().frameSelection();
        // The camera travels, until frames show it where it was.
        const auto eye = [this] { return window().viewport().view().rig().eye(); };
        Vec3 before = eye();
        shows(2);
        for (int still = 0; still < 2; before = eye()) {
            shows(1);
            still = eye() == before ? still + 1 : 0;
        }
        m_editor->selection().clear(QStringLiteral("test"));
        QWidget* view = &window().viewport().view();
        QTest::mouseMove(view, view->rect().center());
        QTest::mouseClick(view, Qt::LeftButton, {}, view->rect().center());
        QTRY_COMPARE(m_editor->selection().primary(), std::string("heavy_crate_lone"));
        // The outliner and the inspector follow.
        QTRY_COMPARE(window().outliner().model().nameAt(
                         window().findChild<QTreeView*>(QStringLiteral("outliner.tree"))->currentIndex()),
                     std::string("heavy_crate_lone"));
        QTRY_COMPARE_WITH_TIMEOUT(window().inspector().shownEntity(), std::string("heavy_crate_lone"),
                                  Patience);
        picture(QStringLiteral("picked_dark_1280.png"));
    }

    void theInspectorWritesAnOverrideAndUndoTakesItBack() {
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        const std::string before = document.text(scene);
        m_editor->selection().setEntity("heavy_crate_lone", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 50.0, Patience);
        ui::FieldEditor* editor = window().inspector().editor("Body", "mass");
        QVERIFY(editor != nullptr);
        auto* input = editor->findChild<QLineEdit*>();
        QVERIFY(input != nullptr);
        input->setFocus();
        input->selectAll();
        QTest::keyClicks(input, QStringLiteral("77"));
        QTest::keyClick(input, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 77.0, Patience);
        QVERIFY(document.text(scene).find("mass = 77") != std::string::npos);
        QVERIFY(document.isDirty());
        trigger("edit.undo");
        QVERIFY(document.text(scene) == before);
        QVERIFY(!document.isDirty());
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 50.0, Patience);
    }

    // In Edit the console's `set` is the inspector's override: in the text, undone as one step, kept by the next edit.
    void theConsolesSetIsAnOverride() {
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        const std::string before = document.text(scene);
        m_editor->selection().setEntity("heavy_crate_lone", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 50.0, Patience);
        m_editor->execute("set heavy_crate_lone Body.mass 61");
        QTRY_VERIFY_WITH_TIMEOUT(document.text(scene).find("mass = 61") != std::string::npos, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 61.0, Patience);
        QCOMPARE(document.undoStack().undoText(), QStringLiteral("Set mass of heavy_crate_lone"));
        m_editor->execute("set heavy_crate_lone Body.friction 0.25");
        QTRY_VERIFY_WITH_TIMEOUT(document.text(scene).find("friction = 0.25") != std::string::npos, Patience);
        answered();
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 61.0, Patience);
        trigger("edit.undo");
        trigger("edit.undo");
        QVERIFY(document.text(scene) == before);
        QTRY_VERIFY_WITH_TIMEOUT(mass("heavy_crate_lone") == 50.0, Patience);
        // Several in a line are one step.
        m_editor->selection().setEntities({"crate_5", "crate_7"}, QStringLiteral("test"));
        answered();
        const int steps = document.undoStack().count();
        m_editor->execute("set $sel Body.mass 3.5");
        QTRY_VERIFY_WITH_TIMEOUT(document.isDirty(), Patience);
        answered();
        QTRY_VERIFY_WITH_TIMEOUT(mass("crate_5") == 3.5 && mass("crate_7") == 3.5, Patience);
        QCOMPARE(document.undoStack().count(), steps - 2 + 1); // in place of those undone
        trigger("edit.undo");
        QVERIFY(document.text(scene) == before);
        // What is refused changes nothing.
        m_editor->execute("set heavy_crate_lone Body.mass -1");
        answered();
        QVERIFY(document.text(scene) == before);
    }

    void onlySwitchesTakeAState() {
        const CommandRegistry& commands = m_editor->feed().session().console().commands();
        QCOMPARE(commands.find("trace.pause")->usage(), std::string("trace.pause [STATE]"));
        QCOMPARE(commands.find("trace.clear")->usage(), std::string("trace.clear"));
        QCOMPARE(commands.find("view.home")->usage(), std::string("view.home"));
    }

    void hintsStandBesideModeAndTick() {
        auto* hint = window().findChild<QLabel*>(QStringLiteral("status.hint"));
        auto* mode = window().findChild<QLabel*>(QStringLiteral("status.mode"));
        QVERIFY(hint != nullptr && mode != nullptr);
        QStatusTipEvent event(QStringLiteral("Starts the simulation"));
        QApplication::sendEvent(&window(), &event);
        QVERIFY(hint->text().startsWith(QStringLiteral("Starts")));
        QVERIFY(mode->isVisible());
        QStatusTipEvent none{QString()};
        QApplication::sendEvent(&window(), &none);
        QVERIFY(hint->text().isEmpty());
    }

    void noticesOfAFileSayWhatIsTrueNow() {
        ui::NoticeList& notices = m_editor->notices();
        const auto about = [&] {
            QStringList out;
            for (const ui::Notice& notice : notices.live())
                if (notice.context == QStringLiteral("file entities.toml"))
                    out.append(notice.text);
            return out;
        };
        const QString path = m_editor->document().path("entities.toml");
        const QByteArray bytes = read(path);
        const auto write = [&](const QByteArray& text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(about().value(0).contains(QStringLiteral("is gone")), Patience);
        write(bytes);
        QTRY_VERIFY_WITH_TIMEOUT(about().isEmpty(), Patience); // nothing is left to answer
        write(bytes + "\n# theirs\n");
        QTRY_VERIFY_WITH_TIMEOUT(about().value(0).contains(QStringLiteral("was read again")), Patience);
        QCOMPARE(about().size(), 1);
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(about().value(0).contains(QStringLiteral("is gone")), Patience);
        QCOMPARE(about().size(), 1);
        QVERIFY(m_editor->document().save("entities.toml").ok());
        QVERIFY(about().isEmpty());
        write(bytes);
        QTRY_VERIFY_WITH_TIMEOUT(
            QByteArray::fromStdString(m_editor->document().text("entities.toml")) == bytes, Patience);
        QVERIFY(!m_editor->document().isDirty());
    }

    void typingInTheDefinitionReachesTheRunningWorld() {
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(frame().tick >= 20, Patience);
        m_editor->selection().setEntity("crate_5", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("crate_5") == 5.0, Patience);
        window().dock(QStringLiteral("dock.definition"))->raise();
        const auto [line, column] = placeAfter("mass = 5.0");
        window().definition().goTo(QStringLiteral("entities.toml"), line, column);
        QWidget* text = &window().definition().editor();
        text->setFocus();
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClick(text, Qt::Key_Backspace);
        QTest::keyClicks(text, QStringLiteral("9"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("crate_5") == 9.0, Patience);
        QCOMPARE(frame().mode, Mode::Play);

        // Broken: a located problem, and the world goes on with the last good definitions.
        QTest::keyClicks(text, QStringLiteral("x"));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->project().problems().hasErrors(), Patience);
        bool located = false;
        for (const Diagnostic& problem : m_editor->project().problems().items)
            located = located
                      || (problem.severity == Severity::Error && problem.file == "entities.toml"
                          && problem.region.line == line);
        QVERIFY(located);
        QTRY_VERIFY(window()
                        .problems()
                        .findChild<QAbstractItemView*>(QStringLiteral("problems.table"))
                        ->model()
                        ->rowCount()
                    > 0);
        const std::uint64_t tick = frame().tick;
        QTRY_VERIFY_WITH_TIMEOUT(frame().tick > tick + 10, Patience);
        QCOMPARE(mass("crate_5"), 9.0);
        picture(QStringLiteral("problem_dark_1280.png"));
        QTest::keyClick(text, Qt::Key_Backspace);
        QTRY_VERIFY_WITH_TIMEOUT(!m_editor->project().problems().hasErrors(), Patience);
    }

    void theTraceFiltersAndItsRowsSelect() {
        window().dock(QStringLiteral("dock.trace"))->raise();
        m_editor->execute("send Damage crate_5 amount=1");
        window().trace().setFilterText(QStringLiteral("type == Damage"));
        ui::TraceModel& model = window().trace().model();
        const auto found = [&model] {
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.record(row).senderName() == 0) // the console's
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && found(), Patience);
        for (int row = 0; row < model.rowCount(); ++row)
            QCOMPARE(messageType(model.record(row).envelope().type).name, std::string("Damage"));
        window().trace().goTo(model.record(model.rowCount() - 1).envelope().sequence);
        picture(QStringLiteral("trace_dark_1280.png"));
        window().trace().setFilterText({});
    }

    void aBreakpointPausesAndShowsItsMessage() {
        window().dock(QStringLiteral("dock.console"))->raise();
        emit window().trace().breakRequested(QStringLiteral("type == Damage and to == crate_5"));
        m_editor->execute("send Damage crate_5 amount=1");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Pause, Patience);
        const auto told = [this] {
            for (const ui::Notice& notice : m_editor->notices().live())
                if (notice.text.contains(QStringLiteral("Damage to crate_5")))
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(told(), Patience);
        QVERIFY(window().trace().model().rowOfSequence(m_editor->selection().traceSequence()) >= 0);
        const RecordView record = window().trace().model().record(
            window().trace().model().rowOfSequence(m_editor->selection().traceSequence()));
        QCOMPARE(messageType(record.type()).name, std::string("Damage"));
        QCOMPARE(m_editor->selection().primary(), std::string("crate_5"));
        QVERIFY(window().trace().isVisible());
        picture(QStringLiteral("breakpoint_dark_1280.png"));
        m_editor->theme().setMode(ui::ThemeMode::Light);
        picture(QStringLiteral("breakpoint_light_1280.png"));
        m_editor->theme().setMode(ui::ThemeMode::Dark);
        m_editor->execute("unbreak all");
        trigger("play.start");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Play, Patience);
    }

    void theConsoleSetsACVar() {
        window().dock(QStringLiteral("dock.console"))->raise();
        auto* input = window().findChild<QLineEdit*>(QStringLiteral("console.input"));
        if (input == nullptr)
            input = window().console().input().findChild<QLineEdit*>();
        QVERIFY(input != nullptr);
        input->setFocus();
        QTest::keyClicks(input, QStringLiteral("sim.timeScale 2"));
        QTest::keyClick(input, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(frame().timeScale == 2.0, Patience);
        QTest::keyClicks(input, QStringLiteral("sim.timeScale 100"));
        QTest::keyClick(input, Qt::Key_Return);
        answered(); // it was refused by then
        QCOMPARE(frame().timeScale, 2.0);
        picture(QStringLiteral("console_dark_1280.png"));
        m_editor->execute("sim.timeScale 1");
        window().console().setTableShown(true);
        QVERIFY(window().console().table()->isVisible());
        emit window().console().linkActivated({ui::LinkKind::Entity, 0, 0, QStringLiteral("crate_7")});
        QCOMPARE(m_editor->selection().primary(), std::string("crate_7"));
        emit window().console().linkActivated({ui::LinkKind::Place, 0, 0, QStringLiteral("entities.toml:3")});
        QVERIFY(window().definition().isVisible());
        picture(QStringLiteral("cvars_dark_1280.png"));
        m_editor->theme().setMode(ui::ThemeMode::Light);
        picture(QStringLiteral("cvars_light_1280.png"));
        m_editor->theme().setMode(ui::ThemeMode::Dark);
        window().console().setTableShown(false);
    }

    // Undoing an edit of the scene would show only after Stop, so it is refused with a notice. Undo of types takes effect at once.
    void undoKeepsTheSceneWhileTheWorldRuns() {
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        const std::string before = document.text(scene);
        QVERIFY(
            document.edit({scene, {{before.size(), {}, "# more\n"}}, QStringLiteral("Add a line"), {}}).ok());
        const std::string edited = document.text(scene);
        const auto told = [this](const char* what) {
            const QList<ui::Notice>& live = m_editor->notices().live();
            return !live.isEmpty() && live.last().text.startsWith(QString::fromLatin1(what))
                   && live.last().text.contains(QStringLiteral("Add a line"));
        };
        trigger("edit.undo");
        QVERIFY(document.text(scene) == edited);
        QVERIFY(told("Not undone while the world runs"));
        document.undoStack().undo();
        trigger("edit.redo");
        QVERIFY(document.text(scene) == before);
        QVERIFY(told("Not redone while the world runs"));
        const std::string types = document.text("entities.toml");
        QVERIFY(document.edit({"entities.toml", {{types.size(), {}, "# more\n"}}, QStringLiteral("Add"), {}})
                    .ok());
        trigger("edit.undo");
        QVERIFY(document.text("entities.toml") == types);
    }

    void stopBringsTheSceneBack() {
        trigger("play.stop");
        QTRY_COMPARE_WITH_TIMEOUT(frame().mode, Mode::Edit, Patience);
        QVERIFY(frame().entities->find("crate_5") != nullptr); // whatever became of it in the run
        m_editor->selection().setEntity("crate_5", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("crate_5") == 9.0,
                                 Patience); // the definition's edit stays: it is in the text
    }

    void createDuplicateDeleteAndUndo() {
        ui::Document& document = m_editor->document();
        const std::string scene = document.file(ui::FileRole::Scene);
        const std::string before = document.text(scene);
        const std::size_t count = frame().entities->rows.size();
        QVERIFY(window().viewport().createAtCentre(QStringLiteral("Crate")));
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count + 1, Patience);
        trigger("edit.duplicate");
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count + 2, Patience);
        const std::vector<std::string> copy = m_editor->selection().entities();
        trigger("edit.delete");
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count + 1, Patience);
        QVERIFY(m_editor->selection().empty());
        trigger("edit.undo");
        QCOMPARE(m_editor->selection().entities(), copy); // what comes back is selected again
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count + 2, Patience);
        QCOMPARE(m_editor->selection().entities(), copy);
        trigger("edit.redo");
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count + 1, Patience);
        while (document.text(scene) != before && document.undoStack().canUndo())
            trigger("edit.undo");
        QVERIFY(document.text(scene) == before);
        QTRY_COMPARE_WITH_TIMEOUT(frame().entities->rows.size(), count, Patience);
    }

    void panelsTakeTheKeysWhereTheyAreOfUse() {
        const std::pair<const char*, QWidget*> panels[] = {{"view.panel.outliner", &window().outliner().view()},
                                                           {"view.panel.definition", &window().definition().editor()},
                                                           {"view.panel.console", &window().console().input()}};
        for (const auto& [action, view] : panels) {
            trigger(action);
            const auto hasKeys = [this, widget = view] {
                if (!window().isActiveWindow()) // another program on this display has the keys
                    window().activateWindow();
                return widget->hasFocus();
            };
            QTRY_VERIFY_WITH_TIMEOUT(hasKeys(), Patience);
        }
        trigger("view.panel.trace");
    }

    void bothThemesAndSizes() {
        trigger("view.themeLight");
        picture(QStringLiteral("edit_light_1280.png"));
        window().resize(1920, 1040);
        trigger("view.layoutAuthor");
        picture(QStringLiteral("edit_light_1920.png"));
        trigger("view.themeDark");
        picture(QStringLiteral("edit_dark_1920.png"));
        window().resize(1280, 720);
        trigger("view.layoutAuthor");
    }

    // The panel over the program's own sound: what is asked for is heard, with a device or without.
    void theProbeHearsTheYard() {
        trigger("view.layoutSound");
        ui::ProbePanel& probe = window().probe();
        QTRY_VERIFY_WITH_TIMEOUT(probe.isSeen(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(probe.view()->ready, 6 * Patience); // the head is read
        QVERIFY(probe.view()->sounds.size() > 5);
        const auto* door = probe.view()->find({"door", 0});
        QVERIFY(door != nullptr);
        m_editor->selection().setEntity("door", QStringLiteral("test"));
        QCOMPARE(probe.current().entity, std::string("door"));
        probe.playCurrent();
        QTRY_VERIFY_WITH_TIMEOUT(probe.view()->stateOf({"door", 0}) != nullptr && probe.view()->stateOf({"door", 0})->playing, Patience);
        probe.stopCurrent();
        // Its own source, at the right: the right ear hears first and more.
        ProbeSource source;
        source.on = true;
        source.position = fromHeadPlace(probe.view()->ear, {1.0, 0.0, 2.0});
        probe.setCurrent({});
        probe.setSource(source);
        const auto* figures = probe.findChild<ui::FiguresView*>(QStringLiteral("probe.figures"));
        QTRY_VERIFY_WITH_TIMEOUT(figures->figures().itd && *figures->figures().itd > 300e-6, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(figures->figures().ild && *figures->figures().ild > 3.0, Patience); // over a longer time
        picture(QStringLiteral("probe-dark-1280.png"));
        window().resize(1920, 1080);
        trigger("view.layoutSound");
        trigger("view.themeLight");
        picture(QStringLiteral("probe-light-1920.png"));
        trigger("view.themeDark");
        source.on = false;
        probe.setSource(source);
        QTRY_VERIFY_WITH_TIMEOUT(probe.view()->stateOf({}) == nullptr, Patience);
        window().resize(1280, 720);
        trigger("view.layoutAuthor");
        QTRY_VERIFY_WITH_TIMEOUT(!probe.isSeen(), Patience);
    }

    void saveAndReopen() {
        QVERIFY(m_editor->document().isDirty());
        QVERIFY(window().isWindowModified());
        const QByteArray original =
            read(sbx::test::qSourcePath("resources/projects/courtyard/entities.toml"));
        trigger("file.save");
        QVERIFY(!m_editor->document().isDirty());
        QByteArray expected = original;
        expected.replace(expected.indexOf("mass = 5.0"), 10, "mass = 9");
        QCOMPARE(read(project() + QStringLiteral("/entities.toml")), expected);
        QCOMPARE(read(project() + QStringLiteral("/courtyard.scene.toml")),
                 read(sbx::test::qSourcePath("resources/projects/courtyard/courtyard.scene.toml")));
        window().close();
        m_editor.reset();
        start();
        m_editor->selection().setEntity("crate_5", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(mass("crate_5") == 9.0, Patience);
        // A project that is not one: said, and what was open stays.
        QVERIFY(!window().openProject(m_dir.filePath(QStringLiteral("nowhere"))));
        QVERIFY(frame().entities->rows.size() > 50);
    }

    // autoexec.cfg: the user's word, under the command line's; none of it in safe mode.
    void theUsersLinesRunUnlessItIsToBeSafe() {
        QFile lines(m_dir.filePath(QStringLiteral("state/autoexec.cfg")));
        QVERIFY(lines.open(QIODevice::WriteOnly));
        lines.write("alias mine echo\naudio.volume 0.25\nsim.gravity 5\n");
        lines.close();
        for (const bool safe : {false, true}) {
            window().close();
            m_editor.reset();
            start(safe);
            const auto done = std::make_shared<std::atomic<bool>>(false);
            m_editor->execute("echo", [done](const ConsoleReply&) { *done = true; }); // what was posted before has run then
            QTRY_VERIFY_WITH_TIMEOUT(*done, Patience);
            const Console& console = m_editor->feed().session().console();
            QCOMPARE(console.aliasList().size(), std::size_t(safe ? 0 : 1));
            QCOMPARE(console.cvars().describe("audio.volume")->value, Value(0.5));
            const CVarInfo gravity = *console.cvars().describe("sim.gravity");
            QCOMPARE(gravity.lastSetBy == CVarSource::User, !safe);
        }
    }

    // The window goes while sounds are drawn into its picture: closed first, or as it stands when the program ends.
    void endsWithSoundsInThePicture() {
        for (const bool closed : {false, true}) {
            if (!m_editor)
                start();
            trigger("view.layoutSound");
            ui::ProbePanel& probe = window().probe();
            QTRY_VERIFY_WITH_TIMEOUT(probe.isSeen(), Patience);
            QTRY_VERIFY_WITH_TIMEOUT(probe.view()->ready, 6 * Patience);
            probe.setCurrent({"door", 0});
            probe.startFlyBy(); // the picture changes all the time
            QTRY_VERIFY_WITH_TIMEOUT(probe.view()->stateOf({}) != nullptr, Patience);
            shows(3);
            if (closed)
                window().close();
            m_editor.reset();
        }
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
    TestEditor test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_editor.moc"
