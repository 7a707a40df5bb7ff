#include "widgets/probe/voice_text.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace sbx::ui {

namespace {
struct VoiceTextWords {
    Q_DECLARE_TR_FUNCTIONS(VoiceText)
};
constexpr float Inaudible = 1e-5F; // -100 dB, as the renderer sees it
constexpr double Faint = 1e-4;     // -80 dB: even a sound of full scale is not noticed

// The step of the chain, in its order, that takes the sound below what can be noticed.
// Device: it stays above.
HearingStep::What faintBy(const ProbeView& view, const audio::SourceState& state) {
    using What = HearingStep::What;
    const std::array<std::pair<What, float>, 5> chain = {
        {{What::Bus, state.ownGain},
         {What::Distance, state.distanceGain},
         {What::Cone, state.walled ? 1.0F : state.coneGain},
         {What::Occlusion, state.occlusionGain},
         {What::Bus, view.volume}}};
    double gain = 1.0;
    for (const auto& [what, factor] : chain) {
        gain *= static_cast<double>(factor);
        if (gain < Faint)
            return what;
    }
    return What::Device;
}

double chainGain(const ProbeView& view, const audio::SourceState& state) {
    // What the cone does not radiate directly arrives by reflections from the walls.
    const float gain = state.walled && !state.mute ? state.ownGain * state.distanceGain : state.gain;
    return static_cast<double>(gain) * static_cast<double>(view.volume);
}
} // namespace

QString titleOf(const ProbeSound& sound) {
    if (sound.key.entity.empty())
        return VoiceTextWords::tr("Probe: %1").arg(QString::fromStdString(sound.source));
    const QString entity = QString::fromStdString(sound.key.entity);
    if (!sound.name.empty())
        return entity + QStringLiteral(": ") + QString::fromStdString(sound.name);
    QString source = QString::fromStdString(sound.source);
    source = source.mid(source.lastIndexOf(QLatin1Char('/')) + 1);
    return source.isEmpty() ? entity : entity + QStringLiteral(": ") + source;
}

QString decibelText(double decibels, int decimals) {
    if (decibels <= -150.0)
        return QString(QChar(0x2212)) + QChar(0x221E);
    return numberText(decibels, decimals);
}

QString numberText(double value, int decimals) {
    const double unit = std::pow(10.0, -decimals);
    value = std::round(value / unit) * unit;
    if (value == 0.0)
        value = 0.0; // no -0.0
    return QString::number(value, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212));
}

QString gainText(double gain) { return decibelText(gain > 0.0 ? 20.0 * std::log10(gain) : -200.0); }

QString stateText(const ProbeView& view, const ProbeSound& sound, const audio::SourceState* state) {
    if (!view.ready)
        return VoiceTextWords::tr("Sound is being prepared");
    if (view.held)
        return VoiceTextWords::tr("Paused with the world");
    if (!sound.fault.empty() && (state == nullptr || !state->playing))
        return VoiceTextWords::tr("Cannot be played: %1").arg(QString::fromStdString(sound.fault));
    if (state == nullptr || (!state->playing && state->reason == audio::SilentReason::NotPlaying)) {
        if (sound.key.entity.empty())
            return VoiceTextWords::tr("Off");
        if (sound.when == "start")
            return view.mode == Mode::Edit ? VoiceTextWords::tr("Starts with the world") : VoiceTextWords::tr("Has ended");
        if (sound.when == "contact")
            return VoiceTextWords::tr("Waits for a knock");
        if (sound.when == "rolling")
            return VoiceTextWords::tr("Waits until it rolls");
        if (sound.when == "activate")
            return VoiceTextWords::tr("Waits for Activate");
        return VoiceTextWords::tr("Waits for PlaySound");
    }
    switch (state->reason) {
    case audio::SilentReason::Heard: {
        const HearingStep::What faint = faintBy(view, *state);
        if (faint == HearingStep::What::Device)
            return state->reflected && static_cast<double>(state->coneGain) < Faint
                       ? VoiceTextWords::tr("Heard by reflections only")
                       : VoiceTextWords::tr("Heard");
        const QString by = faint == HearingStep::What::Distance    ? VoiceTextWords::tr("far away")
                           : faint == HearingStep::What::Cone      ? VoiceTextWords::tr("outside its cone")
                           : faint == HearingStep::What::Occlusion ? VoiceTextWords::tr("behind %1").arg(QString::fromStdString(sound.obstacle))
                           : state->ownGain < 0.1F                  ? VoiceTextWords::tr("its gain")
                                                                    : VoiceTextWords::tr("the volume");
        return VoiceTextWords::tr("Too quiet: %1 dB, %2").arg(gainText(chainGain(view, *state)), by);
    }
    case audio::SilentReason::NotPlaying:
        return VoiceTextWords::tr("Fading out");
    case audio::SilentReason::VoiceLimit:
        return VoiceTextWords::tr("Virtual: others are louder");
    case audio::SilentReason::Distance:
        if (state->distanceGain <= Inaudible)
            return sound.settings.distanceModel == audio::DistanceModel::Linear
                       ? VoiceTextWords::tr("Silent: beyond %1 m").arg(static_cast<double>(sound.settings.maximumDistance))
                       : VoiceTextWords::tr("Silent: %1 m away").arg(static_cast<double>(state->distance), 0, 'f', 0);
        return VoiceTextWords::tr("On its way");
    case audio::SilentReason::Cone:
        return VoiceTextWords::tr("Silent: outside its cone");
    case audio::SilentReason::Occlusion:
        return VoiceTextWords::tr("Silent: behind %1").arg(QString::fromStdString(sound.obstacle));
    case audio::SilentReason::Muted:
        return sound.muted              ? VoiceTextWords::tr("Muted")
               : state->ownGain <= 0.0F ? VoiceTextWords::tr("Silent: its gain is 0")
                                        : VoiceTextWords::tr("Muted: another is solo");
    case audio::SilentReason::Bus:
        return VoiceTextWords::tr("Silent: the volume is 0");
    case audio::SilentReason::Signal:
        return VoiceTextWords::tr("Silent here in its file");
    }
    return {};
}

QString stepName(HearingStep::What what) {
    switch (what) {
    case HearingStep::What::Played:
        return VoiceTextWords::tr("Played");
    case HearingStep::What::VoiceLimit:
        return VoiceTextWords::tr("Voice limit");
    case HearingStep::What::Distance:
        return VoiceTextWords::tr("Distance");
    case HearingStep::What::Cone:
        return VoiceTextWords::tr("Cone");
    case HearingStep::What::Occlusion:
        return VoiceTextWords::tr("Occlusion");
    case HearingStep::What::Bus:
        return VoiceTextWords::tr("Mute, solo, volume");
    case HearingStep::What::Device:
        return VoiceTextWords::tr("Device");
    }
    return {};
}

std::vector<HearingStep> hearingSteps(const ProbeView& view, const ProbeSound& sound) {
    using What = HearingStep::What;
    std::vector<HearingStep> steps;
    const audio::SourceState* state = view.stateOf(sound.key);
    const bool playing = state != nullptr && state->playing;
    const bool pause = playing && state->reason == audio::SilentReason::Signal;
    steps.push_back({What::Played, playing, true,
                     pause     ? VoiceTextWords::tr("It plays, and is silent here in its file")
                     : playing ? VoiceTextWords::tr("It plays")
                               : stateText(view, sound, state),
                     playing || !sound.fault.empty() ? QString() : VoiceTextWords::tr("Play here")});
    const auto add = [&](What what, bool passed, const QString& text, const QString& fix) {
        steps.push_back(
            {what, passed, playing, playing ? text : QString(), playing && !passed ? fix : QString()});
    };
    const audio::SourceState none;
    const audio::SourceState& s = playing ? *state : none;
    const bool sounds = playing && s.reason == audio::SilentReason::Heard;
    const What faint = sounds ? faintBy(view, s) : What::Device;
    add(What::VoiceLimit, !s.isVirtual || s.reason != audio::SilentReason::VoiceLimit,
        s.isVirtual && s.reason == audio::SilentReason::VoiceLimit
            ? VoiceTextWords::tr("%1 of %2 voices are taken by louder ones").arg(view.totals.realVoices).arg(view.budget)
            : VoiceTextWords::tr("%1 of %2 voices in use").arg(view.totals.realVoices).arg(view.budget),
        VoiceTextWords::tr("Raise priority"));
    const bool linearEnd = sound.settings.distanceModel == audio::DistanceModel::Linear && s.distance >= sound.settings.maximumDistance;
    const bool linear = sound.settings.distanceModel == audio::DistanceModel::Linear;
    add(What::Distance, s.distanceGain > Inaudible && faint != What::Distance,
        linearEnd ? VoiceTextWords::tr("%1 m away, silent beyond %2 m")
                        .arg(static_cast<double>(s.distance), 0, 'f', 1)
                        .arg(static_cast<double>(sound.settings.maximumDistance))
                  : VoiceTextWords::tr("%1 dB at %2 m")
                        .arg(gainText(static_cast<double>(s.distanceGain)))
                        .arg(static_cast<double>(s.distance), 0, 'f', 1),
        linear ? VoiceTextWords::tr("Raise maximum") : VoiceTextWords::tr("Raise reference"));
    const bool walls = s.walled && static_cast<double>(s.coneGain) < Faint;
    add(What::Cone, (s.coneGain > Inaudible && faint != What::Cone) || walls,
        (walls ? VoiceTextWords::tr("%1 dB; the walls give it back") : VoiceTextWords::tr("%1 dB"))
            .arg(gainText(static_cast<double>(s.coneGain))),
        VoiceTextWords::tr("Open the cone"));
    add(What::Occlusion, s.occlusionGain > Inaudible && faint != What::Occlusion,
        !view.occlusion ? VoiceTextWords::tr("Off: taken for open")
        : sound.hidden
            ? VoiceTextWords::tr("%1 dB, behind %2")
                  .arg(gainText(static_cast<double>(s.occlusionGain)), QString::fromStdString(sound.obstacle))
            : VoiceTextWords::tr("Open"),
        VoiceTextWords::tr("Switch occlusion off"));
    const bool open =
        !s.mute && s.ownGain > 0.0F && (walls || s.gain > 0.0F) && view.volume > 0.0F && faint != What::Bus;
    const bool turnedAway = s.coneGain <= Inaudible && !walls;
    add(What::Bus, open || s.distanceGain <= Inaudible || turnedAway || s.occlusionGain <= Inaudible,
        view.volume <= 0.0F ? VoiceTextWords::tr("The volume is 0")
        : sound.muted       ? VoiceTextWords::tr("Muted")
        : s.mute            ? VoiceTextWords::tr("Another is solo")
        : s.ownGain <= 0.0F
            ? VoiceTextWords::tr("Its gain is 0")
            : VoiceTextWords::tr("Gain %1 dB, volume %2 dB")
                  .arg(gainText(static_cast<double>(s.ownGain)), gainText(static_cast<double>(view.volume))),
        view.volume <= 0.0F || (faint == What::Bus && view.volume < 0.1F) ? VoiceTextWords::tr("Volume to 0 dB")
        : sound.muted       ? VoiceTextWords::tr("Unmute")
        : s.mute            ? VoiceTextWords::tr("End solo")
                            : QString());
    const bool device = view.deviceOpen && view.device.state == audio::OutputState::Running;
    steps.push_back({What::Device,
                     device,
                     true,
                     device                        ? QString::fromStdString(view.device.device)
                     : view.device.message.empty() ? VoiceTextWords::tr("No device (measuring only)")
                                                   : QString::fromStdString(view.device.message),
                     device || view.deviceWanted.empty() ? QString() : VoiceTextWords::tr("Use the system's device")});
    return steps;
}

} // namespace sbx::ui
