#pragma once
// What a user keeps across runs and programs: archived CVars, aliases and key bindings, as console lines in one file that
// editor and player share.
//
// Data flow: load() puts them into a console as the user's, after the program has registered its CVars and before the command
// line speaks; save() writes the least that says the same. Lines about CVars this program does not know are kept as they are:
// they belong to the other one. Thread: the one that executes lines. Ownership: a value beside the console, which outlives it.

#include "engine/core/console.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sbx {

class UserConfig {
public:
    // `folder`: of the files; see UserFolders::config.
    explicit UserConfig(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    // Faults are logged, and their line has no effect. No file: nothing.
    void load(Console& console);
    // Writes only if something changed; a temporary file and a rename. A file of which load() left lines out is set aside first.
    Result<void> save(const Console& console);

    [[nodiscard]] std::filesystem::path file() const { return m_folder / "user.cfg"; }
    // Lines the user wrote, to be executed once the program is ready. The program never writes it.
    [[nodiscard]] std::filesystem::path autoexec() const { return m_folder / "autoexec.cfg"; }

private:
    std::filesystem::path m_folder;
    std::vector<std::string> m_foreign; // lines kept as they are
    std::string m_written;
    bool m_leftOut = false;
};

} // namespace sbx
