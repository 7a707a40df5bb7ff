#include "engine/session/entity_filter.h"

namespace sbx {

namespace {
enum : FilterFieldId { FieldName, FieldTypeName, FieldParent, FieldHas, FieldScene };
}

const FilterSchema& entityFilterSchema() {
    static const FilterSchema Schema = [] {
        FilterSchema schema;
        schema.add({.name = "name", .doc = "Name of the entity.", .searched = true});
        schema.add({.name = "type", .doc = "Entity type.", .searched = true});
        schema.add({.name = "parent", .doc = "Name of the parent."});
        schema.add({.name = "has", .doc = "Its components.", .aliases = {"component"}});
        schema.add({.name = "scene", .type = FilterType::Bool, .doc = "An instance of the scene file."});
        return schema;
    }();
    return Schema;
}

std::size_t EntityFilterRow::valueCount(FilterFieldId field) const {
    switch (field) {
    case FieldParent:
        return m_row.parent.empty() ? 0 : 1;
    case FieldHas:
        return m_row.entityType ? m_row.entityType->layout().size() : 0;
    default:
        return 1;
    }
}

FilterValue EntityFilterRow::value(FilterFieldId field, std::size_t index) const {
    switch (field) {
    case FieldName:
        return FilterValue::of(std::string_view(m_row.name));
    case FieldTypeName:
        return FilterValue::of(std::string_view(m_row.type));
    case FieldParent:
        return FilterValue::of(std::string_view(m_row.parent));
    case FieldHas:
        return FilterValue::of(std::string_view(m_row.entityType->layout()[index].type->name));
    default:
        return FilterValue::of(m_row.fromScene);
    }
}

} // namespace sbx
