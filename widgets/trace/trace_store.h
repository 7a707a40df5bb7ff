#pragma once
// The newest records, held by sharing their segments. Rows are numbered from 0 in the order they arrived and
// keep their number; the oldest segments go when the bounds are passed. With a segment of another run everything before it goes,
// because its causes would point into the wrong run. GUI thread.

#include "engine/message/recorder.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

namespace sbx::ui {

class TraceStore {
public:
    static constexpr std::size_t DefaultRecords = 1000000;
    static constexpr std::size_t DefaultBytes = std::size_t(256) << 20U;

    explicit TraceStore(std::size_t maxRecords = DefaultRecords, std::size_t maxBytes = DefaultBytes)
        : m_maxRecords(maxRecords), m_maxBytes(maxBytes) {}

    enum class Appended { Continued, NewRun };
    Appended append(std::shared_ptr<const RecordSegment> segment);
    // Row numbers go on; only the records go.
    void clear();

    // Rows [first, end) are held.
    [[nodiscard]] std::uint64_t first() const { return m_first; }
    [[nodiscard]] std::uint64_t end() const { return m_end; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_end - m_first); }
    [[nodiscard]] RecordView at(std::uint64_t row) const;
    [[nodiscard]] std::optional<std::uint64_t> rowOf(std::uint64_t sequence) const;
    // Wall time from the dispatch of the first record to that of the second, in nanoseconds; none: it was not recorded of both.
    [[nodiscard]] std::optional<double> nsBetween(std::uint64_t first, std::uint64_t second) const;
    // The first row of that tick or later; end() if there is none.
    [[nodiscard]] std::uint64_t rowAtTick(std::uint64_t tick) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    // Counts the runs that records have come from, 0 before the first.
    [[nodiscard]] std::uint64_t run() const { return m_run; }
    // Records of this run that went because of the bounds.
    [[nodiscard]] std::uint64_t dropped() const { return m_dropped; }
    [[nodiscard]] std::size_t maxRecords() const { return m_maxRecords; }
    // Records handed out so far, by at() and by walking: what work over them is counted by.
    [[nodiscard]] std::uint64_t looks() const { return m_looks; }

    // Walks rows upward, one step a call, cheaper than at().
    class Cursor {
    public:
        Cursor(const TraceStore& store, std::uint64_t row);
        [[nodiscard]] RecordView record() const {
            ++m_store->m_looks;
            return (*m_store->m_segments[m_segment].records)[m_offset];
        }
        void next();

    private:
        const TraceStore* m_store;
        std::size_t m_segment = 0;
        std::size_t m_offset = 0;
    };

private:
    struct Held {
        std::shared_ptr<const RecordSegment> records;
        std::uint64_t first = 0;
    };
    [[nodiscard]] std::size_t segmentOf(std::uint64_t row) const;
    void dropFront();

    std::deque<Held> m_segments;
    std::size_t m_maxRecords;
    std::size_t m_maxBytes;
    std::uint64_t m_first = 0;
    std::uint64_t m_end = 0;
    std::uint64_t m_recorded = 0; // the run that the recorder calls it
    std::uint64_t m_run = 0;
    std::size_t m_bytes = 0;
    std::uint64_t m_dropped = 0;
    mutable std::uint64_t m_looks = 0;
};

} // namespace sbx::ui
