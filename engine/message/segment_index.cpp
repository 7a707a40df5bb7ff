#include "engine/message/segment_index.h"

#include "engine/core/contracts.h"

#include <algorithm>
#include <limits>

namespace sbx {

void SegmentIndex::Steps::add(std::uint32_t row, std::uint64_t value) {
    if (m_rows.empty())
        m_first = value;
    m_rows.push_back(row);
    const std::uint64_t offset = value - m_first;
    if (m_wide.empty() && offset <= std::numeric_limits<std::uint32_t>::max()) {
        m_narrow.push_back(static_cast<std::uint32_t>(offset));
        return;
    }
    if (m_wide.empty()) {
        m_wide.reserve(m_rows.size());
        for (const std::uint32_t narrow : m_narrow)
            m_wide.push_back(m_first + narrow);
        m_narrow = {};
    }
    m_wide.push_back(value);
}

void SegmentIndex::Steps::trim() {
    m_rows.shrink_to_fit();
    m_narrow.shrink_to_fit();
    m_wide.shrink_to_fit();
}

std::size_t SegmentIndex::Steps::stepOf(std::uint32_t row) const {
    return static_cast<std::size_t>(std::upper_bound(m_rows.begin(), m_rows.end(), row) - m_rows.begin()) - 1;
}

std::size_t SegmentIndex::Steps::notBelow(std::uint64_t value) const {
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (this->value(middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::size_t SegmentIndex::Steps::bytes() const {
    return (m_rows.capacity() + m_narrow.capacity()) * sizeof(std::uint32_t)
           + m_wide.capacity() * sizeof(std::uint64_t);
}

SegmentIndex::SegmentIndex(std::span<const std::shared_ptr<const RecordSegment>> segments) {
    std::size_t count = 0;
    for (const auto& segment : segments)
        count += segment->size();
    SBX_EXPECT(count <= std::numeric_limits<std::uint32_t>::max(), "more records than an index counts");
    m_narrowTypes.reserve(count);
    std::uint64_t next = 0; // the sequence that leaves no gap
    std::uint64_t tick = 0;
    std::size_t last = 0; // place of the type before: types come in runs
    for (const auto& segment : segments) {
        segment->forEach([&](const RecordView& record) {
            if (m_size == 0 || record.sequence() != next)
                m_sequences.add(m_size, record.sequence());
            next = record.sequence() + 1;
            if (m_size == 0 || record.tick() > tick) {
                tick = record.tick();
                m_ticks.add(m_size, tick);
            }
            if (m_types.empty() || m_types[last] != record.type()) {
                const auto known = std::find(m_types.begin(), m_types.end(), record.type());
                last = static_cast<std::size_t>(known - m_types.begin());
                if (known == m_types.end())
                    m_types.push_back(record.type());
            }
            if (m_wideTypes.empty() && last > std::numeric_limits<std::uint8_t>::max()) {
                m_wideTypes.reserve(count);
                for (const std::uint8_t narrow : m_narrowTypes)
                    m_wideTypes.push_back(m_types[narrow]);
                m_narrowTypes = {};
            }
            if (m_wideTypes.empty())
                m_narrowTypes.push_back(static_cast<std::uint8_t>(last));
            else
                m_wideTypes.push_back(record.type());
            ++m_size;
        });
    }
    m_sequences.trim();
    m_ticks.trim();
    m_types.shrink_to_fit();
}

std::uint64_t SegmentIndex::sequence(std::uint32_t row) const {
    const std::size_t step = m_sequences.stepOf(row);
    return m_sequences.value(step) + (row - m_sequences.row(step));
}

std::uint64_t SegmentIndex::tick(std::uint32_t row) const { return m_ticks.value(m_ticks.stepOf(row)); }

std::uint32_t SegmentIndex::rowAtOrAfter(std::uint64_t sequence) const {
    const std::size_t after = m_sequences.notBelow(sequence);
    const std::uint32_t next = after == m_sequences.size() ? m_size : m_sequences.row(after);
    if (after == 0)
        return next;
    // Within the step before, or where that ends.
    const std::uint64_t row = m_sequences.row(after - 1) + (sequence - m_sequences.value(after - 1));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(row, next));
}

std::optional<std::uint32_t> SegmentIndex::rowOf(std::uint64_t sequence) const {
    const std::uint32_t row = rowAtOrAfter(sequence);
    return row < m_size && this->sequence(row) == sequence ? std::optional(row) : std::nullopt;
}

std::uint32_t SegmentIndex::rowAtTick(std::uint64_t tick) const {
    const std::size_t step = m_ticks.notBelow(tick);
    return step == m_ticks.size() ? m_size : m_ticks.row(step);
}

std::size_t SegmentIndex::bytes() const {
    return sizeof *this + m_sequences.bytes() + m_ticks.bytes() + m_types.capacity() * sizeof(MessageTypeId)
           + m_narrowTypes.capacity() + m_wideTypes.capacity() * sizeof(MessageTypeId);
}

} // namespace sbx
