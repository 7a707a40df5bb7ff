#pragma once
// The recorder: every dispatched message, the same way, once.
//
//   world --begin/visit--> Recorder --seal() once a tick--> immutable RecordSegment --> RecordReader (one other thread)
//
// The simulation thread appends to an open segment; sealing freezes it and hands a shared pointer to every reader through a
// lock-free queue, so that readers and the simulation share no lock. A record is a small value: ids, interned names, a copy of
// the payload taken before the first handler, and one visit for each handler in priority order.

#include "engine/message/dispatch_table.h"
#include "engine/message/name_table.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace sbx {

enum class HandlerResult : std::uint8_t { NotReached, Passed, Consumed };

struct HandlerVisit {
    NameId component = 0; // interned component name
    std::int32_t priority = 0;
    HandlerResult result = HandlerResult::NotReached;
    std::uint32_t nanoseconds = 0; // 0 unless timing is on
};

// The fixed part of a record; visits and payload follow it in the segment.
struct RecordHeader {
    Envelope envelope;
    NameId sender = 0; // interned entity names; 0: the engine or the console
    NameId receiver = 0;
    std::uint16_t visits = 0;
    std::uint16_t payload = 0; // bytes
};

// A record inside a sealed segment; valid as long as the segment lives.
class RecordView {
public:
    explicit RecordView(const std::byte* at) : m_at(at) {}
    [[nodiscard]] const RecordHeader& header() const { return *reinterpret_cast<const RecordHeader*>(m_at); }
    [[nodiscard]] const Envelope& envelope() const { return header().envelope; }
    // In priority order; those after a Consumed one are NotReached. Empty: nobody handles this type.
    [[nodiscard]] std::span<const HandlerVisit> visits() const {
        return {reinterpret_cast<const HandlerVisit*>(m_at + sizeof(RecordHeader)), header().visits};
    }
    // The message as it was sent; read it through messageType(envelope().type).fields. Aligned to 16.
    [[nodiscard]] const void* payload() const { return m_at + payloadOffset(header().visits); }

    static constexpr std::size_t Alignment = 16;
    static std::size_t payloadOffset(std::size_t visits) {
        return roundUp(sizeof(RecordHeader) + visits * sizeof(HandlerVisit));
    }
    static std::size_t roundUp(std::size_t bytes) { return (bytes + Alignment - 1) / Alignment * Alignment; }

private:
    const std::byte* m_at;
};

// Records of one stretch of time, by sequence. Immutable once sealed; shared between threads.
class RecordSegment {
public:
    [[nodiscard]] std::size_t size() const { return m_offsets.size(); }
    [[nodiscard]] RecordView operator[](std::size_t index) const {
        return RecordView(reinterpret_cast<const std::byte*>(m_words.data()) + m_offsets[index]);
    }
    [[nodiscard]] std::size_t bytes() const {
        return m_words.size() * sizeof(Word) + m_offsets.size() * sizeof(std::uint32_t);
    }

private:
    friend class Recorder;
    struct alignas(RecordView::Alignment) Word {
        std::byte bytes[RecordView::Alignment];
    };
    std::vector<Word> m_words;
    std::vector<std::uint32_t> m_offsets; // of each record, in bytes
};

class RecordReader;

class Recorder {
public:
    Recorder();
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    [[nodiscard]] NameTable& names() { return m_names; }
    [[nodiscard]] const NameTable& names() const { return m_names; }
    // Adds a world and returns its index; its name can be read from any thread that was handed the index.
    std::uint8_t addWorld(std::string_view name);
    [[nodiscard]] const std::string& worldName(std::uint8_t world) const {
        return m_names.name(m_worlds[world]);
    }

    // Off by default. All setters: simulation thread, between ticks.
    void setEnabled(bool enabled) { m_enabled = enabled; }
    [[nodiscard]] bool enabled() const { return m_enabled; }
    void setTiming(bool timing) { m_timing = timing; }
    [[nodiscard]] bool timing() const { return m_timing; }
    // Overrides the type's default.
    void setRecorded(MessageTypeId type, bool recorded);
    [[nodiscard]] bool isRecorded(MessageTypeId type) const;

    // The one branch a dispatch pays.
    [[nodiscard]] bool wants(MessageTypeId type) const { return m_enabled && isRecorded(type); }

    // Starts a record: copies the payload and lists every handler as not reached. Returns a ticket for visit(), good until the
    // next seal(). Records nest: a handler's own sends come after, with higher sequences.
    struct Ticket {
        std::size_t offset = 0;
    };
    Ticket begin(const Envelope& envelope, NameId sender, NameId receiver,
                 std::span<const HandlerEntry> handlers, const void* payload, std::size_t payloadSize);
    void visit(Ticket ticket, std::size_t handler, HandlerResult result, std::uint32_t nanoseconds);
    // Freezes what was recorded and hands it to the readers. No dispatch may be under way.
    void seal();

    // Interned name of a component type, for visits.
    void setComponentName(ComponentTypeId component, std::string_view name);

    // A reader for one other thread, which sees all segments sealed from now on. Simulation thread, or before it starts. The
    // recorder keeps at most `limitBytes` waiting for it; beyond that segments are not handed over but counted as missed.
    [[nodiscard]] std::shared_ptr<RecordReader> addReader(std::size_t limitBytes = std::size_t(512) << 20U);

private:
    [[nodiscard]] std::byte* at(std::size_t offset) {
        return reinterpret_cast<std::byte*>(m_open->m_words.data()) + offset;
    }
    NameTable m_names;
    std::vector<NameId> m_worlds;
    bool m_enabled = false;
    bool m_timing = false;
    mutable std::vector<std::uint8_t> m_recorded; // by type id: 0 unknown yet, 1 no, 2 yes
    std::vector<NameId> m_componentNames;
    std::unique_ptr<RecordSegment> m_open;
    std::vector<std::shared_ptr<RecordReader>> m_readers;
};

// One consumer's end. poll() from one thread only; dropping the shared pointer ends the subscription.
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

    // Unbounded single-producer single-consumer list (Vyukov, "Unbounded SPSC Queue", 2009): the consumer owns m_head and frees
    // what it has read, the producer owns m_tail; they meet only in `next`.
    struct Node {
        std::atomic<Node*> next{nullptr};
        std::shared_ptr<const RecordSegment> segment;
    };
    Node* m_head;
    Node* m_tail;
    std::size_t m_limit;
    std::atomic<std::size_t> m_waiting{0}; // bytes
    std::atomic<std::uint64_t> m_missed{0};
};

} // namespace sbx
