#pragma once
// The positions of all entities of one world, for proximity queries: the messages Near and Raycast, the console, and the rooms that
// must know who can hear or see what.
//
// Entities with a body are as large as it, others are points (a centimetre each way). Updated by the first query: once in
// a tick, and again when entities were created or removed. So within a tick all queries see the same; refresh() is for queries
// between ticks.
//
// Reaches: an entity may have an effect beyond its size: a sound up to where it can be heard, a state up to where it is relevant.
// reaching() finds the entities whose reach contains a place, without testing the others.
//
// Thread: the one that ticks the world. World and physics outlive it.

#include "engine/components/physics_system.h"
#include "engine/spatial/aabb_tree.h"

#include <unordered_map>
#include <vector>

namespace sbx {

class Surroundings {
public:
    Surroundings(World& world, PhysicsSystem& physics) : m_world(world), m_physics(physics) {}

    struct Found {
        EntityId entity;
        float distance = 0.0F; // metres from the place to the entity's box; 0: inside
    };
    // Within `radius`, nearest first, equally near ones by id. Radii that are not positive find nothing.
    [[nodiscard]] std::vector<Found> near(const Vec3& center, float radius);
    // The `count` nearest.
    [[nodiscard]] std::vector<Found> nearest(const Vec3& center, std::size_t count);

    enum class Sense : std::uint32_t { Hearing = 1, Interest = 2 };
    // From how far the entity is noticed by a sense; 0 or less: not at all. Forgotten with the entity.
    void setReach(EntityId entity, Sense sense, float metres);
    // Entities whose reach for that sense covers the place, nearest first.
    [[nodiscard]] std::vector<Found> reaching(const Vec3& place, Sense sense);

    // Does now what the next query would do first.
    void refresh();

private:
    struct Entry {
        EntityId entity;
        spatial::ProxyId proxy;
        std::uint64_t seen = 0; // in which refresh
    };
    struct Reach {
        EntityId entity;
        float metres = 0.0F;
        spatial::ProxyId proxy;
    };
    void update();
    [[nodiscard]] spatial::Box boxOf(const Entity& entity) const;

    World& m_world;
    PhysicsSystem& m_physics;
    spatial::AabbTree m_tree; // its users are entities
    spatial::AabbTree m_reaches; // its users are entities, its categories senses
    std::unordered_map<std::uint32_t, Entry> m_entries; // by index of the entity
    std::unordered_map<std::uint64_t, Reach> m_reach;   // by entity and sense
    std::uint64_t m_refreshes = 0;
    std::uint64_t m_tick = 0;
    std::uint64_t m_structure = 0;
};

} // namespace sbx
