#include "engine/entity/world.h"

#include "engine/core/log.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sbx {

namespace {
// A handler that answers a message with the same message to its sender would otherwise take the stack down.
constexpr int MaxDepth = 128;
// And one that answers twice would take forever: 2^128.
constexpr int MaxNested = 1'000'000;

EntityId idOf(std::size_t index, std::uint32_t generation) {
    return {static_cast<std::uint32_t>(index), generation};
}
} // namespace

std::vector<Entity::ComponentRef> Entity::components() const {
    std::vector<ComponentRef> out;
    for (const EntityType::Slot& slot : type->layout())
        out.push_back({slot.type, block + slot.offset});
    for (const Extension& extension : extensions)
        out.push_back({extension.type, extension.memory});
    return out;
}

Entity::ComponentRef Entity::component(std::string_view wanted) const {
    std::size_t number = 1;
    if (const std::size_t mark = wanted.find('#'); mark != std::string_view::npos) {
        const std::string_view digits = wanted.substr(mark + 1);
        if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
            return {};
        wanted = wanted.substr(0, mark);
    }
    for (const ComponentRef& ref : components())
        if (ref.type->name == wanted && --number == 0)
            return ref;
    return {};
}

World::World(WorldDesc desc, Recorder& recorder, Log& log)
    : m_desc(std::move(desc)),
      m_dt(static_cast<float>(1.0 / m_desc.tickRate)),
      m_recorder(recorder),
      m_log(log),
      m_worldIndex(recorder.addWorld(m_desc.name)),
      m_random(m_desc.seed) {}

World::~World() { clear(); }

void World::setTypes(std::vector<std::shared_ptr<const EntityType>> types) { m_types = std::move(types); }

std::shared_ptr<const EntityType> World::findType(std::string_view name) const {
    const auto it =
        std::find_if(m_types.begin(), m_types.end(), [&](const auto& t) { return t->name() == name; });
    return it == m_types.end() ? nullptr : *it;
}

// ---------------------------------------------------------------------------------------------------- entities

std::string World::uniqueName(const std::string& wish) {
    if (!m_byName.contains(wish))
        return wish;
    // "crate_3" asks for the next crate, not for "crate_3_2".
    std::string base = wish;
    const std::size_t bar = wish.rfind('_');
    if (bar != std::string::npos && bar > 0 && bar + 1 < wish.size()
        && std::all_of(wish.begin() + static_cast<std::ptrdiff_t>(bar) + 1, wish.end(),
                       [](char c) { return c >= '0' && c <= '9'; }))
        base = wish.substr(0, bar);
    std::uint64_t& next = m_nextSuffix.try_emplace(base, 2).first->second;
    for (;; ++next) {
        std::string name = base + "_" + std::to_string(next);
        if (!m_byName.contains(name))
            return name;
    }
}

World::Bucket& World::bucketOf(const std::shared_ptr<const EntityType>& type) {
    const auto it =
        std::find_if(m_buckets.begin(), m_buckets.end(), [&](const Bucket& b) { return b.type == type; });
    if (it != m_buckets.end())
        return *it;
    return m_buckets.emplace_back(Bucket{type, {}, 0});
}

void World::leaveBucket(Entity& entity) {
    Bucket& bucket = bucketOf(entity.type);
    const auto it = std::find(bucket.entities.begin(), bucket.entities.end(), &entity);
    SBX_EXPECT(it != bucket.entities.end(), "entity is not in its bucket");
    bucket.entities.erase(it);
    if (!entity.extensions.empty())
        --bucket.extended;
}

Entity& World::create(const SpawnRequest& request) {
    SBX_EXPECT(request.type != nullptr, "spawn needs a type");
    std::uint32_t index = 0;
    if (!m_free.empty()) {
        index = m_free.back();
        m_free.pop_back();
    } else {
        index = static_cast<std::uint32_t>(m_slots.size());
        m_slots.emplace_back();
    }
    Slot& slot = m_slots[index];
    ++slot.generation;
    slot.entity = std::make_unique<Entity>();
    Entity& entity = *slot.entity;
    entity.id = EntityId(index, slot.generation);
    std::string wish = request.name;
    if (wish.empty()) {
        wish = request.type->name();
        if (!wish.empty() && wish[0] >= 'A' && wish[0] <= 'Z')
            wish[0] = static_cast<char>(wish[0] - 'A' + 'a');
    }
    entity.name = uniqueName(wish);
    entity.nameId = m_recorder.names().intern(entity.name);
    entity.type = request.type;
    entity.fromScene = request.fromScene;
    const Entity* const parent = find(request.parent);
    entity.parent = parent != nullptr && !parent->dying ? request.parent : EntityId{};
    entity.local = request.pose;
    entity.pose = entity.parent ? compose(get(entity.parent)->pose, entity.local) : entity.local;
    entity.poseTick = m_tick;
    entity.teleported = true;
    m_byName.emplace(entity.name, entity.id);
    if (entity.parent)
        get(entity.parent)->children.push_back(entity.id);
    ++m_alive;
    ++m_structureVersion;
    std::vector<std::shared_ptr<const void>> settings;
    std::vector<const ComponentType*> met;
    for (const EntityType::Slot& part : request.type->layout()) {
        settings.push_back(part.settings);
        const bool first = std::find(met.begin(), met.end(), part.type) == met.end();
        met.push_back(part.type);
        for (const ComponentOverride& o : request.overrides)
            if (first && o.component == part.type) {
                settings.back() = o.settings;
                for (const std::string& key : o.keys)
                    entity.overriddenKeys.emplace_back(part.type->name, key);
            }
    }
    construct(entity, settings);
    bucketOf(entity.type).entities.push_back(&entity);
    return entity;
}

void World::construct(Entity& entity, const std::vector<std::shared_ptr<const void>>& settings) {
    const EntityType& type = *entity.type;
    entity.block = static_cast<std::byte*>(
        ::operator new(std::max<std::size_t>(type.blockSize(), 1), std::align_val_t(type.blockAlignment())));
    entity.dispatch = &type.dispatch(m_desc.side);
    for (std::size_t i = 0; i < type.layout().size(); ++i) {
        const EntityType::Slot& slot = type.layout()[i];
        m_recorder.setComponentName(slot.type->id, slot.type->name);
        slot.type->construct(entity.block + slot.offset, {*this, entity.id}, settings[i].get());
    }
}

void World::destroyComponents(Entity& entity) {
    for (System* system : m_systems)
        system->entityGone(entity.id);
    for (auto it = entity.extensions.rbegin(); it != entity.extensions.rend(); ++it) {
        it->type->destroy(it->memory);
        ::operator delete(it->memory, std::align_val_t(it->type->alignment));
    }
    const auto& layout = entity.type->layout();
    for (auto it = layout.rbegin(); it != layout.rend(); ++it)
        it->type->destroy(entity.block + it->offset);
    ::operator delete(entity.block, std::align_val_t(entity.type->blockAlignment()));
    entity.block = nullptr;
    entity.extensions.clear();
}

void World::wake(EntityId id) {
    Awake message;
    send(id, message);
    m_awaitingStart.push_back(id);
}

EntityId World::spawn(const SpawnRequest& request) {
    const EntityId id = create(request).id;
    wake(id);
    return id;
}

std::vector<EntityId> World::spawnAll(const std::vector<SpawnRequest>& requests) {
    std::vector<EntityId> ids;
    for (const SpawnRequest& request : requests)
        ids.push_back(create(request).id);
    for (const EntityId id : ids)
        wake(id);
    return ids;
}

void World::destroy(EntityId id) {
    Entity* entity = get(id);
    if (entity == nullptr || entity->dying)
        return;
    entity->dying = true;
    m_dying.push_back(id);
    // Nothing goes before all have heard of it.
    if (m_depth == 0) {
        m_budget = MaxNested;
        m_cutTold = false;
    }
    ++m_depth;
    const std::vector<EntityId> children = entity->children;
    for (const EntityId child : children)
        destroy(child);
    Destroyed message;
    send(id, message);
    --m_depth;
    if (!m_ticking && m_depth == 0)
        flushDestroyed();
}

void World::flushDestroyed() {
    while (!m_dying.empty()) {
        const std::vector<EntityId> dying = std::exchange(m_dying, {});
        // Children stand behind their parents in the list: the last goes first.
        for (auto it = dying.rbegin(); it != dying.rend(); ++it)
            if (Entity* entity = get(*it))
                remove(*entity);
    }
    m_retired.clear();
}

void World::remove(Entity& entity) {
    const EntityId id = entity.id;
    leaveBucket(entity);
    destroyComponents(entity);
    if (Entity* parent = get(entity.parent))
        std::erase(parent->children, id);
    m_byName.erase(entity.name);
    // The number behind the name is free again: spawners that run for hours do not run out of names.
    if (const std::size_t bar = entity.name.rfind('_'); bar != std::string::npos && bar + 1 < entity.name.size()) {
        std::uint64_t number = 0;
        const char* const end = entity.name.data() + entity.name.size();
        const auto parsed = std::from_chars(entity.name.data() + bar + 1, end, number);
        const auto next = m_nextSuffix.find(entity.name.substr(0, bar));
        if (parsed.ec == std::errc() && parsed.ptr == end && number >= 2 && next != m_nextSuffix.end())
            next->second = std::min(next->second, number);
    }
    m_slots[id.index()].entity.reset();
    m_free.push_back(id.index());
    --m_alive;
    ++m_structureVersion;
}

void World::clear() {
    for (const Slot& slot : m_slots)
        if (slot.entity)
            destroy(slot.entity->id);
    flushDestroyed();
    m_queue.clear();
    m_awaitingStart.clear();
    m_carried.clear();
    m_buckets.clear();
    m_nextSuffix.clear();
}

Entity* World::get(EntityId id) {
    if (!id || id.index() >= m_slots.size())
        return nullptr;
    Slot& slot = m_slots[id.index()];
    return slot.generation == id.generation() ? slot.entity.get() : nullptr;
}

const Entity* World::find(EntityId id) const {
    if (!id || id.index() >= m_slots.size())
        return nullptr;
    const Slot& slot = m_slots[id.index()];
    return slot.generation == id.generation() ? slot.entity.get() : nullptr;
}

const Entity* World::find(std::string_view name) const {
    const auto it = m_byName.find(std::string(name));
    return it == m_byName.end() ? nullptr : find(it->second);
}

std::string World::nameOf(EntityId id) const {
    const Entity* entity = find(id);
    return entity == nullptr ? std::string() : entity->name;
}

void World::forEach(const std::function<void(const Entity&)>& visit) const {
    for (const Slot& slot : m_slots)
        if (slot.entity)
            visit(*slot.entity);
}

// ---------------------------------------------------------------------------------------------------- poses

Pose World::poseOf(EntityId id) {
    const Entity* entity = find(id);
    if (entity == nullptr)
        return {};
    Pose pose = entity->pose;
    GetPose question{pose.position, pose.rotation};
    send(id, question);
    pose.position = question.position;
    pose.rotation = question.rotation;
    return pose;
}

void World::setPose(EntityId id, const Pose& world, bool teleport) {
    Entity* entity = get(id);
    if (entity == nullptr)
        return;
    entity->pose = world;
    const Entity* const parent = find(entity->parent);
    entity->local = parent != nullptr ? relativeTo(parent->pose, world) : world;
    entity->teleported = teleport || (entity->teleported && entity->poseTick == m_tick);
    entity->poseTick = m_tick;
    if (!entity->children.empty())
        carryChildren(*entity);
}

void World::carryChildren(Entity& entity) {
    for (const EntityId childId : entity.children) {
        Entity& child = *get(childId);
        child.pose = compose(entity.pose, child.local);
        child.teleported = entity.teleported;
        child.poseTick = m_tick;
        m_carried.push_back(childId);
        carryChildren(child);
    }
}

bool World::setParent(EntityId id, EntityId parent) {
    Entity* entity = get(id);
    if (entity == nullptr || (parent && (!alive(parent) || get(parent)->dying)))
        return false;
    for (EntityId up = parent; up; up = get(up)->parent)
        if (up == id)
            return false;
    if (Entity* old = get(entity->parent))
        std::erase(old->children, id);
    entity->parent = parent;
    if (parent)
        get(parent)->children.push_back(id);
    entity->local = parent ? relativeTo(get(parent)->pose, entity->pose) : entity->pose;
    ++m_structureVersion;
    return true;
}

// ---------------------------------------------------------------------------------------------------- messages

bool World::deliver(Entity& entity, MessageTypeId type, void* message, std::size_t size, EntityId sender,
                    Delivery delivery, const DelayedMessage* delayed, SendResult& result) {
    const std::uint64_t sequence = ++m_sequence;
    const std::span<const HandlerEntry> handlers = entity.dispatch->handlers(type);
    const bool record = m_recorder.wants(type);
    if (handlers.empty() && !record)
        return false;
    if (m_depth == 0) {
        m_budget = MaxNested;
        m_cutTold = false;
    }
    if (m_depth >= MaxDepth || --m_budget < 0) {
        if (!std::exchange(m_cutTold, true))
            m_log.error("message", "message " + messageType(type).name + " to " + entity.name + " dropped: "
                                       + (m_depth >= MaxDepth ? std::to_string(MaxDepth) + " messages are being handled inside one another"
                                                              : "one message set off " + std::to_string(MaxNested) + " others")
                                       + "; a handler that answers itself?");
        return false;
    }
    Envelope envelope;
    envelope.sequence = sequence;
    envelope.cause = delayed != nullptr ? delayed->envelope.cause : m_current;
    envelope.tick = m_tick;
    envelope.sender = sender;
    envelope.receiver = entity.id;
    envelope.type = type;
    envelope.delivery = delivery;
    envelope.world = m_worldIndex;
    envelope.delayed = delayed != nullptr;
    envelope.queuedAt = delayed != nullptr ? delayed->envelope.queuedAt : 0;

    const std::uint64_t outer = std::exchange(m_current, sequence);
    ++m_depth;
    bool consumed = false;
    std::byte* const block = entity.block;
    if (!record) {
        for (const HandlerEntry& handler : handlers)
            if (handler.thunk(block + handler.offset, message, envelope)) {
                consumed = true;
                break;
            }
    } else {
        const Entity* from = find(sender);
        const Recorder::Ticket ticket = m_recorder.begin(envelope, from == nullptr ? 0 : from->nameId, entity.nameId,
                                                         entity.dispatch->shape(type), message, size);
        const bool timing = m_recorder.timing();
        std::uint64_t clock = timing ? clockTicks() : 0;
        std::size_t reached = 0;
        while (reached < handlers.size() && !consumed) {
            consumed = handlers[reached].thunk(block + handlers[reached].offset, message, envelope);
            if (timing) {
                const std::uint64_t now = clockTicks();
                m_recorder.time(ticket, reached, now - std::exchange(clock, now));
            }
            ++reached;
        }
        m_recorder.finish(ticket, reached, consumed);
    }
    --m_depth;
    m_current = outer;
    if (!handlers.empty())
        ++result.receivers;
    result.consumed = result.consumed || consumed;
    return consumed;
}

void World::route(EntityId receiver, MessageTypeId type, void* message, std::size_t size, EntityId sender,
                  Delivery delivery, const DelayedMessage* delayed, SendResult& result) {
    if (delivery == Delivery::Broadcast) {
        // Those that live now: what handlers spawn does not hear of it.
        std::vector<EntityId> living;
        for (const Slot& slot : m_slots)
            if (slot.entity && !slot.entity->dispatch->handlers(type).empty())
                living.push_back(slot.entity->id);
        for (const EntityId id : living)
            if (Entity* each = get(id))
                deliver(*each, type, message, size, sender, delivery, delayed, result);
        return;
    }
    Entity* entity = get(receiver);
    if (entity == nullptr)
        return;
    deliver(*entity, type, message, size, sender, delivery, delayed, result);
    if (delivery == Delivery::Children) {
        const std::vector<EntityId> children = entity->children;
        for (const EntityId child : children)
            route(child, type, message, size, sender, delivery, delayed, result);
    } else if (delivery == Delivery::Ancestors) {
        route(entity->parent, type, message, size, sender, delivery, delayed, result);
    }
}

SendResult World::sendRaw(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                          EntityId sender, Delivery delivery) {
    SendResult result;
    route(receiver, type, message, size, sender, delivery, nullptr, result);
    if (!m_ticking && m_depth == 0 && !m_dying.empty())
        flushDestroyed();
    return result;
}

void World::sendLaterRaw(EntityId receiver, MessageTypeId type, const void* message, std::size_t size,
                         double seconds, EntityId sender, int priority, Delivery delivery) {
    SBX_EXPECT(std::isfinite(seconds), "a delay must be finite");
    // A hair of tolerance: 0.1 s at 60 Hz is 6 ticks, not 7.
    const double ticks = std::ceil(seconds * m_desc.tickRate - 1e-6);
    Envelope envelope;
    envelope.sender = sender;
    envelope.receiver = receiver;
    envelope.type = type;
    envelope.delivery = delivery;
    envelope.cause = m_current;
    envelope.queuedAt = m_tick;
    m_queue.push(m_tick + static_cast<std::uint64_t>(std::max(1.0, ticks)), priority, envelope, message,
                 size);
}

void World::deliverDelayed() {
    // What is queued while these are handled is due next tick at the earliest.
    alignas(16) std::byte buffer[MaxMessageSize];
    DelayedMessage message;
    while (m_queue.pop(m_tick, message, buffer)) {
        SendResult result;
        if (message.envelope.delivery != Delivery::Broadcast && !alive(message.envelope.receiver)) {
            m_log.write(LogSeverity::Debug, "message",
                        "delayed message " + messageType(message.envelope.type).name
                            + ": its receiver is gone");
            continue;
        }
        route(message.envelope.receiver, message.envelope.type, buffer, message.size, message.envelope.sender,
              message.envelope.delivery, &message, result);
    }
}

void World::broadcastPhase(MessageTypeId type, void* message, std::size_t size) {
    SendResult result;
    // By index: handlers may spawn, which appends entities and buckets; those join in the next tick.
    const std::size_t bucketCount = m_buckets.size();
    for (std::size_t b = 0; b < bucketCount; ++b) {
        const bool typeHandles = m_buckets[b].type->handles(type, m_desc.side);
        if (!typeHandles && m_buckets[b].extended == 0)
            continue;
        const std::size_t count = m_buckets[b].entities.size();
        for (std::size_t i = 0; i < count; ++i) {
            Entity& entity = *m_buckets[b].entities[i];
            if (entity.started && !entity.dying && (typeHandles || entity.ownDispatch))
                if (typeHandles || !entity.dispatch->handlers(type).empty())
                    deliver(entity, type, message, size, {}, Delivery::Broadcast, nullptr, result);
        }
    }
}

void World::tick() {
    SBX_EXPECT(!m_ticking, "a tick inside a tick");
    m_ticking = true;
    ++m_tick;
    deliverDelayed();
    // Start may spawn: those start next tick.
    const std::vector<EntityId> starting = std::exchange(m_awaitingStart, {});
    for (const EntityId id : starting)
        if (Entity* entity = get(id); entity != nullptr && !entity->dying) {
            entity->started = true;
            Start message;
            send(id, message);
        }
    phase<PreUpdate>();
    phase<FixedUpdate>();
    for (System* system : m_systems)
        system->step(*this, m_dt);
    phase<Update>();
    phase<PostUpdate>();
    m_ticking = false;
    flushDestroyed();
}

std::uint64_t World::digest() const {
    Hash64 hash;
    hash.add(m_tick);
    hash.add(m_random.state());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Entity* entity = m_slots[i].entity.get();
        if (entity == nullptr)
            continue;
        hash.add(idOf(i, m_slots[i].generation).bits);
        hash.add(std::string_view(entity->type->name()));
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(entity->pose.position[k], hash);
        for (int k = 0; k < 4; ++k)
            detail::hashFloat(entity->pose.rotation[k], hash);
        for (int k = 0; k < 3; ++k)
            detail::hashFloat(entity->pose.scale[k], hash);
        for (const Entity::ComponentRef& ref : entity->components())
            if (ref.type->stateOf != nullptr)
                ref.type->state->hash(ref.type->stateOf(ref.component), hash);
    }
    m_queue.hash(hash);
    return hash.value();
}

} // namespace sbx
