#include <QtTest>

#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <numeric>
#include <set>

// Bad paths, numbers that wrap, and ends that come and go.

using namespace sbx;
using namespace sbx::net;

namespace {

LinkDirection& linkUp(World& world, std::size_t client = 0) {
    return world.network.direction(clientAddress(client), serverAddress());
}
LinkDirection& linkDown(World& world, std::size_t client = 0) {
    return world.network.direction(serverAddress(), clientAddress(client));
}
void setLoss(World& world, double loss) {
    for (LinkDirection* direction : {&linkUp(world), &linkDown(world)}) {
        LinkSettings settings = direction->settings();
        settings.loss = loss;
        direction->setSettings(settings);
    }
}

// The long versions of some: label soak.
bool atLength() { return qEnvironmentVariableIsSet("SBX_SOAK"); }

} // namespace

class TestChaos : public QObject {
    Q_OBJECT
private slots:
    // Whatever is lost, both ways, a message is delivered, or both ends say why not; and no handle says more than is so.
    void anyLossDeliversOrEndsWithAReason_data() {
        QTest::addColumn<int>("percent");
        for (int percent = 0; percent <= 100; percent += 10) {
            QTest::addRow("%d percent", percent) << percent;
        }
    }
    void anyLossDeliversOrEndsWithAReason() {
        QFETCH(int, percent);
        constexpr std::uint32_t Count = 200;
        World world;
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        struct Way {
            Host& from;
            Host& to;
            std::vector<MessageHandle> handles;
            Tally tally;
            CloseReason reason = CloseReason::None; // of the sender
            Time closed = Never;
        };
        std::array<Way, 2> ways{Way{*ends.host, *world.server, {}, {}}, Way{*world.server, *ends.host, {}, {}}};
        const std::uint32_t id = ends.client->id();
        setLoss(world, percent / 100.0);
        const Time begun = world.network.now();
        const auto over = [&] {
            return std::all_of(ways.begin(), ways.end(), [](const Way& way) {
                return way.closed != Never || way.tally.total == Count;
            });
        };
        for (int i = 0; i < 90 * 50 && !over(); ++i) {
            for (Way& way : ways) {
                const auto sent = static_cast<std::uint32_t>(way.handles.size());
                if (Connection* const own = way.from.find(id); own != nullptr && sent < Count) {
                    const auto result = own->send(1, numbered(sent));
                    if (result.status == SendStatus::Sent) {
                        way.handles.push_back(result.handle);
                    }
                }
            }
            world.runFor(20 * Millisecond);
            for (Way& way : ways) {
                if (Connection* const end = way.to.find(id)) {
                    way.tally.take(*end);
                }
                if (const CloseReason reason = ended(way.from); reason != CloseReason::None) {
                    way.reason = reason;
                    way.closed = world.network.now();
                }
                QVERIFY(!way.tally.anyTwice());
                const bool there = way.from.find(id) != nullptr;
                for (std::uint32_t n = 0; n < way.handles.size(); ++n) {
                    const HandleState state = way.from.state(way.handles[n]);
                    QVERIFY(state != HandleState::Executed || way.tally.has(n));
                    QVERIFY(there || state == HandleState::Closed);
                }
            }
        }
        if (percent <= 50) {
            QVERIFY(ways[0].tally.onceEach(Count) && ways[1].tally.onceEach(Count));
        }
        QVERIFY2(over(), "an end stays in the dark");
        if (ways[0].tally.total == Count && ways[1].tally.total == Count) {
            QVERIFY(percent <= 90);
            return;
        }
        // The one hears of it from the other, or as late as the other.
        for (int i = 0; i < 1500 && (ways[0].closed == Never || ways[1].closed == Never); ++i) {
            world.runFor(20 * Millisecond);
            for (Way& way : ways) {
                if (const CloseReason reason = ended(way.from); reason != CloseReason::None) {
                    way.reason = reason;
                    way.closed = world.network.now();
                }
            }
        }
        for (const Way& way : ways) {
            QVERIFY2(way.reason == CloseReason::Timeout || way.reason == CloseReason::Undeliverable,
                     qPrintable(QString::number(static_cast<int>(way.reason))));
            QVERIFY(way.closed - begun >= 9900 * Millisecond); // what was heard last may have come just before
        }
        QCOMPARE(ends.host->connectionCount() + world.server->connectionCount(), std::size_t{0});
    }

    // A quarter of the datagrams twice, some a hundred times, some again ten seconds later: each is counted, and nothing else
    // comes of it.
    void duplicatesAreTakenOnce() {
        World world({.latency = 5 * Millisecond, .duplicate = 0.25});
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        world.runFor(Second);
        const auto counted = [](const Connection& end) { return end.counters().replayed + end.counters().stale; };
        const std::uint64_t before = counted(*ends.server);
        const std::uint64_t doubled = linkUp(world).counters().duplicated;
        std::vector<std::vector<std::uint8_t>> kept;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (from == clientAddress(0)) {
                kept.emplace_back(bytes.begin(), bytes.end());
            }
        });
        Tally tally;
        std::uint32_t sent = 0;
        std::uint64_t replayed = 0;
        std::vector<std::pair<Time, std::size_t>> heads; // how many were kept, and when
        std::size_t tenSecondsAgo = 0;
        const auto again = [&](std::size_t which) {
            world.network.inject(clientAddress(0), serverAddress(), kept[which]);
            ++replayed;
        };
        std::size_t memory = 0;
        for (int i = 0; i < 1500; ++i) {
            sent += ends.client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
            world.runFor(20 * Millisecond);
            heads.emplace_back(world.network.now(), kept.size());
            if (i % 100 == 50) {
                world.runFor(20 * Millisecond); // it is there
                heads.back() = {world.network.now(), kept.size()};
                for (int times = 0; times < 100; ++times) {
                    again(kept.size() - 1);
                }
            }
            while (heads[tenSecondsAgo].first + 10 * Second <= world.network.now()) {
                again(heads[tenSecondsAgo++].second - 1);
            }
            world.runFor(0);
            tally.take(*ends.server);
            if (i == 750) {
                memory = ends.server->memory();
            }
        }
        world.runFor(Second);
        tally.take(*ends.server);
        QVERIFY(replayed > 15 * 100 + 900);
        QVERIFY(tally.onceEach(sent));
        QCOMPARE(counted(*ends.server) - before, replayed + linkUp(world).counters().duplicated - doubled);
        QVERIFY(ends.server->counters().stale > 100 && ends.server->counters().replayed > 1500);
        QCOMPARE(ends.server->memory(), memory);
        QCOMPARE(ends.client->channel().counters().guaranteedResent, std::uint64_t{0});
        QVERIFY(ends.server->channel().counters().guaranteedDuplicate == 0); // none got that far
    }

    // Every order within the replay window; what comes later than that is dropped and comes again.
    void anyOrderWithinTheWindow() {
        Pair pair(pairSettings());
        const auto packet = [&](std::uint64_t number, std::uint64_t sequence) {
            std::array<std::uint8_t, 64> bytes{};
            ByteWriter out(bytes);
            out.u64(number);
            out.u8(0);
            SectionWriter sections(out, 15);
            sections.guaranteed(sequence, {}, 1, numbered(static_cast<std::uint32_t>(sequence - 1)));
            return pair.receiveAt(pair.b, ByteView(bytes).first(out.size())).outcome;
        };
        Tally tally;
        std::uint64_t number = 1;
        std::uint64_t sequence = 1;
        Random random(4);
        for (int round = 0; round < 50; ++round) {
            // All of a window, shuffled.
            std::vector<std::uint64_t> order(256);
            std::iota(order.begin(), order.end(), std::uint64_t{0});
            for (std::size_t i = order.size(); i > 1; --i) {
                std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
            }
            for (const std::uint64_t offset : order) {
                QVERIFY(packet(number + offset, sequence + offset) == Channel::Outcome::Accepted);
            }
            number += 256;
            sequence += 256;
            tally.take(pair.b);
        }
        QVERIFY(tally.onceEach(256 * 50));
        // Three hundred, newest first: the oldest are beyond the window, and must come in packets of their own.
        std::vector<std::uint64_t> refused;
        for (std::uint64_t offset = 300; offset-- > 0;) {
            if (packet(number + offset, sequence + offset) == Channel::Outcome::Refused) {
                refused.push_back(sequence + offset);
            }
        }
        QCOMPARE(refused.size(), std::size_t{300 - 256});
        number += 300;
        for (const std::uint64_t again : refused) {
            QVERIFY(packet(number++, again) == Channel::Outcome::Accepted);
        }
        tally.take(pair.b);
        QVERIFY(tally.onceEach(256 * 50 + 300));
    }

    // A million packets without a guaranteed message, whose numbers wrap fifteen times, then one.
    void aLongPauseOfGuaranteedMessages() {
        Pair pair(pairSettings({.latency = 100 * Microsecond}));
        ReceivedMessage delivery;
        while (pair.a.counters().packetsSent < 1'000'000) {
            QVERIFY(pair.now < 1000 * Second);
            pair.a.sendUnreliable(2, numbered(7), {}, pair.now);
            pair.run(pair.now + 200 * Microsecond);
            while (pair.b.next(delivery)) {}
        }
        pair.a.send(1, numbered(0), {}, {}, pair.now);
        pair.run(pair.now + 10 * Millisecond);
        Tally tally;
        tally.take(pair.b);
        QVERIFY(tally.onceEach(1));
    }

    // Acknowledgements die for three seconds while data comes through.
    void aDeadWayBackIsNoStorm() {
        World world;
        const World::Ends ends = world.connected();
        LinkSettings settings = linkDown(world).settings();
        settings.loss = 1.0;
        linkDown(world).setSettings(settings);
        std::uint32_t sent = 0;
        Tally tally;
        const std::uint64_t before = ends.client->counters().datagramBytesSent;
        for (int i = 0; i < 300; ++i) {
            sent += i % 10 == 0 && ends.client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
            world.runFor(10 * Millisecond);
            tally.take(*ends.server);
        }
        QVERIFY(tally.onceEach(sent));
        // Each of the thirty may be said some fifteen times in three seconds, not at every round trip.
        QVERIFY2(ends.client->channel().counters().guaranteedResent <= 30 * 15,
                 qPrintable(QString::number(ends.client->channel().counters().guaranteedResent)));
        QVERIFY(ends.client->counters().datagramBytesSent - before < 60'000);
        settings.loss = 0.0;
        linkDown(world).setSettings(settings);
        world.runFor(Second);
        tally.take(*ends.server);
        QVERIFY(ends.client->channel().drained());
        QVERIFY(tally.onceEach(sent));
        QVERIFY(ends.server->channel().counters().guaranteedDuplicate > 0);
    }

    // The application of the receiver takes nothing for five seconds, over a path that loses and reorders: the sender is held back,
    // the connection lives, and then everything comes in its order.
    void aStalledApplicationHoldsItsPeerBack() {
        HostSettings base;
        base.limits.window = 64;
        base.deliveryQueue = 64;
        World world({.latency = 20 * Millisecond, .jitter = 30 * Millisecond, .loss = 0.05}, base);
        const World::Ends ends = world.connected();
        Tally tally;
        std::uint32_t sent = 0;
        std::uint32_t blocked = 0;
        MessageHandle last;
        const auto step = [&] {
            const auto result = ends.client->send(1, numbered(sent), last ? std::span(&last, 1) : std::span<MessageHandle>());
            if (result.status == SendStatus::Sent) {
                last = result.handle;
                ++sent;
            } else {
                QVERIFY(result.status == SendStatus::WouldBlock);
                ++blocked;
            }
            world.runFor(5 * Millisecond);
        };
        for (int i = 0; i < 1000; ++i) {
            step();
            QVERIFY(ends.server->channel().deliveriesWaiting() <= 64);
        }
        QVERIFY(blocked > 500);
        QVERIFY(ends.server->channel().counters().packetsRefused > 0);
        const std::uint32_t stalled = sent;
        QVERIFY2(stalled <= 128, qPrintable(QString::number(stalled)));
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        for (int i = 0; i < 1000; ++i) {
            tally.take(*ends.server);
            step();
        }
        world.runFor(2 * Second);
        tally.take(*ends.server);
        QVERIFY(sent > stalled + 500);
        QVERIFY(tally.onceEach(sent) && tally.ordered);
    }

    // What does not fit is refused whole, and fits later.
    void aFullSenderQueuesNothingByHalves() {
        HostSettings base;
        base.limits.window = 64;
        base.limits.pendingBytes = 64 * 1024;
        World world({.latency = 10 * Millisecond}, base);
        const World::Ends ends = world.connected();
        setLoss(world, 1.0);
        const std::vector<std::uint8_t> big(20'000, 1);
        std::uint32_t sent = 0;
        while (ends.client->send(1, big).status == SendStatus::Sent) {
            ++sent;
        }
        QCOMPARE(sent, 3U);
        const std::uint64_t bytes = ends.client->channel().sendGraph().pendingBytes();
        const std::uint64_t next = ends.client->channel().sendGraph().next();
        QVERIFY(ends.client->send(1, big).status == SendStatus::WouldBlock);
        QCOMPARE(ends.client->channel().sendGraph().pendingBytes(), bytes);
        QCOMPARE(ends.client->channel().sendGraph().next(), next);
        QVERIFY(ends.client->send(1, numbered(1)).status == SendStatus::Sent); // a small one fits still
        setLoss(world, 0.0);
        world.runFor(5 * Second);
        QVERIFY(ends.client->send(1, big).status == SendStatus::Sent);
        world.runFor(5 * Second);
        std::uint32_t came = 0;
        ReceivedMessage delivery;
        while (ends.server->next(delivery)) {
            ++came;
        }
        QCOMPARE(came, 5U);
    }

    // Four megabytes in the background of a megabit, states sixty times a second, and a critical message now and then.
    void bulkLeavesRoomForWhatIsUrgent() {
        HostSettings base;
        base.limits.maxMessage = 256 * 1024;
        base.limits.reassemblyBytes = 1U << 20U;
        base.limits.pendingBytes = 8U << 20U;
        World world({.latency = 25 * Millisecond, .rate = 1e6, .queue = 100 * Millisecond}, base);
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        const std::vector<std::uint8_t> chunk(64 * 1024, 3);
        for (int i = 0; i < 64; ++i) {
            QVERIFY(ends.server->send(9, chunk, {}, {.priority = MessageClass::Priority::Bulk}).status == SendStatus::Sent);
        }
        std::vector<Time> waits;
        int states = 0;
        std::uint64_t bulk = 0;
        ReceivedMessage delivery;
        constexpr int Ticks = 15 * 60;
        for (int i = 0; i < Ticks; ++i) {
            static_cast<void>(ends.server->sendUnreliable(2, std::vector<std::uint8_t>(60), {.latest = true, .key = 1}));
            if (i % 20 == 0) {
                std::array<std::uint8_t, 32> body{};
                const Time now = world.network.now();
                std::memcpy(body.data(), &now, sizeof now);
                QVERIFY(ends.server->send(3, body, {}, {.priority = MessageClass::Priority::Critical}).status
                        == SendStatus::Sent);
            }
            world.runFor(Second / 60);
            while (ends.client->next(delivery)) {
                states += delivery.type == 2 ? 1 : 0;
                bulk += delivery.type == 9 ? delivery.body.size() : 0;
                if (delivery.type == 3) {
                    Time sent = 0;
                    std::memcpy(&sent, delivery.body.bytes().data(), sizeof sent);
                    waits.push_back(delivery.executed - sent);
                }
            }
        }
        std::sort(waits.begin(), waits.end());
        QVERIFY(waits.size() >= 43);
        const Time p99 = waits[waits.size() * 99 / 100];
        QVERIFY2(p99 <= 150 * Millisecond, qPrintable(QString::number(p99 / Millisecond)));
        QVERIFY2(states >= 50 * 15, qPrintable(QString::number(states)));
        // And the background goes on: at least half the line is its.
        QVERIFY2(bulk >= 15 * 62'500, qPrintable(QString::number(bulk)));
        delivery = {};
    }

    // Two that send as much as they may through a megabit, for two minutes: neither takes the queue of the other for the path, so that
    // hardly anything is lost and each has its share.
    void twoShareANarrowLink() {
        World world({.latency = 25 * Millisecond, .rate = 1e6, .queue = 100 * Millisecond});
        Host& host = world.addClient();
        host.connect(serverAddress());
        world.runFor(500 * Millisecond);
        host.connect(serverAddress());
        world.runFor(500 * Millisecond);
        std::vector<std::uint32_t> flows;
        host.forEach([&](const Connection& c) { flows.push_back(c.id()); });
        QCOMPARE(flows.size(), std::size_t{2});
        const std::vector<std::uint8_t> body(500, 1);
        std::array<std::uint64_t, 2> came{};
        ReceivedMessage delivery;
        for (int tick = 0; tick < 120 * 60; ++tick) {
            for (std::size_t i = 0; i < 2; ++i) {
                Connection* const from = host.find(flows[i]);
                Connection* const to = world.server->find(flows[i]);
                QVERIFY(from != nullptr && to != nullptr);
                while (from->send(1, body).status == SendStatus::Sent) {}
                while (to->next(delivery)) {
                    came[i] += tick > 600 ? delivery.body.size() : 0;
                }
            }
            world.runFor(Second / 60);
        }
        delivery = {};
        const LinkCounters& link = linkUp(world).counters();
        QVERIFY2(link.overflowed * 50 < link.sent, qPrintable(QString::number(link.overflowed)));
        QVERIFY(static_cast<double>(std::max(came[0], came[1])) <= 1.3 * static_cast<double>(std::min(came[0], came[1])));
        QVERIFY(came[0] + came[1] > 110 * 125'000 * 8 / 10);
    }

    // Servers, clients and connections made and destroyed in any order, with everything under way.
    void endsComeAndGoInAnyOrder() {
        Random random(17);
        std::uint64_t servers = 0;
        std::uint64_t connections = 0;
        for (int round = 0; round < 40; ++round) {
            World world({.latency = 3 * Millisecond, .jitter = 5 * Millisecond, .loss = 0.1, .duplicate = 0.1}, {},
                        static_cast<std::uint64_t>(round) + 1);
            std::vector<std::size_t> live;
            const auto serve = [&](bool begin) {
                if (world.server) {
                    connections += world.server->counters().accepted;
                    world.network.close(serverAddress());
                    world.server.reset();
                }
                if (begin) {
                    HostSettings listening;
                    listening.listens = true;
                    listening.maxPerNetwork = 1000;
                    listening.timeout = (1 + random.below(10)) * Second;
                    world.server = std::make_unique<Host>(listening, world.network.open(serverAddress()),
                                                          seededEntropy(++servers * 31), world.network.now());
                }
            };
            for (int step = 0; step < 40; ++step) {
                switch (random.below(8)) {
                case 0:
                case 1:
                    live.push_back(world.clients.size());
                    world.addClient().connect(serverAddress());
                    break;
                case 2:
                    if (!live.empty()) {
                        const std::size_t which = random.below(static_cast<std::uint32_t>(live.size()));
                        world.network.close(clientAddress(live[which]));
                        world.clients[live[which]].reset();
                        live.erase(live.begin() + static_cast<std::ptrdiff_t>(which));
                    }
                    break;
                case 3:
                    for (const std::size_t client : live) {
                        world.clients[client]->forEach([&](Connection& c) { c.close(CloseReason::Closed, random.below(50) * Millisecond); });
                    }
                    break;
                case 4: // another server, or none for a while; some ask again
                    serve(random.below(3) != 0);
                    for (const std::size_t client : live) {
                        if (random.below(2) == 0) {
                            world.clients[client]->connect(serverAddress());
                        }
                    }
                    break;
                default:
                    if (world.server) {
                        world.server->forEach([&](Connection& c) {
                            for (std::uint32_t n = random.below(20); n > 0; --n) {
                                static_cast<void>(c.send(1, numbered(n)));
                            }
                            ReceivedMessage delivery;
                            while (c.next(delivery)) {}
                        });
                    }
                    for (const std::size_t client : live) {
                        world.clients[client]->forEach([&](Connection& c) {
                            static_cast<void>(c.send(1, std::vector<std::uint8_t>(random.below(4000))));
                        });
                    }
                }
                world.runFor(random.below(60) * Millisecond);
            }
            serve(false);
            if (round % 2 == 0) {
                world.runFor(12 * Second);
                for (const std::size_t client : live) {
                    QCOMPARE(world.clients[client]->connectionCount(), std::size_t{0});
                }
            }
        }
        QVERIFY2(servers > 80 && connections > 150,
                 qPrintable(QStringLiteral("%1 %2").arg(servers).arg(connections)));
    }

    // W outstanding, no more; a peer that takes more than it was granted is sent away.
    void theWindowIsExact() {
        HostSettings base;
        base.limits.window = 256;
        World world({.latency = 25 * Millisecond}, base);
        const World::Ends ends = world.connected();
        setLoss(world, 1.0);
        std::uint32_t sent = 0;
        while (ends.client->send(1, numbered(sent)).status == SendStatus::Sent) {
            ++sent;
        }
        QCOMPARE(sent, 256U);
        setLoss(world, 0.0);
        world.runFor(3 * Second);
        Tally tally;
        tally.take(*ends.server);
        QVERIFY(tally.onceEach(256));
        QVERIFY(ends.client->send(1, numbered(256)).status == SendStatus::Sent);
        // One that does not keep to it: number W beyond the floor.
        Pair pair(pairSettings());
        std::array<std::uint8_t, 64> bytes{};
        ByteWriter out(bytes);
        out.u8(0);
        SectionWriter sections(out, 15);
        sections.guaranteed(1 + pair.b.receiveGraph().window(), {}, 1, numbered(1));
        Payload scratch;
        const auto judged = pair.b.receive(0, 1, ByteView(bytes).first(out.size()), scratch);
        QVERIFY(judged.outcome == Channel::Outcome::Violation && judged.reason == CloseReason::FlowControl);
    }

    // Five thousand messages a second with a time-out of thirty seconds: nothing is taken for old.
    void fastTrafficOutrunsNoTimer() {
        HostSettings base;
        base.timeout = 30 * Second;
        World world({.latency = 5 * Millisecond}, base);
        const World::Ends ends = world.connected();
        Tally tally;
        std::uint32_t sent = 0;
        for (int i = 0; i < 12'000; ++i) { // a minute of five messages a millisecond
            for (int n = 0; n < 25; ++n) {
                sent += ends.client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
            }
            world.runFor(5 * Millisecond);
            tally.take(*ends.server);
        }
        world.runFor(Second);
        tally.take(*ends.server);
        QVERIFY2(sent >= 299'000, qPrintable(QString::number(sent)));
        QVERIFY(tally.onceEach(sent));
    }

    // A copy of a message's first packet arrives after the numbers have gone around half way.
    void aVeryLateDuplicateIsNotNew() {
        Pair pair(pairSettings({.latency = Millisecond}));
        pair.keepPackets = true;
        pair.a.send(1, numbered(0), {}, {}, pair.now);
        pair.run(10 * Millisecond);
        const std::vector<std::uint8_t> first = pair.packetsForward.front();
        pair.keepPackets = false;
        Tally tally;
        std::uint32_t sent = 1;
        while (sent <= 16'384) {
            for (int n = 0; n < 40; ++n) {
                sent += pair.a.send(1, numbered(sent), {}, {}, pair.now).status == SendStatus::Sent ? 1U : 0U;
            }
            pair.run(pair.now + 5 * Millisecond);
            tally.take(pair.b);
        }
        pair.run(pair.now + 100 * Millisecond);
        QVERIFY(pair.receiveAt(pair.b, first).outcome == Channel::Outcome::Refused);
        // Its message in a fresh packet, which nobody can call stale: the number decodes to one that is executed, or is beyond
        // what the peer may send; either way it runs no second time.
        Payload scratch;
        static_cast<void>(pair.b.receive(pair.now, pair.b.newestReceived() + 1, ByteView(first).subspan(8), scratch));
        pair.run(pair.now + 100 * Millisecond);
        tally.take(pair.b);
        QVERIFY(tally.onceEach(sent));
    }

    // Closing with 5 MiB queued, at once and with two seconds' grace; closing while the handshake runs.
    void closingWithMuchToSay_data() {
        QTest::addColumn<int>("seconds");
        QTest::newRow("at once") << 0;
        QTest::newRow("two seconds") << 2;
    }
    void closingWithMuchToSay() {
        QFETCH(int, seconds);
        HostSettings base;
        base.limits.pendingBytes = base.pendingFromClient = 8U << 20U;
        base.limits.reassemblyBytes = 1U << 20U;
        World world({.latency = 10 * Millisecond, .rate = 50e6}, base);
        const World::Ends ends = world.connected();
        const std::vector<std::uint8_t> chunk(64 * 1024, 1);
        for (int i = 0; i < 80; ++i) {
            QVERIFY(ends.client->send(1, chunk).status == SendStatus::Sent);
        }
        ends.client->close(CloseReason::Closed, seconds * Second);
        QVERIFY(ends.client->send(1, numbered(1)).status == SendStatus::Closed);
        std::uint64_t came = 0;
        const Time begun = world.network.now();
        Time over = Never;
        while (world.network.now() - begun < 5 * Second && over == Never) {
            world.runFor(5 * Millisecond);
            world.server->forEach([&](Connection& c) {
                ReceivedMessage delivery;
                while (c.next(delivery)) {
                    came += delivery.body.size();
                }
            });
            over = world.server->connectionCount() == 0 && ends.host->connectionCount() == 0 ? world.network.now() : over;
        }
        QVERIFY(over != Never);
        if (seconds == 0) {
            QVERIFY(over - begun < Second);
            QVERIFY(came < (5U << 20U));
        } else {
            QCOMPARE(came, std::uint64_t{5U << 20U}); // fifty megabits carry it in less
            QVERIFY(over - begun < 2500 * Millisecond);
        }
        QVERIFY(ended(*world.server) == CloseReason::Closed);
    }
    void closingWhileTheHandshakeRuns() {
        World world;
        Host& host = world.addClient();
        host.connect(serverAddress());
        world.runFor(60 * Millisecond); // the challenge is here, the response on its way
        host.forEach([](Connection& c) { c.close(); });
        world.runFor(10 * Second);
        QCOMPARE(host.connectionCount(), std::size_t{0});
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
    }

    // A thousand idle connections, a minute (ten).
    void idleConnectionsAreQuiet() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        constexpr std::size_t Count = 100;
#else
        constexpr std::size_t Count = 1000;
#endif
        HostSettings base;
        base.maxConnections = 2000;
        base.limits.window = 256;
        World world({.latency = 10 * Millisecond}, base);
        for (std::size_t i = 0; i < Count; ++i) {
            world.addClient().connect(serverAddress());
        }
        const auto step = [&](Time span) {
            world.network.advance(world.network.now() + span);
            for (const auto& client : world.clients) {
                client->update(world.network.now());
            }
            world.server->update(world.network.now());
        };
        for (int i = 0; i < 200; ++i) {
            step(10 * Millisecond);
        }
        QCOMPARE(world.server->connectionCount(), Count);
        const std::uint64_t heard = world.server->counters().datagrams;
        std::uint64_t before = 0;
        world.server->forEach([&](Connection& c) { before += c.counters().datagramsSent; });
        // Ten times a second is often enough for timers of seconds.
        const int seconds = atLength() ? 600 : 60;
        for (int i = 0; i < seconds * 10; ++i) {
            step(Second / 10);
        }
        std::uint64_t after = 0;
        std::size_t memory = 0;
        world.server->forEach([&](Connection& c) {
            after += c.counters().datagramsSent;
            memory = std::max(memory, c.memory());
        });
        QCOMPARE(world.server->connectionCount(), Count);
        // What the server does for each: it takes a ping every two seconds and answers that. What this costs it of a processor,
        // bench_net_limits measures.
        const auto each = [&](std::uint64_t count) {
            return static_cast<double>(count) / static_cast<double>(Count) / seconds;
        };
        qInfo("%.3f datagrams sent a second each, %.3f taken, %zu bytes", each(after - before),
              each(world.server->counters().datagrams - heard), memory);
        QVERIFY(each(after - before) <= 0.51);
        QVERIFY(each(world.server->counters().datagrams - heard) <= 0.51);
        QVERIFY2(memory <= 16 * 1024, qPrintable(QString::number(memory)));
    }

    // An hour of two servers, one after the other, and of clients that come back: no key twice, and under each no number twice.
    void noKeyAndNonceTwice() {
        std::set<std::pair<Key, std::uint64_t>> used;
        std::set<Key> keys;
        std::uint64_t datagrams = 0;
        for (const std::uint64_t seed : {1U, 2U}) {
            World world({.latency = 20 * Millisecond, .jitter = 20 * Millisecond, .loss = 0.05, .duplicate = 0.02}, {}, seed);
            for (int session = 0; session < 10; ++session) {
                const std::size_t index = world.clients.size();
                Forger client(world);
                QVERIFY(client.ready());
                QVERIFY(keys.insert(client.keys().clientToServer).second && keys.insert(client.keys().serverToClient).second);
                std::array<std::uint64_t, 2> newest{};
                bool twice = false;
                world.network.setTap([&](Time, const Address& from, const Address& to, ByteView bytes) {
                    const bool up = from == clientAddress(index);
                    if ((!up && to != clientAddress(index)) || (bytes[0] & 7U) != 4) {
                        return;
                    }
                    ByteReader in(bytes.subspan(up ? 5 : 1));
                    std::uint64_t& known = newest[up ? 0 : 1];
                    const bool isLong = (bytes[0] & 0x10U) != 0;
                    const std::uint64_t number = fromWire(isLong ? in.u32() : in.u16(), isLong ? 32 : 16, known + 1);
                    known = std::max(known, number);
                    const Key& key = up ? client.keys().clientToServer : client.keys().serverToClient;
                    twice = !used.insert({key, number}).second || twice;
                    ++datagrams;
                });
                ReceivedMessage delivery;
                for (int i = 0; i < 180 * 20; ++i) {
                    static_cast<void>(client.ends.client->send(1, numbered(1)));
                    static_cast<void>(client.ends.server->send(1, numbered(2)));
                    world.runFor(50 * Millisecond);
                    while (client.ends.server->next(delivery) || client.ends.client->next(delivery)) {}
                }
                QVERIFY(client.ends.client->channel().counters().guaranteedResent > 50);
                delivery = {};
                client.ends.client->close();
                world.runFor(Second);
                QVERIFY(!twice);
            }
        }
        QVERIFY2(datagrams > 100'000, qPrintable(QString::number(datagrams)));
        QCOMPARE(keys.size(), std::size_t{40});
    }

    // A NAT that forgets after thirty seconds: a keepalive comes every ten at most, both ways.
    void keepalivesKeepMappings() {
        World world;
        const World::Ends ends = world.connected();
        Time last = world.network.now();
        Time longest = 0;
        world.network.setTap([&](Time now, const Address& from, const Address&, ByteView) {
            if (from == clientAddress(0)) {
                longest = std::max(longest, now - last);
                last = now;
            }
        });
        world.runFor(300 * Second);
        QVERIFY(longest <= 10 * Second);
        QVERIFY(ends.host->connectionCount() == 1);
    }
};

QTEST_GUILESS_MAIN(TestChaos)
#include "tst_chaos.moc"
