// Filters and expressions: whatever the text, compiling ends with a filter or one located fault, a filter evaluates every row
// without a fault, its own text compiles again to the same answers, and completion offers stretches that lie in the text.
#include "engine/core/expression.h"
#include "engine/core/filter.h"
#include "engine/core/filter_completion.h"
#include "tests/fuzz/fuzz.h"

using namespace sbx;

namespace {

const FilterSchema& schema() {
    static const FilterSchema Schema = [] {
        FilterSchema s;
        s.add({.name = "type", .doc = "Message type.", .searched = true});
        s.add({.name = "to", .doc = "Receiver.", .aliases = {"receiver"}, .searched = true});
        s.add({.name = "tick", .type = FilterType::Number, .doc = "When.", .unit = "tick"});
        s.add({.name = "age", .type = FilterType::Number, .doc = "How long ago.", .unit = "s"});
        s.add({.name = "bytes", .type = FilterType::Number, .doc = "Payload.", .unit = "B"});
        s.add({.name = "seen", .type = FilterType::Bool, .doc = "Reached anyone."});
        s.add({.name = "route", .doc = "Delivery.", .choices = {"immediate", "broadcast", "queued"}});
        s.add({.name = "fields.amount", .type = FilterType::Any, .doc = "Payload field."});
        s.add({.name = "handlers", .doc = "Components."});
        return s;
    }();
    return Schema;
}

class Row : public FilterRow {
public:
    explicit Row(unsigned which) : m_which(which) {}
    std::size_t valueCount(FilterFieldId field) const override {
        return field == 8 ? m_which : field == 7 && m_which == 0 ? 0 : 1;
    }
    FilterValue value(FilterFieldId field, std::size_t index) const override {
        static constexpr std::string_view Texts[] = {"", "Damage", "crate_3", "J\xC3\xBCrgen *?", "\xFF\xFE"};
        switch (field) {
        case 2:
            return FilterValue::of(static_cast<std::int64_t>(m_which) * 1'000'000'007);
        case 3:
            return FilterValue::of(m_which == 3 ? std::numeric_limits<double>::quiet_NaN() : 0.25 * m_which);
        case 4:
            return FilterValue::of(m_which == 2 ? std::numeric_limits<std::int64_t>::min() : std::int64_t{4096});
        case 5:
            return FilterValue::of(m_which % 2 == 0);
        case 7:
            return m_which == 1   ? FilterValue::of(5.0)
                   : m_which == 2 ? FilterValue::of(true)
                                  : FilterValue::of(Texts[m_which]);
        default:
            return FilterValue::of(Texts[(m_which + index) % std::size(Texts)]);
        }
    }

private:
    unsigned m_which;
};

void checkPlace(const Error& error, std::string_view text) {
    SBX_FUZZ_MUST(!error.message.empty());
    SBX_FUZZ_MUST(error.region.line == 1 && error.region.column >= 1);
    SBX_FUZZ_MUST(error.region.column <= static_cast<int>(text.size()) + 1);
    SBX_FUZZ_MUST(error.region.endColumn > error.region.column);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);

    const Result<Filter> filter = Filter::compile(text, schema());
    if (filter) {
        // Turned round it is true of all other rows: `not` is free of surprises.
        const Result<Filter> turned = Filter::compile("not (" + std::string(text) + ")", schema());
        SBX_FUZZ_MUST(turned.ok() || filter->matchesAll());
        for (unsigned which = 0; which < 5; ++which) {
            const Row row(which);
            const bool holds = filter->matches(row);
            SBX_FUZZ_MUST(!turned.ok() || turned->matches(row) != holds);
        }
    } else {
        checkPlace(filter.error(), text);
    }

    const std::size_t cursor = size == 0 ? 0 : data[0] % (size + 1);
    const FilterCompletion completion = completeFilter(text, cursor, schema(), [](const FilterField&, std::string_view) {
        return std::vector<std::string>{"crate_1", "a b", "\"", "*"};
    });
    SBX_FUZZ_MUST(completion.replaceFrom <= size && completion.replaceLength <= size - completion.replaceFrom);
    for (const FilterCompletionItem& item : completion.items)
        SBX_FUZZ_MUST(!item.label.empty() && !item.insert.empty());

    const Result<Expression> expression = Expression::compile(text);
    if (expression) {
        ExpressionContext context;
        context.path = [](std::string_view path) -> Result<Value> {
            switch (path.size() % 5) {
            case 0:
                return Value(static_cast<std::int64_t>(path.size()));
            case 1:
                return Value(0.5);
            case 2:
                return Value(std::string(path));
            case 3:
                return Value(path.size() > 8);
            default:
                return Error{"there is no " + std::string(path), {}, {}};
            }
        };
        context.count = [](std::string_view inside) -> Result<std::int64_t> {
            const Result<Filter> counted = Filter::compile(inside, schema());
            if (!counted)
                return counted.error();
            return std::int64_t{counted->matches(Row(1)) ? 1 : 0};
        };
        std::string seen;
        const Result<bool> holds = expression->evaluate(context, &seen);
        SBX_FUZZ_MUST(holds.ok() || !holds.error().message.empty());
    } else {
        checkPlace(expression.error(), text);
    }
    return 0;
}
