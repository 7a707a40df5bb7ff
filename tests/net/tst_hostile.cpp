#include <QtTest>

#include "tests/folders.h"
#include "tests/net/forger.h"
#include "tests/net/numbered.h"

// Peers and strangers that mean harm.

using namespace sbx;
using namespace sbx::net;

class TestHostile : public QObject {
    Q_OBJECT
private slots:
    // Thirty thousand requests in a second, each from elsewhere: nothing is kept, the rate of answers is held, and those who
    // are connected notice nothing.
    void aFloodOfRequestsDisturbsNobody() {
        HostSettings base;
        base.challengesPerSecond = 2000.0;
        World world({.latency = 25 * Millisecond}, base);
        const World::Ends ends = world.connected();
        Host& other = world.addClient();
        std::vector<std::uint8_t> request;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (request.empty() && from == clientAddress(1)) {
                request.assign(bytes.begin(), bytes.end());
            }
        });
        other.connect(serverAddress());
        world.runFor(200 * Millisecond);
        world.network.setTap({});
        QCOMPARE(request.size(), std::size_t{1200});
        const std::size_t connections = world.server->connectionCount();
        const auto latencies = [&](bool flood) {
            std::vector<Time> waits;
            std::uint32_t source = 0;
            for (int i = 0; i < 60; ++i) {
                for (int n = 0; flood && n < 500; ++n, ++source) {
                    world.network.inject(Address::v4(172, static_cast<std::uint8_t>(source >> 16U),
                                                     static_cast<std::uint8_t>(source >> 8U),
                                                     static_cast<std::uint8_t>(source), 1),
                                         serverAddress(), request);
                }
                static_cast<void>(ends.client->send(1, numbered(0)));
                const Time sent = world.network.now();
                world.runFor(Second / 60);
                ReceivedMessage delivery;
                while (ends.server->next(delivery)) {
                    waits.push_back(delivery.executed - sent);
                }
            }
            std::sort(waits.begin(), waits.end());
            return waits[waits.size() * 99 / 100];
        };
        const Time quiet = latencies(false);
        const std::uint64_t answeredBefore = world.server->counters().challengesSent;
        const std::uint64_t bytesBefore = world.server->counters().handshakeBytesSent;
        const Time flooded = latencies(true);
        QVERIFY(flooded - quiet < 5 * Millisecond);
        const std::uint64_t answered = world.server->counters().challengesSent - answeredBefore;
        QVERIFY2(answered <= 4100, qPrintable(QString::number(answered))); // a second's worth saved up, and one of it
        QVERIFY(world.server->counters().challengesHeld >= 25'000);
        QCOMPARE(world.server->connectionCount(), connections);
        // The server sends less than a tenth of the bytes it receives, so it cannot serve as an amplifier of attacks.
        QVERIFY(static_cast<double>(world.server->counters().handshakeBytesSent - bytesBefore) < 0.1 * 1200.0 * 30'000.0);
    }

    // The first fragments of a thousand big messages: what is kept is what was granted, then the connection ends.
    void slowFragmentsAreCapped() {
        Pair pair(pairSettings());
        constexpr std::uint32_t Parts = 8;
        Channel::Received judged;
        std::uint64_t kept = 0;
        std::uint64_t n = 1;
        for (; n <= 1000 && judged.outcome != Channel::Outcome::Violation; ++n) {
            Forged forged;
            forged.sections.fragment(n, {}, 1, Parts * FragmentSize, 0, Parts,
                                     std::vector<std::uint8_t>(FragmentSize));
            judged = forged.at(pair.b, n);
            kept += judged.outcome == Channel::Outcome::Accepted ? Parts * FragmentSize : 0U;
            QVERIFY(kept <= Limits{}.reassemblyBytes);
            QVERIFY(pair.b.memory() < 256U * 1024U);
        }
        QCOMPARE(kept, std::uint64_t{Limits{}.reassemblyBytes / (Parts * FragmentSize)
                                     * (Parts * FragmentSize)}); // all that fits
        QVERIFY(judged.reason == CloseReason::FlowControl);
    }
    // One that begins and never goes on is no better than one that waits, whatever others come to an end beside it: the oldest
    // that is not whole decides.
    void theOldestFragmentsDecide() {
        Pair pair(pairSettings());
        const auto part = [&](std::uint64_t sequence, std::uint32_t index, std::uint64_t number, Time now) {
            Forged forged;
            forged.sections.fragment(sequence, {}, 1, 3 * FragmentSize, static_cast<std::uint16_t>(index), 3,
                                     std::vector<std::uint8_t>(FragmentSize));
            return forged.at(pair.b, number, now).outcome == Channel::Outcome::Accepted;
        };
        QVERIFY(part(1, 0, 1, 0));
        CloseReason reason = CloseReason::None;
        std::uint64_t number = 2;
        std::uint64_t sequence = 2;
        Time now = 0;
        while (reason == CloseReason::None && now < 20 * Second) {
            now += 100 * Millisecond;
            QVERIFY(now % Second != 0 || part(1, 1, number++, now)); // the same part, again and again
            for (std::uint32_t index = 0; index < 3; ++index) {
                QVERIFY(part(sequence, index, number++, now));
            }
            ++sequence;
            reason = pair.b.update(now);
            ReceivedMessage delivery;
            while (pair.b.next(delivery)) {}
        }
        QVERIFY(reason == CloseReason::DependencyStalled);
        QVERIFY2(now > 11 * Second && now <= 12 * Second + 100 * Millisecond,
                 qPrintable(QString::number(now / Millisecond)));
        QCOMPARE(pair.b.counters().guaranteedExecuted, sequence - 2);
    }

    // Fragments that lie about themselves.
    void lyingFragmentsAreRefused_data() {
        QTest::addColumn<int>("which");
        for (const char* name : {"another count", "another total", "a last one of another size", "whole after fragments",
                                 "fragments after whole", "two of one packet that do not agree",
                                 "a total that is not its parts'"}) {
            static int which = 0;
            QTest::newRow(name) << which++;
        }
    }
    void lyingFragmentsAreRefused() {
        QFETCH(int, which);
        Pair pair(pairSettings());
        const std::vector<std::uint8_t> full(FragmentSize);
        const std::vector<std::uint8_t> rest(100);
        Forged first;
        Forged second;
        switch (which) {
        case 0:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 0, 3, full);
            second.sections.fragment(3, {}, 1, 3 * FragmentSize + 100, 1, 4, full);
            break;
        case 1:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 2, 3, rest);
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 90, 0, 3, full);
            break;
        case 2:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 0, 3, full);
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 2, 3, ByteView(rest).first(99));
            break;
        case 3:
            first.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 1, 3, full);
            second.sections.guaranteed(3, {}, 1, numbered(1));
            break;
        case 4:
            first.sections.guaranteed(3, std::array{std::uint64_t{2}}, 1, numbered(1));
            second.sections.fragment(3, {}, 1, 2 * FragmentSize + 100, 1, 3, full);
            break;
        case 5: { // what neither says the one before both knows
            const std::vector<std::uint8_t> one(1);
            first.sections.fragment(3, {}, 1, 0, 1, 3, full);
            second.sections.fragment(3, {}, 1, 3 * FragmentSize, 0, 3, full);
            second.sections.fragment(3, {}, 1, 0, 2, 3, one);
            break;
        }
        default:
            first.sections.fragment(3, {}, 1, 9 * FragmentSize, 0, 3, full);
            second.sections.fragment(3, {}, 1, 9 * FragmentSize, 2, 3, rest);
            break;
        }
        const auto one = first.at(pair.b, 1);
        if (one.outcome == Channel::Outcome::Accepted) {
            const auto two = second.at(pair.b, 2);
            if (which == 4) {
                // Here whole already: nothing is read of what comes again.
                QVERIFY(two.outcome == Channel::Outcome::Accepted);
                QCOMPARE(pair.b.counters().fragmentsDuplicate, std::uint64_t{1});
                return;
            }
            QVERIFY(two.outcome == Channel::Outcome::Violation && two.reason == CloseReason::Protocol);
        } else {
            QVERIFY(one.reason == CloseReason::Protocol && which == 6);
        }
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0});
    }

    // Whose first part never comes is never whole: it waits, holding no more than it was granted, and then the connection ends.
    void withoutItsFirstPartNothingIsWhole() {
        Pair pair(pairSettings());
        std::uint64_t number = 1;
        const auto part = [&](std::uint16_t index) {
            Forged forged;
            forged.sections.fragment(1, {}, 1, 3 * FragmentSize, index, 3, std::vector<std::uint8_t>(FragmentSize, 7));
            return forged.at(pair.b, number++).outcome;
        };
        QVERIFY(part(1) == Channel::Outcome::Accepted);
        QVERIFY(part(2) == Channel::Outcome::Accepted);
        const std::size_t memory = pair.b.memory();
        Forged other; // what needs nothing passes
        other.sections.guaranteed(2, {}, 1, numbered(0));
        QVERIFY(other.at(pair.b, number++).outcome == Channel::Outcome::Accepted);
        CloseReason reason = CloseReason::None;
        Time now = 0;
        while (reason == CloseReason::None && now < 20 * Second) {
            now += 100 * Millisecond;
            reason = pair.b.update(now);
            QVERIFY(pair.b.memory() <= memory + 4096);
        }
        QVERIFY(reason == CloseReason::DependencyStalled);
        QVERIFY(now > 11 * Second && now <= 12 * Second + 100 * Millisecond);
        QCOMPARE(pair.b.counters().guaranteedExecuted, std::uint64_t{1});
    }
    // Parts have places, and a place is filled once: what comes for it again, with other bytes or the same, changes nothing.
    void aPlaceIsFilledOnce() {
        Pair pair(pairSettings());
        std::uint64_t number = 1;
        const auto part = [&](std::uint16_t index, std::uint8_t fill, std::size_t size) {
            Forged forged;
            forged.sections.fragment(1, {}, 1, 2 * FragmentSize + 100, index, 3, std::vector<std::uint8_t>(size, fill));
            return forged.at(pair.b, number++).outcome == Channel::Outcome::Accepted;
        };
        QVERIFY(part(2, 3, 100) && part(2, 9, 100));
        QVERIFY(part(0, 1, FragmentSize) && part(0, 9, FragmentSize) && part(0, 1, FragmentSize));
        QCOMPARE(pair.b.deliveriesWaiting(), std::size_t{0}); // five parts, of two places
        QVERIFY(part(1, 2, FragmentSize) && part(1, 9, FragmentSize));
        QCOMPARE(pair.b.counters().fragmentsDuplicate, std::uint64_t{4});
        ReceivedMessage delivery;
        QVERIFY(pair.b.next(delivery));
        std::vector<std::uint8_t> expected(FragmentSize, 1);
        expected.resize(2 * FragmentSize, 2);
        expected.resize(2 * FragmentSize + 100, 3);
        QVERIFY(std::ranges::equal(delivery.body.bytes(), expected));
        delivery = {};
        QVERIFY(!pair.b.next(delivery));
    }

    // A peer with keys that sends ten times what it may: counted, then sent away; the others go on.
    void aFloodFromAPeerEndsIt() {
        HostSettings base;
        base.packetsPerSecond = 200.0;
        World world({.latency = 5 * Millisecond}, base);
        const World::Ends bad = world.connected();
        const World::Ends good = world.connected();
        CloseReason reason = CloseReason::None;
        for (int i = 0; i < 20'000 && reason == CloseReason::None; ++i) {
            static_cast<void>(bad.client->sendUnreliable(1, std::vector<std::uint8_t>(700)));
            if (i % 100 == 0) {
                static_cast<void>(good.client->send(1, numbered(static_cast<std::uint32_t>(i / 100))));
            }
            world.runFor(500 * Microsecond);
            reason = ended(*bad.host);
        }
        QVERIFY(reason == CloseReason::Rate);
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(good.server->counters().rateExceeded == 0);
        Tally tally;
        tally.take(*good.server);
        QVERIFY(tally.total > 0 && tally.ordered);
    }

    // Acknowledgements of what was never sent, or whose number was passed over, wherever in an acknowledgement they stand: the
    // newest, any bit of the mask, a range. Beside each the truth, which is taken.
    void optimisticAcknowledgementsEndIt_data() {
        QTest::addColumn<int>("place"); // of the number in the mask; -1: it is the newest, -2: in a range
        QTest::addColumn<bool>("skipped");
        QTest::newRow("unsent, the newest") << -1 << false;
        QTest::newRow("skipped, the newest") << -1 << true;
        QTest::newRow("skipped, in a range") << -2 << true;
        for (int bit = 0; bit < 32; ++bit) {
            QTest::addRow("skipped, bit %d", bit) << bit << true;
        }
        for (const int bit : {0, 30}) {
            QTest::addRow("unsent, bit %d", bit) << bit << false;
        }
    }
    void optimisticAcknowledgementsEndIt() {
        QFETCH(int, place);
        QFETCH(bool, skipped);
        World world({.latency = Millisecond});
        Forger peer(world);
        const World::Ends other = world.connected();
        QVERIFY(peer.ready() && other.server != nullptr);
        const Channel& channel = peer.ends.server->channel();
        std::uint64_t newest = channel.nextPacket() - 1;
        std::vector<std::uint64_t> missing;
        world.network.setTap([&](Time, const Address& from, const Address& to, ByteView bytes) {
            if (from == serverAddress() && to == clientAddress(0)) {
                const std::uint16_t low = ByteReader(bytes.subspan(1)).u16();
                const std::uint64_t number = fromWire(low, 16, newest + 1);
                for (++newest; newest < number; ++newest) {
                    missing.push_back(newest);
                }
            }
        });
        ReceivedMessage delivery;
        const auto more = [&](int packets) {
            for (int i = 0; i < packets; ++i) {
                static_cast<void>(peer.ends.server->sendUnreliable(1, numbered(1)));
                world.runFor(5 * Millisecond);
                while (peer.ends.client->next(delivery)) {}
            }
        };
        for (int i = 0; i < 5000 && missing.empty(); ++i) {
            more(1);
        }
        QVERIFY(!missing.empty());
        const std::uint64_t hole = missing.front();
        more(50);
        world.network.setTap({});
        // The ack names one number that it should not, or all around it and not that.
        const auto payload = [&](bool lie) {
            AckInfo ack;
            ack.present = true;
            const std::uint64_t bad = skipped ? hole : channel.nextPacket() + 3;
            std::uint64_t top = bad;
            if (place >= 0) {
                top = bad + 1 + static_cast<std::uint64_t>(place);
                ack.mask = lie ? 1U << static_cast<unsigned>(place) : 0U;
            } else if (place == -2) {
                top = bad + 40;
                ack.rangeCount = 1;
                ack.ranges[0] = {static_cast<std::uint32_t>(top - 33 - bad - (lie ? 0 : 1)),
                                 1}; // or the number after it
            } else if (!lie) {
                ++top;
            }
            if (!lie && !skipped) {
                top = channel.nextPacket() - 1;
            }
            ack.newest = static_cast<std::uint16_t>(top);
            std::vector<std::uint8_t> bytes(60);
            ByteWriter out(bytes);
            writeAck(out, ack, 0);
            bytes.resize(out.size());
            return bytes;
        };
        peer.send(payload(false));
        world.runFor(20 * Millisecond);
        QVERIFY(peer.ends.server->state() == Connection::State::Connected);
        QCOMPARE(channel.counters().acksBogus, std::uint64_t{0});
        peer.send(payload(true));
        world.server->update(world.network.now());
        QCOMPARE(channel.counters().acksBogus, std::uint64_t{1});
        delivery = {};
        world.runFor(Second);
        QVERIFY(ended(*world.server) == CloseReason::Protocol);
        QVERIFY(ended(*peer.ends.host) == CloseReason::Protocol);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(other.server->state() == Connection::State::Connected);
    }

    // What is secret is compared by the library's constant-time calls alone.
    void secretsAreComparedInConstantTime() {
        const QRegularExpression compares(
            QStringLiteral("(memcmp|std::equal)\\(.*(tag|cookie|mac|secret)|\\b(tag|cookie|mac|secret)\\w*\\s*(==|!=)|"
                           "(==|!=)\\s*[\\w.]*(tag|cookie|mac|secret)\\b"),
            QRegularExpression::CaseInsensitiveOption);
        QVERIFY(QStringLiteral("if (a.cookie == b.cookie)").contains(compares));
        QDirIterator files(sbx::test::qSourcePath("engine/net"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                           QDir::Files);
        int calls = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
            for (const QString& line : lines) {
                const QString code = line.section(QStringLiteral("//"), 0, 0);
                if (code.contains(QStringLiteral("sodium_memcmp")) || code.contains(QStringLiteral("sameBytes("))) {
                    ++calls;
                    continue;
                }
                QVERIFY2(!code.contains(compares), qPrintable(file.fileName() + line));
            }
        }
        QVERIFY(calls >= 4);
    }
};

QTEST_GUILESS_MAIN(TestHostile)
#include "tst_hostile.moc"
