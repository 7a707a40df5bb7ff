#include "engine/audio/detail/room.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace sbx::audio {

namespace {

using std::numbers::pi;

constexpr double LowHz = 500.0;
constexpr double HighHz = 4000.0;
constexpr float Gone = 1e-9F;

bool isPrime(std::size_t n) {
    for (std::size_t d = 2; d * d <= n; ++d) {
        if (n % d == 0) {
            return false;
        }
    }
    return n > 1;
}

// How often each axis is mirrored, and to which side.
constexpr std::array<std::array<int, 3>, Images::Most> Cells = {{
    {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},  {0, 0, -1},  {2, 0, 0},  {-2, 0, 0},
    {0, 2, 0},  {0, -2, 0}, {0, 0, 2},   {0, 0, -2}, {1, 1, 0},  {1, -1, 0},  {-1, 1, 0}, {-1, -1, 0},
    {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1}, {0, 1, 1}, {0, 1, -1},  {0, -1, 1}, {0, -1, -1},
}};

} // namespace

ThreeBands::ThreeBands(double rate)
    : sampleRate(rate), low(1.0 - std::exp(-2.0 * pi * LowHz / rate)), high(1.0 - std::exp(-2.0 * pi * HighHz / rate)) {}

std::complex<double> ThreeBands::at(double frequency, const std::array<double, 3>& gains) const {
    const std::complex<double> z = std::polar(1.0, -2.0 * pi * frequency / sampleRate);
    const std::complex<double> below = low / (1.0 - (1.0 - low) * z);
    const std::complex<double> upTo = high / (1.0 - (1.0 - high) * z);
    return gains[1] + (gains[0] - gains[1]) * below + (gains[2] - gains[1]) * (1.0 - upTo);
}

std::array<double, 3> ThreeBands::gainsFor(const std::array<double, 3>& amplitudes) const {
    std::array<double, 3> gains = amplitudes;
    for (int turn = 0; turn < 60; ++turn) {
        for (std::size_t band = 0; band < 3; ++band) {
            gains[band] = std::clamp(gains[band] * amplitudes[band] / std::abs(at(Middle[band], gains)), 0.0, 0.99999);
        }
    }
    return gains;
}

RoomDesign::RoomDesign(const Room& r, double sampleRate, double speed)
    : room(r), toRoom(glm::conjugate(glm::normalize(glm::dquat(r.rotation)))) {
    room.rotation = glm::normalize(r.rotation);
    const ThreeBands bands(sampleRate);
    lowPass = static_cast<float>(bands.low);
    highPass = static_cast<float>(bands.high);
    const double volume = r.size.x * r.size.y * r.size.z;
    const double surface = 2.0 * (r.size.x * r.size.y + r.size.y * r.size.z + r.size.z * r.size.x);
    std::array<double, 3> reflection{};
    for (std::size_t band = 0; band < 3; ++band) {
        // Eyring: T = 24 ln 10 / c * V / (-S ln(1 - a)).
        absorption[band] = 1.0 - std::exp(-24.0 * std::numbers::ln10 / speed * volume / (surface * r.rt60[band]));
        reflection[band] = std::sqrt(1.0 - absorption[band]);
    }
    const std::array<double, 3> walls = bands.gainsFor(reflection);
    std::transform(walls.begin(), walls.end(), wall.begin(), [](double gain) { return static_cast<float>(gain); });
    // As long as the way between two walls, and long enough together for the density of a room's modes.
    const double way = 4.0 * volume / surface / speed * sampleRate;
    const double mean = std::clamp(std::max(way, 0.15 * r.rt60[1] * sampleRate / static_cast<double>(Lines)), 320.0, 4000.0);
    double meanLength = 0.0;
    for (std::size_t line = 0; line < Lines; ++line) {
        const double share = static_cast<double>(line) / static_cast<double>(Lines - 1);
        std::size_t frames = static_cast<std::size_t>(mean * 0.6 * std::pow(1.7 / 0.6, share));
        if (line > 0) {
            frames = std::max(frames, length[line - 1] + 1);
        }
        while (!isPrime(frames)) {
            ++frames;
        }
        length[line] = frames;
        meanLength += static_cast<double>(frames) / static_cast<double>(Lines);
        std::array<double, 3> amplitudes{};
        for (std::size_t band = 0; band < 3; ++band) {
            amplitudes[band] = std::pow(10.0, -3.0 * static_cast<double>(frames) / (sampleRate * r.rt60[band]));
        }
        const std::array<double, 3> gains = bands.gainsFor(amplitudes);
        for (std::size_t band = 0; band < 3; ++band) {
            decay[band][line] = static_cast<float>(gains[band]);
        }
    }
    // A diffuse field is 16 pi / R louder than the source at 1 m, R = S a / (1 - a); the network adds up to g2 / (1 - g2).
    const double constant = surface * absorption[1] / (1.0 - absorption[1]);
    const double square = std::pow(10.0, -6.0 * meanLength / (sampleRate * r.rt60[1]));
    lateGain = r.late * static_cast<float>(std::sqrt(16.0 * pi / constant * (1.0 - square) / square));
}

glm::dvec3 imageOf(std::size_t index, const glm::dvec3& place, const glm::dvec3& size) noexcept {
    glm::dvec3 out = place;
    for (int axis = 0; axis < 3; ++axis) {
        const int n = Cells[index][static_cast<std::size_t>(axis)];
        out[axis] = (n % 2 == 0 ? place[axis] : -place[axis]) + n * size[axis];
    }
    return out;
}

bool isWithin(const glm::dvec3& place, const glm::dvec3& size, double slack) noexcept {
    const glm::dvec3 half = 0.5 * size + slack;
    return std::abs(place.x) <= half.x && std::abs(place.y) <= half.y && std::abs(place.z) <= half.z;
}

int wallsOf(std::size_t index) noexcept { return index < 6 ? 1 : 2; }

RoomSound::RoomSound() : m_lines(RoomDesign::Lines * RoomDesign::LineFrames), m_lanes(RoomDesign::Lines * BlockFrames) {}

void RoomSound::clear() noexcept {
    std::memset(m_lines.data(), 0, m_lines.size() * sizeof(float));
    m_low = {};
    m_high = {};
    m_colour = {};
    m_quiet = 0;
    m_idle = true;
}

void RoomSound::process(const RoomDesign& design, const KernelTable& kernels, const float* reflections, const float* send,
                        float from, float to, float* out) noexcept {
    constexpr std::size_t Lines = RoomDesign::Lines;
    constexpr std::size_t Mask = RoomDesign::LineFrames - 1;
    const bool silent = kernels.peak(send, BlockFrames) == 0.0F && kernels.peak(reflections, 4 * BlockFrames) == 0.0F;
    if (silent && m_idle) {
        return;
    }
    m_idle = false;
    float loudest = 0.0F;
    const auto filtered = [&](float x, float& low, float& high, float gainLow, float gainMiddle, float gainHigh) {
        low += design.lowPass * (x - low);
        high += design.highPass * (x - high);
        return gainMiddle * x + (gainLow - gainMiddle) * low + (gainHigh - gainMiddle) * (x - high);
    };
    // Every line is longer than a block: what it gives now was written before.
    float* lanes = m_lanes.data();
    for (std::size_t line = 0; line < Lines; ++line) {
        const float* store = m_lines.data() + line * RoomDesign::LineFrames;
        const std::size_t start = m_at - design.length[line];
        for (std::size_t n = 0; n < BlockFrames; ++n) {
            const float value = filtered(store[(start + n) & Mask], m_low[line], m_high[line], design.decay[0][line],
                                         design.decay[1][line], design.decay[2][line]);
            loudest = std::max(loudest, std::abs(value));
            lanes[n * Lines + line] = value;
        }
    }
    const float step = (to - from) / static_cast<float>(BlockFrames);
    for (std::size_t n = 0; n < BlockFrames; ++n) {
        float* lane = lanes + n * Lines;
        float left = 0.0F;
        float right = 0.0F;
        for (std::size_t line = 0; line < Lines; ++line) {
            left += (line & 1U) != 0 ? -lane[line] : lane[line];
            right += (line & 2U) != 0 ? -lane[line] : lane[line];
        }
        std::array<float, 2> wet = {left * design.lateGain, right * design.lateGain};
        for (std::size_t ear = 0; ear < 2; ++ear) {
            Colour& second = m_colour[2 + ear];
            Colour& first = m_colour[ear];
            const float twice = filtered(reflections[(2 + ear) * BlockFrames + n], second.low, second.high, design.wall[0],
                                         design.wall[1], design.wall[2]);
            wet[ear] += filtered(reflections[ear * BlockFrames + n] + twice, first.low, first.high, design.wall[0],
                                 design.wall[1], design.wall[2]);
            loudest = std::max(loudest, std::abs(wet[ear]));
            out[n * 2 + ear] += wet[ear] * (from + step * static_cast<float>(n));
        }
        kernels.hadamard16(lane);
        for (std::size_t line = 0; line < Lines; ++line) {
            m_lines.data()[line * RoomDesign::LineFrames + ((m_at + n) & Mask)] = lane[line] + 0.25F * send[n];
        }
    }
    m_at += BlockFrames;
    m_quiet = silent && loudest < Gone ? m_quiet + 1 : 0;
    if (m_quiet > RoomDesign::LineFrames / BlockFrames) {
        clear();
    }
}

} // namespace sbx::audio
