// Sending: messages with their dependencies, entities that are created and removed, settings, states.

#include "engine/components/messages.h"
#include "engine/components/network_system.h"
#include "engine/core/log.h"
#include "engine/core/printable.h"

#include <algorithm>
#include <utility>

namespace sbx {

NetSent NetworkSystem::sendRaw(EntityId receiver, MessageTypeId type, const void* message,
                               std::span<const NetHandle> needs, const net::MessageClass& how) {
    for (const NetHandle& need : needs)
        if (need && (need.session != m_session || need.number > m_lastNumber))
            return {net::SendStatus::StaleDependency, {}};
    if (m_setup.role == Role::Alone || m_peers.empty() || !m_world.alive(receiver))
        return {net::SendStatus::Closed, {}};
    const std::uint32_t number = m_setup.role == Role::Server ? numberOf(receiver) : wireEntity(receiver);
    if (number == 0)
        return {net::SendStatus::Closed, {}};
    if (m_setup.role == Role::Client && !rightsOf(messageType(type))) {
        if (std::find(m_notForClients.begin(), m_notForClients.end(), type) == m_notForClients.end()) {
            m_notForClients.push_back(type);
            m_world.log().warning("network", messageType(type).name + " is not sent to the server, which would refuse it from a client; "
                                                 "expected a message type that declares FromClient");
        }
        return {net::SendStatus::Closed, {}};
    }
    Known& known = m_known.at(number);
    writeMessage(m_outgoing, number, type, message);
    for (const NetHandle& need : needs)
        if (need)
            m_outgoing.needs.push_back(need.number);
    if (known.spawn != 0)
        m_outgoing.needs.push_back(known.spawn);
    gather(m_outgoing.needs, net::MaxDependencies);
    m_outgoing.number = ++m_lastNumber;
    m_outgoing.how = how;
    ++m_counters.sent;
    if (m_setup.role == Role::Client && type == messageIdOf<Input>())
        m_prediction.inputSent(m_world.tickCount());
    const NetHandle handle{m_session, m_outgoing.number};
    sendToAll(m_outgoing);
    if (m_setup.role == Role::Server)
        known.recent.add(*this, handle);
    return {net::SendStatus::Sent, handle};
}

// How many dependencies one message can name; further ones are named by Gather messages in between.
void NetworkSystem::gather(std::vector<std::uint64_t>& needs, std::size_t most) {
    while (needs.size() > most) {
        const auto end = needs.begin() + static_cast<std::ptrdiff_t>(std::min(net::MaxDependencies, needs.size()));
        m_gather.type = static_cast<std::uint16_t>(wire::Type::Gather);
        m_gather.number = ++m_lastNumber;
        m_gather.trace = traceNow();
        m_gather.needs.assign(needs.begin(), end);
        needs.erase(needs.begin(), end);
        needs.push_back(m_gather.number);
        sendToAll(m_gather);
    }
}

NetHandle NetworkSystem::together(std::span<const NetHandle> handles) {
    std::vector<std::uint64_t> needs;
    for (const NetHandle& handle : handles)
        if (handle && handle.session == m_session)
            needs.push_back(handle.number);
    gather(needs, 1);
    return needs.empty() ? NetHandle{} : NetHandle{m_session, needs.front()};
}

void NetworkSystem::writeMessage(Outgoing& out, std::uint32_t receiver, MessageTypeId type, const void* message) const {
    const std::size_t index = m_setup.table->indexOf(type);
    SBX_EXPECT(index < m_setup.table->size(), "a message over the network that no component handles or sends");
    wire::Room room;
    net::ByteWriter body(room);
    body.varint(receiver);
    writeWireFields(body, *m_setup.table->type(index).fields, message, [this](EntityId id) { return wireEntity(id); });
    write(out, wire::Type::Component, body);
    out.type = static_cast<std::uint16_t>(out.type + index);
}

std::uint64_t NetworkSystem::traceNow() const {
    if (!recorded() || !m_world.recorder().enabled())
        return 0;
    const std::uint64_t handled = m_world.handling();
    return handled != 0 ? handled : m_answered;
}

// A message with that body, and nothing else yet.
void NetworkSystem::write(Outgoing& out, wire::Type type, const net::ByteWriter& body) const {
    SBX_EXPECT(body.ok(), "a message must fit into a packet");
    out.number = 0;
    out.trace = traceNow();
    out.type = static_cast<std::uint16_t>(type);
    out.body.assign(body.written().begin(), body.written().end());
    out.needs.clear();
    out.how = {};
}

void NetworkSystem::sendToAll(const Outgoing& message) {
    std::shared_ptr<Outgoing> kept;
    for (Peer& peer : m_peers)
        sendTo(peer, message, kept);
}

void NetworkSystem::sendTo(Peer& peer, const Outgoing& message) {
    std::shared_ptr<Outgoing> kept;
    sendTo(peer, message, kept);
}

// `kept`: the message as it waits for others; made here if it is the first that must.
void NetworkSystem::sendTo(Peer& peer, const Outgoing& message, std::shared_ptr<Outgoing>& kept) {
    // In order: what a message needs has left before it.
    if (peer.ended || (peer.initial.complete && peer.backlog.empty() && transmit(peer, message)))
        return;
    if (kept == nullptr)
        kept = keep(message);
    wait(peer, kept);
}

// ---------------------------------------------------------------------------------------------------- what waits

// What a message costs while it waits, with its place in the queue, though it may be kept once for many.
std::size_t NetworkSystem::sizeOf(const Outgoing& message) {
    return sizeof(Waiting) + sizeof(Outgoing) + message.body.size() + message.needs.size() * sizeof message.needs.front();
}

void NetworkSystem::wait(Peer& peer, const std::shared_ptr<Outgoing>& message) {
    const std::size_t bytes = sizeOf(*message);
    if (peer.backlog.size() >= m_limits.backlogMessages || peer.backlogBytes + bytes > m_limits.backlogBytes) {
        ++m_counters.backlogExceeded;
        m_lastExcess = describe(peer)
                       + " does not acknowledge what is sent to it: " + std::to_string(peer.backlog.size())
                       + " messages, " + std::to_string(peer.backlogBytes / 1024) + " KiB wait for it";
        m_world.log().warning("network", m_lastExcess + "; the connection ends");
        expel(peer, net::CloseReason::Backlog);
        return;
    }
    peer.backlogBytes += bytes;
    peer.backlog.push({message});
}

void NetworkSystem::sendBacklog(Peer& peer) {
    while (peer.initial.complete && !peer.backlog.empty() && transmit(peer, *peer.backlog.front().message)) {
        std::shared_ptr<Outgoing> sent = std::move(peer.backlog.pop().message);
        peer.backlogBytes -= sizeOf(*sent);
        release(std::move(sent));
    }
}

void NetworkSystem::dropWaiting(Peer& peer) {
    while (!peer.backlog.empty())
        release(std::move(peer.backlog.pop().message));
    peer.backlog = {};
    peer.backlogBytes = 0;
}

std::shared_ptr<NetworkSystem::Outgoing> NetworkSystem::keep(const Outgoing& message) {
    if (m_spare.empty())
        return std::make_shared<Outgoing>(message);
    std::shared_ptr<Outgoing> kept = std::move(m_spare.back());
    m_spare.pop_back();
    *kept = message;
    return kept;
}

// A message that no peer waits for any more is reused; a few hundred are enough for a steady load.
void NetworkSystem::release(std::shared_ptr<Outgoing> message) {
    constexpr std::size_t MaxSpare = 256;
    if (message.use_count() == 1 && m_spare.size() < MaxSpare)
        m_spare.push_back(std::move(message));
}

// Messages are sent to each peer in order of their number: both queues are sorted.
template <typename T> const T* NetworkSystem::find(const net::GrowingQueue<T>& queue, std::uint64_t number) {
    std::uint64_t first = queue.firstPosition();
    std::uint64_t end = queue.endPosition();
    while (first < end) {
        const std::uint64_t middle = first + (end - first) / 2;
        if (queue.at(middle).number() < number)
            first = middle + 1;
        else
            end = middle;
    }
    return first < queue.endPosition() && queue.at(first).number() == number ? &queue.at(first) : nullptr;
}

bool NetworkSystem::transmit(Peer& peer, const Outgoing& message) {
    net::Connection* connection = m_setup.host->find(peer.connection);
    if (connection == nullptr)
        return true;
    m_needs.clear();
    for (const std::uint64_t need : message.needs)
        if (const Sent* const sent =
                find(peer.handles, need)) // what is not there was executed, or this peer never got it
            m_needs.push_back(sent->handle);
    m_queuedFrom = message.trace;
    const net::SendReceipt sent = connection->send(message.type, message.body, m_needs, message.how);
    if (sent.status == net::SendStatus::WouldBlock)
        return false;
    if (sent.status == net::SendStatus::Sent)
        peer.handles.push({message.number, sent.handle});
    return true;
}

net::HandleState NetworkSystem::state(const NetHandle& handle) const {
    if (handle.session != m_session)
        return net::HandleState::Stale;
    for (const Peer& peer : m_peers) {
        if (const Sent* const sent = find(peer.handles, handle.number);
            sent != nullptr && m_setup.host->state(sent->handle) == net::HandleState::Pending)
            return net::HandleState::Pending;
        if (!peer.initial.complete && handle.number > peer.initial.last && handle.number <= peer.initial.end)
            return net::HandleState::Pending;
        if (find(peer.backlog, handle.number) != nullptr)
            return net::HandleState::Pending;
    }
    return net::HandleState::Executed;
}

bool NetworkSystem::sendInput(const Input& input) {
    // The player has acted on it already: each tick that the server waits for a lost one is a tick to be put right later.
    constexpr net::MessageClass Small{.priority = net::MessageClass::Priority::Critical, .copies = 2};
    const NetSent sent = send(m_player, input, std::span(&m_lastInput, 1), Small);
    m_lastInput = sent.handle;
    return sent.status == net::SendStatus::Sent;
}

Result<void> NetworkSystem::say(std::string_view text) {
    Chat chat;
    chat.text.assign(text);
    if (m_setup.role == Role::Client) {
        if (m_setup.observes)
            return makeError("an observer has no player to speak for; the message was not sent");
        if (send(m_player, chat).status != net::SendStatus::Sent)
            return makeError("not connected to a server; the message was not sent");
        return {}; // the server passes it on to all, and back to this one
    }
    const EntityId own = player();
    if (!own)
        return makeError("the world has no player of its own to speak for: expected an entity of type "
                         + m_setup.playerType + " in the scene");
    m_world.send(own, chat, own);
    logChat(own, chat);
    return {};
}

void NetworkSystem::logChat(EntityId player, const Chat& chat) const {
    if (m_setup.logsChat)
        m_world.log().info("chat", printableLine(playerName(player)) + ": " + printableLine(chat.text.view()));
}

std::string NetworkSystem::playerName(EntityId player) const {
    for (const Peer& peer : m_peers)
        if (peer.info != 0 && peer.player == player)
            return peer.name.name.string();
    if (const auto known = m_known.find(wireEntity(player)); known != m_known.end() && !known->second.player.empty())
        return known->second.player;
    return m_world.nameOf(player);
}

// ---------------------------------------------------------------------------------------------------- settings

// False: no client could read it.
bool NetworkSystem::writeSetting(Outgoing& out, const std::string& name, const Setting& setting) const {
    wire::Room room;
    net::ByteWriter body(room);
    wire::writeText(body, name);
    wire::writeText(body, setting.value);
    if (!body.ok() || wire::plainText(name) != name
        || wire::plainText(setting.value, wire::MaxBody) != setting.value)
        return false;
    write(out, wire::Type::Setting, body);
    out.number = setting.number;
    return true;
}

void NetworkSystem::sendSetting(const std::string& name, const std::string& value) {
    SBX_EXPECT(m_setup.role == Role::Server, "only a server sends settings");
    Setting& setting = m_settings[name];
    if (setting.number != 0 && setting.value == value)
        return;
    const std::uint64_t before = setting.number;
    setting = {++m_lastNumber, value};
    if (!writeSetting(m_outgoing, name, setting)) {
        m_world.log().warning(
            "network",
            name + " cannot be sent to the clients: its value is too long or not plain UTF-8 text");
        m_settings.erase(name);
        return;
    }
    if (before != 0)
        m_outgoing.needs.push_back(before); // the newest is the one that stays
    sendToAll(m_outgoing);
}

// ---------------------------------------------------------------------------------------------------- entities

void NetworkSystem::writeSpawn(Outgoing& out, std::uint32_t number) const {
    const Known& known = m_known.at(number);
    const Entity entity = m_world.find(known.entity);
    std::uint32_t parent = wireEntity(entity.parent());
    // A parent that was announced after the entity does not exist yet where this is read.
    if (parent != 0 && m_known.at(parent).spawn > known.spawn)
        parent = 0;
    const Pose pose = wire::clampPose(parent != 0 || !entity.parent() ? entity.local() : entity.pose());
    wire::Room room;
    net::ByteWriter body(room);
    body.varint(number);
    body.varint(parent);
    wire::writeText(body, entity.type().name());
    wire::writeText(body, wire::plainText(entity.name())); // plugins may call it anything
    wire::writePlace(body, pose.position, pose.rotation);
    wire::writeScale(body, pose.scale);
    write(out, wire::Type::Spawn, body);
    out.number = known.spawn;
    if (parent != 0)
        out.needs.push_back(m_known.at(parent).spawn);
}

// On the server: the entity's number; an entity without one is announced to the peers first. 0: it was removed, or there are too many.
std::uint32_t NetworkSystem::numberOf(EntityId id) {
    if (const std::uint32_t known = wireEntity(id))
        return known;
    const Entity entity = m_world.find(id);
    if (!entity)
        return 0;
    const std::uint32_t parent = entity.parent() ? numberOf(entity.parent()) : 0;
    if (m_known.size() >= wire::MaxEntities) {
        if (!std::exchange(m_full, true))
            m_world.log().warning("network", "clients are sent " + std::to_string(wire::MaxEntities)
                                                 + " entities at a time, and no more");
        return 0;
    }
    const std::uint32_t number = ++m_lastEntity;
    Known& known = m_known[number];
    known.entity = id;
    known.name = wire::plainText(entity.name()); // as peers and records of the network have it
    known.spawn = ++m_lastNumber;
    if (m_freeSlots.empty()) {
        m_freeSlots.push_back(static_cast<std::uint32_t>(m_slots.size()));
        m_slots.emplace_back();
    }
    known.slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_slots[known.slot] = {number, &known};
    m_byEntity[id.bits] = number;
    ++m_counters.spawned;
    if (!m_peers.empty()) {
        writeSpawn(m_outgoing, number);
        sendToAll(m_outgoing);
        if (parent != 0)
            m_known.at(parent).recent.add(*this, {m_session, known.spawn}); // the parent's end takes it along
    }
    return number;
}

void NetworkSystem::releaseSlot(const Known& known) {
    m_slots[known.slot] = {};
    m_freeSlots.push_back(known.slot);
}

void NetworkSystem::syncEntities() {
    if (m_structure == m_world.structureVersion())
        return;
    m_structure = m_world.structureVersion();
    for (auto it = m_known.begin(); it != m_known.end();) {
        if (m_world.alive(it->second.entity)) {
            ++it;
            continue;
        }
        wire::Room room;
        net::ByteWriter body(room);
        body.varint(it->first);
        write(m_outgoing, wire::Type::Despawn, body);
        m_outgoing.number = ++m_lastNumber;
        // After its announcement, and after the last messages to it.
        for (const NetHandle& handle : it->second.recent.needs(*this))
            m_outgoing.needs.push_back(handle.number);
        m_outgoing.needs.push_back(it->second.spawn);
        ++m_counters.despawned;
        sendToAll(m_outgoing);
        m_byEntity.erase(it->second.entity.bits);
        releaseSlot(it->second);
        it = m_known.erase(it);
    }
    m_world.forEach([&](const Entity& entity) { numberOf(entity.id()); });
}

} // namespace sbx
