#pragma once
// Look-ahead limiter for both ears together: the gain falls within the look-ahead before a peak arrives, so
// nothing passes the ceiling, and without need the signal passes unchanged, just later. Switched off it only
// delays; full scale is not passed then either: what is louder is clipped. Peaks are true peaks:
// eight times the rate, by an interpolator flat to 20 kHz (with the twelve taps at four times the rate that the
// recommendation gives, high tones still pass the ceiling by half a decibel).
// Source of the interpolation: ITU-R BS.1770-4, "Algorithms to measure audio programme loudness and true-peak
// audio level", 2015, annex 2. Audio thread.

#include <array>
#include <cstddef>

namespace sbx::audio {

class Limiter {
public:
    static constexpr std::size_t LookAhead = 96; // frames: 2 ms at 48 kHz
    static constexpr float Ceiling = 0.8912509F; // -1 dBFS
    // Samples beyond it are taken for this loud: the gain is worked out in steps that a louder one would pass.
    static constexpr float Loudest = 1e6F;

    explicit Limiter(double sampleRate);
    // Off: for measuring what would be limited. The gain goes to 1 within the look-ahead.
    void setOn(bool on) noexcept { m_on = on; }
    // In place, interleaved stereo, `frames` of them. Values that are not finite become 0 and are counted.
    void process(float* stereo, std::size_t frames) noexcept;
    // Lowest gain since the call before.
    [[nodiscard]] float takeLowestGain() noexcept;
    [[nodiscard]] std::size_t badSamples() const { return m_bad; }

private:
    [[nodiscard]] float truePeak(float left, float right) noexcept;
    // Exchanges the newest frame for the one of a look-ahead ago, times `gain`, and never beyond full scale.
    void pass(float& left, float& right, float gain) noexcept;

    static constexpr std::size_t Phases = 8; // places from one sample to the next
    static constexpr std::size_t Taps = 40;
    static constexpr std::size_t Window = LookAhead - Taps / 2; // of the mean: the interpolator looks ahead too
    static constexpr std::size_t Hold = LookAhead + 1;
    std::array<std::array<float, Phases>, Taps> m_weights{};
    float m_calmBelow = 0.0F; // whatever lies between samples that are no louder, it is below the ceiling
    std::array<std::array<float, Taps * 2>, 2> m_recent{}; // last samples per ear, twice, so that they lie in a row
    std::size_t m_recentAt = 0;
    std::array<float, LookAhead * 2> m_delay{};
    std::size_t m_delayAt = 0;
    // Lowest needed gain within the window, as a queue of rising values; then their mean over the window.
    std::array<float, Hold + 1> m_queueGain{};
    std::array<std::size_t, Hold + 1> m_queueTime{};
    std::size_t m_queueHead = 0;
    std::size_t m_queueSize = 0;
    std::array<double, Window> m_mean{};
    std::size_t m_meanAt = 0;
    double m_sum = 0.0;
    double m_held = 1.0;
    double m_release;
    std::size_t m_time = 0;
    std::size_t m_calm = 0; // frames since anything was near the ceiling
    float m_lowest = 1.0F;
    bool m_on = true;
    std::size_t m_bad = 0;
};

} // namespace sbx::audio
