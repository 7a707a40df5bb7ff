#pragma once

#include "engine/message/record.h"

#include <atomic>
#include <memory>
#include <vector>

namespace sbx {

// One consumer's end of a recorder. poll() from one thread only; dropping the shared pointer ends the subscription.
class RecordReader {
public:
    ~RecordReader();
    RecordReader(const RecordReader&) = delete;
    RecordReader& operator=(const RecordReader&) = delete;

    // Appends the segments sealed since the last call, oldest first; returns how many.
    std::size_t poll(std::vector<std::shared_ptr<const RecordSegment>>& out);
    // Records that were not handed over because the reader lagged too far behind.
    [[nodiscard]] std::uint64_t missed() const { return m_missed.load(std::memory_order_relaxed); }

private:
    friend class Recorder;
    explicit RecordReader(std::size_t limitBytes);
    void push(const std::shared_ptr<const RecordSegment>& segment);

    // Unbounded single-producer single-consumer queue with a cache of nodes (Vyukov, "Unbounded SPSC Queue", 2009): the consumer
    // owns m_head, the producer all else; nodes before m_head serve again.
    struct Node {
        std::atomic<Node*> next{nullptr};
        std::shared_ptr<const RecordSegment> segment;
    };
    Node* takeNode();
    std::atomic<Node*> m_head;
    alignas(64) Node* m_tail;
    Node* m_first;    // oldest node of all
    Node* m_headSeen; // where m_head was when it was last looked at
    std::size_t m_limit;
    std::atomic<std::size_t> m_waiting{0}; // bytes
    std::atomic<std::uint64_t> m_missed{0};
};

} // namespace sbx
