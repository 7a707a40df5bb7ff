// A run as the server of clients in other programs.

#include "engine/components/network_system.h"
#include "engine/session/network_report.h"
#include "engine/session/server_identity.h"
#include "engine/session/server_link.h"
#include "engine/session/server_setup.h"
#include "engine/session/session.h"

#include <algorithm>

namespace sbx {

Result<void> Session::playAsServer(const ServerSetup& setup) {
    if (!m_main.content())
        return Error{"no project is open", {}, {}};
    if (m_serverLink)
        stop(); // it leaves that server
    if (m_main.side() == Side::Client)
        return Error{"a client is no server; leave the other server first", {}, {}};
    stop();
    play();
    endClients();
    endServer();
    m_server = setup.udp;
    m_server->beginServer(hostSettingsOf(m_main), setup.key, setup.password);
    NetworkSetup network;
    network.role = NetworkRole::Server;
    network.host = &m_server->host();
    network.pump = [udp = m_server.get()] { udp->pump(); };
    joinNetwork(std::move(network));
    m_log.info("network", "serving on port " + std::to_string(m_server->port()) + "; key of this server: " + fingerprint(setup.key.open)
                              + (m_server->wantsPassword() ? "; a password is wanted" : ""));
    return {};
}

void Session::endServer() {
    if (!m_server)
        return;
    m_main.network().detach(); // closes the connections
    m_server->pump();          // tells the clients
    m_log.info("network", "no longer serving on port " + std::to_string(m_server->port()));
    m_server.reset();
}

bool Session::idleTurn() {
    if (m_server) {
        m_server->pump();
        // A window shows who comes and goes; nothing else would publish it until the next tick.
        const std::shared_ptr<const NetworkView> shown = snapshot()->network;
        const std::shared_ptr<const NetworkView> now = serverView();
        const auto connected = [](const NetworkView& view) {
            return std::count_if(view.peers.begin(), view.peers.end(), [](const NetworkPeerView& peer) { return peer.connected; });
        };
        if (shown == nullptr || connected(*shown) != connected(*now))
            publish();
    }
    if (m_serverLink) {
        m_serverLink->udp().pump();
        followServer();
    }
    return m_sound.followEdit(m_main) || m_server != nullptr || m_serverLink != nullptr;
}

std::shared_ptr<const NetworkView> Session::serverView() {
    auto view = std::make_shared<NetworkView>();
    net::Host& host = m_server->host();
    view->port = m_server->port();
    view->wantsPassword = m_server->wantsPassword();
    if (host.ownKey())
        view->serverKey = fingerprint(*host.ownKey());
    view->lastExcess = m_main.network().lastExcess();
    view->seconds = static_cast<double>(host.clock()) / static_cast<double>(net::Second);
    host.forEach([&](net::Connection& connection) {
        NetworkPeerView& peer = view->peers.emplace_back(peerView(connection));
        peer.name = connection.peer().toString();
        peer.authenticated = connection.authenticated();
        peer.player = world().nameOf(m_main.network().playerOf(connection.id()));
        peer.observes = connection.observes();
        peer.bytesUp = connection.channel().counters().bytesReceived;
    });
    return view;
}

} // namespace sbx
