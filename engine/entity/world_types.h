#pragma once
// Parameters and results of World.

#include "engine/core/math.h"
#include "engine/entity/entity_type.h"
#include "engine/entity/slot_table.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sbx {

class World;

struct SendResult {
    unsigned receivers = 0; // entities that had a handler for the message, and listeners
    bool consumed = false;  // by any of them
};

// Settings of one component of one instance, instead of the type's. Where a type has several of the kind, the first is meant.
struct ComponentOverride {
    const ComponentType* component = nullptr;
    std::shared_ptr<const void> settings;
    std::vector<std::string>
        keys; // the fields that were overridden: a reload of the type does not change them
};

struct SpawnRequest {
    std::shared_ptr<const EntityType> type;
    std::string name; // made unique by appending _2, _3, …; empty: baseNameOf(type)
    Pose pose;        // in the parent's frame
    EntityId parent;  // null: none
    static constexpr std::size_t Outside = ~std::size_t(0);
    std::size_t parentAmong = Outside; // spawnAll(): which of the requests before this one, instead of `parent`
    std::vector<ComponentOverride> overrides;
    bool fromScene = false; // an instance of the scene file
    EntityId creator;       // the entity that requested it, for the trace; null: scene, editor or console
    bool enabled = true;
};

// How much a run may add, so that one that grows without end stops before memory runs out. 0: no limit.
struct WorldBudget {
    std::uint64_t entities = 0; // in addition to those that existed at the first tick
    std::uint64_t messages = 0; // waiting in the queue
};

// What a world counted since it was built.
struct WorldMeasurements {
    std::size_t mappedBytes = 0; // memory of the slot table outside the heap
    // Messages that did not arrive: the receiver was gone, there were too few receivers, the delay was not a finite number, or a limit
    // was exceeded.
    std::uint64_t undelivered = 0;
    // Steps of bookkeeping: they grow with the number of changes, never with the number of entities that exist.
    std::uint64_t namesTried = 0;    // until a free one was found
    std::uint64_t childrenMoved = 0; // up in the list of their parent, to close gaps
};

struct WorldDesc {
    std::string name = "local";
    Side side = Side::Server;
    double tickRate = 60.0; // Hz
    std::uint64_t seed = 1;
    std::shared_ptr<SlotMemory> slotMemory =
        {}; // passed on to the world that replaces this one; null: not kept
};

// Something that steps between FixedUpdate and Update: physics.
class System {
public:
    virtual ~System() = default;
    virtual void step(World& world, float dt) = 0;
};

} // namespace sbx
