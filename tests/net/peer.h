#pragma once
// A host on a real socket, pumped by whoever owns it.

#include "engine/net/host.h"
#include "engine/net/udp_transport.h"

namespace sbx::net {

inline HostSettings realSettings() {
    HostSettings settings;
    settings.timeout = 2 * Second;
    return settings;
}

class Peer {
public:
    Peer(std::unique_ptr<UdpTransport> transport, const HostSettings& settings)
        : socket(std::move(transport)), host(settings, *socket, secureEntropy, steadyNow()) {}

    // Whatever is due or arrives within `most`.
    void pump(Time most) {
        host.update(steadyNow());
        const Time timer = host.nextTimer();
        socket->wait(std::min(most, timer == Never ? most : std::max<Time>(timer - steadyNow(), 0)));
        host.update(steadyNow());
    }
    template <typename Until> bool pumpUntil(Until until, Time limit) {
        const Time end = steadyNow() + limit;
        while (!until()) {
            if (steadyNow() > end) {
                return false;
            }
            pump(10 * Millisecond);
        }
        return true;
    }
    Connection* only() {
        Connection* found = nullptr;
        host.forEach([&](Connection& c) { found = c.state() == Connection::State::Connected ? &c : found; });
        return found;
    }

    std::unique_ptr<UdpTransport> socket;
    Host host;
};

} // namespace sbx::net
