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
        Delivery delivery;
        const auto tick = [&](int number) {
            for (Connection* end : {ends.client, ends.server}) {
                for (int i = 0; i < 4; ++i) {
                    const bool chained = end == ends.client && i == 0 && last;
                    const SendResult sent =
                        end->send(static_cast<std::uint16_t>(i), body,
                                  chained ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>(),
                                  {.copies = static_cast<std::uint8_t>(copies)});
                    if (chained || !last) {
                        last = sent.handle;
                    }
                }
                static_cast<void>(end->sendUnreliable(9, body, {.latest = true, .key = static_cast<std::uint32_t>(number % 32)}));
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
        for (; number < 6000; ++number) {
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
        delivery = Delivery();
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
