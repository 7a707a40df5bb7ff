#pragma once
// The command line of signalbox-player.

#include "app/export/export_command.h"
#include "engine/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbx::player {

struct Options {
    std::string project;
    std::string scene;
    bool headless = false;
    bool safeMode = false; // nothing of the user's settings, no plugins
    bool trust = false;    // this project's plugins may run, this time
    std::optional<std::uint64_t> ticks;
    std::optional<std::int64_t> seed;
    std::string testMode; // path of the socket for remote control; empty: none
    std::string execFile;
    std::string traceFile;
    std::string traceFilter; // of the trace that is written or read
    std::string readTrace;   // a trace to print, instead of playing
    std::string digestFile;
    std::string screenshotFile;
    std::string audioFile;
    int width = 1280; // of the window and the picture, pixels
    int height = 720;
    bool fullScreen = false;
    std::vector<std::pair<std::string, std::string>> cvars; // --NAME=VALUE or --set NAME=VALUE
    std::optional<std::uint16_t> serve; // port; 0: any free one
    std::string connect;                // HOST:PORT
    bool observe = false;               // without a player
    std::optional<unsigned> clients;    // alone: within this program; with serve: so many begin the game
    std::string link;                   // as net::parseLink reads it
    std::string playerName;
    std::string serverKeyFile; // empty: the user's own
    std::string passwordFile;
    bool portable = false; // the user's folders beside the program
    app::ExportOptions exporting; // of the project, which is not played then
    bool help = false;
    bool version = false;
    bool manualPage = false; // write the manual page to standard output and end
    bool completion = false; // the same with the completion for bash
};

// The arguments after the program's name. `game`: the folder of the project that the player was exported with, which is played unless another is named, and
// whose plugins may run; empty: none. Errors say which argument and what would be right.
[[nodiscard]] Result<Options> parseOptions(const std::vector<std::string>& arguments, const std::string& game = {});
[[nodiscard]] std::string usage();
// In roff, for man(1).
[[nodiscard]] std::string manualPage(const std::string& version);
// For bash.
[[nodiscard]] std::string completion();

} // namespace sbx::player
