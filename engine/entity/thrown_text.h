#pragma once

#include <string>

namespace sbx {

// In a catch clause: the text of the exception; "no std::exception" for any other object.
[[nodiscard]] std::string thrownText();

} // namespace sbx
