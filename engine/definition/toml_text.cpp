// The parts of toml_syntax.h that need no scanning: places, keys and strings.
#include "engine/core/value.h"
#include "engine/definition/toml_syntax.h"

#include <algorithm>
#include <cstdint>

namespace sbx::definition {

namespace {

void appendUtf8(std::string& out, std::uint32_t c) {
    const auto byte = [&](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0U | (c >> 6U));
        byte(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        byte(0xE0U | (c >> 12U));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    } else {
        byte(0xF0U | (c >> 18U));
        byte(0x80U | ((c >> 12U) & 0x3FU));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    }
}

} // namespace

LineIndex::LineIndex(std::string_view text) : m_text(text) {
    m_starts.push_back(text.starts_with(ByteOrderMark) ? ByteOrderMark.size() : 0);
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        m_starts.push_back(at + 1);
}

SourceRegion LineIndex::region(TextSpan span) const {
    const auto place = [&](std::size_t offset, int& line, int& column) {
        const auto next = std::upper_bound(m_starts.begin() + 1, m_starts.end(), offset);
        const std::size_t start = *(next - 1);
        line = static_cast<int>(next - m_starts.begin());
        column = static_cast<int>(offset - std::min(offset, start)) + 1;
    };
    SourceRegion out;
    place(span.begin, out.line, out.column);
    place(span.end, out.endLine, out.endColumn);
    return out;
}

TextSpan LineIndex::line(int line) const {
    const auto index = static_cast<std::size_t>(std::clamp(line, 1, lineCount()) - 1);
    std::size_t end = index + 1 < m_starts.size() ? m_starts[index + 1] - 1 : m_text.size();
    if (end > m_starts[index] && index + 1 < m_starts.size() && m_text[end - 1] == '\r')
        --end;
    return {m_starts[index], end};
}

std::size_t LineIndex::offset(int line, int column) const {
    const TextSpan span = this->line(line);
    return std::min(span.begin + static_cast<std::size_t>(std::max(column, 1) - 1), span.end);
}

TextSpan LineIndex::span(const SourceRegion& region) const {
    const std::size_t begin = offset(region.line, region.column);
    return {begin, std::max(begin, offset(region.endLine, region.endColumn))};
}

std::string tomlKey(std::string_view name) {
    const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'
               || c == '-';
    });
    return bare ? std::string(name) : inQuotes(name);
}

std::optional<std::string> unquoteToml(std::string_view raw) {
    bool multiLine = false;
    if (raw.size() >= 6 && (raw.starts_with("\"\"\"") || raw.starts_with("'''"))
        && raw.substr(raw.size() - 3) == raw.substr(0, 3))
        multiLine = true;
    else if (raw.size() < 2 || (raw.front() != '"' && raw.front() != '\'') || raw.back() != raw.front())
        return std::nullopt;
    const bool literal = raw.front() == '\'';
    const char quote = raw.front();
    raw = multiLine ? raw.substr(3, raw.size() - 6) : raw.substr(1, raw.size() - 2);
    if (multiLine && raw.starts_with("\r\n"))
        raw.remove_prefix(2);
    else if (multiLine && raw.starts_with('\n'))
        raw.remove_prefix(1);
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        if (!multiLine && (c == quote || c == '\n'))
            return std::nullopt;
        if (literal || c != '\\') {
            out += c;
            continue;
        }
        if (++i >= raw.size())
            return std::nullopt;
        switch (raw[i]) {
        case 'b':
            out += '\b';
            break;
        case 't':
            out += '\t';
            break;
        case 'n':
            out += '\n';
            break;
        case 'f':
            out += '\f';
            break;
        case 'r':
            out += '\r';
            break;
        case '"':
            out += '"';
            break;
        case '\\':
            out += '\\';
            break;
        case 'u':
        case 'U': {
            const std::size_t digits = raw[i] == 'u' ? 4 : 8;
            std::uint32_t code = 0;
            if (i + digits >= raw.size())
                return std::nullopt;
            for (std::size_t d = 1; d <= digits; ++d) {
                const char h = raw[i + d];
                std::uint32_t nibble = 0;
                if (h >= '0' && h <= '9')
                    nibble = static_cast<std::uint32_t>(h - '0');
                else if (h >= 'a' && h <= 'f')
                    nibble = static_cast<std::uint32_t>(h - 'a' + 10);
                else if (h >= 'A' && h <= 'F')
                    nibble = static_cast<std::uint32_t>(h - 'A' + 10);
                else
                    return std::nullopt;
                code = code << 4U | nibble;
            }
            if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
                return std::nullopt;
            appendUtf8(out, code);
            i += digits;
            break;
        }
        default: {
            // A backslash at a line's end joins the lines and eats the space between.
            const std::size_t next = raw.find_first_not_of(" \t\r\n", i);
            const std::size_t newline = raw.find('\n', i);
            if (!multiLine || newline == std::string_view::npos
                || (next != std::string_view::npos && next < newline))
                return std::nullopt;
            i = next == std::string_view::npos ? raw.size() : next - 1;
        }
        }
    }
    return out;
}

} // namespace sbx::definition
