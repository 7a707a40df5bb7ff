#include "widgets/common/sound_files.h"

#include <QDirIterator>
#include <QSet>

#include "widgets/common/sound_transport.h"

namespace sbx::ui {

namespace {

// Programs that write many files, as a build does, cause one look in so many milliseconds.
constexpr int SoundLookMs = 300;

QSet<QString> foldersOf(const QString& root) {
    QSet<QString> folders;
    if (root.isEmpty() || !QDir(root).exists())
        return folders;
    folders.insert(root);
    QDirIterator each(root, QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                      QDirIterator::Subdirectories);
    while (each.hasNext() && folders.size() < SoundFiles::MaxFolders)
        folders.insert(each.next());
    return folders;
}

} // namespace

SoundFiles::SoundFiles(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(SoundLookMs);
    connect(&m_timer, &QTimer::timeout, this, &SoundFiles::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        if (!m_timer.isActive())
            m_timer.start();
    });
}

void SoundFiles::setFolder(const QString& folder) {
    m_folder = folder;
    look();
}

void SoundFiles::look() {
    m_timer.stop();
    const QSet<QString> wanted = foldersOf(m_folder);
    const QStringList watched = m_watcher.directories();
    const QSet<QString> known(watched.begin(), watched.end());
    if (const QSet<QString> gone = known - wanted; !gone.isEmpty())
        m_watcher.removePaths(gone.values());
    if (const QSet<QString> fresh = wanted - known; !fresh.isEmpty())
        m_watcher.addPaths(fresh.values());
    // After the watch has begun: what comes in between is seen either way.
    QStringList files = soundFilesIn(m_folder);
    if (files == m_files)
        return;
    m_files = std::move(files);
    emit changed();
}

} // namespace sbx::ui

#include "moc_sound_files.cpp"
