#pragma once
// What the files of a project were before each of the last saves, kept in the state folder: a ring of texts to go back to.
//
// keep() is called before a save and copies the files that are on the disk. Each backup is a folder, which is written under another name
// and then renamed: an incomplete backup is never listed. Backups are texts of the project only, never assets. GUI thread; the document outlives it.

#include <QDateTime>
#include <QString>
#include <QStringList>

#include "engine/core/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sbx::ui {

class Document;

struct Backup {
    QString folder;     // absolute
    QDateTime time;     // of the save
    QStringList files;  // as in Document
    std::int64_t bytes = 0;
};

class Backups {
public:
    static constexpr int DefaultMost = 10;
    static constexpr int Largest = 200; // that a user may ask for

    Backups(QString stateFolder, Document& document) : m_stateFolder(std::move(stateFolder)), m_document(document) {}

    // Keeps what the unsaved files are on the disk, and only the newest `most` backups; 0: none, and those that are there go. Texts that
    // the newest backup has already make no other one. An error says what could not be written; nothing else is lost then.
    Result<void> keep(int most);
    // Of the open project, the newest first.
    [[nodiscard]] std::vector<Backup> list() const;
    // Puts the texts in as one step of undo, unsaved. Files that are not part of the project any more are left out, and named in `leftOut`.
    Result<void> restore(const Backup& backup, QStringList* leftOut = nullptr);

private:
    using Texts = std::vector<std::pair<std::string, std::string>>; // file, text
    [[nodiscard]] QString folder() const;
    [[nodiscard]] static Result<Texts> read(const Backup& backup);
    void prune(int most) const;

    QString m_stateFolder;
    Document& m_document;
};

} // namespace sbx::ui
