#pragma once
// Runs a project in a window of its own, against the clock.

#include "app/player/player_options.h"

namespace sbx::player {

// The program's exit status, as runHeadless(). Without a display: 2, and a line on standard error. Makes the one QApplication.
[[nodiscard]] int runInWindow(const Options& options, int& argc, char** argv);

} // namespace sbx::player
