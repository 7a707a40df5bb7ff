#pragma once
// What hands do in the viewport: the camera, picking, the rubber band, the gizmo's drags, and the keys that go to the running
// world. Watches the view's events; decides once, at the press, what a drag means, and every drag ends the same ways: release,
// Esc, loss of focus.
//
// GUI thread; child of the view.

#include "widgets/viewport/body_grab.h"
#include "widgets/viewport/gizmo_control.h"
#include "widgets/viewport/measure_tape.h"
#include "widgets/viewport/mouse_capture.h"
#include "widgets/viewport/play_controls.h"
#include "engine/render/band.h"
#include "widgets/viewport/selection_box.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPoint>
#include <QTimer>

#include <functional>
#include <set>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace sbx::ui {

class HandleControl;
class Selection;
class ViewportView;

class ViewportInput : public QObject {
    Q_OBJECT

public:
    ViewportInput(ViewportView& view, GizmoControl& gizmo, HandleControl& handles, Session& session, Selection& selection);
    ~ViewportInput() override;

    [[nodiscard]] bool flying() const { return m_action == Action::Fly; }
    [[nodiscard]] bool walking() const { return m_walking; }
    // What the mouse does now in the view; Nothing: it may begin something.
    enum class Use { Nothing, Band, Gizmo, Handle, Grab, Measure, Fly, Orbit, Pan, Walk };
    [[nodiscard]] Use use() const;
    // Looks through the scene's camera and takes the mouse, or gives both back.
    void setWalking(bool on);
    static constexpr float MarkerPixels = 11.0F; // radius, logical
    // The icon of an entity without a shape, for picking.
    struct Marker {
        std::string name;
        Vec3 position{0.0F};
    };
    void setMarkers(std::vector<Marker> markers) { m_markers = std::move(markers); }
    // Which entities the mouse may take; none given: all. What lies behind the others can be picked through them.
    void setSelectable(std::function<bool(const std::string&)> selectable) { m_selectable = std::move(selectable); }
    [[nodiscard]] const std::string& hoveredMarker() const { return m_hoveredMarker; }
    // The entity under a place of the view that the mouse may take, for hovering and menus; empty: none.
    [[nodiscard]] std::string entityAt(const QPointF& place) const;
    // All entities under it, nearest first, each once: icons, then shapes; what one hangs from follows it, shape or none.
    [[nodiscard]] std::vector<std::string> allAt(const QPointF& place) const;
    // What the mouse holds of the running world.
    [[nodiscard]] const BodyGrab& grab() const { return m_grab; }
    // The tape measure; in hand it takes the left button, until Esc.
    [[nodiscard]] const MeasureTape& tape() const { return m_tape; }
    void setMeasuring(bool on);
    // Whether a band selects what it touches, without Alt; with Alt the other way about. False at first.
    void setBandTouches(bool on) { m_bandTouches = on; }
    [[nodiscard]] bool bandTouches() const { return m_bandTouches; }
    // Before a frame.
    void advance(double seconds);
    // The world stopped or started: nothing is held any more.
    void modeChanged(bool running);

signals:
    void menuRequested(const QPoint& place);
    void drillRequested(const QPoint& place);
    // A band in the view (null: none), what its rule is now, and how many entities it takes.
    void bandChanged(const QRect& band, sbx::render::BandRule rule, int count);
    void hint(const QString& text);      // shown for a moment
    void walkingChanged(bool on);
    void measured();                     // the tape was taken up, put away, or has another length
    void problem(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Action { None, Press, Band, Gizmo, Handle, Grab, Look, Fly, Orbit, Pan };

    bool mousePress(QMouseEvent& event);
    bool mouseMove(QMouseEvent& event);
    bool mouseRelease(QMouseEvent& event);
    bool wheel(QWheelEvent& event);
    bool keyPress(QKeyEvent& event);
    bool keyRelease(QKeyEvent& event);
    [[nodiscard]] bool takesKey(const QKeyEvent& event) const;

    void startFly(const QPoint& global);
    void startPan(Qt::MouseButton button);
    // Of the active pane.
    [[nodiscard]] QPointF insidePane(const QPointF& place) const;
    [[nodiscard]] QRect bandShape() const;
    void endAction(bool cancelled);
    void dragHandle(const QPointF& place, Qt::KeyboardModifiers modifiers);
    void hover(const QPointF& place);
    void pick(const QPointF& place, Qt::KeyboardModifiers modifiers);
    // Selects what lies behind (or before) what is selected there.
    void drill(const QPointF& place, bool deeper);
    // What the band takes as it is now.
    [[nodiscard]] std::vector<std::string> banded() const;
    void countBand();
    void selectBand(Qt::KeyboardModifiers modifiers);
    // A press with Ctrl on what is selected, that has moved: copies are dragged. False: it was on something else.
    bool grabCopies();
    [[nodiscard]] bool running() const;
    [[nodiscard]] Vec3 flyDirection() const;
    [[nodiscard]] Vec3 pointUnder(const QPointF& place) const;
    [[nodiscard]] bool selectable(const std::string& name) const { return !m_selectable || m_selectable(name); }
    [[nodiscard]] const Marker* markerAt(const QPointF& place) const;
    // Within reach of the pointer, nearest first.
    [[nodiscard]] std::vector<const Marker*> markersAt(const QPointF& place) const;

    static constexpr int DragPixels = 4;
    static constexpr int CountMs = 30;

    ViewportView& m_view;
    GizmoControl& m_gizmo;
    HandleControl& m_handles;
    Selection& m_selection;

    Action m_action = Action::None;
    QPointF m_pressed;
    QPointF m_last;
    QPoint m_pressedGlobal;
    Qt::MouseButton m_panButton = Qt::MiddleButton;
    Vec3 m_pivot{0.0F};
    float m_depth = 10.0F;
    MouseCapture m_mouse;
    bool m_flyMoving = false;

    [[nodiscard]] render::BandRule bandRule(bool alt) const {
        return alt != m_bandTouches ? render::BandRule::Touches : render::BandRule::Contains;
    }

    bool m_bandTouches = false;
    render::BandRule m_bandRule = render::BandRule::Contains;
    int m_bandCount = 0;
    QTimer m_bandTimer; // until what it takes is counted again
    bool m_ctrlFromPress = false; // held since before the drag began: it meant copies, not snapping

    std::function<bool(const std::string&)> m_selectable;
    std::vector<Marker> m_markers;
    std::string m_hoveredMarker;
    std::set<int> m_flyKeys;
    Qt::KeyboardModifiers m_modifiers;
    PlayControls m_controls;
    BodyGrab m_grab;
    MeasureTape m_tape;
    bool m_walking = false;
};

} // namespace sbx::ui
