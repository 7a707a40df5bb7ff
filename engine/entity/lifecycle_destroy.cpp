// Destroying entities: their last messages, and when memory is freed. Between ticks at once, otherwise when no handler runs.

#include "engine/core/log.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sbx {

namespace {
// Flags of an entity that needs more than its block freed, or whose destruction is deferred.
constexpr unsigned NotBare = SlotPlaced | SlotNamed | SlotSpecial | SlotBuilding | SlotPinned;
// How many entities ahead memory is prefetched: first the slot, then the block that the slot points to.
constexpr std::size_t SlotsAhead = 16;
constexpr std::size_t BlocksAhead = 8;
} // namespace

// Frees an entity whose components were destroyed. Their destructors may have created entities, so that slots have moved, and may have
// given this one a name or place.
void EntityLifecycle::finishRemoving(std::uint32_t index) {
    const Slot& slot = m_slots[index];
    if (slot.has(SlotPlaced | SlotNamed | SlotSpecial) || slot.dispatch != &DispatchTable::Nothing)
        forget(index); // may move the slots too
    forgetNameId(index);
    const Slot& last = m_slots[index];
    m_pools[last.pool]->give(last.place);
    m_slots.give(index);
    ++m_structure;
}

// Destroys the components of an entity that has none of its own, and frees it. Optimised for entities without name and place.
[[gnu::always_inline]] inline void EntityLifecycle::endBare(std::uint32_t index, Slot& slot) {
    if (m_queue.size() != 0)
        keepName(slot.id);
    {
        EntityPool& pool = *m_pools[slot.pool];
        const std::uint32_t place = slot.place;
        slot.end(); // its destructors may send; it receives nothing any more
        pool.leave(place);
        pool.ends()->destroy(pool.ends(), slot.block);
    }
    // The index alone is kept across the destructors: looking the rest up again is faster than saving it.
    asm("" : "+r"(index));
    const Slot& after = m_slots[index];
    EntityPool& pool = *m_pools[after.pool];
    if (after.has(SlotPlaced | SlotNamed | SlotSpecial) || after.dispatch != &DispatchTable::Nothing
        || index < m_lane.named || !pool.givesFast(after.place) || !m_slots.givesFast(index)) [[unlikely]] {
        finishRemoving(index);
        return;
    }
    pool.giveKnown(after.place);
    m_slots.giveKnown(index);
    ++m_structure;
}

// Whether it needs no message: no handler and no recorder is interested in its end, and it has no name, place or own components.
[[gnu::always_inline]] inline bool EntityLifecycle::diesSilently(const Slot& slot) const {
    return !slot.has(NotBare | SlotDying) && !m_pools[slot.pool]->interest().anyAtEnd
           && (!m_lane.recording
               || !(m_recorder.wants(messageIdOf<OnDisable>())
                    || m_recorder.wants(messageIdOf<OnDestroy>())));
}

// When no handler runs and no entity is being removed.
[[gnu::always_inline]] inline void EntityLifecycle::destroyNow(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || !diesSilently(*slot)) [[unlikely]] {
        destroySlowly(id);
        return;
    }
    m_activity = Ending;
    endBare(id.index(), *slot);
    m_activity = 0;
    if (m_lane.gate != 0) [[unlikely]]
        settle(); // its destructors destroyed others
}

// While a handler runs or an entity is being removed: it is removed after that.
[[gnu::always_inline]] inline void EntityLifecycle::destroyLater(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || !diesSilently(*slot)) [[unlikely]] {
        destroySlowly(id);
        return;
    }
    EntityPool& pool = *m_pools[slot->pool];
    slot->dieSilently();
    if (pool.interest().phases) [[unlikely]]
        pool.chunkOf(slot->place).updating &= ~EntityPool::bitOf(slot->place);
    m_dying.push_back(id);
    m_lane.gate |= WorkPending;
}

void EntityLifecycle::destroy(EntityId id) {
    if ((m_lane.gate | m_activity) != 0)
        destroyWithin(id);
    else
        destroyNow(id);
}

// Flattened: called for each entity that a handler destroys, where a call to append to a list costs 5 % of the instructions.
[[gnu::flatten]] void EntityLifecycle::destroyWithin(EntityId id) {
    destroyLater(id);
    settle();
}

// Removes all destroyed entities, with slots and blocks prefetched.
void EntityLifecycle::removeDying() {
    // From the last: children come after their parents in the list. None is removed before all have got their messages.
    while (!m_dying.empty() && m_late.empty()) {
        if (!m_retiredParts.empty()) { // before their block may be used for another entity
            for (const EntityPart& part : std::exchange(m_retiredParts, {}))
                endPart(part);
            continue;
        }
        const std::size_t last = m_dying.size() - 1;
        const EntityId id = m_dying[last];
        m_dying.pop_back();
        if (last >= SlotsAhead)
            m_slots.prefetch(m_dying[last - SlotsAhead]);
        if (last >= BlocksAhead)
            if (const Slot* const slot = m_slots.find(m_dying[last - BlocksAhead]))
                EntityPool::prefetch(slot->block);
        Slot* const slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        if (slot->has(SlotSpecial)) [[unlikely]]
            remove(id);
        else
            endBare(id.index(), *slot);
    }
}

void EntityLifecycle::destroyMany(std::span<const EntityId> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i + SlotsAhead < ids.size())
            m_slots.prefetch(ids[i + SlotsAhead]);
        if ((m_lane.gate | m_activity) != 0) { // only marked now; its block is prefetched when it is removed
            destroyLater(ids[i]);
            continue;
        }
        if (i + BlocksAhead < ids.size())
            if (const Slot* const slot = m_slots.find(ids[i + BlocksAhead]))
                EntityPool::prefetch(slot->block);
        destroyNow(ids[i]);
    }
    settle();
}

// Destroys a component, and frees its memory if it has its own.
void EntityLifecycle::endPart(const EntityPart& part) {
    part.type->destroyAt(part.memory);
    if (!part.inBlock)
        ::operator delete(part.memory, std::align_val_t(part.type->alignment));
}

// Destroys the components of a special entity; destructors find no component of it any more.
void EntityLifecycle::destroyOwnParts(std::uint32_t index) {
    const std::vector<EntityPart> parts = std::exchange(m_details.get(index).parts, {});
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        endPart(*part);
    --m_pools[m_slots[index].pool]->specials;
}

void EntityLifecycle::remove(EntityId id) {
    const std::uint32_t index = id.index();
    Slot& slot = m_slots[index];
    if (!slot.has(SlotSpecial)) {
        endBare(index, slot);
        return;
    }
    if (m_queue.size() != 0)
        keepName(id);
    slot.end();
    m_pools[slot.pool]->leave(slot.place);
    destroyOwnParts(index);
    finishRemoving(index);
}

// Entities that its destructors destroy are removed afterwards, not inside.
void EntityLifecycle::removeAtOnce(EntityId id) {
    m_activity = Ending;
    remove(id);
    m_activity = 0;
    settle();
}

// Frees what only some entities have: name, place, dispatch table.
void EntityLifecycle::forget(std::uint32_t index) {
    if (m_slots[index].has(SlotPlaced)) {
        leaveParent(index);
        for (const EntityId child : childrenOf(index)) // they were destroyed before it, and are removed too
            m_places.find(child.index())->parent = {};
        m_places.erase(index);
    }
    if (m_slots[index].has(SlotNamed)) {
        EntityDetails& details = m_details.get(index);
        if (!details.name.empty()) {
            removeName(details.name);
        }
        giveTable(details);
        m_details.erase(index);
    }
    m_pools[m_slots[index].pool]->leave(
        m_slots[index].place); // a destructor may have changed its flags and set these bits again
}

void EntityLifecycle::clear() {
    SBX_EXPECT(!busy() && m_activity == 0, "clear() must not be called from a handler, tick or destructor");
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        SBX_EXPECT(!m_slots.alive(i) || !m_slots[i].has(SlotBuilding | SlotPinned),
                   "clear() must not be called from a constructor");
    // OnDestroy handlers and destructors may create entities: those are destroyed in the next round, from some round on without messages.
    constexpr int Rounds = 4;
    for (int round = 0; m_slots.taken() != 0; ++round) {
        if (round == 2 * Rounds) {
            m_log.write(LogSeverity::Error, "entities",
                        std::to_string(m_slots.taken())
                            + " entities are left as a world is cleared: each that ended made another one. "
                              "They go without "
                              "having ended; no destructor may make an entity each time");
            for (std::uint32_t i = 0; i < m_slots.size(); ++i)
                if (m_slots.alive(i)) {
                    forget(i);
                    forgetNameId(i);
                    m_slots.give(i);
                }
            break;
        }
        // Entities created in this round wait for the next.
        const std::uint32_t size = m_slots.size();
        for (std::uint32_t i = 0; i < size; ++i) {
            if (!m_slots.alive(i))
                continue;
            if (round < Rounds)
                destroy(m_slots.idOf(i));
            else
                removeAtOnce(m_slots.idOf(i));
        }
        flushDestroyed();
    }
    m_queue.clear();
    m_awaitingStart.clear();
    m_movedByParent.clear();
    m_pools.clear();
    m_poolOf.clear();
    m_lastType = nullptr;
    resetNameNumbers();
}

// ---------------------------------------------------------------------------------------------------- with messages

void EntityLifecycle::destroySlowly(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(SlotDying))
        return;
    slot->set(SlotDying);
    if (slot->has(SlotBuilding | SlotPinned))
        return; // deferred until it is built
    const bool quiet = m_lane.gate == 0 && m_activity == 0;
    const EntityPlace* const place = slot->has(SlotPlaced) ? m_places.find(id.index()) : nullptr;
    if (quiet && (place == nullptr || place->children.size() == place->gaps)
        && !interested(*slot, &EntityPool::Interest::disable, messageIdOf<OnDisable>())
        && !interested(*slot, &EntityPool::Interest::destroy, messageIdOf<OnDestroy>())) {
        removeAtOnce(id);
        return;
    }
    const std::size_t from = m_receivers.size();
    listSubtree(id);
    destroyAll(from);
}

// The end of m_receivers, parents before children, of whom the first is dying: all go, children before their parents. None is
// removed before all have got their messages.
void EntityLifecycle::destroyAll(std::size_t from) {
    std::size_t end = from;
    for (std::size_t i = from; i < m_receivers.size(); ++i) {
        const EntityId id = m_receivers[i];
        Slot& slot = m_slots[id.index()];
        if (i != from && slot.has(SlotDying))
            continue;
        slot.set(SlotDying);
        if (slot.has(SlotBuilding | SlotPinned))
            continue; // deferred until they are built
        m_receivers[end++] = id;
        m_dying.push_back(id);
        follow(id.index());
    }
    m_receivers.resize(end);
    m_lane.gate |= WorkPending;
    if (depth() == 0) {
        m_current = 0;
        m_cause = {};
        m_first = m_lane.dispatched();
        m_lane.gate |= SequenceKnown;
    } else {
        note();
    }
    const std::uint32_t outside = depth();
    ++m_lane.gate; // the messages get the same cause as destroy()
    for (std::size_t i = end; i-- > from;)
        live(m_receivers[i]);
    --m_lane.gate;
    if (outside == 0)
        m_lane.gate &= ~(SequenceKnown | Unrecorded);
    m_receivers.resize(from);
    settle();
}

void EntityLifecycle::flushDestroyed() {
    if (m_activity != 0)
        return;
    m_activity = Ending;
    // Handlers and destructors may destroy further entities, and so on.
    while ((m_lane.gate & WorkPending) != 0) {
        m_lane.gate &= ~WorkPending;
        for (const EntityId id : std::exchange(m_late, {})) {
            wake(id);
            live(id);
        }
        removeDying();
        for (const EntityPart& part : std::exchange(m_retiredParts, {}))
            endPart(part);
        if (m_specialTables.crowded())
            m_specialTables.dropIdle();
    }
    m_activity = 0;
}

} // namespace sbx
