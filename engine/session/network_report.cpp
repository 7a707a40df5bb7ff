#include "engine/session/network_report.h"

#include "engine/components/network_system.h"
#include "engine/core/json_writer.h"
#include "engine/net/net_history.h"
#include "engine/session/local_clients.h"
#include "engine/session/server_identity.h"
#include "engine/session/session.h"

#include <algorithm>
#include <cstdio>

namespace sbx {

namespace {

// An object in the answers of net.stats. add() takes a value that is JSON already.
class JsonObject {
public:
    JsonObject& add(std::string_view name, const std::string& json) {
        m_json.key(name).raw(json);
        return *this;
    }
    JsonObject& add(std::string_view name, std::uint64_t value) {
        m_json.member(name, value);
        return *this;
    }
    JsonObject& text(std::string_view name, std::string_view value) {
        m_json.member(name, value);
        return *this;
    }
    JsonObject& milliseconds(std::string_view name, net::Time time) {
        char out[40];
        std::snprintf(out, sizeof out, "%.3f", static_cast<double>(time) / static_cast<double>(net::Millisecond));
        return add(name, std::string(out));
    }
    template <typename Counters> JsonObject& counters(std::string_view name, const Counters& counters) {
        m_json.key(name).beginObject();
        counters.forEach([&](const char* counter, std::uint64_t value) { m_json.member(counter, value); });
        m_json.endObject();
        return *this;
    }
    // Nothing can be added behind it.
    [[nodiscard]] std::string done() { return std::move(m_json.endObject()).take(); }

private:
    JsonWriter m_json = std::move(JsonWriter().beginObject());
};

const char* stateName(net::Connection::State state) {
    static constexpr const char* Names[] = {"proving", "connected", "lingering", "closing", "closed"};
    return Names[static_cast<std::size_t>(state)];
}

std::string connectionJson(const net::Connection& connection, const std::string& name, LocalClients* clients) {
    const net::Channel& channel = connection.channel();
    JsonObject json;
    json.text("name", name).text("address", connection.peer().toString()).add("connection", connection.id());
    json.text("state", stateName(connection.state()))
        .add("encrypted", std::string("true")); // every connection is
    json.add("authenticated", std::string(authenticated(connection, clients) ? "true" : "false"));
    if (connection.serverKey())
        json.text("serverKey", fingerprint(*connection.serverKey()));
    json.add("keyGeneration", connection.keyGeneration());
    json.milliseconds("roundTrip", channel.roundTrip().smoothed()).milliseconds("jitter", channel.roundTrip().variation());
    json.add("queuedMessages", channel.sendGraph().next() - channel.sendGraph().floor());
    json.add("queuedBytes", channel.sendGraph().pendingBytes());
    json.add("memory", connection.memory());
    json.counters("counters", connection.counters()).counters("channel", channel.counters());
    return json.done();
}

std::string directionJson(net::SimulatedNetwork& network, const net::Address& from, const net::Address& to) {
    net::LinkDirection& direction = network.direction(from, to);
    JsonObject json;
    json.milliseconds("queueDelay", direction.queueDelay(network.now())).add("inFlight", direction.inFlight());
    json.counters("counters", direction.counters());
    return json.done();
}

} // namespace

bool authenticated(const net::Connection& connection, LocalClients* clients) {
    bool sure = connection.authenticated();
    for (std::size_t i = 0; !sure && clients != nullptr && i < clients->count(); ++i) {
        const net::Connection* const theirs = clients->host(i).find(connection.id());
        sure = theirs != nullptr && theirs->authenticated();
    }
    return sure;
}

NetworkPeerView peerView(net::Connection& connection) {
    const auto milliseconds = [](net::Time time) { return static_cast<double>(time) / static_cast<double>(net::Millisecond); };
    const net::Channel& channel = connection.channel();
    const net::ChannelCounters& counters = channel.counters();
    NetworkPeerView peer;
    peer.connected = connection.state() == net::Connection::State::Connected;
    peer.roundTripMs = milliseconds(channel.roundTrip().smoothed());
    peer.jitterMs = milliseconds(channel.roundTrip().variation());
    peer.packetsSent = counters.packetsSent;
    peer.packetsLost = counters.packetsLost - std::min(counters.packetsSpurious, counters.packetsLost);
    peer.bytesDown = connection.counters().datagramBytesSent;
    peer.bytesQueued = channel.sendGraph().pendingBytes();
    peer.messagesSent = counters.guaranteedSent;
    peer.messagesResent = counters.guaranteedResent;
    return peer;
}

std::string networkStats(Session& session) {
    Simulation& simulation = session.target();
    static constexpr const char* Roles[] = {"alone", "server", "client"};
    LocalClients* const clients = session.lines().targetClients();
    JsonObject json;
    json.text("role", Roles[static_cast<std::size_t>(simulation.network().role())]).add("tick", simulation.world().tickCount());
    json.add("peers", simulation.network().peerCount());
    std::string connections;
    if (net::Host* const host = simulation.network().host()) {
        json.milliseconds("time", host->clock());
        if (host->ownKey())
            json.text("serverKey", fingerprint(*host->ownKey()));
        json.counters("host", host->counters());
        host->forEach([&](const net::Connection& connection) {
            std::string name = simulation.network().role() == NetworkSystem::Role::Client ? "server" : "";
            for (std::size_t i = 0; clients != nullptr && i < clients->count(); ++i)
                if (clients->host(i).find(connection.id()) != nullptr)
                    name = "client " + std::to_string(i + 1);
            connections += (connections.empty() ? "\n" : ",\n") + connectionJson(connection, name, clients);
        });
    }
    json.add("connections", "[" + connections + "]");
    if (clients != nullptr) {
        std::string links;
        for (std::size_t i = 0; i < clients->count(); ++i) {
            JsonObject link;
            link.text("name", "client " + std::to_string(i + 1)).text("settings", net::toText(clients->link(i)));
            link.add("up", directionJson(clients->network(), clients->address(i), clients->serverAddress()));
            link.add("down", directionJson(clients->network(), clients->serverAddress(), clients->address(i)));
            links += (links.empty() ? "\n" : ",\n") + link.done();
        }
        json.add("links", "[" + links + "]");
    }
    json.counters("messages", simulation.network().counters());
    return json.done();
}

std::string networkHistory(Session& session) {
    net::NetHistory history;
    session.netRecorder().seal();
    session.netRecorder().replay([&](const net::NetRecordView& record) { history.add(record); });
    history.trim();
    return net::toJson(history);
}

} // namespace sbx
