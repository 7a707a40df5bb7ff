#include "app/editor/settings_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/core/user_folders.h"

namespace sbx::editor {

namespace {

const QString VersionKey = QStringLiteral("version");

// What is wrong with it; empty: nothing.
QString faultOf(const QString& path) {
    QFile file(path);
    if (!file.exists())
        return {};
    if (!file.open(QIODevice::ReadOnly))
        return QCoreApplication::translate("Settings", "cannot be read");
    const QByteArray bytes = file.readAll();
    const QSettings settings(path, QSettings::IniFormat);
    if (bytes.contains('\0') || settings.status() != QSettings::NoError
        || (!bytes.trimmed().isEmpty() && settings.allKeys().isEmpty()))
        return QCoreApplication::translate("Settings", "are broken");
    if (settings.value(VersionKey, SettingsFile::Version).toInt() > SettingsFile::Version)
        return QCoreApplication::translate("Settings", "are of a newer version");
    return {};
}

} // namespace

SettingsFile SettingsFile::open(const QString& path) {
    SettingsFile out;
    QDir().mkpath(QFileInfo(path).path());
    if (const QString fault = faultOf(path); !fault.isEmpty()) {
        const std::filesystem::path aside = setAside(path.toStdString(), ".broken");
        out.trouble = aside.empty()
                          ? QCoreApplication::translate("Settings", "The settings in %1 %2.").arg(path, fault)
                          : QCoreApplication::translate("Settings", "The settings %1. They are kept as %2, and the defaults are in force.")
                                .arg(fault, QString::fromStdString(aside.string()));
    }
    out.settings = std::make_unique<QSettings>(path, QSettings::IniFormat);
    if (!out.settings->contains(VersionKey))
        out.settings->setValue(VersionKey, Version);
    return out;
}

} // namespace sbx::editor
