#pragma once
// A set of keys of up to 127 bits, for searches that keep millions of them: sixteen bytes each, and from half as much again to as much twice over that is empty.

#include "engine/core/contracts.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sbx::net {

class SeenKeys {
public:
    // Written field by field; exact, so that two keys are equal only if all fields are.
    struct Key {
        std::array<std::uint64_t, 2> words{};
        unsigned used = 0; // bits
        void put(std::uint64_t value, unsigned bits) {
            SBX_EXPECT(value < std::uint64_t{1} << bits && used + bits < 128, "a key is too small");
            words[used / 64U] |= value << (used % 64U);
            if (used / 64U != (used + bits) / 64U && used % 64U != 0)
                words[1] |= value >> (64U - used % 64U);
            used += bits;
        }
    };

    SeenKeys() : m_slots(1024) {}
    [[nodiscard]] std::size_t size() const { return m_size; }
    // False: it is there already.
    bool insert(const Key& key) {
        const Slot slot = slotOf(key);
        Slot& at = m_slots[find(m_slots, slot)];
        if (at == slot)
            return false;
        at = slot;
        if (++m_size * 3 > m_slots.size() * 2) {
            std::vector<Slot> grown(m_slots.size() * 2);
            for (const Slot& old : m_slots)
                if (old[1] != 0)
                    grown[find(grown, old)] = old;
            m_slots.swap(grown);
        }
        return true;
    }
    [[nodiscard]] bool contains(const Key& key) const {
        const Slot slot = slotOf(key);
        return m_slots[find(m_slots, slot)] == slot;
    }
    template <typename Each> void forEach(Each each) const {
        for (const Slot& slot : m_slots)
            if (slot[1] != 0)
                each(Key{{slot[0], slot[1] & ~Taken}});
    }

private:
    using Slot = std::array<std::uint64_t, 2>;
    static constexpr std::uint64_t Taken = std::uint64_t{1} << 63U;

    static Slot slotOf(const Key& key) { return {key.words[0], key.words[1] | Taken}; }
    // Where it is, or where it belongs.
    static std::size_t find(const std::vector<Slot>& table, const Slot& slot) {
        std::uint64_t hash = (slot[0] ^ slot[1] * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
        hash = (hash ^ hash >> 32U) * 0xD6E8FEB86659FD93U;
        std::size_t at = (hash ^ hash >> 29U) & (table.size() - 1U);
        while (table[at] != slot && table[at][1] != 0)
            at = (at + 1U) & (table.size() - 1U);
        return at;
    }

    std::vector<Slot> m_slots;
    std::size_t m_size = 0;
};

} // namespace sbx::net
