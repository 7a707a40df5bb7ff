// Layers of a scene: who is in which, edits and their undo, the marks that follow, and what is remembered of them.

#include <QSignalSpy>
#include <QtTest>

#include "engine/simulation/snapshot.h"
#include "tests/common/document_fixture.h"
#include "widgets/common/scene_layers.h"

#include <algorithm>

using namespace sbx;
using namespace sbx::ui;

namespace {

const std::string File = "yard.scene.toml";

std::string instance(const std::string& name, const std::string& more = {}) {
    return "\n[[entity]]\ntype = \"Crate\"\nname = \"" + name + "\"\n" + more;
}

const std::string Yard = "[scene]\nname = \"yard\"\n" + instance("a") + instance("b", "layer = \"Trees\"\n") + instance("c", "parent = \"b\"\n")
                         + instance("d", "parent = \"c\"\nlayer = \"Lamps 2\"\n") + instance("e", "parent = \"d\"\n");

std::shared_ptr<const EntityList> listOf(const std::vector<std::pair<std::string, std::string>>& namesAndParents) {
    auto list = std::make_shared<EntityList>();
    for (const auto& [name, parent] : namesAndParents) {
        EntityRow row;
        row.id.bits = list->rows.size() + 1;
        row.name = name;
        row.parent = parent;
        list->byName.emplace(name, list->rows.size());
        list->byId.emplace(row.id.bits, list->rows.size());
        list->rows.push_back(std::move(row));
    }
    return list;
}

const auto Living = listOf({{"a", ""}, {"b", ""}, {"c", "b"}, {"d", "c"}, {"e", "d"}, {"spark", ""}}); // the last was spawned

using Names = std::vector<std::string>;

} // namespace

class TestSceneLayers : public QObject {
    Q_OBJECT

private:
    Fixture m_fixture;
    std::unique_ptr<SceneMarks> m_marks;
    std::unique_ptr<SceneLayers> m_layers;

    [[nodiscard]] const std::string& text() const { return m_fixture.document->text(File); }
    [[nodiscard]] Names names() const {
        Names out;
        for (const SceneLayer& layer : m_layers->all())
            out.push_back(layer.name + ":" + std::to_string(layer.entities));
        return out;
    }
    [[nodiscard]] Names marked(SceneMark mark) const {
        Names out;
        for (const EntityRow& row : Living->rows)
            if (m_marks->has(mark, row.name))
                out.push_back(row.name);
        return out;
    }
    void hide(const std::string& layer) {
        SceneMarks::Sets sets = m_marks->sets();
        sets.hiddenLayers.insert(layer);
        m_marks->become(std::move(sets), QStringLiteral("Hide"));
    }
    static std::string messageOf(const Result<void>& result) { return result ? std::string() : result.error().message; }

private slots:
    void init() {
        put(m_fixture.at(QStringLiteral("yard.scene.toml")), Yard);
        m_layers.reset();
        m_marks.reset();
        m_fixture.reopen();
        m_marks = std::make_unique<SceneMarks>(*m_fixture.document);
        m_layers = std::make_unique<SceneLayers>(*m_fixture.document, *m_marks);
        m_marks->setEntities(Living);
    }
    void cleanup() {
        m_layers.reset();
        m_marks.reset();
    }

    void whoIsInWhich() {
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Trees:2"}));
        QCOMPARE(m_layers->entitiesIn("Trees"), (Names{"b", "c"}));
        QCOMPARE(m_layers->entitiesIn("Lamps 2"), (Names{"d", "e"}));
        QCOMPARE(m_marks->layerOf("e"), std::string("Lamps 2"));
        QCOMPARE(m_marks->layerOf("spark"), std::string());
    }

    // What names a layer of its own does not go with that of its parent, unless the parent itself is hidden.
    void aLayerHidesItsEntities() {
        hide("Trees");
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c"}));
        QCOMPARE(m_marks->count(SceneMark::Hidden), 2);
        SceneMarks::Sets sets = m_marks->sets();
        sets.hidden.insert("c");
        m_marks->become(sets, QStringLiteral("Hide"));
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c", "d", "e"}));
        m_fixture.document->undoStack().undo();
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c"}));
        hide("");
        QCOMPARE(marked(SceneMark::Hidden), (Names{"a", "b", "c", "spark"}));
        QVERIFY(!m_fixture.document->isDirty());
        m_fixture.document->undoStack().setIndex(0);
        QCOMPARE(marked(SceneMark::Hidden), Names());
    }

    void entitiesAreMoved() {
        QSignalSpy changed(m_layers.get(), &SceneLayers::changed);
        QCOMPARE(messageOf(m_layers->assign({"a", "b"}, "Yard \"north\"")), std::string());
        QVERIFY2(text().find("layer = \"Yard \\\"north\\\"\"") != std::string::npos, text().c_str());
        // What hangs from b goes with it, whatever it said.
        QCOMPARE(names(), (Names{":0", "Yard \"north\":5"}));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_fixture.document->undoStack().count(), 1);
        m_fixture.document->undoStack().undo();
        QCOMPARE(text(), Yard);
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Trees:2"}));
        QCOMPARE(messageOf(m_layers->assign({"b"}, "")), std::string());
        QCOMPARE(names(), (Names{":5"}));
        QVERIFY(text().find("layer") == std::string::npos);
    }

    void whatCannotBeMovedIsSaid() {
        QCOMPARE(messageOf(m_layers->assign({"spark"}, "Trees")), std::string("nothing of the selection is in the scene file"));
        QVERIFY(messageOf(m_layers->assign({"a"}, " x")).find("begins with a space") != std::string::npos);
        QVERIFY(messageOf(m_layers->add("Trees")).find("a layer Trees already") != std::string::npos);
        QVERIFY(messageOf(m_layers->rename("Trees", "Lamps 2")).find("already") != std::string::npos);
        QVERIFY(messageOf(m_layers->rename("None", "x")).find("there is no layer \"None\"") != std::string::npos);
        QVERIFY(!messageOf(m_layers->rename("", "x")).empty());
        QVERIFY(messageOf(m_layers->remove("None")).find("there is no layer \"None\"") != std::string::npos);
        QCOMPARE(text(), Yard);
        QCOMPARE(m_fixture.document->undoStack().count(), 0);
        // The same layer once more is no step.
        QCOMPARE(messageOf(m_layers->assign({"d"}, "Lamps 2")), std::string());
        QCOMPARE(messageOf(m_layers->rename("Trees", "Trees")), std::string());
        QCOMPARE(m_fixture.document->undoStack().count(), 0);
    }

    // The mark, and where new entities go, follow another name, and the way back.
    void aRenameTakesMarksAlong() {
        m_layers->setActive("Trees");
        hide("Trees");
        QCOMPARE(messageOf(m_layers->rename("Trees", "Wood")), std::string());
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Wood:2"}));
        QCOMPARE(m_layers->active(), std::string("Wood"));
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c"}));
        m_fixture.document->undoStack().undo();
        QCOMPARE(text(), Yard);
        QCOMPARE(m_layers->active(), std::string("Trees"));
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c"}));
        m_fixture.document->undoStack().redo();
        QCOMPARE(m_layers->active(), std::string("Wood"));
        QCOMPARE(marked(SceneMark::Hidden), (Names{"b", "c"}));
    }

    // Undo of an edit leaves the pin where it was set since.
    void thePinIsNoPartOfAnEdit() {
        QCOMPARE(messageOf(m_layers->assign({"a"}, "Trees")), std::string());
        m_layers->setActive("Lamps 2");
        m_fixture.document->undoStack().undo();
        QCOMPARE(m_layers->active(), std::string("Lamps 2"));
        m_fixture.document->undoStack().redo();
        QCOMPARE(m_layers->active(), std::string("Lamps 2"));
        QCOMPARE(messageOf(m_layers->rename("Lamps 2", "Lamps")), std::string());
        m_layers->setActive("");
        m_fixture.document->undoStack().undo();
        QCOMPARE(m_layers->active(), std::string());
    }

    // A layer that was made with entities in it stays without them, and its eye can still be seen.
    void aLayerOutlivesItsEntities() {
        QCOMPARE(messageOf(m_layers->assign({"a"}, "Rocks")), std::string());
        hide("Rocks");
        QCOMPARE(messageOf(m_layers->assign({"a"}, "Trees")), std::string());
        QVERIFY(m_layers->contains("Rocks"));
        QCOMPARE(names(), (Names{":0", "Lamps 2:2", "Rocks:0", "Trees:3"}));
        QCOMPARE(m_layers->saveState().value(QStringLiteral("layers")).toStringList(), QStringList{QStringLiteral("Rocks")});
        // Out of a layer that is the parent's: said, not silently nothing.
        QCOMPARE(messageOf(m_layers->assign({"c"}, "")), std::string("c is still in the layer Trees, with what it hangs from"));
    }

    void aLayerIsRemoved() {
        hide("Lamps 2");
        QCOMPARE(messageOf(m_layers->remove("Lamps 2")), std::string());
        QCOMPARE(names(), (Names{":1", "Trees:4"})); // d and e are in that of c now
        QCOMPARE(marked(SceneMark::Hidden), Names());
        m_fixture.document->undoStack().undo();
        QCOMPARE(text(), Yard);
        QCOMPARE(marked(SceneMark::Hidden), (Names{"d", "e"}));
    }

    void anEmptyLayerIsTheUsersAlone() {
        QCOMPARE(messageOf(m_layers->add("Later")), std::string());
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Later:0", "Trees:2"}));
        QVERIFY(!m_fixture.document->isDirty());
        m_layers->setActive("Later");
        const QVariantMap state = m_layers->saveState();
        m_fixture.document->undoStack().undo();
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Trees:2"}));
        QCOMPARE(m_layers->active(), std::string()); // nothing goes to a layer that is not there
        m_layers->restoreState(state);
        QVERIFY(m_layers->contains("Later"));
        QCOMPARE(m_layers->active(), std::string("Later"));
        // A state that somebody has written into does no harm.
        m_layers->restoreState({{QStringLiteral("layers"), QStringList{QString(), QStringLiteral(" x"), QStringLiteral("\x01")}}});
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Trees:2"}));
        QVERIFY(m_layers->saveState().isEmpty());
    }

    void marksOfLayersAreRemembered() {
        hide("Trees");
        hide("");
        const QVariantMap state = m_marks->saveState();
        m_marks->restoreState({});
        QCOMPARE(marked(SceneMark::Hidden), Names());
        m_marks->restoreState(state);
        QCOMPARE(marked(SceneMark::Hidden), (Names{"a", "b", "c", "spark"}));
    }

    // What is typed in the text editor counts at once, and a text that is half typed harms nothing.
    void theTextIsFollowed() {
        const std::size_t at = text().find("Trees");
        QVERIFY(m_fixture->edit({{File, {{at, "Trees", "Oaks"}}}}, QStringLiteral("Type")).ok());
        QCOMPARE(names(), (Names{":1", "Lamps 2:2", "Oaks:2"}));
        QVERIFY(m_fixture->edit({{File, {{at, "Oaks\"", ""}}}}, QStringLiteral("Type")).ok());
        QCOMPARE(names().front(), std::string(":3"));
        m_fixture.document->close();
        QCOMPARE(names(), Names());
        QCOMPARE(messageOf(m_layers->add("x")), std::string("there is no scene to change; open a project first"));
        QCOMPARE(messageOf(m_layers->assign({"a"}, "x")), std::string("there is no scene to change; open a project first"));
    }

    void parentsThatGoRound() {
        const std::string round = "[scene]\nname = \"yard\"\n" + instance("a", "parent = \"b\"\n") + instance("b", "parent = \"a\"\n");
        QVERIFY(m_fixture->setText(File, round, QStringLiteral("Type")).ok());
        QCOMPARE(names(), (Names{":2"}));
        QCOMPARE(messageOf(m_layers->assign({"a"}, "x")), std::string("nothing of the selection is in the scene file"));
    }
};

QTEST_GUILESS_MAIN(TestSceneLayers)
#include "tst_scene_layers.moc"
