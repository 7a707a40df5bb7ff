#include "engine/audio/detail/propagation.h"

#include "engine/audio/detail/fourier.h"
#include "engine/audio/detail/kernel_table.h"
#include "engine/audio/detail/sphere_response.h"
#include "engine/audio/hrtf_set.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

using std::numbers::pi;

double speedOfSound(double temperature) { return 331.3 * std::sqrt(1.0 + temperature / 273.15); }

float distanceGain(const SourceSettings& settings, double distance) noexcept {
    const double r = std::max(static_cast<double>(settings.referenceDistance), 1e-3);
    const double m = std::max(static_cast<double>(settings.maximumDistance), r);
    const double k = std::max(static_cast<double>(settings.rolloff), 0.0);
    double d = std::max(distance, r);
    switch (settings.distanceModel) {
    case DistanceModel::InverseClamped:
        d = std::min(d, m);
        [[fallthrough]];
    case DistanceModel::Inverse:
        return static_cast<float>(r / (r + k * (d - r)));
    case DistanceModel::Linear:
        return m > r ? static_cast<float>(std::clamp(1.0 - k * (std::min(d, m) - r) / (m - r), 0.0, 1.0))
                     : 1.0F;
    case DistanceModel::Exponential:
        return static_cast<float>(std::pow(d / r, -k));
    case DistanceModel::None:
        break;
    }
    return 1.0F;
}

float coneGain(const SourceSettings& settings, const Vec3& axis, const Vec3& towards) noexcept {
    const bool cone = settings.coneInner < 360.0F;
    if (!isAimed(settings)) {
        return 1.0F;
    }
    const float length = glm::length(towards);
    const float cosine = length > 1e-6F ? std::clamp(glm::dot(axis, towards) / length, -1.0F, 1.0F) : 1.0F;
    float gain = 1.0F;
    if (cone) {
        const float angle = std::acos(cosine) * (360.0F / std::numbers::pi_v<float>); // full angle
        const float outer = std::max(settings.coneOuter, settings.coneInner);
        const float span = outer - settings.coneInner;
        const float share = span > 0.0F ? std::clamp((angle - settings.coneInner) / span, 0.0F, 1.0F)
                                        : (angle > outer ? 1.0F : 0.0F);
        const float smooth = share * share * (3.0F - 2.0F * share);
        gain = 1.0F + (settings.coneOuterGain - 1.0F) * smooth;
    }
    if (settings.directivity > 0.0F) {
        const float a = std::min(settings.directivity, 1.0F);
        gain *= std::pow(std::abs(1.0F - a + a * cosine), std::max(settings.directivityPower, 0.0F));
    }
    return gain;
}

float occlusionGain(const SourceSettings& settings) noexcept {
    const float share = std::clamp(settings.occlusion, 0.0F, 1.0F);
    return 1.0F + (std::clamp(settings.transmissionGain, 0.0F, 1.0F) - 1.0F) * share;
}

double airAttenuation(const Air& air, double frequency) {
    const double t = air.temperature + 273.15;
    const double relative = t / 293.15;
    const double pressure = air.pressure / 101.325;
    const double saturation = std::pow(10.0, -6.8346 * std::pow(273.16 / t, 1.261) + 4.6151);
    const double h = air.humidity * saturation / pressure; // per cent molar concentration of water vapour
    const double oxygen = pressure * (24.0 + 4.04e4 * h * (0.02 + h) / (0.391 + h));
    const double nitrogen = pressure / std::sqrt(relative)
                            * (9.0 + 280.0 * h * std::exp(-4.170 * (std::cbrt(1.0 / relative) - 1.0)));
    const double f2 = frequency * frequency;
    return 8.686 * f2
           * (1.84e-11 / pressure * std::sqrt(relative)
              + std::pow(relative, -2.5)
                    * (0.01275 * std::exp(-2239.1 / t) / (oxygen + f2 / oxygen)
                       + 0.1068 * std::exp(-3352.0 / t) / (nitrogen + f2 / nitrogen)));
}

namespace {

// Minimum phase of magnitudes given on the renderer's 129 bins, as a packed factor: at most `taps` long.
void packFactor(const std::vector<double>& coarse, std::size_t taps, float* out) {
    constexpr std::size_t Finer = 8;
    std::vector<double> fine((coarse.size() - 1) * Finer + 1);
    for (std::size_t k = 0; k < fine.size(); ++k) {
        const std::size_t at = std::min(k / Finer, coarse.size() - 2);
        const double share = static_cast<double>(k) / Finer - static_cast<double>(at);
        fine[k] = std::exp((1.0 - share) * std::log(coarse[at]) + share * std::log(coarse[at + 1]));
    }
    std::vector<double> response = signalOf(minimumPhase(fine));
    response.resize(taps);
    for (std::size_t i = taps * 3 / 4; i < taps; ++i) {
        response[i] *= 0.5
                       + 0.5
                             * std::cos(pi * (static_cast<double>(i) - static_cast<double>(taps) * 0.75)
                                        / (static_cast<double>(taps) * 0.25));
    }
    const std::vector<Complex> bins = spectrumOf(response, TransformSize);
    for (std::size_t k = 0; k < 128; ++k) {
        out[k] = static_cast<float>(bins[k].real());
        out[128 + k] = static_cast<float>(bins[k].imag());
    }
    out[128] = static_cast<float>(bins[128].real());
}

// The largest magnitude a set has at an ear, per bin, over the directions at some angle to that ear's axis.
class Envelope {
public:
    explicit Envelope(const HrtfSet& set) : m_largest(Bands) {
        for (std::array<float, 129>& band : m_largest) {
            band.fill(0.0F);
        }
        constexpr float Scale = 2.0F * TransformSize; // of packed filters, as in packFilter()
        for (std::size_t d = 0; d < set.directions().size(); ++d) {
            for (std::size_t ear = 0; ear < 2; ++ear) {
                const double side = ear == 0 ? -set.directions()[d].x : set.directions()[d].x;
                std::array<float, 129>& band = m_largest[bandOf(std::acos(std::clamp(side, -1.0, 1.0)))];
                const float* packed = set.filter(static_cast<int>(d)) + ear * SpectrumFloats;
                for (std::size_t k = 0; k <= 128; ++k) {
                    const float imaginary = k == 0 || k == 128 ? 0.0F : packed[128 + k];
                    band[k] = std::max(band[k], Scale * std::hypot(packed[k], imaginary));
                }
            }
        }
    }
    // Over all angles between two, and those beside them (a set's directions are some degrees apart).
    [[nodiscard]] std::array<float, 129> between(double from, double to) const {
        std::array<float, 129> out{};
        const std::size_t first = bandOf(std::max(from - Beside, 0.0));
        const std::size_t last = bandOf(std::min(to + Beside, pi));
        for (std::size_t band = first; band <= last; ++band) {
            for (std::size_t k = 0; k <= 128; ++k) {
                out[k] = std::max(out[k], m_largest[band][k]);
            }
        }
        return out;
    }

private:
    static constexpr std::size_t Bands = 60;
    static constexpr double Beside = 0.13; // radians
    [[nodiscard]] static std::size_t bandOf(double angle) {
        return std::min(static_cast<std::size_t>(angle / pi * static_cast<double>(Bands)), Bands - 1);
    }
    std::vector<std::array<float, 129>> m_largest;
};

// Angle to the ear's axis of the direction whose response stands for a source at `angle` and `distance` (see parallax() of the
// voice).
double angleSeen(double angle, double distance, double radius) {
    const glm::dvec2 ear(HeadRadius, 0.0);
    const glm::dvec2 line = glm::normalize(distance * glm::dvec2(std::cos(angle), std::sin(angle)) - ear);
    const double along = glm::dot(ear, line);
    const glm::dvec2 there = ear + line * (-along + std::sqrt(along * along - glm::dot(ear, ear) + radius * radius));
    return std::acos(std::clamp(there.x / radius, -1.0, 1.0));
}

} // namespace

AirTable::AirTable(const Air& air, double sampleRate, double farthest)
    : m_air(air), m_farthest(farthest), m_rows(static_cast<std::size_t>(Rows * SpectrumFloats)) {
    for (int row = 0; row < Rows; ++row) {
        const double share = static_cast<double>(row) / (Rows - 1);
        const double distance = farthest * share * share;
        std::vector<double> magnitude(129);
        for (std::size_t k = 0; k < magnitude.size(); ++k) {
            const double loss =
                airAttenuation(air, static_cast<double>(k) * sampleRate / TransformSize) * distance;
            magnitude[k] = std::pow(10.0, -std::min(loss, 120.0) / 20.0);
        }
        packFactor(magnitude, 64, m_rows.data() + row * SpectrumFloats);
    }
}

void AirTable::at(double distance, const KernelTable& kernels, float* out) const noexcept {
    const double place = (Rows - 1) * std::sqrt(std::clamp(distance / m_farthest, 0.0, 1.0));
    const int row = std::min(static_cast<int>(place), Rows - 2);
    // The rows' distances are squares, so the share between them is that of the distance.
    const double from = static_cast<double>(row) * row;
    const auto share = static_cast<float>((place * place - from) / (2.0 * row + 1.0));
    const float* cell = m_rows.data() + row * SpectrumFloats;
    kernels.blend3(out, cell, 1.0F - share, cell + SpectrumFloats, share, cell, 0.0F, SpectrumFloats);
}

NearFieldTable::NearFieldTable(const HrtfSet& set, double speed)
    : m_farthest(std::max(set.distance(), 2.0 * Nearest)),
      m_cells(static_cast<std::size_t>(Distances * Angles * SpectrumFloats)) {
    const double sampleRate = set.sampleRate();
    const Envelope envelope(set);
    for (int a = 0; a < Angles; ++a) {
        const auto angleAt = [](int index) { return pi * std::clamp(index, 0, Angles - 1) / (Angles - 1); };
        const double angle = angleAt(a);
        std::vector<double> reference(129);
        // Smooth above the first bins: every fourth will do, and what lies between is filled in. The set's responses are not: the
        // bound at such a bin is that of all bins as far as the next ones.
        const auto exact = [](std::size_t k) { return k < 16 || k % 4 == 0; };
        const auto about = [&](const std::array<float, 129>& all, std::size_t k) {
            const std::size_t from = k < 16 ? k : k - 3;
            const std::size_t to = k < 16 ? k : std::min<std::size_t>(k + 3, all.size() - 1);
            return *std::max_element(all.begin() + static_cast<std::ptrdiff_t>(from),
                                     all.begin() + static_cast<std::ptrdiff_t>(to) + 1);
        };
        for (int d = Distances - 1; d >= 0; --d) {
            const double distance =
                Nearest * std::pow(m_farthest / Nearest, static_cast<double>(d) / (Distances - 1));
            // Cells are blended with their neighbours: the bound holds for what those stand for, too.
            const auto seen = [&](int index) { return angleSeen(angleAt(index), distance, m_farthest); };
            const auto [first, last] = std::minmax({seen(a - 1), seen(a), seen(a + 1)});
            const std::array<float, 129> largest = envelope.between(first, last);
            std::vector<double> magnitude(129);
            for (std::size_t k = 0; k < magnitude.size(); ++k) {
                if (!exact(k)) {
                    continue;
                }
                const double frequency = std::max(40.0, static_cast<double>(k) * sampleRate / TransformSize);
                if (d == Distances - 1) {
                    reference[k] = sphereMagnitude(HeadRadius, m_farthest, angle, frequency, speed);
                }
                const double near = sphereMagnitude(HeadRadius, distance, angle, frequency, speed);
                magnitude[k] = std::min(near / reference[k],
                                        MaxGain / std::max(static_cast<double>(about(largest, k)), 1e-6));
            }
            for (std::size_t k = 17; k < magnitude.size(); ++k) {
                if (!exact(k)) {
                    const std::size_t from = k / 4 * 4;
                    magnitude[k] =
                        magnitude[from]
                        + (magnitude[from + 4] - magnitude[from]) * static_cast<double>(k - from) / 4.0;
                }
            }
            packFactor(magnitude, 64, m_cells.data() + (d * Angles + a) * SpectrumFloats);
        }
    }
}

void NearFieldTable::at(double distance, double cosine, const KernelTable& kernels,
                        float* out) const noexcept {
    const double row = (Distances - 1) * std::log(std::clamp(distance, Nearest, m_farthest) / Nearest)
                       / std::log(m_farthest / Nearest);
    const double column = (Angles - 1) * std::acos(std::clamp(cosine, -1.0, 1.0)) / pi;
    const int d = std::min(static_cast<int>(row), Distances - 2);
    const int a = std::min(static_cast<int>(column), Angles - 2);
    const auto down = static_cast<float>(row - d);
    const auto across = static_cast<float>(column - a);
    const float* cell = m_cells.data() + (d * Angles + a) * SpectrumFloats;
    const float* below = cell + Angles * SpectrumFloats;
    kernels.blend3(out, cell, (1.0F - down) * (1.0F - across), cell + SpectrumFloats, (1.0F - down) * across,
                   below, down * (1.0F - across), SpectrumFloats);
    kernels.blend3(out, out, 1.0F, below + SpectrumFloats, down * across, out, 0.0F, SpectrumFloats);
}

} // namespace sbx::audio
