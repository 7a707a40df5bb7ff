// What the console says of the network, and does to the simulated links of clients in the same program.

#include "engine/commands/command_values.h"
#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/core/typed_command.h"
#include "engine/session/local_clients.h"
#include "engine/session/network_report.h"
#include "engine/session/server_identity.h"
#include "engine/session/session.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sbx {

namespace {

Result<void> linkCommand(Session& session, CommandContext& context, const CommandArguments& arguments) {
    LocalClients* const clients = session.lines().targetClients();
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

} // namespace

void addNetworkCommands(Session& session) {
    CommandRegistry& commands = session.console().commands();
    using Arguments = const CommandArguments&;
    const auto dump = [](CommandContext& context, Arguments arguments, const std::string& json) -> Result<void> {
        if (!arguments.empty())
            return writeTextFile(json, arguments[0], context);
        context.print(json);
        return {};
    };
    const CommandParameter file{.name = "file", .doc = "Path; none: printed.", .type = ArgumentType::File, .optional = true};
    commands.add("say", "Says something to all players; the log of each shows it, with who said it: say hello",
                 {{.name = "text", .doc = "What to say.", .variadic = true}},
                 [&session](CommandContext&, Arguments arguments) -> Result<void> {
                     std::string text;
                     for (const std::string& word : arguments)
                         text += (text.empty() ? "" : " ") + word;
                     if (const Result<void> said = session.target().network().say(text); !said)
                         return Error{"say: " + said.error().message, {}, {}};
                     return {};
                 });
    commands.add("net", "Who is connected, and how the connections are.", {},
                 [&session](CommandContext& context, Arguments) -> Result<void> {
                     static constexpr const char* Roles[] = {"alone", "server", "client"};
                     context.print(std::string(Roles[static_cast<std::size_t>(session.target().network().role())]) + ", "
                                   + std::to_string(session.target().network().peerCount()) + " connected");
                     if (net::Host* host = session.target().network().host(); host != nullptr && host->ownKey())
                         context.print("key of this server: " + fingerprint(*host->ownKey()));
                     if (net::Host* host = session.target().network().host())
                         host->forEach([&](net::Connection& connection) {
                             const net::ChannelCounters& counters = connection.channel().counters();
                             const NetworkSystem::Backlog backlog = session.target().network().backlog(connection.id());
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
                                 + (authenticated(connection, session.lines().targetClients())
                                       ? "encrypted and authenticated"
                                        : "encrypted, not authenticated")
                                 + (connection.serverKey()
                                        ? ", key of the server: " + fingerprint(*connection.serverKey())
                                        : std::string()));
                         });
                     if (!session.target().network().lastExcess().empty())
                         context.print("last client disconnected for exceeding a limit: " + session.target().network().lastExcess());
                     return {};
                 });
    commands.add("net.digest",
                 "A number made of all replicated states, rounded as they are sent: the same on a server and its clients once everything has "
                 "arrived.",
                 {}, [&session](CommandContext& context, Arguments) -> Result<void> {
                     NetworkSystem& network = session.target().network();
                     if (network.role() == NetworkRole::Alone)
                         return makeError("net.digest: no network session; start one with net.host 2, or join one");
                     const auto line = [&](const std::string& who, const NetworkSystem& own) {
                         std::array<char, 17> hex{};
                         std::snprintf(hex.data(), hex.size(), "%016llx", static_cast<unsigned long long>(own.stateDigest()));
                         context.print(who + " " + hex.data());
                     };
                     line(network.role() == NetworkRole::Server ? "server" : "client", network);
                     if (LocalClients* const clients = session.lines().targetClients())
                         for (std::size_t i = 0; i < clients->count(); ++i)
                             line("client " + std::to_string(i + 1), clients->simulation(i).network());
                     return {};
                 });
    commands.add("net.stats", "Every counter and estimate of the network as JSON, to a file or here.", {file},
                 [&session, dump](CommandContext& context, Arguments arguments) { return dump(context, arguments, networkStats(session)); });
    commands.add("graph.dump",
                 "Messages, what they wait for, and packets of the last half minute as JSON, as both ends saw them.", {file},
                 [&session, dump](CommandContext& context, Arguments arguments) { return dump(context, arguments, networkHistory(session)); });
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
        [&session](CommandContext& context, Arguments arguments) { return linkCommand(session, context, arguments); });
    addCommand(commands, "net.host", "Plays from the scene as the server of so many clients in this program: net.host 2",
               {{.name = "clients", .doc = "How many.", .minimum = 1, .maximum = static_cast<double>(Session::MaxClients)}},
               [&session](std::optional<int> clients) { return session.playAsHost(static_cast<std::size_t>(clients.value_or(2))); });
    addCommand(commands, "net.view", "Shows a client's world, and gives it the input: net.view 1; net.view 0 is the server's again.",
               {{.name = "client", .doc = "Its number; 0: the server.", .minimum = 0}},
               [&session](int client) { return session.viewAs(static_cast<std::size_t>(client)); });
}

} // namespace sbx
