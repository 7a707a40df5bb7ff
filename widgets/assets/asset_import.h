#pragma once
// Copies mesh and sound files from elsewhere into the project: meshes into meshes/, sounds into sounds/, and what a mesh is made of beside
// it. Nothing is overwritten: a name that is taken gets a number.
//
// Data flow: begin() -> a thread copies each file to its end under a hidden name and then gives it its own -> finished() on the window
// thread. GUI thread; the panel owns it; ends its thread with it.

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <atomic>

namespace sbx::ui {

class AssetImport : public QObject {
    Q_OBJECT

public:
    struct Outcome {
        QStringList made;    // paths in the project's folder, in the order of the files
        QStringList refused; // full sentences: which file, and why
    };

    explicit AssetImport(QObject* parent = nullptr);
    ~AssetImport() override;

    // Absolute paths. `into`: a folder of the project for all of them; empty: the folder of their kind.
    void begin(const QString& project, const QStringList& files, const QString& into = {});
    // The same at once; any thread.
    [[nodiscard]] static Outcome copy(const QString& project, const QStringList& files, const QString& into, const std::atomic<bool>& ends);

signals:
    void finished(const sbx::ui::AssetImport::Outcome& outcome);

private:
    QThreadPool m_pool; // one thread
    std::atomic<bool> m_ends = false;
};

} // namespace sbx::ui
