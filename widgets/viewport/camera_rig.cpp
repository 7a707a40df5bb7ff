#include "widgets/viewport/camera_rig.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sbx::ui {

namespace {

// Into (-pi, pi].
float wrapped(float angle) {
    angle = std::remainder(angle, glm::two_pi<float>());
    return angle;
}

float eased(float t) {
    return 1.0F - (1.0F - t) * (1.0F - t) * (1.0F - t);
}

Quat turned(float yaw, float pitch) {
    return glm::angleAxis(yaw, Vec3(0.0F, 1.0F, 0.0F)) * glm::angleAxis(pitch, Vec3(1.0F, 0.0F, 0.0F));
}

constexpr float LeastFocus = 0.1F; // metres
constexpr float MostFocus = 5000.0F;
constexpr float Straight = glm::half_pi<float>();

} // namespace

ViewAngles anglesOf(AxisView axis) {
    switch (axis) {
    case AxisView::Front:
        break;
    case AxisView::Back:
        return {glm::pi<float>(), 0.0F};
    case AxisView::Right:
        return {Straight, 0.0F};
    case AxisView::Left:
        return {-Straight, 0.0F};
    case AxisView::Top:
        return {0.0F, -Straight};
    case AxisView::Bottom:
        return {0.0F, Straight};
    }
    return {};
}

CameraRig::CameraRig() {
    lookAt({9.0F, 6.0F, 12.0F}, {0.0F, 1.0F, 0.0F});
}

Quat CameraRig::rotation() const { return turned(m_yaw, m_pitch); }

render::CameraView CameraRig::view() const {
    render::CameraView camera;
    camera.pose.position = m_eye;
    camera.pose.rotation = rotation();
    camera.fovY = m_fovY;
    camera.farPlane = std::max(500.0F, m_focus * 4.0F);
    if (m_orthographic) {
        // The eye has no place of its own in the picture: what is behind it is seen too.
        camera.orthoHeight = heightAtFocus();
        camera.nearPlane = -camera.farPlane;
    }
    return camera;
}

float CameraRig::heightAtFocus() const {
    return 2.0F * m_focus * std::tan(m_fovY * 0.5F);
}

void CameraRig::setOrthographic(bool on) {
    m_orthographic = on;
    m_byAxis = false;
}

std::optional<AxisView> CameraRig::axisView() const {
    const bool moving = m_move.time < MoveSeconds;
    const float yaw = moving ? m_move.toYaw : m_yaw;
    const float pitch = moving ? m_move.toPitch : m_pitch;
    constexpr float Within = 1e-3F;
    for (const AxisView axis : {AxisView::Front, AxisView::Back, AxisView::Right, AxisView::Left, AxisView::Top, AxisView::Bottom}) {
        const ViewAngles at = anglesOf(axis);
        const bool upright = axis == AxisView::Top || axis == AxisView::Bottom; // turned about the vertical it is still from above
        if (std::abs(pitch - at.pitch) < Within && (upright || std::abs(wrapped(yaw - at.yaw)) < Within))
            return axis;
    }
    return std::nullopt;
}

Vec3 CameraRig::focusPoint() const {
    return m_eye + rotation() * Vec3(0.0F, 0.0F, -m_focus);
}

void CameraRig::setFocusDistance(float metres) {
    if (std::isfinite(metres))
        m_focus = std::clamp(metres, LeastFocus, MostFocus);
}

void CameraRig::set(const Vec3& eye, float yaw, float pitch, float focusDistance) {
    if (!isFinite(eye) || !std::isfinite(yaw) || !std::isfinite(pitch))
        return;
    m_eye = eye;
    m_yaw = wrapped(yaw);
    m_pitch = std::clamp(pitch, -Straight, Straight);
    setFocusDistance(focusDistance);
    m_move.time = MoveSeconds;
    stopFlying();
}

void CameraRig::lookAt(const Vec3& eye, const Vec3& target) {
    const Vec3 ahead = target - eye;
    const float distance = glm::length(ahead);
    if (!(distance > 1e-5F))
        return;
    set(eye, std::atan2(-ahead.x, -ahead.z), std::asin(std::clamp(ahead.y / distance, -1.0F, 1.0F)), distance);
}

// An axis made it orthographic: it is perspective again as soon as it no longer looks along one.
void CameraRig::turnAway() {
    if (m_byAxis)
        m_orthographic = m_byAxis = false;
}

void CameraRig::turn(float right, float up) {
    if (right == 0.0F && up == 0.0F)
        return;
    turnAway();
    const Vec3 focus = focusPoint();
    m_yaw = wrapped(m_yaw - glm::radians(right));
    m_pitch = std::clamp(m_pitch + glm::radians(up), -MaximumPitch, MaximumPitch);
    if (m_orthographic)
        m_eye += focus - focusPoint();
    m_move.time = MoveSeconds;
}

bool CameraRig::fly(const Vec3& direction, float factor, float seconds) {
    Vec3 wanted = direction;
    if (const float length = glm::length(wanted); length > 1.0F)
        wanted /= length;
    // In the picture's plane where that is all there is; the third coordinate is then the zoom's.
    wanted = m_orthographic ? Vec3(wanted.x, wanted.y, -wanted.z)
                            : rotation() * Vec3(wanted.x, 0.0F, -wanted.z) + Vec3(0.0F, wanted.y, 0.0F);
    wanted *= m_speed * factor;
    constexpr float Rate = 16.0F; // per second
    const float keep = std::exp(-Rate * std::clamp(seconds, 0.0F, 0.25F));
    m_velocity = wanted + (m_velocity - wanted) * keep;
    if (wanted == Vec3(0.0F) && glm::length(m_velocity) < 0.02F) {
        m_velocity = Vec3(0.0F);
        return false;
    }
    const Vec3 way = m_velocity * std::clamp(seconds, 0.0F, 0.25F);
    if (m_orthographic) {
        m_eye += rotation() * Vec3(way.x, way.y, 0.0F);
        zoom(focusPoint(), std::exp(way.z / std::max(m_focus, 1.0F)));
    } else {
        m_eye += way;
    }
    m_move.time = MoveSeconds;
    return true;
}

void CameraRig::setSpeed(float metresPerSecond) {
    if (std::isfinite(metresPerSecond))
        m_speed = std::clamp(metresPerSecond, MinimumSpeed, MaximumSpeed);
}

void CameraRig::changeSpeed(float notches) {
    setSpeed(m_speed * std::pow(1.25F, std::clamp(notches, -40.0F, 40.0F)));
}

void CameraRig::orbit(const Vec3& pivot, float right, float up) {
    if (right == 0.0F && up == 0.0F)
        return;
    turnAway();
    const Vec3 local = glm::conjugate(rotation()) * (m_eye - pivot);
    turn(right, up);
    m_eye = pivot + rotation() * local;
}

void CameraRig::pan(Vec2 pixels, float depth, int height) {
    if (height <= 0)
        return;
    const float metres = render::metresPerPixel(view(), height, depth);
    m_eye += rotation() * Vec3(-pixels.x * metres, pixels.y * metres, 0.0F);
    m_move.time = MoveSeconds;
}

void CameraRig::dolly(const Vec3& target, float notches) {
    constexpr float Step = 0.85F; // what is left of the distance after one notch
    constexpr float Nearest = 0.3F;
    if (m_orthographic) {
        zoom(target, std::pow(Step, notches));
        return;
    }
    const Vec3 away = m_eye - target;
    const float distance = glm::length(away);
    if (!(distance > 1e-4F))
        return;
    float wanted = distance * std::pow(Step, notches);
    if (notches > 0.0F)
        wanted = std::min(distance, std::max(wanted, Nearest));
    wanted = std::min(wanted, std::max(distance, 5000.0F));
    m_eye = target + away * (wanted / distance);
    setFocusDistance(m_focus * wanted / distance);
    m_move.time = MoveSeconds;
}

// What is `factor` times as high in metres afterwards; the target stays where it is in the picture.
void CameraRig::zoom(const Vec3& target, float factor) {
    const float wanted = std::clamp(m_focus * factor, LeastFocus, MostFocus);
    if (!std::isfinite(wanted) || !isFinite(target))
        return;
    const Vec3 focus = focusPoint();
    const Vec3 local = glm::conjugate(rotation()) * (target - focus);
    const Vec3 shift = rotation() * Vec3(local.x, local.y, 0.0F) * (1.0F - wanted / m_focus);
    m_focus = wanted;
    m_eye += focus + shift - focusPoint();
    m_move.time = MoveSeconds;
}

void CameraRig::frame(const render::Bounds& bounds, float aspect) {
    frameFrom(bounds, aspect, m_yaw, m_pitch, false);
}

void CameraRig::frameFrom(const render::Bounds& bounds, float aspect, float yaw, float pitch, bool atOnce) {
    const float radius = std::max(glm::length(bounds.size()) * 0.5F, 0.25F);
    const float halfY = m_fovY * 0.5F;
    const float halfX = std::atan(std::tan(halfY) * std::max(aspect, 0.05F));
    const float distance = 1.05F * radius / std::sin(std::min(halfX, halfY));
    if (!isFinite(bounds.centre()) || !std::isfinite(distance))
        return;
    const Quat to = turned(yaw, pitch);
    if (m_orthographic) {
        constexpr float Used = 0.85F; // of the picture
        fitFlat(bounds, aspect, yaw, pitch, Used);
    } else {
        moveTo(bounds.centre() + to * Vec3(0.0F, 0.0F, distance), yaw, pitch, distance);
    }
    if (atOnce)
        advance(MoveSeconds);
}

// Half the box as it is seen, in metres to the right and up, over half the picture.
void CameraRig::fitFlat(const render::Bounds& bounds, float aspect, float yaw, float pitch, float used) {
    const Quat to = turned(yaw, pitch);
    const Vec3 half = bounds.size() * 0.5F;
    const Vec3 right = glm::abs(to * Vec3(1.0F, 0.0F, 0.0F));
    const Vec3 up = glm::abs(to * Vec3(0.0F, 1.0F, 0.0F));
    const float high = std::max({glm::dot(up, half), glm::dot(right, half) / std::max(aspect, 0.05F), 0.25F}) / used;
    const float distance = high / std::tan(m_fovY * 0.5F);
    if (isFinite(bounds.centre()) && std::isfinite(distance))
        moveTo(bounds.centre() + to * Vec3(0.0F, 0.0F, distance), yaw, pitch, distance);
}

void CameraRig::showAxis(AxisView axis, const render::Bounds& bounds, float aspect, bool flat, bool atOnce) {
    // What was orthographic by hand stays so.
    if (flat && !m_orthographic)
        m_orthographic = m_byAxis = true;
    const ViewAngles to = anglesOf(axis);
    frameFrom(bounds, aspect, to.yaw, to.pitch, atOnce);
}

void CameraRig::fit(const render::Bounds& bounds, float aspect, float yaw, float pitch) {
    constexpr float Used = 0.92F; // of the picture
    turnAway();
    if (m_orthographic) {
        fitFlat(bounds, aspect, yaw, pitch, Used);
        return;
    }
    const Quat to = turned(yaw, pitch);
    const float slopeY = std::tan(m_fovY * 0.5F) * Used;
    const float slopeX = slopeY * std::max(aspect, 0.05F);
    // In the camera's frame, from the middle of the box: how far each of the four planes of the view has to stand off.
    Vec2 above(-std::numeric_limits<float>::infinity());
    Vec2 below = above;
    float nearest = 0.0F;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 at((corner & 1) != 0 ? bounds.maximum.x : bounds.minimum.x,
                      (corner & 2) != 0 ? bounds.maximum.y : bounds.minimum.y,
                      (corner & 4) != 0 ? bounds.maximum.z : bounds.minimum.z);
        const Vec3 local = glm::conjugate(to) * (at - bounds.centre());
        above = glm::max(above, Vec2(local.x + local.z * slopeX, local.y + local.z * slopeY));
        below = glm::max(below, Vec2(-local.x + local.z * slopeX, -local.y + local.z * slopeY));
        nearest = std::max(nearest, local.z);
    }
    constexpr float Nearest = 0.5F;
    const float distance = std::max(
        {(above.x + below.x) / (2.0F * slopeX), (above.y + below.y) / (2.0F * slopeY), nearest + Nearest});
    const Vec3 eye =
        bounds.centre() + to * Vec3((above.x - below.x) * 0.5F, (above.y - below.y) * 0.5F, distance);
    if (isFinite(eye))
        moveTo(eye, yaw, pitch, distance);
}

void CameraRig::moveTo(const Vec3& eye, float yaw, float pitch, float focusDistance) {
    const float before = m_focus;
    setFocusDistance(focusDistance);
    // The picture of an orthographic camera grows with it, and so has to do so little by little.
    m_move = {m_eye,   eye,
              m_yaw,   m_yaw + wrapped(yaw - m_yaw),
              m_pitch, std::clamp(pitch, -Straight, Straight),
              m_orthographic ? before : m_focus, m_focus,
              0.0F};
    m_focus = m_move.fromFocus;
    stopFlying();
}

CameraRig::Place CameraRig::place() const {
    if (m_move.time < MoveSeconds) // where it will be in a moment
        return {m_move.toEye, wrapped(m_move.toYaw), m_move.toPitch, m_move.toFocus, m_orthographic, m_byAxis};
    return {m_eye, m_yaw, m_pitch, m_focus, m_orthographic, m_byAxis};
}

void CameraRig::set(const Place& place) {
    m_orthographic = place.orthographic;
    m_byAxis = place.orthographic && place.byAxis;
    set(place.eye, place.yaw, place.pitch, place.focus);
}

void CameraRig::moveTo(const Place& place) {
    m_orthographic = place.orthographic;
    m_byAxis = place.orthographic && place.byAxis;
    moveTo(place.eye, place.yaw, place.pitch, place.focus);
}

bool CameraRig::advance(float seconds) {
    if (m_move.time >= MoveSeconds)
        return false;
    m_move.time = std::min(m_move.time + std::max(seconds, 0.0F), MoveSeconds);
    const float t = m_move.time >= MoveSeconds ? 1.0F : eased(m_move.time / MoveSeconds);
    m_eye = m_move.fromEye + (m_move.toEye - m_move.fromEye) * t;
    m_yaw = wrapped(m_move.fromYaw + (m_move.toYaw - m_move.fromYaw) * t);
    m_pitch = m_move.fromPitch + (m_move.toPitch - m_move.fromPitch) * t;
    m_focus = m_move.fromFocus + (m_move.toFocus - m_move.fromFocus) * t;
    return m_move.time < MoveSeconds;
}

} // namespace sbx::ui
