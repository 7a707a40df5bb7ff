#include "engine/audio/hrtf_set.h"

#include "engine/audio/detail/fourier.h"
#include "engine/audio/detail/kernel_table.h"
#include "engine/audio/detail/sphere_response.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

constexpr std::size_t AnalysisSize = 2048;
constexpr std::size_t AnalysisBins = AnalysisSize / 2 + 1;
constexpr std::size_t FadeTaps = 16;
constexpr double MaximumBoost = 10.0; // of the equalisation, amplitude
using Magnitudes = std::array<std::vector<double>, 2>;

// Power mean over a band around each bin, `octaves` wide.
std::vector<double> smoothed(const std::vector<double>& power, double octaves) {
    std::vector<double> sums(power.size() + 1);
    for (std::size_t k = 0; k < power.size(); ++k) {
        sums[k + 1] = sums[k] + power[k];
    }
    const double factor = std::exp2(octaves / 2.0);
    std::vector<double> result(power.size());
    for (std::size_t k = 0; k < power.size(); ++k) {
        const auto from = static_cast<std::size_t>(std::floor(static_cast<double>(k) / factor));
        const auto to =
            std::min(power.size() - 1, static_cast<std::size_t>(std::ceil(static_cast<double>(k) * factor)));
        result[k] = (sums[to + 1] - sums[from]) / static_cast<double>(to + 1 - from);
    }
    return result;
}

// Each ear's level below `lowest` is that of the octave above it: what a small loudspeaker measured there is
// not the head's.
void holdBelow(std::vector<double>& magnitude, double lowest, double binWidth) {
    const auto from = static_cast<std::size_t>(lowest / binWidth);
    const auto to = std::min(magnitude.size() - 1, static_cast<std::size_t>(2.0 * lowest / binWidth));
    double power = 0.0;
    for (std::size_t k = from; k <= to; ++k) {
        power += magnitude[k] * magnitude[k];
    }
    const double level = std::sqrt(power / static_cast<double>(to + 1 - from));
    for (std::size_t k = 0; k <= from; ++k) {
        magnitude[k] = level;
    }
    // From there on the measured curve takes over within the octave.
    for (std::size_t k = from + 1; k < to; ++k) {
        const double share = static_cast<double>(k - from) / static_cast<double>(to - from);
        magnitude[k] =
            std::exp((1.0 - share) * std::log(level) + share * std::log(std::max(magnitude[k], 1e-9)));
    }
}

std::vector<double> minimumPhaseTaps(const std::vector<double>& magnitude, std::size_t taps) {
    std::vector<double> response = signalOf(minimumPhase(magnitude));
    response.resize(taps);
    for (std::size_t i = 0; i < FadeTaps; ++i) {
        const double x = (static_cast<double>(i) + 1.0) / (FadeTaps + 1.0);
        response[taps - FadeTaps + i] *= 0.5 + 0.5 * std::cos(std::numbers::pi * x);
    }
    return response;
}

// Poles the measurement left out stand for the mean of the ring nearest to them.
void addPole(double sign, std::vector<glm::dvec3>& directions, std::vector<Magnitudes>& magnitudes) {
    double highest = -1.0;
    for (const glm::dvec3& direction : directions) {
        highest = std::max(highest, sign * direction.y);
    }
    if (highest > std::sin(75.0 * std::numbers::pi / 180.0)) {
        return;
    }
    Magnitudes mean{std::vector<double>(AnalysisBins), std::vector<double>(AnalysisBins)};
    std::size_t count = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
        if (sign * directions[d].y < highest - 0.02) {
            continue;
        }
        ++count;
        for (std::size_t ear = 0; ear < 2; ++ear) {
            for (std::size_t k = 0; k < AnalysisBins; ++k) {
                mean[ear][k] += std::log(magnitudes[d][ear][k]);
            }
        }
    }
    for (std::vector<double>& ear : mean) {
        for (double& value : ear) {
            value = std::exp(value / static_cast<double>(count));
        }
    }
    directions.emplace_back(0.0, sign, 0.0);
    magnitudes.push_back(std::move(mean));
}

} // namespace

void packFilter(const std::vector<double>& taps, float* out) {
    const std::vector<Complex> bins = spectrumOf(taps, TransformSize);
    // A half for the split into two ears, 1/256 for the transform back.
    constexpr double Scale = 0.5 / TransformSize;
    for (std::size_t k = 0; k < 128; ++k) {
        out[k] = static_cast<float>(bins[k].real() * Scale);
        out[128 + k] = static_cast<float>(bins[k].imag() * Scale);
    }
    out[128] = static_cast<float>(bins[128].real() * Scale);
}

Result<std::shared_ptr<const HrtfSet>> HrtfSet::build(const HrtfResponses& measured, double sampleRate,
                                                      const HrtfOptions& options) {
    if (!(sampleRate >= MinimumRate && sampleRate <= MaximumRate)) {
        return Error{"the renderer's rate is outside 40000 to 50000 Hz", measured.name, {}};
    }
    const double binWidth = sampleRate / static_cast<double>(AnalysisSize);
    std::vector<glm::dvec3> directions = measured.directions;
    std::vector<Magnitudes> magnitudes;
    std::vector<double> itds;
    std::size_t longest = 0;
    for (const auto& pair : measured.responses) {
        longest = std::max({longest, pair[0].size(), pair[1].size()});
    }
    const ResponseResampler resample(longest, measured.sampleRate, sampleRate);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        Magnitudes pair;
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const std::vector<double>& raw = measured.responses[d][ear];
            for (const Complex& bin :
                 spectrumOf(resample(raw), AnalysisSize)) {
                pair[ear].push_back(std::max(std::abs(bin), 1e-7));
            }
        }
        magnitudes.push_back(std::move(pair));
        itds.push_back(excessItd(measured.responses[d][0], measured.responses[d][1], measured.sampleRate));
    }
    std::shared_ptr<HrtfSet> set(new HrtfSet);
    set->m_itd = ItdMap::fit(directions, itds);
    addPole(1.0, directions, magnitudes);
    addPole(-1.0, directions, magnitudes);
    set->m_mesh = DirectionMesh(directions);
    if (set->m_mesh.empty()) {
        return Error{"SourcePosition: the directions do not surround the head; expected at least four, not "
                     "all in one plane",
                     measured.name,
                     {}};
    }
    const std::vector<double> areas = set->m_mesh.areas(directions.size());
    set->m_equalisation.assign(AnalysisBins, 1.0);
    if (options.equalise) {
        std::vector<double> power(AnalysisBins);
        for (std::size_t d = 0; d < directions.size(); ++d) {
            for (std::size_t k = 0; k < AnalysisBins; ++k) {
                power[k] +=
                    areas[d] * 0.5
                    * (magnitudes[d][0][k] * magnitudes[d][0][k] + magnitudes[d][1][k] * magnitudes[d][1][k]);
            }
        }
        const std::vector<double> smooth = smoothed(power, 1.0 / 6.0);
        const auto low = static_cast<std::size_t>(500.0 / binWidth);
        const auto high = static_cast<std::size_t>(2000.0 / binWidth);
        double level = 0.0;
        for (std::size_t k = low; k <= high; ++k) {
            level += smooth[k] / static_cast<double>(high + 1 - low);
        }
        // The level of the middle goes to 0 dB with the rest; against it no frequency is raised without
        // bound.
        for (std::size_t k = 0; k < AnalysisBins; ++k) {
            set->m_equalisation[k] =
                std::min(1.0 / std::sqrt(std::max(smooth[k], 1e-30)), MaximumBoost / std::sqrt(level));
        }
    }
    set->m_filters = AlignedFloats(directions.size() * FilterFloats);
    for (std::size_t d = 0; d < directions.size(); ++d) {
        for (std::size_t ear = 0; ear < 2; ++ear) {
            std::vector<double>& magnitude = magnitudes[d][ear];
            for (std::size_t k = 0; k < AnalysisBins; ++k) {
                magnitude[k] *= set->m_equalisation[k];
            }
            holdBelow(magnitude, options.lowestTrusted, binWidth);
            packFilter(minimumPhaseTaps(magnitude, Taps),
                       set->m_filters.data() + d * FilterFloats + ear * SpectrumFloats);
        }
    }
    set->m_name = measured.name;
    set->m_sampleRate = sampleRate;
    set->m_directions = std::move(directions);
    std::vector<double> sorted = measured.distances;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    set->m_distance = sorted[sorted.size() / 2];
    return std::shared_ptr<const HrtfSet>(std::move(set));
}

Result<std::shared_ptr<const HrtfSet>> HrtfSet::load(const std::filesystem::path& file, double sampleRate,
                                                     const HrtfOptions& options) {
    Result<HrtfResponses> measured = readSofa(file);
    if (!measured) {
        return measured.error();
    }
    Result<std::shared_ptr<const HrtfSet>> set = build(*measured, sampleRate, options);
    if (!set) {
        return Error{set.error().message, file.string(), {}};
    }
    return set;
}

std::shared_ptr<const HrtfSet> HrtfSet::sphere(double sampleRate, double radius, double speed) {
    std::shared_ptr<HrtfSet> set(new HrtfSet);
    set->m_name = "rigid sphere";
    set->m_sampleRate = sampleRate;
    for (int ring = -5; ring <= 5; ++ring) {
        const double elevation = ring * 15.0 * std::numbers::pi / 180.0;
        const int count = std::max(1, static_cast<int>(std::lround(24.0 * std::cos(elevation))));
        for (int i = 0; i < count; ++i) {
            const double azimuth = 2.0 * std::numbers::pi * i / count;
            set->m_directions.emplace_back(std::cos(elevation) * std::sin(azimuth), std::sin(elevation),
                                           -std::cos(elevation) * std::cos(azimuth));
        }
    }
    set->m_directions.emplace_back(0.0, 1.0, 0.0);
    set->m_directions.emplace_back(0.0, -1.0, 0.0);
    set->m_mesh = DirectionMesh(set->m_directions);
    set->m_itd = ItdMap([&](const glm::dvec3& direction) {
        const double lateral = std::asin(std::clamp(direction.x, -1.0, 1.0));
        return std::copysign(woodworthItd(radius, std::abs(lateral), speed), lateral);
    });
    set->m_equalisation.assign(AnalysisBins, 1.0);
    // The response depends on the angle to the ear alone: one table over angle and frequency serves all
    // directions.
    constexpr std::size_t Coarse = 128;
    constexpr std::size_t Angles = 73;
    std::vector<std::vector<double>> filters;
    for (std::size_t a = 0; a < Angles; ++a) {
        std::vector<double> coarse(Coarse + 1);
        const double angle = std::numbers::pi * static_cast<double>(a) / (Angles - 1);
        for (std::size_t k = 0; k <= Coarse; ++k) {
            const double frequency = std::max(20.0, static_cast<double>(k) * sampleRate / (2.0 * Coarse));
            coarse[k] = sphereMagnitude(radius, set->m_distance, angle, frequency, speed);
        }
        std::vector<double> fine(513);
        for (std::size_t k = 0; k < fine.size(); ++k) {
            const std::size_t at = std::min(k / 4, Coarse - 1);
            const double share = static_cast<double>(k) / 4.0 - static_cast<double>(at);
            fine[k] = coarse[at] * (1.0 - share) + coarse[at + 1] * share;
        }
        filters.push_back(minimumPhaseTaps(fine, Taps));
    }
    set->m_filters = AlignedFloats(set->m_directions.size() * FilterFloats);
    for (std::size_t d = 0; d < set->m_directions.size(); ++d) {
        for (std::size_t ear = 0; ear < 2; ++ear) {
            const double side = std::clamp(set->m_directions[d].x, -1.0, 1.0) * (ear == 0 ? -1.0 : 1.0);
            const double place = std::acos(side) / std::numbers::pi * (Angles - 1);
            const std::size_t at = std::min(static_cast<std::size_t>(place), Angles - 2);
            const double share = place - static_cast<double>(at);
            std::vector<double> taps(Taps);
            for (std::size_t i = 0; i < taps.size(); ++i) {
                taps[i] = filters[at][i] * (1.0 - share) + filters[at + 1][i] * share;
            }
            packFilter(taps, set->m_filters.data() + d * FilterFloats + ear * SpectrumFloats);
        }
    }
    return set;
}

std::vector<double> HrtfSet::response(std::size_t direction, int ear) const {
    const float* packed =
        m_filters.data() + direction * FilterFloats + static_cast<std::size_t>(ear) * SpectrumFloats;
    std::vector<Complex> bins(129);
    for (std::size_t k = 0; k < 128; ++k) {
        bins[k] =
            Complex(static_cast<double>(packed[k]), k == 0 ? 0.0 : static_cast<double>(packed[128 + k]));
    }
    bins[128] = static_cast<double>(packed[128]);
    std::vector<double> taps = signalOf(bins);
    taps.resize(Taps);
    for (double& tap : taps) {
        tap *= 2.0 * TransformSize;
    }
    return taps;
}

double HrtfSet::equalisationDb(double frequency) const {
    const double place = frequency * static_cast<double>(AnalysisSize) / m_sampleRate;
    const std::size_t at = std::min(static_cast<std::size_t>(std::max(place, 0.0)), AnalysisBins - 1);
    return 20.0 * std::log10(m_equalisation[at]);
}

} // namespace sbx::audio
