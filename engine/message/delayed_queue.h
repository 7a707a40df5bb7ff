#pragma once
// Messages to be dispatched at a later tick: ordered by due tick, then priority, then order of sending. Payloads are copied
// into fixed-size blocks with an intrusive free list. One thread.

#include "engine/message/envelope.h"
#include "engine/message/message_type.h"

#include <memory>
#include <vector>

namespace sbx {

struct DelayedMessage {
    std::uint64_t due = 0; // tick
    int priority = 0;      // lower first
    std::uint64_t order = 0;
    Envelope envelope; // sender, receiver, type, route, cause, queuedAt; sequence is given at dispatch
    std::size_t size = 0;
    void* payload = nullptr; // a block of the queue
};

class DelayedQueue {
public:
    DelayedQueue() = default;
    ~DelayedQueue();
    DelayedQueue(const DelayedQueue&) = delete;
    DelayedQueue& operator=(const DelayedQueue&) = delete;

    void push(std::uint64_t due, int priority, const Envelope& envelope, const void* payload,
              std::size_t size);
    // Takes the next message due at `tick` or before, copying its payload into `buffer` (MaxMessageSize bytes). False: none.
    bool pop(std::uint64_t tick, DelayedMessage& out, void* buffer);
    [[nodiscard]] std::size_t size() const { return m_heap.size(); }
    void clear();
    // Order of pushes and what is pending, for the digest.
    void hash(Hash64& into) const;

private:
    union Block {
        Block* next;
        alignas(16) std::byte bytes[MaxMessageSize];
    };
    static constexpr std::size_t BlocksPerSlab = 256;
    std::vector<DelayedMessage> m_heap;
    std::uint64_t m_nextOrder = 0;
    Block* m_free = nullptr;
    std::vector<std::unique_ptr<Block[]>> m_slabs;
};

} // namespace sbx
