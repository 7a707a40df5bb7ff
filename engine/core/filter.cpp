#include "engine/core/filter.h"

#include "engine/core/value.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace sbx {

using detail::CompareOp;
using detail::Constant;
using detail::Token;
using detail::TokenKind;

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

template <typename T> bool holds(CompareOp op, const T& a, const T& b) {
    switch (op) {
    case CompareOp::Less:
        return a < b;
    case CompareOp::LessOrEqual:
        return a <= b;
    case CompareOp::Greater:
        return a > b;
    case CompareOp::GreaterOrEqual:
        return a >= b;
    default:
        return a == b; // Equal, NotEqual (turned round by the caller), In, and ~ on what is not text
    }
}

} // namespace

bool matchesGlob(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            do
                ++t;
            while (t < text.size() && isContinuation(text[t]));
        } else if (p < pattern.size() && lower(pattern[p]) == lower(text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool containsText(std::string_view hay, std::string_view needle) {
    if (needle.empty())
        return true;
    if (needle.size() > hay.size())
        return false;
    const char first = lower(needle.front());
    for (std::size_t i = 0; i + needle.size() <= hay.size(); ++i) {
        if (lower(hay[i]) != first)
            continue;
        std::size_t k = 1;
        while (k < needle.size() && lower(hay[i + k]) == lower(needle[k]))
            ++k;
        if (k == needle.size())
            return true;
    }
    return false;
}

std::string filterLiteral(std::string_view text) {
    return detail::isPlainWord(text) ? std::string(text) : inQuotes(text);
}

FilterFieldId FilterSchema::add(FilterField field) {
    if (const auto known = m_byName.find(field.name); known != m_byName.end())
        return known->second;
    const auto id = static_cast<FilterFieldId>(m_fields.size());
    m_byName.emplace(field.name, id);
    for (const std::string& alias : field.aliases)
        m_byName.emplace(alias, id);
    m_fields.push_back(std::move(field));
    return id;
}

const FilterField* FilterSchema::find(std::string_view name) const {
    FilterFieldId id = 0;
    return findId(name, id) ? &m_fields[id] : nullptr;
}

bool FilterSchema::findId(std::string_view name, FilterFieldId& id) const {
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return false;
    id = found->second;
    return true;
}

std::vector<std::string> FilterSchema::names() const {
    std::vector<std::string> out;
    for (const FilterField& field : m_fields)
        out.push_back(field.name);
    for (const FilterField& field : m_fields)
        out.insert(out.end(), field.aliases.begin(), field.aliases.end());
    return out;
}

class FilterCompiler : detail::ConditionParser {
public:
    FilterCompiler(std::string_view text, const FilterSchema& schema)
        : ConditionParser(text), m_schema(schema) {}

    Result<Filter> compile() {
        if (!parse(m_filter.m_program))
            return error();
        m_filter.m_text = std::string(lexer().text());
        for (FilterFieldId id = 0; id < m_schema.fields().size(); ++id)
            if (m_schema.field(id).searched)
                m_filter.m_searched.push_back(id);
        return std::move(m_filter);
    }

private:
    std::uint32_t emit(const Filter::Predicate& predicate) {
        m_filter.m_predicates.push_back(predicate);
        return static_cast<std::uint32_t>(m_filter.m_predicates.size() - 1);
    }

    std::optional<std::uint32_t> condition(const Token& first) override {
        const Token after = lexer().peek();
        const bool compares =
            after.kind == TokenKind::Compare || (after.kind == TokenKind::Colon && after.begin == first.end);
        if (!compares || first.kind == TokenKind::Quoted) {
            if (compares)
                return fail(first, "a field's name stands without quotes; expected one of " + someNames());
            if (after.kind == TokenKind::Fault)
                return fail(after, after.fault);
            return lone(first);
        }
        FilterFieldId id = 0;
        const std::string_view name = lexer().raw(first);
        if (!m_schema.findId(name, id)) {
            const std::string hint = detail::didYouMean(name, m_schema.names());
            return fail(first, "no field " + shown(first)
                                   + (hint.empty() ? "; expected one of " + someNames() : hint));
        }
        const Token op = lexer().next();
        return comparison(id, op);
    }

    // A word or text with no operator after it.
    std::optional<std::uint32_t> lone(const Token& token) {
        Filter::Predicate predicate;
        FilterFieldId id = 0;
        if (token.kind == TokenKind::Word && m_schema.findId(lexer().raw(token), id)
            && m_schema.field(id).type == FilterType::Bool) {
            predicate.kind = Filter::Predicate::Kind::Truth;
            predicate.field = id;
            return emit(predicate);
        }
        predicate.kind = Filter::Predicate::Kind::Search;
        predicate.firstConstant = static_cast<std::uint32_t>(m_filter.m_constants.size());
        predicate.constantCount = 1;
        m_filter.m_constants.add(lexer().content(token));
        return emit(predicate);
    }

    std::optional<std::uint32_t> comparison(FilterFieldId id, const Token& op) {
        const FilterField& field = m_schema.field(id);
        Filter::Predicate predicate;
        predicate.kind = Filter::Predicate::Kind::Compare;
        predicate.op =
            op.kind == TokenKind::Colon
                ? (field.type == FilterType::Number || field.type == FilterType::Bool ? CompareOp::Equal
                                                                                      : CompareOp::Match)
                : op.op;
        predicate.field = id;
        predicate.firstConstant = static_cast<std::uint32_t>(m_filter.m_constants.size());
        const bool orders = predicate.op >= CompareOp::Less && predicate.op <= CompareOp::GreaterOrEqual;
        if (field.type == FilterType::String && orders)
            return fail(op, field.name + " is text; expected ==, !=, ~ or in");
        if (field.type == FilterType::Bool && (orders || predicate.op == CompareOp::Match))
            return fail(op, field.name + " is true or false; expected == or !=");
        if (field.type == FilterType::Number && predicate.op == CompareOp::Match)
            return fail(op, field.name + " is a number; expected ==, !=, <, <=, >, >= or in");
        std::vector<Token> values;
        if (!rightSide(predicate.op, op, values))
            return std::nullopt;
        for (const Token& value : values)
            if (field.units.empty() ? !constant(field, predicate.op, value)
                                    : !constantInUnits(field, predicate.op, value))
                return std::nullopt;
        predicate.units = static_cast<std::uint32_t>(std::max<std::size_t>(1, field.units.size()));
        predicate.constantCount = static_cast<std::uint32_t>(values.size());
        return emit(predicate);
    }

    bool constant(const FilterField& field, CompareOp op, const Token& token) {
        const std::string text = lexer().content(token);
        Constant& out = m_filter.m_constants.add(text);
        if (field.type == FilterType::String) {
            if (!field.choices.empty() && op != CompareOp::Match
                && std::find(field.choices.begin(), field.choices.end(), text) == field.choices.end()) {
                std::string hint = detail::didYouMean(text, field.choices);
                if (hint.empty()) {
                    for (const std::string& choice : field.choices)
                        hint += (hint.empty() ? "" : ", ") + choice;
                    hint = "; expected one of " + hint;
                }
                fail(token, field.name + " is never " + shown(token) + hint);
                return false;
            }
            return true;
        }
        if (field.type == FilterType::Bool) {
            if (!out.isBool)
                fail(token, field.name + " is true or false, not " + shown(token));
            return out.isBool;
        }
        if (token.kind == TokenKind::Word)
            if (const auto quantity = detail::parseQuantity(text))
                if (!number(field, *quantity, token, out))
                    return false;
        if (field.type == FilterType::Number && !out.isNumber) {
            fail(token, noNumber(field, token, text));
            return false;
        }
        return true;
    }

    // Why it is none, and what would be one.
    [[nodiscard]] std::string noNumber(const FilterField& field, const Token& token,
                                       const std::string& text) const {
        double number = 0.0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool outOfRange = fault == std::errc::result_out_of_range && end == text.data() + text.size();
        const std::string example = field.unit == "tick" ? "5 or 2s"
                                    : field.unit == "ns" ? "5000 or 5us"
                                    : field.unit == "B"  ? "64 or 2KiB"
                                                         : "5";
        return field.name + " is a number, not " + shown(token)
               + (outOfRange ? ", which is out of range" : "") + "; expected one such as " + example;
    }

    // One constant for each unit that rows may have; one that the literal cannot be turned into is no number.
    bool constantInUnits(const FilterField& field, CompareOp op, const Token& token) {
        const std::string text = lexer().content(token);
        const std::optional<detail::Quantity> quantity =
            token.kind == TokenKind::Word ? detail::parseQuantity(text) : std::nullopt;
        bool fits = false;
        for (const std::string& unit : field.units) {
            Constant& out = m_filter.m_constants.add(text);
            if (!quantity)
                continue;
            if (const Result<detail::Quantity> own =
                    detail::inUnitOf(*quantity, shown(token), field.name, unit, m_schema.ticksPerSecond())) {
                setNumber(out, *own);
                fits = true;
            }
        }
        const bool orders = op >= CompareOp::Less && op <= CompareOp::GreaterOrEqual;
        if (fits || (field.type != FilterType::Number && !orders)) // 5kg may be a text
            return true;
        if (!quantity)
            fail(token, noNumber(field, token, text));
        else
            fail(token, field.name + " is in " + inWords(field.units) + ", depending on the type, which "
                            + shown(token) + " cannot be turned into; expected a number in one of them");
        return false;
    }

    // "ms, s or no unit"
    static std::string inWords(const std::vector<std::string>& units) {
        std::string out;
        for (std::size_t i = 0; i < units.size(); ++i)
            out += (i == 0                  ? ""
                    : i + 1 == units.size() ? " or "
                                            : ", ")
                   + (units[i].empty() ? "no unit" : units[i]);
        return out;
    }

    static void setNumber(Constant& out, const detail::Quantity& quantity) {
        out.isNumber = true;
        out.number = quantity.number;
        out.integer = quantity.integer;
        out.isInteger = quantity.isInteger;
    }

    // Turns a literal into the field's unit.
    bool number(const FilterField& field, const detail::Quantity& quantity, const Token& token,
                Constant& out) {
        const bool known = quantity.unit.empty() || detail::findUnit(quantity.unit) != nullptr;
        if (!known && field.type != FilterType::Number)
            return true; // 3rd_crate: a text after all
        const bool bare = field.type != FilterType::Number && field.unit.empty();
        const Result<detail::Quantity> own = bare ? detail::inBaseUnit(quantity, shown(token))
                                                  : detail::inUnitOf(quantity, shown(token), field.name,
                                                                     field.unit, m_schema.ticksPerSecond());
        if (!own) {
            fail(token, own.error().message);
            return false;
        }
        setNumber(out, *own);
        return true;
    }

    [[nodiscard]] std::string someNames() const {
        std::string out;
        std::size_t shownNames = 0;
        for (const FilterField& field : m_schema.fields()) {
            if (shownNames++ == 8)
                return out + ", …";
            out += (out.empty() ? "" : ", ") + field.name;
        }
        return out;
    }

    const FilterSchema& m_schema;
    Filter m_filter;
};

Result<Filter> Filter::compile(std::string_view text, const FilterSchema& schema) {
    return FilterCompiler(text, schema).compile();
}

std::vector<FilterFieldId> Filter::fields() const {
    std::vector<FilterFieldId> out;
    for (const Predicate& predicate : m_predicates)
        if (predicate.kind == Predicate::Kind::Search)
            out.insert(out.end(), m_searched.begin(), m_searched.end());
        else
            out.push_back(predicate.field);
    return out;
}

bool Filter::matches(const FilterRow& row) const {
    return m_program.run([&](std::uint32_t index) { return test(m_predicates[index], row); });
}

namespace {
// A literal as precise as what it is compared with.
inline double literalFor(const FilterValue& value, const Constant& constant) {
    return value.single ? static_cast<double>(static_cast<float>(constant.number)) : constant.number;
}

// compareValue(), with the commonest comparisons in place.
inline bool compareQuickly(CompareOp op, const FilterValue& value, const detail::Constants& constants,
                           const Constant& constant) {
    if (value.kind == FilterValue::Kind::String) {
        if (op == CompareOp::Equal || op == CompareOp::NotEqual || op == CompareOp::In)
            return constant.textLength == value.text.size() && constants.text(constant) == value.text;
    } else if (value.kind == FilterValue::Kind::Integer) {
        if (constant.isInteger && op == CompareOp::Greater)
            return value.integer > constant.integer;
        if (constant.isInteger && op == CompareOp::Less)
            return value.integer < constant.integer;
    } else if (value.kind == FilterValue::Kind::Number) {
        if (constant.isNumber && op == CompareOp::Greater)
            return value.number > literalFor(value, constant);
        if (constant.isNumber && op == CompareOp::Less)
            return value.number < literalFor(value, constant);
    }
    return detail::compareValue(op, value, constants, constant);
}
} // namespace

bool FilterWord::isIn(std::string_view value) const {
    return isPattern ? matchesGlob(text, value) : containsText(value, text);
}

bool FilterRow::has(const FilterWord& word, const std::vector<FilterFieldId>& fields) const {
    for (const FilterFieldId id : fields) {
        const std::size_t count = valueCount(id);
        for (std::size_t i = 0; i < count; ++i)
            if (const FilterValue found = value(id, i);
                found.kind == FilterValue::Kind::String && word.isIn(found.text))
                return true;
    }
    return false;
}

bool Filter::test(const Predicate& predicate, const FilterRow& row) const {
    if (predicate.kind == Predicate::Kind::Search) {
        const Constant& wanted = m_constants.at(predicate.firstConstant);
        return row.has({m_constants.text(wanted), wanted.isPattern}, m_searched);
    }
    const std::size_t count = row.valueCount(predicate.field);
    bool present = false;
    for (std::size_t i = 0; i < count; ++i) {
        const FilterValue value = row.value(predicate.field, i);
        if (value.kind == FilterValue::Kind::None)
            continue;
        present = true;
        if (predicate.kind == Predicate::Kind::Truth) {
            if (value.kind == FilterValue::Kind::Bool && value.boolean)
                return true;
            continue;
        }
        const std::uint32_t first =
            predicate.firstConstant + (predicate.units > value.unit ? value.unit : 0U);
        for (std::uint32_t k = 0; k < predicate.constantCount; ++k)
            if (compareQuickly(predicate.op, value, m_constants, m_constants.at(first + k * predicate.units)))
                return predicate.op != CompareOp::NotEqual;
    }
    return predicate.op == CompareOp::NotEqual && present && predicate.kind == Predicate::Kind::Compare;
}

namespace detail {

bool compareValue(CompareOp op, const FilterValue& value, const Constants& constants,
                  const Constant& constant) {
    switch (value.kind) {
    case FilterValue::Kind::None:
        return false;
    case FilterValue::Kind::Bool:
        return constant.isBool && op != CompareOp::Match && holds(op, value.boolean, constant.boolean);
    case FilterValue::Kind::Integer:
        if (!constant.isNumber || op == CompareOp::Match)
            return false;
        return constant.isInteger ? holds(op, value.integer, constant.integer)
                                  : holds(op, static_cast<double>(value.integer), constant.number);
    case FilterValue::Kind::Number:
        return constant.isNumber && op != CompareOp::Match
               && holds(op, value.number, literalFor(value, constant));
    case FilterValue::Kind::String: {
        const std::string_view text = constants.text(constant);
        if (op == CompareOp::Match)
            return constant.isPattern ? matchesGlob(text, value.text) : containsText(value.text, text);
        return (op < CompareOp::Less || op > CompareOp::GreaterOrEqual) && value.text == text;
    }
    }
    return false;
}

} // namespace detail

} // namespace sbx
