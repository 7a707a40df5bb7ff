#include "widgets/common/backups.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "widgets/common/document.h"
#include "widgets/common/document_command.h"
#include "widgets/common/document_files.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

const QString TimeFormat = QStringLiteral("yyyyMMdd'T'HHmmss.zzz"); // UTC; names sort by time
const QString Unfinished = QStringLiteral("unfinished");

// A file's name of its own in one flat folder: "scenes/yard.toml" is "scenes%2Fyard.toml".
QString backupName(const std::string& file) {
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(file)));
}

} // namespace

QString Backups::folder() const {
    const QString canonical = QFileInfo(m_document.folder()).canonicalFilePath();
    const QByteArray hash = QCryptographicHash::hash((canonical.isEmpty() ? m_document.folder() : canonical).toUtf8(),
                                                     QCryptographicHash::Sha1);
    return m_stateFolder + QStringLiteral("/backups/") + QString::fromLatin1(hash.toHex());
}

std::vector<Backup> Backups::list() const {
    std::vector<Backup> out;
    if (!m_document.isOpen())
        return out;
    for (const QFileInfo& each : QDir(folder()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        Backup backup;
        backup.folder = each.absoluteFilePath();
        // A second save in the same millisecond has a number behind the time.
        backup.time = QDateTime::fromString(each.fileName().section(QLatin1Char('-'), 0, 0), TimeFormat);
        backup.time.setTimeSpec(Qt::UTC);
        for (const QFileInfo& file : QDir(backup.folder).entryInfoList(QDir::Files, QDir::Name)) {
            backup.files.append(QUrl::fromPercentEncoding(file.fileName().toLatin1()));
            backup.bytes += file.size();
        }
        if (backup.time.isValid() && !backup.files.isEmpty())
            out.push_back(std::move(backup));
    }
    std::reverse(out.begin(), out.end());
    return out;
}

Result<Backups::Texts> Backups::read(const Backup& backup) {
    Texts texts;
    for (const QString& file : backup.files) {
        Result<std::string> text = readBytes(backup.folder + QLatin1Char('/') + backupName(file.toStdString()));
        if (!text)
            return text.error();
        texts.emplace_back(file.toStdString(), std::move(*text));
    }
    return texts;
}

Result<void> Backups::keep(int most) {
    if (!m_document.isOpen())
        return {};
    if (most <= 0) {
        prune(0);
        return {};
    }
    Texts texts;
    for (const DocumentFile& file : m_document.files())
        if (m_document.isDirty(file.file))
            if (Result<std::string> text = readBytes(m_document.path(file.file)); text) // else there is nothing to lose
                texts.emplace_back(file.file, std::move(*text));
    if (texts.empty())
        return {};
    std::sort(texts.begin(), texts.end());
    const std::vector<Backup> before = list();
    if (!before.empty())
        if (Result<Texts> newest = read(before.front()); newest) {
            std::sort(newest->begin(), newest->end());
            if (*newest == texts)
                return {}; // a save that was tried again
        }
    const QDir parent(folder());
    const QString unfinished = parent.filePath(Unfinished);
    QDir(unfinished).removeRecursively();
    for (const auto& [file, text] : texts)
        if (Result<void> written = writeBytes(unfinished + QLatin1Char('/') + backupName(file), text); !written) {
            QDir(unfinished).removeRecursively();
            return written;
        }
    const QString time = QDateTime::currentDateTimeUtc().toString(TimeFormat);
    QString name = time;
    for (int number = 2; parent.exists(name); ++number)
        name = time + QStringLiteral("-%1").arg(number, 3, 10, QLatin1Char('0'));
    if (!QDir().rename(unfinished, parent.filePath(name)))
        return Error{"cannot be renamed to " + name.toStdString(), unfinished.toStdString(), {}};
    prune(most);
    return {};
}

void Backups::prune(int most) const {
    const std::vector<Backup> all = list();
    for (std::size_t i = static_cast<std::size_t>(std::max(0, most)); i < all.size(); ++i)
        QDir(all[i].folder).removeRecursively();
}

Result<void> Backups::restore(const Backup& backup, QStringList* leftOut) {
    const Result<Texts> texts = read(backup);
    if (!texts)
        return texts.error();
    std::vector<FileEdit> edits;
    for (const auto& [file, text] : *texts) {
        if (m_document.contains(file))
            edits.push_back({file, difference(m_document.text(file), text)});
        else if (leftOut != nullptr)
            leftOut->append(QString::fromStdString(file));
    }
    if (edits.empty())
        return Error{"no file of this backup is part of the project now", {}, {}};
    m_document.endMerge();
    return m_document.edit(std::move(edits), QCoreApplication::translate("Backups", "Restore backup of %1")
                                                 .arg(backup.time.toLocalTime().toString(QStringLiteral("d MMM, HH:mm:ss"))));
}

} // namespace sbx::ui
