#pragma once
// Living entities as rows of the filter language, with their live values: `type == Crate and Health.current < 20`. The one schema for
// all that filters entities: the outliner, and the console's select, list, near and `count(…)`.
//
// The schema is a value of a catalog and may be read from any thread; rows look into a world: the session's thread. A window has its
// filter evaluated there, too (entity_query.h).

#include "engine/core/filter.h"
#include "engine/entity/world.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct Catalog;
struct FrameSnapshot;

// name, type, parent, has, scene, enabled; position.x, .y, .z; COMPONENT.FIELD of state and settings, vectors by element.
class EntityFilterSchema {
public:
    explicit EntityFilterSchema(const std::vector<const ComponentType*>& components);

    [[nodiscard]] const FilterSchema& schema() const { return m_schema; }
    // What it says of an entity changes with World::structureVersion() alone.
    [[nodiscard]] bool isStructural(const Filter& filter) const;
    // What a text field can be compared with, as far as is known; may have repeats.
    [[nodiscard]] std::vector<std::string> values(const FilterField& field, const FrameSnapshot& frame) const;

private:
    friend class EntityFilterRow;
    struct Source {
        const ComponentType* component = nullptr; // null: a field of the entity itself
        const FieldInfo* field = nullptr;
        bool isState = false;
        int element = -1; // of a vector
    };
    void addField(const ComponentType& component, const FieldInfo& field, bool isState);

    FilterSchema m_schema;
    std::vector<Source> m_sources; // by field id
    std::vector<std::string> m_components;
};

// One for many entities, one after the other: in a steady state nothing is allocated.
class EntityFilterRow : public FilterRow {
public:
    // Both outlive the row; the world stands still while a row is looked at.
    EntityFilterRow(const EntityFilterSchema& schema, const World& world)
        : m_schema(schema), m_world(world) {}
    void set(const Entity& entity) {
        m_entity = entity;
        m_firstOf = nullptr;
    }
    [[nodiscard]] std::size_t valueCount(FilterFieldId field) const override;
    [[nodiscard]] FilterValue value(FilterFieldId field, std::size_t index) const override;

private:
    [[nodiscard]] FilterValue nameOf(EntityId id) const;
    [[nodiscard]] FilterValue read(const EntityFilterSchema::Source& source, const void* object) const;

    const EntityFilterSchema& m_schema;
    const World& m_world;
    Entity m_entity;
    mutable const ComponentType* m_firstOf = nullptr; // what valueCount() was asked for last
    mutable Entity::ComponentRef m_first;             // of those, if there are any
    mutable std::string m_made; // a name nobody gave, for as long as it is looked at
};

// Calls visit(const Entity&) for each of the living that matches, in id order. The filter is of that schema.
template <typename Visit> void eachMatch(const World& world, const EntityFilterSchema& schema,
                                         const Filter& filter, const Visit& visit) {
    EntityFilterRow row(schema, world);
    const auto look = [&](const Entity& entity) {
        row.set(entity);
        if (!entity.dying() && filter.matches(row))
            visit(entity);
    };
    world.forEach(std::ref(look));
}

// Names of the living that match, in id order; the error is the filter's.
[[nodiscard]] Result<std::vector<std::string>> entitiesMatching(const World& world, const Catalog& catalog,
                                                                std::string_view filter);

} // namespace sbx
