#pragma once
// The sound files of a folder, as they come and go: for lists that are shown while other programs write there.
//
// Data flow: the system's watch of the folder and those below it -> (at most three times a second) the folder is read -> changed(), if
// the list is another. Nothing is read while nothing changes. GUI thread; the panel that shows the list owns it.

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace sbx::ui {

class SoundFiles : public QObject {
    Q_OBJECT

public:
    // Folders below the project's that are watched at most: the system has few watches to give.
    static constexpr int MaxFolders = 500;

    explicit SoundFiles(QObject* parent = nullptr);

    // Empty: none. Reads it now.
    void setFolder(const QString& folder);
    [[nodiscard]] const QString& folder() const { return m_folder; }
    // As soundFilesIn() lists them.
    [[nodiscard]] const QStringList& files() const { return m_files; }
    // Reads the folder now: for a file system that reports no changes.
    void look();

signals:
    void changed();

private:
    QString m_folder;
    QStringList m_files;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
};

} // namespace sbx::ui
