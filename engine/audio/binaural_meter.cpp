#include "engine/audio/binaural_meter.h"

#include "engine/audio/detail/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

namespace sbx::audio {

namespace {

using std::numbers::pi;

constexpr double LongestItd = 1e-3; // s
constexpr double ItdStep = 1e-5;
constexpr double HighestItdHz = 1500.0; // above it the phase of one ear is no longer within a turn of the other's
constexpr double Silence = 1e-20;       // power

} // namespace

BinauralReading measureBinaural(std::span<const float> interleaved, double sampleRate) {
    BinauralReading reading;
    const std::size_t frames = interleaved.size() / 2;
    if (frames < 64) {
        return reading;
    }
    const std::size_t size = std::bit_ceil(frames);
    std::array<std::vector<Complex>, 2> bins;
    double windowPower = 0.0;
    for (std::size_t ear = 0; ear < 2; ++ear) {
        std::vector<double> windowed(frames);
        double square = 0.0;
        windowPower = 0.0;
        for (std::size_t n = 0; n < frames; ++n) {
            const auto value = static_cast<double>(interleaved[n * 2 + ear]);
            reading.peak[ear] = std::max(reading.peak[ear], static_cast<float>(std::abs(value)));
            square += value * value;
            const double window = 0.5 - 0.5 * std::cos(2.0 * pi * (static_cast<double>(n) + 0.5) / static_cast<double>(frames));
            windowed[n] = value * window;
            windowPower += window * window;
        }
        reading.rms[ear] = static_cast<float>(std::sqrt(square / static_cast<double>(frames)));
        bins[ear] = spectrumOf(windowed, size);
    }
    const double width = sampleRate / static_cast<double>(size);
    for (std::size_t band = 0; band < BinauralReading::Bands; ++band) {
        std::array<double, 2> level{};
        for (std::size_t ear = 0; ear < 2; ++ear) {
            double sum = 0.0;
            for (std::size_t k = 1; k + 1 < bins[ear].size(); ++k) {
                const double f = static_cast<double>(k) * width;
                sum += f >= BinauralReading::Edges[band] && f < BinauralReading::Edges[band + 1] ? std::norm(bins[ear][k]) : 0.0;
            }
            // By Parseval, both halves of the spectrum: mean square of what was seen through the window.
            level[ear] = 10.0 * std::log10(std::max(2.0 * sum / (static_cast<double>(size) * windowPower), Silence));
            reading.bandLevel[band][ear] = static_cast<float>(level[ear]);
        }
        reading.ild[band] = static_cast<float>(level[1] - level[0]);
    }
    const auto first = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(BinauralReading::Edges[0] / width)));
    const std::size_t last = std::min(bins[0].size() - 1, static_cast<std::size_t>(HighestItdHz / width));
    std::vector<Complex> cross;
    std::array<double, 2> power{};
    for (std::size_t k = first; k <= last; ++k) {
        cross.push_back(bins[0][k] * std::conj(bins[1][k]));
        power[0] += std::norm(bins[0][k]);
        power[1] += std::norm(bins[1][k]);
    }
    const double both = std::sqrt(power[0] * power[1]);
    if (both / (static_cast<double>(size) * windowPower) < Silence) {
        return reading;
    }
    const auto likeness = [&](double lag) {
        const Complex turn = std::polar(1.0, 2.0 * pi * width * lag);
        Complex at = std::polar(1.0, 2.0 * pi * width * static_cast<double>(first) * lag);
        double sum = 0.0;
        for (const Complex& c : cross) {
            sum += c.real() * at.real() - c.imag() * at.imag();
            at *= turn;
        }
        return sum / both;
    };
    // A tone is alike at every turn: of equals the one at the louder ear's side, and the shortest.
    const double louder = std::clamp(10.0 * std::log10(power[1] / power[0]) / 6.0, -1.0, 1.0);
    const int steps = static_cast<int>(std::lround(LongestItd / ItdStep));
    double best = 0.0;
    double bestScore = -2.0;
    for (int i = -steps; i <= steps; ++i) {
        const double lag = i * ItdStep;
        const double score = likeness(lag) - 0.02 * std::abs(lag) / LongestItd + (lag < 0.0 ? -0.05 : 0.05) * louder;
        if (score > bestScore) {
            bestScore = score;
            best = lag;
        }
    }
    const double before = likeness(best - ItdStep);
    const double here = likeness(best);
    const double after = likeness(best + ItdStep);
    const double bend = before - 2.0 * here + after;
    if (bend < 0.0) {
        best += std::clamp(0.5 * (before - after) / bend, -1.0, 1.0) * ItdStep;
    }
    reading.itd = static_cast<float>(best);
    reading.itdCertainty = static_cast<float>(std::clamp(here, 0.0, 1.0));
    return reading;
}

float measuredItd(const HrtfSet& set, const Vec3& to) {
    constexpr std::size_t Frames = 4096;
    constexpr int Reach = 32; // frames of the sinc that shifts by fractions, to each side
    std::vector<double> ears(Frames * 2);
    int face = 0;
    const DirectionWeights weights = set.locate(to, face);
    const double shift = 0.5 * static_cast<double>(set.itd(to)) * set.sampleRate();
    for (int ear = 0; ear < 2; ++ear) {
        // In the middle, where the window of the measurement is flat.
        const double begin = static_cast<double>(Frames) / 2.0 + (ear == 0 ? shift : -shift);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::vector<double> response =
                set.response(static_cast<std::size_t>(weights.index[i]), ear);
            for (std::size_t tap = 0; tap < response.size(); ++tap) {
                const double centre = begin + static_cast<double>(tap);
                const auto first = static_cast<std::ptrdiff_t>(std::floor(centre)) - Reach + 1;
                for (std::ptrdiff_t n = first; n < first + 2 * Reach; ++n) {
                    const double x = static_cast<double>(n) - centre;
                    const double sinc = std::abs(x) < 1e-9 ? 1.0 : std::sin(pi * x) / (pi * x);
                    ears[static_cast<std::size_t>(n) * 2 + static_cast<std::size_t>(ear)] +=
                        static_cast<double>(weights.weight[i]) * response[tap] * sinc
                        * (0.5 + 0.5 * std::cos(pi * x / Reach));
                }
            }
        }
    }
    return measureBinaural(std::vector<float>(ears.begin(), ears.end()), set.sampleRate()).itd;
}

} // namespace sbx::audio
