#pragma once
// Advice on a filter that is valid, and yet can match nothing by what is known now: it asks for a name that nothing has. No error, because names may
// come later, with a plugin. Pure; any thread.

#include "engine/core/filter.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx {

// The names that a text field can have. None: they come and go, or are not known, and nothing is said of the field.
struct FilterNames {
    std::string what; // "message type"
    std::vector<std::string> names;
    std::string rest = {}; // behind the name: " that acts on messages"
};
using FilterNameProvider = std::function<FilterNames(const FilterField& field)>;

struct FilterHint {
    std::string statement; // "There is no message type Dmage", without a full stop
    std::string nearest;   // "Damage"; empty: no name is near
    std::string mended;    // the whole filter with it; empty: none
};

// The first name in `text` that the provider does not have. A field with a closed set (FilterField::choices) has those, whatever the provider says.
// Names right of == and in are looked up as they are, those right of ~ and : as these match; != says what is not wanted, of which nothing is said.
// Nothing: all is well, or the text is no valid filter.
[[nodiscard]] std::optional<FilterHint> filterHint(std::string_view text, const FilterSchema& schema,
                                                   const FilterNameProvider& names);

} // namespace sbx
