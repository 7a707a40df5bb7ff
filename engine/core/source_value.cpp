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

bool sameValue(const SourceValue& a, const SourceValue& b) {
    return a.kind == b.kind && a.boolean == b.boolean && a.integer == b.integer && a.number == b.number
           && a.text == b.text
           && std::equal(a.array.begin(), a.array.end(), b.array.begin(), b.array.end(), sameValue)
           && std::equal(a.table.begin(), a.table.end(), b.table.begin(), b.table.end(),
                         [](const SourceEntry& x, const SourceEntry& y) {
                             return x.key == y.key && sameValue(x.value, y.value);
                         });
}

} // namespace sbx
