#pragma once
// Entities as rows of the filter language: for the outliner, the console's `select` and `count(…)`. Any thread.

#include "engine/core/filter.h"
#include "engine/session/snapshot.h"

namespace sbx {

// name, type, parent, has (its components), scene (true for instances of the scene file).
[[nodiscard]] const FilterSchema& entityFilterSchema();

class EntityFilterRow : public FilterRow {
public:
    explicit EntityFilterRow(const EntityRow& row) : m_row(row) {}
    [[nodiscard]] std::size_t valueCount(FilterFieldId field) const override;
    [[nodiscard]] FilterValue value(FilterFieldId field, std::size_t index) const override;

private:
    const EntityRow& m_row;
};

} // namespace sbx
