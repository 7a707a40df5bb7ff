// Mutations of sound files: whatever the bytes, reading ends with values and located faults, the statements
// cover the text, and an edit that is granted leads back. Run for five seconds; the seed is printed,
// SBX_FUZZ_SEED repeats it, SBX_FUZZ_SECONDS goes on longer.
#include <QtTest>

#include "engine/definition/completion.h"
#include "engine/definition/project.h"
#include "engine/definition/scene.h"
#include "engine/definition/text_edit.h"
#include "engine/definition/text_file.h"
#include "engine/definition/toml_document.h"
#include "engine/definition/toml_syntax.h"
#include "tests/definition/sample_schema.h"
#include "tests/folders.h"

#include <filesystem>
#include <random>

using namespace sbx;
using namespace sbx::definition;

namespace {

constexpr const char* SceneText =
    "# A yard.\n[scene]\nname = \"Yard\"\n\n[[entity]]\ntype = \"Crate\"\nposition = [0.0, 1.0, 0.0] # "
    "floor\n"
    "[entity.Body]\nmass = 2.0\n\n[[entity]]\ntype = 'Door'\nname = \"gate\"\nparent = \"crate\"\n"
    "Hinge = { anchor = \"crate\" }\n\n[[entity]]\ntype = \"Crate\"\nBody.mass = 5\n"
    "[entity.Health]\nmaximum = 0x1F\n[[entity]]\ntype = \"\"\"Bat\"\"\"\n";

constexpr const char* Pieces[] = {"[",
                                  "]",
                                  "[[",
                                  "]]",
                                  "{",
                                  "}",
                                  "\"",
                                  "'",
                                  "\"\"\"",
                                  "'''",
                                  "=",
                                  ".",
                                  ",",
                                  "#",
                                  "\n",
                                  "\r",
                                  " ",
                                  "\\",
                                  "\\u0",
                                  "e",
                                  "-",
                                  "0x",
                                  "_",
                                  "\xFF",
                                  "\xC3\xA9",
                                  "\t",
                                  "true",
                                  "inf",
                                  "1",
                                  "a",
                                  "[e.",
                                  "[[entity]]\n",
                                  "[Crate.Body]\n",
                                  "type = \"Crate\"\n",
                                  "name = \"gate\"\n",
                                  "1979-05-27",
                                  "\xEF\xBB\xBF",
                                  "extends = \"Crate\"\n",
                                  "[)]",
                                  "]\n["};

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : m_engine(seed) {}

    std::size_t below(std::size_t count) {
        return count == 0 ? 0 : static_cast<std::size_t>(m_engine() % count);
    }

    std::string mutate(std::string text) {
        for (std::size_t i = 1 + below(6); i > 0; --i) {
            const std::size_t at = below(text.size() + 1);
            const std::size_t length = std::min(below(20), text.size() - at);
            switch (below(6)) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(at, Pieces[below(std::size(Pieces))]);
                break;
            case 2:
                text.insert(at, text.substr(below(text.size() + 1), below(60)));
                break;
            case 3:
                if (at < text.size())
                    text[at] = static_cast<char>(below(256));
                break;
            case 4:
                text.resize(at);
                break;
            default:
                text.replace(at, length, Pieces[below(std::size(Pieces))]);
                break;
            }
        }
        return text;
    }

private:
    std::mt19937_64 m_engine;
};

// Aborts the test function on the first broken promise; the text is shown.
void check(const std::string& text, Mutator& random) {
    const auto must = [&](bool good, const char* what) {
        if (!good)
            qFatal("%s\n--- text of %zu bytes\n%s\n---", what, text.size(),
                   QByteArray::fromStdString(text).toPercentEncoding(" \n[]{}=\"'.#,").constData());
    };
    static const Schema schema = sample::schema();
    static const Definitions definitions = sample::definitions(schema);

    const auto statements = scanToml(text);
    std::size_t end = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (const SyntaxStatement& s : statements) {
        must(s.lines.begin == end && s.lines.end > end, "statements cover the text");
        must(s.text.begin >= s.lines.begin && s.text.end <= s.lines.end && s.text.begin <= s.text.end,
             "text inside its lines");
        must(s.value.empty() || (s.value.begin >= s.text.begin && s.value.end <= s.text.end),
             "value inside its statement");
        end = s.lines.end;
    }
    must(end == text.size(), "statements reach the end");

    const int lines = LineIndex(text).lineCount();
    Diagnostics sink;
    const Definitions read = Definitions::load({{"f", text}}, schema, sink);
    const Scene scene = Scene::load(text, "f", definitions, schema, sink);
    static_cast<void>(parseProject(text, "f", sink));
    for (const Diagnostic& d : sink.items) {
        must(!d.what.empty() && d.file == "f", "every fault says what and where");
        must(d.region.line >= 1 && d.region.line <= lines && d.region.column >= 1, "places lie in the file");
        must(d.region.endLine > d.region.line
                 || (d.region.endLine == d.region.line && d.region.endColumn >= d.region.column),
             "regions run forwards");
    }
    // What was read needs no further check: it goes into its fields.
    for (const EntityTypeDefinition& type : read.types()) {
        for (const ComponentDefinition& component : type.components) {
            if (component.name != "Body")
                continue;
            for (const Setting& setting : component.settings) {
                const FieldInfo* const field = fieldsOf<sample::Body>().find(setting.entry.key);
                must(field != nullptr && field->check(setting.value), "settings are valid");
            }
        }
    }

    const std::size_t offset = random.below(text.size() + 2);
    const TextLocation at = locate(text, offset);
    must(at.word.begin <= at.word.end && at.word.end <= text.size(), "the word lies in the text");
    static_cast<void>(complete(text, at, schema, definitions));
    static_cast<void>(describe(at, schema, definitions));
    static_cast<void>(outline(text));

    const auto names = sceneInstanceNames(text);
    const std::string name = names.empty() ? "crate" : names[random.below(names.size())];
    const Result<TextEdits> all[] = {setSceneValue(text, name, "Body", "mass", "9.5"),
                                     removeSceneValue(text, name, "Body", "mass"),
                                     setInstanceKey(text, name, "position", "[1, 2, 3]"),
                                     addInstance(text, "Crate", "", {}),
                                     removeInstances(text, {name}),
                                     duplicateInstance(text, name, freeInstanceName(text, "copy"), {1, 0, 0}),
                                     renameInstance(text, name, freeInstanceName(text, "other"), &schema),
                                     setDefinitionValue(text, "Crate", "Body", "mass", "9.5"),
                                     addComponent(text, "Crate", "Mesh"),
                                     removeComponent(text, "Crate", "Body", false),
                                     setTableValue(text, "cvars", "sim.tickRate", "30")};
    for (const Result<TextEdits>& edits : all) {
        if (!edits)
            continue;
        const Result<std::string> changed = applyEdits(text, *edits);
        must(changed.ok(), "edits apply");
        const Result<std::string> back = applyEdits(*changed, inverseOf(*edits));
        must(back.ok() && *back == text, "edits lead back");
    }
    // In a sound scene an edit is what it says.
    if (const InstanceDefinition* instance = scene.find(name); instance != nullptr && !sink.hasErrors()) {
        Diagnostics none;
        const Scene moved = Scene::load(*applyEdits(text, *all[2]), "f", definitions, schema, none);
        must(moved.find(name) != nullptr && moved.find(name)->position == Vec3(1, 2, 3), "the entity moved");
    }
}

} // namespace

class TestMutations : public QObject {
    Q_OBJECT
private slots:
    void survive() {
        std::vector<std::string> seeds{sample::Types, SceneText,
                                       "[project]\nname = \"P\"\nscene = \"a.scene.toml\"\ndefinitions = "
                                       "[\"b.toml\"]\n[cvars]\nsim.tickRate = 60\n"};
        for (const auto& entry : std::filesystem::directory_iterator(sbx::test::sourcePath("tests/definition/corpus")))
            if (entry.path().extension() == ".toml")
                seeds.push_back(*readTextFile(entry.path()));
        std::sort(seeds.begin(), seeds.end());
        bool given = false;
        std::uint64_t seed =
            static_cast<std::uint64_t>(qEnvironmentVariable("SBX_FUZZ_SEED").toULongLong(&given));
        if (!given)
            seed = std::random_device()();
        qInfo("SBX_FUZZ_SEED=%llu", static_cast<unsigned long long>(seed));
        Mutator mutator(seed);
        const int seconds = qEnvironmentVariableIsEmpty("SBX_FUZZ_SECONDS")
                                ? 5
                                : qEnvironmentVariableIntValue("SBX_FUZZ_SECONDS");
        QElapsedTimer timer;
        timer.start();
        std::size_t runs = 0;
        for (const std::string& text : seeds)
            check(text, mutator);
        std::string last = seeds.front();
        while (timer.elapsed() < seconds * 1000) {
            // Now and then a mutation of a mutation.
            last = mutator.mutate(
                mutator.below(3) == 0 && last.size() < 4000 ? last : seeds[mutator.below(seeds.size())]);
            check(last, mutator);
            ++runs;
        }
        qInfo("%zu mutations", runs);
        QVERIFY(runs > 0);
    }
};

QTEST_GUILESS_MAIN(TestMutations)
#include "tst_mutations.moc"
