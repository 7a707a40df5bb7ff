#include "engine/audio/detail/trajectory.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace sbx::audio {

namespace {

constexpr double RestSeconds = 0.2;
constexpr double LateSeconds = 1.0 / 60.0;
constexpr double Farthest = 1e7; // m

bool isUsable(const ControlPoint& point) {
    const auto finite = [](const glm::dvec3& v) {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    };
    return finite(point.position) && finite(point.velocity) && isFinite(point.orientation)
           && glm::dot(point.orientation, point.orientation) > 1e-6F;
}

} // namespace

void Trajectory::push(const ControlPoint& point) {
    m_points[m_next % Capacity] = point;
    m_times[m_next % Capacity] = point.at;
    ++m_next;
    m_count = std::min(m_count + 1, Capacity);
}

void Trajectory::reset(const ControlPoint& point) {
    m_count = 0;
    ++m_teleports;
    push(point);
}

void Trajectory::add(ControlPoint point, Frame now, double speedOfSound) {
    if (!isUsable(point)) {
        return;
    }
    point.position = glm::clamp(point.position, -Farthest, Farthest);
    point.orientation = glm::normalize(point.orientation);
    if (const double speed = glm::length(point.velocity); speed > 0.5 * speedOfSound) {
        point.velocity *= 0.5 * speedOfSound / speed;
    }
    if (m_count == 0 || point.teleport) {
        point.at = std::max(point.at, now);
        reset(point);
        return;
    }
    if (point.at <= now) {
        const Frame arrival = now + static_cast<Frame>(LateSeconds * m_sampleRate);
        if (point.at > 0) {
            point.position += point.velocity * (static_cast<double>(arrival - point.at) / m_sampleRate);
        }
        point.at = arrival;
    }
    // Points it overtakes have not been heard yet.
    while (m_count > 1 && newest(0).at >= point.at) {
        --m_next;
        --m_count;
    }
    if (newest(0).at < now) {
        const Motion here = at(static_cast<double>(now));
        push({now, here.position, here.velocity, orientationAt(static_cast<double>(now)), false});
    }
    const double seconds = static_cast<double>(point.at - newest(0).at) / m_sampleRate;
    if (seconds <= 0.0 || glm::length(point.position - newest(0).position) > 0.5 * speedOfSound * seconds) {
        reset(point);
        return;
    }
    push(point);
}

std::size_t Trajectory::before(double frame) const noexcept {
    std::size_t back = 0;
    while (back < m_count && static_cast<double>(m_times[(m_next - 1 - back) % Capacity]) > frame) {
        ++back;
    }
    return back;
}

Motion Trajectory::at(double frame) const noexcept {
    const std::size_t back = before(frame);
    if (back == m_count) {
        return {newest(m_count - 1).position, glm::dvec3(0.0)};
    }
    const ControlPoint& a = newest(back);
    const double elapsed = (frame - static_cast<double>(a.at)) / m_sampleRate;
    if (back == 0) {
        const double share = std::min(elapsed / RestSeconds, 1.0);
        return {a.position + a.velocity * (RestSeconds * (share - 0.5 * share * share)),
                a.velocity * (1.0 - share)};
    }
    const ControlPoint& b = newest(back - 1);
    const double span = static_cast<double>(b.at - a.at) / m_sampleRate;
    const double s = elapsed / span;
    const double s2 = s * s;
    const double s3 = s2 * s;
    const glm::dvec3 step = b.position - a.position;
    return {a.position + step * (3.0 * s2 - 2.0 * s3)
                + (a.velocity * (s3 - 2.0 * s2 + s) + b.velocity * (s3 - s2)) * span,
            step * ((6.0 * s - 6.0 * s2) / span) + a.velocity * (3.0 * s2 - 4.0 * s + 1.0)
                + b.velocity * (3.0 * s2 - 2.0 * s)};
}

Quat Trajectory::orientationAt(double frame) const noexcept {
    const std::size_t back = before(frame);
    if (back == m_count) {
        return newest(m_count - 1).orientation;
    }
    if (back == 0) {
        return newest(0).orientation;
    }
    const ControlPoint& a = newest(back);
    const ControlPoint& b = newest(back - 1);
    const double s = (frame - static_cast<double>(a.at)) / static_cast<double>(b.at - a.at);
    return glm::slerp(a.orientation, b.orientation, static_cast<float>(s));
}

Path solvePath(const Trajectory& source, const Motion& ear, double frame, double sampleRate,
               double speedOfSound, double guess) noexcept {
    const double perFrame = speedOfSound / sampleRate; // metres of one frame
    double delay = std::max(guess, 0.0);
    Motion emitted = source.at(frame - delay);
    glm::dvec3 towards = ear.position - emitted.position;
    double distance = glm::length(towards);
    for (int step = 0; step < 6; ++step) {
        const double closing = distance > 1e-9 ? glm::dot(towards, emitted.velocity) / distance : 0.0;
        const double error = delay * perFrame - distance;
        delay = std::max(0.0, delay - error / (perFrame * std::max(0.25, 1.0 - closing / speedOfSound)));
        emitted = source.at(frame - delay);
        towards = ear.position - emitted.position;
        distance = glm::length(towards);
        if (std::abs(delay * perFrame - distance) < 1e-9 * (1.0 + distance)) {
            break;
        }
    }
    double slope = 0.0;
    if (distance > 1e-9) {
        const glm::dvec3 unit = towards / distance;
        const double limit = 0.5 * speedOfSound;
        const double away = std::clamp(glm::dot(unit, ear.velocity), -limit, limit);
        const double closing = std::clamp(glm::dot(unit, emitted.velocity), -limit, limit);
        slope = (away - closing) / (speedOfSound - closing);
    }
    return {delay, slope, -towards, distance, emitted.velocity * (1.0 - slope) - ear.velocity};
}

Path instantPath(const Trajectory& source, const Motion& ear, double frame) noexcept {
    const Motion here = source.at(frame);
    const glm::dvec3 relative = here.position - ear.position;
    return {0.0, 0.0, relative, glm::length(relative), here.velocity - ear.velocity};
}

} // namespace sbx::audio
