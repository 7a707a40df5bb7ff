// Entities come and go; the tick; the digest.

#include "engine/entity/world.h"

#include "engine/core/log.h"
#include "engine/core/names.h"

#include <algorithm>

namespace sbx {

World::World(WorldDesc desc, Recorder& recorder, Log& log)
    : m_desc(std::move(desc)),
      m_dt(static_cast<float>(1.0 / m_desc.tickRate)),
      m_recorder(recorder),
      m_log(log),
      m_slots(m_desc.slotMemory),
      m_random(m_desc.seed) {
    m_lane.world = recorder.addWorld(m_desc.name);
    m_lane.owner = this;
    m_lane.aside = &World::sendRecorded;
    m_lane.changed = [](void* world) { static_cast<World*>(world)->tapTables(); };
    m_recorder.addLane(m_lane);
}

World::~World() {
    clear();
    m_recorder.removeLane(m_lane);
}

std::shared_ptr<const EntityType> World::findType(std::string_view name) const {
    const auto it =
        std::find_if(m_types.begin(), m_types.end(), [&](const auto& t) { return t->name() == name; });
    return it == m_types.end() ? nullptr : *it;
}

void World::forEach(const std::function<void(const Entity&)>& visit) const {
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots.alive(i))
            visit(Entity(*this, m_slots.idOf(i)));
}

// ---------------------------------------------------------------------------------------------------- coming

std::unique_ptr<EntityPool> World::makePool(const std::shared_ptr<const EntityType>& type) {
    for (const EntityType::Slot& slot : type->layout())
        m_recorder.setComponentName(slot.type->id, slot.type->name);
    auto pool = std::make_unique<EntityPool>(type, m_desc.side);
    pool->eachTable([this](DispatchTable& table) { m_recorder.tap(m_lane, table); });
    return pool;
}

EntityPool& World::lookPoolUp(const std::shared_ptr<const EntityType>& type) {
    SBX_EXPECT(type != nullptr, "an entity needs a type");
    const auto [it, isNew] = m_poolOf.try_emplace(type.get(), static_cast<std::uint16_t>(m_pools.size()));
    if (isNew) {
        SBX_EXPECT(m_pools.size() < 0xFFFF, "too many entity types in a world");
        m_pools.push_back(makePool(type));
        m_pools.back()->number = it->second;
    }
    m_lastType = type.get();
    m_lastPoolAt = m_pools[it->second].get();
    m_lastPoolAt->expectBare(false); // slots and places may have come and gone since
    return *m_lastPoolAt;
}

inline EntityPool& World::poolOf(const std::shared_ptr<const EntityType>& type) {
    if (type.get() == m_lastType && type != nullptr) [[likely]]
        return *m_lastPoolAt;
    return lookPoolUp(type);
}

// Such an entity has begun already: nobody wants to know of it.
inline std::uint16_t World::flagsOfNew(const EntityPool& pool) const {
    return pool.interest().inBeginning || m_recorder.enabled() ? 0 : SlotAwake | SlotActive | SlotStarted;
}

// False: one of its constructors threw, and it is gone.
[[gnu::always_inline]] inline bool World::build(EntityPool& pool, EntityId id, std::byte* block) {
    try {
        pool.beginnings()->construct(pool.beginnings(), block, *this, id);
    } catch (...) {
        abandon(id, static_cast<std::size_t>(m_failedPart - pool.beginnings()));
        return false;
    }
    return true;
}

// It is built, and takes part in everything from now on.
[[gnu::always_inline]] inline void World::finish(EntityPool& pool, EntityId id, std::uint16_t flags) {
    Slot& slot = m_slots[id.index()];
    const std::uint32_t place = slot.place; // to keep it meanwhile would be a store more
    if (!slot.finish(&pool.dispatch(), Slot::restOf(place, pool.number, flags))) [[unlikely]]
        finishOdd(id.index());
    else
        pool.join(place, id.index());
}

// Of one that is more than bare, or that a constructor has changed.
void World::finishOdd(std::uint32_t index) {
    Slot& slot = m_slots[index];
    slot.clear(SlotBuilding);
    m_pools[slot.pool]->join(slot.place, index);
    follow(index);
    if (m_slots[index].has(SlotDying)) {
        m_slots[index].clear(SlotDying);
        destroy(m_slots.idOf(index));
    } else {
        live(m_slots.idOf(index)); // it may be bare, and switched off
    }
}

std::string World::thrownText() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "no std::exception";
    }
}

void World::abandon(EntityId id, std::size_t built) {
    const std::string what = thrownText();
    const EntityType& type = *m_pools[m_slots[id.index()].pool]->type();
    m_log.error("entities", type.name() + ": a component threw while it was made, "
                                + type.layout()[built].type->name + ": " + what + "; there is one "
                                + type.name() + " less");
    takeBack(id, built);
}

// Of one whose components are not all there.
void World::takeBack(EntityId id, std::size_t built) {
    const std::uint32_t index = id.index();
    const Slot slot = m_slots[index];
    const std::vector<EntityType::Slot>& layout = m_pools[slot.pool]->type()->layout();
    const bool special = slot.has(SlotSpecial);
    if (slot.has(SlotPlaced)) // what its constructors made below it
        for (const EntityId child : std::vector<EntityId>(m_places.find(index)->children))
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

bool World::pin(std::uint32_t index) {
    const bool pinned = !m_slots[index].has(SlotPinned);
    m_slots[index].set(SlotPinned);
    return pinned;
}

void World::unpin(EntityId id, bool pinned) {
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
// What an entity is from the first on that nobody wants to know of: it has begun already.
constexpr std::uint16_t Begun = SlotAwake | SlotActive | SlotStarted;
// For what is made that many entities later memory is asked: about as long as it takes to come.
constexpr std::uint32_t Ahead = 16;
} // namespace

// Nearly always there is room behind what there is, and nobody wants to know: nothing but the components' constructors is called.
EntityId World::create(const std::shared_ptr<const EntityType>& type) {
    if (type.get() != m_lastType || type == nullptr || !m_slots.roomBehind() || !m_lastPoolAt->roomBehind())
        [[unlikely]]
        return createSlowly(type);
    EntityPool& pool = *m_lastPoolAt;
    const EntityId id = m_slots.takeBehind();
    const EntityPool::Place place = pool.takeBehind();
    m_slots.askBehind(Ahead);
    EntityPool::ask(place.block + Ahead * pool.stride());
    m_slots[id.index()].begin(id, place.block, Slot::restOf(place.number, pool.number, Begun));
    if (!build(pool, id, place.block)) [[unlikely]]
        return {};
    finish(pool, id, Begun);
    return id;
}

EntityId World::createSlowly(const std::shared_ptr<const EntityType>& type) {
    EntityPool& pool = poolOf(type);
    const std::uint16_t flags = flagsOfNew(pool);
    const EntityId id = makeBare(pool, flags);
    if (flags == 0) {
        wake(id);
        settle();
    } else if (m_slots.full() && &pool == m_lastPoolAt && type.get() == m_lastType) {
        // What create() need not ask again, until slots or places are free, it is another type's turn, or somebody records.
        pool.expectBare(!m_recorder.enabled() && m_lane.limit == nullptr);
    }
    return id;
}

// Before anybody hears of it.
EntityId World::makeBare(EntityPool& pool, std::uint16_t flags) {
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

void World::createMany(const std::shared_ptr<const EntityType>& type, std::span<EntityId> ids) {
    EntityPool& pool = poolOf(type); // constructors may make entities of other types
    const std::uint16_t flags = flagsOfNew(pool);
    m_slots.reserve(static_cast<std::uint32_t>(ids.size()));
    for (std::size_t begin = 0; begin < ids.size();) {
        const std::size_t row =
            m_slots.full() ? pool.rowOf(std::min<std::size_t>(Ahead, ids.size() - begin)) : 0;
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
void World::makeRow(EntityPool& pool, std::uint16_t flags, std::span<EntityId> ids) {
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
        m_slots.askBehind(Ahead + i);
    bool all = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        EntityPool::ask(place.block + (i + Ahead) * stride);
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

EntityId World::make(const SpawnRequest& request, EntityId itsParent) {
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
    m_byName.emplace(details.name, id);
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
        above.children.push_back(id);
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
            part.type->constructAt(block + part.offset, *this, id, settings);
        }
    } catch (...) {
        abandon(id, built);
        return {};
    }
    finishOdd(index);
    return id;
}

EntityId World::spawn(const SpawnRequest& request) {
    const EntityId id = make(request, request.parent);
    wake(id);
    settle();
    return id;
}

std::vector<EntityId> World::spawnAll(const std::vector<SpawnRequest>& requests) {
    std::vector<EntityId> ids;
    ids.reserve(requests.size());
    for (const SpawnRequest& request : requests) {
        SBX_EXPECT(request.parentAmong == SpawnRequest::Outside || request.parentAmong < ids.size(),
                   "parents come before their children");
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

// ---------------------------------------------------------------------------------------------------- going

namespace {
// What an entity has that is more than bare, or that its end must wait for.
constexpr unsigned NotBare = SlotPlaced | SlotNamed | SlotSpecial | SlotBuilding | SlotPinned;
// For what goes that many entities later memory is asked, where it is known: first its slot, then what that leads to.
constexpr std::size_t SlotsAhead = 12;
constexpr std::size_t BlocksAhead = 6;
} // namespace

// What is left of an entity whose components have ended. They may have made entities, so that slots lie elsewhere, and of this one
// more than it was.
void World::finishRemoving(std::uint32_t index) {
    const Slot& slot = m_slots[index];
    if (slot.has(SlotPlaced | SlotNamed | SlotSpecial) || slot.dispatch != &DispatchTable::Nothing)
        forget(index); // may move the slots too
    if (index < m_lane.named)
        m_nameIds[index] = 0;
    const Slot& last = m_slots[index];
    m_pools[last.pool]->give(last.place);
    m_slots.give(index);
    ++m_structure;
}

// A bare entity goes, and its place is free.
[[gnu::always_inline]] inline void World::endBare(std::uint32_t index, Slot& slot) {
    if (m_queue.size() != 0)
        keepName(slot.id);
    {
        EntityPool& pool = *m_pools[slot.pool];
        const std::uint32_t place = slot.place;
        slot.end(); // its destructors may send; it hears nothing any more
        pool.leave(place);
        pool.ends()->destroy(pool.ends(), slot.block);
    }
    // Nothing but this is kept meanwhile: to keep and find more again takes longer than to look it up.
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

// It goes once no handler runs.
void World::endBareLater(EntityId id, Slot& slot) {
    slot.clear(SlotActive);
    slot.set(SlotDying | SlotEnded);
    EntityPool& pool = *m_pools[slot.pool];
    if (pool.interest().phases)
        pool.chunkOf(slot.place).updating &= ~EntityPool::bitOf(slot.place);
    m_dying.push_back(id);
    m_lane.gate |= Unsettled;
    settle();
}

// The way of a bare entity of whose end nobody wants to know. False: nothing was done.
[[gnu::always_inline]] inline bool World::destroyBare(EntityId id) {
    Slot* const slot = m_slots.find(id);
    if (slot == nullptr || slot->has(NotBare | SlotDying) || m_pools[slot->pool]->interest().inEnd
        || (m_lane.recording
            && (m_recorder.wants(messageIdOf<OnDisable>()) || m_recorder.wants(messageIdOf<OnDestroy>()))))
        return false;
    if ((m_lane.gate | m_doing) != 0) {
        endBareLater(id, *slot);
        return true;
    }
    m_doing = Ending;
    endBare(id.index(), *slot);
    m_doing = 0;
    if (m_lane.gate != 0) [[unlikely]]
        settle(); // its destructors destroyed others
    return true;
}

void World::destroy(EntityId id) {
    if (!destroyBare(id)) [[unlikely]]
        destroySlowly(id);
}

// Whoever is dying goes. Slots come first, then what they lead to.
void World::removeDying() {
    // Children stand behind their parents in the list: the last goes first. Nobody goes before all have heard of it.
    while (!m_dying.empty() && m_late.empty()) {
        const std::size_t last = m_dying.size() - 1;
        const EntityId id = m_dying[last];
        m_dying.pop_back();
        if (last >= SlotsAhead)
            m_slots.ask(m_dying[last - SlotsAhead]);
        if (last >= BlocksAhead)
            if (const Slot* const slot = m_slots.find(m_dying[last - BlocksAhead]))
                EntityPool::ask(slot->block);
        Slot* const slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        if (slot->has(NotBare)) [[unlikely]]
            remove(id);
        else
            endBare(id.index(), *slot);
    }
}

void World::destroyMany(std::span<const EntityId> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i + SlotsAhead < ids.size())
            m_slots.ask(ids[i + SlotsAhead]);
        if (i + BlocksAhead < ids.size())
            if (const Slot* const slot = m_slots.find(ids[i + BlocksAhead]))
                EntityPool::ask(slot->block);
        if (!destroyBare(ids[i])) [[unlikely]]
            destroySlowly(ids[i]);
    }
}

// Its memory goes with it.
void World::endPart(const EntityPart& part) {
    part.type->destroyAt(part.memory);
    if (!part.inBlock)
        ::operator delete(part.memory, std::align_val_t(part.type->alignment));
}

// Of a special entity, whose destructors find no component of it any more.
void World::destroyOwnParts(std::uint32_t index) {
    const std::vector<EntityPart> parts = std::exchange(m_details.get(index).parts, {});
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        endPart(*part);
    --m_pools[m_slots[index].pool]->specials;
}

void World::remove(EntityId id) {
    const std::uint32_t index = id.index();
    if (m_queue.size() != 0)
        keepName(id);
    Slot& slot = m_slots[index];
    EntityPool& pool = *m_pools[slot.pool];
    slot.end();
    pool.leave(slot.place);
    const bool special = slot.has(SlotSpecial);
    if (special)
        destroyOwnParts(index);
    else
        pool.ends()->destroy(pool.ends(), slot.block);
    finishRemoving(index);
}

// What its destructors destroy follows it, and does not stand within it.
void World::removeAtOnce(EntityId id) {
    m_doing = Ending;
    remove(id);
    m_doing = 0;
    settle();
}

// What only some entities have.
void World::forget(std::uint32_t index) {
    if (m_slots[index].has(SlotPlaced)) {
        leaveParent(index);
        for (const EntityId child :
             m_places.find(index)->children) // that were destroyed before it: they go too
            m_places.find(child.index())->parent = {};
        m_places.erase(index);
    }
    if (m_slots[index].has(SlotNamed)) {
        EntityDetails& details = m_details.get(index);
        if (!details.name.empty()) {
            m_byName.erase(details.name);
            forgetName(details.name);
        }
        if (details.dispatch)
            m_retiredTables.push_back(std::move(details.dispatch));
        m_details.erase(index);
    }
    m_pools[m_slots[index].pool]->leave(
        m_slots[index].place); // they may have had it follow what they changed
}

void World::clear() {
    SBX_EXPECT(!busy() && m_doing == 0, "a world is not cleared by those who live in it");
    // What goes may make others, as it hears of it or as its components end: they go too, and from some round on without a word.
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
                    if (i < m_lane.named)
                        m_nameIds[i] = 0;
                    m_slots.give(i);
                }
            break;
        }
        // Those made in this round wait for the next.
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
    m_carried.clear();
    m_pools.clear();
    m_poolOf.clear();
    m_lastType = nullptr;
    m_nextSuffix.clear();
}

// ---------------------------------------------------------------------------------------------------- the tick

void World::tick() {
    SBX_EXPECT((m_doing & Ticking) == 0, "a tick inside a tick");
    m_doing |= Ticking;
    ++m_tick;
    m_lane.limit = nullptr;
    deliverDelayed();
    startWaiting();
    const auto phaseOf = [this]<typename M>(M message) {
        message.dt = m_dt;
        phase(messageIdOf<M>(), &message, sizeof(M));
    };
    phaseOf(PreUpdate());
    phaseOf(FixedUpdate());
    for (System* system : m_systems)
        system->step(*this, m_dt);
    phaseOf(Update());
    phaseOf(PostUpdate());
    m_doing &= static_cast<std::uint8_t>(~Ticking);
    settle();
}

std::uint64_t World::digest() const {
    Hash64 hash;
    hash.add(m_tick);
    hash.add(m_random.state());
    forEach([&](const Entity& entity) {
        hash.add(entity.id().bits);
        hash.add(std::string_view(entity.type().name()));
        const Pose& pose = entity.pose();
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(pose.position[k], hash);
        for (int k = 0; k < 4; ++k)
            detail::hashFloat(pose.rotation[k], hash);
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(pose.scale[k], hash);
        entity.eachComponent([&](const Entity::ComponentRef& ref) {
            if (ref.type->stateOf != nullptr)
                ref.type->state->hash(ref.type->stateOf(ref.component), hash);
        });
    });
    m_queue.hash(hash);
    return hash.value();
}

} // namespace sbx
