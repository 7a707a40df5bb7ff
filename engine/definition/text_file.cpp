#include "engine/definition/text_file.h"

#include "engine/core/detail/descriptor.h"
#include "engine/core/whole_file.h"
#include "engine/definition/toml_document.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sbx::definition {

using detail::Descriptor;

Result<std::string> readTextFile(const std::filesystem::path& path) {
    // Not blocking: opening a pipe without a writer would wait for ever.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        return fileError(path, "read", errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        return fileError(path, "read", errno);
    if (S_ISDIR(status.st_mode))
        return fileError(path, "read", EISDIR);
    if (!S_ISREG(status.st_mode))
        return Error{"cannot read: this is not a regular file", path.string(), {}};
    const auto tooLarge = [&](std::size_t size) {
        return Error{"cannot read: the file has " + std::to_string(size) + " bytes; expected at most "
                         + std::to_string(MaximumTextBytes),
                     path.string(),
                     {}};
    };
    if (static_cast<std::size_t>(status.st_size) > MaximumTextBytes)
        return tooLarge(static_cast<std::size_t>(status.st_size));
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
        if (got == 0)
            return text;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fileError(path, "read", errno);
        text.append(buffer, static_cast<std::size_t>(got));
        // It may grow while we read.
        if (text.size() > MaximumTextBytes)
            return tooLarge(text.size());
    }
}

} // namespace sbx::definition
