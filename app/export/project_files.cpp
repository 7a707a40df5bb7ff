#include "app/export/project_files.h"

#include "engine/core/whole_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view LeftOutEndings[] = {
    "~",  ".bak", ".orig", ".tmp", ".rej",                      // backups
    ".c", ".cc",  ".cpp",  ".cxx", ".h", ".hh", ".hpp", ".hxx", // sources of plugins
    ".o", ".a",   ".so",   ".py",  ".pyc", ".sh", ".cmake"};
constexpr std::string_view LeftOutNames[] = {"CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "Makefile", "__pycache__"};

bool isLeftOut(const std::string& name) {
    return name.starts_with('.') || std::find(std::begin(LeftOutNames), std::end(LeftOutNames), name) != std::end(LeftOutNames)
           || std::any_of(std::begin(LeftOutEndings), std::end(LeftOutEndings), [&](std::string_view ending) { return name.ends_with(ending); });
}

class Walk {
public:
    explicit Walk(fs::path folder) : m_folder(std::move(folder)) {}

    Result<void> into(const std::string& below);
    Result<void> addMissing(const std::string& name) {
        const bool there = std::any_of(m_files.begin(), m_files.end(), [&](const ProjectFile& file) { return file.name == name; });
        return there ? Result<void>() : add(name);
    }
    [[nodiscard]] std::vector<ProjectFile>&& take() { return std::move(m_files); }

private:
    Result<void> add(const std::string& name);

    fs::path m_folder; // canonical
    std::vector<ProjectFile> m_files;
};

Result<void> Walk::into(const std::string& below) {
    std::error_code failed;
    std::vector<std::string> names;
    for (fs::directory_iterator it(m_folder / below, failed), end; !failed && it != end; it.increment(failed))
        names.push_back(it->path().filename().string());
    if (failed)
        return fileError(m_folder / below, "read", failed.value());
    // A folder that CMake builds in. In the project's own folder only what CMake wrote stays behind.
    const bool built = std::find(names.begin(), names.end(), "CMakeCache.txt") != names.end();
    if (built && !below.empty())
        return {};
    for (const std::string& name : names) {
        const std::string path = below.empty() ? name : below + "/" + name;
        if (path == "out" || isLeftOut(name) || (built && (name == "CMakeCache.txt" || name == "CMakeFiles")))
            continue;
        if (fs::symlink_status(m_folder / path, failed).type() == fs::file_type::directory) {
            if (Result<void> walked = into(path); !walked)
                return walked;
        } else if (Result<void> added = add(path); !added) {
            return added;
        }
    }
    return {};
}

Result<void> Walk::add(const std::string& name) {
    const fs::path path = m_folder / name;
    std::error_code failed;
    const fs::path file = fs::canonical(path, failed);
    if (failed)
        return fileError(path, "read", failed.value());
    if (std::mismatch(m_folder.begin(), m_folder.end(), file.begin(), file.end()).first != m_folder.end())
        return Error{"is a link that leaves the project's folder; expected the file itself", path.string(), {}};
    if (fs::is_directory(file, failed))
        return Error{"is a link to a folder; expected the folder itself", path.string(), {}};
    if (!fs::is_regular_file(file, failed))
        return {}; // a socket or a device is nothing of a project's
    const std::uintmax_t size = fs::file_size(file, failed);
    if (failed || ::access(file.c_str(), R_OK) != 0)
        return fileError(path, "read", failed ? failed.value() : errno);
    m_files.push_back({name, file, size});
    return {};
}

} // namespace

Result<std::vector<ProjectFile>> projectFiles(const fs::path& folder, const std::vector<std::string>& plugins) {
    std::error_code failed;
    const fs::path whole = fs::canonical(folder, failed);
    if (failed)
        return fileError(folder, "read", failed.value());
    Walk walk(whole);
    if (const Result<void> walked = walk.into({}); !walked)
        return walked.error();
    // Also those in folders that are left out.
    for (const std::string& plugin : plugins)
        if (const Result<void> added = walk.addMissing(plugin); !added)
            return added.error();
    std::vector<ProjectFile> out = walk.take();
    std::sort(out.begin(), out.end(), [](const ProjectFile& a, const ProjectFile& b) { return a.name < b.name; });
    return out;
}

} // namespace sbx::app
