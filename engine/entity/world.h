#pragma once
// A world: entities, their hierarchy, the messages between them, and the tick that drives them.
//
// It is made of three parts that build on one another, each with a header of its own:
//   EntityStore (entity_store.h)          what exists: finding entities and components, names, poses
//   MessageRouter (message_router.h)      messages: send…, listeners, the queue
//   EntityLifecycle (entity_lifecycle.h)  creating, enabling and destroying entities and components
// World adds services, types and poses, and what only the one who runs it calls (a Simulation, a test): the tick, the digest, budgets.
// Components call everything but that last part.
//
// A tick runs, in this order: delayed messages that are due; Start for new entities; PreUpdate; FixedUpdate; the systems (physics);
// Update; PostUpdate; removal of destroyed entities. No code here reads the wall clock. Everything runs on the simulation thread.

#include "engine/core/random.h"
#include "engine/entity/entity_lifecycle.h"

#include <typeindex>

namespace sbx {

struct UnderWayReport;
[[nodiscard]] UnderWayReport describeUnderWay() noexcept;

class World : public EntityLifecycle {
public:
    // recorder and log outlive the world.
    World(WorldDesc desc, Recorder& recorder, Log& log);
    ~World();

    [[nodiscard]] Random& random() { return m_random; }
    // What components of one engine share (physics, visuals, input).
    template <typename T> [[nodiscard]] T& service() const {
        const auto it = m_services.find(std::type_index(typeid(T)));
        SBX_EXPECT(it != m_services.end(), "a component asks for a service that the world was not given");
        return *static_cast<T*>(it->second);
    }
    // Types that Spawner, console and editor create by name.
    [[nodiscard]] std::shared_ptr<const EntityType> findType(std::string_view name) const;
    [[nodiscard]] const std::vector<std::shared_ptr<const EntityType>>& types() const { return m_types; }
    // Where an entity is: sends GetPose, which the component that owns the position answers; without one, the world's own table does.
    [[nodiscard]] Pose poseOf(EntityId id);

    // --- For the one who runs the world
    void tick();
    // 64-bit hash over poses and every state field of every entity in id order, the queue and the random source.
    [[nodiscard]] std::uint64_t digest() const;
    // Destroys everything. Not in a handler, nor in a constructor or destructor.
    using EntityLifecycle::clear;
    // Services and systems are not owned.
    template <typename T> void provide(T& service) { m_services[std::type_index(typeid(T))] = &service; }
    void addSystem(System& system) { m_systems.push_back(&system); }
    void setTypes(std::vector<std::shared_ptr<const EntityType>> types) { m_types = std::move(types); }
    // New types replace old ones of the same name, also for existing entities: changed settings apply (overridden and edited ones
    // stay), components that stay are the same objects, new ones are added, removed ones are destroyed. A type that is missing stays
    // in force for its existing entities. Returns one line for each changed type.
    std::vector<std::string> replaceTypes(std::vector<std::shared_ptr<const EntityType>> types);
    // From the first tick on nothing is created (handles are empty) and nothing queued beyond them. The log names the
    // component that adds most, as a warning long before and as an error then. A client's world has no budget: the server has one.
    void setBudget(const WorldBudget& budget);
    // A budget was exceeded since the last call.
    [[nodiscard]] bool takeOverBudget();
    // Changes whenever an entity is created, removed, renamed or gets another parent.
    using EntityStore::structureVersion;
    // Entities that were moved because their parent moved, since the last call; for systems that keep a copy of poses.
    using EntityStore::takeMovedByParent;
    // For the trace: the message that is being handled, and the last sequence that was assigned.
    using MessageRouter::handling;
    using MessageRouter::lastSequence;
    [[nodiscard]] WorldMeasurements measurements() const {
        return {m_slots.mappedBytes(), undelivered(), m_namesTried, m_childrenMoved};
    }

private:
    friend UnderWayReport describeUnderWay() noexcept;
    // Writes the entity's name to the report of a crash or hang; does not allocate.
    void describe(EntityId id, UnderWayReport& report) const;
    // The worlds that exist, for describeUnderWay() (under_way_report.cpp).
    void enlist();
    void delist();

    // world_budget.cpp
    void beginBudget();

    // world_reload.cpp
    void updateSettings(std::uint32_t index, const EntityType& before, const EntityType& now);
    void updateParts(std::uint32_t index, const std::shared_ptr<const EntityType>& type);
    std::size_t updatePool(EntityPool& pool, const std::shared_ptr<const EntityType>& type);
    void sortPools();

    Random m_random;
    WorldBudget m_budget;
    std::vector<System*> m_systems;
    std::unordered_map<std::type_index, void*> m_services;
    std::vector<std::shared_ptr<const EntityType>> m_types;
};

inline World& EntityStore::self() { return static_cast<World&>(*this); }

} // namespace sbx
