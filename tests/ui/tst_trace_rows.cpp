// The trace in the running editor: messages of a real world open to their handlers, by mouse and keys, with times that the console
// switched on; columns that a person has added are there at the next start. Wants a display.

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenu>
#include <QSurfaceFormat>
#include <QTimer>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_model.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly

} // namespace

class TestTraceRows : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::TracePanel& trace() { return window().trace(); }
    ui::TraceView& list() { return trace().view(); }
    void start() {
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("courtyard")).toStdString();
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().frame().entities->rows.size() > 50, Patience);
    }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    // In the menu that is about to open: what chooses it waits for no time.
    static void choose(const QString& menuName, const QString& action) {
        QTimer::singleShot(0, qApp, [menuName, action] {
            auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr)
                return;
            if (auto* found = menu->findChild<QAction*>(action); found != nullptr && menu->objectName() == menuName)
                found->trigger();
            menu->close();
        });
    }

private slots:
    void initTestCase() {
        sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), m_dir.filePath(QStringLiteral("courtyard")));
        start();
    }
    void cleanupTestCase() { m_editor.reset(); }

    void aMessageOpensToItsHandlers() {
        window().dock(QStringLiteral("dock.trace"))->raise();
        m_editor->execute("trace.timing 1; trace.stamps 1");
        trace().setFilterText(QStringLiteral("type == Damage and outcome == consumed and fields.amount < 3"));
        trigger("play.start");
        // The phantom's own blows are of more.
        m_editor->execute("send Damage shielded_crate_1 amount=1; send Damage shielded_crate_1 amount=2");
        ui::TraceModel& model = trace().model();
        QTRY_VERIFY_WITH_TIMEOUT(!model.isFiltering() && model.rowCount() >= 2, Patience);
        QVERIFY(list().viewport()->height() >= 8 * list().visualRect(model.index(0, ui::TraceModel::Type)).height()); // as laid out at the start
        trigger("play.pause");
        trace().setPaused(true);
        const RecordView record = model.record(1);
        const int handlers = static_cast<int>(record.visits().size());
        QVERIFY(handlers >= 2);
        list().scrollTo(model.index(0, 0), QAbstractItemView::PositionAtTop);
        list().setFollowing(false);
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().arrowRect({1, ui::TraceLine::Record}).center());
        QCOMPARE(list().lines().count(), model.rowCount() + handlers);
        // The handler that consumed it, by the arrow keys.
        const QRect row = list().visualRect(model.index(1, ui::TraceModel::Type));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, row.center());
        int consumer = 0;
        while (record.visits()[static_cast<std::size_t>(consumer)].result != HandlerResult::Consumed)
            ++consumer;
        for (int i = 0; i <= consumer; ++i)
            QTest::keyClick(&list(), Qt::Key_Down);
        QVERIFY(list().currentLine() == (ui::TraceLine{1, consumer}));
        QCOMPARE(trace().details().sequence(), record.sequence());
        const ui::HandlerText text = ui::handlerText(model.context(), record, consumer);
        QCOMPARE(text.result, QStringLiteral("consumed here"));
        QVERIFY2(text.time.endsWith(QStringLiteral("µs")), qPrintable(text.time));
        QVERIFY(model.wallDelta(1) && *model.wallDelta(1) > 0.0);
        QVERIFY(!list().grab().isNull()); // painted with handlers
        trigger("trace.closeAll");
        QCOMPARE(list().lines().count(), model.rowCount());
    }

    void addedColumnsAreThereAtTheNextStart() {
        ui::TraceModel& model = trace().model();
        // A field by the menu of a row, a number by that of the titles.
        const QPoint cell = list().visualRect(model.index(0, ui::TraceModel::Type)).center();
        choose(QStringLiteral("trace.menu"), QStringLiteral("trace.menu.fields.amount.column"));
        emit list().customContextMenuRequested(cell);
        QCOMPARE(model.fieldColumns(), QStringList{QStringLiteral("amount")});
        QCOMPARE(model.index(0, ui::TraceModel::ColumnCount).data().toString(), QStringLiteral("1.0"));
        QHeaderView& header = list().header();
        QVERIFY(header.isSectionHidden(ui::TraceModel::Time));
        choose(QStringLiteral("trace.columns"), QStringLiteral("trace.columns.%1").arg(int(ui::TraceModel::Time)));
        emit header.customContextMenuRequested(QPoint(20, 5));
        QVERIFY(!header.isSectionHidden(ui::TraceModel::Time));
        trigger("trace.collapse");
        QVERIFY(model.isCollapsing());
        trigger("play.stop");
        QVERIFY(window().close());
        m_editor.reset();
        start();
        QCOMPARE(trace().model().fieldColumns(), QStringList{QStringLiteral("amount")});
        QVERIFY(!list().header().isSectionHidden(ui::TraceModel::Time));
        QVERIFY(list().header().isSectionHidden(ui::TraceModel::Size));
        QVERIFY(trace().model().isCollapsing());
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
    TestTraceRows test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_trace_rows.moc"
