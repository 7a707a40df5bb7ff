#pragma once
// What a NetRecorder writes and its readers read: records of packets and messages, in the order in which they happened.

#include "engine/net/observer.h"

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

namespace sbx::net {

enum class NetRecordKind : std::uint8_t {
    Name, // `number` is called `text()` from now on; 0 is the empty name
    Peer, // peer `peer` is here, called `name`; `text()`: its address as the others see it, where that is known
    Gone,    // ... and is no more
    Opened,  // a connection; `flags` & 1: this end is the client; `text()`: the other's address
    Closed,  // `type`: the CloseReason; `connection` 0: a client's request was not answered
    Tick,    // peer's world has finished tick `number`
    Link,    // how the peer's link treats datagrams has changed: `text()`
    Message, // `event`: MessageEvent::Kind; Queued: `trace`
    // peer's world has dispatched message `number`, which was executed before: `trace`
    Dispatched,
    Packet, // `event`: PacketEvent::Kind
    // `event`: HandshakeEvent::Kind; `flags` & 1: sent, else received; `type`: a denial's CloseReason; `text()`: the other's address
    Handshake,
};

// Followed by `needs` numbers of eight bytes and `kept` bytes of body or text.
struct NetRecordHeader {
    Time time = 0;
    std::uint64_t number = 0; // sequence of a message, number of a packet
    std::uint64_t packet = 0; // of a message event
    // Sequence in the trace of the peer's world; 0: none. Queued: of the message that was sent on, or handled when this one was
    // sent. Dispatched: of the message as it arrived.
    std::uint64_t trace = 0;
    std::uint32_t connection = 0;
    std::uint32_t bytes = 0;
    std::uint32_t name = 0;   // message: of its type
    std::uint32_t entity = 0; // message: name of the entity it is to, or 0
    std::uint16_t type = 0;
    std::uint16_t fragment = MessageEvent::Whole;
    std::uint16_t needs = 0;
    std::uint16_t kept = 0;
    NetRecordKind kind = NetRecordKind::Tick;
    std::uint8_t event = 0;
    std::uint8_t peer = 0;  // whose observer was notified
    std::uint8_t flags = 0; // message: priority; packet: causes
    std::uint32_t spare = 0;
};
static_assert(sizeof(NetRecordHeader) == 64);

struct NetRecordView {
    const NetRecordHeader* header = nullptr;
    const NetRecordHeader* operator->() const { return header; }
    [[nodiscard]] std::span<const std::uint64_t> needs() const {
        return {reinterpret_cast<const std::uint64_t*>(header + 1), header->needs};
    }
    [[nodiscard]] ByteView body() const {
        return {reinterpret_cast<const std::uint8_t*>(header + 1) + header->needs * sizeof(std::uint64_t), header->kept};
    }
    [[nodiscard]] std::string_view text() const {
        return {reinterpret_cast<const char*>(body().data()), header->kept};
    }
    [[nodiscard]] std::size_t size() const {
        return sizeof(NetRecordHeader) + header->needs * sizeof(std::uint64_t) + (header->kept + 7U) / 8U * 8U;
    }
};

// Records between two seals, back to back.
class NetSegment {
public:
    template <typename Visit> void forEach(Visit visit) const {
        for (std::size_t at = 0; at < m_used;) {
            const NetRecordView view{reinterpret_cast<const NetRecordHeader*>(
                reinterpret_cast<const std::byte*>(m_words.data()) + at)};
            visit(view);
            at += view.size();
        }
    }
    [[nodiscard]] std::size_t bytes() const { return m_used; }
    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        return {m_words.data(), m_used / sizeof(std::uint64_t)};
    }
    // Of its records.
    [[nodiscard]] Time newest() const { return m_newest; }

private:
    friend class NetRecorder;
    friend class NetRecordReader;
    friend class NetSegmentPool;
    void reset() {
        m_used = m_count = 0;
        m_newest = 0;
    }

    std::vector<std::uint64_t> m_words;
    std::size_t m_used = 0; // bytes
    std::size_t m_count = 0;
    Time m_newest = 0;
    std::atomic<std::uint32_t> m_readers{0}; // that have not read it yet
    NetSegment* m_next = nullptr;            // in the pool
};

} // namespace sbx::net
