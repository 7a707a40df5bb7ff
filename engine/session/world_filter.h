#pragma once
// Living entities as rows of the filter language, with their live values: `type == Crate and Health.current < 20`. What the
// console's select, list, dump and `count(…)` look through. The session's thread, apart from the schema, which is a value.
//
// The outliner filters by the names that entity_filter.h knows: a snapshot carries no live values of entities nobody inspects.

#include "engine/core/filter.h"
#include "engine/entity/world.h"
#include "engine/session/catalog.h"

#include <memory>
#include <vector>

namespace sbx {

// name, type, parent, has, scene; position.x, .y, .z; COMPONENT.FIELD of state and settings, vectors by element.
class WorldFilterSchema {
public:
    explicit WorldFilterSchema(const Catalog& catalog);

    [[nodiscard]] const FilterSchema& schema() const { return m_schema; }

private:
    friend class WorldFilterRow;
    struct Source {
        const ComponentType* component = nullptr; // null: a field of the entity itself
        const FieldInfo* field = nullptr;
        bool isState = false;
        int element = -1; // of a vector
    };
    void addField(const ComponentType& component, const FieldInfo& field, bool isState);

    FilterSchema m_schema;
    std::vector<Source> m_sources; // by field id
};

// One for many entities, one after the other: in a steady state nothing is allocated.
class WorldFilterRow : public FilterRow {
public:
    // Both outlive the row; the world stands still while a row is looked at.
    WorldFilterRow(const WorldFilterSchema& schema, const World& world) : m_schema(schema), m_world(world) {}
    void set(const Entity& entity) { m_entity = entity; }
    [[nodiscard]] std::size_t valueCount(FilterFieldId field) const override;
    [[nodiscard]] FilterValue value(FilterFieldId field, std::size_t index) const override;

private:
    [[nodiscard]] FilterValue nameOf(EntityId id) const;
    [[nodiscard]] FilterValue read(const WorldFilterSchema::Source& source, const void* object) const;

    const WorldFilterSchema& m_schema;
    const World& m_world;
    Entity m_entity;
    mutable std::string m_made; // a name nobody gave, for as long as it is looked at
};

// Names of the living that match, in id order; the error is the filter's.
[[nodiscard]] Result<std::vector<std::string>> entitiesMatching(const World& world, const WorldFilterSchema& schema,
                                                               std::string_view filter);

} // namespace sbx
