// Messages of a project's own from clients to the server: which are accepted, for whom, and how many.

#include <QtTest>

#include "engine/audio/sound_library.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/register.h"
#include "engine/net/net_recorder.h"
#include "engine/plugin/plugin_host.h"
#include "engine/render/mesh.h"
#include "engine/session/local_clients.h"
#include "engine/simulation/catalog.h"

#include <algorithm>
#include <map>

using namespace sbx;

namespace {

struct Ring {
    static constexpr const char* Name = "Ring";
    static constexpr const char* Doc = "Rings the bell of the player.";
    static constexpr ClientRights FromClient{.perSecond = 2.0};
    int times = 1;
    static void describe(FieldList<Ring>& f) { f.add("times", &Ring::times, "How often.").range(1, 5); }
};
struct Pull {
    static constexpr const char* Name = "Pull";
    static constexpr const char* Doc = "Pulls at any bell.";
    static constexpr ClientRights FromClient{.perSecond = 20.0, .ownPlayerOnly = false};
    EntityId by;
    static void describe(FieldList<Pull>& f) { f.add("by", &Pull::by, "Who pulls."); }
};
struct Melt {
    static constexpr const char* Name = "Melt";
    static constexpr const char* Doc = "Melts the bell: only the server may.";
    static void describe(FieldList<Melt>&) {}
};

// Counts what it receives, and from which delivery.
class Bell : public Component {
public:
    struct Settings {
        static void describe(FieldList<Settings>&) {}
    };
    struct State {
        int rings = 0;
        int pulls = 0;
        int melted = 0;
        EntityId by;
        int secret = 0;
        static void describe(FieldList<State>& f) {
            f.add("rings", &State::rings, "Of the player alone.");
            f.add("pulls", &State::pulls, "By anybody.");
            f.add("melted", &State::melted, "Should stay 0.");
            f.add("by", &State::by, "Who pulled last.");
            f.add("secret", &State::secret, "For the player alone.").ownerOnly();
        }
    };
    Settings settings;
    State state;
    Bell(const ComponentContext& context, const Settings& s) : Component(context), settings(s) {}
    static void describe(ComponentBuilder<Bell>& b) {
        b.doc("A bell that clients ring.").handle<&Bell::onRing>().handle<&Bell::onPull>().handle<&Bell::onMelt>();
    }

private:
    bool onRing(Ring& m) {
        state.rings += m.times;
        return false;
    }
    bool onPull(Pull& m) {
        ++state.pulls;
        state.secret += 7;
        state.by = m.by;
        return false;
    }
    bool onMelt(Melt&) {
        ++state.melted;
        return false;
    }
};

// A server of players with bells, and one bell of the scene, with two clients.
class Bells {
public:
    explicit Bells(std::size_t clients = 2)
        : m_plugins(filled(m_components), log), m_server(log, m_recorder, m_netRecorder, m_meshes, m_sounds), m_cvars(m_registry) {
        const std::map<std::string, std::string> files{
            {"p/project.toml", "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n"},
            {"p/e.toml", "[Player]\n[Player.Health]\n[Player.Bell]\n[Tower]\n[Tower.Bell]\n"},
            {"p/s.scene.toml", "[scene]\nname = \"s\"\n[[entity]]\ntype = \"Player\"\nname = \"host\"\n[[entity]]\ntype = \"Tower\"\nname = \"tower\"\n"}};
        Diagnostics faults;
        const auto content = loadContent("p/project.toml", "", m_plugins.latest().schema, faults,
                                         [&](const std::filesystem::path& path) -> Result<std::string> {
                                             const auto it = files.find(path.string());
                                             return it == files.end() ? Result<std::string>(Error{"no such file", {}, {}})
                                                                      : Result<std::string>(it->second);
                                         });
        if (content == nullptr || faults.hasErrors())
            qFatal("the project cannot be read");
        m_cvars.bind(m_server);
        m_server.setContent(content, m_plugins.builtins());
        m_server.build(m_cvars.latch());
        players = std::make_unique<LocalClients>(LocalClientsHome{m_server, m_cvars, log, m_netRecorder, m_meshes, m_sounds},
                                                 LocalClientsSetup{.count = clients, .link = *net::parseLink("latency=20ms"), .seed = 1});
        run(90);
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            m_server.tick();
            players->tick();
        }
    }
    NetworkSystem& client(std::size_t i) { return players->simulation(i).network(); }
    // The entity of that name in a client's world.
    EntityId in(std::size_t i, const std::string& name) { return players->simulation(i).world().find(name).id(); }
    std::string ownName(std::size_t i) { return players->simulation(i).world().nameOf(client(i).player()); }
    Bell::State bell(const std::string& name) {
        World& world = m_server.world();
        return world.getComponent<Bell>(world.find(name).id())->state;
    }
    NetworkSystem& server() { return m_server.network(); }
    Simulation& world() { return m_server; }
    int lines(const std::string& text) const {
        const auto all = log.since(0);
        return static_cast<int>(
            std::count_if(all.begin(), all.end(), [&](const LogRecord& r) { return r.text.find(text) != std::string::npos; }));
    }
    Log log;

private:
    static ComponentRegistry& filled(ComponentRegistry& registry) {
        registerBuiltinComponents(registry);
        registry.registerComponent<Bell>("Bell");
        return registry;
    }
    ComponentRegistry m_components;
    PluginHost m_plugins;
    Recorder m_recorder;
    net::NetRecorder m_netRecorder;
    render::MeshLibrary m_meshes;
    audio::SoundLibrary m_sounds;
    Simulation m_server;
    CVarRegistry m_registry;
    SimulationCVars m_cvars;

public:
    std::unique_ptr<LocalClients> players;
};

} // namespace

class TestClientMessages : public QObject {
    Q_OBJECT
private slots:
    void itsOwnPlayerRings() {
        Bells bells;
        const std::string own = bells.ownName(0);
        QVERIFY(!own.empty() && own != bells.ownName(1));
        QVERIFY(bells.client(0).send(bells.client(0).player(), Ring{3}).status == net::SendStatus::Sent);
        bells.run(20);
        QCOMPARE(bells.bell(own).rings, 3);
        QCOMPARE(bells.bell(bells.ownName(1)).rings, 0);
        // The state that the handler changed comes back to everybody.
        World& other = bells.players->simulation(1).world();
        bells.run(20);
        QCOMPARE(other.getComponent<Bell>(other.find(own).id())->state.rings, 3);
        QCOMPARE(bells.server().counters().refused, std::uint64_t{0});
    }
    void notThatOfAnother() {
        Bells bells;
        const std::string other = bells.ownName(1);
        QVERIFY(bells.client(0).send(bells.in(0, other), Ring{1}).status == net::SendStatus::Sent);
        bells.client(0).send(bells.in(0, "tower"), Ring{1});
        bells.run(20);
        QCOMPARE(bells.bell(other).rings, 0);
        QCOMPARE(bells.bell("tower").rings, 0);
        QCOMPARE(bells.server().counters().refused, std::uint64_t{2});
        QCOMPARE(bells.lines("has sent Ring: a client may send it to its own player only"), 1);
        QCOMPARE(bells.server().peerCount(), std::size_t{2});
    }
    void whereTheTypeAllowsItAnyEntity() {
        Bells bells;
        bells.client(0).send(bells.in(0, "tower"), Pull{bells.client(0).player()});
        bells.client(1).send(bells.in(1, bells.ownName(0)), Pull{});
        bells.run(20);
        QCOMPARE(bells.bell("tower").pulls, 1);
        QVERIFY(bells.bell("tower").by == bells.world().world().find(bells.ownName(0)).id()); // entities are those of each world
        QCOMPARE(bells.bell(bells.ownName(0)).pulls, 1);
    }
    // Other clients do not receive a state that is for the owner only; nothing is resent to them for its sake, and the digests agree.
    void whatIsForTheOwnerOnlyReachesNobodyElse() {
        Bells bells;
        const std::string own = bells.ownName(0);
        bells.client(0).send(bells.client(0).player(), Pull{});
        bells.client(0).send(bells.in(0, "tower"), Pull{});
        bells.run(40);
        const auto seenBy = [&](std::size_t i, const std::string& name) {
            World& world = bells.players->simulation(i).world();
            return world.getComponent<Bell>(world.find(name).id())->state;
        };
        QCOMPARE(bells.bell(own).secret, 7);
        QCOMPARE(seenBy(0, own).secret, 7);
        QCOMPARE(seenBy(1, own).pulls, 1);
        QCOMPARE(seenBy(1, own).secret, 0);
        QCOMPARE(seenBy(0, "tower").pulls, 1);
        QCOMPARE(seenBy(0, "tower").secret, 0);
        bells.run(120);
        const std::uint64_t sent = bells.server().counters().statesSent;
        bells.run(60);
        QCOMPARE(bells.server().counters().statesSent, sent);
        QCOMPARE(bells.client(1).stateDigest(), bells.server().stateDigest());
        QCOMPARE(bells.client(0).stateDigest(), bells.server().stateDigest());
    }
    // What is not for clients does not leave them, and they learn why; a client that sends it by force is refused.
    void whatDeclaresNothingIsNotSent() {
        Bells bells;
        for (int i = 0; i < 3; ++i)
            QVERIFY(bells.client(0).send(bells.client(0).player(), Melt{}).status == net::SendStatus::Closed);
        bells.run(20);
        QCOMPARE(bells.lines("Melt is not sent to the server"), 1);
        QCOMPARE(bells.server().counters().refused, std::uint64_t{0});
        QCOMPARE(bells.bell(bells.ownName(0)).melted, 0);
        // The server may.
        const std::uint64_t before = bells.client(0).counters().received;
        QVERIFY(bells.server().send(bells.world().world().find("tower").id(), Melt{}).status == net::SendStatus::Sent);
        bells.run(20);
        QCOMPARE(bells.client(0).counters().received, before + 1);
    }
    void aValueOutOfRangeChangesNothing() {
        Bells bells;
        bells.client(0).send(bells.client(0).player(), Ring{6});
        bells.run(20);
        QCOMPARE(bells.bell(bells.ownName(0)).rings, 0);
        QCOMPARE(bells.server().counters().malformed, std::uint64_t{1});
        QCOMPARE(bells.lines("has sent Ring: a field is out of its range"), 1);
        QCOMPARE(bells.server().peerCount(), std::size_t{2});
    }
    // Two a second, and ten seconds' worth at once; one more ends that client's connection and no other's. Other types have their own.
    void itsRateIsKept() {
        Bells bells;
        const std::string own = bells.ownName(0);
        for (int i = 0; i < 20; ++i)
            bells.client(0).send(bells.client(0).player(), Ring{1});
        for (int i = 0; i < 50; ++i)
            bells.client(0).send(bells.in(0, "tower"), Pull{});
        bells.run(30);
        QCOMPARE(bells.bell(own).rings, 20);
        QCOMPARE(bells.bell("tower").pulls, 50);
        bells.run(240); // four and a half seconds since: at least eight, at most nine more
        for (int i = 0; i < 8; ++i)
            bells.client(0).send(bells.client(0).player(), Ring{1});
        bells.run(20);
        QCOMPARE(bells.bell(own).rings, 28);
        QCOMPARE(bells.server().counters().rateExceeded, std::uint64_t{0});
        for (int i = 0; i < 8; ++i)
            bells.client(0).send(bells.client(0).player(), Ring{1});
        bells.run(60);
        QCOMPARE(bells.server().counters().rateExceeded, std::uint64_t{1});
        QCOMPARE(bells.server().peerCount(), std::size_t{1});
        QVERIFY(bells.server().lastExcess().find("Ring") != std::string::npos);
        QVERIFY(bells.client(0).closeReason() == net::CloseReason::Rate);
    }
};

QTEST_GUILESS_MAIN(TestClientMessages)
#include "tst_client_messages.moc"
