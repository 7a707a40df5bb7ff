// Figures of connections from counters: over two seconds of network time, and begun anew with another session.

#include <QtTest>

#include "widgets/graph/link_figures.h"

using namespace sbx;
using namespace sbx::ui;

namespace {

NetworkView at(double seconds, std::size_t peers = 2) {
    NetworkView view;
    view.seconds = seconds;
    for (std::size_t i = 0; i < peers; ++i) {
        NetworkPeerView peer;
        peer.name = "client " + std::to_string(i + 1);
        peer.connected = true;
        peer.roundTripMs = 50.0;
        peer.packetsSent = static_cast<std::uint64_t>(seconds * 60.0);
        // Nothing is lost in the first ten seconds, then every fifth packet of the second client.
        peer.packetsLost = i == 1 && seconds > 10.0 ? static_cast<std::uint64_t>((seconds - 10.0) * 12.0) : 0;
        peer.bytesDown = static_cast<std::uint64_t>(seconds * 10'240.0);
        peer.bytesUp = static_cast<std::uint64_t>(seconds * 1'024.0);
        peer.messagesResent = static_cast<std::uint64_t>(seconds * 4.0);
        view.peers.push_back(peer);
    }
    return view;
}

} // namespace

class TestLinkFigures : public QObject {
    Q_OBJECT

private slots:
    void ratesAreOfTheLastTwoSeconds() {
        LinkMeter meter;
        QVERIFY(meter.empty() && meter.figures().empty());
        for (int tick = 0; tick <= 15 * 60; ++tick) {
            const NetworkView view = at(tick / 60.0);
            meter.add(&view);
        }
        const std::vector<LinkFigures> figures = meter.figures();
        QCOMPARE(figures.size(), std::size_t(2));
        QCOMPARE(figures[0].loss, 0.0);
        QVERIFY(std::abs(figures[1].loss - 0.2) < 0.02);
        QVERIFY(std::abs(figures[1].bytesDown - 10'240.0) < 100.0);
        QVERIFY(std::abs(figures[1].bytesUp - 1'024.0) < 20.0);
        QVERIFY(std::abs(figures[1].resends - 4.0) < 0.6);
        const std::vector<QStringList> notes = laneNotes(figures);
        QCOMPARE(notes.size(), std::size_t(3)); // the server's lane sums up
        QVERIFY(notes[0][0].contains(QStringLiteral("20.0 KiB/s")));
        QVERIFY(notes[2][0].contains(QStringLiteral("50.0")));
        QVERIFY(laneNotes({}).empty());
    }

    void anotherSessionBeginsAnew() {
        LinkMeter meter;
        for (const double seconds : {1.0, 2.0, 3.0}) {
            const NetworkView view = at(seconds);
            meter.add(&view);
        }
        const NetworkView other = at(0.5);
        meter.add(&other);
        QCOMPARE(meter.figures()[0].bytesDown, 0.0); // one sample tells no rate
        const NetworkView fewer = at(0.7, 1);
        meter.add(&fewer);
        QCOMPARE(meter.figures().size(), std::size_t(1));
        meter.add(nullptr);
        QVERIFY(meter.empty());
    }

    void aPausedSessionKeepsItsFigures() {
        LinkMeter meter;
        for (int tick = 0; tick <= 300; ++tick) {
            const NetworkView view = at(tick / 60.0);
            meter.add(&view);
        }
        const double before = meter.figures()[0].bytesDown;
        const NetworkView same = at(5.0);
        for (int i = 0; i < 100; ++i)
            meter.add(&same);
        QCOMPARE(meter.figures()[0].bytesDown, before);
    }
};

QTEST_GUILESS_MAIN(TestLinkFigures)
#include "tst_link_figures.moc"
