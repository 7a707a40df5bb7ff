// Notifications of observers; nothing here is called where there is none.

#include "engine/net/channel.h"

namespace sbx::net {

static_assert(MessageEvent::Whole == UINT16_MAX, "a fragment's number is the channel's");

void Channel::tell(MessageEvent::Kind kind, std::uint64_t sequence, Time now, std::uint64_t packet,
                   std::uint16_t fragment, std::size_t bytes) {
    MessageEvent event;
    event.kind = kind;
    event.time = now;
    event.connection = m_settings.connection;
    event.sequence = sequence;
    event.packet = packet;
    event.fragment = fragment;
    event.bytes = static_cast<std::uint32_t>(bytes);
    if (atReceiver(kind)) {
        event.type = m_incoming[sequence].type;
    } else {
        const Outgoing& message = m_outgoing[sequence];
        event.type = message.type;
        event.priority = message.priority;
        if (kind == MessageEvent::Kind::Queued) {
            event.body = message.body.bytes();
            event.bytes = message.body.size();
            event.needs = m_unmet;
        }
    }
    m_observer->onMessage(event);
}

void Channel::tellUnreliable(MessageEvent::Kind kind, std::uint16_t type, ByteView body, std::size_t bytes, Time now,
                             std::uint64_t packet) {
    MessageEvent event;
    event.kind = kind;
    event.time = now;
    event.connection = m_settings.connection;
    event.packet = packet;
    event.type = type;
    event.bytes = static_cast<std::uint32_t>(bytes);
    event.body = body;
    m_observer->onMessage(event);
}

void Channel::tellArrived(MessageEvent::Kind kind, const Payload& payload, const WireMessage& message,
                          std::uint64_t sequence, Time now, std::uint64_t packet) {
    MessageEvent event;
    event.kind = kind;
    event.time = now;
    event.connection = m_settings.connection;
    event.sequence = sequence;
    event.packet = packet;
    event.type = message.type;
    if (kind == MessageEvent::Kind::Arrived) {
        // Of one in fragments the head has come before, perhaps in another packet: what is left of it is known.
        const bool fragmented = message.kind == SectionKind::Fragment;
        m_decoded.clear();
        if (fragmented) {
            m_incomingGraph.waitsFor(sequence, m_decoded);
        } else {
            decodeDependencies(payload, message);
        }
        const Incoming& incoming = m_incoming[sequence];
        event.type = incoming.type;
        event.needs = m_decoded;
        event.body = incoming.body.bytes();
        event.bytes = incoming.body.size();
    } else {
        event.fragment = message.kind == SectionKind::Fragment ? message.fragment : Whole;
    }
    m_observer->onMessage(event);
}

// After a packet: its messages that are here and could not be executed.
void Channel::tellWaiting(const Payload& payload, Time now) {
    for (const WireMessage& message : payload.messages) {
        if (message.kind == SectionKind::Unreliable) {
            continue;
        }
        const std::uint64_t sequence = decode(message.sequence);
        // Only those that this packet completed.
        if (before(sequence, m_incomingGraph.floor()) || !m_incomingGraph.hasData(sequence)
            || m_incomingGraph.executed(sequence) || m_incoming[sequence].arrived != now) {
            continue;
        }
        m_decoded.clear();
        m_incomingGraph.waitsFor(sequence, m_decoded);
        MessageEvent event;
        event.kind = MessageEvent::Kind::Waiting;
        event.time = now;
        event.connection = m_settings.connection;
        event.sequence = sequence;
        event.type = m_incoming[sequence].type;
        event.needs = m_decoded;
        m_observer->onMessage(event);
    }
}

} // namespace sbx::net
