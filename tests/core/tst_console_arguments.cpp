// What a line's words mean: numbers however they are written, names of any kind in the place of $sel, several lines as one, loops
// that wait, files of any size, and completion of what stands behind a name.
#include <QtTest>

#include "engine/core/console.h"
#include "engine/core/expression.h"
#include "engine/core/typed_command.h"
#include "tests/contains.h"

#include <fstream>

using namespace sbx;

namespace {

enum class Quality { Low, Medium, High };

struct Fixture {
    Log log;
    Console console{log};
    CVar<float> gravity =
        console.cvars().add<float>("sim.gravity", 9.81F, "Pull.", {.minimum = 0, .maximum = 100});
    CVar<std::int64_t> wide = console.cvars().add<std::int64_t>("sim.wide", 0, "Any whole number.");
    CVar<bool> shadows = console.cvars().add<bool>("render.shadows", true, "Whether the sun casts shadows.");
    CVar<Quality> quality = console.cvars().add<Quality>("render.quality", Quality::Medium, "How fine.",
                                                         {.choices = {"low", "medium", "high"}});
    std::vector<std::string> selected;
    std::vector<std::string> given; // to the commands below, as they understood it

    Fixture() {
        console.setSelection([this] { return selected; });
        CommandRegistry& commands = console.commands();
        commands.add("untyped", "Takes one of each.",
                     {{.name = "whole",
                       .doc = "A number.",
                       .type = ArgumentType::Integer,
                       .minimum = 1,
                       .maximum = 5000},
                      {.name = "number", .doc = "A number.", .type = ArgumentType::Number, .optional = true},
                      {.name = "switch", .doc = "A switch.", .type = ArgumentType::Boolean, .optional = true},
                      {.name = "way",
                       .doc = "A choice.",
                       .type = ArgumentType::Choice,
                       .choices = {"fly", "walk"},
                       .optional = true}},
                     [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                         given = arguments;
                         return {};
                     });
        addCommand(
            commands, "typed", "Takes one of each.",
            {{.name = "whole", .doc = "A number.", .minimum = 1, .maximum = 5000}, {"number", "A number."}},
            [this](int whole, std::optional<double> number) {
                given = {std::to_string(whole), number ? formatDouble(*number) : "none"};
            });
        addCommand(commands, "single", "Takes floats.", {{"first", "A number."}, {"second", "A number."}},
                   [this](float first, std::optional<float> second) {
                       given = {formatFloat(first), formatFloat(second.value_or(0.0F))};
                   });
        commands.add(
            "test", "Prints what a condition says.",
            {{.name = "condition", .doc = "Any.", .type = ArgumentType::Rest}},
            [](CommandContext& context, const CommandArguments& arguments) -> Result<void> {
                const Result<Expression> condition = Expression::compile(arguments.at(0));
                if (!condition)
                    return condition.error();
                ExpressionContext names;
                names.path = [](std::string_view path) -> Result<Value> { return Value(std::string(path)); };
                names.count = [](std::string_view) -> Result<std::int64_t> { return std::int64_t{3}; };
                const Result<Value> value = condition->value(names);
                if (!value)
                    return value.error();
                if (const auto* text = std::get_if<std::string>(&*value))
                    context.print(*text);
                else if (const auto* truth = std::get_if<bool>(&*value))
                    context.print(*truth ? "true" : "false");
                else
                    context.print("a number");
                return {};
            });
        addCommand(commands, "wait", "Lets ticks pass.",
                   {{.name = "ticks", .doc = "How many.", .minimum = 1}},
                   [](CommandContext& context, std::optional<int> ticks) {
                       context.deferTicks(static_cast<std::uint64_t>(ticks.value_or(1)));
                   });
        commands.add("take", "Takes words.", {{"words", "Any.", ArgumentType::Word, {}, true, true}},
                     [this](CommandContext&, const CommandArguments& arguments) -> Result<void> {
                         given = arguments;
                         return {};
                     });
    }
    std::string run(std::string_view line) {
        std::string out;
        for (const std::string& text : console.execute(line).lines)
            out += (out.empty() ? "" : "\n") + text;
        return out;
    }
    std::vector<std::string> candidates(std::string_view text) const {
        std::vector<std::string> out;
        for (const auto& candidate : console.complete(text, text.size()).candidates)
            out.push_back(candidate.text);
        return out;
    }
};

using Words = std::vector<std::string>;

void writeFile(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
}

} // namespace

class TestConsoleArguments : public QObject {
    Q_OBJECT
private slots:
    // A number that passes the check is the number that is used.
    void numbersAreReadOnce_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("whole"); // as a command sees it; empty: refused
        const auto row = [](const char* text, const char* whole) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(whole);
        };
        row("5", "5");
        row("+5", "5");
        row("1e3", "1000");
        row("0.1e1", "1");
        row(".2e1", "2");
        row("\"\\\"5\\\"\"", "5");
        row("5.0", "5");
        row("0", "");
        row("0.5", "");
        row("5001", "");
        row("1e-310", "");
        row("5x", "");
        row("\"\"", "");
        row("99999999999999999999999", "");
    }
    void numbersAreReadOnce() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, whole);
        for (const std::string command : {"untyped", "typed"}) {
            Fixture f;
            QCOMPARE(f.console.execute(command + " " + text.toStdString()).ok, !whole.isEmpty());
            QCOMPARE(QByteArray::fromStdString(f.given.empty() ? std::string() : f.given[0]), whole);
        }
    }
    void numbersOfAnySizeAreHarmless() {
        Fixture f;
        CONTAINS(f.run("inc sim.gravity 1e-310"), "sim.gravity = 9.81 (as before)");
        CONTAINS(f.run("inc sim.gravity \"\\\"1\\\"\""), "sim.gravity = 10.81");
        CONTAINS(f.run("inc sim.gravity 1e1"), "sim.gravity = 20.81");
        CONTAINS(f.run("inc sim.gravity 1e400"), "error");
        CONTAINS(f.run("inc sim.gravity nan"), "error");
        CONTAINS(f.run("typed 1 1e-310"), "");
        QCOMPARE(f.given.at(1), formatDouble(1e-310));
        (void)f.run("untyped 1 1e-310");
        QCOMPARE(f.given.at(1), formatDouble(1e-310));
    }
    // A float is given what a float holds.
    void singlePrecision() {
        Fixture f;
        for (const char* line :
             {"single 1e39", "single -1e300", "single 3.5e38", "single 1 1e39", "single 1 inf"}) {
            CONTAINS(f.run(line), "expected a number");
            QVERIFY2(f.given.empty(), line);
        }
        (void)f.run("single 3.4e38 -3.4e38");
        QCOMPARE(f.given, (Words{formatFloat(3.4e38F), formatFloat(-3.4e38F)}));
    }
    // Not an "and" of conditions, as it is written without blanks.
    void aNumberAloneIsNoCondition() {
        Fixture f;
        for (const char* line : {"test a == b -1", "test 4 > 3 +2", "test 5 > 3 4 5", "test not 1",
                                 "test 1 or a == b", "test (a == a) and (0.5)", "test 2 s and a == a"})
            CONTAINS(f.run(line), "a number alone is neither true nor false");
        CONTAINS(f.run("test 4 > 3 +2"), "(column 7: +2)");
        QCOMPARE(f.run("test 5"), std::string("a number"));
        QCOMPARE(f.run("test (5)"), std::string("a number"));
        for (const char* line :
             {"test 5 > -1 and true", "test count(x) and 4 > +3", "test not false", "test 2s > 1 s"})
            QCOMPARE(f.run(line), std::string("true"));
    }
    // Whole numbers are exact to the last digit.
    void wholeNumbersOf64Bits() {
        Fixture f;
        (void)f.run("sim.wide 9223372036854775807");
        QCOMPARE(f.wide.get(), std::numeric_limits<std::int64_t>::max());
        CONTAINS(f.run("inc sim.wide"), "out of range");
        (void)f.run("inc sim.wide -1");
        QCOMPARE(f.wide.get(), std::numeric_limits<std::int64_t>::max() - 1);
        (void)f.run("sim.wide -9223372036854775808");
        QCOMPARE(f.wide.get(), std::numeric_limits<std::int64_t>::min());
        CONTAINS(f.run("inc sim.wide -1"), "out of range");
        CONTAINS(f.run("sim.wide 9223372036854775808"), "error");
        CONTAINS(f.run("inc sim.wide 0.5"), "by whole numbers only");
        CONTAINS(f.run("inc sim.wide 1e300"), "out of range");
        CONTAINS(f.run("inc sim.wide 9223372036854775808"), "out of range");
        QCOMPARE(f.wide.get(), std::numeric_limits<std::int64_t>::min());
        (void)f.run("sim.wide 1e3; inc sim.wide +2");
        QCOMPARE(f.wide.get(), std::int64_t{1002});
        (void)f.run("sim.wide 9007199254740993; inc sim.wide 9007199254740993");
        QCOMPARE(f.wide.get(), std::int64_t{18014398509481986});
        (void)f.run("inc sim.wide -9007199254740993");
        QCOMPARE(f.wide.get(), std::int64_t{9007199254740993});
    }
    void caseDoesNotMatterInValues() {
        Fixture f;
        FieldInfo entity;
        entity.type = FieldType::Entity;
        for (const char* text : {"none", "None", "NONE"}) {
            const Result<Value> nobody = entity.parse(text);
            QVERIFY2(nobody && *nobody == Value(EntityId{}), text);
        }
        for (const char* text : {"False", "FALSE", "Off", "NO"}) {
            (void)f.run("render.shadows true");
            QVERIFY2(f.console.execute(std::string("render.shadows ") + text).ok, text);
            QVERIFY2(!f.shadows.get(), text);
        }
        for (const char* text : {"True", "TRUE", "On", "YES"}) {
            (void)f.run("render.shadows false");
            QVERIFY2(f.console.execute(std::string("render.shadows=") + text).ok, text);
            QVERIFY2(f.shadows.get(), text);
        }
        CONTAINS(f.run("render.quality HIGH"), "render.quality = high");
        QCOMPARE(f.quality.get(), Quality::High);
        CONTAINS(f.run("toggle render.quality Low High"), "render.quality = low");
        CONTAINS(f.run("render.quality \"Medium\""), "render.quality = medium");
        (void)f.run("untyped 1 1 ON Fly");
        QCOMPARE(f.given, (Words{"1", "1.0", "true", "fly"}));
        CONTAINS(f.run("untyped 1 1 on fyl"), "did you mean fly");
    }
    void secretsAreNotInErrors() {
        Fixture f;
        (void)f.console.cvars().add<int>("net.pin", 1111, "Secret.",
                                         {.minimum = 0, .maximum = 9999, .flags = CVarFlags::Protected});
        (void)f.console.cvars().add<Quality>(
            "net.kind", Quality::Low, "Secret.",
            {.choices = {"low", "medium", "high"}, .flags = CVarFlags::Protected});
        for (const char* line :
             {"net.pin 12345", "net.pin 12345x", "toggle net.pin 12345 1", "toggle net.pin 1 12345x",
              "net.kind x12345", "toggle net.kind low x12345"}) {
            const std::string said = f.run(line);
            QVERIFY2(said.find("12345") == std::string::npos, said.c_str());
            CONTAINS(said, "expected ");
            CONTAINS(said, "net.");
        }
        SourceEntry entry;
        entry.key = "net.pin";
        entry.value.kind = SourceValue::Kind::Integer;
        entry.value.integer = 12345;
        Diagnostics sink;
        QVERIFY(!f.console.cvars().setFromSource(entry, CVarSource::Project, sink, "project.toml"));
        QVERIFY(sink.hasErrors());
        QVERIFY(sink.items.at(0).toString().find("12345") == std::string::npos);
        for (const LogRecord& record : f.log.since(0))
            QVERIFY2(record.text.find("12345") == std::string::npos, record.text.c_str());
    }

    // Names from files are words, never statements.
    void aSelectedNameIsOneWord_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"a",
                                 "a;render.shadows=false",
                                 "a;render.shadows|false",
                                 ";render.shadows=false",
                                 "//",
                                 "//a",
                                 "a//b",
                                 "a|b",
                                 "|",
                                 "=5",
                                 "$sel",
                                 "a(b",
                                 "(",
                                 "a=b",
                                 "a!",
                                 "and",
                                 "not",
                                 "5",
                                 "-1",
                                 "+",
                                 "true",
                                 "a\\b;",
                                 "a,b",
                                 "$sel;$sel",
                                 "a\\",
                                 "\\",
                                 "@all",
                                 "ä"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aSelectedNameIsOneWord() {
        QFETCH(QByteArray, name);
        Fixture f;
        f.selected = {name.toStdString()};
        const auto holds = [&](const char* line, const Words& wanted) {
            f.given = {"nothing"};
            const std::string said = f.run(line);
            QVERIFY2(f.shadows.get(), "the name ran as a statement");
            if (said.find("error") == std::string::npos)
                QCOMPARE(f.given, wanted);
            else
                QCOMPARE(f.given, Words{"nothing"});
        };
        QVERIFY(f.console.execute("take $sel end").ok);
        QCOMPARE(f.given, (Words{name.toStdString(), "end"}));
        holds("take|$sel", {name.toStdString()});
        holds("take x=$sel end", {"x=" + name.toStdString(), "end"});
        holds("take $sel.Body end", {name.toStdString() + ".Body", "end"});
        holds("take $sel", {name.toStdString()});
        const QByteArray path = name + ".Health.current";
        QCOMPARE(QByteArray::fromStdString(f.run("test $sel.Health.current")), path);
        QCOMPARE(f.run("test $sel.Health.current == \"\""), std::string("false"));
        QCOMPARE(f.run("test count(name == $sel) == 3"), std::string("true"));
    }
    void severalSelectedRunInTurn() {
        Fixture f;
        f.selected = {"a;b", "c"};
        QCOMPARE(f.run("echo $sel"), std::string("a;b\nc"));
        f.selected = {"$sel", "$sel"};
        QCOMPARE(f.run("echo $sel"), std::string("$sel\n$sel"));
    }

    void linesAsOne_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QByteArray>("one");
        const auto row = [](const char* lines, const char* one) {
            QTest::newRow(lines) << QByteArray(lines) << QByteArray(one);
        };
        row("sim.gravity 5", "sim.gravity 5");
        row("// set up\nsim.gravity 5", "sim.gravity 5");
        row("sim.gravity 5 // slow\necho a", "sim.gravity 5; echo a");
        row("echo a\r\n\r\necho b\r\n", "echo a; echo b");
        row("echo a;\n echo b;\n", "echo a; echo b");
        row("echo \"// no\nmore\"\necho http://b", "echo \"// no more\"; echo http://b");
        row("list | grep a\n@all echo | b // c\n", "list | grep a; @all echo | b");
        row("// a\n// b", "");
        row("echo a\rx", "echo a; x");
        row("a // why\rb\rc", "a; b; c");
        row("echo \"a\rb\r\nc\nd\"\r", "echo \"a b c d\"");
        row("echo \"a", "echo \"a");
    }
    void linesAsOne() {
        QFETCH(QByteArray, lines);
        QFETCH(QByteArray, one);
        QCOMPARE(QByteArray::fromStdString(onOneLine(lines.toStdString())), one);
        if (lines.count('"') % 2 != 0)
            return;
        // The same statements, but for line ends within quotes.
        const auto statements = [](std::string_view text) {
            Words out;
            for (const ConsoleStatement& statement : parseConsoleLine(text).statements) {
                out.push_back(statement.text);
                for (char& c : out.back())
                    c = c == '\n' || c == '\r' ? ' ' : c;
            }
            return out;
        };
        lines.replace("\r\n", "\n").replace('\r', '\n');
        QCOMPARE(statements(one.toStdString()), statements(lines.toStdString()));
    }

    // Time passes: it is no nesting.
    void loopsThatWaitGoOn() {
        Fixture f;
        ConsoleReply reply = f.console.execute("alias r \"echo turn; wait 1; r\"; r");
        for (int turn = 0; turn < 100; ++turn) {
            QVERIFY2(reply.ok, reply.lines.back().c_str());
            QCOMPARE(reply.lines, Words{"turn"});
            QVERIFY(reply.deferred.has_value());
            QVERIFY(reply.deferred->entries.size() < 3); // nothing piles up
            reply = f.console.resume(std::move(*reply.deferred));
        }
        // Nor is it from deeper down: what stands behind is of other depths.
        reply = f.console.execute(
            "alias p \"q; echo tail\"; alias q \"echo turn; wait 1\"; alias c \"p; c\"; c; echo never");
        for (int turn = 0; turn < 100; ++turn) {
            QCOMPARE(reply.lines, turn == 0 ? Words{"turn"} : (Words{"tail", "turn"}));
            QCOMPARE(reply.deferred.value().entries.size(), std::size_t{3});
            reply = f.console.resume(std::move(*reply.deferred));
        }
        // One that does not wait ends.
        CONTAINS(f.run("alias s \"echo x; s\"; s"), "nested more than 16 deep");
    }
    void whatPilesUpIsCut() {
        Fixture f;
        std::string many = "alias r \"wait 1; r";
        for (int i = 0; i < 20'000; ++i)
            many += "; r";
        ConsoleReply reply = f.console.execute(many + "\"; r");
        int turns = 0;
        for (; reply.deferred && turns < 10; ++turns) {
            QVERIFY(reply.deferred->entries.size() <= Console::MaxStatements);
            if (!reply.ok)
                break;
            reply = f.console.resume(std::move(*reply.deferred));
        }
        QVERIFY(!reply.ok && turns < 10);
        CONTAINS(reply.lines.back(), "more than 100000 statements");
    }
    void hugeFilesAreCut() {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        Fixture f;
        f.console.setBaseFolder(base);
        for (const std::size_t statementsInALine : {std::size_t{1}, std::size_t{10'000}}) {
            std::string text;
            for (std::size_t count = 1; text.size() < Console::LargestFile - 100; ++count)
                text += count % statementsInALine == 0 ? "take\n" : "take;";
            writeFile(base + "/huge.cfg", text);
            const ConsoleReply reply = f.console.execute("exec huge.cfg");
            QVERIFY(!reply.ok && !reply.deferred);
            QVERIFY(reply.lines.size() < 10);
            CONTAINS(reply.lines.front(), "more than 100000 statements");
        }
        // So are those behind a wait.
        std::string text = "wait\n";
        while (text.size() < Console::LargestFile - 100)
            text += "take\n";
        writeFile(base + "/huge.cfg", text);
        const ConsoleReply reply = f.console.execute("exec huge.cfg");
        QVERIFY(!reply.ok && reply.deferred.has_value());
        QVERIFY(reply.deferred->entries.size() <= Console::MaxStatements);
        // What says nothing does not count.
        writeFile(base + "/blank.cfg", std::string(1'000'000, '\n') + " ; ;// x\n\t\r\necho end");
        QCOMPARE(f.run("exec blank.cfg"), std::string("end"));
        writeFile(base + "/fault.cfg", std::string(200'000, '\n') + "nonsense");
        CONTAINS(f.run("exec fault.cfg"), "fault.cfg:200001: error");
    }
    void aByteOrderMarkIsNoName() {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        Fixture f;
        f.console.setBaseFolder(base);
        writeFile(base + "/mark.cfg", "\xEF\xBB\xBF"
                                      "sim.gravity 3\r\necho end\r\n");
        const ConsoleReply reply = f.console.execute("exec mark.cfg");
        QVERIFY2(reply.ok, reply.lines.front().c_str());
        QCOMPARE(f.gravity.get(), 3.0F);
        writeFile(base + "/mark.cfg", "\xEF\xBB\xBF");
        QVERIFY(f.console.execute("exec mark.cfg").ok);
    }

    void completionLooksBehindNames_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("from");
        QTest::addColumn<QByteArray>("best"); // the first candidates, joined by a blank; empty: none
        const auto row = [](const char* text, int from, const char* best) {
            QTest::newRow(text) << QByteArray(text) << from << QByteArray(best);
        };
        row("toggle render.quality h", 22, "high");
        row("toggle render.quality high lo", 27, "low");
        row("toggle render.sha", 7, "render.shadows");
        row("toggle render.shadows ", 22, "false true");
        row("toggle nothing h", 15, "");
        row("bind F7 tog", 8, "toggle");
        row("bind F7 toggle render.q", 15, "render.quality");
        row("bind F7 toggle render.quality h", 30, "high");
        row("bind F7 \"echo a; tog", 17, "toggle");
        row("bind C", 5, "Ctrl+G");
        row("bind|F", 5, "F6");
        row("alias x tog", 8, "toggle");
        row("alias x \"sim.gr", 9, "sim.gravity");
        row("alias q", 6, "q");
        row("q ", 2, "high low medium");
        row("q hi", 2, "high");
        row("q=hi", 2, "high");
        row("qq hi", 3, "high");
        row("echo a; q hi", 10, "high");
        row("t render.quality l", 17, "low");
        row("loop x", 6, "");
        row("k ec", 2, "echo");
        row("k bind F7 ec", 2, "");
        row("k bind F7 k bind F7 ec", 2, "");
        row("mid alias x k on y ec", 2, "");
        row("bind F7 k bind F7 ec", 2, "");
        row("bind F7 both hi", 13, "high");
        row("both hi", 5, "high");
        row("unalias ", 8, "both k loop mid q qq t");
        row("unalias sim", 8, "");
        row("list cvars ren", 11, "render.quality render.shadows");
        row("list commands tog", 14, "toggle");
        row("list aliases b", 13, "both");
        row("list bindings F", 14, "F6");
        row("differences si", 12, "sim.gravity sim.wide");
    }
    void completionLooksBehindNames() {
        QFETCH(QByteArray, text);
        QFETCH(int, from);
        QFETCH(QByteArray, best);
        Fixture f;
        (void)f.run(
            "alias q render.quality; alias qq q; alias t toggle; alias loop loop; alias both \"echo a; q\"; "
            "bind Ctrl+G help; bind F6 echo; alias k \"echo a;\"; alias mid \"echo a |\"");
        const Completion completion =
            f.console.complete(text.toStdString(), static_cast<std::size_t>(text.size()));
        QByteArray names;
        for (const CompletionCandidate& candidate : completion.candidates)
            names += (names.isEmpty() ? "" : " ") + QByteArray::fromStdString(candidate.text);
        QVERIFY2(names.startsWith(best) && (!best.isEmpty() || names.isEmpty()), names.constData());
        if (!best.isEmpty())
            QCOMPARE(static_cast<int>(completion.replaceFrom), from);
    }
    // Not a level of the program's stack for each.
    void linesWithinLinesAreNotLookedInto() {
        Fixture f;
        (void)f.run("alias k \"echo a;\"; alias mid \"echo a |\"; alias kk k");
        for (const std::string each :
             {"k bind F7 ", "mid alias x ", "kk bind F7 ", "bind F7 k ", "bind F7 kk alias x "}) {
            std::string line;
            while (line.size() + each.size() + 2 <= Console::LongestLine)
                line += each;
            QVERIFY(f.candidates(line + "ec").empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestConsoleArguments)
#include "tst_console_arguments.moc"
