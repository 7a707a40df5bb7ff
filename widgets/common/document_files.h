#pragma once
// Bytes in and out of files for Document: whole files, safely, with errors that say what and where. Any
// thread.

#include <QString>

#include "engine/core/result.h"

#include <filesystem>
#include <string>
#include <string_view>

class QImage;

namespace sbx::ui {

// As the system names it.
[[nodiscard]] std::filesystem::path pathOf(const QString& path);
// Refuses folders and texts that are longer than a file of a project may be (definition::lengthFault).
[[nodiscard]] Result<std::string> readBytes(const QString& path);
// writeFileSafely(), which see; makes the folder that the file lies in.
[[nodiscard]] Result<void> writeBytes(const QString& path, std::string_view bytes);
// A picture as PNG, whole or not at all.
[[nodiscard]] Result<void> writePicture(const QString& path, const QImage& picture);
// Copies a folder's content to one that does not exist or is empty. Symbolic links are copied as what they
// point to; a target inside the source is refused.
[[nodiscard]] Result<void> copyProject(const QString& from, const QString& to);

} // namespace sbx::ui
