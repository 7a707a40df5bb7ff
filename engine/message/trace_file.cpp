#include "engine/message/trace_file.h"

#include "engine/core/ascii_case.h"
#include "engine/core/utf8.h"

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

bool TraceFile::appendLine() {
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
        if (stop != nullptr) {
            ++m_lines;
            return true;
        }
    }
}

// A record of a table goes on to the next line where its quotes are open.
bool TraceFile::nextRecord() {
    m_line.clear();
    m_number = m_lines + 1;
    if (!appendLine())
        return false;
    std::size_t seen = 0;
    std::ptrdiff_t quotes = 0;
    while (m_form == Form::Table) {
        quotes += std::count(m_line.begin() + static_cast<std::ptrdiff_t>(seen), m_line.end(), '"');
        seen = m_line.size();
        if (quotes % 2 == 0 || seen > TraceReader::MaxLine)
            break;
        m_line += '\n';
        if (!appendLine())
            break;
    }
    return true;
}

bool TraceFile::takeHeader() {
    m_line = std::string(withoutByteOrderMark(m_line));
    const bool named = lowered(m_path.extension().string()) == ".csv";
    const bool isTable = !m_line.starts_with('{') && (named || TraceTable::isHeader(m_line));
    m_form = isTable ? Form::Table : Form::JsonLines;
    if (!isTable)
        return false;
    if (Result<TraceTable> table = TraceTable::open(m_line); table) {
        m_table = std::move(*table);
    } else {
        addFault(table.error());
        m_form = Form::Unusable;
    }
    return true;
}

Result<void> TraceFile::readRecord(TraceReader& reader) {
    if (m_form == Form::JsonLines)
        return reader.read(m_line);
    if (m_line.size() > TraceReader::MaxLine)
        return makeError("the row is longer than " + std::to_string(TraceReader::MaxLine >> 20U)
                         + " MiB, or its quotes are not closed; expected a row of a trace");
    const Result<std::string> line = m_table->line(m_line);
    if (!line)
        return line.error();
    Result<void> read = reader.read(*line);
    if (read)
        return read;
    Error error = read.error();
    error.region = {}; // a place in the line that was made of the row
    return error;
}

bool TraceFile::read(TraceReader& reader, std::size_t lines) {
    for (std::size_t i = 0; i < lines; ++i) {
        if (m_form == Form::Unusable || !nextRecord())
            return false;
        if (m_line.ends_with('\r'))
            m_line.pop_back();
        if (m_line.find_first_not_of(" \t") == std::string::npos || (m_form == Form::Unknown && takeHeader()))
            continue;
        if (Result<void> read = readRecord(reader); !read)
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
