// Time across the graph: what is drawn keeps its distances while it scrolls, zooming holds the moment under the mouse.

#include <QtTest>

#include "widgets/graph/graph_axis.h"

using namespace sbx;
using namespace sbx::ui;

class TestAxis : public QObject {
    Q_OBJECT

private slots:
    void showsHalfAMinuteUpToNow() {
        GraphAxis axis;
        axis.setWidth(900);
        axis.fit(GraphAxis::Usual);
        axis.follow(100 * net::Second);
        QCOMPARE(axis.x(100 * net::Second), 899.0);
        QVERIFY(std::abs(axis.x(70 * net::Second)) <= 1.0);
        QVERIFY(std::abs(axis.from() - 70 * net::Second) < 100 * net::Millisecond);
    }

    void distancesStayWhileItScrolls() {
        GraphAxis axis;
        axis.setWidth(731);
        axis.fit(GraphAxis::Usual);
        const net::Time a = 40'123'456'789;
        const net::Time b = 41'777'777'777;
        axis.follow(50 * net::Second);
        const double distance = axis.x(b) - axis.x(a);
        for (int i = 0; i < 500; ++i) {
            axis.follow(50 * net::Second + i * 16'666'667LL);
            QCOMPARE(axis.x(b) - axis.x(a), distance);
            QCOMPARE(axis.x(a), std::floor(axis.x(a)));
        }
    }

    void zoomHoldsTheMomentUnderTheMouse() {
        GraphAxis axis;
        axis.setWidth(1000);
        axis.show(10 * net::Second, 20 * net::Second);
        for (int i = 0; i < 40; ++i) {
            const net::Time held = axis.at(300);
            axis.zoom(i < 20 ? 1.25 : 0.8, 300);
            QVERIFY(std::abs(axis.x(held) - 300) <= 2);
        }
        for (int i = 0; i < 200; ++i)
            axis.zoom(2.0, 300);
        QCOMPARE(axis.perPixel(), GraphAxis::Nearest);
        for (int i = 0; i < 200; ++i)
            axis.zoom(0.5, 300);
        QCOMPARE(axis.perPixel() * axis.width(), static_cast<double>(GraphAxis::Widest));
    }

    void followingZoomKeepsTheNewest() {
        GraphAxis axis;
        axis.setWidth(1000);
        axis.follow(60 * net::Second);
        axis.zoom(3.0, 200);
        QVERIFY(axis.following());
        QVERIFY(std::abs(axis.x(60 * net::Second) - 999) <= 1);
    }

    void panningStopsFollowingAndTheNewestResumesIt() {
        GraphAxis axis;
        axis.setWidth(1000);
        const net::Time now = 60 * net::Second;
        axis.follow(now);
        axis.pan(-100, now);
        QVERIFY(!axis.following());
        axis.follow(now + net::Second);
        QVERIFY(axis.to() < now);
        axis.pan(5000, now + net::Second);
        QVERIFY(axis.following());
        QCOMPARE(axis.to(), now + net::Second);
        axis.pan(-1e9, now);
        QCOMPARE(axis.to(), net::Time(0));
    }

    // A panel that nobody has looked at yet can be sent somewhere: it is there when it is looked at.
    void withoutAWidthItGoesWhereItIsSent() {
        GraphAxis axis;
        axis.setWidth(-176);
        axis.follow(3 * net::Second);
        axis.reveal(2 * net::Second + 900 * net::Millisecond);
        for (int i = 0; i < 18; ++i)
            axis.zoom(1.25, axis.x(3 * net::Second));
        axis.setWidth(0);
        axis.setWidth(724);
        QVERIFY(axis.x(3 * net::Second) > 0 && axis.x(3 * net::Second) < 724);
        QVERIFY(axis.x(2 * net::Second + 900 * net::Millisecond) > 0);
    }

    void revealMovesNoMoreThanItMust() {
        GraphAxis axis;
        axis.setWidth(1000);
        axis.show(10 * net::Second, 20 * net::Second);
        axis.reveal(15 * net::Second);
        QCOMPARE(axis.to(), 20 * net::Second);
        axis.reveal(5 * net::Second);
        QVERIFY(std::abs(axis.x(5 * net::Second) - 40) <= 2);
        axis.reveal(30 * net::Second);
        QVERIFY(std::abs(axis.x(30 * net::Second) - 960) <= 2);
    }
};

QTEST_GUILESS_MAIN(TestAxis)
#include "tst_axis.moc"
