#pragma once
// A stream of stereo at another rate, for devices whose rate the renderer does not support. 32-tap windowed sinc. One thread; storage
// is taken once.

#include "engine/audio/detail/interpolation_tables.h"

#include <functional>
#include <span>
#include <vector>

namespace sbx::audio {

class RateConverter {
public:
    using Fill = std::function<void(std::span<float> interleaved)>;
    RateConverter(double fromRate, double toRate);
    // Fills `out` at the new rate, calling `fill` for as much as it needs, in pieces of Piece frames.
    void pull(std::span<float> out, const Fill& fill);

    static constexpr std::size_t Piece = 128;

private:
    InterpolationTables m_tables;
    const InterpolationTable& m_table;
    double m_step; // frames of the source for each frame out
    double m_place = 0.0;
    std::vector<float> m_held; // interleaved; frame 0 is the first that is still needed
};

} // namespace sbx::audio
