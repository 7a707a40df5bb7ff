#pragma once
// A program or shared library of this machine (ELF, 64 bit, little-endian), in memory: what it needs, and where it looks for that. A value.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sbx::app {

class ElfFile {
public:
    // Errors: cannot be read, no such file, cut off.
    [[nodiscard]] static Result<ElfFile> read(const std::filesystem::path& file);

    // The names of the libraries it asks for, in its order (DT_NEEDED).
    [[nodiscard]] const std::vector<std::string>& needed() const { return m_needed; }
    // The dynamic loader that starts it; empty: a library.
    [[nodiscard]] const std::string& interpreter() const { return m_interpreter; }
    // Where it looks for libraries (DT_RPATH or DT_RUNPATH); empty: nowhere of its own.
    [[nodiscard]] const std::string& runPath() const { return m_runPath; }

    // Makes it look there, as DT_RPATH, which also holds for what its libraries need. Empty: nowhere of its own. The size stays. An error: the
    // file has less room for the text than it takes.
    [[nodiscard]] Result<void> setRunPath(const std::string& text);
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    ElfFile() = default;
    [[nodiscard]] bool parse();
    [[nodiscard]] bool textAt(std::uint64_t offset, std::string& out) const;

    std::filesystem::path m_file;
    std::string m_bytes;
    std::vector<std::string> m_needed;
    std::string m_interpreter;
    std::string m_runPath;
    std::uint64_t m_dynamic = 0; // offset of the table in the file
    std::uint64_t m_entries = 0; // in it
    std::uint64_t m_strings = 0; // offset of its texts
};

} // namespace sbx::app
