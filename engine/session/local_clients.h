#pragma once
// Clients of a server within the same program, over simulated links in virtual time: the shipping protocol end to end, and the same on
// every run.

#include "engine/message/recorder.h"
#include "engine/net/host.h"
#include "engine/net/simulated_link.h"
#include "engine/session/simulation_cvars.h"
#include "engine/simulation/simulation.h"

#include <memory>
#include <string>
#include <vector>

namespace sbx {

struct LocalClientsSetup {
    std::size_t count = 1;
    net::LinkProfile link;  // of every client at first
    std::uint64_t seed = 1; // of keys and links
    bool traced = false;    // clients record their messages, each in a recorder of its own
};

// What clients share with the session that they belong to; all of it outlives them.
struct LocalClientsHome {
    Simulation& server;
    const SimulationCVars& serverCVars;
    Log& log;
    net::NetRecorder& netRecorder;
    render::MeshLibrary& meshes;
    audio::SoundLibrary& sounds;
};

// Purpose: the simulations of N clients, joined to a server's simulation by links that treat datagrams as the profile says, each with
// the CVars of its world. Data flow: the server's tick, then tick() here: time goes on by one tick, datagrams travel, every client
// ticks. Thread: the session's. Ends before the server's world does.
class LocalClients {
public:
    // The server's world has been built; its content is the clients' too.
    LocalClients(const LocalClientsHome& home, const LocalClientsSetup& setup);
    ~LocalClients();
    LocalClients(const LocalClients&) = delete;
    LocalClients& operator=(const LocalClients&) = delete;

    void tick();
    // How consoles and logs call a client, 1 the first: "client1".
    [[nodiscard]] static std::string name(std::size_t client) { return "client" + std::to_string(client); }
    // The server's content after an edit. The clients' worlds take over changed types; `cvars`: the project's CVars have changed.
    void follow(bool cvars);
    // From now on; one client's link, or all (`count()`). What net.sim.* CVars set is laid over it: see LinkCVars.
    void setLink(std::size_t client, const net::LinkProfile& link);
    // As it is now, with what lies over it.
    [[nodiscard]] net::LinkProfile link(std::size_t client);
    [[nodiscard]] std::size_t count() const { return m_clients.size(); }
    [[nodiscard]] Simulation& simulation(std::size_t client) { return at(client).simulation; }
    [[nodiscard]] SimulationCVars& cvars(std::size_t client) { return at(client).cvars; }
    [[nodiscard]] net::Host& host(std::size_t client) { return *at(client).host; }
    [[nodiscard]] const net::Address& address(std::size_t client) { return at(client).address; }
    [[nodiscard]] const net::Address& serverAddress() const;
    [[nodiscard]] net::Host& server() { return *m_host; }
    // The server's end of a client's connection; null: it is not made, or has ended.
    [[nodiscard]] net::Connection* connection(std::size_t client);
    [[nodiscard]] net::SimulatedNetwork& network() { return m_network; }

private:
    struct Client {
        Client(const LocalClientsHome& home, const CVarRegistry& declarations);
        net::Address address;
        std::unique_ptr<net::Host> host;
        net::LinkProfile link;
        CVarRegistry registry;
        SimulationCVars cvars;
        Recorder recorder;
        Simulation simulation;
    };
    [[nodiscard]] Client& at(std::size_t client) { return *m_clients[client]; }
    void followCVars();
    void applyLink(std::size_t which);
    void updateHosts();

    LocalClientsHome m_home;
    net::SimulatedNetwork m_network;
    std::unique_ptr<net::Host> m_host;
    std::vector<std::unique_ptr<Client>> m_clients;
    std::uint64_t m_ticks = 0;
    std::uint64_t m_revision = 0; // of all CVars when links were last made
};

} // namespace sbx
