// The filter line of the panel: what it offers, what it says of a fault or a name, and what it keeps.

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTextDocumentFragment>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

class TestPanelFilter : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // Another run has another number of ticks in a second: the filter that is there means its seconds.
    void secondsFollowTheTickRate() {
        PanelBench b(*m_theme);
        b.run(100);
        b.panel->setFilterText(QStringLiteral("tick > 1s"));
        const auto rows = [&b](std::uint64_t after) {
            b.panel->model().catchUp();
            const TraceModel& model = b.panel->model();
            for (int i = 0; i < model.rowCount(); ++i)
                if (model.record(i).tick() <= after)
                    return -1;
            return model.rowCount();
        };
        const int sixty = rows(60);
        QVERIFY(sixty > 0);
        b.yard.ticksPerSecond = 30.0;
        QVERIFY(rows(30) > sixty);
        QCOMPARE(b.panel->filterText(), QStringLiteral("tick > 1s"));
    }

    // The filter holds, and says what nothing has by what is known now.
    void misspeltNamesGetAHint() {
        PanelBench b(*m_theme);
        b.run(3);
        b.yard.source.setHandlers([](MessageTypeId) { return std::vector<std::string>{"Health", "Shield"}; });
        auto* advice = b.panel->findChild<QLabel*>(QStringLiteral("trace.advice"));
        const auto words = [advice] {
            return advice->isHidden() ? QString()
                                      : QTextDocumentFragment::fromHtml(advice->text()).toPlainText();
        };
        b.panel->setFilterText(QStringLiteral("type == Dmage"));
        QCOMPARE(b.panel->filterProblem(), QString());
        QCOMPARE(words(), QStringLiteral("There is no message type Dmage; did you mean Damage?"));
        QCOMPARE(b.panel->model().filter().text(), std::string("type == Dmage"));
        emit advice->linkActivated(QStringLiteral("mend"));
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage"));
        QCOMPARE(words(), QString());
        b.panel->setFilterText(QStringLiteral("consumedBy == Sheild"));
        QCOMPARE(words(),
                 QStringLiteral("There is no component Sheild that acts on messages; did you mean Shield?"));
        b.panel->setFilterText(QStringLiteral("to == nobody_here"));
        QCOMPARE(words(), QString());
        b.panel->setFilterText(QStringLiteral("type == Dmage and"));
        QVERIFY(!b.panel->filterProblem().isEmpty());
        QCOMPARE(words(), QString());
    }

    void completesFieldsOfTheTypeAndItsNumbers() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{12.5F, Kind::Fire, {}}, 32, 3, 0, {});
        b.yard.send(Damage{3.0F, Kind::Fire, {}}, 32, 3, 0, {});
        b.yard.send(Say{"a", false, 99}, 32, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        QLineEdit& edit = b.panel->filterBar().lineEdit();
        b.panel->activateWindow();
        edit.setFocus();
        QTRY_VERIFY(edit.hasFocus());
        const auto offered = [&] {
            QStringList out;
            const QAbstractItemModel& model = *b.panel->completer().list().model();
            for (int row = 0; b.panel->completer().isOpen() && row < model.rowCount(); ++row)
                out.append(model.index(row, 0).data().toString());
            return out;
        };
        QTest::keyClicks(&edit, QStringLiteral("type == Damage and fields."));
        QCOMPARE(offered(), (QStringList{QStringLiteral("fields.amount"), QStringLiteral("fields.kind"),
                                         QStringLiteral("fields.source")}));
        QTest::keyClicks(&edit, QStringLiteral("amount >= "));
        QCOMPARE(offered(),
                 (QStringList{QStringLiteral("3.0"), QStringLiteral("12.5")})); // not the 99 of another type
        QTest::keyClick(&edit, Qt::Key_Down);
        QTest::keyClick(&edit, Qt::Key_Return);
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(edit.text(), QStringLiteral("type == Damage and fields.amount >= 3.0 "));
        QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
        edit.clear();
        QTest::keyClicks(&edit, QStringLiteral("type == Damage or fields.")); // of another type, it may be
        QVERIFY(offered().contains(QStringLiteral("fields.words")));
        // Texts of the newest messages, those that contain what is typed; places in code; types that messages came through.
        b.yard.site = b.yard.recorder.names().intern("src/bell.cpp:41");
        b.yard.send(Say{"a bell", false, 1}, 32, 3, 0, {});
        b.yard.send(Say{"a bell", true, 1}, 32, 3, 0, {});
        b.yard.send(Say{"the \"door\"", false, 1}, 32, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        edit.clear();
        QTest::keyClicks(&edit, QStringLiteral("fields.words == "));
        QCOMPARE(offered(), (QStringList{QStringLiteral("a"), QStringLiteral("a bell"),
                                         QStringLiteral("the \"door\"")}));
        QTest::keyClicks(&edit, QStringLiteral("d"));
        QCOMPARE(offered(), QStringList(QStringLiteral("the \"door\"")));
        QTest::keyClick(&edit, Qt::Key_Tab);
        QTest::keyClick(&edit, Qt::Key_Return);
        QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
        b.panel->model().catchUp();
        QCOMPARE(b.panel->model().rowCount(), 1);
        edit.clear();
        QTest::keyClicks(&edit, QStringLiteral("site == "));
        QCOMPARE(offered(), QStringList(QStringLiteral("src/bell.cpp:41")));
    }

    void anInvalidFilterKeepsTheLastGoodOne() {
        PanelBench b(*m_theme);
        b.run(10);
        b.panel->setFilterText(QStringLiteral("type == Damage"));
        const int rows = b.panel->model().rowCount();
        QVERIFY(rows > 0 && rows < static_cast<int>(b.panel->model().store().size()));
        b.panel->setFilterText(QStringLiteral("type == Damage and recever == x"));
        QCOMPARE(b.panel->model().rowCount(), rows);
        QVERIFY(b.panel->filterProblem().contains(QLatin1String("did you mean receiver?")));
        b.panel->setFilterText({});
        QCOMPARE(b.panel->filterProblem(), QString());
        QCOMPARE(b.panel->model().rowCount(), static_cast<int>(b.panel->model().store().size()));
    }

    // The condition stands in the line and is not in force; Enter applies it, Esc takes it back, typing goes on from it.
    void preparesAFilter() {
        PanelBench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {});
        b.yard.send(Damage{7.5F, Kind::Ice, {}}, 33, 4, 0, {});
        b.yard.send(Died{}, -1, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->activateWindow();
        QLineEdit& edit = b.panel->filterBar().lineEdit();
        const auto rows = [&] {
            b.panel->model().catchUp();
            return b.panel->model().rowCount();
        };
        const auto prepare = [&](int row, int column, const char* name) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(row, column));
            auto* action =
                menu->findChild<QAction*>(QStringLiteral("trace.menu.cell.prepare") + QLatin1String(name));
            QVERIFY2(action != nullptr, name);
            action->trigger();
        };
        auto* hint = b.panel->findChild<QLabel*>(QStringLiteral("trace.hint"));
        QVERIFY(hint != nullptr && !hint->isVisible());
        prepare(0, TraceModel::Sender, ".only");
        QCOMPARE(edit.text(), QStringLiteral("sender == phantom_9"));
        QTRY_VERIFY(edit.hasFocus());
        QVERIFY(b.panel->filterBar().isPrepared() && hint->isVisible());
        QCOMPARE(rows(), 3);
        prepare(0, TraceModel::Tick, ".most"); // goes on from what is prepared
        QCOMPARE(edit.text(), QStringLiteral("sender == phantom_9 and tick <= 0"));
        QCOMPARE(rows(), 3);
        QTest::keyClick(&edit, Qt::Key_Return);
        QVERIFY(!b.panel->filterBar().isPrepared() && !hint->isVisible());
        QCOMPARE(rows(), 1);
        prepare(0, TraceModel::Type, ".not");
        QCOMPARE(edit.text(), QStringLiteral("sender == phantom_9 and tick <= 0 and type != Damage"));
        QCOMPARE(rows(), 1);
        QTest::keyClick(&edit, Qt::Key_Escape);
        QCOMPARE(edit.text(), QStringLiteral("sender == phantom_9 and tick <= 0"));
        QVERIFY(!hint->isVisible());
        QCOMPARE(rows(), 1);
        b.panel->setFilterText({});
        QCOMPARE(rows(), 3);
        prepare(2, TraceModel::Fields, ""); // what the row says
        QCOMPARE(edit.text(), QStringLiteral("type == Died and sender == \"\" and receiver == crate_4"));
        QCOMPARE(rows(), 3);
        QTest::keyClick(&edit, Qt::Key_End);
        QTest::keyClicks(&edit, QStringLiteral(" "));
        QVERIFY(!b.panel->filterBar().isPrepared());
        QTRY_COMPARE(rows(), 1);
        prepare(0, TraceModel::Type, ".only");
        b.panel->setFilterText(QStringLiteral("type == Damage")); // set by the program, it applies at once
        QVERIFY(!b.panel->filterBar().isPrepared() && !hint->isVisible());
        QCOMPARE(rows(), 2);
    }

    // What is wrong with a text that is being completed can be read beside the completions.
    void theCompletionsLeaveTheFaultInSight() {
        PanelBench b(*m_theme);
        b.run(10);
        QLineEdit& edit = b.panel->filterBar().lineEdit();
        b.panel->move(0, 0);
        b.panel->activateWindow();
        edit.setFocus();
        QTRY_VERIFY(edit.hasFocus());
        const auto* fault = b.panel->findChild<QLabel*>(QStringLiteral("trace.problem"));
        const QWidget& popup = *b.panel->completer().list().parentWidget();
        const auto inScreen = [](const QWidget& widget) {
            return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size());
        };
        QTest::keyClicks(&edit, QStringLiteral("type == "));
        QVERIFY(b.panel->completer().isOpen());
        const QRect before = popup.geometry();
        QTRY_VERIFY(fault->isVisible());
        QVERIFY(test::catchesUp(*b.panel));
        QVERIFY(b.panel->completer().isOpen());
        QVERIFY(!popup.geometry().intersects(inScreen(*fault)));
        QVERIFY(!popup.geometry().intersects(inScreen(edit)));
        QCOMPARE(popup.geometry(), before); // it had left room before the fault was said
        edit.clear();
        QTest::keyClicks(&edit, QStringLiteral("rec")); // no fault: it opens right below the line
        QVERIFY(popup.geometry().top() - inScreen(edit).bottom() <= 4);
    }

    void completesWhileTyping() {
        PanelBench b(*m_theme);
        b.run(10);
        QLineEdit& edit = b.panel->filterBar().lineEdit();
        b.panel->activateWindow();
        edit.setFocus();
        QTRY_VERIFY(edit.hasFocus());
        QTest::keyClicks(&edit, QStringLiteral("rec"));
        QVERIFY(b.panel->completer().isOpen());
        QTest::keyClick(&edit, Qt::Key_Tab);
        QCOMPARE(edit.text(), QStringLiteral("receiver "));
        QVERIFY(b.panel->completer().isOpen());
        QTest::keyClick(&edit, Qt::Key_Tab);
        QCOMPARE(edit.text(), QStringLiteral("receiver == "));
        QTest::keyClicks(&edit, QStringLiteral("crate_1"));
        QTest::keyClick(&edit, Qt::Key_Down);
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(edit.text(), QStringLiteral("receiver == crate_1 "));
        QVERIFY(!b.panel->completer().isOpen());
        QTest::keyClick(&edit, Qt::Key_Return);
        QVERIFY(b.panel->filterProblem().isEmpty());
        QTest::keyClick(&edit, Qt::Key_Escape); // clears
        QCOMPARE(edit.text(), QString());
        QTest::keyClick(&edit, Qt::Key_Up);
        QCOMPARE(edit.text(), QStringLiteral("receiver == crate_1"));
        QTest::keyClick(&edit, Qt::Key_Down);
        QCOMPARE(edit.text(), QString());
    }

    void keysGoToTheFilter() {
        PanelBench b(*m_theme);
        ActionRegistry actions(*m_theme);
        b.panel->addActions(actions);
        b.panel->activateWindow();
        b.run(3);
        b.panel->view().setFocus();
        QTRY_VERIFY(b.panel->view().hasFocus());
        QTest::keyClick(&b.panel->view(), Qt::Key_Slash, Qt::ControlModifier);
        QTRY_VERIFY(b.panel->filterBar().lineEdit().hasFocus());
        QVERIFY(actions.conflicts().empty());
    }
};

QTEST_MAIN(TestPanelFilter)
#include "tst_panel_filter.moc"
