#include "engine/definition/syntax_fault.h"

#include "engine/core/nearest.h"
#include "engine/core/value.h"

#include <algorithm>

namespace sbx::definition {

namespace {

// A word without quotes where a value belongs: it begins like a name and holds nothing that parts values.
bool isBareWord(std::string_view value) {
    const auto first = static_cast<unsigned char>(value.empty() ? '\0' : value.front());
    const bool letter =
        (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z') || first == '_' || first >= 0x80;
    return letter && value.find_first_of("\"'[]{},=# \t\r\n") == std::string_view::npos;
}

// Something that set out to be a number.
bool isNumberLike(std::string_view value) {
    return value.find_first_of("0123456789") < 2
           && value.find_first_of("\"'[]{},=# \t\r\n") == std::string_view::npos;
}

std::string dotted(const std::vector<SyntaxKey>& path) {
    std::string out;
    for (const SyntaxKey& key : path)
        out += (out.empty() ? "" : ".") + tomlKey(key.name);
    return out;
}

} // namespace

const SyntaxKey* SyntaxFault::oddKey(const SyntaxStatement& s) const {
    const auto it = std::find_if(s.path.begin(), s.path.end(), [&](const SyntaxKey& key) {
        const std::string_view raw = key.span.of(m_text);
        return raw.front() != '"' && raw.front() != '\'' && tomlKey(raw) != raw;
    });
    return it == s.path.end() ? nullptr : &*it;
}

bool SyntaxFault::isCertain(const SyntaxStatement& s) const {
    return s.unclosed != 0 || s.kind == SyntaxStatement::Kind::Broken || oddKey(s) != nullptr;
}

Diagnostic SyntaxFault::unclosed(const SyntaxStatement& s) const {
    std::string what = "the text that begins here is not closed";
    std::string expected =
        s.unclosed == '"' ? "\" before the end of the line" : "' before the end of the line";
    std::size_t length = 1;
    const bool quote = s.unclosed == '"' || s.unclosed == '\'';
    if (quote && m_text.substr(s.unclosedAt, 3) == std::string(3, s.unclosed)) {
        expected = std::string(3, s.unclosed);
        length = 3;
    } else if (s.isHeader() || s.kind == SyntaxStatement::Kind::Broken) {
        what = s.path.empty() ? "this header names no table" : "this header is not closed";
        expected = s.path.empty() ? "[Name], [Name.Part] or [[name]]"
                                  : (s.kind == SyntaxStatement::Kind::ArrayTable ? "]]" : "]");
        length = std::max<std::size_t>(s.text.size(), 1);
    } else if (s.unclosed == '[') {
        what = "the list that begins here is not closed";
        expected = "]";
    } else if (s.unclosed == '{') {
        what = "the table that begins here is not closed";
        expected = "} on the same line";
    }
    return at({s.unclosedAt, s.unclosedAt + length}, std::move(what), std::move(expected));
}

Diagnostic SyntaxFault::explain(const SyntaxStatement* s, std::string_view description,
                                TextSpan place) const {
    if (s != nullptr && description.find("cannot redefine") != std::string_view::npos && !s->path.empty())
        return at({s->path.front().span.begin, s->path.back().span.end}, dotted(s->path) + " is given twice",
                  s->isHeader() ? "each table once" : "each key once");
    if (s != nullptr && s->kind == SyntaxStatement::Kind::Broken) {
        if (s->path.empty())
            return at(s->text, "this is neither a header, a key with a value nor a comment", "key = value");
        return at(s->text, dotted(s->path) + " is not followed by = and a value",
                  dotted(s->path) + " = value");
    }
    if (s != nullptr) {
        if (const SyntaxKey* key = oddKey(*s)) {
            const std::string_view raw = key->span.of(m_text);
            return at(key->span, "the key " + std::string(raw) + " needs quotes",
                      "letters, digits, _ and -, or a name in quotes", inQuotes(raw));
        }
    }
    if (s != nullptr && s->kind == SyntaxStatement::Kind::KeyValue) {
        if (s->value.empty())
            return at({s->path.front().span.begin, s->path.back().span.end},
                      dotted(s->path) + " has no value", AnyValue);
        const std::string_view value = s->value.of(m_text);
        if (isBareWord(value)) {
            std::string near = inQuotes(value);
            for (const char* word : {"true", "false"})
                if (editDistance(value, word) == 0 && value != word)
                    near = word;
            return at(s->value, std::string(value) + " is not a value", AnyValue, near);
        }
    }
    if (s != nullptr && s->kind == SyntaxStatement::Kind::KeyValue && isNumberLike(s->value.of(m_text))
        && s->value.size() < 64)
        return at(s->value, std::string(s->value.of(m_text)) + " is not a number",
                  "a number such as 5, -0.5 or 1e3, of at most 64 bits");
    constexpr std::string_view Prefix = "Error while parsing ";
    if (description.starts_with(Prefix))
        description.remove_prefix(Prefix.size());
    const std::size_t colon = description.find(": ");
    if (colon == std::string_view::npos)
        return at(place, "wrong syntax: " + std::string(description), {});
    const std::string thing(description.substr(0, colon));
    std::string_view rest = description.substr(colon + 2);
    const std::size_t saw = rest.find(", saw ");
    if (!rest.starts_with("expected ") || saw == std::string_view::npos)
        return at(place, "wrong syntax in " + thing + ": " + std::string(rest), {});
    std::string found(rest.substr(saw + 6));
    if (found == "'\\n'" || found == "'\\r'")
        found = "the end of the line";
    std::string expected(rest.substr(9, saw - 9));
    if (expected == "a comment or whitespace")
        expected = "the end of the line";
    return at(place, "wrong syntax in " + thing + ": found " + found, std::move(expected));
}

Diagnostic SyntaxFault::at(TextSpan span, std::string what, std::string expected,
                           std::string suggestion) const {
    return {Severity::Error,      m_file, m_lines.region(span), std::move(what), std::move(expected),
            std::move(suggestion)};
}

} // namespace sbx::definition
