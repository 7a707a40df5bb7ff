#pragma once
// What `audio.voices` and `audio.devices json` print. Any thread.

#include "engine/soundstage/sound_host.h"
#include "engine/soundstage/sound_stage.h"

#include <string>

namespace sbx {

// "running": the word for it in JSON and in texts for people.
[[nodiscard]] const char* nameOf(audio::OutputState state);

// {"seconds":1.5,"listener":"ear",…,"voices":[…]}; `sampleRate` of the renderer, in Hz.
[[nodiscard]] std::string voicesJson(const SoundReport& report, double sampleRate);

// {"devices":[…],"state":"running",…}
[[nodiscard]] std::string devicesJson(const SoundHost::Devices& devices);

} // namespace sbx
