#pragma once
// Inside of filters and expressions: tokens, the condition parser and the flat program it makes. Not for
// other rooms. The parser keeps its own stack, so depth costs memory only; the program needs no stack at all:
// one truth value and forward jumps.

#include "engine/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::detail {

inline constexpr std::size_t LongestCondition = 1U << 20U; // bytes

enum class CompareOp : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Match,
    In
};
[[nodiscard]] const char* compareOpText(CompareOp op);

enum class TokenKind : std::uint8_t {
    Word,
    Quoted,
    Compare,
    And,
    Or,
    Not,
    Open,
    Close,
    OpenList,
    CloseList,
    Comma,
    Colon,
    End,
    Fault
};

struct Token {
    TokenKind kind = TokenKind::End;
    CompareOp op = CompareOp::Equal;
    std::uint32_t begin = 0; // bytes
    std::uint32_t end = 0;
    const char* fault = nullptr; // Fault: what is wrong and what would be right
};

class Lexer {
public:
    explicit Lexer(std::string_view text) : m_text(text) {}

    Token next();
    [[nodiscard]] Token peek() const { return Lexer(*this).next(); }
    [[nodiscard]] std::string_view text() const { return m_text; }
    [[nodiscard]] std::string_view raw(const Token& token) const {
        return m_text.substr(token.begin, token.end - token.begin);
    }
    // Without quotes and escapes.
    [[nodiscard]] std::string content(const Token& token) const;
    void seek(std::size_t position) { m_position = position; }

private:
    Token quoted(std::size_t begin);

    std::string_view m_text;
    std::size_t m_position = 0;
};

// True if the whole text lexes as one word and is none of and, or, not, in.
[[nodiscard]] bool isPlainWord(std::string_view text);

struct Instruction {
    enum class Op : std::uint8_t { Test, Not, JumpIfFalse, JumpIfTrue };
    Op op = Op::Test;
    std::uint32_t argument = 0; // predicate, or where to jump
};

class Program {
public:
    [[nodiscard]] bool empty() const { return m_code.empty(); }
    // One condition with nothing around it.
    [[nodiscard]] bool isSingle() const { return m_code.size() == 1 && m_code[0].op == Instruction::Op::Test; }
    // An empty program is true.
    template <typename Test> bool run(Test&& test) const {
        bool truth = true;
        const std::size_t size = m_code.size();
        for (std::size_t i = 0; i < size;) {
            const Instruction& step = m_code[i];
            switch (step.op) {
            case Instruction::Op::Test:
                truth = test(step.argument);
                ++i;
                break;
            case Instruction::Op::Not:
                truth = !truth;
                ++i;
                break;
            case Instruction::Op::JumpIfFalse:
                i = truth ? i + 1 : step.argument;
                break;
            case Instruction::Op::JumpIfTrue:
                i = truth ? step.argument : i + 1;
                break;
            }
        }
        return truth;
    }

private:
    friend class ConditionParser;
    std::vector<Instruction> m_code;
};

// A literal of the language: its text, and the number or truth it can be read as.
struct Constant {
    std::uint32_t textBegin = 0;
    std::uint32_t textLength = 0;
    bool isNumber = false;
    bool isInteger = false; // `integer` holds it exactly
    bool isBool = false;
    bool boolean = false;
    bool isPattern = false; // has * or ?
    std::int64_t integer = 0;
    double number = 0.0;
};

// Constants with their texts in one block.
class Constants {
public:
    Constant& add(std::string_view text);
    [[nodiscard]] const Constant& at(std::size_t index) const { return m_items[index]; }
    [[nodiscard]] std::string_view text(const Constant& constant) const {
        return {m_texts.data() + constant.textBegin, constant.textLength};
    }
    [[nodiscard]] std::size_t size() const { return m_items.size(); }

private:
    std::vector<Constant> m_items;
    std::string m_texts;
};

// A number with an optional unit, as written ("5", "5ms", "50 %"); nothing if the text is not one.
struct Quantity {
    double number = 0.0;
    std::int64_t integer = 0;
    bool isInteger = false;
    std::string_view unit; // as written; empty: none
};
[[nodiscard]] std::optional<Quantity> parseQuantity(std::string_view text);

struct UnitInfo {
    const char* name;
    const char* dimension; // "time", "size", …
    double factor;         // to the dimension's base unit
};
[[nodiscard]] const UnitInfo* findUnit(std::string_view name);
// "ns, us, ms, s, min, h"
[[nodiscard]] std::string unitsLike(std::string_view dimension);
// The quantity in the unit of what it is compared with (empty: none, which takes plain numbers and %): durations in ticks where
// that counts ticks. The error names `what`. An unknown unit is an error; `literal` is how it was written.
[[nodiscard]] Result<Quantity> inUnitOf(const Quantity& quantity, std::string_view literal, const std::string& what,
                                        std::string_view unit, double ticksPerSecond);
// Without unit, in the dimension's base unit (s, B, m, kg, rad); an error if it is unknown.
[[nodiscard]] Result<Quantity> inBaseUnit(const Quantity& quantity, std::string_view literal);

// Shunting-yard over conditions; the derived class reads one condition (`type == Damage`) at a time.
class ConditionParser {
public:
    virtual ~ConditionParser() = default;

protected:
    explicit ConditionParser(std::string_view text) : m_lexer(text) {}

    // Reads what follows `first` as far as it belongs to the condition and returns its predicate, or nothing
    // after fail().
    virtual std::optional<std::uint32_t> condition(const Token& first) = 0;

    // False if the text is at fault; then error() has the reason.
    bool parse(Program& program);
    // Keeps the first fault. Always returns nothing, so that it can be returned.
    std::nullopt_t fail(const Token& at, std::string message);
    // What stands right of the operator at `token`, read as `op`: one value, or the list of `in (a, b)`. False after fail().
    bool rightSide(CompareOp op, const Token& token, std::vector<Token>& values);
    [[nodiscard]] const Error& error() const { return m_error; }
    [[nodiscard]] Lexer& lexer() { return m_lexer; }
    // For messages: the token as written, cut if long.
    [[nodiscard]] std::string shown(const Token& token) const;

private:
    struct Pending {
        TokenKind kind;
        std::uint32_t jump; // of And, Or: the instruction to patch
        Token token;
    };
    bool list(std::vector<Token>& values);
    bool expectValue(const Token& token);
    [[nodiscard]] Token withUnit(const Token& value);
    void reduceOne(Program& program);
    void join(Program& program, TokenKind kind, const Token& token);
    static void threadJumps(Program& program);

    Lexer m_lexer;
    std::vector<Pending> m_pending;
    Error m_error;
};

// "; did you mean x?" or nothing.
[[nodiscard]] std::string didYouMean(std::string_view typed, const std::vector<std::string>& names);

} // namespace sbx::detail
