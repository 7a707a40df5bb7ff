#pragma once
// The spectrum at both ears for display, read off the samples and averaged over a little while. For any thread but the audio thread:
// it takes its time.

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace sbx::audio {

class EarSpectrum {
public:
    static constexpr std::size_t Size = 4096; // frames of a look
    static constexpr std::size_t Points = 200;
    static constexpr double LowestHz = 20.0;
    static constexpr double HighestHz = 20000.0;

    // `seconds`: time constant of the average.
    explicit EarSpectrum(double sampleRate, double seconds = 0.15);
    [[nodiscard]] static double frequencyOf(std::size_t point);
    // `Size` frames of interleaved stereo, `elapsed` seconds after those before.
    void feed(std::span<const float> interleaved, double elapsed);
    // dB by point, left and right; a sine of full scale reads 0.
    [[nodiscard]] const std::array<std::vector<float>, 2>& decibels() const { return m_decibels; }
    void reset();

private:
    double m_rate;
    double m_seconds;
    bool m_fed = false;
    std::vector<double> m_window;
    std::vector<std::complex<double>> m_work;
    std::array<std::vector<double>, 2> m_power; // per bin
    std::array<std::vector<float>, 2> m_decibels;
};

} // namespace sbx::audio
