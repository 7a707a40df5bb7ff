// What a session shows: types and instances made of definitions, worlds built of a scene, and both following edits.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/components/surroundings.h"
#include "engine/session/asset_checks.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "engine/session/sound_stage.h"
#include "engine/session/spawn_order.h"

#include <algorithm>

namespace sbx {

namespace {
// Two definitions of a type mean the same to a world.
bool sameType(const definition::EntityTypeDefinition& a, const definition::EntityTypeDefinition& b) {
    const auto sameComponent = [](const definition::ComponentDefinition& x,
                                  const definition::ComponentDefinition& y) {
        return x.name == y.name
               && std::equal(x.settings.begin(), x.settings.end(), y.settings.begin(), y.settings.end(),
                             [](const definition::Setting& s, const definition::Setting& t) {
                                 return s.entry.key == t.entry.key && s.value == t.value;
                             });
    };
    return a.name == b.name && a.doc == b.doc && a.icon == b.icon && a.color == b.color
           && std::equal(a.components.begin(), a.components.end(), b.components.begin(), b.components.end(),
                         sameComponent);
}

// Its components are those of the catalog, not of an older build of a plugin.
bool isCurrent(const EntityType& type, const Catalog& catalog) {
    return std::all_of(type.layout().begin(), type.layout().end(), [&](const EntityType::Slot& slot) {
        return catalog.find(slot.type->name) == slot.type;
    });
}

bool sameOverrides(const definition::InstanceDefinition& a, const definition::InstanceDefinition& b) {
    return std::equal(
        a.overrides.begin(), a.overrides.end(), b.overrides.begin(), b.overrides.end(),
        [](const definition::ComponentDefinition& x, const definition::ComponentDefinition& y) {
            return x.name == y.name
                   && std::equal(x.settings.begin(), x.settings.end(), y.settings.begin(), y.settings.end(),
                                 [](const definition::Setting& s, const definition::Setting& t) {
                                     return s.entry.key == t.entry.key && s.value == t.value;
                                 });
        });
}

bool sameValue(const SourceValue& a, const SourceValue& b) {
    return a.kind == b.kind && a.boolean == b.boolean && a.integer == b.integer && a.number == b.number
           && a.text == b.text
           && std::equal(a.array.begin(), a.array.end(), b.array.begin(), b.array.end(), sameValue);
}

bool sameCVars(const definition::Project& a, const definition::Project& b) {
    return std::equal(a.cvars.begin(), a.cvars.end(), b.cvars.begin(), b.cvars.end(),
                      [](const definition::CVarSetting& x, const definition::CVarSetting& y) {
                          return x.name == y.name && sameValue(x.value, y.value);
                      });
}

void writeSettings(const ComponentType& type, const definition::ComponentDefinition& from, void* settings) {
    for (const definition::Setting& setting : from.settings)
        if (const FieldInfo* field = type.settings->find(setting.entry.key))
            field->write(settings, setting.value);
}
} // namespace

std::shared_ptr<const EntityType> Session::makeType(const definition::EntityTypeDefinition& from) const {
    EntityTypeInfo info;
    info.name = from.name;
    info.doc = from.doc;
    info.icon = from.icon;
    info.color = from.color.value_or(Vec4(1.0F));
    std::vector<ComponentSpec> components;
    for (const definition::ComponentDefinition& component : from.components) {
        const ComponentType* type = m_catalog->find(component.name);
        if (type == nullptr)
            continue; // the reader has said so
        const std::shared_ptr<void> settings = type->makeSettings(nullptr);
        writeSettings(*type, component, settings.get());
        components.push_back({type, settings});
    }
    return std::make_shared<EntityType>(std::move(info), std::move(components));
}

void Session::rebuildTypes() {
    m_types.clear();
    if (m_content)
        for (const definition::EntityTypeDefinition& type : m_content->definitions->types())
            m_types.push_back(makeType(type));
}

SpawnRequest Session::makeRequest(const definition::InstanceDefinition& instance) const {
    SpawnRequest request;
    request.type = m_world->findType(instance.type);
    request.name = instance.name;
    request.pose = instance.pose();
    request.fromScene = true;
    if (const Entity parent = instance.parent.empty() ? Entity() : m_world->find(instance.parent))
        request.parent = parent.id();
    if (request.type == nullptr)
        return request;
    for (const definition::ComponentDefinition& override : instance.overrides)
        for (const EntityType::Slot& slot : request.type->layout())
            if (slot.type->name == override.name) {
                ComponentOverride out{slot.type, slot.type->makeSettings(slot.settings.get()), {}};
                writeSettings(*slot.type, override, const_cast<void*>(out.settings.get()));
                for (const definition::Setting& setting : override.settings)
                    out.keys.push_back(setting.entry.key);
                request.overrides.push_back(std::move(out));
                break;
            }
    return request;
}

void Session::spawnInstances(const std::vector<const definition::InstanceDefinition*>& instances) {
    const SpawnOrder order = spawnOrder(instances);
    std::vector<SpawnRequest> requests;
    requests.reserve(order.order.size());
    std::vector<std::size_t> requestOf(instances.size(), SpawnRequest::Outside);
    for (const std::size_t i : order.order) {
        SpawnRequest request = makeRequest(*instances[i]);
        if (request.type == nullptr)
            continue;
        if (order.parents[i] != SpawnOrder::Nobody)
            request.parentAmong = requestOf[order.parents[i]];
        requestOf[i] = requests.size();
        requests.push_back(std::move(request));
    }
    m_world->spawnAll(requests);
}

void Session::buildWorld() {
    endClients();
    m_world.reset();
    m_recorder.beginRun();
    if (m_fed != nullptr)
        m_fed->leave();
    m_sounds = std::make_unique<SoundSystem>(m_soundLibrary);
    m_visuals = std::make_unique<VisualSystem>(*m_drawn);
    const AssetPlaces places = [this](std::string_view asset) {
        return m_content ? assetPlace(*m_content, m_catalog->schema, asset) : std::nullopt;
    };
    m_sounds->setPlaces(places);
    m_visuals->setPlaces(places);
    m_console.cvars().applyLatched();
    physics::WorldDesc bodies;
    bodies.gravity = Vec3(0.0F, -m_gravity.get(), 0.0F);
    bodies.broadphase = m_broadphase.get();
    bodies.margin = m_margin.get();
    bodies.exactPairs = m_exactPairs.get();
    m_physics = std::make_unique<PhysicsSystem>(bodies);
    m_recorder.setEnabled(m_recording.get());
    m_recorder.setTiming(m_timing.get());
    WorldDesc desc;
    desc.slotMemory = m_slotMemory;
    desc.tickRate = m_tickRate.get();
    desc.seed = static_cast<std::uint64_t>(m_seed.get());
    if (m_side == Side::Client) {
        desc.side = m_side;
        desc.name = "client";
    }
    if (m_network)
        m_network->detach();
    m_netRecorder.seal(); // readers hear that everybody is gone before anything of the next world
    m_console.cvars().setFollowing(false);
    m_world = std::make_unique<World>(desc, m_recorder, m_log);
    tellBudget();
    m_network = std::make_unique<NetworkSystem>(*m_world);
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
    m_inputTold = true;
    if (!m_content || m_side == Side::Client)
        return;
    std::vector<const definition::InstanceDefinition*> instances;
    for (const definition::InstanceDefinition& instance : m_content->scene.instances())
        instances.push_back(&instance);
    spawnInstances(instances);
}

void Session::applyProjectCVars() {
    std::vector<SourceEntry> entries;
    if (m_content)
        for (const definition::CVarSetting& setting : m_content->project.cvars)
            entries.push_back({setting.name, setting.keyRegion, setting.value});
    Diagnostics faults;
    m_console.cvars().setLayer(CVarSource::Project, entries, faults,
                               m_content ? m_content->project.file.string() : std::string());
    for (const Diagnostic& fault : faults.items)
        m_log.error("project", fault.toString());
}

void Session::open(std::shared_ptr<const Content> content) {
    m_content = std::move(content);
    m_catalog = m_content && m_content->catalog ? m_content->catalog : m_plugins.builtins();
    setMode(Mode::Edit);
    ++m_run;
    m_deferred.clear();
    if (m_content) {
        m_meshes.setRoot(m_content->project.folder);
        m_soundLibrary.setRoot(m_content->project.folder);
        m_console.setBaseFolder(m_content->project.folder.string());
    }
    applyProjectCVars();
    rebuildTypes();
    buildWorld();
}

void Session::applyContent(std::shared_ptr<const Content> content) {
    const std::shared_ptr<const Content> before = std::exchange(m_content, std::move(content));
    if (!before || !m_content) {
        open(m_content);
        return;
    }
    const std::shared_ptr<const Catalog> catalog =
        std::exchange(m_catalog, m_content->catalog ? m_content->catalog : m_plugins.builtins());
    // The same objects are the same types: a scene was edited, nothing else.
    if (before->definitions != m_content->definitions || catalog != m_catalog)
        followTypes(*before->definitions);
    if (m_clients)
        for (std::size_t i = 0; i < m_clients->count(); ++i)
            m_clients->session(i).applyContent(m_content);
    if (before->project.folder != m_content->project.folder) {
        m_meshes.setRoot(m_content->project.folder);
        m_soundLibrary.setRoot(m_content->project.folder);
        m_console.setBaseFolder(m_content->project.folder.string());
    }
    if (!sameCVars(before->project, m_content->project))
        applyProjectCVars();
    if (m_mode == Mode::Edit)
        followScene(before->scene);
}

void Session::followTypes(const definition::Definitions& before) {
    // Types that mean the same stay the same objects: their entities are not touched.
    std::vector<std::shared_ptr<const EntityType>> types;
    for (const definition::EntityTypeDefinition& type : m_content->definitions->types()) {
        const definition::EntityTypeDefinition* old = before.find(type.name);
        const auto known = m_world->findType(type.name);
        const bool same = old != nullptr && known && sameType(*old, type) && isCurrent(*known, *m_catalog);
        types.push_back(same ? known : makeType(type));
    }
    m_types = types;
    if (m_world->types() == types)
        return;
    const std::vector<KeptPart> kept = partsOfOlderBuilds();
    for (const std::string& line : m_world->replaceTypes(std::move(types)))
        m_log.info("definition", line);
    giveBack(kept);
    m_entityList = nullptr;
}

void Session::followScene(const definition::Scene& before) {
    const definition::Scene& now = m_content->scene;
    // Most edits leave the order of the file: what stands at the same place needs no search.
    const auto counterpart = [](const definition::Scene& in, std::size_t i, const std::string& name) {
        const auto& instances = in.instances();
        return i < instances.size() && instances[i].name == name ? &instances[i] : in.find(name);
    };
    struct Moved {
        const definition::InstanceDefinition* instance;
        EntityId id;
    };
    std::vector<EntityId> going;
    std::vector<Moved> moved;
    std::vector<bool> fresh(now.instances().size(), false);
    bool anyFresh = false;
    // The list of entities is in the order of the file, which may change without a change of the world.
    if (!std::equal(before.instances().begin(), before.instances().end(), now.instances().begin(), now.instances().end(),
                    [](const definition::InstanceDefinition& a, const definition::InstanceDefinition& b) { return a.name == b.name; }))
        m_entityList = nullptr;
    for (std::size_t i = 0; i < before.instances().size(); ++i) {
        const std::string& name = before.instances()[i].name;
        if (counterpart(now, i, name) == nullptr)
            if (const Entity entity = m_world->find(name))
                going.push_back(entity.id());
    }
    for (std::size_t i = 0; i < now.instances().size(); ++i) {
        const definition::InstanceDefinition& instance = now.instances()[i];
        const definition::InstanceDefinition* old = counterpart(before, i, instance.name);
        const Entity entity = m_world->find(instance.name);
        if (old == nullptr || !entity || old->type != instance.type || old->parent != instance.parent
            || old->scale != instance.scale || old->rotation != instance.rotation
            || (old->position != instance.position && !instance.parent.empty())
            || !sameOverrides(*old, instance)) {
            // Also what stands or looks another way: components made something of that.
            if (entity)
                going.push_back(entity.id());
            fresh[i] = anyFresh = true;
        } else if (old->position != instance.position) {
            moved.push_back({&instance, entity.id()});
        }
    }
    m_world->destroyMany(going);
    for (const Moved& each : moved) {
        const Pose pose = each.instance->pose();
        if (m_world->alive(each.id) && !m_world->send(each.id, SetPose{pose.position, pose.rotation}).consumed)
            m_world->setPose(each.id, pose, true);
    }
    if (going.empty() && !anyFresh) {
        ++m_movesOnly; // no value has become another
        return;
    }
    // A parent takes its children with it: those come back too. All in the order of the file.
    std::vector<const definition::InstanceDefinition*> coming;
    for (std::size_t i = 0; i < now.instances().size(); ++i)
        if (fresh[i] || !m_world->find(now.instances()[i].name))
            coming.push_back(&now.instances()[i]);
    spawnInstances(coming);
}

} // namespace sbx
