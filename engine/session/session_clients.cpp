// A run as the server of clients in the same program: begun, any client's world shown and steered, ended with the run.

#include "engine/components/network_system.h"
#include "engine/core/typed_command.h"
#include "engine/session/local_clients.h"
#include "engine/session/network_report.h"
#include "engine/session/server_identity.h"
#include "engine/session/session.h"

namespace sbx {

Simulation& Session::simulationOf(std::size_t client) {
    return client > 0 && m_clients && client <= m_clients->count() ? m_clients->simulation(client - 1) : m_main;
}

Result<void> Session::playAsHost(std::size_t clients) {
    if (clients < 1 || clients > MaxClients)
        return Error{"expected from 1 to " + std::to_string(MaxClients) + " clients", {}, {}};
    if (!m_main.content())
        return Error{"no project is open", {}, {}};
    if (m_serverLink)
        stop(); // it leaves that server
    if (m_main.side() == Side::Client || m_lines.client() > 0)
        return Error{"net.host runs on the server only, and this is a client; choose the server's world first", {}, {}};
    stop();
    play();
    addClients({.count = clients, .link = {}, .seed = m_worldCVars.seed()});
    m_log.info("network", "playing as host with " + std::to_string(clients) + (clients == 1 ? " client" : " clients"));
    return {};
}

void Session::addClients(const LocalClientsSetup& setup) {
    endClients();
    endServer();
    m_clients = std::make_unique<LocalClients>(
        LocalClientsHome{m_main, m_worldCVars, m_log, m_netRecorder, m_meshes, m_sound.library()}, setup);
    addCommand(m_console.commands(), "audio.hear", "Hears the world of a client; alone: the server's.",
               {{.name = "client", .doc = "Its number.", .minimum = 1, .maximum = static_cast<double>(setup.count)}},
               [this](std::optional<int> client) { m_sound.hear(static_cast<std::size_t>(client.value_or(0))); });
    for (std::size_t client = 1; client <= setup.count; ++client)
        m_targets.add({LocalClients::name(client), "A client of this server.",
                       [this, client](const std::string& line, WriteReach reach) { m_lines.executeAs(client, line, reach); }});
}

void Session::endClients() {
    if (!m_clients)
        return;
    m_viewAs = 0;
    m_sound.hear(0);
    m_console.commands().remove("audio.hear");
    for (std::size_t client = 1; client <= m_clients->count(); ++client)
        m_targets.remove(LocalClients::name(client));
    m_lines.dropOfClients();
    m_clients.reset();
}

Result<void> Session::viewAs(std::size_t client) {
    if (client > 0 && (!m_clients || client > m_clients->count()))
        return Error{m_clients ? "there is no client " + std::to_string(client) : "no other player takes part: there are no clients", {}, {}};
    if (client != m_viewAs) {
        simulationOf(m_viewAs).releaseInput(); // a player does not go on walking when another one is steered
        m_viewAs = client;
    }
    m_sound.hear(client); // what one sees
    return {};
}

std::shared_ptr<const NetworkView> Session::networkView() {
    if (m_server)
        return serverView();
    if (m_serverLink)
        return clientView();
    if (!m_clients)
        return nullptr;
    auto view = std::make_shared<NetworkView>();
    view->viewAs = m_viewAs;
    if (m_clients->server().ownKey())
        view->serverKey = fingerprint(*m_clients->server().ownKey());
    view->lastExcess = m_main.network().lastExcess();
    view->seconds = static_cast<double>(m_clients->network().now()) / static_cast<double>(net::Second);
    for (std::size_t i = 0; i < m_clients->count(); ++i) {
        net::Connection* const connection = m_clients->connection(i);
        NetworkPeerView peer = connection != nullptr ? peerView(*connection) : NetworkPeerView();
        peer.name = "client " + std::to_string(i + 1);
        peer.link = net::toText(m_clients->link(i));
        if (connection != nullptr)
            peer.player = world().nameOf(m_main.network().playerOf(connection->id()));
        m_clients->host(i).forEach([&](net::Connection& theirs) {
            peer.authenticated = theirs.authenticated();
            peer.bytesUp = theirs.counters().datagramBytesSent;
            peer.messagesWaited = theirs.channel().counters().guaranteedWaited;
        });
        view->peers.push_back(std::move(peer));
    }
    return view;
}

} // namespace sbx
