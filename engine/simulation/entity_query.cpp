#include "engine/simulation/entity_query.h"

#include "engine/simulation/catalog.h"
#include "engine/simulation/entity_filter.h"
#include "engine/simulation/snapshot.h"

namespace sbx {

void EntityQuery::setFilter(std::string filter) {
    if (filter == m_text)
        return;
    *this = EntityQuery();
    m_text = std::move(filter);
}

void EntityQuery::compile(const std::shared_ptr<const Catalog>& catalog) {
    m_tried = catalog;
    Result<Filter> filter = Filter::compile(m_text, catalog->entityFields->schema());
    if (!filter)
        return;
    m_filter = std::move(*filter);
    m_fields = catalog;
    m_structural = catalog->entityFields->isStructural(m_filter);
    m_seen = nullptr;
}

std::shared_ptr<const EntityMatches> EntityQuery::evaluate(const World& world,
                                                       const std::shared_ptr<const Catalog>& catalog,
                                                       const std::shared_ptr<const EntityList>& list) {
    if (m_text.empty())
        return nullptr;
    if (m_tried != catalog)
        compile(catalog);
    if (m_answer && m_structural && m_seen == list)
        return m_answer;
    m_seen = list;
    m_ids.clear();
    if (m_fields)
        eachMatch(world, *m_fields->entityFields, m_filter,
                  [&](const Entity& entity) { m_ids.push_back(entity.id()); });
    if (!m_answer || m_answer->ids != m_ids)
        m_answer = std::make_shared<const EntityMatches>(EntityMatches{m_text, m_ids});
    return m_answer;
}

} // namespace sbx
