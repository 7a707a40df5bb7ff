#pragma once
// `--export TARGET`: an export from the command line, without a display. Both programs have the options; see player_export.h.

#include "app/common/option_table.h"

#include <string>

namespace sbx::app {

struct ExportOptions {
    std::string target; // a folder or FILE.tar.gz; empty: nothing is exported
    std::string name;   // of the game; empty: that of the project
    bool withoutLibraries = false;
};

void addExportOptions(OptionTable& table, ExportOptions& options);
// What is wrong with the options beside each other and the project.
[[nodiscard]] Result<void> checkExportOptions(const ExportOptions& options, const std::string& project);

// Exports `project`, a folder, its project.toml or the name of a sample. Faults, and one line for an error, go to standard error, what was made to standard
// output. `trust`: its plugins may run, this time. Returns the exit status: 0, 1 if it could not be written, 2 for bad input, 128 + N ended by signal N; in
// all but the first case nothing is left.
[[nodiscard]] int exportFromCommandLine(const ExportOptions& options, const std::string& project, bool trust);

} // namespace sbx::app
