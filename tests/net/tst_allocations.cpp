#include <QtTest>

#include "tests/counted_allocations.h"
#include "tests/net/world.h"

using namespace sbx;
using namespace sbx::net;

class TestAllocations : public QObject {
    Q_OBJECT
private slots:
    // A busy connection both ways, once it is warm: guaranteed messages with and without dependencies, fragments, states, plain
    // messages, deliveries taken and handles asked.
    void aBusyTickAllocatesNothing_data() {
        QTest::addColumn<double>("loss");
        QTest::addColumn<int>("copies");
        QTest::newRow("clean") << 0.0 << 1;
        QTest::newRow("10 percent lost") << 0.1 << 1;
        QTest::newRow("10 percent lost, sent twice") << 0.1 << 2;
    }
    void aBusyTickAllocatesNothing() {
        QFETCH(double, loss);
        QFETCH(int, copies);
        World world({.latency = 20 * Millisecond, .jitter = 4 * Millisecond, .loss = loss});
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        const std::vector<std::uint8_t> big(3000, 7);
        std::array<std::uint8_t, 40> body{};
        MessageHandle last;
        std::uint64_t taken = 0;
        ReceivedMessage delivery;
        const auto tick = [&](int number) {
            for (Connection* end : {ends.client, ends.server}) {
                for (int i = 0; i < 4; ++i) {
                    const bool chained = end == ends.client && i == 0 && last;
                    const SendReceipt sent = end->send(static_cast<std::uint16_t>(i), body,
                                                       chained ? std::span<const MessageHandle>(&last, 1)
                                                               : std::span<const MessageHandle>(),
                                                       {.copies = static_cast<std::uint8_t>(copies)});
                    if (chained || !last) {
                        last = sent.handle;
                    }
                }
                static_cast<void>(end->sendUnreliable(
                    9, body, {.latest = true, .key = static_cast<std::uint32_t>(number % 32)}));
                static_cast<void>(end->sendUnreliable(10, body, {}));
                if (number % 20 == 0) {
                    static_cast<void>(end->send(11, big, {}, {.priority = MessageClass::Priority::Bulk}));
                }
            }
            world.runFor(Second / 60);
            for (Connection* end : {ends.client, ends.server}) {
                while (end->next(delivery)) {
                    taken += delivery.body.size();
                }
            }
            static_cast<void>(ends.client->channel().state(last));
        };
        // Pools and rings grow to what the worst of these ticks needs.
        int number = 0;
        for (; number < 12000; ++number) {
            tick(number);
        }
        const std::uint64_t before = taken;
        std::size_t allocated = 0;
        for (int i = 0; i < 1200; ++i, ++number) {
            const std::size_t count = Allocations;
            tick(number);
            allocated += Allocations - count;
        }
        QVERIFY(taken > before + 1200 * 4 * 40);
        QCOMPARE(allocated, std::size_t{0});
        delivery = ReceivedMessage();
    }
    // Counts and lengths that promise more than there is are refused before memory is taken for them.
    void bombsTakeNoMemory_data() {
        QTest::addColumn<QByteArray>("payload");
        const auto row = [](const char* name, const char* hex) {
            QTest::newRow(name) << QByteArray::fromHex(hex);
        };
        row("four thousand million messages", "00f9ffffffff0f");
        row("as many unreliable ones", "00fc00ffffffff0f");
        row("as many fragments", "00fdffffffff0f");
        row("as many frames", "00ffffffffff0f");
        row("more than a datagram", "00f9e10f");
        row("a count of ten bytes", "00f9ffffffffffffffffff01");
        row("a count of eleven", "00f9808080808080808080808001");
        row("a type of ten bytes", "00090100ffffffffffffffffff0100");
        row("a length of ten bytes", "0009010001ffffffffffffffffff01");
        row("a length of four thousand million", "0009010001ffffffff0f");
        row("a body one too long", "00090100010461626d");
        row("a key of ten bytes", "000c0101ffffffffffffffffff0100");
        row("a fragment of four thousand million", "000d01000000ffff01ffffffff0fc007");
        row("a piece of four thousand million", "000d01000100ffffffffffff0f");
        row("ranges of four thousand million", "210100000101ffffffff0f");
    }
    void bombsTakeNoMemory() {
        QFETCH(QByteArray, payload);
        const ByteView bytes(reinterpret_cast<const std::uint8_t*>(payload.constData()),
                             static_cast<std::size_t>(payload.size()));
        ChannelSettings settings;
        settings.connection = 1;
        Channel channel(settings);
        Payload scratch;
        // Once for the room that a parsed message takes at all.
        const std::array<std::uint8_t, 9> one{0, 0x0A, 1, 0, 1, 0, 0x0F, 1, 0};
        QVERIFY(channel.receive(0, 1, one, scratch).outcome == Channel::Outcome::Accepted);
        const std::size_t memory = channel.memory();
        const std::size_t before = Allocations;
        const Channel::Received judged = channel.receive(0, 2, bytes, scratch);
        QCOMPARE(Allocations - before, std::size_t{0});
        QVERIFY(judged.outcome == Channel::Outcome::Violation && judged.reason == CloseReason::Protocol);
        QCOMPARE(channel.memory(), memory);
        QVERIFY(channel.check(2) == ReceivedPackets::Verdict::Fresh);
        ReceivedMessage delivery;
        while (channel.next(delivery)) {}
    }
    // Nobody says anything: the two hosts exchange what keeps them connected.
    void anIdleTickAllocatesNothing() {
        World world({.latency = 20 * Millisecond});
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        world.runFor(1000 * Second); // until the history of packets has its full length
        const std::size_t count = Allocations;
        world.runFor(60 * Second);
        QCOMPARE(Allocations - count, std::size_t{0});
        QVERIFY(ends.client->state() == Connection::State::Connected);
    }
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "tst_allocations.moc"
