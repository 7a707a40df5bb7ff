#pragma once
// What only some entities have: rows on demand, by slot. An entity without a row costs four bytes once any entity with a
// higher slot has one, and nothing before. Rows never move.

#include <cstdint>
#include <deque>
#include <vector>

namespace sbx {

template <typename Row> class SideTable {
public:
    [[nodiscard]] Row* find(std::uint32_t slot) {
        return slot < m_rowOf.size() && m_rowOf[slot] != 0 ? &m_rows[m_rowOf[slot] - 1] : nullptr;
    }
    [[nodiscard]] const Row* find(std::uint32_t slot) const { return const_cast<SideTable*>(this)->find(slot); }
    Row& get(std::uint32_t slot) {
        if (slot >= m_rowOf.size())
            m_rowOf.resize(slot + std::size_t(1), 0);
        if (m_rowOf[slot] == 0) {
            if (m_free.empty()) {
                m_rows.emplace_back();
                m_rowOf[slot] = static_cast<std::uint32_t>(m_rows.size());
            } else {
                m_rowOf[slot] = m_free.back();
                m_free.pop_back();
            }
        }
        return m_rows[m_rowOf[slot] - 1];
    }
    void erase(std::uint32_t slot) {
        if (slot >= m_rowOf.size() || m_rowOf[slot] == 0)
            return;
        m_rows[m_rowOf[slot] - 1] = Row();
        m_free.push_back(m_rowOf[slot]);
        m_rowOf[slot] = 0;
    }

private:
    std::vector<std::uint32_t> m_rowOf; // by slot: row + 1; 0: none
    std::deque<Row> m_rows;
    std::vector<std::uint32_t> m_free; // row + 1
};

} // namespace sbx
