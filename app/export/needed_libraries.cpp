#include "app/export/needed_libraries.h"

#include "app/export/elf_file.h"
#include "app/export/carried_parts.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>

extern char** environ;

namespace sbx::app {

namespace {

bool staysWithTheSystem(const std::string& name) {
    const std::string_view stem = std::string_view(name).substr(0, name.find(".so"));
    return std::find(carried::SystemLibraries.begin(), carried::SystemLibraries.end(), stem) != carried::SystemLibraries.end();
}

// Lines such as "\tlibz.so.1 => /lib/libz.so.1 (0x00007f…)"; a path is empty if the library was not found.
void readListing(const std::string& listing, std::map<std::string, std::filesystem::path>& out) {
    constexpr std::string_view Arrow = " => ";
    for (std::size_t begin = 0; begin < listing.size();) {
        const std::size_t end = std::min(listing.find('\n', begin), listing.size());
        const std::string_view line = std::string_view(listing).substr(begin, end - begin);
        begin = end + 1;
        const std::size_t arrow = line.find(Arrow);
        if (arrow == std::string_view::npos)
            continue;
        const std::size_t name = line.find_first_not_of(" \t");
        std::string_view file = line.substr(arrow + Arrow.size());
        file = file.substr(0, std::min(file.rfind(" ("), file.size()));
        if (!file.starts_with('/'))
            file = {};
        out.emplace(line.substr(name, arrow - name), file);
    }
}

} // namespace

Result<std::string> outputOf(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    const auto fail = [&](int number) { return Error{"cannot be started: " + std::string(std::strerror(number)), command.front(), {}}; };
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(errno);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0); // dpkg-query ends when it cannot write there
    std::vector<char*> arguments;
    for (const std::string& part : command)
        arguments.push_back(const_cast<char*>(part.c_str()));
    arguments.push_back(nullptr);
    // In English, whatever the user reads.
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!std::string_view(*entry).starts_with("LC_ALL="))
            environment.push_back(*entry);
    std::string english = "LC_ALL=C.UTF-8";
    environment.push_back(english.data());
    environment.push_back(nullptr);
    pid_t process = 0;
    const int fault = ::posix_spawnp(&process, command.front().c_str(), &actions, nullptr, arguments.data(), environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string out;
    std::array<char, 65536> part{};
    while (fault == 0) {
        const ssize_t got = ::read(ends[0], part.data(), part.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        out.append(part.data(), static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    if (fault != 0)
        return fail(fault);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    return out;
}

Result<std::vector<NeededLibrary>> neededLibraries(const std::vector<std::filesystem::path>& files, const std::string& loader,
                                                   const std::filesystem::path& carried) {
    std::map<std::string, std::filesystem::path> places;
    for (const std::filesystem::path& file : files) {
        const Result<std::string> listing = outputOf({loader, "--list", file.string()});
        if (!listing)
            return listing.error();
        readListing(*listing, places);
    }
    std::map<std::string, std::filesystem::path> found;
    std::map<std::string, std::filesystem::path> ofSystem;
    std::vector<std::filesystem::path> open = files;
    while (!open.empty()) {
        const std::filesystem::path file = open.back();
        open.pop_back();
        const Result<ElfFile> elf = ElfFile::read(file);
        if (!elf)
            return elf.error();
        for (const std::string& name : elf->needed()) {
            if (found.contains(name))
                continue;
            if (staysWithTheSystem(name)) {
                if (const auto place = places.find(name); place != places.end() && !place->second.empty())
                    ofSystem.insert(*place);
                continue;
            }
            std::error_code ignored;
            if (const std::filesystem::path own = carried / name; std::filesystem::exists(own, ignored))
                places[name] = own;
            const auto place = places.find(name);
            if (place == places.end() || place->second.empty())
                return Error{"needs the library " + name + ", which is not on this machine", file.string(), {}};
            found.emplace(name, place->second);
            open.push_back(place->second);
        }
    }
    std::vector<NeededLibrary> out;
    for (const auto& [name, place] : found)
        if (std::none_of(files.begin(), files.end(), [&](const std::filesystem::path& file) {
                std::error_code ignored;
                return std::filesystem::equivalent(file, place, ignored);
            }))
            out.push_back({name, place, false});
    for (const auto& [name, place] : ofSystem)
        out.push_back({name, place, true});
    std::sort(out.begin(), out.end(), [](const NeededLibrary& a, const NeededLibrary& b) { return a.name < b.name; });
    return out;
}

} // namespace sbx::app
