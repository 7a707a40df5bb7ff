#include <QtTest>

#include "engine/core/console.h"
#include "engine/core/match.h"
#include "engine/core/typed_command.h"
#include "tests/counted_allocations.h"

#include <fstream>
#include <thread>

using namespace sbx;

namespace {

enum class Quality { Low, Medium, High };

std::string joined(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines)
        out += (out.empty() ? "" : "\n") + line;
    return out;
}

struct Fixture {
    Log log;
    Console console{log};
    CVar<float> gravity = console.cvars().add<float>("sim.gravity", 9.81F, "Pull on every body.",
                                                     {.unit = "m/s²", .minimum = 0, .maximum = 100});
    CVar<float> gravityScale = console.cvars().add<float>("sim.gravityScale", 1.0F, "Share of gravity.");
    CVar<int> tickRate = console.cvars().add<int>("sim.tickRate", 60, "Ticks a second.",
                                                  {.minimum = 1, .flags = CVarFlags::Latched});
    CVar<bool> shadows = console.cvars().add<bool>("render.shadows", true, "Whether the sun casts shadows.");
    CVar<Quality> quality = console.cvars().add<Quality>("render.quality", Quality::Medium, "How fine.",
                                                         {.choices = {"low", "medium", "high"}});
    CVar<std::string> title = console.cvars().add<std::string>("app.title", "Signalbox", "Window title.");
    CVar<Vec3> wind = console.cvars().add<Vec3>("sim.wind", Vec3(0), "Wind.", {.unit = "m/s"});
    std::vector<CommandArguments> calls;

    Fixture() {
        console.commands().add("select", "Selects entities.",
                               {{"name", "Which.", ArgumentType::Entity, {}, false, true}},
                               [this](CommandContext&, const CommandArguments& a) -> Result<void> {
                                   calls.push_back(a);
                                   return {};
                               });
        console.commands().add("expect", "Checks an expression.",
                               {{"expression", "What must hold.", ArgumentType::Rest}},
                               [this](CommandContext&, const CommandArguments& a) -> Result<void> {
                                   calls.push_back(a);
                                   return {};
                               });
        console.commands().add("wait", "Lets ticks pass.",
                               {{"ticks", "How many.", ArgumentType::Integer, {}, false, false, 0, 1e6}},
                               [](CommandContext& c, const CommandArguments& a) -> Result<void> {
                                   c.deferTicks(std::stoull(a.front()));
                                   return {};
                               });
        console.commands().add("count", "Counts lines.", {},
                               [](CommandContext& c, const CommandArguments&) -> Result<void> {
                                   c.print(std::to_string(c.input().size()));
                                   return {};
                               });
        console.commands().add("camera.mode", "How the camera moves.",
                               {{"mode", "The way.", ArgumentType::Choice, {"fly", "follow", "fixed"}}},
                               [](CommandContext&, const CommandArguments&) -> Result<void> { return {}; });
        console.setNameProvider([](TextRole role) -> std::vector<std::string> {
            if (role == TextRole::EntityName)
                return {"crate_1", "crate_2", "ball", "old door"};
            return {};
        });
    }
    std::string run(std::string_view line) { return joined(console.execute(line).lines); }
    std::vector<std::string> candidates(std::string_view text) const {
        std::vector<std::string> out;
        for (const auto& candidate : console.complete(text, text.size()).candidates)
            out.push_back(candidate.text);
        return out;
    }
};

void writeFile(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
}

} // namespace

namespace {
Result<void> plainFunction(CommandContext& context, std::int64_t wide) {
    context.print(std::to_string(wide + 1));
    return {};
}
} // namespace

class TestConsole : public QObject {
    Q_OBJECT
private slots:
    void lines_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("ok");
        QTest::addColumn<QByteArray>("mention"); // in the reply; empty: no reply at all
        const auto row = [](const char* name, const char* line, bool ok, const char* mention) {
            QTest::newRow(name) << QByteArray(line) << ok << QByteArray(mention);
        };
        row("empty", "", true, "");
        row("blank", "  \t ", true, "");
        row("comment", "// nothing", true, "");
        row("semicolons", ";;;", true, "");
        row("print", "sim.gravity", true, "sim.gravity = 9.81 m/s²  (default 9.81 m/s², set by default)");
        row("print doc", "sim.gravity", true, "Pull on every body.");
        row("print range", "sim.gravity", true, "a number in [0, 100] m/s²");
        row("set by space", "sim.gravity 5", true, "sim.gravity = 5.0 m/s² (was 9.81 m/s²)");
        row("set by sign", "sim.gravity=5", true, "sim.gravity = 5.0");
        row("set by sign and spaces", "  sim.gravity  =  5  ", true, "sim.gravity = 5.0");
        row("set then comment", "sim.gravity 5 // slow", true, "sim.gravity = 5.0");
        row("two", "sim.gravity 5; sim.gravity", true, "set by console");
        row("range", "sim.gravity 500", false,
            "error: sim.gravity: 500 is out of range; expected a number in [0, 100] m/s²");
        row("type", "sim.gravity=fast", false, "expected a number in [0, 100]");
        row("no value", "sim.gravity=", false, "there is no value after =");
        row("compares", "sim.gravity == 5", false, "expected one = to set");
        row("bar on CVar", "sim.gravity|5", false, "is a CVar, not a command");
        row("unknown near", "sim.gravty", false, "did you mean sim.gravity");
        row("unknown three", "sim.gravty", false, "did you mean sim.gravity, sim.gravityScale or sim.");
        row("unknown part", "gravity", false, "did you mean sim.gravity, sim.gravityScale or ");
        row("unknown far", "qqqqqqqq", false, "did you mean ");
        row("unknown command", "hlep", false, "did you mean help, ");
        row("unknown set", "render.shadow=1", false, "render.shadows");
        row("enum", "render.quality high", true, "render.quality = high (was medium)");
        row("enum wrong", "render.quality ultra", false, "one of low, medium, high");
        row("vector", "sim.wind [1, 2, 3]", true, "sim.wind = [1.0, 2.0, 3.0] m/s");
        row("vector bare", "sim.wind 1 2 3", true, "[1.0, 2.0, 3.0]");
        row("text quoted", "app.title \"a; b // c | d\"", true, "app.title = \"a; b // c | d\"");
        row("text escaped", "app.title = \"say \\\"hi\\\" \\\\\"", true,
            "app.title = \"say \\\"hi\\\" \\\\\"");
        row("text bare", "app.title Two Words", true, "app.title = \"Two Words\"");
        row("text emptied", "app.title \"\"", true, "app.title = \"\"");
        row("latched", "sim.tickRate 120", true, "latched: 120 from the next Play; now 60");
        row("command", "echo hello  world", true, "hello world");
        row("command bar", "echo|hello", true, "hello");
        row("command bar spaces", "echo|  a b", true, "a b");
        row("command quotes", "echo \"a  b\" c", true, "a  b c");
        row("command with sign", "echo = 5", true, "= 5");
        row("command assigned", "echo=5", false, "echo is a command, not a CVar");
        row("pipe", "list cvars | grep sim.wind | count", true, "1");
        row("pipe of CVar", "sim.gravity | count", true, "3");
        row("pipe into CVar", "echo 5 | sim.gravity 4", false, "takes no input");
        row("bar and pipe", "find|gravity | count", true, "2");
        row("pipe to nothing", "echo a |", false, "nothing beside the |");
        row("pipe from nothing", " | echo", false, "");
        row("too many", "help a b", false, "too many arguments; expected help [NAME]");
        row("missing", "reset", false, "name is missing; expected reset NAME [all]");
        row("argument type", "wait soon", false, "expected a whole number in [0, 1e+06]");
        row("argument range", "wait -1", false, "out of range");
        row("choice", "camera.mode fyl", false, "did you mean fly");
        row("open quote", "echo \"abc", false, "the quotes are not closed");
        row("lone quote", "\"", false, "the quotes are not closed");
        row("quoted name", "\"sim.gravity\"", false, "no CVar or command");
        row("only signs", "=|=", false, "no CVar or command");
        row("help", "help", true, "find TEXT");
        row("help command", "help toggle", true, "toggle NAME");
        row("help cvar", "help sim.gravity", true, "Pull on every body.");
        row("help unknown", "help sim.gravty", false, "did you mean sim.gravity");
        row("find in doc", "find CASTS", true, "render.shadows");
        row("find nothing", "find zzz", true, "nothing is named");
        row("list wrong", "list things", false,
            "expected one of cvars, commands, aliases, bindings, entities");
        row("list entities", "list entities crate", true, "crate_2");
        row("toggle bool", "toggle render.shadows", true, "render.shadows = false");
        row("toggle enum", "toggle render.quality", true, "render.quality = high");
        row("toggle number", "toggle sim.gravity", false, "cannot be toggled");
        row("inc", "inc sim.gravity -1.81", true, "sim.gravity = 8.0");
        row("inc out of range", "inc sim.gravity 1000", false, "out of range");
        row("reset", "sim.gravity 5; reset sim.gravity", true, "sim.gravity = 9.81 m/s² (default)");
        row("reset unknown", "reset sim.gravit", false, "did you mean sim.gravity");
        row("differences", "sim.gravity 5; differences", true, "default 9.81 m/s², set by console");
        row("differences to come", "sim.tickRate 30; differences", true, "30 from the next Play, default 60");
        row("no differences", "differences", true, "every CVar is at its default");
        row("alias", "alias hi \"echo a; echo b\"; hi", true, "a\nb");
        row("alias with arguments", "alias say echo; say x y", true, "x y");
        row("alias of a name", "alias sim.gravity echo", false, "is a CVar or command already");
        row("alias in a pipe", "alias hi echo a; hi | count", false, "cannot stand in a pipe");
        row("alias of itself", "alias a a; a", false, "nested more than 16 deep");
        row("alias that doubles", "alias a \"a; a\"; a", false, "nested more than 16 deep");
        row("unalias unknown", "unalias x", false, "there is no alias");
        row("exec missing", "exec /no/such/file.cfg", false, "there is no such file");
        row("exec folder", "exec /tmp", false, "this is not a file");
        row("control characters", "echo \x01\x02\x1b[31m", true, "\x01");
        row("invalid UTF-8", "\xff\xfe\xfd", false,
            "error: byte 1 of the statement is no text; expected UTF-8 without zero bytes");
        row("half a character", "echo 1; echo a \xc3", false, "error: byte 8 of the statement is no text");
        row("the others run", "echo \xc3; echo fine", false, "fine");
        row("in quotes too", "echo \"\xed\xa0\x80\"", false, "error: byte 7 of the statement is no text");
        row("kept for later", "alias x \"echo \xff\"", false, "error: byte 15 of the statement is no text");
        row("whole characters", "echo \xc3\xa9\xf0\x9f\x8e\x88", true, "\xc3\xa9\xf0\x9f\x8e\x88");
        row("comments are as they are", "echo fine // gr\xf6\xdf" "er", true, "fine");
        row("line ends", "sim.gravity 4\nsim.gravity", true, "set by console");
    }
    void lines() {
        QFETCH(QByteArray, line);
        QFETCH(bool, ok);
        QFETCH(QByteArray, mention);
        Fixture f;
        const ConsoleReply reply = f.console.execute(line.toStdString());
        const std::string text = joined(reply.lines);
        QVERIFY2(reply.ok == ok, text.c_str());
        QVERIFY2(text.find(mention.toStdString()) != std::string::npos, text.c_str());
        if (mention.isEmpty() && ok)
            QVERIFY2(text.empty(), text.c_str());
    }

    void restIsHandedOverAsWritten() {
        Fixture f;
        QVERIFY(f.console.execute(R"(expect count(type == "Crate") >= 10 || a.b == "x; y" // really)").ok);
        QCOMPARE(f.calls.size(), std::size_t{1});
        QCOMPARE(f.calls[0], CommandArguments{R"(count(type == "Crate") >= 10 || a.b == "x; y")"});
    }

    void sourcesAndOverrides() {
        Fixture f;
        QVERIFY(f.console.execute("sim.gravity 3", CVarSource::Console).ok);
        const ConsoleReply reply = f.console.execute("sim.gravity 4", CVarSource::Project);
        QVERIFY(reply.ok);
        QVERIFY2(joined(reply.lines).find("4.0 m/s² is kept as the project value") != std::string::npos,
                 joined(reply.lines).c_str());
        QCOMPARE(f.gravity.get(), 3.0F);
        QVERIFY(f.run("sim.gravity").find("also set, not in force: project 4.0 m/s²") != std::string::npos);
        QVERIFY(f.run("reset sim.gravity").find("(project)") != std::string::npos);
        QCOMPARE(f.gravity.get(), 4.0F);
        QVERIFY(f.run("reset sim.gravity all").find("(default)") != std::string::npos);
    }

    void aNameIsOneThing() {
        struct Violation {};
        Fixture f;
        const ContractHandler before =
            setContractHandler([](const ContractViolation&) { throw Violation{}; });
        const auto nothing = [](CommandContext&, const CommandArguments&) -> Result<void> { return {}; };
        QVERIFY_EXCEPTION_THROWN(f.console.commands().add("sim.gravity", "x", {}, nothing), Violation);
        QVERIFY_EXCEPTION_THROWN(f.console.commands().add("help", "x", {}, nothing), Violation);
        QVERIFY_EXCEPTION_THROWN((void)f.console.cvars().add<int>("camera.mode", 1, "x"), Violation);
        setContractHandler(before);
    }

    void waitHandsBackTheRest() {
        Fixture f;
        ConsoleReply reply = f.console.execute("echo a; wait 10; echo b; wait 5; echo c; wait 7");
        QCOMPARE(joined(reply.lines), std::string("a"));
        QVERIFY(reply.deferred.has_value());
        QCOMPARE(reply.deferred->ticks, std::uint64_t{10});
        reply = f.console.resume(std::move(*reply.deferred));
        QCOMPARE(joined(reply.lines), std::string("b"));
        QCOMPARE(reply.deferred->ticks, std::uint64_t{5});
        reply = f.console.resume(std::move(*reply.deferred));
        QCOMPARE(joined(reply.lines), std::string("c"));
        // Waiting at the end is waiting too: a script that only lets time pass does so.
        QCOMPARE(reply.deferred->ticks, std::uint64_t{7});
        reply = f.console.resume(std::move(*reply.deferred));
        QVERIFY(reply.ok && reply.lines.empty() && !reply.deferred.has_value());
    }

    void filesRunLineByLine() {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        QDir(folder.path()).mkdir(QStringLiteral("sub dir"));
        writeFile(
            base + "/main.cfg",
            "// a file\r\nsim.gravity 4\r\n\r\nexec \"sub dir/inner.cfg\"\nnonsense.name 1\necho end\n");
        writeFile(base + "/sub dir/inner.cfg", "echo inner; wait 3; echo later\nexec leaf.cfg\n");
        writeFile(base + "/sub dir/leaf.cfg", "sim.gravity 9999"); // no line end
        Fixture f;
        f.console.setBaseFolder(base);
        ConsoleReply reply = f.console.execFile("main.cfg");
        QVERIFY(reply.ok);
        QVERIFY(joined(reply.lines).find("inner") != std::string::npos);
        QCOMPARE(f.gravity.get(), 4.0F);
        QVERIFY(reply.deferred.has_value());
        reply = f.console.resume(std::move(*reply.deferred));
        QVERIFY(!reply.ok);
        QCOMPARE(reply.lines.size(), std::size_t{4});
        QCOMPARE(reply.lines[0], std::string("later"));
        QVERIFY(reply.lines[1].starts_with(
            base + "/sub dir/leaf.cfg:1: error: sim.gravity: 9999 is out of range"));
        QVERIFY(reply.lines[2].starts_with(base + "/main.cfg:5: error: there is no CVar or command"));
        QCOMPARE(reply.lines[3], std::string("end"));
    }

    void hostileFiles() {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        Fixture f;
        f.console.setBaseFolder(base);
        writeFile(base + "/self.cfg", "echo x\nexec self.cfg\n");
        ConsoleReply reply = f.console.execFile("self.cfg");
        QVERIFY(!reply.ok);
        QVERIFY2(reply.lines.back().find("self.cfg:2: error: exec is nested more than 16 deep")
                     != std::string::npos,
                 reply.lines.back().c_str());
        QVERIFY(reply.lines.size() < 20);
        writeFile(base + "/double.cfg", "exec double.cfg\nexec double.cfg\n");
        QVERIFY(!f.console.execFile("double.cfg").ok);
        writeFile(base + "/quote.cfg", "echo \"a\necho fine\n");
        reply = f.console.execFile("quote.cfg");
        QVERIFY(reply.lines.front().find("quote.cfg:1: error: the quotes are not closed")
                != std::string::npos);
        QCOMPARE(reply.lines.back(), std::string("fine"));
        writeFile(base + "/binary.cfg", std::string("\0\1\2\xff\n\0\0", 7));
        QVERIFY(!f.console.execFile("binary.cfg").ok);
        writeFile(base + "/long.cfg", std::string(1'000'000, 'x') + "\necho fine\n");
        reply = f.console.execFile("long.cfg");
        QVERIFY(reply.lines.front().find("long.cfg:1: error: the line is 1000000 bytes long")
                != std::string::npos);
        QCOMPARE(reply.lines.back(), std::string("fine"));
        writeFile(base + "/large.cfg", std::string(Console::LargestFile + 1, '\n'));
        QVERIFY(joined(f.console.execFile("large.cfg").lines).find("too large") != std::string::npos);
        writeFile(base + "/empty.cfg", "");
        QVERIFY(f.console.execFile("empty.cfg").ok);
    }

    void hugeLinesAreRefusedCheaply() {
        Fixture f;
        const std::size_t before = AllocatedBytes;
        QVERIFY(!f.console.execute(std::string(1'000'000, 'a')).ok);
        QVERIFY(!f.console.execute("echo " + std::string(1'000'000, '"')).ok);
        std::string many;
        for (int i = 0; i < 20'000; ++i)
            many += ";;\n";
        QVERIFY(f.console.execute(many).ok);
        const std::string longName(Console::LongestLine - 10, 'a');
        const ConsoleReply unknown = f.console.execute(longName);
        QVERIFY(!unknown.ok && unknown.lines.front().find("try find TEXT or list") != std::string::npos);
        QVERIFY(!f.console.execute("help " + longName).ok);
        QVERIFY(!f.console.execute("reset " + longName).ok);
        QVERIFY(!f.console.execute("render.quality " + longName).ok);
        for (const ConsoleReply& reply : {f.console.execute("sim.gravity " + longName)})
            QVERIFY(reply.lines.front().size() < 2000);
        (void)f.console.complete(std::string(1'000'000, 'a'), 1'000'000);
        // Some copies of each, no more.
        const std::size_t asked = AllocatedBytes - before;
        QVERIFY2(asked < 32'000'000, QByteArray::number(static_cast<qulonglong>(asked)).constData());
    }

    void everyInputAndReplyIsLogged() {
        Fixture f;
        (void)f.run("sim.gravity 5");
        (void)f.run("sim.gravity 500");
        const auto records = f.log.since(0);
        QCOMPARE(records.size(), std::size_t{4});
        QCOMPARE(records[0].text, std::string("> sim.gravity 5"));
        QCOMPARE(records[1].severity, LogSeverity::Info);
        QCOMPARE(records[3].severity, LogSeverity::Error);
        QCOMPARE(records[3].channel, std::string("console"));
    }

    void ranking_data() {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("rank");
        const auto row = [](const char* typed, const char* name, MatchRank rank) {
            QTest::addRow("%s in %s", typed, name)
                << QByteArray(typed) << QByteArray(name) << static_cast<int>(rank);
        };
        row("sim.gravity", "sim.gravity", MatchRank::Exact);
        row("SIM.Gravity", "sim.gravity", MatchRank::Exact);
        row("sim", "sim.gravity", MatchRank::Prefix);
        row("", "sim.gravity", MatchRank::Prefix);
        row("grav", "sim.gravity", MatchRank::WordStart);
        row("rate", "sim.tickRate", MatchRank::WordStart);
        row("vit", "sim.gravity", MatchRank::Substring);
        row("sgy", "sim.gravity", MatchRank::Fuzzy);
        row("yg", "sim.gravity", MatchRank::None);
        row("avRate", "a.avrateAvRate", MatchRank::WordStart);
    }
    void ranking() {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, name);
        QFETCH(int, rank);
        QCOMPARE(static_cast<int>(matchRank(typed.toStdString(), name.toStdString())), rank);
    }

    void aWholeListIsRanked() {
        Fixture f;
        f.console.commands().add(
            "pick", "Takes one.", {{"what", "Any."}},
            [](CommandContext&, const CommandArguments&) -> Result<void> { return {}; },
            [](CommandTyping&, std::vector<CompletionCandidate>& out) {
                for (const char* name : {"zoo", "gear", "hungry", "skyGray", "green", "gr", "gopher", "angry",
                                         "big_gray", "Grab"})
                    out.push_back({name, {}, {}, CompletionKind::Choice});
                return true;
            });
        // Exact, prefix, start of a word, substring, letters in order; the alphabet within each.
        QCOMPARE(f.candidates("pick gr"),
                 (std::vector<std::string>{"gr", "Grab", "green", "big_gray", "skyGray", "angry", "hungry",
                                           "gear", "gopher"}));
        QCOMPARE(f.candidates("pick GR"), f.candidates("pick gr"));
        QCOMPARE(f.candidates("pick grx"), std::vector<std::string>());
    }
    void completion_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("from");
        QTest::addColumn<QByteArray>("prefix");
        QTest::addColumn<QByteArray>("best"); // the first candidates, joined by a blank
        const auto row = [](const char* text, int from, const char* prefix, const char* best) {
            QTest::newRow(text) << QByteArray(text) << from << QByteArray(prefix) << QByteArray(best);
        };
        row("sim.gr", 0, "sim.gravity", "sim.gravity sim.gravityScale");
        row("sim.gravity", 0, "sim.gravity", "sim.gravity sim.gravityScale");
        row("  sim.w", 2, "sim.wind", "sim.wind");
        row("wind", 0, "sim.wind", "sim.wind");
        row("rate", 0, "sim.tickRate", "sim.tickRate");
        row("SIM.T", 0, "sim.tickRate", "sim.tickRate");
        row("tog", 0, "toggle", "toggle");
        row("echo a; sim.ti", 8, "sim.tickRate", "sim.tickRate");
        row("list | gre", 7, "grep", "grep");
        row("render.quality ", 15, "", "high low medium");
        row("render.quality=h", 15, "high", "high");
        row("render.quality = m", 17, "medium", "medium");
        row("render.shadows f", 15, "false", "false");
        row("sim.gravity ", 12, "9.81", "9.81");
        row("camera.mode f", 12, "f", "fixed fly follow");
        row("camera.mode fo", 12, "follow", "follow");
        row("camera.mode|fo", 12, "follow", "follow");
        row("select cr", 7, "crate_", "crate_1 crate_2");
        row("select crate_1 ba", 15, "ball", "ball");
        row("select old", 7, "\"old door\"", "\"old door\"");
        row("select \"old d", 7, "\"old door\"", "\"old door\"");
        row("reset sim.wi", 6, "sim.wind", "sim.wind");
        row("help tog", 5, "toggle", "toggle");
        row("reset sim.wind ", 15, "all", "all");
        row("list com", 5, "commands", "commands");
        row("echo a // sim", 13, "", "");
        row("nothing.here x", 14, "", "");
        row("zzzzqqq", 0, "zzzzqqq", "");
        row("render.quality high ", 20, "", "");
    }
    void completion() {
        QFETCH(QByteArray, text);
        QFETCH(int, from);
        QFETCH(QByteArray, prefix);
        QFETCH(QByteArray, best);
        Fixture f;
        const Completion completion =
            f.console.complete(text.toStdString(), static_cast<std::size_t>(text.size()));
        std::string names;
        for (const CompletionCandidate& candidate : completion.candidates)
            names += (names.empty() ? "" : " ") + candidate.text;
        QVERIFY2(names.starts_with(best.toStdString()) && (!best.isEmpty() || names.empty()), names.c_str());
        if (!completion.candidates.empty() || from != text.size())
            QCOMPARE(static_cast<int>(completion.replaceFrom), from);
        QCOMPARE(completion.commonPrefix, prefix.toStdString());
    }

    // Where a name does not fit, a word of the explanation does; names in which the letters are only strewn come behind it.
    void completionSearchesExplanations() {
        Fixture f;
        (void)f.console.cvars().add<float>("net.sim.latency", 0.0F,
                                           "Lag: the time that a datagram takes, one way.");
        (void)f.console.cvars().add<float>("lap.angle", 0.0F, "Strewn.");
        QCOMPARE(f.candidates("lag"), (std::vector<std::string>{"net.sim.latency", "lap.angle"}));
        QCOMPARE(f.candidates("datagram"), std::vector<std::string>{"net.sim.latency"});
        QCOMPARE(f.candidates("reset LAG").front(), std::string("net.sim.latency"));
        QCOMPARE(f.candidates("la").front(), std::string("lap.angle")); // too short for explanations
        QVERIFY(f.candidates("atagram").empty());                       // no word begins so
        QCOMPARE(f.console.complete("datagram", 8).commonPrefix, std::string("net.sim.latency"));
    }

    void listsByFlag() {
        Fixture f;
        (void)f.console.cvars().add<int>("a.kept", 1, "Kept.", {.flags = CVarFlags::Archive});
        (void)f.console.cvars().add<int>("a.hidden", 1, "Not seen.", {.flags = CVarFlags::Hidden});
        (void)f.console.cvars().add<int>("a.archiveSize", 1, "A name with it.");
        const std::string kept = f.run("list cvars archive");
        QVERIFY2(kept.find("a.kept") != std::string::npos && kept.find("a.archiveSize") != std::string::npos,
                 kept.c_str());
        QVERIFY2(kept.find("sim.") == std::string::npos, kept.c_str());
        const std::string latched = f.run("list cvars Latched");
        QVERIFY2(latched.find("sim.tickRate") != std::string::npos
                     && latched.find("gravity") == std::string::npos,
                 latched.c_str());
        QVERIFY(f.run("list cvars hidden").find("a.hidden") != std::string::npos);
        QVERIFY(f.run("list cvars").find("a.hidden") == std::string::npos);
        QCOMPARE(f.candidates("list cvars rea").front(), std::string("read-only"));
    }

    void completionCarriesValueAndDoc() {
        Fixture f;
        (void)f.run("sim.gravity 3; alias g sim.gravity");
        // Numbers by their value.
        f.console.commands().add(
            "meet", "Someone.",
            {{"who", "Name.", ArgumentType::Choice, {"bat_10", "bat_2", "bat_02", "bat", "bat_9x", "bat_9"}}},
            [](CommandContext&, const CommandArguments&) -> Result<void> { return {}; });
        std::vector<std::string> bats;
        for (const CompletionCandidate& candidate : f.console.complete("meet b", 6).candidates)
            bats.push_back(candidate.text);
        QCOMPARE(bats, (std::vector<std::string>{"bat", "bat_02", "bat_2", "bat_9", "bat_9x", "bat_10"}));
        const Completion completion = f.console.complete("sim.gravity and more", 11);
        QCOMPARE(completion.candidates.front().value, std::string("3.0 m/s², default 9.81 m/s²"));
        QCOMPARE(completion.candidates.front().doc, std::string("Pull on every body."));
        QCOMPARE(completion.candidates.front().kind, CompletionKind::CVar);
        QCOMPARE(f.console.complete("toggle", 6).candidates.front().value, std::string("NAME [VALUE …]"));
        QCOMPARE(f.console.complete("g", 1).candidates.front().kind, CompletionKind::Alias);
        QCOMPARE(f.candidates("sim.gravity ")[0], std::string("3.0"));
        QCOMPARE(f.candidates("sim.gravity ")[1], std::string("9.81"));
        QVERIFY(f.candidates("").size() > 10);
    }

    void filesComplete() {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        QDir(folder.path()).mkdir(QStringLiteral("scripts"));
        writeFile(base + "/autoexec.cfg", "");
        writeFile(base + "/scripts/one two.cfg", "");
        writeFile(base + "/.hidden", "");
        Fixture f;
        f.console.setBaseFolder(base);
        QCOMPARE(f.candidates("exec "), (std::vector<std::string>{"autoexec.cfg", "scripts/"}));
        QCOMPARE(f.candidates("exec scripts/o"), std::vector<std::string>{"\"scripts/one two.cfg\""});
        QCOMPARE(f.candidates("exec .")[0], std::string(".hidden"));
        QVERIFY(f.candidates("exec /no/such/").empty());
    }

    void completionWhileTheSimulationExecutes() {
        Fixture f;
        std::atomic<bool> stop{false};
        std::thread simulation([&] {
            for (int i = 0; i < 2000; ++i)
                (void)f.console.execute("sim.gravity " + std::to_string(i % 100) + "; alias a"
                                        + std::to_string(i % 50) + " echo x; app.title \"" + std::to_string(i)
                                        + "\"");
            stop = true;
        });
        std::size_t seen = 0;
        while (!stop)
            seen += f.candidates("sim.").size() + f.candidates("app.title ").size();
        simulation.join();
        QVERIFY(seen > 0);
    }

    // A command's arguments are its function's parameters.
    void commandsFromFunctions() {
        Log log;
        Console console(log);
        std::string heard;
        addCommand(console.commands(), "door.open", "Opens a door.",
                   {{"door", "Which."}, {"angle", "Degrees."}, {"slowly", "In two seconds."}},
                   [&](EntityName door, float angle, std::optional<bool> slowly) {
                       heard = door.text + " " + std::to_string(static_cast<int>(angle))
                               + (slowly ? *slowly ? " slow" : " fast" : "");
                   });
        addCommand(console.commands(), "halve", "Halves.",
                   {{"number", "An even one."}, {"how", "Rounded.", {"up", "down"}}},
                   [](CommandContext& context, int number, std::optional<std::string> how) -> Result<void> {
                       if (number % 2 != 0 && !how)
                           return Error{"odd", {}, {}};
                       context.print(std::to_string(how == "up" ? (number + 1) / 2 : number / 2));
                       return {};
                   });
        addCommand(console.commands(), "free", "A plain function.", {{"wide", "Any."}}, &plainFunction);
        console.execute("door.open \"big door\" 45.5");
        QCOMPARE(heard, std::string("big door 45"));
        console.execute("door.open d 90 true");
        QCOMPARE(heard, std::string("d 90 slow"));
        console.execute("door.open d 90 0");
        QCOMPARE(heard, std::string("d 90 fast"));
        const auto said = [&](const char* line) { return console.execute(line).lines.at(0); };
        QCOMPARE(said("halve 8"), std::string("4"));
        QCOMPARE(said("halve 7 up"), std::string("4"));
        QCOMPARE(said("halve 7"), std::string("error: odd"));
        QCOMPARE(said("free 41"), std::string("42"));
        // Checked before the function is called.
        QVERIFY(said("door.open d").find("angle is missing; expected door.open DOOR ANGLE [SLOWLY]")
                != std::string::npos);
        QVERIFY(said("door.open d wide").find("a number") != std::string::npos);
        QVERIFY(said("halve 7 sideways").find("up") != std::string::npos);
        QVERIFY(said("halve 99999999999").find("error") != std::string::npos);
        QCOMPARE(heard, std::string("d 90 fast"));
        // Help, and completion of entities and choices, come with it.
        QVERIFY(said("help door.open").find("door.open") != std::string::npos);
        console.setNameProvider([](TextRole role) {
            return role == TextRole::EntityName ? std::vector<std::string>{"gate"}
                                                : std::vector<std::string>{};
        });
        QCOMPARE(console.complete("door.open g", 11).candidates.at(0).text, std::string("gate"));
        QCOMPARE(console.complete("halve 7 d", 9).candidates.at(0).text, std::string("down"));
    }

    void wordsSurviveQuoting_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"plain", "two words", "say \"hi\"", "back\\slash", "end\\", "a;b", "a|b",
                                 "// no", "", "=5", "\"\""})
            QTest::addRow("%s.", text) << QByteArray(text);
    }
    void wordsSurviveQuoting() {
        QFETCH(QByteArray, text);
        Fixture f;
        const std::string word = consoleWord(text.toStdString());
        QVERIFY(f.console.execute("select " + word + " end").ok);
        QCOMPARE(f.calls.back(), (CommandArguments{text.toStdString(), "end"}));
    }

    void anyBytesAreHarmless() {
        Fixture f;
        std::uint32_t state = 12345;
        const std::string alphabet = "ab.=|;/\"\\ \n\t[]1-simgravityechohelplistx\xc3\xa9\xff";
        for (int i = 0; i < 20'000; ++i) {
            std::string line;
            state = state * 1664525U + 1013904223U;
            const std::size_t length = (state >> 16U) % 40;
            for (std::size_t j = 0; j < length; ++j) {
                state = state * 1664525U + 1013904223U;
                line += alphabet[(state >> 16U) % (alphabet.size() - (i % 4 == 0 ? 0U : 3U))]; // text, mostly
            }
            const Completion completion = f.console.complete(line, line.size() / 2);
            QVERIFY(completion.replaceFrom <= line.size() / 2);
            (void)f.console.execute(line);
        }
    }
};

QTEST_GUILESS_MAIN(TestConsole)
#include "tst_console.moc"
