#pragma once
// Handles of components in the picture: points that are dragged to change a setting. Range of a lamp, distances of a sound, faces and radii of
// bodies and rooms, axis, anchor and limits of a hinge. Here is their mathematics: where they are, which one is under the cursor, which value
// a drag gives, and the lines around them. Asks the camera for rays, pixels and metres a pixel, and assumes nothing else about it.
// No widget, no document; values. Writing: handle_control.h.

#include "engine/core/fields.h"
#include "engine/render/overlay.h"
#include "widgets/viewport/gizmo.h"
#include "widgets/viewport/snapping.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sbx::ui {

// An entity as far as its handles need it.
struct HandleSubject {
    struct Component {
        std::string name;
        const FieldTable* settings = nullptr; // not null
        std::vector<Value> values;            // beside its fields
    };
    Pose pose; // in the world
    float turnedDegrees = 0.0F; // by its hinge, since the start
    std::vector<Component> components;

    [[nodiscard]] const Component* find(std::string_view component) const;
    [[nodiscard]] Component* find(std::string_view component);
};

struct ComponentHandle {
    enum class Path {
        Line,    // a number grows with the distance along a line
        Picture, // a point moves in the picture's plane
        Sphere,  // a direction turns about a point
        Circle,  // an angle turns about an axis
    };
    Path path = Path::Line;
    std::string component;
    std::string field;
    int element = -1; // which number of the field; -1: all of it, or its only one
    Vec3 at{0.0F};    // where it is, in the world
    Vec3 origin{0.0F}; // Line: where the number is 0; Sphere, Circle: the centre
    Vec3 along{0.0F, 1.0F, 0.0F}; // Line: its direction; Circle: its axis; unit length
    Vec3 zero{1.0F, 0.0F, 0.0F};  // Circle: direction of the angle 0; unit length
    float perMetre = 1.0F;        // Line: what a metre adds to the number
    bool isFace = false;          // Line: one of two sides that move together about a middle
    // Of a face: the setting that moves the middle, in the entity's frame; empty: the entity itself moves.
    std::string middleField;

    // The same handle of the same entity, wherever it is now.
    [[nodiscard]] bool isSameAs(const ComponentHandle& other) const {
        return component == other.component && field == other.field && element == other.element && path == other.path && side == other.side;
    }
    int side = 0; // tells those of one setting apart
};

namespace handles {
constexpr float DotPixels = 5.0F; // radius, logical
constexpr float GrabPixels = 9.0F;
constexpr float AxisPixels = 76.0F;
constexpr float RoomPixels = 14.0F; // from the middle, so that sides neither cover each other nor the entity
} // namespace handles

// All that the entity has, as they stand now.
[[nodiscard]] std::vector<ComponentHandle> handlesOf(const HandleSubject& subject, const GizmoView& view);
// Without sides that lie nearly in the middle of the picture of their shape: it is small or far away, or its side is seen end-on.
[[nodiscard]] std::vector<ComponentHandle> withRoom(std::vector<ComponentHandle> handles, const GizmoView& view);
// The nearest to the cursor (device pixels from the top left) within reach; nearer to the camera wins among equals. Null: none.
[[nodiscard]] const ComponentHandle* handleAt(const std::vector<ComponentHandle>& handles, const GizmoView& view, Vec2 cursor);
// Rings, boxes and arcs that the handles lie on.
void drawHandleShapes(render::DebugDraw& draw, const HandleSubject& subject, const GizmoView& view, const Vec4& color);
void drawHandles(render::Overlay& overlay, const std::vector<ComponentHandle>& handles, const GizmoView& view, const ComponentHandle* hot,
                 const Vec4& color, const Vec4& hotColor);

// A drag from press to release. `subject`, `handle`: as they are at the press.
class HandleDrag {
public:
    HandleDrag(HandleSubject subject, ComponentHandle handle, const GizmoView& view, Vec2 cursor);

    [[nodiscard]] const ComponentHandle& handle() const { return m_handle; }
    [[nodiscard]] const FieldInfo& field() const { return *m_field; }
    // What the setting was at the press.
    [[nodiscard]] const Value& start() const { return m_start; }
    struct Outcome {
        Value value;         // within the field's range
        Vec3 shift{0.0F};    // of the middle, in the entity's frame, metres
    };
    // `oneSided`: the opposite face stays where it is. A `typed` number takes the place of what the cursor says, where the setting is one.
    [[nodiscard]] Outcome update(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, bool oneSided,
                                 std::optional<double> typed = {}) const;
    // Whether a number can be typed.
    [[nodiscard]] bool takesNumber() const { return m_handle.path == ComponentHandle::Path::Line || m_handle.path == ComponentHandle::Path::Circle; }
    // The entity as it is after that.
    [[nodiscard]] HandleSubject after(const Outcome& result) const;

private:
    [[nodiscard]] double lineNumber(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, bool oneSided) const;
    [[nodiscard]] double circleNumber(const GizmoView& view, Vec2 cursor, const SnapSettings& snap) const;

    HandleSubject m_subject;
    ComponentHandle m_handle;
    const FieldInfo* m_field;
    Value m_start;
    float m_grabbed = 0.0F; // Line: metres along it; Circle: radians
    float m_radius = 1.0F;  // Sphere, in metres
    bool m_farSide = false; // Sphere: the half away from the camera was grabbed
    Vec3 m_offset{0.0F};    // Picture: from what was grabbed to the handle
};

// Where a ray meets a sphere first (or last, with `far`); one that passes by: the point of the sphere nearest to it.
[[nodiscard]] Vec3 onSphere(const Vec3& centre, float radius, const render::Ray& ray, bool far = false);
// The signed angle about the axis from `zero` to where the ray meets the plane across the axis through `centre`, radians; nothing: it
// does not, or in the centre.
[[nodiscard]] std::optional<float> angleAbout(const Vec3& centre, const Vec3& axis, const Vec3& zero, const render::Ray& ray);

} // namespace sbx::ui
