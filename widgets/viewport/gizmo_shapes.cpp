#include "widgets/viewport/gizmo_shapes.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace sbx::ui {

namespace {

Vec4 withAlpha(Vec4 color, float alpha) {
    color.a *= alpha;
    return color;
}

// A ring as lines: its near half, which is what can be grabbed; the far half faintly.
void addRingLines(render::Overlay& overlay, const GizmoView& view, const Vec3& centre, const Vec3& normal, float radius,
                  const Vec4& color, float width, bool whole) {
    const Vec3 other = std::abs(normal.y) < 0.9F ? Vec3(0.0F, 1.0F, 0.0F) : Vec3(1.0F, 0.0F, 0.0F);
    const Vec3 u = glm::normalize(glm::cross(other, normal));
    const Vec3 v = glm::cross(normal, u);
    const Vec3 sight = -render::sightTo(view.camera, centre);
    constexpr int Steps = 72;
    Vec3 before = centre + u * radius;
    for (int i = 1; i <= Steps; ++i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(Steps);
        const Vec3 arm = u * std::cos(angle) + v * std::sin(angle);
        const Vec3 point = centre + arm * radius;
        const bool near = whole || glm::dot(arm, sight) > -0.05F;
        if (near)
            overlay.addLine(before, point, color, width);
        before = point;
    }
}

} // namespace

void drawGizmo(render::Overlay& overlay, Tool tool, const GizmoFrame& frame, const GizmoView& view, GizmoPart hot,
               bool dragged, const GizmoColors& colors) {
    if (tool == Tool::Select)
        return;
    const auto shown = [&](GizmoPart part) { return (!dragged || part == hot) && !isHidden(tool, part, frame, view); };
    const auto colorOf = [&](GizmoPart part, const Vec4& own) { return part == hot ? colors.hovered : own; };
    const float unit = frame.size / gizmo::ArmPixels; // metres a logical pixel
    const Vec3 sides = facingSides(frame, view);

    for (int i = 0; i < 3; ++i) {
        const auto index = static_cast<std::size_t>(i);
        const auto axisPart = static_cast<GizmoPart>(static_cast<int>(GizmoPart::X) + i);
        const auto planePart = static_cast<GizmoPart>(static_cast<int>(GizmoPart::PlaneX) + i);
        const Vec3 axis = frame.axis(i);
        const Vec4 color = colorOf(axisPart, colors.axes[index]);
        if (tool == Tool::Rotate) {
            if (shown(axisPart))
                addRingLines(overlay, view, frame.origin, axis, frame.size * gizmo::RingRadius, color,
                             axisPart == hot ? 3.5F : 2.5F, dragged);
            continue;
        }
        if (shown(axisPart)) {
            const Vec3 from = frame.origin + axis * (frame.size * 0.12F);
            const Vec3 to = frame.origin + axis * frame.size;
            const float thick = (axisPart == hot ? 1.8F : 1.3F) * unit;
            if (tool == Tool::Move) {
                overlay.addCylinder(from, to - axis * (16.0F * unit), thick, color);
                overlay.addCone(to - axis * (16.0F * unit), to, 5.0F * unit, color);
            } else {
                overlay.addCylinder(from, to - axis * (8.0F * unit), thick, color);
                overlay.addBox({to - axis * (5.0F * unit), frame.axes, Vec3(1.0F)}, Vec3(9.0F * unit), color);
            }
        }
        if (tool == Tool::Move && shown(planePart)) {
            const int u = (i + 1) % 3;
            const int v = (i + 2) % 3;
            const Vec3 a = frame.axis(u) * (sides[u] * frame.size);
            const Vec3 b = frame.axis(v) * (sides[v] * frame.size);
            const Vec3& o = frame.origin;
            constexpr float N = gizmo::PlaneFrom;
            constexpr float F = gizmo::PlaneTo;
            const Vec4 own = colorOf(planePart, colors.axes[index]);
            overlay.addQuad(o + a * N + b * N, o + a * F + b * N, o + a * F + b * F, o + a * N + b * F,
                            withAlpha(own, planePart == hot ? 0.75F : 0.4F));
            overlay.addLine(o + a * F + b * N, o + a * F + b * F, own, 1.5F);
            overlay.addLine(o + a * N + b * F, o + a * F + b * F, own, 1.5F);
        }
    }

    if (!shown(GizmoPart::Centre))
        return;
    const Vec4 centre = colorOf(GizmoPart::Centre, colors.neutral);
    if (tool == Tool::Rotate)
        addRingLines(overlay, view, frame.origin, view.camera.pose.rotation * Vec3(0.0F, 0.0F, 1.0F),
                     frame.size * gizmo::ViewRingRadius, withAlpha(centre, hot == GizmoPart::Centre ? 1.0F : 0.6F),
                     hot == GizmoPart::Centre ? 2.5F : 1.5F, true);
    else if (tool == Tool::Move)
        overlay.addSphere(frame.origin, 5.0F * unit, centre);
    else
        overlay.addBox({frame.origin, frame.axes, Vec3(1.0F)}, Vec3(10.0F * unit), centre);
}

} // namespace sbx::ui
