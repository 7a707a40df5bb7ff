#include "widgets/viewport/link_geometry.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::ui {

namespace {

constexpr float HeadLength = 11.0F;
constexpr float HeadWidth = 5.0F;
constexpr float DashLength = 7.0F;
constexpr float LoopRadius = 13.0F;
constexpr float StubLength = 34.0F;
constexpr float StubCross = 4.0F;
constexpr int MaxDashes = 160;

std::optional<Vec2> linkPixel(const GizmoView& view, const Vec3& point) {
    const auto pixel = render::projectToPixel(view.camera, view.width, view.height, point);
    return pixel ? std::optional(Vec2(pixel->x, pixel->y)) : std::nullopt;
}

float metresOf(const GizmoView& view, const Vec3& point, float pixels) {
    return view.metresAt(point) * pixels * view.pixelRatio;
}

void addStroke(render::DebugDraw& draw, const Vec3& from, const Vec3& to, const LinkStyle& style) {
    draw.lines.push_back({from, to, style.color, style.width, render::LineDepth::OnTop});
}

void addHead(render::DebugDraw& draw, const GizmoView& view, const Vec3& tip, const Vec3& along, const LinkStyle& style) {
    const Vec3 across = glm::cross(along, sightThrough(view, tip));
    const float length = glm::length(across);
    if (length < 0.1F)
        return; // seen end-on
    const Vec3 side = across / length * metresOf(view, tip, HeadWidth);
    // As long on the screen as it is wide, however the line is foreshortened.
    const Vec3 back = tip - along * (metresOf(view, tip, HeadLength) / std::max(length, 0.35F));
    addStroke(draw, tip, back + side, style);
    addStroke(draw, tip, back - side, style);
}

// To the right and up in the picture, at a point.
std::pair<Vec3, Vec3> pictureAxes(const GizmoView& view) {
    return {view.camera.pose.rotation * Vec3(1.0F, 0.0F, 0.0F), view.camera.pose.rotation * Vec3(0.0F, 1.0F, 0.0F)};
}

} // namespace

std::optional<LinePart> partInFront(const GizmoView& view, const Vec3& from, const Vec3& to) {
    const auto isInFront = [&](float t) { return linkPixel(view, from + (to - from) * t).has_value(); };
    const bool first = isInFront(0.0F);
    const bool last = isInFront(1.0F);
    if (first && last)
        return LinePart{};
    if (first == last)
        return std::nullopt; // what is in front of a plane is one piece
    float seen = first ? 0.0F : 1.0F;
    float hidden = first ? 1.0F : 0.0F;
    for (int i = 0; i < 24; ++i) {
        const float half = (seen + hidden) * 0.5F;
        (isInFront(half) ? seen : hidden) = half;
    }
    return first ? LinePart{0.0F, seen} : LinePart{seen, 1.0F};
}

std::optional<PixelLine> lineInPicture(const GizmoView& view, const Vec3& from, const Vec3& to) {
    const auto part = partInFront(view, from, to);
    if (!part)
        return std::nullopt;
    const auto a = linkPixel(view, from + (to - from) * part->begin);
    const auto b = linkPixel(view, from + (to - from) * part->end);
    if (!a || !b)
        return std::nullopt;
    // Liang and Barsky, "A New Concept and Method for Line Clipping", 1984.
    const Vec2 along = *b - *a;
    const Vec2 size(static_cast<float>(view.width), static_cast<float>(view.height));
    float enter = 0.0F;
    float leave = 1.0F;
    for (int axis = 0; axis < 2; ++axis) {
        const float edges[2] = {(*a)[axis], size[axis] - (*a)[axis]};
        const float steps[2] = {-along[axis], along[axis]};
        for (int side = 0; side < 2; ++side) {
            if (steps[side] == 0.0F) {
                if (edges[side] < 0.0F)
                    return std::nullopt;
            } else if (const float t = edges[side] / steps[side]; steps[side] < 0.0F) {
                enter = std::max(enter, t);
            } else {
                leave = std::min(leave, t);
            }
        }
    }
    if (!(enter < leave))
        return std::nullopt;
    return PixelLine{*a + along * enter, *a + along * leave};
}

std::optional<Vec3> entryInto(const render::Bounds& box, const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    float enter = 0.0F;
    float leave = 1.0F;
    for (int axis = 0; axis < 3; ++axis) {
        const float low = box.minimum[axis] - from[axis];
        const float high = box.maximum[axis] - from[axis];
        if (std::abs(along[axis]) < 1e-9F) {
            if (low > 0.0F || high < 0.0F)
                return std::nullopt;
            continue;
        }
        const float a = low / along[axis];
        const float b = high / along[axis];
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return enter > 0.0F && enter <= leave ? std::optional(from + along * enter) : std::nullopt;
}

Vec3 sightThrough(const GizmoView& view, const Vec3& point) {
    const auto pixel = linkPixel(view, point);
    return pixel ? view.ray(*pixel).direction : view.camera.pose.rotation * Vec3(0.0F, 0.0F, -1.0F);
}

void addLink(render::DebugDraw& draw, const GizmoView& view, const Vec3& from, const Vec3& tip, const LinkStyle& style) {
    const auto part = partInFront(view, from, tip);
    const float whole = glm::length(tip - from);
    if (!part || whole < 1e-5F)
        return;
    const Vec3 along = (tip - from) / whole;
    const Vec3 begin = from + (tip - from) * part->begin;
    const Vec3 end = from + (tip - from) * part->end;
    if (style.arrow && part->end == 1.0F)
        addHead(draw, view, tip, along, style);
    if (!style.dashed) {
        addStroke(draw, begin, end, style);
        return;
    }
    const float length = glm::length(end - begin);
    for (float at = 0.0F; at < length;) {
        const float step = std::max(metresOf(view, begin + along * at, DashLength), length / static_cast<float>(MaxDashes));
        addStroke(draw, begin + along * at, begin + along * std::min(at + step, length), style);
        at += step * 1.8F;
    }
}

Vec3 addLoop(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, const LinkStyle& style) {
    const auto [right, up] = pictureAxes(view);
    const float radius = metresOf(view, at, LoopRadius);
    const Vec3 centre = at + (right + up) * (radius * 0.75F);
    constexpr int Steps = 32;
    const auto point = [&](int i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(Steps);
        return centre + (right * std::cos(angle) + up * std::sin(angle)) * radius;
    };
    for (int i = 0; i < Steps; ++i)
        if (!style.dashed || i % 2 == 0)
            addStroke(draw, point(i), point(i + 1), style);
    // Clockwise, back into the entity.
    constexpr int End = Steps * 5 / 8;
    if (style.arrow)
        addHead(draw, view, point(End), glm::normalize(point(End + 1) - point(End - 1)), style);
    return centre + up * radius;
}

void addRing(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, float radius,
             const LinkStyle& style) {
    if (!linkPixel(view, at))
        return; // behind the camera
    const auto [right, up] = pictureAxes(view);
    const float metres = metresOf(view, at, radius);
    constexpr int Steps = 32;
    const auto point = [&, right = right, up = up](int i) {
        const float angle = glm::two_pi<float>() * static_cast<float>(i) / static_cast<float>(Steps);
        return at + (right * std::cos(angle) + up * std::sin(angle)) * metres;
    };
    for (int i = 0; i < Steps; ++i)
        if (!style.dashed || i % 2 == 0)
            addStroke(draw, point(i), point(i + 1), style);
}

Vec3 addStub(render::DebugDraw& draw, const GizmoView& view, const Vec3& at, int number, const LinkStyle& style) {
    const auto [right, up] = pictureAxes(view);
    // Steeply up to the right, the next ones to both sides of it.
    const float turn = glm::radians(62.0F + 24.0F * static_cast<float>((number + 1) / 2) * (number % 2 == 0 ? 1.0F : -1.0F));
    const Vec3 along = right * std::cos(turn) + up * std::sin(turn);
    const Vec3 end = at + along * metresOf(view, at, StubLength);
    addStroke(draw, at, end, style);
    const float arm = metresOf(view, end, StubCross);
    addStroke(draw, end + (right + up) * arm, end - (right + up) * arm, style);
    addStroke(draw, end + (right - up) * arm, end - (right - up) * arm, style);
    return end;
}

std::vector<QRect> placeLabels(const std::vector<LinkLabel>& labels, const QRect& area, const std::vector<QRect>& occupied) {
    constexpr double Spare = 36.0; // of the line, that is seen beside its label
    std::vector<QRect> taken = occupied;
    std::vector<QRect> places;
    for (const LinkLabel& label : labels) {
        const QRect wanted(label.middle - QPoint(label.size.width() / 2, label.size.height() / 2), label.size);
        const bool fits = label.room >= label.size.width() + Spare && area.contains(wanted)
                          && std::none_of(taken.begin(), taken.end(), [&](const QRect& other) { return other.intersects(wanted); });
        places.push_back(fits ? wanted : QRect());
        if (fits)
            taken.push_back(wanted);
    }
    return places;
}

} // namespace sbx::ui
