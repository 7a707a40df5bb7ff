#pragma once
// What is not written in a text: the keys of its types, instances and tables that are valid and are not written, with the values they have all the
// same, from a base or by default. Pure; any thread.

#include "engine/definition/definitions.h"
#include "engine/definition/lookup.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// Of which text an outline is.
enum class OutlinedFile { Project, Definitions, Scene };

// The field behind a key; null: none is known, the key is unknown or free. `component` "" for the keys of the type, instance or table itself,
// whose `table` is "scene" or "project" for those.
[[nodiscard]] const FieldInfo* fieldOf(const Schema& schema, OutlineNode::Kind owner, std::string_view table,
                                       std::string_view component, std::string_view key);

// Adds nodes that are not written (OutlineNode::written) behind those that are: to each type its missing keys, the missing keys of its
// components and the components that come from its base; to the overrides of an instance the missing keys. Components that are
// switched off get none.
void addUnwritten(std::vector<OutlineNode>& nodes, OutlinedFile file, const Definitions& definitions,
                  const Schema& schema);

} // namespace sbx::definition
