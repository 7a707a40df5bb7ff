#include "engine/components/surroundings.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

constexpr float PointSize = 0.01F; // half an edge of what has no body

std::uint64_t keyOf(EntityId entity, Surroundings::Sense sense) {
    return (std::uint64_t{entity.index()} << 2U) | static_cast<std::uint32_t>(sense);
}

std::vector<Surroundings::Found> inOrder(std::vector<Surroundings::Found> found) {
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.entity < b.entity;
    });
    return found;
}

} // namespace

spatial::Box Surroundings::boxOf(const Entity& entity) const {
    const physics::BodyHandle body = m_physics.bodyOf(entity.id());
    if (const auto bounds = m_physics.physics().bounds(body))
        return spatial::withExtent({bounds->first, bounds->second}, 2.0F * PointSize);
    return spatial::around(entity.pose().position, Vec3(PointSize));
}

void Surroundings::update() {
    if (m_refreshes == 0 || m_tick != m_world.tickCount() || m_structure != m_world.structureVersion())
        refresh();
}

void Surroundings::refresh() {
    ++m_refreshes;
    m_tick = m_world.tickCount();
    m_structure = m_world.structureVersion();
    m_world.forEach([this](const Entity& entity) {
        Entry& entry = m_entries[entity.id().index()];
        if (entry.entity != entity.id()) {
            m_tree.remove(entry.proxy);
            entry = {entity.id(), {}, 0};
        }
        entry.seen = m_refreshes;
        const spatial::Box box = boxOf(entity);
        if (m_tree.alive(entry.proxy)) {
            if (!m_tree.move(entry.proxy, box))
                m_tree.remove(entry.proxy); // its position is not finite
        } else if (const Result<spatial::ProxyId> proxy = m_tree.insert(box, entity.id().bits)) {
            entry.proxy = *proxy;
        }
    });
    std::erase_if(m_entries, [this](const auto& item) {
        if (item.second.seen == m_refreshes)
            return false;
        m_tree.remove(item.second.proxy);
        return true;
    });
    m_tree.update();
    std::erase_if(m_reach, [this](const auto& item) {
        const Reach& reach = item.second;
        const Entity entity = m_world.find(reach.entity);
        const Result<void> moved =
            entity ? m_reaches.move(reach.proxy, spatial::around(entity.pose().position, Vec3(reach.metres))) : Result<void>();
        if (entity && moved)
            return false;
        m_reaches.remove(reach.proxy);
        return true;
    });
    m_reaches.update();
}

std::vector<Surroundings::Found> Surroundings::near(const Vec3& center, float radius) {
    update();
    std::vector<Found> found;
    if (radius > 0.0F)
        m_tree.overlapSphere(center, radius, spatial::Everything, [&](std::uint32_t slot) {
            found.push_back({EntityId::fromBits(m_tree.user(slot)), std::sqrt(distanceSquared(m_tree.box(slot), center))});
        });
    return inOrder(std::move(found));
}

std::vector<Surroundings::Found> Surroundings::nearest(const Vec3& center, std::size_t count) {
    update();
    std::vector<spatial::Neighbour> neighbours;
    m_tree.nearest(center, count, spatial::Everything, neighbours);
    std::vector<Found> found;
    for (const spatial::Neighbour& neighbour : neighbours)
        found.push_back({EntityId::fromBits(m_tree.user(neighbour.slot)), std::sqrt(neighbour.distanceSquared)});
    return inOrder(std::move(found));
}

void Surroundings::setReach(EntityId id, Sense sense, float metres) {
    const std::uint64_t key = keyOf(id, sense);
    if (const auto old = m_reach.find(key); old != m_reach.end()) {
        m_reaches.remove(old->second.proxy);
        m_reach.erase(old);
    }
    const Entity entity = m_world.find(id);
    if (entity && metres > 0.0F) {
        const Result<spatial::ProxyId> proxy = m_reaches.insert(spatial::around(entity.pose().position, Vec3(metres)), id.bits,
                                                                {static_cast<std::uint32_t>(sense), spatial::Everything});
        if (proxy)
            m_reach[key] = {id, metres, *proxy};
    }
    m_reaches.update();
}

std::vector<Surroundings::Found> Surroundings::reaching(const Vec3& place, Sense sense) {
    update();
    std::vector<Found> found;
    m_reaches.overlapBox({place, place}, static_cast<std::uint32_t>(sense), [&](std::uint32_t slot) {
        const spatial::Box box = m_reaches.box(slot);
        const float distance = glm::distance(centerOf(box), place);
        if (distance <= 0.5F * (box.max.x - box.min.x))
            found.push_back({EntityId::fromBits(m_reaches.user(slot)), distance});
    });
    return inOrder(std::move(found));
}

} // namespace sbx
