#pragma once
// The keys of one connection over time: both ends replace them while the connection lives, without a message
// of their own.

#include "engine/net/cipher.h"

namespace sbx::net {

struct RekeySettings {
    std::uint64_t packets = std::uint64_t{1}
                            << 24U; // sent under one generation of keys before this end begins the next
    Time period = 600 * Second;     // ... and the longest time that it uses one
};

// Purpose: seals with the newest generation of keys that this end has begun, opens with the one before it,
// the current one and the next. Every header carries the lowest bit of its packet's generation; together with
// the packet number it names one generation, so a datagram is tried with one key only. Each generation is
// hashed from the one before, which is then wiped: keys stolen from memory open nothing that was sent before
// the last change. Invariant: this end sends under the generation it receives, or under the next one. Packet
// numbers go on counting over all generations, so the replay window and the nonces are those of the
// connection. What has no valid tag changes nothing here. Time: the host's clock. Thread: the host's.
class KeyGenerations {
public:
    // An end begins a generation this long after it knows that both ends use the one before: it has received
    // a packet of it, and one that it has sent of it is acknowledged. Without the latter a peer could still
    // be one generation behind, and lose a second change.
    static constexpr Time MinPeriod = 3 * Second;
    // A peer that begins one sooner than this after the last change is not followed: its packets are dropped
    // until then.
    static constexpr Time MinFromPeer = Second;
    // How long packets of the generation before are still opened.
    static constexpr Time Grace = 3 * Second;

    KeyGenerations(const SessionKeys& keys, bool client, std::uint64_t protocol,
                   const RekeySettings& settings, Time now);

    // The lowest bit of the generation that the next packet is sealed under.
    [[nodiscard]] bool phase() const { return (sealing() & 1U) != 0; }
    // As Cipher's.
    void seal(std::uint64_t number, std::span<std::uint8_t> datagram, std::size_t header, std::size_t plain);
    // `phase`: as the header has it. Follows a peer that has begun the next generation.
    [[nodiscard]] std::optional<std::size_t> open(Time now, std::uint64_t number, bool phase,
                                                  std::span<std::uint8_t> datagram, std::size_t header);
    // Wipes old keys whose time is up; begins the next generation if it is due and `mayBegin`. `newestAcked`:
    // packet number, if the peer has acknowledged any.
    void update(Time now, bool mayBegin, std::optional<std::uint64_t> newestAcked);

    // Numbers of generations; those of the handshake are 0.
    [[nodiscard]] std::uint64_t sealing() const { return m_opening + (m_ahead ? 1U : 0U); }
    [[nodiscard]] std::uint64_t opening() const { return m_opening; }
    [[nodiscard]] bool opensPrevious() const { return m_previousUntil != Never; }

private:
    void advance(Time now, std::uint64_t number);

    RekeySettings m_settings;
    Cipher m_previous;
    Cipher m_current; // the peer's newest that has been seen
    Cipher m_next;
    std::uint64_t m_opening = 0;
    bool m_ahead = false; // this end seals under m_next; the peer has not followed yet
    std::uint64_t m_lowest =
        0; // lowest packet number opened with m_current; only in use while opensPrevious()
    Time m_previousUntil = Never; // Never: m_previous is wiped
    Time m_advanced;              // when m_current became that
    bool m_settled = true;        // both ends are known to use m_current
    Time m_settledAt;
    std::uint64_t m_sealed = 0;      // packets, under the generation that is sealed under
    std::uint64_t m_firstSealed = 0; // ... and the first of them
};

} // namespace sbx::net
