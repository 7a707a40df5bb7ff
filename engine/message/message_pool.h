#pragma once
// Storage of pending messages: blocks of three fixed sizes in slabs that never move, and one free list a size that lives in the
// free blocks themselves. A free block either is a trunk, which holds the numbers of other free blocks, or is listed in one: the
// plain linked list would load a cold block to find the next one, a trunk lets the next few be fetched ahead. One thread.

#include "engine/message/envelope.h"
#include "engine/message/message_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sbx {

// What every block begins with, in use or free.
struct PoolBlock {
    std::uint32_t generation = 0; // odd while in use; a handle with another generation is stale
};

// What is kept of a message until it is due; its payload follows at once.
struct alignas(16) StoredMessage : PoolBlock {
    std::uint16_t size = 0; // of the payload
    MessageTypeId type = NoType;
    EntityId sender;
    EntityId receiver;
    MessageCause cause;
    std::uint64_t queuedAt = 0;
    std::uint32_t minimum : 30 = 0; // receivers demanded
    std::uint32_t sited : 1 = 0;    // the queue knows its Envelope::site
    std::uint32_t injected : 1 = 0;
    Delivery delivery = Delivery::Immediate;
    std::uint16_t part = 0;

    [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
    [[nodiscard]] const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this + 1); }
};
static_assert(sizeof(StoredMessage) == 48);

class MessagePool {
public:
    // Number of a block: class in the two highest bits.
    using Number = std::uint32_t;

    MessagePool() = default;
    MessagePool(const MessagePool&) = delete;
    MessagePool& operator=(const MessagePool&) = delete;

    // A block for a payload of that size. Its generation is set, all else is stale.
    [[nodiscard]] Number take(std::size_t payload) {
        const std::size_t c = payload <= Classes[0].payload ? 0 : payload <= Classes[1].payload ? 1 : 2;
        SizeClass& own = m_classes[c];
        Trunk* const trunk = own.trunk;
        if (trunk == nullptr) [[unlikely]]
            return grow(c);
        if (trunk->count > 0) {
            const Number number = trunk->numbers()[--trunk->count];
            if (trunk->count >= Ahead)
                __builtin_prefetch(&at(trunk->numbers()[trunk->count - Ahead]), 1);
            return number;
        }
        own.trunk = trunk->next;
        return trunk->self;
    }
    void release(Number number) {
        const std::size_t c = number >> ClassShift;
        SizeClass& own = m_classes[c];
        if (own.trunk != nullptr && own.trunk->count < Classes[c].trunkRoom()) [[likely]]
            own.trunk->numbers()[own.trunk->count++] = number;
        else
            makeTrunk(number);
    }
    [[nodiscard]] std::uint32_t& generation(Number number) {
        return reinterpret_cast<PoolBlock*>(memory(number))->generation;
    }
    [[nodiscard]] StoredMessage& at(Number number) {
        return *reinterpret_cast<StoredMessage*>(memory(number));
    }
    [[nodiscard]] const StoredMessage& at(Number number) const {
        return *reinterpret_cast<const StoredMessage*>(memory(number));
    }
    // False for numbers that were never handed out.
    [[nodiscard]] bool knows(Number number) const {
        const std::size_t c = number >> ClassShift;
        return c < ClassCount && (number & IndexMask) < m_classes[c].slabs.size() * PerSlab;
    }
    // Both lines of a small message.
    void prefetch(Number number) const {
        const std::byte* const line = memory(number);
        __builtin_prefetch(line);
        __builtin_prefetch(line + 64);
    }
    [[nodiscard]] std::size_t bytes() const;

private:
    // In the place of a free block: the numbers of others, up to the block's end, and the next trunk.
    struct alignas(16) Trunk : PoolBlock {
        std::uint32_t count = 0;
        Trunk* next = nullptr;
        Number self = 0;
        [[nodiscard]] Number* numbers() { return reinterpret_cast<Number*>(this + 1); }
    };
    struct Layout {
        std::size_t payload;
        std::size_t block;
        [[nodiscard]] constexpr std::uint32_t trunkRoom() const {
            return static_cast<std::uint32_t>((block - sizeof(Trunk)) / sizeof(Number));
        }
    };
    static constexpr std::size_t ClassCount = 3;
    static constexpr Layout Classes[ClassCount] = {
        {16, 64}, {80, 128}, {MaxMessageSize, sizeof(StoredMessage) + MaxMessageSize}};
    static constexpr unsigned ClassShift = 30;
    static constexpr Number IndexMask = (Number(1) << ClassShift) - 1;
    static constexpr std::size_t PerSlab = 512;
    static constexpr std::uint32_t Ahead = 6;
    static constexpr std::size_t Line = 64;

    struct SlabDelete {
        void operator()(std::byte* slab) const { ::operator delete(slab, std::align_val_t(Line)); }
    };
    struct SizeClass {
        Trunk* trunk = nullptr;
        std::vector<std::unique_ptr<std::byte, SlabDelete>> slabs;
    };
    [[nodiscard]] std::byte* memory(Number number) const {
        const std::size_t c = number >> ClassShift;
        const std::size_t index = number & IndexMask;
        return m_classes[c].slabs[index / PerSlab].get() + index % PerSlab * Classes[c].block;
    }
    Number grow(std::size_t sizeClass);
    void makeTrunk(Number number);

    SizeClass m_classes[ClassCount];
};

} // namespace sbx
