#include "widgets/viewport/entity_links.h"

#include "engine/core/component_name.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

bool namesEntity(const FieldInfo& field) {
    return field.type == FieldType::Entity || (field.type == FieldType::String && field.role == TextRole::EntityName);
}

void addEnd(std::vector<std::string>& ends, const std::string& end, const std::string& self) {
    if (end != self && std::find(ends.begin(), ends.end(), end) == ends.end())
        ends.push_back(end);
}

} // namespace

const std::vector<LinkReader::Reference>& LinkReader::referencesOf(const std::string& type) {
    const auto [known, first] = m_known.try_emplace(type);
    const definition::EntityTypeDefinition* definition = first ? m_definitions.find(type) : nullptr;
    if (definition == nullptr)
        return known->second;
    ComponentNumbering numbering;
    for (const definition::ComponentDefinition& component : definition->components) {
        const std::string shown = numbering.nextName(component.name);
        const definition::ComponentSchema* schema = m_schema.find(component.name);
        if (schema == nullptr || schema->settings == nullptr)
            continue;
        for (const FieldInfo& field : *schema->settings) {
            if (!namesEntity(field))
                continue;
            const definition::Setting* setting = component.find(field.name);
            const Value& value = setting != nullptr ? setting->value : field.defaultValue;
            const auto* text = std::get_if<std::string>(&value);
            known->second.push_back({component.name, shown, field.name, text != nullptr ? *text : std::string()});
        }
    }
    return known->second;
}

void LinkReader::read(const std::string& entity, const std::string& type, const definition::InstanceDefinition* instance,
                      std::vector<EntityLink>& into) {
    for (const Reference& reference : referencesOf(type)) {
        const std::string* name = &reference.value;
        if (instance != nullptr)
            for (const definition::ComponentDefinition& own : instance->overrides)
                // Of several of a kind a scene means the first.
                if (own.name == reference.shown)
                    if (const definition::Setting* setting = own.find(reference.field))
                        if (const auto* text = std::get_if<std::string>(&setting->value))
                            name = text;
        if (!name->empty())
            into.push_back({entity, reference.shown, reference.field, *name, false});
    }
}

std::vector<EntityLink> linksOf(const Inspection& living, const EntityList& entities) {
    std::vector<EntityLink> links;
    const auto add = [&](const InspectedComponent& component, const InspectedField& field) {
        if (field.info == nullptr || !namesEntity(*field.info))
            return;
        EntityLink link{living.name, component.name, field.info->name, {}, false};
        if (const auto* text = std::get_if<std::string>(&field.value)) {
            link.to = *text;
            link.broken = entities.find(link.to) == nullptr;
        } else if (const auto* id = std::get_if<EntityId>(&field.value)) {
            const EntityRow* row = entities.find(*id);
            link.to = row != nullptr ? row->name : std::string();
        }
        if (!link.to.empty())
            links.push_back(std::move(link));
    };
    for (const InspectedComponent& component : living.components) {
        for (const InspectedField& field : component.settings)
            add(component, field);
        for (const InspectedField& field : component.state)
            add(component, field);
    }
    return links;
}

EntityLinks::EntityLinks(std::vector<EntityLink> links, const std::function<bool(const std::string&)>& exists) : m_links(std::move(links)) {
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        EntityLink& link = m_links[i];
        link.broken = !exists(link.to);
        m_from[link.from].push_back(i);
        m_to[link.to].push_back(i);
    }
}

std::vector<EntityLink> EntityLinks::found(const Index& index, const std::string& entity) const {
    std::vector<EntityLink> links;
    if (const auto at = index.find(entity); at != index.end())
        for (const std::size_t i : at->second)
            links.push_back(m_links[i]);
    return links;
}

std::vector<std::string> targetsOf(const std::vector<EntityLink>& from, const std::string& entity) {
    std::vector<std::string> ends;
    for (const EntityLink& link : from)
        if (!link.broken)
            addEnd(ends, link.to, entity);
    return ends;
}

std::vector<std::string> referrersOf(const std::vector<EntityLink>& to, const std::string& entity) {
    std::vector<std::string> ends;
    for (const EntityLink& link : to)
        addEnd(ends, link.from, entity);
    return ends;
}

std::optional<LinkWalk::Step> LinkWalk::step(const std::string& now, Way way,
                                             const std::function<std::vector<std::string>(const std::string&)>& ends) {
    const bool goesOn = now == m_landed && !m_origin.empty();
    if (goesOn && way == m_way && m_several) {
        const std::vector<std::string> others = ends(m_origin);
        if (const auto at = std::find(others.begin(), others.end(), now); at != others.end() && others.size() > 1) {
            const std::size_t next = (static_cast<std::size_t>(at - others.begin()) + 1) % others.size();
            m_landed = others[next];
            return Step{m_landed, next + 1, others.size()};
        }
    }
    const std::vector<std::string> others = ends(now);
    if (others.empty())
        return std::nullopt;
    std::size_t first = 0;
    if (goesOn && way != m_way)
        if (const auto back = std::find(others.begin(), others.end(), m_origin); back != others.end())
            first = static_cast<std::size_t>(back - others.begin());
    m_origin = now;
    m_landed = others[first];
    m_way = way;
    m_several = others.size() > 1;
    return Step{m_landed, first + 1, others.size()};
}

} // namespace sbx::ui
