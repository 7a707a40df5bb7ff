// The trace panel: the list, its selection and its details, what it says and keeps.

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include "tests/event_loop.h"
#include "tests/trace/panel_bench.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_details.h"
#include "widgets/trace/trace_timeline.h"
#include "widgets/trace/trace_types.h"
#include "widgets/trace/trace_view.h"

using namespace sbx;
using namespace sbx::trace_test;
using namespace sbx::ui;

class TestPanel : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>(ThemeMode::Dark);
        m_theme->apply(*qApp);
    }

    // Pressing Play in the empty panel is no choice of a row.
    void theFirstRowsAreNotChosenByThemselves() {
        PanelBench b(*m_theme);
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

    void whatIsInViewIsNotNew() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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

    void saysWhatWouldFillIt() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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

    void countsAndBadge() {
        PanelBench b(*m_theme);
        b.run(10);
        b.panel->setFilterText(QStringLiteral("type == Damage"));
        const QString wanted =
            QStringLiteral("%1 of %2").arg(b.panel->model().rowCount()).arg(b.panel->model().store().size());
        QTRY_COMPARE(b.panel->findChild<QLabel*>(QStringLiteral("trace.count"))->text(), wanted);
    }

    void spacePausesAndTheViewStandsStill() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme, TraceStore(200));
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

    void detailsExplain() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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

    void typesHaveTwoMasks() {
        PanelBench b(*m_theme);
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

    void theKeyboardWalksTheRows() {
        PanelBench b(*m_theme);
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

    void theTimelineBrushesAndGoes() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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

    void anotherWorldInThePictureIsSaid() {
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
        PanelBench b(*m_theme);
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
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
