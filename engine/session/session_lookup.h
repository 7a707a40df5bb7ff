#pragma once
// "There is no such thing; did you mean …?" for the session's console commands; private to this room.

#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/entity/world.h"

namespace sbx {

// `what`: "entity", "entity type", "message type".
[[nodiscard]] inline Error unknownName(const char* what, const std::string& name,
                                       const std::vector<std::string>& known) {
    const std::string near = nearestName(name, known);
    return {std::string("no ") + what + " is called " + sbx::quoted(name)
                + (near.empty() ? "" : "; did you mean " + near + "?"),
            {},
            {}};
}

[[nodiscard]] inline Error unknownEntity(const World& world, const std::string& name) {
    std::vector<std::string> names;
    world.forEach([&](const Entity& entity) { names.push_back(entity.name()); });
    return unknownName("entity", name, names);
}

} // namespace sbx
