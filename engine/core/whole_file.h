#pragma once
// The one way in which a whole file is written: texts, scenes, settings, journals, recordings, copies of
// assets. Files that grow line by line are LineFile's. Blocking; from any thread, each path from one at a time.

#include "engine/core/result.h"

#include <filesystem>
#include <string_view>

namespace sbx {

enum class FileAccess {
    Ordinary, // what the user's mask allows; those of the file that is replaced, if there is one
    Private,  // for its owner alone
};

// Writes a temporary file in the same folder, syncs it, and renames it over the target: after a crash, or when any step fails, the old or
// the new content is there, never a part. Keeps the permissions of an existing file and follows symbolic links. Errors name the
// file and the reason in words: the disk is full, no permission, a folder, a device.
[[nodiscard]] Result<void> writeFileSafely(const std::filesystem::path& path, std::string_view bytes,
                                           FileAccess access = FileAccess::Ordinary);

// Copies a file of any size in the same way, with its permissions; the owner may read and write the copy. Errors name the file that could
// not be read or written.
[[nodiscard]] Result<void> copyFileSafely(const std::filesystem::path& from, const std::filesystem::path& to);

// A system error about a file, as "cannot DOING: the disk is full". `code` is an errno.
[[nodiscard]] Error fileError(const std::filesystem::path& path, std::string_view doing, int code);

} // namespace sbx
