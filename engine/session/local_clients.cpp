#include "engine/session/local_clients.h"

#include "engine/components/network_system.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {

const net::Address ServerAddress = net::Address::v4(10, 0, 0, 1, 4000);

net::Address clientAddress(std::size_t client) {
    return net::Address::v4(10, 0, 1, static_cast<std::uint8_t>(1 + client), 5000);
}

// Keys of a network that exists only inside this program, the same on every run.
net::Entropy repeatable(std::uint64_t seed) {
    return [random = Random(seed)](std::span<std::uint8_t> out) mutable {
        for (std::uint8_t& byte : out)
            byte = static_cast<std::uint8_t>(random.next() >> 11U);
    };
}

} // namespace

LocalClients::Client::Client(const LocalClientsHome& home, const CVarRegistry& declarations)
    : cvars(registry), simulation(home.log, recorder, home.netRecorder, home.meshes, home.sounds) {
    registry.addDeclarationsOf(declarations);
    registry.setNotifier([&log = home.log](const CVarInfo& cvar) {
        log.warning("cvar", cvar.field.name + " = " + cvar.shown() + ", set by " + cvar.setBy());
    });
}

LocalClients::LocalClients(const LocalClientsHome& home, const LocalClientsSetup& setup)
    : m_home(home), m_network(setup.seed) {
    SBX_EXPECT(setup.count <= 200, "at most 200 simulated clients");
    Simulation& server = home.server;
    const std::uint64_t seed = setup.seed;
    net::HostSettings settings;
    settings.identity = server.networkIdentity();
    settings.maxPerNetwork = settings.maxConnections;
    settings.tickRate = static_cast<std::uint16_t>(std::lround(server.world().desc().tickRate));
    net::HostSettings listening = settings;
    listening.listens = true;
    net::Key secret{};
    repeatable(seed * 11 + 3)(secret);
    const net::KeyPair key =
        net::makeKeyPair(secret); // of this game alone: its clients know which server they expect
    listening.fixedKey = key;
    m_host = std::make_unique<net::Host>(listening, m_network.open(ServerAddress), repeatable(seed * 3 + 1),
                                         m_network.now());
    NetworkSetup own;
    own.role = NetworkSystem::Role::Server;
    own.host = m_host.get();
    own.pump = [this] { m_host->update(m_network.now()); };
    own.players = static_cast<unsigned>(setup.count);
    own.peerAddress = ServerAddress.toString();
    own.limits = [&cvars = home.serverCVars, most = settings.maxConnections] {
        NetworkLimits limits = cvars.limits();
        limits.players = most; // they were asked for here
        return limits;
    };
    server.join(std::move(own));
    for (std::size_t i = 0; i < setup.count; ++i) {
        auto made = std::make_unique<Client>(home, home.serverCVars.registry());
        Client& client = *made;
        client.address = clientAddress(i);
        client.host = std::make_unique<net::Host>(settings, m_network.open(client.address),
                                                  repeatable(seed * 5 + i + 7), m_network.now());
        Diagnostics known; // the server's registry has reported them
        applyProjectCVars(client.registry, server.content().get(), known);
        client.recorder.setEnabled(setup.traced);
        client.simulation.setSide(Side::Client);
        client.simulation.setName(name(i + 1));
        client.simulation.setContent(server.content(), server.catalog());
        client.cvars.bind(client.simulation);
        client.simulation.build(client.cvars.latch());
        NetworkSetup theirs;
        theirs.role = NetworkSystem::Role::Client;
        theirs.host = client.host.get();
        theirs.pump = [host = client.host.get(), this] { host->update(m_network.now()); };
        theirs.playerName = "player " + std::to_string(i + 1);
        theirs.peerName = "client " + std::to_string(i + 1);
        theirs.peerAddress = client.address.toString();
        theirs.limits = [&cvars = client.cvars] { return cvars.limits(); };
        theirs.logsChat = false; // the server's line is in the same log
        client.simulation.join(std::move(theirs));
        client.host->connect(ServerAddress, net::Host::Introduction{.expected = key.open, .password = {}});
        m_clients.push_back(std::move(made));
    }
    setLink(setup.count, setup.link);
}

LocalClients::~LocalClients() {
    m_home.server.network().detach();
    for (const auto& client : m_clients)
        client->simulation.network().detach();
}

void LocalClients::follow(bool cvars) {
    for (const auto& client : m_clients) {
        client->simulation.follow(m_home.server.content(), m_home.server.catalog(), false);
        Diagnostics known; // the server's registry has reported them
        if (cvars)
            applyProjectCVars(client->registry, m_home.server.content().get(), known);
    }
}

void LocalClients::setLink(std::size_t which, const net::LinkProfile& link) {
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        if (which == i || which >= m_clients.size()) {
            at(i).link = link;
            applyLink(i);
        }
}

net::Connection* LocalClients::connection(std::size_t client) {
    net::Connection* found = nullptr;
    m_host->forEach([&](net::Connection& connection) {
        if (connection.peer() == at(client).address)
            found = &connection;
    });
    return found;
}

void LocalClients::applyLink(std::size_t which) {
    Client& client = at(which);
    net::LinkProfile link = client.link;
    m_home.serverCVars.link().overlay(link);
    client.cvars.link().overlay(link);
    if (link == this->link(which))
        return;
    m_network.direction(client.address, ServerAddress).setSettings(link.up);
    m_network.direction(ServerAddress, client.address).setSettings(link.down);
    if (net::NetRecorder::Tap* tap = client.simulation.network().tap())
        tap->linkChanged(net::toText(link));
}

const net::Address& LocalClients::serverAddress() const { return ServerAddress; }

net::LinkProfile LocalClients::link(std::size_t client) {
    const net::Address& address = at(client).address;
    return {m_network.direction(address, ServerAddress).settings(),
            m_network.direction(ServerAddress, address).settings()};
}

void LocalClients::followCVars() {
    std::uint64_t revision = m_home.serverCVars.revision();
    for (const auto& client : m_clients)
        revision += client->cvars.revision();
    if (revision == m_revision)
        return;
    m_revision = revision;
    for (std::size_t i = 0; i < m_clients.size(); ++i)
        applyLink(i);
}

void LocalClients::updateHosts() {
    m_host->update(m_network.now());
    for (const auto& client : m_clients)
        client->host->update(m_network.now());
}

void LocalClients::tick() {
    ++m_ticks;
    followCVars();
    const auto until = static_cast<net::Time>(static_cast<double>(m_ticks) * static_cast<double>(net::Second)
                                              / m_home.server.world().desc().tickRate);
    // What is due in between happens when it is due, in any of the worlds.
    for (;;) {
        updateHosts();
        net::Time next = std::min(m_network.nextDue(), m_host->nextTimer());
        for (const auto& client : m_clients)
            next = std::min(next, client->host->nextTimer());
        if (next > until)
            break;
        m_network.advance(std::max(next, m_network.now()));
    }
    m_network.advance(std::max(until, m_network.now()));
    updateHosts();
    for (const auto& client : m_clients)
        client->simulation.tick();
}

} // namespace sbx
