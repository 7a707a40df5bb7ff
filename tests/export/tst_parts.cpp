// The parts of an export by themselves: names, texts, run paths of programs, archives.

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "app/common/exported_game.h"
#include "app/export/elf_file.h"
#include "app/export/export_texts.h"
#include "app/export/export_writer.h"
#include "app/export/needed_libraries.h"
#include "app/export/project_files.h"
#include "tests/folders.h"

#include <filesystem>
#include <fstream>

using namespace sbx;
using namespace sbx::app;

namespace {

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

} // namespace

class TestParts : public QObject {
    Q_OBJECT

private slots:
    // A project that was configured in its own folder keeps its files; folders that were built in are left out.
    void whatCMakeWroteStaysBehind() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        for (const char* name : {"project.toml", "main.scene.toml", "meshes/a.obj", "CMakeCache.txt", "CMakeFiles/x.json", "build/CMakeCache.txt", "build/y.toml"})
            put(folder / name, "x");
        const auto files = projectFiles(folder, {});
        QVERIFY2(files.ok(), files ? "" : files.error().toString().c_str());
        QStringList names;
        for (const ProjectFile& file : *files)
            names << QString::fromStdString(file.name);
        QCOMPARE(names, (QStringList{"main.scene.toml", "meshes/a.obj", "project.toml"}));
    }
    // What is there is never taken for an unfinished export of one's own.
    void onlyItsOwnIsRemoved() {
        QTemporaryDir dir;
        const std::filesystem::path target = std::filesystem::path(dir.path().toStdString()) / "Game";
        std::string part;
        {
            const auto first = ExportWriter::folder(target);
            QVERIFY(first.ok());
            for (const auto& each : std::filesystem::directory_iterator(dir.path().toStdString()))
                part = each.path().string();
        } // cancelled
        QVERIFY(!part.empty() && !std::filesystem::exists(part));
        put(std::filesystem::path(part) / "mine.txt", "mine");
        QVERIFY(!ExportWriter::folder(target).ok());
        QCOMPARE(bytesOf(std::filesystem::path(part) / "mine.txt"), std::string("mine"));
    }
    void namesOfGames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("made");
        QTest::newRow("plain") << "Maze" << "Maze";
        QTest::newRow("spaces and letters") << QStringLiteral("Ein Höfchen 2") << QStringLiteral("Ein Höfchen 2");
        QTest::newRow("a path") << "../a/b" << "_a_b";
        QTest::newRow("hidden") << "...x" << "x";
        QTest::newRow("an option") << "--x" << "x";
        QTest::newRow("taken") << "bin" << "bin_";
        QTest::newRow("nothing left") << " .. " << "Game";
        QTest::newRow("long") << QString(99, u'x') + QStringLiteral("ö") << QString(99, u'x');
    }
    void namesOfGames() {
        QFETCH(QString, name);
        QFETCH(QString, made);
        QCOMPARE(QString::fromStdString(gameNameFor(name.toStdString())), made);
        QCOMPARE(gameNameFault(made.toStdString()), std::string());
        if (name != made)
            QVERIFY(!gameNameFault(name.toStdString()).empty());
    }
    // A name in the file becomes part of a path: one that leads elsewhere is none.
    void aTamperedNameIsNoGame() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        QVERIFY(!exportedGame(folder / "bin"));
        put(folder / GameNameFile, "Maze\n");
        const auto game = exportedGame(folder / "bin");
        QVERIFY(game.has_value());
        QCOMPARE(game->name, std::string("Maze"));
        QCOMPARE(game->project, folder / "game");
        put(folder / GameNameFile, "../../..\n");
        QVERIFY(!exportedGame(folder / "bin"));
    }
    // Files of desktops and shells, by the tools that read them.
    void textsAreValid() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const std::string name = "Höf & \"$(Söhne)\" 'x' \\ 100%";
        put(folder / "launcher", launcherText(name));
        put(folder / "x.desktop", desktopEntryText(name));
        QProcess shell;
        shell.start(QStringLiteral("sh"), {QStringLiteral("-n"), dir.filePath(QStringLiteral("launcher"))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.exitCode(), 0);
        QProcess validate;
        validate.start(QStringLiteral("desktop-file-validate"), {dir.filePath(QStringLiteral("x.desktop"))});
        QVERIFY(validate.waitForFinished());
        QVERIFY2(validate.exitCode() == 0, validate.readAll());
        const std::string readme = readmeText("Maze", false, {"libqt6gui6"});
        QVERIFY(readme.find("apt install libqt6gui6\n") != std::string::npos);
        QVERIFY(readmeText("Maze", true, {}).find("apt install") == std::string::npos);
        QVERIFY(readmeText("Maze", true, {"libegl1"}).find("without a desktop:\n\n    apt install libegl1\n") != std::string::npos);
        QVERIFY(readmeText("It's", true, {}).find("./'It'\\''s' --headless --serve 4000") != std::string::npos);
    }

    void runPathsAreSetInPlace() {
        QTemporaryDir dir;
        const std::filesystem::path player = test::buildPath("bin/signalbox-player");
        auto elf = ElfFile::read(player);
        QVERIFY(elf.ok());
        QVERIFY(!elf->interpreter().empty());
        QVERIFY(std::find(elf->needed().begin(), elf->needed().end(), "libc.so.6") != elf->needed().end());
        const std::vector<std::string> needed = elf->needed();
        for (const char* text : {"$ORIGIN", ""}) {
            QVERIFY(elf->setRunPath(text).ok());
            put(dir.filePath(QStringLiteral("changed")).toStdString(), elf->bytes());
            const auto again = ElfFile::read(dir.filePath(QStringLiteral("changed")).toStdString());
            QVERIFY(again.ok());
            QCOMPARE(again->runPath(), std::string(text));
            QVERIFY(again->needed() == needed);
            QCOMPARE(again->bytes().size(), static_cast<std::size_t>(std::filesystem::file_size(player)));
        }
        QVERIFY(!elf->setRunPath("$ORIGIN").ok()); // it has no place for one any more
        QVERIFY(!ElfFile::read(test::sourcePath("LICENSE")).ok());
        QVERIFY(!ElfFile::read("/nowhere").ok());
    }
    void cutOffProgramsAreRefused() {
        QTemporaryDir dir;
        const std::string whole = bytesOf(test::buildPath("lib/signalbox-plugin-check"));
        const std::string file = dir.filePath(QStringLiteral("cut")).toStdString();
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 2) {
            put(file, whole.substr(0, size));
            const auto elf = ElfFile::read(file); // of the memory's checkers it is asked whether nothing behind the end is read
            if (size < 64)
                QVERIFY(!elf.ok());
        }
    }
    void librariesThatAreMissingAreNamed() {
        QTemporaryDir dir;
        const std::string file = dir.filePath(QStringLiteral("lost")).toStdString();
        auto elf = ElfFile::read(test::buildPath("lib/signalbox-plugin-check"));
        QVERIFY(elf.ok());
        const std::string loader = elf->interpreter();
        QVERIFY(elf->setRunPath("").ok());
        put(file, elf->bytes());
        const auto libraries = neededLibraries({file}, loader, dir.path().toStdString());
        QVERIFY(!libraries.ok());
#ifdef __SANITIZE_ADDRESS__
        const std::string wanted = "needs the library lib"; // the sanitizer's own may come first
#else
        const std::string wanted = "needs the library libsignalbox-engine.so";
#endif
        QVERIFY2(libraries.error().message.find(wanted) == 0, libraries.error().message.c_str());
    }

    // Paths that the old header has no room for, and such as are no ASCII; tar is the judge.
    void archivesHoldAnyPath() {
        QTemporaryDir dir;
        const std::filesystem::path target = dir.filePath(QStringLiteral("x.tar.gz")).toStdString();
        std::vector<std::pair<std::string, std::string>> files{
            {"a", ""}, {"b/c", std::string(512, 'x')}, {"b/ü", std::string(513, 'y')}, {"d/" + std::string(90, 'l'), "long"}, {std::string(97, 'm') + "/" + std::string(200, 'n'), "longer"}};
        {
            auto writer = ExportWriter::archive(target, "Spiel");
            QVERIFY(writer.ok());
            for (const auto& [path, text] : files) {
                QVERIFY((*writer)->begin(path, text.size(), path == "a").ok());
                QVERIFY((*writer)->write(text).ok());
                QVERIFY((*writer)->end().ok());
            }
            QVERIFY(!std::filesystem::exists(target));
            QVERIFY((*writer)->finish().ok());
        }
        QProcess tar;
        tar.start(QStringLiteral("tar"), {QStringLiteral("-xzf"), QString::fromStdString(target.string()), QStringLiteral("-C"), dir.path()});
        QVERIFY(tar.waitForFinished());
        QVERIFY2(tar.exitCode() == 0, tar.readAllStandardError());
        for (const auto& [path, text] : files)
            QCOMPARE(bytesOf(std::filesystem::path(dir.path().toStdString()) / "Spiel" / path), text);
        QVERIFY(QFileInfo(dir.filePath(QStringLiteral("Spiel/a"))).isExecutable());
        QVERIFY(!QFileInfo(dir.filePath(QStringLiteral("Spiel/b/c"))).isExecutable());
    }
};

QTEST_GUILESS_MAIN(TestParts)
#include "tst_parts.moc"
