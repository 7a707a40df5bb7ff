#include "widgets/viewport/component_handles.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sbx::ui {

namespace {

constexpr double Millimetre = 0.001;
constexpr double TenthDegree = 0.1;
constexpr float ArcPixels = 52.0F; // least radius of a hinge's arc
constexpr float NearlyAcross = 0.15F; // cosine; a direction that is seen from its side is on the near half
constexpr float Full = 359.9F;     // degrees; a hinge with that much between its limits has none

template <typename T> T valueOf(const HandleSubject::Component& component, std::string_view field, T otherwise) {
    const std::vector<FieldInfo>& fields = component.settings->fields();
    for (std::size_t i = 0; i < fields.size() && i < component.values.size(); ++i)
        if (fields[i].name == field)
            if (const T* value = std::get_if<T>(&component.values[i]))
                return *value;
    return otherwise;
}

float numberOf(const HandleSubject::Component& component, std::string_view field) {
    return static_cast<float>(valueOf<double>(component, field, 0.0));
}

// One of a value's numbers, or its only one.
double numberIn(const Value& value, int element) {
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    return elementOf(value, static_cast<std::size_t>(std::max(element, 0))).value_or(0.0);
}

Vec3 unitAxis(int axis) {
    Vec3 unit(0.0F);
    unit[axis] = 1.0F;
    return unit;
}

float pixelsAt(const GizmoView& view, const Vec3& point, float pixels) {
    return view.metresAt(point) * pixels * view.pixelRatio;
}

double roundedTo(double value, double unit) {
    return std::round(value / unit) * unit;
}

// Scale of what must not be scaled to nothing.
float divisor(float scale) {
    return std::max(std::abs(scale), 1e-4F);
}

// A part of a body or a room: sides at equal distances of a middle.
struct Middle {
    Vec3 position{0.0F};
    Quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
};

void addSide(std::vector<ComponentHandle>& out, const Middle& middle, int axis, float sign, float distance, ComponentHandle handle) {
    handle.along = middle.rotation * unitAxis(axis) * sign;
    handle.origin = middle.position;
    handle.at = middle.position + handle.along * distance;
    handle.side = axis * 2 + (sign > 0.0F ? 1 : 0);
    out.push_back(std::move(handle));
}

void addSides(std::vector<ComponentHandle>& out, const Middle& middle, int axis, float distance, const ComponentHandle& handle) {
    addSide(out, middle, axis, 1.0F, distance, handle);
    addSide(out, middle, axis, -1.0F, distance, handle);
}

ComponentHandle lineHandle(const std::string& component, const char* field, float perMetre) {
    ComponentHandle handle;
    handle.component = component;
    handle.field = field;
    handle.perMetre = perMetre;
    return handle;
}

void addRadius(std::vector<ComponentHandle>& out, const Middle& middle, float radius, float perMetre, const std::string& component, const char* field) {
    for (int axis = 0; axis < 3; ++axis)
        addSides(out, middle, axis, radius, lineHandle(component, field, perMetre));
}

void addBoxHandles(std::vector<ComponentHandle>& out, const Middle& middle, const Vec3& size, const Vec3& scale, const std::string& component,
             const char* middleField) {
    for (int axis = 0; axis < 3; ++axis) {
        ComponentHandle face = lineHandle(component, "size", 2.0F / divisor(scale[axis]));
        face.element = axis;
        face.isFace = true;
        face.middleField = middleField;
        addSides(out, middle, axis, size[axis] * std::abs(scale[axis]) * 0.5F, face);
    }
}

struct BodyShape {
    std::string shape;
    Vec3 size{1.0F}; // all in metres, in the world
    float radius = 0.5F;
    float height = 1.0F;
};

BodyShape bodyShapeOf(const HandleSubject& subject, const HandleSubject::Component& body) {
    const Vec3 scale = glm::abs(subject.pose.scale);
    BodyShape out;
    out.shape = valueOf<std::string>(body, "shape", {});
    out.size = valueOf<Vec3>(body, "size", Vec3(1.0F)) * scale;
    out.radius = numberOf(body, "radius") * (out.shape == "sphere" ? std::max({scale.x, scale.y, scale.z}) : std::max(scale.x, scale.z));
    out.height = numberOf(body, "height") * scale.y;
    if (out.shape == "capsule")
        out.height = std::max(out.height, 2.0F * out.radius);
    return out;
}

void addBodyHandles(std::vector<ComponentHandle>& out, const HandleSubject& subject, const HandleSubject::Component& body) {
    const BodyShape shape = bodyShapeOf(subject, body);
    const Middle middle{subject.pose.position, subject.pose.rotation};
    const Vec3 scale = glm::abs(subject.pose.scale);
    if (shape.shape == "box") {
        addBoxHandles(out, middle, valueOf<Vec3>(body, "size", Vec3(1.0F)), scale, body.name, "");
    } else if (shape.shape == "sphere") {
        addRadius(out, middle, shape.radius, 1.0F / divisor(std::max({scale.x, scale.y, scale.z})), body.name, "radius");
    } else if (shape.shape == "capsule" || shape.shape == "cylinder") {
        const ComponentHandle radius = lineHandle(body.name, "radius", 1.0F / divisor(std::max(scale.x, scale.z)));
        addSides(out, middle, 0, shape.radius, radius);
        addSides(out, middle, 2, shape.radius, radius);
        ComponentHandle end = lineHandle(body.name, "height", 2.0F / divisor(scale.y));
        end.isFace = true;
        addSides(out, middle, 1, shape.height * 0.5F, end);
    }
}

struct HingeShape {
    Vec3 anchor{0.0F};
    Vec3 axis{0.0F, 1.0F, 0.0F};
    Vec3 zero{1.0F, 0.0F, 0.0F};
    float length = 1.0F; // of the axis that is drawn
    float radius = 1.0F; // of the arc
    float lower = 0.0F;  // degrees
    float upper = 0.0F;
    bool limited = false;
};

HingeShape hingeShapeOf(const HandleSubject& subject, const HandleSubject::Component& hinge, const GizmoView& view) {
    const Pose& pose = subject.pose;
    HingeShape out;
    out.anchor = pose.position + pose.rotation * (pose.scale * valueOf<Vec3>(hinge, "anchor", Vec3(0.0F)));
    const Vec3 axis = valueOf<Vec3>(hinge, "axis", Vec3(0.0F, 1.0F, 0.0F));
    out.axis = pose.rotation * (glm::length(axis) > 1e-4F ? glm::normalize(axis) : Vec3(0.0F, 1.0F, 0.0F));
    // The angle 0 is towards the body's origin, as it was before the hinge turned it.
    Vec3 across = pose.position - out.anchor;
    across -= out.axis * glm::dot(across, out.axis);
    const float arm = glm::length(across);
    if (arm > 1e-3F) {
        out.zero = across / arm;
    } else {
        const Vec3 helper = std::abs(glm::dot(out.axis, pose.rotation * unitAxis(2))) < 0.9F ? pose.rotation * unitAxis(2) : pose.rotation * unitAxis(0);
        out.zero = glm::normalize(helper - out.axis * glm::dot(helper, out.axis));
    }
    out.zero = glm::angleAxis(-glm::radians(subject.turnedDegrees), out.axis) * out.zero;
    out.length = pixelsAt(view, out.anchor, handles::AxisPixels);
    out.radius = std::max(arm, pixelsAt(view, out.anchor, ArcPixels));
    const float lower = numberOf(hinge, "lower");
    const float upper = numberOf(hinge, "upper");
    out.lower = std::min(lower, upper);
    out.upper = std::max(lower, upper);
    out.limited = out.upper - out.lower < Full;
    return out;
}

Vec3 onArc(const HingeShape& hinge, float degrees) {
    return hinge.anchor + glm::angleAxis(glm::radians(degrees), hinge.axis) * hinge.zero * hinge.radius;
}

void addHingeHandles(std::vector<ComponentHandle>& out, const HandleSubject& subject, const HandleSubject::Component& component, const GizmoView& view) {
    const HingeShape hinge = hingeShapeOf(subject, component, view);
    ComponentHandle handle;
    handle.component = component.name;
    handle.origin = hinge.anchor;
    handle.path = ComponentHandle::Path::Picture;
    handle.field = "anchor";
    handle.at = hinge.anchor;
    out.push_back(handle);
    handle.path = ComponentHandle::Path::Sphere;
    handle.field = "axis";
    handle.along = hinge.axis;
    handle.at = hinge.anchor + hinge.axis * hinge.length;
    out.push_back(handle);
    if (!hinge.limited)
        return;
    handle.path = ComponentHandle::Path::Circle;
    handle.zero = hinge.zero;
    for (const char* field : {"lower", "upper"}) {
        handle.field = field;
        handle.at = onArc(hinge, numberOf(component, field));
        out.push_back(handle);
    }
}

bool fallsToMaximum(const HandleSubject::Component& sound) {
    const auto distance = valueOf<std::string>(sound, "distance", {});
    return distance == "linear" || distance == "inverseClamped";
}

// Where a lamp or a sound is: offsets are not scaled with the entity.
Middle offsetMiddle(const HandleSubject& subject, const HandleSubject::Component& component) {
    return {subject.pose.position + subject.pose.rotation * valueOf<Vec3>(component, "offset", Vec3(0.0F)), subject.pose.rotation};
}

void addArc(render::DebugDraw& draw, const Vec3& centre, const Vec3& from, const Vec3& axis, float radians, const Vec4& color,
            render::LineDepth depth) {
    constexpr int Steps = 24;
    Vec3 before = centre + from;
    for (int i = 1; i <= Steps; ++i) {
        const Vec3 next = centre + glm::angleAxis(radians * static_cast<float>(i) / static_cast<float>(Steps), axis) * from;
        draw.addLine(before, next, color, depth);
        before = next;
    }
}

void drawCapsuleLines(render::DebugDraw& draw, const Middle& middle, const BodyShape& shape, const Vec4& color) {
    constexpr auto Depth = render::LineDepth::Faint;
    const bool round = shape.shape == "capsule";
    const Vec3 up = middle.rotation * unitAxis(1);
    const float half = shape.height * 0.5F - (round ? shape.radius : 0.0F);
    for (const float sign : {1.0F, -1.0F})
        draw.addCircle(middle.position + up * (half * sign), up, shape.radius, color, Depth);
    for (const int axis : {0, 2}) {
        const Vec3 side = middle.rotation * unitAxis(axis) * shape.radius;
        for (const float sign : {1.0F, -1.0F})
            draw.addLine(middle.position + side * sign + up * half, middle.position + side * sign - up * half, color, Depth);
        const Vec3 turn = middle.rotation * unitAxis(2 - axis);
        for (const float end : {1.0F, -1.0F})
            if (round) {
                // From side to side, over the cap.
                const float way = glm::dot(glm::cross(turn, side), up) * end > 0.0F ? glm::pi<float>() : -glm::pi<float>();
                addArc(draw, middle.position + up * (half * end), side, turn, way, color, Depth);
            }
    }
}

void drawHingeLines(render::DebugDraw& draw, const HandleSubject& subject, const HandleSubject::Component& component, const GizmoView& view,
                    const Vec4& color) {
    constexpr auto Depth = render::LineDepth::OnTop;
    const HingeShape hinge = hingeShapeOf(subject, component, view);
    draw.addLine(hinge.anchor - hinge.axis * (hinge.length * 0.6F), hinge.anchor + hinge.axis * hinge.length, color, Depth);
    if (!hinge.limited)
        return;
    const Vec4 quiet(Vec3(color), color.a * 0.6F);
    draw.addLine(hinge.anchor, onArc(hinge, hinge.lower), quiet, Depth);
    draw.addLine(hinge.anchor, onArc(hinge, hinge.upper), quiet, Depth);
    addArc(draw, hinge.anchor, onArc(hinge, hinge.lower) - hinge.anchor, hinge.axis, glm::radians(hinge.upper - hinge.lower), color, Depth);
}

// -180 to 180.
float withinHalfTurn(float degrees) {
    return degrees - 360.0F * std::round(degrees / 360.0F);
}

} // namespace

const HandleSubject::Component* HandleSubject::find(std::string_view component) const {
    for (const Component& each : components)
        if (each.name == component)
            return &each;
    return nullptr;
}

HandleSubject::Component* HandleSubject::find(std::string_view component) {
    return const_cast<Component*>(std::as_const(*this).find(component));
}

std::vector<ComponentHandle> handlesOf(const HandleSubject& subject, const GizmoView& view) {
    std::vector<ComponentHandle> out;
    for (const HandleSubject::Component& component : subject.components) {
        const std::string kind = component.name.substr(0, component.name.find('#'));
        if (kind == "Body") {
            addBodyHandles(out, subject, component);
        } else if (kind == "Light") {
            addRadius(out, offsetMiddle(subject, component), numberOf(component, "range"), 1.0F, component.name, "range");
        } else if (kind == "Sound" && valueOf<bool>(component, "spatial", true)) {
            const Middle middle = offsetMiddle(subject, component);
            addRadius(out, middle, numberOf(component, "reference"), 1.0F, component.name, "reference");
            if (fallsToMaximum(component))
                addRadius(out, middle, numberOf(component, "maximum"), 1.0F, component.name, "maximum");
        } else if (kind == "Room") {
            addBoxHandles(out, offsetMiddle(subject, component), valueOf<Vec3>(component, "size", Vec3(1.0F)), Vec3(1.0F), component.name, "offset");
        } else if (kind == "Hinge") {
            addHingeHandles(out, subject, component, view);
        }
    }
    return out;
}

std::vector<ComponentHandle> withRoom(std::vector<ComponentHandle> all, const GizmoView& view) {
    std::erase_if(all, [&](const ComponentHandle& handle) {
        if (handle.path != ComponentHandle::Path::Line)
            return false;
        const auto at = render::projectToPixel(view.camera, view.width, view.height, handle.at);
        const auto origin = render::projectToPixel(view.camera, view.width, view.height, handle.origin);
        return at && origin && glm::length(Vec2(at->x, at->y) - Vec2(origin->x, origin->y)) < handles::RoomPixels * view.pixelRatio;
    });
    return all;
}

const ComponentHandle* handleAt(const std::vector<ComponentHandle>& handles, const GizmoView& view, Vec2 cursor) {
    const ComponentHandle* best = nullptr;
    float bestDistance = handles::GrabPixels * view.pixelRatio;
    float bestDepth = std::numeric_limits<float>::max();
    for (const ComponentHandle& handle : handles) {
        const auto pixel = render::projectToPixel(view.camera, view.width, view.height, handle.at);
        if (!pixel)
            continue;
        const float distance = glm::length(Vec2(pixel->x, pixel->y) - cursor);
        constexpr float Alike = 1.0F; // pixels
        const bool nearer = distance < bestDistance - Alike || (distance < bestDistance + Alike && pixel->z < bestDepth);
        if (distance <= handles::GrabPixels * view.pixelRatio && nearer) {
            best = &handle;
            bestDistance = distance;
            bestDepth = pixel->z;
        }
    }
    return best;
}

void drawHandleShapes(render::DebugDraw& draw, const HandleSubject& subject, const GizmoView& view, const Vec4& color) {
    constexpr auto Depth = render::LineDepth::Faint;
    for (const HandleSubject::Component& component : subject.components) {
        const std::string kind = component.name.substr(0, component.name.find('#'));
        if (kind == "Body") {
            const BodyShape shape = bodyShapeOf(subject, component);
            const Pose pose{subject.pose.position, subject.pose.rotation, Vec3(1.0F)};
            if (shape.shape == "box")
                draw.addBox(pose, shape.size, color, Depth);
            else if (shape.shape == "sphere")
                draw.addSphere(pose.position, shape.radius, color, Depth);
            else if (shape.shape == "capsule" || shape.shape == "cylinder")
                drawCapsuleLines(draw, {pose.position, pose.rotation}, shape, color);
        } else if (kind == "Light") {
            draw.addSphere(offsetMiddle(subject, component).position, numberOf(component, "range"), color, Depth);
        } else if (kind == "Sound" && valueOf<bool>(component, "spatial", true)) {
            const Vec3 middle = offsetMiddle(subject, component).position;
            draw.addSphere(middle, numberOf(component, "reference"), color, Depth);
            if (fallsToMaximum(component))
                draw.addSphere(middle, numberOf(component, "maximum"), color, Depth);
        } else if (kind == "Room") {
            const Middle middle = offsetMiddle(subject, component);
            draw.addBox({middle.position, middle.rotation, Vec3(1.0F)}, valueOf<Vec3>(component, "size", Vec3(1.0F)), color, Depth);
        } else if (kind == "Hinge") {
            drawHingeLines(draw, subject, component, view, color);
        }
    }
}

void drawHandles(render::Overlay& overlay, const std::vector<ComponentHandle>& handles, const GizmoView& view, const ComponentHandle* hot,
                 const Vec4& color, const Vec4& hotColor) {
    for (const ComponentHandle& handle : handles) {
        if (!render::projectToPixel(view.camera, view.width, view.height, handle.at))
            continue;
        const bool isHot = hot != nullptr && hot->isSameAs(handle);
        const float size = pixelsAt(view, handle.at, handles::DotPixels) * (isHot ? 1.35F : 1.0F);
        const Vec4& own = isHot ? hotColor : color;
        if (handle.path == ComponentHandle::Path::Sphere)
            overlay.addCone(handle.at - handle.along * (2.4F * size), handle.at + handle.along * (0.6F * size), 1.1F * size, own);
        else if (handle.path == ComponentHandle::Path::Picture)
            overlay.addBox({handle.at, view.camera.pose.rotation, Vec3(1.0F)}, Vec3(1.8F * size), own);
        else
            overlay.addSphere(handle.at, size, own);
    }
}

// ---------------------------------------------------------------------------------------------------- drags

Vec3 onSphere(const Vec3& centre, float radius, const render::Ray& ray, bool far) {
    const Vec3 to = centre - ray.origin;
    const float along = glm::dot(to, ray.direction);
    const Vec3 nearest = ray.origin + ray.direction * along;
    const Vec3 off = nearest - centre;
    const float squared = radius * radius - glm::dot(off, off);
    if (squared <= 0.0F)
        return glm::length(off) > 1e-9F ? centre + glm::normalize(off) * radius : centre - ray.direction * radius;
    return nearest + ray.direction * (far ? std::sqrt(squared) : -std::sqrt(squared));
}

std::optional<float> angleAbout(const Vec3& centre, const Vec3& axis, const Vec3& zero, const render::Ray& ray) {
    const auto point = onPlane(centre, axis, ray);
    if (!point)
        return std::nullopt;
    const Vec3 arm = *point - centre;
    const float x = glm::dot(arm, zero);
    const float y = glm::dot(arm, glm::cross(axis, zero));
    if (std::hypot(x, y) < 1e-6F)
        return std::nullopt;
    return std::atan2(y, x);
}

HandleDrag::HandleDrag(HandleSubject subject, ComponentHandle handle, const GizmoView& view, Vec2 cursor)
    : m_subject(std::move(subject)), m_handle(std::move(handle)), m_field(m_subject.find(m_handle.component)->settings->find(m_handle.field)) {
    const HandleSubject::Component& component = *m_subject.find(m_handle.component);
    m_start = component.values[static_cast<std::size_t>(m_field - component.settings->fields().data())];
    const render::Ray ray = view.ray(cursor);
    switch (m_handle.path) {
    case ComponentHandle::Path::Line:
        m_grabbed = alongLine(m_handle.origin, m_handle.along, ray).value_or(0.0F) - glm::dot(m_handle.at - m_handle.origin, m_handle.along);
        break;
    case ComponentHandle::Path::Picture:
        m_offset = m_handle.at - onPlane(m_handle.at, view.camera.pose.rotation * unitAxis(2), ray).value_or(m_handle.at);
        break;
    case ComponentHandle::Path::Sphere:
        m_radius = glm::length(m_handle.at - m_handle.origin);
        m_farSide = glm::dot(m_handle.along, ray.direction) > NearlyAcross;
        break;
    case ComponentHandle::Path::Circle: {
        const auto at = angleAbout(m_handle.origin, m_handle.along, m_handle.zero, ray);
        m_grabbed = at ? *at - glm::radians(static_cast<float>(numberIn(m_start, m_handle.element))) : 0.0F;
        break;
    }
    }
}

double HandleDrag::lineNumber(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, bool oneSided) const {
    const double start = numberIn(m_start, m_handle.element);
    const auto at = alongLine(m_handle.origin, m_handle.along, view.ray(cursor));
    if (!at)
        return start;
    const float first = glm::dot(m_handle.at - m_handle.origin, m_handle.along);
    const float moved = *at - m_grabbed - first;
    const double shown = static_cast<double>(first * m_handle.perMetre); // a capsule may be drawn longer than its height says
    double number = shown + static_cast<double>(moved * m_handle.perMetre * (oneSided ? 0.5F : 1.0F));
    if (std::abs(moved) < 1e-6F)
        number = start;
    else if (snap.on)
        number = std::max(static_cast<double>(snapTo(static_cast<float>(number), snap.move)), static_cast<double>(snap.move));
    return std::clamp(roundedTo(number, Millimetre), m_field->minimum, m_field->maximum);
}

double HandleDrag::circleNumber(const GizmoView& view, Vec2 cursor, const SnapSettings& snap) const {
    const double start = numberIn(m_start, m_handle.element);
    const auto at = angleAbout(m_handle.origin, m_handle.along, m_handle.zero, view.ray(cursor));
    if (!at)
        return start;
    const float degrees = glm::degrees(*at - m_grabbed);
    // The nearest of the same angles: past half a turn it stops instead of beginning at the other end.
    double number = start + static_cast<double>(withinHalfTurn(degrees - static_cast<float>(start)));
    if (snap.on)
        number = static_cast<double>(snapTo(static_cast<float>(number), snap.rotate));
    return std::clamp(roundedTo(number, TenthDegree), m_field->minimum, m_field->maximum);
}

HandleDrag::Outcome HandleDrag::update(const GizmoView& view, Vec2 cursor, const SnapSettings& snap, bool oneSided,
                                       std::optional<double> typed) const {
    const Pose& pose = m_subject.pose;
    Outcome out{m_start, Vec3(0.0F)};
    const auto rounded = [this](Vec3 point, double unit) {
        for (int i = 0; i < 3; ++i)
            point[i] = static_cast<float>(std::clamp(roundedTo(static_cast<double>(point[i]), unit), m_field->minimum, m_field->maximum)) + 0.0F;
        return point;
    };
    switch (m_handle.path) {
    case ComponentHandle::Path::Line: {
        const bool oneSide = oneSided && m_handle.isFace;
        const double number = typed ? std::clamp(*typed, m_field->minimum, m_field->maximum) : lineNumber(view, cursor, snap, oneSide);
        if (auto* vector = std::get_if<Vec3>(&out.value))
            (*vector)[m_handle.element] = static_cast<float>(number);
        else
            out.value = number;
        if (oneSide) {
            const float first = glm::dot(m_handle.at - m_handle.origin, m_handle.along) * m_handle.perMetre;
            out.shift = glm::conjugate(pose.rotation) * m_handle.along * ((static_cast<float>(number) - first) / m_handle.perMetre);
        }
        break;
    }
    case ComponentHandle::Path::Picture:
        if (const auto point = onPlane(m_handle.at, view.camera.pose.rotation * unitAxis(2), view.ray(cursor))) {
            const Vec3 scale(divisor(pose.scale.x), divisor(pose.scale.y), divisor(pose.scale.z));
            Vec3 local = glm::conjugate(pose.rotation) * (*point + m_offset - pose.position) / scale;
            for (int i = 0; i < 3 && snap.on; ++i)
                local[i] = snapTo(local[i], snap.move);
            out.value = rounded(local, Millimetre);
        }
        break;
    case ComponentHandle::Path::Sphere: {
        Vec3 local = glm::conjugate(pose.rotation) * glm::normalize(onSphere(m_handle.origin, m_radius, view.ray(cursor), m_farSide) - m_handle.origin);
        if (snap.on) {
            const float pitch = glm::radians(snapTo(glm::degrees(std::asin(std::clamp(local.y, -1.0F, 1.0F))), snap.rotate));
            const float yaw = glm::radians(snapTo(glm::degrees(std::atan2(local.x, local.z)), snap.rotate));
            local = {std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw)};
        }
        out.value = rounded(local, 0.0001);
        break;
    }
    case ComponentHandle::Path::Circle:
        out.value = typed ? std::clamp(*typed, m_field->minimum, m_field->maximum) : circleNumber(view, cursor, snap);
        break;
    }
    return out;
}

HandleSubject HandleDrag::after(const Outcome& result) const {
    HandleSubject subject = m_subject;
    HandleSubject::Component& component = *subject.find(m_handle.component);
    const std::vector<FieldInfo>& fields = component.settings->fields();
    component.values[static_cast<std::size_t>(m_field - fields.data())] = result.value;
    if (m_handle.middleField.empty()) {
        subject.pose.position += subject.pose.rotation * result.shift;
    } else {
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (fields[i].name == m_handle.middleField)
                if (auto* middle = std::get_if<Vec3>(&component.values[i]))
                    *middle += result.shift;
    }
    return subject;
}

} // namespace sbx::ui
