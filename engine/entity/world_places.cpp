// Where entities are, and whose children.

#include "engine/core/log.h"
#include "engine/entity/world.h"

namespace sbx {

EntityPlace& World::placeOf(std::uint32_t index) {
    m_slots[index].set(SlotPlaced);
    return m_places.get(index);
}

Pose World::poseOf(EntityId id) {
    const Entity entity = find(id);
    if (!entity)
        return {};
    Pose pose = entity.pose();
    GetPose question{pose.position, pose.rotation};
    send(id, question);
    pose.position = question.position;
    pose.rotation = question.rotation;
    return pose;
}

void World::setPose(EntityId id, const Pose& world, bool teleport) {
    if (!alive(id))
        return;
    if (!isFinite(world)) [[unlikely]] {
        m_log.error("entities",
                    nameOf(id) + " stays where it is: it was given a pose that is no number or infinite");
        return;
    }
    EntityPlace& place = placeOf(id.index());
    place.pose = world;
    place.local = place.parent ? relativeTo(m_places.find(place.parent.index())->pose, world) : world;
    place.teleported = teleport || (place.teleported && place.tick == m_tick);
    place.tick = m_tick;
    carryBelow(id);
}

// All below follow, however deep: parents before their children.
void World::carryBelow(EntityId id) {
    const std::size_t from = m_receivers.size();
    listSubtree(id);
    for (std::size_t i = from + 1; i < m_receivers.size(); ++i) {
        EntityPlace& place = *m_places.find(m_receivers[i].index());
        const EntityPlace& above = *m_places.find(place.parent.index());
        place.pose = compose(above.pose, place.local);
        place.teleported = above.teleported;
        place.tick = m_tick;
        m_movedByParent.push_back(m_receivers[i]);
    }
    m_receivers.resize(from);
}

std::span<const EntityId> World::takeMovedByParent() {
    m_movedByParentTaken.clear();
    m_movedByParentTaken.swap(m_movedByParent);
    return m_movedByParentTaken;
}

void World::joinChildren(EntityPlace& parent, EntityPlace& place, EntityId id) {
    place.at = static_cast<std::uint32_t>(parent.children.size());
    parent.children.push_back(id);
}

void World::leaveParent(std::uint32_t index) {
    EntityPlace& place = placeOf(index);
    if (place.parent) {
        EntityPlace& parent = *m_places.find(place.parent.index());
        parent.children[place.at] = {};
        ++parent.gaps;
        if (2 * parent.gaps > parent.children.size()) // so that each that leaves pays for one that is moved
            closeGaps(parent);
    }
    place.parent = {};
}

void World::closeGaps(EntityPlace& parent) const {
    std::uint32_t kept = 0;
    for (const EntityId child : parent.children)
        if (child) {
            ++m_work.childrenMoved;
            m_places.find(child.index())->at = kept;
            parent.children[kept++] = child;
        }
    parent.children.resize(kept);
    parent.gaps = 0;
}

const std::vector<EntityId>& World::childrenOf(std::uint32_t index) const {
    EntityPlace& place = *m_places.find(index);
    if (place.gaps != 0)
        closeGaps(place);
    return place.children;
}

bool World::setParent(EntityId id, EntityId parent) {
    const Slot* const above = m_slots.find(parent);
    if (!alive(id) || (parent && (above == nullptr || above->has(SlotDying))))
        return false;
    for (EntityId up = parent; up; up = Entity(*this, up).parent())
        if (up == id)
            return false;
    const std::uint32_t index = id.index();
    EntityPlace& place = placeOf(index);
    leaveParent(index);
    place.parent = parent;
    place.local = place.pose;
    bool off = false;
    if (parent) {
        EntityPlace& to = placeOf(parent.index());
        joinChildren(to, place, id);
        place.local = relativeTo(to.pose, place.pose);
        off = m_slots[parent.index()].has(SlotSelfOff | SlotAncestorOff);
    }
    ++m_structure;
    if (off != m_slots[index].has(SlotAncestorOff)) {
        if (off)
            m_slots[index].set(SlotAncestorOff);
        else
            m_slots[index].clear(SlotAncestorOff);
        if (!m_slots[index].has(SlotSelfOff))
            refresh(id);
        settle();
    }
    return true;
}

} // namespace sbx
