// How connections came about and ended, put together from what both ends tell, or one; and what is said of it.

#include <QtTest>

#include "tests/graph/graph_steps.h"
#include "widgets/graph/graph_model.h"
#include "widgets/graph/graph_text.h"

using namespace sbx;
using namespace sbx::ui;
using Kind = GraphHandshakeStep::Kind;
using Outcome = GraphHandshake::Outcome;

namespace {

constexpr net::Time Ms = net::Millisecond;

// Client 1 asks, and has its answer 25 ms each way; the first request is lost.
Story& connects(Story& story) {
    story.to(1);
    story.at(0).handshake(Kind::Request, true);
    story.at(250).handshake(Kind::Request, true);
    story.at(275).handshake(Kind::Request, false).handshake(Kind::Challenge, false);
    story.at(300).handshake(Kind::Challenge, true).handshake(Kind::Response, true);
    story.at(325).handshake(Kind::Response, false).handshake(Kind::Connected, false);
    return story;
}

} // namespace

class TestHandshakes : public QObject {
    Q_OBJECT

private slots:
    void bothEndsAreOneHandshake() {
        Story story;
        GraphModel model;
        model.apply(connects(story).tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(1));
        const GraphHandshake& one = model.handshakes().all().front();
        QVERIFY(one.outcome == Outcome::Connected);
        QCOMPARE(int(one.lane), 1);
        QCOMPARE(one.began, net::Time(0));
        QCOMPARE(one.ended, 325 * Ms);
        QCOMPARE(one.steps.size(), std::size_t(8));
        // As of any time.
        QVERIFY(one.outcomeAt(324 * Ms) == Outcome::Asking);
        QCOMPARE(handshakeText(one, 100 * Ms), QStringLiteral("asking for 100 ms, 1 datagram sent"));
        QCOMPARE(handshakeText(one, 310 * Ms), QStringLiteral("asking for 310 ms, 3 datagrams sent"));
        QCOMPARE(handshakeText(one, 325 * Ms), QStringLiteral("connected in 325 ms"));
    }

    void aDenialEndsItWhenTheClientHearsOfIt() {
        Story story;
        GraphModel model;
        story.to(2)
            .at(0)
            .handshake(Kind::Request, true)
            .at(10)
            .handshake(Kind::Request, false)
            .handshake(Kind::Challenge, false);
        story.at(20).handshake(Kind::Challenge, true).handshake(Kind::Response, true);
        story.at(30)
            .handshake(Kind::Response, false)
            .handshake(Kind::Denial, false, net::CloseReason::DeniedFull);
        model.apply(story.tell());
        QVERIFY(model.handshakes().all().front().outcome == Outcome::Asking);
        // The connection that never was ends too, for no reason of its own.
        story.at(40)
            .handshake(Kind::Denial, true, net::CloseReason::DeniedFull)
            .handshake(Kind::Closed, true);
        model.apply(story.tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(1));
        const GraphHandshake& one = model.handshakes().all().front();
        QVERIFY(one.outcome == Outcome::Denied);
        QCOMPARE(one.ended, 40 * Ms);
        QCOMPARE(handshakeText(one, 40 * Ms), QStringLiteral("denied: the server is full"));
        // It asks again: another one.
        model.apply(
            story.at(500).handshake(Kind::Request, true).at(510).handshake(Kind::Request, false).tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(2));
        QCOMPARE(model.handshakes().all().back().steps.size(), std::size_t(2));
    }

    void nobodyAnswers() {
        Story story;
        GraphModel model;
        story.to(1);
        for (int ms = 0; ms < 5000; ms += 250)
            story.at(ms).handshake(Kind::Request, true);
        story.at(5000).handshake(Kind::Closed, true, net::CloseReason::HandshakeTimeout);
        model.apply(story.tell());
        const GraphHandshake& one = model.handshakes().all().front();
        QVERIFY(one.outcome == Outcome::Unanswered);
        QCOMPARE(handshakeText(one, model.now()), QStringLiteral("no answer in 5.00 s"));
        QCOMPARE(one.asked(model.now()), 20);
    }

    // The server has the response, hears nothing more and gives the place to another: the client is still at it.
    void aServerThatForgetsIsNotTheEnd() {
        Story story;
        GraphModel model;
        story.to(1).at(0).handshake(Kind::Request, true).at(25).handshake(Kind::Request, false);
        story.handshake(Kind::Challenge, false)
            .at(50)
            .handshake(Kind::Challenge, true)
            .handshake(Kind::Response, true);
        story.at(75).handshake(Kind::Response, false);
        story.at(2075).handshake(Kind::Closed, false, net::CloseReason::HandshakeTimeout);
        model.apply(story.tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(1));
        QVERIFY(model.handshakes().all().front().outcome == Outcome::Asking);
        model.apply(story.at(3000).handshake(Kind::Connected, false).tell());
        QVERIFY(model.handshakes().all().front().outcome == Outcome::Connected);
        // Of a stranger no more is ever heard than that.
        Story other(1, 2);
        other.at(0).stranger(Kind::Request, "9.9.9.9:9").stranger(Kind::Challenge, "9.9.9.9:9");
        other.at(50).stranger(Kind::Response, "9.9.9.9:9");
        other.at(2050).stranger(Kind::Closed, "9.9.9.9:9", net::CloseReason::HandshakeTimeout);
        model.apply(other.tell());
        QVERIFY(model.handshakes().all().front().outcome == Outcome::Unanswered);
    }

    void theEndIsToldOnceByBoth() {
        Story story;
        GraphModel model;
        connects(story);
        story.at(9000).handshake(Kind::Closed, false, net::CloseReason::Timeout);
        story.at(9400).handshake(Kind::Closed, true, net::CloseReason::Timeout);
        model.apply(story.tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(2));
        const GraphHandshake& end = model.handshakes().all().back();
        QVERIFY(end.outcome == Outcome::Closed);
        QCOMPARE(end.ended, 9000 * Ms);
        QCOMPARE(end.steps.size(), std::size_t(2));
        QCOMPARE(handshakeText(end, model.now()), QStringLiteral("closed: nothing was heard for too long"));
    }

    void strangersAreKnownByTheirAddress() {
        Story story;
        GraphModel model;
        story.at(0).stranger(Kind::Request, "9.9.9.9:9").stranger(Kind::Challenge, "9.9.9.9:9");
        story.at(1).stranger(Kind::Request, "8.8.8.8:8").stranger(Kind::Challenge, "8.8.8.8:8");
        story.at(50)
            .stranger(Kind::Response, "9.9.9.9:9")
            .stranger(Kind::Denial, "9.9.9.9:9", net::CloseReason::DeniedVersion);
        model.apply(story.tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(2));
        const GraphHandshake& denied = model.handshakes().all()[0];
        QCOMPARE(int(denied.lane), 0);
        QCOMPARE(denied.address, std::string("9.9.9.9:9"));
        QVERIFY(denied.outcome == Outcome::Denied);
        QCOMPARE(denied.ended, 50 * Ms);
        QCOMPARE(denied.asked(model.now()), 2);
        QVERIFY(model.handshakes().all()[1].outcome == Outcome::Asking);
        // Anybody may knock, as often as he likes.
        for (int i = 0; i < 3000; ++i)
            story.stranger(Kind::Request, ("7.7.7.7:" + std::to_string(i)).c_str());
        for (int i = 0; i < 3000; ++i)
            story.stranger(Kind::Request, "6.6.6.6:6");
        model.apply(story.tell());
        QCOMPARE(model.handshakes().all().size(), GraphHandshakes::Most);
        QCOMPARE(model.handshakes().all().back().steps.size(), GraphHandshakes::MaxSteps);
    }

    void whatWasNotSeenToBeginIsNoHandshake() {
        Story story;
        GraphModel model;
        story.to(1).at(10).handshake(Kind::Connected, false).handshake(Kind::Closed, true);
        model.apply(story.tell());
        QVERIFY(model.handshakes().all().empty());
        // But an end is one.
        model.apply(story.at(20).handshake(Kind::Closed, true, net::CloseReason::Closed).tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(1));
        QVERIFY(model.handshakes().all().front().outcome == Outcome::Closed);
    }

    void halfAMinuteIsKept() {
        Story story;
        GraphModel model;
        model.apply(connects(story).tell());
        model.apply(story.at(30'325).queue(1).tell());
        QCOMPARE(model.handshakes().all().size(), std::size_t(1));
        model.apply(story.at(30'326).queue(2).tell());
        QVERIFY(model.handshakes().all().empty());
        Story other(2, 2);
        model.apply(connects(other).tell());
        model.apply(Story(2, 3).tell());
        QVERIFY(model.handshakes().all().empty()); // another run begins anew
    }
};

QTEST_GUILESS_MAIN(TestHandshakes)
#include "tst_handshakes.moc"
