#include "engine/definition/toml_syntax.h"

#include <algorithm>

namespace sbx::definition {

namespace {


bool isSpace(char c) { return c == ' ' || c == '\t'; }

bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// Bytes of other scripts count too: the reader refuses them with a place, but the outline should still show
// the name.
bool isBareKey(char c) {
    return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

// One pass over a text; `at` only moves forward.
class Scanner {
public:
    explicit Scanner(std::string_view text, std::size_t start = 0) : m_text(text), m_at(start) {}

    std::vector<SyntaxStatement> statements();
    std::vector<SyntaxEntry> inlineEntries(std::size_t end);

private:
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    bool atEnd() const { return m_at >= m_text.size(); }
    bool startsWith(std::string_view s) const {
        return m_text.substr(std::min(m_at, m_text.size())).starts_with(s);
    }
    bool atLineEnd() const { return atEnd() || peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }
    void skipSpaces() {
        while (!atEnd() && isSpace(peek()))
            ++m_at;
    }
    void skipToLineEnd() {
        const std::size_t newline = m_text.find('\n', m_at);
        m_at = newline == std::string_view::npos ? m_text.size() : newline;
        if (m_at > 0 && m_at < m_text.size() && m_text[m_at - 1] == '\r')
            --m_at;
    }
    void skipLineEnd() {
        if (peek() == '\r')
            ++m_at;
        if (!atEnd())
            ++m_at;
    }

    std::vector<SyntaxKey> keyPath();
    void header(SyntaxStatement& s);
    void keyValue(SyntaxStatement& s);
    void value(SyntaxStatement& s, bool insideTable);
    bool string(SyntaxStatement& s);
    void longString(SyntaxStatement& s, std::string_view quotes);
    bool looksLikeStatement(bool onlyHeader) const;

    std::string_view m_text;
    std::size_t m_at;
};

std::vector<SyntaxKey> Scanner::keyPath() {
    std::vector<SyntaxKey> path;
    for (;;) {
        const std::size_t before = m_at;
        skipSpaces();
        const std::size_t begin = m_at;
        if (peek() == '"' || peek() == '\'') {
            const char quote = peek();
            std::size_t end = begin + 1;
            while (end < m_text.size() && m_text[end] != quote && m_text[end] != '\n') {
                const bool escape =
                    quote == '"' && m_text[end] == '\\' && end + 1 < m_text.size() && m_text[end + 1] != '\n';
                end += escape ? 2 : 1;
            }
            if (end >= m_text.size() || m_text[end] != quote) {
                m_at = before;
                return path;
            }
            m_at = end + 1;
            auto name = unquoteToml(m_text.substr(begin, m_at - begin));
            path.push_back(
                {name ? std::move(*name) : std::string(m_text.substr(begin, m_at - begin)), {begin, m_at}});
        } else {
            while (!atEnd() && isBareKey(peek()))
                ++m_at;
            if (m_at == begin) {
                m_at = before;
                return path;
            }
            path.push_back({std::string(m_text.substr(begin, m_at - begin)), {begin, m_at}});
        }
        const std::size_t after = m_at;
        skipSpaces();
        if (peek() != '.') {
            m_at = after;
            return path;
        }
        ++m_at;
    }
}

// Whether a line inside an unfinished value is really the next statement: `[Crate.Body]` or `mass = 5`.
// Quoted names do not count, nor do the bare words that are values, so that lists of lists stay lists.
bool Scanner::looksLikeStatement(bool onlyHeader) const {
    Scanner line(m_text, m_at);
    line.skipSpaces();
    std::size_t brackets = 0;
    while (brackets < 2 && line.peek() == '[') {
        ++brackets;
        ++line.m_at;
    }
    if (brackets == 0 && onlyHeader)
        return false;
    line.skipSpaces();
    const std::size_t begin = line.m_at;
    if (!isLetter(line.peek()))
        return false;
    while (!line.atEnd() && (isBareKey(line.peek()) || line.peek() == '.'))
        ++line.m_at;
    const std::string_view word = m_text.substr(begin, line.m_at - begin);
    line.skipSpaces();
    if (brackets == 0)
        return line.peek() == '=';
    for (const std::string_view valueWord : {"true", "false", "inf", "nan"})
        if (word == valueWord)
            return false;
    for (std::size_t i = 0; i < brackets; ++i) {
        if (line.peek() != ']')
            return false;
        ++line.m_at;
    }
    line.skipSpaces();
    return line.atLineEnd() || line.peek() == '#';
}

void Scanner::header(SyntaxStatement& s) {
    const std::size_t opening = m_at;
    const bool array = peek(1) == '[';
    s.kind = array ? SyntaxStatement::Kind::ArrayTable : SyntaxStatement::Kind::Table;
    m_at += array ? 2 : 1;
    s.path = keyPath();
    s.keyParts = s.path.size();
    skipSpaces();
    if (peek() == ']' && (!array || peek(1) == ']')) {
        m_at += array ? 2 : 1;
    } else {
        s.unclosed = '[';
        s.unclosedAt = opening;
    }
    if (s.path.empty()) {
        s.kind = SyntaxStatement::Kind::Broken;
        s.unclosed = '[';
        s.unclosedAt = opening;
    }
    s.text.end = m_at;
    skipSpaces();
    if (atLineEnd() || peek() == '#') {
        skipToLineEnd();
        return;
    }
    skipToLineEnd();
    s.text.end = m_at;
}

void Scanner::longString(SyntaxStatement& s, std::string_view quotes) {
    const std::size_t opening = m_at;
    m_at += 3;
    while (!atEnd()) {
        if (peek() == '\\' && quotes[0] == '"') {
            m_at = std::min(m_at + 2, m_text.size());
        } else if (startsWith(quotes)) {
            m_at += 3;
            // Up to two quotes may stand directly before the closing three.
            for (int extra = 0; extra < 2 && peek() == quotes[0]; ++extra)
                ++m_at;
            return;
        } else {
            ++m_at;
        }
    }
    s.unclosed = quotes[0];
    s.unclosedAt = opening;
    m_at = opening;
    for (;;) {
        skipToLineEnd();
        const std::size_t end = m_at;
        if (atEnd())
            return;
        skipLineEnd();
        if (looksLikeStatement(true)) {
            m_at = end;
            return;
        }
    }
}

// False: not closed, and the scanner stands at the end of the string's last line.
bool Scanner::string(SyntaxStatement& s) {
    if (startsWith("\"\"\"") || startsWith("'''")) {
        longString(s, peek() == '"' ? "\"\"\"" : "'''");
        return s.unclosed == 0;
    }
    const char quote = peek();
    const std::size_t opening = m_at;
    ++m_at;
    while (!atLineEnd()) {
        if (peek() == quote) {
            ++m_at;
            return true;
        }
        const bool escape = quote == '"' && peek() == '\\' && peek(1) != '\n' && peek(1) != '\r';
        m_at = std::min(m_at + (escape ? 2 : 1), m_text.size());
    }
    s.unclosed = quote;
    s.unclosedAt = opening;
    return false;
}

// Leaves s.value around the value, without spaces. Inside an inline table a value also ends at a comma or the
// closing brace.
void Scanner::value(SyntaxStatement& s, bool insideTable) {
    struct Bracket {
        char kind;
        std::size_t at;
    };
    std::vector<Bracket> open;
    s.value = {m_at, m_at};
    std::size_t dots = 0;
    const auto leaveOpen = [&] {
        s.unclosed = open.back().kind;
        s.unclosedAt = open.back().at;
    };
    for (;;) {
        if (atLineEnd()) {
            if (open.empty())
                return;
            if (atEnd() || open.back().kind == '{')
                return leaveOpen();
            const std::size_t end = m_at;
            skipLineEnd();
            if (looksLikeStatement(false)) {
                m_at = end;
                return leaveOpen();
            }
            dots = 0;
            continue;
        }
        const char c = peek();
        if (c == '#') {
            if (open.empty())
                return;
            skipToLineEnd();
            continue;
        }
        if (c == '"' || c == '\'') {
            const bool closed = string(s);
            s.value.end = m_at;
            if (!closed)
                return;
            continue;
        }
        if (open.empty() && insideTable && (c == ',' || c == '}'))
            return;
        if (c == '[' || c == '{') {
            open.push_back({c, m_at});
            s.nesting = std::max(s.nesting, open.size());
        } else if (c == ']' || c == '}') {
            if (!open.empty()) {
                if (open.back().kind != (c == ']' ? '[' : '{')) {
                    leaveOpen();
                    skipToLineEnd();
                    s.value.end = m_at;
                    return;
                }
                open.pop_back();
            }
        }
        dots = c == '.' ? dots + 1 : (isBareKey(c) || isSpace(c) ? dots : 0);
        s.keyParts = std::max(s.keyParts, dots + 1);
        ++m_at;
        if (!isSpace(c))
            s.value.end = m_at;
    }
}

void Scanner::keyValue(SyntaxStatement& s) {
    s.path = keyPath();
    s.keyParts = s.path.size();
    s.text.end = m_at;
    skipSpaces();
    if (s.path.empty() || peek() != '=') {
        s.kind = SyntaxStatement::Kind::Broken;
        const std::size_t rest = m_at;
        skipToLineEnd();
        // A comment after a half-typed key is a comment; quotes do not matter, since the line is broken
        // anyway.
        std::size_t end = std::min(m_text.find('#', rest), m_at);
        while (end > s.text.begin && isSpace(m_text[end - 1]))
            --end;
        s.text.end = std::max(end, s.text.begin);
        return;
    }
    s.kind = SyntaxStatement::Kind::KeyValue;
    ++m_at;
    skipSpaces();
    const std::size_t parts = s.keyParts;
    value(s, false);
    s.keyParts = std::max(s.keyParts, parts);
    s.text.end = s.value.empty() ? m_at : s.value.end;
    while (s.value.empty() && s.text.end > s.text.begin && isSpace(m_text[s.text.end - 1]))
        --s.text.end;
    skipToLineEnd();
}

std::vector<SyntaxStatement> Scanner::statements() {
    std::vector<SyntaxStatement> out;
    out.reserve(static_cast<std::size_t>(std::count(m_text.begin(), m_text.end(), '\n')) + 1);
    if (m_text.starts_with(ByteOrderMark))
        m_at = ByteOrderMark.size();
    while (!atEnd()) {
        SyntaxStatement s;
        s.lines.begin = m_at;
        skipSpaces();
        s.text = {m_at, m_at};
        if (atLineEnd()) {
            s.kind = SyntaxStatement::Kind::Blank;
        } else if (peek() == '#') {
            s.kind = SyntaxStatement::Kind::Comment;
            skipToLineEnd();
            s.text.end = m_at;
        } else if (peek() == '[') {
            header(s);
        } else {
            keyValue(s);
        }
        skipLineEnd();
        s.lines.end = m_at;
        out.push_back(std::move(s));
    }
    return out;
}

std::vector<SyntaxEntry> Scanner::inlineEntries(std::size_t end) {
    std::vector<SyntaxEntry> out;
    m_text = m_text.substr(0, end);
    ++m_at;
    for (;;) {
        skipSpaces();
        SyntaxEntry entry;
        entry.whole.begin = m_at;
        entry.path = keyPath();
        skipSpaces();
        if (entry.path.empty() || peek() != '=')
            return out;
        ++m_at;
        skipSpaces();
        SyntaxStatement s;
        value(s, true);
        entry.value = s.value;
        entry.whole.end = s.value.end;
        if (s.unclosed != 0)
            return out;
        out.push_back(std::move(entry));
        if (peek() != ',')
            return out;
        ++m_at;
    }
}

} // namespace

std::vector<SyntaxStatement> scanToml(std::string_view text) { return Scanner(text).statements(); }

std::vector<SyntaxEntry> scanInlineTable(std::string_view text, TextSpan span) {
    if (span.empty() || text[span.begin] != '{')
        return {};
    return Scanner(text, span.begin).inlineEntries(span.end);
}

} // namespace sbx::definition
