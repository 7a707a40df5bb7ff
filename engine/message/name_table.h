#pragma once
// Names as small numbers. One thread (the simulation) adds; any thread may read a number it was given. No lock: names live in
// chunks that never move.

#include "engine/core/ids.h"
#include "engine/core/text_hash.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sbx {

class NameTable {
public:
    NameTable();
    ~NameTable();
    NameTable(const NameTable&) = delete;
    NameTable& operator=(const NameTable&) = delete;

    // Simulation thread only. The same text gives the same number.
    NameId intern(std::string_view name);
    // Any thread, for a number that intern() returned before it was handed over.
    [[nodiscard]] const std::string& name(NameId id) const;
    // How many numbers are in use; any thread.
    [[nodiscard]] std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }

private:
    static constexpr std::size_t ChunkSize = 4096;
    static constexpr std::size_t MaxChunks = 4096;
    using Chunk = std::array<std::string, ChunkSize>;
    std::array<std::atomic<Chunk*>, MaxChunks> m_chunks{};
    std::atomic<std::uint32_t> m_size{0};
    TextMap<NameId> m_ids;
};

} // namespace sbx
