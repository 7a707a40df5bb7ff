#pragma once
// Judges what a NetRecorder wrote, of tests or of real games, by what must hold of every session: P1, P4, P6, P8 and P13 of
// tests/net/README.md, and that what arrives is what was said. Of a connection of which one end alone was recorded it judges what that end
// can know.

#include "engine/net/net_record.h"
#include "engine/net/sequence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace sbx::net {

class RecordChecker {
public:
    // In the order in which they were recorded.
    void take(const NetRecordView& record) {
        switch (record->kind) {
        case NetRecordKind::Opened:
            m_ends[{record->connection, record->peer}] = (record->flags & 1U) != 0;
            ++m_open[record->connection];
            break;
        case NetRecordKind::Gone: // what it does from now on is not recorded
            for (auto one = m_ends.begin(); one != m_ends.end();) {
                if (one->first.second == record->peer) {
                    --m_open[one->first.first];
                    one = m_ends.erase(one);
                } else {
                    ++one;
                }
            }
            break;
        case NetRecordKind::Message:
            if (known(record))
                message(record);
            break;
        case NetRecordKind::Packet:
            if (known(record))
                packet(record);
            break;
        case NetRecordKind::Dispatched:
            if (known(record)) {
                Message& one = way(record, false).messages[record->number];
                must(record, one.executed, "dispatched before it was executed");
                must(record, !one.dispatched, "dispatched twice");
                one.dispatched = true;
            }
            break;
        default:
            break;
        }
    }
    [[nodiscard]] std::size_t executed() const { return m_executed; }
    [[nodiscard]] std::size_t packets() const { return m_packets; }
    // Queued and not executed, as far as both ends were recorded.
    [[nodiscard]] std::size_t outstanding() const {
        std::size_t count = 0;
        for (const auto& [key, one] : m_ways)
            for (const auto& [sequence, message] : one.messages)
                count += both(key.first) && message.queued && !message.executed ? 1U : 0U;
        return count;
    }
    std::vector<std::string> faults; // the first hundred

private:
    struct Message {
        std::vector<std::uint64_t> needs;
        std::vector<std::uint8_t> body;
        std::uint32_t bytes = 0;
        std::uint16_t type = 0;
        bool queued = false;
        bool sent = false;
        bool arrived = false;
        bool executed = false;
        bool acknowledged = false;
        bool knownExecuted = false;
        bool dispatched = false;
    };
    struct Packet {
        std::uint32_t bytes = 0;
        bool received = false;
        bool acknowledged = false;
    };
    struct Way {
        std::map<std::uint64_t, Message> messages;
        std::map<std::uint64_t, Packet> packets;
        std::uint64_t newest = 0;       // message queued
        std::uint64_t newestPacket = 0; // sent
        std::size_t unreliableSent = 0;
        std::size_t unreliableCame = 0;
    };

    void must(const NetRecordView& record, bool holds, const char* what) {
        if (!holds && faults.size() < 100)
            faults.push_back(std::string(what) + ": number " + std::to_string(record->number)
                             + " of connection " + std::to_string(record->connection) + " at "
                             + std::to_string(record->time));
    }
    [[nodiscard]] bool known(const NetRecordView& record) const {
        return m_ends.contains({record->connection, record->peer});
    }
    [[nodiscard]] bool both(std::uint32_t connection) const { return m_open.at(connection) == 2; }
    // Of what this end sends, or of what comes to it.
    Way& way(const NetRecordView& record, bool own) {
        return m_ways[{record->connection, m_ends.at({record->connection, record->peer}) == own}];
    }

    void message(const NetRecordView& record) {
        using Kind = MessageEvent::Kind;
        const auto kind = static_cast<Kind>(record->event);
        Way& on = way(record, !atReceiver(kind));
        const bool paired = both(record->connection);
        if (kind >= Kind::UnreliableSent) {
            on.unreliableSent += kind == Kind::UnreliableSent ? 1U : 0U;
            on.unreliableCame += kind >= Kind::UnreliableDelivered ? 1U : 0U;
            must(record, !paired || on.unreliableCame <= on.unreliableSent, "more came than was sent");
            return;
        }
        Message& one = on.messages[record->number];
        must(record, kind == Kind::Queued || one.queued || (atReceiver(kind) && !paired),
             "nobody has said it");
        switch (kind) {
        case Kind::Queued:
            must(record, !one.queued, "said twice under one number");
            must(record, on.newest == 0 || record->number == on.newest + 1, "a number was left out");
            on.newest = record->number;
            one.queued = true;
            one.type = record->type;
            one.bytes = record->bytes;
            one.needs.assign(record.needs().begin(), record.needs().end());
            one.body.assign(record.body().begin(), record.body().end());
            for (const std::uint64_t need : one.needs)
                must(record, before(need, record->number) && on.messages.contains(need),
                     "it needs what was not said before");
            break;
        case Kind::Sent:
        case Kind::Resent:
        case Kind::Copied:
            must(record, !one.acknowledged, "sent when it was acknowledged");
            must(record, on.packets.contains(record->packet) || before(on.newestPacket, record->packet),
                 "in a packet of the past");
            one.sent = true;
            break;
        case Kind::Lost:
            must(record, one.sent, "lost before it was sent");
            break;
        case Kind::Acknowledged:
            must(record, !one.acknowledged, "acknowledged twice");
            must(record, one.arrived || !paired, "acknowledged before it came"); // P8
            one.acknowledged = true;
            break;
        case Kind::KnownExecuted:
            must(record, one.acknowledged && !one.knownExecuted,
                 "known executed twice, or before it was acknowledged");
            must(record, one.executed || !paired, "believed executed"); // P4
            for (const std::uint64_t need : one.needs)
                must(record, on.messages[need].knownExecuted, "known executed before what it needs");
            one.knownExecuted = true;
            break;
        case Kind::Arrived:
            must(record, !one.arrived, "came twice");
            one.arrived = true;
            if (!paired)
                break;
            must(record, one.sent, "came before it was sent");
            must(record,
                 one.type == record->type && one.bytes == record->bytes
                     && std::ranges::equal(one.body, record.body()),
                 "came as something else");
            for (const std::uint64_t need : record.needs()) // P6
                must(record, std::ranges::find(one.needs, need) != one.needs.end(),
                     "came with a need that was not named");
            break;
        case Kind::Duplicate:
            must(record, one.arrived || record->fragment != MessageEvent::Whole, "a duplicate of nothing");
            break;
        case Kind::Waiting:
            must(record, one.arrived && !one.executed && !record.needs().empty(), "waits for nothing");
            for (const std::uint64_t need : record.needs())
                must(record, !on.messages[need].executed, "waits for what is executed");
            break;
        case Kind::Executed: // P1
            must(record, one.arrived, "executed before it came");
            must(record, !one.executed, "executed twice");
            for (const std::uint64_t need : one.needs)
                must(record, !paired || on.messages[need].executed, "executed before what it needs");
            one.executed = true;
            ++m_executed;
            break;
        default:
            break;
        }
    }
    void packet(const NetRecordView& record) {
        using Kind = PacketEvent::Kind;
        const auto kind = static_cast<Kind>(record->event);
        const bool comes = kind == Kind::Received || kind == Kind::Refused;
        Way& on = way(record, !comes);
        if (kind == Kind::Sent) { // P13
            must(record, on.newestPacket == 0 || before(on.newestPacket, record->number),
                 "a packet's number was used before");
            on.newestPacket = record->number;
            on.packets[record->number].bytes = record->bytes;
            ++m_packets;
            return;
        }
        const bool paired = both(record->connection);
        must(record, on.packets.contains(record->number) || (comes && !paired),
             "a packet that nobody has sent");
        Packet& one = on.packets[record->number];
        switch (kind) {
        case Kind::Received:
            must(record, !one.received, "received twice");
            must(record, !paired || one.bytes == record->bytes, "received with another size");
            one.received = true;
            break;
        case Kind::Acknowledged:
            must(record, one.received || !paired, "a packet acknowledged that did not come");
            must(record, !one.acknowledged, "a packet acknowledged twice");
            one.acknowledged = true;
            break;
        case Kind::Lost:
            must(record, !one.acknowledged, "lost when it was acknowledged");
            break;
        case Kind::Refused:
        case Kind::Sent:
            break;
        }
    }

    std::map<std::pair<std::uint32_t, std::uint8_t>, bool>
        m_ends;                                           // of a connection and a peer: it is the client
    std::map<std::uint32_t, int> m_open;                  // ends recorded
    std::map<std::pair<std::uint32_t, bool>, Way> m_ways; // true: from the client
    std::size_t m_executed = 0;
    std::size_t m_packets = 0;
};

} // namespace sbx::net
