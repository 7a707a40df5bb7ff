#pragma once
// Everything that runs. Plain C++, ticked by a loop in tests and the player and by a SimulationThread in the editor.
//
// Thread: one thread owns the session and calls everything here, except post(), snapshot() and console().complete() (and the
// registries), which any thread may call. What comes from outside enters at a tick boundary: post() and setInput().

#include "engine/audio/audio_types.h"
#include "engine/audio/sound_library.h"
#include "engine/core/console.h"
#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "engine/net/handshake.h"
#include "engine/net/net_recorder.h"
#include "engine/physics/physics_types.h"
#include "engine/render/mesh.h"
#include "engine/session/breakpoints.h"
#include "engine/session/console_targets.h"
#include "engine/session/content.h"
#include "engine/session/entity_query.h"
#include "engine/session/limit_cvars.h"
#include "engine/session/link_cvars.h"
#include "engine/session/plugin_host.h"
#include "engine/session/snapshot.h"
#include "engine/session/watches.h"

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

namespace sbx {

// What the person at the controls does, as of now.
struct InputState {
    Vec2 move{0.0F}; // right, forward, each in [-1, 1]
    Vec2 look{0.0F}; // degrees turned right and up since the last call
    bool jump = false;
    bool run = false;
};

class LocalClients;
class NetworkSystem;
class PhysicsSystem;
class SharedContent;
class SoundHost;
class SoundStage;
class SoundSystem;
class Surroundings;
class VisualSystem;
struct NetworkSetup;
struct SoundReport;

class Session {
public:
    // The log outlives the session. Built-in components, CVars and commands are registered here.
    explicit Session(Log& log);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // --- From any thread
    using Posted = std::function<void(Session&)>;
    // Runs before the next tick, in order of posting.
    void post(Posted command);
    // The same for what only looks: nothing is published because of it.
    void postAside(Posted command);
    // The latest publication; never null.
    [[nodiscard]] std::shared_ptr<const FrameSnapshot> snapshot() const;
    [[nodiscard]] const CVarRegistry& cvars() const { return m_console.cvars(); }
    [[nodiscard]] PluginHost& plugins() { return m_plugins; }
    // All components there are since a project was read last, and what files may name. References stay valid.
    [[nodiscard]] const Catalog& catalog() const { return m_plugins.latest(); }
    [[nodiscard]] const definition::Schema& schema() const { return m_plugins.latest().schema; }
    [[nodiscard]] render::MeshLibrary& meshes() { return m_meshes; }
    // Values the user keeps an eye on: sampled with every publication.
    [[nodiscard]] Watches& watches() { return m_watches; }
    // Where console lines may run: this session's world, and others, which their owners add.
    [[nodiscard]] ConsoleTargets& targets() { return m_targets; }
    // Called after post(): wakes the thread that ticks. Set before threads start.
    void setWakeUp(std::function<void()> wakeUp) { m_wakeUp = std::move(wakeUp); }

    // Reads the project again for its plugins, as an editor with unsaved texts does; called on the session's thread. Set
    // before threads start; without it the files on disk count.
    void setReloader(std::function<void()> reloader) { m_reloader = std::move(reloader); }

    // --- From the owning thread
    [[nodiscard]] Console& console() { return m_console; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }
    // Packets and messages of the network, of this world's host and of clients in the same program.
    [[nodiscard]] net::NetRecorder& netRecorder() { return m_netRecorder; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] World& world() { return *m_world; }
    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] std::uint64_t run() const { return m_run; }
    [[nodiscard]] const std::shared_ptr<const Content>& content() const { return m_content; }

    // Which copy of a networked world the next worlds are: a client's begins empty and is told what there is.
    void setSide(Side side) { m_side = side; }
    [[nodiscard]] NetworkSystem& network() { return *m_network; }
    // Joins the running world to peers: `setup` with role, host, pump and names; the session adds what it knows. The host
    // outlives it, or network().detach() comes first.
    void joinNetwork(NetworkSetup setup);
    // What both ends must have in common: messages, states, definitions and scene.
    [[nodiscard]] SharedContent sharedContent() const;
    [[nodiscard]] net::ProtocolIdentity networkIdentity() const;

    // From the scene, as the server of so many clients in this program, over simulated links; they end with the run.
    Result<void> playAsHost(std::size_t clients);
    // The clients of such a run; null: there are none.
    [[nodiscard]] LocalClients* clients() { return m_clients.get(); }
    // Whose world is published, and who gets the input: 0 this one, 1 the first client's, and so on.
    Result<void> viewAs(std::size_t client);
    // Meshes of another session in place of its own, so that one renderer can draw both; before the first world.
    void shareMeshes(render::MeshLibrary& meshes) { m_drawn = &meshes; }

    [[nodiscard]] LinkCVars& linkCVars() { return m_linkCVars; }
    // Clients in the same program, for the console to speak of; null: none. They say so themselves.
    void setLocalClients(LocalClients* clients) { m_localClients = clients; }
    [[nodiscard]] LocalClients* localClients() { return m_localClients; }
    // JSON: every counter and estimate of the network; messages and packets of the last half minute, as both ends saw them.
    [[nodiscard]] std::string netStats();
    [[nodiscard]] std::string dumpGraph();

    // Shows another project, stopped.
    void open(std::shared_ptr<const Content> content);
    // The same project after an edit. Stopped: the world follows instance by instance. Playing: changed types reach the living;
    // changes of the scene wait for Stop.
    void applyContent(std::shared_ptr<const Content> content);

    void play(); // from the scene, at tick 0; from Pause it goes on
    void pause();
    void stop(); // the scene as edited
    // One tick; from Edit it starts a run first. Leaves the session paused.
    void step();
    // Advances the world by one tick, whatever the mode; posted commands run first.
    void tick();
    // Runs what was posted, each to its end before the next: a command that ticks does not start another. True if any of it came
    // by post().
    bool runPosted();
    // True while ticks should follow the clock.
    [[nodiscard]] bool running() const { return m_mode == Mode::Play; }
    [[nodiscard]] double tickRate() const { return m_world->desc().tickRate; }
    [[nodiscard]] double timeScale() const { return static_cast<double>(m_timeScale.get()); }

    // Held until the next call; `look` is consumed by the next tick.
    void setInput(const InputState& input);
    // A key went down or up: "a", "left", "space". Repeats are ignored.
    void setKey(const std::string& key, bool down);

    // A line of the console; `wait` makes the rest follow later.
    ConsoleReply execute(std::string_view line, CVarSource source = CVarSource::Console,
                         WriteReach reach = WriteReach::Anywhere);
    // A file that the user named, on the command line or by having it in the settings folder.
    ConsoleReply execFile(const std::string& path, CVarSource source = CVarSource::Console);
    // What a path that begins with nobody's name is answered: the nearest name, for which all names are gone through, or only that
    // there is none, for who asks again and again.
    enum class Hints { Nearest, None };
    // What paths and count() mean in conditions and watches; good while the session lives.
    [[nodiscard]] ExpressionContext expressionContext(Hints hints = Hints::Nearest);
    // Sees every reply, those of deferred parts too.
    void setReplyHandler(std::function<void(const ConsoleReply&)> handler) {
        m_replyHandler = std::move(handler);
    }
    // The reply of another world's console, for those who see the replies of this one; its failure counts here.
    void noteReply(const ConsoleReply& reply);
    // The renderer of sound, called after each tick; null: none. The session outlives it, or it is set to null before.
    void setSoundStage(SoundStage* stage);
    [[nodiscard]] SoundStage* soundStage() const { return m_stage; }
    // Asked for a stage when something may sound, for devices and for recordings. The session outlives it, or is told.
    void setSoundHost(SoundHost* host);
    [[nodiscard]] SoundHost* soundHost() const { return m_soundHost; }
    // The stage follows another session's world from now on, such as a client's of the same thread; null: this one's.
    void hear(Session* other);
    // What the stage knows; empty without one.
    [[nodiscard]] SoundReport soundReport();
    // In Edit nothing ticks: lets what is tried out sound on by a tick. False: there is nothing.
    bool soundTurn();
    // Somebody looks at what is heard: in Edit it goes on even while nothing sounds.
    void setSoundWatched(bool watched) { m_soundWatched = watched; }
    [[nodiscard]] const SoundSystem& sounds() const { return *m_sounds; }
    [[nodiscard]] SoundSystem& sounds() { return *m_sounds; }
    [[nodiscard]] PhysicsSystem& physics() { return *m_physics; }
    [[nodiscard]] CVar<float>& soundVolume() { return m_volume; }
    [[nodiscard]] CVar<audio::Mode>& soundMode() { return m_soundMode; }
    [[nodiscard]] CVar<bool>& soundOcclusion() { return m_occlusion; }
    [[nodiscard]] CVar<std::string>& soundDevice() { return m_soundDevice; }
    [[nodiscard]] CVar<int>& soundRate() { return m_soundRate; }
    [[nodiscard]] CVar<float>& soundLatency() { return m_soundLatency; }
    // ms; what the device gave of what soundLatency() asks for, as the program that plays says; 0: nothing plays.
    [[nodiscard]] CVar<float>& soundDeviceLatency() { return m_soundDeviceLatency; }
    // Called after every tick of a world, however it was requested.
    void setTickHandler(std::function<void(Session&)> handler) { m_tickHandler = std::move(handler); }
    // Sees what `select` found. Called on the owning thread.
    void setSelectionHandler(std::function<void(const std::vector<std::string>&)> handler) {
        m_selectionHandler = std::move(handler);
    }
    // What pauses play. Looked through after each tick; hits while nothing runs count for nothing.
    [[nodiscard]] Breakpoints& breakpoints() { return m_breakpoints; }
    // Told after a tick in which a breakpoint matched, when play is paused already. Called on the owning thread.
    void setBreakHandler(std::function<void(const BreakHit&)> handler) { m_breakHandler = std::move(handler); }
    // What `$sel` stands for in the console: what a window, or the last `select`, has selected, whether it lives still or not.
    void setSelected(std::vector<std::string> names) { m_selected = std::move(names); }
    [[nodiscard]] const std::vector<std::string>& selected() const { return m_selected; }
    // The last tick used up a budget of the world (sim.entityBudget, sim.messageBudget), which the log has said, and play was
    // paused. Callers that tick without regard to the mode stop.
    [[nodiscard]] bool overBudget() const { return m_overBudget; }
    // Lines still waiting.
    [[nodiscard]] bool hasDeferred() const { return !m_deferred.empty(); }
    // How many `expect` lines failed.
    [[nodiscard]] std::uint64_t failedExpectations() const { return m_failedExpectations; }
    // How many lines failed for any reason, those included.
    [[nodiscard]] std::uint64_t failedLines() const { return m_failedLines; }

    // Entities whose values the next snapshots carry, by name: of up to MostInspected each one's, of more the primary's (empty: the
    // last of them), and of two or more what they have in common.
    static constexpr std::size_t MostInspected = 16;
    void inspect(std::vector<std::string> names, std::string primary = {});
    // The next snapshots say which entities match, of those they list (FrameSnapshot::matches); an empty filter ends it. One that
    // the session's components have no fields for matches nothing until they have.
    void filterEntities(std::string filter) { m_query.ask(std::move(filter)); }
    // Seals the recorder and publishes a snapshot.
    void publish();

    // `TICK WORLD HEX`
    [[nodiscard]] std::string digestLine() const;
    // The world as JSON, the format of `world.dump`.
    [[nodiscard]] std::string dumpWorld() const;

private:
    void setMode(Mode mode);
    void buildWorld();
    void rebuildTypes();
    [[nodiscard]] std::shared_ptr<const EntityType> makeType(
        const definition::EntityTypeDefinition& type) const;
    [[nodiscard]] SpawnRequest makeRequest(const definition::InstanceDefinition& instance) const;
    void spawnInstances(const std::vector<const definition::InstanceDefinition*>& instances);
    void followScene(const definition::Scene& before);
    void followTypes(const definition::Definitions& before);
    void applyProjectCVars();
    void deliverInput();
    void resumeDeferred();
    void pauseAtBreakpoints();
    void tellBudget();
    void defer(ConsoleReply& reply);
    void registerCommands();
    void registerWorldCommands();
    void registerSpatialCommands(); // spatial_commands.cpp
    Result<void> nearCommand(CommandContext& context, const CommandArguments& arguments);
    void registerSendCommand();
    void registerNetworkCommands(); // session_network.cpp
    Result<void> linkCommand(CommandContext& context, const CommandArguments& arguments);
    void tellSettings();            // there too
    void registerSoundCommands();   // session_sound.cpp
    void tellAir();                 // session_sound.cpp
    void endHearing();
    void registerClientCommands();  // session_clients.cpp
    void endClients();
    [[nodiscard]] Session& shown();
    [[nodiscard]] std::shared_ptr<const NetworkView> networkView();
    Result<void> spawnCommand(CommandContext& context, const CommandArguments& arguments);
    Result<void> setCommand(const CommandArguments& arguments);
    Result<void> selectCommand(CommandContext& context, const CommandArguments& arguments);
    Result<void> dumpCommand(CommandContext& context, const CommandArguments& arguments);
    Result<void> sendCommand(CommandContext& context, const CommandArguments& arguments);
    Result<void> writeText(const std::string& text, const std::string& file, CommandContext& context);
    void registerPluginCommands();
    Result<void> reloadPlugins(const std::string& name);
    // What living components have that another build of their plugin is about to take the place of.
    struct KeptPart {
        EntityId entity;
        std::string name;  // of the component, numbered as in Entity::component
        std::vector<std::pair<std::string, Value>> overrides; // settings of the instance's own
        std::vector<std::pair<std::string, Value>> state;
    };
    [[nodiscard]] std::vector<KeptPart> partsOfOlderBuilds() const;
    void giveBack(const std::vector<KeptPart>& parts);
    [[nodiscard]] std::shared_ptr<const EntityList> entityList();
    [[nodiscard]] std::shared_ptr<const PhysicsView> physicsView(const PhysicsSystem& of) const;
    [[nodiscard]] Inspection inspection(const Entity& entity) const;
    void fillInspected(FrameSnapshot& frame, Session& from); // session_inspection.cpp
    [[nodiscard]] std::shared_ptr<const InspectedTogether> lookTogether(const World& world);
    [[nodiscard]] std::vector<std::string> providedNames(TextRole role) const;
    [[nodiscard]] Result<Value> valueAt(std::string_view path, Hints hints) const;
    [[nodiscard]] Result<std::int64_t> countEntities(std::string_view filter);

    Log& m_log;
    ComponentRegistry m_components;
    PluginHost m_plugins;
    Console m_console;
    Recorder m_recorder;
    net::NetRecorder m_netRecorder;
    LinkCVars m_linkCVars{m_console.cvars()};
    LimitCVars m_limitCVars{m_console.cvars()};
    LocalClients* m_localClients = nullptr;
    Breakpoints m_breakpoints{m_recorder};
    Watches m_watches;
    ConsoleTargets m_targets;
    render::MeshLibrary m_meshes;
    render::MeshLibrary* m_drawn = &m_meshes;
    audio::SoundLibrary m_soundLibrary;
    SoundStage* m_stage = nullptr;
    SoundStage* m_fed = nullptr; // the stage that follows this world: m_stage, or another session's
    SoundHost* m_soundHost = nullptr;
    bool m_soundWatched = false;
    Session* m_heard = nullptr;  // whose world m_stage follows instead
    Session* m_hearer = nullptr; // whose stage follows this world

    CVar<double> m_tickRate;
    CVar<int> m_seed;
    CVar<float> m_timeScale;
    CVar<float> m_gravity;
    CVar<int> m_entityBudget;
    CVar<int> m_messageBudget;
    CVar<physics::Broadphase> m_broadphase;
    CVar<float> m_margin;
    CVar<bool> m_exactPairs;
    CVar<bool> m_showShapes;
    CVar<bool> m_showContacts;
    CVar<bool> m_showTree;
    CVar<float> m_volume;
    CVar<audio::Mode> m_soundMode;
    CVar<audio::Quality> m_soundQuality;
    CVar<bool> m_occlusion;
    // °C; the speed of sound of the published method is that of dry air then. Also: it is not set.
    static constexpr float UnsetTemperature = 15.03F;
    CVar<float> m_temperature;
    CVar<float> m_humidity;
    CVar<bool> m_limiter;
    CVar<std::string> m_soundDevice;
    CVar<int> m_soundRate;
    CVar<float> m_soundLatency;
    CVar<float> m_soundDeviceLatency;
    CVar<bool> m_cheats;
    CVar<bool> m_recording;
    CVar<bool> m_netRecording;
    CVar<bool> m_timing;
    std::vector<CVarConnection> m_connections;

    std::shared_ptr<const Content> m_content;
    std::shared_ptr<const Catalog> m_catalog; // of the content; never null
    std::function<void()> m_reloader;
    std::vector<std::shared_ptr<const EntityType>> m_types;
    // Services outlive the world that uses them.
    std::unique_ptr<PhysicsSystem> m_physics;
    std::unique_ptr<VisualSystem> m_visuals;
    std::unique_ptr<NetworkSystem> m_network; // of m_world
    std::unique_ptr<LocalClients> m_clients;  // of m_world's network; end before it
    std::size_t m_viewAs = 0;                 // 1: the first client
    Side m_side = Side::Server;
    std::uint64_t m_toldSettings = 0; // revision of the CVars
    std::unique_ptr<SoundSystem> m_sounds;
    std::shared_ptr<SlotMemory> m_slotMemory = std::make_shared<SlotMemory>(); // from world to world
    std::unique_ptr<World> m_world;
    std::unique_ptr<Surroundings> m_surroundings; // of m_world
    Mode m_mode = Mode::Edit;
    std::uint64_t m_run = 0;
    double m_tickMs = 0.0;
    bool m_overBudget = false;

    InputState m_input;
    bool m_inputTold = true; // the last tick had the input as it is
    std::vector<std::string> m_keysDown;
    std::vector<std::pair<std::string, bool>> m_keyEvents;

    struct Deferred {
        std::uint64_t due = 0; // tick
        ConsoleScript script;
    };
    std::deque<Deferred> m_deferred;
    std::function<void(const ConsoleReply&)> m_replyHandler;
    std::function<void(Session&)> m_tickHandler;
    std::function<void(const std::vector<std::string>&)> m_selectionHandler;
    std::function<void(const BreakHit&)> m_breakHandler;
    std::vector<std::string> m_selected;
    std::uint64_t m_failedExpectations = 0;
    std::uint64_t m_failedLines = 0;

    std::vector<std::string> m_inspect;
    std::vector<EntityId> m_inspectIds; // theirs, in m_togetherOf
    std::string m_inspectPrimary;
    std::shared_ptr<const InspectedTogether> m_together; // null: to be looked at
    bool m_togetherStale = false; // a command may have changed values
    std::size_t m_togetherAge = 0; // publications
    struct LookedAt { // while it is the same, entities and their names are
        const World* world = nullptr;
        std::uint64_t run = 0;
        std::uint64_t structure = 0;
        friend bool operator==(const LookedAt&, const LookedAt&) = default;
    };
    LookedAt m_togetherOf;
    std::size_t m_movesOnly = 0; // commands under way that changed no values but places
    EntityQuery m_query;
    std::shared_ptr<const EntityList> m_entityList;
    std::uint64_t m_entityListVersion = 0;

    std::function<void()> m_wakeUp;
    std::mutex m_postMutex;
    std::vector<Posted> m_posted;
    bool m_postedTells = false; // any of them came by post()
    bool m_runningPosted = false; // session's thread only
    mutable std::mutex m_snapshotMutex; // held to swap one pointer
    std::shared_ptr<const FrameSnapshot> m_snapshot;
    std::uint64_t m_serial = 0;
};

} // namespace sbx
