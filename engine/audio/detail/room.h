#pragma once
// What the walls of a box add: reflections one by one as images of the source behind the walls, then reverberation by a network of
// sixteen delay lines that feed each other.
// Sources: J. B. Allen and D. A. Berkley, "Image method for efficiently simulating small-room acoustics", 1979; J.-M. Jot and
// A. Chaigne, "Digital delay networks for designing artificial reverberators", 1991; H. Kuttruff, "Room Acoustics", 2009.

#include "engine/audio/audio_types.h"
#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"

#include <glm/gtc/quaternion.hpp>

#include <array>
#include <complex>

namespace sbx::audio {

// Three bands by two low-passes of first order: what they let through adds up to the whole.
struct ThreeBands {
    explicit ThreeBands(double sampleRate);
    // Gain at a frequency, of gains per band.
    [[nodiscard]] std::complex<double> at(double frequency, const std::array<double, 3>& gains) const;
    // Gains per band with which the filter has these amplitudes in the middle of the bands.
    [[nodiscard]] std::array<double, 3> gainsFor(const std::array<double, 3>& amplitudes) const;
    static constexpr std::array<double, 3> Middle{177.0, 1414.0, 8000.0}; // Hz

    double sampleRate;
    double low;  // coefficients: up to 500 Hz
    double high; // up to 4000 Hz
};

// Made on the control side; immutable.
struct RoomDesign {
    static constexpr std::size_t Lines = 16;
    static constexpr std::size_t LineFrames = 8192; // storage of one
    RoomDesign(const Room& room, double sampleRate, double speed);

    // Whether it gives back anything.
    [[nodiscard]] bool isHeard() const { return room.late > 0.0F || (room.early > 0.0F && room.order > 0); }

    Room room;
    glm::dquat toRoom;
    std::array<double, 3> absorption{}; // of the walls, per band, by Eyring
    float lowPass = 0.0F;
    float highPass = 0.0F;
    std::array<float, 3> wall{}; // gains per band of one reflection
    std::array<std::size_t, Lines> length{};
    std::array<std::array<float, Lines>, 3> decay{}; // gains per band of one pass through a line
    float lateGain = 0.0F;                           // of the network's output
};

// The images of one source. Audio thread.
struct Images {
    static constexpr std::size_t Most = 24; // six of the first order, eighteen of the second
    struct Image {
        std::array<double, 2> delay{}; // frames, per ear
        std::array<double, 2> slope{};
        std::array<float, 2> gain{};
    };
    std::array<Image, Most> images;
    double sendDelay = 0.0;
    double sendSlope = 0.0;
    float send = 0.0F;
    float inside = 0.0F; // eased: whether the source is in the room
    std::uint64_t design = 0; // serial of the room they are of
};

// Where the image `index` of a place (from the room's centre) lies, and how many walls are between.
[[nodiscard]] glm::dvec3 imageOf(std::size_t index, const glm::dvec3& place, const glm::dvec3& size) noexcept;
[[nodiscard]] int wallsOf(std::size_t index) noexcept;
// Whether a place (from the room's centre) lies in a box of that size, or no further outside than `slack` metres.
[[nodiscard]] bool isWithin(const glm::dvec3& place, const glm::dvec3& size, double slack) noexcept;
constexpr double WallSlack = 0.05; // m: what lies on a wall still sounds in the room
[[nodiscard]] constexpr std::size_t imagesOfOrder(int order) { return order <= 0 ? 0 : order == 1 ? 6 : Images::Most; }

// Reverberation, and the walls' colour of the reflections. Audio thread; storage is taken once.
class RoomSound {
public:
    RoomSound();
    void clear() noexcept;
    // Adds one block to `out` (interleaved), its share going from `from` to `to`. `reflections`: left and right of the first order,
    // then of the second; `send`: what goes into the network.
    void process(const RoomDesign& design, const KernelTable& kernels, const float* reflections, const float* send, float from,
                 float to, float* out) noexcept;
    // Nothing is left in it.
    [[nodiscard]] bool idle() const { return m_idle; }

private:
    struct Colour {
        float low = 0.0F;
        float high = 0.0F;
    };
    AlignedFloats m_lines;
    AlignedFloats m_lanes;
    std::array<float, RoomDesign::Lines> m_low{};
    std::array<float, RoomDesign::Lines> m_high{};
    std::array<Colour, 4> m_colour{};
    std::size_t m_at = 0; // of the lines, where the block is written
    std::size_t m_quiet = 0; // blocks without anything
    bool m_idle = true;
};

} // namespace sbx::audio
