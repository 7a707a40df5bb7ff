// What the network core takes and gives at its limits, on the shipping code: messages a second, bulk, handshakes and forged ones,
// memory and time of idle connections, a narrow path shared. Prints each figure beside what it must be. Processor time is this thread's, both
// ends together unless a row says otherwise.

#include "engine/net/udp_transport.h"
#include "tests/net/pair.h"
#include "tests/net/world.h"
#include "engine/net/net_recorder.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace sbx;
using namespace sbx::net;

namespace {

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void atMost(const char* row, double value, double most, const char* unit) {
    std::printf("%-58s %10.2f %-8s must <= %-8g %s\n", row, value, unit, most, value <= most ? "holds" : "MISSED");
}
void atLeast(const char* row, double value, double least, const char* unit) {
    std::printf("%-58s %10.2f %-8s must >= %-8g %s\n", row, value, unit, least, value >= least ? "holds" : "MISSED");
}

// Channels without addresses and encryption, 28 messages of 32 bytes to a packet: each end by itself.
void plainMessages() {
    Channel a(pairSettings().a);
    Channel b(pairSettings().b);
    const std::array<std::uint8_t, 32> body{};
    std::array<std::uint8_t, 1500> packet{};
    Payload scratch;
    ReceivedMessage delivery;
    double sending = 0.0;
    double receiving = 0.0;
    constexpr int Rounds = 40'000;
    constexpr int Batch = 28;
    Time now = 0;
    for (int round = 0; round < Rounds; ++round) {
        now += Second / 60;
        const double start = threadSeconds();
        for (int i = 0; i < Batch; ++i) {
            a.send(1, body, {}, {}, now);
        }
        std::size_t size = 0;
        std::uint64_t number = 0;
        while (a.turn(now) != Channel::Turn::Nothing) {
            const auto built = a.build(now, a.turn(now), packet, 23);
            size = built.size;
            number = built.number;
            const double middle = threadSeconds();
            sending += middle - start;
            static_cast<void>(b.receive(now, number, ByteView(packet).first(size), scratch));
            b.update(now);
            while (b.next(delivery)) {}
            receiving += threadSeconds() - middle;
            break;
        }
        now += Millisecond;
        // The acknowledgement: its cost is the sender's.
        const double back = threadSeconds();
        while (b.turn(now) != Channel::Turn::Nothing) {
            const auto built = b.build(now, b.turn(now), packet, 23);
            static_cast<void>(a.receive(now, built.number, ByteView(packet).first(built.size), scratch));
        }
        a.update(now);
        sending += threadSeconds() - back;
    }
    delivery = {};
    atMost("message of 32 B, 28 a packet, no encryption: sending", sending / (Rounds * Batch) * 1e9, 150, "ns");
    atMost("                                            receiving", receiving / (Rounds * Batch) * 1e9, 150, "ns");
    atLeast("sending end, without encryption", Rounds * Batch / sending / 1e6, 2, "M/s");
}

void chainRelease() {
    double best = 1.0;
    for (int repeat = 0; repeat < 9; ++repeat) {
        ReceiveGraph graph(1, 8192);
        for (std::uint64_t n = 8191; n >= 2; --n) {
            graph.addHead(n, std::array{n - 1});
            graph.setData(n);
        }
        graph.addHead(1, {});
        graph.setData(1);
        const double from = threadSeconds();
        while (graph.ready()) {
            graph.run(4096, [](std::uint64_t) {});
        }
        best = std::min(best, threadSeconds() - from);
    }
    atMost("chain of 8191 released at once", best * 1e3, 2, "ms");
}

// Encrypted, over a link of 5 ms round trip, with the largest window: time of both hosts.
void throughWindow() {
    HostSettings base;
    base.limits.window = 8192;
    base.limits.pendingBytes = base.pendingFromClient = 4U << 20U;
    World world({.latency = 2500 * Microsecond}, base);
    const World::Ends ends = world.connected();
    const std::array<std::uint8_t, 32> body{};
    ReceivedMessage delivery;
    std::uint64_t taken = 0;
    const auto go = [&](Time span) {
        for (const Time end = world.network.now() + span; world.network.now() < end;) {
            while (ends.client->send(1, body).status == SendStatus::Sent) {}
            world.runFor(200 * Microsecond);
            while (ends.server->next(delivery)) {
                ++taken;
            }
        }
    };
    go(500 * Millisecond);
    taken = 0;
    const double from = threadSeconds();
    go(Second);
    const double seconds = threadSeconds() - from;
    delivery = {};
    atLeast("through a window of 8192 at 5 ms, in a second of the link", static_cast<double>(taken) / 1e6, 1, "M/s");
    atLeast("the same, of a processor for both ends, encrypted", static_cast<double>(taken) / seconds / 1e6, 1, "M/s");
}

// The sender alone, encrypted: what its messages, its packets and the acknowledgements of them cost it.
void sendingEncrypted() {
    HostSettings base;
    base.limits.window = 8192;
    base.limits.pendingBytes = base.pendingFromClient = 4U << 20U;
    World world({.latency = 500 * Microsecond}, base);
    const World::Ends ends = world.connected();
    const std::array<std::uint8_t, 32> body{};
    ReceivedMessage delivery;
    double seconds = 0.0;
    std::uint64_t sent = 0;
    for (int round = 0; round < 8000; ++round) {
        const double from = threadSeconds();
        while (ends.client->send(1, body).status == SendStatus::Sent) {
            ++sent;
        }
        ends.host->update(world.network.now());
        seconds += threadSeconds() - from;
        world.network.advance(world.network.now() + 200 * Microsecond);
        world.server->update(world.network.now());
        while (ends.server->next(delivery)) {}
    }
    delivery = {};
    atLeast("sending encrypted, of the sender's time", static_cast<double>(sent) / seconds / 1e6, 2, "M/s");
}

void overhead() {
    World world({.latency = 25 * Millisecond});
    const World::Ends ends = world.connected();
    world.runFor(2 * Second);
    std::uint64_t bytes = 0;
    world.network.setTap([&](Time, const Address&, const Address&, ByteView datagram) { bytes += datagram.size(); });
    const std::array<std::uint8_t, 32> body{};
    constexpr int Ticks = 3000;
    ReceivedMessage delivery;
    for (int i = 0; i < Ticks; ++i) {
        static_cast<void>(ends.client->send(1, body));
        static_cast<void>(ends.client->send(1, body));
        world.runFor(Second / 60);
        while (ends.server->next(delivery)) {}
    }
    delivery = {};
    const double each = static_cast<double>(bytes) / (2.0 * Ticks) - 32.0;
    atMost("overhead both ways, two messages a packet, encrypted", each, 29, "B");
    // A tag on each of the two packets that a pair of messages needs: one there, one back.
    atMost("the same without tags", each - 16.0, 13, "B");
}

// Messages of 4 MiB over the loopback of this machine. Without `segments` each datagram is handed to the system by itself.
void bulk(bool segments) {
    auto first = UdpTransport::open(0);
    auto second = UdpTransport::open(0);
    if (!first || !second) {
        std::printf("no sockets: bulk left out\n");
        return;
    }
    (*first)->setSegmentation(segments);
    (*second)->setSegmentation(segments);
    HostSettings settings;
    settings.limits.maxMessage = 4U << 20U;
    settings.limits.reassemblyBytes = 16U << 20U;
    settings.limits.pendingBytes = settings.pendingFromClient = 16U << 20U;
    HostSettings listening = settings;
    listening.listens = true;
    Host server(listening, **first, secureEntropy, steadyNow());
    Host client(settings, **second, secureEntropy, steadyNow());
    client.connect(Address::v4(127, 0, 0, 1, (*first)->local().port));
    const auto pump = [&] {
        client.update(steadyNow());
        server.update(steadyNow());
    };
    Connection* from = nullptr;
    Connection* to = nullptr;
    for (const Time end = steadyNow() + 5 * Second; steadyNow() < end && to == nullptr;) {
        pump();
        client.forEach([&](Connection& c) { from = c.state() == Connection::State::Connected ? &c : nullptr; });
        to = from != nullptr ? server.find(from->id()) : nullptr;
    }
    if (to == nullptr) {
        std::printf("no connection: bulk left out\n");
        return;
    }
    const std::vector<std::uint8_t> body(4U << 20U, 7);
    std::uint64_t came = 0;
    ReceivedMessage delivery;
    const auto go = [&](std::uint64_t bytes, Time limit) {
        came = 0;
        for (const Time end = steadyNow() + limit; came < bytes && steadyNow() < end;) {
            while (from->send(1, body, {}, {.priority = MessageClass::Priority::Bulk}).status == SendStatus::Sent) {}
            pump();
            while (to->next(delivery)) {
                came += delivery.body.size();
            }
        }
    };
    go(64U << 20U, 20 * Second);
    const double cpu = threadSeconds();
    const Time wall = steadyNow();
    go(256U << 20U, 30 * Second);
    const double seconds = threadSeconds() - cpu;
    const double wallSeconds = static_cast<double>(steadyNow() - wall) / 1e9;
    delivery = {};
    atLeast(segments ? "4 MiB messages over loopback, of this thread's time" : "the same, where the system cuts no datagrams", static_cast<double>(came) / seconds / 1e6, 100, "MB/s");
    std::printf("%-58s %10.2f MB/s by the clock, %llu packets lost of %llu\n", "", static_cast<double>(came) / wallSeconds / 1e6,
                static_cast<unsigned long long>(from->channel().counters().packetsLost),
                static_cast<unsigned long long>(from->channel().counters().packetsSent));
}

// A megabit with a tenth of a second of queue.
void narrow() {
    const LinkSettings link{.latency = 25 * Millisecond, .rate = 1e6, .queue = 100 * Millisecond};
    HostSettings base;
    base.limits.pendingBytes = base.pendingFromClient = 4U << 20U;
    World world(link, base);
    const World::Ends ends = world.connected();
    const std::vector<std::uint8_t> body(500, 1);
    std::vector<Time> queue;
    std::uint64_t bytes = 0;
    std::uint64_t states = 0;
    world.network.setTap([&](Time, const Address& from, const Address&, ByteView datagram) {
        bytes += from == clientAddress(0) ? datagram.size() : 0;
    });
    LinkDirection& up = world.network.direction(clientAddress(0), serverAddress());
    ReceivedMessage delivery;
    std::uint64_t before = 0;
    constexpr int Ticks = 60 * 60;
    for (int tick = 0; tick < Ticks; ++tick) {
        while (ends.client->send(1, body).status == SendStatus::Sent) {}
        static_cast<void>(ends.client->sendUnreliable(2, ByteView(body).first(40), {.latest = true, .key = 1}));
        world.runFor(Second / 60);
        if (tick == 300) {
            before = bytes;
            states = 0;
        }
        while (ends.server->next(delivery)) {
            states += delivery.type == 2 ? 1U : 0U;
        }
        if (tick > 300) {
            queue.push_back(up.queueDelay(world.network.now()));
        }
    }
    delivery = {};
    std::sort(queue.begin(), queue.end());
    const double seconds = (Ticks - 301) / 60.0;
    atMost("1 Mbit/s, saturated: standing queue, p95", static_cast<double>(queue[queue.size() * 95 / 100]) / 1e6, 50, "ms");
    const double lost = static_cast<double>(up.counters().overflowed);
    atLeast("                     utilisation", (static_cast<double>(bytes - before)) * 8.0 / seconds / 1e6 * 100.0, 80, "%");
    atLeast("                     states of 60 a second", static_cast<double>(states) / seconds, 50, "Hz");
    std::printf("%-58s %10.0f packets\n", "                     dropped by the queue", lost);
}

// Two senders behind one bottleneck: hosts of one program share the direction by sharing an address.
void shared() {
    World world({.latency = 25 * Millisecond, .rate = 1e6, .queue = 100 * Millisecond});
    Host& host = world.addClient();
    host.connect(serverAddress());
    world.runFor(500 * Millisecond);
    host.connect(serverAddress());
    world.runFor(500 * Millisecond);
    std::vector<Connection*> flows;
    host.forEach([&](Connection& c) { flows.push_back(&c); });
    if (flows.size() != 2) {
        std::printf("two flows: not connected\n");
        return;
    }
    const std::array ids{flows[0]->id(), flows[1]->id()};
    const std::vector<std::uint8_t> body(500, 1);
    std::array<std::uint64_t, 2> came{};
    ReceivedMessage delivery;
    for (int tick = 0; tick < 120 * 60; ++tick) {
        for (Connection* flow : flows) {
            while (flow->send(1, body).status == SendStatus::Sent) {}
        }
        world.runFor(Second / 60);
        for (std::size_t i = 0; i < 2; ++i) {
            Connection* const end = world.server->find(ids[i]);
            if (end == nullptr) {
                ConnectionEvent event;
                while (world.server->nextEvent(event) || host.nextEvent(event)) {}
                std::printf("two flows: connection %zu ended at tick %d, reason %d\n", i, tick, static_cast<int>(event.reason));
                return;
            }
            while (end->next(delivery)) {
                came[i] += tick > 600 ? delivery.body.size() : 0;
            }
        }
    }
    delivery = {};
    const double ratio = static_cast<double>(std::max(came[0], came[1])) / static_cast<double>(std::max<std::uint64_t>(1, std::min(came[0], came[1])));
    atMost("two flows through one megabit: larger by smaller", ratio, 1.3, "x");
}

void handshakes() {
    HostSettings base;
    base.listens = true;
    base.maxConnections = 100'000;
    base.maxPerNetwork = 1'000'000;
    base.challengesPerSecond = 1e9;
    SimulatedNetwork network(1);
    Host server(base, network.open(serverAddress()), seededEntropy(1), network.now());
    // Requests and responses that clients really sent, kept to be handled in one go.
    constexpr std::size_t Clients = 2000;
    std::vector<std::pair<Address, std::vector<std::uint8_t>>> requests;
    std::vector<std::pair<Address, std::vector<std::uint8_t>>> responses;
    network.setTap([&](Time, const Address& from, const Address&, ByteView bytes) {
        if (from == serverAddress()) {
            return;
        }
        auto& kept = (bytes[0] & 7U) == 0 ? requests : responses;
        if ((bytes[0] & 7U) <= 2) {
            kept.emplace_back(from, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
        }
    });
    std::vector<std::unique_ptr<Host>> clients;
    for (std::size_t i = 0; i < Clients; ++i) {
        HostSettings own;
        clients.push_back(std::make_unique<Host>(own, network.open(clientAddress(i)), seededEntropy(i + 5), network.now()));
        clients.back()->connect(serverAddress());
    }
    network.setDefault({});
    double server1 = 0.0;
    const auto step = [&] {
        for (const auto& client : clients) {
            client->update(network.now());
        }
        network.advance(network.now() + Millisecond);
        const double from = threadSeconds();
        server.update(network.now());
        server1 += threadSeconds() - from;
    };
    for (int i = 0; i < 4; ++i) {
        step(); // requests, challenges, responses, accepts
    }
    const double seconds = server1;
    if (server.connectionCount() != Clients) {
        std::printf("%zu of %zu connected\n", server.connectionCount(), Clients);
    }
    atLeast("handshakes a second, of the server's time", static_cast<double>(Clients) / seconds / 1e3, 15, "k/s");
    // The same requests from addresses nobody has.
    const auto timed = [&](const std::vector<std::pair<Address, std::vector<std::uint8_t>>>& datagrams) {
        double best = 1.0;
        for (int repeat = 0; repeat < 5; ++repeat) {
            std::uint32_t source = 0;
            for (const auto& [from, bytes] : datagrams) {
                network.inject(Address::v4(172, 16, static_cast<std::uint8_t>(source >> 8U), static_cast<std::uint8_t>(source), 1),
                               serverAddress(), bytes);
                ++source;
            }
            network.advance(network.now() + Millisecond);
            const double from = threadSeconds();
            server.update(network.now());
            best = std::min(best, (threadSeconds() - from) / static_cast<double>(datagrams.size()));
        }
        return best * 1e6;
    };
    const double idle = [&] {
        network.advance(network.now() + Millisecond);
        const double from = threadSeconds();
        server.update(network.now());
        return threadSeconds() - from;
    }();
    const double share = idle / static_cast<double>(Clients) * 1e6; // timers of those connected, in each update
    atMost("forged request", timed(requests) - share, 4, "us");
    atMost("response without a right cookie", timed(responses) - share, 1, "us");
    const HostCounters& counters = server.counters();
    std::printf("%-58s %10.3f x       must <= 0.1      %s\n", "bytes out by bytes in, unvalidated",
                static_cast<double>(counters.handshakeBytesSent) / static_cast<double>(counters.requests * 1200),
                static_cast<double>(counters.handshakeBytesSent) / static_cast<double>(counters.requests * 1200) <= 0.1 ? "holds" : "MISSED");
}

void memory() {
    for (const auto& [window, most] : {std::pair{256U, 16.0}, std::pair{1024U, 64.0}}) {
        HostSettings base;
        base.limits.window = window;
        World world({.latency = 10 * Millisecond}, base);
        const World::Ends ends = world.connected();
        const std::array<std::uint8_t, 32> body{};
        for (int i = 0; i < 600; ++i) {
            static_cast<void>(ends.client->send(1, body));
            static_cast<void>(ends.server->send(1, body));
            world.runFor(Second / 60);
            ReceivedMessage delivery;
            while (ends.client->next(delivery) || ends.server->next(delivery)) {}
        }
        world.runFor(60 * Second);
        char row[64];
        std::snprintf(row, sizeof row, "idle connection after traffic, window %u", window);
        atMost(row, static_cast<double>(ends.server->memory()) / 1024.0, most, "KiB");
    }
}

// A thousand connections that say nothing, of a server that looks so many times a second: a tenth of what ten thousand may cost.
void idle(int rate) {
    constexpr std::size_t Count = 1000;
    HostSettings base;
    base.maxConnections = Count;
    base.limits.window = 256;
    World world({.latency = 10 * Millisecond}, base);
    int ticks = 0;
    const auto step = [&] {
        world.network.advance(world.network.now() + Second / rate);
        if (++ticks % (rate / 5) == 0) { // enough for timers of seconds
            for (const auto& client : world.clients) {
                client->update(world.network.now());
            }
        }
        const double from = threadSeconds();
        world.server->update(world.network.now());
        return threadSeconds() - from;
    };
    for (std::size_t i = 0; i < Count; ++i) {
        world.addClient().connect(serverAddress());
    }
    for (int i = 0; i < 5 * rate; ++i) {
        step();
    }
    constexpr int Seconds = 20;
    double seconds = 0.0;
    for (int i = 0; i < Seconds * rate; ++i) {
        seconds += step();
    }
    if (world.server->connectionCount() != Count) {
        std::printf("MISSED: %zu of %zu idle clients are connected\n", world.server->connectionCount(), Count);
        return;
    }
    char row[96];
    std::snprintf(row, sizeof row, "a thousand idle connections, %d updates a second", rate);
    atMost(row, seconds / Seconds * 100, 0.3, "%");
}

// Sixty snapshots a second in and out, of 64 entities, to one client: what a tick of it costs a server.
void clientTicks() {
    World world({.latency = 10 * Millisecond});
    const World::Ends ends = world.connected();
    const std::vector<std::uint8_t> state(20);
    ReceivedMessage delivery;
    double seconds = 0.0;
    constexpr int Ticks = 6000;
    for (int tick = 0; tick < Ticks; ++tick) {
        static_cast<void>(ends.client->sendUnreliable(3, ByteView(state), {.latest = true, .key = 0}));
        double from = threadSeconds();
        for (std::uint32_t i = 0; i < 64; ++i) {
            static_cast<void>(ends.server->sendUnreliable(2, state, {.latest = true, .key = i}));
        }
        world.server->update(world.network.now());
        seconds += threadSeconds() - from;
        const Time end = world.network.now() + Second / 60;
        while (world.network.now() < end) {
            world.network.advance(std::min(end, world.network.now() + 2 * Millisecond));
            for (const auto& client : world.clients) {
                client->update(world.network.now());
            }
            from = threadSeconds();
            world.server->update(world.network.now());
            seconds += threadSeconds() - from;
        }
        while (ends.client->next(delivery)) {}
        from = threadSeconds();
        while (ends.server->next(delivery)) {}
        seconds += threadSeconds() - from;
    }
    delivery = {};
    atMost("a client's tick of 64 states, at the server, encrypted", seconds / Ticks * 1e6, 32, "us");
}

// What recording costs: none, switched off, and on with a reader.
void recording() {
    class Nameless final : public NetNaming {
    public:
        std::string_view typeName(std::uint16_t) override { return "message"; }
        std::string_view entityName(std::uint16_t, ByteView) override { return "entity"; }
    } naming;
    const auto run = [&](int how) {
        World world({.latency = Millisecond});
        NetRecorder recorder;
        recorder.setEnabled(how == 2);
        std::unique_ptr<NetRecorder::Tap> tap;
        if (how > 0) {
            tap = std::make_unique<NetRecorder::Tap>(recorder, *world.server, "server", &naming);
        }
        const auto reader = recorder.addReader();
        const World::Ends ends = world.connected();
        const std::array<std::uint8_t, 32> body{};
        ReceivedMessage delivery;
        double best = 1.0;
        for (int repeat = 0; repeat < 7; ++repeat) {
            double seconds = 0.0;
            for (int tick = 0; tick < 1000; ++tick) {
                const double from = threadSeconds();
                for (int i = 0; i < 28; ++i) {
                    static_cast<void>(ends.server->send(1, body));
                }
                world.runFor(Second / 60);
                recorder.seal();
                seconds += threadSeconds() - from;
                while (ends.client->next(delivery)) {}
                static_cast<void>(reader->poll([](const NetRecordView&) {}));
            }
            best = std::min(best, seconds / 28'000.0);
        }
        delivery = {};
        return best * 1e9;
    };
    const double none = run(0);
    const double off = run(1);
    const double on = run(2);
    std::printf("%-58s %10.1f ns a message; recorder there and off %.1f (%+.1f %%), on %.1f\n", "recording: no recorder", none, off,
                (off / none - 1.0) * 100.0, on);
}

} // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    plainMessages();
    chainRelease();
    throughWindow();
    sendingEncrypted();
    overhead();
    bulk(true);
    bulk(false);
    narrow();
    shared();
    handshakes();
    memory();
    idle(10);
    idle(60);
    clientTicks();
    recording();
    return 0;
}
