#pragma once
// Limits on what a server accepts from one client and queues for it: beyond them the connection ends.

#include "engine/message/message_type.h"
#include "engine/net/transport.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sbx {

struct NetworkLimits {
    std::uint32_t players = 64; // of the clients; others may observe
    double chatPerSecond = 10.0;
    double playerInfoPerSecond = 1.0;
    double inputsPerTick = 4.0;          // of the server's ticks
    double otherPerSecond = 50.0;        // anything else, refused or not
    double burstSeconds =
        10.0; // of these rates may arrive at once: messages that waited while the path was dead
    std::uint32_t takenPerTick =
        256; // messages of one client; further ones wait, and are not acknowledged once too many wait
    std::size_t backlogMessages = 8192;  // guaranteed, for one client, that its window has no room for
    std::size_t backlogBytes = 4U << 20U; // of these, with what is kept beside them
    double stateBytesPerSecond =
        64.0 * 1024.0; // of entities' states to one client; what is nearest and has waited longest goes first
    double statesPerSecond = 20.0; // how often the state of what changes is sent
    double banSeconds =
        10.0; // for which a client that went too far is refused; its whole address if that is frequent
};

// Purpose: a token bucket for each kind of message a client may send, and for each message type that declares its own rate. Time: the
// host's clock, so that a recorded or simulated session decides the same. Thread: the session's.
class NetworkRates {
public:
    enum class Kind : std::uint8_t { Chat, PlayerInfo, Input, Other };

    // Called before a turn of takes; the first call fills the buckets.
    void refill(const NetworkLimits& limits, double tickRate, net::Time now);
    // False: it is one more than the rate allows.
    [[nodiscard]] bool take(Kind kind);
    // The same for a message of a type with a rate of its own. Allocates at the first message of a type.
    [[nodiscard]] bool take(const MessageType& type);

private:
    static constexpr std::size_t Kinds = 4;
    struct Bucket {
        double credit = 0.0; // messages
        net::Time filled = net::Never;

        void fill(double perSecond, double burstSeconds, net::Time now);
        bool take();
    };
    std::array<Bucket, Kinds> m_kinds;
    std::vector<std::pair<MessageTypeId, Bucket>> m_types; // that have a rate of their own
    double m_burst = 0.0; // s
    net::Time m_now = 0;  // of the last refill()
};

} // namespace sbx
