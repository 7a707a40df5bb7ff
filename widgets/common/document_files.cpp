#include "widgets/common/document_files.h"

#include <QBuffer>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QImage>

#include "engine/core/whole_file.h"
#include "engine/definition/toml_document.h"

namespace sbx::ui {

namespace {

// As large as the engine reads.
constexpr auto Largest = static_cast<qint64>(definition::MaximumTextBytes);

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
    if (file.size() > Largest)
        return failure(path, QStringLiteral("is larger than %1 MiB").arg(Largest / (1024 * 1024)));
    const QByteArray bytes = file.read(Largest + 1);
    if (file.error() != QFileDevice::NoError)
        return failure(path, QStringLiteral("cannot be read: ") + file.errorString());
    if (bytes.size() > Largest)
        return failure(path, QStringLiteral("is larger than %1 MiB").arg(Largest / (1024 * 1024)));
    std::string text = bytes.toStdString();
    if (const std::optional<Diagnostic> fault = definition::lengthFault(text, {}))
        return Error{fault->message(), path.toStdString(), fault->region};
    return text;
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
        // A sample installed read-only becomes one's own.
        if (Result<void> copied = copyFileSafely(pathOf(it.filePath()), pathOf(path)); !copied)
            return copied;
    }
    return {};
}

} // namespace sbx::ui
