#pragma once
// A client's connection to a server in another program: who the server is, how far the connection has come, and why it ended.

#include "engine/core/result.h"
#include "engine/net/cipher.h"
#include "engine/net/simulated_link.h"
#include "engine/session/server_identity.h"
#include "engine/session/udp_host.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sbx {

class Simulation;
struct NetworkSetup;

struct ClientSetup {
    std::shared_ptr<UdpHost> udp; // opened on any free port; the link begins it
    net::Address server;
    std::string serverName; // as it was requested, with or without its port: "localhost:4321"
    std::string password;   // empty: none
    std::string playerName; // empty: "player"
    bool observes = false;  // without a player
    // The file of KnownServers. A server that it lists must have that key, and one that is met for the first time is added. Empty: any
    // server is accepted, and none is remembered.
    std::filesystem::path knownServers;
    net::LinkProfile link = {}; // what is done to datagrams, for tests of bad networks
};

// "name:4321" of "name".
[[nodiscard]] std::string withUsualPort(const std::string& server);

// Purpose: joins a simulation to a server and follows the connection. Data flow: make(), begin(), then follow() after every tick and,
// where nothing ticks, ten times a second. Thread: the simulation's. The simulation outlives it.
class ServerLink {
public:
    enum class State { Connecting, Connected, Ended };

    // The error: the file of known servers cannot be read.
    [[nodiscard]] static Result<std::unique_ptr<ServerLink>> make(const ClientSetup& setup);
    // Leaves the server.
    ~ServerLink();
    ServerLink(const ServerLink&) = delete;
    ServerLink& operator=(const ServerLink&) = delete;

    // Once, with a simulation whose side is Client. `join`: Session::joinNetwork() or Simulation::join().
    void begin(Simulation& simulation, const std::function<void(NetworkSetup)>& join);
    // Takes note of what has happened since; a server that is met for the first time is remembered.
    State follow();
    [[nodiscard]] State state() const { return m_state; }

    [[nodiscard]] const std::string& serverName() const { return m_setup.serverName; }
    // How the server identified itself, in one sentence for people; "" until it is connected.
    [[nodiscard]] const std::string& identityText() const { return m_identity; }
    // The same in three words: "encrypted, known server".
    [[nodiscard]] const char* identityWords() const;
    // Why it ended; "" until then. Names the server; several lines if it has another key than it had. No control characters but newlines.
    [[nodiscard]] const std::string& endText() const { return m_end; }
    // A first meeting could not be kept; "": all is well.
    [[nodiscard]] const std::string& rememberFault() const { return m_rememberFault; }
    // Of the connected server; none: it has no key, or there is no server yet.
    [[nodiscard]] const std::optional<net::Key>& serverKey() const { return m_key; }
    // The server has the key that it had before.
    [[nodiscard]] bool isKnown() const { return m_wasConnected && m_known.has_value(); }
    [[nodiscard]] bool observes() const { return m_setup.observes; }
    [[nodiscard]] UdpHost& udp() { return *m_setup.udp; }

private:
    explicit ServerLink(ClientSetup setup) : m_setup(std::move(setup)) {}
    void meet();
    [[nodiscard]] std::string reason() const;

    ClientSetup m_setup;
    std::optional<KnownServer> m_known;
    Simulation* m_simulation = nullptr; // joined; null: before begin()
    State m_state = State::Connecting;
    bool m_wasConnected = false;
    std::optional<net::Key> m_key;
    std::string m_identity;
    std::string m_end;
    std::string m_rememberFault;
    net::Time m_begun = 0; // on net::steadyNow()
};

} // namespace sbx
