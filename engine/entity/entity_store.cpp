// Finding entities and components.

#include "engine/entity/entity_store.h"

namespace sbx {

EntityStore::EntityStore(WorldDesc desc, Recorder& recorder, Log& log)
    : m_desc(std::move(desc)),
      m_dt(static_cast<float>(1.0 / m_desc.tickRate)),
      m_recorder(recorder),
      m_log(log),
      m_slots(m_desc.slotMemory) {}

void EntityStore::forEach(const std::function<void(const Entity&)>& visit) const {
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots.alive(i))
            visit(Entity(*this, m_slots.idOf(i)));
}

template <typename Wanted> EntityStore::PartLocation EntityStore::locatePartIf(EntityId id, const Wanted& wanted) const {
    PartLocation found;
    const Entity entity = find(id);
    if (!entity)
        return found;
    PartLocation place;
    const auto look = [&] {
        if (found.ref.type == nullptr && wanted(place))
            found = place;
        ++place.number;
    };
    if (entity.slot().has(SlotSpecial)) {
        for (const EntityPart& part : entity.details()->parts) {
            place.ref = {part.type, part.memory, part.enabled};
            place.serial = part.serial;
            if (!part.removed)
                look();
        }
        return found;
    }
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        place.ref = ref;
        place.serial = place.number;
        look();
    });
    return found;
}

EntityStore::PartLocation EntityStore::locatePart(EntityId entity, const void* component) const {
    const auto* const at = static_cast<const std::byte*>(component);
    return locatePartIf(entity, [&](const PartLocation& place) {
        const auto* const memory = static_cast<const std::byte*>(place.ref.component);
        return at >= memory && at < memory + place.ref.type->size;
    });
}

EntityStore::PartLocation EntityStore::locatePartBySerial(EntityId entity, std::uint16_t serial) const {
    return locatePartIf(entity, [&](const PartLocation& place) { return place.serial == serial; });
}

void* EntityStore::findComponent(EntityId id, const std::type_info& type) const {
    const Slot* const slot = m_slots.find(id);
    if (slot == nullptr)
        return nullptr;
    if (!slot->has(SlotSpecial)) {
        const std::ptrdiff_t offset = m_pools[slot->pool]->type()->offsetOf(type);
        return offset < 0 ? nullptr : slot->block + offset;
    }
    for (const EntityPart& part : m_details.find(id.index())->parts)
        if (const ComponentClass* const c = part.type->as(type); c != nullptr && !part.removed)
            return part.memory + c->offset;
    return nullptr;
}

void* EntityStore::findPart(EntityId id, const std::type_info& type, unsigned index) const {
    void* found = nullptr;
    if (const Entity entity = find(id))
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            if (found == nullptr && ref.type->as(type) != nullptr && index-- == 0)
                found = ref.component;
        });
    return found;
}

} // namespace sbx
