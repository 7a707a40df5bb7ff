#include <QProcess>
#include <QtTest>

#include "engine/net/simulated_link.h"
#include "tests/folders.h"
#include "tests/net/numbered.h"
#include "tests/net/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

// Processes over real sockets: a bad path between them, ends that are stopped, killed and replaced, crowds and floods.

using namespace sbx;
using namespace sbx::net;

namespace {

class Process {
public:
    explicit Process(const QStringList& arguments) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(sbx::test::qBuildPath("tests/net_peer"), arguments);
    }
    ~Process() { kill(); }
    QByteArray nextLine() {
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(20'000)) {
                return {};
            }
        }
        return m_seen.emplaceBack(m_process.readLine().trimmed());
    }
    // The next line that begins so.
    QByteArray nextLine(const char* begin) {
        for (QByteArray line = nextLine(); !line.isEmpty(); line = nextLine()) {
            if (line.startsWith(begin)) {
                return line;
            }
        }
        return {};
    }
    // The next line that begins so, of those that are there. Empty: none yet.
    QByteArray lineNow(const char* begin) {
        m_process.waitForReadyRead(1);
        while (m_process.canReadLine()) {
            const QByteArray line = m_seen.emplaceBack(m_process.readLine().trimmed());
            if (line.startsWith(begin)) {
                return line;
            }
        }
        return {};
    }
    // All that has been said.
    void readNow() { lineNow("\n"); }
    // Whether such a line has been read or passed over.
    [[nodiscard]] bool saw(const QByteArray& begin) const {
        return std::any_of(m_seen.begin(), m_seen.end(),
                           [&](const QByteArray& line) { return line.startsWith(begin); });
    }
    [[nodiscard]] QByteArray last() const { return m_seen.isEmpty() ? QByteArray() : m_seen.last(); }
    std::uint16_t port() { return nextLine("port ").mid(5).toUShort(); }
    void kill() {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished();
    }
    void signal(int number) const { ::kill(static_cast<pid_t>(m_process.processId()), number); }

private:
    QProcess m_process;
    QList<QByteArray> m_seen;
};

Address loopback(std::uint16_t port) { return Address::v4(127, 0, 0, 1, port); }

// Between a client's socket and a server's; loses, delays, doubles and damages what goes through.
class Proxy {
public:
    Proxy(std::uint16_t server, const LinkSettings& path) : m_server(server), m_up(1, path), m_down(2, path) {
        auto front = UdpTransport::open(0);
        auto back = UdpTransport::open(0);
        if (front && back) {
            m_front = std::move(*front);
            m_back = std::move(*back);
        }
    }
    [[nodiscard]] Address address() const { return loopback(m_front->local().port); }
    void pump() {
        std::array<std::uint8_t, 2048> room{};
        while (const auto got = m_front->receive(room)) {
            m_client = got->from;
            m_up.push(steadyNow(), ByteView(room).first(got->size));
        }
        while (const auto got = m_back->receive(room)) {
            m_down.push(steadyNow(), ByteView(room).first(got->size));
        }
        while (m_up.pop(steadyNow(), m_bytes)) {
            m_back->send(loopback(m_server), m_bytes);
        }
        while (m_down.pop(steadyNow(), m_bytes)) {
            m_front->send(m_client, m_bytes);
        }
    }
    [[nodiscard]] std::uint64_t lost() const { return m_up.counters().lost + m_down.counters().lost; }

private:
    std::uint16_t m_server;
    LinkDirection m_up;
    LinkDirection m_down;
    std::unique_ptr<UdpTransport> m_front;
    std::unique_ptr<UdpTransport> m_back;
    Address m_client;
    std::vector<std::uint8_t> m_bytes;
};

// The server says what the time-out is.
std::unique_ptr<Peer> client() {
    auto transport = UdpTransport::open(0);
    return transport ? std::make_unique<Peer>(std::move(*transport), realSettings()) : nullptr;
}

// Loses a tenth each way, and more besides.
constexpr LinkSettings BadPath{
    .latency = 3 * Millisecond, .jitter = 6 * Millisecond, .loss = 0.1, .duplicate = 0.05, .corrupt = 0.01};

// Until a time has passed, and as many rounds of a millisecond have been gone through: a program that was kept waiting for longer than the
// limit itself has not waited for others.
class Patience {
public:
    explicit Patience(Time limit) : m_end(steadyNow() + limit), m_rounds(limit / Millisecond) {}
    bool left() { return --m_rounds >= 0 || steadyNow() < m_end; }

private:
    Time m_end;
    Time m_rounds;
};

// A chain of numbered messages goes out and comes back in order, once each.
bool exchange(Peer& peer, Proxy* proxy, std::uint32_t count, Time limit = 40 * Second) {
    Tally tally;
    std::uint32_t sent = 0;
    MessageHandle last;
    for (Patience patience(limit); tally.total < count && patience.left();) {
        if (proxy != nullptr) {
            proxy->pump();
        }
        peer.pump(Millisecond);
        Connection* connection = peer.only();
        if (connection == nullptr) {
            return false;
        }
        for (int i = 0; i < 3 && sent < count; ++i) {
            const auto needs =
                last ? std::span<const MessageHandle>(&last, 1) : std::span<const MessageHandle>();
            const auto result = connection->send(1, numbered(sent), needs);
            if (result.status != SendStatus::Sent) {
                break;
            }
            last = result.handle;
            ++sent;
        }
        tally.take(*connection);
    }
    return tally.onceEach(count) && tally.ordered;
}

// Of the connection that was closed last.
CloseReason lastReason(Peer& peer) {
    CloseReason reason = CloseReason::None;
    ConnectionEvent event;
    while (peer.host.nextEvent(event)) {
        reason = event.kind == ConnectionEvent::Kind::Connected ? reason : event.reason;
    }
    return reason;
}

template <typename Until> bool pumpBoth(Peer& peer, Proxy& proxy, Until until, Time limit) {
    for (Patience patience(limit); patience.left();) {
        proxy.pump();
        peer.pump(Millisecond);
        if (until()) {
            return true;
        }
    }
    return false;
}

// The processes stand still for that many whole seconds by the clock of a host: as long as it takes a client to give up a server that
// answered until then and stands still with them. `meanwhile` is done all the time.
template <typename Meanwhile>
bool standStill(std::initializer_list<const Process*> processes, int seconds, Meanwhile meanwhile) {
    Process silent({QStringLiteral("0"), QString::number(seconds)});
    auto witness = client();
    witness->host.connect(loopback(silent.port()));
    if (!witness->pumpUntil([&] { return witness->only() != nullptr; }, 20 * Second)
        || !exchange(*witness, nullptr, 1)) {
        return false;
    }
    silent.signal(SIGSTOP);
    for (const Process* process : processes) {
        process->signal(SIGSTOP);
    }
    for (Patience patience(30 * Second); patience.left() && witness->host.connectionCount() > 0;) {
        witness->pump(Millisecond);
        meanwhile();
    }
    for (const Process* process : processes) {
        process->signal(SIGCONT);
    }
    return witness->host.connectionCount() == 0;
}

} // namespace

class TestProcesses : public QObject {
    Q_OBJECT
private slots:
    // Through a path that loses a tenth: the server stands still, knows that it did, and goes on. The time-out is far away:
    // whoever is not stopped waits as long as it takes.
    void aServerBehindABadPathStandsStillAndGoesOn() {
        Process server({QStringLiteral("0"), QStringLiteral("60")});
        const std::uint16_t port = server.port();
        QVERIFY(port != 0);
        Proxy proxy(port, BadPath);
        auto peer = client();
        QVERIFY(peer != nullptr);
        peer->host.connect(proxy.address());
        QVERIFY(pumpBoth(
            *peer, proxy, [&] { return peer->only() != nullptr; }, 20 * Second));
        QVERIFY(exchange(*peer, &proxy, 200));
        const std::uint32_t id = peer->only()->id();
        QVERIFY(standStill({&server}, 1, [&] {
            proxy.pump();
            peer->pump(Millisecond);
        }));
        QVERIFY(exchange(*peer, &proxy, 50));
        QCOMPARE(peer->only()->id(), id);
        QVERIFY(proxy.lost() > 0);
        peer->only()->close(); // said three times, of which one may not get through: then it is a time-out
        QVERIFY(pumpBoth(
            *peer, proxy, [&] { return peer->host.connectionCount() == 0; }, 20 * Second));
        pumpBoth(
            *peer, proxy,
            [&] {
                server.readNow();
                return server.saw("closed ");
            },
            100 * Second);
        const QList<QByteArray> closed = server.last().split(' ');
        QCOMPARE(closed.value(1), QByteArray::number(id));
        QVERIFY2(closed.value(4).toInt() >= 1, server.last().constData()); // suspensions
    }

    // Through the same path: the server is killed, and another takes its port at once. What the client goes on saying is none of
    // its business; the client gives up at the time-out, and has a session of its own with the new one.
    void aServerBehindABadPathIsKilledAndReplaced() {
        auto server = std::make_unique<Process>(QStringList{QStringLiteral("0")});
        const std::uint16_t port = server->port();
        QVERIFY(port != 0);
        Proxy proxy(port, BadPath);
        auto peer = client();
        QVERIFY(peer != nullptr);
        const auto connected = [&] { return peer->only() != nullptr; };
        peer->host.connect(proxy.address());
        QVERIFY(pumpBoth(*peer, proxy, connected, 20 * Second));
        QVERIFY(exchange(*peer, &proxy, 200));
        const std::uint32_t before = peer->only()->id();
        const MessageHandle handle = peer->only()->send(1, numbered(0)).handle;
        server->kill();
        server = std::make_unique<Process>(QStringList{QString::number(port)});
        QCOMPARE(server->port(), port);
        QVERIFY(pumpBoth(
            *peer, proxy, [&] { return peer->host.connectionCount() == 0; }, 30 * Second));
        const CloseReason reason = lastReason(*peer);
        QVERIFY(reason == CloseReason::Timeout || reason == CloseReason::Undeliverable);
        server->readNow();
        QVERIFY(!server->saw("connected "));
        peer->host.connect(proxy.address());
        QVERIFY(pumpBoth(*peer, proxy, connected, 20 * Second));
        const std::uint32_t after = peer->only()->id();
        QVERIFY(after != before);
        QVERIFY(peer->host.state(handle) == HandleState::Closed);
        QVERIFY(peer->only()->send(1, numbered(0), std::span(&handle, 1)).status
                == SendStatus::StaleDependency);
        QVERIFY(exchange(*peer, &proxy, 200));
        QVERIFY(proxy.lost() > 0);
        peer->only()->close();
        QVERIFY(pumpBoth(
            *peer, proxy,
            [&] {
                server->readNow();
                return server->saw("closed ");
            },
            20 * Second));
        QVERIFY(server->saw("connected " + QByteArray::number(after)));
        const QList<QByteArray> closed = server->last().split(' ');
        QCOMPARE(closed.value(1), QByteArray::number(after));
        QVERIFY2(closed.value(10).toInt() >= 3, server->last().constData()); // datagrams of the old session
    }

    // The other way round: the client is killed, and another comes at once, for the server from the same address and port. What is
    // left of the old session is none of the new one's business, and is gone after the time-out.
    void aClientBehindABadPathIsKilledAndReplaced() {
        Process server({QStringLiteral("0")});
        const std::uint16_t port = server.port();
        QVERIFY(port != 0);
        Proxy proxy(port, BadPath);
        auto other = std::make_unique<Process>(QStringList{QStringLiteral("--clients"),
                                                           QString::number(proxy.address().port),
                                                           QStringLiteral("1"), QStringLiteral("0")});
        auto peer = client();
        QVERIFY(peer != nullptr);
        const auto said = [&](const QByteArray& line) {
            return pumpBoth(
                *peer, proxy,
                [&] {
                    server.readNow();
                    return server.saw(line);
                },
                30 * Second);
        };
        QVERIFY(said("connected "));
        const QByteArray old = server.last().mid(10);
        other->kill();
        peer->host.connect(proxy.address());
        QVERIFY(pumpBoth(
            *peer, proxy, [&] { return peer->only() != nullptr; }, 20 * Second));
        const QByteArray id = QByteArray::number(peer->only()->id());
        QVERIFY(id != old);
        QVERIFY(exchange(*peer, &proxy, 100));
        // The time-out; or what was echoed to it, and nobody acknowledged, came due first.
        QVERIFY(said("closed " + old + ' '));
        const QByteArray reason = server.last().split(' ').value(2);
        QVERIFY2(reason == "2" || reason == "6", reason.constData());
        QVERIFY(server.saw("connected " + id));
        QVERIFY(!server.saw("closed " + id));
        QVERIFY(exchange(*peer, &proxy, 100));
        QCOMPARE(QByteArray::number(peer->only()->id()), id);
    }

    // Two processes stand still together for longer than the time-out, as on a laptop that is shut: they ask, hear each other,
    // and go on. Then the client is killed, and gone after the time-out.
    void bothEndsStandStillAndGoOn() {
        Process server({QStringLiteral("0")});
        const std::uint16_t port = server.port();
        Process other(
            {QStringLiteral("--clients"), QString::number(port), QStringLiteral("1"), QStringLiteral("0")});
        const QByteArray first = server.nextLine("connected ").mid(10);
        QVERIFY(!first.isEmpty());
        QVERIFY(standStill({&server, &other}, 3, [] {})); // the time-out is two seconds
        // The server says when it has heard much of the first since it was stopped. It has not gone when the second is there.
        QByteArray line = server.nextLine("goes on ");
        QCOMPARE(line, "goes on " + first);
        auto peer = client();
        peer->host.connect(loopback(port));
        QVERIFY(peer->pumpUntil([&] { return peer->only() != nullptr; }, 10 * Second));
        QVERIFY(exchange(*peer, nullptr, 20));
        QVERIFY(
            peer->pumpUntil([&] { return !(line = server.lineNow("connected ")).isEmpty(); }, 20 * Second));
        QVERIFY(!server.saw("closed "));
        other.kill();
        QVERIFY(peer->pumpUntil([&] { return !(line = server.lineNow("closed ")).isEmpty(); }, 20 * Second));
        const QList<QByteArray> closed = line.split(' ');
        QCOMPARE(closed.value(1), first);
        QVERIFY(closed.value(2) == "2" || closed.value(2) == "6"); // time-out, or what it never acknowledged
        QVERIFY(closed.value(4).toInt() >= 1);      // suspensions
        QCOMPARE(closed.value(8), QByteArray("1")); // who is left: this one
    }

    // Four hundred connections that come and go, of a process that is killed: each slot is free one time-out after it was heard
    // last, as the server's own clock has it, and nobody is forgotten.
    void aCrowdThatIsKilledLeavesNothing() {
        auto transport = UdpTransport::open(0);
        QVERIFY(transport.ok());
        HostSettings settings = realSettings();
        settings.listens = true;
        settings.maxPerAddress = 1000;
        settings.maxPerNetwork = 1000;
        settings.maxConnections = 1000;
        Peer server(std::move(*transport), settings);
        Process crowd({QStringLiteral("--clients"), QString::number(server.socket->local().port),
                       QStringLiteral("100"), QStringLiteral("400")});
        struct Member {
            std::uint64_t received = 0;
            Time heard = 0;
            bool ended = false;
        };
        std::unordered_map<std::uint32_t, Member> members;
        std::uint32_t timedOut = 0;
        std::uint32_t left = 0;
        std::size_t most = 0;
        bool onTime = true;
        const auto step = [&] {
            server.socket->wait(5 * Millisecond);
            server.host.update(steadyNow());
            const Time now = server.host.clock();
            ConnectionEvent event;
            while (server.host.nextEvent(event)) {
                Member& member = members[event.connection];
                if (event.kind == ConnectionEvent::Kind::Connected) {
                    member.heard = now;
                    continue;
                }
                member.ended = true;
                timedOut += event.reason == CloseReason::Timeout ? 1U : 0U;
                left += event.reason == CloseReason::Closed ? 1U : 0U;
                // A quarter of a second late at most: then the clock stands still, and the server asks before it gives up.
                const Time late =
                    300 * Millisecond
                    + static_cast<Time>(server.host.counters().suspensions) * 1300 * Millisecond;
                const Time silent = now - member.heard;
                onTime = onTime
                         && (event.reason != CloseReason::Timeout
                             || (silent >= settings.timeout && silent <= settings.timeout + late));
            }
            most = std::max(most, server.host.connectionCount());
            server.host.forEach([&](Connection& c) {
                Member& member = members[c.id()];
                if (const std::uint64_t received = c.channel().counters().packetsReceived;
                    received != member.received) {
                    member.received = received;
                    member.heard = now;
                }
                ReceivedMessage delivery;
                while (c.next(delivery)) {}
            });
        };
        const Time end = steadyNow() + 60 * Second;
        while (server.host.counters().accepted < 400 && steadyNow() < end) {
            step();
        }
        QVERIFY2(server.host.counters().accepted >= 400,
                 qPrintable(QString::number(server.host.counters().accepted)));
        QVERIFY(most >= 20);
        crowd.kill();
        while (server.host.connectionCount() > 0 && steadyNow() < end) {
            step();
        }
        step();
        QCOMPARE(server.host.connectionCount(), std::size_t{0});
        QVERIFY(onTime);
        QVERIFY(timedOut >= 20 && left >= 20);
        for (const auto& [id, member] : members) {
            QVERIFY(member.ended || member.received == 0); // half open: nobody was told of them
        }
        qInfo("%llu came, %zu at a time; %u said goodbye, %u timed out",
              static_cast<unsigned long long>(server.host.counters().accepted), most, left, timedOut);
        // And the next one is welcome.
        auto peer = client();
        peer->host.connect(loopback(server.socket->local().port));
        for (const Time limit = steadyNow() + 10 * Second; steadyNow() < limit && peer->only() == nullptr;) {
            server.pump(Millisecond);
            peer->pump(Millisecond);
        }
        QVERIFY(peer->only() != nullptr);
    }

    // Thirty thousand requests from two hundred addresses while somebody plays.
    void aFloodFromManyAddresses() {
        Process server({QStringLiteral("0"), QStringLiteral("10")});
        const std::uint16_t port = server.port();
        auto peer = client();
        peer->host.connect(loopback(port));
        QVERIFY(peer->pumpUntil([&] { return peer->only() != nullptr; }, 10 * Second));
        std::vector<int> sockets;
        for (std::uint32_t i = 0; i < 200; ++i) {
            const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
            sockaddr_in from{};
            from.sin_family = AF_INET;
            from.sin_addr.s_addr = htonl(0x7F000000U + 0x100U + i); // 127.0.1.x
            if (socket >= 0 && ::bind(socket, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0) {
                sockets.push_back(socket);
            }
        }
        QVERIFY(sockets.size() == 200);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        to.sin_port = htons(port);
        Request request;
        std::array<std::uint8_t, MaxDatagram> datagram{};
        std::uint64_t flooded = 0;
        Tally tally;
        std::uint32_t sent = 0;
        // What a message and its echo take, with and without: for people to read, as machines differ.
        const auto p99 = [](std::vector<Time> times) {
            std::sort(times.begin(), times.end());
            return times.empty() ? 0.0 : static_cast<double>(times[times.size() * 99 / 100]) / Millisecond;
        };
        std::vector<Time> quiet;
        for (int i = 0; i < 200; ++i) {
            const Time from = steadyNow();
            static_cast<void>(peer->only()->send(1, numbered(sent)));
            ++sent;
            QVERIFY(peer->pumpUntil(
                [&] {
                    tally.take(*peer->only());
                    return tally.total == sent;
                },
                20 * Second));
            quiet.push_back(steadyNow() - from);
        }
        std::vector<Time> leaving;
        std::vector<Time> during;
        // Paced by the clock as far as this machine can; what is asked for is that the game goes on.
        const Time begun = steadyNow();
        while (flooded < 30'000 || tally.total < sent) {
            for (int i = 0; i < 100 && flooded < 30'000; ++i, ++flooded) {
                request.clientKey[0] = static_cast<std::uint8_t>(flooded);
                request.clientKey[1] = static_cast<std::uint8_t>(flooded >> 8U);
                writeRequest(datagram, request);
                ::sendto(sockets[flooded % sockets.size()], datagram.data(), datagram.size(), 0,
                         reinterpret_cast<const sockaddr*>(&to), sizeof to);
            }
            if (flooded < 30'000 && peer->only()->send(1, numbered(sent)).status == SendStatus::Sent) {
                ++sent;
                leaving.push_back(steadyNow());
            }
            peer->pump(3 * Millisecond);
            QVERIFY(peer->only() != nullptr);
            tally.take(*peer->only());
            while (quiet.size() + during.size() < tally.total) {
                during.push_back(steadyNow() - leaving[during.size()]);
            }
            QVERIFY2(steadyNow() - begun < 60 * Second, qPrintable(QString::number(tally.total)));
        }
        for (const int socket : sockets) {
            ::close(socket);
        }
        QVERIFY(tally.onceEach(sent));
        QVERIFY(sent > 300);
        qInfo("there and back, p99: %.2f ms, in the flood %.2f ms", p99(quiet), p99(during));
        peer->only()->close();
        peer->pumpUntil([&] { return peer->host.connectionCount() == 0; }, 10 * Second);
        // One connection came and went; the requests left none.
        const QByteArray closed = server.nextLine("closed ");
        const QList<QByteArray> words = closed.split(' ');
        QCOMPARE(words.value(2), QByteArray("1"));
        QVERIFY2(words.value(6).toULongLong() > 3000,
                 closed.constData()); // requests that the socket had room for
        QCOMPARE(words.value(8), QByteArray("0"));
    }
};

QTEST_GUILESS_MAIN(TestProcesses)
#include "tst_processes.moc"
