#include "engine/core/asset_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <system_error>

namespace sbx {

namespace {

constexpr const char* Outside = "lies outside of the project's folder; expected a path inside it";

// Closes a descriptor that did not reach its owner.
class Descriptor {
public:
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() {
        if (m_value >= 0)
            ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_value; }
    [[nodiscard]] int release() { return std::exchange(m_value, -1); }

private:
    int m_value;
};

// Left as it is where there is no current folder any more.
std::filesystem::path fullPath(const std::filesystem::path& path) {
    std::error_code fault;
    const std::filesystem::path out = std::filesystem::absolute(path, fault);
    return (fault ? path : out).lexically_normal();
}

bool isBelow(const std::filesystem::path& file, const std::filesystem::path& folder) {
    const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end == folder.end() && file != folder;
}

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode))
        return "is a folder; expected a file";
    if (S_ISFIFO(mode))
        return "is a FIFO; expected a regular file";
    if (S_ISSOCK(mode))
        return "is a socket; expected a regular file";
    return "is a device; expected a regular file";
}

FileIdentity identityOf(const struct stat& about) {
    return {about.st_dev, about.st_ino, static_cast<std::uint64_t>(about.st_size),
            static_cast<std::int64_t>(about.st_ctim.tv_sec) * 1'000'000'000 + about.st_ctim.tv_nsec};
}

// The file, not yet open for reading (O_PATH): nothing waits and no device notices.
Result<int> locate(const AssetRef& asset, struct stat& about) {
    const std::filesystem::path path = asset.path();
    const auto fail = [&](std::string what) { return Error{std::move(what), path.string(), {}}; };
    if (asset.name.empty() || asset.name.find('\0') != std::string::npos)
        return fail("is no file name; expected a path inside the project's folder");
    if (asset.folder.empty())
        return fail("cannot be found: no project is open");
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::canonical(asset.folder, fault);
    if (fault)
        return fail("cannot be found: the project's folder: " + fault.message());
    std::filesystem::path plain = fullPath(asset.folder);
    if (!plain.has_filename()) // it was written with a / at its end
        plain = plain.parent_path();
    if (!isBelow(path, plain) && !isBelow(path, folder))
        return fail(Outside);
    Descriptor file(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (file.get() < 0)
        return fail(errno == ENOENT || errno == ENOTDIR
                        ? "cannot be found"
                        : "cannot be opened: " + std::string(std::strerror(errno)));
    std::array<char, PATH_MAX> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(file.get());
    const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
    if (length <= 0 || static_cast<std::size_t>(length) == target.size())
        return fail("cannot be opened: where it lies is not known (is /proc mounted?)");
    if (!isBelow(std::string(target.data(), static_cast<std::size_t>(length)), folder))
        return fail(Outside);
    if (::fstat(file.get(), &about) != 0)
        return fail("cannot be opened: " + std::string(std::strerror(errno)));
    if (!S_ISREG(about.st_mode))
        return fail(kindOf(about.st_mode));
    return file.release();
}

} // namespace

std::filesystem::path AssetRef::path() const { return fullPath(folder / name); }

AssetRef AssetRef::ofFile(const std::filesystem::path& file) {
    return {file.has_parent_path() ? file.parent_path() : std::filesystem::path("."),
            file.filename().string()};
}

AssetFile::~AssetFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<AssetFile> openAsset(const AssetRef& asset, std::uint64_t maximumSize) {
    struct stat about {};
    const Result<int> located = locate(asset, about);
    if (!located)
        return located.error();
    const Descriptor found(*located);
    const auto fail = [&](std::string what) { return Error{std::move(what), asset.path().string(), {}}; };
    const FileIdentity identity = identityOf(about);
    if (identity.size == 0)
        return fail("is empty");
    if (identity.size > maximumSize)
        return fail("has " + std::to_string(identity.size) + " bytes; expected at most "
                    + std::to_string(maximumSize));
    // The same file again, this time to be read; what it is was seen above.
    const std::string link = "/proc/self/fd/" + std::to_string(found.get());
    const int file = ::open(link.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return fail("cannot be read: " + std::string(std::strerror(errno)));
    return AssetFile(file, identity);
}

Result<FileIdentity> inspectAsset(const AssetRef& asset) {
    struct stat about {};
    const Result<int> located = locate(asset, about);
    if (!located)
        return located.error();
    const Descriptor found(*located);
    return identityOf(about);
}

} // namespace sbx
