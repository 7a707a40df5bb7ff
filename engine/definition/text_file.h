#pragma once
// Text files in, with one clear error each; engine/core/whole_file.h writes them. Blocking; called from the thread that wants the file.

#include "engine/core/result.h"

#include <filesystem>
#include <string>

namespace sbx::definition {

// The bytes as they are. Errors name the file: missing, a directory, not permitted, above MaximumTextBytes
// (nothing is read then).
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path);

} // namespace sbx::definition
