#pragma once
// The entities of one type in one world: their blocks in chunks of 64, whose addresses never change, the lowest free place
// taken first. One word a chunk says which of its entities take part in what, so that a message to all of a type walks words,
// not entities. Memory only: construction, destruction and every rule of life are the world's.

#include "engine/entity/entity_type.h"
#include "engine/entity/index_pool.h"

#include <memory>
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
        std::uint32_t owners[ChunkSize] = {}; // slots of the world
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
        // Nobody would notice the beginning, or the end, of such an entity's life.
        [[nodiscard]] bool inBeginning() const { return awake || enable || start || phases; }
        [[nodiscard]] bool inEnd() const { return disable || destroy; }
    };
    [[nodiscard]] const Interest& interest() const { return m_interest; }
    // The type's components, as short as making and destroying one wants them.
    struct Part {
        void (*construct)(std::byte* first, std::size_t stride, std::size_t count, World& world, const EntityId* ids,
                          const void* settings);
        void (*destroy)(std::byte* first, std::size_t stride, std::size_t count);
        std::size_t offset;
        const void* settings;
    };
    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }

    struct Place {
        std::uint32_t number;
        std::byte* block; // without components
    };
    // Live and receiving.
    [[nodiscard]] Place take(std::uint32_t owner) {
        const std::uint32_t place = m_places.take();
        if (place / ChunkSize == m_chunks.size()) [[unlikely]]
            addChunk();
        Chunk& chunk = *m_chunks[place / ChunkSize];
        chunk.live |= bitOf(place);
        chunk.receiving |= bitOf(place);
        chunk.owners[place % ChunkSize] = owner;
        return {place, chunk.blocks + (place % ChunkSize) * m_stride};
    }
    void give(std::uint32_t place) {
        Chunk& chunk = *m_chunks[place / ChunkSize];
        const std::uint64_t others = ~bitOf(place);
        chunk.live &= others;
        chunk.receiving &= others;
        chunk.updating &= others;
        chunk.special &= others;
        m_places.give(place);
    }
    [[nodiscard]] static std::uint64_t bitOf(std::uint32_t place) { return std::uint64_t(1) << (place % ChunkSize); }
    [[nodiscard]] Chunk& chunkOf(std::uint32_t place) { return *m_chunks[place / ChunkSize]; }
    [[nodiscard]] std::size_t chunkCount() const { return m_chunks.size(); }
    [[nodiscard]] Chunk& chunk(std::size_t index) { return *m_chunks[index]; }
    [[nodiscard]] std::size_t stride() const { return m_stride; }
    [[nodiscard]] std::uint32_t size() const { return m_places.taken(); }
    // How many have handlers of their own, kept by the world.
    std::uint32_t specials = 0;

private:
    void addChunk();
    std::shared_ptr<const EntityType> m_type;
    Side m_side;
    DispatchTable m_awake;
    DispatchTable m_asleep;
    Interest m_interest;
    std::vector<Part> m_parts;
    std::size_t m_stride;
    std::size_t m_alignment;
    IndexPool m_places;
    std::vector<Chunk*> m_chunks; // header, then blocks, in one piece of memory
};

} // namespace sbx
