#include <QtTest>

#include "tests/net/end_state.h"
#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <array>
#include <set>

// Datagrams that are damaged, out of order, or come again: what is not taken leaves no trace, what is good comes through.

using namespace sbx;
using namespace sbx::net;

namespace {

struct Captured {
    Time time = 0;
    Address from;
    Address to;
    std::vector<std::uint8_t> bytes;
    friend bool operator==(const Captured&, const Captured&) = default;
};

void capture(World& world, std::vector<Captured>& into) {
    world.network.setTap([&into](Time time, const Address& from, const Address& to, ByteView bytes) {
        into.push_back({time, from, to, {bytes.begin(), bytes.end()}});
    });
}

// A world with one connection, and what a game says over it: everything that can be seen from outside is kept.
struct Game {
    World world{
        {.latency = 10 * Millisecond, .jitter = 8 * Millisecond, .loss = 0.05, .duplicate = 0.02}, {}, 7};
    Forger peer{world};
    std::vector<Captured> wire;
    std::vector<std::pair<Time, std::vector<std::uint8_t>>> heard;
    std::uint32_t said = 0;

    Game() { capture(world, wire); }
    void play(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            for (Connection* end : {peer.ends.client, peer.ends.server}) {
                const MessageHandle before = end->send(1, numbered(said++)).handle;
                static_cast<void>(end->send(2, numbered(said++), std::span(&before, 1)));
                static_cast<void>(
                    end->sendUnreliable(3, numbered(said++), {.latest = true, .key = said % 3}));
            }
            world.runFor(Second / 60);
            ReceivedMessage delivery;
            for (Connection* end : {peer.ends.client, peer.ends.server}) {
                while (end->next(delivery)) {
                    const auto bytes = delivery.body.bytes();
                    heard.emplace_back(delivery.executed,
                                       std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
                }
            }
        }
    }
};

// A payload with a guaranteed message in it that makes a datagram of that size.
std::vector<std::uint8_t> payloadFor(std::size_t datagram, bool toServer, std::uint16_t sequence) {
    std::vector<std::uint8_t> bytes(datagram - (toServer ? 7 : 3) - TagSize);
    ByteWriter out(bytes);
    out.u8(0);
    SectionWriter(out, 15).guaranteed(
        sequence, {}, 9, std::vector<std::uint8_t>(std::min<std::size_t>(bytes.size() - 10, 900), 7));
    return bytes; // the rest is padding
}

// A transport that keeps what comes through it, update by update.
class Logged final : public Transport {
public:
    struct Round {
        Time time = 0;
        bool update = false; // else the application's turn
        std::vector<std::pair<Address, std::vector<std::uint8_t>>> arrived;
    };
    Logged(Transport& below, const SimulatedNetwork& network) : m_below(below), m_network(network) {}
    TransportStatus send(const Address& to, ByteView datagram) override {
        sent.push_back({m_network.now(), {}, to, {datagram.begin(), datagram.end()}});
        return m_below.send(to, datagram);
    }
    void gather() override { rounds.push_back({m_network.now(), true, {}}); } // an update has begun
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        const auto got = m_below.receive(buffer);
        if (got) {
            rounds.back().arrived.emplace_back(
                got->from, std::vector<std::uint8_t>(
                               buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got->size)));
        }
        return got;
    }
    void applicationsTurn() { rounds.push_back({m_network.now(), false, {}}); }
    std::vector<Round> rounds;
    std::vector<Captured> sent;

private:
    Transport& m_below;
    const SimulatedNetwork& m_network;
};

// And one that plays a log back.
class Played final : public Transport {
public:
    TransportStatus send(const Address& to, ByteView datagram) override {
        sent.push_back({now, {}, to, {datagram.begin(), datagram.end()}});
        return TransportStatus::Sent;
    }
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        if (round == nullptr || next == round->arrived.size()) {
            return std::nullopt;
        }
        const auto& [from, bytes] = round->arrived[next++];
        std::copy(bytes.begin(), bytes.end(), buffer.begin());
        return ReceivedDatagram{bytes.size(), from};
    }
    Time now = 0;
    const Logged::Round* round = nullptr;
    std::size_t next = 0;
    std::vector<Captured> sent;
};

struct Taken {
    Time arrived;
    Time executed;
    bool guaranteed;
    std::uint16_t type;
    std::vector<std::uint8_t> body;
    friend bool operator==(const Taken&, const Taken&) = default;
};

// A server's application: says what it heard to whoever said it, each after the one before.
class Echo {
public:
    void turn(Host& host) {
        host.forEach([this](Connection& c) {
            ReceivedMessage delivery;
            while (c.next(delivery)) {
                const auto bytes = delivery.body.bytes();
                taken.push_back({delivery.arrived,
                                 delivery.executed,
                                 delivery.guaranteed,
                                 delivery.type,
                                 {bytes.begin(), bytes.end()}});
                m_last =
                    c.send(delivery.type, bytes, m_last ? std::span(&m_last, 1) : std::span<MessageHandle>())
                        .handle;
            }
        });
    }
    std::vector<Taken> taken;

private:
    MessageHandle m_last;
};

} // namespace

class TestDamage : public QObject {
    Q_OBJECT
private slots:
    // Every bit of the largest datagram flipped, every length, and garbage behind it: dropped and counted, one by one; and
    // nothing is different for it afterwards, to the last byte on the wire.
    void damagedDatagramsLeaveNoTrace_data() {
        QTest::addColumn<bool>("toServer");
        QTest::addColumn<int>("size");
        QTest::newRow("to the server") << true << 1200;
        QTest::newRow("to the client") << false << 1200;
        QTest::newRow("a small one to the server") << true << 60;
        QTest::newRow("a small one to the client") << false << 60;
    }
    void damagedDatagramsLeaveNoTrace() {
        QFETCH(bool, toServer);
        QFETCH(int, size);
        Game damaged;
        Game untouched;
        for (Game* game : {&damaged, &untouched}) {
            QVERIFY(game->peer.ready());
            game->play(60);
        }
        Host& host = toServer ? *damaged.world.server : *damaged.peer.ends.host;
        Connection& end = toServer ? *damaged.peer.ends.server : *damaged.peer.ends.client;
        Connection& sender = toServer ? *damaged.peer.ends.client : *damaged.peer.ends.server;
        const auto payload = payloadFor(static_cast<std::size_t>(size), toServer,
                                        static_cast<std::uint16_t>(sender.channel().sendGraph().next() + 50));
        const auto good = damaged.peer.seal(payload, !toServer);
        QCOMPARE(good.size(), static_cast<std::size_t>(size));
        const auto before = stateOf(end);
        const std::size_t onTheWire = damaged.wire.size();
        std::uint64_t counted = refusedBy(host, end);
        std::uint64_t count = 0;
        const auto bad = [&](const std::vector<std::uint8_t>& bytes) {
            ++count;
            damaged.peer.inject(bytes, !toServer);
            host.update(damaged.world.network.now());
            return refusedBy(host, end) == ++counted && stateOf(end) == before
                   && damaged.wire.size() == onTheWire;
        };
        for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
            auto bytes = good;
            bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << (bit % 8)));
            QVERIFY2(bad(bytes), qPrintable(QStringLiteral("bit %1").arg(bit)));
        }
        for (std::size_t length = 0; length < good.size(); ++length) {
            QVERIFY2(bad({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}),
                     qPrintable(QStringLiteral("cut to %1").arg(length)));
        }
        for (const std::uint8_t garbage : std::array<std::uint8_t, 3>{0x00, 0x55, 0xFF}) {
            for (std::size_t extra = 1; extra <= 200; ++extra) {
                auto bytes = good;
                bytes.resize(good.size() + extra, garbage);
                QVERIFY2(bad(bytes), qPrintable(QStringLiteral("%1 more").arg(extra)));
            }
        }
        QCOMPARE(count, static_cast<std::uint64_t>(size) * 9 + 600);
        QVERIFY(end.counters().authFailed >= static_cast<std::uint64_t>(size) * 8);
        // As if it had not been.
        damaged.play(120);
        untouched.play(120);
        QVERIFY(damaged.wire == untouched.wire);
        QVERIFY(damaged.heard == untouched.heard);
        // And what was damaged is taken when it is not.
        const std::uint64_t received = end.channel().counters().packetsReceived;
        damaged.peer.send(payloadFor(static_cast<std::size_t>(size), toServer,
                                     static_cast<std::uint16_t>(sender.channel().sendGraph().next())),
                          !toServer);
        host.update(damaged.world.network.now());
        QCOMPARE(end.channel().counters().packetsReceived, received + 1);
    }

    // What a sender's packets come in, block by block in any order as far as the replay window goes, is everything, once.
    void anyOrderWithinTheWindowIsTaken() {
        World world({.latency = 5 * Millisecond}, {}, 3);
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        struct Held {
            std::uint16_t number;
            std::vector<std::uint8_t> bytes;
        };
        // Until the sender has seen how much the path carries.
        for (std::uint32_t n = 0; n < 3000; ++n) {
            static_cast<void>(ends.client->send(2, std::vector<std::uint8_t>(900)));
            world.runFor(Millisecond);
            ReceivedMessage delivery;
            while (ends.server->next(delivery)) {}
        }
        world.runFor(Second);
        ReceivedMessage delivery;
        while (ends.server->next(delivery)) {}
        delivery = {};
        std::vector<Held> held;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (from == clientAddress(0)) {
                ByteReader in(bytes.subspan(5));
                held.push_back({in.u16(), {bytes.begin(), bytes.end()}});
            }
        });
        world.network.direction(clientAddress(0), serverAddress()).setSettings({.loss = 1.0});
        Random random(6);
        Tally tally;
        std::uint32_t sent = 0;
        int blocks = 0;
        int waited = 0;
        std::size_t before = 0;
        std::size_t largest = 0;
        for (int step = 0; blocks < 12; ++step) {
            QVERIFY2(step < 20'000,
                     qPrintable(QStringLiteral("%1 held, %2 sent").arg(held.size()).arg(sent)));
            sent += ends.client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
            world.runFor(Millisecond / 2);
            // The newest 256 numbers, and no more, may be in any order; or as many as the sender has under way.
            const bool quiet = held.size() == before && ++waited >= 60;
            waited = held.size() == before ? waited : 0;
            before = held.size();
            if (held.empty()
                || (!quiet && static_cast<std::uint16_t>(held.back().number - held.front().number) < 249)) {
                continue;
            }
            std::vector<Held> block;
            std::swap(block, held);
            while (static_cast<std::uint16_t>(block.back().number - block.front().number) >= 256) {
                held.insert(held.begin(), block.back()); // goes with the next
                block.pop_back();
            }
            largest = std::max(largest, block.size());
            for (std::size_t i = block.size(); i > 1; --i) {
                std::swap(block[i - 1], block[random.below(static_cast<std::uint32_t>(i))]);
            }
            for (const Held& one : block) {
                world.network.inject(clientAddress(0), serverAddress(), one.bytes);
            }
            world.runFor(20 * Millisecond);
            tally.take(*ends.server);
            QCOMPARE(ends.server->counters().stale + ends.server->counters().replayed, std::uint64_t{0});
            ++blocks;
        }
        QVERIFY2(largest >= 150, qPrintable(QString::number(largest)));
        world.network.setTap({});
        world.network.direction(clientAddress(0), serverAddress()).setSettings({.latency = 5 * Millisecond});
        world.runFor(3 * Second);
        tally.take(*ends.server);
        QVERIFY(tally.onceEach(sent));
        QVERIFY(!tally.ordered); // it was a mess
        QVERIFY(ends.client->channel().drained());
    }
    // Beyond: a packet that comes more than 256 numbers late is dropped, and what it held has been sent again.
    void whatComesLaterIsDroppedAndSentAgain() {
        World world({.latency = 5 * Millisecond}, {}, 4);
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        std::vector<std::vector<std::uint8_t>> late;
        bool take = false;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (from == clientAddress(0) && take) {
                late.emplace_back(bytes.begin(), bytes.end());
                take = false;
            }
        });
        LinkDirection& up = world.network.direction(clientAddress(0), serverAddress());
        Tally tally;
        std::uint32_t sent = 0;
        for (int round = 0; round < 20; ++round) {
            take = true;
            up.setSettings({.loss = 1.0}); // this one takes another way
            QVERIFY(ends.client->send(1, numbered(sent++)).status == SendStatus::Sent);
            world.runFor(0);
            QVERIFY(!take);
            up.setSettings({.latency = 5 * Millisecond});
            const std::uint64_t from = ends.server->channel().newestReceived();
            for (int i = 0; ends.server->channel().newestReceived() <= from + 260 && i < 5000; ++i) {
                sent += ends.client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
                world.runFor(Millisecond);
                tally.take(*ends.server);
            }
            const std::uint64_t stale = ends.server->counters().stale;
            world.network.inject(clientAddress(0), serverAddress(), late.back());
            world.runFor(0);
            QCOMPARE(ends.server->counters().stale, stale + 1);
        }
        QCOMPARE(late.size(), std::size_t{20});
        world.runFor(Second);
        tally.take(*ends.server);
        QVERIFY(tally.onceEach(sent));
        QVERIFY(ends.client->channel().counters().guaranteedResent >= 20);
    }

    // Every datagram of a session again, both ways: while it lasts, in the client's next one, after the server was restarted,
    // when the cookies' secrets are others; from the same address and from another. Nobody's state is different for it.
    void replayedDatagramsChangeNothing() {
        World world({.latency = 5 * Millisecond}, {}, 9);
        std::vector<Captured> recorded;
        capture(world, recorded);
        World::Ends now = world.connected();
        QVERIFY(now.server != nullptr);
        const auto talk = [&] {
            for (int i = 0; i < 50; ++i) {
                QVERIFY(now.client->send(1, numbered(1)).status == SendStatus::Sent);
                QVERIFY(now.server->send(2, numbered(2)).status == SendStatus::Sent);
                world.runFor(16 * Millisecond);
            }
            world.runFor(Second);
            Tally up;
            Tally down;
            up.take(*now.server);
            down.take(*now.client);
            QCOMPARE(up.total, 50U);
            QCOMPARE(down.total, 50U);
        };
        talk();
        world.network.setTap({});
        QVERIFY(recorded.size() > 100);
        const Address elsewhere = Address::v4(6, 6, 6, 6, 6);
        const auto replay = [&](const char* when) {
            for (const bool same : {true, false}) {
                world.server->update(world.network.now());
                now.host->update(world.network.now());
                const auto atServer = stateOf(*now.server);
                const auto atClient = stateOf(*now.client);
                const std::uint64_t accepted = world.server->counters().accepted;
                for (const Captured& c : recorded) {
                    world.network.inject(same ? c.from : elsewhere, c.to, c.bytes);
                }
                world.server->update(world.network.now());
                now.host->update(world.network.now());
                QVERIFY2(stateOf(*now.server) == atServer && stateOf(*now.client) == atClient, when);
                QCOMPARE(world.server->counters().accepted, accepted);
                QCOMPARE(world.server->connectionCount(), std::size_t{1});
                QCOMPARE(now.host->connectionCount(), std::size_t{1});
            }
            talk();
        };
        replay("in the same session");
        const std::uint64_t repeated = world.server->counters().responsesRepeated;
        QVERIFY(repeated > 0); // the cookie is right still, and used up
        const auto again = [&] {
            now.host->connect(serverAddress());
            world.runFor(Second);
            now.client = nullptr;
            now.host->forEach([&](Connection& c) { now.client = &c; });
            QVERIFY(now.client != nullptr && now.client->state() == Connection::State::Connected);
            now.server = world.server->find(now.client->id());
            QVERIFY(now.server != nullptr);
        };
        const std::uint32_t first = now.client->id();
        now.client->close();
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount() + now.host->connectionCount(), std::size_t{0});
        again();
        QVERIFY(now.client->id() != first);
        replay("in the next session");
        QVERIFY(world.server->counters().responsesRepeated > repeated);
        const std::uint64_t wrong = world.server->counters().cookiesWrong;
        world.runFor(61 * Second);
        replay("when the cookie is too old");
        QVERIFY(world.server->counters().cookiesWrong > wrong);
        // The server is killed, and another takes its place.
        world.network.close(serverAddress());
        HostSettings listening;
        listening.listens = true;
        world.server = std::make_unique<Host>(listening, world.network.open(serverAddress()),
                                              seededEntropy(999), world.network.now());
        world.runFor(12 * Second);
        QCOMPARE(now.host->connectionCount(), std::size_t{0});
        again();
        replay("after the server was restarted");
        QVERIFY(world.server->counters().cookiesWrong > 0);
    }

    // One seed, the same bytes at the same times, and no number twice.
    void sameSeedSameBytes() {
        const auto run = [](std::uint64_t seed) {
            World world({.latency = 20 * Millisecond, .jitter = 10 * Millisecond, .loss = 0.1}, {}, seed);
            std::vector<Captured> session;
            capture(world, session);
            auto ends = world.connected();
            for (std::uint32_t i = 0; i < 200; ++i) {
                static_cast<void>(ends.client->send(1, numbered(i)));
                static_cast<void>(ends.server->send(1, numbered(i)));
                world.runFor(16 * Millisecond);
            }
            world.network.setTap({});
            return session;
        };
        const auto a = run(3);
        QVERIFY(a == run(3));
        std::set<std::pair<Address, std::vector<std::uint8_t>>> numbers;
        for (const Captured& one : a) {
            if ((one.bytes[0] & 7U) == 4) {
                const std::ptrdiff_t header = (one.bytes[0] & 0x20U) != 0 ? 7 : 3;
                QVERIFY(numbers.insert({one.from, {one.bytes.begin(), one.bytes.begin() + header}}).second);
            }
        }
        QVERIFY(run(4).back().bytes != a.back().bytes);
    }
    // What came to a server, recorded and played to another with the same secrets: the same deliveries, and the same bytes leave.
    void aRecordedTracePlaysTheSame() {
        constexpr std::uint64_t Seed = 77;
        HostSettings listening;
        listening.listens = true;
        World world({.latency = 15 * Millisecond,
                     .jitter = 20 * Millisecond,
                     .loss = 0.1,
                     .duplicate = 0.05,
                     .corrupt = 0.02},
                    {}, 5);
        world.server.reset();
        world.network.close(serverAddress());
        Logged logged(world.network.open(serverAddress()), world.network);
        const Time begun = world.network.now();
        world.server = std::make_unique<Host>(listening, logged, seededEntropy(Seed), begun);
        Echo live;
        for (int i = 0; i < 3; ++i) {
            world.addClient().connect(serverAddress());
        }
        std::uint32_t said = 0;
        const std::vector<std::uint8_t> large(5000, 3);
        for (int step = 0; step < 600; ++step) {
            for (const auto& client : world.clients) {
                client->forEach([&](Connection& c) {
                    static_cast<void>(c.send(1, numbered(said++)));
                    static_cast<void>(c.sendUnreliable(2, numbered(said++), {.latest = true, .key = 1}));
                    if (step % 50 == 0) {
                        static_cast<void>(c.send(3, large));
                    }
                    ReceivedMessage delivery;
                    while (c.next(delivery)) {}
                });
            }
            world.runFor(5 * Millisecond);
            logged.applicationsTurn();
            live.turn(*world.server);
        }
        QVERIFY2(live.taken.size() > 2000, qPrintable(QString::number(live.taken.size())));
        Played played;
        played.now = begun;
        Host second(listening, played, seededEntropy(Seed), begun);
        Echo replayed;
        for (const Logged::Round& round : logged.rounds) {
            played.now = round.time;
            if (round.update) {
                played.round = &round;
                played.next = 0;
                second.update(round.time);
                QCOMPARE(played.next, round.arrived.size());
            } else {
                replayed.turn(second);
            }
        }
        QVERIFY(replayed.taken == live.taken);
        QVERIFY(played.sent == logged.sent);
    }
};

QTEST_GUILESS_MAIN(TestDamage)
#include "tst_damage.moc"
