#pragma once
// The console's side of events: `event` declares one, `raise` raises one, `list events` tells which there are.

#include "engine/core/console.h"
#include "engine/entity/world.h"

#include <functional>

namespace sbx {

// Names that parameters may hold, for completion; any thread.
using NameSource = std::function<std::vector<std::string>(TextRole)>;

// `world` is asked when a command runs, on its thread.
void registerEventCommands(Console& console, std::function<World&()> world, NameSource names);

} // namespace sbx
