#pragma once
// One writer thread, one reader thread, no lock, no allocation after construction. The writer may only
// push(), the reader only front() and pop(); a full ring refuses. Values are copied in and out, so they must
// be trivial.

#include <atomic>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace sbx::audio {

template <typename T> class SpscRing {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    // Holds `capacity` values; a power of two.
    explicit SpscRing(std::size_t capacity) : m_values(capacity), m_mask(capacity - 1) {}

    [[nodiscard]] bool push(const T& value) noexcept {
        const std::size_t written = m_written.load(std::memory_order_relaxed);
        if (written - m_read.load(std::memory_order_acquire) > m_mask) {
            return false;
        }
        m_values[written & m_mask] = value;
        m_written.store(written + 1, std::memory_order_release);
        return true;
    }
    // Null when empty; valid until pop().
    [[nodiscard]] const T* front() const noexcept {
        const std::size_t read = m_read.load(std::memory_order_relaxed);
        return read == m_written.load(std::memory_order_acquire) ? nullptr : &m_values[read & m_mask];
    }
    void pop() noexcept {
        m_read.store(m_read.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    // Writer's view.
    [[nodiscard]] std::size_t free() const noexcept {
        return m_mask + 1
               - (m_written.load(std::memory_order_relaxed) - m_read.load(std::memory_order_acquire));
    }

private:
    std::vector<T> m_values;
    std::size_t m_mask;
    alignas(64) std::atomic<std::size_t> m_written{0};
    alignas(64) std::atomic<std::size_t> m_read{0};
};

} // namespace sbx::audio
