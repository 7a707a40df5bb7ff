#pragma once
// Runs a project without a window and writes what was asked for.

#include "app/player/player_options.h"

namespace sbx::player {

// As fast as it can. The program's exit status: 0 ok, 1 failed expectation or run, 2 bad input. Faults go to standard error, one line
// each.
[[nodiscard]] int runHeadless(const Options& options);

} // namespace sbx::player
