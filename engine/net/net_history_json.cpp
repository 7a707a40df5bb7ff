#include "engine/core/json_writer.h"
#include "engine/net/net_history.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace sbx::net {

namespace {

// Milliseconds; null: not happened, or not seen.
void writeTime(JsonWriter& json, std::string_view key, Time at) {
    json.key(key);
    if (at == Never) {
        json.null();
        return;
    }
    char out[40];
    std::snprintf(out, sizeof out, "%" PRId64 ".%03d", at / Millisecond,
                  static_cast<int>(at % Millisecond / Microsecond));
    json.raw(out);
}

void writeNumbers(JsonWriter& json, std::string_view key, const std::vector<std::uint64_t>& values) {
    json.key(key).beginArray();
    for (const std::uint64_t value : values)
        json.value(value);
    json.endArray();
}

// null: an end that this history does not know.
void writePeer(JsonWriter& json, std::string_view key, const NetHistory& history, int index) {
    json.key(key);
    if (index < 0)
        json.null();
    else
        json.value(history.peers()[static_cast<std::size_t>(index)].name);
}

const char* senderName(NetMessage::Sender state) {
    static constexpr const char* Names[] = {"unseen", "queued", "sent", "lost", "resent", "acknowledged", "executed"};
    return Names[static_cast<std::size_t>(state)];
}
const char* receiverName(NetMessage::Receiver state) {
    static constexpr const char* Names[] = {"nothing", "waiting", "executed"};
    return Names[static_cast<std::size_t>(state)];
}

void writeSender(JsonWriter& json, const NetMessage& message) {
    static constexpr const char* Kinds[] = {"first", "resend", "copy"};
    json.beginObject().member("state", senderName(message.sender())).member("trace", message.sentFrom);
    writeTime(json, "queued", message.queued);
    json.key("sent").beginArray();
    for (const NetTransmission& one : message.sent) {
        json.beginObject()
            .member("kind", Kinds[static_cast<std::size_t>(one.kind)])
            .member("packet", one.packet);
        writeTime(json, "at", one.sent);
        writeTime(json, "lost", one.lost);
        if (one.fragment != MessageEvent::Whole)
            json.member("fragment", one.fragment);
        json.endObject();
    }
    json.endArray();
    writeTime(json, "acknowledged", message.acknowledged);
    writeTime(json, "executed", message.knownExecuted);
    json.endObject();
}

void writeReceiver(JsonWriter& json, const NetHistory& history, const NetMessage& message) {
    json.beginObject()
        .member("state", receiverName(message.receiver()))
        .member("trace", message.dispatchedAs);
    writeTime(json, "arrived", message.arrived);
    writeTime(json, "waitingSince", message.waitingSince);
    writeNumbers(json, "waitedFor", message.waitedFor);
    writeNumbers(json, "waitsFor", history.waitsFor(message));
    writeTime(json, "executed", message.executed);
    writeTime(json, "over", message.over);
    json.member("duplicates", message.duplicates).endObject();
}

void writeMessage(JsonWriter& json, const NetHistory& history, const NetMessage& message) {
    json.beginObject().member("sequence", message.key.sequence).member("type", message.typeName);
    json.member("entity", message.entity).member("bytes", message.bytes);
    writeNumbers(json, "needs", message.needs);
    writeSender(json.key("sender"), message);
    writeReceiver(json.key("receiver"), history, message);
    if (message.waitingSince != Never)
        json.member("why", history.explain(message));
    json.endObject();
}

void writePacket(JsonWriter& json, const NetHistory& history, const NetPacket& packet) {
    static constexpr std::pair<PacketEvent::Cause, const char*> Causes[] = {
        {PacketEvent::Messages, "messages"}, {PacketEvent::Resends, "resends"},
        {PacketEvent::Copies, "copies"},     {PacketEvent::States, "states"},
        {PacketEvent::Control, "control"},   {PacketEvent::Acknowledgement, "acknowledgement"}};
    json.beginObject()
        .member("number", packet.number)
        .member("bytes", packet.bytes)
        .key("causes")
        .beginArray();
    for (const auto& [cause, name] : Causes)
        if ((packet.causes & cause) != 0)
            json.value(name);
    json.endArray();
    writeTime(json, "sent", packet.sent);
    writeTime(json, "arrived", packet.arrived);
    writeTime(json, "acknowledged", packet.acknowledged);
    writeTime(json, "lost", packet.lost);
    json.key("items").beginArray();
    for (const NetPacketItem& item : packet.items) {
        json.beginObject().member("type", history.name(item.typeName));
        if (item.sequence != 0)
            json.member("sequence", item.sequence);
        if (item.entity != 0)
            json.member("entity", history.name(item.entity));
        json.member("bytes", item.bytes).endObject();
    }
    json.endArray().endObject();
}

void writeHandshake(JsonWriter& json, const NetHistory& history, const NetHandshake& handshake) {
    static constexpr std::array Kinds{"request", "challenge", "response", "denial"};
    json.beginObject().member("kind", Kinds[static_cast<std::size_t>(handshake.kind)]);
    writePeer(json, "peer", history, handshake.peer);
    json.member(handshake.sent ? "to" : "from", handshake.address);
    writeTime(json, "time", handshake.time);
    json.member("bytes", handshake.bytes);
    if (handshake.reason != CloseReason::None)
        json.member("reason", static_cast<unsigned>(handshake.reason));
    json.endObject();
}

void writeLane(JsonWriter& json, const NetHistory& history, const NetLane& lane) {
    json.beginObject().member("connection", lane.connection);
    json.member("direction", lane.toClient ? "to client" : "to server");
    writePeer(json, "sender", history, lane.sender);
    writePeer(json, "receiver", history, lane.receiver);
    writeTime(json, "closed", lane.closed);
    json.key("messages").beginArray();
    for (const NetMessage& message : lane.messages)
        if (message.first() != Never) // else it was sent before this history begins
            writeMessage(json.onNewLine(), history, message);
    json.endArray().key("packets").beginArray();
    for (const NetPacket& packet : lane.packets)
        writePacket(json.onNewLine(), history, packet);
    json.endArray().endObject();
}

} // namespace

std::string toJson(const NetHistory& history) {
    JsonWriter json;
    json.beginObject();
    writeTime(json, "now", history.now());
    json.key("peers").beginArray();
    for (const NetPeer& peer : history.peers())
        json.beginObject()
            .member("name", peer.name)
            .member("tick", peer.tick)
            .member("link", peer.link)
            .member("gone", peer.gone)
            .endObject();
    json.endArray().key("lanes").beginArray();
    for (const auto& [key, lane] : history.lanes())
        writeLane(json.onNewLine(), history, lane);
    json.endArray().key("handshakes").beginArray();
    for (const NetHandshake& handshake : history.handshakes())
        writeHandshake(json.onNewLine(), history, handshake);
    json.endArray().key("stalled").beginArray();
    const auto writeStalled = [&](const NetMessage& message, const char* at, Time waited) {
        json.onNewLine().beginObject().member("connection", message.key.connection);
        json.member("toClient", message.key.toClient).member("at", at);
        writeTime(json, "waited", waited);
        writeMessage(json.key("message"), history, message);
        json.endObject();
    };
    for (const NetMessage* message : history.stalled())
        writeStalled(*message, "receiver", message->waited(history.now()));
    for (const NetMessage* message : history.stalledAtSender())
        writeStalled(*message, "sender", message->waitedToLeave(history.now()));
    return std::move(json.endArray().endObject()).take() + "\n";
}

} // namespace sbx::net
