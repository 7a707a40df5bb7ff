#pragma once
// What could stand at the cursor of a filter: fields, operators, values. Pure; called by filter bars and the
// console.

#include "engine/core/filter.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

struct FilterCompletionItem {
    enum class Kind { Field, Operator, Literal, Word };
    std::string label;  // what the popup shows
    std::string insert; // what replaces the stretch, space after it included where one is needed
    std::string doc;    // one line; may be empty
    Kind kind = Kind::Field;
};

struct FilterCompletion {
    std::size_t replaceFrom = 0; // bytes: the word the cursor stands in or at the end of
    std::size_t replaceLength = 0;
    std::vector<FilterCompletionItem>
        items; // those that begin with what is typed, then those that contain it
};

// Live values of a text field ("which senders are there"); the answer need not be filtered. May be empty.
using FilterValueProvider =
    std::function<std::vector<std::string>(const FilterField& field, std::string_view typed)>;

// `field == value`, demanded by a condition that is joined by `and` with the one at the cursor; of a list (`in`) there is one for
// each of its values. Fields by their names, not their aliases.
struct FilterDemand {
    std::string field;
    std::string value;
};

// What the conditions before the cursor require of every row for which the one at the cursor is still evaluated.
[[nodiscard]] std::vector<FilterDemand> filterDemands(std::string_view text, std::size_t cursor,
                                                      const FilterSchema& schema);

// Whether a row that meets the demands can have the field at all.
using FilterFieldTest =
    std::function<bool(const FilterField& field, const std::vector<FilterDemand>& demands)>;

// Fields that fail the test are not offered.
[[nodiscard]] FilterCompletion completeFilter(std::string_view text, std::size_t cursor,
                                              const FilterSchema& schema,
                                              const FilterValueProvider& values = {},
                                              const FilterFieldTest& canHave = {});

} // namespace sbx
