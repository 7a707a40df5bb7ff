#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

#include "tests/folders.h"
#include "tests/net/world.h"

#include <map>

using namespace sbx;
using namespace sbx::net;

namespace {

struct Captured {
    Time time;
    Address from;
    Address to;
    std::vector<std::uint8_t> bytes;
};

void capture(World& world, std::vector<Captured>& into) {
    world.network.setTap([&into](Time time, const Address& from, const Address& to, ByteView bytes) {
        into.push_back({time, from, to, {bytes.begin(), bytes.end()}});
    });
}

std::vector<std::string> received(Connection& connection) {
    std::vector<std::string> texts;
    ReceivedMessage delivery;
    while (connection.next(delivery)) {
        texts.push_back(textOf(delivery));
    }
    return texts;
}

CloseReason lastClose(Host& host) {
    ConnectionEvent event;
    CloseReason reason = CloseReason::None;
    while (host.nextEvent(event)) {
        reason = event.kind == ConnectionEvent::Kind::Closed ? event.reason : reason;
    }
    return reason;
}

} // namespace

class TestHost : public QObject {
    Q_OBJECT
private slots:
    void theFirstMessageArrivesAfterOneAndAHalfRoundTrips() {
        World world;
        Host& client = world.addClient();
        client.connect(serverAddress());
        bool sent = false;
        Time arrived = 0;
        while (world.network.now() < Second && arrived == 0) {
            world.runFor(Millisecond);
            client.forEach([&](Connection& connection) {
                if (!sent) {
                    QCOMPARE(connection.send(1, viewOf("hello")).status, SendStatus::Sent);
                    sent = true;
                }
            });
            world.server->forEach([&](Connection& connection) {
                if (!received(connection).empty()) {
                    arrived = world.network.now();
                }
            });
        }
        QVERIFY2(arrived <= 77 * Millisecond, qPrintable(QString::number(arrived)));
    }

    void messagesGoBothWaysWithTheirDependencies() {
        World world({.latency = 20 * Millisecond, .jitter = 10 * Millisecond, .loss = 0.1});
        auto ends = world.connected();
        QVERIFY(ends.client != nullptr);
        const auto spawn = ends.server->send(1, viewOf("spawn"));
        const auto kill = ends.server->send(2, viewOf("kill"), std::array{spawn.handle});
        QCOMPARE(static_cast<int>(kill.status), static_cast<int>(SendStatus::Sent));
        QVERIFY(world.server->state(kill.handle) == HandleState::Pending);
        ends.client->send(3, viewOf("chat"));
        world.runFor(2 * Second);
        QCOMPARE(received(*ends.client), (std::vector<std::string>{"spawn", "kill"}));
        QCOMPARE(received(*ends.server), (std::vector<std::string>{"chat"}));
        QVERIFY(world.server->state(kill.handle) == HandleState::Executed);
        // The server's limits, not the least ones, hold by now.
        QCOMPARE(ends.client->channel().sendGraph().limits().window, 1024U);
    }

    // What may be pending, by the way it goes. Never less than one message may have.
    void eachWayHasItsOwnRoom_data() {
        QTest::addColumn<std::uint32_t>("limit");
        QTest::addColumn<std::uint32_t>("largest");
        QTest::addColumn<std::uint32_t>("toServer");
        QTest::addColumn<std::uint32_t>("toClient");
        QTest::newRow("by default") << 0U << 64U * 1024U << 256U * 1024U << (1U << 20U);
        QTest::newRow("less for all") << 128U * 1024U << 64U * 1024U << 128U * 1024U << 128U * 1024U;
        QTest::newRow("large messages") << (1U << 20U) << 512U * 1024U << 512U * 1024U << (1U << 20U);
    }
    void eachWayHasItsOwnRoom() {
        QFETCH(std::uint32_t, limit);
        QFETCH(std::uint32_t, largest);
        QFETCH(std::uint32_t, toServer);
        QFETCH(std::uint32_t, toClient);
        HostSettings base;
        if (limit != 0)
            base.limits.pendingBytes = limit;
        base.limits.maxMessage = largest;
        World world({.latency = 20 * Millisecond}, base);
        const auto ends = world.connected();
        QVERIFY(ends.server != nullptr);
        world.runFor(Second);
        const std::vector<std::uint8_t> body(4096, 1);
        for (const bool up : {true, false}) {
            Connection& from = up ? *ends.client : *ends.server;
            QCOMPARE(from.channel().sendGraph().limits().bytes, std::uint64_t{up ? toServer : toClient});
            std::uint32_t sent = 0;
            while (from.send(1, body).status == SendStatus::Sent)
                sent += 4096;
            QCOMPARE(sent, up ? toServer : toClient);
        }
        world.runFor(60 * Second);
        for (Connection* const to : {ends.server, ends.client}) { // and the other end takes it all
            std::uint32_t came = 0;
            ReceivedMessage delivery;
            while (to->next(delivery))
                came += static_cast<std::uint32_t>(delivery.body.size());
            QCOMPARE(came, to == ends.server ? toServer : toClient);
        }
    }

    // A client that has never met a server is told its key; one that expects another, or one where there is none, does not go on.
    void aKeyIsAskedFor() {
        HostSettings base;
        base.fixedKey = makeKeyPair(Key{9, 8, 7});
        World world({.latency = 5 * Millisecond}, base);
        Host& client = world.addClient();
        const auto ends = [&](const Host::Introduction& introduction) {
            client.connect(serverAddress(), introduction);
            world.runFor(2 * Second);
            CloseReason reason = CloseReason::None;
            ConnectionEvent event;
            while (client.nextEvent(event))
                reason = event.kind == ConnectionEvent::Kind::Closed ? event.reason : CloseReason::None;
            return reason;
        };
        QVERIFY(ends({}) == CloseReason::None);
        QCOMPARE(client.connectionCount(), std::size_t{1});
        client.forEach([&](const Connection& connection) {
            QVERIFY(connection.serverKey() == base.fixedKey->open);
            QVERIFY(connection.authenticated());
        });
        QVERIFY(ends({.expected = base.fixedKey->open, .password = {}}) == CloseReason::None);
        QCOMPARE(client.connectionCount(), std::size_t{2});
        const std::uint64_t answered = world.server->counters().responses;
        QVERIFY(ends({.expected = makeKeyPair(Key{1, 2, 3}).open, .password = {}}) == CloseReason::ServerKeyChanged);
        QVERIFY(client.offeredKey() == base.fixedKey->open);
        QCOMPARE(world.server->counters().responses, answered); // nothing went to it
        QCOMPARE(client.connectionCount(), std::size_t{2});
    }
    void aServerWithoutAKeyIsNotTheOneThatHadOne() {
        World world({.latency = 5 * Millisecond});
        Host& client = world.addClient();
        client.connect(serverAddress(), Host::Introduction{.expected = makeKeyPair(Key{1, 2, 3}).open, .password = {}});
        world.runFor(2 * Second);
        ConnectionEvent event;
        QVERIFY(client.nextEvent(event) && event.reason == CloseReason::ServerKeyChanged);
        QVERIFY(!client.offeredKey());
        client.connect(serverAddress(), Host::Introduction{});
        world.runFor(2 * Second);
        QVERIFY(client.nextEvent(event) && event.kind == ConnectionEvent::Kind::Connected);
        QVERIFY(!client.find(event.connection)->authenticated());
    }

    // Who does not know the password never has a connection; each wrong one costs its address a second.
    void aPasswordIsProven() {
        HostSettings base;
        base.fixedKey = makeKeyPair(Key{9, 8, 7});
        base.passwordKey = passwordKey("open sesame", base.fixedKey->open);
        World world({.latency = 5 * Millisecond}, base);
        Host& client = world.addClient();
        const auto asks = [&](const char* password) {
            client.connect(serverAddress(), Host::Introduction{.expected = std::nullopt, .password = password});
            world.runFor(Second / 2);
            CloseReason reason = CloseReason::None;
            ConnectionEvent event;
            while (client.nextEvent(event))
                reason = event.kind == ConnectionEvent::Kind::Closed ? event.reason : CloseReason::None;
            return reason;
        };
        for (const char* const wrong : {"", "open barley", "open sesame "}) {
            QVERIFY(asks(wrong) == CloseReason::DeniedPassword);
            QVERIFY(asks("open sesame") == CloseReason::DeniedBanned);
            world.runFor(Second);
        }
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
        QCOMPARE(world.server->counters().passwordsWrong, std::uint64_t{3});
        QVERIFY(asks("open sesame") == CloseReason::None);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        world.server->forEach([](const Connection& connection) { QVERIFY(connection.authenticated()); });
        // On another server the same password proves nothing that could be used here.
        QVERIFY(passwordKey("open sesame", makeKeyPair(Key{7}).open) != *base.passwordKey);
    }

    void aFixedKeyNamesTheServer() {
        HostSettings base;
        base.fixedKey = makeKeyPair(Key{9, 8, 7});
        World world({.latency = 5 * Millisecond}, base);
        QVERIFY(world.connected(base.fixedKey->open).client != nullptr);
        // A client that expects another server never speaks with this one.
        Key other = makeKeyPair(Key{1, 2, 3}).open;
        const auto ends = world.connected(other);
        QVERIFY(ends.client == nullptr);
        QVERIFY(lastClose(*ends.host) == CloseReason::HandshakeTimeout);
    }

    void whoDoesNotFitIsToldWhy() {
        HostSettings base;
        base.maxConnections = 1;
        World world({.latency = 5 * Millisecond}, base);
        QVERIFY(world.connected().client != nullptr);
        const auto second = world.connected();
        QVERIFY(second.client == nullptr);
        QVERIFY(lastClose(*second.host) == CloseReason::DeniedFull);
        const auto differing = [&](const ProtocolIdentity& identity) {
            HostSettings settings;
            settings.identity = identity;
            Host host(settings, world.network.open(Address::v4(10, 9, 9, 9, 1)), seededEntropy(5),
                      world.network.now());
            host.connect(serverAddress());
            for (int i = 0; i < 200; ++i) {
                host.update(world.network.now());
                world.runFor(Millisecond);
            }
            const CloseReason reason = lastClose(host);
            world.network.close(Address::v4(10, 9, 9, 9, 1));
            return reason;
        };
        QVERIFY(differing({.id = 5}) == CloseReason::DeniedVersion);
        QVERIFY(differing({.table = {1}}) == CloseReason::DeniedTable);
    }

    void handshakesSurviveLoss() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            HostSettings base;
            World world({.latency = 25 * Millisecond, .loss = 0.3}, base, seed);
            QVERIFY(world.connected().client != nullptr);
        }
    }

    // Whatever bit of the challenge is wrong: the client asks again.
    void aDamagedChallengeIsNotTheEnd() {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            World world({.latency = 10 * Millisecond}, {}, seed);
            LinkDirection& down = world.network.direction(serverAddress(), clientAddress(0));
            LinkSettings settings = down.settings();
            settings.corrupt = 1.0;
            down.setSettings(settings);
            Host& host = world.addClient();
            host.connect(serverAddress());
            world.runFor(25 * Millisecond);
            QCOMPARE(down.counters().corrupted, std::uint64_t{1});
            settings.corrupt = 0.0;
            down.setSettings(settings);
            world.runFor(2 * Second);
            std::size_t connected = 0;
            host.forEach(
                [&](Connection& c) { connected += c.state() == Connection::State::Connected ? 1U : 0U; });
            QVERIFY2(connected == 1 && host.connectionCount() == 1, qPrintable(QString::number(seed)));
            world.runFor(3 * Second);
            QCOMPARE(world.server->connectionCount(), std::size_t{1}); // what was begun in vain is gone
        }
    }
    void nothingIsRememberedBeforeACookieIsRight() {
        World world;
        const Address spoofed = Address::v4(1, 2, 3, 4, 5);
        std::vector<std::uint8_t> request(MaxDatagram);
        std::size_t bytesIn = 0;
        for (int i = 0; i < 1000; ++i) {
            Request forged;
            forged.clientKey[0] = static_cast<std::uint8_t>(i);
            writeRequest(request, forged);
            world.network.inject(spoofed, serverAddress(), request);
            bytesIn += request.size();
            Response response;
            response.request = forged;
            response.secretIndex = static_cast<std::uint8_t>(i);
            writeResponse(request, response);
            world.network.inject(spoofed, serverAddress(), request);
        }
        world.server->update(world.network.now());
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
        QCOMPARE(world.server->counters().challengesSent, std::uint64_t{1000});
        QCOMPARE(world.server->counters().cookiesWrong, std::uint64_t{1000});
        // Amplification at most a tenth.
        QVERIFY(static_cast<double>(world.server->counters().handshakeBytesSent)
                <= 0.1 * static_cast<double>(bytesIn));
    }

    void challengesAreLimitedInRate() {
        HostSettings base;
        base.challengesPerSecond = 100;
        World world({}, base);
        std::vector<std::uint8_t> request(MaxDatagram);
        writeRequest(request, {});
        for (int i = 0; i < 1000; ++i) {
            world.network.inject(clientAddress(static_cast<std::size_t>(i % 50)), serverAddress(), request);
        }
        world.server->update(world.network.now());
        QCOMPARE(world.server->counters().challengesSent, std::uint64_t{100});
    }

    // Datagrams with a client's or the server's address that neither of them sent.
    void forgedDatagramsAreIgnored() {
        World world;
        auto ends = world.connected();
        const Address server = serverAddress();
        const Address client = clientAddress(0);
        std::array<std::uint8_t, ChallengeSize> challenge{};
        writeChallenge(challenge, {});
        world.network.inject(server, client, challenge);
        std::array<std::uint8_t, DenySize> deny{};
        writeDeny(deny, {});
        world.network.inject(server, client, deny);
        // A datagram of the right shape with a number far ahead, and no key (netcode's mistake).
        for (int i = 0; i < 10; ++i) {
            std::vector<std::uint8_t> forged{0x34, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x0F};
            const std::uint32_t id = ends.client->id();
            std::memcpy(forged.data() + 1, &id, 4);
            forged.resize(60, 0xAA);
            world.network.inject(client, server, forged);
        }
        const std::uint64_t newest = ends.server->channel().newestReceived();
        world.runFor(Millisecond);
        QCOMPARE(ends.server->channel().newestReceived(), newest);
        QCOMPARE(ends.server->counters().authFailed, std::uint64_t{10});
        ends.client->send(1, viewOf("still here"));
        world.runFor(100 * Millisecond);
        QCOMPARE(received(*ends.server).size(), std::size_t{1});
        QVERIFY(world.clients[0]->counters().forgedHandshake == 2);
    }

    // The client's address changes mid-game.
    void aChangedAddressIsFollowedOnceItIsProven() {
        World world;
        auto ends = world.connected();
        const Address moved = Address::v4(10, 1, 0, 1, 6000);
        world.network.rebind(clientAddress(0), moved);
        ends.client->send(1, viewOf("from the new place"));
        world.runFor(30 * Millisecond);
        QCOMPARE(received(*ends.server).size(), std::size_t{1});
        QVERIFY(ends.server->peer() == clientAddress(0));
        world.runFor(60 * Millisecond);
        QVERIFY(ends.server->peer() == moved);
        QCOMPARE(ends.server->counters().migrations, std::uint64_t{1});
        ends.server->send(1, viewOf("found you"));
        world.runFor(100 * Millisecond);
        QCOMPARE(received(*ends.client).size(), std::size_t{1});
    }
    // With a game going on: what the client says comes without a gap, the server is quiet there for no more than a round trip, and
    // nothing that is guaranteed is lost or late by more than that.
    void theGameGoesOnFromTheNewAddress() {
        constexpr Time Tick = Second / 60;
        constexpr Time RoundTrip = 50 * Millisecond;
        World world;
        auto ends = world.connected();
        QVERIFY(ends.server != nullptr);
        Time heardFromNew = 0;
        Time spokeToNew = 0; // the game, not the challenge
        Time moved = 0;
        std::vector<Time> toServer;
        std::vector<Time> toClient;
        const auto step = [&] {
            ends.client->send(1, viewOf("a"));
            ends.server->send(1, viewOf("b"));
            for (Time end = world.network.now() + Tick; world.network.now() < end;) {
                world.runFor(std::min<Time>(Millisecond, end - world.network.now()));
                const Time now = world.network.now();
                ReceivedMessage delivery;
                while (ends.server->next(delivery))
                    toServer.push_back(delivery.executed);
                while (ends.client->next(delivery))
                    toClient.push_back(delivery.executed);
                heardFromNew =
                    heardFromNew == 0 && ends.server->counters().pathChallenges > 0 ? now : heardFromNew;
                spokeToNew = spokeToNew == 0 && ends.server->counters().migrations > 0 ? now : spokeToNew;
            }
        };
        for (int i = 0; i < 120; ++i) {
            if (i == 60) {
                world.network.rebind(clientAddress(0), Address::v4(10, 1, 0, 1, 6000));
                moved = world.network.now();
            }
            step();
        }
        world.runFor(Second);
        ReceivedMessage delivery;
        while (ends.server->next(delivery))
            toServer.push_back(delivery.executed);
        while (ends.client->next(delivery))
            toClient.push_back(delivery.executed);
        delivery = {};
        const auto longest = [](const std::vector<Time>& times) {
            Time gap = 0;
            for (std::size_t i = 1; i < times.size(); ++i)
                gap = std::max(gap, times[i] - times[i - 1]);
            return gap;
        };
        QCOMPARE(toServer.size(), std::size_t{120});
        QCOMPARE(toClient.size(), std::size_t{120});
        QVERIFY2(longest(toServer) <= Tick + Millisecond,
                 qPrintable(QString::number(longest(toServer) / Microsecond)));
        QVERIFY(heardFromNew > moved && spokeToNew > heardFromNew);
        QVERIFY(spokeToNew - heardFromNew <= RoundTrip + Millisecond);
        // At the client: until the server hears of it, the challenge there and back, and the way.
        QVERIFY2(longest(toClient) <= 2 * RoundTrip + 2 * Tick,
                 qPrintable(QString::number(longest(toClient) / Microsecond)));
        QCOMPARE(ends.server->counters().migrations, std::uint64_t{1});
    }
    void aRelayedDatagramDoesNotMoveTheConnection() {
        World world;
        std::vector<Captured> session;
        capture(world, session);
        auto ends = world.connected();
        const Address attacker = Address::v4(6, 6, 6, 6, 6);
        world.network.setDefault({});
        std::size_t toAttacker = 0;
        std::size_t fromAttacker = 0;
        world.network.direction(clientAddress(0), serverAddress()).setSettings({.loss = 1.0});
        for (int i = 0; i < 20; ++i) {
            session.clear();
            ends.client->send(1, viewOf("x"));
            world.runFor(20 * Millisecond);
            for (const auto& c : std::vector<Captured>(session)) {
                if (c.from == clientAddress(0)) {
                    world.network.inject(attacker, serverAddress(), c.bytes);
                    fromAttacker += c.bytes.size();
                }
                toAttacker += c.to == attacker ? c.bytes.size() : 0;
            }
        }
        QVERIFY(ends.server->counters().pathChallenges > 0);
        QVERIFY(ends.server->peer() == clientAddress(0));
        QVERIFY(toAttacker <= 3 * fromAttacker);
    }

    void closingIsToldAndLingering() {
        World world({.latency = 25 * Millisecond, .loss = 0.3});
        auto ends = world.connected();
        for (int i = 0; i < 100; ++i) {
            ends.client->send(1, viewOf("last words"));
        }
        ends.client->close(CloseReason::Closed, 2 * Second);
        QVERIFY(ends.client->send(1, viewOf("too late")).status == SendStatus::Closed);
        std::size_t heard = 0;
        for (int i = 0; i < 300 && world.server->connectionCount() > 0; ++i) {
            world.runFor(10 * Millisecond);
            world.server->forEach([&](Connection& c) { heard += received(c).size(); });
        }
        QCOMPARE(heard, std::size_t{100});
        world.runFor(Second);
        QVERIFY(lastClose(*world.server) == CloseReason::Closed);
        QVERIFY(lastClose(*world.clients[0]) == CloseReason::Closed);
    }
    void bothEndsCloseAtOnce() {
        World world;
        auto ends = world.connected();
        ends.client->close();
        ends.server->close();
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount() + world.clients[0]->connectionCount(), std::size_t{0});
        QVERIFY(lastClose(*world.server) == CloseReason::Closed
                && lastClose(*ends.host) == CloseReason::Closed);
    }

    // Half a second less than the time-out is survived, half a second more ends both ends, at the time-out: whatever was being said.
    void blackoutsShorterThanTheTimeOutAreSurvived_data() {
        QTest::addColumn<int>("milliseconds");
        QTest::addColumn<bool>("guaranteed");
        QTest::addColumn<int>("phase"); // of the blackout, ms
        for (const int milliseconds : {9500, 10'500})
            for (const bool guaranteed : {false, true})
                for (int phase = 0; phase < 1000; phase += guaranteed ? 70 : 500)
                    QTest::addRow("%d ms, %s, %d", milliseconds, guaranteed ? "guaranteed" : "states", phase)
                        << milliseconds << guaranteed << phase;
    }
    void blackoutsShorterThanTheTimeOutAreSurvived() {
        QFETCH(int, milliseconds);
        QFETCH(bool, guaranteed);
        QFETCH(int, phase);
        const Time blackout = milliseconds * Millisecond;
        World world;
        auto ends = world.connected();
        QVERIFY(ends.client != nullptr);
        world.runFor(phase * Millisecond);
        std::size_t toServer = 0;
        std::size_t toClient = 0;
        std::size_t saidByServer = 0;
        std::size_t saidByClient = 0;
        const auto talk = [&](bool server, bool client) {
            if (server && guaranteed)
                saidByServer += ends.server->send(1, viewOf("b")).status == SendStatus::Sent ? 1U : 0U;
            else if (server)
                ends.server->sendUnreliable(1, viewOf("b"));
            if (client && guaranteed)
                saidByClient += ends.client->send(1, viewOf("a")).status == SendStatus::Sent ? 1U : 0U;
            else if (client)
                ends.client->sendUnreliable(1, viewOf("a"));
            world.runFor(16 * Millisecond);
            if (world.server->connectionCount() > 0)
                toServer += received(*ends.server).size();
            if (ends.host->connectionCount() > 0)
                toClient += received(*ends.client).size();
        };
        for (int i = 0; i < 60; ++i)
            talk(true, true);
        LinkSettings dark{.latency = 25 * Millisecond, .loss = 1.0};
        world.network.direction(clientAddress(0), serverAddress()).setSettings(dark);
        world.network.direction(serverAddress(), clientAddress(0)).setSettings(dark);
        const Time from = world.network.now();
        Time gone = 0;
        Time clientGone = 0;
        while (world.network.now() < from + blackout) {
            talk(gone == 0, clientGone == 0);
            gone = gone == 0 && world.server->connectionCount() == 0 ? world.network.now() : gone;
            clientGone =
                clientGone == 0 && ends.host->connectionCount() == 0 ? world.network.now() : clientGone;
        }
        dark.loss = 0.0;
        world.network.direction(clientAddress(0), serverAddress()).setSettings(dark);
        world.network.direction(serverAddress(), clientAddress(0)).setSettings(dark);
        if (blackout < 10 * Second) {
            QCOMPARE(gone + clientGone, Time{0});
            for (int i = 0; i < 200; ++i)
                talk(i < 5, i < 5);
            QCOMPARE(world.server->connectionCount(), std::size_t{1});
            QVERIFY(toServer > 60 && toClient > 60);
            QVERIFY(!guaranteed || (toServer == saidByClient && toClient == saidByServer));
        } else {
            world.runFor(3 * Second);
            QCOMPARE(world.server->connectionCount() + ends.host->connectionCount(), std::size_t{0});
            QVERIFY2(std::abs(gone - from - 10 * Second) <= 100 * Millisecond,
                     qPrintable(QString::number((gone - from) / Millisecond)));
            QVERIFY2(std::abs(clientGone - from - 10 * Second) <= 100 * Millisecond,
                     qPrintable(QString::number((clientGone - from) / Millisecond)));
            QCOMPARE(static_cast<int>(lastClose(*world.server)), static_cast<int>(CloseReason::Timeout));
            QCOMPARE(static_cast<int>(lastClose(*ends.host)), static_cast<int>(CloseReason::Timeout));
        }
    }

    // Nobody says anything for an hour, on paths that lose half of it, one way or both, or many in a row: keepalives are enough.
    void quietConnectionsOutliveBadPaths_data() {
        QTest::addColumn<double>("up");
        QTest::addColumn<double>("down");
        QTest::addColumn<double>("burst");
        QTest::newRow("half of acknowledgements lost") << 0.0 << 0.5 << 1.0;
        QTest::newRow("half of all lost") << 0.5 << 0.5 << 1.0;
        QTest::newRow("bursts") << 0.05 << 0.05 << 5.0;
    }
    void quietConnectionsOutliveBadPaths() {
        QFETCH(double, up);
        QFETCH(double, down);
        QFETCH(double, burst);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            World world({.latency = 25 * Millisecond}, {}, seed);
            const auto ends = world.connected();
            QVERIFY(ends.server != nullptr);
            world.network.direction(clientAddress(0), serverAddress())
                .setSettings({.latency = 25 * Millisecond, .loss = up, .burst = burst});
            world.network.direction(serverAddress(), clientAddress(0))
                .setSettings({.latency = 25 * Millisecond, .loss = down, .burst = burst});
            world.runFor(3600 * Second);
            QCOMPARE(world.server->connectionCount() + ends.host->connectionCount(), std::size_t{2});
            const double each = static_cast<double>(ends.client->counters().datagramsSent) / 3600.0;
            QVERIFY2(each <= 2.0, qPrintable(QString::number(each)));
        }
    }

    // A program that was suspended for longer than the time-out sends once more before it gives up, and reads what arrived meanwhile.
    void aSuspendedProgramDoesNotHangUpAtOnce_data() {
        QTest::addColumn<int>("seconds");
        QTest::addColumn<bool>("both");
        QTest::newRow("the server, shorter than the time-out") << 8 << false;
        QTest::newRow("the server, longer") << 15 << false;
        QTest::newRow("both, as long as the time-out") << 10 << true;
        QTest::newRow("both, a minute") << 60 << true;
        QTest::newRow("both, a day") << 86'400 << true;
    }
    void aSuspendedProgramDoesNotHangUpAtOnce() {
        QFETCH(int, seconds);
        QFETCH(bool, both);
        World world;
        auto ends = world.connected();
        QVERIFY(ends.server != nullptr);
        static_cast<void>(ends.client->send(1, viewOf("said before")));
        std::vector<Captured> sent;
        capture(world, sent);
        if (both) {
            world.network.advance(world.network.now() + seconds * Second);
        } else {
            world.serverSleeps = true;
            world.runFor(seconds * Second);
            world.serverSleeps = false;
        }
        const Time awake = world.network.now();
        sent.clear();
        world.runFor(0);
        // No instant time-out: it asks.
        QVERIFY(world.server->counters().suspensions >= 1);
        QVERIFY(ends.server->state() == Connection::State::Connected);
        QVERIFY(std::any_of(sent.begin(), sent.end(),
                            [](const Captured& c) { return c.from == serverAddress(); }));
        if (!both && seconds > 10) {
            // Nobody is there to answer: it is over one time-out after the question at the latest.
            QCOMPARE(ends.host->connectionCount(), std::size_t{0});
            Time gone = 0;
            while (gone == 0 && world.network.now() < awake + 12 * Second) {
                world.runFor(10 * Millisecond);
                gone = world.server->connectionCount() == 0 ? world.network.now() : 0;
            }
            QVERIFY2(gone - awake >= 1500 * Millisecond && gone - awake <= 10'100 * Millisecond,
                     qPrintable(QString::number(gone - awake)));
            QVERIFY(lastClose(*world.server) == CloseReason::Timeout);
            return;
        }
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        QVERIFY(!both || ends.host->counters().suspensions >= 1);
        QVERIFY(ends.server->state() == Connection::State::Connected
                && ends.client->state() == Connection::State::Connected);
        ends.server->send(1, viewOf("awake"));
        ends.client->send(1, viewOf("good morning"));
        world.runFor(Second);
        QCOMPARE(received(*ends.client), (std::vector<std::string>{"awake"}));
        QCOMPARE(received(*ends.server), (std::vector<std::string>{"said before", "good morning"}));
        world.runFor(60 * Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
    }
    // Jumps of the wall clock have no effect: one place reads a clock, and it reads the monotonic one.
    void noWallClockIsRead() {
        const QRegularExpression clocks(
            QStringLiteral("(system|high_resolution|steady|utc|file)_clock|CLOCK_|gettimeofday|timespec_get|"
                           "ftime|std::clock|[^.]clock\\(\\)\\s*[*/;]|"
                           "\\btime\\((nullptr|NULL|0|&\\w+)\\)"));
        QVERIFY(QStringLiteral("std::time(nullptr)").contains(clocks)
                && QStringLiteral("clock_gettime(CLOCK_REALTIME, &t)").contains(clocks));
        QDirIterator files(sbx::test::qSourcePath("engine/net"),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files);
        QStringList reads;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
            for (const QString& line : lines) {
                const QString code = line.section(QStringLiteral("//"), 0, 0);
                if (code.contains(clocks)) {
                    reads << files.fileName() + QLatin1Char(' ') + code.trimmed();
                }
            }
        }
        QCOMPARE(reads.size(), 1);
        QVERIFY2(reads.first().startsWith(QStringLiteral("udp_transport.cpp "))
                     && reads.first().contains(QStringLiteral("steady_clock")),
                 qPrintable(reads.first()));
    }

    // The server is killed and another stands in its place at once. It knows nothing of the old session, whose datagrams go on
    // coming; the client notices at the time-out, and is connected again within a second.
    void aSuccessorKnowsNothingOfTheOldSession_data() {
        QTest::addColumn<double>("loss");
        QTest::newRow("clean") << 0.0;
        QTest::newRow("a tenth lost") << 0.1;
    }
    void aSuccessorKnowsNothingOfTheOldSession() {
        QFETCH(double, loss);
        World world({.latency = 25 * Millisecond, .loss = loss});
        auto ends = world.connected();
        QVERIFY(ends.server != nullptr);
        for (int i = 0; i < 20; ++i) {
            ends.server->sendUnreliable(1, viewOf("old"));
            world.runFor(16 * Millisecond);
        }
        world.runFor(100 * Millisecond);
        const std::uint32_t old = ends.client->id();
        const MessageHandle handle = ends.client->send(1, viewOf("to the old one")).handle;
        const Time killed = world.network.now();
        const auto replace = [&](std::uint64_t seed) {
            world.network.close(serverAddress());
            HostSettings listening;
            listening.listens = true;
            world.server = std::make_unique<Host>(listening, world.network.open(serverAddress()),
                                                  seededEntropy(seed), world.network.now());
        };
        replace(4711);
        Time gone = 0;
        while (gone == 0 && world.network.now() < killed + 20 * Second) {
            world.runFor(5 * Millisecond);
            gone = ends.host->connectionCount() == 0 ? world.network.now() : 0;
        }
        QVERIFY2(gone - killed >= 9500 * Millisecond && gone - killed <= 11'100 * Millisecond,
                 qPrintable(QString::number(gone - killed)));
        const CloseReason reason = lastClose(*ends.host);
        QVERIFY(reason == CloseReason::Timeout || reason == CloseReason::Undeliverable);
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
        QVERIFY(world.server->counters().unknownConnection >= 10); // what was for its predecessor
        QCOMPARE(world.server->counters().handshakeBytesSent, std::uint64_t{0});
        ends.host->connect(serverAddress());
        const Time asked = world.network.now();
        Connection* again = nullptr;
        while (again == nullptr && world.network.now() < asked + 5 * Second) {
            world.runFor(5 * Millisecond);
            ends.host->forEach(
                [&](Connection& c) { again = c.state() == Connection::State::Connected ? &c : again; });
        }
        QVERIFY(again != nullptr);
        QVERIFY2(world.network.now() - asked <= Second,
                 qPrintable(QString::number((world.network.now() - asked) / Millisecond)));
        QVERIFY(again->id() != old);
        QVERIFY(ends.host->state(handle) == HandleState::Closed);
        again->send(1, viewOf("to the new one"));
        world.runFor(Second);
        QCOMPARE(received(*world.server->find(again->id())), (std::vector<std::string>{"to the new one"}));
    }

    // Connections that authenticate and then are silent give their slots back.
    void slotsAreFreedForWhoDoesNotSpeak() {
        HostSettings base;
        base.requireAuthentication = true;
        World world({.latency = 25 * Millisecond}, base);
        std::vector<Captured> session;
        capture(world, session);
        auto ends = world.connected();
        QVERIFY(ends.client != nullptr);
        world.runFor(9 * Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        world.runFor(2 * Second);
        QVERIFY(lastClose(*world.server) == CloseReason::NotAuthenticated);
        // Half open: only the response arrives.
        World quiet;
        Host& host = quiet.addClient();
        quiet.network.setTap([&](Time, const Address& from, const Address& to, ByteView bytes) {
            if ((bytes[0] & 7U) == 4 && to == serverAddress()) {
                quiet.network.direction(from, to).setSettings({.loss = 1.0});
            }
        });
        host.connect(serverAddress());
        quiet.runFor(Second);
        QCOMPARE(quiet.server->connectionCount(), std::size_t{1});
        quiet.runFor(1500 * Millisecond);
        QCOMPARE(quiet.server->connectionCount(), std::size_t{0});
    }

    void slotsPerAddressAreFew() {
        HostSettings base;
        base.maxPerAddress = 3;
        World world({.latency = Millisecond}, base);
        Host& host = world.addClient();
        for (int i = 0; i < 6; ++i) {
            host.connect(serverAddress());
        }
        world.runFor(Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{3});
        QCOMPARE(world.server->counters().denied, std::uint64_t{3});
        // One host's several connections to one server do not mix, though a number of one's packets may be another's too.
        int told = 0;
        host.forEach([&](Connection& c) { c.send(1, viewOf("mine")); });
        world.runFor(Second);
        world.server->forEach([&](Connection& c) { told += received(c).size() == 1 ? 1 : 0; });
        QCOMPARE(told, 3);
        world.runFor(8 * Second);
        for (int i = 0; i < 200; ++i) {
            host.forEach([&](Connection& c) { c.send(1, viewOf("mine")); });
            world.server->forEach([&](Connection& c) { c.send(1, viewOf("yours")); });
            world.runFor(10 * Millisecond);
        }
        world.runFor(Second);
        int told200 = 0;
        const auto count = [&](Connection& c) {
            QVERIFY(c.state() == Connection::State::Connected);
            told200 += received(c).size() == 200 ? 1 : 0;
            QCOMPARE(c.channel().counters().packetsLost, std::uint64_t{0});
        };
        world.server->forEach(count);
        host.forEach(count);
        QCOMPARE(told200, 6);
    }

    // A handle says which connection and which number round it is of: one of an earlier connection means executed, another's is refused.
    void oldHandlesAndOthersHandles() {
        World world;
        auto ends = world.connected();
        const auto spawn = ends.server->send(1, viewOf("spawn"));
        world.runFor(3600 * Second);
        QVERIFY(world.server->state(spawn.handle) == HandleState::Executed);
        const std::uint64_t words = ends.server->channel().counters().dependenciesSent;
        QVERIFY(ends.server->send(1, viewOf("kill"), std::array{spawn.handle}).status == SendStatus::Sent);
        world.runFor(Second);
        QCOMPARE(ends.server->channel().counters().dependenciesSent, words);
        ends.client->close();
        world.runFor(Second);
        QVERIFY(world.server->state(spawn.handle) == HandleState::Closed);
        auto again = world.connected();
        QVERIFY(again.server->send(1, viewOf("kill"), std::array{spawn.handle}).status
                == SendStatus::StaleDependency);
        MessageHandle forged = spawn.handle;
        forged.connection = again.server->id();
        QVERIFY(again.server->send(1, viewOf("kill"), std::array{forged}).status
                == SendStatus::StaleDependency);
    }

    void aBroadcastIsOneHandleForAll() {
        World world({.latency = 20 * Millisecond, .loss = 0.2});
        std::vector<World::Ends> ends;
        for (int i = 0; i < 4; ++i) {
            ends.push_back(world.connected());
            // So that numbers differ from connection to connection.
            for (int n = 0; n < i; ++n) {
                ends.back().server->send(9, viewOf("greeting"));
            }
        }
        const BroadcastHandle spawn = world.server->broadcast(1, viewOf("spawn"), {}, {});
        auto late = world.connected();
        const std::array<const BroadcastHandle*, 1> needs{&spawn};
        const BroadcastHandle kill = world.server->broadcast(2, viewOf("kill"), needs, {});
        QCOMPARE(spawn.size(), std::size_t{4});
        QCOMPARE(kill.size(), std::size_t{5});
        world.runFor(3 * Second);
        for (auto& end : ends) {
            const auto texts = received(*end.client);
            const auto spawned = std::find(texts.begin(), texts.end(), "spawn");
            QVERIFY(spawned != texts.end());
            QVERIFY(std::find(spawned, texts.end(), "kill") != texts.end());
        }
        QCOMPARE(received(*late.client), (std::vector<std::string>{"kill"}));
    }

    // Counters of packets and messages about to wrap at 15, 16, 32 and 64 bits, both ways: chains, single messages, large
    // ones, unreliable ones, states.
    void countersWrap_data() {
        QTest::addColumn<quint64>("packet");
        QTest::addColumn<quint64>("sequence");
        const std::array<std::pair<const char*, quint64>, 4> places{std::pair{"15", quint64{(1U << 15U) - 5}},
                                                                    {"16", quint64{(1U << 16U) - 5}},
                                                                    {"32", (quint64{1} << 32U) - 5},
                                                                    {"64", quint64(0) - 300}};
        for (const auto& [name, first] : places) {
            QTest::newRow(name) << first << first;
        }
        QTest::newRow("packets alone, 64") << quint64(0) - 300 << quint64{1};
        QTest::newRow("messages alone, 64") << quint64{1} << quint64(0) - 300;
    }
    void countersWrap() {
        QFETCH(quint64, packet);
        QFETCH(quint64, sequence);
        HostSettings base;
        base.firstPacket = packet;
        base.firstSequence = sequence;
        World world({.latency = 10 * Millisecond, .jitter = 20 * Millisecond, .loss = 0.1, .duplicate = 0.05},
                    base);
        auto ends = world.connected();
        QVERIFY(ends.client != nullptr);
        struct Way {
            Connection* from;
            Connection* to;
            MessageHandle last;
            std::map<std::string, int> heard;
            std::vector<std::string> chain;
            int newest = -1;
            int large = 0;
        };
        std::array<Way, 2> ways{Way{ends.client, ends.server, {}, {}, {}, -1, 0},
                                Way{ends.server, ends.client, {}, {}, {}, -1, 0}};
        const std::vector<std::uint8_t> big(4000, 'b');
        const auto take = [](Way& way) {
            ReceivedMessage delivery;
            while (way.to->next(delivery)) {
                const std::string text = textOf(delivery);
                if (delivery.type == 1) {
                    way.chain.push_back(text);
                } else if (delivery.type == 2) {
                    ++way.heard[text];
                } else if (delivery.type == 3) {
                    QVERIFY(delivery.body.size() == 4000 && text.find_first_not_of('b') == std::string::npos);
                    ++way.large;
                } else {
                    QVERIFY(std::stoi(text) >= way.newest); // states: never an older one
                    way.newest = std::stoi(text);
                }
            }
        };
        constexpr int Rounds = 1000;
        for (int i = 0; i < Rounds; ++i) {
            const std::string text = std::to_string(i);
            for (Way& way : ways) {
                way.last = way.from
                               ->send(1, viewOf(text.c_str()),
                                      way.last ? std::span(&way.last, 1) : std::span<MessageHandle>())
                               .handle;
                QVERIFY(way.last);
                QVERIFY(way.from->send(2, viewOf(text.c_str())).status == SendStatus::Sent);
                if (i % 40 == 0) {
                    QVERIFY(way.from->send(3, big, std::span(&way.last, 1)).status == SendStatus::Sent);
                }
                way.from->sendUnreliable(4, viewOf(text.c_str()),
                                         {.latest = true, .key = 7, .after = way.last});
                way.from->sendUnreliable(4, viewOf(text.c_str()), {.latest = true, .key = 7});
            }
            world.runFor(5 * Millisecond);
            for (Way& way : ways) {
                take(way);
            }
        }
        world.runFor(2 * Second);
        for (Way& way : ways) {
            take(way);
            QCOMPARE(way.chain.size(), std::size_t{Rounds});
            for (int i = 0; i < Rounds; ++i) {
                QCOMPARE(way.chain[static_cast<std::size_t>(i)], std::to_string(i));
                QCOMPARE(way.heard[std::to_string(i)], 1);
            }
            QCOMPARE(way.large, Rounds / 40);
            QVERIFY(way.newest > Rounds - 20);
            const SendGraph& graph = way.from->channel().sendGraph();
            QVERIFY(graph.next() - sequence >= 2 * Rounds && graph.floor() == graph.next());
            QVERIFY(way.from->channel().nextPacket() - packet >= 1000); // past its wrap too
            QVERIFY(way.from->channel().counters().guaranteedResent > 50);
        }
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
    }

    // Memory and work of idle connections; the soak test has ten times as many.
    void idleConnectionsCostLittle() {
        for (const std::uint32_t window : {256U, 1024U}) {
            HostSettings base;
            base.limits.window = window;
            World world({.latency = 10 * Millisecond}, base);
            auto ends = world.connected();
            world.runFor(60 * Second);
            const std::uint64_t before = ends.client->counters().datagramsSent;
            world.runFor(60 * Second);
            const double perSecond =
                static_cast<double>(ends.client->counters().datagramsSent - before) / 60.0;
            QVERIFY2(perSecond <= 1.01, qPrintable(QString::number(perSecond)));
            const std::size_t memory = ends.server->memory();
            QVERIFY2(memory <= 16U * 1024U, qPrintable(QString::number(memory)));
        }
    }

    void churnLeavesNothingBehind() {
        World world({.latency = 5 * Millisecond, .loss = 0.05});
        Random random(3);
        for (int round = 0; round < 200; ++round) {
            const auto ends = world.connected();
            QVERIFY(ends.client != nullptr);
            ends.client->send(1, viewOf("hi"));
            ends.server->send(1, viewOf("ho"));
            if (random.below(2) == 0) {
                ends.client->close();
            } else {
                world.network.close(clientAddress(world.clients.size() - 1));
                world.clients.back().reset();
            }
            world.runFor(random.below(50) * Millisecond);
        }
        world.runFor(12 * Second);
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestHost)
#include "tst_host.moc"
