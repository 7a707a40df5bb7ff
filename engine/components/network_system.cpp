#include "engine/components/network_system.h"

#include "engine/components/messages.h"
#include "engine/core/log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sbx {

namespace {

// Types on the wire; messages follow.
enum class Wire : std::uint16_t { Spawn, Despawn, State, Welcome, Setting, Message = 16 };

constexpr std::size_t MostBody = net::FragmentSize; // bytes
constexpr std::size_t MostRecent = 24;              // messages that a despawn waits for
constexpr int StateRepeats = 10;                    // a changed state is sent so many times more
constexpr std::uint64_t StateRefresh = 40;          // rounds between states that did not change

using Room = std::array<std::uint8_t, MostBody>;

void writeText(net::ByteWriter& out, std::string_view text) {
    out.varint(static_cast<std::uint32_t>(text.size()));
    out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}
std::string readText(net::ByteReader& in) {
    const net::ByteView bytes = in.bytes(in.varint());
    return {bytes.begin(), bytes.end()};
}
void writeFloat(net::ByteWriter& out, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    out.u32(bits);
}
float readFloat(net::ByteReader& in) {
    const std::uint32_t bits = in.u32();
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value))
        in.fail();
    return value;
}
void writeVector(net::ByteWriter& out, const Vec3& v) {
    writeFloat(out, v.x);
    writeFloat(out, v.y);
    writeFloat(out, v.z);
}
Vec3 readVector(net::ByteReader& in) {
    const float x = readFloat(in);
    const float y = readFloat(in);
    return {x, y, readFloat(in)};
}
void writeRotation(net::ByteWriter& out, const Quat& q) {
    writeVector(out, {q.x, q.y, q.z});
    writeFloat(out, q.w);
}
Quat readRotation(net::ByteReader& in) {
    const Vec3 v = readVector(in);
    const Quat q(readFloat(in), v.x, v.y, v.z);
    const float length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(length > 0.5F && length < 2.0F))
        in.fail();
    return q;
}

// Which of its components says where it is; the others' poses follow from the entity.
bool ownsPlace(const Entity& entity) {
    bool owns = false;
    entity.eachComponent([&](const Entity::ComponentRef& ref) { owns = owns || ref.type->state->find("position") != nullptr; });
    return owns;
}

} // namespace

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
        m_tap = std::make_unique<net::NetRecorder::Tap>(*m_setup.recorder, *m_setup.host, m_setup.peerName, this);
}

void NetworkSystem::detach() {
    if (m_setup.host != nullptr)
        m_setup.host->forEach([](net::Connection& connection) { connection.close(); });
    m_tap.reset();
    m_setup = {};
    m_peers.clear();
    m_known.clear();
    m_settings.clear();
    m_byEntity.clear();
    m_player = {};
    m_started = false;
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

std::string_view NetworkSystem::typeName(std::uint16_t type) {
    static constexpr std::array<std::string_view, 5> Own{"Spawn", "Despawn", "State", "Welcome", "Setting"};
    const auto first = static_cast<std::uint16_t>(Wire::Message);
    if (type < first)
        return type < Own.size() ? Own[type] : std::string_view();
    const std::size_t index = type - std::size_t{first};
    return index < m_setup.table->size() ? std::string_view(m_setup.table->type(index).name) : std::string_view();
}

std::string_view NetworkSystem::entityName(std::uint16_t type, net::ByteView body) {
    if (type == static_cast<std::uint16_t>(Wire::Setting))
        return {};
    net::ByteReader in(body);
    const std::uint32_t number = in.varint(); // all others begin with it
    if (const auto known = m_known.find(number); in.ok() && known != m_known.end())
        return known->second.name;
    if (type != static_cast<std::uint16_t>(Wire::Spawn))
        return {};
    in.varint(); // parent
    readText(in);
    m_spawnName = readText(in);
    return in.ok() ? std::string_view(m_spawnName) : std::string_view();
}

EntityId NetworkSystem::playerOf(std::uint32_t connection) const {
    for (const Peer& peer : m_peers)
        if (peer.connection == connection)
            return peer.player;
    return {};
}

// ---------------------------------------------------------------------------------------------------- sending

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
    Known& known = m_known[number];
    Outgoing out = worldMessage(number, type, message);
    for (const NetHandle& need : needs)
        if (need)
            out.needs.push_back(need.number);
    if (known.spawn != 0)
        out.needs.push_back(known.spawn);
    if (out.needs.size() > net::MaxDependencies)
        return {net::SendStatus::TooManyDependencies, {}};
    out.number = ++m_lastNumber;
    out.how = how;
    known.recent.push_back(out.number);
    if (known.recent.size() > MostRecent)
        known.recent.erase(known.recent.begin());
    ++m_counters.sent;
    const NetHandle handle{m_session, out.number};
    tellAll(std::move(out));
    return {net::SendStatus::Sent, handle};
}

NetworkSystem::Outgoing NetworkSystem::worldMessage(std::uint32_t receiver, MessageTypeId type, const void* message) const {
    const std::size_t index = m_setup.table->indexOf(type);
    SBX_EXPECT(index < m_setup.table->size(), "a message over the network that no component handles or sends");
    Room room;
    net::ByteWriter body(room);
    body.varint(receiver);
    writeWireFields(body, *m_setup.table->type(index).fields, message, [this](EntityId id) { return wireEntity(id); });
    SBX_EXPECT(body.ok(), "a message fits into a packet");
    Outgoing out;
    out.type = static_cast<std::uint16_t>(static_cast<std::size_t>(Wire::Message) + index);
    out.body.assign(body.written().begin(), body.written().end());
    return out;
}

void NetworkSystem::tellAll(Outgoing message) {
    for (Peer& peer : m_peers)
        tell(peer, message);
}

void NetworkSystem::tell(Peer& peer, const Outgoing& message) {
    // In order: what a message needs has left before it.
    if (!peer.backlog.empty() || !transmit(peer, message))
        peer.backlog.push_back(message);
}

bool NetworkSystem::transmit(Peer& peer, const Outgoing& message) {
    net::Connection* connection = m_setup.host->find(peer.connection);
    if (connection == nullptr)
        return true;
    m_needs.clear();
    for (const std::uint64_t need : message.needs) {
        const auto found = std::lower_bound(peer.handles.begin(), peer.handles.end(), need,
                                            [](const auto& entry, std::uint64_t n) { return entry.first < n; });
        // What is not there was executed, or this peer never got it.
        if (found != peer.handles.end() && found->first == need)
            m_needs.push_back(found->second);
    }
    const net::SendResult sent = connection->send(message.type, message.body, m_needs, message.how);
    if (sent.status == net::SendStatus::WouldBlock)
        return false;
    if (sent.status == net::SendStatus::Sent)
        peer.handles.emplace_back(message.number, sent.handle);
    return true;
}

net::HandleState NetworkSystem::state(const NetHandle& handle) const {
    if (handle.session != m_session)
        return net::HandleState::Stale;
    for (const Peer& peer : m_peers) {
        const auto entry = std::find_if(peer.handles.begin(), peer.handles.end(),
                                        [&](const auto& known) { return known.first == handle.number; });
        const bool waits = std::any_of(peer.backlog.begin(), peer.backlog.end(),
                                       [&](const Outgoing& out) { return out.number == handle.number; });
        if (waits || (entry != peer.handles.end() && m_setup.host->state(entry->second) == net::HandleState::Pending))
            return net::HandleState::Pending;
    }
    return net::HandleState::Executed;
}

void NetworkSystem::sendInput(const Input& input) {
    const std::array needs{m_lastInput};
    const NetSent sent = send(m_player, input, m_lastInput ? std::span<const NetHandle>(needs) : std::span<const NetHandle>());
    m_lastInput = sent.handle;
}

void NetworkSystem::say(std::string_view text) {
    Chat chat;
    chat.text.assign(text);
    if (m_setup.role == Role::Client)
        send(m_player, chat);
    else if (const EntityId own = player())
        m_world.send(own, chat, own);
}

// ---------------------------------------------------------------------------------------------------- settings

NetworkSystem::Outgoing NetworkSystem::settingMessage(const std::string& name, const Setting& setting) {
    Room room;
    net::ByteWriter body(room);
    writeText(body, name);
    writeText(body, setting.value);
    Outgoing out;
    out.number = setting.number;
    out.type = static_cast<std::uint16_t>(Wire::Setting);
    if (body.ok())
        out.body.assign(body.written().begin(), body.written().end());
    return out;
}

void NetworkSystem::tellSetting(const std::string& name, const std::string& value) {
    SBX_EXPECT(m_setup.role == Role::Server, "settings are the server's");
    Setting& setting = m_settings[name];
    if (setting.number != 0 && setting.value == value)
        return;
    const std::uint64_t before = setting.number;
    setting = {++m_lastNumber, value};
    Outgoing message = settingMessage(name, setting);
    if (message.body.empty()) {
        m_world.log().warning("network", name + " is too long to be told to the clients");
        m_settings.erase(name);
        return;
    }
    if (before != 0)
        message.needs.push_back(before); // the newest is the one that stays
    tellAll(std::move(message));
}

void NetworkSystem::takeSetting(net::ByteReader& in) {
    const std::string name = readText(in);
    const std::string value = readText(in);
    if (!in.ok() || in.remaining() != 0) {
        ++m_counters.malformed;
        return;
    }
    const Result<void> taken = m_setup.setting ? m_setup.setting(name, value) : Result<void>();
    if (!taken)
        m_world.log().warning("network", "a setting of the server's does not hold here: " + taken.error().message);
}

// ---------------------------------------------------------------------------------------------------- entities

NetworkSystem::Outgoing NetworkSystem::spawnMessage(std::uint32_t number) const {
    const Known& known = m_known.at(number);
    const Entity entity = m_world.find(known.entity);
    Room room;
    net::ByteWriter body(room);
    const std::uint32_t parent = wireEntity(entity.parent());
    body.varint(number);
    body.varint(parent);
    writeText(body, entity.type().name());
    writeText(body, entity.name());
    writeVector(body, entity.local().position);
    writeRotation(body, entity.local().rotation);
    writeVector(body, entity.local().scale);
    SBX_EXPECT(body.ok(), "names of types and entities fit into a packet");
    Outgoing out;
    out.number = known.spawn;
    out.type = static_cast<std::uint16_t>(Wire::Spawn);
    out.body.assign(body.written().begin(), body.written().end());
    if (parent != 0)
        out.needs.push_back(m_known.at(parent).spawn);
    return out;
}

// On the server: the entity's number, told to the peers first if they do not know it.
std::uint32_t NetworkSystem::numberOf(EntityId id) {
    if (const std::uint32_t known = wireEntity(id))
        return known;
    const Entity entity = m_world.find(id);
    if (!entity)
        return 0;
    if (entity.parent())
        numberOf(entity.parent());
    const std::uint32_t number = ++m_lastEntity;
    Known& known = m_known[number];
    known.entity = id;
    known.name = entity.name();
    known.spawn = ++m_lastNumber;
    m_byEntity[id.bits] = number;
    ++m_counters.spawned;
    if (!m_peers.empty())
        tellAll(spawnMessage(number));
    return number;
}

void NetworkSystem::followStructure() {
    if (m_structure == m_world.structureVersion())
        return;
    m_structure = m_world.structureVersion();
    for (auto it = m_known.begin(); it != m_known.end();) {
        if (m_world.alive(it->second.entity)) {
            ++it;
            continue;
        }
        Room room;
        net::ByteWriter body(room);
        body.varint(it->first);
        Outgoing out;
        out.number = ++m_lastNumber;
        out.type = static_cast<std::uint16_t>(Wire::Despawn);
        out.body.assign(body.written().begin(), body.written().end());
        // Not before it came, nor before what it was told last.
        out.needs = it->second.recent;
        out.needs.push_back(it->second.spawn);
        ++m_counters.despawned;
        tellAll(std::move(out));
        m_byEntity.erase(it->second.entity.bits);
        it = m_known.erase(it);
    }
    m_world.forEach([&](const Entity& entity) { numberOf(entity.id()); });
}

bool NetworkSystem::writeState(const Entity& entity, std::uint32_t number, net::ByteWriter& out) const {
    out.varint(number);
    const bool place = !ownsPlace(entity);
    out.u8(place ? 1 : 0);
    if (place) {
        writeVector(out, entity.pose().position);
        writeRotation(out, entity.pose().rotation);
    }
    const EntityToWire toWire = [this](EntityId id) { return wireEntity(id); };
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf != nullptr)
            writeWireFields(out, *ref.type->state, ref.type->stateOf(ref.component), toWire);
    });
    return out.ok();
}

void NetworkSystem::sendStates() {
    m_stateDue += StateRate / m_world.desc().tickRate;
    if (m_stateDue < 1.0)
        return;
    m_stateDue -= std::floor(m_stateDue);
    ++m_stateRounds;
    Room room;
    for (auto& [number, known] : m_known) {
        const Entity entity = m_world.find(known.entity);
        if (!entity)
            continue;
        net::ByteWriter body(room);
        if (!writeState(entity, number, body))
            continue;
        const net::ByteView bytes = body.written();
        if (!std::equal(bytes.begin(), bytes.end(), known.lastState.begin(), known.lastState.end())) {
            known.lastState.assign(bytes.begin(), bytes.end());
            known.repeats = StateRepeats;
        } else if (known.repeats > 0) {
            --known.repeats;
        } else if ((m_stateRounds + number) % StateRefresh != 0) {
            continue;
        }
        for (Peer& peer : m_peers) {
            net::Connection* connection = m_setup.host->find(peer.connection);
            const auto spawn = std::find_if(peer.handles.begin(), peer.handles.end(),
                                            [&](const auto& entry) { return entry.first == known.spawn; });
            if (connection == nullptr || !peer.backlog.empty())
                continue;
            net::UnreliableOptions how;
            how.latest = true;
            how.key = number;
            // News of an entity that has not come yet is no news.
            if (spawn != peer.handles.end())
                how.after = spawn->second;
            connection->sendUnreliable(static_cast<std::uint16_t>(Wire::State), bytes, how);
            ++m_counters.statesSent;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- peers

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
    // Everything that is, and who everybody is, in the order in which it came.
    std::vector<Outgoing> past;
    for (const auto& [number, known] : m_known)
        past.push_back(spawnMessage(number));
    for (const auto& [name, setting] : m_settings)
        past.push_back(settingMessage(name, setting));
    for (const Peer& other : m_peers) {
        if (other.info == 0)
            continue;
        const std::uint32_t number = numberOf(other.player);
        past.push_back(worldMessage(number, messageIdOf<PlayerInfo>(), &other.name));
        past.back().number = other.info;
        past.back().needs.push_back(m_known.at(number).spawn);
    }
    std::sort(past.begin(), past.end(), [](const Outgoing& a, const Outgoing& b) { return a.number < b.number; });
    for (const Outgoing& message : past)
        tell(joined, message);
    if (joined.player) {
        static_cast<void>(m_world.setEnabled(joined.player, "Camera", false)); // its view is the client's
        Room room;
        net::ByteWriter body(room);
        const std::uint32_t number = numberOf(joined.player);
        body.varint(number);
        Outgoing welcome;
        welcome.number = ++m_lastNumber;
        welcome.type = static_cast<std::uint16_t>(Wire::Welcome);
        welcome.body.assign(body.written().begin(), body.written().end());
        welcome.needs.push_back(m_known.at(number).spawn);
        tell(joined, welcome);
    }
    m_world.log().info("network", "player " + std::to_string(m_peers.size()) + " has joined");
}

void NetworkSystem::leave(std::uint32_t connection, net::CloseReason reason) {
    m_closeReason = reason;
    const auto peer =
        std::find_if(m_peers.begin(), m_peers.end(), [&](const Peer& p) { return p.connection == connection; });
    if (peer == m_peers.end())
        return;
    const EntityId gone = peer->player;
    m_peers.erase(peer);
    if (m_setup.role == Role::Server && gone)
        m_world.destroy(gone);
    m_world.log().info("network", "a connection has ended, " + std::to_string(m_peers.size()) + " left");
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

void NetworkSystem::receive() {
    if (m_setup.role == Role::Alone)
        return;
    m_setup.pump();
    net::Delivery delivery;
    for (std::size_t i = 0; i < m_peers.size(); ++i) {
        net::Connection* connection = m_setup.host->find(m_peers[i].connection);
        while (connection != nullptr && connection->next(delivery)) {
            const std::uint64_t malformed = m_counters.malformed;
            take(m_peers[i], delivery);
            if (m_counters.malformed != malformed)
                connection->channel().handlerFailed();
        }
    }
    delivery = {};
    takeEvents();
}

void NetworkSystem::publish() {
    if (m_setup.role == Role::Alone)
        return;
    if (m_setup.role == Role::Server) {
        followStructure();
        sendStates();
    }
    for (Peer& peer : m_peers) {
        while (!peer.backlog.empty() && transmit(peer, peer.backlog.front()))
            peer.backlog.pop_front();
        while (!peer.handles.empty() && m_setup.host->state(peer.handles.front().second) != net::HandleState::Pending)
            peer.handles.pop_front();
    }
    m_setup.pump();
    if (m_tap)
        m_tap->ticked(m_world.tickCount());
}

// ---------------------------------------------------------------------------------------------------- receiving

void NetworkSystem::take(Peer& peer, const net::Delivery& delivery) {
    net::ByteReader in(delivery.body.bytes());
    const bool client = m_setup.role == Role::Client;
    const auto first = static_cast<std::uint16_t>(Wire::Message);
    if (delivery.type >= first) {
        takeMessage(peer, delivery.type - std::size_t{first}, in);
    } else if (!client) {
        ++m_counters.refused; // entities and states are the server's
    } else if (delivery.type == static_cast<std::uint16_t>(Wire::Spawn)) {
        takeSpawn(in);
    } else if (delivery.type == static_cast<std::uint16_t>(Wire::Despawn)) {
        takeDespawn(in);
    } else if (delivery.type == static_cast<std::uint16_t>(Wire::State)) {
        takeState(in);
    } else if (delivery.type == static_cast<std::uint16_t>(Wire::Setting)) {
        takeSetting(in);
    } else if (delivery.type == static_cast<std::uint16_t>(Wire::Welcome)) {
        m_player = worldEntity(in.varint());
        chooseCamera();
        PlayerInfo info;
        info.name.assign(m_setup.playerName);
        send(m_player, info);
    } else {
        ++m_counters.malformed;
    }
}

void NetworkSystem::takeSpawn(net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    const std::uint32_t parent = in.varint();
    const std::string type = readText(in);
    const std::string name = readText(in);
    Pose pose;
    pose.position = readVector(in);
    pose.rotation = readRotation(in);
    pose.scale = readVector(in);
    if (!in.ok() || in.remaining() != 0 || number == 0 || m_known.contains(number)) {
        ++m_counters.malformed;
        return;
    }
    SpawnRequest request = m_setup.make(type, name);
    if (request.type == nullptr) {
        m_world.log().warning("network", "the server has a " + type + ", which this project does not define");
        ++m_counters.malformed;
        return;
    }
    request.name = name;
    request.pose = pose;
    request.parent = worldEntity(parent);
    const EntityId id = m_world.spawn(request);
    m_known[number].entity = id;
    m_known[number].name = name;
    m_byEntity[id.bits] = number;
    ++m_counters.spawned;
    if (type == m_setup.playerType)
        chooseCamera();
}

// Of all players' eyes the client looks through its own.
void NetworkSystem::chooseCamera() {
    for (const auto& [number, known] : m_known)
        if (const Entity entity = m_world.find(known.entity); entity && entity.type().name() == m_setup.playerType)
            static_cast<void>(m_world.setEnabled(known.entity, "Camera", known.entity == m_player));
}

void NetworkSystem::takeDespawn(net::ByteReader& in) {
    const auto known = m_known.find(in.varint());
    if (!in.ok() || known == m_known.end()) {
        ++m_counters.unknownReceiver;
        return;
    }
    m_byEntity.erase(known->second.entity.bits);
    const EntityId gone = known->second.entity;
    m_known.erase(known);
    m_world.destroy(gone);
    ++m_counters.despawned;
}

void NetworkSystem::takeState(net::ByteReader& in) {
    const EntityId id = worldEntity(in.varint());
    const Entity entity = m_world.find(id);
    if (!entity) {
        ++m_counters.unknownReceiver;
        return;
    }
    const bool place = in.u8() == 1;
    Pose pose = entity.pose();
    if (place) {
        pose.position = readVector(in);
        pose.rotation = readRotation(in);
    }
    // Everything is read before anything changes.
    std::vector<Value> values;
    bool good = in.ok();
    const EntityFromWire fromWire = [this](std::uint32_t number) { return worldEntity(number); };
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf != nullptr)
            good = good && readWireFields(in, *ref.type->state, fromWire, values);
    });
    if (!good || in.remaining() != 0) {
        ++m_counters.malformed;
        return;
    }
    ++m_counters.statesReceived;
    if (place && !(pose == entity.pose()) && !m_world.send(id, SetPose{pose.position, pose.rotation}).consumed)
        m_world.setPose(id, pose);
    std::size_t next = 0;
    entity.eachComponent([&](const Entity::ComponentRef& ref) {
        if (ref.type->stateOf == nullptr)
            return;
        bool changed = false;
        for (const FieldInfo& field : *ref.type->state) {
            void* const object = ref.type->stateOf(ref.component);
            const Value& value = values[next++];
            if (field.read(object) != value) {
                field.write(object, value);
                changed = true;
            }
        }
        if (changed && ref.type->stateChanged != nullptr)
            ref.type->stateChanged(ref.component);
    });
}

void NetworkSystem::takeMessage(Peer& peer, std::size_t index, net::ByteReader& in) {
    const std::uint32_t number = in.varint();
    if (!in.ok() || index >= m_setup.table->size()) {
        ++m_counters.malformed;
        return;
    }
    const EntityId receiver = worldEntity(number);
    const MessageType& type = m_setup.table->type(index);
    if (m_setup.role == Role::Server) {
        // Authority is the connection's, whatever the message claims.
        const bool may = type.id == messageIdOf<Chat>() || type.id == messageIdOf<PlayerInfo>()
                         || type.id == messageIdOf<Input>();
        if (!may || !receiver || receiver != peer.player) {
            ++m_counters.refused;
            return;
        }
    }
    std::vector<Value> values;
    const EntityFromWire fromWire = [this](std::uint32_t wire) { return worldEntity(wire); };
    if (!readWireFields(in, *type.fields, fromWire, values) || in.remaining() != 0) {
        ++m_counters.malformed;
        return;
    }
    if (!m_world.alive(receiver)) {
        ++m_counters.unknownReceiver;
        return;
    }
    alignas(16) std::array<std::byte, MaxMessageSize> message{};
    type.construct(message.data());
    for (std::size_t i = 0; i < values.size(); ++i)
        type.fields->fields()[i].write(message.data(), values[i]);
    ++m_counters.received;
    m_world.sendRaw(receiver, type.id, message.data(), type.size, {}, Delivery::Network);
    if (m_setup.role == Role::Server && type.id == messageIdOf<PlayerInfo>())
        takePlayerInfo(peer, *reinterpret_cast<const PlayerInfo*>(message.data()));
    if (m_setup.role == Role::Client && type.id == messageIdOf<GameStart>())
        m_started = true;
}

void NetworkSystem::takePlayerInfo(Peer& peer, const PlayerInfo& info) {
    peer.info = send(peer.player, info).handle.number;
    peer.name = info;
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

} // namespace sbx
