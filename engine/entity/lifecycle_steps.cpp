// The lifecycle messages of entities and components: which is due, and sending it.

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

namespace {
// Steps that one entity takes in a row: two handlers that enable and disable it in turn would never end.
constexpr int MaxSteps = 10'000;
} // namespace

// ---------------------------------------------------------------------------------------------------- what is due

void EntityLifecycle::wake(EntityId id) {
    Slot* slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotAwake | SlotDying)) // the Awake handler of another entity may have destroyed it
        return;
    if (!canNotify()) {
        postpone(id);
        return;
    }
    slot->set(SlotNotifying);
    takeStep(id, nullptr, LifeStep::Awake);
    m_slots[id.index()].clear(SlotNotifying);
    live(id);
}

void EntityLifecycle::live(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotNotifying | SlotBuilding | SlotEnding) || !slot->has(SlotAwake))
        return;
    slot->set(SlotNotifying);
    for (int steps = 0; canNotify(); ++steps) {
        if (!takeNextStep(id)) {
            m_slots[id.index()].clear(SlotNotifying);
            return;
        }
        if (steps == MaxSteps) {
            m_log.error("entities", nameOf(id) + " was switched on and off " + std::to_string(MaxSteps / 2)
                                        + " times in a row by its own handlers: it stays as it is");
            m_slots[id.index()].clear(SlotNotifying);
            return;
        }
    }
    m_slots[id.index()].clear(SlotNotifying);
    postpone(id);
}

bool EntityLifecycle::takeNextStep(EntityId id) {
    Slot& slot = m_slots[id.index()];
    const bool ending = slot.has(SlotDying);
    const bool active = !ending && !slot.has(SlotSelfOff | SlotAncestorOff);
    bool started = slot.has(SlotStarted);
    if (!slot.has(SlotSpecial)) {
        const LifeStep step = nextLifeStep(slot.flags, {active, ending, false});
        if (step != LifeStep::None) {
            takeStep(id, nullptr, step);
            return true;
        }
    } else {
        if (active != slot.has(SlotActive)) // no message is sent to the entity as a whole
            slot.flags = flagsAfter(active ? LifeStep::Enable : LifeStep::Disable, slot.flags);
        std::vector<EntityPart>& parts = m_details.get(id.index()).parts;
        EntityPart* next = nullptr;
        LifeStep step = LifeStep::None;
        for (EntityPart& part : parts) {
            const LifeGoal goal{active && part.enabled && !part.removed, ending || part.removed, part.removed && !ending};
            const LifeStep due = nextLifeStep(part.life, goal);
            // Components end one after the other: one leaves before the next gets OnDestroy.
            if (due < step && !(due == LifeStep::Destroy && step == LifeStep::Remove)) {
                next = &part;
                step = due;
            }
            started = started && (part.life & (SlotActive | SlotStarted)) != SlotActive;
        }
        if (next != nullptr) {
            takeStep(id, next, step);
            return true;
        }
        if (ending)
            slot.set(SlotEnded);
    }
    if (active && !started && !slot.has(SlotAwaitsStart))
        awaitStart(id);
    return false;
}

bool EntityLifecycle::canNotify() {
    if (depth() == 0)
        return true;
    note();
    constexpr std::uint64_t Reserve = 1000;
    return depth() < MaxDepth && m_lane.dispatched() - m_first + Reserve < MaxNested;
}

void EntityLifecycle::postpone(EntityId id) {
    m_late.push_back(id);
    m_lane.gate |= WorkPending;
}

// ---------------------------------------------------------------------------------------------------- taking a step

void EntityLifecycle::takeStep(EntityId id, EntityPart* part, LifeStep step) {
    if (step == LifeStep::Remove) {
        takeOut(id.index(), static_cast<std::size_t>(part - m_details.get(id.index()).parts.data()));
        return;
    }
    Slot& slot = m_slots[id.index()];
    std::uint16_t& life = part != nullptr ? part->life : slot.flags;
    life = flagsAfter(step, life);
    if (part != nullptr)
        notify(id, part->memory, step);
    else if (!slot.has(SlotSpecial)) // else its components take the step one by one
        notify(id, nullptr, step);
}

void EntityLifecycle::notify(EntityId id, const void* component, LifeStep step) {
    switch (step) {
    case LifeStep::Awake:
        notifyOf<Awake>(id, component, &EntityPool::Interest::awake);
        break;
    case LifeStep::Disable:
        notifyOf<OnDisable>(id, component, &EntityPool::Interest::disable);
        break;
    case LifeStep::Destroy:
        notifyOf<OnDestroy>(id, component, &EntityPool::Interest::destroy);
        break;
    case LifeStep::Enable:
        notifyOf<OnEnable>(id, component, &EntityPool::Interest::enable);
        break;
    case LifeStep::Start:
        notifyOf<Start>(id, component, &EntityPool::Interest::start);
        break;
    case LifeStep::Remove:
    case LifeStep::None:
        break;
    }
}

// By the handlers of the type, not by the entity's own table, which may be that of a disabled entity already.
template <typename M>
void EntityLifecycle::notifyOf(EntityId id, const void* component, bool EntityPool::Interest::*interest) {
    constexpr auto shipment = [](Delivery delivery) {
        return Shipment{messageIdOf<M>(), sizeof(M), {}, delivery, nullptr, 0};
    };
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr)
        return;
    M message;
    if (component != nullptr) {
        if (const EntityPart* const part = partAt(m_details.get(id.index()).parts, component))
            deliverToPart(id, *part->type, part->memory, &message, shipment(Delivery::Component));
    } else if (interested(*slot, interest, messageIdOf<M>())) {
        SendResult ignored;
        deliverTo(*slot, id, m_pools[slot->pool]->dispatch().range(messageIdOf<M>()), &message,
                  shipment(Delivery::Immediate), ignored);
    }
}

// A component that was added: Awake at once, also while the entity is being notified of something else, and the rest in turn.
void EntityLifecycle::beginPart(EntityId id, const void* component) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || !slot->has(SlotAwake) || slot->has(SlotDying | SlotBuilding))
        return;
    EntityPart* const part = partAt(m_details.get(id.index()).parts, component);
    if (part != nullptr && (part->life & SlotAwake) == 0 && canNotify()) {
        const bool notifying = slot->has(SlotNotifying);
        slot->set(SlotNotifying);
        takeStep(id, part, LifeStep::Awake);
        if (!notifying)
            m_slots[id.index()].clear(SlotNotifying);
    }
    live(id);
}

// ---------------------------------------------------------------------------------------------------- Start

void EntityLifecycle::awaitStart(EntityId id) {
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

void EntityLifecycle::startWaiting() {
    m_starting.swap(m_awaitingStart); // Start handlers may create entities: those start in the next tick
    for (const EntityId id : m_starting) {
        Slot* const slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        slot->clear(SlotAwaitsStart);
        if (slot->has(SlotDying) || !slot->has(SlotActive))
            continue; // enabling puts it on the list again
        slot->set(SlotNotifying);
        start(id);
        m_slots[id.index()].clear(SlotNotifying);
        live(id);
    }
    m_starting.clear();
}

// All flags change before the first message: each handler finds all components started.
void EntityLifecycle::start(EntityId id) {
    const std::uint32_t index = id.index();
    Slot& slot = m_slots[index];
    std::vector<const void*> components;
    const bool special = slot.has(SlotSpecial);
    if (special)
        for (EntityPart& part : m_details.get(index).parts)
            if (part.enabled && !part.removed && (part.life & (SlotActive | SlotStarted)) == SlotActive) {
                part.life = flagsAfter(LifeStep::Start, part.life);
                components.push_back(part.memory);
            }
    if (!special && slot.has(SlotStarted))
        return; // a component of its own was waiting, and was removed
    slot.flags = flagsAfter(LifeStep::Start, slot.flags);
    follow(index);
    if (!special)
        notify(id, nullptr, LifeStep::Start);
    for (const void* component : components)
        notify(id, component, LifeStep::Start);
}

// ---------------------------------------------------------------------------------------------------- hierarchy

void EntityLifecycle::refresh(EntityId id) {
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
