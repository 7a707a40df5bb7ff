#include "engine/core/user_folders.h"

#include "engine/core/whole_file.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

namespace sbx {

namespace fs = std::filesystem;

namespace {

fs::path userBase(const char* variable, const char* belowHome) {
    if (const char* given = std::getenv(variable); given != nullptr && *given == '/')
        return fs::path(given) / "signalbox";
    const char* home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : ".") / belowHome / "signalbox";
}

constexpr const char* VersionFile = "folders-version";

int versionIn(const fs::path& folder) {
    int version = 1;
    std::ifstream(folder / VersionFile) >> version;
    return version;
}

bool isOneOf(const std::string& name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// "0123456789abcdef-0": a project and a number; what stands before a journal's ending.
std::optional<std::string> journalBase(const std::string& name) {
    const std::size_t dot = name.find('.');
    const std::size_t dash = name.find('-');
    if (dash != 16 || dot == std::string::npos || dot < dash
        || name.find_first_not_of("0123456789abcdef") != dash)
        return std::nullopt;
    const std::string_view ending = std::string_view(name).substr(dot);
    if (ending == ".journal" || ending.starts_with(".recover"))
        return name.substr(0, dot);
    return std::nullopt;
}

// The first line of a lock file is the process that holds it.
bool heldByLiving(const fs::path& lock) {
    int process = 0;
    return std::ifstream(lock) >> process && process > 0 && ::kill(process, 0) == 0;
}

Result<void> moveFile(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    fs::rename(from, to, failed);
    if (!failed)
        return {};
    // Onto another disk.
    if (Result<void> copied = copyFileSafely(from, to); !copied)
        return copied;
    fs::remove(from, failed);
    return {};
}

} // namespace

UserFolders UserFolders::ofUser() {
    return {userBase("XDG_CONFIG_HOME", ".config"), userBase("XDG_STATE_HOME", ".local/state"),
            userBase("XDG_CACHE_HOME", ".cache")};
}

UserFolders UserFolders::in(const fs::path& folder) { return {folder, folder, folder}; }

fs::path UserFolders::oldFolder() { return userBase("XDG_DATA_HOME", ".local/share"); }

std::vector<std::string> UserFolders::moveOldFiles(const fs::path& old) const {
    std::vector<std::string> report;
    std::error_code failed;
    if (!fs::is_directory(old, failed))
        return report;
    fs::create_directories(config, failed);
    fs::create_directories(state, failed);
    if (fs::equivalent(old, config, failed) || fs::equivalent(old, state, failed) || versionIn(config) >= Version)
        return report;
    std::vector<std::string> names;
    for (fs::directory_iterator it(old, failed), end; !failed && it != end; it.increment(failed))
        if (std::error_code ignored; it->is_regular_file(ignored))
            names.push_back(it->path().filename().string());
    std::sort(names.begin(), names.end());
    bool all = true;
    for (const std::string& name : names) {
        fs::path to;
        if (isOneOf(name, {"settings.ini", "user.cfg", "autoexec.cfg", "console_stars", "console_watches"}))
            to = config / name;
        else if (isOneOf(name, {"signalbox.log", "signalbox.log.1", "console_history"}))
            to = state / name;
        else if (const auto base = journalBase(name); base && !heldByLiving(old / (*base + ".lock")))
            to = state / name;
        else {
            // The journal of an editor that still runs is moved once that editor has ended.
            all = all && !base;
            continue;
        }
        if (fs::exists(to, failed))
            continue;
        if (const Result<void> moved = moveFile(old / name, to); moved) {
            report.push_back(name + ": moved to " + to.parent_path().string());
        } else {
            report.push_back(name + ": stays in " + old.string() + ": " + moved.error().message);
            all = false;
        }
    }
    // Else once more, next time.
    if (all)
        if (const Result<void> written = writeFileSafely(config / VersionFile, std::to_string(Version) + "\n"); !written)
            report.push_back(written.error().toString());
    return report;
}

fs::path setAside(const fs::path& file, const std::string& ending) {
    std::error_code failed;
    fs::path aside = file.string() + ending;
    for (int i = 2; fs::exists(fs::symlink_status(aside, failed)); ++i)
        aside = file.string() + ending + "-" + std::to_string(i);
    fs::rename(file, aside, failed);
    return failed ? fs::path() : aside;
}

} // namespace sbx
