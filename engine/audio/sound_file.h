#pragma once
// Sound files in and out by libsndfile: WAV, FLAC, OGG and what else it reads. For any thread but the audio
// thread.

#include "engine/audio/sound_data.h"
#include "engine/core/result.h"

#include <filesystem>
#include <memory>
#include <span>

namespace sbx::audio {

struct SoundFileInfo {
    double seconds = 0.0;
    double sampleRate = 0.0; // of the file
    int channels = 0;
};

[[nodiscard]] Result<SoundFileInfo> inspectSound(const std::filesystem::path& file);
// The whole file, its channels mixed to one, at `sampleRate`.
[[nodiscard]] Result<std::shared_ptr<const ResidentSound>> loadSound(const std::filesystem::path& file,
                                                                     double sampleRate);
// Interleaved stereo as 32-bit float WAV: what was rendered, to the bit.
[[nodiscard]] Result<void> writeWav(const std::filesystem::path& file, std::span<const float> interleaved,
                                    double sampleRate);
// The signal at another rate by 32-tap windowed sinc (see interpolation_tables.h).
[[nodiscard]] std::vector<float> resampled(std::span<const float> signal, double fromRate, double toRate);

} // namespace sbx::audio
