#include <QtTest>

#include "widgets/common/natural_order.h"

#include <algorithm>

using namespace sbx::ui;

class TestNaturalOrder : public QObject {
    Q_OBJECT
private slots:
    void numbersByTheirValue() {
        QStringList names{QStringLiteral("ball_10"), QStringLiteral("ball_2"),  QStringLiteral("Ball_1"),
                          QStringLiteral("ball"),    QStringLiteral("ball_02"), QStringLiteral("12"),
                          QStringLiteral("ball_2b"), QStringLiteral("bat"),     QStringLiteral("ball_99999999999999999999"),
                          QStringLiteral("ball_100000000000000000000")};
        std::sort(names.begin(), names.end(), [](const QString& a, const QString& b) { return compareNaturally(a, b) < 0; });
        QCOMPARE(names, (QStringList{QStringLiteral("12"), QStringLiteral("ball"), QStringLiteral("Ball_1"), QStringLiteral("ball_2"),
                                     QStringLiteral("ball_02"), QStringLiteral("ball_2b"), QStringLiteral("ball_10"),
                                     QStringLiteral("ball_99999999999999999999"), QStringLiteral("ball_100000000000000000000"),
                                     QStringLiteral("bat")}));
    }
    // A strict order of different texts: either comes before the other, and the other after it.
    void differentTextsAreNeverEqual() {
        const QStringList texts{QString(),           QStringLiteral("0"),  QStringLiteral("00"), QStringLiteral("a"), QStringLiteral("A"),
                                QStringLiteral("a0"), QStringLiteral("a1"), QStringLiteral("A1")};
        for (const QString& a : texts)
            for (const QString& b : texts) {
                QCOMPARE(compareNaturally(a, b) == 0, a == b);
                QCOMPARE(compareNaturally(a, b) < 0, compareNaturally(b, a) > 0);
            }
    }
};

QTEST_GUILESS_MAIN(TestNaturalOrder)
#include "tst_natural_order.moc"
