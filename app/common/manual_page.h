#pragma once
// A program's manual page and shell completion, written from the table of its options, so that both always say what `--help` says.
// Run by the build: `signalbox --manual-page`, `signalbox --completion`. Pure functions; any thread.

#include "app/common/option_table.h"

#include <string>
#include <utility>
#include <vector>

namespace sbx::app {

struct ManualPage {
    std::string program;  // "signalbox-player"
    std::string version;  // "0.1.0"
    std::string summary;  // of one line, after the dash
    std::string synopsis; // arguments before the options: "[PROJECT | FILE]"
    // Plain text; an empty line begins a paragraph.
    std::string description;
    // Further sections: title and plain text.
    std::vector<std::pair<std::string, std::string>> sections;
    std::string seeAlso; // "signalbox-player(1)"
};

// In the man macros of roff, section 1.
[[nodiscard]] std::string manualPage(const ManualPage& page, const OptionTable& options);

// A script for bash: completes options, file names where a value is a file, and project folders.
[[nodiscard]] std::string bashCompletion(const std::string& program, const OptionTable& options);

} // namespace sbx::app
