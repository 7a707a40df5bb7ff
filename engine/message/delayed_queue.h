#pragma once
// Messages to be dispatched at a later tick: ordered exactly by due tick, then priority, then order of sending.
//
//   push --> bucket of the due tick --take one tick--> run, sorted by priority --pop--> handler
//
// A monotone radix heap (Ahuja, Mehlhorn, Orlin, Tarjan, "Faster Algorithms for the Shortest Path Problem", 1990) over due
// ticks, with digits of six bits: a message lies at the level of the highest digit in which its tick differs from the last one
// looked at, and moves to a lower level at most once a digit. Moving keeps the order within a bucket, and all messages of one
// tick are always in one bucket, so that they come out in order of sending without a key for it; only a tick of mixed
// priorities is sorted. A bucket of few messages moves no further, whatever ticks it spans: it is sorted into the run as a whole,
// because a bucket for each of them costs more than their order. What is pushed into the ticks of such a run later is put in its
// place there. Buckets hold 16 bytes a message; payloads stay in the pool's blocks where push() copied them.
//
// Time only increases: once pop(t) was called, the earliest due tick is t + 1, so that what a handler queues comes in
// the next pass at the earliest. One thread. In a steady state nothing is allocated.

#include "engine/message/message_pool.h"
#include "engine/message/message_type.h"

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sbx {

struct DelayedTag;
// A handle of a pending message; stale once it was delivered or cancelled, also when its block is used for another message.
using DelayedHandle = Handle<DelayedTag>;

struct DelayedMessage {
    DelayedHandle handle;  // stale once it was popped
    std::uint64_t due = 0; // tick
    int priority = 0;      // lower first
    Envelope envelope; // sender, receiver, type, route, cause, queuedAt, site; sequence is given at dispatch
    std::uint32_t minimum = 0; // receivers that the sender required
    std::size_t size = 0;
    void* payload = nullptr;
};

class DelayedQueue {
public:
    DelayedQueue();
    ~DelayedQueue();
    DelayedQueue(const DelayedQueue&) = delete;
    DelayedQueue& operator=(const DelayedQueue&) = delete;

    // A due tick in the past counts as the next one.
    DelayedHandle push(std::uint64_t due, int priority, const Envelope& envelope, const void* payload,
                       std::size_t size, std::uint32_t minimum = 0);
    // Takes the next message due at `tick` or before, copying its payload into `buffer` (MaxMessageSize bytes). False: none.
    bool pop(std::uint64_t tick, DelayedMessage& out, void* buffer);
    // The same for the message that is due first: time advances to its tick.
    bool popNext(DelayedMessage& out, void* buffer);
    // False: it was delivered, cancelled or cleared before.
    bool cancel(DelayedHandle handle);
    [[nodiscard]] bool pending(DelayedHandle handle) const;

    [[nodiscard]] std::size_t size() const { return m_live; }
    // Due tick of the first message.
    [[nodiscard]] std::optional<std::uint64_t> nextDue() const;
    // All messages in the order in which they will be delivered; payloads point into the queue, until its next change.
    [[nodiscard]] std::vector<DelayedMessage> list() const;
    // Removes all messages; time does not change.
    void clear();
    // Number of pushes and what is pending, for the digest.
    void hash(Hash64& into) const;
    // Memory held, in bytes.
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Entry {
        std::uint64_t due;
        MessagePool::Number number;
        std::int32_t priority;
    };
    // Buckets are chains of these; the free ones form a list.
    struct alignas(64) Chunk {
        static constexpr std::uint32_t Room = 15;
        Chunk* next;
        std::uint32_t count;
        Entry entries[Room];
    };
    struct Bucket {
        Chunk* first = nullptr;
        Chunk* last = nullptr;
    };
    static constexpr unsigned DigitBits = 6;
    static constexpr std::size_t Digits = 64;
    static constexpr std::size_t Levels = 11; // 66 bits
    static constexpr std::size_t ChunksPerSlab = 64;
    // Buckets of up to so many chunks are sorted as a whole, and as many messages are put into a run later.
    static constexpr std::uint32_t FewChunks = 16;
    static constexpr std::size_t MaxInserted = FewChunks * Chunk::Room;

    [[nodiscard]] static bool before(const Entry& a, const Entry& b);
    [[nodiscard]] std::size_t bucketOf(std::uint64_t due) const;
    void append(const Entry& entry);
    Chunk* takeChunk();
    void freeChunk(Chunk* chunk) {
        chunk->next = m_freeChunks;
        m_freeChunks = chunk;
    }
    // Moves the messages of the first ticks into the run. False: none can be due.
    bool nextRun(std::uint64_t tick);
    void takeRun(std::size_t bucket);
    // How many messages; 0: not few.
    [[nodiscard]] std::uint32_t few(const Bucket& bucket) const;
    void takeSorted(std::size_t bucket, std::uint32_t count);
    void insertIntoRun(const Entry& entry);
    void spread(std::size_t bucket);
    void markEmpty(std::size_t bucket);
    bool popFromRun(std::uint64_t tick, DelayedMessage& out, void* buffer);
    void compact();
    [[nodiscard]] bool isLive(MessagePool::Number number) const;
    // In no order of ticks; those of one tick in order of sending.
    template <typename Visit> void eachLive(const Visit& visit) const;
    [[nodiscard]] std::vector<Entry> sorted() const;

    MessagePool m_pool;
    std::array<Bucket, Levels * Digits> m_buckets{};
    std::array<std::uint64_t, Levels> m_used{}; // one bit a bucket
    std::uint32_t m_usedLevels = 0;             // one bit a level
    std::uint64_t m_last = 0;                   // buckets are relative to this tick
    std::uint64_t m_floor = 0;                  // earliest due tick of a push
    std::vector<Entry> m_run;                   // in order, from m_runAt on; before all that is in buckets
    std::size_t m_runAt = 0;
    std::uint64_t m_runLast = 0; // last tick of which all messages are in a run of several ticks; 0: of one tick, or none
    std::size_t m_inserted = 0;  // into that run
    std::size_t m_live = 0;
    std::size_t m_cancelled = 0; // entries whose message was cancelled
    std::uint64_t m_pushes = 0;
    Chunk* m_freeChunks = nullptr;
    std::vector<std::unique_ptr<Chunk[]>> m_chunkSlabs;
    std::vector<Entry> m_scratch;
    std::unordered_map<MessagePool::Number, NameId>
        m_sites; // of blocks that are `sited`; others may have one that is stale
};

} // namespace sbx
