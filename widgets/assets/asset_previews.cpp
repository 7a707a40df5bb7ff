#include "widgets/assets/asset_previews.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFile>

#include "engine/audio/waveform.h"
#include "engine/core/import_process.h"
#include "engine/render/thumbnail.h"
#include "widgets/common/document_files.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr quint32 PreviewVersion = 1; // raised when pictures or the form of an entry change
constexpr std::uint64_t LargestHashed = 512ULL << 20U;
constexpr qint64 LargestEntry = 1 << 20;

// Of a file's bytes; empty: it cannot be read. Opened as every file of a project is: inside its folder, nothing but a regular file.
QByteArray contentHash(const AssetRef& asset) {
    const Result<AssetFile> file = openAsset(asset, LargestHashed);
    if (!file)
        return {};
    QFile bytes;
    QCryptographicHash hash(QCryptographicHash::Sha1);
    if (!bytes.open(file->descriptor(), QIODevice::ReadOnly, QFileDevice::DontCloseHandle) || !hash.addData(&bytes))
        return {};
    return hash.result();
}

QImage imageOf(const render::Image& from) {
    QImage out(from.width, from.height, QImage::Format_RGBA8888);
    for (int y = 0; y < from.height; ++y)
        std::copy_n(from.rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(from.width) * 4,
                    static_cast<std::size_t>(from.width) * 4, out.scanLine(y));
    return out;
}

// The names of a mesh's parts are relative to the project, those of the cache to the mesh: it may lie elsewhere.
QString besideOf(const AssetRef& asset, const QString& part) {
    const QDir folder(QString::fromStdString(std::filesystem::path(asset.name).parent_path().generic_string()));
    return folder.relativeFilePath(part);
}
std::string partOf(const AssetRef& asset, const QString& beside) {
    return (std::filesystem::path(asset.name).parent_path() / beside.toStdString()).lexically_normal().generic_string();
}

} // namespace

AssetPreviews::AssetPreviews(QString cacheFolder, QObject* parent)
    : QObject(parent), m_cacheFolder(std::move(cacheFolder)), m_worker([this] { run(); }) {}

AssetPreviews::~AssetPreviews() {
    {
        const std::scoped_lock lock(m_mutex);
        m_ends = true;
    }
    m_cancelled = true;
    m_wake.notify_all();
    m_worker.join();
}

void AssetPreviews::setFolder(const QString& folder) {
    if (folder == m_folder)
        return;
    m_folder = folder;
    m_known.clear();
    m_asked.clear();
    const std::scoped_lock lock(m_mutex);
    m_jobs.clear();
}

const AssetPreview& AssetPreviews::find(const QString& name, AssetKind kind, const FileIdentity& identity) {
    Kept& kept = m_known[name];
    if (kept.preview.state != AssetPreview::State::Waiting && kept.identity == identity)
        return kept.preview;
    {
        const std::scoped_lock lock(m_mutex);
        const bool isQueued = std::erase_if(m_jobs, [&](const Job& job) { return job.name == name; }) > 0;
        if (!isQueued && m_asked.contains(name) && m_asked.value(name) == identity)
            return kept.preview; // it is being made
        m_asked.insert(name, identity);
        m_jobs.push_back({m_folder, name, kind, identity});
    }
    m_wake.notify_one();
    return kept.preview;
}

const AssetPreview* AssetPreviews::known(const QString& name) const {
    const auto found = m_known.constFind(name);
    return found != m_known.constEnd() && found->preview.state != AssetPreview::State::Waiting ? &found->preview : nullptr;
}

void AssetPreviews::run() {
    prune();
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_ends || !m_jobs.empty(); });
            if (m_ends)
                return;
            job = m_jobs.back();
            m_jobs.pop_back();
        }
        AssetPreview preview = make(job);
        if (m_cancelled)
            return;
        QMetaObject::invokeMethod(
            this,
            [this, job, preview = std::move(preview)] {
                if (job.folder != m_folder)
                    return;
                if (m_asked.value(job.name) == job.identity)
                    m_asked.remove(job.name);
                m_known.insert(job.name, {job.identity, preview});
                emit ready(job.name);
            },
            Qt::QueuedConnection);
    }
}

AssetPreview AssetPreviews::make(const Job& job) {
    const AssetRef asset{pathOf(job.folder), job.name.toStdString()};
    const QByteArray hash = m_cacheFolder.isEmpty() ? QByteArray() : contentHash(asset);
    const QString file = hash.isEmpty() ? QString()
                                        : QDir(m_cacheFolder)
                                              .filePath(QString::fromLatin1(hash.toHex())
                                                        + (job.kind == AssetKind::Mesh ? QStringLiteral(".mesh") : QStringLiteral(".sound")));
    if (!file.isEmpty())
        if (std::optional<AssetPreview> kept = fromCache(file, asset))
            return *std::move(kept);
    ++m_read;
    AssetPreview out;
    job.kind == AssetKind::Mesh ? makeMesh(asset, out) : makeSound(asset, out);
    if (out.state == AssetPreview::State::Ready && !file.isEmpty())
        keep(file, asset, out);
    return out;
}

void AssetPreviews::makeMesh(const AssetRef& asset, AssetPreview& out) const {
    ImportOptions options;
    options.cancelled = &m_cancelled;
    std::vector<render::MeshPart> parts;
    const Result<render::MeshData> mesh = render::loadMesh(asset, parts, options);
    if (!mesh) {
        out.state = AssetPreview::State::Faulty;
        out.fault = QString::fromStdString(mesh.error().message);
        return;
    }
    for (std::size_t i = 1; i < parts.size(); ++i)
        out.parts << QString::fromStdString(std::filesystem::path(parts[i].name).lexically_normal().generic_string());
    out.picture = imageOf(render::drawThumbnail(*mesh, Size));
    out.triangles = static_cast<qint64>(mesh->indices.size() / 3);
    out.bounds = mesh->bounds;
    out.state = AssetPreview::State::Ready;
}

void AssetPreviews::makeSound(const AssetRef& asset, AssetPreview& out) const {
    ImportOptions options;
    options.cancelled = &m_cancelled;
    const Result<audio::Waveform> sound = audio::readWaveform(asset, Columns, options);
    if (!sound) {
        out.state = AssetPreview::State::Faulty;
        out.fault = QString::fromStdString(sound.error().message);
        return;
    }
    out.wave = QVector<std::pair<float, float>>(sound->columns.begin(), sound->columns.end());
    out.seconds = sound->info.seconds;
    out.sampleRate = sound->info.sampleRate;
    out.channels = sound->info.channels;
    out.state = AssetPreview::State::Ready;
}

std::optional<AssetPreview> AssetPreviews::fromCache(const QString& path, const AssetRef& asset) const {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > LargestEntry)
        return std::nullopt;
    const QByteArray sum = file.read(20);
    QByteArray bytes = file.readAll();
    if (QCryptographicHash::hash(bytes, QCryptographicHash::Sha1) != sum)
        return std::nullopt;
    QDataStream in(&bytes, QIODevice::ReadOnly);
    in.setVersion(QDataStream::Qt_6_4);
    quint32 version = 0;
    in >> version;
    if (version != PreviewVersion)
        return std::nullopt;
    AssetPreview out;
    QByteArray png;
    QList<QPair<QString, QByteArray>> parts;
    QList<QPair<float, float>> wave;
    Vec3& low = out.bounds.minimum;
    Vec3& high = out.bounds.maximum;
    in >> png >> out.triangles >> low.x >> low.y >> low.z >> high.x >> high.y >> high.z >> parts >> wave >> out.seconds >> out.sampleRate
        >> out.channels;
    if (in.status() != QDataStream::Ok)
        return std::nullopt;
    for (const auto& [beside, hash] : parts) {
        const std::string part = partOf(asset, beside);
        if (contentHash({asset.folder, part}) != hash)
            return std::nullopt;
        out.parts << QString::fromStdString(part);
    }
    if (!png.isEmpty() && !out.picture.loadFromData(png, "PNG"))
        return std::nullopt;
    for (const auto& [lowest, highest] : wave)
        out.wave.append({lowest, highest});
    out.state = AssetPreview::State::Ready;
    return out;
}

// A cache that cannot be written is none: the preview is made again next time.
void AssetPreviews::keep(const QString& path, const AssetRef& asset, const AssetPreview& preview) const {
    QByteArray png;
    if (!preview.picture.isNull()) {
        QBuffer buffer(&png);
        if (!buffer.open(QIODevice::WriteOnly) || !preview.picture.save(&buffer, "PNG"))
            return;
    }
    QList<QPair<QString, QByteArray>> parts;
    for (const QString& part : preview.parts)
        parts.append({besideOf(asset, part), contentHash({asset.folder, part.toStdString()})});
    QList<QPair<float, float>> wave;
    for (const auto& [lowest, highest] : preview.wave)
        wave.append({lowest, highest});
    QByteArray bytes;
    QDataStream to(&bytes, QIODevice::WriteOnly);
    to.setVersion(QDataStream::Qt_6_4);
    const Vec3& low = preview.bounds.minimum;
    const Vec3& high = preview.bounds.maximum;
    to << PreviewVersion << png << preview.triangles << low.x << low.y << low.z << high.x << high.y << high.z << parts << wave
       << preview.seconds << preview.sampleRate << preview.channels;
    const QByteArray entry = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1) + bytes;
    static_cast<void>(writeBytes(path, std::string_view(entry.constData(), static_cast<std::size_t>(entry.size()))));
}

void AssetPreviews::prune() const {
    const QFileInfoList kept = m_cacheFolder.isEmpty() ? QFileInfoList() : QDir(m_cacheFolder).entryInfoList(QDir::Files, QDir::Time);
    for (qsizetype i = MaxKept; i < kept.size(); ++i)
        QFile::remove(kept[i].filePath());
}

} // namespace sbx::ui

#include "moc_asset_previews.cpp"
