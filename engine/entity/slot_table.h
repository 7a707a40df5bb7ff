#pragma once
// The dense table behind entity handles. All that a send needs of an entity stands in 32 bytes at its index.

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
    SlotAwake = 32,        // was told Awake
    SlotActive = 64,       // was told OnEnable, and not OnDisable since
    SlotStarted = 128,     // was told Start
    SlotAwaitsStart = 256, // stands on the list of those
    SlotDying = 512,       // goes at the end of the tick
    SlotBuilding = 1024,   // its components are being built: it hears nothing, and does not go, until all are
    SlotPinned = 2048,     // one of its components is: it does not go until it is there
    SlotNotifying = 4096,  // is being told something of its life; see World::live()
    SlotEnded = 8192,      // was told OnDestroy
    SlotEnding = 16384,    // its components end: it hears nothing any more
    SlotReloading =
        32768, // its components are being exchanged: they are not added to, removed or switched meanwhile
};

// What was sent to an entity or component of its lifecycle messages; see life_step.h.
inline constexpr unsigned LifeFlags = SlotAwake | SlotActive | SlotStarted | SlotEnded;

struct Slot {
    EntityId
        id; // a free slot keeps the generation of its next entity, under an index that nobody has; the rest is stale
    std::byte* block = nullptr;
    const DispatchTable::Data* dispatch = nullptr;
    std::uint32_t place = 0; // of the block in its pool
    std::uint16_t pool = 0;
    std::uint16_t flags = 0;

    [[nodiscard]] bool has(unsigned flag) const { return (flags & flag) != 0; }
    void set(unsigned flag) { flags = static_cast<std::uint16_t>(flags | flag); }
    void clear(unsigned flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }
    // All write two words at once: what an entity costs that comes or goes is, before all, how many stores it is, which wait in
    // a row for memory. It hears nothing until finish().
    void begin(EntityId itsId, std::byte* itsBlock, std::uint64_t rest) {
        write(&id, itsId.bits, reinterpret_cast<std::uintptr_t>(itsBlock));
        write(&dispatch, reinterpret_cast<std::uintptr_t>(&DispatchTable::Nothing), rest | Building);
    }
    // It is built, and hears by `itsDispatch`. False, and nothing is done: it has become more than what it began as.
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
    // It is going, and was told all it wants to know.
    void dieSilently() { flags = static_cast<std::uint16_t>((flags & ~SlotActive) | SlotDying | SlotEnded); }
    // It goes, and hears nothing from now on.
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

// The stretch of address space that a table was in and the next may have, with its pages, which the system takes when it needs
// them: a world that takes the place of another does not begin with page faults, which would double what its first hundred
// thousand entities take (bench_spawn: 21 to 47 ns). Outlives the tables that are given it; each is used by one thread at a time.
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

// A small one is copied as it grows. From Reserving slots on it lies in address space of its own, where there is room for all
// there may ever be and pages come with the first write: nothing is copied any more.
class SlotTable {
public:
    static constexpr std::uint32_t Reserving = 4096;
    static constexpr std::uint32_t MaxSlots = std::uint32_t(1) << 27U; // 4 GiB of addresses

    // memory: null if none is kept.
    explicit SlotTable(std::shared_ptr<SlotMemory> memory = nullptr) : m_memory(std::move(memory)) {}
    ~SlotTable();
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    // Null for what has gone or never was.
    [[nodiscard]] Slot* find(EntityId id) const {
        const std::uint32_t index = id.index();
        return index < m_indices.size() && m_slots[index].id == id ? m_slots + index : nullptr;
    }
    // Has the slot come, if there is one.
    void prefetch(EntityId id) const {
        if (id.index() < m_indices.size())
            __builtin_prefetch(m_slots + id.index(), 1);
    }
    // Has those come that are taken next but `ahead`.
    void prefetchBehind(std::uint32_t ahead) const {
        __builtin_prefetch(m_slots + m_indices.size() + ahead, 1);
    }
    [[nodiscard]] Slot& operator[](std::uint32_t index) const { return m_slots[index]; }
    [[nodiscard]] bool alive(std::uint32_t index) const { return m_slots[index].id.index() == index; }
    [[nodiscard]] EntityId idOf(std::uint32_t index) const { return m_slots[index].id; }
    [[nodiscard]] std::uint32_t size() const { return m_indices.size(); }
    [[nodiscard]] std::uint32_t taken() const { return m_indices.taken(); }
    // Written to in address space of its own.
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
    bool m_reserved = false; // in address space of its own
    IndexPool m_indices;
};

} // namespace sbx
