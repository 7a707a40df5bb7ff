#include "engine/components/network_system.h"

#include "engine/components/messages.h"
#include "engine/core/log.h"

#include <algorithm>
#include <cstring>

namespace sbx {

void NetworkSystem::attach(Setup setup) {
    SBX_EXPECT(setup.role != Role::Alone && setup.host != nullptr && setup.table != nullptr,
               "a network needs a role, a host and a table of messages");
    detach();
    m_setup = std::move(setup);
    // Another attachment is another session: its handles are not these.
    std::array<std::uint8_t, sizeof m_session> drawn{};
    net::secureEntropy(drawn);
    std::memcpy(&m_session, drawn.data(), sizeof m_session);
    if (m_setup.recorder != nullptr)
        m_tap = std::make_unique<net::NetRecorder::Tap>(*m_setup.recorder, *m_setup.host, m_setup.peerName,
                                                        this, m_setup.peerAddress);
}

void NetworkSystem::detach() {
    if (m_setup.host != nullptr)
        m_setup.host->forEach([](net::Connection& connection) { connection.close(); });
    m_tap.reset();
    m_setup = {};
    m_peers.clear();
    m_spare.clear();
    m_lastExcess.clear();
    m_denialsLogged = 0;
    m_denialLoggedAt = -net::Second;
    m_known.clear();
    m_slots.clear();
    m_freeSlots.clear();
    m_states = {};
    m_prediction.clear();
    m_settings.clear();
    m_byEntity.clear();
    m_player = {};
    m_started = false;
    m_full = false;
    m_structure = ~std::uint64_t{0}; // the next client receives everything
    m_lastInput = {};
    m_receiveTimes.clear();
    m_receiveTimes.reserve(MaxReceiveTimes);
    m_notForClients.clear();
}

void NetworkSystem::receive() {
    if (m_setup.role == Role::Alone)
        return;
    m_setup.pump();
    if (m_receiveTimes.size() == MaxReceiveTimes)
        m_receiveTimes.erase(m_receiveTimes.begin(), m_receiveTimes.begin() + MaxReceiveTimes / 2);
    m_receiveTimes.push_back(m_setup.host->clock());
    m_smoothing.advance(m_world.dt());
    if (m_setup.limits)
        m_limits = m_setup.limits();
    if (m_setup.role == Role::Server) {
        m_setup.host->setMaxPlayers(m_limits.players);
        m_states.setRate(m_limits.statesPerSecond);
    }
    for (std::size_t i = 0; i < m_peers.size(); ++i)
        if (net::Connection* const connection = m_setup.host->find(m_peers[i].connection))
            takeAll(i, *connection);
    if (m_setup.role != Role::Alone) // a handler may have ended it
        takeEvents();
    if (m_setup.role == Role::Server)
        logDenials();
}

void NetworkSystem::publish() {
    if (m_setup.role == Role::Alone)
        return;
    if (m_setup.role == Role::Server) {
        syncEntities();
        sendStates();
    } else {
        restoreStates();
        recordPrediction();
    }
    for (Peer& peer : m_peers) {
        sendInitialState(peer);
        sendBacklog(peer);
        while (!peer.handles.empty() && m_setup.host->state(peer.handles.front().handle) != net::HandleState::Pending)
            peer.handles.dropTo(peer.handles.firstPosition() + 1);
    }
    m_setup.pump();
    if (m_tap)
        m_tap->ticked(m_world.tickCount());
}

// ---------------------------------------------------------------------------------------------------- names

std::uint32_t NetworkSystem::wireEntity(EntityId entity) const {
    const auto found = m_byEntity.find(entity.bits);
    return found == m_byEntity.end() ? 0 : found->second;
}

EntityId NetworkSystem::worldEntity(std::uint32_t number) const {
    const auto found = m_known.find(number);
    return found == m_known.end() ? EntityId() : found->second.entity;
}

EntityId NetworkSystem::player() const {
    if (m_setup.role == Role::Client)
        return m_player;
    EntityId found;
    m_world.forEach([&](const Entity& entity) {
        const bool remote = std::any_of(m_peers.begin(), m_peers.end(),
                                        [&](const Peer& peer) { return peer.player == entity.id(); });
        if (!found && !remote && entity.type().name() == m_setup.playerType)
            found = entity.id();
    });
    return found;
}

EntityId NetworkSystem::playerOf(std::uint32_t connection) const {
    for (const Peer& peer : m_peers)
        if (peer.connection == connection)
            return peer.player;
    return {};
}

bool NetworkSystem::isPlayerOfClient(EntityId entity) const {
    return m_setup.role == Role::Server && m_world.alive(entity)
           && std::any_of(m_peers.begin(), m_peers.end(), [&](const Peer& peer) { return peer.player == entity; });
}

NetworkSystem::Backlog NetworkSystem::backlog(std::uint32_t connection) const {
    for (const Peer& peer : m_peers)
        if (peer.connection == connection)
            return {peer.backlog.size(), peer.backlogBytes};
    return {};
}

std::string_view NetworkSystem::typeName(std::uint16_t type) {
    const auto first = static_cast<std::uint16_t>(wire::Type::Component);
    if (type < first)
        return wire::nameOf(type);
    const std::size_t index = type - std::size_t{first};
    return index < m_setup.table->size() ? std::string_view(m_setup.table->type(index).name) : std::string_view();
}

std::string_view NetworkSystem::entityName(std::uint16_t type, net::ByteView body) {
    if (type == static_cast<std::uint16_t>(wire::Type::Setting))
        return {};
    net::ByteReader in(body);
    const std::uint32_t number = in.varint(); // all others that are about one begin with it
    if (const auto known = m_known.find(number); in.ok() && known != m_known.end())
        return known->second.name;
    if (type != static_cast<std::uint16_t>(wire::Type::Spawn))
        return {};
    in.varint(); // parent
    static_cast<void>(wire::readText(in));
    return wire::readText(in);
}

} // namespace sbx
