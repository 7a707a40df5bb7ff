#pragma once
// The first part of a World: what exists. Entities and their memory, their names, and their places in the hierarchy.
//
// Every entity has a slot (slot_table.h) and a block of memory in the pool of its type (entity_pool.h). What only some entities
// have lies in side tables: details (name, overrides, components of their own) and places (pose, parent, children). Nothing here
// sends a message or runs a handler; creating and destroying entities is the work of EntityLifecycle.
//
// World derives from its parts one after the other, so that all of them lie at fixed offsets from one pointer: parts that hold
// references to one another would cost one more load in every nested send and in every spawn. Simulation thread.

#include "engine/core/text_hash.h"
#include "engine/entity/entity.h"
#include "engine/entity/entity_pool.h"
#include "engine/entity/side_table.h"
#include "engine/entity/special_tables.h"
#include "engine/entity/world_types.h"
#include "engine/message/recorder.h"

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx {

class Log;

class EntityStore {
public:
    EntityStore(const EntityStore&) = delete;
    EntityStore& operator=(const EntityStore&) = delete;

    [[nodiscard]] const WorldDesc& desc() const { return m_desc; }
    [[nodiscard]] std::uint64_t tickCount() const { return m_tick; }
    // Length of a tick in seconds.
    [[nodiscard]] float dt() const { return m_dt; }
    // Simulated seconds.
    [[nodiscard]] double time() const { return static_cast<double>(m_tick) / m_desc.tickRate; }
    [[nodiscard]] Log& log() { return m_log; }
    [[nodiscard]] Recorder& recorder() { return m_recorder; }

    // --- Finding entities
    [[nodiscard]] Entity find(EntityId id) const { return alive(id) ? Entity(*this, id) : Entity(); }
    // By name; does not allocate.
    [[nodiscard]] Entity find(std::string_view name) const;
    [[nodiscard]] bool alive(EntityId id) const { return m_slots.find(id) != nullptr; }
    // Empty for a dead entity.
    [[nodiscard]] std::string nameOf(EntityId id) const;
    [[nodiscard]] std::size_t entityCount() const { return m_slots.taken(); }
    // In id order (by slot).
    void forEach(const std::function<void(const Entity&)>& visit) const;

    // --- Components
    // The first component, in file order, that is a T or derived from it; null: none.
    template <typename T> [[nodiscard]] T* getComponent(EntityId id) const {
        return static_cast<T*>(findComponent(id, typeid(T)));
    }
    // Calls visit(T&) for each of them.
    template <typename T, typename Visit> void eachComponent(EntityId id, const Visit& visit) const {
        if (const Entity entity = find(id))
            entity.eachComponent([&](const Entity::ComponentRef& ref) {
                if (const ComponentClass* c = ref.type->as(typeid(T)))
                    visit(*reinterpret_cast<T*>(static_cast<std::byte*>(ref.component) + c->offset));
            });
    }

    // --- Poses
    // Called by the component that owns the position (or for an entity without such a component). Children move along. A pose
    // that is not finite is rejected with an error in the log.
    void setPose(EntityId id, const Pose& world, bool teleport = false);

protected:
    friend class Entity;

    EntityStore(WorldDesc desc, Recorder& recorder, Log& log);
    ~EntityStore() = default;

    // World publishes these for the one who runs it; see there.
    [[nodiscard]] std::uint64_t structureVersion() const { return m_structure + m_slots.size(); }
    [[nodiscard]] std::span<const EntityId> takeMovedByParent();

    // The world that this is a part of; defined in world.h.
    [[nodiscard]] World& self();

    // --- Components of one entity
    struct PartLocation {
        Entity::ComponentRef ref; // without type: none
        std::uint16_t serial = 0; // EntityPart::serial
        std::uint16_t number = 0; // in file order
    };
    static constexpr std::uint16_t NoPart = 0xFFFF; // the serial of no component
    // The first for which `wanted(PartLocation)` is true.
    template <typename Wanted> [[nodiscard]] PartLocation locatePartIf(EntityId entity, const Wanted& wanted) const;
    // By its address, or an address inside it.
    [[nodiscard]] PartLocation locatePart(EntityId entity, const void* component) const;
    [[nodiscard]] PartLocation locatePartBySerial(EntityId entity, std::uint16_t serial) const;
    [[nodiscard]] void* findComponent(EntityId id, const std::type_info& type) const;
    // The component of that class after `index` others.
    [[nodiscard]] void* findPart(EntityId id, const std::type_info& type, unsigned index) const;

    // --- Names (entity_store_names.cpp)
    // `wish`, or where it is taken, its base with the lowest free number: crate_2, crate_3, …
    [[nodiscard]] std::string uniqueName(const std::string& wish);
    void addName(const std::string& name, EntityId id) { m_byName.emplace(name, id); }
    // The number at its end may be used again.
    void removeName(const std::string& name);
    // Makes room for a scene of so many names. Fewer names than there are need no call: the table grows by doubling.
    void reserveNames(std::size_t more);
    // Numbers start from 2 again; while no entity exists.
    void resetNameNumbers() { m_numbers.clear(); }
    // Remembers the name of an entity that is removed while messages wait for it, for the report that they came too late. The
    // memory has a fixed size: a later entity may take the place of this one.
    void keepName(EntityId id);
    // Empty: not remembered any more.
    [[nodiscard]] const std::string& keptName(EntityId id) const;

    // --- Hierarchy (entity_store_places.cpp)
    // The entity's row in the table of places, created at the first call.
    EntityPlace& placeOf(std::uint32_t index);
    // Moves everything below the entity along with it.
    void moveChildren(EntityId id);
    void leaveParent(std::uint32_t index);
    static void joinChildren(EntityPlace& parent, EntityPlace& place, EntityId id);
    void closeGaps(EntityPlace& parent) const;
    // Without gaps; the slot must be SlotPlaced. Valid until children are added or removed.
    [[nodiscard]] const std::vector<EntityId>& childrenOf(std::uint32_t index) const;
    // Appends the entity and everything below it to m_receivers, parents before children, each subtree in one piece.
    void listSubtree(EntityId root);

    WorldDesc m_desc;
    float m_dt;
    Recorder& m_recorder;
    Log& m_log;
    std::uint64_t m_tick = 0;
    std::uint64_t m_structure = 1; // with the number of slots: structureVersion()

    SlotTable m_slots;
    std::vector<std::unique_ptr<EntityPool>> m_pools; // in order of first use
    std::unordered_map<const EntityType*, std::uint16_t> m_poolOf;
    const EntityType* m_lastType = nullptr; // the type that was looked up last, and its pool
    EntityPool* m_lastPoolAt = nullptr;
    SideTable<EntityDetails> m_details;
    mutable SideTable<EntityPlace> m_places; // mutable: gaps among children are closed when they are read
    SpecialTables m_specialTables;           // dispatch tables of entities whose components differ from their type's
    std::vector<EntityId> m_movedByParent;
    std::vector<EntityId> m_movedByParentTaken;

    // Stacks of lists: a function appends its list behind those of its callers, and removes it when it is done.
    std::vector<EntityId> m_receivers; // of the dispatches in progress
    std::vector<EntityId> m_waiting;   // still to be visited, of the hierarchies that are being walked

private:
    TextMap<EntityId> m_byName;
    // Of names that end in a number, by what comes before it: every number from 2 to `next` - 1 is taken or in `free`.
    struct NameNumbers {
        std::uint64_t next = 2;
        std::set<std::uint64_t> free; // released; a name that was requested literally may take one again
    };
    TextMap<NameNumbers> m_numbers;
    struct KeptName {
        EntityId entity;
        std::string name;
    };
    std::vector<KeptName> m_keptNames; // by slot, modulo its size; empty until the first

protected:
    // Steps of bookkeeping so far: see WorldMeasurements.
    mutable std::uint64_t m_namesTried = 0;
    mutable std::uint64_t m_childrenMoved = 0;
};

} // namespace sbx
