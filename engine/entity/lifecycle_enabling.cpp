// Enabling and disabling entities and components, and which handlers messages reach because of it.

#include "engine/entity/world.h"

#include <algorithm>
#include <utility>

namespace sbx {

namespace {
void put(std::uint64_t& word, std::uint64_t bit, bool on) { word = on ? word | bit : word & ~bit; }

bool isPhase(MessageTypeId type) {
    return type == messageIdOf<PreUpdate>() || type == messageIdOf<FixedUpdate>()
           || type == messageIdOf<Update>() || type == messageIdOf<PostUpdate>();
}
} // namespace

EntityPart* EntityLifecycle::partAt(std::vector<EntityPart>& parts, const void* component) {
    const auto it = std::find_if(parts.begin(), parts.end(), [&](const EntityPart& part) {
        const auto* const at = static_cast<const std::byte*>(component);
        return at >= part.memory && at < part.memory + part.type->size;
    });
    return it == parts.end() ? nullptr : &*it;
}

// Brings the words of its chunk and its handlers in line with its flags.
void EntityLifecycle::follow(std::uint32_t index) {
    Slot& slot = m_slots[index];
    if (slot.has(SlotBuilding | SlotEnding))
        return; // will be, once it is built; or no more
    EntityPool& pool = *m_pools[slot.pool];
    EntityPool::Chunk& chunk = pool.chunkOf(m_slots[index].place);
    const std::uint64_t bit = EntityPool::bitOf(m_slots[index].place);
    const bool on = !slot.has(SlotSelfOff | SlotAncestorOff);
    put(chunk.receiving, bit, on);
    put(chunk.updating, bit, on && slot.has(SlotStarted) && !slot.has(SlotDying));
    put(chunk.special, bit, slot.has(SlotSpecial));
    if (slot.has(SlotSpecial))
        chooseTable(index);
    else
        slot.dispatch = on ? &pool.dispatch() : &pool.asleep();
}

void EntityLifecycle::setEnabled(EntityId id, bool enabled) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotSelfOff) != enabled)
        return;
    if (enabled)
        slot->clear(SlotSelfOff);
    else
        slot->set(SlotSelfOff);
    ++m_structure;
    if (!slot->has(SlotAncestorOff))
        refresh(id);
    settle();
}

// ---------------------------------------------------------------------------------------------------- components

Result<void> EntityLifecycle::setEnabled(EntityId id, std::string_view component, bool enabled) {
    const Entity entity = find(id);
    if (!entity)
        return Error{"no such entity", {}, {}};
    const Entity::ComponentRef ref = entity.component(component);
    if (ref.type == nullptr)
        return Error{entity.name() + " has no component " + std::string(component), {}, {}};
    if (entity.dying())
        return Error{entity.name() + " is about to go: nothing of it is switched any more", {}, {}};
    setPartEnabled(id, ref.component, enabled);
    return {};
}

void EntityLifecycle::setPartEnabled(EntityId id, const void* component, bool enabled) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotDying | SlotReloading) || (enabled && !slot->has(SlotSpecial)))
        return;
    EntityPart* part = partAt(makeSpecial(id.index()), component);
    if (part == nullptr || part->enabled == enabled)
        return;
    ++m_structure;
    part->enabled = enabled;
    follow(id.index());
    live(id);
    if (alive(id) && !m_slots[id.index()].has(SlotNotifying))
        makePlain(id.index());
    settle();
}

std::vector<EntityPart>& EntityLifecycle::makeSpecial(std::uint32_t index) {
    Slot& slot = m_slots[index];
    slot.set(SlotNamed);
    EntityDetails& details = m_details.get(index);
    if (!slot.has(SlotSpecial)) {
        EntityPool& pool = *m_pools[slot.pool];
        details.parts.clear();
        for (const EntityType::Slot& part : pool.type()->layout())
            details.parts.push_back({.type = part.type,
                                     .memory = slot.block + part.offset,
                                     .declared = static_cast<std::uint16_t>(details.parts.size()),
                                     .inBlock = true,
                                     .life = static_cast<std::uint16_t>(slot.flags & LifeFlags),
                                     .serial = static_cast<std::uint16_t>(details.parts.size())});
        ++pool.specials;
        slot.set(SlotSpecial);
        follow(index);
    }
    return details.parts;
}

// Those of the block are numbered as its layout is, others from half of all numbers on.
std::uint16_t EntityLifecycle::nextSerial(EntityDetails& details) {
    constexpr unsigned First = 0x8000U;
    return static_cast<std::uint16_t>(First + details.addedParts++ % (NoPart - First));
}

// Back to the handlers of its type, where nothing differs any more. Not while it is about to get one more component.
void EntityLifecycle::makePlain(std::uint32_t index) {
    Slot& slot = m_slots[index];
    EntityDetails& details = m_details.get(index);
    EntityPool& pool = *m_pools[slot.pool];
    const std::vector<EntityType::Slot>& layout = pool.type()->layout();
    if (!slot.has(SlotSpecial) || slot.has(SlotPinned) || (details.type != nullptr && details.type != pool.type())
        || !std::equal(layout.begin(), layout.end(), details.parts.begin(), details.parts.end(),
                       [&](const EntityType::Slot& s, const EntityPart& part) {
                           return part.inBlock && part.type == s.type && part.memory == slot.block + s.offset
                                  && part.enabled && !part.removed
                                  && ((part.life ^ slot.flags) & (SlotAwake | SlotActive | SlotStarted)) == 0;
                       }))
        return;
    details.parts.clear();
    details.type = nullptr;
    giveTable(details);
    --pool.specials;
    slot.clear(SlotSpecial);
    follow(index);
}

void EntityLifecycle::chooseTable(std::uint32_t index) {
    Slot& slot = m_slots[index];
    EntityDetails& details = m_details.get(index);
    const bool on = !slot.has(SlotSelfOff | SlotAncestorOff);
    m_specialTables.begin();
    for (const EntityPart& part : details.parts) {
        if (part.removed)
            continue;
        // Parts may lie outside the block: their offset spans allocations, which flat address spaces allow.
        const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(part.memory)
                                                        - reinterpret_cast<std::uintptr_t>(slot.block));
        for (const HandlerDescription& h : part.type->handlers) {
            if ((static_cast<unsigned>(h.side) & static_cast<unsigned>(m_desc.side)) == 0
                || (on && part.enabled ? isPhase(h.message) && (part.life & SlotStarted) == 0 : !reachesDisabled(h.message)))
                continue;
            m_specialTables.add(h, offset, part.type->id);
        }
    }
    SpecialTable& table =
        m_specialTables.take([this](DispatchTable& built) { m_recorder.hook(m_lane, built); });
    giveTable(details);
    details.table = &table;
    slot.dispatch = &table.table.data();
}

// A dispatch that is under way may still use it: tables go when no handler runs.
void EntityLifecycle::giveTable(EntityDetails& details) {
    if (details.table == nullptr)
        return;
    m_specialTables.give(*std::exchange(details.table, nullptr));
    if (m_specialTables.crowded())
        m_lane.gate |= WorkPending;
}

// ---- hierarchy

bool EntityLifecycle::setParent(EntityId id, EntityId parent) {
    const Slot* const above = m_slots.find(parent);
    if (!alive(id) || (parent && (above == nullptr || above->has(SlotDying))))
        return false;
    for (EntityId up = parent; up; up = Entity(*this, up).parent())
        if (up == id)
            return false;
    const std::uint32_t index = id.index();
    EntityPlace& place = placeOf(index);
    leaveParent(index);
    place.parent = parent;
    place.local = place.pose;
    bool off = false;
    if (parent) {
        EntityPlace& to = placeOf(parent.index());
        joinChildren(to, place, id);
        place.local = relativeTo(to.pose, place.pose);
        off = m_slots[parent.index()].has(SlotSelfOff | SlotAncestorOff);
    }
    ++m_structure;
    if (off != m_slots[index].has(SlotAncestorOff)) {
        if (off)
            m_slots[index].set(SlotAncestorOff);
        else
            m_slots[index].clear(SlotAncestorOff);
        if (!m_slots[index].has(SlotSelfOff))
            refresh(id);
        settle();
    }
    return true;
}

} // namespace sbx
