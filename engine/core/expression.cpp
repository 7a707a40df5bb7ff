#include "engine/core/expression.h"

#include "engine/core/filter.h"

#include <cmath>

namespace sbx {

using detail::CompareOp;
using detail::Token;
using detail::TokenKind;

namespace {
SourceRegion regionOf(const Token& token) {
    return {1, static_cast<int>(token.begin) + 1, 1, static_cast<int>(token.end) + 1};
}
} // namespace

class ExpressionCompiler : detail::ConditionParser {
public:
    explicit ExpressionCompiler(std::string_view text) : ConditionParser(text) {}

    Result<Expression> compile() {
        if (!parse(m_out.m_program))
            return error();
        if (m_out.m_program.empty()) {
            fail({}, "nothing to evaluate; expected a condition such as count(type == Crate) >= 10");
            return error();
        }
        if (m_numberAlone && !m_out.m_program.isSingle()) {
            fail(*m_numberAlone,
                 "a number alone is neither true nor false; expected a comparison (there is no arithmetic)");
            return error();
        }
        m_out.m_text = std::string(lexer().text());
        return std::move(m_out);
    }

private:
    using Operand = Expression::Operand;

    std::optional<std::uint32_t> condition(const Token& first) override {
        Expression::Predicate predicate;
        const auto left = operand(first, Operand::Kind::Path);
        if (!left)
            return std::nullopt;
        predicate.left = *left;
        const Token op = lexer().peek();
        predicate.region = regionOf(op);
        if (op.kind == TokenKind::Fault)
            return fail(op, op.fault);
        if (op.kind != TokenKind::Compare) {
            if (const Operand& alone = m_out.m_operands[*left]; alone.kind == Operand::Kind::Literal) {
                if (std::holds_alternative<std::string>(alone.literal))
                    return fail(first, "a text alone is neither true nor false; expected a comparison");
                // As a whole it is a value like others; among conditions a slip: a > 4 +2.
                if (!std::holds_alternative<bool>(alone.literal) && !m_numberAlone)
                    m_numberAlone = first;
            }
            predicate.truth = true;
            predicate.region = regionOf(first);
            m_out.m_predicates.push_back(std::move(predicate));
            return static_cast<std::uint32_t>(m_out.m_predicates.size() - 1);
        }
        lexer().next();
        predicate.op = op.op;
        std::vector<Token> values;
        if (!rightSide(op.op, op, values))
            return std::nullopt;
        for (const Token& value : values) {
            const auto right = operand(value, Operand::Kind::PathOrText);
            if (!right)
                return std::nullopt;
            predicate.right.push_back(*right);
        }
        m_out.m_predicates.push_back(std::move(predicate));
        return static_cast<std::uint32_t>(m_out.m_predicates.size() - 1);
    }

    std::optional<std::uint32_t> operand(const Token& token, Operand::Kind wordKind) {
        Operand out;
        out.text = lexer().content(token);
        out.region = regionOf(token);
        if (token.kind == TokenKind::Quoted) {
            // Names may hold signs that no word holds: "a;b".Health.current.
            const Token rest = lexer().peek();
            if (rest.kind == TokenKind::Word && rest.begin == token.end
                && lexer().raw(rest).starts_with('.')) {
                lexer().next();
                out.text += lexer().raw(rest);
                out.region.endColumn = static_cast<int>(rest.end) + 1;
                out.kind = wordKind;
            } else {
                out.literal = out.text;
            }
        } else if (out.text == "true" || out.text == "false") {
            out.literal = out.text == "true";
        } else if (const auto quantity = detail::parseQuantity(out.text)) {
            const Result<detail::Quantity> base = detail::inBaseUnit(*quantity, shown(token));
            if (!base)
                return fail(token, base.error().message);
            out.literal = base->isInteger ? Value(base->integer) : Value(base->number);
            out.measured = !quantity->unit.empty();
        } else if (const Token open = lexer().peek();
                   out.text == "count" && open.kind == TokenKind::Open && open.begin == token.end) {
            if (!counted(out))
                return std::nullopt;
        } else if (wordKind == Operand::Kind::Path && out.text.find_first_not_of("+-*/%^") == std::string::npos) {
            return fail(token, "there is no arithmetic; expected a path, a number or a comparison of two");
        } else {
            out.kind = wordKind;
        }
        m_out.m_operands.push_back(std::move(out));
        return static_cast<std::uint32_t>(m_out.m_operands.size() - 1);
    }

    // count( … ): the filter stays text, its meaning is the hook's.
    bool counted(Operand& out) {
        const Token open = lexer().next();
        std::size_t depth = 1;
        for (;;) {
            const Token token = lexer().next();
            if (token.kind == TokenKind::Fault) {
                fail(token, token.fault);
                return false;
            }
            if (token.kind == TokenKind::End) {
                fail(open, "this ( is never closed");
                return false;
            }
            if (token.kind == TokenKind::Open)
                ++depth;
            if (token.kind == TokenKind::Close && --depth == 0) {
                out.kind = Operand::Kind::Count;
                out.text = std::string(lexer().text().substr(open.end, token.begin - open.end));
                out.region.column = static_cast<int>(open.end) + 1;
                out.region.endColumn = static_cast<int>(token.begin) + 1;
                return true;
            }
        }
    }

    Expression m_out;
    std::optional<Token> m_numberAlone; // the first one that stands as a condition
};

Result<Expression> Expression::compile(std::string_view text) { return ExpressionCompiler(text).compile(); }

// One evaluation: reads operands, keeps the first error.
class ExpressionRun {
public:
    ExpressionRun(const Expression& expression, const ExpressionContext& context, std::string* seen)
        : m_expression(expression), m_context(context), m_seen(seen) {}

    Result<bool> run() {
        const bool truth = m_expression.m_program.run(
            [this](std::uint32_t index) { return !m_failed && test(m_expression.m_predicates[index]); });
        if (m_failed)
            return m_error;
        return truth;
    }

    // Nothing unless the text is one operand alone.
    std::optional<Result<Value>> single() {
        if (m_expression.m_predicates.size() != 1 || !m_expression.m_predicates[0].truth
            || !m_expression.m_program.isSingle())
            return std::nullopt;
        Value out;
        if (!read(m_expression.m_operands[m_expression.m_predicates[0].left], out))
            return m_error;
        return out;
    }

private:
    void fail(std::string message, const SourceRegion& region) {
        if (!m_failed) {
            m_failed = true;
            m_error.message = std::move(message);
            m_error.region = region;
        }
    }

    bool read(const Expression::Operand& operand, Value& out) {
        switch (operand.kind) {
        case Expression::Operand::Kind::Literal:
            out = operand.literal;
            return true;
        case Expression::Operand::Kind::Path:
        case Expression::Operand::Kind::PathOrText: {
            if (m_context.path) {
                if (auto value = m_context.path(operand.text)) {
                    out = *value;
                    note(operand.text, out);
                    return true;
                } else if (operand.kind == Expression::Operand::Kind::Path) {
                    fail(value.error().message, operand.region);
                    return false;
                }
            } else if (operand.kind == Expression::Operand::Kind::Path) {
                fail(operand.text + " names nothing here", operand.region);
                return false;
            }
            out = operand.text;
            return true;
        }
        case Expression::Operand::Kind::Count: {
            if (!m_context.count) {
                fail("count() counts nothing here", operand.region);
                return false;
            }
            const auto count = m_context.count(operand.text);
            if (!count) {
                SourceRegion region = operand.region;
                if (const SourceRegion& inner = count.error().region; inner.line > 0) {
                    region.endColumn = region.column + inner.endColumn - 1;
                    region.column += inner.column - 1;
                }
                fail(count.error().message, region);
                return false;
            }
            out = *count;
            note("count(" + operand.text + ")", out);
            return true;
        }
        }
        return false;
    }

    void note(const std::string& name, const Value& value) {
        if (m_seen == nullptr)
            return;
        std::string shown;
        if (const auto* b = std::get_if<bool>(&value))
            shown = *b ? "true" : "false";
        else if (const auto* i = std::get_if<std::int64_t>(&value))
            shown = std::to_string(*i);
        else if (const auto* d = std::get_if<double>(&value))
            shown = formatDouble(*d);
        else if (const auto* s = std::get_if<std::string>(&value))
            shown = inQuotes(*s);
        else
            return;
        *m_seen += (m_seen->empty() ? "" : ", ") + name + " is " + shown;
    }

    static FilterValue view(const Value& value) {
        if (const auto* b = std::get_if<bool>(&value))
            return FilterValue::of(*b);
        if (const auto* i = std::get_if<std::int64_t>(&value))
            return FilterValue::of(*i);
        if (const auto* d = std::get_if<double>(&value))
            return FilterValue::of(*d);
        if (const auto* s = std::get_if<std::string>(&value))
            return FilterValue::of(std::string_view(*s));
        return {};
    }

    static const char* kindName(const FilterValue& value) {
        switch (value.kind) {
        case FilterValue::Kind::Bool:
            return "true or false";
        case FilterValue::Kind::Integer:
        case FilterValue::Kind::Number:
            return "a number";
        case FilterValue::Kind::String:
            return "text";
        case FilterValue::Kind::None:
            break;
        }
        return "neither a number nor a text";
    }

    bool test(const Expression::Predicate& predicate) {
        Value left;
        const Expression::Operand& leftOperand = m_expression.m_operands[predicate.left];
        if (!read(leftOperand, left))
            return false;
        const FilterValue a = view(left);
        if (predicate.truth) {
            if (a.kind == FilterValue::Kind::Bool)
                return a.boolean;
            if (a.kind == FilterValue::Kind::Integer)
                return a.integer != 0;
            if (a.kind == FilterValue::Kind::Number)
                return a.number != 0.0;
            fail(leftOperand.text + " is " + kindName(a) + "; expected a comparison", leftOperand.region);
            return false;
        }
        bool any = false;
        for (const std::uint32_t index : predicate.right) {
            const Expression::Operand& operand = m_expression.m_operands[index];
            Value right;
            if (!read(operand, right))
                return false;
            Value own = left;
            if (!measure(operand, leftOperand, right) || !measure(leftOperand, operand, own))
                return false;
            any = any || compare(predicate, leftOperand, view(own), operand, view(right));
        }
        return predicate.op == CompareOp::NotEqual ? !any && !m_failed : any;
    }

    // A literal with a unit, in the unit of the other side.
    bool measure(const Expression::Operand& literal, const Expression::Operand& other, Value& value) {
        if (!literal.measured || other.kind == Expression::Operand::Kind::Literal || !m_context.unit)
            return true;
        const bool isCount = other.kind == Expression::Operand::Kind::Count;
        const Result<detail::Quantity> own =
            detail::inUnitOf(*detail::parseQuantity(literal.text), literal.text, isCount ? "a count" : other.text,
                             isCount ? std::string() : m_context.unit(other.text), m_context.ticksPerSecond);
        if (!own) {
            fail(own.error().message, literal.region);
            return false;
        }
        value = own->isInteger ? Value(own->integer) : Value(own->number);
        return true;
    }

    bool compare(const Expression::Predicate& predicate, const Expression::Operand& leftOperand,
                 const FilterValue& a, const Expression::Operand& rightOperand, const FilterValue& b) {
        const auto isNumber = [](const FilterValue& v) {
            return v.kind == FilterValue::Kind::Integer || v.kind == FilterValue::Kind::Number;
        };
        const auto real = [](const FilterValue& v) {
            return v.kind == FilterValue::Kind::Integer ? static_cast<double>(v.integer) : v.number;
        };
        const CompareOp op = predicate.op;
        const bool orders = op >= CompareOp::Less && op <= CompareOp::GreaterOrEqual;
        if (isNumber(a) && isNumber(b) && op != CompareOp::Match) {
            if (a.kind == FilterValue::Kind::Integer && b.kind == FilterValue::Kind::Integer)
                return ordered(op, a.integer, b.integer);
            return ordered(op, real(a), real(b));
        }
        if (a.kind == FilterValue::Kind::Bool && b.kind == a.kind && !orders && op != CompareOp::Match)
            return a.boolean == b.boolean;
        if (a.kind == FilterValue::Kind::String && b.kind == a.kind && !orders) {
            if (op != CompareOp::Match)
                return a.text == b.text;
            return b.text.find_first_of("*?") != std::string_view::npos ? matchesGlob(b.text, a.text)
                                                                        : containsText(a.text, b.text);
        }
        if (a.kind == b.kind || (isNumber(a) && isNumber(b)))
            fail(leftOperand.text + " is " + kindName(a) + ", which " + compareOpText(op)
                     + " does not compare",
                 predicate.region);
        else
            fail(leftOperand.text + " is " + kindName(a) + ", " + rightOperand.text + " is " + kindName(b),
                 rightOperand.region);
        return false;
    }

    template <typename T> static bool ordered(CompareOp op, const T& a, const T& b) {
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
            return a == b;
        }
    }

    const Expression& m_expression;
    const ExpressionContext& m_context;
    std::string* m_seen;
    bool m_failed = false;
    Error m_error;
};

Result<Value> Expression::value(const ExpressionContext& context) const {
    ExpressionRun run(*this, context, nullptr);
    if (auto single = run.single())
        return *std::move(single);
    const Result<bool> truth = run.run();
    if (!truth)
        return truth.error();
    return Value(*truth);
}

Result<bool> Expression::evaluate(const ExpressionContext& context, std::string* seen) const {
    return ExpressionRun(*this, context, seen).run();
}

} // namespace sbx
