// The graph by hand: wheel, drag, hover, click, menu and keys, as a person at the desk moves them, while messages keep coming.

#include <QApplication>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QWheelEvent>
#include <QtTest>

#include "tests/graph/graph_steps.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/graph/graph_panel.h"
#include "widgets/graph/graph_view.h"
#include "widgets/graph/waits_model.h"

using namespace sbx;
using namespace sbx::ui;
using Kind = GraphStep::Kind;

namespace {

GraphKey to1(std::uint64_t sequence) { return {0, 1, sequence}; }
constexpr int Names = GraphView::HeaderWidth;

} // namespace

class TestHands : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Theme> m_theme;
    Told m_source;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<GraphPanel> m_panel;
    Story m_story;

    GraphView& view() { return m_panel->view(); }
    QWidget* ground() { return view().viewport(); }
    void tell(GraphNews news) {
        m_source.news = std::move(news);
        m_panel->poll();
        m_panel->grab(); // what is drawn is what is pointed at
    }
    // Forty messages, 40 ms apart, each executed 30 ms after it was sent; every fourth needs the one before.
    void tellForty(int fromMs = 0, std::uint64_t first = 1) {
        for (std::uint64_t i = 0; i < 40; ++i) {
            const std::uint64_t n = first + i;
            m_story.at(fromMs + static_cast<int>(i) * 40);
            m_story.queue(n, n % 4 == 0 ? std::vector<std::uint64_t>{n - 1} : std::vector<std::uint64_t>{}, "Damage",
                          ("crate_" + std::to_string(n)).c_str(), 1000 + n);
            m_story.send(n, n).at(fromMs + static_cast<int>(i) * 40 + 30).run(n, n).step(Kind::KnownExecuted, n);
        }
        tell(m_story.at(fromMs + 1700).tell());
    }
    void turn(QPoint at, QPoint by, Qt::KeyboardModifiers with = {}) {
        QWheelEvent event(at, ground()->mapToGlobal(at), {}, by, Qt::NoButton, with, Qt::NoScrollPhase, false);
        QApplication::sendEvent(ground(), &event);
    }
    void moveTo(QPoint at, Qt::MouseButtons held = {}) {
        QMouseEvent event(QEvent::MouseMove, at, ground()->mapToGlobal(at), Qt::NoButton, held, {});
        QApplication::sendEvent(ground(), &event);
    }
    // A press, moves of a few pixels, a release.
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(ground(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i)
            moveTo(from + (to - from) * i / 10, Qt::LeftButton);
        QTest::mouseRelease(ground(), Qt::LeftButton, {}, to);
    }
    void press(Qt::Key key) { QTest::keyClick(&view(), key); }
    // Moments stand at whole pixels.
    bool atOnePixel(net::Time a, net::Time b) { return std::abs(static_cast<double>(a - b)) <= view().axis().perPixel(); }
    static bool near(QPoint a, QPoint b) { return std::abs(a.x() - b.x()) <= 1 && a.y() == b.y(); }
    net::Time momentAt(int x) { return view().axis().at(x - Names); }
    QPoint disc(std::uint64_t sequence) { return view().placeOf(to1(sequence)).value().receiver.value().toPoint(); }
    // Two seconds across, ending at the newest: what was told is wide apart.
    void lookClosely() {
        while (view().axis().perPixel() * view().axis().width() > 2.5e9)
            press(Qt::Key_Plus);
        m_panel->grab();
    }

private slots:
    void initTestCase() {
        m_theme = std::make_unique<Theme>();
        m_theme->apply(*qApp);
    }
    void init() {
        m_story = Story();
        m_source.news.reset();
        m_selection = std::make_unique<Selection>();
        m_panel = std::make_unique<GraphPanel>(*m_theme, m_source, *m_selection);
        m_panel->resize(1280, 420);
        m_panel->show();
        view().setFocus();
        tellForty();
        lookClosely();
    }
    void cleanup() {
        m_panel.reset();
        m_selection.reset();
    }

    // The moment under the pointer stays there, nearer or farther, whether the picture follows, stands still or is frozen; at its right
    // edge that is the newest, and it goes on following.
    void theWheelZoomsAroundThePointer() {
        const QPoint at(Names + 300, 200);
        const net::Time newest = view().axis().to();
        double scale = view().axis().perPixel();
        turn({ground()->width() - 10, 200}, {0, 120});
        QVERIFY(std::abs(view().axis().perPixel() - scale / 1.25) < 1e-6 * scale);
        QVERIFY(atOnePixel(view().axis().to(), newest));
        QVERIFY(view().axis().following());
        turn({ground()->width() - 10, 200}, {0, -120});
        view().refresh(); // moments are rounded to pixels: up to the newest again
        const net::Time pointed = momentAt(at.x());
        turn(at, {0, 120});
        QVERIFY(!view().axis().following()); // it stands still now
        QVERIFY(std::abs(static_cast<double>(momentAt(at.x()) - pointed)) <= 2.0 * scale);
        turn(at, {0, -120}); // the newest is reached again
        QVERIFY(view().axis().following());
        m_panel->setFrozen(true);
        for (const int by : {120, 120, -120, 240, -360}) {
            const net::Time under = momentAt(at.x());
            scale = view().axis().perPixel();
            turn(at, {0, by});
            QVERIFY((by > 0) == (view().axis().perPixel() < scale));
            QVERIFY(std::abs(static_cast<double>(momentAt(at.x()) - under)) <= 2.0 * std::max(scale, view().axis().perPixel()));
        }
    }
    void theWheelWithShiftOrSidewaysPans() {
        const QPoint at(Names + 300, 200);
        net::Time end = view().axis().to();
        const double scale = view().axis().perPixel();
        turn(at, {0, 120}, Qt::ShiftModifier);
        QVERIFY(view().axis().to() < end && view().axis().perPixel() == scale);
        end = view().axis().to();
        turn(at, {120, 0});
        QVERIFY(view().axis().to() < end && view().axis().perPixel() == scale);
        for (int i = 0; i < 20; ++i)
            turn(at, {-120, 0});
        QVERIFY(view().axis().following()); // past the newest it follows again
        // No end of it leads out of time.
        for (int i = 0; i < 500; ++i)
            turn(at, {0, 1200}, Qt::ShiftModifier);
        QVERIFY(view().axis().to() >= 0);
        m_panel->grab();
    }
    // Over the names the wheel goes through a lane's rows.
    void theWheelOverANameGoesThroughRows() {
        for (std::uint64_t i = 100; i < 160; ++i)
            m_story.at(1750).queue(i).send(i, i);
        tell(m_story.at(1900).tell());
        const auto low = view().placeOf(to1(101));
        QVERIFY(low.has_value());
        const net::Time end = view().axis().to();
        turn({20, low->sender.toPoint().y()}, {0, -120});
        QCOMPARE(view().axis().to(), end);
        const auto now = view().placeOf(to1(101));
        QVERIFY(!now || now->sender.y() == low->sender.y() - GraphView::RowPitch);
        turn({20, static_cast<int>(low->sender.y())}, {0, 120});
        QCOMPARE(view().placeOf(to1(101))->sender, low->sender);
    }

    void aDragTakesThePictureAlong() {
        const QPoint before = disc(20);
        drag({Names + 500, 210}, {Names + 620, 210});
        QVERIFY(!view().axis().following());
        QVERIFY(near(disc(20), before + QPoint(120, 0)));
        QVERIFY(!view().current()); // it was no click
        drag({Names + 620, 210}, {Names + 500, 210});
        QVERIFY(near(disc(20), before));
        // A hand that trembles clicks.
        QTest::mousePress(ground(), Qt::LeftButton, {}, disc(20));
        moveTo(disc(20) + QPoint(2, 1), Qt::LeftButton);
        QTest::mouseRelease(ground(), Qt::LeftButton, {}, disc(20) + QPoint(2, 1));
        QCOMPARE(view().current(), to1(20));
    }
    // What is held stays under the hand while more arrives.
    void whatIsDraggedStaysUnderTheHand() {
        const QPoint at = disc(20);
        QTest::mousePress(ground(), Qt::LeftButton, {}, at);
        for (int i = 1; i <= 12; ++i) {
            moveTo(at + QPoint(10 * i, 0), Qt::LeftButton);
            const auto next = static_cast<std::uint64_t>(40 + i);
            tell(m_story.at(1700 + i * 40).queue(next).send(next, 90).tell());
            QVERIFY(near(disc(20), at + QPoint(10 * i, 0)));
        }
        QTest::mouseRelease(ground(), Qt::LeftButton, {}, at + QPoint(120, 0));
        QVERIFY(near(disc(20), at + QPoint(120, 0)));
    }

    void hoveringPointsAndTells() {
        moveTo(disc(20));
        QCOMPARE(ground()->cursor().shape(), Qt::PointingHandCursor);
        QHelpEvent help(QEvent::ToolTip, disc(20), ground()->mapToGlobal(disc(20)));
        QApplication::sendEvent(ground(), &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("#20 Damage crate_20")), qPrintable(QToolTip::text()));
        const QImage pointed = ground()->grab().toImage();
        moveTo({Names + 10, ground()->height() - 4});
        QCOMPARE(ground()->cursor().shape(), Qt::ArrowCursor);
        QVERIFY(ground()->grab().toImage() != pointed); // what is pointed at is seen to be
        QVERIFY(!view().current());
        QVERIFY(m_selection->primary().empty());
    }

    void aClickSelectsHereAndEverywhere() {
        QTest::mouseClick(ground(), Qt::LeftButton, {}, disc(20));
        QCOMPARE(view().current(), to1(20));
        QCOMPARE(m_selection->primary(), std::string("crate_20"));
        QCOMPARE(m_selection->traceSequence(), std::uint64_t(1020));
        QTest::mouseClick(ground(), Qt::RightButton, {}, disc(24));
        QCOMPARE(view().current(), to1(20));
        // Its mark at the sender is the same message.
        QTest::mouseClick(ground(), Qt::LeftButton, {}, view().placeOf(to1(16))->sender.toPoint());
        QCOMPARE(view().current(), to1(16));
        QString entity;
        connect(m_panel.get(), &GraphPanel::entityActivated, this, [&](const QString& name) { entity = name; });
        QTest::mouseDClick(ground(), Qt::LeftButton, {}, disc(24));
        QCOMPARE(entity, QStringLiteral("crate_24"));
        QTest::mouseDClick(ground(), Qt::LeftButton, {}, {Names + 100, 5}); // the axis: all of it
        QCOMPARE(view().axis().perPixel() * view().axis().width(), static_cast<double>(GraphAxis::Usual));
        QTest::mouseClick(ground(), Qt::LeftButton, {}, {Names + 4, ground()->height() - 4});
        QVERIFY(!view().current());
    }

    void eachLaneHasItsMenu() {
        QList<int> lanes;
        connect(m_panel.get(), &GraphPanel::laneMenuRequested, this, [&](int lane, const QPoint&) { lanes << lane; });
        const int height = (ground()->height() - GraphView::AxisHeight) / 3;
        for (int lane = 0; lane < 3; ++lane) {
            const QPoint at(50, GraphView::AxisHeight + lane * height + height / 2);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, ground()->mapToGlobal(at));
            QApplication::sendEvent(ground(), &event);
        }
        QContextMenuEvent axis(QContextMenuEvent::Mouse, {300, 4}, ground()->mapToGlobal(QPoint(300, 4)));
        QApplication::sendEvent(ground(), &axis);
        QCOMPARE(lanes, (QList<int>{0, 1, 2}));
    }

    void theKeysDoWhatTheManualSays() {
        const double scale = view().axis().perPixel();
        press(Qt::Key_Minus);
        QVERIFY(view().axis().perPixel() > scale);
        press(Qt::Key_Equal);
        QCOMPARE(view().axis().perPixel(), scale);
        const net::Time end = view().axis().to();
        press(Qt::Key_PageUp);
        QVERIFY(view().axis().to() < end && !view().axis().following());
        for (int i = 0; i < 2 && !view().axis().following(); ++i)
            press(Qt::Key_PageDown);
        QVERIFY(view().axis().following());
        QCOMPARE(view().axis().to(), m_panel->model().now());
        press(Qt::Key_Right);
        QCOMPARE(view().current(), to1(40));
        press(Qt::Key_Up); // what it needs
        QCOMPARE(view().current(), to1(39));
        press(Qt::Key_Down);
        QCOMPARE(view().current(), to1(40));
        QString entity;
        connect(m_panel.get(), &GraphPanel::entityActivated, this, [&](const QString& name) { entity = name; });
        press(Qt::Key_Return);
        QCOMPARE(entity, QStringLiteral("crate_40"));
        press(Qt::Key_Escape);
        QVERIFY(!view().current());
        QVERIFY(!view().axis().following());
        press(Qt::Key_Escape);
        QVERIFY(view().axis().following());
        press(Qt::Key_Home);
        QCOMPARE(view().axis().perPixel() * view().axis().width(), static_cast<double>(GraphAxis::Usual));
    }

    // Button and key freeze the same picture; what comes meanwhile is there afterwards.
    void freezingHoldsThePicture() {
        auto* const button = m_panel->findChild<QToolButton*>(QStringLiteral("graph.freeze"));
        QVERIFY(button != nullptr);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(view().frozen() && button->isChecked());
        const QImage before = ground()->grab().toImage();
        tellForty(1700, 41);
        QVERIFY(ground()->grab().toImage() == before);
        QVERIFY(!view().placeOf(to1(60)));
        view().setFocus();
        press(Qt::Key_Space);
        QVERIFY(!view().frozen() && !button->isChecked());
        QVERIFY(view().placeOf(to1(60)).has_value());
        press(Qt::Key_Space);
        QVERIFY(view().frozen() && button->isChecked());
    }

    // A picture that somebody moved stands still to the pixel, whatever arrives; what follows moves as a whole.
    void whatIsDrawnDoesNotJump() {
        drag({Names + 500, 210}, {Names + 560, 210});
        moveTo({Names + 10, ground()->height() - 4});
        const QRect seen(Names, GraphView::AxisHeight, ground()->width() - Names, ground()->height() - GraphView::AxisHeight);
        const QImage before = ground()->grab(seen).toImage();
        for (int round = 0; round < 5; ++round) {
            tellForty(1700 * (round + 1), 41 + 40 * static_cast<std::uint64_t>(round));
            QVERIFY2(ground()->grab(seen).toImage() == before, qPrintable(QString::number(round)));
        }
        press(Qt::Key_End);
        lookClosely();
        const auto at = [&](std::uint64_t n) { return view().placeOf(to1(n)).value(); };
        const auto older = at(220);
        const auto newer = at(238);
        tell(m_story.at(10'300).queue(241).send(241, 241).tell());
        QCOMPARE(at(220).sender.y(), older.sender.y());
        QCOMPARE(at(238).sender.y(), newer.sender.y());
        QCOMPARE(at(238).sender.x() - at(220).sender.x(), newer.sender.x() - older.sender.x());
        QCOMPARE(at(238).receiver->x() - at(220).receiver->x(), newer.receiver->x() - older.receiver->x());
        QVERIFY(at(220).sender.x() < older.sender.x());
    }

    void aLongWaitIsDismissedByHand() {
        m_story.at(1800).queue(50).send(50, 50).at(1810).queue(51, {50}, "Kill", "bat").send(51, 51);
        m_story.queue(52, {50}, "Kill", "crate_9").send(52, 52);
        m_story.at(1850).step(Kind::Arrived, 51, 51).step(Kind::Arrived, 52, 52);
        m_story.at(2100).run(50, 60).step(Kind::Executed, 51).step(Kind::Executed, 52);
        tell(m_story.at(2200).tell());
        WaitsModel& waits = m_panel->waits();
        QTreeView& list = m_panel->waitsList();
        QCOMPARE(waits.rowCount(), 2);
        const QPoint second = list.visualRect(list.model()->index(1, WaitsModel::MessageColumn)).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(view().current(), to1(52)); // its picture, its entity
        QCOMPARE(m_selection->primary(), std::string("crate_9"));
        QTest::keyClick(&list, Qt::Key_Delete);
        QCOMPARE(waits.rowCount(), 1);
        QCOMPARE(waits.keyAt(0), to1(51));
        tell(m_story.at(2300).queue(53).tell()); // and it does not come back
        QCOMPARE(waits.rowCount(), 1);
        auto* const all = m_panel->findChild<QToolButton*>(QStringLiteral("graph.dismissAll"));
        QVERIFY(all != nullptr && all->isEnabled());
        QTest::mouseClick(all, Qt::LeftButton);
        QCOMPARE(waits.rowCount(), 0);
        QVERIFY(!all->isEnabled());
    }
};

QTEST_MAIN(TestHands)
#include "tst_hands.moc"
