#pragma once
// What the files of ProbePanel share.

#include <QString>

#include "widgets/probe/probe_panel.h"

#include <array>

namespace sbx::ui {

// In the order of their buttons.
inline constexpr std::array<audio::Mode, 4> Modes = {audio::Mode::Hrtf, audio::Mode::Pan, audio::Mode::Mono,
                                                     audio::Mode::Plain};
inline constexpr int SeekSteps = 1000; // of the slider, over the whole of a sound

inline QString modeName(audio::Mode mode) {
    switch (mode) {
    case audio::Mode::Hrtf:
        return ProbePanel::tr("Binaural");
    case audio::Mode::Sphere:
        return ProbePanel::tr("Sphere");
    case audio::Mode::Plain:
        return ProbePanel::tr("Plain");
    case audio::Mode::Pan:
        return ProbePanel::tr("Pan");
    case audio::Mode::Mono:
        return ProbePanel::tr("Mono");
    }
    return {};
}

} // namespace sbx::ui
