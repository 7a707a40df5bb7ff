#pragma once
// Interaural time difference as a smooth function of direction: a spherical-harmonic fit of the measured
// values, sampled on a grid of 3 degrees and read by cubic interpolation, so that its slope is continuous (a
// kink in delay is heard as splatter).
// Fit: M. J. Evans, J. A. S. Angus and A. I. Tew, "Analyzing head-related transfer function measurements
// using surface spherical harmonics", 1998. Immutable; at() is for the audio thread.

#include <glm/vec3.hpp>

#include <functional>
#include <span>
#include <vector>

namespace sbx::audio {

class ItdMap {
public:
    ItdMap() = default;
    // seconds(direction) for unit directions.
    explicit ItdMap(const std::function<double(const glm::dvec3&)>& seconds);
    // Least squares through values (seconds) at unit directions, order 10 or what the number of values
    // carries.
    static ItdMap fit(std::span<const glm::dvec3> directions, std::span<const double> seconds);

    // Seconds by which the left ear hears later; any length of direction above 0.
    [[nodiscard]] float at(const glm::vec3& direction) const noexcept;

private:
    std::vector<float> m_grid;
};

} // namespace sbx::audio
