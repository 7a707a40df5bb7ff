#pragma once
// The third part of a World: how entities and components come into being, are enabled and disabled, and end.
//
// Lifecycle messages. What is sent next follows from what was sent last and from what the entity is now (life_step.h): live()
// compares the two and takes one step after the other until nothing is missing. A handler of a lifecycle message that enables,
// disables, removes or destroys its own entity changes it at once; the message for that change is sent when the current one has
// reached all components. So each component gets Awake first, OnEnable and OnDisable in turn, Start once, and nothing after
// OnDestroy, whatever handlers do. README.md has the table of states.
//
// Enabling. A disabled entity or component, and everything below a disabled entity, takes part in nothing: no phases, no messages,
// it does not count as a receiver; only Awake and OnDestroy reach it. During a phase no further handler of an entity is called once
// it is disabled, unless the entity has components of its own.
//
// Destruction is deferred: inside a handler or a tick until no handler runs (the end of the tick), and while a component of the
// entity is under construction until the constructor has returned. OnDisable and OnDestroy are sent when destroy() is called.
//
// The code is in lifecycle_*.cpp: spawn, steps, enabling, destroy, components. Simulation thread.

#include "engine/entity/life_step.h"
#include "engine/entity/lifecycle_messages.h"
#include "engine/entity/message_router.h"

#include <optional>

namespace sbx {

class EntityLifecycle : public MessageRouter {
public:
    // --- Creating. While its constructors run an entity receives nothing. If one throws, the log reports it and the entity is not
    // created: its handle is empty, the others are created all the same. Beyond the budget (setBudget()) handles are empty too.
    EntityId spawn(const SpawnRequest& request);
    // All at once, parents before their children: every entity exists before the first Awake.
    std::vector<EntityId> spawnAll(const std::vector<SpawnRequest>& requests);
    // An entity without name, parent or pose, until it is given one, which costs nothing until then. The fastest way.
    EntityId create(const std::shared_ptr<const EntityType>& type);
    // One for each element of `ids`; every entity exists before the first Awake.
    void createMany(const std::shared_ptr<const EntityType>& type, std::span<EntityId> ids);

    // --- Destroying. With its children; deferred as described above. Harmless for a dead entity.
    void destroy(EntityId id);
    // As destroy() of each in turn; the memory of `ids` must not change meanwhile. About twice as fast for entities that lie
    // anywhere in memory, since the next ones are prefetched.
    void destroyMany(std::span<const EntityId> ids);

    // --- Enabling. Harmless for a dead entity.
    void setEnabled(EntityId id, bool enabled);
    // One component; also while its entity is disabled.
    void setEnabled(Component& component, bool enabled) { setPartEnabled(component.entity(), &component, enabled); }
    Result<void> setEnabled(EntityId id, std::string_view component, bool enabled);
    // Keeps the pose in the world. False: one of them is dead or about to be destroyed, or `parent` is below the entity.
    bool setParent(EntityId id, EntityId parent);

    // --- Components at run time, between ticks or inside a handler
    // An error where a component of the entity excludes it (ComponentType::excludes). It gets Awake at once, Start in the next tick.
    Result<void> addComponent(EntityId id, const ComponentType& type, std::shared_ptr<const void> settings);
    // It receives no message from now on and is destroyed at the end of the tick.
    Result<void> removeComponent(EntityId id, std::string_view component);
    // Settings or state field of a component, checked by type and range; calls settingsChanged() or stateChanged().
    Result<void> setField(EntityId id, std::string_view component, std::string_view field, const Value& value);

protected:
    friend class MessageRouter; // calls flushDestroyed()
    friend void noteFailure(World& world, const ConstructStep& part);

    EntityLifecycle(WorldDesc desc, Recorder& recorder, Log& log) : MessageRouter(std::move(desc), recorder, log) {}
    ~EntityLifecycle() = default;

    void clear(); // see World

    // --- lifecycle_spawn.cpp
    std::unique_ptr<EntityPool> makePool(const std::shared_ptr<const EntityType>& type);
    EntityPool& poolOf(const std::shared_ptr<const EntityType>& type);
    [[gnu::noinline]] EntityPool& lookUpPool(const std::shared_ptr<const EntityType>& type);
    [[nodiscard]] std::uint16_t flagsOfNew(const EntityPool& pool) const;
    EntityId make(const SpawnRequest& request, EntityId itsParent);
    EntityId makeBare(EntityPool& pool, std::uint16_t flags);
    void makeRow(EntityPool& pool, std::uint16_t flags, std::span<EntityId> ids);
    bool build(EntityPool& pool, EntityId id, std::byte* block);
    void finish(EntityPool& pool, EntityId id, std::uint16_t flags);
    [[gnu::noinline]] void finishOdd(std::uint32_t index);
    [[gnu::noinline]] EntityId createSlowly(const std::shared_ptr<const EntityType>& type);
    // In a catch clause: `built` of the entity's components exist.
    [[gnu::noinline, gnu::cold]] void abandon(EntityId id, std::size_t built);
    void takeBack(EntityId id, std::size_t built);
    // Around the constructor of one component of an existing entity: destroy() in between takes effect at unpin(), which takes what
    // pin() returned.
    [[nodiscard]] bool pin(std::uint32_t index);
    void unpin(EntityId id, bool pinned);
    // The budget (world_budget.cpp)
    [[nodiscard]] bool mayMake(EntityId creator) {
        return m_entityGrowth.belowAttention(m_slots.taken()) || growEntities(creator);
    }
    [[gnu::noinline, gnu::cold]] bool growEntities(EntityId creator);

    // --- lifecycle_steps.cpp
    // Allows lifecycle messages for an entity that was built, and sends Awake.
    void wake(EntityId id);
    // Takes all steps that are due. Nothing before wake().
    void live(EntityId id);
    // False: none is due.
    bool takeNextStep(EntityId id);
    void takeStep(EntityId id, EntityPart* part, LifeStep step);
    // Sends the step's message to one component, or, if `component` is null, by the handlers of the entity's type.
    void notify(EntityId id, const void* component, LifeStep step);
    template <typename M> void notifyOf(EntityId id, const void* component, bool EntityPool::Interest::*interest);
    // Whether lifecycle messages may be sent now: the limits of MessageRouter do not drop them, they wait until no handler runs.
    [[nodiscard]] bool canNotify();
    void postpone(EntityId id);
    void awaitStart(EntityId id);
    void beginPart(EntityId id, const void* component);
    // The start phase of a tick: Start for all that wait for it.
    void startWaiting();
    void start(EntityId id);
    // The entity was enabled or disabled, by itself or by its ancestors: updates it and everything below, parents first.
    void refresh(EntityId id);
    // Whether any handler or the recorder is interested in the message.
    [[nodiscard]] bool interested(const Slot& slot, bool EntityPool::Interest::*interest, MessageTypeId type) const {
        return slot.has(SlotSpecial) || m_pools[slot.pool]->interest().*interest || m_recorder.wants(type);
    }

    // --- lifecycle_enabling.cpp
    // Updates which messages and phases reach the entity, from its flags.
    void follow(std::uint32_t index);
    void setPartEnabled(EntityId id, const void* component, bool enabled);
    // Gives the entity a list of its components and a dispatch table of its own (SlotSpecial), and takes them back.
    std::vector<EntityPart>& makeSpecial(std::uint32_t index);
    void makePlain(std::uint32_t index);
    void chooseTable(std::uint32_t index);
    void giveTable(EntityDetails& details);
    [[nodiscard]] static EntityPart* partAt(std::vector<EntityPart>& parts, const void* component);
    [[nodiscard]] static std::uint16_t nextSerial(EntityDetails& details);

    // --- lifecycle_destroy.cpp
    [[nodiscard]] bool diesSilently(const Slot& slot) const;
    void destroyNow(EntityId id);
    void destroyLater(EntityId id);
    [[gnu::noinline]] void destroyWithin(EntityId id);
    [[gnu::noinline]] void destroySlowly(EntityId id);
    void destroyAll(std::size_t from);
    void remove(EntityId id);
    void removeAtOnce(EntityId id);
    [[gnu::noinline]] void finishRemoving(std::uint32_t index);
    void endBare(std::uint32_t index, Slot& slot);
    void removeDying();
    static void endPart(const EntityPart& part);
    void destroyOwnParts(std::uint32_t index);
    [[gnu::noinline]] void forget(std::uint32_t index);
    // Sends what was postponed, and removes what was destroyed. Only while no handler runs.
    void flushDestroyed();
    [[nodiscard]] bool busy() const { return (m_activity & Ticking) != 0 || depth() != 0; }

    // --- lifecycle_components.cpp
    void dropParts(EntityId id, const std::vector<std::byte*>& components);
    void takeOut(std::uint32_t index, std::size_t number);

    GrowthWatch m_entityGrowth;

private:
    const ConstructStep* m_failedPart = nullptr; // the component whose constructor threw last
    std::vector<EntityId> m_awaitingStart;
    std::vector<EntityId> m_starting;
    std::vector<EntityId> m_dying;
    std::vector<EntityId> m_late;           // their lifecycle messages are sent once no handler runs
    std::vector<EntityPart> m_retiredParts; // removed components that a dispatch in progress may still use
};

} // namespace sbx
