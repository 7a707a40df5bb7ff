#pragma once
// One world and its services: physics, visuals, sound, surroundings and network.
//
// Purpose: builds a world of a project's content, ticks it, lets it follow edits of the content, joins it to a network, and writes down
// its digest and state. It knows no console, CVar, window, plugin file or device: what it needs is given as plain settings and by
// reference. A session has one for each of its worlds (one alone, or a server and its clients); a program with a log and recorders of
// its own for each may tick several on different threads at once.
//
// Data flow: setContent(), build(), then for each tick: input, tick(). What a window sees of a simulation is taken between ticks
// (entityList(), inspection(), visuals(), physics()).
// Thread: one at a time, the one that ticks it. Ownership: the log, both recorders and both libraries outlive it. Log and meshes may be
// shared by simulations of several threads, recorders and sounds by simulations of one thread.

#include "engine/core/log.h"
#include "engine/entity/world.h"
#include "engine/net/handshake.h"
#include "engine/simulation/content.h"
#include "engine/simulation/simulation_settings.h"
#include "engine/simulation/snapshot.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sbx {

namespace audio {
class SoundLibrary;
}
namespace net {
class NetRecorder;
}
namespace render {
class MeshLibrary;
}
class NetworkSystem;
class PhysicsSystem;
class Recorder;
class SharedContent;
class SoundSystem;
class Surroundings;
class VisualSystem;
struct NetworkSetup;

// What the person at the controls does at this moment.
struct InputState {
    Vec2 move{0.0F}; // right, forward, each in [-1, 1]
    Vec2 look{0.0F}; // degrees turned right and up since the last call
    bool jump = false;
    bool run = false;
};

class Simulation {
public:
    Simulation(Log& log, Recorder& recorder, net::NetRecorder& netRecorder, render::MeshLibrary& meshes,
               audio::SoundLibrary& soundLibrary);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // --- Before a world is built
    // Which copy of a networked world the next worlds are: a client's begins empty, and the server sends what is in it.
    void setSide(Side side) { m_side = side; }
    [[nodiscard]] Side side() const { return m_side; }
    // How traces, digests and dumps call the next worlds; empty (the default): "local", or "client".
    void setName(std::string name) { m_name = std::move(name); }
    // Settings that server and clients share; null (the default): none but gravity, which a client follows. Outlives this.
    void setSharedSettings(SharedSettings* settings) { m_shared = settings; }
    // What the next worlds are built of. `content` null: an empty world. `catalog`, never null, is the content's.
    void setContent(std::shared_ptr<const Content> content, std::shared_ptr<const Catalog> catalog);
    // Ends the world and its connections. What was recorded of them can be sealed before the next world begins.
    void clear();
    // A new world at tick 0, with the instances of the scene unless it is a client's. Each build has a run number of its own.
    void build(const SimulationSettings& settings);

    // --- While it runs
    // Receives from the network, delivers the input, ticks the world, sends shared settings, publishes to the network.
    void tick();
    // The same content after an edit: changed types reach living entities and, where `scene` is true, the world follows the scene
    // instance by instance. True: nothing but places has changed, no component's values.
    bool follow(std::shared_ptr<const Content> content, std::shared_ptr<const Catalog> catalog, bool scene);
    // A request for an instance of the scene, its type and overrides filled in; type null: the world has no such type.
    [[nodiscard]] SpawnRequest makeRequest(const definition::InstanceDefinition& instance) const;
    // Held until the next call; `look` adds up until the next tick uses it.
    void setInput(const InputState& input);
    // A key went down or up: "a", "left", "space". Repeats are ignored.
    void setKey(const std::string& key, bool down);
    // As if every key and control were let go.
    void releaseInput();
    // In force at once, in this world and until the next build().
    void setGravity(float gravity); // m/s², downwards
    void setMargin(float margin);   // metres
    void setBudget(const WorldBudget& budget);
    void setSmoothing(float seconds); // see PoseSmoothing::setTime()
    void setPrediction(bool enabled); // see PlayerPrediction

    // --- Network
    // Joins the world to peers: `setup` with role, host, pump and names; the rest is filled in here. The host outlives the
    // simulation, or network().detach() comes first.
    void join(NetworkSetup setup);
    // What both ends must have in common: messages, states, definitions and scene.
    [[nodiscard]] SharedContent sharedContent() const;
    [[nodiscard]] net::ProtocolIdentity networkIdentity() const;

    // --- What is in it
    [[nodiscard]] World& world() { return *m_world; }
    [[nodiscard]] const World& world() const { return *m_world; }
    [[nodiscard]] NetworkSystem& network() { return *m_network; }
    [[nodiscard]] PhysicsSystem& physics() { return *m_physics; }
    [[nodiscard]] SoundSystem& sounds() { return *m_sounds; }
    [[nodiscard]] const SoundSystem& sounds() const { return *m_sounds; }
    [[nodiscard]] VisualSystem& visuals() { return *m_visuals; }
    [[nodiscard]] Surroundings& surroundings() { return *m_surroundings; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }
    [[nodiscard]] const std::shared_ptr<const Content>& content() const { return m_content; }
    [[nodiscard]] const std::shared_ptr<const Catalog>& catalog() const { return m_catalog; }
    // How many worlds were built before this one.
    [[nodiscard]] std::uint64_t run() const { return m_run; }

    // --- What a window sees of it
    // The same object while no entity comes, goes, is renamed or switched.
    [[nodiscard]] std::shared_ptr<const EntityList> entityList();
    [[nodiscard]] Inspection inspection(const Entity& entity) const;

    // `TICK WORLD HEX`
    [[nodiscard]] std::string digestLine() const;
    // The world as JSON, the format of `world.dump`.
    [[nodiscard]] std::string dump() const;

private:
    // What a component of an older build of its plugin has that the newer one is about to take over.
    struct KeptPart {
        EntityId entity;
        std::string name; // of the component, numbered as in Entity::component
        std::vector<std::pair<std::string, Value>> overrides; // settings of the instance's own
        std::vector<std::pair<std::string, Value>> state;
    };
    void deliverInput();
    void sendSettings();
    Result<void> followSetting(const std::string& name, const std::string& text);
    // simulation_content.cpp
    [[nodiscard]] std::shared_ptr<const EntityType> makeType(const definition::EntityTypeDefinition& type) const;
    void spawnInstances(const std::vector<const definition::InstanceDefinition*>& instances);
    bool followScene(const definition::Scene& before);
    void followTypes(const definition::Definitions& before);
    [[nodiscard]] std::vector<KeptPart> partsOfOlderBuilds() const;
    void giveBack(const std::vector<KeptPart>& parts);

    Log& m_log;
    Recorder& m_recorder;
    net::NetRecorder& m_netRecorder;
    render::MeshLibrary& m_meshes;
    audio::SoundLibrary& m_soundLibrary;
    SharedSettings* m_shared = nullptr;
    std::uint64_t m_sentSettings = 0; // revision of m_shared

    std::shared_ptr<const Content> m_content;
    std::shared_ptr<const Catalog> m_catalog; // of the content
    std::vector<std::shared_ptr<const EntityType>> m_types;
    Side m_side = Side::Server;
    std::string m_name;
    bool m_built = false; // a world was built before
    std::uint64_t m_run = 0;
    std::shared_ptr<SlotMemory> m_slotMemory = std::make_shared<SlotMemory>(); // from world to world
    // Services outlive the world that uses them.
    std::unique_ptr<PhysicsSystem> m_physics;
    std::unique_ptr<VisualSystem> m_visuals;
    std::unique_ptr<NetworkSystem> m_network; // of m_world
    std::unique_ptr<SoundSystem> m_sounds;
    std::unique_ptr<World> m_world;
    std::unique_ptr<Surroundings> m_surroundings; // of m_world

    InputState m_input;
    bool m_inputDelivered = true; // the last tick had the input as it is
    std::vector<std::string> m_keysDown;
    std::vector<std::pair<std::string, bool>> m_keyEvents;

    std::shared_ptr<const EntityList> m_entityList;
    std::uint64_t m_entityListVersion = 0;
};

} // namespace sbx
