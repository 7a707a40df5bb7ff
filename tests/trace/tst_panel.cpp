#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/trace_fixture.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/filter_completer.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_export.h"
#include "widgets/trace/trace_panel.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

namespace {

struct Bench {
    Yard yard;
    Selection selection;
    std::unique_ptr<TracePanel> panel;

    explicit Bench(const Theme& theme, TraceStore store = TraceStore()) {
        panel = std::make_unique<TracePanel>(theme, yard.source, selection, std::move(store));
        panel->resize(1280, 300);
        panel->show();
        (void)QTest::qWaitForWindowExposed(panel.get());
    }
    void run(int ticks, int count = 10) {
        for (int i = 0; i < ticks; ++i)
            yard.runTick(count);
        panel->model().catchUp();
    }
    void click(int row) {
        const QRect rect = panel->view().visualRect(panel->model().index(row, TraceModel::Type));
        QTest::mouseClick(panel->view().viewport(), Qt::LeftButton, {}, rect.center());
    }
    void trigger(int row, const char* name) {
        const std::unique_ptr<QMenu> menu(panel->menuFor(row));
        auto* action = menu->findChild<QAction*>(QStringLiteral("trace.menu.") + QLatin1String(name));
        QVERIFY2(action, name);
        action->trigger();
    }
};

} // namespace

class TestPanel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // Another run has another number of ticks in a second: the filter that is there means its seconds.
    void secondsFollowTheTickRate() {
        Bench b(*m_theme);
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
        Bench b(*m_theme);
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

    void rowsAndFilterBecomeBreakpoints() {
        Bench b(*m_theme);
        b.run(3);
        QSignalSpy asked(b.panel.get(), &TracePanel::breakRequested);
        const RecordView record = b.panel->model().record(0);
        const QString type = QString::fromStdString(messageType(record.type()).name);
        b.trigger(0, "breakType");
        QCOMPARE(asked.takeFirst().at(0).toString(), QStringLiteral("type == ") + type);
        b.trigger(0, "breakReceiver");
        const QString filter = asked.takeFirst().at(0).toString();
        QVERIFY2(filter.startsWith(QStringLiteral("type == %1 and receiver == ").arg(type)),
                 qPrintable(filter));
        b.panel->setFilterText(filter);
        QVERIFY2(b.panel->filterProblem().isEmpty(), qPrintable(b.panel->filterProblem()));
        ActionRegistry actions(*m_theme);
        b.panel->addActions(actions);
        QVERIFY(actions.trigger(QStringLiteral("trace.breakOnFilter")).ok());
        QCOMPARE(asked.takeFirst().at(0).toString(), filter);
        b.panel->setFilterText({});
        QVERIFY(actions.trigger(QStringLiteral("trace.breakOnFilter")).ok());
        QVERIFY(asked.isEmpty());
    }

    // Pressing Play in the empty panel is no choice of a row.
    void theFirstRowsAreNotChosenByThemselves() {
        Bench b(*m_theme);
        QAction play(QStringLiteral("Play"));
        b.panel->setPlayAction(&play);
        b.panel->activateWindow();
        auto* button =
            b.panel->findChild<EmptyState*>(QStringLiteral("trace.empty"))->findChild<QPushButton*>();
        QVERIFY(button != nullptr);
        button->setFocus();
        QTRY_VERIFY(button->hasFocus());
        const QSignalSpy selected(&b.selection, &Selection::traceChanged);
        const QSignalSpy entities(&b.selection, &Selection::entitiesChanged);
        QTest::keyClick(button, Qt::Key_Space);
        b.run(10); // the list takes the button's place, and its focus
        QVERIFY(b.panel->view().isVisible());
        b.panel->view().setFocus();
        QTRY_VERIFY(b.panel->view().hasFocus());
        QVERIFY(!b.panel->view().currentIndex().isValid());
        QVERIFY(b.panel->view().isFollowing());
        QCOMPARE(selected.count(), 0);
        QCOMPARE(entities.count(), 0);
        b.run(40);
        QCOMPARE(b.panel->view().verticalScrollBar()->value(),
                 b.panel->view().verticalScrollBar()->maximum());
        // The first key chooses from what is in view.
        QTest::keyClick(&b.panel->view(), Qt::Key_Up);
        QCOMPARE(b.selection.traceSequence(), b.yard.sequence);
    }

    void aReceiverThatIsGoneIsSaidToBe() {
        Bench b(*m_theme);
        b.yard.source.setLives([](std::string_view world, EntityId entity) -> std::optional<EntityLife> {
            if (world != "local")
                return std::nullopt;
            if (entity == Yard::entity(3))
                return EntityLife{"crate_4", 812};
            if (entity == EntityId(4859, 7)) // nothing was sent to it or by it
                return EntityLife{"bullet_12", 813};
            return std::nullopt;
        });
        b.yard.send(Damage{5.0F, Kind::Fire, EntityId(4859, 7)}, 32, 3, 0,
                    {{Yard::Health, 0, HandlerResult::Passed}});
        b.yard.send(Damage{5.0F, Kind::Fire, EntityId(77, 1)}, 32, 5, 0,
                    {{Yard::Health, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const auto cell = [&](int row, int column) {
            return b.panel->model().index(row, column).data().toString();
        };
        QCOMPARE(cell(0, TraceModel::Receiver), QStringLiteral("crate_4, gone by 812"));
        QCOMPARE(cell(1, TraceModel::Receiver), QStringLiteral("crate_6"));
        QVERIFY(cell(0, TraceModel::Fields).contains(QStringLiteral("source bullet_12")));
        QVERIFY(
            cell(1, TraceModel::Fields).contains(QStringLiteral("source #77"))); // no name is known for it
        b.click(0);
        QVERIFY(b.panel->details().toPlainText().contains(QStringLiteral("gone by tick 812")));
        // There is nothing to go to.
        const QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        b.panel->view().setFocus();
        QTest::keyClick(&b.panel->view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 0);
        QVERIFY(QToolTip::text().contains(QStringLiteral("crate_4 is gone by tick 812")));
        b.click(1);
        QTest::keyClick(&b.panel->view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    void whatIsInViewIsNotNew() {
        Bench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(0);
        QVERIFY(!b.panel->view().isFollowing());
        b.yard.send(Contact{}, 32, 4, 0, {});
        b.yard.send(Contact{}, 32, 5, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        QVERIFY(test::catchesUp(*b.panel));
        QVERIFY(!b.panel->view().pill().isVisible()); // both rows are seen
        b.run(40);
        QTRY_VERIFY(b.panel->view().pill().isVisible());
        // It lies where it covers least: names and fields of the last rows can be read.
        const QRect pill = b.panel->view().pill().geometry();
        const QRect room = b.panel->view().viewport()->geometry();
        QVERIFY(room.contains(pill));
        for (const int column : {TraceModel::Type, TraceModel::Sender, TraceModel::Receiver}) {
            const QRect cell = b.panel->view().visualRect(b.panel->model().index(0, column));
            QVERIFY(
                !QRect(cell.left() + room.left(), room.top(), cell.width(), room.height()).intersects(pill));
        }
        const int shown = b.panel->view().visibleRows();
        QTRY_COMPARE(b.panel->view().pill().text(),
                     QStringLiteral("%1 new ↓").arg(b.panel->model().rowCount() - shown));
        QScrollBar& bar = *b.panel->view().verticalScrollBar();
        bar.setValue(bar.value() + 4 * bar.singleStep()); // four more have been seen
        QCOMPARE(b.panel->view().pill().text(),
                 QStringLiteral("%1 new ↓").arg(b.panel->model().rowCount() - shown - 4));
        bar.setValue(0);
        QVERIFY(test::catchesUp(*b.panel));
        QCOMPARE(b.panel->view().pill().text(),
                 QStringLiteral("%1 new ↓").arg(b.panel->model().rowCount() - shown - 4));
    }

    void theTypesOpenByCountWithoutAnOldSearch() {
        Bench b(*m_theme);
        b.run(30);
        TraceTypes& types = b.panel->types();
        types.popUp(*b.panel);
        auto* search = types.findChild<QLineEdit*>(QStringLiteral("trace.types.filter"));
        const QAbstractItemModel& rows = *types.table().model();
        const auto count = [&](int row) {
            return rows.index(row, TraceTypesModel::Count).data(TraceTypesModel::SortRole).toULongLong();
        };
        const auto falls = [&] {
            for (int row = 1; row < rows.rowCount(); ++row)
                if (count(row) > count(row - 1))
                    return false;
            return rows.rowCount() > 3 && count(0) > 0;
        };
        QVERIFY(falls());
        const QString first = rows.index(0, 0).data().toString();
        search->setText(QStringLiteral("dam"));
        QCOMPARE(rows.rowCount(), 1);
        types.hide();
        types.popUp(*b.panel);
        QVERIFY(search->text().isEmpty());
        QVERIFY(falls());
        // While it is open rows stay where they are, whatever is counted.
        for (int i = 0; i < 2000; ++i)
            b.yard.send(Died{}, 1, 2, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        QVERIFY(test::catchesUp(*b.panel));
        QCOMPARE(rows.index(0, 0).data().toString(), first);
        types.hide();
        types.popUp(*b.panel);
        QCOMPARE(rows.index(0, 0).data().toString(), QStringLiteral("Died"));
        // The set that is recorded at first.
        auto* model = b.panel->findChild<TraceTypesModel*>();
        const auto record = [&](const char* type, bool on) {
            const QModelIndex at =
                model
                    ->match(model->index(0, 0), Qt::DisplayRole, QString::fromUtf8(type), 1, Qt::MatchExactly)
                    .value(0);
            QVERIFY(model->setData(at.siblingAtColumn(TraceTypesModel::Record),
                                   on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole));
        };
        record("Update", true);
        record("Damage", false);
        model->showOnly(messageIdOf<Contact>());
        types.findChild<QPushButton*>(QStringLiteral("trace.types.defaults"))->click();
        QVERIFY(!b.yard.source.isRecorded(messageIdOf<trace_test::Update>()));
        QVERIFY(b.yard.source.isRecorded(messageIdOf<Damage>()));
        QVERIFY(b.panel->model().isShown(messageIdOf<Damage>()));
        QCOMPARE(model->notRecorded(),
                 (QStringList{QStringLiteral("PositionQuery"), QStringLiteral("Update")}));
    }

    void completesFieldsOfTheTypeAndItsNumbers() {
        Bench b(*m_theme);
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

    void aRecordOnItsWayIsFetchedAndShown() {
        Bench b(*m_theme);
        b.run(2);
        b.panel->setPaused(true);
        b.panel->setFilterText(QStringLiteral("type == nothing"));
        b.yard.runTick(10);
        const std::uint64_t last = b.panel->model().store().end();
        b.yard.runTick(10); // not polled yet
        b.panel->showArriving(last + 3);
        QVERIFY(!b.panel->model().isPaused());
        QVERIFY(b.panel->model().rowOfSequence(last + 3) >= 0);
        QCOMPARE(b.selection.traceSequence(), last + 3);
    }

    void saysWhatWouldFillIt() {
        Bench b(*m_theme);
        auto* stack = b.panel->findChild<QStackedWidget*>();
        QCOMPARE(stack->currentWidget()->objectName(), QStringLiteral("trace.empty"));
        b.run(2);
        QTRY_COMPARE(stack->currentWidget(), static_cast<QWidget*>(&b.panel->view()));
        b.panel->setFilterText(QStringLiteral("to == nobody"));
        QCOMPARE(stack->currentWidget()->objectName(), QStringLiteral("trace.noMatch"));
        b.panel->findChild<QWidget*>(QStringLiteral("trace.noMatch"))->findChild<QPushButton*>()->click();
        QCOMPARE(b.panel->filterText(), QString());
        QCOMPARE(stack->currentWidget(), static_cast<QWidget*>(&b.panel->view()));
    }

    void aClickSelectsEverywhere() {
        Bench b(*m_theme);
        b.run(10);
        const int row = b.panel->model().rowCount() - 3;
        b.click(row);
        const RecordView record = b.panel->model().record(row);
        QCOMPARE(b.selection.traceSequence(), record.envelope().sequence);
        QCOMPARE(b.selection.primary(), std::string(b.panel->model().context().receiver(record)));
        QCOMPARE(b.panel->details().sequence(), record.envelope().sequence);
        QVERIFY(!b.panel->view().isFollowing());
        // And back: a record selected elsewhere is shown here.
        b.selection.setTrace(1, QStringLiteral("graph"));
        QCOMPARE(b.panel->view().currentIndex().row(), 0);
        QCOMPARE(b.panel->details().sequence(), std::uint64_t(1));
        QVERIFY(b.panel->view().viewport()->rect().intersects(
            b.panel->view().visualRect(b.panel->view().currentIndex())));
    }

    void goingToAHiddenRecordTakesTheFilterBack() {
        Bench b(*m_theme);
        b.run(10);
        b.panel->setFilterText(QStringLiteral("sequence > 50"));
        b.selection.setTrace(3, QStringLiteral("graph"));
        QCOMPARE(b.panel->filterText(), QString());
        QCOMPARE(b.panel->model().record(b.panel->view().currentIndex().row()).envelope().sequence,
                 std::uint64_t(3));
    }

    // What was taken away to show a message is said below the list, and a click there brings all of it back.
    void whatWasTakenAwayIsPutBack() {
        Bench b(*m_theme);
        b.run(10);
        const auto* status = b.panel->findChild<QLabel*>(QStringLiteral("trace.status"));
        const QString filter = QStringLiteral("type == Damage");
        TraceModel& model = b.panel->model();
        model.setShown(messageIdOf<Say>(), false);
        model.marks().setMarked({2, 3}, true);
        model.setMarkedOnly(true);
        b.panel->setFilterText(filter);
        b.yard.send(Contact{}, 32, 3, 0, {});
        b.yard.recorder.seal();
        const std::uint64_t hit = b.yard.sequence;
        b.panel->showArriving(hit); // as a breakpoint does
        QCOMPARE(b.panel->filterText(), QString());
        QVERIFY(!model.isMarkedOnly() && !model.hidesTypes());
        const auto said = [&](std::uint64_t sequence) {
            return status->isVisible()
                   && status->text().contains(
                       QStringLiteral("The filter was taken away to show #%1.").arg(sequence));
        };
        QVERIFY2(said(hit), qPrintable(status->text()));
        b.panel->goTo(5); // nothing more is taken away
        QVERIFY(said(hit));
        emit const_cast<QLabel*>(status)->linkActivated(QStringLiteral("putBack"));
        QCOMPARE(b.panel->filterText(), filter);
        QVERIFY(model.isMarkedOnly());
        QVERIFY(!model.isShown(messageIdOf<Say>()) && model.isShown(messageIdOf<Contact>()));
        QVERIFY2(!status->text().contains(QStringLiteral("taken away")), qPrintable(status->text()));
        QCOMPARE(b.panel->details().sequence(), std::uint64_t(5)); // it stays in sight there
        // Once more there is nothing to put back.
        b.panel->setFilterText({});
        b.panel->putFilterBack();
        QCOMPARE(b.panel->filterText(), QString());
        QVERIFY(model.isMarkedOnly());
    }

    // A person who filters anew, or another run, ends the offer.
    void theOfferToPutTheFilterBackEnds() {
        Bench b(*m_theme);
        b.run(10);
        const auto* status = b.panel->findChild<QLabel*>(QStringLiteral("trace.status"));
        const auto offered = [&] { return status->text().contains(QStringLiteral("putBack")); };
        const auto take = [&] {
            b.panel->setFilterText(QStringLiteral("sequence > 5"));
            b.panel->goTo(3);
            return offered();
        };
        QVERIFY(take());
        b.panel->setFilterText(QStringLiteral("tick > 2"));
        QVERIFY(!offered());
        b.panel->setFilterText({});
        b.panel->types().popUp(*b.panel);
        b.panel->types().hide();
        b.panel->findChild<TraceTypesModel*>()->showOnly(
            b.panel->model().record(0).type() == messageIdOf<Say>() ? messageIdOf<Contact>()
                                                                    : messageIdOf<Say>());
        b.panel->goTo(1); // hidden types alone
        QVERIFY2(status->text().contains(QStringLiteral("because of #1.")), qPrintable(status->text()));
        b.panel->putFilterBack();
        QVERIFY(b.panel->model().hidesTypes());
        b.panel->findChild<TraceTypesModel*>()->showAll();
        ActionRegistry actions(*m_theme);
        b.panel->addActions(actions);
        QVERIFY(take());
        QVERIFY(actions.trigger(QStringLiteral("trace.putFilterBack")).ok());
        QCOMPARE(b.panel->filterText(), QStringLiteral("sequence > 5"));
        QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        QVERIFY(actions.trigger(QStringLiteral("trace.putFilterBack")).ok());
        QCOMPARE(problems.count(), 1);
        QVERIFY(take());
        b.yard.beginRun();
        b.run(3);
        b.panel->setShownWorld(QStringLiteral("client 1")); // refreshes
        QVERIFY(!offered());
    }

    // What has only just come is not hidden.
    void goingToARecordNotYetJudgedLeavesTheFilter() {
        Bench b(*m_theme);
        b.run(10);
        const QString filter = QStringLiteral("sequence > 1");
        b.panel->setFilterText(filter);
        b.yard.runTick(10);
        const std::uint64_t last = b.yard.sequence;
        b.panel->model().poll();
        QVERIFY(b.panel->model().rowOfSequence(last) < 0);
        b.selection.setTrace(last, QStringLiteral("graph"));
        QCOMPARE(b.panel->filterText(), filter);
        b.panel->model().fetch();
        QTRY_VERIFY(b.panel->model().rowOfSequence(last) >= 0);
        QCOMPARE(b.selection.traceSequence(), last);
    }

    // Once it is judged the list goes there; if the filter hides it, that goes first.
    void aRecordNotYetJudgedIsGoneToWhenItIs_data() {
        QTest::addColumn<QString>("filter");
        QTest::newRow("shown") << QStringLiteral("sequence > 1");
        QTest::newRow("hidden") << QStringLiteral("sequence < 50");
    }
    void aRecordNotYetJudgedIsGoneToWhenItIs() {
        QFETCH(QString, filter);
        Bench b(*m_theme);
        b.run(30);
        b.panel->setFilterText(filter);
        b.click(3);
        for (int i = 0; i < 30; ++i)
            b.yard.runTick(10);
        const std::uint64_t sought = b.yard.sequence - 200;
        b.panel->model().poll();
        QVERIFY(b.panel->model().rowOfSequence(sought) < 0);
        b.selection.setTrace(sought, QStringLiteral("graph"));
        b.panel->model().fetch();
        const auto current = [&]() -> std::uint64_t {
            const QModelIndex index = b.panel->view().currentIndex();
            return index.isValid() ? b.panel->model().record(index.row()).sequence() : 0;
        };
        QTRY_COMPARE(current(), sought);
        QVERIFY(!b.panel->view().isFollowing());
        QVERIFY(b.panel->view().viewport()->rect().intersects(
            b.panel->view().visualRect(b.panel->view().currentIndex())));
        QCOMPARE(b.panel->filterText().isEmpty(), filter.contains(QLatin1Char('<')));
    }
    // ... unless the user looks elsewhere before: what was done last holds.
    void whatIsDoneMeanwhileStays_data() {
        QTest::addColumn<bool>("goes");
        QTest::newRow("nothing") << true;
        for (const char* name : {"entity elsewhere", "entity in the details", "filter", "filter begun",
                                 "type hidden", "tick", "brush", "pill", "newest", "end"})
            QTest::newRow(name) << false;
    }
    void whatIsDoneMeanwhileStays() {
        QFETCH(bool, goes);
        const QByteArray what = QTest::currentDataTag();
        Bench b(*m_theme);
        ActionRegistry registry(*m_theme);
        b.panel->addActions(registry);
        b.run(30);
        QTRY_VERIFY(b.panel->timeline().isVisible());
        TracePanel& panel = *b.panel;
        if (what == "filter begun")
            panel.setFilterText(QStringLiteral("sequence < 50"));
        TraceTimeline& strip = panel.timeline();
        b.click(3);
        panel.setPaused(true);
        b.yard.runTick(10);
        panel.model().poll();
        const std::uint64_t sought = b.yard.sequence;
        b.selection.setTrace(sought, QStringLiteral("graph"));
        QVERIFY(panel.model().rowOfSequence(sought) < 0);
        const auto at = [&](double share) { return QPoint(static_cast<int>(strip.width() * share), 10); };
        if (what == "entity elsewhere") {
            b.selection.setEntity("bat_1", QStringLiteral("viewport"));
        } else if (what == "entity in the details") {
            emit panel.details().anchorClicked(QUrl(QStringLiteral("entity:bat_1")));
        } else if (what == "filter") {
            panel.filterBar().lineEdit().setText(QStringLiteral("sequence < 50"));
            QTest::keyClick(&panel.filterBar().lineEdit(), Qt::Key_Return);
        } else if (what == "filter begun") { // not in force yet
            QTest::keyClicks(&panel.filterBar().lineEdit(), QStringLiteral("1"));
        } else if (what == "type hidden") {
            QAbstractItemModel& types = *panel.types().table().model();
            const QModelIndexList found = types.match(types.index(0, TraceTypesModel::Name), Qt::DisplayRole,
                                                      QStringLiteral("Contact"), 1, Qt::MatchExactly);
            QVERIFY(!found.isEmpty());
            QVERIFY(types.setData(found.front().siblingAtColumn(TraceTypesModel::Show), Qt::Unchecked,
                                  Qt::CheckStateRole));
        } else if (what == "tick") {
            QTest::mouseClick(&strip, Qt::LeftButton, {}, at(0.5));
        } else if (what == "brush") {
            QTest::mousePress(&strip, Qt::LeftButton, {}, at(0.2));
            QTest::mouseMove(&strip, at(0.3));
            QTest::mouseRelease(&strip, Qt::LeftButton, {}, at(0.3));
            QVERIFY(!panel.filterText().isEmpty());
        } else if (what == "pill") {
            emit panel.view().pillClicked();
        } else if (what == "newest") {
            QVERIFY(registry.trigger(QStringLiteral("trace.newest")).ok());
        } else if (what == "end") {
            QTest::keyClick(&panel.view(), Qt::Key_End, Qt::ControlModifier);
        }
        const QString filter = panel.filterText();
        const bool hides = panel.model().hidesTypes();
        const bool follows = panel.view().isFollowing();
        const std::string entity = b.selection.primary();
        panel.setPaused(false);
        panel.model().catchUp();
        QCoreApplication::processEvents();
        const QModelIndex index = panel.view().currentIndex();
        QCOMPARE(index.isValid() && panel.model().record(index.row()).sequence() == sought, goes);
        QCOMPARE(panel.filterText(), filter);
        QCOMPARE(panel.model().hidesTypes(), hides);
        if (goes)
            return;
        QCOMPARE(panel.view().isFollowing(), follows);
        QCOMPARE(b.selection.primary(), entity);
    }
    // The way back leads to what was selected with the message, which need not be its receiver, and on beyond it.
    void theWayBackSelectsWhatWasSelected() {
        Bench b(*m_theme);
        b.run(30);
        b.panel->setPaused(true);
        b.click(3);
        const std::uint64_t first = b.selection.traceSequence();
        const std::string receiver = b.selection.primary();
        b.selection.setEntity("elsewhere", QStringLiteral("viewport"));
        b.click(5);
        const std::uint64_t second = b.selection.traceSequence();
        QVERIFY(second != first);
        b.selection.back();
        QCOMPARE(b.selection.traceSequence(), first);
        QCOMPARE(b.selection.primary(), std::string("elsewhere"));
        QCOMPARE(b.panel->details().sequence(), first);
        QVERIFY(b.selection.canGoForward());
        b.selection.back();
        QCOMPARE(b.selection.primary(), receiver);
        b.selection.forward();
        b.selection.forward();
        QCOMPARE(b.selection.traceSequence(), second);
        QVERIFY(!b.selection.canGoForward());
    }

    // What is not held is not waited for: a number that comes later is not what was meant.
    void whatIsNotHeldIsNotWaitedFor() {
        Bench b(*m_theme);
        b.run(30);
        b.click(3);
        const int row = b.panel->view().currentIndex().row();
        b.selection.setTrace(b.yard.sequence + 5, QStringLiteral("graph"));
        b.run(30);
        QCoreApplication::processEvents();
        QCOMPARE(b.panel->view().currentIndex().row(), row);
    }

    void anotherRunForgetsTheSelectedRecord() {
        Bench b(*m_theme);
        b.run(3);
        b.click(2);
        QVERIFY(b.selection.traceSequence() != 0);
        b.yard.beginRun();
        b.run(1);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(0));
        while (b.selection.canGoBack()) {
            b.selection.back();
            QCOMPARE(b.selection.traceSequence(), std::uint64_t(0));
        }
    }

    void droppedRowsSelectNobody() {
        Bench b(*m_theme, TraceStore(100));
        b.run(10);
        b.panel->setPaused(true);
        b.click(b.panel->model().rowCount() - 2);
        const std::string entity = b.selection.primary();
        const std::uint64_t sequence = b.selection.traceSequence();
        QVERIFY(sequence != 0);
        b.run(40);
        QCOMPARE(b.panel->model().rowCount(), 0);
        QCOMPARE(b.selection.primary(), entity);
        QCOMPARE(b.selection.traceSequence(), sequence);
    }

    void anInvalidFilterKeepsTheLastGoodOne() {
        Bench b(*m_theme);
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

    void countsAndBadge() {
        Bench b(*m_theme);
        b.run(10);
        b.panel->setFilterText(QStringLiteral("type == Damage"));
        const QString wanted =
            QStringLiteral("%1 of %2").arg(b.panel->model().rowCount()).arg(b.panel->model().store().size());
        QTRY_COMPARE(b.panel->findChild<QLabel*>(QStringLiteral("trace.count"))->text(), wanted);
    }

    void spacePausesAndTheViewStandsStill() {
        Bench b(*m_theme);
        b.run(10);
        const int rows = b.panel->model().rowCount();
        b.panel->view().setFocus();
        QTest::keyClick(&b.panel->view(), Qt::Key_Space);
        QVERIFY(b.panel->model().isPaused());
        QVERIFY(b.panel->findChild<QToolButton*>(QStringLiteral("trace.pause"))->isChecked());
        b.run(5);
        QCOMPARE(b.panel->model().rowCount(), rows);
        QTRY_VERIFY(b.panel->view().pill().isVisible());
        QVERIFY(b.panel->view().pill().text().contains(QLatin1String("new")));
        b.panel->view().pill().click();
        QVERIFY(!b.panel->model().isPaused());
        QTRY_COMPARE(b.panel->model().rowCount(), static_cast<int>(b.yard.sequence));
        QTRY_VERIFY(!b.panel->view().pill().isVisible());
    }

    void followingStopsOnScrollingUp() {
        Bench b(*m_theme);
        b.run(20);
        QScrollBar& bar = *b.panel->view().verticalScrollBar();
        QVERIFY(b.panel->view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        b.run(5);
        QCOMPARE(bar.value(), bar.maximum());
        bar.setValue(bar.value() - 200);
        QVERIFY(!b.panel->view().isFollowing());
        const int value = bar.value();
        const int before = b.panel->model().rowCount();
        b.run(5);
        QCOMPARE(bar.value(), value);
        QTRY_COMPARE(b.panel->view().pill().text(),
                     QStringLiteral("%1 new ↓").arg(b.panel->model().rowCount() - before));
        b.panel->view().pill().click();
        QVERIFY(b.panel->view().isFollowing());
        QCOMPARE(bar.value(), bar.maximum());
        // Down to the end by hand follows again.
        bar.setValue(0);
        QVERIFY(!b.panel->view().isFollowing());
        bar.setValue(bar.maximum());
        QVERIFY(b.panel->view().isFollowing());
    }

    void rowsThatGoAtTheTopMoveNothing() {
        Bench b(*m_theme, TraceStore(200));
        b.run(30);
        b.panel->view().verticalScrollBar()->setValue(b.panel->view().verticalScrollBar()->maximum() - 300);
        const auto top = [&] {
            return b.panel->model().record(b.panel->view().firstVisibleRow()).envelope().sequence;
        };
        const std::uint64_t sequence = top();
        b.run(4);
        QCOMPARE(top(), sequence);
        QTRY_VERIFY(b.panel->findChild<QLabel*>(QStringLiteral("trace.status"))
                        ->text()
                        .contains(QLatin1String("let go")));
    }

    void theMenuWritesFilters() {
        Bench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Died{}, 3, 3, 1, {});
        b.yard.send(Say{}, -1, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.trigger(0, "onlyType");
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage"));
        b.trigger(0, "onlyReceiver");
        QCOMPARE(b.panel->filterText(), QStringLiteral("type == Damage and receiver == crate_4"));
        b.trigger(0, "followSender");
        QCOMPARE(b.panel->filterText(), QStringLiteral("entity == phantom_9"));
        b.panel->setFilterText(QStringLiteral("phantom or crate"));
        b.trigger(0, "excludeType");
        QCOMPARE(b.panel->filterText(), QStringLiteral("(phantom or crate) and type != Damage"));
        b.panel->setFilterText({});
        b.trigger(1, "followChain");
        QCOMPARE(b.panel->filterText(), QStringLiteral("sequence in (1, 2)"));
        QCOMPARE(b.panel->model().rowCount(), 2);
        b.trigger(1, "cause");
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        QCOMPARE(b.selection.primary(), std::string("crate_4"));
    }

    // The fields of a message as conditions, both ways between two entities, and a chain over all its levels.
    // Whatever is under the pointer: what the cell says is at the top, and the menu has room in a window of 720 pixels.
    void theMenuIsShort() {
        Bench b(*m_theme);
        QAction picture(QStringLiteral("Messages as they pass"));
        b.panel->setPictureAction(&picture);
        b.yard.send(Damage{5.0F, Kind::Fire, Yard::entity(3)}, 32, 3, 0,
                    {{Yard::Shield, 0, HandlerResult::Consumed},
                     {Yard::Health, 10, HandlerResult::NotReached},
                     {Yard::Touch, 10, HandlerResult::NotReached}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->addFieldColumn(QStringLiteral("amount"));
        const auto lines = [](const QMenu& menu) {
            QStringList texts;
            for (const QAction* action : menu.actions())
                if (!action->isSeparator())
                    texts.append(action->text());
            return texts;
        };
        for (int column = -1; column < b.panel->model().columnCount(); ++column) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, column));
            QVERIFY2(lines(*menu).size() <= 14, qPrintable(lines(*menu).join(QLatin1Char('\n'))));
            QVERIFY(menu->sizeHint().height() < 450);
            for (const QMenu* part : menu->findChildren<QMenu*>()) {
                QVERIFY2(!part->objectName().isEmpty() && !lines(*part).isEmpty(), qPrintable(part->title()));
                QVERIFY(lines(*part).size() <= 14);
            }
            // Where it was moved to, it is once.
            QSet<QString> names;
            for (const QAction* action : menu->findChildren<QAction*>())
                if (!action->objectName().isEmpty()) {
                    QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
                    names.insert(action->objectName());
                }
        }
        const auto first = [&](int column) {
            const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, column));
            return QStringList(lines(*menu).mid(0, 2));
        };
        const auto pair = [](const char* one, const char* other) {
            return QStringList{QString::fromUtf8(one), QString::fromUtf8(other)};
        };
        QCOMPARE(first(TraceModel::Type), pair("Only Damage", "Exclude Damage"));
        QCOMPARE(first(TraceModel::Fields), pair("Only Damage", "Exclude Damage"));
        QCOMPARE(first(TraceModel::Sender), pair("Only from phantom_9", "Exclude from phantom_9"));
        QCOMPARE(first(TraceModel::Receiver), pair("Only to crate_4", "Exclude to crate_4"));
        QCOMPARE(first(TraceModel::ColumnCount), pair("Only amount 5.0", "Not amount 5.0"));
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(0, -1, 1)); // the line of Health
        QCOMPARE(lines(*menu).front(), QStringLiteral("Only messages that did not reach Health"));
        QVERIFY(lines(*menu).size() <= 14);
    }

    void narrowsByFieldsPairsAndChains() {
        Bench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {});     // 1
        b.yard.send(Damage{7.5F, Kind::Ice, {}}, 3, 32, 1, {});      // 2, caused by 1
        b.yard.send(Say{Text("a \"b\" & c"), true, 4}, 3, 4, 2, {}); // 3, by 2
        b.yard.send(Died{}, 4, 4, 3, {});                            // 4, by 3
        b.yard.send(Damage{5.0F, Kind::Blunt, {}}, 33, 3, 0, {});    // 5
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const auto chosen = [&](int row, const char* action) {
            b.panel->setFilterText({});
            b.panel->model().catchUp();
            b.trigger(row, action);
            b.panel->model().catchUp();
            QStringList numbers;
            for (int i = 0; i < b.panel->model().rowCount(); ++i)
                numbers.append(QString::number(b.panel->model().record(i).sequence()));
            return b.panel->filterProblem().isEmpty() ? numbers.join(QLatin1Char(' '))
                                                      : b.panel->filterProblem();
        };
        QCOMPARE(chosen(0, "fields.amount.only"), QStringLiteral("1 5"));
        QCOMPARE(b.panel->filterText(), QStringLiteral("fields.amount == 5.0"));
        QCOMPARE(chosen(1, "fields.amount.least"), QStringLiteral("2"));
        QCOMPARE(chosen(0, "fields.amount.most"), QStringLiteral("1 3 5"));
        QCOMPARE(chosen(1, "fields.kind.only"), QStringLiteral("2"));
        QCOMPARE(chosen(2, "fields.words.only"), QStringLiteral("3"));
        QCOMPARE(chosen(2, "fields.loud.only"), QStringLiteral("3"));
        QCOMPARE(chosen(0, "followPair"), QStringLiteral("1 2"));
        QCOMPARE(chosen(1, "followChain"), QStringLiteral("1 2 3 4"));
        QCOMPARE(chosen(4, "followChain"), QStringLiteral("5"));
    }

    void copies() {
        Bench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Died{}, 3, 3, 1, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(0);
        b.trigger(0, "copyJson");
        const QJsonObject json = QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object();
        QCOMPARE(json.value(QLatin1String("type")).toString(), QStringLiteral("Damage"));
        QCOMPARE(json.value(QLatin1String("receiver")).toString(), QStringLiteral("crate_4"));
        b.panel->view().selectAll();
        QTest::keyClick(&b.panel->view(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines =
            QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains(QLatin1String("consumed by Shield")));
    }

    // The condition stands in the line and is not in force; Enter applies it, Esc takes it back, typing goes on from it.
    void preparesAFilter() {
        Bench b(*m_theme);
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

    // As CSV the same as in a file; as a filter what finds just these rows, in whatever order they were chosen.
    void copiesForATableAndAsAFilter() {
        Bench b(*m_theme);
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Shield, -5, HandlerResult::Consumed}});
        b.yard.send(Say{Text("one, \"two\"\nthree"), true, 3}, -1, 3, 0, {});
        b.yard.send(Damage{2.5F, Kind::Ice, {}}, 32, 3, 0, {});
        b.yard.send(Damage{2.5F, Kind::Ice, {}}, 3, 32, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->addFieldColumn(QStringLiteral("amount"));
        b.panel->model().marks().setComment(2, QStringLiteral("who, \"he\"?"));
        const auto copied = [&](const char* as) {
            b.trigger(0, as);
            return QApplication::clipboard()->text();
        };
        const auto shown = [&](const QString& filter) {
            b.panel->setFilterText(filter);
            b.panel->model().catchUp();
            QStringList numbers;
            for (int row = 0; row < b.panel->model().rowCount(); ++row)
                numbers.append(QString::number(b.panel->model().sequence(row)));
            return b.panel->filterProblem().isEmpty() ? numbers.join(QLatin1Char(' '))
                                                      : b.panel->filterProblem();
        };
        b.panel->view().selectAll();
        const QTemporaryDir dir;
        TraceExport file(b.panel->model(), dir.filePath(QStringLiteral("all.csv")), TraceExport::Format::Csv);
        file.setExtraColumns(b.panel->extraColumns());
        QVERIFY(file.start().ok());
        file.finish();
        QFile written(dir.filePath(QStringLiteral("all.csv")));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QString csv = copied("copyCsv");
        QCOMPARE(csv, QString::fromUtf8(written.readAll()));
        QVERIFY(csv.contains(QStringLiteral("\"who, \"\"he\"\"?\"")));
        QVERIFY(csv.section(QStringLiteral("\r\n"), 0, 0).contains(QStringLiteral(",fields.amount,")));

        QItemSelectionModel& selection = *b.panel->view().selectionModel();
        const auto choose = [&](const std::vector<int>& rows) {
            selection.clearSelection();
            for (const int row : rows)
                selection.select(b.panel->model().index(row, 0),
                                 QItemSelectionModel::Select | QItemSelectionModel::Rows);
        };
        choose({3, 0});
        const QString both = copied("copyFilter");
        QCOMPARE(both, QStringLiteral("sequence in (1, 4)"));
        QCOMPARE(shown(both), QStringLiteral("1 4"));
        b.panel->setFilterText({});
        b.panel->model().catchUp();
        choose({0});
        const QString alike = copied("copyFilter");
        QCOMPARE(alike, QStringLiteral("type == Damage and sender == phantom_9 and receiver == crate_4"));
        QCOMPARE(shown(alike), QStringLiteral("1 3"));
        b.panel->setFilterText({});
        b.panel->model().catchUp();
        choose({1});
        QCOMPARE(shown(copied("copyFilter")), QStringLiteral("2")); // without a sender
    }

    // Nothing is put into the clipboard that would not do what it says.
    void tooManyRowsMakeNoFilter() {
        Bench b(*m_theme);
        b.run(60, 30);
        QVERIFY(b.panel->model().rowCount() > 1000);
        const QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        QApplication::clipboard()->setText(QStringLiteral("before"));
        b.trigger(0, "copyFilter"); // nothing is selected
        b.panel->view().selectAll();
        b.trigger(0, "copyFilter");
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("before"));
        QCOMPARE(problems.count(), 1);
    }

    void detailsExplain() {
        Bench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, {{Yard::Body, 0, HandlerResult::Passed}});
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 1,
                    {{Yard::Touch, -9, HandlerResult::Passed},
                     {Yard::Shield, -5, HandlerResult::Consumed},
                     {Yard::Health, 0, HandlerResult::NotReached}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(1);
        const QString text = b.panel->details().toPlainText();
        for (const char* part : {"Damage", "#2", "consumed by Shield", "Asks the receiver to lose health.",
                                 "phantom_9", "crate_4", "How much health to take.", "hp", "passed on",
                                 "consumed here", "not reached", "#1", "Contact"})
            QVERIFY2(text.contains(QString::fromLatin1(part)), part);
        QVERIFY(text.indexOf(QLatin1String("passed on")) < text.indexOf(QLatin1String("consumed here")));
        QVERIFY(text.indexOf(QLatin1String("consumed here")) < text.indexOf(QLatin1String("not reached")));
        emit b.panel->details().anchorClicked(QUrl(QStringLiteral("record:1")));
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        QCOMPARE(b.panel->view().currentIndex().row(), 0);
        emit b.panel->details().anchorClicked(QUrl(QStringLiteral("entity:phantom_9")));
        QCOMPARE(b.selection.primary(), std::string("phantom_9"));
    }

    // In a narrow column the name gives way, not the tick.
    // What a low panel shows without scrolling: the cause beside the envelope, and no world while there is one alone.
    void detailsBeginWithWhatMatters() {
        Bench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, {});
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 1, {{Yard::Health, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(1);
        const QString one = b.panel->details().toPlainText();
        QVERIFY2(one.left(one.indexOf(QStringLiteral("Fields"))).contains(QStringLiteral("#1 Contact")),
                 qPrintable(one));
        QVERIFY2(!one.contains(QStringLiteral("local")), qPrintable(one));
        b.click(0); // nothing caused it
        QVERIFY(!b.panel->details().toPlainText().contains(QStringLiteral("#0")));
        b.yard.recorder.addWorld("server");
        b.yard.world = 1;
        b.yard.send(Damage{}, 32, 3, 77, {}); // caused by one that is not held
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->goTo(3);
        const QString other = b.panel->details().toPlainText();
        QVERIFY2(other.contains(QStringLiteral("server")), qPrintable(other));
        QVERIFY2(!other.left(other.indexOf(QStringLiteral("Fields"))).contains(QStringLiteral("#77")),
                 qPrintable(other));
    }

    void theTickOfADeathIsNotCutOff() {
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        const auto shown = [&](const char* name, int letters) {
            return TraceView::goneText(QLatin1String(name), 828, metrics,
                                       metrics.horizontalAdvance(QString(letters, QLatin1Char('0'))));
        };
        QCOMPARE(shown("ball_5", 19), QStringLiteral("ball_5, gone by 828"));
        QCOMPARE(shown("ball_5", 18), QStringLiteral("ball_5, gone 828"));
        const QString narrow = shown("shielded_crate_1", 18);
        QVERIFY2(narrow.endsWith(QStringLiteral(", gone 828")) && narrow.startsWith(QLatin1Char('s')),
                 qPrintable(narrow));
        QVERIFY(narrow.size() <= 18 && narrow.contains(QStringLiteral("…")));
        // But for one that would leave it nothing.
        QCOMPARE(shown("ball_5", 9), QStringLiteral("ball_5"));
        QVERIFY(shown("shielded_crate_1", 9).startsWith(QStringLiteral("shi")));
    }

    // Over a link, too: what belongs to web pages (copying a link's address) is not offered.
    void detailsHaveAMenuOfTheirOwn() {
        Bench b(*m_theme);
        b.yard.send(Contact{}, 32, 3, 0, {{Yard::Body, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.click(0);
        TraceDetails& details = b.panel->details();
        QPoint link;
        for (int y = 0; y < details.viewport()->height() && link.isNull(); y += 4)
            for (int x = 0; x < details.viewport()->width() && link.isNull(); x += 4)
                if (details.anchorAt(QPoint(x, y)) == QStringLiteral("entity:phantom_9"))
                    link = QPoint(x, y);
        QVERIFY(!link.isNull());
        const auto offered = [&] {
            QStringList out;
            QTimer::singleShot(0, &details, [&] {
                auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                if (menu == nullptr)
                    return;
                for (const QAction* action : menu->actions())
                    out << action->text() + (action->isEnabled() ? QString() : QStringLiteral(" (off)"));
                menu->close();
            });
            QContextMenuEvent event(QContextMenuEvent::Mouse, link, details.viewport()->mapToGlobal(link));
            QApplication::sendEvent(details.viewport(), &event);
            return out;
        };
        QCOMPARE(offered(), (QStringList{QStringLiteral("Copy (off)"), QStringLiteral("Select all")}));
        details.selectAll();
        QCOMPARE(offered(), (QStringList{QStringLiteral("Copy"), QStringLiteral("Select all")}));
    }

    void typesHaveTwoMasks() {
        Bench b(*m_theme);
        b.run(10);
        const auto status = [&] {
            return b.panel->findChild<QLabel*>(QStringLiteral("trace.status"))->text();
        };
        QVERIFY(status().contains(QLatin1String("Not recorded: PositionQuery, Update")));
        auto* model = b.panel->findChild<TraceTypesModel*>();
        const QModelIndex update =
            model->match(model->index(0, 0), Qt::DisplayRole, QStringLiteral("Update"), 1, Qt::MatchExactly)
                .value(0);
        QVERIFY(update.isValid());
        QCOMPARE(update.siblingAtColumn(TraceTypesModel::Record).data(Qt::CheckStateRole).toInt(),
                 static_cast<int>(Qt::Unchecked));
        QVERIFY(
            model->setData(update.siblingAtColumn(TraceTypesModel::Record), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(b.yard.maskRequests.size(), std::size_t(1));
        QCOMPARE(b.yard.maskRequests[0].first, messageIdOf<trace_test::Update>());
        QVERIFY(b.yard.maskRequests[0].second);
        QVERIFY(!status().contains(QLatin1String("Update")));
        const QModelIndex contact =
            model->match(model->index(0, 0), Qt::DisplayRole, QStringLiteral("Contact"), 1, Qt::MatchExactly)
                .value(0);
        QVERIFY(model->setData(contact.siblingAtColumn(TraceTypesModel::Show), Qt::Unchecked,
                               Qt::CheckStateRole));
        for (int row = 0; row < b.panel->model().rowCount(); ++row)
            QVERIFY(b.panel->model().record(row).envelope().type != messageIdOf<Contact>());
        model->showOnly(messageIdOf<Damage>());
        QCOMPARE(b.panel->model().rowCount(),
                 static_cast<int>(b.panel->model().captured(messageIdOf<Damage>())));
        b.panel->types().popUp(*b.panel);
        QVERIFY(b.panel->types().isVisible());
        QTest::keyClick(&b.panel->types(), Qt::Key_Escape);
        QVERIFY(!b.panel->types().isVisible());
    }

    // What is wrong with a text that is being completed can be read beside the completions.
    void theCompletionsLeaveTheFaultInSight() {
        Bench b(*m_theme);
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
        Bench b(*m_theme);
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
        Bench b(*m_theme);
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

    void theKeyboardWalksTheRows() {
        Bench b(*m_theme);
        b.run(10);
        b.panel->view().setFocus();
        QTest::keyClick(&b.panel->view(), Qt::Key_Home);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(1));
        QTest::keyClick(&b.panel->view(), Qt::Key_Down);
        QCOMPARE(b.selection.traceSequence(), std::uint64_t(2));
        QTest::keyClick(&b.panel->view(), Qt::Key_End);
        QCOMPARE(b.selection.traceSequence(), b.yard.sequence);
        const QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        QTest::keyClick(&b.panel->view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    // Of the component that consumed it, else of the first that acted, not of one that only looks on. Enter stays what it is.
    void ctrlEnterAsksForTheDefinition() {
        Bench b(*m_theme);
        ActionRegistry actions(*m_theme);
        b.panel->addActions(actions);
        QVERIFY(actions.conflicts().empty());
        b.yard.send(Damage{}, 32, 3, 0,
                    {{Yard::Shield, -5, HandlerResult::Passed},
                     {Yard::Health, 0, HandlerResult::Consumed},
                     {Yard::Log, 100, HandlerResult::NotReached}});
        b.yard.send(Damage{}, 32, 4, 0,
                    {{Yard::Watch, -9, HandlerResult::Passed},
                     {Yard::Touch, 0, HandlerResult::Passed},
                     {Yard::Log, 1, HandlerResult::Passed}});
        b.yard.send(Damage{}, 32, 5, 0, {{Yard::Watch, -9, HandlerResult::Passed}});
        b.yard.send(Say{}, 32, -1, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        b.panel->activateWindow();
        b.panel->view().setFocus();
        QTRY_VERIFY(b.panel->view().hasFocus());
        QSignalSpy asked(b.panel.get(), &TracePanel::definitionRequested);
        QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        QSignalSpy problems(b.panel.get(), &TracePanel::problem);
        const auto ask = [&](int row, Qt::Key key) {
            asked.clear();
            b.click(row);
            QTest::keyClick(&b.panel->view(), key, Qt::ControlModifier);
            return asked.count() == 1
                       ? asked.front().at(0).toString() + QLatin1Char(' ') + asked.front().at(1).toString()
                       : QString();
        };
        QCOMPARE(ask(0, Qt::Key_Return), QStringLiteral("crate_4 Health"));
        QCOMPARE(ask(1, Qt::Key_Enter), QStringLiteral("crate_5 Touch"));
        QCOMPARE(ask(2, Qt::Key_Return), QStringLiteral("crate_6 "));
        QCOMPARE(ask(3, Qt::Key_Return), QString());
        QCOMPARE(problems.count(), 1);
        b.panel->view().selectAll(); // of which one?
        asked.clear();
        QTest::keyClick(&b.panel->view(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(asked.count(), 0);
        QCOMPARE(problems.count(), 2);
        QCOMPARE(activated.count(), 0);
        b.trigger(0, "definition");
        QCOMPARE(asked.count(), 1);
        const std::unique_ptr<QMenu> menu(b.panel->menuFor(3));
        QVERIFY(menu->findChild<QAction*>(QStringLiteral("trace.menu.definition")) == nullptr);
        b.click(0);
        QTest::keyClick(&b.panel->view(), Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    // Without the shortcut, as in the window of a file, Ctrl+Enter is not Enter.
    void ctrlEnterIsNotEnter() {
        Bench b(*m_theme);
        b.run(3);
        b.click(0);
        QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter})
            QTest::keyClick(&b.panel->view(), key, Qt::ControlModifier);
        QCOMPARE(activated.count(), 0);
        QTest::keyClick(&b.panel->view(), Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(activated.count(), 1);
    }

    void theTimelineBrushesAndGoes() {
        Bench b(*m_theme);
        b.run(100);
        TraceTimeline& strip = b.panel->timeline();
        QTRY_VERIFY(strip.isVisible());
        QCOMPARE(strip.span(), std::optional(TickRange{1, 100}));
        const auto at = [&](double share) { return QPoint(static_cast<int>(strip.width() * share), 10); };
        const auto drag = [&](double from, double to) {
            QTest::mousePress(&strip, Qt::LeftButton, {}, at(from));
            QTest::mouseMove(&strip, at((from + to) / 2));
            QTest::mouseMove(&strip, at(to));
            QTest::mouseRelease(&strip, Qt::LeftButton, {}, at(to));
        };
        drag(0.25, 0.5);
        QVERIFY(b.panel->filterProblem().isEmpty());
        const int rows = b.panel->model().rowCount();
        QVERIFY(rows > 0);
        for (int row = 0; row < rows; ++row) {
            const std::uint64_t tick = b.panel->model().record(row).envelope().tick;
            QVERIFY(tick >= 25 && tick <= 51);
        }
        const QString first = b.panel->filterText();
        drag(0.8, 0.7); // backward, and in place of the first
        QVERIFY(b.panel->filterText() != first);
        QCOMPARE(b.panel->filterText().count(QLatin1String("tick >=")), 1);
        b.panel->setFilterText({});
        QTest::mouseClick(&strip, Qt::LeftButton, {}, at(0.5));
        QVERIFY(!b.panel->view().isFollowing());
        const std::uint64_t top = b.panel->model().record(b.panel->view().firstVisibleRow()).envelope().tick;
        QVERIFY(top >= 49 && top <= 52);
    }

    void actionsAreFourFaces() {
        Bench b(*m_theme);
        b.run(3);
        ActionRegistry registry(*m_theme);
        b.panel->addActions(registry);
        QVERIFY(registry.trigger(QStringLiteral("trace.pause"), QStringLiteral("on")).ok());
        QVERIFY(b.panel->model().isPaused());
        QVERIFY(registry.trigger(QStringLiteral("trace.newest")).ok());
        QVERIFY(!b.panel->model().isPaused());
        QVERIFY(registry.trigger(QStringLiteral("trace.clear")).ok());
        QCOMPARE(b.panel->model().rowCount(), 0);
    }

    void aSecondWorldShowsItsColumn() {
        Bench b(*m_theme);
        b.run(3);
        QVERIFY(b.panel->view().header().isSectionHidden(TraceModel::World));
        b.yard.world = b.yard.recorder.addWorld("client1");
        b.run(3);
        QTRY_VERIFY(!b.panel->view().header().isSectionHidden(TraceModel::World));
    }

    void anotherWorldInThePictureIsSaid() {
        Bench b(*m_theme);
        b.run(3);
        auto* status = b.panel->findChild<QLabel*>(QStringLiteral("trace.status"));
        QVERIFY(!status->text().contains(QStringLiteral("client 1")));
        b.panel->setShownWorld(QStringLiteral("client 1"));
        QVERIFY2(status->isVisible()
                     && status->text().contains(
                         QStringLiteral("shows the world of client 1; these are the server's")),
                 qPrintable(status->text()));
        b.panel->setShownWorld({});
        QVERIFY(!status->text().contains(QStringLiteral("client 1")));
    }

    // Names and numbers are read whole where the fields leave room; what a person has sized stays.
    // A mark before the sender, which has its own room and says what it means.
    void whatAPersonSentHasAMark() {
        Bench b(*m_theme);
        b.yard.send(Damage{}, 32, 3, 0, {});
        b.yard.injected = true;
        b.yard.send(Damage{}, 32, 3, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const auto cell = [&](int row) {
            return b.panel->view().visualRect(b.panel->model().index(row, TraceModel::Sender));
        };
        QTRY_VERIFY(b.panel->view().isVisible());
        const QImage image = b.panel->view().viewport()->grab().toImage();
        // The same name, shifted by the mark.
        const int shift = b.panel->view().badgeWidth(1, TraceModel::Sender);
        QVERIFY(shift > 10);
        QCOMPARE(b.panel->view().badgeWidth(0, TraceModel::Sender), 0);
        const QSize part(60, cell(0).height() - 2); // below the line between ticks
        const QPoint in(8, 1);
        QCOMPARE(image.copy(QRect(cell(1).topLeft() + in + QPoint(shift, 0), part)),
                 image.copy(QRect(cell(0).topLeft() + in, part)));
        QVERIFY(image.copy(QRect(cell(1).topLeft() + in, part))
                != image.copy(QRect(cell(0).topLeft() + in, part)));
        const auto tip = [&](int row) {
            QHelpEvent help(QEvent::ToolTip, cell(row).center(),
                            b.panel->view().viewport()->mapToGlobal(cell(row).center()));
            QApplication::sendEvent(b.panel->view().viewport(), &help);
            return QToolTip::text();
        };
        QVERIFY(!tip(0).contains(QStringLiteral("person"))); // first: a tip that is hidden stays a little
        QVERIFY(tip(1).contains(QStringLiteral("Sent by a person")));
    }

    void columnsGrowToTheirTexts() {
        Bench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 100426812})
                                             : std::nullopt;
        });
        b.panel->resize(1900, 300);
        QHeaderView& header = b.panel->view().header();
        b.yard.send(Damage{5.0F, Kind::Fire, {}}, 32, 3, 0, {{Yard::Health, 0, HandlerResult::Passed}});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const QString text = b.panel->model().index(0, TraceModel::Receiver).data().toString();
        QVERIFY2(text.endsWith(QStringLiteral("gone by 100426812")), qPrintable(text));
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        QTRY_VERIFY(header.sectionSize(TraceModel::Receiver)
                    >= metrics.horizontalAdvance(text) + 2 * measure::PanelPadding);
        // From the fields' free room: the columns still fit.
        QVERIFY2(header.length() <= b.panel->view().viewport()->width(),
                 qPrintable(QString::number(header.length())));
        header.resizeSection(TraceModel::Receiver, 60);
        b.run(3);
        b.panel->setShownWorld(QStringLiteral("client 1")); // refreshes
        QCOMPARE(header.sectionSize(TraceModel::Receiver), 60);
    }

    // In a narrow list every column is in sight: those whose width no person has set become narrower, so that the fields have room.
    void aNarrowListShowsWholeRows() {
        Bench b(*m_theme);
        QHeaderView& header = b.panel->view().header();
        header.resizeSection(TraceModel::Type, 140);
        b.panel->resize(940, 300); // and the details beside it
        b.run(20);
        QTRY_VERIFY2(header.length() <= b.panel->view().viewport()->width(),
                     qPrintable(QString::number(header.length())));
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        QVERIFY(header.sectionSize(TraceModel::Fields) > 32); // the least that a column has
        QVERIFY(header.sectionSize(TraceModel::Outcome)
                >= metrics.horizontalAdvance(QStringLiteral("passed")));
        QCOMPARE(header.sectionSize(TraceModel::Type), 140);
        // With room the names grow again.
        b.panel->resize(1900, 300);
        b.run(3);
        QTRY_VERIFY(header.sectionSize(TraceModel::Sender)
                    >= metrics.horizontalAdvance(QStringLiteral("phantom_10")) + 2 * measure::PanelPadding);
        QCOMPARE(header.sectionSize(TraceModel::Type), 140);
    }

    // A list as wide as that of a small window: the columns give way in the order of what a reader loses by it.
    void aNarrowListGivesWidthsByWorth() {
        Bench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 812})
                                             : std::nullopt;
        });
        const TraceModel& model = b.panel->model();
        QHeaderView& header = b.panel->view().header();
        const QFontMetrics metrics(m_theme->font(FontRole::Mono));
        const auto widthOf = [&](const QString& text) {
            return metrics.horizontalAdvance(text) + 2 * measure::PanelPadding;
        };
        b.panel->resize(916, 300);
        const auto send = [&] {
            b.yard.send(
                Damage{5.0F, Kind::Fire, Yard::entity(3)}, 32, 3, 0,
                {{Yard::Shield, 0, HandlerResult::Consumed}, {Yard::Health, 10, HandlerResult::NotReached}});
            b.yard.recorder.seal();
            b.panel->model().catchUp();
            QVERIFY(test::catchesUp(*b.panel));
        };
        send();
        QTRY_VERIFY(header.isSectionHidden(TraceModel::Delivery));
        const auto fits = [&] { return header.length() <= b.panel->view().viewport()->width(); };
        QTRY_VERIFY(fits());
        const RecordView record = model.record(0);
        QCOMPARE(model.context().outcomeLine(record), QStringLiteral("consumed by Shield"));
        QCOMPARE(model.context().shortOutcome(record), QStringLiteral("by Shield"));
        QVERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("by Shield")) + 20);
        QVERIFY(header.sectionSize(TraceModel::Sender) >= widthOf(QStringLiteral("phantom_9"))); // whole
        QVERIFY(header.sectionSize(TraceModel::Receiver) >= widthOf(QStringLiteral("shielded_crate_1")));
        QVERIFY(header.sectionSize(TraceModel::Fields) >= widthOf(QStringLiteral("amount 5")));
        // With room the delivery is back, and goes again.
        b.panel->resize(1900, 300);
        QTRY_VERIFY(!header.isSectionHidden(TraceModel::Delivery));
        QTRY_VERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("consumed by Shield")));
        b.panel->resize(916, 300);
        QTRY_VERIFY(header.isSectionHidden(TraceModel::Delivery));
        // It is remembered that it was not a person who hid it.
        {
            TracePanel other(*m_theme, b.yard.source, b.selection);
            other.resize(1900, 300);
            other.restoreState(b.panel->saveState());
            QVERIFY(other.view().header().isSectionHidden(TraceModel::Delivery));
            other.show();
            b.yard.runTick(20);
            other.model().catchUp();
            QTRY_VERIFY(!other.view().header().isSectionHidden(TraceModel::Delivery));
        }
        // One that a person shows stays, and one that a person hides stays away.
        const auto toggle = [&] {
            const std::unique_ptr<QMenu> menu(b.panel->columnsMenu());
            menu->findChild<QAction*>(QStringLiteral("trace.columns.%1").arg(int(TraceModel::Delivery)))
                ->trigger();
        };
        toggle();
        send();
        QVERIFY(!header.isSectionHidden(TraceModel::Delivery));
        toggle();
        b.panel->resize(1900, 300);
        send();
        QTRY_VERIFY(header.sectionSize(TraceModel::Outcome) >= widthOf(QStringLiteral("consumed by Shield")));
        QVERIFY(header.isSectionHidden(TraceModel::Delivery));
    }

    // Other rows need other widths.
    void aFilterForgetsWhatOtherRowsNeeded() {
        Bench b(*m_theme);
        b.yard.source.setLives([](std::string_view, EntityId entity) -> std::optional<EntityLife> {
            return entity == Yard::entity(3) ? std::optional(EntityLife{"shielded_crate_1234", 100426812})
                                             : std::nullopt;
        });
        b.panel->resize(916, 300);
        b.yard.send(Damage{}, 32, 3, 0, {});
        b.yard.send(Contact{}, 32, 4, 0, {});
        b.yard.recorder.seal();
        b.panel->model().catchUp();
        const QHeaderView& header = b.panel->view().header();
        QVERIFY(test::catchesUp(*b.panel));
        const int fields = header.sectionSize(TraceModel::Fields);
        b.panel->setFilterText(QStringLiteral("type == Contact"));
        b.panel->model().catchUp();
        QTRY_VERIFY(header.sectionSize(TraceModel::Fields) > fields);
    }

    void stateComesBack() {
        Yard yard;
        Selection selection;
        QVariantMap state;
        {
            TracePanel panel(*m_theme, yard.source, selection);
            panel.setFilterText(QStringLiteral("type == Damage"));
            panel.view().header().hideSection(TraceModel::Delivery);
            panel.model().setShown(messageIdOf<Say>(), false);
            state = panel.saveState();
        }
        TracePanel panel(*m_theme, yard.source, selection);
        panel.restoreState(state);
        QCOMPARE(panel.filterText(), QStringLiteral("type == Damage"));
        QVERIFY(panel.view().header().isSectionHidden(TraceModel::Delivery));
        QVERIFY(!panel.model().isShown(messageIdOf<Say>()));
        QCOMPARE(panel.saveState().value(QStringLiteral("history")).toStringList(),
                 QStringList{QStringLiteral("type == Damage")});
    }

    void everyControlHasNames() {
        Bench b(*m_theme);
        for (const QWidget* w : b.panel->findChildren<QWidget*>()) {
            if (!qobject_cast<const QAbstractButton*>(w) && !qobject_cast<const QLineEdit*>(w)
                && !qobject_cast<const QAbstractItemView*>(w))
                continue;
            if (w->objectName().startsWith(QLatin1String("qt_")) || w->parentWidget()->inherits("QLineEdit")
                || w->parentWidget()->inherits("QAbstractScrollArea"))
                continue;
            QVERIFY2(!w->objectName().isEmpty(), w->metaObject()->className());
            const auto* button = qobject_cast<const QAbstractButton*>(w);
            QVERIFY2(!w->accessibleName().isEmpty() || (button && !button->text().isEmpty()) || w->isHidden(),
                     qPrintable(w->objectName()));
        }
    }

private:
    std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
