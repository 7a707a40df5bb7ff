#include "engine/entity/special_tables.h"

#include <utility>

namespace sbx {

void SpecialTables::begin() {
    m_wanted.clear();
    m_words.clear();
}

void SpecialTables::add(const HandlerDescription& handler, std::ptrdiff_t offset, ComponentTypeId component) {
    m_wanted.push_back({&handler, offset, component});
    // Its other functions follow from the first.
    m_words.push_back(reinterpret_cast<std::uintptr_t>(handler.onward));
    m_words.push_back(static_cast<std::uint64_t>(offset));
    m_words.push_back(std::uint64_t(static_cast<std::uint32_t>(handler.priority)) << 32U
                      | std::uint64_t(handler.message) << 16U | component);
}

SpecialTables::Found SpecialTables::find() {
    const auto known = m_tables.find(m_words);
    if (known != m_tables.end()) {
        SpecialTable& table = known->second;
        m_idle -= table.users++ == 0 ? 1U : 0U;
        return {&table, false};
    }
    SpecialTable& made = m_tables.emplace(m_words, SpecialTable()).first->second;
    for (const Wanted& each : m_wanted)
        made.table.add(*each.handler, each.offset, each.component);
    made.table.build();
    made.users = 1;
    return {&made, true};
}

void SpecialTables::give(SpecialTable& table) {
    if (--table.users == 0)
        ++m_idle;
}

void SpecialTables::dropIdle() {
    std::erase_if(m_tables, [](const auto& each) { return each.second.users == 0; });
    m_idle = 0;
}

} // namespace sbx
