#pragma once
// The statements of a TOML text with their byte ranges, found without judging them: comments, blank lines,
// headers, key-value pairs and lines that are none of these. Together they cover the text exactly, so that
// edits can keep every byte they do not mean. Tolerant and linear: an unclosed string, list or header ends
// where the next line that looks like a statement begins.

#include "engine/core/diagnostic.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::definition {

// May stand before a UTF-8 text; no part of it.
inline constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";

// Bytes [begin, end) of a text.
struct TextSpan {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] bool empty() const { return begin == end; }
    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// One part of a dotted key, unquoted.
struct SyntaxKey {
    std::string name;
    TextSpan span; // with its quotes
};

struct SyntaxStatement {
    enum class Kind { Blank, Comment, Table, ArrayTable, KeyValue, Broken };

    Kind kind = Kind::Blank;
    TextSpan lines; // whole lines, line end included; of several when the value spans them
    // from the first to the last byte that is neither indentation, trailing comment nor line end
    TextSpan text;
    std::vector<SyntaxKey> path; // of a header or key-value pair; of a broken line what could be read
    TextSpan value;              // of a key-value pair; empty when missing
    char unclosed = 0;           // the innermost quote or bracket that is not closed, 0: none
    std::size_t unclosedAt = 0;  // where it stands
    std::size_t nesting = 0;     // deepest nesting of lists and inline tables in the value
    std::size_t keyParts = 0;    // parts of the longest dotted key, those inside the value included

    [[nodiscard]] bool isHeader() const { return kind == Kind::Table || kind == Kind::ArrayTable; }
};

[[nodiscard]] std::vector<SyntaxStatement> scanToml(std::string_view text);

// An element of a list or an entry of an inline table, as scanned from its text.
struct SyntaxEntry {
    std::vector<SyntaxKey> path;
    TextSpan value;
    TextSpan whole; // key and value
};
// The entries of an inline table `{ … }` that begins at span.begin; positions count in `text`.
[[nodiscard]] std::vector<SyntaxEntry> scanInlineTable(std::string_view text, TextSpan span);

// Byte offsets to lines and columns and back. A byte order mark at the start counts for no column.
class LineIndex {
public:
    explicit LineIndex(std::string_view text);

    [[nodiscard]] SourceRegion region(TextSpan span) const;
    // Clamped to the text and to the line.
    [[nodiscard]] std::size_t offset(int line, int column) const;
    [[nodiscard]] TextSpan span(const SourceRegion& region) const;
    // Bytes of a line without its line end; line counts from 1.
    [[nodiscard]] TextSpan line(int line) const;
    [[nodiscard]] int lineCount() const { return static_cast<int>(m_starts.size()); }

private:
    std::string_view m_text;
    std::vector<std::size_t> m_starts;
};

// A bare key where the name allows it, else a quoted one.
[[nodiscard]] std::string tomlKey(std::string_view name);
// What a quoted TOML string on one or several lines stands for; nothing if it is not one.
[[nodiscard]] std::optional<std::string> unquoteToml(std::string_view raw);

} // namespace sbx::definition
