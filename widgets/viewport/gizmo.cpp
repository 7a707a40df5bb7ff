#include "widgets/viewport/gizmo.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sbx::ui {

namespace {

bool isAxis(GizmoPart part) {
    return part == GizmoPart::X || part == GizmoPart::Y || part == GizmoPart::Z;
}

bool isPlane(GizmoPart part) {
    return part == GizmoPart::PlaneX || part == GizmoPart::PlaneY || part == GizmoPart::PlaneZ;
}

int indexOf(GizmoPart part) {
    return isPlane(part) ? static_cast<int>(part) - static_cast<int>(GizmoPart::PlaneX)
                         : static_cast<int>(part) - static_cast<int>(GizmoPart::X);
}

std::optional<Vec2> pixelOf(const GizmoView& view, const Vec3& point) {
    const auto pixel = render::projectToPixel(view.camera, view.width, view.height, point);
    if (!pixel)
        return std::nullopt;
    return Vec2(pixel->x, pixel->y);
}

float distanceToSegment(Vec2 p, Vec2 a, Vec2 b) {
    const Vec2 ab = b - a;
    const float squared = glm::dot(ab, ab);
    const float t = squared > 0.0F ? std::clamp(glm::dot(p - a, ab) / squared, 0.0F, 1.0F) : 0.0F;
    return glm::length(p - (a + ab * t));
}

// Two unit vectors across a third.
std::array<Vec3, 2> across(const Vec3& normal) {
    const Vec3 other = std::abs(normal.y) < 0.9F ? Vec3(0.0F, 1.0F, 0.0F) : Vec3(1.0F, 0.0F, 0.0F);
    const Vec3 u = glm::normalize(glm::cross(other, normal));
    return {u, glm::cross(normal, u)};
}

constexpr int RingSteps = 64;

// To the near half of a ring, or all of it when it faces the camera.
float distanceToRing(const GizmoView& view, const Vec3& centre, const Vec3& normal, float radius, Vec2 cursor, bool whole) {
    const auto [u, v] = across(normal);
    float best = std::numeric_limits<float>::max();
    std::optional<Vec2> before;
    const Vec3 toCamera = -render::sightTo(view.camera, centre);
    for (int i = 0; i <= RingSteps; ++i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(RingSteps);
        const Vec3 arm = u * std::cos(angle) + v * std::sin(angle);
        const bool near = whole || glm::dot(arm, toCamera) > -0.05F;
        const std::optional<Vec2> pixel = near ? pixelOf(view, centre + arm * radius) : std::nullopt;
        if (before && pixel)
            best = std::min(best, distanceToSegment(cursor, *before, *pixel));
        before = pixel;
    }
    return best;
}

} // namespace

render::Ray GizmoView::ray(Vec2 cursor) const {
    return render::rayThrough(camera, width, height, cursor.x, cursor.y);
}

float GizmoView::metresAt(const Vec3& point) const {
    const float depth = std::max(glm::dot(point - camera.pose.position, render::forwardOf(camera)), camera.nearPlane);
    return render::metresPerPixel(camera, height, depth);
}

Vec3 GizmoFrame::axis(int index) const {
    Vec3 unit(0.0F);
    unit[index] = 1.0F;
    return axes * unit;
}

std::optional<float> alongLine(const Vec3& origin, const Vec3& direction, const render::Ray& ray) {
    const float b = glm::dot(direction, ray.direction);
    const float denominator = 1.0F - b * b;
    if (denominator < 1e-4F)
        return std::nullopt;
    const Vec3 between = ray.origin - origin;
    return (glm::dot(direction, between) - b * glm::dot(ray.direction, between)) / denominator;
}

std::optional<Vec3> onPlane(const Vec3& point, const Vec3& normal, const render::Ray& ray) {
    const float slope = glm::dot(normal, ray.direction);
    if (std::abs(slope) < 1e-4F)
        return std::nullopt;
    const float t = glm::dot(normal, point - ray.origin) / slope;
    if (t < 0.0F)
        return std::nullopt;
    return ray.origin + ray.direction * t;
}

GizmoFrame placeGizmo(const Vec3& origin, const Quat& axes, const GizmoView& view) {
    return {origin, axes, view.metresAt(origin) * gizmo::ArmPixels * view.pixelRatio};
}

std::optional<PixelBox> gizmoBounds(Tool tool, const GizmoFrame& frame, const GizmoView& view, GizmoPart only) {
    if (tool == Tool::Select)
        return std::nullopt;
    std::optional<PixelBox> box;
    const auto take = [&](const Vec3& point) {
        const std::optional<Vec2> pixel = pixelOf(view, point);
        if (!pixel)
            return;
        if (!box)
            box = PixelBox{*pixel, *pixel};
        box->minimum = glm::min(box->minimum, *pixel);
        box->maximum = glm::max(box->maximum, *pixel);
    };
    const auto takeRing = [&](const Vec3& normal, float radius) {
        const auto [u, v] = across(normal);
        for (int i = 0; i < RingSteps; ++i) {
            const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(RingSteps);
            take(frame.origin + (u * std::cos(angle) + v * std::sin(angle)) * radius);
        }
    };
    const auto shown = [&](GizmoPart part) {
        return (only == GizmoPart::None || part == only) && !isHidden(tool, part, frame, view);
    };
    const Vec3 sides = facingSides(frame, view);
    for (int i = 0; i < 3; ++i) {
        const auto axis = static_cast<GizmoPart>(static_cast<int>(GizmoPart::X) + i);
        const auto plane = static_cast<GizmoPart>(static_cast<int>(GizmoPart::PlaneX) + i);
        if (shown(axis)) {
            if (tool == Tool::Rotate) {
                takeRing(frame.axis(i), frame.size * gizmo::RingRadius);
            } else {
                take(frame.origin);
                take(frame.origin + frame.axis(i) * frame.size);
            }
        }
        if (tool == Tool::Move && shown(plane)) {
            const int u = (i + 1) % 3;
            const int v = (i + 2) % 3;
            for (const float a : {gizmo::PlaneFrom, gizmo::PlaneTo})
                for (const float b : {gizmo::PlaneFrom, gizmo::PlaneTo})
                    take(frame.origin + frame.axis(u) * (sides[u] * frame.size * a) + frame.axis(v) * (sides[v] * frame.size * b));
        }
    }
    if (shown(GizmoPart::Centre)) {
        if (tool == Tool::Rotate)
            takeRing(view.camera.pose.rotation * Vec3(0.0F, 0.0F, 1.0F), frame.size * gizmo::ViewRingRadius);
        else
            take(frame.origin);
    }
    if (box) { // lines, tips and the centre are as thick as a finger
        const Vec2 grab(gizmo::GrabPixels * view.pixelRatio);
        box->minimum -= grab;
        box->maximum += grab;
    }
    return box;
}

Vec3 facingSides(const GizmoFrame& frame, const GizmoView& view) {
    Vec3 sides(1.0F);
    const Vec3 toCamera = -render::sightTo(view.camera, frame.origin);
    for (int i = 0; i < 3; ++i)
        sides[i] = glm::dot(frame.axis(i), toCamera) < 0.0F ? -1.0F : 1.0F;
    return sides;
}

bool isHidden(Tool tool, GizmoPart part, const GizmoFrame& frame, const GizmoView& view) {
    if (tool == Tool::Rotate || !(isAxis(part) || isPlane(part)))
        return false;
    if (!view.camera.orthographic() && frame.origin == view.camera.pose.position)
        return true;
    const float along = std::abs(glm::dot(frame.axis(indexOf(part)), render::sightTo(view.camera, frame.origin)));
    return isAxis(part) ? along > 0.985F : along < 0.12F;
}

GizmoPart hitGizmo(Tool tool, const GizmoFrame& frame, const GizmoView& view, Vec2 cursor) {
    if (tool == Tool::Select || view.width <= 0 || view.height <= 0)
        return GizmoPart::None;
    const std::optional<Vec2> origin = pixelOf(view, frame.origin);
    if (!origin)
        return GizmoPart::None;
    GizmoPart best = GizmoPart::None;
    float nearest = gizmo::GrabPixels * view.pixelRatio;
    const auto offer = [&](GizmoPart part, float distance) {
        if (distance < nearest) {
            nearest = distance;
            best = part;
        }
    };
    const std::array axes{GizmoPart::X, GizmoPart::Y, GizmoPart::Z};
    if (tool == Tool::Rotate) {
        for (int i = 0; i < 3; ++i)
            offer(axes[static_cast<std::size_t>(i)],
                  distanceToRing(view, frame.origin, frame.axis(i), frame.size * gizmo::RingRadius, cursor, false));
        if (best == GizmoPart::None)
            offer(GizmoPart::Centre, distanceToRing(view, frame.origin, -render::forwardOf(view.camera),
                                                    frame.size * gizmo::ViewRingRadius, cursor, true));
        return best;
    }
    if (glm::length(cursor - *origin) < (gizmo::GrabPixels + 1.0F) * view.pixelRatio)
        return GizmoPart::Centre;
    for (int i = 0; i < 3; ++i) {
        const GizmoPart part = axes[static_cast<std::size_t>(i)];
        const auto tip = pixelOf(view, frame.origin + frame.axis(i) * frame.size);
        if (tip && !isHidden(tool, part, frame, view))
            offer(part, distanceToSegment(cursor, *origin, *tip));
    }
    if (best != GizmoPart::None || tool != Tool::Move)
        return best;
    const Vec3 sides = facingSides(frame, view);
    float depth = std::numeric_limits<float>::max();
    for (int i = 0; i < 3; ++i) {
        const auto part = static_cast<GizmoPart>(static_cast<int>(GizmoPart::PlaneX) + i);
        if (isHidden(tool, part, frame, view))
            continue;
        const render::Ray ray = view.ray(cursor);
        const auto point = onPlane(frame.origin, frame.axis(i), ray);
        if (!point)
            continue;
        const int u = (i + 1) % 3;
        const int v = (i + 2) % 3;
        const float a = glm::dot(*point - frame.origin, frame.axis(u)) * sides[u] / frame.size;
        const float b = glm::dot(*point - frame.origin, frame.axis(v)) * sides[v] / frame.size;
        const float away = glm::length(*point - ray.origin);
        if (a >= gizmo::PlaneFrom && a <= gizmo::PlaneTo && b >= gizmo::PlaneFrom && b <= gizmo::PlaneTo && away < depth) {
            depth = away;
            best = part;
        }
    }
    return best;
}

Pose moved(const GizmoDelta& delta, const GizmoFrame& frame, const Pose& start) {
    Pose pose = start;
    const Vec3 arm = glm::conjugate(frame.axes) * (start.position - frame.origin);
    pose.position = frame.origin + delta.turn * (frame.axes * (arm * delta.scale)) + delta.move;
    pose.rotation = glm::normalize(delta.turn * start.rotation);
    pose.scale = start.scale * delta.scale;
    return pose;
}

GizmoDrag::GizmoDrag(Tool tool, GizmoPart part, const GizmoFrame& frame, const GizmoView& view, Vec2 cursor)
    : m_tool(tool), m_part(part), m_frame(frame), m_start(cursor) {
    const render::Ray ray = view.ray(cursor);
    m_normal = planeNormal(view);
    if (tool == Tool::Rotate) {
        const Vec3 sight = render::sightTo(view.camera, frame.origin);
        m_edgeOn = std::abs(glm::dot(m_normal, sight)) < 0.15F;
        if (m_edgeOn) {
            // The ring looks like a line: its near side, and which way it goes there.
            const Vec3 arm = glm::normalize(-sight + m_normal * glm::dot(m_normal, sight)) * frame.size;
            const Vec3 step = glm::cross(m_normal, arm) * 0.05F;
            const auto from = pixelOf(view, frame.origin + arm - step);
            const auto to = pixelOf(view, frame.origin + arm + step);
            if (from && to && glm::length(*to - *from) > 0.01F)
                m_tangent = (*to - *from) * (0.1F / glm::dot(*to - *from, *to - *from));
            else
                m_edgeOn = false;
        }
    }
    if (isAxis(part) && tool != Tool::Rotate)
        m_startAlong = alongLine(frame.origin, frame.axis(indexOf(part)), ray).value_or(0.0F);
    m_startPoint = onPlane(frame.origin, m_normal, ray).value_or(frame.origin);
}

Vec3 GizmoDrag::planeNormal(const GizmoView& view) const {
    if (m_part == GizmoPart::Centre || m_part == GizmoPart::None || (isAxis(m_part) && m_tool != Tool::Rotate))
        return -render::forwardOf(view.camera);
    return m_frame.axis(indexOf(m_part));
}

Vec3 GizmoDrag::moveBy(const GizmoView& view, Vec2 cursor) const {
    const render::Ray ray = view.ray(cursor);
    if (isAxis(m_part)) {
        const Vec3 axis = m_frame.axis(indexOf(m_part));
        const auto along = alongLine(m_frame.origin, axis, ray);
        return along ? axis * (*along - m_startAlong) : Vec3(0.0F);
    }
    const auto point = onPlane(m_frame.origin, m_normal, ray);
    return point ? *point - m_startPoint : Vec3(0.0F);
}

float GizmoDrag::angleTo(const GizmoView& view, Vec2 cursor) {
    if (m_edgeOn)
        return m_angle = glm::dot(cursor - m_start, m_tangent);
    const auto point = onPlane(m_frame.origin, m_normal, view.ray(cursor));
    const Vec3 from = m_startPoint - m_frame.origin;
    if (!point || glm::length(from) < 1e-5F || glm::length(*point - m_frame.origin) < 1e-5F)
        return m_angle;
    const Vec3 to = *point - m_frame.origin;
    const float angle = std::atan2(glm::dot(m_normal, glm::cross(from, to)), glm::dot(from, to));
    // The same direction, as near as can be to where the drag was: full turns add up.
    m_angle += std::remainder(angle - m_angle, glm::two_pi<float>());
    return m_angle;
}

GizmoDelta GizmoDrag::update(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, std::optional<float> typed) {
    GizmoDelta delta;
    // Far away things stay far away: a ray almost along an axis may hit it anywhere.
    constexpr float FarthestMove = 10'000.0F;
    if (m_tool == Tool::Move) {
        Vec3 along = glm::conjugate(m_frame.axes) * moveBy(view, cursor);
        if (!isFinite(along) || glm::length(along) > FarthestMove)
            along = Vec3(0.0F);
        if (typed && isAxis(m_part))
            along[indexOf(m_part)] = *typed;
        else if (snap.on) {
            const bool aligned = std::abs(m_frame.axes.w) > 0.99999F;
            for (int i = 0; i < 3; ++i) {
                if (isAxis(m_part) && i != indexOf(m_part))
                    continue;
                if (isPlane(m_part) && i == indexOf(m_part))
                    continue;
                // In the world's axes the place keeps to the grid; in others the way does.
                along[i] = aligned ? snapTo(m_frame.origin[i] + along[i], snap.move) - m_frame.origin[i]
                                   : snapTo(along[i], snap.move);
            }
        }
        if (isAxis(m_part))
            for (int i = 0; i < 3; ++i)
                along[i] = i == indexOf(m_part) ? along[i] : 0.0F;
        delta.amounts = along;
        delta.move = m_frame.axes * along;
    } else if (m_tool == Tool::Rotate) {
        float degrees = glm::degrees(angleTo(view, cursor));
        if (typed)
            degrees = *typed;
        else if (snap.on)
            degrees = snapTo(degrees, snap.rotate);
        delta.amounts.x = degrees;
        delta.turn = glm::angleAxis(glm::radians(degrees), m_normal);
    } else if (m_tool == Tool::Scale) {
        float factor = 1.0F;
        if (isAxis(m_part)) {
            const auto along = alongLine(m_frame.origin, m_frame.axis(indexOf(m_part)), view.ray(cursor));
            const float start = std::abs(m_startAlong) > 0.05F * m_frame.size ? m_startAlong : m_frame.size;
            if (along)
                factor = 1.0F + (*along - m_startAlong) / start;
        } else {
            factor = 1.0F + ((cursor.x - m_start.x) - (cursor.y - m_start.y)) / (150.0F * view.pixelRatio);
        }
        if (typed)
            factor = *typed;
        else if (snap.on)
            factor = snapTo(factor, snap.scale);
        factor = std::clamp(factor, 0.01F, 1000.0F);
        delta.amounts = Vec3(factor);
        if (isAxis(m_part)) {
            delta.scale[indexOf(m_part)] = factor;
        } else {
            delta.scale = Vec3(factor);
        }
    }
    return delta;
}

} // namespace sbx::ui
