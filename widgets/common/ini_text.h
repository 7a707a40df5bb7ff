#pragma once
// The text of a settings file, in the INI format that QSettings of Qt 6 reads and writes: groups in brackets, one "key=value" a line,
// lists separated by commas, and values that are no text as @ByteArray(…), @Variant(…) and the like. QSettings itself is not used,
// because it does not notice a failing flush and would replace a good file by an empty one on a full disk. Plain functions; from any thread.

#include <QByteArray>
#include <QMap>
#include <QString>
#include <QVariant>

#include "engine/core/result.h"

namespace sbx::ui {

// By whole key, with the group before a slash: "theme", "window/geometry". The order of the file is not kept.
using IniValues = QMap<QString, QVariant>;

// Texts, numbers and truth values come back as text, as with QSettings; the caller converts. Comments are lost. The error names the first
// line that is neither a group, nor a key with a value, nor a comment: the whole text then counts as broken.
[[nodiscard]] Result<IniValues> parseIni(const QByteArray& text);

// UTF-8, sorted by key; keys without a group come first, under [General].
[[nodiscard]] QByteArray formatIni(const IniValues& values);

} // namespace sbx::ui
