#pragma once
// The state of a world or entity, written down for people and programs. The session's thread.

#include "engine/entity/world.h"

#include <string>

namespace sbx {

// {"tick":60,"entities":[…]}
[[nodiscard]] std::string worldJson(const World& world);
// {"world":"local","id":"…","name":"ball","type":"Ball","position":[x,y,z],"rotation":[x,y,z,w],"components":{…}}
[[nodiscard]] std::string entityJson(const World& world, const Entity& entity);

// One line an entity: name, type, position.
[[nodiscard]] std::string worldText(const World& world);
// Every component with its settings and state, a line a field.
[[nodiscard]] std::string entityText(const World& world, const Entity& entity);

} // namespace sbx
