#pragma once
// What commands share for reading numbers and writing files; private to this room.

#include "engine/core/command.h"

#include <optional>
#include <string>

namespace sbx {

// A number as the console reads them everywhere; nothing if it is none, or none that a float holds.
[[nodiscard]] std::optional<float> numberIn(const std::string& text);

// Writes a command's output to a file and prints its path. Relative paths start at the project's folder, as those of exec do.
[[nodiscard]] Result<void> writeTextFile(const std::string& text, const std::string& file, CommandContext& context);

} // namespace sbx
