#include "engine/core/filter_hint.h"

#include "engine/core/nearest.h"

#include <algorithm>

namespace sbx {

namespace {

constexpr std::size_t LongestShownName = 40; // bytes
constexpr std::size_t LongestNearName = 64;  // bytes; longer ones have no near name

bool isName(const detail::Token& token) {
    return token.kind == detail::TokenKind::Word || token.kind == detail::TokenKind::Quoted;
}

std::string shortened(const std::string& name) {
    if (name.size() <= LongestShownName)
        return name;
    std::size_t cut = LongestShownName - 3;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U)
        --cut;
    return name.substr(0, cut) + "…";
}

class Adviser {
public:
    Adviser(std::string_view text, const FilterSchema& schema, const FilterNameProvider& names)
        : m_text(text), m_schema(schema), m_names(names), m_lexer(text) {}

    std::optional<FilterHint> find() {
        for (;;) {
            const detail::Token token = m_lexer.next();
            if (token.kind == detail::TokenKind::End || token.kind == detail::TokenKind::Fault)
                return std::nullopt;
            if (token.kind != detail::TokenKind::Word)
                continue;
            const detail::Token op = m_lexer.peek();
            const bool colon = op.kind == detail::TokenKind::Colon && op.begin == token.end;
            if (op.kind != detail::TokenKind::Compare && !colon)
                continue;
            m_lexer.next();
            if (std::optional<FilterHint> hint =
                    comparison(m_schema.find(m_lexer.raw(token)), colon ? detail::CompareOp::Match : op.op))
                return hint;
        }
    }

private:
    // Reads the right side, so that no value is taken for a field.
    std::optional<FilterHint> comparison(const FilterField* field, detail::CompareOp op) {
        std::vector<detail::Token> values;
        detail::Token value = m_lexer.next();
        if (op == detail::CompareOp::In) {
            for (; value.kind != detail::TokenKind::End && value.kind != detail::TokenKind::Fault
                   && value.kind != detail::TokenKind::Close && value.kind != detail::TokenKind::CloseList;
                 value = m_lexer.next())
                values.push_back(value);
        } else {
            values.push_back(value);
        }
        if (field == nullptr || field->type != FilterType::String || op == detail::CompareOp::NotEqual)
            return std::nullopt;
        FilterNames known;
        if (!field->choices.empty())
            known = {field->name, field->choices, {}};
        else if (m_names)
            known = m_names(*field);
        if (known.names.empty())
            return std::nullopt;
        for (const detail::Token& each : values)
            if (isName(each) && !has(known.names, m_lexer.content(each), op))
                return hint(known, each, op);
        return std::nullopt;
    }

    static bool has(const std::vector<std::string>& names, const std::string& wanted, detail::CompareOp op) {
        if (op != detail::CompareOp::Match)
            return std::find(names.begin(), names.end(), wanted) != names.end();
        const FilterWord word{wanted, isPattern(wanted)};
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return word.isIn(name); });
    }

    static bool isPattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

    std::optional<FilterHint> hint(const FilterNames& known, const detail::Token& value,
                                   detail::CompareOp op) const {
        const std::string wanted = m_lexer.content(value);
        FilterHint out;
        out.statement = op == detail::CompareOp::Match
                            ? "No " + known.what + known.rest + " matches " + shortened(wanted)
                            : "There is no " + known.what + " "
                                  + (wanted.empty() ? "without a name" : shortened(wanted)) + known.rest;
        // A pattern is no name that somebody misspelt.
        if (wanted.size() > LongestNearName || isPattern(wanted))
            return out;
        out.nearest = nearestName(wanted, known.names);
        if (!out.nearest.empty())
            out.mended = std::string(m_text.substr(0, value.begin)) + filterLiteral(out.nearest)
                         + std::string(m_text.substr(value.end));
        return out;
    }

    std::string_view m_text;
    const FilterSchema& m_schema;
    const FilterNameProvider& m_names;
    detail::Lexer m_lexer;
};

} // namespace

std::optional<FilterHint> filterHint(std::string_view text, const FilterSchema& schema,
                                     const FilterNameProvider& names) {
    if (!Filter::compile(text, schema))
        return std::nullopt;
    return Adviser(text, schema, names).find();
}

} // namespace sbx
