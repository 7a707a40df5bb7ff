#include <QtTest>

#include "tests/net/numbered.h"
#include "tests/net/world.h"

#include <map>

// Every counter there is counts: in some scenario, and what it should.

using namespace sbx;
using namespace sbx::net;

namespace {

using Counts = std::map<std::string, std::uint64_t>;

template <typename Counters> void gather(Counts& into, const Counters& counters) {
    counters.forEach([&](const char* name, std::uint64_t value) { into[name] += value; });
}
template <typename Counters> std::size_t named() {
    std::size_t count = 0;
    Counters().forEach([&](const char*, std::uint64_t) { ++count; });
    return count;
}
template <typename Counters> Counts zeros() {
    Counts all;
    gather(all, Counters());
    return all;
}
QString uncounted(const Counts& counts) {
    QString names;
    for (const auto& [name, value] : counts) {
        names += value == 0 ? QString::fromStdString(name) + QLatin1Char(' ') : QString();
    }
    return names;
}

// A payload of one's own making.
Channel::Received forged(Channel& channel, std::uint64_t number, ByteView bytes) {
    Payload scratch;
    return channel.receive(0, number, bytes, scratch);
}

} // namespace

class TestCounters : public QObject {
    Q_OBJECT
private slots:
    // Whoever lists counters lists all of them.
    void noneIsLeftOut() {
        QCOMPARE(named<ChannelCounters>() * sizeof(std::uint64_t), sizeof(ChannelCounters));
        QCOMPARE(named<ConnectionCounters>() * sizeof(std::uint64_t), sizeof(ConnectionCounters));
        QCOMPARE(named<HostCounters>() * sizeof(std::uint64_t), sizeof(HostCounters));
        QCOMPARE(named<LinkCounters>() * sizeof(std::uint64_t), sizeof(LinkCounters));
    }

    // Each of a channel's, in the situation that it is for.
    void channelsCount() {
        Counts all = zeros<ChannelCounters>();
        {
            // A clean path: both ends agree on everything.
            Pair pair(pairSettings({.latency = 5 * Millisecond}));
            MessageHandle last;
            for (std::uint32_t n = 0; n < 600; ++n) {
                last = pair.a
                           .send(1, numbered(n),
                                 last && n % 2 == 0 ? std::span<const MessageHandle>(&last, 1)
                                                    : std::span<const MessageHandle>(),
                                 {.copies = n % 50 == 0 ? std::uint8_t{2} : std::uint8_t{1}}, pair.now)
                           .handle;
                pair.a.sendUnreliable(2, numbered(n), {}, pair.now);
                pair.run(pair.now + 5 * Millisecond);
                ReceivedMessage delivery;
                while (pair.b.next(delivery)) {}
            }
            const std::vector<std::uint8_t> big(3 * FragmentSize);
            pair.a.send(1, big, {}, {}, pair.now);
            pair.run(pair.now + 5 * Second);
            ReceivedMessage delivery;
            while (pair.b.next(delivery)) {}
            delivery = {};
            const ChannelCounters& a = pair.a.counters();
            const ChannelCounters& b = pair.b.counters();
            QCOMPARE(a.guaranteedSent, std::uint64_t{601});
            QCOMPARE(b.guaranteedReceived, a.guaranteedSent);
            QCOMPARE(b.guaranteedExecuted, a.guaranteedSent);
            QCOMPARE(b.packetsReceived, a.packetsSent);
            QCOMPARE(a.packetsReceived, b.packetsSent);
            QCOMPARE(b.bytesReceived, a.bytesSent);
            QCOMPARE(a.bytesReceived, b.bytesSent);
            QCOMPARE(a.bytesSent + Pair::Overhead * a.packetsSent, pair.bytesForward);
            QCOMPARE(b.bytesSent + Pair::Overhead * b.packetsSent, pair.bytesBackward);
            QCOMPARE(a.fragmentsSent, std::uint64_t{3});
            QCOMPARE(b.fragmentsReceived, std::uint64_t{3});
            QCOMPARE(a.unreliableSent, std::uint64_t{600});
            QCOMPARE(b.unreliableReceived, std::uint64_t{600});
            QCOMPARE(a.copiesSent + a.packetsLost, b.guaranteedDuplicate + a.packetsLost);
            QCOMPARE(a.packetsLost, std::uint64_t{0});
            QVERIFY(a.dependenciesSent >= 250); // each odd one is unacknowledged when the next names it
            QVERIFY(a.numbersSkipped > 0);
            QVERIFY(b.ackOnlySent > 100);
            gather(all, a);
            gather(all, b);
        }
        {
            // A bad one.
            Pair pair(pairSettings({.latency = 20 * Millisecond, .jitter = 40 * Millisecond, .loss = 0.2}));
            const std::vector<std::uint8_t> big(5 * FragmentSize);
            MessageHandle last;
            for (std::uint32_t n = 0; n < 600; ++n) {
                const auto needs = last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>();
                const MessageHandle sent = pair.a.send(1, numbered(n), needs, {}, pair.now).handle;
                last = sent ? sent : last;
                pair.a.sendUnreliable(2, numbered(n), {.latest = true, .key = 1}, pair.now);
                pair.a.sendUnreliable(3, numbered(n), {.after = last}, pair.now);
                if (n % 20 == 0) {
                    pair.a.send(1, big, {}, {}, pair.now);
                }
                pair.run(pair.now + 10 * Millisecond);
                ReceivedMessage delivery;
                while (pair.b.next(delivery)) {}
            }
            pair.drain(30 * Second);
            const ChannelCounters& a = pair.a.counters();
            const ChannelCounters& b = pair.b.counters();
            QCOMPARE(b.guaranteedReceived, a.guaranteedSent);
            QVERIFY(a.packetsLost - a.packetsSpurious <= pair.forward.counters().lost + 200); // lost acknowledgements too
            QVERIFY(a.packetsLost >= pair.forward.counters().lost * 8 / 10);
            QVERIFY(a.bytesResent >= a.guaranteedResent * 4);
            QVERIFY(b.guaranteedWaited > 20);
            QVERIFY(b.unreliableReceived >= b.unreliableOutdated + b.unreliableTooEarly);
            gather(all, a);
            gather(all, b);
        }
        {
            // Nothing comes through: queues fill.
            Pair pair(pairSettings());
            pair.gate = [](bool, std::uint64_t, ByteView) { return false; };
            std::uint64_t refused = 0;
            for (std::uint32_t n = 0; n < 1100; ++n) {
                refused += pair.a.send(1, numbered(n), {}, {}, pair.now).status == SendStatus::WouldBlock ? 1U : 0U;
                pair.a.sendUnreliable(2, numbered(n), {}, pair.now);
            }
            QCOMPARE(pair.a.counters().sendsBlocked, refused);
            QCOMPARE(pair.a.counters().sendsBlocked, std::uint64_t{1100 - 1024});
            QCOMPARE(pair.a.counters().unreliableDroppedOldest, std::uint64_t{1100 - 1024});
            gather(all, pair.a.counters());
        }
        {
            // The application takes nothing.
            PairSettings settings = pairSettings();
            settings.b.own.window = settings.a.peer.window = 16;
            settings.b.deliveryQueue = 16;
            Pair pair(settings);
            for (std::uint32_t n = 0; n < 60; ++n) {
                pair.a.send(1, numbered(n), {}, {}, pair.now);
                pair.run(pair.now + 10 * Millisecond);
            }
            QVERIFY(pair.b.counters().packetsRefused > 0);
            gather(all, pair.b.counters());
        }
        {
            // What no peer of ours would send.
            Pair pair(pairSettings());
            const std::array<std::uint8_t, 3> nonsense{0xFF, 0xFF, 0xFF};
            QVERIFY(forged(pair.b, 1, nonsense).outcome == Channel::Outcome::Violation);
            QCOMPARE(pair.b.counters().packetsMalformed, std::uint64_t{1});
            std::array<std::uint8_t, 32> room{};
            ByteWriter out(room);
            AckInfo ack;
            ack.present = true;
            ack.newest = 777; // never sent
            writeAck(out, ack, 0);
            QVERIFY(forged(pair.b, 2, ByteView(room).first(out.size())).outcome == Channel::Outcome::Violation);
            QCOMPARE(pair.b.counters().acksBogus, std::uint64_t{1});
            pair.b.handlerFailed();
            QCOMPARE(pair.b.counters().handlerFailures, std::uint64_t{1});
            gather(all, pair.b.counters());
        }
        {
            // Lost fragments come again, and late ones twice.
            Pair pair(pairSettings({.latency = 20 * Millisecond, .loss = 0.1, .duplicate = 0.3, .reorder = 0.2, .reorderBy = 200 * Millisecond}));
            const std::vector<std::uint8_t> big(20 * FragmentSize);
            for (int n = 0; n < 40; ++n) {
                pair.a.send(1, big, {}, {}, pair.now);
                pair.run(pair.now + 100 * Millisecond);
                ReceivedMessage delivery;
                while (pair.b.next(delivery)) {}
            }
            pair.drain(20 * Second);
            gather(all, pair.a.counters());
            gather(all, pair.b.counters());
            ReceivedMessage delivery;
            while (pair.b.next(delivery)) {}
        }
        QCOMPARE(uncounted(all), QString());
    }

    // Connections and hosts, over the same.
    void connectionsAndHostsCount() {
        Counts connections = zeros<ConnectionCounters>();
        Counts hosts = zeros<HostCounters>();
        Counts links = zeros<LinkCounters>();
        const auto harvest = [&](World& world) {
            for (Host* host : {world.server.get(), world.clients.empty() ? nullptr : world.clients[0].get()}) {
                if (host == nullptr) {
                    continue;
                }
                gather(hosts, host->counters());
                host->forEach([&](const Connection& c) { gather(connections, c.counters()); });
            }
            if (!world.clients.empty()) {
                gather(links, world.network.direction(clientAddress(0), serverAddress()).counters());
                gather(links, world.network.direction(serverAddress(), clientAddress(0)).counters());
            }
        };
        {
            // The bytes of both ends are those on the wire, exactly, on a path that loses, doubles and damages.
            World world({.latency = 10 * Millisecond, .jitter = 5 * Millisecond, .loss = 0.05, .duplicate = 0.05,
                         .reorder = 0.05, .corrupt = 0.02, .rate = 1e6, .queue = 20 * Millisecond});
            std::uint64_t wire = 0;
            std::uint64_t datagrams = 0;
            world.network.setTap([&](Time, const Address&, const Address&, ByteView bytes) {
                wire += bytes.size();
                ++datagrams;
            });
            const World::Ends ends = world.connected();
            QVERIFY(ends.server != nullptr);
            for (std::uint32_t n = 0; n < 600; ++n) {
                static_cast<void>(ends.client->send(1, std::vector<std::uint8_t>(900)));
                static_cast<void>(ends.server->send(1, numbered(n)));
                world.runFor(5 * Millisecond);
                ReceivedMessage delivery;
                while (ends.server->next(delivery) || ends.client->next(delivery)) {}
            }
            world.runFor(Second);
            std::uint64_t counted = 0;
            for (Connection* end : {ends.client, ends.server}) {
                counted += end->counters().datagramBytesSent;
            }
            counted += world.server->counters().handshakeBytesSent + ends.host->counters().handshakeBytesSent;
            QCOMPARE(counted, wire);
            const std::uint64_t delivered =
                world.network.direction(clientAddress(0), serverAddress()).counters().delivered
                + world.network.direction(serverAddress(), clientAddress(0)).counters().delivered;
            QVERIFY(world.server->counters().datagrams + ends.host->counters().datagrams + 20 >= delivered);
            QVERIFY(datagrams > 1000);
            QVERIFY(ends.server->counters().authFailed > 5);   // damaged
            QVERIFY(ends.server->counters().replayed > 5);     // doubled
            // Malformed, and stale: by hand.
            std::vector<std::uint8_t> kept;
            world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
                if (kept.empty() && from == clientAddress(0) && (bytes[0] & 7U) == 4) {
                    kept.assign(bytes.begin(), bytes.end());
                }
            });
            for (int i = 0; i < 600; ++i) {
                static_cast<void>(ends.client->sendUnreliable(1, numbered(1)));
                world.runFor(5 * Millisecond);
            }
            world.network.inject(clientAddress(0), serverAddress(), kept);
            auto reserved = kept;
            reserved.resize(8);
            world.network.inject(clientAddress(0), serverAddress(), reserved);
            world.network.inject(clientAddress(7), serverAddress(), std::vector<std::uint8_t>(40, 0xFF));
            auto stranger = kept;
            stranger[1] ^= 0x55U;
            world.network.inject(clientAddress(7), serverAddress(), stranger);
            world.runFor(Millisecond);
            QCOMPARE(ends.server->counters().stale, std::uint64_t{1});
            QVERIFY(ends.server->counters().malformed == 1);
            QVERIFY(world.server->counters().malformed >= 1);
            QVERIFY(world.server->counters().unknownConnection >= 1);
            // A new address, which must prove itself.
            world.network.rebind(clientAddress(0), Address::v4(9, 9, 9, 9, 9));
            for (int i = 0; i < 40; ++i) {
                static_cast<void>(ends.client->send(1, numbered(1)));
                world.runFor(20 * Millisecond);
            }
            QCOMPARE(ends.server->counters().migrations, std::uint64_t{1});
            QVERIFY(ends.server->counters().pathChallenges >= 1);
            harvest(world);
        }
        {
            // The program sleeps.
            World world;
            const World::Ends ends = world.connected();
            QVERIFY(ends.server != nullptr);
            world.serverSleeps = true;
            world.runFor(8 * Second);
            world.serverSleeps = false;
            world.runFor(Second);
            QVERIFY(world.server->counters().suspensions >= 1);
            harvest(world);
        }
        {
            // More packets than granted; a blackout.
            HostSettings base;
            base.packetsPerSecond = 50.0;
            World world({.latency = 5 * Millisecond, .blackoutFrom = 2 * Second, .blackoutUntil = 2500 * Millisecond}, base);
            const World::Ends ends = world.connected();
            for (int i = 0; i < 1500 && ends.server->counters().rateExceeded == 0; ++i) {
                static_cast<void>(ends.client->sendUnreliable(1, std::vector<std::uint8_t>(900)));
                world.runFor(2 * Millisecond);
            }
            QVERIFY(ends.server->counters().rateExceeded > 0);
            harvest(world);
            world.run(2100 * Millisecond);
            static_cast<void>(ends.client->sendUnreliable(1, numbered(1)));
            world.runFor(100 * Millisecond);
            QVERIFY(world.network.direction(clientAddress(0), serverAddress()).counters().blackedOut > 0);
            gather(links, world.network.direction(clientAddress(0), serverAddress()).counters());
        }
        {
            // A server that is full, slow to answer, and asked twice.
            HostSettings base;
            base.maxConnections = 1;
            base.challengesPerSecond = 2.0;
            World world({.latency = 5 * Millisecond, .duplicate = 0.9}, base);
            for (int i = 0; i < 6; ++i) {
                world.addClient().connect(serverAddress());
            }
            world.runFor(6 * Second);
            QVERIFY(world.server->counters().challengesHeld > 0);
            QCOMPARE(world.server->counters().accepted, std::uint64_t{1});
            QVERIFY(world.server->counters().denied > 0);
            QVERIFY(world.server->counters().requests >= world.server->counters().challengesSent);
            QVERIFY(world.server->counters().responsesRepeated > 0);
            harvest(world);
        }
        {
            // Forged: a response whose cookie is wrong, a challenge nobody asked for.
            World world({.latency = 5 * Millisecond});
            std::vector<std::uint8_t> challenge;
            std::vector<std::uint8_t> response;
            world.network.setTap([&](Time, const Address&, const Address&, ByteView bytes) {
                if ((bytes[0] & 7U) == 1) {
                    challenge.assign(bytes.begin(), bytes.end());
                } else if ((bytes[0] & 7U) == 2) {
                    response.assign(bytes.begin(), bytes.end());
                }
            });
            const World::Ends ends = world.connected();
            QVERIFY(ends.server != nullptr);
            world.network.inject(serverAddress(), clientAddress(0), challenge);
            world.network.inject(Address::v4(8, 8, 8, 8, 8), serverAddress(), response);
            world.runFor(Millisecond);
            QCOMPARE(world.server->counters().cookiesWrong, std::uint64_t{1});
            QCOMPARE(ends.host->counters().forgedHandshake, std::uint64_t{1});
            harvest(world);
        }
        {
            // A transport that takes nothing for a while.
            class Broken final : public Transport {
            public:
                explicit Broken(Transport& inner) : m_inner(inner) {}
                TransportStatus send(const Address& to, ByteView datagram) override {
                    return broken ? TransportStatus::Failed : m_inner.send(to, datagram);
                }
                std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
                    return m_inner.receive(buffer);
                }
                bool broken = false;

            private:
                Transport& m_inner;
            };
            World world({.latency = 5 * Millisecond});
            Broken broken(world.network.open(clientAddress(0)));
            Host host({}, broken, seededEntropy(5), world.network.now());
            host.connect(serverAddress());
            const auto run = [&](Time span) {
                for (const Time end = world.network.now() + span; world.network.now() < end;) {
                    world.runFor(Millisecond);
                    host.update(world.network.now());
                }
            };
            run(200 * Millisecond);
            Connection* connection = nullptr;
            host.forEach([&](Connection& c) { connection = &c; });
            QVERIFY(connection != nullptr && connection->state() == Connection::State::Connected);
            broken.broken = true;
            static_cast<void>(connection->send(1, numbered(0)));
            run(100 * Millisecond);
            QVERIFY(connection->counters().sendFailures > 0);
            broken.broken = false;
            run(500 * Millisecond);
            Tally tally;
            world.server->forEach([&](Connection& c) { tally.take(c); });
            QVERIFY(tally.onceEach(1));
            gather(connections, connection->counters());
        }
        {
            // A server with much to say to a client that has proved nothing yet.
            World world({.latency = 25 * Millisecond});
            Host& host = world.addClient();
            world.network.setTap([&](Time, const Address& from, const Address& to, ByteView bytes) {
                if ((bytes[0] & 7U) == 4 && to == serverAddress()) {
                    world.network.direction(from, to).setSettings({.loss = 1.0});
                }
            });
            host.connect(serverAddress());
            world.runFor(90 * Millisecond);
            world.server->forEach([&](Connection& c) {
                for (int i = 0; i < 20; ++i) {
                    static_cast<void>(c.send(1, std::vector<std::uint8_t>(900)));
                }
            });
            world.runFor(Second);
            world.server->forEach([&](Connection& c) {
                QVERIFY(c.counters().amplificationHeld > 0);
                gather(connections, c.counters());
            });
        }
        {
            // A server that asks for a password, and a client that has another at first.
            HostSettings base;
            base.fixedKey = makeKeyPair(Key{9, 8, 7});
            base.passwordKey = passwordKey("open sesame", base.fixedKey->open);
            World world({.latency = 5 * Millisecond}, base);
            Host& host = world.addClient();
            for (const char* const password : {"open barley", "open sesame"}) {
                host.connect(serverAddress(), Host::Introduction{.expected = std::nullopt, .password = password});
                world.runFor(2 * Second);
            }
            QCOMPARE(world.server->counters().passwordsWrong, std::uint64_t{1});
            gather(hosts, world.server->counters());
        }
        QCOMPARE(uncounted(connections), QString());
        QCOMPARE(uncounted(hosts), QString());
        QCOMPARE(uncounted(links), QString());
    }
};

QTEST_GUILESS_MAIN(TestCounters)
#include "tst_counters.moc"
