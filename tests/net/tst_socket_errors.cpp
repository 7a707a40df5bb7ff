#include <QtTest>

#include "engine/net/simulated_link.h"
#include "tests/net/numbered.h"
#include "tests/net/peer.h"
#include "tests/net/world.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <deque>

// Whatever the system says of a socket is counted and tried again, and ends no connection: anybody can
// make it say so. The system's calls are this program's, which lets some of them fail; and beside them a simulated transport fails.

namespace {

// The errors that the next calls give; 0: the call is made. Of sockets for datagrams alone.
struct Faults {
    std::deque<int> sending;
    std::deque<int> receiving;
    std::uint64_t given = 0;
};
Faults TheFaults;

bool fails(std::deque<int>& errors, int socket) {
    int type = 0;
    socklen_t size = sizeof type;
    if (errors.empty() || ::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0
        || type != SOCK_DGRAM) {
        return false;
    }
    const int error = errors.front();
    errors.pop_front();
    if (error != 0) {
        ++TheFaults.given;
        errno = error;
    }
    return error != 0;
}

} // namespace

extern "C" {
ssize_t sendto(int socket, const void* data, size_t size, int flags, const sockaddr* to, socklen_t length) {
    return fails(TheFaults.sending, socket) ? -1
                                            : ::syscall(SYS_sendto, socket, data, size, flags, to, length);
}
ssize_t sendmsg(int socket, const msghdr* message, int flags) {
    return fails(TheFaults.sending, socket) ? -1 : ::syscall(SYS_sendmsg, socket, message, flags);
}
int sendmmsg(int socket, mmsghdr* messages, unsigned count, int flags) {
    return fails(TheFaults.sending, socket)
               ? -1
               : static_cast<int>(::syscall(SYS_sendmmsg, socket, messages, count, flags));
}
ssize_t recvfrom(int socket, void* data, size_t size, int flags, sockaddr* from, socklen_t* length) {
    return fails(TheFaults.receiving, socket)
               ? -1
               : ::syscall(SYS_recvfrom, socket, data, size, flags, from, length);
}
ssize_t recvmsg(int socket, msghdr* message, int flags) {
    return fails(TheFaults.receiving, socket) ? -1 : ::syscall(SYS_recvmsg, socket, message, flags);
}
}

using namespace sbx;
using namespace sbx::net;

namespace {

Address loopback(std::uint16_t port) { return Address::v4(127, 0, 0, 1, port); }

// Fails as it is told, before a transport that does not.
class Failing final : public Transport {
public:
    explicit Failing(Transport& below) : m_below(below) {}
    TransportStatus send(const Address& to, ByteView datagram) override {
        if (failing != TransportStatus::Sent && m_random.below(100) < percent) {
            ++given;
            return failing;
        }
        return m_below.send(to, datagram);
    }
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        return m_below.receive(buffer);
    }
    TransportStatus failing = TransportStatus::Sent;
    std::uint32_t percent = 100;
    std::uint64_t given = 0;

private:
    Transport& m_below;
    Random m_random{8};
};

} // namespace

Q_DECLARE_METATYPE(TransportStatus)

class TestSocketErrors : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { TheFaults = {}; }

    void eachErrorIsCountedAndTheRestGoesOn_data() {
        QTest::addColumn<int>("error");
        QTest::addColumn<TransportStatus>("said");
        QTest::newRow("EAGAIN") << EAGAIN << TransportStatus::WouldBlock;
        QTest::newRow("ENOBUFS") << ENOBUFS << TransportStatus::WouldBlock;
        QTest::newRow("EMSGSIZE") << EMSGSIZE << TransportStatus::TooLarge;
        QTest::newRow("ECONNREFUSED") << ECONNREFUSED << TransportStatus::Failed;
        QTest::newRow("ENETDOWN") << ENETDOWN << TransportStatus::Failed;
        QTest::newRow("ENETUNREACH") << ENETUNREACH << TransportStatus::Failed;
        QTest::newRow("EHOSTUNREACH") << EHOSTUNREACH << TransportStatus::Failed;
        QTest::newRow("EPERM") << EPERM << TransportStatus::Failed;
    }
    void eachErrorIsCountedAndTheRestGoesOn() {
        QFETCH(int, error);
        QFETCH(TransportStatus, said);
        auto sender = UdpTransport::open(0);
        auto receiver = UdpTransport::openV4(0);
        QVERIFY(sender.ok() && receiver.ok());
        const Address to = loopback((*receiver)->local().port);
        const auto arrives = [&](std::uint8_t expected) {
            std::array<std::uint8_t, 100> room{};
            (*receiver)->wait(5 * Second);
            const auto got = (*receiver)->receive(room);
            return got.has_value() && got->size == 10 && room[0] == expected;
        };
        std::array<std::uint8_t, 10> bytes{};
        // One by one: the caller hears of it.
        TheFaults.sending = {0, error, 0};
        for (std::uint8_t n = 0; n < 3; ++n) {
            bytes[0] = n;
            QVERIFY((*sender)->send(to, bytes) == (n == 1 ? said : TransportStatus::Sent));
        }
        QVERIFY(arrives(0) && arrives(2));
        // Together: what the socket has no room for stays, and leaves with the next; what cannot be sent is passed over alone.
        (*sender)->setSegmentation(false);
        (*sender)->gather();
        TheFaults.sending = {error};
        for (std::uint8_t n = 10; n < 15; ++n) {
            bytes[0] = n;
            QVERIFY((*sender)->send(to, bytes) == TransportStatus::Sent);
        }
        (*sender)->flush();
        const bool blocked = said == TransportStatus::WouldBlock;
        if (blocked) {
            std::array<std::uint8_t, 100> room{};
            QVERIFY(!(*receiver)->receive(room).has_value());
            (*sender)->gather();
            (*sender)->flush();
        }
        for (std::uint8_t n = blocked ? 10 : 11; n < 15; ++n) {
            QVERIFY(arrives(n));
        }
        std::array<std::uint8_t, 100> room{};
        QVERIFY(!(*receiver)->receive(room).has_value()); // none twice
        const UdpCounters& counters = (*sender)->counters();
        QCOMPARE(counters.blocked, std::uint64_t{blocked ? 2U : 0U});
        QCOMPARE(counters.tooLarge, std::uint64_t{error == EMSGSIZE ? 2U : 0U});
        QCOMPARE(counters.sendErrors, std::uint64_t{said == TransportStatus::Failed ? 2U : 0U});
        QCOMPARE(counters.sent, std::uint64_t{blocked ? 7U : 6U});
        QCOMPARE(TheFaults.given, std::uint64_t{2});
    }

    // What ICMP says of a datagram that was sent comes out of the next call that reads: passed over, a few at a time.
    void errorsOfReadingArePassedOver() {
        auto sender = UdpTransport::openV4(0);
        auto receiver = UdpTransport::open(0);
        QVERIFY(sender.ok() && receiver.ok());
        for (std::uint8_t n = 0; n < 3; ++n) {
            QVERIFY((*sender)->send(loopback((*receiver)->local().port), std::array{n})
                    == TransportStatus::Sent);
        }
        (*receiver)->wait(5 * Second);
        std::array<std::uint8_t, 100> room{};
        TheFaults.receiving = {ECONNREFUSED, EHOSTUNREACH, ENETDOWN, 0};
        QVERIFY((*receiver)->receive(room).has_value());
        QCOMPARE(room[0], std::uint8_t{0});
        QCOMPARE((*receiver)->counters().receiveErrors, std::uint64_t{3});
        TheFaults.receiving.assign(100, ECONNREFUSED); // a flood of them keeps nobody busy
        QVERIFY(!(*receiver)->receive(room).has_value());
        QVERIFY((*receiver)->counters().receiveErrors < 30);
        TheFaults.receiving.clear();
        for (std::uint8_t n = 1; n < 3; ++n) {
            QVERIFY((*receiver)->receive(room).has_value());
            QCOMPARE(room[0], n);
        }
    }

    // Two hosts over real sockets: every third call fails, each time for another reason; then the interface is down; then it is back.
    void aConnectionOutlivesThemAll() {
        auto listening = UdpTransport::open(0);
        auto asking = UdpTransport::open(0);
        QVERIFY(listening.ok() && asking.ok());
        HostSettings settings;
        settings.listens = true;
        Peer server(std::move(*listening), settings);
        settings.listens = false;
        Peer peer(std::move(*asking), settings);
        peer.host.connect(loopback(server.socket->local().port));
        Tally up;
        Tally down;
        const auto step = [&](Time most) {
            server.pump(0);
            peer.pump(most);
            peer.host.forEach([&](Connection& c) { down.take(c); });
            server.host.forEach([&](Connection& c) { up.take(c); });
        };
        const auto until = [&](auto done) {
            for (const Time end = steadyNow() + 30 * Second; steadyNow() < end && !done();) {
                step(Millisecond);
            }
            return done();
        };
        QVERIFY(until([&] { return peer.only() != nullptr && server.only() != nullptr; }));
        static constexpr std::array Errors{EAGAIN,      ENOBUFS,      EMSGSIZE, ECONNREFUSED, ENETDOWN,
                                           ENETUNREACH, EHOSTUNREACH, EPERM,    EINTR};
        Random random(5);
        std::uint32_t sent = 0;
        const auto say = [&] {
            QVERIFY(peer.only() != nullptr && server.only() != nullptr);
            QVERIFY(peer.only()->send(1, numbered(sent)).status == SendStatus::Sent);
            QVERIFY(server.only()->send(1, numbered(sent)).status == SendStatus::Sent);
            ++sent;
        };
        for (int i = 0; i < 300; ++i) {
            for (auto* errors : {&TheFaults.sending, &TheFaults.receiving}) {
                errors->clear();
                for (int n = 0; n < 20; ++n) {
                    errors->push_back(random.below(3) == 0 ? Errors[random.below(Errors.size())] : 0);
                }
            }
            say();
            step(Millisecond);
        }
        QVERIFY(TheFaults.given > 200);
        for (int i = 0; i < 100; ++i) { // nothing leaves at all
            TheFaults.sending.assign(100, ENETDOWN);
            TheFaults.receiving.assign(100, ENETDOWN);
            say();
            step(Millisecond);
        }
        TheFaults.sending.clear();
        TheFaults.receiving.clear();
        QVERIFY(until([&] { return up.total == sent && down.total == sent; }));
        QVERIFY(up.onceEach(sent) && down.onceEach(sent));
        QVERIFY(peer.only() != nullptr && server.only() != nullptr);
        const UdpCounters& counters = peer.socket->counters();
        QVERIFY(counters.blocked > 0 && counters.sendErrors > 0 && counters.receiveErrors > 0);
    }

    // The same in virtual time: what a transport refuses is lost like any other datagram, and counted; the connection lives through
    // less than its time-out of it.
    void refusedDatagramsAreSentAgain_data() {
        QTest::addColumn<TransportStatus>("failing");
        QTest::addColumn<int>("percent");
        for (const int percent : {30, 100}) {
            QTest::addRow("would block, %d percent", percent) << TransportStatus::WouldBlock << percent;
            QTest::addRow("too large, %d percent", percent) << TransportStatus::TooLarge << percent;
            QTest::addRow("failed, %d percent", percent) << TransportStatus::Failed << percent;
        }
    }
    void refusedDatagramsAreSentAgain() {
        QFETCH(TransportStatus, failing);
        QFETCH(int, percent);
        World world({.latency = 10 * Millisecond});
        Failing transport(world.network.open(clientAddress(0)));
        world.clients.push_back(
            std::make_unique<Host>(HostSettings{}, transport, world.entropyOf(0), world.network.now()));
        Host& host = *world.clients.back();
        host.connect(serverAddress());
        world.runFor(Second);
        Connection* client = nullptr;
        host.forEach([&](Connection& c) { client = &c; });
        QVERIFY(client != nullptr && client->state() == Connection::State::Connected);
        Connection* const server = world.server->find(client->id());
        QVERIFY(server != nullptr);
        Tally tally;
        std::uint32_t sent = 0;
        transport.percent = static_cast<std::uint32_t>(percent);
        for (int i = 0; i < 900; ++i) {
            transport.failing = i >= 100 && i < 700 ? failing : TransportStatus::Sent; // six seconds of it
            sent += client->send(1, numbered(sent)).status == SendStatus::Sent ? 1U : 0U;
            world.runFor(10 * Millisecond);
            tally.take(*server);
        }
        world.runFor(Second);
        tally.take(*server);
        QVERIFY(transport.given > 20);
        QCOMPARE(client->counters().sendFailures, transport.given);
        QVERIFY(tally.onceEach(sent));
        QVERIFY2(sent > 600, qPrintable(QString::number(sent)));
        QVERIFY(client->state() == Connection::State::Connected
                && server->state() == Connection::State::Connected);
        QVERIFY(client->channel().drained());
        transport.failing = TransportStatus::Sent;
    }
};

QTEST_GUILESS_MAIN(TestSocketErrors)
#include "tst_socket_errors.moc"
