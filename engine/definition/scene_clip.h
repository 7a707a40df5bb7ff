#pragma once
// Entities of a scene as text that is carried elsewhere: what copy and paste do. The text is that of a scene, `[[entity]]` tables and
// nothing else, so that it may come from a scene file or a text editor as well. Costs the length of the texts, n log n at most. Pure;
// any thread.

#include "engine/definition/definitions.h"
#include "engine/definition/text_edit.h"

#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// The instances of those names and all that hang from them, in file order. Names that the scene derives are written out, so that what
// refers to them still does. An error if one of the names is not there.
[[nodiscard]] Result<std::string> copyInstances(std::string_view scene, const std::vector<std::string>& names);

struct PastedInstances {
    TextEdits edits;                // of the scene
    std::vector<std::string> names; // of what is put in, in the order of the text
    std::vector<std::string> roots; // those of them whose parent is neither in the text nor in the scene: they have none any more
};
// Puts the instances of `text` in at the end of the scene. A name that is taken gets a number, as freeInstanceName() gives it; parents and
// settings that name an entity of the text then name the copy. Anything that is wrong with the text is an error that begins with the line
// it stands in, and nothing is put in.
[[nodiscard]] Result<PastedInstances> pasteInstances(std::string_view scene, std::string_view text, const Definitions& definitions,
                                                     const Schema& schema);

} // namespace sbx::definition
