// One mistake is one problem: what follows from it is named with it, and with no other.
#include <QtTest>

#include "engine/definition/consequences.h"
#include "engine/definition/scene.h"
#include "tests/definition/sample_schema.h"

#include <map>

using namespace sbx;
using namespace sbx::definition;

class TestConsequences : public QObject {
    Q_OBJECT
private:
    Diagnostics read(const std::string& types, const std::string& scene) {
        const Schema schema = sample::schema();
        Diagnostics sink;
        const Definitions definitions = Definitions::load({{"e.toml", types}}, schema, sink);
        (void)Scene::load(scene, "s.toml", definitions, schema, sink);
        return sink;
    }
    static void name(Diagnostics& problems, const std::string& types, const std::string& scene) {
        const std::map<std::string, std::string> texts{{"e.toml", types}, {"s.toml", scene}};
        nameConsequencesWithCauses(problems, [&](const std::string& file) { return std::string_view(texts.at(file)); });
    }

private slots:
    void aFaultOfATypeTakesAllThatDependsOnIt() {
        const std::string types = "[Crate]\n[Crate.Health]\nmaximum = \"many\"\n\n[Heavy]\nextends = \"Crate\"\n\n"
                                  "[Heavier]\nextends = \"Heavy\"\n\n[Ball]\n[Ball.Health]\n";
        std::string scene = "[scene]\nname = \"S\"\n";
        for (int i = 0; i < 5; ++i)
            scene += "[[entity]]\ntype = \"Crate\"\n";
        scene += "[[entity]]\ntype = \"Heavier\"\nname = \"big\"\n[[entity]]\ntype = \"Ball\"\nparent = \"big\"\nname = \"lamp\"\n"
                 "[[entity]]\ntype = \"Ball\"\nparent = \"lamp\"\nname = \"moth\"\n";
        Diagnostics problems = read(types, scene);
        QCOMPARE(problems.items.size(), std::size_t(7)); // as a compiler lists them
        name(problems, types, scene);
        QCOMPARE(problems.items.size(), std::size_t(1));
        QCOMPARE(problems.items[0].severity, Severity::Error);
        QCOMPARE(problems.items[0].region.line, 3);
        const std::string& what = problems.items[0].what;
        QVERIFY2(what.ends_with(" (concerns also Heavy, Heavier and 8 entities)"), what.c_str());
    }

    void twoMistakesAreTwo() {
        const std::string types = "[Crate]\n[Crate.Health]\nmaximum = \"many\"\n[Ball]\n[Ball.Body]\nmass = \"much\"\n";
        const std::string scene = "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Crate\"\n[[entity]]\ntype = \"Ball\"\n[[entity]]\ntype = \"Ball\"\n";
        Diagnostics problems = read(types, scene);
        name(problems, types, scene);
        QCOMPARE(problems.items.size(), std::size_t(2));
        QVERIFY2(problems.items[0].what.ends_with("(concerns also 1 entity)"), problems.items[0].what.c_str());
        QVERIFY2(problems.items[1].what.ends_with("(concerns also 2 entities)"), problems.items[1].what.c_str());
    }

    void aFaultOfAnInstanceTakesItsChildren() {
        const std::string types = "[Ball]\n[Ball.Health]\n";
        const std::string scene = "[scene]\nname = \"S\"\n[[entity]]\ntype = \"Ball\"\nname = \"a\"\nposition = [1, 2]\n"
                                  "[[entity]]\ntype = \"Ball\"\nname = \"b\"\nparent = \"a\"\n";
        Diagnostics problems = read(types, scene);
        QCOMPARE(problems.items.size(), std::size_t(2));
        name(problems, types, scene);
        QCOMPARE(problems.items.size(), std::size_t(1));
        QVERIFY2(problems.items[0].what.ends_with("(concerns also b)"), problems.items[0].what.c_str());
    }

    // Without the error that it follows from a warning stays, and what is no consequence is left alone.
    void whatHasNoCauseHereStays() {
        Diagnostics problems;
        problems.add(leftOutWithType("s.toml", {4, 1, 4, 5}, 3, "Crate"));
        problems.add(leftOutWithBase("e.toml", {1, 1, 1, 5}, "Heavy", "Crate"));
        problems.add({Severity::Warning, "e.toml", {2, 1, 2, 5}, "file names no file: \"a left out: b.wav\"", {}, {}});
        const std::vector<Diagnostic> before = problems.items;
        name(problems, "[Heavy]\nextends = \"Crate\"\n", "[[entity]]\ntype = \"Crate\"\n");
        QVERIFY(problems.items == before);
        // Nor does a circle of them go on without end.
        problems.items.clear();
        problems.add(leftOutWithBase("e.toml", {2, 1, 2, 5}, "A", "B"));
        problems.add(leftOutWithBase("e.toml", {4, 1, 4, 5}, "B", "A"));
        name(problems, "[A]\nextends = \"B\"\n[B]\nextends = \"A\"\n", "");
        QCOMPARE(problems.items.size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(TestConsequences)
#include "tst_consequences.moc"
