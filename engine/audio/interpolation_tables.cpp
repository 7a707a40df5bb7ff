#include "engine/audio/detail/interpolation_tables.h"

#include "engine/audio/detail/fourier.h"
#include "engine/audio/detail/kernel_table.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace sbx::audio {

namespace {

constexpr std::array<double, 6> Cutoffs = {0.96, 0.8, 0.6, 0.4, 0.24, 0.12}; // of the Nyquist frequency
constexpr double Beta = 10.0;

InterpolationTable windowedSinc(int taps, double cutoff, double beta) {
    InterpolationTable table{taps, AlignedFloats(static_cast<std::size_t>((SincPhases + 1) * taps))};
    const double half = taps / 2.0;
    for (int p = 0; p <= SincPhases; ++p) {
        std::array<double, 32> row{};
        double sum = 0.0;
        for (int t = 0; t < taps; ++t) {
            const double x = t - (taps / 2 - 1) - static_cast<double>(p) / SincPhases;
            const double edge = x / half;
            const double window = besselI0(beta * std::sqrt(std::max(0.0, 1.0 - edge * edge)));
            const double angle = std::numbers::pi * cutoff * x;
            row[static_cast<std::size_t>(t)] =
                window * (std::abs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle);
            sum += row[static_cast<std::size_t>(t)];
        }
        for (int t = 0; t < taps; ++t) {
            table.rows.data()[p * taps + t] = static_cast<float>(row[static_cast<std::size_t>(t)] / sum);
        }
    }
    return table;
}

// What the inner loops work out without a table: Lagrange's polynomials of four samples, and the line.
InterpolationTable shortKernel(bool cubic) {
    const int taps = cubic ? 4 : 2;
    InterpolationTable table{taps, AlignedFloats(static_cast<std::size_t>((SincPhases + 1) * taps))};
    for (int p = 0; p <= SincPhases; ++p) {
        const double f = static_cast<double>(p) / SincPhases;
        float* row = table.rows.data() + p * taps;
        if (cubic) {
            row[0] = static_cast<float>(-f * (f - 1.0) * (f - 2.0) / 6.0);
            row[1] = static_cast<float>((f + 1.0) * (f - 1.0) * (f - 2.0) / 2.0);
            row[2] = static_cast<float>(-(f + 1.0) * f * (f - 2.0) / 2.0);
            row[3] = static_cast<float>((f + 1.0) * f * (f - 1.0) / 6.0);
        } else {
            row[0] = static_cast<float>(1.0 - f);
            row[1] = static_cast<float>(f);
        }
    }
    return table;
}

} // namespace

AlignedFloats::AlignedFloats(std::size_t count) : m_storage(count + 16, 0.0F), m_size(count) {
    const auto address = reinterpret_cast<std::uintptr_t>(m_storage.data());
    m_start = m_storage.data() + ((64 - address % 64) % 64) / sizeof(float);
}

AlignedFloats::AlignedFloats(AlignedFloats&& other) noexcept
    : m_storage(std::move(other.m_storage)),
      m_start(std::exchange(other.m_start, nullptr)),
      m_size(std::exchange(other.m_size, 0)) {}

AlignedFloats& AlignedFloats::operator=(AlignedFloats&& other) noexcept {
    m_storage = std::move(other.m_storage);
    m_start = std::exchange(other.m_start, nullptr);
    m_size = std::exchange(other.m_size, 0);
    return *this;
}

InterpolationTables::InterpolationTables() : m_lagrange(shortKernel(true)), m_linear(shortKernel(false)) {
    for (std::size_t i = 0; i < Cutoffs.size(); ++i) {
        m_sinc32[i] = windowedSinc(32, Cutoffs[i], Beta);
        m_sinc16[i] = windowedSinc(16, Cutoffs[i], Beta);
    }
}

const InterpolationTable& InterpolationTables::table(Quality quality, double rate) const noexcept {
    if (quality == Quality::Linear) {
        return m_linear;
    }
    if (quality == Quality::Fast) {
        return m_lagrange;
    }
    std::size_t index = 0;
    if (rate > 1.05) {
        index = 1;
        while (index + 1 < Cutoffs.size() && rate * Cutoffs[index] > 1.05) {
            ++index;
        }
    }
    return quality == Quality::Best ? m_sinc32[index] : m_sinc16[index];
}

} // namespace sbx::audio
