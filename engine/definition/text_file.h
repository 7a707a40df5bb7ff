#pragma once
// Text files in and out, with one clear error each. Blocking; called from the thread that wants the file.

#include "engine/core/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sbx::definition {

// The bytes as they are. Errors name the file: missing, a directory, not permitted, above MaximumTextBytes
// (nothing is read then).
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path);

// Writes a temporary file in the same folder, syncs it, and renames it over the target: after a crash the old
// or the new content is there, never a part. Keeps the permissions of an existing file and follows symbolic
// links.
[[nodiscard]] Result<void> writeFileSafely(const std::filesystem::path& path, std::string_view bytes);

} // namespace sbx::definition
