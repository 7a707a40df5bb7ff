#pragma once
// The filter that a window has in force over the living entities. It is evaluated where the entities are, on the session's thread,
// whenever something is published: the window gets ids, and what a filter may ask of an entity need not be copied for it.
//
// What a filter says can change only with what it looks at: one of names, types and parents is evaluated when the list of entities is
// another, one of components and their fields each time. Without a filter nothing is done; while the same entities match, the answer
// is the same object.

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
    // Empty: nothing is asked any more.
    void ask(std::string filter);
    // Null: nothing is asked. `list`: the entities of the world as they are published. A filter that does not compile with the
    // catalog's fields, such as those of a plugin that was taken out, stays as it was; one that never did matches nothing.
    [[nodiscard]] std::shared_ptr<const EntityMatches> look(const World& world,
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
