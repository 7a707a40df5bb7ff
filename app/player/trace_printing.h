#pragma once
// --read-trace: prints the messages of a trace file.

#include "app/player/player_options.h"

namespace sbx::player {

// A line of text for each message on standard output (recordText()), those that --trace-filter lets through. Lines that cannot be read and
// what is left out of others goes to standard error. The exit status: 0, or 2 for a filter, a project or lines that cannot be used.
[[nodiscard]] int printTrace(const Options& options);

} // namespace sbx::player
