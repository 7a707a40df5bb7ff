#include "engine/message/name_table.h"

#include "engine/core/contracts.h"

namespace sbx {

NameTable::NameTable() { intern(""); }

NameTable::~NameTable() {
    for (auto& chunk : m_chunks)
        delete chunk.load(std::memory_order_relaxed);
}

NameId NameTable::intern(std::string_view name) {
    if (const auto it = m_ids.find(name); it != m_ids.end())
        return it->second;
    const std::uint32_t id = m_size.load(std::memory_order_relaxed);
    const std::size_t chunk = id / ChunkSize;
    SBX_EXPECT(chunk < MaxChunks, "too many names");
    if (id % ChunkSize == 0)
        m_chunks[chunk].store(std::make_unique<Chunk>().release(), std::memory_order_release);
    (*m_chunks[chunk].load(std::memory_order_relaxed))[id % ChunkSize] = std::string(name);
    m_ids.emplace(std::string(name), id);
    m_size.store(id + 1, std::memory_order_release);
    return id;
}

const std::string& NameTable::name(NameId id) const {
    SBX_EXPECT(id < size(), "unknown name id");
    return (*m_chunks[id / ChunkSize].load(std::memory_order_acquire))[id % ChunkSize];
}

} // namespace sbx
