#pragma once
// Sounds to listen and measure by, made by calculation: the same samples at every run. They loop without a seam, and each is
// played as any sound.

#include "engine/audio/sound_data.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace sbx::audio {

enum class TestSignal : std::uint8_t {
    PinkNoise, // equal power in each octave from 20 Hz to 20 kHz, -20 dBFS
    Sweep,     // 20 Hz to 20 kHz in 5 s, as many octaves in each second
    Clicks,    // four in a second, one frame each
    Speech     // syllables of voiced and hissed sounds with a voice's pitch and formants, -24 dBFS; no words
};

inline constexpr std::array<std::string_view, 4> TestSignalNames = {"pink noise", "sweep", "clicks", "speech"};
[[nodiscard]] std::optional<TestSignal> testSignalOf(std::string_view name);
// Takes some hundredths of a second.
[[nodiscard]] std::shared_ptr<const ResidentSound> makeTestSignal(TestSignal signal, double sampleRate);

} // namespace sbx::audio
