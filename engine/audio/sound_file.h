#pragma once
// Sound files in and out: WAV, FLAC and Ogg are read, in a process of their own (detail/sound_reader.h lists which and how large); WAV
// is written by libsndfile. For any thread but the audio thread.

#include "engine/audio/sound_data.h"
#include "engine/core/asset_file.h"
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

[[nodiscard]] Result<SoundFileInfo> inspectSound(const AssetRef& sound);
// The whole file, its channels mixed to one, at `sampleRate`; at most 1 GiB of it.
[[nodiscard]] Result<std::shared_ptr<const ResidentSound>> loadSound(const AssetRef& sound, double sampleRate);
// Of a file that the program itself names, such as one it has written.
[[nodiscard]] Result<SoundFileInfo> inspectSound(const std::filesystem::path& file);
[[nodiscard]] Result<std::shared_ptr<const ResidentSound>> loadSound(const std::filesystem::path& file, double sampleRate);
// Writes interleaved stereo as 32-bit float WAV, piece by piece: what was rendered, to the bit. After an error the file holds the whole
// frames that were written, and nothing more is; of a program that is killed, all but the last second.
class WavWriter {
public:
    [[nodiscard]] static Result<std::unique_ptr<WavWriter>> create(const std::filesystem::path& file, double sampleRate);
    ~WavWriter();
    WavWriter(const WavWriter&) = delete;
    WavWriter& operator=(const WavWriter&) = delete;
    [[nodiscard]] Result<void> write(std::span<const float> interleaved);
    // Returns whether all of it is on the disk; nothing is written afterwards.
    [[nodiscard]] Result<void> close();

private:
    struct Impl;
    explicit WavWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};
[[nodiscard]] Result<void> writeWav(const std::filesystem::path& file, std::span<const float> interleaved,
                                    double sampleRate);
// The signal at another rate by 32-tap windowed sinc (see interpolation_tables.h).
[[nodiscard]] std::vector<float> resampled(std::span<const float> signal, double fromRate, double toRate);

} // namespace sbx::audio
