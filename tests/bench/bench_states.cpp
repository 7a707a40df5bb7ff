// What replicated states cost. Prints first what the hall of 900 crates weighs while it is pushed about, at 60 states a second within
// 256 kbit/s, and how far client and server are apart when it rests; then, in one run, the processor time of a server's tick with
// many clients beside ENet 1.3.17 as Debian ships it, which carries the same entities as full records, neither rounded nor encrypted.

#include "engine/commands/console_commands.h"
#include "engine/components/network_system.h"
#include "engine/components/physics_system.h"
#include "engine/session/local_clients.h"
#include "engine/session/session.h"
#include "tests/bench/ratios.h"
#include "tests/folders.h"
#include "tests/simulation/project_in_memory.h"

#include <enet/enet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>

using namespace sbx;

namespace {

// Datagrams between numbered places, without delay or loss; the first is the server's.
class Bus {
public:
    struct Datagram {
        std::size_t from = 0;
        std::vector<std::uint8_t> bytes;
    };
    std::size_t open() {
        m_inboxes.emplace_back();
        return m_inboxes.size() - 1;
    }
    void send(std::size_t from, std::size_t to, net::ByteView bytes) {
        Inbox& inbox = m_inboxes[to];
        if (inbox.filled == inbox.datagrams.size())
            inbox.datagrams.emplace_back();
        Datagram& datagram = inbox.datagrams[inbox.filled++];
        datagram.from = from;
        datagram.bytes.assign(bytes.begin(), bytes.end());
        sent += bytes.size() + UdpOverhead;
    }
    // Null: there is none. Valid until the next send().
    const Datagram* receive(std::size_t at) {
        Inbox& inbox = m_inboxes[at];
        if (inbox.taken < inbox.filled)
            return &inbox.datagrams[inbox.taken++];
        inbox.taken = inbox.filled = 0;
        return nullptr;
    }
    std::uint64_t sent = 0; // bytes, with IP and UDP

private:
    static constexpr std::size_t UdpOverhead = 28;
    struct Inbox {
        std::vector<Datagram> datagrams;
        std::size_t filled = 0;
        std::size_t taken = 0;
    };
    std::vector<Inbox> m_inboxes;
};

constexpr std::uint16_t FirstPort = 9000;
constexpr net::Time Tick = net::Second / 60;
Bus* Wire = nullptr; // ENet's
net::Time EnetNow = 0;

} // namespace

// In place of ENet's own: the dynamic linker prefers the program's.
extern "C" {
ENetSocket enet_socket_create(ENetSocketType) { return static_cast<ENetSocket>(Wire->open()); }
int enet_socket_bind(ENetSocket, const ENetAddress*) { return 0; }
int enet_socket_get_address(ENetSocket socket, ENetAddress* address) {
    address->host = 1;
    address->port = static_cast<enet_uint16>(FirstPort + socket);
    return 0;
}
int enet_socket_set_option(ENetSocket, ENetSocketOption, int) { return 0; }
void enet_socket_destroy(ENetSocket) {}
int enet_socket_send(ENetSocket socket, const ENetAddress* to, const ENetBuffer* buffers, size_t count) {
    static std::vector<std::uint8_t> whole;
    whole.clear();
    for (size_t i = 0; i < count; ++i) {
        const auto* data = static_cast<const std::uint8_t*>(buffers[i].data);
        whole.insert(whole.end(), data, data + buffers[i].dataLength);
    }
    Wire->send(static_cast<std::size_t>(socket), static_cast<std::size_t>(to->port - FirstPort), whole);
    return static_cast<int>(whole.size());
}
int enet_socket_receive(ENetSocket socket, ENetAddress* address, ENetBuffer* buffers, size_t) {
    const Bus::Datagram* const datagram = Wire->receive(static_cast<std::size_t>(socket));
    if (datagram == nullptr)
        return 0;
    address->host = 1;
    address->port = static_cast<enet_uint16>(FirstPort + datagram->from);
    std::copy(datagram->bytes.begin(), datagram->bytes.end(), static_cast<std::uint8_t*>(buffers[0].data));
    return static_cast<int>(datagram->bytes.size());
}
int enet_socket_wait(ENetSocket, enet_uint32* condition, enet_uint32) {
    *condition = ENET_SOCKET_WAIT_NONE;
    return 0;
}
enet_uint32 enet_time_get() { return static_cast<enet_uint32>(EnetNow / net::Millisecond + 1); }
}

namespace {

class Place final : public net::Transport {
public:
    explicit Place(Bus& bus) : m_bus(bus), m_own(bus.open()) {}
    net::TransportStatus send(const net::Address& to, net::ByteView datagram) override {
        m_bus.send(m_own, static_cast<std::size_t>(to.port - FirstPort), datagram);
        return net::TransportStatus::Sent;
    }
    std::optional<net::ReceivedDatagram> receive(std::span<std::uint8_t> buffer) override {
        const Bus::Datagram* const next = m_bus.receive(m_own);
        if (next == nullptr)
            return std::nullopt;
        std::copy(next->bytes.begin(), next->bytes.end(), buffer.begin());
        return net::ReceivedDatagram{next->bytes.size(), at(next->from)};
    }
    // Each in a network of its own.
    [[nodiscard]] static net::Address at(std::size_t number) {
        return net::Address::v4(10, static_cast<std::uint8_t>(number / 200), static_cast<std::uint8_t>(number % 200), 1,
                                static_cast<std::uint16_t>(FirstPort + number));
    }
    [[nodiscard]] net::Address own() const { return at(m_own); }

private:
    Bus& m_bus;
    std::size_t m_own;
};

// A world with entities that move in every tick, or never.
std::string sceneOf(int entities, bool moving) {
    std::string scene = "[scene]\nname = \"s\"\n";
    for (int i = 0; i < entities; ++i)
        scene += "[[entity]]\ntype = \"" + std::string(moving ? "Mover" : "Rock") + "\"\nname = \"e" + std::to_string(i) + "\"\nposition = ["
                 + std::to_string(i % 32) + ".0, 1.0, " + std::to_string(i / 32) + ".0]\n";
    return scene;
}

constexpr std::size_t FullRecord = 4 + 12 + 16; // number, position, rotation as floats

// The engine: clients observe, acknowledge, and do nothing with what they receive.
class Ours {
public:
    Ours(int clients, int entities, bool moving) : m_place(m_bus), m_session(m_log, addConsoleCommands) {
        m_session.open(projectInMemory(m_session, "[Rock]\n[Mover]\n[Mover.Orbit]\nradius = 3.0\nperiod = 4.0\n", sceneOf(entities, moving)));
        m_session.play();
        static_cast<void>(m_session.execute("net.record false; trace.enabled false; net.stateRate 60; net.limit.states 1024"));
        net::HostSettings settings;
        settings.identity = m_session.simulation().networkIdentity();
        net::HostSettings listening = settings;
        listening.listens = true;
        m_host = std::make_unique<net::Host>(listening, m_place, net::secureEntropy, m_now);
        NetworkSetup setup;
        setup.role = NetworkRole::Server;
        setup.host = m_host.get();
        setup.pump = [this] { m_host->update(m_now); };
        m_session.joinNetwork(std::move(setup));
        for (int i = 0; i < clients; ++i) {
            m_places.push_back(std::make_unique<Place>(m_bus));
            m_clients.push_back(std::make_unique<net::Host>(settings, *m_places.back(), net::secureEntropy, m_now));
            m_clients.back()->connect(m_place.own(), net::Host::Introduction{.expected = std::nullopt, .password = {}, .observes = true});
        }
        for (int i = 0; i < 600 && (m_session.simulation().network().peerCount() < m_clients.size() || i < 120); ++i) {
            receive();
            tick();
        }
        if (m_session.simulation().network().peerCount() < m_clients.size())
            std::fprintf(stderr, "not all clients are connected\n");
    }
    ~Ours() { m_session.simulation().network().detach(); }
    void receive() {
        m_now += Tick;
        for (const auto& client : m_clients) {
            client->update(m_now);
            client->forEach([](net::Connection& connection) {
                net::ReceivedMessage message;
                while (connection.next(message))
                    benchmark::DoNotOptimize(message.type);
            });
            client->update(m_now);
        }
    }
    void tick() { m_session.tick(); }
    [[nodiscard]] std::uint64_t bytes() const { return m_bus.sent; }

private:
    net::Time m_now = 0;
    Bus m_bus;
    Place m_place;
    std::vector<std::unique_ptr<Place>> m_places;
    std::unique_ptr<net::Host> m_host;
    std::vector<std::unique_ptr<net::Host>> m_clients;
    Log m_log;
    Session m_session;
};

// The same world, sent by ENet.
class Enet {
public:
    Enet(int clients, int entities, bool moving) : m_moving(moving), m_session(m_log, addConsoleCommands) {
        Wire = &m_bus;
        m_session.open(projectInMemory(m_session, "[Rock]\n[Mover]\n[Mover.Orbit]\nradius = 3.0\nperiod = 4.0\n", sceneOf(entities, moving)));
        m_session.play();
        static_cast<void>(m_session.execute("trace.enabled false"));
        ENetAddress address{1, FirstPort};
        m_server = enet_host_create(&address, static_cast<std::size_t>(clients), 1, 0, 0);
        for (int i = 0; i < clients; ++i) {
            m_clients.push_back(enet_host_create(nullptr, 1, 1, 0, 0));
            enet_host_connect(m_clients.back(), &address, 1, 0);
        }
        for (int i = 0; i < 240; ++i) {
            receive();
            tick();
        }
    }
    ~Enet() {
        for (ENetHost* const client : m_clients)
            enet_host_destroy(client);
        enet_host_destroy(m_server);
        Wire = nullptr;
    }
    Enet(const Enet&) = delete;
    Enet& operator=(const Enet&) = delete;
    void receive() {
        EnetNow += Tick;
        for (ENetHost* const client : m_clients)
            service(client);
    }
    void tick() {
        service(m_server);
        m_session.tick();
        if (!m_moving)
            return;
        // Once for all, in packets that fit into a datagram.
        m_records.clear();
        std::uint32_t number = 0;
        m_session.world().forEach([&](const Entity& entity) {
            std::array<std::uint8_t, FullRecord> record{};
            const Pose pose = entity.pose();
            ++number;
            std::memcpy(record.data(), &number, 4);
            std::memcpy(record.data() + 4, &pose.position, 12);
            std::memcpy(record.data() + 16, &pose.rotation, 16);
            m_records.insert(m_records.end(), record.begin(), record.end());
        });
        constexpr std::size_t Most = 1200 / FullRecord * FullRecord;
        for (std::size_t from = 0; from < m_records.size(); from += Most)
            enet_host_broadcast(m_server, 0, enet_packet_create(m_records.data() + from, std::min(Most, m_records.size() - from), 0));
        enet_host_flush(m_server);
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_bus.sent; }

private:
    static void service(ENetHost* host) {
        ENetEvent event;
        while (enet_host_service(host, &event, 0) > 0)
            if (event.type == ENET_EVENT_TYPE_RECEIVE)
                enet_packet_destroy(event.packet);
    }
    Bus m_bus;
    bool m_moving;
    Log m_log;
    Session m_session;
    ENetHost* m_server = nullptr;
    std::vector<ENetHost*> m_clients;
    std::vector<std::uint8_t> m_records;
};

// The tick alone, with neither network nor clients.
class Alone {
public:
    Alone(int, int entities, bool moving) : m_session(m_log, addConsoleCommands) {
        m_session.open(projectInMemory(m_session, "[Rock]\n[Mover]\n[Mover.Orbit]\nradius = 3.0\nperiod = 4.0\n", sceneOf(entities, moving)));
        m_session.play();
        static_cast<void>(m_session.execute("trace.enabled false"));
    }
    void receive() {}
    void tick() { m_session.tick(); }
    [[nodiscard]] static std::uint64_t bytes() { return 0; }

private:
    Log m_log;
    Session m_session;
};

template <typename Server> void ticks(benchmark::State& state, int clients, int entities, bool moving) {
    Server server(clients, entities, moving);
    const std::uint64_t before = server.bytes();
    bench::measureAfter(state, [&] { server.receive(); }, [&] { server.tick(); });
    const auto sent = static_cast<double>(server.bytes() - before) / static_cast<double>(state.iterations());
    state.counters["kbit/s a client"] = sent * 8.0 * 60.0 / 1000.0 / std::max(clients, 1);
}

float degreesApart(const Quat& a, const Quat& b) {
    return glm::degrees(2.0F * std::acos(std::min(1.0F, std::abs(glm::dot(glm::normalize(a), glm::normalize(b))))));
}

// The sample Networked crates for a client at 50 ms each way and 5 % loss.
void crates() {
    Log log;
    Session server(log, addConsoleCommands);
    Diagnostics faults;
    const auto content = loadContent(test::sourcePath("resources/projects/networked-crates"), {}, server.catalog().schema, faults);
    if (content == nullptr) {
        std::fprintf(stderr, "the sample cannot be read\n");
        return;
    }
    server.open(content);
    server.play();
    static_cast<void>(server.execute("net.stateRate 60; net.limit.states 31; trace.enabled false; net.record false"));
    server.addClients({.count = 1, .link = *net::parseLink("latency=50ms loss=5%"), .seed = 3});
    const auto run = [&](int count) {
        for (int i = 0; i < count; ++i)
            server.tick();
    };
    run(240);
    const auto& counters = server.simulation().network().counters();
    const std::uint64_t bytes = counters.stateBytes;
    const std::uint64_t records = counters.statesSent;
    std::uint64_t moving = 0; // cubes, summed over ticks
    constexpr int Walk = 420;
    for (int i = 0; i < Walk; ++i) {
        server.setInput({.move = Vec2(0.0F, 1.0F), .look = Vec2(i % 60 == 0 ? static_cast<float>(20 - i / 10) : 0.0F, 0.0F), .run = true});
        run(1);
        moving += server.simulation().physics().physics().activeCount();
    }
    server.setInput({});
    const double seconds = Walk / 60.0;
    const double kilobits = static_cast<double>(counters.stateBytes - bytes) * 8.0 / 1000.0 / seconds;
    const double bits = static_cast<double>(counters.stateBytes - bytes) * 8.0 / static_cast<double>(counters.statesSent - records);
    run(1800);
    float farthest = 0.0F;
    float most = 0.0F;
    server.world().forEach([&](const Entity& here) {
        if (const Entity there = server.clients()->simulation(0).world().find(here.name()); there && here.type().name() != "Player") {
            farthest = std::max(farthest, glm::length(here.pose().position - there.pose().position));
            most = std::max(most, degreesApart(here.pose().rotation, there.pose().rotation));
        }
    });
    const bool same = server.simulation().network().stateDigest() == server.clients()->simulation(0).network().stateDigest();
    std::printf("901 cubes, 60 states a second: on average %.0f of them move; %.0f kbit/s of states to the client (must 256), %.0f bits a cube and "
                "record (a full one has %d); as full records at 60 Hz %.0f kbit/s; at rest %.2f mm (must 2) and %.3f degrees (must 0.1) apart, "
                "%s digests\n",
                static_cast<double>(moving) / Walk, kilobits, bits, 8 * (4 + 12 + 16 + 12 + 12),
                static_cast<double>(moving) / seconds * 8.0 * (4 + 12 + 16 + 12 + 12) / 1000.0, static_cast<double>(farthest) * 1000.0,
                static_cast<double>(most), same ? "equal" : "DIFFERENT");
}

void addTicks(const std::string& name, int clients, int entities, bool moving) {
    bench::addRow(name + "/ours", [=](benchmark::State& state) { ticks<Ours>(state, clients, entities, moving); });
    bench::addRow(name + "/enet", [=](benchmark::State& state) { ticks<Enet>(state, clients, entities, moving); });
    bench::addRow(name + "/alone", [=](benchmark::State& state) { ticks<Alone>(state, clients, entities, moving); });
}

} // namespace

int main(int argc, char** argv) {
    enet_initialize();
    const bool rowsOnly = std::any_of(argv + 1, argv + argc, [](const char* argument) {
        return std::string_view(argument).starts_with("--benchmark_filter") || std::string_view(argument).starts_with("--benchmark_list");
    });
    if (!rowsOnly)
        crates();
    for (const int clients : {16, 64, 256})
        addTicks(std::to_string(clients) + " clients, 64 entities", clients, 64, true);
    for (const int entities : {16, 256})
        addTicks("64 clients, " + std::to_string(entities) + " entities", 64, entities, true);
    addTicks("64 clients, 1000 at rest", 64, 1000, false);
    return bench::runWithRatios(argc, argv,
                                {{.row = "16 clients, 64 entities/ours", .peer = "16 clients, 64 entities/enet"},
                                 {.row = "64 clients, 64 entities/ours", .peer = "64 clients, 64 entities/enet"},
                                 {.row = "256 clients, 64 entities/ours", .peer = "256 clients, 64 entities/enet"},
                                 {.row = "256 clients, 64 entities/ours", .peer = "half of a core at 60 Hz", .mustTake = 8'333'333.0},
                                 {.row = "64 clients, 16 entities/ours", .peer = "64 clients, 16 entities/enet"},
                                 {.row = "64 clients, 256 entities/ours", .peer = "64 clients, 256 entities/enet"},
                                 {.row = "64 clients, 1000 at rest/ours", .peer = "64 clients, 1000 at rest/enet"}});
}
