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

// A body's bytes. Up to Small of them lie in the object itself, others in a block of the pool they came from, which must outlive
// it and gets it back. Move-only; what bytes() and writable() gave holds until the body is moved.
class Body {
public:
    static constexpr std::size_t Small = 16;

    Body() = default;
    Body(Body&& other) noexcept { take(other); }
    Body& operator=(Body&& other) noexcept {
        if (this != &other) {
            clear();
            take(other);
        }
        return *this;
    }
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    ~Body() { clear(); }

    // Gives the memory back now.
    inline void clear() noexcept;
    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return {m_class == Here ? m_bytes.here.data() : m_bytes.block.data, m_size};
    }
    [[nodiscard]] std::span<std::uint8_t> writable() {
        return {m_class == Here ? m_bytes.here.data() : m_bytes.block.data, m_size};
    }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    void shrink(std::uint32_t size) { m_size = size < m_size ? size : m_size; }

private:
    friend class BodyPool;
    static constexpr std::uint8_t Here = UINT8_MAX; // instead of a block's class
    struct Block {
        BodyPool* pool;
        std::uint8_t* data;
    };
    union Bytes {
        std::array<std::uint8_t, Small> here;
        Block block;
    };
    void take(Body& other) noexcept {
        m_bytes = other.m_bytes;
        m_size = std::exchange(other.m_size, 0U);
        m_class = std::exchange(other.m_class, Here);
    }

    Bytes m_bytes{};
    std::uint32_t m_size = 0;
    std::uint8_t m_class = Here;
};

// Purpose: blocks in powers of two, kept in free lists. In steady state nothing is allocated; the blocks of sizes that are no longer
// requested are released when other sizes are, and trim() gives spare blocks back when
// a connection has gone quiet. One thread.
class BodyPool {
public:
    BodyPool() = default;
    ~BodyPool();
    BodyPool(const BodyPool&) = delete;
    BodyPool& operator=(const BodyPool&) = delete;

    // Contents are not set. A small body takes no memory.
    [[nodiscard]] Body take(std::size_t size) {
        Body body;
        body.m_size = static_cast<std::uint32_t>(size);
        if (size <= Body::Small) {
            return body;
        }
        const auto width = static_cast<std::size_t>(std::bit_width(size - 1));
        const std::size_t shift = width < MinShift ? MinShift : width;
        const std::size_t sizeClass = shift - MinShift;
        std::uint8_t* data = nullptr;
        if (sizeClass < Classes && m_free[sizeClass] != nullptr) {
            Free* block = m_free[sizeClass];
            m_free[sizeClass] = block->next;
            m_spare -= std::size_t{1} << shift;
            data = reinterpret_cast<std::uint8_t*>(block);
        } else {
            data = grow(shift);
        }
        body.m_bytes.block = {this, data};
        body.m_class = static_cast<std::uint8_t>(sizeClass);
        return body;
    }
    [[nodiscard]] Body copy(std::span<const std::uint8_t> bytes) {
        Body body = take(bytes.size());
        if (!bytes.empty()) {
            std::memcpy(body.writable().data(), bytes.data(), bytes.size());
        }
        return body;
    }
    void trim();
    // Bytes held from the heap, in use or spare.
    [[nodiscard]] std::size_t memory() const { return m_held; }
    [[nodiscard]] std::size_t spare() const { return m_spare; }

private:
    friend class Body;
    static constexpr std::size_t MinShift = 5; // 32 bytes: what is smaller lies in the body
    static constexpr std::size_t Classes = 23;
    static constexpr std::size_t MaxSpare =
        std::size_t{256} * 1024; // or as much as is in use, when another size is wanted
    struct Free {
        Free* next;
    };
    std::uint8_t* grow(std::size_t shift);
    void giveBack(std::uint8_t* data, std::uint8_t sizeClass) noexcept {
        m_free[sizeClass] = ::new (data) Free{m_free[sizeClass]};
        m_spare += std::size_t{1} << (sizeClass + MinShift);
    }

    std::array<Free*, Classes> m_free{};
    std::size_t m_held = 0;
    std::size_t m_spare = 0;
};

inline void Body::clear() noexcept {
    if (m_class != Here) {
        m_bytes.block.pool->giveBack(m_bytes.block.data, m_class);
        m_class = Here;
    }
    m_size = 0;
}

} // namespace sbx::net
