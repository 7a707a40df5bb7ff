// The scene is arranged on the real window: parents by drag and by keys, groups, what is hidden and locked, what is brought into line. Wants a display. Leaves
// pictures in the build folder's screenshots/.

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QTreeView>
#include <QtTest>

#include <glm/geometric.hpp>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/project_templates.h"
#include "engine/render/camera.h"
#include "engine/session/session.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/common/scene_layers.h"
#include "widgets/outliner/entity_tree_model.h"
#include "widgets/outliner/layer_model.h"
#include "widgets/outliner/layers_panel.h"
#include "widgets/outliner/outliner_panel.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"

#include <string>
#include <vector>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");

const std::string Types = "[Crate]\n[Crate.Mesh]\n";

std::string crate(const std::string& name, const std::string& position, const std::string& more = {}) {
    return "\n[[entity]]\ntype = \"Crate\"\nname = \"" + name + "\"\nposition = " + position + "\n" + more;
}

} // namespace

class TestSceneActions : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    int m_projects = 0;
    QString m_folder; // of the open project
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::Document& document() { return m_editor->document(); }
    ui::Selection& selection() { return m_editor->selection(); }
    ui::ViewportPanel& viewport() { return window().viewport(); }
    QTreeView& tree() { return window().outliner().view(); }
    ui::EntityTreeModel& model() { return window().outliner().model(); }
    [[nodiscard]] std::string scene() const { return m_editor->document().text("main.scene.toml"); }
    const ui::ScenePlace* place(const char* name) { return viewport().editor().places().find(name); }
    void trigger(const char* id) { QVERIFY2(m_editor->actions().trigger(QLatin1String(id)).ok(), id); }
    void select(std::vector<std::string> names) { selection().setEntities(std::move(names), Test); }

    void open(const std::string& scene) {
        m_folder = makeProject(scene);
        start();
    }
    QString makeProject(const std::string& scene) {
        const QString folder = m_dir.filePath(QStringLiteral("project%1").arg(++m_projects));
        for (const editor::ProjectTemplate& each : editor::projectTemplates(resourceFolders()))
            if (each.id == QLatin1String("empty"))
                if (const Result<void> made = editor::createProject(each, folder, QStringLiteral("Arranged")); !made)
                    qFatal("%s", made.error().toString().c_str());
        for (const auto& [file, text] : {std::pair{"main.scene.toml", "[scene]\nname = \"S\"\n" + scene}, std::pair{"entities.toml", Types}}) {
            QFile out(folder + QLatin1Char('/') + QLatin1String(file));
            if (!out.open(QIODevice::WriteOnly))
                qFatal("%s cannot be written", file);
            out.write(text.data(), qsizetype(text.size()));
        }
        return folder;
    }
    void start() {
        editor::Options options;
        options.project = m_folder.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
    }
    // The outliner shows the entity below that parent ("" for none).
    bool standsBelow(const char* name, const char* parent) {
        const QModelIndex index = model().indexOf(name);
        return index.isValid() && model().nameAt(index.parent()) == parent;
    }
    // As the tree does when entities are dropped on a row; no row: below the last.
    void drop(const std::vector<std::string>& names, const QModelIndex& on, int row = -1) {
        QModelIndexList indexes;
        for (const std::string& name : names)
            indexes.append(model().indexOf(name));
        const std::unique_ptr<QMimeData> data(model().mimeData(indexes));
        QVERIFY(data != nullptr);
        QVERIFY(model().canDropMimeData(data.get(), Qt::MoveAction, row, 0, on));
        QVERIFY(!model().dropMimeData(data.get(), Qt::MoveAction, row, 0, on)); // the world moves the rows, not the view
    }

    // In the middle of the entity, in the view.
    QPoint at(const char* name) {
        const ui::GizmoView view = viewport().view().gizmoView();
        const auto pixel = render::projectToPixel(view.camera, view.width, view.height, place(name)->world.position);
        return pixel ? QPointF(pixel->x, pixel->y).toPoint() / static_cast<double>(view.pixelRatio) : QPoint(-1, -1);
    }
    std::string entityAt(const char* name) { return viewport().input().entityAt(at(name)); }
    QPoint cell(const char* name, int column) { return tree().visualRect(model().indexOf(name).siblingAtColumn(column)).center(); }
    bool draws(const char* name) {
        viewport().view().wake();
        return viewport().view().shown().drawsAny(name);
    }
    QString badge() {
        auto* button = window().findChild<QAbstractButton*>(QStringLiteral("status.marks"));
        return button != nullptr && button->isVisible() ? button->text() : QString();
    }

private slots:
    void cleanup() {
        if (!m_editor)
            return;
        document().undoStack().setIndex(0);
        m_editor.reset();
    }

    void entitiesAreDraggedOntoAParent() {
        open(crate("shelf", "[1.0, 2.0, 3.0]", "rotation = [0.0, 90.0, 0.0]\n") + crate("vase", "[4.0, 0.0, 0.0]")
             + crate("book", "[0.0, 5.0, 0.0]"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("book").isValid(), Patience);
        QVERIFY(model().flags(model().indexOf("vase")).testFlag(Qt::ItemIsDragEnabled));
        const std::string before = scene();
        const int steps = document().undoStack().count();
        drop({"vase", "book"}, model().indexOf("shelf"));
        QCOMPARE(document().undoStack().count(), steps + 1);
        QCOMPARE(place("vase")->parent, std::string("shelf"));
        QVERIFY(glm::length(place("vase")->world.position - Vec3(4.0F, 0.0F, 0.0F)) < 1e-3F);
        QVERIFY(glm::length(place("book")->world.position - Vec3(0.0F, 5.0F, 0.0F)) < 1e-3F);
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("vase", "shelf") && standsBelow("book", "shelf"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(tree().isExpanded(model().indexOf("shelf")), Patience);
        // A cycle is refused, once, and changes nothing.
        const std::string nested = scene();
        const qsizetype notices = qsizetype(m_editor->notices().log().size());
        drop({"shelf"}, model().indexOf("vase"));
        QCOMPARE(scene(), nested);
        QCOMPARE(qsizetype(m_editor->notices().log().size()), notices + 1);
        QVERIFY(m_editor->notices().log().back().text.contains(QStringLiteral("shelf cannot be a child of vase")));
        // Below the tree, and between rows without a parent.
        drop({"vase"}, {});
        drop({"book"}, {}, 0);
        QVERIFY(place("vase")->parent.empty() && place("book")->parent.empty());
        QVERIFY(glm::length(place("vase")->world.position - Vec3(4.0F, 0.0F, 0.0F)) < 1e-3F);
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("vase", "") && standsBelow("book", ""), Patience);
        document().undoStack().setIndex(steps);
        QCOMPARE(scene(), before);
    }

    void parentsByKeys() {
        open(crate("a", "[1.0, 0.0, 0.0]") + crate("b", "[2.0, 0.0, 0.0]") + crate("c", "[3.0, 0.0, 0.0]"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("c").isValid(), Patience);
        const std::string before = scene();
        tree().setFocus();
        select({"a", "b", "c"});
        QTest::keyClick(&tree(), Qt::Key_P, Qt::ControlModifier);
        QCOMPARE(place("a")->parent, std::string("c"));
        QCOMPARE(place("b")->parent, std::string("c"));
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("a", "c"), Patience);
        select({"a", "b"});
        QTest::keyClick(&tree(), Qt::Key_P, Qt::AltModifier);
        QCOMPARE(scene(), before);
        select({"a"});
        QVERIFY(!m_editor->actions().trigger(QStringLiteral("edit.clearParent")).ok()); // has none
        QVERIFY(!m_editor->actions().trigger(QStringLiteral("edit.parent")).ok());
        // A running world is as it is.
        select({"a", "b"});
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Play, Patience);
        trigger("edit.parent");
        QCOMPARE(scene(), before);
        QVERIFY(m_editor->notices().log().back().text.contains(QStringLiteral("when the world is stopped")));
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Edit, Patience);
    }

    void groupsAreMadeAndTakenApart() {
        open(crate("a", "[1.0, 0.0, 0.0]") + crate("b", "[3.0, 0.0, 0.0]") + crate("cup", "[0.0, 1.0, 0.0]", "parent = \"b\"\n"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("cup").isValid(), Patience);
        const std::string before = scene();
        const int steps = document().undoStack().count();
        viewport().view().setFocus();
        select({"a", "b", "cup"}); // the cup hangs from b, and stays there
        QTest::keyClick(&viewport().view(), Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(document().undoStack().count(), steps + 1);
        QCOMPARE(selection().entities(), std::vector<std::string>{"group"});
        QVERIFY(place("group")->world.position == Vec3(2.0F, 0.0F, 0.0F));
        QCOMPARE(place("a")->parent, std::string("group"));
        QVERIFY(place("a")->local.position == Vec3(-1.0F, 0.0F, 0.0F));
        QCOMPARE(place("cup")->parent, std::string("b"));
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("a", "group") && standsBelow("cup", "b"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(tree().isExpanded(model().indexOf("group")), Patience);
        // F2 from the viewport types over its name in the outliner.
        QTest::keyClick(&viewport().view(), Qt::Key_F2);
        QVERIFY(tree().isPersistentEditorOpen(model().indexOf("group")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QDir().mkpath(sbx::test::qBuildPath("screenshots"));
        QVERIFY(window().saveScreenshot(sbx::test::qBuildPath("screenshots") + QStringLiteral("/groups.png")));
        // A group within a group, taken apart together.
        select({"a"});
        trigger("edit.group");
        QCOMPARE(place("group_2")->parent, std::string("group"));
        select({"group", "group_2"});
        trigger("edit.ungroup");
        QCOMPARE(scene(), before);
        QCOMPARE(selection().entities(), (std::vector<std::string>{"a", "b"}));
        QVERIFY(!m_editor->actions().trigger(QStringLiteral("edit.ungroup"), {}).ok() || scene() != before);
        document().undoStack().setIndex(steps);
        QCOMPARE(scene(), before);
    }

    void entitiesAreHiddenAndLocked() {
        open(crate("a", "[-3.0, 0.5, 0.0]") + crate("b", "[0.0, 0.5, 0.0]", "") + crate("c", "[3.0, 0.5, 0.0]")
             + crate("hat", "[0.0, 1.5, 0.0]", "parent = \"b\"\n"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("hat").isValid(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(draws("a") && draws("hat"), Patience);
        viewport().homeView();
        QTRY_COMPARE_WITH_TIMEOUT(entityAt("a"), std::string("a"), Patience);
        const int steps = document().undoStack().count();
        // The eye of a branch hides what hangs from it; the document does not change.
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, cell("b", ui::EntityTreeModel::HiddenColumn));
        QTRY_VERIFY_WITH_TIMEOUT(!draws("b") && !draws("hat"), Patience);
        QVERIFY(draws("a"));
        QCOMPARE(badge(), QStringLiteral("2 hidden"));
        QVERIFY(!document().isDirty());
        QCOMPARE(document().undoStack().count(), steps + 1);
        QVERIFY(selection().empty());
        QVERIFY(entityAt("b") != "b" && entityAt("hat") != "hat");
        QCOMPARE(model().indexOf("hat").siblingAtColumn(ui::EntityTreeModel::HiddenColumn).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("hidden"));
        // A drag over the padlocks is one step.
        QTest::mousePress(tree().viewport(), Qt::LeftButton, {}, cell("a", ui::EntityTreeModel::LockedColumn));
        QTest::mouseMove(tree().viewport(), cell("c", ui::EntityTreeModel::LockedColumn));
        QTest::mouseRelease(tree().viewport(), Qt::LeftButton, {}, cell("c", ui::EntityTreeModel::LockedColumn));
        QCOMPARE(document().undoStack().count(), steps + 2);
        QCOMPARE(badge(), QStringLiteral("2 hidden, 4 locked"));
        QVERIFY(entityAt("a").empty());
        QTest::mouseClick(&viewport().view(), Qt::LeftButton, {}, at("a"));
        QVERIFY(selection().empty());
        QTest::mousePress(&viewport().view(), Qt::LeftButton, {}, QPoint(2, viewport().view().height() - 2));
        QTest::mouseMove(&viewport().view(), QPoint(viewport().view().width() - 2, 2));
        QTest::mouseRelease(&viewport().view(), Qt::LeftButton, {}, QPoint(viewport().view().width() - 2, 2));
        QVERIFY(selection().empty());
        // The outliner still selects them; the gizmo does not hold them.
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, cell("a", ui::EntityTreeModel::NameColumn));
        QCOMPARE(selection().entities(), std::vector<std::string>{"a"});
        trigger("tool.move");
        QVERIFY(!viewport().gizmo().frame());
        QVERIFY(viewport().editor().beginDrag({"a"}).empty());
        QDir().mkpath(sbx::test::qBuildPath("screenshots"));
        QVERIFY(window().saveScreenshot(sbx::test::qBuildPath("screenshots") + QStringLiteral("/marks.png")));

        // Kept for this user, not in the project.
        m_editor.reset();
        start();
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("2 hidden, 4 locked"), Patience);
        QVERIFY(!document().isDirty());
        // The badge offers to take it all back.
        QTest::mouseClick(window().findChild<QAbstractButton*>(QStringLiteral("status.marks")), Qt::LeftButton);
        auto* menu = window().findChild<QMenu*>(QStringLiteral("status.marks.menu"));
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().at(1)->trigger();
        menu->close();
        QCOMPARE(badge(), QStringLiteral("2 hidden"));
        trigger("edit.showAll");
        QCOMPARE(badge(), QString());
        QTRY_VERIFY_WITH_TIMEOUT(draws("hat"), Patience);
        document().undoStack().undo();
        QCOMPARE(badge(), QStringLiteral("2 hidden"));
        // What is renamed stays hidden, also when that is undone.
        emit window().outliner().renameRequested("b", "bottom");
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("bottom").isValid(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("2 hidden"), Patience);
        document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("b").isValid(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("2 hidden"), Patience);
        // By keys: isolated, hidden, shown again.
        viewport().view().setFocus();
        select({"c"});
        QTest::keyClick(&viewport().view(), Qt::Key_H, Qt::ShiftModifier);
        QCOMPARE(badge(), QStringLiteral("3 hidden"));
        QTest::keyClick(&viewport().view(), Qt::Key_H);
        QCOMPARE(badge(), QStringLiteral("4 hidden"));
        QTest::keyClick(&viewport().view(), Qt::Key_H, Qt::AltModifier);
        QCOMPARE(badge(), QString());
        // Hidden or not, the world runs with it.
        select({"a"});
        trigger("edit.hide");
        trigger("play.start");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Play, Patience);
        QVERIFY(m_editor->feed().frame().entities->find("a") != nullptr);
        QVERIFY(!draws("a"));
        trigger("play.stop");
        QTRY_VERIFY_WITH_TIMEOUT(m_editor->feed().mode() == Mode::Edit, Patience);
    }

    void entitiesAreArranged() {
        open(crate("low", "[0.0, 0.5, 0.0]") + crate("mid", "[1.0, 4.0, 2.0]") + crate("top", "[6.0, 6.0, 0.0]")
             + crate("upper", "[0.0, 9.0, 0.0]") + crate("lifted", "[0.25, 11.0, 0.0]") + crate("tall", "[-5.0, 0.0, 0.0]", "scale = [1.0, 4.0, 1.0]\n"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("tall").isValid(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(draws("tall") && draws("low"), Patience);
        const std::string before = scene();
        const int steps = document().undoStack().count();
        // Boxes, not origins: the tall one is two metres to each side of its own.
        select({"low", "tall"});
        trigger("edit.alignMinY");
        QCOMPARE(place("low")->world.position.y, -1.5F);
        QCOMPARE(place("tall")->world.position.y, 0.0F);
        QCOMPARE(document().undoStack().count(), steps + 1);
        document().undoStack().undo();
        QCOMPARE(scene(), before);
        QTRY_COMPARE_WITH_TIMEOUT(viewport().view().shown().poseOf("low").value_or(Pose{}).position.y, 0.5F, Patience);
        trigger("edit.alignCentreX");
        QCOMPARE(place("low")->world.position.x, -2.5F);
        QCOMPARE(place("tall")->world.position.x, -2.5F);
        document().undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(viewport().view().shown().poseOf("low").value_or(Pose{}).position.x, 0.0F, Patience);
        select({"low", "top", "mid"});
        trigger("edit.distributeX");
        QCOMPARE(place("mid")->world.position, Vec3(3.0F, 4.0F, 2.0F));
        QCOMPARE(place("top")->world.position.x, 6.0F);
        document().undoStack().undo();
        QTRY_COMPARE_WITH_TIMEOUT(viewport().view().shown().poseOf("mid").value_or(Pose{}).position.x, 1.0F, Patience);
        // One lands on what stands there, the other on the first; below the third there is nothing.
        select({"lifted", "upper", "mid"});
        QTest::keyClick(&viewport().view(), Qt::Key_End);
        QVERIFY(std::abs(place("upper")->world.position.y - 1.5F) < 1e-3F);
        QVERIFY(std::abs(place("lifted")->world.position.y - 2.5F) < 1e-3F);
        QCOMPARE(place("mid")->world.position.y, 4.0F);
        QCOMPARE(document().undoStack().count(), steps + 1);
        document().undoStack().undo();
        QCOMPARE(scene(), before);
        select({"mid"});
        trigger("edit.dropToFloor");
        QVERIFY(m_editor->notices().log().back().text.contains(QStringLiteral("nothing lies below mid")));
        QCOMPARE(scene(), before);
        // What is locked stays, and a menu of the selection offers all of it.
        trigger("edit.lock");
        select({"low", "mid"});
        trigger("edit.alignMaxZ");
        QVERIFY(m_editor->notices().log().back().text.contains(QStringLiteral("select at least 2 entities")));
        QCOMPARE(scene(), before);
    }

    // Through the panel: a layer from the selection, its eye, a drop onto its row, new entities in it, and its removal.
    void layersThroughTheirPanel() {
        open(crate("a", "[0.0, 0.5, 0.0]") + crate("b", "[2.0, 0.5, 0.0]") + crate("c", "[4.0, 0.5, 0.0]"));
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("c").isValid(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(draws("c"), Patience);
        const std::string before = scene();
        trigger("view.panel.layers");
        ui::LayersPanel& panel = window().layers();
        QTRY_VERIFY_WITH_TIMEOUT(panel.isVisible(), Patience);
        select({"a", "b"});
        panel.findChild<QAbstractButton*>(QStringLiteral("layers.add"))->click();
        const QModelIndex made = panel.model().indexOf("Layer 1");
        QVERIFY(made.isValid());
        auto* line = panel.view().findChild<QLineEdit*>();
        QVERIFY(line != nullptr); // its name is open for typing
        line->setText(QStringLiteral("Crates"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(panel.model().indexOf("Crates").isValid(), Patience);
        QVERIFY(scene().find("layer = \"Crates\"") != std::string::npos);

        const auto clickMark = [&](int column) {
            const QModelIndex index = panel.model().indexOf("Crates").siblingAtColumn(column);
            QTest::mouseClick(panel.view().viewport(), Qt::LeftButton, {}, panel.view().visualRect(index).center());
        };
        clickMark(ui::LayerModel::HiddenColumn);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("2 hidden"), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(!draws("a") && !draws("b") && draws("c"), Patience);
        QMimeData dragged;
        dragged.setData(QLatin1String(ui::EntityTreeModel::MimeType), "c");
        panel.model().dropMimeData(&dragged, Qt::MoveAction, -1, -1, panel.model().indexOf("Crates"));
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("3 hidden"), Patience);
        trigger("edit.showAll");
        QTRY_VERIFY_WITH_TIMEOUT(badge().isEmpty() && draws("a"), Patience);
        // H is the eye of the current layer, and once more shows it again.
        panel.view().setCurrentIndex(panel.model().indexOf("Crates"));
        QTest::keyClick(&panel.view(), Qt::Key_H);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("3 hidden"), Patience);
        QTest::keyClick(&panel.view(), Qt::Key_H);
        QTRY_VERIFY_WITH_TIMEOUT(badge().isEmpty() && draws("a"), Patience);
        clickMark(ui::LayerModel::LockedColumn);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("3 locked"), Patience);

        panel.view().setCurrentIndex(panel.model().indexOf("Crates"));
        panel.findChild<QAbstractButton*>(QStringLiteral("layers.active"))->click();
        QVERIFY(viewport().editor().create("Crate", Vec3(6.0F, 0.5F, 0.0F)).ok());
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("4 locked"), Patience);
        select({"a"});
        trigger("edit.selectLayer");
        QCOMPARE(selection().entities(), (std::vector<std::string>{"a", "b", "c", "crate"}));
        panel.findChild<QAbstractButton*>(QStringLiteral("layers.remove"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(badge().isEmpty() && scene().find("layer") == std::string::npos, Patience);
        QVERIFY(window().saveScreenshot(sbx::test::qBuildPath("screenshots") + QStringLiteral("/layers.png")));
        document().undoStack().setIndex(0);
        QCOMPARE(scene(), before);
        QTRY_VERIFY_WITH_TIMEOUT(badge().isEmpty(), Patience);
    }

    // Once more ends it, and who gives light is seen meanwhile.
    void isolationEnds() {
        open(crate("a", "[0.0, 0.5, 0.0]") + crate("b", "[2.0, 0.5, 0.0]") + "\n[[entity]]\ntype = \"Light\"\nname = \"lamp\"\n");
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("lamp").isValid(), Patience);
        select({"b"});
        trigger("edit.hide");
        select({"a"});
        trigger("edit.isolate");
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("1 hidden"), Patience);
        trigger("edit.showAll");
        trigger("edit.isolate");
        select({});
        m_editor->actions().refresh();
        trigger("edit.isolate");
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QString(), Patience);
    }

    // A journey: a hundred entities are grouped, put into layers, brought into line, locked and hidden; undone to the first step, and redone to the last.
    void aHundredEntitiesAreArranged() {
        std::string text;
        std::vector<std::string> all;
        for (int i = 0; i < 100; ++i) {
            all.push_back("c" + std::to_string(i));
            text += crate(all.back(), "[" + std::to_string(2 * (i % 10)) + ".0, 0.5, " + std::to_string(2 * (i / 10)) + ".0]");
        }
        open(text);
        QTRY_VERIFY_WITH_TIMEOUT(model().indexOf("c99").isValid(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(draws("c99"), Patience);
        const std::string before = scene();
        const int first = document().undoStack().count();
        std::vector<std::string> groups;
        for (std::size_t row = 0; row < 10; ++row) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(10 * row);
            select({begin, begin + 10});
            trigger("edit.group");
            groups.push_back(selection().primary());
        }
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("c99", groups.back().c_str()), Patience);
        select(groups);
        trigger("edit.parent"); // nine of them to the last
        select({groups[0], groups[1]});
        trigger("edit.lock");
        select({groups[2]});
        trigger("edit.hide");
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("c0", groups.front().c_str()) && standsBelow(groups.front().c_str(), groups.back().c_str()), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("11 hidden, 22 locked"), Patience);
        // Two layers, of which one is hidden: ten more with their group, which is in it through what it hangs from no longer.
        ui::SceneLayers& layers = window().layers().layers();
        QVERIFY(layers.assign({groups[5], groups[6]}, "Back rows").ok());
        QVERIFY(layers.assign({groups[7]}, "Front row").ok());
        ui::SceneMarks::Sets marks = window().sceneMarks().sets();
        marks.hiddenLayers.insert("Front row");
        marks.lockedLayers.insert("Back rows");
        window().sceneMarks().become(std::move(marks), QStringLiteral("Layers"));
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QStringLiteral("22 hidden, 44 locked"), Patience);
        select({"c99"});
        trigger("edit.clearParent");
        select({groups[3], groups[4]});
        trigger("edit.ungroup");
        QVERIFY(place("c35")->parent == groups.back() && place(groups[3].c_str()) == nullptr);
        // Nothing has moved in the world.
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Vec3 wanted(2.0F * static_cast<float>(i % 10), 0.5F, 2.0F * static_cast<float>(i / 10));
            QVERIFY2(glm::length(place(all[i].c_str())->world.position - wanted) < 1e-3F, all[i].c_str());
        }
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("c35", groups.back().c_str()), Patience);
        const std::string after = scene();
        const QString marked = badge();
        const int last = document().undoStack().count();
        QCOMPARE(last, first + 18);
        document().undoStack().setIndex(first);
        QCOMPARE(scene(), before);
        QVERIFY(!document().isDirty());
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("c35", "") && standsBelow("c99", "") && !model().indexOf("group").isValid(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), QString(), Patience);
        document().undoStack().setIndex(last);
        QCOMPARE(scene(), after);
        QTRY_VERIFY_WITH_TIMEOUT(standsBelow("c35", groups.back().c_str()) && standsBelow("c0", groups.front().c_str()), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(badge(), marked, Patience);
        viewport().homeView();
        QVERIFY(window().saveScreenshot(sbx::test::qBuildPath("screenshots") + QStringLiteral("/arranged.png")));
    }
};

QTEST_MAIN(TestSceneActions)
#include "tst_scene_actions.moc"
