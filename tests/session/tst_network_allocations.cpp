// A session that is hosted for two clients allocates nothing in a steady tick: states of what moves, inputs of the players,
// messages that name what they need. What is kept of the network for people to look at is another's, and grows.

#include <QtTest>

#include "engine/components/messages.h"
#include "engine/session/local_clients.h"
#include "tests/counted_allocations.h"
#include "tests/session/project_in_memory.h"

using namespace sbx;

class TestNetworkAllocations : public QObject {
    Q_OBJECT
private slots:
    void aSteadyTickAllocatesNothing_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("plain") << QStringLiteral("latency=20ms");
        QTest::newRow("lossy") << QStringLiteral("latency=20ms jitter=5ms loss=5%");
    }
    void aSteadyTickAllocatesNothing() {
        QFETCH(QString, link);
        Log log;
        Session server(log);
        const auto content = projectInMemory(
            server,
            "[Player]\n[Player.Health]\n[Player.Relay]\n"
            "[Mover]\n[Mover.Orbit]\n[Mover.Health]\n[Mover.Relay]\n",
            "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
            "[[entity]]\ntype = \"Mover\"\nname = \"m1\"\nposition = [1.0, 0.0, 0.0]\n"
            "[[entity]]\ntype = \"Mover\"\nname = \"m2\"\nposition = [2.0, 0.0, 0.0]\n");
        QVERIFY(content != nullptr);
        server.open(content);
        server.play();
        static_cast<void>(server.execute("net.record false"));
        LocalClients players(server, log, 2, *net::parseLink(link.toStdString()), 1);
        World& world = server.world();
        const EntityId target = world.find("m1").id();
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                for (std::size_t client = 0; client < 2; ++client)
                    players.session(client).setInput({.move = Vec2(0.0F, 0.01F * static_cast<float>(i % 50))});
                world.send(target, Damage{1e-6F});
                server.tick();
                players.tick();
            }
        };
        run(600);
        const auto heard = [&](std::size_t client) { return players.session(client).network().counters(); };
        const NetworkCounters before = heard(1);
        const std::uint64_t inputs = server.network().counters().received;
        const std::size_t count = Allocations.load();
        run(50); // short of a second: then clients publish their worlds for completion
        const std::size_t made = Allocations.load() - count;
        QVERIFY(heard(1).received >= before.received + 30);
        QVERIFY(heard(1).statesReceived >= before.statesReceived + 20);
        QVERIFY(server.network().counters().received >= inputs + 60);
        QCOMPARE(made, std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestNetworkAllocations)
#include "tst_network_allocations.moc"
