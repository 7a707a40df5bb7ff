#pragma once
// The types that users of the network core pass in and get back: handles, classes of messages, deliveries, reasons, counters.

#include "engine/net/body_pool.h"
#include "engine/net/transport.h"

#include <cstdint>

namespace sbx::net {

// Names a guaranteed message that was sent: a value, safe to copy, to keep for an hour, and to use when its connection is gone.
struct MessageHandle {
    std::uint32_t connection = 0; // 0: no message
    std::uint32_t epoch = 0;      // of that connection: a reconnect has another
    std::uint64_t sequence = 0;

    explicit operator bool() const { return connection != 0; }
    friend bool operator==(const MessageHandle&, const MessageHandle&) = default;
};
static_assert(sizeof(MessageHandle) == 16);

enum class HandleState : std::uint8_t {
    Pending,  // the peer is not known to have executed it
    Executed, // it has
    Stale,    // of another connection, or of this one before it was made anew
    Closed,   // its connection has ended: its fate stays unknown; only a host returns this
};

enum class SendStatus : std::uint8_t {
    Sent,
    WouldBlock,          // a limit is reached: try again when acknowledgements have come
    TooLarge,            // more than the peer takes: never will
    StaleDependency,     // of another connection or epoch
    TooManyDependencies, // more than 64 not yet executed: join them through a message in between
    Closed,
};

struct SendReceipt {
    SendStatus status = SendStatus::Closed;
    MessageHandle handle;
};

// How a guaranteed message is treated.
struct MessageClass {
    enum class Priority : std::uint8_t { Critical, Normal, Bulk };
    Priority priority = Priority::Normal;
    std::uint8_t copies =
        1; // 1..4: sent in this many packets at once, for small messages that must not wait for a loss
};

struct UnreliableOptions {
    bool latest = false;   // only the newest of (type, key) is delivered
    std::uint32_t key = 0; // what it is the state of
    MessageHandle after{}; // delivered only if this was executed when it arrives, else dropped
    // Leaves before guaranteed messages of normal priority, as latest-only ones do.
    bool early = false;
    // Not 0: Channel::nextReceipt() returns it once the packet with the message is acknowledged.
    std::uint32_t receipt = 0;
};

struct ReceivedMessage {
    bool guaranteed = false;
    std::uint16_t type = 0;
    std::uint64_t sequence = 0; // guaranteed: the peer's number
    Body body;
    Time arrived = 0;  // when the last of its bytes came
    Time executed = 0; // when all it depends on was there too
};

enum class CloseReason : std::uint8_t {
    None = 0,
    Closed = 1,            // requested by one of the ends
    Timeout = 2,           // nothing received for too long
    Protocol = 3,          // the peer broke the rules of the wire
    FlowControl = 4,       // ... or took more than it was granted
    DependencyStalled = 5, // a message waited too long for what it needs
    Undeliverable = 6,     // a guaranteed message was not acknowledged for too long
    Rate = 7,              // too many packets
    HandshakeTimeout = 8,
    NotAuthenticated = 9, // the application did not vouch for the peer in time
    DeniedFull = 10,
    DeniedVersion = 11,
    DeniedTable = 12, // the ends describe messages differently
    DeniedBanned = 13, // its address went too far a moment ago
    Backlog = 14,      // too much waits for a peer that does not take it
    DeniedPassword = 15,
    ServerKeyChanged = 16, // the server is not the one that was expected; never sent to the peer
};
inline constexpr CloseReason LastCloseReason = CloseReason::Backlog; // that CLOSE may carry

// Everything that is counted, of one channel.
struct ChannelCounters {
    std::uint64_t packetsSent = 0;
    std::uint64_t packetsReceived = 0;  // accepted
    std::uint64_t packetsLost = 0;      // declared lost
    std::uint64_t packetsSpurious = 0;  // declared lost, acknowledged later
    std::uint64_t packetsRefused = 0;   // no room for what they hold: not acknowledged
    std::uint64_t packetsMalformed = 0; // parsed to nothing
    std::uint64_t numbersSkipped = 0;
    std::uint64_t acksBogus = 0;
    std::uint64_t ackOnlySent = 0;
    std::uint64_t bytesSent = 0; // payloads
    std::uint64_t bytesReceived = 0;
    std::uint64_t guaranteedSent = 0;   // messages, once each
    std::uint64_t guaranteedResent = 0; // messages or fragments, again because of loss
    std::uint64_t bytesResent = 0;      // of their bodies
    std::uint64_t copiesSent = 0;
    std::uint64_t guaranteedReceived = 0;
    std::uint64_t guaranteedDuplicate = 0;
    std::uint64_t guaranteedExecuted = 0;
    std::uint64_t guaranteedWaited = 0; // had to wait for a dependency
    std::uint64_t dependenciesSent = 0; // on the wire, explicit ones
    std::uint64_t fragmentsSent = 0;
    std::uint64_t fragmentsReceived = 0;
    std::uint64_t fragmentsDuplicate = 0;
    std::uint64_t unreliableSent = 0;
    std::uint64_t unreliableDroppedOldest = 0; // the queue was full
    std::uint64_t unreliableReceived = 0;
    std::uint64_t unreliableOutdated = 0; // latest-only: a newer one had come
    std::uint64_t unreliableTooEarly = 0; // `after` not executed
    std::uint64_t sendsBlocked = 0;
    std::uint64_t handlerFailures = 0; // reported by the application

    template <typename Visit> void forEach(Visit visit) const {
        visit("packetsSent", packetsSent);
        visit("packetsReceived", packetsReceived);
        visit("packetsLost", packetsLost);
        visit("packetsSpurious", packetsSpurious);
        visit("packetsRefused", packetsRefused);
        visit("packetsMalformed", packetsMalformed);
        visit("numbersSkipped", numbersSkipped);
        visit("acksBogus", acksBogus);
        visit("ackOnlySent", ackOnlySent);
        visit("bytesSent", bytesSent);
        visit("bytesReceived", bytesReceived);
        visit("guaranteedSent", guaranteedSent);
        visit("guaranteedResent", guaranteedResent);
        visit("bytesResent", bytesResent);
        visit("copiesSent", copiesSent);
        visit("guaranteedReceived", guaranteedReceived);
        visit("guaranteedDuplicate", guaranteedDuplicate);
        visit("guaranteedExecuted", guaranteedExecuted);
        visit("guaranteedWaited", guaranteedWaited);
        visit("dependenciesSent", dependenciesSent);
        visit("fragmentsSent", fragmentsSent);
        visit("fragmentsReceived", fragmentsReceived);
        visit("fragmentsDuplicate", fragmentsDuplicate);
        visit("unreliableSent", unreliableSent);
        visit("unreliableDroppedOldest", unreliableDroppedOldest);
        visit("unreliableReceived", unreliableReceived);
        visit("unreliableOutdated", unreliableOutdated);
        visit("unreliableTooEarly", unreliableTooEarly);
        visit("sendsBlocked", sendsBlocked);
        visit("handlerFailures", handlerFailures);
    }
};

} // namespace sbx::net
