#include "engine/audio/rate_converter.h"

#include "engine/audio/detail/kernel_table.h"

#include <algorithm>
#include <cmath>

namespace sbx::audio {

RateConverter::RateConverter(double fromRate, double toRate)
    : m_table(m_tables.table(Quality::Best, fromRate / toRate)), m_step(fromRate / toRate) {
    m_held.reserve(16 * Piece * 2);
    m_held.assign(static_cast<std::size_t>(m_table.taps) * 2, 0.0F);
}

void RateConverter::pull(std::span<float> out, const Fill& fill) {
    const auto taps = static_cast<std::size_t>(m_table.taps);
    for (std::size_t n = 0; n + 1 < out.size(); n += 2) {
        auto first = static_cast<std::size_t>(m_place);
        while ((first + taps) * 2 > m_held.size()) {
            if (first > 4 * Piece) { // what is behind is not needed again
                m_held.erase(m_held.begin(), m_held.begin() + static_cast<std::ptrdiff_t>(first * 2));
                m_place -= static_cast<double>(first);
                first = 0;
            }
            const std::size_t size = m_held.size();
            m_held.resize(size + Piece * 2);
            fill(std::span<float>(m_held).subspan(size));
        }
        const double phase = (m_place - static_cast<double>(first)) * SincPhases;
        const int row = std::min(static_cast<int>(phase), SincPhases - 1);
        const auto blend = static_cast<float>(phase - row);
        const float* c = m_table.rows.data() + static_cast<std::ptrdiff_t>(row) * m_table.taps;
        float left = 0.0F;
        float right = 0.0F;
        for (std::size_t t = 0; t < taps; ++t) {
            const float weight = c[t] + (c[t + taps] - c[t]) * blend;
            left += weight * m_held[(first + t) * 2];
            right += weight * m_held[(first + t) * 2 + 1];
        }
        out[n] = left;
        out[n + 1] = right;
        m_place += m_step;
    }
}

} // namespace sbx::audio
