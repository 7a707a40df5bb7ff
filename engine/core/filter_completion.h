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

[[nodiscard]] FilterCompletion completeFilter(std::string_view text, std::size_t cursor,
                                              const FilterSchema& schema,
                                              const FilterValueProvider& values = {});

} // namespace sbx
