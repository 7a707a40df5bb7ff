#include "engine/simulation/simulation.h"

#include "engine/audio/sound_library.h"
#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/sound_system.h"
#include "engine/components/surroundings.h"
#include "engine/components/visual_system.h"
#include "engine/core/component_name.h"
#include "engine/message/recorder.h"
#include "engine/simulation/asset_checks.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/shared_content.h"
#include "engine/simulation/world_dump.h"

#include <algorithm>

namespace sbx {

namespace {
constexpr const char* Gravity =
    "sim.gravity"; // the shared setting that a simulation without a table of its own follows
}

Simulation::Simulation(Log& log, Recorder& recorder, net::NetRecorder& netRecorder,
                       render::MeshLibrary& meshes, audio::SoundLibrary& soundLibrary)
    : m_log(log),
      m_recorder(recorder),
      m_netRecorder(netRecorder),
      m_meshes(meshes),
      m_soundLibrary(soundLibrary) {}

Simulation::~Simulation() {
    m_world.reset(); // before the services its components use
}

// ---------------------------------------------------------------------------------------------------- building

void Simulation::clear() {
    m_world.reset();
    if (m_network)
        m_network->detach();
}

void Simulation::build(const SimulationSettings& settings) {
    SBX_EXPECT(m_catalog != nullptr, "setContent() comes before build()");
    clear();
    if (std::exchange(m_built, true))
        ++m_run;
    m_recorder.beginRun();
    m_sounds = std::make_unique<SoundSystem>(m_soundLibrary);
    m_visuals = std::make_unique<VisualSystem>(m_meshes);
    const AssetPlaces places = [this](std::string_view asset) {
        return m_content ? assetPlace(*m_content, m_catalog->schema, asset) : std::nullopt;
    };
    m_sounds->setPlaces(places);
    m_visuals->setPlaces(places);
    physics::WorldDesc bodies;
    bodies.gravity = Vec3(0.0F, -settings.gravity, 0.0F);
    bodies.broadphase = settings.broadphase;
    bodies.margin = settings.margin;
    bodies.exactPairs = settings.exactPairs;
    m_physics = std::make_unique<PhysicsSystem>(bodies);
    WorldDesc desc;
    desc.slotMemory = m_slotMemory;
    desc.tickRate = settings.tickRate;
    desc.seed = settings.seed;
    if (m_side == Side::Client) {
        desc.side = m_side;
        desc.name = "client";
    }
    if (!m_name.empty())
        desc.name = m_name;
    m_world = std::make_unique<World>(desc, m_recorder, m_log);
    m_world->setBudget(settings.budget);
    m_network = std::make_unique<NetworkSystem>(*m_world);
    m_network->smoothing().setTime(settings.smoothing);
    m_network->prediction().setEnabled(settings.prediction);
    m_visuals->setSmoothing(&m_network->smoothing());
    m_sounds->setSmoothing(&m_network->smoothing());
    m_surroundings = std::make_unique<Surroundings>(*m_world, *m_physics);
    m_world->provide(*m_physics);
    m_world->provide(*m_surroundings);
    m_world->provide(*m_visuals);
    m_world->provide(*m_network);
    m_world->provide(*m_sounds);
    m_world->addSystem(*m_physics);
    m_world->setTypes(m_types);
    m_entityList = nullptr;
    m_keysDown.clear();
    m_keyEvents.clear();
    m_input = {};
    m_inputDelivered = true;
    if (!m_content || m_side == Side::Client)
        return;
    std::vector<const definition::InstanceDefinition*> instances;
    for (const definition::InstanceDefinition& instance : m_content->scene.instances())
        instances.push_back(&instance);
    spawnInstances(instances);
}

void Simulation::setGravity(float gravity) {
    if (m_physics)
        m_physics->physics().setGravity(Vec3(0.0F, -gravity, 0.0F));
}

void Simulation::setMargin(float margin) {
    if (m_physics)
        m_physics->physics().setMargin(margin);
}

void Simulation::setBudget(const WorldBudget& budget) {
    if (m_world)
        m_world->setBudget(budget);
}

void Simulation::setSmoothing(float seconds) {
    if (m_network)
        m_network->smoothing().setTime(seconds);
}

void Simulation::setPrediction(bool enabled) {
    if (m_network)
        m_network->prediction().setEnabled(enabled);
}

// ---------------------------------------------------------------------------------------------------- ticking

void Simulation::tick() {
    m_network->receive();
    deliverInput();
    m_world->tick();
    sendSettings();
    m_network->publish();
}

void Simulation::setInput(const InputState& input) {
    const Vec2 look = m_input.look + input.look;
    m_input = input;
    m_input.look = look;
    m_inputDelivered = false;
}

void Simulation::setKey(const std::string& key, bool down) {
    const auto it = std::find(m_keysDown.begin(), m_keysDown.end(), key);
    if (down == (it != m_keysDown.end()))
        return;
    if (down)
        m_keysDown.push_back(key);
    else
        m_keysDown.erase(it);
    m_keyEvents.emplace_back(key, down);
}

void Simulation::releaseInput() {
    m_keysDown.clear();
    setInput({});
}

void Simulation::deliverInput() {
    for (const auto& [key, down] : std::exchange(m_keyEvents, {})) {
        if (down)
            m_world->broadcast(KeyPressed{std::string_view(key)});
        else
            m_world->broadcast(KeyReleased{std::string_view(key)});
    }
    if (m_inputDelivered)
        return;
    Input input{m_input.move, m_input.look, m_input.jump, m_input.run};
    switch (m_network->role()) {
    case NetworkSystem::Role::Alone:
        m_world->broadcast(input);
        break;
    case NetworkSystem::Role::Server:
        if (const EntityId own = m_network->player())
            m_world->send(own, input);
        break;
    case NetworkSystem::Role::Client:
        // Its own player acts on it at once; the server's answer comes a round trip later.
        if (m_network->sendInput(input) && m_network->prediction().enabled())
            m_world->send(m_network->player(), input);
        break;
    }
    m_input.look = Vec2(0.0F);
    m_inputDelivered = true;
}

// ---------------------------------------------------------------------------------------------------- network

SharedContent Simulation::sharedContent() const {
    return {NetworkTable(m_catalog->components), m_content.get()};
}

net::ProtocolIdentity Simulation::networkIdentity() const { return sharedContent().identity(); }

void Simulation::join(NetworkSetup setup) {
    setup.table = std::make_shared<const NetworkTable>(m_catalog->components);
    if (setup.recorder == nullptr)
        setup.recorder = &m_netRecorder;
    if (setup.peerName.empty())
        setup.peerName = setup.role == NetworkSystem::Role::Server ? "server" : setup.playerName;
    setup.make = [this](const std::string& type, const std::string& name) {
        const definition::InstanceDefinition* instance = m_content ? m_content->scene.find(name) : nullptr;
        if (instance != nullptr && instance->type == type)
            return makeRequest(*instance);
        SpawnRequest request;
        request.type = m_world->findType(type);
        return request;
    };
    const bool client = setup.role == NetworkSystem::Role::Client;
    if (client)
        setup.setting = [this](const std::string& name, const std::string& text) {
            return followSetting(name, text);
        };
    m_network->attach(std::move(setup));
    if (m_shared != nullptr)
        m_shared->setFollowing(client);
    m_sentSettings = 0;
}

Result<void> Simulation::followSetting(const std::string& name, const std::string& text) {
    if (m_shared != nullptr)
        return m_shared->follow(name, text);
    if (name != Gravity)
        return {};
    FieldInfo number;
    number.type = FieldType::Float;
    number.singlePrecision = true;
    const Result<Value> gravity = number.parse(text);
    if (!gravity)
        return gravity.error();
    setGravity(static_cast<float>(std::get<double>(*gravity)));
    return {};
}

// All of them after a change of any: the network sends those whose value is another.
void Simulation::sendSettings() {
    if (m_shared == nullptr || m_network->role() != NetworkSystem::Role::Server
        || m_shared->revision() == m_sentSettings)
        return;
    m_sentSettings = m_shared->revision();
    m_shared->visit(
        [this](const std::string& name, const std::string& text) { m_network->sendSetting(name, text); });
}

// ---------------------------------------------------------------------------------------------------- what is in it

std::shared_ptr<const EntityList> Simulation::entityList() {
    if (m_entityList && m_entityListVersion == m_world->structureVersion())
        return m_entityList;
    auto list = std::make_shared<EntityList>();
    list->rows.reserve(m_world->entityCount());
    // Ids depend on what was spawned and destroyed before, the order of the file does not: an entity keeps its place in the list when an
    // edit makes it anew.
    static const definition::Scene none;
    const definition::Scene& scene = m_content ? m_content->scene : none;
    std::vector<Entity> ofScene(scene.instances().size());
    std::vector<Entity> others;
    m_world->forEach([&](const Entity& entity) {
        const definition::InstanceDefinition* instance = scene.find(entity.name());
        if (instance != nullptr)
            ofScene[static_cast<std::size_t>(instance - scene.instances().data())] = entity;
        else
            others.push_back(entity);
    });
    const auto add = [&](const Entity& entity) {
        const EntityTypeInfo& info = entity.type().info();
        list->byName.emplace(entity.name(), list->rows.size());
        list->byId.emplace(entity.id().bits, list->rows.size());
        list->rows.push_back({entity.id(), entity.name(), info.name, info.icon,
                              m_world->nameOf(entity.parent()), entity.fromScene(), entity.sharedType()});
    };
    for (const Entity& entity : ofScene)
        if (entity)
            add(entity);
    for (const Entity& entity : others)
        add(entity);
    for (const auto& type : m_world->types())
        list->types.push_back(type->name());
    m_entityListVersion = m_world->structureVersion();
    m_entityList = list;
    return list;
}

Inspection Simulation::inspection(const Entity& entity) const {
    Inspection out;
    out.id = entity.id();
    out.name = entity.name();
    out.type = entity.type().name();
    out.parent = m_world->nameOf(entity.parent());
    out.local = entity.local();
    out.pose = entity.pose();
    ComponentNumbering numbering;
    for (const Entity::ComponentRef& ref : entity.components()) {
        InspectedComponent component;
        component.type = ref.type;
        component.name = numbering.nextName(ref.type->name);
        for (const FieldInfo& field : *ref.type->settings) {
            component.settings.push_back({&field, field.read(ref.type->settingsOf(ref.component)),
                                          entity.overrides(component.name, field.name)});
        }
        if (ref.type->stateOf != nullptr)
            for (const FieldInfo& field : *ref.type->state)
                component.state.push_back({&field, field.read(ref.type->stateOf(ref.component)), false});
        out.components.push_back(std::move(component));
    }
    return out;
}

std::string Simulation::digestLine() const {
    static constexpr char Digits[] = "0123456789abcdef";
    std::uint64_t digest = m_world->digest();
    std::string hex(16, '0');
    for (std::size_t i = 16; i-- > 0; digest >>= 4U)
        hex[i] = Digits[digest & 15U];
    return std::to_string(m_world->tickCount()) + " " + m_world->desc().name + " " + hex;
}

std::string Simulation::dump() const { return worldJson(*m_world); }

} // namespace sbx
