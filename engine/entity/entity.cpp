#include "engine/entity/entity.h"

#include "engine/core/component_name.h"
#include "engine/entity/entity_store.h"

#include <algorithm>

namespace sbx {

const Slot& Entity::slot() const { return m_store->m_slots[m_id.index()]; }

// A removed entity has neither details nor a place, even if the flags of its slot are still set.
const EntityDetails* Entity::details() const {
    return m_store->alive(m_id) && slot().has(SlotNamed) ? m_store->m_details.find(m_id.index()) : nullptr;
}

std::string Entity::name() const { return m_store->nameOf(m_id); }

const std::shared_ptr<const EntityType>& Entity::sharedType() const {
    const EntityDetails* const own = details();
    return own != nullptr && own->type != nullptr ? own->type : m_store->m_pools[slot().pool]->type();
}

const EntityPlace& Entity::place() const {
    static const EntityPlace Nowhere;
    return m_store->alive(m_id) && slot().has(SlotPlaced) ? *m_store->m_places.find(m_id.index()) : Nowhere;
}

EntityId Entity::parent() const { return place().parent; }

std::span<const EntityId> Entity::children() const {
    if (!m_store->alive(m_id) || !slot().has(SlotPlaced))
        return {};
    return m_store->childrenOf(m_id.index());
}

EntityId Entity::creator() const {
    const EntityDetails* const own = details();
    return own != nullptr ? own->creator : EntityId();
}

bool Entity::fromScene() const {
    const EntityDetails* const own = details();
    return own != nullptr && own->fromScene;
}

bool Entity::overrides(std::string_view component, std::string_view field) const {
    const EntityDetails* const own = details();
    return own != nullptr
           && std::any_of(own->overrides.begin(), own->overrides.end(), [&](const EntityOverride& o) {
                  return o.component == component && o.field == field;
              });
}

std::vector<Entity::ComponentRef> Entity::components() const {
    std::vector<ComponentRef> out;
    eachComponent([&](const ComponentRef& ref) { out.push_back(ref); });
    return out;
}

Entity::ComponentRef Entity::component(std::string_view wanted) const {
    const ComponentName name = parseComponentName(wanted);
    std::size_t number = name.number;
    ComponentRef found;
    eachComponent([&](const ComponentRef& ref) {
        if (ref.type->name == name.type && number > 0 && --number == 0)
            found = ref;
    });
    return found;
}

} // namespace sbx
