#pragma once
// What is handed to a world, and what it hands back.

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
    std::vector<std::string> keys; // which fields differ by wish: a reload of the type leaves them alone
};

struct SpawnRequest {
    std::shared_ptr<const EntityType> type;
    std::string name; // wish; made unique by appending _2, _3, …; empty: baseNameOf(type)
    Pose pose;        // in the parent's frame
    EntityId parent;  // null: none
    static constexpr std::size_t Outside = ~std::size_t(0);
    std::size_t parentAmong = Outside; // spawnAll(): which of the requests before this one, instead of `parent`
    std::vector<ComponentOverride> overrides;
    bool fromScene = false; // an instance of the scene file
    EntityId creator;       // who asked, for the trace; null: scene, editor or console
    bool enabled = true;
};

// What may be there at once of what a run adds, so that one that grows without end stops before memory is gone. 0: any number.
struct WorldBudget {
    std::uint64_t entities = 0; // beyond those that were there at the first tick
    std::uint64_t messages = 0; // waiting in the queue
};

struct WorldDesc {
    std::string name = "local";
    Side side = Side::Server;
    double tickRate = 60.0; // Hz
    std::uint64_t seed = 1;
    std::shared_ptr<SlotMemory> slotMemory = {}; // for the worlds that take this one's place; null: none is kept
};

// Something that steps between FixedUpdate and Update: physics.
class System {
public:
    virtual ~System() = default;
    virtual void step(World& world, float dt) = 0;
};

} // namespace sbx
