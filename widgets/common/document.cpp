#include "widgets/common/document.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>

#include "engine/core/user_folders.h"
#include "engine/definition/toml_document.h"
#include "widgets/common/document_command.h"
#include "widgets/common/document_files.h"
#include "widgets/common/journal.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

Error failure(std::string message, const std::string& file = {}) {
    return Error{std::move(message), file, {}};
}

std::ptrdiff_t lineEnds(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

std::ptrdiff_t moreLines(const std::vector<TextEdit>& edits) {
    std::ptrdiff_t more = 0;
    for (const TextEdit& edit : edits)
        more += lineEnds(edit.inserted) - lineEnds(edit.removed);
    return more;
}

QByteArray hashOf(const std::string& text) {
    return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha1);
}

} // namespace

Document::Document(QString stateFolder, QObject* parent)
    : QObject(parent),
      m_stateFolder(stateFolder.isEmpty() ? QString::fromStdString(UserFolders::ofUser().state.string())
                                          : std::move(stateFolder)) {
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_diskTimer, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_diskTimer, qOverload<>(&QTimer::start));
    // Programs write in several steps: look when it is quiet.
    m_diskTimer.setSingleShot(true);
    m_diskTimer.setInterval(150);
    connect(&m_diskTimer, &QTimer::timeout, this, &Document::checkDisk);
}

// Unsaved work at this point was neither saved nor closed: the journal stays for the next start.
Document::~Document() {
    m_undo.disconnect(this);
    if (m_journal)
        m_journal->flush();
}

Result<void> Document::open(const QString& folder, const std::vector<DocumentFile>& files) {
    const QString absolute = QFileInfo(folder).absoluteFilePath();
    std::vector<std::unique_ptr<File>> opened;
    for (const DocumentFile& wanted : files) {
        auto file = std::make_unique<File>();
        file->name = wanted.file;
        file->role = wanted.role;
        file->path = QDir::cleanPath(QDir(absolute).absoluteFilePath(QString::fromStdString(wanted.file)));
        Result<std::string> bytes = readBytes(file->path);
        if (bytes)
            file->text = file->saved = std::move(*bytes);
        else if (!QFileInfo::exists(file->path) && hasRecovery(absolute, wanted.file))
            file->missing = true; // saving writes what is recovered
        else
            return bytes.error();
        opened.push_back(std::move(file));
    }
    if (opened.empty())
        return failure("a project without files cannot be opened", absolute.toStdString());
    close();
    m_folder = absolute;
    m_files = std::move(opened);
    m_changes = 0;
    startJournal();
    watch();
    restructured();
    emit this->opened();
    for (const auto& file : m_files)
        if (file->missing)
            updateDirty(*file);
    if (recoverable() != nullptr)
        emit recoveryAvailable();
    for (const QString& path : m_journal->unreadable())
        emit recoveryUnreadable(path);
    return {};
}

bool Document::hasRecovery(const QString& folder, const std::string& file) const {
    const auto holds = [&](const std::vector<Recovery>& recoveries) {
        return std::any_of(recoveries.begin(), recoveries.end(), [&](const Recovery& recovery) {
            return std::any_of(recovery.texts.begin(), recovery.texts.end(),
                               [&](const JournalText& text) { return text.file == file; });
        });
    };
    if (m_journal && folder == m_folder)
        return holds(m_journal->recoveries());
    return holds(Journal(m_stateFolder, folder, [] { return Recovery{}; }).recoveries());
}

void Document::startJournal() {
    m_journal.reset(); // the lock first
    m_journal = std::make_unique<Journal>(m_stateFolder, m_folder, [this] {
        Recovery recovery;
        recovery.changes = m_changes;
        for (const auto& file : m_files)
            if (file->dirty)
                recovery.texts.push_back({file->name, file->text, hashOf(file->saved)});
        return recovery;
    });
    // A run that was killed between saving and clearing its journal left nothing to recover.
    for (const Recovery& recovery : recoveries())
        if (std::all_of(recovery.texts.begin(), recovery.texts.end(), [this](const JournalText& text) {
                const std::string* saved = savedText(text.file);
                return saved != nullptr && *saved == text.text;
            }))
            m_journal->discardRecovery(recovery.path);
    connect(m_journal.get(), &Journal::failed, this, &Document::journalFailed);
    connect(m_journal.get(), &Journal::writtenAgain, this, &Document::journalWritten);
}

Result<void> Document::addFile(const DocumentFile& wanted) {
    if (find(wanted.file) != nullptr)
        return {};
    auto file = std::make_unique<File>();
    file->name = wanted.file;
    file->role = wanted.role;
    file->path = QDir::cleanPath(QDir(m_folder).absoluteFilePath(QString::fromStdString(wanted.file)));
    Result<std::string> bytes = readBytes(file->path);
    if (!bytes)
        return bytes.error();
    file->text = file->saved = std::move(*bytes);
    // Undo steps may still refer to it: a file let go earlier comes back as the same object.
    const auto parked = std::find_if(m_parked.begin(), m_parked.end(),
                                     [&](const auto& other) { return other->path == file->path; });
    const std::string disk = file->text;
    const bool again = parked != m_parked.end();
    if (again) {
        file = std::move(*parked);
        m_parked.erase(parked);
        file->role = wanted.role;
    }
    File& added = *file;
    m_files.push_back(std::move(file));
    if (again) {
        const bool ours = added.text != added.saved;
        added.saved = disk;
        if (!ours && added.text != disk)
            push(new EditCommand(*this, {{&added, difference(added.text, disk)}},
                                 tr("Reload %1").arg(QString::fromStdString(wanted.file)), {}, m_mergeRun));
        updateDirty(added);
    }
    watch();
    restructured();
    emit filesChanged();
    return {};
}

Result<void> Document::removeFile(const std::string& name) {
    const auto it =
        std::find_if(m_files.begin(), m_files.end(), [&](const auto& file) { return file->name == name; });
    if (it == m_files.end())
        return failure("is not open", name);
    if ((*it)->dirty)
        return failure("has unsaved changes", name);
    m_parked.push_back(std::move(*it));
    m_files.erase(it);
    watch();
    restructured();
    emit filesChanged();
    return {};
}

void Document::close() {
    if (!isOpen())
        return;
    if (m_journal)
        m_journal->clear();
    m_journal.reset();
    m_undo.clear();
    m_order.forget();
    m_files.clear();
    m_parked.clear();
    m_folder.clear();
    watch();
    restructured();
    if (std::exchange(m_dirty, false))
        emit dirtyChanged(false);
    emit closed();
}

std::vector<DocumentFile> Document::files() const {
    std::vector<DocumentFile> list;
    for (const auto& file : m_files)
        list.push_back({file->name, file->role});
    return list;
}

std::string Document::file(FileRole role) const {
    for (const auto& file : m_files)
        if (file->role == role)
            return file->name;
    return {};
}

Document::File* Document::find(std::string_view name) const {
    for (const auto& file : m_files)
        if (file->name == name)
            return file.get();
    return nullptr;
}

bool Document::contains(std::string_view name) const { return find(name) != nullptr; }

const std::string& Document::text(std::string_view name) const {
    const File* file = find(name);
    SBX_EXPECT(file != nullptr, "text of a file that is not open");
    return file->text;
}

QString Document::path(std::string_view name) const {
    const File* file = find(name);
    return file != nullptr ? file->path : QString();
}

std::string Document::fileAt(const QString& path) const {
    const QString clean = QDir::cleanPath(QDir(m_folder).absoluteFilePath(path));
    const QString canonical = QFileInfo(clean).canonicalFilePath();
    for (const auto& file : m_files)
        if (file->path == clean
            || (!canonical.isEmpty() && QFileInfo(file->path).canonicalFilePath() == canonical))
            return file->name;
    return {};
}

Result<void> Document::edit(EditRequest request) {
    std::vector<FileEdit> edits;
    edits.push_back({std::move(request.file), std::move(request.edits)});
    return edit(std::move(edits), request.label, request.mergeKey);
}

Result<void> Document::edit(std::vector<FileEdit> edits, const QString& label, const QString& mergeKey) {
    return edit(std::move(edits), label, mergeKey, nullptr);
}

Result<void> Document::edit(std::vector<FileEdit> edits, const QString& label, std::unique_ptr<BesideStep> beside) {
    return edit(std::move(edits), label, {}, std::move(beside));
}

Result<void> Document::edit(std::vector<FileEdit> edits, const QString& label, const QString& mergeKey,
                            std::unique_ptr<BesideStep> beside) {
    std::vector<EditCommand::Batch> batches;
    for (FileEdit& request : edits) {
        File* file = find(request.file);
        if (file == nullptr)
            return failure("is not open", request.file);
        if (std::any_of(batches.begin(), batches.end(),
                        [file](const auto& batch) { return batch.file == file; }))
            return failure("named twice in one edit", request.file);
        std::erase_if(request.edits, [](const TextEdit& e) { return e.removed == e.inserted; });
        std::stable_sort(request.edits.begin(), request.edits.end(),
                         [](const TextEdit& a, const TextEdit& b) { return a.offset < b.offset; });
        std::size_t end = 0;
        std::size_t size = file->text.size(); // afterwards
        for (const TextEdit& e : request.edits) {
            if (e.offset < end)
                return failure("edits overlap", request.file);
            if (e.offset > file->text.size()
                || file->text.compare(e.offset, e.removed.size(), e.removed) != 0)
                return failure("the text to be replaced is not there any more", request.file);
            end = e.offset + e.removed.size();
            size += e.inserted.size() - e.removed.size();
        }
        // What the engine would refuse to read never becomes the text: world and text would part.
        if (size > definition::MaximumTextBytes && size > file->text.size())
            return failure("would have " + std::to_string(size) + " bytes; expected at most "
                               + std::to_string(definition::MaximumTextBytes) + "; nothing was changed",
                           request.file);
        // As many lines as bytes at most: of a shorter text they need not be counted.
        if (size > definition::MaximumTextLines)
            if (const std::ptrdiff_t more = moreLines(request.edits); more > 0)
                if (const std::ptrdiff_t lines = lineEnds(file->text) + more;
                    lines > static_cast<std::ptrdiff_t>(definition::MaximumTextLines))
                    return failure("would have " + std::to_string(lines) + " lines; expected at most "
                                       + std::to_string(definition::MaximumTextLines)
                                       + "; nothing was changed",
                                   request.file);
        if (!request.edits.empty())
            batches.push_back({file, std::move(request.edits)});
    }
    if (!batches.empty() || beside)
        push(new EditCommand(*this, std::move(batches), label, mergeKey, m_mergeRun, std::move(beside)));
    return {};
}

Result<void> Document::setText(const std::string& name, std::string_view text, const QString& label,
                               const QString& mergeKey) {
    const File* file = find(name);
    if (file == nullptr)
        return failure("is not open", name);
    return edit({FileEdit{name, difference(file->text, text)}}, label, mergeKey);
}

void Document::endMerge() { ++m_mergeRun; }

const Document::EditCommand* Document::lastEdit() const {
    return m_undo.index() > 0 ? dynamic_cast<const EditCommand*>(m_undo.command(m_undo.index() - 1))
                              : nullptr;
}

bool Document::isNextStepIn(FileRole role, bool redo) const {
    int at = redo ? m_undo.index() : m_undo.index() - 1;
    while (!redo && at >= 0 && m_undo.command(at)->isObsolete())
        --at;
    if (at < 0 || at >= m_undo.count())
        return false;
    const auto* step = dynamic_cast<const EditCommand*>(m_undo.command(at));
    return step != nullptr && step->changes(role);
}

void Document::push(EditCommand* command) {
    const EditCommand* last = lastEdit();
    m_order.beforePush(last != nullptr && last->continuedBy(*command));
    m_undo.push(command);
}

void Document::beginDrag() {
    endMerge();
    m_order.hold();
}

void Document::endDrag() {
    endMerge();
    m_order.release();
}

void Document::cancelDrag() {
    if (const EditCommand* last = lastEdit(); last != nullptr && last->isOfRun(m_mergeRun)) {
        m_cancelling = true;
        m_undo.undo();
        m_cancelling = false;
    }
    endDrag();
}

void Document::apply(File& file, const std::vector<TextEdit>& edits) {
    SBX_EXPECT(!m_telling, "edit, undo or redo from a slot of textChanged");
    definition::applyInPlace(file.text, edits);
    ++m_changes;
    const bool isScene = &file == find(this->file(FileRole::Scene));
    if (isScene && m_places && m_places->follow(edits, file.text, m_revision + 1))
        ++m_revision;
    else if (isScene)
        restructured();
    else
        m_structureRevision = ++m_revision;
    updateDirty(file);
    if (m_journal)
        m_journal->touch();
    if (find(file.name) != &file)
        return; // released meanwhile: no file has it any more
    m_telling = true;
    emit textChanged(file.name, edits);
    m_telling = false;
}

void Document::restructured() {
    m_structureRevision = ++m_revision;
    m_places.reset();
}

const definition::PlaceIndex* Document::places() const {
    const File* scene = find(file(FileRole::Scene));
    if (scene == nullptr)
        return nullptr;
    if (!m_places)
        m_places = std::make_unique<definition::PlaceIndex>(scene->text);
    return m_places.get();
}

void Document::updateDirty(File& file) {
    const bool dirty = file.missing || file.text != file.saved;
    if (std::exchange(file.dirty, dirty) != dirty)
        emit fileDirtyChanged(file.name, dirty);
    const bool any = std::any_of(m_files.begin(), m_files.end(), [](const auto& f) { return f->dirty; });
    if (std::exchange(m_dirty, any) != any)
        emit dirtyChanged(any);
}

bool Document::isDirty() const { return m_dirty; }

bool Document::isDirty(std::string_view name) const {
    const File* file = find(name);
    return file != nullptr && file->dirty;
}

std::optional<SaveFault> Document::write(File& file, SaveMode mode) {
    if (mode == SaveMode::RefuseIfChangedOnDisk) {
        const Result<std::string> disk = readBytes(file.path);
        if (disk && *disk != file.saved)
            return SaveFault{
                file.name, "changed on disk since it was read: reload it, or save anyway to overwrite", true};
    }
    if (const Result<void> written = writeBytes(file.path, file.text); !written)
        return SaveFault{file.name, written.error().message, false};
    file.saved = file.text;
    file.missing = false;
    file.askedAbout.clear();
    updateDirty(file);
    return std::nullopt;
}

Result<void> Document::save(SaveMode mode) {
    m_saveFaults.clear();
    for (const auto& file : m_files) {
        if (!file->dirty)
            continue;
        if (std::optional<SaveFault> fault = write(*file, mode); fault)
            m_saveFaults.push_back(std::move(*fault));
        else
            emit saved(file->name);
    }
    afterSave();
    std::string faults;
    for (const SaveFault& fault : m_saveFaults)
        faults += (faults.empty() ? "" : "\n") + fault.file + ": " + fault.reason;
    if (!faults.empty())
        return failure(faults);
    return {};
}

Result<void> Document::save(const std::string& name, SaveMode mode) {
    File* file = find(name);
    if (file == nullptr)
        return failure("is not open", name);
    if (const std::optional<SaveFault> fault = write(*file, mode); fault)
        return failure(fault->reason, fault->file);
    afterSave();
    emit saved(name);
    return {};
}

void Document::afterSave() {
    endMerge(); // what comes now is a new step, so that the saved one can be reached again
    if (!m_dirty) {
        m_undo.setClean();
        m_changes = 0;
        if (m_journal)
            m_journal->clear();
    } else if (m_journal) {
        m_journal->touch();
    }
    watch();
}

Result<void> Document::saveProjectAs(const QString& folder) {
    const QString target = QFileInfo(folder).absoluteFilePath();
    if (Result<void> copied = copyProject(m_folder, target); !copied)
        return copied;
    // All texts first, so that a failure leaves us where we were.
    for (const auto& file : m_files) {
        if (QDir::isAbsolutePath(QString::fromStdString(file->name)))
            continue;
        const QString path =
            QDir::cleanPath(QDir(target).absoluteFilePath(QString::fromStdString(file->name)));
        if (Result<void> written = writeBytes(path, file->text); !written)
            return written;
    }
    if (m_journal)
        m_journal->clear();
    m_folder = target;
    for (const auto& file : m_files) {
        if (QDir::isAbsolutePath(QString::fromStdString(file->name)))
            continue;
        file->path = QDir::cleanPath(QDir(target).absoluteFilePath(QString::fromStdString(file->name)));
        file->saved = file->text;
        file->missing = false;
        updateDirty(*file);
    }
    startJournal();
    afterSave();
    emit filesChanged();
    for (const DocumentFile& file : files())
        emit saved(file.file);
    return {};
}

Result<void> Document::saveSceneAs(const QString& path) {
    File* scene = find(file(FileRole::Scene));
    if (scene == nullptr)
        return failure("no scene is open");
    const QString target = QDir::cleanPath(QDir(m_folder).absoluteFilePath(path));
    if (target == scene->path)
        return save(scene->name, SaveMode::Overwrite);
    if (const std::string other = fileAt(target); !other.empty())
        return failure("is open in this project as something else", other);
    if (Result<void> written = writeBytes(target, scene->text); !written)
        return written;
    const QString relative = QDir(m_folder).relativeFilePath(target);
    scene->name = relative.startsWith(QLatin1String("../")) ? target.toStdString() : relative.toStdString();
    scene->path = target;
    scene->saved = scene->text;
    scene->missing = false;
    updateDirty(*scene);
    afterSave();
    restructured();
    emit filesChanged();
    emit saved(scene->name);
    return {};
}

Result<void> Document::reload(const std::string& name) {
    File* file = find(name);
    if (file == nullptr)
        return failure("is not open", name);
    Result<std::string> bytes = readBytes(file->path);
    if (!bytes)
        return bytes.error();
    file->saved = *bytes;
    file->missing = false;
    file->askedAbout.clear();
    endMerge();
    if (Result<void> result = edit({FileEdit{name, difference(file->text, *bytes)}},
                                   tr("Reload %1").arg(QString::fromStdString(name)));
        !result)
        return result;
    updateDirty(*file);
    afterSave();
    return {};
}

void Document::keepMine(const std::string& name) {
    File* file = find(name);
    if (file == nullptr)
        return;
    if (Result<std::string> bytes = readBytes(file->path); bytes)
        file->saved = std::move(*bytes);
    else
        file->missing = true; // saving brings it back
    file->askedAbout.clear();
    updateDirty(*file);
    if (m_journal)
        m_journal->touch();
}

std::vector<Recovery> Document::recoveries() const {
    return m_journal ? m_journal->recoveries() : std::vector<Recovery>();
}

const Recovery* Document::recoverable() const {
    return m_journal && !m_journal->recoveries().empty() ? &m_journal->recoveries().front() : nullptr;
}

const std::string* Document::savedText(std::string_view name) const {
    const File* file = find(name);
    return file != nullptr ? &file->saved : nullptr;
}

bool Document::savedSince(const JournalText& text) const {
    const std::string* saved = savedText(text.file);
    return saved != nullptr && hashOf(*saved) != text.baseHash;
}

Result<void> Document::recover() {
    const Recovery* recovery = recoverable();
    return recovery != nullptr ? recover(recovery->path) : failure("nothing to recover");
}

Result<void> Document::recover(const QString& path) {
    std::vector<FileEdit> edits;
    bool whole = true; // every file of it is open here
    for (const Recovery& recovery : recoveries()) {
        if (recovery.path != path)
            continue;
        for (const JournalText& text : recovery.texts) {
            if (const File* file = find(text.file))
                edits.push_back({text.file, difference(file->text, text.text)});
            else
                whole = false;
        }
    }
    if (edits.empty())
        return failure("nothing to recover");
    endMerge();
    if (Result<void> result = edit(std::move(edits), tr("Recover unsaved work")); !result)
        return result;
    // Ours first: a kill between the two must find one or the other. On a full disk there is none of ours: it stays.
    const bool safe = !m_journal || m_journal->flush();
    if (whole && safe)
        discardRecovery(path);
    return {};
}

void Document::discardRecovery(const QString& path) {
    if (!m_journal)
        return;
    m_journal->discardRecovery(path);
    emit recoveriesChanged();
}

void Document::discardRecovery() {
    if (const Recovery* recovery = recoverable())
        discardRecovery(QString(recovery->path));
}

void Document::flushJournal() {
    if (m_journal)
        m_journal->flush();
}

void Document::watch() {
    const QStringList old = m_watcher.files() + m_watcher.directories();
    if (!old.isEmpty())
        m_watcher.removePaths(old);
    QStringList paths;
    for (const auto& file : m_files) {
        // The folder too: a program that renames a new file over the old one ends the watch of the file.
        for (const QString& path : {file->path, QFileInfo(file->path).absolutePath()})
            if (!paths.contains(path) && QFileInfo::exists(path))
                paths.append(path);
    }
    if (!paths.isEmpty())
        m_watcher.addPaths(paths);
}

void Document::checkDisk() {
    struct Found {
        std::string name;
        ExternalChange change;
    };
    std::vector<Found> found;
    for (const auto& file : m_files) {
        const Result<std::string> disk = readBytes(file->path);
        if (!disk) {
            if (!QFileInfo::exists(file->path) && !std::exchange(file->missing, true)) {
                updateDirty(*file);
                found.push_back({file->name, ExternalChange::Removed});
            }
            continue;
        }
        const bool wasMissing = std::exchange(file->missing, false);
        if (wasMissing)
            updateDirty(*file);
        if (*disk == file->saved) {
            if (wasMissing || !file->askedAbout.empty())
                found.push_back({file->name, ExternalChange::Settled});
            file->askedAbout.clear();
        } else if (wasMissing || *disk != file->askedAbout) {
            file->askedAbout = *disk; // one question for one change
            found.push_back({file->name, ExternalChange::Changed});
        }
    }
    watch();
    for (const Found& f : found)
        emit externalChange(f.name, f.change);
}

} // namespace sbx::ui

#include "moc_document.cpp"
