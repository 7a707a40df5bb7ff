#pragma once
// The entities of one type in one world: their blocks in chunks of 64, whose addresses never change, the lowest free place
// taken first. One word a chunk says which of its entities take part in what, so that a message to all of a type walks words,
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
        std::uint64_t updating = 0;  // enabled, started and not about to go: take part in phases
        std::uint64_t special = 0;   // with handlers of their own: asked one by one
        std::byte* blocks = nullptr;
        std::uint32_t owners[ChunkSize]; // slots of the world, of those that live
    };

    EntityPool(std::shared_ptr<const EntityType> type, Side side);
    ~EntityPool();
    EntityPool(const EntityPool&) = delete;
    EntityPool& operator=(const EntityPool&) = delete;

    [[nodiscard]] const std::shared_ptr<const EntityType>& type() const { return m_type; }
    // A type of the same layout takes the place of the one it has.
    void setType(std::shared_ptr<const EntityType> type);
    // The type's table, of this world's own: a recorder may stand in it.
    [[nodiscard]] const DispatchTable::Data& dispatch() const { return m_awake.data(); }
    // Of entities that are disabled: what the world itself says to them, and nothing else.
    [[nodiscard]] const DispatchTable::Data& asleep() const { return m_asleep.data(); }
    // Both, for the recorder.
    template <typename Visit> void eachTable(const Visit& visit) {
        visit(m_awake);
        visit(m_asleep);
    }
    // Whether any handler of the type wants to know of these.
    struct Interest {
        bool awake = false;
        bool enable = false;
        bool start = false;
        bool phases = false;
        bool disable = false;
        bool destroy = false;
        // Else nobody would notice the beginning, or the end, of such an entity's life.
        bool anyAtStart = false;
        bool anyAtEnd = false;
    };
    [[nodiscard]] const Interest& interest() const { return m_interest; }
    // The type's components: in their order, and those for which anything is to do from the last. Each ends with one that ends
    // the way through them.
    [[nodiscard]] const ConstructStep* constructSteps() const { return m_constructSteps.data(); }
    [[nodiscard]] const DestroyStep* ends() const { return m_ends.data(); }

    struct Place {
        std::uint32_t number;
        std::byte* block; // without components
    };
    // Nobody's until join().
    [[nodiscard]] Place take() {
        const std::uint32_t place = m_places.take();
        if (place >= m_room) [[unlikely]]
            addChunk();
        return at(place);
    }
    // take() without a search and without growing: only while roomBehind().
    [[nodiscard]] Place takeBehind() { return at(m_places.takeRow(1)); }
    // There is, and an entity that is made has begun already: said by expectBare(), until it may be otherwise.
    [[nodiscard]] bool roomBehind() const { return m_places.full() && m_places.size() < m_bareEnd; }
    void expectBare(bool nobodyElseWantsToKnow) {
        m_bareEnd = nobodyElseWantsToKnow && !m_interest.anyAtStart && m_places.full() ? m_room : 0;
    }
    // How many places side by side takeRow() can give now, at most `wanted`; 0 while any place is free.
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
    // From now on it lives there, and hears what goes to all.
    void join(std::uint32_t place, std::uint32_t owner) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t bit = bitOf(place);
        chunk.live |= bit;
        chunk.receiving |= bit;
        chunk.owners[place % ChunkSize] = owner;
    }
    // The same of many side by side, as by takeRow(), whose owners follow one another.
    void joinRow(std::uint32_t place, std::uint32_t firstOwner, std::size_t count) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t bits = (~std::uint64_t(0) >> (ChunkSize - count)) << (place % ChunkSize);
        chunk.live |= bits;
        chunk.receiving |= bits;
        std::iota(chunk.owners + place % ChunkSize, chunk.owners + place % ChunkSize + count, firstOwner);
    }
    // Has a block's first lines come.
    static void prefetch(const std::byte* block) {
        __builtin_prefetch(block, 1);
        __builtin_prefetch(block + 64, 1);
        __builtin_prefetch(block + 128, 1);
        __builtin_prefetch(block + 192, 1);
    }
    // Takes no part in anything any more; its place is not free yet.
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
    // Kept by the world: how many have handlers of their own; where it stands among its pools.
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
