#pragma once
// The dense table behind entity handles. All that a send needs of an entity stands in 24 bytes at its index.

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

inline const DispatchTable::Data EmptyDispatch{};

struct Slot {
    std::byte* block = nullptr; // null: free
    const DispatchTable::Data* dispatch = &EmptyDispatch;
    std::uint32_t generation = 1; // a free slot has that of its next entity
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
    ~SlotTable() {
        std::free(m_slots);
        std::free(m_places);
    }
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    // Null for what has gone. A handle that was never given out may name a free slot: that has no handlers.
    [[nodiscard]] Slot* findAny(EntityId id) const {
        const std::uint32_t index = id.index();
        if (index >= m_size)
            return nullptr;
        Slot* const slot = m_slots + index;
        return slot->generation == id.generation() ? slot : nullptr;
    }
    // Null for what has gone or never was.
    [[nodiscard]] Slot* find(EntityId id) const {
        Slot* const slot = findAny(id);
        return slot != nullptr && slot->block != nullptr ? slot : nullptr;
    }
    [[nodiscard]] Slot& operator[](std::uint32_t index) const { return m_slots[index]; }
    // Place of the entity's block in its pool.
    [[nodiscard]] std::uint32_t& place(std::uint32_t index) const { return m_places[index]; }
    [[nodiscard]] EntityId idOf(std::uint32_t index) const { return {index, m_slots[index].generation}; }
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::uint32_t taken() const { return m_indices.taken(); }

    std::uint32_t take() {
        const std::uint32_t index = m_indices.take();
        if (index >= m_size) {
            if (index >= m_capacity)
                grow(index + 1);
            new (m_slots + index) Slot;
            m_size = index + 1;
        }
        return index;
    }
    void give(std::uint32_t index) {
        Slot& slot = m_slots[index];
        slot.block = nullptr;
        slot.dispatch = &EmptyDispatch;
        slot.flags = 0;
        if (++slot.generation == 0)
            slot.generation = 1;
        m_indices.give(index);
    }
    void reserve(std::uint32_t more) {
        const std::uint32_t wanted = m_indices.taken() + more;
        if (wanted > m_capacity)
            grow(wanted);
    }

private:
    void grow(std::uint32_t atLeast) {
        const std::uint32_t capacity = std::max(atLeast, std::max(64U, m_capacity + m_capacity / 4));
        // realloc moves pages, not bytes, once the table is large.
        void* const grown = std::realloc(static_cast<void*>(m_slots), capacity * sizeof(Slot));
        SBX_EXPECT(grown != nullptr, "out of memory");
        m_slots = static_cast<Slot*>(grown);
        void* const places = std::realloc(m_places, capacity * sizeof(std::uint32_t));
        SBX_EXPECT(places != nullptr, "out of memory");
        m_places = static_cast<std::uint32_t*>(places);
        m_capacity = capacity;
    }
    Slot* m_slots = nullptr;
    std::uint32_t m_size = 0;
    std::uint32_t m_capacity = 0;
    std::uint32_t* m_places = nullptr;
    IndexPool m_indices;
};

} // namespace sbx
