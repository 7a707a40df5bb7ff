#pragma once
// Gives instances of a scene another parent, or none, in one pass over its text. Pure; any thread.

#include "engine/definition/batch_edit.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

struct InstanceParent {
    InstancePlace place; // the instance, and what of its place is written, in the frame of the new parent
    std::string parent;  // empty: none
};
// Each instance may be named once. Parents must be in the scene, and none may hang from its own child afterwards: an error names the way round.
[[nodiscard]] Result<TextEdits> setInstanceParents(std::string_view scene, const std::vector<InstanceParent>& parents);

} // namespace sbx::definition
