#pragma once
// A long sound file, read in pieces while it is played: memory stays the same however long the file is.
//
// Data flow: read() leaves word of the piece it needs; a thread of the sound's own brings it, and the two after it, into one of
// `Slots` places, in place of the least recently used piece. The first two pieces always stay, so that a play begins at once.
// What is read before it is loaded is silence, and counted.
//
// Thread: read() on any number of audio threads; it neither waits nor allocates. Ownership: ends its thread when the last owner
// lets go, on that owner's thread.

#include "engine/audio/sound_data.h"
#include "engine/core/asset_file.h"
#include "engine/core/result.h"

#include <filesystem>
#include <memory>

namespace sbx::audio {

class StreamedSound final : public SoundData {
public:
    static constexpr std::int64_t PieceFrames = 16384;
    static constexpr std::size_t Slots = 16;

    // At `sampleRate`, sample for sample as loadSound() would give it.
    [[nodiscard]] static Result<std::shared_ptr<const StreamedSound>> open(const AssetRef& sound, double sampleRate);
    // A file that the program itself names.
    [[nodiscard]] static Result<std::shared_ptr<const StreamedSound>> open(const std::filesystem::path& file,
                                                                           double sampleRate);
    ~StreamedSound() override;
    [[nodiscard]] std::int64_t length() const noexcept override;
    void read(std::int64_t from, int count, bool loop, float* out) const noexcept override;
    // Frames that were silent because they were not there yet.
    [[nodiscard]] std::uint64_t missed() const noexcept;
    // Why the rest of it is silence; null: it is not. Any thread.
    [[nodiscard]] const Error* fault() const noexcept;

private:
    struct Impl;
    explicit StreamedSound(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace sbx::audio
