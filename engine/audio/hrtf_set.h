#pragma once
// A set of head-related responses, ready for the renderer: resampled, diffuse-field equalised, minimum phase
// of 128 taps with the delay apart, on a mesh of directions. Built on any thread (some tenths of a second),
// immutable afterwards, shared by pointer; the members marked [audio] neither allocate nor lock.
//
// Directions are head-relative unit vectors: x right, y up, -z ahead.
// Diffuse-field equalisation: H. Moller, "Fundamentals of binaural technology", 1992. Minimum phase with a
// separate delay: D. J. Kistler and F. L. Wightman, "A model of head-related transfer functions based on
// principal components analysis and minimum-phase reconstruction", 1992.

#include "engine/audio/detail/direction_mesh.h"
#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/itd_map.h"
#include "engine/core/result.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sbx::audio {

// Responses as measured.
struct HrtfResponses {
    std::string name;
    double sampleRate = 0.0;
    std::vector<glm::dvec3> directions;
    std::vector<double> distances;                             // m
    std::vector<std::array<std::vector<double>, 2>> responses; // left, right: one per direction
};

struct HrtfOptions {
    bool equalise = true; // diffuse field to 0 dB
    // Below this the measurement is taken for the loudspeaker's, and each ear's level is held: Hz.
    double lowestTrusted = 180.0;
};

inline constexpr double MinimumRate =
    40000.0; // Hz; the filters are 128 samples long, so higher rates are left to the output
inline constexpr double MaximumRate = 50000.0;
inline constexpr double HeadRadius = 0.0875; // m: the sphere of the near field and of Mode::Sphere

// Reads a SOFA file of convention SimpleFreeFieldHRIR. The error names the field at fault.
[[nodiscard]] Result<HrtfResponses> readSofa(const std::filesystem::path& file);

class HrtfSet {
public:
    static constexpr int Taps = 128;
    static constexpr int FilterFloats =
        512; // packed spectra of left and right, scaled for the renderer's transforms

    [[nodiscard]] static Result<std::shared_ptr<const HrtfSet>> build(const HrtfResponses& measured,
                                                                      double sampleRate,
                                                                      const HrtfOptions& options = {});
    [[nodiscard]] static Result<std::shared_ptr<const HrtfSet>> load(const std::filesystem::path& file,
                                                                     double sampleRate,
                                                                     const HrtfOptions& options = {});
    // The rigid sphere with ears at its sides, for when there is no file, and Mode::Sphere.
    [[nodiscard]] static std::shared_ptr<const HrtfSet> sphere(double sampleRate, double radius = HeadRadius,
                                                               double speed = 340.29);

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] double sampleRate() const { return m_sampleRate; }
    [[nodiscard]] double distance() const { return m_distance; } // m, at which it was measured
    [[nodiscard]] std::size_t directionCount() const {
        return m_directions.size();
    } // with the poles that were added
    [[nodiscard]] const std::vector<glm::dvec3>& directions() const { return m_directions; }
    // Minimum-phase response of a direction, for display and tests; 128 taps.
    [[nodiscard]] std::vector<double> response(std::size_t direction, int ear) const;
    // What the diffuse-field equalisation did, dB at a frequency.
    [[nodiscard]] double equalisationDb(double frequency) const;

    [[nodiscard]] DirectionWeights locate(const glm::vec3& direction, int& face) const noexcept {
        return m_mesh.locate(direction, face);
    } // [audio]
    [[nodiscard]] const float* filter(int direction) const noexcept {
        return m_filters.data() + direction * FilterFloats;
    } // [audio]
    [[nodiscard]] float itd(const glm::vec3& direction) const noexcept {
        return m_itd.at(direction);
    } // [audio] s, left later

private:
    HrtfSet() = default;

    std::string m_name;
    double m_sampleRate = 0.0;
    double m_distance = 1.4;
    std::vector<glm::dvec3> m_directions;
    DirectionMesh m_mesh;
    ItdMap m_itd;
    AlignedFloats m_filters;
    std::vector<double> m_equalisation; // gain per bin of the analysis
};

// Packs `taps` (at most 129) as a filter of one ear for the renderer's transforms: 256 floats.
void packFilter(const std::vector<double>& taps, float* out);

} // namespace sbx::audio
