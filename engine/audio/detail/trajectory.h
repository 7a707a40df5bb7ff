#pragma once
// Where something was, is and will be: the last 64 control points, between them cubics that meet position and
// velocity. Beyond the newest point motion runs on and comes to rest within a fifth of a second, so that a
// stalled sender does not fling sources away. Audio thread; no allocation.

#include "engine/audio/audio_types.h"

namespace sbx::audio {

struct Motion {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0}; // m/s
};

class Trajectory {
public:
    static constexpr std::size_t Capacity = 64;

    explicit Trajectory(double sampleRate = 48000.0) : m_sampleRate(sampleRate) {}
    void reset(const ControlPoint& point);
    // Takes a point over at frame `now`. A point of the past, or at 0, is reached 1/60 s from now. Points
    // that would need more than half the speed of sound are teleports; bad numbers are refused.
    void add(ControlPoint point, Frame now, double speedOfSound);

    [[nodiscard]] Motion at(double frame) const noexcept;
    [[nodiscard]] Quat orientationAt(double frame) const noexcept;
    // Rises with every jump.
    [[nodiscard]] std::uint32_t teleports() const { return m_teleports; }

private:
    void push(const ControlPoint& point);
    [[nodiscard]] const ControlPoint& newest(std::size_t back) const {
        return m_points[(m_next - 1 - back) % Capacity];
    }
    // Index back from the newest of the last point at or before `frame`; m_count when all are later.
    [[nodiscard]] std::size_t before(double frame) const noexcept;

    std::array<Frame, Capacity> m_times{}; // of the points: searched often, and so close together
    std::array<ControlPoint, Capacity> m_points{};
    std::size_t m_next = 0;
    std::size_t m_count = 0;
    double m_sampleRate;
    std::uint32_t m_teleports = 0;
};

// Sound that reaches the listener at a frame: where it comes from and how late it is.
struct Path {
    double delay = 0.0;       // frames
    double delaySlope = 0.0;  // frames per frame
    glm::dvec3 relative{0.0}; // m, world axes: source at emission minus listener now
    double distance = 0.0;
    glm::dvec3 velocity{0.0}; // m/s, of `relative`
};

// Solves c tau = |ear(t) - source(t - tau)| by Newton's method from `guess` (frames).
// Source: J. O. Smith et al., "Doppler simulation and the Leslie", 2002, for the delay line's point of view.
[[nodiscard]] Path solvePath(const Trajectory& source, const Motion& ear, double frame, double sampleRate,
                             double speedOfSound, double guess) noexcept;
// The same without propagation: the source as it is at `frame`.
[[nodiscard]] Path instantPath(const Trajectory& source, const Motion& ear, double frame) noexcept;

} // namespace sbx::audio
