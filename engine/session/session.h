#pragma once
// Everything that runs: the main simulation, the simulations of clients in the same program and the links between them, recorders,
// clock and mode, console, plugins, watches and breakpoints. Plain C++, ticked by a loop in tests and the player and by a
// SimulationThread in the editor.
//
// Thread: one thread owns the session and calls everything here, except post(), snapshot() and console().complete() (and the
// registries), which any thread may call. What comes from outside enters at a tick boundary: post() and setInput().

#include "engine/core/console.h"
#include "engine/core/log.h"
#include "engine/net/net_recorder.h"
#include "engine/plugin/plugin_host.h"
#include "engine/render/mesh.h"
#include "engine/session/breakpoints.h"
#include "engine/session/field_history.h"
#include "engine/session/handler_stops.h"
#include "engine/session/live_edits.h"
#include "engine/session/session_lines.h"
#include "engine/session/console_targets.h"
#include "engine/session/session_sound.h"
#include "engine/session/simulation_cvars.h"
#include "engine/session/watches.h"
#include "engine/simulation/content.h"
#include "engine/simulation/entity_query.h"
#include "engine/simulation/simulation.h"
#include "engine/simulation/snapshot.h"
#include "engine/simulation/window_inspection.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace sbx {

class LocalClients;
class Session;
struct LocalClientsSetup;
class ServerLink;
struct ClientSetup;
struct ServerSetup;
class UdpHost;

// What a program wants to be called for; each may be empty. All but `wakeUp` are called on the session's thread.
struct SessionHandlers {
    // Something was posted: wakes the thread that ticks. Called on the thread that posts; set while no other thread runs.
    std::function<void()> wakeUp;
    // Reads the project again for its plugins, as an editor with unsaved texts does. Without it the files on disk count.
    std::function<void()> reload;
    // Every reply of a console line, also those of deferred parts and, under the client's name, those of lines for a client's world.
    std::function<void(const ConsoleReply&)> reply;
    // After every tick of the session, however it was requested.
    std::function<void(Session&)> tick;
    // The names that `select` found.
    std::function<void(const std::vector<std::string>&)> selection;
    // The connection of playAsClient() has ended, or never was: why. The run has been stopped.
    std::function<void(const std::string& why)> leftServer;
    // After a tick in which a breakpoint matched, when play has been paused.
    std::function<void(const BreakHit&)> breakHit;
};

class Session {
public:
    // Adds the console's commands: addConsoleCommands() of engine/commands, or null for a console without them. Commands are given
    // from outside because they use everything a session has.
    using AddCommands = void (*)(Session&);
    // The log outlives the session. Built-in components and CVars are registered here, then the commands.
    Session(Log& log, AddCommands addCommands);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // --- From any thread
    using Posted = std::function<void(Session&)>;
    // Runs before the next tick, in order of posting.
    void post(Posted command);
    // The same for a command that changes nothing a window shows: nothing is published because of it.
    void postAside(Posted command);
    // The latest publication; never null.
    [[nodiscard]] std::shared_ptr<const FrameSnapshot> snapshot() const;
    [[nodiscard]] const CVarRegistry& cvars() const { return m_console.cvars(); }
    [[nodiscard]] PluginHost& plugins() { return m_plugins; }
    // All components that exist since a project was read last, and the names that files may use. References stay valid.
    [[nodiscard]] const Catalog& catalog() const { return m_plugins.latest(); }
    [[nodiscard]] render::MeshLibrary& meshes() { return m_meshes; }
    // Values that the user watches: sampled after every tick of the main world, and with every publication.
    [[nodiscard]] Watches& watches() { return m_watches; }
    // Where console lines may run: in the main world and in those of the clients.
    [[nodiscard]] ConsoleTargets& targets() { return m_targets; }

    // --- From the owning thread
    [[nodiscard]] SessionHandlers& handlers() { return m_handlers; }
    [[nodiscard]] Console& console() { return m_console; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }
    // Packets and messages of the network, of this world's host and of clients in the same program.
    [[nodiscard]] net::NetRecorder& netRecorder() { return m_netRecorder; }
    [[nodiscard]] Log& log() { return m_log; }
    // The simulation that ticks with the session: one alone, a server's, or a client's of a server in another program.
    [[nodiscard]] Simulation& simulation() { return m_main; }
    [[nodiscard]] World& world() { return m_main.world(); }
    [[nodiscard]] Mode mode() const { return m_mode; }
    // The stage, the program that plays, and the audio.* CVars.
    [[nodiscard]] SessionSound& sound() { return m_sound; }
    // Conditions that pause play. Checked after each tick of the main world; matches while nothing runs have no effect.
    [[nodiscard]] Breakpoints& breakpoints() { return m_breakpoints; }
    // Those of them that stop within a tick, before a handler.
    [[nodiscard]] HandlerStops& stops() { return m_stops; }
    // Who changed a value of an inspected entity.
    [[nodiscard]] FieldHistory& fieldHistory() { return m_fieldHistory; }
    // Does something to the main world between ticks, such as sending a message by hand, as a tick does it: stops() can stop in it, and
    // fieldHistory() learns which of its handlers changed what.
    void doWatched(const std::function<void()>& what);
    // Values that the user has changed by hand in the main world while it runs. Tools that change one call note().
    [[nodiscard]] LiveEdits& liveEdits() { return m_liveEdits; }

    // --- Network
    // Simulation::join() for the main simulation, with the limits of the net.limit.* CVars.
    void joinNetwork(NetworkSetup setup);
    static constexpr std::size_t MaxClients = 32; // each has a world of its own
    // From the scene, as the server of so many clients in this program, over simulated links; they end with the run.
    Result<void> playAsHost(std::size_t clients);
    // Adds clients to the run: the main world becomes their server. They tick with it and end with the run, or by endClients().
    void addClients(const LocalClientsSetup& setup);
    void endClients();
    // From the scene, as the server of clients in other programs, over UDP; ends with the run. While nothing ticks, idleTurn() keeps the
    // connections.
    Result<void> playAsServer(const ServerSetup& setup);
    // An empty world that the server of another program fills, as one of its clients; ends with the run, or when the connection does,
    // which stops the run. The project must be the server's.
    Result<void> playAsClient(const ClientSetup& setup);
    // Null: it is no client of another program's server.
    [[nodiscard]] const ServerLink* serverLink() const { return m_serverLink.get(); }
    // Null: it serves no other programs.
    [[nodiscard]] const UdpHost* server() const { return m_server.get(); }
    // Null: there are none.
    [[nodiscard]] LocalClients* clients() { return m_clients.get(); }
    // The simulation of the main world (0) or of a client (1 the first).
    [[nodiscard]] Simulation& simulationOf(std::size_t client);
    // Which of them is published, gets the input and is played as sound: 0 the main one, 1 the first client's, and so on.
    Result<void> viewAs(std::size_t client);

    // --- Project and clock
    // Shows another project, stopped.
    void open(std::shared_ptr<const Content> content);
    // The same project after an edit. Stopped: the world follows instance by instance. Playing: changed types reach living entities;
    // changes of the scene wait for Stop.
    void applyContent(std::shared_ptr<const Content> content);
    // Loads the project's plugins again, or the one of that name (see isPluginNamed()). With a `reload` handler, errors are that handler's to report.
    [[nodiscard]] Result<void> reloadPlugins(const std::string& name);

    void play(); // from the scene, at tick 0; from Pause it goes on
    void pause();
    void stop(); // the scene as edited
    // One tick; from Edit it starts a run first. Leaves the session paused.
    void step();
    // Advances the world by one tick, whatever the mode; posted commands run first.
    void tick();
    // Runs the posted commands, each to its end before the next: a command that ticks does not start another. True if any of them was
    // passed to post().
    bool runPosted();
    // True while ticks should follow the clock.
    [[nodiscard]] bool running() const { return m_mode == Mode::Play; }
    [[nodiscard]] double tickRate() const { return m_main.world().desc().tickRate; }
    [[nodiscard]] double timeScale() const { return m_worldCVars.timeScale(); }

    // The last tick used up a budget of the world (sim.entityBudget, sim.messageBudget): the log has an error, and play was paused.
    // Callers that tick without regard to the mode stop.
    [[nodiscard]] bool overBudget() const { return m_overBudget; }
    // For the time of a tick in which nothing ticks (Edit, Pause): lets sounds that are tried out go on, and keeps connections to other
    // programs. False: there is neither.
    bool idleTurn();

    // For the simulation that is viewed; see Simulation::setInput() and setKey().
    void setInput(const InputState& input);
    void setKey(const std::string& key, bool down);

    // --- Console
    // Lines for other worlds and from files, what waits, what failed.
    [[nodiscard]] SessionLines& lines() { return m_lines; }
    // A line of the console, in the main world; `wait` makes the rest follow later.
    ConsoleReply execute(std::string_view line, CVarSource source = CVarSource::Console,
                         WriteReach reach = WriteReach::Anywhere) {
        return m_lines.execute(line, source, reach);
    }
    // The simulation that the console line under way acts on.
    [[nodiscard]] Simulation& target() { return m_lines.target(); }
    // The names of entities, types or messages that completion offers, of the world that was published last. Any thread.
    [[nodiscard]] std::vector<std::string> providedNames(TextRole role) const;
    // What the error for a path that begins with an unknown name contains: the nearest name, which takes a search of all names, or no
    // suggestion, for callers that evaluate the same path again and again.
    enum class Hints { Nearest, None };
    // What paths and count() mean in conditions and watches, in that simulation; valid while both exist.
    [[nodiscard]] ExpressionContext expressionContext(Simulation& simulation, Hints hints = Hints::Nearest);

    // --- Selection
    // Makes these the selected names, and calls the selection handler.
    void select(std::vector<std::string> names);
    // The names that `$sel` in a console line means: those that a window, or the last `select`, has selected, alive or not.
    void setSelected(std::vector<std::string> names) { m_selected = std::move(names); }
    [[nodiscard]] const std::vector<std::string>& selected() const { return m_selected; }

    // --- What a window sees
    // Entities whose values the next snapshots carry, by name; see WindowInspection::inspect().
    void inspect(std::vector<std::string> names, std::string primary = {}) {
        m_fieldHistory.watch(names);
        m_inspection.inspect(std::move(names), std::move(primary));
    }
    // The next snapshots contain which of their entities match (FrameSnapshot::matches); an empty filter ends it. A filter over fields
    // that no component has matches nothing until one has them.
    void filterEntities(std::string filter) { m_query.setFilter(std::move(filter)); }
    // Seals the recorder and publishes a snapshot.
    void publish();

private:
    void setMode(Mode mode);
    void buildWorld();
    [[nodiscard]] std::shared_ptr<const Catalog> catalogOf(const Content* content) const;
    void setFolder(const Content& content);
    void applyCVars(const Content* content);
    void tickClients();
    void endServer();
    void leaveServer();
    void followServer();
    [[nodiscard]] std::shared_ptr<const NetworkView> serverView();
    [[nodiscard]] std::shared_ptr<const NetworkView> clientView();
    void tickWatched();
    // True: a person stepped on, and no other handler came.
    bool watchHandlersOf(const std::function<void()>& what);
    void pauseAtBreakpoints();
    void sampleWatches();
    [[nodiscard]] std::shared_ptr<const NetworkView> networkView();
    [[nodiscard]] std::shared_ptr<const PhysicsView> physicsView(Simulation& of) const;
    [[nodiscard]] Result<Value> valueAt(const World& world, std::string_view path, Hints hints) const;

    Log& m_log;
    ComponentRegistry m_components;
    PluginHost m_plugins;
    Console m_console;
    Recorder m_recorder;
    net::NetRecorder m_netRecorder;
    SimulationCVars m_worldCVars{m_console.cvars()}; // of the main world
    Breakpoints m_breakpoints{m_recorder};
    HandlerStops m_stops{m_breakpoints, m_recorder, m_log};
    bool m_watching = false; // in watchHandlersOf()
    FieldHistory m_fieldHistory;
    LiveEdits m_liveEdits;
    Watches m_watches;
    ConsoleTargets m_targets;
    render::MeshLibrary m_meshes;
    SessionSound m_sound{m_console.cvars(), m_log};

    CVar<bool> m_showShapes;
    CVar<bool> m_showContacts;
    CVar<bool> m_showTree;
    CVar<bool> m_recording;
    CVar<bool> m_netRecording;
    CVar<bool> m_timing;
    CVar<bool> m_allChanges;
    CVar<bool> m_stamps;
    std::vector<CVarConnection> m_connections;

    Simulation m_main{m_log, m_recorder, m_netRecorder, m_meshes, m_sound.library()};
    std::unique_ptr<LocalClients> m_clients; // of the main world's network; end before it
    std::shared_ptr<UdpHost> m_server;       // of the main world's network; detached before it ends
    std::unique_ptr<ServerLink> m_serverLink; // of playAsClient(); ends before the world does
    std::size_t m_viewAs = 0;                // 1: the first client
    Mode m_mode = Mode::Edit;
    double m_tickMs = 0.0;
    bool m_overBudget = false;

    SessionLines m_lines{*this};
    SessionHandlers m_handlers;
    std::vector<std::string> m_selected;

    WindowInspection m_inspection;
    EntityQuery m_query;

    std::mutex m_postMutex;
    std::vector<Posted> m_posted;
    bool m_postedPublish = false; // any of them came by post()
    bool m_runningPosted = false; // session's thread only
    mutable std::mutex m_snapshotMutex; // held to swap one pointer
    std::shared_ptr<const FrameSnapshot> m_snapshot;
    std::uint64_t m_serial = 0;
};

} // namespace sbx
