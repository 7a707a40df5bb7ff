// A run as a client of a server in another program.

#include "engine/components/network_system.h"
#include "engine/session/network_report.h"
#include "engine/session/server_link.h"
#include "engine/session/session.h"

namespace sbx {

Result<void> Session::playAsClient(const ClientSetup& setup) {
    if (!m_main.content())
        return Error{"no project is open; expected the one that the server plays", {}, {}};
    Result<std::unique_ptr<ServerLink>> link = ServerLink::make(setup);
    if (!link)
        return link.error();
    stop(); // ends every other connection
    m_main.setSide(Side::Client);
    play();
    m_serverLink = std::move(*link);
    m_serverLink->begin(m_main, [this](NetworkSetup network) { joinNetwork(std::move(network)); });
    m_log.info("network", "joining " + m_serverLink->serverName());
    return {};
}

void Session::leaveServer() {
    if (!m_serverLink)
        return;
    if (m_serverLink->state() != ServerLink::State::Ended)
        m_log.info("network", "left " + m_serverLink->serverName());
    m_serverLink.reset(); // tells the server
    m_main.setSide(Side::Server);
}

void Session::followServer() {
    if (!m_serverLink)
        return;
    const ServerLink::State before = m_serverLink->state();
    const ServerLink::State now = m_serverLink->follow();
    if (now == before)
        return;
    if (now == ServerLink::State::Connected) {
        m_log.info("network", m_serverLink->identityText());
        if (!m_serverLink->rememberFault().empty())
            m_log.warning("network", m_serverLink->rememberFault());
        return;
    }
    m_log.error("network", m_serverLink->endText());
    // Not in the middle of a tick. A world that went on without its server would differ from those of the other players.
    post([why = m_serverLink->endText()](Session& session) {
        if (session.m_serverLink == nullptr || session.m_serverLink->state() != ServerLink::State::Ended)
            return; // another run has begun
        session.stop();
        if (session.m_handlers.leftServer)
            session.m_handlers.leftServer(why);
    });
}

std::shared_ptr<const NetworkView> Session::clientView() {
    auto view = std::make_shared<NetworkView>();
    net::Host& host = m_serverLink->udp().host();
    view->server = withUsualPort(m_serverLink->serverName());
    if (m_serverLink->serverKey())
        view->serverKey = fingerprint(*m_serverLink->serverKey());
    view->seconds = static_cast<double>(host.clock()) / static_cast<double>(net::Second);
    host.forEach([&](net::Connection& connection) {
        NetworkPeerView& peer = view->peers.emplace_back(peerView(connection));
        peer.name = view->server;
        peer.authenticated = m_serverLink->isKnown();
        peer.observes = m_serverLink->observes();
        peer.player = world().nameOf(m_main.network().player());
    });
    return view;
}

} // namespace sbx
