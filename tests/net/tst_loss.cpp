#include <QtTest>

#include "tests/net/numbered.h"

#include <cmath>
#include <map>
#include <set>

// When something is taken for lost and how often it is said again, how soon acknowledgements come, and what goes first in a packet:
// rules H3, H5, H15, H16 and H20 of engine/net/PROTOCOL.md, against arithmetic, to the nanosecond where it is exact.

using namespace sbx;
using namespace sbx::net;

namespace {

constexpr Time AckDelay = Millisecond; // granted by default

// When each message of one way was in a packet.
class Watch {
public:
    explicit Watch(Pair& pair) : m_pair(pair) {
        pair.gate = [this](bool isForward, std::uint64_t number, ByteView bytes) {
            if (!isForward)
                return !backwardDies;
            Payload payload;
            const bool parsed = parsePayload(bytes, 15, payload);
            wellFormed = wellFormed && parsed;
            numbers.push_back(number);
            bool dies = false;
            for (const WireMessage& message : payload.messages) {
                if (message.kind == SectionKind::Unreliable)
                    continue;
                times[message.sequence].push_back(m_pair.now);
                dies = dies || lose.contains(message.sequence);
            }
            return !dies;
        };
    }
    [[nodiscard]] std::size_t said(std::uint64_t sequence) { return times[sequence].size(); }

    std::map<std::uint64_t, std::vector<Time>> times;
    std::vector<std::uint64_t> numbers; // of packets
    std::set<std::uint64_t> lose;       // packets with these messages
    bool backwardDies = false;
    bool wellFormed = true;

private:
    Pair& m_pair;
};

std::uint64_t say(Pair& pair, const MessageClass& how = {}) {
    return pair.a.send(1, numbered(0), {}, how, pair.now).handle.sequence;
}

void takeAll(Channel& channel) {
    ReceivedMessage delivery;
    while (channel.next(delivery)) {}
}

// Round trips of always the same length, until nothing varies any more.
void settle(Pair& pair) {
    for (int i = 0; i < 200; ++i) {
        say(pair);
        pair.run(pair.now + 20 * Millisecond);
        takeAll(pair.b);
    }
    pair.run(pair.now + Second);
    takeAll(pair.b);
}

} // namespace

class TestLoss : public QObject {
    Q_OBJECT
private slots:
    // The third acknowledged packet after it makes a packet lost, two do not; then its time is up, and it leaves at that moment.
    void threeLaterPacketsOrTime_data() {
        QTest::addColumn<int>("later");
        for (const int later : {0, 1, 2, 3, 4})
            QTest::addRow("%d later", later) << later;
    }
    void threeLaterPacketsOrTime() {
        QFETCH(int, later);
        Pair pair(pairSettings());
        settle(pair);
        Watch watch(pair);
        const std::uint64_t lost = say(pair);
        const Time sent = pair.now;
        watch.lose = {lost};
        for (int i = 0; i < later; ++i) {
            pair.run(sent + (i + 1) * Millisecond / 2);
            say(pair);
        }
        pair.run(sent + Millisecond * 4);
        watch.lose.clear();
        QCOMPARE(watch.numbers.size(), static_cast<std::size_t>(later) + 1);
        QCOMPARE(watch.numbers.back() - watch.numbers.front(),
                 static_cast<std::uint64_t>(later)); // none was skipped
        pair.run(sent + 200 * Millisecond);
        // 50 ms there and back, without any variation: 9/8 of it, and what the peer may wait. The acknowledgement of the third
        // leaves as soon as that of the first may wait no longer, or with one more.
        const Time byTime = sent + 50 * Millisecond * 9 / 8 + AckDelay;
        QCOMPARE(watch.said(lost), std::size_t{2});
        if (later < 3) {
            QCOMPARE(watch.times[lost][1], byTime);
        } else {
            QVERIFY2(watch.times[lost][1] < byTime - Millisecond
                         && watch.times[lost][1] >= sent + 3 * Millisecond / 2 + 50 * Millisecond,
                     qPrintable(QString::number(watch.times[lost][1] - sent)));
        }
        QVERIFY(watch.wellFormed);
    }

    // The time is max(9/8 srtt, srtt + max(4 rttvar, 2 ms)) and what the peer may wait, with srtt and rttvar of RFC 6298: here once
    // more, in real numbers, over round trips that vary.
    void theTimerIsTheFormulas_data() {
        QTest::addColumn<QList<int>>("roundTrips"); // ms, both ways together; repeated
        QTest::newRow("steady") << QList<int>{50};
        QTest::newRow("short") << QList<int>{4};
        QTest::newRow("two lengths") << QList<int>{40, 60};
        QTest::newRow("many lengths") << QList<int>{50, 70, 56, 74, 50, 64, 60};
        QTest::newRow("long") << QList<int>{300, 310};
    }
    void theTimerIsTheFormulas() {
        QFETCH(QList<int>, roundTrips);
        Pair pair(pairSettings({.latency = roundTrips[0] * Millisecond / 2}));
        double smoothed = roundTrips[0];
        double variation = smoothed / 2.0; // primed by the handshake
        for (int i = 0; i < 60; ++i) {
            const int length = roundTrips[i % roundTrips.size()];
            for (LinkDirection* direction : {&pair.forward, &pair.backward})
                direction->setSettings({.latency = length * Millisecond / 2});
            say(pair);
            pair.run(pair.now + Second);
            takeAll(pair.b);
            variation = 0.75 * variation + 0.25 * std::abs(smoothed - length);
            smoothed = 0.875 * smoothed + 0.125 * length;
        }
        QCOMPARE(pair.a.counters().guaranteedResent, std::uint64_t{0});
        Watch watch(pair);
        const std::uint64_t lost = say(pair);
        const Time sent = pair.now;
        watch.lose = {lost};
        pair.run(sent + Millisecond);
        watch.lose.clear();
        pair.run(sent + 2 * Second);
        QCOMPARE(watch.said(lost), std::size_t{2});
        const double expected = std::max(1.125 * smoothed, smoothed + std::max(4.0 * variation, 2.0)) + 1.0;
        const double waited = static_cast<double>(watch.times[lost][1] - sent) / 1e6;
        QVERIFY2(std::abs(waited - expected) < 0.001,
                 qPrintable(QStringLiteral("%1, not %2").arg(waited).arg(expected)));
    }

    // Over silence each time is half as long again, up to four round trips or 250 ms, and never longer.
    void silenceStretchesTheTimer_data() {
        QTest::addColumn<int>("roundTrip");
        QTest::newRow("50 ms") << 50;
        QTest::newRow("200 ms") << 200;
    }
    void silenceStretchesTheTimer() {
        QFETCH(int, roundTrip);
        Pair pair(pairSettings({.latency = roundTrip * Millisecond / 2}));
        settle(pair);
        Watch watch(pair);
        watch.backwardDies = true;
        const std::uint64_t sequence = say(pair);
        pair.run(pair.now + 3 * Second);
        const std::vector<Time>& times = watch.times[sequence];
        Time wait = roundTrip * Millisecond * 9 / 8 + AckDelay;
        const Time most = std::max<Time>(4 * roundTrip, 250) * Millisecond;
        QVERIFY(times.size() >= 6);
        for (std::size_t i = 1; i < times.size(); ++i) {
            QCOMPARE(times[i] - times[i - 1], std::min(wait, most));
            wait += wait / 2;
        }
        QVERIFY(wait > 2 * most); // the cap was reached, well before the end
        QVERIFY(pair.now - times.back() < most);
    }

    // Acknowledgements die for three seconds while much is said: no message is said again before its own time, each time half
    // as long again (and once more beside it, where that much is lost). Then all is well, and nothing more is said.
    void aDeadWayBackIsAnsweredAsTheTimersSay() {
        Pair pair(pairSettings());
        settle(pair);
        const Time first = pair.a.roundTrip().lossInterval(AckDelay);
        Watch watch(pair);
        watch.backwardDies = true;
        Tally tally;
        std::uint32_t sent = 0;
        const Time begun = pair.now;
        while (pair.now < begun + 3 * Second) {
            const auto result = pair.a.send(1, numbered(sent), {}, {}, pair.now);
            QVERIFY(result.status == SendStatus::Sent);
            ++sent;
            pair.run(pair.now + 50 * Millisecond);
            tally.take(pair.b);
        }
        QVERIFY(tally.onceEach(sent)); // the way there lives
        std::size_t most = 0;
        std::size_t beside = 0;
        for (const auto& [sequence, times] : watch.times) {
            Time wait = first;
            std::size_t again = 0;
            bool repeated = true; // the first time it is said once
            Time last = times[0];
            for (std::size_t i = 1; i < times.size(); ++i) {
                if (!repeated && times[i] - last <= 20 * Millisecond) {
                    repeated = true;
                    ++beside;
                    continue;
                }
                QVERIFY2(
                    times[i] - last >= std::min<Time>(wait, 250 * Millisecond),
                    qPrintable(QStringLiteral("%1: %2").arg(sequence).arg((times[i] - last) / Millisecond)));
                wait += wait / 2;
                last = times[i];
                repeated = false;
                ++again;
            }
            most = std::max(most, again);
        }
        QVERIFY2(most >= 10 && most <= 15, qPrintable(QString::number(most)));
        qInfo("%zu times at most, %zu of all beside", most, beside);
        watch.backwardDies = false;
        pair.run(pair.now + Second);
        tally.take(pair.b);
        QVERIFY(pair.a.drained());
        QVERIFY(tally.onceEach(sent));
        const std::size_t packets = watch.numbers.size();
        pair.run(pair.now + 10 * Second);
        QCOMPARE(watch.numbers.size(), packets);
    }

    // A message that is not acknowledged for the time-out ends the connection, though everything else comes through. Looked at
    // once a second.
    void whatNobodyAcknowledgesEndsIt() {
        Pair pair(pairSettings());
        settle(pair);
        Watch watch(pair);
        const std::uint64_t never = say(pair);
        const Time sent = pair.now;
        watch.lose = {never};
        while (pair.closedA == CloseReason::None && pair.now < sent + 30 * Second) {
            pair.a.sendUnreliable(2, numbered(1), {}, pair.now);
            pair.run(pair.now + 50 * Millisecond);
            takeAll(pair.b);
            QVERIFY(pair.closedA == CloseReason::None || pair.now > sent + 10 * Second);
        }
        QVERIFY(pair.closedA == CloseReason::Undeliverable);
        QVERIFY(pair.closedB == CloseReason::None);
        QVERIFY2(pair.now <= sent + 11 * Second + 50 * Millisecond,
                 qPrintable(QString::number((pair.now - sent) / Millisecond)));
        QVERIFY(watch.said(never) > 20);
    }

    // An acknowledgement leaves when the first packet it is for has waited as long as it may, and at once with the eighth.
    void acknowledgementsAreEarly_data() {
        QTest::addColumn<int>("packets");
        for (const int packets : {1, 7, 8, 20})
            QTest::addRow("%d", packets) << packets;
    }
    void acknowledgementsAreEarly() {
        QFETCH(int, packets);
        PairSettings settings = pairSettings();
        settings.b.own.maxAckDelay = settings.a.peer.maxAckDelay = 5 * Millisecond;
        Pair pair(settings);
        settle(pair);
        std::vector<Time> left;
        std::vector<Payload> acks;
        std::vector<std::uint64_t> numbers;
        bool wellFormed = true;
        pair.gate = [&](bool isForward, std::uint64_t number, ByteView bytes) {
            if (isForward) {
                numbers.push_back(number);
            } else {
                left.push_back(pair.now);
                wellFormed = parsePayload(bytes, 15, acks.emplace_back()) && wellFormed;
            }
            return true;
        };
        const Time begun = pair.now;
        for (int i = 0; i < packets; ++i) {
            pair.run(begun + i * Millisecond / 10);
            pair.a.sendUnreliable(1, numbered(1), {}, pair.now);
            pair.pump();
        }
        pair.run(begun + Second);
        takeAll(pair.b);
        QCOMPARE(numbers.size(), static_cast<std::size_t>(packets));
        std::vector<Time> expected;
        const Time arrived = begun + 25 * Millisecond;
        int unsaid = 0;
        for (int i = 0; i < packets; ++i) {
            if (++unsaid == 8) {
                expected.push_back(arrived + i * Millisecond / 10);
                unsaid = 0;
            }
        }
        if (unsaid > 0)
            expected.push_back(arrived + (packets - unsaid) * Millisecond / 10 + 5 * Millisecond);
        QVERIFY(wellFormed);
        QCOMPARE(left, expected);
        // The last one says it all.
        const AckInfo& ack = acks.back().ack;
        QVERIFY(ack.present && !acks.back().eliciting);
        QCOMPARE(ack.newest, static_cast<std::uint16_t>(numbers.back()));
        for (const std::uint64_t number : numbers)
            QVERIFY(number == numbers.back() || (ack.mask >> (numbers.back() - number - 1) & 1U) != 0);
    }
    // Whatever a packet is for, it acknowledges.
    void everyPacketAcknowledges() {
        Pair pair(pairSettings({.latency = 20 * Millisecond, .jitter = 20 * Millisecond, .loss = 0.1}));
        int heard = 0;
        pair.gate = [&](bool isForward, std::uint64_t, ByteView bytes) {
            Payload payload;
            const bool parsed = parsePayload(bytes, 15, payload);
            const bool due = (isForward ? pair.a : pair.b).counters().packetsReceived > 0;
            heard += due ? 1 : 0;
            if (!parsed || payload.ack.present != due)
                qFatal("a packet without an acknowledgement");
            return true;
        };
        for (int i = 0; i < 500; ++i) {
            say(pair);
            pair.b.send(1, numbered(0), {}, {}, pair.now);
            pair.b.sendUnreliable(2, numbered(0), {}, pair.now);
            pair.run(pair.now + 10 * Millisecond);
            takeAll(pair.a);
            takeAll(pair.b);
        }
        QVERIFY(heard > 1000);
    }

    // One number in 256 is passed over, whatever came before.
    void oneNumberIn256IsPassedOver() {
        Pair pair(pairSettings({.latency = 100 * Microsecond}));
        while (pair.a.counters().packetsSent < 256 * 400) {
            pair.a.sendUnreliable(1, numbered(1), {}, pair.now);
            pair.run(pair.now + 300 * Microsecond);
            takeAll(pair.b);
        }
        const auto sent = static_cast<double>(pair.a.counters().packetsSent);
        const auto skipped = static_cast<double>(pair.a.counters().numbersSkipped);
        QVERIFY2(std::abs(skipped - sent / 256.0) < 3.0 * std::sqrt(sent / 256.0),
                 qPrintable(QString::number(skipped)));
        QCOMPARE(pair.a.nextPacket() - 1, static_cast<std::uint64_t>(sent + skipped));
    }

    // What the peer waits before it acknowledges is no queue on the path: a sender that takes it for one leaves half of a fast line to
    // nobody.
    void aPeerThatWaitsIsNoQueue_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("one a packet") << 900;
        QTest::newRow("in parts") << 20'000;
    }
    void aPeerThatWaitsIsNoQueue() {
        QFETCH(int, size);
        constexpr double Line = 50e6; // bits a second
        PairSettings settings =
            pairSettings({.latency = 10 * Millisecond, .rate = Line, .queue = 100 * Millisecond});
        for (ChannelSettings* end : {&settings.a, &settings.b})
            end->own.reassemblyBytes = end->peer.reassemblyBytes = 1U << 20U;
        Pair pair(settings);
        const std::vector<std::uint8_t> body(static_cast<std::size_t>(size));
        ReceivedMessage delivery;
        std::uint64_t came = 0;
        while (pair.now < 3 * Second) {
            while (pair.a.send(1, body, {}, {}, pair.now).status == SendStatus::Sent) {}
            pair.run(pair.now + Millisecond);
            while (pair.b.next(delivery))
                came += pair.now > Second ? delivery.body.size() : 0;
        }
        const double share = static_cast<double>(came) * 8.0 / (2.0 * Line);
        QVERIFY2(share >= 0.65, qPrintable(QString::number(share)));
        QCOMPARE(pair.forward.counters().overflowed, std::uint64_t{0});
    }

    // A link that carries less than there are states: they wait, and messages do not wait behind them. States still come.
    void statesDoNotStarveMessages() {
        Pair pair(pairSettings({.latency = 125 * Millisecond, .loss = 0.6}));
        settle(pair);
        std::map<std::uint32_t, Time> left;
        std::uint64_t states = 0;
        pair.gate = [&](bool isForward, std::uint64_t, ByteView bytes) {
            Payload payload;
            if (isForward && parsePayload(bytes, 15, payload))
                for (const WireMessage& message : payload.messages) {
                    if (message.type == 3)
                        left.emplace(numberOf(message.body), pair.now);
                    states += message.type == 2 ? 1U : 0U;
                }
            return true;
        };
        std::vector<Time> said;
        const Time end = pair.now + 20 * Second;
        while (pair.now < end) {
            for (std::uint32_t entity = 0; entity < 40; ++entity)
                pair.a.sendUnreliable(2, std::vector<std::uint8_t>(80), {.latest = true, .key = entity}, pair.now);
            const SendReceipt sent =
                pair.a.send(3, numbered(static_cast<std::uint32_t>(said.size())), {}, {}, pair.now);
            QVERIFY(sent.status == SendStatus::Sent);
            said.push_back(pair.now);
            pair.run(pair.now + 50 * Millisecond);
            takeAll(pair.b);
        }
        pair.run(pair.now + 2 * Second);
        Time longest = 0;
        for (std::uint32_t i = 0; i < said.size(); ++i) {
            QVERIFY2(left.contains(i), qPrintable(QStringLiteral("%1 of %2").arg(i).arg(said.size())));
            longest = std::max(longest, left[i] - said[i]);
        }
        qInfo("longest wait at the sender %lld ms, %llu states", static_cast<long long>(longest / Millisecond),
              static_cast<unsigned long long>(states));
        QVERIFY2(longest < 700 * Millisecond, qPrintable(QString::number(longest / Millisecond)));
        QVERIFY(states > 1000);
    }

    // The order within a packet: control, resent messages (oldest first), critical, states, new reliable, unreliable, bulk.
    void eachHasItsPlaceInAPacket() {
        using Priority = MessageClass::Priority;
        Pair pair(pairSettings());
        settle(pair);
        {
            Watch watch(pair);
            for (int i = 0; i < 3; ++i) {
                watch.lose.insert(say(pair)); // each in a packet of its own
                pair.run(pair.now + 100 * Microsecond);
            }
            QCOMPARE(watch.numbers.size(), std::size_t{3});
            pair.gate = {};
        }
        // All are overtaken by the same acknowledgement.
        for (int i = 0; i < 6; ++i)
            pair.a.sendUnreliable(2, numbered(1), {}, pair.now);
        pair.gate = [](bool isForward, std::uint64_t, ByteView) { return isForward; };
        for (int i = 0; i < 6; ++i) {
            pair.a.sendUnreliable(2, numbered(1), {}, pair.now);
            pair.run(pair.now + 100 * Microsecond);
        }
        const std::uint64_t newest = pair.a.nextPacket() - 1;
        const Time now = pair.now + 10 * Millisecond;
        Forged ack;
        ack.out = ByteWriter(ack.bytes);
        writeAck(ack.out, {.present = true, .newest = static_cast<std::uint16_t>(newest), .mask = 0}, 0);
        QVERIFY(ack.at(pair.a, 1'000'000, now).outcome == Channel::Outcome::Accepted);
        const std::uint64_t next = pair.a.sendGraph().next();
        // Said in the wrong order.
        pair.a.send(9, numbered(0), {}, {.priority = Priority::Bulk}, now);
        pair.a.sendUnreliable(8, numbered(0), {}, now);
        pair.a.send(7, numbered(0), {}, {.priority = Priority::Normal}, now);
        pair.a.sendUnreliable(6, numbered(0), {.latest = true, .key = 1}, now);
        pair.a.send(5, numbered(0), {}, {.priority = Priority::Critical}, now);
        pair.a.ping();
        QVERIFY(pair.a.turn(now) == Channel::Turn::Full);
        std::array<std::uint8_t, MaxDatagram> room{};
        const Channel::Built built = pair.a.build(now, Channel::Turn::Full, room, Pair::Overhead);
        Payload payload;
        QVERIFY(parsePayload(ByteView(room).first(built.size), 15, payload));
        QCOMPARE(payload.sections.front().kind, SectionKind::Control);
        std::vector<int> types;
        std::vector<std::uint64_t> again;
        for (const WireMessage& message : payload.messages) {
            types.push_back(message.type);
            if (message.type == 1)
                again.push_back(message.sequence);
        }
        QCOMPARE(types, (std::vector<int>{1, 1, 1, 5, 6, 7, 8, 9}));
        QCOMPARE(again, (std::vector<std::uint64_t>{next - 3, next - 2, next - 1}));
        takeAll(pair.b);
    }
};

QTEST_GUILESS_MAIN(TestLoss)
#include "tst_loss.moc"
