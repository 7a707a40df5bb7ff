#pragma once
// A trace file, read some lines at a time: for the player's --read-trace and for the trace window, which goes on meanwhile. Its first line says whether it
// holds lines of JSON (trace_json.h) or a table (trace_csv.h). One thread.

#include "engine/message/trace_csv.h"
#include "engine/message/trace_reader.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sbx {

// Lines that were not read, of one fault.
struct TraceFault {
    Error error;             // with file, line and column of the first
    std::uint64_t lines = 1; // that have it
};

class TraceFile {
public:
    // A device or a pipe will do as well.
    [[nodiscard]] static Result<TraceFile> open(const std::filesystem::path& path);

    // Reads at most `lines` lines, of a table: records; false after the last. Empty ones count for nothing. A fault of the disk ends the file, and so does
    // a table without the columns of a trace, with an error in faults().
    bool read(TraceReader& reader, std::size_t lines);

    // In [0, 1]; 0 if the size is not known.
    [[nodiscard]] double progress() const;
    [[nodiscard]] std::uint64_t records() const { return m_records; }
    // Lines that say nothing that can be recorded.
    [[nodiscard]] std::uint64_t skipped() const { return m_skipped; }
    // Each fault once, in the order of the first lines; at most 100, those that came later are only counted in skipped().
    [[nodiscard]] const std::vector<TraceFault>& faults() const { return m_faults; }

private:
    TraceFile(std::filesystem::path path, std::ifstream in, std::uint64_t size);
    enum class Form { Unknown, JsonLines, Table, Unusable };
    // Both put what they read into m_line; false: the file is at its end.
    bool nextRecord();
    bool appendLine();
    // By the first line that is not empty. True: it is no message.
    bool takeHeader();
    [[nodiscard]] Result<void> readRecord(TraceReader& reader);
    void addFault(Error error);

    std::filesystem::path m_path;
    std::ifstream m_in;
    std::uint64_t m_size = 0; // bytes
    std::uint64_t m_done = 0;
    std::vector<char> m_block;
    std::size_t m_next = 0; // in the block
    std::size_t m_end = 0;
    bool m_unreadable = false; // was told
    std::string m_line; // cut to a little more than what a reader takes
    std::uint64_t m_number = 0; // of the line where it begins
    std::uint64_t m_lines = 0;  // that were read
    Form m_form = Form::Unknown;
    std::optional<TraceTable> m_table;
    std::uint64_t m_records = 0;
    std::uint64_t m_skipped = 0;
    std::vector<TraceFault> m_faults;
};

} // namespace sbx
