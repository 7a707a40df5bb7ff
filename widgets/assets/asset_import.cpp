#include "widgets/assets/asset_import.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "engine/core/import_process.h"
#include "engine/render/mesh.h"
#include "engine/simulation/asset_uses.h"
#include "widgets/common/document_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sbx::ui {

namespace {

constexpr int MaxNumbers = 10'000; // of names that are tried
constexpr qint64 CopyPiece = 1 << 20;

QString numbered(const QString& name, int number) {
    const QFileInfo about(name);
    return QStringLiteral("%1_%2.%3").arg(about.completeBaseName()).arg(number).arg(about.suffix());
}

// Copies the bytes and gives them the name only if no file has it: false with errno EEXIST if one does.
bool copyNew(const AssetRef& from, const QString& to, QString& why, bool& taken, const std::atomic<bool>& ends) {
    taken = false;
    constexpr std::uint64_t Largest = 4ULL << 30U;
    const Result<AssetFile> file = openAsset(from, Largest);
    if (!file) {
        why = QString::fromStdString(file.error().message);
        return false;
    }
    QFile source;
    if (!source.open(file->descriptor(), QIODevice::ReadOnly, QFileDevice::DontCloseHandle)) {
        why = source.errorString();
        return false;
    }
    const QString beside = QFileInfo(to).path() + QStringLiteral("/.signalbox-import-%1").arg(::getpid());
    QFile target(beside);
    if (!target.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
        why = target.errorString();
        return false;
    }
    bool whole = true;
    while (whole && !ends) {
        const QByteArray piece = source.read(CopyPiece);
        if (piece.isEmpty())
            break;
        whole = target.write(piece) == piece.size();
    }
    whole = whole && !ends && target.flush() && ::fsync(target.handle()) == 0;
    if (!whole)
        why = ends ? AssetImport::tr("the program ended") : target.errorString();
    target.close();
    if (whole && ::renameat2(AT_FDCWD, QFile::encodeName(beside).constData(), AT_FDCWD, QFile::encodeName(to).constData(), RENAME_NOREPLACE) != 0) {
        taken = errno == EEXIST;
        why = QString::fromLocal8Bit(std::strerror(errno));
        whole = false;
    }
    if (!whole)
        QFile::remove(beside);
    return whole;
}

} // namespace

AssetImport::AssetImport(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

AssetImport::~AssetImport() {
    m_ends = true;
    m_pool.waitForDone();
}

void AssetImport::begin(const QString& project, const QStringList& files, const QString& into) {
    m_pool.start([this, project, files, into] {
        const Outcome outcome = copy(project, files, into, m_ends);
        if (!m_ends)
            QMetaObject::invokeMethod(this, [this, outcome] { emit finished(outcome); }, Qt::QueuedConnection);
    });
}

AssetImport::Outcome AssetImport::copy(const QString& project, const QStringList& files, const QString& into, const std::atomic<bool>& ends) {
    Outcome out;
    for (const QString& path : files) {
        const QFileInfo about(path);
        const auto refuse = [&](const QString& why) { out.refused << tr("%1 was not copied: %2.").arg(about.fileName(), why); };
        const std::optional<AssetKind> kind = assetKind(path.toStdString());
        if (!kind) {
            refuse(tr("it is no mesh and no sound; expected a file that ends in .gltf, .glb, .obj, .wav, .flac or .ogg"));
            continue;
        }
        const AssetRef from = AssetRef::ofFile(pathOf(about.absoluteFilePath()));
        const QString folder = !into.isEmpty() ? into : *kind == AssetKind::Mesh ? QStringLiteral("meshes") : QStringLiteral("sounds");
        const QDir target(QDir(project).filePath(folder));
        // What it is made of keeps its names, which the mesh names: they must be free, or the same bytes.
        std::vector<render::MeshPart> parts;
        if (*kind == AssetKind::Mesh) {
            ImportOptions options;
            options.cancelled = &ends;
            static_cast<void>(render::loadMesh(from, parts, options)); // one that cannot be read is copied all the same: its tile says why
        }
        if (!QDir().mkpath(target.path())) {
            refuse(tr("the folder %1 cannot be made").arg(folder));
            continue;
        }
        QString why;
        bool fits = true;
        for (std::size_t i = 1; i < parts.size() && fits; ++i) {
            const QString name = QString::fromStdString(parts[i].name);
            const QString to = target.filePath(name);
            if (!QDir().mkpath(QFileInfo(to).path()))
                fits = false;
            bool taken = false;
            if (fits && !copyNew({from.folder, parts[i].name}, to, why, taken, ends) && !(taken && [&] {
                    QFile a(to);
                    QFile b(QString::fromStdString((from.folder / parts[i].name).string()));
                    return a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly) && a.size() == b.size() && a.readAll() == b.readAll();
                }())) {
                why = taken ? tr("it is made of %1, and the project has another file of that name").arg(name) : tr("%1: %2").arg(name, why);
                fits = false;
            }
        }
        if (!fits) {
            refuse(why);
            continue;
        }
        QString name = about.fileName();
        bool taken = false;
        bool done = copyNew(from, target.filePath(name), why, taken, ends);
        for (int number = 2; !done && taken && number < MaxNumbers; ++number) {
            name = numbered(about.fileName(), number);
            if (QFileInfo::exists(target.filePath(name)))
                continue;
            done = copyNew(from, target.filePath(name), why, taken, ends);
        }
        if (done)
            out.made << QDir::cleanPath(folder + QLatin1Char('/') + name);
        else
            refuse(why);
    }
    return out;
}

} // namespace sbx::ui

#include "moc_asset_import.cpp"
