// Entity types as pieces of text: moved, renamed, copied, pasted, taken out, byte for byte; what a text does not say; and over all of the
// corpus that an edit changes what it names and nothing else, and that its inverse leads back.
#include <QtTest>

#include "engine/definition/component_moves.h"
#include "engine/definition/lookup.h"
#include "engine/definition/scene.h"
#include "engine/definition/type_moves.h"
#include "engine/definition/unwritten.h"
#include "tests/definition/sample_schema.h"
#include "tests/folders.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

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

const std::string Head = "# The file.\n\n";
const std::string Crate = "# A box.\n[Crate]\ndoc = \"A box.\"\n\n[Crate.Body]\nmass = 5.0 # kg\n";
const std::string Heavy = "[Heavy]\nextends = \"Crate\" # heavier\n[Heavy.Body]\nmass = 50.0\n";
const std::string Maker = "[Maker]\n[Maker.Spawner]\nspawns = 'Crate'\non = \"Crate\"\n";
const std::string Types = Head + Crate + "\n" + Heavy + "\n" + Maker;

// How often each line stands in a text.
std::multiset<std::string> linesIn(const std::string& text) {
    std::multiset<std::string> out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (!line.empty())
            out.insert(std::move(line));
        begin = end + 1;
    }
    return out;
}

// Every text of the corpus, with other line ends as well, and the samples.
std::vector<std::string> corpus() {
    std::vector<std::string> out{sample::Types, Types, crlf(Types), crlf(sample::Types),
                                 Types.substr(0, Types.size() - 1)};
    for (const auto& entry :
         std::filesystem::directory_iterator(sbx::test::sourcePath("tests/definition/corpus"))) {
        std::ifstream in(entry.path(), std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        out.push_back(crlf(text));
        out.push_back(std::move(text));
    }
    return out;
}

} // namespace

#define SAME(actual, expected)                                                                               \
    do {                                                                                                     \
        const std::string a = (actual);                                                                      \
        const std::string e = (expected);                                                                    \
        QVERIFY2(a == e, ("got:\n" + a + "\nwanted:\n" + e).c_str());                                        \
    } while (false)

class TestTypeMoves : public QObject {
    Q_OBJECT

private slots:
    void moves();
    void takesOut();
    void copies();
    void pastes();
    void refusesToPaste();
    void renames();
    void renamesInTheScene();
    void saysWhatIsNotWritten();
    void findsWhatIsNoStatement();
    void overTheCorpus();
};

void TestTypeMoves::moves() {
    SAME(after(Types, moveType(Types, "Crate", std::nullopt)), Head + Heavy + "\n" + Maker + "\n" + Crate);
    SAME(after(Types, moveType(Types, "Maker", "Crate")), Head + Maker + "\n" + Crate + "\n" + Heavy);
    SAME(after(Types, moveType(Types, "Crate", "Maker")), Head + Heavy + "\n" + Crate + "\n" + Maker);
    SAME(after(Types, moveType(Types, "Heavy", "Maker")), Types);
    SAME(after(crlf(Types), moveType(crlf(Types), "Crate", "Maker")),
         crlf(Head + Heavy + "\n" + Crate + "\n" + Maker));
    const std::string open = Types.substr(0, Types.size() - 1);
    SAME(after(open, moveType(open, "Maker", "Heavy")),
         Head + Crate + "\n" + Maker + "\n" + Heavy.substr(0, Heavy.size() - 1));
    SAME(after(Types, moveType(Types, "Crat", std::nullopt)),
         "error: this file has no entity type \"Crat\"; did you mean Crate?");
    const std::string split = "[A]\n[B]\n[A.Body]\n";
    SAME(after(split, moveType(split, "A", std::nullopt)),
         "error: the tables of A do not stand together; edit the text");
}

void TestTypeMoves::takesOut() {
    SAME(after(Types, removeType(Types, "Heavy")), Head + Crate + "\n" + Maker);
    SAME(after(Types, removeType(Types, "Maker")), Head + Crate + "\n" + Heavy);
    SAME(after(Types, removeType(Types, "Crate")), Head + Heavy + "\n" + Maker);
    SAME(*typeText(Types, "Crate"), Crate);
}

void TestTypeMoves::copies() {
    const std::string copy = after(Types, duplicateType(Types, "Heavy", "Heavy_2"));
    SAME(copy, Head + Crate + "\n" + Heavy
                   + "\n[Heavy_2]\nextends = \"Crate\" # heavier\n[Heavy_2.Body]\nmass = 50.0\n\n" + Maker);
    SAME(after(Types, duplicateType(Types, "Heavy", "Crate")),
         "error: there is an entity type Crate already");
    QVERIFY(after(Types, duplicateType(Types, "Heavy", "2 much"))
                .starts_with("error: \"2 much\" cannot name an entity type"));
}

void TestTypeMoves::pastes() {
    const Result<PastedTypes> end = pasteTypes(Types, Heavy, {});
    QVERIFY(end);
    QCOMPARE(end->names, std::vector<std::string>{"Heavy_2"});
    SAME(after(Types, end->edits),
         Types + "\n[Heavy_2]\nextends = \"Crate\" # heavier\n[Heavy_2.Body]\nmass = 50.0\n");
    // What extends a type of the text extends its copy.
    const Result<PastedTypes> both = pasteTypes("", Crate + "\n" + Heavy, {"Crate"});
    QVERIFY(both);
    QCOMPARE(both->names, (std::vector<std::string>{"Crate_2", "Heavy"}));
    const std::string made = after("", both->edits);
    QVERIFY2(made.find("[Crate_2.Body]") != std::string::npos
                 && made.find("extends = \"Crate_2\" # heavier") != std::string::npos,
             made.c_str());
    const Result<PastedTypes> before = pasteTypes(Types, "\r\n[New]\r\n", {}, "Crate");
    QVERIFY(before);
    SAME(after(Types, before->edits), Head + "[New]\n\n" + Crate + "\n" + Heavy + "\n" + Maker);
}

void TestTypeMoves::refusesToPaste() {
    const auto fault = [](const std::string& text) {
        const Result<PastedTypes> pasted = pasteTypes(Types, text, {});
        return pasted ? std::string() : pasted.error().message;
    };
    SAME(fault("# nothing\n"), "there are no entity types in it; expected tables such as [Crate]");
    SAME(fault("a = 1\n"),
         "line 1: this key stands outside of a type; expected tables of entity types, such as [Crate]");
    SAME(fault("\n[[entity]]\n"),
         "line 2: [[entity]] is no entity type; expected tables of entity types, such as [Crate]");
    QVERIFY(fault("[A]\nx = \"\n").starts_with("line 2: "));
    QVERIFY(fault("[\"a b\"]\n").starts_with("line 1: \"a b\" cannot name an entity type"));
}

void TestTypeMoves::renames() {
    const Schema schema = sample::schema();
    SAME(after(Types, renameType(Types, "Crate", "Box_1", schema)),
         "# The file.\n\n# A box.\n[Box_1]\ndoc = \"A box.\"\n\n[Box_1.Body]\nmass = 5.0 # kg\n\n"
         "[Heavy]\nextends = \"Box_1\" # heavier\n[Heavy.Body]\nmass = 50.0\n\n"
         "[Maker]\n[Maker.Spawner]\nspawns = \"Box_1\"\non = \"Crate\"\n");
    const std::string other =
        "[A]\nSpawner = { spawns = \"Crate\" }\n[B]\nSpawner.spawns = \"Crate\"\n[C]\nextends = \"Crat\"\n";
    SAME(after(other, renameType(other, "Crate", "Box_1", schema)),
         "[A]\nSpawner = { spawns = \"Box_1\" }\n[B]\nSpawner.spawns = \"Box_1\"\n[C]\nextends = \"Crat\"\n");
    SAME(after(Types, renameType(Types, "Crate", "Heavy", schema)),
         "error: there is an entity type Heavy already");
    QVERIFY(!renameType(Types, "Crate", "a b", schema));
    QVERIFY(!renameType(Types, "Crate", "x]", schema));
}

void TestTypeMoves::renamesInTheScene() {
    const Schema schema = sample::schema();
    const std::string scene = "[[entity]]\ntype = \"Crate\"\n\n[[entity]]\ntype = \"Maker\"\nname = "
                              "\"m\"\n[entity.Spawner]\nspawns = \"Crate\"\n";
    SAME(after(scene, renameTypeInScene(scene, "Crate", "Box_1", schema)),
         "[[entity]]\ntype = \"Box_1\"\nname = \"crate\"\n\n[[entity]]\ntype = \"Maker\"\nname = "
         "\"m\"\n[entity.Spawner]\nspawns = \"Box_1\"\n");
    SAME(after(scene, renameTypeInScene(scene, "Nothing", "Box_1", schema)), scene);
}

void TestTypeMoves::saysWhatIsNotWritten() {
    const Schema schema = sample::schema();
    Diagnostics sink;
    const Definitions definitions = Definitions::load({{"t", Types}}, schema, sink);
    std::vector<OutlineNode> nodes = outline(Types);
    addUnwritten(nodes, OutlinedFile::Definitions, definitions, schema);
    QCOMPARE(nodes.size(), std::size_t{3});
    const auto find = [](const std::vector<OutlineNode>& in, const std::string& name) -> const OutlineNode* {
        const auto it =
            std::find_if(in.begin(), in.end(), [&](const OutlineNode& n) { return n.name == name; });
        return it == in.end() ? nullptr : &*it;
    };
    const OutlineNode* body = find(nodes[1].children, "Body");
    QVERIFY(body != nullptr && body->written);
    const OutlineNode* mass = find(body->children, "mass");
    QVERIFY(mass != nullptr && mass->written && mass->detail == "50.0");
    const OutlineNode* size = find(body->children, "size");
    QVERIFY(size != nullptr && !size->written && size->from.empty());
    QCOMPARE(size->detail, std::string("[1.0, 1.0, 1.0]"));
    // Of the base, and what the base does not say.
    const std::string derived = "[A]\n[A.Body]\nlayer = 3\n[B]\nextends = \"A\"\n";
    const Definitions two = Definitions::load({{"t", derived}}, schema, sink);
    nodes = outline(derived);
    addUnwritten(nodes, OutlinedFile::Definitions, two, schema);
    body = find(nodes[1].children, "Body");
    QVERIFY(body != nullptr && !body->written && body->from == "A");
    const OutlineNode* layer = find(body->children, "layer");
    QVERIFY(layer != nullptr && !layer->written && layer->from == "A" && layer->detail == "3");
    QVERIFY(fieldOf(schema, OutlineNode::Kind::Type, "B", "Body", "enabled") != nullptr);
    QVERIFY(fieldOf(schema, OutlineNode::Kind::Type, "B", "Body", "nothing") == nullptr);
    QVERIFY(fieldOf(schema, OutlineNode::Kind::Table, "project", "", "definitions") == nullptr);
}

void TestTypeMoves::findsWhatIsNoStatement() {
    std::optional<Diagnostic> fault;
    static_cast<void>(outline(Types, &fault));
    QVERIFY(!fault);
    static_cast<void>(outline("[A]\nx = \"a\ny = 1\n", &fault));
    QVERIFY(fault && fault->region.line == 2);
    static_cast<void>(outline("[A]\nx = 1\nnonsense\n", &fault));
    QVERIFY(fault && fault->region.line == 3);
    static_cast<void>(outline("[A]\nx =\n", &fault));
    QVERIFY(fault && fault->region.line == 2);
}

void TestTypeMoves::overTheCorpus() {
    const Schema schema = sample::schema();
    int applied = 0;
    for (const std::string& text : corpus()) {
        // With something in it that is no statement, what follows may be anything; then the tree edits nothing.
        std::optional<Diagnostic> fault;
        static_cast<void>(outline(text, &fault));
        if (fault)
            continue;
        const std::vector<std::string> types = typesOf(text);
        const auto changed = [&](const Result<TextEdits>& edits) -> std::optional<std::string> {
            if (!edits)
                return std::nullopt; // says why
            const std::string made = after(text, edits);
            if (made == "cannot undo" || made.starts_with("cannot apply"))
                qFatal("%s in:\n%s", made.c_str(), text.c_str());
            ++applied;
            return made;
        };
        for (const std::string& type : types) {
            for (std::size_t i = 0; i <= types.size(); ++i)
                if (const auto made = changed(
                        moveType(text, type, i < types.size() ? std::optional(types[i]) : std::nullopt)))
                    QCOMPARE(linesIn(*made), linesIn(text));
            const std::size_t count = componentsOf(text, type).size();
            for (std::size_t from = 0; from < count; ++from) {
                for (std::size_t to = 0; to < count; ++to)
                    if (const auto made = changed(moveComponent(text, type, from, to)))
                        QCOMPARE(linesIn(*made), linesIn(text));
                // Out and in again: nothing is lost but the place.
                const Result<std::string> lines = componentText(text, type, from);
                const auto without = changed(removeComponentAt(text, type, from));
                if (lines && without) {
                    std::multiset<std::string> rest = linesIn(*without);
                    const std::multiset<std::string> all = linesIn(text);
                    QVERIFY(std::includes(all.begin(), all.end(), rest.begin(), rest.end()));
                    if (const Result<TextEdits> back = pasteComponent(*without, type, *lines, schema); back)
                        QVERIFY(applyEdits(*without, *back));
                }
                if (const auto made = changed(setComponentValue(text, type, from, "layer", "7"))) {
                    const std::multiset<std::string> before = linesIn(text);
                    const std::multiset<std::string> now = linesIn(*made);
                    std::vector<std::string> gone;
                    std::set_difference(before.begin(), before.end(), now.begin(), now.end(),
                                        std::back_inserter(gone));
                    QVERIFY2(gone.size() <= 1, made->c_str());
                }
                static_cast<void>(changed(removeComponentValue(text, type, from, "mass")));
            }
            if (const auto made = changed(removeType(text, type))) {
                const std::vector<std::string> left = typesOf(*made);
                QVERIFY2(std::find(left.begin(), left.end(), type) == left.end(), made->c_str());
                QCOMPARE(left.size() + 1, types.size());
            }
            if (const auto made = changed(duplicateType(text, type, "QuiteNew")))
                QVERIFY2(typesOf(*made).size() == types.size() + 1, made->c_str());
            if (const auto made = changed(renameType(text, type, "QuiteNew", schema)))
                QCOMPARE(typesOf(*made).size(), types.size());
        }
    }
    QVERIFY2(applied > 1000, std::to_string(applied).c_str());
}

QTEST_GUILESS_MAIN(TestTypeMoves)
#include "tst_type_moves.moc"
