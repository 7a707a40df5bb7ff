// States of entities: which go to which client, and when; and what a client makes of them.

#include "engine/components/network_system.h"

#include <algorithm>
#include <cmath>

namespace sbx {

namespace {
// After which a record that was not acknowledged is forgotten, and all of it sent again.
constexpr double ReceiptSeconds = 3.2;
constexpr float NearDistance = 15.0F; // m: what is nearer goes as often as it changes
constexpr float LeastUrgency = 0.02F; // of what is far away, beside what is near
constexpr float BehindUrgency = 0.5F; // of what is behind the player and not near, beside what is in front of it
// s after an input of a client in which the state of its player is sent in every round, changed or not: the client has moved it meanwhile
constexpr double ActiveFor = 2.0;
} // namespace

// The connection of a peer that receives states; null: it is closed, or guaranteed messages wait for it.
net::Connection* NetworkSystem::stateConnection(const Peer& peer) {
    return peer.initial.complete && peer.backlog.empty() && !peer.ended ? m_setup.host->find(peer.connection)
                                                                        : nullptr;
}

void NetworkSystem::takeReceipts(Peer& peer) {
    net::Connection* const connection = m_setup.host->find(peer.connection);
    std::uint32_t receipt = 0;
    while (connection != nullptr && connection->channel().nextReceipt(receipt))
        peer.states.acknowledge(receipt);
}

void NetworkSystem::sendStates() {
    for (Peer& peer : m_peers)
        takeReceipts(peer);
    if (!m_states.beginRound(m_world.desc().tickRate) || m_peers.empty())
        return;
    const EntityToWire toWire = [this](EntityId id) { return wireEntity(id); };
    for (auto& [number, known] : m_known) {
        const Entity entity = m_world.find(known.entity);
        if (!entity || !m_states.follow(entity, m_world, known.state, toWire))
            continue;
        for (Peer& peer : m_peers)
            peer.states.note(known.slot, number);
    }
    for (Peer& peer : m_peers)
        sendStates(peer);
}

// Whether the peer may lack some of the state in the slot and a record of it should leave now. Takes the slot out of those that are
// pending when the peer has all of it.
bool NetworkSystem::lacks(Peer& peer, std::uint32_t slot, std::uint32_t resendRounds) {
    NetworkStates::Sent& sent = peer.states.sent[slot];
    const Slot& own = m_slots[slot];
    const std::uint32_t newest = own.number != sent.number ? 0 : newestFor(peer, slot);
    if (own.number != sent.number || sent.acknowledged >= newest) {
        sent.pending = false;
        return false;
    }
    if (!isBorn(peer, slot))
        return false;
    // What is on its way already is not sent again until it should have been acknowledged.
    return sent.version < newest || m_states.round() - sent.round >= resendRounds;
}

// The round of the newest change that the peer is to have. The slot is in use.
std::uint32_t NetworkSystem::newestFor(const Peer& peer, std::uint32_t slot) const {
    const Known& known = *m_slots[slot].known;
    return known.entity == peer.player ? known.state.newest : known.state.newestForAll;
}

bool NetworkSystem::isBorn(Peer& peer, std::uint32_t slot) {
    NetworkStates::Sent& sent = peer.states.sent[slot];
    if (sent.born)
        return true;
    // The client would not know whose state it is.
    const Sent* const spawn = find(peer.handles, m_slots[slot].known->spawn);
    sent.born = spawn == nullptr || m_setup.host->state(spawn->handle) != net::HandleState::Pending;
    return sent.born;
}

std::size_t NetworkSystem::sendOwnState(Peer& peer, net::Connection& connection, std::uint32_t resendRounds) {
    const auto known = m_known.find(wireEntity(peer.player));
    if (known == m_known.end())
        return 0;
    const std::uint32_t slot = known->second.slot;
    if (slot >= peer.states.sent.size() || peer.states.sent[slot].number != known->first)
        return 0;
    const std::uint64_t ticks = m_world.tickCount() - peer.inputTick;
    const bool active = peer.inputs > 0 && static_cast<double>(ticks) < ActiveFor * m_world.desc().tickRate && isBorn(peer, slot);
    if (!lacks(peer, slot, resendRounds) && !active)
        return 0;
    const NetworkStates::Source& source = known->second.state;
    const net::ByteView record = m_states.encodeOwn(known->first, source, peer.states.sent[slot].acknowledged,
                                                    {peer.inputs, static_cast<std::uint32_t>(ticks)});
    if (record.empty())
        return 0;
    return sendRecord(peer, connection, wire::Type::OwnState, slot, record);
}

std::size_t NetworkSystem::sendRecord(Peer& peer, net::Connection& connection, wire::Type type, std::uint32_t slot,
                                      net::ByteView record) {
    net::UnreliableOptions how;
    how.early = true;
    how.receipt = peer.states.leave(slot, newestFor(peer, slot), m_states.round());
    connection.sendUnreliable(static_cast<std::uint16_t>(type), record, how);
    ++m_counters.statesSent;
    m_counters.stateBytes += record.size();
    return record.size() + 3; // with its type and length
}

// How much a record is wanted: how long the client has waited for it, less for what is far from its player or behind it. It grows
// without end with the time, so that everything has its turn.
float NetworkSystem::urgency(const Peer& peer, std::uint32_t slot, const Pose& eye) const {
    const auto waited = static_cast<float>(m_states.round() - peer.states.sent[slot].round);
    const Entity entity = m_world.find(m_slots[slot].known->entity);
    if (!entity)
        return 0.0F;
    if (!m_world.alive(peer.player))
        return waited; // who observes may look from anywhere
    const Vec3 way = entity.pose().position - eye.position;
    const float distance = glm::length(way);
    const bool behind = distance > NearDistance && glm::dot(way, eye.rotation * Vec3(0.0F, 0.0F, -1.0F)) < 0.0F;
    return waited * std::max(LeastUrgency, (behind ? BehindUrgency : 1.0F) * NearDistance / std::max(NearDistance, distance));
}

void NetworkSystem::sendStates(Peer& peer) {
    const auto receiptRounds = static_cast<std::uint32_t>(ReceiptSeconds * m_states.rate());
    peer.states.forgetBefore(m_states.round() > receiptRounds ? m_states.round() - receiptRounds : 0);
    net::Connection* const connection = stateConnection(peer);
    // On a link that carries less than there is, what waits would only become old.
    if (connection == nullptr || connection->channel().statesWaiting() > 0)
        return;
    const auto roundTrip =
        static_cast<double>(connection->channel().roundTrip().smoothed()) / static_cast<double>(net::Second);
    const auto resend = static_cast<std::uint32_t>(std::ceil(1.5 * roundTrip * m_states.rate())) + 1;
    std::size_t used = sendOwnState(peer, *connection, resend);
    m_candidates.clear();
    std::vector<std::uint32_t>& pending = peer.states.pending;
    std::size_t kept = 0;
    for (const std::uint32_t slot : pending) {
        if (lacks(peer, slot, resend) && m_slots[slot].known->entity != peer.player)
            m_candidates.push_back({0.0F, slot});
        if (peer.states.sent[slot].pending)
            pending[kept++] = slot;
    }
    pending.resize(kept);
    const auto budget = static_cast<std::size_t>(m_limits.stateBytesPerSecond / m_states.rate());
    constexpr std::size_t LeastRecord = 6; // bytes with what goes around it
    if (m_candidates.size() * LeastRecord > budget || m_candidates.size() > 64) {
        const Entity player = m_world.find(peer.player);
        const Pose eye = player ? player.pose() : Pose();
        for (Candidate& candidate : m_candidates)
            candidate.urgency = urgency(peer, candidate.slot, eye);
        std::sort(m_candidates.begin(), m_candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.urgency != b.urgency ? a.urgency > b.urgency : a.slot < b.slot;
        });
    }
    for (const Candidate& candidate : m_candidates) {
        const Slot& slot = m_slots[candidate.slot];
        const net::ByteView record =
            m_states.encode(slot.number, slot.known->state, peer.states.sent[candidate.slot].acknowledged);
        if (record.empty())
            continue;
        if (used > 0 && used + record.size() > budget)
            break;
        used += sendRecord(peer, *connection, wire::Type::State, candidate.slot, record);
    }
}

// ---------------------------------------------------------------------------------------------------- receiving

template <typename Change> void NetworkSystem::correct(EntityId entity, const Change& change) {
    const Pose before = m_world.find(entity).pose();
    change();
    if (const Entity after = m_world.find(entity)) // handlers may have removed it
        m_smoothing.correct(entity, before, after.pose());
}

NetworkSystem::Verdict NetworkSystem::takeState(net::ByteReader& in, bool own) {
    const std::size_t bytes = in.remaining();
    const std::uint32_t number = in.varint();
    if (!in.ok())
        return {Verdict::Kind::Unusable, "its entity number cannot be read"};
    const auto known = m_known.find(number);
    const Entity entity = known == m_known.end() ? Entity() : m_world.find(known->second.entity);
    if (!entity)
        return {}; // removed before this packet arrived: unguaranteed packets have no order
    const EntityFromWire fromWire = [this](std::uint32_t wire) { return worldEntity(wire); };
    const bool isFirst = !known->second.received.any;
    PlayerPrediction::Progress progress;
    if (own) {
        progress.inputs = in.varint();
        progress.ticks = in.varint();
        if (!in.ok() || progress.inputs > m_prediction.inputsSent())
            return {Verdict::Kind::Unusable, "it answers an input that was never sent"};
    }
    if (const char* const why = m_states.read(in, entity, known->second.received, m_world, fromWire))
        return {Verdict::Kind::Unusable, why};
    ++m_counters.statesReceived;
    m_counters.stateBytes += bytes;
    const EntityToWire toWire = [this](EntityId id) { return wireEntity(id); };
    const auto apply = [&] {
        if (own && m_prediction.enabled() && entity.id() == m_player)
            m_states.apply(m_world, entity.id(), known->second.received, toWire, fromWire, m_prediction, progress);
        else
            m_states.apply(m_world, entity.id(), known->second.received, toWire, fromWire);
    };
    if (isFirst)
        apply(); // it was never seen elsewhere
    else
        correct(entity.id(), apply);
    return {};
}

NetworkSystem::ReplicatedState NetworkSystem::replicatedState(EntityId entity) const {
    const auto known = m_known.find(wireEntity(entity));
    if (known == m_known.end())
        return {};
    if (m_setup.role == Role::Server) {
        const NetworkStates::Source& source = known->second.state;
        return {source.table.get(), source.words, {}, static_cast<std::uint16_t>(m_states.round())};
    }
    const NetworkStates::Received& received = known->second.received;
    return {received.table.get(), received.words, received.has, received.round};
}

std::uint64_t NetworkSystem::stateDigest() const {
    std::uint64_t sum = 0; // whatever the order
    for (const auto& [number, known] : m_known) {
        const ReplicatedState state = replicatedState(known.entity);
        if (state.table == nullptr || state.table->columnCount() == 0)
            continue;
        Hash64 hash;
        hash.add(std::uint64_t{number});
        for (std::size_t i = 0; i < state.table->columnCount(); ++i)
            if (!state.table->isOwnerOnly(i)) // others do not have it
                for (const std::uint32_t word : state.table->wordsOf(i, state.words))
                    hash.add(std::uint64_t{word});
        sum += hash.value();
    }
    return sum;
}

bool NetworkSystem::isAhead(EntityId entity) const {
    return entity == m_player && m_prediction.enabled() && m_prediction.isAhead(m_world.tickCount(), m_world.desc().tickRate);
}

void NetworkSystem::recordPrediction() {
    const Entity player = m_world.find(m_player);
    if (!player || !m_prediction.enabled())
        return;
    m_prediction.record(m_states.tableOf(player.sharedType()), player, m_world, [this](EntityId id) { return wireEntity(id); });
}

// A client's world runs by itself between states: what came to rest otherwise there is put right.
void NetworkSystem::restoreStates() {
    if (!m_states.beginRound(m_world.desc().tickRate))
        return;
    const EntityToWire toWire = [this](EntityId id) { return wireEntity(id); };
    const EntityFromWire fromWire = [this](std::uint32_t wire) { return worldEntity(wire); };
    for (const auto& [number, known] : m_known)
        if (m_states.restoreIsDue(m_world, number, known.received) && m_world.alive(known.entity) && !isAhead(known.entity))
            correct(known.entity, [&, &of = known] { m_states.restore(m_world, of.entity, of.received, toWire, fromWire); });
}

} // namespace sbx
