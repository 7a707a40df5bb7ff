// What the console says of the network, and does to the simulated links of clients in the same program.

#include "engine/components/network_system.h"
#include "engine/core/json_writer.h"
#include "engine/net/net_history.h"
#include "engine/session/local_clients.h"
#include "engine/session/server_identity.h"
#include "engine/session/session.h"
#include "engine/session/session_lookup.h"

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

// Whether either end has made sure of the other: a server that its client knows the password, a client that the server has the
// key that it expects. Only of a client in the same program (`clients`, may be null) a server knows the latter.
bool authenticated(const net::Connection& connection, LocalClients* clients) {
    bool sure = connection.authenticated();
    for (std::size_t i = 0; !sure && clients != nullptr && i < clients->count(); ++i) {
        const net::Connection* const theirs = clients->host(i).find(connection.id());
        sure = theirs != nullptr && theirs->authenticated();
    }
    return sure;
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

std::string Session::netStats() {
    static constexpr const char* Roles[] = {"alone", "server", "client"};
    LocalClients* const clients = targetClients();
    JsonObject json;
    json.text("role", Roles[static_cast<std::size_t>(target().network().role())]).add("tick", target().world().tickCount());
    json.add("peers", target().network().peerCount());
    std::string connections;
    if (net::Host* const host = target().network().host()) {
        json.milliseconds("time", host->clock());
        if (host->ownKey())
            json.text("serverKey", fingerprint(*host->ownKey()));
        json.counters("host", host->counters());
        host->forEach([&](const net::Connection& connection) {
            std::string name = target().network().role() == NetworkSystem::Role::Client ? "server" : "";
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
    json.counters("messages", target().network().counters());
    return json.done();
}

std::string Session::dumpGraph() {
    net::NetHistory history;
    m_netRecorder.seal();
    m_netRecorder.replay([&](const net::NetRecordView& record) { history.add(record); });
    history.trim();
    return net::toJson(history);
}

Result<void> Session::linkCommand(CommandContext& context, const CommandArguments& arguments) {
    LocalClients* const clients = targetClients();
    if (clients == nullptr)
        return Error{"no other player takes part: start with net.host 2", {}, {}};
    std::size_t which = clients->count();
    if (!arguments.empty() && arguments[0] != "all") {
        const std::string number = arguments[0].starts_with("client") ? arguments[0].substr(6) : arguments[0];
        which = number.size() < 4 && number.find_first_not_of("0123456789") == std::string::npos && !number.empty()
                    ? static_cast<std::size_t>(std::stoul(number)) - 1
                    : clients->count();
        if (which >= clients->count())
            return Error{"net.link: \"" + arguments[0] + "\" is no client; expected all or a number from 1 to "
                             + std::to_string(clients->count()),
                         {}, {}};
    }
    if (arguments.size() > 1) {
        std::string text;
        for (std::size_t i = 1; i < arguments.size(); ++i)
            text += (i > 1 ? " " : "") + arguments[i];
        const Result<net::LinkProfile> link = net::parseLink(text);
        if (!link)
            return Error{"net.link: " + link.error().message, {}, {}};
        clients->setLink(which, *link);
    }
    for (std::size_t i = 0; i < clients->count(); ++i) {
        if (which < clients->count() && which != i)
            continue;
        const std::string text = net::toText(clients->link(i));
        context.print("client " + std::to_string(i + 1) + ": " + (text.empty() ? "none" : text));
    }
    return {};
}

void Session::registerNetworkCommands() {
    CommandRegistry& commands = m_console.commands();
    using Arguments = const CommandArguments&;
    const auto dump = [this](CommandContext& context, Arguments arguments, const std::string& json) -> Result<void> {
        if (!arguments.empty())
            return writeTextFile(json, arguments[0], context);
        context.print(json);
        return {};
    };
    const CommandParameter file{.name = "file", .doc = "Path; none: printed.", .type = ArgumentType::File, .optional = true};
    commands.add("say", "Says something to all players; the log of each shows it, with who said it: say hello",
                 {{.name = "text", .doc = "What to say.", .variadic = true}},
                 [this](CommandContext&, Arguments arguments) -> Result<void> {
                     std::string text;
                     for (const std::string& word : arguments)
                         text += (text.empty() ? "" : " ") + word;
                     if (const Result<void> said = target().network().say(text); !said)
                         return Error{"say: " + said.error().message, {}, {}};
                     return {};
                 });
    commands.add("net", "Who is connected, and how the connections are.", {},
                 [this](CommandContext& context, Arguments) -> Result<void> {
                     static constexpr const char* Roles[] = {"alone", "server", "client"};
                     context.print(std::string(Roles[static_cast<std::size_t>(target().network().role())]) + ", "
                                   + std::to_string(target().network().peerCount()) + " connected");
                     if (net::Host* host = target().network().host(); host != nullptr && host->ownKey())
                         context.print("key of this server: " + fingerprint(*host->ownKey()));
                     if (net::Host* host = target().network().host())
                         host->forEach([&](net::Connection& connection) {
                             const net::ChannelCounters& counters = connection.channel().counters();
                             const NetworkSystem::Backlog backlog = target().network().backlog(connection.id());
                             context.print(
                                 connection.peer().toString() + ": "
                                 + std::to_string(connection.channel().roundTrip().smoothed()
                                                  / net::Millisecond)
                                 + " ms, "
                                 + std::to_string(counters.packetsLost
                                                  - std::min(counters.packetsSpurious, counters.packetsLost))
                                 + " of " + std::to_string(counters.packetsSent) + " packets lost, "
                                 + std::to_string(counters.guaranteedWaited) + " messages waited, "
                                 + std::to_string(backlog.messages) + " wait here ("
                                 + std::to_string(backlog.bytes / 1024) + " KiB), "
                                 + (authenticated(connection, targetClients())
                                       ? "encrypted and authenticated"
                                        : "encrypted, not authenticated")
                                 + (connection.serverKey()
                                        ? ", key of the server: " + fingerprint(*connection.serverKey())
                                        : std::string()));
                         });
                     if (!target().network().lastExcess().empty())
                         context.print("last disconnected for going too far: " + target().network().lastExcess());
                     return {};
                 });
    commands.add("net.stats", "Every counter and estimate of the network as JSON, to a file or here.", {file},
                 [this, dump](CommandContext& context, Arguments arguments) { return dump(context, arguments, netStats()); });
    commands.add("graph.dump",
                 "Messages, what they wait for, and packets of the last half minute as JSON, as both ends saw them.", {file},
                 [this, dump](CommandContext& context, Arguments arguments) { return dump(context, arguments, dumpGraph()); });
    commands.add(
        "net.link",
        "Shows how clients' links treat datagrams, or sets it: net.link 2 wifi down.loss=20%. The net.sim.* "
        "CVars come on top.",
        {{.name = "client", .doc = "Its number, or all.", .optional = true},
         {.name = "settings",
          .doc = "As --link takes it: wifi, latency=50ms, up.loss=5%, none, …; without any the link is only "
                 "shown.",
          .optional = true,
          .variadic = true}},
        [this](CommandContext& context, Arguments arguments) { return linkCommand(context, arguments); });
}

} // namespace sbx
