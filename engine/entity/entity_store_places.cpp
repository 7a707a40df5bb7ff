// Poses, parents and children.

#include "engine/core/log.h"
#include "engine/entity/entity_store.h"

namespace sbx {

EntityPlace& EntityStore::placeOf(std::uint32_t index) {
    m_slots[index].set(SlotPlaced);
    return m_places.get(index);
}

void EntityStore::setPose(EntityId id, const Pose& world, bool teleport) {
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
    moveChildren(id);
}

// All below follow, however deep: parents before their children.
void EntityStore::moveChildren(EntityId id) {
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

std::span<const EntityId> EntityStore::takeMovedByParent() {
    m_movedByParentTaken.clear();
    m_movedByParentTaken.swap(m_movedByParent);
    return m_movedByParentTaken;
}

void EntityStore::joinChildren(EntityPlace& parent, EntityPlace& place, EntityId id) {
    place.at = static_cast<std::uint32_t>(parent.children.size());
    parent.children.push_back(id);
}

void EntityStore::leaveParent(std::uint32_t index) {
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

void EntityStore::closeGaps(EntityPlace& parent) const {
    std::uint32_t kept = 0;
    for (const EntityId child : parent.children)
        if (child) {
            ++m_childrenMoved;
            m_places.find(child.index())->at = kept;
            parent.children[kept++] = child;
        }
    parent.children.resize(kept);
    parent.gaps = 0;
}

const std::vector<EntityId>& EntityStore::childrenOf(std::uint32_t index) const {
    EntityPlace& place = *m_places.find(index);
    if (place.gaps != 0)
        closeGaps(place);
    return place.children;
}

// Appended to m_receivers, parents before children, each subtree in one piece.
void EntityStore::listSubtree(EntityId root) {
    const std::size_t from = m_waiting.size();
    m_waiting.push_back(root);
    while (m_waiting.size() > from) {
        const EntityId id = m_waiting.back();
        m_waiting.pop_back();
        m_receivers.push_back(id);
        if (!m_slots[id.index()].has(SlotPlaced))
            continue;
        const std::vector<EntityId>& children = childrenOf(id.index());
        m_waiting.insert(m_waiting.end(), children.rbegin(), children.rend());
    }
}

} // namespace sbx
