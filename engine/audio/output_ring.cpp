#include "engine/audio/output_ring.h"

#include "engine/core/contracts.h"

namespace sbx::audio {

OutputRing::OutputRing(std::size_t frames) : m_frames(frames), m_samples(std::make_unique<std::atomic<float>[]>(frames * 2)) {
    SBX_EXPECT(frames > 0 && (frames & (frames - 1)) == 0, "a ring of a power of two");
}

void OutputRing::write(std::span<const float> interleaved) noexcept {
    const Frame from = m_written.load(std::memory_order_relaxed);
    const Frame end = from + static_cast<Frame>(interleaved.size() / 2);
    m_claimed.store(end, std::memory_order_seq_cst);
    const std::size_t mask = m_frames * 2 - 1;
    const std::size_t at = static_cast<std::size_t>(from) * 2;
    // Release: a reader that sees a new sample sees that it was claimed.
    for (std::size_t i = 0; i < interleaved.size(); ++i)
        m_samples[(at + i) & mask].store(interleaved[i], std::memory_order_release);
    m_written.store(end, std::memory_order_release);
}

bool OutputRing::read(Frame from, std::span<float> interleaved) const noexcept {
    const auto count = static_cast<Frame>(interleaved.size() / 2);
    const auto capacity = static_cast<Frame>(m_frames);
    if (from < 0 || from + count > written() || m_claimed.load(std::memory_order_acquire) - from > capacity)
        return false;
    const std::size_t mask = m_frames * 2 - 1;
    const std::size_t at = static_cast<std::size_t>(from) * 2;
    for (std::size_t i = 0; i < interleaved.size(); ++i)
        interleaved[i] = m_samples[(at + i) & mask].load(std::memory_order_acquire);
    return m_claimed.load(std::memory_order_acquire) - from <= capacity;
}

} // namespace sbx::audio
