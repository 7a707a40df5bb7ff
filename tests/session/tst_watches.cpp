// Watches: values sampled by tick over their last minute; and where console lines run.

#include <QTemporaryDir>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/console_targets.h"
#include "engine/session/session.h"
#include "engine/session/watches.h"

#include <fstream>
#include <sstream>

using namespace sbx;

namespace {

std::string joined(const ConsoleReply& reply) {
    std::string out;
    for (const std::string& line : reply.lines)
        out += (out.empty() ? "" : "\n") + line;
    return out;
}

bool offers(const Completion& completion, const std::string& text) {
    for (const CompletionCandidate& candidate : completion.candidates)
        if (candidate.text == text)
            return true;
    return false;
}

} // namespace

class TestWatches : public QObject {
    Q_OBJECT

    // A value that a test moves, and what reads it.
    double m_value = 1.0;
    ExpressionContext m_context;

private slots:
    void init() {
        m_value = 1.0;
        m_context.path = [this](std::string_view path) -> Result<Value> {
            if (path == "value")
                return Value(m_value);
            if (path == "place")
                return Value(Vec3(1.0F, 2.5F, -3.0F));
            if (path == "name")
                return Value(std::string("crate"));
            return Error{std::string(path) + " names nothing", {}, {}};
        };
        m_context.count = [](std::string_view) -> Result<std::int64_t> { return 7; };
    }

    void readsAnyKindOfValue() {
        Watches watches;
        for (const char* text : {"value", "place", "name", "count(type == Crate)", "value > 0.5", "gone"})
            QVERIFY(watches.add(text));
        watches.sample(m_context, 1, 10, 60.0);
        const std::vector<WatchReading> read = watches.read();
        QCOMPARE(read.size(), std::size_t(6));
        QCOMPARE(read[0].shown, std::string("1"));
        QVERIFY(read[0].plotted);
        QCOMPARE(read[1].shown, std::string("1  2.5  -3"));
        QVERIFY(!read[1].plotted);
        QCOMPARE(read[2].shown, std::string("crate"));
        QCOMPARE(read[3].shown, std::string("7"));
        QCOMPARE(read[4].shown, std::string("true"));
        QCOMPARE(read[4].samples.size(), std::size_t(1));
        QCOMPARE(read[4].samples[0].value, 1.0);
        QVERIFY(read[5].failed);
        QCOMPARE(read[5].shown, std::string("gone names nothing"));
        QVERIFY(read[5].samples.empty());
    }

    void keepsTheLastMinute() {
        Watches watches;
        QVERIFY(watches.add("value"));
        for (std::uint64_t tick = 0; tick <= 1000; ++tick) {
            m_value = static_cast<double>(tick);
            watches.sample(m_context, 1, tick, 10.0);
        }
        const std::vector<WatchSample> samples = watches.read()[0].samples;
        QCOMPARE(samples.size(), std::size_t(601)); // 40 s to 100 s, both
        QCOMPARE(samples.front(), (WatchSample{400, 40.0, 400.0}));
        QCOMPARE(samples.back(), (WatchSample{1000, 100.0, 1000.0}));
        // The same tick again corrects it; another run starts over.
        m_value = -1.0;
        watches.sample(m_context, 1, 1000, 10.0);
        QCOMPARE(watches.read()[0].samples.size(), std::size_t(601));
        QCOMPARE(watches.read()[0].samples.back().value, -1.0);
        watches.sample(m_context, 2, 1001, 10.0);
        QCOMPARE(watches.read()[0].samples.size(), std::size_t(1));
    }

    void aTickThatGoesBackStartsOver() {
        Watches watches;
        QVERIFY(watches.add("value"));
        watches.sample(m_context, 1, 50, 10.0);
        watches.sample(m_context, 1, 3, 10.0);
        QCOMPARE(watches.read()[0].samples, (std::vector<WatchSample>{{3, 0.3, 1.0}}));
    }

    void comesAndGoes() {
        Watches watches;
        QVERIFY(watches.empty());
        const std::uint64_t before = watches.revision();
        QCOMPARE(*watches.add(" value "), 1);
        QCOMPARE(*watches.add("value"), 1);
        QCOMPARE(*watches.add("place"), 2);
        QCOMPARE(watches.revision(), before + 2);
        const Result<int> faulty = watches.add("value ==");
        QVERIFY(!faulty);
        QCOMPARE(faulty.error().region.column, 7);
        QVERIFY(!watches.remove(9));
        QVERIFY(!watches.removeText("other"));
        QVERIFY(watches.removeText("value"));
        QCOMPARE(watches.list()[0].number, 2);
        for (std::size_t i = 0; i + 1 < Watches::Most; ++i)
            QVERIFY(watches.add("v" + std::to_string(i)));
        QVERIFY(!watches.add("oneTooMany"));
        watches.clear();
        QVERIFY(watches.empty());
    }

    void writesATable() {
        Watches watches;
        QVERIFY(watches.add("value"));
        watches.sample(m_context, 1, 1, 2.0);
        QVERIFY(watches.add("name == \"crate\""));
        m_value = 2.5;
        watches.sample(m_context, 1, 2, 2.0);
        QCOMPARE(watches.csv(), std::string("tick,seconds,\"value\",\"name == \"\"crate\"\"\"\n"
                                            "1,0.5,1.0,\n"
                                            "2,1.0,2.5,1.0"));
    }

    void theConsoleWatches() {
        Log log;
        Session session(log, addConsoleCommands);
        QVERIFY(session.execute("watch sim.gravity; watch tick").ok);
        session.step();
        session.publish();
        const ConsoleReply listed = session.execute("watch");
        QCOMPARE(joined(listed), std::string("1  sim.gravity = 9.81\n2  tick = 1"));
        QCOMPARE(joined(session.execute("list watches grav")), std::string("1  sim.gravity = 9.81"));
        QVERIFY(!session.execute("watch tick >").ok);
        QVERIFY(!session.execute("unwatch 3").ok);
        QVERIFY(session.execute("unwatch sim.gravity").ok);
        QCOMPARE(joined(session.execute("list watches")), std::string("2  tick = 1"));
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("w.csv")).toStdString();
        QVERIFY(session.execute("watch.export " + file).ok);
        std::stringstream text;
        text << std::ifstream(file).rdbuf();
        QCOMPARE(text.str(), std::string("tick,seconds,\"tick\"\n1,0.016666666666666666,1.0\n"));
        QVERIFY(session.execute("unwatch last").ok);
        QVERIFY(session.watches().empty());
        QVERIFY(!session.execute("watch.export " + file).ok);
    }

    void completesWhatToWatch() {
        Log log;
        Session session(log, addConsoleCommands);
        session.publish();
        const auto complete = [&](const std::string& text) { return session.console().complete(text, text.size()); };
        QVERIFY(offers(complete("watch sim.gr"), "sim.gravity"));
        QVERIFY(offers(complete("watch "), "count("));
        QVERIFY(session.execute("watch sim.gravity > 5").ok);
        const Completion away = complete("unwatch sim");
        QCOMPARE(away.candidates.size(), std::size_t(1));
        QCOMPARE(away.replaceFrom, std::size_t(8));
        QVERIFY(offers(complete("unwatch "), "all"));
    }

    void linesRunWhereTheyAreSent() {
        Log log;
        Session session(log, addConsoleCommands);
        QCOMPARE(session.targets().names(), std::vector<std::string>{"local"});
        QCOMPARE(joined(session.execute("@local echo a; echo b")), std::string("a\nb"));
        QCOMPARE(joined(session.execute("on local echo a")), std::string("a"));
        const ConsoleReply unknown = session.execute("@locl echo a");
        QVERIFY(!unknown.ok);
        QVERIFY(joined(unknown).find("did you mean local?") != std::string::npos);
        QVERIFY(!session.execute("@local").ok);

        // A second world: its lines go to it, bars and quotes and all.
        Log otherLog;
        Session other(otherLog, addConsoleCommands);
        std::vector<std::string> sent;
        session.targets().add({"client1", "A client.",
                               [&](std::string line, WriteReach) {
                                   sent.push_back(line);
                                   other.execute(line);
                               }});
        QVERIFY(session.execute("@client1 sim.gravity 3").ok);
        QCOMPARE(other.cvars().describe("sim.gravity")->value, Value(double(3)));
        QCOMPARE(session.cvars().describe("sim.gravity")->shown(), std::string("9.81 m/s²"));
        QVERIFY(session.execute("@client1 echo \"a b\" | echo x; echo here").ok);
        QCOMPARE(sent.back(), std::string("echo \"a b\" | echo x"));
        QVERIFY(session.execute("@all sim.gravity 4").ok);
        QCOMPARE(other.cvars().describe("sim.gravity")->value, Value(double(4)));
        QCOMPARE(session.cvars().describe("sim.gravity")->value, Value(double(4)));

        const auto complete = [&](const std::string& text) { return session.console().complete(text, text.size()); };
        QVERIFY(offers(complete("@cl"), "client1"));
        QVERIFY(offers(complete("@"), "all"));
        const Completion value = complete("@client1 sim.gra");
        QVERIFY(offers(value, "sim.gravity"));
        QCOMPARE(value.replaceFrom, std::size_t(9));
        QVERIFY(complete("@client1 @client1 sim.gra").candidates.empty());

        const std::uint64_t before = session.targets().revision();
        session.targets().remove("client1");
        QVERIFY(session.targets().revision() != before);
        QVERIFY(!session.execute("@client1 echo a").ok);
        QVERIFY(!offers(complete("@"), "all"));
    }

    void addressesEveryStatement() {
        QCOMPARE(addressed("a; b 1 | c", "server"), std::string("@server a; @server b 1 | c"));
        QCOMPARE(addressed("@client1 a; b", "server"), std::string("@client1 a; @server b"));
        QCOMPARE(addressed("// nothing", "server"), std::string("// nothing"));
        QCOMPARE(addressed("echo \"a; b\"", "all"), std::string("@all echo \"a; b\""));
    }

    void aChainOfAddressesEnds() {
        Log log;
        Session session(log, addConsoleCommands);
        std::string line;
        for (int i = 0; i < 10000; ++i)
            line += "on local ";
        QVERIFY(!session.execute(line + "echo a").ok);
        QVERIFY(session.console().complete(line, line.size()).candidates.empty());
    }

    void secretsSentStaySecret() {
        Log log;
        Console console(log);
        console.cvars().add<std::string>("net.key", "", "Secret.", {.flags = CVarFlags::Protected});
        QCOMPARE(console.masked("@server net.key abc; echo x"), std::string("@server net.key ***; echo x"));
        QCOMPARE(console.masked("@a @b net.key abc"), std::string("@a @b net.key ***"));
        QCOMPARE(console.masked("@a echo x"), std::string("@a echo x"));
        QVERIFY(console.masked("@a @b @c @d @e net.key abc").find("abc") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestWatches)
#include "tst_watches.moc"
