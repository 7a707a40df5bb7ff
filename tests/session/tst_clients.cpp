// Playing as host with clients in the same session: begun and ended with the run, watched and steered through any client.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "engine/session/simulation_thread.h"
#include "tests/folders.h"

using namespace sbx;

namespace {

std::shared_ptr<const Content> courtyard(const Session& session) {
    Diagnostics faults;
    auto content = loadContent(sbx::test::sourcePath("resources/projects/courtyard"), {}, session.catalog().schema, faults);
    if (content == nullptr || faults.hasErrors())
        qFatal("the Courtyard is faulty");
    return content;
}

void run(Session& session, int ticks) {
    for (int i = 0; i < ticks; ++i)
        session.tick();
    session.publish();
}

} // namespace

class TestClients : public QObject {
    Q_OBJECT

private slots:
    void clientsComeWithTheRunAndGoWithIt() {
        Log log;
        Session session(log, addConsoleCommands);
        QVERIFY(!session.playAsHost(2).ok()); // nothing is open
        session.open(courtyard(session));
        QVERIFY(!session.playAsHost(0).ok());
        QVERIFY(!session.playAsHost(1000).ok());
        session.publish();
        QVERIFY(session.snapshot()->network == nullptr);
        QVERIFY(session.playAsHost(2).ok());
        QCOMPARE(session.mode(), Mode::Play);
        run(session, 90);
        const auto frame = session.snapshot();
        QVERIFY(frame->network != nullptr);
        QCOMPARE(frame->network->peers.size(), std::size_t(2));
        QVERIFY(std::abs(frame->network->seconds - 1.5) < 1e-6);
        for (const NetworkPeerView& peer : frame->network->peers) {
            QVERIFY(peer.connected);
            QVERIFY(frame->entities->find(peer.player) != nullptr);
            QVERIFY(peer.packetsSent > 20 && peer.bytesDown > 10'000 && peer.bytesUp > 100 && peer.messagesSent > 50);
            QVERIFY(peer.link.empty());
        }
        QVERIFY(frame->network->peers[0].player != frame->network->peers[1].player);
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(session.clients()->simulation(i).world().entityCount(), session.world().entityCount());
        session.pause();
        session.step();
        QCOMPARE(session.mode(), Mode::Pause);
        session.stop();
        session.publish();
        QVERIFY(session.clients() == nullptr);
        QVERIFY(session.snapshot()->network == nullptr);
        QCOMPARE(session.simulation().network().role(), NetworkSystem::Role::Alone);
        // And again, and over an opening of the project.
        QVERIFY(session.playAsHost(1).ok());
        QVERIFY(session.playAsHost(3).ok());
        run(session, 30);
        QCOMPARE(session.clients()->count(), std::size_t(3));
        session.open(courtyard(session));
        QVERIFY(session.clients() == nullptr);
    }

    // However a number is written, it names the client that the check let through.
    void numbersOfClientsAreReadOnce() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        const auto viewed = [&] {
            session.publish();
            return session.snapshot()->network->viewAs;
        };
        QVERIFY(session.execute("net.host .2e1").ok);
        QCOMPARE(session.clients()->count(), std::size_t(2));
        QVERIFY(session.execute("net.view .1e1").ok);
        QCOMPARE(viewed(), std::size_t(1));
        QVERIFY(session.execute("net.view \"\\\"2\\\"\"").ok);
        QCOMPARE(viewed(), std::size_t(2));
        for (const char* number : {"0.1e1", ".2e1", "\"\\\"1\\\"\"", "+2"})
            QVERIFY2(session.execute(std::string("audio.hear ") + number).ok, number);
        for (const char* line : {"audio.hear 0", "audio.hear 3", "audio.hear 1e-310", "net.view -1", "net.view 3", "net.view 1e10",
                                 "net.host 0", "net.host 33", "net.host 1.5"})
            QVERIFY2(!session.execute(line).ok, line);
        QCOMPARE(session.clients()->count(), std::size_t(2));
        QVERIFY(session.execute("audio.hear; net.view 0").ok);
        QCOMPARE(viewed(), std::size_t(0));
    }

    void aClientIsLookedThroughAndSteered() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        QVERIFY(!session.viewAs(1).ok());
        QVERIFY(session.playAsHost(2).ok());
        QVERIFY(session.execute("net.link all latency=30ms").ok);
        run(session, 120);
        QVERIFY(!session.viewAs(3).ok());
        const std::string player = session.snapshot()->network->peers[1].player;
        session.inspect({player});
        session.filterEntities("has:Body and position.y < 100 m");
        session.publish();
        QVERIFY(!session.snapshot()->matches->ids.empty());
        const EntityRow* own = session.snapshot()->entities->find(player);
        QVERIFY(own != nullptr);
        const EntityId atServer = own->id;
        QVERIFY(session.execute("net.view 2").ok);
        session.publish();
        auto frame = session.snapshot();
        QCOMPARE(frame->network->viewAs, std::size_t(2));
        QCOMPARE(frame->entities->rows.size(), session.clients()->simulation(1).world().entityCount());
        // What a filter finds is of the world that is shown, with the components as its session knows them.
        std::vector<EntityId> matching;
        const World& theirs = session.clients()->simulation(1).world();
        theirs.forEach([&](const Entity& entity) {
            if (entity.component("Body").type != nullptr && entity.pose().position.y < 100.0F)
                matching.push_back(entity.id());
        });
        QVERIFY(!matching.empty());
        QVERIFY(frame->matches->ids == matching);
        QCOMPARE(frame->inspected.size(), std::size_t(1));
        QVERIFY(frame->inspected[0].id == session.clients()->simulation(1).world().find(player).id());
        // The picture is drawn with meshes that the one renderer has.
        for (const render::Instance& instance : frame->scene->instances)
            QVERIFY(instance.mesh == render::MeshId() || session.meshes().data(instance.mesh) != nullptr);
        const Vec3 before = session.world().find(atServer).pose().position;
        const Vec3 hostBefore = session.world().find(session.simulation().network().player()).pose().position;
        InputState input;
        input.move = Vec2(0.0F, 1.0F);
        session.setInput(input);
        run(session, 60);
        const auto moved = [&] { return glm::length(session.world().find(atServer).pose().position - before); };
        QVERIFY2(moved() > 0.5F, qPrintable(QString::number(static_cast<double>(moved()))));
        QVERIFY(glm::length(session.world().find(session.simulation().network().player()).pose().position - hostBefore) < 0.1F);
        // Back to the server: the client no longer walks.
        QVERIFY(session.viewAs(0).ok());
        run(session, 60);
        const Vec3 stands = session.world().find(atServer).pose().position;
        run(session, 60);
        QVERIFY(glm::length(session.world().find(atServer).pose().position - stands) < 0.05F);
        session.stop();
        QVERIFY(!session.viewAs(2).ok());
    }

    // A line for a client acts on its world; the clock is the session's, and what waits runs at that world's tick.
    void linesForAClientLeaveTheClockAlone() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        QVERIFY(session.playAsHost(2).ok());
        run(session, 60);
        std::vector<std::string> lines;
        session.handlers().reply = [&](const ConsoleReply& reply) { lines.insert(lines.end(), reply.lines.begin(), reply.lines.end()); };
        const auto has = [&](const std::string& text) {
            return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; });
        };
        for (const char* line : {"@client1 sim.pause", "@client1 sim.stop", "@client2 sim.step 3", "@client2 sim.play"}) {
            lines.clear();
            QVERIFY2(session.execute(line).ok, line);
            QVERIFY2(has("follows the clock of its server"), line);
            QCOMPARE(session.mode(), Mode::Play);
            QVERIFY(session.clients() != nullptr);
        }
        const std::uint64_t before = session.world().tickCount();
        QVERIFY(!session.runPosted()); // no step was posted
        QCOMPARE(session.world().tickCount(), before);
        lines.clear();
        QVERIFY(session.execute("alias later wait 5; @client1 later; @client1 echo now").ok);
        QVERIFY(session.lines().executeAs(2, "wait 3; sim.digest").ok);
        QVERIFY(!session.lines().waiting()); // a script of the main world does not wait for a client's
        QVERIFY(has("client1: now"));
        run(session, 2);
        QVERIFY(!has("client2: "));
        run(session, 2);
        QVERIFY2(has("client2: " + std::to_string(session.clients()->simulation(1).world().tickCount() - 1) + " client2 "), lines.back().c_str());
        // What waits for a client ends with it.
        QVERIFY(session.lines().executeAs(1, "wait 100; echo late").ok);
        session.stop();
        QVERIFY(session.playAsHost(1).ok());
        lines.clear();
        run(session, 150);
        QVERIFY(!has("late"));
        QCOMPARE(session.lines().failed(), std::uint64_t(0));
    }

    void linksAreSetOneByOne() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        QVERIFY(!session.execute("net.link 1 loss=20%").ok);
        QVERIFY(session.execute("net.host 2").ok);
        QVERIFY(session.execute("net.link 2 latency=40ms loss=20%").ok);
        for (const char* wrong : {"net.link 0 loss=1%", "net.link 3 loss=1%", "net.link x loss=1%", "net.link 1 loos=1%",
                                  "net.link 99999999999999999999 loss=1%"})
            QVERIFY2(!session.execute(wrong).ok, wrong);
        run(session, 300);
        const auto& peers = session.snapshot()->network->peers;
        QVERIFY(peers[0].link.empty());
        QVERIFY(*net::parseLink(peers[1].link) == *net::parseLink("latency=40ms loss=20%"));
        QCOMPARE(peers[0].packetsLost, std::uint64_t(0));
        QVERIFY(peers[1].packetsLost > 0);
        QVERIFY(peers[1].roundTripMs > 75.0 && peers[1].roundTripMs < 150.0);
        QVERIFY(peers[0].roundTripMs < 40.0);
        QVERIFY(session.execute("net.link all latency=0ms").ok);
        session.publish();
        QVERIFY(session.snapshot()->network->peers[1].link.empty());
    }

    // Packets that only came late are taken for lost at first: what is shown does not count them.
    void whatWasTakenForLostWronglyIsNotShown() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        QVERIFY(session.playAsHost(1).ok());
        QVERIFY(session.execute("net.link 1 latency=20ms reorder=20% reorder-by=300ms").ok);
        run(session, 900);
        const net::ChannelCounters& counters = session.clients()->connection(0)->channel().counters();
        QVERIFY2(counters.packetsSpurious > 10, qPrintable(QString::number(counters.packetsSpurious)));
        session.publish();
        const std::uint64_t shown = session.snapshot()->network->peers[0].packetsLost;
        QCOMPARE(shown, counters.packetsLost - counters.packetsSpurious);
        const std::string line = session.execute("net").lines.back();
        // As the window has it: a client in this program has checked whose server it is.
        QVERIFY(session.snapshot()->network->peers[0].authenticated);
        QVERIFY2(line.find("encrypted and authenticated") != std::string::npos, line.c_str());
        QVERIFY2(line.find(", " + std::to_string(shown) + " of " + std::to_string(counters.packetsSent)
                           + " packets lost")
                     != std::string::npos,
                 line.c_str());
    }

    void editsReachClientsToo() {
        Log log;
        Session session(log, addConsoleCommands);
        const auto content = courtyard(session);
        session.open(content);
        QVERIFY(session.playAsHost(1).ok());
        run(session, 60);
        session.applyContent(courtyard(session));
        run(session, 30);
        QCOMPARE(session.mode(), Mode::Play);
        QCOMPARE(session.clients()->simulation(0).world().entityCount(), session.world().entityCount());
        QVERIFY(session.clients()->simulation(0).content() == session.simulation().content());
    }

    void inAThreadOfItsOwn() {
        Log log;
        Session session(log, addConsoleCommands);
        session.open(courtyard(session));
        SimulationThread thread(session);
        session.post([](Session& s) { QVERIFY(s.playAsHost(2).ok()); });
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->network != nullptr && session.snapshot()->network->peers[1].connected, 20'000);
        session.post([](Session& s) { QVERIFY(s.viewAs(1).ok()); });
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->network->viewAs == 1, 20'000);
        session.post([](Session& s) { s.stop(); });
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->network == nullptr, 20'000);
        session.post([](Session& s) { QVERIFY(s.playAsHost(1).ok()); });
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->network != nullptr, 20'000);
        thread.stop(); // with clients still there
    }
};

QTEST_GUILESS_MAIN(TestClients)
#include "tst_clients.moc"
