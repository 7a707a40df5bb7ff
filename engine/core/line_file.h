#pragma once
// A file that grows line by line: traces, digests. Whatever happens, what is on the disk is whole lines from the first one on: each
// write to the system ends with a line, and what a full disk has torn is taken back. From one thread.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sbx {

class LineFile {
public:
    // Made anew, or emptied. A device or a pipe will do as well.
    [[nodiscard]] static Result<LineFile> create(const std::filesystem::path& path);
    LineFile(LineFile&& other) noexcept;
    LineFile& operator=(LineFile&& other) = delete;
    // Without close(): what is still held is written, errors are lost.
    ~LineFile();

    // Whole lines, each with its end. They are held until some have gathered. After the first error nothing more is written, and the
    // error comes again.
    [[nodiscard]] Result<void> append(std::string_view lines);
    // Writes what is held.
    [[nodiscard]] Result<void> flush();
    // Flushes and closes; nothing may be appended after it.
    [[nodiscard]] Result<void> close();

private:
    LineFile(std::filesystem::path path, int descriptor);
    [[nodiscard]] Error failed(int code);

    std::filesystem::path m_path;
    int m_descriptor;
    std::uint64_t m_written = 0; // bytes, up to the end of a line
    std::string m_held;
    std::optional<Error> m_error;
};

} // namespace sbx
