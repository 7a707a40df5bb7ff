#pragma once
// The file without a name into which this process spills segments below a folder: its descriptor, so that a test can do to it what a
// broken disk might.

#include <filesystem>
#include <string>

namespace sbx::test {

// -1: there is none.
inline int spilledFile(const std::filesystem::path& folder) {
    std::error_code failed;
    const std::string below = std::filesystem::canonical(folder, failed).string() + "/";
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const std::string target = std::filesystem::read_symlink(entry.path(), failed).string();
        if (target.starts_with(below))
            return std::stoi(entry.path().filename().string());
    }
    return -1;
}

} // namespace sbx::test
