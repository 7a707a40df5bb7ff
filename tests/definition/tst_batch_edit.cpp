// Edits of many instances at once against the same edits one after the other, which is the second implementation: the same text, byte
// for byte, on scenes of every manner and on hostile ones; and what they cost, counted.
#include <QtTest>

#include "engine/definition/batch_edit.h"
#include "tests/counted_allocations.h"

#include <algorithm>
#include <random>

using namespace sbx;
using namespace sbx::definition;

namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : m_random(seed) {}
    int upTo(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    bool oneIn(int count) { return upTo(count) == 0; }
    template <typename T> const T& of(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(upTo(static_cast<int>(list.size())))];
    }
    template <typename T> void shuffle(std::vector<T>& list) { std::shuffle(list.begin(), list.end(), m_random); }

private:
    std::mt19937 m_random;
};

// A scene as people write them; with `hostile` also as nobody should.
std::string randomScene(Dice& dice, bool hostile) {
    const std::string lineEnd = dice.oneIn(4) ? "\r\n" : "\n";
    const std::string indent = dice.oneIn(3) ? "  " : "";
    const bool aligned = dice.oneIn(3);
    std::string text = dice.oneIn(8) ? "\xEF\xBB\xBF" : "";
    const auto line = [&](const std::string& content) {
        text += content + (dice.oneIn(8) ? " # note" : "") + lineEnd;
    };
    const auto key = [&](const std::string& name, const std::string& value) {
        std::string left = indent + name;
        if (aligned)
            left.resize(std::max<std::size_t>(left.size(), indent.size() + 6), ' ');
        line(left + " = " + value);
    };
    const auto gap = [&] {
        for (int i = dice.upTo(3); i > 0; --i)
            text += (dice.oneIn(2) ? "# remark" : "") + lineEnd;
    };
    const std::vector<std::string> rubbish = {"[[entity", "name = \"open", "= 3", "position = [1, 2", "{", "[entity.]",
                                              "[[entity]] x", "type = ", "Body = { mass = 1", "'''", "[entity]", "[[scene]]"};
    gap();
    if (dice.oneIn(2)) {
        line("[scene]");
        key("name", "\"Yard\"");
        gap();
    }
    const int count = 1 + dice.upTo(7);
    for (int i = 0; i < count; ++i) {
        line("[[entity]]");
        if (dice.oneIn(5))
            key("rotation", "[0, 90, 0]");
        if (!hostile || !dice.oneIn(9))
            key("type", dice.oneIn(2) ? "\"Crate\"" : "'HeavyCrate'");
        if (dice.oneIn(4))
            gap();
        if (dice.oneIn(2))
            key("name", hostile && dice.oneIn(4) ? "\"twice\"" : "\"box_" + std::to_string(dice.upTo(12)) + "_" + std::to_string(i) + "\"");
        if (dice.oneIn(2))
            key("position", hostile && dice.oneIn(6) ? "[1, 2]" : "[ 1, " + std::to_string(dice.upTo(9)) + ".5, -2 ]");
        if (dice.oneIn(4))
            key("scale", "[2, 2, 2]");
        if (hostile && dice.oneIn(5))
            key("parent", dice.oneIn(2) ? "\"twice\"" : "\"crate\"");
        switch (dice.upTo(7)) {
        case 0:
            key("Body.mass", "3");
            break;
        case 1:
            key("Body", "{ mass = 3, layer = 2 }");
            break;
        case 2:
            key("Body", "{}");
            break;
        case 3:
            gap();
            line(indent + "[entity.Body]");
            if (!dice.oneIn(3))
                key("mass", "3.5");
            gap();
            break;
        case 4:
            line("[entity.Health]");
            key("maximum", "7");
            gap();
            line("[ entity . \"Body\" ]");
            key("layer", "0x1F");
            break;
        default:
            break;
        }
        if (hostile && dice.oneIn(4))
            line(dice.of(rubbish));
        if (hostile && dice.oneIn(8)) {
            line("[[entity.Body]]");
            line("mass = 1");
        }
        if (hostile && dice.oneIn(10))
            text += std::string("\0\xFF\x01", 3) + lineEnd;
        gap();
        if (dice.oneIn(8)) {
            line("[extra" + std::to_string(i) + "]");
            key("word", "1");
        }
    }
    if (dice.oneIn(4))
        text.resize(text.size() - lineEnd.size());
    return text;
}

// Some of the scene's names in any order, each once; with `hostile` now and then one that is not there.
std::vector<std::string> some(Dice& dice, const std::string& text, bool hostile) {
    std::vector<std::string> names = sceneInstanceNames(text);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (dice.oneIn(2))
        dice.shuffle(names);
    if (dice.oneIn(2))
        names.resize(static_cast<std::size_t>(dice.upTo(static_cast<int>(names.size()) + 1)));
    if (hostile && dice.oneIn(12))
        names.emplace_back("nobody");
    return names;
}

// The text after one edit for each name, in that order; nothing after a fault.
template <typename Edit>
std::optional<std::string> oneByOne(const std::string& scene, const std::vector<std::string>& names, const Edit& edit) {
    std::string text = scene;
    for (const std::string& name : names) {
        const Result<TextEdits> edits = edit(text, name);
        if (!edits)
            return std::nullopt;
        const Result<std::string> next = applyEdits(text, *edits);
        if (!next)
            return std::nullopt;
        text = *next;
    }
    return text;
}

std::string shown(const std::string& text, const std::optional<std::string>& wanted, const std::string& got) {
    return "at once:\n" + got + "\none by one:\n" + wanted.value_or("(a fault)") + "\nscene:\n" + text;
}

// As wanted, or a fault where there is one; and the inverse leads back.
void compare(const std::string& text, const std::optional<std::string>& wanted, const Result<TextEdits>& edits) {
    if (!edits) {
        if (wanted)
            QFAIL(shown(text, wanted, edits.error().message).c_str());
        return;
    }
    const Result<std::string> got = applyEdits(text, *edits);
    QVERIFY2(got.ok(), text.c_str());
    if (!wanted || *got != *wanted)
        QFAIL(shown(text, wanted, *got).c_str());
    const Result<std::string> back = applyEdits(*got, inverseOf(*edits));
    if (!back || *back != text)
        QFAIL(shown(text, text, back ? *back : back.error().message).c_str());
}

std::string rowOfCrates(int count) {
    std::string text = "[scene]\nname = \"Many\"\n";
    for (int i = 0; i < count; ++i)
        text += "\n[[entity]]\ntype = \"Crate\"\nname = \"crate_" + std::to_string(i + 1) + "\"\nposition = [" + std::to_string(i)
                + ".0, 0.5, 0.0]\n[entity.Body]\nmass = 2.0\n";
    return text;
}

constexpr int Rounds = 1000;

} // namespace

class TestBatchEdit : public QObject {
    Q_OBJECT

private slots:
    void manners_data() {
        QTest::addColumn<bool>("hostile");
        QTest::newRow("as people write") << false;
        QTest::newRow("as nobody should") << true;
    }

    void valuesAreSetAsOneByOne_data() { manners_data(); }
    void valuesAreSetAsOneByOne() {
        QFETCH(bool, hostile);
        Dice dice(1);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, hostile);
            const std::vector<std::string> names = some(dice, text, hostile);
            const std::string part = dice.oneIn(5) ? "" : dice.oneIn(2) ? "Body" : "Health";
            const std::string key = part.empty() ? "parent" : part == "Body" ? "mass" : "maximum";
            const std::string value = hostile && dice.oneIn(9) ? "[1," : part.empty() ? "\"yard\"" : "4.25";
            compare(text,
                    names.empty() ? std::optional(text)
                                  : oneByOne(text, names,
                                             [&](const std::string& now, const std::string& name) {
                                                 return setSceneValue(now, name, part, key, value);
                                             }),
                    names.empty() && value == "[1," ? Result<TextEdits>(TextEdits{})
                                                    : setSceneValues(text, names, part, key, value));
            if (QTest::currentTestFailed())
                return;
        }
    }

    // Several settings of a component, in tables of every spelling.
    void settingsAreSetAsOneByOne() {
        Dice dice(7);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, false);
            const std::vector<std::string> names = some(dice, text, false);
            const std::string part = dice.oneIn(3) ? "Health" : "Body";
            std::vector<InstanceSettings> settings;
            for (const std::string& name : names)
                settings.push_back({name, part, {{"mass", "4.25"}, {"layer", "2"}, {"friction", "0.5"}}});
            compare(text,
                    oneByOne(text, names,
                             [&](const std::string& now, const std::string& name) -> Result<TextEdits> {
                                 TextEdits sum;
                                 std::string between = now;
                                 for (const auto& [key, value] : settings.front().values) {
                                     const Result<TextEdits> edits = setSceneValue(between, name, part, key, value);
                                     if (!edits)
                                         return edits.error();
                                     between = *applyEdits(between, *edits);
                                     sum = composed(std::move(sum), *edits);
                                 }
                                 return sum;
                             }),
                    setSceneSettings(text, settings));
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(!setSceneSettings("[[entity]]\ntype = \"Crate\"\n", {{"crate", "Body", {{"mass", "[1,"}}}}));
        QVERIFY(!setSceneSettings("[[entity]]\ntype = \"Crate\"\n", {{"nobody", "Body", {{"mass", "1"}}}}));
    }

    // Whatever the text is, the edits fit it or there is an error.
    void settingsOfHostileScenes() {
        Dice dice(8);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, true);
            std::vector<InstanceSettings> settings;
            for (const std::string& name : some(dice, text, true))
                settings.push_back({name, "Body", {{"mass", "4.25"}, {"layer", "2"}}});
            if (const Result<TextEdits> edits = setSceneSettings(text, settings))
                QVERIFY2(applyEdits(text, *edits).ok(), text.c_str());
        }
    }

    void typesAreSetAsOneByOne() {
        Dice dice(9);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, false);
            const std::vector<std::string> names = some(dice, text, false);
            std::vector<InstanceType> types;
            for (const std::string& name : names)
                types.push_back({name, "Crate_2"});
            const Result<TextEdits> edits = setInstanceTypes(text, types);
            QVERIFY2(edits, edits ? "" : edits.error().message.c_str());
            const Result<std::string> after = applyEdits(text, *edits);
            QVERIFY(after);
            QCOMPARE(sceneInstanceNames(*after), sceneInstanceNames(text));
            // Each alone gives the same types; which names are written down depends on the order.
            for (const std::string& name : names)
                QCOMPARE(applyEdits(*after, *setInstanceKey(*after, name, "type", "\"Crate_2\"")).value(), *after);
        }
        QVERIFY(!setInstanceTypes("[[entity]]\ntype = \"Crate\"\n", {{"nobody", "Crate"}}));
    }

    void valuesAreRemovedAsOneByOne_data() { manners_data(); }
    void valuesAreRemovedAsOneByOne() {
        QFETCH(bool, hostile);
        Dice dice(2);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, hostile);
            const std::vector<std::string> names = some(dice, text, hostile);
            const std::string part = dice.oneIn(5) ? "" : "Body";
            const std::string key = part.empty() ? "position" : dice.oneIn(4) ? "layer" : "mass";
            compare(text,
                    oneByOne(text, names,
                             [&](const std::string& now, const std::string& name) {
                                 return removeSceneValue(now, name, part, key);
                             }),
                    removeSceneValues(text, names, part, key));
            if (QTest::currentTestFailed())
                return;
        }
    }

    void placesAreWrittenAsOneByOne_data() { manners_data(); }
    void placesAreWrittenAsOneByOne() {
        QFETCH(bool, hostile);
        Dice dice(3);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, hostile);
            // A value that is not closed takes the lines below it along: one by one, the first edit sets them free.
            if (text.find("= [1, 2\n") != std::string::npos || text.find("= [1, 2\r") != std::string::npos
                || text.find("= [1, 2 #") != std::string::npos)
                continue;
            const std::vector<std::string> names = some(dice, text, hostile);
            std::vector<InstancePlace> places;
            std::optional<std::string> wanted = text;
            for (const std::string& name : names) {
                InstancePlace& place = places.emplace_back();
                place.name = name;
                const auto set = [&](std::optional<Vec3>& value, const char* key) {
                    if (dice.oneIn(3))
                        return;
                    const int x = key[0] == 's' && !dice.oneIn(200) ? 1 + dice.upTo(100) : dice.upTo(1000) - 500;
                    value = Vec3(static_cast<float>(x), 0.5F, 2.0F);
                    const std::string toml = "[" + std::to_string(x) + ".0, 0.5, 2.0]";
                    if (wanted)
                        wanted = oneByOne(*wanted, {name}, [&](const std::string& now, const std::string&) {
                            return setInstanceKey(now, name, key, toml);
                        });
                };
                set(place.position, "position");
                set(place.rotation, "rotation");
                set(place.scale, "scale");
                if (name == "nobody")
                    wanted.reset();
            }
            compare(text, wanted, setInstancePlaces(text, places));
            if (QTest::currentTestFailed())
                return;
        }
        InstancePlace nowhere;
        nowhere.name = "crate";
        nowhere.position = Vec3(std::numeric_limits<float>::quiet_NaN());
        QVERIFY(!setInstancePlaces("[[entity]]\ntype = \"Crate\"\n", {nowhere}).ok());
    }

    void copiesAreMadeAsOneByOne_data() { manners_data(); }
    void copiesAreMadeAsOneByOne() {
        QFETCH(bool, hostile);
        Dice dice(4);
        for (int round = 0; round < Rounds; ++round) {
            const std::string text = randomScene(dice, hostile);
            const std::vector<std::string> names = some(dice, text, hostile);
            if (text.find("parent") != std::string::npos) { // children go along with their parents, not so one by one
                if (const Result<InstanceCopies> got = duplicateInstances(text, names, Vec3(0.0F)))
                    QVERIFY(applyEdits(text, got->edits).ok() && got->names.size() == names.size());
                continue;
            }
            const Vec3 offset = dice.oneIn(2) ? Vec3(0.0F) : Vec3(1.0F, 0.0F, 0.5F);
            std::vector<std::string> copies;
            const std::optional<std::string> wanted =
                oneByOne(text, names, [&](const std::string& now, const std::string& name) {
                    copies.push_back(freeInstanceName(now, name));
                    return duplicateInstance(now, name, copies.back(), offset);
                });
            const Result<InstanceCopies> got = duplicateInstances(text, names, offset);
            compare(text, wanted, got ? Result<TextEdits>(got->edits) : Result<TextEdits>(got.error()));
            if (QTest::currentTestFailed())
                return;
            if (got)
                QVERIFY(got->names == copies);
        }
    }

    // What hangs from an original is copied too; what led to an original leads from its copy to the other copy, and nothing else does.
    void copiesAreWiredAmongThemselves() {
        struct Wire {
            std::string target;
            static void describe(FieldList<Wire>& f) { f.add("target", &Wire::target, "Who is told.").role(TextRole::EntityName); }
        };
        Schema schema;
        schema.add({"Trigger", "Tells somebody.", &fieldsOf<Wire>()});
        const std::string text = "[[entity]]\ntype = \"Door\"\nname = \"door\"\nposition = [1.0, 0.0, 0.0]\n\n"
                                 "[[entity]]\ntype = \"Knob\"\nname = \"knob\"\nparent = \"door\" # hangs\nposition = [0.5, 0.0, 0.0]\n\n"
                                 "[[entity]]\ntype = \"Plate\"\nname = \"plate\"\n[entity.Trigger]\ntarget = \"door\" # opens it\n\n"
                                 "[[entity]]\ntype = \"Plate\"\nname = \"other\"\n[entity.Trigger]\ntarget = \"lamp\"\n";
        const Result<InstanceCopies> got = duplicateInstances(text, {"plate", "door", "other"}, Vec3(2.0F, 0.0F, 0.0F), &schema);
        QVERIFY(got.ok());
        QCOMPARE(got->names, (std::vector<std::string>{"plate_2", "door_2", "other_2"}));
        const Result<std::string> after = applyEdits(text, got->edits);
        QVERIFY(after.ok());
        const auto has = [&](const std::string& part) {
            const std::size_t at = after->find(part);
            return at != std::string::npos && after->find(part, at + 1) == std::string::npos; // once
        };
        QVERIFY2(has("name = \"door_2\"\nposition = [3.0, 0.0, 0.0]"), after->c_str());
        QVERIFY2(has("name = \"knob_2\"\nparent = \"door_2\" # hangs\nposition = [0.5, 0.0, 0.0]"), after->c_str());
        QVERIFY2(has("name = \"plate\"\n[entity.Trigger]\ntarget = \"door\" # opens it"), after->c_str());
        QVERIFY2(after->find("target = \"door_2\" # opens it") != std::string::npos, after->c_str());
        QVERIFY2(after->find("target = \"lamp\"") != after->rfind("target = \"lamp\""), after->c_str()); // both
        QCOMPARE(applyEdits(*after, inverseOf(got->edits)).value(), text);
        // The plate alone: its copy opens the same door.
        const Result<InstanceCopies> plate = duplicateInstances(text, {"plate"}, Vec3(0.0F), &schema);
        QVERIFY(plate.ok());
        QVERIFY(applyEdits(text, plate->edits)->find("door_2") == std::string::npos);
    }

    // Each its own value; one that is no value changes nothing.
    void eachGetsItsOwnValue() {
        const std::string text = "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"b\" # note\n[entity.Body]\nmass = 2.0\n";
        const Result<TextEdits> got = setSceneValues(text, std::vector<InstanceValue>{{"b", "3.0"}, {"a", "4.5"}}, "Body", "mass");
        QVERIFY(got.ok());
        QCOMPARE(applyEdits(text, *got).value(),
                 std::string("[[entity]]\ntype = \"Crate\"\nname = \"a\"\n[entity.Body]\nmass = 4.5\n\n[[entity]]\ntype = \"Crate\"\nname = \"b\" # note\n[entity.Body]\nmass = 3.0\n"));
        const Result<TextEdits> bad = setSceneValues(text, std::vector<InstanceValue>{{"a", "4.5"}, {"b", "3 4"}}, "Body", "mass");
        QVERIFY(!bad.ok() && bad.error().message.starts_with("b: "));
        QVERIFY(!setSceneValues(text, std::vector<InstanceValue>{{"nobody", "1.0"}}, "Body", "mass").ok());
    }

    // A thousand times the number of the last copy is not looked for from the beginning.
    void namesOfCopiesCountOn() {
        const Result<InstanceCopies> got =
            duplicateInstances("[[entity]]\ntype=\"A\"\nname=\"a_2\"\n[[entity]]\ntype=\"A\"\nname=\"a\"\n"
                               "[[entity]]\ntype=\"A\"\nname=\"a_3\"\n",
                               {"a", "a_3", "a_2"}, Vec3(0.0F));
        QVERIFY(got.ok());
        QVERIFY((got->names == std::vector<std::string>{"a_4", "a_5", "a_6"}));
    }

    // Eight times as many cost eight times as much: bytes that were asked for stand for what is done, since each parse and each copy
    // of a text asks for some.
    void nEditsCostN() {
        const auto cost = [](int count) {
            const std::string text = rowOfCrates(count);
            const std::vector<std::string> names = sceneInstanceNames(text);
            std::vector<InstancePlace> places;
            for (const std::string& name : names)
                places.push_back({name, Vec3(1.0F), Vec3(2.0F), std::nullopt});
            std::vector<std::size_t> out;
            const auto counted = [&](const auto& edit) {
                const std::size_t before = AllocatedBytes;
                QVERIFY(edit().ok());
                out.push_back(AllocatedBytes - before);
            };
            counted([&] { return setInstancePlaces(text, places); });
            counted([&] { return setSceneValues(text, names, "Health", "maximum", "3"); });
            std::vector<InstanceValue> values;
            for (const std::string& name : names)
                values.push_back({name, std::to_string(values.size())});
            counted([&] { return setSceneValues(text, values, "Health", "maximum"); });
            counted([&] { return removeSceneValues(text, names, "Body", "mass"); });
            counted([&] { return duplicateInstances(text, names, Vec3(1.0F)); });
            counted([&] { return removeInstances(text, names); });
            return out;
        };
        const std::vector<std::size_t> few = cost(500);
        const std::vector<std::size_t> many = cost(4000);
        for (std::size_t i = 0; i < few.size(); ++i)
            QVERIFY2(many[i] < 10 * few[i], qPrintable(QStringLiteral("edit %1: %2 bytes for 500, %3 for 4000")
                                                           .arg(i)
                                                           .arg(few[i])
                                                           .arg(many[i])));
    }

    // A chain of parents goes with its head, in one pass.
    void aLongChainIsRemovedWithItsHead() {
        std::string text = "[[entity]]\ntype = \"Crate\"\nname = \"rest\"\n";
        for (int i = 3000; i-- > 0;)
            text += "[[entity]]\ntype = \"Crate\"\nname = \"link_" + std::to_string(i) + "\"\n"
                    + (i > 0 ? "parent = \"link_" + std::to_string(i - 1) + "\"\n" : "");
        const Result<TextEdits> edits = removeInstances(text, {"link_0"});
        QVERIFY(edits.ok());
        QVERIFY(sceneInstanceNames(*applyEdits(text, *edits)) == std::vector<std::string>{"rest"});
    }
};

QTEST_GUILESS_MAIN(TestBatchEdit)
#include "tst_batch_edit.moc"
