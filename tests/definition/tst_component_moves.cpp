// Components as pieces of text: moved, copied out, put in, taken out, byte for byte.
#include <QtTest>

#include "engine/definition/component_moves.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

namespace {

std::string after(const std::string& text, const Result<TextEdits>& edits) {
    if (!edits)
        return "error: " + edits.error().message;
    const Result<std::string> changed = applyEdits(text, *edits);
    if (!changed)
        return "cannot apply: " + changed.error().message;
    const Result<std::string> back = applyEdits(*changed, inverseOf(*edits));
    return back && *back == text ? *changed : "cannot undo";
}

std::string crlf(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '\r');
    return text;
}

const std::string Types = "# The file.\n"
                          "[Crate]\n"
                          "doc = \"A box.\" # plain\n"
                          "\n"
                          "# How it falls.\n"
                          "[Crate.Body]\n"
                          "mass = 5.0   # kg\n"
                          "\n"
                          "[Crate.Mesh]\n"
                          "\n"
                          "  # lives\n"
                          "  [Crate.Health]\n"
                          "  maximum = 40\n"
                          "\n"
                          "# Tight.\n"
                          "[Heavy]\n"
                          "extends = \"Crate\"\n"
                          "[Heavy.Body]\n"
                          "mass = 50.0\n"
                          "[Heavy.Health]\n"
                          "maximum = 1\n"
                          "\n"
                          "[Bat]\n"
                          "Health = { maximum = 3, shown = [1, 2] }\n"
                          "# Soft.\n"
                          "Body.mass = 1.0 # light\n"
                          "Body.layer = 2\n"
                          "[[Bat.Touch]]\n"
                          "damage = 1\n"
                          "[[Bat.Touch]]\n"
                          "damage = 2"; // without a line end

} // namespace

#define SAME(actual, expected)                                                                               \
    do {                                                                                                     \
        const std::string a = (actual);                                                                      \
        const std::string e = (expected);                                                                    \
        QVERIFY2(a == e, ("got:\n" + a + "\nwanted:\n" + e).c_str());                                        \
    } while (false)

class TestComponentMoves : public QObject {
    Q_OBJECT

private slots:
    void lists();
    void movesDownAndUp();
    void movesTheLastOfTheFile();
    void refusesWhatHasNoTable();
    void copiesOut();
    void pastes();
    void pastesSeveralOfOneName();
    void refusesToPaste();
    void takesOneOut();
    void keepsLineEnds();
    void everyMoveThereAndBack();
};

void TestComponentMoves::lists() {
    std::string names;
    for (const ComponentPart& part : componentsOf(Types, "Bat"))
        names += part.name + (part.table ? part.element ? "[[]] " : "[] " : "= ");
    QCOMPARE(names, std::string("Health= Body= Touch[[]] Touch[[]] "));
    QVERIFY(componentsOf(Types, "Nothing").empty());
}

void TestComponentMoves::movesDownAndUp() {
    const std::string rest = Types.substr(Types.find("# Tight."));
    const std::string head = "# The file.\n[Crate]\ndoc = \"A box.\" # plain\n\n";
    const std::string body = "# How it falls.\n[Crate.Body]\nmass = 5.0   # kg\n";
    const std::string mesh = "[Crate.Mesh]\n";
    const std::string health = "  # lives\n  [Crate.Health]\n  maximum = 40\n";
    SAME(after(Types, moveComponent(Types, "Crate", 0, 1)),
         head + mesh + "\n" + body + "\n" + health + "\n" + rest);
    SAME(after(Types, moveComponent(Types, "Crate", 0, 2)),
         head + mesh + "\n" + health + "\n" + body + "\n" + rest);
    SAME(after(Types, moveComponent(Types, "Crate", 2, 0)),
         head + health + "\n" + body + "\n" + mesh + "\n" + rest);
    SAME(after(Types, moveComponent(Types, "Crate", 1, 1)), Types);
    // Nothing parts these two, and nothing does afterwards.
    const Result<TextEdits> tight = moveComponent(Types, "Heavy", 1, 0);
    QVERIFY(after(Types, tight)
                .find("extends = \"Crate\"\n[Heavy.Health]\nmaximum = 1\n[Heavy.Body]\nmass = 50.0\n\n[Bat]")
            != std::string::npos);
}

void TestComponentMoves::movesTheLastOfTheFile() {
    const std::string up = after(Types, moveComponent(Types, "Bat", 3, 2));
    QVERIFY2(up.ends_with("Body.layer = 2\n[[Bat.Touch]]\ndamage = 2\n[[Bat.Touch]]\ndamage = 1"),
             up.c_str());
    const std::string down = after(Types, moveComponent(Types, "Bat", 2, 3));
    SAME(down, up);
}

void TestComponentMoves::refusesWhatHasNoTable() {
    SAME(after(Types, moveComponent(Types, "Bat", 0, 2)),
         "error: Health is written among the keys of Bat, which stand before the tables; edit the text");
    SAME(after(Types, moveComponent(Types, "Bat", 2, 1)),
         "error: Body is written among the keys of Bat, which stand before the tables; edit the text");
    SAME(after(Types, moveComponent(Types, "Crate", 0, 3)),
         "error: Crate has no component number 4 in its own text; it has 3");
    SAME(after(Types, moveComponent(Types, "Crat", 0, 1)),
         "error: this file has no entity type \"Crat\"; did you mean Crate?");
    const std::string split = "[A]\n[A.Body]\n[B]\n[A.Body.x]\n[A.Mesh]\n";
    SAME(after(split, moveComponent(split, "A", 0, 1)),
         "error: Body is written in several places here; edit the text");
    // Among the keys they change places.
    QVERIFY(after(Types, moveComponent(Types, "Bat", 1, 0))
                .find("[Bat]\n# Soft.\nBody.mass = 1.0 # light\nBody.layer = 2\nHealth = {")
            != std::string::npos);
}

void TestComponentMoves::copiesOut() {
    SAME(*componentText(Types, "Crate", "Body"), "# How it falls.\n[Crate.Body]\nmass = 5.0   # kg\n");
    SAME(*componentText(Types, "Bat", "Health"), "[Bat.Health]\nmaximum = 3\nshown = [1, 2]\n");
    SAME(*componentText(Types, "Bat", "Body"), "# Soft.\n[Bat.Body]\nmass = 1.0 # light\nlayer = 2\n");
    SAME(*componentText(Types, "Bat", 3), "[[Bat.Touch]]\ndamage = 2\n");
    QCOMPARE(componentText(Types, "Heavy", "Mesh").error().message,
             std::string("Heavy has no component Mesh of its own"));
    const auto clip = clipComponents("[entity.Body]\nmass = 2 # c\nsize = [1.0,\n 2.0, 3.0]\n[[x.Touch]]\n");
    QVERIFY(clip);
    QCOMPARE(clip->size(), std::size_t{2});
    QCOMPARE(clip->front().keys.size(), std::size_t{2});
    QCOMPARE(clip->front().keys[1].value, std::string("[1.0,\n 2.0, 3.0]"));
    QCOMPARE(clip->back().name, std::string("Touch"));
}

void TestComponentMoves::pastes() {
    const Schema schema = sample::schema();
    const std::string text = "# for doors\n[Crate.Mesh]  # seen\nfile = \"a.obj\"\n\n[Crate.Hinge]";
    // As the type's last sub-table is parted from what stands above it.
    const std::string end = after(Types, pasteComponent(Types, "Heavy", text, schema));
    QVERIFY2(
        end.find("maximum = 1\n# for doors\n[Heavy.Mesh]  # seen\nfile = \"a.obj\"\n\n[Heavy.Hinge]\n\n[Bat]")
            != std::string::npos,
        end.c_str());
    const std::string first = after(Types, pasteComponent(Types, "Heavy", text, schema, 0));
    QVERIFY2(first.find("extends = \"Crate\"\n# for doors\n[Heavy.Mesh]  # seen\nfile = "
                        "\"a.obj\"\n\n[Heavy.Hinge]\n[Heavy.Body]\n")
                 != std::string::npos,
             first.c_str());
    const std::string apart =
        after(Types, pasteComponent(Types, "Crate", "[x.Hinge]\r\nanchor = \"a\"\r\n", schema, 1));
    QVERIFY2(apart.find("kg\n\n[Crate.Hinge]\nanchor = \"a\"\n\n[Crate.Mesh]\n") != std::string::npos,
             apart.c_str());
    // Behind the last line of a file that ends without a line end.
    const std::string last = after(Types, pasteComponent(Types, "Bat", "[Crate.Hinge]\n", schema));
    QVERIFY2(last.ends_with("damage = 2\n[Bat.Hinge]"), last.c_str());
    const std::string quoted = "[\"Big Door\"]\n";
    SAME(after(quoted, pasteComponent(quoted, "Big Door", "[x.Hinge]\n", schema)),
         "[\"Big Door\"]\n\n[\"Big Door\".Hinge]\n");
}

void TestComponentMoves::pastesSeveralOfOneName() {
    const Schema schema = sample::schema();
    const std::string one = "[Cat]\n[Cat.Touch] # claws\ndamage = 1\n";
    SAME(after(one, pasteComponent(one, "Cat", "[Bat.Touch]\ndamage = 2\n", schema)),
         "[Cat]\n[[Cat.Touch]] # claws\ndamage = 1\n[[Cat.Touch]]\ndamage = 2\n");
    SAME(after(one, pasteComponent(one, "Cat", "[[Bat.Touch]]\ndamage = 2\n[[Bat.Touch]]\n", schema, 0)),
         "[Cat]\n[[Cat.Touch]]\ndamage = 2\n\n[[Cat.Touch]]\n[[Cat.Touch]] # claws\ndamage = 1\n");
}

void TestComponentMoves::refusesToPaste() {
    const Schema schema = sample::schema();
    const auto pasted = [&](const std::string& text) {
        return after(Types, pasteComponent(Types, "Heavy", text, schema));
    };
    SAME(pasted("[x.Body]\n"), "error: Heavy has a component Body already");
    SAME(pasted(""),
         "error: there are no components in it; expected tables of components, such as [Crate.Body]");
    SAME(pasted("mass = 1\n"), "error: line 1: this key stands outside of a component; expected tables of "
                               "components, such as [Crate.Body]");
    SAME(pasted("\n[Crate]\n"), "error: line 2: this is no table of a component; expected tables of "
                                "components, such as [Crate.Body]");
    QVERIFY(pasted("[x.Mesh]\nfile = 5\n").starts_with("error: line 2: "));
    QVERIFY(pasted("[x.Mesh]\nfil = \"a\"\n").starts_with("error: line 2: "));
    QVERIFY(pasted("[x.Mehs]\n").starts_with("error: line 1: there is no component \"Mehs\""));
    QVERIFY(pasted("[x.Mesh]\nfile = \"a\n").starts_with("error: line 2: "));
}

void TestComponentMoves::takesOneOut() {
    const std::string without = after(Types, removeComponentAt(Types, "Bat", 2));
    QVERIFY2(without.ends_with("Body.layer = 2\n[[Bat.Touch]]\ndamage = 2"), without.c_str());
    const std::string last = after(Types, removeComponentAt(Types, "Bat", 3));
    QVERIFY2(last.ends_with("[[Bat.Touch]]\ndamage = 1"), last.c_str());
    const std::string keys = after(Types, removeComponentAt(Types, "Bat", 1));
    QVERIFY2(keys.find("shown = [1, 2] }\n[[Bat.Touch]]") != std::string::npos, keys.c_str());
    const std::string body = after(Types, removeComponentAt(Types, "Crate", 0));
    QVERIFY2(body.find("# plain\n\n[Crate.Mesh]\n") != std::string::npos, body.c_str());
    // The blank line that parts the two types stays.
    const std::string tight = after(Types, removeComponentAt(Types, "Heavy", 1));
    QVERIFY2(tight.find("mass = 50.0\n\n[Bat]") != std::string::npos, tight.c_str());
}

void TestComponentMoves::keepsLineEnds() {
    const std::string text = crlf(Types);
    for (std::size_t from = 0; from < 3; ++from)
        for (std::size_t to = 0; to < 3; ++to)
            SAME(after(text, moveComponent(text, "Crate", from, to)),
                 crlf(after(Types, moveComponent(Types, "Crate", from, to))));
    SAME(after(text, moveComponent(text, "Bat", 3, 2)),
         crlf(after(Types, moveComponent(Types, "Bat", 3, 2))));
    const Schema schema = sample::schema();
    SAME(after(text, pasteComponent(text, "Heavy", "[x.Hinge]\nanchor = \"a\"\n", schema)),
         crlf(after(Types, pasteComponent(Types, "Heavy", "[x.Hinge]\nanchor = \"a\"\n", schema))));
}

void TestComponentMoves::everyMoveThereAndBack() {
    for (const std::string& text : {Types, Types + "\n", crlf(Types)})
        for (const char* type : {"Crate", "Heavy"}) {
            const std::size_t count = componentsOf(text, type).size();
            for (std::size_t from = 0; from < count; ++from)
                for (std::size_t to = 0; to < count; ++to) {
                    const std::string there = after(text, moveComponent(text, type, from, to));
                    std::vector<std::string> wanted;
                    for (const ComponentPart& part : componentsOf(text, type))
                        wanted.push_back(part.name);
                    const std::string moved = wanted[from];
                    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(from));
                    wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(to), moved);
                    std::vector<std::string> names;
                    for (const ComponentPart& part : componentsOf(there, type))
                        names.push_back(part.name);
                    QCOMPARE(names, wanted);
                    SAME(after(there, moveComponent(there, type, to, from)), text);
                }
        }
}

QTEST_GUILESS_MAIN(TestComponentMoves)
#include "tst_component_moves.moc"
