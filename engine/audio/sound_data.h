#pragma once
// Sound to be played: one channel at the renderer's rate. Read by the audio thread at any place and in any
// order, because what is heard now left its source earlier, how much earlier changes by the block, and voices
// come back in phase.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx::audio {

class SoundData {
public:
    SoundData() = default;
    SoundData(const SoundData&) = delete;
    SoundData& operator=(const SoundData&) = delete;
    virtual ~SoundData() = default;

    // Frames; fixed.
    [[nodiscard]] virtual std::int64_t length() const noexcept = 0;
    // Copies `count` frames from `from` on; before 0 and, without loop, after the end there is silence. No
    // allocation or lock. What a streamed sound does not have yet is silence, and counted there.
    virtual void read(std::int64_t from, int count, bool loop, float* out) const noexcept = 0;
};

// A sound that lies in memory; immutable.
class ResidentSound final : public SoundData {
public:
    // `mended`: frames of its file that were no numbers or far beyond full scale, and were changed.
    explicit ResidentSound(std::vector<float> frames, std::size_t mended = 0)
        : m_frames(std::move(frames)), m_mended(mended) {}
    [[nodiscard]] std::int64_t length() const noexcept override {
        return static_cast<std::int64_t>(m_frames.size());
    }
    void read(std::int64_t from, int count, bool loop, float* out) const noexcept override;
    [[nodiscard]] const std::vector<float>& frames() const { return m_frames; }
    [[nodiscard]] std::size_t mended() const { return m_mended; }

private:
    std::vector<float> m_frames;
    std::size_t m_mended;
};

} // namespace sbx::audio
