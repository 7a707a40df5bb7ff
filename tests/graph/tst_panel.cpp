// The panel without a session: what is empty says so, what is picked is selected everywhere, the keyboard reaches all, what is frozen
// stays, and thousands of messages are drawn in a frame.

#include <QAbstractItemModelTester>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "engine/core/random.h"
#include "tests/folders.h"
#include "tests/graph/graph_steps.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/graph/graph_view.h"
#include "widgets/graph/waits_model.h"

#include <functional>
#include <map>
#include <utility>

using namespace sbx;
using namespace sbx::ui;
using Kind = GraphStep::Kind;

namespace {

GraphKey key(std::uint64_t sequence) { return {0, 1, sequence}; }

} // namespace

class TestPanel : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;
    Told m_source;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<GraphPanel> m_panel;

    GraphView& view() { return m_panel->view(); }
    void tell(GraphNews news) {
        m_source.news = std::move(news);
        m_panel->poll();
    }
    void draw() { m_panel->grab(); }
    void click(QPointF at) { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, at.toPoint()); }
    void press(Qt::Key k) { QTest::keyClick(&view(), k); }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(*qApp);
    }
    void init() {
        m_source.news.reset();
        m_selection = std::make_unique<Selection>();
        m_panel = std::make_unique<GraphPanel>(*m_theme, m_source, *m_selection);
        m_panel->resize(1200, 420);
        m_panel->show();
    }
    void cleanup() {
        m_panel.reset();
        m_selection.reset();
    }

    void emptyItSaysHowToFillIt() {
        auto* empty = m_panel->findChild<EmptyState*>(QStringLiteral("graph.empty"));
        QVERIFY(empty != nullptr && empty->isVisible());
        bool started = false;
        QAction play(QStringLiteral("Play as host"));
        connect(&play, &QAction::triggered, this, [&] { started = true; });
        m_panel->setPlayAction(&play);
        empty->button().click();
        QVERIFY(started);
        tell(Story().at(1).tell());
        QVERIFY(!empty->isVisible());
    }

    void aPickedMessageIsSelectedEverywhere() {
        Story story = lostTwice();
        andArrives(story);
        tell(story.tell());
        draw();
        const auto place = view().placeOf(key(2));
        QVERIFY(place && place->receiver);
        view().fit();
        for (int i = 0; i < 22; ++i)
            view().zoom(1.25);
        draw();
        click(*view().placeOf(key(2))->receiver);
        QCOMPARE(view().current(), key(2));
        QCOMPARE(m_selection->primary(), std::string("crate_2"));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(71));
        const QString details = m_panel->details();
        for (const char* part : {"#2 Damage crate_2", "server → client 1", "waited 200 ms for #1 (lost, resent ×2)", "needed by"})
            QVERIFY2(details.contains(QString::fromUtf8(part)), qPrintable(details));
        // And back: the record selected elsewhere is the message here.
        click(QPointF(GraphView::HeaderWidth + 4, view().viewport()->height() - 6.0));
        QVERIFY(!view().current());
        m_selection->setTrace(0, QStringLiteral("trace"));
        m_selection->setTrace(71, QStringLiteral("trace"));
        QCOMPARE(view().current(), key(2));
    }

    void aRecordSentToManyIsTheMessageToThePeerLookedAt() {
        Story story;
        for (const std::uint16_t client : {std::uint16_t(1), std::uint16_t(2)})
            story.to(client)
                .at(10)
                .queue(1, {}, "Damage", "crate_1", 50)
                .queue(2, {}, "Died", "crate_1", 60)
                .at(40)
                .run(1)
                .run(2);
        tell(story.tell());
        m_selection->setTrace(50, QStringLiteral("trace"));
        QCOMPARE(view().current(), (GraphKey{0, 1, 1}));
        m_panel->goTo({0, 2, 1});
        m_selection->setTrace(60, QStringLiteral("trace"));
        QCOMPARE(view().current(), (GraphKey{0, 2, 2}));
        m_selection->setTrace(99, QStringLiteral("trace")); // no message of the network
        QCOMPARE(view().current(), (GraphKey{0, 2, 2}));
    }

    void aRecordThatIsGoneIsNotSelected() {
        Story story;
        story.at(10).queue(1, {}, "Damage", "crate_1", 50).at(20).run(1);
        // From a client: the record is that of its arrival.
        story.to(0, 1).at(30).queue(1, {}, "Chat", "player_2").at(50).run(1);
        GraphNews news = story.tell();
        GraphStep dispatched;
        dispatched.kind = Kind::Dispatched;
        dispatched.time = 50 * net::Millisecond;
        dispatched.key = {1, 0, 1};
        dispatched.trace = 77;
        news.steps.push_back(dispatched);
        tell(std::move(news));
        m_panel->setTrace({{}, {}, [](std::uint64_t sequence) { return sequence == 77; }});
        m_panel->goTo(key(1));
        QCOMPARE(m_selection->primary(), std::string("crate_1"));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(0));
        m_panel->goTo({1, 0, 1});
        QCOMPARE(m_selection->primary(), std::string("player_2"));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(77));
    }

    // While a stretch of the trace is kept, messages without a record in it are dim, which the bar says and takes back; after Stop its
    // numbers mean something in the next world only.
    void aSpanOfTheTraceDimsTheOthers() {
        std::uint64_t run = 4;
        m_panel->setTrace({[] {}, [&] { return run; }, [](std::uint64_t) { return true; }});
        Story story;
        story.at(100)
            .queue(1, {}, "Damage", "crate_1", 50)
            .send(1, 1)
            .at(160)
            .run(1, 1)
            .step(Kind::KnownExecuted, 1);
        story.at(2000)
            .queue(2, {}, "Damage", "crate_2", 51)
            .send(2, 2)
            .at(2060)
            .run(2, 2)
            .step(Kind::KnownExecuted, 2);
        story.at(4000)
            .queue(3, {}, "Damage", "crate_3")
            .send(3, 3)
            .at(4060)
            .run(3, 3)
            .step(Kind::KnownExecuted, 3); // its record is not known
        story.at(6000);
        tell(story.tell());
        view().fit();
        draw();
        const auto pictureOf = [&](std::uint64_t sequence) {
            const QPoint at = view().placeOf(key(sequence))->sender.toPoint();
            return view().viewport()->grab(QRect(at - QPoint(6, 6), QSize(13, 13))).toImage();
        };
        const std::map<std::uint64_t, QImage> bright{{1, pictureOf(1)}, {2, pictureOf(2)}, {3, pictureOf(3)}};
        auto* button = m_panel->findChild<QToolButton*>(QStringLiteral("graph.span"));
        QVERIFY(button != nullptr && !button->isVisible());
        m_panel->setSpan(GraphPanel::Span{51, 60, 120, 180});
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Ticks 120 to 180"));
        QVERIFY(pictureOf(1) != bright.at(1));
        QVERIFY(pictureOf(2) == bright.at(2));
        QVERIFY(pictureOf(3) != bright.at(3));
        // The end is not of it.
        m_panel->setSpan(GraphPanel::Span{40, 51, 100, 119});
        QVERIFY(pictureOf(1) == bright.at(1));
        QVERIFY(pictureOf(2) != bright.at(2));
        int dismissed = 0;
        connect(m_panel.get(), &GraphPanel::spanDismissed, this, [&] {
            ++dismissed;
            m_panel->setSpan({});
        });
        button->click();
        QCOMPARE(dismissed, 1);
        QVERIFY(!button->isVisible());
        for (const auto& [sequence, picture] : bright)
            QVERIFY(pictureOf(sequence) == picture);
        GraphNews news = story.tell();
        news.over = true;
        tell(std::move(news));
        m_panel->setSpan(GraphPanel::Span{51, 60, 120, 180});
        QVERIFY(button->isVisible());
        run = 5;
        m_panel->setSpan(GraphPanel::Span{51, 70, 120, 190});
        QVERIFY(!button->isVisible());
        QVERIFY(pictureOf(1) == bright.at(1));
    }

    // After Stop the next world's records have numbers of their own. So long as the trace shows the graph's run they are the same.
    void recordsOfAnotherRunAreNotTheMessages() {
        std::uint64_t run = 4;
        std::uint64_t coming = 4;
        const auto fetch = [&] {
            if (std::exchange(run, coming) != coming)
                m_selection->forgetTraces(QStringLiteral("trace"));
        };
        m_panel->setTrace({fetch, [&] { return run; }, [](std::uint64_t) { return true; }});
        Story story;
        story.at(10).queue(1, {}, "Damage", "crate_1", 50).at(20).run(1);
        story.at(30).queue(2, {}, "Damage", "crate_2", 51).at(40).run(2);
        tell(story.tell());
        m_panel->goTo(key(1));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(50));
        GraphNews news = story.tell();
        news.over = true;
        tell(std::move(news));
        m_panel->goTo(key(2)); // it can still be looked at
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(51));
        m_selection->setTrace(50, QStringLiteral("trace"));
        QCOMPARE(view().current(), key(1));
        coming = 5; // of the next world, known at the click and no sooner
        m_panel->goTo(key(2));
        QCOMPARE(m_selection->primary(), std::string("crate_2"));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(0));
        m_selection->setTrace(50, QStringLiteral("trace"));
        QCOMPARE(view().current(), key(2));
        // Another session of the network, in that run.
        Story next(2, 2);
        next.at(10).queue(1, {}, "Damage", "crate_3", 50).at(20).run(1);
        tell(next.tell());
        m_selection->setTrace(0, QStringLiteral("trace"));
        m_selection->setTrace(50, QStringLiteral("trace"));
        QCOMPARE(view().current(), key(1));
        m_panel->goTo(key(1));
        QCOMPARE(m_selection->primary(), std::string("crate_3"));
    }

    void handshakesStandInTheLaneOfTheClient() {
        using Step = GraphHandshakeStep::Kind;
        Story story;
        story.to(1)
            .at(100)
            .handshake(Step::Request, true)
            .at(125)
            .handshake(Step::Request, false)
            .handshake(Step::Challenge, false);
        story.at(150).handshake(Step::Challenge, true).handshake(Step::Response, true);
        story.at(175).handshake(Step::Response, false).handshake(Step::Connected, false);
        story.to(2).at(180).handshake(Step::Request, true);
        story.to(1).at(190).queue(1).at(220).run(1);
        tell(story.at(1000).tell());
        draw();
        const std::uint64_t first = m_panel->model().handshakes().all()[0].id;
        const std::uint64_t second = m_panel->model().handshakes().all()[1].id;
        const auto flag = view().flagOf(first);
        const auto other = view().flagOf(second);
        QVERIFY(flag && other);
        // One below the other, in their lanes; the text has room.
        QVERIFY(flag->bottom() < other->top());
        QVERIFY(flag->right() <= view().viewport()->width() && flag->left() >= GraphView::HeaderWidth);
        QVERIFY(flag->width() > QFontMetrics(m_theme->font(FontRole::Ui))
                                    .horizontalAdvance(QStringLiteral("connected in 75 ms")));
        QCOMPARE(view().handshakeAt(flag->center().toPoint()), first);
        click(flag->center());
        QCOMPARE(view().handshake(), first);
        QVERIFY(!view().current() && !view().axis().following());
        const QString details = m_panel->details();
        for (const char* part : {"Handshake", "client 1 → server", "connected in 75 ms", "request sent",
                                 "0.125 s", "challenge received"})
            QVERIFY2(details.contains(QString::fromUtf8(part)), qPrintable(details));
        view().setFocus();
        press(Qt::Key_H);
        QCOMPARE(view().handshake(), second);
        QVERIFY(m_panel->details().contains(QStringLiteral("asking for 820 ms, 1 datagram sent")));
        press(Qt::Key_H);
        QCOMPARE(view().handshake(), first);
        // A message is picked instead, or nothing.
        press(Qt::Key_Right);
        QVERIFY(view().current() && view().handshake() == 0);
        press(Qt::Key_H);
        QVERIFY(!view().current() && view().handshake() != 0);
        press(Qt::Key_Escape);
        QVERIFY(view().handshake() == 0);
        // From so near that the one that still asks goes on beyond what is in sight: it says so before the edge.
        for (int i = 0; i < 22; ++i)
            press(Qt::Key_Plus);
        press(Qt::Key_H);
        QCOMPARE(view().handshake(), first);
        draw();
        const auto asks = view().flagOf(second);
        QVERIFY(asks && asks->left() >= GraphView::HeaderWidth && asks->right() <= view().viewport()->width());
    }

    void theKeyboardGoesAlongMessagesAndCauses() {
        Story story = lostTwice();
        andArrives(story);
        tell(story.tell());
        view().setFocus();
        press(Qt::Key_Right);
        QCOMPARE(view().current(), key(4)); // the newest
        press(Qt::Key_Left);
        QCOMPARE(view().current(), key(3));
        press(Qt::Key_Up);
        QCOMPARE(view().current(), key(2));
        press(Qt::Key_Up);
        QCOMPARE(view().current(), key(1));
        press(Qt::Key_Up);
        QCOMPARE(view().current(), key(1));
        press(Qt::Key_Down);
        QCOMPARE(view().current(), key(2));
        QVERIFY(!view().axis().following());
        press(Qt::Key_End);
        QVERIFY(view().axis().following());
        const double before = view().axis().perPixel();
        press(Qt::Key_Plus);
        QVERIFY(view().axis().perPixel() < before);
        press(Qt::Key_Home);
        QCOMPARE(view().axis().perPixel() * view().axis().width(), static_cast<double>(GraphAxis::Usual));
        press(Qt::Key_Escape);
        QVERIFY(!view().current());
        press(Qt::Key_Space);
        QVERIFY(view().frozen());
        press(Qt::Key_Space);
        QVERIFY(!view().frozen());
    }

    void longWaitsAreListedUntilDismissed() {
        QAbstractItemModelTester tester(&m_panel->waits(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        Story story = lostTwice();
        tell(story.tell());
        WaitsModel& waits = m_panel->waits();
        QCOMPARE(waits.rowCount(), 2);
        QCOMPARE(waits.index(0, WaitsModel::WaitedColumn).data().toString(), QStringLiteral("150 ms"));
        tell(andArrives(story).tell());
        QCOMPARE(waits.rowCount(), 2);
        QCOMPARE(waits.index(0, WaitsModel::MessageColumn).data().toString(), QStringLiteral("#2 Damage crate_2"));
        QCOMPARE(waits.index(0, WaitsModel::WaitedColumn).data().toString(), QStringLiteral("200 ms"));
        QCOMPARE(waits.index(0, WaitsModel::CauseColumn).data().toString(), QStringLiteral("#1 (lost, resent ×2)"));
        QVERIFY(waits.index(0, 0).data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("client 1: waited 200 ms")));
        view().setFocus();
        press(Qt::Key_N);
        QCOMPARE(view().current(), key(2));
        press(Qt::Key_N);
        QCOMPARE(view().current(), key(3));
        press(Qt::Key_N);
        QCOMPARE(view().current(), key(2));
        tell(story.at(90'000).queue(5).tell());
        QCOMPARE(waits.rowCount(), 2);
        m_panel->waitsList().setCurrentIndex(m_panel->waitsList().model()->index(1, 0));
        QTest::keyClick(&m_panel->waitsList(), Qt::Key_Delete);
        QCOMPARE(waits.rowCount(), 1);
        QCOMPARE(waits.keyAt(0), key(2));
        ActionRegistry actions(*m_theme);
        m_panel->addActions(actions);
        QVERIFY(actions.trigger(QStringLiteral("graph.dismissWaits")).ok());
        QCOMPARE(waits.rowCount(), 0);
        QVERIFY(!actions.trigger(QStringLiteral("graph.nextWait")).ok());
    }

    void theListOfWaitsIsSortedAndHasTheKeysOfThePicture() {
        Story story = lostTwice();
        tell(andArrives(story).tell());
        QTreeView& list = m_panel->waitsList();
        const auto first = [&list] { return list.model()->index(0, WaitsModel::MessageColumn).data().toString(); };
        QVERIFY(first().startsWith(QStringLiteral("#2 ")));
        QHeaderView& header = *list.header();
        const auto click = [&header](int column) {
            QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                              QPoint(header.sectionViewportPosition(column) + 10, header.height() / 2));
        };
        click(WaitsModel::MessageColumn);
        if (header.sortIndicatorOrder() == Qt::AscendingOrder)
            click(WaitsModel::MessageColumn);
        QCOMPARE(header.sortIndicatorSection(), int{WaitsModel::MessageColumn});
        QVERIFY2(first().startsWith(QStringLiteral("#3 ")), qPrintable(first()));
        // What is chosen is what is shown there, and N goes down the list as it is.
        list.setFocus();
        list.setCurrentIndex(list.model()->index(0, 0));
        QCOMPARE(view().current(), key(3));
        QTest::keyClick(&list, Qt::Key_N);
        QCOMPARE(view().current(), key(2));
        const double wide = view().axis().perPixel();
        QTest::keyClick(&list, Qt::Key_Plus);
        QVERIFY(view().axis().perPixel() < wide);
        QTest::keyClick(&list, Qt::Key_Minus);
        QTest::keyClick(&list, Qt::Key_Minus);
        QVERIFY(view().axis().perPixel() > wide);
        QVERIFY(!view().frozen());
        QTest::keyClick(&list, Qt::Key_Space);
        QVERIFY(view().frozen());
        QTest::keyClick(&list, Qt::Key_Delete);
        QCOMPARE(m_panel->waits().rowCount(), 1);
        QCOMPARE(m_panel->waits().keyAt(0), key(3));
        // Causes are not cut, however narrow the list is.
        const QAbstractItemView& columns = list; // where it is public
        QTRY_VERIFY(header.sectionSize(WaitsModel::CauseColumn) >= columns.sizeHintForColumn(WaitsModel::CauseColumn));
    }

    // The list's view chooses a neighbour while the row still goes: what comes then waits until the list stands again.
    void whatComesDuringADismissalWaits() {
        QAbstractItemModelTester tester(&m_panel->waits(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        Story story = lostTwice();
        tell(andArrives(story).tell());
        QCOMPARE(m_panel->waits().rowCount(), 2);
        m_panel->waitsList().setCurrentIndex(m_panel->waits().index(0, 0));
        int within = 0;
        bool asked = false;
        connect(&m_panel->waits(), &QAbstractItemModel::rowsAboutToBeRemoved, this, [&] { ++within; });
        connect(&m_panel->waits(), &QAbstractItemModel::rowsRemoved, this, [&] { --within; });
        connect(&m_panel->waits(), &QAbstractItemModel::modelAboutToBeReset, this, [&] { asked = asked || within > 0; });
        m_source.news = Story(2, 2).at(1).tell();
        QTest::keyClick(&m_panel->waitsList(), Qt::Key_Delete);
        QVERIFY(!asked);
        m_panel->poll();
        QCOMPARE(m_panel->waits().rowCount(), 0);
        QCOMPARE(m_panel->model().run(), std::uint64_t(2));
    }

    // What was pointed at is not what has its name in the session that comes with the click.
    void aPickDoesNotReachAnotherRunsMessage() {
        Story story;
        story.at(10).queue(1, {}, "Damage", "crate_1").at(20).run(1);
        tell(story.tell());
        Story next(2, 2);
        next.at(10).queue(1, {}, "Damage", "crate_9").at(20).run(1);
        m_source.news = next.tell();
        m_panel->goTo(key(1));
        QCOMPARE(m_panel->model().run(), std::uint64_t(2));
        QVERIFY(m_selection->empty());
    }

    void anotherRunsWaitsAreItsOwn() {
        Story story = lostTwice();
        tell(andArrives(story).tell());
        QCOMPARE(m_panel->waits().rowCount(), 2);
        m_panel->goTo(key(3));
        Story other(2, 2);
        other.at(0).queue(2).queue(3, {2}).at(5).step(Kind::Arrived, 3).at(300).run(2).step(Kind::Executed, 3);
        tell(other.tell());
        QCOMPARE(m_panel->waits().rowCount(), 1);
        QCOMPARE(m_panel->waits().keyAt(0), key(3));
        QVERIFY(!view().current());
        draw();
        QTest::mouseMove(view().viewport(), QPoint(600, 100));
        tell(Story(2, 3).at(1).tell());
        QCOMPARE(m_panel->waits().rowCount(), 0);
        QVERIFY(!view().at(QPoint(600, 100)));
    }

    // Only what is chosen can be dismissed, and nothing is once the list has changed under it.
    void nothingChosenIsNothingToDismiss() {
        Story story = lostTwice();
        andArrives(story);
        tell(story.tell());
        const auto* dismiss = m_panel->findChild<QToolButton*>(QStringLiteral("graph.dismiss"));
        QVERIFY(m_panel->waits().rowCount() > 0 && !dismiss->isEnabled());
        m_panel->nextWait();
        QVERIFY(dismiss->isEnabled());
        m_panel->waits().dismissAll();
        QVERIFY(!dismiss->isEnabled());
    }

    void whatIsFrozenStays() {
        Story story = lostTwice();
        tell(story.tell());
        m_panel->setFrozen(true);
        draw();
        const net::Time shown = view().shownTime();
        const auto before = view().placeOf(key(1));
        const QImage picture = view().viewport()->grab().toImage();
        tell(andArrives(story).tell());
        for (int i = 0; i < 10; ++i) {
            const auto sequence = static_cast<std::uint64_t>(5 + i);
            tell(story.at(1000 + i * 4000).queue(sequence).run(sequence).step(Kind::KnownExecuted, sequence).tell());
        }
        QCOMPARE(view().shownTime(), shown);
        QCOMPARE(view().placeOf(key(1))->sender, before->sender);
        QVERIFY(!view().placeOf(key(1))->receiver); // it had not come then
        QVERIFY(!view().placeOf(key(7)));
        QVERIFY(view().viewport()->grab().toImage() == picture);
        // So does what is said of it.
        const auto* status = m_panel->findChild<QLabel*>(QStringLiteral("graph.status"));
        QVERIFY2(status->text().endsWith(QStringLiteral(" 2 waiting")), qPrintable(status->text()));
        m_panel->setFrozen(false);
        QVERIFY2(status->text().endsWith(QStringLiteral(" 0 waiting")), qPrintable(status->text()));
        QVERIFY(view().axis().following());
        QVERIFY(view().placeOf(key(14)).has_value());
    }

    // Frozen close by, it still has what was there when somebody looks from farther away, however long it has been frozen, and so has
    // the list of waits.
    void aFrozenPictureKeepsWhatWasThere() {
        Story story = lostTwice();
        andArrives(story);
        tell(story.at(25'000).queue(5).send(5, 5).run(5, 5).step(Kind::KnownExecuted, 5).tell());
        QCOMPARE(m_panel->waits().rowCount(), 2);
        for (int i = 0; i < 40; ++i)
            view().zoom(1.25);
        m_panel->setFrozen(true);
        for (std::uint64_t i = 6; i < 16; ++i)
            tell(story.at(static_cast<int>(i) * 20'000)
                     .queue(i)
                     .send(i, i)
                     .run(i, i)
                     .step(Kind::KnownExecuted, i)
                     .tell());
        story.at(330'000).queue(16).send(16, 16).queue(17, {16}).send(17, 17).at(330'010).step(Kind::Arrived,
                                                                                               17, 17);
        tell(story.at(330'500).run(16, 18).step(Kind::Executed, 17).tell());
        QCOMPARE(m_panel->waits().rowCount(), 2);
        view().fit();
        for (const std::uint64_t sequence : {1U, 2U, 3U, 4U, 5U})
            QVERIFY2(view().placeOf(key(sequence)).has_value(), qPrintable(QString::number(sequence)));
        QVERIFY(!view().placeOf(key(6)));
        m_panel->setFrozen(false);
        QCOMPARE(m_panel->waits().rowCount(), 3);
        tell(story.at(331'000).queue(18).send(18, 18).tell());
        // Long gone from the graph, a listed one still tells what it waited for.
        QVERIFY(!view().placeOf(key(2)));
        m_panel->goTo(key(2));
        const QString details = m_panel->details();
        for (const char* part : {"#2 Damage crate_2", "waited 200 ms for #1 (lost, resent ×2)",
                                 "older than what the graph shows"})
            QVERIFY2(details.contains(QString::fromUtf8(part)), qPrintable(details));
        QCOMPARE(m_selection->primary(), std::string("crate_2"));
    }

    // What comes later shifts all that is there by the same, up and down not at all.
    void nothingJumps() {
        Story story;
        for (std::uint64_t i = 1; i <= 60; ++i)
            story.at(static_cast<int>(i) * 37).queue(i).send(i, i);
        tell(story.at(4000).tell());
        std::vector<QPointF> before;
        for (std::uint64_t i = 1; i <= 60; ++i)
            before.push_back(view().placeOf(key(i)).value_or(GraphView::Place{}).sender);
        for (std::uint64_t i = 61; i <= 120; ++i)
            story.at(4000 + static_cast<int>(i) * 11).queue(i, {i - 60}).send(i, i);
        tell(story.at(6500).tell());
        std::optional<double> shift;
        for (std::uint64_t i = 1; i <= 60; ++i) {
            const auto now = view().placeOf(key(i));
            if (!now || before[i - 1].isNull())
                continue;
            const QPointF moved = now->sender - before[i - 1];
            QCOMPARE(moved.y(), 0.0);
            QCOMPARE(moved.x(), shift.value_or(moved.x()));
            shift = moved.x();
        }
        QVERIFY(shift && *shift < 0);
    }

    void ofWhatIsInSightAloneTheFrameIsMade() {
        Story story;
        for (std::uint64_t i = 1; i <= 12'000; ++i) { // 400 a second
            story.at(static_cast<int>(i * 5 / 2));
            story.queue(i, i > 3 ? std::vector<std::uint64_t>{i - 1, i - 3} : std::vector<std::uint64_t>{}).send(i, i);
        }
        for (std::uint64_t i = 1; i <= 12'000; ++i)
            story.at(static_cast<int>(i * 5 / 2) + 50).run(i, i).step(Kind::KnownExecuted, i);
        tell(story.at(30'000).tell());
        QCOMPARE(m_panel->model().size(), std::size_t(12'000));
        std::vector<double> times;
        for (int i = 0; i < 9; ++i) {
            draw();
            times.push_back(view().lastFrame().milliseconds);
        }
        std::sort(times.begin(), times.end());
        QVERIFY(view().lastFrame().inSight >= 11'000);
        qInfo("12 000 messages in sight: %.2f ms a frame (median), %zu shapes, %zu edges", times[4],
              view().lastFrame().drawn, view().lastFrame().edges);
        // One a few pixels is all that can be told apart.
        QVERIFY(view().lastFrame().drawn < 4000);
        QVERIFY(view().lastFrame().edges <= 2000);
        for (int i = 0; i < 20; ++i)
            view().zoom(1.25);
        draw();
        QVERIFY(view().lastFrame().inSight < 500);
        qInfo("zoomed in: %zu in sight, %.2f ms", view().lastFrame().inSight, view().lastFrame().milliseconds);
    }

    // For eyes: a busy second, near and far, in both themes.
    void pictures() {
        Random random(3);
        Story story;
        std::map<int, std::vector<std::function<void()>>> due; // by ms
        std::uint64_t packet = 1;
        for (std::uint64_t i = 1; i <= 260; ++i) {
            const int at = static_cast<int>(i) * 30;
            const std::uint64_t need = i > 4 ? i - 1 - random.next() % 4 : 0;
            due[at].push_back([&story, i, need] {
                story.queue(i, need > 0 ? std::vector<std::uint64_t>{need} : std::vector<std::uint64_t>{}, i % 5 == 0 ? "Damage" : "Input",
                            i % 5 == 0 ? "crate_3" : "player_2");
            });
            int sent = at + 1;
            const std::uint64_t first = packet++;
            due[sent].push_back([&story, i, first] { story.send(i, first); });
            std::uint64_t last = first;
            while (random.next() % 5 == 0) {
                const std::uint64_t lost = last;
                last = packet++;
                due[sent + 95].push_back([&story, i, lost, last] {
                    story.step(Kind::Lost, i, lost).step(Kind::Resent, i, last);
                });
                sent += 95;
            }
            due[sent + 40].push_back([&story, i, last] { story.step(Kind::Arrived, i, last); });
            due[sent + 80].push_back([&story, i] { story.step(Kind::Acknowledged, i); });
        }
        // Executed as what they need is: as the receiver does it, and told to the sender 40 ms later.
        GraphModel model;
        GraphNews all = story.tell();
        const auto tellModel = [&] {
            GraphNews news = story.tell();
            all.now = news.now;
            all.steps.insert(all.steps.end(), news.steps.begin(), news.steps.end());
            model.apply(std::move(news));
        };
        for (int ms = 0; ms <= 8200; ++ms) {
            story.at(ms);
            for (auto& run : due[ms])
                run();
            tellModel();
            for (bool more = true; more;) {
                more = false;
                model.visit(1, 0, ms * net::Millisecond, [&](const GraphKey& k, const GraphNode& node) {
                    const bool free = std::all_of(node.needs.begin(), node.needs.end(), [&](std::uint64_t n) {
                        return model.find({0, 1, n}) == nullptr || model.find({0, 1, n})->executed != net::Never;
                    });
                    if (!more && node.receiverAt(ms * net::Millisecond) == GraphState::Waiting && free) {
                        more = true;
                        story.step(Kind::Executed, k.sequence);
                        due[ms + 41].push_back([&story, s = k.sequence] { story.step(Kind::KnownExecuted, s); });
                    }
                });
                if (more)
                    tellModel();
            }
        }
        tell(std::move(all));
        QVERIFY(m_panel->waits().rowCount() > 0);
        const GraphKey last = m_panel->waits().keyAt(m_panel->waits().rowCount() / 2);
        for (const bool dark : {true, false}) {
            m_theme->setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
            m_panel->goTo(GraphKey());
            view().fit();
            view().goLive();
            QVERIFY(!m_panel->grab().isNull());
            for (int i = 0; i < 15; ++i)
                view().zoom(1.25);
            m_panel->goTo(last);
            QVERIFY(!m_panel->grab().isNull());
        }
        m_theme->setMode(ThemeMode::Dark);
    }

    void hostileNumbersDrawNothingAndBreakNothing() {
        Story story;
        story.to(7, 3).at(5).queue(3, {9, 3, 1}).run(3);
        story.to(1).at(6).queue(1'000'000, {999'999}).step(Kind::Arrived, 1'000'000);
        tell(story.tell());
        draw();
        m_panel->goTo({3, 7, 3});
        m_panel->goTo(key(1'000'000));
        press(Qt::Key_Up);
        draw();
        m_panel->goTo(key(55));
        draw();
        QVERIFY(!view().placeOf(key(55)));
    }
};

QTEST_MAIN(TestPanel)
#include "tst_panel.moc"
