#include <QtTest>

#include <QProcess>

#include "engine/net/simulated_link.h"
#include "tests/net/peer.h"

#include <csignal>
#include <cstring>

using namespace sbx;
using namespace sbx::net;

namespace {

// The server, in a process of its own.
class Server {
public:
    explicit Server(std::uint16_t wanted = 0) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(SBX_BINARY_DIR "/tests/net_peer"), {QString::number(wanted)});
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
                const std::array<std::uint8_t, 4> body{
                    static_cast<std::uint8_t>(sent), static_cast<std::uint8_t>(sent >> 8U), 1, 2};
                const auto needs = last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>();
                const net::SendResult result = connection->send(7, body, needs);
                if (result.status != SendStatus::Sent) {
                    break;
                }
                last = result.handle;
                ++sent;
            }
            Delivery delivery;
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

} // namespace

class TestUdp : public QObject {
    Q_OBJECT
private slots:
    void addressesAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read"); // empty: refused
        QTest::newRow("v4") << "10.0.0.1:4000" << "10.0.0.1:4000";
        QTest::newRow("v4 alone") << "10.0.0.1" << "10.0.0.1:77";
        QTest::newRow("v6") << "[::1]:5" << "[::1]:5";
        QTest::newRow("v6 alone") << "[fe80::2]" << "[fe80::2]:77";
        QTest::newRow("v6 bare") << "2001:db8::1" << "[2001:db8::1]:77";
        QTest::newRow("mapped") << "[::ffff:1.2.3.4]:5" << "1.2.3.4:5";
        QTest::newRow("name") << "localhost:80" << "127.0.0.1:80";
        QTest::newRow("no port") << "1.2.3.4:" << "";
        QTest::newRow("bad port") << "1.2.3.4:99999" << "";
        QTest::newRow("letters") << "1.2.3.4:http" << "";
        QTest::newRow("empty") << "" << "";
        QTest::newRow("bracket") << "[::1" << "";
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
                    QVERIFY((*sender)->send(loopback(receivers[to]->local().port), bytes) == TransportStatus::Sent);
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
        QVERIFY2(gather ? counters.calls * 20 < sent : counters.calls == sent, qPrintable(QString::number(counters.calls)));
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

    // L-4: a closed port, and more than a datagram can carry: counted, never fatal.
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

    // L-5
    void twoProcessesSpeakOverEveryKindOfAddress_data() {
        QTest::addColumn<QString>("address");
        QTest::newRow("v4") << "127.0.0.1";
        QTest::newRow("v6") << "[::1]";
        QTest::newRow("mapped") << "[::ffff:127.0.0.1]";
    }
    void twoProcessesSpeakOverEveryKindOfAddress() {
        QFETCH(QString, address);
        if (address == "[::1]" && !hasV6()) {
            QSKIP("this machine has no IPv6");
        }
        Server server;
        QVERIFY(server.port != 0);
        auto peer = client();
        QVERIFY(peer != nullptr);
        QVERIFY(connectTo(*peer, *resolveAddress(address.toStdString(), server.port)));
        exchange(*peer, 2000);
        peer->only()->close();
        QVERIFY(peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 10 * Second));
        QVERIFY(server.nextLine().startsWith("connected "));
        const QByteArray closed = server.nextLine();
        QCOMPARE(closed.split(' ').value(2), QByteArray("1")); // the reason: an end asked for it
    }

    // Real sockets, and a proxy between them that loses, delays and doubles datagrams.
    void aBadPathBetweenRealSockets() {
        Server server;
        auto front = UdpTransport::open(0);
        auto back = UdpTransport::open(0);
        auto peer = client();
        QVERIFY(front.ok() && back.ok() && peer != nullptr);
        const LinkSettings bad{
            .latency = 5 * Millisecond, .jitter = 10 * Millisecond, .loss = 0.2, .duplicate = 0.1, .corrupt = 0.02};
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
                                  last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>())
                           .handle;
            }
            Delivery delivery;
            while (connection->next(delivery)) {
                const auto at = delivery.body.bytes();
                inOrder = inOrder && at[0] + 256U * at[1] == expected;
                ++expected;
            }
        }
        QVERIFY(inOrder);
        QCOMPARE(expected, 500U);
    }

    // L-1: the server is killed; the client finds out, and a new server on the same port has a new session.
    void aKilledServerIsNoticedAndItsSuccessorIsAnother() {
        Server server;
        auto peer = client();
        QVERIFY(connectTo(*peer, loopback(server.port)));
        exchange(*peer, 10);
        const std::uint32_t old = peer->only()->id();
        const auto handle = peer->only()->send(1, std::array<std::uint8_t, 1>{1});
        const std::uint16_t port = server.port;
        server.kill();
        const Time killed = steadyNow();
        QVERIFY(peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 20 * Second));
        QVERIFY(steadyNow() - killed > 1500 * Millisecond);
        CloseReason reason = CloseReason::None;
        ConnectionEvent event;
        while (peer->host.nextEvent(event)) {
            reason = event.reason;
        }
        QVERIFY(reason == CloseReason::Timeout || reason == CloseReason::Undeliverable);
        Server successor(port);
        QCOMPARE(successor.port, port);
        QVERIFY(connectTo(*peer, loopback(port)));
        QVERIFY(peer->only()->id() != old);
        QVERIFY(peer->host.state(handle.handle) == HandleState::Stale);
        exchange(*peer, 10);
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

    // L-2: a stopped process is not given up at once, and does not give up at once when it goes on.
    void aStoppedServerGoesOn() {
        Server server;
        auto peer = client();
        QVERIFY(connectTo(*peer, loopback(server.port)));
        exchange(*peer, 10);
        server.signal(SIGSTOP);
        peer->pumpUntil([] { return false; }, Second);
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
