#pragma once
// The one filter language: trace, graph, outliner and the console's `select` all read it.
//
//     type == "Damage" and to ~ crate* and fields.amount > 5
//     outcome in (consumed, unhandled) or not world == server
//     crate                       a word or text alone: found anywhere in the row's main texts
//     has:Light                   short for has ~ Light
//
// `and` binds tighter than `or`; `&& || !` mean the same as `and or not`; two conditions side by side are
// joined by `and`. `== !=` and `in` compare texts exactly, and numbers as precisely as the field keeps them, so that a
// float that reads 0.1 equals 0.1; `~` and lone words ignore ASCII case; `*` and `?`
// in them stand for any text and any one character, and make `~` match the whole text. Numbers take units
// (`5ms`, `2KiB`), turned into the field's own. A field with several values (handlers.component) matches if
// any of them does; `!=` holds if none is equal. A field the row does not have matches nothing. Line breaks
// count as spaces.
//
// A compiled Filter is immutable, free of allocation when evaluated, and may be used from several threads at
// once.

#include "engine/core/filter_program.h"
#include "engine/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

using FilterFieldId = std::uint32_t;

enum class FilterType : std::uint8_t { String, Number, Bool, Any }; // Any: given by the value of each row

struct FilterField {
    std::string name; // "type", "fields.amount"
    FilterType type = FilterType::String;
    std::string doc = {};                  // one line
    std::string unit = {};                 // of a number: literals with a unit are turned into it
    std::vector<std::string> aliases = {}; // "to" for "receiver"
    std::vector<std::string> choices = {}; // closed set of a text: anything else is an error
    bool searched = false;                 // looked through by a lone word or text
    // Where rows differ in the unit of one field: all there are, "" for none, `unit` left empty. Each value gives its own
    // own, and a literal with a unit is compared only where it can be turned into that.
    std::vector<std::string> units = {};
};

// The fields a filter may name; ids count from 0 in the order of adding.
class FilterSchema {
public:
    // A name that is already there is left as it is and its id returned.
    FilterFieldId add(FilterField field);
    // So that `tick > 2s` means something for fields whose unit is "tick".
    void setTicksPerSecond(double rate) { m_ticksPerSecond = rate; }

    [[nodiscard]] double ticksPerSecond() const { return m_ticksPerSecond; }
    [[nodiscard]] const std::vector<FilterField>& fields() const { return m_fields; }
    [[nodiscard]] const FilterField& field(FilterFieldId id) const { return m_fields[id]; }
    // By name or alias; null if there is none.
    [[nodiscard]] const FilterField* find(std::string_view name) const;
    [[nodiscard]] bool findId(std::string_view name, FilterFieldId& id) const;
    // Names, then aliases.
    [[nodiscard]] std::vector<std::string> names() const;

private:
    std::vector<FilterField> m_fields;
    std::map<std::string, FilterFieldId, std::less<>> m_byName;
    double m_ticksPerSecond = 60.0;
};

// The value of one field in a row; texts are views into the row and live as long as it stands still.
struct FilterValue {
    enum class Kind : std::uint8_t { None, Bool, Integer, Number, String };

    Kind kind = Kind::None;
    bool boolean = false;
    bool single = false; // the number was a float: literals are rounded to one before they are compared
    std::uint8_t unit = 0; // index into the field's units
    std::int64_t integer = 0;
    double number = 0.0;
    std::string_view text = {};

    [[nodiscard]] static FilterValue of(bool value) { return {Kind::Bool, value}; }
    [[nodiscard]] static FilterValue of(std::int64_t value) { return {Kind::Integer, false, false, 0, value}; }
    [[nodiscard]] static FilterValue of(double value) { return {Kind::Number, false, false, 0, 0, value}; }
    [[nodiscard]] static FilterValue of(float value) {
        return {Kind::Number, false, true, 0, 0, static_cast<double>(value)};
    }
    [[nodiscard]] static FilterValue of(std::string_view value) {
        return {Kind::String, false, false, 0, 0, 0.0, value};
    }
};

// A lone word or text of a filter.
struct FilterWord {
    std::string_view text;
    bool isPattern = false; // `*` and `?`

    [[nodiscard]] bool isIn(std::string_view value) const;
};

// One thing that is filtered. Must not allocate if filtering is not to.
class FilterRow {
public:
    virtual ~FilterRow() = default;
    // 0: this row has no such field.
    [[nodiscard]] virtual std::size_t valueCount(FilterFieldId) const { return 1; }
    [[nodiscard]] virtual FilterValue value(FilterFieldId field, std::size_t index) const = 0;
    // Whether a text among these fields has the word. A row that knows its texts by number may answer sooner than by reading each.
    [[nodiscard]] virtual bool has(const FilterWord& word, const std::vector<FilterFieldId>& fields) const;
};

class Filter {
public:
    // Matches every row.
    Filter() = default;
    // The error's region is line 1, column counted in bytes from 1; its message holds what was expected and
    // the nearest name.
    [[nodiscard]] static Result<Filter> compile(std::string_view text, const FilterSchema& schema);

    [[nodiscard]] bool matches(const FilterRow& row) const;
    [[nodiscard]] bool matchesAll() const { return m_program.empty(); }
    [[nodiscard]] const std::string& text() const { return m_text; }
    // What it looks at, in no order; may have repeats.
    [[nodiscard]] std::vector<FilterFieldId> fields() const;

private:
    friend class FilterCompiler;

    struct Predicate {
        enum class Kind : std::uint8_t { Compare, Truth, Search };
        Kind kind = Kind::Search;
        detail::CompareOp op = detail::CompareOp::Equal;
        FilterFieldId field = 0;
        std::uint32_t firstConstant = 0;
        std::uint32_t constantCount = 0;
        std::uint32_t units = 1; // each literal is there once for each unit of the field
    };

    [[nodiscard]] bool test(const Predicate& predicate, const FilterRow& row) const;

    std::string m_text;
    detail::Program m_program;
    std::vector<Predicate> m_predicates;
    detail::Constants m_constants;
    std::vector<FilterFieldId> m_searched;
};

namespace detail {
// One value against one literal; NotEqual is answered as Equal, for the caller to turn round.
[[nodiscard]] bool compareValue(CompareOp op, const FilterValue& value, const Constants& constants,
                                const Constant& constant);
} // namespace detail

// Whole-text match with `*` and `?`, ASCII case ignored.
[[nodiscard]] bool matchesGlob(std::string_view pattern, std::string_view text);
// ASCII case ignored.
[[nodiscard]] bool containsText(std::string_view hay, std::string_view needle);
// As the language writes it: a bare word where that reads back the same, else quoted.
[[nodiscard]] std::string filterLiteral(std::string_view text);

} // namespace sbx
