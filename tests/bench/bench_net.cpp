// Guaranteed messages over one simulated link: this engine's, encrypted, beside ENet 1.3.17 as Debian ships it, whose sockets and clock
// are the simulation's here. Prints how long messages take at 1, 5, 10 and 20 % loss and what they weigh, unless rows are chosen
// by name, and the processor time of a message.

#include "tests/bench/ratios.h"
#include "tests/net/pair.h"
#include "tests/net/world.h"

#include <enet/enet.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string_view>

using namespace sbx;
using namespace sbx::net;

namespace {

// ENet's two sockets and the link between them; one pair at a time.
struct EnetWire {
    Time now = 0;
    LinkDirection forward{1}; // from socket 1 to socket 2
    LinkDirection backward{2};
    std::uint64_t bytes = 0;
    std::uint64_t bytesUp = 0;
    int sockets = 0;
    std::vector<std::uint8_t> scratch;
};
EnetWire* Wire = nullptr;

constexpr enet_uint16 FirstPort = 9000;
constexpr std::size_t UdpOverhead = 28;
constexpr Time Tick = Second / 60;
constexpr int PerTick = 2; // messages, in one datagram

} // namespace

// In place of ENet's own: the dynamic linker prefers the program's.
extern "C" {
ENetSocket enet_socket_create(ENetSocketType) { return ++Wire->sockets; }
int enet_socket_bind(ENetSocket, const ENetAddress*) { return 0; }
int enet_socket_get_address(ENetSocket socket, ENetAddress* address) {
    address->host = 1;
    address->port = static_cast<enet_uint16>(FirstPort + socket);
    return 0;
}
int enet_socket_set_option(ENetSocket, ENetSocketOption, int) { return 0; }
void enet_socket_destroy(ENetSocket) {}
int enet_socket_send(ENetSocket socket, const ENetAddress*, const ENetBuffer* buffers, size_t count) {
    Wire->scratch.clear();
    for (size_t i = 0; i < count; ++i) {
        const auto* data = static_cast<const std::uint8_t*>(buffers[i].data);
        Wire->scratch.insert(Wire->scratch.end(), data, data + buffers[i].dataLength);
    }
    Wire->bytes += Wire->scratch.size() + UdpOverhead;
    Wire->bytesUp += socket == 1 ? Wire->scratch.size() + UdpOverhead : 0;
    (socket == 1 ? Wire->forward : Wire->backward).push(Wire->now, Wire->scratch);
    return static_cast<int>(Wire->scratch.size());
}
int enet_socket_receive(ENetSocket socket, ENetAddress* address, ENetBuffer* buffers, size_t) {
    if (!(socket == 1 ? Wire->backward : Wire->forward).pop(Wire->now, Wire->scratch)) {
        return 0;
    }
    address->host = 1;
    address->port = static_cast<enet_uint16>(FirstPort + (socket == 1 ? 2 : 1));
    std::copy(Wire->scratch.begin(), Wire->scratch.end(), static_cast<std::uint8_t*>(buffers[0].data));
    return static_cast<int>(Wire->scratch.size());
}
int enet_socket_wait(ENetSocket, enet_uint32* condition, enet_uint32) {
    *condition = ENET_SOCKET_WAIT_NONE;
    return 0;
}
enet_uint32 enet_time_get() { return static_cast<enet_uint32>(Wire->now / Millisecond + 1); }
}

namespace {

struct Outcome {
    std::vector<Time> latencies;
    std::uint64_t bytes = 0;   // both ways, with UDP and IPv4
    std::uint64_t bytesUp = 0; // of these, the messages' way
    std::size_t sent = 0;
    [[nodiscard]] bool complete() const { return latencies.size() == sent; }
    double mean() {
        const Time sum = std::accumulate(latencies.begin(), latencies.end(), Time{0});
        return latencies.empty() ? 0.0
                                 : static_cast<double>(sum) / 1e6 / static_cast<double>(latencies.size());
    }
    double at(double share) {
        std::sort(latencies.begin(), latencies.end());
        return latencies.empty() ? 0.0
                                 : static_cast<double>(latencies[static_cast<std::size_t>(
                                       share * static_cast<double>(latencies.size() - 1))])
                                       / 1e6;
    }
};

std::array<std::uint8_t, 32> stamped(Time now) {
    std::array<std::uint8_t, 32> body{};
    std::memcpy(body.data(), &now, sizeof now);
    return body;
}
Time stampOf(const void* body) {
    Time sent = 0;
    std::memcpy(&sent, body, sizeof sent);
    return sent;
}

class Enet {
public:
    Enet(const LinkSettings& link, std::size_t channels) : m_channels(channels) {
        Wire = &m_wire;
        m_wire.forward = LinkDirection(11, link);
        m_wire.backward = LinkDirection(12, link);
        ENetAddress any{0, FirstPort + 1};
        m_client = enet_host_create(nullptr, 1, channels, 0, 0);
        m_server = enet_host_create(&any, 1, channels, 0, 0);
        const ENetAddress server{1, FirstPort + 2};
        m_peer = enet_host_connect(m_client, &server, channels, 0);
        for (int i = 0; i < 20'000 && m_peer->state != ENET_PEER_STATE_CONNECTED; ++i) {
            m_wire.now += Millisecond;
            service(nullptr);
        }
    }
    ~Enet() {
        enet_host_destroy(m_client);
        enet_host_destroy(m_server);
        Wire = nullptr;
    }
    void send() {
        const auto body = stamped(m_wire.now);
        enet_peer_send(m_peer, static_cast<enet_uint8>(m_next++ % m_channels),
                       enet_packet_create(body.data(), body.size(), ENET_PACKET_FLAG_RELIABLE));
    }
    void pass(Time span, Outcome* outcome) {
        enet_host_flush(m_client);
        const Time end = m_wire.now + span;
        while (m_wire.now < end) {
            m_wire.now = std::min(end, m_wire.now + Millisecond);
            service(outcome);
        }
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_wire.bytes; }
    [[nodiscard]] std::uint64_t bytesUp() const { return m_wire.bytesUp; }

private:
    void service(Outcome* outcome) {
        ENetEvent event;
        while (enet_host_service(m_client, &event, 0) > 0) {}
        while (enet_host_service(m_server, &event, 0) > 0) {
            if (event.type == ENET_EVENT_TYPE_RECEIVE) {
                if (outcome != nullptr) {
                    outcome->latencies.push_back(m_wire.now - stampOf(event.packet->data));
                }
                enet_packet_destroy(event.packet);
            }
        }
    }
    EnetWire m_wire;
    std::size_t m_channels;
    std::size_t m_next = 0;
    ENetHost* m_client = nullptr;
    ENetHost* m_server = nullptr;
    ENetPeer* m_peer = nullptr;
};

class Ours {
public:
    Ours(const LinkSettings& link, bool chain, std::uint8_t copies)
        : m_world(link), m_chain(chain), m_copies(copies) {
        m_world.network.setTap([this](Time, const Address&, const Address& to, ByteView datagram) {
            m_bytes += datagram.size() + UdpOverhead;
            m_bytesUp += to == serverAddress() ? datagram.size() + UdpOverhead : 0;
        });
        m_ends = m_world.connected();
    }
    void send() {
        const auto needs =
            m_chain && m_last ? std::span<const MessageHandle>(&m_last, 1) : std::span<const MessageHandle>();
        m_last = m_ends.client->send(1, stamped(m_world.network.now()), needs, {.copies = m_copies}).handle;
    }
    void pass(Time span, Outcome* outcome) {
        m_world.run(m_world.network.now() + span);
        ReceivedMessage delivery;
        while (m_ends.server->next(delivery)) {
            if (outcome != nullptr) {
                outcome->latencies.push_back(delivery.executed - stampOf(delivery.body.bytes().data()));
            }
        }
    }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] std::uint64_t bytesUp() const { return m_bytesUp; }

private:
    World m_world;
    bool m_chain;
    std::uint8_t m_copies;
    World::Ends m_ends;
    MessageHandle m_last;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_bytesUp = 0;
};

// The same without handshake, addresses and encryption: what messages themselves cost.
class OursPlain {
public:
    explicit OursPlain(const LinkSettings& link) : m_pair(pairSettings(link)) {}
    void send() { m_pair.a.send(1, stamped(m_pair.now), {}, {}, m_pair.now); }
    void pass(Time span, Outcome*) {
        m_pair.run(m_pair.now + span);
        ReceivedMessage delivery;
        while (m_pair.b.next(delivery)) {
            benchmark::DoNotOptimize(delivery.body.bytes().data());
        }
    }

private:
    Pair m_pair;
};

template <typename Transport> Outcome measure(Transport transport, int ticks, int perTick = PerTick) {
    Outcome outcome;
    const std::uint64_t before = transport->bytes();
    const std::uint64_t beforeUp = transport->bytesUp();
    for (int i = 0; i < ticks; ++i) {
        for (int message = 0; message < perTick; ++message) {
            transport->send();
        }
        outcome.sent += static_cast<std::size_t>(perTick);
        transport->pass(Tick, &outcome);
    }
    transport->pass(10 * Second, &outcome);
    outcome.bytes = transport->bytes() - before;
    outcome.bytesUp = transport->bytesUp() - beforeUp;
    return outcome;
}

// Of a message whose first datagram is lost the sender hears nothing sooner than a round trip later: whatever is sent once is late as
// often as the link loses. Where that is one in a hundred p99 is a toss between the fastest way there is and a resend; so the share that
// is late is judged, against what the link loses, and three deviations of that many losses.
double mayBeLate(double loss, std::size_t datagrams) {
    return loss < 0.02 ? loss + 3.0 * std::sqrt(loss * (1.0 - loss) / static_cast<double>(datagrams)) : 0.01;
}

void print(const char* name, double loss, Outcome outcome, double p99, double p999) {
    const double may = mayBeLate(loss, outcome.sent / PerTick);
    const auto inTime =
        std::count_if(outcome.latencies.begin(), outcome.latencies.end(), [p99](Time latency) {
            return static_cast<double>(latency) <= p99 * static_cast<double>(Millisecond);
        });
    // What never came is late too.
    const double share = 1.0 - static_cast<double>(inTime) / static_cast<double>(outcome.sent);
    const bool holds = p99 == 0.0 || (outcome.complete() && share <= may && outcome.at(0.999) <= p999);
    std::printf("%3.0f %%  %-26s mean %7.1f  p50 %7.1f  p99 %7.1f  p99.9 %7.1f ms  %5.1f B/message  %5.1f %% "
                "delivered",
                loss * 100, name, outcome.mean(), outcome.at(0.5), outcome.at(0.99), outcome.at(0.999),
                static_cast<double>(outcome.bytes) / static_cast<double>(outcome.sent),
                100.0 * static_cast<double>(outcome.latencies.size()) / static_cast<double>(outcome.sent));
    if (p99 > 0.0) {
        std::printf("  %.2f %% later than %.0f, at most %.2f: %s", share * 100, p99, may * 100,
                    holds ? "holds" : "MISSED");
    }
    std::printf("\n");
}

void latencies(int ticks) {
    struct Goal {
        double loss, p99, p999, chain, twice, twice999;
    };
    for (const Goal goal : {Goal{0.01, 60, 90, 70, 25, 90}, Goal{0.05, 90, 145, 110, 45, 90},
                            Goal{0.1, 140, 200, 145, 85, 145}, Goal{0.2, 145, 260, 210, 85, 145}}) {
        const LinkSettings link{.latency = 25 * Millisecond, .loss = goal.loss};
        print("ENet, 1 channel", goal.loss, measure(std::make_unique<Enet>(link, 1), ticks), 0, 0);
        print("ENet, 32 channels", goal.loss, measure(std::make_unique<Enet>(link, 32), ticks), 0, 0);
        print("ours, independent", goal.loss,
              measure(std::make_unique<Ours>(link, false, std::uint8_t{1}), ticks), goal.p99, goal.p999);
        print("ours, one chain", goal.loss,
              measure(std::make_unique<Ours>(link, true, std::uint8_t{1}), ticks), goal.chain, 1e9);
        print("ours, each sent twice", goal.loss,
              measure(std::make_unique<Ours>(link, false, std::uint8_t{2}), ticks), goal.twice,
              goal.twice999);
    }
}

// Ten independent messages a tick, bytes in their direction alone, 5 % loss: the goal that names bytes.
void weights(int ticks) {
    const LinkSettings link{.latency = 25 * Millisecond, .loss = 0.05};
    const auto row = [&](const char* name, Outcome outcome, bool judged) {
        const double bytes = static_cast<double>(outcome.bytesUp) / static_cast<double>(outcome.sent);
        const bool holds = outcome.complete() && outcome.mean() <= 38 && outcome.at(0.99) <= 117
                           && outcome.at(0.999) <= 200 && bytes <= 43;
        std::printf(
            "  5 %%  ten a tick, %-14s mean %6.1f  p99 %7.1f  p99.9 %7.1f ms  %5.1f B/message sent%s\n", name,
            outcome.mean(), outcome.at(0.99), outcome.at(0.999), bytes,
            !judged ? ""
            : holds ? "  must 38, 117, 200, 43: holds"
                    : "  must 38, 117, 200, 43: MISSED");
    };
    row("ENet", measure(std::make_unique<Enet>(link, 1), ticks, 10), false);
    row("ours", measure(std::make_unique<Ours>(link, false, std::uint8_t{1}), ticks, 10), true);
}

constexpr int Batch = 28; // messages a tick
template <typename Transport> void messages(benchmark::State& state, Transport transport) {
    for (auto _ : state) {
        for (int i = 0; i < Batch; ++i) {
            transport->send();
        }
        transport->pass(Tick, nullptr);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * Batch);
}

} // namespace

int main(int argc, char** argv) {
    enet_initialize();
    const bool rowsOnly = std::any_of(argv + 1, argv + argc, [](const char* argument) {
        return std::string_view(argument).starts_with("--benchmark_filter")
               || std::string_view(argument).starts_with("--benchmark_list");
    });
    if (!rowsOnly) {
        latencies(10'000);
        weights(10'000);
    }
    const LinkSettings clean{.latency = Millisecond};
    bench::addRow("message/ours",
                  [clean](benchmark::State& state) { messages(state, std::make_unique<OursPlain>(clean)); });
    bench::addRow("message/ours, encrypted", [clean](benchmark::State& state) {
        messages(state, std::make_unique<Ours>(clean, false, std::uint8_t{1}));
    });
    bench::addRow("message/enet",
                  [clean](benchmark::State& state) { messages(state, std::make_unique<Enet>(clean, 1)); });
    return bench::runWithRatios(
        argc, argv,
        {{.row = "message/ours", .peer = "message/enet", .must = 0.6, .reach = 0.0},
         {.row = "message/ours, encrypted", .peer = "message/enet", .must = 0.0, .reach = 0.0}});
}
