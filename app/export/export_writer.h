#pragma once
// Where an export is written to: a folder, or a .tar.gz archive with one folder in it. Both are written under another name beside the target,
// which they take when all of it is there: an export that failed or was cancelled leaves nothing. The same files in the same order give the same
// archive, byte for byte: owner, group and time are fixed (SOURCE_DATE_EPOCH, else the year 1980). Blocking; any thread.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sbx::app {

class ExportWriter {
public:
    // `name`: of the folder in the archive. The target's folder is there, the target itself is not, or is an empty folder.
    [[nodiscard]] static Result<std::unique_ptr<ExportWriter>> folder(const std::filesystem::path& target);
    [[nodiscard]] static Result<std::unique_ptr<ExportWriter>> archive(const std::filesystem::path& target, const std::string& name);
    // Not finished: what was written goes.
    virtual ~ExportWriter() = default;
    ExportWriter(const ExportWriter&) = delete;
    ExportWriter& operator=(const ExportWriter&) = delete;

    // A file at `path`, parted by /; its bytes come by write(), exactly `size` of them, and end() ends it. Folders are made as they are needed.
    virtual Result<void> begin(const std::string& path, std::uint64_t size, bool executable) = 0;
    virtual Result<void> write(std::string_view bytes) = 0;
    virtual Result<void> end() = 0;
    // Gives it its name.
    virtual Result<void> finish() = 0;

protected:
    ExportWriter() = default;
};

} // namespace sbx::app
