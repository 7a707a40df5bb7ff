// Lines that come with a project write below its out/ folder and nowhere else, by whatever way they are run; lines of the user's write
// where the user says. Each exploit replaces a file of the project or of its user where nothing stops it.
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_recorder.h"
#include "tests/contains.h"

#include <sys/stat.h>

#include <fstream>

using namespace sbx;

namespace {

namespace fs = std::filesystem;

const std::string Source = "[scene]\nname = \"S\"\n";

// A project in a folder of its own, with a home beside it.
class Place {
public:
    Place() : m_root(fs::canonical(m_folder.path().toStdString())) {
        write("game/project.toml", "[project]\nname = \"G\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n");
        write("game/e.toml", "[Ball]\n[Ball.Body]\n");
        write("game/s.scene.toml", Source);
        write("home/notes", "precious");
        Diagnostics faults;
        auto content = loadContent(path("game"), "", session.plugins(), faults);
        session.open(std::move(content));
        session.play();
    }
    [[nodiscard]] fs::path path(const std::string& name) const { return m_root / name; }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories(path(name).parent_path());
        std::ofstream(path(name)) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ifstream in(path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // What the lines of a file of the project answer.
    std::string script(const std::string& lines, const std::string& file = "game/demo.cfg") {
        write(file, lines);
        return answer("exec " + consoleWord(path(file).string()));
    }
    std::string answer(const std::string& line) {
        std::string out;
        session.handlers().reply = [&](const ConsoleReply& reply) {
            for (const std::string& text : reply.lines)
                out += text + "\n";
        };
        session.execute(line);
        for (int i = 0; i < 5; ++i)
            session.tick();
        session.handlers().reply = nullptr;
        return out;
    }
    [[nodiscard]] bool isUntouched() const {
        return read("game/s.scene.toml") == Source && read("home/notes") == "precious";
    }
    [[nodiscard]] std::string in(std::string text) const { // a line with places in it
        const auto put = [&](const std::string& name, const std::string& value) {
            for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size()))
                text.replace(at, name.size(), value);
        };
        put("HOME", path("home").string());
        put("GAME", path("game").string());
        return text;
    }

private:
    QTemporaryDir m_folder;
    fs::path m_root;

public:
    Log log;
    Session session{log, addConsoleCommands};
};

// An audio output without a device; its recordings open their file as libsndfile does.
class Sound final : public SoundHost {
public:
    explicit Sound(Session& session) : m_session(session) {
        auto made = SoundRecorder::create(audio::HrtfSet::sphere(SoundRecorder::SampleRate), 512);
        if (!made)
            qFatal("%s", made.error().toString().c_str());
        m_recorder = std::move(*made);
        m_session.sound().setStage(&m_recorder->stage());
        m_session.sound().setHost(this);
    }
    ~Sound() override {
        m_session.sound().setHost(nullptr);
        m_session.sound().setStage(nullptr);
    }
    void wake() override {}
    [[nodiscard]] Devices devices() const override { return {}; }
    Result<void> record(const std::filesystem::path& file, double) override {
        std::ofstream(file) << "RIFF";
        return {};
    }

private:
    Session& m_session;
    std::unique_ptr<SoundRecorder> m_recorder;
};

constexpr const char* Refused = "below the project's out/ folder";

} // namespace

class TestScriptWrites : public QObject {
    Q_OBJECT
private slots:
    void everyWriterAsks_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"condump %1", "world.dump %1", "dump world json %1", "watch.export %1", "docs %1.md",
                                 "net.stats %1", "graph.dump %1", "audio.voices %1", "audio.record %1 1"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void everyWriterAsks() {
        QFETCH(QString, line);
        Place place;
        const Sound sound(place.session);
        place.session.execute("watch sim.gravity");
        for (const char* target : {"s.scene.toml", "HOME/notes", "../home/notes", "GAME/s.scene.toml", "out/../s.scene.toml",
                                         "out", "outside/x", "HOME/new"}) {
            const std::string text = place.in(line.arg(QString::fromLatin1(target)).toStdString());
            const std::string said = place.script(text);
            CONTAINS(said, Refused);
            CONTAINS(said, "demo.cfg:1: error: ");
            QVERIFY2(place.isUntouched(), text.c_str());
            QVERIFY(!fs::exists(place.path("home/new")) && !fs::exists(place.path("game/outside")));
        }
        // There it may, also in folders of its own; the user may anywhere.
        const std::string inside = line.arg(QStringLiteral("out/runs/1")).toStdString();
        const std::string said = place.script(inside);
        QVERIFY2(said.find("error") == std::string::npos, said.c_str());
        const std::string typed = place.in(line.arg(QStringLiteral("HOME/typed")).toStdString());
        const std::string answer = place.answer(typed);
        QVERIFY2(answer.find("error") == std::string::npos, answer.c_str());
    }

    // However a line comes to be run, it is still the project's.
    void originSurvives_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("then"); // typed by the user
        const auto row = [](const char* name, const char* script, const char* then = "") {
            QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(then);
        };
        row("semicolon", "echo a; world.dump HOME/notes");
        row("bar", "world.dump|HOME/notes");
        row("pipe", "list cvars | condump HOME/notes");
        row("wait", "wait 2; world.dump HOME/notes");
        row("wait on a line of its own", "wait 1\nwait 1\nworld.dump HOME/notes");
        row("alias", "alias save \"world.dump HOME/notes\"\nsave");
        row("alias that the user runs", "alias save \"echo a; world.dump HOME/notes\"", "save");
        row("alias with the path left to the user's own", "alias save world.dump", "save HOME/notes");
        row("alias of an alias", "alias inner \"world.dump HOME/notes\"", "alias outer inner; outer");
        row("alias after a wait", "alias save \"wait 1; world.dump HOME/notes\"", "wait 1; save");
        row("the user's alias", "mine", "");
        row("another script", "exec inner.cfg");
        row("a script of the user's", "exec HOME/own.cfg");
        row("another world", "@local world.dump HOME/notes");
        row("on", "on all world.dump HOME/notes");
        row("selection", "select type == Ball\ndump $sel json HOME/notes");
    }
    void originSurvives() {
        QFETCH(QString, script);
        QFETCH(QString, then);
        Place place;
        place.write("game/inner.cfg", place.in("world.dump HOME/notes\n"));
        place.write("home/own.cfg", place.in("world.dump HOME/notes\n"));
        QVERIFY(place.session.execute(place.in("alias mine \"world.dump HOME/notes\"")).ok);
        QVERIFY(place.session.execute("spawn Ball ball").ok);
        std::string said = place.script(place.in(script.toStdString()));
        if (!then.isEmpty())
            said += place.answer(place.in(then.toStdString()));
        CONTAINS(said, Refused);
        QVERIFY(place.isUntouched());
    }

    void keysKeepTheirOrigin() {
        Place place;
        place.script(place.in("bind F6 \"world.dump HOME/notes\""));
        QVERIFY(place.session.execute(place.in("bind F7 \"world.dump HOME/mine\"")).ok);
        for (const KeyBinding& binding : place.session.console().bindings())
            place.session.execute(binding.line, CVarSource::Console, binding.reach); // as a window does
        QVERIFY(place.isUntouched());
        QVERIFY(fs::exists(place.path("home/mine")));
    }

    void clientsOfTheProgramKeepIt() {
        Place place;
        place.session.stop();
        QVERIFY(place.session.playAsHost(1).ok());
        for (int i = 0; i < 30; ++i)
            place.session.tick();
        CONTAINS(place.script(place.in("@client1 world.dump HOME/notes")), Refused);
        QVERIFY(place.isUntouched());
        QVERIFY(place.session.execute(place.in("@client1 world.dump HOME/mine")).ok);
        QVERIFY(fs::exists(place.path("home/mine")));
    }

    void nothingLeadsElsewhere_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("why");
        QTest::newRow("folder that is a link") << "out/home/notes" << "a symbolic link";
        QTest::newRow("file that is a link") << "out/link" << "a symbolic link";
        QTest::newRow("link to nothing yet") << "out/dangling" << "a symbolic link";
        QTest::newRow("second name of a source file") << "out/second" << "hard links";
        QTest::newRow("pipe") << "out/pipe" << "not a regular file";
        QTest::newRow("file for a folder") << "out/plain/x" << "in place of a folder";
    }
    void nothingLeadsElsewhere() {
        QFETCH(QString, file);
        QFETCH(QString, why);
        Place place;
        const Sound sound(place.session);
        const fs::path out = place.path("game/out");
        fs::create_directories(out);
        fs::create_symlink(place.path("home"), out / "home");
        fs::create_symlink(place.path("home/notes"), out / "link");
        fs::create_symlink(place.path("home/new"), out / "dangling");
        fs::create_hard_link(place.path("game/s.scene.toml"), out / "second");
        QCOMPARE(::mkfifo((out / "pipe").c_str(), 0600), 0);
        place.write("game/out/plain", "x");
        for (const QString& line : {QStringLiteral("world.dump %1"), QStringLiteral("audio.record %1 1")}) {
            const std::string said = place.script(line.arg(file).toStdString());
            CONTAINS(said, why.toStdString());
            QVERIFY(place.isUntouched() && !fs::exists(place.path("home/new")));
        }
    }
    void outItselfIsNoLink() {
        Place place;
        fs::create_directory_symlink(place.path("home"), place.path("game/out"));
        CONTAINS(place.script("world.dump out/notes"), "a symbolic link");
        CONTAINS(place.script("world.dump out/"), Refused);
        QVERIFY(place.isUntouched());
    }

    // A file of the project is one by its place, however it is named; what the user names on the command line is the user's.
    void whichFilesAreTheProjects() {
        Place place;
        const std::string line = place.in("world.dump HOME/notes\n");
        place.write("game/sub/own.cfg", line);
        fs::create_symlink(place.path("game/sub/own.cfg"), place.path("home/alias.cfg"));
        place.write("home/elsewhere.cfg", line);
        fs::create_symlink(place.path("home/elsewhere.cfg"), place.path("game/link.cfg"));
        fs::create_directory_symlink(place.path("game"), place.path("home/game"));
        for (const char* file : {"sub/own.cfg", "GAME/sub/../sub/own.cfg", "HOME/alias.cfg", "link.cfg", "HOME/game/link.cfg"})
            CONTAINS(place.answer(place.in(std::string("exec ") + file)), Refused);
        QVERIFY(place.isUntouched());
        place.write("home/mine.cfg", place.in("world.dump HOME/mine\n"));
        QVERIFY(place.session.execute(place.in("exec HOME/mine.cfg")).ok);
        QVERIFY(fs::exists(place.path("home/mine")));
        place.write("game/mine.cfg", place.in("world.dump HOME/named\nexec sub/own.cfg\n"));
        ConsoleReply reply = place.session.lines().execFile(place.path("game/mine.cfg").string());
        QVERIFY(fs::exists(place.path("home/named")));
        QVERIFY(!reply.ok && place.isUntouched()); // its own line wrote; that of the file it ran did not
    }
};

QTEST_GUILESS_MAIN(TestScriptWrites)

#include "tst_script_writes.moc"
