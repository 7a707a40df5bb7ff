#pragma once
// Conditions over paths instead of rows, in the filter language: what `expect` and breakpoints evaluate.
//
//     crate_3.Health.current == 35 and trace.timing
//     count(type == "Crate") >= 10
//
// What a path names and what count() counts is the caller's business. The right side may be a literal, a path
// or a count; a bare word there that is no path is a text. A literal with a unit is brought into the unit of
// what it is compared with, as in filters; where that is another literal, both are in base units (s, B, m, kg,
// rad). Texts compare exactly under == != in, and as in filters under ~. Comparing a number with a text is an
// error, not false.

#include "engine/core/filter_program.h"
#include "engine/core/result.h"
#include "engine/core/value.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct ExpressionContext {
    // The value of `crate_3.Health.current` or of a CVar; the error names the part that is unknown, with the
    // nearest name.
    std::function<Result<Value>(std::string_view path)> path;
    // How many things match the filter; may be empty.
    std::function<Result<std::int64_t>(std::string_view filter)> count;
    // The unit of what a path names: "deg"; empty: none. Without the function everything is in base units.
    std::function<std::string(std::string_view path)> unit = {};
    double ticksPerSecond = 60.0;
};

class Expression {
public:
    // Errors are placed as Filter::compile's are. An empty text is an error.
    [[nodiscard]] static Result<Expression> compile(std::string_view text);

    // `seen`, if given, receives what was read, for a failure's message: "crate_3.Health.current is 40.0".
    [[nodiscard]] Result<bool> evaluate(const ExpressionContext& context, std::string* seen = nullptr) const;
    // What a watch shows: the value of a path or count() that stands alone, of any kind; else whether the condition holds.
    [[nodiscard]] Result<Value> value(const ExpressionContext& context) const;
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    friend class ExpressionCompiler;
    friend class ExpressionRun;

    struct Operand {
        enum class Kind : std::uint8_t { Literal, Path, PathOrText, Count };
        Kind kind = Kind::Literal;
        std::string text;
        Value literal; // of a Literal: bool, int64, double or text; with a unit: in base units
        bool measured = false; // a Literal with a unit
        SourceRegion region;
    };
    struct Predicate {
        bool truth = false; // the left operand alone
        detail::CompareOp op = detail::CompareOp::Equal;
        std::uint32_t left = 0;
        std::vector<std::uint32_t> right;
        SourceRegion region; // of the operator
    };

    std::string m_text;
    detail::Program m_program;
    std::vector<Operand> m_operands;
    std::vector<Predicate> m_predicates;
};

} // namespace sbx
