#pragma once
// Which packet last brought the state of what: for unreliable messages of which only the newest matters.

#include "engine/net/sequence.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace sbx::net {

// Purpose: (type, key) to the newest packet number that updated it. Open addressing, at most 2048 entries; entries of packets too
// old to be overtaken by anything still acceptable are forgotten when room is needed.
class LatestTable {
public:
    static constexpr std::size_t Most = 2048;

    // True if packet `number` is newer than what is known of it, which is then replaced. False also when the table is full of
    // live entries: a peer that names so many things at once loses some updates, not memory.
    bool update(std::uint16_t type, std::uint32_t key, std::uint64_t number, std::uint64_t staleBefore) {
        const std::uint64_t name = (static_cast<std::uint64_t>(type) << 32U) | key;
        if ((m_used + 1) * 2 > m_entries.size() && !makeRoom(staleBefore)) {
            // Full: known names still update.
            Entry* known = m_entries.empty() ? nullptr : &slot(name);
            return known != nullptr && known->used && renew(*known, number);
        }
        Entry& entry = slot(name);
        if (!entry.used) {
            entry = {name, number, true};
            ++m_used;
            return true;
        }
        return renew(entry, number);
    }
    [[nodiscard]] std::size_t memory() const {
        return (m_entries.capacity() + m_old.capacity()) * sizeof(Entry);
    }

private:
    struct Entry {
        std::uint64_t name = 0;
        std::uint64_t number = 0;
        bool used = false;
    };
    static bool renew(Entry& entry, std::uint64_t number) {
        if (!before(entry.number, number)) {
            return false;
        }
        entry.number = number;
        return true;
    }
    Entry& slot(std::uint64_t name) {
        const std::size_t mask = m_entries.size() - 1;
        std::size_t at = static_cast<std::size_t>((name * 0x9E3779B97F4A7C15ULL) >> 32U) & mask;
        while (m_entries[at].used && m_entries[at].name != name) {
            at = (at + 1) & mask;
        }
        return m_entries[at];
    }
    // Forgets stale entries, and grows if that was not enough.
    bool makeRoom(std::uint64_t staleBefore) {
        std::size_t live = 0;
        for (const Entry& entry : m_entries) {
            live += entry.used && !before(entry.number, staleBefore) ? 1U : 0U;
        }
        std::size_t size = m_entries.size();
        if (live * 4 >= size) {
            size = size == 0 ? 16 : size * 2;
        }
        if (size > 2 * Most) {
            size = 2 * Most;
            if (live >= Most) {
                return false;
            }
        }
        m_old.swap(m_entries);
        m_entries.assign(size, Entry{});
        m_used = 0;
        for (const Entry& entry : m_old) {
            if (entry.used && !before(entry.number, staleBefore)) {
                slot(entry.name) = entry;
                ++m_used;
            }
        }
        return true;
    }

    std::vector<Entry> m_entries;
    std::vector<Entry> m_old; // for rebuilding without allocating
    std::size_t m_used = 0;
};

} // namespace sbx::net
