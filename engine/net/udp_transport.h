#pragma once
// Datagrams of the real network, and its clock. The only file of this room that opens a socket or reads a clock; the core is
// handed both.

#include "engine/core/result.h"
#include "engine/net/transport.h"

#include <memory>
#include <string_view>

namespace sbx::net {

// The machine's monotonic clock.
[[nodiscard]] Time steadyNow();

struct UdpCounters {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t calls = 0;       // of the system, to send: less than `sent` where datagrams leave together
    std::uint64_t blocked = 0;     // the socket's buffer was full
    std::uint64_t tooLarge = 0;    // the path carries less
    std::uint64_t sendErrors = 0;  // unreachable, no route, interface down
    std::uint64_t receiveErrors = 0; // ICMP errors among them: any host can forge those, so they end nothing
    std::uint64_t truncated = 0;   // longer than anything this protocol sends: dropped
};

// Purpose: one UDP socket, IPv6 and IPv4 alike where the machine has both. Never waits but in wait(). Thread: its owner's.
class UdpTransport final : public Transport {
public:
    // On every address of the machine. Port 0: any free one.
    [[nodiscard]] static Result<std::unique_ptr<UdpTransport>> open(std::uint16_t port);
    // The same over IPv4 alone, as on machines without IPv6.
    [[nodiscard]] static Result<std::unique_ptr<UdpTransport>> openV4(std::uint16_t port);
    ~UdpTransport() override;

    TransportStatus send(const Address& to, ByteView datagram) override;
    void gather() override;
    void flush() override;
    // Datagrams of one size to one address may be handed to the system as one piece, which it cuts (Linux: UDP_SEGMENT). On where the
    // system can; it goes off by itself where only a network card cannot.
    void setSegmentation(bool allowed);
    [[nodiscard]] bool segmentation() const;
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override;

    // Where it listens; the IP is zero unless it is bound to one.
    [[nodiscard]] Address local() const;
    // Until a datagram is there or `most` has passed, rounded up to milliseconds.
    void wait(Time most);
    [[nodiscard]] const UdpCounters& counters() const { return m_counters; }

private:
    struct Socket;
    struct Batch;
    explicit UdpTransport(std::unique_ptr<Socket> socket);
    TransportStatus judge(int error);
    bool sendGathered();

    std::unique_ptr<Socket> m_socket;
    std::unique_ptr<Batch> m_batch;
    UdpCounters m_counters;
};

// "host", "host:port", "1.2.3.4:5", "[::1]:5": the first address found. May use the machine's resolver, which may take time.
[[nodiscard]] Result<Address> resolveAddress(std::string_view text, std::uint16_t defaultPort);

} // namespace sbx::net
