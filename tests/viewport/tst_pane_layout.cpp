// Where the panes of the viewport lie.

#include <QTest>

#include "widgets/viewport/pane_layout.h"

#include <cmath>

using namespace sbx::ui;

class TestPaneLayout : public QObject {
    Q_OBJECT

private slots:
    void oneFillsThePicture() {
        PaneLayout layout;
        QCOMPARE(layout.area(0, {800, 600}), QRect(0, 0, 800, 600));
        QVERIFY(layout.area(1, {800, 600}).isEmpty());
        layout.setActive(2); // there is none
        QCOMPARE(layout.active(), 0);
        layout.setMaximised(true);
        QVERIFY(!layout.isMaximised());
    }
    void fourShareItWithAGap() {
        PaneLayout layout;
        layout.setFour(true);
        for (const QSize& size : {QSize(800, 600), QSize(801, 599), QSize(13, 9)}) {
            const QRect first = layout.area(0, size);
            const QRect last = layout.area(3, size);
            QCOMPARE(first.topLeft(), QPoint(0, 0));
            QCOMPARE(QPoint(last.x() + last.width(), last.y() + last.height()), QPoint(size.width(), size.height()));
            QCOMPARE(last.x() - (first.x() + first.width()), PaneLayout::Gap);
            QCOMPARE(last.y() - (first.y() + first.height()), PaneLayout::Gap);
            QCOMPARE(layout.area(1, size), QRect(last.x(), 0, last.width(), first.height()));
            QCOMPARE(layout.area(2, size), QRect(0, last.y(), first.width(), last.height()));
        }
        for (int pane = 0; pane < PaneLayout::Count; ++pane)
            QCOMPARE(layout.at(layout.area(pane, {800, 600}).center(), {800, 600}), pane);
        QCOMPARE(layout.at(layout.crossing({800, 600}) + QPoint(1, 1), {800, 600}), -1);
        QCOMPARE(layout.at({-5, 3}, {800, 600}), -1);
    }
    void theSplitStaysInBounds() {
        PaneLayout layout;
        layout.setFour(true);
        layout.setSplit({0.25, 0.75});
        QCOMPARE(layout.crossing({404, 204}), QPoint(100, 150));
        layout.setSplit({-3.0, 9.0});
        QCOMPARE(layout.split(), QPointF(PaneLayout::LeastShare, 1.0 - PaneLayout::LeastShare));
        layout.setSplit({std::nan(""), 0.5});
        QCOMPARE(layout.split(), QPointF(PaneLayout::LeastShare, 0.5));
    }
    void theActiveOneFillsItAndGoesBack() {
        PaneLayout layout;
        layout.setFour(true);
        layout.setActive(2);
        layout.setMaximised(true);
        QCOMPARE(layout.area(2, {800, 600}), QRect(0, 0, 800, 600));
        QVERIFY(layout.area(0, {800, 600}).isEmpty());
        QCOMPARE(layout.at({400, 300}, {800, 600}), 2);
        layout.setMaximised(false);
        QCOMPARE(layout.active(), 2);
        QVERIFY(layout.isShown(0));
        layout.setFour(false);
        QCOMPARE(layout.active(), 0);
    }
};

QTEST_GUILESS_MAIN(TestPaneLayout)
#include "tst_pane_layout.moc"
