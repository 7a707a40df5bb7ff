#pragma once
// A mesh or sound file of the project on its way from the list of files to where it is dropped: the viewport, a field, a folder.

#include <QMimeData>
#include <QString>

namespace sbx::ui {

// The file's path in the project's folder, in UTF-8.
inline constexpr const char* AssetMimeType = "application/x-signalbox-asset";

// Empty: it carries none.
[[nodiscard]] inline QString assetOf(const QMimeData* data) {
    return data == nullptr ? QString() : QString::fromUtf8(data->data(QString::fromLatin1(AssetMimeType)));
}

} // namespace sbx::ui
