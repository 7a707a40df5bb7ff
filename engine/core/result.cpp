#include "engine/core/result.h"

#include "engine/core/printable.h"

namespace sbx {

std::string Error::toString() const {
    std::string out;
    if (!file.empty()) {
        out += printableLine(file);
        if (region.line > 0)
            out += ":" + std::to_string(region.line) + ":" + std::to_string(region.column);
        out += ": ";
    }
    return out + "error: " + printable(message);
}

} // namespace sbx
