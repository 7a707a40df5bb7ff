// What a client's player sees of a world that lies on a bad link: bodies move as they do on the server, in steps that are not much
// larger, and the simulation does not know of it.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/visual_system.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>
#include <map>

using namespace sbx;

namespace {

const char* const Types =
    "[Player]\n"
    "[Floor]\n[Floor.Body]\nmotion = \"static\"\nshape = \"box\"\nsize = [200.0, 1.0, "
    "200.0]\n[Floor.Mesh]\nmesh = \"box\"\n"
    "[Crate]\n[Crate.Body]\nshape = \"box\"\nsize = [1.0, 1.0, 1.0]\n[Crate.Mesh]\nmesh = \"box\"\n"
    "[Mover]\n[Mover.Orbit]\n[Mover.Mesh]\nmesh = \"box\"\n";

std::string scene() {
    std::string text = "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n"
                       "[[entity]]\ntype = \"Floor\"\nname = \"floor\"\nposition = [0.0, -0.5, 0.0]\n";
    for (int i = 0; i < 16; ++i)
        text += "[[entity]]\ntype = \"Crate\"\nname = \"crate" + std::to_string(i) + "\"\nposition = ["
                + std::to_string(1.4 * (i % 4)) + ", " + std::to_string(1.0 + 1.3 * (i / 8)) + ", "
                + std::to_string(1.4 * (i % 8)) + "]\n";
    for (int i = 0; i < 4; ++i)
        text += "[[entity]]\ntype = \"Mover\"\nname = \"mover" + std::to_string(i)
                + "\"\nposition = [0.0, 5.0, 0.0]\n";
    return text;
}

class Play {
public:
    Play(const char* link, float smoothing) : server(m_log, addConsoleCommands) {
        Diagnostics faults;
        const auto content = projectInMemory(server, Types, scene(), &faults);
        if (content == nullptr || faults.hasErrors())
            qFatal("%s", faults.items.empty() ? "no content" : faults.items.front().toString().c_str());
        server.open(content);
        server.play();
        server.addClients({.count = 1, .link = *net::parseLink(link), .seed = 3});
        static_cast<void>(server.lines().executeAs(1, "net.smoothing " + std::to_string(smoothing)));
    }
    [[nodiscard]] Simulation& client() { return server.clients()->simulation(0); }
    // A tick, in which now and then a crate is pushed by somebody on the server.
    void tick() {
        if (m_tick % 40 == 0) {
            const Entity crate = server.world().find("crate" + std::to_string(m_tick / 40 % 16));
            const float turn = static_cast<float>(m_tick);
            server.world().send(crate.id(),
                                SetVelocity{Vec3(5.0F * std::sin(turn), 3.0F, 5.0F * std::cos(turn))});
        }
        ++m_tick;
        server.tick();
    }

private:
    Log m_log;
    int m_tick = 0;

public:
    Session server;
};

// The pictures that one world gives, one after the other.
class Watcher {
public:
    void look(Simulation& simulation) {
        render::Scene scene;
        simulation.visuals().fill(simulation.world(), scene);
        for (const render::Instance& instance : scene.instances) {
            const std::string name = simulation.world().nameOf(EntityId::fromBits(instance.entity));
            if (const auto before = m_places.find(name); before != m_places.end())
                m_largest[name.substr(0, 4)] = std::max(m_largest[name.substr(0, 4)],
                                                        glm::length(instance.pose.position - before->second));
            m_places[name] = instance.pose.position;
        }
    }
    // How far any entity of a kind moved from one picture to the next, at most; metres.
    [[nodiscard]] float largest(const std::string& kind) const { return m_largest.at(kind); }
    [[nodiscard]] const std::map<std::string, Vec3>& places() const { return m_places; }
    void beginMeasuring() { m_largest.clear(); }

private:
    std::map<std::string, Vec3> m_places;
    std::map<std::string, float> m_largest;
};

constexpr const char* BadLink = "latency=250ms loss=5%";

struct Measured {
    Watcher server;
    Watcher client;
    std::string digest; // of the client's world at the end
    float farthest =
        0.0F; // crates at the end, at rest: between what the client draws and where the server has them
};

Measured measure(float smoothing) {
    Measured out;
    Play play(BadLink, smoothing);
    for (int tick = 0; tick < 120; ++tick)
        play.tick();
    for (int tick = 0; tick < 1200; ++tick) {
        play.tick();
        if (tick == 1) {
            out.server.beginMeasuring();
            out.client.beginMeasuring();
        }
        out.server.look(play.server.simulation());
        out.client.look(play.client());
    }
    for (int tick = 0; tick < 600; ++tick) // nobody pushes: all comes to rest
        play.server.tick();
    Watcher serverAtRest;
    Watcher clientAtRest;
    serverAtRest.look(play.server.simulation());
    clientAtRest.look(play.client());
    for (const auto& [name, place] : serverAtRest.places())
        if (name.starts_with("crat"))
            out.farthest = std::max(out.farthest, glm::length(clientAtRest.places().at(name) - place));
    out.digest = play.client().digestLine();
    return out;
}

} // namespace

class TestNetworkSmoothing : public QObject {
    Q_OBJECT

private slots:
    void theStepsAreNotMuchLargerThanTheServers() {
        const Measured jumping = measure(0.0F);
        const Measured smooth = measure(SimulationSettings{}.smoothing);
        for (const std::string kind : {"crat", "move"}) {
            const float server = smooth.server.largest(kind);
            qInfo("%s: largest step between pictures: server %.3f m, client %.3f m, without smoothing %.3f m",
                  kind.c_str(), static_cast<double>(server), static_cast<double>(smooth.client.largest(kind)),
                  static_cast<double>(jumping.client.largest(kind)));
            QVERIFY(server > 0.0F);
            QVERIFY(smooth.client.largest(kind) <= 1.5F * server);
        }
        // The link is bad enough that it would be seen otherwise.
        QVERIFY(jumping.client.largest("crat") > 1.5F * jumping.server.largest("crat"));
    }

    void theSimulationDoesNotKnowOfIt() {
        QCOMPARE(QString::fromStdString(measure(0.0F).digest), QString::fromStdString(measure(0.3F).digest));
    }

    // Within what the client's own simulation moves it between two records.
    void whatRestsIsDrawnWhereTheServerHasIt() {
        QVERIFY(measure(SimulationSettings{}.smoothing).farthest < 0.02F);
    }
};

QTEST_GUILESS_MAIN(TestNetworkSmoothing)
#include "tst_network_smoothing.moc"
