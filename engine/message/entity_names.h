#pragma once
// The names of the entities of one world, for records that have only the entity's id. So recording a message needs no look-up of a
// name: the world set it before (Recorder::setEntityName()).
//
// One thread adds, any thread reads what was added before it got the record; no lock, nothing is removed. An entity that
// reuses an index under the same name adds nothing.

#include "engine/core/ids.h"
#include "engine/message/name_table.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>

namespace sbx {

class EntityNames {
public:
    EntityNames() = default;
    ~EntityNames();
    EntityNames(const EntityNames&) = delete;
    EntityNames& operator=(const EntityNames&) = delete;

    // Of entities that follow one another at one index, in that order.
    void add(EntityId entity, NameId name);
    // 0: neither it nor one before it at its index was ever added.
    [[nodiscard]] NameId name(EntityId entity) const;

private:
    // Of the entities at one index, from a generation on.
    struct Entry {
        std::uint32_t from = 0;
        NameId name = 0;
        const Entry* before = nullptr;
        const Entry* farBefore = nullptr; // skip pointer: a generation is found in logarithmic time
        std::uint32_t number = 0;         // number of entries before it
    };
    // Ten, eleven and eleven bits of an index.
    using Leaf = std::array<std::atomic<const Entry*>, 1024>;
    using Branch = std::array<std::atomic<Leaf*>, 2048>;

    std::array<std::atomic<Branch*>, 2048> m_root{};
    std::deque<Entry> m_entries; // stay where they are
};

// By Envelope::world; null: no names were set. A world that replaces another of its name gets new names, in a new array.
using EntityNamesOfWorlds = std::array<std::shared_ptr<EntityNames>, 256>;

} // namespace sbx
