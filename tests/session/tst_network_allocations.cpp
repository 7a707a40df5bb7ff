// A session that is hosted for two clients allocates nothing in a steady tick: states of what moves, inputs of the players,
// messages that name what they need; recorded or not, and with a reader as a window has one.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/session/local_clients.h"
#include "tests/counted_allocations.h"
#include "tests/simulation/project_in_memory.h"

using namespace sbx;

class TestNetworkAllocations : public QObject {
    Q_OBJECT
private slots:
    void aSteadyTickAllocatesNothing_data() {
        QTest::addColumn<QString>("link");
        QTest::addColumn<bool>("recorded");
        QTest::addColumn<bool>("read");
        const QString plain = QStringLiteral("latency=20ms");
        const QString lossy = QStringLiteral("latency=20ms jitter=5ms loss=5%");
        QTest::newRow("plain") << plain << false << false;
        QTest::newRow("lossy") << lossy << false << false;
        QTest::newRow("plain, recorded") << plain << true << false;
        QTest::newRow("lossy, recorded") << lossy << true << false;
        QTest::newRow("lossy, recorded, read") << lossy << true << true;
    }
    void aSteadyTickAllocatesNothing() {
        QFETCH(QString, link);
        QFETCH(bool, recorded);
        QFETCH(bool, read);
        Log log;
        Session server(log, addConsoleCommands);
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
        static_cast<void>(server.execute(recorded ? "net.record true" : "net.record false"));
        const std::shared_ptr<net::NetRecordReader> reader =
            read ? server.netRecorder().addReader() : nullptr;
        std::uint64_t records = 0;
        server.addClients({.count = 2, .link = *net::parseLink(link.toStdString())});
        LocalClients& players = *server.clients();
        World& world = server.world();
        const EntityId target = world.find("m1").id();
        const auto run = [&](int ticks) {
            for (int i = 0; i < ticks; ++i) {
                for (std::size_t client = 0; client < 2; ++client)
                    players.simulation(client).setInput({.move = Vec2(0.0F, 0.01F * static_cast<float>(i % 50))});
                world.send(target, Damage{1e-6F});
                server.tick();
                if (reader)
                    records += reader->poll([](const net::NetRecordView&) {});
            }
        };
        run(1200);
        records = 0;
        const auto heard = [&](std::size_t client) { return players.simulation(client).network().counters(); };
        const NetworkCounters before = heard(1);
        const std::uint64_t inputs = server.simulation().network().counters().received;
        const std::size_t count = Allocations.load();
        run(50);
        const std::size_t made = Allocations.load() - count;
        QVERIFY(heard(1).received >= before.received + 30);
        QVERIFY(heard(1).statesReceived >= before.statesReceived + 20);
        QVERIFY(server.simulation().network().counters().received >= inputs + 60);
        QCOMPARE(made, std::size_t(0));
        QCOMPARE(records > 50 * 10, read);
        std::size_t kept = 0;
        server.netRecorder().replay([&](const net::NetRecordView& record) {
            kept += record->kind != net::NetRecordKind::Name ? 1U : 0U;
        });
        QCOMPARE(kept > 650 * 10, recorded);
    }
};

QTEST_GUILESS_MAIN(TestNetworkAllocations)
#include "tst_network_allocations.moc"
