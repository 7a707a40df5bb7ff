#include <QtTest>

#include "engine/net/rules.h"
#include "tests/net/scripts.h"

#include <iostream>
#include <sstream>

#ifndef SBX_NET_RULES_CAN_BE_TAKEN_OUT
#error "this test needs the library whose rules can be taken out"
#endif

// Section 5 of the network's design: scripts at random find what a channel does wrong without one of its rules, and shrink it to the
// few messages that show it. tst_rules has a scenario for each rule; here nobody has told what to look for.

using namespace sbx;
using namespace sbx::net;

namespace {

// What rapidcheck found, and what it made of it in the end.
struct Found {
    bool fault = false;
    int tries = 0;
    Script least;
    std::string said;
};

Found search() {
    Found found;
    std::ostringstream report; // of what is meant to fail
    std::streambuf* const usual = std::cerr.rdbuf(report.rdbuf());
    found.fault = !rc::check("the properties of tst_properties", [&] {
        const Script script = *shapedScripts();
        found.tries += found.said.empty() ? 1 : 0;
        try {
            Run(script).all();
        } catch (const rc::detail::CaseResult& result) {
            // Shrinking goes on from the last that failed.
            found.least = script;
            found.said = result.description;
            throw;
        }
    });
    std::cerr.rdbuf(usual);
    return found;
}

} // namespace

class TestBroken : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=7 max_success=100"); }
    void cleanup() { RulesTakenOut.fill(false); }

    void whatIsTakenOutIsFound_data() {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("messages"); // of the least script, at most
        const auto row = [](const char* name, Rule rule, int messages) {
            QTest::newRow(name) << static_cast<int>(rule) << messages;
        };
        // G-8: A, B that needs A, and C that needs B; for P4 the first two are enough.
        row("H1 acknowledged before executed", Rule::AcknowledgedBeforeExecuted, 3);
        row("H4 the window", Rule::WindowBoundsAssignment, 120);
        row("H6 below the floor", Rule::BelowTheFloorIsSatisfied, 10);
        row("H12 heads anew", Rule::HeadsAreRebuilt, 10);
        row("H13 old handles", Rule::OldHandlesAreExecuted, 10);
        row("H14 epochs", Rule::HandlesKnowTheirEpoch, 10);
    }
    void whatIsTakenOutIsFound() {
        QFETCH(int, rule);
        QFETCH(int, messages);
        RulesTakenOut[static_cast<std::size_t>(rule)] = true;
        const Found found = search();
        QVERIFY(found.fault);
        std::ostringstream text;
        text << found.least;
        qInfo("after %d tries: %s: %s", found.tries, found.said.c_str(), text.str().c_str());
        QVERIFY2(found.least.steps.size() <= static_cast<std::size_t>(messages), text.str().c_str());
    }
    void nothingIsFoundWhereNothingIsWrong() {
        const Found found = search();
        QVERIFY2(!found.fault, found.said.c_str());
        QCOMPARE(found.tries, 100);
    }
};

QTEST_GUILESS_MAIN(TestBroken)
#include "tst_broken.moc"
