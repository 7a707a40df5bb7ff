#pragma once
// The older records of a TraceStore, in a temporary file: rows [first, end), in chunks of some thousands. Of each chunk an index stays in
// memory, so that sequences, ticks and types are known without the disk; its records are read back when they are asked for.
//
//     add(segments) --written--> on the disk --request(), or find() at once--> loaded --trim()--> on the disk
//
// The file is written round and round: where it is full, the oldest chunks go. After a write that failed only what lies before its place is
// used, until the limit is set anew. Chunks that cannot be read go too, with all that is older, and their rows show no contents until then.
// GUI thread.

#include "engine/message/segment_spill.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sbx::ui {

class TraceChunks {
public:
    using Segments = SegmentSpill::Segments;

    // Chunks that stay in memory after they were read, at least; four times as many never do. About 25 MiB.
    static constexpr std::size_t MaxLoaded = 96;

    // Of a file of at most that many bytes in that folder.
    TraceChunks(std::filesystem::path folder, std::uint64_t maxBytes)
        : m_folder(std::move(folder)), m_limit(maxBytes) {}
    // Called on another thread when collect() has something new.
    void setWake(std::function<void()> wake);

    // From now on at most that many bytes. More: nothing goes, and what failed before is tried again. Less: the oldest go until the rest
    // suffices; the file itself becomes shorter once nothing lies at its end any more.
    void setLimit(std::uint64_t maxBytes);

    // Takes segments over, of rows from `first` on, which is end() unless isEmpty(). False: there is no room for them at all, or no
    // file can be made; why() says what is wrong.
    [[nodiscard]] bool add(Segments segments, std::uint64_t first);
    // Takes in what was written and read since. True: rows were read, or have gone.
    bool collect();
    // Lets go what was read and is not needed any more. No record found before may be used after it.
    void trim();
    // All rows before that one; its chunk stays whole.
    void dropBefore(std::uint64_t row);
    void dropOldest();
    // The owner has to let rows go because the disk takes them too slowly: why() says so.
    void tellTooSlow();
    void clear();

    [[nodiscard]] bool isEmpty() const { return m_chunks.empty(); }
    [[nodiscard]] std::uint64_t first() const { return m_chunks.front().first; }
    [[nodiscard]] std::uint64_t end() const { return m_chunks.back().first + m_chunks.back().count; }
    [[nodiscard]] std::uint64_t firstSequence() const { return m_chunks.front().firstSequence; }
    // Its records are in memory.
    [[nodiscard]] bool isReady(std::uint64_t row) const { return !chunkOf(row).segments.empty(); }
    // Has them read unless they are, or are on their way. An urgent request goes before others, and may be dismissed for eight later ones.
    void request(std::uint64_t row, bool urgent);
    // The chunks at and before that row that are not ready, at most `count`; or at and after it.
    void requestBefore(std::uint64_t row, std::size_t count);
    void requestAfter(std::uint64_t row, std::size_t count);
    // The first row of the row's chunk.
    [[nodiscard]] std::uint64_t chunkBegin(std::uint64_t row) const { return chunkOf(row).first; }

    struct Found {
        const RecordSegment* segment = nullptr;
        std::size_t offset = 0; // of the record in it
    };
    // Reads the disk if the row is not ready. Good until trim(), or until MaxLoaded * 3 other chunks have been found.
    [[nodiscard]] Found find(std::uint64_t row);
    // Without the disk. The tick is that of the record, or a little later: see SegmentIndex::tick().
    [[nodiscard]] std::uint64_t sequenceOf(std::uint64_t row) const;
    [[nodiscard]] std::uint64_t tickOf(std::uint64_t row) const;
    [[nodiscard]] MessageTypeId typeOf(std::uint64_t row) const;
    // end() if there is none.
    [[nodiscard]] std::uint64_t rowAtOrAfter(std::uint64_t sequence) const;
    [[nodiscard]] std::uint64_t rowAtTick(std::uint64_t tick) const;

    // Waits until something was written or read, or nothing is to be.
    void wait();
    // Bytes of what is being written, of what was read, and of all indices.
    [[nodiscard]] std::size_t writingBytes() const { return m_writing; }
    [[nodiscard]] std::size_t memoryBytes() const;
    [[nodiscard]] std::uint64_t fileBytes() const;
    // What went wrong with the file, in words; empty: nothing yet.
    [[nodiscard]] const std::string& why() const { return m_why; }

private:
    struct Chunk {
        std::uint64_t first = 0; // row
        std::uint32_t count = 0;
        std::uint64_t firstSequence = 0;
        std::uint64_t firstTick = 0;
        bool written = false;
        bool requested = false;
        bool lost = false; // the segments hold no contents
        SegmentSpill::Place place;
        SegmentIndex index;                // once written
        Segments segments;                 // while they are in memory
        std::vector<std::uint32_t> begins; // of each segment, the row in the chunk
        std::uint64_t used = 0;            // when it was looked into
    };
    [[nodiscard]] std::size_t numberOf(std::uint64_t row) const;
    [[nodiscard]] const Chunk& chunkOf(std::uint64_t row) const { return m_chunks[numberOf(row)]; }
    [[nodiscard]] bool open();
    // A place for that many bytes of that chunk; the oldest go for it, perhaps the chunk itself. None: there is no room.
    [[nodiscard]] std::optional<std::uint64_t> allocate(SegmentSpill::ChunkId id, std::uint64_t bytes);
    [[nodiscard]] bool isFree(std::uint64_t begin, std::uint64_t end) const;
    [[nodiscard]] std::optional<std::uint64_t> gapOf(std::uint64_t bytes) const;
    [[nodiscard]] std::uint64_t placesEnd() const;
    void cutFile();
    void dropThrough(std::size_t number);
    void place(std::size_t number);
    void take(SegmentSpill::Done& done, bool& changed);
    void load(Chunk& chunk, Segments segments);
    void loadNow(Chunk& chunk);
    void lose(Chunk& chunk, const std::string& reason);
    void release(Chunk& chunk);
    void releaseBeyond(std::size_t count);
    void request(Chunk& chunk, bool urgent);
    [[nodiscard]] Found within(const Chunk& chunk, std::uint32_t row) const;
    [[nodiscard]] RecordView record(const Chunk& chunk, std::uint32_t row) const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;                 // bytes of the file
    std::uint64_t m_at = 0;                // where the next chunk goes in it
    std::uint64_t m_fileEnd = 0;           // nothing was placed beyond it
    std::unique_ptr<SegmentSpill> m_spill; // null: not needed yet, or it cannot be made
    std::function<void()> m_wake;
    std::deque<Chunk> m_chunks;          // the oldest first; the number of the first one is m_firstId
    mutable std::size_t m_lastFound = 0; // of numberOf(): as a rule the next row lies there, too
    SegmentSpill::ChunkId m_firstId = 1;
    std::size_t m_writing = 0;
    std::size_t m_loaded = 0; // chunks that were read
    std::size_t m_indexBytes = 0;
    std::uint64_t m_clock = 0;
    std::string m_why;
    bool m_lostSome = false;
    std::vector<SegmentSpill::Done> m_done;
};

} // namespace sbx::ui
