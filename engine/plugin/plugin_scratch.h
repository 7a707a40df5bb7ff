#pragma once
// The folder for temporary files where a process keeps the copies of plugins that it has loaded: `signalbox-plugins-XXXXXX`.
//
// A file `lock` in it is locked for as long as the process lives, however it ends; so the next one to start can tell what the dead have
// left, and removes it. From any thread; one object at a time is used by one.

#include "engine/core/result.h"

#include <filesystem>

namespace sbx {

class PluginScratch {
public:
    PluginScratch() = default;
    // Removes the folder: what is mapped stays mapped without its file.
    ~PluginScratch();
    PluginScratch(const PluginScratch&) = delete;
    PluginScratch& operator=(const PluginScratch&) = delete;

    // Makes the folder in `base` unless it is there; empty: where the system keeps temporary files.
    [[nodiscard]] Result<void> create(const std::filesystem::path& base = {});
    // Empty until it is made.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

    // Removes the folders of processes that are gone, this user's alone, and returns how many. A folder without a lock is left, unless
    // it is an earlier version's, which used none: a day old, private, and full of copies of libraries and nothing else.
    static int sweep(const std::filesystem::path& base = {});

private:
    std::filesystem::path m_path;
    int m_lock = -1; // descriptor
};

} // namespace sbx
