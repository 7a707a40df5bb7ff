#pragma once
// The newest records, held by sharing their segments; older ones lie in a temporary file, if the limits allow one (trace_chunks.h). Rows are
// numbered from 0 in the order they arrived and keep their number; the oldest go when the bounds are passed. With a segment of another
// run everything before it goes, because its causes would point into the wrong run. GUI thread.

#include "engine/message/recorder.h"
#include "widgets/trace/trace_chunks.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sbx::ui {

struct TraceLimits {
    static constexpr std::size_t DefaultRecords = 10'000'000;
    static constexpr std::size_t DefaultMemory = std::size_t(256) << 20U;
    static constexpr std::size_t DefaultWaiting = std::size_t(256) << 20U;
    static constexpr std::uint64_t DefaultFile = std::uint64_t(2) << 30U;

    std::size_t records = DefaultRecords; // in memory and in the file
    std::size_t memory = DefaultMemory;   // bytes of records in memory
    std::uint64_t file = 0;               // bytes; 0: no file, what memory does not hold goes
    std::filesystem::path folder = {};    // where the file is made once it is needed
    // Bytes on their way to a disk that is slower than messages come. Twice as much, or as much as `memory` if that is more, is kept
    // beyond `memory` before the oldest go for it.
    std::size_t waiting = DefaultWaiting;

    friend bool operator==(const TraceLimits&, const TraceLimits&) = default;
};

class TraceStore {
public:
    explicit TraceStore(TraceLimits limits = {}) : m_limits(std::move(limits)) {}
    explicit TraceStore(std::size_t maxRecords, std::size_t maxBytes = TraceLimits::DefaultMemory)
        : TraceStore(TraceLimits{maxRecords, maxBytes}) {}

    // In force at once. More room: nothing goes. Less memory: what is beyond it is written, and stays until it has been. Less room in the
    // file: the oldest go. No file any more, or another folder: what lies in the file goes.
    void setLimits(TraceLimits limits);
    [[nodiscard]] const TraceLimits& limits() const { return m_limits; }

    enum class Appended { Continued, NewRun };
    Appended append(std::shared_ptr<const RecordSegment> segment);
    // Row numbers go on; only the records go.
    void clear();

    // Rows [first, end) are held.
    [[nodiscard]] std::uint64_t first() const { return m_first; }
    [[nodiscard]] std::uint64_t end() const { return m_end; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_end - m_first); }
    // Reads the disk if the row is not ready. Good until trim(), or until some hundred other places of the file have been looked at.
    [[nodiscard]] RecordView at(std::uint64_t row) const;
    // Without the disk, as all that follow. The tick of a row that is not ready may be a little too late, where several worlds take turns.
    [[nodiscard]] std::uint64_t sequenceOf(std::uint64_t row) const;
    [[nodiscard]] std::uint64_t tickOf(std::uint64_t row) const;
    [[nodiscard]] MessageTypeId typeOf(std::uint64_t row) const;
    [[nodiscard]] std::optional<std::uint64_t> rowOf(std::uint64_t sequence) const;
    // end() if there is none.
    [[nodiscard]] std::uint64_t rowAtOrAfter(std::uint64_t sequence) const;
    // The first row of that tick or later; end() if there is none.
    [[nodiscard]] std::uint64_t rowAtTick(std::uint64_t tick) const;
    // Wall time from the dispatch of the first record to that of the second, in nanoseconds; none: it was not recorded of both. Reads as at().
    [[nodiscard]] std::optional<double> nsBetween(std::uint64_t first, std::uint64_t second) const;
    // Counts the runs that records have come from, 0 before the first.
    [[nodiscard]] std::uint64_t run() const { return m_run; }
    // Records of this run that went because of the bounds.
    [[nodiscard]] std::uint64_t dropped() const { return m_first - m_begin; }
    // Records handed out so far, by at() and by walking: what work over them is counted by.
    [[nodiscard]] std::uint64_t looks() const { return m_looks; }

    // --- Memory and file

    // Rows from here on never wait for the disk.
    [[nodiscard]] std::uint64_t memoryFirst() const { return m_memoryFirst; }
    // Bytes of the records in memory that never wait for the disk.
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    // Of them, what is on its way to the disk.
    [[nodiscard]] std::size_t writingBytes() const {
        return m_older == nullptr ? 0 : m_older->writingBytes();
    }
    // Bytes beside them: being written, read back, and what is known of rows in the file.
    [[nodiscard]] std::size_t otherBytes() const { return m_older == nullptr ? 0 : m_older->memoryBytes(); }
    [[nodiscard]] std::uint64_t fileBytes() const { return m_older == nullptr ? 0 : m_older->fileBytes(); }
    // What went wrong with the file, in words; empty: nothing yet.
    [[nodiscard]] std::string trouble() const { return m_older == nullptr ? std::string() : m_older->why(); }
    [[nodiscard]] bool isReady(std::uint64_t row) const {
        return row >= m_memoryFirst || m_older->isReady(row);
    }
    // Has a row read that is looked at now: the latest such request goes first.
    void request(std::uint64_t row) const;
    // Has those read that work will come to next: from the row on downward or upward.
    void requestBefore(std::uint64_t row) const;
    void requestAfter(std::uint64_t row) const;
    // Of a row that is not in memory: the first row that is read together with it.
    [[nodiscard]] std::uint64_t chunkBegin(std::uint64_t row) const { return m_older->chunkBegin(row); }
    // Called on another thread when collect() has something new.
    void setWake(std::function<void()> wake);
    // Takes in what was written and read, and has written what waited for that. True: rows have become ready, or the oldest have gone.
    bool collect();
    // Lets go what was read and is not looked at any more.
    void trim() const;
    // Waits until something was written or read, or nothing is to be: for tests.
    void wait() const;

    // Walks rows upward, one step a call, or to any row, cheaper than at().
    class Cursor {
    public:
        Cursor(const TraceStore& store, std::uint64_t row);
        // The row lies in the segment that the cursor stands in: it is ready.
        [[nodiscard]] bool reaches(std::uint64_t row) const {
            const std::uint64_t first = m_row - m_at.offset;
            return m_at.segment != nullptr && row >= first && row - first < m_at.segment->size();
        }
        void moveTo(std::uint64_t row);
        [[nodiscard]] RecordView record() const {
            ++m_store->m_looks;
            return (*m_at.segment)[m_at.offset];
        }
        void next();

    private:
        const TraceStore* m_store;
        std::uint64_t m_row;
        TraceChunks::Found m_at;
    };

private:
    struct Held {
        std::shared_ptr<const RecordSegment> records;
        std::uint64_t first = 0;
    };
    // How far requests go ahead of the work.
    static constexpr std::size_t ChunksAhead = 32;

    [[nodiscard]] std::size_t segmentOf(std::uint64_t row) const;
    [[nodiscard]] TraceChunks::Found find(std::uint64_t row) const;
    enum class Spilled { Yes, Backlog, NoRoom };
    void bound();
    [[nodiscard]] Spilled spill();
    // Bytes in memory that no file holds yet.
    [[nodiscard]] std::size_t unwritten() const { return m_bytes + writingBytes(); }
    bool dropForBacklog();
    void dropFront();
    void followOlder();

    TraceLimits m_limits;
    std::unique_ptr<TraceChunks> m_older; // rows [m_first, m_memoryFirst); null: there never was one
    std::deque<Held> m_segments;          // rows [m_memoryFirst, m_end)
    std::uint64_t m_begin = 0;            // the first of this run
    std::uint64_t m_first = 0;
    std::uint64_t m_memoryFirst = 0;
    std::uint64_t m_end = 0;
    std::uint64_t m_recorded = 0; // the run that the recorder calls it
    std::uint64_t m_run = 0;
    std::size_t m_bytes = 0;
    std::size_t m_carried = 0; // unwritten when memory was lowered, as far as it still is
    std::function<void()> m_wake;
    mutable std::uint64_t m_looks = 0;
};

} // namespace sbx::ui
