#pragma once
// Hands out small numbers, the lowest free one first: what is made after much was destroyed fills memory in order, and the
// numbers depend on nothing but the history of takes and gives.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sbx {

class IndexPool {
public:
    std::uint32_t take() {
        if (m_free == 0)
            return m_size++;
        while (m_summary[m_hint] == 0)
            ++m_hint;
        const std::size_t word = m_hint * 64 + static_cast<std::size_t>(std::countr_zero(m_summary[m_hint]));
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(m_words[word]));
        m_words[word] &= m_words[word] - 1;
        if (m_words[word] == 0)
            m_summary[m_hint] &= m_summary[m_hint] - 1;
        --m_free;
        return static_cast<std::uint32_t>(word * 64) + bit;
    }
    void give(std::uint32_t index) {
        const std::size_t word = index / 64;
        if (word >= m_words.size()) {
            m_words.resize((m_size + 63) / 64);
            m_summary.resize((m_words.size() + 63) / 64);
        }
        m_words[word] |= std::uint64_t(1) << (index % 64);
        m_summary[word / 64] |= std::uint64_t(1) << (word % 64);
        m_hint = m_free == 0 ? word / 64 : std::min(m_hint, word / 64);
        ++m_free;
    }
    // One more than the greatest number ever taken.
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::uint32_t taken() const { return m_size - m_free; }

private:
    std::vector<std::uint64_t> m_words;   // a bit for each free number
    std::vector<std::uint64_t> m_summary; // a bit for each word with any
    std::size_t m_hint = 0;               // no summary word below has any
    std::uint32_t m_size = 0;
    std::uint32_t m_free = 0;
};

} // namespace sbx
