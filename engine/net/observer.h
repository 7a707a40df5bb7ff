#pragma once
// The notifications that an observer of hosts, connections and channels gets. The structs are views: they hold for the call alone.

#include "engine/net/message.h"

#include <span>

namespace sbx::net {

// One step in the life of a message.
struct MessageEvent {
    enum class Kind : std::uint8_t {
        // A guaranteed message at its sender.
        Queued,        // `needs`: what it names that was not executed; `body`
        Sent,          // `packet`, `bytes` there
        Resent,        // again, because it was lost
        Copied,        // again, lest it be lost
        Lost,          // `packet` is taken for lost
        Acknowledged,  // stored by the peer
        KnownExecuted, // the sender's graph: it and all it needs are acknowledged
        // A guaranteed message at its receiver.
        Arrived,   // `packet` that brought the last of it, `needs` as named on the wire, `body`
        Duplicate, // came again
        Waiting,   // `needs`: what it waits for
        Executed,
        // A message that is not guaranteed, which has no sequence.
        UnreliableSent,
        UnreliableDropped, // at the sender: its queue was full
        UnreliableDelivered,
        UnreliableOutdated, // a newer one had come
        UnreliableTooEarly, // what it comes after was not executed
    };
    static constexpr std::uint16_t Whole = UINT16_MAX;

    Kind kind = Kind::Queued;
    Time time = 0;
    std::uint32_t connection = 0;
    std::uint64_t sequence = 0;
    std::uint64_t packet = 0; // that carried it, where there is one
    std::uint16_t type = 0;
    std::uint16_t fragment = Whole;
    std::uint32_t bytes = 0; // of its body; sent: of what it takes of the packet
    std::uint8_t priority = 1;
    std::span<const std::uint64_t> needs;
    ByteView body;
};
[[nodiscard]] constexpr bool atReceiver(MessageEvent::Kind kind) {
    return (kind >= MessageEvent::Kind::Arrived && kind <= MessageEvent::Kind::Executed)
           || kind >= MessageEvent::Kind::UnreliableDelivered;
}

struct PacketEvent {
    enum class Kind : std::uint8_t { Sent, Received, Acknowledged, Lost, Refused };
    // Why a packet was sent.
    enum Cause : std::uint8_t {
        Messages = 1,        // new ones
        Resends = 2,         // what was lost
        Copies = 4,          // what may be lost
        States = 8,          // unreliable messages
        Control = 16,        // pings, path, close
        Acknowledgement = 32 // one was due
    };
    Kind kind = Kind::Sent;
    Time time = 0;
    std::uint32_t connection = 0;
    std::uint64_t number = 0;
    std::uint32_t bytes = 0; // of the datagram
    std::uint8_t causes = 0; // sent: bits of Cause
};

// A datagram before there is a connection: well-formed, from any address.
struct HandshakeEvent {
    enum class Kind : std::uint8_t { Request, Challenge, Response, Deny }; // as datagrams are numbered
    Kind kind = Kind::Request;
    bool sent = false; // else received
    Time time = 0;
    Address peer;
    std::uint32_t bytes = 0;
    CloseReason reason = CloseReason::None; // of a denial
};

struct ConnectionNotice {
    enum class Kind : std::uint8_t { Opened, Closed };
    Kind kind = Kind::Opened;
    Time time = 0;
    std::uint32_t connection = 0; // the same number at both ends; 0: no answer came, there never was one
    bool client = false;          // this end is
    Address peer;
    CloseReason reason = CloseReason::None;
};

// Sees what happens; costs one branch where there is none. Called on the host's thread, must not call back.
class NetObserver {
public:
    virtual ~NetObserver() = default;
    virtual void onMessage(const MessageEvent& event) = 0;
    virtual void onPacket(const PacketEvent& event) = 0;
    virtual void onHandshake(const HandshakeEvent& event) = 0;
    virtual void onConnection(const ConnectionNotice& notice) = 0;
};

} // namespace sbx::net
