// Keys as the simulation knows them, and a cursor that is taken back before it reaches the edge.

#include <QTest>

#include "widgets/viewport/play_keys.h"
#include "widgets/viewport/relative_pointer.h"

#include <glm/geometric.hpp>

using namespace sbx;
using namespace sbx::ui;

class TestControls : public QObject {
    Q_OBJECT

private slots:
    void namesOfKeys_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("name");
        QTest::newRow("a") << int(Qt::Key_A) << "a";
        QTest::newRow("z") << int(Qt::Key_Z) << "z";
        QTest::newRow("0") << int(Qt::Key_0) << "0";
        QTest::newRow("9") << int(Qt::Key_9) << "9";
        QTest::newRow("left") << int(Qt::Key_Left) << "left";
        QTest::newRow("right") << int(Qt::Key_Right) << "right";
        QTest::newRow("up") << int(Qt::Key_Up) << "up";
        QTest::newRow("down") << int(Qt::Key_Down) << "down";
        QTest::newRow("space") << int(Qt::Key_Space) << "space";
        QTest::newRow("return") << int(Qt::Key_Return) << "enter";
        QTest::newRow("enter") << int(Qt::Key_Enter) << "enter";
        QTest::newRow("shift") << int(Qt::Key_Shift) << "shift";
        QTest::newRow("function") << int(Qt::Key_F5) << "";
        QTest::newRow("delete") << int(Qt::Key_Delete) << "";
        QTest::newRow("escape") << int(Qt::Key_Escape) << "";
    }
    void namesOfKeys() {
        QFETCH(int, key);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(playKeyName(key)), name);
    }
    void heldKeysMakeAMove() {
        PlayKeys keys;
        QVERIFY(keys.set("w", true));
        QVERIFY(!keys.set("w", true));
        QVERIFY(!keys.set("", true));
        QCOMPARE(keys.move(), Vec2(0, 1));
        keys.set("d", true);
        QVERIFY(std::abs(glm::length(keys.move()) - 1.0F) < 1e-6F);
        keys.set("s", true);
        QCOMPARE(keys.move(), Vec2(1, 0)); // forward and back cancel
        QCOMPARE(keys.releaseAll(), (std::vector<std::string>{"d", "s", "w"}));
        QVERIFY(keys.empty());
        QCOMPARE(keys.move(), Vec2(0, 0));
    }
    void pointerGoesOnForever() {
        RelativePointer pointer;
        pointer.start({500, 500}, {500, 500}, 100);
        QPoint cursor(500, 500);
        QPoint sum;
        for (int i = 0; i < 1000; ++i) {
            cursor += QPoint(7, -3);
            const auto step = pointer.moveTo(cursor);
            sum += step.moved;
            if (step.warpTo)
                cursor = *step.warpTo;
        }
        QCOMPARE(sum, QPoint(7000, -3000));
    }
    void eventsFromBeforeTheWarpCount() {
        RelativePointer pointer;
        pointer.start({500, 500}, {500, 500}, 100);
        auto step = pointer.moveTo({610, 500});
        QVERIFY(step.warpTo);
        QPoint sum = step.moved;
        sum += pointer.moveTo({620, 500}).moved; // was on its way already
        sum += pointer.moveTo({503, 500}).moved; // after the warp
        QCOMPARE(sum, QPoint(123, 0));
    }
    void withoutWarpingNothingJumps() {
        RelativePointer pointer;
        pointer.start({500, 500}, {500, 500}, 100);
        QPoint sum;
        for (int x = 510; x <= 900; x += 10)
            sum += pointer.moveTo({x, 500}).moved;
        QCOMPARE(sum, QPoint(400, 0));
    }
};

QTEST_GUILESS_MAIN(TestControls)
#include "tst_controls.moc"
