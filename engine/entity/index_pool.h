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
        return takeFree();
    }
    // None below size() is free: what take() hands out next follows on.
    [[nodiscard]] bool full() const { return m_free == 0; }
    // As many numbers that follow one another, the first of which it returns. Only while full().
    std::uint32_t takeRow(std::uint32_t count) {
        const std::uint32_t first = m_size;
        m_size += count;
        return first;
    }
    // The lowest of the free. Only while not full().
    std::uint32_t takeFree() {
        while (m_summary[m_hint] == 0)
            ++m_hint;
        const std::size_t word = m_hint * 64 + static_cast<std::size_t>(std::countr_zero(m_summary[m_hint]));
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(m_words[word]));
        m_words[word] &= m_words[word] - 1;
        if (m_words[word] == 0)
            m_summary[m_hint] &= m_summary[m_hint] - 1;
        if (--m_free == 0)
            m_hint = Nowhere;
        return static_cast<std::uint32_t>(word * 64) + bit;
    }
    void give(std::uint32_t index) {
        if (!hasWordOf(index)) [[unlikely]]
            grow();
        giveKnown(index);
    }
    // give() without growing: only of what hasWordOf(). As few stores as there can be: each waits in a row behind those to the
    // memory of what has just ended.
    void giveKnown(std::uint32_t index) {
        const std::size_t word = index / 64;
        const std::uint64_t others = m_words[word];
        m_words[word] = others | std::uint64_t(1) << (index % 64);
        ++m_free;
        if (others != 0)
            return;
        m_summary[word / 64] |= std::uint64_t(1) << (word % 64);
        m_hint = std::min(m_hint, word / 64);
    }
    [[nodiscard]] bool hasWordOf(std::uint32_t index) const { return index / 64 < m_wordCount; }
    // One more than the greatest number ever taken.
    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::uint32_t taken() const { return m_size - m_free; }

private:
    static constexpr std::size_t Nowhere = ~std::size_t(0);
    void grow() {
        m_wordCount = (m_size + std::size_t(63)) / 64;
        m_words.resize(m_wordCount);
        m_summary.resize((m_wordCount + 63) / 64);
    }
    std::vector<std::uint64_t> m_words;   // a bit for each free number
    std::vector<std::uint64_t> m_summary; // a bit for each word with any
    std::size_t m_wordCount = 0;
    std::size_t m_hint = Nowhere; // no summary word below has any
    std::uint32_t m_size = 0;
    std::uint32_t m_free = 0;
};

} // namespace sbx
