#include "engine/core/result.h"

namespace sbx {

std::string Error::toString() const {
    std::string out;
    if (!file.empty()) {
        out += file;
        if (region.line > 0)
            out += ":" + std::to_string(region.line) + ":" + std::to_string(region.column);
        out += ": ";
    }
    return out + "error: " + message;
}

} // namespace sbx
