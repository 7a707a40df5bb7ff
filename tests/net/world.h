#pragma once
// A server and clients on a simulated network, in virtual time: the shipping hosts with seeded entropy.

#include "engine/net/host.h"
#include "engine/net/simulated_link.h"

#include <cstring>
#include <ctime>
#include <deque>

namespace sbx::net {

inline Entropy seededEntropy(std::uint64_t seed) {
    return [random = Random(seed)](std::span<std::uint8_t> out) mutable {
        for (std::uint8_t& byte : out) {
            byte = static_cast<std::uint8_t>(random.next() >> 11U);
        }
    };
}

inline Address serverAddress() { return Address::v4(10, 0, 0, 1, 4000); }
inline Address clientAddress(std::size_t index) {
    return Address::v4(10, 1, static_cast<std::uint8_t>(index / 200),
                       static_cast<std::uint8_t>(1 + index % 200), 5000);
}

class World {
public:
    explicit World(const LinkSettings& link = {.latency = 25 * Millisecond}, const HostSettings& base = {},
                   std::uint64_t seed = 1)
        : network(seed), m_base(base), m_seed(seed) {
        network.setDefault(link);
        HostSettings listening = base;
        listening.listens = true;
        listening.maxPerNetwork = std::max(base.maxPerNetwork, 100'000U);
        server = std::make_unique<Host>(listening, network.open(serverAddress()), seededEntropy(seed * 7919),
                                        network.now());
    }

    Host& addClient() {
        const std::size_t index = clients.size();
        clients.push_back(std::make_unique<Host>(m_base, network.open(clientAddress(index)),
                                                 entropyOf(index), network.now()));
        return *clients.back();
    }
    // What that client draws on, from the beginning.
    [[nodiscard]] Entropy entropyOf(std::size_t client) const { return seededEntropy(m_seed * 104'729 + client + 1); }
    // A client that is connected, and the server's end of it.
    struct Ends {
        Host* host = nullptr;
        Connection* client = nullptr;
        Connection* server = nullptr;
    };
    Ends connected(const std::optional<Key>& key = std::nullopt) {
        Host& host = addClient();
        host.connect(serverAddress(), key);
        const Time limit = network.now() + 5 * Second;
        while (network.now() < limit) {
            run(network.now() + 5 * Millisecond);
            Ends ends{&host, nullptr, nullptr};
            host.forEach([&](Connection& c) {
                ends.client = c.state() == Connection::State::Connected ? &c : nullptr;
            });
            ends.server = ends.client != nullptr ? server->find(ends.client->id()) : nullptr;
            if (ends.server != nullptr) {
                return ends;
            }
        }
        return {&host, nullptr, nullptr};
    }

    void run(Time until) {
        updateAll();
        for (;;) {
            Time next = network.nextDue();
            forEachHost([&](Host& host) { next = std::min(next, host.nextTimer()); });
            if (next > until) {
                break;
            }
            network.advance(std::max(next, network.now()));
            updateAll();
        }
        network.advance(until);
        updateAll();
    }
    void runFor(Time span) { run(network.now() + span); }

    SimulatedNetwork network;
    std::unique_ptr<Host> server;
    std::vector<std::unique_ptr<Host>> clients;
    bool serverSleeps = false; // its program is stopped

private:
    template <typename Visit> void forEachHost(Visit visit) {
        if (server && !serverSleeps) {
            visit(*server);
        }
        for (const auto& client : clients) {
            if (client) {
                visit(*client);
            }
        }
    }
    void updateAll() {
        forEachHost([&](Host& host) { host.update(network.now()); });
    }
    HostSettings m_base;
    std::uint64_t m_seed;
};

inline ByteView viewOf(const char* text) {
    return {reinterpret_cast<const std::uint8_t*>(text), std::strlen(text)};
}
inline std::string textOf(const ReceivedMessage& delivery) {
    const auto bytes = delivery.body.bytes();
    return {bytes.begin(), bytes.end()};
}

// Processor time of this thread, in seconds.
inline double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}
// Takes the host's events: why the last connection that closed did.
inline CloseReason ended(Host& host) {
    CloseReason reason = CloseReason::None;
    ConnectionEvent event;
    while (host.nextEvent(event)) {
        reason = event.kind == ConnectionEvent::Kind::Closed ? event.reason : reason;
    }
    return reason;
}

} // namespace sbx::net
