#pragma once
// How loud the renderer's modes are beside each other, so that what is compared is not simply the louder one.

#include "engine/audio/hrtf_set.h"

#include <array>
#include <memory>

namespace sbx::audio {

// Gains, in the order of Mode, that bring each to the loudness of Mode::Hrtf: measured (ITU-R BS.1770) on pink noise from directions all
// around, each rendered in each mode. Takes some tenths of a second; any thread.
[[nodiscard]] std::array<float, 5> loudnessTrims(const std::shared_ptr<const HrtfSet>& set);

} // namespace sbx::audio
