#pragma once
// Bytes in and out of files for Document: whole files, safely, with errors that say what and where. Any
// thread.

#include <QString>

#include "engine/core/result.h"

#include <string>
#include <string_view>

namespace sbx::ui {

constexpr qint64 MaximumTextBytes = 64 * 1024 * 1024;

// Refuses folders and anything over MaximumTextBytes.
[[nodiscard]] Result<std::string> readBytes(const QString& path);
// Temporary file, flush, rename; follows a symbolic link to its target, keeps the permissions.
[[nodiscard]] Result<void> writeBytes(const QString& path, std::string_view bytes);
// Copies a folder's content to one that does not exist or is empty. Symbolic links are copied as what they
// point to; a target inside the source is refused.
[[nodiscard]] Result<void> copyProject(const QString& from, const QString& to);

} // namespace sbx::ui
