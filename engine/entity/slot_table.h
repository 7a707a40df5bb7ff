#pragma once
// The dense table behind entity handles. The 32 bytes at an entity's index are all that a send needs of it.

#include "engine/core/ids.h"
#include "engine/entity/index_pool.h"
#include "engine/message/dispatch_table.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace sbx {

enum SlotFlag : std::uint16_t {
    SlotNamed = 1,         // has a row in the table of details
    SlotPlaced = 2,        // has a row in the table of places
    SlotSpecial = 4,       // has components or handlers of its own
    SlotSelfOff = 8,       // disabled itself
    SlotAncestorOff = 16,  // an ancestor is
    SlotAwake = 32,        // got Awake
    SlotActive = 64,       // got OnEnable, and not OnDisable since
    SlotStarted = 128,     // got Start
    SlotAwaitsStart = 256, // waits for Start in the next tick
    SlotDying = 512,       // was destroyed; removed when no handler runs
    SlotBuilding =
        1024, // its components are under construction: it receives nothing, and destroy() is deferred
    SlotPinned = 2048,    // an added component is under construction: destroy() is deferred
    SlotNotifying = 4096, // lifecycle messages are being sent to it; see EntityLifecycle::live()
    SlotEnded = 8192,     // got OnDestroy
    SlotEnding = 16384,   // its components are being destroyed: it receives nothing
    SlotReloading =
        32768, // its components are being replaced: none can be added, removed, enabled or disabled meanwhile
};

// What was sent to an entity or component of its lifecycle messages; see life_step.h.
inline constexpr unsigned LifeFlags = SlotAwake | SlotActive | SlotStarted | SlotEnded;

struct Slot {
    EntityId id; // a free slot has the generation of its next entity and an invalid index; the rest is stale
    std::byte* block = nullptr;
    const DispatchTable::Data* dispatch = nullptr;
    std::uint32_t place = 0; // of the block in its pool
    std::uint16_t pool = 0;
    std::uint16_t flags = 0;

    [[nodiscard]] bool has(unsigned flag) const { return (flags & flag) != 0; }
    void set(unsigned flag) { flags = static_cast<std::uint16_t>(flags | flag); }
    void clear(unsigned flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }
    // All of these write two words at once: the cost of creating or removing an entity is mainly the number of stores, which wait for
    // memory one after the other. The entity receives nothing until finish().
    void begin(EntityId itsId, std::byte* itsBlock, std::uint64_t rest) {
        write(&id, itsId.bits, reinterpret_cast<std::uintptr_t>(itsBlock));
        write(&dispatch, reinterpret_cast<std::uintptr_t>(&DispatchTable::Nothing), rest | Building);
    }
    // It is built and receives messages by `itsDispatch`. False, without a change: its flags are not those that begin() gave it.
    bool finish(const DispatchTable::Data* itsDispatch, std::uint64_t rest) {
        if (flags != (rest | Building) >> 48U) [[unlikely]]
            return false;
        write(&dispatch, reinterpret_cast<std::uintptr_t>(itsDispatch), rest);
        return true;
    }
    // Place, pool and flags in one word.
    [[nodiscard]] static std::uint64_t restOf(std::uint32_t itsPlace, std::uint16_t itsPool,
                                              std::uint16_t itsFlags) {
        return itsPlace | std::uint64_t(itsPool) << 32U | std::uint64_t(itsFlags) << 48U;
    }
    // Destroyed, without messages: no handler is interested in them.
    void dieSilently() { flags = static_cast<std::uint16_t>((flags & ~SlotActive) | SlotDying | SlotEnded); }
    // Its components are about to be destroyed: it receives nothing from now on.
    void end() {
        std::uint64_t rest = 0;
        std::memcpy(&rest, &place, sizeof rest);
        write(&dispatch, reinterpret_cast<std::uintptr_t>(&DispatchTable::Nothing),
              rest | std::uint64_t(SlotDying | SlotEnding) << 48U);
    }

private:
    static constexpr std::uint64_t Building = std::uint64_t(SlotBuilding) << 48U;
    static void write(void* at, std::uint64_t first, std::uint64_t second) {
        using Pair = std::uint64_t __attribute__((vector_size(16)));
        const Pair both = {first, second};
        std::memcpy(at, &both, sizeof both);
    }
};
static_assert(offsetof(Slot, block) == 8 && offsetof(Slot, dispatch) == 16 && offsetof(Slot, place) == 24
              && offsetof(Slot, pool) == 28 && offsetof(Slot, flags) == 30 && sizeof(Slot) == 32);

// The address range of a table, with its pages, for the table of the next world; the system may reclaim the pages. A world that
// replaces another then begins without page faults, which would double the time of its first hundred thousand entities
// (bench_spawn: 21 to 47 ns). Outlives the tables that use it; used by one thread at a time.
class SlotMemory {
public:
    SlotMemory() = default;
    ~SlotMemory();
    SlotMemory(const SlotMemory&) = delete;
    SlotMemory& operator=(const SlotMemory&) = delete;

private:
    friend class SlotTable;
    void* m_spare = nullptr;
};

// A small table is copied when it grows. From Reserving slots on it has an address range of its own with room for MaxSlots, whose pages
// are allocated by the first write: nothing is copied any more.
class SlotTable {
public:
    static constexpr std::uint32_t Reserving = 4096;
    static constexpr std::uint32_t MaxSlots = std::uint32_t(1) << 27U; // 4 GiB of addresses

    // memory: null if none is kept.
    explicit SlotTable(std::shared_ptr<SlotMemory> memory = nullptr) : m_memory(std::move(memory)) {}
    ~SlotTable();
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    // Null for a handle that is stale or was never valid.
    [[nodiscard]] Slot* find(EntityId id) const {
        const std::uint32_t index = id.index();
        return index < m_indices.size() && m_slots[index].id == id ? m_slots + index : nullptr;
    }
    // Prefetches the slot, if there is one.
    void prefetch(EntityId id) const {
        if (id.index() < m_indices.size())
            __builtin_prefetch(m_slots + id.index(), 1);
    }
    // Prefetches the slot that is taken after `ahead` others.
    void prefetchBehind(std::uint32_t ahead) const {
        __builtin_prefetch(m_slots + m_indices.size() + ahead, 1);
    }
    [[nodiscard]] Slot& operator[](std::uint32_t index) const { return m_slots[index]; }
    [[nodiscard]] bool alive(std::uint32_t index) const { return m_slots[index].id.index() == index; }
    [[nodiscard]] EntityId idOf(std::uint32_t index) const { return m_slots[index].id; }
    [[nodiscard]] std::uint32_t size() const { return m_indices.size(); }
    [[nodiscard]] std::uint32_t taken() const { return m_indices.taken(); }
    // Bytes written so far in its own address range.
    [[nodiscard]] std::size_t mappedBytes() const;

    // Alive from now on; the rest of its slot is to be written, all of it.
    EntityId take() {
        if (!m_indices.full()) {
            const std::uint32_t index = m_indices.takeFree();
            return EntityId(index, m_slots[index].id.generation());
        }
        if (m_indices.size() == m_capacity) [[unlikely]]
            grow(m_capacity + 1);
        return EntityId(m_indices.takeRow(1), 1);
    }
    // take() without a search and without growing: only while roomBehind().
    EntityId takeBehind() { return EntityId(m_indices.takeRow(1), 1); }
    [[nodiscard]] bool roomBehind() const { return m_indices.full() && m_indices.size() != m_capacity; }
    // No slot is free: what take() gives next follows on.
    [[nodiscard]] bool full() const { return m_indices.full(); }
    // `count` slots that follow one another, as by take(), the first of which it returns. Only while full().
    EntityId takeRow(std::uint32_t count) {
        if (m_capacity - m_indices.size() < count) [[unlikely]]
            grow(m_indices.size() + count);
        return EntityId(m_indices.takeRow(count), 1);
    }
    void give(std::uint32_t index) {
        end(index);
        m_indices.give(index);
    }
    // give() without growing: only if givesFast().
    void giveKnown(std::uint32_t index) {
        end(index);
        m_indices.giveKnown(index);
    }
    [[nodiscard]] bool givesFast(std::uint32_t index) const { return m_indices.hasWordOf(index); }
    void reserve(std::uint32_t more) {
        const std::uint32_t wanted = m_indices.taken() + more;
        if (wanted > m_capacity)
            grow(wanted);
    }

private:
    static constexpr std::uint32_t Nobody = 0xFFFFFFFFU;
    void end(std::uint32_t index) {
        EntityId& id = m_slots[index].id;
        const std::uint32_t next = id.generation() + 1;
        id = EntityId(Nobody, next == 0 ? 1 : next);
    }
    void grow(std::uint32_t atLeast);
    std::shared_ptr<SlotMemory> m_memory;
    Slot* m_slots = nullptr;
    std::uint32_t m_capacity = 0;
    bool m_reserved = false; // has an address range of its own
    IndexPool m_indices;
};

} // namespace sbx
