#pragma once
// Keeps segments in a temporary file, and reads them back, on a thread of its own. A few segments together are a chunk, at a place in the
// file that the owner chooses.
//
//     owner --write, read--> queue --> thread: file --> results --wake--> owner: collect()
//
// The file has no name: it takes no room after the process has ended, however that ended, and nobody else can open it. What is read is
// compared with a checksum. Its bytes mean something in this process alone. One owner's thread; the wake function is called on the
// spill's own thread.

#include "engine/core/result.h"
#include "engine/message/record.h"
#include "engine/message/segment_index.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sbx {

class SegmentSpill {
public:
    using ChunkId = std::uint64_t;
    using Segments = std::vector<std::shared_ptr<const RecordSegment>>;

    struct Place {
        std::uint64_t offset = 0; // in the file
        std::uint64_t bytes = 0;
        std::uint64_t checksum = 0;
    };
    struct Done {
        enum class What { Written, NotWritten, Read, NotRead, Dismissed };
        What what = What::Written;
        ChunkId chunk = 0;
        Place place;        // of what was to be written
        SegmentIndex index; // of what was written
        Segments segments;  // that were read
        std::string reason; // why not
    };
    // At most so many urgent reads wait; an earlier one is dismissed for the next.
    static constexpr std::size_t MaxUrgent = 8;

    // A file in that folder, which is made if it is missing. The error says what the system said.
    [[nodiscard]] static Result<std::unique_ptr<SegmentSpill>> create(const std::filesystem::path& folder);
    // Waits for what the thread is at; what is still queued is not done.
    ~SegmentSpill();
    SegmentSpill(const SegmentSpill&) = delete;
    SegmentSpill& operator=(const SegmentSpill&) = delete;

    // Called whenever there are new results. Must not call back.
    void setWake(std::function<void()> wake);

    // Bytes that a chunk of these takes in the file.
    [[nodiscard]] static std::uint64_t bytesOf(const Segments& segments);
    // Queued behind what is to be written already; reads go before.
    void write(ChunkId chunk, Segments segments, std::uint64_t offset);
    // Takes back what is still queued to be written, of chunks up to that one. Of what the thread is at a result may still come.
    void forgetWrites(ChunkId last);
    // Gives the room in the file beyond that many bytes back to the system, before anything that is queued from now on.
    void cut(std::uint64_t bytes);
    // Of a chunk that was written. An urgent one goes before all others.
    void read(ChunkId chunk, const Place& place, bool urgent);
    // The same on the calling thread, at once. The error says what the system said, or that memory did not suffice.
    [[nodiscard]] Result<Segments> readNow(const Place& place) const;
    // Appends what has been done since the last call, in that order.
    void collect(std::vector<Done>& out);
    // Returns once there is a result, or nothing is left to do.
    void wait();
    // Forgets everything and gives the room in the file back to the system. Of what the thread is at a result may still come.
    void clear();

private:
    struct Job {
        ChunkId chunk = 0;
        bool isWrite = false;
        Segments segments;
        Place place;
    };
    // Which tables of names and handlers a segment needs.
    using Tables = std::pair<std::shared_ptr<const ShapeNames>, std::shared_ptr<const EntityNamesOfWorlds>>;

    explicit SegmentSpill(int file);
    void run();
    [[nodiscard]] Done perform(Job& job);
    [[nodiscard]] Done written(Job& job);
    [[nodiscard]] Result<Segments> readBack(const Place& place) const;
    [[nodiscard]] std::uint32_t tablesOf(const std::shared_ptr<const ShapeNames>& shapes,
                                         const std::shared_ptr<const EntityNamesOfWorlds>& names);
    [[nodiscard]] bool hasJob() const { return !m_urgent.empty() || !m_reads.empty() || !m_writes.empty(); }

    int m_file;
    mutable std::mutex m_mutex; // of all below
    std::condition_variable m_jobs;
    std::condition_variable m_results;
    std::deque<Job> m_urgent; // the newest first
    std::deque<Job> m_reads;
    std::deque<Job> m_writes;
    std::vector<Done> m_done;
    std::vector<Tables> m_tables;
    std::function<void()> m_wake;
    bool m_busy = false;
    bool m_readLast = false;            // reads that are not urgent and writes take turns
    bool m_clear = false;               // before the next job
    std::optional<std::uint64_t> m_cut; // bytes; before the next job
    bool m_stop = false;
    std::vector<std::byte> m_image; // of the thread alone
    std::thread m_thread;
};

} // namespace sbx
