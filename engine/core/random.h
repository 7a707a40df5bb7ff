#pragma once
// The simulation's one source of chance: seeded, same numbers on every machine.

#include <cstdint>

namespace sbx {

// PCG-XSH-RR 64/32 (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014).
class Random {
public:
    explicit Random(std::uint64_t seed = 1) { reseed(seed); }
    void reseed(std::uint64_t seed) {
        m_state = 0;
        next();
        m_state += seed;
        next();
    }
    // Uniform in [0, 2^32).
    std::uint32_t next() {
        const std::uint64_t old = m_state;
        m_state = old * 6364136223846793005ULL + Increment;
        const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
        const auto rotation = static_cast<std::uint32_t>(old >> 59U);
        return (shifted >> rotation) | (shifted << ((32U - rotation) & 31U));
    }
    // Uniform in [0, 1), 24 bits.
    float unit() { return static_cast<float>(next() >> 8U) * (1.0F / 16777216.0F); }
    // Uniform in [low, high).
    float between(float low, float high) { return low + (high - low) * unit(); }
    // Uniform in [0, count), count > 0 (Lemire, "Fast Random Integer Generation in an Interval", 2019, without the rejection:
    // bias below count / 2^32).
    std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>((static_cast<std::uint64_t>(next()) * count) >> 32U);
    }
    // For the digest.
    [[nodiscard]] std::uint64_t state() const { return m_state; }

private:
    static constexpr std::uint64_t Increment = 1442695040888963407ULL;
    std::uint64_t m_state = 0;
};

} // namespace sbx
