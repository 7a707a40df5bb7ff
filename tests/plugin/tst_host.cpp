// Plugins in a session: built outside the source tree (see prepare.sh), loaded, refused, built again.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/core/filter.h"
#include "engine/definition/completion.h"
#include "engine/definition/lookup.h"
#include "engine/entity/event_hub.h"
#include "engine/message/trace_json.h"
#include "engine/plugin/trusted_projects.h"
#include "engine/session/session.h"
#include "engine/simulation/reference.h"
#include "tests/plugin/plugin_files.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace sbx;
using namespace sbx::plugin_test;

namespace {

// A project on disk and a session that shows it.
class Project : public ProjectFiles {
public:
    explicit Project(const std::string& plugin = "first")
        : Project(std::make_unique<QTemporaryDir>(), plugin) {}
    // As the programs do on opening.
    std::shared_ptr<const Content> open() {
        faults = {};
        auto content = loadContent(file("project.toml"), "", m_session->plugins(), faults);
        m_session->open(content);
        return content;
    }
    Session& session() { return *m_session; }
    World& world() { return m_session->world(); }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            m_session->tick();
    }
    Value value(const char* entity, const char* component, const char* key) {
        const Entity::ComponentRef ref = world().find(entity).component(component);
        if (const FieldInfo* field = ref.type->state->find(key))
            return field->read(ref.type->stateOf(ref.component));
        return ref.type->settings->find(key)->read(ref.type->settingsOf(ref.component));
    }
    std::int64_t whole(const char* entity, const char* component, const char* key) {
        return std::get<std::int64_t>(value(entity, component, key));
    }
    // The warning at the plugin's name in project.toml, or nothing.
    [[nodiscard]] QString refusal() const {
        for (const Diagnostic& fault : faults.items)
            if (fault.file == file("project.toml").string() && fault.severity == Severity::Warning
                && fault.region.line == 5 && fault.region.column == 12)
                return QString::fromStdString(fault.message());
        return {};
    }
    [[nodiscard]] QString logged() const {
        QString out;
        for (const LogRecord& record : log.since(0))
            out += QString::fromStdString(record.channel + ": " + record.text + "\n");
        return out;
    }

    Log log;
    Diagnostics faults;

private:
    Project(std::unique_ptr<QTemporaryDir> folder, const std::string& plugin)
        : ProjectFiles(folder->path().toStdString(), plugin),
          m_folder(std::move(folder)),
          m_session(std::make_unique<Session>(log, addConsoleCommands)) {}

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Session> m_session;
};

// Every record so far, as the trace's lines.
QStringList traceOf(Session& session, RecordReader& reader) {
    session.recorder().seal();
    std::vector<std::shared_ptr<const RecordSegment>> segments;
    reader.poll(segments);
    QStringList out;
    for (const auto& segment : segments)
        for (std::size_t i = 0; i < segment->size(); ++i)
            out << QString::fromStdString(traceLine((*segment)[i], session.recorder(), false,
                                                    [&](EntityId id) { return session.world().nameOf(id); }));
    return out;
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    const std::size_t at = bytes.find(from);
    if (at != std::string::npos)
        bytes.replace(at, from.size(), to);
    return bytes;
}

} // namespace

class TestHost : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(fs::exists(Made / "first.so"), "run the test plugin.prepare first"); }

    void bringsComponentsIntoEverything() {
        Project p;
        const auto content = p.open();
        QVERIFY2(p.faults.items.empty(), p.faults.items.empty() ? "" : p.faults.items[0].toString().c_str());
        const auto& types = content->definitions->types();
        QCOMPARE(std::count_if(types.begin(), types.end(), [](const auto& type) { return !type.builtIn; }), 2);
        // Definitions and their schema, with what was described once.
        const definition::ComponentSchema* counter = p.session().catalog().schema.find("Ticker");
        QVERIFY(counter != nullptr);
        QCOMPARE(counter->doc, std::string("Counts ticks."));
        QCOMPARE(counter->settings->find("every")->unit, std::string("ticks"));
        QCOMPARE(p.session().catalog().find("Ticker")->category, std::string("Parts"));
        // Completion and the words at the caret.
        const std::string text = "[Metronome.Ticker]\nev";
        const auto at = definition::locate(text, text.size());
        QStringList offered;
        for (const definition::Completion& c :
             definition::complete(text, at, p.session().catalog().schema, *content->definitions))
            offered << QString::fromStdString(c.label);
        QVERIFY2(offered.contains(QStringLiteral("every")), qPrintable(offered.join(u' ')));
        // Messages by name, for the console and the filter.
        QVERIFY(findMessageType("Ping") != nullptr);
        // The inspector's values.
        p.session().inspect({"two"});
        p.session().publish();
        const Inspection& seen = p.session().snapshot()->inspected.at(0);
        QCOMPARE(seen.components.at(0).name, std::string("Ticker"));
        QCOMPARE(seen.components.at(0).settings.at(0).value, Value(std::int64_t(50)));
        QVERIFY(seen.components.at(0).settings.at(0).overridden);
    }

    void isExplainedInWords() {
        Project p;
        p.open();
        QStringList said;
        for (const char* line : {"help Ticker", "help Ping"})
            for (const std::string& text : p.session().execute(line).lines)
                said << QString::fromStdString(text);
        const QString text = said.join(u'\n');
        for (const char* part :
             {"Ticker, a component of the plugin plugins/parts. Counts ticks.",
              "  every: a whole number in [1, 1000] ticks, 5 by default. Tells how far it is after this many "
              "ticks.",
              "  live ticks: a whole number. Ticks lived. Read only.",
              "  Handles: Update, Fail. Sends: Ping.", "Ping, a message. A counter has counted.",
              "  Handled by: Receiver. Sent by: Ticker."})
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
        const QString page = QString::fromStdString(referencePage(
            p.session().catalog(), pluginComponents(p.session().catalog()), "Components of this project"));
        QVERIFY2(page.startsWith(QStringLiteral(
                     "# Components of this project\n\n## Ticker\n\nCounts ticks.\n\nSettings:\n\n"
                     "| Name | Value | Default | Meaning |\n")),
                 qPrintable(page));
        QVERIFY(page.contains(QStringLiteral("## Receiver"))
                && page.contains(QStringLiteral("# Messages\n\n")));
        QVERIFY(page.contains(QStringLiteral("## Ping")) && !page.contains(QStringLiteral("## Update")));
        const std::string file = p.file("reference.md").string();
        QVERIFY(p.session().execute("docs " + file).ok);
        const std::string written = bytesOf(file);
        QVERIFY(written.find("## Ticker") != std::string::npos
                && written.find("## Body") != std::string::npos);
    }

    void faultsInItsSettingsAreLocated() {
        Project p;
        write(p.file("entities.toml"), "[Metronome]\n[Metronome.Ticker]\nevery = 0\nstrat = 3\n");
        p.open();
        QStringList seen;
        for (const Diagnostic& fault : p.faults.items)
            seen << QString::fromStdString(fault.toString()).section(u'/', -1);
        QVERIFY2(
            seen.join(u'\n').contains(QStringLiteral("entities.toml:3:9: error: every is 0, out of range; "
                                                     "expected a whole number in [1, 1000] ticks")),
            qPrintable(seen.join(u'\n')));
        QVERIFY2(seen.join(u'\n').contains(QStringLiteral("did you mean start?")),
                 qPrintable(seen.join(u'\n')));
    }

    void runsInTheWorld() {
        Project p;
        p.open();
        const auto reader = p.session().recorder().addReader();
        p.session().play();
        p.run(10);
        QCOMPARE(p.whole("one", "Ticker", "count"), 17);
        QCOMPARE(p.whole("two", "Ticker", "count"), 60);
        QCOMPARE(p.value("one", "Receiver", "heard"), Value(17.0));
        const QStringList trace = traceOf(p.session(), *reader);
        const QStringList pings = trace.filter(QStringLiteral("\"type\":\"Ping\""));
        QCOMPARE(pings.size(), 2 + 3);
        QVERIFY2(pings.at(0).contains(QStringLiteral("\"fields\":{\"value\":53.0}"))
                     && pings.at(0).contains(QStringLiteral("\"component\":\"Receiver\"")),
                 qPrintable(pings.at(0)));
        // State counts in the digest.
        const std::string before = p.session().simulation().digestLine();
        QVERIFY(p.session().execute("set one Ticker.count 3").ok);
        QVERIFY(p.session().simulation().digestLine() != before);
        QVERIFY(p.session().execute("send Ping one value=4").ok);
        QCOMPARE(p.value("one", "Receiver", "heard"), Value(4.0));
        QVERIFY(p.session().execute("expect one.Ticker.count == 3").ok);
        QCOMPARE(p.session().execute("select Ticker.count > 50 and has == Receiver").lines,
                 std::vector<std::string>{"two"});
        QVERIFY(p.session().execute("spawn Metronome third").ok);
        QCOMPARE(p.whole("third", "Ticker", "count"), 7);
    }

    void twoRunsAreTheSame() {
        QStringList digests;
        for (int i = 0; i < 2; ++i) {
            Project p;
            p.open();
            p.session().play();
            p.run(100);
            digests << QString::fromStdString(p.session().simulation().digestLine());
        }
        QCOMPARE(digests.at(0), digests.at(1));
    }

    // Living entities go over to the new build, state and settings of their own included.
    void aRebuildReachesTheLiving() {
        Project p;
        p.open();
        const auto reader = p.session().recorder().addReader();
        p.session().play();
        p.run(10);
        QVERIFY(p.session().execute("set one Ticker.every 4").ok);
        const MessageTypeId before = findMessageType("Ping")->id;
        const QStringList old = traceOf(p.session(), *reader);
        const ComponentTypeId counter = p.session().catalog().find("Ticker")->id;

        p.put("second");
        const ConsoleReply reply = p.session().execute("plugin.reload");
        QVERIFY2(reply.ok, reply.lines.empty() ? "" : reply.lines[0].c_str());
        QCOMPARE(reply.lines.at(0), std::string("plugins/parts: build 2"));
        QCOMPARE(p.whole("one", "Ticker", "count"), 17); // kept by name, though it lies elsewhere now
        QCOMPARE(p.whole("one", "Ticker", "ticks"), 10); // read-only ones too
        QCOMPARE(p.whole("two", "Ticker", "count"), 60);
        QCOMPARE(p.value("one", "Ticker", "last"), Value(std::string("new")));
        QCOMPARE(p.whole("two", "Ticker", "every"), 3); // the instance's own
        QCOMPARE(p.whole("one", "Ticker", "every"), 4); // set while running
        QCOMPARE(p.whole("one", "Ticker", "step"), 10);
        QCOMPARE(p.value("one", "Receiver", "heard"), Value(17.0));

        p.run(2);
        QCOMPARE(p.whole("one", "Ticker", "count"), 37);
        QCOMPARE(p.value("one", "Receiver", "heard"), Value(37.0)); // ticks == 12, every 4
        // A message with another layout is another type of the same name; what was recorded stays readable.
        QVERIFY(findMessageType("Ping")->id != before);
        QCOMPARE(findMessageType("Ping")->size, std::size_t(8));
        QCOMPARE(messageType(before).size, std::size_t(4));
        QVERIFY(old.filter(QStringLiteral("Ping")).at(0).contains(QStringLiteral("{\"value\":53.0}")));
        const QString now = traceOf(p.session(), *reader).filter(QStringLiteral("\"type\":\"Ping\"")).last();
        QVERIFY2(now.contains(QStringLiteral("\"fields\":{\"step\":10,\"value\":")), qPrintable(now));
        QCOMPARE(p.session().catalog().find("Ticker")->id, counter);
        // Stop restores the scene, with the new build.
        p.session().stop();
        QCOMPARE(p.whole("one", "Ticker", "count"), 7);
        QCOMPARE(p.whole("one", "Ticker", "step"), 10);

        // And back again.
        p.put("first");
        QVERIFY(p.session().execute("plugin.reload parts").ok);
        QVERIFY(p.session().catalog().find("Ticker")->settings->find("step") == nullptr);
        p.session().play();
        p.run(5);
        QCOMPARE(p.whole("one", "Ticker", "count"), 12);
    }

    void messagesUnderWayOutliveAReload() {
        Project p;
        p.open();
        p.session().play();
        p.run(1);
        const MessageType* ping = findMessageType("Ping");
        alignas(16) std::byte payload[MaxMessageSize];
        ping->construct(payload);
        p.world().sendLaterRaw(p.world().find("one").id(), ping->id, payload, ping->size, 6, {}, 0,
                               Delivery::Immediate);
        p.put("second");
        QVERIFY(p.session().execute("plugin.reload").ok);
        p.run(20); // the old Ping has no handler any more, and is no harm
        QVERIFY(p.whole("one", "Ticker", "count") > 100);
    }

    // With a parameter more, while one of the old is under way and somebody listens.
    void aRebuildDeclaresItsEventAnew() {
        Project p;
        write(p.file("entities.toml"),
              "[Metronome]\n[Metronome.Ticker]\nstart = 668\nevery = 2\n[Metronome.Receiver]\n\n[Crate]\n[Crate.Body]\n");
        p.open();
        p.session().play();
        const auto reader = p.session().recorder().addReader();
        p.run(2);
        struct Ear {
            QStringList heard;
            void onOld(const Event& event) { heard << QString::number(event.get<std::int64_t>("value")); }
            void onNew(const Event& event) {
                heard << QStringLiteral("%1 by %2")
                             .arg(event.get<std::int64_t>("value"))
                             .arg(event.get<std::int64_t>("step"));
            }
        } before, after;
        EventHub events(p.world());
        const auto first = events.listen<&Ear::onOld>("Counted", before);
        QVERIFY2(first.ok(), qPrintable(p.logged()));
        const MessageTypeId was = findMessageType("Counted")->id;

        p.put("second");
        QVERIFY(p.session().execute("plugin.reload").ok);
        p.run(1); // its first step
        QVERIFY2(!p.logged().contains(QStringLiteral("declared already")), qPrintable(p.logged()));
        const auto second = events.listen<&Ear::onNew>("Counted", after);
        p.run(1);
        QVERIFY(findMessageType("Counted")->id != was);
        p.run(3);
        QCOMPARE(before.heard, (QStringList{QStringLiteral("670"), QStringLiteral("690")}));
        QCOMPARE(after.heard, (QStringList{QStringLiteral("670 by 0"), QStringLiteral("690 by 10")}));
        const QStringList trace = traceOf(p.session(), *reader).filter(QStringLiteral("\"type\":\"Counted\""));
        QCOMPARE(trace.size(), 4); // of each, two listeners
        QVERIFY2(trace.at(0).contains(QStringLiteral("\"fields\":{\"value\":670}")), qPrintable(trace.at(0)));
        QVERIFY2(trace.at(2).contains(QStringLiteral("\"fields\":{\"step\":10,\"value\":690}")),
                 qPrintable(trace.at(2)));
        QVERIFY(!p.logged().contains(QStringLiteral("declared already")));
    }

    void theSameBuildLoadsManyTimes() {
        Project p;
        p.open();
        p.session().play();
        const MessageTypeId before = findMessageType("Ping")->id;
        for (int i = 0; i < 5; ++i) {
            p.run(3);
            p.put("first");
            QVERIFY(p.session().execute("plugin.reload").ok);
        }
        QCOMPARE(p.whole("one", "Ticker", "count"), 7 + 15);
        QCOMPARE(findMessageType("Ping")->id, before); // laid out the same: the same type
    }

    void faultyLibrariesAreRefused_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* made, const char* reason) {
            QTest::newRow(made) << QString::fromUtf8(made) << QString::fromUtf8(reason);
        };
        row("none", "is not there; expected the shared library .*/plugins/parts");
        row("folder", "is not there; expected|is not a file");
        row("text", "is not a shared library$");
        row("empty", "is not a shared library$");
        row("object", "is not a shared library \\(an object file or a program\\)");
        row("cut", "is not complete: is it still being written\\?");
        row("other machine", "is a library for another kind of machine");
        row("unmarked", "is no plugin: it holds no SIGNALBOX_PLUGIN");
        row("older engine",
            "was built for Signalbox 9\\.9\\.9; expected \\d+\\.\\d+\\.\\d+ \\(build it again");
        row("other headers", "was built against other headers of Signalbox");
        row("other compiler",
            "was built with another compiler interface, C\\+\\+ ABI .*; expected C\\+\\+ ABI");
        row("other layout", "was built with settings that lay out objects differently; expected those of "
                            "signalbox_add_plugin");
        row("missing", "cannot be loaded: undefined symbol: .*nowhereToBeFound");
        row("throws", "threw while it registered its components: no counters today");
        row("crashes", "(crashes|ends the program) while it is loaded \\(");
        row("exits", "ends the program while it is loaded \\(exit status 0\\)");
        row("hangs", "had not loaded after 1 seconds");
        row("taken", "brings the component Body, which the engine has already; expected another name");
        row("small", "brings a component \"little\"; expected a name of a capital letter");
        row("twice", "brings the component Ticker twice");
        row("damage",
            "brings the message type Damage, which the engine has otherwise: 4 bytes there and 16 here");
    }
    void faultyLibrariesAreRefused() {
        QFETCH(QString, made);
        QFETCH(QString, reason);
        Project p{std::string()};
        const std::string good = bytesOf(Made / "first.so");
        if (made == QLatin1String("folder"))
            fs::create_directories(p.file("plugins/parts.so"));
        else if (made == QLatin1String("text"))
            p.putBytes("This is no library, however long it may be: " + std::string(500, '.'));
        else if (made == QLatin1String("empty"))
            p.putBytes({});
        else if (made == QLatin1String("object"))
            p.putBytes(
                replaced(good, std::string("\x03\x00\x3e\x00", 4), std::string("\x01\x00\x3e\x00", 4)));
        else if (made == QLatin1String("cut"))
            p.putBytes(good.substr(0, good.size() / 2));
        else if (made == QLatin1String("other machine"))
            p.putBytes(
                replaced(good, std::string("\x03\x00\x3e\x00", 4), std::string("\x03\x00\xb7\x00", 4)));
        else if (made == QLatin1String("older engine"))
            p.putBytes(replaced(good, "engine=0.1.0", "engine=9.9.9"));
        else if (made == QLatin1String("other headers"))
            p.putBytes(replaced(good, "\nheaders=", "\nheaders=x"));
        else if (made == QLatin1String("other compiler"))
            p.putBytes(replaced(good, "libstdc++ strings 1", "libstdc++ strings 0"));
        else if (made == QLatin1String("other layout"))
            p.putBytes(replaced(good, "\nlayout=", "\nlayout=9"));
        else if (made != QLatin1String("none"))
            p.put(made.toStdString());
        if (made == QLatin1String("hangs"))
            p.session().plugins().setLongestTry(std::chrono::seconds(1));
        const auto content = p.open();
        p.session().plugins().setLongestTry(std::chrono::seconds(30));
        QVERIFY(content != nullptr);
        QVERIFY2(p.refusal().contains(QRegularExpression(reason)), qPrintable(p.refusal()));
        QVERIFY2(p.logged().contains(QStringLiteral("plugin: plugins/parts is refused: it ")),
                 qPrintable(p.logged()));
        // What names its components is told, with its place, and the rest is there: the project opens.
        QVERIFY(!p.faults.hasErrors());
        const bool told =
            std::any_of(p.faults.items.begin(), p.faults.items.end(), [&](const Diagnostic& fault) {
                return fault.file == p.file("entities.toml").string() && fault.region.line == 3
                       && fault.what
                              == "there is no component \"Ticker\"; its plugin may be plugins/parts, which "
                                 "was refused";
            });
        QVERIFY(told);
        p.session().play();
        p.run(10);
        QVERIFY(p.world().find("crate") && !p.world().find("one"));
        QVERIFY(p.world().find("crate").pose().position.y < 5.0F);
        // Put right, it comes in; what was left out of the scene comes with the next Stop.
        fs::remove_all(p.file("plugins"));
        p.put("first");
        QVERIFY(p.session().execute("plugin.reload").ok);
        QVERIFY(p.session().catalog().find("Ticker") != nullptr);
        p.session().stop();
        QVERIFY(p.world().find("one") && p.world().find("crate"));
    }

    void aFaultyRebuildLeavesTheOldInForce_data() {
        QTest::addColumn<QString>("made");
        for (const char* made : {"crashes", "throws", "taken", "damage", "unmarked", "nothing"})
            QTest::newRow(made) << QString::fromUtf8(made);
    }
    void aFaultyRebuildLeavesTheOldInForce() {
        QFETCH(QString, made);
        Project p;
        p.open();
        p.session().play();
        p.run(10);
        const Catalog* before = &p.session().catalog();
        fs::remove(p.file("plugins/parts.so"));
        if (made != QLatin1String("nothing"))
            p.put(made.toStdString());
        const ConsoleReply reply = p.session().execute("plugin.reload");
        QVERIFY(!reply.ok);
        QVERIFY2(p.logged().contains(QStringLiteral("the build loaded before stays in force")),
                 qPrintable(p.logged()));
        QCOMPARE(p.session().catalog().components, before->components);
        p.run(10);
        QCOMPARE(p.whole("one", "Ticker", "count"), 27);
        const ConsoleReply list = p.session().execute("plugin.list");
        QCOMPARE(list.lines.size(), std::size_t(2));
        QVERIFY(list.lines[0].find("build 1: Ticker, Receiver") != std::string::npos);
        QVERIFY(list.lines[1].find("refused: it ") != std::string::npos);
        // Good again.
        p.put("second");
        QVERIFY(p.session().execute("plugin.reload").ok);
        p.run(1);
        QCOMPARE(p.whole("one", "Ticker", "count"), 37);
    }

    // Made without the helper function: the tables of two builds would be one.
    void sharedTablesAreRefused() {
        Project p("shared_1");
        p.open();
        QVERIFY2(p.refusal().isEmpty(), qPrintable(p.refusal()));
        p.put("shared_2");
        const ConsoleReply reply = p.session().execute("plugin.reload");
        QVERIFY(!reply.ok);
        const QString said = QString::fromStdString(reply.lines.back());
        QVERIFY2(said.contains(QStringLiteral("shares the description of Ticker with another library")),
                 qPrintable(said));
        p.session().play();
        p.run(3);
        QCOMPARE(p.whole("one", "Ticker", "count"), 10);
    }

    void aNameIsGivenOnce() {
        Project p;
        write(p.file("project.toml"),
              replaced(ProjectText, "[\"plugins/parts\"]",
                       "[\"plugins/parts\", \"plugins/more.so\", \"plugins/parts.so\"]"));
        p.put("first", "more.so");
        p.open();
        QStringList seen;
        for (const Diagnostic& fault : p.faults.items)
            seen << QString::fromStdString(fault.toString()).section(QStringLiteral("project.toml"), 1);
        QCOMPARE(seen.size(), 2);
        QVERIFY2(seen.at(0).startsWith(QStringLiteral(
                     ":5:29: warning: the plugin plugins/more.so brings the component Ticker, which ")),
                 qPrintable(seen.at(0)));
        QVERIFY2(seen.at(1).contains(QStringLiteral("is named twice")), qPrintable(seen.at(1)));
        // Without the first, the second may have it.
        write(p.file("project.toml"), replaced(ProjectText, "plugins/parts", "plugins/more.so"));
        p.open();
        QVERIFY2(p.faults.items.empty(), p.faults.items.empty() ? "" : p.faults.items[0].toString().c_str());
    }

    // A component and one derived from it: an entity has at most one of the two.
    void oneOfTwoKindsIsAllowed() {
        Project p("derived");
        p.open();
        QVERIFY2(p.faults.items.empty(), p.faults.items.empty() ? "" : p.faults.items[0].toString().c_str());
        write(p.file("entities.toml"), std::string(Types) + "[Both]\n[Both.Receiver]\n[Both.LoudReceiver]\n");
        p.open();
        QCOMPARE(p.faults.items.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(p.faults.items[0].toString()).section(u'/', -1),
                 QStringLiteral("entities.toml:11:7: error: Both has Receiver and LoudReceiver, and one is the other; "
                                "expected at most one of them"));
    }

    void malformedListsAreErrors_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("what");
        QTest::newRow("number") << "3"
                                << "plugins is a whole number; expected a list of paths";
        QTest::newRow("outside") << "[\"../parts\"]"
                                 << "leads out of the project's folder";
        QTest::newRow("absolute") << "[\"/usr/lib/parts\"]"
                                  << "is absolute";
        QTest::newRow("inside a list") << "[3]"
                                       << "plugins is a whole number; expected text";
    }
    void malformedListsAreErrors() {
        QFETCH(QString, list);
        QFETCH(QString, what);
        Project p;
        write(p.file("project.toml"), replaced(ProjectText, "[\"plugins/parts\"]", list.toStdString()));
        p.open();
        QVERIFY(p.faults.hasErrors());
        QStringList seen;
        for (const Diagnostic& fault : p.faults.items)
            seen << QString::fromStdString(fault.toString());
        QVERIFY2(seen.join(u'\n').contains(what), qPrintable(seen.join(u'\n')));
    }

    void anExceptionStaysInThePlugin() {
        Project p;
        p.open();
        p.session().play();
        p.run(1);
        QVERIFY(p.session().execute("send Fail one").ok);
        QVERIFY2(p.logged().contains(
                     QStringLiteral("plugin: one: Ticker threw while it handled Fail: asked to")),
                 qPrintable(p.logged()));
        p.run(4);
        QCOMPARE(p.whole("one", "Ticker", "count"), 12);
    }

    // A constructor costs its entity, whichever way that is made; the project opens, and what it says stands in the log.
    void aConstructorThatThrowsCostsItsEntity() {
        Project p;
        write(p.file("main.scene.toml"), replaced(SceneText, "start = 50", "start = 666"));
        QVERIFY(p.open() != nullptr);
        QVERIFY2(p.logged().contains(QStringLiteral(
                     "entities: Metronome: a component threw while it was made, Ticker: nobody counts from there; two was "
                     "not created")),
                 qPrintable(p.logged()));
        QVERIFY(p.world().find("one") && p.world().find("crate") && !p.world().find("two"));
        p.session().play();
        p.run(3);
        QCOMPARE(p.whole("one", "Ticker", "count"), 10);
        // What a changed setting throws stays in the plugin too.
        QVERIFY(p.session().execute("set one Ticker.start 667").ok);
        QVERIFY2(p.logged().contains(
                     QStringLiteral("plugin: one: Ticker threw while its settings changed: not to there")),
                 qPrintable(p.logged()));
        p.run(2);
        QCOMPARE(p.whole("one", "Ticker", "count"), 12);
        p.session().stop();
        QVERIFY(p.world().find("one") && !p.world().find("two"));
    }

    void safeModeLoadsNone() {
        Project p("crashes");
        const TrustedProjects trusted("/nowhere", {});
        p.session().plugins().setPolicy(pluginPolicy(trusted, true));
        QVERIFY(p.open() != nullptr);
        QVERIFY2(p.refusal().contains(QStringLiteral("is not loaded in safe mode")), qPrintable(p.refusal()));
        QVERIFY(p.session().catalog().find("Ticker") == nullptr);
        QVERIFY(p.world().find("crate"));
    }

    // Not in the checker either: its constructors would have run by then.
    void nothingOfAnUntrustedProjectRuns() {
        const QTemporaryDir folder;
        const QString mark = folder.filePath(QStringLiteral("mark"));
        qputenv("SBX_TEST_MARK", mark.toUtf8());
        Project p("marks");
        TrustedProjects trusted(folder.filePath(QStringLiteral("trusted")).toStdString(), {});
        p.session().plugins().setPolicy(pluginPolicy(trusted, false));
        QVERIFY(p.open() != nullptr);
        QVERIFY2(p.refusal().contains(QStringLiteral("is held back")) && p.refusal().contains(QStringLiteral("--trust")),
                 qPrintable(p.refusal()));
        QVERIFY(!QFile::exists(mark));
        QVERIFY(p.session().catalog().find("Ticker") == nullptr);
        QVERIFY(p.session().catalog().plugins.at(0).heldBack);
        QVERIFY(!p.faults.hasErrors());
        p.session().play();
        p.run(30);
        QVERIFY(p.world().find("crate")); // plays as far as it can
        p.put("second"); // a new build asks again
        p.open();
        QVERIFY(p.session().catalog().find("Ticker") == nullptr);

        p.put("marks");
        QVERIFY(trusted.trust(p.file("")).ok());
        p.open();
        QVERIFY2(p.refusal().isEmpty(), qPrintable(p.refusal()));
        QVERIFY(QFile::exists(mark));
        QVERIFY(p.session().catalog().find("Ticker") != nullptr);
        p.put("second"); // a trusted project's new build is taken in
        p.open();
        QCOMPARE(p.session().catalog().plugins.at(0).build, 2);

        QVERIFY(trusted.forget(p.file("")).ok());
        p.open();
        QVERIFY(p.session().catalog().find("Ticker") == nullptr);
        qunsetenv("SBX_TEST_MARK");
    }

    // A rebuild while the library runs: bytes are copied before they are loaded.
    void writingOverTheFileDisturbsNothing() {
        Project p;
        p.open();
        p.session().play();
        p.run(5);
        {
            std::fstream out(p.file("plugins/parts.so"), std::ios::binary | std::ios::in | std::ios::out);
            const std::string rubbish(100000, 'x');
            out << rubbish;
        }
        p.run(5);
        QCOMPARE(p.whole("one", "Ticker", "count"), 17);
        QVERIFY(!p.session().execute("plugin.reload").ok);
        p.run(5);
        QCOMPARE(p.whole("one", "Ticker", "count"), 22);
    }

    void anotherProjectHasItsOwn() {
        Project p;
        p.open();
        QVERIFY(p.session().catalog().find("Ticker") != nullptr);
        write(p.file("project.toml"), replaced(ProjectText, "plugins = [\"plugins/parts\"]\n", ""));
        p.open();
        QVERIFY(p.faults.hasErrors()); // nothing was refused: the component is unknown
        QVERIFY(p.session().catalog().find("Ticker") == nullptr);
        QCOMPARE(&p.session().catalog().schema, &p.session().catalog().schema);
    }

    // The window reads projects while the simulation runs.
    void readsWhileTheSimulationRuns() {
        Project p;
        p.open();
        p.session().play();
        std::atomic<bool> stop{false};
        std::thread window([&] {
            for (int i = 0; i < 4; ++i) {
                p.put(i % 2 == 0 ? "second" : "first");
                Diagnostics faults;
                const auto content = loadContent(p.file("project.toml"), "", p.session().plugins(), faults);
                p.session().post([content](Session& session) { session.applyContent(content); });
                for (const definition::ComponentSchema& component : p.session().catalog().schema.components())
                    static_cast<void>(component.settings->names());
            }
            stop = true;
        });
        while (!stop)
            p.session().tick();
        window.join();
        p.run(2);
        QCOMPARE(p.session().catalog().plugins.at(0).build, 5);
        QVERIFY(p.session().catalog().find("Ticker")->settings->find("step") == nullptr);
        QVERIFY(p.world().find("one"));
    }
};

QTEST_GUILESS_MAIN(TestHost)
#include "tst_host.moc"
