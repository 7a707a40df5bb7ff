#pragma once
// What a window sees of the peers of a session: part of a snapshot.

#include <cstdint>
#include <string>
#include <vector>

namespace sbx {

// A client, as the server's end of its connection counts.
struct NetworkPeerView {
    std::string name;   // "client 1"; of another program: its address
    std::string player; // the entity that is the client's; empty: it has none yet
    bool observes = false; // ... and will have none
    bool connected = false;
    bool authenticated = false; // the client has checked that the server has the key that it expects
    std::string link; // what the simulated link does, as parseLink reads it; empty: nothing
    double roundTripMs = 0.0;
    double jitterMs = 0.0; // mean deviation of the round trip
    std::uint64_t packetsSent = 0;
    std::uint64_t packetsLost = 0; // taken for lost, without those that were acknowledged after all
    std::uint64_t bytesDown = 0; // datagrams to the client, whole, as sent
    std::uint64_t bytesUp = 0;   // datagrams from it; of another program: their contents
    std::uint64_t bytesQueued = 0;   // of guaranteed messages the client is not known to have executed
    std::uint64_t messagesSent = 0;   // guaranteed
    std::uint64_t messagesResent = 0;
    std::uint64_t messagesWaited = 0; // at the client, for what they depend on
};

struct NetworkView {
    // The peers are clients in this program, each with a world that can be seen and heard.
    [[nodiscard]] bool isLocal() const { return port == 0 && server.empty(); }

    std::vector<NetworkPeerView> peers;
    std::uint16_t port = 0; // where clients in other programs join; 0: the peers are clients in this program, or `server` is not empty
    std::string server;     // of which this program is a client: its name and port; then the only peer is that connection. Empty: none
    bool wantsPassword = false;
    std::string serverKey;  // fingerprint of the server's key; empty: it has none
    std::size_t viewAs = 0; // whose world the snapshot shows: 0 the server's, 1 the first client's
    std::string lastExcess; // who was last disconnected for going beyond a limit, and which; empty: nobody
    double seconds = 0.0;   // of network time, since the clients came
};

} // namespace sbx
