#include "widgets/common/entity_lives.h"

#include "widgets/common/session_feed.h"

#include <utility>

namespace sbx::ui {

EntityLives::EntityLives(SessionFeed& feed, QObject* parent) : QObject(parent), m_feed(feed) {
    connect(&feed, &SessionFeed::runChanged, this, &EntityLives::follow);
    connect(&feed, &SessionFeed::entitiesChanged, this, &EntityLives::follow);
    follow();
}

void EntityLives::follow() {
    const FrameSnapshot& frame = m_feed.frame();
    if (frame.mode == Mode::Edit)
        return; // what is known of the last run stays
    const std::size_t viewAs = frame.network ? frame.network->viewAs : 0;
    const std::shared_ptr<const EntityList> before = std::exchange(m_list, frame.entities);
    if (frame.run != m_run || viewAs != m_viewAs || !before) {
        m_run = frame.run;
        m_viewAs = viewAs;
        m_gone.clear();
        m_order.clear();
        return;
    }
    if (before == m_list)
        return;
    // Most entities stand in the same order in both lists, which is not that of their ids: what does not is looked for.
    std::size_t next = 0;
    for (const EntityRow& row : before->rows) {
        if (next < m_list->rows.size() && m_list->rows[next].id == row.id) {
            ++next;
        } else if (const EntityRow* here = m_list->find(row.id)) {
            next = static_cast<std::size_t>(here - m_list->rows.data()) + 1;
        } else {
            m_gone[row.id.bits] = {row.name, frame.tick};
            m_order.push_back(row.id.bits);
        }
    }
    for (; m_order.size() > MaxGone; m_order.pop_front())
        m_gone.erase(m_order.front());
}

std::optional<EntityLife> EntityLives::find(std::string_view world, EntityId entity) const {
    constexpr std::string_view Client = "client";
    const std::string_view number =
        world.starts_with(Client) ? world.substr(Client.size()) : std::string_view();
    if (m_list == nullptr || number != (m_viewAs == 0 ? std::string() : std::to_string(m_viewAs)))
        return std::nullopt;
    if (const auto gone = m_gone.find(entity.bits); gone != m_gone.end())
        return gone->second;
    if (const EntityRow* row = m_list->find(entity))
        return EntityLife{row->name, std::nullopt};
    return std::nullopt;
}

} // namespace sbx::ui

#include "moc_entity_lives.cpp"
