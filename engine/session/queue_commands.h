#pragma once
// The console's side of what waits to be dispatched, messages and events alike: `list queue` shows it, `cancel` takes it back.

#include "engine/session/event_commands.h"

namespace sbx {

// `world` and `run`, a number that no two worlds share, are asked when a command runs, on its thread; `names` on the thread that
// completes.
void registerQueueCommands(Console& console, std::function<World&()> world,
                           std::function<std::uint64_t()> run, NameSource names);

} // namespace sbx
