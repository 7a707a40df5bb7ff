#pragma once
// Clients of a session within the same program, over simulated links in virtual time: the shipping protocol end to end, and the
// same on every run.

#include "engine/net/simulated_link.h"
#include "engine/session/session.h"

namespace sbx {

// Purpose: N client sessions joined to a server's by links that treat datagrams as the profile says. Data flow: the server's
// tick, then tick() here: time goes on by one tick, datagrams travel, every client ticks. Thread: the server session's; the
// clients belong to this object, and are targets of the server's console: `@client1 LINE`, `@all LINE`. Ends before the server's
// session does.
class LocalClients {
public:
    // `server` runs; its content is the clients' too. `traced`: clients record what happens to them.
    LocalClients(Session& server, Log& log, std::size_t count, const net::LinkProfile& link, std::uint64_t seed,
                 bool traced = false);
    ~LocalClients();
    LocalClients(const LocalClients&) = delete;
    LocalClients& operator=(const LocalClients&) = delete;

    void tick();
    // From now on; one client's link, or all (`count()`). What somebody set by `net.sim.*` lies above: LinkCVars.
    void setLink(std::size_t client, const net::LinkProfile& link);
    // As it is now, with all that lies above.
    [[nodiscard]] net::LinkProfile link(std::size_t client);
    [[nodiscard]] std::size_t count() const { return m_clients.size(); }
    [[nodiscard]] Session& session(std::size_t client) { return *m_clients[client].session; }
    [[nodiscard]] net::Host& host(std::size_t client) { return *m_clients[client].host; }
    [[nodiscard]] const net::Address& address(std::size_t client) const { return m_clients[client].address; }
    [[nodiscard]] const net::Address& serverAddress() const;
    [[nodiscard]] net::Host& server() { return *m_host; }
    // The server's end of a client's connection; null: it is not made, or gone.
    [[nodiscard]] net::Connection* connection(std::size_t client);
    [[nodiscard]] net::SimulatedNetwork& network() { return m_network; }

private:
    struct Client {
        net::Address address;
        std::unique_ptr<net::Host> host;
        std::unique_ptr<Session> session;
        net::LinkProfile link;
    };
    void followCVars();
    void applyLink(std::size_t which);
    void updateHosts();
    void addTarget(std::size_t which, Session& client);

    Session& m_server;
    net::SimulatedNetwork m_network;
    std::unique_ptr<net::Host> m_host;
    std::vector<Client> m_clients;
    std::uint64_t m_ticks = 0;
    std::uint64_t m_revision = 0; // of all CVars when links were last made
};

} // namespace sbx
