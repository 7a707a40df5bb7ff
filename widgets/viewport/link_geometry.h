#pragma once
// The geometry of lines between entities: where a line is in sight, where its arrow ends, how it is dashed, and where labels have room. Asks
// the camera for rays, pixels and metres a pixel, and assumes nothing else about it. No widgets; any thread.

#include "engine/render/mesh.h"
#include "engine/render/overlay.h"
#include "widgets/viewport/gizmo.h"

#include <QRect>
#include <QSize>

#include <optional>
#include <utility>
#include <vector>

namespace sbx::ui {

// The part of a straight line that lies in front of the camera: 0 at `from`, 1 at `to`. Nothing: all of it is behind.
struct LinePart {
    float begin = 0.0F;
    float end = 1.0F;
};
[[nodiscard]] std::optional<LinePart> partInFront(const GizmoView& view, const Vec3& from, const Vec3& to);

// The same in pixels of the picture, cut off at its edges; nothing: it is outside.
struct PixelLine {
    Vec2 from{0.0F};
    Vec2 to{0.0F};
};
[[nodiscard]] std::optional<PixelLine> lineInPicture(const GizmoView& view, const Vec3& from, const Vec3& to);

// Where a line from outside first meets the box; nothing: it begins inside, or passes by.
[[nodiscard]] std::optional<Vec3> entryInto(const render::Bounds& box, const Vec3& from, const Vec3& to);

// The direction in which the camera looks through a point; unit length.
[[nodiscard]] Vec3 sightThrough(const GizmoView& view, const Vec3& point);

// How lines are drawn. Lengths in logical pixels.
struct LinkStyle {
    Vec4 color{1.0F};
    float width = 2.0F;
    bool dashed = false;
    bool arrow = true;
};
void addLink(render::DebugDraw& draw, const GizmoView& view, const Vec3& from, const Vec3& tip, const LinkStyle& style);
// From an entity to itself: a loop beside it, with an arrow. Its highest point.
Vec3 addLoop(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, const LinkStyle& style);
// Around a point, facing the camera; radius in logical pixels. Without an arrow.
void addRing(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, float radius,
             const LinkStyle& style);
// To what is not there: a short line with a cross at its end. `number`: of several at one place, which are spread. Its end.
Vec3 addStub(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, int number, const LinkStyle& style);

// A text beside a line: wanted at its middle, if the line is long enough for it.
struct LinkLabel {
    QPoint middle;
    QSize size;
    double room = 0.0; // length of the line
};
// Rectangles beside `labels`: inside `area`, on nothing that is occupied and not on each other; null for those without room. Earlier ones
// go first.
[[nodiscard]] std::vector<QRect> placeLabels(const std::vector<LinkLabel>& labels, const QRect& area, const std::vector<QRect>& occupied);

} // namespace sbx::ui
