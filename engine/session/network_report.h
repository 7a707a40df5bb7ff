#pragma once
// The state of a session's network: as JSON for `net.stats` and `graph.dump`, and for windows. Free functions; on the session's thread.

#include "engine/simulation/network_view.h"

#include <string>

namespace sbx {

namespace net {
class Connection;
}
class LocalClients;
class Session;

// Every counter and estimate of the network of the simulation that the console line under way acts on.
[[nodiscard]] std::string networkStats(Session& session);
// Messages and packets of the last half minute, as both ends recorded them. Seals the session's network recorder.
[[nodiscard]] std::string networkHistory(Session& session);
// Whether either end has made sure of the other: a server that its client knows the password, a client that the server has the
// key that it expects. Only of a client in the same program (`clients`, may be null) a server knows the latter.
[[nodiscard]] bool authenticated(const net::Connection& connection, LocalClients* clients);
// A server's end of a connection; name, player, link, and what the other end alone knows are left out.
[[nodiscard]] NetworkPeerView peerView(net::Connection& connection);

} // namespace sbx
