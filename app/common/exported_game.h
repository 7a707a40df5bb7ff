#pragma once
// A player that was exported with its project: it lies in a folder with the game, plays it without being told, and keeps what it writes in a
// folder of the game's own. app/export makes such folders.
//
//   NAME/NAME               starts bin/signalbox-player
//   NAME/bin lib share      the player, as installed
//   NAME/share/signalbox/game.name   the name, one line: this file says that the folder is an export
//   NAME/game               the project

#include "engine/core/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sbx::app {

inline constexpr const char* GameNameFile = "share/signalbox/game.name"; // below the game's folder
inline constexpr const char* GameProjectFolder = "game";

struct ExportedGame {
    std::string name;
    std::filesystem::path project; // its folder
};

// The game that the running program was exported with, if it was.
[[nodiscard]] std::optional<ExportedGame> exportedGame();
// Of a program in a folder `bin`.
[[nodiscard]] std::optional<ExportedGame> exportedGame(const std::filesystem::path& programs);

// Why a game cannot have this name, which is that of files too; empty: it can.
[[nodiscard]] std::string gameNameFault(const std::string& name);
// The nearest name that a game can have: what a file's name cannot hold becomes _.
[[nodiscard]] std::string gameNameFor(const std::string& name);

// $XDG_STATE_HOME/signalbox-games/NAME, or ~/.local/state/signalbox-games/NAME.
[[nodiscard]] std::filesystem::path gameStateFolder(const std::string& name);
// Where the running program keeps what is the user's, called first in main(): `asked` (--portable) or not, the folder `user` beside it (portable.h); otherwise
// the game's own, if it was exported with one, or what the environment says.
[[nodiscard]] Result<void> useOwnFolders(const std::optional<ExportedGame>& game, bool asked);
// Makes `state` and has everything of the user's there: settings, log, keys, caches and temporary files. Sets the XDG variables and TMPDIR of this
// process, and so of those it starts. An error: the folder cannot be made.
[[nodiscard]] Result<void> useGameFolders(const std::filesystem::path& state);

} // namespace sbx::app
