#include "engine/session/local_clients.h"

#include "engine/components/network_system.h"
#include "engine/core/typed_command.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

const net::Address ServerAddress = net::Address::v4(10, 0, 0, 1, 4000);

net::Address clientAddress(std::size_t client) {
    return net::Address::v4(10, 0, 1, static_cast<std::uint8_t>(1 + client), 5000);
}

// Keys of a network that nobody can reach, the same on every run.
net::Entropy repeatable(std::uint64_t seed) {
    return [random = Random(seed)](std::span<std::uint8_t> out) mutable {
        for (std::uint8_t& byte : out)
            byte = static_cast<std::uint8_t>(random.next() >> 11U);
    };
}

std::string targetName(std::size_t client) { return "client" + std::to_string(client + 1); }

} // namespace

LocalClients::LocalClients(Session& server, Log& log, std::size_t count, const net::LinkProfile& link, std::uint64_t seed,
                           bool traced)
    : m_server(server), m_network(seed) {
    SBX_EXPECT(count <= 200, "at most 200 simulated clients");
    net::HostSettings settings;
    settings.identity = server.networkIdentity();
    settings.maxPerNetwork = settings.maxConnections;
    settings.tickRate = static_cast<std::uint16_t>(std::lround(server.tickRate()));
    net::HostSettings listening = settings;
    listening.listens = true;
    net::Key secret{};
    repeatable(seed * 11 + 3)(secret);
    const net::KeyPair key = net::makeKeyPair(secret); // of this game alone: its clients are sure whose they are
    listening.fixedKey = key;
    m_host = std::make_unique<net::Host>(listening, m_network.open(ServerAddress), repeatable(seed * 3 + 1), m_network.now());
    NetworkSystem::Setup setup;
    setup.role = NetworkSystem::Role::Server;
    setup.host = m_host.get();
    setup.pump = [this] { m_host->update(m_network.now()); };
    setup.players = static_cast<unsigned>(count);
    setup.peerAddress = ServerAddress.toString();
    server.joinNetwork(std::move(setup));
    for (std::size_t i = 0; i < count; ++i) {
        Client client;
        client.address = clientAddress(i);
        client.host = std::make_unique<net::Host>(settings, m_network.open(client.address), repeatable(seed * 5 + i + 7),
                                                  m_network.now());
        client.session = std::make_unique<Session>(log);
        Session& session = *client.session;
        static_cast<void>(session.console().cvars().setValue("trace.enabled", Value(traced), CVarSource::CommandLine));
        session.setSide(Side::Client);
        session.shareMeshes(server.meshes());
        session.open(server.content());
        session.play();
        NetworkSystem::Setup own;
        own.role = NetworkSystem::Role::Client;
        own.host = client.host.get();
        own.pump = [host = client.host.get(), this] { host->update(m_network.now()); };
        own.playerName = "player " + std::to_string(i + 1);
        own.peerName = "client " + std::to_string(i + 1);
        own.peerAddress = client.address.toString();
        own.recorder = &server.netRecorder(); // one time, one place
        own.logsChat = false;                 // the server's line is in the same log
        session.joinNetwork(std::move(own));
        client.host->connect(ServerAddress, net::Host::Introduction{.expected = key.open, .password = {}});
        addTarget(i, session);
        m_clients.push_back(std::move(client));
    }
    setLink(count, link);
    addCommand(server.console().commands(), "audio.hear", "Hears the world of a client; alone: the server's.",
               {{.name = "client", .doc = "Its number.", .minimum = 1, .maximum = static_cast<double>(count)}},
               [this](std::optional<int> client) {
                   m_server.hear(client ? m_clients[static_cast<std::size_t>(*client) - 1].session.get() : nullptr);
               });
    server.setLocalClients(this);
}

// Lines for a client run at once, as it lives on the server's thread; what they print is heard where the server's is.
void LocalClients::addTarget(std::size_t which, Session& client) {
    const std::string name = targetName(which);
    client.console().setChannel(name);
    client.setReplyHandler([this, name](const ConsoleReply& reply) {
        ConsoleReply told;
        told.ok = reply.ok;
        for (const std::string& line : reply.lines)
            told.lines.push_back(name + ": " + line);
        m_server.noteReply(told);
    });
    m_server.targets().add({name, "A client of this server.",
                            [&client](const std::string& line, WriteReach reach) {
                                client.execute(line, CVarSource::Console, reach);
                            },
                            [&client](std::string_view text, std::size_t cursor) {
                                return client.console().complete(text, cursor);
                            }});
}

LocalClients::~LocalClients() {
    m_server.console().commands().remove("audio.hear");
    m_server.setLocalClients(nullptr);
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        m_server.targets().remove(targetName(i));
    m_server.network().detach();
    for (Client& client : m_clients)
        client.session->network().detach();
}

void LocalClients::setLink(std::size_t which, const net::LinkProfile& link) {
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        if (which == i || which >= m_clients.size()) {
            m_clients[i].link = link;
            applyLink(i);
        }
}

net::Connection* LocalClients::connection(std::size_t client) {
    net::Connection* found = nullptr;
    m_host->forEach([&](net::Connection& connection) {
        if (connection.peer() == m_clients[client].address)
            found = &connection;
    });
    return found;
}

void LocalClients::applyLink(std::size_t which) {
    Client& client = m_clients[which];
    net::LinkProfile link = client.link;
    m_server.linkCVars().overlay(link);
    client.session->linkCVars().overlay(link);
    if (link == this->link(which))
        return;
    m_network.direction(client.address, ServerAddress).setSettings(link.up);
    m_network.direction(ServerAddress, client.address).setSettings(link.down);
    if (net::NetRecorder::Tap* tap = client.session->network().tap())
        tap->linkChanged(net::toText(link));
}

const net::Address& LocalClients::serverAddress() const { return ServerAddress; }

net::LinkProfile LocalClients::link(std::size_t client) {
    const net::Address& address = m_clients[client].address;
    return {m_network.direction(address, ServerAddress).settings(),
            m_network.direction(ServerAddress, address).settings()};
}

void LocalClients::followCVars() {
    std::uint64_t revision = m_server.linkCVars().revision();
    for (const Client& client : m_clients)
        revision += client.session->linkCVars().revision();
    if (revision == m_revision)
        return;
    m_revision = revision;
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        applyLink(i);
}

void LocalClients::updateHosts() {
    m_host->update(m_network.now());
    for (Client& client : m_clients)
        client.host->update(m_network.now());
}

void LocalClients::tick() {
    ++m_ticks;
    followCVars();
    const auto until =
        static_cast<net::Time>(static_cast<double>(m_ticks) * static_cast<double>(net::Second) / m_server.tickRate());
    // Whatever is due in between happens when it is due, in any of the worlds.
    for (;;) {
        updateHosts();
        net::Time next = std::min(m_network.nextDue(), m_host->nextTimer());
        for (Client& client : m_clients)
            next = std::min(next, client.host->nextTimer());
        if (next > until)
            break;
        m_network.advance(std::max(next, m_network.now()));
    }
    m_network.advance(std::max(until, m_network.now()));
    updateHosts();
    // Nobody looks at the clients, but completion asks for the names that are there: once a second will do.
    const bool publish = m_ticks % static_cast<std::uint64_t>(std::max(1L, std::lround(m_server.tickRate()))) == 0;
    for (Client& client : m_clients) {
        client.session->tick();
        if (publish)
            client.session->publish();
    }
}

} // namespace sbx
