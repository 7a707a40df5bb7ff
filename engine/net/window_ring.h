#pragma once
// Slots for consecutive numbers, found by their low bits. Starts small and doubles up to the negotiated window, so an idle
// connection costs little; steady traffic allocates nothing.

#include "engine/core/contracts.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace sbx::net {

template <typename Slot> class WindowRing {
public:
    static constexpr std::size_t Least = 16;

    // Room for [floor, end): grows when needed, keeping the slots of [floor, oldEnd).
    void reserve(std::uint64_t floor, std::uint64_t oldEnd, std::uint64_t end) {
        const std::uint64_t needed = end - floor;
        if (needed <= m_slots.size()) {
            return;
        }
        std::vector<Slot> grown(std::bit_ceil(std::max<std::uint64_t>(needed, Least)));
        for (std::uint64_t n = floor; n != oldEnd; ++n) {
            grown[n & (grown.size() - 1U)] = std::move((*this)[n]);
        }
        m_slots.swap(grown);
    }
    Slot& operator[](std::uint64_t number) { return m_slots[number & (m_slots.size() - 1U)]; }
    const Slot& operator[](std::uint64_t number) const { return m_slots[number & (m_slots.size() - 1U)]; }
    [[nodiscard]] std::size_t capacity() const { return m_slots.size(); }
    [[nodiscard]] std::size_t memory() const { return m_slots.size() * sizeof(Slot); }

private:
    std::vector<Slot> m_slots;
};

// First in, first out, in a ring that doubles when full.
template <typename T> class GrowingQueue {
public:
    [[nodiscard]] bool empty() const { return m_first == m_end; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_end - m_first); }
    T& front() { return m_ring[m_first]; }
    // Positions count from the beginning of time; valid in [firstPosition, endPosition).
    T& at(std::uint64_t position) { return m_ring[position]; }
    const T& at(std::uint64_t position) const { return m_ring[position]; }
    [[nodiscard]] std::uint64_t firstPosition() const { return m_first; }
    [[nodiscard]] std::uint64_t endPosition() const { return m_end; }
    void push(T value) {
        m_ring.reserve(m_first, m_end, m_end + 1);
        m_ring[m_end++] = std::move(value);
    }
    // A slot at the end, for the caller to fill: it holds what it held when it was last used.
    T& extend() {
        m_ring.reserve(m_first, m_end, m_end + 1);
        return m_ring[m_end++];
    }
    T pop() { return std::move(m_ring[m_first++]); }
    void popInto(T& out) { out = std::move(m_ring[m_first++]); }
    void dropTo(std::uint64_t position) { m_first = position; }
    void clear() { m_first = m_end; }
    [[nodiscard]] std::size_t memory() const { return m_ring.memory(); }

private:
    WindowRing<T> m_ring;
    std::uint64_t m_first = 0;
    std::uint64_t m_end = 0;
};

} // namespace sbx::net
