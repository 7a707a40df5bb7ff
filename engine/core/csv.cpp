#include "engine/core/csv.h"

#include <algorithm>

namespace sbx {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

// What stands in quotes; `at` is behind the first and comes to stand behind the last. False: there is no last.
bool readQuoted(std::string_view record, std::size_t& at, std::string& cell) {
    for (; at < record.size(); ++at) {
        if (record[at] == '"') {
            ++at;
            if (at == record.size() || record[at] != '"')
                return true;
        }
        cell += record[at];
    }
    return false;
}

} // namespace

std::string csvQuoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text)
        out.append(c == '"' ? 2U : 1U, c);
    return out + '"';
}

std::string csvCell(std::string_view text) {
    const bool plain = text.find_first_of("\",;\t\r\n") == std::string_view::npos
                       && (text.empty() || (!isBlank(text.front()) && !isBlank(text.back())));
    return plain ? std::string(text) : csvQuoted(text);
}

Result<std::vector<std::string>> csvCells(std::string_view record, char separator) {
    std::vector<std::string> cells;
    for (std::size_t at = 0;; ++at) {
        std::string& cell = cells.emplace_back();
        if (at < record.size() && record[at] == '"' && !readQuoted(record, ++at, cell))
            return makeError("the quotes that open cell " + std::to_string(cells.size()) + " are not closed");
        // What stands behind the quotes belongs to the cell, as other readers have it.
        const std::size_t end = std::min(record.find(separator, at), record.size());
        cell += record.substr(at, end - at);
        at = end;
        if (at == record.size())
            return cells;
    }
}

} // namespace sbx
