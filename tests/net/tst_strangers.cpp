#include <QtTest>

#include "tests/counted_allocations.h"
#include "tests/net/forger.h"
#include "tests/net/numbered.h"

#include <deque>
#include <map>

// Who is not known yet, and who has only just been let in: what a server sends, keeps and grants them.

using namespace sbx;
using namespace sbx::net;

namespace {

// A handshake by hand, from an address that nobody listens at: answers are overheard.
class Stranger {
public:
    Stranger(const Address& own, std::uint64_t seed) : m_own(own) {
        seededEntropy(seed)(m_pair.secret);
        m_pair = makeKeyPair(m_pair.secret);
        m_response.request.clientKey = m_pair.open;
    }
    [[nodiscard]] const Address& own() const { return m_own; }
    [[nodiscard]] std::vector<std::uint8_t> request() const {
        std::vector<std::uint8_t> bytes(MaxDatagram);
        writeRequest(bytes, m_response.request);
        return bytes;
    }
    // What the server sent here.
    void hear(ByteView bytes) {
        Challenge challenge;
        Deny no;
        if (readChallenge(bytes, challenge)) {
            m_response.cookie = challenge.cookie;
            m_response.secretIndex = challenge.secretIndex;
            m_serverKey = challenge.serverKey;
            challenged = true;
        } else if (readDeny(bytes, no)) {
            denied = no.reason;
        } else if (!bytes.empty() && (bytes[0] & 7U) == 4) {
            accepted = true;
        }
    }
    [[nodiscard]] std::vector<std::uint8_t> response() const {
        std::vector<std::uint8_t> bytes(MaxDatagram);
        writeResponse(bytes, m_response);
        return bytes;
    }
    // A datagram with a ping in it.
    [[nodiscard]] std::vector<std::uint8_t> ping() {
        if (m_number == 0) {
            Key shared{};
            static_cast<void>(agree(shared, m_pair.secret, m_serverKey));
            m_keys = deriveKeys(shared, Key{}, transcriptOf(m_response, m_serverKey));
        }
        std::array<std::uint8_t, MaxDatagram> bytes{};
        ByteWriter out(bytes);
        out.u8(0x24);
        out.u32(m_keys.connection);
        out.u16(static_cast<std::uint16_t>(++m_number));
        const std::size_t header = out.size();
        out.u8(0);
        out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(SectionKind::Control) | (1U << 3U)));
        out.u8(static_cast<std::uint8_t>(ControlCode::Ping));
        const std::size_t plain = out.size() - header;
        Cipher(m_keys, true, m_response.request.identity.id).seal(m_number, bytes, header, plain);
        return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header + plain + TagSize)};
    }
    [[nodiscard]] std::uint32_t connection() const { return m_keys.connection; }
    bool challenged = false;
    bool accepted = false;
    CloseReason denied = CloseReason::None;

private:
    Address m_own;
    KeyPair m_pair;
    Response m_response;
    Key m_serverKey{};
    SessionKeys m_keys;
    std::uint64_t m_number = 0;
};

// What came to a server from each address, and went there: at no time more than three times as much.
class Account {
public:
    explicit Account(World& world) : m_world(world) {
        world.network.setTap([this](Time, const Address& from, const Address& to, ByteView bytes) {
            if (from == serverAddress()) {
                Sums& sums = m_sums[to];
                sums.out += bytes.size();
                kept = kept && sums.out <= 3 * sums.in;
                if (const auto found = m_strangers.find(to); found != m_strangers.end()) {
                    found->second->hear(bytes);
                }
            } else if (to == serverAddress()) {
                m_sums[from].in += bytes.size();
            }
        });
    }
    ~Account() { m_world.network.setTap({}); }
    void add(Stranger& stranger) { m_strangers[stranger.own()] = &stranger; }
    void say(const Address& from, const std::vector<std::uint8_t>& bytes) {
        m_sums[from].in += bytes.size();
        m_world.network.inject(from, serverAddress(), bytes);
    }
    // Bytes out for each byte in.
    [[nodiscard]] double share(const Address& address) {
        const Sums& sums = m_sums[address];
        return static_cast<double>(sums.out) / static_cast<double>(std::max<std::uint64_t>(sums.in, 1));
    }
    [[nodiscard]] std::uint64_t out(const Address& address) { return m_sums[address].out; }
    bool kept = true;

private:
    struct Sums {
        std::uint64_t in = 0;
        std::uint64_t out = 0;
    };
    World& m_world;
    std::map<Address, Sums> m_sums;
    std::map<Address, Stranger*> m_strangers;
};

Address v6(std::uint16_t network, std::uint16_t host, std::uint16_t port) {
    Address address;
    address.ip = {0x20,
                  0x01,
                  0x0d,
                  0xb8,
                  0,
                  0,
                  static_cast<std::uint8_t>(network >> 8U),
                  static_cast<std::uint8_t>(network)};
    address.ip[14] = static_cast<std::uint8_t>(host >> 8U);
    address.ip[15] = static_cast<std::uint8_t>(host);
    address.port = port;
    return address;
}

} // namespace

class TestStrangers : public QObject {
    Q_OBJECT
private slots:
    // Thirty thousand requests and responses, each from an address of its own, leave nothing in the server's memory: it takes
    // none from the heap.
    void strangersTakeNoMemory() {
        class Flood final : public Transport {
        public:
            explicit Flood(const Stranger& one) : m_bytes{one.request(), one.response()} {}
            TransportStatus send(const Address&, ByteView) override {
                ++answered;
                return TransportStatus::Sent;
            }
            std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
                if (left == 0) {
                    return std::nullopt;
                }
                --left;
                const auto& bytes = m_bytes[left % 2];
                std::copy(bytes.begin(), bytes.end(), buffer.begin());
                const auto byte = [this](unsigned shift) { return static_cast<std::uint8_t>(left >> shift); };
                return ReceivedDatagram{bytes.size(), Address::v4(10, byte(16), byte(8), byte(0), 7)};
            }
            std::uint32_t left = 0;
            std::uint32_t answered = 0;

        private:
            std::array<std::vector<std::uint8_t>, 2> m_bytes;
        };
        Flood flood(Stranger(Address::v4(1, 2, 3, 4, 5), 5));
        HostSettings listening;
        listening.listens = true;
        Host server(listening, flood, seededEntropy(3), 0);
        server.update(0);
        flood.left = 30'000;
        const std::size_t before = Allocations;
        server.update(Second);
        const std::size_t taken = Allocations - before;
        QCOMPARE(flood.left, 0U);
        QCOMPARE(flood.answered, 15'000U);
        QCOMPARE(server.counters().challengesSent, std::uint64_t{15'000});
        QCOMPARE(server.counters().cookiesWrong, std::uint64_t{15'000});
        QCOMPARE(server.connectionCount(), std::size_t{0});
        QCOMPARE(taken, std::size_t{0});
    }

    // To each address that has proved nothing a tenth of what came from there, and never, at any moment, more than three times.
    void amplificationIsHeldForEachAddress() {
        HostSettings base;
        base.maxConnections = 2;
        World world({}, base);
        Account account(world);
        const auto update = [&] { world.server->update(world.network.now()); };
        // Requests, whole and cut short.
        Stranger asking(Address::v4(1, 1, 1, 1, 1), 1);
        account.add(asking);
        for (int i = 0; i < 100; ++i) {
            account.say(asking.own(), asking.request());
            update();
        }
        QVERIFY(asking.challenged);
        QVERIFY(account.share(asking.own()) <= 0.1);
        const Address cut = Address::v4(1, 1, 1, 2, 1);
        for (std::size_t size = 0; size < MaxDatagram; ++size) {
            auto bytes = asking.request();
            bytes.resize(size);
            account.say(cut, bytes);
            update();
        }
        QCOMPARE(account.out(cut), std::uint64_t{0});
        // Whatever a datagram begins with.
        const Address noise = Address::v4(1, 1, 1, 3, 1);
        for (unsigned first = 1; first < 256; ++first) { // 0 begins a request
            for (const std::size_t size : {1U, 20U, 26U, 58U, 600U, 1200U}) {
                std::vector<std::uint8_t> bytes(size, 0x41);
                bytes[0] = static_cast<std::uint8_t>(first);
                account.say(noise, bytes);
                update();
            }
        }
        QCOMPARE(account.out(noise), std::uint64_t{0});
        // A right cookie from elsewhere.
        const Address thief = Address::v4(1, 1, 1, 4, 1);
        account.say(thief, asking.response());
        update();
        QCOMPARE(account.out(thief), std::uint64_t{0});
        // A response that is right, and then silence, while the application has much to say.
        Stranger silent(Address::v4(1, 1, 1, 5, 1), 6);
        account.add(silent);
        account.say(silent.own(), silent.request());
        update();
        account.say(silent.own(), silent.response());
        update();
        QVERIFY(silent.accepted);
        QCOMPARE(world.server->connectionCount(), std::size_t{1});
        for (int i = 0; i < 250; ++i) {
            world.server->forEach([](Connection& c) {
                static_cast<void>(c.send(1, std::vector<std::uint8_t>(500)));
                static_cast<void>(c.sendUnreliable(1, std::vector<std::uint8_t>(900)));
            });
            world.runFor(10 * Millisecond);
        }
        QCOMPARE(world.server->connectionCount(), std::size_t{0});
        QVERIFY(account.out(silent.own()) > 2400);
        QVERIFY(account.kept);
        // Refusals, the first and the hundredth.
        Stranger first(Address::v4(2, 1, 1, 1, 1), 2);
        Stranger second(Address::v4(2, 1, 1, 2, 1), 3);
        Stranger third(Address::v4(2, 1, 1, 3, 1), 4);
        for (Stranger* one : {&first, &second, &third}) {
            account.add(*one);
            account.say(one->own(), one->request());
            update();
            account.say(one->own(), one->response());
            update();
        }
        QVERIFY(third.denied == CloseReason::DeniedFull);
        for (int i = 0; i < 100; ++i) {
            account.say(third.own(), third.response());
            update();
        }
        QVERIFY(account.share(third.own()) <= 0.1);
        // The datagrams of one that is connected, sent on by somebody else, and smaller ones than a challenge of the path.
        std::uint64_t tried = 0;
        for (int i = 0; i < 200; ++i) {
            account.say(first.own(), first.ping());
            world.runFor(5 * Millisecond);
            account.say(Address::v4(3, 1, 1, 1, 1), first.ping());
            world.runFor(5 * Millisecond);
            const Connection* const connection = world.server->find(first.connection());
            QVERIFY(connection != nullptr && connection->peer() == first.own());
            tried = connection->counters().pathChallenges;
        }
        QVERIFY(tried > 0);
        QVERIFY(account.out(Address::v4(3, 1, 1, 1, 1)) > 0);
        QVERIFY(account.kept);
    }

    // Who has no key may send challenges, denials and datagrams that look like an end while somebody connects, before and after
    // every datagram of the handshake, from the server's address and from his own: it is as if he had not.
    void forgeriesDisturbNoHandshake_data() {
        QTest::addColumn<bool>("echoes"); // he knows what the client has sent
        QTest::newRow("blind") << false;
        QTest::newRow("who has heard the request") << true;
    }
    void forgeriesDisturbNoHandshake() {
        QFETCH(bool, echoes);
        const auto session = [echoes](bool disturbed, std::uint64_t& ignored) {
            World world({.latency = 10 * Millisecond}, {}, 21);
            std::array<std::uint8_t, 8> echo{};
            std::uint32_t connection = 0;
            std::vector<std::vector<std::uint8_t>> wire;
            world.network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
                wire.emplace_back(bytes.begin(), bytes.end());
                Request request;
                if (echoes && readRequest(bytes, request))
                    std::copy_n(request.clientKey.begin(), 8, echo.begin());
                if (echoes && from != serverAddress() && (bytes[0] & 7U) == 4)
                    connection = ByteReader(bytes.subspan(1)).u32();
            });
            Host& host = world.addClient();
            host.connect(serverAddress());
            for (int step = 0; step < 100; ++step) {
                for (const Address& from : {serverAddress(), Address::v4(6, 6, 6, 6, 6)}) {
                    if (!disturbed)
                        break;
                    for (int reason = 10; reason <= 13; ++reason) {
                        std::array<std::uint8_t, DenySize> deny{};
                        writeDeny(deny, {.echo = echo, .reason = static_cast<CloseReason>(reason)});
                        world.network.inject(from, clientAddress(0), deny);
                    }
                    // A challenge that he can make himself only where he does not know what it must echo.
                    std::array<std::uint8_t, ChallengeSize> challenge{};
                    writeChallenge(challenge, {.echo = {1, 2, 3}, .serverKey = makeKeyPair(Key{3}).open});
                    world.network.inject(from, clientAddress(0), challenge);
                    for (const bool toServer : {true, false}) {
                        std::vector<std::uint8_t> close(toServer ? 27 : 23, 0x5A);
                        ByteWriter out(close);
                        out.u8(toServer ? 0x24 : 0x04);
                        if (toServer)
                            out.u32(connection);
                        out.u16(static_cast<std::uint16_t>(step + 1));
                        out.u8(0);
                        out.u8(0x0F);
                        out.u8(2);
                        out.u8(1);
                        world.network.inject(toServer ? clientAddress(0) : from,
                                             toServer ? serverAddress() : clientAddress(0), close);
                    }
                }
                if (disturbed) {
                    host.update(world.network.now());
                    world.server->update(world.network.now());
                }
                if (step == 80)
                    host.forEach([](Connection& c) { static_cast<void>(c.send(1, numbered(0))); });
                world.runFor(Millisecond);
            }
            world.runFor(Second);
            std::size_t heard = 0;
            world.server->forEach([&](Connection& c) {
                ReceivedMessage delivery;
                while (c.next(delivery))
                    ++heard;
            });
            ignored = host.counters().forgedHandshake;
            host.forEach([&](Connection& c) { ignored += c.counters().authFailed; });
            return std::pair(heard, wire);
        };
        std::uint64_t ignored = 0;
        const auto quiet = session(false, ignored);
        QCOMPARE(quiet.first, std::size_t{1});
        QCOMPARE(ignored, std::uint64_t{0});
        const auto disturbed = session(true, ignored);
        QVERIFY(disturbed.second == quiet.second); // to the byte
        QCOMPARE(disturbed.first, std::size_t{1});
        QVERIFY(ignored >= 2 * 100 * 5);
    }

    // Ten thousand identities that each say just enough to stay. Few slots of an address, of its neighbours, and of a v6 /64 are
    // theirs, and none for longer than ten seconds; who comes from elsewhere plays on, and who comes now gets in.
    void identitiesAreCheapAndSlotsAreFew() {
        // What a server hears and says, handed over at once: a link for each of so many would be most of the work.
        class Desk final : public Transport {
        public:
            TransportStatus send(const Address& to, ByteView datagram) override {
                said(to, datagram);
                return TransportStatus::Sent;
            }
            std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
                if (inbox.empty()) {
                    return std::nullopt;
                }
                const auto [from, bytes] = std::move(inbox.front());
                inbox.pop_front();
                std::copy(bytes.begin(), bytes.end(), buffer.begin());
                return ReceivedDatagram{bytes.size(), from};
            }
            std::deque<std::pair<Address, std::vector<std::uint8_t>>> inbox;
            std::function<void(const Address&, ByteView)> said;
        };
        Desk desk;
        Desk honestDesk;
        const Address honestAddress = Address::v4(10, 1, 0, 1, 5000);
        std::deque<Stranger> strangers;
        std::map<Address, Stranger*> byAddress;
        desk.said = [&](const Address& to, ByteView bytes) {
            if (to == honestAddress) {
                honestDesk.inbox.emplace_back(serverAddress(),
                                              std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
            } else if (const auto found = byAddress.find(to); found != byAddress.end()) {
                found->second->hear(bytes);
            }
        };
        honestDesk.said = [&](const Address&, ByteView bytes) {
            desk.inbox.emplace_back(honestAddress, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
        };
        HostSettings listening;
        listening.listens = true; // 16 an address, 128 its neighbours
        listening.maxConnections = 5000;
        listening.requireAuthentication = true;
        Time now = 0;
        Host server(listening, desk, seededEntropy(41), now);
        Host honest(HostSettings{}, honestDesk, seededEntropy(42), now);
        std::uint32_t said = 0;
        Tally tally;
        const auto newest = [](Host& host) {
            Connection* found = nullptr;
            host.forEach(
                [&](Connection& c) { found = c.state() == Connection::State::Connected ? &c : found; });
            return found;
        };
        std::uint32_t honestConnection = 0;
        const auto play = [&](Time until) {
            while (now < until) {
                now += 20 * Millisecond;
                honest.update(now);
                server.update(now);
                if (Connection* const mine = newest(honest);
                    mine != nullptr && said * 100 * Millisecond < now) {
                    QVERIFY(mine->send(1, numbered(said++)).status == SendStatus::Sent);
                    honestConnection = mine->id();
                }
                if (Connection* const heard = server.find(honestConnection)) {
                    heard->authenticate();
                    tally.take(*heard);
                }
            }
        };
        honest.connect(serverAddress());
        play(Second);
        QVERIFY(server.find(honestConnection) != nullptr);
        for (std::uint16_t n = 0; n < 10'000; ++n) {
            if (n < 8000) { // eight networks of fifty addresses, twenty ports each
                strangers.emplace_back(Address::v4(100, 0, static_cast<std::uint8_t>(n % 8),
                                                   static_cast<std::uint8_t>(n / 8 % 50),
                                                   static_cast<std::uint16_t>(1000 + n / 400)),
                                       n + 1U);
            } else { // two /64, a thousand addresses each
                strangers.emplace_back(v6(n % 2, static_cast<std::uint16_t>(n / 2), 9), n + 1U);
            }
            byAddress[strangers.back().own()] = &strangers.back();
        }
        for (const bool asking : {true, false}) {
            for (const Stranger& stranger : strangers) {
                desk.inbox.emplace_back(stranger.own(), asking ? stranger.request() : stranger.response());
            }
            server.update(now);
        }
        const Time begun = now;
        std::map<Address, std::uint32_t> ofAddress;
        std::map<std::pair<bool, std::uint8_t>, std::uint32_t> ofNetwork;
        std::uint32_t in = 0;
        for (const Stranger& stranger : strangers) {
            QVERIFY(stranger.challenged);
            QVERIFY(stranger.accepted != (stranger.denied == CloseReason::DeniedFull));
            if (stranger.accepted) {
                ++in;
                Address bare = stranger.own();
                bare.port = 0;
                ++ofAddress[bare];
                ++ofNetwork[{bare.isV4(), bare.isV4() ? bare.ip[14] : bare.ip[7]}];
            }
        }
        const auto ping = [&] {
            for (Stranger& stranger : strangers) {
                if (stranger.accepted) {
                    desk.inbox.emplace_back(stranger.own(), stranger.ping());
                }
            }
        };
        QCOMPARE(in, 8U * 128U + 2U * 16U);
        for (const auto& [address, count] : ofAddress) {
            QVERIFY2(count <= 16, address.toString().c_str());
        }
        for (const auto& [network, count] : ofNetwork) {
            QCOMPARE(count, network.first ? 128U : 16U);
        }
        QCOMPARE(server.connectionCount(), std::size_t{in + 1});
        QCOMPARE(server.counters().accepted, std::uint64_t{in + 1});
        // One word each, a second before the time-out, would keep them for ever.
        ping();
        play(begun + 9 * Second);
        ping();
        play(begun + 9900 * Millisecond);
        QCOMPARE(server.connectionCount(), std::size_t{in + 1});
        play(begun + 10'500 * Millisecond);
        QCOMPARE(server.connectionCount(), std::size_t{1});
        std::uint32_t sentAway = 0;
        ConnectionEvent event;
        while (server.nextEvent(event)) {
            if (event.kind == ConnectionEvent::Kind::Closed) {
                ++sentAway;
                QVERIFY(event.reason == CloseReason::NotAuthenticated);
            }
        }
        QCOMPARE(sentAway, in);
        play(now + Second);
        QVERIFY2(tally.total + 1 >= said && tally.ordered && !tally.anyTwice(),
                 qPrintable(QString::number(tally.total)));
        honest.connect(serverAddress());
        play(now + Second);
        QCOMPARE(server.connectionCount(), std::size_t{2});
    }
};

QTEST_GUILESS_MAIN(TestStrangers)
#include "tst_strangers.moc"
