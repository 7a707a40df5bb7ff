#include "engine/message/trace_csv.h"

#include "engine/core/ascii_case.h"
#include "engine/core/csv.h"
#include "engine/core/json_writer.h"
#include "engine/message/trace_json.h"

// Header-only, in the system include path; nothing of it is in a header of ours.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

namespace sbx {

namespace {

using CellJson = nlohmann::json;

constexpr char TraceSeparators[] = {',', ';', '\t'};
constexpr std::size_t MaxTraceColumns = 1024;

std::string withoutBlanks(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t");
    return from == std::string_view::npos
               ? std::string()
               : std::string(text.substr(from, text.find_last_not_of(" \t") - from + 1));
}

// Behind the value of JSON that begins at `from`: it is well-formed, and no blanks are in it outside of text.
std::size_t endOfJson(std::string_view line, std::size_t from) {
    int depth = 0;
    bool inText = false;
    for (std::size_t at = from; at < line.size(); ++at) {
        const char c = line[at];
        if (inText) {
            if (c == '\\')
                ++at;
            inText = c != '"';
        } else if (depth == 0 && (c == ',' || c == '}')) {
            return at;
        } else {
            inText = c == '"';
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        }
    }
    return line.size();
}

// Text without its quotes; null and none: empty.
std::string cellOf(std::string_view json) {
    if (json.empty() || json == "null")
        return {};
    if (json.front() != '"')
        return std::string(json);
    return json.find('\\') == std::string_view::npos ? std::string(json.substr(1, json.size() - 2))
                                                     : CellJson::parse(json).get<std::string>();
}

// The names of columns.
Result<std::vector<std::string>> columnsOf(std::string_view header, char separator) {
    Result<std::vector<std::string>> columns = csvCells(header, separator);
    if (columns && columns->size() > MaxTraceColumns)
        return makeError("there are " + std::to_string(columns->size()) + " columns; expected at most "
                         + std::to_string(MaxTraceColumns));
    if (columns)
        for (std::string& name : *columns)
            name = withoutBlanks(name);
    return columns;
}

std::optional<std::size_t> columnOf(const std::vector<std::string>& columns, std::size_t key) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i] == traceColumn(key) || columns[i] == traceKeys()[key].name)
            return i;
    return std::nullopt;
}

Error wrongCell(const TraceKey& key, const std::string& cell, const std::string& expected) {
    constexpr std::size_t Shown = 40; // bytes
    return makeError("the column " + std::string(key.name) + " has " + inQuotes(cell.substr(0, Shown))
                     + (cell.size() > Shown ? "…" : "") + "; expected " + expected);
}

Result<std::string> jsonOf(const TraceKey& key, const std::string& cell) {
    const auto isWord = [&cell](std::string_view word) { return lowered(cell) == word; };
    switch (key.kind) {
    case TraceKey::Kind::String: {
        JsonWriter json;
        return std::move(json.value(cell)).take();
    }
    case TraceKey::Kind::Number:
        if (cell.find_first_not_of("0123456789") != std::string::npos
            || (cell.size() > 1 && cell.front() == '0'))
            return wrongCell(key, cell, "a whole number from 0");
        return cell;
    case TraceKey::Kind::Flag: // spreadsheets write TRUE
        if (!isWord("true") && !isWord("false"))
            return wrongCell(key, cell, "true or false");
        return std::string(isWord("true") ? "true" : "false");
    case TraceKey::Kind::Json:
        break;
    }
    if (!CellJson::accept(cell) || (cell.front() != '{' && cell.front() != '['))
        return wrongCell(key, cell,
                         std::strcmp(key.name, "fields") == 0 ? "an object of JSON, such as {\"amount\":5}"
                                                              : "a list of JSON, as empty as []");
    return cell;
}

} // namespace

const char* traceColumn(std::size_t key) {
    const char* const name = traceKeys()[key].name;
    return std::strcmp(name, "sequence") == 0 ? "number" : name;
}

std::vector<std::string> traceCells(std::string_view line) {
    const std::span<const TraceKey> keys = traceKeys();
    std::vector<std::string> cells(keys.size());
    for (std::size_t at = 1; at + 1 < line.size();) {
        const std::size_t nameEnd = std::min(line.find('"', at + 1), line.size());
        const std::string_view name = line.substr(at + 1, nameEnd - at - 1);
        const std::size_t from = std::min(nameEnd + 2, line.size()); // behind `":`
        const std::size_t end = endOfJson(line, from);
        for (std::size_t key = 0; key < keys.size(); ++key)
            if (name == keys[key].name)
                cells[key] = cellOf(line.substr(from, end - from));
        at = end + 1;
    }
    return cells;
}

bool TraceTable::isHeader(std::string_view record) {
    return std::any_of(std::begin(TraceSeparators), std::end(TraceSeparators), [record](char separator) {
        const Result<std::vector<std::string>> columns = columnsOf(record, separator);
        const auto has = [&columns](std::size_t key) { return columns && columnOf(*columns, key); };
        const std::span<const TraceKey> keys = traceKeys();
        std::size_t found = 0;
        for (std::size_t key = 0; key < keys.size(); ++key)
            found += has(key) ? 1U : 0U;
        return found >= 2;
    });
}

Result<TraceTable> TraceTable::open(std::string_view header) {
    const std::span<const TraceKey> keys = traceKeys();
    std::optional<TraceTable> best;
    std::size_t fewest = keys.size() + 1; // columns that are missing
    std::string missing;
    for (const char separator : TraceSeparators) {
        const Result<std::vector<std::string>> columns = columnsOf(header, separator);
        if (!columns)
            return columns.error();
        TraceTable table;
        table.m_separator = separator;
        table.m_count = columns->size();
        std::string without;
        std::size_t count = 0;
        for (std::size_t key = 0; key < keys.size(); ++key) {
            table.m_columns.push_back(columnOf(*columns, key));
            if (!keys[key].always || table.m_columns.back())
                continue;
            ++count;
            without += (without.empty() ? "" : ", ") + std::string(traceColumn(key));
        }
        if (count >= fewest)
            continue;
        fewest = count;
        missing = without;
        best = std::move(table);
    }
    if (fewest > 0)
        return makeError("the table has no column " + missing
                         + "; expected the columns of a trace that was exported as CSV");
    return *best;
}

Result<std::string> TraceTable::line(std::string_view record) const {
    const Result<std::vector<std::string>> cells = csvCells(record, m_separator);
    if (!cells)
        return cells.error();
    if (cells->size() > m_count)
        return makeError("the row has " + std::to_string(cells->size()) + " cells; expected "
                         + std::to_string(m_count) + ", as the table has columns");
    const std::span<const TraceKey> keys = traceKeys();
    JsonWriter json;
    json.beginObject();
    for (std::size_t key = 0; key < keys.size(); ++key) {
        const std::string cell =
            m_columns[key] && *m_columns[key] < cells->size() ? (*cells)[*m_columns[key]] : std::string();
        if (cell.empty() && (!keys[key].always || keys[key].kind != TraceKey::Kind::String))
            continue; // the reader says what a line needs
        Result<std::string> value = jsonOf(keys[key], cell);
        if (!value)
            return value.error();
        json.key(keys[key].name).raw(*value);
    }
    return std::move(json.endObject()).take();
}

} // namespace sbx
