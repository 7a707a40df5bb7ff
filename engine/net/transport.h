#pragma once
// The edge of the network core: time, addresses and the one interface datagrams go through. The core never reads a clock or a
// socket: it is passed the time and a transport, so the shipping code runs unchanged in every simulation.

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace sbx::net {

// Nanoseconds of a clock that never goes back; only differences mean anything.
using Time = std::int64_t;
inline constexpr Time Microsecond = 1'000;
inline constexpr Time Millisecond = 1'000'000;
inline constexpr Time Second = 1'000'000'000;
inline constexpr Time Never = INT64_MAX;

using ByteView = std::span<const std::uint8_t>;

// Largest datagram sent: fits every path that carries IPv6 (1280) with room for tunnels.
inline constexpr std::size_t MaxDatagram = 1200;

// IPv6 address and port; IPv4 as ::ffff:a.b.c.d, so that one peer has one address whichever socket it came through.
struct Address {
    std::array<std::uint8_t, 16> ip{};
    std::uint16_t port = 0;
    std::uint32_t scope = 0; // of a link-local address

    [[nodiscard]] static Address v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                                    std::uint16_t port);
    [[nodiscard]] bool isV4() const;
    // "10.0.0.1:4000", "[::1]:4000".
    [[nodiscard]] std::string toString() const;
    friend bool operator==(const Address&, const Address&) = default;
    friend auto operator<=>(const Address&, const Address&) = default;
};

struct AddressHash {
    std::size_t operator()(const Address& address) const noexcept;
};

enum class TransportStatus : std::uint8_t {
    Sent,
    WouldBlock, // try later: nothing was sent
    TooLarge,   // the path carries less
    Failed,     // unreachable, interface down: may heal
};

struct ReceivedDatagram {
    std::size_t size = 0;
    Address from;
};

// Purpose: sends and receives datagrams without ever waiting. Owned by the caller of the core, used on its thread only.
// Received bytes may come from any sender: nothing about them is checked here.
class Transport {
public:
    Transport() = default;
    virtual ~Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    virtual TransportStatus send(const Address& to, ByteView datagram) = 0;
    // Between the two, datagrams may be held back, to leave together: in the order of their send(), the same bytes, each a datagram
    // of its own. Sent then means: taken.
    virtual void gather() {}
    virtual void flush() {}
    // The next datagram, or nothing. A datagram longer than `buffer` is dropped, not cut.
    virtual std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) = 0;
};

} // namespace sbx::net
