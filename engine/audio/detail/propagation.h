#pragma once
// What distance, direction and air do to level and spectrum. gains: audio thread; tables: built at load,
// immutable.

#include "engine/audio/audio_types.h"
#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"

namespace sbx::audio {

class HrtfSet;

[[nodiscard]] float distanceGain(const SourceSettings& settings, double distance) noexcept;
// axis: the source's -Z in the world; towards: from source to listener, any length.
[[nodiscard]] float coneGain(const SourceSettings& settings, const Vec3& axis, const Vec3& towards) noexcept;
// Whether coneGain() looks at the axis at all.
[[nodiscard]] inline bool isAimed(const SourceSettings& settings) noexcept {
    return settings.coneInner < 360.0F || settings.directivity > 0.0F;
}
[[nodiscard]] float occlusionGain(const SourceSettings& settings) noexcept;

// Attenuation of pure tones, dB per metre. Source: ISO 9613-1, "Attenuation of sound during propagation
// outdoors, Part 1: Calculation of the absorption of sound by the atmosphere", 1993.
[[nodiscard]] double airAttenuation(const Air& air, double frequency);

// Packed minimum-phase spectra of air over distances 0 to `farthest`; rows grow with the square of their
// number.
class AirTable {
public:
    AirTable(const Air& air, double sampleRate, double farthest = 1000.0);
    // Packed spectrum of one ear into out (256 floats).
    void at(double distance, const KernelTable& kernels, float* out) const noexcept;
    [[nodiscard]] const Air& air() const { return m_air; }

private:
    static constexpr int Rows = 64;
    Air m_air;
    double m_farthest;
    AlignedFloats m_rows;
};

// Ratio of the rigid sphere's response at r to that at the distance the set was measured at, for the angle
// between ear axis and source. Source: see sphere_response.h; the ratio ("distance variation function") is of
// A. Kan, C. Jin and A. van Schaik, "A psychophysical evaluation of near-field head-related transfer
// functions synthesized using a distance variation function", 2009. It is bounded so that together with the set's
// own response no ear gets more than 20 dB above the free field at the centre of the head.
class NearFieldTable {
public:
    static constexpr double Nearest = 0.105; // m

    static constexpr double MaxGain = 9.5; // amplitude; what lies between the table's cells stays below 10

    NearFieldTable(const HrtfSet& set, double speedOfSound);
    [[nodiscard]] double farthest() const { return m_farthest; }
    // Packed spectrum of one ear into out (256 floats). cosine: of the angle between the ear's axis and the
    // source.
    void at(double distance, double cosine, const KernelTable& kernels, float* out) const noexcept;

private:
    static constexpr int Distances = 14;
    static constexpr int Angles = 25;
    double m_farthest; // m: where the set was measured; there and beyond, nothing is to be corrected
    AlignedFloats m_cells;
};

} // namespace sbx::audio
