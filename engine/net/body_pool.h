#pragma once
// Memory for message bodies: taken once, used again.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace sbx::net {

class BodyPool;

// A body's bytes; gives its memory back to the pool it came from, which must outlive it. Move-only.
class Body {
public:
    Body() = default;
    Body(Body&& other) noexcept
        : m_pool(other.m_pool),
          m_data(std::exchange(other.m_data, nullptr)),
          m_size(std::exchange(other.m_size, 0U)),
          m_class(other.m_class) {}
    Body& operator=(Body&& other) noexcept {
        if (this != &other) {
            clear();
            m_pool = other.m_pool;
            m_data = std::exchange(other.m_data, nullptr);
            m_size = std::exchange(other.m_size, 0U);
            m_class = other.m_class;
        }
        return *this;
    }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    ~Body() { clear(); }

    // Gives the memory back now.
    inline void clear() noexcept;
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {m_data, m_size}; }
    [[nodiscard]] std::span<std::uint8_t> writable() { return {m_data, m_size}; }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    void shrink(std::uint32_t size) { m_size = size < m_size ? size : m_size; }

private:
    friend class BodyPool;
    BodyPool* m_pool = nullptr;
    std::uint8_t* m_data = nullptr;
    std::uint32_t m_size = 0;
    std::uint8_t m_class = 0;
};

// Purpose: blocks in powers of two, kept in free lists. In steady state nothing is allocated; the blocks of sizes that are no longer
// asked for go when others are, and trim() gives spare blocks back when
// a connection has gone quiet. One thread.
class BodyPool {
public:
    BodyPool() = default;
    ~BodyPool();
    BodyPool(const BodyPool&) = delete;
    BodyPool& operator=(const BodyPool&) = delete;

    // Contents are not set. An empty body takes no memory.
    [[nodiscard]] Body take(std::size_t size) {
        Body body;
        if (size == 0) {
            return body;
        }
        const auto width = static_cast<std::size_t>(std::bit_width(size - 1));
        const std::size_t shift = width < LeastShift ? LeastShift : width;
        const std::size_t sizeClass = shift - LeastShift;
        if (sizeClass < Classes && m_free[sizeClass] != nullptr) {
            Free* block = m_free[sizeClass];
            m_free[sizeClass] = block->next;
            m_spare -= std::size_t{1} << shift;
            body.m_data = reinterpret_cast<std::uint8_t*>(block);
        } else {
            body.m_data = grow(shift);
        }
        body.m_pool = this;
        body.m_size = static_cast<std::uint32_t>(size);
        body.m_class = static_cast<std::uint8_t>(sizeClass);
        return body;
    }
    [[nodiscard]] Body copy(std::span<const std::uint8_t> bytes) {
        Body body = take(bytes.size());
        if (!bytes.empty()) {
            std::memcpy(body.m_data, bytes.data(), bytes.size());
        }
        return body;
    }
    void trim();
    // Bytes held from the heap, in use or spare.
    [[nodiscard]] std::size_t memory() const { return m_held; }
    [[nodiscard]] std::size_t spare() const { return m_spare; }

private:
    friend class Body;
    static constexpr std::size_t LeastShift = 4; // 16 bytes: room for the free list's link
    static constexpr std::size_t Classes = 24;
    static constexpr std::size_t MostSpare = std::size_t{256} * 1024; // or as much as is in use, when another size is wanted
    struct Free {
        Free* next;
    };
    std::uint8_t* grow(std::size_t shift);
    void giveBack(std::uint8_t* data, std::uint8_t sizeClass) noexcept {
        m_free[sizeClass] = ::new (data) Free{m_free[sizeClass]};
        m_spare += std::size_t{1} << (sizeClass + LeastShift);
    }

    std::array<Free*, Classes> m_free{};
    std::size_t m_held = 0;
    std::size_t m_spare = 0;
};

inline void Body::clear() noexcept {
    if (m_data != nullptr) {
        m_pool->giveBack(m_data, m_class);
        m_data = nullptr;
        m_size = 0;
    }
}

} // namespace sbx::net
