#pragma once
// Where what belongs to a user lies, as the XDG Base Directory Specification has it: settings, what a run leaves behind, what can be made
// again. Plain functions; from any thread.

#include <filesystem>
#include <string>
#include <vector>

namespace sbx {

struct UserFolders {
    // Raised when files move; see moveOldFiles().
    static constexpr int Version = 2;

    std::filesystem::path config; // settings, console lines, stars, watches
    std::filesystem::path state;  // logs, journals, history, records of crashes
    std::filesystem::path cache;  // what may be removed at any time

    // $XDG_CONFIG_HOME/signalbox or ~/.config/signalbox, $XDG_STATE_HOME or ~/.local/state, $XDG_CACHE_HOME or ~/.cache. A variable
    // that is not absolute does not count. Nothing is made.
    [[nodiscard]] static UserFolders ofUser();
    // All in one folder.
    [[nodiscard]] static UserFolders in(const std::filesystem::path& folder);
    // Where version 1 had everything: $XDG_DATA_HOME/signalbox or ~/.local/share/signalbox.
    [[nodiscard]] static std::filesystem::path oldFolder();

    // Moves what an earlier version left in `old` to where it belongs, once, and reports each file: "settings.ini: moved to …", "…: stays
    // in …: the disk is full". Nothing that is there is replaced, and nothing of an editor that still runs is moved.
    std::vector<std::string> moveOldFiles(const std::filesystem::path& old) const;
};

// Out of the way, under an unused name beside it: "settings.ini.broken", "settings.ini.broken-2". Empty: it stays where it is.
[[nodiscard]] std::filesystem::path setAside(const std::filesystem::path& file, const std::string& ending);

} // namespace sbx
