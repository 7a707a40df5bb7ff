#include "engine/net/net_history.h"

#include <algorithm>
#include <cstdio>

namespace sbx::net {

namespace {

constexpr std::uint64_t LargestGap =
    16 * 1024; // largest gap between two recorded sequences: beyond it, recording was off

// Never last.
Time earliest(Time a, Time b) { return std::min(a, b); }

} // namespace

// ---------------------------------------------------------------------------------------------------- message

NetMessage::Sender NetMessage::sender() const {
    if (knownExecuted != Never)
        return Sender::Executed;
    if (acknowledged != Never)
        return Sender::Acknowledged;
    if (sent.empty())
        return queued == Never ? Sender::Unseen : Sender::Queued;
    // Lost as long as a transmission that was lost has none after it.
    Time lost = 0;
    for (const NetTransmission& one : sent)
        if (one.lost != Never)
            lost = std::max(lost, one.lost);
    const NetTransmission& last = sent.back();
    if (lost > last.sent)
        return Sender::Lost;
    return last.kind == NetTransmission::Kind::Resend || lost > 0 ? Sender::Resent : Sender::Sent;
}

NetMessage::Receiver NetMessage::receiver() const {
    if (executed != Never)
        return Receiver::Executed;
    return arrived != Never ? Receiver::Waiting : Receiver::Nothing;
}

Time NetMessage::waited(Time now) const {
    if (waitingSince == Never)
        return 0;
    return std::max<Time>((executed == Never ? earliest(now, over) : executed) - waitingSince, 0);
}

Time NetMessage::waitedToLeave(Time now) const {
    if (queued == Never)
        return 0;
    return std::max<Time>((sent.empty() ? earliest(now, over) : sent.front().sent) - queued, 0);
}

Time NetMessage::first() const {
    return earliest(queued, earliest(arrived, sent.empty() ? Never : sent.front().sent));
}

// ---------------------------------------------------------------------------------------------------- lanes

const NetMessage* NetLane::find(std::uint64_t sequence) const {
    return sequence < first || sequence - first >= messages.size()
               ? nullptr
               : &messages[static_cast<std::size_t>(sequence - first)];
}

const NetPacket* NetLane::packet(std::uint64_t number) const {
    const auto found = std::lower_bound(packets.begin(), packets.end(), number,
                                        [](const NetPacket& one, std::uint64_t n) { return one.number < n; });
    return found != packets.end() && found->number == number ? &*found : nullptr;
}

const NetLane* NetHistory::lane(std::uint32_t connection, bool toClient) const {
    const auto found = m_lanes.find({connection, toClient});
    return found == m_lanes.end() ? nullptr : &found->second;
}

const NetMessage* NetHistory::find(const NetMessageKey& key) const {
    if (const NetLane* one = lane(key.connection, key.toClient))
        if (const NetMessage* known = one->find(key.sequence))
            return known;
    const auto kept = m_stalled.find(key);
    return kept == m_stalled.end() ? nullptr : &kept->second;
}

const std::string& NetHistory::name(std::uint32_t name) const {
    static const std::string None;
    return name < m_names.size() ? m_names[name] : None;
}

NetMessage* NetHistory::message(NetLane& lane, std::uint64_t sequence, bool creates) {
    if (lane.messages.empty()) {
        if (!creates)
            return nullptr;
        lane.first = sequence;
    }
    const std::uint64_t end = lane.first + lane.messages.size();
    if (sequence >= end + LargestGap || sequence + LargestGap < lane.first) {
        if (!creates)
            return nullptr;
        while (!lane.messages.empty())
            dropFront(lane);
        lane.first = sequence;
    }
    const auto fresh = [&](std::uint64_t number) {
        NetMessage one;
        one.key = {lane.connection, lane.toClient, number};
        return one;
    };
    if (!creates && (sequence < lane.first || sequence >= lane.first + lane.messages.size()))
        return nullptr;
    while (sequence < lane.first)
        lane.messages.push_front(fresh(--lane.first));
    while (sequence >= lane.first + lane.messages.size())
        lane.messages.push_back(fresh(lane.first + lane.messages.size()));
    return &lane.messages[static_cast<std::size_t>(sequence - lane.first)];
}

NetPacket& NetHistory::packet(NetLane& lane, std::uint64_t number) {
    // Nearly always the newest, or close to it.
    auto at = lane.packets.end();
    while (at != lane.packets.begin() && std::prev(at)->number > number)
        --at;
    if (at != lane.packets.begin() && std::prev(at)->number == number)
        return *std::prev(at);
    NetPacket one;
    one.number = number;
    return *lane.packets.insert(at, std::move(one));
}

void NetHistory::dropFront(NetLane& lane) {
    NetMessage& oldest = lane.messages.front();
    if (oldest.waited(m_now) > LongWait && !oldest.dismissed) {
        m_stalled.emplace(oldest.key, std::move(oldest));
        if (m_stalled.size() > MaxStalled) {
            const auto first =
                std::min_element(m_stalled.begin(), m_stalled.end(), [](const auto& a, const auto& b) {
                    return a.second.waitingSince < b.second.waitingSince;
                });
            m_stalled.erase(first);
        }
    }
    lane.messages.pop_front();
    ++lane.first;
}

void NetHistory::endWaits(NetLane& lane, Time time) {
    const auto end = [&](NetMessage& message) {
        if (message.waitingSince != Never && message.executed == Never && message.over == Never)
            message.over = time;
    };
    for (NetMessage& message : lane.messages)
        end(message);
    const NetMessageKey first{lane.connection, lane.toClient, 0};
    for (auto it = m_stalled.lower_bound(first);
         it != m_stalled.end() && it->first.connection == lane.connection
         && it->first.toClient == lane.toClient;
         ++it)
        end(it->second);
}

// ---------------------------------------------------------------------------------------------------- records

std::size_t NetHistory::follow(NetRecordReader& reader) {
    const std::size_t count = reader.poll([this](const NetRecordView& record) { add(record); });
    if (count > 0)
        trim();
    return count;
}

void NetHistory::clear() {
    m_lanes.clear();
    m_clientEnd.clear();
    m_stalled.clear();
    m_handshakes.clear();
    m_peers.clear();
    m_now = 0;
    ++m_version;
}

NetLane& NetHistory::laneOf(const NetRecordView& record, bool outgoing) {
    const auto end = m_clientEnd.find({record->peer, record->connection});
    const bool client = end != m_clientEnd.end() && end->second;
    const bool toClient = outgoing != client;
    NetLane& lane = m_lanes[{record->connection, toClient}];
    lane.connection = record->connection;
    lane.toClient = toClient;
    (outgoing ? lane.sender : lane.receiver) = record->peer;
    return lane;
}

void NetHistory::add(const NetRecordView& record) {
    ++m_version;
    if (record->kind != NetRecordKind::Name)
        m_now = std::max(m_now, record->time);
    const auto peer = [&]() -> NetPeer& {
        while (m_peers.size() <= record->peer) {
            m_peers.emplace_back();
            m_peers.back().index = static_cast<std::uint8_t>(m_peers.size() - 1);
        }
        return m_peers[record->peer];
    };
    switch (record->kind) {
    case NetRecordKind::Name:
        if (record->number >= m_names.size())
            m_names.resize(static_cast<std::size_t>(record->number) + 1);
        m_names[static_cast<std::size_t>(record->number)] = record.text();
        break;
    case NetRecordKind::Peer: {
        // Time begins anew with the first peer of a run.
        if (std::all_of(m_peers.begin(), m_peers.end(), [](const NetPeer& one) { return one.gone; })) {
            clear();
            m_now = record->time;
        }
        NetPeer& known = peer();
        known.name = name(record->name);
        known.link.clear();
        known.gone = false;
        break;
    }
    case NetRecordKind::Gone:
        if (record->peer >= m_peers.size())
            break; // of a session that this reader knows nothing of
        peer().gone = true;
        for (auto& [key, lane] : m_lanes)
            if (lane.receiver == record->peer)
                endWaits(lane, m_now); // a reader that missed the time gets the record without one
        break;
    case NetRecordKind::Link:
        peer().link = record.text();
        break;
    case NetRecordKind::Tick:
        peer().tick = record->number;
        break;
    case NetRecordKind::Opened:
        m_clientEnd[{record->peer, record->connection}] = record->flags != 0;
        laneOf(record, true);
        laneOf(record, false);
        break;
    case NetRecordKind::Closed:
        if (record->connection == 0)
            break;
        for (const bool outgoing : {false, true}) {
            NetLane& lane = laneOf(record, outgoing);
            if (lane.closed == Never) {
                lane.closed = record->time;
                lane.reason = static_cast<CloseReason>(record->type);
            }
            if (!outgoing)
                endWaits(lane, record->time);
        }
        break;
    case NetRecordKind::Message:
        addMessage(record);
        break;
    case NetRecordKind::Dispatched:
        if (NetMessage* const one = message(laneOf(record, false), record->number, false))
            one->dispatchedAs = record->trace;
        break;
    case NetRecordKind::Packet:
        addPacket(record);
        break;
    case NetRecordKind::Handshake:
        m_handshakes.push_back({static_cast<HandshakeEvent::Kind>(record->event), record->flags != 0,
                                record->time, record->peer, std::string(record.text()), record->bytes,
                                static_cast<CloseReason>(record->type)});
        if (m_handshakes.size() > MaxHandshakes)
            m_handshakes.pop_front();
        break;
    }
}

void NetHistory::addMessage(const NetRecordView& record) {
    using Kind = MessageEvent::Kind;
    const auto kind = static_cast<Kind>(record->event);
    NetLane& lane = laneOf(record, !atReceiver(kind));
    if (kind == Kind::Sent || kind == Kind::Resent || kind == Kind::Copied || kind == Kind::UnreliableSent)
        packet(lane, record->packet)
            .items.push_back({record->number, record->bytes, record->type, record->fragment, record->name,
                              record->entity, kind});
    if (kind >= Kind::UnreliableSent)
        return;
    // Only its beginning makes a message known: of one that is older than this history the rest is not enough.
    NetMessage* const found = message(lane, record->number, kind == Kind::Queued || kind == Kind::Arrived);
    if (found == nullptr)
        return;
    NetMessage& message = *found;
    message.type = record->type;
    message.typeName = name(record->name);
    if (record->entity != 0)
        message.entity = name(record->entity);
    const auto keepBody = [&] {
        message.bytes = record->bytes;
        const ByteView body = record.body();
        message.body.assign(body.begin(), body.end());
    };
    switch (kind) {
    case Kind::Queued:
        message.queued = record->time;
        message.sentFrom = record->trace;
        message.priority = record->flags;
        message.needs.assign(record.needs().begin(), record.needs().end());
        keepBody();
        break;
    case Kind::Sent:
    case Kind::Resent:
    case Kind::Copied:
        message.sent.push_back({kind == Kind::Sent     ? NetTransmission::Kind::First
                                : kind == Kind::Resent ? NetTransmission::Kind::Resend
                                                       : NetTransmission::Kind::Copy,
                                record->packet, record->time, Never, record->fragment, record->bytes});
        break;
    case Kind::Lost:
        for (NetTransmission& one : message.sent)
            if (one.packet == record->packet && one.fragment == record->fragment)
                one.lost = record->time;
        break;
    case Kind::Acknowledged:
        message.acknowledged = record->time;
        break;
    case Kind::KnownExecuted:
        message.knownExecuted = record->time;
        break;
    case Kind::Arrived:
        message.arrived = record->time;
        if (message.queued == Never) {
            message.needs.assign(record.needs().begin(), record.needs().end());
            keepBody();
        }
        break;
    case Kind::Duplicate:
        ++message.duplicates;
        break;
    case Kind::Waiting:
        message.waitingSince = record->time;
        message.waitedFor.assign(record.needs().begin(), record.needs().end());
        break;
    case Kind::Executed:
        message.executed = record->time;
        break;
    default:
        break;
    }
}

void NetHistory::addPacket(const NetRecordView& record) {
    using Kind = PacketEvent::Kind;
    const auto kind = static_cast<Kind>(record->event);
    const bool outgoing = kind == Kind::Sent || kind == Kind::Acknowledged || kind == Kind::Lost;
    NetLane& lane = laneOf(record, outgoing);
    // Of a packet forgotten already only its end is known.
    if (kind != Kind::Sent && !lane.packets.empty() && record->number < lane.packets.front().number)
        return;
    NetPacket& known = packet(lane, record->number);
    known.bytes = std::max(known.bytes, record->bytes);
    switch (kind) {
    case Kind::Sent:
        known.sent = record->time;
        known.causes = record->flags;
        break;
    case Kind::Received:
        known.arrived = record->time;
        break;
    case Kind::Refused:
        known.refused = true;
        break;
    case Kind::Acknowledged:
        known.acknowledged = record->time;
        break;
    case Kind::Lost:
        known.lost = record->time;
        // Copies too, which no event of the message itself reports.
        for (const NetPacketItem& item : known.items)
            if (item.sequence != 0)
                if (NetMessage* one = message(lane, item.sequence, false))
                    for (NetTransmission& sent : one->sent)
                        if (sent.packet == record->number && sent.fragment == item.fragment)
                            sent.lost = earliest(sent.lost, record->time);
        break;
    }
}

void NetHistory::trim() {
    // Twice a second is soon enough.
    if (m_now - m_trimmed < Second / 2 && m_now >= m_trimmed)
        return;
    m_trimmed = m_now;
    const Time oldest = m_now - m_keep;
    while (!m_handshakes.empty() && m_handshakes.front().time < oldest)
        m_handshakes.pop_front();
    for (auto it = m_lanes.begin(); it != m_lanes.end();) {
        NetLane& lane = it->second;
        const bool over = lane.closed != Never;
        while (!lane.messages.empty()) {
            const NetMessage& front = lane.messages.front();
            const Time began = front.first();
            // Not while either end has it in its graph.
            const bool done = over || began == Never || front.finished();
            if (!done
                || (began != Never
                    && std::max(began, front.executed == Never ? Time{0} : front.executed) >= oldest))
                break;
            dropFront(lane);
        }
        while (!lane.packets.empty()
               && std::min(lane.packets.front().sent, lane.packets.front().arrived) < oldest)
            lane.packets.pop_front();
        it = over && lane.messages.empty() && lane.packets.empty() && lane.closed < oldest ? m_lanes.erase(it)
                                                                                           : std::next(it);
    }
}

// ---------------------------------------------------------------------------------------------------- questions

std::vector<const NetMessage*> NetHistory::stalled() const {
    std::vector<const NetMessage*> all;
    for (const auto& [key, message] : m_stalled)
        all.push_back(&message);
    for (const auto& [key, lane] : m_lanes)
        for (const NetMessage& message : lane.messages)
            if (!message.dismissed && message.waited(m_now) > LongWait)
                all.push_back(&message);
    std::sort(all.begin(), all.end(), [](const NetMessage* a, const NetMessage* b) {
        return std::pair(a->waitingSince, a->key) < std::pair(b->waitingSince, b->key);
    });
    return all;
}

std::vector<const NetMessage*> NetHistory::stalledAtSender() const {
    std::vector<const NetMessage*> all;
    for (const auto& [key, lane] : m_lanes)
        for (const NetMessage& message : lane.messages)
            if (message.waitedToLeave(std::min(m_now, lane.closed)) > LongWait)
                all.push_back(&message);
    std::sort(all.begin(), all.end(), [](const NetMessage* a, const NetMessage* b) {
        return std::pair(a->queued, a->key) < std::pair(b->queued, b->key);
    });
    return all;
}

void NetHistory::dismiss(const NetMessageKey& key) {
    ++m_version;
    m_stalled.erase(key);
    if (const auto lane = m_lanes.find({key.connection, key.toClient}); lane != m_lanes.end())
        if (NetMessage* one = message(lane->second, key.sequence, false))
            one->dismissed = true;
}

void NetHistory::dismissAll() {
    for (const NetMessage* one : stalled())
        dismiss(NetMessageKey(one->key));
}

std::vector<std::uint64_t> NetHistory::waitsFor(const NetMessage& message) const {
    std::vector<std::uint64_t> open;
    if (message.receiver() != NetMessage::Receiver::Waiting)
        return open;
    for (const std::uint64_t need : message.waitedFor) {
        const NetMessage* known = find({message.key.connection, message.key.toClient, need});
        if (known == nullptr || known->executed == Never)
            open.push_back(need);
    }
    return open;
}

const NetMessage* NetHistory::cause(const NetMessage& message) const {
    // Dependencies point back: this ends. What arrived last is what it waited for.
    const NetMessage* at = &message;
    const NetMessage* blamed = nullptr;
    for (;;) {
        const NetMessage* next = nullptr;
        for (const std::uint64_t need : at->waitedFor) {
            const NetMessage* known = find({at->key.connection, at->key.toClient, need});
            if (need >= at->key.sequence || known == nullptr)
                continue;
            if (next == nullptr || known->executed > next->executed)
                next = known;
        }
        if (next == nullptr)
            return blamed;
        blamed = next;
        at = next;
    }
}

std::string NetHistory::explain(const NetMessage& message) const {
    if (message.waitingSince == Never)
        return {};
    const NetMessage* const root = cause(message);
    const bool inVain = message.executed == Never && message.over != Never;
    std::string text = message.executed == Never && !inVain ? "waits for " : "waited for ";
    if (root == nullptr && message.waitedFor.empty()) {
        text += "its turn";
    } else if (root == nullptr) {
        text += "#" + std::to_string(message.waitedFor.front());
    } else {
        text += "#" + std::to_string(root->key.sequence);
        if (!root->typeName.empty())
            text += " " + root->typeName;
        std::size_t lost = 0;
        std::size_t resent = 0;
        for (const NetTransmission& one : root->sent) {
            lost += one.lost != Never ? 1U : 0U;
            resent += one.kind != NetTransmission::Kind::First ? 1U : 0U;
        }
        if (lost > 0)
            text +=
                " (lost" + (lost > 1 ? " ×" + std::to_string(lost) : std::string())
                + (resent > 0 ? ", sent again" + (resent > 1 ? " ×" + std::to_string(resent) : std::string())
                              : "")
                + ")";
    }
    char time[32];
    std::snprintf(time, sizeof time, " %.0f ms",
                  static_cast<double>(message.waited(m_now)) / static_cast<double>(Millisecond));
    return text + time + (inVain ? ", in vain" : "");
}

} // namespace sbx::net
