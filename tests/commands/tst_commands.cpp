// What the console does to a running session: naming, sending, selecting, listing, dumping, completing.
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "tests/contains.h"
#include "tests/simulation/project_in_memory.h"

#include <algorithm>

using namespace sbx;

namespace {

constexpr const char* Entities = R"([Crate]
[Crate.Body]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 5.0
[Crate.Health]
maximum = 40

[HeavyCrate]
extends = "Crate"
[HeavyCrate.Body]
mass = 50.0

[Marker]
[Marker.Mesh]
mesh = "cone"
)";

constexpr const char* SceneText =
    "[scene]\nname = \"S\"\n"
    "[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [0.0, 10.0, 0.0]\n"
    "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nposition = [3.0, 10.0, 0.0]\n"
    "[[entity]]\ntype = \"Marker\"\nname = \"m\"\nposition = [0.0, 1.0, 0.0]\nparent = \"a\"\n";

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};

    Fixture() {
        session.open(projectInMemory(session, Entities, SceneText));
        session.publish();
    }
    std::string run(std::string_view line) {
        std::string out;
        for (const std::string& text : session.execute(line).lines)
            out += (out.empty() ? "" : "\n") + text;
        return out;
    }
    std::vector<std::string> candidates(std::string_view line) {
        std::vector<std::string> out;
        for (const CompletionCandidate& candidate : session.console().complete(line, line.size()).candidates)
            out.push_back(candidate.text);
        return out;
    }
    bool offers(std::string_view line, std::string_view wanted) {
        const auto all = candidates(line);
        return std::find(all.begin(), all.end(), wanted) != all.end();
    }
};

} // namespace

class TestCommands : public QObject {
    Q_OBJECT
private slots:
    void spawnNamesLikeScenesDo() {
        Fixture f;
        QCOMPARE(f.run("spawn HeavyCrate"), std::string("heavy_crate"));
        QCOMPARE(f.run("spawn HeavyCrate"), std::string("heavy_crate_2"));
        QCOMPARE(f.run("spawn Crate box 1 2 3"), std::string("box"));
        // A place without a name, as one types it; a number is a name only where no place can be meant.
        QCOMPARE(f.run("spawn Crate 4 5 -6"), std::string("crate"));
        QCOMPARE(f.session.world().poseOf(f.session.world().find("crate").id()).position,
                 Vec3(4.0F, 5.0F, -6.0F));
        QCOMPARE(f.run("spawn Crate 7 1 2 3"), std::string("7"));
        CONTAINS(f.run("spawn Crate box 1 two"), "two");
        QCOMPARE(f.run("spawn Crate +1 1e1 -.5"), std::string("crate_2"));
        QCOMPARE(f.session.world().poseOf(f.session.world().find("crate_2").id()).position,
                 Vec3(1.0F, 10.0F, -0.5F));
        CONTAINS(f.run("spawn Crate box 1 2 1e39"), "is not a number");
        CONTAINS(f.run("spawn Crate box 1 2 1e-310"), "box_2");
        CONTAINS(f.run("spawn HevyCrate"), "did you mean HeavyCrate?");
        const std::size_t before = f.session.world().entityCount();
        for (const char* name : {"two.parts", "\"with blank\"", "it's", "\"\""})
            CONTAINS(f.run(std::string("spawn Crate ") + name), "cannot name an entity");
        CONTAINS(f.run("spawn Crate " + std::string(129, 'x')), "cannot name an entity");
        QCOMPARE(f.session.world().entityCount(), before);
    }

    void sendTakesRoutes() {
        Fixture f;
        QCOMPARE(f.run("send Damage a amount=5"), std::string("Damage: 1 receiver, consumed"));
        CONTAINS(f.run("expect a.Health.current == 35"), "PASS");
        QCOMPARE(f.run("send Damage * amount=5"), std::string("Damage: 2 receivers, consumed"));
        QCOMPARE(f.run("send Damage m amount=5 --ancestors"), std::string("Damage: 1 receiver, consumed"));
        CONTAINS(f.run("expect a.Health.current == 25"), "PASS");
        QCOMPARE(f.run("send Damage a --children amount=5"), std::string("Damage: 1 receiver, consumed"));
        CONTAINS(f.run("send Damage m --minimum=1"), "expected at least 1");
        CONTAINS(f.run("send Damage * --children"), "everyone already");
        QCOMPARE(f.run("send Damage b amount=1 --component=Health"),
                 std::string("Damage: 1 receiver, consumed"));
        QCOMPARE(f.run("send Damage b amount=1 --component=Body"),
                 std::string(
                     "Damage: 0 receivers, nobody acted. Health and Shield act on Damage; Body does not."));
        QCOMPARE(f.run("send Damage m amount=1"),
                 std::string(
                     "Damage: 0 receivers, nobody acted. Health and Shield act on Damage; m has neither."));
        QCOMPARE(f.run("send Damage m amount=1 --children"),
                 std::string("Damage: 0 receivers, nobody acted. Health and Shield act on Damage."));
        QCOMPARE(f.run("send ContactBegan m"),
                 std::string("ContactBegan: 0 receivers")); // a notice, which asks for nothing
        f.run("disable b Health");
        QCOMPARE(f.run("send Damage b amount=1"),
                 std::string("Damage: 0 receivers, nobody acted. Health and Shield act on Damage; Health of "
                             "b is switched off."));
        f.run("enable b Health");
        f.run("disable b");
        QCOMPARE(
            f.run("send Damage b amount=1"),
            std::string(
                "Damage: 0 receivers, nobody acted. Health and Shield act on Damage; b is switched off."));
        CONTAINS(f.run("send Damage b --component=Helth"), "did you mean Health?");
        CONTAINS(f.run("send Damage a --sideways"), "no option");
        CONTAINS(f.run("send Damage a amont=5"), "sets no field of Damage");
        CONTAINS(f.run("send Damge a"), "did you mean Damage?");
    }
    void sendWaits() {
        Fixture f;
        f.session.play();
        f.session.tick();
        CONTAINS(f.run("send Damage b amount=5 --after=0.1"), "waits 6 ticks");
        for (int i = 0; i < 3; ++i)
            f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 40"), "PASS");
        for (int i = 0; i < 5; ++i)
            f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 35"), "PASS");
        CONTAINS(f.run("send Damage b --after=-1"), "seconds above 0");
        CONTAINS(f.run("send Damage b --after=nan"), "seconds above 0");
    }
    void sendWaitsForOneComponent() {
        Fixture f;
        f.session.play();
        f.session.tick();
        QCOMPARE(f.run("send Damage b amount=5 --component=Health --ticks=2"),
                 std::string("Damage: waits 2 ticks"));
        CONTAINS(f.run("send Damage b amount=5 --component=Helth --ticks=2"), "did you mean Health?");
        f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 40"), "PASS");
        f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 35"), "PASS");
    }
    void sendWaitsTicksInTurn() {
        Fixture f;
        f.session.play();
        f.session.tick();
        CONTAINS(f.run("send Damage b amount=50 --ticks=10"), "waits 10 ticks");
        CONTAINS(f.run("send Heal b amount=20 --ticks=10 --priority=-1"), "waits 10 ticks");
        CONTAINS(f.run("send Damage b amount=10 --ticks=1"), "waits 1 tick");
        f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 30"), "PASS");
        for (int i = 0; i < 8; ++i)
            f.session.tick();
        CONTAINS(f.run("expect b.Health.current == 30"), "PASS");
        // Healed to 40 first: the other way round it would be 20 and then dead.
        CONTAINS(f.run("send Heal b amount=20 --priority=3"), "--priority orders messages that are delivered later");
        f.session.execute("set b Health.maximum 60");
        f.session.tick();
        QVERIFY(!f.session.world().find("b") || f.run("expect b.Health.current == 0").starts_with("PASS"));
        for (const char* wrong :
             {"--ticks=0", "--ticks=-1", "--ticks=1.5", "--ticks=", "--priority=x", "--prio=1"})
            CONTAINS(f.run(std::string("send Damage a amount=1 ") + wrong), wrong);
        QCOMPARE(f.session.world().queue().size(), std::size_t(0));
    }
    void expectReadsUnits() {
        Fixture f;
        f.session.play();
        for (int i = 0; i < 30; ++i)
            f.session.tick();
        CONTAINS(f.run("expect tick == 0.5 s"), "PASS");
        CONTAINS(f.run("expect tick > 400ms and a.Body.mass == 5 kg"), "PASS");
        CONTAINS(f.run("expect a.Body.mass < 5001 g"), "PASS");
        CONTAINS(f.run("expect a.position.y < 0.01 km"), "PASS");
        CONTAINS(f.run("expect a.Health.current > 50 %"), "PASS");
        QCOMPARE(f.run("expect a.Body.mass > 5 s"),
                 std::string("error: FAIL a.Body.mass > 5 s: a.Body.mass is in kg; expected a number in g, "
                             "kg, t (column 15: 5 s)"));
        QCOMPARE(f.run("watch a.Body.mass > 4 kg"), std::string("watch 1: a.Body.mass > 4 kg"));
        f.session.publish();
        QCOMPARE(f.session.watches().list().at(0).shown, std::string("true"));
    }
    // A float's value is what is written of it, a vector's and a colour's numbers go by name.
    void expectReadsWhatIsShown() {
        Fixture f;
        CONTAINS(f.run("set a Body.mass 0.1; expect a.Body.mass == 0.1"), "PASS");
        CONTAINS(f.run("expect a.Body.mass == 0.2"), "a.Body.mass is 0.1");
        QCOMPARE(f.run("select Body.mass == 0.1"), std::string("a"));
        CONTAINS(
            f.run("set a Body.size [0.3, 0.7, 1.1]; expect a.Body.size.x == 0.3 and a.Body.size.z == 1.1"),
            "PASS");
        QCOMPARE(f.run("select Body.size.y in (0.7, 0.8)"), std::string("a"));
        CONTAINS(f.run("set m Mesh.color [0.1, 0.2, 0.3, 0.4]; expect m.Mesh.color.r == 0.1 and "
                       "m.Mesh.color.a == 0.4"),
                 "PASS");
        QCOMPARE(f.run("select Mesh.color.g == 0.2"), std::string("m"));
        CONTAINS(f.run("expect m.Mesh.color.x == 0.1"), "\"color\" has no \"x\"; expected one of r, g, b, a");
        CONTAINS(f.run("expect a.Body.mass.x == 0.1"), "has no elements");
        CONTAINS(f.run("sim.gravity 1.6; expect sim.gravity == 1.6"), "PASS");
        QVERIFY(f.offers("expect m.Mesh.col", "m.Mesh.color.b"));
        QVERIFY(!f.offers("set m Mesh.col", "Mesh.color.b"));
    }
    // Nor does anything else tell a secret.
    void expectKeepsSecrets() {
        Fixture f;
        f.session.console().cvars().add<std::string>("net.word", "", "Secret.",
                                                     {.flags = CVarFlags::Protected});
        (void)f.run("net.word hunter2");
        for (const char* line : {"expect net.word == x", "expect net.word ~ hun", "watch net.word"})
            QVERIFY2(f.run(line).find("hunter2") == std::string::npos, line);
        CONTAINS(f.run("expect net.word == hunter2"), "net.word is protected");
        f.session.publish();
        for (const WatchReading& watch : f.session.watches().list())
            QVERIFY(watch.shown.find("hunter2") == std::string::npos);
    }
    // A CVar that is mistyped is no entity.
    void expectKnowsCVarsNearby() {
        Fixture f;
        CONTAINS(f.run("expect sim.gravty == 9"), "there is no CVar \"sim.gravty\"");
        CONTAINS(f.run("expect sim.gravty == 9"), "did you mean sim.gravity?");
        CONTAINS(f.run("expect sim.gravty == 9"), "(column 1: sim.gravty == 9)");
        (void)f.run("spawn Crate crate");
        CONTAINS(f.run("expect crat.position.y > 1"), "no entity is called \"crat\"; did you mean crate?");
        CONTAINS(f.run("expect Nobody.Health.current == 1"), "no entity is called");
        CONTAINS(f.run("watch sim.gravty"), "did you mean sim.gravity"); // once; not with each sample
        f.session.publish();
        CONTAINS(f.session.watches().list().at(0).shown, "no entity is called \"sim\"");
    }
    void thereIsNoArithmetic() {
        Fixture f;
        for (const char* line :
             {"watch a.position.x - b.position.x", "expect a.position.x * 2 > 3", "watch - a.position.x"})
            CONTAINS(f.run(line), "there is no arithmetic");
        QVERIFY(f.session.watches().list().empty());
        CONTAINS(f.run("expect a.Body.shape ~ * and a.position.x > -1"), "PASS");
    }
    void ticksAreAtLeastOne() {
        Fixture f;
        for (const char* line :
             {"wait 0", "wait -1", "wait 0.5", "wait 1e9", "wait soon", "sim.step 0", "sim.step 1e-310"}) {
            const ConsoleReply reply = f.session.execute(line);
            QVERIFY2(!reply.ok, line);
            CONTAINS(reply.lines.front(), "expected a whole number in [1, ");
        }
        QVERIFY(!f.session.lines().waiting());
        f.session.play();
        f.session.tick();
        for (const char* ticks : {"1e1", "\"\\\"10\\\"\"", "+10"}) {
            (void)f.run(std::string("wait ") + ticks + "; spawn Crate late");
            for (int i = 0; i < 9; ++i)
                f.session.tick();
            QVERIFY2(!f.session.world().find("late"), ticks);
            for (int i = 0; i < 2; ++i)
                f.session.tick();
            QVERIFY2(f.session.world().find("late"), ticks);
            (void)f.run("destroy late");
            f.session.tick();
        }
    }
    // Lines that wait say where they stay.
    void waitingWithoutARunIsTold() {
        Fixture f;
        const auto logged = [&](std::string_view text) {
            for (const LogRecord& record : f.log.since(0))
                if (record.text == text)
                    return true;
            return false;
        };
        (void)f.run("wait 3; echo a; echo b");
        QVERIFY(logged("2 statements wait for the next Play"));
        f.session.play();
        f.session.tick();
        (void)f.run("wait 30; echo c");
        QVERIFY(!logged("1 statement waits for the next Play"));
        for (int i = 0; i < 5; ++i)
            f.session.tick();
        QVERIFY(logged("b"));
        f.session.stop();
        QVERIFY(logged("1 statement that waited is dropped with the run"));
        QVERIFY(!f.session.lines().waiting());
    }
    // All files that commands write are relative to one folder.
    void filesStandInTheProject() {
        Fixture f; // its folder is p, and not there
        for (const char* line : {"world.dump out.x", "docs out.x.md", "dump a text out.x", "condump out.x"}) {
            const ConsoleReply reply = f.session.execute(line);
            QVERIFY2(!reply.ok, line);
            CONTAINS(reply.lines.front(), "p/out.x");
        }
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("w.json")).toStdString();
        QCOMPARE(f.run("world.dump " + file), file);
        QFile written(QString::fromStdString(file));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), QByteArray::fromStdString(f.session.simulation().dump() + "\n"));
    }
    void faultsInExpectationsHaveAPlace() {
        Fixture f;
        CONTAINS(f.run("expect a.Health.curent == 1"), "(column 1: a.Health.curent == 1)");
        CONTAINS(f.run("expect a.Health.current = 1"), "(column 18: = 1)");
        CONTAINS(f.run("expect true == true and nobody.x == 1"), "(column 18: nobody.x == 1)");
        CONTAINS(f.run("expect count(typ == Crate) == 1"), "(column 7: typ == Crate) == 1)");
        // What is merely not so has none.
        QCOMPARE(f.run("expect a.Health.current == 1"),
                 std::string("error: FAIL a.Health.current == 1: a.Health.current is 40.0"));
    }
    void sendCompletes() {
        Fixture f;
        QVERIFY(f.offers("send Dam", "Damage"));
        QVERIFY(f.offers("send Damage ", "*"));
        QVERIFY(f.offers("send Damage ", "a"));
        QVERIFY(f.offers("send Damage a ", "amount="));
        QVERIFY(f.offers("send Damage a am", "amount="));
        QVERIFY(f.offers("send Damage a amount=", "amount=0.0"));
        QVERIFY(!f.offers("send Damage a amount=5 ", "amount="));
        QVERIFY(f.offers("send Damage a --ch", "--children"));
        QVERIFY(f.offers("send Damage a --t", "--ticks="));
        QVERIFY(f.offers("send Damage a --p", "--priority="));
        f.run("event Flood depth=float kind=salt|fresh who=entity on=bool");
        QVERIFY(f.offers("raise Fl", "Flood"));
        QVERIFY(!f.offers("raise ", "Damage")); // no event
        QVERIFY(f.offers("raise Flood ", "depth="));
        QVERIFY(f.offers("raise Flood kind=", "kind=fresh"));
        QVERIFY(f.offers("raise Flood who=", "who=b"));
        QVERIFY(f.offers("raise Flood on=", "on=true"));
        QVERIFY(!f.offers("raise Flood on=true ", "on="));
        QVERIFY(f.offers("raise Flood --m", "--minimum="));
        QVERIFY(f.offers("spawn He", "HeavyCrate")); // of the definitions, though none lives
        QCOMPARE(f.candidates("spawn Crate").front(), std::string("Crate"));
    }

    void selectTakesTheFilterLanguage() {
        Fixture f;
        std::vector<std::string> told;
        f.session.handlers().selection = [&](const std::vector<std::string>& names) { told = names; };
        QCOMPARE(f.run("select type == Crate"), std::string("a\nb"));
        QCOMPARE(told, (std::vector<std::string>{"a", "b"}));
        (void)f.run("send Damage b amount=30");
        QCOMPARE(f.run("select Health.current < 20"), std::string("b"));
        QCOMPARE(f.run("select \"has:Mesh or Body.mass > 4kg\""), std::string("a\nb\nm"));
        QCOMPARE(f.run("select position.y > 5m and not name == a"), std::string("b\nm"));
        QCOMPARE(f.run("select parent == a"), std::string("m"));
        QCOMPARE(f.run("select Body.size.x == 1"), std::string("a\nb"));
        CONTAINS(f.run("select Body.shape == cube"), "box");
        CONTAINS(f.run("select Helth.current < 20"), "did you mean Health.current?");
        QCOMPARE(told, (std::vector<std::string>{"a", "b"})); // a fault changes nothing
        CONTAINS(f.run("select type == HeavyCrate"), "nothing matches");
        QVERIFY(told.empty());
        QCOMPARE(f.run("select"), std::string());
    }
    void outputOfSelectIsInput() {
        Fixture f;
        (void)f.run("send Damage b amount=30");
        CONTAINS(f.run("expect count(Health.current < 20) == 1"), "PASS");
        (void)f.run("select Health.current < 20 | destroy");
        CONTAINS(f.run("expect count(type == Crate) == 1"), "PASS");
        CONTAINS(f.run("destroy"), "entity is missing");
        CONTAINS(f.run("destroy a nobody"), "no entity is called");
        CONTAINS(f.run("expect count(type == Crate) == 1"), "PASS"); // all or none
    }
    void outputOfSelectNamesTheEntities() {
        Fixture f;
        QCOMPARE(f.run("select type == Crate | set Body.mass 7"), std::string());
        CONTAINS(f.run("expect a.Body.mass == 7 and b.Body.mass == 7"), "PASS");
        (void)f.run("select type == Crate | send Damage amount=5");
        CONTAINS(f.run("expect a.Health.current == b.Health.current and a.Health.current < a.Health.maximum"),
                 "PASS");
        // Nothing is no name.
        QCOMPARE(f.run("select type == Nothing | set Body.mass 9"),
                 std::string("nothing matches type == Nothing"));
        QCOMPARE(f.run("select type == Nothing | destroy"), std::string("nothing matches type == Nothing"));
        CONTAINS(f.run("select type == Crate | set Body.mss 9"), "did you mean mass?");
        CONTAINS(f.run("select type == Crate | set"), "is missing");
    }
    void theSelectionIsAName() {
        Fixture f;
        CONTAINS(f.run("destroy $sel"), "nothing is selected");
        QCOMPARE(f.run("select type == Crate; set $sel Body.mass 7"), std::string("a\nb"));
        CONTAINS(f.run("expect a.Body.mass == 7 and b.Body.mass == 7"), "PASS");
        f.session.setSelected({"b"});
        QCOMPARE(f.run("echo $sel:$sel.x \"$sel\" $selfish"), std::string("b:b.x $sel $selfish"));
        CONTAINS(f.run("expect $sel.Body.mass == 7"), "PASS b.Body.mass == 7");
        // Kept lines mean what is selected when they run.
        QCOMPARE(f.run("alias what echo $sel"), std::string());
        f.session.setSelected({"a"});
        QCOMPARE(f.run("what"), std::string("a"));
        QVERIFY(f.offers("destroy $", "$sel"));
        f.session.setSelected({"$sel"});
        QCOMPARE(f.run("echo $sel"), std::string("$sel"));
        // A name from a file runs nothing.
        f.session.setSelected({"a;render.shadows=false"});
        (void)f.run("render.shadows true");
        QCOMPARE(f.run("echo $sel"), std::string("a;render.shadows=false"));
        CONTAINS(f.run("expect render.shadows == true"), "PASS");
    }
    void faultsInFiltersHaveAPlace() {
        Fixture f;
        QCOMPARE(f.run("select type = Crate"),
                 std::string("error: a single = compares nothing; did you mean ==? (column 6: = Crate)"));
        CONTAINS(f.run("select \"type = Crate\""), "(column 6: = Crate)");
        CONTAINS(f.run("list entities type =="), "(column 6: ==)");
        CONTAINS(f.run("watch a.Health.current >"), "(column ");
        CONTAINS(f.run("break nonsense == 1"), "(column 1: nonsense == 1)");
    }
    void filtersComplete() {
        Fixture f;
        QVERIFY(f.offers("select Heal", "Health.current "));
        QVERIFY(f.offers("select type == ", "Crate "));
        QVERIFY(f.offers("select type == Crate and na", "name "));
        QVERIFY(f.offers("list entities ty", "type "));
        QVERIFY(f.offers("expect a.He", "a.Health.current"));
        QVERIFY(f.offers("expect count(ty", "type "));
        QVERIFY(f.offers("expect a.Health.current == sim.gra", "sim.gravity"));
        QVERIFY(f.offers("set a Body.ma", "Body.mass"));
        QVERIFY(f.offers("set a Body.shape sp", "sphere"));
    }

    void listsTakeFilters() {
        Fixture f;
        QCOMPARE(f.run("list entities type == Crate"), std::string("a  Crate\nb  Crate"));
        QCOMPARE(f.run("list entities mark"), std::string("m  Marker"));
        QCOMPARE(f.run("list entities nothing"), std::string("none"));
        QCOMPARE(f.run("list entities"), std::string("a  Crate\nb  Crate\nm  Marker"));
        (void)f.run("spawn Crate longer");
        QCOMPARE(f.run("list entities type == Crate"),
                 std::string("a       Crate\nb       Crate\nlonger  Crate"));
        CONTAINS(f.run("list entities type =="), "error");
    }

    void dumpWritesWorldAndEntities() {
        Fixture f;
        CONTAINS(f.run("dump"), "world local, tick 0, 3 entities\na  Crate   [0.0, 10.0, 0.0]");
        CONTAINS(f.run("dump"), "m  Marker  [0.0, 11.0, 0.0]  in a");
        CONTAINS(f.run("dump a"), "Body.mass = 5.0 kg");
        CONTAINS(f.run("dump a"), "Health.current = 40.0");
        const QJsonDocument entity = QJsonDocument::fromJson(QByteArray::fromStdString(f.run("dump a json")));
        QCOMPARE(
            entity[QStringLiteral("components")][QStringLiteral("Body")][QStringLiteral("mass")].toDouble(),
            5.0);
        const QJsonDocument world = QJsonDocument::fromJson(QByteArray::fromStdString(f.run("dump json")));
        QCOMPARE(world[QStringLiteral("entities")].toArray().size(), 3);
        QCOMPARE(f.run("dump world json"), f.session.simulation().dump());
        CONTAINS(f.run("dump nobody"), "no entity is called");
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.txt"));
        QCOMPARE(f.run("dump a text " + file.toStdString()), file.toStdString());
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().startsWith("a  Crate"));
    }

    void cheatsObeySimCheats() {
        Fixture f;
        (void)f.run("sim.gravity 1");
        CONTAINS(f.run("sim.gravity"), "at tick 0");
        (void)f.run("sim.cheats 0");
        CONTAINS(f.run("expect sim.gravity > 9"), "PASS");
        CONTAINS(f.run("sim.gravity 1"), "sim.cheats");
        (void)f.run("sim.cheats 1; sim.gravity 1");
        CONTAINS(f.run("expect sim.gravity == 1"), "PASS");
    }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "tst_commands.moc"
