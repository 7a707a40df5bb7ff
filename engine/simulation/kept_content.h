#pragma once
// What stays in force while the texts of a project have errors. One mistake must not hold up the work on everything else: edits of the
// scene go on, with the definitions that were good last. Pure; any thread.

#include "engine/simulation/content.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct KeptContent {
    std::shared_ptr<const Content> content;
    std::vector<std::string> missing; // instances of the scene's text, by name, that it does not have
};

// `last` is what was in force; `now` and `faults` what loadContent() made of the texts as they are, null if it made nothing.
// `sceneText` is the scene of `last` as it is now, `schema` that of its catalog.
//
// The definitions of `now` are taken if only the scene has errors, and those of `last` would not save it from them. Else the scene is
// read with the definitions of `last`: a type may have lost its name, or whole files may be unreadable. Instances that are faulty
// themselves stay as `last` has them, at the places where the text has them now.
[[nodiscard]] KeptContent keepContent(const Content& last, const std::shared_ptr<const Content>& now,
                                      const Diagnostics& faults, std::string_view sceneText,
                                      const definition::Schema& schema);

} // namespace sbx
