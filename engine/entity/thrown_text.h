#pragma once

#include <string>

namespace sbx {

// In a catch clause: the text of the exception; of one that is no std::exception, a text that says so.
[[nodiscard]] std::string thrownText();

} // namespace sbx
