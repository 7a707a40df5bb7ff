// The tape measure: its ends, and what it says.

#include <QtTest>

#include "widgets/viewport/measure_tape.h"

using namespace sbx;
using ui::MeasureTape;

class TestMeasureTape : public QObject {
    Q_OBJECT

private slots:
    void twoClicksMeasureAThirdBeginsAnew() {
        MeasureTape tape;
        tape.click({1.0F, 0.0F, 0.0F}); // not in hand
        QVERIFY(!tape.span());
        tape.setOn(true);
        tape.hover({5.0F, 0.0F, 0.0F});
        QVERIFY(!tape.span());
        tape.click({1.0F, 0.0F, 0.0F});
        QCOMPARE(tape.span()->to, Vec3(1.0F, 0.0F, 0.0F));
        tape.hover({1.0F, 4.0F, 0.0F});
        QCOMPARE(tape.span()->to, Vec3(1.0F, 4.0F, 0.0F));
        QVERIFY(!tape.isComplete());
        tape.click({1.0F, 3.0F, 4.0F});
        QVERIFY(tape.isComplete());
        tape.hover({9.0F, 9.0F, 9.0F});
        QCOMPARE(tape.span()->to, Vec3(1.0F, 3.0F, 4.0F));
        tape.click({2.0F, 0.0F, 0.0F});
        QCOMPARE(tape.span()->from, Vec3(2.0F, 0.0F, 0.0F));
        QVERIFY(!tape.isComplete());
        tape.setOn(false);
        QVERIFY(!tape.span());
    }

    // 343.2 m/s at 20 °C: 331.3 times the root of 293.15 over 273.15.
    void theTextSaysMetresAndTheTimeOfSound() {
        QCOMPARE(MeasureTape::text({Vec3(1.0F, 0.0F, 0.0F), Vec3(1.0F, 3.0F, 4.0F)}), QStringLiteral("5.000 m · sound 14.6 ms"));
        QCOMPARE(MeasureTape::text({Vec3(0.0F), Vec3(34.32F, 0.0F, 0.0F)}), QStringLiteral("34.32 m · sound 100.0 ms"));
        QCOMPARE(MeasureTape::text({Vec3(2.0F), Vec3(2.0F)}), QStringLiteral("0.000 m · sound 0.00 ms"));
    }
};

QTEST_GUILESS_MAIN(TestMeasureTape)
#include "tst_measure_tape.moc"
