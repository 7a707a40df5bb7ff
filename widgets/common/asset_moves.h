#pragma once
// Gives a mesh or sound file of the project another name, together with every place of the definitions and the scene that names it: one
// step of undo, which renames the file back too.
//
// On the disk a text that was not saved yet may not name a file that is not there, and neither may one that was: so a renamed file has
// both names until the texts are saved (a second link to the same bytes; a copy where the file system has no links), and loses the old one
// then. If the program is killed in between, the texts on the disk find the old name and the recovered ones the new name; the name that is
// not used any more is left over. Without saving, closing takes the new name away again.
//
// GUI thread; owned by the main window, the document outlives it.

#include <QObject>
#include <QString>

#include "engine/simulation/asset_uses.h"
#include "widgets/common/document.h"
#include "widgets/common/name_guard.h"

#include <map>
#include <set>
#include <vector>

namespace sbx::ui {

// The edits that write `to` wherever one of the uses stands. Error: a text has changed since it was read, so that a use is not where it was.
[[nodiscard]] Result<std::vector<FileEdit>> assetEdits(const Document& document, const std::vector<AssetUse>& uses, const std::string& to);

class AssetMoves : public QObject {
    Q_OBJECT

public:
    explicit AssetMoves(Document& document, QObject* parent = nullptr);

    // Names are paths in the project's folder. `uses`: of that file. Folders of the new name are made. Errors: the name is taken, lies
    // outside of the project, is of another format; the file is read-only, a link, or gone; the disk refuses. Nothing has changed then.
    Result<void> rename(const std::string& from, const std::string& to, const std::vector<AssetUse>& uses);
    // The reason against that new name for the file, as rename() would give it, and a name that is free. None: nothing is against it.
    [[nodiscard]] std::optional<NameRefusal> refusal(const std::string& from, const std::string& to) const;
    // A name that a file still has until the texts are saved: not to be listed.
    [[nodiscard]] bool isLeaving(const std::string& name) const { return m_leaving.contains(name); }

signals:
    // The names on the disk may be others.
    void changed();
    // An undo or a redo could not rename the file: the texts name one that is not there.
    void problem(const QString& text);

private:
    class Step;
    // What the typed name means in the project's folder, if the file can have it.
    [[nodiscard]] Result<std::string> newName(const std::string& from, const std::string& typed) const;
    // Makes `name` another name of the file; `from` goes at the next save. Error: why not.
    Result<void> take(const std::string& from, const std::string& to);
    void move(const std::string& from, const std::string& to);
    // After texts and disk agree: takes away the names that are not used any more.
    void settle();
    void abandon();
    [[nodiscard]] QString path(const std::string& name) const;
    // Those of the names whose file has another name that stays.
    void removeNames(const std::set<std::string>& names);
    void group(const std::string& a, const std::string& b);

    Document& m_document;
    QString m_folder; // whose names these are
    std::set<std::string> m_leaving; // on the disk until the next save
    std::set<std::string> m_fresh;   // on the disk since the last save
    std::map<std::string, int> m_files; // by name: which names are of one file
    int m_fileCount = 0;
};

} // namespace sbx::ui
