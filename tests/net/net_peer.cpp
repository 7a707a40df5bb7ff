// A server in a process of its own: says its port, then sends every guaranteed message back, each after the one before.
// usage: net_peer [PORT [TIME-OUT]]          the time-out in seconds, for both ends; two
//        net_peer --clients PORT COUNT LIFE   so many clients, each of which talks and leaves after LIFE ms for another to come; 0: stays

#include "tests/net/peer.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string_view>
#include <unordered_map>

using namespace sbx::net;

namespace {

// SIGCONT: it was stopped, which on a busy machine is more than a gap in time.
volatile std::sig_atomic_t continued = 0;

int crowd(std::uint16_t port, std::size_t count, Time life) {
    struct Member {
        std::unique_ptr<Peer> peer;
        Time born = 0;
    };
    std::vector<Member> members(count);
    for (;;) {
        for (Member& member : members) {
            const bool over = member.peer != nullptr && life > 0 && steadyNow() - member.born > life;
            if (member.peer == nullptr || over) {
                // Every other one says goodbye.
                if (member.peer != nullptr && (&member - members.data()) % 2 == 0
                    && member.peer->only() != nullptr) {
                    member.peer->only()->close();
                    member.peer->pump(0);
                }
                auto transport = UdpTransport::open(0);
                if (!transport) {
                    continue;
                }
                member.peer = std::make_unique<Peer>(std::move(*transport), realSettings());
                member.peer->host.connect(Address::v4(127, 0, 0, 1, port));
                member.born = steadyNow();
            }
            if (Connection* connection = member.peer->only()) {
                static_cast<void>(connection->sendUnreliable(1, std::array<std::uint8_t, 8>{}));
                ReceivedMessage delivery;
                while (connection->next(delivery)) {}
            }
            member.peer->pump(0);
        }
        members.front().peer->pump(5 * Millisecond);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 5 && std::string_view(argv[1]) == "--clients") {
        return crowd(static_cast<std::uint16_t>(std::atoi(argv[2])),
                     static_cast<std::size_t>(std::atoi(argv[3])), std::atoi(argv[4]) * Millisecond);
    }
    auto transport =
        UdpTransport::open(argc > 1 ? static_cast<std::uint16_t>(std::atoi(argv[1])) : std::uint16_t{0});
    if (!transport) {
        std::fprintf(stderr, "%s\n", transport.error().message.c_str());
        return 1;
    }
    HostSettings settings = realSettings();
    settings.listens = true;
    settings.timeout = argc > 2 ? std::atoi(argv[2]) * Second : settings.timeout;
    Peer peer(std::move(*transport), settings);
    std::printf("port %u\n", unsigned{peer.socket->local().port});
    std::fflush(stdout);
    struct Echo {
        MessageHandle last;
        std::deque<std::vector<std::uint8_t>> waiting; // until the window has room
    };
    std::unordered_map<std::uint32_t, Echo> echoes;
    // What came of a connection since this process was stopped: much of it, and it goes on.
    constexpr std::uint64_t Much = 100;
    std::signal(SIGCONT, [](int) { continued = 1; });
    std::unordered_map<std::uint32_t, std::uint64_t> goesOnAt; // packets received
    for (;;) {
        peer.pump(20 * Millisecond);
        peer.host.forEach([&](Connection& connection) {
            ReceivedMessage delivery;
            Echo& echo = echoes[connection.id()];
            while (connection.next(delivery)) {
                const auto bytes = delivery.body.bytes();
                echo.waiting.emplace_back(bytes.begin(), bytes.end());
            }
            while (!echo.waiting.empty()) {
                const auto needs = echo.last ? std::span<const MessageHandle>(&echo.last, 1)
                                             : std::span<const MessageHandle>();
                const SendReceipt sent = connection.send(1, echo.waiting.front(), needs);
                if (sent.status != SendStatus::Sent) {
                    break;
                }
                echo.last = sent.handle;
                echo.waiting.pop_front();
            }
        });
        if (continued != 0) {
            continued = 0;
            peer.host.forEach([&](const Connection& connection) {
                goesOnAt[connection.id()] = connection.channel().counters().packetsReceived + Much;
            });
        }
        peer.host.forEach([&](const Connection& connection) {
            const auto known = goesOnAt.find(connection.id());
            if (known == goesOnAt.end() || connection.channel().counters().packetsReceived < known->second) {
                return;
            }
            goesOnAt.erase(known);
            std::printf("goes on %u\n", unsigned{connection.id()});
            std::fflush(stdout);
        });
        ConnectionEvent event;
        while (peer.host.nextEvent(event)) {
            if (event.kind == ConnectionEvent::Kind::Connected) {
                std::printf("connected %u\n", unsigned{event.connection});
            } else {
                echoes.erase(event.connection);
                std::size_t left = 0;
                peer.host.forEach(
                    [&](const Connection& c) { left += c.state() < Connection::State::Closed ? 1U : 0U; });
                std::printf("closed %u %u suspensions %llu requests %llu left %zu unknown %llu\n",
                            unsigned{event.connection}, static_cast<unsigned>(event.reason),
                            static_cast<unsigned long long>(peer.host.counters().suspensions),
                            static_cast<unsigned long long>(peer.host.counters().requests), left,
                            static_cast<unsigned long long>(peer.host.counters().unknownConnection));
            }
            std::fflush(stdout);
        }
    }
}
