#pragma once
// The mesh and sound files of the project's folder, as they come, change and go.
//
// Data flow: the system's watch of the folders, or a look asked for -> (at most three times a second) a thread walks the folder -> changed()
// on the GUI thread, if the list is another. Hidden folders and links to folders are left out; so is what is beyond Most.
//
// GUI thread; the panel owns it.

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include "engine/core/asset_file.h"
#include "engine/simulation/asset_uses.h"

#include <atomic>
#include <vector>

namespace sbx::ui {

struct AssetEntry {
    QString name; // path in the project's folder
    AssetKind kind{};
    FileIdentity identity;

    friend bool operator==(const AssetEntry&, const AssetEntry&) = default;
};

class AssetFiles : public QObject {
    Q_OBJECT

public:
    static constexpr int Most = 10'000;         // files listed
    static constexpr int MaxVisited = 100'000;  // looked at: a project may have a build tree
    static constexpr int MaxFolders = 500;      // watched: the system has few watches to give

    explicit AssetFiles(QObject* parent = nullptr);
    ~AssetFiles() override;

    // Empty: none. Looks at it soon.
    void setFolder(const QString& folder);
    [[nodiscard]] const QString& folder() const { return m_folder; }
    // By name, as people sort; as of the last look.
    [[nodiscard]] const std::vector<AssetEntry>& entries() const { return m_entries; }
    [[nodiscard]] const AssetEntry* find(const QString& name) const;
    // There are more than are listed.
    [[nodiscard]] bool isCut() const { return m_cut; }
    // Looks soon: for a file system that reports no changes.
    void look();

signals:
    void changed();

private:
    struct Found {
        QString folder;
        std::vector<AssetEntry> entries;
        QStringList folders;
        bool cut = false;
    };
    [[nodiscard]] static Found walk(const QString& folder, const std::atomic<bool>& ends);
    void begin();
    void take(const Found& found);

    QString m_folder;
    std::vector<AssetEntry> m_entries;
    bool m_cut = false;
    bool m_walking = false;
    bool m_again = false; // something changed while it was walked
    std::atomic<bool> m_ends = false;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    QThreadPool m_pool; // one thread
};

} // namespace sbx::ui
