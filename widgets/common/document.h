#pragma once
// What is being edited: the texts of one project (project.toml, its definition files, the open scene) under
// one undo stack.
//
// Every edit in every panel, the text editor's included, is a text edit: bytes at an offset replaced by other
// bytes. A panel asks engine/definition where a value stands, calls edit(), and receives textChanged() like
// everyone else; no other object keeps the text. Undo and redo come out as textChanged() too. Texts are bytes
// (UTF-8 if the file was) and are never normalised: load and save without an edit is byte-identical.
// Unsaved work survives a kill: see Journal. GUI thread; owned by the main window.

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include "engine/core/result.h"
#include "engine/definition/place_index.h"
#include "engine/definition/text_edit.h"
#include "widgets/common/undo_order.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

class Journal;
struct JournalText;
struct Recovery;

enum class FileRole { Project, Definitions, Scene };

// `file` everywhere below is the path relative to the project's folder, with '/': "project.toml",
// "entities.toml". It stays the same through saveProjectAs(). Absolute only for a file outside the folder.
struct DocumentFile {
    std::string file;
    FileRole role = FileRole::Definitions;
};

// Offset in bytes, in the text before the whole request; `removed` must be what stands there. The same type
// that engine/definition's edits come as.
using TextEdit = definition::TextEdit;

struct FileEdit {
    std::string file;
    std::vector<TextEdit> edits; // in any order; must not overlap
};

struct EditRequest {
    std::string file;
    std::vector<TextEdit> edits;
    QString label; // "Set mass of crate_3": "Undo " goes before it
    // Requests in a row with one key are one undo step until endMerge(); empty: never merged.
    QString mergeKey;
};

// What a step of the stack does beside its texts, such as giving a file another name. What it does at first is done before the step is
// pushed: redo() is called only after an undo(). Neither may fail: the owner of the step reports what cannot be done.
class BesideStep {
public:
    BesideStep() = default;
    BesideStep(const BesideStep&) = delete;
    BesideStep& operator=(const BesideStep&) = delete;
    virtual ~BesideStep() = default;
    virtual void undo() = 0;
    virtual void redo() = 0;
};

// Settled: the disk has again what was last read or written; no earlier question to the user is left open.
enum class ExternalChange { Changed, Removed, Settled };
enum class SaveMode { RefuseIfChangedOnDisk, Overwrite };

// Why a file was not written. What was on the disk is there still.
struct SaveFault {
    std::string file;
    std::string reason;         // in words: the disk is full
    bool changedOnDisk = false; // another program wrote it since it was read; else the system refused
};

class Document : public QObject {
    Q_OBJECT

public:
    // `stateFolder` holds the crash journal; empty: the user's (UserFolders).
    explicit Document(QString stateFolder = {}, QObject* parent = nullptr);
    ~Document() override;

    // Reads all files or none; one that is gone is empty if there is unsaved work of it to recover. `folder` is the project's; closes what was open (without saving).
    Result<void> open(const QString& folder, const std::vector<DocumentFile>& files);
    // Brings in one more file of the project, or lets one go (not while it is dirty): when project.toml names
    // other files.
    Result<void> addFile(const DocumentFile& file);
    Result<void> removeFile(const std::string& file);
    // Ends the journal: the caller has asked about unsaved work.
    void close();

    [[nodiscard]] bool isOpen() const { return !m_files.empty(); }
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] std::vector<DocumentFile> files() const;
    // First file of that role, or empty.
    [[nodiscard]] std::string file(FileRole role) const;
    [[nodiscard]] bool contains(std::string_view file) const;
    // The bytes now; an unknown file is a programmer error. Valid until the next edit.
    [[nodiscard]] const std::string& text(std::string_view file) const;
    // Counts up with every change of any file: cheap "is my parse still good".
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }
    // Where the instances of the open scene stand; null: there is no scene. Read from the text on demand, and kept through
    // edits of nothing but places. Valid until the next edit.
    [[nodiscard]] const definition::PlaceIndex* places() const;
    // The revision() after the last change that was more than values which places() followed. What was parsed at this revision or
    // later differs from the texts by the instances that places() says have changed since, and by nothing else.
    [[nodiscard]] std::uint64_t structureRevision() const { return m_structureRevision; }
    [[nodiscard]] QString path(std::string_view file) const;
    // The file that a path (absolute, or relative to the folder) names, or empty.
    [[nodiscard]] std::string fileAt(const QString& path) const;

    // Applies and pushes one undo step. Fails, changing nothing, if a removed text is not there, edits
    // overlap, the file is unknown or would grow beyond what the engine reads (definition::MaximumTextBytes).
    // A request that changes nothing is no step.
    Result<void> edit(EditRequest request);
    Result<void> edit(std::vector<FileEdit> edits, const QString& label, const QString& mergeKey = {});
    // The same with something beside the texts, in one step; a step even if no text changes.
    Result<void> edit(std::vector<FileEdit> edits, const QString& label, std::unique_ptr<BesideStep> beside);
    // Replaces a whole text, as the smallest single edit.
    Result<void> setText(const std::string& file, std::string_view text, const QString& label,
                         const QString& mergeKey = {});
    // A drag was let go, focus left: the next request starts a new step.
    void endMerge();

    // A drag is one step: what console lines set meanwhile comes after it.
    void beginDrag();
    void endDrag();
    // What was dragged goes back at once; a drag that has edited nothing changes nothing.
    void cancelDrag();

    [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
    // The step that an undo (or redo) would take next changes a file of that role.
    [[nodiscard]] bool isNextStepIn(FileRole role, bool redo) const;
    // For callers that push steps that are known late, or undo what may be one.
    [[nodiscard]] UndoOrder& undoOrder() { return m_order; }
    // By comparison with the bytes last read or written: undoing to the saved step cleans.
    [[nodiscard]] bool isDirty() const;
    [[nodiscard]] bool isDirty(std::string_view file) const;

    // Each dirty file through a temporary file and a rename. A file that cannot be written leaves the others
    // saved and says why.
    Result<void> save(SaveMode mode = SaveMode::RefuseIfChangedOnDisk);
    // What the last save() did not write, and why; empty when it wrote all.
    [[nodiscard]] const std::vector<SaveFault>& saveFaults() const { return m_saveFaults; }
    Result<void> save(const std::string& file, SaveMode mode = SaveMode::RefuseIfChangedOnDisk);
    // Copies the project's folder with everything in it (assets too), writes the present texts there and goes
    // on there; the old folder stays as it was last saved. `folder` must not exist or be empty.
    Result<void> saveProjectAs(const QString& folder);
    // Writes the open scene's text to another file and goes on editing that one; the old file stays as last
    // saved. Which scene project.toml names does not change by itself.
    Result<void> saveSceneAs(const QString& path);

    // What to do after externalChange(): take the file's bytes (one undoable step, clean afterwards), or keep
    // ours (the next save overwrites).
    Result<void> reload(const std::string& file);
    void keepMine(const std::string& file);

    // Texts of earlier runs that ended without saving or closing, the newest first. Those that say what is on
    // the disk anyway are not among them.
    [[nodiscard]] std::vector<Recovery> recoveries() const;
    // The newest; null: there is none.
    [[nodiscard]] const Recovery* recoverable() const;
    // Whether the file was written after the recovered text began to differ from it: what is on the disk is then
    // not what was edited.
    [[nodiscard]] bool savedSince(const JournalText& text) const;
    // As last read or written; null: no such file is open.
    [[nodiscard]] const std::string* savedText(std::string_view file) const;
    // Puts the texts of one in as one undoable step, unsaved.
    Result<void> recover(const QString& path);
    Result<void> recover(); // the newest
    void discardRecovery(const QString& path);
    void discardRecovery(); // the newest
    // Writes the journal now instead of within a second.
    void flushJournal();

signals:
    // Another set of files is open, or none. Texts before this are gone.
    void opened();
    void closed();
    void filesChanged();
    // In the convention of TextEdit: offsets into the text before, ascending. Emitted after the text changed;
    // a slot must not edit, undo or redo.
    void textChanged(const std::string& file, const std::vector<sbx::ui::TextEdit>& edits);
    void dirtyChanged(bool dirty);
    void fileDirtyChanged(const std::string& file, bool dirty);
    void saved(const std::string& file);
    void externalChange(const std::string& file, sbx::ui::ExternalChange change);
    void recoveryAvailable();
    // What an earlier run left cannot be read; it was set aside under this path.
    void recoveryUnreadable(const QString& path);
    void recoveriesChanged();
    // Unsaved work is not journalled, for this reason: a crash would lose it. And: it is again.
    void journalFailed(const QString& reason);
    void journalWritten();

private:
    struct File;
    class EditCommand;

    [[nodiscard]] File* find(std::string_view file) const;
    [[nodiscard]] const EditCommand* lastEdit() const; // null: the last step is none, or there is none
    Result<void> edit(std::vector<FileEdit> edits, const QString& label, const QString& mergeKey, std::unique_ptr<BesideStep> beside);
    void push(EditCommand* command);
    void apply(File& file, const std::vector<TextEdit>& edits);
    // Another revision, in which everything may be another.
    void restructured();
    void updateDirty(File& file);
    [[nodiscard]] std::optional<SaveFault> write(File& file, SaveMode mode);
    void afterSave();
    // Whether an earlier run left unsaved work in that file of that project.
    [[nodiscard]] bool hasRecovery(const QString& folder, const std::string& file) const;
    void startJournal();
    void watch();
    void checkDisk();

    QString m_stateFolder;
    QString m_folder;
    std::vector<std::unique_ptr<File>> m_files;
    std::vector<std::unique_ptr<File>> m_parked; // released, but undo steps may refer to them
    QUndoStack m_undo;
    UndoOrder m_order{m_undo};
    QFileSystemWatcher m_watcher;
    QTimer m_diskTimer;
    std::unique_ptr<Journal> m_journal;
    std::uint64_t m_revision = 0;
    std::uint64_t m_structureRevision = 0;
    mutable std::unique_ptr<definition::PlaceIndex> m_places; // of the scene as it is; null: not needed since it changed
    std::uint64_t m_mergeRun = 0;
    bool m_cancelling = false; // the step that is undone now is to leave no trace
    std::vector<SaveFault> m_saveFaults;
    int m_changes = 0; // since the last save
    bool m_dirty = false;
    bool m_telling = false;
};

} // namespace sbx::ui
