#include "engine/core/line_file.h"

#include "engine/core/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sbx {

namespace {
constexpr std::size_t MaxHeld = 64 * 1024; // bytes
} // namespace

Result<LineFile> LineFile::create(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return fileError(path, "write", errno);
    return LineFile(path, descriptor);
}

LineFile::LineFile(std::filesystem::path path, int descriptor)
    : m_path(std::move(path)), m_descriptor(descriptor) {}

LineFile::LineFile(LineFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_written(other.m_written),
      m_held(std::move(other.m_held)),
      m_error(std::move(other.m_error)) {}

LineFile::~LineFile() {
    if (m_descriptor >= 0)
        static_cast<void>(close());
}

Error LineFile::failed(int code) {
    // A part of a line may be there. What cannot be cut off (a pipe) has no end to be kept whole.
    static_cast<void>(::ftruncate(m_descriptor, static_cast<off_t>(m_written)) == 0);
    m_held.clear();
    m_error = fileError(m_path, "write", code);
    return *m_error;
}

Result<void> LineFile::append(std::string_view lines) {
    if (m_error)
        return *m_error;
    m_held += lines;
    return m_held.size() < MaxHeld ? Result<void>{} : flush();
}

Result<void> LineFile::flush() {
    if (m_error)
        return *m_error;
    std::string_view left = m_held;
    while (!left.empty()) {
        const ssize_t put = ::write(m_descriptor, left.data(), left.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return failed(errno);
        left.remove_prefix(static_cast<std::size_t>(put));
    }
    m_written += m_held.size();
    m_held.clear();
    return {};
}

Result<void> LineFile::close() {
    Result<void> flushed = flush();
    if (::close(std::exchange(m_descriptor, -1)) != 0 && flushed.ok())
        return fileError(m_path, "write to its end", errno);
    return flushed;
}

} // namespace sbx
