// Finding, marking and saved filters of the trace on the real window: the keys belong to the panel that has the focus, and what is saved is
// there after the next start. Wants a display.

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSurfaceFormat>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_filters.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_search.h"
#include "widgets/trace/trace_search_bar.h"
#include "widgets/trace/trace_view.h"

#include <memory>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly

} // namespace

class TestUiTraceNotes : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::TracePanel& trace() { return window().trace(); }
    template <typename T> T& control(const char* name) {
        T* found = window().findChild<T*>(QLatin1String(name));
        if (found == nullptr)
            qFatal("no control is called %s", name);
        return *found;
    }
    void trigger(const char* id) {
        const Result<void> done = m_editor->actions().trigger(QLatin1String(id));
        QVERIFY2(done.ok(), id);
    }
    void start() {
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("courtyard")).toStdString();
        options.cvars = {{"audio.volume", "0"}};
        options.width = 1280;
        options.height = 720;
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
    }
    // Messages in the list that does not move.
    void record() {
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(trace().model().rowCount() > 20, Patience);
        // Messages may come before the first picture of the run, by which the window knows that it plays.
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->actions().find(QStringLiteral("play.stop"))->isEnabled(), Patience);
        trigger("play.stop");
        trace().setPaused(true);
        focus(trace().view());
    }
    void focus(QWidget& widget) {
        window().activateWindow();
        widget.setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(widget.hasFocus(), Patience);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&trace().view(), key, modifiers); }

private slots:
    void initTestCase() { sbx::test::copyFolder(sbx::test::qSourcePath("resources/projects/courtyard"), m_dir.filePath(QStringLiteral("courtyard"))); }
    void init() { start(); }
    void cleanup() { m_editor.reset(); }

    void findBelongsToThePanelWithTheFocus() {
        record();
        key(Qt::Key_F, Qt::ControlModifier);
        QLineEdit& search = trace().searchBar().lineEdit();
        QTRY_VERIFY_WITH_TIMEOUT(search.hasFocus(), Patience);
        const QString type = trace().model().index(trace().model().rowCount() / 2, ui::TraceModel::Type).data().toString();
        QTest::keyClicks(&search, type.toLower());
        QTRY_VERIFY_WITH_TIMEOUT(trace().search().isDone(), Patience);
        QVERIFY(trace().search().hits() > 0);
        QTest::keyClick(&search, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(trace().view().currentIndex().isValid(), Patience);
        QCOMPARE(trace().view().currentIndex().siblingAtColumn(ui::TraceModel::Type).data().toString(), type);
        QVERIFY2(trace().searchBar().countText().contains(QStringLiteral(" of ")), qPrintable(trace().searchBar().countText()));
        QTest::keyClick(&search, Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(trace().view().hasFocus(), Patience);
        auto& outliner = control<QLineEdit>("outliner.filter");
        auto* tree = window().findChild<QWidget*>(QStringLiteral("outliner.tree"));
        QVERIFY(tree != nullptr);
        focus(*tree);
        QTest::keyClick(tree, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(outliner.hasFocus(), Patience);
        QVERIFY(!trace().searchBar().isVisible());
        QVERIFY(m_editor->actions().conflicts().empty());
    }

    void marksCommentsAndTheReferenceByKeys() {
        record();
        key(Qt::Key_Home);
        const std::uint64_t sequence = trace().model().record(0).sequence();
        key(Qt::Key_M, Qt::ControlModifier);
        QVERIFY(trace().model().marks().isMarked(sequence));
        QVERIFY(control<QToolButton>("trace.markedOnly").isVisible());
        key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        auto& comment = control<QLineEdit>("trace.comment.text");
        QTRY_VERIFY_WITH_TIMEOUT(comment.isVisible(), Patience);
        QTest::keyClicks(&comment, QStringLiteral("the first one"));
        QTest::keyClick(&comment, Qt::Key_Return);
        QVERIFY(trace().details().toPlainText().contains(QStringLiteral("the first one")));
        key(Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(trace().model().index(0, ui::TraceModel::Tick).data().toString(), QStringLiteral("REF"));
        key(Qt::Key_End);
        // The row that a key has chosen is in sight.
        const QRect row = trace().view().visualRect(trace().view().currentIndex());
        QVERIFY(trace().view().viewport()->rect().intersects(row));
        key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(trace().view().currentIndex().row(), 0);
        QVERIFY(trace().view().viewport()->rect().intersects(trace().view().visualRect(trace().view().currentIndex())));
    }

    void savedFiltersAreThereAfterTheNextStart() {
        trace().setFilterText(QStringLiteral("type == ContactBegan"));
        QTest::mouseClick(&control<QToolButton>("trace.filters"), Qt::LeftButton);
        auto& name = control<QLineEdit>("trace.filters.name");
        QTRY_VERIFY_WITH_TIMEOUT(name.isVisible(), Patience);
        QTest::keyClicks(&name, QStringLiteral("Touches"));
        QTest::keyClick(&name, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!name.isVisible(), Patience);
        trace().setFilterText({});
        m_editor.reset();
        start();
        QCOMPARE(trace().filterText(), QString());
        QTest::mouseClick(&control<QToolButton>("trace.filters"), Qt::LeftButton);
        auto& table = control<QTreeView>("trace.filters.table");
        QTRY_VERIFY_WITH_TIMEOUT(table.isVisible(), Patience);
        QCOMPARE(table.model()->rowCount(), 1 + static_cast<int>(ui::TraceFilters::builtIn().size()));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, ui::TraceFilters::Name)).center());
        QTRY_COMPARE_WITH_TIMEOUT(trace().filterText(), QStringLiteral("type == ContactBegan"), Patience);
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
    TestUiTraceNotes test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_trace_notes.moc"
