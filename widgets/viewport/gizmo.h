#pragma once
// The gizmo's mathematics: where its parts are on the screen, which one is under the cursor, and what a drag of it means. No
// widget, no document: a drag gives a GizmoDelta, and the owner of the entities applies it to the poses they had when the drag
// began. Drawing: gizmo_shapes.h. GUI thread, values.

#include "engine/render/camera.h"
#include "widgets/viewport/snapping.h"

#include <optional>

namespace sbx::ui {

enum class Tool { Select, Move, Rotate, Scale };

enum class GizmoPart {
    None,
    X,
    Y,
    Z,
    PlaneX, // moves in the plane across X: Y and Z
    PlaneY,
    PlaneZ,
    Centre, // move: in the picture's plane; rotate: about the line of sight; scale: all axes alike
};

// Right after the camera: what everything on the screen is measured against.
struct GizmoView {
    render::CameraView camera;
    int width = 0;
    int height = 0;
    float pixelRatio = 1.0F; // device pixels a logical pixel

    [[nodiscard]] render::Ray ray(Vec2 cursor) const;
    // Metres a pixel at that point.
    [[nodiscard]] float metresAt(const Vec3& point) const;
};

struct GizmoFrame {
    Vec3 origin{0.0F};
    Quat axes{1.0F, 0.0F, 0.0F, 0.0F};
    float size = 1.0F; // metres from the origin to an arrow's tip

    [[nodiscard]] Vec3 axis(int index) const;
};

namespace gizmo {
constexpr float ArmPixels = 88.0F; // logical
constexpr float PlaneFrom = 0.26F; // of the arm
constexpr float PlaneTo = 0.48F;
constexpr float RingRadius = 0.92F;
constexpr float ViewRingRadius = 1.14F;
constexpr float GrabPixels = 8.0F;
} // namespace gizmo

// As large on the screen wherever it stands.
[[nodiscard]] GizmoFrame placeGizmo(const Vec3& origin, const Quat& axes, const GizmoView& view);
// The side of each axis on which the planes' handles lie: towards the camera. 1 or -1 each.
[[nodiscard]] Vec3 facingSides(const GizmoFrame& frame, const GizmoView& view);
// Whether an axis (or a plane's handle) is seen too much end-on to be grabbed.
[[nodiscard]] bool isHidden(Tool tool, GizmoPart part, const GizmoFrame& frame, const GizmoView& view);
// The part under the cursor (device pixels from the top left); nearest wins.
[[nodiscard]] GizmoPart hitGizmo(Tool tool, const GizmoFrame& frame, const GizmoView& view, Vec2 cursor);

// In pixels of the picture, y down.
struct PixelBox {
    Vec2 minimum{0.0F};
    Vec2 maximum{0.0F};
};
// What the handles that are drawn cover: all of them, or with `only` that part alone (as while it is dragged). Nothing where none is in
// front of the camera.
[[nodiscard]] std::optional<PixelBox> gizmoBounds(Tool tool, const GizmoFrame& frame, const GizmoView& view,
                                                  GizmoPart only = GizmoPart::None);

// What a drag has done since it began.
struct GizmoDelta {
    Vec3 move{0.0F};                      // metres, in the world
    Quat turn{1.0F, 0.0F, 0.0F, 0.0F};    // about the origin, in the world
    Vec3 scale{1.0F};                     // along the entity's own axes
    Vec3 amounts{0.0F}; // for the read-out: metres along the frame's axes; degrees in x; factors
};
[[nodiscard]] Pose moved(const GizmoDelta& delta, const GizmoFrame& frame, const Pose& start);

class GizmoDrag {
public:
    GizmoDrag(Tool tool, GizmoPart part, const GizmoFrame& frame, const GizmoView& view, Vec2 cursor);

    [[nodiscard]] Tool tool() const { return m_tool; }
    [[nodiscard]] GizmoPart part() const { return m_part; }
    // As it was when the drag began.
    [[nodiscard]] const GizmoFrame& frame() const { return m_frame; }
    // Where the cursor's drag has led. A `typed` number (metres, degrees, factor) takes its place for parts of one axis.
    GizmoDelta update(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, std::optional<float> typed = {});

private:
    [[nodiscard]] Vec3 moveBy(const GizmoView& view, Vec2 cursor) const;
    [[nodiscard]] float angleTo(const GizmoView& view, Vec2 cursor);
    [[nodiscard]] Vec3 planeNormal(const GizmoView& view) const;

    Tool m_tool;
    GizmoPart m_part;
    GizmoFrame m_frame;
    Vec2 m_start;
    float m_startAlong = 0.0F; // on the axis, metres
    Vec3 m_startPoint{0.0F};   // on the plane
    Vec3 m_normal{0.0F};       // of the plane of a move or a turn, unit length
    bool m_edgeOn = false;     // a ring seen from its side is turned along its tangent
    Vec2 m_tangent{0.0F};      // radians a pixel
    float m_angle = 0.0F;      // radians since the start, beyond half turns
};

// The place on a line nearest to a ray, in metres from `origin` along `direction` (unit length); nothing if they run side by side.
[[nodiscard]] std::optional<float> alongLine(const Vec3& origin, const Vec3& direction, const render::Ray& ray);
[[nodiscard]] std::optional<Vec3> onPlane(const Vec3& point, const Vec3& normal, const render::Ray& ray);

} // namespace sbx::ui
