#pragma once
// The one file dialog: every panel and window asks with it.
//
// It opens in the folder it is given, usually the project's, and remembers nothing: neither folders of earlier questions nor a size. Names can be
// typed, so that it looks at what was chosen before it closes. What is not of the kind asked for, or cannot be read, or written, stays in
// the dialog with one line that says what is wrong. It is Qt's own dialog on every desktop: that of the desktop cannot be kept open.
// GUI thread. Each function runs an event loop: what asks may be gone when it returns.

#include <QFileDialog>

#include "engine/simulation/asset_uses.h"

#include <optional>

class QLabel;
class QLineEdit;

namespace sbx::ui {

class FileDialog : public QFileDialog {
    Q_OBJECT

public:
    // `start`: a folder, or a file in it that is chosen at first; what does not exist leads to the nearest folder that does. `kinds` as
    // in QFileDialog: "Meshes (*.obj *.gltf);;All files (*)"; empty: any file.
    FileDialog(QWidget* parent, const QString& title, const QString& start, const QString& kinds = {});

    // What is wrong with the file in the mode the dialog has; empty: nothing.
    [[nodiscard]] QString faultOf(const QString& file) const;

    void accept() override;

private:
    void showFault(const QString& fault);

    QLabel* m_fault;
    QLineEdit* m_name;
};

// Absolute paths; empty: the user thought better of it.
[[nodiscard]] QString fileToOpen(QWidget* parent, const QString& title, const QString& start,
                                 const QString& kinds = {});
[[nodiscard]] QStringList filesToOpen(QWidget* parent, const QString& title, const QString& start,
                                      const QString& kinds = {});
// `suggested`: the file, with its folder. A file that exists is asked about.
[[nodiscard]] QString fileToSave(QWidget* parent, const QString& title, const QString& suggested,
                                 const QString& kinds = {});
[[nodiscard]] QString folderToOpen(QWidget* parent, const QString& title, const QString& start);

// The endings of meshes, of sounds, or of both, as `kinds`.
[[nodiscard]] QString assetKinds(std::optional<AssetKind> wanted = {});

} // namespace sbx::ui
