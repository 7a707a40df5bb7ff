#pragma once
// Which keys a project listens to, so that the player can show them: those of the Key components of its scene.

#include "engine/simulation/content.h"

#include <string>
#include <vector>

namespace sbx::player {

struct WorldKey {
    std::string key;                // as Key components name it: "left"
    std::vector<std::string> types; // the entity types that listen to it, each once
};
// In the order in which the scene's file first has them.
[[nodiscard]] std::vector<WorldKey> worldKeys(const Content& content, const definition::Schema& schema);

} // namespace sbx::player
