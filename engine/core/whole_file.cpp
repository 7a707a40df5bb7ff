#include "engine/core/whole_file.h"

#include "engine/core/detail/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

namespace sbx {

namespace {

using detail::Descriptor;

std::string reason(int code) {
    switch (code) {
    case ENOENT:
        return "there is no such file";
    case EISDIR:
        return "this is a folder; expected a file";
    case EACCES:
    case EPERM:
        return "no permission";
    case ENOSPC:
    case EDQUOT:
        return "the disk is full";
    case ENOTDIR:
        return "a part of the path is not a folder";
    case ELOOP:
        return "the symbolic links lead in a circle";
    default:
        return std::generic_category().message(code);
    }
}

} // namespace

Error fileError(const std::filesystem::path& path, std::string_view doing, int code) {
    std::string why = reason(code);
    // A file that is to be made need not be there: its folder is what is missing.
    std::error_code ignored;
    if (code == ENOENT && path.has_parent_path() && !std::filesystem::exists(path.parent_path(), ignored))
        why = "there is no folder " + path.parent_path().string();
    return Error{"cannot " + std::string(doing) + ": " + why, path.string(), {}};
}

namespace {

// All of them, or false with errno.
bool writeAll(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(file, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

// `fill` puts the content into the file of this descriptor; false: it failed, and errno has the reason.
template <typename Fill>
Result<void> replaceFile(const std::filesystem::path& path, FileAccess access, const Fill& fill) {
    // The target of a symbolic link is replaced, not the link.
    std::error_code code;
    std::filesystem::path target = path;
    for (int hops = 0; std::filesystem::is_symlink(target, code); ++hops) {
        if (hops == 40)
            return fileError(path, "write", ELOOP);
        const std::filesystem::path next = std::filesystem::read_symlink(target, code);
        if (code)
            return fileError(path, "write", code.value());
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    struct stat existing {};
    const bool exists = ::stat(target.c_str(), &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode))
        return fileError(path, "write", EISDIR);
    if (exists && !S_ISREG(existing.st_mode))
        return Error{"cannot write: this is not a regular file", path.string(), {}};
    // A rename needs no right to the file itself; a file protected against writing stays protected.
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return fileError(path, "write", errno);

    const std::filesystem::path folder = target.parent_path().empty() ? "." : target.parent_path();
    // Not mkstemp: its files are private, and what the user's mask allows can only be asked for by setting
    // it, which is felt by other threads. Here the kernel applies it.
    std::string temporary;
    int descriptor = -1;
    for (int attempt = 0; descriptor < 0 && attempt < 100; ++attempt) {
        temporary = (folder
                     / ("." + target.filename().string() + "." + std::to_string(::getpid()) + "-"
                        + std::to_string(attempt)))
                        .string();
        descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                            access == FileAccess::Private ? 0600 : 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    Descriptor file(descriptor);
    if (file.get() < 0)
        return fileError(path, "write", errno);
    const auto fail = [&](int number) {
        ::unlink(temporary.c_str());
        return fileError(path, "write", number);
    };
    // The owner is kept where we may; elsewhere the writer becomes the owner, as with any editor. Then the
    // permissions, which a change of owner may clear.
    if (exists && (existing.st_uid != ::geteuid() || existing.st_gid != ::getegid())
        && ::fchown(file.get(), existing.st_uid, existing.st_gid) != 0 && errno != EPERM)
        return fail(errno);
    if (exists && access == FileAccess::Ordinary && ::fchmod(file.get(), existing.st_mode & 07777U) != 0)
        return fail(errno);
    if (!fill(file.get()))
        return fail(errno);
    if (::fsync(file.get()) != 0 || !file.close())
        return fail(errno);
    if (::rename(temporary.c_str(), target.c_str()) != 0)
        return fail(errno);
    // The rename itself lasts only once the folder is on the disk; a file system that cannot sync folders is no failure.
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0 && ::fsync(directory.get()) != 0 && errno != EINVAL && errno != ENOTSUP
        && errno != EROFS)
        return fileError(path, "write to its end", errno);
    return {};
}

} // namespace

Result<void> writeFileSafely(const std::filesystem::path& path, std::string_view bytes, FileAccess access) {
    return replaceFile(path, access, [bytes](int file) { return writeAll(file, bytes); });
}

Result<void> copyFileSafely(const std::filesystem::path& from, const std::filesystem::path& to) {
    // Not blocking: opening a pipe without a writer would wait for ever.
    const Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (source.get() < 0 || ::fstat(source.get(), &status) != 0)
        return fileError(from, "read", errno);
    if (S_ISDIR(status.st_mode))
        return fileError(from, "read", EISDIR);
    if (!S_ISREG(status.st_mode))
        return Error{"cannot read: this is not a regular file", from.string(), {}};
    int unreadable = 0; // errno of reading
    Result<void> copied = replaceFile(to, FileAccess::Ordinary, [&](int file) {
        std::vector<char> piece(256 * 1024);
        for (;;) {
            const ssize_t got = ::read(source.get(), piece.data(), piece.size());
            if (got == 0)
                return ::fchmod(file, (status.st_mode & 0777U) | S_IRUSR | S_IWUSR) == 0;
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0) {
                unreadable = errno;
                return false;
            }
            if (!writeAll(file, {piece.data(), static_cast<std::size_t>(got)}))
                return false;
        }
    });
    return unreadable != 0 ? fileError(from, "read", unreadable) : copied;
}

} // namespace sbx
