#include "engine/definition/toml_document.h"

#include "engine/core/value.h"
#include "engine/definition/syntax_fault.h"
#include "engine/definition/syntax_tree.h"

// toml++ 3.3 takes some malformed headers for broken invariants of its own: an assertion, and without assertions undefined behaviour.
// In this file its assertions are always on and end the parse, so that it is the text that is at fault.
#undef NDEBUG
namespace {
struct ParserGaveUp {};
[[noreturn]] void giveUpParsing() { throw ParserGaveUp{}; }
} // namespace
#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? static_cast<void>(0) : giveUpParsing())
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sbx::definition {

namespace {

// Deeper values would cost stack in every reader behind; nothing in a definition comes near.
constexpr std::size_t MaximumNesting = 64;
constexpr std::size_t MaximumKeyParts = 16;
// Past this many broken chunks a file is not TOML at all, and one line says how many more.
constexpr std::size_t MaximumReportedChunks = 100;

// Offset of the first byte that is a NUL or not part of well-formed UTF-8 (RFC 3629), or npos.
std::size_t firstBadByte(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned c = byte(i);
        if (c == 0)
            return i;
        if (c < 0x80) {
            ++i;
        } else if (c >= 0xC2 && c <= 0xDF && tail(i + 1)) {
            i += 2;
        } else if (c >= 0xE0 && c <= 0xEF && tail(i + 1) && tail(i + 2) && !(c == 0xE0 && byte(i + 1) < 0xA0)
                   && !(c == 0xED && byte(i + 1) > 0x9F)) {
            i += 3;
        } else if (c >= 0xF0 && c <= 0xF4 && tail(i + 1) && tail(i + 2) && tail(i + 3)
                   && !(c == 0xF0 && byte(i + 1) < 0x90) && !(c == 0xF4 && byte(i + 1) > 0x8F)) {
            i += 4;
        } else {
            return i;
        }
    }
    return std::string_view::npos;
}

// toml++ counts columns in code points of the chunk's text; places in the file count bytes.
class PlaceMap {
public:
    PlaceMap(std::string_view text, std::vector<TextSpan> lines, std::vector<int> numbers)
        : m_text(text), m_lines(std::move(lines)), m_numbers(std::move(numbers)) {}

    // One past the last line is the end of the last one.
    void place(toml::source_position from, int& line, int& column) const {
        if (m_lines.empty()) {
            line = column = 1;
            return;
        }
        const auto index = std::min<std::size_t>(std::max<std::size_t>(from.line, 1) - 1, m_lines.size() - 1);
        line = m_numbers[index];
        const std::size_t points = std::max<std::size_t>(from.column, 1) - 1;
        column =
            static_cast<int>(from.line > m_lines.size() ? m_lines[index].size() : bytes(index, points)) + 1;
    }
    SourceRegion region(const toml::source_region& from) const {
        SourceRegion out;
        place(from.begin, out.line, out.column);
        place(from.end, out.endLine, out.endColumn);
        return out;
    }
    std::size_t offset(toml::source_position from) const {
        if (m_lines.empty())
            return 0;
        const auto index = std::min<std::size_t>(std::max<std::size_t>(from.line, 1) - 1, m_lines.size() - 1);
        return m_lines[index].begin + bytes(index, std::max<std::size_t>(from.column, 1) - 1);
    }

private:
    static constexpr std::size_t Step = 64;

    // Bytes of the first `points` code points of a line. Long lines are walked once: a mark every Step code points.
    std::size_t bytes(std::size_t index, std::size_t points) const {
        const std::string_view line = m_lines[index].of(m_text);
        auto& marks = m_marks[index];
        if (marks.empty()) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < line.size(); ++i) {
                if ((static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U)
                    continue;
                if (count % Step == 0)
                    marks.push_back(i);
                ++count;
            }
            if (marks.empty())
                marks.push_back(0);
        }
        const std::size_t mark = std::min(points / Step, marks.size() - 1);
        std::size_t at = marks[mark];
        for (std::size_t left = points - mark * Step; left > 0 && at < line.size(); --left) {
            ++at;
            while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U)
                ++at;
        }
        return at;
    }

    std::string_view m_text;
    std::vector<TextSpan> m_lines; // of the chunk, in the file, without line ends
    std::vector<int> m_numbers;    // their numbers in the file
    mutable std::unordered_map<std::size_t, std::vector<std::size_t>> m_marks;
};

class Converter {
public:
    Converter(const PlaceMap& places, std::string_view file) : m_places(places), m_file(file) {}

    // False: there is a date or time in it, at `fault`.
    bool convert(const toml::node& node, SourceValue& out, bool inList);
    SourceRegion fault;

private:
    const PlaceMap& m_places;
    std::string m_file;
};

bool Converter::convert(const toml::node& node, SourceValue& out, bool inList) {
    out.region = m_places.region(node.source());
    if (!inList)
        out.file = m_file;
    switch (node.type()) {
    case toml::node_type::boolean:
        out.kind = SourceValue::Kind::Boolean;
        out.boolean = node.as_boolean()->get();
        return true;
    case toml::node_type::integer:
        out.kind = SourceValue::Kind::Integer;
        out.integer = node.as_integer()->get();
        return true;
    case toml::node_type::floating_point:
        out.kind = SourceValue::Kind::Float;
        out.number = node.as_floating_point()->get();
        return true;
    case toml::node_type::string:
        out.kind = SourceValue::Kind::String;
        out.text = node.as_string()->get();
        return true;
    case toml::node_type::array:
        out.kind = SourceValue::Kind::Array;
        for (const toml::node& element : *node.as_array())
            if (!convert(element, out.array.emplace_back(), true))
                return false;
        return true;
    case toml::node_type::table: {
        out.kind = SourceValue::Kind::Table;
        struct Place {
            toml::source_position at;
            const toml::key* key;
            const toml::node* node;
        };
        std::vector<Place> entries; // toml++ keeps them by name
        for (auto&& [key, child] : *node.as_table())
            entries.push_back({key.source().begin, &key, &child});
        std::stable_sort(entries.begin(), entries.end(),
                         [](const Place& a, const Place& b) { return a.at < b.at; });
        for (const Place& entry : entries) {
            SourceEntry& made = out.table.emplace_back();
            made.key = entry.key->str();
            made.keyRegion = m_places.region(entry.key->source());
            if (!convert(*entry.node, made.value, false))
                return false;
        }
        return true;
    }
    default:
        fault = out.region;
        return false;
    }
}

// Reads one unit into `out`; false leaves one fault.
bool readUnit(const SyntaxTree& tree, const SyntaxUnit& unit, const LineIndex& lines, std::string_view file,
              SourceValue& out, Diagnostic& fault) {
    const std::string_view text = tree.text();
    const SyntaxFault writer(text, lines, file);
    std::string own;
    std::vector<TextSpan> ownLines;
    std::vector<int> numbers;
    std::vector<const SyntaxStatement*> statements;
    for (const std::size_t section : unit.sections)
        for (std::size_t i = tree.sections()[section].first; i < tree.sections()[section].last; ++i)
            if (tree.statement(i).kind != SyntaxStatement::Kind::Blank)
                statements.push_back(&tree.statement(i));
    for (const SyntaxStatement* statement : statements) {
        const SyntaxStatement& s = *statement;
        if (s.nesting > MaximumNesting || s.keyParts > MaximumKeyParts) {
            const bool value = s.nesting > MaximumNesting;
            fault = writer.at({s.text.begin, s.text.begin + std::min<std::size_t>(s.text.size(), 1)},
                              value ? "lists and tables are nested " + std::to_string(s.nesting) + " deep"
                                    : "a key has " + std::to_string(s.keyParts) + " parts",
                              "at most " + std::to_string(value ? MaximumNesting : MaximumKeyParts));
            return false;
        }
        own += s.lines.of(text);
        const SourceRegion region = lines.region(s.lines);
        const int last = region.endColumn > 1 || s.lines.empty() ? region.endLine : region.endLine - 1;
        for (int line = region.line; line <= last; ++line) {
            ownLines.push_back(lines.line(line));
            numbers.push_back(line);
        }
    }
    const PlaceMap places(text, std::move(ownLines), std::move(numbers));
    std::size_t stop = 0;
    std::string description;
    try {
        const toml::parse_result result = toml::parse(own);
        if (result) {
            Converter converter(places, file);
            if (converter.convert(result.table(), out, false))
                return true;
            fault = {Severity::Error, std::string(file),
                     converter.fault, "dates and times have no meaning here",
                     AnyValue,        {}};
            return false;
        }
        stop = places.offset(result.error().source().begin);
        description = result.error().description();
    } catch (const ParserGaveUp&) {
        const auto certain = std::find_if(statements.begin(), statements.end(),
                                          [&](const SyntaxStatement* s) { return writer.isCertain(*s); });
        stop = (certain == statements.end() ? statements.front() : *certain)->text.begin;
        description = "this cannot be read";
    }
    // The fault is in the statement where the parser stopped, or in one before it that is not closed.
    const SyntaxStatement* guilty = nullptr;
    for (const SyntaxStatement* statement : statements) {
        if (statement->lines.begin > stop)
            break;
        guilty = statement;
        if (statement->unclosed != 0) {
            fault = writer.unclosed(*statement);
            return false;
        }
    }
    fault = writer.explain(guilty, description, {stop, std::min(stop + 1, text.size())});
    return false;
}

} // namespace

bool TomlDocument::isBroken(std::string_view name) const {
    return m_unreadable || std::any_of(m_broken.begin(), m_broken.end(), [&](const BrokenChunk& c) {
               return c.name == name;
           });
}

TomlDocument TomlDocument::parse(std::string_view text, std::string_view fileName, Diagnostics& sink) {
    TomlDocument document;
    document.m_root.kind = SourceValue::Kind::Table;
    document.m_root.file = fileName;
    document.m_root.region = {1, 1, 1, 1};
    const auto refuse = [&](SourceRegion region, std::string what, std::string expected) {
        sink.add({Severity::Error, std::string(fileName), region, std::move(what), std::move(expected), {}});
        document.m_unreadable = true;
        return document;
    };
    if (text.size() > MaximumTextBytes)
        return refuse({1, 1, 1, 1}, "the file has " + std::to_string(text.size()) + " bytes",
                      "at most " + std::to_string(MaximumTextBytes));
    const LineIndex lines(text);
    if (const std::size_t bad = firstBadByte(text); bad != std::string_view::npos)
        return refuse(lines.region({bad, bad + 1}),
                      text[bad] == '\0' ? "there is a NUL byte" : "there is a byte that is not UTF-8",
                      "a text file in UTF-8");

    const SyntaxTree tree(text);
    std::map<std::string, std::size_t, std::less<>> seen; // index in the root's table
    std::size_t unreported = 0;
    for (const SyntaxUnit& unit : tree.units()) {
        SourceValue read;
        Diagnostic fault;
        const auto broken = [&](std::string name, Diagnostic why) {
            document.m_broken.push_back({std::move(name), why.region});
            if (document.m_broken.size() <= MaximumReportedChunks)
                sink.add(std::move(why));
            else
                ++unreported;
        };
        if (!readUnit(tree, unit, lines, fileName, read, fault)) {
            broken(unit.name, std::move(fault));
            continue;
        }
        for (SourceEntry& entry : read.table) {
            const auto before = seen.find(entry.key);
            if (before == seen.end()) {
                seen.emplace(entry.key, document.m_root.table.size());
                document.m_root.table.push_back(std::move(entry));
                continue;
            }
            SourceEntry& first = document.m_root.table[before->second];
            const bool list = first.value.kind == SourceValue::Kind::Array;
            if (unit.element && list) {
                std::move(entry.value.array.begin(), entry.value.array.end(),
                          std::back_inserter(first.value.array));
                continue;
            }
            if (unit.element) {
                const std::string name = tomlKey(entry.key);
                broken(entry.key, {Severity::Error,
                                   std::string(fileName),
                                   first.keyRegion,
                                   "[" + name + "] stands before the first [[" + name + "]]",
                                   "its parts after the [[" + name + "]] they belong to",
                                   {}});
                first = std::move(entry);
                continue;
            }
            broken(entry.key, {Severity::Error,
                               std::string(fileName),
                               entry.keyRegion,
                               tomlKey(entry.key) + " is given twice, first in line "
                                   + std::to_string(first.keyRegion.line),
                               "each table once",
                               {}});
        }
    }
    if (unreported > 0)
        sink.add({Severity::Error,
                  std::string(fileName),
                  document.m_broken[MaximumReportedChunks].region,
                  "and " + std::to_string(unreported) + " more faults like these",
                  {},
                  {}});
    return document;
}

Result<SourceValue> parseTomlValue(std::string_view text) {
    const auto wrong = [&](const std::string& what) { return Error{what, {}, {1, 1, 1, 1}}; };
    constexpr std::string_view Key = "v = ";
    const std::string line = std::string(Key) + std::string(text);
    if (text.size() > MaximumTextBytes || firstBadByte(text) != std::string_view::npos)
        return wrong("not a value in UTF-8");
    const SyntaxTree tree(line);
    if (tree.statements().size() != 1 || tree.statement(0).kind != SyntaxStatement::Kind::KeyValue
        || tree.statement(0).value != TextSpan{Key.size(), line.size()})
        return wrong("not one value; expected " + std::string(AnyValue));
    SourceValue read;
    Diagnostic fault;
    if (!readUnit(tree, tree.units().front(), LineIndex(line), {}, read, fault))
        return Error{fault.message(), {}, fault.region};
    if (read.table.size() != 1 || read.table.front().key != "v")
        return wrong("not one value; expected " + std::string(AnyValue));
    return std::move(read.table.front().value);
}

} // namespace sbx::definition
