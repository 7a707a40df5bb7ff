// Editing by mouse and keys on the real window: what is selected after undo and redo, names that are refused, what "select all" means beside a
// filter. Wants a display.

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "engine/session/session.h"
#include "tests/copy_folder.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/selection.h"
#include "widgets/common/number_field.h"
#include "widgets/history/history_model.h"
#include "widgets/history/history_panel.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_view.h"

#include <algorithm>
#include <future>

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");
using Names = std::vector<std::string>;

} // namespace

class TestEditing : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::Selection& selection() { return m_editor->selection(); }
    ui::Document& document() { return m_editor->document(); }
    const FrameSnapshot& frame() { return m_editor->feed().frame(); }
    QTreeView& tree() { return window().outliner().view(); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void focus(QWidget& widget) {
        window().activateWindow();
        widget.setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(widget.hasFocus(), Patience);
    }
    [[nodiscard]] bool isThere(const std::string& name) { return frame().entities->find(name) != nullptr; }
    float worldX(const char* name) {
        std::promise<float> x;
        m_editor->feed().post([&x, name](Session& s) { x.set_value(s.world().find(name).pose().position.x); });
        return x.get_future().get();
    }
    // The world has taken what was edited so far, and the window has seen it.
    void settle() {
        for (int i = 0; i < 2; ++i) {
            QSignalSpy frames(&m_editor->feed(), &ui::SessionFeed::frameChanged);
            m_editor->feed().post([](Session&) {}); // is published, whatever it does
            QTRY_VERIFY_WITH_TIMEOUT(!frames.isEmpty(), Patience);
        }
    }

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), m_dir.filePath(QStringLiteral("courtyard")));
    }
    void init() {
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("courtyard")).toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(isThere("crate_5"), Patience);
        focus(window().viewport().view());
    }
    void cleanup() {
        if (m_editor)
            document().undoStack().setIndex(0);
        m_editor.reset();
    }

    // The world answers a deletion after its undo: what came back stays selected.
    void aLateDeletionClearsNothing() {
        const Names crates{"crate_5", "crate_6"};
        selection().setEntities(crates, Test);
        trigger("edit.delete");
        m_editor->project().refresh(); // hands the deletion to the session
        std::promise<void> done;
        m_editor->feed().post([&done](Session&) { done.set_value(); });
        done.get_future().wait(); // no event of the window is handled meanwhile
        trigger("edit.undo");
        QCOMPARE(selection().entities(), crates);
        QSignalSpy lists(&m_editor->feed(), &ui::SessionFeed::entitiesChanged);
        QTRY_VERIFY_WITH_TIMEOUT(!lists.isEmpty(), Patience);
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(isThere("crate_5"), Patience);
        QCOMPARE(selection().entities(), crates);
    }

    // Ctrl+Z goes through selections before the step they follow; only the step makes the document dirty.
    void undoTakesBackSelections() {
        auto& actions = m_editor->actions();
        const bool wasDirty = document().isDirty();
        selection().setEntity("crate_5", Test);
        selection().setEntity("crate_6", Test);
        QCOMPARE(document().isDirty(), wasDirty);
        QVERIFY(actions.find(QStringLiteral("edit.undo"))->text().contains(QStringLiteral("select crate_6")));
        const auto tip = [&actions](const char* id) { return actions.find(QLatin1String(id))->toolTip(); };
        QCOMPARE(tip("edit.undo"), QStringLiteral("Undo: select crate_6 (Ctrl+Z)"));
        trigger("edit.undo");
        QCOMPARE(tip("edit.redo"), QStringLiteral("Redo: select crate_6 (Ctrl+Shift+Z)"));
        // Also once its keys are others.
        actions.setShortcuts(QStringLiteral("edit.undo"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_U)});
        QCOMPARE(tip("edit.undo"), QStringLiteral("Undo: select crate_5 (Ctrl+Alt+U)"));
        actions.resetShortcuts(QStringLiteral("edit.undo"));
        QCOMPARE(selection().entities(), Names{"crate_5"});
        trigger("edit.delete");
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(!isThere("crate_5"), Patience);
        selection().setEntity("crate_6", Test);
        trigger("edit.undo");
        QVERIFY(selection().empty());
        trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(isThere("crate_5"), Patience);
        QCOMPARE(selection().entities(), Names{"crate_5"});
        QCOMPARE(document().isDirty(), wasDirty);
        // A selection keeps the step that can be redone; the list of steps has nothing but steps.
        selection().setEntity("crate_6", Test);
        QVERIFY(actions.find(QStringLiteral("edit.redo"))->isEnabled());
        QCOMPARE(window().history().model().steps(), 1);
        trigger("edit.undoSelections");
        QVERIFY(!actions.find(QStringLiteral("edit.undo"))->isEnabled());
        trigger("edit.undoSelections");
    }

    // An error in project.toml has a notice that leads to it, and goes when it is mended.
    void aBrokenProjectFileHasANotice() {
        const std::string file = document().file(ui::FileRole::Project);
        const std::string text = document().text(file);
        const auto told = [&] {
            const auto& live = m_editor->notices().live();
            return std::find_if(live.begin(), live.end(),
                                [](const ui::Notice& notice) { return notice.context.endsWith(QStringLiteral(":fault")); });
        };
        QVERIFY(document().edit({file, {{0, {}, "= 1\n"}}, QStringLiteral("Break it"), {}}).ok());
        m_editor->project().refresh();
        QTRY_VERIFY_WITH_TIMEOUT(told() != m_editor->notices().live().end(), Patience);
        QVERIFY2(told()->text.startsWith(QStringLiteral("project.toml, line 1, has an error: ")), qPrintable(told()->text));
        QCOMPARE(told()->actionText, QStringLiteral("Show"));
        trigger("edit.undo");
        m_editor->project().refresh();
        QTRY_VERIFY_WITH_TIMEOUT(told() == m_editor->notices().live().end(), Patience);
        QCOMPARE(document().text(file), text);
    }

    // Messages of the last run stay in the trace while the scene is edited; the next run takes their place.
    void theTraceOutlivesEdits() {
        ui::TraceModel& trace = window().trace().model();
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(frame().tick > 30, Patience);
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().mode == Mode::Edit, Patience);
        settle();
        trace.catchUp();
        const int recorded = trace.rowCount({});
        QVERIFY(recorded > 0);
        selection().setEntity("crate_5", Test);
        ui::FieldEditor* place = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((place = window().inspector().editor({}, "position")) != nullptr, Patience);
        const float before = frame().entities->find("crate_5") != nullptr ? worldX("crate_5") : 0.0F;
        const auto fields = place->findChildren<ui::NumberField*>();
        QVERIFY(!fields.isEmpty());
        focus(*fields.first());
        QTest::keySequence(fields.first(), QKeySequence::SelectAll);
        QTest::keyClicks(fields.first(), QString::number(double(before) + 2.0));
        QTest::keyClick(fields.first(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(worldX("crate_5"), before + 2.0F, Patience);
        trigger("edit.duplicate");
        trigger("edit.delete");
        settle();
        trace.catchUp();
        QCOMPARE(trace.rowCount({}), recorded);
        trigger("play.step");
        QTRY_VERIFY_WITH_TIMEOUT(frame().tick == 1, Patience);
        settle();
        trace.catchUp();
        QVERIFY(trace.rowCount({}) < recorded);
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(frame().mode == Mode::Edit, Patience);
    }

    // Undo selects what was selected before a copy, a deletion or a paste, redo what was after, once the world has followed as well as at
    // once. Selecting is no step and makes nothing unsaved.
    void undoSelectsWhatWasSelected_data() {
        QTest::addColumn<bool>("patient");
        QTest::newRow("when the world has followed") << true;
        QTest::newRow("at once") << false;
    }
    void undoSelectsWhatWasSelected() {
        QFETCH(bool, patient);
        const Names crates{"crate_5", "crate_6"};
        const auto follow = [&] {
            if (patient)
                settle();
        };
        const auto selectedIs = [&](const Names& names) {
            settle();
            QCOMPARE(selection().entities(), names);
            for (const std::string& name : names)
                QTRY_VERIFY_WITH_TIMEOUT(isThere(name), Patience);
            settle();
            QCOMPARE(selection().entities(), names);
        };
        selection().setEntities(crates, Test);
        QVERIFY(!document().isDirty());
        QCOMPARE(document().undoStack().count(), 0);
        for (const char* step : {"edit.duplicate", "edit.delete", "edit.cut", "edit.paste"}) {
            if (QLatin1String(step) == QLatin1String("edit.paste")) {
                trigger("edit.copy");
                selection().setEntity("crate_7", Test);
            }
            const Names before = selection().entities();
            trigger(step);
            follow();
            const Names after = selection().entities();
            QVERIFY2(after != before, step);
            for (int round = 0; round < 2; ++round) {
                trigger("edit.undo");
                follow();
                QCOMPARE(selection().entities(), before);
                trigger("edit.redo");
                follow();
                QCOMPARE(selection().entities(), after);
            }
            trigger("edit.undo");
            selectedIs(before);
            selection().clear(Test); // a click on nothing
            follow();
            trigger("edit.redo");
            selectedIs(after);
            trigger("edit.undo");
            selectedIs(before);
            QCOMPARE(document().undoStack().count(), 1);
            selection().setEntities(crates, Test);
            QVERIFY(!document().isDirty());
        }
    }
};

QTEST_MAIN(TestEditing)
#include "tst_editing.moc"
