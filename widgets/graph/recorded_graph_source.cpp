#include "widgets/graph/recorded_graph_source.h"

#include <algorithm>

namespace sbx::ui {

namespace {

constexpr std::size_t MostWaiting = 10'000; // steps of a connection whose other end is in another program

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
        // The first after nobody was there: another session.
        if (std::find(m_here.begin(), m_here.end(), true) == m_here.end()) {
            ++m_run;
            m_now = 0;
            m_peers.clear();
            m_here.clear();
            m_connections.clear();
            m_clientEnd.clear();
            out.steps.clear();
            out.ticks.clear();
        }
        m_peers.resize(std::max(m_peers.size(), peer + 1));
        m_here.resize(m_peers.size(), false);
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
        m_clientEnd[{static_cast<int>(peer), record->connection}] = client;
        flush(connection, out);
        break;
    }
    case net::NetRecordKind::Tick:
        m_now = std::max(m_now, record->time);
        if (peer == 0)
            out.ticks.emplace_back(record->time, record->number);
        break;
    case net::NetRecordKind::Message:
        takeMessage(record, out);
        break;
    default:
        break;
    }
}

void RecordedGraphSource::takeMessage(const net::NetRecordView& record, GraphNews& out) {
    const auto event = static_cast<net::MessageEvent::Kind>(record->event);
    const auto kind = kindOf(event);
    const auto end = m_clientEnd.find({int(record->peer), record->connection});
    if (!kind || record->number == 0 || end == m_clientEnd.end())
        return;
    GraphStep step;
    step.kind = *kind;
    step.time = record->time;
    step.key.sequence = record->number;
    step.packet = record->packet;
    if (step.kind == GraphStep::Kind::Queued) {
        step.needs.assign(record.needs().begin(), record.needs().end());
        if (record->name < m_names.size())
            step.type = m_names[record->name];
        if (record->entity < m_names.size())
            step.entity = m_names[record->entity];
    }
    Connection& connection = m_connections[record->connection];
    connection.waiting.emplace_back(net::atReceiver(event) == end->second, std::move(step));
    flush(connection, out);
    if (connection.waiting.size() > MostWaiting)
        connection.waiting.clear();
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
