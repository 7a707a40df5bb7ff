#include "engine/core/diagnostic.h"

#include "engine/core/printable.h"

#include <algorithm>
#include <tuple>

namespace sbx {

std::string Diagnostic::message() const {
    std::string out = what;
    if (!expected.empty())
        out += "; expected " + expected;
    if (!suggestion.empty())
        out += "; did you mean " + suggestion + "?";
    return out;
}

std::string Diagnostic::toString() const {
    static constexpr const char* Names[] = {"note", "warning", "error"};
    return printableLine(file) + ":" + std::to_string(region.line) + ":" + std::to_string(region.column) + ": "
           + Names[static_cast<int>(severity)] + ": " + printableLine(message());
}

bool Diagnostics::hasErrors() const {
    return std::any_of(items.begin(), items.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

void Diagnostics::sort() {
    std::stable_sort(items.begin(), items.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.file, a.region.line, a.region.column)
               < std::tie(b.file, b.region.line, b.region.column);
    });
}

} // namespace sbx
