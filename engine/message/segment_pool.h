#pragma once
// A pool of record segments. The simulation takes them; the thread that drops the last reference to one
// puts it back, over a lock-free stack that the simulation empties as a whole. It exists until the recorder and the last segment
// are destroyed.

#include "engine/message/record.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace sbx {

// What a segment is made of, so that it can be kept elsewhere than in its own memory.
struct SegmentParts {
    std::span<const std::byte> records; // whole records, a multiple of record::Alignment
    std::uint64_t firstSequence = 0;
    std::uint64_t firstTick = 0;
    std::uint64_t firstStamp = 0;
    std::uint64_t run = 0;
    double nsPerTick = 1.0;
    std::shared_ptr<const ShapeNames> shapes;
    std::shared_ptr<const EntityNamesOfWorlds> entityNames;
};

// Stands for a record whose contents are lost.
struct LostRecord {
    std::uint64_t sequence = 0;
    std::uint64_t tick = 0;
    MessageTypeId type = 0;
};

class SegmentPool : public std::enable_shared_from_this<SegmentPool> {
public:
    // Idle memory beyond this is returned to the system.
    static constexpr std::size_t MaxIdleBytes = std::size_t(32) << 20U;

    SegmentPool() = default;
    ~SegmentPool();
    SegmentPool(const SegmentPool&) = delete;
    SegmentPool& operator=(const SegmentPool&) = delete;

    // Simulation thread. An empty segment; one that is far too large for `expected` bytes is cut down.
    [[nodiscard]] std::unique_ptr<RecordSegment> take(std::size_t expected);
    // Simulation thread. The segment returns to the pool when its last reference is dropped.
    [[nodiscard]] static std::shared_ptr<const RecordSegment> share(const std::shared_ptr<SegmentPool>& pool,
                                                                    std::unique_ptr<RecordSegment> segment);
    // Any thread.
    static void giveBack(RecordSegment* segment);

    // Any thread. They point into the segment.
    [[nodiscard]] static SegmentParts parts(const RecordSegment& segment);
    // Any thread. A copy that is no pool's and takes no more memory than its records need. The records must be as parts() gave them.
    [[nodiscard]] static std::shared_ptr<const RecordSegment> rebuilt(const SegmentParts& parts);
    // Any thread. Records without sender, receiver and handlers, whose fields are zero; `lost` is not empty, in the order of sequences.
    [[nodiscard]] static std::shared_ptr<const RecordSegment> blank(std::span<const LostRecord> lost);

private:
    std::atomic<RecordSegment*> m_returned{nullptr};
    std::atomic<std::size_t> m_idleBytes{0};
    RecordSegment* m_idle = nullptr;
};

} // namespace sbx
