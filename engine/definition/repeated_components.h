#pragma once
// Settings of one component of several with the same name in an entity type: [[Crate.Mesh]] stands as often as the type has a mesh. They are
// numbered from 0, in the order in which they stand in the type's own text. Pure; any thread.

#include "engine/definition/text_edit.h"

#include <cstddef>
#include <string_view>

namespace sbx::definition {

// An error if there are not so many, or if they are written in another way than as tables.
[[nodiscard]] Result<TextEdits> setRepeatedValue(std::string_view definitions, std::string_view type, std::string_view component,
                                                 std::size_t number, std::string_view key, std::string_view value);
// Nothing there: no edits.
[[nodiscard]] Result<TextEdits> removeRepeatedValue(std::string_view definitions, std::string_view type, std::string_view component,
                                                    std::size_t number, std::string_view key);

} // namespace sbx::definition
