#pragma once
// Which shared libraries programs need on this machine, and where they lie. The dynamic loader itself says where it finds each
// (`ld.so --list`), so that run paths, its cache and LD_LIBRARY_PATH count as they do when a program starts. Blocking; any thread.

#include "engine/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sbx::app {

struct NeededLibrary {
    std::string name;           // as it is asked for: "libQt6Core.so.6"
    std::filesystem::path file; // absolute
    bool ofSystem = false;      // it is never carried (carried_parts.h)
};

// Of the files and of what their libraries need, without what only those of the system need, and without the files themselves; sorted by name. `loader`: the program that starts programs here. `carried`: the folder where a program that carries its libraries has them,
// where they are found by the program's run path, which the loader does not see when it is asked about one of Qt's plugins alone. An error: a library is
// not there that is not the system's, or a file is none.
[[nodiscard]] Result<std::vector<NeededLibrary>> neededLibraries(const std::vector<std::filesystem::path>& files, const std::string& loader,
                                                                 const std::filesystem::path& carried);

// What a program prints to its standard output, without a shell. Standard error goes nowhere. An error: it cannot be started.
[[nodiscard]] Result<std::string> outputOf(const std::vector<std::string>& command);

} // namespace sbx::app
