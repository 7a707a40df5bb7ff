// Project files, and reading and writing files.
#include <QtTest>

#include "engine/core/whole_file.h"
#include "engine/definition/project.h"
#include "engine/definition/text_file.h"
#include "engine/definition/toml_document.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace sbx;
using namespace sbx::definition;

class TestProject : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_dir;
    std::filesystem::path at(const char* name) const {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    static void put(const std::filesystem::path& path, std::string_view bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
    }

private slots:
    void readsAProject() {
        const std::string text =
            "[project]\nname = \"Courtyard\"\nscene = \"scenes/yard.scene.toml\"\n"
            "definitions = [\"entities.toml\", \"more/x.toml\"]\n\n"
            "[cvars]\nsim.tickRate = 30 # quick\n\"net.sim.loss\" = 0.5\nrender.title = \"x\"\n";
        put(at("project.toml"), text);
        for (const auto& path : {at(""), at("project.toml")}) {
            Diagnostics sink;
            const Result<Project> project = loadProject(path, sink);
            QVERIFY(project.ok() && sink.items.empty());
            QCOMPARE(project->name, std::string("Courtyard"));
            QCOMPARE(project->definitions, (std::vector<std::string>{"entities.toml", "more/x.toml"}));
            QVERIFY(std::filesystem::equivalent(project->folder, at("")));
            QCOMPARE(project->cvars.size(), std::size_t{3});
            QCOMPARE(project->cvars[0].name, std::string("sim.tickRate"));
            QCOMPARE(project->cvars[0].value.integer, std::int64_t{30});
            QCOMPARE(project->cvars[1].name, std::string("net.sim.loss"));
            QCOMPARE(project->cvars[1].value.region, (SourceRegion{8, 18, 8, 21}));
        }
    }
    // One error, and nothing else of the file, which may mean something else by its keys.
    void aLaterFormatIsRefused_data() {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("error");
        QTest::newRow("this one") << QByteArray("1") << QByteArray();
        QTest::newRow("later") << QByteArray("2")
                               << QByteArray("p:2:10: error: the project has format 2, of a later version of Signalbox; expected at most format 1, or that version");
        QTest::newRow("none") << QByteArray("0") << QByteArray("p:2:10: error: there is no format 0; expected format = 1");
        QTest::newRow("text") << QByteArray("\"1\"") << QByteArray("p:2:10: error: format is text; expected format = 1");
    }
    void aLaterFormatIsRefused() {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, error);
        const std::string text = "[project]\nformat = " + format.toStdString() + "\nscene = \"a\"\ndefinitions = [\"b\"]\nworlds = 3\n";
        Diagnostics sink;
        const auto project = parseProject(text, "p", sink);
        QCOMPARE(project.ok(), error.isEmpty());
        QCOMPARE(sink.items.size(), std::size_t(1));
        if (!error.isEmpty())
            QCOMPARE(QByteArray::fromStdString(sink.items[0].toString()), error);
        else
            QVERIFY(sink.items[0].message().find("worlds") != std::string::npos);
    }
    void nameFromTheFolder() {
        Diagnostics sink;
        const auto project = parseProject("[project]\nscene = \"a\"\ndefinitions = [\"b\"]\n",
                                          "/x/pinball/project.toml", sink);
        QCOMPARE(project->name, std::string("pinball"));
    }
    void faultsInCVarsLeaveTheProjectUsable() {
        Diagnostics sink;
        const auto project =
            parseProject("[project]\nscene = \"a\"\ndefinitions = [\"b\"]\n[cvars]\nx =\n", "p", sink);
        QVERIFY(project.ok());
        QCOMPARE(sink.items.size(), std::size_t{1});
    }
    void theErrorIsInTheSinkToo() {
        Diagnostics sink;
        const auto project = parseProject("[project]\nscene = \"../a\"\ndefinitions = [\"b\"]\n", "p", sink);
        QVERIFY(!project.ok());
        QCOMPARE(sink.items.size(), std::size_t{1});
        QCOMPARE(project.error().message, sink.items[0].message());
        QCOMPARE(project.error().region.line, 2);
    }
    void paths() {
        for (const char* good : {"a", "a/b.toml", "./a", "a/../b", "..a", "a b/\xC3\xA9"})
            QVERIFY2(pathFault(good).empty(), good);
        for (const char* bad : {"", "/a", "../a", "a/../../b", "C:/a", "a\\b", ".", "a/..", "a\nb"})
            QVERIFY2(!pathFault(bad).empty(), bad);
    }
    void unreadableFiles() {
        const auto message = [](const std::filesystem::path& path) {
            const auto text = readTextFile(path);
            return text ? std::string("read") : text.error().toString();
        };
        const auto says = [&](const std::filesystem::path& path, const char* what) {
            const std::string text = message(path);
            return text.starts_with(path.string()) && text.find(what) != std::string::npos;
        };
        QVERIFY(says(at("missing.toml"), "no such file"));
        QVERIFY(says(at(""), "folder"));
        put(at("file"), "x");
        QVERIFY(says(at("file") / "below", "not a folder"));
        std::filesystem::create_symlink("loop", at("loop"));
        QVERIFY(says(at("loop"), "circle"));
        QVERIFY(::mkfifo(at("pipe").c_str(), 0600) == 0);
        QVERIFY(says(at("pipe"), "not a regular file")); // and does not hang
        if (::geteuid() != 0) {
            put(at("secret"), "x");
            std::filesystem::permissions(at("secret"), std::filesystem::perms::none);
            QVERIFY(says(at("secret"), "no permission"));
        }
        // A sparse file: 100 MB that nobody may read into memory.
        put(at("huge"), "");
        std::filesystem::resize_file(at("huge"), 100'000'000);
        QVERIFY(says(at("huge"), "100000000 bytes; expected at most"));

        Diagnostics sink;
        QVERIFY(!loadProject(at("nowhere"), sink).ok());
        QCOMPARE(sink.items.size(), std::size_t{1});
    }
    void writesSafely() {
        put(at("a.toml"), "old");
        std::filesystem::permissions(at("a.toml"), static_cast<std::filesystem::perms>(0640));
        std::filesystem::create_symlink("a.toml", at("link.toml"));
        const std::string bytes("new\r\n\0x", 7);
        QVERIFY(writeFileSafely(at("link.toml"), bytes).ok());
        QVERIFY(std::filesystem::is_symlink(at("link.toml")));
        QCOMPARE(*readTextFile(at("a.toml")), bytes);
        QCOMPARE(static_cast<unsigned>(std::filesystem::status(at("a.toml")).permissions()), 0640U);

        // A link that leads nowhere yet makes its target.
        std::filesystem::create_symlink("later.toml", at("early.toml"));
        QVERIFY(writeFileSafely(at("early.toml"), "x").ok());
        QCOMPARE(*readTextFile(at("later.toml")), std::string("x"));
        const mode_t mask = ::umask(0);
        ::umask(mask);
        QCOMPARE(static_cast<unsigned>(std::filesystem::status(at("later.toml")).permissions()),
                 0666U & ~mask);

        QVERIFY(!writeFileSafely(at(""), "x").ok());
        QVERIFY(!writeFileSafely(at("no/such/folder/x"), "x").ok());
        std::filesystem::create_symlink("ring2", at("ring1"));
        std::filesystem::create_symlink("ring1", at("ring2"));
        QVERIFY(!writeFileSafely(at("ring1"), "x").ok());
        for (const auto& entry : std::filesystem::directory_iterator(at("")))
            QVERIFY2(!entry.path().filename().string().starts_with("."),
                     entry.path().c_str()); // nothing left behind
    }

    // A scene means the project around it; in a folder that others can write to, they would choose which.
    void aSceneMeansTheProjectAroundIt() {
        std::filesystem::create_directories(at("around/scenes/deep"));
        const std::filesystem::path scene = at("around/scenes/deep/a.scene.toml");
        put(scene, "");
        std::filesystem::remove(at("project.toml")); // of another test
        const Result<std::filesystem::path> none = findProjectFile(scene);
        QVERIFY(!none.ok() && none.error().message.find("lies in no project") != std::string::npos);
        put(at("around/project.toml"), "");
        QCOMPARE(*findProjectFile(scene), at("around/project.toml"));
        put(at("around/scenes/deep/project.toml"), "");
        QCOMPARE(*findProjectFile(scene), at("around/scenes/deep/project.toml")); // the nearest
    }

    void aProjectOfAnotherUserIsNotFollowed_data() {
        QTest::addColumn<QString>("given"); // to another user
        QTest::addColumn<bool>("followed");
        QTest::newRow("the project file") << "yard/project.toml" << false;
        QTest::newRow("the project's folder") << "yard" << false;
        QTest::newRow("a folder on the way") << "yard/scenes" << false;
        QTest::newRow("a link of that name") << "link" << false;
        QTest::newRow("the scene's own folder") << "yard/scenes/deep" << true;
    }
    void aProjectOfAnotherUserIsNotFollowed() {
        if (::geteuid() != 0)
            QSKIP("only root can give files away");
        QFETCH(QString, given);
        QFETCH(bool, followed);
        std::filesystem::remove_all(at("yard"));
        std::filesystem::create_directories(at("yard/scenes/deep"));
        const std::filesystem::path scene = at("yard/scenes/deep/a.scene.toml");
        put(scene, "");
        put(at("yard/real.toml"), "");
        std::filesystem::path what = at(given.toUtf8().constData());
        if (given == QStringLiteral("link")) {
            what = at("yard/project.toml");
            std::filesystem::create_symlink(at("yard/real.toml"), what);
        } else {
            put(at("yard/project.toml"), "");
        }
        QVERIFY(findProjectFile(scene).ok());
        QCOMPARE(::lchown(what.c_str(), 12345, 12345), 0);
        const Result<std::filesystem::path> found = findProjectFile(scene);
        QCOMPARE(found.ok(), followed);
        if (!followed)
            QVERIFY2(found.error().message.find(what.string() + " belongs to another user") != std::string::npos,
                     found.error().message.c_str());
        // Named itself, it is opened.
        QCOMPARE(*findProjectFile(at("yard")), at("yard/project.toml"));
        QCOMPARE(*findProjectFile(at("yard/project.toml")), at("yard/project.toml"));
    }
};

QTEST_GUILESS_MAIN(TestProject)
#include "tst_project.moc"
