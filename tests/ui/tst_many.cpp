// The whole editor with thousands of entities selected: what each operation does to text, world and panels, and how often it makes
// anybody do something, which must not depend on how many entities there are. Draws nothing, so that it runs without a display.

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeView>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "engine/definition/batch_edit.h"
#include "tests/many_entities.h"
#include "widgets/common/document.h"
#include "widgets/common/field_editor.h"
#include "widgets/common/project_model.h"
#include "widgets/definition/code_view.h"
#include "widgets/definition/definition_panel.h"
#include "widgets/definition/outline_tree.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/viewport/viewport_panel.h"

using namespace sbx;

namespace {

constexpr int Count = 3000;
constexpr int Lamps = Count / 10;
constexpr int Patience = 30000; // ms
const QString Test = QStringLiteral("test");

} // namespace

class TestMany : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;
    std::vector<std::string> m_names;
    std::string m_text;

    ui::Document& document() { return m_editor->document(); }
    ui::EntityEditor& entities() { return m_editor->window().viewport().editor(); }
    const std::string& text() { return document().text("many.scene.toml"); }
    std::size_t living() {
        m_editor->feed().poll();
        return m_editor->feed().frame().entities->rows.size();
    }
    // The world has what the texts say, and the window has seen it.
    void follow() {
        m_editor->project().refresh();
        bool done = false;
        m_editor->feed().post([this, &done](Session&) {
            QMetaObject::invokeMethod(this, [&done] { done = true; }, Qt::QueuedConnection);
        });
        QTRY_VERIFY_WITH_TIMEOUT(done, Patience);
        // Published after the command.
        const std::uint64_t serial = m_editor->feed().frame().serial;
        m_editor->feed().post([](Session&) {});
        QTRY_VERIFY_WITH_TIMEOUT((m_editor->feed().poll(), m_editor->feed().frame().serial > serial), Patience);
    }
    float drawnX(const std::string& name) {
        const FrameSnapshot& frame = m_editor->feed().frame();
        const EntityRow* row = frame.entities->find(name);
        for (const render::Instance& instance : frame.scene->instances)
            if (row != nullptr && instance.entity == row->id.bits)
                return instance.pose.position.x;
        return -1.0F;
    }

private slots:
    void initTestCase() {
        sbx::test::writeManyEntities(m_dir.filePath(QStringLiteral("many")), Count);
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("many")).toStdString();
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QTRY_COMPARE_WITH_TIMEOUT(living(), std::size_t(Count), Patience);
        for (const EntityRow& row : m_editor->feed().frame().entities->rows)
            m_names.push_back(row.name);
        m_text = text();
        QCOMPARE(m_editor->window().outliner().model().rowCount(), Count);
    }
    void cleanupTestCase() {
        document().undoStack().setIndex(0);
        m_editor.reset();
    }
    void init() {
        document().undoStack().setIndex(0);
        QVERIFY(text() == m_text);
        QTRY_COMPARE_WITH_TIMEOUT(living(), std::size_t(Count), Patience);
        m_editor->selection().setEntities(m_names, Test);
        follow();
    }

    // One range for all of them, and one change.
    void selectingAllIsOneChange() {
        m_editor->selection().clear(Test);
        QSignalSpy changes(&m_editor->selection(), &ui::Selection::entitiesChanged);
        QItemSelectionModel& view = *m_editor->window().outliner().view().selectionModel();
        m_editor->selection().setEntities(m_names, Test);
        QCOMPARE(changes.size(), 1);
        QCOMPARE(view.selection().size(), 1);
        QCOMPARE(view.selectedRows().size(), Count);
        // Every second one: as many ranges, none of them lost.
        std::vector<std::string> second;
        for (std::size_t i = 0; i < m_names.size(); i += 2)
            second.push_back(m_names[i]);
        m_editor->selection().setEntities(second, Test);
        QCOMPARE(view.selectedRows().size(), Count / 2);
        QVERIFY(m_editor->selection().contains(m_names[0]) && !m_editor->selection().contains(m_names[1]));
    }

    // What an edit after a drag is undone to is known: it is not read from the text again.
    void undoAfterADragReadsNothing() {
        QCOMPARE(entities().beginDrag(m_names).size(), std::size_t(Count));
        ui::GizmoDelta delta;
        delta.move = Vec3(2.0F, 0.0F, 0.0F);
        const float before = drawnX("crate_2");
        QVERIFY(entities().drag(delta, {}, ui::Tool::Move).ok());
        entities().endDrag();
        follow();
        const auto content = m_editor->project().content();
        QVERIFY(document().edit({"many.scene.toml", {{text().size(), {}, "# a note\n"}}, Test, {}}).ok());
        follow();
        QVERIFY(m_editor->project().content() != content);
        document().undoStack().undo();
        follow();
        QVERIFY(m_editor->project().content() == content); // the same object
        QTRY_COMPARE_WITH_TIMEOUT(drawnX("crate_2"), before + 2.0F, Patience);
    }

    // Each step is one change of the text and nothing is parsed; world and text agree at the end, and undo is one step back.
    void aDragWritesPlacesAlone() {
        QCOMPARE(entities().beginDrag(m_names).size(), std::size_t(Count));
        QSignalSpy texts(&document(), &ui::Document::textChanged);
        QSignalSpy problems(&m_editor->project(), &ui::ProjectModel::problemsChanged);
        QAbstractItemModel& model = m_editor->window().outliner().model();
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        const float before = drawnX("crate_2");
        const std::uint64_t structure = document().structureRevision();
        const auto definitions = m_editor->project().content()->definitions;
        constexpr int Steps = 5;
        for (int step = 1; step <= Steps; ++step) {
            ui::GizmoDelta delta;
            delta.move = Vec3(0.5F * static_cast<float>(step), 0.0F, 0.0F);
            QVERIFY(entities().drag(delta, {}, ui::Tool::Move).ok());
            follow();
            QTRY_COMPARE_WITH_TIMEOUT(drawnX("crate_2"), before + delta.move.x, Patience);
        }
        entities().endDrag();
        QCOMPARE(texts.size(), Steps);
        QCOMPARE(document().structureRevision(), structure);
        QVERIFY(m_editor->project().content()->definitions == definitions); // the same object: not parsed again
        QCOMPARE(inserted.size() + removed.size(), 0);
        QCOMPARE(document().undoStack().index(), 1);
        // The second implementation: what a parser reads from the text.
        Diagnostics faults;
        const auto& content = *m_editor->project().content();
        const definition::Scene read = definition::Scene::load(text(), "s", *content.definitions,
                                                               m_editor->feed().session().catalog().schema, faults);
        QVERIFY(faults.items.empty());
        QCOMPARE(read.instances().size(), std::size_t(Count));
        for (std::size_t i = 0; i < read.instances().size(); ++i)
            QVERIFY(read.instances()[i].position == content.scene.instances()[i].position);
        document().undoStack().undo();
        QVERIFY(text() == m_text);
        follow();
        QTRY_COMPARE_WITH_TIMEOUT(drawnX("crate_2"), before, Patience);
        QVERIFY(m_editor->project().content()->definitions == definitions);
    }

    // With the scene's text in sight: the text follows each step, the outline beside it once the drag pauses.
    void aDragIsFollowedByTheTextInSight() {
        ui::DefinitionPanel& panel = m_editor->window().definition();
        panel.setFile(QStringLiteral("many.scene.toml"));
        const QAbstractItemModel& outline = *panel.outline().view().model();
        const auto positionOf = [&](const QString& name) {
            const QModelIndexList found =
                outline.match(outline.index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly);
            for (int row = 0; !found.isEmpty() && row < outline.rowCount(found[0]); ++row)
                if (outline.index(row, 0, found[0]).data() == QStringLiteral("position"))
                    return outline.index(row, 1, found[0]).data().toString();
            return QString();
        };
        QCOMPARE(positionOf(QStringLiteral("crate_2")), QStringLiteral("[6.0, 0.5, 0.0]"));
        entities().beginDrag(m_names);
        constexpr int Steps = 5;
        for (int step = 1; step <= Steps; ++step) {
            ui::GizmoDelta delta;
            delta.move = Vec3(0.5F * static_cast<float>(step), 0.0F, 0.0F);
            QVERIFY(entities().drag(delta, {}, ui::Tool::Move).ok());
            QCOMPARE(panel.editor().bytes(), std::string_view(text()));
        }
        entities().endDrag();
        QTRY_COMPARE_WITH_TIMEOUT(positionOf(QStringLiteral("crate_2")), QStringLiteral("[8.5, 0.5, 0.0]"),
                                  Patience);
        document().undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(positionOf(QStringLiteral("crate_2")), QStringLiteral("[6.0, 0.5, 0.0]"),
                                  Patience);
        panel.setFile(QStringLiteral("entities.toml"));
    }

    void duplicatingAndDeletingAreOneStep() {
        QSignalSpy texts(&document(), &ui::Document::textChanged);
        QAbstractItemModel& model = m_editor->window().outliner().model();
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QVERIFY(entities().duplicate(m_names).ok());
        QCOMPARE(texts.size(), 1);
        QCOMPARE(document().undoStack().index(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(living(), std::size_t(2 * Count), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), 2 * Count, Patience);
        QCOMPARE(inserted.size(), 1); // a run
        QCOMPARE(removed.size(), 0);
        const std::vector<std::string> copies = m_editor->selection().entities();
        QCOMPARE(copies.size(), std::size_t(Count));
        QCOMPARE(copies.front(), definition::freeInstanceName(m_text, m_names.front()));
        document().undoStack().undo();
        QVERIFY(text() == m_text);
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), Count, Patience);
        QVERIFY(removed.size() <= 2);
        QVERIFY(entities().remove(m_names).ok());
        QTRY_COMPARE_WITH_TIMEOUT(living(), std::size_t(0), Patience);
        QVERIFY(text().find("[[entity]]") == std::string::npos);
        document().undoStack().undo();
        QVERIFY(text() == m_text);
        QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(), Count, Patience);
    }

    // Counted over all: how many have what, and whether they agree.
    void theInspectorSaysWhatAllHave() {
        ui::InspectorPanel& panel = m_editor->window().inspector();
        m_editor->selection().setEntities(m_names, Test, "crate_1");
        const auto together = [&] { return m_editor->feed().poll(), m_editor->feed().frame().together; };
        QTRY_VERIFY_WITH_TIMEOUT(panel.shownEntity() == "crate_1" && together() != nullptr, Patience);
        std::map<std::string, std::size_t> counts;
        for (const auto& component : together()->components)
            counts[component.name] = component.count;
        QCOMPARE(together()->entities, std::size_t(Count));
        QCOMPARE(counts["Body"], std::size_t(Count - Lamps));
        QCOMPARE(counts["Light"], std::size_t(Lamps));
        QVERIFY(m_editor->feed().frame().inspected.size() == 1);
        QTRY_VERIFY_WITH_TIMEOUT(panel.editor("Body", "mass")->isMixed(), Patience);
        QVERIFY(!panel.editor("Body", "friction")->isMixed());
        QVERIFY(!panel.editor("Health", "maximum")->isMixed());
        const auto* header = panel.findChild<QAbstractButton*>(QStringLiteral("inspector.Body.header"));
        QVERIFY2(header->text().contains(QStringLiteral("%1 of %2").arg(Count - Lamps).arg(Count)), qPrintable(header->text()));
        // What the primary one does not have is shown too.
        const auto* light = panel.findChild<QAbstractButton*>(QStringLiteral("inspector.Light.header"));
        QVERIFY(light != nullptr);
        QVERIFY2(light->text().contains(QStringLiteral("%1 of %2").arg(Lamps).arg(Count)), qPrintable(light->text()));

        // One step for those that have it; then they agree.
        QSignalSpy texts(&document(), &ui::Document::textChanged);
        emit panel.editor("Body", "mass")->edited(Value(9.0), true);
        QCOMPARE(texts.size(), 1);
        QCOMPARE(document().undoStack().index(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.editor("Body", "mass")->isMixed(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(panel.editor("Body", "mass")->value(), Value(9.0), Patience);
        QCOMPARE(QString::fromStdString(text()).count(QStringLiteral("mass = 9.0")), Count - Lamps);
        document().undoStack().undo();
        QVERIFY(text() == m_text);
        QTRY_VERIFY_WITH_TIMEOUT(panel.editor("Body", "mass")->isMixed(), Patience);
    }
};

QTEST_MAIN(TestMany)
#include "tst_many.moc"
