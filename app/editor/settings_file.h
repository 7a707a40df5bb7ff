#pragma once
// The editor's settings on disk. One that cannot be read, or that a newer version wrote, is set aside, never written over: the editor
// begins with its defaults and says where the other is. Window thread.

#include <QSettings>
#include <QString>

#include <memory>

namespace sbx::editor {

struct SettingsFile {
    static constexpr int Version = 1; // of what the keys mean

    std::unique_ptr<QSettings> settings;
    QString trouble; // for people; empty: none

    // Makes the file's folder. Without a file: defaults.
    [[nodiscard]] static SettingsFile open(const QString& path);
};

} // namespace sbx::editor
