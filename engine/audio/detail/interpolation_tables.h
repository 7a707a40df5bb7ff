#pragma once
// The kernels a fractional delay is read with, as tables of SincPhases + 1 rows. Built once; read by the
// audio thread.
// Windowed sinc: J. O. Smith and P. Gossett, "A flexible sampling-rate conversion method", 1984, with a
// Kaiser window.

#include "engine/audio/audio_types.h"

#include <array>
#include <vector>

namespace sbx::audio {

struct AlignedFloats {
    explicit AlignedFloats(std::size_t count = 0);
    [[nodiscard]] float* data() { return m_start; }
    [[nodiscard]] const float* data() const { return m_start; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    AlignedFloats(AlignedFloats&& other) noexcept;
    AlignedFloats& operator=(AlignedFloats&& other) noexcept;
    AlignedFloats(const AlignedFloats&) = delete;
    AlignedFloats& operator=(const AlignedFloats&) = delete;
    ~AlignedFloats() = default;

private:
    std::vector<float> m_storage; // zeroed; m_start lies inside, on 64 bytes
    float* m_start = nullptr;
    std::size_t m_size = 0;
};

struct InterpolationTable {
    int taps = 0;
    // (SincPhases + 1) * taps; row p, tap t: the weight of sample t - (taps / 2 - 1) at fraction p / SincPhases
    AlignedFloats rows;
};

class InterpolationTables {
public:
    InterpolationTables();
    // `rate`: samples of input per sample of output. Above 1 the cutoff falls so that nothing folds back.
    [[nodiscard]] const InterpolationTable& table(Quality quality, double rate) const noexcept;

private:
    std::array<InterpolationTable, 6> m_sinc32; // by cutoff
    std::array<InterpolationTable, 6> m_sinc16;
    InterpolationTable m_lagrange;
    InterpolationTable m_linear;
};

} // namespace sbx::audio
