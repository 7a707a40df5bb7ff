#pragma once

#include "engine/core/result.h"

namespace sbx::app {

// Whether a window can be opened, asked before Qt is: without a display Qt ends the process. The error says what is missing; the
// caller adds what to do instead.
[[nodiscard]] Result<void> findDisplay();

} // namespace sbx::app
