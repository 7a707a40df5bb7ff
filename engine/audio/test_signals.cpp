#include "engine/audio/test_signals.h"

#include "engine/audio/detail/fourier.h"
#include "engine/core/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

using std::numbers::pi;

constexpr double Lowest = 20.0;
constexpr double Highest = 20000.0;
constexpr double PinkLevel = -20.0; // dBFS
constexpr double SpeechLevel = -24.0;
constexpr double SweepSeconds = 5.0;
constexpr double SpeechSeconds = 5.0;

double chance(Random& random) { return static_cast<double>(random.unit()); }

std::vector<float> atLevel(const std::vector<double>& signal, double level) {
    double square = 0.0;
    for (const double value : signal) {
        square += value * value;
    }
    const double scale = std::pow(10.0, level / 20.0) / std::sqrt(square / static_cast<double>(signal.size()));
    std::vector<float> out(signal.size());
    std::transform(signal.begin(), signal.end(), out.begin(), [&](double value) { return static_cast<float>(value * scale); });
    return out;
}

// Stretches of noise whose spectrum is what is wanted, overlapping by half with constant power, the last with the first.
std::vector<float> pinkNoise(double rate) {
    constexpr std::size_t Size = 1U << 16U;
    constexpr std::size_t Hop = Size / 2;
    constexpr std::size_t Stretches = 8;
    Random random(1);
    std::vector<double> out(Hop * Stretches);
    std::vector<Complex> bins(Size / 2 + 1);
    for (std::size_t stretch = 0; stretch < Stretches; ++stretch) {
        for (std::size_t k = 1; k < Size / 2; ++k) {
            const double frequency = static_cast<double>(k) * rate / Size;
            const double phase = 2.0 * pi * chance(random);
            const bool heard = frequency >= Lowest && frequency <= Highest;
            bins[k] = heard ? std::polar(1.0 / std::sqrt(frequency), phase) : Complex();
        }
        const std::vector<double> noise = signalOf(bins);
        for (std::size_t n = 0; n < Size; ++n) {
            out[(stretch * Hop + n) % out.size()] += noise[n] * std::sin(pi * (static_cast<double>(n) + 0.5) / Size);
        }
    }
    return atLevel(out, PinkLevel);
}

// Source: A. Farina, "Simultaneous measurement of impulse response and distortion with a swept-sine technique", 2000.
std::vector<float> sweep(double rate) {
    const auto frames = static_cast<std::size_t>((SweepSeconds + 0.5) * rate);
    const double slope = std::log(Highest / Lowest) / SweepSeconds;
    constexpr double Edge = 0.02;
    std::vector<float> out(frames);
    for (std::size_t n = 0; n < frames; ++n) {
        const double t = static_cast<double>(n) / rate;
        const double edge = std::clamp(std::min(t, SweepSeconds - t) / Edge, 0.0, 1.0);
        out[n] = static_cast<float>(0.25 * (0.5 - 0.5 * std::cos(pi * edge)) * std::sin(2.0 * pi * Lowest / slope * std::expm1(slope * t)));
    }
    return out;
}

std::vector<float> clicks(double rate) {
    std::vector<float> out(static_cast<std::size_t>(std::lround(rate / 4.0)));
    out[0] = 0.5F;
    return out;
}

// A resonance of a vocal tract. Source: D. H. Klatt, "Software for a cascade/parallel formant synthesizer", 1980.
struct Resonance {
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    double y1 = 0.0;
    double y2 = 0.0;
    void tune(double frequency, double width, double rate) {
        c = -std::exp(-2.0 * pi * width / rate);
        b = 2.0 * std::exp(-pi * width / rate) * std::cos(2.0 * pi * frequency / rate);
        a = 1.0 - b - c;
    }
    double operator()(double x) {
        const double y = a * x + b * y1 + c * y2;
        y2 = y1;
        y1 = y;
        return y;
    }
};

std::vector<float> speech(double rate) {
    // Formants of five vowels. Source: G. E. Peterson and H. L. Barney, "Control methods used in a study of the vowels", 1952.
    constexpr std::array<std::array<double, 3>, 5> Vowels = {
        {{730.0, 1090.0, 2440.0}, {530.0, 1840.0, 2480.0}, {270.0, 2290.0, 3010.0}, {570.0, 840.0, 2410.0}, {300.0, 870.0, 2240.0}}};
    constexpr std::array<double, 3> Widths = {80.0, 100.0, 140.0};
    constexpr int Syllables = 20;
    const auto frames = static_cast<std::size_t>(SpeechSeconds * rate);
    const double each = static_cast<double>(frames) / Syllables;
    Random random(7);
    std::vector<double> out(frames);
    std::array<Resonance, 3> tract;
    Resonance hiss;
    double phase = 0.0;
    std::array<double, 2> breath{};
    for (int syllable = 0; syllable < Syllables; ++syllable) {
        const auto from = static_cast<std::size_t>(syllable * each);
        const auto to = static_cast<std::size_t>((syllable + 1) * each);
        const bool pause = syllable % 7 == 6 || syllable == Syllables - 1;
        const std::array<double, 3>& vowel = Vowels[static_cast<std::size_t>(chance(random) * 4.999)];
        const double pitch = 105.0 + 35.0 * chance(random);
        const double loud = 0.5 + 0.5 * chance(random);
        const double hissed = chance(random) < 0.5 ? 0.15 + 0.2 * chance(random) : 0.0; // of the syllable
        for (std::size_t band = 0; band < 3; ++band) {
            tract[band].tune(vowel[band], Widths[band], rate);
        }
        hiss.tune(4200.0 + 2000.0 * chance(random), 1500.0, rate);
        for (std::size_t n = from; n < to; ++n) {
            const double share = static_cast<double>(n - from) / static_cast<double>(to - from);
            const double voiced = share < hissed ? 0.0 : std::pow(std::sin(pi * std::min(1.0, (share - hissed) / (0.85 - hissed))), 2.0);
            const double hissing = hissed > 0.0 && share < hissed ? std::sin(pi * share / hissed) : 0.0;
            phase += pitch * (1.05 - 0.15 * share) / rate;
            const double pulse = phase >= 1.0 ? 1.0 : 0.0;
            phase -= std::floor(phase);
            breath[0] += 0.12 * (pulse - breath[0]); // a glottis does not snap
            breath[1] += 0.12 * (breath[0] - breath[1]);
            double value = breath[1] * (share < 0.85 ? voiced : 0.0);
            for (Resonance& resonance : tract) {
                value = resonance(value);
            }
            value += 0.004 * hiss((2.0 * chance(random) - 1.0) * hissing);
            out[n] = pause ? 0.0 : value * loud;
        }
    }
    return atLevel(out, SpeechLevel);
}

} // namespace

std::optional<TestSignal> testSignalOf(std::string_view name) {
    for (std::size_t i = 0; i < TestSignalNames.size(); ++i) {
        if (TestSignalNames[i] == name) {
            return static_cast<TestSignal>(i);
        }
    }
    return std::nullopt;
}

std::shared_ptr<const ResidentSound> makeTestSignal(TestSignal signal, double sampleRate) {
    switch (signal) {
    case TestSignal::PinkNoise:
        return std::make_shared<const ResidentSound>(pinkNoise(sampleRate));
    case TestSignal::Sweep:
        return std::make_shared<const ResidentSound>(sweep(sampleRate));
    case TestSignal::Clicks:
        return std::make_shared<const ResidentSound>(clicks(sampleRate));
    case TestSignal::Speech:
        return std::make_shared<const ResidentSound>(speech(sampleRate));
    }
    return nullptr;
}

} // namespace sbx::audio
