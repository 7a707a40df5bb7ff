// Messages sent by hand and trace files in the real window, by the names of the controls. Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/message_sending.h"
#include "app/editor/scene_actions.h"
#include "engine/session/session.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/selection.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/trace/composed_message.h"
#include "widgets/trace/field_form.h"
#include "widgets/trace/message_composer.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_file_window.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/viewport/gl_target.h"

#include <limits>

using namespace sbx;

namespace {
constexpr int Patience = 60000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");
} // namespace

class TestMessageSending : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::TraceModel& trace() { return window().trace().model(); }
    ui::MessageComposer* form() { return window().findChild<ui::MessageComposer*>(QStringLiteral("composer")); }
    template <typename T> T* part(const char* name) { return form()->findChild<T*>(QStringLiteral("composer.") + QLatin1String(name)); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void picture(QWidget& of, const char* name) {
        const QString folder = test::qBuildPath("screenshots");
        QDir().mkpath(folder);
        QVERIFY(of.grab().save(folder + QStringLiteral("/") + QLatin1String(name)));
    }
    // The newest row of the trace that has this type and receiver; 0: none.
    std::uint64_t newest(const char* type, const char* receiver) {
        for (int row = trace().rowCount() - 1; row >= 0; --row) {
            const RecordView record = trace().record(row);
            if (trace().context().type(record).name == type && trace().context().receiver(record) == receiver)
                return record.sequence();
        }
        return 0;
    }
    QString result() { return part<QLabel>("result")->text(); }
    QString hint() { return part<QLabel>("hint")->isVisible() ? part<QLabel>("hint")->text() : QString(); }

private slots:
    void initTestCase() {
        const QString copy = m_dir.filePath(QStringLiteral("courtyard"));
        test::copyFolder(test::qSourcePath("resources/projects/courtyard"), copy);
        editor::Options options;
        options.project = copy.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities != nullptr && m_editor->feed().frame().entities->find("crate_1") != nullptr, Patience);
    }
    void cleanupTestCase() { m_editor.reset(); }

    // In the menu of an entity, of outliner and viewport alike.
    void theMenuOfAnEntityHasIt() {
        m_editor->selection().setEntity("crate_1", Test);
        QMenu menu;
        editor::SceneActions::fill(menu, *m_editor, window().layers());
        QVERIFY(menu.actions().contains(m_editor->actions().find(QStringLiteral("trace.send"))));
    }

    // Stopped: handled at once, recorded, said so, and gone with Play.
    void sendsToTheStoppedWorld() {
        m_editor->selection().setEntity("crate_1", Test);
        trigger("trace.send");
        QVERIFY(form() != nullptr && form()->isVisible());
        QVERIFY2(hint().startsWith(QStringLiteral("The world is stopped")), qPrintable(hint()));
        QCOMPARE(form()->message().sendSettings().to, std::string("crate_1"));
        part<QComboBox>("type")->setEditText(QStringLiteral("Damage"));
        form()->fields()->setValue("amount", Value(7.5));
        part<QPushButton>("sendNow")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(result().startsWith(QStringLiteral("Damage: 1 receiver")), qPrintable(result()), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(newest("Damage", "crate_1") != 0, Patience);
        QVERIFY(form()->isVisible());
        picture(*form(), "composer.png");
    }

    // The floor has no health.
    void warnsWhereNobodyActs() {
        m_editor->selection().setEntity("floor", Test);
        trigger("trace.send");
        part<QPushButton>("sendNow")->click();
        QTRY_COMPARE_WITH_TIMEOUT(
            result(),
            QStringLiteral(
                "Damage: 0 receivers, nobody acted. Health and Shield act on Damage; floor has neither."),
            Patience);
        QCOMPARE(part<QLabel>("result")->palette().color(QPalette::WindowText),
                 m_editor->theme().color(ui::Token::Warning));
        m_editor->selection().setEntity("crate_1", Test);
        trigger("trace.send");
    }

    void saysWhatTheSessionRefuses() {
        form()->settings().setValue("route", Value(std::string("one component")));
        form()->settings().setValue("component", Value(std::string("Helth")));
        part<QPushButton>("sendNow")->click();
        QTRY_VERIFY_WITH_TIMEOUT(form()->settings().editor("component")->problem().contains(QStringLiteral("did you mean Health?")), Patience);
        QCOMPARE(std::get<double>(form()->fields()->value("amount")), 7.5); // nothing is lost
        picture(*form(), "composer_refused.png");
        form()->settings().setValue("component", Value(std::string("Health")));
        part<QPushButton>("sendNow")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(result().startsWith(QStringLiteral("Damage: 1 receiver")), qPrintable(result()), Patience);
        form()->settings().setValues({{"to", Value(std::string("crate_1"))}});
    }

    // The receiver is pointed at, and the selection stays.
    void theReceiverIsPointedAt() {
        m_editor->selection().setEntity("crate_1", Test);
        form()->settings().editor("to")->findChild<QToolButton*>(QStringLiteral("pick"))->click();
        QVERIFY(m_editor->selection().isPicking());
        m_editor->selection().setEntity("shielded_crate_1", QStringLiteral("outliner"));
        QCOMPARE(m_editor->selection().primary(), std::string("crate_1"));
        QCOMPARE(form()->message().sendSettings().to, std::string("shielded_crate_1"));
        QCOMPARE(part<QLineEdit>("line")->text(), QStringLiteral("send Damage shielded_crate_1 amount=7.5"));
    }

    void sendsToTheRunningAndThePausedWorld() {
        trigger("play.start");
        QTRY_COMPARE_WITH_TIMEOUT(m_editor->feed().mode(), Mode::Play, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(hint().isEmpty(), Patience);
        part<QPushButton>("sendNow")->click();
        QTRY_VERIFY_WITH_TIMEOUT(newest("Damage", "shielded_crate_1") != 0, Patience);
        trigger("play.pause");
        QTRY_VERIFY_WITH_TIMEOUT(hint().startsWith(QStringLiteral("The world is paused")), Patience);
        // A delayed one waits for Play.
        form()->settings().setValue("when", Value(std::string("after ticks")));
        form()->settings().setValue("ticks", Value(std::int64_t{3}));
        form()->settings().setValue("to", Value(std::string("door")));
        part<QPushButton>("sendNow")->click();
        QTRY_COMPARE_WITH_TIMEOUT(result(), QStringLiteral("Damage: waits 3 ticks"), Patience);
        QCOMPARE(newest("Damage", "door"), std::uint64_t{0});
        for (int i = 0; i < 4; ++i)
            trigger("play.step");
        QTRY_VERIFY_WITH_TIMEOUT(newest("Damage", "door") != 0, Patience);
        // A row of the trace goes into the form again.
        const std::uint64_t sequence = newest("Damage", "door");
        const std::unique_ptr<QMenu> menu(window().trace().menuFor(trace().rowOfSequence(sequence)));
        menu->findChild<QAction*>(QStringLiteral("trace.menu.sendAgain"))->trigger();
        QCOMPARE(part<QLineEdit>("line")->text(), QStringLiteral("send Damage door amount=7.5"));
        form()->close();
    }

    // What was recorded here is opened as a file; the session sees nothing of it.
    void aTraceFileOpensInItsOwnWindow() {
        const QString file = m_dir.filePath(QStringLiteral("run.jsonl"));
        {
            ui::TraceExport writer(trace(), file, ui::TraceExport::Format::JsonLines);
            QVERIFY(writer.start().ok());
            writer.finish();
        }
        const int rows = trace().rowCount();
        m_editor->selection().setEntity("crate_1", Test);
        ui::TraceFileWindow* opened = window().trace().openTraceFile(file);
        QVERIFY(opened != nullptr && QTest::qWaitForWindowExposed(opened));
        QTRY_VERIFY_WITH_TIMEOUT(!opened->isReading() && opened->panel().model().rowCount() == rows, Patience);
        QVERIFY2(opened->findChild<QLabel*>(QStringLiteral("traceFile.faults"))->text().isEmpty(),
                 qPrintable(opened->findChild<QLabel*>(QStringLiteral("traceFile.faults"))->text()));
        opened->panel().setFilterText(QStringLiteral("type == Damage"));
        QTRY_VERIFY_WITH_TIMEOUT(!opened->panel().model().isFiltering(), Patience);
        QVERIFY(opened->panel().model().rowCount() > 0);
        opened->panel().goTo(opened->panel().model().record(0).sequence());
        QCOMPARE(trace().rowCount(), rows);
        QCOMPARE(m_editor->selection().primary(), std::string("crate_1"));
        // As the priority of handlers that were not reached is not in the file, it is that of the catalog.
        for (int row = 0; row < opened->panel().model().rowCount(); ++row) {
            const RecordView live = trace().record(trace().rowOfSequence(opened->panel().model().record(row).sequence()));
            const RecordView read = opened->panel().model().record(row);
            QCOMPARE(read.visits().size(), live.visits().size());
            for (std::size_t i = 0; i < live.visits().size(); ++i) {
                QCOMPARE(read.visits()[i].priority, live.visits()[i].priority);
                QCOMPARE(read.visits()[i].observer, live.visits()[i].observer);
            }
        }
        QCoreApplication::processEvents();
        picture(*opened, "trace_file.png");
        opened->close();
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat::setDefaultFormat(ui::wantedFormat());
    QApplication application(argc, argv);
    TestMessageSending test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_message_sending.moc"
