#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/definition/toml_document.h"
#include "tests/common/document_fixture.h"
#include "tests/small_disk.h"

#include <map>
#include <random>

using namespace sbx;
using namespace sbx::ui;

namespace {

// Listens as a text view would: its copy must always be the document's text.
class Mirror : public QObject {
    Q_OBJECT

public:
    explicit Mirror(Document& document) : m_document(document) {
        for (const DocumentFile& file : document.files())
            texts[file.file] = document.text(file.file);
        connect(&document, &Document::textChanged, this, &Mirror::apply);
    }
    void apply(const std::string& file, const std::vector<sbx::ui::TextEdit>& edits) {
        std::string& text = texts[file];
        std::string next;
        std::size_t from = 0;
        for (const TextEdit& edit : edits) {
            QVERIFY(edit.offset >= from);
            QCOMPARE(text.substr(edit.offset, edit.removed.size()), edit.removed);
            next += text.substr(from, edit.offset - from) + edit.inserted;
            from = edit.offset + edit.removed.size();
        }
        text = next + text.substr(from);
        QCOMPARE(text, m_document.text(file));
    }
    std::map<std::string, std::string> texts;

private:
    Document& m_document;
};

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void loadAndSaveWithoutAnEditIsByteIdentical() {
        Fixture f;
        QCOMPARE(f->text("entities.toml"), Entities);
        QVERIFY(!f->isDirty());
        QVERIFY(f->save().ok());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), Entities);
        QCOMPARE(get(f.at(QStringLiteral("yard.scene.toml"))), Scene);
        QCOMPARE(f->file(FileRole::Scene), std::string("yard.scene.toml"));
        QCOMPARE(f->fileAt(f.at(QStringLiteral("entities.toml"))), std::string("entities.toml"));
        QCOMPARE(f->fileAt(QStringLiteral("./meshes/../entities.toml")), std::string("entities.toml"));
    }

    void bytesThatAreNotUtf8Stay() {
        Fixture f;
        const std::string odd("a\0b\xff\xfe\r\n\n\r", 9);
        put(f.at(QStringLiteral("entities.toml")), odd);
        f.reopen();
        QVERIFY(f->edit(replace("entities.toml", 0, "a", "c")).ok());
        QVERIFY(f->save().ok());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), std::string("c") + odd.substr(1));
    }

    void randomEditsUndoAndRedoToTheByte_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 20; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    void randomEditsUndoAndRedoToTheByte() {
        QFETCH(unsigned, seed);
        Fixture f;
        Mirror mirror(*f.document);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) {
            return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
        };
        const std::vector<std::string> words{
            "", "x", "mass = 7.5", "\n", "\r\n[Ball]\n", "\xc3\xa9\xf0\x9f\x8e\x88", std::string("\0", 1)};
        const std::vector<std::string> names{"project.toml", "entities.toml", "yard.scene.toml"};
        std::map<std::string, std::string> model;
        for (const std::string& name : names)
            model[name] = f->text(name);
        const std::map<std::string, std::string> start = model;
        for (int step = 0; step < 120; ++step) {
            // One or two files, one to three places each, sometimes merging.
            std::vector<FileEdit> edits;
            const std::size_t first = below(3);
            for (std::size_t k = 0; k < 1 + below(2); ++k) {
                FileEdit edit{names[(first + k) % 3], {}};
                std::string& text = model[edit.file];
                std::string next;
                std::size_t from = 0;
                for (std::size_t i = 0; i < 1 + below(3) && from <= text.size(); ++i) {
                    const std::size_t offset = from + below(text.size() - from + 1);
                    const std::size_t length = below(std::min<std::size_t>(text.size() - offset, 12) + 1);
                    const std::string& word = words[below(words.size())];
                    edit.edits.push_back({offset, text.substr(offset, length), word});
                    next += text.substr(from, offset - from) + word;
                    from = offset + length;
                    if (length == 0)
                        break; // two insertions at one place have no order
                }
                text = next + text.substr(from);
                std::shuffle(edit.edits.begin(), edit.edits.end(), random);
                edits.push_back(std::move(edit));
            }
            const QString key = below(3) == 0 ? QStringLiteral("drag") : QString();
            QVERIFY(f->edit(std::move(edits), QStringLiteral("Random"), key).ok());
            if (below(4) == 0)
                f->endMerge();
            if (below(10) == 0 && f->undoStack().canUndo()) {
                f->undoStack().undo();
                f->undoStack().redo();
            }
            for (const std::string& name : names)
                QCOMPARE(f->text(name), model[name]);
        }
        while (f->undoStack().canUndo())
            f->undoStack().undo();
        for (const auto& [name, text] : start)
            QCOMPARE(f->text(name), text);
        QVERIFY(!f->isDirty());
        while (f->undoStack().canRedo())
            f->undoStack().redo();
        for (const auto& [name, text] : model) {
            QCOMPARE(f->text(name), text);
            QCOMPARE(mirror.texts[name], text);
        }
    }

    void aDragIsOneStep() {
        Fixture f;
        const std::size_t at = Entities.find("5.0");
        std::string now = "5.0";
        for (int i = 0; i < 50; ++i) {
            const std::string next = std::to_string(i) + ".5";
            QVERIFY(f->edit(replace("entities.toml", at, now, next, QStringLiteral("mass"))).ok());
            now = next;
        }
        f->endMerge();
        QCOMPARE(f->undoStack().count(), 1);
        QVERIFY(f->edit(replace("entities.toml", at, now, "1.0", QStringLiteral("mass"))).ok());
        QCOMPARE(f->undoStack().count(), 2);
        f->undoStack().undo();
        f->undoStack().undo();
        QCOMPARE(f->text("entities.toml"), Entities);
        f->undoStack().redo();
        QCOMPARE(f->text("entities.toml").substr(at, 4), std::string("49.5"));
    }

    void aDragBackToItsStartLeavesNoStep() {
        Fixture f;
        const std::size_t at = Entities.find("5.0");
        QVERIFY(f->edit(replace("entities.toml", at, "5.0", "6.25", QStringLiteral("mass"))).ok());
        QVERIFY(f->isDirty());
        QVERIFY(f->edit(replace("entities.toml", at, "6.25", "5.0", QStringLiteral("mass"))).ok());
        QCOMPARE(f->undoStack().count(), 0);
        QVERIFY(!f->isDirty());
    }

    void typingMergesUntilTheKeyOrTheRunChanges() {
        Fixture f;
        std::size_t at = Entities.size();
        for (const char c : std::string("abc"))
            QVERIFY(
                f->edit(replace("entities.toml", at++, "", std::string(1, c), QStringLiteral("type"))).ok());
        QCOMPARE(f->undoStack().count(), 1);
        QVERIFY(f->edit(replace("entities.toml", 0, "", "#", QStringLiteral("other"))).ok());
        QCOMPARE(f->undoStack().count(), 2);
    }

    void aStaleEditChangesNothing() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::textChanged);
        QVERIFY(!f->edit(replace("entities.toml", 0, "not there", "x")).ok());
        QVERIFY(!f->edit(replace("entities.toml", 100000, "", "x")).ok());
        QVERIFY(!f->edit(replace("nothing.toml", 0, "", "x")).ok());
        QVERIFY(!f->edit({"entities.toml", {{0, "# Ty", "x"}, {2, "Ty", "y"}}, QStringLiteral("Overlap"), {}})
                     .ok());
        // One good and one bad file: neither changes.
        QVERIFY(!f->edit({{"project.toml", {{0, "", "x"}}}, {"entities.toml", {{0, "??", ""}}}},
                         QStringLiteral("Both"))
                     .ok());
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "#")).ok());
        QCOMPARE(spy.count(), 0);
        QCOMPARE(f->undoStack().count(), 0);
        QVERIFY(!f->isDirty());
    }

    // What the engine would not read never becomes the text, whole or in part.
    void anEditBeyondTheLimitChangesNothing() {
        Fixture f;
        const std::size_t room = definition::MaximumTextBytes - Scene.size();
        QSignalSpy texts(f.document.get(), &Document::textChanged);
        const std::uint64_t revision = f->revision();
        const Result<void> refused =
            f->edit({{"entities.toml", {{0, "#", "##"}}}, {"yard.scene.toml", {{0, "", std::string(room + 1, '\n')}}}},
                    QStringLiteral("Duplicate 100000 entities"));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().file, std::string("yard.scene.toml"));
        QCOMPARE(refused.error().message, std::string("would have 67108865 bytes; expected at most 67108864; nothing was changed"));
        QCOMPARE(texts.count(), 0);
        QCOMPARE(f->revision(), revision);
        QCOMPARE(f->undoStack().count(), 0);
        QVERIFY(!f->isDirty());
        QCOMPARE(f->text("entities.toml"), Entities);
        QCOMPARE(f->text("yard.scene.toml"), Scene);
        // Up to it, and from it down.
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "", "\n#" + std::string(room - 3, 'x') + "\n")).ok());
        QVERIFY(!f->edit(replace("yard.scene.toml", 0, "", " ")).ok());
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "\n", " ")).ok());
        Diagnostics faults;
        QVERIFY(!definition::TomlDocument::parse(f->text("yard.scene.toml"), "yard.scene.toml", faults).isUnreadable());
        f->undoStack().setIndex(0);
        QVERIFY(!f->isDirty());
    }

    void linesHaveALimitToo() {
        Fixture f;
        const auto lines = static_cast<std::size_t>(std::count(Scene.begin(), Scene.end(), '\n'));
        const std::string room(definition::MaximumTextLines - lines, '\n');
        const Result<void> refused = f->edit(replace("yard.scene.toml", 0, "", room + "\n"));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().toString(), std::string("yard.scene.toml: error: would have 4000001 lines; "
                                                         "expected at most 4000000; nothing was changed"));
        QCOMPARE(f->text("yard.scene.toml"), Scene);
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "", room)).ok());
        QVERIFY(!f->edit(replace("yard.scene.toml", 0, "", "\n")).ok());
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "\n", " ")).ok()); // a line less
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "", "#")).ok());   // none more
        f->undoStack().setIndex(0);
        // Nor is it opened.
        put(f.at(QStringLiteral("yard.scene.toml")), std::string(definition::MaximumTextLines + 1, '\n'));
        const Result<void> opened = f->open(f.folder.path(), Files);
        QVERIFY(!opened.ok());
        QVERIFY2(
            opened.error().toString().ends_with(
                "yard.scene.toml:4000001:1: error: the file has 4000001 lines; expected at most 4000000"),
            opened.error().toString().c_str());
    }

    void setTextIsTheSmallestEditAndCutsNoCharacter() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::textChanged);
        std::string next = Entities;
        next.replace(next.find("\xc3\xa9"), 2, "\xc3\xa8");
        QVERIFY(f->setText("entities.toml", next, QStringLiteral("Type")).ok());
        QCOMPARE(f->text("entities.toml"), next);
        const auto edits = spy[0][1].value<std::vector<sbx::ui::TextEdit>>();
        QCOMPARE(edits.size(), std::size_t(1));
        QCOMPARE(edits[0].removed, std::string("\xc3\xa9"));
        QCOMPARE(edits[0].inserted, std::string("\xc3\xa8"));
    }

    void dirtyIsPerFileAndUndoCleans() {
        Fixture f;
        QSignalSpy dirty(f.document.get(), &Document::dirtyChanged);
        QSignalSpy fileDirty(f.document.get(), &Document::fileDirtyChanged);
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        QVERIFY(f->isDirty("entities.toml") && !f->isDirty("yard.scene.toml"));
        QCOMPARE(dirty.count(), 1);
        QVERIFY(f->save().ok());
        QVERIFY(!f->isDirty());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), "#" + Entities);
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "[", " [")).ok());
        f->undoStack().undo();
        QVERIFY(!f->isDirty());
        QVERIFY(f->undoStack().isClean());
        f->undoStack().undo(); // before the save: differs from disk again
        QVERIFY(f->isDirty("entities.toml"));
        f->undoStack().redo();
        QVERIFY(!f->isDirty());
        QCOMPARE(fileDirty.count() % 2, 0);
    }

    void aSavedStepIsNotMergedInto() {
        Fixture f;
        const std::size_t at = Entities.find("5.0");
        QVERIFY(f->edit(replace("entities.toml", at, "5.0", "6.0", QStringLiteral("mass"))).ok());
        QVERIFY(f->save().ok());
        QVERIFY(f->edit(replace("entities.toml", at, "6.0", "7.0", QStringLiteral("mass"))).ok());
        QCOMPARE(f->undoStack().count(), 2);
        f->undoStack().undo();
        QVERIFY(!f->isDirty());
    }

    void aFailedSaveLosesNothing() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "[", " [")).ok());
        // A folder where the file should be: cannot be written, whoever we are.
        QVERIFY(QFile::remove(f.at(QStringLiteral("entities.toml"))));
        QVERIFY(QDir().mkpath(f.at(QStringLiteral("entities.toml/inside"))));
        const Result<void> result = f->save();
        QVERIFY(!result.ok());
        QVERIFY(QString::fromStdString(result.error().message).contains(QStringLiteral("entities.toml")));
        QVERIFY(f->isDirty("entities.toml"));
        QVERIFY(!f->isDirty("yard.scene.toml")); // the others are saved
        QCOMPARE(get(f.at(QStringLiteral("yard.scene.toml"))), " " + Scene);
        QCOMPARE(f->text("entities.toml"), "#" + Entities);
    }

    // Of any size, also one that fits into a buffer: the old bytes stay, it is told, the work is still unsaved and journalled.
    void aFullDiskLosesNothing_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("a line") << 80;
        QTest::newRow("7 kB") << 6'900;
        QTest::newRow("29 kB") << 29'000;
        QTest::newRow("1 MB") << 1'000'000;
    }
    void aFullDiskLosesNothing() {
        QFETCH(int, size);
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "",
                                "#" + std::string(static_cast<std::size_t>(size), 'x') + "\n"))
                    .ok());
        f->flushJournal();
        const QStringList journals = QDir(f.state.path()).entryList({QStringLiteral("*.journal")});
        QCOMPARE(journals.size(), 1);
        const std::string journal = get(f.state.filePath(journals[0]));
        QSignalSpy saved(f.document.get(), &Document::saved);
        QSignalSpy failed(f.document.get(), &Document::journalFailed);
        {
            const sbx::test::SmallDisk disk(40);
            QVERIFY(!f->save().ok());
            QCOMPARE(f->saveFaults().size(), std::size_t{1});
            QCOMPARE(f->saveFaults()[0].file, std::string("entities.toml"));
            QVERIFY(!f->saveFaults()[0].changedOnDisk);
            // The state folder has no more room than the project's.
            QVERIFY(f->edit(replace("entities.toml", 0, "", "#")).ok());
            f->flushJournal();
            QTRY_COMPARE(failed.count(), 1);
        }
        QCOMPARE(saved.count(), 0);
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), Entities);
        QCOMPARE(get(f.state.filePath(journals[0])), journal);
        QVERIFY(f->isDirty());
        QVERIFY(!f->undoStack().isClean());
        QCOMPARE(QDir(f.folder.path()).entryList(QDir::Files | QDir::Hidden).size(),
                 3); // nothing half written is left
        QVERIFY(f->save().ok());
        QVERIFY(!f->isDirty());
        QVERIFY(f->saveFaults().empty());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), f->text("entities.toml"));
    }

    void noSilentOverwrite() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        put(f.at(QStringLiteral("entities.toml")), "theirs\n");
        QVERIFY(!f->save().ok());
        QVERIFY(f->saveFaults().size() == 1 && f->saveFaults()[0].changedOnDisk);
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), std::string("theirs\n"));
        QVERIFY(f->save(SaveMode::Overwrite).ok());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), "#" + Entities);
    }

    void externalChangeIsToldOnceAndReloadIsUndoable() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::externalChange);
        // As programs save: a new file renamed over the old.
        put(f.at(QStringLiteral("new")), "theirs\n");
        QVERIFY(QFile::remove(f.at(QStringLiteral("entities.toml"))));
        QVERIFY(QFile::rename(f.at(QStringLiteral("new")), f.at(QStringLiteral("entities.toml"))));
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].value<std::string>(), std::string("entities.toml"));
        // All files are looked at again when another changes: of the first nothing more is said.
        put(f.at(QStringLiteral("yard.scene.toml")), Scene + "\n");
        QTRY_COMPARE(spy.count(), 2);
        QCOMPARE(spy[1][0].value<std::string>(), std::string("yard.scene.toml"));
        QVERIFY(f->reload("yard.scene.toml").ok());
        spy.removeLast();
        QVERIFY(f->reload("entities.toml").ok());
        QCOMPARE(f->text("entities.toml"), std::string("theirs\n"));
        QVERIFY(!f->isDirty());
        f->undoStack().undo();
        QCOMPARE(f->text("entities.toml"), Entities);
        QVERIFY(f->isDirty());
        // Again, after the file was replaced: the watch goes on.
        put(f.at(QStringLiteral("entities.toml")), "theirs again\n");
        QTRY_COMPARE(spy.count(), 2);
        f->keepMine("entities.toml");
        QVERIFY(f->save().ok());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), Entities);
    }

    void ownSavesAreNoExternalChange() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::externalChange);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(f->edit(replace("entities.toml", 0, "", "#")).ok());
            QVERIFY(f->save().ok());
            // The files are looked at again: somebody else has written another one.
            put(f.at(QStringLiteral("yard.scene.toml")), Scene + std::to_string(i));
            QTRY_COMPARE(spy.count(), i + 1);
            QCOMPARE(spy[i][0].value<std::string>(), std::string("yard.scene.toml"));
            f->keepMine("yard.scene.toml");
        }
    }

    void aRemovedFileIsToldAndSavingBringsItBack() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::externalChange);
        QVERIFY(QFile::remove(f.at(QStringLiteral("entities.toml"))));
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy[0][1].value<sbx::ui::ExternalChange>(), ExternalChange::Removed);
        QVERIFY(f->isDirty("entities.toml"));
        QVERIFY(f->save().ok());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), Entities);
        QVERIFY(!f->isDirty());
    }

    // A question is withdrawn once the file on disk has the old text again.
    void whatIsOnTheDiskAgainIsSettled() {
        Fixture f;
        QSignalSpy spy(f.document.get(), &Document::externalChange);
        const QString path = f.at(QStringLiteral("entities.toml"));
        const auto last = [&] { return spy.last()[1].value<sbx::ui::ExternalChange>(); };
        QVERIFY(QFile::remove(path));
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(last(), ExternalChange::Removed);
        put(path, Entities);
        QTRY_COMPARE(spy.count(), 2);
        QCOMPARE(last(), ExternalChange::Settled);
        QVERIFY(!f->isDirty());
        QVERIFY(f->edit(replace("entities.toml", 0, "", "#")).ok());
        put(path, "theirs\n");
        QTRY_COMPARE(spy.count(), 3);
        QCOMPARE(last(), ExternalChange::Changed);
        put(path, Entities); // they took it back
        QTRY_COMPARE(spy.count(), 4);
        QCOMPARE(last(), ExternalChange::Settled);
        // Gone, and back as another text: it changed.
        QVERIFY(QFile::remove(path));
        QTRY_COMPARE(spy.count(), 5);
        put(path, "theirs\n");
        QTRY_COMPARE(spy.count(), 6);
        QCOMPARE(last(), ExternalChange::Changed);
    }

    void openFaultsAreClearAndKeepWhatWasOpen_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("missing") << QStringLiteral("missing");
        QTest::newRow("folder") << QStringLiteral("folder");
        QTest::newRow("huge") << QStringLiteral("huge");
    }
    void openFaultsAreClearAndKeepWhatWasOpen() {
        QFETCH(QString, kind);
        Fixture f;
        QTemporaryDir other;
        const QString path = other.filePath(QStringLiteral("project.toml"));
        if (kind == QLatin1String("folder"))
            QVERIFY(QDir().mkpath(path));
        if (kind == QLatin1String("huge")) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            QVERIFY(file.resize(100LL * 1024 * 1024));
        }
        const Result<void> result = f->open(other.path(), {{"project.toml", FileRole::Project}});
        QVERIFY(!result.ok());
        QCOMPARE(QString::fromStdString(result.error().file), path);
        QCOMPARE(f->text("entities.toml"), Entities);
    }

    void saveProjectAsCopiesEverythingAndLeavesTheOld() {
        Fixture f;
        QTemporaryDir target;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        const QString folder = target.filePath(QStringLiteral("copy"));
        const Result<void> result = f->saveProjectAs(folder);
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().toString().c_str());
        QCOMPARE(get(f.at(QStringLiteral("entities.toml"))), Entities);
        QCOMPARE(get(folder + QStringLiteral("/entities.toml")), "#" + Entities);
        QCOMPARE(get(folder + QStringLiteral("/meshes/crate.obj")), std::string("v 0 0 0\n"));
        QVERIFY(!f->isDirty());
        QCOMPARE(f->folder(), folder);
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "[", " [")).ok());
        QVERIFY(f->save().ok());
        QCOMPARE(get(f.at(QStringLiteral("yard.scene.toml"))), Scene);
        // Undo goes on across it.
        f->undoStack().undo();
        f->undoStack().undo();
        QCOMPARE(f->text("entities.toml"), Entities);
        // Not into itself, not over something.
        QVERIFY(!f->saveProjectAs(folder + QStringLiteral("/inner")).ok());
        QVERIFY(!f->saveProjectAs(f.folder.path()).ok());
    }

    // Of an asset that fits into a buffer, too: nothing is called saved that is not on the disk.
    void saveProjectAsOnAFullDiskStaysWhereItWas() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        put(f.at(QStringLiteral("meshes/crate.obj")), std::string(6'900, 'v'));
        QTemporaryDir other;
        const QString target = other.filePath(QStringLiteral("copy"));
        QSignalSpy saved(f.document.get(), &Document::saved);
        {
            const sbx::test::SmallDisk full(1'000); // the texts have room
            const Result<void> result = f->saveProjectAs(target);
            QVERIFY(!result.ok());
            QVERIFY2(result.error().file.ends_with("crate.obj"), result.error().file.c_str());
        }
        QCOMPARE(saved.count(), 0);
        QCOMPARE(f->folder(), QFileInfo(f.folder.path()).absoluteFilePath());
        QVERIFY(f->isDirty());
        QVERIFY(!QFile::exists(target + QStringLiteral("/meshes/crate.obj")));
    }

    void saveSceneAsGoesOnWithTheNewFile() {
        Fixture f;
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "[", " [")).ok());
        QVERIFY(f->saveSceneAs(QStringLiteral("night.scene.toml")).ok());
        QCOMPARE(get(f.at(QStringLiteral("night.scene.toml"))), " " + Scene);
        QCOMPARE(get(f.at(QStringLiteral("yard.scene.toml"))), Scene);
        QCOMPARE(f->file(FileRole::Scene), std::string("night.scene.toml"));
        f->undoStack().undo();
        QCOMPARE(f->text("night.scene.toml"), Scene);
        QVERIFY(f->isDirty());
        QVERIFY(!f->saveSceneAs(QStringLiteral("entities.toml")).ok());
    }

    // What undo and redo would change next is known before.
    void theNextStepIsKnownByItsFiles() {
        Fixture f;
        QVERIFY(!f->isNextStepIn(FileRole::Scene, false) && !f->isNextStepIn(FileRole::Scene, true));
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        QVERIFY(f->edit(replace("yard.scene.toml", 0, "[", " [")).ok());
        QVERIFY(f->isNextStepIn(FileRole::Scene, false) && !f->isNextStepIn(FileRole::Definitions, false));
        f->undoStack().undo();
        QVERIFY(f->isNextStepIn(FileRole::Definitions, false) && f->isNextStepIn(FileRole::Scene, true));
        QVERIFY(!f->isNextStepIn(FileRole::Scene, false));
    }

    void filesComeAndGoWithTheirUndoSteps() {
        Fixture f;
        QVERIFY(f->edit(replace("entities.toml", 0, "#", "##")).ok());
        QVERIFY(!f->removeFile("entities.toml").ok()); // unsaved
        QVERIFY(f->save().ok());
        QVERIFY(f->removeFile("entities.toml").ok());
        QVERIFY(!f->contains("entities.toml"));
        f->undoStack().undo(); // speaks of a file that is not open: nobody is disturbed
        QVERIFY(f->addFile({"entities.toml", FileRole::Definitions}).ok());
        QCOMPARE(f->text("entities.toml"), Entities);
        QVERIFY(f->isDirty("entities.toml"));
        f->undoStack().redo();
        QCOMPARE(f->text("entities.toml"), "#" + Entities);
        QVERIFY(!f->isDirty());
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tests/small_disk.h"
#include "tst_document.moc"
