// Creating entities: memory, components, then the first messages.

#include "engine/core/log.h"
#include "engine/core/names.h"
#include "engine/entity/thrown_text.h"
#include "engine/entity/world.h"

#include <algorithm>

namespace sbx {

std::unique_ptr<EntityPool> EntityLifecycle::makePool(const std::shared_ptr<const EntityType>& type) {
    for (const EntityType::Slot& slot : type->layout())
        m_recorder.setComponentName(slot.type->id, slot.type->name, slot.type->observer);
    auto pool = std::make_unique<EntityPool>(type, m_desc.side);
    pool->eachTable([this](DispatchTable& table) { m_recorder.hook(m_lane, table); });
    return pool;
}

EntityPool& EntityLifecycle::lookUpPool(const std::shared_ptr<const EntityType>& type) {
    SBX_EXPECT(type != nullptr, "an entity needs a type");
    const auto [it, isNew] = m_poolOf.try_emplace(type.get(), static_cast<std::uint16_t>(m_pools.size()));
    if (isNew) {
        SBX_EXPECT(m_pools.size() < 0xFFFF, "too many entity types in a world");
        m_pools.push_back(makePool(type));
        m_pools.back()->number = it->second;
    }
    m_lastType = type.get();
    m_lastPoolAt = m_pools[it->second].get();
    m_lastPoolAt->expectBare(false); // slots and places may have been taken and freed since
    return *m_lastPoolAt;
}

inline EntityPool& EntityLifecycle::poolOf(const std::shared_ptr<const EntityType>& type) {
    if (type.get() == m_lastType && type != nullptr) [[likely]]
        return *m_lastPoolAt;
    return lookUpPool(type);
}

// The flags of a new entity. If no handler and no recorder is interested in its beginning, all of it counts as done.
inline std::uint16_t EntityLifecycle::flagsOfNew(const EntityPool& pool) const {
    return pool.interest().anyAtStart || m_recorder.enabled() ? 0 : SlotAwake | SlotActive | SlotStarted;
}

// False: one of its constructors threw, and the entity was removed.
[[gnu::always_inline]] inline bool EntityLifecycle::build(EntityPool& pool, EntityId id, std::byte* block) {
    try {
        pool.constructSteps()->construct(pool.constructSteps(), block, self(), id);
    } catch (...) {
        abandon(id, static_cast<std::size_t>(m_failedPart - pool.constructSteps()));
        return false;
    }
    return true;
}

// All components are built: the entity receives messages from now on.
[[gnu::always_inline]] inline void EntityLifecycle::finish(EntityPool& pool, EntityId id, std::uint16_t flags) {
    Slot& slot = m_slots[id.index()];
    const std::uint32_t place = slot.place; // to keep it meanwhile would be a store more
    if (!slot.finish(&pool.dispatch(), Slot::restOf(place, pool.number, flags))) [[unlikely]]
        finishOdd(id.index());
    else
        pool.join(place, id.index());
}

// The same for an entity with a name, place or own components, or one that a constructor has changed.
void EntityLifecycle::finishOdd(std::uint32_t index) {
    Slot& slot = m_slots[index];
    slot.clear(SlotBuilding);
    m_pools[slot.pool]->join(slot.place, index);
    follow(index);
    if (m_slots[index].has(SlotDying)) {
        m_slots[index].clear(SlotDying);
        destroy(m_slots.idOf(index));
    } else {
        live(m_slots.idOf(index)); // a constructor may have disabled it
    }
}

void EntityLifecycle::abandon(EntityId id, std::size_t built) {
    const std::string what = thrownText();
    const EntityType& type = *m_pools[m_slots[id.index()].pool]->type();
    const EntityDetails* const details = m_details.find(id.index());
    const bool named = details != nullptr && !details->name.empty();
    m_log.error("entities", type.name() + ": a component threw while it was made, "
                                + type.layout()[built].type->name + ": " + what + "; "
                                + (named ? details->name : "the entity") + " was not created");
    takeBack(id, built);
}

// Removes an entity of which `built` components were constructed.
void EntityLifecycle::takeBack(EntityId id, std::size_t built) {
    const std::uint32_t index = id.index();
    const Slot slot = m_slots[index];
    const std::vector<EntityType::Slot>& layout = m_pools[slot.pool]->type()->layout();
    const bool special = slot.has(SlotSpecial);
    if (slot.has(SlotPlaced)) // what its constructors made below it
        for (const std::vector<EntityId> children = childrenOf(index); const EntityId child : children)
            destroy(child);
    if (special)
        std::erase_if(m_details.get(index).parts, [](const EntityPart& part) { return part.inBlock; });
    m_slots[index].end();
    if (special)
        destroyOwnParts(index);
    while (built-- > 0)
        layout[built].type->destroyAt(slot.block + layout[built].offset);
    finishRemoving(index);
}

bool EntityLifecycle::pin(std::uint32_t index) {
    const bool pinned = !m_slots[index].has(SlotPinned);
    m_slots[index].set(SlotPinned);
    return pinned;
}

void EntityLifecycle::unpin(EntityId id, bool pinned) {
    Slot& slot = m_slots[id.index()];
    if (!pinned)
        return;
    slot.clear(SlotPinned);
    if (slot.has(SlotDying) && !slot.has(SlotBuilding)) {
        slot.clear(SlotDying);
        destroy(id);
    }
}

namespace {
// The flags of a new entity in whose beginning no handler and no recorder is interested.
constexpr std::uint16_t Begun = SlotAwake | SlotActive | SlotStarted;
// How many entities ahead memory is prefetched: about the time a cache line takes to arrive.
constexpr std::uint32_t Ahead = 16;
} // namespace

// The common case: slots and places are free at the end, and no handler is interested. Only the components' constructors are called.
EntityId EntityLifecycle::create(const std::shared_ptr<const EntityType>& type) {
    if (type.get() != m_lastType || type == nullptr || !m_slots.roomBehind() || !m_lastPoolAt->roomBehind())
        [[unlikely]]
        return createSlowly(type);
    EntityPool& pool = *m_lastPoolAt;
    const EntityId id = m_slots.takeBehind();
    const EntityPool::Place place = pool.takeBehind();
    m_slots.prefetchBehind(Ahead);
    EntityPool::prefetch(place.block + Ahead * pool.stride());
    m_slots[id.index()].begin(id, place.block, Slot::restOf(place.number, pool.number, Begun));
    if (!build(pool, id, place.block)) [[unlikely]]
        return {};
    finish(pool, id, Begun);
    return id;
}

EntityId EntityLifecycle::createSlowly(const std::shared_ptr<const EntityType>& type) {
    EntityPool& pool = poolOf(type);
    const std::uint16_t flags = flagsOfNew(pool);
    const EntityId id = makeBare(pool, flags);
    if (flags == 0) {
        wake(id);
        settle();
    } else if (m_slots.full() && &pool == m_lastPoolAt && type.get() == m_lastType) {
        // create() may take the fast path until slots or places are freed, another type is used, or recording begins.
        constexpr std::uint64_t Unasked =
            4096; // entities created before the budget is checked again, at most
        pool.expectBare(!m_recorder.enabled() && m_lane.limit == nullptr
                        && m_entityGrowth.belowAttention(m_slots.taken() + Unasked));
    }
    return id;
}

// Creates the entity, without messages.
EntityId EntityLifecycle::makeBare(EntityPool& pool, std::uint16_t flags) {
    if (!mayMake({}))
        return {};
    ++m_structure;
    const EntityId id = m_slots.take();
    if (m_lane.recording)
        listUnnamed(id, 1);
    const EntityPool::Place place = pool.take();
    m_slots[id.index()].begin(id, place.block, Slot::restOf(place.number, pool.number, flags));
    if (!build(pool, id, place.block))
        return {};
    finish(pool, id, flags);
    return id;
}

void EntityLifecycle::createMany(const std::shared_ptr<const EntityType>& type, std::span<EntityId> ids) {
    EntityPool& pool = poolOf(type); // constructors may make entities of other types
    const std::uint16_t flags = flagsOfNew(pool);
    m_slots.reserve(static_cast<std::uint32_t>(ids.size()));
    for (std::size_t begin = 0; begin < ids.size();) {
        const std::size_t row = m_slots.full() && m_entityGrowth.belowAttention(m_slots.taken() + ids.size())
                                    ? pool.rowOf(std::min<std::size_t>(Ahead, ids.size() - begin))
                                    : 0;
        if (row == 0) // places between others are filled first, one by one
            ids[begin++] = makeBare(pool, flags);
        else
            makeRow(pool, flags, ids.subspan(begin, row));
        begin += row;
    }
    if (flags == 0) {
        for (const EntityId id : ids)
            wake(id);
        settle();
    }
}

// Slots and places side by side, of entities that are built one after the other, as memory lies; then all join.
void EntityLifecycle::makeRow(EntityPool& pool, std::uint16_t flags, std::span<EntityId> ids) {
    const auto count = static_cast<std::uint32_t>(ids.size());
    const EntityId first = m_slots.takeRow(count);
    if (m_lane.recording)
        listUnnamed(first, count);
    const EntityPool::Place place = pool.takeRow(count);
    const std::uint64_t rest = Slot::restOf(place.number, pool.number, flags);
    const std::size_t stride = pool.stride();
    Slot* slots = &m_slots[first.index()];
    for (std::uint32_t i = 0; i < count; ++i) {
        ids[i] = EntityId(first.index() + i, first.generation());
        slots[i].begin(ids[i], place.block + i * stride, rest + i);
    }
    for (std::uint32_t i = 0; i < count; i += 2) // two to a line
        m_slots.prefetchBehind(Ahead + i);
    bool all = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        EntityPool::prefetch(place.block + (i + Ahead) * stride);
        if (!build(pool, ids[i], place.block + i * stride)) [[unlikely]] {
            ids[i] = {};
            all = false;
        }
    }
    if (!all) {
        for (const EntityId id : ids)
            if (id)
                finish(pool, id, flags);
        return;
    }
    pool.joinRow(place.number, first.index(), count);
    slots = &m_slots[first.index()];
    for (std::uint32_t i = 0; i < count; ++i)
        if (!slots[i].finish(&pool.dispatch(), rest + i)) {
            finishOdd(first.index() + i);
            slots = &m_slots[first.index()];
        }
}

EntityId EntityLifecycle::make(const SpawnRequest& request, EntityId itsParent) {
    if (!mayMake(request.creator))
        return {};
    ++m_structure;
    EntityPool& pool = poolOf(request.type);
    const EntityId id = m_slots.take();
    const std::uint32_t index = id.index();
    if (m_lane.recording)
        listUnnamed(id, 1);
    const EntityPool::Place room = pool.take();
    std::byte* const block = room.block;
    m_slots[index].begin(id, block, Slot::restOf(room.number, pool.number, 0));
    const std::string wish = request.name.empty() ? baseNameOf(request.type->name()) : request.name;
    m_slots[index].set(SlotNamed);
    EntityDetails& details = m_details.get(index);
    details.name = uniqueName(wish);
    details.fromScene = request.fromScene;
    details.creator = request.creator;
    addName(details.name, id);
    const Slot* const parent = m_slots.find(itsParent);
    const bool hasParent = parent != nullptr && !parent->has(SlotDying);
    EntityPlace& place = placeOf(index);
    place.local = request.pose;
    place.pose = request.pose;
    place.tick = m_tick;
    place.teleported = true;
    if (hasParent) {
        if (parent->has(SlotSelfOff | SlotAncestorOff))
            m_slots[index].set(SlotAncestorOff);
        place.parent = itsParent;
        EntityPlace& above = placeOf(itsParent.index());
        place.pose = compose(above.pose, place.local);
        joinChildren(above, place, id);
    }
    if (!request.enabled)
        m_slots[index].set(SlotSelfOff);
    const std::vector<EntityType::Slot>& layout = request.type->layout();
    std::size_t built = 0;
    try {
        for (; built < layout.size(); ++built) {
            const EntityType::Slot& part = layout[built];
            const void* settings = part.settings.get();
            const bool first =
                std::none_of(layout.begin(), layout.begin() + static_cast<std::ptrdiff_t>(built),
                             [&](const EntityType::Slot& s) { return s.type == part.type; });
            for (const ComponentOverride& o : request.overrides)
                if (first && o.component == part.type) {
                    settings = o.settings.get();
                    for (const std::string& key : o.keys)
                        details.overrides.push_back({part.type->name, key, {}});
                }
            part.type->constructAt(block + part.offset, self(), id, settings);
        }
    } catch (...) {
        abandon(id, built);
        return {};
    }
    finishOdd(index);
    return id;
}

EntityId EntityLifecycle::spawn(const SpawnRequest& request) {
    const EntityId id = make(request, request.parent);
    wake(id);
    settle();
    return id;
}

std::vector<EntityId> EntityLifecycle::spawnAll(const std::vector<SpawnRequest>& requests) {
    std::vector<EntityId> ids;
    ids.reserve(requests.size());
    reserveNames(requests.size());
    for (const SpawnRequest& request : requests) {
        SBX_EXPECT(request.parentAmong == SpawnRequest::Outside || request.parentAmong < ids.size(),
                   "a parent must come before its children");
        if (request.parentAmong != SpawnRequest::Outside && !alive(ids[request.parentAmong])) {
            m_log.error("entities", (request.name.empty() ? request.type->name() : request.name)
                                        + ": it is not made, since its parent is not");
            ids.emplace_back();
            continue;
        }
        ids.push_back(make(request, request.parentAmong == SpawnRequest::Outside ? request.parent
                                                                                 : ids[request.parentAmong]));
    }
    for (const EntityId id : ids)
        wake(id);
    settle();
    return ids;
}

} // namespace sbx
