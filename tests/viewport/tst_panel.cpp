// The whole viewport in a window, with a session that runs on its own thread and a document beneath: what a person does with
// mouse and keys, and what becomes of file, world and selection.

#include <QTest>

#include "engine/commands/console_commands.h"
#include "engine/definition/batch_edit.h"
#include "engine/session/simulation_thread.h"
#include "tests/event_loop.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/document.h"
#include "widgets/common/selection.h"
#include "widgets/common/theme.h"
#include "widgets/viewport/entity_signs.h"
#include "widgets/viewport/placement.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <glm/geometric.hpp>

#include <atomic>
#include <memory>

using namespace sbx;
using namespace sbx::ui;

namespace {

const char* ProjectText = R"([project]
name = "Test"
scene = "test.scene.toml"
definitions = ["entities.toml"]
)";

const char* DefinitionText = R"([Floor]
[Floor.Body]
shape = "box"
size = [40.0, 1.0, 40.0]
motion = "static"
[Floor.Mesh]

[Crate]
icon = "crate"
[Crate.Body]
size = [1.0, 1.0, 1.0]
mass = 5.0
[Crate.Mesh]
color = [0.6, 0.4, 0.2, 1.0]

[Marker]
doc = "Nothing to see."

[Player]
[Player.Body]
shape = "capsule"
radius = 0.4
height = 1.8
mass = 80.0
upright = true
[Player.Mesh]
[Player.Walk]
[Player.Camera]
offset = [0.0, 0.7, 0.0]
)";

const char* SceneText = R"([scene]
name = "Test"

[[entity]]
type = "Floor"
name = "floor"
position = [0.0, -0.5, 0.0]

# Two crates, side by side.
[[entity]]
type = "Crate"
name = "left"
position = [-2.0, 0.5, 0.0]

[[entity]]
type = "Crate"
name = "right"
position = [2.0, 0.5, 0.0]   # stays

[[entity]]
type = "Crate"
name = "behind"
position = [-2.0, 0.5, -3.0]

[[entity]]
type = "Player"
name = "player"
position = [0.0, 1.0, -8.0]
)";

void write(const QString& path, const char* text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

// A project, a session that follows the document as the editor does, and the panel in a window.
struct Editor {
    QTemporaryDir folder;
    Log log;
    Session session{log, addConsoleCommands};
    Theme theme;
    Selection selection;
    Document document{folder.path() + QStringLiteral("/state")};
    ActionRegistry actions{theme};
    std::unique_ptr<ViewportPanel> panel;
    std::unique_ptr<SimulationThread> thread;

    explicit Editor(bool open = true) {
        QDir().mkpath(folder.path() + QStringLiteral("/state"));
        panel = std::make_unique<ViewportPanel>(session, selection, document, actions, theme);
        thread = std::make_unique<SimulationThread>(session);
        QObject::connect(&document, &Document::textChanged, panel.get(), [this] { apply(false); });
        panel->resize(800, 600);
        panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel.get()));
        if (open)
            openProject();
    }
    ~Editor() {
        panel.reset();
        thread.reset();
    }

    void openProject() {
        write(folder.path() + QStringLiteral("/project.toml"), ProjectText);
        write(folder.path() + QStringLiteral("/entities.toml"), DefinitionText);
        write(folder.path() + QStringLiteral("/test.scene.toml"), SceneText);
        QVERIFY(document.open(folder.path(), {{"project.toml", FileRole::Project},
                                              {"entities.toml", FileRole::Definitions},
                                              {"test.scene.toml", FileRole::Scene}}));
        apply(true);
        QTRY_VERIFY(row("right") != nullptr);
        settle();
        // From the front, a little from above; the picture is there.
        view().rig().lookAt({0, 4, 12}, {0, 0.5F, 0});
        settle();
    }
    void apply(bool fresh) {
        Diagnostics faults;
        const auto content =
            loadContent(folder.path().toStdString(), {}, session.catalog().schema, faults, [this](const std::filesystem::path& path) {
                const std::string file = document.fileAt(QString::fromStdString(path.string()));
                return file.empty() ? Result<std::string>(Error{"not there", {}, {}}) : Result<std::string>(document.text(file));
            });
        QVERIFY(content);
        session.post([content, fresh](Session& s) {
            if (fresh)
                s.open(content);
            else
                s.applyContent(content);
        });
    }
    [[nodiscard]] ViewportView& view() { return panel->view(); }
    [[nodiscard]] const EntityRow* row(const std::string& name) {
        return session.snapshot()->entities ? session.snapshot()->entities->find(name) : nullptr;
    }
    [[nodiscard]] std::string scene() { return document.text("test.scene.toml"); }
    // A frame of the present state has been drawn.
    void settle() {
        QSignalSpy frames(&view(), &ViewportView::frameShown);
        for (int i = 0; i < 2; ++i) {
            view().wake();
            QTRY_VERIFY(frames.count() > i);
        }
    }
    [[nodiscard]] QPoint pixel(const Vec3& point) {
        const GizmoView geometry = view().gizmoView();
        const auto at = render::projectToPixel(geometry.camera, geometry.width, geometry.height, point);
        const double ratio = view().devicePixelRatioF();
        return at ? QPoint(qRound(at->x / ratio), qRound(at->y / ratio)) : QPoint(-1, -1);
    }
    [[nodiscard]] std::vector<std::string> selected() { return selection.entities(); }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseMove(&view(), from);
        QTest::mousePress(&view(), button, keys, from);
        moveTo(from, to, button, keys);
        QTest::mouseRelease(&view(), button, keys, to);
    }
    // QTest's own moves say nothing of held buttons.
    void moveTo(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers keys = {}) {
        for (int i = 1; i <= 8; ++i) {
            const QPoint at = from + (to - from) * i / 8;
            QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, button, keys);
            QApplication::sendEvent(&view(), &event);
            test::turn();
        }
    }
    // The world has gone on by so many ticks.
    void pass(std::uint64_t ticks) {
        const std::uint64_t from = session.snapshot()->tick;
        QTRY_VERIFY_WITH_TIMEOUT(session.snapshot()->tick >= from + ticks, 30000);
    }
    void play() {
        session.post([](Session& s) { s.play(); });
        QTRY_COMPARE(session.snapshot()->mode, Mode::Play);
        QTRY_COMPARE(view().shown().mode(), Mode::Play);
    }
    void stop() {
        session.post([](Session& s) { s.stop(); });
        QTRY_COMPARE(session.snapshot()->mode, Mode::Edit);
        QTRY_COMPARE(view().shown().mode(), Mode::Edit);
    }
    [[nodiscard]] std::optional<Vec3> place(const std::string& name) {
        const auto snapshot = session.snapshot();
        const EntityRow* at = snapshot->entities->find(name);
        if (at == nullptr)
            return std::nullopt;
        for (const render::Instance& instance : snapshot->scene->instances)
            if (instance.entity == at->id.bits)
                return instance.pose.position;
        return std::nullopt;
    }
};

using Names = std::vector<std::string>;

} // namespace

class TestPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_theme.apply(*qobject_cast<QApplication*>(QApplication::instance())); }

    void saysWhatFillsItWhileNothingIsOpen() {
        Editor editor(false);
        auto* empty = editor.panel->findChild<QWidget*>(QStringLiteral("viewport.empty"));
        QVERIFY(empty != nullptr && empty->isVisible());
        QVERIFY(!editor.view().isVisible());
        editor.openProject();
        QVERIFY(!empty->isVisible());
        QVERIFY(editor.view().isVisible());
        editor.document.close();
        QVERIFY(empty->isVisible());
    }
    void drawsTheScene() {
        Editor editor;
        QVERIFY2(editor.view().failure().isEmpty(), qPrintable(editor.view().failure()));
        QVERIFY(editor.view().statistics().instances >= 5);
        const QImage picture = editor.view().picture();
        const QColor crate = picture.pixelColor(editor.pixel({2.0F, 0.5F, 0.5F}) * editor.view().devicePixelRatioF());
        const QColor sky = picture.pixelColor(10, 2);
        QVERIFY2(crate.redF() > crate.blueF() * 1.3, "wood is brown");
        QVERIFY2(sky.blueF() > sky.redF() * 0.9, "the sky is not");
    }
    void picks() {
        Editor editor;
        const QPoint left = editor.pixel({-2.0F, 0.5F, 0.5F});
        const QPoint right = editor.pixel({2.0F, 0.5F, 0.5F});
        QTest::mouseClick(&editor.view(), Qt::LeftButton, {}, left);
        QCOMPARE(editor.selected(), Names{"left"});
        QTest::mouseClick(&editor.view(), Qt::LeftButton, Qt::ShiftModifier, right);
        QCOMPARE(editor.selected(), (Names{"left", "right"}));
        QCOMPARE(editor.selection.primary(), std::string("right"));
        QTest::mouseClick(&editor.view(), Qt::LeftButton, Qt::ControlModifier, left);
        QCOMPARE(editor.selected(), Names{"right"});
        QTest::mouseClick(&editor.view(), Qt::LeftButton, {}, left);
        QCOMPARE(editor.selected(), Names{"left"});
        QTest::mouseClick(&editor.view(), Qt::LeftButton, Qt::ShiftModifier, {400, 3}); // the sky: a slip, nothing lost
        QCOMPARE(editor.selected(), Names{"left"});
        QTest::mouseClick(&editor.view(), Qt::LeftButton, {}, {400, 3});
        QVERIFY(editor.selection.empty());
    }
    void drillsThrough() {
        Editor editor;
        editor.view().rig().lookAt({-2, 0.6F, 8}, {-2, 0.5F, 0}); // the crate behind hides behind the left one
        editor.settle();
        const std::unique_ptr<QMenu> menu(editor.panel->drillMenu(editor.pixel({-2.0F, 0.5F, 0.5F})));
        QStringList names;
        for (const QAction* action : menu->actions())
            names += action->text();
        QVERIFY2(names.indexOf(QStringLiteral("left")) == 0 && names.indexOf(QStringLiteral("behind")) == 1,
                 qPrintable(names.join(QLatin1Char(' '))));
        menu->actions()[1]->trigger();
        QCOMPARE(editor.selected(), Names{"behind"});
    }
    // Alt and the wheel go deeper and come back; what something hangs from can be reached although it has no shape.
    void theWheelDrills() {
        Editor editor;
        QVERIFY(editor.document
                    .setText("test.scene.toml",
                             editor.scene() + "\n[[entity]]\ntype = \"Marker\"\nname = \"holder\"\nposition = [30.0, 0.0, 0.0]\n",
                             QStringLiteral("typed"))
                    .ok());
        QVERIFY(editor.document
                    .setText("test.scene.toml",
                             editor.scene() + "\n[[entity]]\ntype = \"Crate\"\nname = \"held\"\nparent = \"holder\"\nposition = [-32.0, 0.5, -1.5]\n",
                             QStringLiteral("typed"))
                    .ok());
        QTRY_VERIFY(editor.row("held") != nullptr);
        editor.view().rig().lookAt({-2, 0.6F, 8}, {-2, 0.5F, 0});
        editor.settle();
        QTRY_VERIFY(editor.view().shown().idOf("held") != 0);
        editor.settle();
        const QPoint at = editor.pixel({-2.0F, 0.5F, 0.5F});
        const auto wheel = [&](int steps) {
            QWheelEvent event(at, editor.view().mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::AltModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&editor.view(), &event);
        };
        const Vec3 eye = editor.view().rig().eye();
        for (const char* name : {"left", "held", "holder", "behind"}) {
            wheel(-1);
            QCOMPARE(editor.selected(), Names{name});
        }
        wheel(1);
        QCOMPARE(editor.selected(), Names{"holder"});
        QVERIFY(editor.view().rig().eye() == eye);
        const std::unique_ptr<QMenu> menu(editor.panel->drillMenu(at));
        QVERIFY(menu->actions().size() >= 4);
        QCOMPARE(menu->actions()[1]->text(), QStringLiteral("held  (hangs from holder)"));
    }
    void shapelessEntitiesHaveAMarker() {
        Editor editor;
        QVERIFY(editor.panel->createAt(QStringLiteral("Marker"), editor.pixel({0.0F, 0.0F, 4.0F})));
        QTRY_VERIFY(editor.row("marker") != nullptr);
        editor.selection.clear(QStringLiteral("test"));
        QTRY_COMPARE(editor.view().shown().idOf("marker") != 0, true);
        editor.settle();
        const Vec3 at = editor.panel->editor().places().find("marker")->world.position;
        QTest::mouseClick(&editor.view(), Qt::LeftButton, {}, editor.pixel(at));
        QCOMPARE(editor.selected(), Names{"marker"});
        QTest::keyClick(&editor.view(), Qt::Key_Escape);
        QVERIFY(editor.selection.empty());
        editor.drag(editor.pixel(at) - QPoint(12, 12), editor.pixel(at) + QPoint(12, 12));
        QCOMPARE(editor.selected(), Names{"marker"});
        QVERIFY(editor.actions.trigger(QStringLiteral("view.frame")));
        QTRY_VERIFY(glm::length(editor.view().rig().focusPoint() - at) < 0.05F);
    }
    // The space of a trigger is that of its instance, and its icon that of what it is.
    void volumesAreThoseOfTheInstance() {
        Editor editor(false);
        Diagnostics faults;
        const definition::Definitions types = definition::Definitions::load(
            {{"t.toml", "[Gate]\n[Gate.Body]\nshape = \"box\"\nsize = [1.0, 2.0, 3.0]\nmotion = \"static\"\ntrigger = true\n[Gate.Trigger]\n"
                        "[Crate]\n[Crate.Body]\n[Lamp]\n[Lamp.Light]\n"}},
            editor.session.catalog().schema, faults);
        const definition::Scene scene = definition::Scene::load(
            "[[entity]]\ntype = \"Gate\"\nname = \"a\"\n[[entity]]\ntype = \"Gate\"\nname = \"b\"\n[entity.Body]\nsize = [4.0, 2.0, 3.0]\n",
            "s.toml", types, editor.session.catalog().schema, faults);
        QVERIFY2(faults.items.empty(), faults.items.empty() ? "" : faults.items.front().toString().c_str());
        const definition::EntityTypeDefinition& gate = *types.find("Gate");
        QVERIFY(isVolume(gate) && !isVolume(*types.find("Crate")) && !isVolume(*types.find("Lamp")));
        QVERIFY(instanceBounds(gate, *scene.find("a"))->size() == Vec3(1.0F, 2.0F, 3.0F));
        QVERIFY(instanceBounds(gate, *scene.find("b"))->size() == Vec3(4.0F, 2.0F, 3.0F));
        QCOMPARE(kindOf(gate), std::string("trigger"));
        QCOMPARE(kindOf(*types.find("Lamp")), std::string("light"));
        QCOMPARE(kindOf(*types.find("Crate")), std::string("entity"));
        EntitySigns signs(editor.theme);
        const render::Sign lamp = signs.signOf({}, types.find("Lamp"));
        const auto sheet = signs.sheet();
        QVERIFY(sheet != nullptr && lamp.area.z > 0.0F);
        const auto covered = [&](const render::Sign& sign) {
            const auto left = static_cast<int>(sign.area.x * static_cast<float>(signs.sheet()->width));
            const auto top = static_cast<int>(sign.area.y * static_cast<float>(signs.sheet()->height));
            int count = 0;
            for (int y = 0; y < 44; ++y)
                for (int x = 0; x < 44; ++x)
                    count += signs.sheet()->coverage[static_cast<std::size_t>((top + y) * signs.sheet()->width + left + x)] > 128 ? 1 : 0;
            return count;
        };
        QVERIFY(covered(lamp) > 40);
        QVERIFY(signs.signOf("trigger", &gate).area != lamp.area);
        QVERIFY(signs.sheet() != sheet); // drawn again with the new one
        QVERIFY(signs.signOf("no such icon", nullptr).area == signs.signOf("entity", nullptr).area);
    }
    void tabStaysInTheViewport() {
        Editor editor;
        editor.view().setFocus();
        QTRY_VERIFY(editor.view().hasFocus());
        for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backtab}) {
            QTest::keyClick(&editor.view(), key);
            QVERIFY(editor.view().hasFocus());
        }
    }
    void bandSelects() {
        Editor editor;
        const QPoint right = editor.pixel({2.0F, 0.5F, 0.0F});
        editor.drag(right - QPoint(60, 60), right + QPoint(60, 60));
        QCOMPARE(editor.selected(), Names{"right"});
        const QPoint left = editor.pixel({-2.0F, 0.5F, 0.0F});
        editor.drag(left + QPoint(50, 50), left - QPoint(50, 30), Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(editor.selection.contains("right") && editor.selection.contains("left"));
    }
    // It was meant for the world that has ended: nothing of it stays in the picture, and letting go selects nothing.
    void stopEndsABand() {
        Editor editor;
        editor.play();
        QSignalSpy bands(&editor.panel->input(), &ViewportInput::bandChanged);
        const QPoint right = editor.pixel({2.0F, 0.5F, 0.0F});
        QTest::mousePress(&editor.view(), Qt::LeftButton, Qt::ShiftModifier, right - QPoint(60, 60));
        editor.moveTo(right - QPoint(60, 60), right + QPoint(60, 60), Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(!bands.isEmpty() && !bands.last()[0].toRect().isNull());
        editor.stop();
        QTRY_VERIFY(bands.last()[0].toRect().isNull());
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, Qt::ShiftModifier, right + QPoint(60, 60));
        QVERIFY(editor.selection.empty());
    }
    // A band takes what it contains; with Alt also what it touches, but no floor. Nothing is taken by its centre alone.
    void aBandContainsOrTouches() {
        Editor editor;
        QSignalSpy bands(&editor.panel->input(), &ViewportInput::bandChanged);
        const QPoint low = editor.pixel({2.5F, 0.0F, 0.5F});
        const QPoint middle = editor.pixel({2.0F, 0.5F, 0.0F});
        // From the sky beside it over its left half, the centre included.
        const QPoint from = editor.pixel({1.2F, 1.4F, 0.0F});
        const QPoint half = QPoint(middle.x() + 6, low.y() + 10);
        editor.drag(from, half);
        QVERIFY(editor.selection.empty());
        editor.drag(from, half, Qt::LeftButton, {});
        const auto bandWithAlt = [&](QPoint begin, QPoint end, Qt::KeyboardModifiers keys) {
            QTest::mouseMove(&editor.view(), begin);
            QTest::mousePress(&editor.view(), Qt::LeftButton, keys, begin);
            editor.moveTo(begin, begin + QPoint(8, 8), Qt::LeftButton, keys);
            editor.moveTo(begin + QPoint(8, 8), end, Qt::LeftButton, keys | Qt::AltModifier);
            QTRY_COMPARE(bands.last()[2].toInt(), 1);
            QCOMPARE(bands.last()[1].value<render::BandRule>(), render::BandRule::Touches);
            QTest::mouseRelease(&editor.view(), Qt::LeftButton, keys | Qt::AltModifier, end);
        };
        // The band reaches over more of the picture than the crate has.
        const QPoint wide = editor.pixel({0.6F, 2.4F, 0.0F});
        bandWithAlt(wide, half, {});
        QCOMPARE(editor.selected(), Names{"right"});
        // Pressed and let go without a move of the mouse, the key counts too.
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, wide);
        editor.moveTo(wide, half, Qt::LeftButton);
        QTest::keyPress(&editor.view(), Qt::Key_Alt);
        QCOMPARE(bands.last()[2].toInt(), 1);
        QTest::keyRelease(&editor.view(), Qt::Key_Alt);
        QCOMPARE(bands.last()[2].toInt(), 0);
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, half);
        QVERIFY(editor.selection.empty());
        editor.selection.setEntity("right", QStringLiteral("test"));
        bandWithAlt(wide, half, Qt::ControlModifier);
        QVERIFY(editor.selection.empty()); // toggled
        // The switch turns the rule round, for window managers that take Alt and a drag for themselves.
        QVERIFY(editor.actions.trigger(QStringLiteral("select.touching")).ok());
        editor.drag(wide, half);
        QCOMPARE(editor.selected(), Names{"right"});
        QVERIFY(editor.panel->saveState().value(QStringLiteral("bandTouches")).toBool());
        QVERIFY(editor.actions.trigger(QStringLiteral("select.touching")).ok());
        editor.drag(wide, half);
        QVERIFY(editor.selection.empty());
        // All around it, with the floor before and behind.
        editor.drag(wide, low + QPoint(40, 40));
        QCOMPARE(editor.selected(), Names{"right"});
        // A predicate keeps what must not be taken out of it.
        editor.panel->input().setSelectable([](const std::string& name) { return name != "right"; });
        editor.drag(wide, low + QPoint(40, 40));
        QVERIFY(editor.selection.empty());
    }
    void bandsAtTheEdgeOfWhatThereIs() {
        Editor editor;
        // Out of the window on all sides, and back: nothing is lost but what is outside.
        editor.drag({-1000, -1000}, {3000, 3000});
        QVERIFY(editor.selection.contains("right") && editor.selection.contains("left") && !editor.selection.contains("floor"));
        // So near and so turned that everything is behind the camera.
        editor.view().rig().lookAt({0, 3, 40}, {0, 3, 80});
        editor.settle();
        editor.drag({1, 1}, {780, 580});
        QVERIFY(editor.selection.empty());
        // In a world that runs, while what is inside is destroyed.
        editor.view().rig().lookAt({0, 4, 12}, {0, 0.5F, 0});
        editor.settle();
        editor.play();
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, {5, 5});
        editor.moveTo({5, 5}, {790, 590}, Qt::LeftButton);
        editor.session.post([](Session& session) { session.world().destroy(session.world().find("right").id()); });
        QTRY_VERIFY(editor.row("right") == nullptr);
        editor.settle();
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, {790, 590});
        QVERIFY(!editor.selection.contains("right") && editor.selection.contains("left"));
        editor.stop();
    }
    // Ctrl before the press: copies are taken along. Copies and move are one step, and Esc takes both back.
    void ctrlDragTakesCopiesAlong() {
        Editor editor;
        QSignalSpy said(editor.panel.get(), &ViewportPanel::done);
        const std::string before = editor.scene();
        const int steps = editor.document.undoStack().count();
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        const Vec3 grabbed = frame->origin + Vec3(frame->size * 0.7F, 0, 0);
        const QPoint from = editor.pixel(grabbed);
        const QPoint to = editor.pixel(grabbed + Vec3(1.5F, 0, 0));
        // A click with Ctrl on a handle makes none.
        QTest::mousePress(&editor.view(), Qt::LeftButton, Qt::ControlModifier, from);
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, Qt::ControlModifier, from);
        QCOMPARE(editor.scene(), before);
        editor.drag(from, to, Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(editor.selected(), Names{"right_2"});
        QCOMPARE(editor.document.undoStack().count(), steps + 1);
        QVERIFY(said.count() == 1 && said[0][0].toString() == QStringLiteral("1 duplicated"));
        const Vec3 copy = editor.panel->editor().places().find("right_2")->world.position;
        QVERIFY2(std::abs(copy.x - 3.5F) < 0.1F && copy.y == 0.5F && copy.z == 0.0F, qPrintable(QString::number(double(copy.x))));
        QVERIFY(editor.panel->editor().places().find("right")->world.position == Vec3(2.0F, 0.5F, 0.0F));
        QTRY_VERIFY(editor.place("right_2") && std::abs(editor.place("right_2")->x - copy.x) < 1e-3F);
        editor.document.undoStack().undo();
        QCOMPARE(editor.scene(), before);
        editor.document.undoStack().redo();
        QVERIFY(editor.panel->editor().places().find("right_2")->world.position == copy);
        editor.document.undoStack().undo();
        // Let go with Esc.
        editor.selection.setEntities({"left", "right"}, QStringLiteral("test"));
        editor.settle();
        const Vec3 both = editor.panel->gizmo().frame()->origin + Vec3(frame->size * 0.7F, 0, 0);
        QTest::mousePress(&editor.view(), Qt::LeftButton, Qt::ControlModifier, editor.pixel(both));
        editor.moveTo(editor.pixel(both), editor.pixel(both + Vec3(1, 0, 0)), Qt::LeftButton, Qt::ControlModifier);
        editor.settle();
        QCOMPARE(editor.selected(), (Names{"left_2", "right_2"}));
        QTest::keyClick(&editor.view(), Qt::Key_Escape);
        QCOMPARE(editor.scene(), before);
        QCOMPARE(editor.selected(), (Names{"left", "right"}));
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, editor.pixel(both));
    }
    // Ctrl held since before the press does not snap; let go and pressed again it does.
    void ctrlAtThePressDuplicatesAndLaterTurnsSnappingRound() {
        Editor editor;
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        const Vec3 grabbed = frame->origin + Vec3(frame->size * 0.7F, 0, 0);
        const QPoint from = editor.pixel(grabbed);
        const QPoint to = editor.pixel(grabbed + Vec3(1.33F, 0, 0));
        const auto x = [&](const char* name) { return editor.panel->editor().places().find(name)->world.position.x; };
        const auto isOnGrid = [](float value) { return std::abs(value - std::round(value * 2.0F) / 2.0F) < 1e-4F; };
        QTest::mousePress(&editor.view(), Qt::LeftButton, Qt::ControlModifier, from);
        editor.moveTo(from, to, Qt::LeftButton, Qt::ControlModifier);
        editor.settle();
        QTRY_VERIFY(editor.panel->editor().places().find("right_2") != nullptr);
        QTRY_VERIFY(x("right_2") > 3.0F && !isOnGrid(x("right_2")));
        editor.moveTo(to, to + QPoint(1, 0), Qt::LeftButton, {});
        editor.moveTo(to + QPoint(1, 0), to, Qt::LeftButton, Qt::ControlModifier);
        editor.settle();
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, Qt::ControlModifier, to);
        QVERIFY2(isOnGrid(x("right_2")), qPrintable(QString::number(double(x("right_2")))));
        QVERIFY(x("right") == 2.0F);
    }
    // Without a gizmo in hand too: on the selected entity itself, level with the ground.
    void ctrlDragOnTheSelectedEntity() {
        Editor editor;
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.select")));
        editor.selection.setEntity("right", QStringLiteral("test"));
        const QPoint from = editor.pixel({2.0F, 1.0F, 0.2F}); // on its top
        editor.drag(from, editor.pixel({3.5F, 1.0F, 1.2F}), Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(editor.selected(), Names{"right_2"});
        const Vec3 copy = editor.panel->editor().places().find("right_2")->world.position;
        QVERIFY2(std::abs(copy.x - 3.5F) < 0.1F && std::abs(copy.z - 1.0F) < 0.15F && copy.y == 0.5F,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(double(copy.x)).arg(double(copy.y)).arg(double(copy.z))));
        // On what is not selected it is a band that toggles, as before.
        const std::string text = editor.scene();
        editor.drag(editor.pixel({-2.0F, 0.5F, 0.5F}), editor.pixel({-2.0F, 0.5F, 0.5F}) + QPoint(30, 30), Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(editor.scene(), text);
    }
    // While a world runs copies are made in it alone; what dies during the drag is let go of.
    void ctrlDragInARunningWorld() {
        Editor editor;
        editor.play();
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        QVERIFY(frame);
        const Vec3 grabbed = frame->origin + Vec3(0, frame->size * 0.7F, 0);
        const QPoint from = editor.pixel(grabbed);
        QTest::mousePress(&editor.view(), Qt::LeftButton, Qt::ControlModifier, from);
        editor.moveTo(from, editor.pixel(grabbed + Vec3(0, 2.0F, 0)), Qt::LeftButton, Qt::ControlModifier);
        QTRY_COMPARE(editor.selected(), Names{"right_2"});
        QTRY_VERIFY(editor.place("right_2") && editor.place("right_2")->y > 2.0F);
        QVERIFY(editor.place("right")->y < 1.0F);
        editor.session.post([](Session& session) { session.world().destroy(session.world().find("right_2").id()); });
        QTRY_VERIFY(editor.row("right_2") == nullptr);
        editor.pass(4);
        QTest::keyClick(&editor.view(), Qt::Key_Escape);
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, from);
        QCOMPARE(editor.scene(), std::string(SceneText));
        editor.stop();
    }
    // Another program writes the scene while somebody drags: one message, and the drag is over.
    void whatIsDraggedGoesFromTheFile() {
        Editor editor;
        QSignalSpy problems(editor.panel.get(), &ViewportPanel::problem);
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        const Vec3 grabbed = frame->origin + Vec3(frame->size * 0.7F, 0, 0);
        const QPoint from = editor.pixel(grabbed);
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, from);
        editor.moveTo(from, from + QPoint(20, 0), Qt::LeftButton);
        editor.settle();
        editor.document.endMerge();
        const auto gone = definition::removeInstances(editor.scene(), {"right"});
        QVERIFY(gone && editor.document.edit({"test.scene.toml", *gone, QStringLiteral("elsewhere"), {}}).ok());
        const std::string text = editor.scene();
        for (int i = 0; i < 3; ++i) {
            editor.moveTo(from + QPoint(20, 0), from + QPoint(60 + i, 0), Qt::LeftButton);
            editor.settle();
        }
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, from + QPoint(60, 0));
        QCOMPARE(problems.count(), 1);
        QVERIFY(!editor.panel->gizmo().dragging());
        QCOMPARE(editor.scene(), text);
    }
    void copiesAreShownAndRepeated() {
        Editor editor;
        QSignalSpy said(editor.panel.get(), &ViewportPanel::done);
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicate")));
        QVERIFY(said.count() == 1 && said[0][0].toString().startsWith(QStringLiteral("1 duplicated, exactly on its original")));
        QVERIFY(editor.panel->flashing());
        QTRY_VERIFY(!editor.panel->flashing());
        // Moved by a gizmo, a panel or a text edit: the same once more, each a single step.
        QVERIFY(editor.document
                    .edit({"test.scene.toml",
                           *definition::setInstancePlaces(editor.scene(), {{"right_2", Vec3(2.0F, 0.5F, 1.5F), Vec3(0, 30, 0), {}}}),
                           QStringLiteral("typed"), {}})
                    .ok());
        const int steps = editor.document.undoStack().count();
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicateAgain")));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicateAgain")));
        QCOMPARE(editor.document.undoStack().count(), steps + 2);
        QCOMPARE(editor.selected(), Names{"right_4"});
        const auto pose = [&](const char* name) { return editor.panel->editor().places().find(name)->world; };
        QVERIFY(glm::length(pose("right_3").position - Vec3(2.0F, 0.5F, 3.0F)) < 1e-3F);
        QVERIFY(glm::length(pose("right_4").position - Vec3(2.0F, 0.5F, 4.5F)) < 1e-3F);
        QVERIFY(std::abs(toEulerDegrees(pose("right_4").rotation).y - 90.0F) < 0.01F);
        editor.document.undoStack().undo();
        editor.document.undoStack().undo();
        QVERIFY(editor.panel->editor().places().find("right_3") == nullptr);
        // Something else is selected: there is nothing to do again, and that is said.
        editor.selection.setEntity("left", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicateAgain")));
        QVERIFY(pose("left_2").position == pose("left").position);
        QVERIFY(said.last()[0].toString().contains(QStringLiteral("exactly in place")));
        editor.play();
        QVERIFY(!editor.actions.trigger(QStringLiteral("edit.duplicateAgain")).ok());
        editor.stop();
    }
    void gizmoMovesAsOneStep() {
        Editor editor;
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const std::string before = editor.scene();
        const int steps = editor.document.undoStack().count();
        const auto frame = editor.panel->gizmo().frame();
        QVERIFY(frame);
        QVERIFY(glm::length(frame->origin - Vec3(2, 0.5F, 0)) < 1e-4F);
        const Vec3 grabbed = frame->origin + Vec3(frame->size * 0.7F, 0, 0);
        editor.drag(editor.pixel(grabbed), editor.pixel(grabbed + Vec3(1.5F, 0, 0)));
        QCOMPARE(editor.document.undoStack().count(), steps + 1);
        const auto moved = editor.panel->editor().places().find("right")->local.position;
        QVERIFY2(std::abs(moved.x - 3.5F) < 0.05F && moved.y == 0.5F && moved.z == 0.0F, qPrintable(QString::number(moved.x)));
        QVERIFY(editor.scene().find("# stays") != std::string::npos);
        QTRY_VERIFY(editor.place("right") && std::abs(editor.place("right")->x - moved.x) < 1e-3F);
        editor.document.undoStack().undo();
        QCOMPARE(editor.scene(), before);
        QTRY_VERIFY(std::abs(editor.place("right")->x - 2.0F) < 1e-3F);
    }
    void gizmoPreviewsAtOnceAndEscTakesBack() {
        Editor editor;
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const std::string before = editor.scene();
        const auto frame = editor.panel->gizmo().frame();
        const Vec3 grabbed = frame->origin + Vec3(0, frame->size * 0.7F, 0);
        const QPoint from = editor.pixel(grabbed);
        QTest::mouseMove(&editor.view(), from);
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, from);
        QVERIFY(editor.panel->gizmo().dragging());
        editor.moveTo(from, from - QPoint(0, 40), Qt::LeftButton);
        editor.settle();
        QVERIFY(!editor.panel->gizmo().readout().isEmpty());
        QVERIFY(editor.scene() != before); // the running editor shows it everywhere
        QTest::keyClick(&editor.view(), Qt::Key_Escape);
        QVERIFY(!editor.panel->gizmo().dragging());
        QCOMPARE(editor.scene(), before);
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, from);
        QCOMPARE(editor.scene(), before);
    }
    void typedNumbersRuleADrag() {
        Editor editor;
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        const QPoint from = editor.pixel(frame->origin + Vec3(0, frame->size * 0.7F, 0));
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, from);
        QTest::keyClicks(&editor.view(), QStringLiteral("2.25"));
        QTest::keyClick(&editor.view(), Qt::Key_Return);
        QCOMPARE(editor.panel->editor().places().find("right")->local.position, Vec3(2, 2.75F, 0));
    }
    void createsOnTheFloorAndOnTop() {
        Editor editor;
        QVERIFY(editor.panel->createAt(QStringLiteral("Crate"), editor.pixel({0.0F, 0.0F, 3.0F})));
        QCOMPARE(editor.selected(), Names{"crate"});
        Vec3 at = editor.panel->editor().places().find("crate")->local.position;
        QVERIFY2(glm::length(at - Vec3(0, 0.5F, 3)) < 0.1F && std::abs(at.y - 0.5F) < 1e-3F,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(at.x).arg(at.y).arg(at.z)));
        QTRY_VERIFY(editor.row("crate") != nullptr);
        QVERIFY(editor.panel->createAt(QStringLiteral("Crate"), editor.pixel({2.0F, 1.0F, 0.0F})));
        at = editor.panel->editor().places().find("crate_2")->local.position;
        QVERIFY(std::abs(at.y - 1.5F) < 1e-3F);
        QSignalSpy problems(editor.panel.get(), &ViewportPanel::problem);
        editor.document.undoStack().undo();
        editor.document.undoStack().undo();
        QCOMPARE(editor.scene(), std::string(SceneText));
        QCOMPARE(problems.count(), 0);
    }
    void takesDropsFromTheBrowser() {
        Editor editor;
        QMimeData data;
        data.setData(QLatin1String(EntityTypeMime), "Crate");
        const QPoint at = editor.pixel({0.0F, 0.0F, 3.0F});
        QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(editor.panel.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(at, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(editor.panel.get(), &move);
        editor.settle();
        QDropEvent drop(QPointF(at), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(editor.panel.get(), &drop);
        QVERIFY(editor.panel->editor().places().find("crate") != nullptr);
        QMimeData other;
        other.setText(QStringLiteral("Crate"));
        QDragEnterEvent refused(at, Qt::CopyAction, &other, Qt::LeftButton, {});
        refused.ignore();
        QApplication::sendEvent(editor.panel.get(), &refused);
        QVERIFY(!refused.isAccepted());
    }
    void duplicatesAndDeletes() {
        Editor editor;
        editor.selection.setEntities({"left", "right"}, QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicate")));
        QCOMPARE(editor.selected(), (Names{"left_2", "right_2"}));
        QTRY_VERIFY(editor.row("right_2") != nullptr);
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.delete")));
        QVERIFY(editor.selection.empty());
        QCOMPARE(editor.scene(), std::string(SceneText));
        QTRY_VERIFY(editor.row("right_2") == nullptr);
        QVERIFY(!editor.actions.trigger(QStringLiteral("edit.delete")).ok()); // nothing selected
        editor.document.undoStack().undo();
        editor.document.undoStack().undo();
        QCOMPARE(editor.scene(), std::string(SceneText));
    }
    void aRunningWorldIsChangedAloneAndStopTakesItBack() {
        Editor editor;
        editor.play();
        editor.selection.setEntity("left", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.delete")));
        QTRY_VERIFY(editor.row("left") == nullptr);
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("edit.duplicate")));
        QTRY_COMPARE(editor.selected(), Names{"right_2"});
        QVERIFY(editor.panel->createAt(QStringLiteral("Crate"), {400, 400}));
        QTRY_COMPARE(editor.selected(), Names{"crate"});
        QCOMPARE(editor.scene(), std::string(SceneText));
        QVERIFY(!editor.document.isDirty());
        editor.stop();
        QTRY_VERIFY(editor.row("left") != nullptr && editor.row("right_2") == nullptr && editor.row("crate") == nullptr);
    }
    void gizmoMovesARunningWorld() {
        Editor editor;
        editor.play();
        editor.selection.setEntity("right", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        editor.settle();
        const auto frame = editor.panel->gizmo().frame();
        QVERIFY(frame);
        const Vec3 grabbed = frame->origin + Vec3(0, frame->size * 0.7F, 0);
        const QPoint from = editor.pixel(grabbed);
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, from);
        editor.moveTo(from, editor.pixel(grabbed + Vec3(0, 2.0F, 0)), Qt::LeftButton);
        QTRY_VERIFY(editor.place("right")->y > 2.2F); // held up in the air
        for (int i = 0; i < 6; ++i) {
            editor.pass(3);
            QVERIFY(editor.place("right")->y > 2.2F);
        }
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, from);
        QTRY_VERIFY(editor.place("right")->y < 1.0F); // falls
        QCOMPARE(editor.scene(), std::string(SceneText));
    }
    void keysWalkTheFigure() {
        Editor editor;
        editor.play();
        editor.view().setFocus();
        QTRY_VERIFY(editor.view().hasFocus());
        const Vec3 start = *editor.place("player");
        QTest::keyPress(&editor.view(), Qt::Key_W);
        QCOMPARE(editor.panel->gizmo().tool(), Tool::Select); // W is the world's while it runs
        QTRY_VERIFY(editor.place("player")->z < start.z - 1.0F);
        QTest::keyRelease(&editor.view(), Qt::Key_W);
        bool rests = false;
        for (int i = 0; i < 10 && !rests; ++i) {
            const Vec3 before = *editor.place("player");
            editor.pass(18);
            rests = glm::length(*editor.place("player") - before) < 0.05F;
        }
        QVERIFY(rests);
        editor.stop();
        QTest::keyClick(&editor.view(), Qt::Key_W);
        QCOMPARE(editor.panel->gizmo().tool(), Tool::Move);
    }
    void playersCamera() {
        Editor editor;
        QVERIFY(!editor.actions.trigger(QStringLiteral("view.playerCamera")).ok()); // stopped
        editor.play();
        QTRY_VERIFY(editor.view().shown().scene().camera.has_value());
        QVERIFY(editor.actions.trigger(QStringLiteral("view.playerCamera")));
        QVERIFY(editor.view().playerCamera() && editor.panel->input().walking());
        QVERIFY(glm::length(editor.view().camera().pose.position - Vec3(0, 1.7F, -8)) < 0.5F);
        QTest::keyClick(&editor.view(), Qt::Key_Escape);
        QVERIFY(!editor.view().playerCamera() && !editor.panel->input().walking());
        QVERIFY(editor.actions.trigger(QStringLiteral("view.playerCamera")));
        editor.stop();
        QVERIFY(!editor.view().playerCamera());
    }
    void cameraFliesAndSurvivesPlay() {
        Editor editor;
        const Vec3 start = editor.view().rig().eye();
        QTest::mousePress(&editor.view(), Qt::RightButton, {}, {400, 300});
        QTest::keyPress(&editor.view(), Qt::Key_W);
        QVERIFY(editor.panel->input().flying());
        QTRY_VERIFY(glm::length(editor.view().rig().eye() - start) > 0.5F);
        QTest::keyRelease(&editor.view(), Qt::Key_W);
        QTest::mouseRelease(&editor.view(), Qt::RightButton, {}, {400, 300});
        QVERIFY(!editor.panel->input().flying());
        Vec3 flown = editor.view().rig().eye();
        for (int still = 0; still < 2;) { // its speed dies away
            editor.settle();
            still = editor.view().rig().eye() == flown ? still + 1 : 0;
            flown = editor.view().rig().eye();
        }
        editor.play();
        editor.stop();
        QCOMPARE(editor.view().rig().eye(), flown);
        QCOMPARE(editor.panel->gizmo().tool(), Tool::Select); // W was the flight's
    }
    void framesTheSelectionAndComesHome() {
        Editor editor;
        editor.selection.setEntity("behind", QStringLiteral("test"));
        QVERIFY(editor.actions.trigger(QStringLiteral("view.frame")));
        QTRY_VERIFY(glm::length(editor.view().rig().focusPoint() - Vec3(-2, 0.5F, -3)) < 0.05F);
        QVERIFY(editor.actions.trigger(QStringLiteral("view.home")));
        QTRY_VERIFY(glm::length(editor.view().rig().focusPoint() - Vec3(-2, 0.5F, -3)) > 0.5F);
    }
    // Where the camera stood is kept for the project, apart from the tools; a damaged or missing record means the home view.
    void theCameraIsKeptForTheProject() {
        Editor editor;
        editor.view().rig().lookAt({7, 8, 9}, {0, 1, 0});
        const QVariantMap camera = editor.panel->saveCamera();
        const float yaw = editor.view().rig().yaw();
        editor.document.close();
        editor.openProject();
        QVERIFY(editor.view().rig().eye() != Vec3(7, 8, 9));
        editor.document.close();
        editor.openProject();
        editor.panel->restoreCamera(camera);
        editor.settle();
        QCOMPARE(editor.view().rig().eye(), Vec3(7, 8, 9));
        QCOMPARE(editor.view().rig().yaw(), yaw);
        for (const char* key : {"eye", "yaw", "focus"}) {
            QVariantMap broken = camera;
            broken.insert(QLatin1String(key), QStringLiteral("somewhere"));
            editor.panel->restoreCamera(broken);
            editor.settle();
            QVERIFY2(editor.view().rig().eye() != Vec3(7, 8, 9), key);
            editor.panel->restoreCamera(camera);
        }
    }
    // What was given up to keep up with motion comes back when nothing moves: after Stop, in a pause, after a flight.
    void aStillPictureHasFullQuality() {
        Editor editor;
        const int best = editor.view().qualityLevel();
        std::atomic<bool> slow = true;
        editor.panel->addDrawing([&slow](render::View&) { // a machine that draws slowly
            QElapsedTimer clock;
            clock.start();
            while (slow && clock.elapsed() < 60) {
            }
        });
        editor.play();
        QTRY_VERIFY_WITH_TIMEOUT(editor.view().governor().level() > best, 60000);
        QCOMPARE(editor.view().qualityLevel(), editor.view().governor().level());
        slow = false;
        bool drawnSo = false;
        const auto connection = QObject::connect(&editor.view(), &ViewportView::frameShown, &editor.view(), [&] {
            drawnSo = editor.view().qualityLevel() == best;
        });
        editor.stop();
        QTRY_COMPARE_WITH_TIMEOUT(editor.view().qualityLevel(), best, 10000);
        QTRY_VERIFY_WITH_TIMEOUT(drawnSo, 10000);
        QObject::disconnect(connection);
        QVERIFY(editor.view().governor().level() > best);
        editor.play(); // from the first moment as simple as this machine needs it
        QTRY_COMPARE_WITH_TIMEOUT(editor.view().qualityLevel(), editor.view().governor().level(), 10000);
        editor.session.post([](Session& s) { s.pause(); });
        QTRY_COMPARE_WITH_TIMEOUT(editor.view().qualityLevel(), best, 10000);
    }
    void saysThatAProjectLoads() {
        Editor editor;
        editor.panel->setLoading(QStringLiteral("Courtyard"));
        auto* loading = editor.panel->findChild<QWidget*>(QStringLiteral("viewport.loading"));
        QVERIFY(loading != nullptr && loading->isVisible());
        QCOMPARE(loading->findChild<QLabel*>(QStringLiteral("emptyState.line"))->text(), QStringLiteral("Loading Courtyard…"));
        QVERIFY(!editor.view().isVisible());
        editor.panel->setLoading({});
        QVERIFY(!loading->isVisible());
        QVERIFY(editor.view().isVisible());
    }
    // Statistics, read-out, notices and the handles of the gizmo: wherever the handles are, none lies over another.
    void nothingLiesOverAnything() {
        Editor editor;
        auto* stats = editor.panel->findChild<QLabel*>(QStringLiteral("viewport.stats"));
        auto* readout = editor.panel->findChild<QLabel*>(QStringLiteral("viewport.readout"));
        auto* strip = editor.panel->findChild<QWidget*>(QStringLiteral("viewport.strip"));
        editor.settle();
        QVERIFY(!stats->isVisible()); // off at the start
        QVERIFY(editor.actions.trigger(QStringLiteral("view.stats")));
        QTRY_VERIFY(stats->isVisible());
        const QRect notices(editor.panel->width() - 380, editor.panel->height() - 80, 360, 60);
        editor.panel->setCovered([notices] { return std::vector<QRect>{notices}; });
        editor.selection.setEntity("right", QStringLiteral("test"));
        for (const char* tool : {"tool.move", "tool.rotate", "tool.scale"}) {
            QVERIFY(editor.actions.trigger(QLatin1String(tool)));
            // The entity is led past every corner and the middle of the picture.
            for (const Vec2& side : {Vec2(-1, -1), Vec2(1, -1), Vec2(-1, 1), Vec2(1, 1), Vec2(0, 0)}) {
                const Vec3 target = Vec3(2.0F, 0.5F, 0.0F) - Vec3(side.x * 5.0F, side.y * 3.5F, 0.0F);
                editor.view().rig().lookAt(target + Vec3(0, 0, 12), target);
                editor.settle();
                const QRect gizmo = editor.panel->gizmoArea();
                QVERIFY(!gizmo.isEmpty());
                const QList<QRect> plates{gizmo, strip->geometry(), notices, stats->geometry()};
                for (qsizetype i = 0; i < plates.size(); ++i)
                    for (qsizetype j = std::max<qsizetype>(i + 1, 3); j < plates.size(); ++j)
                        QVERIFY2(!plates[i].intersects(plates[j]),
                                 qPrintable(QStringLiteral("%1 at %2, %3: %4 over %5").arg(QLatin1String(tool)).arg(side.x).arg(side.y).arg(j).arg(i)));
                QVERIFY(editor.panel->rect().contains(stats->geometry()));
            }
        }
        // While an arm is dragged its read-out keeps clear of it, of the statistics and of the notices.
        QVERIFY(editor.actions.trigger(QStringLiteral("tool.move")));
        const Vec3 crate(2.0F, 0.5F, 0.0F);
        editor.view().rig().lookAt(crate + Vec3(0, 3, 12), crate);
        editor.settle();
        const QPoint from = editor.pixel(crate + Vec3(editor.panel->gizmo().frame()->size * 0.8F, 0.0F, 0.0F));
        QCursor::setPos(editor.view().mapToGlobal(from));
        QTest::mouseMove(&editor.view(), from);
        QTest::mousePress(&editor.view(), Qt::LeftButton, {}, from);
        editor.moveTo(from, from + QPoint(40, 0), Qt::LeftButton);
        QTRY_VERIFY(readout->isVisible());
        editor.settle();
        QVERIFY(editor.panel->gizmo().dragging());
        for (const QRect& other : {editor.panel->gizmoArea(), notices, strip->geometry(), stats->geometry()})
            QVERIFY(!readout->geometry().intersects(other));
        QTest::mouseRelease(&editor.view(), Qt::LeftButton, {}, from + QPoint(40, 0));
    }
    // Copied entities are text: they come back with free names as one step, and from any other text too.
    void copiesCutsAndPastes() {
        Editor editor;
        editor.view().setFocus();
        QTRY_VERIFY(editor.view().hasFocus());
        const std::string before = editor.scene();
        const int steps = editor.document.undoStack().count();
        QSignalSpy problems(editor.panel.get(), &ViewportPanel::problem);
        editor.selection.setEntities({"left", "right"}, QStringLiteral("test"));
        QTest::keyClick(&editor.view(), Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith(QStringLiteral("[[entity]]\ntype = \"Crate\"\nname = \"left\"")), qPrintable(text));
        QCOMPARE(text.count(QStringLiteral("[[entity]]")), 2);
        QCOMPARE(editor.scene(), before);
        QTest::keyClick(&editor.view(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(editor.selected(), (Names{"left_2", "right_2"}));
        QCOMPARE(editor.document.undoStack().count(), steps + 1);
        QTRY_VERIFY(editor.row("right_2") != nullptr);
        editor.document.undoStack().undo();
        QCOMPARE(editor.scene(), before);
        editor.selection.setEntity("left", QStringLiteral("test"));
        QTest::keyClick(&editor.view(), Qt::Key_X, Qt::ControlModifier);
        QTRY_VERIFY(editor.row("left") == nullptr);
        QTest::keyClick(&editor.view(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(editor.row("left") != nullptr);
        QVERIFY(problems.isEmpty());

        QGuiApplication::clipboard()->setText(QStringLiteral("[[entity]]\ntype = \"Crate\"\nname = \"typed\"\nparent = \"elsewhere\"\n"));
        QSignalSpy notes(editor.panel.get(), &ViewportPanel::note);
        QTest::keyClick(&editor.view(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(editor.row("typed") != nullptr);
        QVERIFY(notes.count() == 1 && notes[0][0].toString().startsWith(QStringLiteral("typed hangs from nothing now")));
        const std::string good = editor.scene();
        for (const char* bad : {"Buy milk.", "", "[[entity]]\ntype = \"Crte\"\n"}) {
            QGuiApplication::clipboard()->setText(QLatin1String(bad));
            problems.clear();
            QTest::keyClick(&editor.view(), Qt::Key_V, Qt::ControlModifier);
            QVERIFY2(problems.count() == 1
                         && problems[0][0].toString().startsWith(QStringLiteral("the clipboard cannot be pasted as entities: ")),
                     bad);
            QCOMPARE(editor.scene(), good);
        }
        editor.play();
        problems.clear();
        QTest::keyClick(&editor.view(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(problems.count() == 1 && problems[0][0].toString().contains(QStringLiteral("when the world is stopped")));
        editor.stop();
    }
    void playEdgeAndPace() {
        Editor editor;
        const auto corner = [&] { return editor.view().picture().pixelColor(0, 300); };
        const QColor play = editor.theme.color(Token::Play);
        QVERIFY(corner() != play);
        editor.play();
        editor.settle();
        QCOMPARE(corner().rgb(), play.rgb());
        QSignalSpy fps(editor.panel.get(), &ViewportPanel::framesPerSecondChanged);
        QTRY_VERIFY_WITH_TIMEOUT(fps.count() >= 3, 10000);
        qInfo("%.0f frames a second, %.1f ms each, %s", editor.view().framesPerSecond(), editor.view().frameMs(),
              editor.view().isSoftware() ? "software" : "hardware");
        if (editor.view().isSoftware())
            QCOMPARE(editor.view().cvars().msaa.get(), 0);
        editor.stop();
        editor.settle();
        QVERIFY(corner() != play);
        // On demand again: the view looks for news, finds none and draws nothing.
        QTRY_COMPARE(fps.constLast().at(0).toDouble(), 0.0);
        const auto* poll = editor.view().findChild<QTimer*>(QStringLiteral("viewport.poll"));
        QVERIFY(poll != nullptr && poll->isActive());
        QSignalSpy looks(poll, &QTimer::timeout);
        QSignalSpy frames(&editor.view(), &ViewportView::frameShown);
        QTRY_VERIFY(looks.count() >= 10);
        QVERIFY2(frames.count() <= 3, qPrintable(QString::number(frames.count())));
    }
    void menuOffersTypes() {
        Editor editor;
        const QPoint at = editor.pixel({2.0F, 0.5F, 0.5F});
        const std::unique_ptr<QMenu> menu(editor.panel->menuFor(at));
        QCOMPARE(editor.selected(), Names{"right"});
        const auto* create = menu->findChild<QMenu*>(QStringLiteral("viewport.menu.create"));
        QVERIFY(create != nullptr);
        QStringList types;
        for (const QAction* action : create->actions())
            types += action->text();
        QCOMPARE(types.mid(0, 6), (QStringList{QStringLiteral("Floor"), QStringLiteral("Crate"), QStringLiteral("Marker"), QStringLiteral("Player"),
                                               QStringLiteral("Built in"), QStringLiteral("Empty")}));
        QVERIFY(types.contains(QStringLiteral("Box")));
        create->actions()[1]->trigger();
        QVERIFY(editor.panel->editor().places().find("crate") != nullptr);
    }

private:
    Theme m_theme;
};

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    TestPanel test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_panel.moc"
