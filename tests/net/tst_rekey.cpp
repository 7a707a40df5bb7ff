// Keys that are replaced while a connection lives: over bad paths, with late packets, and against peers and
// strangers who mean harm.

#include <QtTest>

#include "tests/net/end_state.h"
#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <rapidcheck.h>

#include <set>

using namespace sbx;
using namespace sbx::net;

namespace {

constexpr std::uint8_t PhaseBit = 0x08;

std::vector<std::uint8_t> copyOf(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

// The lowest bits of generations and the numbers of packets, as a sender's datagrams show them.
class Wire {
public:
    // Of one connection; from now on.
    Wire(World& world, const World::Ends& ends) {
        directions[0].newest = ends.client->channel().nextPacket() - 1;
        directions[1].newest = ends.server->channel().nextPacket() - 1;
        world.network.setTap([this](Time, const Address& from, const Address&, ByteView bytes) {
            for (const std::uint8_t byte : bytes)
                digest = (digest ^ byte) * 0x100000001B3U;
            if ((bytes[0] & 7U) != 4)
                return;
            const bool up = from != serverAddress();
            Direction& direction = directions[up ? 0 : 1];
            ByteReader in(bytes.subspan(up ? 5 : 1));
            const bool isLong = (bytes[0] & 0x10U) != 0;
            const std::uint64_t number =
                fromWire(isLong ? in.u32() : in.u16(), isLong ? 32 : 16, direction.newest + 1);
            direction.twice = direction.twice || !direction.numbers.insert(number).second;
            direction.newest = std::max(direction.newest, number);
            direction.changes += ((bytes[0] & PhaseBit) != 0) != (direction.changes % 2 == 1) ? 1U : 0U;
        });
    }
    struct Direction {
        std::set<std::uint64_t> numbers;
        std::uint64_t newest = 0;
        std::uint64_t changes = 0;
        bool twice = false; // a number that was used before
    };
    std::array<Direction, 2> directions; // up, down
    std::uint64_t digest = 0xCBF29CE484222325U;
};

// Guaranteed messages both ways in one chain each, for so long.
struct Talk {
    Talk(World& inWorld, World::Ends between)
        : world(inWorld), ends(between), id(between.client != nullptr ? between.client->id() : 0) {}
    void run(Time span) {
        for (const Time until = world.network.now() + span; world.network.now() < until && connected();) {
            say(*ends.client, up, lastUp);
            say(*ends.server, down, lastDown);
            world.runFor(20 * Millisecond);
            take();
        }
    }
    // Otherwise the two ends must not be looked at any more.
    [[nodiscard]] bool connected() const {
        return world.server->find(id) != nullptr && ends.host->find(id) != nullptr;
    }
    // Until all of it has been executed.
    bool drain() {
        for (int i = 0; i < 600 && connected() && (heardUp.total < up || heardDown.total < down); ++i) {
            world.runFor(50 * Millisecond);
            take();
        }
        return heardUp.onceEach(up) && heardDown.onceEach(down) && heardUp.ordered && heardDown.ordered;
    }
    World& world;
    World::Ends ends;
    std::uint32_t id;
    std::uint32_t up = 0;
    std::uint32_t down = 0;
    Tally heardUp;
    Tally heardDown;

private:
    static void say(Connection& end, std::uint32_t& count, MessageHandle& last) {
        const auto sent =
            end.send(1, numbered(count), last ? std::span(&last, 1) : std::span<const MessageHandle>());
        if (sent.status != SendStatus::Sent)
            return;
        last = sent.handle;
        ++count;
    }
    void take() {
        heardUp.take(*ends.server);
        heardDown.take(*ends.client);
    }
    MessageHandle lastUp;
    MessageHandle lastDown;
};

HostSettings changingAfter(std::uint64_t packets) {
    HostSettings settings;
    settings.rekey.packets = packets;
    return settings;
}

// A client's datagram that does not arrive: an unreliable message with that number.
std::vector<std::uint8_t> heldBack(World& world, const World::Ends& ends, std::uint32_t number) {
    LinkDirection& up = world.network.direction(clientAddress(0), serverAddress());
    const LinkSettings before = up.settings();
    LinkSettings dark = before;
    dark.loss = 1.0;
    up.setSettings(dark);
    std::vector<std::uint8_t> kept;
    world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
        if (from == clientAddress(0))
            kept = copyOf(bytes);
    });
    ends.client->sendUnreliable(7, numbered(number), {});
    world.runFor(Millisecond);
    world.network.setTap({});
    up.setSettings(before);
    return kept;
}

} // namespace

class TestRekey : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7 max_success=25");
    }

    // Ordered messages both ways over any path: all arrive once and in order, while both ends change keys
    // again and again.
    void anyPathOutlivesItsKeys() {
        QVERIFY(rc::check("every message once, in order, under changing keys", [] {
            LinkSettings link;
            link.latency = *rc::gen::inRange(0, 200) * Millisecond;
            link.jitter = *rc::gen::inRange(0, 200) * Millisecond;
            link.loss = *rc::gen::inRange(0, 31) / 100.0;
            link.burst = *rc::gen::inRange(1, 6);
            link.duplicate = *rc::gen::inRange(0, 30) / 100.0;
            link.reorder = *rc::gen::inRange(0, 30) / 100.0;
            link.reorderBy = *rc::gen::inRange(0, 1000) * Millisecond;
            link.corrupt = *rc::gen::inRange(0, 5) / 100.0;
            const auto packets = static_cast<std::uint64_t>(*rc::gen::inRange(1, 200));
            World world(link, changingAfter(packets), static_cast<std::uint64_t>(*rc::gen::inRange(1, 1000)));
            Talk talk(world, world.connected());
            if (talk.ends.server == nullptr)
                return; // the path was too bad for a handshake
            Wire wire(world, talk.ends);
            // A half-made connection of an attempt before would be seen in the same direction.
            const bool alone = world.server->connectionCount() == 1;
            talk.run(40 * Second);
            RC_ASSERT(talk.drain() && talk.connected());
            const std::uint64_t client = talk.ends.client->keyGeneration();
            const std::uint64_t server = talk.ends.server->keyGeneration();
            RC_ASSERT(client >= 3U && server >= 3U);
            RC_ASSERT(client <= server + 1 && server <= client + 1);
            for (const Wire::Direction& direction : wire.directions) {
                if (&direction == &wire.directions[1] && !alone)
                    continue;
                RC_ASSERT(!direction.twice);
                RC_ASSERT(direction.changes >= client && direction.changes <= client + 2);
            }
        }));
    }

    void theSameSeedChangesTheSame() {
        std::array<std::uint64_t, 2> digests{};
        for (std::uint64_t& digest : digests) {
            World world({.latency = 30 * Millisecond, .jitter = 40 * Millisecond, .loss = 0.1},
                        changingAfter(50), 5);
            Talk talk(world, world.connected());
            QVERIFY(talk.ends.server != nullptr);
            Wire wire(world, talk.ends);
            talk.run(30 * Second);
            QVERIFY(talk.ends.server->keyGeneration() >= 4);
            digest = wire.digest;
        }
        QCOMPARE(digests[0], digests[1]);
    }

    // Nothing but keepalives: the time alone changes keys.
    void anIdleConnectionChangesByTime() {
        World world;
        const World::Ends ends = world.connected();
        QVERIFY(ends.server != nullptr);
        world.runFor(599 * Second);
        QCOMPARE(ends.server->keyGeneration(), std::uint64_t{0});
        world.runFor(10 * Second);
        QCOMPARE(ends.server->keyGeneration(), std::uint64_t{1});
        QCOMPARE(ends.client->keyGeneration(), std::uint64_t{1});
        world.runFor(3600 * Second);
        QVERIFY(ends.server->keyGeneration() >= 6 && ends.server->keyGeneration() <= 7);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
    }

    // Numbers around their wrap, and the most that wait: the generation is found there as well.
    void numbersWrapMeanwhile() {
        HostSettings settings = changingAfter(60);
        settings.firstPacket = std::uint64_t{0} - 300;
        World world({.latency = 30 * Millisecond, .jitter = 60 * Millisecond, .loss = 0.1}, settings);
        Talk talk(world, world.connected());
        QVERIFY(talk.ends.server != nullptr);
        talk.run(20 * Second);
        QVERIFY(talk.drain());
        QVERIFY(talk.ends.server->keyGeneration() >= 3);
        QVERIFY(talk.ends.server->channel().newestReceived() < 10'000);
    }

    // What was sealed before a change is opened for a while after it, and no longer.
    void oldKeysOpenForAWhile() {
        World world({.latency = 5 * Millisecond}, changingAfter(100));
        Talk talk(world, world.connected());
        const World::Ends ends = talk.ends;
        QVERIFY(ends.server != nullptr);
        talk.run(2800 * Millisecond);
        QVERIFY(talk.drain());
        const auto early = heldBack(world, ends, 1001);
        const auto late = heldBack(world, ends, 1002);
        QCOMPARE(ends.server->keyGeneration(), std::uint64_t{0});
        talk.run(300 * Millisecond);
        QVERIFY(talk.drain());
        QCOMPARE(ends.server->keyGeneration(), std::uint64_t{1});
        QVERIFY((early[0] & PhaseBit) == 0);
        const auto heard = [&] {
            std::set<std::uint32_t> numbers;
            ReceivedMessage delivery;
            while (ends.server->next(delivery))
                if (delivery.type == 7)
                    numbers.insert(numberOf(delivery.body.bytes()));
            return numbers;
        };
        heard();
        world.network.inject(clientAddress(0), serverAddress(), early);
        world.runFor(Millisecond);
        QCOMPARE(heard(), std::set<std::uint32_t>{1001});
        // Again: the replay window is one for all generations.
        const std::uint64_t replayed = ends.server->counters().replayed;
        world.network.inject(clientAddress(0), serverAddress(), early);
        world.runFor(Millisecond);
        QCOMPARE(ends.server->counters().replayed, replayed + 1);
        world.runFor(KeyGenerations::Grace);
        QCOMPARE(ends.server->keyGeneration(), std::uint64_t{1});
        const std::uint64_t stale = ends.server->counters().stale;
        const std::uint64_t failed = ends.server->counters().authFailed;
        world.network.inject(clientAddress(0), serverAddress(), late);
        world.runFor(Millisecond);
        QCOMPARE(ends.server->counters().stale, stale); // it is in the window, but its keys are gone
        QCOMPARE(ends.server->counters().authFailed, failed + 1);
        QVERIFY(heard().empty());
        QVERIFY(talk.drain());
    }

    // One end has changed, and nothing of what the other says reaches it: the other must not change again
    // meanwhile.
    void aPathThatIsDeadOneWayDuringAChange_data() {
        QTest::addColumn<bool>("clientBegins");
        QTest::newRow("the client begins") << true;
        QTest::newRow("the server begins") << false;
    }
    void aPathThatIsDeadOneWayDuringAChange() {
        QFETCH(bool, clientBegins);
        HostSettings settings = changingAfter(50);
        settings.timeout = 30 * Second;
        World world({.latency = 20 * Millisecond}, settings);
        Talk talk(world, world.connected());
        QVERIFY(talk.ends.server != nullptr);
        LinkDirection& dead = clientBegins ? world.network.direction(serverAddress(), clientAddress(0))
                                           : world.network.direction(clientAddress(0), serverAddress());
        talk.run(2900 * Millisecond);
        const LinkSettings alive = dead.settings();
        LinkSettings dark = alive;
        dark.loss = 1.0;
        dead.setSettings(dark);
        talk.run(12 * Second);
        QVERIFY((clientBegins ? talk.ends.server : talk.ends.client)->keyGeneration() <= 1);
        dead.setSettings(alive);
        talk.run(10 * Second);
        QVERIFY(talk.drain());
        QVERIFY(talk.ends.server->keyGeneration() >= 2);
    }

    // Strangers who flip the phase of what they caught, replay what was sealed with other keys, or make
    // datagrams up: nothing changes.
    void forgedAndReplayedChangesAreNone() {
        World world({.latency = 5 * Millisecond}, changingAfter(100));
        Talk talk(world, world.connected());
        QVERIFY(talk.ends.server != nullptr);
        std::vector<std::vector<std::uint8_t>> caught;
        world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
            if (from == clientAddress(0) && (bytes[0] & 7U) == 4)
                caught.push_back(copyOf(bytes));
        });
        talk.run(15 * Second);
        QVERIFY(talk.drain());
        world.network.setTap({});
        QVERIFY(talk.ends.server->keyGeneration() >= 3);
        Random random(3);
        const auto before = stateOf(*talk.ends.server);
        const std::uint64_t refused = refusedBy(*world.server, *talk.ends.server);
        std::size_t injected = 0;
        for (const std::vector<std::uint8_t>& each : caught) {
            for (int how = 0; how < 3; ++how) {
                std::vector<std::uint8_t> bytes = each;
                if (how > 0)
                    bytes[0] = static_cast<std::uint8_t>(bytes[0] ^ PhaseBit);
                if (how > 1) { // a number that was not used yet
                    const std::uint64_t number =
                        talk.ends.server->channel().newestReceived() + 1 + random.below(100);
                    bytes[5] = static_cast<std::uint8_t>(number);
                    bytes[6] = static_cast<std::uint8_t>(number >> 8U);
                }
                world.network.inject(clientAddress(0), serverAddress(), bytes);
                ++injected;
            }
            world.server->update(world.network.now());
        }
        QVERIFY(injected > 1000);
        QCOMPARE(stateOf(*talk.ends.server), before);
        QCOMPARE(refusedBy(*world.server, *talk.ends.server), refused + injected);
        talk.run(Second);
        QVERIFY(talk.drain());
    }

    // A peer with keys that changes them with every packet: the server follows once a second at most, and
    // others see nothing of it.
    void aStormOfChangesIsFollowedOnceASecond() {
        World world({.latency = 5 * Millisecond});
        Forger forger(world);
        QVERIFY(forger.ready());
        Connection& victim = *forger.ends.server;
        // From here on the client is what the test says.
        world.network.close(clientAddress(0));
        world.clients[0].reset();
        Talk other(world, world.connected());
        QVERIFY(other.ends.server != nullptr);
        std::vector<Cipher> generations{Cipher(forger.keys(), true, 0)};
        const std::array<std::uint8_t, 3> payload{0x00, static_cast<std::uint8_t>(7U | (1U << 3U)), 0x01}; // a ping
        std::uint64_t number = victim.channel().newestReceived();
        std::uint64_t sent = 0;
        const Time begun = world.network.now();
        for (int i = 0; i < 1000; ++i) {
            const std::uint64_t generation = victim.keyGeneration() + 1;
            while (generations.size() <= generation)
                generations.push_back(generations.back().following());
            ++number;
            std::array<std::uint8_t, MaxDatagram> bytes{};
            ByteWriter out(bytes);
            out.u8(static_cast<std::uint8_t>(0x24U | (generation % 2 << 3U)));
            out.u32(forger.keys().connection);
            out.u16(static_cast<std::uint16_t>(number));
            out.bytes(payload);
            generations[generation].seal(number, bytes, 7, payload.size());
            world.network.inject(clientAddress(0), serverAddress(),
                                 ByteView(bytes).first(7 + payload.size() + TagSize));
            ++sent;
            other.run(20 * Millisecond);
        }
        const double seconds = static_cast<double>(world.network.now() - begun) / static_cast<double>(Second);
        const auto followed = static_cast<double>(victim.keyGeneration());
        QVERIFY2(followed <= seconds + 1.0 && followed >= seconds / 2.0,
                 qPrintable(QString::number(followed)));
        QVERIFY(victim.counters().authFailed > sent / 2);
        QVERIFY(other.drain());
        QCOMPARE(other.ends.server->keyGeneration(), std::uint64_t{0});
        QCOMPARE(other.ends.server->counters().authFailed, std::uint64_t{0});
    }

    // Two generations ahead: such a packet has the phase of the current one, and its tag is wrong.
    void aGenerationIsNotSkipped() {
        const SessionKeys keys = deriveKeys(Key{1}, Key{2}, {});
        const RekeySettings settings{.packets = 10, .period = 100 * Second};
        KeyGenerations server(keys, false, 7, settings, 0);
        const Cipher second = Cipher(keys, true, 7).following().following();
        std::array<std::uint8_t, 64> datagram{0x24};
        second.seal(5, datagram, 7, 20);
        QVERIFY(!server.open(50 * Second, 5, false, std::span(datagram).first(7 + 20 + TagSize), 7));
        QCOMPARE(server.opening(), std::uint64_t{0});
    }

    // The two ends alone: who begins, who follows, and when the keys before are wiped.
    void bothBeginAtOnce() {
        const SessionKeys keys = deriveKeys(Key{1}, Key{2}, {});
        const RekeySettings settings{.packets = 1, .period = 100 * Second};
        KeyGenerations client(keys, true, 7, settings, 0);
        KeyGenerations server(keys, false, 7, settings, 0);
        std::uint64_t number = 0;
        const auto pass = [&](KeyGenerations& from, KeyGenerations& to, Time now) {
            std::array<std::uint8_t, 64> datagram{0x24};
            ++number;
            const bool phase = from.phase();
            from.seal(number, datagram, 7, 20);
            return to.open(now, number, phase, std::span(datagram).first(7 + 20 + TagSize), 7).has_value();
        };
        QVERIFY(pass(client, server, 0) && pass(server, client, 0));
        client.update(3 * Second, true, 1);
        server.update(3 * Second, true, 1);
        QCOMPARE(client.sealing(), std::uint64_t{1});
        QCOMPARE(server.sealing(), std::uint64_t{1});
        QCOMPARE(client.opening(), std::uint64_t{0});
        QVERIFY(pass(client, server, 3 * Second) && pass(server, client, 3 * Second));
        QCOMPARE(client.opening(), std::uint64_t{1});
        QCOMPARE(server.opening(), std::uint64_t{1});
        QVERIFY(server.opensPrevious());
        server.update(3 * Second + KeyGenerations::Grace, true, 1);
        QVERIFY(!server.opensPrevious());
        QCOMPARE(server.sealing(), std::uint64_t{1}); // what it sent under 1 is not acknowledged yet
    }
};

QTEST_GUILESS_MAIN(TestRekey)
#include "tst_rekey.moc"
