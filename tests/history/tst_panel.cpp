// The history panel: rows are the steps of the undo stack, the current and the saved one are marked, and a click goes to one.

#include <QAbstractItemModelTester>
#include <QListView>
#include <QUndoStack>
#include <QtTest>

#include "tests/common/document_fixture.h"
#include "widgets/common/theme.h"
#include "widgets/history/history_model.h"
#include "widgets/history/history_panel.h"

using namespace sbx;
using namespace sbx::ui;

class TestHistoryPanel : public QObject {
    Q_OBJECT

private:
    Theme m_theme;
    std::unique_ptr<Fixture> m_project;
    std::unique_ptr<HistoryPanel> m_panel;
    bool m_refuses = false; // to step, as while the world runs

    HistoryModel& model() { return m_panel->model(); }
    Document& document() { return *m_project->document; }
    // Puts a line in front of the scene.
    void step(const char* name) {
        EditRequest request = replace("yard.scene.toml", 0, "", std::string("# ") + name + "\n");
        request.label = QLatin1String(name);
        QVERIFY(document().edit(std::move(request)).ok());
    }
    // "a", "*a" (current), "a!" (saved), "-a" (undone).
    QStringList rows() {
        QStringList out;
        for (int i = 0; i < model().rowCount(); ++i) {
            const QModelIndex at = model().index(i);
            out.append((at.data(HistoryModel::CurrentRole).toBool()  ? QStringLiteral("*")
                        : at.data(HistoryModel::UndoneRole).toBool() ? QStringLiteral("-")
                                                                     : QString())
                       + at.data().toString() + (at.data(HistoryModel::SavedRole).toBool() ? QStringLiteral("!") : QString()));
        }
        return out;
    }
    void click(int row) {
        QListView& view = m_panel->view();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(model().index(row)).center());
    }

private slots:
    void init() {
        m_refuses = false;
        m_project = std::make_unique<Fixture>();
        m_panel = std::make_unique<HistoryPanel>(m_theme, document(), [this](bool redo) {
            if (m_refuses)
                return;
            redo ? document().undoOrder().redo() : document().undoOrder().undo();
        });
        new QAbstractItemModelTester(&model(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_panel.get());
        m_panel->resize(260, 200);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    void cleanup() {
        m_panel.reset();
        m_project.reset();
    }

    void withoutStepsItSaysWhatComes() {
        auto* empty = m_panel->findChild<QWidget*>(QStringLiteral("history.empty"));
        QVERIFY(empty->isVisible());
        step("a");
        QVERIFY(!empty->isVisible());
        document().close();
        QVERIFY(empty->isVisible());
    }

    void rowsFollowTheStack() {
        QCOMPARE(rows(), QStringList({"*Project as opened!"}));
        step("a");
        step("b");
        QCOMPARE(rows(), QStringList({"Project as opened!", "a", "*b"}));
        document().undoStack().undo();
        QCOMPARE(rows(), QStringList({"Project as opened!", "*a", "-b"}));
        step("c"); // what was undone is gone
        QCOMPARE(rows(), QStringList({"Project as opened!", "a", "*c"}));
        QVERIFY(document().save().ok());
        QCOMPARE(rows(), QStringList({"Project as opened", "a", "*c!"}));
        document().undoStack().undo();
        QCOMPARE(rows(), QStringList({"Project as opened", "*a", "-c!"}));
        step("d"); // with the saved step undone and gone no step is what is on disk
        QCOMPARE(rows(), QStringList({"Project as opened", "a", "*d"}));
    }

    void aMergedStepIsOneRowWithItsNewestName() {
        const auto drag = [&](const char* from, const char* to) {
            EditRequest request = replace("yard.scene.toml", 0, from, to, QStringLiteral("drag"));
            request.label = QLatin1String(to).trimmed();
            QVERIFY(document().edit(std::move(request)).ok());
        };
        drag("", "#1\n");
        drag("#1\n", "#2\n");
        QCOMPARE(rows(), QStringList({"Project as opened!", "*#2"}));
    }

    void aFileThatAnotherProgramWroteIsNotSaidToBeSaved() {
        QVERIFY(document().save().ok());
        put(m_project->at(QStringLiteral("yard.scene.toml")), "# other\n");
        document().keepMine("yard.scene.toml");
        QVERIFY(document().isDirty());
        QCOMPARE(rows(), QStringList({"*Project as opened"}));
    }

    void aClickGoesToTheStep() {
        const std::string opened = document().text("yard.scene.toml");
        for (const char* name : {"a", "b", "c", "d"})
            step(name);
        const std::string last = document().text("yard.scene.toml");
        click(1);
        QCOMPARE(rows(), QStringList({"Project as opened!", "*a", "-b", "-c", "-d"}));
        QCOMPARE(document().text("yard.scene.toml"), "# a\n" + opened);
        click(4);
        QCOMPARE(document().text("yard.scene.toml"), last);
        click(0);
        QCOMPARE(document().text("yard.scene.toml"), opened);
        QVERIFY(!document().isDirty());
        QTest::keyClick(&m_panel->view(), Qt::Key_Down);
        QTest::keyClick(&m_panel->view(), Qt::Key_Return);
        QCOMPARE(model().currentRow(), 1);
    }

    void aStepThatIsRefusedEndsTheWay() {
        step("a");
        step("b");
        m_refuses = true;
        click(0);
        QCOMPARE(rows(), QStringList({"Project as opened!", "a", "*b"}));
        QCOMPARE(m_panel->view().currentIndex().row(), 2); // and the row says so
    }

    // Lines of the console whose result is late, some of which turn out to be no step.
    void stepsThatTurnOutToBeNoneHaveNoRow() {
        step("a");
        const auto ticket = document().undoOrder().expect();
        step("b"); // leaves a place for the line's
        QCOMPARE(model().steps(), 3);
        document().undoOrder().answer(ticket, nullptr);
        QCOMPARE(rows(), QStringList({"Project as opened!", "a", "*b"}));
        click(1);
        QCOMPARE(model().currentRow(), 1);
        click(0);
        QCOMPARE(model().currentRow(), 0);
    }
};

QTEST_MAIN(TestHistoryPanel)
#include "tst_panel.moc"
