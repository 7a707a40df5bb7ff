// Handles of components on the real window: dragged with the mouse, and what becomes of the scene's text, of undo and of the running world.
// Wants a display. Leaves pictures in the build folder's screenshots/.

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QMouseEvent>
#include <QtTest>

#include <glm/geometric.hpp>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/project_templates.h"
#include "engine/render/camera.h"
#include "tests/event_loop.h"
#include "tests/folders.h"
#include "widgets/common/document.h"
#include "widgets/common/project_model.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/handle_control.h"
#include "widgets/viewport/viewport_panel.h"

#include <memory>
#include <string>
#include <vector>

using namespace sbx;

namespace {

constexpr int Patience = 60000; // ms; a loaded machine draws slowly
const QString Test = QStringLiteral("test");

const std::string Types = "[Crate]\n[Crate.Body]\nmotion = \"static\"\n[Crate.Mesh]\n"
                          "[Lamp]\n[Lamp.Light]\nrange = 2.0\n"
                          "[Door]\n[Door.Body]\n[Door.Hinge]\n";

std::string entity(const char* type, const std::string& name, const std::string& position) {
    return std::string("\n[[entity]]\ntype = \"") + type + "\"\nname = \"" + name + "\"\nposition = " + position + "   # here\n";
}

const std::string Scene = "[scene]\nname = \"S\"\n" + entity("Crate", "crate", "[3.0, 0.5, 0.0]") + entity("Lamp", "lamp", "[-2.0, 1.0, 0.0]")
                          + entity("Door", "door", "[0.0, 1.0, 0.0]");

} // namespace

class TestUiHandles : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::Document& document() { return m_editor->document(); }
    ui::ViewportPanel& viewport() { return window().viewport(); }
    ui::ViewportView& view() { return viewport().view(); }
    [[nodiscard]] std::string scene() const { return m_editor->document().text("main.scene.toml"); }
    void settle() {
        QSignalSpy frames(&view(), &ui::ViewportView::frameShown);
        for (int i = 0; i < 2; ++i) {
            view().wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > i, Patience);
        }
    }
    void select(const char* name) {
        m_editor->selection().setEntity(name, Test);
        settle();
    }
    QPoint pixel(const Vec3& point) {
        const ui::GizmoView geometry = view().gizmoView();
        const auto at = render::projectToPixel(geometry.camera, geometry.width, geometry.height, point);
        return at ? QPointF(at->x, at->y).toPoint() / static_cast<double>(geometry.pixelRatio) : QPoint(-1, -1);
    }
    // The handle of that setting that lies farthest along a direction.
    std::optional<Vec3> handle(const char* field, const Vec3& direction) {
        std::optional<Vec3> best;
        for (const ui::ComponentHandle& each : viewport().handles().handles())
            if (each.field == field && (!best || glm::dot(each.at - *best, direction) > 0.0F))
                best = each.at;
        return best;
    }
    void moveTo(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
        for (int i = 1; i <= 6; ++i) {
            const QPoint at = from + (to - from) * i / 6;
            QMouseEvent event(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
            QApplication::sendEvent(&view(), &event);
            test::turn();
        }
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
        QTest::mousePress(&view(), Qt::LeftButton, {}, from);
        QVERIFY(viewport().handles().dragging());
        moveTo(from, to, keys);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, to);
        QVERIFY(!viewport().handles().dragging());
    }
    QString readout() {
        const auto* chip = window().findChild<QLabel*>(QStringLiteral("viewport.readout"));
        return chip != nullptr && chip->isVisible() ? chip->text() : QString();
    }
    // Of that instance, as the scene's text says.
    std::optional<Value> setting(const char* entity, const char* component, const char* field) {
        m_editor->project().refresh();
        const definition::InstanceDefinition* instance = m_editor->project().content()->scene.find(entity);
        for (const definition::ComponentDefinition& own : instance->overrides)
            if (own.name == component)
                if (const definition::Setting* found = own.find(field))
                    return found->value;
        return std::nullopt;
    }

private slots:
    void initTestCase() {
        const QString folder = m_dir.filePath(QStringLiteral("project"));
        for (const editor::ProjectTemplate& each : editor::projectTemplates(resourceFolders()))
            if (each.id == QLatin1String("empty"))
                QVERIFY(editor::createProject(each, folder, QStringLiteral("Handles")).ok());
        for (const auto& [file, text] : {std::pair{"main.scene.toml", Scene}, std::pair{"entities.toml", Types}}) {
            QFile out(folder + QLatin1Char('/') + QLatin1String(file));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text.data(), qsizetype(text.size()));
        }
        editor::Options options;
        options.project = folder.toStdString();
        options.width = 1280;
        options.height = 720;
        options.cvars = {{"audio.volume", "0"}};
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        window().activateWindow();
        QTRY_VERIFY_WITH_TIMEOUT(window().isActiveWindow(), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().idOf("crate") != 0, Patience);
        view().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(view().hasFocus(), Patience);
        settle();
        view().rig().lookAt({0, 3, 12}, {0, 1, 0});
        settle();
    }
    void cleanup() {
        document().undoStack().setIndex(0);
        settle();
    }
    void cleanupTestCase() { m_editor.reset(); }

    void aLampsRangeIsDragged() {
        select("lamp");
        const std::string before = scene();
        const int steps = document().undoStack().index();
        const auto at = handle("range", {-1, 0, 0});
        QVERIFY(at && glm::length(*at - Vec3(-4, 1, 0)) < 1e-3F);
        const QPoint from = pixel(*at);
        // Not with the pointer of the display, which may be there already.
        QMouseEvent hover(QEvent::MouseMove, from, view().mapToGlobal(from), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&view(), &hover);
        QTRY_VERIFY_WITH_TIMEOUT(readout().startsWith(QStringLiteral("range 2.000 m")), Patience);
        QVERIFY(readout().contains(QStringLiteral("as type Lamp")));
        QTest::mousePress(&view(), Qt::LeftButton, {}, from);
        moveTo(from, pixel({-5, 1, 0}));
        QVERIFY2(readout().contains(QStringLiteral("override of Lamp")), qPrintable(readout()));
        QDir().mkpath(test::qBuildPath("screenshots"));
        settle();
        QVERIFY(window().saveScreenshot(test::qBuildPath("screenshots") + QStringLiteral("/handles.png")));
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, pixel({-5, 1, 0}));
        QCOMPARE(document().undoStack().index(), steps + 1);
        QCOMPARE(document().undoStack().undoText(), QStringLiteral("Set range of lamp"));
        const auto range = setting("lamp", "Light", "range");
        QVERIFY(range && std::abs(std::get<double>(*range) - 3.0) < 0.05);
        QVERIFY(scene().find("[entity.Light]\nrange = ") != std::string::npos);
        QCOMPARE(m_editor->selection().primary(), std::string("lamp")); // nothing was picked
        document().undoStack().undo();
        QCOMPARE(scene(), before);
        QVERIFY(!setting("lamp", "Light", "range"));
    }
    void escapeLeavesNoStep() {
        select("lamp");
        const std::string before = scene();
        const int steps = document().undoStack().index();
        const QPoint from = pixel(*handle("range", {-1, 0, 0}));
        QTest::mousePress(&view(), Qt::LeftButton, {}, from);
        moveTo(from, pixel({-5.5F, 1, 0}));
        settle(); // a frame writes what was dragged
        QTRY_VERIFY_WITH_TIMEOUT((settle(), scene() != before), Patience);
        QTest::keyClick(&view(), Qt::Key_Escape);
        QCOMPARE(scene(), before);
        QCOMPARE(document().undoStack().index(), steps);
        QVERIFY(!document().undoStack().canRedo());
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, pixel({-5.5F, 1, 0}));
        QCOMPARE(scene(), before);
    }
    void aNumberIsTyped() {
        select("lamp");
        const QPoint from = pixel(*handle("range", {-1, 0, 0}));
        QTest::mousePress(&view(), Qt::LeftButton, {}, from);
        moveTo(from, from + QPoint(20, 0));
        QTest::keyClicks(&view(), QStringLiteral("6.25"));
        QVERIFY2(readout().startsWith(QStringLiteral("range 6.250 m  [6.25]")), qPrintable(readout()));
        QTest::keyClick(&view(), Qt::Key_Return);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, from);
        QCOMPARE(std::get<double>(*setting("lamp", "Light", "range")), 6.25);
    }
    void snappingKeepsToSteps() {
        select("lamp");
        drag(pixel(*handle("range", {-1, 0, 0})), pixel({-4.7F, 1, 0}), Qt::ControlModifier);
        QCOMPARE(std::get<double>(*setting("lamp", "Light", "range")), 2.5);
    }
    void aBoxGrowsOnOneSideWithAlt() {
        select("crate");
        const int steps = document().undoStack().index();
        const auto right = handle("size", {1, 0, 0});
        QVERIFY(right && glm::length(*right - Vec3(3.5F, 0.5F, 0)) < 1e-3F);
        drag(pixel(*right), pixel({4.5F, 0.5F, 0}), Qt::AltModifier);
        QCOMPARE(document().undoStack().index(), steps + 1);
        const Vec3 size = std::get<Vec3>(*setting("crate", "Body", "size"));
        QVERIFY2(std::abs(size.x - 2.0F) < 0.05F && size.y == 1.0F && size.z == 1.0F, scene().c_str());
        const Vec3 position = viewport().editor().places().find("crate")->world.position;
        QVERIFY(std::abs(position.x - size.x * 0.5F - 2.5F) < 1e-3F); // the left face has stayed
        QVERIFY(scene().find("# here") != std::string::npos);
        document().undoStack().undo();
        QVERIFY(viewport().editor().places().find("crate")->world.position == Vec3(3.0F, 0.5F, 0.0F));
    }
    void aHingesAxisIsTurned() {
        select("door");
        const std::string before = scene();
        const auto tip = handle("axis", {0, 1, 0});
        QVERIFY(tip && tip->y > 1.2F);
        const float length = tip->y - 1.0F;
        drag(pixel(*tip), pixel(Vec3(0, 1, 0) + glm::normalize(Vec3(1.0F, 1.0F, 0.02F)) * length));
        const Vec3 axis = std::get<Vec3>(*setting("door", "Hinge", "axis"));
        QVERIFY2(glm::length(axis) > 0.99F && axis.x > 0.5F && axis.y > 0.4F, scene().c_str());
        QCOMPARE(document().undoStack().undoText(), QStringLiteral("Set axis of door"));
        document().undoStack().undo();
        QCOMPARE(scene(), before);
    }
    void lockedAndHiddenHaveNone() {
        select("lamp");
        QVERIFY(!viewport().handles().handles().empty());
        QVERIFY(m_editor->actions().trigger(QStringLiteral("edit.lock")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), viewport().handles().handles().empty()), Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("edit.unlock")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), !viewport().handles().handles().empty()), Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("view.handles")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), viewport().handles().handles().empty()), Patience);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("view.handles")));
        QTRY_VERIFY_WITH_TIMEOUT((settle(), !viewport().handles().handles().empty()), Patience);
    }
    void aRunningWorldIsChangedAlone() {
        const std::string before = scene();
        QVERIFY(m_editor->actions().trigger(QStringLiteral("play.start")));
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().mode() == Mode::Play, Patience);
        select("lamp");
        QTRY_VERIFY_WITH_TIMEOUT((settle(), handle("range", {-1, 0, 0}).has_value()), Patience);
        drag(pixel(*handle("range", {-1, 0, 0})), pixel({-5, 1, 0}));
        const auto living = [&]() -> double {
            for (const Inspection& each : view().shown().snapshot()->inspected)
                for (const InspectedComponent& component : each.components)
                    for (const InspectedField& field : component.settings)
                        if (each.name == "lamp" && component.name == "Light" && field.info->name == "range")
                            return std::get<double>(field.value);
            return 0.0;
        };
        QTRY_VERIFY_WITH_TIMEOUT((settle(), std::abs(living() - 3.0) < 0.05), Patience);
        QCOMPARE(scene(), before);
        QVERIFY(m_editor->actions().trigger(QStringLiteral("play.stop")));
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().mode() == Mode::Edit, Patience);
        QTRY_VERIFY_WITH_TIMEOUT((settle(), std::abs(glm::length(handle("range", {-1, 0, 0}).value_or(Vec3(0.0F)) - Vec3(-4, 1, 0))) < 1e-3F), Patience);
    }
};

QTEST_MAIN(TestUiHandles)
#include "tst_handles.moc"
