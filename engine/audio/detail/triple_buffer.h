#pragma once
// The newest of a stream of values, from one writer to one reader, without lock or wait: one slot to write,
// one to read, one between. Values keep their storage, so a vector sized once is never allocated again.

#include <array>
#include <atomic>
#include <cstdint>

namespace sbx::audio {

template <typename T> class TripleBuffer {
public:
    explicit TripleBuffer(const T& initial) : m_slots{initial, initial, initial} {}

    // Writer: fill, then publish.
    [[nodiscard]] T& writing() noexcept { return m_slots[m_write]; }
    void publish() noexcept {
        m_write = m_between.exchange(m_write | Fresh, std::memory_order_acq_rel) & IndexMask;
    }

    // Reader: the newest published value; stays valid until the next call.
    [[nodiscard]] const T& newest() noexcept {
        if ((m_between.load(std::memory_order_relaxed) & Fresh) != 0) {
            m_read = m_between.exchange(m_read, std::memory_order_acq_rel) & IndexMask;
        }
        return m_slots[m_read];
    }

private:
    static constexpr std::uint32_t Fresh = 4;
    static constexpr std::uint32_t IndexMask = 3;
    std::array<T, 3> m_slots;
    std::atomic<std::uint32_t> m_between{1};
    std::uint32_t m_write = 0;
    std::uint32_t m_read = 2;
};

} // namespace sbx::audio
