// What a simulation makes of content: types, instances, and a world that follows edits of both.

#include "engine/components/messages.h"
#include "engine/core/component_name.h"
#include "engine/simulation/catalog.h"
#include "engine/simulation/simulation.h"
#include "engine/simulation/spawn_order.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace sbx {

namespace {
// Two definitions of a type mean the same to a world.
bool sameType(const definition::EntityTypeDefinition& a, const definition::EntityTypeDefinition& b) {
    return a.name == b.name && a.doc == b.doc && a.icon == b.icon && a.color == b.color
           && std::equal(a.components.begin(), a.components.end(), b.components.begin(), b.components.end(),
                         definition::sameSettings);
}

// Its components are those of the catalog, not of an older build of a plugin.
bool isCurrent(const EntityType& type, const Catalog& catalog) {
    return std::all_of(type.layout().begin(), type.layout().end(), [&](const EntityType::Slot& slot) {
        return catalog.find(slot.type->name) == slot.type;
    });
}

bool sameOverrides(const definition::InstanceDefinition& a, const definition::InstanceDefinition& b) {
    return std::equal(a.overrides.begin(), a.overrides.end(), b.overrides.begin(), b.overrides.end(),
                      definition::sameSettings);
}

void writeSettings(const ComponentType& type, const definition::ComponentDefinition& from, void* settings) {
    for (const definition::Setting& setting : from.settings)
        if (const FieldInfo* field = type.settings->find(setting.entry.key))
            field->write(settings, setting.value);
}
} // namespace

std::shared_ptr<const EntityType> Simulation::makeType(const definition::EntityTypeDefinition& from) const {
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

void Simulation::setContent(std::shared_ptr<const Content> content, std::shared_ptr<const Catalog> catalog) {
    m_content = std::move(content);
    m_catalog = std::move(catalog);
    m_types.clear();
    if (m_content)
        for (const definition::EntityTypeDefinition& type : m_content->definitions->types())
            m_types.push_back(makeType(type));
}

SpawnRequest Simulation::makeRequest(const definition::InstanceDefinition& instance) const {
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

void Simulation::spawnInstances(const std::vector<const definition::InstanceDefinition*>& instances) {
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

bool Simulation::follow(std::shared_ptr<const Content> content, std::shared_ptr<const Catalog> catalog,
                        bool scene) {
    SBX_EXPECT(m_content != nullptr && content != nullptr, "an edit of content needs content");
    const std::shared_ptr<const Content> before = std::exchange(m_content, std::move(content));
    const std::shared_ptr<const Catalog> catalogBefore = std::exchange(m_catalog, std::move(catalog));
    // A stopped world that follows an edit tells nothing of a run: its messages have no records, so that those of the last run stay.
    std::optional<World::Unseen> unseen;
    if (scene)
        unseen.emplace(*m_world);
    // The same objects are the same types: a scene was edited, nothing else.
    if (before->definitions != m_content->definitions || catalogBefore != m_catalog)
        followTypes(*before->definitions);
    return scene && followScene(before->scene);
}

void Simulation::followTypes(const definition::Definitions& before) {
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

bool Simulation::followScene(const definition::Scene& before) {
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
    if (!std::equal(before.instances().begin(), before.instances().end(), now.instances().begin(),
                    now.instances().end(),
                    [](const definition::InstanceDefinition& a, const definition::InstanceDefinition& b) {
                        return a.name == b.name;
                    }))
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
        if (m_world->alive(each.id)
            && !m_world->send(each.id, SetPose{pose.position, pose.rotation}).consumed)
            m_world->setPose(each.id, pose, true);
    }
    if (going.empty() && !anyFresh)
        return true;
    // A parent takes its children with it: those come back too. All in the order of the file.
    std::vector<const definition::InstanceDefinition*> coming;
    for (std::size_t i = 0; i < now.instances().size(); ++i)
        if (fresh[i] || !m_world->find(now.instances()[i].name))
            coming.push_back(&now.instances()[i]);
    spawnInstances(coming);
    return false;
}

std::vector<Simulation::KeptPart> Simulation::partsOfOlderBuilds() const {
    std::vector<KeptPart> out;
    m_world->forEach([&](const Entity& entity) {
        ComponentNumbering numbering;
        for (const Entity::ComponentRef& ref : entity.components()) {
            std::string name = numbering.nextName(ref.type->name);
            const ComponentType* now = m_catalog->find(ref.type->name);
            if (now == nullptr || now == ref.type)
                continue;
            KeptPart part{entity.id(), std::move(name), {}, {}};
            for (const FieldInfo& field : *ref.type->settings)
                if (entity.overrides(part.name, field.name))
                    part.overrides.emplace_back(field.name, field.read(ref.type->settingsOf(ref.component)));
            if (ref.type->stateOf != nullptr)
                for (const FieldInfo& field : *ref.type->state)
                    part.state.emplace_back(field.name, field.read(ref.type->stateOf(ref.component)));
            out.push_back(std::move(part));
        }
    });
    return out;
}

void Simulation::giveBack(const std::vector<KeptPart>& parts) {
    for (const KeptPart& part : parts) {
        const Entity entity = m_world->find(part.entity);
        const Entity::ComponentRef ref = entity ? entity.component(part.name) : Entity::ComponentRef{};
        if (ref.type == nullptr || ref.type != m_catalog->find(ref.type->name))
            continue; // its type of entity has it no longer
        const std::string where = entity.name() + ": " + part.name + ".";
        for (const auto& [key, value] : part.overrides)
            if (ref.type->settings->find(key) != nullptr)
                if (const Result<void> set = m_world->setField(part.entity, part.name, key, value); !set)
                    m_log.warning("plugin", where + key + " starts anew: " + set.error().message);
        bool changed = false;
        for (const auto& [key, value] : part.state) {
            const FieldInfo* field = ref.type->state->find(key);
            if (field == nullptr)
                continue;
            if (const Result<Value> fits = field->check(value); fits) {
                field->write(ref.type->stateOf(ref.component), *fits);
                changed = true;
            } else {
                m_log.warning("plugin", where + key + " starts anew: " + fits.error().message);
            }
        }
        if (changed && ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    }
}

} // namespace sbx
