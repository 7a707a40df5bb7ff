// The ring of backups: what the files were before each of the last saves, and back as one step of undo.

#include <QDir>
#include <QUndoStack>
#include <QtTest>

#include "tests/common/document_fixture.h"
#include "widgets/common/backups.h"

using namespace sbx;
using namespace sbx::ui;

class TestBackups : public QObject {
    Q_OBJECT

private:
    // As the window saves.
    static void save(Fixture& project, Backups& backups, int most = Backups::DefaultMost) {
        QVERIFY(backups.keep(most).ok());
        QVERIFY(project->save(SaveMode::Overwrite).ok());
    }
    static void edit(Fixture& project, const std::string& file, const std::string& line) {
        QVERIFY(project->edit(replace(file, 0, "", line + "\n")).ok());
        project->endMerge();
    }

private slots:
    void eachSaveKeepsWhatWasThere() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        QVERIFY(backups.list().empty());
        edit(project, "yard.scene.toml", "# 1");
        save(project, backups);
        edit(project, "yard.scene.toml", "# 2");
        edit(project, "entities.toml", "# 2");
        save(project, backups);
        const std::vector<Backup> list = backups.list();
        QCOMPARE(list.size(), std::size_t(2));
        QCOMPARE(list[1].files, QStringList({"yard.scene.toml"}));
        QCOMPARE(list[1].bytes, static_cast<std::int64_t>(Scene.size()));
        QCOMPARE(list[0].files, QStringList({"entities.toml", "yard.scene.toml"}));
        QVERIFY(list[1].time <= list[0].time);
        // Another project has its own.
        Fixture other;
        Backups others(project.state.path(), *other.document);
        QVERIFY(others.list().empty());
    }

    void restoringIsOneStepOfUndo() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# 1");
        edit(project, "entities.toml", "# 1");
        save(project, backups);
        const std::string saved = project->text("entities.toml");
        const int steps = project->undoStack().count();
        QVERIFY(backups.restore(backups.list().front()).ok());
        QCOMPARE(project->text("yard.scene.toml"), Scene);
        QCOMPARE(project->text("entities.toml"), Entities); // every byte: mixed line ends and UTF-8
        QCOMPARE(project->undoStack().count(), steps + 1);
        QVERIFY(project->isDirty());
        QCOMPARE(get(project.at(QStringLiteral("entities.toml"))), saved); // the disk is as it was
        project->undoStack().undo();
        QCOMPARE(project->text("entities.toml"), saved);
        QVERIFY(!project->isDirty());
    }

    void onlyTheNewestStay() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        for (int i = 0; i < 6; ++i) {
            edit(project, "yard.scene.toml", "# " + std::to_string(i));
            save(project, backups, 3);
        }
        const std::vector<Backup> list = backups.list();
        QCOMPARE(list.size(), std::size_t(3));
        QVERIFY(backups.restore(list.back()).ok());
        QCOMPARE(project->text("yard.scene.toml"), "# 2\n# 1\n# 0\n" + Scene);
        edit(project, "yard.scene.toml", "# 7");
        save(project, backups, 0); // switched off: those that are there go
        QVERIFY(backups.list().empty());
    }

    // What another program wrote meanwhile is what is overwritten.
    void theDiskCountsNotTheMemory() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# ours");
        put(project.at(QStringLiteral("yard.scene.toml")), "# theirs\n");
        save(project, backups);
        QVERIFY(backups.restore(backups.list().front()).ok());
        QCOMPARE(project->text("yard.scene.toml"), std::string("# theirs\n"));
    }

    void aSaveThatIsTriedAgainMakesNoSecondBackup() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# 1");
        QVERIFY(backups.keep(10).ok());
        QVERIFY(backups.keep(10).ok());
        QCOMPARE(backups.list().size(), std::size_t(1));
    }

    void whatCannotBeWrittenIsSaid() {
        Fixture project;
        put(project.state.filePath(QStringLiteral("backups")), "a file where the folder should be");
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# 1");
        const Result<void> kept = backups.keep(10);
        QVERIFY(!kept.ok());
        QVERIFY(!kept.error().message.empty());
        QVERIFY(backups.list().empty());
    }

    void aFileThatIsNoMorePartOfTheProjectIsLeftOut() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# 1");
        edit(project, "entities.toml", "# 1");
        save(project, backups);
        QVERIFY(project->removeFile("entities.toml").ok());
        QStringList leftOut;
        QVERIFY(backups.restore(backups.list().front(), &leftOut).ok());
        QCOMPARE(leftOut, QStringList({"entities.toml"}));
        QCOMPARE(project->text("yard.scene.toml"), Scene);
    }

    // A folder that somebody put there, or a backup that was not finished.
    void whatIsNoBackupIsNotListed() {
        Fixture project;
        Backups backups(project.state.path(), *project.document);
        edit(project, "yard.scene.toml", "# 1");
        save(project, backups);
        const QDir folder = QFileInfo(backups.list().front().folder).dir();
        QVERIFY(folder.mkpath(QStringLiteral("unfinished")));
        put(folder.filePath(QStringLiteral("unfinished/yard.scene.toml")), "half");
        QVERIFY(folder.mkpath(QStringLiteral("20200101T000000.000")));
        QCOMPARE(backups.list().size(), std::size_t(1));
    }
};

QTEST_MAIN(TestBackups)
#include "tst_backups.moc"
