#include "engine/audio/detail/limiter.h"

#include "engine/audio/detail/fourier.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {
// What remains of the gain's own movement and of the interpolator's error.
constexpr float Target = Limiter::Ceiling * 0.9965F;
} // namespace

Limiter::Limiter(double sampleRate) : m_release(1.0 - std::exp(-1.0 / (0.1 * sampleRate))) {
    m_mean.fill(1.0);
    m_sum = static_cast<double>(Window);
    // Shifts by eighths of a sample by Kaiser-windowed sinc.
    double largest = 0.0;
    for (std::size_t p = 0; p < Phases; ++p) {
        double sum = 0.0;
        double absolute = 0.0;
        std::array<double, Taps> row{};
        for (std::size_t t = 0; t < Taps; ++t) {
            const double x =
                static_cast<double>(t) - (Taps / 2.0 - 1.0) - static_cast<double>(p) / static_cast<double>(Phases);
            const double edge = x / (Taps / 2.0);
            const double window = besselI0(6.0 * std::sqrt(std::max(0.0, 1.0 - edge * edge)));
            row[t] = window * (std::abs(x) < 1e-9 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x));
            sum += row[t];
            absolute += std::abs(row[t]);
        }
        for (std::size_t t = 0; t < Taps; ++t) {
            m_weights[t][p] = static_cast<float>(row[t] / sum);
        }
        largest = std::max(largest, absolute / sum);
    }
    m_calmBelow = Target / static_cast<float>(largest);
}

float Limiter::truePeak(float left, float right) noexcept {
    const std::array<float, 2> in = {left, right};
    float peak = 0.0F;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        m_recent[ear][m_recentAt] = in[ear];
        m_recent[ear][m_recentAt + Taps] = in[ear];
        const float* x = m_recent[ear].data() + m_recentAt + 1;
        peak = std::max(peak, std::abs(in[ear]));
        // Interpolation raises a peak by no more than the sum of its weights: quiet passages need no look
        // between samples.
        float loudest = 0.0F;
        for (std::size_t t = 0; t < Taps; ++t) {
            loudest = std::max(loudest, std::abs(x[t]));
        }
        if (loudest < m_calmBelow) {
            continue;
        }
        std::array<float, Phases> between{};
        for (std::size_t t = 0; t < Taps; ++t) {
            for (std::size_t p = 0; p < Phases; ++p) {
                between[p] += m_weights[t][p] * x[t];
            }
        }
        for (const float value : between) {
            peak = std::max(peak, std::abs(value));
        }
    }
    m_recentAt = (m_recentAt + 1) % Taps;
    return peak;
}

void Limiter::pass(float& left, float& right, float gain) noexcept {
    float* held = m_delay.data() + m_delayAt * 2;
    std::swap(left, held[0]);
    std::swap(right, held[1]);
    left = std::clamp(left * gain, -1.0F, 1.0F);
    right = std::clamp(right * gain, -1.0F, 1.0F);
    m_delayAt = m_delayAt + 1 == LookAhead ? 0 : m_delayAt + 1;
}

void Limiter::process(float* stereo, std::size_t frames) noexcept {
    // Nothing near the ceiling, now or within the window: a plain delay. A sum or a comparison with NaN is
    // false or NaN.
    float loudest = 0.0F;
    float sum = 0.0F;
    for (std::size_t i = 0; i < frames * 2; ++i) {
        loudest = std::max(loudest, std::abs(stereo[i]));
        sum += stereo[i];
    }
    m_calm = loudest < m_calmBelow && std::isfinite(sum) ? m_calm + frames : 0;
    if (m_calm > frames + Hold + Window && m_held == 1.0) {
        m_queueSize = 0;
        m_mean.fill(1.0);
        m_sum = static_cast<double>(Window);
        // What comes next is interpolated from these.
        for (std::size_t n = frames > Taps ? frames - Taps : 0; n < frames; ++n) {
            for (std::size_t ear = 0; ear < 2; ++ear) {
                m_recent[ear][m_recentAt] = m_recent[ear][m_recentAt + Taps] = stereo[n * 2 + ear];
            }
            m_recentAt = (m_recentAt + 1) % Taps;
        }
        for (std::size_t n = 0; n < frames; ++n) {
            pass(stereo[n * 2], stereo[n * 2 + 1], 1.0F);
        }
        m_time += frames;
        return;
    }
    for (std::size_t n = 0; n < frames; ++n) {
        std::array<float, 2> in = {stereo[n * 2], stereo[n * 2 + 1]};
        for (float& value : in) {
            if (!std::isfinite(value)) {
                value = 0.0F;
                ++m_bad;
            }
            value = std::clamp(value, -Loudest, Loudest);
        }
        const float peak = truePeak(in[0], in[1]);
        const float needed = m_on && peak > Target ? Target / peak : 1.0F;
        while (m_queueSize > 0
               && m_queueGain[(m_queueHead + m_queueSize - 1) % m_queueGain.size()] >= needed) {
            --m_queueSize;
        }
        const std::size_t end = (m_queueHead + m_queueSize) % m_queueGain.size();
        m_queueGain[end] = needed;
        m_queueTime[end] = m_time;
        ++m_queueSize;
        if (m_queueTime[m_queueHead] + Hold <= m_time) {
            m_queueHead = (m_queueHead + 1) % m_queueGain.size();
            --m_queueSize;
        }
        ++m_time;
        const double lowest = static_cast<double>(m_queueGain[m_queueHead]);
        m_held = !m_on ? 1.0 : lowest < m_held ? lowest : m_held + (lowest - m_held) * m_release;
        if (m_held > 0.999999) {
            m_held = 1.0;
        }
        m_sum += m_held - m_mean[m_meanAt];
        m_mean[m_meanAt] = m_held;
        m_meanAt = (m_meanAt + 1) % Window;
        const double mean = m_sum / static_cast<double>(Window);
        const float gain = mean > 0.9999999 ? 1.0F : static_cast<float>(mean);
        m_lowest = std::min(m_lowest, gain);
        stereo[n * 2] = in[0];
        stereo[n * 2 + 1] = in[1];
        pass(stereo[n * 2], stereo[n * 2 + 1], gain);
    }
}

float Limiter::takeLowestGain() noexcept {
    const float lowest = m_lowest;
    m_lowest = 1.0F;
    return lowest;
}

} // namespace sbx::audio
