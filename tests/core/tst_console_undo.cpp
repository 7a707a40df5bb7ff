// What lines set is taken back and made again.
#include <QtTest>

#include "tests/contains.h"
#include "tests/core/console_fixture.h"

using namespace sbx;

namespace {

struct Fixture : test::ConsoleFixture {
    QTemporaryDir folder;

    ConsoleReply runFile(const QByteArray& lines) {
        QFile script(folder.filePath(QStringLiteral("a.cfg")));
        if (!script.open(QIODevice::WriteOnly) || script.write(lines) != lines.size() || !script.flush())
            return {false, {}, {}, {}};
        return console.execFile(script.fileName().toStdString());
    }
};

} // namespace

class TestConsoleUndo : public QObject {
    Q_OBJECT
private slots:
    // What was typed, that is: not what a script, the user's settings or a secret did, nor what changed nothing.
    void typedSetsAreTakenBack() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        std::uint64_t tick = 3;
        f.console.setTickProvider([&] { return tick; });
        QVERIFY(cvars.set("render.detail", "2", CVarSource::Project, {"project.toml:1", {}}).ok());
        std::vector<CVarStep> steps =
            f.console
                .execute(
                    "render.detail 4; inc render.detail; sim.gravity 1; net.password x; reset render.detail")
                .steps;
        QCOMPARE(steps.size(), std::size_t(4));
        QCOMPARE(f.detail.get(), 2);
        tick = 9;
        std::vector<CVarStep> last(steps.begin() + 2, steps.end());
        f.console.undo(last);
        QCOMPARE(f.detail.get(), 5);
        QCOMPARE(f.gravity.get(), 9.81F);
        CONTAINS(f.run("render.detail"), "set by console at tick 3)"); // as it was
        std::vector<CVarStep> first(steps.begin(), steps.begin() + 2);
        f.console.undo(first);
        QCOMPARE(f.detail.get(), 2);
        CONTAINS(f.run("render.detail"), "set by project (project.toml:1))");
        QCOMPARE(f.password.get(), std::string("x"));
        QVERIFY(f.logged("render.detail = 2 (undone)"));
        f.console.redo(steps);
        QCOMPARE(f.gravity.get(), 1.0F);
        QCOMPARE(f.detail.get(), 2);
        QVERIFY(f.console.execute("sim.gravity; sim.gravity 1; reset render.detail").steps.empty());
        QVERIFY(f.console.execute("render.detail 3", CVarSource::User).steps.empty());
        QVERIFY(f.runFile("render.detail 6\n").steps.empty());
        QCOMPARE(f.detail.get(), 6);
        // A cheat that may not be set any more stays as it is, and the log says why.
        cvars.allowCheats(false);
        std::vector<CVarStep> cheat{steps[2]};
        f.console.undo(cheat);
        QCOMPARE(f.gravity.get(), 9.81F);
        f.console.redo(cheat);
        QCOMPARE(f.gravity.get(), 9.81F);
        QVERIFY(f.logged("sim.cheats"));
    }
    // A reset is a step as a set is, down through every layer; of all CVars it is the steps of one line.
    void resetsAreTakenBack() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        cvars.add<int>("sim.fixed", 1, "Fixed.", {.flags = CVarFlags::ReadOnly});
        cvars.add<int>("sim.quiet", 1, "Hidden.", {.flags = CVarFlags::Hidden});
        QVERIFY(cvars.set("render.detail", "2", CVarSource::Project, {"project.toml:1", {}}).ok());
        QVERIFY(cvars.set("render.detail", "3", CVarSource::User, {"user.cfg:4", {}}).ok());
        (void)f.run("render.detail 4; sim.gravity 1; sim.quiet 7; net.password x");
        int changes = 0;
        const CVarConnection connection = f.detail.onChange([&](int) { ++changes; });

        ConsoleReply one = f.console.execute("reset render.detail all");
        QCOMPARE(one.lines, std::vector<std::string>{"render.detail = 1 (default)"});
        QCOMPARE(one.steps.size(), std::size_t(1));
        QCOMPARE(f.detail.get(), 1);
        f.console.undo(one.steps);
        QCOMPARE(f.detail.get(), 4);
        QCOMPARE(changes, 2); // there and back, nothing between
        (void)f.run("reset render.detail");
        CONTAINS(f.run("render.detail"), "set by user (user.cfg:4))");
        CONTAINS(f.run("render.detail"), "also set, not in force: project 2");
        f.console.redo(one.steps);
        QCOMPARE(f.detail.get(), 1);
        f.console.undo(one.steps);
        // What a source set since stays: a step is about the layers that it changed.
        std::vector<CVarStep> typed = f.console.execute("reset render.detail").steps;
        QVERIFY(cvars.set("render.detail", "5", CVarSource::User, {"user.cfg:5", {}}).ok());
        f.console.undo(typed);
        QCOMPARE(f.detail.get(), 4);
        CONTAINS(f.run("render.detail"), "user 5, project 2");

        ConsoleReply every = f.console.execute("reset all");
        QCOMPARE(every.lines,
                 (std::vector<std::string>{"sim.gravity = 9.81 m/s² (default)", "render.detail = 5 (user)",
                                           "sim.quiet = 1 (default)"}));
        QCOMPARE(every.steps.size(), std::size_t(3));
        QCOMPARE(f.password.get(), std::string("x")); // could not be taken back
        QCOMPARE(f.run("reset all"), std::string("the console has set no CVar"));
        f.console.undo(every.steps);
        QCOMPARE(f.detail.get(), 4);
        QCOMPARE(f.gravity.get(), 1.0F);
        QCOMPARE(f.console.execute("reset all all").steps.size(), std::size_t(3));
        QCOMPARE(f.detail.get(), 1);
        QCOMPARE(f.run("reset all all"), std::string("every CVar is at its default"));
        CONTAINS(f.run("reset sim.fixed"), "read-only");
        CONTAINS(f.run("reset sim.gravty"), "did you mean sim.gravity");
        QCOMPARE(f.console.complete("reset al", 8).candidates.front().text, std::string("all"));
    }
    // Also when what allows them is itself reset before their turn.
    void cheatsAreResetAsStepsBesideTheirSwitch() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        auto allowed = cvars.add<bool>("a.cheats", false, "Cheats.");
        const CVarConnection connection = allowed.onChange([&](bool on) { cvars.allowCheats(on); });
        cvars.allowCheats(false);
        (void)f.run("a.cheats true; sim.gravity 1");
        ConsoleReply every = f.console.execute("reset all");
        QCOMPARE(every.lines, (std::vector<std::string>{"sim.gravity = 9.81 m/s² (default)",
                                                        "a.cheats = false (default)"}));
        QCOMPARE(every.steps.size(), std::size_t(2));
        f.console.undo(every.steps);
        QVERIFY(allowed.get());
        QCOMPARE(f.gravity.get(), 1.0F);
    }
    // One undo step: the switch and the values that it resets, from any source.
    void forbiddingCheatsIsTakenBackWhole() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        auto allowed = cvars.add<bool>("x.cheats", true, "Cheats.");
        auto wind = cvars.add<float>("a.wind", 0.0F, "Wind.", {.flags = CVarFlags::Cheat});
        auto key = cvars.add<std::string>("a.key", "", "Secret.",
                                          {.flags = CVarFlags::Cheat | CVarFlags::Protected});
        const CVarConnection connection = allowed.onChange([&](bool on) { cvars.allowCheats(on); });
        QVERIFY(cvars.set("a.wind", "2", CVarSource::User, {"user.cfg:1", {}}).ok());
        (void)f.run("sim.gravity 1; a.key open; a.wind 3; render.detail 2");
        for (const char* line : {"x.cheats false", "toggle x.cheats"}) {
            ConsoleReply reply = f.console.execute(line);
            QCOMPARE(reply.lines, std::vector<std::string>{"x.cheats = false (was true)"});
            QCOMPARE(reply.steps.size(), std::size_t(3)); // the secret is none
            QCOMPARE(f.gravity.get(), 9.81F);
            QCOMPARE(wind.get(), 0.0F);
            f.console.undo(reply.steps);
            QVERIFY(allowed.get());
            QCOMPARE(f.gravity.get(), 1.0F);
            QCOMPARE(wind.get(), 3.0F);
            CONTAINS(f.run("a.wind"), "user 2");
            f.console.redo(reply.steps);
            QVERIFY(!allowed.get());
            QCOMPARE(f.gravity.get(), 9.81F);
            QCOMPARE(wind.get(), 0.0F);
            QVERIFY(cvars.describe("a.wind")->isDefault());
            f.console.undo(reply.steps);
        }
        QCOMPARE(key.get(), std::string());
        // A reset of the switch is such an action, too.
        (void)f.run("x.cheats false; x.cheats true; sim.gravity 2");
        QVERIFY(cvars.set("x.cheats", "false", CVarSource::User).ok());
        ConsoleReply reset = f.console.execute("reset x.cheats");
        QVERIFY(!allowed.get());
        QCOMPARE(f.gravity.get(), 9.81F);
        f.console.undo(reset.steps);
        QVERIFY(allowed.get());
        QCOMPARE(f.gravity.get(), 2.0F);
    }
    // What a script set is nobody's step, but goes when their switch is taken back: then it comes back with it.
    void cheatsOfAScriptComeBackWithTheirSwitch() {
        Fixture f;
        CVarRegistry& cvars = f.console.cvars();
        auto allowed = cvars.add<bool>("x.cheats", false, "Cheats.");
        auto wind = cvars.add<float>("a.wind", 0.0F, "Wind.", {.flags = CVarFlags::Cheat});
        const CVarConnection connection = allowed.onChange([&](bool on) { cvars.allowCheats(on); });
        cvars.allowCheats(false);
        ConsoleReply on = f.console.execute("x.cheats true; render.detail 2");
        QVERIFY(f.runFile("sim.gravity 1\na.wind 2\n").ok);
        const auto isOn = [&](float gravity, float breeze) {
            QVERIFY(allowed.get());
            QCOMPARE(f.gravity.get(), gravity);
            QCOMPARE(wind.get(), breeze);
            CONTAINS(f.run("sim.gravity"), "a.cfg:1");
        };
        const auto isOff = [&] {
            QVERIFY(!allowed.get());
            QCOMPARE(f.gravity.get(), 9.81F);
            QCOMPARE(wind.get(), 0.0F);
            QVERIFY(cvars.describe("a.wind")->isDefault());
        };
        for (int round = 0; round < 3; ++round) {
            f.console.undo(on.steps);
            isOff();
            f.console.redo(on.steps);
            isOn(1.0F, 2.0F);
            QCOMPARE(f.detail.get(), 2);
        }
        QVERIFY(f.logged("sim.gravity = 1.0 m/s² (redone)"));
        // As it was when it went, each time.
        QVERIFY(f.runFile("sim.gravity 4\n").ok);
        f.console.undo(on.steps);
        isOff();
        f.console.redo(on.steps);
        isOn(4.0F, 2.0F);
        // The reverse: turned off by typing, on again by undo, set by a script, off by redo.
        ConsoleReply off = f.console.execute("x.cheats false");
        isOff();
        f.console.undo(off.steps);
        isOn(4.0F, 2.0F);
        QVERIFY(f.runFile("sim.gravity 7\na.wind 8\n").ok);
        f.console.redo(off.steps);
        isOff();
        f.console.undo(off.steps);
        isOn(7.0F, 8.0F);
        // Both steps, down and up again.
        for (int round = 0; round < 2; ++round) {
            f.console.redo(off.steps);
            f.console.undo(off.steps);
            f.console.undo(on.steps);
            isOff();
            QCOMPARE(f.detail.get(), 1);
            f.console.redo(on.steps);
            isOn(7.0F, 8.0F);
        }
        // A secret is in no step: it stays gone.
        auto key = cvars.add<std::string>("a.key", "", "Secret.",
                                          {.flags = CVarFlags::Cheat | CVarFlags::Protected});
        QVERIFY(f.runFile("sim.gravity 7\na.key open\n").ok);
        f.console.undo(on.steps);
        f.console.redo(on.steps);
        isOn(7.0F, 8.0F);
        QCOMPARE(key.get(), std::string());
    }
};

QTEST_GUILESS_MAIN(TestConsoleUndo)
#include "tst_console_undo.moc"
