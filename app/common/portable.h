#pragma once
// `--portable`: everything of the user's (settings, log, unsaved work, caches) in one folder beside the program, so that a folder on a stick
// or of a course takes it along. And `--reset-settings`. Called first in main(): what is found later goes by the environment.

#include "engine/core/result.h"
#include "engine/core/user_folders.h"

#include <string>
#include <vector>

namespace sbx::app {

// The folder is `user` beside the program's `bin`. `asked`: it is made if it is not there. Not asked: it is used if it is there, so that a double
// click finds it, too. Sets the XDG variables of this process, and so of those it starts. An error: the folder cannot be made.
[[nodiscard]] Result<void> usePortableFolders(bool asked);

// Puts the files of settings aside, each under a name of its own beside: layout, theme and recent projects, CVars and keys, console lines of the
// start. Which projects are trusted, keys of servers and unsaved work stay. Says for each file where it is now, or why it stays.
[[nodiscard]] std::vector<std::string> resetSettings(const UserFolders& folders);

} // namespace sbx::app
