#pragma once
// Which files of a project's folder go into an export. Plain functions; any thread.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sbx::app {

struct ProjectFile {
    std::string name;           // relative to the project's folder, parted by /
    std::filesystem::path file; // links are followed
    std::uint64_t size = 0;     // bytes
};

// All files below `folder`, sorted by name, but for hidden ones (version control, editors), backups (name~, .bak, .orig, .tmp, .rej), the scripts' folder
// `out`, folders that CMake builds in, sources of programs (C++, CMake, Python, shell) and shared libraries. `plugins`, relative to the folder, are taken
// all the same. Errors: a file that cannot be read, a link that leaves the folder or leads to a folder.
[[nodiscard]] Result<std::vector<ProjectFile>> projectFiles(const std::filesystem::path& folder, const std::vector<std::string>& plugins);

} // namespace sbx::app
