#include "engine/session/plugin_scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace sbx {

namespace {

constexpr const char* ScratchName = "signalbox-plugins-";
constexpr const char* ScratchLock = "lock";

std::filesystem::path scratchBase(const std::filesystem::path& base) {
    std::error_code failed;
    return base.empty() ? std::filesystem::temp_directory_path(failed) : base;
}

// Of the folder's lock file, which is not waited for; -1: there is none, or somebody has it.
int lockIn(int folder, int flags) {
    const int lock = ::openat(folder, ScratchLock, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
    if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (lock >= 0)
        ::close(lock);
    return -1;
}

int openFolder(const std::filesystem::path& folder) {
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

} // namespace

PluginScratch::~PluginScratch() {
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
    if (m_lock >= 0)
        ::close(m_lock);
}

Result<void> PluginScratch::create(const std::filesystem::path& base) {
    if (!m_path.empty())
        return {};
    // Locked before it has the name that sweep() looks for.
    std::string made = (scratchBase(base) / ".signalbox-plugins-new-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr)
        return Error{"no folder for temporary files", {}, {}};
    const int folder = openFolder(made);
    m_lock = folder < 0 ? -1 : lockIn(folder, O_CREAT);
    if (folder >= 0)
        ::close(folder);
    const std::filesystem::path wanted =
        scratchBase(base) / (ScratchName + made.substr(made.size() - 6));
    std::error_code failed;
    if (m_lock >= 0)
        std::filesystem::rename(made, wanted, failed);
    m_path = m_lock < 0 || failed ? std::filesystem::path(made) : wanted;
    return {};
}

int PluginScratch::sweep(const std::filesystem::path& base) {
    int swept = 0;
    std::error_code failed;
    for (std::filesystem::directory_iterator it(scratchBase(base), failed), end; !failed && it != end; it.increment(failed)) {
        const std::filesystem::path path = it->path();
        if (!path.filename().string().starts_with(ScratchName))
            continue;
        const int folder = openFolder(path);
        if (folder < 0)
            continue;
        struct stat info {};
        if (::fstat(folder, &info) == 0 && info.st_uid == ::geteuid())
            if (const int lock = lockIn(folder, 0); lock >= 0) {
                std::error_code ignored;
                std::filesystem::remove_all(path, ignored);
                ::close(lock);
                ++swept;
            }
        ::close(folder);
    }
    return swept;
}

} // namespace sbx
