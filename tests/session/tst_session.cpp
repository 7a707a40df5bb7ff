#include <QtTest>

#include "engine/commands/console_commands.h"
#include "engine/session/session.h"
#include "engine/simulation/entity_filter.h"

#include <map>

using namespace sbx;

namespace {

const char* const Entities = R"([Crate]
doc = "A box."
[Crate.Body]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 5.0
[Crate.Shield]
capacity = 8
[Crate.Health]
maximum = 40

[Ball]
[Ball.Body]
shape = "sphere"
radius = 0.5

[Marker]
[Marker.Mesh]
mesh = "cone"
[[Marker.Mesh2]]
)";

// The project's texts in memory: loadContent reads through this.
struct Texts {
    std::map<std::string, std::string> files;
    Texts() {
        files["p/project.toml"] =
            "[project]\nname = \"P\"\nscene = \"s.scene.toml\"\ndefinitions = [\"e.toml\"]\n"
            "[cvars]\n\"sim.gravity\" = 10.0\n";
        std::string text = Entities;
        files["p/e.toml"] = text.substr(0, text.find("[[Marker.Mesh2]]"));
        files["p/s.scene.toml"] =
            "[scene]\nname = \"S\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [0.0, 10.0, "
            "0.0]\n\n"
            "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nposition = [3.0, 10.0, 0.0]\n[entity.Body]\nmass = "
            "7.0\n\n"
            "[[entity]]\ntype = \"Marker\"\nname = \"m\"\nposition = [0.0, 1.0, 0.0]\nparent = \"a\"\n";
    }
    std::shared_ptr<const Content> load(const definition::Schema& schema, Diagnostics& sink) const {
        return loadContent("p/project.toml", "", schema, sink,
                           [this](const std::filesystem::path& path) -> Result<std::string> {
                               const auto it = files.find(path.string());
                               if (it == files.end())
                                   return Error{"no such file", path.string(), {}};
                               return it->second;
                           });
    }
    void replace(const std::string& file, const std::string& from, const std::string& to) {
        std::string& text = files.at(file);
        text.replace(text.find(from), from.size(), to);
    }
};

struct Fixture {
    Log log;
    Session session{log, addConsoleCommands};
    Texts texts;
    Fixture() { session.open(load()); }
    std::shared_ptr<const Content> load() {
        Diagnostics sink;
        const auto content = texts.load(session.catalog().schema, sink);
        for (const Diagnostic& d : sink.items)
            qWarning("%s", d.toString().c_str());
        Q_ASSERT(content && !sink.hasErrors());
        return content;
    }
    Entity entity(const char* name) { return session.world().find(name); }
    double field(const char* name, const char* component, const char* key) {
        const auto ref = entity(name).component(component);
        const FieldInfo* f = ref.type->state->find(key);
        return f != nullptr ? std::get<double>(f->read(ref.type->stateOf(ref.component)))
                            : std::get<double>(
                                ref.type->settings->find(key)->read(ref.type->settingsOf(ref.component)));
    }
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i)
            session.tick();
    }
    bool ok(const char* line) { return session.execute(line).ok; }
};

} // namespace

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void showsTheSceneStopped() {
        Fixture f;
        QCOMPARE(f.session.mode(), Mode::Edit);
        QCOMPARE(f.session.world().entityCount(), std::size_t(3));
        QCOMPARE(f.field("a", "Body", "mass"), 5.0);
        QCOMPARE(f.field("b", "Body", "mass"), 7.0);
        QCOMPARE(f.entity("m").pose().position.y, 11.0F);
        QCOMPARE(f.session.console().cvars().describe("sim.gravity")->value, Value(10.0));
    }
    // s = 10 - g t²/2, with the error of semi-implicit steps: n(n+1)/2 instead of n²/2.
    void aBodyFallsAsItShould() {
        Fixture f;
        f.texts.replace("p/project.toml", "10.0", "9.81");
        f.session.open(f.load());
        f.session.play();
        f.run(60);
        const float y = f.entity("a").pose().position.y;
        const float expected = 10.0F - 9.81F / 2.0F;
        QVERIFY2(std::abs(y - expected) < 0.02F * (10.0F - expected), qPrintable(QString::number(double(y))));
        // The marker hangs on the crate.
        QVERIFY(std::abs(f.entity("m").pose().position.y - (y + 1.0F)) < 1e-4F);
    }
    void stopRestoresTheScene() {
        Fixture f;
        f.session.play();
        f.run(30);
        QVERIFY(f.ok("spawn Ball extra 0 5 0"));
        QVERIFY(f.ok("destroy b"));
        f.session.tick();
        QVERIFY(f.session.world().find("extra"));
        f.session.stop();
        QCOMPARE(f.session.mode(), Mode::Edit);
        QVERIFY(!f.session.world().find("extra"));
        QVERIFY(f.session.world().find("b"));
        QCOMPARE(f.entity("a").pose().position.y, 10.0F);
        QCOMPARE(f.session.world().tickCount(), std::uint64_t(0));
    }
    void playPauseStepCount() {
        Fixture f;
        f.session.step();
        QCOMPARE(f.session.mode(), Mode::Pause);
        QCOMPARE(f.session.world().tickCount(), std::uint64_t(1));
        f.session.play();
        QVERIFY(f.session.running());
        f.session.pause();
        f.session.step();
        QCOMPARE(f.session.world().tickCount(), std::uint64_t(2));
    }
    void everyRunIsTheSame() {
        const auto run = [](bool record) {
            Fixture f;
            f.session.execute(record ? "trace.enabled true" : "trace.enabled false");
            f.session.play();
            std::string digests;
            for (int i = 0; i < 100; ++i) {
                f.session.tick();
                digests += f.session.simulation().digestLine() + "\n";
            }
            return digests;
        };
        const std::string first = run(true);
        QCOMPARE(run(true), first);
        QCOMPARE(run(false), first);
    }
    void editsReachTheRunningWorld() {
        Fixture f;
        f.session.play();
        f.run(10);
        const float before = f.entity("a").pose().position.y;
        f.texts.replace("p/e.toml", "mass = 5.0", "mass = 9.0");
        f.texts.replace("p/e.toml", "size = [1.0, 1.0, 1.0]", "size = [2.0, 2.0, 2.0]");
        const std::uint64_t said = f.log.since(0).back().sequence;
        f.session.applyContent(f.load());
        // One line a type whose entities are others now: what changed, and how many follow.
        QStringList followed;
        for (const LogRecord& record : f.log.since(said))
            if (record.text.find(" follow") != std::string::npos)
                followed.append(QString::fromStdString(record.text));
        QCOMPARE(followed.size(), 1);
        QVERIFY2(followed[0].startsWith(QStringLiteral("Crate: 2 entities follow (")), qPrintable(followed[0]));
        QVERIFY(followed[0].contains(QStringLiteral("Body.mass")) && followed[0].contains(QStringLiteral("Body.size")));
        QCOMPARE(f.field("a", "Body", "mass"), 9.0);
        QCOMPARE(f.field("b", "Body", "mass"), 7.0); // overridden by the scene
        QCOMPARE(f.entity("a").pose().position.y, before);
        f.run(1);
        QVERIFY(f.entity("a").pose().position.y < before); // keeps falling
    }
    void sceneEditsShowAtOnceWhenStopped() {
        Fixture f;
        const EntityId b = f.entity("b").id();
        f.texts.replace("p/s.scene.toml", "[0.0, 10.0, 0.0]", "[0.0, 20.0, 0.0]");
        f.session.applyContent(f.load());
        QCOMPARE(f.entity("a").pose().position.y, 20.0F);
        QCOMPARE(f.entity("m").pose().position.y, 21.0F);
        QCOMPARE(f.entity("b").id(), b); // untouched
        f.texts.replace("p/s.scene.toml", "mass = 7.0", "mass = 8.0");
        f.texts.files["p/s.scene.toml"] += "\n[[entity]]\ntype = \"Ball\"\nname = \"c\"\n";
        f.session.applyContent(f.load());
        QCOMPARE(f.field("b", "Body", "mass"), 8.0);
        QVERIFY(f.session.world().find("c"));
        f.texts.replace("p/s.scene.toml", "\n[[entity]]\ntype = \"Ball\"\nname = \"c\"\n", "");
        f.session.applyContent(f.load());
        QVERIFY(!f.session.world().find("c"));
    }
    // The list of entities is in the order of the file, whatever an edit makes anew, and what is spawned comes after it.
    void theListKeepsTheOrderOfTheFile() {
        Fixture f;
        const auto names = [&f] {
            f.session.publish();
            std::string out;
            for (const EntityRow& row : f.session.snapshot()->entities->rows)
                out += (out.empty() ? "" : " ") + row.name;
            return out;
        };
        f.texts.files["p/s.scene.toml"] += "\n[[entity]]\ntype = \"Ball\"\nname = \"last\"\nrotation = [0.0, 5.0, 0.0]\n";
        f.session.applyContent(f.load());
        QCOMPARE(names(), std::string("a b m last"));
        // Made anew, in the places that are free: another mass, and then another one before it.
        f.texts.replace("p/s.scene.toml", "rotation = [0.0, 5.0, 0.0]", "rotation = [0.0, 6.0, 0.0]");
        f.texts.replace("p/s.scene.toml", "mass = 7.0", "mass = 8.0");
        f.session.applyContent(f.load());
        f.texts.replace("p/s.scene.toml", "position = [0.0, 10.0, 0.0]", "position = [0.0, 10.0, 0.0]\nrotation = [0.0, 9.0, 0.0]");
        f.session.applyContent(f.load());
        QCOMPARE(names(), std::string("a b m last"));
        const std::string edited = names();
        f.session.open(f.load());
        QCOMPARE(names(), edited);
        // Nothing but the order of the file.
        const std::string last = "\n[[entity]]\ntype = \"Ball\"\nname = \"last\"\nrotation = [0.0, 6.0, 0.0]\n";
        f.texts.replace("p/s.scene.toml", last, "");
        f.texts.replace("p/s.scene.toml", "name = \"S\"\n", "name = \"S\"\n" + last);
        f.session.applyContent(f.load());
        QCOMPARE(names(), std::string("last a b m"));
        QVERIFY(f.ok("spawn Ball"));
        QCOMPARE(names(), std::string("last a b m ball"));
    }
    void faultsAreAllFoundAndLocated() {
        Fixture f;
        f.texts.replace("p/e.toml", "mass = 5.0", "mass = \"heavy\"");
        f.texts.replace("p/e.toml", "[Ball.Body]", "[Ball.Bodi]");
        Diagnostics sink;
        const auto content = f.texts.load(f.session.catalog().schema, sink);
        QVERIFY(content);
        QVERIFY(sink.hasErrors());
        std::string all;
        for (const Diagnostic& d : sink.items)
            all += d.toString() + "\n";
        QVERIFY2(all.find("p/e.toml:6:8: error: mass is text") != std::string::npos, all.c_str());
        QVERIFY2(all.find("did you mean Body?") != std::string::npos, all.c_str());
    }
    void consoleSteersTheWorld() {
        Fixture f;
        f.session.play();
        QVERIFY(f.ok("send Damage a amount=6"));
        QCOMPARE(f.field("a", "Shield", "left"), 2.0);
        QVERIFY(f.ok("expect a.Health.current == 40"));
        QVERIFY(f.ok("send|Damage a amount=6"));
        QVERIFY(f.ok("expect a.Health.current == 36 and a.Shield.left == 0"));
        QVERIFY(f.ok("expect count(type == \"Crate\") == 2"));
        QVERIFY(f.ok("set a Body.mass 12"));
        QCOMPARE(f.field("a", "Body", "mass"), 12.0);
        QVERIFY(!f.ok("set a Body.mass -1"));
        QVERIFY(!f.ok("set a Body.mas 1"));
        QVERIFY(!f.ok("send Damaj a"));
        QVERIFY(!f.ok("send Damage nobody"));
        QVERIFY(!f.ok("send Damage a amnt=5"));
        QVERIFY(!f.ok("spawn Krate"));
        const auto failed = f.session.execute("expect a.Health.current == 1");
        QVERIFY(!failed.ok);
        QVERIFY(failed.lines.back().find("FAIL") != std::string::npos);
        QCOMPARE(f.session.lines().failedExpectations(), std::uint64_t(1));
    }
    void waitSpreadsAScriptOverTicks() {
        Fixture f;
        f.session.play();
        f.session.execute("set a Body.mass 6; wait 3; set a Body.mass 7; wait; set a Body.mass 8");
        QCOMPARE(f.field("a", "Body", "mass"), 6.0);
        f.run(2);
        QCOMPARE(f.field("a", "Body", "mass"), 6.0);
        f.run(1);
        QCOMPARE(f.field("a", "Body", "mass"), 7.0);
        f.run(1);
        QCOMPARE(f.field("a", "Body", "mass"), 8.0);
        QVERIFY(!f.session.lines().waiting());
    }
    void snapshotsCarryWhatWasAskedFor() {
        Fixture f;
        f.session.inspect({"b", "nobody"});
        f.session.publish();
        const auto frame = f.session.snapshot();
        QCOMPARE(frame->inspected.size(), std::size_t(1));
        const Inspection& b = frame->inspected[0];
        QCOMPARE(b.components[0].name, std::string("Body"));
        const auto mass =
            std::find_if(b.components[0].settings.begin(), b.components[0].settings.end(),
                         [](const InspectedField& field) { return field.info->name == "mass"; });
        QVERIFY(mass->overridden);
        QCOMPARE(mass->value, Value(7.0));
        QCOMPARE(frame->entities->rows.size(), std::size_t(3));
        QVERIFY(frame->entities->find("a")->fromScene);
        QCOMPARE(frame->scene->instances.size(), std::size_t(1)); // only Marker has a Mesh
        f.session.publish();
        QCOMPARE(f.session.snapshot()->entities, frame->entities); // nothing came or went: the same list
    }
    // Of several entities: how many have a component, and which values differ, until a command makes them agree.
    void whatSeveralHaveInCommonIsCountedOverAll() {
        Fixture f;
        f.session.inspect({"a", "b", "m", "nobody"}, "a");
        f.session.publish();
        const auto frame = f.session.snapshot();
        QCOMPARE(frame->inspected.size(), std::size_t(3)); // few: each one's values
        QVERIFY(frame->together != nullptr);
        QCOMPARE(frame->together->entities, std::size_t(3));
        const auto differs = [](const FrameSnapshot& in, const std::string& component, const std::string& field) {
            for (const InspectedTogether::Component& c : in.together->components) {
                std::size_t i = 0;
                for (const FieldInfo& info : *c.type->settings) {
                    if (c.name == component && info.name == field)
                        return static_cast<bool>(c.settingsDiffer.at(i));
                    ++i;
                }
            }
            return false;
        };
        std::map<std::string, std::size_t> counts;
        for (const InspectedTogether::Component& component : frame->together->components)
            counts[component.name] = component.count;
        QVERIFY(counts.at("Body") == 2 && counts.at("Health") == 2 && counts.at("Mesh") == 1);
        QVERIFY(differs(*frame, "Body", "mass"));
        QVERIFY(!differs(*frame, "Body", "friction"));
        f.session.publish();
        QCOMPARE(f.session.snapshot()->together, frame->together); // nothing was done: not looked at again
        f.session.post([](Session& session) {
            QVERIFY(session.world().setField(session.world().find("a").id(), "Body", "mass", Value(7.0)).ok());
        });
        f.session.runPosted();
        f.session.publish();
        QVERIFY(!differs(*f.session.snapshot(), "Body", "mass"));
        f.session.inspect({"a"});
        f.session.publish();
        QVERIFY(f.session.snapshot()->together == nullptr);
    }
    // Of many the primary one alone is inspected, and all of them are compared.
    void ofManyThePrimaryIsInspected() {
        Fixture f;
        std::vector<std::string> names{"a", "b"};
        for (std::size_t i = names.size(); i <= WindowInspection::MaxInspected; ++i)
            names.push_back("nobody_" + std::to_string(i));
        f.session.inspect(names, "b");
        f.session.publish();
        QCOMPARE(f.session.snapshot()->inspected.size(), std::size_t(1));
        QCOMPARE(f.session.snapshot()->inspected[0].name, std::string("b"));
        QCOMPARE(f.session.snapshot()->together->entities, std::size_t(2));
        // While the world runs the look is taken again by itself.
        f.session.play();
        for (int i = 0; i < 3; ++i) {
            f.run(1);
            f.session.publish();
        }
        QCOMPARE(f.session.snapshot()->together->entities, std::size_t(2));
    }
    void dumpIsJsonWithEveryField() {
        Fixture f;
        const QByteArray json = QByteArray::fromStdString(f.session.simulation().dump());
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(json, &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        const QJsonArray entities = document.object()[QStringLiteral("entities")].toArray();
        QCOMPARE(entities.size(), 3);
        const QJsonObject b = entities[1].toObject();
        QCOMPARE(b[QStringLiteral("name")].toString(), QStringLiteral("b"));
        QCOMPARE(b[QStringLiteral("components")]
                     .toObject()[QStringLiteral("Body")]
                     .toObject()[QStringLiteral("mass")]
                     .toDouble(),
                 7.0);
        QVERIFY(b[QStringLiteral("components")].toObject()[QStringLiteral("Health")].toObject().contains(
            QStringLiteral("current")));
    }
    // What was recorded of a run stays until the next one: a stopped world follows edits without a record, and without a number of its own.
    void editsOfAStoppedWorldAreNotRecorded() {
        Fixture f;
        const auto reader = f.session.recorder().addReader();
        std::vector<std::shared_ptr<const RecordSegment>> segments;
        f.session.play();
        f.run(3);
        QVERIFY(f.ok("send Heal a amount=1"));
        f.session.publish();
        reader->poll(segments);
        QVERIFY(!segments.empty());
        const std::uint64_t played = segments.back()->run();
        f.session.stop();
        segments.clear();
        const auto edit = [&](const char* file, const char* from, const char* to) {
            f.texts.replace(file, from, to);
            f.session.applyContent(f.load());
            f.session.publish();
            reader->poll(segments);
        };
        edit("p/s.scene.toml", "[0.0, 10.0, 0.0]", "[4.0, 10.0, 0.0]"); // is moved
        QCOMPARE(f.entity("a").pose().position.x, 4.0F);
        edit("p/s.scene.toml", "mass = 7.0", "mass = 8.0"); // is made anew
        edit("p/s.scene.toml", "name = \"m\"", "name = \"n\""); // one goes, one comes
        edit("p/e.toml", "maximum = 40", "maximum = 50"); // a type's entities get other components
        for (const auto& segment : segments)
            QCOMPARE(segment->size(), std::size_t(0));
        // What a person sends is.
        QVERIFY(f.ok("send Heal a amount=1"));
        f.session.publish();
        reader->poll(segments);
        std::vector<std::string> sent;
        std::vector<std::uint64_t> numbers;
        for (const auto& segment : segments)
            segment->forEach([&](const RecordView& record) {
                QVERIFY(segment->run() != played);
                sent.push_back(messageType(record.type()).name);
                numbers.push_back(record.sequence());
            });
        QVERIFY(!sent.empty());
        QCOMPARE(sent.front(), std::string("Heal"));
        QCOMPARE(numbers.front(), std::uint64_t(1));
    }
    void keysAreEdgesAndInputIsHeld() {
        Fixture f;
        auto reader = f.session.recorder().addReader();
        f.session.execute("trace.enabled true");
        f.session.play();
        f.session.setKey("left", true);
        f.session.setKey("left", true); // repeat
        f.session.tick();
        f.session.setKey("left", false);
        f.session.tick();
        f.session.setInput({{0, 1}, {3, 0}, false, false});
        f.run(2); // nobody listens: nothing breaks
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
