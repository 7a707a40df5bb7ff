#pragma once
// Describes a syntax error in terms of the file rather than of the parser, as far as the scanned
// statement shows it. Inside this room only.

#include "engine/core/diagnostic.h"
#include "engine/definition/toml_syntax.h"

#include <string>
#include <string_view>

namespace sbx::definition {

constexpr const char* AnyValue = "text in quotes, a number, true, false, a list or a table";

// Keeps references to the text and its lines.
class SyntaxFault {
public:
    SyntaxFault(std::string_view text, const LineIndex& lines, std::string_view file)
        : m_text(text), m_lines(lines), m_file(file) {}

    // No parser can take this statement.
    [[nodiscard]] bool isCertain(const SyntaxStatement& s) const;
    // A string, list, inline table or header that is not closed.
    [[nodiscard]] Diagnostic unclosed(const SyntaxStatement& s) const;
    // `description` is the parser's, `place` where it stopped, `s` the statement there or null.
    [[nodiscard]] Diagnostic explain(const SyntaxStatement* s, std::string_view description,
                                     TextSpan place) const;
    [[nodiscard]] Diagnostic at(TextSpan span, std::string what, std::string expected,
                                std::string suggestion = {}) const;

private:
    // A part that is neither bare nor quoted, or null.
    [[nodiscard]] const SyntaxKey* oddKey(const SyntaxStatement& s) const;

    std::string_view m_text;
    const LineIndex& m_lines;
    std::string m_file;
};

} // namespace sbx::definition
