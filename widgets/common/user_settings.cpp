#include "widgets/common/user_settings.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>

#include "engine/core/user_folders.h"
#include "engine/core/whole_file.h"
#include "widgets/common/document_files.h"

#include <string_view>
#include <utility>

namespace sbx::ui {

namespace {
const QString VersionKey = QStringLiteral("version");
constexpr int LockWaitMs = 2000; // for another editor to finish writing
} // namespace

UserSettings::UserSettings(QString path, QObject* parent) : QObject(parent), m_path(std::move(path)) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { (void)save(); });
    Contents found = read();
    if (!found.fault.isEmpty())
        m_keepsOff = !setFaultyAside(found.fault);
    m_values = std::move(found.values);
}

UserSettings::~UserSettings() {
    blockSignals(true); // who listens may be gone
    (void)save();
}

QVariant UserSettings::value(const QString& key, const QVariant& otherwise) const {
    return m_values.value(key, otherwise);
}

QStringList UserSettings::keysIn(const QString& group) const {
    QStringList out;
    for (auto it = m_values.lowerBound(group + QLatin1Char('/'));
         it != m_values.end() && it.key().startsWith(group + QLatin1Char('/')); ++it)
        out.append(it.key());
    return out;
}

void UserSettings::setValue(const QString& key, const QVariant& value) {
    if (const auto it = m_values.find(key); it != m_values.end() && it.value() == value)
        return;
    m_values.insert(key, value);
    changed(key, value);
}

void UserSettings::remove(const QString& key) {
    if (m_values.remove(key) > 0)
        changed(key, std::nullopt);
}

void UserSettings::changed(const QString& key, const std::optional<QVariant>& value) {
    m_changes.insert(key, value);
    m_timer.start(0);
}

Result<void> UserSettings::save() {
    m_timer.stop();
    if (m_changes.isEmpty())
        return {};
    Result<void> written = write();
    if (written) {
        m_failing = false;
        emit saved();
    } else if (!std::exchange(m_failing, true)) {
        emit saveFailed(QString::fromStdString(written.error().message));
    }
    return written;
}

Result<void> UserSettings::write() {
    if (m_keepsOff)
        return Error{"cannot write: the file that is there cannot be read and could not be set aside", m_path.toStdString(), {}};
    if (const QString folder = QFileInfo(m_path).path(); !QDir().mkpath(folder))
        return Error{"cannot write: the folder cannot be made", folder.toStdString(), {}};
    // Between reading and writing no other editor writes. Where no lock can be had (a full disk has no room for one), the writer says
    // what is wrong, if anything is.
    QLockFile lock(m_path + QStringLiteral(".lock"));
    lock.setStaleLockTime(0); // stale only when its process is gone
    if (!lock.tryLock(LockWaitMs) && lock.error() == QLockFile::LockFailedError)
        return Error{"cannot write: another program is writing the settings", m_path.toStdString(), {}};
    Contents found = read();
    if (!found.fault.isEmpty() && !setFaultyAside(found.fault))
        return Error{"cannot write: the file that is there cannot be read and could not be set aside", m_path.toStdString(), {}};
    for (auto it = m_changes.begin(); it != m_changes.end(); ++it)
        if (it.value())
            found.values.insert(it.key(), *it.value());
        else
            found.values.remove(it.key());
    found.values.insert(VersionKey, Version);
    const QByteArray bytes = formatIni(found.values);
    if (Result<void> written =
            writeFileSafely(pathOf(m_path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        !written)
        return written;
    m_changes.clear();
    return {};
}

UserSettings::Contents UserSettings::read() const {
    if (!QFileInfo::exists(m_path) && !QFileInfo(m_path).isSymLink())
        return {};
    const Result<std::string> bytes = readBytes(m_path);
    if (!bytes) {
        const QString reason = QString::fromStdString(bytes.error().message);
        return {{}, reason.startsWith(QLatin1String("cannot be read")) ? reason : tr("cannot be read: the file %1").arg(reason)};
    }
    Result<IniValues> values = parseIni(QByteArray::fromStdString(*bytes));
    if (!values)
        return {{}, tr("are broken: %1").arg(QString::fromStdString(values.error().message))};
    if (values->value(VersionKey, Version).toInt() > Version)
        return {{}, tr("are of a newer version")};
    return {std::move(*values), {}};
}

bool UserSettings::setFaultyAside(const QString& fault) {
    const std::filesystem::path aside = setAside(pathOf(m_path), ".broken");
    m_trouble = aside.empty() ? tr("The settings in %1 %2. They cannot be moved away, so what you set in this run is not kept.").arg(m_path, fault)
                              : tr("The settings %1. They are kept as %2, and the defaults are in force.")
                                    .arg(fault, QString::fromStdString(aside.string()));
    return !aside.empty();
}

} // namespace sbx::ui

#include "moc_user_settings.cpp"
