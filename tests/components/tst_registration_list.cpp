// Parts that a service knows while they live: the order in which they came, and what coming and going costs.

#include <QtTest>

#include "engine/components/registration_list.h"

#include <algorithm>
#include <random>

using namespace sbx;

namespace {

struct Part {
    int number = 0;
    std::size_t registered = 0;
};

// All leave, one by one, in an order of chance or as they came.
std::size_t movedWhile(std::size_t count, bool shuffled) {
    std::vector<Part> parts(count);
    RegistrationList<Part> list;
    std::vector<Part*> order;
    for (Part& part : parts) {
        list.add(part);
        order.push_back(&part);
    }
    if (shuffled)
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
    for (Part* part : order)
        list.remove(*part);
    return list.empty() ? list.moved() : ~std::size_t(0);
}

} // namespace

class TestRegistrationList : public QObject {
    Q_OBJECT

private slots:
    void keepsTheOrderInWhichTheyCame() {
        std::mt19937 random(1);
        std::deque<Part> parts;
        std::vector<Part*> expected;
        RegistrationList<Part> list;
        for (int step = 0; step < 5'000; ++step) {
            if (expected.empty() || random() % 5 < 3) {
                Part& part = parts.emplace_back();
                part.number = step;
                list.add(part);
                expected.push_back(&part);
            } else {
                const auto at = expected.begin() + static_cast<std::ptrdiff_t>(random() % expected.size());
                list.remove(**at);
                expected.erase(at);
            }
            QCOMPARE(list.size(), expected.size());
            if (step % 7 == 0)
                QVERIFY(list.parts() == expected);
        }
    }

    void leavingCostsTheSameAmongMany_data() {
        QTest::addColumn<bool>("shuffled");
        QTest::newRow("as they came") << false;
        QTest::newRow("as it falls") << true;
    }
    void leavingCostsTheSameAmongMany() {
        QFETCH(bool, shuffled);
        // Each that leaves pays for at most one that moves up, however many there are.
        QVERIFY(movedWhile(1'000, shuffled) <= 1'000);
        QVERIFY(movedWhile(10'000, shuffled) <= 10'000);
    }
};

QTEST_GUILESS_MAIN(TestRegistrationList)
#include "tst_registration_list.moc"
