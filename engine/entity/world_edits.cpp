// Edits of a world from outside: components added at run time, fields set, types replaced while entities live.

#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

void World::rebuildDispatch(Entity& entity) {
    auto table = std::make_unique<DispatchTable>();
    for (const Entity::ComponentRef& ref : entity.components())
        for (const HandlerDescription& h : ref.type->handlersFor(m_desc.side)) {
            // Extensions lie outside the block: their offset spans allocations, which flat address spaces allow.
            const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(ref.component)
                                                            - reinterpret_cast<std::uintptr_t>(entity.block));
            table->add(h.message, {h.thunk, offset, h.priority, ref.type->id});
        }
    table->build();
    if (entity.ownDispatch)
        m_retired.push_back(std::move(entity.ownDispatch));
    entity.ownDispatch = std::move(table);
    entity.dispatch = entity.ownDispatch.get();
}

Result<void> World::addComponent(EntityId id, const ComponentType& type,
                                 std::shared_ptr<const void> settings) {
    Entity* entity = get(id);
    if (entity == nullptr)
        return Error{"no such entity", {}, {}};
    if (type.unique && entity->component(type.name).type != nullptr)
        return Error{entity->name + " has a " + type.name + " already; expected at most one", {}, {}};
    if (!settings)
        settings = type.makeSettings(nullptr);
    auto* memory = static_cast<std::byte*>(::operator new(type.size, std::align_val_t(type.alignment)));
    m_recorder.setComponentName(type.id, type.name);
    type.construct(memory, {*this, id}, settings.get());
    if (entity->extensions.empty())
        ++bucketOf(entity->type).extended;
    entity->extensions.push_back({&type, memory});
    rebuildDispatch(*entity);
    ++m_structureVersion;
    return {};
}

Result<void> World::setField(EntityId id, std::string_view component, std::string_view field,
                             const Value& value) {
    Entity* entity = get(id);
    if (entity == nullptr)
        return Error{"no such entity", {}, {}};
    const Entity::ComponentRef ref = entity->component(component);
    if (ref.type == nullptr)
        return Error{entity->name + " has no component " + std::string(component), {}, {}};
    const bool isState = ref.type->state->find(field) != nullptr;
    const FieldInfo* info = isState ? ref.type->state->find(field) : ref.type->settings->find(field);
    if (info == nullptr)
        return Error{std::string(component) + " has no field " + std::string(field), {}, {}};
    if (info->readOnly)
        return Error{
            std::string(component) + "." + std::string(field) + " cannot be set: it is computed", {}, {}};
    const Result<Value> checked = info->check(value);
    if (!checked)
        return checked.error();
    if (isState) {
        info->write(ref.type->stateOf(ref.component), *checked);
        if (ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    } else {
        info->write(ref.type->settingsOf(ref.component), *checked);
        if (ref.type->settingsChanged != nullptr)
            ref.type->settingsChanged(ref.component);
        const std::pair<std::string, std::string> key(component, field);
        if (std::find(entity->overriddenKeys.begin(), entity->overriddenKeys.end(), key) == entity->overriddenKeys.end())
            entity->overriddenKeys.push_back(key);
    }
    return {};
}

void World::updateEntity(Entity& entity, const std::shared_ptr<const EntityType>& type) {
    const std::shared_ptr<const EntityType> old = entity.type;
    const auto overridden = [&](const std::string& component, const std::string& key) {
        return std::any_of(entity.overriddenKeys.begin(), entity.overriddenKeys.end(),
                           [&](const auto& o) { return o.first == component && o.second == key; });
    };
    // Settings each slot shall have: what the living component has now, with those fields that changed between the two types.
    // Components of a kind correspond by their number.
    std::vector<std::shared_ptr<const void>> wanted;
    std::vector<const ComponentType*> met;
    for (const EntityType::Slot& slot : type->layout()) {
        met.push_back(slot.type);
        const auto number = std::count(met.begin(), met.end(), slot.type);
        const std::string name =
            number == 1 ? slot.type->name : slot.type->name + "#" + std::to_string(number);
        const Entity::ComponentRef live = entity.component(name);
        auto left = number;
        const auto was =
            std::find_if(old->layout().begin(), old->layout().end(),
                         [&](const EntityType::Slot& s) { return s.type == slot.type && --left == 0; });
        if (live.component == nullptr || was == old->layout().end()) {
            wanted.push_back(slot.settings);
            continue;
        }
        const std::shared_ptr<void> settings = slot.type->makeSettings(slot.type->settingsOf(live.component));
        for (const FieldInfo& field : *slot.type->settings)
            if (!overridden(name, field.name)
                && field.read(was->settings.get()) != field.read(slot.settings.get()))
                field.write(settings.get(), field.read(slot.settings.get()));
        wanted.push_back(settings);
    }
    const bool sameComponents =
        old->layout().size() == type->layout().size()
        && std::equal(old->layout().begin(), old->layout().end(), type->layout().begin(),
                      [](const EntityType::Slot& a, const EntityType::Slot& b) { return a.type == b.type; });
    if (sameComponents) {
        leaveBucket(entity);
        entity.type = type;
        if (entity.ownDispatch)
            rebuildDispatch(entity);
        else
            entity.dispatch = &type->dispatch(m_desc.side);
        Bucket& bucket = bucketOf(type);
        bucket.entities.push_back(&entity);
        if (!entity.extensions.empty())
            ++bucket.extended;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const ComponentType& component = *type->layout()[i].type;
            void* live = entity.block + type->layout()[i].offset;
            void* settings = component.settingsOf(live);
            bool changed = false;
            for (const FieldInfo& field : *component.settings) {
                const Value value = field.read(wanted[i].get());
                if (value != field.read(settings)) {
                    field.write(settings, value);
                    changed = true;
                }
            }
            if (changed && component.settingsChanged != nullptr)
                component.settingsChanged(live);
        }
        return;
    }

    // A different set of components: build the block anew, in place, and hand the state over.
    std::vector<std::pair<std::string, std::vector<Value>>>
        states; // by component name, numbered as in Entity::component
    std::unordered_map<const ComponentType*, int> numbers;
    for (const Entity::ComponentRef& ref : entity.components()) {
        const int number = ++numbers[ref.type];
        if (ref.type->stateOf != nullptr) {
            std::vector<Value> values;
            for (const FieldInfo& field : *ref.type->state)
                values.push_back(field.read(ref.type->stateOf(ref.component)));
            states.emplace_back(ref.type->name + (number == 1 ? "" : "#" + std::to_string(number)),
                                std::move(values));
        }
    }
    leaveBucket(entity);
    destroyComponents(entity);
    if (entity.ownDispatch)
        m_retired.push_back(std::move(entity.ownDispatch));
    entity.type = type;
    construct(entity, wanted);
    bucketOf(type).entities.push_back(&entity);
    Awake message;
    send(entity.id, message);
    for (const auto& [name, values] : states) {
        const Entity::ComponentRef ref = entity.component(name);
        if (ref.type == nullptr)
            continue;
        for (std::size_t i = 0; i < values.size(); ++i)
            ref.type->state->fields()[i].write(ref.type->stateOf(ref.component), values[i]);
        if (ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    }
    // New components want their Start.
    entity.started = false;
    m_awaitingStart.push_back(entity.id);
    ++m_structureVersion;
}

std::vector<std::string> World::replaceTypes(std::vector<std::shared_ptr<const EntityType>> types) {
    SBX_EXPECT(!m_ticking && m_depth == 0, "types are replaced between ticks");
    std::vector<std::string> report;
    for (const auto& type : types) {
        std::vector<Entity*> affected;
        for (const Slot& slot : m_slots)
            if (slot.entity && slot.entity->type->name() == type->name() && slot.entity->type != type)
                affected.push_back(slot.entity.get());
        for (Entity* entity : affected)
            updateEntity(*entity, type);
        if (!affected.empty())
            report.push_back(type->name() + ": " + std::to_string(affected.size())
                             + (affected.size() == 1 ? " entity follows" : " entities follow"));
    }
    m_types = std::move(types);
    std::erase_if(m_buckets, [](const Bucket& b) { return b.entities.empty(); });
    m_retired.clear();
    return report;
}

} // namespace sbx
