// A server in a process of its own: says its port, then sends every guaranteed message back, each after the one before.
// usage: net_peer [PORT]

#include "tests/net/peer.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <unordered_map>

using namespace sbx::net;

int main(int argc, char** argv) {
    auto transport = UdpTransport::open(argc > 1 ? static_cast<std::uint16_t>(std::atoi(argv[1])) : std::uint16_t{0});
    if (!transport) {
        std::fprintf(stderr, "%s\n", transport.error().message.c_str());
        return 1;
    }
    HostSettings settings = realSettings();
    settings.listens = true;
    Peer peer(std::move(*transport), settings);
    std::printf("port %u\n", unsigned{peer.socket->local().port});
    std::fflush(stdout);
    struct Echo {
        MessageHandle last;
        std::deque<std::vector<std::uint8_t>> waiting; // until the window has room
    };
    std::unordered_map<std::uint32_t, Echo> echoes;
    for (;;) {
        peer.pump(20 * Millisecond);
        peer.host.forEach([&](Connection& connection) {
            Delivery delivery;
            Echo& echo = echoes[connection.id()];
            while (connection.next(delivery)) {
                const auto bytes = delivery.body.bytes();
                echo.waiting.emplace_back(bytes.begin(), bytes.end());
            }
            while (!echo.waiting.empty()) {
                const auto needs = echo.last ? std::span<const MessageHandle>(&echo.last, 1)
                                             : std::span<const MessageHandle>();
                const SendResult sent = connection.send(1, echo.waiting.front(), needs);
                if (sent.status != SendStatus::Sent) {
                    break;
                }
                echo.last = sent.handle;
                echo.waiting.pop_front();
            }
        });
        ConnectionEvent event;
        while (peer.host.nextEvent(event)) {
            if (event.kind == ConnectionEvent::Kind::Connected) {
                std::printf("connected %u\n", unsigned{event.connection});
            } else {
                echoes.erase(event.connection);
                std::printf("closed %u %u suspensions %llu\n", unsigned{event.connection},
                            static_cast<unsigned>(event.reason),
                            static_cast<unsigned long long>(peer.host.counters().suspensions));
            }
            std::fflush(stdout);
        }
    }
}
