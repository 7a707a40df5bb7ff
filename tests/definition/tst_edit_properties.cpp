// Random edits on random scenes, checked against a model that knows nothing of text: after every edit the
// text reads as the model says, no line was touched that need not be, and the inverse leads back to the same
// bytes.
#include <QtTest>

#include "engine/definition/scene.h"
#include "engine/definition/text_edit.h"
#include "engine/definition/toml_document.h"
#include "tests/definition/sample_schema.h"

#include <rapidcheck.h>

#include <map>
#include <set>

using namespace sbx;
using namespace sbx::definition;

namespace {

struct Instance {
    std::string name;
    std::string type;
    std::string parent;
    Vec3 position{0.0F};
    std::map<std::pair<std::string, std::string>, double> overrides;

    bool operator==(const Instance&) const = default;
};
using Model = std::vector<Instance>;

struct World {
    Schema schema = sample::schema();
    Definitions definitions = sample::definitions(schema);
};

const World& world() {
    static const World Instance;
    return Instance;
}

// Settings that are numbers, and the types that have them.
struct Slot {
    const char* component;
    const char* key;
};
constexpr Slot Slots[] = {{"Body", "mass"}, {"Body", "layer"}, {"Health", "maximum"}};

Model read(const std::string& text) {
    Diagnostics sink;
    const Scene scene = Scene::load(text, "s", world().definitions, world().schema, sink);
    if (!sink.items.empty())
        RC_FAIL(sink.items.front().toString() + "\n" + text);
    Model out;
    for (const InstanceDefinition& instance : scene.instances()) {
        Instance i{instance.name, instance.type, instance.parent, instance.position, {}};
        for (const ComponentDefinition& component : instance.overrides)
            for (const Setting& setting : component.settings)
                i.overrides[{component.name, setting.entry.key}] = setting.entry.value.asNumber();
        out.push_back(std::move(i));
    }
    return out;
}

rc::Gen<int> upTo(int count) { return rc::gen::inRange(0, count); }

// A scene in any of the ways people write them.
std::string randomScene() {
    const std::string lineEnd = *upTo(4) == 0 ? "\r\n" : "\n";
    const std::string indent = *upTo(3) == 0 ? "  " : "";
    std::string text;
    const auto line = [&](const std::string& content) {
        text += content + (*upTo(8) == 0 ? " # note" : "") + lineEnd;
    };
    const auto gap = [&] {
        if (*upTo(3) == 0)
            text += lineEnd;
        if (*upTo(5) == 0)
            text += "# remark" + lineEnd;
    };
    gap();
    if (*upTo(2) == 0) {
        line("[scene]");
        line("name = \"Yard\"");
        gap();
    }
    const int count = *upTo(5);
    for (int i = 0; i < count; ++i) {
        line("[[entity]]");
        line(indent + (*upTo(2) == 0 ? "type = \"Crate\"" : "type   = 'HeavyCrate'"));
        gap();
        if (*upTo(2) == 0)
            line(indent + "name = \"n" + std::to_string(i) + "\"");
        if (*upTo(2) == 0)
            line(indent + "position = [ 1, " + std::to_string(*upTo(9)) + ".5, -2 ]");
        switch (*upTo(5)) {
        case 0:
            line(indent + "Body.mass = 3");
            break;
        case 1:
            line(indent + "Body = { mass = 3, layer = 2 }");
            break;
        case 2:
            gap();
            line(indent + "[entity.Body]");
            if (*upTo(3) > 0)
                line(indent + "mass = 3.5");
            gap();
            break;
        case 3:
            line("[entity.Health]");
            line("maximum = 7");
            gap();
            line("[ entity . \"Body\" ]");
            line("layer = 0x1F");
            break;
        default:
            break;
        }
        gap();
    }
    if (!text.empty() && *upTo(4) == 0)
        text.resize(text.size() - lineEnd.size()); // no line end at the end
    return text;
}

const std::string* pickName(const Model& model) {
    return model.empty() ? nullptr
                         : &model[static_cast<std::size_t>(*upTo(static_cast<int>(model.size())))].name;
}

Instance& at(Model& model, const std::string& name) {
    return *std::find_if(model.begin(), model.end(), [&](const Instance& i) { return i.name == name; });
}

// Blank lines do not count: one may come or go with a part.
std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r'))
            line.pop_back();
        if (!line.empty())
            out.push_back(std::move(line));
        begin = end + 1;
    }
    return out;
}

// How many lines of `a` are not in `b` in the same order, by the longest common subsequence.
std::size_t lost(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t j = b.size(); j-- > 0;)
            common[i][j] =
                a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    return a.size() - common[0][0];
}

// One random edit: does it to the model and gives the text's edits, and how many old lines it may touch.
struct Step {
    Result<TextEdits> edits = TextEdits{};
    std::size_t mayTouch = 0;
};

Step randomStep(const std::string& text, Model& model) {
    const std::string* picked = pickName(model);
    const int kind = picked == nullptr ? 0 : *upTo(9);
    const std::string name = picked != nullptr ? *picked : std::string();
    const Slot slot = Slots[*upTo(3)];
    switch (kind) {
    case 0: {
        const std::string given = *upTo(2) == 0 ? std::string() : freeInstanceName(text, "crate");
        Instance made{given.empty() ? freeInstanceName(text, "crate") : given, "Crate", {}, {1, 2, 3}, {}};
        if (picked != nullptr && *upTo(2) == 0)
            made.parent = name;
        const std::string parent = made.parent;
        model.push_back(std::move(made));
        return {addInstance(text, "Crate", given, {{1, 2, 3}, {}, Vec3(1.0F)}, parent), 0};
    }
    case 1:
    case 2: {
        const int value = *upTo(20) + 1;
        at(model, name).overrides[{slot.component, slot.key}] = value;
        return {setSceneValue(text, name, slot.component, slot.key, std::to_string(value)), 1};
    }
    case 3:
        at(model, name).overrides.erase({slot.component, slot.key});
        return {removeSceneValue(text, name, slot.component, slot.key), 2};
    case 4: {
        const int x = *upTo(100);
        at(model, name).position = Vec3(static_cast<float>(x), 0.0F, 0.5F);
        return {setInstanceKey(text, name, "position", "[" + std::to_string(x) + ", 0.0, 0.5]"), 1};
    }
    case 5: {
        std::set<std::string> going{name};
        for (bool grown = true; grown;) {
            grown = false;
            for (const Instance& i : model)
                grown = (going.contains(i.parent) && going.insert(i.name).second) || grown;
        }
        std::erase_if(model, [&](const Instance& i) { return going.contains(i.name); });
        return {removeInstances(text, {name}), text.size()};
    }
    case 6: {
        const std::string copyName = freeInstanceName(text, name);
        const auto original =
            std::find_if(model.begin(), model.end(), [&](const Instance& i) { return i.name == name; });
        Instance copy = *original;
        copy.name = copyName;
        copy.position += Vec3(1.0F, 0.0F, 0.0F);
        model.insert(original + 1, std::move(copy));
        return {duplicateInstance(text, name, copyName, {1.0F, 0.0F, 0.0F}), 0};
    }
    case 7: {
        const std::string newName = freeInstanceName(text, "renamed");
        at(model, name).name = newName;
        std::size_t followers = 1;
        for (Instance& i : model) {
            if (i.parent == name) {
                i.parent = newName;
                ++followers;
            }
        }
        return {renameInstance(text, name, newName), followers};
    }
    default: {
        // A parent that is not below.
        const std::string parent = *pickName(model);
        for (std::string up = parent; !up.empty(); up = at(model, up).parent)
            if (up == name)
                return {};
        at(model, name).parent = parent;
        return {setInstanceKey(text, name, "parent", "\"" + parent + "\""), 1};
    }
    }
}

} // namespace

class TestEditProperties : public QObject {
    Q_OBJECT
private slots:
    // The same cases on every run; RC_PARAMS="seed=… max_success=…" looks further.
    void initTestCase() {
        if (qEnvironmentVariableIsEmpty("RC_PARAMS"))
            qputenv("RC_PARAMS", "seed=7 max_success=300");
    }
    void randomEdits() {
        QVERIFY(rc::check("the text follows the model", [] {
            std::string text = randomScene();
            Model model = read(text);
            const std::string start = text;
            std::vector<TextEdits> history;
            const int steps = *rc::gen::inRange(1, 12);
            for (int i = 0; i < steps; ++i) {
                const Step step = randomStep(text, model);
                if (!step.edits)
                    RC_FAIL(step.edits.error().message + "\n" + text);
                const Result<std::string> changed = applyEdits(text, *step.edits);
                RC_ASSERT(changed.ok());
                const Model now = read(*changed);
                if (now != model)
                    RC_FAIL("before:\n" + text + "\nafter:\n" + *changed);
                if (lost(linesOf(text), linesOf(*changed)) > step.mayTouch)
                    RC_FAIL("touched too much, before:\n" + text + "\nafter:\n" + *changed);
                history.push_back(*step.edits);
                text = *changed;
            }
            for (auto it = history.rbegin(); it != history.rend(); ++it) {
                const Result<std::string> back = applyEdits(text, inverseOf(*it));
                RC_ASSERT(back.ok());
                text = *back;
            }
            RC_ASSERT(text == start);
        }));
    }
    // Setting an override that was not there and taking it out again leaves no trace.
    void setAndTakeOut() {
        QVERIFY(rc::check("set, then remove", [] {
            const std::string text = randomScene();
            const Model model = read(text);
            const std::string* name = pickName(model);
            const Slot slot = Slots[*upTo(3)];
            Model copy = model;
            // Not when it is there already, nor when an empty [entity.Body] stands there, which goes with its
            // last key.
            if (name == nullptr || at(copy, *name).overrides.contains({slot.component, slot.key})
                || text.find("[entity.Body]") != std::string::npos)
                return;
            const auto set = setSceneValue(text, *name, slot.component, slot.key, "5");
            RC_ASSERT(set.ok());
            const std::string changed = *applyEdits(text, *set);
            const auto removed = removeSceneValue(changed, *name, slot.component, slot.key);
            RC_ASSERT(removed.ok());
            const std::string back = *applyEdits(changed, *removed);
            if (back != text)
                RC_FAIL("before:\n" + text + "\nbetween:\n" + changed + "\nafter:\n" + back);
        }));
    }
    void definitionEdits() {
        QVERIFY(rc::check("types take values and give them back", [] {
            std::string text = sample::Types;
            if (*upTo(2) == 0) {
                std::string crlf;
                for (const char c : text)
                    crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
                text = crlf;
            }
            const char* types[] = {"Crate", "HeavyCrate", "Door"};
            const int steps = *rc::gen::inRange(1, 8);
            for (int i = 0; i < steps; ++i) {
                const std::string type = types[*upTo(3)];
                const Slot slot = Slots[*upTo(3)];
                const int value = *upTo(30) + 1;
                const auto edits =
                    setDefinitionValue(text, type, slot.component, slot.key, std::to_string(value));
                RC_ASSERT(edits.ok());
                const std::string changed = *applyEdits(text, *edits);
                RC_ASSERT(*applyEdits(changed, inverseOf(*edits)) == text);
                RC_ASSERT(lost(linesOf(text), linesOf(changed)) <= 1U);
                text = changed;
                Diagnostics sink;
                const Definitions definitions = Definitions::load({{"f", text}}, world().schema, sink);
                RC_ASSERT(sink.items.empty());
                const Setting* setting = definitions.find(type)->find(slot.component)->find(slot.key);
                const bool there = setting != nullptr;
                RC_ASSERT(there);
                RC_ASSERT(setting->entry.value.asNumber() == static_cast<double>(value));
                RC_ASSERT(setting->owner == type);
            }
        }));
    }
};

QTEST_GUILESS_MAIN(TestEditProperties)
#include "tst_edit_properties.moc"
