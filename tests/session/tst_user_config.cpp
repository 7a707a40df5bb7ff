// What a user keeps across runs and programs.
#include <QtTest>

#include "engine/session/user_config.h"

#include <fstream>

using namespace sbx;

namespace {

struct Program {
    Log log;
    Console console{log};
    UserConfig config;

    explicit Program(const QTemporaryDir& folder)
        : config(folder.filePath(QStringLiteral("user")).toStdString()) {
        console.cvars().add<int>("t.archived", 1, "Kept.", {.maximum = 100, .flags = CVarFlags::Archive});
        console.cvars().add<std::string>("t.name", "ann", "Kept.", {.flags = CVarFlags::Archive});
        console.cvars().add<Vec3>("t.place", Vec3(0.0F), "Kept.", {.flags = CVarFlags::Archive});
        console.cvars().add<int>("t.passing", 1, "Not kept.");
    }
    std::string text() const {
        std::ifstream in(config.file());
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t warnings() const {
        std::size_t count = 0;
        for (const LogRecord& record : log.since(0))
            count += record.severity >= LogSeverity::Warning ? 1 : 0;
        return count;
    }
};

} // namespace

class TestUserConfig : public QObject {
    Q_OBJECT
private slots:
    void nothingChangedNothingWritten() {
        QTemporaryDir folder;
        Program p(folder);
        p.config.load(p.console);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(!std::filesystem::exists(p.config.file()));
        QCOMPARE(p.warnings(), std::size_t{0});
    }

    // A file of which something was left out is not written over: whoever wrote it finds it beside.
    void whatCannotBeReadIsKeptBeside() {
        QTemporaryDir folder;
        Program p(folder);
        std::filesystem::create_directories(p.config.file().parent_path());
        const std::string broken = "t.archived 5\nt.archived eleven\n";
        std::ofstream(p.config.file()) << broken;
        p.config.load(p.console);
        QCOMPARE(p.warnings(), std::size_t{1});
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("t.archived 5") != std::string::npos && p.text().find("eleven") == std::string::npos);
        std::ifstream in(p.config.file().string() + ".broken");
        QCOMPARE(std::string(std::istreambuf_iterator<char>(in), {}), broken);
        QCOMPARE(p.warnings(), std::size_t{2});
        QVERIFY(p.console.execute("t.archived 6").ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(!std::filesystem::exists(p.config.file().string() + ".broken-2"));
    }

    void whatWasSetComesBack() {
        QTemporaryDir folder;
        const std::string name = "a \"b\\\n; // | é";
        {
            Program p(folder);
            p.config.load(p.console);
            QVERIFY(p.console
                        .execute("t.archived 7; t.passing 9; t.place 1 2 3; alias two \"echo a; echo b\"; "
                                 "bind f6 toggle t.archived 1 2")
                        .ok);
            QVERIFY(p.console.cvars().setValue("t.name", Value(name), CVarSource::Console).ok());
            QVERIFY(p.config.save(p.console).ok());
            QVERIFY(p.text().find("t.passing") == std::string::npos);
        }
        Program p(folder);
        p.config.load(p.console);
        QCOMPARE(p.warnings(), std::size_t{0});
        const CVarInfo archived = *p.console.cvars().describe("t.archived");
        QVERIFY(archived.value == Value(std::int64_t{7}));
        QCOMPARE(archived.lastSetBy, CVarSource::User);
        QVERIFY(archived.origin.place.starts_with("user.cfg:"));
        QVERIFY(p.console.cvars().describe("t.name")->value == Value(name));
        QVERIFY(p.console.cvars().describe("t.place")->value == Value(Vec3(1, 2, 3)));
        QCOMPARE(p.console.aliasList().size(), std::size_t{1});
        QCOMPARE(p.console.aliasList()[0].second, std::string("echo a; echo b"));
        const std::vector<KeyBinding> bound{{"F6", "toggle t.archived 1 2"}};
        QVERIFY(p.console.bindings() == bound);
        // Unchanged: not written again.
        const auto before = std::filesystem::last_write_time(p.config.file());
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(std::filesystem::last_write_time(p.config.file()) == before);
        // Lines with a secret in them, or behind a name for one, are not for a file.
        (void)p.console.cvars().add<std::string>("t.secret", "", "Not told.",
                                                 {.flags = CVarFlags::Protected});
        QVERIFY(
            p.console.execute("alias pw t.secret; alias in \"echo a; pw hunter2\"; bind F7 t.secret hunter2")
                .ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("hunter2") == std::string::npos);
        QVERIFY(p.text().find("alias pw t.secret") != std::string::npos);
        // Nor afterwards, when nothing in them tells a secret any more.
        QVERIFY(p.console.execute("bind F8 pw hunter2; bind F9 say hunter2; alias say pw; unalias pw").ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("hunter2") == std::string::npos);
        QCOMPARE(p.console.aliasList(true).size(), std::size_t{2}); // two and say
        QVERIFY(p.console.execute("alias pw t.secret; alias in \"pw hunter2\"; alias pw echo").ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("hunter2") == std::string::npos);
        QVERIFY(p.console.execute("alias in echo a").ok); // another line, kept again
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("alias in \"echo a\"") != std::string::npos);
        // The CVar may come later than the line.
        QVERIFY(p.console.execute("bind F10 t.late hunter2").ok);
        (void)p.console.cvars().add<std::string>("t.late", "", "Not told.", {.flags = CVarFlags::Protected});
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("hunter2") == std::string::npos);
        QVERIFY(
            p.console
                .execute("unalias pw; unalias in; unalias say; unbind F7; unbind F8; unbind F9; unbind F10")
                .ok);
        // The least that says the same.
        QVERIFY(p.console.execute("reset t.archived all; reset t.place all; unalias two; unbind F6").ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(p.text().find("archived") == std::string::npos
                && p.text().find("alias") == std::string::npos);
        QVERIFY(p.text().find("t.name") != std::string::npos);
    }

    void whatAnotherProgramKeepsIsLeftAlone() {
        QTemporaryDir folder;
        {
            Program editor(folder);
            editor.console.cvars().add<bool>("render.grid", false, "Lines.", {.flags = CVarFlags::Archive});
            QVERIFY(editor.console.execute("render.grid true; t.archived 3").ok);
            QVERIFY(editor.config.save(editor.console).ok());
        }
        Program player(folder);
        player.config.load(player.console);
        QVERIFY(player.console.execute("t.archived 4").ok);
        QVERIFY(player.config.save(player.console).ok());
        QVERIFY(player.text().find("render.grid true\n") != std::string::npos);
        QVERIFY(player.text().find("t.archived 4\n") != std::string::npos);
        QCOMPARE(player.warnings(), std::size_t{0});
    }

    void aBadLineCostsItself() {
        QTemporaryDir folder;
        Program p(folder);
        std::filesystem::create_directories(p.config.file().parent_path());
        std::ofstream(p.config.file())
            << "// mine\nt.archived 500\nt.name bob\nwhat is this\nbind nokey x\n\xFF\xFE\n";
        p.config.load(p.console);
        QCOMPARE(p.warnings(), std::size_t{4});
        QVERIFY(p.console.cvars().describe("t.name")->value == Value(std::string("bob")));
        QVERIFY(p.console.cvars().describe("t.archived")->isDefault());
        const std::vector<LogRecord> log = p.log.since(0);
        QVERIFY(log.front().text.find("user.cfg:2: ") == 0);
        QVERIFY(log.front().text.find("100") != std::string::npos);
    }

    void aScriptsNamesAreNotKept() {
        QTemporaryDir folder;
        Program p(folder);
        const QString script = folder.filePath(QStringLiteral("level.cfg"));
        std::ofstream(script.toStdString()) << "alias jump echo up\nbind g jump\n";
        QVERIFY(p.console.execFile(script.toStdString()).ok);
        QCOMPARE(p.console.bindings().size(), std::size_t{1});
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY(!std::filesystem::exists(p.config.file()));
    }

    // What a script binds or names in the user's place is in force until the program ends; the user's own stays in the file.
    void aScriptDoesNotTakeTheUsersOwn() {
        QTemporaryDir folder;
        const QString script = folder.filePath(QStringLiteral("level.cfg"));
        std::ofstream(script.toStdString()) << "bind F6 echo level\nunbind F7\nalias go echo level\nunalias two\nbind F8 echo level\n";
        const std::string own = "alias go \"echo mine\"\nalias two \"echo 2\"\nbind F6 \"echo mine\"\nbind F7 \"echo 7\"\n";
        {
            Program p(folder);
            QVERIFY(p.console.execute("bind F6 echo mine; bind F7 echo 7; alias go echo mine; alias two echo 2").ok);
            QVERIFY(p.console.execFile(script.toStdString()).ok);
            const std::vector<KeyBinding> inForce{{"F6", "echo level"}, {"F8", "echo level"}};
            QVERIFY(p.console.bindings() == inForce);
            QVERIFY(!p.console.execute("two").ok);
            QCOMPARE(p.console.execute("go").lines.front(), std::string("level"));
            QVERIFY(p.console.execFile(script.toStdString()).ok == false); // nothing is left of F7 and two to take away
            QVERIFY(p.config.save(p.console).ok());
            QVERIFY2(p.text().ends_with(own), p.text().c_str());
        }
        Program p(folder);
        p.config.load(p.console);
        QCOMPARE(p.console.bindings().size(), std::size_t{2});
        QVERIFY(p.console.execFile(script.toStdString()).ok);
        // The user's word on the key is the last.
        QVERIFY(p.console.execute("bind F6 echo new; unbind F7; unalias go").ok);
        QVERIFY(!p.console.execute("unbind F7").ok);
        QVERIFY(p.config.save(p.console).ok());
        QVERIFY2(p.text().ends_with("alias two \"echo 2\"\nbind F6 \"echo new\"\n"), p.text().c_str());
    }

    // Lines of one's own are the user's word: above the project's, below the command line's.
    void autoexecIsTheUsers() {
        QTemporaryDir folder;
        Program p(folder);
        std::filesystem::create_directories(p.config.autoexec().parent_path());
        std::ofstream(p.config.autoexec()) << "t.archived 7\nt.passing 8\nt.name carl\n";
        CVarRegistry& cvars = p.console.cvars();
        QVERIFY(cvars.setValue("t.archived", Value(std::int64_t(3)), CVarSource::CommandLine).ok());
        QVERIFY(cvars.setValue("t.passing", Value(std::int64_t(4)), CVarSource::Project).ok());
        QVERIFY(p.console.execFile(p.config.autoexec().string(), CVarSource::User).ok);
        QVERIFY(cvars.describe("t.archived")->value == Value(std::int64_t(3)));
        QVERIFY(cvars.describe("t.passing")->value == Value(std::int64_t(8)));
        const CVarInfo name = *cvars.describe("t.name");
        QVERIFY(name.value == Value(std::string("carl")));
        QCOMPARE(name.lastSetBy, CVarSource::User);
        QCOMPARE(name.origin.place, std::string("autoexec.cfg:3"));
        QVERIFY(p.console.execute("t.archived 9").ok); // the console is above both
        QVERIFY(cvars.describe("t.archived")->value == Value(std::int64_t(9)));
    }
};

QTEST_GUILESS_MAIN(TestUserConfig)
#include "tst_user_config.moc"
