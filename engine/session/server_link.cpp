#include "engine/session/server_link.h"

#include "engine/components/network_system.h"
#include "engine/core/printable.h"
#include "engine/simulation/shared_content.h"
#include "engine/simulation/simulation.h"

namespace sbx {

namespace {

constexpr net::Time HandshakeTime = 6 * net::Second; // the host gives up before

const char* reasonText(net::CloseReason reason) {
    switch (reason) {
    case net::CloseReason::Timeout:
        return "nothing was received for too long";
    case net::CloseReason::HandshakeTimeout:
        return "there is no answer";
    case net::CloseReason::DeniedFull:
        return "the server is full";
    case net::CloseReason::DeniedVersion:
        return "the server has another version";
    case net::CloseReason::DeniedTable:
        return "the server plays another project or scene, with other definitions or components";
    case net::CloseReason::DeniedBanned:
        return "the server refuses this client for a while, because it or its neighbours went too far; try "
               "again in ten seconds";
    case net::CloseReason::DeniedPassword:
        return "it asks for a password, and was given another or none";
    case net::CloseReason::Rate:
        return "the server was sent too much";
    case net::CloseReason::Backlog:
        return "too much was waiting to be taken";
    case net::CloseReason::Closed:
        return "the server has closed it";
    default:
        return "the connection broke";
    }
}

} // namespace

std::string withUsualPort(const std::string& server) {
    return server.find(':') == std::string::npos ? server + ":" + std::to_string(UdpHost::UsualPort) : server;
}

Result<std::unique_ptr<ServerLink>> ServerLink::make(const ClientSetup& setup) {
    std::unique_ptr<ServerLink> link(new ServerLink(setup));
    if (!setup.knownServers.empty()) {
        const auto known = KnownServers(setup.knownServers).find(withUsualPort(setup.serverName));
        if (!known)
            return known.error();
        link->m_known = *known;
    }
    return link;
}

ServerLink::~ServerLink() {
    if (m_simulation == nullptr)
        return;
    m_simulation->network().detach();
    m_setup.udp->pump(); // tells the server
}

void ServerLink::begin(Simulation& simulation, const std::function<void(NetworkSetup)>& join) {
    m_simulation = &simulation;
    m_begun = net::steadyNow();
    m_setup.udp->begin(hostSettingsOf(simulation), m_setup.link.up, m_setup.link.down);
    NetworkSetup network;
    network.role = NetworkRole::Client;
    network.host = &m_setup.udp->host();
    network.pump = [udp = m_setup.udp.get()] { udp->pump(); };
    network.playerName = m_setup.playerName.empty() ? "player" : m_setup.playerName;
    network.observes = m_setup.observes;
    join(std::move(network));
    m_setup.udp->host().connect(m_setup.server,
                                net::Host::Introduction{m_known ? std::optional(m_known->key) : std::nullopt, m_setup.password, m_setup.observes});
}

ServerLink::State ServerLink::follow() {
    if (m_simulation == nullptr || m_state == State::Ended)
        return m_state;
    const NetworkSystem& network = m_simulation->network();
    if (network.peerCount() > 0) {
        m_state = State::Connected;
        if (!m_wasConnected) {
            m_wasConnected = true;
            meet();
        }
    } else if (m_wasConnected || network.closeReason() != net::CloseReason::None || net::steadyNow() - m_begun > HandshakeTime) {
        m_state = State::Ended;
        m_end = printable(reason());
    }
    return m_state;
}

void ServerLink::meet() {
    m_setup.udp->host().forEach([this](const net::Connection& connection) { m_key = connection.serverKey(); });
    if (!m_key) {
        m_identity = serverName() + " has no key: the connection is encrypted, but not authenticated, so it may be another server than you mean";
        return;
    }
    if (m_known) {
        m_identity = serverName() + " is the server that is known: " + fingerprint(*m_key) + "; the connection is encrypted and authenticated";
        return;
    }
    m_identity = serverName() + " was not known before; its key: " + fingerprint(*m_key)
                 + "; the connection is encrypted, compare the key with the one that the server shows";
    if (m_setup.knownServers.empty())
        return;
    if (const Result<void> kept = KnownServers(m_setup.knownServers).remember(withUsualPort(serverName()), *m_key); !kept)
        m_rememberFault = "the server's key is not remembered: " + kept.error().message;
}

const char* ServerLink::identityWords() const {
    return !m_key ? "encrypted, not authenticated" : m_known ? "encrypted, known server" : "encrypted, new server";
}

// A sentence that names the server.
std::string ServerLink::reason() const {
    const net::CloseReason reason = m_simulation->network().closeReason();
    if (m_known && reason == net::CloseReason::ServerKeyChanged)
        return keyChangedText(*m_known, m_setup.udp->host().offeredKey(), m_setup.knownServers);
    if (reason == net::CloseReason::DeniedTable)
        if (const std::string what = m_simulation->sharedContent().difference(m_setup.udp->host().offeredDescription()); !what.empty())
            return serverName() + ": the server plays something else. These differ: " + what
                   + ". Expected the same project, files and version at both ends";
    return serverName() + ": " + reasonText(reason == net::CloseReason::None && !m_wasConnected ? net::CloseReason::HandshakeTimeout : reason);
}

} // namespace sbx
