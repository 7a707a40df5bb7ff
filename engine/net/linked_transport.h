#pragma once
// A simulated link before a real socket: what latency and loss feel like, on any machine.

#include "engine/net/simulated_link.h"

namespace sbx::net {

// Purpose: holds what is sent and what arrives for as long as the settings require, or drops it. Thread: its owner's. The transport
// below outlives it. update() and both calls move what is due; nextDue() returns when something will be.
class LinkedTransport final : public Transport {
public:
    // `clock` returns the time. `out` is what is sent through, `in` what arrives.
    LinkedTransport(Transport& below, std::function<Time()> clock, const LinkSettings& out, const LinkSettings& in,
                    std::uint64_t seed);

    TransportStatus send(const Address& to, ByteView datagram) override;
    void gather() override { m_below.gather(); }
    void flush() override { m_below.flush(); }
    std::optional<ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override;
    void update();
    [[nodiscard]] Time nextDue() const;

private:
    Transport& m_below;
    std::function<Time()> m_clock;
    LinkDirection m_out;
    LinkDirection m_in;
    std::vector<std::uint8_t> m_bytes;
};

} // namespace sbx::net
