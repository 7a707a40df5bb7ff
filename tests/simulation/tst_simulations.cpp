// Simulations without a session: each ticked on a thread of its own, and several looked at at once.

#include <QtTest>

#include "engine/audio/sound_library.h"
#include "engine/components/network_system.h"
#include "engine/components/physics_system.h"
#include "engine/components/register.h"
#include "engine/components/visual_system.h"
#include "engine/net/net_recorder.h"
#include "engine/plugin/plugin_host.h"
#include "engine/render/mesh.h"
#include "engine/session/local_clients.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/window_inspection.h"
#include "tests/folders.h"

#include <thread>

using namespace sbx;

namespace {

constexpr std::size_t Threads = 4;

// What the simulations of a test share: the components, a sample project and its meshes.
class Sample {
public:
    explicit Sample(const char* project) : m_plugins(filled(m_components), m_log) {
        Diagnostics faults;
        content = loadContent(sbx::test::sourcePath("resources/projects/") + project, {}, m_plugins, faults);
        if (content == nullptr || content->catalog == nullptr || faults.hasErrors())
            qFatal("the sample is faulty");
        meshes.setRoot(content->project.folder);
    }
    std::shared_ptr<const Content> content;
    render::MeshLibrary meshes;

private:
    static ComponentRegistry& filled(ComponentRegistry& registry) {
        registerBuiltinComponents(registry);
        return registry;
    }
    Log m_log;
    ComponentRegistry m_components;
    PluginHost m_plugins;
};

// One simulation with a log, recorders and sounds of its own, and clients if a test wants them.
class Run {
public:
    explicit Run(Sample& sample, std::size_t clients = 0)
        : simulation(m_log, m_recorder, m_netRecorder, sample.meshes, m_sounds), m_cvars(registry) {
        m_sounds.setRoot(sample.content->project.folder);
        m_cvars.bind(simulation);
        simulation.setContent(sample.content, sample.content->catalog);
        Diagnostics faults;
        applyProjectCVars(registry, sample.content.get(), faults);
        simulation.build(m_cvars.latch());
        if (clients > 0)
            players = std::make_unique<LocalClients>(
                LocalClientsHome{simulation, m_cvars, m_log, m_netRecorder, sample.meshes, m_sounds},
                LocalClientsSetup{.count = clients,
                                  .link = *net::parseLink("latency=30ms jitter=10ms loss=5%"),
                                  .seed = 3});
    }
    void tick() {
        simulation.tick();
        if (players)
            players->tick();
    }
    // One line for each tick and world.
    QStringList digests(int ticks) {
        QStringList lines;
        for (int i = 0; i < ticks; ++i) {
            tick();
            lines << QString::fromStdString(simulation.digestLine());
            for (std::size_t client = 0; players && client < players->count(); ++client)
                lines << QString::fromStdString(players->simulation(client).digestLine());
            // What a window and a trace would take, on the thread that ticks.
            m_recorder.seal();
            render::Scene scene;
            simulation.visuals().fill(simulation.world(), scene);
        }
        return lines;
    }

private:
    Log m_log;
    Recorder m_recorder;
    net::NetRecorder m_netRecorder;
    audio::SoundLibrary m_sounds;

public:
    Simulation simulation;
    CVarRegistry registry;

private:
    SimulationCVars m_cvars;

public:
    std::unique_ptr<LocalClients> players; // end before the server
};

} // namespace

class TestSimulations : public QObject {
    Q_OBJECT

private slots:
    void eachRunsOnAThreadOfItsOwn_data() {
        QTest::addColumn<QByteArray>("project");
        QTest::addColumn<int>("clients");
        QTest::addColumn<int>("ticks");
        QTest::newRow("Courtyard") << QByteArray("courtyard") << 0 << 600;
        QTest::newRow("Pinball") << QByteArray("pinball") << 0 << 600;
        QTest::newRow("Courtyard with clients") << QByteArray("courtyard") << 2 << 200;
    }
    // Four at the same time are the same as one alone, and as each other.
    void eachRunsOnAThreadOfItsOwn() {
        QFETCH(QByteArray, project);
        QFETCH(int, clients);
        QFETCH(int, ticks);
        Sample sample(project.constData());
        const auto run = [&] { return Run(sample, static_cast<std::size_t>(clients)).digests(ticks); };
        std::array<QStringList, Threads> together;
        {
            std::vector<std::jthread> threads;
            for (QStringList& lines : together)
                threads.emplace_back([&lines, &run] { lines = run(); });
        }
        const QStringList alone = run();
        QCOMPARE(alone.size(), static_cast<qsizetype>(ticks) * (1 + clients));
        QVERIFY(alone.first() != alone.last());
        for (const QStringList& lines : together)
            QCOMPARE(lines, alone);
    }

    // Built again, it begins anew: the same digests, another run number.
    void eachBuildIsARunOfItsOwn() {
        Sample sample("courtyard");
        Run run(sample);
        QCOMPARE(run.simulation.run(), std::uint64_t(0));
        const QStringList first = run.digests(60);
        run.simulation.build({});
        QCOMPARE(run.simulation.run(), std::uint64_t(1));
        QCOMPARE(run.simulation.world().tickCount(), std::uint64_t(0));
        QCOMPARE(run.digests(60), first);
    }

    // A server's world and a client's are listed and inspected at the same time, each with its own entities.
    void twoWorldsAreShownAtOnce() {
        Sample sample("courtyard");
        Run run(sample, 1);
        for (int i = 0; i < 120; ++i)
            run.tick();
        Simulation& client = run.players->simulation(0);
        WindowInspection ofServer;
        WindowInspection ofClient;
        for (WindowInspection* each : {&ofServer, &ofClient})
            each->inspect({"crate_1"}, {});
        FrameSnapshot server;
        FrameSnapshot theirs;
        ofServer.fill(server, run.simulation);
        ofClient.fill(theirs, client);
        QCOMPARE(server.inspected.size(), std::size_t(1));
        QCOMPARE(theirs.inspected.size(), std::size_t(1));
        QVERIFY(server.inspected[0].id == run.simulation.world().find("crate_1").id());
        QVERIFY(theirs.inspected[0].id == client.world().find("crate_1").id());
        const auto list = run.simulation.entityList();
        const auto listOfClient = client.entityList();
        QVERIFY(list != listOfClient);
        QCOMPARE(list->rows.size(), run.simulation.world().entityCount());
        QCOMPARE(listOfClient->rows.size(), client.world().entityCount());
        QVERIFY(list == run.simulation.entityList()); // nothing has come or gone
    }

    // A client that its owner gave no shared settings follows gravity all the same.
    void aClientFollowsGravityByItself() {
        Sample sample("courtyard");
        Run run(sample, 2);
        Simulation& bare = run.players->simulation(1);
        bare.setSharedSettings(nullptr);
        QVERIFY(run.registry.set("sim.gravity", "2.5", CVarSource::Console).ok());
        for (int i = 0; i < 120; ++i)
            run.tick();
        for (Simulation* each : {&run.simulation, &run.players->simulation(0), &bare})
            QCOMPARE(each->physics().physics().gravity().y, -2.5F);
        QCOMPARE(bare.network().counters().malformed, std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(TestSimulations)
#include "tst_simulations.moc"
