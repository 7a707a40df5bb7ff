#pragma once
// What the files of ProbePanel share.

#include "widgets/probe/probe_panel.h"

#include <array>

namespace sbx::ui {

// In the order of their buttons.
inline constexpr std::array<audio::Mode, 4> Modes = {audio::Mode::Hrtf, audio::Mode::Pan, audio::Mode::Mono,
                                                     audio::Mode::Plain};
inline constexpr int BeatMs = 33;      // between two looks at the session's sound
inline constexpr int SeekSteps = 1000; // of the slider, over the whole of a sound

} // namespace sbx::ui
