#include "engine/net/net_history.h"

#include <cinttypes>
#include <cstdio>

namespace sbx::net {

namespace {

std::string text(std::string_view value) {
    std::string out = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += code;
        } else {
            out += c;
        }
    }
    return out + '"';
}

// Milliseconds; null: not happened, or not seen.
std::string time(Time at) {
    if (at == Never)
        return "null";
    char out[40];
    std::snprintf(out, sizeof out, "%" PRId64 ".%03d", at / Millisecond,
                  static_cast<int>(at % Millisecond / Microsecond));
    return out;
}

std::string numbers(const std::vector<std::uint64_t>& values) {
    std::string out = "[";
    for (const std::uint64_t value : values)
        out += (out.size() > 1 ? "," : "") + std::to_string(value);
    return out + "]";
}

const char* senderName(NetMessage::Sender state) {
    static constexpr const char* Names[] = {"unseen", "queued", "sent", "lost", "resent", "acknowledged", "executed"};
    return Names[static_cast<std::size_t>(state)];
}
const char* receiverName(NetMessage::Receiver state) {
    static constexpr const char* Names[] = {"nothing", "waiting", "executed"};
    return Names[static_cast<std::size_t>(state)];
}

std::string messageJson(const NetHistory& history, const NetMessage& message) {
    static constexpr const char* Kinds[] = {"first", "resend", "copy"};
    std::string out = "{\"sequence\":" + std::to_string(message.key.sequence)
                      + ",\"type\":" + text(message.typeName) + ",\"entity\":" + text(message.entity)
                      + ",\"bytes\":" + std::to_string(message.bytes) + ",\"needs\":" + numbers(message.needs)
                      + ",\"sender\":{\"state\":\"" + senderName(message.sender())
                      + "\",\"trace\":" + std::to_string(message.sentFrom)
                      + ",\"queued\":" + time(message.queued) + ",\"sent\":[";
    for (std::size_t i = 0; i < message.sent.size(); ++i) {
        const NetTransmission& one = message.sent[i];
        out += std::string(i > 0 ? "," : "") + "{\"kind\":\"" + Kinds[static_cast<std::size_t>(one.kind)]
               + "\",\"packet\":" + std::to_string(one.packet) + ",\"at\":" + time(one.sent) + ",\"lost\":" + time(one.lost);
        if (one.fragment != MessageEvent::Whole)
            out += ",\"fragment\":" + std::to_string(one.fragment);
        out += "}";
    }
    out += "],\"acknowledged\":" + time(message.acknowledged) + ",\"executed\":" + time(message.knownExecuted)
           + "},\"receiver\":{\"state\":\"" + receiverName(message.receiver())
           + "\",\"trace\":" + std::to_string(message.dispatchedAs) + ",\"arrived\":" + time(message.arrived)
           + ",\"waitingSince\":" + time(message.waitingSince)
           + ",\"waitedFor\":" + numbers(message.waitedFor)
           + ",\"waitsFor\":" + numbers(history.waitsFor(message)) + ",\"executed\":" + time(message.executed)
           + ",\"over\":" + time(message.over) + ",\"duplicates\":" + std::to_string(message.duplicates) + "}";
    if (message.waitingSince != Never)
        out += ",\"why\":" + text(history.explain(message));
    return out + "}";
}

std::string packetJson(const NetHistory& history, const NetPacket& packet) {
    static constexpr std::pair<PacketEvent::Cause, const char*> Causes[] = {
        {PacketEvent::Messages, "messages"}, {PacketEvent::Resends, "resends"},
        {PacketEvent::Copies, "copies"},     {PacketEvent::States, "states"},
        {PacketEvent::Control, "control"},   {PacketEvent::Acknowledgement, "acknowledgement"}};
    std::string out = "{\"number\":" + std::to_string(packet.number) + ",\"bytes\":" + std::to_string(packet.bytes)
                      + ",\"causes\":[";
    bool first = true;
    for (const auto& [cause, name] : Causes) {
        if ((packet.causes & cause) == 0)
            continue;
        out += std::string(first ? "\"" : ",\"") + name + "\"";
        first = false;
    }
    out += "],\"sent\":" + time(packet.sent) + ",\"arrived\":" + time(packet.arrived)
           + ",\"acknowledged\":" + time(packet.acknowledged) + ",\"lost\":" + time(packet.lost) + ",\"items\":[";
    first = true;
    for (const NetPacketItem& item : packet.items) {
        out += std::string(first ? "" : ",") + "{\"type\":" + text(history.name(item.typeName));
        if (item.sequence != 0)
            out += ",\"sequence\":" + std::to_string(item.sequence);
        if (item.entity != 0)
            out += ",\"entity\":" + text(history.name(item.entity));
        out += ",\"bytes\":" + std::to_string(item.bytes) + "}";
        first = false;
    }
    return out + "]}";
}

std::string handshakeJson(const NetHandshake& handshake, const std::string& peer) {
    static constexpr std::array Kinds{"request", "challenge", "response", "denial"};
    std::string out = std::string("{\"kind\":\"") + Kinds[static_cast<std::size_t>(handshake.kind)] + "\",\"peer\":" + peer
                      + (handshake.sent ? ",\"to\":" : ",\"from\":") + text(handshake.address)
                      + ",\"time\":" + time(handshake.time) + ",\"bytes\":" + std::to_string(handshake.bytes);
    if (handshake.reason != CloseReason::None)
        out += ",\"reason\":" + std::to_string(static_cast<unsigned>(handshake.reason));
    return out + "}";
}

} // namespace

std::string toJson(const NetHistory& history) {
    const auto peerName = [&](int index) {
        return index < 0 ? std::string("null") : text(history.peers()[static_cast<std::size_t>(index)].name);
    };
    std::string out = "{\"now\":" + time(history.now()) + ",\"peers\":[";
    bool first = true;
    for (const NetPeer& peer : history.peers()) {
        out += std::string(first ? "" : ",") + "{\"name\":" + text(peer.name) + ",\"tick\":" + std::to_string(peer.tick)
               + ",\"link\":" + text(peer.link) + ",\"gone\":" + (peer.gone ? "true" : "false") + "}";
        first = false;
    }
    out += "],\"lanes\":[";
    bool firstLane = true;
    for (const auto& [key, lane] : history.lanes()) {
        out += std::string(firstLane ? "\n" : ",\n") + "{\"connection\":" + std::to_string(lane.connection) + ",\"direction\":\""
               + (lane.toClient ? "to client" : "to server") + "\",\"sender\":" + peerName(lane.sender)
               + ",\"receiver\":" + peerName(lane.receiver) + ",\"closed\":" + time(lane.closed) + ",\"messages\":[";
        firstLane = false;
        first = true;
        for (const NetMessage& message : lane.messages) {
            if (message.first() == Never)
                continue; // before this history
            out += (first ? "\n" : ",\n") + messageJson(history, message);
            first = false;
        }
        out += "],\"packets\":[";
        first = true;
        for (const NetPacket& packet : lane.packets) {
            out += (first ? "\n" : ",\n") + packetJson(history, packet);
            first = false;
        }
        out += "]}";
    }
    out += "],\"handshakes\":[";
    first = true;
    for (const NetHandshake& handshake : history.handshakes()) {
        out += (first ? "\n" : ",\n") + handshakeJson(handshake, peerName(handshake.peer));
        first = false;
    }
    out += "],\"stalled\":[";
    first = true;
    const auto stalled = [&](const NetMessage& message, const char* at, Time waited) {
        out += std::string(first ? "\n" : ",\n") + "{\"connection\":" + std::to_string(message.key.connection)
               + ",\"toClient\":" + (message.key.toClient ? "true" : "false") + ",\"at\":\"" + at
               + "\",\"waited\":" + time(waited) + ",\"message\":" + messageJson(history, message) + "}";
        first = false;
    };
    for (const NetMessage* message : history.stalled())
        stalled(*message, "receiver", message->waited(history.now()));
    for (const NetMessage* message : history.stalledAtSender())
        stalled(*message, "sender", message->waitedToLeave(history.now()));
    return out + "]}\n";
}

} // namespace sbx::net
