#include "engine/audio/ear_spectrum.h"

#include "engine/audio/detail/fourier.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

EarSpectrum::EarSpectrum(double sampleRate, double seconds)
    : m_rate(sampleRate), m_seconds(seconds), m_window(Size), m_work(Size) {
    for (std::size_t n = 0; n < Size; ++n)
        m_window[n] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * (static_cast<double>(n) + 0.5) / static_cast<double>(Size));
    reset();
}

void EarSpectrum::reset() {
    m_fed = false;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        m_power[ear].assign(Size / 2 + 1, 0.0);
        m_decibels[ear].assign(Points, -200.0F);
    }
}

double EarSpectrum::frequencyOf(std::size_t point) {
    return LowestHz * std::pow(HighestHz / LowestHz, static_cast<double>(point) / static_cast<double>(Points - 1));
}

void EarSpectrum::feed(std::span<const float> interleaved, double elapsed) {
    // Both ears in one transform: left is its real part, right its imaginary one.
    for (std::size_t n = 0; n < Size; ++n)
        m_work[n] = {m_window[n] * static_cast<double>(interleaved[n * 2]), m_window[n] * static_cast<double>(interleaved[n * 2 + 1])};
    fourier(m_work, false);
    const double keep = m_fed ? std::exp(-elapsed / m_seconds) : 0.0;
    m_fed = true;
    for (std::size_t k = 0; k <= Size / 2; ++k) {
        const std::complex<double> a = m_work[k];
        const std::complex<double> b = std::conj(m_work[(Size - k) % Size]);
        m_power[0][k] = keep * m_power[0][k] + (1.0 - keep) * 0.25 * std::norm(a + b);
        m_power[1][k] = keep * m_power[1][k] + (1.0 - keep) * 0.25 * std::norm(a - b);
    }
    // A Hann window sums to half its length, and a sine has half its amplitude in each half of the spectrum.
    const double scale = 16.0 / (static_cast<double>(Size) * static_cast<double>(Size));
    const double binHz = m_rate / static_cast<double>(Size);
    const double half = std::pow(HighestHz / LowestHz, 0.5 / static_cast<double>(Points - 1));
    for (std::size_t point = 0; point < Points; ++point) {
        const auto first = static_cast<std::size_t>(std::ceil(frequencyOf(point) / half / binHz));
        const auto last = std::min(static_cast<std::size_t>(frequencyOf(point) * half / binHz), Size / 2);
        const double place = std::min(frequencyOf(point) / binHz, static_cast<double>(Size / 2 - 1));
        const auto below = static_cast<std::size_t>(place);
        const double share = place - static_cast<double>(below);
        for (std::size_t ear = 0; ear < 2; ++ear) {
            // Points are closer than bins down there, and wider above.
            double most = (1.0 - share) * m_power[ear][below] + share * m_power[ear][below + 1];
            for (std::size_t k = first; k <= last; ++k)
                most = std::max(most, m_power[ear][k]);
            m_decibels[ear][point] = static_cast<float>(10.0 * std::log10(std::max(most * scale, 1e-20)));
        }
    }
}

} // namespace sbx::audio
