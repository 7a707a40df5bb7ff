#pragma once
// The filter that a window has in force over the living entities. It is evaluated where the entities are, on the session's thread,
// whenever a snapshot is published: the window gets ids, and the values that a filter reads need not be copied for it.
//
// The result of a filter changes only with what it reads: one over names, types and parents is evaluated when the list of entities is
// another, one over components and their fields at each publication. Without a filter nothing is done; while the same entities match,
// the result is the same object.

#include "engine/core/filter.h"
#include "engine/core/ids.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx {

class World;
struct Catalog;
struct EntityList;
struct EntityMatches;

class EntityQuery {
public:
    // Empty: none is in force any more.
    void setFilter(std::string filter);
    // Which entities match; null: no filter is in force. `list`: the entities of the world as they are published. A filter that does
    // not compile with the catalog's fields, such as those of a plugin that was taken out, stays as it was; one that never compiled
    // matches nothing.
    [[nodiscard]] std::shared_ptr<const EntityMatches> evaluate(const World& world,
                                                                const std::shared_ptr<const Catalog>& catalog,
                                                                const std::shared_ptr<const EntityList>& list);

private:
    void compile(const std::shared_ptr<const Catalog>& catalog);

    std::string m_text;
    std::shared_ptr<const Catalog> m_tried;  // the catalog that m_text was compiled with last
    std::shared_ptr<const Catalog> m_fields; // the one that m_filter is of; null: it never compiled
    Filter m_filter;
    bool m_structural = false;
    std::shared_ptr<const EntityList> m_seen; // when it was evaluated last
    std::shared_ptr<const EntityMatches> m_answer;
    std::vector<EntityId> m_ids;
};

} // namespace sbx
