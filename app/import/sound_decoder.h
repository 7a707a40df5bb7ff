#pragma once
// Decodes one sound of a project by libsndfile, in the import process. The file is a stranger's: its first bytes must be those of a
// format that the manual promises, before libsndfile looks for any other.

#include "engine/core/import_channel.h"
#include "engine/core/result.h"

#include <cstdint>
#include <memory>
#include <span>

namespace sbx::importing {

class SoundDecoder {
public:
    // `file`: open for reading, stays the caller's, and is used until the decoder ends. Errors: another format than WAV (PCM, floats,
    // A-law, u-law), FLAC and Ogg (Vorbis, Opus); malformed; more channels, frames or a rate than audio/sound_limits.h allows.
    [[nodiscard]] static Result<SoundDecoder> open(int file);
    SoundDecoder(SoundDecoder&& other) noexcept;
    SoundDecoder& operator=(SoundDecoder&& other) noexcept;
    ~SoundDecoder();

    [[nodiscard]] SoundHead head() const;
    // Frames from there on, channels mixed to one; how many. Less than asked for at the end and at a fault. Values that are no numbers
    // become 0.
    [[nodiscard]] std::size_t read(std::int64_t from, std::span<float> mono);

private:
    struct Impl;
    explicit SoundDecoder(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace sbx::importing
