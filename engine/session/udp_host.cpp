#include "engine/session/udp_host.h"

#include "engine/simulation/shared_content.h"
#include "engine/simulation/simulation.h"

#include <algorithm>
#include <cmath>

namespace sbx {

net::HostSettings hostSettingsOf(const Simulation& simulation) {
    net::HostSettings settings;
    const SharedContent shared = simulation.sharedContent();
    settings.identity = shared.identity();
    settings.description = shared.description();
    settings.tickRate = static_cast<std::uint16_t>(std::lround(simulation.world().desc().tickRate));
    return settings;
}

Result<std::unique_ptr<UdpHost>> UdpHost::open(std::uint16_t port) {
    auto socket = net::UdpTransport::open(port);
    if (!socket)
        return socket.error();
    return std::unique_ptr<UdpHost>(new UdpHost(std::move(*socket)));
}

void UdpHost::begin(const net::HostSettings& settings, const net::LinkSettings& out, const net::LinkSettings& in) {
    SBX_EXPECT(m_host == nullptr, "begin() once");
    m_origin = net::steadyNow();
    net::Transport* transport = m_socket.get();
    if (out != net::LinkSettings() || in != net::LinkSettings()) {
        m_linked = std::make_unique<net::LinkedTransport>(*m_socket, [this] { return now(); }, out, in, 1);
        transport = m_linked.get();
    }
    m_host = std::make_unique<net::Host>(settings, *transport, net::secureEntropy, now());
}

void UdpHost::beginServer(net::HostSettings settings, const net::KeyPair& key, const std::string& password, const net::LinkSettings& out,
                          const net::LinkSettings& in) {
    settings.listens = true;
    settings.fixedKey = key;
    m_wantsPassword = !password.empty();
    if (m_wantsPassword) {
        settings.passwordKey = net::passwordKey(password, key.open);
        settings.requireAuthentication = true;
    }
    begin(settings, out, in);
}

void UdpHost::pump() {
    if (m_linked)
        m_linked->update();
    if (m_host)
        m_host->update(now());
}

void UdpHost::wait(net::Time until) {
    const net::Time end = until - m_origin;
    for (net::Time at = now(); at < end; at = now()) {
        net::Time next = end;
        if (m_host)
            next = std::min(next, m_host->nextTimer());
        if (m_linked)
            next = std::min(next, m_linked->nextDue());
        m_socket->wait(std::max<net::Time>(next - at, 0));
        pump();
    }
}

} // namespace sbx
