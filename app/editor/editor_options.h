#pragma once
// The command line of signalbox.

#include "app/export/export_command.h"
#include "engine/core/result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbx::editor {

struct Options {
    std::string project; // a folder, a project.toml or a scene file; empty: the welcome page
    std::string execFile;
    std::string screenshotFile;      // written before the program ends
    std::optional<double> quitAfter; // seconds
    bool earlyPictures = false;      // somebody waits for the window: ViewportView::setEarlyPictures()
    std::string testMode; // path of the socket for remote control; empty: none
    bool play = false;
    bool safeMode = false; // default layout and settings, nothing of earlier runs
    bool trust = false; // the plugins of what the command line opens may run, this time
    bool portable = false;      // the user's folders beside the program
    bool resetSettings = false; // they are put aside before the start
    std::string newPlugin; // a folder to make a project with C++ components in; empty: none
    bool selfTest = false;
    app::ExportOptions exporting; // of the project, instead of a window
    bool manualPage = false; // write the manual page to standard output and end
    bool completion = false; // the same with the completion for bash
    std::string theme; // "dark", "light", "system"; empty: as remembered
    int width = 0;     // of the window; 0: as remembered
    int height = 0;
    bool help = false;
    bool version = false;
    std::vector<std::pair<std::string, std::string>> cvars;
};

[[nodiscard]] Result<Options> parseOptions(const std::vector<std::string>& arguments);
[[nodiscard]] std::string usage();
// In roff, for man(1).
[[nodiscard]] std::string manualPage(const std::string& version);
// For bash.
[[nodiscard]] std::string completion();

} // namespace sbx::editor
