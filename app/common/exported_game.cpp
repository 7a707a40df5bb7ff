#include "app/common/exported_game.h"

#include "app/common/portable.h"
#include "engine/core/printable.h"
#include "engine/core/value.h"
#include "engine/definition/text_file.h"

#include <algorithm>
#include <cstdlib>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t LongestName = 100;                                          // bytes: file systems take 255, with what is put around it
constexpr const char* TakenNames[] = {"bin", "lib", "share", "game", "user", "README.txt"}; // of the folder's other entries
} // namespace

std::optional<ExportedGame> exportedGame() {
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    return failed ? std::nullopt : exportedGame(program.parent_path());
}

std::optional<ExportedGame> exportedGame(const fs::path& programs) {
    const fs::path folder = programs.parent_path();
    const Result<std::string> text = definition::readTextFile(folder / GameNameFile);
    if (!text)
        return {};
    ExportedGame out{text->substr(0, text->find('\n')), folder / GameProjectFolder};
    // It becomes part of a path.
    return gameNameFault(out.name).empty() ? std::optional(out) : std::nullopt;
}

std::string gameNameFault(const std::string& name) {
    if (name.empty())
        return "a game needs a name";
    if (name.size() > LongestName)
        return "the name has more than " + std::to_string(LongestName) + " bytes";
    if (name.front() == '.' || name.front() == '-')
        return "the name " + inQuotes(name) + " begins with " + name.front() + "; expected a letter, a digit or _";
    if (name.find('/') != std::string::npos || printableLine(name) != name || name.front() == ' ' || name.back() == ' ')
        return inQuotes(name) + " cannot be the name of a file; expected one without / and control characters, and without a space at its ends";
    for (const char* taken : TakenNames)
        if (name == taken)
            return "the name " + inQuotes(name) + " is that of another part of the export; expected another one";
    return {};
}

std::string gameNameFor(const std::string& name) {
    std::string out = printableLine(name);
    std::replace(out.begin(), out.end(), '/', '_');
    if (out.size() > LongestName) {
        out.resize(LongestName);
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U) // the rest of a character
            out.pop_back();
        if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0U)
            out.pop_back();
    }
    while (!out.empty() && (out.front() == '.' || out.front() == '-' || out.front() == ' '))
        out.erase(0, 1);
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    if (gameNameFault(out).empty())
        return out;
    return out.empty() ? "Game" : out + "_";
}

fs::path gameStateFolder(const std::string& name) {
    const char* const given = std::getenv("XDG_STATE_HOME");
    const char* const home = std::getenv("HOME");
    const fs::path base = given != nullptr && *given == '/' ? fs::path(given) : fs::path(home != nullptr ? home : ".") / ".local/state";
    return base / "signalbox-games" / name;
}

Result<void> useOwnFolders(const std::optional<ExportedGame>& game, bool asked) {
    std::error_code failed;
    if (!game || asked || fs::is_directory(game->project.parent_path() / "user", failed)) {
        Result<void> portable = usePortableFolders(asked);
        return !portable || !game ? portable : useGameFolders(game->project.parent_path() / "user");
    }
    return useGameFolders(gameStateFolder(game->name));
}

Result<void> useGameFolders(const fs::path& state) {
    std::error_code failed;
    const fs::path whole = fs::absolute(state, failed);
    for (const auto& [variable, name] : {std::pair("XDG_CONFIG_HOME", "config"), std::pair("XDG_STATE_HOME", "state"),
                                         std::pair("XDG_CACHE_HOME", "cache"), std::pair("XDG_DATA_HOME", "data"), std::pair("TMPDIR", "tmp")}) {
        const fs::path part = whole / name;
        fs::create_directories(part, failed);
        if (failed)
            return Error{"the game's own folder cannot be made: " + part.string() + ": " + failed.message()
                             + "; expected a home folder that can be written, or XDG_STATE_HOME with one",
                         {},
                         {}};
        ::setenv(variable, part.c_str(), 1);
    }
    return {};
}

} // namespace sbx::app
