#pragma once
// All that can be seen of one end of a connection, but for what it counts of datagrams that it did not take: for tests of what must
// leave no trace.

#include "tests/net/world.h"

namespace sbx::net {

inline std::vector<std::uint64_t> stateOf(const Connection& end) {
    const Channel& channel = end.channel();
    std::vector<std::uint64_t> all;
    const auto add = [&all](auto value) { all.push_back(static_cast<std::uint64_t>(value)); };
    add(end.id());
    add(end.state());
    add(end.closeReason());
    for (const std::uint8_t byte : end.peer().ip) {
        add(byte);
    }
    add(end.peer().port);
    channel.counters().forEach([&](const char*, std::uint64_t value) { add(value); });
    const ConnectionCounters& own = end.counters();
    for (const std::uint64_t value : {own.rateExceeded, own.pathChallenges, own.migrations, own.sendFailures,
                                      own.datagramsSent, own.datagramBytesSent, own.amplificationHeld}) {
        add(value);
    }
    add(channel.newestReceived());
    add(channel.nextPacket());
    add(channel.unackedSpan());
    add(channel.sendGraph().floor());
    add(channel.sendGraph().next());
    add(channel.sendGraph().pendingBytes());
    add(channel.sendGraph().pendingEdges());
    add(channel.receiveGraph().floor());
    add(channel.receiveGraph().pendingEdges());
    add(channel.roundTrip().smoothed());
    add(channel.roundTrip().variation());
    add(channel.congestion().window());
    add(channel.congestion().inFlight());
    add(channel.deliveriesWaiting());
    add(end.memory());
    add(end.keyGeneration());
    return all;
}

// Datagrams that one end, or its host, has counted as none of its own.
inline std::uint64_t refusedBy(const Host& host, const Connection& end) {
    const ConnectionCounters& c = end.counters();
    const HostCounters& h = host.counters();
    return c.authFailed + c.malformed + c.replayed + c.stale + h.malformed + h.unknownConnection;
}

} // namespace sbx::net
