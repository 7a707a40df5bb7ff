#include "widgets/common/document_files.h"

#include <QBuffer>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QImage>

#include "engine/core/whole_file.h"

namespace sbx::ui {

namespace {

Error failure(const QString& path, const QString& what) {
    return Error{what.toStdString(), path.toStdString(), {}};
}

} // namespace

std::filesystem::path pathOf(const QString& path) { return QFile::encodeName(path).toStdString(); }

Result<std::string> readBytes(const QString& path) {
    const QFileInfo info(path);
    if (!info.exists())
        return failure(path, QStringLiteral("does not exist"));
    if (!info.isFile())
        return failure(path, QStringLiteral("is not a file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(path, QStringLiteral("cannot be read: ") + file.errorString());
    if (file.size() > MaximumTextBytes)
        return failure(path, QStringLiteral("is larger than %1 MiB").arg(MaximumTextBytes / (1024 * 1024)));
    const QByteArray bytes = file.read(MaximumTextBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return failure(path, QStringLiteral("cannot be read: ") + file.errorString());
    if (bytes.size() > MaximumTextBytes)
        return failure(path, QStringLiteral("is larger than %1 MiB").arg(MaximumTextBytes / (1024 * 1024)));
    return bytes.toStdString();
}

Result<void> writeBytes(const QString& path, std::string_view bytes) {
    const QString parent = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(parent))
        return failure(parent, QStringLiteral("cannot be created"));
    return writeFileSafely(pathOf(path), bytes);
}

Result<void> writePicture(const QString& path, const QImage& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!picture.save(&buffer, "PNG"))
        return failure(path, QStringLiteral("cannot be made: the picture is empty"));
    return writeBytes(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

Result<void> copyProject(const QString& from, const QString& to) {
    const QString source = QDir::cleanPath(QFileInfo(from).absoluteFilePath());
    const QString target = QDir::cleanPath(QFileInfo(to).absoluteFilePath());
    if (target == source || target.startsWith(source + QLatin1Char('/')))
        return failure(target, QStringLiteral("lies inside the project that is to be copied"));
    const QFileInfo there(target);
    if (there.exists()
        && (!there.isDir() || !QDir(target).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)))
        return failure(target, QStringLiteral("exists and is not an empty folder"));
    if (!QDir().mkpath(target))
        return failure(target, QStringLiteral("cannot be created"));
    const QDir base(source);
    QDirIterator it(source, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        it.next();
        const QString path = target + QLatin1Char('/') + base.relativeFilePath(it.filePath());
        if (it.fileInfo().isDir()) {
            if (!QDir().mkpath(path))
                return failure(path, QStringLiteral("cannot be created"));
            continue;
        }
        QFile file(it.filePath());
        if (!file.copy(path))
            return failure(path, QStringLiteral("cannot be written: ") + file.errorString());
        // A sample installed read-only becomes one's own.
        QFile::setPermissions(path, QFile::permissions(path) | QFile::ReadOwner | QFile::WriteOwner);
    }
    return {};
}

} // namespace sbx::ui
