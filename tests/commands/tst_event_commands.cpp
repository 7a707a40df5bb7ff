#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/entity/event_hub.h"
#include "engine/session/session.h"

using namespace sbx;

namespace {

struct Ear {
    std::vector<std::string> heard;
    void onEvent(const Event& event) {
        heard.push_back(messageType(event.envelope().type).fields->formatJson(event.payload()));
    }
};

struct Room {
    Log log;
    Session session{log, addEventCommands};
    World& world = session.world();
    std::string say(const std::string& line) {
        const ConsoleReply reply = session.execute(line);
        std::string out;
        for (const std::string& each : reply.lines)
            out += (out.empty() ? "" : "\n") + each;
        return out;
    }
};

} // namespace

class TestEventCommands : public QObject {
    Q_OBJECT
private slots:
    void declaresListsAndRaises() {
        Room r;
        QCOMPARE(r.say("event Flood depth=float kind=salt|fresh who=entity"), std::string("Flood depth=float kind=salt|fresh who=entity"));
        QCOMPARE(r.say("list events flo"), std::string("Flood depth=float kind=salt|fresh who=entity  0 listeners"));
        QCOMPARE(r.say("list events nothing"), std::string("none"));
        Ear ear;
        const auto held = EventHub(r.world).listen<&Ear::onEvent>("Flood", ear);
        QCOMPARE(r.say("raise Flood depth=2.5 kind=fresh"), std::string("Flood: 1 listener"));
        QCOMPARE(ear.heard.size(), std::size_t(1));
        QVERIFY(ear.heard[0].starts_with(R"({"depth":2.5,"kind":"fresh",)"));
        QCOMPARE(r.say("list events flood"), std::string("Flood depth=float kind=salt|fresh who=entity  1 listener"));
    }
    void laterByTicksAndPriority() {
        Room r;
        r.say("event Ebb number=int");
        Ear ear;
        const auto held = EventHub(r.world).listen<&Ear::onEvent>("Ebb", ear);
        QCOMPARE(r.say("raise Ebb number=1 --ticks=2"), std::string("Ebb: waits 2 ticks"));
        r.say("raise Ebb number=2 --ticks=2 --priority=-1");
        QCOMPARE(r.say("raise Ebb number=3 --after=0.01"), std::string("Ebb: waits 1 tick"));
        r.world.tick();
        r.world.tick();
        QCOMPARE(ear.heard, (std::vector<std::string>{R"({"number":3})", R"({"number":2})", R"({"number":1})"}));
    }
    void mistakes_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* line, const char* answer) { QTest::newRow(line) << line << answer; };
        row("raise Storn", "error: no event is called \"Storn\"; did you mean Storm?");
        row("raise Storm foce=1", "error: \"foce=1\" sets no parameter of Storm; did you mean force=?");
        row("raise Storm --sometimes", "error: there is no option \"--sometimes\"; expected --ticks=N, --after=SECONDS, "
                                       "--priority=N or --minimum=N");
        row("raise Storm --ticks=0", "error: --ticks=0: expected a number of ticks from 1");
        row("raise Storm --ticks=-1", "error: --ticks=-1: expected a number of ticks from 1");
        row("raise Storm --after=nan", "error: --after=nan: expected seconds above 0");
        row("raise Storm --minimum=1", "error: Storm: 0 listeners; expected at least 1");
        row("event Storm force=int", "error: event Storm is declared already with other parameters: force (float)");
        row("event Gust force=heavy", "error: \"force=heavy\" declares no parameter; expected name=type with a type of bool, "
                                      "int, float, vec2, vec3, vec4, color, string, entity, or choices: one|other");
        row("event Gust force=a||b", "error: force=a||b: a choice is empty");
    }
    void mistakes() {
        QFETCH(QString, line);
        QFETCH(QString, answer);
        Room r;
        r.say("event Storm force=float");
        QCOMPARE(QString::fromStdString(r.say(line.toStdString())), answer);
        QCOMPARE(r.world.queue().size(), std::size_t(0));
    }
};

QTEST_GUILESS_MAIN(TestEventCommands)
#include "tst_event_commands.moc"
