// What comes and goes among many costs what it costs among few: steps are counted, never timed.

#include <QtTest>

#include "tests/entity/stage.h"

#include <random>

using namespace sbx;
using namespace sbx::test;

namespace {

struct Cost {
    std::uint64_t names = 0;
    std::uint64_t children = 0;
};

// At the largest ten times as many may take ten times as many steps and a third more, which is n log n from 1,000 to 10,000.
bool linear(std::uint64_t few, std::uint64_t many) {
    if (many <= 10 * few + 10 * few / 3 + 10)
        return true;
    qWarning("ten times as many took %llu steps instead of %llu", static_cast<unsigned long long>(many),
             static_cast<unsigned long long>(few));
    return false;
}

// `count` of one name; then each round the eldest goes and two come, as spawners do whose shots overlap.
Cost spawnInTurn(int count) {
    Stage s;
    const auto t = s.type("T", {"Quiet"});
    std::deque<EntityId> living;
    for (int i = 0; i < count; ++i)
        living.push_back(s.spawn(t, "shot"));
    for (int i = 0; i < count; ++i) {
        s.world.destroy(living.front());
        living.pop_front();
        living.push_back(s.spawn(t, "shot"));
        living.push_back(s.spawn(t, "shot"));
    }
    return {s.world.measurements().namesTried, 0};
}

// All below one parent; they go one by one: the eldest first, the youngest first, or as it falls.
Cost leaveParent(int count, int order) {
    Stage s;
    const auto t = s.type("T", {"Quiet"});
    const EntityId parent = s.spawn(t, "parent");
    std::vector<EntityId> children;
    for (int i = 0; i < count; ++i)
        children.push_back(s.spawn(t, "child", parent));
    if (order == 1)
        std::reverse(children.begin(), children.end());
    if (order == 2)
        std::shuffle(children.begin(), children.end(), std::mt19937(7));
    for (const EntityId child : children)
        s.world.destroy(child);
    return {0, s.world.measurements().childrenMoved};
}

} // namespace

class TestMany : public QObject {
    Q_OBJECT

private slots:
    void aFreeNameIsFoundWithoutAWalkOverThoseTaken() {
        const Cost few = spawnInTurn(1'000);
        const Cost many = spawnInTurn(10'000);
        QVERIFY(few.names >= 2'000);
        QVERIFY(linear(few.names, many.names));
        QVERIFY2(many.names <= 50'000, qPrintable(QString::number(many.names)));
    }

    void theLowestFreeNumberIsTaken() {
        Stage s;
        const auto t = s.type("T", {"Quiet"});
        const auto nameOf = [&](EntityId id) { return s.world.nameOf(id); };
        std::vector<EntityId> shots;
        for (int i = 0; i < 6; ++i)
            shots.push_back(s.spawn(t, "shot"));
        QCOMPARE(nameOf(shots[5]), std::string("shot_6"));
        s.world.destroy(shots[4]);
        s.world.destroy(shots[2]);
        QCOMPARE(nameOf(s.spawn(t, "shot")), std::string("shot_3"));
        QCOMPARE(nameOf(s.spawn(t, "shot_4")), std::string("shot_5")); // asks for the next one of them
        // A number that somebody asked for by its name is not given twice.
        s.world.destroy(shots[1]);
        QCOMPARE(nameOf(s.spawn(t, "shot_2")), std::string("shot_2"));
        QCOMPARE(nameOf(s.spawn(t, "shot_9")), std::string("shot_9"));
        QCOMPARE(nameOf(s.spawn(t, "shot")), std::string("shot_7"));
        QCOMPARE(nameOf(s.spawn(t, "shot")), std::string("shot_8"));
        QCOMPARE(nameOf(s.spawn(t, "shot")), std::string("shot_10"));
    }

    void namesAreThoseThatASearchFromTheFrontFinds() {
        std::mt19937 random(11);
        Stage s;
        const auto t = s.type("T", {"Quiet"});
        std::vector<EntityId> living;
        for (int step = 0; step < 3'000; ++step) {
            if (random() % 3 != 0 || living.empty()) {
                const std::string wish = random() % 4 == 0 ? "x_" + std::to_string(random() % 40) : "x";
                std::string expected = wish;
                for (int number = 2; s.world.find(expected); ++number)
                    expected = "x_" + std::to_string(number);
                living.push_back(s.spawn(t, wish));
                QCOMPARE(s.world.nameOf(living.back()), expected);
            } else {
                const std::size_t at = random() % living.size();
                s.world.destroy(living[at]);
                living.erase(living.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
    }

    void childrenLeaveOneByOne_data() {
        QTest::addColumn<int>("order");
        QTest::newRow("the eldest first") << 0;
        QTest::newRow("the youngest first") << 1;
        QTest::newRow("as it falls") << 2;
    }
    void childrenLeaveOneByOne() {
        QFETCH(int, order);
        const Cost few = leaveParent(1'000, order);
        const Cost many = leaveParent(10'000, order);
        QVERIFY(linear(few.children, many.children));
        QVERIFY2(many.children <= 20'000, qPrintable(QString::number(many.children)));
    }

    void childrenStandInTheOrderInWhichTheyCame() {
        std::mt19937 random(5);
        Stage s;
        const auto t = s.type("T", {"Quiet"});
        const EntityId parents[] = {s.spawn(t, "left"), s.spawn(t, "right")};
        std::vector<EntityId> expected[2];
        for (int step = 0; step < 4'000; ++step) {
            const std::size_t side = random() % 2;
            std::vector<EntityId>& own = expected[side];
            const std::size_t at = own.empty() ? 0 : random() % own.size();
            switch (own.empty() ? 0 : random() % 4) {
            case 0:
            case 1:
                own.push_back(s.spawn(t, "c", parents[side]));
                break;
            case 2:
                s.world.destroy(own[at]);
                own.erase(own.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            default:
                QVERIFY(s.world.setParent(own[at], parents[1 - side]));
                expected[1 - side].push_back(own[at]);
                own.erase(own.begin() + static_cast<std::ptrdiff_t>(at));
            }
            if (step % 16 == 0) // gaps add up meanwhile
                for (std::size_t each = 0; each < 2; ++each) {
                    const std::span<const EntityId> now = s.world.find(parents[each]).children();
                    QVERIFY(std::equal(now.begin(), now.end(), expected[each].begin(), expected[each].end()));
                }
        }
        s.world.destroy(parents[0]);
        for (const EntityId child : expected[0])
            QVERIFY(!s.world.alive(child));
        for (const EntityId child : expected[1])
            QVERIFY(s.world.alive(child));
    }
};

QTEST_GUILESS_MAIN(TestMany)
#include "tst_many.moc"
