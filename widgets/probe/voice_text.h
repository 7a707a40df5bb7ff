#pragma once
// How sounds and their state are called, everywhere the same words. No widgets.

#include <QString>

#include "engine/probe/sound_probe.h"

#include <numbers>

namespace sbx::ui {

inline constexpr double Degree = std::numbers::pi / 180.0; // in radians

// "door: creak", "ball: sounds/roll.wav"; the probe's own source: "Probe: pink noise".
[[nodiscard]] QString titleOf(const ProbeSound& sound);
// "Heard", "Silent: beyond 40 m". `state`: null when it does not sound.
[[nodiscard]] QString stateText(const ProbeView& view, const ProbeSound& sound,
                                const audio::SourceState* state);
// Gain in dB with one decimal, "−∞" for nothing.
[[nodiscard]] QString gainText(double gain);
[[nodiscard]] QString decibelText(double decibels, int decimals = 1);
// Any other figure, with a minus sign of its width.
[[nodiscard]] QString numberText(double value, int decimals);

// What must be so for a sound to be heard, in the order of the questions one would ask.
struct HearingStep {
    enum class What { Played, VoiceLimit, Distance, Cone, Occlusion, Bus, Device };
    What what = What::Played;
    bool passed = false;
    bool reached = true; // false: a step before it failed, so that this one is unknown
    QString text;        // what is so
    QString fix;         // of the button; empty: nothing to press
};
[[nodiscard]] QString stepName(HearingStep::What what);
[[nodiscard]] std::vector<HearingStep> hearingSteps(const ProbeView& view, const ProbeSound& sound);

} // namespace sbx::ui
