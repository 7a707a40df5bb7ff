// The life of entities: who is told what of it, and when.
//
// What a component is told next follows from what it was told last and what its entity is now: live() compares the two and tells
// until nothing is missing. One message after the other: what a handler of one switches, removes or destroys, of its own entity,
// counts at once, and is told once that message has reached all it goes to. So each component hears Awake first, OnEnable and
// OnDisable in turn, Start once, and nothing after OnDestroy, whatever handlers do.

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

namespace {
// What one entity may be told at a time: two handlers that switch it on and off would go on for ever.
constexpr int MaxTold = 10'000;
} // namespace

// ---------------------------------------------------------------------------------------------------- coming

// Awake, OnEnable, and a place on the list of those that wait for Start; costs nothing for what no handler wants to know.
void World::wake(EntityId id) {
    Slot* slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotAwake | SlotDying)) // another's Awake may have destroyed it
        return;
    if (!roomToTell()) {
        postpone(id);
        return;
    }
    slot->set(SlotAwake | SlotNotifying);
    if (!slot->has(SlotSpecial))
        tellIf<Awake>(id, &EntityPool::Interest::awake);
    m_slots[id.index()].clear(SlotNotifying);
    live(id);
}

// Brings what its components were told in line with what it is. Nothing, unless it was told Awake.
void World::live(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotNotifying | SlotBuilding | SlotEnding) || !slot->has(SlotAwake))
        return;
    slot->set(SlotNotifying);
    for (int told = 0; roomToTell(); ++told) {
        if (!tellNext(id)) {
            m_slots[id.index()].clear(SlotNotifying);
            return;
        }
        if (told == MaxTold) {
            m_log.error("entities", nameOf(id) + " was switched on and off " + std::to_string(MaxTold / 2)
                                        + " times in a row by its own handlers: it stays as it is");
            m_slots[id.index()].clear(SlotNotifying);
            return;
        }
    }
    m_slots[id.index()].clear(SlotNotifying);
    postpone(id);
}

// Handlers stand in one another as deep as they may, or one message has set off as many as it may: the world's own are not cut,
// they wait until no handler runs.
bool World::roomToTell() {
    if (depth() == 0)
        return true;
    note();
    constexpr std::uint64_t Reserve = 1000;
    return depth() < MaxDepth && m_lane.sequence() - m_first + Reserve < MaxNested;
}

void World::postpone(EntityId id) {
    m_late.push_back(id);
    m_lane.gate |= WorkPending;
}

// By its type's handlers: it may be switched off already.
template <typename M> bool World::tellIf(EntityId id, bool EntityPool::Interest::*what) {
    Slot& slot = m_slots[id.index()];
    if (!interested(slot, what, messageIdOf<M>()))
        return true;
    M message;
    SendResult result;
    deliverTo(slot, id, m_pools[slot.pool]->dispatch().range(messageIdOf<M>()), &message,
              {messageIdOf<M>(), sizeof(M), {}, Delivery::Immediate, nullptr, 0}, result);
    return true;
}

// What is told to the entity as a whole. False: nothing is missing.
bool World::tellNext(EntityId id) {
    Slot& slot = m_slots[id.index()];
    const bool dying = slot.has(SlotDying);
    const bool on = !dying && !slot.has(SlotSelfOff | SlotAncestorOff);
    if (slot.has(SlotSpecial)) {
        if (on != slot.has(SlotActive)) {
            if (on)
                slot.set(SlotActive);
            else
                slot.clear(SlotActive);
            follow(id.index());
        }
        return tellNextPart(id);
    }
    if (slot.has(SlotActive) && !on) {
        slot.clear(SlotActive);
        tellIf<OnDisable>(id, &EntityPool::Interest::disable);
        follow(id.index());
        return true;
    }
    if (!slot.has(SlotActive) && on) {
        slot.set(SlotActive);
        follow(id.index());
        return tellIf<OnEnable>(id, &EntityPool::Interest::enable);
    }
    if (on && !slot.has(SlotStarted | SlotAwaitsStart))
        awaitStart(id);
    if (dying && !slot.has(SlotEnded)) {
        slot.set(SlotEnded);
        return tellIf<OnDestroy>(id, &EntityPool::Interest::destroy);
    }
    return false;
}

// The same of an entity whose components are told one by one.
bool World::tellNextPart(EntityId id) {
    const std::uint32_t index = id.index();
    std::vector<EntityPart>& parts = m_details.get(index).parts;
    const bool dying = m_slots[index].has(SlotDying);
    const bool on = m_slots[index].has(SlotActive);
    for (EntityPart& part : parts)
        if (!part.awake && !dying && !part.going) {
            part.awake = true;
            tellPart<Awake>(id, part.memory);
            return true;
        }
    for (EntityPart& part : parts)
        if (part.active && !(on && part.enabled && !part.going)) {
            part.active = false;
            tellPart<OnDisable>(id, part.memory);
            return true;
        }
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].going || dying) {
            if (parts[i].awake && !parts[i].ended) {
                parts[i].ended = true;
                tellPart<OnDestroy>(id, parts[i].memory);
                return true;
            }
            if (parts[i].going && !dying) {
                takeOut(index, i);
                return true;
            }
        }
    if (dying) {
        m_slots[index].set(SlotEnded);
        return false;
    }
    bool waits = false;
    for (EntityPart& part : parts) {
        if (!part.active && on && part.enabled) {
            part.active = true;
            tellPart<OnEnable>(id, part.memory);
            return true;
        }
        waits = waits || (part.active && !part.started);
    }
    if (on && !m_slots[index].has(SlotAwaitsStart) && (waits || !m_slots[index].has(SlotStarted)))
        awaitStart(id);
    return false;
}

void World::awaitStart(EntityId id) {
    Slot& slot = m_slots[id.index()];
    if (interested(slot, &EntityPool::Interest::start, messageIdOf<Start>())
        || m_pools[slot.pool]->interest().phases) {
        slot.set(SlotAwaitsStart);
        m_awaitingStart.push_back(id);
    } else {
        slot.set(SlotStarted);
        follow(id.index());
    }
}

// A component that has joined: Awake at once, if its entity was told that before, and the rest in turn.
void World::beginPart(EntityId id, const void* component) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || !slot->has(SlotAwake) || slot->has(SlotDying | SlotBuilding))
        return;
    std::vector<EntityPart>& parts = m_details.get(id.index()).parts;
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const EntityPart& p) { return p.memory == component; });
    if (part != parts.end() && !part->awake && roomToTell()) {
        const bool telling = slot->has(SlotNotifying);
        slot->set(SlotNotifying);
        part->awake = true;
        tellPart<Awake>(id, component);
        if (!telling)
            m_slots[id.index()].clear(SlotNotifying);
    }
    live(id);
}

void World::startWaiting() {
    // Start may spawn: those start next tick.
    m_starting.swap(m_awaitingStart);
    for (const EntityId id : m_starting) {
        Slot* const slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        slot->clear(SlotAwaitsStart);
        if (slot->has(SlotDying) || !slot->has(SlotActive))
            continue; // enabling puts it on the list again
        slot->set(SlotNotifying);
        if (slot->has(SlotSpecial)) {
            startParts(id);
        } else if (!slot->has(SlotStarted)) { // else one of its components waited, and has gone
            slot->set(SlotStarted);
            follow(id.index());
            tellIf<Start>(id, &EntityPool::Interest::start);
        }
        m_slots[id.index()].clear(SlotNotifying);
        live(id);
    }
    m_starting.clear();
}

void World::startParts(EntityId id) {
    const std::uint32_t index = id.index();
    std::vector<const void*> starting;
    for (EntityPart& part : m_details.get(index).parts)
        if (part.enabled && part.active && !part.going && !std::exchange(part.started, true))
            starting.push_back(part.memory);
    m_slots[index].set(SlotStarted);
    follow(index);
    for (const void* component : starting)
        tellPart<Start>(id, component);
}

// Whether it takes part has changed: tells it and those below it, parents first.
void World::refresh(EntityId id) {
    const std::size_t from = m_waiting.size();
    const auto listChildren = [&](EntityId of) {
        if (!alive(of) || !m_slots[of.index()].has(SlotPlaced))
            return;
        const std::vector<EntityId>& children = childrenOf(of.index());
        m_waiting.insert(m_waiting.end(), children.rbegin(), children.rend());
    };
    const auto change = [&](EntityId whom) {
        follow(whom.index());
        live(whom);
        listChildren(whom);
    };
    change(id);
    while (m_waiting.size() > from) {
        const EntityId next = m_waiting.back();
        m_waiting.pop_back();
        Slot* const slot = m_slots.find(next);
        if (slot == nullptr)
            continue;
        // Its parent may be another by now.
        const Slot* const above = m_slots.find(Entity(*this, next).parent());
        const bool off = above != nullptr && above->has(SlotSelfOff | SlotAncestorOff);
        if (slot->has(SlotAncestorOff) == off)
            continue;
        if (off)
            slot->set(SlotAncestorOff);
        else
            slot->clear(SlotAncestorOff);
        if (!slot->has(SlotSelfOff))
            change(next);
    }
}

} // namespace sbx
