#include "widgets/graph/recorded_graph_source.h"

#include <algorithm>
#include <utility>

namespace sbx::ui {

namespace {

constexpr std::size_t TracedPeer = 0;       // the server: its recorder is the session's
constexpr std::size_t MaxWaiting = 10'000;  // steps of a connection whose other end is in another program

std::optional<GraphStep::Kind> kindOf(net::MessageEvent::Kind kind) {
    using From = net::MessageEvent::Kind;
    using To = GraphStep::Kind;
    switch (kind) {
    case From::Queued:
        return To::Queued;
    case From::Sent:
    case From::Copied:
        return To::Sent;
    case From::Resent:
        return To::Resent;
    case From::Lost:
        return To::Lost;
    case From::Acknowledged:
        return To::Acknowledged;
    case From::KnownExecuted:
        return To::KnownExecuted;
    case From::Arrived:
        return To::Arrived;
    case From::Executed:
        return To::Executed;
    default:
        return std::nullopt;
    }
}

} // namespace

bool RecordedGraphSource::poll(GraphNews& out) {
    const std::size_t count = m_reader->poll([&](const net::NetRecordView& record) { take(record, out); });
    out.run = m_run;
    out.now = m_now;
    out.peers = m_peers;
    out.missed = m_reader->missed();
    out.over = std::find(m_here.begin(), m_here.end(), true) == m_here.end();
    return count > 0;
}

void RecordedGraphSource::take(const net::NetRecordView& record, GraphNews& out) {
    const std::size_t peer = record->peer;
    switch (record->kind) {
    case net::NetRecordKind::Name:
        m_names.resize(std::max<std::size_t>(m_names.size(), record->number + 1));
        m_names[record->number] = record.text();
        break;
    case net::NetRecordKind::Peer:
        // The first peer after all had gone begins another session.
        if (std::find(m_here.begin(), m_here.end(), true) == m_here.end()) {
            ++m_run;
            m_now = 0;
            m_peers.clear();
            m_addresses.clear();
            m_here.clear();
            m_elsewhere.clear();
            m_strangers.clear();
            m_connections.clear();
            m_clientEnd.clear();
            out.steps.clear();
            out.handshakes.clear();
        }
        m_peers.resize(std::max(m_peers.size(), peer + 1));
        m_addresses.resize(m_peers.size());
        m_here.resize(m_peers.size(), false);
        m_elsewhere.resize(m_peers.size(), false);
        m_addresses[peer] = record.text();
        m_peers[peer] = record->name < m_names.size() ? m_names[record->name] : std::string();
        m_here[peer] = true;
        break;
    case net::NetRecordKind::Gone:
        if (peer < m_here.size())
            m_here[peer] = false;
        break;
    case net::NetRecordKind::Opened: {
        const bool client = (record->flags & 1U) != 0;
        Connection& connection = m_connections[record->connection];
        (client ? connection.client : connection.server) = static_cast<int>(peer);
        connection.other = record.text();
        if (!client) {
            connection.address = record.text();
            connection.proven = false;
        }
        m_clientEnd[{static_cast<int>(peer), record->connection}] = client;
        flush(connection, out);
        break;
    }
    case net::NetRecordKind::Packet:
        takePacket(record, out);
        break;
    case net::NetRecordKind::Closed:
        takeClosed(record, out);
        break;
    case net::NetRecordKind::Handshake:
        takeHandshake(record, static_cast<GraphHandshakeStep::Kind>(record->event), out);
        break;
    case net::NetRecordKind::Tick:
        m_now = std::max(m_now, record->time);
        break;
    case net::NetRecordKind::Message:
        takeMessage(record, out);
        break;
    case net::NetRecordKind::Dispatched:
        if (const auto end = m_clientEnd.find({int(record->peer), record->connection});
            end != m_clientEnd.end() && record->peer == TracedPeer) {
            GraphStep step;
            step.kind = GraphStep::Kind::Dispatched;
            step.trace = record->trace;
            add(record, end->second, std::move(step), out);
        }
        break;
    default:
        break;
    }
}

// The first that the server can open, room for it or not: until then anybody may have sent the response.
void RecordedGraphSource::takePacket(const net::NetRecordView& record, GraphNews& out) {
    const auto event = static_cast<net::PacketEvent::Kind>(record->event);
    const auto known = m_connections.find(record->connection);
    if ((event != net::PacketEvent::Kind::Received && event != net::PacketEvent::Kind::Refused) || known == m_connections.end())
        return;
    Connection& connection = known->second;
    const int peer = static_cast<int>(record->peer);
    // A server in another program says there when it is: here the first packet from it does.
    if ((connection.server == peer || (connection.client == peer && isStranger(connection.server))) && !std::exchange(connection.proven, true))
        takeHandshake(record, GraphHandshakeStep::Kind::Connected, out);
}

void RecordedGraphSource::takeClosed(const net::NetRecordView& record, GraphNews& out) {
    // What breaks the rules is no packet that was taken, but only who has the key can.
    const auto reason = static_cast<net::CloseReason>(record->type);
    const bool breach = reason == net::CloseReason::Protocol || reason == net::CloseReason::FlowControl
                        || reason == net::CloseReason::Rate;
    const bool server = (record->flags & 1U) == 0;
    if (const auto known = m_connections.find(record->connection);
        breach && server && known != m_connections.end() && !std::exchange(known->second.proven, true))
        takeHandshake(record, GraphHandshakeStep::Kind::Connected, out);
    takeHandshake(record, GraphHandshakeStep::Kind::Closed, out);
}

void RecordedGraphSource::takeMessage(const net::NetRecordView& record, GraphNews& out) {
    const auto event = static_cast<net::MessageEvent::Kind>(record->event);
    const auto kind = kindOf(event);
    const auto end = m_clientEnd.find({int(record->peer), record->connection});
    if (!kind || record->number == 0 || end == m_clientEnd.end())
        return;
    GraphStep step;
    step.kind = *kind;
    step.packet = record->packet;
    if (step.kind == GraphStep::Kind::Queued) {
        step.trace = record->peer == TracedPeer ? record->trace : 0;
        step.needs.assign(record.needs().begin(), record.needs().end());
        if (record->name < m_names.size())
            step.type = m_names[record->name];
        if (record->entity < m_names.size())
            step.entity = m_names[record->entity];
    }
    const bool toClient = net::atReceiver(event) == end->second;
    Connection& connection = m_connections[record->connection];
    if (!connection.known()) // messages come after both have proven who they are: no lane for those who only knock
        (end->second ? connection.server : connection.client) = strangerAt(record->peer, connection.other);
    const bool fromStranger = isStranger(toClient ? connection.server : connection.client);
    if (fromStranger && step.kind == GraphStep::Kind::Arrived) {
        // When its sender had queued it, is known there alone.
        GraphStep queued = step;
        queued.kind = GraphStep::Kind::Queued;
        queued.needs.assign(record.needs().begin(), record.needs().end());
        if (record->name < m_names.size())
            queued.type = m_names[record->name];
        if (record->entity < m_names.size())
            queued.entity = m_names[record->entity];
        add(record, toClient, std::move(queued), out);
    }
    const bool ends = fromStranger && step.kind == GraphStep::Kind::Executed;
    add(record, toClient, step, out);
    if (ends) { // likewise when its sender learns of it: for the picture its story is over
        step.kind = GraphStep::Kind::KnownExecuted;
        add(record, toClient, std::move(step), out);
    }
}

int RecordedGraphSource::strangerAt(std::size_t peer, const std::string& address) {
    for (std::size_t i = 0; i < m_peers.size(); ++i)
        if (i != peer && m_here[i] && (m_addresses[i].empty() || m_addresses[i] == address))
            return -1; // it is here, or may be
    const auto [found, isNew] = m_strangers.try_emplace(address, static_cast<int>(m_peers.size()));
    if (isNew) {
        m_peers.push_back(address);
        m_addresses.emplace_back(); // its handshake stays in the lane of the end that recorded it
        m_here.push_back(false);
        m_elsewhere.push_back(true);
    }
    return found->second;
}

void RecordedGraphSource::add(const net::NetRecordView& record, bool toClient, GraphStep step,
                              GraphNews& out) {
    step.time = record->time;
    step.key.sequence = record->number;
    Connection& connection = m_connections[record->connection];
    connection.waiting.emplace_back(toClient, std::move(step));
    flush(connection, out);
    if (connection.waiting.size() > MaxWaiting)
        connection.waiting.clear();
}

// Both ends tell of a connection by the other's address; which peer that is, the peers have said themselves.
void RecordedGraphSource::takeHandshake(const net::NetRecordView& record, GraphHandshakeStep::Kind kind,
                                        GraphNews& out) {
    using To = GraphHandshakeStep::Kind;
    GraphHandshakeStep step;
    step.kind = kind;
    step.time = record->time;
    std::string other(record.text());
    switch (kind) {
    case To::Connected:
        other = m_connections[record->connection].address;
        break;
    case To::Closed:
        step.atClient = (record->flags & 1U) != 0;
        step.reason = static_cast<net::CloseReason>(record->type);
        if (const auto known = m_connections.find(record->connection); known != m_connections.end())
            other = known->second.address;
        break;
    default:
        step.atClient =
            ((record->flags & 1U) != 0) == (step.kind == To::Request || step.kind == To::Response);
        step.reason = static_cast<net::CloseReason>(record->type);
        break;
    }
    step.client = record->peer;
    if (!step.atClient) {
        const auto own =
            other.empty() ? m_addresses.end() : std::find(m_addresses.begin(), m_addresses.end(), other);
        if (own == m_addresses.end())
            step.address = std::move(other);
        else
            step.client = static_cast<std::uint16_t>(own - m_addresses.begin());
    }
    out.handshakes.push_back(std::move(step));
}

void RecordedGraphSource::flush(Connection& connection, GraphNews& out) {
    if (!connection.known())
        return;
    for (auto& [toClient, step] : connection.waiting) {
        step.key.from = static_cast<std::uint16_t>(toClient ? connection.server : connection.client);
        step.key.to = static_cast<std::uint16_t>(toClient ? connection.client : connection.server);
        out.steps.push_back(std::move(step));
    }
    connection.waiting.clear();
}

} // namespace sbx::ui
