// Going to a message: one that is hidden, not judged yet, on its way, or gone.

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/filter_bar.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

class TestPanelGoing : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    void aReceiverThatIsGoneIsSaidToBe() {
        PanelBench b(*m_theme);
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

    void aRecordOnItsWayIsFetchedAndShown() {
        PanelBench b(*m_theme);
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

    void goingToAHiddenRecordTakesTheFilterBack() {
        PanelBench b(*m_theme);
        b.run(10);
        b.panel->setFilterText(QStringLiteral("sequence > 50"));
        b.selection.setTrace(3, QStringLiteral("graph"));
        QCOMPARE(b.panel->filterText(), QString());
        QCOMPARE(b.panel->model().record(b.panel->view().currentIndex().row()).envelope().sequence,
                 std::uint64_t(3));
    }

    // What was taken away to show a message is said below the list, and a click there brings all of it back.
    void whatWasTakenAwayIsPutBack() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
        b.run(30);
        b.click(3);
        const int row = b.panel->view().currentIndex().row();
        b.selection.setTrace(b.yard.sequence + 5, QStringLiteral("graph"));
        b.run(30);
        QCoreApplication::processEvents();
        QCOMPARE(b.panel->view().currentIndex().row(), row);
    }

    void anotherRunForgetsTheSelectedRecord() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme, TraceStore(100));
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

    // Of the component that consumed it, else of the first that acted, not of one that only looks on. Enter stays what it is.
    void ctrlEnterAsksForTheDefinition() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
        b.run(3);
        b.click(0);
        QSignalSpy activated(b.panel.get(), &TracePanel::entityActivated);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter})
            QTest::keyClick(&b.panel->view(), key, Qt::ControlModifier);
        QCOMPARE(activated.count(), 0);
        QTest::keyClick(&b.panel->view(), Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(activated.count(), 1);
    }
};

QTEST_MAIN(TestPanelGoing)
#include "tst_panel_going.moc"
