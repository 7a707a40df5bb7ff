#include "widgets/assets/asset_files.h"

#include <QDir>
#include <QSet>

#include "widgets/common/document_files.h"
#include "widgets/common/natural_order.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sbx::ui {

namespace {
// Programs that write many files, as a build does, cause one look in so many milliseconds.
constexpr int FilesLookMs = 300;
} // namespace

AssetFiles::AssetFiles(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(FilesLookMs);
    connect(&m_timer, &QTimer::timeout, this, &AssetFiles::begin);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &AssetFiles::look);
}

AssetFiles::~AssetFiles() {
    m_ends = true;
    m_pool.waitForDone();
}

void AssetFiles::setFolder(const QString& folder) {
    if (folder == m_folder) {
        look();
        return;
    }
    m_folder = folder;
    m_entries.clear();
    m_cut = false;
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
    emit changed();
    begin();
}

const AssetEntry* AssetFiles::find(const QString& name) const {
    const auto found = std::lower_bound(m_entries.begin(), m_entries.end(), name, [](const AssetEntry& entry, const QString& wanted) {
        return compareNaturally(entry.name, wanted) < 0;
    });
    return found != m_entries.end() && found->name == name ? &*found : nullptr;
}

void AssetFiles::look() {
    if (!m_timer.isActive())
        m_timer.start();
}

void AssetFiles::begin() {
    m_timer.stop();
    if (m_folder.isEmpty())
        return;
    if (std::exchange(m_walking, true)) {
        m_again = true;
        return;
    }
    m_pool.start([this, folder = m_folder] {
        Found found = walk(folder, m_ends);
        if (!m_ends)
            QMetaObject::invokeMethod(this, [this, found = std::move(found)] { take(found); }, Qt::QueuedConnection);
    });
}

AssetFiles::Found AssetFiles::walk(const QString& folder, const std::atomic<bool>& ends) {
    namespace fs = std::filesystem;
    Found out;
    out.folder = folder;
    out.folders << folder;
    const fs::path root = pathOf(folder);
    std::error_code fault;
    fs::recursive_directory_iterator each(root, fs::directory_options::skip_permission_denied, fault);
    int visited = 0;
    for (const fs::recursive_directory_iterator end; !fault && each != end && !ends; each.increment(fault)) {
        if (++visited > MaxVisited || out.entries.size() >= static_cast<std::size_t>(Most)) {
            out.cut = true;
            break;
        }
        const std::string own = each->path().filename().string();
        std::error_code unknown;
        const bool isFolder = each->is_directory(unknown);
        if (own.starts_with('.')) {
            if (isFolder)
                each.disable_recursion_pending();
            continue;
        }
        if (isFolder) {
            if (out.folders.size() < MaxFolders && !each->is_symlink(unknown))
                out.folders << QString::fromStdString(each->path().string());
            continue;
        }
        const std::optional<AssetKind> kind = assetKind(own);
        if (!kind)
            continue;
        const std::string name = each->path().lexically_relative(root).generic_string();
        // A name that is not UTF-8 cannot stand in a project's text.
        const QString shown = QString::fromStdString(name);
        if (shown.toStdString() != name)
            continue;
        const Result<FileIdentity> identity = inspectAsset({root, name});
        out.entries.push_back({shown, *kind, identity ? *identity : FileIdentity{}});
    }
    std::sort(out.entries.begin(), out.entries.end(), [](const AssetEntry& a, const AssetEntry& b) {
        return compareNaturally(a.name, b.name) < 0;
    });
    return out;
}

void AssetFiles::take(const Found& found) {
    m_walking = false;
    if (std::exchange(m_again, false) || found.folder != m_folder)
        begin();
    if (found.folder != m_folder)
        return;
    const QSet<QString> wanted(found.folders.begin(), found.folders.end());
    const QStringList watched = m_watcher.directories();
    const QSet<QString> known(watched.begin(), watched.end());
    if (const QSet<QString> gone = known - wanted; !gone.isEmpty())
        m_watcher.removePaths(gone.values());
    if (const QSet<QString> fresh = wanted - known; !fresh.isEmpty()) {
        m_watcher.addPaths(fresh.values());
        look(); // what came before the watch began
    }
    if (found.entries == m_entries && found.cut == m_cut)
        return;
    m_entries = found.entries;
    m_cut = found.cut;
    emit changed();
}

} // namespace sbx::ui

#include "moc_asset_files.cpp"
