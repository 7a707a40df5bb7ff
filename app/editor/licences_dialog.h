#pragma once
// The licences of the program and of everything shipped with it: a list of files, and the text of the chosen one. GUI thread.

#include <QDialog>
#include <QStringList>

#include <filesystem>
#include <vector>

class QListWidget;
class QPlainTextEdit;

namespace sbx::editor {

struct Licence {
    QString title; // "GNU General Public License 3"
    QString file;
};

// Of an installed program (share/doc/signalbox beside `resources`) or of the source tree; the program's own first, then by name.
// `resources`: see resourceFolders().
[[nodiscard]] std::vector<Licence> shippedLicences(const std::vector<std::filesystem::path>& resources);

class LicencesDialog : public QDialog {
    Q_OBJECT

public:
    explicit LicencesDialog(std::vector<Licence> licences, QWidget* parent = nullptr);

private:
    void show(int row);

    std::vector<Licence> m_licences;
    QListWidget* m_list;
    QPlainTextEdit* m_text;
};

} // namespace sbx::editor
