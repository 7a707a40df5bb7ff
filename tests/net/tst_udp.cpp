#include <QProcess>
#include <QtTest>

#include "engine/net/simulated_link.h"
#include "tests/folders.h"
#include "tests/net/peer.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <csignal>
#include <cstring>

using namespace sbx;
using namespace sbx::net;

namespace {

// The server, in a process of its own.
class Server {
public:
    explicit Server(std::uint16_t wanted = 0, int timeoutSeconds = 2) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(sbx::test::qBuildPath("tests/net_peer"),
                        {QString::number(wanted), QString::number(timeoutSeconds)});
        const QByteArray line = nextLine();
        port = line.startsWith("port ") ? line.mid(5).trimmed().toUShort() : std::uint16_t{0};
    }
    ~Server() { kill(); }
    QByteArray nextLine() {
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(20'000)) {
                return {};
            }
        }
        return m_process.readLine();
    }
    void kill() {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished();
    }
    void signal(int number) const { ::kill(static_cast<pid_t>(m_process.processId()), number); }

    std::uint16_t port = 0;

private:
    QProcess m_process;
};

std::unique_ptr<Peer> client() {
    auto transport = UdpTransport::open(0);
    return transport ? std::make_unique<Peer>(std::move(*transport), realSettings()) : nullptr;
}

// Sends `count` messages one after the other and checks that the echoes come in the same order, once each.
void exchange(Peer& peer, std::uint32_t count) {
    Connection* connection = peer.only();
    QVERIFY(connection != nullptr);
    std::uint32_t sent = 0;
    std::uint32_t expected = 0;
    MessageHandle last;
    const bool all = peer.pumpUntil(
        [&] {
            while (sent < count) {
                const std::array<std::uint8_t, 4> body{static_cast<std::uint8_t>(sent),
                                                       static_cast<std::uint8_t>(sent >> 8U), 1, 2};
                const auto needs =
                    last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>();
                const net::SendReceipt result = connection->send(7, body, needs);
                if (result.status != SendStatus::Sent) {
                    break;
                }
                last = result.handle;
                ++sent;
            }
            ReceivedMessage delivery;
            while (connection->next(delivery)) {
                const auto bytes = delivery.body.bytes();
                const std::uint32_t number = bytes[0] + 256U * bytes[1];
                if (number != expected++) {
                    return true;
                }
            }
            return expected == count;
        },
        30 * Second);
    QVERIFY(all);
    QCOMPARE(expected, count);
}

bool connectTo(Peer& peer, const Address& address, Time limit = 10 * Second) {
    peer.host.connect(address);
    return peer.pumpUntil([&] { return peer.only() != nullptr; }, limit);
}

Address loopback(std::uint16_t port) { return Address::v4(127, 0, 0, 1, port); }

bool hasV6() {
    const auto transport = UdpTransport::open(0);
    const auto address = resolveAddress("[::1]:9", 9);
    return transport && (*transport)->send(*address, std::array<std::uint8_t, 1>{0}) == TransportStatus::Sent;
}

// "[fe80::…%interface]"; empty: there is none.
QString linkLocal() {
    QString found;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) {
        return found;
    }
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET6
            || (one->ifa_flags & IFF_UP) == 0) {
            continue;
        }
        sockaddr_in6 address{};
        std::memcpy(&address, one->ifa_addr, sizeof address);
        std::array<char, INET6_ADDRSTRLEN> text{};
        if (IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr)
            && ::inet_ntop(AF_INET6, &address.sin6_addr, text.data(), text.size()) != nullptr) {
            found = QStringLiteral("[%1%%2]").arg(QLatin1String(text.data()), QLatin1String(one->ifa_name));
        }
    }
    ::freeifaddrs(all);
    return found;
}

} // namespace

class TestUdp : public QObject {
    Q_OBJECT
private slots:
    void addressesAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read"); // empty: refused
        QTest::newRow("v4") << "10.0.0.1:4000"
                            << "10.0.0.1:4000";
        QTest::newRow("v4 alone") << "10.0.0.1"
                                  << "10.0.0.1:77";
        QTest::newRow("v6") << "[::1]:5"
                            << "[::1]:5";
        QTest::newRow("v6 alone") << "[fe80::2]"
                                  << "[fe80::2]:77";
        QTest::newRow("v6 bare") << "2001:db8::1"
                                 << "[2001:db8::1]:77";
        QTest::newRow("mapped") << "[::ffff:1.2.3.4]:5"
                                << "1.2.3.4:5";
        QTest::newRow("name") << "localhost:80"
                              << "127.0.0.1:80";
        QTest::newRow("no port") << "1.2.3.4:"
                                 << "";
        QTest::newRow("bad port") << "1.2.3.4:99999"
                                  << "";
        QTest::newRow("letters") << "1.2.3.4:http"
                                 << "";
        QTest::newRow("empty") << ""
                               << "";
        QTest::newRow("bracket") << "[::1"
                                 << "";
    }
    void addressesAreRead() {
        QFETCH(QString, text);
        QFETCH(QString, read);
        const auto address = resolveAddress(text.toStdString(), 77);
        QCOMPARE(address.ok(), !read.isEmpty());
        if (address) {
            QCOMPARE(QString::fromStdString(address->toString()), read);
        } else {
            QVERIFY(address.error().message.find("expected HOST") != std::string::npos);
        }
    }

    void datagramsGoEitherWayAndLongOnesAreDropped() {
        auto a = UdpTransport::open(0);
        auto b = UdpTransport::openV4(0);
        QVERIFY(a.ok() && b.ok());
        std::array<std::uint8_t, 1500> bytes{};
        bytes[3] = 9;
        const Address toB = loopback((*b)->local().port);
        QVERIFY((*a)->send(toB, ByteView(bytes).first(1200)) == TransportStatus::Sent);
        std::array<std::uint8_t, 1300> room{};
        (*b)->wait(5 * Second);
        const auto received = (*b)->receive(room);
        QVERIFY(received.has_value());
        QCOMPARE(received->size, std::size_t{1200});
        QCOMPARE(int{room[3]}, 9);
        QVERIFY(received->from.isV4());
        QVERIFY((*b)->send(received->from, ByteView(bytes).first(20)) == TransportStatus::Sent);
        (*a)->wait(5 * Second);
        const auto back = (*a)->receive(room);
        QVERIFY(back.has_value() && back->from == toB);
        // Longer than the room: dropped whole, and the next one comes.
        (*a)->send(toB, bytes);
        (*a)->send(toB, ByteView(bytes).first(7));
        (*b)->wait(5 * Second);
        const auto next = (*b)->receive(room);
        QVERIFY(next.has_value());
        QCOMPARE(next->size, std::size_t{7});
        QCOMPARE((*b)->counters().truncated, std::uint64_t{1});
        QVERIFY(!(*b)->receive(room).has_value());
    }

    // What leaves together is what leaves one by one: the same datagrams, in the same order at each address, in fewer calls.
    void gatheredDatagramsAreTheSame_data() {
        QTest::addColumn<bool>("gather");
        QTest::addColumn<bool>("segments");
        QTest::newRow("one by one") << false << false;
        QTest::newRow("gathered") << true << false;
        QTest::newRow("gathered, in pieces that the system cuts") << true << true;
    }
    void gatheredDatagramsAreTheSame() {
        QFETCH(bool, gather);
        QFETCH(bool, segments);
        auto sender = UdpTransport::open(0);
        QVERIFY(sender.ok());
        if (segments && !(*sender)->segmentation()) {
            QSKIP("this system cuts no datagrams");
        }
        (*sender)->setSegmentation(segments);
        std::array<std::unique_ptr<UdpTransport>, 2> receivers;
        for (auto& receiver : receivers) {
            auto opened = UdpTransport::openV4(0);
            QVERIFY(opened.ok());
            receiver = std::move(*opened);
        }
        Random random(5);
        std::uint64_t sent = 0;
        for (int round = 0; round < 20; ++round) {
            std::array<std::vector<std::vector<std::uint8_t>>, 2> expected;
            if (gather) {
                (*sender)->gather();
            }
            // Runs of one size, to one of two addresses, some with a shorter or a longer one in between; more than are held back.
            for (int n = 0; n < 90;) {
                const std::size_t to = random.below(2);
                const std::size_t size = random.below(3) == 0 ? 1 + random.below(1200) : 1200;
                for (std::uint32_t i = 1 + random.below(12); i > 0 && n < 90; --i, ++n, ++sent) {
                    std::vector<std::uint8_t> bytes(size);
                    for (std::uint8_t& byte : bytes) {
                        byte = static_cast<std::uint8_t>(random.next());
                    }
                    QVERIFY((*sender)->send(loopback(receivers[to]->local().port), bytes)
                            == TransportStatus::Sent);
                    expected[to].push_back(std::move(bytes));
                }
            }
            if (gather) {
                (*sender)->flush();
            }
            for (std::size_t to = 0; to < 2; ++to) {
                std::array<std::uint8_t, 2048> room{};
                for (const auto& bytes : expected[to]) {
                    receivers[to]->wait(5 * Second);
                    const auto received = receivers[to]->receive(room);
                    QVERIFY(received.has_value());
                    QVERIFY(std::ranges::equal(ByteView(room).first(received->size), bytes));
                }
                QVERIFY(!receivers[to]->receive(room).has_value());
            }
        }
        const UdpCounters& counters = (*sender)->counters();
        QCOMPARE(counters.sent, sent);
        QCOMPARE(counters.blocked + counters.sendErrors + counters.tooLarge, std::uint64_t{0});
        QVERIFY2(gather ? counters.calls * 20 < sent : counters.calls == sent,
                 qPrintable(QString::number(counters.calls)));
    }
    // One that cannot be sent is counted and costs the others nothing, alone or in a run of its like.
    void oneBadAddressAmongGatheredOnes() {
        auto sender = UdpTransport::open(0);
        auto receiver = UdpTransport::openV4(0);
        QVERIFY(sender.ok() && receiver.ok());
        const Address good = loopback((*receiver)->local().port);
        const Address bad = loopback(0); // no port: the system refuses it
        const bool couldCut = (*sender)->segmentation();
        (*sender)->gather();
        std::array<std::uint8_t, 700> bytes{};
        for (std::uint8_t n = 0; n < 50; ++n) {
            bytes[0] = n;
            QVERIFY((*sender)->send(n % 10 == 4 || n >= 45 ? bad : good, bytes) == TransportStatus::Sent);
        }
        (*sender)->flush();
        const UdpCounters& counters = (*sender)->counters();
        QCOMPARE(counters.sendErrors, std::uint64_t{5 + 5});
        QCOMPARE(counters.sent, std::uint64_t{40});
        QCOMPARE((*sender)->segmentation(), couldCut); // it was the address
        for (std::uint8_t n = 0; n < 45; ++n) {
            if (n % 10 == 4) {
                continue;
            }
            (*receiver)->wait(5 * Second);
            const auto received = (*receiver)->receive(bytes);
            QVERIFY(received.has_value() && received->size == bytes.size());
            QCOMPARE(bytes[0], n);
        }
        // What is no datagram of this protocol goes at once, and behind what waits.
        (*sender)->gather();
        QVERIFY((*sender)->send(good, ByteView(bytes).first(10)) == TransportStatus::Sent);
        const std::vector<std::uint8_t> huge(70'000);
        QVERIFY((*sender)->send(good, huge) == TransportStatus::TooLarge);
        (*receiver)->wait(5 * Second);
        QVERIFY((*receiver)->receive(bytes).has_value());
        (*sender)->flush();
    }

    // A closed port, and more than a datagram can carry: counted, never fatal.
    void socketErrorsAreCounted() {
        auto a = UdpTransport::open(0);
        QVERIFY(a.ok());
        const std::uint16_t closed = (*UdpTransport::open(0))->local().port;
        std::array<std::uint8_t, 100> bytes{};
        for (int i = 0; i < 5; ++i) {
            (*a)->send(loopback(closed), bytes);
            (*a)->wait(20 * Millisecond);
            QVERIFY(!(*a)->receive(bytes).has_value());
        }
        const std::vector<std::uint8_t> huge(70'000);
        QVERIFY((*a)->send(loopback(closed), huge) == TransportStatus::TooLarge);
        QCOMPARE((*a)->counters().tooLarge, std::uint64_t{1});
        auto v4 = UdpTransport::openV4(0);
        QVERIFY((*v4)->send(*resolveAddress("[2001:db8::1]:9", 9), bytes) == TransportStatus::Failed);
        const auto taken = UdpTransport::open((*a)->local().port);
        QVERIFY(!taken.ok());
        QVERIFY(taken.error().message.find("expected a port") != std::string::npos);
    }

    // Over every kind of address that this machine has, with a server of a process of its own.
    void twoProcessesSpeakOverEveryKindOfAddress_data() {
        QTest::addColumn<QString>("address");
        QTest::newRow("v4") << "127.0.0.1";
        QTest::newRow("v6") << "[::1]";
        QTest::newRow("mapped") << "[::ffff:127.0.0.1]";
        QTest::newRow("by name") << "localhost";
        QTest::newRow("link-local, with its scope") << linkLocal();
    }
    void twoProcessesSpeakOverEveryKindOfAddress() {
        QFETCH(QString, address);
        if ((address.contains(QLatin1String("::1]")) && !hasV6()) || address.isEmpty()) {
            QSKIP("this machine has no such address");
        }
        Server server;
        QVERIFY(server.port != 0);
        auto peer = client();
        QVERIFY(peer != nullptr);
        const auto target =
            resolveAddress(QStringLiteral("%1:%2").arg(address).arg(server.port).toStdString(), 1);
        QVERIFY(target.ok());
        QCOMPARE(target->scope != 0, address.contains(QLatin1Char('%')));
        QVERIFY(connectTo(*peer, *target));
        exchange(*peer, 2000);
        peer->only()->close();
        QVERIFY(peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 10 * Second));
        QVERIFY(server.nextLine().startsWith("connected "));
        const QByteArray closed = server.nextLine();
        QCOMPARE(closed.split(' ').value(2), QByteArray("1")); // the reason: an end asked for it
    }
    // The matrix: sockets of both families and of IPv4 alone, at both ends, to each address that they can reach.
    void socketsOfAllKindsConnect_data() {
        QTest::addColumn<bool>("serverV4");
        QTest::addColumn<bool>("clientV4");
        QTest::addColumn<QString>("address");
        for (const bool serverV4 : {false, true}) {
            for (const bool clientV4 : {false, true}) {
                for (const char* address :
                     {"127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "[::1]", "link-local"}) {
                    const bool isV6 = QLatin1String(address) == QLatin1String("[::1]")
                                      || QLatin1String(address) == QLatin1String("link-local");
                    if (!isV6 || (!serverV4 && !clientV4)) {
                        QTest::addRow("%s to %s, %s", clientV4 ? "v4" : "any", serverV4 ? "v4" : "any",
                                      address)
                            << serverV4 << clientV4
                            << (QLatin1String(address) == QLatin1String("link-local")
                                    ? linkLocal()
                                    : QString::fromLatin1(address));
                    }
                }
            }
        }
    }
    void socketsOfAllKindsConnect() {
        QFETCH(bool, serverV4);
        QFETCH(bool, clientV4);
        QFETCH(QString, address);
        if ((address == QLatin1String("[::1]") && !hasV6()) || address.isEmpty()) {
            QSKIP("this machine has no such address");
        }
        auto listening = serverV4 ? UdpTransport::openV4(0) : UdpTransport::open(0);
        auto asking = clientV4 ? UdpTransport::openV4(0) : UdpTransport::open(0);
        QVERIFY(listening.ok() && asking.ok());
        HostSettings settings = realSettings();
        settings.listens = true;
        Peer server(std::move(*listening), settings);
        Peer peer(std::move(*asking), realSettings());
        const auto target = resolveAddress(
            QStringLiteral("%1:%2").arg(address).arg(server.socket->local().port).toStdString(), 1);
        QVERIFY(target.ok());
        peer.host.connect(*target);
        std::uint32_t heard = 0;
        bool said = false;
        const bool came = peer.pumpUntil(
            [&] {
                server.pump(0);
                if (Connection* const connection = peer.only(); connection != nullptr && !said) {
                    for (int i = 0; i < 50; ++i) {
                        static_cast<void>(connection->send(1, std::array<std::uint8_t, 3>{1, 2, 3}));
                    }
                    said = true;
                }
                server.host.forEach([&](Connection& c) {
                    ReceivedMessage delivery;
                    while (c.next(delivery)) {
                        ++heard;
                    }
                });
                return heard == 50;
            },
            20 * Second);
        QVERIFY(came);
        // Each knows the other by one address, whichever family the socket is of.
        QVERIFY(peer.only()->peer() == *target);
        QCOMPARE(server.host.connectionCount(), std::size_t{1});
    }

    // Real sockets, and a proxy between them that loses, delays and doubles datagrams.
    void aBadPathBetweenRealSockets() {
        Server server;
        auto front = UdpTransport::open(0);
        auto back = UdpTransport::open(0);
        auto peer = client();
        QVERIFY(front.ok() && back.ok() && peer != nullptr);
        const LinkSettings bad{.latency = 5 * Millisecond,
                               .jitter = 10 * Millisecond,
                               .loss = 0.2,
                               .duplicate = 0.1,
                               .corrupt = 0.02};
        LinkDirection up(1, bad);
        LinkDirection down(2, bad);
        Address clientAddress;
        std::vector<std::uint8_t> bytes;
        const auto relay = [&] {
            std::array<std::uint8_t, 2048> room{};
            while (const auto got = (*front)->receive(room)) {
                clientAddress = got->from;
                up.push(steadyNow(), ByteView(room).first(got->size));
            }
            while (const auto got = (*back)->receive(room)) {
                down.push(steadyNow(), ByteView(room).first(got->size));
            }
            while (up.pop(steadyNow(), bytes)) {
                (*back)->send(loopback(server.port), bytes);
            }
            while (down.pop(steadyNow(), bytes)) {
                (*front)->send(clientAddress, bytes);
            }
        };
        peer->host.connect(loopback((*front)->local().port));
        const Time end = steadyNow() + 30 * Second;
        std::uint32_t sent = 0;
        std::uint32_t expected = 0;
        bool inOrder = true;
        MessageHandle last;
        while (steadyNow() < end && expected < 500) {
            relay();
            peer->pump(Millisecond);
            Connection* connection = peer->only();
            if (connection == nullptr) {
                continue;
            }
            for (int i = 0; i < 3 && sent < 500; ++i, ++sent) {
                const std::array<std::uint8_t, 2> body{static_cast<std::uint8_t>(sent),
                                                       static_cast<std::uint8_t>(sent >> 8U)};
                last = connection
                           ->send(1, body,
                                  last ? std::span<const MessageHandle>(&last, 1)
                                       : std::span<const MessageHandle>())
                           .handle;
            }
            ReceivedMessage delivery;
            while (connection->next(delivery)) {
                const auto at = delivery.body.bytes();
                inOrder = inOrder && at[0] + 256U * at[1] == expected;
                ++expected;
            }
        }
        QVERIFY(inOrder);
        QCOMPARE(expected, 500U);
    }

    // The server is killed, and another takes its port at once: what the client goes on saying is none of its business, the client
    // finds out, and has a new session with the new one.
    void aKilledServerIsNoticedAndItsSuccessorIsAnother() {
        Server server;
        auto peer = client();
        QVERIFY(connectTo(*peer, loopback(server.port)));
        exchange(*peer, 10);
        const std::uint32_t old = peer->only()->id();
        const Time begun = peer->host.clock();
        exchange(*peer, 1); // something is heard after this
        const auto handle = peer->only()->send(1, std::array<std::uint8_t, 1>{1});
        const Time said = peer->host.clock();
        const std::uint16_t port = server.port;
        server.kill();
        Server successor(port);
        QCOMPARE(successor.port, port);
        // As its own clock has it: one time-out after it heard something last, or after it said what nobody has answered.
        std::uint64_t received = peer->only()->channel().counters().packetsReceived;
        Time heard = 0;
        for (const Time end = steadyNow() + 20 * Second;
             peer->host.connectionCount() > 0 && steadyNow() < end;) {
            peer->socket->wait(5 * Millisecond);
            peer->host.update(steadyNow());
            if (const Connection* connection = peer->only();
                connection != nullptr && connection->channel().counters().packetsReceived != received) {
                received = connection->channel().counters().packetsReceived;
                heard = peer->host.clock();
            }
        }
        QCOMPARE(peer->host.connectionCount(), std::size_t{0});
        CloseReason reason = CloseReason::None;
        ConnectionEvent event;
        while (peer->host.nextEvent(event)) {
            reason = event.reason;
        }
        QVERIFY(reason == CloseReason::Timeout || reason == CloseReason::Undeliverable);
        // A quarter of a second late at most: then that clock stands still, and it asks before it gives up.
        const Time late =
            300 * Millisecond + static_cast<Time>(peer->host.counters().suspensions) * 1300 * Millisecond;
        const Time silent =
            peer->host.clock() - (reason == CloseReason::Timeout ? std::max(heard, begun) : said);
        QVERIFY2(silent >= 2 * Second && peer->host.clock() - std::max(heard, said) <= 2 * Second + late,
                 qPrintable(QString::number(silent / Millisecond)));
        // Connected again within a second: nothing but answers is waited for. The client's clock stands still, so no timer helps, the
        // first of which asks again after a quarter of a second; CHALLENGE and ACCEPT are all it takes.
        const Time still = steadyNow();
        peer->host.connect(loopback(port));
        int answers = 0;
        for (peer->host.update(still); peer->only() == nullptr && answers < 3; ++answers) {
            peer->socket->wait(20 * Second);
            peer->host.update(still);
        }
        QVERIFY(peer->only() != nullptr);
        QCOMPARE(answers, 2);
        QVERIFY(peer->only()->id() != old);
        QVERIFY(peer->host.state(handle.handle) == HandleState::Closed);
        QVERIFY(peer->only()->send(1, std::array<std::uint8_t, 1>{1}, std::span(&handle.handle, 1)).status
                == SendStatus::StaleDependency);
        exchange(*peer, 10);
        peer->only()->close();
        QVERIFY(peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 10 * Second));
        QVERIFY(successor.nextLine().startsWith("connected ")); // nobody before
        const QList<QByteArray> words = successor.nextLine().trimmed().split(' ');
        QCOMPARE(words.value(2), QByteArray("1"));
        QVERIFY2(words.value(10).toInt() >= 3, words.join(' ').constData()); // datagrams of the old session
    }

    // The client disappears: the server's slot is free after the time-out.
    void aVanishedClientIsTimedOut() {
        Server server;
        {
            auto peer = client();
            QVERIFY(connectTo(*peer, loopback(server.port)));
        }
        QVERIFY(server.nextLine().startsWith("connected "));
        const QByteArray closed = server.nextLine();
        QCOMPARE(closed.split(' ').value(2), QByteArray("2"));
    }

    // A stopped process is not given up at once, and does not give up at once when it goes on.
    void aStoppedServerGoesOn() {
        Server server(0, 60); // the client waits as long as it takes
        auto peer = client();
        QVERIFY(connectTo(*peer, loopback(server.port)));
        exchange(*peer, 10);
        // For as long as it takes another client to give up a server that is stopped with it, of a time-out of a second.
        Server silent(0, 1);
        auto other = client();
        QVERIFY(connectTo(*other, loopback(silent.port)));
        exchange(*other, 1);
        silent.signal(SIGSTOP);
        server.signal(SIGSTOP);
        QVERIFY(peer->pumpUntil(
            [&] {
                other->pump(Millisecond);
                return other->host.connectionCount() == 0;
            },
            30 * Second));
        server.signal(SIGCONT);
        exchange(*peer, 10);
        peer->only()->close();
        peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 10 * Second);
        QVERIFY(server.nextLine().startsWith("connected "));
        const QByteArray closed = server.nextLine();
        QVERIFY2(closed.split(' ').value(4).toInt() >= 1, closed.constData());
    }
};

QTEST_GUILESS_MAIN(TestUdp)
#include "tst_udp.moc"
