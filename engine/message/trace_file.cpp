#include "engine/message/trace_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace sbx {

namespace {
constexpr std::size_t TraceBlock = std::size_t(256) << 10U; // bytes
constexpr std::size_t MaxTraceFaults = 100;
} // namespace

Result<TraceFile> TraceFile::open(const std::filesystem::path& path) {
    std::error_code failed;
    if (std::filesystem::is_directory(path, failed))
        return Error{"this is a folder; expected a trace file", path.string(), {}};
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return Error{std::string(errno != 0 ? std::strerror(errno) : "it cannot be opened") + "; expected a trace file", path.string(), {}};
    const std::uintmax_t size = std::filesystem::is_regular_file(path, failed) ? std::filesystem::file_size(path, failed) : 0;
    return TraceFile(path, std::move(in), failed ? 0 : size);
}

TraceFile::TraceFile(std::filesystem::path path, std::ifstream in, std::uint64_t size)
    : m_path(std::move(path)), m_in(std::move(in)), m_size(size), m_block(TraceBlock) {}

double TraceFile::progress() const {
    return m_size == 0 ? 0.0 : std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_size));
}

bool TraceFile::nextLine() {
    m_line.clear();
    for (bool any = false;; any = true) {
        if (m_next == m_end) {
            m_in.read(m_block.data(), static_cast<std::streamsize>(m_block.size()));
            m_next = 0;
            m_end = static_cast<std::size_t>(m_in.gcount());
            if (m_in.bad() && !std::exchange(m_unreadable, true))
                addFault(makeError("the file could not be read on"));
            if (m_end == 0)
                return any;
        }
        const char* const from = m_block.data() + m_next;
        const auto* const stop = static_cast<const char*>(std::memchr(from, '\n', m_end - m_next));
        const std::size_t count = stop == nullptr ? m_end - m_next : static_cast<std::size_t>(stop - from);
        // The rest of a line that is too long is not kept: its length says enough.
        m_line.append(from, std::min(count, TraceReader::MaxLine + 1 - std::min(m_line.size(), TraceReader::MaxLine + 1)));
        const std::size_t used = count + (stop == nullptr ? 0 : 1);
        m_next += used;
        m_done += used;
        if (stop != nullptr)
            return true;
    }
}

bool TraceFile::read(TraceReader& reader, std::size_t lines) {
    for (std::size_t i = 0; i < lines; ++i) {
        if (!nextLine())
            return false;
        ++m_number;
        if (m_line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        if (Result<void> read = reader.read(m_line); !read)
            addFault(read.error());
        else
            ++m_records;
    }
    return true;
}

void TraceFile::addFault(Error error) {
    ++m_skipped;
    const auto same = [&](const TraceFault& fault) { return fault.error.message == error.message; };
    if (const auto known = std::find_if(m_faults.begin(), m_faults.end(), same); known != m_faults.end()) {
        ++known->lines;
        return;
    }
    if (m_faults.size() == MaxTraceFaults)
        return;
    error.file = m_path.string();
    const int line = static_cast<int>(std::min<std::uint64_t>(m_number, std::numeric_limits<int>::max()));
    const int column = std::max(1, error.region.column);
    error.region = {line, column, line, column};
    m_faults.push_back({std::move(error), 1});
}

} // namespace sbx
