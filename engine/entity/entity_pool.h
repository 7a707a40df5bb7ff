#pragma once
// The entities of one type in one world: their blocks in chunks of 64, whose addresses never change, the lowest free place
// taken first. Bit masks for each chunk say which of its entities take part in what, so that a message to all of a type walks masks,
// not entities. Memory only: construction, destruction and every rule of life are the world's.

#include "engine/entity/entity_type.h"
#include "engine/entity/index_pool.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace sbx {

class EntityPool {
public:
    static constexpr std::uint32_t ChunkSize = 64;

    // Bits by place in the chunk.
    struct Chunk {
        std::uint64_t live = 0;
        std::uint64_t receiving = 0; // enabled
        std::uint64_t updating = 0;  // enabled, started and not destroyed: take part in phases
        std::uint64_t special = 0;   // with a dispatch table of their own: handled one by one
        std::byte* blocks = nullptr;
        std::uint32_t owners[ChunkSize]; // by place: slot of the entity, if it is live
    };

    EntityPool(std::shared_ptr<const EntityType> type, Side side);
    ~EntityPool();
    EntityPool(const EntityPool&) = delete;
    EntityPool& operator=(const EntityPool&) = delete;

    [[nodiscard]] const std::shared_ptr<const EntityType>& type() const { return m_type; }
    // Replaces the type by one of the same layout.
    void setType(std::shared_ptr<const EntityType> type);
    // This world's copy of the type's table, in which the recorder may be hooked.
    [[nodiscard]] const DispatchTable::Data& dispatch() const { return m_awake.data(); }
    // The table of disabled entities: only Awake and OnDestroy.
    [[nodiscard]] const DispatchTable::Data& asleep() const { return m_asleep.data(); }
    // Both, for the recorder.
    template <typename Visit> void eachTable(const Visit& visit) {
        visit(m_awake);
        visit(m_asleep);
    }
    // Which lifecycle messages any handler of the type takes.
    struct Interest {
        bool awake = false;
        bool enable = false;
        bool start = false;
        bool phases = false;
        bool disable = false;
        bool destroy = false;
        // Any of those at the beginning, or at the end, of a life. False: they need not be sent at all.
        bool anyAtStart = false;
        bool anyAtEnd = false;
    };
    [[nodiscard]] const Interest& interest() const { return m_interest; }
    // The components of the type: constructors in order, destructors (where there is anything to do) from the last. Each array ends with
    // a step that only returns.
    [[nodiscard]] const ConstructStep* constructSteps() const { return m_constructSteps.data(); }
    [[nodiscard]] const DestroyStep* ends() const { return m_ends.data(); }

    struct Place {
        std::uint32_t number;
        std::byte* block; // without components
    };
    // A free place; it has no owner until join().
    [[nodiscard]] Place take() {
        const std::uint32_t place = m_places.take();
        if (place >= m_room) [[unlikely]]
            addChunk();
        return at(place);
    }
    // take() without a search and without growing: only while roomBehind().
    [[nodiscard]] Place takeBehind() { return at(m_places.takeRow(1)); }
    // No place is free in between, there is room at the end, and new entities need no lifecycle messages: as expectBare() noted.
    [[nodiscard]] bool roomBehind() const { return m_places.full() && m_places.size() < m_bareEnd; }
    void expectBare(bool noOtherInterest) {
        m_bareEnd = noOtherInterest && !m_interest.anyAtStart && m_places.full() ? m_room : 0;
    }
    // How many adjacent places takeRow() can give now, at most `wanted`; 0 while a place in between is free.
    [[nodiscard]] std::size_t rowOf(std::size_t wanted) const {
        return m_places.full() ? std::min<std::size_t>(wanted, ChunkSize - m_places.size() % ChunkSize) : 0;
    }
    // As many places, as by take(); the blocks lie side by side. At most rowOf().
    [[nodiscard]] Place takeRow(std::uint32_t count) {
        const std::uint32_t first = m_places.takeRow(count);
        if (first >= m_room) [[unlikely]]
            addChunk();
        return at(first);
    }
    // From now on the entity occupies the place and receives messages to all.
    void join(std::uint32_t place, std::uint32_t owner) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t bit = bitOf(place);
        chunk.live |= bit;
        chunk.receiving |= bit;
        chunk.owners[place % ChunkSize] = owner;
    }
    // The same for adjacent places of takeRow(), whose owners are adjacent slots.
    void joinRow(std::uint32_t place, std::uint32_t firstOwner, std::size_t count) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t bits = (~std::uint64_t(0) >> (ChunkSize - count)) << (place % ChunkSize);
        chunk.live |= bits;
        chunk.receiving |= bits;
        std::iota(chunk.owners + place % ChunkSize, chunk.owners + place % ChunkSize + count, firstOwner);
    }
    // Prefetches the first cache lines of a block.
    static void prefetch(const std::byte* block) {
        __builtin_prefetch(block, 1);
        __builtin_prefetch(block + 64, 1);
        __builtin_prefetch(block + 128, 1);
        __builtin_prefetch(block + 192, 1);
    }
    // The entity takes part in nothing any more; its place is not free yet.
    void leave(std::uint32_t place) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t others = ~bitOf(place);
        chunk.live &= others;
        chunk.receiving &= others;
        if (((chunk.updating | chunk.special) & ~others) == 0)
            return; // a store less; see Slot::end()
        chunk.updating &= others;
        chunk.special &= others;
    }
    void give(std::uint32_t place) { m_places.give(place); }
    // give() without growing: only if givesFast().
    void giveKnown(std::uint32_t place) { m_places.giveKnown(place); }
    [[nodiscard]] bool givesFast(std::uint32_t place) const { return m_places.hasWordOf(place); }
    [[nodiscard]] static std::uint64_t bitOf(std::uint32_t place) {
        return std::uint64_t(1) << (place % ChunkSize);
    }
    [[nodiscard]] Chunk& chunkOf(std::uint32_t place) { return *m_chunks[place / ChunkSize]; }
    [[nodiscard]] std::size_t chunkCount() const { return m_chunks.size(); }
    [[nodiscard]] Chunk& chunk(std::size_t index) { return *m_chunks[index]; }
    [[nodiscard]] std::size_t stride() const { return m_stride; }
    [[nodiscard]] std::uint32_t size() const { return m_places.taken(); }
    // Kept by the world: how many entities have a table of their own; the index of this pool.
    std::uint32_t specials = 0;
    std::uint16_t number = 0;

private:
    [[nodiscard]] Place at(std::uint32_t place) const {
        return {place, m_chunks[place / ChunkSize]->blocks + (place % ChunkSize) * m_stride};
    }
    void addChunk();
    std::shared_ptr<const EntityType> m_type;
    Side m_side;
    DispatchTable m_awake;
    DispatchTable m_asleep;
    Interest m_interest;
    std::vector<ConstructStep> m_constructSteps;
    std::vector<DestroyStep> m_ends;
    std::size_t m_stride;
    std::size_t m_alignment;
    IndexPool m_places;
    std::uint32_t m_room = 0;     // places in all chunks
    std::uint32_t m_bareEnd = 0;  // see expectBare()
    std::vector<Chunk*> m_chunks; // each: header, then blocks
    // The memory of the chunks, a sixteenth more at a time; and what is left of the last piece.
    std::vector<std::byte*> m_pieces;
    std::byte* m_next = nullptr;
    std::size_t m_unused = 0;
};

} // namespace sbx
