#pragma once
// The head-related responses a program renders with when the user named none.

#include "engine/audio/hrtf_set.h"
#include "engine/core/log.h"

namespace sbx::app {

// The set that comes with the program, the one of libmysofa, or, with a warning in the log, the rigid sphere's.
[[nodiscard]] std::shared_ptr<const audio::HrtfSet> defaultHrtf(double sampleRate, Log& log);

} // namespace sbx::app
