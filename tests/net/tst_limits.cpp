#include <QtTest>

#include "tests/net/numbered.h"

// What a channel holds is bounded by what it granted, whatever a peer with the right keys does: peers that acknowledge only what they
// like, numbers from far away, bodies of every size, an application that does not take what came.

using namespace sbx;
using namespace sbx::net;

namespace {

// A peer that acknowledges nothing but what carries no messages: every message seems lost, again and again.
class Denier {
public:
    explicit Denier(Channel& channel) : m_channel(channel) {}

    // A round: everything that may leave leaves, pings are answered alone, and only the answers are acknowledged.
    void round() {
        leave();
        for (int i = 0; i < 4; ++i) {
            AckInfo ack;
            ack.present = m_acknowledged != 0;
            ack.newest = static_cast<std::uint16_t>(m_acknowledged);
            Forged ping;
            ping.out = ByteWriter(ping.bytes);
            writeAck(ping.out, ack, 0);
            ping.sections.control({});
            accepted =
                ping.at(m_channel, ++m_number, m_now).outcome == Channel::Outcome::Accepted && accepted;
            m_now += Millisecond;
            leave();
        }
    }
    [[nodiscard]] Time now() const { return m_now; }
    bool accepted = true;
    std::uint64_t carried = 0; // packets with messages

private:
    void leave() {
        accepted = m_channel.update(m_now) == CloseReason::None && accepted;
        for (;;) {
            const Channel::Turn turn = m_channel.turn(m_now);
            if (turn == Channel::Turn::Nothing) {
                return;
            }
            std::array<std::uint8_t, MaxDatagram> room{};
            const Channel::Built built = m_channel.build(m_now, turn, room, 23);
            carried += built.eliciting ? 1U : 0U;
            m_acknowledged = built.eliciting ? m_acknowledged : built.number;
        }
    }
    Channel& m_channel;
    std::uint64_t m_number = 0;
    std::uint64_t m_acknowledged = 0;
    Time m_now = 0;
};

ChannelSettings settingsOf(std::uint32_t window) {
    ChannelSettings settings;
    settings.connection = 1;
    settings.own.window = settings.peer.window = window;
    settings.timeout = 1000 * Second;
    return settings;
}

std::vector<std::uint8_t> filled(std::size_t size) { return std::vector<std::uint8_t>(size, 7); }

} // namespace

class TestLimits : public QObject {
    Q_OBJECT
private slots:
    // What stood in packets that are lost is not remembered for ever: the records of small messages would outgrow their window.
    void losingTheSameMessagesAgainHoldsNoMore() {
        Channel channel(settingsOf(1024));
        for (std::uint32_t i = 0; i < 1024; ++i) {
            QVERIFY(channel.send(1, {}, {}, {}, 0).status == SendStatus::Sent);
        }
        Denier peer(channel);
        std::size_t early = 0;
        for (int i = 0; i < 3000; ++i) {
            peer.round();
            early = i == 10 ? channel.memory() : early;
        }
        QVERIFY(peer.accepted);
        QVERIFY(peer.carried > 1000);
        QVERIFY(channel.counters().guaranteedResent > 100'000);
        QVERIFY2(channel.memory() <= early + 128U * 1024U,
                 qPrintable(QString::number(channel.memory() - early)));
    }

    // A message that waits for a second packet to go in waits once, however often it is lost meanwhile.
    void copiesOfTheSameMessageWaitOnce_data() {
        QTest::addColumn<int>("copies");
        QTest::newRow("asked for") << 4;
        QTest::newRow("because of loss") << 1;
    }
    void copiesOfTheSameMessageWaitOnce() {
        QFETCH(int, copies);
        Channel channel(settingsOf(256));
        for (std::uint32_t i = 0; i < 256; ++i) {
            QVERIFY(channel.send(1, filled(250), {}, {.copies = static_cast<std::uint8_t>(copies)}, 0).status
                    == SendStatus::Sent);
        }
        Denier peer(channel);
        std::size_t early = 0;
        for (int i = 0; i < 10'000; ++i) {
            peer.round();
            early = i == 300 ? channel.memory() : early;
        }
        QVERIFY(peer.accepted);
        QVERIFY(channel.counters().guaranteedResent > 10'000);
        QVERIFY2(channel.memory() <= early + 64U * 1024U,
                 qPrintable(QString::number(channel.memory() - early)));
    }

    // A number just half a circle behind is a duplicate. It must not be read against a floor that moved while its packet was stored.
    void halfACircleBehindIsNotAhead_data() {
        QTest::addColumn<bool>("fragment");
        QTest::addColumn<int>("before");
        for (const int before : {1, 2, 30}) {
            QTest::addRow("whole, after %d", before) << false << before;
            QTest::addRow("fragment, after %d", before) << true << before;
        }
    }
    void halfACircleBehindIsNotAhead() {
        QFETCH(bool, fragment);
        QFETCH(int, before);
        Channel channel(settingsOf(1024));
        Forged forged;
        for (int n = 1; n <= before; ++n) {
            QVERIFY(forged.sections.guaranteed(static_cast<std::uint64_t>(n), {}, 1,
                                               numbered(static_cast<std::uint32_t>(n))));
        }
        const std::uint64_t behind = std::uint64_t{1} - 16'384;
        if (fragment) {
            QVERIFY(forged.sections.fragment(behind, {}, 1, 2 * FragmentSize, 1, 2, filled(FragmentSize)));
        } else {
            QVERIFY(forged.sections.guaranteed(behind, {}, 1, numbered(0)));
        }
        const std::size_t early = channel.memory();
        QVERIFY(forged.at(channel, 1).outcome == Channel::Outcome::Accepted);
        QCOMPARE(channel.counters().guaranteedDuplicate + channel.counters().fragmentsDuplicate,
                 std::uint64_t{1});
        QCOMPARE(channel.receiveGraph().floor(), static_cast<std::uint64_t>(before) + 1);
        QCOMPARE(channel.deliveriesWaiting(), static_cast<std::size_t>(before));
        QVERIFY(channel.oldestWaiting() == Never);
        QVERIFY2(channel.memory() <= early + 16U * 1024U,
                 qPrintable(QString::number(channel.memory() - early)));
        ReceivedMessage delivery;
        while (channel.next(delivery)) {}
    }
    // The same for what a message needs, and for what an unreliable one comes after.
    void halfACircleBehindIsExecuted() {
        Channel channel(settingsOf(1024));
        const std::uint64_t behind = std::uint64_t{1} - 16'384;
        Forged forged;
        QVERIFY(forged.sections.guaranteed(1, {}, 1, numbered(1)));
        QVERIFY(forged.sections.guaranteed(2, std::array{behind}, 1, numbered(2)));
        QVERIFY(forged.sections.unreliable({.hasAfter = true, .after = behind}, 2, numbered(3)));
        QVERIFY(forged.at(channel, 1).outcome == Channel::Outcome::Accepted);
        QCOMPARE(channel.receiveGraph().pendingEdges(), 0U);
        Tally tally;
        tally.take(channel);
        QCOMPARE(tally.total, 3U);
    }

    // One message cannot be both whole and in parts, not even in one packet: the parts would never be complete, and never let go.
    void wholeAndInPartsAtOnceIsRefused() {
        Channel channel(settingsOf(1024));
        Forged forged;
        QVERIFY(forged.sections.fragment(2, {}, 1, FragmentSize + 10, 1, 2, filled(10)));
        QVERIFY(forged.sections.guaranteed(2, {}, 1, numbered(2)));
        const auto judged = forged.at(channel, 1);
        QVERIFY(judged.outcome == Channel::Outcome::Violation && judged.reason == CloseReason::Protocol);
    }

    // Messages that came in parts count as the others do while they wait.
    void partsCountTowardsWhatWaits() {
        ChannelSettings settings = settingsOf(1024);
        settings.own.pendingBytes = 16 * 1024;
        settings.own.reassemblyBytes = 64 * 1024;
        Channel channel(settings);
        Channel::Received judged;
        std::uint64_t number = 0;
        std::uint64_t taken = 0;
        for (std::uint64_t n = 2; n < 100 && judged.outcome == Channel::Outcome::Accepted; ++n) {
            for (std::uint32_t index = 0; index < 4 && judged.outcome == Channel::Outcome::Accepted;
                 ++index) {
                Forged forged;
                QVERIFY(forged.sections.fragment(n, std::array{std::uint64_t{1}}, 1, 4 * FragmentSize, index,
                                                 4, filled(FragmentSize)));
                judged = forged.at(channel, ++number);
            }
            taken += judged.outcome == Channel::Outcome::Accepted ? 4 * FragmentSize : 0;
        }
        QVERIFY(judged.outcome == Channel::Outcome::Violation && judged.reason == CloseReason::FlowControl);
        QVERIFY(taken <= 16 * 1024);
    }

    // What the application has not taken is bounded in bytes too: nothing more is acknowledged then, and nothing is lost.
    void deliveriesNotTakenHoldThePeerBack() {
        PairSettings both = pairSettings({.latency = 5 * Millisecond});
        both.b.own.pendingBytes = both.a.peer.pendingBytes = 256 * 1024;
        both.b.own.maxMessage = both.a.peer.maxMessage = 16 * 1024;
        Pair pair(both);
        std::uint32_t sent = 0;
        std::vector<std::uint8_t> body = filled(8000);
        const auto step = [&] {
            const auto number = numbered(sent);
            std::copy(number.begin(), number.end(), body.begin());
            sent += pair.a.send(1, body, {}, {}, pair.now).status == SendStatus::Sent ? 1U : 0U;
            pair.run(pair.now + 5 * Millisecond);
        };
        for (int i = 0; i < 1000; ++i) {
            step();
        }
        QVERIFY(pair.closedA == CloseReason::None && pair.closedB == CloseReason::None);
        QVERIFY(pair.b.counters().packetsRefused > 0);
        QVERIFY2(pair.b.memory() <= 1024U * 1024U, qPrintable(QString::number(pair.b.memory())));
        Tally tally;
        tally.take(pair.b);
        for (int i = 0; i < 400; ++i) {
            step();
            tally.take(pair.b);
        }
        QVERIFY(pair.drain(10 * Second));
        tally.take(pair.b);
        QVERIFY(tally.onceEach(sent));
    }

    // Memory that bodies of one size have left serves others: a peer that sends sizes in turn does not fill the pool with each.
    void bodiesOfEverySizeShareTheirMemory() {
        ChannelSettings settings = settingsOf(8192);
        settings.own.pendingBytes = 512 * 1024;
        Channel channel(settings);
        std::uint64_t sequence = 1;
        std::uint64_t number = 0;
        ReceivedMessage delivery;
        for (const std::size_t size : {90U, 180U, 360U, 700U, 1100U}) {
            // As many as may wait; then what they wait for comes.
            const std::uint64_t first = sequence++;
            for (std::size_t bytes = size; bytes + 1200 <= settings.own.pendingBytes;) {
                Forged forged;
                while (forged.sections.guaranteed(sequence, std::array{first}, 1, filled(size))) {
                    bytes += size;
                    ++sequence;
                }
                QVERIFY(forged.at(channel, ++number).outcome == Channel::Outcome::Accepted);
            }
            Forged release;
            QVERIFY(release.sections.guaranteed(first, {}, 1, numbered(0)));
            QVERIFY(release.at(channel, ++number).outcome == Channel::Outcome::Accepted);
            while (channel.receiveGraph().ready()) {
                QVERIFY(channel.update(0) == CloseReason::None);
            }
            while (channel.next(delivery)) {}
        }
        delivery = {};
        QVERIFY(channel.receiveGraph().empty());
        QVERIFY2(channel.memory() <= 2800U * 1024U, qPrintable(QString::number(channel.memory())));
    }
};

QTEST_GUILESS_MAIN(TestLimits)
#include "tst_limits.moc"
