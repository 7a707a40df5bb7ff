#pragma once
// The dense table behind entity handles. All that a send needs of an entity stands in 32 bytes at its index.

#include "engine/core/contracts.h"
#include "engine/core/ids.h"
#include "engine/entity/index_pool.h"
#include "engine/message/dispatch_table.h"

#include <cstdlib>
#include <cstring>

namespace sbx {

enum SlotFlag : std::uint16_t {
    SlotNamed = 1,         // has a row in the table of details
    SlotPlaced = 2,        // has a row in the table of places
    SlotSpecial = 4,       // has components or handlers of its own
    SlotSelfOff = 8,       // disabled itself
    SlotAncestorOff = 16,  // an ancestor is
    SlotAwake = 32,        // was told Awake
    SlotActive = 64,       // was told OnEnable, and not OnDisable since
    SlotStarted = 128,     // was told Start
    SlotAwaitsStart = 256, // stands on the list of those
    SlotDying = 512,       // goes at the end of the tick
};

struct Slot {
    EntityId id; // a free slot keeps the generation of its next entity, under an index that nobody has
    std::byte* block = nullptr;
    const DispatchTable::Data* dispatch = nullptr;
    std::uint32_t place = 0; // of the block in its pool
    std::uint16_t pool = 0;
    std::uint16_t flags = 0;

    [[nodiscard]] bool has(unsigned flag) const { return (flags & flag) != 0; }
    void set(unsigned flag) { flags = static_cast<std::uint16_t>(flags | flag); }
    void clear(unsigned flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }
};

// Grows in place where the system can: slots are plain bytes.
class SlotTable {
public:
    SlotTable() = default;
    ~SlotTable() { std::free(m_slots); }
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    // Null for what has gone or never was.
    [[nodiscard]] Slot* find(EntityId id) const {
        const std::uint32_t index = id.index();
        return index < m_size && m_slots[index].id == id ? m_slots + index : nullptr;
    }
    [[nodiscard]] Slot& operator[](std::uint32_t index) const { return m_slots[index]; }
    [[nodiscard]] bool alive(std::uint32_t index) const { return m_slots[index].id.index() == index; }
    [[nodiscard]] EntityId idOf(std::uint32_t index) const { return m_slots[index].id; }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::uint32_t taken() const { return m_indices.taken(); }

    // Alive from now on; without block and dispatch.
    Slot& take() {
        const std::uint32_t index = m_indices.take();
        if (index < m_size) {
            Slot& slot = m_slots[index];
            slot.id = EntityId(index, slot.id.generation());
            return slot;
        }
        if (index >= m_capacity) [[unlikely]]
            grow(index + 1);
        m_size = index + 1;
        Slot* const slot = new (m_slots + index) Slot;
        slot->id = EntityId(index, 1);
        return *slot;
    }
    void give(std::uint32_t index) {
        Slot& slot = m_slots[index];
        slot.flags = 0;
        const std::uint32_t next = slot.id.generation() + 1;
        slot.id = EntityId(Nobody, next == 0 ? 1 : next);
        m_indices.give(index);
    }
    void reserve(std::uint32_t more) {
        const std::uint32_t wanted = m_indices.taken() + more;
        if (wanted > m_capacity)
            grow(wanted);
    }

private:
    static constexpr std::uint32_t Nobody = 0xFFFFFFFFU;
    void grow(std::uint32_t atLeast) {
        // Other blocks follow it in memory, so that it is copied each time: by half, not by less.
        const std::uint32_t step = m_capacity < 4096 ? std::max(64U, m_capacity) : m_capacity / 2;
        const std::uint32_t capacity = std::max(atLeast, m_capacity + step);
        void* const grown = std::realloc(static_cast<void*>(m_slots), capacity * sizeof(Slot));
        SBX_EXPECT(grown != nullptr, "out of memory");
        m_slots = static_cast<Slot*>(grown);
        m_capacity = capacity;
    }
    Slot* m_slots = nullptr;
    std::uint32_t m_size = 0;
    std::uint32_t m_capacity = 0;
    IndexPool m_indices;
};

} // namespace sbx
