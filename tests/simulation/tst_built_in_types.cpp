// The types that every project has: they are whole, they play, and they change nothing for a project that does not use them.

#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/simulation/built_in_types.h"
#include "tests/simulation/project_in_memory.h"

#include <string>
#include <vector>

using namespace sbx;

namespace {

const std::vector<std::string> Names{"Empty", "Box", "Sphere", "Capsule", "Cylinder", "Plane", "Mesh", "Light", "Camera", "Sound", "Trigger"};

struct Play {
    Log log;
    Session session{log, addConsoleCommands};
    Diagnostics faults;

    Play(const std::string& definitions, const std::string& scene) {
        session.open(projectInMemory(session, definitions, "[scene]\nname = \"S\"\n" + scene, &faults));
    }
    void run(int ticks) {
        session.play();
        for (int i = 0; i < ticks; ++i)
            session.tick();
    }
    [[nodiscard]] Vec3 place(const char* name) { return session.world().find(name).pose().position; }
};

std::string entity(const std::string& type, const char* name, const char* position) {
    return "[[entity]]\ntype = \"" + type + "\"\nname = \"" + name + "\"\nposition = " + position + "\n";
}

} // namespace

class TestBuiltInTypes : public QObject {
    Q_OBJECT

private slots:
    void allAreWhole() {
        Log log;
        const Session session(log, addConsoleCommands);
        Diagnostics faults;
        const auto types = definition::Definitions::load({builtInTypes()}, session.catalog().schema, faults);
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
        QCOMPARE(types.names(), Names);
        for (const definition::EntityTypeDefinition& type : types.types())
            QVERIFY2(type.builtIn && !type.doc.empty() && !type.icon.empty(), type.name.c_str());
    }

    // The project declares no type: a box falls onto a plane, a sphere and a capsule come to rest on it, a trigger notices them.
    void aSceneOfThemPlays() {
        Play play("", entity("Plane", "ground", "[0.0, 0.0, 0.0]") + entity("Box", "box", "[0.0, 3.0, 0.0]")
                          + entity("Sphere", "ball", "[3.0, 3.0, 0.0]") + entity("Capsule", "capsule", "[-3.0, 3.0, 0.0]")
                          + entity("Cylinder", "cylinder", "[0.0, 3.0, 3.0]") + entity("Light", "lamp", "[0.0, 5.0, 0.0]")
                          + entity("Camera", "eye", "[0.0, 2.0, 8.0]") + entity("Sound", "tone", "[0.0, 1.0, 0.0]")
                          + entity("Trigger", "watch", "[0.0, 1.0, 0.0]") + entity("Empty", "group", "[0.0, 0.0, 0.0]"));
        QVERIFY2(play.faults.items.empty(), play.faults.items.empty() ? "" : play.faults.items[0].toString().c_str());
        QCOMPARE(play.session.world().entityCount(), std::size_t(10));
        play.run(180);
        const auto rests = [&](const char* name, float height) {
            QVERIFY2(std::abs(play.place(name).y - 0.05F - height) < 0.03F, qPrintable(QString::number(double(play.place(name).y))));
        };
        rests("box", 0.5F);
        rests("ball", 0.5F);
        rests("cylinder", 0.5F);
        QVERIFY(play.place("capsule").y > 0.4F && play.place("capsule").y < 1.2F); // it may have fallen over
        QCOMPARE(play.place("watch").y, 1.0F);
        const ConsoleReply inside = play.session.execute("expect watch.Trigger.inside == 1");
        QVERIFY2(inside.ok, inside.lines.empty() ? "" : inside.lines.back().c_str());
        for (const LogRecord& record : play.log.since(0))
            QVERIFY2(record.severity != LogSeverity::Error, record.text.c_str());
    }

    void aTypeOfTheProjectTakesThePlace() {
        Play play("[Box]\n[Box.Body]\nmotion = \"static\"\n", entity("Box", "box", "[0.0, 3.0, 0.0]"));
        QVERIFY(play.faults.items.empty());
        play.run(60);
        QCOMPARE(play.place("box").y, 3.0F);
    }

    // An error names the file and line of the project, and suggests a built-in type if its name is nearly the one given.
    void faultsNameTheProjectsFiles() {
        Play play("[Big]\nextends = \"Box\"\n[Big.Body]\nmass = \"heavy\"\n", entity("Sphre", "ball", "[0.0, 0.0, 0.0]"));
        QCOMPARE(play.faults.items.size(), std::size_t(2));
        play.faults.sort();
        QVERIFY2(play.faults.items[0].toString().starts_with("p/e.toml:4:"), play.faults.items[0].toString().c_str());
        QVERIFY2(play.faults.items[1].toString().starts_with("p/s.scene.toml:4:"), play.faults.items[1].toString().c_str());
        QVERIFY2(play.faults.items[1].toString().find("did you mean Sphere?") != std::string::npos, play.faults.items[1].toString().c_str());
    }

    // Each type's own lines declare it by themselves, exactly as the built-in file does.
    void theTextOfOneTypeDeclaresIt() {
        Log log;
        const Session session(log, addConsoleCommands);
        std::string all;
        for (const std::string& name : Names) {
            const std::string text = builtInTypeText(name);
            Diagnostics faults;
            const auto types = definition::Definitions::load({{"e.toml", text}}, session.catalog().schema, faults);
            QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items[0].toString().c_str());
            QCOMPARE(types.names(), std::vector<std::string>{name});
            all += (all.empty() ? "" : "\n") + text;
        }
        QCOMPARE(all, builtInTypes().text);
        QCOMPARE(builtInTypeText("Bo"), std::string());
        QCOMPARE(builtInTypeText(""), std::string());
    }
};

QTEST_GUILESS_MAIN(TestBuiltInTypes)
#include "tst_built_in_types.moc"
