// Exports by the programs themselves, and what was exported, run as somebody who received it would.

#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "app/export/export_sources.h"
#include "app/export/player_export.h"
#include "engine/components/register.h"
#include "engine/core/log.h"
#include "engine/plugin/plugin_host.h"
#include "tests/copy_folder.h"
#include "tests/folders.h"
#include "tests/small_disk.h"

#include <filesystem>

using namespace sbx;

namespace {

struct Run {
    int status = -1;
    QString out;
    QString err;
};

// With a home of its own, so that everything that is written can be listed.
class Home {
public:
    [[nodiscard]] QProcessEnvironment environment() const {
        QProcessEnvironment out;
        out.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        out.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        out.insert(QStringLiteral("HOME"), m_folder.path());
        // Sanitizers' settings, and a place for what is no file.
        for (const char* kept : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"})
            if (qEnvironmentVariableIsSet(kept))
                out.insert(QString::fromLatin1(kept), qEnvironmentVariable(kept));
        return out;
    }
    [[nodiscard]] QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

Run run(const QString& program, const QStringList& arguments, const QProcessEnvironment& environment, const QString& folder = {}) {
    QProcess process;
    process.setProcessEnvironment(environment);
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForFinished(120000))
        return {-1, {}, process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2, QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeText(const QString& path, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    file.write(text);
}

// Path and hash of each file below.
QStringList listing(const QString& folder) {
    QStringList out;
    QDirIterator it(folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        const QByteArray bytes = bytesOf(path);
        out << QDir(folder).relativeFilePath(path) + QLatin1Char(' ') + QString::number(qHashBits(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    }
    out.sort();
    return out;
}

const QString Player = sbx::test::qBuildPath("bin/signalbox-player");
const QString Editor = sbx::test::qBuildPath("bin/signalbox");
const QString Courtyard = sbx::test::qSourcePath("resources/projects/courtyard");
const QString Strange = QStringLiteral("Höf & Söhne  'Spiel'"); // a name that shells and patterns would like to read

QStringList sixty(const QString& digest) {
    return {QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("60"), QStringLiteral("--seed"), QStringLiteral("7"), QStringLiteral("--digest"), digest};
}

} // namespace

class TestProgram : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_digest; // of the project itself

    QString at(const QString& name) const { return m_folder.filePath(name); }

private slots:
    void initTestCase() {
        const Home home;
        const Run original = run(Player, QStringList{Courtyard} + sixty(at(QStringLiteral("original"))), home.environment());
        QVERIFY2(original.status == 0, qPrintable(original.err));
        m_digest = bytesOf(at(QStringLiteral("original")));
        QCOMPARE(m_digest.count('\n'), 60);
    }

    // From a folder with spaces and other letters, by a launcher that is called from elsewhere, with a bare environment.
    void plays_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("player, with libraries") << Player << QStringList{};
        QTest::newRow("player, without") << Player << QStringList{QStringLiteral("--without-libraries")};
        if (QFile::exists(Editor))
            QTest::newRow("editor, without a display") << Editor << QStringList{};
    }
    void plays() {
        QFETCH(QString, program);
        QFETCH(QStringList, options);
        const Home home;
        QTemporaryDir place;
        const QString parent = place.filePath(QStringLiteral("ein Ort für Spiele: $HOME %k"));
        QDir().mkpath(parent);
        const QString target = parent + QLatin1Char('/') + Strange;
        const Run exported = run(program, QStringList{Courtyard, QStringLiteral("--export"), target, QStringLiteral("--export-name"), Strange} + options, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        QVERIFY2(exported.out.contains(QStringLiteral("MiB")), qPrintable(exported.out));
        QCOMPARE(QDir(parent).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{Strange}); // and nothing beside it
        const QStringList before = listing(target);
        QVERIFY(!before.filter(QStringLiteral("game/project.toml")).isEmpty());
        QVERIFY(!before.filter(QStringLiteral("share/doc/signalbox/LICENSE ")).isEmpty());
        QVERIFY(!before.filter(QStringLiteral("share/doc/signalbox/licenses/LICENSE.GPL-3.0.txt")).isEmpty());
        QVERIFY(before.filter(QStringLiteral(".py ")).isEmpty());

        QCOMPARE(listing(home.path()), QStringList{}); // the export itself keeps nothing either
        const QString digest = at(QStringLiteral("played"));
        QFile::remove(digest);
        const Run played = run(target + QLatin1Char('/') + Strange, sixty(digest), home.environment(), QStringLiteral("/"));
        QVERIFY2(played.status == 0 && played.err.isEmpty(), qPrintable(played.err));
        QCOMPARE(bytesOf(digest), m_digest);
        QCOMPARE(listing(target), before); // and nothing is written there
        const QString state = QStringLiteral(".local/state/signalbox-games/") + Strange + QLatin1Char('/');
        for (const QString& file : listing(home.path()))
            QVERIFY2(file.startsWith(state), qPrintable(file));
        QVERIFY(QFileInfo(home.path() + QLatin1Char('/') + state).isDir());
        const QStringList top = QDir(home.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        QCOMPARE(top, QStringList{QStringLiteral(".local")});
    }
    // What it remembers lies in its own folder, beside it if the user wants that; Signalbox's own settings are another matter.
    void keepsWhatIsItsOwn() {
        const Home home;
        const QString config = home.path() + QStringLiteral("/.config/signalbox/user.cfg");
        writeText(config, "alias mine \"echo mine\"\n");
        const QStringList before = listing(home.path());
        const QString target = at(QStringLiteral("keeping"));
        const Run exported = run(Player, {Courtyard, QStringLiteral("--export"), target, QStringLiteral("--without-libraries")}, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        const QStringList whole = listing(target);
        const QStringList serve{QStringLiteral("--headless"), QStringLiteral("--serve"), QStringLiteral("0"), QStringLiteral("--ticks"), QStringLiteral("5")};
        const Run served = run(target + QStringLiteral("/Courtyard"), serve, home.environment());
        QVERIFY2(served.status == 0 && served.out.contains(QStringLiteral("serving on port")), qPrintable(served.out + served.err));
        const QString key = QStringLiteral("/config/signalbox/server_key");
        QVERIFY(QFile::exists(home.path() + QStringLiteral("/.local/state/signalbox-games/Courtyard") + key));
        QStringList now = listing(home.path());
        now.removeIf([](const QString& file) { return file.startsWith(QStringLiteral(".local/state/signalbox-games/Courtyard/")); });
        QCOMPARE(now, before);
        QCOMPARE(listing(target), whole);
        const Run portable = run(target + QStringLiteral("/Courtyard"), serve + QStringList{QStringLiteral("--portable")}, home.environment());
        QVERIFY2(portable.status == 0, qPrintable(portable.err));
        QVERIFY(QFile::exists(target + QStringLiteral("/user") + key));
        // What it keeps is no part of a game that is exported from there.
        const QString again = at(QStringLiteral("kept"));
        const Run second = run(target + QStringLiteral("/Courtyard"), {QStringLiteral("--export"), again, QStringLiteral("--without-libraries")}, home.environment());
        QVERIFY2(second.status == 0, qPrintable(second.err));
        QCOMPARE(listing(again), whole);
    }
    // Where no folder can be made it says which, and what would do.
    void withoutAHomeItSaysSo() {
        const Home home;
        const QString target = at(QStringLiteral("homeless"));
        const Run exported = run(Player, {Courtyard, QStringLiteral("--export"), target, QStringLiteral("--without-libraries")}, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        QProcessEnvironment environment = home.environment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), QStringLiteral("/dev/null"));
        const Run played = run(target + QStringLiteral("/Courtyard"), {QStringLiteral("--headless"), QStringLiteral("--ticks"), QStringLiteral("1")}, environment);
        QCOMPARE(played.status, 2);
        QVERIFY2(played.err.contains(QStringLiteral("/dev/null/signalbox-games/Courtyard/config")) && played.err.contains(QStringLiteral("expected a home folder")),
                 qPrintable(played.err));
    }
    // An export that carries libraries loads those, and none of the system instead.
    void librariesAreTheCarriedOnes() {
        const Home home;
        const QString target = at(QStringLiteral("carried"));
        const Run exported = run(Player, {Courtyard, QStringLiteral("--export"), target}, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        const Run listed = run(QStringLiteral("ldd"), {target + QStringLiteral("/bin/signalbox-player")}, home.environment());
        int carried = 0;
        for (const QString& line : listed.out.split(QLatin1Char('\n'))) {
            const bool system = !line.contains(QStringLiteral("=> /")) || line.contains(QRegularExpression(QStringLiteral(
                                    "^\\s*lib(c|m|X11-xcb|stdc\\+\\+|gcc_s|z|GL|EGL|GLX|GLdispatch|X11|xcb|Xau|Xdmcp|Xext|expat|dl|pthread|rt|resolv|bsd|md|asan|ubsan|tsan)\\.so")));
            carried += line.contains(target) ? 1 : 0;
            QVERIFY2(system || line.contains(target + QStringLiteral("/")), qPrintable(line));
        }
        QVERIFY2(carried > 10, qPrintable(listed.out));
        // Each package that something was taken from is named with its licence and its source.
        const QByteArray sources = bytesOf(target + QStringLiteral("/share/doc/signalbox/licenses/third-party/SOURCES"));
        for (const QByteArray& line : sources.split('\n'))
            if (line.contains(", source "))
                QVERIFY2(QFile::exists(target + QStringLiteral("/share/doc/signalbox/licenses/third-party/") + QString::fromUtf8(line.left(line.indexOf(' ')))
                                       + QStringLiteral(".txt")),
                         line.constData());
        QVERIFY2(sources.contains("libspdlog"), sources.constData());
        // A server without a desktop lacks what is not carried: the text says where that is.
        if (QFile::exists(QStringLiteral("/usr/bin/dpkg-query")))
            QVERIFY2(bytesOf(target + QStringLiteral("/README.txt")).contains(" libegl1 "), bytesOf(target + QStringLiteral("/README.txt")).constData());
        // A game that was exported can be exported again.
        const QString again = at(QStringLiteral("again"));
        const Run second = run(target + QStringLiteral("/Courtyard"), {QStringLiteral("--export"), again}, home.environment());
        QVERIFY2(second.status == 0, qPrintable(second.err));
        QStringList first = listing(target);
        QCOMPARE(listing(again), first);
    }
    void theSameArchiveTwice() {
        const Home home;
        QByteArray first;
        for (const char* name : {"one.tar.gz", "two.tgz"}) {
            const QString target = at(QString::fromLatin1(name));
            const Run exported = run(Player, {Courtyard, QStringLiteral("--export"), target, QStringLiteral("--without-libraries"), QStringLiteral("--export-name"), Strange},
                                     home.environment());
            QVERIFY2(exported.status == 0, qPrintable(exported.err));
            if (first.isEmpty())
                first = bytesOf(target);
            else
                QVERIFY(bytesOf(target) == first);
        }
        QVERIFY(!first.isEmpty());
        // Another program reads it, and it plays.
        const QString unpacked = at(QStringLiteral("unpacked"));
        QDir().mkpath(unpacked);
        const Run tar = run(QStringLiteral("tar"), {QStringLiteral("-xzf"), at(QStringLiteral("one.tar.gz")), QStringLiteral("-C"), unpacked}, home.environment());
        QVERIFY2(tar.status == 0 && tar.err.isEmpty(), qPrintable(tar.err));
        const QString digest = at(QStringLiteral("unpacked.digest"));
        const Run played = run(unpacked + QLatin1Char('/') + Strange + QLatin1Char('/') + Strange, sixty(digest), home.environment());
        QVERIFY2(played.status == 0, qPrintable(played.err));
        QCOMPARE(bytesOf(digest), m_digest);
        const Run times = run(QStringLiteral("tar"), {QStringLiteral("--full-time"), QStringLiteral("--utc"), QStringLiteral("-tvzf"), at(QStringLiteral("one.tar.gz"))}, home.environment());
        for (const QString& line : times.out.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            QVERIFY2(line.contains(QStringLiteral("root/root")) && line.contains(QStringLiteral("1980-01-01 00:00:00")), qPrintable(line));
    }
    void onlyTheProjectGoesAlong() {
        const Home home;
        const QString project = at(QStringLiteral("littered"));
        test::copyFolder(Courtyard, project);
        for (const char* litter : {".git/config", ".hidden", "entities.toml~", "entities.toml.bak", "out/dump.json", "build/CMakeCache.txt", "build/deep/x.toml", "CMakeLists.txt",
                                   "source/part.cpp", "plugins/not_named.so", "sounds/.knock.wav.part"})
            writeText(project + QLatin1Char('/') + QString::fromLatin1(litter), "x");
        writeText(project + QStringLiteral("/notes/read me.md"), "kept");
        const QString target = at(QStringLiteral("clean"));
        const Run exported = run(Player, {project, QStringLiteral("--export"), target, QStringLiteral("--without-libraries")}, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        QStringList expected;
        for (const QString& file : listing(Courtyard))
            if (!file.contains(QStringLiteral(".py ")))
                expected << file;
        QStringList got = listing(target + QStringLiteral("/game"));
        QCOMPARE(got.filter(QStringLiteral("notes/read me.md")).size(), 1);
        got.removeIf([](const QString& file) { return file.startsWith(QStringLiteral("notes/")); });
        QCOMPARE(got, expected);
    }

    void refuses_data() {
        QTest::addColumn<QString>("project");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QString& project, const QStringList& options, int status, const char* says) {
            QTest::newRow(name) << project << options << status << QString::fromUtf8(says);
        };
        const QString target = at(QStringLiteral("refused"));
        const QString faulty = at(QStringLiteral("faulty"));
        const QString full = at(QStringLiteral("full"));
        const QString linked = at(QStringLiteral("linked"));
        const QString inside = at(QStringLiteral("own"));
        const QString untrusted = at(QStringLiteral("untrusted"));
        const QString ex = QStringLiteral("--export");
        row("a fault", faulty, {ex, target}, 2, "bell.scene.toml:4:8: error: ");
        row("a fault, in one line", faulty, {ex, target}, 2, "error: %P/project.toml: the project has faults and is not exported; expected one that plays");
        row("no project", at(QStringLiteral("nowhere")), {ex, target}, 2, "nowhere");
        row("no project named", {}, {ex, target}, 2, "expected a folder with a project.toml");
        row("not empty", Courtyard, {ex, full}, 2, "is there already and is not an empty folder; expected a new folder or an empty one");
        row("a file", Courtyard, {ex, full + QStringLiteral("/something")}, 2, "is there already and is not an empty folder");
        row("an archive", Courtyard, {ex, full + QStringLiteral("/there.tar.gz")}, 2, "is there already; expected the name of a new file");
        row("another kind", Courtyard, {ex, at(QStringLiteral("x.zip"))}, 2, "expected a folder or FILE.tar.gz");
        row("in the project", inside, {ex, inside + QStringLiteral("/export")}, 2, "lies in the project's own folder");
        row("in the project, by a link", inside, {ex, linked + QStringLiteral("/export.tar.gz")}, 2, "lies in the project's own folder");
        row("the project itself", inside, {ex, inside}, 2, "lies in the project's own folder");
        row("no folder", Courtyard, {ex, at(QStringLiteral("a/b/c"))}, 2, "there is no folder");
        row("a name that is a path", Courtyard, {ex, target, QStringLiteral("--export-name"), QStringLiteral("a/b")}, 2, "cannot be the name of a file");
        row("a name that is taken", Courtyard, {ex, target, QStringLiteral("--export-name"), QStringLiteral("bin")}, 2, "expected another one");
        row("without an export", Courtyard, {QStringLiteral("--without-libraries")}, 2, "expected --export TARGET with it");
        row("a link out", at(QStringLiteral("leaving")), {ex, target}, 2, "is a link that leaves the project's folder; expected the file itself");
        row("a plugin that is not there", untrusted, {ex, target}, 2, "the plugin plugins/mine is held back");
        row("a plugin that is not there, trusted", untrusted, {ex, target, QStringLiteral("--trust")}, 2, "the plugin plugins/mine is not there");

        test::copyFolder(sbx::test::qSourcePath("resources/templates/empty"), faulty);
        writeText(faulty + QStringLiteral("/bell.scene.toml"), "[scene]\nname = \"B\"\n[[entity]]\ntype = \"Nobody\"\n");
        QByteArray text = bytesOf(faulty + QStringLiteral("/project.toml"));
        QFile::remove(faulty + QStringLiteral("/project.toml"));
        writeText(faulty + QStringLiteral("/project.toml"), text.replace("main.scene.toml", "bell.scene.toml"));
        writeText(full + QStringLiteral("/something"), "mine");
        writeText(full + QStringLiteral("/there.tar.gz"), "mine");
        test::copyFolder(Courtyard, inside);
        QFile::link(inside, linked);
        test::copyFolder(Courtyard, at(QStringLiteral("leaving")));
        QFile::link(QStringLiteral("/etc/hostname"), at(QStringLiteral("leaving/note.txt")));
        test::copyFolder(Courtyard, untrusted);
        text = bytesOf(untrusted + QStringLiteral("/project.toml"));
        QFile::remove(untrusted + QStringLiteral("/project.toml"));
        writeText(untrusted + QStringLiteral("/project.toml"), text.replace("scene = ", "plugins = [\"plugins/mine\"]\nscene = "));
    }
    void refuses() {
        QFETCH(QString, project);
        QFETCH(QStringList, options);
        QFETCH(int, status);
        QFETCH(QString, says);
        const QStringList before = listing(m_folder.path());
        for (const QString& program : {Player, Editor}) {
            if (!QFile::exists(program))
                continue;
            const Home home;
            const Run refused = run(program, (project.isEmpty() ? QStringList{} : QStringList{project}) + options, home.environment());
            QVERIFY2(refused.status == status, qPrintable(refused.out + refused.err));
            QVERIFY2(refused.err.contains(says.replace(QStringLiteral("%P"), project)), qPrintable(refused.err));
            QCOMPARE(refused.err.count(QRegularExpression(QStringLiteral("^error: "), QRegularExpression::MultilineOption)), 1);
        }
        QCOMPARE(listing(m_folder.path()), before);
        QVERIFY(!QFile::exists(at(QStringLiteral("refused"))));
    }
    // An empty folder is filled.
    void anEmptyFolderWillDo() {
        const Home home;
        const QString target = at(QStringLiteral("empty"));
        QDir().mkpath(target);
        const Run exported = run(Player, {Courtyard, QStringLiteral("--export"), target + QLatin1Char('/'), QStringLiteral("--without-libraries")}, home.environment());
        QVERIFY2(exported.status == 0, qPrintable(exported.err));
        QVERIFY(QFileInfo(target + QStringLiteral("/Courtyard")).isExecutable());
    }

    void givenUpOrFullLeavesNothing_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("folder") << QStringLiteral("torn");
        QTest::newRow("archive") << QStringLiteral("torn.tar.gz");
    }
    void givenUpOrFullLeavesNothing() {
        QFETCH(QString, target);
        QTemporaryDir place;
        const std::filesystem::path to = place.filePath(target).toStdString();
        const auto sources = app::ExportSources::beside(sbx::test::buildPath("bin"));
        QVERIFY2(sources.ok(), sources ? "" : sources.error().message.c_str());
        Log log;
        ComponentRegistry builtins;
        registerBuiltinComponents(builtins);
        PluginHost plugins(builtins, log);
        Diagnostics faults;
        const auto plan = app::PlayerExport::plan({Courtyard.toStdString(), {}, false}, *sources, plugins, faults);
        QVERIFY2(plan.ok(), plan ? "" : plan.error().message.c_str());
        std::uint64_t last = 0;
        const auto givenUp = plan->write(to, [&](std::uint64_t done) {
            last = done;
            return done < plan->size() / 2;
        });
        QVERIFY(givenUp.ok() && !*givenUp && last >= plan->size() / 2);
        QVERIFY(QDir(place.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
        {
            const test::SmallDisk small(256 * 1024);
            const auto full = plan->write(to);
            QVERIFY(!full.ok());
            QVERIFY2(full.error().file.starts_with(to.string()), full.error().toString().c_str());
        }
        QVERIFY(QDir(place.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
        const auto written = plan->write(to, [&](std::uint64_t done) {
            last = done;
            return true;
        });
        QVERIFY(written.ok() && *written);
        QCOMPARE(last, plan->size());
    }
};

QTEST_GUILESS_MAIN(TestProgram)
#include "tst_program.moc"
