#pragma once
// Rendering and measuring for the audio tests: what is measured is always the rendered output.

#include "engine/audio/detail/fourier.h"
#include "engine/audio/renderer.h"
#include "tests/folders.h"

#include <QtTest>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>
#include <vector>

namespace sbx::audio::test {

using std::numbers::pi;
constexpr double C = 340.29;

inline std::filesystem::path kemarFile() {
    return sbx::test::sourcePath("resources/hrtf/mit_kemar_normal_pinna.sofa");
}

inline std::shared_ptr<const HrtfSet> kemar(double rate = 48000.0) {
    static std::map<double, std::shared_ptr<const HrtfSet>> sets;
    std::shared_ptr<const HrtfSet>& set = sets[rate];
    if (set == nullptr) {
        auto loaded = HrtfSet::load(kemarFile(), rate);
        if (!loaded) {
            qFatal("%s", loaded.error().toString().c_str());
        }
        set = *loaded;
    }
    return set;
}

inline std::unique_ptr<Renderer> makeRenderer(RendererSettings settings = {},
                                              std::shared_ptr<const HrtfSet> set = nullptr) {
    auto made = Renderer::create(settings, set != nullptr ? set : kemar(settings.sampleRate));
    if (!made) {
        qFatal("%s", made.error().toString().c_str());
    }
    return std::move(*made);
}

struct Stereo {
    std::vector<double> left;
    std::vector<double> right;
    [[nodiscard]] const std::vector<double>& ear(int e) const { return e == 0 ? left : right; }
};

// Renders `frames`, `chunk` at a time; `before` is called with the frame about to be rendered.
inline Stereo render(Renderer& renderer, std::size_t frames, std::size_t chunk = 512,
                     const std::function<void(Frame)>& before = {}) {
    Stereo result;
    std::vector<float> buffer(chunk * 2);
    for (std::size_t done = 0; done < frames; done += chunk) {
        const std::size_t piece = std::min(chunk, frames - done);
        if (before) {
            before(static_cast<Frame>(done));
        }
        renderer.render(std::span<float>(buffer).first(piece * 2));
        for (std::size_t n = 0; n < piece; ++n) {
            result.left.push_back(static_cast<double>(buffer[n * 2]));
            result.right.push_back(static_cast<double>(buffer[n * 2 + 1]));
        }
    }
    return result;
}

inline ControlPoint still(glm::dvec3 position) {
    ControlPoint point;
    point.position = position;
    return point;
}

// A source whose level does not depend on place, for measuring everything else.
inline SourceSettings bare() {
    SourceSettings settings;
    settings.distanceModel = DistanceModel::None;
    settings.airAbsorption = false;
    settings.nearField = false;
    return settings;
}

inline glm::dvec3 towards(double azimuthDegrees, double elevationDegrees, double distance) {
    const double a = azimuthDegrees * pi / 180.0;
    const double e = elevationDegrees * pi / 180.0;
    return distance * glm::dvec3(std::cos(e) * std::sin(a), std::sin(e), -std::cos(e) * std::cos(a));
}

inline Signal tone(double frequency) {
    Signal signal;
    signal.kind = SignalKind::Tone;
    signal.frequency = static_cast<float>(frequency);
    return signal;
}

inline Signal sound(bool loop = false) {
    Signal signal;
    signal.kind = SignalKind::Sound;
    signal.loop = loop;
    return signal;
}

constexpr double ImpulseHeight = 1.0 / 128.0; // low enough that the limiter has nothing to do

inline std::shared_ptr<const SoundData> impulse(std::size_t at = 0, std::size_t size = 4096) {
    std::vector<float> frames(size);
    frames[at] = static_cast<float>(ImpulseHeight);
    return std::make_shared<ResidentSound>(std::move(frames));
}

// Moves along position(seconds) with velocity(seconds), told 60 times a second, one step ahead.
class Mover {
public:
    using Path = std::function<glm::dvec3(double)>;
    Mover(Renderer& renderer, SourceId id, Path path, double rate = 48000.0)
        : m_renderer(renderer), m_id(id), m_path(std::move(path)), m_rate(rate) {}
    void operator()(Frame now) {
        while (m_next <= now + 4800) {
            ControlPoint point;
            point.at = m_next;
            const double t = static_cast<double>(m_next) / m_rate;
            point.position = m_path(t);
            point.velocity = (m_path(t + 1e-4) - m_path(t - 1e-4)) / 2e-4;
            if (m_id) {
                m_renderer.move(m_id, point, std::max<Frame>(m_next - 4800, 0));
            } else {
                m_renderer.moveListener(point, std::max<Frame>(m_next - 4800, 0));
            }
            m_next += 800;
        }
    }

private:
    Renderer& m_renderer;
    SourceId m_id;
    Path m_path;
    double m_rate;
    Frame m_next = 0;
};

// ---- measuring ----

inline double decibel(double amplitude) { return 20.0 * std::log10(std::max(amplitude, 1e-30)); }

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

// Energy outside `guardHz` around the strongest bin over all energy, dB, per Blackman-Harris window of 4096
// (hop 2048).
inline std::vector<double> splatter(const std::vector<double>& signal, double rate, double guardHz = 94.0) {
    constexpr std::size_t Size = 4096;
    std::vector<double> result;
    for (std::size_t start = 0; start + Size <= signal.size(); start += Size / 2) {
        std::vector<double> windowed(Size);
        for (std::size_t i = 0; i < Size; ++i) {
            const double x = 2.0 * pi * static_cast<double>(i) / Size;
            windowed[i] = signal[start + i]
                          * (0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2.0 * x)
                             - 0.01168 * std::cos(3.0 * x));
        }
        const std::vector<Complex> bins = spectrumOf(windowed, Size);
        std::size_t peak = 1;
        double total = 0.0;
        for (std::size_t k = 0; k < bins.size(); ++k) {
            total += std::norm(bins[k]);
            peak = std::norm(bins[k]) > std::norm(bins[peak]) ? k : peak;
        }
        const auto guard = static_cast<std::size_t>(guardHz * Size / rate);
        double outside = 0.0;
        for (std::size_t k = 0; k < bins.size(); ++k) {
            outside += k + guard < peak || k > peak + guard ? std::norm(bins[k]) : 0.0;
        }
        result.push_back(10.0 * std::log10(std::max(outside / total, 1e-30)));
    }
    return result;
}

inline double worst(const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
}

// Frequency of a nearly pure tone around `guess`: slope of the phase of the signal brought to 0 Hz, averaged
// over Hann windows.
inline double frequencyOf(std::span<const double> signal, double rate, double guess) {
    const std::size_t size = signal.size() / 2;
    const auto phase = [&](std::size_t start) {
        Complex sum;
        for (std::size_t i = 0; i < size; ++i) {
            const double window =
                0.5 - 0.5 * std::cos(2.0 * pi * static_cast<double>(i) / static_cast<double>(size));
            sum += signal[start + i] * window
                   * std::polar(1.0, -2.0 * pi * guess * static_cast<double>(start + i) / rate);
        }
        return sum;
    };
    const std::size_t step = std::min<std::size_t>(size, 64);
    return guess
           + std::arg(phase(step) * std::conj(phase(0))) * rate / (2.0 * pi * static_cast<double>(step));
}

inline double largestSecondDifference(std::span<const double> signal) {
    double largest = 0.0;
    for (std::size_t i = 2; i < signal.size(); ++i) {
        largest = std::max(largest, std::abs(signal[i] - 2.0 * signal[i - 1] + signal[i - 2]));
    }
    return largest;
}

inline double peakOf(std::span<const double> signal) {
    double peak = 0.0;
    for (const double value : signal) {
        peak = std::max(peak, std::abs(value));
    }
    return peak;
}

inline double rmsOf(std::span<const double> signal) {
    double sum = 0.0;
    for (const double value : signal) {
        sum += value * value;
    }
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(signal.size(), 1)));
}

inline std::span<const double> part(const std::vector<double>& signal, std::size_t from, std::size_t count) {
    return std::span<const double>(signal).subspan(from, count);
}

// Response of both ears to an impulse from `position`, with the travel time to the centre and the latency
// taken off; 1024 frames beginning 64 frames before the sound is due at the centre.
inline Stereo responseFrom(glm::dvec3 position, Mode mode, const SourceSettings& settings = bare(),
                           double rate = 48000.0, std::shared_ptr<const HrtfSet> set = nullptr,
                           Quality quality = Quality::Best) {
    // One renderer serves all responses of a set.
    static std::map<std::pair<const HrtfSet*, double>, std::unique_ptr<Renderer>> renderers;
    std::unique_ptr<Renderer>& renderer = renderers[{set.get(), rate}];
    if (renderer == nullptr) {
        RendererSettings rendererSettings;
        rendererSettings.sampleRate = rate;
        rendererSettings.voiceBudget = 2;
        rendererSettings.maximumSources = 4;
        renderer = makeRenderer(rendererSettings, set);
    }
    renderer->setMode(mode);
    renderer->setQuality(quality);
    const SourceId id = renderer->add(settings, still(position));
    renderer->play(id, sound(), impulse());
    const auto due = static_cast<std::size_t>(std::lround(glm::length(position) / C * rate))
                     + static_cast<std::size_t>(Renderer::latencyFrames());
    const Stereo all = render(*renderer, (due / 128 + 9) * 128);
    renderer->remove(id);
    render(*renderer, 4096); // to silence
    Stereo result;
    const std::size_t from = due - 64;
    result.left.assign(all.left.begin() + static_cast<std::ptrdiff_t>(from),
                       all.left.begin() + static_cast<std::ptrdiff_t>(from + 1024));
    result.right.assign(all.right.begin() + static_cast<std::ptrdiff_t>(from),
                        all.right.begin() + static_cast<std::ptrdiff_t>(from + 1024));
    for (std::size_t n = 0; n < 1024; ++n) {
        result.left[n] /= ImpulseHeight;
        result.right[n] /= ImpulseHeight;
    }
    return result;
}

// Power of a response in a band, dB.
inline double bandDb(const std::vector<double>& response, double rate, double low, double high) {
    constexpr std::size_t Size = 4096;
    const std::vector<Complex> bins = spectrumOf(response, Size);
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t k = 1; k < bins.size(); ++k) {
        const double f = static_cast<double>(k) * rate / Size;
        if (f >= low && f < high) {
            sum += std::norm(bins[k]);
            count += 1.0;
        }
    }
    return 10.0 * std::log10(std::max(sum / std::max(count, 1.0), 1e-30));
}

// Amplitude of a response at one frequency, dB.
inline double responseDb(const std::vector<double>& response, double rate, double frequency) {
    Complex sum;
    for (std::size_t i = 0; i < response.size(); ++i) {
        sum += response[i] * std::polar(1.0, -2.0 * pi * frequency * static_cast<double>(i) / rate);
    }
    return decibel(std::abs(sum));
}

} // namespace sbx::audio::test
