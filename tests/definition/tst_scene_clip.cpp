// Instances copied out of a scene and put into one again: names, parents and references, what is refused, and what it costs.
#include <QtTest>

#include "engine/definition/batch_edit.h"
#include "engine/definition/scene.h"
#include "engine/definition/scene_clip.h"
#include "tests/counted_allocations.h"
#include "tests/definition/sample_schema.h"

using namespace sbx;
using namespace sbx::definition;

namespace {

const char* const Yard = R"([scene]
name = "Yard"

# Where it begins.
[[entity]]
type = "Crate"
position = [0.0, 1.0, 0.0] # on the ground

[[entity]]
type = "Door"
name = "door"
[entity.Hinge]
anchor = "frame"

[[entity]]
type = "Crate"
name = "frame"
parent = "crate"

[[entity]]
type = "Crate"
name = "handle"
parent = "door"
[entity.Body]
mass = 2.0
)";

std::string after(std::string_view text, const TextEdits& edits) {
    const Result<std::string> out = applyEdits(text, edits);
    return out ? *out : "not applicable: " + out.error().message;
}

} // namespace

class TestSceneClip : public QObject {
    Q_OBJECT

private:
    const Schema m_schema = sample::schema();
    const Definitions m_definitions = sample::definitions(m_schema);

    Result<PastedInstances> paste(std::string_view scene, std::string_view text) const {
        return pasteInstances(scene, text, m_definitions, m_schema);
    }

private slots:
    // In file order, with what hangs from them, and with every name written out.
    void copiesWholeFamilies() {
        const Result<std::string> copy = copyInstances(Yard, {"door", "crate"});
        QVERIFY2(copy.ok(), copy ? "" : copy.error().message.c_str());
        QCOMPARE(QString::fromStdString(*copy), QStringLiteral(R"([[entity]]
type = "Crate"
name = "crate"
position = [0.0, 1.0, 0.0] # on the ground

[[entity]]
type = "Door"
name = "door"
[entity.Hinge]
anchor = "frame"

[[entity]]
type = "Crate"
name = "frame"
parent = "crate"

[[entity]]
type = "Crate"
name = "handle"
parent = "door"
[entity.Body]
mass = 2.0
)"));
        const Result<std::string> none = copyInstances(Yard, {"dor"});
        QVERIFY(!none.ok());
        QVERIFY(none.error().message.find("did you mean door?") != std::string::npos);
    }

    // A name that an instance has from its type leads into the copy as well: the copy overrides it. One that leads elsewhere stays the type's.
    void referencesOfTheTypePointIntoTheCopyToo() {
        Diagnostics faults;
        const Definitions gates = Definitions::load({{"gates.toml", "[Post]\n[Gate]\n[Gate.Hinge]\nanchor = \"post\"\n"}}, m_schema, faults);
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items.front().toString().c_str());
        const std::string scene = "[[entity]]\ntype = \"Post\"\nname = \"post\"\n\n[[entity]]\ntype = \"Gate\"\nname = \"gate\"\n";
        const std::string copy = *copyInstances(scene, {"gate", "post"});
        const Result<PastedInstances> pasted = pasteInstances(scene, copy, gates, m_schema);
        QVERIFY2(pasted.ok(), pasted ? "" : pasted.error().message.c_str());
        const std::string whole = after(scene, pasted->edits);
        QVERIFY2(whole.find("name = \"gate_2\"\n[entity.Hinge]\nanchor = \"post_2\"\n") != std::string::npos, whole.c_str());
        const std::string alone = *copyInstances(scene, {"gate"});
        const std::string second = after(scene, pasteInstances(scene, alone, gates, m_schema)->edits);
        QVERIFY2(second.find("[entity.Hinge]") == std::string::npos, second.c_str());

        const Result<InstanceCopies> both = duplicateInstances(scene, {"post", "gate"}, Vec3(0.0F), &m_schema, &gates);
        QVERIFY(both.ok());
        const std::string doubled = after(scene, both->edits);
        QVERIFY2(doubled.find("name = \"gate_2\"\n[entity.Hinge]\nanchor = \"post_2\"\n") != std::string::npos, doubled.c_str());
        const Result<InstanceCopies> one = duplicateInstances(scene, {"gate"}, Vec3(0.0F), &m_schema, &gates);
        QVERIFY(one.ok());
        QVERIFY(after(scene, one->edits).find("[entity.Hinge]") == std::string::npos);
    }

    // The copy of a door hangs on the copy of its frame; what is not in the copy is referred to as before.
    void referencesPointIntoTheCopy() {
        const std::string copy = *copyInstances(Yard, {"door", "frame"});
        const Result<PastedInstances> pasted = paste(Yard, copy);
        QVERIFY2(pasted.ok(), pasted ? "" : pasted.error().message.c_str());
        QVERIFY((pasted->names == std::vector<std::string>{"door_2", "frame_2", "handle_2"}));
        QVERIFY(pasted->roots.empty());
        QCOMPARE(QString::fromStdString(after(Yard, pasted->edits)), QString::fromUtf8(Yard) + QStringLiteral(R"(
[[entity]]
type = "Door"
name = "door_2"
[entity.Hinge]
anchor = "frame_2"

[[entity]]
type = "Crate"
name = "frame_2"
parent = "crate"

[[entity]]
type = "Crate"
name = "handle_2"
parent = "door_2"
[entity.Body]
mass = 2.0
)"));
        const std::string alone = *copyInstances(Yard, {"door"});
        QVERIFY(after(Yard, paste(Yard, alone)->edits).find("anchor = \"frame\"\n\n[[entity]]\ntype = \"Crate\"\nname = \"handle_2\"")
                != std::string::npos);
    }

    // In another scene names are kept. A copy whose parent does not exist there becomes a root, and that is reported.
    void anotherSceneHasOtherParents() {
        const std::string copy = *copyInstances(Yard, {"frame", "handle"});
        const std::string empty = "[scene]\nname = \"Empty\"\n";
        const Result<PastedInstances> pasted = paste(empty, copy);
        QVERIFY(pasted.ok());
        QVERIFY((pasted->names == std::vector<std::string>{"frame", "handle"}));
        QVERIFY((pasted->roots == std::vector<std::string>{"frame", "handle"}));
        const std::string text = after(empty, pasted->edits);
        QVERIFY2(text.find("parent") == std::string::npos, text.c_str());
        Diagnostics faults;
        QCOMPARE(Scene::load(text, "e", m_definitions, m_schema, faults).instances().size(), std::size_t(2));
        QVERIFY(faults.items.empty());
    }

    // Entities whose names come from their place in the file keep them.
    void derivedNamesStay() {
        const std::string scene = "[[entity]]\ntype = \"Crate\"\n";
        const Result<PastedInstances> pasted = paste(scene, "[[entity]]\ntype = \"Crate\"\n\n[[entity]]\ntype = \"Crate\"\n");
        QVERIFY(pasted.ok());
        QVERIFY((pasted->names == std::vector<std::string>{"crate_2", "crate_3"}));
        QVERIFY((sceneInstanceNames(after(scene, pasted->edits)) == std::vector<std::string>{"crate", "crate_2", "crate_3"}));
    }

    // A whole scene file is such a text too.
    void aSceneFileIsPastedWithoutItsHead() {
        const Result<PastedInstances> pasted = paste("", Yard);
        QVERIFY(pasted.ok());
        const std::string text = after("", pasted->edits);
        QVERIFY(text.find("[scene]") == std::string::npos);
        QVERIFY((sceneInstanceNames(text) == std::vector<std::string>{"crate", "door", "frame", "handle"}));
    }

    void windowsLineEndsStay() {
        const std::string scene = "[scene]\r\nname = \"W\"\r\n\r\n[[entity]]\r\ntype = \"Crate\"\r\nname = \"a\"\r\n";
        const Result<PastedInstances> pasted = paste(scene, "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n");
        QVERIFY(pasted.ok());
        QCOMPARE(QString::fromStdString(after(scene, pasted->edits)),
                 QString::fromStdString(scene) + QStringLiteral("\r\n[[entity]]\r\ntype = \"Crate\"\r\nname = \"a_2\"\r\n"));
    }

    void badTextIsRefusedWithItsLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("fault");
        QTest::newRow("prose") << "Buy milk." << "there are no entities in it";
        QTest::newRow("empty") << "" << "there are no entities in it";
        QTest::newRow("definitions") << "[Crate]\ndoc = \"A box.\"\n" << "there are no entities in it";
        QTest::newRow("unknown type") << "[[entity]]\ntype = \"Crat\"\n" << "line 2: ";
        QTest::newRow("open string") << "[[entity]]\ntype = \"Crate\n" << "line 2: ";
        QTest::newRow("place") << "[[entity]]\ntype = \"Crate\"\nposition = \"here\"\n" << "line 3: ";
        QTest::newRow("component") << "[[entity]]\ntype = \"Crate\"\n[entity.Body]\nmass = \"much\"\n" << "line 4: ";
        QTest::newRow("name twice") << "[[entity]]\ntype = \"Crate\"\nname = \"a\"\n[[entity]]\ntype = \"Crate\"\nname = \"a\"\n"
                                    << "line 6: the name \"a\" is taken by the entity in line 1";
        QTest::newRow("own parent") << "[[entity]]\ntype = \"Crate\"\nname = \"a\"\nparent = \"a\"\n" << "line 4: ";
        QTest::newRow("something else too") << "[[entity]]\ntype = \"Crate\"\n[Crate]\n" << "line 3: ";
    }
    void badTextIsRefusedWithItsLine() {
        QFETCH(QString, text);
        QFETCH(QString, fault);
        const Result<PastedInstances> pasted = paste(Yard, text.toStdString());
        QVERIFY(!pasted.ok());
        QVERIFY2(QString::fromStdString(pasted.error().message).startsWith(fault), pasted.error().message.c_str());
    }

    // Eight times as many cost eight times as much, copied and pasted, with a parent and a reference each.
    void nInstancesCostN() {
        const auto cost = [this](int count) {
            std::string text = "[scene]\nname = \"Row\"\n";
            for (int i = 0; i < count; ++i)
                text += "\n[[entity]]\ntype = \"Door\"\nname = \"door_" + std::to_string(i) + "\"\n"
                        + (i > 0 ? "parent = \"door_" + std::to_string(i - 1) + "\"\n" : "") + "[entity.Hinge]\nanchor = \"door_"
                        + std::to_string((i + 1) % count) + "\"\n";
            const std::size_t before = AllocatedBytes;
            const Result<std::string> copy = copyInstances(text, {"door_0"});
            const Result<PastedInstances> pasted = paste(text, *copy);
            const std::size_t bytes = AllocatedBytes - before;
            const std::vector<std::string> names = sceneInstanceNames(after(text, pasted->edits));
            return names.size() == 2 * static_cast<std::size_t>(count) ? bytes : std::size_t{0};
        };
        const std::size_t few = cost(250);
        const std::size_t many = cost(2000);
        QVERIFY(few > 0 && many > 0);
        QVERIFY2(many < 10 * few, qPrintable(QStringLiteral("%1 bytes for 250, %2 for 2000").arg(few).arg(many)));
    }
};

QTEST_GUILESS_MAIN(TestSceneClip)
#include "tst_scene_clip.moc"
