// Keys and names for lines, where a value came from, secrets, cheats and a server's values.
#include <QtTest>

#include "engine/core/key_name.h"
#include "engine/core/match.h"
#include "engine/core/names.h"
#include "tests/contains.h"
#include "tests/core/console_fixture.h"

using namespace sbx;

using Fixture = test::ConsoleFixture;

class TestConsoleKeys : public QObject {
    Q_OBJECT
private slots:
    void keysHaveOneSpelling_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("name"); // empty: refused
        const auto row = [](const char* typed, const char* name) {
            QTest::newRow(typed) << QByteArray(typed) << QByteArray(name);
        };
        row("g", "G");
        row("F6", "F6");
        row("f12", "F12");
        row("f24", "F24");
        row("f25", "");
        row("f0", "");
        row("ctrl+shift+g", "Ctrl+Shift+G");
        row("SHIFT+Control+g", "Ctrl+Shift+G");
        row("alt+meta+pageup", "Alt+Meta+PgUp");
        row("space", "Space");
        row("escape", "Esc");
        row("ctrl+-", "Ctrl+-");
        row("", "");
        row("ctrl+", "");
        row("ctrl+ctrl+g", "");
        row("hyper+g", "");
        row("gg", "");
        row("spcae", "");
        row("+", "");
        row("\xC3\xA9", "");
    }
    void keysHaveOneSpelling() {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, name);
        const Result<std::string> key = keyName(typed.toStdString());
        QCOMPARE(key.ok(), !name.isEmpty());
        if (key)
            QCOMPARE(QByteArray::fromStdString(*key), name);
        else
            CONTAINS(key.error().message, "is no key");
    }
    void aMistypedKeyIsAnsweredWithTheNearest() {
        CONTAINS(keyName("ctrl+spcae").error().message, "did you mean Space?");
    }

    void aPartOfANameIsNearerThanATypingError() {
        QCOMPARE(closestNames("clear", {"near", "alias", "trace.clear", "console.clear", "cleaf"}, 3),
                 (std::vector<std::string>{"cleaf", "trace.clear", "console.clear"}));
        QCOMPARE(closestNames("gravty", {"grep", "graph.dump", "raise", "sim.gravity"}, 1), std::vector<std::string>{"sim.gravity"});
    }

    void bindKeepsLines() {
        Fixture f;
        CONTAINS(f.run("bind"), "no key is bound");
        const std::uint64_t before = f.console.bindingRevision();
        QCOMPARE(f.run("bind ctrl+g \"inc render.detail; echo more\""), std::string());
        QVERIFY(f.console.bindingRevision() > before);
        const std::vector<KeyBinding> expected{{"Ctrl+G", "inc render.detail; echo more"}};
        QVERIFY(f.console.bindings() == expected);
        CONTAINS(f.run("bind CTRL+g"), "Ctrl+G runs: inc render.detail; echo more");
        CONTAINS(f.run("list bindings"), "Ctrl+G  inc render.detail");
        // A key runs one line: the last it was given, however it was spelt.
        QCOMPARE(f.run("bind control+g echo first; bind Ctrl+G \"echo second\""), std::string());
        QCOMPARE(f.console.bindings().size(), std::size_t{1});
        CONTAINS(f.run("bind ctrl+g"), "Ctrl+G runs: echo second");
        CONTAINS(f.run("bind x+y z"), "is no key");
        CONTAINS(f.run("bind Ctrl echo"), "\"Ctrl\" alone is no key; expected one behind it, such as Ctrl+G");
        CONTAINS(f.run("bind ctrl+shift echo"), "\"shift\" alone is no key");
        CONTAINS(f.run("bind F7"), "bound to no line");
        QCOMPARE(f.console.complete("unbind c", 8).candidates.front().text, std::string("Ctrl+G"));
        QCOMPARE(f.run("unbind Ctrl+G"), std::string());
        CONTAINS(f.run("unbind Ctrl+G"), "bound to no line");
        QVERIFY(f.console.bindings().empty());
    }
    void bindRefusesKeysThatMeanSomethingElse() {
        Fixture f;
        f.console.setTakenKeys({{"Ctrl+S", "Save (file.save)"}});
        CONTAINS(f.run("bind ctrl+s echo no"), "Ctrl+S is taken by Save (file.save)");
        QVERIFY(f.console.bindings().empty());
    }

    void toggleGoesRoundTheValuesGiven() {
        Fixture f;
        QCOMPARE(f.run("toggle render.detail 1 2 4"), std::string("render.detail = 2 (was 1)"));
        QCOMPARE(f.run("toggle render.detail 1 2 4"), std::string("render.detail = 4 (was 2)"));
        QCOMPARE(f.run("toggle render.detail 1 2 4"), std::string("render.detail = 1 (was 4)"));
        (void)f.run("render.detail 7");
        QCOMPARE(f.run("toggle render.detail 2 4"),
                 std::string("render.detail = 2 (was 7)")); // not among them: the first
        CONTAINS(f.run("toggle render.detail 2"), "expected two or more");
        CONTAINS(f.run("toggle render.detail 2 99"), "[1, 8]");
        CONTAINS(f.run("toggle render.detail"), "values to go round");
    }

    void lastSetByTellsSourcePlaceAndTick() {
        Fixture f;
        std::uint64_t tick = 12;
        f.console.setTickProvider([&] { return tick; });
        (void)f.run("render.detail 3");
        CONTAINS(f.run("render.detail"), "set by console at tick 12)");
        QTemporaryDir folder;
        QFile script(folder.filePath(QStringLiteral("boot.cfg")));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("// detail\nrender.detail 4\n");
        script.close();
        tick = 20;
        QVERIFY(f.console.execFile(script.fileName().toStdString()).ok);
        CONTAINS(f.run("render.detail"), "set by console (boot.cfg:2) at tick 20)");
        (void)f.run("reset render.detail");
        CONTAINS(f.run("render.detail"), "(default 1, set by default)");
        QVERIFY(f.console.cvars()
                    .set("render.detail", "5", CVarSource::CommandLine, {"--render.detail", {}})
                    .ok());
        CONTAINS(f.run("render.detail"), "set by command line (--render.detail))");
        SourceEntry entry;
        entry.key = "sim.gravity";
        entry.keyRegion = {7, 1, 7, 12};
        entry.value.kind = SourceValue::Kind::Float;
        entry.value.number = 3.0;
        Diagnostics sink;
        QVERIFY(f.console.cvars().setFromSource(entry, CVarSource::Project, sink, "/a/b/project.toml"));
        CONTAINS(f.run("sim.gravity"), "set by project (project.toml:7))");
    }

    void secretsAreNeverShown() {
        Fixture f;
        CONTAINS(f.run("net.password hunter2"), "***");
        QCOMPARE(f.password.get(), std::string("hunter2"));
        QVERIFY(!f.logged("hunter2"));
        for (const char* line :
             {"net.password", "list cvars net", "differences", "find password", "help net.password"})
            QVERIFY(f.run(line).find("hunter2") == std::string::npos);
        QCOMPARE(f.console.masked("echo a; net.password \"x y\" ; echo b"),
                 std::string("echo a; net.password *** ; echo b"));
        QCOMPARE(f.console.masked("net.password=x"), std::string("net.password=***"));
        QCOMPARE(f.console.masked("echo net.password x"), std::string("echo net.password x"));
        // Nor where a line is only kept for later, or goes round.
        QCOMPARE(f.console.masked("toggle net.password one two"), std::string("toggle net.password ***"));
        QCOMPARE(f.console.masked("alias in \"net.password x; echo b\"; echo c"),
                 std::string("alias in \"net.password ***; echo b\"; echo c"));
        QCOMPARE(f.console.masked("bind F6 net.password x"), std::string("bind F6 net.password ***"));
        QCOMPARE(f.console.masked("alias in \"render.detail 2\""),
                 std::string("alias in \"render.detail 2\""));
        QVERIFY(f.console.cvars().archive().empty());
        for (const CompletionCandidate& candidate : f.console.complete("net.password ", 13).candidates)
            QVERIFY(candidate.text.find("hunter2") == std::string::npos);
        QCOMPARE(f.console.complete("net.pass", 8).candidates.front().value, std::string("***"));
    }

    // Nor where lines that are kept for later are shown, nor behind an alias of the CVar's.
    void secretsInKeptLinesAreNeverShown() {
        Fixture f;
        (void)f.run("alias in \"net.password hunter2; echo in\"; bind F6 net.password hunter2; alias pw "
                    "net.password; alias two pw");
        (void)f.run("alias say echo; bind F7 pw hunter2; bind F8 echo open");
        for (const char* line : {"alias", "alias in", "help in", "list aliases", "bind", "bind F6", "bind F7",
                                 "list bindings", "list bindings hunter"}) {
            const std::string shown = f.run(line);
            QVERIFY2(shown.find("hunter2") == std::string::npos, (std::string(line) + ": " + shown).c_str());
        }
        CONTAINS(f.run("alias in"), "in is an alias for: net.password ***; echo in");
        CONTAINS(f.run("bind F6"), "F6 runs: net.password ***");
        CONTAINS(f.run("bind F8"), "F8 runs: echo open");
        for (const char* typed : {"in", "unbind F", "alia"})
            for (const CompletionCandidate& candidate :
                 f.console.complete(typed, std::string_view(typed).size()).candidates)
                QVERIFY((candidate.text + candidate.value + candidate.doc).find("hunter2")
                        == std::string::npos);
        QCOMPARE(f.console.masked("pw hunter2; echo a"), std::string("pw ***; echo a"));
        // What a key will do one day changes no alias now.
        QCOMPARE(f.console.masked("bind F9 \"alias pw echo\"; pw hunter2"),
                 std::string("bind F9 \"alias pw echo\"; pw ***"));
        QCOMPARE(f.console.masked("pw=hunter2"), std::string("pw=***"));
        QCOMPARE(f.console.masked("two \"hunter2 x\""), std::string("two ***"));
        QCOMPARE(f.console.masked("pw ***"), std::string("pw ***"));
        QCOMPARE(f.console.masked("bind F9 pw hunter2"), std::string("bind F9 pw ***"));
        QCOMPARE(f.console.masked("say hunter2; in"), std::string("say hunter2; in"));
        // A name that the same line gives.
        QCOMPARE(f.console.masked("alias ps net.password; ps hunter2; echo a"),
                 std::string("alias ps net.password; ps ***; echo a"));
        QCOMPARE(f.console.masked("bind F9 \"alias ps net.password; ps hunter2\""),
                 std::string("bind F9 \"alias ps net.password; ps ***\""));
        QCOMPARE(f.console.masked("alias say pw; say hunter2"), std::string("alias say pw; say ***"));
        (void)f.run("pw hunter2");
        QCOMPARE(f.password.get(), std::string("hunter2"));
        QVERIFY(!f.logged("hunter2"));
        (void)f.run("alias in2 \"net.password hunter2\"; in; in2");
        QVERIFY(!f.logged("hunter2"));
        // Aliases that run each other end, whatever stands behind them.
        (void)f.run("alias a b; alias b a");
        QVERIFY(!f.console.masked("a x").empty());
        std::string many;
        for (int i = 0; i < 2000; ++i)
            many += "a x;";
        (void)f.run("alias b \"" + many + "\"");
        QVERIFY(!f.console.masked(many).empty());
    }

    // A file's 9.81 is a float's 9.81, though the one is read as a double.
    // What ran as the alias told a secret; as the command of that name it looks harmless.
    void aCommandThatTakesAnAliasNameForgetsItsSecrets() {
        Fixture f;
        (void)f.run("bind F9 pw hunter2; bind F10 echo a; alias in pw hunter2; alias pw net.password");
        QCOMPARE(f.console.bindings(true).size(), std::size_t(2));
        f.console.commands().add("pw", "A plugin's.", {{.name = "x", .doc = "", .type = ArgumentType::Rest}},
                                 [](CommandContext&, const CommandArguments&) { return Result<void>(); });
        QCOMPARE(f.console.masked("pw hunter2"), std::string("pw hunter2"));
        QCOMPARE(f.console.bindings(true), (std::vector<KeyBinding>{{"F10", "echo a"}}));
        QCOMPARE(f.console.bindings().size(), std::size_t(2)); // it still runs
        QCOMPARE(f.console.aliasList(true),
                 (std::vector<std::pair<std::string, std::string>>{{"pw", "net.password"}}));
    }
    void whatEqualsTheDefaultIsNoDifference() {
        Fixture f;
        SourceEntry entry;
        entry.key = "sim.gravity";
        entry.value.kind = SourceValue::Kind::Float;
        entry.value.number = 9.81;
        Diagnostics sink;
        QVERIFY(f.console.cvars().setFromSource(entry, CVarSource::Project, sink, "project.toml"));
        QCOMPARE(f.run("differences"), std::string("every CVar is at its default"));
        CONTAINS(f.run("sim.gravity 9.81"), "(as before)");
        (void)f.run("sim.gravity 0.1; inc sim.gravity 0.2");
        QVERIFY(f.console.cvars().describe("sim.gravity")->value == Value(0.3));
        QCOMPARE(f.gravity.get(), 0.3F);
    }
    // Whichever way it is changed, and only if it is.
    void changesOfANotifyCVarAreTold() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<bool>("sim.open", false, "Told.", {.flags = CVarFlags::Notify | CVarFlags::Replicated});
        std::vector<std::string> expected;
        const auto told = [&] {
            std::vector<std::string> out;
            for (const LogRecord& record : f.log.since(0))
                if (record.channel == "cvar")
                    out.push_back(record.text);
            return out;
        };
        (void)f.run("sim.open true; sim.open true");
        expected.emplace_back("sim.open = true, set by console");
        QCOMPARE(told(), expected);
        (void)f.run("toggle sim.open");
        expected.emplace_back("sim.open = false, set by console");
        QCOMPARE(told(), expected);
        QVERIFY(cvars.set("sim.open", "true", CVarSource::Project, {"project.toml:3", {}}).ok());
        QCOMPARE(told(), expected); // the console's is in force
        (void)f.run("reset sim.open");
        expected.emplace_back("sim.open = true, set by project (project.toml:3)");
        QCOMPARE(told(), expected);
        cvars.setFollowing(true);
        QVERIFY(cvars.follow("sim.open", Value(false)).ok());
        expected.emplace_back("sim.open = false, set by the server");
        QCOMPARE(told(), expected);
        CONTAINS(f.run("sim.open"), "sim.open = false  (default false, set by the server)");
        CONTAINS(f.run("reset sim.open"), "sim.open = false (the server)");
        QVERIFY(cvars.follow("sim.gravity", Value(5.0)).ok());
        CONTAINS(f.run("differences"), "default 9.81 m/s², set by the server");
        (void)f.run("render.detail 2");
        QCOMPARE(told(), expected);
    }
    // What one wants to set while a higher source holds is kept, and said to be.
    void toggleAndIncSayWhatHolds() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<bool>("render.fast", false, "Speed.", {.flags = CVarFlags::Latched});
        CONTAINS(f.run("inc render.detail 2"), "render.detail = 3 (was 1)");
        for (const ConsoleReply& reply : {f.console.execute("inc render.detail", CVarSource::User),
                                          f.console.execute("toggle render.detail 1 2", CVarSource::User)}) {
            QCOMPARE(reply.lines.size(), std::size_t(1));
            CONTAINS(reply.lines[0], "render.detail = 3 as the console set it; ");
        }
        CONTAINS(f.run("toggle render.fast"), "render.fast is latched: true from the next Play; now false");
    }

    // The program adapts a value that nobody set: that is no default, and says so.
    void whatTheProgramAdaptedIsItsOwn() {
        Fixture f;
        f.detail.publish(4);
        CONTAINS(f.run("render.detail"), "render.detail = 4  (default 1, set by the program)");
        CONTAINS(f.run("differences"), "set by the program");
        CONTAINS(f.run("render.detail 2; render.detail"), "set by console");
        (void)f.run("reset render.detail");
        f.detail.publish(1);
        CONTAINS(f.run("render.detail"), "set by default)");
    }
    void cheatsFallBackWhenTheyAreForbidden() {
        Fixture f;
        (void)f.run("sim.gravity 1");
        f.console.cvars().allowCheats(false);
        QCOMPARE(f.gravity.get(), 9.81F);
        CONTAINS(f.run("sim.gravity 1"), "sim.cheats");
        QCOMPARE(f.gravity.get(), 9.81F);
        f.console.cvars().allowCheats(true);
        (void)f.run("sim.gravity 1");
        QCOMPARE(f.gravity.get(), 1.0F);
    }

    void aClientFollowsItsServer() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        (void)f.run("sim.gravity 1");
        QVERIFY(!cvars.follow("sim.gravity", Value(5.0)).ok()); // not while it stands alone
        cvars.setFollowing(true);
        QVERIFY(cvars.follow("sim.gravity", Value(5.0)).ok());
        QCOMPARE(f.gravity.get(), 5.0F);
        CONTAINS(f.run("sim.gravity 2"), "set by the server");
        QVERIFY(!cvars.follow("sim.gravity", Value(500.0)).ok()); // a server is not believed blindly
        QVERIFY(!cvars.follow("render.detail", Value(std::int64_t{2})).ok());
        QCOMPARE(f.gravity.get(), 5.0F);
        CONTAINS(f.run("render.detail 2"), "render.detail = 2");
        cvars.setFollowing(false);
        QCOMPARE(f.gravity.get(), 1.0F); // what was set here before
    }

    void condumpWritesTheLog() {
        Fixture f;
        QTemporaryDir folder;
        f.console.setBaseFolder(folder.path().toStdString());
        (void)f.run("echo hello; net.password hunter2");
        CONTAINS(f.run("condump log.txt"), "log.txt");
        QFile file(folder.filePath(QStringLiteral("log.txt")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("info [console] hello\n"));
        QVERIFY(!text.contains("hunter2"));
        CONTAINS(f.run("condump /nonexistent/x"), "cannot write");
    }

    void entitiesAreNamedAfterTheirType() {
        QCOMPARE(baseNameOf("HeavyCrate"), std::string("heavy_crate"));
        QCOMPARE(baseNameOf("HTTPServer"), std::string("http_server"));
        QCOMPARE(baseNameOf("Level2Boss"), std::string("level2_boss"));
        QCOMPARE(baseNameOf("crate"), std::string("crate"));
        QCOMPARE(baseNameOf("a.b"), std::string("entity"));
        QCOMPARE(baseNameOf(""), std::string("entity"));
        QCOMPARE(baseNameOf(std::string(200, 'a')), std::string("entity"));
    }
};

QTEST_GUILESS_MAIN(TestConsoleKeys)
#include "tst_console_keys.moc"
