#pragma once
// The end of network connections to other programs: a UDP socket, a simulated link before it where one is wanted, and the host.

#include "engine/core/result.h"
#include "engine/net/host.h"
#include "engine/net/linked_transport.h"
#include "engine/net/udp_transport.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sbx {

class Simulation;

// Settings of a host for that simulation: what both ends must have in common, and the tick rate. It does not listen.
[[nodiscard]] net::HostSettings hostSettingsOf(const Simulation& simulation);

// Purpose: owns socket and host. Data flow: open(), begin(), then pump() with every tick and, where nothing ticks, ten times a second at
// least, or wait() until the next tick is due. Thread: one at a time. A simulation that was joined to the host is detached first.
class UdpHost {
public:
    static constexpr std::uint16_t UsualPort = 4321;

    // On every address of this machine; port 0: any free one. The error names the port.
    [[nodiscard]] static Result<std::unique_ptr<UdpHost>> open(std::uint16_t port);
    // Once. `out` and `in` are what a simulated link does to datagrams that leave and arrive.
    void begin(const net::HostSettings& settings, const net::LinkSettings& out = {}, const net::LinkSettings& in = {});
    // The same as a server with that key; password empty: none is wanted.
    void beginServer(net::HostSettings settings, const net::KeyPair& key, const std::string& password,
                     const net::LinkSettings& out = {}, const net::LinkSettings& in = {});

    [[nodiscard]] net::Host& host() { return *m_host; } // after begin()
    [[nodiscard]] std::uint16_t port() const { return m_socket->local().port; }
    [[nodiscard]] bool wantsPassword() const { return m_wantsPassword; }
    // Sends and receives what is due.
    void pump();
    // Pumps until then, on the clock of net::steadyNow(). The host's own clock begins at 0.
    void wait(net::Time until);

private:
    explicit UdpHost(std::unique_ptr<net::UdpTransport> socket) : m_socket(std::move(socket)) {}
    [[nodiscard]] net::Time now() const { return net::steadyNow() - m_origin; }

    std::unique_ptr<net::UdpTransport> m_socket;
    std::unique_ptr<net::LinkedTransport> m_linked; // null: datagrams go as they are
    std::unique_ptr<net::Host> m_host;
    bool m_wantsPassword = false;
    net::Time m_origin = 0; // on the machine's clock: network time begins with begin()
};

} // namespace sbx
