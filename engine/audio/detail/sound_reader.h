#pragma once
// A sound file open for reading, its channels mixed to one. It is decoded in a process of its own (engine/core/import_process.h), which
// lives as long as the reader. One thread at a time.

#include "engine/core/asset_file.h"
#include "engine/core/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sbx {
struct ImportOptions;
}

namespace sbx::audio {

class SoundReader {
public:
    // 24 dB above full scale: no recording is louder, and what is would drown everything for seconds.
    static constexpr float Loudest = 16.0F;

    // Errors: a file that openAsset() refuses, another format, malformed, beyond the limits of sound_limits.h, or an import process
    // that crashed or took too long.
    [[nodiscard]] static Result<SoundReader> open(const AssetRef& sound);
    [[nodiscard]] static Result<SoundReader> open(const AssetRef& sound, const ImportOptions& options);
    SoundReader(SoundReader&& other) noexcept;
    SoundReader& operator=(SoundReader&& other) noexcept;
    ~SoundReader();

    // As in the header; the file may hold less.
    [[nodiscard]] std::int64_t frames() const;
    [[nodiscard]] double sampleRate() const;
    [[nodiscard]] int channels() const;
    // Frames read, from where the read before ended; 0 at the end, less at a fault. Values that are no numbers become 0, and
    // none is beyond Loudest.
    [[nodiscard]] std::size_t read(std::span<float> mono);
    // Frames that were read so far and had to be changed for that.
    [[nodiscard]] std::size_t mended() const;
    [[nodiscard]] bool seek(std::int64_t frame);
    // Why reading ended before the end: the import process did. Nothing is read any more.
    [[nodiscard]] const std::optional<Error>& fault() const;

private:
    struct Impl;
    explicit SoundReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// Frames `first` on of a signal brought to another rate; `rate`: frames of it for each frame out. `held` holds the signal from frame
// `heldFirst` on; beyond is silence. 32-tap windowed sinc (see interpolation_tables.h).
struct InterpolationTable;
void resamplePiece(const InterpolationTable& table, double rate, std::int64_t first, std::span<float> out,
                   std::int64_t heldFirst, std::span<const float> held);

} // namespace sbx::audio
