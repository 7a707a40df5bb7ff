#include "app/export/export_writer.h"

#include "engine/core/whole_file.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

namespace sbx::app {

namespace fs = std::filesystem;

namespace {

// The export is written under this name and renamed at the end: in the same folder, so that renaming works, and hidden.
fs::path unfinished(const fs::path& target) {
    return target.parent_path() / ("." + target.filename().string() + ".part-" + std::to_string(::getpid()));
}

// One file that is being written; closed with its owner.
class Output {
public:
    Output() = default;
    ~Output() { static_cast<void>(close()); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    // Errors name `shown`, as it will be called.
    Result<void> open(const fs::path& path, const fs::path& shown, unsigned mode) {
        m_path = shown;
        m_file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        return m_file < 0 ? Result<void>(fileError(shown, "write", errno)) : Result<void>();
    }
    Result<void> write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t put = ::write(m_file, bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR)
                continue;
            if (put < 0)
                return fileError(m_path, "write", errno);
            bytes.remove_prefix(static_cast<std::size_t>(put));
        }
        return {};
    }
    Result<void> sync() { return ::fsync(m_file) != 0 ? Result<void>(fileError(m_path, "write", errno)) : Result<void>(); }
    Result<void> close() {
        if (m_file < 0)
            return {};
        const int failed = ::close(m_file) != 0 ? errno : 0;
        m_file = -1;
        return failed != 0 ? Result<void>(fileError(m_path, "write", failed)) : Result<void>();
    }

private:
    fs::path m_path;
    int m_file = -1;
};

class FolderWriter : public ExportWriter {
public:
    explicit FolderWriter(const fs::path& target) : m_target(target), m_part(unfinished(target)) {}
    ~FolderWriter() override {
        std::error_code ignored;
        if (m_made && !m_finished)
            fs::remove_all(m_part, ignored);
    }
    Result<void> make() {
        if (::mkdir(m_part.c_str(), 0777) != 0)
            return fileError(m_target, "make the folder", errno);
        m_made = true;
        return {};
    }

    Result<void> begin(const std::string& path, std::uint64_t, bool executable) override {
        const fs::path file = m_part / path;
        std::error_code failed;
        fs::create_directories(file.parent_path(), failed);
        if (failed)
            return fileError(m_target, "make a folder", failed.value());
        return m_output.open(file, m_target / path, executable ? 0777 : 0666);
    }
    Result<void> write(std::string_view bytes) override { return m_output.write(bytes); }
    Result<void> end() override { return m_output.close(); }
    Result<void> finish() override {
        if (::rename(m_part.c_str(), m_target.c_str()) != 0)
            return fileError(m_target, "make the folder", errno);
        m_finished = true;
        return {};
    }

private:
    fs::path m_target;
    fs::path m_part;
    Output m_output;
    bool m_made = false; // by this writer: what is not its own is not removed
    bool m_finished = false;
};

// The format of POSIX.1-1988 (ustar), with an extended header (POSIX.1-2001, pax) before a file whose path or size it has no room for.
class ArchiveWriter : public ExportWriter {
public:
    ArchiveWriter(const fs::path& target, std::string name) : m_target(target), m_part(unfinished(target)), m_name(std::move(name)) {}
    ~ArchiveWriter() override {
        if (m_ready)
            ::deflateEnd(&m_stream);
        if (!m_finished && m_made)
            ::unlink(m_part.c_str());
    }
    Result<void> make();

    Result<void> begin(const std::string& path, std::uint64_t size, bool executable) override;
    Result<void> write(std::string_view bytes) override { return compress(bytes, Z_NO_FLUSH); }
    Result<void> end() override { return pad(); }
    Result<void> finish() override;

private:
    static constexpr std::size_t Block = 512; // bytes

    Result<void> folders(const std::string& path);
    Result<void> entry(const std::string& path, std::uint64_t size, char kind, unsigned mode);
    Result<void> header(const std::string& path, std::uint64_t size, char kind, unsigned mode);
    Result<void> pad();
    Result<void> compress(std::string_view bytes, int flush);

    fs::path m_target;
    fs::path m_part;
    std::string m_name;
    Output m_output;
    z_stream m_stream{};
    bool m_ready = false;
    std::uint64_t m_written = 0; // before compression, bytes
    std::set<std::string> m_folders;
    std::uint64_t m_time = 315532800; // seconds since 1970: the first day that every file system can have
    bool m_made = false;
    bool m_finished = false;
};

Result<void> ArchiveWriter::make() {
    if (const char* const given = std::getenv("SOURCE_DATE_EPOCH"); given != nullptr) {
        std::uint64_t seconds = 0;
        const char* const end = given + std::strlen(given);
        if (const auto read = std::from_chars(given, end, seconds); read.ec == std::errc() && read.ptr == end && seconds < (1ULL << 33U))
            m_time = seconds;
    }
    if (Result<void> opened = m_output.open(m_part, m_target, 0666); !opened)
        return opened;
    m_made = true;
    constexpr int GzipWindow = 15 + 16; // zlib's way of asking for gzip's header, which then has no time
    if (::deflateInit2(&m_stream, 6, Z_DEFLATED, GzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return Error{"cannot be compressed: out of memory", m_target.string(), {}};
    m_ready = true;
    return {};
}

Result<void> ArchiveWriter::compress(std::string_view bytes, int flush) {
    m_written += bytes.size();
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); // it only reads
    m_stream.avail_in = static_cast<uInt>(bytes.size());
    std::array<char, 65536> out{};
    do {
        m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
        m_stream.avail_out = static_cast<uInt>(out.size());
        ::deflate(&m_stream, flush);
        if (Result<void> put = m_output.write({out.data(), out.size() - m_stream.avail_out}); !put)
            return put;
    } while (m_stream.avail_out == 0);
    return {};
}

Result<void> ArchiveWriter::pad() {
    const std::array<char, Block> zeros{};
    return compress({zeros.data(), static_cast<std::size_t>((Block - m_written % Block) % Block)}, Z_NO_FLUSH);
}

Result<void> ArchiveWriter::header(const std::string& path, std::uint64_t size, char kind, unsigned mode) {
    std::array<char, Block> block{};
    const auto text = [&](std::size_t at, std::string_view value, std::size_t room) {
        std::copy_n(value.begin(), std::min(value.size(), room), block.begin() + static_cast<std::ptrdiff_t>(at));
    };
    const auto octal = [&](std::size_t at, std::uint64_t value, std::size_t digits) {
        for (std::size_t i = digits; i-- > 0; value >>= 3U)
            block[at + i] = static_cast<char>('0' + (value & 7U));
    };
    text(0, path, 100);
    octal(100, mode, 7);
    octal(108, 0, 7); // owner and group
    octal(116, 0, 7);
    octal(124, size, 11);
    octal(136, m_time, 11);
    block[156] = kind;
    text(257, "ustar", 6);
    text(263, "00", 2);
    text(265, "root", 32);
    text(297, "root", 32);
    text(148, "        ", 8); // the sum is taken over spaces in its own place
    std::uint64_t sum = 0;
    for (const char c : block)
        sum += static_cast<unsigned char>(c);
    octal(148, sum, 6);
    block[154] = '\0';
    return compress({block.data(), block.size()}, Z_NO_FLUSH);
}

Result<void> ArchiveWriter::entry(const std::string& path, std::uint64_t size, char kind, unsigned mode) {
    constexpr std::uint64_t LargestOctal = 077777777777ULL;
    const bool plain = path.size() < 100 && std::all_of(path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
    if (!plain || size > LargestOctal) {
        // A record has its own length in front, which counts its own digits.
        const auto record = [](const std::string& value) {
            std::size_t length = value.size() + 2;
            while (std::to_string(length).size() + value.size() + 2 != length)
                length = std::to_string(length).size() + value.size() + 2;
            return std::to_string(length) + " " + value + "\n";
        };
        std::string records = record("path=" + path);
        if (size > LargestOctal)
            records += record("size=" + std::to_string(size));
        if (Result<void> put = header("pax/header", records.size(), 'x', 0644); !put)
            return put;
        if (Result<void> put = compress(records, Z_NO_FLUSH); !put)
            return put;
        if (Result<void> put = pad(); !put)
            return put;
    }
    return header(path, std::min(size, LargestOctal), kind, mode);
}

Result<void> ArchiveWriter::folders(const std::string& path) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
        if (const std::string folder = path.substr(0, slash + 1); m_folders.insert(folder).second)
            if (Result<void> put = entry(folder, 0, '5', 0755); !put)
                return put;
    return {};
}

Result<void> ArchiveWriter::begin(const std::string& path, std::uint64_t size, bool executable) {
    const std::string whole = m_name + "/" + path;
    if (Result<void> put = folders(whole); !put)
        return put;
    return entry(whole, size, '0', executable ? 0755 : 0644);
}

Result<void> ArchiveWriter::finish() {
    const std::array<char, 2 * Block> end{};
    if (Result<void> put = compress({end.data(), end.size()}, Z_FINISH); !put)
        return put;
    for (Result<void> done : {m_output.sync(), m_output.close()})
        if (!done)
            return done;
    // Not onto a file that came to be there meanwhile.
    if (::renameat2(AT_FDCWD, m_part.c_str(), AT_FDCWD, m_target.c_str(), RENAME_NOREPLACE) != 0
        && (errno != EINVAL || ::rename(m_part.c_str(), m_target.c_str()) != 0)) // a file system may not know how
        return fileError(m_target, "write", errno);
    m_finished = true;
    return {};
}

} // namespace

Result<std::unique_ptr<ExportWriter>> ExportWriter::folder(const fs::path& target) {
    auto writer = std::make_unique<FolderWriter>(target);
    if (const Result<void> made = writer->make(); !made)
        return made.error();
    return Result<std::unique_ptr<ExportWriter>>(std::move(writer));
}

Result<std::unique_ptr<ExportWriter>> ExportWriter::archive(const fs::path& target, const std::string& name) {
    auto writer = std::make_unique<ArchiveWriter>(target, name);
    if (const Result<void> made = writer->make(); !made)
        return made.error();
    return Result<std::unique_ptr<ExportWriter>>(std::move(writer));
}

} // namespace sbx::app
