// Names of entities for the recorder, whose records name their receiver only by its id.

#include "engine/entity/message_router.h"

#include <algorithm>

namespace sbx {

void MessageRouter::listUnnamed(EntityId first, std::uint32_t count) {
    // Where nothing is recorded that would have them named the list does not grow for ever.
    if (m_unnamed.size() >= 2 * std::size_t(m_slots.size()))
        std::erase_if(m_unnamed, [this](EntityId id) { return !alive(id); });
    for (std::uint32_t i = 0; i < count; ++i)
        m_unnamed.emplace_back(first.index() + i, first.generation());
    m_lane.limit = nullptr;
}

void MessageRouter::nameListed() {
    // A few with each message: a hundred thousand at once would take a fifth of a second.
    constexpr int AtOnce = 32;
    for (int i = 0; i < AtOnce && !m_unnamed.empty(); ++i) {
        const EntityId id = m_unnamed.back();
        m_unnamed.pop_back();
        if (alive(id))
            m_recorder.setEntityName(m_lane, id, nameIdOf(id));
    }
}

NameId MessageRouter::lookUpNameId(EntityId id) {
    if (!alive(id))
        return 0;
    if (m_lane.named != m_slots.size()) {
        m_nameIds.resize(m_slots.size(), 0);
        m_lane.named = m_slots.size();
    }
    NameId& known = m_nameIds[id.index()];
    if (known == 0)
        known = m_recorder.names().intern(nameOf(id));
    return known;
}

} // namespace sbx
