// Scenes: instances, names, parents, overrides.
#include <QtTest>

#include "engine/definition/scene.h"
#include "tests/counted_allocations.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

class TestScene : public QObject {
    Q_OBJECT
private:
    Schema m_schema = sample::schema();
    Definitions m_definitions = sample::definitions(m_schema);
    Scene load(const std::string& text, Diagnostics& sink) {
        return Scene::load(text, "scenes/yard.scene.toml", m_definitions, m_schema, sink);
    }

private slots:
    void readsInstances() {
        Diagnostics sink;
        const Scene scene =
            load("[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Crate\"\nposition = [1, 2.5, -3]\n"
                 "rotation = [0, 90, 0]\nscale = [2, 2, 2]\n[entity.Body]\nmass = 7\n"
                 "[[entity]]\ntype = \"Door\"\nname = \"gate\"\nparent = \"crate\"\n",
                 sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(scene.name(), std::string("Yard"));
        QCOMPARE(scene.instances().size(), std::size_t{2});
        const InstanceDefinition& crate = *scene.find("crate");
        QCOMPARE(crate.position, Vec3(1.0F, 2.5F, -3.0F));
        QCOMPARE(crate.scale, Vec3(2.0F));
        // A quarter turn to the left about Y takes -Z to -X.
        const Vec3 ahead = crate.pose().rotation * Vec3(0.0F, 0.0F, -1.0F);
        QVERIFY(std::abs(ahead.x + 1.0F) < 1e-6F && std::abs(ahead.z) < 1e-6F);
        QCOMPARE(crate.overrides.size(), std::size_t{1});
        QCOMPARE(crate.overrides[0].find("mass")->owner, std::string("crate"));
        QCOMPARE(scene.find("gate")->parent, std::string("crate"));
        QCOMPARE(crate.region.line, 4);
    }
    // One error, and no entity, since a later version may mean something else by what stands there.
    void aLaterFormatIsRefused() {
        const std::string entity = "\n[[entity]]\ntype = \"Crate\"\nwarp = 3\n[[entity]]\ntype = \"Crate\"\n";
        const auto load = [&](const char* format, Diagnostics& sink) {
            return this->load("[scene]\nname = \"Yard\"\nformat = " + std::string(format) + entity, sink);
        };
        Diagnostics now;
        const Scene scene = load("1", now);
        QCOMPARE(scene.name(), std::string("Yard"));
        QCOMPARE(scene.instances().size(), std::size_t(1)); // the other has a key that this format lacks
        QCOMPARE(now.items.size(), std::size_t(1));
        const std::pair<const char*, const char*> refused[] = {
            {"2", "the scene has format 2, of a later version of Signalbox; expected at most format 1, or "
                  "that version"},
            {"0", "there is no format 0; expected format = 1"},
            {"\"1\"", "format is text; expected format = 1"}};
        for (const auto& [format, error] : refused) {
            Diagnostics sink;
            QCOMPARE(load(format, sink).instances().size(), std::size_t(0));
            QCOMPARE(sink.items.size(), std::size_t(1));
            QCOMPARE(sink.items[0].toString(), "scenes/yard.scene.toml:3:10: error: " + std::string(error));
        }
    }
    // A type's setting that names an entity is checked in each scene that can bring the type into its world, once, and only there.
    void settingsOfTypesThatNameAnEntity() {
        const std::string types =
            "[Goo]\n[Plate]\n[Plate.Hinge]\nanchor = \"gat\"\n[Heavy]\nextends = \"Plate\"\n"
            "[Idle]\n[Idle.Hinge]\nanchor = \"elsewhere\"\n[Maker]\n[Maker.Spawner]\nspawns = \"Made\"\n"
            "[Made]\n[Made.Hinge]\nanchor = \"gatt\"\n";
        Diagnostics none;
        const Definitions definitions = Definitions::load({{"entities.toml", types}}, m_schema, none);
        QVERIFY(none.items.empty());
        const auto told = [&](const std::string& scene) {
            Diagnostics sink;
            static_cast<void>(Scene::load(scene, "yard.scene.toml", definitions, m_schema, sink));
            QStringList out;
            for (const Diagnostic& fault : sink.items)
                out << QString::fromStdString(fault.toString());
            return out;
        };
        const std::string gate = "[[entity]]\ntype = \"Goo\"\nname = \"gate\"\n";
        const QString plate = QStringLiteral(
            "entities.toml:4:10: warning: anchor names no entity of this scene: \"gat\"; did you mean gate?");
        QCOMPARE(told(gate), QStringList());
        QCOMPARE(told(gate
                      + "[[entity]]\ntype = \"Plate\"\n[[entity]]\ntype = \"Plate\"\n[[entity]]\ntype = "
                        "\"Heavy\"\n"),
                 QStringList{plate});
        QCOMPARE(told(gate + "[[entity]]\ntype = \"Plate\"\n[entity.Hinge]\nanchor = \"gate\"\n"),
                 QStringList());
        QCOMPARE(told("[[entity]]\ntype = \"Plate\"\n[[entity]]\ntype = \"Goo\"\nname = \"gat\"\n"),
                 QStringList());
        QCOMPARE(told(gate + "[[entity]]\ntype = \"Maker\"\n"),
                 QStringList{QStringLiteral("entities.toml:15:10: warning: anchor names no entity of this "
                                            "scene: \"gatt\"; did you mean gate?")});
    }
    // What is left out for a fault comes back from the scene before, at its new place; what was not there before is missing.
    void completedWithTheSceneBefore() {
        Diagnostics sink;
        const Scene before = load("[[entity]]\ntype = \"Crate\"\nname = \"a\"\n[entity.Body]\nmass = 7\n"
                                  "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nparent = \"a\"\n"
                                  "[[entity]]\ntype = \"Bat\"\nname = \"gone\"\n",
                                  sink);
        QVERIFY(sink.items.empty());
        const std::string text = "[[entity]]\ntype = \"Crate\"\nname = \"a\"\nposition = [1.0, 2.0, "
                                 "3.0]\n[entity.Body]\nmass = \"much\"\n"
                                 "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nparent = \"a\"\n"
                                 "[[entity]]\ntype = \"Crate\"\nname = \"fresh\"\n"
                                 "[[entity]]\ntype = \"Crat\"\nname = \"wrong\"\n"
                                 "[[entity]]\ntype = \"Crate\"\nname = \"below\"\nparent = \"wrong\"\n";
        const Scene now = load(text, sink);
        QVERIFY(sink.hasErrors());
        QCOMPARE(now.instances().size(), std::size_t{1});
        const Scene::Completed completed = now.completed(text, before, m_definitions);
        QCOMPARE(completed.missing, (std::vector<std::string>{"wrong", "below"}));
        QCOMPARE(completed.scene.instances().size(), std::size_t{3});
        QCOMPARE(completed.scene.instances()[0].name, std::string("a"));
        QCOMPARE(completed.scene.find("a")->position, Vec3(1.0F, 2.0F, 3.0F));
        QCOMPARE(completed.scene.find("a")->overrides.at(0).find("mass")->entry.value.asNumber(), 7.0);
        QCOMPARE(completed.scene.find("b")->parent, std::string("a"));
        QVERIFY(completed.scene.find("fresh") != nullptr && completed.scene.find("gone") == nullptr);
        // Without the type nothing of it comes back, nor what hung from it.
        const Scene::Completed without = Scene().completed(text, before, Definitions());
        QVERIFY(without.scene.instances().empty());
        QCOMPARE(without.missing.size(), std::size_t{5});
        // Parents of now and of before together make no circle.
        const std::string circle = "[[entity]]\ntype = \"Crate\"\nname = \"a\"\nparent = \"b\"\n"
                                   "[[entity]]\ntype = \"Crate\"\nname = \"b\"\nparent = \"a\"\n";
        const Scene::Completed kept = load(circle, sink).completed(circle, before, m_definitions);
        QCOMPARE(kept.scene.find("a")->parent, std::string());
        QCOMPARE(kept.scene.find("b")->parent, std::string("a"));
    }
    void overridesLieOverTheType() {
        Diagnostics sink;
        const Scene scene =
            load("[[entity]]\ntype = \"HeavyCrate\"\n[entity.Body]\nmass = 7\nlayer = 3\n", sink);
        const auto parts = overlaid(*m_definitions.find("HeavyCrate"), scene.instances()[0].overrides);
        QCOMPARE(parts[0].find("mass")->entry.value.region.line, 4);
        QCOMPARE(std::get<double>(parts[0].find("mass")->value), 7.0);
        QCOMPARE(parts[0].find("size")->owner, std::string("Crate"));
        QCOMPARE(parts[0].settings.size(), std::size_t{4});
        QCOMPARE(parts[1].name, std::string("Health"));
    }
    void namesFromTypes() {
        QCOMPARE(baseNameOf("Crate"), std::string("crate"));
        QCOMPARE(baseNameOf("HeavyCrate"), std::string("heavy_crate"));
        QCOMPARE(baseNameOf("HTTPServer"), std::string("http_server"));
        QCOMPARE(baseNameOf("Level2Boss"), std::string("level2_boss"));
        QCOMPARE(baseNameOf(""), std::string("entity"));
        const auto names =
            instanceNames({{"", "Crate"}, {"crate_2", "Bat"}, {"", "Crate"}, {"", "Bat"}, {"", "Crate"}});
        QCOMPARE(names, (std::vector<std::string>{"crate", "crate_2", "crate_3", "bat", "crate_4"}));
    }
    void sceneNameFromFile() {
        Diagnostics sink;
        QCOMPARE(load("", sink).name(), std::string("yard"));
        QVERIFY(sink.items.empty());
    }
    void brokenTypesAreToldOnce() {
        Diagnostics none;
        const Definitions definitions =
            Definitions::load({{"f", "[Bad.Body]\nmass = \"x\"\n[Crate]\n"}}, m_schema, none);
        std::string text;
        for (int i = 0; i < 100; ++i)
            text += "[[entity]]\ntype = \"Bad\"\n";
        text += "[[entity]]\ntype = \"Crate\"\n";
        Diagnostics sink;
        const Scene scene = Scene::load(text, "s", definitions, m_schema, sink);
        QCOMPARE(sink.items.size(), std::size_t{1});
        QVERIFY(sink.items[0].severity == Severity::Warning);
        QVERIFY(sink.items[0].what.starts_with("100 entities"));
        QCOMPARE(scene.instances().size(), std::size_t{1});
    }
    // The second crate keeps its number while the first one's text is being typed.
    void namesDoNotShiftUnderAFault() {
        Diagnostics sink;
        const Scene scene =
            load("[[entity]]\ntype = \"Crate\"\nposition = [0,\n[[entity]]\ntype = \"Crate\"\n", sink);
        QCOMPARE(sink.items.size(), std::size_t{1});
        QCOMPARE(scene.instances()[0].name, std::string("crate_2"));
    }
    void parentsMayComeLater() {
        Diagnostics sink;
        const Scene scene =
            load("[[entity]]\ntype = \"Crate\"\nparent = \"door\"\n[[entity]]\ntype = \"Door\"\n", sink);
        QVERIFY(sink.items.empty());
        QCOMPARE(scene.instances().size(), std::size_t{2});
    }
    void largeScene() {
        // What each instance asks for does not grow with how many there are.
        const auto bytesEach = [this](std::size_t instances) {
            std::string text;
            for (std::size_t i = 0; i < instances; ++i)
                text +=
                    "[[entity]]\ntype = \"Crate\"\nposition = [0.0, 1.0, 2.0]\n[entity.Body]\nmass = 2.0\n\n";
            Diagnostics sink;
            const std::size_t before = AllocatedBytes;
            const Scene scene = load(text, sink);
            const std::size_t each = (AllocatedBytes - before) / instances;
            return scene.instances().size() == instances
                           && scene.instances().back().name == "crate_" + std::to_string(instances)
                       ? each
                       : 0;
        };
        const std::size_t few = bytesEach(2500);
        const std::size_t many = bytesEach(10000);
        QVERIFY2(few > 0 && many > 0 && many < few * 3 / 2,
                 qPrintable(QStringLiteral("%1, then %2").arg(few).arg(many)));
    }
    void deepParents() {
        std::string text;
        for (int i = 0; i < 5000; ++i)
            text +=
                "[[entity]]\ntype = \"Crate\"\nname = \"n" + std::to_string(i) + "\"\n"
                + (i < 4999 ? "parent = \"n" + std::to_string(i + 1) + "\"\n" : std::string("scale = 0\n"));
        Diagnostics sink;
        const Scene scene = load(text, sink);
        QCOMPARE(scene.instances().size(), std::size_t{0});
        QCOMPARE(sink.items.size(), std::size_t{5000}); // one error, the others left out
    }
};

QTEST_GUILESS_MAIN(TestScene)
#include "tst_scene.moc"
