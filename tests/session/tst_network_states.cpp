// States between a server and its clients, over good links and bad ones: what a client has of an entity is what the server had in that
// round, bit for bit after rounding; what changed last arrives although it is never sent again for its own sake; and what was lost, costs
// too much or is simulated otherwise here comes right.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/rules.h"
#include "engine/session/local_clients.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>
#include <deque>
#include <map>

using namespace sbx;

namespace {

const char* const Types = "[Player]\n[Player.Health]\n"
                          "[Floor]\n[Floor.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [200.0, 1.0, 200.0]\n"
                          "[Crate]\n[Crate.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n[Crate.Health]\n"
                          "[Mover]\n[Mover.Orbit]\n[Mover.Health]\n"
                          "[Mark]\n[Mark.Health]\n";

std::string sceneOf(int crates, int movers, int marks) {
    std::string scene = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
                        "[[entity]]\ntype = \"Floor\"\nname = \"floor\"\nposition = [0.0, -0.5, 0.0]\n";
    const auto add = [&](const char* type, const char* name, int i, double height) {
        scene += std::string("[[entity]]\ntype = \"") + type + "\"\nname = \"" + name + std::to_string(i + 1) + "\"\nposition = ["
                 + std::to_string(1.5 * (i % 10)) + ", " + std::to_string(height) + ", " + std::to_string(1.5 * (i / 10)) + "]\n";
    };
    for (int i = 0; i < crates; ++i)
        add("Crate", "crate", i, 1.0 + 0.7 * (i % 5));
    for (int i = 0; i < movers; ++i)
        add("Mover", "mover", i, 5.0);
    for (int i = 0; i < marks; ++i)
        add("Mark", "mark", i, 0.0);
    return scene;
}

// A server with clients in the same program.
class Play {
public:
    Play(std::size_t clients, const char* link, int crates, int movers, int marks = 0, std::uint64_t seed = 1)
        : server(m_log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = projectInMemory(server, Types, sceneOf(crates, movers, marks), &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("%s", faults.items.empty() ? "no content" : faults.items.front().toString().c_str());
        server.open(content);
        server.play();
        server.addClients({.count = clients, .link = *net::parseLink(link), .seed = seed});
    }
    [[nodiscard]] World& world() { return server.world(); }
    [[nodiscard]] Simulation& client(std::size_t i) { return server.clients()->simulation(i); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            server.tick();
    }
    [[nodiscard]] std::uint64_t statesSent() { return server.simulation().network().counters().statesSent; }
    [[nodiscard]] std::uint64_t bytesTo(std::size_t i) { return server.clients()->connection(i)->counters().datagramBytesSent; }

    // What a client has otherwise than the server: names of columns.
    [[nodiscard]] std::string difference(std::size_t i) {
        std::string out;
        world().forEach([&](const Entity& entity) {
            const NetworkSystem::ReplicatedState own = server.simulation().network().replicatedState(entity.id());
            const Entity copy = client(i).world().find(entity.name());
            const NetworkSystem::ReplicatedState theirs =
                copy ? client(i).network().replicatedState(copy.id()) : NetworkSystem::ReplicatedState();
            if (own.table == nullptr || own.table->columnCount() == 0)
                return;
            if (theirs.table == nullptr) {
                out += entity.name() + ": nothing; ";
                return;
            }
            for (std::size_t c = 0; c < own.table->columnCount(); ++c)
                if (!std::ranges::equal(own.table->wordsOf(c, own.words), theirs.table->wordsOf(c, theirs.words)))
                    out += entity.name() + ": " + own.table->columnName(c) + "; ";
        });
        return out;
    }

private:
    Log m_log;

public:
    Session server;
};

// What the server had of each entity in the last rounds, by name.
class History {
public:
    void note(World& world, NetworkSystem& network) {
        world.forEach([&](const Entity& entity) {
            const NetworkSystem::ReplicatedState state = network.replicatedState(entity.id());
            if (state.table == nullptr)
                return;
            std::deque<Moment>& moments = m_byName[entity.name()];
            if (!moments.empty() && moments.back().round == state.round)
                return;
            moments.push_back({state.round, {state.words.begin(), state.words.end()}});
            if (moments.size() > 200)
                moments.pop_front();
        });
    }
    [[nodiscard]] const StateTable::Words* find(const std::string& name, std::uint16_t round) const {
        const auto at = m_byName.find(name);
        if (at == m_byName.end())
            return nullptr;
        for (const Moment& moment : at->second)
            if (moment.round == round)
                return &moment.words;
        return nullptr;
    }

private:
    struct Moment {
        std::uint16_t round;
        StateTable::Words words;
    };
    std::map<std::string, std::deque<Moment>> m_byName;
};

} // namespace

class TestNetworkStates : public QObject {
    Q_OBJECT
private slots:
    // Orbit and Dive do the same steps from the server's exact state: in every tick a bat is where the server had it a while ago.
    void whatMovesByRuleIsWhereTheServerHadIt() {
        const char* const bats = "[Player]\n[Bat]\n[Bat.Orbit]\nradius = 6.0\nperiod = 5.0\nbob = 0.5\nbobPeriod = 1.7\nbank = 20.0\n"
                                 "[Bat.Dive]\nevery = 1.0\njitter = 1.0\n";
        Log log;
        Session server(log, addConsoleCommands);
        Diagnostics faults;
        const auto content = projectInMemory(server, bats,
                                             "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
                                             "[[entity]]\ntype = \"Bat\"\nname = \"bat\"\nposition = [0.0, 5.0, 6.0]\n",
                                             &faults);
        QVERIFY(content != nullptr && !faults.hasErrors());
        server.open(content);
        server.play();
        server.addClients({.count = 1, .link = *net::parseLink("latency=100ms jitter=30ms loss=5%"), .seed = 2});
        std::vector<Pose> past;
        float largest = 0.0F;
        float deepest = 100.0F;
        for (int i = 0; i < 1200; ++i) {
            server.tick();
            past.push_back(server.world().find("bat").pose());
            if (i < 120)
                continue;
            const Pose here = server.clients()->simulation(0).world().find("bat").pose();
            float nearest = 100.0F;
            for (std::size_t t = past.size() - 60; t < past.size(); ++t)
                nearest = std::min(nearest, glm::length(past[t].position - here.position)
                                                + glm::length(past[t].rotation * Vec3(1.0F) - here.rotation * Vec3(1.0F)));
            largest = std::max(largest, nearest);
            deepest = std::min(deepest, here.position.y);
        }
        QVERIFY(deepest < 3.5F); // it dives
        QVERIFY2(largest < 1e-5F, qPrintable(QString::number(static_cast<double>(largest))));
    }

    // The client's columns of a record are the server's of that round, whatever was lost, late or out of order; and so are those that the
    // record left out.
    void aClientHasWhatTheServerHad_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("clean") << "latency=20ms";
        QTest::newRow("wifi") << "wifi";
        QTest::newRow("a fifth lost") << "latency=60ms jitter=30ms loss=20%";
        QTest::newRow("half lost") << "latency=30ms loss=50%";
        QTest::newRow("reordered") << "latency=40ms jitter=80ms";
        QTest::newRow("doubled") << "latency=30ms duplicate=30% loss=5%";
        QTest::newRow("far") << "latency=250ms loss=5%";
    }
    void aClientHasWhatTheServerHad() {
        QFETCH(QString, link);
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            Play play(2, link.toUtf8().constData(), 12, 4, 3, seed);
            History history;
            std::size_t compared = 0;
            for (int tick = 0; tick < 500; ++tick) {
                if (tick % 40 == 20)
                    play.world().send(play.world().find("mark" + std::to_string(tick / 40 % 3 + 1)).id(), Damage{1.0F});
                play.run(1);
                history.note(play.world(), play.server.simulation().network());
                for (std::size_t i = 0; i < 2; ++i)
                    play.client(i).world().forEach([&](const Entity& entity) {
                        const NetworkSystem::ReplicatedState state = play.client(i).network().replicatedState(entity.id());
                        const bool any = std::any_of(state.has.begin(), state.has.end(), [](std::uint8_t bit) { return bit != 0; });
                        const StateTable::Words* const own = any ? history.find(entity.name(), state.round) : nullptr;
                        if (own == nullptr)
                            return;
                        for (std::size_t c = 0; c < state.table->columnCount(); ++c)
                            if (state.has[c] != 0) {
                                QVERIFY2(state.table->same(c, *own, state.words),
                                         (entity.name() + " " + state.table->columnName(c) + " at tick " + std::to_string(tick)).c_str());
                                ++compared;
                            }
                    });
                if (QTest::currentTestFailed())
                    return;
            }
            QVERIFY2(compared > 20'000, qPrintable(QString::number(compared)));
        }
    }

    // When nothing moves any more, all of it has arrived: also what changed last and was lost.
    void everythingArrives_data() {
        QTest::addColumn<QString>("link");
        QTest::newRow("a third lost") << "latency=50ms jitter=20ms loss=33%";
        QTest::newRow("bursts") << "latency=30ms loss=5% burst=8";
        QTest::newRow("acknowledgements lost") << "latency=30ms up.loss=50%";
    }
    void everythingArrives() {
        QFETCH(QString, link);
        Play play(2, link.toUtf8().constData(), 0, 0, 40);
        play.run(120);
        for (int round = 0; round < 60; ++round) {
            for (int i = 0; i < 40; i += 1 + round % 3)
                play.world().send(play.world().find("mark" + std::to_string(i + 1)).id(), Damage{0.1F});
            Pose pose;
            pose.position = Vec3(0.01F * static_cast<float>(round), 0.0F, 0.0F);
            play.world().setPose(play.world().find("mark1").id(), pose);
            play.run(2);
        }
        const std::uint64_t digest = [&] {
            play.run(6); // one more round
            return play.server.simulation().network().stateDigest();
        }();
        for (int tick = 0; tick < 600 && (play.client(0).network().stateDigest() != digest || play.client(1).network().stateDigest() != digest); ++tick)
            play.run(1);
        QCOMPARE(play.server.simulation().network().stateDigest(), digest);
        QVERIFY2(play.difference(0).empty(), play.difference(0).c_str());
        QVERIFY2(play.difference(1).empty(), play.difference(1).c_str());
        QCOMPARE(play.client(0).network().stateDigest(), digest);
        QCOMPARE(play.client(1).network().stateDigest(), digest);
        // From then on states cost nothing.
        play.run(120);
        const std::uint64_t sent = play.statesSent();
        play.run(600);
        QCOMPARE(play.statesSent(), sent);
    }

    // A last step smaller than any other is not lost, though the packet that brought it was.
    void theLastPoseComes() {
        Play play(1, "latency=50ms", 0, 0, 1);
        play.run(120);
        const EntityId mark = play.world().find("mark1").id();
        Pose pose;
        for (int i = 0; i < 30; ++i) {
            pose.position.x += 0.1F;
            play.world().setPose(mark, pose);
            play.run(1);
        }
        play.server.clients()->setLink(0, *net::parseLink("latency=50ms down.loss=100%"));
        pose.position.x += 0.004F;
        play.world().setPose(mark, pose);
        play.run(30);
        play.server.clients()->setLink(0, *net::parseLink("latency=50ms"));
        play.run(40);
        const float there = play.client(0).world().find("mark1").pose().position.x;
        QVERIFY2(std::abs(there - pose.position.x) <= 0.0006F, qPrintable(QString::number(static_cast<double>(there))));
    }

    // What did not change is not in the record.
    void aRecordHasWhatChanged() {
        Play play(1, "latency=20ms", 0, 0, 200);
        play.run(240);
        const std::uint64_t states = play.statesSent();
        const std::uint64_t bytes = play.server.simulation().network().counters().stateBytes;
        play.world().send(play.world().find("mark77").id(), Damage{1.0F});
        play.run(60);
        QCOMPARE(play.statesSent() - states, std::uint64_t{1});
        // Number 1, round 2, mask and a float: 4 bits, 1 bit and 32.
        QVERIFY2(play.server.simulation().network().counters().stateBytes - bytes <= 9,
                 qPrintable(QString::number(play.server.simulation().network().counters().stateBytes - bytes)));
        QCOMPARE(play.client(0).world().getComponent<Health>(play.client(0).world().find("mark77").id())->state.current,
                 play.world().getComponent<Health>(play.world().find("mark77").id())->state.current);
    }

    // The budget holds, and everybody has a turn: what is far comes later, not never.
    void theBudgetIsKeptAndNobodyStarves() {
        constexpr int Count = 400;
        Play play(1, "latency=20ms", 0, 0, Count);
        QVERIFY(play.server.execute("net.limit.states 4").ok); // KiB a second
        play.run(600);
        const std::uint64_t before = play.bytesTo(0);
        const auto moveAll = [&](int step) {
            for (int i = 0; i < Count; ++i) {
                Pose pose = play.world().find("mark" + std::to_string(i + 1)).pose();
                pose.position.y = 0.01F * static_cast<float>(step);
                play.world().setPose(play.world().find("mark" + std::to_string(i + 1)).id(), pose);
            }
        };
        std::map<std::string, std::set<std::uint16_t>> rounds;
        for (int tick = 0; tick < 1200; ++tick) {
            moveAll(tick);
            play.run(1);
            play.client(0).world().forEach([&](const Entity& entity) {
                const NetworkSystem::ReplicatedState state = play.client(0).network().replicatedState(entity.id());
                if (state.table != nullptr)
                    rounds[entity.name()].insert(state.round);
            });
        }
        const double perSecond = static_cast<double>(play.bytesTo(0) - before) / 20.0;
        QVERIFY2(perSecond < 1.6 * 4096.0, qPrintable(QString::number(perSecond))); // with headers and tags of some twenty packets
        std::size_t least = 10'000;
        for (int i = 0; i < Count; ++i)
            least = std::min(least, rounds["mark" + std::to_string(i + 1)].size());
        QVERIFY2(least >= 3, qPrintable(QString::number(least)));
        QVERIFY(rounds["mark1"].size() > rounds["mark" + std::to_string(Count)].size());
    }

    // A client that simulates otherwise is put right without a word from the server.
    void whatAClientDidByItselfIsPutRight() {
        Play play(1, "latency=20ms", 3, 0, 0);
        play.run(400);
        const std::uint64_t sent = play.statesSent();
        World& theirs = play.client(0).world();
        const EntityId crate = theirs.find("crate1").id();
        theirs.send(crate, SetPose{Vec3(30.0F, 3.0F, 30.0F), Quat(1.0F, 0.0F, 0.0F, 0.0F)});
        play.run(3);
        QVERIFY(glm::length(theirs.find(crate).pose().position - play.world().find("crate1").pose().position) > 10.0F);
        play.run(90);
        QVERIFY(glm::length(theirs.find(crate).pose().position - play.world().find("crate1").pose().position) < 0.02F);
        QCOMPARE(play.statesSent(), sent);
    }

    // State never reaches what is not born, and a number is never used for another entity.
    void entitiesComeAndGo() {
        Play play(2, "latency=60ms jitter=60ms loss=25%", 0, 2, 5);
        play.run(60);
        std::deque<EntityId> alive;
        SpawnRequest request;
        request.type = play.world().findType("Mark");
        int made = 0;
        for (int tick = 0; tick < 600; ++tick) {
            if (tick % 3 == 0) {
                request.name = "short" + std::to_string(++made);
                alive.push_back(play.world().spawn(request));
                play.world().send(alive.back(), Damage{0.5F});
            }
            if (alive.size() > 10) {
                play.world().destroy(alive.front());
                alive.pop_front();
            }
            play.run(1);
        }
        play.run(400);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(play.client(i).network().counters().malformed, std::uint64_t{0});
            QCOMPARE(play.client(i).world().entityCount(), play.world().entityCount());
            for (const EntityId id : alive) {
                const Entity copy = play.client(i).world().find(play.world().nameOf(id));
                QVERIFY(copy);
                QCOMPARE(play.client(i).world().getComponent<Health>(copy.id())->state.current,
                         play.world().getComponent<Health>(id)->state.current);
            }
        }
    }

    // Who comes late, while entities come and go, has all of it in the end.
    void whoJoinsLateHasEverything() {
        Play play(1, "latency=40ms loss=10%", 20, 0, 60);
        play.run(300);
        play.server.addClients({.count = 2, .link = *net::parseLink("latency=40ms loss=10%"), .seed = 5});
        for (int i = 0; i < 100; ++i) {
            play.world().send(play.world().find("mark" + std::to_string(i % 60 + 1)).id(), Damage{0.25F});
            play.run(1);
        }
        play.run(600);
        const std::uint64_t digest = play.server.simulation().network().stateDigest();
        for (std::size_t i = 0; i < play.server.clients()->count(); ++i) {
            QVERIFY2(play.difference(i).empty(), play.difference(i).c_str());
            QCOMPARE(play.client(i).network().stateDigest(), digest);
        }
    }

    // Two seconds without a packet, then everything within a round trip and two rounds.
    void aBlackoutIsOverAtOnce() {
        Play play(1, "latency=50ms", 0, 0, 30);
        play.run(120);
        play.server.clients()->setLink(0, *net::parseLink("latency=50ms loss=100%"));
        for (int i = 0; i < 120; ++i) {
            play.world().send(play.world().find("mark" + std::to_string(i % 30 + 1)).id(), Damage{0.25F});
            play.run(1);
        }
        play.server.clients()->setLink(0, *net::parseLink("latency=50ms"));
        play.run(30);
        QCOMPARE(play.client(0).network().stateDigest(), play.server.simulation().network().stateDigest());
    }

    // The same play twice is the same, bit for bit.
    void statesAreDeterministic() {
        const auto digests = [] {
            Play play(2, "latency=40ms jitter=20ms loss=10%", 10, 3, 3, 9);
            play.run(400);
            return std::tuple(play.client(0).world().digest(), play.client(1).world().digest(), play.world().digest());
        };
        QVERIFY(digests() == digests());
    }

    void theDigestIsACommand() {
        Play play(1, "latency=20ms", 0, 0, 3);
        play.run(240);
        const ConsoleReply reply = play.server.execute("net.digest");
        QVERIFY(reply.ok);
        QCOMPARE(reply.lines.size(), std::size_t{2});
        QCOMPARE(reply.lines[0].substr(reply.lines[0].size() - 16), reply.lines[1].substr(reply.lines[1].size() - 16));
        Log log;
        Session alone(log, addConsoleCommands);
        QVERIFY(!alone.execute("net.digest").ok);
    }
};

QTEST_GUILESS_MAIN(TestNetworkStates)
#include "tst_network_states.moc"
