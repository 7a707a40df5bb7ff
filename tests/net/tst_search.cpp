#include <QtTest>

#include "tests/net/search.h"

using namespace sbx::net;

// Model checking: every state of a small system, with three bits of message number.

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void nothingGoesWrongInAnyState_data() {
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("messages"); // 0: any number
        QTest::addColumn<int>("flying");
        QTest::addColumn<int>("states");
        QTest::newRow("window of two, any messages, three under way") << 2 << 0 << 3 << 733'868;
        QTest::newRow("window of three, any messages, two under way") << 3 << 0 << 2 << 825'998;
        if (qEnvironmentVariableIsSet("SBX_SOAK")) {
            // Nothing new, but from the first message to the last.
            QTest::newRow("window of two, four messages, three under way") << 2 << 4 << 3 << 1'414'224;
            // Two minutes of a processor, two gigabytes.
            QTest::newRow("window of three, any messages, three under way") << 3 << 0 << 3 << 20'122'387;
        }
    }
    void nothingGoesWrongInAnyState() {
        QFETCH(int, window);
        QFETCH(int, messages);
        QFETCH(int, flying);
        QFETCH(int, states);
        SearchOptions options;
        options.window = static_cast<std::uint32_t>(window);
        options.messages = messages == 0 ? SearchOptions::Any : static_cast<std::uint64_t>(messages);
        options.mostFlying = static_cast<std::size_t>(flying);
        options.mostAcks = window; // as many as can matter
        options.others = true;
        Search search(options);
        search.run();
        QVERIFY2(!search.fault, search.fault.value_or("").c_str());
        qInfo("%zu states; %zu times the last acknowledgement that was due; %zu waited at a time", search.states,
              search.drained, search.mostOpen);
        QVERIFY(search.complete);
        QVERIFY(search.drained > 0);
        // Fewer, and something is no longer tried; the README has them.
        QCOMPARE(search.states, static_cast<std::size_t>(states));
    }
    // Two bits and a window of one: numbers come round every four messages.
    void numbersThatWrapAtOnce() {
        Search search({.bits = 2, .window = 1, .mostNeeds = 1, .others = true});
        search.run();
        QVERIFY2(!search.fault, search.fault.value_or("").c_str());
        QVERIFY(search.complete);
        QVERIFY(search.states > 10'000);
    }
    // A search that takes no two states for one meets none that the other leaves out.
    void mergingLeavesNothingOut_data() {
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("flying");
        QTest::addColumn<int>("sent");
        QTest::addColumn<bool>("others");
        QTest::newRow("two under way") << 2 << 2 << 4 << true;
        QTest::newRow("three under way") << 2 << 3 << 5 << false;
        QTest::newRow("window of three") << 3 << 2 << 5 << false;
    }
    void mergingLeavesNothingOut() {
        QFETCH(int, window);
        QFETCH(int, flying);
        QFETCH(int, sent);
        QFETCH(bool, others);
        SearchOptions options;
        options.window = static_cast<std::uint32_t>(window);
        options.mostFlying = static_cast<std::size_t>(flying);
        options.others = others;
        options.messages = 3;
        options.mostSent = static_cast<std::uint64_t>(sent);
        options.merges = false;
        Search each(options);
        each.run();
        options.messages = SearchOptions::Any;
        options.mostSent = SearchOptions::Any;
        options.merges = true;
        Search merging(options);
        merging.run();
        QVERIFY2(!each.fault && !merging.fault, each.fault.value_or(merging.fault.value_or("")).c_str());
        QVERIFY(each.complete && merging.complete);
        qInfo("%zu states by themselves, %zu merged", each.states, merging.states);
        QVERIFY(each.states > 50'000);
        QVERIFY(merging.covers(each));
    }
};

QTEST_GUILESS_MAIN(TestSearch)
#include "tst_search.moc"
