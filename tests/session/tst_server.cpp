// A session as the server of clients in other programs: real datagrams on this machine, the client a session of its own.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/session/server_setup.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <functional>

using namespace sbx;

namespace {

constexpr net::Time Patience = 30 * net::Second; // a loaded machine is slow

const char* const Types =
    "[Player]\n"
    "[Floor]\n[Floor.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [200.0, 1.0, 200.0]\n"
    "[Crate]\n[Crate.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n";
const char* const Scene = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
                          "[[entity]]\ntype = \"Floor\"\nname = \"floor\"\nposition = [0.0, -0.5, 0.0]\n"
                          "[[entity]]\ntype = \"Crate\"\nname = \"crate\"\nposition = [0.0, 3.0, 0.0]\n";

net::KeyPair makeKey() {
    net::Key secret{};
    net::secureEntropy(secret);
    return net::makeKeyPair(secret);
}

std::shared_ptr<UdpHost> opened(std::uint16_t port = 0) {
    auto udp = UdpHost::open(port);
    if (!udp)
        qFatal("%s", udp.error().message.c_str());
    return std::shared_ptr<UdpHost>(std::move(*udp));
}

class Server {
public:
    explicit Server(bool project = true) : session(m_log, addConsoleCommands) {
        if (project)
            session.open(projectInMemory(session, Types, Scene, nullptr));
    }
    [[nodiscard]] std::shared_ptr<const NetworkView> view() {
        session.publish();
        return session.snapshot()->network;
    }

private:
    Log m_log;

public:
    Session session;
};

class Client {
public:
    explicit Client(std::uint16_t port, const std::string& password = {}, std::optional<net::Key> expected = {})
        : session(m_log, addConsoleCommands) {
        session.simulation().setSide(Side::Client);
        session.open(projectInMemory(session, Types, Scene, nullptr));
        session.play();
        m_udp->begin(hostSettingsOf(session.simulation()));
        NetworkSetup setup;
        setup.role = NetworkRole::Client;
        setup.host = &m_udp->host();
        setup.pump = [this] { m_udp->pump(); };
        session.joinNetwork(std::move(setup));
        m_udp->host().connect(net::Address::v4(127, 0, 0, 1, port), {.expected = expected, .password = password});
    }
    ~Client() { session.simulation().network().detach(); }
    [[nodiscard]] NetworkSystem& network() { return session.simulation().network(); }
    [[nodiscard]] UdpHost& udp() { return *m_udp; }

private:
    Log m_log;
    std::shared_ptr<UdpHost> m_udp = opened();

public:
    Session session;
};

// Turns of both ends until that holds.
bool until(Client& client, const std::function<void()>& serverTurn, const std::function<bool()>& holds) {
    const net::Time end = net::steadyNow() + Patience;
    while (!holds()) {
        if (net::steadyNow() > end)
            return false;
        serverTurn();
        client.session.tick();
        client.udp().wait(net::steadyNow() + net::Millisecond);
    }
    return true;
}

} // namespace

class TestServer : public QObject {
    Q_OBJECT
private slots:
    void aClientHasTheWorldAndLosesItAtStop() {
        Server server;
        std::shared_ptr<UdpHost> udp = opened();
        const std::uint16_t port = udp->port();
        const net::KeyPair key = makeKey();
        QVERIFY(server.session.playAsServer({udp, key, {}}).ok());
        QVERIFY(server.session.running());
        Client client(port, {}, key.open);
        const auto tick = [&] { server.session.tick(); };
        QVERIFY(until(client, tick, [&] { return static_cast<bool>(client.session.world().find("crate")); }));
        QVERIFY(until(client, tick, [&] { return client.session.world().entityCount() == server.session.world().entityCount(); }));
        const auto view = server.view();
        QVERIFY(view != nullptr);
        QCOMPARE(view->port, port);
        QCOMPARE(view->peers.size(), std::size_t(1));
        QVERIFY(view->peers[0].connected && view->peers[0].bytesDown > 0 && !view->wantsPassword);

        // Paused, it keeps the connection, and lets others in.
        server.session.pause();
        const std::uint64_t held = server.session.world().tickCount();
        const auto idle = [&] { QVERIFY(server.session.idleTurn()); };
        Client late(port);
        QVERIFY(until(late, idle, [&] { return server.view()->peers.size() == 2; }));
        QVERIFY(server.session.snapshot()->network->peers[1].connected);
        // What its player does meanwhile waits, and ends no connection.
        for (int i = 0; i < 600; ++i) {
            client.session.setInput({.move = Vec2(static_cast<float>(i % 2), 0.0F), .look = Vec2(1.0F, 0.0F), .jump = i % 7 == 0});
            idle();
            client.session.tick();
            client.udp().pump();
            late.udp().pump();
        }
        QCOMPARE(server.view()->peers.size(), std::size_t(2));
        QCOMPARE(client.network().peerCount(), std::size_t(1));
        QCOMPARE(server.session.world().tickCount(), held);
        server.session.play();
        QVERIFY(until(late, tick, [&] { return static_cast<bool>(late.session.world().find("crate")); }));

        server.session.stop();
        QVERIFY(server.session.server() == nullptr && server.view() == nullptr);
        QVERIFY(until(client, [] {}, [&] { return client.network().peerCount() == 0; }));
        QCOMPARE(client.network().closeReason(), net::CloseReason::Closed);
        QVERIFY(!server.session.idleTurn());
        udp.reset(); // the session has let go of it: the port is free again
        QVERIFY(UdpHost::open(port).ok());
    }

    void aPasswordIsAskedFor() {
        Server server;
        const std::shared_ptr<UdpHost> udp = opened();
        const net::KeyPair key = makeKey();
        QVERIFY(server.session.playAsServer({udp, key, "open sesame"}).ok());
        const auto tick = [&] { server.session.tick(); };
        Client wrong(udp->port(), "barley", key.open);
        QVERIFY(until(wrong, tick, [&] { return wrong.network().closeReason() != net::CloseReason::None; }));
        QCOMPARE(wrong.network().closeReason(), net::CloseReason::DeniedPassword);
        QCOMPARE(server.session.simulation().network().peerCount(), std::size_t(0));
        QVERIFY(server.view()->wantsPassword);
    }

    void withThePassword() {
        Server server;
        const std::shared_ptr<UdpHost> udp = opened();
        const net::KeyPair key = makeKey();
        QVERIFY(server.session.playAsServer({udp, key, "open sesame"}).ok());
        Client right(udp->port(), "open sesame", key.open);
        QVERIFY(until(right, [&] { server.session.tick(); }, [&] { return static_cast<bool>(right.session.world().find("crate")); }));
        QVERIFY(server.view()->peers[0].authenticated);
    }

    void whatCannotBe() {
        Server empty(false);
        const auto none = empty.session.playAsServer({opened(), makeKey(), {}});
        QVERIFY(!none);
        QCOMPARE(none.error().message, std::string("no project is open"));
        QVERIFY(empty.session.server() == nullptr && !empty.session.running());

        const std::shared_ptr<UdpHost> udp = opened();
        const auto taken = UdpHost::open(udp->port());
        QVERIFY(!taken);
        QVERIFY2(taken.error().message.find(std::to_string(udp->port())) != std::string::npos, taken.error().message.c_str());

        Client client(udp->port());
        QVERIFY(!client.session.playAsServer({opened(), makeKey(), {}}));
    }

    // While it is paused a window learns who comes, whatever the server before had.
    void whoComesInAPauseIsPublished() {
        Server server;
        for (int run = 0; run < 2; ++run) {
            const std::shared_ptr<UdpHost> udp = opened();
            QVERIFY(server.session.playAsServer({udp, makeKey(), {}}).ok());
            server.session.publish();
            server.session.pause();
            Client client(udp->port());
            QVERIFY(until(client, [&] { server.session.idleTurn(); },
                          [&] {
                              const auto network = server.session.snapshot()->network;
                              return network != nullptr && network->peers.size() == 1 && network->peers[0].connected;
                          }));
        }
    }

    // Another run, another project, or the end of the session in the middle of it.
    void itEndsWithTheRun() {
        Server server;
        QVERIFY(server.session.playAsServer({opened(), makeKey(), {}}).ok());
        QVERIFY(server.session.playAsServer({opened(), makeKey(), {}}).ok());
        server.session.tick();
        QVERIFY(server.session.playAsHost(2).ok());
        QVERIFY(server.session.server() == nullptr && server.session.clients() != nullptr);
        server.session.tick();
        QVERIFY(server.session.playAsServer({opened(), makeKey(), {}}).ok());
        QVERIFY(server.session.server() != nullptr && server.session.clients() == nullptr);
        server.session.tick();
        server.session.open(nullptr);
        QVERIFY(server.session.server() == nullptr);
        server.session.open(projectInMemory(server.session, Types, Scene, nullptr));
        QVERIFY(server.session.playAsServer({opened(), makeKey(), {}}).ok());
        server.session.tick(); // and the session ends with it
    }
};

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
