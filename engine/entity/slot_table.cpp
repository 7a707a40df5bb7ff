#include "engine/entity/slot_table.h"

#include "engine/core/contracts.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace sbx {

namespace {
constexpr std::size_t Reserved = std::size_t(SlotTable::MaxSlots) * sizeof(Slot);

// Null where the system gives no address space without memory behind it.
void* stretch() {
    void* const memory =
        ::mmap(nullptr, Reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

std::size_t pagesOf(std::size_t bytes) {
    static const auto Page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (bytes + Page - 1) / Page * Page;
}
} // namespace

SlotMemory::~SlotMemory() {
    if (m_spare != nullptr)
        ::munmap(m_spare, Reserved);
}

SlotTable::~SlotTable() {
    if (!m_reserved)
        std::free(m_slots);
    else if (m_memory != nullptr && m_memory->m_spare == nullptr
             && ::madvise(m_slots, mappedBytes(), MADV_FREE) == 0)
        m_memory->m_spare = m_slots;
    else
        ::munmap(m_slots, Reserved);
}

std::size_t SlotTable::mappedBytes() const {
    return m_reserved ? pagesOf(m_indices.size() * sizeof(Slot)) : 0;
}

void SlotTable::grow(std::uint32_t atLeast) {
    SBX_EXPECT(atLeast > m_capacity && atLeast <= MaxSlots, "more entities than a world can hold");
    if (atLeast > Reserving)
        if (void* const memory = m_memory != nullptr && m_memory->m_spare != nullptr
                                     ? std::exchange(m_memory->m_spare, nullptr)
                                     : stretch()) {
            if (m_slots != nullptr)
                std::memcpy(memory, static_cast<const void*>(m_slots), m_indices.size() * sizeof(Slot));
            std::free(m_slots);
            m_slots = static_cast<Slot*>(memory);
            m_capacity = MaxSlots;
            m_reserved = true;
            return;
        }
    const std::uint32_t step = m_capacity < Reserving ? std::max(64U, m_capacity) : m_capacity / 2;
    const std::uint32_t capacity = std::max(atLeast, m_capacity + step);
    void* const grown = std::realloc(static_cast<void*>(m_slots), capacity * sizeof(Slot));
    SBX_EXPECT(grown != nullptr, "out of memory");
    m_slots = static_cast<Slot*>(grown);
    m_capacity = capacity;
}

} // namespace sbx
