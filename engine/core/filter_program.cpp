#include "engine/core/filter_program.h"

#include "engine/core/nearest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace sbx::detail {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool isWordByte(char c) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x80 || (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z'))
        return true;
    return std::string_view("_.-+*?/#@%$^").find(c) != std::string_view::npos;
}

bool isWord(std::string_view text, std::string_view lower, std::string_view upper) {
    return text == lower || text == upper;
}

constexpr std::array Units = {
    UnitInfo{"ns", "time", 1e-9},
    UnitInfo{"us", "time", 1e-6},
    UnitInfo{"µs", "time", 1e-6},
    UnitInfo{"ms", "time", 1e-3},
    UnitInfo{"s", "time", 1.0},
    UnitInfo{"min", "time", 60.0},
    UnitInfo{"h", "time", 3600.0},
    UnitInfo{"B", "size", 1.0},
    UnitInfo{"kB", "size", 1e3},
    UnitInfo{"KB", "size", 1e3},
    UnitInfo{"MB", "size", 1e6},
    UnitInfo{"GB", "size", 1e9},
    UnitInfo{"KiB", "size", 1024.0},
    UnitInfo{"MiB", "size", 1048576.0},
    UnitInfo{"GiB", "size", 1073741824.0},
    UnitInfo{"mm", "length", 1e-3},
    UnitInfo{"cm", "length", 1e-2},
    UnitInfo{"m", "length", 1.0},
    UnitInfo{"km", "length", 1e3},
    UnitInfo{"g", "mass", 1e-3},
    UnitInfo{"kg", "mass", 1.0},
    UnitInfo{"t", "mass", 1e3},
    UnitInfo{"rad", "angle", 1.0},
    UnitInfo{"deg", "angle", 0.017453292519943295},
    UnitInfo{"Hz", "frequency", 1.0},
    UnitInfo{"kHz", "frequency", 1e3},
    UnitInfo{"%", "ratio", 0.01},
    UnitInfo{"m/s", "speed", 1.0},
    UnitInfo{"km/h", "speed", 1.0 / 3.6},
    UnitInfo{"N", "force", 1.0},
    UnitInfo{"kN", "force", 1e3},
    UnitInfo{"dB", "level", 1.0},
    UnitInfo{"tick", "ticks", 1.0},
};

} // namespace

const char* compareOpText(CompareOp op) {
    static constexpr const char* Texts[] = {"==", "!=", "<", "<=", ">", ">=", "~", "in"};
    return Texts[static_cast<int>(op)];
}

Token Lexer::next() {
    while (m_position < m_text.size() && isSpace(m_text[m_position]))
        ++m_position;
    const std::size_t begin = m_position;
    const auto token = [&](TokenKind kind, std::size_t length, CompareOp op = CompareOp::Equal,
                           const char* fault = nullptr) {
        m_position = begin + length;
        return Token{kind, op, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(m_position),
                     fault};
    };
    if (begin == m_text.size())
        return token(TokenKind::End, 0);
    const char c = m_text[begin];
    const char after = begin + 1 < m_text.size() ? m_text[begin + 1] : '\0';
    switch (c) {
    case '(':
        return token(TokenKind::Open, 1);
    case ')':
        return token(TokenKind::Close, 1);
    case '[':
        return token(TokenKind::OpenList, 1);
    case ']':
        return token(TokenKind::CloseList, 1);
    case ',':
        return token(TokenKind::Comma, 1);
    case ':':
        return token(TokenKind::Colon, 1);
    case '"':
    case '\'':
        return quoted(begin);
    case '~':
        return token(TokenKind::Compare, 1, CompareOp::Match);
    case '<':
        return after == '=' ? token(TokenKind::Compare, 2, CompareOp::LessOrEqual)
                            : token(TokenKind::Compare, 1, CompareOp::Less);
    case '>':
        return after == '=' ? token(TokenKind::Compare, 2, CompareOp::GreaterOrEqual)
                            : token(TokenKind::Compare, 1, CompareOp::Greater);
    case '=':
        return after == '=' ? token(TokenKind::Compare, 2, CompareOp::Equal)
                            : token(TokenKind::Fault, 1, CompareOp::Equal,
                                    "a single = compares nothing; did you mean ==?");
    case '!':
        return after == '=' ? token(TokenKind::Compare, 2, CompareOp::NotEqual) : token(TokenKind::Not, 1);
    case '&':
        return after == '&' ? token(TokenKind::And, 2)
                            : token(TokenKind::Fault, 1, CompareOp::Equal,
                                    "a single & joins nothing; did you mean && (and)?");
    case '|':
        return after == '|' ? token(TokenKind::Or, 2)
                            : token(TokenKind::Fault, 1, CompareOp::Equal,
                                    "a single | joins nothing; did you mean || (or)?");
    default:
        break;
    }
    std::size_t end = begin;
    while (end < m_text.size() && isWordByte(m_text[end]))
        ++end;
    if (end == begin) {
        const auto u = static_cast<unsigned char>(c);
        return token(TokenKind::Fault, 1, CompareOp::Equal,
                     u < 0x20 || u == 0x7F
                         ? "a control character; expected text"
                         : "this character means nothing here; put texts that hold it in quotes");
    }
    const std::string_view word = m_text.substr(begin, end - begin);
    if (isWord(word, "and", "AND"))
        return token(TokenKind::And, word.size());
    if (isWord(word, "or", "OR"))
        return token(TokenKind::Or, word.size());
    if (isWord(word, "not", "NOT"))
        return token(TokenKind::Not, word.size());
    if (isWord(word, "in", "IN"))
        return token(TokenKind::Compare, word.size(), CompareOp::In);
    return token(TokenKind::Word, word.size());
}

Token Lexer::quoted(std::size_t begin) {
    const char quote = m_text[begin];
    for (std::size_t i = begin + 1; i < m_text.size(); ++i) {
        const char c = m_text[i];
        if (c == '\\' && i + 1 < m_text.size()) {
            ++i;
        } else if (c == quote) {
            m_position = i + 1;
            return {TokenKind::Quoted, CompareOp::Equal, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(i + 1)};
        } else if (c == '\0') {
            m_position = i + 1;
            return {TokenKind::Fault, CompareOp::Equal, static_cast<std::uint32_t>(i),
                    static_cast<std::uint32_t>(i + 1), "a control character; expected text"};
        }
    }
    m_position = m_text.size();
    return {TokenKind::Fault, CompareOp::Equal, static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(m_text.size()), "this quote is never closed"};
}

std::string Lexer::content(const Token& token) const {
    const std::string_view whole = raw(token);
    if (token.kind != TokenKind::Quoted)
        return std::string(whole);
    std::string out;
    for (std::size_t i = 1; i + 1 < whole.size(); ++i) {
        if (whole[i] == '\\' && i + 2 < whole.size()) {
            ++i;
            out += whole[i] == 'n' ? '\n' : whole[i] == 't' ? '\t' : whole[i];
        } else {
            out += whole[i];
        }
    }
    return out;
}

bool isPlainWord(std::string_view text) {
    Lexer lexer(text);
    const Token token = lexer.next();
    return token.kind == TokenKind::Word && token.begin == 0 && token.end == text.size();
}

Constant& Constants::add(std::string_view text) {
    Constant constant;
    constant.textBegin = static_cast<std::uint32_t>(m_texts.size());
    constant.textLength = static_cast<std::uint32_t>(text.size());
    constant.isPattern = text.find_first_of("*?") != std::string_view::npos;
    constant.isBool = text == "true" || text == "false";
    constant.boolean = text == "true";
    m_texts += text;
    return m_items.emplace_back(constant);
}

std::optional<Quantity> parseQuantity(std::string_view text) {
    std::string_view rest = text;
    if (!rest.empty() && rest.front() == '+')
        rest.remove_prefix(1);
    const std::size_t first = !rest.empty() && rest.front() == '-' ? 1 : 0;
    const auto digit = [&](std::size_t i) { return i < rest.size() && rest[i] >= '0' && rest[i] <= '9'; };
    if (!digit(first) && !(first < rest.size() && rest[first] == '.' && digit(first + 1)))
        return std::nullopt;
    Quantity out;
    const char* const begin = rest.data();
    const char* const end = begin + rest.size();
    const auto real = std::from_chars(begin, end, out.number);
    if (real.ec != std::errc())
        return std::nullopt;
    const auto whole = std::from_chars(begin, end, out.integer);
    out.isInteger = whole.ec == std::errc() && whole.ptr == real.ptr;
    out.unit = std::string_view(real.ptr, static_cast<std::size_t>(end - real.ptr));
    out.unit.remove_prefix(std::min(out.unit.find_first_not_of(" \t"), out.unit.size()));
    return out;
}

const UnitInfo* findUnit(std::string_view name) {
    if (name == "ticks")
        name = "tick";
    for (const UnitInfo& unit : Units)
        if (name == unit.name)
            return &unit;
    return nullptr;
}

std::string unitsLike(std::string_view dimension) {
    std::string out;
    for (const UnitInfo& unit : Units)
        if (dimension.empty() || dimension == unit.dimension)
            out += (out.empty() ? "" : ", ") + std::string(unit.name);
    return out;
}

namespace {

Quantity scaled(Quantity quantity, double factor) {
    quantity.unit = {};
    if (factor == 1.0)
        return quantity;
    // 70 cm are the number that is written 0.7: divided by 100, not times 0.01.
    const double parts = std::round(1.0 / factor);
    quantity.number = factor < 1.0 && std::abs(factor * parts - 1.0) < 1e-12 ? quantity.number / parts : quantity.number * factor;
    quantity.isInteger = false;
    // 0.1 s of 60 ticks a second is 6, not 6.000000000000001.
    constexpr double Rounding = 4.0 * std::numeric_limits<double>::epsilon();
    if (const double whole = std::round(quantity.number);
        std::abs(quantity.number - whole) <= Rounding * std::abs(whole))
        quantity.number = whole;
    return quantity;
}

Error unknownUnit(std::string_view literal, const std::string& expected) {
    return Error{std::string(literal) + " ends in no known unit; expected " + expected, {}, {}};
}

} // namespace

Result<Quantity> inBaseUnit(const Quantity& quantity, std::string_view literal) {
    if (quantity.unit.empty())
        return quantity;
    const UnitInfo* const unit = findUnit(quantity.unit);
    if (unit == nullptr)
        return unknownUnit(literal, unitsLike({}));
    return scaled(quantity, unit->factor);
}

Result<Quantity> inUnitOf(const Quantity& quantity, std::string_view literal, const std::string& what, std::string_view unit,
                          double ticksPerSecond) {
    if (quantity.unit.empty())
        return quantity;
    const UnitInfo* const own = findUnit(unit);
    const UnitInfo* const written = findUnit(quantity.unit);
    if (written == nullptr)
        return unknownUnit(literal, own != nullptr ? unitsLike(own->dimension) : "a plain number");
    const std::string_view dimension = written->dimension;
    if (own != nullptr && dimension == own->dimension)
        return scaled(quantity, written->factor / own->factor);
    if (own != nullptr && dimension == "time" && std::string_view(own->dimension) == "ticks")
        return scaled(quantity, written->factor * ticksPerSecond);
    if (unit.empty() && dimension == "ratio")
        return scaled(quantity, written->factor);
    return Error{what + (unit.empty() ? std::string(" has no unit") : " is in " + std::string(unit)) + "; expected "
                     + (own == nullptr ? "a plain number"
                        : std::string_view(own->dimension) == "ticks"
                            ? "a number in tick, or a time in " + unitsLike("time")
                            : "a number in " + unitsLike(own->dimension)),
                 {},
                 {}};
}

std::string didYouMean(std::string_view typed, const std::vector<std::string>& names) {
    if (typed.size() > 64)
        return {};
    const std::string nearest = nearestName(typed, names);
    return nearest.empty() ? nearest : "; did you mean " + nearest + "?";
}

std::string ConditionParser::shown(const Token& token) const {
    std::string_view raw = m_lexer.raw(token);
    if (raw.size() <= 40)
        return std::string(raw);
    std::size_t cut = 37;
    while (cut > 0 && (static_cast<unsigned char>(raw[cut]) & 0xC0U) == 0x80U)
        --cut;
    return std::string(raw.substr(0, cut)) + "…";
}

std::nullopt_t ConditionParser::fail(const Token& at, std::string message) {
    if (m_error.region.line == 0) {
        const int begin = static_cast<int>(at.begin) + 1;
        m_error.region = {1, begin, 1, std::max(static_cast<int>(at.end) + 1, begin + 1)};
        m_error.message = std::move(message);
    }
    return std::nullopt;
}

// The topmost pending operator has both its sides: finish it.
void ConditionParser::reduceOne(Program& program) {
    const Pending top = m_pending.back();
    m_pending.pop_back();
    if (top.kind == TokenKind::Not)
        program.m_code.push_back({Instruction::Op::Not, 0});
    else
        program.m_code[top.jump].argument = static_cast<std::uint32_t>(program.m_code.size());
}

void ConditionParser::join(Program& program, TokenKind kind, const Token& token) {
    const auto binds = [](TokenKind k) {
        return k == TokenKind::Not ? 3 : k == TokenKind::And ? 2 : k == TokenKind::Or ? 1 : 0;
    };
    while (!m_pending.empty() && binds(m_pending.back().kind) >= binds(kind))
        reduceOne(program);
    const auto at = static_cast<std::uint32_t>(program.m_code.size());
    program.m_code.push_back(
        {kind == TokenKind::And ? Instruction::Op::JumpIfFalse : Instruction::Op::JumpIfTrue, 0});
    m_pending.push_back({kind, at, token});
}

bool ConditionParser::parse(Program& program) {
    if (m_lexer.text().size() > LongestCondition) {
        fail({TokenKind::Fault, CompareOp::Equal, 0, 1},
             "too long (" + std::to_string(m_lexer.text().size()) + " bytes); expected at most 1 MiB");
        return false;
    }
    bool wantsCondition = true;
    Token last; // End: nothing yet
    for (;;) {
        const Token token = m_lexer.next();
        if (token.kind == TokenKind::Fault) {
            fail(token, token.fault);
            return false;
        }
        if (wantsCondition) {
            switch (token.kind) {
            case TokenKind::Not:
            case TokenKind::Open:
                m_pending.push_back({token.kind, 0, token});
                break;
            case TokenKind::Word:
            case TokenKind::Quoted: {
                const auto predicate = condition(token);
                if (!predicate)
                    return false;
                program.m_code.push_back({Instruction::Op::Test, *predicate});
                wantsCondition = false;
                break;
            }
            case TokenKind::End:
                if (last.kind == TokenKind::End)
                    return true; // empty: true
                fail(last,
                     "nothing follows " + shown(last) + "; expected a condition such as type == Damage");
                return false;
            default:
                fail(token, "unexpected " + shown(token) + "; expected a condition such as type == Damage");
                return false;
            }
        } else {
            switch (token.kind) {
            case TokenKind::And:
            case TokenKind::Or:
                join(program, token.kind, token);
                wantsCondition = true;
                break;
            case TokenKind::Close:
                while (!m_pending.empty() && m_pending.back().kind != TokenKind::Open)
                    reduceOne(program);
                if (m_pending.empty()) {
                    fail(token, "this ) closes nothing");
                    return false;
                }
                m_pending.pop_back();
                break;
            case TokenKind::Word:
            case TokenKind::Quoted:
            case TokenKind::Not:
            case TokenKind::Open:
                join(program, TokenKind::And, token);
                m_lexer.seek(token.begin);
                wantsCondition = true;
                break;
            case TokenKind::End:
                while (!m_pending.empty()) {
                    if (m_pending.back().kind == TokenKind::Open) {
                        fail(m_pending.back().token, "this ( is never closed");
                        return false;
                    }
                    reduceOne(program);
                }
                threadJumps(program);
                return true;
            default:
                fail(token, "unexpected " + shown(token) + "; expected and, or, or the end");
                return false;
            }
        }
        last = token;
    }
}

// A jump to a jump of the same kind goes straight on: a chain of a thousand `or` costs one step once it is
// true.
void ConditionParser::threadJumps(Program& program) {
    auto& code = program.m_code;
    for (std::size_t i = code.size(); i-- > 0;) {
        Instruction& step = code[i];
        if (step.op != Instruction::Op::JumpIfFalse && step.op != Instruction::Op::JumpIfTrue)
            continue;
        if (step.argument < code.size()) {
            const Instruction& target = code[step.argument];
            if (target.op == step.op)
                step.argument = target.argument;
            else if (target.op == Instruction::Op::JumpIfFalse || target.op == Instruction::Op::JumpIfTrue)
                step.argument += 1;
        }
    }
}

bool ConditionParser::expectValue(const Token& token) {
    if (token.kind == TokenKind::Word || token.kind == TokenKind::Quoted)
        return true;
    fail(token, token.kind == TokenKind::Fault ? std::string(token.fault)
                                               : "unexpected " + shown(token) + "; expected a value");
    return false;
}

// A unit may stand apart from its number: 50 %. What is compared itself, or is no unit, is another condition.
Token ConditionParser::withUnit(const Token& value) {
    if (value.kind != TokenKind::Word)
        return value;
    const auto quantity = parseQuantity(m_lexer.raw(value));
    if (!quantity || !quantity->unit.empty())
        return value;
    Lexer ahead = m_lexer;
    const Token unit = ahead.next();
    const TokenKind after = ahead.next().kind;
    if (unit.kind != TokenKind::Word || findUnit(m_lexer.raw(unit)) == nullptr || after == TokenKind::Compare
        || after == TokenKind::Colon)
        return value;
    m_lexer.seek(unit.end);
    Token whole = value;
    whole.end = unit.end;
    return whole;
}

bool ConditionParser::rightSide(CompareOp op, const Token& token, std::vector<Token>& values) {
    if (op == CompareOp::In)
        return list(values);
    const Token value = m_lexer.next();
    if (value.kind == TokenKind::End) {
        fail(token, "nothing follows " + shown(token) + "; expected a value");
        return false;
    }
    if (!expectValue(value))
        return false;
    values.push_back(withUnit(value));
    return true;
}

bool ConditionParser::list(std::vector<Token>& values) {
    const Token open = m_lexer.next();
    if (open.kind != TokenKind::Open && open.kind != TokenKind::OpenList) {
        fail(open, "expected a list after in, such as (a, b)");
        return false;
    }
    const TokenKind close = open.kind == TokenKind::Open ? TokenKind::Close : TokenKind::CloseList;
    for (;;) {
        const Token value = m_lexer.next();
        if (value.kind == TokenKind::End) {
            fail(open, "this list is never closed");
            return false;
        }
        if (!expectValue(value))
            return false;
        values.push_back(withUnit(value));
        const Token after = m_lexer.next();
        if (after.kind == close)
            return true;
        if (after.kind == TokenKind::Fault) {
            fail(after, after.fault);
            return false;
        }
        if (after.kind == TokenKind::End) {
            fail(open, "this list is never closed");
            return false;
        }
        if (after.kind != TokenKind::Comma) {
            fail(after, "unexpected " + shown(after) + "; expected a comma or the end of the list");
            return false;
        }
    }
}

} // namespace sbx::detail
