#include "engine/audio/loudness_meter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

double lufs(double meanSquare) { return -0.691 + 10.0 * std::log10(std::max(meanSquare, 1e-30)); }

} // namespace

double LoudnessMeter::Biquad::run(std::size_t ear, double x) {
    const double y = b0 * x + z1[ear];
    z1[ear] = b1 * x - a1 * y + z2[ear];
    z2[ear] = b2 * x - a2 * y;
    return y;
}

LoudnessMeter::LoudnessMeter(double sampleRate) : m_step(static_cast<std::size_t>(sampleRate / 10.0)) {
    // The standard gives coefficients at 48 kHz; these are its two analogue filters for any rate. Source: B. De Man,
    // "Evaluation of implementations of the EBU R128 loudness measurement", 2018.
    {
        const double k = std::tan(std::numbers::pi * 1681.974450955533 / sampleRate);
        const double q = 0.7071752369554196;
        const double high = std::pow(10.0, 3.999843853973347 / 20.0);
        const double band = std::pow(high, 0.4996667741545416);
        const double a0 = 1.0 + k / q + k * k;
        m_shelf.b0 = (high + band * k / q + k * k) / a0;
        m_shelf.b1 = 2.0 * (k * k - high) / a0;
        m_shelf.b2 = (high - band * k / q + k * k) / a0;
        m_shelf.a1 = 2.0 * (k * k - 1.0) / a0;
        m_shelf.a2 = (1.0 - k / q + k * k) / a0;
    }
    const double k = std::tan(std::numbers::pi * 38.13547087602444 / sampleRate);
    const double q = 0.5003270373238773;
    const double a0 = 1.0 + k / q + k * k;
    m_highPass.b0 = 1.0;
    m_highPass.b1 = -2.0;
    m_highPass.b2 = 1.0;
    m_highPass.a1 = 2.0 * (k * k - 1.0) / a0;
    m_highPass.a2 = (1.0 - k / q + k * k) / a0;
}

void LoudnessMeter::add(std::span<const float> interleaved) {
    for (std::size_t n = 0; n + 1 < interleaved.size(); n += 2) {
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const float sample = interleaved[n + ear];
            m_peak = std::max(m_peak, std::abs(sample));
            const double weighted = m_highPass.run(ear, m_shelf.run(ear, static_cast<double>(sample)));
            m_energy += weighted * weighted;
        }
        if (++m_at == m_step) {
            m_steps.push_back(m_energy / static_cast<double>(m_step));
            m_energy = 0.0;
            m_at = 0;
        }
    }
}

std::optional<double> LoudnessMeter::integrated() const {
    std::vector<double> blocks;
    for (std::size_t i = 0; i + 4 <= m_steps.size(); ++i)
        if (const double mean = 0.25 * (m_steps[i] + m_steps[i + 1] + m_steps[i + 2] + m_steps[i + 3]); lufs(mean) > -70.0)
            blocks.push_back(mean);
    const auto meanAbove = [&](double gate) -> std::optional<double> {
        double sum = 0.0;
        std::size_t count = 0;
        for (const double block : blocks)
            if (lufs(block) > gate) {
                sum += block;
                ++count;
            }
        return count > 0 ? std::optional(lufs(sum / static_cast<double>(count))) : std::nullopt;
    };
    const std::optional<double> first = meanAbove(-70.0);
    return first ? meanAbove(*first - 10.0) : std::nullopt;
}

std::optional<double> LoudnessMeter::momentary() const {
    if (m_steps.size() < 4)
        return std::nullopt;
    const double mean = 0.25 * (m_steps[m_steps.size() - 1] + m_steps[m_steps.size() - 2] + m_steps[m_steps.size() - 3]
                                + m_steps[m_steps.size() - 4]);
    return lufs(mean) > -70.0 ? std::optional(lufs(mean)) : std::nullopt;
}

} // namespace sbx::audio
