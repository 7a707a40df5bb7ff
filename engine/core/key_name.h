#pragma once
// Names of keys as people type them and shortcuts show them: "ctrl+shift+g" is "Ctrl+Shift+G". Pure, any thread.

#include "engine/core/result.h"

#include <string>
#include <string_view>

namespace sbx {

// The one spelling of a key with its modifiers (Ctrl, Shift, Alt, Meta in this order), or what would be right.
[[nodiscard]] Result<std::string> keyName(std::string_view typed);

} // namespace sbx
