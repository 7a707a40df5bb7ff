#pragma once
// A sound file open for reading, its channels mixed to one. One thread at a time.

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace sbx::audio {

class SoundReader {
public:
    static constexpr std::int64_t MaximumFrames = 400000000; // over two hours at 48 kHz

    [[nodiscard]] static Result<SoundReader> open(const std::filesystem::path& file);
    SoundReader(SoundReader&& other) noexcept;
    SoundReader& operator=(SoundReader&& other) noexcept;
    ~SoundReader();

    // As the header says; the file may hold less.
    [[nodiscard]] std::int64_t frames() const;
    [[nodiscard]] double sampleRate() const;
    [[nodiscard]] int channels() const;
    // Frames read, from where the read before ended; 0 at the end, less at a fault. Values that are no numbers become 0.
    [[nodiscard]] std::size_t read(std::span<float> mono);
    [[nodiscard]] bool seek(std::int64_t frame);

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
