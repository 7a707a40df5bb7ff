#pragma once
// What a source emits, as a function of time: sample n of emission can be read at any n, in any order,
// with the same answer. So a voice needs only the stretch it hears, and one that was silent comes back in
// phase. Audio thread.

#include "engine/audio/audio_types.h"
#include "engine/audio/detail/interpolation_tables.h"
#include "engine/audio/detail/kernel_table.h"

#include <limits>

namespace sbx::audio {

class SignalPlayer {
public:
    static constexpr Frame Never = std::numeric_limits<Frame>::max();
    static constexpr int FadeFrames = 256; // after a stop

    SignalPlayer(const KernelTable& kernels, const InterpolationTables& tables, double sampleRate)
        : m_kernels(&kernels), m_tables(&tables), m_sampleRate(sampleRate) {}

    void start(const Signal& signal, Frame at) noexcept;
    void stop(Frame at) noexcept { m_stop = std::min(m_stop, std::max(at, m_start)); }
    void setPitch(double pitch, Frame at) noexcept;
    void clear() noexcept {
        m_signal = {};
        m_start = m_stop = 0;
    }

    [[nodiscard]] const Signal& signal() const { return m_signal; }
    // First frame of emission after which nothing comes; Never for what does not end by itself.
    [[nodiscard]] Frame end() const noexcept;
    [[nodiscard]] Frame startFrame() const { return m_start; }
    // Seconds into the sound at emission frame n.
    [[nodiscard]] double position(Frame n) const noexcept;
    // `count` frames of emission from n on.
    void generate(Frame n, int count, float* out) const noexcept;

private:
    // From `at` on the phase is `phase` + `step` per frame; 32.32 fixed point frames of sound, or of a turn
    // in 2^64 for a tone.
    struct Segment {
        Frame at = 0;
        std::uint64_t phase = 0;
        std::uint64_t step = 0;
    };
    [[nodiscard]] std::uint64_t stepFor(double pitch) const noexcept;
    void generateSegment(const Segment& segment, Frame n, int count, float* out) const noexcept;
    void generateSound(std::uint64_t phase, std::uint64_t step, int count, float* out) const noexcept;

    const KernelTable* m_kernels;
    const InterpolationTables* m_tables;
    double m_sampleRate;
    Signal m_signal;
    Frame m_start = 0;
    Frame m_stop = 0;
    Segment m_before; // until m_now.at
    Segment m_now;
};

} // namespace sbx::audio
