#pragma once
// The dispatch tables of entities whose components differ from their type's. Entities that
// differ in the same way share one. An unused table is kept for a while, so that a component that is enabled and disabled every tick
// does not rebuild it. The key of a table is its handlers, each with its offset, priority and component. One object for each world;
// simulation thread.

#include "engine/message/dispatch_table.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sbx {

struct SpecialTable {
    DispatchTable table;
    std::uint32_t users = 0;
};

class SpecialTables {
public:
    // Begins a request for a table; add() names its handlers in file order, as DispatchTable::add(). `handler` must stay valid
    // until take().
    void begin();
    void add(const HandlerDescription& handler, std::ptrdiff_t offset, ComponentTypeId component);
    // That table, used once more, for as long as until give(). A new one is shown to `built(DispatchTable&)` first.
    template <typename Built> SpecialTable& take(const Built& built) {
        const auto [table, isNew] = find();
        if (isNew)
            built(table->table);
        return *table;
    }
    // Used once less. It stays where it is until dropIdle().
    void give(SpecialTable& table);
    // More lie idle than are worth their memory: a few kilobytes each.
    [[nodiscard]] bool crowded() const { return m_idle > Kept + 2 * (m_tables.size() - m_idle); }
    // While no dispatch is under way.
    void dropIdle();
    // All there are, also those that lie idle.
    template <typename Visit> void eachTable(const Visit& visit) {
        for (auto& [key, special] : m_tables)
            visit(special.table);
    }
    [[nodiscard]] std::size_t size() const { return m_tables.size(); }

private:
    static constexpr std::size_t Kept = 256;
    // Three for each handler.
    using Words = std::vector<std::uint64_t>;
    struct Hash {
        std::size_t operator()(const Words& words) const {
            return std::hash<std::string_view>()(
                {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])});
        }
    };
    struct Found {
        SpecialTable* table;
        bool isNew;
    };
    Found find();

    struct Wanted {
        const HandlerDescription* handler;
        std::ptrdiff_t offset;
        ComponentTypeId component;
    };
    std::vector<Wanted> m_wanted;
    Words m_words; // of them
    std::unordered_map<Words, SpecialTable, Hash> m_tables;
    std::size_t m_idle = 0;
};

} // namespace sbx
