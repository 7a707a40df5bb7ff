#pragma once
// How loud stereo is to people: ITU-R BS.1770-4, 2015. K-weighting, blocks of 400 ms every 100 ms, gates at -70 LUFS and 10 LU under
// the mean. For any thread but the audio thread: it grows.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sbx::audio {

class LoudnessMeter {
public:
    explicit LoudnessMeter(double sampleRate);
    void add(std::span<const float> interleaved);
    // LUFS; nothing: all of it too quiet, or shorter than a block.
    [[nodiscard]] std::optional<double> integrated() const;
    // Of the newest 400 ms.
    [[nodiscard]] std::optional<double> momentary() const;
    // The highest sample, linear.
    [[nodiscard]] float peak() const { return m_peak; }

private:
    struct Biquad {
        double b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0;
        std::array<double, 2> z1{}, z2{};
        [[nodiscard]] double run(std::size_t ear, double x);
    };
    Biquad m_shelf;
    Biquad m_highPass;
    std::size_t m_step;          // frames of 100 ms
    std::size_t m_at = 0;        // in the step
    double m_energy = 0.0;       // of the step
    std::vector<double> m_steps; // mean squares, both ears added
    float m_peak = 0.0F;
};

} // namespace sbx::audio
