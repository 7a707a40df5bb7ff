#pragma once
// A pool of record segments. The simulation takes them; the thread that drops the last reference to one
// puts it back, over a lock-free stack that the simulation empties as a whole. It exists until the recorder and the last segment
// are destroyed.

#include "engine/message/record.h"

#include <atomic>

namespace sbx {

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

private:
    std::atomic<RecordSegment*> m_returned{nullptr};
    std::atomic<std::size_t> m_idleBytes{0};
    RecordSegment* m_idle = nullptr;
};

} // namespace sbx
