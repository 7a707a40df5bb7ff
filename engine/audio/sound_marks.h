#pragma once
// Places in a WAV file that have a name: its cue points, with their labels. For any thread but the audio thread.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sbx::audio {

struct SoundMark {
    std::int64_t at = 0; // frame of the file
    std::string text;
    friend bool operator==(const SoundMark&, const SoundMark&) = default;
};

// Adds them, in the order of their places, to a WAV file that is complete; the samples stay as they are. Places outside of its
// `frames` are left out. Once for a file.
[[nodiscard]] Result<void> addMarks(const std::filesystem::path& file, std::vector<SoundMark> marks, std::int64_t frames);
// The cue points of any sound file, in its order.
[[nodiscard]] Result<std::vector<SoundMark>> marksOf(const std::filesystem::path& file);

} // namespace sbx::audio
