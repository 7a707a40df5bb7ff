// Who comes and goes: what a peer is told when it joins, whose player is whose, when the game begins.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/core/log.h"

#include <algorithm>

namespace sbx {

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
    followStructure();
    SpawnRequest request;
    request.type = m_world.findType(m_setup.playerType);
    request.name = "player";
    if (const Entity host = m_world.find(player())) {
        // Beside the host's own, each a step further.
        request.pose = host.pose();
        request.pose.position += Vec3(1.2F * static_cast<float>(m_peers.size() + 1), 0.2F, 0.0F);
    }
    Peer peer;
    peer.connection = connection;
    if (request.type != nullptr)
        peer.player = m_world.spawn(request);
    followStructure(); // those who are here hear of it
    m_peers.push_back(std::move(peer));
    Peer& joined = m_peers.back();
    beginPast(joined);
    tellPast(joined);
    if (const std::uint32_t number = wireEntity(joined.player); number != 0) {
        static_cast<void>(m_world.setEnabled(joined.player, "Camera", false)); // its view is the client's
        wire::Room room;
        net::ByteWriter body(room);
        body.varint(number);
        Outgoing welcome;
        write(welcome, wire::Type::Welcome, body);
        welcome.number = ++m_lastNumber;
        welcome.needs.push_back(m_known.at(number).spawn);
        tell(joined, welcome);
    }
    m_world.log().info("network", "player " + std::to_string(m_peers.size()) + " has joined");
}

// Everything that is, and who everybody is, will be told in the order in which it came.
void NetworkSystem::beginPast(Peer& joined) {
    Past& past = joined.past;
    past.told = false;
    past.end = m_lastNumber;
    for (const auto& [name, setting] : m_settings)
        past.others.push_back(setting.number);
    for (const Peer& other : m_peers)
        if (other.info != 0 && wireEntity(other.player) != 0)
            past.others.push_back(other.info);
    std::sort(past.others.begin(), past.others.end());
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

// As much of it as the window has room for. Entities have numbers in the order in which they were told of.
void NetworkSystem::tellPast(Peer& joined) {
    Past& past = joined.past;
    while (!past.told && !joined.ended) {
        const auto known = m_known.upper_bound(past.entity);
        const bool entity = known != m_known.end() && known->second.spawn <= past.end;
        const bool other = past.othersTold < past.others.size();
        if (!entity && !other) {
            past.told = true;
            past.others = {};
            return;
        }
        if (entity && (!other || known->second.spawn < past.others[past.othersTold])) {
            writeSpawn(m_past, known->first);
            if (!transmit(joined, m_past))
                return;
            past.entity = known->first;
            past.last = known->second.spawn;
        } else {
            const std::uint64_t number = past.others[past.othersTold];
            if (writePast(number) && !transmit(joined, m_past))
                return;
            ++past.othersTold;
            past.last = number;
        }
    }
}

// False: it no longer holds, and what does is told later.
bool NetworkSystem::writePast(std::uint64_t number) {
    for (const auto& [name, setting] : m_settings)
        if (setting.number == number)
            return writeSetting(m_past, name, setting);
    for (const Peer& other : m_peers) {
        const std::uint32_t player = other.info == number ? wireEntity(other.player) : 0;
        if (player == 0)
            continue;
        writeMessage(m_past, player, messageIdOf<PlayerInfo>(), &other.name);
        m_past.number = number;
        m_past.needs.push_back(m_known.at(player).spawn);
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
    dropWaiting(*peer);
    m_peers.erase(peer);
    if (m_setup.role == Role::Server && gone)
        m_world.destroy(gone);
    m_world.log().info("network", "a connection has ended, " + std::to_string(m_peers.size()) + " left");
}

void NetworkSystem::takePlayerInfo(std::size_t peer, const PlayerInfo& info) {
    m_peers[peer].info = send(m_peers[peer].player, info).handle.number;
    m_peers[peer].name = info;
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

// Of all players' eyes the client looks through its own.
void NetworkSystem::chooseCamera() {
    for (const auto& [number, known] : m_known)
        if (const Entity entity = m_world.find(known.entity); entity && entity.type().name() == m_setup.playerType)
            static_cast<void>(m_world.setEnabled(known.entity, "Camera", known.entity == m_player));
}

} // namespace sbx
