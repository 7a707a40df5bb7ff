// Four views of one scene in the editor's window: each with its camera, one selection, one tool. Wants a display.

#include <QApplication>
#include <QCursor>
#include <QLabel>
#include <QMimeData>
#include <QSurfaceFormat>
#include <QMenu>
#include <QToolButton>
#include <QtTest>

#include "app/editor/editor.h"
#include "app/editor/main_window.h"
#include "app/editor/scene_memory.h"
#include "tests/event_loop.h"
#include "widgets/common/action_registry.h"
#include "widgets/common/selection.h"
#include "widgets/viewport/pane_label.h"
#include "widgets/viewport/viewport_input.h"
#include "widgets/viewport/viewport_panel.h"
#include "widgets/viewport/viewport_strip.h"
#include "widgets/viewport/viewport_view.h"

#include <QDropEvent>

#include <glm/geometric.hpp>

using namespace sbx;

namespace {

constexpr int Patience = 20000; // ms; a loaded machine draws slowly
constexpr int Perspective = 0;
constexpr int Top = 1;
constexpr int Front = 2;
constexpr int Right = 3;

const char* ProjectText = R"([project]
name = "Test"
scene = "test.scene.toml"
definitions = ["entities.toml"]
)";
const char* DefinitionText = R"([Crate]
[Crate.Body]
size = [1.0, 1.0, 1.0]
motion = "static"
[Crate.Mesh]
color = [0.6, 0.4, 0.2, 1.0]

[Player]
[Player.Body]
shape = "capsule"
radius = 0.4
height = 1.8
upright = true
[Player.Mesh]
[Player.Walk]
[Player.Camera]
)";
// Apart in every view.
const char* SceneText = R"([scene]
name = "Test"

[[entity]]
type = "Crate"
name = "a"
position = [-3.0, 0.5, 2.0]

[[entity]]
type = "Crate"
name = "b"
position = [0.0, 3.0, -1.0]

[[entity]]
type = "Crate"
name = "c"
position = [3.0, 5.5, -4.0]

[[entity]]
type = "Player"
name = "player"
position = [0.0, 1.0, 8.0]
)";

void write(const QString& path, const char* text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

using Names = std::vector<std::string>;

} // namespace

class TestFourViews : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<editor::Editor> m_editor;

    editor::MainWindow& window() { return m_editor->window(); }
    ui::ViewportPanel& panel() { return window().viewport(); }
    ui::ViewportView& view() { return panel().view(); }
    const Names& selected() { return m_editor->selection().entities(); }
    bool trigger(const char* id) { return m_editor->actions().trigger(QLatin1String(id)).ok(); }
    // Nothing is left to be drawn.
    void settle() {
        QSignalSpy frames(&view(), &ui::ViewportView::frameShown);
        for (int i = 0; i < 2; ++i) {
            view().wake();
            QTRY_VERIFY_WITH_TIMEOUT(frames.count() > i, Patience);
        }
    }
    void start() {
        editor::Options options;
        options.project = m_dir.filePath(QStringLiteral("project")).toStdString();
        options.width = 1280;
        options.height = 760; // panes that have all three crates in sight
        m_editor = std::make_unique<editor::Editor>(*qApp, options, m_dir.filePath(QStringLiteral("state")));
        m_editor->start();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QTRY_VERIFY_WITH_TIMEOUT(!panel().saveCamera().isEmpty(), Patience);
        window().activateWindow();
        view().setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(view().hasFocus(), Patience);
    }
    void startFour() {
        start();
        QVERIFY(trigger("view.four"));
        settle();
        QVERIFY(view().layout().showsSeveral());
    }
    // Where a pane shows a point.
    QPoint at(int pane, const Vec3& point) {
        const ui::GizmoView geometry = view().gizmoView(pane);
        const auto pixel = render::projectToPixel(geometry.camera, geometry.width, geometry.height, point);
        const double ratio = view().devicePixelRatioF();
        return pixel ? (QPointF(double(pixel->x), double(pixel->y)) / ratio + view().paneArea(pane).topLeft()).toPoint() : QPoint(-1, -1);
    }
    void move(const QPoint& place, Qt::MouseButtons buttons = Qt::NoButton, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent event(QEvent::MouseMove, place, view().mapToGlobal(place), Qt::NoButton, buttons, keys);
        QApplication::sendEvent(&view(), &event);
        sbx::test::turn();
    }
    void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {}) {
        move(from);
        QTest::mousePress(&view(), button, keys, from);
        for (int i = 1; i <= 8; ++i)
            move(from + (to - from) * i / 8, button, keys);
        QTest::mouseRelease(&view(), button, keys, to);
    }
    void wheel(const QPoint& place, int notches) {
        QWheelEvent event(place, view().mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view(), &event);
    }
    Vec3 placeOf(const std::string& name) { return panel().editor().places().find(name)->world.position; }
    static bool near(const Vec3& a, const Vec3& b, float within = 0.05F) { return glm::length(a - b) < within; }

private slots:
    void initTestCase() {
        QVERIFY(QDir().mkpath(m_dir.filePath(QStringLiteral("project"))));
    }
    void init() {
        write(m_dir.filePath(QStringLiteral("project/project.toml")), ProjectText);
        write(m_dir.filePath(QStringLiteral("project/entities.toml")), DefinitionText);
        write(m_dir.filePath(QStringLiteral("project/test.scene.toml")), SceneText);
        QDir(m_dir.filePath(QStringLiteral("state"))).removeRecursively();
    }
    void cleanup() { m_editor.reset(); }

    void fourSidesOfOneScene() {
        startFour();
        QCOMPARE(m_editor->actions().conflicts().size(), std::size_t(0));
        QVERIFY(!view().rig(Perspective).orthographic());
        QVERIFY(view().rig(Top).axisView() == ui::AxisView::Top);
        QVERIFY(view().rig(Front).axisView() == ui::AxisView::Front);
        QVERIFY(view().rig(Right).axisView() == ui::AxisView::Right);
        const QStringList texts{QStringLiteral("Perspective"), QStringLiteral("Top · orthographic"), QStringLiteral("Front · orthographic"),
                                QStringLiteral("Right · orthographic")};
        const auto labels = panel().findChildren<ui::PaneLabel*>();
        QCOMPARE(labels.size(), 4);
        for (int pane = 0; pane < 4; ++pane) {
            const ui::PaneLabel* label = labels[pane];
            QCOMPARE(label->text(), texts[pane]);
            QVERIFY(label->isVisible());
            QVERIFY(view().paneArea(pane).contains(label->geometry()));
            for (const char* name : {"a", "b", "c"})
                QVERIFY2(view().paneArea(pane).contains(at(pane, placeOf(name))), qPrintable(QStringLiteral("%1 in %2").arg(QLatin1String(name)).arg(pane)));
        }
        QVERIFY(trigger("view.four"));
        settle();
        QVERIFY(view().paneArea(Perspective) == view().rect() && !labels[Top]->isVisible());
    }

    void whatOneSelectsAllShow() {
        startFour();
        for (const int pane : {Top, Front, Right, Perspective})
            for (const char* name : {"a", "c", "b"}) {
                const QPoint place = at(pane, placeOf(name));
                move(place);
                QCOMPARE(view().layout().active(), pane);
                QTest::mouseClick(&view(), Qt::LeftButton, {}, place);
                QCOMPARE(selected(), Names{name});
            }
        // A band in the right view: what is high and far back.
        drag(at(Right, {0, 7, -0.2F}), at(Right, {0, 2, -5}));
        Names banded = selected();
        std::sort(banded.begin(), banded.end());
        QCOMPARE(banded, (Names{"b", "c"}));
        // It ends at the edge of its pane.
        drag(at(Right, {0, 7, 0}), at(Top, {-3, 0, 2}));
        QVERIFY(std::find(selected().begin(), selected().end(), "a") == selected().end());
    }

    void theToolWorksInEveryPane() {
        startFour();
        m_editor->selection().setEntity("a", QStringLiteral("test"));
        QVERIFY(trigger("tool.move"));
        settle();
        // Along X and Y in front, along Z from above: exactly what the pointer covers.
        const auto arm = [&](int pane, int axis) {
            const auto frame = panel().gizmo().frame(view().gizmoView(pane));
            return frame->origin + frame->axis(axis) * frame->size * 0.6F;
        };
        const auto shownAt = [&](const Vec3& place) { return near(panel().gizmo().frame(view().gizmoView(Front))->origin, place); };
        const Vec3 start = placeOf("a");
        Vec3 from = arm(Front, 0);
        drag(at(Front, from), at(Front, from + Vec3(2, 0, 0)));
        QTRY_VERIFY_WITH_TIMEOUT(near(placeOf("a"), start + Vec3(2, 0, 0)), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(shownAt(start + Vec3(2, 0, 0)), Patience);
        settle();
        from = arm(Front, 1);
        drag(at(Front, from), at(Front, from + Vec3(0, 1.5F, 0)));
        QTRY_VERIFY_WITH_TIMEOUT(near(placeOf("a"), start + Vec3(2, 1.5F, 0)), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(shownAt(start + Vec3(2, 1.5F, 0)), Patience);
        settle();
        from = arm(Top, 2);
        drag(at(Top, from), at(Top, from + Vec3(0, 0, -1)));
        QTRY_VERIFY_WITH_TIMEOUT(near(placeOf("a"), start + Vec3(2, 1.5F, -1)), Patience);
    }

    void mouseAndKeysGoToThePaneUnderTheMouse() {
        startFour();
        const auto others = [&](int but) {
            QVariantList places;
            for (int pane = 0; pane < 4; ++pane)
                if (pane != but)
                    places << QVariant::fromValue(view().rig(pane).eye().x) << view().rig(pane).focusDistance() << view().rig(pane).pitch();
            return places;
        };
        // The wheel keeps what is under the pointer, and drags keep the axis, but for the rounding of a pixel each way.
        for (const int pane : {Top, Front, Right}) {
            const QVariantList before = others(pane);
            const QPoint place = at(pane, {1, 2, -3});
            const float high = view().rig(pane).heightAtFocus();
            move(place);
            wheel(place, 2);
            QVERIFY(view().rig(pane).heightAtFocus() < high * 0.75F);
            QVERIFY((at(pane, {1, 2, -3}) - place).manhattanLength() <= 2);
            for (const Qt::MouseButton button : {Qt::MiddleButton, Qt::RightButton}) {
                const QPoint point = at(pane, {1, 2, -3});
                drag(view().paneArea(pane).center(), view().paneArea(pane).center() + QPoint(16, -24), button);
                QVERIFY((at(pane, {1, 2, -3}) - point - QPoint(16, -24)).manhattanLength() <= 2);
            }
            drag(view().paneArea(pane).center(), view().paneArea(pane).center() + QPoint(16, 8), Qt::LeftButton, Qt::AltModifier);
            QVERIFY(view().rig(pane).orthographicByAxis());
            QCOMPARE(others(pane), before);
        }
        // F frames in the pane under the mouse alone.
        m_editor->selection().setEntity("c", QStringLiteral("test"));
        const QVariantList before = others(Front);
        move(view().paneArea(Front).center());
        QTest::keyClick(&view(), Qt::Key_F);
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(near(view().rig(Front).focusPoint(), placeOf("c")), Patience);
        QCOMPARE(others(Front), before);
        // And the keypad turns it to another side.
        QTest::keyClick(&view(), Qt::Key_7, Qt::KeypadModifier | Qt::ControlModifier);
        QVERIFY(view().rig(Front).axisView() == ui::AxisView::Bottom);
        move(view().paneArea(Perspective).center());
        QTest::keyClick(&view(), Qt::Key_5, Qt::KeypadModifier);
        QVERIFY(view().rig(Perspective).orthographic());
        QTest::keyClick(&view(), Qt::Key_5, Qt::KeypadModifier);
        QVERIFY(!view().rig(Perspective).orthographic());
    }

    void oneFillsThePictureAndGoesBack() {
        startFour();
        const QRect small = view().paneArea(Right);
        move(small.center());
        QTest::keyClick(&view(), Qt::Key_Space, Qt::ControlModifier);
        settle();
        QVERIFY(view().layout().isMaximised());
        QCOMPARE(view().paneArea(Right), view().rect());
        QTest::mouseClick(&view(), Qt::LeftButton, {}, at(Right, placeOf("c")));
        QCOMPARE(selected(), Names{"c"});
        QTest::keyClick(&view(), Qt::Key_Space, Qt::ControlModifier);
        settle();
        QCOMPARE(view().paneArea(Right), small);
        // The strip between them moves them.
        auto* splitter = panel().findChild<QWidget*>(QStringLiteral("viewport.splitter.both"));
        QVERIFY(splitter != nullptr && splitter->isVisible());
        const QPoint middle = splitter->rect().center();
        QTest::mousePress(splitter, Qt::LeftButton, {}, middle);
        QMouseEvent moved(QEvent::MouseMove, middle + QPoint(-80, 40), splitter->mapToGlobal(middle + QPoint(-80, 40)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(splitter, &moved);
        QTest::mouseRelease(splitter, Qt::LeftButton, {}, middle);
        QVERIFY(view().paneArea(Right).width() > small.width() + 60);
        QVERIFY(view().paneArea(Right).height() < small.height() - 20);
        QTest::mouseDClick(splitter, Qt::LeftButton, {}, splitter->rect().center());
        QVERIFY(std::abs(view().paneArea(Right).width() - small.width()) <= 2);
    }

    // What has not changed is not drawn again.
    void aCameraThatMovesRedrawsItsOwnPaneAlone() {
        startFour();
        QTRY_COMPARE_WITH_TIMEOUT(view().qualityLevel(), view().isSoftware() ? render::softwareLevel() : 0, Patience);
        QSignalSpy frames(&view(), &ui::ViewportView::frameShown);
        const auto drawings = [&] {
            QList<std::uint64_t> counts;
            for (int pane = 0; pane < 4; ++pane)
                counts << view().drawings(pane);
            return counts;
        };
        move(view().paneArea(Top).center());
        settle();
        const QList<std::uint64_t> before = drawings();
        const auto shown = frames.count();
        wheel(view().paneArea(Top).center(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(frames.count() > shown, Patience);
        const QList<std::uint64_t> after = drawings();
        QVERIFY(after[Top] > before[Top]);
        for (const int pane : {Perspective, Front, Right})
            QCOMPARE(after[pane], before[pane]);
        // What all show is drawn in all.
        m_editor->selection().setEntity("b", QStringLiteral("test"));
        QTRY_VERIFY_WITH_TIMEOUT(drawings()[Right] > after[Right] && drawings()[Front] > after[Front], Patience);
    }

    void dropsLandWhereThePaneShows() {
        startFour();
        const QPoint place = view().mapTo(&panel(), at(Top, {4, 0, 4}));
        QMimeData data;
        data.setData(QString::fromLatin1(ui::EntityTypeMime), "Crate");
        QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&panel(), &enter);
        QDragMoveEvent over(place, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&panel(), &over);
        QCOMPARE(view().layout().active(), Top);
        QDropEvent drop(place, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&panel(), &drop);
        QTRY_VERIFY_WITH_TIMEOUT(selected().size() == 1 && selected().front() != "a", Patience);
        const Vec3 made = placeOf(selected().front());
        QVERIFY(std::abs(made.x - 4.0F) < 0.05F && std::abs(made.z - 4.0F) < 0.05F && std::abs(made.y - 0.5F) < 0.01F);
    }

    void theyAreKeptForTheNextRun() {
        startFour();
        view().setSplit({0.4, 0.6});
        const QPoint place = at(Front, {1, 2, 0});
        move(place);
        wheel(place, 3);
        const Vec3 eye = view().rig(Front).eye();
        const float high = view().rig(Front).heightAtFocus();
        window().close();
        m_editor.reset();
        start();
        settle();
        QVERIFY(view().layout().showsSeveral());
        QCOMPARE(view().layout().split(), QPointF(0.4, 0.6));
        QVERIFY(near(view().rig(Front).eye(), eye, 1e-3F));
        QVERIFY(std::abs(view().rig(Front).heightAtFocus() - high) < 1e-3F);
        QVERIFY(view().rig(Front).axisView() == ui::AxisView::Front && view().rig(Front).orthographicByAxis());
        // A record of before there were four: its camera counts, the other panes look at the scene.
        panel().restoreCamera({{QStringLiteral("eye"), QVariantList{7, 8, 9}},
                               {QStringLiteral("yaw"), 0.5},
                               {QStringLiteral("pitch"), -0.2},
                               {QStringLiteral("focus"), 11.0}});
        settle();
        QCOMPARE(view().rig(Perspective).eye(), Vec3(7, 8, 9));
        QVERIFY(!view().rig(Perspective).orthographic());
        QVERIFY(!near(view().rig(Front).eye(), eye, 1e-3F));
    }

    // In a narrow viewport the buttons that have no room stand in a menu at the end of the bar; in a wide one there is none.
    void aNarrowBarHasTheRestInAMenu() {
        startFour();
        auto* strip = panel().findChild<ui::ViewportStrip*>(QStringLiteral("viewport.strip"));
        auto* more = panel().findChild<QToolButton*>(QStringLiteral("viewport.more"));
        auto* grid = panel().findChild<QToolButton*>(QStringLiteral("viewport.view.grid"));
        auto* debug = panel().findChild<QToolButton*>(QStringLiteral("viewport.debug"));
        QVERIFY(strip != nullptr && more != nullptr && grid != nullptr && debug != nullptr);
        constexpr int Wide = 2000;
        strip->fit(Wide);
        QVERIFY(more->isHidden() && !debug->isHidden());
        const int whole = strip->width();
        strip->fit(whole);
        QVERIFY(more->isHidden());
        strip->fit(whole - 1);
        QVERIFY(!more->isHidden() && debug->isHidden());
        constexpr int Narrow = 200;
        strip->fit(Narrow);
        QVERIFY(strip->width() <= Narrow);
        QVERIFY(grid->isHidden());
        emit more->menu()->aboutToShow();
        QVERIFY(more->menu()->actions().contains(grid->defaultAction()));
        QVERIFY(more->menu()->actions().contains(debug->menu()->menuAction()));
        strip->fit(Wide);
        QVERIFY(more->isHidden() && !grid->isHidden());
        QCOMPARE(strip->width(), whole);
    }

    void thePlayersCameraIsThatOfTheFirstPane() {
        startFour();
        move(view().paneArea(Right).center());
        QVERIFY(trigger("play.start"));
        QTRY_COMPARE_WITH_TIMEOUT(view().shown().mode(), Mode::Play, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(view().shown().scene().camera.has_value(), Patience);
        panel().input().setWalking(true);
        QVERIFY(panel().input().walking());
        QCOMPARE(view().layout().active(), Perspective);
        QVERIFY(view().mainCamera().entity != 0);
        QVERIFY(view().camera(Right).orthographic());
        QTest::keyClick(&view(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(trigger("play.stop"), Patience); // the window learns that it plays after the picture has
    }
};

int main(int argc, char** argv) {
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("signalbox"));
    TestFourViews test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_four_views.moc"
