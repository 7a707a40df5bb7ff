#pragma once
// A trace as a table of comma-separated values (csv.h): a record a message, a cell for each key of its line (trace_json.h). Text stands as it is, numbers and flags
// as JSON has them, and so do `fields`, `handlers` and `notReached`; a key that the line does not have is an empty cell. The column of `sequence` is called
// `number`. A table may have other columns, in any order, as those that a spreadsheet adds. Any thread.

#include "engine/core/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// By index of traceKeys().
[[nodiscard]] const char* traceColumn(std::size_t key);
// The cells of a line of traceLine(), with keys added or without, by index of traceKeys(); not in quotes yet.
[[nodiscard]] std::vector<std::string> traceCells(std::string_view line);

// Reads records of such a table as lines of a trace, for a TraceReader.
class TraceTable {
public:
    // By its first record; separated by commas, semicolons or tabs. Error: it has not all columns that a message needs; the message names
    // those that are missing.
    [[nodiscard]] static Result<TraceTable> open(std::string_view header);
    // Whether a file that begins with this record is meant to be such a table.
    [[nodiscard]] static bool isHeader(std::string_view record);

    // Error: a cell cannot be what its column says.
    [[nodiscard]] Result<std::string> line(std::string_view record) const;

private:
    TraceTable() = default;

    char m_separator = ',';
    std::vector<std::optional<std::size_t>> m_columns; // of each key, its column
    std::size_t m_count = 0;                           // of columns
};

} // namespace sbx
