#pragma once
// The recorder's clock: the processor's own counter where there is one, because a stamp for each message must cost no more than reading
// it. Converted to nanoseconds by comparison with the steady clock. It has no influence on the simulation.

#include <chrono>
#include <cstdint>

namespace sbx {

inline std::uint64_t clockTicks() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc(); // as <x86intrin.h> has it, without its forty thousand lines
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// One thread.
class RecordClock {
public:
    RecordClock() : m_ticks(clockTicks()), m_time(std::chrono::steady_clock::now()) {}

    // Compares the two clocks over all the time since construction; costs two readings.
    void calibrate() {
        const auto passed = std::chrono::steady_clock::now() - m_time;
        const std::uint64_t ticks = clockTicks() - m_ticks;
        const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count();
        if (ticks > 0 && ns > MinimumNs)
            m_nsPerTick = static_cast<double>(ns) / static_cast<double>(ticks);
    }
    [[nodiscard]] double nsPerTick() const { return m_nsPerTick; }
    [[nodiscard]] std::uint32_t nanoseconds(std::uint64_t ticks) const {
        const double ns = static_cast<double>(ticks) * m_nsPerTick;
        return ns < 4294967295.0 ? static_cast<std::uint32_t>(ns) : 0xFFFFFFFFU;
    }

private:
    static constexpr std::int64_t MinimumNs = 100'000;
    std::uint64_t m_ticks;
    std::chrono::steady_clock::time_point m_time;
    double m_nsPerTick = 1.0;
};

} // namespace sbx
