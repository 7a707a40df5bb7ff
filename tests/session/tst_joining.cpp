// A session as a client of a server in another program: real datagrams on this machine, the server a session of its own.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/session/server_link.h"
#include "engine/session/server_setup.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <fstream>
#include <functional>
#include <sstream>

using namespace sbx;

namespace {

constexpr net::Time Patience = 30 * net::Second; // a loaded machine is slow

const char* const Types = "[Player]\n[Crate]\n[Crate.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n";
const char* const Scene = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
                          "[[entity]]\ntype = \"Crate\"\nname = \"crate\"\nposition = [0.0, 3.0, 0.0]\n";

net::KeyPair makeKey() {
    net::Key secret{};
    net::secureEntropy(secret);
    return net::makeKeyPair(secret);
}

std::shared_ptr<UdpHost> opened() {
    auto udp = UdpHost::open(0);
    if (!udp)
        qFatal("%s", udp.error().message.c_str());
    return std::shared_ptr<UdpHost>(std::move(*udp));
}

// A session with the project open, and what it logged and said of a connection that ended.
class Program {
public:
    explicit Program(const std::string& scene = Scene) : session(log, addConsoleCommands) {
        session.open(projectInMemory(session, Types, scene, nullptr));
        session.handlers().leftServer = [this](const std::string& why) { left.push_back(why); };
    }
    [[nodiscard]] std::shared_ptr<const NetworkView> view() {
        session.publish();
        return session.snapshot()->network;
    }
    [[nodiscard]] bool logged(const std::string& text) const {
        const auto all = log.since(0);
        return std::any_of(all.begin(), all.end(), [&](const LogRecord& r) { return r.text.find(text) != std::string::npos; });
    }
    // A turn as SimulationThread makes one.
    void turn() {
        session.runPosted();
        if (session.running())
            session.tick();
        else
            session.idleTurn();
    }
    Log log;
    std::vector<std::string> left;
    Session session;
};

// Turns of both until that holds.
bool until(Program& a, Program& b, const std::function<bool()>& holds) {
    const net::Time end = net::steadyNow() + Patience;
    while (!holds()) {
        if (net::steadyNow() > end)
            return false;
        a.turn();
        b.turn();
    }
    return true;
}

// That program serves, on the port that is returned.
std::uint16_t serve(Program& server, const net::KeyPair& key = makeKey(), const std::string& password = {}) {
    const std::shared_ptr<UdpHost> udp = opened();
    const std::uint16_t port = udp->port();
    if (!server.session.playAsServer({udp, key, password}))
        qFatal("it does not serve");
    return port;
}

ClientSetup setupFor(std::uint16_t port) {
    ClientSetup setup;
    setup.udp = opened();
    setup.server = net::Address::v4(127, 0, 0, 1, port);
    setup.serverName = "localhost:" + std::to_string(port);
    setup.playerName = "Ada";
    return setup;
}

} // namespace

class TestJoining : public QObject {
    Q_OBJECT
private slots:
    // An observer has the world and no player, and takes no player's place.
    void anObserverLooksOn() {
        Program server;
        Program player;
        Program observer;
        static_cast<void>(server.session.lines().execute("net.limit.players 1"));
        const std::uint16_t port = serve(server);
        const auto entitiesOf = [](Program& program) { return program.session.world().entityCount(); };
        ClientSetup looksOn = setupFor(port);
        looksOn.observes = true;
        QVERIFY(observer.session.playAsClient(looksOn).ok());
        QVERIFY(until(server, observer, [&] { return entitiesOf(observer) == 2; }));
        QVERIFY(server.logged("has joined as an observer; 1 client is connected"));
        QVERIFY(!observer.session.simulation().network().player());
        QVERIFY(observer.view()->peers.at(0).observes && server.view()->peers.at(0).observes);
        QCOMPARE(entitiesOf(server), std::size_t{2}); // none of its own
        // The one place for a player is still there, and the observer sees who takes it.
        QVERIFY(player.session.playAsClient(setupFor(port)).ok());
        QVERIFY(until(server, player, [&] { return static_cast<bool>(player.session.simulation().network().player()); }));
        QVERIFY(until(server, observer, [&] { return entitiesOf(observer) == 3; }));
        // Neither keys nor chat of an observer reach anybody.
        observer.session.setInput({.move = Vec2(0.0F, 1.0F)});
        const Result<void> said = observer.session.simulation().network().say("hello");
        QVERIFY(!said && said.error().message.find("observer") != std::string::npos);
        for (int i = 0; i < 60; ++i) {
            server.turn();
            observer.turn();
        }
        QCOMPARE(server.session.simulation().network().counters().refused, std::uint64_t{0});
        QCOMPARE(server.session.simulation().network().peerCount(), std::size_t{2});
        // A second player finds it full, a second observer does not.
        Program late;
        QVERIFY(late.session.playAsClient(setupFor(port)).ok());
        QVERIFY(until(server, late, [&] { return !late.left.empty(); }));
        QVERIFY(QString::fromStdString(late.left[0]).contains("the server is full"));
        looksOn = setupFor(port);
        looksOn.observes = true;
        QVERIFY(late.session.playAsClient(looksOn).ok());
        QVERIFY(until(server, late, [&] { return entitiesOf(late) == 3; }));
    }

    void theServersWorldTakesThePlaceOfTheScene() {
        Program server;
        Program client;
        const std::uint16_t port = serve(server);
        QVERIFY(client.session.playAsClient(setupFor(port)).ok());
        QVERIFY(client.session.running() && client.session.simulation().side() == Side::Client);
        QCOMPARE(client.session.world().entityCount(), std::size_t{0});
        QVERIFY(client.view() != nullptr && client.view()->server == "localhost:" + std::to_string(port) && !client.view()->isLocal());
        QVERIFY(until(server, client, [&] { return client.session.world().entityCount() == 3 && client.session.simulation().network().player(); }));
        const auto view = client.view();
        QVERIFY(view->peers.size() == 1 && view->peers[0].connected);
        QCOMPARE(view->peers[0].player, client.session.world().nameOf(client.session.simulation().network().player()));
        QVERIFY(until(server, client, [&] { return server.logged("is \"Ada\""); }));
        QVERIFY(client.logged("was not known before"));

        // Paused, it keeps its connection.
        client.session.pause();
        QVERIFY(client.session.idleTurn());
        for (int i = 0; i < 300; ++i) {
            server.turn();
            client.turn();
        }
        QCOMPARE(server.session.simulation().network().peerCount(), std::size_t{1});

        // Stop leaves: the server knows at once, and the scene is as it was.
        client.session.stop();
        QVERIFY(client.session.serverLink() == nullptr && client.session.simulation().side() == Side::Server && client.view() == nullptr);
        QCOMPARE(client.session.world().entityCount(), std::size_t{2});
        QVERIFY(client.session.world().find("crate"));
        QVERIFY(until(server, client, [&] { return server.session.simulation().network().peerCount() == 0; }));
        QVERIFY(server.logged("has left"));
        QVERIFY(client.left.empty() && !client.session.idleTurn());
        // And it may play alone, as host, or join again.
        client.session.play();
        QVERIFY(client.session.simulation().side() == Side::Server);
        QVERIFY(client.session.playAsClient(setupFor(port)).ok());
        QVERIFY(until(server, client, [&] { return client.session.simulation().network().peerCount() == 1; }));
        QVERIFY(client.session.playAsHost(1).ok());
        QVERIFY(client.session.serverLink() == nullptr && client.session.clients() != nullptr);
        QVERIFY(client.session.playAsClient(setupFor(port)).ok());
        QVERIFY(client.session.clients() == nullptr);
        QVERIFY(client.session.playAsServer({opened(), makeKey(), {}}).ok());
        QVERIFY(client.session.serverLink() == nullptr && client.session.simulation().side() == Side::Server);
        QVERIFY(client.session.playAsClient(setupFor(port)).ok());
        client.session.open(nullptr); // another project
        QVERIFY(client.session.serverLink() == nullptr && client.session.simulation().side() == Side::Server);
    }

    void theServerEnds() {
        Program server;
        Program client;
        QVERIFY(client.session.playAsClient(setupFor(serve(server))).ok());
        QVERIFY(until(server, client, [&] { return client.session.simulation().network().peerCount() == 1; }));
        server.session.stop();
        QVERIFY(until(server, client, [&] { return !client.left.empty(); }));
        QVERIFY2(client.left[0].find("the server has closed it") != std::string::npos, client.left[0].c_str());
        QVERIFY(client.session.mode() == Mode::Edit && client.session.world().find("crate"));
    }

    void nobodyIsThere() {
        Program alone;
        Program client;
        const std::uint16_t port = opened()->port(); // closed again
        QVERIFY(client.session.playAsClient(setupFor(port)).ok());
        QVERIFY(until(alone, client, [&] { return !client.left.empty(); }));
        QVERIFY2(client.left[0].find("there is no answer") != std::string::npos, client.left[0].c_str());
        QVERIFY(client.session.mode() == Mode::Edit);
    }

    void aWrongPassword() {
        Program server;
        Program client;
        ClientSetup setup = setupFor(serve(server, makeKey(), "open sesame"));
        setup.password = "barley";
        QVERIFY(client.session.playAsClient(setup).ok());
        QVERIFY(until(server, client, [&] { return !client.left.empty(); }));
        QVERIFY2(client.left[0].find("given another or none") != std::string::npos, client.left[0].c_str());
    }

    void anotherScene() {
        Program server(std::string(Scene) + "[[entity]]\ntype = \"Crate\"\nname = \"another\"\n");
        Program client;
        QVERIFY(client.session.playAsClient(setupFor(serve(server))).ok());
        QVERIFY(until(server, client, [&] { return !client.left.empty(); }));
        QVERIFY2(client.left[0].find("These differ: ") != std::string::npos, client.left[0].c_str());
        QVERIFY2(client.left[0].find("scene") != std::string::npos, client.left[0].c_str());
    }

    // The first time the key is remembered, then it is expected.
    void whoTheServerIs() {
        QTemporaryDir dir;
        const std::filesystem::path file = dir.filePath(QStringLiteral("known_servers")).toStdString();
        const net::KeyPair key = makeKey();
        Program server;
        Program client;
        const std::uint16_t port = serve(server, key);
        const auto join = [&](std::uint16_t at) {
            ClientSetup setup = setupFor(at);
            setup.serverName = "localhost"; // the same name, whatever the port of this test
            setup.knownServers = file;
            return client.session.playAsClient(setup);
        };
        QVERIFY(join(port).ok());
        QVERIFY(until(server, client, [&] { return client.logged("was not known before; its key: " + fingerprint(key.open)); }));
        QVERIFY(join(port).ok());
        QVERIFY(until(server, client, [&] { return client.logged("is the server that is known: " + fingerprint(key.open)); }));
        QVERIFY(client.view()->peers[0].authenticated);
        QCOMPARE(client.view()->serverKey, fingerprint(key.open));
        // Another one in its place is refused before anything is sent to it.
        Program other;
        QVERIFY(join(serve(other)).ok());
        QVERIFY(until(other, client, [&] { return !client.left.empty(); }));
        QVERIFY2(client.left[0].find("HAS ANOTHER KEY THAN IT HAD") != std::string::npos, client.left[0].c_str());
        QCOMPARE(other.session.simulation().network().peerCount(), std::size_t{0});
        // If the file cannot be read, the session does not join, and the present run continues.
        client.session.play();
        std::ofstream(file) << "localhost:4321 nonsense\n";
        const Result<void> refused = join(port);
        QVERIFY(!refused && client.session.running() && client.session.serverLink() == nullptr);
    }

    void withoutAProject() {
        Log log;
        Session empty(log, addConsoleCommands);
        const Result<void> refused = empty.playAsClient(setupFor(4321));
        QVERIFY(!refused && refused.error().message.find("no project is open") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestJoining)
#include "tst_joining.moc"
