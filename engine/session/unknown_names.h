#pragma once
// Errors of the form "no entity is called crate_9; did you mean crate_8?", for console commands and for paths in conditions.
// Free functions; on the thread that ticks the world.

#include "engine/core/cvar.h"
#include "engine/core/nearest.h"
#include "engine/core/value.h"
#include "engine/entity/world.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sbx {

// `what`: "entity", "entity type", "message type".
[[nodiscard]] inline Error unknownName(const char* what, const std::string& name, const std::string& near) {
    return {std::string("no ") + what + " is called " + inQuotes(name)
                + (near.empty() ? "" : "; did you mean " + near + "?"),
            {},
            {}};
}

[[nodiscard]] inline Error unknownName(const char* what, const std::string& name,
                                       const std::vector<std::string>& known) {
    return unknownName(what, name, nearestName(name, known));
}

[[nodiscard]] inline std::vector<std::string> entityNames(const World& world) {
    std::vector<std::string> names;
    world.forEach([&](const Entity& entity) { names.push_back(entity.name()); });
    return names;
}

[[nodiscard]] inline Error unknownEntity(const World& world, const std::string& name) {
    return unknownName("entity", name, entityNames(world));
}

// Of a path that begins with no entity's name: it may be meant as a CVar.
[[nodiscard]] inline Error unknownPath(const CVarRegistry& cvars, const World& world, const std::string& path) {
    const std::string name = path.substr(0, path.find('.'));
    const std::vector<std::string> all = cvars.names();
    const std::string cvar = CVarRegistry::isValidName(path) ? nearestName(path, all) : std::string();
    const bool isRoom = std::any_of(all.begin(), all.end(),
                                    [&](const std::string& each) { return each.starts_with(name + "."); });
    if (cvar.empty() || !isRoom)
        if (const std::string near = nearestName(name, entityNames(world)); cvar.empty() || !near.empty())
            return unknownName("entity", name, near);
    return {"there is no CVar " + inQuotes(path) + " and no entity " + inQuotes(name) + "; did you mean " + cvar + "?",
            {},
            {}};
}

} // namespace sbx
