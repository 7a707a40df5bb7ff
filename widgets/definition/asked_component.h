#pragma once
// Which entities of the running world have the component that a row of a definition or scene describes, and what it is called there. Pure.

#include "engine/simulation/snapshot.h"
#include "widgets/definition/tree_edits.h"

#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

struct AskedComponents {
    std::string part; // "Health"; "Sound#2" for the second of a kind
    std::vector<std::string>
        entities; // `first` if it is one of them, then as in the list; of a type also those of types that extend it and keep it
};

// Of a component's row, or of one of its keys; nothing: the row is of something else, or its type has a fault.
[[nodiscard]] std::optional<AskedComponents> askedComponents(const TreePlace& place,
                                                             const definition::Definitions& definitions,
                                                             const EntityList& entities,
                                                             const std::string& first);

} // namespace sbx::ui
