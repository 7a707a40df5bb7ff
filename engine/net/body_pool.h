#pragma once
// Memory for message bodies: taken once, used again.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sbx::net {

class BodyPool;

// A body's bytes; gives its memory back to the pool it came from, which must outlive it. Move-only.
class Body {
public:
    Body() = default;
    Body(Body&& other) noexcept { swap(other); }
    Body& operator=(Body&& other) noexcept {
        Body gone(std::move(other));
        swap(gone);
        return *this;
    }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    ~Body();

    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {m_data, m_size}; }
    [[nodiscard]] std::span<std::uint8_t> writable() { return {m_data, m_size}; }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    void shrink(std::uint32_t size) { m_size = size < m_size ? size : m_size; }

private:
    friend class BodyPool;
    void swap(Body& other) noexcept {
        std::swap(m_pool, other.m_pool);
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_class, other.m_class);
    }
    BodyPool* m_pool = nullptr;
    std::uint8_t* m_data = nullptr;
    std::uint32_t m_size = 0;
    std::uint8_t m_class = 0;
};

// Purpose: blocks in powers of two, kept in free lists. In steady state nothing is allocated; trim() gives spare blocks back when
// a connection has gone quiet. One thread.
class BodyPool {
public:
    BodyPool() = default;
    ~BodyPool();
    BodyPool(const BodyPool&) = delete;
    BodyPool& operator=(const BodyPool&) = delete;

    // Contents are not set. An empty body takes no memory.
    [[nodiscard]] Body take(std::size_t size);
    [[nodiscard]] Body copy(std::span<const std::uint8_t> bytes);
    void trim();
    // Bytes held from the heap, in use or spare.
    [[nodiscard]] std::size_t memory() const { return m_held; }
    [[nodiscard]] std::size_t spare() const { return m_spare; }

private:
    friend class Body;
    static constexpr std::size_t LeastShift = 4; // 16 bytes: room for the free list's link
    static constexpr std::size_t Classes = 24;
    struct Free {
        Free* next;
    };
    void giveBack(std::uint8_t* data, std::uint8_t sizeClass);

    std::array<Free*, Classes> m_free{};
    std::size_t m_held = 0;
    std::size_t m_spare = 0;
};

} // namespace sbx::net
