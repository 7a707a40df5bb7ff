#pragma once
// The projects whose native code (plugins) the user lets run, by canonical folder and owner, kept in one text file that editor and
// player share: a line `OWNER FOLDER` each, the owner as a number, control characters and % of the folder as %XX.
//
// A folder that changed hands since is not trusted. What lies in the program's own resources is trusted without being listed, as long as
// the user or root owns it. Each call reads the file again, so that programs running beside each other agree.
// Thread: any; one call at a time is served. Ownership: a value beside the session, which outlives it.

#include "engine/core/result.h"
#include "engine/plugin/plugin_host.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sbx {

inline constexpr const char* TrustedProjectsFile = "trusted-projects"; // in the user's folder

// Why the plugins of a project may run.
enum class TrustReason {
    None,             // they may not
    Listed,           // the user trusts the project
    ForNow,           // until the program ends (--trust)
    ComesWithProgram, // it lies in the program's own resources
};

class TrustedProjects {
public:
    struct Entry {
        std::filesystem::path folder; // canonical
        unsigned owner = 0;           // user id
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    // `file`: where they are kept; need not exist. `resources`: the program's own folders, as installed or in the source tree.
    TrustedProjects(std::filesystem::path file, std::vector<std::filesystem::path> resources);

    // A folder that is not there, or a list that cannot be read, is not trusted.
    [[nodiscard]] TrustReason reason(const std::filesystem::path& folder) const;
    [[nodiscard]] bool trusts(const std::filesystem::path& folder) const { return reason(folder) != TrustReason::None; }
    // Errors: the folder is not there, the list cannot be read or written.
    [[nodiscard]] Result<void> trust(const std::filesystem::path& folder);
    // Not written down: until the program ends (--trust).
    void trustForNow(const std::filesystem::path& folder);
    // For good and for now. Not being listed is no error; what comes with the program stays trusted.
    [[nodiscard]] Result<void> forget(const std::filesystem::path& folder);
    // In the file's order.
    [[nodiscard]] Result<std::vector<Entry>> entries() const;

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }

private:
    [[nodiscard]] Result<void> write(const std::vector<Entry>& entries, const std::vector<std::string>& others) const;
    [[nodiscard]] Result<std::vector<Entry>> read(std::vector<std::string>* others) const;

    std::filesystem::path m_file;
    std::vector<std::filesystem::path> m_resources;
    mutable std::mutex m_mutex; // of what follows and of the file
    std::set<std::filesystem::path> m_forNow;
};

// Plugins of trusted projects are loaded; in safe mode none is. `trusted` outlives the host.
[[nodiscard]] PluginHost::Policy pluginPolicy(const TrustedProjects& trusted, bool safeMode);

// The folders of the program's own files: beside the installed program, or in the source tree it was built in.
[[nodiscard]] std::vector<std::filesystem::path> resourceFolders();

} // namespace sbx
