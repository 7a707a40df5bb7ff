#pragma once
// A world: entities, their hierarchy, the messages between them, and the tick that drives them.
//
// Everything here runs on the simulation thread. A tick is, in this order: delayed messages that are due; Start for new
// entities; PreUpdate; FixedUpdate; the systems (physics); Update; PostUpdate; destroyed entities go. The order of entities
// within a phase is: types in order of first use, then entities in order of creation. No code here reads the wall clock.

#include "engine/core/random.h"
#include "engine/entity/entity_type.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/message/delayed_queue.h"
#include "engine/message/recorder.h"

#include <deque>
#include <functional>
#include <map>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace sbx {

class Log;

struct SendResult {
    unsigned receivers = 0; // entities that had a handler for the message
    bool consumed = false;  // by any of them
};

// Settings of one component of one instance, instead of the type's. Where a type has several of the kind, the first is meant.
struct ComponentOverride {
    const ComponentType* component = nullptr;
    std::shared_ptr<const void> settings;
    std::vector<std::string> keys; // which fields differ by wish: a reload of the type leaves them alone
};

struct SpawnRequest {
    std::shared_ptr<const EntityType> type;
    std::string
        name;  // wish; made unique by appending _2, _3, …; empty: the type's name with a small first letter
    Pose pose; // in the parent's frame
    EntityId parent; // null: none
    std::vector<ComponentOverride> overrides;
    bool fromScene = false; // an instance of the scene file
    EntityId creator; // who asked, for the trace; null: scene, editor or console
};

// Read access to an entity for the session and the editor's snapshots. Components use messages.
struct Entity {
    struct Extension { // a component added at run time
        const ComponentType* type = nullptr;
        std::byte* memory = nullptr;
    };
    EntityId id;
    std::string name;
    NameId nameId = 0;
    std::shared_ptr<const EntityType> type;
    EntityId parent;
    std::vector<EntityId> children;
    Pose local;                 // in the parent's frame
    Pose pose;                  // in the world
    std::uint64_t poseTick = 0; // tick of the last change of pose
    bool teleported = false;    // the last change was a jump: do not draw motion between
    bool dying = false;
    bool fromScene = false;
    bool started = false;
    std::byte* block = nullptr;
    std::vector<Extension> extensions;
    std::unique_ptr<DispatchTable> ownDispatch; // with extensions only
    const DispatchTable* dispatch = nullptr;
    std::vector<std::pair<std::string, std::string>> overriddenKeys; // component ("Mesh", "Mesh#2"), field

    struct ComponentRef {
        const ComponentType* type = nullptr;
        void* component = nullptr;
    };
    // Declared ones in file order, then those added at run time.
    [[nodiscard]] std::vector<ComponentRef> components() const;
    // "Mesh" is the first of its kind, "Mesh#2" the second.
    [[nodiscard]] ComponentRef component(std::string_view name) const;
};

struct WorldDesc {
    std::string name = "local";
    Side side = Side::Server;
    double tickRate = 60.0; // Hz
    std::uint64_t seed = 1;
};

// Something that steps between FixedUpdate and Update: physics.
class System {
public:
    virtual ~System() = default;
    virtual void step(World& world, float dt) = 0;
    // The entity's components are about to be destroyed.
    virtual void entityGone(EntityId) {}
};

class World {
public:
    // recorder and log outlive the world.
    World(WorldDesc desc, Recorder& recorder, Log& log);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] const WorldDesc& desc() const { return m_desc; }
    [[nodiscard]] std::uint64_t tickCount() const { return m_tick; }
    [[nodiscard]] float dt() const { return m_dt; }
    // Simulated seconds.
    [[nodiscard]] double time() const { return static_cast<double>(m_tick) / m_desc.tickRate; }
    [[nodiscard]] Random& random() { return m_random; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }
    void tick();

    // --- Services: what components of one engine share (physics, visuals, input). Not owned.
    template <typename T> void provide(T& service) { m_services[std::type_index(typeid(T))] = &service; }
    template <typename T> [[nodiscard]] T& service() const {
        const auto it = m_services.find(std::type_index(typeid(T)));
        SBX_EXPECT(it != m_services.end(), "a component asks for a service that the world was not given");
        return *static_cast<T*>(it->second);
    }
    void addSystem(System& system) { m_systems.push_back(&system); }

    // --- Types that Spawner, console and editor create by name.
    void setTypes(std::vector<std::shared_ptr<const EntityType>> types);
    [[nodiscard]] std::shared_ptr<const EntityType> findType(std::string_view name) const;
    [[nodiscard]] const std::vector<std::shared_ptr<const EntityType>>& types() const { return m_types; }

    // --- Entities
    EntityId spawn(const SpawnRequest& request);
    // All at once: every entity exists before the first Awake.
    std::vector<EntityId> spawnAll(const std::vector<SpawnRequest>& requests);
    // With its children, at the end of the tick (at once between ticks). Harmless on a dead entity.
    void destroy(EntityId id);
    void clear();
    [[nodiscard]] const Entity* find(EntityId id) const;
    [[nodiscard]] const Entity* find(std::string_view name) const;
    [[nodiscard]] bool alive(EntityId id) const { return find(id) != nullptr; }
    [[nodiscard]] std::string nameOf(EntityId id) const;
    [[nodiscard]] std::size_t entityCount() const { return m_alive; }
    // In id order (by slot).
    void forEach(const std::function<void(const Entity&)>& visit) const;
    // Changes whenever entities come, go, are renamed or reparented.
    [[nodiscard]] std::uint64_t structureVersion() const { return m_structureVersion; }

    // --- Where things are
    // Asks by message; without an owner of the position the world's own table answers.
    [[nodiscard]] Pose poseOf(EntityId id);
    // Called by the owner of the position (or for entities without one). Moves children along.
    void setPose(EntityId id, const Pose& world, bool teleport = false);
    // Entities moved by their parents since the last call, for systems that keep a copy of poses.
    [[nodiscard]] std::vector<EntityId> takeCarried() { return std::exchange(m_carried, {}); }
    // Keeps the pose in the world; refuses a cycle (false).
    bool setParent(EntityId id, EntityId parent);

    // --- Messages. A handler may change the message: that is how questions are answered.
    template <Message M> SendResult send(EntityId receiver, M& message, EntityId sender = {}) {
        return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Immediate);
    }
    template <Message M> SendResult send(EntityId receiver, M&& message, EntityId sender = {}) {
        return sendRaw(receiver, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Immediate);
    }
    // The whole subtree, the entity itself first.
    template <Message M> SendResult sendToChildren(EntityId root, M message, EntityId sender = {}) {
        return sendRaw(root, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Children);
    }
    // The entity itself first, then its parent, and so on up.
    template <Message M> SendResult sendToAncestors(EntityId entity, M message, EntityId sender = {}) {
        return sendRaw(entity, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Ancestors);
    }
    template <Message M> SendResult broadcast(M message, EntityId sender = {}) {
        return sendRaw({}, messageIdOf<M>(), &message, sizeof(M), sender, Delivery::Broadcast);
    }
    // After `seconds`, rounded up to ticks, at least one. Lower priorities first within a tick.
    template <Message M> void sendLater(EntityId receiver, const M& message, double seconds,
                                        EntityId sender = {}, int priority = 0) {
        sendLaterRaw(receiver, messageIdOf<M>(), &message, sizeof(M), seconds, sender, priority,
                     Delivery::Immediate);
    }
    // The same for a type known only at run time. Broadcast ignores the receiver.
    SendResult sendRaw(EntityId receiver, MessageTypeId type, void* message, std::size_t size,
                       EntityId sender, Delivery delivery);
    void sendLaterRaw(EntityId receiver, MessageTypeId type, const void* message, std::size_t size,
                      double seconds, EntityId sender, int priority, Delivery delivery);

    // --- Edits from outside, between ticks or within a handler
    // A unique component that the entity has already is refused.
    Result<void> addComponent(EntityId id, const ComponentType& type, std::shared_ptr<const void> settings);
    // Settings or state field of a living component, checked by type and range; the component is told.
    Result<void> setField(EntityId id, std::string_view component, std::string_view field,
                          const Value& value);
    // New types take the place of old ones of the same name; living entities follow: changed settings apply (overridden and
    // edited ones stay), components that stay keep their state, new ones appear, removed ones go. Types that are gone stay
    // in force for their living entities. Returns one line a changed type.
    std::vector<std::string> replaceTypes(std::vector<std::shared_ptr<const EntityType>> types);

    // 64-bit hash over poses and every state field of every entity in id order, the queue and the random source.
    [[nodiscard]] std::uint64_t digest() const;

private:
    struct Bucket { // all living entities of one type object, in order of creation
        std::shared_ptr<const EntityType> type;
        std::vector<Entity*> entities; // null where one died this tick
        std::size_t extended = 0;      // how many have components of their own
    };
    struct Slot {
        std::uint32_t generation = 0;
        std::unique_ptr<Entity> entity;
    };

    Entity* get(EntityId id);
    Entity& create(const SpawnRequest& request);
    // One Settings for each slot of the type's layout.
    void construct(Entity& entity, const std::vector<std::shared_ptr<const void>>& settings);
    void destroyComponents(Entity& entity);
    void wake(EntityId id);
    void flushDestroyed();
    void remove(Entity& entity);
    std::string uniqueName(const std::string& wish);
    Bucket& bucketOf(const std::shared_ptr<const EntityType>& type);
    void leaveBucket(Entity& entity);
    void rebuildDispatch(Entity& entity);
    void carryChildren(Entity& entity);
    void updateEntity(Entity& entity, const std::shared_ptr<const EntityType>& type);
    void deliverDelayed();
    template <typename M> void phase() {
        M message;
        if constexpr (requires { message.dt; })
            message.dt = m_dt;
        broadcastPhase(messageIdOf<M>(), &message, sizeof(M));
    }
    void broadcastPhase(MessageTypeId type, void* message, std::size_t size);
    bool deliver(Entity& entity, MessageTypeId type, void* message, std::size_t size, EntityId sender,
                 Delivery delivery, const DelayedMessage* delayed, SendResult& result);
    void route(EntityId receiver, MessageTypeId type, void* message, std::size_t size, EntityId sender,
               Delivery delivery, const DelayedMessage* delayed, SendResult& result);

    WorldDesc m_desc;
    float m_dt;
    Recorder& m_recorder;
    Log& m_log;
    std::uint8_t m_worldIndex;
    Random m_random;
    std::uint64_t m_tick = 0;
    std::uint64_t m_sequence = 0;
    std::uint64_t m_current = 0; // sequence of the message being handled
    int m_depth = 0;             // nested dispatches
    int m_budget = 0;            // dispatches left to what the outermost one sets off
    bool m_cutTold = false;      // that it ran out has been said
    bool m_ticking = false;
    std::uint64_t m_structureVersion = 1;
    std::size_t m_alive = 0;
    std::deque<Slot> m_slots;
    std::vector<std::uint32_t> m_free;
    std::unordered_map<std::string, EntityId> m_byName;
    std::unordered_map<std::string, std::uint64_t> m_nextSuffix; // where to go on looking for a free name
    std::deque<Bucket> m_buckets;
    std::vector<EntityId> m_awaitingStart;
    std::vector<EntityId> m_dying;
    std::vector<EntityId> m_carried;
    std::vector<std::unique_ptr<DispatchTable>> m_retired; // may still be walked by a dispatch of this tick
    DelayedQueue m_queue;
    std::vector<System*> m_systems;
    std::unordered_map<std::type_index, void*> m_services;
    std::vector<std::shared_ptr<const EntityType>> m_types;
};

} // namespace sbx
