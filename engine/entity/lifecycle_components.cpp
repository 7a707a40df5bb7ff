// Edits of single entities from outside: components added and removed at run time, fields set.

#include "engine/core/component_name.h"
#include "engine/entity/thrown_text.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

Result<void> EntityLifecycle::addComponent(EntityId id, const ComponentType& type,
                                 std::shared_ptr<const void> settings) {
    const Entity entity = find(id);
    if (!entity)
        return Error{"no such entity", {}, {}};
    if (m_slots[id.index()].has(SlotDying | SlotReloading))
        return Error{entity.name()
                         + (m_slots[id.index()].has(SlotDying) ? " is about to go" : " is being reloaded")
                         + ": it gets no " + type.name,
                     {},
                     {}};
    const ComponentType* against = nullptr;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (against == nullptr && ref.type->excludes(type))
            against = ref.type;
    });
    if (against == &type)
        return Error{entity.name() + " has a " + type.name + " already; expected at most one", {}, {}};
    if (against != nullptr)
        return Error{entity.name() + " cannot have a " + type.name + ": it has a " + against->name
                         + ", and one is the other; expected at most one",
                     {},
                     {}};
    if (!settings)
        settings = type.makeSettings(nullptr);
    const std::uint32_t index = id.index();
    makeSpecial(index);
    auto* const memory = static_cast<std::byte*>(::operator new(type.size, std::align_val_t(type.alignment)));
    m_recorder.setComponentName(type.id, type.name, type.observer);
    const bool pinned = pin(index);
    try {
        type.constructAt(memory, self(), id, settings.get());
    } catch (...) {
        const std::string what = thrownText();
        ::operator delete(memory, std::align_val_t(type.alignment));
        unpin(id, pinned);
        if (alive(id))
            makePlain(index);
        settle();
        return Error{type.name + " threw while it was made: " + what, {}, {}};
    }
    EntityDetails& details = m_details.get(index);
    details.parts.push_back({.type = &type, .memory = memory, .serial = nextSerial(details)});
    follow(index);
    ++m_structure;
    unpin(id, pinned); // its constructor may have destroyed it
    beginPart(id, memory);
    settle();
    return {};
}

Result<void> EntityLifecycle::removeComponent(EntityId id, std::string_view component) {
    const Entity entity = find(id);
    if (!entity)
        return Error{"no such entity", {}, {}};
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return Error{entity.name() + " has no component " + std::string(component), {}, {}};
    const Slot& slot = m_slots[id.index()];
    if (slot.has(SlotDying | SlotBuilding | SlotReloading))
        return Error{entity.name()
                         + (slot.has(SlotDying)      ? " is about to go"
                            : slot.has(SlotBuilding) ? " is being made"
                                                     : " is being reloaded")
                         + ": nothing is removed from it",
                     {},
                     {}};
    makeSpecial(id.index());
    dropParts(id, {static_cast<std::byte*>(ref.component)});
    ++m_structure;
    settle();
    return {};
}

// Sends OnDisable and OnDestroy to the components and removes them: at once, or, while the entity is being notified of something
// else, after that. They are destroyed when no handler runs.
void EntityLifecycle::dropParts(EntityId id, const std::vector<std::byte*>& components) {
    std::vector<EntityPart>& parts = m_details.get(id.index()).parts;
    for (EntityPart& part : parts)
        part.removed =
            part.removed || std::find(components.begin(), components.end(), part.memory) != components.end();
    follow(id.index()); // from now on only OnDisable and OnDestroy reach them
    if (m_slots[id.index()].has(SlotAwake)) {
        live(id);
        return;
    }
    for (std::size_t i = parts.size(); i-- > 0;)
        if (parts[i].removed)
            takeOut(id.index(), i);
}

void EntityLifecycle::takeOut(std::uint32_t index, std::size_t number) {
    std::vector<EntityPart>& parts = m_details.get(index).parts;
    m_retiredParts.push_back(parts[number]);
    m_lane.gate |= WorkPending;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(number));
    follow(index);
}

Result<void> EntityLifecycle::setField(EntityId id, std::string_view component, std::string_view field,
                             const Value& value) {
    const Entity entity = find(id);
    if (!entity)
        return Error{"no such entity", {}, {}};
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return Error{entity.name() + " has no component " + std::string(component), {}, {}};
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
        void* const settings = ref.type->settingsOf(ref.component);
        const std::shared_ptr<const void> before = ref.type->makeSettings(settings);
        info->write(settings, *checked);
        // "Mesh#1" is "Mesh": a reload looks for the plain name.
        std::string name;
        ComponentNumbering numbering;
        entity.eachComponent([&](const Entity::ComponentRef& other) {
            std::string numbered = numbering.nextName(other.type->name);
            if (other.component == ref.component)
                name = std::move(numbered);
        });
        if (!entity.overrides(name, field)) {
            m_slots[id.index()].set(SlotNamed);
            m_details.get(id.index()).overrides.push_back({std::move(name), std::string(field), {}});
        }
        if (ref.type->settingsChanged != nullptr)
            ref.type->settingsChanged(ref.component, before.get());
    }
    return {};
}

} // namespace sbx
