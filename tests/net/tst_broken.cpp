#include <QtTest>

#include "engine/net/rules.h"
#include "tests/net/scripts.h"
#include "tests/net/search.h"

#include <iostream>
#include <sstream>

#ifndef SBX_NET_RULES_CAN_BE_TAKEN_OUT
#error "this test needs the library whose rules can be taken out"
#endif

// Random scripts find what a channel does wrong without one of its rules, and shrink it to the
// few messages that show it; and a search of all states of a small one does. tst_rules has a scenario for each rule; here nobody has
// told what to look for.

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

Found tryScripts() {
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
        // A, B that needs A, and C that needs B; for P4 the first two are enough.
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
        const Found found = tryScripts();
        QVERIFY(found.fault);
        std::ostringstream text;
        text << found.least;
        qInfo("after %d tries: %s: %s", found.tries, found.said.c_str(), text.str().c_str());
        QVERIFY2(found.least.steps.size() <= static_cast<std::size_t>(messages), text.str().c_str());
    }
    // And what the search of every state finds, nearest fault first. It sees what the graphs and the replay window do. Rules H5, H7 and H17
    // (engine/net/PROTOCOL.md) are in Channel, or take a peer that lies: tst_rules has those.
    void theSearchFindsIt_data() {
        QTest::addColumn<int>("rule");
        QTest::addColumn<bool>("secondOpinion");
        QTest::addColumn<QByteArray>("fault");
        const auto row = [](const char* name, Rule rule, bool secondOpinion, const char* fault) {
            QTest::newRow(name) << static_cast<int>(rule) << secondOpinion << QByteArray(fault);
        };
        // By the safety of messages alone: P1, P3, P4, P5, P8.
        row("H1", Rule::AcknowledgedBeforeExecuted, false, "P3: floors out of order");
        row("H4 the window, S1", Rule::WindowBoundsAssignment, false, "P3: floors out of order");
        row("H4 the floor of packets under way, S2", Rule::FloorBoundsAssignment, false,
            "P5: 1 is taken for 9");
        row("H4 stale packets", Rule::StalePacketsAreDiscarded, false, "P5: ");
        row("H6", Rule::BelowTheFloorIsSatisfied, false, "P3: floors out of order");
        row("H12", Rule::HeadsAreRebuilt, false, "P5: 2 is taken to need 9");
        // What only costs: a late packet taken for a lost one, edges that nobody needs.
        row("H2", Rule::LatePacketsCount, true, "packet 1 is judged otherwise");
        row("H11", Rule::DuplicatesAddNoEdges, true, "P7: the receiver's graph keeps something else");
        row("H12 at once", Rule::HeadsAreRebuilt, true, "P6: ");
        row("H1 at once", Rule::AcknowledgedBeforeExecuted, true, "P2: ");
    }
    void theSearchFindsIt() {
        QFETCH(int, rule);
        QFETCH(bool, secondOpinion);
        QFETCH(QByteArray, fault);
        RulesTakenOut[static_cast<std::size_t>(rule)] = true;
        Search search({.others = true, .secondOpinion = secondOpinion, .breadthFirst = true});
        search.run();
        QVERIFY(search.fault.has_value());
        qInfo("after %zu states: %s", search.states, search.fault->c_str());
        QVERIFY2(QByteArray::fromStdString(*search.fault).startsWith(fault), search.fault->c_str());
    }
    void nothingIsFoundWhereNothingIsWrong() {
        const Found found = tryScripts();
        QVERIFY2(!found.fault, found.said.c_str());
        QCOMPARE(found.tries, 100);
    }
};

QTEST_GUILESS_MAIN(TestBroken)
#include "tst_broken.moc"
