// Peers that join and leave: what a new peer is sent, which player belongs to which peer, when the game begins.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/core/log.h"

#include <algorithm>

namespace sbx {

namespace {

// How a connection ended, as the end of a sentence about the peer.
const char* endText(net::CloseReason reason) {
    switch (reason) {
    case net::CloseReason::Closed:
        return "has left";
    case net::CloseReason::Timeout:
        return "has timed out: nothing was received from it for too long";
    case net::CloseReason::Undeliverable:
        return "has timed out: it acknowledged nothing for too long";
    case net::CloseReason::Rate:
        return "was disconnected: it sent too many messages";
    case net::CloseReason::Backlog:
        return "was disconnected: too many messages waited for it";
    case net::CloseReason::NotAuthenticated:
        return "was disconnected: it did not authenticate itself";
    case net::CloseReason::Protocol:
    case net::CloseReason::FlowControl:
    case net::CloseReason::DependencyStalled:
        return "was disconnected: the protocol was broken";
    default:
        return "has disconnected";
    }
}

// Why a connection was denied, as the end of a sentence; null: not logged.
const char* denialText(net::CloseReason reason) {
    switch (reason) {
    case net::CloseReason::DeniedPassword:
        return "its password is wrong or missing";
    case net::CloseReason::DeniedTable:
        return "it has other components, definitions or another scene";
    case net::CloseReason::DeniedVersion:
        return "it speaks another version of the protocol";
    case net::CloseReason::DeniedFull:
        return "the limit of clients is reached, in total or for its address";
    default:
        return nullptr; // it was refused before, and is still
    }
}

} // namespace

void NetworkSystem::logDenials() {
    const net::Host& host = *m_setup.host;
    const net::Host::Denial& last = host.lastDenial();
    const std::uint64_t denied = host.counters().denied;
    if (denied == m_denialsLogged || host.clock() - m_denialLoggedAt < net::Second)
        return;
    const std::uint64_t others = denied - m_denialsLogged - 1;
    m_denialsLogged = denied;
    const char* const why = denialText(last.reason);
    if (why == nullptr)
        return;
    m_denialLoggedAt = host.clock();
    m_world.log().warning(
        "network", last.peer.toString() + " was not let in: " + why
                       + (others > 0 ? " (" + std::to_string(others) + " more were refused meanwhile)" : ""));
}

void NetworkSystem::takeEvents() {
    net::ConnectionEvent event;
    while (m_setup.host->nextEvent(event)) {
        if (event.kind == net::ConnectionEvent::Kind::Connected)
            join(event.connection);
        else
            leave(event.connection, event.reason);
    }
}

void NetworkSystem::join(std::uint32_t connection) {
    if (m_setup.role == Role::Client) {
        m_peers.push_back({});
        m_peers.back().connection = connection;
        return;
    }
    syncEntities();
    SpawnRequest request;
    request.type = m_world.findType(m_setup.playerType);
    request.name = "player";
    if (const Entity host = m_world.find(player())) {
        // Beside the host's own, each a step further; behind eight begins a new row.
        constexpr float Step = 1.2F; // m
        constexpr std::size_t Row = 8;
        request.pose = host.pose();
        request.pose.position += Vec3(Step * static_cast<float>(m_peers.size() % Row + 1), 0.2F, Step * static_cast<float>(m_peers.size() / Row));
    }
    Peer peer;
    peer.connection = connection;
    const net::Connection* const own = m_setup.host->find(connection);
    const bool observes = own != nullptr && own->observes();
    if (request.type != nullptr && !observes)
        peer.player = m_world.spawn(request);
    syncEntities(); // existing clients get the new player
    m_peers.push_back(std::move(peer));
    Peer& joined = m_peers.back();
    for (const auto& [number, known] : m_known)
        joined.states.note(known.slot, number);
    if (GetOwner question; m_world.alive(joined.player) && joined.player) {
        m_world.send(joined.player, question);
        if (question.mayChange)
            m_world.send(joined.player, SetOwner{joined.player});
    }
    beginInitialState(joined);
    sendInitialState(joined);
    if (const std::uint32_t number = wireEntity(joined.player); number != 0) {
        static_cast<void>(m_world.setEnabled(joined.player, "Camera", false)); // its view is the client's
        wire::Room room;
        net::ByteWriter body(room);
        body.varint(number);
        Outgoing welcome;
        write(welcome, wire::Type::Welcome, body);
        welcome.number = ++m_lastNumber;
        welcome.needs.push_back(m_known.at(number).spawn);
        sendTo(joined, welcome);
    }
    joined.address = own != nullptr ? own->peer().toString() : std::string("a client");
    m_world.log().info("network", joined.address + (observes ? " has joined as an observer" : " has joined") + connectedText());
}

// Notes that the whole present state is to be sent: entities, settings and player names, in the order in which they were created.
void NetworkSystem::beginInitialState(Peer& joined) {
    InitialState& initial = joined.initial;
    initial.complete = false;
    initial.end = m_lastNumber;
    for (const auto& [name, setting] : m_settings)
        initial.others.push_back(setting.number);
    for (const Peer& other : m_peers)
        if (other.info != 0 && wireEntity(other.player) != 0)
            initial.others.push_back(other.info);
    std::sort(initial.others.begin(), initial.others.end());
    // What the others executed long ago is still on its way to this one: nothing may end before it.
    for (auto& [number, known] : m_known) {
        const Entity entity = m_world.find(known.entity);
        if (const std::uint32_t parent = wireEntity(entity.parent()); parent != 0)
            m_known.at(parent).recent.add(*this, {m_session, known.spawn});
    }
    for (const Peer& other : m_peers)
        if (const std::uint32_t number = wireEntity(other.player); other.info != 0 && number != 0)
            m_known.at(number).recent.add(*this, {m_session, other.info});
}

// Sends as much of it as the window has room for. Entities are numbered in the order in which they were announced.
void NetworkSystem::sendInitialState(Peer& joined) {
    InitialState& initial = joined.initial;
    while (!initial.complete && !joined.ended) {
        const auto known = m_known.upper_bound(initial.entity);
        const bool entity = known != m_known.end() && known->second.spawn <= initial.end;
        const bool other = initial.othersSent < initial.others.size();
        if (!entity && !other) {
            initial.complete = true;
            initial.others = {};
            return;
        }
        if (entity && (!other || known->second.spawn < initial.others[initial.othersSent])) {
            writeSpawn(m_initialMessage, known->first);
            if (!transmit(joined, m_initialMessage))
                return;
            initial.entity = known->first;
            initial.last = known->second.spawn;
        } else {
            const std::uint64_t number = initial.others[initial.othersSent];
            if (writeInitialState(number) && !transmit(joined, m_initialMessage))
                return;
            ++initial.othersSent;
            initial.last = number;
        }
    }
}

// False: it was replaced by a newer value, which is sent later.
bool NetworkSystem::writeInitialState(std::uint64_t number) {
    for (const auto& [name, setting] : m_settings)
        if (setting.number == number)
            return writeSetting(m_initialMessage, name, setting);
    for (const Peer& other : m_peers) {
        const std::uint32_t player = other.info == number ? wireEntity(other.player) : 0;
        if (player == 0)
            continue;
        writeMessage(m_initialMessage, player, messageIdOf<PlayerInfo>(), &other.name);
        m_initialMessage.number = number;
        m_initialMessage.needs.push_back(m_known.at(player).spawn);
        return true;
    }
    return false;
}

void NetworkSystem::leave(std::uint32_t connection, net::CloseReason reason) {
    m_closeReason = reason;
    const auto peer =
        std::find_if(m_peers.begin(), m_peers.end(), [&](const Peer& p) { return p.connection == connection; });
    if (peer == m_peers.end())
        return;
    const EntityId gone = peer->player;
    const std::string who = m_setup.role == Role::Client ? std::string("the server")
                            : peer->info == 0            ? peer->address
                                                         : nameOf(*peer) + " (" + peer->address + ")";
    dropWaiting(*peer);
    m_peers.erase(peer);
    if (m_setup.role == Role::Server && gone)
        m_world.destroy(gone);
    m_world.log().info("network", who + " " + endText(reason) + connectedText());
}

std::string NetworkSystem::connectedText() const {
    if (m_setup.role != Role::Server)
        return {};
    return "; " + std::to_string(m_peers.size())
           + (m_peers.size() == 1 ? " client is connected" : " clients are connected");
}

std::string NetworkSystem::nameOf(const Peer& peer) { return "\"" + peer.name.name.string() + "\""; }

void NetworkSystem::takePlayerInfo(std::size_t peer, const PlayerInfo& info) {
    const bool first = m_peers[peer].info == 0;
    m_peers[peer].info = send(m_peers[peer].player, info).handle.number;
    m_peers[peer].name = info;
    if (first) // once: a client may call itself something else every second
        m_world.log().info("network", m_peers[peer].address + " is " + nameOf(m_peers[peer]));
    std::vector<NetHandle> infos;
    for (const Peer& other : m_peers)
        if (other.info != 0)
            infos.push_back({m_session, other.info});
    if (m_started || m_setup.players == 0 || infos.size() < m_setup.players)
        return;
    m_started = true;
    GameStart start;
    start.players = static_cast<int>(infos.size());
    for (const Peer& other : m_peers)
        if (other.info != 0)
            send(other.player, start, infos);
    m_world.log().info("network", "the game begins with " + std::to_string(infos.size()) + " players");
}

// Of all players' eyes the client looks through its own; who observes has none, and looks through the first.
void NetworkSystem::chooseCamera() {
    EntityId eyes = m_player;
    for (const auto& [number, known] : m_known)
        if (const Entity entity = m_world.find(known.entity); entity && entity.type().name() == m_setup.playerType) {
            if (!eyes && m_setup.observes)
                eyes = known.entity;
            static_cast<void>(m_world.setEnabled(known.entity, "Camera", known.entity == eyes));
        }
}

} // namespace sbx
