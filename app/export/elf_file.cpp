#include "app/export/elf_file.h"

#include "engine/core/whole_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>

namespace sbx::app {

namespace {

static_assert(std::endian::native == std::endian::little, "the tables are read as they lie in the file");

// All of a file; a number of errno otherwise.
int readAll(const std::filesystem::path& path, std::string& out) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    struct stat info {};
    int fault = ::fstat(file, &info) != 0 ? errno : 0;
    if (fault == 0 && !S_ISREG(info.st_mode))
        fault = EINVAL;
    if (fault == 0)
        out.resize(static_cast<std::size_t>(info.st_size));
    for (std::size_t done = 0; fault == 0 && done < out.size();) {
        const ssize_t got = ::read(file, out.data() + done, out.size() - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fault = errno;
        else if (got == 0)
            out.resize(done); // it became shorter meanwhile
        else
            done += static_cast<std::size_t>(got);
    }
    ::close(file);
    return fault;
}

// A copy of the structure at that offset; nothing if the file ends before.
template <typename T> std::optional<T> structureAt(const std::string& bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
        return {};
    T out;
    std::memcpy(&out, bytes.data() + offset, sizeof(T));
    return out;
}

} // namespace

Result<ElfFile> ElfFile::read(const std::filesystem::path& file) {
    ElfFile out;
    out.m_file = file;
    if (const int fault = readAll(file, out.m_bytes); fault != 0)
        return fileError(file, "read", fault);
    if (!out.parse())
        return Error{"is no program or shared library of this machine, or is cut off", file.string(), {}};
    return out;
}

bool ElfFile::textAt(std::uint64_t offset, std::string& out) const {
    if (offset >= m_bytes.size())
        return false;
    const std::size_t end = m_bytes.find('\0', offset);
    if (end == std::string::npos)
        return false;
    out = m_bytes.substr(offset, end - offset);
    return true;
}

bool ElfFile::parse() {
    const auto head = structureAt<Elf64_Ehdr>(m_bytes, 0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64
        || head->e_ident[EI_DATA] != ELFDATA2LSB || head->e_phentsize != sizeof(Elf64_Phdr))
        return false;
    std::vector<Elf64_Phdr> segments;
    for (unsigned i = 0; i < head->e_phnum; ++i) {
        const auto segment = structureAt<Elf64_Phdr>(m_bytes, head->e_phoff + i * sizeof(Elf64_Phdr));
        if (!segment)
            return false;
        segments.push_back(*segment);
    }
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type == PT_INTERP && !textAt(segment.p_offset, m_interpreter))
            return false;
        if (segment.p_type == PT_DYNAMIC) {
            m_dynamic = segment.p_offset;
            m_entries = segment.p_filesz / sizeof(Elf64_Dyn);
        }
    }
    std::vector<Elf64_Dyn> table;
    for (std::uint64_t i = 0; i < m_entries; ++i) {
        const auto entry = structureAt<Elf64_Dyn>(m_bytes, m_dynamic + i * sizeof(Elf64_Dyn));
        if (!entry)
            return false;
        if (entry->d_tag == DT_NULL)
            break;
        table.push_back(*entry);
    }
    // Texts are named by where they will be in memory.
    for (const Elf64_Dyn& entry : table)
        if (entry.d_tag == DT_STRTAB)
            for (const Elf64_Phdr& segment : segments)
                if (segment.p_type == PT_LOAD && entry.d_un.d_ptr >= segment.p_vaddr
                    && entry.d_un.d_ptr - segment.p_vaddr < segment.p_filesz)
                    m_strings = segment.p_offset + (entry.d_un.d_ptr - segment.p_vaddr);
    for (const Elf64_Dyn& entry : table) {
        std::string text;
        if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH)
            continue;
        if (m_strings == 0 || !textAt(m_strings + entry.d_un.d_val, text))
            return false;
        if (entry.d_tag == DT_NEEDED)
            m_needed.push_back(text);
        else
            m_runPath = text;
    }
    return true;
}

Result<void> ElfFile::setRunPath(const std::string& text) {
    std::uint64_t kept = 0;
    bool placed = text.empty();
    for (std::uint64_t i = 0; i < m_entries; ++i) {
        Elf64_Dyn entry = *structureAt<Elf64_Dyn>(m_bytes, m_dynamic + i * sizeof(Elf64_Dyn)); // parse() saw it
        if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) {
            std::string before;
            const std::uint64_t at = m_strings + entry.d_un.d_val;
            if (!placed && textAt(at, before) && before.size() >= text.size()) {
                std::fill_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(at), before.size(), '\0');
                std::copy(text.begin(), text.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(at));
                entry.d_tag = DT_RPATH;
                placed = true;
            } else {
                continue; // one of the two, or none
            }
        }
        std::memcpy(m_bytes.data() + m_dynamic + kept * sizeof(Elf64_Dyn), &entry, sizeof(entry));
        ++kept;
        if (entry.d_tag == DT_NULL)
            break;
    }
    // What moved up leaves the end of the table behind twice.
    for (; kept < m_entries; ++kept)
        std::fill_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_dynamic + kept * sizeof(Elf64_Dyn)), sizeof(Elf64_Dyn), '\0');
    if (!placed)
        return Error{"has no room for the place of its libraries, " + text + "; expected one that was built with a run path", m_file.string(), {}};
    m_runPath = text;
    return {};
}

} // namespace sbx::app
