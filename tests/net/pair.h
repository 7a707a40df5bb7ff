#pragma once
// Two channels joined by simulated links in virtual time, without handshake or encryption: eight bytes of packet number, then the
// payload. Event-driven: time jumps to whatever is due next.

#include "engine/net/channel.h"
#include "engine/net/link_settings.h"
#include "engine/net/simulated_link.h"

#include <functional>

namespace sbx::net {

struct PairSettings {
    ChannelSettings a;
    ChannelSettings b;
    LinkSettings forward;  // a to b
    LinkSettings backward; // b to a
    std::uint64_t seed = 1;
};

inline PairSettings pairSettings(const LinkSettings& both = {.latency = 25 * Millisecond}) {
    PairSettings settings;
    settings.a.connection = 1;
    settings.a.epoch = 77;
    settings.b = settings.a;
    settings.a.seed = 11;
    settings.b.seed = 12;
    settings.forward = both;
    settings.backward = both;
    return settings;
}
inline PairSettings pairSettings(const LinkProfile& profile) {
    PairSettings settings = pairSettings(profile.up);
    settings.backward = profile.down;
    return settings;
}

class Pair {
public:
    static constexpr std::size_t Overhead = 23;

    explicit Pair(const PairSettings& settings)
        : a(settings.a),
          b(settings.b),
          forward(settings.seed * 2 + 1, settings.forward),
          backward(settings.seed * 2 + 2, settings.backward) {
        a.primeRoundTrip(std::max<Time>(settings.forward.latency + settings.backward.latency, Microsecond));
        b.primeRoundTrip(std::max<Time>(settings.forward.latency + settings.backward.latency, Microsecond));
    }

    Channel a;
    Channel b;
    LinkDirection forward;
    LinkDirection backward;
    Time now = 0;
    CloseReason closedA = CloseReason::None;
    CloseReason closedB = CloseReason::None;
    std::uint64_t bytesForward = 0;
    std::uint64_t bytesBackward = 0;
    bool keepPackets = false;
    std::vector<std::vector<std::uint8_t>> packetsForward; // number and payload
    // Called for every datagram before it enters the link; false drops it.
    std::function<bool(bool isForward, std::uint64_t number, ByteView payload)> gate;

    // Sends what may be sent now. Returns whether anything moved.
    bool pump() {
        bool any = flush(a, forward, true);
        any = flush(b, backward, false) || any;
        return any;
    }
    // Arrivals and timers up to `until`; the links' datagrams and the channels' timers alone decide when.
    void run(Time until) {
        for (;;) {
            settle();
            Time next = std::min(forward.nextDue(), backward.nextDue());
            if (closedA == CloseReason::None) {
                next = std::min(next, a.nextTimer(now));
            }
            if (closedB == CloseReason::None) {
                next = std::min(next, b.nextTimer(now));
            }
            if (next > until) {
                break;
            }
            now = std::max(now, next);
            deliver();
            tick();
        }
        now = until;
        deliver();
        tick();
        settle();
    }
    // Until both have nothing outstanding, at most `limit` more.
    bool drain(Time limit) {
        const Time end = now + limit;
        while (now < end && !(a.drained() && b.drained())) {
            run(std::min(end, now + 10 * Millisecond));
            if (onStep) {
                onStep();
            }
        }
        return a.drained() && b.drained();
    }
    std::function<void()> onStep;
    Channel::Received receiveAt(Channel& channel, ByteView packet) {
        std::uint64_t number = 0;
        std::memcpy(&number, packet.data(), 8);
        if (channel.check(number) != ReceivedPackets::Verdict::Fresh) {
            return {Channel::Outcome::Refused, CloseReason::None};
        }
        return channel.receive(now, number, packet.subspan(8), m_scratch);
    }

private:
    void settle() {
        for (int i = 0; i < 1000 && pump(); ++i) {}
    }
    bool flush(Channel& channel, LinkDirection& link, bool isForward) {
        if ((isForward ? closedA : closedB) != CloseReason::None) {
            return false;
        }
        bool any = false;
        for (;;) {
            const Channel::Turn turn = channel.turn(now);
            if (turn == Channel::Turn::Nothing) {
                return any;
            }
            std::array<std::uint8_t, 1500> bytes; // written as far as it is sent
            const auto built = channel.build(now, turn, std::span(bytes).subspan(8), Overhead);
            std::memcpy(bytes.data(), &built.number, 8);
            (isForward ? bytesForward : bytesBackward) += built.size + Overhead;
            any = true;
            if (gate && !gate(isForward, built.number, ByteView(bytes).subspan(8, built.size))) {
                continue;
            }
            if (keepPackets && isForward) {
                packetsForward.emplace_back(bytes.begin(),
                                            bytes.begin() + static_cast<std::ptrdiff_t>(built.size) + 8);
            }
            link.push(now, ByteView(bytes).first(built.size + 8));
        }
    }
    void deliver() {
        while (forward.pop(now, m_bytes)) {
            note(receiveAt(b, m_bytes), closedB);
        }
        while (backward.pop(now, m_bytes)) {
            note(receiveAt(a, m_bytes), closedA);
        }
    }
    void note(const Channel::Received& received, CloseReason& closed) {
        if (received.outcome == Channel::Outcome::Violation && closed == CloseReason::None) {
            closed = received.reason;
        }
    }
    void tick() {
        if (closedA == CloseReason::None) {
            closedA = a.update(now);
        }
        if (closedB == CloseReason::None) {
            closedB = b.update(now);
        }
    }

    Payload m_scratch;
    std::vector<std::uint8_t> m_bytes;
};

// A payload of one's own making, for a channel that must judge it.
struct Forged {
    std::array<std::uint8_t, 1200> bytes{};
    ByteWriter out{bytes};
    SectionWriter sections{out, 15};
    Forged() { out.u8(0); }
    Channel::Received at(Channel& channel, std::uint64_t number, Time now = 0) {
        Payload scratch;
        return channel.receive(now, number, ByteView(bytes).first(out.size()), scratch);
    }
};

} // namespace sbx::net
