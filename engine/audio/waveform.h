#pragma once
// What a sound file looks like: the loudest and the lowest value of each part of it, and how long it is. For any thread but the audio
// thread.

#include "engine/audio/sound_file.h"

#include <utility>
#include <vector>

namespace sbx {
struct ImportOptions;
}

namespace sbx::audio {

struct Waveform {
    SoundFileInfo info;
    // Of each column, lowest and highest value of its frames, mixed to one channel, in [-1, 1]. Of a column that is longer than
    // FramesLookedAt, only so many at its beginning are read.
    std::vector<std::pair<float, float>> columns;

    static constexpr std::int64_t FramesLookedAt = 131'072;
};

// `columns` in [1, 4096]. Reads in a process of its own; errors as loadSound() has them.
[[nodiscard]] Result<Waveform> readWaveform(const AssetRef& sound, int columns, const ImportOptions& options);

} // namespace sbx::audio
