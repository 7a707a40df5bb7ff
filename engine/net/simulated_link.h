#pragma once
// A link that treats datagrams badly in exactly the same way every time: the network of every test and of sessions with
// simulated clients.

#include "engine/core/random.h"
#include "engine/net/link_settings.h"
#include "engine/net/transport.h"

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace sbx::net {

struct LinkCounters {
    std::uint64_t sent = 0;
    std::uint64_t lost = 0; // by chance
    std::uint64_t blackedOut = 0;
    std::uint64_t overflowed = 0; // the bottleneck's queue was full
    std::uint64_t duplicated = 0;
    std::uint64_t heldBack = 0;
    std::uint64_t corrupted = 0;
    std::uint64_t delivered = 0;
    std::uint64_t bytes = 0; // of all that were sent

    template <typename Visit> void forEach(Visit visit) const {
        visit("sent", sent);
        visit("lost", lost);
        visit("blackedOut", blackedOut);
        visit("overflowed", overflowed);
        visit("duplicated", duplicated);
        visit("heldBack", heldBack);
        visit("corrupted", corrupted);
        visit("delivered", delivered);
        visit("bytes", bytes);
    }
};

// Purpose: one direction. Data flow: push() at a time, pop() when a datagram is due; in between an ordered store by due time,
// ties in order of sending, so without jitter the order stays. Every datagram draws the same number of random values whatever
// happens to it: changing one setting leaves the other chances where they were.
class LinkDirection {
public:
    explicit LinkDirection(std::uint64_t seed, LinkSettings settings = {});

    // Takes effect for datagrams pushed from now on.
    void setSettings(const LinkSettings& settings) { m_settings = settings; }
    [[nodiscard]] const LinkSettings& settings() const { return m_settings; }

    void push(Time now, ByteView datagram);
    // Time of the next arrival, or Never.
    [[nodiscard]] Time nextDue() const;
    // Moves the next datagram due at or before `now` into `out`; false if there is none.
    bool pop(Time now, std::vector<std::uint8_t>& out);

    [[nodiscard]] std::size_t inFlight() const { return m_heap.size(); }
    // How long a datagram pushed now would wait for the bottleneck.
    [[nodiscard]] Time queueDelay(Time now) const { return m_busyUntil > now ? m_busyUntil - now : 0; }
    [[nodiscard]] const LinkCounters& counters() const { return m_counters; }

private:
    struct Flight {
        Time due = 0;
        std::uint64_t order = 0;
        std::vector<std::uint8_t> bytes;
    };
    void launch(Time due, ByteView datagram, bool corrupt, std::uint32_t bit);
    [[nodiscard]] static bool later(const Flight& a, const Flight& b);
    // Gilbert-Elliott with certain loss in the bad state.
    bool loses(double chance);

    LinkSettings m_settings;
    Random m_random;
    std::vector<Flight> m_heap;
    std::vector<std::vector<std::uint8_t>> m_spare; // buffers to use again
    std::uint64_t m_order = 0;
    Time m_busyUntil = 0;
    bool m_bad = false;
    LinkCounters m_counters;
};

// Purpose: any number of transports joined by simulated links, in virtual time. Ownership: the network owns its transports and
// outlives their users. One thread. The pair (from, to) has a direction of its own, seeded from the network's seed and the order
// of first use.
class SimulatedNetwork {
public:
    explicit SimulatedNetwork(std::uint64_t seed);
    ~SimulatedNetwork();

    // A transport at `address`; the reference stays valid until close().
    Transport& open(const Address& address);
    // Datagrams on their way to it are lost, as with a program that ended.
    void close(const Address& address);
    // What `from` sends under its address arrives as from `to`, and what is sent to `to` reaches it: a NAT that changed its mind.
    void rebind(const Address& from, const Address& to);

    void setDefault(const LinkSettings& settings) { m_default = settings; }
    // The direction from one address to another, made on first use.
    LinkDirection& direction(const Address& from, const Address& to);

    [[nodiscard]] Time now() const { return m_now; }
    // Moves the clock and carries what is due into the transports' inboxes.
    void advance(Time to);
    [[nodiscard]] Time nextDue() const;

    // Sees every datagram as it is sent: for traces and for tests that meddle.
    using Tap = std::function<void(Time, const Address& from, const Address& to, ByteView)>;
    void setTap(Tap tap) { m_tap = std::move(tap); }
    // Puts a datagram into an inbox as if `from` had sent it: the attacker's way in.
    void inject(const Address& from, const Address& to, ByteView datagram);

private:
    class Port;
    void sendFrom(const Port& port, const Address& to, ByteView datagram);
    Port* find(const Address& address);

    std::uint64_t m_seed;
    Time m_now = 0;
    LinkSettings m_default;
    std::vector<std::unique_ptr<Port>> m_ports;
    std::map<std::pair<Address, Address>, std::unique_ptr<LinkDirection>> m_directions;
    std::vector<std::uint8_t> m_scratch;
    Tap m_tap;
};

} // namespace sbx::net
