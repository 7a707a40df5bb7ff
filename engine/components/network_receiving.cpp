// Receiving, with checks: a message is read completely before anything changes, and each peer may only change what is its own.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/core/log.h"

#include <algorithm>
#include <optional>

namespace sbx {

namespace {
constexpr float MinWhole = 1e-6F; // scale with that of all parents: what is smaller cannot be divided by
constexpr int MaxDepth = 256;     // parents: a pose is carried to children one by one
} // namespace

void NetworkSystem::takeAll(std::size_t peer, net::Connection& connection) {
    const bool server = m_setup.role == Role::Server;
    if (server)
        m_peers[peer].rates.refill(m_limits, m_world.desc().tickRate, m_setup.host->clock());
    net::ReceivedMessage delivery;
    for (std::uint32_t taken = 0; peer < m_peers.size() && !m_peers[peer].ended
                                  && (!server || taken < m_limits.takenPerTick) && connection.next(delivery);
         ++taken) {
        Verdict verdict;
        if (server && !takeRate(m_peers[peer].rates, delivery.type)) {
            verdict = {Verdict::Kind::TooMany, "more messages than the rate limit allows"};
        } else {
            if (server && isInput(delivery.type)) {
                ++m_peers[peer].inputs; // taken or not, as the client counts what it sent
                m_peers[peer].inputTick = m_world.tickCount();
            }
            verdict = take(peer, delivery);
        }
        if (verdict.kind != Verdict::Kind::Taken && peer < m_peers.size())
            judge(m_peers[peer], connection, delivery.type, verdict);
    }
}

bool NetworkSystem::isInput(std::uint16_t wireType) const {
    const auto first = static_cast<std::uint16_t>(wire::Type::Component);
    const std::size_t index = wireType - std::size_t{first};
    return wireType >= first && index < m_setup.table->size() && m_setup.table->type(index).id == messageIdOf<Input>();
}

bool NetworkSystem::takeRate(NetworkRates& rates, std::uint16_t wireType) const {
    const auto first = static_cast<std::uint16_t>(wire::Type::Component);
    const std::size_t index = wireType - std::size_t{first};
    if (wireType < first || index >= m_setup.table->size())
        return rates.take(NetworkRates::Kind::Other);
    const MessageType& type = m_setup.table->type(index);
    return type.id == messageIdOf<Input>()        ? rates.take(NetworkRates::Kind::Input)
           : type.id == messageIdOf<Chat>()       ? rates.take(NetworkRates::Kind::Chat)
           : type.id == messageIdOf<PlayerInfo>() ? rates.take(NetworkRates::Kind::PlayerInfo)
           : type.fromClient                      ? rates.take(type)
                                                  : rates.take(NetworkRates::Kind::Other);
}

std::optional<ClientRights> NetworkSystem::rightsOf(const MessageType& type) {
    if (type.id == messageIdOf<Chat>() || type.id == messageIdOf<PlayerInfo>() || type.id == messageIdOf<Input>())
        return ClientRights(); // their rates are CVars: NetworkLimits
    return type.fromClient;
}

bool NetworkSystem::owns(const Peer& peer, EntityId entity) {
    GetOwner question;
    m_world.send(entity, question);
    return question.owner && question.owner == peer.player;
}

// The first tick whose clock is not before `arrived` could have taken it.
std::uint64_t NetworkSystem::ticksSince(net::Time arrived) const {
    const auto first = std::lower_bound(m_receiveTimes.begin(), m_receiveTimes.end(), arrived);
    return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(m_receiveTimes.end() - first, 1) - 1);
}

std::string NetworkSystem::describe(const Peer& peer) const {
    if (m_setup.role == Role::Client)
        return "the server";
    const std::string player = m_world.nameOf(peer.player);
    return player.empty() ? "a client" : "the client of " + player;
}

// What waits for it is let go at once.
void NetworkSystem::expel(Peer& peer, net::CloseReason reason) {
    peer.ended = true;
    dropWaiting(peer);
    if (net::Connection* const connection = m_setup.host->find(peer.connection)) {
        if (m_setup.role == Role::Server && m_limits.banSeconds > 0.0)
            m_setup.host->refuse(connection->peer(), static_cast<net::Time>(m_limits.banSeconds * 1e9));
        connection->close(reason);
    }
}

// Counts a rejected message, logs each reason once for a peer, and ends the connection with a peer that breaks the protocol.
void NetworkSystem::judge(Peer& peer, net::Connection& connection, std::uint16_t type, const Verdict& verdict) {
    const bool tooMany = verdict.kind == Verdict::Kind::TooMany;
    const bool ends = tooMany || verdict.kind == Verdict::Kind::Broken;
    if (verdict.kind == Verdict::Kind::Unknown) {
        ++m_counters.unknownReceiver; // not an error: the entity may have been removed meanwhile
        return;
    }
    if (tooMany) {
        ++m_counters.rateExceeded;
    } else if (verdict.kind == Verdict::Kind::Refused) {
        ++m_counters.refused;
    } else {
        ++m_counters.malformed;
        connection.channel().handlerFailed();
    }
    const std::string_view name = typeName(type);
    const std::string what =
        describe(peer) + " has sent " + (name.empty() ? "an unknown message" : std::string(name)) + ": " + verdict.why;
    if (tooMany)
        m_lastExcess = what;
    if (std::find(peer.complaints.begin(), peer.complaints.end(), verdict.why) == peer.complaints.end()) {
        peer.complaints.push_back(verdict.why);
        m_world.log().warning(
            "network",
            what + (ends ? "; the connection ends" : "; it is ignored, and the next ones are not logged"));
    }
    if (ends)
        expel(peer, tooMany ? net::CloseReason::Rate : net::CloseReason::Protocol);
}

NetworkSystem::Verdict NetworkSystem::take(std::size_t peer, const net::ReceivedMessage& delivery) {
    net::ByteReader in(delivery.body.bytes());
    const auto first = static_cast<std::uint16_t>(wire::Type::Component);
    const auto type = static_cast<wire::Type>(delivery.type);
    if (delivery.type < first && wire::nameOf(delivery.type).empty())
        return {Verdict::Kind::Broken, "there is no message of that type"};
    if (delivery.guaranteed == (type == wire::Type::State || type == wire::Type::OwnState))
        return {Verdict::Kind::Broken,
                "wrong delivery class; expected states unguaranteed and everything else guaranteed"};
    if (delivery.type >= first)
        return takeMessage(peer, delivery.type - std::size_t{first}, delivery, in);
    if (type == wire::Type::Gather)
        return in.remaining() == 0 ? Verdict{} : Verdict{Verdict::Kind::Broken, "it must not have a body"};
    if (m_setup.role != Role::Client)
        return {Verdict::Kind::Refused, "only the server may send entities, states and settings"};
    switch (type) {
    case wire::Type::Spawn:
        return takeSpawn(in);
    case wire::Type::Despawn:
        return takeDespawn(in);
    case wire::Type::State:
    case wire::Type::OwnState:
        return takeState(in, type == wire::Type::OwnState);
    case wire::Type::Welcome:
        return takeWelcome(in);
    default:
        return takeSetting(in);
    }
}

NetworkSystem::Verdict NetworkSystem::takeSpawn(net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    const std::uint32_t parentNumber = in.varint();
    const std::string type(wire::readText(in));
    const std::string name(wire::readText(in));
    if (!in.ok())
        return {Verdict::Kind::Broken, "its type or name is not plain UTF-8 text"};
    Pose pose;
    wire::readPlace(in, pose.position, pose.rotation);
    pose.scale = wire::readScale(in);
    if (!in.ok() || in.remaining() != 0)
        return {Verdict::Kind::Broken, "its position or scale is out of the world's range"};
    if (number == 0 || m_known.contains(number))
        return {Verdict::Kind::Broken, "its entity number is 0 or already in use"};
    if (m_known.size() >= wire::MaxEntities)
        return {Verdict::Kind::Broken, "there are more entities than the protocol allows"};
    const auto parent = m_known.find(parentNumber);
    if (parentNumber != 0 && parent == m_known.end())
        return {Verdict::Kind::Unusable, "its parent does not exist here"};
    SpawnRequest request = m_setup.make(type, name);
    if (request.type == nullptr)
        return {Verdict::Kind::Unusable, "this project does not define its type"};
    request.name = name;
    request.pose = pose;
    request.parent = parentNumber != 0 ? parent->second.entity : EntityId();
    if (const Entity above = m_world.find(request.parent)) {
        int depth = 1;
        for (Entity up = m_world.find(above.parent()); up; up = m_world.find(up.parent()))
            if (++depth > MaxDepth)
                return {Verdict::Kind::Unusable, "it has too many ancestors"};
        const Pose whole = compose(above.pose(), pose);
        const auto sized = [](float s) { return s >= MinWhole && s <= wire::MaxCoordinate; };
        if (!wire::isValidPlace(whole.position, whole.rotation) || !sized(whole.scale.x)
            || !sized(whole.scale.y) || !sized(whole.scale.z))
            return {Verdict::Kind::Unusable,
                    "together with its parent, its position or scale is out of the world's range"};
    }
    const EntityId id = m_world.spawn(request);
    Known& known = m_known[number];
    known.entity = id;
    known.name = name;
    m_byEntity[id.bits] = number;
    m_smoothing.reserve(id);
    ++m_counters.spawned;
    if (type == m_setup.playerType)
        chooseCamera();
    return {};
}

NetworkSystem::Verdict NetworkSystem::takeDespawn(net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    if (!in.ok() || in.remaining() != 0)
        return {Verdict::Kind::Broken, "its entity number cannot be read"};
    const auto known = m_known.find(number);
    if (known == m_known.end())
        return {Verdict::Kind::Unknown};
    const EntityId gone = known->second.entity;
    m_byEntity.erase(gone.bits);
    m_known.erase(known);
    m_world.destroy(gone);
    ++m_counters.despawned;
    if (m_setup.observes)
        chooseCamera(); // it may have looked through this one
    return {};
}

NetworkSystem::Verdict NetworkSystem::takeWelcome(net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    if (!in.ok() || in.remaining() != 0)
        return {Verdict::Kind::Broken, "its entity number cannot be read"};
    if (m_player)
        return {Verdict::Kind::Broken, "it was sent before; expected once"};
    const EntityId player = worldEntity(number);
    if (!m_world.alive(player))
        return {Verdict::Kind::Unusable, "the player does not exist here"};
    m_player = player;
    chooseCamera();
    PlayerInfo info;
    info.name.assign(m_setup.playerName);
    send(m_player, info);
    return {};
}

NetworkSystem::Verdict NetworkSystem::takeSetting(net::ByteReader& in) {
    const std::string name(wire::readText(in));
    const std::string value(wire::readText(in));
    if (!in.ok() || in.remaining() != 0)
        return {Verdict::Kind::Broken, "its name or value cannot be read"};
    const Result<void> taken = m_setup.setting ? m_setup.setting(name, value) : Result<void>();
    if (!taken)
        m_world.log().warning("network",
                              "a setting of the server cannot be applied: " + taken.error().message);
    return {};
}

NetworkSystem::Verdict NetworkSystem::takeMessage(std::size_t peer, std::size_t index,
                                                  const net::ReceivedMessage& delivery, net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    if (!in.ok() || index >= m_setup.table->size())
        return {Verdict::Kind::Broken, "there is no message of that type"};
    const EntityId receiver = worldEntity(number);
    const MessageType& type = m_setup.table->type(index);
    const bool server = m_setup.role == Role::Server;
    if (server) {
        // Authority is the connection's, whatever the message claims.
        const std::optional<ClientRights> rights = rightsOf(type);
        if (!rights)
            return {Verdict::Kind::Refused, "a client may not send it: its type does not declare FromClient"};
        if (rights->ownPlayerOnly && (!receiver || receiver != m_peers[peer].player))
            return {Verdict::Kind::Refused, "a client may send it to its own player only"};
        if (rights->ownedOnly && !rights->ownPlayerOnly && m_world.alive(receiver) && !owns(m_peers[peer], receiver))
            return {Verdict::Kind::Refused, "a client may send it only to what its player owns"};
    }
    m_values.clear();
    const WireRead read = readWireFields(in, *type.fields, [this](std::uint32_t wire) { return worldEntity(wire); }, m_values);
    if (read == WireRead::Broken || (read == WireRead::Good && in.remaining() != 0))
        return {Verdict::Kind::Broken, "its fields are not those of its type"};
    if (read == WireRead::OutOfRange)
        return {Verdict::Kind::Unusable, "a field is out of its range"};
    if (!m_world.alive(receiver))
        return {Verdict::Kind::Unknown};
    alignas(16) std::array<std::byte, MaxMessageSize> message{};
    type.construct(message.data());
    for (std::size_t i = 0; i < m_values.size(); ++i)
        type.fields->fields()[i].write(message.data(), m_values[i]);
    std::optional<PlayerInfo> said; // as handlers may change the message
    if (server && type.id == messageIdOf<PlayerInfo>()) {
        said = *reinterpret_cast<const PlayerInfo*>(message.data());
        if (m_peers[peer].info != 0 && m_peers[peer].name.name == said->name) {
            ++m_counters.repeated; // it changes nothing
            return {};
        }
    }
    ++m_counters.received;
    if (type.id == messageIdOf<Chat>())
        logChat(receiver, *reinterpret_cast<const Chat*>(message.data()));
    if (const auto known = m_known.find(number); !server && type.id == messageIdOf<PlayerInfo>() && known != m_known.end())
        known->second.player = reinterpret_cast<const PlayerInfo*>(message.data())->name.string();
    // Handlers may end the session, and what they send has later sequences.
    const std::uint32_t connection = m_peers[peer].connection;
    const std::uint64_t record =
        recorded() && m_world.recorder().wants(type.id) ? m_world.lastSequence() + 1 : 0;
    m_world.sendReceived(receiver, type.id, message.data(), type.size, ticksSince(delivery.arrived));
    if (record != 0 && m_tap)
        m_tap->dispatched(connection, delivery.sequence, record);
    if (said && m_setup.role == Role::Server && peer < m_peers.size()) {
        m_answered = record;
        takePlayerInfo(peer, *said);
        m_answered = 0;
    }
    if (!server && type.id == messageIdOf<GameStart>())
        m_started = true;
    return {};
}

} // namespace sbx
