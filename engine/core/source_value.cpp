#include "engine/core/source_value.h"

#include <algorithm>

namespace sbx {

const SourceEntry* SourceValue::find(std::string_view key) const {
    const auto it =
        std::find_if(table.begin(), table.end(), [&](const SourceEntry& e) { return e.key == key; });
    return it == table.end() ? nullptr : &*it;
}

std::string SourceValue::describeKind() const {
    switch (kind) {
    case Kind::None:
        return "nothing";
    case Kind::Boolean:
        return "a boolean";
    case Kind::Integer:
        return "a whole number";
    case Kind::Float:
        return "a number";
    case Kind::String:
        return "text";
    case Kind::Array: {
        const bool numbers =
            std::all_of(array.begin(), array.end(), [](const SourceValue& v) { return v.isNumber(); });
        return "a list of " + std::to_string(array.size()) + (numbers ? " numbers" : " values");
    }
    case Kind::Table:
        return "a table";
    }
    return "nothing";
}

} // namespace sbx
