#pragma once
// What stays in memory of records that are kept elsewhere: of each its sequence, its type, and where ticks begin. A byte a record for
// the type, and a few bytes wherever a tick begins or sequences have a gap. Immutable once built; then read from any thread.

#include "engine/message/record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sbx {

class SegmentIndex {
public:
    SegmentIndex() = default;
    // Of the records of these segments, in order: at most 2^32 of one run, with ascending sequences. Any thread.
    explicit SegmentIndex(std::span<const std::shared_ptr<const RecordSegment>> segments);

    [[nodiscard]] std::uint32_t size() const { return m_size; }
    [[nodiscard]] std::uint64_t sequence(std::uint32_t row) const;
    [[nodiscard]] MessageTypeId type(std::uint32_t row) const {
        return m_wideTypes.empty() ? m_types[m_narrowTypes[row]] : m_wideTypes[row];
    }
    // Of a record; the highest of those before it if it lies behind them, as records of several worlds may.
    [[nodiscard]] std::uint64_t tick(std::uint32_t row) const;
    // Nothing: there is none of that sequence.
    [[nodiscard]] std::optional<std::uint32_t> rowOf(std::uint64_t sequence) const;
    // The first at or after the sequence; size() if there is none.
    [[nodiscard]] std::uint32_t rowAtOrAfter(std::uint64_t sequence) const;
    // The first of that tick or later; size() if there is none.
    [[nodiscard]] std::uint32_t rowAtTick(std::uint64_t tick) const;
    // Memory it holds.
    [[nodiscard]] std::size_t bytes() const;

private:
    // From these rows on there are those values, ascending. Offsets from the first value while they fit four bytes.
    class Steps {
    public:
        void add(std::uint32_t row, std::uint64_t value);
        void trim();
        [[nodiscard]] std::size_t size() const { return m_rows.size(); }
        [[nodiscard]] std::uint32_t row(std::size_t step) const { return m_rows[step]; }
        [[nodiscard]] std::uint64_t value(std::size_t step) const {
            return m_wide.empty() ? m_first + m_narrow[step] : m_wide[step];
        }
        // The last that begins at or before the row.
        [[nodiscard]] std::size_t stepOf(std::uint32_t row) const;
        // The first whose value is not below; size() if there is none.
        [[nodiscard]] std::size_t notBelow(std::uint64_t value) const;
        [[nodiscard]] std::size_t bytes() const;

    private:
        std::uint64_t m_first = 0;
        std::vector<std::uint32_t> m_rows;
        std::vector<std::uint32_t> m_narrow;
        std::vector<std::uint64_t> m_wide; // instead of m_narrow
    };

    std::uint32_t m_size = 0;
    Steps m_sequences; // within a step they follow one another
    Steps m_ticks;     // within a step they are the same, or lower
    std::vector<MessageTypeId> m_types;
    std::vector<std::uint8_t> m_narrowTypes; // of each row, its place in m_types
    std::vector<MessageTypeId> m_wideTypes;  // of each row, instead, where there are more than 256 types
};

} // namespace sbx
