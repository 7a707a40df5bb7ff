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
                text += "[[entity]]\ntype = \"Crate\"\nposition = [0.0, 1.0, 2.0]\n[entity.Body]\nmass = 2.0\n\n";
            Diagnostics sink;
            const std::size_t before = AllocatedBytes;
            const Scene scene = load(text, sink);
            const std::size_t each = (AllocatedBytes - before) / instances;
            return scene.instances().size() == instances && scene.instances().back().name == "crate_" + std::to_string(instances) ? each : 0;
        };
        const std::size_t few = bytesEach(2500);
        const std::size_t many = bytesEach(10000);
        QVERIFY2(few > 0 && many > 0 && many < few * 3 / 2, qPrintable(QStringLiteral("%1, then %2").arg(few).arg(many)));
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
