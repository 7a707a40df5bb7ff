#include "engine/audio/loudness_match.h"

#include "engine/audio/loudness_meter.h"
#include "engine/audio/renderer.h"
#include "engine/audio/test_signals.h"

#include <cmath>
#include <numbers>

namespace sbx::audio {

namespace {

constexpr int Directions = 12; // around, at ear height, where most sounds are
constexpr double Metres = 2.0;

// One renderer for all modes: making it takes longer than what it renders here.
std::optional<double> loudnessIn(Mode mode, Renderer& r, SourceId source, const std::shared_ptr<const SoundData>& noise) {
    r.setMode(mode);
    LoudnessMeter meter(r.settings().sampleRate);
    ControlPoint point;
    point.at = r.now();
    point.position = {0.0, 0.0, -Metres};
    point.teleport = true;
    r.move(source, point);
    Signal signal;
    signal.kind = SignalKind::Sound;
    signal.loop = true;
    r.play(source, signal, noise);
    const auto piece = static_cast<std::size_t>(r.settings().sampleRate * 0.2);
    std::vector<float> out(piece * 2);
    r.render(out); // until it has arrived
    for (int i = 0; i < Directions; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / Directions;
        point.at = r.now();
        point.position = {Metres * std::sin(angle), 0.0, -Metres * std::cos(angle)};
        r.move(source, point);
        r.render(std::span(out).first(piece / 2)); // it fades over
        r.render(out);
        meter.add(out);
        r.collect();
    }
    return meter.integrated();
}

} // namespace

std::array<float, 5> loudnessTrims(const std::shared_ptr<const HrtfSet>& set) {
    std::array<float, 5> trims;
    trims.fill(1.0F);
    const std::shared_ptr<const SoundData> noise = makeTestSignal(TestSignal::PinkNoise, set->sampleRate());
    RendererSettings settings;
    settings.sampleRate = set->sampleRate();
    settings.maximumSources = 1;
    settings.voiceBudget = 1;
    const auto renderer = Renderer::create(settings, set);
    if (!renderer)
        return trims;
    Renderer& r = **renderer;
    const SourceId source = r.add(SourceSettings{}, ControlPoint{});
    const std::optional<double> wanted = loudnessIn(Mode::Hrtf, r, source, noise);
    for (std::size_t i = 0; i < trims.size(); ++i)
        if (const auto mode = static_cast<Mode>(i); mode != Mode::Hrtf && wanted)
            if (const std::optional<double> is = loudnessIn(mode, r, source, noise))
                trims[i] = static_cast<float>(std::pow(10.0, (*wanted - *is) / 20.0));
    return trims;
}

} // namespace sbx::audio
