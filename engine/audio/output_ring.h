#pragma once
// The last seconds of the output, for meters, pictures of the signal and recordings: one thread writes, any number read, each at
// its own pace; a read that comes too late reports it. No thread waits for another.

#include "engine/audio/audio_types.h"

#include <atomic>
#include <memory>
#include <span>

namespace sbx::audio {

class OutputRing {
public:
    explicit OutputRing(std::size_t frames); // a power of two
    // ---- the writing thread: interleaved stereo, at most half of the ring
    void write(std::span<const float> interleaved) noexcept;
    // ---- any thread
    [[nodiscard]] std::size_t capacity() const noexcept { return m_frames; }
    // Frames written so far: those from written() - capacity() on are there still, and fewer soon.
    [[nodiscard]] Frame written() const noexcept { return m_written.load(std::memory_order_acquire); }
    // Copies the frames from `from` on. False: they are not written yet, or no longer there.
    [[nodiscard]] bool read(Frame from, std::span<float> interleaved) const noexcept;

private:
    std::size_t m_frames;
    std::unique_ptr<std::atomic<float>[]> m_samples;
    std::atomic<Frame> m_claimed{0}; // up to here old samples may be gone
    std::atomic<Frame> m_written{0};
};

} // namespace sbx::audio
