#include "engine/entity/thrown_text.h"

#include <exception>

namespace sbx {

std::string thrownText() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "no std::exception";
    }
}

} // namespace sbx
