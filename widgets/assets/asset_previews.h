#pragma once
// What mesh and sound files look like: thumbnails, waveforms, figures.
//
// Data flow: find() of a file whose preview is not there -> a worker thread, newest request first, so that what is on the screen now comes
// before what was -> the cache on the disk, or the file, read in a process of its own (engine/core/import_process.h) -> ready(). A file
// that crashes its reader costs that process and gives a preview with the reason.
//
// The cache is by content: an entry holds for every file with the same bytes, whatever its name, as long as the files that a mesh names
// have the same bytes too. It may be removed at any time; what is damaged in it is made again. Faults are not kept there.
//
// GUI thread; the panel owns it. Ends its worker with it, which gives up what it reads.

#include <QHash>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QVector>

#include "engine/core/asset_file.h"
#include "engine/render/mesh.h"
#include "engine/simulation/asset_uses.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sbx::ui {

struct AssetPreview {
    enum class State { Waiting, Ready, Faulty };
    State state = State::Waiting;
    QString fault; // why it cannot be read
    // Of a mesh.
    QImage picture; // Size x Size, transparent around the mesh
    qint64 triangles = 0;
    render::Bounds bounds;
    QStringList parts; // other files that it is made of, in the project's folder
    // Of a sound.
    QVector<std::pair<float, float>> wave; // lowest and highest of each column
    double seconds = 0.0;
    double sampleRate = 0.0; // Hz
    int channels = 0;
};

class AssetPreviews : public QObject {
    Q_OBJECT

public:
    static constexpr int Size = 160;       // pixels of a picture's edge
    static constexpr int Columns = 160;    // of a waveform
    static constexpr int MaxKept = 4'000;  // files in the cache; the oldest go first

    // `cacheFolder`: made when something is kept; empty: nothing is.
    explicit AssetPreviews(QString cacheFolder, QObject* parent = nullptr);
    ~AssetPreviews() override;

    // Of another project: nothing that was asked for is made any more.
    void setFolder(const QString& folder);
    // As far as it is known; asks for it if it is not. `identity`: as the file is now. While a changed file is read again, the preview of
    // before is shown.
    [[nodiscard]] const AssetPreview& find(const QString& name, AssetKind kind, const FileIdentity& identity);
    // Without asking.
    [[nodiscard]] const AssetPreview* known(const QString& name) const;
    // Files that were read, rather than found in the cache: for tests.
    [[nodiscard]] int readCount() const { return m_read; }

signals:
    void ready(const QString& name);

private:
    struct Job {
        QString folder;
        QString name;
        AssetKind kind{};
        FileIdentity identity;
    };
    struct Kept {
        FileIdentity identity;
        AssetPreview preview;
    };
    void run();
    [[nodiscard]] AssetPreview make(const Job& job);
    void makeMesh(const AssetRef& asset, AssetPreview& out) const;
    void makeSound(const AssetRef& asset, AssetPreview& out) const;
    [[nodiscard]] std::optional<AssetPreview> fromCache(const QString& file, const AssetRef& asset) const;
    void keep(const QString& file, const AssetRef& asset, const AssetPreview& preview) const;
    void prune() const;

    const QString m_cacheFolder;
    QString m_folder;
    QHash<QString, Kept> m_known;
    QHash<QString, FileIdentity> m_asked; // and not answered yet
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<Job> m_jobs; // the last is the next
    bool m_ends = false;
    std::atomic<bool> m_cancelled = false;
    std::atomic<int> m_read = 0;
    std::thread m_worker;
};

} // namespace sbx::ui
