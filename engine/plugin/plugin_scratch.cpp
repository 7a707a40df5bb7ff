#include "engine/plugin/plugin_scratch.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

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

// A folder that an earlier version made, which used no lock: private, named as mkdtemp() names, with nothing but copies of libraries
// in it, and unchanged for a day. Its process may live still; what it has loaded stays mapped without the files.
bool isOfEarlierVersion(const std::filesystem::path& path, const struct stat& info) {
    constexpr std::time_t Day = 24 * 60 * 60; // seconds
    const std::string random = path.filename().string().substr(std::string_view(ScratchName).size());
    if (random.size() != 6 || (info.st_mode & 0777U) != 0700 || std::time(nullptr) - info.st_mtime < Day)
        return false;
    std::error_code failed;
    for (std::filesystem::directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed))
        if (it->path().extension() != ".so" || !it->is_regular_file(failed) || it->is_symlink(failed))
            return false;
    return !failed;
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
        if (::fstat(folder, &info) == 0 && info.st_uid == ::geteuid()) {
            const int lock = lockIn(folder, 0);
            if (lock >= 0 || isOfEarlierVersion(path, info)) {
                std::error_code ignored;
                std::filesystem::remove_all(path, ignored);
                ++swept;
            }
            if (lock >= 0)
                ::close(lock);
        }
        ::close(folder);
    }
    return swept;
}

} // namespace sbx
