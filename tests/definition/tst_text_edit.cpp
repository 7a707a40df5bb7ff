// Edits in place: what stands after each, byte for byte.
#include <QtTest>

#include "engine/definition/scene.h"
#include "engine/definition/text_edit.h"
#include "engine/definition/type_moves.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

namespace {

// The text after the edits, or "error: …"; undoing must lead back to the same bytes.
std::string after(const std::string& text, const Result<TextEdits>& edits) {
    if (!edits)
        return "error: " + edits.error().message;
    const Result<std::string> changed = applyEdits(text, *edits);
    if (!changed)
        return "cannot apply: " + changed.error().message;
    const Result<std::string> back = applyEdits(*changed, inverseOf(*edits));
    return back && *back == text ? *changed : "cannot undo";
}

const std::string Yard = "# A yard.\n"
                         "[scene]\n"
                         "name = \"Yard\"\n"
                         "\n"
                         "# The first crate.\n"
                         "[[entity]]\n"
                         "type = \"Crate\"\n"
                         "position = [0.0, 1.0, 0.0] # on the floor\n"
                         "[entity.Body]\n"
                         "mass = 2.0 # light\n"
                         "\n"
                         "[[entity]]\n"
                         "type = \"Door\"\n"
                         "name = \"gate\"\n"
                         "parent = \"crate\"\n"
                         "[entity.Hinge]\n"
                         "anchor = \"crate\"\n"
                         "\n"
                         "# The last one.\n"
                         "[[entity]]\n"
                         "type = \"Crate\"\n";

// Yard with one stretch replaced.
std::string yard(const std::string& from, const std::string& to) {
    std::string text = Yard;
    const std::size_t at = text.find(from);
    return at == std::string::npos ? "not there: " + from : text.replace(at, from.size(), to);
}

} // namespace

#define SAME(actual, expected)                                                                               \
    do {                                                                                                     \
        const std::string a = (actual);                                                                      \
        const std::string e = (expected);                                                                    \
        QVERIFY2(a == e, ("got:\n" + a + "\nwanted:\n" + e).c_str());                                        \
    } while (false)

class TestTextEdit : public QObject {
    Q_OBJECT
private slots:
    // The format's line stays as it is, byte for byte.
    void keepsTheFormat() {
        const std::string head = "# Written by hand.\nformat   = 1  # of types\n\n";
        const std::string types = head + "[Crate]\n[Crate.Body]\nmass = 2.0\n";
        SAME(after(types, setDefinitionValue(types, "Crate", "Body", "mass", "3.0")),
             head + "[Crate]\n[Crate.Body]\nmass = 3.0\n");
        QVERIFY(after(types, addType(types, "Ball", "")).starts_with(head + "[Crate]"));
        QVERIFY(after(types, removeType(types, "Crate"))
                    .starts_with("# Written by hand.\nformat   = 1  # of types\n"));
        const std::string scene =
            "[scene]\nformat=1 # of scenes\nname = \"Yard\"\n\n[[entity]]\ntype = \"Crate\"\n";
        QVERIFY(after(scene, setSceneValue(scene, "crate", "Body", "mass", "7.5")).starts_with(scene));
    }
    void replacesAValueInPlace() {
        SAME(after(Yard, setSceneValue(Yard, "crate", "Body", "mass", "7.5")),
             yard("mass = 2.0 #", "mass = 7.5 #"));
        SAME(after(Yard, setSceneValue(Yard, "crate", "Body", "mass", "2.0")), Yard);
        const auto edits = setSceneValue(Yard, "crate", "Body", "mass", "7.5");
        QCOMPARE(edits->size(), std::size_t{1});
        QCOMPARE((*edits)[0].removed, std::string("2.0"));
    }
    void addsAKeyToThePart() {
        SAME(after(Yard, setSceneValue(Yard, "crate", "Body", "layer", "3")),
             yard("mass = 2.0 # light\n", "mass = 2.0 # light\nlayer = 3\n"));
    }
    void makesThePart() {
        SAME(after(Yard, setSceneValue(Yard, "crate", "Health", "maximum", "9")),
             yard("mass = 2.0 # light\n", "mass = 2.0 # light\n[entity.Health]\nmaximum = 9\n"));
        SAME(after(Yard, setSceneValue(Yard, "crate_2", "Body", "mass", "9.0")),
             Yard + "[entity.Body]\nmass = 9.0\n");
    }
    void takesAnOverrideOut() {
        SAME(after(Yard, removeSceneValue(Yard, "crate", "Body", "mass")),
             yard("[entity.Body]\nmass = 2.0 # light\n", ""));
        SAME(after(Yard, removeSceneValue(Yard, "crate", "Body", "layer")), Yard);
        // A comment of the part's own keeps it.
        const std::string text = yard("mass = 2.0 # light", "# why\nmass = 2.0");
        SAME(after(text, removeSceneValue(text, "crate", "Body", "mass")),
             yard("mass = 2.0 # light", "# why"));
    }
    void setAndTakeOutLeadsBack() {
        for (const char* end : {"", "\n", "\n\n", "\n# foot\n"}) {
            const std::string text = Yard.substr(0, Yard.size() - 1) + end;
            const std::string set = after(text, setSceneValue(text, "crate_2", "Body", "mass", "1.0"));
            SAME(after(set, removeSceneValue(set, "crate_2", "Body", "mass")), text);
        }
    }
    void worksInDottedAndInlineForms() {
        const std::string dotted = "[[entity]]\ntype = \"Crate\"\nBody.mass = 1 # x\n\n[[entity]]\n";
        SAME(after(dotted, setSceneValue(dotted, "crate", "Body", "mass", "2")),
             "[[entity]]\ntype = \"Crate\"\nBody.mass = 2 # x\n\n[[entity]]\n");
        SAME(after(dotted, setSceneValue(dotted, "crate", "Body", "layer", "2")),
             "[[entity]]\ntype = \"Crate\"\nBody.mass = 1 # x\nBody.layer = 2\n\n[[entity]]\n");
        const std::string brace = "[[entity]]\ntype = \"Crate\"\nBody = { mass = 1, layer = 2 } # x\n";
        SAME(after(brace, setSceneValue(brace, "crate", "Body", "layer", "5")),
             "[[entity]]\ntype = \"Crate\"\nBody = { mass = 1, layer = 5 } # x\n");
        SAME(after(brace, setSceneValue(brace, "crate", "Body", "trigger", "true")),
             "[[entity]]\ntype = \"Crate\"\nBody = { mass = 1, layer = 2, trigger = true } # x\n");
        SAME(after(brace, removeSceneValue(brace, "crate", "Body", "mass")),
             "[[entity]]\ntype = \"Crate\"\nBody = { layer = 2 } # x\n");
        SAME(after(brace, removeSceneValue(brace, "crate", "Body", "layer")),
             "[[entity]]\ntype = \"Crate\"\nBody = { mass = 1 } # x\n");
        const std::string one = "[[entity]]\ntype = \"Crate\"\nBody = { mass = 1 }\n";
        SAME(after(one, removeSceneValue(one, "crate", "Body", "mass")), "[[entity]]\ntype = \"Crate\"\n");
        const std::string none = "[[entity]]\ntype = \"Crate\"\nBody = {}\n";
        SAME(after(none, setSceneValue(none, "crate", "Body", "mass", "1")), one);
    }
    void keepsTheManner() {
        const std::string crlf = "[[entity]]\r\ntype = \"Crate\"\r\n";
        SAME(after(crlf, setSceneValue(crlf, "crate", "Body", "mass", "1")),
             "[[entity]]\r\ntype = \"Crate\"\r\n[entity.Body]\r\nmass = 1\r\n");
        const std::string aligned = "[[entity]]\n  type     = \"Crate\"\n  position = [0, 0, 0]\n\n  "
                                    "[entity.Body]\n    mass  = 1\n    layer = 2\n";
        SAME(after(aligned, setInstanceKey(aligned, "crate", "name", "\"a\"")),
             "[[entity]]\n  type     = \"Crate\"\n  name     = \"a\"\n  position = [0, 0, 0]\n\n  "
             "[entity.Body]\n    mass  = 1\n    layer = 2\n");
        SAME(after(aligned, setSceneValue(aligned, "crate", "Body", "size", "[1, 1, 1]")),
             aligned + "    size  = [1, 1, 1]\n");
        SAME(after(aligned, setSceneValue(aligned, "crate", "Health", "maximum", "1")),
             aligned + "\n  [entity.Health]\n  maximum = 1\n");
        const std::string open = "[[entity]]\ntype = \"Crate\"";
        SAME(after(open, setSceneValue(open, "crate", "Body", "mass", "1")),
             open + "\n[entity.Body]\nmass = 1");
    }
    void instanceKeys() {
        SAME(after(Yard, setInstanceKey(Yard, "crate", "position", "[1.0, 2.0, 3.0]")),
             yard("[0.0, 1.0, 0.0] #", "[1.0, 2.0, 3.0] #"));
        SAME(after(Yard, setInstanceKey(Yard, "gate", "position", "[1.0, 2.0, 3.0]")),
             yard("name = \"gate\"\n", "name = \"gate\"\nposition = [1.0, 2.0, 3.0]\n"));
        SAME(after(Yard, setInstanceKey(Yard, "crate", "rotation", "[0, 90, 0]")),
             yard("# on the floor\n", "# on the floor\nrotation = [0, 90, 0]\n"));
        SAME(after(Yard, removeInstanceKey(Yard, "gate", "parent")), yard("parent = \"crate\"\n", ""));
        QVERIFY(!setInstanceKey(Yard, "gate", "position", "5"));
        QVERIFY(!setInstanceKey(Yard, "gate", "scale", "[0, 0, 0]"));
        QVERIFY(!setInstanceKey(Yard, "gate", "positon", "[0, 0, 0]"));
        QVERIFY(!removeInstanceKey(Yard, "gate", "type"));
    }
    void changingATypeKeepsTheOthersNames() {
        // The third entity is crate_2 because the first one is a crate.
        SAME(after(Yard, setInstanceKey(Yard, "crate", "type", "\"Bat\"")), [] {
            std::string text =
                yard("type = \"Crate\"\nposition", "type = \"Bat\"\nname = \"crate\"\nposition");
            return text + "name = \"crate_2\"\n";
        }());
    }
    void renames() {
        std::string wanted = yard("type = \"Crate\"\n", "type = \"Crate\"\nname = \"box\"\n");
        wanted.replace(wanted.find("parent = \"crate\""), 16, "parent = \"box\"");
        const std::string plain = wanted + "name = \"crate_2\"\n"; // would be called crate otherwise
        SAME(after(Yard, renameInstance(Yard, "crate", "box")), plain);
        wanted.replace(wanted.find("anchor = \"crate\""), 16, "anchor = \"box\"");
        const Schema schema = sample::schema();
        SAME(after(Yard, renameInstance(Yard, "crate", "box", &schema)), wanted + "name = \"crate_2\"\n");
        SAME(after(Yard, setInstanceKey(Yard, "gate", "name", "'door'")),
             yard("name = \"gate\"", "name = \"door\""));
        SAME(after(Yard, renameInstance(Yard, "gate", "crate")), "error: the name \"crate\" is taken");
        SAME(after(Yard, renameInstance(Yard, "gate", "two words")),
             "error: \"two words\" cannot name an entity: it contains a space; expected 1 to 128 bytes "
             "without spaces, points or quotes");
        SAME(after(Yard, renameInstance(Yard, "gate", "a.b")),
             "error: \"a.b\" cannot name an entity: it contains a point; expected 1 to 128 bytes without "
             "spaces, points or quotes");
        QVERIFY(after(Yard, renameInstance(Yard, "gate", std::string(129, 'x'))).find("it is 129 bytes long")
                != std::string::npos);
    }
    // Whichever way the setting is written; what is only called the same stays.
    void renamesInDefinitions() {
        const std::string text = "[Plate]\ndoc = \"crate\"\n[Plate.Hinge]\nanchor = \"crate\" # "
                                 "it\n[Bar]\nHinge = { anchor = 'crate' }\n"
                                 "[Rod]\nHinge.anchor = \"crate\"\n[Arm]\n[Arm.Hinge]\nanchor = \"crates\"\n";
        std::string wanted = text;
        for (const char* quoted : {"anchor = \"crate\" #", "anchor = 'crate'", "anchor = \"crate\"\n"}) {
            const std::size_t at = wanted.find(quoted) + 9;
            wanted.replace(at, 7, "\"box\"");
        }
        const TextEdits edits = renameInDefinitions(text, "crate", "box", sample::schema());
        SAME(after(text, Result<TextEdits>(edits)), wanted);
        QVERIFY(renameInDefinitions(text, "gate", "box", sample::schema()).empty());
    }
    void adds() {
        SAME(after(Yard, addInstance(Yard, "Crate", "", {})),
             Yard + "\n[[entity]]\ntype = \"Crate\"\nname = \"crate_3\"\nposition = [0.0, 0.0, 0.0]\n");
        SAME(after(Yard, addInstance(Yard, "Bat", "b", {{1, 2, 3}, {0, 90, 0}, {2, 2, 2}}, "gate")),
             Yard
                 + "\n[[entity]]\ntype = \"Bat\"\nname = \"b\"\nposition = [1.0, 2.0, 3.0]\nrotation = [0.0, "
                   "90.0, 0.0]\n"
                   "scale = [2.0, 2.0, 2.0]\nparent = \"gate\"\n");
        SAME(after("", addInstance("", "Bat", "b", {})),
             "[[entity]]\ntype = \"Bat\"\nname = \"b\"\nposition = [0.0, 0.0, 0.0]\n");
        QVERIFY(!addInstance(Yard, "Crate", "gate", {}));
        QVERIFY(!addInstance(Yard, "Crate", "x", {}, "nobody"));
        QVERIFY(!addInstance(Yard, "Crate", "x", {{std::nanf(""), 0, 0}, {}, {}}));
        // A later entity that was called crate_3 keeps that name.
        const std::string three = "[[entity]]\ntype = \"Crate\"\n";
        SAME(after(three, addInstance(three, "Crate", "crate_2", {})),
             three + "\n[[entity]]\ntype = \"Crate\"\nname = \"crate_2\"\nposition = [0.0, 0.0, 0.0]\n");
    }
    void removes() {
        std::string wanted = Yard;
        const std::size_t begin = wanted.find("[[entity]]\ntype = \"Door\"");
        wanted.erase(begin, wanted.find("# The last") - begin);
        SAME(after(Yard, removeInstances(Yard, {"gate"})), wanted);
        // The crate takes its child along, and the last one keeps its name.
        SAME(after(Yard, removeInstances(Yard, {"crate"})),
             "# A yard.\n[scene]\nname = \"Yard\"\n\n# The last one.\n[[entity]]\ntype = \"Crate\"\nname = "
             "\"crate_2\"\n");
        SAME(after(Yard, removeInstances(Yard, {"crate", "gate", "crate_2"})),
             "# A yard.\n[scene]\nname = \"Yard\"\n");
        const std::string last = after(Yard, removeInstances(Yard, {"crate_2"}));
        SAME(last, Yard.substr(0, Yard.find("\n# The last")));
        QVERIFY(!removeInstances(Yard, {"nobody"}));
        SAME(after(Yard, removeInstances(Yard, {})), Yard);
    }
    void duplicates() {
        const std::string copy =
            "\n[[entity]]\ntype = \"Crate\"\nname = \"crate_9\"\nposition = [1.0, 1.0, 0.0] # on the floor\n"
            "[entity.Body]\nmass = 2.0 # light\n";
        SAME(after(Yard, duplicateInstance(Yard, "crate", "crate_9", {1, 0, 0})),
             yard("mass = 2.0 # light\n", "mass = 2.0 # light\n" + copy));
        SAME(after(Yard, duplicateInstance(Yard, "crate_2", "c", {0, 0, 0})),
             Yard + "\n[[entity]]\ntype = \"Crate\"\nname = \"c\"\n");
        const std::string open = "[[entity]]\ntype = \"Crate\"\nname = \"a\"";
        SAME(after(open, duplicateInstance(open, "a", "b", {0, 0, 0})),
             open + "\n\n[[entity]]\ntype = \"Crate\"\nname = \"b\"");
        QVERIFY(!duplicateInstance(Yard, "crate", "gate", {0, 0, 0}));
    }
    void freeNames() {
        QCOMPARE(freeInstanceName(Yard, "bat"), std::string("bat"));
        QCOMPARE(freeInstanceName(Yard, "crate"), std::string("crate_3"));
        QCOMPARE(freeInstanceName(Yard, "crate_2"), std::string("crate_3"));
        QCOMPARE(freeInstanceName(Yard, "gate"), std::string("gate_2"));
    }
    void refusesWhatWouldBreakTheText() {
        for (const char* bad : {"", "1\nmass = 2", "1 # x", "\"a", "[1", "x", "1]"}) {
            QVERIFY2(!setSceneValue(Yard, "crate", "Body", "mass", bad), bad);
            QVERIFY2(!setTableValue(Yard, "scene", "name", bad), bad);
            QVERIFY2(!setDefinitionValue(sample::Types, "Crate", "Body", "mass", bad), bad);
        }
        SAME(after(Yard, setSceneValue(Yard, "crat", "Body", "mass", "1")),
             "error: the scene has no entity \"crat\"; did you mean crate?");
    }
    void definitionValues() {
        const std::string text = sample::Types;
        const auto with = [&](const std::string& from, const std::string& to) {
            std::string out = text;
            return out.replace(out.find(from), from.size(), to);
        };
        SAME(after(text, setDefinitionValue(text, "Crate", "Body", "size", "[2.0, 1.0, 1.0]")),
             with("[1.0, 1.0, 1.0]   # metres", "[2.0, 1.0, 1.0]   # metres"));
        // The part aligns its equals signs.
        SAME(after(text, setDefinitionValue(text, "Crate", "Body", "layer", "1")),
             with("mass  = 5.0\n", "mass  = 5.0\nlayer = 1\n"));
        SAME(after(text, setDefinitionValue(text, "HeavyCrate", "Health", "maximum", "80")),
             with("mass = 50.0\n", "mass = 50.0\n[HeavyCrate.Health]\nmaximum = 80\n"));
        SAME(after(text, setDefinitionValue(text, "Crate", "Mesh", "file", "\"crate.obj\"")),
             with("maximum = 40\n", "maximum = 40\n\n[Crate.Mesh]\nfile = \"crate.obj\"\n"));
        SAME(after(text, setDefinitionValue(text, "HeavyCrate", "", "doc", "\"Heavy.\"")),
             with("extends = \"Crate\"\n", "extends = \"Crate\"\ndoc = \"Heavy.\"\n"));
        SAME(after(text, setDefinitionValue(text, "Crate", "", "extends", "\"Door\"")),
             with("[Crate]\n", "[Crate]\nextends = \"Door\"\n"));
        SAME(after(text, removeDefinitionValue(text, "HeavyCrate", "Body", "mass")),
             with("mass = 50.0\n", ""));
        QVERIFY(!setDefinitionValue(text, "Bat", "Touch", "damage", "3")); // which of the two?
        SAME(after(text, setDefinitionValue(text, "Crat", "Body", "mass", "1")),
             "error: this file has no entity type \"Crat\"; did you mean Crate?");
        const std::string parts = "# c\n[A.Body]\nmass = 1\n";
        SAME(after(parts, setDefinitionValue(parts, "A", "", "doc", "\"x\"")),
             "# c\n[A]\ndoc = \"x\"\n[A.Body]\nmass = 1\n");
    }
    void components() {
        const std::string text = sample::Types;
        const auto with = [&](const std::string& from, const std::string& to) {
            std::string out = text;
            return out.replace(out.find(from), from.size(), to);
        };
        SAME(after(text, addComponent(text, "Door", "Mesh")),
             with("[Door.Hinge]\n", "[Door.Hinge]\n[Door.Mesh]\n"));
        QVERIFY(!addComponent(text, "Door", "Body"));
        SAME(after(text, removeComponent(text, "Crate", "Health", false)),
             with("[Crate.Health]\nmaximum = 40\n\n", ""));
        QVERIFY(!removeComponent(text, "HeavyCrate", "Health", false));
        SAME(after(text, removeComponent(text, "HeavyCrate", "Health", true)),
             with("mass = 50.0\n", "mass = 50.0\n[HeavyCrate.Health]\nenabled = false\n"));
        SAME(after(text, addType(text, "Ball", "Crate")), text + "\n[Ball]\nextends = \"Crate\"\n");
        QVERIFY(!addType(text, "Crate") && !addType(text, "2"));
        SAME(after(text, addTypeText(text, "Ball", "[Ball]\ndoc = \"x\"\n\n[Ball.Body]\nmass = 2.0\n")),
             text + "\n[Ball]\ndoc = \"x\"\n\n[Ball.Body]\nmass = 2.0\n");
        QVERIFY(!addTypeText(text, "Crate", "[Crate]\n"));
        QVERIFY(declaresType(text, "Crate") && !declaresType(text, "Ball") && !declaresType(text, "Body"));
    }
    void plainTables() {
        const std::string text =
            "[project]\nname = \"P\" # n\n\n[cvars]\nsim.tickRate = 60\n\"net.loss\" = 0.1\n";
        SAME(after(text, setTableValue(text, "cvars", "sim.tickRate", "30")),
             "[project]\nname = \"P\" # n\n\n[cvars]\nsim.tickRate = 30\n\"net.loss\" = 0.1\n");
        SAME(after(text, setTableValue(text, "cvars", "net.loss", "0.2")),
             "[project]\nname = \"P\" # n\n\n[cvars]\nsim.tickRate = 60\n\"net.loss\" = 0.2\n");
        SAME(after(text, setTableValue(text, "cvars", "render.scale", "2")), text + "render.scale = 2\n");
        SAME(
            after(text, setTableValue(text, "project", "scene", "\"a\"")),
            "[project]\nname = \"P\" # n\nscene = \"a\"\n\n[cvars]\nsim.tickRate = 60\n\"net.loss\" = 0.1\n");
        SAME(after("[project]\n", setTableValue("[project]\n", "cvars", "a b", "1")),
             "[project]\n\n[cvars]\n\"a b\" = 1\n");
    }
    void applyingChecks() {
        QVERIFY(!applyEdits("abc", {{1, "x", "y"}}));
        QVERIFY(!applyEdits("abc", {{4, "", "y"}}));
        QVERIFY(!applyEdits("abc", {{2, "c", ""}, {0, "a", ""}}));
        QVERIFY(!applyEdits("abc", {{0, "ab", ""}, {1, "b", ""}}));
        QCOMPARE(*applyEdits("abc", {{0, "a", "xx"}, {1, "", "-"}, {3, "", "!"}}), std::string("xx-bc!"));
        QCOMPARE(*applyEdits("xx-bc!", inverseOf({{0, "a", "xx"}, {1, "", "-"}, {3, "", "!"}})),
                 std::string("abc"));
    }
};

QTEST_GUILESS_MAIN(TestTextEdit)
#include "tst_text_edit.moc"
