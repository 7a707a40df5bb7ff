#pragma once
// Which entities of the run there are and which are gone, with their names: for panels that show the past, where a living world
// knows an entity no longer.
//
// Data flow: SessionFeed::entitiesChanged -> the entities that left the list since the last publication. A list is compared once for each
// change, in one pass. What is known of a run stays until the next one begins, so that it can be read after Stop. GUI thread; the feed
// outlives it.

#include <QObject>

#include "engine/core/ids.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sbx {
struct EntityList;
} // namespace sbx

namespace sbx::ui {

class SessionFeed;

struct EntityLife {
    std::string name;
    // The tick of the first publication without it: it was destroyed in that tick or, if the window skipped publications, shortly
    // before. None: it lives.
    std::optional<std::uint64_t> goneBy;
};

class EntityLives : public QObject {
    Q_OBJECT

public:
    // Of more that are gone the oldest are forgotten.
    static constexpr std::size_t MaxGone = 100'000;

    explicit EntityLives(SessionFeed& feed, QObject* parent = nullptr);

    // `world` as the trace calls it. None: the window has seen no such entity, or shows another world.
    [[nodiscard]] std::optional<EntityLife> find(std::string_view world, EntityId entity) const;

private:
    void follow();

    SessionFeed& m_feed;
    std::shared_ptr<const EntityList> m_list; // of the run, as last seen; null: none was seen
    std::uint64_t m_run = 0;
    std::size_t m_viewAs = 0;                             // as in NetworkView
    std::unordered_map<std::uint64_t, EntityLife> m_gone; // by the bits of the id
    std::deque<std::uint64_t> m_order;                    // of m_gone, the oldest first
};

} // namespace sbx::ui
